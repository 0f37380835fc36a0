"""Stopping rules of a run: they look at batches of deals in order (statistics section 3)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from simlab.analysis.sequence import ConfidenceSequence, check_values
from simlab.analysis.stopping import BATCH_DEALS, FinishedBatches, Verdict, cut
from simlab.study.outcomes import Floats

if TYPE_CHECKING:
    import polars as pl

Judge = Callable[[Sequence[ConfidenceSequence], bool], Verdict | None]


class Look(NamedTuple):
    """What one comparison said at a look."""

    deals: int
    estimate: float
    low: float
    high: float


@dataclass(frozen=True)
class Asked:
    """What a rule looks at and how it judges.

    values: rows of whole deals -> the value of each deal for each comparison, float64 [U, K]; NaN
    where a deal has none; names: of the comparisons; judge: sequences, whether it is the last look
    -> a verdict, or None to play on; percent: whether values are shares, for whoever reads along.
    """

    values: Callable[[pl.DataFrame], Floats]
    names: tuple[str, ...]
    judge: Judge
    percent: bool = True


class Stop:
    """Follows K confidence sequences through a run and stops it at the first verdict.

    Looks are at the end of each batch of 4096 deals, and at the end of all games; a batch is a
    fixed range of deals, so the run stops at the same game however it is cut.
    """

    def __init__(
        self,
        asked: Asked,
        sequences: Sequence[ConfidenceSequence],
        block: int,
        first_deal: int,
        deals: int,
        rule: str = "",
    ) -> None:
        """Begin before the first deal.

        block: games of a deal; deals: how many at most; rule: what stops it, in words.
        """
        self.rule = rule
        self.asked, self.sequences = asked, list(sequences)
        self.block, self.first_deal, self.deals = block, first_deal, deals
        self._batches = [FinishedBatches(deals) for _ in sequences]
        self._next = 0
        self.looks: list[list[Look]] = [[] for _ in sequences]
        """What each comparison said at each look."""
        self.verdict: Verdict | None = None

    @property
    def look(self) -> int:
        """Games from one look to the next."""
        return BATCH_DEALS * self.block

    @property
    def end_deal(self) -> int:
        """Deals looked at."""
        return min(self.deals, self._next * BATCH_DEALS)

    @property
    def games(self) -> int:
        """Games looked at."""
        return self.end_deal * self.block

    def take(self, rows: pl.DataFrame) -> int | None:
        """Take in the next rows, of whole deals; return the game to stop before, if so."""
        if self.verdict is not None or rows.is_empty():
            return self._end()
        values = self.asked.values(rows)
        first = int(rows["deal"][0]) - self.first_deal
        after = int(rows["deal"][-1]) - self.first_deal + 1
        for at, batches in enumerate(self._batches):
            mine = values[:, at]
            there = np.flatnonzero(~np.isnan(mine))
            low, high = self.sequences[at].low, self.sequences[at].high
            check_values(mine[there], (low, high))
            batches.add(cut(first + there, mine[there], first, after))
        while self.verdict is None and self._advance():
            pass
        return self._end()

    def _advance(self) -> bool:
        """Look at the next batch if it is finished."""
        found = [batches.take() for batches in self._batches]
        if any(batch is None for batch in found):
            return False
        for sequence, batch, looks in zip(self.sequences, found, self.looks, strict=True):
            assert batch is not None
            sequence.add(*(int(batch[0]), batch[1], batch[2]))
            low, high = sequence.interval()
            deals = min(self.deals, (self._next + 1) * BATCH_DEALS)
            looks.append(Look(deals, sequence.mean, low, high))
        self._next += 1
        self.verdict = self.asked.judge(self.sequences, self._batches[0].last)
        return True

    def _end(self) -> int | None:
        if self.verdict is None:
            return None
        return (self.first_deal + self.end_deal) * self.block

    def text(self) -> str:
        """Return how wide the widest interval is by now."""
        widest = max(sequence.half_width for sequence in self.sequences)
        if not math.isfinite(widest):
            return ""
        return f"\u00b1 {100 * widest:.2g} %" if self.asked.percent else f"\u00b1 {widest:.3g}"

    def document(self) -> dict[str, Any]:
        """Return what it came to, in JSON types."""
        return {
            "rule": self.rule,
            "games": self.games,
            "deals": self.end_deal,
            "verdict": None if self.verdict is None else self.verdict.claim,
            "addition": None if self.verdict is None else self.verdict.addition,
            "level": self.sequences[0].level,
            "comparisons": [
                {"name": name, "estimate": s.mean, "low": s.interval()[0], "high": s.interval()[1]}
                for name, s in zip(self.asked.names, self.sequences, strict=True)
            ],
        }
