"""Heat maps in the house colours: cells as few shapes, whose strength works on light and dark."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from simlab.reporting import canvas
from simlab.reporting.charts.parts import Chart

Square = tuple[float, float, float]
"""Centre x, centre y and side of a square, a cell being 1."""
WEAKEST, WITH_TEXT, WITHOUT = 0.08, 0.53, 0.85
"""How strong the strongest colour is: numbers in ink must be legible on it."""
LETTER = 5.2
"""Points of width of a digit of the numbers in cells."""


def strengths(steps: int, numbers: bool) -> list[float]:
    """Return how strong the colour of each step is, the weakest first."""
    strongest = WITH_TEXT if numbers else WITHOUT
    return [WEAKEST + (strongest - WEAKEST) * step / max(1, steps - 1) for step in range(steps)]


def step_of(share: float, steps: int) -> int:
    """Return the step, from 0, of a share in [0, 1] of the range."""
    return min(steps - 1, max(0, int(share * steps)))


def squares(axes: Axes, cells: Iterable[tuple[Square, str, float]], gid: str) -> None:
    """Draw squares, each with a colour and its strength: one shape for each kind.

    One shape for all cells of a kind keeps large maps small enough to stay drawings on a page.
    """
    kinds: dict[tuple[str, float], list[Square]] = defaultdict(list)
    for square, colour, strength in cells:
        kinds[colour, strength].append(square)
    for at, ((colour, strength), same) in enumerate(sorted(kinds.items())):
        axes.add_patch(
            PathPatch(
                Path.make_compound_path(*map(_square, same)), facecolor=colour, alpha=strength,
                linewidth=0, gid=f"{gid}-{at}",
            )
        )  # fmt: skip


def outline(axes: Axes, cells: set[tuple[int, int]], gid: str) -> None:
    """Draw a line around cells (column, row), each at its whole number; not between them."""
    sides = [
        ((x + a - 0.5, y + b - 0.5), (x + c - 0.5, y + d - 0.5))
        for x, y in sorted(cells)
        for (dx, dy), (a, b, c, d) in (
            ((0, -1), (0, 0, 1, 0)),
            ((0, 1), (0, 1, 1, 1)),
            ((-1, 0), (0, 0, 0, 1)),
            ((1, 0), (1, 0, 1, 1)),
        )
        if (x + dx, y + dy) not in cells
    ]
    if sides:
        path = Path(
            [point for side in sides for point in side], [Path.MOVETO, Path.LINETO] * len(sides)
        )
        _line(axes, path, canvas.INK, gid)


def frame(axes: Axes, x: int, y: int, gid: str) -> None:
    """Draw a frame inside one cell."""
    _line(axes, _square((x, y, 0.74)), canvas.MARK, gid)


def _line(axes: Axes, path: Path, colour: str, gid: str) -> None:
    """Draw a line that stands out from cells of any strength."""
    for paint, width in ((canvas.PAPER, 3.8), (colour, 1.8)):
        axes.add_patch(
            PathPatch(
                path, fill=False, edgecolor=paint, linewidth=width, capstyle="projecting",
                joinstyle="miter", zorder=3, gid=gid if paint == colour else None, clip_on=False,
            )
        )  # fmt: skip


def write(
    chart: Chart,
    axes: Axes,
    texts: Sequence[tuple[int, int, str, bool]],
    width: Callable[[bool], float],
) -> None:
    """Write a number in each cell (column, row, text, bold), where it fits.

    width: of a cell in points, for a narrow figure or not.
    """
    written = [
        axes.text(
            x, y, text, ha="center", va="center_baseline", fontsize=8.5, parse_math=False,
            weight="bold" if bold else "normal", zorder=4,
        )
        for x, y, text, bold in texts
    ]  # fmt: skip
    longest = max((len(text) for _, _, text, _ in texts), default=0)

    def show(narrow: bool) -> None:
        for text in written:
            text.set_visible(width(narrow) >= LETTER * longest + 3)

    chart.fit(show)


def bar(axes: Axes, colours: Sequence[tuple[str, float]], ends: Sequence[str], title: str) -> None:
    """Draw the steps of the colours from left to right, with the meaning of the ends.

    ends: words at equal distances, the first at the left end, the last at the right end.
    """
    for at, (colour, strength) in enumerate(colours):
        axes.barh(0, 1, 1, at, color=colour, alpha=strength, linewidth=0, align="edge")
    axes.set(xlim=(0, len(colours)), ylim=(0, 1), yticks=[])
    places = [len(colours) * at / (len(ends) - 1) for at in range(len(ends))]
    axes.set_xticks(places, ends)
    axes.get_xticklabels()[0].set_horizontalalignment("left")
    axes.get_xticklabels()[-1].set_horizontalalignment("right")
    axes.tick_params(length=0, pad=3)
    axes.set_title(title, loc="right", fontsize=8.5, color=canvas.MUTED, pad=4)


def _square(square: Square) -> Path:
    x, y, side = square
    a, b, c, d = x - side / 2, y - side / 2, x + side / 2, y + side / 2
    return Path([(a, b), (c, b), (c, d), (a, d), (a, b)], closed=True)
