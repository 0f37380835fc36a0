"""One page in one file about runs, replayed games and answers to questions.

The page asks nothing of a network. The same subjects give the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from simlab.errors import UserError, shown
from simlab.reporting import files
from simlab.reporting.parts import Part, Tick, run_part, unbroken
from simlab.reporting.rendering import written
from simlab.reporting.sections import (
    REPLAY,
    RUN,
    Report,
    answered,
    find_report,
    kinds,
    usual_kind,
)

ENDINGS = (".html", ".htm")
SHOWS = {RUN: "runs", REPLAY: "replayed games"}


def write_page(
    subjects: Any,
    kind: str | Path | None = None,
    out: str | Path = "page.html",
    tick: Tick = lambda what: None,
) -> Path:
    """Write one page and return its path: `report RUN... -o page.html`.

    subjects: a `Run`, an `Answer` or a `Replay`, or a sequence of them, shown one after another;
    kind: of the page, such as "overview", or the path of a report script; by default the usual one
    of each subject; out: the file, which ends in .html; it is written in one step, or not at all;
    tick: told what is made next.
    UserError for an unknown kind, one that does not fit a subject, a section that fails, a run
    without games, a game that is not installed, or a place that cannot be written.
    """
    path = files.place(out, ENDINGS, "a page")
    every = list(subjects) if isinstance(subjects, Sequence) else [subjects]
    if not every:
        raise UserError("a page needs at least one run.")
    reports = [report_for(one, kind) for one in every]
    for one in every:
        _check(one)
    return files.write(path, page(every, reports, tick))


def page(subjects: Sequence[Any], reports: Sequence[Report], tick: Tick = lambda what: None) -> str:
    """Return a page about subjects as HTML; reports: of each, what it shows."""
    single = len(subjects) == 1
    parts = []
    for number, (subject, report) in enumerate(zip(subjects, reports, strict=True), start=1):
        anchor = "" if single else f"run-{number}-"
        parts.append(_part(subject, report, anchor, tick))
    tick("page")
    kind = ", ".join(dict.fromkeys(report.kind for report in reports))
    summary = " ".join(dict.fromkeys(report.summary for report in reports))
    return written(parts, kind, summary, _many(subjects))


def _many(subjects: Sequence[Any]) -> str:
    """Return what several subjects are called together."""
    found = {subject_of(one) for one in subjects}
    return SHOWS.get(found.pop(), "answers") if len(found) == 1 else "parts"


def subject_of(thing: Any) -> str:
    """Return what kind of subject something is: "run", "replay", or the question of an answer."""
    from simlab.reporting.answers.answer import Answer
    from simlab.running.replay import Replay

    if isinstance(thing, Answer):
        return str(thing.ask)
    return REPLAY if isinstance(thing, Replay) else RUN


def report_for(thing: Any, kind: str | Path | None) -> Report:
    """Return the report of a kind for a subject; UserError where there is none."""
    subject = subject_of(thing)
    report = find_report(usual_kind(subject) if kind is None else kind)
    if report.of(subject):
        return report
    fitting = [name for name, other in kinds().items() if other.of(subject)]
    told = " and ".join(_shows(one) for one in report.subjects)
    raise UserError(
        f"a page of kind '{shown(report.kind)}' shows {told}, not {_shows(subject)}; of those "
        f"there are: {', '.join(fitting)}."
    )


def sections_for(thing: Any, kind: str | Path | None) -> int:
    """Return how many times `tick` is told of something when the page of a subject is made."""
    return len(report_for(thing, kind).of(subject_of(thing))) + 1


def _shows(subject: str) -> str:
    return SHOWS.get(subject, f"the answer of a {subject.replace('-', ' ')}")


def _part(subject: Any, report: Report, anchor: str, tick: Tick) -> Part:
    from simlab.reporting.answers.page import answer_part
    from simlab.reporting.replayed import replay_part

    kind = subject_of(subject)
    build = {RUN: run_part, REPLAY: replay_part}.get(kind, answer_part)
    part = build(subject, report.of(kind), anchor, tick)
    said = answered(report, kind, subject)
    if said is None:
        return part
    return replace(part, question=said[0], answer=unbroken(said[1]))


def _check(subject: Any) -> None:
    """Raise UserError for a subject whose games are not there, or whose game is not installed."""
    kind = subject_of(subject)
    if kind == RUN:
        files.check_run(subject)
    elif kind != REPLAY:
        for part in subject.result.parts:
            files.check_run(part)
