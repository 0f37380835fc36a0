"""What strategies of Le Collier share (RULES.md section 16), by scripted positions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simlab import Table
from simlab.core.records import plain_arithmetic
from simlab.core.registry import bind_for
from simlab.core.strategy import Player
from simlab.games.collier import GAME
from simlab.games.collier import view as untyped_view
from simlab.games.collier.actions import kind_ids
from tests.games.collier.board import display, go, known, one_card, table

view: Any = untyped_view
D, E, R, A = range(4)


def seen_by(game: Table, seat: int) -> tuple[Any, Any, Any]:
    """Return table, me and rules as a strategy in a seat sees them."""
    shown = game._state.shown
    return shown[0], shown[1][seat], game._rules


def kind(game: Table, card: str) -> int:
    return kind_ids(game.book).index(card)


def call(
    name: str, game: Table, seat: int, *rest: Any, rules: bool = False, table_: bool = True
) -> Any:
    at, me, book = seen_by(game, seat)
    first = ([at] if table_ else []) + [me] + ([book] if rules else [])
    with plain_arithmetic():
        return getattr(view, name)(*first, *rest)


# -- what is known of others


def test_a_bought_card_is_known_and_dealt_ones_are_not() -> None:
    game = one_card(table(cards="ring amber_1 amber_1 amber_1 amber_1"))
    assert known(game, 1, 0) == {"ring": 1}
    assert call("known", game, 1, 0, kind(game, "ring")) == 1
    assert call("unseen", game, 1, 0) == 4
    assert call("known", game, 0, 0, kind(game, "diamond_1")) == 1  # the own hand
    assert call("stays", game, 1, 0, table_=False) == 1.0


def test_a_theft_by_a_third_player_leaves_a_doubt() -> None:
    game = table("amber_1 amber_1 amber_1 amber_1", "thief ruby_1 ruby_1 ruby_1", players=3,
                 cards="ring amber_1 amber_1 amber_1 amber_1 amber_1", steals=[4])  # fmt: skip
    one_card(game)
    go(game, "thief 0")  # the ring, as seat 1 sees; seat 2 does not
    assert known(game, 2, 0) == {"ring": 1}
    assert int(game.private(2).missing[0]) == 1
    assert call("known", game, 2, 0, kind(game, "ring")) == 0  # not for sure
    assert call("stays", game, 2, 0, table_=False) == 0.0
    assert call("unseen", game, 2, 0) == 4
    assert known(game, 1, 0) == {}
    assert known(game, 0, 1) == {"ring": 1}


def test_a_look_makes_everything_known() -> None:
    game = go(table("confessor amber_1 amber_1 amber_1", "ring ruby_3 ruby_1 king"), "confessor 1")
    assert known(game, 0, 1) == {"ring": 1, "ruby_3": 1, "ruby_1": 1, "king": 1}
    assert call("unseen", game, 0, 1) == 0
    assert call("known_gems", game, 0, 1, R, table_=False, rules=True) == 4
    assert call("known_rival", game, 0, R, rules=True) == 4
    assert call("held_gems", game, 0, A, table_=False, rules=True) == 3


def test_a_forger_that_finds_nothing_tells_all() -> None:
    game = table("confessor amber_1 amber_1 amber_1", "ruby_3 ruby_1 king ring", "forger forger "
                 "thief amber_1", players=3, steals=[0], cards="amber_1 amber_1 amber_1 amber_1 "
                 "amber_1 amber_1 amber_1 amber_1")  # fmt: skip
    go(game, "confessor 1")
    one_card(game)
    one_card(game)
    go(game, "thief 1")  # an unseen card for seat 0
    assert int(game.private(0).missing[1]) == 1
    go(game, "forger 1 diamond")
    assert known(game, 0, 1)["ruby_3"] == 1  # no diamond was known
    go(game, "forger 1 emerald")
    assert int(game.private(0).missing[1]) == 1


def test_what_is_displayed_is_no_longer_known() -> None:
    game = one_card(table(cards="ruby_3 amber_1 amber_1 amber_1 amber_1", first=0))
    assert known(game, 1, 0) == {"ruby_3": 1}
    display(game, "ruby_3 1, diamond_1 1")
    assert known(game, 1, 0) == {}
    assert call("unseen", game, 1, 0) == 3


def test_an_empty_hand_clears_everything() -> None:
    game = one_card(table("ruby_1 ruby_1 amber_1 amber_1", first=0))
    display(game, "ruby_1 2, amber_1 3")
    assert known(game, 1, 0) == {}
    assert int(game.private(1).missing[0]) == 0


def test_where_cards_are() -> None:
    game = table("ring ring amber_1 diamond_1", cards="ring king amber_1 amber_1 amber_1")
    assert call("somewhere", game, 0, kind(game, "ring"), rules=True) == 7 - 2 - 1
    assert call("somewhere", game, 0, kind(game, "king"), rules=True) == 3 - 1
    assert call("somewhere", game, 1, kind(game, "ring"), rules=True) == 7 - 1


# -- what things are worth


def sight(game: Table, seat: int) -> Any:
    return call("look", game, seat, rules=True)


def test_values_go_by_fashion_and_known_gems() -> None:
    game = go(table("confessor diamond_3 diamond_3 emerald_1", "ruby_3 ruby_1 king ring"),
              "confessor 1")  # fmt: skip
    found = sight(game, 0)
    assert found.own == (6.0, 1.0, 0.0, 0.0)
    assert found.rival[R] == 4.0
    # Known: 6 diamonds, 1 emerald, 4 rubies, no amber: rarity 0, 20, 10, 30.
    assert found.value == (30.0, 40.0, 20.0, 30.0)


@pytest.mark.parametrize(
    ("own", "rival", "chance"),
    [(0, 0, 0.0), (0, 5, 0.0), (1, 0, 0.7), (1, 1, 0.5), (1, 2, 0.3), (9, 0, 0.95), (1, 9, 0.05)],
)
def test_the_chance_of_a_majority(own: float, rival: float, chance: float) -> None:
    assert view.majority(float(own), float(rival)) == pytest.approx(chance)


@pytest.mark.parametrize(
    ("rules", "rings", "bankers", "paid"),
    [("standard", 2, 1, 280), ("official", 2, 1, 210), ("standard", 0, 0, 60)],
)
def test_what_a_seller_is_paid(rules: str, rings: int, bankers: int, paid: float) -> None:
    game = Table(GAME, 2, rules)
    assert view.paid(game._rules, 60.0, rings, bankers) == paid


def test_the_best_type() -> None:
    made = view.Sight((1.0,) * 4, (0.0,) * 4, (30.0, 40.0, 40.0, 10.0), (0.5, 0.7, 0.7, 0.9))
    assert view.best_type(made, 0b1111) == E
    assert view.best_type(made, 0b1001) == D
    assert view.best_type(made, 0) == -1


def test_worth_of_cards() -> None:
    game = go(table("confessor diamond_1 emerald_1 ring", "ruby_3 ruby_1 king ring"), "confessor 1")
    found = sight(game, 0)
    three = call("worth", game, 0, found, kind(game, "ruby_3"), rules=True)
    one = call("worth", game, 0, found, kind(game, "ruby_1"), rules=True)
    assert three > one > 1.0
    best = view.best_type(found, 0b1111)
    doubled = found.value[best] * 2
    ring = call("worth", game, 0, found, kind(game, "ring"), rules=True)
    assert ring == pytest.approx(found.chance[best] * doubled)  # a second ring doubles again
    assert call("worth", game, 0, found, kind(game, "thief"), rules=True) == 10.0


def test_the_best_set_that_can_be_paid() -> None:
    game = table(cards="ring ruby_1 amber_1 king amber_1")  # 8, 6, 4, 10, 4
    at, _, book = seen_by(game, 0)
    with plain_arithmetic():
        worths = (9.0, 4.0, 6.0, 11.0, 2.0)
        assert view.best_set(at, book, worths, 0b11111, 10) == 0b01000
        assert view.best_set(at, book, worths, 0b10111, 10) == 0b00110
        assert view.best_set(at, book, worths, 0b11111, 14) == 0b01100
        assert view.best_set(at, book, (0.0,) * 5, 0b11111, 19) == 0
        assert view.cheapest(at, book, 0b11111) == 2
        assert view.dearest(at, book, 0b10111) == 0
        assert [view.price(at, book, place) for place in range(5)] == [8, 6, 4, 10, 4]
        assert view.among(at, book, worths, 1 << R, 1) == (9.0, 4.0, 0.0, 0.0, 0.0)
        assert view.among(at, book, worths, 1 << A, 2) == (9.0, 0.0, 6.0, 11.0, 2.0)
        assert view.among(at, book, worths, 0, 0) == (0.0,) * 5


# -- answers


def default(game: Table) -> str:
    twin = game.clone()
    return str(game.book.actions[twin.advance(Player(bind_for(GAME, "by_value")))])


def test_the_default_takes_the_gem_it_knows_of() -> None:
    game = go(table("confessor forger amber_1 diamond_3", "ruby_3 ruby_1 king ring"), "confessor 1")
    assert default(game) == "forger 1 ruby"


def test_the_default_shows_musketeers_and_gives_up_the_least() -> None:
    game = table("thief amber_1 amber_1 amber_1", "musketeers ring king banker", steals=[0])
    assert default(go(game, "thief 1")) == "musketeers play"
    forged = table("forger amber_1 amber_1 amber_1", "ruby_3 ruby_1 king banker")
    assert default(go(forged, "forger 1 ruby")) == "discard ruby_1"


def test_the_default_turns_a_card_for_what_it_brings() -> None:
    first = one_card(table("alchemist ruby_3 ruby_3 amber_1", "diamond_2 ring ring ring", first=0))
    display(first, "ruby_3 2", "diamond_2 1")
    word = default(first)
    at, _, book = seen_by(first, 0)
    with plain_arithmetic():
        now = view.payoff(at, book, 0, 0, 0, 0)
        gains = {other: view.payoff(at, book, 0, R, 3, other) - now for other in (D, E, A)}
    best = max(gains, key=lambda other: gains[other])
    names = ("diamond", "emerald", "ruby", "amber")
    assert word == (f"alchemist ruby 3 {names[best]}" if gains[best] >= 20 else "alchemist pass")


def test_payoff_is_what_the_sale_pays() -> None:
    """Without a turn the foreseen payment is that of the rules, over many random sales."""
    checked = 0
    for deal in range(25):
        game = Table(GAME, 3, "official", {"necklace_bounty": 0}, deal=deal)
        rng = np.random.default_rng(deal)
        while not game.finished:
            if game.decision == "alchemist":
                seats = range(game.players)
                at, _, book = seen_by(game, 0)
                before = list(game.scores)
                with plain_arithmetic():
                    told = [view.payoff(at, book, seat, 0, 0, 0) for seat in seats]
                sales = int(game.public.sales)
                while game.decision == "alchemist" and int(game.public.sales) == sales:
                    game.play("alchemist pass")
                    if [a - b for a, b in zip(game.scores, before, strict=True)] != [0] * 3:
                        break
                assert [a - b for a, b in zip(game.scores, before, strict=True)] == told
                checked += 1
                continue
            legal = game.legal()
            game.play(legal[int(rng.integers(len(legal)))].number)
    assert checked > 8


def test_every_answer_is_legal_under_bars() -> None:
    for bars in (["kind=show"], ["kind=purchase", "card=ring"], ["kind=influence"], ["kind=ring"]):
        for deal in range(1):
            game = Table(GAME, 3, deal=deal, bars=dict.fromkeys(range(3), bars))
            for name in ("by_value", "king_denier", "cheap_gem", "peek_and_strike"):
                assert game.clone().play_out([name]).finished
