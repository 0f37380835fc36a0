"""Situations that other programs got wrong (cases q01 to q13), each a test of its kind."""

from __future__ import annotations

from collections import Counter

import pytest

from simlab import Table
from simlab.errors import IllegalAction
from simlab.games.collier import GAME
from simlab.games.collier.actions import card_ids
from tests.games.collier.board import (
    display,
    go,
    gone,
    hand,
    market,
    one_card,
    points,
    rows,
    table,
    until,
    words,
)

ALL_RULES = sorted(GAME.rule_sets)


def test_q01_aids_and_blanks_are_not_shuffled() -> None:
    printed = {row["id"]: int(row["copies"]) for row in rows()}
    assert sum(printed.values()) == 110
    game = table(players=4)
    deck = Counter(card_ids(game.book))
    assert sum(deck.values()) == 100
    assert not {"summary", "blank", "merchant"} & {*deck}
    assert int(game.public.deck) == 100 - 16 - 5
    assert int(game.public.merchants) == 3


def test_q02_a_dealt_astrologer_is_replaced_again_and_again() -> None:
    first = "astrologer astrologer ring king banker amber_1"
    game = table(first)
    assert hand(game, 0) == {"ring": 1, "king": 1, "banker": 1, "amber_1": 1}
    assert game.log.decks["hands"][0][:6] == first.split()
    assert gone(game) == {}
    assert int(game.public.deck) == 92 - 5  # both are in the deck again
    for deal in range(200):
        other = Table(GAME, 4, seed=5, deal=deal)
        assert all("astrologer" not in hand(other, seat) for seat in range(4))


def test_q03_all_see_who_holds_the_necklace() -> None:
    game = table("amber_1 amber_1 amber_1 amber_1", "queens_necklace ring king banker")
    assert int(game.public.necklace) == 1
    assert [int(game.private(0).known[1].sum()), int(game.private(1).known[0].sum())] == [1, 0]
    bought = table("courtesan amber_1 amber_1 amber_1", cards="queens_necklace")
    assert int(bought.public.necklace) == -1
    go(bought, "courtesan; buy 0")
    assert int(bought.public.necklace) == 0
    stolen = table("thief amber_1 amber_1 amber_1", "queens_necklace ring king banker",
                   players=3, steals=[1])  # fmt: skip
    go(stolen, "thief 1")
    assert int(stolen.public.necklace) == 0
    assert int(stolen.private(2).missing[1]) == 0  # seat 2 saw it go


@pytest.mark.parametrize("rules", ALL_RULES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_q04_merchants_lie_in_their_thirds(rules: str, players: int) -> None:
    uniform = rules == "standard"
    cards = 100 - 4 * players - (5 if uniform else 0)
    seen: list[Counter[int]] = [Counter(), Counter(), Counter()]
    for deal in range(300):
        game = Table(GAME, players, rules, seed=2, deal=deal)
        above = [int(n) for n in game._state.hiddens[0]["above"][:3]]
        assert above == sorted(above)
        for place, count in zip(above, seen, strict=True):
            count[place] += 1
    first, second = cards // 3, 2 * cards // 3
    assert {*seen[2]} == set(range(cards - 5, cards + 1))
    if uniform:
        assert {*seen[0]} == set(range(first + 1))
        assert {*seen[1]} == set(range(first, second + 1))
    else:
        assert ({*seen[0]}, {*seen[1]}) == ({first}, {second})


def test_q05_the_row_is_completed_before_the_sale() -> None:
    game = one_card(table(cards="amber_1 amber_1 amber_1 amber_1 amber_1 ring king", first=0))
    assert game.decision == "show"
    assert len(market(game)) == 5
    assert market(game)[-1] == "ring"


def test_q05_a_cardinal_bought_in_this_turn_delays_the_sale() -> None:
    game = go(table(cards="cardinal ring king", first=0), "buy 0; cardinal play")
    assert (int(game.public.pending), game.decision, game.to_move) == (0, "purchase", 1)
    until(game, "show")
    assert (int(game.public.turn), int(game.public.pending)) == (3, -1)  # its own next turn


@pytest.mark.parametrize(("courtesans", "budget"), [(0, 10), (1, 13), (2, 16), (3, 19)])
def test_q06_what_is_left_over_is_lost(courtesans: int, budget: int) -> None:
    held = ["courtesan"] * courtesans + ["amber_1"] * (4 - courtesans)
    game = table(" ".join(held), cards="ring amber_1 amber_1 amber_1 amber_1 king")
    go(game, "; ".join(["courtesan"] * courtesans))
    assert int(game.public.budget) == budget
    go(game, "buy 0; purchase stop" if budget - 8 >= 4 else "buy 0")
    assert game.to_move == 1
    assert int(game.public.budget) == 10
    assert game.columns["ducats_lost"][0] == budget - 8


def test_q07_of_equal_numbers_the_more_fashionable_is_rarer() -> None:
    game = one_card(table("emerald_1 ruby_1 amber_1 amber_1", first=0))
    display(game, "emerald_1 1, ruby_1 1")
    # Diamond and amber none, emerald and ruby one each: +30, +20, then emerald +10, ruby +0.
    assert points(game) == [20 + 10 + 10 + 0, 0]


def test_q08_gems_are_counted_and_not_cards() -> None:
    other = "diamond_1 diamond_1 ruby_1 ruby_1"
    game = one_card(table("diamond_3 amber_1 amber_1 amber_1", other, first=0))
    display(game, "diamond_3 1", "diamond_1 2")
    assert points(game) == [30 + 0, 0]  # three against two; the most shown type


@pytest.mark.parametrize(("tie", "paid"), [("all_tied_score", [60, 60]), ("nobody", [0, 0])])
def test_q09_equal_majorities(tie: str, paid: list[int]) -> None:
    game = table("diamond_2 ruby_3 amber_1 amber_1", "diamond_2 ruby_3 amber_1 amber_1",
                 first=0, majority_tie=tie)  # fmt: skip
    display(one_card(game), "diamond_2 1", "diamond_2 1")
    # Diamond is the most shown type: 30 + 0; a tie pays both.
    assert points(game) == [amount // 2 for amount in paid]


@pytest.mark.parametrize(
    ("stack", "first", "paid"),
    [
        ("double_each", "true", 280),
        ("additive", "true", 210),
        ("double_each", "false", 250),
        ("additive", "false", 190),
    ],
)
def test_q10_bankers_and_rings(stack: str, first: str, paid: int) -> None:
    """Base 60, one Banker, two rings."""
    game = table("diamond_1 ring ring banker", "emerald_3 ruby_3 amber_1 amber_1",
                 cards="emerald_3 amber_1 amber_1 amber_1 amber_1", first=0, ring_stack=stack,
                 banker_before_ring=first)  # fmt: skip
    one_card(game)
    other = "emerald_3 1, ruby_3 1, amber_1 2"
    display(game, "diamond_1 1, ring diamond 2, banker diamond 1", other)
    assert game.columns["points_diamond"] == [paid, 0]


@pytest.mark.parametrize("bounty", [0, 50])
def test_q11_a_king_meets_the_necklace(bounty: int) -> None:
    game = table("diamond_1 king ruby_1 ruby_1", "diamond_2 queens_necklace ruby_1 amber_1",
                 first=0, necklace_bounty=bounty)  # fmt: skip
    display(one_card(game), "diamond_1 1, king diamond", "diamond_2 1, necklace diamond")
    assert game.columns["points_diamond"] == [0, 30]  # not cancelled
    assert game.columns["bounty_points"] == [0, bounty]
    loser = table("diamond_3 king ruby_1 ruby_1", "diamond_1 queens_necklace ruby_1 amber_1",
                  first=0, necklace_bounty=bounty)  # fmt: skip
    display(one_card(loser), "diamond_3 1, king diamond", "diamond_1 1, necklace diamond")
    assert loser.columns["points_diamond"] == [30, 0]
    assert loser.columns["bounty_points"] == [0, bounty]  # he need not sell the type


def test_q11_nothing_lies_on_a_type_that_is_not_shown() -> None:
    game = one_card(table("diamond_1 king queens_necklace ring", first=0))
    go(game, "show 0; show 0")  # diamond, amber
    assert game.to_move == 1  # no ring, King or Necklace is asked for


@pytest.mark.parametrize("rules", ALL_RULES)
def test_q12_a_merchant_is_never_in_a_hand(rules: str) -> None:
    for deal in range(50):
        game = Table(GAME, 3, rules, deal=deal)
        assert [sum(hand(game, seat).values()) for seat in range(3)] == [4, 4, 4]
        assert int(game.public.merchants) + int(game.public.due) == 3


def test_q13_an_empty_hand_is_no_target() -> None:
    game = one_card(table(cards="thief amber_1 amber_1 amber_1 amber_1", first=0))
    display(game, "", "diamond_1 1, emerald_1 1, ruby_1 1, amber_1 1")
    assert hand(game, 1) == {}
    assert game.to_move == 1
    one_card(game)  # seat 1 has one card again
    assert words(game) == {"influence stop", "thief 1"}
    again = one_card(table(cards="thief amber_1 amber_1 amber_1 amber_1", first=0, players=3))
    display(again, "", "diamond_1 1, emerald_1 1, ruby_1 1, amber_1 1")
    one_card(one_card(again))
    assert {*words(again)} == {"influence stop", "thief 1", "thief 2"}
    alone = one_card(table(cards="amber_1 thief amber_1 amber_1 amber_1", first=1))
    one_card(alone, 0)
    display(alone, "diamond_1 1, emerald_1 1, ruby_1 1, amber_1 2", "")
    assert alone.decision != "influence"  # seat 0 has bought nothing it could play


def test_q13_a_thief_without_a_target_cannot_be_played() -> None:
    hand_ = "thief amber_1 amber_1 amber_1"
    game = one_card(table("amber_1 amber_1 amber_1 amber_1", hand_, first=0))
    display(game, "amber_1 5")
    assert hand(game, 0) == {}
    assert (game.to_move, game.decision) == (1, "purchase")  # the Thief is not offered
    with pytest.raises(IllegalAction):
        game.play("thief 0")
