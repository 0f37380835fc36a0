"""Estimates from bucket totals against leaving out one unit after the other."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from simlab.analysis.buckets import Buckets, bucket_totals
from simlab.analysis.jackknife import beats, head_to_head, joint_means, overall, strategy_mean
from simlab.analysis.tables import run_table
from simlab.errors import UserError
from tests.analysis.by_hand import interval
from tests.analysis.test_buckets import RULES, data_sets, with_ranks
from tests.analysis.test_tables import NAMES, game, games_frame

SIX_DIGITS = {"abs": 5.1e-7, "rel": 0}


def totals_of(appearances, wins):
    """Return totals without pairs, given [units, strategies] of both."""
    totals = Buckets(NAMES[: np.shape(wins)[1]], pairs=False)
    units = len(wins)
    totals.appearances[:units] = appearances
    totals.outcomes["win"][:units] = wins
    totals.deals[:] = (totals.appearances > 0).sum(axis=0)
    return totals


def meeting(points, seats=1):
    """Return totals of two strategies that met once a unit, given the points of the first."""
    totals = Buckets(NAMES[:2])
    units = len(points)
    for array, mine in ((totals.points, points), (totals.beside_wins, points)):
        array[:units, 0, 1] = mine
        array[:units, 1, 0] = seats - np.asarray(mine)
    totals.beside[:units, 0, 1] = totals.beside[:units, 1, 0] = seats
    totals.appearances[:units] = seats
    totals.deals[:] = units
    return totals


def leaving_out(appearances, outcomes):
    """Return the covariance of the means from really leaving out one unit after the other."""
    a, y = np.asarray(appearances, float), np.asarray(outcomes, float)
    units = len(a)
    without = (y.sum(axis=0) - y) / (a.sum(axis=0) - a)
    away = without - without.mean(axis=0)
    return (units - 1) / units * away.T @ away


# --- vectors -------------------------------------------------------------------------------------


def test_head_to_head_v17():
    found = beats(meeting([1, 0.5, 1, 0]), 0, 1)
    assert found.estimate == pytest.approx(0.625)
    assert found.se == pytest.approx(0.239357, **SIX_DIGITS)
    assert (found.low, found.high) == pytest.approx((0.117789, 0.954139), **SIX_DIGITS)
    assert found.p == pytest.approx(stats.ttest_1samp([1, 0.5, 1, 0], 0.5).pvalue)
    assert (found.units, found.games, found.df) == (4, 4, pytest.approx(3))


def test_head_to_head_v17_from_its_games():
    scores = [(4, 1), (2, 2), (9, 3), (0, 5)]
    games = [game(i, ["calm", "bold"], list(s), [0.5, 0.5]) for i, s in enumerate(scores)]
    totals = bucket_totals([with_ranks(games_frame(games, NAMES))], ties="share")
    calm, bold = NAMES.index("calm"), NAMES.index("bold")
    found = beats(totals, calm, bold)
    assert found.se == pytest.approx(0.239357, **SIX_DIGITS)
    assert beats(totals, bold, calm).estimate == pytest.approx(0.375)
    assert head_to_head(totals, calm, bold).estimate == pytest.approx(0.25)


def test_unequal_appearances_v18():
    y = np.array([[1, 0.5, 0, 1, 0], [0, 0.5, 1, 0, 0.5]]).T
    a = np.array([[1, 1, 1, 2, 0], [1, 1, 1, 1, 2]]).T
    found = overall(totals_of(a, y), 0, 1)
    assert found.estimate == pytest.approx(0.166667, **SIX_DIGITS)
    assert found.se == pytest.approx(0.297658, **SIX_DIGITS)
    joint = joint_means(a, y)
    c = joint.covariance
    assert math.sqrt(c[0, 0] + c[1, 1] - 2 * c[0, 1]) == pytest.approx(0.297658, **SIX_DIGITS)


# --- covariance ----------------------------------------------------------------------------------

units_of_three = st.lists(
    st.lists(st.tuples(st.integers(0, 4), st.integers(-20, 20)), min_size=3, max_size=3),
    min_size=3,
    max_size=12,
)


@settings(deadline=None)
@given(units_of_three)
def test_covariance_equals_leaving_out_one_unit_after_the_other(units):
    a, y = (np.array([[cell[i] for cell in unit] for unit in units]) for i in range(2))
    y = np.where(a > 0, y, 0).astype(float)
    assume(((a > 0).sum(axis=0) > 1).all())
    there = a.any(axis=1)
    found = joint_means(a, y)
    np.testing.assert_allclose(found.value, y.sum(axis=0) / a.sum(axis=0), atol=1e-12)
    np.testing.assert_allclose(found.covariance, leaving_out(a[there], y[there]), atol=1e-9)
    assert found.units == there.sum()
    assert np.linalg.eigvalsh(found.covariance).min() > -1e-9


def test_equal_appearances_give_the_ordinary_covariance():
    rng = np.random.default_rng(3)
    y = rng.normal(size=(40, 4)) @ rng.normal(size=(4, 4))
    found = joint_means(np.full((40, 4), 2), 2 * y)
    np.testing.assert_allclose(found.covariance, np.cov(y.T) / 40)
    assert found.df == pytest.approx(39)


def test_a_group_of_one_unit_has_no_covariance():
    with pytest.raises(ValueError, match="at least two units"):
        joint_means(np.array([[1, 1], [1, 0]]), np.zeros((2, 2)))
    with pytest.raises(ValueError, match="one number a unit and group"):
        joint_means(np.ones((3, 2), int), np.zeros((3, 1)))


# --- against the table and by hand ---------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(data_sets(), RULES, st.permutations(range(3)))
def test_pairs_equal_leaving_out_one_unit_after_the_other(data, rules, order):
    (frame, _), (ties, truncated) = data, rules
    totals = bucket_totals([frame], ties=ties, truncated=truncated)
    i, j, _ = order
    sides = {
        overall: [(totals.appearances[:, g], totals.outcomes["win"][:, g]) for g in (i, j)],
        head_to_head: [
            (totals.beside[:, g, h], totals.beside_wins[:, g, h]) for g, h in ((i, j), (j, i))
        ],
    }
    for measure, ((a, y), (b, z)) in sides.items():
        found = measure(totals, i, j)
        if not a.any() or not b.any():
            assert found.estimate is None
            continue
        assert found.estimate == pytest.approx(y.sum() / a.sum() - z.sum() / b.sum(), abs=1e-12)
        there = (a > 0) | (b > 0)
        if found.se and (a > 0).sum() > 1 and (b > 0).sum() > 1:
            both = leaving_out(
                np.stack([a[there], b[there]], axis=1), np.stack([y[there], z[there]], axis=1)
            )
            variance = both[0, 0] + both[1, 1] - 2 * both[0, 1]
            assert found.se == pytest.approx(math.sqrt(variance), rel=1e-6, abs=1e-12)
        assert found.units == there.sum()


@settings(max_examples=60, deadline=None)
@given(data_sets(), RULES)
def test_who_beats_whom_is_a_share_by_hand(data, rules):
    (frame, _), (ties, truncated) = data, rules
    totals = bucket_totals([frame], ties=ties, truncated=truncated)
    for i, j in ((0, 1), (1, 2), (2, 0)):
        points, against = totals.points[:, i, j], totals.points[:, j, i]
        met = points + against > 0
        found = beats(totals, i, j)
        if not met.any():
            assert found.estimate is found.p is None
            continue
        mean, low, high = interval((points + against)[met], points[met], is_share=True)
        assert (found.estimate, found.low, found.high) == pytest.approx((mean, low, high))
        turned = beats(totals, j, i)
        assert turned.estimate == pytest.approx(1 - mean)
        assert (turned.low, turned.high) == pytest.approx((1 - high, 1 - low), abs=1e-9)
        assert turned.p == pytest.approx(found.p)


# --- means ---------------------------------------------------------------------------------------


def many_deals(deals, wins):
    """Return the rows of one game a deal between calm and bold, won by calm where `wins` says."""
    games = [
        game(i, ["calm", "bold"], [3, 1] if won else [1, 3])
        for i, won in zip(range(deals), wins, strict=True)
    ]
    return with_ranks(games_frame(games, NAMES))


def test_means_are_those_of_the_table():
    rng = np.random.default_rng(1)
    frame = many_deals(700, rng.random(700) < 0.3)
    totals = bucket_totals([frame])
    rows = run_table([frame], "strategy").rows
    for group, row in enumerate(rows):
        for outcome, expected in (("win", row.win), ("score", row.score)):
            found = strategy_mean(totals, group, outcome)
            assert (found.units, found.games) == (expected.units, expected.games)
            assert (found.method, found.note) == (expected.method, expected.note)
            if expected.estimate is not None:
                for name in ("estimate", "low", "high", "se", "df"):
                    assert getattr(found, name) == pytest.approx(getattr(expected, name))


def test_with_many_deals_the_buckets_are_left_out():
    rng = np.random.default_rng(1)
    frame = many_deals(4000, rng.random(4000) < 0.3)
    totals = bucket_totals([frame])
    calm = NAMES.index("calm")
    found, exact = strategy_mean(totals, calm), run_table([frame], "strategy").rows[calm].win
    assert found.estimate == exact.estimate
    assert found.units == 4000
    assert found.df == pytest.approx(1023, rel=0.03)
    assert found.se == pytest.approx(exact.se, rel=0.1)
    assert "buckets of deals" in found.method
    assert "buckets of deals" in overall(totals, calm, NAMES.index("bold")).method
    assert "buckets of deals" in beats(totals, calm, NAMES.index("bold")).method


def test_never_won_in_many_deals_counts_every_deal():
    frame = many_deals(4000, np.zeros(4000))
    totals = bucket_totals([frame])
    for group, row in enumerate(run_table([frame], "strategy").rows):
        found = strategy_mean(totals, group)
        assert (found.low, found.high) == pytest.approx(
            (row.win.low, row.win.high)
        ) or row.games == 0
        assert found.note == row.win.note


def test_the_mean_rank_is_a_midrank():
    frame = with_ranks(games_frame([game(0, ["bold", "calm", "calm", "greedy"], [5, 7, 7, 1])]))
    totals = bucket_totals([frame], ties="share")
    ranks = [strategy_mean(totals, group, "rank").estimate for group in range(3)]
    assert dict(zip(NAMES, ranks, strict=True)) == {"bold": 3, "calm": 1.5, "greedy": 4}


# --- edges ---------------------------------------------------------------------------------------


def test_all_alike_is_no_variation():
    found = beats(meeting([0.5] * 6), 0, 1)
    assert (found.estimate, found.se, found.p) == (0.5, 0, 1)
    always = beats(meeting([1] * 6), 0, 1)
    assert always.p == pytest.approx(2**-5)
    assert always.high == 1
    assert always.low == pytest.approx(0.025 ** (1 / 6))
    assert head_to_head(meeting([1] * 6), 0, 1).p == pytest.approx(2**-5)
    assert overall(totals_of(np.ones((6, 2), int), np.full((6, 2), 0.5)), 0, 1).p == 1


def test_one_unit_says_nothing():
    found = beats(meeting([1]), 0, 1)
    assert (found.low, found.high, found.p) == (0, 1, 1.0)


def test_those_that_never_met_have_no_estimate():
    found = beats(Buckets(NAMES), 0, 1)
    assert found.estimate is found.p is None
    assert head_to_head(Buckets(NAMES), 0, 1).estimate is None
    assert strategy_mean(Buckets(NAMES), 0).note == "no appearance"


def test_slips_get_one_sentence():
    for estimator in (strategy_mean, lambda t, i, o: overall(t, i, 1, o)):
        with pytest.raises(UserError, match="no outcome 'scores'; did you mean score"):
            estimator(Buckets(NAMES), 0, "scores")
    with pytest.raises(UserError, match=r"such as 0\.95"):
        beats(meeting([1, 0]), 0, 1, 95)
