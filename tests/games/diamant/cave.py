"""Scripted expeditions of Diamant: paths and choices in words."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from simlab import Table
from simlab.core.game import rule_book
from simlab.core.registry import bind_for, find_strategy
from simlab.core.strategy import Player
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


def wish(table: Table, spec: str) -> str:
    """Return the word that a strategy would play here; the table stays as it is."""
    return rule_book(GAME).actions[table.clone().advance(Player(bind_for(GAME, spec)))]


def signature(name: str) -> str:
    """Return a shipped strategy's name with all parameters and defaults."""
    return find_strategy(GAME.name, name).signature()


def small_box(folder: Path, rows: str) -> Path:
    """Write a card file of the rows "id category subtype value copies"; "-" is an empty cell."""
    lines = [
        ",".join("" if cell == "-" else cell for cell in row.split()) for row in rows.split(";")
    ]
    path = folder / "cards.csv"
    path.write_text("\n".join(["id,category,subtype,value,copies", *lines, ""]), encoding="utf-8")
    return path
