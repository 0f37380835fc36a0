"""The checks of a report script: every section built on a small real run, game or answer."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from simlab.checks.findings import FAIL, Line, Report
from simlab.core.game import Game
from simlab.errors import SimlabError, told

Example = Callable[[str, Game, Path], Any]
"""Makes something to show: (subject, game, folder) -> a run, a replay or an answer, or None."""


def check_report(path: Path, games: Sequence[Game], example: Example | None) -> Iterator[Line]:
    """Yield the lines of a report script, built for the first of the games that it fits.

    example: makes what sections are about; None leaves the sections out.
    """
    from simlab.reporting.sections import find_report

    report = Report(f"report {path}")
    found = find_report(path)
    missing = f"{path}:1: no docstring; its first line says what the page shows."
    yield from report.either("documented", [] if found.summary else [missing], found.summary)
    if example is None:
        yield report.skip("sections", "nothing to play a run with; use simlab.check")
        return
    lines: list[Line] = []
    for game in games:
        mine = list(_built(report, path, game, example))
        if not lines or all(line.status != FAIL for line in mine):
            lines = mine
        if all(line.status != FAIL for line in lines):
            break
    yield from lines


def _built(report: Report, path: Path, game: Game, example: Example) -> Iterator[Line]:
    from simlab.reporting.sections import find_report

    for subject in find_report(path).subjects:
        with tempfile.TemporaryDirectory(prefix="simlab-check-") as folder:
            shown = example(subject, game, Path(folder) / "run")
            if shown is None:
                yield report.skip("sections", f"those of a {subject} are not tried here")
            else:
                yield from _about(report, path, game, shown, subject)


def _about(report: Report, path: Path, game: Game, shown: Any, subject: str) -> Iterator[Line]:
    """Yield the lines of the sections about one subject, and of their page."""
    from simlab.reporting.page import write_page
    from simlab.reporting.sections import find_report, shown_by

    failed = False
    for section in find_report(path).of(subject):
        try:
            things = shown_by(section, shown)
        except SimlabError as error:
            failed = True
            says, _, trace = str(error).partition("\n")
            yield report.fail(section.name, says, trace)
            continue
        of = f"'{section.title}' of a small {subject} of {game.name}"
        if things:
            yield report.ok(section.name, of)
        else:
            yield report.skip(section.name, f"'{section.title}' shows nothing of {game.name}")
    if failed:
        return
    with tempfile.TemporaryDirectory(prefix="simlab-check-") as folder:
        try:
            page = write_page(shown, path, Path(folder) / "page.html")
        except SimlabError as error:
            yield report.fail("page", str(error))
            return
        yield report.ok("page", f"{page.stat().st_size // 1000:,} kB in one file")


def check_figures(game: Game, example: Example | None) -> Iterator[Line]:
    """Yield a line for each figure that a game's folder declares, drawn of a small run."""
    from simlab.reporting.canvas import svg
    from simlab.reporting.plots import drawn, own_plots

    report = Report(f"figures of {game.name}")
    try:
        found = own_plots(game.name)
    except SimlabError as error:
        yield report.fail("figures", str(error))
        return
    if not found or example is None:
        return
    with tempfile.TemporaryDirectory(prefix="simlab-check-") as folder:
        run = example("run", game, Path(folder) / "run")
        for plot in found.values():
            try:
                size = len(svg(drawn(run, plot)))
            except Exception as error:  # whatever a person's function raises
                yield report.fail(f"figure {plot.name}", told(error))
                continue
            says = f"'{plot.title}' of a small run, {size // 1000:,} kB"
            yield report.ok(f"figure {plot.name}", says)
