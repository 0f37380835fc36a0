"""Figures of Le Collier de la Reine: what each sale brings, and when the sales come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab import figures, report_figure

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SALES = ("first", "second", "third")
POINTS = {f"{name} sale": f"points_sale_{number}" for number, name in enumerate(SALES, start=1)}
"""What the points of a game come from, and the columns of the rows that hold them."""
ESTIMATE = ("estimate", "low", "high")
BODY = 3.0
"""Inches of the figure of turns."""


def _looks() -> tuple[Any, ...]:
    """Return how the sales look, first to last."""
    canvas = figures.canvas

    return (
        figures.Look(canvas.BAND, "first sale", canvas.INK),
        figures.Look(canvas.ACCENT, "second sale", canvas.PAPER),
        figures.Look(canvas.INK, "third sale", canvas.PAPER),
    )


# -- what each sale brings


def points_by_sale_data(run: Any) -> pl.DataFrame:
    """Return the mean points of a game by sale, for each strategy.

    One row for each strategy and source (points_sale_1 to points_sale_3, and all: the score):
    estimate, low, high (points a game and seat; 95 % interval, the unit is the deal), games (seats
    held). One streamed pass.
    """
    frame: pl.DataFrame = figures.source_means(run, POINTS.values())
    return frame


@report_figure(  # type: ignore[untyped-decorator]
    "What each sale brings", data=points_by_sale_data
)
def points_by_sale(frame: pl.DataFrame) -> Figure:
    """Each bar is what a strategy scores in a game on average, first sale to last. Who shows all at
    once lives from the first sale; who keeps rings and gems back lives from the third.

    frame: as `points_by_sale_data` gives it. The most points first; at most 40 strategies.
    """  # noqa: D205
    canvas, marks, parts = figures.canvas, figures.marks, figures.parts

    names, ends = figures.by_source(frame)
    with canvas.style():
        chart = parts.Chart(1.25 + marks.ROW * len(names))
        axes = chart.subplots()
        parts.lines(chart, axes, names)
        rows = [[ends[name, column][0] for column in POINTS.values()] for name in names]
        totals = [ends[name, "all"] for name in names]
        figures.stacks(chart, axes, rows, totals, _looks(), "sale")
        axes.set_xlabel("mean points of a game", loc="right")
        figures.key(chart, _looks())
        counted = figures.counted(frame, "games", "seats held", figures.MOST_BARS)
        chart.tell([*_point_notes(frame), *counted])
    chart.set_label(f"What each sale brings on average: {_point_alt(names, ends)}.")
    return chart  # type: ignore[no-any-return]


def _point_notes(frame: pl.DataFrame) -> list[str]:
    """Say below the bars what is drawn."""
    wide = figures.widest(frame, "low", "high")
    return [
        "At the right: the mean score, with its 95 % interval as a line at the end of the bar",
        f"All intervals, also of the parts, reach {wide} points to either side, or less"
        * bool(wide),
        "Their unit is the deal",
    ]


def _point_alt(names: Sequence[Any], ends: dict[tuple[Any, str], Any]) -> str:
    """Return the bars in words."""
    parts = figures.parts

    told = []
    for name in names:
        by = [f"{ends[name, column][0]:.1f} in the {sale}" for sale, column in POINTS.items()]
        score = figures.with_interval(*ends[name, "all"])
        told.append(f"{parts.name(name)} {score} points ({', '.join(by)})")
    return "; ".join(told)


# -- when the sales come


def when_sales_come_data(run: Any) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return in which turn the sales were held.

    First frame, one row for each sale (1 to 3) and turn from 0 to the longest game's last: games
    held then. Second frame, one row for each sale: estimate, low, high (mean turn; 95 % interval,
    the unit is the deal), games. Turns are those of all players together, the same for every seat,
    so seat 0 counts. One streamed pass for each sale.
    """
    import polars as pl

    first = run.scan().filter(pl.col("seat") == 0)
    many, means = [], []
    for sale in range(1, len(SALES) + 1):
        turn = pl.col(f"sale_{sale}").cast(pl.Int64)
        held = (
            first.group_by(figures.bucket(), turn.alias("turn"))
            .agg(games=pl.len().cast(pl.Int64))
            .collect(engine="streaming")
        )
        units = figures.Units(held["bucket"], held["games"])
        ends = units.mean(units.sums(held["bucket"], held["turn"] * held["games"]))
        means.append(
            {"sale": sale} | dict(zip(ESTIMATE, ends, strict=True)) | {"games": units.appearances}
        )
        many.append(held.group_by("turn").agg(pl.col("games").sum()).with_columns(sale=sale))
    last = max(int(one["turn"].max()) for one in many)
    every = pl.DataFrame(
        {
            "sale": np.repeat(np.arange(1, len(SALES) + 1), last + 1),
            "turn": np.tile(np.arange(last + 1), len(SALES)),
        }
    )
    frame = every.join(pl.concat(many), on=["sale", "turn"], how="left").sort("sale", "turn")
    return frame.with_columns(pl.col("games").fill_null(0)), pl.DataFrame(
        means, infer_schema_length=None
    )


@report_figure(  # type: ignore[untyped-decorator]
    "When the sales come", data=when_sales_come_data
)
def when_sales_come(frame: pl.DataFrame, means: pl.DataFrame) -> Figure:
    """How many turns, of all players together, go by before each of the three sales: the share of
    games that hold it in a turn. Merchants that lie anywhere in their third of the deck spread the
    first two sales; a Cardinal puts a sale off by up to a round.

    frame, means: as `when_sales_come_data` gives them.
    """  # noqa: D205
    canvas, parts = figures.canvas, figures.parts

    games = int(means["games"][0])
    with canvas.style():
        chart = parts.Chart(BODY)
        axes = chart.subplots()
        for number, look in enumerate(_looks(), start=1):
            _held(axes, frame.filter(frame["sale"] == number), look, games, number)
        for row in means.iter_rows(named=True):
            axes.plot(
                [row["estimate"]] * 2, [0, 1], transform=axes.get_xaxis_transform(), zorder=3,
                color=canvas.MARK, linewidth=1.4, linestyle="--", gid=f"mean-{row['sale']}",
            )  # fmt: skip
        axes.set_xlim(0, None)
        axes.set_ylim(0, None)
        axes.set_xlabel("turn of the sale, all players' turns counted", loc="right")
        axes.set_ylabel("share of games, %")
        figures.key(chart, _looks())
        chart.tell(_turn_notes(means, games))
    chart.set_label(f"When the sales come: {_turn_alt(means)}.")
    return chart  # type: ignore[no-any-return]


def _held(axes: Axes, rows: pl.DataFrame, look: Any, games: int, number: int) -> None:
    """Draw in which turns one sale was held."""
    share = rows["games"].to_numpy() / games * 100
    edges = np.arange(len(share) + 1) - 0.5
    axes.stairs(
        share, edges, fill=True, facecolor=look.colour, edgecolor=look.colour, alpha=0.75,
        gid=f"held-{number}",
    )  # fmt: skip


def _turn_notes(means: pl.DataFrame, games: int) -> list[str]:
    """Say below the figure what is drawn."""
    told = [
        f"{SALES[row['sale'] - 1]} {figures.with_interval(*(row[end] for end in ESTIMATE))}"
        for row in means.iter_rows(named=True)
    ]
    return [
        f"Dashed: the mean turns, {', '.join(told)} (95 %, the unit is the deal)",
        f"{games:,} games, each counted once",
    ]


def _turn_alt(means: pl.DataFrame) -> str:
    """Return the means in words."""
    return "; ".join(
        f"the {SALES[row['sale'] - 1]} in turn "
        f"{figures.with_interval(*(row[end] for end in ESTIMATE))} on average"
        for row in means.iter_rows(named=True)
    )
