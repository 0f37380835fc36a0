"""Sweeps: one value tried at many points on the same deals, and the region of the best.

Statistics section 8: a band that holds at all points together [Hothorn, Bretz, Westfall 2008], and
multiple comparison with the best [Gupta 1965; Hsu 1981, 1996]. Quantiles are those of a
multivariate t, from seeded draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from simlab.analysis.buckets import Buckets
from simlab.analysis.corrections import each_level
from simlab.analysis.estimates import Estimate, check_level, mean, share
from simlab.analysis.jackknife import check_outcome, joint_means
from simlab.analysis.sums import Floats, Ints, UnitSums
from simlab.errors import UserError

DRAWS = 100_000
MOST_TERMS = 2_000_000_000
"""Differences drawn at most: with more than 140 points fewer draws, never below 10,000."""
CELLS = 2**16
"""Numbers drawn at a time: small enough for the processor's cache."""
BAND = "t, simultaneous band over all points (max-t)"
FRESH = "the value of the best point is biased upward; play it again on fresh deals"


@dataclass(frozen=True)
class Point:
    """One point of a sweep."""

    label: object
    """What was tried, such as the value of a parameter."""
    estimate: Estimate
    """Its mean; the interval is the simultaneous band's."""
    kept: bool
    """Whether it may be the best: in the set that holds the best with the level's probability."""
    could_lose: float
    """How much worse than the best it could be, if this point was named beforehand."""
    could_lose_any: float
    """The same, true of all points at once, and so also of the one that came out best."""


@dataclass(frozen=True)
class Sweep:
    """The points of a sweep in the order given, and its best region."""

    points: list[Point]
    best: int
    """The point with the best estimate."""
    region: tuple[object, object]
    """Labels of the first and the last point kept: the hull of the best region on a line."""
    level: float
    note: str = FRESH


def sweep(
    labels: Sequence[object],
    appearances: NDArray[np.integer],
    outcomes: Floats,
    *,
    is_share: bool = False,
    larger: bool = True,
    level: float = 0.95,
    seed: int = 1,
) -> Sweep:
    """Return the estimates of a sweep whose G points were all played on the same U deals.

    labels: what was tried at each point [G]. appearances: integers [U, G], and outcomes: their
    sums, float64 [U, G]; a unit is a deal or a bucket of deals, row u the same for all points.
    is_share: whether the outcome lies in [0, 1]. larger: whether the larger value is the better.
    level: of the band as a whole, and of the set of the best. seed: of the draws.

    UserError for fewer than two points, one of fewer than two units, or a level out of range.
    """
    check_level(level)
    if len(labels) != np.shape(outcomes)[1]:
        raise ValueError(f"{len(labels)} labels for {np.shape(outcomes)[1]} points")
    if len(labels) < 2:
        raise UserError(f"a sweep needs at least 2 points, but has {len(labels)}.")
    short = np.flatnonzero((np.asarray(appearances) > 0).sum(axis=0) < 2)
    if len(short):
        raise UserError(f"point {labels[short[0]]} of the sweep needs games of at least 2 deals.")
    joint = joint_means(appearances, outcomes)
    theta = joint.value if larger else -joint.value
    best = compare(theta, joint.covariance, joint.df, level, seed)
    points = []
    for g, label in enumerate(labels):
        sums = UnitSums()
        sums.add(appearances[:, g], outcomes[:, g])
        alone = (share if is_share else mean)(sums, each_level(level, len(labels)))
        points.append(
            Point(
                label,
                _banded(alone, best, g, joint.df, level, is_share),
                bool(best.kept[g]),
                float(best.could_lose[g]),
                float(best.could_lose_any[g]),
            )
        )
    kept = np.flatnonzero(best.kept)
    return Sweep(points, int(theta.argmax()), (labels[kept[0]], labels[kept[-1]]), level)


def on_common_deals(
    points: Sequence[tuple[Buckets, int]], outcome: str = "win"
) -> tuple[Ints, Floats]:
    """Return appearances int64 [U, G] and outcomes float64 [U, G] of a sweep's points.

    points: for each, the totals of the run it was played in and its place in their `names`; the
    runs are of the same deals, or all points of one run. outcome: "win", "score" or "rank". The
    units are the buckets in which any of them appears. UserError for an unknown outcome.
    """
    check_outcome(outcome)
    a = np.stack([totals.appearances[:, at] for totals, at in points], axis=1)
    y = np.stack([totals.outcomes[outcome][:, at] for totals, at in points], axis=1)
    there = a.any(axis=1)
    return a[there], y[there]


@dataclass(frozen=True)
class Comparison:
    """G estimates compared with the best of them; arrays [G]."""

    se: Floats
    """Standard errors, 0 where nothing varied."""
    band: float
    """The half-width of the simultaneous band, in standard errors."""
    behind: Floats
    """The largest lead of another over each, in standard errors of their difference."""
    points: Floats
    """Above this lead a point is not the best: c_g."""
    kept: NDArray[np.bool_]
    """Which may be the best."""
    could_lose: Floats
    """How much worse than the best each could be, named beforehand."""
    could_lose_any: Floats
    """The same, for all at once."""


def compare(
    theta: Floats, covariance: Floats, df: float | None, level: float = 0.95, seed: int = 1
) -> Comparison:
    """Return the simultaneous band and the comparison with the best (statistics section 8).

    theta: estimates, the larger the better, float64 [G]; covariance: float64 [G, G]; df: its
    degrees of freedom, None for normal quantiles. level: in (0, 1). seed: of the draws, 100,000,
    fewer with more than 140 points. UserError for a level out of range.

    Point g is kept if max_h (theta_h - theta_g) / se_hg <= c_g, the quantile of the same maximum of
    draws from N(0, C) times sqrt(df / chi2); the true best is then kept with probability `level`,
    without further correction. Where se_hg is 0 the two play alike and are tied.
    """
    check_level(level)
    spread = covariance.diagonal()
    se = np.sqrt(_without_rounding(spread, spread, theta))
    apart = _errors_of_differences(theta, covariance)
    largest, leads = _maxima(covariance, se, apart, df, seed)
    band, c_any = (float(np.quantile(draws, level)) for draws in (largest, leads.max(axis=0)))
    c = np.quantile(leads, level, axis=1, overwrite_input=True)
    lead = theta[None, :] - theta[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        behind = np.where(apart > 0, lead / apart, np.where(lead > 1e-9, np.inf, -np.inf))
    np.fill_diagonal(behind, -np.inf)
    behind = behind.max(axis=1)
    np.fill_diagonal(lead, 0.0)
    could_lose, could_lose_any = (
        np.maximum(0.0, (lead + quantile * apart).max(axis=1)) for quantile in (c[:, None], c_any)
    )
    return Comparison(se, band, behind, c, behind <= c, could_lose, could_lose_any)


def _errors_of_differences(theta: Floats, covariance: Floats) -> Floats:
    """Return the standard errors of all differences, float64 [G, G], 0 where two play alike."""
    spread = covariance.diagonal()
    variance = spread[:, None] + spread - covariance - covariance.T
    largest = np.maximum(spread[:, None], spread)
    found: Floats = np.sqrt(
        _without_rounding(variance, largest, np.maximum(abs(theta[:, None]), abs(theta)))
    )
    np.fill_diagonal(found, 0)
    return found


def _without_rounding(variance: Floats, of: Floats, value: Floats) -> Floats:
    """Return the variance, 0 where it is only rounding of the variances `of`, or of the values."""
    rounding = np.maximum(1e-13 * of, 1e-18 * np.maximum(1, value * value))
    return np.where(variance <= rounding, 0.0, variance)


def _maxima(
    covariance: Floats, se: Floats, apart: Floats, df: float | None, seed: int
) -> tuple[Floats, Floats]:
    """Draw from N(0, C) times sqrt(df / chi2), and return the maxima.

    Of |Z_g| / se_g over g, float64 [draws], and of (Z_h - Z_g) / se_hg over h, float64 [G, draws];
    0 where no standard error is above 0.
    """
    points = len(se)
    draws = max(10_000, min(DRAWS, MOST_TERMS // points**2))
    rng = np.random.default_rng(seed)
    root = _root(covariance)
    largest, leads = np.zeros(draws), np.zeros((points, draws))
    varies = np.flatnonzero(se > 0)
    same = [np.flatnonzero(errors == 0) for errors in apart]
    scale = 1 / np.where(apart > 0, apart, np.inf)[:, :, None]
    step = max(1, CELLS // points)
    space = np.empty((points, step))
    for first in range(0, draws, step):
        some = slice(first, min(first + step, draws))
        # Not `@`: so small a product waits for the threads of BLAS longer than it takes.
        z = np.einsum("gh,hd->gd", root, rng.standard_normal((points, some.stop - first)))
        if df is not None:
            z *= np.sqrt(df / rng.chisquare(df, z.shape[1]))
        if len(varies):
            largest[some] = (np.abs(z[varies]) / se[varies, None]).max(axis=0)
        ahead = space[:, : z.shape[1]]
        for g in range(points):
            if len(same[g]) < points:
                np.subtract(z, z[g], out=ahead)
                ahead *= scale[g]
                ahead[same[g]] = -np.inf
                ahead.max(axis=0, out=leads[g, some])
    return largest, leads


def _root(covariance: Floats) -> Floats:
    """Return the symmetric root of a covariance, which may be singular."""
    values, vectors = np.linalg.eigh(covariance)
    root: Floats = (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T
    return root


def _banded(
    alone: Estimate, best: Comparison, g: int, df: float, level: float, is_share: bool
) -> Estimate:
    """Return a point with the band's interval; one that does not vary keeps the one it has alone.

    alone: its estimate at the level for all points (Bonferroni).
    """
    correction = f"simultaneous over {len(best.se)} points"
    if not best.se[g] or alone.estimate is None:
        return replace(alone, level=level, correction=correction)
    half = best.band * float(best.se[g])
    low, high = alone.estimate - half, alone.estimate + half
    if is_share:
        low, high = max(0.0, low), min(1.0, high)
    return replace(
        alone,
        low=low,
        high=high,
        se=float(best.se[g]),
        df=df,
        method=BAND,
        level=level,
        correction=correction,
    )
