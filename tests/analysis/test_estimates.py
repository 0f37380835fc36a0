"""Means with intervals: published vectors, a jackknife by hand, and every edge."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from simlab.analysis.estimates import mean, share
from simlab.analysis.sums import UnitSums
from simlab.errors import UserError

SIX_DIGITS = {"abs": 5.1e-7, "rel": 0}


def sums_of(appearances, outcomes):
    sums = UnitSums()
    sums.add(np.asarray(appearances, dtype=np.int64), np.asarray(outcomes, dtype=np.float64))
    return sums


def of_rows(rows_by_unit):
    """Return the sums of the outcomes of each unit's rows."""
    return sums_of([len(rows) for rows in rows_by_unit], [math.fsum(rows) for rows in rows_by_unit])


def interval(estimate):
    return estimate.low, estimate.high


V1 = [1, 0, 0, 1, 0, 0, 1, 0.5, 0, 0]
V2 = [[1], [0, 0.5], [0], [0.5, 0, 0.5], [1, 0], [0], [0.25] * 3, [0, 1]]


def test_one_seat_a_unit_v1():
    sums = of_rows([[y] for y in V1])
    scores, wins = mean(sums), share(sums)
    assert wins.estimate == scores.estimate == pytest.approx(0.35)
    assert wins.se == scores.se == pytest.approx(0.15, **SIX_DIGITS)
    assert scores.df == pytest.approx(9)
    assert interval(scores) == pytest.approx((0.010676, 0.689324), **SIX_DIGITS)
    assert interval(wins) == pytest.approx((0.119355, 0.681457), **SIX_DIGITS)
    assert 0.35 * 0.65 / wins.se**2 == pytest.approx(10.111111, **SIX_DIGITS)


def test_unequal_appearances_v2():
    sums = of_rows(V2)
    scores, wins = mean(sums), share(sums)
    assert scores.estimate == pytest.approx(0.35)
    assert scores.se == pytest.approx(0.068415, **SIX_DIGITS)
    assert scores.se != pytest.approx(0.070553, abs=1e-4), "this is CR1, not the jackknife"
    assert scores.df == pytest.approx(4.112676, **SIX_DIGITS)
    assert interval(scores) == pytest.approx((0.162085, 0.537915), **SIX_DIGITS)
    assert interval(wins) == pytest.approx((0.194161, 0.546148), **SIX_DIGITS)
    assert (wins.units, wins.games) == (8, 15)


def test_no_win_in_twenty_units_v3():
    wins = share(sums_of([1] * 20, [0] * 20))
    assert wins.estimate == 0
    assert wins.se == 0
    assert interval(wins) == pytest.approx((0, 0.168433), **SIX_DIGITS)
    exact = stats.binomtest(0, 20).proportion_ci(0.95, method="exact")
    assert wins.high == pytest.approx(exact.high, rel=1e-12)


def test_only_ties_v3():
    wins = share(sums_of([1] * 8, [0.25] * 8))
    assert interval(wins) == pytest.approx((0.157646, 0.527062), **SIX_DIGITS)
    assert wins.note == "no variation in 8 units"


def test_one_unit_v3():
    wins, scores = share(sums_of([3], [1.5])), mean(sums_of([3], [15]))
    assert (wins.estimate, wins.low, wins.high) == (0.5, 0, 1)
    assert (scores.estimate, scores.low, scores.high) == (5, None, None)
    assert wins.note == scores.note == "one unit"
    assert wins.se is wins.df is scores.se is scores.df is None
    assert (scores.units, scores.games) == (1, 3)


def test_a_midrank_is_averaged_like_a_score():
    midranks = stats.rankdata([[-5, -7, -7, -1], [-4, -2, -8, -8]], method="average", axis=1)
    assert midranks[0].tolist() == [3, 1.5, 1.5, 4]
    second_seat = mean(sums_of([1, 1], midranks[:, 1]))
    assert second_seat.estimate == 2.75
    assert second_seat.se == pytest.approx(1.25)
    assert second_seat.low == pytest.approx(2.75 - stats.t.ppf(0.975, 1) * 1.25)


def brute_force_variance(appearances, outcomes):
    """Return the variance of the ratio from really leaving out one unit after the other."""
    a, y = np.asarray(appearances, dtype=float), np.asarray(outcomes, dtype=float)
    without = np.array([np.delete(y, u).sum() / np.delete(a, u).sum() for u in range(len(a))])
    return (len(a) - 1) / len(a) * ((without - without.mean()) ** 2).sum()


scores_in_units = st.lists(
    st.tuples(st.integers(1, 5), st.integers(-200, 200)), min_size=2, max_size=25
)


@settings(deadline=None)
@given(scores_in_units)
def test_variance_equals_leaving_out_one_unit_after_the_other(units):
    a, y = zip(*units, strict=True)
    expected = brute_force_variance(a, y)
    assume(expected > 1e-9)
    found = mean(sums_of(a, y))
    assert found.estimate == pytest.approx(sum(y) / sum(a))
    assert found.se == pytest.approx(math.sqrt(expected), rel=1e-9)
    df = sum(x**2 for x in a) ** 2 / sum(x**4 for x in a) - 1
    assert found.df == pytest.approx(df, rel=1e-9)
    half = stats.t.ppf(0.975, df) * math.sqrt(expected)
    assert found.high - found.low == pytest.approx(2 * half, rel=1e-7)
    assert found.high + found.low == pytest.approx(2 * found.estimate, rel=1e-6, abs=1e-6 * half)


@settings(deadline=None)
@given(st.lists(st.integers(-50, 50), min_size=2, max_size=30), st.integers(1, 4))
def test_equal_appearances_give_the_ordinary_standard_error(scores, a):
    assume(len(set(scores)) > 1)
    found = mean(sums_of([a] * len(scores), [a * s for s in scores]))
    assert found.se == pytest.approx(stats.sem(scores), rel=1e-9)
    assert found.df == pytest.approx(len(scores) - 1)


wins_in_units = st.lists(
    st.integers(1, 4).flatmap(lambda a: st.tuples(st.just(a), st.integers(0, a))),
    min_size=2,
    max_size=30,
)


@settings(deadline=None)
@given(wins_in_units, st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_ends_of_a_share_solve_the_equation_of_wilson(units, level):
    a, y = zip(*units, strict=True)
    variance = brute_force_variance(a, y)
    assume(variance > 1e-9)
    found = share(sums_of(a, y), level)
    value = sum(y) / sum(a)
    df = sum(x**2 for x in a) ** 2 / sum(x**4 for x in a) - 1
    t = stats.t.ppf((1 + level) / 2, df)
    own_error = math.sqrt(found.low * (1 - found.low) * variance / (value * (1 - value)))
    assert value - found.low == pytest.approx(t * own_error, rel=1e-6)
    lost = share(sums_of(a, np.subtract(a, y)), level)
    assert found.high == pytest.approx(1 - lost.low, rel=1e-9)
    assert 0 < found.low < value < found.high <= 1


@settings(deadline=None)
@given(wins_in_units, st.integers(1, 5))
def test_streaming_gives_the_same_estimate(units, parts):
    a, y = (np.array(column) for column in zip(*units, strict=True))
    sums = UnitSums()
    for part in np.array_split(np.arange(len(a)), parts):
        sums.add(a[part], y[part].astype(float))
    streamed, at_once = share(sums), share(sums_of(a, y))
    for name in ("estimate", "low", "high", "se", "df"):
        assert getattr(streamed, name) == pytest.approx(getattr(at_once, name), rel=1e-12)
    assert streamed.note == at_once.note


def test_no_appearance_is_nothing_and_never_zero():
    for found in (share(UnitSums()), mean(UnitSums()), share(sums_of([0, 0], [0, 0]))):
        assert found.estimate is found.low is found.high is found.se is found.df is None
        assert (found.units, found.games, found.method) == (0, 0, None)
        assert found.note == "no appearance"


def test_a_unit_without_appearances_is_no_unit():
    found = share(sums_of([1, 0, 2, 0], [1, 0, 1, 0]))
    assert (found.units, found.games) == (2, 3)
    assert found.estimate == pytest.approx(2 / 3)


@pytest.mark.parametrize("outcome", [0.1, 1 / 3, 0.2, 1 / 7])
@pytest.mark.parametrize("units", [2, 3, 8, 1000, 300_000])
def test_rounding_is_no_variation(outcome, units):
    appearances = 1 + np.arange(units) % 3
    found = share(
        sums_of(appearances, np.array([0, outcome, 2 * outcome, 3 * outcome])[appearances])
    )
    assert found.se == 0
    assert found.note == f"no variation in {units} units"
    q = 1 - 0.025 ** (1 / units)
    assert found.low == pytest.approx(outcome * (1 - q), rel=1e-9)
    assert found.high == pytest.approx(outcome * (1 - q) + q, rel=1e-9)


def test_one_win_in_a_hundred_million_units_is_variation():
    rare = UnitSums()
    block = np.ones(2**20, dtype=np.int64)
    for _ in range(95):
        rare.add(block, np.zeros(2**20))
    rare.add(block[:1], np.ones(1))
    found = share(rare)
    assert found.note is None
    assert 0 < found.low < 1e-8 < found.high < 1e-7


def test_scores_without_variation_have_no_interval():
    found = mean(sums_of([1, 2, 1], [7, 14, 7]))
    assert (found.estimate, found.low, found.high, found.se) == (7, None, None, 0)
    assert found.note == "no variation in 3 units"


@pytest.mark.parametrize("won", [0, 1])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_all_or_nothing_is_clopper_pearson(won, level):
    found = share(sums_of([1] * 12, [won] * 12), level)
    exact = stats.binomtest(12 * won, 12).proportion_ci(level, method="exact")
    assert interval(found) == pytest.approx((exact.low, exact.high), rel=1e-9, abs=1e-12)


def test_a_unit_that_holds_nearly_all_appearances_says_so():
    sums = sums_of([100_000, 1, 1], [30_000, 1, 0])
    wins, scores = share(sums), mean(sums)
    assert wins.df < 1
    assert (wins.low, wins.high) == pytest.approx((0, 1), abs=1e-6)
    assert wins.note == scores.note == "one unit holds most appearances"
    assert scores.low is None or scores.low < -1e9


def test_a_higher_level_is_wider_and_the_record_keeps_it():
    sums = of_rows(V2)
    for estimator in (mean, share):
        narrow, wide = estimator(sums, 0.8), estimator(sums, 0.99)
        assert wide.low < narrow.low < narrow.high < wide.high
        assert (narrow.level, wide.level) == (0.8, 0.99)


def test_each_record_names_its_method():
    sums = of_rows(V2)
    assert "t" in mean(sums).method.split(",")
    assert "Wilson" in share(sums).method
    assert share(sums).correction is None


@pytest.mark.parametrize("level", [0, 1, 95, -0.1, math.nan])
def test_an_impossible_level_is_the_persons_slip(level):
    for estimator in (mean, share):
        with pytest.raises(UserError, match=r"such as 0\.95"):
            estimator(of_rows(V2), level)


def test_scores_are_no_shares():
    with pytest.raises(ValueError, match="must lie in"):
        share(sums_of([1, 1], [5, 7]))


def test_start_up_stays_light():
    code = (
        "import sys; import simlab.analysis.tables, numpy as np;"
        "assert not [m for m in sys.modules if m.startswith('scipy')];"
        "from simlab.analysis.estimates import UnitSums, share;"
        "s = UnitSums(); s.add(np.array([1, 1]), np.array([0.0, 1.0])); share(s);"
        "assert 'scipy.stats' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
