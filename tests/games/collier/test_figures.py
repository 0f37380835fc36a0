"""The figures of section 10 of RULES.md: exact ones exactly, simulated ones within 4 errors."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import polars as pl
import pytest

from simlab import Table
from simlab.core.game import rule_book
from simlab.games.collier import GAME
from simlab.games.collier.actions import playable
from simlab.running.rows import rows_frame
from simlab.running.spec import make_spec
from simlab.running.worker import Worker
from tests.games.collier.board import rows

# By baseline, placement and players: mean turns of the sales, mean points paid in them.
SIMULATED = {
    ("dearest_single", "exact_third", 2): ((13.83, 29.25, 43.44), (131.0, 96.6, 90.6)),
    ("dearest_single", "exact_third", 3): ((13.26, 27.95, 41.38), (147.9, 99.3, 92.2)),
    ("dearest_single", "exact_third", 4): ((12.73, 26.87, 39.37), (159.3, 99.3, 90.6)),
    ("dearest_single", "uniform_third", 2): ((8.76, 23.14, 43.44), (120.1, 88.2, 102.9)),
    ("dearest_single", "uniform_third", 3): ((8.24, 21.89, 41.38), (140.6, 91.2, 107.8)),
    ("dearest_single", "uniform_third", 4): ((7.97, 20.86, 39.37), (155.3, 90.1, 109.4)),
    ("cheapest_many", "exact_third", 2): ((13.02, 27.78, 41.34), (134.0, 134.2, 133.9)),
    ("cheapest_many", "exact_third", 3): ((12.53, 26.30, 39.37), (144.7, 145.7, 145.3)),
    ("cheapest_many", "exact_third", 4): ((12.03, 25.30, 37.39), (152.7, 154.1, 153.1)),
    ("cheapest_many", "uniform_third", 2): ((8.03, 21.83, 41.35), (126.5, 125.8, 133.1)),
    ("cheapest_many", "uniform_third", 3): ((7.54, 20.60, 39.37), (140.7, 135.2, 144.2)),
    ("cheapest_many", "uniform_third", 4): ((7.28, 19.61, 37.39), (151.2, 142.0, 153.3)),
}
STATED_GAMES = 1_000_000  # that the figures come from
GAMES = 100_000
SALES = (1, 2, 3)


def played(players: int, strategy: str, games: int, rules: str = "standard", **set_: Any) -> Any:
    """Return the rows of games with one strategy in all seats, rules changed as said."""
    spec = make_spec("collier", players, [strategy], rules, set_)
    return rows_frame(spec, 0, Worker(spec, events=False).play(0, games).results)


def check_means(strategy: str, placement: str, players: int, games: int) -> None:
    frame = played(players, strategy, games, merchant_placement=placement)
    turns = [pl.col(f"sale_{sale}").first() for sale in SALES]
    paid = [pl.col(f"points_sale_{sale}").sum() for sale in SALES]
    by_game = frame.group_by("game").agg(turns + paid)
    stated = np.concatenate(SIMULATED[strategy, placement, players])
    found = by_game.select(pl.exclude("game"))
    for name, right in zip(found.columns, stated, strict=True):
        sample = found[name].to_numpy().astype(float)
        error = sample.std() * (1 / games + 1 / STATED_GAMES) ** 0.5
        rounding = 0.005 if name.startswith("sale") else 0.05
        assert abs(sample.mean() - right) <= 4 * error + rounding, (name, sample.mean(), right)


@pytest.mark.parametrize("cell", list(SIMULATED), ids=lambda cell: "-".join(map(str, cell)))
def test_a_tenth_of_the_games_has_the_simulated_means(cell: tuple[str, str, int]) -> None:
    check_means(*cell, games=GAMES // 10)


@pytest.mark.validate
@pytest.mark.parametrize("cell", list(SIMULATED), ids=lambda cell: "-".join(map(str, cell)))
def test_the_simulated_means(cell: tuple[str, str, int]) -> None:
    check_means(*cell, games=GAMES)


# -- exact


def test_gems_of_the_deck() -> None:
    cards = playable(rows())
    gems = sum(int(row["copies"]) * int(row["gem_count"] or 0) for row in cards)
    assert gems == 89
    assert Fraction(gems * 4, 98) == Fraction(356, 98)
    assert round(gems * 4 / 98, 3) == 3.633
    assert round(1 - comb(98 - 59, 4) / comb(98, 4), 4) == 0.9772


@pytest.mark.parametrize(
    ("players", "no_astrologer", "necklace"),
    [(2, 0.8457, 0.0816), (3, 0.7733, 0.1224), (4, 0.7042, 0.1633)],
)
def test_first_hands(players: int, no_astrologer: float, necklace: float) -> None:
    dealt = 4 * players
    assert round(comb(98, dealt) / comb(100, dealt), 4) == no_astrologer
    assert round(dealt / 98, 4) == necklace
    games = 4000
    spec = make_spec("collier", players, ["random"])
    worker = Worker(spec, events=False)
    assert worker is not None
    without, worn, gems, with_gem = 0, 0, 0, 0
    for deal in range(games // 10):
        table = Table(GAME, players, seed=9, deal=deal)
        cards = table.log.decks["hands"][0]
        without += "astrologer" not in cards[:dealt]
        worn += int(table.public.necklace) >= 0
        hand = table.private(0).hand
        own = sum(int(n) * int(g) for n, g in zip(hand, table.book.record[0].gems, strict=True))
        gems, with_gem = gems + own, with_gem + (own > 0)
    for found, right in ((without, no_astrologer), (worn, necklace), (with_gem, 0.9772)):
        share, error = found / (games // 10), (right * (1 - right) / (games // 10)) ** 0.5
        assert abs(share - right) <= 4 * error
    assert abs(gems / (games // 10) - 3.633) <= 4 * 2.2 / (games // 10) ** 0.5


@pytest.mark.parametrize(
    ("players", "turns", "early"),
    [
        (2, [24, 48, 68, 72], Fraction(1, 2)),
        (3, [20, 44, 64, 68], Fraction(1, 3)),
        (4, [20, 44, 60, 64], Fraction(1, 6)),
    ],
)
def test_sales_when_nobody_buys(players: int, turns: list[int], early: Fraction) -> None:
    """min_purchase=0: the market is renewed every four turns; the third sale has two turns."""
    seen: Counter[int] = Counter()
    for number in range(6):
        stack = {"merchant_3": [str(number)]}
        bars = {seat: ["kind=purchase", "kind=cardinal"] for seat in range(players)}
        table = Table(
            GAME, players, "official", {"min_purchase": 0}, seed=4, deal=number, stack=stack,
            bars=bars,
        )  # fmt: skip
        while not table.finished:
            table.play(table.legal()[0].word)
        sales = [table.columns[f"sale_{sale}"][0] for sale in SALES]
        assert sales[:2] == turns[:2]
        seen[sales[2]] += 1
    assert {*seen} == {*turns[2:]}
    assert Fraction(seen[turns[2]], 6) == early


def test_base_values_add_up() -> None:
    """Fashion and rarity are 60 each: without grey cards and ties 120 points for four types."""
    frame = played(3, "cheapest_many", 4000, majority_tie="nobody")
    by_game = frame.group_by("game").agg(pl.col("points_sale_1").sum())
    assert int(by_game["points_sale_1"].max() or 0) == 120
    book = rule_book(GAME)
    assert int(book.record[0].cards) == 100


def test_scores_add_up_by_sale_and_by_type() -> None:
    for rules in GAME.rule_sets:
        frame = played(4, "random", 3000, rules)
        by_sale = pl.sum_horizontal(f"points_sale_{sale}" for sale in SALES)
        types = ("diamond", "emerald", "ruby", "amber", "bounty")
        names = [f"points_{gem}" for gem in types[:4]] + ["bounty_points"]
        wrong = frame.filter(
            (by_sale != pl.col("score")) | (pl.sum_horizontal(names) != pl.col("score"))
        )
        assert wrong.is_empty()
        assert frame.filter(pl.col("sale_3") != pl.col("turns")).is_empty()
