"""Reads the records of Splendor in the words of its referee."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from simlab.core.game import RuleBook
from simlab.games.splendor.actions import COLOURS, TOKENS, card_ids, noble_ids
from simlab.games.splendor.rules import BOUGHT

SLOTS = [f"L{level}-{place}" for level in (1, 2, 3) for place in (1, 2, 3, 4)]


class View:
    """Reads records of games that are played under one rule book."""

    def __init__(self, book: RuleBook) -> None:
        self._book = book
        self._cards: list[str | None] = [*card_ids(book), None]  # number -1 is no card
        self._nobles: list[str | None] = [*noble_ids(book), None]
        self._known: dict[tuple[str, bytes], Any] = {}

    def referee_rules(self) -> dict[str, Any]:
        """Return the rule values and the rows of both files."""
        return {**self._book.values, **self._book.rows}

    def publics(self, tables: Any) -> list[dict[str, Any]]:
        """Return for each of many public records what the referee's `public()` says too.

        A table does not say which noble came to whom, nor in which order cards were bought.
        """
        players = int(tables["players"][0])
        hands = np.stack([tables["reserved_level"], tables["reserved"]], axis=-1)
        parts = {
            "bank": self._each(tables["bank"], _tokens),
            "market": self._each(tables["market"], self._market),
            "decks": self._each(tables["deck"], _decks),
            "nobles": self._each(tables["nobles"][:, : players + 1], self._tiles),
            "tokens": self._each(tables["tokens"][:, :players], _all_tokens),
            "bonuses": self._each(tables["bonuses"][:, :players], _bonuses),
            "reserved": self._each(hands[:, :players], self._hands),
            "bought": [cards[:players] for cards in self._each(tables["place"], self._bought)],
            "points": tables["points"][:, :players].tolist(),
            "end_flag": (tables["last_round"] != 0).tolist(),
        }
        return [dict(zip(parts, row, strict=True)) for row in zip(*parts.values(), strict=True)]

    def _each(self, rows: Any, read: Callable[[Any], Any]) -> list[Any]:
        """Read each row; what has the same bytes is read once."""
        found = []
        for row in np.ascontiguousarray(rows):
            key = (read.__name__, row.tobytes())
            if key not in self._known:
                self._known[key] = read(row.tolist())
            found.append(self._known[key])
        return found

    def _market(self, numbers: list[int]) -> dict[str, str | None]:
        return {slot: self._cards[n] for slot, n in zip(SLOTS, numbers, strict=True)}

    def _tiles(self, numbers: list[int]) -> list[str | None]:
        return [self._nobles[n] for n in numbers]

    def _hands(self, seats: list[list[tuple[int, int]]]) -> list[list[tuple[int, str | None]]]:
        return [[(level, self._cards[n]) for level, n in hand if level] for hand in seats]

    def _bought(self, places: list[int]) -> list[list[str]]:
        cards: list[list[str]] = [[], [], [], []]
        for number, place in enumerate(places):
            if place >= BOUGHT:
                cards[place - BOUGHT].append(str(self._cards[number]))
        return [sorted(ids) for ids in cards]


def _tokens(counts: list[int]) -> dict[str, int]:
    return dict(zip(TOKENS, counts, strict=False))


def _all_tokens(seats: list[list[int]]) -> list[dict[str, int]]:
    return [_tokens(counts) for counts in seats]


def _bonuses(seats: list[list[int]]) -> list[dict[str, int]]:
    return [dict(zip(COLOURS, counts, strict=False)) for counts in seats]


def _decks(counts: list[int]) -> dict[int, int]:
    return dict(zip((1, 2, 3), counts, strict=False))
