"""How a run was made: everything that another person needs to repeat it."""

from __future__ import annotations

import contextlib
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from simlab.core.parameters import read_spec
from simlab.core.registry import bind_usual, find_game, find_strategy
from simlab.errors import UserError
from simlab.reporting import files
from simlab.reporting.numbers import plain
from simlab.study.asking import command as question_command
from simlab.study.folder import StudyFile, is_study, read_study

MACHINE = ("platform", "processor")
"""Which of the versions in a `run.json` tell of the machine."""
SEATS = {
    "rotate": "rotate: the line-up moves on by one seat from game to game",
    "fixed": "fixed: each strategy keeps its seat",
}


def title(run: Any) -> str:
    """Return the title of a run's game."""
    with files.at_home(run):
        return find_game(run.game).title


def command(run: Any) -> str:
    """Return the command line that plays a run again: the same games, and the same rows.

    run: a `Run`. The folder is left out, since it decides nothing; strategies of other places are
    looked for where the run found them.
    """
    spec, span = run.file.spec, run.span
    words = ["simlab", "run", spec["game"], "--players", str(spec["players"])]
    with files.at_home(run):
        words += ["--n", str(span.games), *_line_up(spec)]
    if spec["rules"] != "standard":
        words += ["--rules", spec["rules"]]
    for name, value in spec["set"].items():
        words += ["--set", f"{name}={value}"]
    for place in _places(spec):
        words += ["--strategies", str(place)]
    if spec["seats"] != "rotate":
        words += ["--seats", spec["seats"]]
    if spec["seed"] != 1:
        words += ["--seed", str(spec["seed"])]
    if span.first:
        words += ["--first-game", str(span.first)]
    if run.file.shards and all(shard.events is not None for shard in run.file.shards):
        words += ["--events"]
    return shlex.join(words)


def asked(run: Any) -> StudyFile | None:
    """Return the question that the games of a run were played for; None for a run by itself."""
    for folder in (run.folder, run.folder.resolve().parent) if designed(run) else ():
        if is_study(folder):
            with contextlib.suppress(UserError):
                found = read_study(folder)
                name = "." if folder == run.folder else run.folder.resolve().name
                if name in found.parts:
                    return found
    return None


def designed(run: Any) -> bool:
    """Whether who sits with whom, and on which deals, was chosen for a question."""
    return run.file.spec.get("design") not in (None, "plain")


def again(run: Any) -> tuple[str, str]:
    """Return the command that plays a run again, and what it gives, in words."""
    question = asked(run)
    if question is not None:
        said = "These games belong to a question. This command asks it again, and plays them all:"
        return question_command(question.ask, question.arguments), said
    if designed(run):
        return (
            "",
            "These games belonged to a question that is not here; no command plays them alone.",
        )
    return command(run), "This command plays the same games again, and gives the same rows:"


def recording(run: Any) -> str:
    """Return the command line that records the events of a run, which holds none, beside its rows.

    run: a `Run`; the folder is named, so that they come to lie there.
    """
    return f"{command(run)} {shlex.join(['--events', '--out', str(run.folder)])}"


def _line_up(spec: dict[str, Any]) -> list[str]:
    """Return the options that choose the line-up; none where it is the game's own."""
    labels = spec["line_up"]
    try:
        game = find_game(spec["game"])
        usual = [bind_usual(game, entry).label for entry in game.line_up(spec["players"])]
    except UserError:
        usual = []
    if usual == labels:
        return []
    return [word for label in labels for word in ("-s", label)]


def _places(spec: dict[str, Any]) -> list[Path]:
    here = Path.cwd()
    paths = [Path(path) for path in spec.get("places", ())]
    return [path.relative_to(here) if path.is_relative_to(here) else path for path in paths]


def strangers(run: Any) -> list[str]:
    """Return the strategies of a run that the command cannot find here."""
    from simlab.core.parameters import Call, read_spec

    spec, missing = run.file.spec, []
    with files.at_home(run):
        for label in dict.fromkeys(spec["line_up"]):
            try:
                call = read_spec(label)
                find_strategy(spec["game"], call.name if isinstance(call, Call) else label)
            except UserError:
                missing.append(label)
    return missing


def changed_rules(run: Any) -> dict[str, Any]:
    """Return the rules whose value is not that of the run's rule set, and replaced data files."""
    spec = run.file.spec
    with files.at_home(run):
        usual = find_game(run.game).rule_set(spec["rules"])
    changed = {name: v for name, v in spec["values"].items() if usual.get(name) != v}
    return changed | {name: Path(entry["file"]).name for name, entry in spec["data"].items()}


def facts(run: Any) -> list[tuple[str, list[str]]]:
    """Return what decided a run and what it took: (what, one or more lines)."""
    spec = run.file.spec
    with files.at_home(run):
        game = find_game(run.game)
    rules = [f"{spec['rules']}: {game.rule_set_notes.get(spec['rules'], '')}".rstrip(": ")]
    changed = [f"{name} = {value}" for name, value in changed_rules(run).items()]
    found = [
        ("Game", [f"{game.title}, {run.players} players"]),
        ("Rules", rules),
        ("Changed rules", changed or ["none"]),
        ("Line-up", _line_up_told(run)),
        ("Seats", [SEATS.get(spec["seats"], spec["seats"])]),
        ("Games", [_games(run)]),
        ("Seed", [str(spec["seed"])]),
        ("Hash of the run", [run.file.hash]),
        ("Versions", [versions_told(run.file.versions)]),
        ("Machine", [machine_told(run.file.versions, run.file.cores)]),
        ("Time", [_time(run)]),
    ]
    for name, entry in spec["data"].items():
        found.append((f"File {name}", [f"{Path(entry['file']).name}, SHA-256 {entry['sha256']}"]))
    return found


def _line_up_told(run: Any) -> list[str]:
    """Return each strategy of the line-up with what its docstring's first line says of it."""
    lines = []
    with files.at_home(run):
        for full in run.file.spec["line_up_full"]:
            try:
                told = find_strategy(run.game, read_spec(full).name).summary
            except UserError:
                told = ""
            lines.append(f"{full}: {told}" if told else full)
    return [re.sub(r"`([^`]*)`", "\u2018\\1\u2019", line) for line in lines]


def every_rule(run: Any) -> list[tuple[str, str]]:
    """Return every rule of a run and its value."""
    return [(name, str(value)) for name, value in run.file.spec["values"].items()]


def _games(run: Any) -> str:
    span = run.span
    return f"{span.games:,}, numbers {span.first:,} to {span.end - 1:,}"


def versions_told(versions: Mapping[str, str]) -> str:
    """Write the versions of what a result was made with: `simlab 0.1.0, python 3.11.7`."""
    numbers = {name: number for name, number in versions.items() if name not in MACHINE}
    return ", ".join(f"{name} {number}" for name, number in numbers.items()) or "not recorded"


def machine_told(versions: Mapping[str, str], cores: int = 0) -> str:
    """Write what machine a result was made on, as far as its `run.json` says."""
    told = [versions[name] for name in MACHINE if versions.get(name)]
    told += [f"{cores} core{'s' if cores != 1 else ''}"] if cores else []
    return ", ".join(told) or "not recorded"


def _time(run: Any) -> str:
    """Say how long the games of the folder took, and on how many cores where that is known."""
    file = run.file
    cores = file.cores
    on = f" on {cores} core{'s' if cores != 1 else ''}" if cores else ""
    played = f" for {file.games_played:,} games" if file.games_played else ""
    return (
        f"{plain(file.seconds)} s{on}{played} (processor time {plain(file.cpu_seconds)} s), "
        "compiling included"
    )
