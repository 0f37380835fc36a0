"""Each strategy of the game against its rule (RULES.md section 16), by scripted positions."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from simlab import Table
from simlab.core.records import plain_arithmetic
from simlab.core.registry import bind_for, find_strategy, strategies
from simlab.core.strategy import Player
from simlab.games.collier import GAME
from tests.games.collier.board import display, go, one_card, table, words

SIGNATURES = {
    "random": "random",
    "dearest_single": "dearest_single",
    "cheapest_many": "cheapest_many",
    "by_value": "by_value(safe=0.5, rings=30, bankers=20, turn=20, king=30, delay=20)",
    "cheap_gem": "cheap_gem(max_unit=2)",
    "fashion_follower": "fashion_follower(k=2)",
    "rarity_seeker": "rarity_seeker",
    "majority_lock": "majority_lock(margin=1)",
    "hoarder": "hoarder(sale=3, safe=0.9)",
    "king_denier": "king_denier(king=25)",
    "necklace_bluffer": "necklace_bluffer(p=0.2, worth=30)",
    "peek_and_strike": "peek_and_strike(more=4, few=4)",
    "hate_draft": "hate_draft(w=0.3)",
}
AMBER = "amber_1 amber_1 amber_1 amber_1"


def wish(game: Table, spec: str) -> str:
    """Return the word that a strategy would play here."""
    number = game.clone().advance(Player(bind_for(GAME, spec)))
    return str(game.book.actions[number])


def played(game: Table, spec: str, decisions: int) -> list[str]:
    """Let a strategy play all seats for so many decisions; return its words."""
    twin, player = game.clone(), Player(bind_for(GAME, spec))
    return [str(game.book.actions[twin.advance(player)]) for _ in range(decisions)]


def offered(cards: str, hand: str = AMBER, **more: Any) -> Table:
    """Return a first turn with this market."""
    return table(hand, cards=cards, **more)


def on_sale(*hands: str, **more: Any) -> Table:
    """Return the first sale, before the first display: each seat has these cards and an amber."""
    return one_card(table(*hands, first=0, **more))


def test_the_names_and_parameters() -> None:
    found = {name: find_strategy("collier", name).signature() for name in strategies("collier")}
    assert found == SIGNATURES


# -- the baselines


def test_random_does_everything_alike() -> None:
    game = table("thief forger favorite confessor")
    rng, player = random.Random(1), Player(bind_for(GAME, "random"))
    state, me = game._state.shown[0], game._state.shown[1][0]
    found: Counter[str] = Counter()
    with plain_arithmetic():
        for _ in range(1800):
            stream = type("Stream", (), {"state": np.uint64(rng.getrandbits(64))})()
            number = int(player(state, me, game._rules, np.zeros(8, np.uint8), stream))
            found[game.book.actions[number]] += 1
    legal = words(game)
    assert {*found} == legal
    expected = 1800 / len(legal)
    chi = sum((count - expected) ** 2 / expected for count in found.values())
    assert chi < 30  # 9 degrees of freedom: once in 2000


def test_dearest_single_buys_one_card_the_oldest_of_the_dearest() -> None:
    game = offered("ring king queen amber_1 amber_1")
    assert played(game, "dearest_single", 1) == ["buy 1"]  # the King at 10, older than the Queen
    cheap = go(offered("ring amber_1 amber_1 amber_1 amber_1", min_purchase=0), "buy 1")
    assert wish(cheap, "dearest_single") == "purchase stop"


def test_cheapest_many_buys_on_until_nothing_can_be_paid() -> None:
    game = offered("ring amber_1 ruby_1 amber_1 diamond_1")
    assert played(game, "cheapest_many", 2) == ["buy 1", "buy 2"]
    assert wish(offered("ring king queen thief forger"), "cheapest_many") == "buy 0"


@pytest.mark.parametrize("name", ["dearest_single", "cheapest_many"])
def test_baselines_play_no_card_and_show_all_gems(name: str) -> None:
    assert wish(table("thief forger confessor courtesan"), name) == "influence stop"
    attacked = go(table("thief ruby_1 ruby_1 ruby_1", "musketeers ring ring ring"), "thief 1")
    assert wish(attacked, name) == "musketeers no"
    sale = on_sale("diamond_1 diamond_1 ring king")
    assert wish(sale, name) == "show 2"
    go(sale, "show 2; show 1")
    assert sale.decision == "ring"
    assert wish(sale, name) == "ring 0"
    go(sale, "ring 0; ring 0")
    assert wish(sale, name) == "king none"
    held = one_card(table("cardinal ruby_1 ruby_1 ruby_1", first=0))
    assert wish(held, name) == "cardinal no"
    turned = on_sale("alchemist diamond_1 diamond_1 ruby_1")
    display(turned, "diamond_1 1")
    assert wish(turned, name) == "alchemist pass"


# -- buying


@pytest.mark.parametrize(
    ("spec", "word"),
    [
        ("cheap_gem", "buy 0"),  # nothing costs 2 ducats a gem or less, but one must be bought
        ("cheap_gem(max_unit=3.5)", "buy 3"),  # 10 for three
        ("cheap_gem(max_unit=4)", "buy 3"),
        ("cheap_gem(max_unit=3.3)", "buy 0"),
    ],
)
def test_cheap_gem_minds_the_price_of_a_gem(spec: str, word: str) -> None:
    assert wish(offered("amber_1 ruby_1 diamond_2 emerald_3 amber_1"), spec) == word


def test_cheap_gem_buys_no_characters() -> None:
    game = one_card(one_card(offered("ring ring ring ring diamond_1 amber_1 amber_1"), 4), 4)
    assert wish(game, "cheap_gem(max_unit=1)").startswith(("buy", "influence"))
    later = offered("ring ring ring amber_1 amber_1", min_purchase=0)
    assert wish(later, "cheap_gem") == "purchase stop"


def test_fashion_follower_buys_the_top_types_rings_and_bankers_alone() -> None:
    game = offered("emerald_1 thief thief forger forger", min_purchase=0)
    assert wish(game, "fashion_follower") == "buy 0"  # emerald is on +20
    assert wish(game, "fashion_follower(k=1)") == "purchase stop"
    rings = offered("thief ring forger forger banker", min_purchase=0)
    assert wish(rings, "fashion_follower(k=1)") in ("buy 1", "buy 4")


def peeked(own: str, other: str, **more: Any) -> Table:
    """Return the first sale after a look into the hand of seat 1."""
    return one_card(go(table(f"confessor {own}", other, first=0, **more), "confessor 1"))


def test_fashion_follower_shows_all() -> None:
    sale = go(peeked("emerald_1 ruby_1 diamond_1", "ruby_3 ruby_3 ruby_2 ruby_2"),
              "show 1; show 1")  # fmt: skip
    assert wish(sale, "fashion_follower") == "show 1"
    assert wish(sale, "by_value") == "show 0"  # rubies are lost


def test_rarity_seeker_spreads() -> None:
    """A type that nobody is known to hold is worth a single gem, a held one less."""
    cards = "diamond_1 emerald_1 amber_1 amber_1 amber_1"
    game = offered(cards, "diamond_3 ruby_1 amber_1 amber_1")
    assert wish(game, "rarity_seeker") == "buy 1"


def test_majority_lock_builds_what_it_has() -> None:
    cards = "diamond_1 emerald_1 ruby_1 amber_1 thief"
    game = offered(cards, "ruby_2 ruby_2 emerald_1 emerald_1")
    assert wish(game, "majority_lock") in ("buy 1", "buy 2")
    other = offered(cards, "diamond_2 diamond_2 ruby_1 ruby_1")
    assert wish(other, "majority_lock") in ("buy 0", "buy 2")


@pytest.mark.parametrize(("margin", "word"), [(1, "show 1"), (2, "show 1"), (3, "show 0")])
def test_majority_lock_shows_with_a_margin(margin: int, word: str) -> None:
    sale = table("diamond_2 ruby_1 ruby_1 ruby_1", cards="amber_1 amber_1 amber_1 amber_1 amber_1",
                 first=0)  # fmt: skip
    assert wish(one_card(sale), f"majority_lock(margin={margin})") == word


def test_king_denier_wants_a_first_king() -> None:
    cards = "king ruby_1 ruby_1 amber_1 amber_1"
    assert wish(offered(cards), "king_denier(king=100)") == "buy 0"
    assert wish(offered(cards), "king_denier(king=0)") != "buy 0"
    held = offered(cards, "king ruby_1 ruby_1 ruby_1")
    assert wish(held, "king_denier(king=100)") != "buy 0"


def test_king_denier_lays_it_on_what_a_rival_would_sell() -> None:
    sale = peeked("king diamond_1 ruby_1", "diamond_3 diamond_3 ring ring")
    assert wish(sale, "king_denier") == "show 1"  # a diamond, for the King's sake
    assert wish(sale, "by_value") == "show 0"
    go(sale, "show 1; show 0; show 0")
    assert sale.decision == "king"
    assert wish(sale, "king_denier") == "king diamond"
    poor = ["amber", "ruby", "emerald", "diamond"]
    cheap = peeked("king diamond_1 ruby_1", "diamond_3 diamond_3 ring ring", fashion=poor)
    assert wish(cheap, "king_denier") == "show 0"  # diamonds are out of fashion


def test_necklace_bluffer_wants_the_necklace_and_may_bluff() -> None:
    cards = "queens_necklace ruby_1 ruby_1 amber_1 amber_1"
    hand = "courtesan courtesan ruby_1 ruby_1"
    rich = go(offered(cards, hand), "courtesan; courtesan")
    assert wish(rich, "necklace_bluffer(worth=100)") == "buy 0"
    assert wish(rich, "necklace_bluffer(worth=0)") != "buy 0"
    sale = on_sale("queens_necklace diamond_2 emerald_1 ring", AMBER)
    go(sale, "show 1; show 1; show 0")
    while sale.decision == "ring":
        go(sale, "ring 1" if "ring 1" in words(sale) else "ring 0")
    assert sale.decision == "necklace"
    assert wish(sale, "necklace_bluffer(p=0)") == "necklace diamond"
    assert wish(sale, "necklace_bluffer(p=1)") == "necklace emerald"


# -- displays and waiting


def test_hoarder_lays_nothing_before_its_sale() -> None:
    sale = peeked("diamond_3 ring ring", "emerald_3 emerald_3 ruby_1 amber_1")
    assert played(sale, "hoarder", 1) == ["show 1"]  # it is safe
    go(sale, "show 1; show 0")
    assert sale.decision == "ring"
    assert wish(sale, "hoarder") == "ring 0"
    assert wish(sale, "hoarder(sale=1)") == "ring 2"


def test_hoarder_shows_only_what_is_safe() -> None:
    sale = on_sale("diamond_1 amber_1 amber_1 amber_1", "diamond_1 ruby_1 ruby_1 ruby_1")
    assert wish(sale, "hoarder") == "show 0"
    assert wish(sale, "hoarder(safe=0.2)") == "show 1"


@pytest.mark.parametrize(
    ("habit", "word"), [("rings=0", "ring 1"), ("rings=28", "ring 1"), ("rings=29", "ring 0")]
)
def test_habits_say_when_rings_are_laid(habit: str, word: str) -> None:
    sale = go(on_sale("diamond_3 diamond_2 ring amber_1", AMBER), "show 1; show 1; show 0")
    assert sale.decision == "ring"
    assert wish(sale, f"by_value({habit})") == word


# -- attacks


def test_peek_and_strike_looks_first() -> None:
    game = table("confessor forger thief courtesan", "ruby_3 ring ring ring", players=2)
    assert wish(game, "peek_and_strike") == "confessor 1"
    go(game, "confessor 1")
    assert wish(game, "peek_and_strike") == "forger 1 ruby"


@pytest.mark.parametrize(("few", "word"), [(4, "thief 1"), (3, "by value")])
def test_peek_and_strike_robs_small_hands(few: int, word: str) -> None:
    game = table("thief amber_1 amber_1 amber_1", "ruby_1 ruby_1 ruby_1 ruby_1")
    said = wish(game, f"peek_and_strike(few={few})")
    assert said == (word if word.startswith("thief") else wish(game, "by_value"))


def test_peek_and_strike_keeps_a_cardinal_for_its_confessor() -> None:
    rich = "cardinal confessor diamond_3 diamond_3"
    held = one_card(table(rich, first=0))
    assert held.decision == "cardinal"
    assert wish(held, "peek_and_strike") == "cardinal play"
    assert wish(held, "by_value") == "cardinal no"  # its diamonds sell now


def test_hate_draft_takes_what_the_next_player_wants() -> None:
    """Seat 0 has rubies enough, seat 1 is known to hold four: three more would help it."""
    game = table("confessor ruby_3 ruby_3 ruby_2", "ruby_2 ruby_2 ring ring",
                 fashion=["ruby", "diamond", "emerald", "amber"],
                 cards="ruby_3 musketeers musketeers musketeers musketeers")  # fmt: skip
    go(game, "confessor 1")
    assert wish(game, "by_value") == "buy 1"
    assert wish(game, "hate_draft(w=0)") == "buy 1"
    assert wish(game, "hate_draft(w=5)") == "buy 0"
