"""One page in one file: question, answer, cautions, sections, and how it was made.

The page asks nothing of a network and runs no script. The same run gives the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab.errors import UserError
from simlab.reporting import files, origin
from simlab.reporting.answer import answer
from simlab.reporting.sections import Report, Section, find_report, shown_by

if TYPE_CHECKING:
    from simlab.reporting.cells import Grid
    from simlab.reporting.images import Image

ENDINGS = (".html", ".htm")
MOST_BYTES = 3_000_000


@dataclass(frozen=True)
class Item:
    """One thing that a section shows: paragraphs of text, a table or an image."""

    paragraphs: list[str] | None = None
    grid: Grid | None = None
    image: Image | None = None


@dataclass(frozen=True)
class Shown:
    """A section that shows something."""

    title: str
    anchor: str
    items: list[Item]
    caption: list[str]


@dataclass(frozen=True)
class Part:
    """What a page says of one run."""

    anchor: str
    about: str
    question: str
    answer: str
    cautions: list[str]
    notes: list[str]
    sections: list[Shown]
    facts: list[tuple[str, list[str]]]
    rules: list[tuple[str, str]]
    command: str
    strangers: list[str]
    again: str = "This command plays the same games again, and gives the same rows:"


def write_page(runs: Any, kind: str | Path = "overview", out: str | Path = "page.html") -> Path:
    """Write one page about one run or several and return its path: `report RUN... -o page.html`.

    runs: a `Run`, or a sequence of them, shown one after another. kind: of the page, such as
    "overview", or the path of a report script. out: the file, which ends in .html; it is written
    in one step, or not at all.
    UserError for an unknown kind, a section that fails, a run without games, a game that is not
    installed, or a place that cannot be written.
    """
    path = files.place(out, ENDINGS, "a page")
    every = list(runs) if isinstance(runs, Sequence) else [runs]
    if not every:
        raise UserError("a page needs at least one run.")
    for run in every:
        files.check_run(run)
    return files.write(path, page(every, find_report(kind)))


def page(runs: Sequence[Any], report: Report) -> str:
    """Return the page of a report about runs, as HTML."""
    single = len(runs) == 1
    parts = [
        _part(run, report, "" if single else f"run-{number}-")
        for number, run in enumerate(runs, start=1)
    ]
    return written(parts, report)


def written(parts: list[Part], report: Report) -> str:
    """Return a page as HTML, with one drawing of each figure alone where it would be too large."""
    text = _render(parts, report, compact=False)
    if len(text.encode()) > MOST_BYTES:
        text = _render(parts, report, compact=True)
    return text


def question(run: Any) -> str:
    """Return the question of a run: its own, or the one that every run answers."""
    own = getattr(run.file, "question", None)
    if isinstance(own, str) and own.strip():
        return own.strip()
    spec = run.file.spec
    labels = list(dict.fromkeys(spec["line_up"]))
    rules = "" if spec["rules"] == "standard" else f" under {spec['rules']} rules"
    where = f"at {origin.title(run)} with {run.players} players{rules}?"
    if len(labels) == 1:
        return f"How does {labels[0]} do against itself {where}"
    return f"Which of these {len(labels)} strategies wins most {where}"


def _part(run: Any, report: Report, anchor: str) -> Part:
    table, cautions = run.table(), run.cautions()
    said = {f"Caution: {text}" for text in cautions}
    sections = (_shown(section, run, anchor, {*said, *table.lines}) for section in report.sections)
    return Part(
        anchor=anchor,
        about=_about(run, named=bool(anchor)),
        question=question(run),
        answer=answer(run, table).replace(" %", "\u00a0%"),
        cautions=cautions,
        notes=[*(line for line in table.lines if line not in said), *_remarks(run)],
        sections=[shown for shown in sections if shown is not None],
        facts=origin.facts(run),
        rules=origin.every_rule(run),
        command=origin.command(run),
        strangers=origin.strangers(run),
    )


def _remarks(run: Any) -> list[str]:
    """Return what the design of a run does to its numbers."""
    spec = run.file.spec
    if spec["seats"] != "fixed" or len(set(spec["line_up"])) == 1:
        return []
    return ["Seats were fixed: the share of a strategy also contains the advantage of its seat."]


def _about(run: Any, named: bool) -> str:
    """Return the line above the question."""
    spec = run.file.spec
    told = [origin.title(run), f"{run.players} players", f"rules {spec['rules']}"]
    told += [f"{name} {value}" for name, value in origin.changed_rules(run).items()]
    games = f"{run.span.games:,} game{'s' if run.span.games != 1 else ''}"
    return " · ".join([*([Path(run.folder).name] if named else []), *told, games])


def _shown(section: Section, run: Any, anchor: str, said: set[str]) -> Shown | None:
    """Return what a section shows of a run; None if that is nothing."""
    items = [_item(thing, section, said) for thing in shown_by(section, run)]
    if not items:
        return None
    caption = _paragraphs(section.caption)
    return Shown(section.title, f"{anchor}section-{section.name}", items, caption)


def _item(thing: Any, section: Section, said: set[str]) -> Item:
    """Return one thing as it is shown; said: lines that the page says above already."""
    import polars as pl
    from matplotlib.figure import Figure

    from simlab.reporting.cells import frame_grid, run_grid
    from simlab.reporting.images import image

    if isinstance(thing, str):
        return Item(paragraphs=_paragraphs(thing))
    if isinstance(thing, Figure):
        return Item(image=image(thing, section.title))
    if isinstance(thing, pl.DataFrame):
        return Item(grid=frame_grid(thing))
    return Item(grid=run_grid(thing, [line for line in thing.lines if line not in said]))


def _paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text, each on one line."""
    pieces = re.split(r"\n\s*\n", text.strip())
    return [" ".join(piece.split()) for piece in pieces if piece.strip()]


def _render(parts: list[Part], report: Report, compact: bool) -> str:
    """Fill the template; compact: one drawing of each figure alone."""
    import jinja2
    from markupsafe import Markup

    import simlab

    here = Path(__file__).parent
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(here),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html.j2").render(
        parts=parts,
        report=report,
        compact=compact,
        single=len(parts) == 1,
        css=Markup((here / "page.css").read_text(encoding="utf-8")),
        version=simlab.__version__,
    )
