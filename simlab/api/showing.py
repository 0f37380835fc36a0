"""Pages and figures of runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from simlab.api.folders import Run, a_path, load
from simlab.core.places import Named, looking_in
from simlab.errors import UserError


def report(
    runs: Run | str | Path | Sequence[Run | str | Path],
    kind: str = "overview",
    out: str | Path | None = None,
    *,
    figure: str | None = None,
    strategies: Named | None = None,
) -> Path:
    """Write one page about runs, or one figure of a run; return its path.

    runs: run folders or `Run`s; kind: of the page, or the path of a report script; out: the file
    (.html; .svg or .png for a figure), by default named after the first run, in the working
    directory; figure: name of a single figure; strategies: folder in which reports are looked for
    too.
    """
    from simlab.reporting.figures import write_figure
    from simlab.reporting.page import write_page

    given = [runs] if isinstance(runs, (Run, str, Path)) else list(runs)
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
