"""Tables of a page: what each cell shows, and the full value that it stands for."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from simlab.reporting.numbers import percent, plain

if TYPE_CHECKING:
    import polars as pl

    from simlab.reporting.tables import RunTable

MOST_ROWS = 200
NOTHING = "-"
DIGITS = 4


@dataclass(frozen=True)
class Cell:
    """One cell. text: what it shows; value: the number in full, None where it is no number.

    missing: nothing is known here.
    """

    text: str
    value: str | None = None
    missing: bool = False


@dataclass(frozen=True)
class Column:
    """One column. name: unique in the table, for machines; text: its heading.

    over: the heading that it shares with its neighbours, such as that of an interval.
    """

    name: str
    text: str
    number: bool = True
    over: str = ""


@dataclass(frozen=True)
class Grid:
    """A table of a page; its first column names the rows.

    more: rows that are not shown; notes: lines below it.
    """

    columns: list[Column]
    rows: list[list[Cell]]
    more: int = 0
    notes: list[str] = field(default_factory=list)


def run_grid(table: RunTable, notes: list[str]) -> Grid:
    """Return the table of a run; each number is that of `table.objects()`, in full."""
    by, level = table.by, f"{100 * table.level:g} % interval"
    objects = table.objects()
    words = [name for name in ("seat", "strategy") if name != by and objects and name in objects[0]]
    parts: list[tuple[Column, Callable[[Any], str]]] = [
        (Column("games", "seats held"), lambda n: f"{n:,}"),
        (Column("win_share", "win share"), _in_percent),
        (Column("win_share_low", "low", over=level), lambda x: plain(100 * x, 2)),
        (Column("win_share_high", "high", over=level), lambda x: plain(100 * x, 2)),
        (Column("score_mean", "score"), _to_hundredths),
        (Column("score_low", "low", over=level), _to_hundredths),
        (Column("score_high", "high", over=level), _to_hundredths),
        (Column("score_sd", "sd"), _to_hundredths),
    ]
    if table.table.bounds:
        over = "win share if truncated games"
        parts.append((Column("win_share_if_truncated_lost", "are lost", over=over), _in_percent))
        parts.append((Column("win_share_if_truncated_won", "are won", over=over), _in_percent))
    columns = [Column(name, name, number=False) for name in (by, *words)]
    rows = [
        [_cell(row[by]), *(_word(row[name]) for name in words)]
        + [_cell(row[column.name], write) for column, write in parts]
        for row in objects
    ]
    return Grid([*columns, *(column for column, _ in parts)], rows, notes=notes)


def frame_grid(frame: pl.DataFrame) -> Grid:
    """Return a polars frame as a table: its first 200 rows, numbers of a column alike."""
    top = frame.head(MOST_ROWS)
    cells = [_cells(column) for column in top]
    rows = [list(row) for row in zip(*cells, strict=True)]
    return Grid(_columns(frame), rows, more=frame.height - top.height)


def _columns(frame: pl.DataFrame) -> list[Column]:
    """Return the columns of a frame; a low and a high one side by side share a heading."""
    found = [Column(name, name, frame[name].dtype.is_numeric()) for name in frame.columns]
    for place, (low, high) in enumerate(pairwise(frame.columns)):
        start = low.removesuffix("low")
        if place and start != low and high == f"{start}high" and start[-1:] in ("", " ", "_"):
            over = f"{start.rstrip(' _')} interval".strip()
            found[place] = replace(found[place], text="low", over=over)
            found[place + 1] = replace(found[place + 1], text="high", over=over)
    return found


def _cells(column: pl.Series) -> list[Cell]:
    write = _writer(column)
    return [_cell(value, write) for value in column.to_list()]


def _writer(column: pl.Series) -> Callable[[Any], str]:
    """Return how the numbers of a column are written: all with the same decimals."""
    if not column.dtype.is_float():
        return lambda value: f"{value:,}"
    sizes = [abs(x) for x in column.to_list() if x is not None and math.isfinite(x) and x]
    whole = math.floor(math.log10(max(sizes))) + 1 if sizes else 1
    decimals = min(8, max(0, DIGITS - max(whole, -4)), max(map(_decimals, sizes), default=8))
    return lambda value: f"{value:,.{decimals}f}"


def _decimals(value: float) -> int:
    """Return how many decimals a number has, as it is written in full."""
    return max(0, -int(Decimal(repr(value)).normalize().as_tuple().exponent))


def _in_percent(share: float) -> str:
    return percent(share, 2)


def _to_hundredths(value: float) -> str:
    return plain(value, 2)


def _cell(value: Any, write: Callable[[Any], str] = str) -> Cell:
    if value is None:
        return Cell(NOTHING, missing=True)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return Cell(str(value))
    if not math.isfinite(value):
        return Cell(str(value), repr(value))
    return Cell(write(value), repr(value))


def _word(value: Any) -> Cell:
    """Return a cell that names something: a strategy, a seat or its seats."""
    return Cell(", ".join(map(str, value)) if isinstance(value, list) else str(value))
