"""Estimates from bucket totals: means, their covariance, differences, and who beats whom.

Each bucket is left out in turn, in closed form (statistics sections 0, 1, 2 and 5). In the records
`units` counts the buckets that were left out, which with up to 1024 consecutive deals are the
deals; for a single mean it counts the deals in any case.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

import numpy as np
from numpy.typing import NDArray

from simlab.analysis.buckets import OUTCOMES, Buckets
from simlab.analysis.estimates import CONSTANT, Estimate, constant_interval, mean, share
from simlab.analysis.paired import Difference, PairSums, difference
from simlab.analysis.sums import Floats, UnitSums
from simlab.errors import one_of


@dataclass(frozen=True)
class JointMeans:
    """Means per appearance of k groups in the same units."""

    value: Floats
    """The means, float64 [k]."""
    covariance: Floats
    """Their covariance, float64 [k, k]."""
    df: float
    """Degrees of freedom of the covariance: those of the group that has the fewest."""
    units: int
    """Units in which any of them appears."""


def joint_means(appearances: NDArray[np.integer], outcomes: Floats) -> JointMeans:
    """Return means and their covariance, by leaving out one unit after the other.

    appearances: integers [U, k]; outcomes: sums over the appearances, float64 [U, k]. With
    d_ui = (y_ui - R_i a_ui) / (A_i - a_ui): C = (U - 1) / U sum_u (d_u - mean d)(d_u - mean d)'
    (statistics sections 1 and 8; MacKinnon, Nielsen, Webb 2023). ValueError where a group appears
    in fewer than two units.
    """
    if appearances.shape != outcomes.shape or appearances.ndim != 2:
        raise ValueError("appearances and outcomes must be one number a unit and group each")
    there = appearances.any(axis=1)
    a, y = appearances[there].astype(np.float64), outcomes[there]
    units = len(a)
    if units < 2 or ((a > 0).sum(axis=0) < 2).any():
        raise ValueError("each group must appear in at least two units")
    value = y.sum(axis=0) / a.sum(axis=0)
    d = (y - value * a) / (a.sum(axis=0) - a)
    d -= d.mean(axis=0)
    covariance = (units - 1) / units * (d.T @ d)
    df = float(((a**2).sum(axis=0) ** 2 / (a**4).sum(axis=0)).min()) - 1
    return JointMeans(value, covariance, df, units)


def check_outcome(outcome: str) -> None:
    """Raise UserError, with the nearest name, for an unknown outcome."""
    if outcome not in OUTCOMES:
        raise one_of("outcome", outcome, OUTCOMES)


def strategy_mean(
    totals: Buckets, group: int, outcome: str = "win", level: float = 0.95
) -> Estimate:
    """Return a strategy's mean per appearance, with the interval of section 1.

    group: its place in `totals.names`. outcome: "win", "score" or "rank". level: in (0, 1). The
    `units` are deals. A strategy that never wins, or always, did so in every deal, and the interval
    counts them all. UserError for an unknown outcome or a level out of range.
    """
    check_outcome(outcome)
    sums = UnitSums()
    sums.add(totals.appearances[:, group], totals.outcomes[outcome][:, group])
    found = (share if outcome == "win" else mean)(sums, level)
    deals = int(totals.deals[group])
    if found.method == CONSTANT and found.estimate in (0.0, 1.0):
        low, high = constant_interval(found.estimate, deals, level)
        note = f"no variation in {deals} units"
        return replace(found, low=low, high=high, units=deals, note=note)
    if found.method and deals > found.units:
        found = replace(found, method=_over_buckets(found.method))
    return replace(found, units=deals)


def overall(
    totals: Buckets, first: int, second: int, outcome: str = "win", level: float = 0.95
) -> Difference:
    """Return the difference of two strategies' means over all their games (section 5).

    first, second: places in `totals.names`; the others as for `strategy_mean`.
    """
    check_outcome(outcome)
    a, y = totals.appearances, totals.outcomes[outcome]
    found = _difference(
        (a[:, first], y[:, first]),
        (a[:, second], y[:, second]),
        level,
        1.0 if outcome == "win" else None,
    )
    return _named(found, totals, first, second)


def head_to_head(totals: Buckets, first: int, second: int, level: float = 0.95) -> Difference:
    """Return the difference of two strategies' win shares in the games with both (section 5)."""
    a, y = totals.beside, totals.beside_wins
    found = _difference(
        (a[:, first, second], y[:, first, second]),
        (a[:, second, first], y[:, second, first]),
        level,
        1.0,
    )
    return _named(found, totals, first, second)


def beats(totals: Buckets, first: int, second: int, level: float = 0.95) -> Difference:
    """Return P_AB: how often the first strategy's rank is the better of two seats (section 5).

    A share over all pairs of their seats in one game, equal ranks counting 1/2, with a
    cluster-Wilson interval; `p` is that of 1/2 and `games` counts the pairs of seats.
    """
    points = totals.points[:, first, second]
    seats = np.rint(points + totals.points[:, second, first]).astype(np.int64)
    sums = UnitSums()
    sums.add(seats, points)
    found = share(sums, level)
    return _named(Difference(**asdict(found), p=_p_of_half(found)), totals, first, second)


def _difference(
    first: tuple[NDArray[np.integer], Floats],
    second: tuple[NDArray[np.integer], Floats],
    level: float,
    limit: float | None,
) -> Difference:
    """Return the difference of two groups, each with its appearances and outcomes."""
    sums = PairSums()
    sums.add(*first, *second)
    return difference(sums, level, limit)


def _p_of_half(found: Estimate) -> float | None:
    """Return the two-sided p value of a share of 1/2; None where there is no share."""
    if found.estimate is None:
        return None
    if found.se is None or found.df is None:
        return 1.0
    away = abs(found.estimate - 0.5)
    if not found.se:
        return 1.0 if away < 1e-9 else 2.0 ** (1 - found.units)
    if found.df <= 0:
        return 1.0
    from scipy.special import stdtr

    return float(2 * stdtr(found.df, -away / found.se))


def _named(found: Difference, totals: Buckets, first: int, second: int) -> Difference:
    """Return the record with the method saying what was left out in turn."""
    deals = max(totals.deals[first], totals.deals[second])
    if not found.method or deals <= found.units:
        return found
    return replace(found, method=_over_buckets(found.method))


def _over_buckets(method: str) -> str:
    """Return the name of a method that leaves out buckets."""
    return method.replace("over units", "over buckets of deals")
