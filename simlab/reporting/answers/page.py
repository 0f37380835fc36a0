"""What a page says of the answer to a question."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from simlab.reporting import origin
from simlab.reporting.parts import Part, Tick, shown_sections, unbroken
from simlab.reporting.sections import Section
from simlab.running.dataset import versions


def answer_part(answer: Any, sections: Iterable[Section], anchor: str, tick: Tick) -> Part:
    """Return what a page says of an `Answer`; see `run_part`."""
    parts = answer.result.parts
    return Part(
        anchor=anchor,
        about=_about(answer, named=bool(anchor)),
        question=answer.question,
        answer=unbroken(answer.sentence),
        cautions=answer.cautions(),
        notes=[],
        sections=shown_sections(sections, answer, anchor, tick, set()),
        facts=_facts(answer),
        rules=origin.every_rule(parts[0]) if parts else [],
        command=answer.command(),
        again=_again(answer),
        strangers=[s for part in parts[:1] for s in origin.strangers(part)],
        method="Chance is drawn by deal, and the deal is the unit of every interval.",
    )


def _again(answer: Any) -> str:
    """Say what the command of an answer gives."""
    if getattr(answer.result, "grown", 1) > 1:
        return (
            "This command asks the same again. This tournament grew in several steps; played "
            "afresh, its line-ups and so its numbers differ a little:"
        )
    if not answer.result.parts:
        return "This command asks the same again; its pilot is played anew, the same games:"
    return "This command plays the same games again, and gives the same rows:"


def _about(answer: Any, named: bool) -> str:
    """Return the line above the question; named: with the name of the folder."""
    parts, given = answer.result.parts, answer.result.arguments
    told = [answer.folder.resolve().name] if named and answer.folder is not None else []
    told.append(answer.result.ask.replace("-", " "))
    if not parts:
        told += [str(given["game"])] if "game" in given else []
        told += [f"{given['players']} players"] if given.get("players") else []
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
        given = answer.result.arguments.items()
        asked = [f"{name.replace('_', ' ')}: {value}" for name, value in given if value is not None]
        return [("Asked", asked), ("Versions", [origin.versions_told(versions())])]
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
