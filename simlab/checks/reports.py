"""The checks of a report script: every section built on a small real run."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from simlab.checks.findings import FAIL, Line, Report
from simlab.core.game import Game
from simlab.errors import SimlabError

GAMES = 200
Play = Callable[..., Any]


def check_report(path: Path, games: Sequence[Game], play: Play | None) -> Iterator[Line]:
    """Yield the lines of a report script, built for the first of the games that it fits.

    play: plays a run as `simlab.run` does and returns it; None leaves the sections out.
    """
    from simlab.reporting.sections import find_report

    report = Report(f"report {path}")
    found = find_report(path)
    missing = f"{path}:1: no docstring; its first line says what the page shows."
    yield from report.either("documented", [] if found.summary else [missing], found.summary)
    if play is None:
        yield report.skip("sections", "nothing to play a run with; use simlab.check")
        return
    lines: list[Line] = []
    for game in games:
        mine = list(_built(report, path, game, play))
        if not lines or all(line.status != FAIL for line in mine):
            lines = mine
        if all(line.status != FAIL for line in lines):
            break
    yield from lines


def _built(report: Report, path: Path, game: Game, play: Play) -> Iterator[Line]:
    from simlab.reporting.page import write_page
    from simlab.reporting.sections import find_report, shown_by

    name = next(iter(game.rule_sets))
    players = min(max(game.seats(name, game.rule_set(name))[0], 2), 4)
    failed = False
    with tempfile.TemporaryDirectory(prefix="simlab-check-") as folder:
        out = Path(folder)
        run = play(game.name, players, GAMES, out=out / "run", events=game.events is not None)
        for section in find_report(path).sections:
            try:
                shown = shown_by(section, run)
            except SimlabError as error:
                failed = True
                says, _, trace = str(error).partition("\n")
                yield report.fail(section.name, says, trace)
                continue
            if shown:
                yield report.ok(section.name, f"'{section.title}' of {GAMES} games of {game.name}")
            else:
                yield report.skip(section.name, f"'{section.title}' shows nothing of {game.name}")
        if failed:
            return
        try:
            page = write_page([run], path, out / "page.html")
        except SimlabError as error:
            yield report.fail("page", str(error))
            return
        yield report.ok("page", f"{page.stat().st_size // 1000:,} kB in one file")
