"""The tests of all pairs of a ranking at once, from the words of statistics sections 1, 2 and 5.

For thousands of rankings; `test_ranking.py` compares them with `ranking`, number by number.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special

FEWEST_UNITS = 5
SMALLEST_VARIANCE = 1e-12
"""Variances below this may be taken for rounding, and have rules of their own."""


class PairTests(NamedTuple):
    """All pairs i < j, in the order of `np.triu_indices`, float64 [pairs]."""

    away: np.ndarray
    """The estimate minus its value for equals."""
    p: np.ndarray
    """Two-sided p values, not corrected."""


def pair_tests(totals):
    """Return the `PairTests` of each measure by name, or None.

    None if a pair needs a rule of its own: it met in too few units, or nothing varied.
    """
    pairs = np.triu_indices(len(totals.names), 1)
    if (np.count_nonzero(totals.beside[_filled(totals)], axis=0)[pairs] < FEWEST_UNITS).any():
        return None
    found = {test.__name__[1:]: test(totals, *pairs) for test in (_overall, _head_to_head, _beats)}
    return None if None in found.values() else found


def _overall(totals, first, second):
    filled = _filled(totals)
    each = _left_out(totals.appearances[filled], totals.outcomes["win"][filled])
    return _difference(each.of(first), each.of(second))


def _head_to_head(totals, first, second):
    a, y = totals.beside[_filled(totals)], totals.beside_wins[_filled(totals)]
    return _difference(
        _left_out(_of_pairs(a, first, second), _of_pairs(y, first, second)),
        _left_out(_of_pairs(a, second, first), _of_pairs(y, second, first)),
    )


def _beats(totals, first, second):
    points = totals.points[_filled(totals)]
    won, lost = _of_pairs(points, first, second), _of_pairs(points, second, first)
    part = _left_out(won + lost, won)
    return _tests(part.mean - 0.5, part.change, part.weight**2)


def _filled(totals):
    """Return the buckets up to the last that has a game."""
    return slice(int(np.flatnonzero(totals.appearances.any(axis=1))[-1]) + 1)


def _of_pairs(array, i, j):
    """Return the columns [units, pairs] of an array [units, k, k]."""
    k = array.shape[1]
    return array.reshape(-1, k * k).take(i * k + j, axis=1)


class _LeftOut(NamedTuple):
    """Means per appearance, and what leaving out one unit changes."""

    weight: np.ndarray
    """The part of all appearances that a unit has, [units, groups]."""
    mean: np.ndarray
    """[groups]."""
    change: np.ndarray
    """d_u, [units, groups]; 0 in units without an appearance."""

    def of(self, groups):
        return _LeftOut(self.weight[:, groups], self.mean[groups], self.change[:, groups])


def _left_out(a, y):
    seats = a.sum(axis=0)
    mean = y.sum(axis=0) / seats
    return _LeftOut(a / seats, mean, (y - mean * a) / (seats - a))


def _difference(first, second):
    squares = first.weight**2 + second.weight**2
    return _tests(first.mean - second.mean, first.change - second.change, squares)


def _tests(away, change, squares):
    """Return t tests by the jackknife: V = (U - 1) / U sum (d - mean d)^2, df from the squares."""
    units = np.count_nonzero(squares, axis=0)
    around = _sum_of_squares(change) - change.sum(axis=0) ** 2 / units
    variance = (units - 1) / units * around
    if (variance < SMALLEST_VARIANCE).any():
        return None
    df = squares.sum(axis=0) ** 2 / _sum_of_squares(squares) - 1
    return PairTests(away, 2 * special.stdtr(df, -np.abs(away) / np.sqrt(variance)))


def _sum_of_squares(x):
    return np.einsum("up,up->p", x, x)
