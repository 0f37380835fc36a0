"""The table of a run: win share and score of each strategy, seat or other group.

One pass over the rows, whatever their number: each deal is reduced to appearances and outcome sums
of each group, and these to the sums that the estimates need (statistics sections 0 and 1).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from simlab.analysis.estimates import Estimate, check_level, mean, share
from simlab.analysis.groups import Groups
from simlab.analysis.outcomes import Rows, check_rules, wins
from simlab.analysis.seats import SeatSums, SeatTest, seats_alike
from simlab.analysis.sums import Floats, GroupSums, Ints, combine, keyed_moments
from simlab.errors import one_of

BOUNDS_FROM = 0.001
"""Share of truncated games above which win shares get bounds (statistics section 0, rule 4)."""

PIECE_ROWS = 2**17
"""Rows reduced at a time: small enough for the processor's cache."""
PIECE_CELLS = 2**18
"""Deals times groups reduced at a time: 2 MB for each array over them."""


@dataclass(frozen=True)
class Row:
    """One group of a table."""

    value: Any
    """Name of the strategy, number of the seat, or value of the column."""
    games: int
    """Appearances: one for each game and seat held."""
    win: Estimate
    """Win share per appearance, in [0, 1]."""
    score: Estimate
    """Mean score per appearance, in points."""
    score_sd: float | None
    """Sample standard deviation of the score over appearances; None below two."""
    win_bounds: tuple[float, float] | None = None
    """Win share if all truncated games were lost, and if all were won; None where few are."""


@dataclass(frozen=True)
class Table:
    """The table of a run."""

    rows: list[Row]
    """The groups in order of display."""
    games: int
    """Games in the data set, the truncated ones among them."""
    truncated: int
    """Games stopped by the cap on decisions."""
    bounds: bool
    """Whether the rows have win_bounds: more than 0.1 % of the games are truncated."""
    ends: dict[str, int]
    """Games by how they ended, in the order of the game's words."""
    alike: SeatTest | None = None
    """Whether all seats win alike, of a table by seat; None where shares do not add up to 1."""


def columns_needed(by: str, ties: str = "ordinal") -> list[str]:
    """Return the columns that `run_table` reads, for `pl.read_parquet(columns=...)`."""
    needed = ["game", "deal", "score", "end_reason"] + (["win"] if ties == "ordinal" else [])
    return needed if by in needed else [*needed, by]


def check_column(by: str, columns: Sequence[str]) -> None:
    """Raise UserError, with the nearest name, if a data set has no column `by`."""
    if by not in columns:
        raise one_of("column", by, columns)


def run_table(
    frames: Iterable[pl.DataFrame],
    by: str,
    *,
    labels: Sequence[str] | None = None,
    ties: str = "ordinal",
    truncated: str = "score",
    level: float = 0.95,
) -> Table:
    """Return the table of a data set; the unit of all intervals is the deal.

    frames: consecutive pieces of the data set in game order, with at least `columns_needed`. The
    rows of a game, and those of a deal, stand together and in one frame. by: the column to group
    by; strategies come in the order of their enum, all other values ascending, None last. labels:
    names to show for the strategies, one for each category of the enum. ties, truncated: see
    `outcomes.wins`; "none" leaves truncated games out of everything but the bounds. level: of
    the intervals.

    UserError for an unknown column or rule, a column of more than 200 different values, or a level
    out of range. ValueError if a deal is split between frames.
    """
    check_rules(ties, truncated)
    check_level(level)
    groups = Groups(by, labels)
    totals = Totals(ties, truncated, seats=by == "seat" and ties != "win")
    last = None
    for frame in frames:
        check_column(by, frame.columns)
        codes = groups.codes(frame[by])
        last = last_deal(frame, last)
        totals.add_ends(frame)
        for at, deal_start, rows in pieces(frame, len(groups)):
            totals.add(codes[at], len(groups), deal_start, rows)
    return totals.table(groups, level)


def last_deal(frame: pl.DataFrame, before: int | None) -> int | None:
    """Return the last deal of a frame that follows deal `before`; ValueError if that goes on."""
    if frame.is_empty():
        return before
    if frame["deal"][0] == before:
        raise ValueError(f"deal {before} is split between two frames")
    return int(frame["deal"][-1])


def table_frame(table: Table, by: str) -> pl.DataFrame:
    """Return a table as a frame, one row a group; null where an estimate is not defined.

    Columns: `by`, games, win_share, win_share_low, win_share_high, score_mean, score_low,
    score_high, score_sd, and with bounds win_share_if_lost, win_share_if_won.
    """
    rows = table.rows
    numbers = {
        "win_share": [row.win.estimate for row in rows],
        "win_share_low": [row.win.low for row in rows],
        "win_share_high": [row.win.high for row in rows],
        "score_mean": [row.score.estimate for row in rows],
        "score_low": [row.score.low for row in rows],
        "score_high": [row.score.high for row in rows],
        "score_sd": [row.score_sd for row in rows],
    }
    if table.bounds:
        numbers["win_share_if_lost"] = [row.win_bounds and row.win_bounds[0] for row in rows]
        numbers["win_share_if_won"] = [row.win_bounds and row.win_bounds[1] for row in rows]
    return pl.DataFrame(
        [
            pl.Series(by, [row.value for row in rows]),
            pl.Series("games", [row.games for row in rows], dtype=pl.Int64),
            *(pl.Series(name, column, dtype=pl.Float64) for name, column in numbers.items()),
        ]
    )


def starts(column: pl.Series) -> Ints:
    """Return the first row of each stretch of equal values, int64 [stretches]; of none, none."""
    values = column.to_numpy()
    first = np.flatnonzero(values[1:] != values[:-1]) + 1
    return np.concatenate([np.zeros(min(1, len(values)), np.int64), first])


def pieces(frame: pl.DataFrame, groups: int) -> Iterator[tuple[slice, Ints, Rows]]:
    """Cut a frame into pieces of whole deals small enough to reduce in little memory.

    Yields the place of the piece in the frame, the first row of each of its deals (from 0 in every
    piece), and its rows.
    """
    deals, games = starts(frame["deal"]), starts(frame["game"])
    score = frame["score"].to_numpy()
    win = frame["win"].to_numpy() if "win" in frame.columns else None
    cut = (frame["end_reason"] == "truncated").to_numpy()
    edges = np.append(deals, frame.height)
    most_deals = max(1, PIECE_CELLS // max(1, groups))
    first = 0
    while first < len(deals):
        low = edges[first]
        fitting = int(np.searchsorted(edges, low + PIECE_ROWS, side="right")) - 1
        after = min(max(fitting, first + 1), first + most_deals)
        at = slice(low, edges[after])
        game_start = games[slice(*np.searchsorted(games, [low, edges[after]]))] - low
        won = None if win is None else win[at]
        yield at, deals[first:after] - low, Rows(score[at], won, cut[at], game_start)
        first = after


class Totals:
    """All sums that a table needs, streamed over pieces of the data set."""

    def __init__(self, ties: str, truncated: str, seats: bool = False) -> None:
        """Start empty, with a rule for ties and one for truncated games.

        seats: whether the groups are the seats, to be compared with one another.
        """
        self.games = 0
        self.truncated = 0
        self._ties = ties
        self._truncated_rule = truncated
        self._wins = GroupSums()
        self._seats = SeatSums() if seats else None
        self._scores = GroupSums()
        self._score_moments = np.zeros((3, 0))
        self._cut = np.zeros((2, 0))
        self._ends: dict[str, int] = {}

    def add_ends(self, frame: pl.DataFrame) -> None:
        """Count how the games of a frame ended."""
        reasons = frame["end_reason"].gather(starts(frame["game"]))
        for word, count in reasons.value_counts().sort("end_reason").iter_rows():
            self._ends[word] = self._ends.get(word, 0) + count

    def add(
        self,
        code: NDArray[np.integer],
        groups: int,
        deal_start: Ints,
        rows: Rows,
        at: Ints | None = None,
    ) -> None:
        """Add N rows of D whole deals: the group of each row [N], the start of each deal [D].

        at: the row of each appearance, int64 [M], where rows appear more than once or not at all;
        `code` is then the group of each appearance [M].
        """
        won, cut = wins(rows, self._ties, self._truncated_rule), rows.cut
        score: Floats = rows.score.astype(np.float64)
        deals = len(deal_start)
        deal = np.repeat(np.arange(deals), np.diff(deal_start, append=len(cut)))
        self.games += len(rows.game_start)
        self.truncated += int(cut[rows.game_start].sum())
        if at is not None:
            won, cut, score, deal = won[at], cut[at], score[at], deal[at]
        cell = deal + code.astype(np.int64) * deals
        if cut.any():
            self._add_cut(code[cut], groups, won[cut])
            if self._truncated_rule == "none":
                code, cell, won, score = code[~cut], cell[~cut], won[~cut], score[~cut]
        shape, size = (groups, deals), groups * deals
        appearances = np.bincount(cell, minlength=size).reshape(shape)
        for sums, outcomes in ((self._wins, won), (self._scores, score)):
            totals = np.bincount(cell, outcomes, size).astype(np.float64, copy=False)
            sums.add(appearances, totals.reshape(shape))
            if self._seats is not None and sums is self._wins:
                self._seats.add(appearances, totals.reshape(shape))
        self._score_moments = combine(self._score_moments, keyed_moments(code, score, groups))

    def _add_cut(self, code: NDArray[np.integer], groups: int, won: Floats) -> None:
        """Count each group's appearances and wins in truncated games."""
        here = [np.bincount(code, minlength=groups), np.bincount(code, won, groups)]
        self._cut = np.pad(self._cut, [(0, 0), (0, groups - self._cut.shape[1])]) + here

    def table(self, groups: Groups, level: float) -> Table:
        """Return the finished table, with intervals of this level."""
        bounds = self.truncated > BOUNDS_FROM * self.games
        rows = [self._row(code, value, bounds, level) for code, value in groups.in_order()]
        alike = None
        if self._seats is not None:
            alike = seats_alike(self._seats, [row.win for row in rows], level)
        return Table(rows, self.games, self.truncated, bounds, self._ends, alike)

    def _row(self, code: int, value: Any, bounds: bool, level: float) -> Row:
        """Return the finished row of one group."""
        win, score = self._wins.group(code), self._scores.group(code)
        estimate = share(win, level)
        return Row(
            value,
            estimate.games,
            estimate,
            mean(score, level),
            self._score_sd(code),
            self._win_bounds(code, estimate) if bounds else None,
        )

    def _score_sd(self, code: int) -> float | None:
        """Return the sample standard deviation of a group's scores; None below two rows."""
        if code >= self._score_moments.shape[1] or self._score_moments[0, code] < 2:
            return None
        count, _, spread = self._score_moments[:, code]
        return math.sqrt(spread / (count - 1))

    def _win_bounds(self, code: int, win: Estimate) -> tuple[float, float] | None:
        """Return the win share with the truncated games lost, and won (statistics section 0).

        All truncated games are in it, also where the table itself leaves them out.
        """
        cut, cut_wins = map(float, self._cut[:, code]) if code < self._cut.shape[1] else (0.0, 0.0)
        won, games = (win.estimate or 0.0) * win.games, win.games
        if self._truncated_rule == "none":
            games += int(cut)
        else:
            won = max(0.0, won - cut_wins)
        return (won / games, min(1.0, (won + cut) / games)) if games else None
