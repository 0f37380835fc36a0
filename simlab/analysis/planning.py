"""How many deals a question takes (statistics section 8, "Plan").

From the standard deviation of a block, known or from a pilot. A pilot's is a guess: planned as if
it were the truth, only half of all plans reach their power. Browne's factor makes it 80 % where
blocks are about normal; where most blocks are alike and a few differ much, as between near copies,
it takes the kurtosis, too (20 to 70 % without).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from simlab.analysis.corrections import each_level
from simlab.analysis.estimates import Estimate, check_level, is_rounding
from simlab.analysis.sequence import best_variance, boundary, tuned_rho
from simlab.analysis.stopping import check_margin
from simlab.analysis.sums import Floats
from simlab.errors import UserError

SMALL_PILOT = 30
"""Blocks of a pilot below which its plan comes with a warning."""
ASSURANCE = 0.8
"""Probability with which a plan from a pilot reaches its power."""
NO_DIFFERENCE_BLOCKS = 1.45
"""Blocks until "no difference" at a true 0, as a multiple of those until half-width = margin."""

_LARGEST_SHIFT = 30.0
"""Noncentrality above which the noncentral t is not asked for: the power is 1 by then."""


@dataclass(frozen=True)
class Spread:
    """The standard deviation of a block, and how far it can be trusted."""

    sd: float
    """In the units of the outcome, above 0."""
    pilot: int | None = None
    """Blocks of the pilot it comes from; None: it is known."""
    kurtosis: float = 3.0
    """Fourth central moment over the squared variance; less than the normal 3 counts as 3."""
    note: str | None = None
    """What the reader should know about it."""

    def __post_init__(self) -> None:
        """Raise UserError for what no plan can start from."""
        if not 0 < self.sd < math.inf:
            raise UserError(
                f"the standard deviation of a block must be above 0, such as 0.3, but is {self.sd}."
            )
        if self.pilot is not None and self.pilot < 2:
            raise _too_few(self.pilot)

    @property
    def factor(self) -> float:
        """Factor on the variance: df / chi-square_{0.2}(df) [Browne 1995]; 1 if it is known.

        df = B - 1 for normal blocks. In general 2 B / (k - (B - 3) / (B - 1)), k the kurtosis: the
        chi-square whose variance is that of the sample variance [Satterthwaite 1946].
        """
        if self.pilot is None:
            return 1.0
        from scipy.special import gammaincinv

        blocks = self.pilot
        half_df = blocks / (max(3.0, self.kurtosis) - (blocks - 3) / (blocks - 1))
        return float(half_df / gammaincinv(half_df, 1 - ASSURANCE))

    @property
    def warning(self) -> str | None:
        """The note, and that the pilot is small where it is."""
        small = self.pilot is not None and self.pilot < SMALL_PILOT
        warning = f"the pilot has fewer than {SMALL_PILOT} blocks" if small else None
        return "; ".join(filter(None, (self.note, warning))) or None


@dataclass(frozen=True)
class Plan:
    """How many deals to play."""

    units: int
    """Deals."""
    games: int
    """Games: deals times the games of a block."""
    factor: float
    """Factor on the variance for the uncertainty of the pilot, in `units`; 1 without a pilot."""
    note: str | None
    """What the reader should know about the plan."""


def block_spread(values: Floats, limit: float | None = None) -> Spread:
    """Return the standard deviation of a block, with its kurtosis, from the pilot's block values.

    values: float64 [B], such as the differences of A and B on each deal. limit: see `pilot_spread`,
    as are the errors.
    """
    blocks = len(values)
    away = values - values.mean() if blocks else values
    square = float(np.square(away).sum())
    if blocks < 2 or is_rounding(square / blocks, float(values.mean())):
        return _flat(blocks, limit)
    kurtosis = blocks * float((away**4).sum()) / square**2
    return Spread(math.sqrt(square / (blocks - 1)), blocks, kurtosis)


def pilot_spread(pilot: Estimate, limit: float | None = None) -> Spread:
    """Return the standard deviation of a block from a pilot's estimate of section 1 or 2.

    The kurtosis is taken for the normal one; with the blocks at hand, `block_spread` is better.

    limit: the largest value possible, such as 1.0 for win shares, for a pilot without variation:
    then one of its B blocks is taken to differ by so much, sd = limit / sqrt(B) (section 8).
    UserError with fewer than 2 blocks, or without variation and limit.
    """
    if not pilot.se:
        return _flat(pilot.units, limit)
    return Spread(pilot.se * math.sqrt(pilot.units), pilot.units)


def _flat(blocks: int, limit: float | None) -> Spread:
    """Return the standard deviation of a block from a pilot without variation (section 8)."""
    if blocks < 2:
        raise _too_few(blocks)
    note = f"no variation in {blocks} pilot blocks"
    if limit is None:
        raise UserError(f"there was {note}: give the standard deviation of a block, or play more.")
    return Spread(limit / math.sqrt(blocks), blocks, note=f"{note}: one is taken to differ")


def _too_few(blocks: int) -> UserError:
    """Return the error for a pilot that says nothing."""
    return UserError(
        f"a pilot must have at least 2 blocks, better {SMALL_PILOT}, but has {blocks}."
    )


def plan_difference(
    spread: Spread,
    difference: float,
    *,
    level: float = 0.95,
    power: float = 0.9,
    comparisons: int = 1,
    block_games: int = 1,
    exact: bool = False,
) -> Plan:
    """Return how many deals find a true difference with the power.

    spread: of a block's difference; difference: above 0, in the same units; level, power: in
    (0, 1); comparisons: K, each at a / K; block_games: games of a block. U = (z_{1 - a / 2K} +
    z_power)^2 s^2 / difference^2, rounded up, with the factor of a pilot (statistics section 8).
    exact: by the noncentral t instead, which matters below some 50 deals. UserError for anything
    out of its range.
    """
    each = _level(level, comparisons)
    if not 0 < power < 1:
        raise UserError(f"the power must lie between 0 and 1, such as 0.9, but is {power}.")
    if not 0 < difference < math.inf:
        raise UserError(f"the difference must be above 0, such as 0.01, but is {difference}.")
    from scipy.special import ndtri

    sd = spread.sd * math.sqrt(spread.factor)
    z = float(ndtri((1 + each) / 2) + ndtri(power))
    if z <= 0:
        raise UserError(
            f"a power of {power} takes no games at level {level}: ask for more than {1 - each:g}."
        )
    units = max(2, math.ceil((z * sd / difference) ** 2))
    if exact:
        units = _exact_units(units, difference / sd, each, power)
    return _plan(units, block_games, spread)


def plan_precision(
    spread: Spread,
    half_width: float,
    *,
    level: float = 0.95,
    comparisons: int = 1,
    block_games: int = 1,
) -> Plan:
    """Return how many deals bring the interval's half-width down to `half_width`.

    U = (z_{1 - a / 2K} s / h)^2, rounded up, with the factor of a pilot (statistics section 8).
    Arguments as in `plan_difference`. UserError for anything out of its range.
    """
    each = _level(level, comparisons)
    if not 0 < half_width < math.inf:
        raise UserError(f"the half-width must be above 0, such as 0.005, but is {half_width}.")
    from scipy.special import ndtri

    variance = spread.factor * (spread.sd * float(ndtri((1 + each) / 2)) / half_width) ** 2
    return _plan(max(2, math.ceil(variance)), block_games, spread)


@dataclass(frozen=True)
class SequentialPlan:
    """How many deals a run with a stopping rule takes; the rule holds whatever they are."""

    to_margin: int
    """Deals until the half-width of the sequence's interval is the margin."""
    to_no_difference: int
    """Deals until "no difference over the margin" where there is none, about, on average."""
    games: int
    """Games of `to_no_difference`."""
    note: str | None
    """What the reader should know about the plan."""


def plan_sequence(
    spread: Spread,
    margin: float,
    width: float,
    *,
    level: float = 0.95,
    comparisons: int = 1,
    block_games: int = 1,
) -> SequentialPlan:
    """Return about how many deals a run with a stopping rule takes (statistics section 8).

    margin: above 0; width: range c of a block value, 2 for a difference of win shares. Deals U at
    which u(s^2 U) / U = margin by the boundary itself, tuned for this margin; about (3.2 s /
    margin)^2 + 10 c / margin for one comparison. UserError for anything out of its range.
    """
    each = _level(level, comparisons)
    check_margin(margin)
    from scipy.optimize import brentq

    sd = spread.sd * math.sqrt(spread.factor)
    rho = tuned_rho(best_variance(width, sd, margin), each)

    def too_wide(log_units: float) -> float:
        units = math.exp(log_units)
        return math.log(boundary(sd * sd * units, width, rho, each) / units / margin)

    upper = 1.0
    while too_wide(upper) > 0:
        upper += 2
    units = math.ceil(math.exp(brentq(too_wide, -40.0, upper)))
    longer = math.ceil(NO_DIFFERENCE_BLOCKS * units)
    return SequentialPlan(units, longer, longer * block_games, spread.warning)


def _level(level: float, comparisons: int) -> float:
    """Return the level of each comparison, both checked."""
    check_level(level)
    return each_level(level, comparisons)


def _exact_units(units: int, effect: float, level: float, power: float) -> int:
    """Return the least number of deals at which the t test has the power, from nearby `units`.

    effect: difference over standard deviation of a block.
    """
    from scipy.special import nctdtr, stdtrit

    def reached(count: int) -> bool:
        bound = -stdtrit(count - 1, (1 - level) / 2)
        shift = min(effect * math.sqrt(count), _LARGEST_SHIFT)
        within = nctdtr(count - 1, shift, bound) - nctdtr(count - 1, shift, -bound)
        return bool(1 - within >= power)

    while not reached(units):
        units += 1
    while units > 2 and reached(units - 1):
        units -= 1
    return units


def _plan(units: int, block_games: int, spread: Spread) -> Plan:
    """Return the plan for so many deals."""
    return Plan(units, units * block_games, spread.factor, spread.warning)
