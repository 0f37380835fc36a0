"""Coverage of paired differences, of variance reductions, and of plans: statistics section 10.

Rows "f", "log VRF" and "planner". `pytest -m validate` plays the full numbers of replications;
without it a tenth or less.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from simlab.analysis.paired import PairSums, difference
from simlab.analysis.planning import Spread, block_spread, plan_difference
from simlab.analysis.reduction import BlockSums
from tests.analysis.test_coverage import NOISE, SEAT, split_wins

# --- row f: A and B, equally strong, in rotation blocks -------------------------------------------

SKILL = np.array([0.2, 0.2, 0, -0.3])
HAND, STYLE = 2, 0.5


def rotations(rng, units):
    """Return the wins of strategies 0 and 1 in blocks of four games, float64 [units] each."""
    hands = HAND * rng.standard_normal((units, 4)) + SEAT
    styles = STYLE * rng.standard_normal((units, 4)) + SKILL
    won = np.zeros((units, 4))
    for turn in range(4):
        luck = NOISE * rng.standard_normal((units, 4))
        latent = styles + np.roll(hands, -turn, axis=1) + luck
        won += split_wins(np.floor(latent / 0.25))
    return won[:, 0], won[:, 1]


def difference_coverage(units, replications):
    """Return the percentage of replications whose interval holds 0, and of those with p > 0.05."""
    rng = np.random.default_rng([7, units])
    seats = np.full(units, 4)
    covered = accepted = 0
    for _ in range(replications):
        of_a, of_b = rotations(rng, units)
        sums = PairSums()
        sums.add(seats, of_a, seats, of_b)
        found = difference(sums, limit=1.0)
        covered += found.low <= 0 <= found.high
        accepted += found.p > 0.05
    assert accepted == covered
    return 100 * covered / replications


@pytest.mark.validate
@pytest.mark.parametrize("units", [30, 200, 1000])
def test_paired_differences_at_full_numbers(units):
    measured = difference_coverage(units, 10_000)
    print(f"f {units}: {measured:.2f} % (band 93.5 to 96.5)")
    assert 93.5 <= measured <= 96.5


def test_paired_differences_in_short():
    assert 93 <= difference_coverage(100, 1000) <= 97


# --- row log VRF: blocks of four games, each won, tied or lost ------------------------------------

TRUE_FACTOR = 1.85
EVEN_VARIANCE = 0.7
"""Of a game won and lost with 0.35 each."""
BALANCED = EVEN_VARIANCE * (1 - 1 / TRUE_FACTOR) / (1 - 0.3 * (1 - 1 / TRUE_FACTOR))
"""Share of deals on which A wins two games and B two, in random order; else games are independent.

Of a game: variance 0.7 + 0.3 x. Of a pair of games: covariance -x / 3. So VRF = 1 / (1 + 3 corr) =
(0.7 + 0.3 x) / (0.7 - 0.7 x), and x is solved for.
"""


def win_tie_loss(rng, units):
    """Return the differences of A and B in the games of blocks, float64 [units, 4]."""
    balanced = rng.permuted(np.tile([1.0, 1.0, -1.0, -1.0], (units, 1)), axis=1)
    free = rng.choice([1.0, 0.0, -1.0], (units, 4), p=[0.35, 0.3, 0.35])
    return np.where(rng.random((units, 1)) < BALANCED, balanced, free)


def reduction_coverage(units, replications):
    """Return the percentage of intervals that hold the true factor."""
    rng = np.random.default_rng([8, units])
    deals, nothing = np.arange(units), np.zeros((units, 4))
    covered = 0
    for _ in range(replications):
        sums = BlockSums(4, together=True)
        sums.add(deals, win_tie_loss(rng, units), nothing)
        found = sums.reduction().factor
        covered += found.low <= TRUE_FACTOR <= found.high
    return 100 * covered / replications


def test_the_true_factor_is_that_of_the_model():
    games = win_tie_loss(np.random.default_rng(1), 400_000)
    measured = games.var(axis=0).mean() / 4 / games.mean(axis=1).var()
    assert measured == pytest.approx(TRUE_FACTOR, rel=0.01)


@pytest.mark.validate
@pytest.mark.parametrize("units", [100, 1000])
def test_variance_reductions_at_full_numbers(units):
    measured = reduction_coverage(units, 2000)
    print(f"log VRF {units}: {measured:.2f} % (band 93.5 to 97)")
    assert 93.5 <= measured <= 97


def test_variance_reductions_in_short():
    assert 92 <= reduction_coverage(100, 500) <= 98.5


# --- row planner ---------------------------------------------------------------------------------


def normal_blocks(rng, pilots, blocks):
    """Return block values as Browne [1995] takes them, float64 [pilots, blocks]."""
    return rng.standard_normal((pilots, blocks))


def rotation_blocks(rng, pilots, blocks):
    """Return the differences of A and B in the blocks of row f: more peaked than normal ones."""
    of_a, of_b = rotations(rng, pilots * blocks)
    return (of_a - of_b).reshape(pilots, blocks) / 4


def near_copies(rng, pilots, blocks):
    """Return block values of which one in 140 differs: the stopping table, fifth row."""
    return rng.choice([-1.0, 0.0, 1.0], (pilots, blocks), p=[0.006, 0.993, 0.001])


def from_values(values):
    return block_spread(values, limit=1.0)


def browne(values):
    return replace(from_values(values), kurtosis=3.0)


def plain(values):
    return replace(from_values(values), pilot=None)


SDS = {normal_blocks: 1.0, rotation_blocks: 0.24256, near_copies: math.sqrt(0.007 - 0.005**2)}


def plans_that_reach(model, pilot, replications, *spreads):
    """Return the percentages of pilots whose plan is long enough for the power it was made for.

    One for each way to take the spread of a pilot's blocks, all of the same pilots.
    """
    rng = np.random.default_rng([9, pilot])
    enough = plan_difference(Spread(SDS[model]), 0.01).units
    reached = np.zeros(len(spreads))
    for _ in range(0, replications, 1000):
        for values in model(rng, 1000, pilot):
            reached += [plan_difference(of(values), 0.01).units >= enough for of in spreads]
    return 100 * reached / replications


def test_the_true_deviations_are_those_of_the_models():
    rng = np.random.default_rng(2)
    for model, sd in SDS.items():
        assert model(rng, 300, 1000).std() == pytest.approx(sd, rel=0.02)


@pytest.mark.validate
@pytest.mark.parametrize("pilot", [30, 100, 1000])
def test_plans_at_full_numbers(pilot):
    """The published row: blocks of the theory."""
    careful, without = plans_that_reach(normal_blocks, pilot, 20_000, browne, plain)
    print(
        f"planner {pilot}: {careful:.1f} % with the factor (band 77 to 83), {without:.1f} % plain"
    )
    assert 77 <= careful <= 83
    assert without < 55


@pytest.mark.validate
@pytest.mark.parametrize("model", [rotation_blocks, near_copies])
@pytest.mark.parametrize("pilot", [30, 100, 1000])
def test_plans_of_real_blocks_at_full_numbers(model, pilot):
    """What the kurtosis is for."""
    careful, without = plans_that_reach(model, pilot, 10_000, from_values, browne)
    print(f"planner {model.__name__} {pilot}: {careful:.1f} %, without kurtosis {without:.1f} %")
    assert careful >= 76


def test_plans_in_short():
    careful, without = plans_that_reach(normal_blocks, 100, 2000, browne, plain)
    assert 76 <= careful <= 84
    assert without < 55
    assert plans_that_reach(rotation_blocks, 100, 2000, from_values) >= 76
    careful, without = plans_that_reach(near_copies, 1000, 1000, from_values, browne)
    assert careful >= 76
    assert without < 65
