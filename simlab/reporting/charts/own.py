"""What the figures of games share: means whose unit is the deal, stacked bars, keys and notes.

`simlab.figures` hands them out, beside the modules `canvas`, `marks` and `parts`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from simlab.analysis import estimates
from simlab.analysis.sums import BUCKETS, Floats, UnitSums
from simlab.reporting import canvas, marks
from simlab.reporting.charts import parts
from simlab.reporting.charts.parts import Chart
from simlab.reporting.marks import Ends

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "BUCKETS", "Look", "Units", "best_first", "canvas", "counted", "key", "marks", "new", "parts",
    "seated", "stacks", "widest",
]  # fmt: skip
Looks = Sequence["Look"]


def new(height: float = 3.0) -> tuple[Chart, Axes]:
    """Return an empty figure in the house style, and its axes.

    height: in inches, without the words below it; it is as wide as a page, and drawn anew for
    phones. `figure.tell(["a note"])` writes below it; `figure.set_label` says in words what it
    shows.
    """
    with canvas.style():
        figure = Chart(height)
        axes = figure.add_subplot()
        axes.grid(visible=True)
        axes.tick_params(length=0)
    return figure, axes


class Look(NamedTuple):
    """How a part of a bar looks: its colour, what it is called, and the colour of its number."""

    colour: str
    word: str
    number: str


class Units:
    """What a strategy did in each bucket of deals, for means whose unit is the deal."""

    def __init__(self, bucket: pl.Series, appearances: pl.Series) -> None:
        """Take how often it appears in each bucket, in one row of a bucket or several."""
        self._appearances = self.sums(bucket, appearances).astype(np.int64)
        self.appearances = int(self._appearances.sum())

    def mean(self, outcomes: Floats, share: bool = False) -> Ends:
        """Return the mean of an outcome over the appearances, with its 95 % interval.

        outcomes: sums in each bucket, float64 [1024]; share: each appearance has one in [0, 1].
        """
        sums = UnitSums()
        sums.add(self._appearances, outcomes)
        found = estimates.share(sums) if share else estimates.mean(sums)
        return found.estimate, found.low, found.high

    @staticmethod
    def sums(bucket: pl.Series, values: pl.Series) -> Floats:
        """Return the sum of the values in each bucket, float64 [1024]."""
        sums = np.bincount(bucket.to_numpy(), values.to_numpy(), BUCKETS)
        return sums.astype(np.float64, copy=False)


def seated(rows: pl.DataFrame, events: pl.DataFrame) -> pl.DataFrame:
    """Return events with the strategy that sat there.

    rows: game, seat and strategy of consecutive games, a row for each seat from 0 on; events: game
    and seat of some of them, and more. A row is found by its place, which is far quicker than a
    join. ValueError where rows are missing.
    """
    if not rows.height:
        return events.with_columns(strategy=rows["strategy"])
    first, last = rows["game"][0], rows["game"][-1]
    players = rows.height // (last - first + 1)
    if rows.height != players * (last - first + 1):
        raise ValueError("the rows are not those of consecutive games, one for each seat")
    at = (events["game"] - first).cast(int) * players + events["seat"].cast(int)
    return events.with_columns(rows["strategy"].gather(at))


def stacks(
    chart: Chart, axes: Axes, rows: list[list[Any]], totals: list[Ends], looks: Looks, gid: str
) -> None:
    """Draw the parts of each row one after another, the interval of their total, and its number.

    Parts with room bear their number. looks: of each part, and maybe of more.
    """
    ends = np.cumsum(np.pad(np.array(rows, np.float64), [(0, 0), (1, 0)]), axis=1)
    sizes, lines = np.diff(ends), range(len(rows))
    for part in range(sizes.shape[1]):
        axes.barh(
            lines, sizes[:, part], 0.66, ends[:, part], color=looks[part].colour, linewidth=0.8,
            edgecolor=canvas.PAPER, gid=f"{gid}-{part}",
        )  # fmt: skip
    for at, (_, low, high) in enumerate(totals):
        if low is not None and high is not None:
            for colour, width in ((canvas.PAPER, 3.6), (canvas.INK, 1.5)):
                axes.plot(
                    [low, high], [at, at], color=colour, linewidth=width, zorder=3,
                    solid_capstyle="butt", gid=f"interval-{gid}-{at}",
                )  # fmt: skip
    decimals = parts.decimals_of(totals)
    marks.beside(axes, [parts.number(total[0], decimals) for total in totals])
    axes.set_xlim(0, 1.03 * max([ends.max(), *(total[2] or 0 for total in totals)]) or 1)
    _part_numbers(chart, axes, ends, looks)


def _part_numbers(chart: Chart, axes: Axes, ends: Floats, looks: Looks) -> None:
    """Write in each part its size, where there is room."""
    written = [
        (
            axes.text(
                (left + right) / 2, at, f"{right - left:.1f}", fontsize=8.5, color=look.number,
                ha="center", va="center_baseline",
            ),
            (right - left) / axes.get_xlim()[1],
        )
        for at, row in enumerate(ends)
        for left, right, look in zip(row, row[1:], looks, strict=False)
    ]  # fmt: skip

    def show(narrow: bool) -> None:
        names = max(len(label.get_text()) for label in axes.get_yticklabels())
        width = 72 * chart.get_figwidth() - 5.8 * names - 60
        for text, share in written:
            text.set_visible(share * width >= 5.2 * len(text.get_text()) + 3)

    chart.fit(show)


def key(chart: Chart, looks: Iterable[Look]) -> None:
    """Say above the figure what each colour means."""
    colours, words, _ = zip(*looks, strict=True)
    chart.legend(
        [Patch(color=colour) for colour in colours], words, loc="outside upper left", ncols=4,
        handlelength=1.1, handleheight=0.9, columnspacing=1.3, handletextpad=0.5, borderpad=0.2,
    )  # fmt: skip


def best_first(rows: pl.DataFrame, by: str) -> list[Any]:
    """Return the strategies, that with the highest estimate first."""
    return rows.sort(by, descending=True, maintain_order=True)["strategy"].to_list()


def counted(frame: pl.DataFrame, of: str, what: str, shown: int) -> list[str]:
    """Say how many stand behind each strategy, and which strategies are left out.

    frame: has a row or several for each strategy, with the number in its column `of`.
    """
    many = frame["strategy"].n_unique()
    numbers = [{"games": number} for number in set(frame[of])]
    each = " each" if len(numbers) == 1 < many else ""
    return [
        f"Shown: {shown} of {many} strategies" if many > shown else "",
        parts.count(numbers, what + each),
    ]


def widest(frame: pl.DataFrame, low: str, high: str) -> str:
    """Write how far the widest interval reaches to either side; empty where there is none."""
    halves = ((frame[high] - frame[low]) / 2).drop_nulls().to_list()
    return f"{max(halves):.1g}" if halves else ""
