"""The figure of who finishes ahead of whom, for each pair of strategies of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simlab.analysis.buckets import bucket_columns, bucket_totals
from simlab.analysis.ranking import ranking
from simlab.errors import UserError, shown
from simlab.reporting import canvas
from simlab.reporting.charts import parts, tournament
from simlab.reporting.charts.parts import Chart, Row

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

BEATS = ("beats", "beats_low", "beats_high")
COLUMNS = ("first", "second", *BEATS, "verdict", "pairs")
MOST_WITH_ENDS = 8
"""Strategies above which no intervals are written in the cells."""
RAISED, LOWERED = 0.14, 0.24
"""How far the number of a cell stands above its middle, and its interval below."""
ROOM = 0.12
"""Inches that a line of cells grows by for the intervals."""


def ahead_data(run: Any, *, level: float = 0.95) -> pl.DataFrame:
    """Return how often each strategy of a run finishes ahead of each other one.

    run: an `api.Run`. One row an ordered pair, in the order of the mean rank, best first. Columns:
    first, second; beats (the share of the pairs of their seats in one game in which the first has
    the better rank, equal ranks counting half, in [0, 1]), beats_low, beats_high (valid for all
    pairs together: Bonferroni; the unit is the deal; null where there is none), p_holm (of a share
    of a half, adjusted for all pairs), verdict (1: the first is ahead more often, -1: the second,
    0: not settled, Holm at the level), pairs (pairs of seats compared). Read a file at a time.
    UserError for a run of one strategy.
    """
    import polars as pl

    reason = ahead_unfit(run)
    if reason is not None:
        raise UserError(f"{shown(run.folder)} has no figure 'ahead': {reason}.")
    labels = list(dict.fromkeys(run.line_up))
    totals = bucket_totals(run.pieces(bucket_columns()), labels=labels)
    ranked = ranking(totals, "rank", "beats", level)
    seats = {(p.first, p.second): p.difference.games for p in ranked.pairs}
    seats |= {(second, first): many for (first, second), many in seats.items()}
    place = {row.name: at for at, row in enumerate(ranked.rows)}
    frame = ranked.matrix().sort(
        pl.col("strategy").replace_strict(place), pl.col("against").replace_strict(place)
    )
    return frame.select(
        first="strategy", second="against", beats="difference", beats_low="low", beats_high="high",
        p_holm="p_holm", verdict="verdict",
        pairs=pl.Series([seats[pair] for pair in frame.select("strategy", "against").rows()]),
    )  # fmt: skip


def ahead(frame: pl.DataFrame, *, level: float = 0.95) -> Figure:
    """Return a heat map of how often the strategy of the row finishes ahead of the column's.

    frame: as `ahead_data` gives it: one row an ordered pair, columns first, second, beats,
    beats_low, beats_high, verdict, pairs. Settled pairs fill their cell; intervals are written in
    the cells where they fit, else told below. level: of intervals and verdicts, for the words.
    UserError for a frame that lacks a column, has no row, or more than 60 strategies.
    """
    most = tournament.MOST_IN_MAP * (tournament.MOST_IN_MAP - 1)
    rows = parts.rows_of(frame, COLUMNS, most, "ordered pair")
    chart = tournament.pair_map(frame, level=level)
    assert isinstance(chart, Chart)
    with canvas.style():
        _write_intervals(chart, rows)
        chart.tell(_notes(rows, level))
    chart.set_label(_alt(rows))
    return chart


def ahead_unfit(run: Any) -> str | None:
    """Return why a run cannot have this figure, as part of a sentence; None where it can."""
    labels = list(dict.fromkeys(run.line_up))
    if len(labels) > 1:
        return None
    return f"{parts.name(labels[0])} holds every seat, so nobody can finish ahead of another"


def _write_intervals(chart: Chart, rows: list[Row]) -> None:
    """Write the share in each cell, in bold where it is settled, and its interval below.

    Takes the place of the numbers of the map; narrow figures have the shares alone.
    """
    axes = chart.axes[-1]
    names = list(dict.fromkeys(row[side] for side in ("first", "second") for row in rows))
    if len(names) > MOST_WITH_ENDS:
        return
    for old in list(axes.texts):
        old.remove()
    place = {name: at for at, name in enumerate(names)}
    ends = [parts.ends(row, BEATS, 100) for row in rows]
    decimals = min(2, parts.decimals_of(ends))
    texts = []
    for row, (value, low, high) in zip(rows, ends, strict=True):
        if value is None:
            continue
        x, y = place[row["second"]], place[row["first"]]
        weight = "bold" if row["verdict"] else "normal"
        share = axes.text(x, y, "", ha="center", va="center", fontsize=8.5, weight=weight, zorder=4)
        told = "" if low is None or high is None else _ends(low, high, decimals)
        below = axes.text(x, y + LOWERED, told, ha="center", va="center", fontsize=8, zorder=4)
        texts.append((share, below, y, value))

    def write(narrow: bool) -> float:
        for share, below, y, value in texts:
            share.set_text(parts.number(value, 0 if narrow else decimals))
            share.set_y(y if narrow or not below.get_text() else y - RAISED)
            below.set_visible(not narrow)
        return 0.0 if narrow else ROOM * len(names)

    chart.fit(write)


def _ends(low: float, high: float, decimals: int) -> str:
    return f"{low:.{decimals}f}\N{EN DASH}{high:.{decimals}f}"


def _notes(rows: list[Row], level: float) -> list[str]:
    """Say below the map what is drawn."""
    settled = sum(bool(row["verdict"]) for row in rows) // 2
    return [
        "In %: how often the row's strategy has the better rank, over all pairs of a seat of each "
        "in one game; equal ranks count half",
        f"{_widths(rows)}, {100 * level:g} % for all pairs together",
        f"Full squares, bold: settled, {settled:,} of {len(rows) // 2:,} pairs (Holm); small "
        "squares: not settled",
        "Columns bear the places of the rows",
        f"n{parts.KEPT}={parts.KEPT}{_many(rows)}",
    ]


def _widths(rows: list[Row]) -> str:
    """Say how far the intervals reach from the shares."""
    halves = sorted(
        100 * (row["beats_high"] - row["beats_low"]) / 2
        for row in rows
        if row["beats_low"] is not None and row["beats_high"] is not None
    )
    if not halves:
        return "Intervals: none"
    ends = dict.fromkeys(f"{half:.2g}" for half in (halves[0], halves[-1]))
    return f"Intervals: about \N{PLUS-MINUS SIGN}{' to '.join(ends)} percentage points"


def _many(rows: list[Row]) -> str:
    """Say how many pairs of seats stand behind each share."""
    known = sorted({row["pairs"] for row in rows if row["pairs"] is not None}) or [0]
    many = " to ".join(f"{many:,}" for many in dict.fromkeys((known[0], known[-1])))
    return f"{many} pairs of seats{' each' if len(known) == 1 and len(rows) > 2 else ''}"


def _alt(rows: list[Row]) -> str:
    """Return the map in words."""
    names = list(dict.fromkeys(row[side] for side in ("first", "second") for row in rows))
    place = {name: at for at, name in enumerate(names)}
    ends = [parts.ends(row, BEATS, 100) for row in rows]
    decimals = min(2, parts.decimals_of(ends))
    told = [
        f"{parts.name(row['first'])} ahead of {parts.name(row['second'])} "
        f"{parts.number(value, decimals)} % ({parts.between(low, high, decimals)})"
        f"{'' if row['verdict'] else ', not settled'}"
        for row, (value, low, high) in zip(rows, ends, strict=True)
        if place[row["first"]] < place[row["second"]]
    ]
    return f"How often one strategy finishes ahead of another: {parts.listed(told) or 'unknown'}."
