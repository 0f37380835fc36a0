"""Histograms: whole numbers counted in streamed passes, how they are binned, and how drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle
from numpy.typing import NDArray

from simlab.errors import one_of
from simlab.reporting import canvas
from simlab.reporting.charts import parts
from simlab.reporting.charts.parts import Chart
from simlab.reporting.marks import Ends

if TYPE_CHECKING:
    import polars as pl

MOST_VALUES = 2**14
"""Values over a wider range are counted in bins of equal width, at most this many."""
MOST_BARS, FEW_BARS, MANY, FEWEST_BARS = 110, 44, 8, 9
"""Bars of an axis at most, with more groups than `MANY`, and at least."""
ALWAYS, ROUGH = 20, 6
"""Bars that few games may have, too, and bars for the cube root of the games."""
BELOW = 0.08
"""Part of the height below the base line, for the dot on it."""
TAIL = 0.001
"""Share of the games of each group, at either end, that may lie beyond the axis."""
WORTH = 2
"""How many times as long the axis must be with these games to leave them out."""
TALLEST = 3
"""Panels are cut at so many times the usual peak."""
KEY = ("mean", "middle half, median", "the rest")

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Counts:
    """How often each value of a group was reached: values ascending, each the least of its bin."""

    values: Ints
    games: Ints
    width: int
    """How many whole numbers a bin holds; 1: each is counted by itself."""

    @property
    def total(self) -> int:
        """How many were counted."""
        return int(self.games.sum())

    def quantile(self, p: float) -> int:
        """Return the smallest value that at least a share p does not exceed."""
        reached = np.searchsorted(np.cumsum(self.games), p * self.total * (1 - 1e-12))
        return int(self.values[min(int(reached), len(self.values) - 1)])


@dataclass(frozen=True)
class Bins:
    """The bars of an axis: whole numbers from `first` on, `width` to a bar."""

    first: int
    width: int
    count: int

    @property
    def edges(self) -> list[float]:
        """Where bars begin and end: a bar of the number 7 alone reaches from 6.5 to 7.5."""
        return [self.first - 0.5 + self.width * at for at in range(self.count + 1)]

    def shares(self, counts: Counts) -> Floats:
        """Return the share of each bar in %, of all that were counted."""
        at = (counts.values - self.first) // self.width
        there = (at >= 0) & (at < self.count)
        held = np.bincount(at[there], counts.games[there], self.count)
        return np.asarray(100 * held / counts.total, dtype=np.float64)

    def beyond(self, counts: Counts) -> int:
        """Return how many lie beyond the axis."""
        end = self.first + self.width * self.count
        out = (counts.values < self.first) | (counts.values >= end)
        return int(counts.games[out].sum())


def counted(rows: pl.LazyFrame, by: str, value: str) -> pl.DataFrame:
    """Return how often each whole number of a column comes, for each group; two streamed passes.

    rows: one row per game and seat, such as `run.scan()`. Columns: `by`, `value` (the least number
    of its bin), width (whole numbers to a bin: 1 unless they reach over more than 16,384), games
    (rows counted). UserError for an unknown column.
    """
    import polars as pl

    names = rows.collect_schema().names()
    for name in (by, value):
        if name not in names:
            raise one_of("column", name, names)
    number = pl.col(value).cast(pl.Int64)
    ends = rows.select(low=number.min(), high=number.max()).collect(engine="streaming")
    least, width = binned(number, *ends.row(0))
    counts = rows.group_by(by, least.alias(value)).agg(pl.len().cast(pl.Int64).alias("games"))
    return (
        counts.collect(engine="streaming")
        .sort(by, value)
        .select(by, value, pl.lit(width, pl.Int64).alias("width"), "games")
    )


def binned(number: pl.Expr, low: int | None, high: int | None) -> tuple[pl.Expr, int]:
    """Return the least number of the bin of each number, and how many numbers a bin holds.

    low, high: the least and largest number; None where there is none.
    """
    low, high = low or 0, high or 0
    width = -(-(high - low + 1) // MOST_VALUES)
    return (number - low) // width * width + low, width


def counts_of(frame: pl.DataFrame, value: str) -> Counts:
    """Return the counts of one group from its rows: columns value, width, games."""
    held = frame.filter(frame["games"] > 0).sort(value)
    values, games = (held[name].cast(int).to_numpy() for name in (value, "games"))
    return Counts(values, games, max(1, int(frame["width"].max() or 1)))  # type: ignore[arg-type]


def bins_over(groups: Sequence[Counts]) -> Bins:
    """Return common bars for all groups: at most 110, of a round width.

    With more than 8 groups at most 44, and fewer where games are few, as they would show chance
    alone. Where a few games lie far out (0.1 % at either end of each group), the axis stops before
    them.
    """
    low = min(int(counts.values[0]) for counts in groups)
    high = max(int(counts.values[-1]) + counts.width for counts in groups)
    near = min(counts.quantile(TAIL) for counts in groups)
    far = max(counts.quantile(1 - TAIL) + counts.width for counts in groups)
    if high - low > WORTH * (far - near):
        low, high = near, far
    least = max(counts.width for counts in groups)
    most = MOST_BARS if len(groups) <= MANY else FEW_BARS
    fewest = min(counts.total for counts in groups)
    most = min(most, max(ALWAYS, round(ROUGH * fewest ** (1 / 3))))
    width = _round_width(max(least, -(-(high - low) // most)))
    first = low // width * width if width > 1 else low
    count = -(-(high - first) // width)
    beside = max(0, (FEWEST_BARS - count + 1) // 2)
    return Bins(first - beside * width, width, count + 2 * beside)


def _round_width(least: int) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, ... that is not below `least`."""
    power: int = 10 ** (len(str(least)) - 1)
    return next(int(step * power) for step in (1, 2, 5, 10) if step * power >= least)


def height_of(peaks: Iterable[float]) -> float:
    """Return the height of all panels: that of the highest peak unless it dwarfs the others."""
    known = sorted(peaks)
    usual = known[(len(known) - 1) // 2]
    return 1.08 * min(known[-1], TALLEST * usual)


Steps = Callable[[Axes, Floats, Floats, str], PolyCollection]
"""Draws steps: (axes, edges, the height between each two of them, colour)."""


def filled(axes: Axes, edges: Floats, heights: Floats, colour: str) -> PolyCollection:
    """Draw steps by matplotlib alone, which is there sooner than seaborn."""
    return axes.fill_between(edges, np.append(heights, heights[-1:]), step="post", color=colour)


def draw(
    axes: Axes, counts: Counts, bins: Bins, height: float, gid: str, steps_of: Steps = filled
) -> None:
    """Draw the shares of a group as steps, the middle half stronger; bars that are cut say so."""
    shares, edges = bins.shares(counts), np.asarray(bins.edges, dtype=np.float64)
    low, high = counts.quantile(0.25) - 0.5, counts.quantile(0.75) + counts.width - 0.5
    first, last = (min(max(int((end - edges[0]) // bins.width), 0), bins.count - 1)
                   for end in (low, high))  # fmt: skip
    for colour, part in (
        (canvas.PALE, slice(0, bins.count)),
        (canvas.BAND, slice(first, last + 1)),
    ):
        steps = steps_of(axes, edges[part.start : part.stop + 1], shares[part], colour)
        steps.set(edgecolor=canvas.ACCENT, linewidth=0.9, gid=f"{gid}-all")
        steps.set_verts([_corners(path.vertices) for path in steps.get_paths()])
    inside = Rectangle((low, 0), high - low, 1, transform=axes.get_xaxis_transform())
    steps.set(clip_path=inside, gid=f"{gid}-middle")
    axes.set(xlim=(edges[0], edges[-1]), ylim=(-BELOW * height, height), xlabel="", ylabel="")
    told: list[int] = []
    for at in sorted(np.flatnonzero(shares > height), key=lambda at: -shares[at]):
        if any(abs(at - other) < bins.count / 9 for other in told):
            continue  # its number would lie over that of a higher one
        told.append(int(at))
        right = at < bins.count / 2
        axes.annotate(
            f"{shares[at]:.0f} %", (edges[at + 1 if right else at], height),
            (4 if right else -4, -1), textcoords="offset points",
            ha="left" if right else "right", va="top", fontsize=8.5, color=canvas.INK,
            gid=f"{gid}-cut",
        )  # fmt: skip


def _corners(points: Any) -> Floats:
    """Return the outline without the points where it goes straight on: a third of the size."""
    points = points[np.any(points != np.roll(points, 1, axis=0), axis=1)]
    before, after = points - np.roll(points, 1, axis=0), np.roll(points, -1, axis=0) - points
    turns = before[:, 0] * after[:, 1] != before[:, 1] * after[:, 0]
    return np.asarray(points[turns], dtype=np.float64)


def centre(axes: Axes, mean: Ends, median: float | None, gid: str) -> None:
    """Mark the mean with its interval on the base line, and the median as a line."""
    value, low, high = mean
    if median is not None:
        axes.axvline(median, color=canvas.INK, linewidth=1.2, zorder=3, gid=f"{gid}-median")
    if low is not None and high is not None:
        axes.plot(
            [low, high], [0, 0], color=canvas.ACCENT, linewidth=2.6, solid_capstyle="butt",
            zorder=4, gid=f"{gid}-interval",
        )  # fmt: skip
    if value is not None:
        axes.plot(
            [value], [0], "o", color=canvas.ACCENT, markersize=6.2, zorder=5,
            markeredgecolor=canvas.PAPER, markeredgewidth=0.9, gid=f"{gid}-mean",
        )  # fmt: skip


def scales(axes: Axes, steps: int) -> None:
    """Write few numbers along both axes, and thin lines at the heights."""
    axes.grid(axis="y")
    axes.tick_params(length=0, pad=5)
    axes.tick_params(axis="y", labelcolor=canvas.MUTED, labelsize=8.5)
    axes.locator_params(axis="x", integer=True)
    axes.locator_params(axis="y", nbins=steps)
    axes.xaxis.set_major_formatter("{x:,g}")
    axes.yaxis.set_major_formatter("{x:g} %")
    axes.spines.bottom.set_visible(False)


def key(chart: Chart) -> None:
    """Say above the panels what dot, colours and line mean."""
    dot = Line2D([], [], color=canvas.ACCENT, marker="o", markersize=5, linewidth=2)
    line = Line2D([], [], color=canvas.INK, marker="|", markersize=11, linewidth=0)
    inside, outside = (
        Patch(facecolor=colour, edgecolor=canvas.ACCENT, linewidth=0.9)
        for colour in (canvas.BAND, canvas.PALE)
    )
    handles: list[Any] = [dot, (inside, line), outside]
    chart.legend(
        handles, KEY, loc="outside upper center", ncols=3, handlelength=1.3, columnspacing=1.2,
        handletextpad=0.5, borderpad=0.2,
    )  # fmt: skip


def left_out(bins: Bins, groups: Sequence[Counts], what: str) -> str:
    """Say how many lie beyond the axis; empty where none does."""
    many = sum(map(bins.beyond, groups))
    share = 100 * many / max(1, sum(counts.total for counts in groups))
    return f"Beyond the axis: {many:,} {what} ({share:.2g} %)" if many else ""


def bars_hold(bins: Bins, what: str) -> str:
    """Say what a bar stands for where it is more than one number."""
    return "" if bins.width == 1 else f"A bar holds {bins.width:,} {what}"


def centre_in_words(row: parts.Row, decimals: int, short: bool = False) -> str:
    """Say mean (with its interval unless it is to be short) and median of a group."""
    mean = parts.number(row["mean"], decimals)
    if not short and row["mean_low"] is not None and row["mean_high"] is not None:
        ends = (parts.number(row[end], decimals) for end in ("mean_low", "mean_high"))
        mean += f" [{', '.join(ends)}]"
    median = "-" if row["median"] is None else parts.value(row["median"])
    return f"mean {mean}, median {median}"


def middle_half(counts: Counts) -> str:
    """Say where the middle half of a group lies."""
    return f"middle half {counts.quantile(0.25):,} to {counts.quantile(0.75):,}"


def ends_of(row: parts.Row) -> Ends:
    """Return the mean of a group with its interval."""
    return parts.ends(row, ("mean", "mean_low", "mean_high"))
