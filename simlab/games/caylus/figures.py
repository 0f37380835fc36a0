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

ESTIMATE = ("estimate", "low", "high")
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
OVER = 0.99
"""The axis of rounds ends where so many games are over."""
MOST, MOST_STACKS = 8, 40
"""Strategies that a figure of lines shows, and one of bars."""
LABELS = (26, 15)
"""Letters of a name at the end of a line, for wide and narrow figures."""
NAMES = (36, 18)
"""Letters of a name before a bar, for wide and narrow figures."""
DIGIT = 5.2
"""Points of width of a digit in a bar."""
BODY, STRIP, LABEL_LINE = 3.4, 0.2, 0.17
"""Inches of the lines, of the strip of a section, and of a name at the end of a line."""


# -- where the points come from


def where_points_come_from_data(run: Any) -> pl.DataFrame:
    """Return the mean points of a game by where they come from, for each strategy.

    One row for each strategy and source (the nine columns of points, of which `penalty_points` is
    0 or less, and all: the score): estimate, low, high (points a game and seat; 95 % interval, the
    unit is the deal), games (seats held). One streamed pass.
    """
    import polars as pl

    cells = (
        run.scan()
        .group_by("strategy", (pl.col("deal") % figures.BUCKETS).cast(pl.Int64).alias("bucket"))
        .agg(pl.col("score", *SOURCES).cast(pl.Int64).sum(), games=pl.len().cast(pl.Int64))
        .rename({"score": "all"})
        .collect(engine="streaming")
        .sort("strategy", "bucket")
    )
    rows: list[dict[str, Any]] = []
    for (name,), held in cells.group_by("strategy", maintain_order=True):
        units = figures.Units(held["bucket"], held["games"])
        for source in (*SOURCES, "all"):
            ends = units.mean(units.sums(held["bucket"], held[source]))
            row = {"strategy": name, "source": source} | dict(zip(ESTIMATE, ends, strict=True))
            rows.append(row | {"games": units.appearances})
    return pl.DataFrame(rows, infer_schema_length=None)


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

    names = figures.best_first(frame.filter(frame["source"] == "all"), "estimate")[:MOST_STACKS]
    ends = {
        (row["strategy"], row["source"]): parts.ends(row, ESTIMATE)
        for row in frame.iter_rows(named=True)
    }
    with canvas.style():
        chart = parts.Chart(1.45 + marks.ROW * len(names))
        axes = chart.subplots()
        parts.lines(chart, axes, names, most=NAMES)
        sizes = np.array([[ends[name, source][0] for source in SOURCES] for name in names])
        _stacks(chart, axes, sizes.astype(np.float64), [ends[name, "all"] for name in names])
        axes.set_xlabel("mean points of a game", loc="right")
        _key(chart, [bool(sizes[:, part].any()) for part in range(len(SOURCES))])
        counted = figures.counted(frame, "games", "seats held", MOST_STACKS)
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

    def show(narrow: bool) -> None:
        names = max(len(label.get_text()) for label in axes.get_yticklabels())
        width = 72 * chart.get_figwidth() - 5.8 * names - 60
        for text, share in written:
            text.set_visible(share * width >= DIGIT * len(text.get_text()) + 5)

    chart.fit(show)


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

    names, built, by_section = _parts(run)
    lengths = _lengths(run)
    over = {share: _by(lengths, share) for share in (0.25, 0.5, 0.75, OVER, 1.0)}
    rows: list[dict[str, Any]] = []
    for (name,), held in _seats(run).group_by("strategy", maintain_order=True):
        units = figures.Units(held["bucket"], held["games"])
        so_far = built[names.index(name)].cumsum(axis=1)
        for turn in range(over[OVER] + 1):
            ends = units.mean(so_far[:, min(turn, so_far.shape[1] - 1)])
            row = {"strategy": name, "round": turn} | dict(
                zip(("parts", "low", "high"), ends, strict=True)
            )
            rows.append(row | {"games": units.appearances})
    quarters = {"q25": 0.25, "q50": 0.5, "q75": 0.75}
    sections = [
        {"section": section, "parts": int(many.sum())}
        | {q: _by(many, share) for q, share in quarters.items()}
        for section, many in zip(SECTIONS, by_section, strict=True)
        if many.any()
    ]
    schema = {"section": pl.String, **dict.fromkeys(("parts", *quarters), pl.Int64)}
    told = {q: over[share] for q, share in quarters.items()} | {"longest": over[1.0]}
    return (
        pl.DataFrame(rows, infer_schema_length=None),
        pl.DataFrame(sections, schema),
        pl.DataFrame([{"games": int(lengths.sum())} | told]),
    )


def _parts(run: Any) -> tuple[list[str], Floats, Floats]:
    """Return the strategies and how many parts were built in each round, counted in one pass.

    By strategy: float64 [strategies, buckets of deals, rounds]; by section: [sections, rounds].
    """
    import polars as pl

    names: list[str] = []
    found: list[tuple[Floats, Floats]] = []
    for rows, events in zip(
        run.pieces(["game", "seat", "strategy"]),
        run.pieces(["game", "deal", "seat", "event", "round", "what"], "events"),
        strict=True,
    ):
        names = rows["strategy"].dtype.categories.to_list()
        held = figures.seated(rows, events.filter(pl.col("event") == "part"))
        turn = held["round"].to_numpy().astype("i8")
        strategy = held["strategy"].to_physical().to_numpy().astype("i8")
        cell = strategy * figures.BUCKETS + held["deal"].to_numpy().astype("i8") % figures.BUCKETS
        width = int(turn.max(initial=0)) + 1
        shape = (len(names), figures.BUCKETS, width)
        built = np.bincount(cell * width + turn, minlength=int(np.prod(shape))).reshape(shape)
        what = held["what"].cast(pl.String).to_numpy()
        sections = [np.bincount(turn[what == one], minlength=width) for one in SECTIONS]
        found.append((built, np.array(sections)))
    width = max(built.shape[2] for built, _ in found)
    by_strategy = np.zeros((len(names), figures.BUCKETS, width))
    by_section = np.zeros((len(SECTIONS), width))
    for built, sections_of in found:
        by_strategy[:, :, : built.shape[2]] += built
        by_section[:, : built.shape[2]] += sections_of
    return names, by_strategy, by_section


def _seats(run: Any) -> pl.DataFrame:
    """Return the seats that each strategy held: strategy, bucket of deals, games."""
    import polars as pl

    bucket = (pl.col("deal") % figures.BUCKETS).cast(pl.Int64).alias("bucket")
    seats = run.scan().group_by("strategy", bucket).agg(games=pl.len().cast(pl.Int64))
    found: pl.DataFrame = seats.collect(engine="streaming")
    return found.sort("strategy", "bucket")


def _lengths(run: Any) -> Floats:
    """Return how many games had how many rounds, by rounds from 0 on."""
    import polars as pl

    first = run.scan().filter(pl.col("seat") == 0).group_by("rounds").agg(games=pl.len())
    found = first.collect(engine="streaming")
    many = np.bincount(found["rounds"].to_numpy(), found["games"].to_numpy())
    return many.astype(np.float64)


def _by(many: Floats, share: float) -> int:
    """Return the round by which such a share has happened; many: how often in each round."""
    return int(np.searchsorted(many.cumsum(), share * many.sum()))


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

    last = int(frame["round"].max())  # type: ignore[arg-type]
    ends = frame.filter(frame["round"] == last).sort("parts", descending=True, maintain_order=True)
    names = ends["strategy"].to_list()[:MOST]
    strip = STRIP * max(1, sections.height)
    with canvas.style():
        chart = parts.Chart(BODY + strip)
        ratios = {"height_ratios": [strip, BODY - 0.8], "hspace": 0.03}
        above, axes = chart.subplots(2, sharex=True, gridspec_kw=ratios)
        _strips(above, sections)
        for at, name in enumerate(names):
            _line(axes, frame.filter(frame["strategy"] == name), at)
        _half(above, axes, lengths.row(0, named=True), last)
        tops = [*frame["high"].drop_nulls().to_list(), *frame["parts"].to_list()]
        axes.set(xlim=(0, last), ylim=(0, 1.04 * max(1, *tops)))
        axes.grid(axis="y")
        axes.tick_params(length=0, pad=5)
        axes.tick_params(axis="y", labelcolor=canvas.MUTED, labelsize=8.5)
        axes.locator_params(axis="x", integer=True)
        axes.set_xlabel("rounds", loc="right")
        axes.set_ylabel("mean parts built")
        _names(chart, axes, names, ends["parts"].to_list())
        counted = figures.counted(frame, "games", "seats held", MOST)
        chart.tell([*_race_notes(frame, lengths.row(0, named=True), last), *counted])
    chart.set_label(_race_alt(ends, sections, lengths.row(0, named=True), names))
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


def _looks_of(at: int) -> dict[str, Any]:
    """Return colour and dashes of a line, told apart in grey too."""
    canvas = figures.canvas

    colours = (canvas.ACCENT, canvas.MARK, canvas.INK, canvas.MUTED)
    dashes: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1.5, 1.3)), (0, (7, 2, 1.5, 2)))
    return {"color": colours[at % 4], "linestyle": dashes[(at + at // 4) % 4]}


def _line(axes: Axes, rows: pl.DataFrame, at: int) -> None:
    """Draw the means of a strategy, and their intervals as a band."""
    looks = _looks_of(at)
    axes.plot(rows["round"], rows["parts"], linewidth=1.9, zorder=3, gid=f"line-{at}", **looks)
    there = rows.drop_nulls("low")
    axes.fill_between(
        there["round"], there["low"], there["high"], color=looks["color"], alpha=0.25, linewidth=0,
        zorder=2, gid=f"band-{at}",
    )  # fmt: skip


def _half(above: Axes, axes: Axes, length: dict[str, Any], last: int) -> None:
    """Mark the round by which half of the games were over, and where the middle half ended."""
    canvas = figures.canvas

    at = length["q50"]
    for each in (above, axes):
        each.axvspan(
            length["q25"] - 0.5, min(length["q75"] + 0.5, last), color=canvas.RULE, alpha=0.55,
            linewidth=0, zorder=0.5, gid="middle-half",
        )  # fmt: skip
        each.axvline(at, color=canvas.MUTED, linewidth=1, zorder=1, gid="half")
    side, shift = ("right", 4) if at > last / 2 else ("left", -4)
    above.annotate(
        f"half of the games over: round {at:g}", (at, 1), (shift, 3), ("data", "axes fraction"),
        "offset points", ha=side, va="bottom", fontsize=8.5, color=canvas.MUTED,
    )  # fmt: skip


def _names(chart: Any, axes: Axes, names: Sequence[Any], ends: Sequence[float]) -> None:
    """Write the parts and the name of each strategy at the end of its line, none over another."""
    canvas, marks, parts = figures.canvas, figures.marks, figures.parts

    labels = [marks.label(name, "strategy") for name in names]
    cut = [parts.short_all(labels, most) for most in LABELS]
    top = axes.get_ylim()[1]
    heights = _apart(list(ends[: len(names)]), LABEL_LINE * top / (BODY - 0.95), top)
    written = [
        axes.annotate(
            "", (1, end), (1.035, height), ("axes fraction", "data"), ("axes fraction", "data"),
            va="center", fontsize=8.5, color=_looks_of(at)["color"], parse_math=False,
            gid=f"end-{at}",
            arrowprops={"arrowstyle": "-", "color": canvas.MUTED, "linewidth": 0.6, "shrinkA": 1,
                        "shrinkB": 1, "relpos": (0, 0.5)},
        )
        for at, (end, height) in enumerate(zip(ends, heights, strict=False))
    ]  # fmt: skip

    def write(narrow: bool) -> None:
        for text, end, label in zip(written, ends, cut[narrow], strict=False):
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


def _race_notes(frame: pl.DataFrame, length: dict[str, Any], last: int) -> list[str]:
    """Say below the lines what is drawn."""
    wide = figures.widest(frame, "low", "high")
    later = f"; the longest took {length['longest']:,}" if length["longest"] > last else ""
    return [
        "Bars above: the rounds of the middle half of a section's parts, the notch where half of "
        "them stood; grey: where the middle half of the games ended",
        f"Bands: 95 % intervals (unit: the deal), at most {_counted(wide, 'part')} to either side"
        * bool(wide),
        f"By round {last}, {100 * OVER:g} % of the {length['games']:,} games were over{later}",
    ]


def _race_alt(
    ends: pl.DataFrame, sections: pl.DataFrame, length: dict[str, Any], names: Sequence[Any]
) -> str:
    """Return lines and bars in words."""
    parts = figures.parts

    told = []
    for row in ends.iter_rows(named=True):
        if row["strategy"] in names:
            shown = parts.ends(row, ("parts", "low", "high"))
            told.append(f"{parts.name(row['strategy'])} {figures.with_interval(*shown)}")
    when = [
        f"the {row['section']} by round {row['q50']}, the middle half from {row['q25']} to "
        f"{row['q75']}"
        for row in sections.iter_rows(named=True)
    ]
    grew = f" Half of the parts of each section stood: {'; '.join(when)}." if when else ""
    return (
        f"Mean parts of the castle built up to each round; up to round {ends['round'][0]}: "
        f"{', '.join(told)}.{grew} Half of the games were over by round {length['q50']:g}."
    )
