"""Pages and figures of runs, of replayed games, and of answers to questions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab.api.folders import Run, a_path, answer, load
from simlab.core.places import Named, looking_in
from simlab.errors import UserError, shown
from simlab.running.dataset import is_run
from simlab.running.progress import Progress, in_jupyter
from simlab.study.folder import is_study, read_study

if TYPE_CHECKING:
    from simlab.reporting.answers.answer import Answer
    from simlab.running.replay import Replay

MOST_SUBJECTS = 20


def report(
    runs: Run | Answer | Replay | str | Path | Sequence[Run | Answer | Replay | str | Path],
    kind: str | None = None,
    out: str | Path | None = None,
    *,
    figure: str | None = None,
    game: int | None = None,
    strategies: Named | None = None,
    quiet: bool | None = None,
) -> Path:
    """Write one page about runs, answers or replayed games, or one figure; return its path.

    runs: one or several, shown one after another: folders of runs or questions, or a `Run`, an
    answer, or what `replay` returns; kind: of the page, or the path of a report script (default:
    overview for a run, for the rest the one of what is shown); out: the file (.html; .svg or .png
    for a figure), by default named after the first, in the working directory; figure: name of a
    single figure; game: number of a game of a run, which the page, or the figure, is about (of kind
    "game": default its first);
    strategies: folder in which reports are looked for too; quiet: say
    nothing of how far it is (default: only in Jupyter there is a bar).
    UserError for what cannot be shown, with what could be.
    """
    from simlab.reporting.page import sections_for, write_page

    single = isinstance(runs, (str, Path)) or not isinstance(runs, Sequence)
    given = [runs] if single else list(runs)  # type: ignore[arg-type]
    if not given:
        raise UserError("say which runs: simlab report RUN...")
    with looking_in(strategies):
        every = [subject for one in given for subject in _subjects(one, kind, game)]
        if len(every) > MOST_SUBJECTS:
            raise UserError(
                f"a page shows at most {MOST_SUBJECTS} runs; these are {len(every):,}: name some "
                "of them."
            )
        usual = _name(every, kind, figure)
        place = a_path(usual if out is None else out)
        if figure is not None:
            return _write_figure(every, figure, place)
        steps = sum(sections_for(one, kind) for one in every) + 1
        still = not in_jupyter() if quiet is None else quiet
        with Progress(steps, still, unit="sections") as progress:
            return write_page(every, kind, place, _Steps(progress))


class _Steps:
    """Counts a section as done when the next one begins."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.begun = False

    def __call__(self, what: str) -> None:
        if self.begun:
            self.progress.add()
        self.begun = True
        self.progress.doing(what)


def _subjects(given: Any, kind: str | None, game: int | None) -> list[Any]:
    """Return what one argument means: itself, the run or answer of a folder, or a question's runs.

    Of the folder of a question, a kind that is of runs, and not of its answer, means its runs.
    """
    if game is not None:
        return [_replay(given, game)]
    if not isinstance(given, (str, Path)):
        return [given]
    path = a_path(given)
    of = () if kind is None else _shown_in(kind)
    if is_study(path) and (not of or read_study(path).ask in of or "run" not in of):
        return [answer(path)]
    if is_study(path) and not is_run(path):
        return [Run(part.folder, part.file, part.span) for part in answer(path).parts]
    found = load(given)
    return [_replay(path, found.span.first)] if of == ("replay",) else [found]


def _shown_in(kind: str) -> tuple[str, ...]:
    """Return what a kind of page is about, such as ("run",)."""
    from simlab.reporting.sections import find_report

    return find_report(kind).subjects


def _replay(given: Any, game: int) -> Any:
    """Return one game of a run, played again."""
    from simlab.api.playing import replay

    if isinstance(given, Run):
        given = given.folder
    if not isinstance(given, (str, Path)):
        raise UserError(f"game={game} is of a run; a {type(given).__name__} has none.")
    return replay(a_path(given), game)


def _name(every: Sequence[Any], kind: str | None, figure: str | None) -> str:
    """Return what a page or figure is called that was given no name."""
    from simlab.reporting.page import subject_of
    from simlab.reporting.sections import RUN, usual_kind

    subject = subject_of(every[0])
    folder = getattr(every[0], "folder", None)
    name = folder.resolve().name if folder is not None else subject
    if (number := getattr(every[0], "game", None)) is not None and subject == "replay":
        name += f"-game-{number}"
    more = f"-and-{len(every) - 1}-more" if len(every) > 1 else ""
    if figure:
        return f"{name}{more}-{figure}.svg"
    if kind is None and subject != RUN:
        return f"{name}{more}.html"
    return f"{name}{more}-{Path(kind or usual_kind(subject)).stem}.html"


def _write_figure(every: Sequence[Any], name: str, place: Path) -> Path:
    """Write a single figure of the one subject."""
    from simlab.reporting import figures

    if len(every) > 1:
        raise UserError(f"a figure shows one run; {len(every)} were given.")
    if isinstance(every[0], Run):
        return figures.write_figure(every[0], name, place)
    if not hasattr(every[0], "plot"):
        raise UserError(f"{shown(repr(every[0]))} has no figures.")
    return figures.write_drawn(every[0].plot(name), place)
