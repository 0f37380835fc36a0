"""Totals of a run per bucket of deals, from which all means, differences and pairs follow.

Statistics section 0, rule 3: bucket = deal mod 1024, so that what is kept does not grow with the
number of games and never depends on shards or workers. With fewer deals than buckets each deal has
a bucket to itself and the bucket is the deal. `jackknife.py` makes estimates of the totals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from simlab.analysis.groups import Groups
from simlab.analysis.outcomes import Rows, check_rules, wins
from simlab.analysis.sums import BUCKETS, Floats, Ints
from simlab.analysis.tables import BOUNDS_FROM, columns_needed, last_deal, pieces
from simlab.errors import UserError

OUTCOMES = ("win", "score", "rank")
MOST_PAIRED = 200
"""Strategies of which all pairs are kept: three arrays of 8 * 1024 * 200^2 bytes, 1 GB."""


class Buckets:
    """Bucket totals of k strategies: appearances, outcomes, and what happened in each pair.

    Empty at first. All arrays grow by `add` and `merge` alone; B = 1024 buckets.
    """

    def __init__(self, names: Sequence[str], pairs: bool = True, left_out: bool = False) -> None:
        """Start with no games of these strategies.

        pairs: whether to keep the pairs, too. left_out: whether truncated games count nowhere but
        in the bounds. UserError for pairs of more than 200 strategies.
        """
        k = len(names)
        if pairs and k > MOST_PAIRED:
            raise UserError(
                f"all pairs of {k} strategies are too many, at most {MOST_PAIRED} can be compared."
            )
        self.names = list(names)
        """The strategies, in the order of all arrays."""
        self.left_out = left_out
        """Whether truncated games count nowhere but in the bounds."""
        self.appearances: Ints = np.zeros((BUCKETS, k), np.int64)
        """Seats held, int64 [B, k]."""
        self.outcomes: dict[str, Floats] = {name: np.zeros((BUCKETS, k)) for name in OUTCOMES}
        """Sums over the seats held, float64 [B, k], of "win" (share of a win), "score" (points) and
        "rank" (1 is the best place; equal places share their mean)."""
        square = (BUCKETS, k, k) if pairs else (0, 0, 0)
        self.beside: Ints = np.zeros(square, np.int64)
        """Seats held by i in games with j, int64 [B, k, k]; the diagonal is 0, here and below."""
        self.beside_wins: Floats = np.zeros(square)
        """What i won in games with j, float64 [B, k, k]."""
        self.points: Floats = np.zeros(square)
        """Over all pairs of a seat of i and a seat of j in one game: 1 if i has the better rank,
        0.5 if they are equal, summed; float64 [B, k, k]."""
        self.deals: Ints = np.zeros(k, np.int64)
        """Deals in which a strategy appears, int64 [k]."""
        self.games = 0
        """Games counted."""
        self.pure = 0
        """Games left out because one strategy held every seat (rule 6)."""
        self.truncated = 0
        """Games stopped by the cap on decisions, counted or left out by the rule for them."""
        self.cut: Floats = np.zeros((2, k))
        """Appearances and wins in truncated games, float64 [2, k]."""

    @property
    def has_pairs(self) -> bool:
        """Whether the pairs are kept."""
        return len(self.points) > 0

    @property
    def has_bounds(self) -> bool:
        """Whether so many games are truncated that win shares need bounds (rule 4)."""
        return self.truncated > BOUNDS_FROM * (self.games + self.left_out * self.truncated)

    def win_bounds(self, group: int) -> tuple[float, float] | None:
        """Return a win share with all truncated games lost, and won; None without a game."""
        seats = float(self.appearances[:, group].sum())
        won = float(self.outcomes["win"][:, group].sum())
        cut, cut_wins = map(float, self.cut[:, group])
        if self.left_out:
            seats += cut
        else:
            won = max(0.0, won - cut_wins)
        return (won / seats, min(1.0, (won + cut) / seats)) if seats else None

    def merge(self, other: Buckets, same_deals: bool = False) -> None:
        """Add the games of `other`, which must be other games than those already here.

        Strategies are matched by name, new ones come last. same_deals: whether the games of `other`
        were played on deals that are already here (a strategy added later), rather than on others.
        ValueError if only one of the two keeps pairs, or they count truncated games differently.
        """
        if self.has_pairs != other.has_pairs or self.left_out != other.left_out:
            raise ValueError("only totals of the same kind can be merged")
        new = [name for name in other.names if name not in self.names]
        self._grow(self.names + new)
        at = np.array([self.names.index(name) for name in other.names], np.int64)
        for mine, theirs in zip(self._arrays(), other._arrays(), strict=True):
            if mine.ndim == 3 and mine.size:
                mine[:, at[:, None], at] += theirs
            elif mine.ndim == 2:
                mine[:, at] += theirs
        joined = np.maximum if same_deals else np.add
        self.deals[at] = joined(self.deals[at], other.deals)
        self.games += other.games
        self.pure += other.pure
        self.truncated += other.truncated

    def add(
        self, code: NDArray[np.integer], deal: Ints, rows: Rows, won: Floats, ahead: Ints
    ) -> None:
        """Add N rows of whole deals.

        code: the strategy of each row [N]; deal: the deal of each game [G]; rows: as `pieces` gives
        them; won: what each row counts as a win [N]; ahead: the place of each row in its game, the
        smaller the better, int64 [N].
        """
        sizes = rows.game_sizes()
        for seats in np.unique(sizes):
            of_size = np.flatnonzero(sizes == seats)
            at = rows.game_start[of_size, None] + np.arange(seats)
            who, cut = code[at].astype(np.int64), rows.cut[at[:, 0]]
            mixed = (who != who[:, :1]).any(axis=1)
            self.pure += int((~mixed).sum())
            stopped = mixed & cut
            self.truncated += int(stopped.sum())
            np.add.at(self.cut[0], who[stopped], 1)
            np.add.at(self.cut[1], who[stopped], won[at[stopped]])
            counted = mixed & ~cut if self.left_out else mixed
            if not counted.all():
                of_size, at, who = of_size[counted], at[counted], who[counted]
            self.games += len(of_size)
            bucket = deal[of_size] % BUCKETS
            points = self._add_pairs(bucket, who, won[at], ahead[at])
            self._add_seats(bucket, who, won[at], rows.score[at], seats - points)
        self._count_deals(code, deal, rows)

    def _add_seats(
        self, bucket: Ints, who: Ints, won: Floats, score: NDArray[np.integer], rank: Floats
    ) -> None:
        """Add games by the seat: bucket [G], all others [G, seats]."""
        cell = (bucket[:, None] * len(self.names) + who).ravel()
        np.add.at(self.appearances.reshape(-1), cell, 1)
        for name, values in (("win", won), ("score", score.astype(np.float64)), ("rank", rank)):
            np.add.at(self.outcomes[name].reshape(-1), cell, values.ravel())

    def _add_pairs(self, bucket: Ints, who: Ints, won: Floats, ahead: Ints) -> Floats:
        """Add games by the pair of seats; return the points of each seat, float64 [G, seats].

        A seat of i counts once in games with j, however many seats j holds: at its first.
        """
        k, seats = len(self.names), who.shape[1]
        points = np.zeros(who.shape)
        base = bucket * (k * k)
        for second in range(seats):
            earlier = (who[:, :second] == who[:, second, None]).any(axis=1)
            for first in range(seats):
                if first == second:
                    continue
                gap = ahead[:, second] - ahead[:, first]
                half = 0.5 * ((gap > 0).astype(np.float64) + (gap >= 0))
                points[:, first] += half
                if not self.has_pairs:
                    continue
                cell = base + who[:, first] * k + who[:, second]
                other = who[:, first] != who[:, second]
                at, value = _chosen(other, cell, half)
                np.add.at(self.points.reshape(-1), at, value)
                at, value = _chosen(other & ~earlier, cell, won[:, first])
                np.add.at(self.beside.reshape(-1), at, 1)
                np.add.at(self.beside_wins.reshape(-1), at, value)
        return points

    def _count_deals(self, code: NDArray[np.integer], deal: Ints, rows: Rows) -> None:
        """Count the deals in which each strategy appears in a game that counts."""
        sizes = rows.game_sizes()
        low = np.minimum.reduceat(code, rows.game_start)
        counted = low != np.maximum.reduceat(code, rows.game_start)
        if self.left_out:
            counted &= ~rows.cut[rows.game_start]
        number = np.cumsum(np.diff(deal, prepend=deal[0]) != 0)
        there = np.zeros((int(number[-1]) + 1, len(self.names)), np.bool_)
        in_row = np.repeat(counted, sizes)
        there[np.repeat(number, sizes)[in_row], code[in_row]] = True
        self.deals += there.sum(axis=0)

    def _arrays(self) -> list[Any]:
        """Return the arrays that add up, each with the strategies last."""
        pairs = [self.beside, self.beside_wins, self.points]
        return [self.appearances, *self.outcomes.values(), self.cut, *pairs]

    def _grow(self, names: list[str]) -> None:
        """Take in further strategies, with no games yet."""
        if len(names) == len(self.names):
            return
        grown = Buckets(names, self.has_pairs, self.left_out)
        k = len(self.names)
        for new, old in zip(grown._arrays(), self._arrays(), strict=True):
            if new.size:
                new[(slice(None), *[slice(k)] * (new.ndim - 1))] = old
        grown.deals[:k] = self.deals
        grown.games, grown.pure, grown.truncated = self.games, self.pure, self.truncated
        self.__dict__.update(grown.__dict__)


def bucket_columns(ties: str = "ordinal") -> list[str]:
    """Return the columns that `bucket_totals` reads."""
    return [*columns_needed("strategy", ties), *(["rank"] if ties == "ordinal" else [])]


def bucket_totals(
    frames: Iterable[pl.DataFrame],
    *,
    labels: Sequence[str] | None = None,
    ties: str = "ordinal",
    truncated: str = "score",
    pairs: bool = True,
) -> Buckets:
    """Return the bucket totals of a data set.

    frames: consecutive pieces of the data set in game order, with at least `bucket_columns`; the
    rows of a game, and those of a deal, stand together and in one frame. labels: names to show for
    the strategies, one for each category of the enum. ties: see `outcomes.wins`; "ordinal" compares
    the column `rank`, the others the scores. truncated: see `outcomes.wins`; "split" makes all
    seats of a truncated game equal, "none" leaves it out. pairs: whether to keep the pairs, too.
    Games in which one strategy holds every seat are left out (statistics section 0, rule 6).

    UserError for an unknown rule or too many strategies. ValueError if a deal is split between
    frames, or the frames differ in their strategies.
    """
    check_rules(ties, truncated)
    totals: Buckets | None = None
    for names, code, deal, rows, won, ahead in ranked(frames, labels, ties, truncated):
        if totals is None:
            totals = Buckets(names, pairs, truncated == "none")
        if len(deal):
            totals.add(code, deal, rows, won, ahead)
    return totals or Buckets([], pairs, truncated == "none")


_Piece = tuple[list[str], NDArray[np.integer], Ints, Rows, Floats, Ints]


def ranked(
    frames: Iterable[pl.DataFrame], labels: Sequence[str] | None, ties: str, truncated: str
) -> Iterator[_Piece]:
    """Cut frames into pieces and say who came where, under the rules for ties and truncated games.

    Yields at least once for a frame: the names of all strategies, the strategy of each row [N], the
    deal of each game int64 [G], the rows, what each row counts as a win float64 [N], and its place,
    int64 [N]: the smaller the better. Of a frame without rows, empty arrays.
    """
    groups = Groups("strategy", labels)
    last = None
    for frame in frames:
        last = last_deal(frame, last)
        codes = groups.codes(frame["strategy"])
        names = [str(value) for _, value in groups.in_order()]
        if frame.is_empty():
            none = np.zeros(0, np.int64)
            yield names, codes, none, Rows(none, None, none > 0, none), np.zeros(0), none
        deals = frame["deal"].to_numpy()
        places = frame["rank"].to_numpy() if ties == "ordinal" else None
        for at, _, rows in pieces(frame, 1):
            place = -rows.score.astype(np.int64) if places is None else places[at].astype(np.int64)
            if truncated == "split":
                place[rows.cut] = 0
            deal = deals[at][rows.game_start].astype(np.int64)
            yield names, codes[at], deal, rows, wins(rows, ties, truncated), place


def _chosen(which: NDArray[np.bool_], *arrays: Any) -> tuple[Any, ...]:
    """Return the chosen parts of some arrays; the arrays themselves where all is chosen."""
    return arrays if which.all() else tuple(array[which] for array in arrays)
