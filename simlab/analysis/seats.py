"""Whether all seats win alike (statistics section 6, "First-seat advantage by itself").

The unit is the deal: what part of its games each seat won. Hotelling's test judges all seats at
once, from sums and cross products alone; each seat is judged by the interval of section 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simlab.analysis.corrections import holm
from simlab.analysis.estimates import Estimate, check_level
from simlab.analysis.sums import Floats

HOTELLING = "Hotelling, over units"
SEAT_BY_SEAT = "each seat by itself"
FEWEST_DEALS = 30
"""Deals for each seat below which Hotelling's test is not to be trusted: 8 independent seats that
are alike differ "at 5 %" in 16 % of runs with 5 deals a seat, in 10 % with 10, in 6 % with 50."""


class SeatSums:
    """Streaming sums of the seats' shares in each deal; memory for n x n numbers."""

    def __init__(self) -> None:
        """Start empty; the first deals say how many seats there are."""
        self.units = 0
        """Deals."""
        self.games = 0
        """Games of these deals."""
        self.complete = True
        """Whether every seat was in every game; if not, there is nothing to compare."""
        self._total: Floats = np.zeros(0)
        self._cross: Floats = np.zeros((0, 0))

    @property
    def seats(self) -> int:
        """Number of seats."""
        return len(self._total)

    def add(self, appearances: NDArray[np.integer], wins: Floats) -> None:
        """Add D deals: games of each seat, integers [n, D], and what it won, float64 [n, D].

        The wins of a game must add up to 1. Deals without a game are passed over.
        """
        games = appearances[0]
        if self.seats not in (0, len(appearances)) or (appearances != games).any():
            self.complete = False
        if not self.complete:
            return
        there = games > 0
        if not there.all():
            games, wins = games[there], wins[:, there]
        if games.size:
            share = wins if games.max() == 1 else wins / games
            away = share - share.mean(axis=1, keepdims=True)
            self._combine(len(games), int(games.sum()), share.sum(axis=1), away @ away.T)

    def merge(self, other: SeatSums) -> None:
        """Add the deals of `other`, which must be other deals than those already here."""
        sizes = {sums.seats for sums in (self, other) if sums.units}
        self.complete = self.complete and other.complete and len(sizes) < 2
        if self.complete and other.units:
            self._combine(other.units, other.games, other._total, other._cross)

    def _combine(self, units: int, games: int, total: Floats, cross: Floats) -> None:
        """Add sums [n] and cross products about the mean [n, n] [Chan, Golub, LeVeque 1983]."""
        if not self.units:
            self._total, self._cross = np.zeros_like(total), np.zeros_like(cross)
        both = self.units + units
        gap = self._total / max(self.units, 1) - total / units
        self._cross = self._cross + cross + np.outer(gap, gap) * (self.units * units / both)
        self._total = self._total + total
        self.units, self.games = both, self.games + games

    def away(self) -> Floats:
        """Return each seat's mean share minus the equal share, float64 [n]."""
        away: Floats = self._total / self.units - 1 / self.seats
        return away

    def covariance(self) -> Floats | None:
        """Return the covariance of the first n - 1 seats' shares, float64 [n - 1, n - 1].

        None where it has no inverse: there are too few deals, or shares that never vary.
        """
        if self.units <= self.seats - 1 or self.seats < 2:
            return None
        sizes = np.linalg.eigvalsh(self._cross)  # the first is 0: the shares add up to 1
        rounding = max(1e-14 * self.seats * float(sizes[-1]), 1e-20 * self.units)
        return None if sizes[1] < rounding else self._cross[:-1, :-1] / (self.units - 1)


class Hotelling(NamedTuple):
    """Hotelling's one-sample test."""

    t2: float
    """T^2."""
    statistic: float
    """F."""
    df: tuple[int, int]
    """Degrees of freedom of F."""
    p: float
    """p value of equal shares."""


def hotelling(sums: SeatSums) -> Hotelling | None:
    """Return Hotelling's test that every seat's mean share is 1/n; None where it cannot be made.

    On n - 1 of the seats, whichever: T^2 = U d' S^-1 d, F = (U - n + 1) / ((n - 1)(U - 1)) T^2 with
    n - 1 and U - n + 1 degrees of freedom (statistics section 6); the same numbers as statsmodels'
    `test_mvmean`.
    """
    covariance = sums.covariance()
    if covariance is None:
        return None
    from scipy.special import fdtrc

    away, units, p = sums.away()[:-1], sums.units, sums.seats - 1
    t2 = units * float(away @ np.linalg.solve(covariance, away))
    f = (units - p) / (p * (units - 1)) * t2
    return Hotelling(t2, f, (p, units - p), float(fdtrc(p, units - p, f)))


def p_of_share(found: Estimate, value: float) -> float:
    """Return the two-sided p value of a true share of `value`, in (0, 1).

    found: as `estimates.share` returns it. The p value is below `a` exactly where the interval of
    level 1 - a does not hold `value`; 1 where there is no interval to speak of.
    """
    if found.estimate is None or found.se is None or found.df is None:
        return 1.0
    share = found.estimate
    if found.se == 0:
        near = (1 - value) / (1 - share) if share < value else value / max(share, value)
        return min(1.0, 2 * near**found.units)
    spread = share * (1 - share)
    if spread <= 0 or found.df <= 0:
        return 1.0
    from scipy.special import stdtr

    t = abs(share - value) * math.sqrt(spread / (value * (1 - value))) / found.se
    return float(min(1.0, 2 * stdtr(found.df, -t)))


@dataclass(frozen=True)
class SeatTest:
    """The test that all seats win alike."""

    statistic: float | None
    """F of Hotelling's test; None where the seats were judged one by one."""
    df: tuple[int, int] | None
    """Degrees of freedom of F."""
    p: float | None
    """p value of equal win shares; None with a single deal."""
    p_seats: tuple[float, ...]
    """For each seat the p value of the equal share, corrected for the number of seats."""
    units: int
    """Deals."""
    games: int
    """Games."""
    method: str
    """How `p` was made."""
    level: float
    """1 minus the p value at which a difference is claimed."""
    correction: str
    """Of `p_seats`."""
    note: str | None = None
    """What the reader should know."""

    @property
    def differ(self) -> bool:
        """Whether the seats are shown to differ."""
        return self.p is not None and self.p <= 1 - self.level


def seats_alike(sums: SeatSums, shares: Sequence[Estimate], level: float = 0.95) -> SeatTest | None:
    """Return the test that all seats have the same win share (statistics section 6).

    shares: the win share of each seat, as `estimates.share` returns it, in the order of the
    result's `p_seats`. Where Hotelling's test cannot be made, because a seat always or never wins,
    or is not to be trusted, with fewer than 30 deals for each seat, `p` is the smallest of
    `p_seats`. None where there is nothing to compare: fewer than two seats, or games that differ
    in their seats. UserError if the level is out of range.
    """
    check_level(level)
    if not sums.complete or not sums.units or not 2 <= sums.seats == len(shares):
        return None
    each = holm(np.array([p_of_share(found, 1 / sums.seats) for found in shares]))
    p_seats = tuple(map(float, each))

    def test(of_all: Hotelling | None, p: float | None, note: str | None) -> SeatTest:
        f, df = (None, None) if of_all is None else (of_all.statistic, of_all.df)
        how = SEAT_BY_SEAT if of_all is None else HOTELLING
        correction = f"Holm, {sums.seats} seats"
        return SeatTest(f, df, p, p_seats, sums.units, sums.games, how, level, correction, note)

    if sums.units == 1:
        return test(None, None, "one unit")
    if sums.units < FEWEST_DEALS * sums.seats:
        return test(None, min(p_seats), f"fewer than {FEWEST_DEALS} deals for each seat")
    found = hotelling(sums)
    if found is None:
        return test(None, min(p_seats), "shares that do not vary")
    return test(found, found.p, None)
