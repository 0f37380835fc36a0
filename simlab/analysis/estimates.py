"""Means with intervals: win share, score, rank (statistics section 1).

The mean is per appearance, a ratio where the appearances in a unit vary; its variance is the
delete-one-unit jackknife (CR3) in closed form, from the sums of `sums.py` alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from simlab.analysis.sums import UnitSums
from simlab.errors import UserError

T_INTERVAL = "t, jackknife over units"
CLUSTER_WILSON = "cluster-Wilson, jackknife over units"
CONSTANT = "probability that a unit differs"
NO_BOUNDS = "the whole range"


@dataclass(frozen=True)
class Estimate:
    """An estimate, its interval and how it was made; None where something is not defined."""

    estimate: float | None
    """The mean per appearance; None without an appearance."""
    low: float | None
    """Lower end of the interval."""
    high: float | None
    """Upper end of the interval."""
    se: float | None
    """Standard error."""
    df: float | None
    """Degrees of freedom of the standard error."""
    units: int
    """Deals in which the group appears."""
    games: int
    """Appearances: one for each game and seat held."""
    method: str | None
    """How the interval was made."""
    level: float
    """Probability with which such intervals cover the true value."""
    correction: str | None = None
    """Correction for several comparisons; None: none was made."""
    note: str | None = None
    """What the reader should know about this number."""


@dataclass(frozen=True)
class _Ratio:
    """A per-appearance mean and its variance."""

    value: float
    variance: float | None
    """None with a single unit, 0.0 where the outcomes per appearance do not vary."""
    df: float
    units: int
    games: int


def mean(sums: UnitSums, level: float = 0.95) -> Estimate:
    """Return the mean per appearance with a t interval (statistics section 1).

    sums: any outcome, such as scores or ranks, in its own unit of measure. level: in (0, 1).
    No interval with one unit or without variation; the note says which.
    UserError if the level is out of range.
    """
    check_level(level)
    ratio = _ratio(sums)
    if ratio is None:
        return _nothing(level)
    if not ratio.variance:
        return _estimate(ratio, None, None, None, level)
    half = t_quantile(ratio.df, level) * math.sqrt(ratio.variance)
    if not math.isfinite(half):
        return _estimate(ratio, None, None, None, level)
    return _estimate(ratio, ratio.value - half, ratio.value + half, T_INTERVAL, level)


def share(sums: UnitSums, level: float = 0.95) -> Estimate:
    """Return the mean of outcomes in [0, 1] with a cluster-Wilson interval (statistics section 1).

    sums: outcomes whose value at each appearance lies in [0, 1], such as wins. level: in (0, 1).
    One unit: the interval is [0, 1]. Without variation: see `constant_interval`.
    UserError if the level is out of range; ValueError if the mean is no share.
    """
    check_level(level)
    ratio = _ratio(sums)
    if ratio is None:
        return _nothing(level)
    if not -1e-9 <= ratio.value <= 1 + 1e-9:
        raise ValueError(f"a share must lie in [0, 1], but the mean is {ratio.value}")
    ratio = replace(ratio, value=min(max(ratio.value, 0.0), 1.0))
    if ratio.variance is None:
        return _estimate(ratio, 0.0, 1.0, NO_BOUNDS, level)
    if ratio.variance == 0:
        low, high = constant_interval(ratio.value, ratio.units, level)
        return _estimate(ratio, low, high, CONSTANT, level)
    t = t_quantile(ratio.df, level)
    low, high = _wilson_interval(ratio.value, ratio.variance, t)
    return _estimate(ratio, low, high, CLUSTER_WILSON, level)


def _ratio(sums: UnitSums) -> _Ratio | None:
    """Return the mean per appearance and its jackknife variance; None without an appearance.

    With e_u = y_u - R a_u and d_u = e_u / (A - a_u): V = (U - 1) / U * sum (d_u - mean d)^2, summed
    within and between the numbers of appearances; df = (sum a^2)^2 / sum a^4 - 1 (statistics
    section 1; MacKinnon, Nielsen, Webb 2023; Satterthwaite 1946).
    """
    a, units, total, spread = sums.by_appearances()
    if not units.size:
        return None
    all_units, seats = int(units.sum()), float(units @ a)
    value = float(total.sum()) / seats
    if all_units == 1:
        return _Ratio(value, None, 0.0, 1, int(seats))
    left = seats - a
    d = (total / units - value * a) / left
    between = units @ (d - units @ d / all_units) ** 2
    variance = float((all_units - 1) / all_units * ((spread / left**2).sum() + between))
    if is_rounding(variance, value):
        variance = 0.0
    df = float((units @ a**2) ** 2 / (units @ a**4)) - 1
    return _Ratio(value, variance, df, all_units, int(seats))


def is_rounding(variance: float, value: float) -> bool:
    """Return whether the variance of an estimate is only rounding (statistics section 1)."""
    return variance < 1e-18 * max(1.0, value * value)


def t_quantile(df: float, level: float) -> float:
    """Return the two-sided t quantile; infinity where the degrees of freedom have run out."""
    from scipy.special import stdtrit

    return float(-stdtrit(df, (1 - level) / 2)) if df > 0 else math.inf


def _wilson_interval(value: float, variance: float, t: float) -> tuple[float, float]:
    """Return the cluster-Wilson interval of a share (statistics section 1; Wilson 1927).

    m = R (1 - R) / V appearances, each a unit of its own, would be as precise (Korn and
    Graubard 1998). With w = t^2 / m the ends are the roots of (p - R)^2 = w p (1 - p), the lower
    one taken from their product R^2 / (1 + w), which cancels nothing.
    """
    spread = value * (1 - value)
    w = t * t * variance / spread if spread > 0 else math.inf
    if not math.isfinite(w):
        return 0.0, 1.0
    above = value + w / 2 + math.sqrt(w) * math.sqrt(spread + w / 4)
    return value * value / above, min(1.0, above / (1 + w))


def constant_interval(value: float, units: int, level: float) -> tuple[float, float]:
    """Return the interval of a share that was the same in all units (statistics section 1).

    q bounds the probability that a unit differs; at 0 and 1 this is Clopper-Pearson.
    """
    q = -math.expm1(math.log((1 - level) / 2) / units)
    return value * (1 - q), min(1.0, value * (1 - q) + q)


def _estimate(
    ratio: _Ratio, low: float | None, high: float | None, method: str | None, level: float
) -> Estimate:
    """Return the record of a mean with the given interval."""
    se = None if ratio.variance is None else math.sqrt(ratio.variance)
    df = None if ratio.variance is None else ratio.df
    return Estimate(
        ratio.value, low, high, se, df, ratio.units, ratio.games, method, level, note=_note(ratio)
    )


def _note(ratio: _Ratio) -> str | None:
    """Return what is unusual about a mean."""
    if ratio.variance is None:
        return "one unit"
    if ratio.variance == 0:
        return f"no variation in {ratio.units} units"
    return "one unit holds most appearances" if ratio.df < 1 else None


def _nothing(level: float) -> Estimate:
    """Return the record of a group that never appeared."""
    return Estimate(None, None, None, None, None, 0, 0, None, level, note="no appearance")


def check_level(level: float) -> None:
    """Raise UserError unless the level lies strictly between 0 and 1."""
    if not 0 < level < 1:
        raise UserError(f"the level must lie between 0 and 1, such as 0.95, but is {level}.")
