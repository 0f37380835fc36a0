"""Which of two strategies is better head to head: fixed games first, then games for the open pairs.

Half of the error goes to the balanced games, whose number is fixed before, and half to the games
that were played for single pairs afterwards, in which a confidence sequence holds at any look. So
all claims of a tournament are true together with the probability of the level, however many games
were added for which pairs (statistics sections 3 and 5).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from simlab.analysis.buckets import Buckets
from simlab.analysis.corrections import each_level, holm
from simlab.analysis.jackknife import beats, head_to_head
from simlab.analysis.paired import Difference
from simlab.analysis.ranking import FEWEST_UNITS, TOO_FEW
from simlab.analysis.sequence import WIN_DIFFERENCE, ConfidenceSequence, best_variance, tuned_rho

if TYPE_CHECKING:
    import polars as pl

    from simlab.running.fields import PairBlocks

BATCH = 256
"""Deals of a batch of a pair's own games."""


@dataclass(frozen=True)
class Meeting:
    """Two strategies, head to head. first, second: places in the field; all are of the first.

    beats: how often its rank was the better one, in the balanced games; difference: of win shares
    in games with both; low, high: its interval at the level for all pairs; p: not corrected;
    verdict: 1 the first is better, -1 the second, 0 not settled; extra: games played for this pair
    alone.
    """

    first: int
    second: int
    beats: Difference
    difference: float | None
    low: float | None
    high: float | None
    p: float
    p_holm: float
    verdict: int
    extra: int
    note: str | None

    @property
    def doubt(self) -> float:
        """The width of its interval over its difference: the larger, the further from settled."""
        if None in (self.low, self.high, self.difference):
            return math.inf
        assert self.low is not None
        assert self.high is not None
        return (self.high - self.low) / max(abs(self.difference or 0.0), 1e-12)


class Sequences:
    """The sequences of all pairs, fed by the games that were played for them."""

    def __init__(self, totals: Buckets, level: float, expected: int) -> None:
        """Tune each by the balanced games; expected: deals that a pair may get at most."""
        self.level = level
        self.of: dict[tuple[int, int], ConfidenceSequence] = {}
        for pair in itertools.combinations(range(len(totals.names)), 2):
            found = head_to_head(totals, *pair, level)
            sd, apart = _block_sd(found), abs(found.estimate or 0.0) or None
            v_opt = best_variance(2.0, sd, apart, max(expected, 30))
            self.of[pair] = ConfidenceSequence(*WIN_DIFFERENCE, tuned_rho(v_opt, level), level)

    def add(self, rows: pl.DataFrame, design: PairBlocks, places: Sequence[int]) -> None:
        """Take in the games that a part played for its pairs.

        places: where each of the part's strategies stands in the field.
        """
        codes = rows["strategy"].to_physical().to_numpy()
        shape = (-1, len(design.pairs), design.players * design.players)
        who = np.array(places)[codes].reshape(shape)
        won = rows["win"].to_numpy().reshape(shape)
        for at, (first, second) in enumerate(design.pairs):
            both = places[first], places[second]
            pair = (min(both), max(both))
            sign = (who[:, at] == pair[0]).astype(np.int8) - (who[:, at] == pair[1])
            values = (won[:, at] * sign).sum(axis=1) / design.players
            for batch in np.array_split(values, range(BATCH, len(values), BATCH)):
                squares = float(np.square(batch).sum())
                self.of[pair].add(len(batch), float(batch.sum()), squares)


def _block_sd(found: Difference) -> float:
    """Return about what a block of one line-up varies by; without a clue the usual guess."""
    if not found.se or found.units < FEWEST_UNITS:
        return 0.5
    games = found.games / 2
    return min(1.0, max(found.se * math.sqrt(games), 0.01))


def meetings(
    totals: Buckets, sequences: Sequences | None, level: float, extra: dict[tuple[int, int], int]
) -> list[Meeting]:
    """Return all pairs of the field, with what may be claimed of them (Holm, head to head).

    totals: of the balanced games, strategies in the order of the field; sequences: of further
    games; None where none were to be played, and all of the error goes to the balanced ones.
    """
    pairs = list(itertools.combinations(range(len(totals.names)), 2))
    halves = 1 if sequences is None else 2
    each = each_level(level, halves * len(pairs))
    rows = []
    for first, second in pairs:
        found = head_to_head(totals, first, second, each)
        few = int((totals.beside[:, first, second] > 0).sum()) < FEWEST_UNITS
        p = 1.0 if few or found.p is None else found.p
        low, high, estimate = found.low, found.high, found.estimate
        sign = float(np.sign(estimate or 0.0))
        if sequences is not None:
            own = sequences.of[first, second]
            by_own = own.p < p
            sign = own.sign if by_own else sign
            p = min(1.0, 2 * min(p, own.p))
            low, high, estimate = _both(found, own, by_own)
        rows.append((first, second, p, low, high, estimate, sign, TOO_FEW if few else None))
    adjusted = holm(np.array([row[2] for row in rows]))
    return [
        Meeting(
            first, second, beats(totals, first, second, each), estimate, low, high, p, float(q),
            int(sign) if q <= 1 - level + 1e-12 else 0, extra.get((first, second), 0), note,
        )
        for (first, second, p, low, high, estimate, sign, note), q
        in zip(rows, adjusted, strict=True)
    ]  # fmt: skip


def _both(
    found: Difference, own: ConfidenceSequence, by_own: bool
) -> tuple[float | None, float | None, float | None]:
    """Return the interval that both halves of the error leave, and the more precise estimate in it.

    by_own: which half has the smaller p, and so the word where the two contradict each other.
    """
    if not own.units:
        return found.low, found.high, found.estimate
    low, high = own.interval()
    if found.low is None or found.high is None or found.estimate is None:
        return low, high, own.mean
    both = max(low, found.low), min(high, found.high)
    if both[0] > both[1]:  # which the level allows for
        return (low, high, own.mean) if by_own else (found.low, found.high, found.estimate)
    opposed = own.mean * found.estimate < 0
    of_own = by_own if opposed else high - low < found.high - found.low
    estimate = own.mean if of_own else found.estimate
    return both[0], both[1], min(max(estimate, both[0]), both[1])
