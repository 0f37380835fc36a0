"""Streaming sums against sums done one unit at a time."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simlab.analysis.sums import GroupSums, UnitSums

numbers = st.floats(-1e6, 1e6, allow_nan=False).map(lambda x: round(x, 3))
units = st.lists(st.tuples(st.integers(0, 5), numbers), max_size=40)


def sums_of(pairs, parts=1):
    """Return the UnitSums of (appearances, outcome) pairs, added in `parts` calls."""
    sums = UnitSums()
    for part in np.array_split(np.arange(len(pairs)), parts):
        a = np.array([pairs[i][0] for i in part], dtype=np.int64)
        sums.add(a, np.array([pairs[i][1] for i in part], dtype=np.float64))
    return sums


def naive(pairs):
    """Return appearances -> (units, sum of y, sum of (y - mean)^2), in exact summation."""
    outcomes = defaultdict(list)
    for a, y in pairs:
        if a > 0:
            outcomes[a].append(y)
    result = {}
    for a, ys in sorted(outcomes.items()):
        centre = math.fsum(ys) / len(ys)
        result[a] = (len(ys), math.fsum(ys), math.fsum((y - centre) ** 2 for y in ys))
    return result


def assert_same(sums, expected):
    found = sums.by_appearances()
    assert list(found.appearances) == list(expected)
    for i, (count, total, spread) in enumerate(expected.values()):
        assert found.units[i] == count
        assert found.total[i] == pytest.approx(total, rel=1e-12, abs=1e-8)
        assert found.spread[i] == pytest.approx(spread, rel=1e-11, abs=1e-8)


@settings(deadline=None)
@given(units)
def test_one_call_equals_sums_by_hand(pairs):
    assert_same(sums_of(pairs), naive(pairs))


@settings(deadline=None)
@given(units, st.integers(1, 6))
def test_streaming_equals_one_call(pairs, parts):
    assert_same(sums_of(pairs, parts), naive(pairs))


@settings(deadline=None)
@given(units, units)
def test_merging_equals_one_call(here, there):
    sums = sums_of(here)
    sums.merge(sums_of(there))
    assert_same(sums, naive(here + there))


@settings(deadline=None)
@given(st.lists(numbers, min_size=1, max_size=30), st.integers(1, 4))
def test_equal_appearances_take_a_short_cut_with_the_same_result(outcomes, a):
    even = [(a, y) for y in outcomes]
    assert_same(sums_of(even), naive(even))
    uneven = [*even, (a + 1, 7.0)]
    assert_same(sums_of(uneven), naive(uneven))


@settings(deadline=None)
@given(st.lists(st.lists(st.tuples(st.integers(0, 3), numbers), min_size=6, max_size=6)))
def test_groups_side_by_side_equal_each_alone(table):
    together = GroupSums()
    for start in (0, 2):
        part = [row[start : start + 2 + start] for row in table]
        a = np.array([[pair[0] for pair in row] for row in part], dtype=np.int64)
        y = np.array([[pair[1] for pair in row] for row in part], dtype=np.float64)
        together.add(a, y)
    for number, row in enumerate(table):
        assert_same(together.group(number), naive(row))


def test_a_group_never_added_to_is_empty():
    sums = GroupSums()
    sums.add(np.ones((2, 3), dtype=np.int64), np.ones((2, 3)))
    assert sums.group(1).by_appearances().units.tolist() == [3.0]
    assert sums.group(2).by_appearances().units.size == 0


def test_groups_handed_out_are_copies():
    sums = GroupSums()
    sums.add(np.ones((1, 3), dtype=np.int64), np.ones((1, 3)))
    one = sums.group(0)
    one.add(np.array([1]), np.array([5.0]))
    assert sums.group(0).by_appearances().units.tolist() == [3.0]


def test_outcomes_of_units_without_appearances_are_ignored():
    sums = sums_of([(0, 99.0), (2, 1.0), (0, -5.0)])
    assert sums.by_appearances().total.tolist() == [1.0]
    assert sums_of([(0, 99.0)]).by_appearances().units.size == 0


def test_a_constant_that_binary_numbers_cannot_hold_has_no_spread():
    sums = UnitSums()
    for _ in range(20):
        sums.add(np.ones(10_001, dtype=np.int64), np.full(10_001, 1 / 3))
    assert sums.by_appearances().spread[0] < 1e-18


def test_a_large_offset_costs_no_digits():
    outcomes = np.tile([-1.0, 0.0, 1.0], 1000)
    sums = UnitSums()
    for part in np.array_split(outcomes + 1e9, 7):
        sums.add(np.ones(len(part), dtype=np.int64), part)
    assert sums.by_appearances().spread[0] == pytest.approx(2000, rel=1e-9)


def test_memory_does_not_grow_with_the_units():
    sums = UnitSums()
    rng = np.random.default_rng(1)
    for _ in range(5):
        sums.add(rng.integers(0, 4, 2**16), rng.random(2**16))
    assert sums._moments.shape == (3, 4)
    assert sums.by_appearances().units.sum() < 5 * 2**16


def test_shapes_that_differ_are_refused():
    with pytest.raises(ValueError, match="one number a unit"):
        UnitSums().add(np.ones(3, dtype=np.int64), np.ones(4))
