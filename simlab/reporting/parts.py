"""What a page says of each of its subjects: a run, a replayed game, or the answer to a question."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab.errors import UserError
from simlab.reporting import origin
from simlab.reporting.answer import answer
from simlab.reporting.answers.sheet import Sheet
from simlab.reporting.sections import Section, failed, shown_by
from simlab.reporting.showable import Heading, Lines

if TYPE_CHECKING:
    from simlab.reporting.cells import Grid
    from simlab.reporting.images import Image

Tick = Callable[[str], None]


@dataclass(frozen=True)
class Item:
    """One thing that a section shows: text, a heading, a table, an image or a log of lines."""

    paragraphs: list[str] | None = None
    heading: str | None = None
    grid: Grid | None = None
    image: Image | None = None
    lines: list[str] | None = None


@dataclass(frozen=True)
class Shown:
    """A section that shows something."""

    title: str
    anchor: str
    items: list[Item]
    caption: list[str]


@dataclass(frozen=True)
class Part:
    """What a page says of one subject; method: how its intervals are made."""

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
    method: str = (
        "Chance is drawn by deal, and the deal is the unit of every interval. Win shares have "
        "cluster-Wilson intervals and mean scores jackknife intervals."
    )


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


def run_part(run: Any, sections: Iterable[Section], anchor: str, tick: Tick) -> Part:
    """Return what a page says of a run.

    sections: those of its report; anchor: what its addresses begin with; tick: told the title of
    each section before it is made.
    """
    tick("table")
    table, cautions = run.table(), run.cautions()
    said = {f"Caution: {text}" for text in cautions}
    command, again = origin.again(run)
    return Part(
        anchor=anchor,
        about=about(run, named=bool(anchor)),
        question=question(run),
        answer=unbroken(answer(run, table)),
        cautions=cautions,
        notes=[*(line for line in table.lines if line not in said), *_remarks(run)],
        sections=shown_sections(sections, run, anchor, tick, {*said, *table.lines}),
        facts=origin.facts(run),
        rules=origin.every_rule(run),
        command=command,
        again=again,
        strangers=origin.strangers(run),
    )


def unbroken(sentence: str) -> str:
    """Return a sentence in which no number is parted from its unit."""
    return re.sub(r" (?=%)|(?<=\bp) (?=[=<])|(?<=[=<]) (?=\d)", "\u00a0", sentence)


def _remarks(run: Any) -> list[str]:
    """Return what the design of a run does to its numbers."""
    spec = run.file.spec
    if origin.designed(run):
        question = origin.asked(run)
        of = "a question" if question is None else f"a {question.ask.replace('-', ' ')}"
        return [
            f"These games were played for {of}, which chose who sat with whom: strategies did not "
            "all meet, and seats may be balanced by design. Its own page has the answer."
        ]
    if spec["seats"] != "fixed" or len(set(spec["line_up"])) == 1:
        return []
    return ["Seats were fixed: the share of a strategy also contains the advantage of its seat."]


def about(run: Any, named: bool = False) -> str:
    """Return the line above the question."""
    spec = run.file.spec
    told = [origin.title(run), f"{run.players} players", f"rules {spec['rules']}"]
    told += [f"{name} {value}" for name, value in origin.changed_rules(run).items()]
    games = f"{run.span.games:,} game{'s' if run.span.games != 1 else ''}"
    return " · ".join([*([Path(run.folder).name] if named else []), *told, games])


def shown_sections(
    sections: Iterable[Section], subject: Any, anchor: str, tick: Tick, said: set[str]
) -> list[Shown]:
    """Return the sections that show something of a subject; said: lines that the page has already.

    UserError where a section fails.
    """
    found = []
    for section in sections:
        tick(section.title)
        things = shown_by(section, subject)
        try:
            items = [item for thing in things for item in _items(thing, section, said)]
        except UserError:
            raise
        except Exception as error:  # what a person's figure or frame raises when it is drawn
            raise failed(section, error) from None
        if items:
            caption = paragraphs(section.caption)
            found.append(Shown(section.title, f"{anchor}section-{section.name}", items, caption))
    return found


def _items(thing: Any, section: Section, said: set[str]) -> list[Item]:
    """Return how one thing is shown: a sheet with its title above it."""
    titled = isinstance(thing, Sheet) and thing.title and thing.title != section.title
    return [*([Item(heading=thing.title)] if titled else []), _item(thing, section, said)]


def _item(thing: Any, section: Section, said: set[str]) -> Item:
    """Return one thing as it is shown."""
    import polars as pl
    from matplotlib.figure import Figure

    from simlab.reporting.cells import frame_grid, run_grid
    from simlab.reporting.images import image

    if isinstance(thing, str):
        return Item(paragraphs=paragraphs(thing))
    if isinstance(thing, Heading):
        return Item(heading=thing.text)
    if isinstance(thing, Lines):
        return Item(lines=list(thing.lines))
    if isinstance(thing, Figure):
        return Item(image=image(thing, section.title))
    if isinstance(thing, pl.DataFrame):
        return Item(grid=frame_grid(thing))
    if isinstance(thing, Sheet):
        return Item(grid=replace(frame_grid(thing.frame), notes=paragraphs(thing.caption)))
    return Item(grid=run_grid(thing, [line for line in thing.lines if line not in said]))


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text, each on one line."""
    pieces = re.split(r"\n\s*\n", text.strip())
    return [" ".join(piece.split()) for piece in pieces if piece.strip()]
