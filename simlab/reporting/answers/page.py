"""The page of an answer: question and answer, figures, tables, and how it was made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from simlab.reporting import files, origin
from simlab.reporting.cells import frame_grid
from simlab.reporting.images import image
from simlab.reporting.page import ENDINGS, Item, Part, Shown, written
from simlab.reporting.sections import Report


def write_answer(answer: Any, out: str | Path) -> Path:
    """Write the page of an `Answer` and return its path; UserError where it cannot be written."""
    path = files.place(out, ENDINGS, "a page")
    for part in answer.result.parts:
        files.check_run(part)
    report = Report(answer.result.ask, Path(__file__), "", ())
    return files.write(path, written([page_part(answer)], report))


def page_part(answer: Any) -> Part:
    """Return what a page says of an answer."""
    sections = [
        Shown(title.replace("-", " ").capitalize(), f"figure-{title}",
              [Item(image=image(drawn, title))], [])
        for title, drawn in answer.figures().items()
    ]  # fmt: skip
    if notes := answer.notes():
        items = [Item(paragraphs=[note]) for note in notes]
        sections.append(Shown("How to read this", "how-to-read-this", items, []))
    for number, sheet in enumerate(answer.tables(), start=1):
        caption = [sheet.caption] if sheet.caption else []
        items = [Item(grid=frame_grid(sheet.frame))]
        sections.append(Shown(sheet.title, f"table-{number}", items, caption))
    return Part(
        anchor="",
        about=_about(answer),
        question=answer.question,
        answer=answer.sentence.replace(" %", "\u00a0%"),
        cautions=answer.cautions(),
        notes=[],
        sections=sections,
        facts=_facts(answer),
        rules=[] if not answer.result.parts else origin.every_rule(answer.result.parts[0]),
        command=answer.command(),
        again=_again(answer),
        strangers=[s for part in answer.result.parts[:1] for s in origin.strangers(part)],
    )


def _again(answer: Any) -> str:
    """Say what the command of an answer gives."""
    if getattr(answer.result, "grown", 1) > 1:
        return (
            "This command asks the same again. This tournament grew in several steps; played "
            "afresh, its line-ups and so its numbers differ a little:"
        )
    return "This command plays the same games again, and gives the same rows:"


def _about(answer: Any) -> str:
    parts = answer.result.parts
    told = [answer.result.ask.replace("-", " ")]
    if parts:
        told.append(origin.title(parts[0]))
        counts = sorted({part.players for part in parts})
        told.append(f"{', '.join(map(str, counts))} players")
        told.append(f"rules {', '.join(dict.fromkeys(part.spec['rules'] for part in parts))}")
    if games := getattr(answer.result, "games", None):
        told.append(f"{games:,} games")
    return " \u00b7 ".join(told)


def _facts(answer: Any) -> list[tuple[str, list[str]]]:
    parts = answer.result.parts
    if not parts:
        return []
    found = origin.facts(parts[0])
    if len(parts) > 1:
        merged = dict(found)
        for part in parts[1:]:
            for name, lines in origin.facts(part):
                merged[name] = list(dict.fromkeys([*merged.get(name, []), *lines]))
        found = list(merged.items())
    games = [f"{part.span.games:,} in {part.folder.name}" for part in parts]
    told = {"Games": games if len(games) > 1 else [f"{parts[0].span.games:,}"]}
    return [(name, told.get(name, lines)) for name, lines in found if name != "Seats"]
