"""Scripted expeditions of Diamant: paths and choices in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from simlab import Table
from simlab.games.diamant import GAME
from tests.harness import view_for


def cave(*paths: str, players: int = 3, rules: str = "standard", **changed: Any) -> Table:
    """Return a table whose expeditions begin with these cards, written "treasure_07 relic"."""
    stack = {"expedition": [path.split() for path in paths]}
    return Table(GAME, players, rules, changed, stack=stack)


def go(table: Table, *rounds: str) -> Table:
    """Play the choices of all who are asked, a round for each card: "leave stay stay"."""
    for choices in rounds:
        for word in choices.split():
            table.play(word)
    return table


def everybody(table: Table, *words: str) -> Table:
    """Let all who are inside make the same choice, card by card."""
    for word in words:
        for _ in range(int(table.public.inside_count)):
            table.play(word)
    return table


def seen(table: Table) -> dict[str, Any]:
    """Return the public things in words: path, inside, carried, deck as id -> copies ..."""
    faces = np.array([table.public], GAME.table)
    shown: dict[str, Any] = view_for(GAME, table.book).publics(faces)[0]
    return shown


def in_deck(table: Table, kind: str) -> int:
    """Return how many cards whose id begins so are in the draw deck."""
    deck: Mapping[str, int] = seen(table)["deck"]
    return sum(copies for card, copies in deck.items() if card.startswith(kind))


def carried(table: Table) -> list[int]:
    """Return what each explorer carries."""
    values: list[int] = seen(table)["carried"]
    return values
