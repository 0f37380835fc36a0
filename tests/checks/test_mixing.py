"""The strategies that the checks play with, and a legal action at random."""

from __future__ import annotations

from collections import Counter

import numpy as np

from simlab.checks.cells import Case, Player, cells, draws
from simlab.checks.mixing import mixture, wanderer
from simlab.checks.walk import Walk
from simlab.core.records import RNG, make, plain_arithmetic
from simlab.core.registry import bind_for, find_game
from simlab.games.diamant import view

GAME = find_game("diamant")


def test_bars_are_drawn_over_all_bits() -> None:
    drawn = np.array(draws(GAME, 8, 8)).reshape(-1)
    assert (drawn >= 0).all()
    assert np.bitwise_or.reduce(drawn) == 2**63 - 1
    assert len({*drawn.tolist()}) > 60


def test_a_mixture_that_is_never_followed_is_a_random_game() -> None:
    cell = cells(GAME)[0]
    one, other = (
        Player(Case(cell, (mixture(GAME, bind_for(GAME, name), 0.0),) * cell.players))
        for name in ("random(leave=0.9)", "never_leave")
    )
    assert np.array_equal(one.play(0, 300).results, other.play(0, 300).results)


def test_a_mixture_that_is_always_followed_is_the_strategy() -> None:
    cell = cells(GAME)[0]
    base = bind_for(GAME, "threshold(gems=9)")
    one = Player(Case(cell, (mixture(GAME, base, 1.0),) * cell.players))
    other = Player(Case(cell, (base,) * cell.players))
    assert np.array_equal(one.play(0, 300).results, other.play(0, 300).results)


def test_tastes_lead_deeper_than_even_chances() -> None:
    cell = cells(GAME)[0]

    def cards(taste: int) -> float:
        line_up = tuple(wanderer(GAME, taste) for _ in range(cell.players))
        return float(Player(Case(cell, line_up)).play(0, 300).results["cards"].mean())

    assert max(cards(taste) for taste in range(1, 12)) > 2 * cards(0)


def test_cells_are_all_rule_sets_small_middle_and_large() -> None:
    found = cells(GAME)
    assert {(c.book.rule_set, c.players) for c in found if not c.changes} == {
        (name, players)
        for name in GAME.rule_sets
        for players in ((2, 5, 8) if name == "tag" else (3, 5, 8))
    }
    assert {"explorers": 2} in [c.changes for c in found]


def test_pick_legal_is_uniform_and_honours_bars() -> None:
    walk = Walk(cells(GAME)[0], 0, 0)
    rng = make(RNG)[0]
    with plain_arithmetic():
        me = walk.seats[0]
        counts = Counter(int(view.pick_legal(walk.table, me, None, rng)) for _ in range(2000))
        assert set(counts) == {0, 1}
        assert abs(counts[0] - 1000) < 120
        for bars, left in ((1, {1}), (2, {0}), (3, {0, 1})):
            me.barred[0] = bars
            assert {int(view.pick_legal(walk.table, me, None, rng)) for _ in range(50)} == left
