"""When to stop, and what may be said then (statistics section 3).

Verdicts are read off intervals of confidence sequences, so that all of a run's are true together
with the probability of the level, whenever it stops. Looks are at the longest finished prefix of
batches and never at what happens to be done.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simlab.analysis.corrections import holm
from simlab.analysis.estimates import check_level
from simlab.analysis.sequence import ConfidenceSequence
from simlab.analysis.sums import Floats
from simlab.errors import UserError

BATCH_DEALS = 4096
"""Deals of a batch, cut the same way whatever the shards."""

A_BETTER = "A better"
B_BETTER = "B better"
NO_DIFFERENCE = "no difference over the margin"
NOT_SETTLED = "not settled at max"
PRECISE = "precise enough"
PASS = "PASS"
FAIL = "FAIL"
INCONCLUSIVE = "INCONCLUSIVE"

LESS_THAN_MARGIN = "by less than the margin"
WORSE_WITHIN = "worse, within the margin"


@dataclass(frozen=True)
class Verdict:
    """What a run says once it may stop."""

    claim: str
    """One of the claims of this module."""
    addition: str | None = None
    """What holds besides, in words."""


def compare(low: float, high: float, margin: float | None, last: bool) -> Verdict | None:
    """Return the verdict on the difference of A and B; None: play on.

    low, high: the interval now. margin: the difference that matters, above 0; None: only better or
    worse is asked ("A>B@95%"). last: the games are used up. UserError for a margin not above 0.
    """
    if margin is not None:
        check_margin(margin)
    if low > 0 or high < 0:
        small = margin is not None and -margin < low and high < margin
        return Verdict(A_BETTER if low > 0 else B_BETTER, LESS_THAN_MARGIN if small else None)
    if margin is not None and -margin < low and high < margin:
        return Verdict(NO_DIFFERENCE)
    return Verdict(NOT_SETTLED) if last else None


def gate(low: float, high: float, margin: float, last: bool) -> Verdict | None:
    """Return whether the new strategy is not worse than the old one by the margin; None: play on.

    low, high: the interval of new minus old. PASS needs low > -margin and FAIL high < -margin, so
    that never both hold. UserError for a margin not above 0: equal ones would never pass.
    """
    check_margin(margin)
    if low > -margin:
        return Verdict(PASS, WORSE_WITHIN if high < 0 else None)
    if high < -margin:
        return Verdict(FAIL)
    return Verdict(INCONCLUSIVE) if last else None


def precise(half_width: float, wanted: float, last: bool) -> Verdict | None:
    """Return whether the half-width is down to the `wanted` one ("ci=h"); None: play on.

    UserError for a wanted half-width not above 0.
    """
    if not wanted > 0:
        raise UserError(
            f"the half-width to stop at must be above 0, such as ci=0.005, but is {wanted}."
        )
    if half_width <= wanted:
        return Verdict(PRECISE)
    return Verdict(NOT_SETTLED) if last else None


def claims(sequences: Sequence[ConfidenceSequence], level: float) -> NDArray[np.int64]:
    """Return what may be claimed of several comparisons at once: 1, -1 or 0 each, int64 [K].

    1: the mean is above its null, -1: below, 0: no claim yet. By Holm on the anytime p values, so
    that any false claim, at any look and stop, has probability at most 1 - level [Johari et al.
    2022; Howard et al. 2021]. p values only fall: a claim once made stays. All K sequences must be
    there from the start, also those not yet fed. UserError if the level is out of range.
    """
    check_level(level)
    adjusted = holm(np.array([sequence.p for sequence in sequences], dtype=np.float64))
    sign = np.array([sequence.sign for sequence in sequences], dtype=np.int64)
    return np.where(adjusted <= 1 - level, sign, 0)


def check_margin(margin: float) -> None:
    """Raise UserError unless the margin is a number above 0."""
    if not 0 < margin < math.inf:
        raise UserError(
            "the margin must be above 0, such as 0.01: the smallest difference that matters;"
            f" it is {margin}."
        )


class BatchPart(NamedTuple):
    """The blocks of one batch that one shard holds: what its receipt keeps."""

    batch: int
    """Number of the batch, from 0."""
    first: int
    """First deal of the part, counted from the first deal of the run."""
    deals: int
    """Deals of the part, those without a block among them."""
    units: int
    """Blocks: deals that count."""
    total: float
    """Sum of their values."""
    squares: float
    """Sum of the squares of their values."""


def cut(deals: NDArray[np.integer], values: Floats, first: int, after: int) -> list[BatchPart]:
    """Return the parts of batches that the deals from `first` to `after` make up.

    deals: numbers of the deals that have a block, integers [U], from the run's first deal, which
    is 0; values: float64 [U], one each. A deal without a block is void or was left out by a rule;
    it was played all the same. ValueError for a deal outside the range or another shape.
    """
    if deals.shape != values.shape or deals.ndim != 1:
        raise ValueError("there must be one value a deal")
    if deals.size and not first <= deals.min() <= deals.max() < after:
        raise ValueError(f"a deal lies outside {first} to {after}")
    base = first // BATCH_DEALS
    batch = deals.astype(np.int64) // BATCH_DEALS - base
    size = -(-after // BATCH_DEALS) - base if after > first else 0
    sums = [np.bincount(batch, weights, size) for weights in (None, values, values * values)]
    parts = []
    for number in range(size):
        start = max(first, (base + number) * BATCH_DEALS)
        end = min(after, (base + number + 1) * BATCH_DEALS)
        units, total, squares = (float(of[number]) for of in sums)
        parts.append(BatchPart(base + number, start, end - start, int(units), total, squares))
    return parts


class FinishedBatches:
    """Batches in order, from parts that arrive in any order.

    A batch is finished when all of its deals are there, and is handed out when all before it are.
    """

    def __init__(self, deals: int) -> None:
        """Start empty; `deals` are played at most, so that the last batch may be a short one."""
        self._deals = deals
        self._next = 0
        self._parts: dict[int, dict[int, BatchPart]] = {}

    def add(self, parts: Sequence[BatchPart]) -> None:
        """Add the parts of a shard; ValueError for one that is already there."""
        for part in parts:
            batch = self._parts.setdefault(part.batch, {})
            if part.batch < self._next or part.first in batch:
                raise ValueError(f"deals from {part.first} on are already there")
            batch[part.first] = part

    def take(self) -> tuple[int, float, float] | None:
        """Return blocks, sum and sum of squares of the next batch, or None if it is unfinished.

        The parts are added in the order of their deals, whatever the order they came in.
        """
        batch = self._parts.get(self._next, {})
        size = min(BATCH_DEALS, self._deals - self._next * BATCH_DEALS)
        if size <= 0 or sum(part.deals for part in batch.values()) < size:
            return None
        parts = [batch[first] for first in sorted(batch)]
        del self._parts[self._next]
        self._next += 1
        return (
            sum(part.units for part in parts),
            sum(part.total for part in parts),
            sum(part.squares for part in parts),
        )

    @property
    def last(self) -> bool:
        """Whether all batches were taken: the games are used up."""
        return self._next * BATCH_DEALS >= self._deals
