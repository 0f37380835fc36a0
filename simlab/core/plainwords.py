"""Sentences for a game that has no words of its own: from the names of its fields and actions."""

from __future__ import annotations

import string
from typing import Any

import numpy as np

from simlab.errors import UserError

KNOWN = ("players", "decision", "seat", "barred")
MOST_SHOWN = 12


class PlainWords:
    """Speaks about one game under one rule book, in sentences that fit any game.

    What the rules tell with places for its numbers is the sentence itself:
    `tell("seat {} rolls {}", seat, face)`. Other words get their numbers behind a colon.
    """

    def __init__(self, book: Any) -> None:
        game = book.game
        self._game = str(game.name)
        self._actions = book.actions
        self._decisions = game.decisions
        self._most = max(
            game.seats(name, values)[1]
            for name, values in [
                (book.rule_set, book.values), *((n, game.rule_set(n)) for n in game.rule_sets)
            ]
        )  # fmt: skip

    def told(self, what: str, values: tuple[int, ...], table: Any) -> str:
        """Return the sentence for what was told; UserError where numbers and places differ."""
        if "{" not in what:
            numbers = f": {', '.join(map(str, values))}" if values else ""
            return _sentence(_spaced(what) + numbers)
        places = [field for _, field, _, _ in string.Formatter().parse(what) if field is not None]
        if all(field == "" for field in places) and len(places) != len(values):
            raise UserError(
                f"the rules of {self._game} tell '{what}' with {len(values)} numbers, but it has "
                f"{len(places)} places."
            )
        return _sentence(what.format(*values))

    def chosen(self, me: Any, action: int) -> str:
        """Say what was chosen."""
        return f"Seat {int(me.seat)}: {self._actions[action]}."

    def decision(self, table: Any, me: Any) -> str:
        """Say what is asked of whom, and what its own record holds."""
        asked = f"Seat {int(me.seat)} decides: {_spaced(self._decisions[int(table.decision)])}"
        own = [f"{name} {text}" for name, text in self._fields(me, int(table.players))]
        return _sentence(asked + (f" (its own: {'; '.join(own)})" if own else ""))

    def position(self, table: Any, scores: list[int]) -> str:
        """List what everybody sees, lists by seat or place on lines of their own."""
        single, lines = [], []
        for name, text in self._fields(table, int(table.players)):
            if "," in text:
                lines.append(f"  {name}: {text}")
            else:
                single.append(f"{name} {text}")
        lines.append(f"  scores: {', '.join(map(str, scores))}")
        return "\n".join([", ".join(single).capitalize() or "The table", *lines])

    def _fields(self, record: Any, players: int) -> list[tuple[str, str]]:
        dtype = record.dtype
        names = [n for n in dtype.names if n not in KNOWN and not dtype[n].base.names]
        return [(_spaced(name), self._value(record[name], players)) for name in names]

    def _value(self, value: Any, players: int) -> str:
        array = np.asarray(value)
        if array.ndim == 0:
            return str(array)
        if len(array) == self._most:  # one entry for each seat
            array = array[:players]
        shown = [str(part.tolist()) for part in array[:MOST_SHOWN]]
        return ", ".join([*shown, *["..."][: len(array) > MOST_SHOWN]])


def _spaced(words: str) -> str:
    return words.replace("_", " ")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?", ":")) else ".")
