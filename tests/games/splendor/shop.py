"""Scripted games of Splendor: what lies where, and turns in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from simlab import Table
from simlab.games.splendor import GAME
from tests.games.splendor.boxes import small_box, small_court
from tests.harness import view_for

TAKE = "take white blue green"


def shop(
    level1: str = "",
    level2: str = "",
    level3: str = "",
    tiles: str = "",
    *,
    players: int = 2,
    rules: str = "standard",
    bars: Mapping[int, Sequence[str]] | None = None,
    **changed: Any,
) -> Table:
    """Return a table on whose decks these cards and nobles lie on top, written "L1-W1 L1-K2"."""
    tops = {"level1": level1, "level2": level2, "level3": level3, "nobles": tiles}
    stack = {deck: ids.split() for deck, ids in tops.items() if ids}
    return Table(GAME, players, rules, changed, stack=stack, bars=bars)


def own_shop(
    folder: Path, cards: str = "", nobles: str = "", tops: str | None = None, **more: Any
) -> Table:
    """Return a table with a small box and a small court; all cards named lie in the market.

    tops: what lies on the decks instead.
    """
    more["cards"], more["nobles"] = small_box(folder, cards), small_court(folder, nobles)
    rows = [card.split() for card in cards.split(";") if card.strip()]
    ids = [row[0] for row in rows] if tops is None else tops.split()
    levels = {row[0]: row[1] for row in rows}
    decks = {"1": "", "2": "", "3": ""}
    for card in ids:
        decks[levels[card] if card in levels else card[1]] += f" {card}"  # x2.7 is of level 2
    court = " ".join(noble.split()[0] for noble in nobles.split(";") if noble.strip())
    return shop(decks["1"], decks["2"], decks["3"], court, **more)


def go(table: Table, *words: str) -> Table:
    """Play words, whoever is asked."""
    for word in words:
        table.play(word)
    return table


def words(table: Table, kind: str = "") -> set[str]:
    """Return the legal words, or those that begin with this word."""
    legal = {action.word for action in table.legal()}
    return {word for word in legal if not kind or word.split()[0] == kind}


def forced(table: Table) -> list[tuple[int | None, str | None]]:
    """Return who did what without being asked."""
    return [(entry.seat, entry.word) for entry in table.log if entry.kind == "forced"]


def seen(table: Table) -> dict[str, Any]:
    """Return the public things in words: bank, market, tokens of each seat ..."""
    faces = np.array([table.public], GAME.table)
    shown: dict[str, Any] = view_for(GAME, table.book).publics(faces)[0]
    return shown


def held(table: Table, seat: int) -> dict[str, int]:
    """Return the tokens that a seat has, by those it has."""
    tokens: dict[str, int] = seen(table)["tokens"][seat]
    return {token: count for token, count in tokens.items() if count}


def bank(table: Table) -> list[int]:
    """Return the tokens in the bank: white, blue, green, red, black, gold."""
    return list(seen(table)["bank"].values())
