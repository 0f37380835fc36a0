"""Tables of a page: what each cell shows, and the full value that it stands for."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
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
    """One cell. text: what it shows; value: the number in full, None where it is no number."""

    text: str
    column: str
    value: str | None = None


@dataclass(frozen=True)
class Head:
    """A heading over one or more columns."""

    text: str
    number: bool = True
    columns: int = 1


@dataclass(frozen=True)
class Grid:
    """A table of a page. more: rows that are not shown; notes: lines below it."""

    head: list[Head]
    rows: list[list[Cell]]
    more: int = 0
    notes: list[str] = field(default_factory=list)


def run_grid(table: RunTable, notes: list[str]) -> Grid:
    """Return the table of a run; each number is that of `table.objects()`, in full."""
    by, level = table.by, f"{100 * table.level:g} % interval"
    objects = table.objects()
    words = [name for name in ("seat", "strategy") if name != by and objects and name in objects[0]]
    parts: list[tuple[str, tuple[str, ...], Callable[[Any], str]]] = [
        ("seats held", ("games",), lambda n: f"{n:,}"),
        ("win share", ("win_share",), lambda x: percent(x, 2)),
        (level, ("win_share_low", "win_share_high"), lambda x: plain(100 * x, 2)),
        ("score", ("score_mean",), lambda x: plain(x, 2)),
        (level, ("score_low", "score_high"), lambda x: plain(x, 2)),
        ("sd", ("score_sd",), lambda x: plain(x, 2)),
    ]
    if table.table.bounds:
        ends = ("win_share_if_truncated_lost", "win_share_if_truncated_won")
        parts.append(("if truncated lost, won", ends, lambda x: percent(x, 2)))
    head = [Head(name, number=False) for name in (by, *words)]
    head += [Head(text, columns=len(names)) for text, names, _ in parts]
    rows = [
        [_cell(by, row[by]), *(_word(name, row[name]) for name in words)]
        + [_cell(name, row[name], write) for _, names, write in parts for name in names]
        for row in objects
    ]
    return Grid(head, rows, notes=notes)


def frame_grid(frame: pl.DataFrame) -> Grid:
    """Return a polars frame as a table: its first 200 rows, numbers of a column alike."""
    top = frame.head(MOST_ROWS)
    head = [Head(name, number=frame[name].dtype.is_numeric()) for name in frame.columns]
    columns = [[_cell(c.name, value, _writer(c)) for value in c.to_list()] for c in top]
    rows = [list(row) for row in zip(*columns, strict=True)]
    return Grid(head, rows, more=frame.height - top.height)


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


def _cell(column: str, value: Any, write: Callable[[Any], str] = str) -> Cell:
    if value is None:
        return Cell(NOTHING, column)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return Cell(str(value), column)
    if not math.isfinite(value):
        return Cell(str(value), column, repr(value))
    return Cell(write(value), column, repr(value))


def _word(column: str, value: Any) -> Cell:
    """Return a cell that names something: a strategy, a seat or its seats."""
    return Cell(", ".join(map(str, value)) if isinstance(value, list) else str(value), column)
