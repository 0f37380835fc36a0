"""Figures of Diamant: when they left and what became of them, and where the gems come from."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simlab import figures, report_figure

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]
Ends = tuple[float | None, float | None, float | None]
"""An estimate and its interval: (estimate, low, high)."""

ESTIMATE = ("estimate", "low", "high")
ENDS = ("left", "home", "accident")
"""How an expedition ends for an explorer."""
SOURCES = {"shares": "shares of treasures", "leftovers": "leftovers", "relic_gems": "relics"}
"""Columns of the rows that add up to the score, and how they are called."""
MOST = 12
"""Strategies that a figure of panels shows."""
WORTH, NUMBERED = 0.1, 1.0
"""Bars of less, in %, lie beyond the axis; bars of less bear no number."""
TALLEST, OVER = 2, 1.25
"""A bar that stands alone, so many times as high as others, is cut: a little above them all."""
PANELS, LINE, REST = (1.7, 1.2, 0.86), 0.16, 0.75
"""Inches of a panel (of one, two or more), of a line of text above it, and of the rest."""
LABELS = (40, 20)
"""Letters of a name, for wide and narrow figures."""
LETTER, DIGIT = 4.4, 5.0
"""Points of width of a letter of the words above a panel, and of a digit on a bar."""


# -- when they left, and what became of them


def departures_data(run: Any) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return how the expeditions of each strategy ended, card by card and in all.

    run: one with events. First frame, one row for each strategy, number of cards turned up and end
    (event: left, home, accident): expeditions (of one explorer each), share of the strategy's
    expeditions in [0, 1] with share_low and share_high, gems (mean secured by those who got out
    there, relics' pay not counted; null for accidents). Second frame, one row for each strategy and
    what (left, home, accident: a share; gems: mean secured in an expedition): estimate, low, high,
    expeditions. Intervals: 95 %, the unit is the deal. Streamed, file by file.
    """
    import polars as pl

    bars: list[dict[str, Any]] = []
    totals: list[dict[str, Any]] = []
    for (name,), held in _departures(run).group_by("strategy", maintain_order=True):
        units = figures.Units(held["bucket"], held["expeditions"])
        for (cards, event), one in held.group_by("cards", "event", maintain_order=True):
            many = int(one["expeditions"].sum())
            ends = units.mean(units.sums(one["bucket"], one["expeditions"]), share=True)
            row = {"strategy": name, "cards": cards, "event": event, "expeditions": many}
            row |= dict(zip(("share", "share_low", "share_high"), ends, strict=True))
            gems = None if event == "accident" else one["gems"].sum() / many
            bars.append(row | {"gems": gems})
        for what in (*ENDS, "gems"):
            one = held if what == "gems" else held.filter(pl.col("event") == what)
            sums = units.sums(one["bucket"], one["gems" if what == "gems" else "expeditions"])
            ends = units.mean(sums, share=what != "gems")
            row = {"strategy": name, "what": what} | dict(zip(ESTIMATE, ends, strict=True))
            totals.append(row | {"expeditions": units.appearances})
    return pl.DataFrame(bars, infer_schema_length=None), pl.DataFrame(totals)


def _departures(run: Any) -> pl.DataFrame:
    """Return how many expeditions ended so, and the gems they secured, in each bucket of deals."""
    import polars as pl

    keys = ["strategy", "cards", "event", "bucket"]
    found: list[pl.DataFrame] = []
    for held in figures.seated_events(run, ["cards", "event", "gems", "leftovers"]):
        cells = (
            held.lazy()
            .with_columns(figures.bucket())
            .group_by(keys)
            .agg(
                expeditions=pl.len().cast(pl.Int64),
                gems=(pl.col("gems") + pl.col("leftovers")).sum().cast(pl.Int64),
            )
        )
        found.append(cells.collect(engine="streaming"))
    return pl.concat(found).group_by(keys).sum().sort(keys)


@report_figure(  # type: ignore[untyped-decorator]
    "When did they leave, and what became of them", data=departures_data, events=True
)
def departures(frame: pl.DataFrame, totals: pl.DataFrame) -> Figure:
    """Each bar is the share of a strategy's expeditions that ended after so many cards: above the
    line those that got out, below it the accidents, in which all that was carried is lost. The
    number on a bar says how many gems those who got out there brought home on average.

    frame, totals: as `departures_data` gives them. The most gems first; at most 12 strategies.
    """  # noqa: D205
    canvas, parts = figures.canvas, figures.parts

    names = figures.best_first(totals.filter(totals["what"] == "gems"), "estimate")[:MOST]
    held = [_Bars(frame, name) for name in names]
    told = [_told(totals, name) for name in names]
    limit = _limit([one.out for one in held])
    last = max(one.last for one in held)
    with canvas.style():
        chart = parts.Chart(REST + PANELS[min(len(held), 3) - 1] * len(held))
        panels = list(chart.subplots(len(held), squeeze=False, sharex=True, sharey=True)[:, 0])
        for at, (axes, one) in enumerate(zip(panels, held, strict=True)):
            _panel(axes, one, limit, f"-{at}")
        above, below = (max(ends) for ends in zip(*(one.reach(limit) for one in held), strict=True))
        panels[0].set(xlim=(0.4, last + 0.6), ylim=(-1.05 * below, 1.26 * above))
        _scales(panels)
        _numbers(chart, panels, held, limit, last)
        _headings(chart, panels, told)
        there = [end for end in ENDS if any(one.share[end].any() for one in held)]
        figures.key(chart, [_looks()[end] for end in there])
        counted = figures.counted(totals, "expeditions", "expeditions", MOST)
        chart.tell([*_notes(held, limit, last), *counted])
    chart.set_label(f"When they left, and what became of them: {_alt(told, held)}.")
    return chart  # type: ignore[no-any-return]


def _looks() -> dict[str, Any]:
    """Return how each end of an expedition looks."""
    canvas = figures.canvas

    return {
        "left": figures.Look(canvas.ACCENT, "left", canvas.PAPER),
        "home": figures.Look(canvas.BAND, "home, as no card was left", canvas.INK),
        "accident": figures.Look(canvas.MARK, "accident", canvas.PAPER),
    }


class _Bars:
    """What is drawn of one strategy, in % of its expeditions, by cards turned up (from 0)."""

    def __init__(self, frame: pl.DataFrame, name: Any) -> None:
        """Take the rows of a strategy."""
        most = 1 + max(frame["cards"].to_list())
        self.share = {end: np.zeros(most) for end in ENDS}
        self.interval = {end: np.full((2, most), np.nan) for end in ENDS}
        gems, many = np.zeros(most), np.zeros(most)
        for row in frame.filter(frame["strategy"] == name).iter_rows(named=True):
            at, end = row["cards"], row["event"]
            self.share[end][at] = 100 * row["share"]
            self.interval[end][:, at] = 100 * row["share_low"], 100 * row["share_high"]
            if row["gems"] is not None:
                gems[at] += row["gems"] * row["expeditions"]
                many[at] += row["expeditions"]
        self.out: Floats = self.share["left"] + self.share["home"]
        self.lost: Floats = self.share["accident"]
        self.gems: Floats = gems / np.maximum(many, 1)
        self.top: Floats = np.nanmax(
            [self.out, self.interval["left"][1], self.share["left"] + self.interval["home"][1]],
            axis=0,
        )
        """Where the interval of what got out ends."""

    @property
    def last(self) -> int:
        """The largest number of cards with a bar that is worth drawing."""
        return int(np.flatnonzero(np.maximum(self.out, self.lost) >= WORTH).max(initial=1))

    def reach(self, limit: float) -> tuple[float, float]:
        """Return how far bars and intervals reach above and below the line; limit: of bars."""
        above = np.where(self.out > limit, limit, self.top).max()
        below = np.nanmax([self.lost, self.interval["accident"][1]])
        return float(above), float(max(below, 0.12 * above))

    def beyond(self, last: int) -> float:
        """Return the share, in %, of what ended after more cards."""
        return float((self.out + self.lost)[last + 1 :].sum())


def _limit(panels: Sequence[Floats]) -> float:
    """Return where bars are cut: those that stand alone and would dwarf all others."""
    peaks = [np.sort(bars)[::-1] for bars in panels]
    usual = max(float(bars[1]) for bars in peaks)
    ordinary = [float(bars[0]) for bars in peaks if not 0 < TALLEST * usual < bars[0]]
    return max(ordinary) if len(ordinary) == len(peaks) else OVER * max([usual, *ordinary])


def _panel(axes: Axes, bars: _Bars, limit: float, gid: str) -> None:
    """Draw one strategy: up those that got out, down the accidents; limit: where bars are cut."""
    canvas = figures.canvas

    left, none = bars.share["left"], np.zeros_like(bars.out)
    for end, low, high, interval in (
        ("left", none, left, bars.interval["left"]),
        ("home", left, bars.out, left + bars.interval["home"]),
        ("accident", none, -bars.lost, -bars.interval["accident"]),
    ):
        edges = np.ravel([[cards - 0.4, cards + 0.4] for cards in range(len(low))])
        tops, base = np.full((2, len(edges) - 1), np.nan)
        tops[::2] = np.where(low == high, np.nan, np.minimum(high, limit))
        base[::2] = np.minimum(low, limit)
        colour = _looks()[end].colour
        axes.stairs(tops, edges, baseline=base, fill=True, color=colour, gid=end + gid)
        shown = np.where((bars.out > limit) & (end != "accident"), np.nan, interval)
        axes.plot(
            np.repeat(np.arange(len(low)), 3), np.vstack([shown, none + np.nan]).T.ravel(),
            color=canvas.INK, linewidth=0.9, zorder=2.8, solid_capstyle="butt",
            gid=f"interval-{end}{gid}",
        )  # fmt: skip
    axes.axhline(0, color=canvas.INK, linewidth=0.9, zorder=3)
    _cuts(axes, bars.out, limit, gid)


def _cuts(axes: Axes, heights: Floats, limit: float, gid: str) -> None:
    """Mark bars that reach further than the panel, and say how far."""
    canvas = figures.canvas

    for cards in map(int, np.flatnonzero(heights > limit)):
        axes.annotate(
            f"{heights[cards]:.0f} %", (cards + 0.4, limit), (4, 0), textcoords="offset points",
            va="top", fontsize=8.5, color=canvas.INK, gid="cut" + gid,
        )  # fmt: skip
        axes.plot(
            [cards - 0.5, cards + 0.5], [0.68 * limit, 0.8 * limit], color=canvas.PAPER,
            linewidth=2.4, zorder=2.5,
        )  # fmt: skip


def _scales(panels: Sequence[Axes]) -> None:
    """Write few numbers along both axes."""
    canvas = figures.canvas

    for axes in panels:
        axes.grid(axis="y")
        axes.tick_params(length=0, pad=5)
        axes.tick_params(axis="y", labelcolor=canvas.MUTED, labelsize=8.5)
        axes.locator_params(axis="y", nbins=4)
        axes.locator_params(axis="x", integer=True)
        axes.yaxis.set_major_formatter(lambda height, _: f"{abs(height):g} %")
        axes.spines.bottom.set_visible(False)
    panels[-1].set_xlabel("cards turned up when the expedition ended", loc="right")


def _numbers(
    chart: Any, panels: Sequence[Axes], held: Sequence[_Bars], limit: float, last: int
) -> None:
    """Write on the bars the gems that were brought home; where narrow, not beside a higher one."""
    canvas = figures.canvas

    written: list[tuple[Any, bool]] = []
    for axes, bars in zip(panels, held, strict=True):
        there = [int(cards) for cards in np.flatnonzero(bars.out[: last + 1] >= NUMBERED)]
        first: set[int] = set()
        for cards in sorted(there, key=lambda cards: -bars.out[cards]):
            if first.isdisjoint((cards - 1, cards + 1)):
                first.add(cards)
        for cards in there:
            cut = bars.out[cards] > limit
            text = axes.annotate(
                f"{bars.gems[cards]:.0f}", (cards, limit if cut else bars.top[cards]), (0, 2),
                textcoords="offset points", ha="center", fontsize=8.5, color=canvas.MUTED,
                gid=f"gems-{cards}",
            )  # fmt: skip
            written.append((text, cards in first))
    longest = max((len(text.get_text()) for text, _ in written), default=0)

    def show(narrow: bool) -> None:
        room = (72 * chart.get_figwidth() - 50) / last
        for text, one_of_first in written:
            text.set_visible(one_of_first or room >= DIGIT * longest + 1.5)

    chart.fit(show)


class _Told(NamedTuple):
    """What is said of one strategy."""

    name: str
    became: str
    """What became of its expeditions; a line may end after a comma alone."""
    gems: Ends
    """What it brought home."""


def _told(totals: pl.DataFrame, name: Any) -> _Told:
    """Return what is said of a strategy."""
    marks, parts = figures.marks, figures.parts

    rows = {
        row["what"]: row for row in totals.filter(totals["strategy"] == name).iter_rows(named=True)
    }
    became = []
    for end in ENDS:
        share = figures.with_interval(*parts.ends(rows[end], ESTIMATE, 100), "%")
        if rows[end]["estimate"]:
            became.append(f"{end} {share}".replace(" ", parts.KEPT))
    gems = parts.ends(rows["gems"], ESTIMATE)
    return _Told(marks.label(name, "strategy"), ", ".join(became), gems)


def _headings(chart: Any, panels: Sequence[Axes], told: Sequence[_Told]) -> None:
    """Write above each panel the name, what was brought home, and what became of them."""
    canvas, parts = figures.canvas, figures.parts

    cut = [parts.short_all([one.name for one in told], most) for most in LABELS]
    lines = [
        axes.annotate(
            "", (0, 1), (0, 3), "axes fraction", "offset points", va="bottom", fontsize=8.5,
            color=canvas.MUTED, linespacing=1.2, gid="became",
        )
        for axes in panels
    ]  # fmt: skip

    def write(narrow: bool) -> float:
        letters = int((72 * chart.get_figwidth() - 50) / LETTER)
        became = [textwrap.wrap(one.became, letters) for one in told]
        for axes, line, label, one, wrapped in zip(
            panels, lines, cut[narrow], told, became, strict=True
        ):
            line.set_text("\n".join(wrapped))
            look: dict[str, Any] = {"pad": 4 + 72 * LINE * len(wrapped), "color": canvas.INK}
            axes.set_title(label, loc="left", fontsize=9, parse_math=False, **look)
            axes.set_title(_gems(one.gems, narrow), loc="right", fontsize=8.5, **look)
        return LINE * max(map(len, became)) * len(panels)

    chart.fit(write)


def _gems(ends: Ends, narrow: bool = False) -> str:
    """Write what was brought home."""
    return str(figures.with_interval(*ends, "gems", "" if narrow else "an expedition"))


def _notes(held: Sequence[_Bars], limit: float, last: int) -> list[str]:
    """Say below the panels what is drawn."""
    cut = any(one.out.max() > limit for one in held)
    beyond = max(one.beyond(last) for one in held)
    return [
        "Height: share of the expeditions, the same scale for all",
        "Bars that are cut bear their share" if cut else "",
        "Numbers on bars: mean gems of those who got out; at the right: of an expedition; both "
        "without what relics paid",
        "Brackets and thin lines: 95 % intervals, whose unit is the deal",
        f"Beyond the axis: at most {beyond:.1g} % of a strategy's expeditions" * bool(beyond),
    ]


def _alt(told: Sequence[_Told], held: Sequence[_Bars]) -> str:
    """Return the panels in words."""
    parts = figures.parts

    words = []
    for one, bars in zip(told, held, strict=True):
        usual = f"most often out after {bars.out.argmax()} cards, " * bool(bars.out.any())
        became = one.became.replace(parts.KEPT, " ")
        words.append(f"{parts.name(one.name)} {became}, {usual}{_gems(one.gems)}")
    return "; ".join(words)


# -- where the gems come from


def gem_sources_data(run: Any) -> pl.DataFrame:
    """Return the mean gems of a game by where they come from, for each strategy.

    One row for each strategy and source (shares, leftovers, relic_gems, and all of them together):
    estimate, low, high (gems a game and seat; 95 % interval, the unit is the deal), games (seats
    held). One streamed pass.
    """
    frame: pl.DataFrame = figures.source_means(run, SOURCES)
    return frame


@report_figure(  # type: ignore[untyped-decorator]
    "Where the gems come from", data=gem_sources_data
)
def gem_sources(frame: pl.DataFrame) -> Figure:
    """Each bar is what a strategy brought home in a game on average, by how it was won: shares of
    the treasures that were turned up while it was inside, leftovers that lay on the path when it
    left, and relics, which pay only who leaves alone.

    frame: as `gem_sources_data` gives it. The most gems first; at most 40 strategies.
    """  # noqa: D205
    canvas, marks, parts = figures.canvas, figures.marks, figures.parts

    names, ends = figures.by_source(frame)
    looks = [
        figures.Look(colour, word, number)
        for word, colour, number in zip(
            SOURCES.values(),
            (canvas.ACCENT, canvas.BAND, canvas.MARK),
            (canvas.PAPER, canvas.INK, canvas.PAPER),
            strict=True,
        )
    ]
    with canvas.style():
        chart = parts.Chart(1.05 + marks.ROW * len(names))
        axes = chart.subplots()
        parts.lines(chart, axes, names)
        stacks = [[ends[name, source][0] for source in SOURCES] for name in names]
        figures.stacks(chart, axes, stacks, [ends[name, "all"] for name in names], looks, "gems")
        axes.set_xlabel("mean gems of a game", loc="right")
        figures.key(chart, looks)
        counted = figures.counted(frame, "games", "seats held", figures.MOST_BARS)
        chart.tell([*_source_notes(frame), *counted])
    chart.set_label(f"Where the gems of a game come from, on average: {_source_alt(names, ends)}.")
    return chart  # type: ignore[no-any-return]


def _source_notes(frame: pl.DataFrame) -> list[str]:
    """Say below the bars what is drawn."""
    wide = figures.widest(frame, "low", "high")
    return [
        "At the right: the mean score, its 95 % interval as a line at the end of the bar",
        f"All intervals, also of the parts, reach {wide} gems to either side, or less" * bool(wide),
        "Their unit is the deal",
    ]


def _source_alt(names: Sequence[Any], ends: dict[tuple[Any, str], Ends]) -> str:
    """Return the bars in words."""
    parts = figures.parts

    told = []
    for name in names:
        of = [f"{word} {ends[name, source][0]:.1f}" for source, word in SOURCES.items()]
        told.append(
            f"{parts.name(name)} {figures.with_interval(*ends[name, 'all'])} ({', '.join(of)})"
        )
    return "; ".join(told)
