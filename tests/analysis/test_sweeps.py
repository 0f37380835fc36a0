"""Sweeps: published vectors, edges, and the coverages of section 10."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from simlab.analysis import sweeps
from simlab.analysis.buckets import bucket_totals
from simlab.analysis.jackknife import joint_means, strategy_mean
from simlab.analysis.sweeps import compare, on_common_deals, sweep
from simlab.errors import UserError
from tests.analysis.test_buckets import with_ranks
from tests.analysis.test_tables import game, games_frame

SIX_DIGITS = {"abs": 5.1e-7, "rel": 0}


def exact_point(correlation, level=0.95):
    """Return the equicoordinate one-sided point of several normals with these correlations."""
    normal = stats.multivariate_normal(cov=correlation, abseps=1e-10, releps=1e-10)
    count = len(correlation)
    return optimize.brentq(lambda c: normal.cdf(np.full(count, c)) - level, 1, 4, xtol=1e-10)


def of_leads(covariance, g):
    """Return the correlations of all leads over point g."""
    others = np.arange(len(covariance)) != g
    contrast = np.eye(len(covariance))[others] - np.eye(len(covariance))[g]
    leads = contrast @ covariance @ contrast.T
    scale = np.sqrt(leads.diagonal())
    return leads / np.outer(scale, scale), scale


# --- vectors -------------------------------------------------------------------------------------


def test_equicoordinate_point_v12():
    exact = exact_point([[1, 0.5], [0.5, 1]])
    assert exact == pytest.approx(1.916332, **SIX_DIGITS)
    assert compare(np.zeros(3), np.eye(3), None).points == pytest.approx([exact] * 3, abs=0.02)


V20_THETA = np.array([0.30, 0.28, 0.20])
V20_COVARIANCE = 1e-4 * np.array([[4.0, 2, 1], [2, 4, 1], [1, 1, 9]])


def test_best_region_v20():
    found = compare(V20_THETA, V20_COVARIANCE, None)
    assert found.behind == pytest.approx([-1, 1, 3.015113], **SIX_DIGITS)
    assert found.kept.tolist() == [True, True, False]
    assert found.points == pytest.approx([1.938342, 1.938342, 1.838902], abs=0.02)
    assert found.could_lose == pytest.approx([0.018767, 0.058767, 0.160989], abs=5e-4)


def test_what_v20_is_with_exact_quantiles():
    for g, (c, lost) in enumerate(
        [(1.938342, 0.018767), (1.938342, 0.058767), (1.838902, 0.160989)]
    ):
        correlation, scale = of_leads(V20_COVARIANCE, g)
        exact = exact_point(correlation)
        assert exact == pytest.approx(c, **SIX_DIGITS)
        lead = np.delete(V20_THETA, g) - V20_THETA[g]
        assert max(0, (lead + exact * scale).max()) == pytest.approx(lost, **SIX_DIGITS)


def test_the_band_of_two_is_that_of_their_joint_normal():
    covariance = np.array([[1, 0.6], [0.6, 4.0]])
    exact = exact_two_sided(0.6 / 2)
    assert compare(np.zeros(2), covariance, None).band == pytest.approx(exact, abs=0.02)


def exact_two_sided(correlation):
    normal = stats.multivariate_normal(cov=[[1, correlation], [correlation, 1]])

    def inside(c):
        return normal.cdf([c, c]) - 2 * normal.cdf([c, -c]) + normal.cdf([-c, -c])

    return optimize.brentq(lambda c: inside(c) - 0.95, 1, 4)


def test_one_pair_of_points_has_the_t_quantile():
    found = compare(np.array([0.0, 1.0]), np.array([[1, 0.5], [0.5, 1]]), 7.0)
    assert found.points == pytest.approx([stats.t.ppf(0.95, 7)] * 2, abs=0.03)
    assert found.could_lose_any == pytest.approx(
        np.maximum(0, np.array([1, -1]) + stats.t.ppf(0.975, 7)), abs=0.03
    )


def test_the_best_is_judged_one_sidedly():
    """A lead of 1.8 standard errors is more than 1.645; the band is wider, at 2.236."""
    found = compare(np.array([0.0, -1.8]), np.eye(2) / 2, None)
    assert found.band == pytest.approx(stats.norm.ppf((1 + np.sqrt(0.95)) / 2), abs=0.02)
    assert found.behind.tolist() == pytest.approx([-1.8, 1.8])
    assert found.kept.tolist() == [True, False]


def test_a_low_level_has_a_negative_point():
    found = compare(np.zeros(2), np.eye(2), None, level=0.3)
    assert found.points == pytest.approx([stats.norm.ppf(0.3)] * 2, abs=0.02)


# --- properties ----------------------------------------------------------------------------------


def curve(rng, units, theta, correlation=0.8):
    """Return outcomes [units, points] of one appearance each, correlated as on common deals."""
    common = np.sqrt(correlation) * rng.standard_normal((units, 1))
    return theta + common + np.sqrt(1 - correlation) * rng.standard_normal((units, len(theta)))


def ones(outcomes):
    return np.ones(outcomes.shape, np.int64)


PEAK = -0.004 * (np.arange(19) - 11.0) ** 2


def test_a_sweep_with_a_peak():
    outcomes = curve(np.random.default_rng(4), 300, PEAK)
    labels = list(range(4, 42, 2))
    found = sweep(labels, ones(outcomes), outcomes)
    assert [point.label for point in found.points] == labels
    assert [point.estimate.estimate for point in found.points] == pytest.approx(
        outcomes.mean(axis=0)
    )
    assert found.points[found.best].kept
    assert found.points[11].kept
    assert not found.points[0].kept
    low, high = found.region
    assert low <= labels[found.best] <= high
    assert low > labels[0]
    for point, column in zip(found.points, outcomes.T, strict=True):
        estimate = point.estimate
        assert estimate.se == pytest.approx(stats.sem(column))
        assert (estimate.units, estimate.games, estimate.df) == (300, 300, pytest.approx(299))
        alone = stats.t.ppf(0.975, 299) * estimate.se
        assert alone < estimate.high - estimate.estimate < 2 * alone
        assert estimate.correction == "simultaneous over 19 points"
        assert 0 <= point.could_lose <= point.could_lose_any
    assert "fresh deals" in found.note


def test_smaller_may_be_better():
    outcomes = curve(np.random.default_rng(4), 100, PEAK)
    up, down = (
        sweep(range(19), ones(outcomes), sign * outcomes, larger=sign > 0) for sign in (1, -1)
    )
    assert up.best == down.best
    assert [p.kept for p in up.points] == [p.kept for p in down.points]
    assert [p.could_lose for p in up.points] == [p.could_lose for p in down.points]


def test_the_same_seed_gives_the_same_numbers():
    outcomes = curve(np.random.default_rng(4), 60, PEAK)
    first, again = (sweep(range(19), ones(outcomes), outcomes) for _ in range(2))
    other = sweep(range(19), ones(outcomes), outcomes, seed=2)
    assert first == again
    assert first.points[3].could_lose != other.points[3].could_lose
    assert first.points[3].could_lose == pytest.approx(other.points[3].could_lose, rel=0.02)


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 6), st.integers(0, 2**32), st.sampled_from([0.8, 0.95]))
def test_a_shift_of_all_points_changes_nothing_but_the_means(points, seed, level):
    rng = np.random.default_rng(seed)
    outcomes = curve(rng, 12, rng.normal(size=points))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweeps, "DRAWS", 10_000)
        found = sweep(range(points), ones(outcomes), outcomes, level=level)
        moved = sweep(range(points), ones(outcomes), outcomes + 3, level=level)
    for one, other in zip(found.points, moved.points, strict=True):
        assert one.kept == other.kept
        assert one.could_lose == pytest.approx(other.could_lose, abs=1e-9)
        assert one.estimate.low == pytest.approx(other.estimate.low - 3)
    assert found.points[found.best].kept


def test_unequal_appearances_are_ratios():
    rng = np.random.default_rng(2)
    appearances = rng.integers(1, 5, (40, 3))
    outcomes = rng.binomial(appearances, [0.2, 0.3, 0.7]).astype(float)
    found = sweep("abc", appearances, outcomes, is_share=True)
    joint = joint_means(appearances, outcomes)
    for point, value, variance in zip(
        found.points, joint.value, joint.covariance.diagonal(), strict=True
    ):
        assert point.estimate.estimate == pytest.approx(value)
        assert point.estimate.se == pytest.approx(np.sqrt(variance))
        assert 0 <= point.estimate.low < point.estimate.high <= 1
    assert found.region == ("c", "c")


def test_points_from_runs_on_common_deals():
    runs = []
    for skill in range(3):
        games = [game(i, ["bold", "calm"], [(i * 7 + 3 * skill) % 9, 4]) for i in range(30)]
        runs.append((bucket_totals([with_ranks(games_frame(games))], pairs=False), 1))
    appearances, outcomes = on_common_deals(runs, "score")
    assert appearances.tolist() == [[1, 1, 1]] * 30
    assert outcomes[:4].tolist() == [[0, 3, 6], [7, 1, 4], [5, 8, 2], [3, 6, 0]]
    found = sweep([0, 1, 2], *on_common_deals(runs), is_share=True)
    for (totals, at), point in zip(runs, found.points, strict=True):
        expected = strategy_mean(totals, at)
        assert point.estimate.estimate == pytest.approx(expected.estimate)
        assert point.estimate.se == pytest.approx(expected.se)
    with pytest.raises(UserError, match="did you mean score"):
        on_common_deals(runs, "scores")


# --- edges ---------------------------------------------------------------------------------------


def test_identical_play_is_tied():
    rng = np.random.default_rng(3)
    base = rng.normal(size=(50, 1))
    outcomes = np.concatenate([base, base, base - 5 + 0.1 * rng.normal(size=(50, 1))], axis=1)
    found = sweep(["x", "y", "z"], ones(outcomes), outcomes)
    assert [point.kept for point in found.points] == [True, True, False]
    assert found.points[0].could_lose == found.points[1].could_lose == 0
    alike = sweep(["x", "y"], ones(outcomes[:, :2]), outcomes[:, :2])
    assert [point.kept for point in alike.points] == [True, True]
    assert alike.points[0].could_lose_any == 0


def test_points_that_do_not_vary_have_the_interval_of_a_constant():
    outcomes = np.zeros((20, 3))
    outcomes[::2, 1] = 1
    found = sweep([0, 1, 2], ones(outcomes), outcomes, is_share=True)
    low = found.points[0].estimate
    assert (low.estimate, low.low, low.se) == (0, 0, 0)
    assert low.high == pytest.approx(1 - (0.05 / 3 / 2) ** (1 / 20))
    assert low.level == 0.95
    assert [point.kept for point in found.points] == [False, True, False]
    assert found.points[0].could_lose > 0.5
    nothing = sweep([0, 1], ones(outcomes[:, :2]), np.tile([3.0, 4.0], (20, 1)))
    assert [point.kept for point in nothing.points] == [False, True]
    assert nothing.points[0].could_lose == pytest.approx(1)
    assert nothing.points[0].estimate.low is None
    assert nothing.points[0].estimate.note == "no variation in 20 units"


def test_rounding_is_no_variation_and_no_difference():
    rng = np.random.default_rng(3)
    appearances = np.tile(rng.integers(1, 600, (40, 1)), (1, 3))
    added = np.cumsum(np.full((600, 3), [1 / 3, 1 / 3, 1 / 7]), axis=0)
    outcomes = np.take_along_axis(added, appearances - 1, axis=0)
    found = sweep("abc", appearances, outcomes, is_share=True)
    assert [point.estimate.se for point in found.points] == [0, 0, 0]
    assert [point.kept for point in found.points] == [True, True, False]
    base = 1e6 * rng.normal(size=(40, 1)) + 1e-9 * rng.normal(size=(40, 2))
    alike = sweep("ab", ones(base), base)
    assert [point.kept for point in alike.points] == [True, True]
    assert alike.points[0].could_lose_any == pytest.approx(0, abs=1e-8)


def test_many_points_take_fewer_draws(monkeypatch):
    monkeypatch.setattr(sweeps, "MOST_TERMS", 20_000 * 9)
    few = compare(np.zeros(3), np.eye(3), None)
    assert few.points == pytest.approx([1.916332] * 3, abs=0.06)


def test_slips_get_one_sentence():
    outcomes = np.zeros((5, 2))
    with pytest.raises(UserError, match="needs at least 2 points, but has 1"):
        sweep([4], ones(outcomes[:, :1]), outcomes[:, :1])
    with pytest.raises(UserError, match=r"such as 0\.95"):
        sweep([4, 5], ones(outcomes), outcomes, level=95)
    appearances = ones(outcomes)
    appearances[1:, 1] = 0
    with pytest.raises(UserError, match="point 5 of the sweep needs games of at least 2 deals"):
        sweep([4, 5], appearances, outcomes)
    with pytest.raises(ValueError, match="3 labels for 2 points"):
        sweep([4, 5, 6], ones(outcomes), outcomes)


def test_start_up_stays_light():
    code = (
        "import sys; from simlab.analysis import ranking, rating, sweeps;"
        "assert not [m for m in sys.modules if m.startswith(('scipy', 'statsmodels', 'choix'))]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# --- coverage (section 10) -----------------------------------------------------------------------


def coverage(theta, units, replications, seed=2024):
    """Return the percentages of sets that keep the best, and of bands that hold all points."""
    rng = np.random.default_rng([seed, units])
    best, kept, held = int(theta.argmax()), 0, 0
    for number in range(replications):
        outcomes = curve(rng, units, theta)
        joint = joint_means(ones(outcomes), outcomes)
        found = compare(joint.value, joint.covariance, joint.df, seed=number)
        kept += bool(found.kept[best])
        held += bool((np.abs(joint.value - theta) <= found.band * found.se).all())
    return 100 * kept / replications, 100 * held / replications


CASES = {"U=200": (PEAK, 200), "U=50": (PEAK, 50), "flat": (np.zeros(19), 200)}


@pytest.mark.validate
@pytest.mark.parametrize("case", CASES)
def test_sets_and_bands_at_full_numbers(case):
    kept, held = coverage(*CASES[case], 500)
    print(f"sweep {case}: set keeps the best {kept:.1f} %, band holds {held:.1f} %")
    assert kept >= 93.5
    assert 92.5 <= held <= 98.5


def test_sets_and_bands_in_short(monkeypatch):
    monkeypatch.setattr(sweeps, "DRAWS", 10_000)
    kept, held = coverage(np.zeros(19), 50, 120)
    assert 88 <= kept <= 99.5
    assert 86 <= held <= 99.5
