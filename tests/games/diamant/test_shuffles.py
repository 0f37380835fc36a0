"""Case d07: the shuffles of a game are independent of each other (RULES.md section 4).

A box of treasures alone is turned up to its last card in every expedition, so that whole orders can
be read off the game itself.
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from simlab import Table
from simlab.core.game import rule_book
from simlab.games.diamant import GAME
from tests.tracer import Tracer

CARDS, DEALS, EXPEDITIONS = 20, 300, 5
Orders = NDArray[np.int64]


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("box") / "cards.csv"
    rows = [f"t{card},treasure,,1,1" for card in range(CARDS)]
    path.write_text("\n".join(["id,category,subtype,value,copies", *rows]), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def orders(box: Path) -> Orders:
    """Return card numbers by deal, expedition and place."""
    tracer = Tracer(GAME, rule_book(GAME, "standard", {"cards": box}), 3)
    games = [tracer.play(deal, ["never_leave"] * 3).decks["expedition"] for deal in range(DEALS)]
    return np.array([[[int(card[1:]) for card in deck] for deck in decks] for decks in games])


def correlation(one: Orders, other: Orders) -> float:
    """Return the correlation of the places that cards have in two lists of orders."""
    return float(np.corrcoef(np.argsort(one).ravel(), np.argsort(other).ravel())[0, 1])


def test_every_shuffle_is_an_order_of_all_cards(orders: Orders) -> None:
    assert orders.shape == (DEALS, EXPEDITIONS, CARDS)
    assert (np.sort(orders) == np.arange(CARDS)).all()


def test_no_two_expeditions_of_a_deal_and_no_two_deals_have_the_same_order(orders: Orders) -> None:
    flat = orders.reshape(-1, CARDS)
    assert len(np.unique(flat, axis=0)) == DEALS * EXPEDITIONS


@pytest.mark.parametrize(("first", "second"), list(combinations(range(EXPEDITIONS), 2)))
def test_expeditions_of_a_deal_are_uncorrelated(orders: Orders, first: int, second: int) -> None:
    bound = 4.5 / np.sqrt(DEALS * (CARDS - 1))
    assert abs(correlation(orders[:, first], orders[:, second])) < bound


@pytest.mark.parametrize("shift", [-1, 0, 1])
def test_neighbouring_deals_are_uncorrelated(orders: Orders, shift: int) -> None:
    here, there = orders[:-1, 1:-1], orders[1:, 1 + shift : EXPEDITIONS - 1 + shift]
    bound = 4.5 / np.sqrt(here.size)
    assert abs(correlation(here, there)) < bound


def test_expeditions_begin_alike_as_often_as_chance_has_it(orders: Orders) -> None:
    pairs = list(combinations(range(EXPEDITIONS), 2))
    for place in (0, CARDS - 1):
        alike = sum((orders[:, a, place] == orders[:, b, place]).sum() for a, b in pairs)
        expected = DEALS * len(pairs) / CARDS
        assert abs(alike - expected) < 4.5 * np.sqrt(expected)


def test_every_card_comes_first_equally_often(orders: Orders) -> None:
    counts = np.bincount(orders[:, :, 0].ravel(), minlength=CARDS)
    expected = DEALS * EXPEDITIONS / CARDS
    chi_square = ((counts - expected) ** 2 / expected).sum()
    assert chi_square < 45  # 19 degrees of freedom: exceeded once in 1,500 sets of streams


@pytest.mark.parametrize("deal", range(8))
def test_what_left_the_game_does_not_move_the_others(deal: int) -> None:
    """Deals stay common between line-ups: the cards that remain keep their order (section 4)."""
    treasures = []
    for removal in ("none", "all_revealed"):
        rules = {"trap_removal": removal, "relic_unclaimed": "removed", "expeditions": 2}
        table = Table(GAME, 3, "standard", rules, deal=deal).stack("expedition", ["trap_ram"])
        table.play_out(["fixed_depth(cards=1)"] * 2 + ["never_leave"])
        second = table.log.decks["expedition"][1]
        treasures.append([card for card in second if card.startswith("treasure")])
    known = min(map(len, treasures))
    assert treasures[0][:known] == treasures[1][:known]
