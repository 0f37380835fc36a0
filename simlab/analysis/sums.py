"""What an estimate needs of a data set: sums over units (statistics section 0, rule 2).

A unit is a deal. In unit u a group has `a` appearances (seats held, over all games of the deal) and
the outcome `y` (summed over these seats). Units with equal `a` are counted together, as their
number, the sum of y and the sum of squares of y about their own mean. The last stands for the sum
of y squared (`spread + total**2 / units`) and keeps its digits where that one cancels: units that
are all 1/3 have spread 0 to within 1e-32, so that "no variation" can be told from rounding.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

BUCKETS = 1024
"""Buckets of deals, where the units themselves would be too many (statistics section 0, rule 3)."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class ByAppearances(NamedTuple):
    """Sums over the units of each number of appearances that occurs, float64 [distinct a]."""

    appearances: Floats
    """The number of appearances in a unit, ascending, at least 1."""
    units: Floats
    """How many units have it."""
    total: Floats
    """Sum of their outcomes."""
    spread: Floats
    """Sum of squares of their outcomes about their mean."""


class UnitSums:
    """Streaming sums of one outcome of one group; memory grows with the largest `a` alone."""

    def __init__(self, moments: Floats | None = None) -> None:
        """Start empty, or from `moments`, float64 [3, a + 1] as `cell_moments` gives one group."""
        self._moments = np.zeros((3, 0)) if moments is None else moments

    def add(self, appearances: NDArray[np.integer], outcomes: Floats) -> None:
        """Add units: their appearances, integers [U], and outcome sums, float64 [U].

        Units without appearances are passed over. ValueError if the shapes differ.
        """
        if appearances.shape != outcomes.shape or appearances.ndim != 1:
            raise ValueError("appearances and outcomes must be one number a unit each")
        if appearances.size:
            moments = cell_moments(appearances[None, :], outcomes[None, :])
            self._moments = combine(self._moments, moments[:, 0])

    def merge(self, other: UnitSums) -> None:
        """Add the units of `other`, which must be other units than those already here."""
        self._moments = combine(self._moments, other._moments)

    def by_appearances(self) -> ByAppearances:
        """Return the sums for each number of appearances that occurs."""
        units, total, spread = self._moments
        present = np.flatnonzero(units)
        return ByAppearances(
            present.astype(np.float64), units[present], total[present], spread[present]
        )


class GroupSums:
    """The `UnitSums` of many groups side by side: one array, one pass."""

    def __init__(self) -> None:
        """Start without groups; they are numbered from 0 and come into being when added to."""
        self._moments = np.zeros((3, 0, 0))

    def add(self, appearances: NDArray[np.integer], outcomes: Floats) -> None:
        """Add units: appearances, integers [groups, U], and outcome sums, float64 [groups, U]."""
        if appearances.size:
            self._moments = combine(self._moments, cell_moments(appearances, outcomes))

    def group(self, number: int) -> UnitSums:
        """Return the sums of one group, empty for a group that was never added to."""
        known = number < self._moments.shape[1]
        return UnitSums(self._moments[:, number].copy() if known else None)


def cell_moments(appearances: NDArray[np.integer], outcomes: Floats) -> Floats:
    """Return units, sum and spread for each group and number of appearances.

    appearances: integers [groups, U], outcomes: float64 [groups, U], neither empty.
    Result: float64 [3, groups, a + 1] with a the largest number of appearances; nothing is
    counted at 0 appearances.
    """
    first = appearances[:, :1]
    if first.all() and (appearances == first).all():
        return _even_moments(first[:, 0], outcomes)
    groups, units = appearances.shape
    width = int(appearances.max()) + 1
    cell = np.flatnonzero(appearances)
    key = cell // units * width + appearances.ravel()[cell]
    return keyed_moments(key, outcomes.ravel()[cell], groups * width).reshape(3, groups, width)


def _even_moments(appearances: NDArray[np.integer], outcomes: Floats) -> Floats:
    """Return `cell_moments` where each group has the same `appearances` [groups] in all units."""
    moments = np.zeros((3, len(appearances), int(appearances.max()) + 1))
    at = np.arange(len(appearances)), appearances
    moments[0][at] = outcomes.shape[1]
    moments[1][at] = outcomes.sum(axis=1)
    moments[2][at] = np.square(outcomes - outcomes.mean(axis=1, keepdims=True)).sum(axis=1)
    return moments


def keyed_moments(key: NDArray[np.integer], outcomes: Floats, size: int) -> Floats:
    """Return count, sum and spread of the outcomes of each key below `size`: float64 [3, size].

    key: integers [N]; outcomes: float64 [N].
    """
    count = np.bincount(key, minlength=size)
    total = np.bincount(key, weights=outcomes, minlength=size)
    away = outcomes - (total / np.maximum(count, 1))[key]
    return np.stack([count, total, np.bincount(key, weights=away * away, minlength=size)])


def combine(left: Floats, right: Floats) -> Floats:
    """Return the moments of both sets of units, arrays [3, ...] of any two sizes.

    The spreads add up, plus what the two means differ [Chan, Golub, LeVeque 1983].
    """
    shape = tuple(np.maximum(left.shape, right.shape))
    left, right = _padded(left, shape), _padded(right, shape)
    both = left + right
    gap = left[1] / np.maximum(left[0], 1) - right[1] / np.maximum(right[0], 1)
    both[2] += gap * gap * (left[0] * right[0] / np.maximum(both[0], 1))
    return both


def _padded(moments: Floats, shape: tuple[int, ...]) -> Floats:
    """Return the moments with zeros up to `shape`."""
    if moments.shape == shape:
        return moments
    return np.pad(moments, [(0, new - old) for old, new in zip(moments.shape, shape, strict=True)])
