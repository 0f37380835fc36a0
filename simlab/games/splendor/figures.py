"""Figures of Splendor: how points grow turn by turn, and what is bought with what gain."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

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

SCORING = ("bought", "noble")
"""Events that bring points."""
WHAT = ("nobles", "level 1", "level 2", "level 3")
"""What brings points, by the level that its events bear."""
LEVELS = WHAT[1:]
NUMBER = ("number", "number_low", "number_high")
POINTS = ("points", "points_low", "points_high")
SO_FAR = ("points", "low", "high")
OVER = 0.99
"""The axis of turns ends where so many games are over."""
MOST, MOST_STACKS = 8, 40
"""Strategies that a figure of lines shows, and one of bars."""
LABELS = (26, 15)
"""Letters of a name at the end of a line, for wide and narrow figures."""
BODY, LABEL_LINE = 3.3, 0.17
"""Inches of the lines' figure, and of a name at the end of one."""
_summed: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()


# -- what both figures read


def _scoring(run: Any, by: str) -> pl.DataFrame:
    """Return number and points of what brings points: strategy, bucket of deals, `by`, sums.

    by: "turn" or "level"; the events are read once for both figures of a run.
    """
    if run not in _summed:
        _summed[run] = _sums(run)
    return _summed[run][by]  # type: ignore[no-any-return]


def _sums(run: Any) -> dict[str, pl.DataFrame]:
    """Return the sums of `_scoring` by turn and by level, counted by place in one pass."""
    import polars as pl

    names: list[str] = []
    sums: dict[str, list[Any]] = {"turn": [], "level": []}
    for rows, events in zip(
        run.pieces(["game", "seat", "strategy"]),
        run.pieces(["game", "deal", "seat", "event", "points", "turn", "level"], "events"),
        strict=True,
    ):
        names = rows["strategy"].dtype.categories.to_list()
        held = figures.seated(rows, events.filter(pl.col("event").is_in(SCORING)))
        bucket = held["deal"].to_numpy().astype("i8") % figures.BUCKETS
        cell = held["strategy"].to_physical().to_numpy().astype("i8") * figures.BUCKETS + bucket
        points = held["points"].to_numpy().astype("f8")
        for by, parts in sums.items():
            values = held[by].to_numpy().astype("i8")
            width = int(values.max(initial=0)) + 1
            key = cell * width + values
            shape = (len(names), figures.BUCKETS, width)
            size = len(names) * figures.BUCKETS * width
            parts.append([np.bincount(key, of, size).reshape(shape) for of in (None, points)])
    return {by: _cells(names, by, parts) for by, parts in sums.items()}


def _cells(names: list[str], by: str, parts: list[Any]) -> pl.DataFrame:
    """Return the cells that hold anything: strategy, bucket, `by`, number, points."""
    import polars as pl

    width = max(number.shape[2] for number, _ in parts)
    total = np.zeros((2, len(names), figures.BUCKETS, width))
    for part in parts:
        for into, found in zip(total, part, strict=True):
            into[:, :, : found.shape[2]] += found
    number, points = total
    strategy, bucket, value = np.nonzero(number)
    at = (strategy, bucket, value)
    return pl.DataFrame(
        {
            "strategy": pl.Series(names, dtype=pl.String).gather(strategy),
            "bucket": bucket,
            by: value,
            "number": number[at].astype("i8"),
            "points": points[at].astype("i8"),
        }
    )


def _seats(run: Any) -> pl.DataFrame:
    """Return the seats that each strategy held: strategy, bucket of deals, games."""
    import polars as pl

    bucket = (pl.col("deal") % figures.BUCKETS).cast(pl.Int64).alias("bucket")
    seats = run.scan().group_by("strategy", bucket).agg(games=pl.len().cast(pl.Int64))
    found: pl.DataFrame = seats.collect(engine="streaming")
    return found.sort("strategy", "bucket")


# -- points over turns


def points_over_turns_data(run: Any) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the mean points of each strategy after each turn, and how long the games were.

    run: one with events. First frame, one row for each strategy and turn, from 0: points (mean
    of cards and nobles so far, in all games: those that are over keep their points), low, high (95
    %, the unit is the deal), games (seats held). It ends with the turn by which 99 % of the games
    are over. Second frame, one row: games, and the turns by which a quarter, half, three quarters
    and all of them were over (q25, q50, q75, longest). Streamed, file by file.
    """
    import polars as pl

    gains = _scoring(run, "turn")
    lengths = _lengths(run)
    over = lengths.with_columns(share=pl.col("games").cum_sum() / pl.col("games").sum())
    by = {
        share: over.filter(pl.col("share") >= share)["turns"].to_list()[0]
        for share in (0.25, 0.5, 0.75, OVER, 1)
    }
    rows: list[dict[str, Any]] = []
    for (name,), held in _seats(run).group_by("strategy", maintain_order=True):
        units = figures.Units(held["bucket"], held["games"])
        mine = gains.filter(pl.col("strategy") == name)
        so_far = np.zeros(figures.BUCKETS)
        for turn in range(by[OVER] + 1):
            now = mine.filter(pl.col("turn") == turn)
            so_far += units.sums(now["bucket"], now["points"])
            mean, low, high = units.mean(so_far)
            row = {"strategy": name, "turn": turn, "points": mean, "low": low, "high": high}
            rows.append(row | {"games": units.appearances})
    told = {"games": lengths["games"].sum(), "q25": by[0.25], "q50": by[0.5], "q75": by[0.75]}
    told["longest"] = by[1]
    return pl.DataFrame(rows, infer_schema_length=None), pl.DataFrame([told])


def _lengths(run: Any) -> pl.DataFrame:
    """Return how many games had how many turns: those of seat 0, which begins every round."""
    import polars as pl

    first = run.scan().filter(pl.col("seat") == 0).group_by("turns")
    found: pl.DataFrame = first.agg(games=pl.len().cast(pl.Int64)).collect(engine="streaming")
    return found.sort("turns")


@report_figure(  # type: ignore[untyped-decorator]
    "How the points grow", data=points_over_turns_data, events=True
)
def points_over_turns(frame: pl.DataFrame, lengths: pl.DataFrame) -> Figure:
    """Each line is the mean of a strategy's points after so many turns, from cards and nobles. All
    games count at every turn: one that is over keeps its final score. The upright line marks the
    turn by which half of the games were over; in the grey stretch the middle half of them ended.

    frame, lengths: as `points_over_turns_data` gives them. At most 8 strategies, those with most
    points at the end.
    """  # noqa: D205
    canvas, parts = figures.canvas, figures.parts

    last = int(frame["turn"].max())  # type: ignore[arg-type]
    ends = frame.filter(frame["turn"] == last).sort("points", descending=True, maintain_order=True)
    names = ends["strategy"].to_list()[:MOST]
    length = lengths.row(0, named=True)
    with canvas.style():
        chart = parts.Chart(BODY)
        axes = chart.subplots()
        for at, name in enumerate(names):
            _line(axes, frame.filter(frame["strategy"] == name), at)
        _middle(axes, length, last)
        axes.set_xlim(0, last)
        tops = [*frame["high"].drop_nulls().to_list(), *frame["points"].to_list()]
        axes.set_ylim(0, 1.04 * max(1, *tops))
        axes.grid(axis="y")
        axes.tick_params(length=0, pad=5)
        axes.tick_params(axis="y", labelcolor=canvas.MUTED)
        axes.locator_params(axis="x", integer=True)
        axes.set_xlabel("turns of each player", loc="right")
        axes.set_ylabel("mean points")
        _names(chart, axes, names, [row["points"] for row in ends.iter_rows(named=True)])
        counted = figures.counted(frame, "games", "seats held", MOST)
        chart.tell([*_turn_notes(frame, length, last), *counted])
    chart.set_label(_turn_alt(ends, length, last, names))
    return chart  # type: ignore[no-any-return]


def _looks(at: int) -> dict[str, Any]:
    """Return colour and dashes of a line, told apart in grey too."""
    canvas = figures.canvas

    colours = (canvas.ACCENT, canvas.MARK, canvas.INK, canvas.MUTED)
    dashes: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1.5, 1.3)), (0, (7, 2, 1.5, 2)))
    return {"color": colours[at % 4], "linestyle": dashes[(at + at // 4) % 4]}


def _line(axes: Axes, rows: pl.DataFrame, at: int) -> None:
    """Draw the means of a strategy, and their intervals as a band."""
    looks = _looks(at)
    axes.plot(rows["turn"], rows["points"], linewidth=1.9, zorder=3, gid=f"line-{at}", **looks)
    there = rows.drop_nulls("low")
    axes.fill_between(
        there["turn"], there["low"], there["high"], color=looks["color"], alpha=0.25, linewidth=0,
        zorder=2, gid=f"band-{at}",
    )  # fmt: skip


def _middle(axes: Axes, length: dict[str, Any], last: int) -> None:
    """Mark the turn by which half of the games were over, and where the middle half ended."""
    canvas = figures.canvas

    axes.axvspan(
        length["q25"] - 0.5, min(length["q75"] + 0.5, last), color=canvas.RULE, alpha=0.55,
        linewidth=0, zorder=0.5, gid="middle-half",
    )  # fmt: skip
    axes.axvline(length["q50"], color=canvas.MUTED, linewidth=1, zorder=1, gid="half")
    at = length["q50"]
    side, shift = ("right", 4) if at > last / 2 else ("left", -4)
    axes.annotate(
        f"half of the games over: turn {at:g}", (at, 1), (shift, 3), ("data", "axes fraction"),
        "offset points", ha=side, va="bottom", fontsize=8.5, color=canvas.MUTED,
    )  # fmt: skip


def _names(chart: Any, axes: Axes, names: Sequence[Any], ends: Sequence[float]) -> None:
    """Write the points and the name of each strategy at the end of its line, none over another."""
    canvas, marks, parts = figures.canvas, figures.marks, figures.parts

    labels = [marks.label(name, "strategy") for name in names]
    cut = [parts.short_all(labels, most) for most in LABELS]
    top = axes.get_ylim()[1]
    heights = _apart(list(ends[: len(names)]), LABEL_LINE * top / (BODY - 0.85), top)
    written = [
        axes.annotate(
            "", (1, end), (1.035, height), ("axes fraction", "data"), ("axes fraction", "data"),
            va="center", fontsize=8.5, color=_looks(at)["color"], parse_math=False, gid=f"end-{at}",
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


def _turn_notes(frame: pl.DataFrame, length: dict[str, Any], last: int) -> list[str]:
    """Say below the lines what is drawn."""
    wide = figures.widest(frame, "low", "high")
    later = f"; the longest took {length['longest']:,}" if length["longest"] > last else ""
    return [
        "Games that are over keep their points; grey: where the middle half of the games ended",
        f"Bands: 95 % intervals, whose unit is the deal, at most {wide} points to either side"
        * bool(wide),
        f"By turn {last}, {100 * OVER:g} % of the {length['games']:,} games were over{later}",
    ]


def _turn_alt(ends: pl.DataFrame, length: dict[str, Any], last: int, names: Sequence[Any]) -> str:
    """Return the lines in words."""
    parts = figures.parts

    told = []
    for row in ends.iter_rows(named=True):
        if row["strategy"] in names:
            shown = parts.ends(row, SO_FAR)
            told.append(f"{parts.name(row['strategy'])} {figures.with_interval(*shown)}")
    return (
        f"Mean points after each turn; after turn {last}: {', '.join(told)}. Half of the games "
        f"were over by turn {length['q50']:g}, the middle half from {length['q25']:g} to "
        f"{length['q75']:g}."
    )


# -- what they buy


def what_they_buy_data(run: Any) -> pl.DataFrame:
    """Return how many cards of each level and nobles a strategy gets in a game, and their points.

    run: one with events. One row for each strategy and what (level 1, level 2, level 3, nobles, and
    all: the number of cards alone, and the score): number and points (means a game and seat) with
    number_low, number_high, points_low, points_high (95 %, the unit is the deal), games (seats
    held). Streamed, file by file.
    """
    import polars as pl

    bought = _scoring(run, "level")
    rows: list[dict[str, Any]] = []
    for (name,), held in _seats(run).group_by("strategy", maintain_order=True):
        units = figures.Units(held["bucket"], held["games"])
        mine = bought.filter(pl.col("strategy") == name)
        sums = np.zeros((len(WHAT), 2, figures.BUCKETS))
        for level in range(len(WHAT)):
            one = mine.filter(pl.col("level") == level)
            sums[level] = [units.sums(one["bucket"], one[of]) for of in ("number", "points")]
        every = np.stack([sums[1:, 0].sum(axis=0), sums[:, 1].sum(axis=0)])
        for what, (number, points) in zip((*WHAT, "all"), [*sums, every], strict=True):
            row = {"strategy": name, "what": what}
            row |= dict(zip(NUMBER, units.mean(number), strict=True))
            row |= dict(zip(POINTS, units.mean(points), strict=True))
            rows.append(row | {"games": units.appearances})
    return pl.DataFrame(rows, infer_schema_length=None)


@report_figure(  # type: ignore[untyped-decorator]
    "What they buy, and what it brings", data=what_they_buy_data, events=True
)
def what_they_buy(frame: pl.DataFrame) -> Figure:
    """Above, the cards that a strategy buys in a game on average; below, the points that these and
    the nobles bring. Cards of level 1 are cheap and bring few points, but their bonuses pay for
    later ones; nobles come to who has bought the colours that they ask for.

    frame: as `what_they_buy_data` gives it. The most points first; at most 40 strategies.
    """  # noqa: D205
    canvas, marks, parts = figures.canvas, figures.marks, figures.parts

    names = figures.best_first(frame.filter(frame["what"] == "all"), "points")[:MOST_STACKS]
    held = {(row["strategy"], row["what"]): row for row in frame.iter_rows(named=True)}
    looks = (
        figures.Look(canvas.BAND, "level 1", canvas.INK),
        figures.Look(canvas.ACCENT, "level 2", canvas.PAPER),
        figures.Look(canvas.INK, "level 3", canvas.PAPER),
        figures.Look(canvas.MARK, "nobles", canvas.PAPER),
    )
    with canvas.style():
        chart = parts.Chart(1.35 + 2 * (0.3 + marks.ROW * len(names)))
        panels = chart.subplots(2)
        for axes, of, what, title in (
            (panels[0], NUMBER, LEVELS, "mean number of cards bought in a game"),
            (panels[1], POINTS, (*LEVELS, "nobles"), "mean points of a game"),
        ):
            parts.lines(chart, axes, names)
            rows = [[held[name, one][of[0]] for one in what] for name in names]
            totals = [parts.ends(held[name, "all"], of) for name in names]
            figures.stacks(chart, axes, rows, totals, looks, of[0])
            axes.set_xlabel(title, loc="right")
        figures.key(chart, looks)
        counted = figures.counted(frame, "games", "seats held", MOST_STACKS)
        chart.tell([*_buy_notes(frame), *counted])
    chart.set_label(f"What they buy in a game on average: {_buy_alt(names, held)}.")
    return chart  # type: ignore[no-any-return]


def _buy_notes(frame: pl.DataFrame) -> list[str]:
    """Say below the bars what is drawn."""
    cards, points = (figures.widest(frame, *of[1:]) for of in (NUMBER, POINTS))
    wide = f"{cards} cards and {points} points"
    return [
        "At the right: the means of all, with the 95 % interval as a line at the end of the bar",
        f"All intervals, also of the parts, reach {wide} to either side, or less"
        * bool(cards and points),
        "Their unit is the deal",
    ]


def _buy_alt(names: Sequence[Any], held: dict[tuple[Any, str], dict[str, Any]]) -> str:
    """Return the bars in words."""
    parts = figures.parts

    told = []
    for name in names:
        of = [
            f"{held[name, what]['number']:.1f} {'' if what == 'nobles' else 'of '}{what} for "
            f"{held[name, what]['points']:.1f} points"
            for what in (*LEVELS, "nobles")
        ]
        cards, points = (
            figures.with_interval(*parts.ends(held[name, "all"], of)) for of in (NUMBER, POINTS)
        )
        told.append(f"{parts.name(name)} {cards} cards and {points} points ({', '.join(of)})")
    return "; ".join(told)
