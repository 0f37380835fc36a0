"""A confidence sequence: an interval that holds at every look (statistics section 3).

The empirical-Bernstein sequence with the gamma-exponential mixture boundary [Howard, Ramdas,
McAuliffe, Sekhon 2021, Theorem 4 and Proposition 9]: for block values in a known range and with
one mean, no other assumption. It needs the number, sum and sum of squares of each batch alone, and
batches are fixed ranges of deals, so that a run stops at the same deal for any number of workers.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simlab.analysis.estimates import Estimate, check_level
from simlab.analysis.sums import Floats
from simlab.errors import UserError

SEQUENCE = "empirical-Bernstein confidence sequence, valid at any stop"
LEANS = "after a stop by a rule the estimate leans outward a little"
WIN_DIFFERENCE = (-1.0, 1.0)
"""Bounds of a difference of win shares."""
WIN_SHARE = (0.0, 1.0)
"""Bounds of a win share."""

SMALLEST_V = 1e-3
"""Least variance sum to tune for, in squares of the range: below it nothing is gained."""


@dataclass
class ConfidenceSequence:
    """The state of a sequence, fed batch by batch, and what it says so far.

    `asdict` gives it as plain numbers; `ConfidenceSequence.from_dict` continues from there.
    """

    low: float
    """Least possible value of a block."""
    high: float
    """Largest possible value of a block."""
    rho: float
    """Tuning, in squares of the values; see `tuned_rho`. Chosen before the first look."""
    level: float
    """Probability with which all intervals of the sequence hold, together, in (0, 1)."""
    null: float = 0.0
    """The mean to test against: 0 for differences, 1 / seats for win shares."""
    units: int = 0
    """Blocks so far."""
    batches: int = 0
    """Batches so far."""
    total: float = 0.0
    """Sum of the block values."""
    variance: float = 0.0
    """V: sum over batches of the squares about the mean before the batch."""
    log_p: float = 0.0
    """Logarithm of the anytime p value."""
    sign: int = 0
    """On which side of the null mean the p value was reached: -1, 1, or 0 as long as it is 1."""

    def __post_init__(self) -> None:
        """Refuse settings that make no sequence: ValueError, or UserError for the level."""
        check_level(self.level)
        if not self.low <= self.null <= self.high or not 0 < self.width < math.inf:
            raise ValueError(f"no range: {self.low} to {self.high} about {self.null}")
        if not 0 < self.rho < math.inf:
            raise ValueError(f"rho must be above 0, but is {self.rho}")

    @classmethod
    def from_dict(cls, state: dict[str, Any]) -> ConfidenceSequence:
        """Return the sequence that `asdict` described; ValueError for anything else."""
        if set(state) != {field.name for field in fields(cls)}:
            raise ValueError(f"not the state of a confidence sequence: {sorted(state)}")
        return cls(**state)

    def to_dict(self) -> dict[str, Any]:
        """Return the state as plain numbers by name, as JSON can keep it without loss."""
        return asdict(self)

    @property
    def width(self) -> float:
        """Width c of the range of a block value."""
        return self.high - self.low

    @property
    def mean(self) -> float:
        """Mean of the block values; the null mean before the first batch."""
        return self.total / self.units if self.units else self.null

    def add(self, units: int, total: float, squares: float) -> None:
        """Add the next batch, which is a look: its blocks, sum and sum of squares.

        Batches must come in the order of their deals, each chosen before anything in it was seen.
        A batch without blocks is passed over. ValueError if no values in the range have such sums.
        """
        largest = max(self.low * self.low, self.high * self.high)
        slack = 1e-9 * units * max(abs(self.low), abs(self.high))
        inside = units * self.low - slack <= total <= units * self.high + slack
        if units < 0 or not inside or not 0 <= squares <= units * largest * (1 + 1e-9):
            raise ValueError(
                f"{units} values of {self.low} to {self.high} have no sums {total} and {squares}"
            )
        if not units:
            return
        before = self.mean
        self.variance += max(0.0, squares - 2 * before * total + units * before * before)
        self.total += total
        self.units += units
        self.batches += 1
        self._update_p()

    def _update_p(self) -> None:
        """Take the p value down to that of this look: 2 / M, the better side for the claim."""
        away = self.total - self.units * self.null
        log_p = math.log(2) - float(log_mixture(abs(away), self.variance, self.width, self.rho))
        if log_p < self.log_p:
            self.log_p, self.sign = log_p, 1 if away > 0 else -1

    @property
    def p(self) -> float:
        """Anytime p value of the null mean, two-sided: the least over all looks."""
        return math.exp(self.log_p)

    @property
    def half_width(self) -> float:
        """Half the width of the interval, u(V) / N; infinite before the first batch."""
        if not self.units:
            return math.inf
        return boundary(self.variance, self.width, self.rho, self.level) / self.units

    def interval(self) -> tuple[float, float]:
        """Return the interval of the mean, within the range; before the first batch all of it."""
        half = self.half_width
        return max(self.low, self.mean - half), min(self.high, self.mean + half)

    def estimate(self, games: int, correction: str | None = None) -> Estimate:
        """Return the record of the mean; `games` were played for it.

        correction: how `level` was made that of one of several comparisons.
        """
        low, high = self.interval()
        return Estimate(
            self.mean if self.units else None,
            low,
            high,
            None,
            None,
            self.units,
            games,
            SEQUENCE,
            self.level,
            correction,
            LEANS if self.units else "no block yet",
        )


def score_bounds(low: float | None, high: float | None) -> tuple[float, float]:
    """Return the bounds of a difference of scores that lie between `low` and `high`, in points.

    UserError if the game declares no such range, or it is empty.
    """
    if low is None or high is None:
        raise UserError(
            "the game declares no lowest and highest score, and without them no stopping rule"
            " holds; name them with --score-range LOW:HIGH."
        )
    if not -math.inf < low < high < math.inf:
        raise UserError(
            f"the lowest score must lie below the highest, but the range is {low} to {high}."
        )
    return low - high, high - low


def log_mixture(s: float | Floats, v: float | Floats, width: float, rho: float) -> Floats:
    """Return log M(s, V): the mixture of exponential supermartingales, as evidence for a mean.

    s: sum of the block values about a mean, at least 0; v: V; both float64 of one shape. width: c.
    M rises with s, so that of two sides only the one with s > 0 can matter. With r = rho / c^2,
    k = (V + rho) / c^2, y = s / (c k) and P the regularised lower incomplete gamma function,

    log M = log(r / k) / 2 + d(k) - d(r) + k (y - log(1 + y)) + log P(k, k + s / c) - log P(r, r),

    which is Proposition 9 of Howard et al. [2021] with each log Gamma(x) written as Stirling's
    formula plus d(x): its large terms are gone before they can cancel. P does not underflow, as
    its second argument is never below its first. ValueError for a negative s.
    """
    from scipy.special import gammainc

    if np.any(np.asarray(s) < 0):
        raise ValueError("log M is for sums of at least 0")
    r, k = rho / width**2, (np.asarray(v, dtype=np.float64) + rho) / width**2
    away = np.asarray(s, dtype=np.float64) / width
    y = away / k
    shape = np.log(r / k) / 2 + _beyond_stirling(k) - _beyond_stirling(r)
    tail = np.log(gammainc(k, k + away)) - np.log(gammainc(r, r))
    return np.asarray(shape + k * (y - np.log1p(y)) + tail, dtype=np.float64)


def _beyond_stirling(x: float | Floats) -> Floats:
    """Return log Gamma(x) - ((x - 1/2) log x - x + log(2 pi) / 2) for x > 0."""
    from scipy.special import gammaln

    x = np.asarray(x, dtype=np.float64)
    near = np.minimum(x, 20.0)
    direct = gammaln(near) - ((near - 0.5) * np.log(near) - near + math.log(2 * math.pi) / 2)
    q = 1 / np.maximum(x, 20.0) ** 2
    series = (1 / 12 - q * (1 / 360 - q * (1 / 1260 - q / 1680))) / np.maximum(x, 20.0)
    return np.where(x < 20, direct, series)


def boundary(v: float, width: float, rho: float, level: float) -> float:
    """Return u(V): how far the sum of the block values may stray from N times the mean.

    The root s of log M(s, V) = log(2 / a), a = 1 - level. In the units of the values.
    """
    from scipy.optimize import brentq

    v, rho = v / width**2, rho / width**2
    enough = math.log(2 / (1 - level))

    def lacking(s: float) -> float:
        return float(log_mixture(s, v, 1.0, rho)) - enough

    upper = 1 + math.sqrt(v)
    while lacking(upper) < 0:
        upper *= 2
    return width * float(brentq(lacking, 0.0, upper, xtol=1e-13, rtol=1e-14))


def tuned_rho(v_opt: float, level: float) -> float:
    """Return the tuning that makes the sequence narrowest about V = v_opt.

    level: of this sequence, in (0, 1), a Bonferroni part where it is one of several.
    rho = v_opt / (2 log(1 / a) + log(1 + 2 log(1 / a))) [Howard et al. 2021].
    """
    evidence = -2 * math.log(1 - level)
    return v_opt / (evidence + math.log1p(evidence))


def best_variance(
    width: float, sd: float | None = None, margin: float | None = None, most: float | None = None
) -> float:
    """Return v_opt: the variance sum at which the sequence should be narrowest.

    width: c; sd: standard deviation of a block from a pilot on other deals, never from the run's
    own data, else c / 4; margin: the difference that matters, above 0, or None; most: the largest
    number of blocks, or None. v_opt = sd^2 t, t = min((3 sd / margin)^2, most / 10), without a
    margin most / 30 (statistics section 3). Twice too much or too little costs little; err to a
    small sd. ValueError without margin and most.
    """
    if margin is None and most is None:
        raise ValueError("a sequence needs a margin or a largest number of blocks to tune for")
    sd = width / 4 if sd is None else sd
    if margin is None:
        assert most is not None
        blocks = most / 30
    else:
        blocks = min((3 * sd / margin) ** 2, math.inf if most is None else most / 10)
    return max(sd * sd * blocks, SMALLEST_V * width * width)


def check_values(values: NDArray[np.floating[Any]], bounds: tuple[float, float]) -> None:
    """Raise UserError if a block value lies outside the declared bounds."""
    low, high = bounds
    if values.size and not (values.min() >= low - 1e-9 and values.max() <= high + 1e-9):
        worst = max(values.min(), values.max(), key=lambda x: max(low - x, x - high))
        raise UserError(
            f"a block value of {worst:g} lies outside its range {low:g} to {high:g}: the stopping"
            " rule does not hold; declare a wider range with --score-range."
        )
