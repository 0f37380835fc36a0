"""Pages and figures of runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from simlab.api.folders import Run, a_path, answer, load
from simlab.core.places import Named, looking_in
from simlab.errors import UserError
from simlab.running.dataset import RUN_FILE
from simlab.study.folder import is_study


def _of_answer(folder: Path, kind: str | None, out: str | Path | None, figure: str | None) -> Path:
    """Write the page, or a figure, of the answer that a question's folder holds."""
    found = answer(folder)
    if kind not in (None, found.ask):
        raise UserError(
            f"{folder} holds the answer of a {found.ask}; leave --kind out, or name one of its "
            f"runs: {', '.join(str(part.folder) for part in found.parts)}."
        )
    from simlab.reporting.figures import write_drawn

    name = folder.resolve().name
    if figure is None:
        return found.report(a_path(out or f"{name}.html"))
    return write_drawn(found.plot(figure), a_path(out or f"{name}-{figure}.svg"))


def report(
    runs: Run | str | Path | Sequence[Run | str | Path],
    kind: str | None = None,
    out: str | Path | None = None,
    *,
    figure: str | None = None,
    strategies: Named | None = None,
) -> Path:
    """Write one page about runs or the answer to a question, or one figure; return its path.

    runs: run folders or `Run`s, or the folder of a question; kind: of the page, or the path of a
    report script (default: overview, for the folder of a question its answer); out: the file
    (.html; .svg or .png for a figure), by default named after the first run, in the working
    directory; figure: name of a single figure; strategies: folder in which reports are looked for
    too.
    """
    from simlab.reporting.figures import write_figure
    from simlab.reporting.page import write_page

    given = [runs] if isinstance(runs, (Run, str, Path)) else list(runs)
    asked = [a_path(one) for one in given if not isinstance(one, Run) and is_study(a_path(one))]
    if asked and (kind is None or not all((path / RUN_FILE).is_file() for path in asked)):
        if len(given) > 1:
            raise UserError(f"a page shows one answer; {len(given)} folders were given.")
        return _of_answer(asked[0], kind, out, figure)
    kind = kind or "overview"
    every = [run if isinstance(run, Run) else load(run) for run in given]
    if not every:
        raise UserError("say which runs: simlab report RUN...")
    first = every[0].folder.resolve().name
    first += f"-and-{len(every) - 1}-more" if len(every) > 1 else ""
    usual = f"{first}-{figure}.svg" if figure else f"{first}-{Path(kind).stem}.html"
    place = a_path(usual if out is None else out)
    with looking_in(strategies):
        if figure is None:
            return write_page(every, kind, place)
        if len(every) > 1:
            raise UserError(f"a figure shows one run; {len(every)} were given.")
        return write_figure(every[0], figure, place)
