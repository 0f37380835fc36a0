"""What the figures of games share: means whose unit is the deal, bars, lines, keys and notes.

`simlab.figures` hands them out, beside the modules `canvas`, `marks` and `parts`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch
from matplotlib.text import Text

from simlab.analysis import estimates
from simlab.analysis.sums import BUCKETS, Floats, UnitSums
from simlab.reporting import canvas, marks
from simlab.reporting.charts import parts
from simlab.reporting.charts.parts import Chart
from simlab.reporting.marks import Ends
from simlab.reporting.numbers import with_interval

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "BUCKETS", "MOST_BARS", "MOST_LINES", "Look", "Units", "added", "best_first", "bucket",
    "by_source", "canvas", "cells", "counted", "ended", "growth", "key", "line_words", "marks",
    "new", "over_words", "parts", "reached", "seated", "seated_events", "so_far", "source_means",
    "stacks", "units", "where_room", "widest",
]  # fmt: skip
Looks = Sequence["Look"]

ESTIMATE = ("estimate", "low", "high")
OVER = 0.99
"""Lines end where so many games are over."""
MOST_LINES, MOST_BARS = 8, 40
"""Strategies that a figure of lines shows, and one of bars."""
LABELS = (26, 15)
"""Letters of a name at the end of a line, for wide and narrow figures."""
LABEL_LINE = 0.17
"""Inches of a name at the end of a line."""
DIGIT = 5.2
"""Points of width of a digit in a bar."""


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


def seated_events(
    run: Any, columns: Sequence[str], which: pl.Expr | None = None
) -> Iterator[pl.DataFrame]:
    """Yield the events of a run, file by file: game, deal, seat, the columns, and strategy.

    which: the events to keep; None keeps all.
    """
    for rows, events in zip(
        run.pieces(["game", "seat", "strategy"]),
        run.pieces(["game", "deal", "seat", *columns], "events"),
        strict=True,
    ):
        yield seated(rows, events if which is None else events.filter(which))


def cells(held: pl.DataFrame, by: str, of: str | None = None) -> Floats:
    """Return how often each value of `by`, from 0 on, comes, or the sums of the column `of`.

    held: rows with their strategy and deal. Result: float64 [strategies, buckets, values], the
    strategies in the order of the run.
    """
    words: Any = held["strategy"].dtype
    strategy = held["strategy"].to_physical().to_numpy().astype("i8")
    values = held[by].to_numpy().astype("i8")
    shape = (len(words.categories), BUCKETS, int(values.max(initial=0)) + 1)
    at = (strategy * BUCKETS + held["deal"].to_numpy().astype("i8") % BUCKETS) * shape[2] + values
    weights = None if of is None else held[of].to_numpy().astype("f8")
    return np.bincount(at, weights, int(np.prod(shape))).reshape(shape).astype(np.float64)


def added(arrays: Sequence[Floats]) -> Floats:
    """Return the sum of arrays whose last axes may end sooner or later."""
    total = np.zeros((*arrays[0].shape[:-1], max(array.shape[-1] for array in arrays)))
    for array in arrays:
        total[..., : array.shape[-1]] += array
    return total


def bucket() -> pl.Expr:
    """Return the bucket of a row's deal."""
    import polars as pl

    return (pl.col("deal") % BUCKETS).cast(pl.Int64).alias("bucket")


def units(run: Any) -> Iterator[tuple[str, int, Units]]:
    """Yield each strategy with its place in what `cells` gives and the seats that it held."""
    import polars as pl

    seats = run.scan().group_by("strategy", bucket()).agg(games=pl.len().cast(pl.Int64))
    held = seats.collect(engine="streaming").sort("strategy", "bucket")
    for (name,), mine in held.group_by("strategy", maintain_order=True):
        yield name, int(mine["strategy"].to_physical()[0]), Units(mine["bucket"], mine["games"])


def source_means(run: Any, sources: Iterable[str]) -> pl.DataFrame:
    """Return the means of columns of the rows, and of the score (source: all), by strategy.

    Columns: strategy, source, estimate, low, high (a game and seat; 95 %, the unit is the deal),
    games (seats held). One streamed pass.
    """
    import polars as pl

    means = {source: source for source in sources} | {"all": "score"}
    sums = (
        run.scan()
        .group_by("strategy", bucket())
        .agg(
            *(pl.col(of).cast(pl.Int64).sum().alias(source) for source, of in means.items()),
            games=pl.len().cast(pl.Int64),
        )
        .collect(engine="streaming")
        .sort("strategy", "bucket")
    )
    rows: list[dict[str, Any]] = []
    for (name,), held in sums.group_by("strategy", maintain_order=True):
        seats = Units(held["bucket"], held["games"])
        for source in means:
            ends = seats.mean(seats.sums(held["bucket"], held[source]))
            row = {"strategy": name, "source": source} | dict(zip(ESTIMATE, ends, strict=True))
            rows.append(row | {"games": seats.appearances})
    return pl.DataFrame(rows, infer_schema_length=None)


def by_source(frame: pl.DataFrame) -> tuple[list[Any], dict[tuple[Any, str], Ends]]:
    """Return the strategies to show, the best first, and the ends of each strategy and source.

    frame: as `source_means` gives it.
    """
    names = best_first(frame.filter(frame["source"] == "all"), "estimate")[:MOST_BARS]
    rows = frame.iter_rows(named=True)
    return names, {(row["strategy"], row["source"]): parts.ends(row, ESTIMATE) for row in rows}


def reached(many: Floats, share: float) -> int:
    """Return the first value by which such a share has come; many: how often each, from 0 on."""
    return int(np.argmax(many.cumsum() / many.sum() >= share))


def ended(run: Any, column: str) -> tuple[pl.DataFrame, int]:
    """Return how long the games were, and where lines over it end: 99 % of the games are over.

    column: of the rows, the same or nearly the same for all seats, such as rounds: that of seat 0
    counts. The frame has one row: games, and by when a quarter, half, three quarters and all of
    them were over (q25, q50, q75, longest).
    """
    import polars as pl

    first = run.scan().filter(pl.col("seat") == 0).group_by(column).agg(games=pl.len())
    found = first.collect(engine="streaming")
    many = np.bincount(found[column].to_numpy(), found["games"].to_numpy()).astype(np.float64)
    by = {"q25": 0.25, "q50": 0.5, "q75": 0.75, "longest": 1.0}
    told = {"games": int(many.sum())} | {word: reached(many, share) for word, share in by.items()}
    return pl.DataFrame([told]), reached(many, OVER)


def so_far(run: Any, gains: Floats, last: int, of: tuple[str, str]) -> pl.DataFrame:
    """Return the means of what each strategy has gained up to each time from 0 to `last`.

    gains: at each time, as `cells` gives them; of: the names of time and gain. Result: strategy,
    time, gain (over all games: those that are over keep theirs), low, high (95 %, the unit is the
    deal), games (seats held).
    """
    import polars as pl

    rows: list[dict[str, Any]] = []
    for name, place, seats in units(run):
        sums = gains[place].cumsum(axis=1)
        for time in range(last + 1):
            ends = seats.mean(sums[:, min(time, sums.shape[1] - 1)])
            row = {"strategy": name, of[0]: time}
            row |= dict(zip((of[1], *ESTIMATE[1:]), ends, strict=True))
            rows.append(row | {"games": seats.appearances})
    return pl.DataFrame(rows, infer_schema_length=None)


# -- bars


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
    where_room(chart, axes, written, 3)


def where_room(
    chart: Chart, axes: Axes, written: Sequence[tuple[Text, float]], spare: float
) -> None:
    """Show numbers in bars that have room for them, however wide the figure is drawn.

    written: each number with the share of the axis that its part takes; spare: points beside it.
    """

    def show(narrow: bool) -> None:
        names = max(len(label.get_text()) for label in axes.get_yticklabels())
        width = 72 * chart.get_figwidth() - 5.8 * names - 60
        for text, share in written:
            text.set_visible(share * width >= DIGIT * len(text.get_text()) + spare)

    chart.fit(show)


def key(chart: Chart, looks: Iterable[Look]) -> None:
    """Say above the figure what each colour means."""
    colours, words, _ = zip(*looks, strict=True)
    chart.legend(
        [Patch(color=colour) for colour in colours], words, loc="outside upper left", ncols=4,
        handlelength=1.1, handleheight=0.9, columnspacing=1.3, handletextpad=0.5, borderpad=0.2,
    )  # fmt: skip


# -- lines over turns or rounds


def growth(
    chart: Chart,
    panels: Sequence[Axes],
    frame: pl.DataFrame,
    lengths: pl.DataFrame,
    of: tuple[str, str],
    inches: float,
) -> pl.DataFrame:
    """Draw a line for each strategy, its interval as a band, and its name at the end.

    panels: the lines stand in the last, which is so many inches high; the time by which half of the
    games were over is marked in all, and told above the first. frame: as `so_far` gives it for the
    same `of`; lengths: as `ended` does. Returns the rows of the last time for the strategies drawn,
    the highest first.
    """
    axes, last = panels[-1], frame[of[0]].to_numpy().max()
    ends = frame.filter(frame[of[0]] == last).sort(of[1], descending=True, maintain_order=True)
    ends = ends[:MOST_LINES]
    for at, name in enumerate(ends["strategy"]):
        _line(axes, frame.filter(frame["strategy"] == name), of, at)
    _half(panels, lengths.row(0, named=True), of[0], last)
    tops = [*frame["high"].drop_nulls().to_list(), *frame[of[1]].to_list()]
    axes.set(xlim=(0, last), ylim=(0, 1.04 * max(1, *tops)))
    axes.grid(axis="y")
    axes.tick_params(length=0, pad=5)
    axes.tick_params(axis="y", labelcolor=canvas.MUTED)
    axes.locator_params(axis="x", integer=True)
    _name_lines(chart, axes, ends["strategy"].to_list(), ends[of[1]].to_list(), inches)
    return ends


def _line_look(at: int) -> dict[str, Any]:
    """Return colour and dashes of a line, told apart in grey too."""
    colours = (canvas.ACCENT, canvas.MARK, canvas.INK, canvas.MUTED)
    dashes: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1.5, 1.3)), (0, (7, 2, 1.5, 2)))
    return {"color": colours[at % 4], "linestyle": dashes[(at + at // 4) % 4]}


def _line(axes: Axes, rows: pl.DataFrame, of: tuple[str, str], at: int) -> None:
    """Draw the means of a strategy, and their intervals as a band."""
    look = _line_look(at)
    axes.plot(rows[of[0]], rows[of[1]], linewidth=1.9, zorder=3, gid=f"line-{at}", **look)
    there = rows.drop_nulls("low")
    axes.fill_between(
        there[of[0]], there["low"], there["high"], color=look["color"], alpha=0.25, linewidth=0,
        zorder=2, gid=f"band-{at}",
    )  # fmt: skip


def _half(panels: Sequence[Axes], length: dict[str, Any], time: str, last: int) -> None:
    """Mark the time by which half of the games were over, and where the middle half ended."""
    at = length["q50"]
    for axes in panels:
        axes.axvspan(
            length["q25"] - 0.5, min(length["q75"] + 0.5, last), color=canvas.RULE, alpha=0.55,
            linewidth=0, zorder=0.5, gid="middle-half",
        )  # fmt: skip
        axes.axvline(at, color=canvas.MUTED, linewidth=1, zorder=1, gid="half")
    side, shift = ("right", 4) if at > last / 2 else ("left", -4)
    panels[0].annotate(
        f"half of the games over: {time} {at:g}", (at, 1), (shift, 3), ("data", "axes fraction"),
        "offset points", ha=side, va="bottom", fontsize=8.5, color=canvas.MUTED,
    )  # fmt: skip


def _name_lines(
    chart: Chart, axes: Axes, names: list[Any], values: list[float], inches: float
) -> None:
    """Write value and name of each strategy at the end of its line, none over another."""
    labels = [marks.label(name, "strategy") for name in names]
    cut = [parts.short_all(labels, most) for most in LABELS]
    top = axes.get_ylim()[1]
    heights = _apart(values, LABEL_LINE * top / inches, top)
    written = [
        axes.annotate(
            "", (1, end), (1.035, height), ("axes fraction", "data"), ("axes fraction", "data"),
            va="center", fontsize=8.5, color=_line_look(at)["color"], parse_math=False,
            gid=f"end-{at}",
            arrowprops={"arrowstyle": "-", "color": canvas.MUTED, "linewidth": 0.6, "shrinkA": 1,
                        "shrinkB": 1, "relpos": (0, 0.5)},
        )
        for at, (end, height) in enumerate(zip(values, heights, strict=True))
    ]  # fmt: skip

    def write(narrow: bool) -> None:
        for text, end, label in zip(written, values, cut[narrow], strict=True):
            text.set_text(f"{end:.1f} {label}")

    chart.fit(write)


def _apart(ends: list[float], gap: float, top: float) -> list[float]:
    """Return where the names of lines stand: in their order, a gap apart, below the top."""
    order = sorted(range(len(ends)), key=lambda at: ends[at])
    placed, floor = list(ends), -gap
    for at in order:
        placed[at] = floor = max(placed[at], floor + gap)
    ceiling = top
    for at in reversed(order):
        placed[at] = min(placed[at], ceiling)
        ceiling = placed[at] - gap
    return placed


# -- words


def line_words(ends: pl.DataFrame, what: str) -> str:
    """Return strategies and their values in words; ends: as `growth` returns them."""
    shown = [
        f"{parts.name(row['strategy'])} {with_interval(*parts.ends(row, (what, *ESTIMATE[1:])))}"
        for row in ends.iter_rows(named=True)
    ]
    return ", ".join(shown)


def over_words(lengths: pl.DataFrame, time: str, last: int) -> str:
    """Say how many games are over where the lines end; lengths: as `ended` gives them."""
    length = lengths.row(0, named=True)
    later = f"; the longest took {length['longest']:,}" if length["longest"] > last else ""
    return f"By {time} {last}, {100 * OVER:g} % of the {length['games']:,} games were over{later}"


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
