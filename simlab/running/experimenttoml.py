"""Experiment files written: the one that repeats a question, with the question in words."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from simlab.core.quantities import read_vary, share_text
from simlab.core.strategy import STRATEGY_MARK, Bound
from simlab.errors import UserError
from simlab.running.experimentkeys import (
    DIFFERENCES,
    KINDS,
    SHARES,
    USUAL,
    alternatives,
    complete,
    kind_of,
    together,
)
from simlab.running.tomltext import key_text, value_text

MOST_NAMED = 12
"""Strategies that a question names one by one."""


def to_toml(document: Mapping[str, Any]) -> str:
    """Write the experiment file that repeats a question: what `--as-toml` prints.

    document: `ask` (default "run"), and the keys of a file of that kind, with values as in a file
    or as in Python (those that are None or empty are left out, as are keys of no such file). For a
    run it may be `Spec.document()`, to which n, first_game, events, out and question are added.
    Folders of strategies and data files are written with their whole path. Without a question the
    file gets one. UserError for what no file can hold.
    """
    ask, stated, changed = _stated(document)
    stated["ask"] = None if ask == USUAL else ask
    lines = [
        f"{key} = {value_text(_written(key, stated[key], stated))}"
        for key in KINDS[ask]
        if stated.get(key) is not None
    ]
    if changed:
        lines += ["", "[set]"]
        lines += [f"{key_text(key)} = {value_text(_set(value))}" for key, value in changed.items()]
    return "\n".join(lines) + "\n"


def question_of(document: Mapping[str, Any]) -> str:
    """Return the question of a document in words: as it states it, or as its keys say it."""
    return str(_stated(document)[1]["question"])


def _stated(document: Mapping[str, Any]) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Return the kind of a document, its keys as a file has them, and its changed rules."""
    ask = KINDS[USUAL]["ask"][1](document.get("ask") or USUAL)
    said = {key: _said(value) for key, value in _usual_names(document).items()}
    stated = {
        key: _read(ask, key, value) for key, value in said.items() if value not in (None, [], {})
    }
    if "strategies" in stated:
        stated["strategies"] = [os.path.abspath(Path(p).expanduser()) for p in stated["strategies"]]
    changed = stated.pop("set", {})
    complete(ask, {"question": "", "set": changed, **stated})
    for _, error in together(stated):
        raise error
    stated["question"] = stated.get("question") or _question(ask, stated, changed)
    return ask, stated, changed


def _usual_names(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document with the keys of a file in place of those of a spec."""
    said = dict(document)
    said["lineup"] = said.get("lineup") or said.get("line_up")
    said["strategies"] = said.get("strategies") or said.get("places")
    data = {name: entry["file"] for name, entry in (said.get("data") or {}).items()}
    said["set"] = {**(said.get("set") or {}), **data}
    return said


def _said(value: Any) -> Any:
    """Return a value of Python as TOML has it: lists, texts, numbers."""
    if isinstance(value, Mapping):
        return {key: _said(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_said(inner) for inner in value]
    if isinstance(value, Bound):
        return value.label
    declared = getattr(value, STRATEGY_MARK, None)
    if declared is not None:
        return declared.name
    if hasattr(value, "item"):  # a number of NumPy
        return value.item()
    return str(value) if isinstance(value, Path) else value


def _read(ask: str, key: str, value: Any) -> Any:
    """Return a value as the file's reader has it, so that no file is written that has no reader."""
    if key not in KINDS[ask]:
        return None
    wants, reader = KINDS[ask][key]
    try:
        return reader(value)
    except TypeError:
        raise UserError(f"{key} is {kind_of(value)}; it takes {wants}.") from None


def _written(key: str, value: Any, stated: Mapping[str, Any]) -> Any:
    """Return how a value is written: shares in percent."""
    share = key in DIFFERENCES and stated.get("objective", "win") == "win"
    return share_text(value) if share or key in SHARES else value


def _set(value: Any) -> Any:
    """Return a rule's value as it is written; of compare-rules there may be several."""
    made = [_plain(each) for each in alternatives(value)]
    return made if isinstance(value, list) else made[0]


def _plain(value: Any) -> Any:
    """Return a whole number that came as a word as a number, and a data file with its path."""
    if isinstance(value, str) and value.endswith(".csv"):
        return os.path.abspath(Path(value).expanduser())
    whole = isinstance(value, str) and re.fullmatch(r"0|-?[1-9][0-9]{0,17}", value)
    return int(value) if whole else value


# -- the question in words, where none is given


def _question(ask: str, said: Mapping[str, Any], changed: Mapping[str, Any]) -> str:
    players = said.get("players")
    many = f"{players[0]} to {players[-1]}" if isinstance(players, list) else players
    where = f"in {said['game']}" + (f" with {many} players" if many else "")
    made: dict[str, Callable[[], str]] = {
        "run": lambda: (
            f"How good are {_named(said.get('lineup'), 'the usual strategies')} {where}?"
        ),
        "duel": lambda: f"Is {said['a']} better than {said['b']} {where}?",
        "tournament": lambda: f"Which {_field(said.get('field'))} is best {where}?",
        "sweep": lambda: f"Which {_varied(said['vary'])} is best {where}?",
        "compare-rules": lambda: f"What does it change {where} to play {_rules(said, changed)}?",
        "sample-size": lambda: _size(said, where),
    }
    return made[ask]()


def _named(entries: list[str] | None, otherwise: str) -> str:
    return ", ".join(dict.fromkeys(entries or [otherwise]))


def _field(field: str | list[str] | None) -> str:
    if not isinstance(field, list):
        return "strategy"
    return f"of {_named(field, '')}" if len(field) <= MOST_NAMED else f"of {len(field)} strategies"


def _varied(entries: list[str]) -> str:
    return " and ".join(read_vary(text).name for text in entries)


def _rules(said: Mapping[str, Any], changed: Mapping[str, Any]) -> str:
    ways = [f"by {' or '.join(said['rules'])} rules"] if said.get("rules") else []
    for name, value in changed.items():
        ways.append(f"with {name}={' or '.join(map(str, alternatives(value)))}")
    return " ".join(ways) or "by other rules"


def _size(said: Mapping[str, Any], where: str) -> str:
    found = _written("detect", said["detect"], said)
    pair = f" between {said['a']} and {said['b']}" if said.get("a") else ""
    return f"How many games {where} show a difference of {found}{pair}?"
