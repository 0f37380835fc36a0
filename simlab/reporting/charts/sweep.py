"""The figures of a sweep: a curve over one parameter, a map over two."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from matplotlib.axes import Axes

from simlab.reporting import canvas, marks
from simlab.reporting.charts import grid, heat, parts
from simlab.reporting.charts.grid import POINT
from simlab.reporting.charts.parts import Chart, Measure, Row

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

STEPS = 8
MOST_NUMBERS = 16
"""Columns of a map above which no numbers are written in its cells."""
WIDE_RANGE = 50
"""Values that reach over more than this factor, in growing steps, lie on a logarithmic axis."""
DIGIT = 5.4
"""Points of width of a letter of the words along an axis."""


def sweep_curve(
    summary: pl.DataFrame, parameter: str, objective: str, *, level: float = 0.95
) -> Figure:
    """Return what each value of a parameter reaches, with the band, and which may be the best.

    summary: one row a grid point, as `sweep.summary()` gives it: the parameter's column, players,
    estimate, low, high (the simultaneous band), kept (whether it may be the best), games, deals.
    Each number of players has its panel, all on one scale; panels of curves each begin at their
    own height, as the equal share differs. objective: win, score, margin or rank. level: of band
    and region, for the words. Values that are words make lines of dots instead of a curve.
    UserError for a frame that lacks a column or has no row, or in which a value comes twice.
    """
    columns = (parameter, "players", *POINT, "kept", "games")
    rows = parts.rows_of(summary, columns, grid.MOST_POINTS, "grid point")
    kind = parts.measure(objective)
    panels = grid.panels(rows, (parameter,))
    curve = all(parts.is_number(row[parameter]) for row in rows)
    if not curve:
        parts.rows_of(summary, columns, parts.MOST_STRATEGIES, "word")
    fair = objective == "win"
    with canvas.style():
        tall = 2.3 if len(panels) < 3 else 1.9
        heights = [tall if curve else 0.5 + marks.ROW * len(held) for held in panels.values()]
        chart = Chart(sum(heights) + 0.4)
        drawn = chart.subplots(len(panels), squeeze=False, sharex=True, height_ratios=heights)[:, 0]
        for axes, (players, held) in zip(drawn, panels.items(), strict=True):
            if curve:
                _curve(axes, held, parameter, kind)
            else:
                _dots(chart, axes, held, parameter, kind)
            if fair and players:
                _equal_share(axes, 100 / players, upright=not curve)
            grid.tell(axes, held, (parameter,), kind)
        _scale(list(drawn), panels, kind, fair, upright=not curve)
        drawn[-1].set_xlabel(parts.name(parameter) if curve else kind.words, loc="right")
        chart.tell(grid.notes(rows, kind, level, "region" if curve else "dots", fair))
    chart.set_label(grid.words(panels, (parameter,), kind))
    return chart


def sweep_map(
    summary: pl.DataFrame, first: str, second: str, objective: str, *, level: float = 0.95
) -> Figure:
    """Return a heat map of two parameters, the cells that may be the best outlined.

    summary: as for `sweep_curve`, with the columns of both parameters. first: along x; second:
    along y. Stronger is better; the best cell of each number of players has a frame. Each
    number of players has its panel, all in the same colours.
    UserError as for `sweep_curve`.
    """
    columns = (first, second, "players", *POINT, "kept", "games")
    rows = parts.rows_of(summary, columns, grid.MOST_POINTS, "grid point")
    kind = parts.measure(objective)
    panels = grid.panels(rows, (first, second))
    across, up = (_values(rows, name) for name in (first, second))
    strengths = heat.strengths(STEPS, len(across) <= MOST_NUMBERS)
    with canvas.style():
        tall = max(1.2, 0.3 * len(up)) + 0.25
        heights = [0.14, *[tall] * len(panels)]
        chart = Chart(sum(heights) + 1.0)
        key, *drawn = chart.subplots(len(heights), squeeze=False, height_ratios=heights)[:, 0]
        _colour_bar(key, strengths, rows, kind)
        for axes, held in zip(drawn, panels.values(), strict=True):
            places = [(across.index(row[first]), up.index(row[second]), row) for row in held]
            _cells(axes, places, rows, kind, strengths)
            if len(across) <= MOST_NUMBERS:
                _numbers(chart, axes, places, kind, len(across))
            _sides(chart, axes, across, up)
            axes.set_ylabel(parts.name(second, 26))
            grid.tell(axes, held, (first, second), kind)
        drawn[-1].set_xlabel(parts.name(first), loc="right")
        chart.tell(grid.notes(rows, kind, level, "outline"))
    chart.set_label(grid.words(panels, (first, second), kind))
    return chart


def _curve(axes: Axes, rows: list[Row], parameter: str, kind: Measure) -> None:
    """Draw the curve, its band, the points that may be the best and the region they take."""
    rows = grid.in_order(rows, (parameter,))
    at = [float(row[parameter]) for row in rows]
    if at[0] > 0 and at[-1] > WIDE_RANGE * at[0] and at[-1] - at[-2] > 5 * (at[1] - at[0]):
        axes.set_xscale("log")
    for low, high in _regions(at, [bool(row["kept"]) for row in rows]):
        axes.axvspan(low, high, color=canvas.RULE, alpha=0.75, linewidth=0, gid="region")
    shown = [parts.ends(row, POINT, kind.scale) for row in rows]
    values, lows, highs = (parts.floats(ends) for ends in zip(*shown, strict=True))
    axes.fill_between(
        at, lows, highs, color=canvas.BAND, alpha=0.55, linewidth=0, gid="band"
    )  # fmt: skip
    if len(at) == 1:
        axes.vlines(at, lows, highs, color=canvas.ACCENT, linewidth=2.2)
    axes.plot(at, values, color=canvas.ACCENT, linewidth=1.4, gid="curve")
    best = grid.best(rows, kind)
    for row, x, (value, _, _) in zip(rows, at, shown, strict=True):
        if value is not None and row is not best:
            _dot(axes, x, value, row["kept"], 6.2 if len(at) <= 40 else 3.5)
        elif value is not None:
            grid.diamond(axes, x, value)
    axes.grid(axis="y")
    axes.tick_params(length=0, pad=6)
    axes.tick_params(axis="y", labelcolor=canvas.MUTED, labelsize=8.5)
    axes.xaxis.set_major_formatter("{x:,g}")
    axes.yaxis.set_major_formatter("{x:,g}")
    axes.set_ylabel(kind.words)


def _dots(chart: Chart, axes: Axes, rows: list[Row], parameter: str, kind: Measure) -> None:
    """Draw a line with dot and interval for each value that is a word."""
    parts.lines(chart, axes, [parts.value(row[parameter]) for row in rows], parameter)
    shown = [parts.ends(row, POINT, kind.scale) for row in rows]
    marks.intervals(axes, [(None, low, high) for _, low, high in shown])
    best = grid.best(rows, kind)
    for at, (row, (value, _, _)) in enumerate(zip(rows, shown, strict=True)):
        if value is not None and row is not best:
            _dot(axes, value, at, row["kept"], 6.2)
        elif value is not None:
            grid.diamond(axes, value, at)
    decimals = parts.decimals_of(shown)
    marks.beside(axes, [parts.number(one[0], decimals) + kind.suffix for one in shown])


def _scale(
    drawn: Sequence[Axes], panels: dict[Any, list[Row]], kind: Measure, fair: bool, upright: bool
) -> None:
    """Make the axis of the outcome reach as far in all panels, the better at its end."""
    ranges = []
    for players, rows in panels.items():
        reached = [end for row in rows for end in parts.ends(row, POINT, kind.scale)]
        ranges.append(parts.room([*reached, *[100 / players] * bool(fair and players)]))
    widest = max(high - low for low, high in ranges)
    for axes, (low, high) in zip(drawn, ranges, strict=True):
        if upright:  # these share their axis
            low, high = min(low for low, _ in ranges), max(high for _, high in ranges)
        else:
            low, high = (low + high - widest) / 2, (low + high + widest) / 2
            if kind.scale == 100 and low < 0:  # no share is below 0
                low, high = -0.03 * widest, 0.97 * widest
        ends = (low, high) if kind.larger else (high, low)
        (axes.set_xlim if upright else axes.set_ylim)(*ends)


def _dot(axes: Axes, x: float, y: float, kept: bool, size: float) -> None:
    """Draw an estimate: filled where it may be the best."""
    axes.plot(
        [x], [y], "o", color=canvas.ACCENT, markersize=size, zorder=4,
        markerfacecolor=canvas.ACCENT if kept else canvas.PAPER, markeredgewidth=1.2,
        gid="kept" if kept else "left",
    )  # fmt: skip


def _equal_share(axes: Axes, at: float, upright: bool) -> None:
    """Draw a dashed line at the equal share."""
    draw = axes.axvline if upright else axes.axhline
    draw(at, color=canvas.MARK, linewidth=1.3, linestyle=(0, (4, 3)), gid="fair", zorder=2.5)


def _regions(at: Sequence[float], kept: Sequence[bool]) -> list[tuple[float, float]]:
    """Return the stretches of the axis whose points may be the best, to half-way beyond them."""
    halves = [at[0], *[(low + high) / 2 for low, high in pairwise(at)], at[-1]]
    found: list[tuple[float, float]] = []
    for place, held in enumerate(kept):
        if held and found and found[-1][1] == halves[place]:
            found[-1] = (found[-1][0], halves[place + 1])
        elif held:
            found.append((halves[place], halves[place + 1]))
    return found


def _values(rows: list[Row], parameter: str) -> list[Any]:
    """Return the values of a parameter: numbers in their order, words as they come."""
    found = list(dict.fromkeys(row[parameter] for row in rows))
    return sorted(found) if all(map(parts.is_number, found)) else found


def _range(rows: list[Row], kind: Measure) -> tuple[float, float]:
    """Return the worst and the best estimate."""
    known = [row["estimate"] for row in rows if row["estimate"] is not None] or [0.0]
    return (min(known), max(known)) if kind.larger else (max(known), min(known))


def _cells(
    axes: Axes,
    places: Sequence[tuple[int, int, Row]],
    rows: list[Row],
    kind: Measure,
    strengths: Sequence[float],
) -> None:
    """Draw a cell for each point, the stronger the better; the outline and the frame."""
    worst, best = _range(rows, kind)
    drawn = []
    for x, y, row in places:
        if row["estimate"] is not None:
            share = 1.0 if best == worst else (row["estimate"] - worst) / (best - worst)
            strength = strengths[heat.step_of(share, len(strengths))]
            drawn.append(((float(x), float(y), 1.0), canvas.ACCENT, strength))
    heat.squares(axes, drawn, "cells")
    heat.outline(axes, {(x, y) for x, y, row in places if row["kept"]}, "kept")
    top = grid.best([row for _, _, row in places], kind)
    for x, y, row in places:
        if row is top:
            heat.frame(axes, x, y, "best")


def _numbers(
    chart: Chart,
    axes: Axes,
    places: Sequence[tuple[int, int, Row]],
    kind: Measure,
    columns: int,
) -> None:
    """Write the estimate in each cell, in bold where it may be the best."""
    shown = [parts.ends(row, POINT, kind.scale) for _, _, row in places]
    decimals = parts.decimals_of(shown)
    texts = [
        (x, y, parts.number(one[0], decimals), bool(row["kept"]))
        for (x, y, row), one in zip(places, shown, strict=True)
    ]
    heat.write(chart, axes, texts, lambda _: (72 * chart.get_figwidth() - 90) / columns)


def _sides(chart: Chart, axes: Axes, across: list[Any], up: list[Any]) -> None:
    """Write the values along both axes; along x only as many as have room."""
    axes.set(xlim=(-0.5, len(across) - 0.5), ylim=(-0.5, len(up) - 0.5))
    words = [marks.short(parts.value(value), 16) for value in across]
    for tick in axes.set_xticks(range(len(words))) + axes.set_yticks(range(len(up))):
        tick.label1.set_parse_math(False)
    heights = [marks.short(parts.value(value), 16) for value in up]
    axes.yaxis.set_major_formatter(lambda at, _: heights[round(at)])
    longest = max(map(len, words))
    each = 1

    def thin(_: bool) -> float:
        nonlocal each
        cell = (72 * chart.get_figwidth() - 90) / len(across)
        turned = longest * DIGIT + 4 > cell and not all(map(parts.is_number, across))
        each = 1 if turned else max(1, -int(-(longest * DIGIT + 4) // cell))
        axes.tick_params(axis="x", rotation=90 if turned else 0)
        return longest * DIGIT / 72 if turned else 0.0

    chart.fit(thin)
    axes.xaxis.set_major_formatter(lambda at, _: "" if round(at) % each else words[round(at)])
    axes.tick_params(length=0, pad=5)
    axes.tick_params(axis="y", labelcolor=canvas.MUTED, labelsize=8.5)


def _colour_bar(axes: Axes, strengths: Sequence[float], rows: list[Row], kind: Measure) -> None:
    """Draw the colours with the estimates at both ends, the best at the right."""
    decimals = parts.decimals_of([parts.ends(row, POINT, kind.scale) for row in rows])
    worst, best = (kind.scale * end for end in _range(rows, kind))
    ends = [parts.number(end, decimals) for end in (worst, (worst + best) / 2, best)]
    heat.bar(axes, [(canvas.ACCENT, strength) for strength in strengths], ends, kind.words)
