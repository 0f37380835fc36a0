"""The figure of a sample size: games against the difference that they find."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes

from simlab.analysis.planning import Spread, plan_difference
from simlab.errors import UserError
from simlab.reporting import canvas
from simlab.reporting.charts import parts
from simlab.reporting.charts.parts import Chart, Measure, Row

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

COLUMNS = ("detect", "power", "level", "comparisons", "sd", "factor", "deals", "games")
REACH = 5.0
"""The curve goes from a fifth of the asked difference to five times of it."""
POINTS = 60
MOST_ROWS = 20_000


def sample_size_curve(
    summary: pl.DataFrame, sd: float | None = None, *, objective: str = "win"
) -> Figure:
    """Return how many games find which difference, with the difference asked for marked.

    summary: one row for each comparison, as `sample_size.summary()` gives it: detect, power, level,
    comparisons, sd, factor, deals, games, and until_games where there is one. Of several, the
    curve is that of the row that needs the most games, over the range of all. sd: of a deal, in
    the units of the objective; None: as in the row. objective: win, score, margin or rank.
    The curve is `plan_difference` (statistics section 8), with sd and factor of the row.
    UserError for a frame that lacks a column or has no row, or numbers that no plan starts from.
    """
    rows = parts.rows_of(summary, COLUMNS, MOST_ROWS, "comparison")
    rows = [row for row in rows if not any(row[column] is None for column in COLUMNS)]
    if not rows:
        raise UserError("no row of the frame of the figure says how many games it takes.")
    kind = parts.measure(objective)
    rows.sort(key=lambda row: row["games"])
    row, least = rows[-1], rows[0]
    at = np.geomspace(row["detect"] / REACH, row["detect"] * REACH, POINTS)
    games = _games(row, at, sd)
    with canvas.style():
        chart = Chart(3.3)
        axes = chart.subplots()
        if len(rows) > 1:
            axes.fill_between(
                kind.scale * at, _games(least, at, sd), games, color=canvas.BAND, alpha=0.55,
                linewidth=0, gid="range",
            )  # fmt: skip
        axes.plot(kind.scale * at, games, color=canvas.ACCENT, linewidth=1.8, gid="curve")
        _asked(chart, axes, row, kind)
        _sides(axes, kind)
        chart.tell(_notes(rows, row, kind, sd))
    chart.set_label(_alt(row, kind, at, games))
    return chart


def _games(row: Row, differences: np.ndarray, sd: float | None) -> list[int]:
    """Return the games that find each difference."""
    spread = Spread((row["sd"] if sd is None else sd) * math.sqrt(row["factor"]))
    each = round(row["games"] / row["deals"])
    return [
        plan_difference(
            spread, float(difference), level=row["level"], power=row["power"],
            comparisons=row["comparisons"], block_games=each,
        ).games
        for difference in differences
    ]  # fmt: skip


def _asked(chart: Chart, axes: Axes, row: Row, kind: Measure) -> None:
    """Mark the point asked for, and about where a stopping rule would end."""
    x = kind.scale * row["detect"]
    for xs, ys in (([x, x], [0.1, row["games"]]), ([1e-12, x], [row["games"]] * 2)):
        axes.plot(xs, ys, color=canvas.MARK, linewidth=1, linestyle=(0, (4, 3)), zorder=2)
    (asked,) = axes.plot(
        [x], [row["games"]], "D", color=canvas.MARK, markersize=8, markeredgecolor=canvas.PAPER,
        zorder=5, gid="asked",
    )  # fmt: skip
    drawn, words = [asked], [f"asked: {x:,.3g} {kind.unit(x)}, {row['games']:,} games"]
    if row.get("until_games") is not None:
        (until,) = axes.plot(
            [x], [row["until_games"]], "s", color=canvas.INK, markerfacecolor=canvas.PAPER,
            markersize=6, markeredgewidth=1.3, zorder=4, gid="until",
        )  # fmt: skip
        drawn.append(until)
        words.append(f"with a stopping rule: about {row['until_games']:,} games")
    chart.legend(
        drawn, words, loc="outside upper left", ncols=1, handlelength=1.2, borderpad=0.2,
        labelspacing=0.3,
    )  # fmt: skip


def _sides(axes: Axes, kind: Measure) -> None:
    """Scale and name the axes."""
    from matplotlib.ticker import LogLocator, NullFormatter

    lines = [line for line in axes.lines if line.get_gid() in ("curve", "asked", "until")]
    xs, ys = (np.concatenate([line.get_data()[side] for line in lines]) for side in (0, 1))
    axes.set(xscale="log", yscale="log")
    axes.set_xlim(min(xs), max(xs))
    axes.set_ylim(min(ys) / 1.3, max(ys) * 1.3)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter("{x:,g}")
    axes.yaxis.set_major_formatter(lambda games, _: f"{games:,.0f}")
    axes.grid()
    axes.tick_params(which="both", length=0, pad=6)
    axes.tick_params(axis="y", labelcolor=canvas.MUTED, labelsize=8.5)
    axes.set_xlabel(f"true difference in {kind.difference}", loc="right")
    axes.set_ylabel("games")


def _notes(rows: list[Row], row: Row, kind: Measure, sd: float | None) -> list[str]:
    """Say below the figure what the curve stands for."""
    comparisons = f", each of {row['comparisons']:,} comparisons" * (row["comparisons"] > 1)
    which = "that"
    if row.get("a") is not None and row.get("b") is not None:
        which = f"{parts.name(row['a'], 40)} and {parts.name(row['b'], 40)},"
    several = f"Band: all {len(rows):,} comparisons; the curve: {which} which takes the most games"
    deviation = kind.scale * (row["sd"] if sd is None else sd)
    factor = f", times {row['factor']:.3g} on the variance, as it is from a pilot"
    return [
        f"Games that find the difference with a probability of {100 * row['power']:g} % at level "
        f"{100 * row['level']:g} %{comparisons}",
        several if len(rows) > 1 else "",
        f"Standard deviation of a deal {deviation:,.3g} {kind.unit(deviation)}"
        f"{factor if row['factor'] > 1 else ''}",
        f"n = {row['games']:,} games are {row['deals']:,} deals, the units",
        "Half the difference takes four times the games",
    ]


def _alt(row: Row, kind: Measure, at: np.ndarray, games: list[int]) -> str:
    """Return the figure in words."""
    ends = [f"{games[end]:,} games find {kind.scale * at[end]:,.3g}" for end in (0, -1)]
    return (
        f"Games against the difference in {kind.difference}: {row['games']:,} games find "
        f"{kind.scale * row['detect']:,.3g}; {'; '.join(ends)}."
    )
