"""The outcomes of a comparison of rules, added up deal by deal under all rule books at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from simlab.analysis.corrections import each_level, holm
from simlab.analysis.estimates import Estimate, mean, share
from simlab.analysis.paired import Difference, PairSums, difference
from simlab.analysis.sums import UnitSums
from simlab.analysis.tables import BOUNDS_FROM
from simlab.errors import DamagedRun
from simlab.study.folder import Part
from simlab.study.outcomes import Chairs, Floats, values

if TYPE_CHECKING:
    import polars as pl

WIN, SCORE = "win_share", "score"

Kind = tuple[str, str | None]
"""What is measured (`win_share`, `score`, or the length's column), and of which strategy."""


@dataclass(frozen=True)
class Change:
    """One outcome under one rule book, and what changed against the first.

    what: "win_share", "score", or the column of a game's length; strategy: None for the length;
    rules: label of the rule book; change, p_holm: None for the first; bounds: of a win share, if
    every truncated game had been lost or won, where more than 0.1 % were truncated.
    """

    what: str
    strategy: str | None
    rules: str
    value: Estimate
    change: Difference | None = None
    p_holm: float | None = None
    bounds: tuple[float, float] | None = None


class Shard(NamedTuple):
    """What one file of rows says, by deal.

    deal: number of the first; totals: of each outcome, float64 [U]; truncated: games; cut: strategy
    -> seats held in truncated games, and wins there.
    """

    deal: int
    totals: dict[Kind, Floats]
    truncated: int
    cut: dict[str, tuple[float, float]]


class RuleSums:
    """The outcomes of all rule books, added up deal by deal."""

    def __init__(
        self,
        blocks: Sequence[Sequence[int]],
        line_up: Sequence[str],
        length: str | None,
        count: int,
    ) -> None:
        self.seats, self.length = len(line_up), length
        strategies = list(dict.fromkeys(line_up))
        self.chairs: dict[str | None, Chairs] = {
            label: Chairs(blocks, {at for at, name in enumerate(line_up) if name == label})
            for label in strategies
        }
        self.kinds: list[Kind] = []
        if len(strategies) > 1:  # who holds every seat has the same share always
            self.kinds += [(WIN, label) for label in strategies]
        self.kinds += [(SCORE, label) for label in strategies]
        if length is not None:
            self.kinds.append((length, None))
            self.chairs[None] = Chairs(blocks, {*range(self.seats)})
        self.each = [{kind: UnitSums() for kind in self.kinds} for _ in range(count)]
        self.pairs = [{kind: PairSums() for kind in self.kinds} for _ in range(count - 1)]
        self.truncated = [0] * count
        self.cut: list[dict[str, tuple[float, float]]] = [{} for _ in range(count)]

    def shards(self, part: Part) -> Iterator[Shard]:
        """Yield what each file of a run says; one file is in memory at a time."""
        own = [self.length] if self.length is not None else []
        for rows in part.frames([*dict.fromkeys(["deal", "win", "score", "end_reason", *own])]):
            yield self._shard(rows)

    def _shard(self, rows: pl.DataFrame) -> Shard:
        got = {WIN: values(rows, self.seats, "win"), SCORE: values(rows, self.seats, "score")}
        if self.length is not None:
            column = rows[self.length].to_numpy().astype(np.float64)
            got[self.length] = column.reshape(-1, self.seats)
        totals = {kind: self.chairs[kind[1]].totals(got[kind[0]]) for kind in self.kinds}
        ended = (rows["end_reason"] == "truncated").to_numpy().astype(np.float64)
        cut: dict[str, tuple[float, float]] = {}
        if ended.any():
            games = ended.reshape(-1, self.seats)
            for label in (label for label in self.chairs if label is not None):
                held, won = (self.chairs[label].totals(x) for x in (games, games * got[WIN]))
                cut[label] = float(held.sum()), float(won.sum())
        return Shard(int(rows["deal"][0]), totals, int(ended.sum()) // self.seats, cut)

    def add(self, shards: Sequence[Shard]) -> None:
        """Add the same deals under each rule book."""
        first = shards[0]
        for number, shard in enumerate(shards):
            for kind in self.kinds:
                totals, base = shard.totals[kind], first.totals[kind]
                if shard.deal != first.deal or len(totals) != len(base):
                    raise DamagedRun("the runs of this question are not over the same deals.")
                counts = np.full(len(totals), self.chairs[kind[1]].count)
                self.each[number][kind].add(counts, totals)
                if number:
                    self.pairs[number - 1][kind].add(counts, totals, counts, base)
            self.truncated[number] += shard.truncated
            for label, (held, won) in shard.cut.items():
                before = self.cut[number].get(label, (0.0, 0.0))
                self.cut[number][label] = before[0] + held, before[1] + won

    def rows(self, rules: Sequence[str], level: float, games: int) -> list[Change]:
        """Return all outcomes and changes, corrected for the number of changes of their kind."""
        found: list[Change] = []
        for what in dict.fromkeys(what for what, _ in self.kinds):
            kinds = [kind for kind in self.kinds if kind[0] == what]
            within = each_level(level, len(kinds) * len(self.pairs))
            limit = 1.0 if what == WIN else None
            changes = {
                (kind, number): replace(
                    difference(pairs[kind], within, limit), correction="Bonferroni"
                )
                for kind in kinds
                for number, pairs in enumerate(self.pairs, start=1)
            }
            p = [np.nan if one.p is None else one.p for one in changes.values()]
            adjusted = dict(zip(changes, holm(np.array(p)).tolist(), strict=True))
            for kind in kinds:
                for number, label in enumerate(rules):
                    sums, at = self.each[number][kind], (kind, number)
                    value = share(sums, level) if what == WIN else mean(sums, level)
                    bounds = self._bounds(number, kind, value, games)
                    found.append(
                        Change(*kind, label, value, changes.get(at), adjusted.get(at), bounds)
                    )
        return found

    def _bounds(
        self, number: int, kind: Kind, value: Estimate, games: int
    ) -> tuple[float, float] | None:
        """Return the win share if every truncated game had been lost, and if it had been won."""
        what, label = kind
        few = self.truncated[number] <= BOUNDS_FROM * games
        if what != WIN or label is None or few or value.estimate is None:
            return None
        held, won = self.cut[number][label]
        lost = value.estimate * value.games - won
        return max(lost / value.games, 0.0), min((lost + held) / value.games, 1.0)


__all__ = ["SCORE", "WIN", "Change", "RuleSums"]
