"""What figures are drawn with: a sheet with a line for each group, and marks on it.

Imports matplotlib; `figures` imports it when a figure is drawn.
"""

from __future__ import annotations

import unicodedata
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from simlab.reporting import canvas

LABEL, NARROW_LABEL = 36, 22
ROW, MARGIN = 0.36, 1.05
HIDDEN = 0.016
"""Intervals that span less of the axis than this lie behind their dot."""
Ends = tuple[float | None, float | None, float | None]
"""An estimate and its interval: (estimate, low, high)."""


def sheet(rows: list[dict[str, Any]], by: str) -> tuple[Figure, Axes]:
    """Return an empty figure with one line a group, named at the left, the first on top."""
    names = [label(row[by], by) for row in rows]
    with canvas.style():
        size = canvas.WIDE, MARGIN + ROW * len(rows)
        sheet = canvas.SimlabFigure(figsize=size, layout="constrained")
        axes = sheet.add_subplot()

        def name_at(place: float, _: object) -> str:
            narrow = sheet.get_figwidth() < canvas.WIDE
            return short(names[round(place)], NARROW_LABEL if narrow else LABEL)

        axes.yaxis.set_major_formatter(name_at)
        for tick in axes.set_yticks(range(len(rows))):
            tick.label1.set_parse_math(False)
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.tick_params(length=0, pad=6)
        axes.grid(axis="x")
        axes.xaxis.set_major_formatter("{x:,g}")
    return sheet, axes


def intervals(axes: Axes, rows: list[Ends]) -> None:
    """Draw an interval and a dot on the line of each group: (estimate, low, high)."""
    with canvas.style():
        for at, (value, low, high) in enumerate(rows):
            if low is not None and high is not None:
                axes.plot(
                    [low, high], [at, at], color=canvas.ACCENT, linewidth=2.2,
                    solid_capstyle="butt", zorder=3, gid=f"interval-{at}",
                )  # fmt: skip
            if value is not None:
                axes.plot(
                    [value], [at], "o", color=canvas.ACCENT, markersize=6.2,
                    markeredgecolor=canvas.PAPER, markeredgewidth=0.9, zorder=4, gid=f"dot-{at}",
                )  # fmt: skip


def bars(axes: Axes, rows: list[dict[str, Any] | None]) -> None:
    """Draw how the scores of each group spread: 5 to 95 %, the middle half, the median."""
    with canvas.style():
        for at, row in enumerate(rows):
            if row is None or row["q50"] is None:
                continue
            for low, high, height, colour in (
                ("q05", "q95", 0.2, canvas.PALE),
                ("q25", "q75", 0.5, canvas.BAND),
            ):
                axes.barh(at, row[high] - row[low], height, row[low], color=colour, zorder=1)
            axes.plot(
                [row["q50"]] * 2, [at - 0.25, at + 0.25], color=canvas.PAPER, linewidth=1.6,
                zorder=2, solid_capstyle="butt", gid=f"median-{at}",
            )  # fmt: skip


def key(axes: Axes, bars: bool) -> None:
    """Say above the axes what dot, bars and line mean."""
    with canvas.style():
        dot = Line2D([], [], color=canvas.ACCENT, marker="o", markersize=5, linewidth=2)
        marks: list[Any] = [dot]
        words = ["mean"]
        if bars:
            marks += [Patch(color=canvas.BAND), Patch(color=canvas.PALE)]
            words += ["middle half, median", "5 % to 95 %"]
        axes.figure.legend(
            marks, words, loc="outside upper center", ncols=3, handlelength=1.3, columnspacing=1.2,
            handletextpad=0.5, borderpad=0.2,
        )  # fmt: skip


def beside(axes: Axes, texts: list[str]) -> None:
    """Write the number of each group at the right of its line, the ends of all in one column."""
    right = 10 + 6.4 * max(map(len, texts))
    with canvas.style():
        for at, text in enumerate(texts):
            axes.annotate(
                text, (1, at), (right, 0), ("axes fraction", "data"), "offset points",
                ha="right", va="center_baseline",
            )  # fmt: skip


def mark(axes: Axes, at: float, text: str) -> None:
    """Draw a dashed line across all groups, with its meaning above."""
    with canvas.style():
        axes.axvline(at, color=canvas.MARK, linewidth=1.3, linestyle=(0, (4, 3)), gid="fair")
        axes.annotate(
            text, (at, 1), (0, 3), ("data", "axes fraction"), "offset points", ha="center",
            va="bottom", color=canvas.MARK, fontsize=8.5,
        )  # fmt: skip


def say(axes: Axes, what: str, rows: list[dict[str, Any]], by: str, ends: list[Ends]) -> None:
    """Write below the axis what it measures, and what stands behind each line."""
    low, high = axes.get_xlim()
    hidden = any(
        a is not None and b is not None and b - a < HIDDEN * (high - low) for _, a, b in ends
    )
    lines = [what, _count(rows, by), *(["where no interval shows, the dot covers it"] * hidden)]
    with canvas.style():
        axes.set_xlabel("\n".join(lines), linespacing=1.4, loc="right")


def label(value: Any, by: str) -> str:
    """Return the name of a group, on one line."""
    if value is None:
        return "-"
    if by == "seat":
        return f"seat {value}"
    return "".join(c if c.isprintable() else "?" for c in str(value))


def short(text: str, most: int) -> str:
    """Return a text of at most `most` letters, the middle of a longer one left out.

    A wide letter, such as those of Chinese, counts as two.
    """
    if letters(text) <= most:
        return text
    end = most // 3
    return f"{begin(text, most - end - 1)}…{begin(text[::-1], end)[::-1]}"


def letters(text: str) -> int:
    """Return how many letters wide a text is; wide ones count as two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def begin(text: str, most: int) -> str:
    """Return as much of the beginning of a text as is at most `most` letters wide."""
    while letters(text) > most:
        text = text[:-1] if len(text) <= most else text[:most]
    return text


def _count(rows: list[dict[str, Any]], by: str) -> str:
    """Say how many games and seats stand behind each line."""
    numbers = sorted({row["games"] for row in rows})
    what = "games" if by == "seat" else "seats held"
    if numbers == [1]:
        return "n = 1 game"
    if len(numbers) > 1:
        return f"n = {numbers[0]:,} to {numbers[-1]:,} {what}"
    return f"n = {numbers[0]:,} {what}{' each' if len(rows) > 1 else ''}"
