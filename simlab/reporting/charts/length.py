"""The figure of how long games last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.analysis.estimates import mean
from simlab.analysis.sums import UnitSums
from simlab.analysis.tables import starts
from simlab.core.registry import find_game
from simlab.errors import UserError, shown
from simlab.reporting import canvas
from simlab.reporting.charts import histogram, parts
from simlab.reporting.charts.histogram import Bins, Counts
from simlab.reporting.charts.parts import Chart, Row

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

COUNTED = ("length", "width", "games", "truncated")
OWN = ("mean", "mean_low", "mean_high", "median", "column", "meaning")
HEIGHT = 2.5
MOST_LENGTHS = 2**15


def length_data(run: Any, *, level: float = 0.95) -> pl.DataFrame:
    """Return how many games were how long, by the column that the game declares as its length.

    run: an `api.Run`. Each seat has that column in its row; the length of a game is the largest of
    its seats. One row a length, ascending. Columns: length, width (lengths to a bin: 1 unless they
    reach over more than 16,384), games, share (of all games, in [0, 1]), truncated (how many of
    these games were stopped by the cap on decisions); and the same in each row: mean, mean_low,
    mean_high (the interval's unit is the deal; null where there is none), median, column (its
    name), meaning (of the column, with its unit). Read a file at a time.
    UserError for a game that declares no such column.
    """
    import polars as pl

    reason = length_unfit(run)
    if reason is not None:
        raise UserError(f"{shown(run.folder)} has no figure 'length': {reason}.")
    column, meaning = _declared(run)
    sums, found = UnitSums(), []
    for frame in run.pieces(["game", "deal", "end_reason", column]):
        first = starts(frame["game"])
        longest = np.maximum.reduceat(frame[column].to_numpy(), first).astype(np.int64)
        of_deal = starts(frame["deal"].gather(first))
        totals = np.add.reduceat(longest.astype(np.float64), of_deal)
        sums.add(np.diff(of_deal, append=len(longest)), totals)
        cut = frame["end_reason"].gather(first) == "truncated"
        found.append(_added(pl.DataFrame({"length": longest, "games": 1, "truncated": cut})))
    counts = _added(pl.concat(found))
    least, width = histogram.binned(pl.col("length"), *_ends(counts))
    counts = _added(counts.with_columns(length=least)).sort("length")
    estimate = mean(sums, level)
    median = histogram.counts_of(counts.with_columns(width=width), "length").quantile(0.5)
    ends = {"mean": estimate.estimate, "mean_low": estimate.low, "mean_high": estimate.high}
    return counts.select(
        "length", pl.lit(width, pl.Int64).alias("width"), "games",
        (pl.col("games") / pl.col("games").sum()).alias("share"), "truncated",
        *(pl.lit(end, pl.Float64).alias(name) for name, end in ends.items()),
        pl.lit(median, pl.Float64).alias("median"),
        pl.lit(column).alias("column"), pl.lit(meaning).alias("meaning"),
    )  # fmt: skip


def length(frame: pl.DataFrame, *, level: float = 0.95) -> Figure:
    """Return a histogram of how long games last, with mean, median and middle half.

    frame: as `length_data` gives it: one row a length, columns length, width, games, truncated,
    mean, mean_low, mean_high, median, column, meaning. level: of the interval, for the words.
    UserError for a frame that lacks a column or has no row.
    """
    rows = parts.rows_of(frame, (*COUNTED, *OWN), MOST_LENGTHS, "length")
    row, counts = rows[0], histogram.counts_of(frame, "length")
    bins = histogram.bins_over([counts])
    height = histogram.height_of([bins.shares(counts).max()])
    with canvas.style():
        chart = Chart(HEIGHT)
        axes = chart.subplots()
        histogram.draw(axes, counts, bins, height, "length")
        histogram.centre(axes, histogram.ends_of(row), row["median"], "length")
        histogram.scales(axes, 4)
        axes.set_title(_centre(row, counts), loc="right", fontsize=8.5, color=canvas.MUTED)
        axes.set_xlabel(_axis(row), loc="right", parse_math=False)
        histogram.key(chart)
        hidden = parts.covered(axes, [histogram.ends_of(row)])
        chart.tell([*_notes(rows, counts, bins, level), hidden])
    chart.set_label(_alt(row, counts, level))
    return chart


def length_unfit(run: Any) -> str | None:
    """Return why a run cannot have this figure, as part of a sentence; None where it can."""
    if _declared(run)[0]:
        return None
    return (
        f"{run.game} does not say how long its games last; its Game(...) would need a column, such "
        "as length='turns'"
    )


def _declared(run: Any) -> tuple[str, str]:
    """Return the column that says how long a game was, and its meaning; empty where none does."""
    with run.places():
        game = find_game(run.game)
    meanings = {column.name: column.meaning for column in game.columns}
    return game.length or "", meanings.get(game.length or "", "")


def _added(counts: pl.DataFrame) -> pl.DataFrame:
    """Return the counts with one row a length."""
    import polars as pl

    return counts.group_by("length").agg(pl.col("games", "truncated").cast(pl.Int64).sum())


def _ends(counts: pl.DataFrame) -> tuple[Any, Any]:
    return counts["length"].min(), counts["length"].max()


def _axis(row: Row) -> str:
    return f"length of a game: {parts.name(row['column'], 30)}"


def _centre(row: Row, counts: Counts) -> str:
    """Say mean, median and middle half."""
    decimals = parts.decimals_of([histogram.ends_of(row)])
    return f"{histogram.centre_in_words(row, decimals)}, {histogram.middle_half(counts)}"


def _notes(rows: list[Row], counts: Counts, bins: Bins, level: float) -> list[str]:
    """Say below the figure what is drawn."""
    column, cut = parts.name(rows[0]["column"], 30), sum(row["truncated"] for row in rows)
    meaning = f" ('{column}': {parts.name(rows[0]['meaning'], 200)})" if rows[0]["meaning"] else ""
    return [
        f"Height: share of the games, in %; dot: mean with {parts.interval(level)}",
        f"A game is as long as the largest '{column}' among its seats{meaning}",
        histogram.bars_hold(bins, column),
        histogram.left_out(bins, [counts], "games"),
        f"{cut:,} of the games stopped at a cap and would have been longer" if cut else "",
        parts.count([{"games": counts.total}], "games"),
    ]  # fmt: skip


def _alt(row: Row, counts: Counts, level: float) -> str:
    """Return the figure in words."""
    ends = f"{int(counts.values[0]):,} to {int(counts.values[-1]) + counts.width - 1:,}"
    return (
        f"{_axis(row).capitalize()}, over {counts.total:,} games: {_centre(row, counts)} "
        f"({parts.interval(level)}), all {ends}."
    )
