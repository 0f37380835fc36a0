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
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

SCORING = ("bought", "noble")
"""Events that bring points."""
WHAT = ("nobles", "level 1", "level 2", "level 3")
"""What brings points, by the level that its events bear."""
LEVELS = WHAT[1:]
NUMBER = ("number", "number_low", "number_high")
POINTS = ("points", "points_low", "points_high")
SO_FAR = ("turn", "points")
"""What the lines show: the time, and what has grown by then."""
BODY = 3.3
"""Inches of the lines' figure."""
_summed: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()


# -- what both figures read


def _scoring(run: Any, by: str) -> tuple[Floats, Floats]:
    """Return number and points of what brings points, by strategy, bucket of deals and `by`.

    by: "turn" or "level"; the events are read once for both figures of a run. float64 [strategies,
    buckets, turns or levels].
    """
    if run not in _summed:
        _summed[run] = _sums(run)
    return _summed[run][by]  # type: ignore[no-any-return]


def _sums(run: Any) -> dict[str, tuple[Floats, Floats]]:
    """Return what `_scoring` gives by turn and by level, counted in one pass."""
    import polars as pl

    sums: dict[str, list[tuple[Floats, Floats]]] = {"turn": [], "level": []}
    columns = ["event", "points", "turn", "level"]
    for held in figures.seated_events(run, columns, pl.col("event").is_in(SCORING)):
        for by, found in sums.items():
            found.append((figures.cells(held, by), figures.cells(held, by, "points")))
    return {
        by: tuple(figures.added(of) for of in zip(*found, strict=True))
        for by, found in sums.items()
    }


# -- points over turns


def points_over_turns_data(run: Any) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the mean points of each strategy after each turn, and how long the games were.

    run: one with events. First frame, one row for each strategy and turn, from 0: points (mean
    of cards and nobles so far, in all games: those that are over keep their points), low, high (95
    %, the unit is the deal), games (seats held). It ends with the turn by which 99 % of the games
    are over. Second frame, one row: games, and the turns by which a quarter, half, three quarters
    and all of them were over (q25, q50, q75, longest). Streamed, file by file.
    """
    _, points = _scoring(run, "turn")
    lengths, last = figures.ended(run, "turns")
    return figures.so_far(run, points, last, SO_FAR), lengths


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

    with canvas.style():
        chart = parts.Chart(BODY)
        axes = chart.subplots()
        ends = figures.growth(chart, (axes,), frame, lengths, SO_FAR, BODY - 0.85)
        axes.set_xlabel("turns of each player", loc="right")
        axes.set_ylabel("mean points")
        counted = figures.counted(frame, "games", "seats held", figures.MOST_LINES)
        chart.tell([*_turn_notes(frame, lengths, int(ends["turn"][0])), *counted])
    chart.set_label(_turn_alt(ends, lengths.row(0, named=True)))
    return chart  # type: ignore[no-any-return]


def _turn_notes(frame: pl.DataFrame, lengths: pl.DataFrame, last: int) -> list[str]:
    """Say below the lines what is drawn."""
    wide = figures.widest(frame, "low", "high")
    return [
        "Games that are over keep their points; grey: where the middle half of the games ended",
        f"Bands: 95 % intervals, whose unit is the deal, at most {wide} points to either side"
        * bool(wide),
        figures.over_words(lengths, "turn", last),
    ]


def _turn_alt(ends: pl.DataFrame, length: dict[str, Any]) -> str:
    """Return the lines in words."""
    return (
        f"Mean points after each turn; after turn {ends['turn'][0]}: "
        f"{figures.line_words(ends, 'points')}. Half of the games were over by turn "
        f"{length['q50']:g}, the middle half from {length['q25']:g} to {length['q75']:g}."
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

    bought = np.stack(_scoring(run, "level"))
    rows: list[dict[str, Any]] = []
    for name, place, units in figures.units(run):
        sums = np.zeros((len(WHAT), 2, figures.BUCKETS))
        mine = bought[:, place].transpose(2, 0, 1)
        sums[: len(mine)] = mine
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

    names = figures.best_first(frame.filter(frame["what"] == "all"), "points")[: figures.MOST_BARS]
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
        counted = figures.counted(frame, "games", "seats held", figures.MOST_BARS)
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
