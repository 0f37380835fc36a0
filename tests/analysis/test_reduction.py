"""What pairing bought: the published vector, the jackknife by hand, and every edge."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from simlab.analysis.reduction import BlockSums
from simlab.errors import UserError

SIX_DIGITS = {"abs": 5.1e-7, "rel": 0}
V5 = [(0.5, -1), (1, 0), (0, 0), (1, -1), (0.5, 0.5), (0, 1)]


def blocks_of(of_a, of_b=None, together=True, parts=1):
    """Return the BlockSums of outcomes [U, m], merged from `parts` of them."""
    of_a = np.array(of_a, dtype=float)
    of_b = np.zeros_like(of_a) if of_b is None else np.array(of_b, dtype=float)
    whole = BlockSums(of_a.shape[1], together)
    for part in np.array_split(np.arange(len(of_a)), parts):
        sums = BlockSums(of_a.shape[1], together)
        sums.add(part.astype(np.uint64), of_a[part], of_b[part])
        whole.merge(sums)
    return whole


def factor(of_a, of_b, together):
    """Return the variance reduction factor from the words of section 2."""
    games = of_a.shape[1]
    apart = (of_a - of_b).mean(axis=1)
    if together:
        single = (of_a - of_b).var(axis=0, ddof=1).mean()
    else:
        single = of_a.var(axis=0, ddof=1).mean() + of_b.var(axis=0, ddof=1).mean()
    return single / (games * apart.var(ddof=1))


def interval_by_hand(of_a, of_b, together, group):
    """Return factor, se of its logarithm, low and high, leaving out each group of deals in turn."""
    groups = np.unique(group)
    logs = np.array(
        [math.log(factor(of_a[group != g], of_b[group != g], together)) for g in groups]
    )
    count = len(groups)
    se = math.sqrt((count - 1) / count * ((logs - logs.mean()) ** 2).sum())
    half, whole = stats.t.ppf(0.975, count - 1) * se, factor(of_a, of_b, together)
    return whole, se, whole * math.exp(-half), whole * math.exp(half)


def drawn(units, games=4, seed=8):
    """Return outcomes of A and of B in blocks whose deals matter, [units, games] each."""
    rng = np.random.default_rng(seed)
    hand, style = rng.standard_normal((2, units, 1))
    turn = np.array([1, -1] * (games // 2))
    latent = hand * turn + rng.standard_normal((2, units, games)) + 0.3 * style
    return (latent > 0.2).astype(float)


def test_six_blocks_v5():
    found = blocks_of(V5).reduction()
    assert found.factor.estimate == pytest.approx(1.905660, **SIX_DIGITS)
    assert found.equivalent_games == pytest.approx(22.867925, **SIX_DIGITS)
    assert (found.factor.units, found.factor.games) == (6, 12)


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("units", [40, 2500])
def test_the_jackknife_by_hand(together, units):
    of_a, of_b = drawn(units)
    found = blocks_of(of_a, of_b, together).reduction().factor
    expected = interval_by_hand(of_a, of_b, together, np.arange(units) % 1024)
    assert (found.estimate, found.se, found.low, found.high) == pytest.approx(expected, rel=1e-8)
    assert found.df == min(units, 1024) - 1


def test_two_games_of_a_pair():
    """Section 2: in two-player games VRF = 1 / (1 + correlation of the two games)."""
    rng = np.random.default_rng(4)
    games = rng.standard_normal((50, 2)) @ [[1, 0.4], [-0.6, 1]]
    games /= games.std(axis=0)
    correlation = np.corrcoef(games.T)[0, 1]
    found = blocks_of(games).reduction().factor
    assert found.estimate == pytest.approx(1 / (1 + correlation), rel=1e-12)


def test_parts_do_not_matter():
    of_a, of_b = drawn(3000)
    one, many = (blocks_of(of_a, of_b, parts=parts).reduction().factor for parts in (1, 11))
    assert many.estimate == pytest.approx(one.estimate, rel=1e-12)
    assert (many.low, many.high) == pytest.approx((one.low, one.high), rel=1e-10)


def test_pairing_that_costs_games():
    games = np.random.default_rng(2).standard_normal((200, 1)).repeat(3, axis=1)
    found = blocks_of(games).reduction()
    assert found.factor.estimate == pytest.approx(1 / 3)
    assert found.equivalent_games == pytest.approx(200)
    assert (found.factor.low, found.factor.high) == pytest.approx((1 / 3, 1 / 3))


def test_the_same_difference_in_all_units():
    games = np.random.default_rng(2).random((9, 1)) * [[1, -1]] + [[0.1, 0.2]]
    found = blocks_of(games).reduction()
    assert found.factor.estimate == found.equivalent_games == math.inf
    assert (found.factor.low, found.factor.high) == (None, None)
    assert found.factor.note == "> 9: the difference is the same in all units"


def test_no_variation_at_all():
    found = blocks_of(np.full((9, 2), 1 / 3), np.full((9, 2), 0.1)).reduction()
    assert found.factor.estimate is found.equivalent_games is None
    assert found.factor.note == "no variation in 9 units"


def test_one_unit_holds_all_of_the_difference():
    games = np.random.default_rng(2).random((9, 1)) * [[1, -1]]
    games[4] += 0.5
    found = blocks_of(games).reduction().factor
    assert found.estimate == pytest.approx(factor(games, 0 * games, True), rel=1e-9)
    assert (found.low, found.se) == (None, None)
    assert found.note == "too few units differ for an interval"


def test_few_units():
    assert BlockSums(3, True).reduction().factor.note == "no unit"
    assert blocks_of([(1, 0)]).reduction().factor.note == "one unit"
    two = blocks_of([(1, 0), (0, 0)]).reduction().factor
    assert two.estimate == pytest.approx(1)
    assert two.low is None
    three = blocks_of([(1, 0), (0, 0), (1, 0.9)]).reduction().factor
    assert 0 <= three.low < three.estimate < three.high


def test_wrong_input():
    with pytest.raises(UserError, match="the level must lie between 0 and 1"):
        blocks_of(V5).reduction(level=1)
    with pytest.raises(ValueError, match="2 games a deal"):
        BlockSums(2, True).add(np.arange(3), np.zeros((3, 3)), np.zeros((3, 3)))
    with pytest.raises(ValueError, match="2 games a deal"):
        BlockSums(2, True).add(np.arange(3), np.zeros((3, 2)), np.zeros((3, 1)))
    with pytest.raises(ValueError, match="different kinds"):
        BlockSums(2, True).merge(BlockSums(2, False))
