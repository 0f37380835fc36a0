"""Paired differences: published vectors, a jackknife by hand, and every edge."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from simlab.analysis.paired import PairSums, difference
from simlab.errors import UserError

SIX_DIGITS = {"abs": 5.1e-7, "rel": 0}
outcomes = st.floats(0, 1).map(lambda x: round(x, 2))
units = st.lists(
    st.tuples(st.integers(0, 3), outcomes, st.integers(0, 3), outcomes), min_size=1, max_size=30
).map(lambda rows: [(a, a * y, b, b * z) for a, y, b, z in rows])


def sums_of(rows, parts=1):
    """Return the PairSums of (a, y, b, z) of each unit, merged from `parts` of them."""
    whole = PairSums()
    for part in np.array_split(np.array(rows, dtype=float).reshape(-1, 4), parts):
        sums = PairSums()
        a, y, b, z = part.T
        sums.add(a.astype(np.int32), y, b.astype(np.uint8), z)
        whole.merge(sums)
    return whole


def even(differences, times=1):
    """Return the PairSums of units with `times` appearances of each and these mean differences."""
    other = np.linspace(0, 1, len(differences)) * 7 % 1
    rows = [
        (times, times * (o + d), times, times * o) for o, d in zip(other, differences, strict=True)
    ]
    return sums_of(rows)


def by_hand(rows):
    """Return the difference and its variance with every unit left out in turn."""
    rows = np.array([row for row in rows if row[0] + row[2] > 0], dtype=float)

    def contrast(part):
        a, y, b, z = part.sum(axis=0)
        return y / a - z / b

    without = np.array([contrast(np.delete(rows, u, axis=0)) for u in range(len(rows))])
    away = without - without.mean()
    return contrast(rows), (len(rows) - 1) / len(rows) * (away**2).sum()


V5 = [(0.5, -1), (1, 0), (0, 0), (1, -1), (0.5, 0.5), (0, 1)]
V18 = [(1, 1, 1, 0), (1, 0.5, 1, 0.5), (1, 0, 1, 1), (2, 1, 1, 0), (0, 0, 2, 0.5)]


def test_six_blocks_v5():
    found = difference(even(np.mean(V5, axis=1), times=2))
    assert found.estimate == pytest.approx(0.208333, **SIX_DIGITS)
    assert found.se == pytest.approx(0.135657, **SIX_DIGITS)
    assert (found.low, found.high) == pytest.approx((-0.140384, 0.557050), **SIX_DIGITS)
    assert found.p == pytest.approx(0.185199, **SIX_DIGITS)
    assert (found.units, found.games) == (6, 24)
    assert found.df == pytest.approx(5)


def test_unequal_appearances_v18():
    found = difference(sums_of(V18))
    assert found.estimate == pytest.approx(0.166667, **SIX_DIGITS)
    assert found.se == pytest.approx(0.297658, **SIX_DIGITS)
    assert (found.units, found.games) == (5, 11)
    assert 0 < found.df < 4


@settings(deadline=None)
@given(st.lists(outcomes, min_size=2, max_size=40), st.integers(1, 4))
def test_equal_appearances_are_the_t_test(differences, times):
    found = difference(even(differences, times))
    spread = np.std(differences)
    if spread < 1e-3:
        return
    scipy = stats.ttest_1samp(differences, 0)
    interval = scipy.confidence_interval(0.95)
    assert found.p == pytest.approx(scipy.pvalue, rel=1e-8, abs=1e-12)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), abs=1e-9)
    assert found.df == pytest.approx(len(differences) - 1)


def can_be_judged(rows):
    return all(sum(row[at] > 0 for row in rows) > 1 for at in (0, 2))


@settings(deadline=None)
@given(units)
def test_unequal_appearances_equal_the_jackknife_by_hand(rows):
    found = difference(sums_of(rows))
    if not can_be_judged(rows):
        assert found.se is None
        return
    value, variance = by_hand(rows)
    assert found.estimate == pytest.approx(value, abs=1e-12)
    assert found.se == pytest.approx(math.sqrt(variance), abs=2e-8)


@settings(deadline=None)
@given(units, st.integers(1, 6), st.randoms())
def test_parts_and_order_do_not_matter(rows, parts, random):
    whole = difference(sums_of(rows), limit=1)
    random.shuffle(rows)
    other = difference(sums_of(rows, parts), limit=1)
    for name in ("estimate", "low", "high", "p", "se", "df"):
        ours, theirs = getattr(whole, name), getattr(other, name)
        assert theirs == ours or theirs == pytest.approx(ours, rel=1e-6, abs=1e-8)
    assert (whole.units, whole.games, whole.note) == (other.units, other.games, other.note)


@settings(deadline=None)
@given(units)
def test_the_other_way_round_is_the_same_with_the_other_sign(rows):
    one = difference(sums_of(rows), limit=1)
    other = difference(sums_of([(b, z, a, y) for a, y, b, z in rows]), limit=1)
    if one.estimate is None:
        assert other.estimate is None
        return
    assert one.estimate == pytest.approx(-other.estimate, abs=1e-12)
    assert one.p == pytest.approx(other.p, rel=1e-6)
    assert one.df == other.df or one.df == pytest.approx(other.df)
    if one.low is not None:
        assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=1e-8)


def test_units_without_either_count_for_nothing():
    gaps = [(0, 0.0, 0, 0.0)] * 3
    assert difference(sums_of(V18 + gaps)) == difference(sums_of(V18))
    assert difference(sums_of(gaps)) == difference(PairSums())


def test_never_appeared():
    for rows in ([(0, 0.0, 1, 1.0)] * 4, [(2, 0.5, 0, 0.0)] * 4, [(0, 0.0, 0, 0.0)]):
        found = difference(sums_of(rows), limit=1)
        assert (found.estimate, found.low, found.p) == (None, None, None)
        assert found.note == "A or B has no appearance"


def test_one_unit():
    found = difference(sums_of([(2, 1.5, 1, 0.0)]), limit=1)
    assert (found.estimate, found.low, found.high) == (0.75, -1, 1)
    assert (found.se, found.p, found.note) == (None, 1, "one unit")
    scores = difference(sums_of([(2, 15.0, 1, 3.0)]))
    assert (scores.low, scores.high, scores.method) == (None, None, None)


def test_one_of_the_two_in_one_unit_only():
    found = difference(sums_of([(1, 1.0, 1, 0.0), (0, 0.0, 1, 1.0), (0, 0.0, 1, 0.0)]), limit=1)
    assert found.estimate == pytest.approx(2 / 3)
    assert (found.low, found.high, found.se, found.p) == (-1, 1, None, 1)
    assert found.note == "A or B appears in one unit only"


def test_identical_play():
    found = difference(even([0.0] * 8), limit=1)
    q = 1 - 0.025 ** (1 / 8)
    assert (found.estimate, found.se, found.p) == (0, 0, 1)
    assert (found.low, found.high) == pytest.approx((-q, q))
    assert found.note == "no variation in 8 units"
    scores = difference(even([0.0] * 8))
    assert (scores.low, scores.high, scores.p) == (None, None, 1)


def test_the_same_difference_in_every_unit_is_a_sign_test():
    found = difference(even([0.1] * 8), limit=1)
    assert found.p == 2**-7
    assert (found.low, found.high) == pytest.approx(
        (2 * 0.55 * 0.025 ** (1 / 8) - 1, 1 - 2 * 0.45 * 0.025 ** (1 / 8))
    )
    assert difference(even([1.0] * 5), limit=1).high == 1
    wide = difference(even([2.0] * 5), limit=4)
    narrow = difference(even([0.5] * 5), limit=1)
    assert (wide.low, wide.high) == pytest.approx((4 * narrow.low, 4 * narrow.high))


def test_a_small_difference_under_large_swings_keeps_its_digits():
    """A and B rise and fall together by 1e6 and differ by 1e-3 on average."""
    rng = np.random.default_rng(3)
    swing = np.round(1e6 * rng.standard_normal(5000))
    gap = rng.integers(-1, 2, 5000) + (rng.random(5000) < 1e-3)
    sums = PairSums()
    for part in np.array_split(np.arange(5000), 7):
        ones = np.ones(len(part), dtype=np.int64)
        sums.add(ones, swing[part] + gap[part], ones, swing[part])
    found, scipy = difference(sums), stats.ttest_1samp(gap, 0)
    assert found.estimate == pytest.approx(gap.mean(), rel=1e-12)
    assert found.se == pytest.approx(gap.std(ddof=1) / math.sqrt(5000), rel=1e-9)
    assert found.p == pytest.approx(scipy.pvalue, rel=1e-9)


def test_one_unit_holds_most_appearances():
    rows = [(1000, 300.0, 1000, 200.0), (1, 1.0, 1, 0.0), (1, 0.0, 1, 0.5)]
    found = difference(sums_of(rows))
    assert found.df < 1
    assert found.p <= 1
    if found.low is None:
        assert found.note == "one unit holds most appearances"


def test_buckets_with_many_appearances_take_no_memory():
    rng = np.random.default_rng(1)
    a, b = rng.integers(10**8, 2 * 10**8, (2, 1024))
    sums = PairSums()
    sums.add(a, a * 0.25, b, b * 0.5)
    found = difference(sums, limit=1)
    assert found.estimate == pytest.approx(-0.25)
    assert found.games == a.sum() + b.sum()


def test_wrong_input():
    with pytest.raises(UserError, match=r"such as 0\.95, but is 95"):
        difference(even([0.0, 1.0]), level=95)
    with pytest.raises(ValueError, match="beyond its limit 1"):
        difference(even([5.0, 7.0]), limit=1)
    ones = np.ones(3, dtype=np.int64)
    with pytest.raises(ValueError, match="one number a unit"):
        PairSums().add(ones, np.ones(3), ones, np.ones(2))
    with pytest.raises(ValueError, match="one number a unit"):
        PairSums().add(ones[None], np.ones((1, 3)), ones[None], np.ones((1, 3)))
