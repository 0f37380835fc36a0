"""The figures of a tournament: the ranking, who comes out before whom, and the ratings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator

from simlab.reporting import canvas, marks
from simlab.reporting.charts import heat, parts
from simlab.reporting.charts.parts import MOST_STRATEGIES, Chart, Row
from simlab.reporting.numbers import percent

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

WIN = ("win_share", "win_share_low", "win_share_high")
RATING = ("rating", "rating_low", "rating_high")
MOST_IN_MAP = 60
MOST_NUMBERS = 12
"""Strategies above which no numbers are written in the map of pairs."""
FEWEST_COLUMNS = 7
STEPS = 5
SMALL = 0.6
"""Side of the square of a pair that is not settled."""
LONGEST_LETTERS = 12


def ranking(summary: pl.DataFrame, players: int | None = None, *, level: float = 0.95) -> Figure:
    """Return a dot plot of the win shares with their intervals and the letters of the groups.

    summary: one row a strategy, best first, as `tournament.summary()` gives it: strategy, letters
    (strategies that share one are not told apart), win_share, win_share_low, win_share_high, games.
    players: at a table, for the equal share; None leaves it out. level: of intervals and letters.
    UserError for a frame that lacks a column or has no row.
    """
    rows = parts.rows_of(
        summary, ("strategy", "letters", *WIN, "games"), MOST_STRATEGIES, "strategy"
    )
    shown = [parts.ends(row, WIN, 100) for row in rows]
    decimals = parts.decimals_of(shown)
    texts = [percent(row["win_share"], decimals) for row in rows]
    with canvas.style():
        chart, axes = _sheet(rows, shown)
        marks.beside(axes, texts)
        lettered = _letters(axes, rows, 10 + 6.4 * max(map(len, texts)))
        highest = max([end for one in shown for end in one if end is not None], default=100.0)
        fair = 100 / players if players else None
        axes.set_xlim(0, min(103, 1.06 * max(highest, fair or 0, 1)))
        if fair is not None:
            marks.mark(axes, fair, f"equal share {fair:.3g} %")
        axes.set_xlabel("win share in %", loc="right")
        told = "Strategies that share a letter are not told apart" if lettered else ""
        lines = f"Lines: {parts.interval(level)} of each"
        covered = parts.covered(axes, shown)
        chart.tell([lines, covered, told, parts.count(rows, "seats held")])
    said = [f"{parts.name(row['strategy'])} {text}" for row, text in zip(rows, texts, strict=True)]
    chart.set_label(f"Win share by strategy, best first: {parts.listed(said)}.")
    return chart


def ratings(summary: pl.DataFrame, *, level: float = 0.95) -> Figure:
    """Return a dot plot of the ratings (log worth, 0 the mean of the field), best first.

    summary: as for `ranking`, with rating, rating_low and rating_high. UserError likewise.
    """
    rows = parts.rows_of(summary, ("strategy", *RATING, "games"), MOST_STRATEGIES, "strategy")
    rows.sort(key=lambda row: (row["rating"] is None, -(row["rating"] or 0)))
    shown = [parts.ends(row, RATING) for row in rows]
    decimals = max(2, parts.decimals_of(shown))
    texts = [parts.signed(row["rating"], decimals) for row in rows]
    with canvas.style():
        chart, axes = _sheet(rows, shown)
        marks.beside(axes, texts)
        marks.mark(axes, 0, "mean of the field")
        axes.set_xlim(*parts.room([0, *(end for one in shown for end in one)]))
        axes.set_xlabel("rating (log worth)", loc="right")
        chart.tell(
            [
                f"Lines: {parts.interval(level)} of each",
                parts.covered(axes, shown),
                "One that is higher by 0.69 comes out before the other twice as often as after "
                "it, as far as one number describes each",
                parts.count(rows, "seats held"),
            ]
        )
    said = [f"{parts.name(row['strategy'])} {text}" for row, text in zip(rows, texts, strict=True)]
    chart.set_label(f"Rating (log worth, 0 is the mean of the field): {parts.listed(said)}.")
    return chart


def pair_map(
    pairs: pl.DataFrame, order: Sequence[str] | None = None, *, level: float = 0.95
) -> Figure:
    """Return a heat map of how often the strategy of the row comes out before that of the column.

    pairs: one row an ordered pair, as `tournament.pairs()` gives it: first, second, beats, verdict
    (0: not settled); of a pair in one order only, the other is its mirror image. order: of the
    strategies, such as `tournament.summary()["strategy"]`; None: as they come in the frame, which
    is best first. level: of the claims, for the words. Settled pairs fill their cell.
    UserError for a frame that lacks a column, has no row, or more than 60 strategies.
    """
    most = MOST_IN_MAP * (MOST_IN_MAP - 1)
    rows = parts.rows_of(pairs, ("first", "second", "beats", "verdict"), most, "ordered pair")
    named = [row["first"] for row in rows] + [row["second"] for row in rows]
    known = dict.fromkeys(named)
    names = [name for name in order if name in known] if order is not None else []
    names += [name for name in known if name not in set(names)]
    found = _both_ways(rows)
    away = max([abs(row["beats"] - 0.5) for row in rows if row["beats"] is not None], default=0)
    reach = max(0.05, -(-away // 0.05) * 0.05)
    numbers = len(names) <= MOST_NUMBERS
    strengths = heat.strengths(STEPS, numbers)
    with canvas.style():
        line = 0.3 if numbers else 0.2
        heights = [0.14, line * len(names) + 0.2]
        chart = Chart(sum(heights) + 0.75)
        key, axes = chart.subplots(2, height_ratios=heights)
        _pair_colours(key, strengths, reach)
        _pair_cells(axes, names, found, reach, strengths)
        if numbers:
            _pair_numbers(chart, axes, names, found)
        _pair_sides(chart, axes, names)
        chart.tell(_pair_notes(level, found))
    chart.set_label(_pair_words(names, found))
    return chart


def _sheet(rows: list[Row], shown: list[marks.Ends]) -> tuple[Chart, Axes]:
    """Return a sheet with a line for each strategy, its dot and its interval."""
    chart = Chart(0.75 + marks.ROW * len(rows))
    axes = chart.subplots()
    parts.lines(chart, axes, [row["strategy"] for row in rows])
    marks.intervals(axes, shown)
    return chart, axes


def _letters(axes: Axes, rows: list[Row], right: float) -> bool:
    """Write the letters of the groups at the right of the numbers; False if there are none."""
    texts = [compact(row["letters"] or "") for row in rows]
    for at, text in enumerate(texts):
        axes.annotate(
            text, (1, at), (right + 9, 0), ("axes fraction", "data"), "offset points",
            ha="left", va="center_baseline", color=canvas.MUTED, gid=f"letters-{at}",
        )  # fmt: skip
    return any(texts)


def compact(letters: str) -> str:
    """Write the letters of groups with stretches of three or more as one: "abce" is "a-c e"."""
    codes = [
        (ord(letter) - ord("a") + 26 * int(turn or 0), letter + turn)
        for letter, turn in re.findall(r"([a-z])(\d*)", letters)
    ]
    runs = groupby(enumerate(codes), key=lambda item: item[1][0] - item[0])
    words = [[word for _, (_, word) in run] for _, run in runs]
    if any(len(run) > 2 for run in words):
        said = " ".join(
            f"{run[0]}\N{EN DASH}{run[-1]}" if len(run) > 2 else "".join(run) for run in words
        )
    else:
        said = "".join(word for run in words for word in run)
    return marks.short(said, LONGEST_LETTERS)


Found = dict[tuple[str, str], tuple[float, bool]]
"""(first, second) -> how often first comes out before second, and whether that is settled."""


def _both_ways(rows: list[Row]) -> Found:
    """Return both orders of each pair with an estimate."""
    found: Found = {}
    for row in rows:
        if row["beats"] is not None:
            found[row["first"], row["second"]] = row["beats"], bool(row["verdict"])
    for (first, second), (beats, settled) in list(found.items()):
        found.setdefault((second, first), (1 - beats, settled))
    return found


def _shade(beats: float, reach: float, strengths: Sequence[float]) -> tuple[str, float]:
    """Return colour and strength: blue above 50 %, orange below."""
    share = abs(beats - 0.5) / reach
    colour = canvas.ACCENT if beats >= 0.5 else canvas.MARK
    return colour, strengths[heat.step_of(share, len(strengths))]


def _pair_cells(
    axes: Axes, names: list[str], found: Found, reach: float, strengths: Sequence[float]
) -> None:
    """Draw a full square for each settled pair, a small one for each other."""
    place = {name: at for at, name in enumerate(names)}
    cells = [
        (
            (float(place[second]), float(place[first]), 1.0 if settled else SMALL),
            *_shade(beats, reach, strengths),
        )
        for (first, second), (beats, settled) in found.items()
        if first != second
    ]
    heat.squares(axes, cells, "cells")


def _pair_numbers(chart: Chart, axes: Axes, names: list[str], found: Found) -> None:
    """Write how often, in percent, in bold where it is settled."""
    place = {name: at for at, name in enumerate(names)}
    texts = [
        (place[second], place[first], f"{100 * beats:.0f}", settled)
        for (first, second), (beats, settled) in found.items()
        if first != second
    ]
    columns = max(FEWEST_COLUMNS, len(names))
    heat.write(chart, axes, texts, lambda narrow: (72 * chart.get_figwidth() - 150) / columns)


def _pair_sides(chart: Chart, axes: Axes, names: list[str]) -> None:
    """Name the rows with their places; the columns bear the places alone."""
    parts.lines(chart, axes, names, places=True)
    axes.grid(visible=False)
    axes.spines.bottom.set_visible(False)
    axes.set_xlim(-0.5, max(FEWEST_COLUMNS, len(names)) - 0.5)
    axes.set_ylim(len(names) - 0.5, -0.5)
    if len(names) > MOST_NUMBERS:
        axes.tick_params(axis="y", labelsize=8.5, pad=3)
    axes.xaxis.set_major_locator(FixedLocator(range(len(names))))

    def place(at: float, _: object) -> str:
        every = 1 if len(names) <= (9 if chart.narrow else 20) else 5
        return "" if (round(at) + 1) % every else f"{round(at) + 1}"

    axes.xaxis.set_major_formatter(place)
    axes.xaxis.tick_top()
    axes.tick_params(axis="x", pad=2)


def _pair_colours(axes: Axes, strengths: Sequence[float], reach: float) -> None:
    """Draw the colours from seldom to often."""
    colours = [(canvas.MARK, strength) for strength in reversed(strengths)]
    colours += [(canvas.ACCENT, strength) for strength in strengths]
    ends = [f"{100 * share:.0f} %" for share in (0.5 - reach, 0.5, 0.5 + reach)]
    heat.bar(axes, colours, ends, "how often the row comes out before the column")


def _pair_notes(level: float, found: Found) -> list[str]:
    """Say below the map what is drawn."""
    settled = sum(one for _, one in found.values()) // 2
    return [
        f"Full squares: settled, {settled:,} of {len(found) // 2:,} pairs (Holm over all pairs at "
        f"{100 * level:g} %); small squares: not settled",
        "Columns bear the places of the rows; the numbers are percent",
    ]


def _pair_words(names: list[str], found: Found) -> str:
    """Return the map in words."""
    place = {name: at for at, name in enumerate(names)}
    told = [
        f"{parts.name(first)} before {parts.name(second)} {percent(beats, 0)}"
        f"{'' if settled else ' (not settled)'}"
        for (first, second), (beats, settled) in found.items()
        if place[first] < place[second]
    ]
    return f"How often one strategy comes out before another: {parts.listed(told) or 'unknown'}."
