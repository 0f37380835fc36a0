"""Reads the records of Diamant in the words of its referee."""

from __future__ import annotations

from collections import Counter
from typing import Any

from simlab.core.game import RuleBook
from simlab.games.diamant import GAME

SCALARS = {
    "expedition": "expedition",
    "leftover": "leftover",
    "relics": "relics_on_path",
    "recovered": "relics_recovered",
}


class View:
    """Reads records of games that are played under one rule book."""

    def __init__(self, book: RuleBook) -> None:
        self._book = book
        self._ids = GAME.decks["expedition"].ids(book)
        self._per_card = book.values["leftover_split"] == "per_card"
        self._decks: dict[int, dict[str, int]] = {}

    def referee_rules(self) -> dict[str, Any]:
        """Return the rule values and the card rows in the referee's form."""
        rows = [row for row in self._book.rows["cards"] if row["category"] != "token"]
        return {**self._book.values, "cards": [_card(row) for row in rows]}

    def publics(self, tables: Any) -> list[dict[str, Any]]:
        """Return for each of many public records what the referee's `public()` says too.

        Pooled leftovers lie on the path as a whole, so they have no places; the places of leftovers
        are cleared away with the path when the game is over.
        """
        names = (*SCALARS, "explorers", "depth", "inside", "on_path", "gone", "decision")
        lists = {name: tables[name].tolist() for name in (*names, "path", "carried", "on_card")}
        return [
            self._public({name: values[place] for name, values in lists.items()})
            for place in range(len(tables))
        ]

    def _public(self, seen: dict[str, Any]) -> dict[str, Any]:
        depth, inside, explorers = seen["depth"], seen["inside"], seen["explorers"]
        shown = {word: seen[name] for name, word in SCALARS.items()}
        shown["path"] = [self._ids[card] for card in seen["path"][:depth]]
        shown["inside"] = [e for e in range(explorers) if inside >> e & 1]
        shown["carried"] = seen["carried"][:explorers]
        shown["deck"] = self._deck(seen["on_path"] | seen["gone"])
        if self._per_card and seen["decision"]:
            shown["leftovers"] = seen["on_card"][:depth]
        return shown

    def _deck(self, away: int) -> dict[str, int]:
        """Return how often each card is in the draw deck."""
        if away not in self._decks:
            left = (card for place, card in enumerate(self._ids) if not away >> place & 1)
            self._decks[away] = dict(Counter(left))
        return self._decks[away]


def _card(row: dict[str, str]) -> dict[str, Any]:
    value = int(row["value"]) if row["value"] else None
    named = {name: row[name] for name in ("id", "category", "subtype")}
    return {**named, "value": value, "copies": int(row["copies"])}
