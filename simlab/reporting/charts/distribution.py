"""The figure of how scores spread: a small histogram for each strategy, on one axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from matplotlib.collections import PolyCollection

from simlab.errors import one_of
from simlab.reporting import canvas, marks
from simlab.reporting.charts import histogram, parts
from simlab.reporting.charts.histogram import Counts, Floats
from simlab.reporting.charts.parts import Chart, Row

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_PANELS = 60
PANEL, LOW_PANEL, REST = 0.92, 0.68, 0.62
"""Inches of height of a panel with its heading, where there are many, and of the rest."""
MANY = 8
OWN = ("mean", "mean_low", "mean_high", "median")
LABELS = (40, 22)
"""Letters of a name, for wide and narrow figures."""


def score_distribution_data(run: Any, by: str = "strategy", *, level: float = 0.95) -> pl.DataFrame:
    """Return how often each final score was reached, by strategy, seat or another column.

    run: an `api.Run`. One row a group and score, in the order of the groups and scores. Columns:
    `by`; score (points; the least of its bin), width (scores to a bin: 1 unless they reach over
    more than 16,384), games (seats held with such a score), share (of the group's seats held, in
    [0, 1]); and of the whole group, the same in each of its rows: mean, mean_low, mean_high
    (points; the interval's unit is the deal; null where there is none), median. UserError for an
    unknown column. Streamed; memory grows with the number of different scores alone.
    """
    import polars as pl

    rows = run.scan()
    held = rows.collect_schema().names()
    if by not in held:
        raise one_of("column", by, held, f"in {run.folder}")
    table = run.summary(by, level=level).select(
        by, mean="score_mean", mean_low="score_low", mean_high="score_high"
    )
    counts = histogram.counted(rows, by, "score").with_columns(pl.col(by).cast(table.schema[by]))
    total, so_far = pl.col("games").sum().over(by), pl.col("games").cum_sum().over(by)
    middle = pl.col("score").filter(2 * so_far >= total).min().over(by)
    return (
        counts.with_columns(share=pl.col("games") / total, median=middle.cast(pl.Float64))
        .join(table, on=by, how="left", nulls_equal=True, maintain_order="left")
        .select(by, "score", "width", "games", "share", *OWN)
    )


def _steps(axes: Axes, edges: Floats, heights: Floats, colour: str) -> PolyCollection:
    """Draw the steps of a histogram."""
    import seaborn  # type: ignore[import-untyped,unused-ignore]

    middles = (edges[1:] + edges[:-1]) / 2
    seaborn.histplot(
        x=middles,
        weights=heights,
        bins=edges.tolist(),
        element="step",
        color=colour,
        alpha=1,
        ax=axes,
    )
    steps = axes.collections[-1]
    assert isinstance(steps, PolyCollection)
    return steps


def score_distribution(
    frame: pl.DataFrame, by: str = "strategy", *, level: float = 0.95, unit: str = "points"
) -> Figure:
    """Return a small histogram of the scores for each group, on one axis, highest mean on top.

    frame: as `score_distribution_data` gives it: one row a group and score, columns `by`, score,
    width, games, mean, mean_low, mean_high, median. Scores over a wide range are put together in
    bars of equal width; all panels have the same scale. level: of the intervals; unit: of the
    scores, both for the words. UserError for a frame that lacks a column, has no row, or has more
    than 60 groups.
    """
    rows, counts = _groups(frame, by)
    bins = histogram.bins_over(counts)
    height = histogram.height_of(bins.shares(one).max() for one in counts)
    names = [marks.label(row[by], by) for row in rows]
    with canvas.style():
        chart = Chart(REST + len(rows) * (PANEL if len(rows) <= MANY else LOW_PANEL))
        panels = list(chart.subplots(len(rows), squeeze=False, sharex=True, sharey=True)[:, 0])
        for at, (axes, row, one) in enumerate(zip(panels, rows, counts, strict=True)):
            histogram.draw(axes, one, bins, height, f"panel-{at}", _steps)
            histogram.centre(axes, histogram.ends_of(row), row["median"], f"panel-{at}")
            histogram.scales(axes, 2)
        _headings(chart, panels, names, rows)
        histogram.key(chart)
        panels[-1].set_xlabel(f"score in {unit}", loc="right")
        chart.tell(
            [
                f"Height: share of the seats held, in %, the same scale for all; dot: mean with "
                f"{parts.interval(level)}",
                parts.covered(panels[0], [histogram.ends_of(row) for row in rows]),
                histogram.bars_hold(bins, unit),
                "Bars that are cut bear their share" if _cut(panels) else "",
                histogram.left_out(bins, counts, "seats held"),
                parts.count([{"games": one.total} for one in counts], _what(by))
                + (" each" if len({one.total for one in counts}) == 1 < len(counts) else ""),
            ]
        )
    chart.set_label(_alt(names, rows, counts, by, unit))
    return chart


def _groups(frame: pl.DataFrame, by: str) -> tuple[list[Row], list[Counts]]:
    """Return a row and the counts of each group, the highest mean first."""
    import polars as pl

    columns = (by, "score", "width", "games", *OWN)
    heads = frame
    if isinstance(frame, pl.DataFrame) and by in frame.columns and "games" in frame.columns:
        frame = frame.filter(pl.col("games") > 0)
        heads = frame.unique(by, keep="first", maintain_order=True)
    rows = parts.rows_of(heads, columns, MOST_PANELS, by)
    rows.sort(key=lambda row: (row["mean"] is None, -(row["mean"] or 0)))
    held = {one[by][0]: one for one in frame.partition_by(by, maintain_order=True)}
    return rows, [histogram.counts_of(held[row[by]], "score") for row in rows]


def _headings(chart: Chart, panels: Sequence[Axes], names: list[str], rows: list[Row]) -> None:
    """Write the name above each panel at the left, mean and median at the right."""
    decimals = parts.decimals_of([histogram.ends_of(row) for row in rows])
    cut = [parts.short_all(names, most) for most in LABELS]

    def write(narrow: bool) -> None:
        for at, (axes, row) in enumerate(zip(panels, rows, strict=True)):
            axes.set_title(
                cut[narrow][at], loc="left", fontsize=9, color=canvas.INK, pad=3, parse_math=False
            )
            said = histogram.centre_in_words(row, decimals, short=narrow)
            axes.set_title(said, loc="right", fontsize=8.5, pad=3, color=canvas.MUTED)

    chart.fit(write)


def _cut(panels: Sequence[Axes]) -> bool:
    return any(str(text.get_gid()).endswith("-cut") for axes in panels for text in axes.texts)


def _what(by: str) -> str:
    return "games" if by == "seat" else "seats held"


def _alt(names: list[str], rows: list[Row], counts: list[Counts], by: str, unit: str) -> str:
    """Return the figure in words."""
    decimals = parts.decimals_of([histogram.ends_of(row) for row in rows])
    told = [
        f"{marks.short(name, 60)} {histogram.centre_in_words(row, decimals)}, "
        f"{histogram.middle_half(one)}"
        for name, row, one in zip(names, rows, counts, strict=True)
    ]
    more = f"; and {len(told) - 12} more" if len(told) > 12 else ""
    return f"How scores spread by {by}, in {unit}: {'; '.join(told[:12])}{more}."
