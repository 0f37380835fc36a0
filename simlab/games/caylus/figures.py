"""Figures of Caylus: where the points come from, and how the castle fills round by round."""

from __future__ import annotations

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

SOURCES = {
    "castle_points": "castle",
    "building_points": "wood and stone tiles",
    "residence_points": "residences",
    "prestige_points": "prestige tiles",
    "owner_points": "as owner",
    "favor_points": "favors",
    "exchange_points": "exchanges",
    "final_bonus": "final bonus",
    "penalty_points": "penalties",
}
"""Columns of the rows that add up to the score, and how they are called."""
SECTIONS = ("dungeon", "walls", "towers")
RACE = ("round", "parts")
"""What the lines show: the time, and what has grown by then."""
NAMES = (36, 18)
"""Letters of a name before a bar, for wide and narrow figures."""
BODY, STRIP = 3.4, 0.2
"""Inches of the lines, and of the strip of a section."""


# -- where the points come from


def where_points_come_from_data(run: Any) -> pl.DataFrame:
    """Return the mean points of a game by where they come from, for each strategy.

    One row for each strategy and source (the nine columns of points, of which `penalty_points` is
    0 or less, and all: the score): estimate, low, high (points a game and seat; 95 % interval, the
    unit is the deal), games (seats held). One streamed pass.
    """
    frame: pl.DataFrame = figures.source_means(run, SOURCES)
    return frame


@report_figure(  # type: ignore[untyped-decorator]
    "Where the points come from", data=where_points_come_from_data
)
def where_points_come_from(frame: pl.DataFrame) -> Figure:
    """Each bar is what a strategy scores in a game on average, by where it comes from: parts of the
    castle, tiles and residences when they are built, rivals who work on its tiles, favors, cubes
    turned into points, and what is left at the end. Left of zero stand the points that it loses
    where it builds nothing in the castle.

    frame: as `where_points_come_from_data` gives it. The most points first; at most 40 strategies.
    """  # noqa: D205
    canvas, marks, parts = figures.canvas, figures.marks, figures.parts

    names, ends = figures.by_source(frame)
    with canvas.style():
        chart = parts.Chart(1.45 + marks.ROW * len(names))
        axes = chart.subplots()
        parts.lines(chart, axes, names, most=NAMES)
        sizes = np.array([[ends[name, source][0] for source in SOURCES] for name in names])
        _stacks(chart, axes, sizes.astype(np.float64), [ends[name, "all"] for name in names])
        axes.set_xlabel("mean points of a game", loc="right")
        _key(chart, [bool(sizes[:, part].any()) for part in range(len(SOURCES))])
        counted = figures.counted(frame, "games", "seats held", figures.MOST_BARS)
        chart.tell([*_source_notes(frame), *counted])
    chart.set_label(f"Where the points of a game come from, on average: {_alt(names, ends)}.")
    return chart  # type: ignore[no-any-return]


class _Look(NamedTuple):
    """How a part of a bar looks: its colour, that of its number, and how it is hatched."""

    colour: str
    number: str
    hatch: str | None = None


def _looks() -> list[_Look]:
    """Return how the parts of a bar look, in the order of the sources."""
    canvas = figures.canvas

    return [
        _Look(canvas.ACCENT, canvas.PAPER),
        _Look(canvas.BAND, canvas.INK),
        _Look(canvas.PALE, canvas.INK),
        _Look(canvas.INK, canvas.PAPER),
        _Look(canvas.MUTED, canvas.PAPER),
        _Look(canvas.MARK, canvas.PAPER),
        _Look(canvas.ACCENT, canvas.PAPER, "////"),
        _Look(canvas.RULE, canvas.INK),
        _Look(canvas.MARK, canvas.PAPER, "////"),
    ]


def _stacks(chart: Any, axes: Axes, sizes: Floats, totals: Sequence[Ends]) -> None:
    """Draw the parts of each row from zero on: to the right what is won, to the left what is lost.

    sizes: points, float64 [rows, sources]; totals: the scores, marked on the bars.
    """
    canvas = figures.canvas

    won, lost = np.maximum(sizes, 0), np.minimum(sizes, 0)
    start = np.where(sizes < 0, lost.cumsum(axis=1) - lost, won.cumsum(axis=1) - won)
    for part, look in enumerate(_looks()):
        axes.barh(
            np.arange(len(sizes)), sizes[:, part], 0.66, start[:, part], color=look.colour,
            linewidth=0.8, edgecolor=canvas.PAPER, hatch=look.hatch, gid=f"points-{part}",
        )  # fmt: skip
    axes.axvline(0, color=canvas.INK, linewidth=0.9, zorder=2.5)
    low, high = lost.sum(axis=1).min(), won.sum(axis=1).max()
    reach = [end for total in totals for end in total if end is not None]
    axes.set_xlim(1.03 * min(low, *reach), 1.03 * max(high, *reach) or 1)
    _totals(axes, totals)
    _numbers(chart, axes, start, sizes, totals)


def _totals(axes: Axes, totals: Sequence[Ends]) -> None:
    """Mark the score of each row with its interval, and write it at the right."""
    canvas, marks, parts = figures.canvas, figures.marks, figures.parts

    for at, ends in enumerate(totals):
        value, *interval = parts.floats(ends)
        for colour, wider in ((canvas.PAPER, 2.1), (canvas.INK, 0.0)):
            axes.plot(
                interval, [at, at], color=colour, linewidth=1.5 + wider, zorder=3,
                solid_capstyle="butt", gid=f"interval-points-{at}",
            )  # fmt: skip
            axes.plot(
                [value, value], [at - 0.33, at + 0.33], color=colour, linewidth=1.3 + wider,
                zorder=3, solid_capstyle="butt", gid=f"score-{at}",
            )  # fmt: skip
    decimals = parts.decimals_of(totals)
    marks.beside(axes, [parts.number(total[0], decimals) for total in totals])


def _numbers(chart: Any, axes: Axes, start: Floats, sizes: Floats, totals: Sequence[Ends]) -> None:
    """Write in each part its size, where there is room beside the mark of the score."""
    parts = figures.parts

    looks, (first, last) = _looks(), axes.get_xlim()
    written = []
    for at, part in np.argwhere(sizes).tolist():
        look, size = looks[part], float(sizes[at, part])
        left, right = sorted((start[at, part], start[at, part] + size))
        left, right = _free(left, right, [end for end in totals[at] if end is not None])
        behind = {"facecolor": look.colour, "edgecolor": "none", "pad": 0.8}
        text = axes.text(
            (left + right) / 2, at, parts.number(size, 1), fontsize=8.5, color=look.number,
            ha="center", va="center_baseline", bbox=behind if look.hatch else None,
            gid=f"size-{at}",
        )  # fmt: skip
        written.append((text, (right - left) / (last - first)))

    figures.where_room(chart, axes, written, 5)


def _free(left: float, right: float, mark: Sequence[float]) -> tuple[float, float]:
    """Return the longer stretch of a part that lies before or after a mark; mark: its places."""
    before = left, max(left, min(right, *mark))
    after = min(right, max(left, *mark)), right
    return max(before, after, key=lambda stretch: stretch[1] - stretch[0])


def _key(chart: Any, there: Sequence[bool]) -> None:
    """Say above the bars what each colour means; there: whether any bar has the part."""
    from matplotlib.patches import Patch

    canvas = figures.canvas

    shown = [
        (Patch(facecolor=look.colour, edgecolor=canvas.PAPER, hatch=look.hatch, linewidth=0), word)
        for look, word, has in zip(_looks(), SOURCES.values(), there, strict=True)
        if has
    ]
    if shown:
        chart.legend(
            *zip(*shown, strict=True), loc="outside upper left", ncols=3, handlelength=1.4,
            handleheight=1.0, columnspacing=1.3, handletextpad=0.5, borderpad=0.2,
        )  # fmt: skip


def _source_notes(frame: pl.DataFrame) -> list[str]:
    """Say below the bars what is drawn."""
    wide = figures.widest(frame, "low", "high")
    return [
        "At the right: the mean score, what is won less what is lost; on the bar an upright line, "
        "with the 95 % interval across",
        f"All intervals, also of the parts, reach {_counted(wide, 'point')} to either side, or less"
        * bool(wide),
        "Their unit is the deal",
    ]


def _counted(number: str, what: str) -> str:
    return f"{number} {what}{'s' * (number != '1')}"


def _alt(names: Sequence[Any], ends: dict[tuple[Any, str], Ends]) -> str:
    """Return the bars in words."""
    parts = figures.parts

    told = []
    for name in names:
        of = [
            f"{word} {parts.number(ends[name, source][0], 1)}"
            for source, word in SOURCES.items()
            if ends[name, source][0]
        ]
        more = f" ({', '.join(of)})" * bool(of)
        told.append(f"{parts.name(name)} {figures.with_interval(*ends[name, 'all'])}{more}")
    return "; ".join(told)


# -- how the castle fills


def castle_race_data(run: Any) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Return the parts of the castle built up to each round, and when those of each section were.

    run: one with events. First frame, one row for each strategy and round, from 0: parts (mean
    number that a seat has built so far, in all games: those that are over keep theirs), low, high
    (95 %, the unit is the deal), games (seats held). It ends with the round by which 99 % of the
    games are over. Second frame, one row for each section with parts: section, parts (of all seats
    and games), and the rounds by which a quarter, half and three quarters of them were built (q25,
    q50, q75). Third frame, one row: games, and the rounds by which a quarter, half, three quarters
    and all of them were over (q25, q50, q75, longest). Streamed, file by file.
    """
    import polars as pl

    built, by_section = _parts(run)
    lengths, last = figures.ended(run, "rounds")
    quarters = {"q25": 0.25, "q50": 0.5, "q75": 0.75}
    sections = [
        {"section": section, "parts": int(many.sum())}
        | {q: figures.reached(many, share) for q, share in quarters.items()}
        for section, many in zip(SECTIONS, by_section, strict=True)
        if many.any()
    ]
    schema = {"section": pl.String, **dict.fromkeys(("parts", *quarters), pl.Int64)}
    return figures.so_far(run, built, last, RACE), pl.DataFrame(sections, schema), lengths


def _parts(run: Any) -> tuple[Floats, Floats]:
    """Return how many parts were built in each round, counted in one pass.

    By strategy: float64 [strategies, buckets of deals, rounds]; by section: [sections, rounds].
    """
    import polars as pl

    built: list[Floats] = []
    by_section: list[Floats] = []
    parts = pl.col("event") == "part"
    for held in figures.seated_events(run, ["event", "round", "what"], parts):
        built.append(figures.cells(held, "round"))
        what, turn = held["what"].cast(pl.String).to_numpy(), held["round"].to_numpy()
        width = built[-1].shape[2]
        by_section.append(
            np.array([np.bincount(turn[what == one], minlength=width) for one in SECTIONS], "f8")
        )
    return figures.added(built), figures.added(by_section)


@report_figure(  # type: ignore[untyped-decorator]
    "How the castle fills", data=castle_race_data, events=True
)
def castle_race(frame: pl.DataFrame, sections: pl.DataFrame, lengths: pl.DataFrame) -> Figure:
    """Each line is the mean number of parts that a strategy has built in the castle up to a round.
    All games count at every round: one that is over keeps its parts. The bars above say when the
    castle grew: the rounds in which the middle half of a section's parts were built, by all
    players together, and a notch where half of them stood.

    frame, sections, lengths: as `castle_race_data` gives them. At most 8 strategies, those with
    most parts at the end.
    """  # noqa: D205
    canvas, parts = figures.canvas, figures.parts

    strip = STRIP * max(1, sections.height)
    with canvas.style():
        chart = parts.Chart(BODY + strip)
        ratios = {"height_ratios": [strip, BODY - 0.8], "hspace": 0.03}
        above, axes = chart.subplots(2, sharex=True, gridspec_kw=ratios)
        _strips(above, sections)
        ends = figures.growth(chart, (above, axes), frame, lengths, RACE, BODY - 0.95)
        axes.tick_params(axis="y", labelsize=8.5)
        axes.set_xlabel("rounds", loc="right")
        axes.set_ylabel("mean parts built")
        counted = figures.counted(frame, "games", "seats held", figures.MOST_LINES)
        chart.tell([*_race_notes(frame, lengths, int(ends["round"][0])), *counted])
    chart.set_label(_race_alt(ends, sections, lengths["q50"][0]))
    return chart  # type: ignore[no-any-return]


def _strips(axes: Axes, sections: pl.DataFrame) -> None:
    """Draw in which rounds the parts of each section were built: the middle half, and a notch."""
    canvas = figures.canvas

    for at, row in enumerate(sections.iter_rows(named=True)):
        left, right = row["q25"] - 0.5, row["q75"] + 0.5
        axes.barh(at, right - left, 0.56, left, color=canvas.BAND, gid=f"section-{row['section']}")
        axes.plot(
            [row["q50"]] * 2, [at - 0.28, at + 0.28], color=canvas.INK, linewidth=1.8, zorder=3,
            solid_capstyle="butt", gid=f"half-{row['section']}",
        )  # fmt: skip
    axes.set_yticks(range(sections.height), sections["section"].to_list())
    axes.set_ylim(max(sections.height, 1) - 0.45, -0.55)
    axes.tick_params(length=0, pad=5, labelsize=8.5, labelcolor=canvas.MUTED, labelbottom=False)
    axes.spines.bottom.set_visible(False)


def _race_notes(frame: pl.DataFrame, lengths: pl.DataFrame, last: int) -> list[str]:
    """Say below the lines what is drawn."""
    wide = figures.widest(frame, "low", "high")
    return [
        "Bars above: the rounds of the middle half of a section's parts, the notch where half of "
        "them stood; grey: where the middle half of the games ended",
        f"Bands: 95 % intervals (unit: the deal), at most {_counted(wide, 'part')} to either side"
        * bool(wide),
        figures.over_words(lengths, "round", last),
    ]


def _race_alt(ends: pl.DataFrame, sections: pl.DataFrame, half: int) -> str:
    """Return lines and bars in words; half: the round by which half of the games were over."""
    when = [
        f"the {row['section']} by round {row['q50']}, the middle half from {row['q25']} to "
        f"{row['q75']}"
        for row in sections.iter_rows(named=True)
    ]
    grew = f" Half of the parts of each section stood: {'; '.join(when)}." if when else ""
    return (
        f"Mean parts of the castle built up to each round; up to round {ends['round'][0]}: "
        f"{figures.line_words(ends, 'parts')}.{grew} Half of the games were over by round {half:g}."
    )
