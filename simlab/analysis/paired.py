"""Paired differences (statistics section 2).

The unit is the deal: all games of A and all games of B on one deal, played together or in each
other's place. The sums stream and merge, so that no row is needed again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simlab.analysis.estimates import (
    CONSTANT,
    NO_BOUNDS,
    T_INTERVAL,
    Estimate,
    check_level,
    constant_interval,
    is_rounding,
    t_quantile,
)
from simlab.analysis.sums import Floats, Ints, combine, keyed_moments

_KEY_BITS = 31
_A, _B, _BOTH = range(3)


@dataclass(frozen=True)
class Difference(Estimate):
    """The estimate of A's mean minus B's; `games` counts the appearances of both."""

    p: float | None = None
    """Two-sided p value of no difference; None where A or B never appeared."""


class PairSums:
    """Streaming sums of the outcomes of A and of B in the same units.

    Units are counted together where A has equally many appearances and B too. For each such cell
    the moments of three numbers are kept, as in `sums.py`: A's mean in the unit, B's, and their
    difference, which keeps its digits where the two rise and fall together.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._keys: Ints = np.zeros(0, np.int64)
        self._moments: Floats = np.zeros((3, 3, 0))

    def add(
        self,
        appearances_a: NDArray[np.integer],
        outcomes_a: Floats,
        appearances_b: NDArray[np.integer],
        outcomes_b: Floats,
    ) -> None:
        """Add units: appearances, integers [U], and outcome sums, float64 [U], of A and of B.

        Units in which neither appears are passed over. ValueError if the shapes differ.
        """
        shapes = {x.shape for x in (appearances_a, outcomes_a, appearances_b, outcomes_b)}
        if len(shapes) > 1 or appearances_a.ndim != 1:
            raise ValueError("appearances and outcomes of A and B must be one number a unit each")
        key = (appearances_a.astype(np.int64) << _KEY_BITS) + appearances_b.astype(np.int64)
        there = key > 0
        if not there.any():
            return
        mean_a, mean_b = _means(appearances_a, outcomes_a), _means(appearances_b, outcomes_b)
        if not there.all():
            key, mean_a, mean_b = key[there], mean_a[there], mean_b[there]
        keys, cell = _cells(key)
        moments = [keyed_moments(cell, x, len(keys)) for x in (mean_a, mean_b, mean_a - mean_b)]
        self._combine(keys, np.stack(moments, axis=1))

    def merge(self, other: PairSums) -> None:
        """Add the units of `other`, which must be other units than those already here."""
        self._combine(other._keys, other._moments)

    def _combine(self, keys: Ints, moments: Floats) -> None:
        """Add the moments [3, 3, cells] of the cells with these keys, ascending."""
        both = np.union1d(self._keys, keys)
        mine, theirs = np.zeros((2, 3, 3, len(both)))
        mine[..., np.searchsorted(both, self._keys)] = self._moments
        theirs[..., np.searchsorted(both, keys)] = moments
        self._keys, self._moments = both, combine(mine, theirs)

    def cells(self) -> tuple[Floats, Floats, Floats]:
        """Return the appearances of A and of B in each cell, float64 [cells], and the moments.

        Moments: float64 [3, 3, cells], by units, total and spread, and by A, B and A - B.
        """
        a, b = self._keys >> _KEY_BITS, self._keys & ((1 << _KEY_BITS) - 1)
        return a.astype(np.float64), b.astype(np.float64), self._moments


def _means(appearances: NDArray[np.integer], outcomes: Floats) -> Floats:
    """Return the outcome per appearance in each unit, 0 where there is no appearance."""
    mean: Floats = np.where(appearances > 0, outcomes, 0.0) / np.maximum(appearances, 1)
    return mean


def _cells(key: Ints) -> tuple[Ints, Ints]:
    """Return the distinct keys, ascending, and the place of each key among them."""
    if (key == key[0]).all():
        return key[:1], np.zeros(len(key), np.int64)
    keys, cell = np.unique(key, return_inverse=True)
    return keys, cell


class _Contrast(NamedTuple):
    """The difference of two means per appearance, and its variance."""

    value: float
    variance: float | None
    """None where one of the two appears in a single unit; 0.0 without variation."""
    df: float
    units: int
    games: int


def difference(sums: PairSums, level: float = 0.95, limit: float | None = None) -> Difference:
    """Return A's mean per appearance minus B's with a t interval (statistics section 2).

    sums: any outcome, in its own unit of measure. level: in (0, 1). limit: the largest difference
    that is possible, such as 1.0 for win shares; with it there is an interval also where no two
    units differ. With equal appearances in all units this is the t test of the unit differences.
    UserError if the level is out of range; ValueError if the difference is beyond the limit.
    """
    check_level(level)
    found = _contrast(sums)
    if found is None:
        return Difference(
            None, None, None, None, None, 0, 0, None, level, note="A or B has no appearance"
        )
    if limit is not None and abs(found.value) > limit * (1 + 1e-9):
        raise ValueError(f"the difference {found.value} is beyond its limit {limit}")
    if not found.variance:
        return _without_variance(found, level, limit)
    from scipy.special import stdtr

    se = math.sqrt(found.variance)
    half = t_quantile(found.df, level) * se
    if not math.isfinite(half):
        return _difference(found, None, T_INTERVAL, level, 1.0, "one unit holds most appearances")
    p = float(2 * stdtr(found.df, -abs(found.value) / se))
    low, high = found.value - half, found.value + half
    if limit is not None:  # what is not possible need not be covered
        low, high = max(low, -limit), min(high, limit)
    return _difference(found, (low, high), T_INTERVAL, level, min(1.0, p), None)


def _contrast(sums: PairSums) -> _Contrast | None:
    """Return the difference and its jackknife variance; None if A or B never appeared.

    With R = sum y / sum a and d_u = a_u (m_u - R) / (sum a - a_u), m_u the mean in unit u, for
    each of A and B: V = (U - 1) / U sum (e_u - mean e)^2 with e = d^A - d^B, summed within and
    between cells (statistics section 2; MacKinnon, Nielsen, Webb 2023). The degrees of freedom
    are those of section 1 for working variances that go with the squares of what A and B weigh
    in a unit: (sum w)^2 / sum w^2 - 1, w = (a_u / sum a)^2 + (b_u / sum b)^2; U - 1 where
    appearances are equal.
    """
    a, b, moments = sums.cells()
    units, total, spread = moments[0, _BOTH], moments[1], moments[2]
    seats_a, seats_b = float(units @ a), float(units @ b)
    if not seats_a or not seats_b:
        return None
    count = int(units.sum())
    mean_a, mean_b = float(a @ total[_A]) / seats_a, float(b @ total[_B]) / seats_b
    even = bool((a == a[0]).all() and (b == b[0]).all())
    value = float(total[_BOTH].sum()) / count if even else mean_a - mean_b
    games = int(seats_a + seats_b)
    if units[a > 0].sum() == 1 or units[b > 0].sum() == 1:
        return _Contrast(value, None, 0.0, count, games)
    w_a, w_b = a / (seats_a - a), b / (seats_b - b)
    e = w_a * (total[_A] / units - mean_a) - w_b * (total[_B] / units - mean_b)
    within = (w_a - w_b) * (w_a * spread[_A] - w_b * spread[_B]) + w_a * w_b * spread[_BOTH]
    around = float(np.maximum(within, 0).sum() + units @ (e - units @ e / count) ** 2)
    variance = (count - 1) / count * around
    weight = (a / seats_a) ** 2 + (b / seats_b) ** 2
    df = float((units @ weight) ** 2 / (units @ weight**2)) - 1
    return _Contrast(value, 0.0 if is_rounding(variance, value) else variance, df, count, games)


def _without_variance(found: _Contrast, level: float, limit: float | None) -> Difference:
    """Return the record where no variance is to be had, or there is none (statistics section 2).

    The sign test judges units that all differ alike: 2^(1 - U).
    """
    if found.variance is None:
        bounds = None if limit is None else (-limit, limit)
        note = "one unit" if found.units == 1 else "A or B appears in one unit only"
        return _difference(found, bounds, NO_BOUNDS, level, 1.0, note)
    p = 1.0 if abs(found.value) < 1e-9 else 2.0 ** (1 - found.units)
    note = f"no variation in {found.units} units"
    if limit is None:
        return _difference(found, None, CONSTANT, level, p, note)
    at = min(1.0, max(0.0, (found.value / limit + 1) / 2))
    low, high = constant_interval(at, found.units, level)
    bounds = (limit * (2 * low - 1), limit * (2 * high - 1))
    return _difference(found, bounds, CONSTANT, level, p, note)


def _difference(
    found: _Contrast,
    bounds: tuple[float, float] | None,
    method: str,
    level: float,
    p: float,
    note: str | None,
) -> Difference:
    """Return the record of a difference with the given interval."""
    low, high = bounds or (None, None)
    se = None if found.variance is None else math.sqrt(found.variance)
    df = None if found.variance is None else found.df
    how = method if bounds else None
    return Difference(
        found.value, low, high, se, df, found.units, found.games, how, level, note=note, p=p
    )
