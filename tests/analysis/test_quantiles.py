"""Quantiles against a slow twin, scipy and the test vector; how often their intervals are right."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import simlab
from simlab.analysis import quantiles
from simlab.analysis.groups import Groups
from simlab.analysis.quantiles import (
    ScoreCounts,
    quantile,
    quantile_columns,
    quantile_frame,
    score_counts,
)
from simlab.errors import UserError
from tests.analysis import by_hand
from tests.analysis.test_tables import NAMES, data_sets, game, games_frame, split

V13 = [3, 5, 5, 6, 7, 7, 8, 9, 9, 10, 12, 15]


def counts_of(scores):
    """Return the counts of one group from the scores of each unit, integers [U, seats]."""
    units, seats = scores.shape
    counts = ScoreCounts(Groups("strategy"))
    counts.groups.codes(pl.Series(["hero"]))
    deal = np.arange(units)
    each = deal.repeat(seats), deal * seats, scores.ravel(), np.ones(units * seats, np.bool_)
    counts.add(np.zeros(units * seats, np.int64), *each)
    return counts


def quantile_of(scores, p=0.5, **how):
    scores = np.asarray(scores)
    return quantile(counts_of(scores.reshape(len(scores), -1)), 0, p, **how)


# --- equal to what they should be ----------------------------------------------------------------


def test_the_median_v13():
    found = quantile_of(V13)
    assert (found.estimate, found.reached, found.low, found.high) == (7, 0.5, 5, 10)
    assert found.se == pytest.approx(0.150756, abs=5e-7)
    assert (found.df, found.units, found.games, found.p) == (11, 12, 12, 0.5)
    assert found.method == "Woodruff, jackknife over units"
    assert found.note is None


def twin(units, p, level=0.95):
    """Return estimate, low and high from the scores of each unit, from the words of section 1."""
    every = np.sort(np.concatenate(units))
    estimate = np.quantile(every, p, method="inverted_cdf")
    seats = [len(unit) for unit in units]
    off = None
    for inside in (np.less_equal, np.less):
        mean, _, high = by_hand.interval(seats, [inside(u, estimate).sum() for u in units], False)
        off = off if high is None else max(high - mean, off or 0.0)
    if len(units) > 1 and off is None and every[0] < every[-1]:
        off = 1 - ((1 - level) / 2) ** (1 / len(units))
    if off is None:
        return estimate, None, None
    ends = np.clip([p - off, p + off], 1e-9, 1)
    return estimate, *np.quantile(every, ends, method="inverted_cdf")


@settings(max_examples=30, deadline=None)
@given(data_sets(), st.sampled_from([0.05, 0.3, 0.51, 0.77, 0.94]), st.sampled_from("sn"))
def test_quantiles_equal_their_slow_twin(data, p, rule):
    frame, cuts = data
    truncated = {"s": "score", "n": "none"}[rule]
    counts = score_counts(split(frame, cuts), truncated=truncated)
    left = frame if rule == "s" else frame.filter(pl.col("end_reason") != "truncated")
    for code, name in enumerate(NAMES):
        mine = left.filter(pl.col("strategy") == name)
        units = [part["score"].to_numpy() for part in mine.partition_by("deal")]
        found = quantile(counts, code, p)
        assert (found.units, found.games) == (len(units), mine.height)
        if not units:
            assert (found.estimate, found.note) == (None, "no appearance")
            continue
        assert (found.estimate, found.low, found.high) == twin(units, p)


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("units", [60, 400])
def test_one_seat_a_unit_is_the_interval_of_order_statistics(p, units):
    """Up to rounding: neither end is more than one score off."""
    scores = np.random.default_rng(units).permutation(units)
    found = quantile_of(scores, p)
    exact = stats.quantile_test(scores, q=np.quantile(scores, p), p=p).confidence_interval(0.95)
    assert abs(found.low - exact.low) <= 1
    assert abs(found.high - exact.high) <= 1


def test_more_deals_than_buckets():
    """A bucket is the deals that are alike modulo 1024."""
    scores = np.random.default_rng(3).poisson(20, (5000, 2))
    found = quantile_of(scores, 0.9)
    buckets = [scores[first::1024].ravel() for first in range(1024)]
    assert (found.estimate, found.low, found.high) == twin(buckets, 0.9)
    assert (found.units, found.games, round(found.df)) == (5000, 10_000, 1008)
    assert found.method == "Woodruff, jackknife over buckets of deals"


# --- few values, and none ------------------------------------------------------------------------


def test_a_quantile_beside_a_step_is_no_surer_than_the_step():
    """90.5 % score 1, and 2 is the most: where a run happens to show 89.8 %, 1 is in doubt."""
    found = quantile_of([1] * 898 + [2] * 102, 0.9)
    assert (found.estimate, found.reached, found.low, found.high) == (2, 1, 1, 2)
    far = quantile_of([1] * 700 + [2] * 300, 0.9)
    assert (far.low, far.high) == (2, 2)


def test_units_that_are_all_alike_within():
    """Each unit has one score of each kind: the share never varies, the quantile still may."""
    found = quantile_of([[1, 5]] * 8, 0.5)
    assert (found.estimate, found.se, found.low, found.high) == (1, 0, 1, 5)


def test_without_an_interval():
    one, same = quantile_of([[4, 6]]), quantile_of([7] * 30)
    assert (one.estimate, one.low, one.high, one.note) == (4, None, None, "one unit")
    assert (same.estimate, same.low, same.note) == (7, None, "no variation in 30 units")


def test_an_end_that_is_only_the_last_score_seen_is_told():
    found = quantile_of(np.arange(20), 0.9)
    assert (found.high, found.note) == (19, "the high end is the largest score seen")
    found = quantile_of(np.arange(20), 0.1)
    assert (found.low, found.note) == (0, "the low end is the smallest score seen")


# --- bins ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("bins", [2, 16, 100])
def test_a_wide_range_is_counted_in_bins(monkeypatch, bins):
    """Whatever comes first; each end lies out by less than the width that the record states."""
    rng = np.random.default_rng(bins)
    scores = np.concatenate([rng.integers(-3, 3, 40), rng.integers(-900, 2000, 160)])
    games = [game(i, ["bold"], [int(x)]) for i, x in enumerate(scores)]
    frame = games_frame(games)
    exact = quantile(score_counts([frame]), 1, 0.7)
    monkeypatch.setattr(quantiles, "MOST_CELLS", bins * 1024 * 3)
    counts = score_counts(split(frame, [10, 40, 41, 90]))
    assert counts._counts.size <= quantiles.MOST_CELLS
    found = quantile(counts, 1, 0.7)
    assert found.width == counts.width > 3000 / bins / 2
    assert found.note == (
        f"scores in bins of {found.width}: each end may lie up to {found.width - 1} too far out"
    )
    assert abs(found.estimate - exact.estimate) <= found.width / 2
    for end, inner in ((exact.low - found.low, found.low), (found.high - exact.high, found.high)):
        assert 0 <= end < 2 * found.width
        assert inner % found.width in (0, found.width - 1)
    if bins == 100:
        assert exact.low - found.low < found.width > found.high - exact.high


# --- bootstrap -----------------------------------------------------------------------------------


def test_the_bootstrap_is_that_of_scipy():
    """On scores fine enough that the percentiles of both can be compared."""
    units = np.random.default_rng(1).gamma(4, 1000, (80, 2)).astype(int)
    found = quantile_of(units, 0.6, method="bootstrap")

    def of(places, axis):
        drawn = np.take(units, places, axis=0)
        flat = drawn.reshape(*places.shape[:-1], -1)
        return np.quantile(flat, 0.6, axis=-1, method="inverted_cdf").astype(float)

    drawn = stats.bootstrap(
        (np.arange(80),), of, n_resamples=2000, method="percentile", vectorized=True, batch=500,
        rng=np.random.default_rng(2),
    )  # fmt: skip
    assert found.se == pytest.approx(drawn.standard_error, rel=0.1)
    width = drawn.confidence_interval.high - drawn.confidence_interval.low
    assert found.low == pytest.approx(drawn.confidence_interval.low, abs=0.15 * width)
    assert found.high == pytest.approx(drawn.confidence_interval.high, abs=0.15 * width)
    assert found.method == "bootstrap of units, percentile, 2,000 resamples"


def test_the_bootstrap_is_repeatable():
    units = np.random.default_rng(1).gamma(4, 1000, (80, 2)).astype(int)
    first, again, other = (quantile_of(units, method="bootstrap", seed=s) for s in (1, 1, 2))
    assert first == again
    assert first.se != other.se


def test_slips_get_one_sentence():
    few, many = counts_of(np.arange(49)[:, None]), counts_of(np.arange(60)[:, None])
    with pytest.raises(UserError, match="at least 50 units, but there are 49"):
        quantile(few, 0, 0.5, method="bootstrap")
    for p in (0.08, 0.92):
        with pytest.raises(UserError, match=f"quantile of {p} is with 60 deals: fewer than 5"):
            quantile(many, 0, p, method="bootstrap")
    assert quantile(many, 0, 0.9, method="bootstrap").low < 53
    for p in (0, 1, 50, math.nan, "half"):
        with pytest.raises(UserError, match="p must lie between 0 and 1"):
            quantile_frame([], "strategy", p)
    with pytest.raises(UserError, match="no method 'boot'; did you mean bootstrap"):
        quantile(many, 0, 0.5, method="boot")
    with pytest.raises(UserError, match=r"such as 0\.95"):
        quantile(many, 0, 0.5, level=95)
    with pytest.raises(UserError, match="no column 'seet'; did you mean seat"):
        score_counts([games_frame([])], "seet")


# --- of a run ------------------------------------------------------------------------------------


def test_quantiles_of_a_run(tmp_path):
    line_up = ["risk_limit", "threshold(gems=12)", "random"]
    run = simlab.run("diamant", 3, 300, line_up, out=tmp_path / "run")
    rows = run.scan().collect()
    for by, values in (("strategy", line_up), ("seat", [0, 1, 2])):
        found = run.quantiles(p=[0.25, 0.5], by=by)
        assert found.columns == [by, "p", "estimate", "low", "high"]
        assert found[by].to_list() == [value for value in values for _ in range(2)]
        for value, p, estimate, low, high in found.iter_rows():
            scores = rows.filter(pl.col(by).cast(pl.String) == str(value))["score"].to_numpy()
            assert estimate == np.quantile(scores, p, method="inverted_cdf")
            assert low <= estimate <= high
    assert run.quantiles(0.5, method="bootstrap")["p"].to_list() == [0.5] * 3
    assert set(quantile_columns("seat")) < set(rows.columns)
    with pytest.raises(UserError, match="no column 'stratgy'"):
        run.quantiles(by="stratgy")


# --- coverage (section 10) -----------------------------------------------------------------------

SHARED, OWN, SCALE = 2.0, 2.0, 2.0


def rounded_gamma(rng, units):
    """Return the scores of two seats a unit, which share half of their variance."""
    latent = rng.gamma(SHARED, SCALE, (units, 1)) + rng.gamma(OWN, SCALE, (units, 2))
    return np.rint(latent).astype(np.int64)


def steps(rng, units):
    """Return scores of 0, 1 and 2, 90.5 % of them at most 1: just above the quantile asked for."""
    latent = stats.norm.cdf(
        (rng.standard_normal((units, 1)) + rng.standard_normal((units, 2))) / 2**0.5
    )
    return np.searchsorted([0.5, 0.905], latent)


def true_quantile(p):
    """Return the true quantile of `rounded_gamma`, whose sum of gammas is a gamma."""
    scores = np.arange(200)
    return int(np.argmax(stats.gamma.cdf(scores + 0.5, SHARED + OWN, scale=SCALE) >= p))


def coverage(model, truth, p, units, replications, **how):
    rng = np.random.default_rng([13, units])
    covered = 0
    for _ in range(replications):
        found = quantile_of(model(rng, units), p, **how)
        covered += found.low <= truth <= found.high
    return 100 * covered / replications


CASES = [(p, units) for p in (0.5, 0.9) for units in (100, 1000)]


@pytest.mark.validate
@pytest.mark.parametrize(("p", "units"), CASES)
@pytest.mark.parametrize(("method", "replications"), [("woodruff", 2000), ("bootstrap", 200)])
def test_coverage_at_full_numbers(method, replications, p, units):
    measured = coverage(rounded_gamma, true_quantile(p), p, units, replications, method=method)
    print(f"quantile {p}, {method}, {units}: {measured:.1f} % (at least 94.5)")
    assert measured >= 94.5


@pytest.mark.validate
@pytest.mark.parametrize("units", [100, 1000])
def test_coverage_beside_a_step_at_full_numbers(units):
    measured = coverage(steps, 1, 0.9, units, 2000)
    print(f"quantile 0.9 beside a step, {units}: {measured:.1f} % (at least 94.5)")
    assert measured >= 94.5


def test_coverage_in_short():
    assert coverage(rounded_gamma, true_quantile(0.9), 0.9, 100, 150) >= 94
    assert coverage(rounded_gamma, true_quantile(0.5), 0.5, 100, 20, method="bootstrap") >= 90
    assert coverage(steps, 1, 0.9, 200, 150) >= 94


def test_the_true_quantiles_are_those_of_the_models():
    rng = np.random.default_rng(4)
    for p in (0.5, 0.9):
        truth, scores = true_quantile(p), rounded_gamma(rng, 200_000)
        assert (scores <= truth - 1).mean() < p - 0.002
        assert (scores <= truth).mean() > p + 0.002
    assert (steps(rng, 200_000) <= 1).mean() == pytest.approx(0.905, abs=0.003)
