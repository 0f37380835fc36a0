"""Intervals of statistics section 1 with every unit left out in turn, from the words of it."""

from __future__ import annotations

import math

import numpy as np
from scipy import stats


def interval(appearances, outcomes, is_share, level=0.95):
    """Return mean, low and high per appearance, given both numbers of each unit.

    None where there is no interval.
    """
    a, y = np.asarray(appearances, float), np.asarray(outcomes, float)
    units, mean = len(a), y.sum() / a.sum()
    if units == 1:
        return (mean, 0.0, 1.0) if is_share else (mean, None, None)
    without = [(y.sum() - y[u]) / (a.sum() - a[u]) for u in range(units)]
    away = np.array(without) - np.mean(without)
    variance = (units - 1) / units * (away**2).sum()
    df = (a**2).sum() ** 2 / (a**4).sum() - 1
    if variance < 1e-18 * max(1, mean**2):
        q = 1 - ((1 - level) / 2) ** (1 / units)
        return (mean, mean * (1 - q), mean * (1 - q) + q) if is_share else (mean, None, None)
    t = stats.t.ppf((1 + level) / 2, df) if df > 0 else math.inf
    if not is_share:
        half = t * math.sqrt(variance)
        return (mean, mean - half, mean + half) if math.isfinite(half) else (mean, None, None)
    if not math.isfinite(t) or not 0 < mean < 1:
        return mean, 0.0, 1.0
    m = mean * (1 - mean) / variance
    centre = (mean + t**2 / (2 * m)) / (1 + t**2 / m)
    half = t / (1 + t**2 / m) * math.sqrt(mean * (1 - mean) / m + t**2 / (4 * m**2))
    return mean, centre - half, centre + half
