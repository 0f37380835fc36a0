"""Figures from tidy frames: who wins, what they score, and whether seats are fair.

Each function takes a frame and returns a matplotlib Figure; none touches pyplot or global settings.

    from simlab import figures

    figures.win_share(run.summary())
    figures.score(run.summary(), figures.spread(run.scan()))
    figures.seats(run.summary("seat"))
    figures.length(figures.length_data(run))
    figures.pair_map(answer.pairs())

`figures.names(run)` lists the named ones that a run has, `figures.figure(run, name)` draws one.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab.errors import UserError, one_of
from simlab.reporting.numbers import digits, percent, plain, with_interval
from simlab.reporting.plots import Plot, always, drawn, find_plot, plots
from simlab.reporting.sampling import with_events
from simlab.reporting.showable import Heading, Lines
from simlab.reporting.spread import spread

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

    from simlab.reporting.marks import Ends

__all__ = [
    "FIGURES",
    "Heading",
    "Lines",
    "figure",
    "groupings",
    "names",
    "own",
    "score",
    "seats",
    "spread",
    "win_share",
    "with_events",
    "with_interval",
    "write_figure",
]

MOST_GROUPS = 200
OF_GAMES = (
    "BUCKETS", "MOST_BARS", "MOST_LINES", "Look", "Units", "added", "best_first", "bucket",
    "by_source", "canvas", "cells", "counted", "ended", "growth", "key", "line_words", "marks",
    "new", "over_words", "parts", "reached", "seated", "seated_events", "so_far", "source_means",
    "stacks", "units", "where_room", "widest",
)  # fmt: skip
"""What the figures of games are drawn with (`reporting.charts.own`)."""
CHARTS = {
    **dict.fromkeys(("ahead", "ahead_data", "ahead_unfit"), "ahead"),
    **dict.fromkeys(("card_value", "card_value_data", "card_value_unfit"), "cards"),
    **dict.fromkeys(("length", "length_data", "length_unfit"), "length"),
    **dict.fromkeys(("score_by_seat", "score_by_seat_data"), "seatscores"),
    **dict.fromkeys(("score_distribution", "score_distribution_data"), "distribution"),
    "course": "course",
    **dict.fromkeys(OF_GAMES, "own"),
    "duel": "duel",
    **dict.fromkeys(("pair_map", "ranking", "ratings"), "tournament"),
    "rule_slopes": "rules",
    "sample_size_curve": "sample_size",
    **dict.fromkeys(("sweep_curve", "sweep_map"), "sweep"),
}
"""More functions of this module -> the module of `reporting.charts` they lie in."""
WIN_SHARE = ("win_share", "win_share_low", "win_share_high")
SCORE = ("score_mean", "score_low", "score_high")


def __getattr__(name: str) -> Any:
    """Import a chart when it is first asked for: `figures.length`, `figures.pair_map`, ..."""
    if name not in CHARTS:
        raise AttributeError(f"module 'simlab.figures' has no attribute '{name}'")
    return _found(name)


def _found(name: str) -> Any:
    return getattr(importlib.import_module(f"simlab.reporting.charts.{CHARTS[name]}"), name)


def win_share(
    frame: pl.DataFrame,
    by: str = "strategy",
    *,
    fair: float | None = None,
    level: float = 0.95,
    order: bool = True,
) -> Figure:
    """Return a dot plot of win shares with their intervals, and the equal share marked.

    frame: one row a group, such as `run.summary()`: columns `by`, games, win_share,
    win_share_low, win_share_high (shares in [0, 1]; null where there is none). by: the column that
    names the groups. fair: the equal share; default the mean win share over all seats held, which
    is 1 / players unless ties count in full. level: of the intervals, for the label. order: best
    first, else as in the frame.
    UserError for a frame that lacks a column or has no row.
    """
    from simlab.reporting import marks

    rows = _rows(frame, by, ("games", *WIN_SHARE), "win_share" if order else None)
    fair = _mean_share(rows) if fair is None else fair
    figure, axes = marks.sheet(rows, by)
    shown_at = [_scaled(row, "win_share", 100) for row in rows]
    marks.intervals(axes, shown_at)
    decimals = digits((low, high) for _, low, high in shown_at)
    decimals += 0 if order else 1  # unordered groups are looked at for small differences
    marks.beside(axes, [percent(row["win_share"], decimals) for row in rows])
    highest = max([at for ends in shown_at for at in ends if at is not None], default=100)
    axes.set_xlim(0, min(103, 1.06 * max(highest, 100 * (fair or 0), 1)))
    if fair is not None:
        marks.mark(axes, 100 * fair, f"{_level_word(fair)} {100 * fair:.3g} %")
    marks.say(axes, f"win share in %, with {_interval(level)}", rows, by, shown_at)
    figure.set_label(_alt(f"Win share by {by}", rows, by, "win_share", percent))
    return figure


def score(
    frame: pl.DataFrame,
    spread: pl.DataFrame | None = None,
    by: str = "strategy",
    *,
    level: float = 0.95,
    unit: str = "points",
) -> Figure:
    """Return mean scores with their intervals, over bars that show how the scores spread.

    frame: one row a group, such as `run.summary()`: columns `by`, games, score_mean, score_low,
    score_high. spread: the quantiles, as `figures.spread(run.scan())` gives them: columns `by`,
    q05, q25, q50, q75, q95; None leaves the bars out. by: the column that names the groups.
    level: of the intervals; unit: of the scores, both for the labels. Highest mean first.
    UserError for a frame that lacks a column or has no row.
    """
    from simlab.reporting import marks

    rows = _rows(frame, by, ("games", *SCORE), "score_mean")
    figure, axes = marks.sheet(rows, by)
    if spread is not None:
        held = _rows(spread, by, ("q05", "q25", "q50", "q75", "q95"), None)
        bars = {row[by]: row for row in held}
        marks.bars(axes, [bars.get(row[by]) for row in rows])
    shown_at = [_scaled(row, "score", 1) for row in rows]
    marks.intervals(axes, shown_at)
    decimals = digits((low, high) for _, low, high in shown_at)
    marks.beside(axes, [plain(row["score_mean"], decimals) for row in rows])
    marks.key(axes, spread is not None)
    axes.use_sticky_edges = False
    axes.margins(x=0.03)
    marks.say(axes, f"score in {unit}, mean with {_interval(level)}", rows, by, shown_at)
    figure.set_label(_alt(f"Score by {by}, in {unit}", rows, by, "score_mean", plain))
    return figure


def seats(frame: pl.DataFrame, by: str = "seat", *, level: float = 0.95) -> Figure:
    """Return win shares by seat, in the order of the seats, with the equal share marked.

    frame: one row a seat, such as `run.summary("seat")`, with the columns of `win_share`. The axis
    does not begin at 0: it reaches as far as the intervals, so that small advantages show.
    UserError for a frame that lacks a column or has no row.
    """
    figure = win_share(frame, by, level=level, order=False)
    rows = frame.to_dicts()
    places = [at for row in rows for at in _scaled(row, "win_share", 100) if at is not None]
    fair = _mean_share(rows)
    if places and fair is not None:
        low, high = min(*places, 100 * fair), max(*places, 100 * fair)
        room = 0.12 * (high - low) or 1.0
        figure.axes[0].set_xlim(max(0, low - room), min(101, high + room))
    return figure


def _wins_data(run: Any) -> pl.DataFrame:
    return run.summary()  # type: ignore[no-any-return]


def _score_data(run: Any) -> tuple[pl.DataFrame, pl.DataFrame]:
    return run.summary(), spread(run.scan())


def _seats_data(run: Any) -> pl.DataFrame:
    return run.summary("seat")  # type: ignore[no-any-return]


def _chart(name: str) -> Callable[..., Any]:
    """Return a function of `reporting.charts`, imported when it is first called."""

    def call(*given: Any) -> Any:
        return _found(name)(*given)

    return call


def _charted(name: str, title: str, chart: str, events: bool = False) -> Plot:
    """Return a figure whose functions `chart`, `chart`_data and perhaps `chart`_unfit lie there."""
    unfit = _chart(f"{chart}_unfit") if f"{chart}_unfit" in CHARTS else always
    return Plot(name, title, _chart(f"{chart}_data"), _chart(chart), events, unfit)


FIGURES: dict[str, Plot] = {
    plot.name: plot
    for plot in (
        Plot("win-share", "Who wins", _wins_data, win_share),
        _charted("ahead", "Who finishes ahead of whom", "ahead"),
        Plot("score", "What they score", _score_data, score),
        _charted("score-distribution", "How scores are spread", "score_distribution"),
        Plot("seats", "Whether the seats are fair", _seats_data, seats),
        _charted("score-by-seat", "Score by seat", "score_by_seat"),
        _charted("length", "How long a game takes", "length"),
        _charted("card-value", "Which cards go with winning", "card_value", events=True),
    )
}
"""The figures that runs of every game have, by name."""


def figure(run: Any, name: str) -> Figure:
    """Return a figure of a run by its name, such as "win-share" (`names(run)` lists them).

    UserError for another name, and for a figure that the run cannot have.
    """
    return drawn(run, find_plot(run, name))


def names(run: Any) -> list[str]:
    """Return the names of the figures that a run has: standard ones first, then its game's own."""
    return list(plots(run))


def groupings(run: Any) -> list[str]:
    """Return by what the events of a run's game can be grouped, such as "card"; empty for none."""
    from simlab.core.registry import find_game

    with run.places():
        events = find_game(run.game).events
    return [] if events is None else list(events.groups)


def own(run: Any) -> list[Any]:
    """Return the figures of a run that its game's folder declares, as a page shows them.

    Of each the heading, the caption and the Figure, one after another; in place of a Figure that
    cannot be drawn, such as one that needs games that cannot be played again, the reason.
    """
    found: list[Any] = []
    for plot in plots(run).values():
        if plot.own:
            found += [Heading(plot.title), *_drawn_or_not(run, plot)]
    return found


def _drawn_or_not(run: Any, plot: Plot) -> list[Any]:
    try:
        return [plot.caption, drawn(run, plot)]
    except UserError as error:
        return [f"Not shown: {error}"]


def write_figure(run: Any, name: str, out: str | Path) -> Path:
    """Write one figure of a run to a file, in one step: `report --figure NAME -o x.svg|png`.

    out: a path that ends in .svg or .png. UserError for another ending, an unknown figure or a
    place that cannot be written.
    """
    from simlab.reporting import canvas, files
    from simlab.reporting.parts import about

    path = files.place(out, (".svg", ".png"), "a figure")
    files.check_run(run)
    drawing = figure(run, name)
    canvas.footnote(drawing, about(run))  # it goes where no page tells what it is of
    return write_drawn(drawing, path)


def write_drawn(drawn: Figure, out: str | Path) -> Path:
    """Write a figure to a file that ends in .svg or .png, in one step."""
    from simlab.reporting import canvas, files

    path = files.place(out, (".svg", ".png"), "a figure")
    return files.write(
        path, canvas.png(drawn) if path.suffix.lower() == ".png" else canvas.svg(drawn)
    )


def _rows(
    frame: pl.DataFrame, by: str, columns: Sequence[str], best: str | None
) -> list[dict[str, Any]]:
    """Return the rows as dicts, the best first; UserError where the frame cannot be drawn."""
    import polars as pl

    if not isinstance(frame, pl.DataFrame):
        raise UserError(
            f"a figure is drawn from a polars DataFrame, such as run.summary(), not from a "
            f"{type(frame).__name__}."
        )
    for column in (by, *columns):
        if column not in frame.columns:
            raise one_of("column", column, frame.columns, "in the frame of the figure")
    if not 0 < frame.height <= MOST_GROUPS:
        raise UserError(
            f"the frame of a figure has {frame.height:,} rows; a figure shows 1 to {MOST_GROUPS}, "
            "one for each group, as run.summary() gives them."
        )
    rows = frame.to_dicts()
    if best is not None:
        rows.sort(key=lambda row: -math.inf if row[best] is None else row[best], reverse=True)
    return rows


def _scaled(row: dict[str, Any], what: str, scale: float) -> Ends:
    """Return estimate, low and high of a row, scaled."""
    names = SCORE if what == "score" else WIN_SHARE
    value, low, high = (None if row[name] is None else scale * row[name] for name in names)
    return value, low, high


def _mean_share(rows: list[dict[str, Any]]) -> float | None:
    """Return the mean win share over all seats held: 1 / players where wins are shared."""
    counted = [row for row in rows if row["win_share"] is not None]
    games = sum(row["games"] for row in counted)
    return sum(row["games"] * row["win_share"] for row in counted) / games if games else None


def _level_word(share: float) -> str:
    """Name the marked share: equal where it is 1 over a number of seats, else just the mean."""
    seats = 1 / share if share else 0.0
    return "equal share" if abs(seats - round(seats)) < 1e-6 else "mean"


def _alt(
    what: str, rows: list[dict[str, Any]], by: str, column: str, write: Callable[[Any], str]
) -> str:
    """Return the figure in words, for those who cannot see it."""
    from simlab.reporting import marks

    told = [f"{marks.short(marks.label(row[by], by), 60)} {write(row[column])}" for row in rows]
    more = f" and {len(told) - 12} more" if len(told) > 12 else ""
    return f"{what}: {', '.join(told[:12])}{more}."


def _interval(level: float) -> str:
    return f"{100 * level:g} % interval"
