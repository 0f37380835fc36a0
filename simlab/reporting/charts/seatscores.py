"""The figure of scores by seat: the means over the spread, and the same means close up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simlab.reporting import canvas, marks
from simlab.reporting.charts import parts
from simlab.reporting.charts.parts import Chart, Row
from simlab.reporting.spread import spread

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MEAN = ("score_mean", "score_low", "score_high")
QUANTILES = ("q05", "q25", "q50", "q75", "q95")
MOST_SEATS = 60
AROUND, BETWEEN = 0.6, 0.75
"""Inches of height around the first panel, and what the second takes beside its lines."""


def score_by_seat_data(run: Any, *, level: float = 0.95) -> pl.DataFrame:
    """Return the scores of each seat: means with intervals, and how they spread.

    run: an `api.Run`. One row a seat, in order. Columns: seat, strategy (that sits there in every
    game; null where strategies rotate), games, score_mean, score_low, score_high (points; the unit
    of the interval is the deal; null where there is none), q05, q25, q50, q75, q95 (points; the
    smallest score that such a share of the scores does not exceed). Streamed.
    """
    import polars as pl

    table = run.summary("seat", level=level).select("seat", "games", *MEAN)
    held = spread(run.scan(), "seat").drop("games")
    name, code = pl.col("strategy"), pl.col("strategy").to_physical()
    who = (
        run.scan()
        .group_by("seat")
        .agg(name.first(), alone=code.min() == code.max())
        .select("seat", strategy=pl.when("alone").then(name.cast(pl.String)))
        .collect(engine="streaming")
    )
    kind = pl.col("seat").cast(table.schema["seat"])
    for more in (who, held):
        table = table.join(more.with_columns(kind), on="seat", how="left", maintain_order="left")
    frame: pl.DataFrame = table.select("seat", "strategy", pl.exclude("seat", "strategy"))
    return frame


def score_by_seat(frame: pl.DataFrame, *, level: float = 0.95, unit: str = "points") -> Figure:
    """Return mean scores by seat over bars of their spread, and the same means close up.

    frame: as `score_by_seat_data` gives it: one row a seat, columns seat, games, score_mean,
    score_low, score_high, q05, q25, q50, q75, q95; strategy, if it is there, names who sits there
    in every game. The mean of all seats is marked. The close-up reaches as far as the intervals.
    level: of the intervals; unit: of the scores, both for the words. UserError for a frame that
    lacks a column, has no row, or has more than 60 seats.
    """
    rows = parts.rows_of(frame, ("seat", "games", *MEAN, *QUANTILES), MOST_SEATS, "seat")
    shown = [parts.ends(row, MEAN) for row in rows]
    overall = _overall(rows)
    decimals = min(4, parts.decimals_of(shown) + 1)  # they are looked at for small differences
    names = [_name(row, _fixed(rows)) for row in rows]
    heights = [0.3 + marks.ROW * len(rows), 0.3 + marks.ROW * len(rows)]
    with canvas.style():
        chart = Chart(AROUND + BETWEEN + sum(heights))
        wide, near = chart.subplots(2, height_ratios=heights)
        for axes in (wide, near):
            parts.lines(chart, axes, names, "")
            marks.intervals(axes, shown)
        marks.bars(wide, [None if row["q05"] is None else row for row in rows])
        wide.use_sticky_edges = False
        wide.margins(x=0.03)
        _all_seats(wide, overall, decimals, named=True)
        ends = [end for one in shown for end in one]
        near.set_xlim(*parts.room([overall, *ends], 0.12))
        _all_seats(near, overall, decimals, named=False)
        marks.beside(near, [parts.number(value, decimals) for value, _, _ in shown])
        chart.fit(lambda narrow: near.locator_params(axis="x", nbins=3 if narrow else 6))
        near.set_title("the same means, close up", loc="left", fontsize=8.5, color=canvas.MUTED)
        near.set_xlabel(f"score in {unit}", loc="right")
        marks.key(wide, bars=True)
        chart.tell(
            [
                f"Lines through dots: {parts.interval(level)} of each mean",
                parts.covered(near, shown),
                _who(rows),
                f"{parts.count(rows, 'games')} a seat",
            ]
        )
    chart.set_label(_alt(rows, names, overall, decimals, unit))
    return chart


def _all_seats(axes: Axes, overall: float | None, decimals: int, named: bool) -> None:
    """Mark the mean of all seats."""
    if overall is not None:
        told = f"all seats {parts.number(overall, decimals)}"
        marks.mark(axes, overall, told if named else "")


def _overall(rows: list[Row]) -> float | None:
    """Return the mean over all games and seats."""
    known = [row for row in rows if row["score_mean"] is not None and row["games"]]
    games = sum(row["games"] for row in known)
    return sum(row["games"] * row["score_mean"] for row in known) / games if games else None


def _fixed(rows: list[Row]) -> bool:
    """Whether each seat has its own strategy, and not all the same."""
    held = {row.get("strategy") for row in rows}
    return None not in held and len(held) > 1


def _name(row: Row, fixed: bool) -> str:
    seat = marks.label(row["seat"], "seat")
    return f"{seat}, {marks.label(row['strategy'], '')}" if fixed else seat


def _who(rows: list[Row]) -> str:
    if _fixed(rows):
        return "Each strategy kept its seat, so seats differ by who sits there, too"
    return "All strategies together"


def _alt(rows: list[Row], names: list[str], overall: float | None, decimals: int, unit: str) -> str:
    """Return the figure in words."""
    told = [
        f"{parts.name(name)} {parts.number(row['score_mean'], decimals)} "
        f"({parts.between(row['score_low'], row['score_high'], decimals)})"
        for name, row in zip(names, rows, strict=True)
    ]
    return (
        f"Mean score by seat, in {unit}, with intervals: {parts.listed(told)}; all seats "
        f"{parts.number(overall, decimals)}."
    )
