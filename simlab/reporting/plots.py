"""Figures by name: the standard ones, and those that a game's folder adds in `figures.py`.

    from simlab import report_figure

    def gems_data(run):
        return run.scan().group_by("strategy").agg(...).collect()

    @report_figure("Where the gems come from", data=gems_data)
    def gems(frame):
        \"\"\"Mean gems of a game by where they were won.\"\"\"
        ...
        return figure

The function's name is the figure's (`gem_sources` is `gem-sources`); its docstring the caption.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from simlab.core.loading import load_file, own_frames
from simlab.core.registry import find_game
from simlab.errors import UserError, one_of, shown, told

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MARK = "__simlab_report_figures__"
FILE = "figures.py"
F = TypeVar("F", bound=Callable[..., Any])


def always(run: Any) -> str | None:
    """Return no reason against a figure: every run has it."""
    return None


@dataclass(frozen=True)
class Plot:
    """A figure of runs: what it is drawn from, and how.

    data: run -> a tidy frame, or a tuple of frames; draw: those frames -> a matplotlib Figure;
    events: whether `data` reads the events of a run; unfit: run -> why it has no such figure, None
    where it has; own: whether a game's folder declares it.
    """

    name: str
    title: str
    data: Callable[[Any], Any]
    draw: Callable[..., Figure]
    events: bool = False
    unfit: Callable[[Any], str | None] = always
    own: bool = False

    @property
    def caption(self) -> str:
        """What the figure shows, in words: the first paragraph of the docstring of `draw`."""
        return (inspect.getdoc(self.draw) or "").partition("\n\n")[0]


def report_figure(
    title: str, *, data: Callable[[Any], Any], events: bool = False, name: str | None = None
) -> Callable[[F], F]:
    """Declare a function of a game's `figures.py`, (frame) -> Figure, as a figure of its runs.

    title: the heading above it on pages; data: a function (run) -> tidy polars DataFrame that it
    is drawn from, or a tuple of frames, given one by one; events: whether data reads `run.events()`
    (a run without events then has a stated sample of its games played again); name: defaults to the
    function's. UserError where one of these cannot be.
    """
    if not isinstance(title, str) or not title.strip():
        raise UserError(
            '@report_figure takes a heading and data: @report_figure("Where points come from", '
            "data=points_data)."
        )
    if not callable(data):
        raise UserError(
            f'@report_figure("{shown(title)}"): data is a function (run) -> polars DataFrame, '
            f"not {shown(repr(data))}."
        )

    def declare(function: F) -> F:
        label = (name or function.__name__).replace("_", "-")
        plots: dict[str, Plot] = function.__globals__.setdefault(MARK, {})
        if label in plots and function.__module__ != "__main__":
            code = function.__code__
            raise UserError(
                f"{code.co_filename}:{code.co_firstlineno}: figure '{label}' is declared twice; "
                "give one of them another name."
            )
        plots[label] = Plot(label, title, data, function, events, own=True)
        return function

    return declare


def own_plots(game: str) -> dict[str, Plot]:
    """Return the figures that a game's folder declares in `figures.py`, by name.

    UserError with file and line where that file fails, or takes the name of a standard figure.
    """
    from simlab.reporting.figures import FIGURES

    path = find_game(game).folder / FILE
    if not path.is_file():
        return {}
    found: dict[str, Plot] = getattr(load_file(path), MARK, {})
    taken = [name for name in found if name in FIGURES]
    if taken:
        raise UserError(f"{path}: '{taken[0]}' is a figure of every game; give yours another name.")
    return dict(found)


def plots(run: Any) -> dict[str, Plot]:
    """Return the figures that a run has, by name: standard ones first, then its game's own."""
    from simlab.reporting.figures import FIGURES

    with run.places():
        every = [*FIGURES.values(), *own_plots(run.game).values()]
        return {plot.name: plot for plot in every if plot.unfit(run) is None}


def find_plot(run: Any, name: str) -> Plot:
    """Return a figure of a run by its name; UserError for another, and for one it cannot have."""
    from simlab.reporting.figures import FIGURES

    with run.places():
        every = {**FIGURES, **own_plots(run.game)}
        if name not in every:
            raise one_of("figure", name, plots(run))
        reason = every[name].unfit(run)
    if reason is not None:
        raise UserError(f"{shown(run.folder)} has no figure '{name}': {reason}.")
    return every[name]


def drawn(run: Any, plot: Plot) -> Figure:
    """Return a figure of a run, with a note on it where a sample of its games is shown.

    UserError with file and line where a function of a game's `figures.py` fails.
    """
    from simlab.reporting import canvas
    from simlab.reporting.sampling import with_events

    with run.places():
        if plot.events and find_game(run.game).events is None:
            raise UserError(f"{run.game} records no events, so it has no figure '{plot.name}'.")
        of, note = with_events(run) if plot.events else (run, "")
        try:
            figure = _figure(of, plot)
        except (UserError, KeyboardInterrupt):
            raise
        except BaseException as error:  # whatever a person's function raises
            raise _failed(plot, error) from None
    if note:
        canvas.footnote(figure, note)
    return figure


def _figure(run: Any, plot: Plot) -> Figure:
    """Make the frames of a figure and draw them; UserError for what are none."""
    import polars as pl
    from matplotlib.figure import Figure

    frames = plot.data(run)
    frames = frames if isinstance(frames, tuple) else (frames,)
    wrong = [frame for frame in frames if not isinstance(frame, pl.DataFrame)]
    if wrong:
        raise UserError(
            f"the data of figure '{plot.name}' is a {type(wrong[0]).__name__}; it is a polars "
            "DataFrame, or a tuple of them."
        )
    figure = plot.draw(*frames)
    figure = figure if isinstance(figure, Figure) else getattr(figure, "figure", figure)
    if not isinstance(figure, Figure):
        raise UserError(
            f"figure '{plot.name}' was drawn as a {type(figure).__name__}; its function returns a "
            "matplotlib Figure."
        )
    return figure


def _failed(plot: Plot, error: BaseException) -> UserError:
    file = plot.draw.__code__.co_filename if hasattr(plot.draw, "__code__") else ""
    frames = [frame for frame in own_frames(error) if frame.filename == file]
    where = f"{frames[-1].filename}:{frames[-1].lineno}: " if frames else ""
    return UserError(f"{where}figure '{shown(plot.name)}' failed: {told(error).rstrip('.')}.")
