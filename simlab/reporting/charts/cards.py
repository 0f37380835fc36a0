"""The figure of what pays: how often those win who had an event, such as a card bought."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.axes import Axes

from simlab.core.registry import find_game
from simlab.errors import UserError, one_of, shown
from simlab.reporting import canvas, marks
from simlab.reporting.charts import parts
from simlab.reporting.charts.parts import Chart, Row
from simlab.reporting.numbers import percent

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl
    from matplotlib.figure import Figure

WIN = ("win_share", "win_share_low", "win_share_high")
ENDS = 15
"""Rows that are shown at either end where there are many."""
FEW = 100
"""Dots of rows with fewer games are hollow."""
MOST_ROWS = 5_000
ROW, MANY = 0.28, 12
"""Inches of height of a line where there are many."""
LABELS = (30, 16)
"""Letters of a name, for wide and narrow figures."""


def card_value_data(run: Any, by: str | None = None, *, level: float = 0.95) -> pl.DataFrame:
    """Return how often those seats win that had an event with each card (or tile, move, ...).

    run: an `api.Run` with events. by: what the game groups its events by, such as "card"; default
    its first grouping. One row for each value that somebody had, best win share first. Columns: as
    `run.summary(by)` (games counts a seat once for each game in which it had the value; the unit
    of the intervals is the deal), and the same in each row: equal_share (1 / players), event (the
    kinds that count, in words). UserError for a game whose events are not grouped, an unknown
    grouping, and a run without events.
    """
    import polars as pl

    reason = card_value_unfit(run)
    if reason is not None:
        raise UserError(f"{shown(run.folder)} has no figure 'card-value': {reason}.")
    groups = _groups(run)
    by = next(iter(groups)) if by is None else by
    if by not in groups:
        raise one_of("grouping", by, groups, f"of the events of {run.game}")
    kinds = " or ".join(groups[by])
    return run.summary(by, level=level).with_columns(  # type: ignore[no-any-return]
        equal_share=pl.lit(1 / run.players), event=pl.lit(kinds)
    )


def card_value(frame: pl.DataFrame, by: str | None = None, *, level: float = 0.95) -> Figure:
    """Return a dot plot of win shares of those who had each value, the best and worst 15 of many.

    frame: as `card_value_data` gives it: one row a value, columns `by`, games, win_share,
    win_share_low, win_share_high, equal_share, event. by: the column that names the values; default
    the first one. Rows with fewer than 100 games have hollow dots. level: of the intervals, for
    the words. UserError for a frame that lacks a column or has no row.
    """
    by = _first_column(frame) if by is None else by
    rows = parts.rows_of(frame, (by, "games", *WIN, "equal_share", "event"), MOST_ROWS, by)
    rows.sort(key=lambda row: (row["win_share"] is None, -(row["win_share"] or 0)))
    lines, hidden = _ends(rows)
    with canvas.style():
        chart = Chart(0.85 + (ROW if len(lines) > MANY else marks.ROW) * len(lines))
        axes = chart.subplots()
        _lines(chart, axes, lines, len(hidden), by)
        _dots(axes, lines, hidden)
        _columns(axes, lines)
        fair = rows[0]["equal_share"]
        ends = [end for row in lines if row for end in parts.ends(row, WIN, 100)]
        low, high = parts.room([*ends, None if fair is None else 100 * fair])
        axes.set_xlim(max(-1.0, low), min(101.0, high))
        if fair is not None:
            marks.mark(axes, 100 * fair, f"equal share {100 * fair:.3g} %")
        axes.set_xlabel("win share in %", loc="right")
        chart.tell(_notes(axes, rows, lines, by, level))
    chart.set_label(_alt(rows, by))
    return chart


def card_value_unfit(run: Any) -> str | None:
    """Return why a run cannot have this figure, as part of a sentence; None where it can."""
    if _groups(run):
        return None
    return (
        f"the events of {run.game} are not grouped; its Events(...) would need groups, such as "
        "groups={'card': ('bought',)}"
    )


def _groups(run: Any) -> Mapping[str, tuple[str, ...]]:
    """Return what the events of the run's game are grouped by; empty for nothing."""
    with run.places():
        about = find_game(run.game).events
    return {} if about is None else about.groups


def _first_column(frame: Any) -> str:
    import polars as pl

    held = frame.columns if isinstance(frame, pl.DataFrame) else []
    return held[0] if held else "card"


def _ends(rows: list[Row]) -> tuple[list[Row | None], list[Row]]:
    """Return the rows to show, None for the gap between best and worst, and those in the gap."""
    if len(rows) <= 2 * ENDS + 1:
        return [*rows], []
    return [*rows[:ENDS], None, *rows[-ENDS:]], rows[ENDS:-ENDS]


def _lines(chart: Chart, axes: Axes, lines: list[Row | None], hidden: int, by: str) -> None:
    """Name the lines; the gap says how many it stands for."""
    names = [f"{hidden:,} more between" if row is None else row[by] for row in lines]
    parts.lines(chart, axes, names, by, most=LABELS)
    for tick, row in zip(axes.yaxis.get_major_ticks(), lines, strict=True):
        if row is None:
            tick.label1.set(color=canvas.MUTED, fontsize=8.5)


def _dots(axes: Axes, lines: list[Row | None], hidden: list[Row]) -> None:
    """Draw dots and intervals, hollow where they stand for few games; the gap as a bar."""
    ends = [(None, None, None) if row is None else parts.ends(row, WIN, 100) for row in lines]
    marks.intervals(axes, ends)
    for line in axes.lines:
        kind, _, at = str(line.get_gid()).partition("-")
        row = lines[int(at)]
        line.set_clip_on(False)
        if row is not None and row["games"] < FEW:
            line.set_linewidth(1.1)
            if kind == "dot":
                line.set(markerfacecolor=canvas.PAPER, markeredgecolor=canvas.ACCENT)
                line.set(markeredgewidth=1.3)
    known = [100 * row["win_share"] for row in hidden if row["win_share"] is not None]
    if known:
        gap = lines.index(None)
        axes.barh(gap, max(known) - min(known), 0.34, min(known), color=canvas.PALE, gid="between")


def _columns(axes: Axes, lines: list[Row | None]) -> None:
    """Write win share and number of games at the right of each line."""
    decimals = parts.decimals_of(parts.ends(row, WIN, 100) for row in lines if row)
    texts = ["" if row is None else percent(row["win_share"], decimals) for row in lines]
    counts = ["" if row is None else f"{row['games']:,}" for row in lines]
    marks.beside(axes, texts)
    right = 10 + 6.4 * max(map(len, texts))
    edge = right + 12 + 5.6 * max(map(len, counts))
    with canvas.style():
        for at, text in enumerate(counts):
            axes.annotate(
                text, (1, at), (edge, 0), ("axes fraction", "data"), "offset points", ha="right",
                va="center_baseline", color=canvas.MUTED, fontsize=8.5,
            )  # fmt: skip
        axes.annotate(
            "n", (1, 1), (edge, 3), "axes fraction", "offset points", ha="right", va="bottom",
            color=canvas.MUTED, fontsize=8.5,
        )  # fmt: skip


def _notes(
    axes: Axes, rows: list[Row], lines: list[Row | None], by: str, level: float
) -> list[str]:
    """Say below the figure what is drawn, and what it cannot say."""
    event, few = rows[0]["event"], any(row and row["games"] < FEW for row in lines)
    ends = [parts.ends(row, WIN, 100) for row in lines if row]
    return [
        f"Win share of the seats with at least one event '{parts.name(event)}' of that "
        f"{parts.name(by)}, with {parts.interval(level)} of each line alone",
        parts.covered(axes, ends),
        f"Shown: the best and worst {ENDS} of {len(rows)}; some of either end is luck"
        if None in lines else "",
        f"Hollow: fewer than {FEW} games" if few else "",
        "Association, not cause: those who have the event differ from others in more than that",
        "n: seats that had it, one for each game",
    ]  # fmt: skip


def _alt(rows: list[Row], by: str) -> str:
    """Return the figure in words."""
    decimals = parts.decimals_of(parts.ends(row, WIN, 100) for row in rows)
    told = [
        f"{parts.name(row[by], 30)} {percent(row['win_share'], decimals)} (n {row['games']:,})"
        for row in rows
    ]
    if len(told) > 12:
        told = [*told[:6], f"{len(told) - 12} more", *told[-6:]]
    fair = rows[0]["equal_share"]
    equal = "" if fair is None else f"; equal share {100 * fair:.3g} %"
    return (
        f"Win share by {parts.name(by)} ({parts.name(rows[0]['event'])}), best first: "
        f"{', '.join(told)}{equal}."
    )
