"""What a rating needs of a data set: who was left at each stage of a game, and who came next.

Statistics section 5. A ranking of a game is a row of stages: of the seats that remain, the best
place goes to one of them, or to several that tie. As the likelihood is an exponential family, it
needs only how often each set of strategies remained and what each strategy was chosen, per bucket.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from simlab.analysis.buckets import Buckets, ranked
from simlab.analysis.outcomes import check_rules
from simlab.analysis.sums import BUCKETS, Floats, Ints
from simlab.errors import UserError

MOST_WAITING = 2**22
"""Stages kept singly before they are counted."""


@dataclass(frozen=True)
class Remaining:
    """The sets of m seats that remained at some stage, as strategies in ascending order."""

    sets: Ints
    """The distinct sets, int64 [S, m]."""
    of: Ints
    """Which set, int64 [N]: one entry for each set and bucket in which it remained."""
    bucket: Ints
    """Which bucket, int64 [N]."""
    count: Ints
    """How often it remained, int64 [N]."""
    whole: Ints
    """How often it was a whole game, int64 [N]."""


class Stages:
    """Stage counts of k strategies, with the bucket totals of the same games."""

    def __init__(self, totals: Buckets) -> None:
        """Start with no games, of the strategies of `totals`, which are empty."""
        self.totals = totals
        """The bucket totals of the same games."""
        self.chosen: Floats = np.zeros((BUCKETS, len(totals.names)))
        """How often each strategy was next, of t that tie 1/t each, float64 [B, k]."""
        self.ties: Ints = np.zeros((BUCKETS, 2), np.int64)
        """How often t seats were next together, int64 [B, most seats + 1]."""
        self._counted = _frame([], [], [], [])
        self._waiting: list[pl.DataFrame] = []

    def add(self, code: NDArray[np.integer], deal: Ints, sizes: Ints, place: Ints) -> None:
        """Add G whole games: strategies [N], deals [G], seats [G], places [N] (smallest is best).

        UserError where strategies and seats are too many to number all sets.
        """
        start = np.cumsum(sizes) - sizes
        for seats in np.unique(sizes):
            of_size = np.flatnonzero(sizes == seats)
            at = start[of_size, None] + np.arange(seats)
            self._add_games(deal[of_size] % BUCKETS, code[at].astype(np.int64), place[at])
        if sum(map(len, self._waiting)) > MOST_WAITING:
            self._count()

    def _add_games(self, bucket: Ints, who: Ints, place: Ints) -> None:
        """Add games of equally many seats: bucket [G], strategies and places [G, seats]."""
        k, seats = len(self.totals.names), who.shape[1]
        _check_size(k, seats)
        if self.ties.shape[1] <= seats:
            self.ties = np.pad(self.ties, [(0, 0), (0, seats + 1 - self.ties.shape[1])])
        order = place.argsort(axis=1, kind="stable")
        who, place = (np.take_along_axis(part, order, axis=1) for part in (who, place))
        for first in range(seats - 1):
            begins = np.ones(len(who), np.bool_)
            if first:
                begins = place[:, first] != place[:, first - 1]
            left, where = who[begins, first:], bucket[begins]
            if not len(left):
                continue
            next_ = place[begins, first:] == place[begins, first, None]
            tied = next_.sum(axis=1)
            np.add.at(self.ties.reshape(-1), where * self.ties.shape[1] + tied, 1)
            cell, share = where[:, None] * k + left, next_ / tied[:, None]
            np.add.at(self.chosen.reshape(-1), cell[next_], share[next_])
            whole = np.full(len(left), first == 0, np.int64)
            key = _key(np.sort(left, axis=1), k)
            self._waiting.append(_frame(where, key, np.ones_like(whole), whole))

    def merge(self, other: Stages, same_deals: bool = False) -> None:
        """Add the games of `other`; as in `Buckets.merge`, also for strategies new to it."""
        names = self.totals.names
        mine, theirs = self.remaining(), other.remaining()
        self.totals.merge(other.totals, same_deals)
        at = np.array([self.totals.names.index(name) for name in other.totals.names], np.int64)
        if self.totals.names != names:
            self._counted = _frame([], [], [], [])
            self._waiting = [_rekeyed(part, None, len(self.totals.names)) for part in mine]
            self.chosen = np.pad(
                self.chosen, [(0, 0), (0, len(self.totals.names) - self.chosen.shape[1])]
            )
        self._waiting += [_rekeyed(part, at, len(self.totals.names)) for part in theirs]
        self.chosen[:, at] += other.chosen
        width = max(self.ties.shape[1], other.ties.shape[1])
        self.ties, more = (
            np.pad(ties, [(0, 0), (0, width - ties.shape[1])]) for ties in (self.ties, other.ties)
        )
        self.ties += more

    def remaining(self) -> list[Remaining]:
        """Return the sets that remained, by their number of seats, in a fixed order."""
        self._count()
        found = self._counted.sort("key", "bucket")
        keys, of = np.unique(found["key"].to_numpy(), return_inverse=True)
        sets = _sets(keys, len(self.totals.names))
        sizes = (sets >= 0).sum(axis=1)
        parts = []
        for size in np.unique(sizes):
            mine = np.flatnonzero(sizes == size)
            rows = found.filter(pl.Series(sizes[of] == size))
            bucket, count, whole = (rows[name].to_numpy() for name in ("bucket", "count", "whole"))
            number = np.searchsorted(mine, of[sizes[of] == size])
            parts.append(Remaining(sets[mine, -size:], number, bucket, count, whole))
        return parts

    def _count(self) -> None:
        """Count the stages that wait."""
        if self._waiting:
            rows = pl.concat([self._counted, *self._waiting])
            self._counted = rows.group_by("bucket", "key").agg(pl.col("count", "whole").sum())
            self._waiting = []


def stage_totals(
    frames: Iterable[pl.DataFrame],
    *,
    labels: Sequence[str] | None = None,
    ties: str = "ordinal",
    truncated: str = "score",
) -> Stages:
    """Return the stages of all games of a data set, and their bucket totals, in one pass.

    Arguments and errors as for `buckets.bucket_totals`; "share" and "win" rank by score alone.
    UserError also where strategies and seats are too many for a rating.
    """
    check_rules(ties, truncated)
    stages: Stages | None = None
    for names, code, deal, rows, won, place in ranked(frames, labels, ties, truncated):
        if stages is None:
            stages = Stages(Buckets(names, left_out=truncated == "none"))
        if not len(deal):
            continue
        stages.totals.add(code, deal, rows, won, place)
        sizes = rows.game_sizes()
        low = np.minimum.reduceat(code, rows.game_start)
        counted = low != np.maximum.reduceat(code, rows.game_start)
        if truncated == "none":
            counted &= ~rows.cut[rows.game_start]
        row = np.repeat(counted, sizes)
        stages.add(code[row], deal[counted], sizes[counted], place[row])
    return stages or Stages(Buckets([]))


def _check_size(strategies: int, seats: int) -> None:
    """Raise UserError if the sets of strategies cannot be numbered in 63 bits."""
    if (strategies + 1) ** seats >= 2**63:
        most = int(2.0 ** (63 / seats)) + 1
        while (most + 1) ** seats >= 2**63:
            most -= 1
        raise UserError(
            f"a rating of {strategies} strategies at {seats} seats is too large;"
            f" at most {most} can be rated."
        )


def _key(sets: Ints, k: int) -> Ints:
    """Return the number of each set [N, m] of strategies below k, int64 [N]."""
    key = np.zeros(len(sets), np.int64)
    for column in sets.T:
        key = key * (k + 1) + column + 1
    return key


def _sets(keys: Ints, k: int) -> Ints:
    """Return the sets of these numbers, int64 [N, most seats], -1 in front of smaller ones."""
    columns = []
    while keys.any():
        columns.append(keys % (k + 1) - 1)
        keys = keys // (k + 1)
    return np.stack(columns[::-1], axis=1) if columns else np.zeros((len(keys), 0), np.int64)


def _rekeyed(part: Remaining, at: Ints | None, k: int) -> pl.DataFrame:
    """Return counted stages with their sets numbered anew, strategy s being at[s] of k."""
    sets = part.sets if at is None else np.sort(at[part.sets], axis=1)
    _check_size(k, sets.shape[1])
    return _frame(part.bucket, _key(sets, k)[part.of], part.count, part.whole)


def _frame(
    bucket: Ints | list[int],
    key: Ints | list[int],
    count: Ints | list[int],
    whole: Ints | list[int],
) -> pl.DataFrame:
    """Return stages as a frame: bucket, number of the set, how often, of them whole games."""
    columns = {"bucket": bucket, "key": key, "count": count, "whole": whole}
    return pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.Int64))
