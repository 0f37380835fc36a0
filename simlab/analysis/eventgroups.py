"""The table of a run by what happened in it: the seats that had an event, such as a card bought.

A row of the data set appears in a group where its seat had at least one such event in that game,
once however many. From there on everything is as in `tables.py`: the unit is the deal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from simlab.analysis.estimates import check_level
from simlab.analysis.groups import Groups
from simlab.analysis.outcomes import Rows, check_rules
from simlab.analysis.sums import Ints
from simlab.analysis.tables import Row, Table, Totals, columns_needed, last_deal, pieces, starts

Codes = NDArray[np.integer]


def event_columns(what: str) -> list[str]:
    """Return the columns of the events that `event_table` reads."""
    return ["game", "seat", "event", what]


def row_columns(ties: str = "ordinal") -> list[str]:
    """Return the columns of the rows that `event_table` reads."""
    return columns_needed("seat", ties)


def event_table(
    frames: Iterable[tuple[pl.DataFrame, pl.DataFrame]],
    by: str,
    what: str,
    kinds: Sequence[str],
    *,
    ties: str = "ordinal",
    truncated: str = "score",
    level: float = 0.95,
) -> Table:
    """Return the table of a data set by what its events are about; the unit is the deal.

    frames: consecutive pieces of the data set in game order, each with its rows (`row_columns`,
    deals whole, a row for each seat from 0 on) and the events of these games (`event_columns`).
    by: how the grouping is named; what: the column that its values stand in; kinds: words of
    `event` that count. A seat of a game appears once for each value it had such an event with. The
    best win share comes first; a value that nobody had is left out. ties, truncated, level: see
    `run_table`.

    UserError for an unknown rule, a level out of range, or more than 200 different numbers (words
    may be more). ValueError if a deal is split between frames, or an event has no row.
    """
    check_rules(ties, truncated)
    check_level(level)
    groups = Groups(by, words=True)
    totals = Totals(ties, truncated)
    last = None
    for frame, events in frames:
        last = last_deal(frame, last)
        totals.add_ends(frame)
        had = _in_game_order(events.filter(_of_kinds(events["event"], kinds)))
        codes = groups.codes(had[what])
        for deal_start, rows, mine, row in _with_events(frame, had, len(groups)):
            at, code = _distinct(row, codes[mine], len(rows.cut), len(groups))
            totals.add(code, len(groups), deal_start, rows, at)
    table = totals.table(groups, level)
    return replace(table, rows=_best_first(table.rows))


def _of_kinds(event: pl.Series, kinds: Sequence[str]) -> pl.Series:
    """Return which events are of these kinds."""
    assert isinstance(event.dtype, pl.Enum)
    wanted = event.dtype.categories.is_in(list(kinds)).to_numpy()
    return pl.Series(wanted[event.to_physical().to_numpy()], dtype=pl.Boolean)


def _in_game_order(events: pl.DataFrame) -> pl.DataFrame:
    """Return events so that the games ascend, as they do already where they were written so."""
    return events if events["game"].is_sorted() else events.sort("game")


def _with_events(
    frame: pl.DataFrame, events: pl.DataFrame, groups: int
) -> Iterator[tuple[Ints, Rows, slice, Ints]]:
    """Yield the pieces of a frame (see `pieces`), where their events are, and the row of each."""
    row, game_row, game_event = _rows_of(frame, events)
    for at, deal_start, rows in pieces(frame, groups):
        low, high = np.searchsorted(game_row, [at.start, at.stop])
        mine = slice(game_event[low], game_event[high])
        yield deal_start, rows, mine, row[mine] - at.start


def _rows_of(frame: pl.DataFrame, events: pl.DataFrame) -> tuple[Ints, Ints, Ints]:
    """Return the row of each event, and for each game with events its first row and first event.

    Of the first events there is one more: the number of events. ValueError for an event that
    belongs to no row.
    """
    first_row, first_event = starts(frame["game"]), starts(events["game"])
    games = frame["game"].to_numpy()[first_row]
    with_events = events["game"].to_numpy()[first_event]
    place = np.searchsorted(games, with_events)
    game_event = np.append(first_event, events.height)
    if place.max(initial=-1) < len(games) and (games[place] == with_events).all():
        game_row = first_row[place]
        seat = events["seat"].to_numpy()
        row = np.repeat(game_row, np.diff(game_event)) + seat
        end = np.repeat(np.append(first_row, frame.height)[place + 1], np.diff(game_event))
        if (row < end).all() and (frame["seat"].to_numpy()[row] == seat).all():
            return row, game_row, game_event
    raise ValueError("an event belongs to no row: the rows and events are not of the same games")


def _distinct(row: Ints, code: Codes, rows: int, groups: int) -> tuple[Ints, Codes]:
    """Return row and group of each pair that occurs, once, in order."""
    occurs = np.zeros(rows * groups, np.bool_)
    occurs[row * groups + code] = True
    pair = np.flatnonzero(occurs)
    return pair // max(1, groups), pair % max(1, groups)


def _best_first(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of the values that somebody had, best win share first."""
    there = [row for row in rows if row.games or row.win_bounds is not None]
    return sorted(there, key=_win_share, reverse=True)


def _win_share(row: Row) -> float:
    """Return the win share to sort by; below all others where there is none."""
    return -1.0 if row.win.estimate is None else row.win.estimate
