"""Card and noble files of one's own for Splendor, written by rows or drawn at random."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from pathlib import Path

from simlab.games.splendor.actions import COLOURS
from simlab.games.splendor.setup import CARD_COLUMNS, NOBLE_COLUMNS

Row = Sequence[object]


def write(folder: Path, name: str, columns: Iterable[str], rows: Iterable[Row]) -> Path:
    """Write a file and return its path."""
    path = folder / f"{name}.csv"
    lines = [",".join(map(str, row)) for row in [tuple(columns), *rows]]
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return path


def cards_file(folder: Path, rows: Iterable[Row]) -> Path:
    """Write cards: id, level, bonus, points and the cost in five colours."""
    return write(folder, "cards", CARD_COLUMNS, rows)


def nobles_file(folder: Path, rows: Iterable[Row]) -> Path:
    """Write nobles: id, points and the wishes in five colours."""
    return write(folder, "nobles", NOBLE_COLUMNS, rows)


def drawn_cards(rng: random.Random) -> list[Row]:
    """Return cards of any number, cost and points that a file may hold, levels in any order."""
    most, points = rng.choice([0, 1, 2, 3, 4, 7, 20]), rng.choice([0, 1, 3, 5, 20])
    counts = [rng.choice([4, 4, 5, 8, 15, 33]) for _ in range(3)]
    levels = [level for level, count in enumerate(counts, 1) for _ in range(count)]
    rng.shuffle(levels)
    return [
        (
            f"c{number}.{level}_x-",
            level,
            rng.choice(COLOURS),
            rng.randint(0, points),
            *cost(rng, most),
        )
        for number, level in enumerate(levels)
    ]


def cost(rng: random.Random, most: int) -> list[int]:
    """Return a number for each colour, some of them 0."""
    return [rng.choice([0, rng.randint(0, most)]) for _ in COLOURS]


def drawn_nobles(rng: random.Random) -> list[Row]:
    """Return nobles of any number and points; they wish for one bonus at least."""
    most = rng.choice([1, 2, 4])
    found = []
    for number in range(rng.choice([5, 6, 20])):
        wishes = cost(rng, most)
        wishes[rng.randrange(5)] += 1
        found.append((f"n{number}", rng.choice([0, 1, 3, 20]), *wishes))
    return found


def small_box(folder: Path, text: str) -> Path:
    """Write cards "id level bonus points cost" with the cost in five digits, apart by semicolons.

    Twelve cards of each level that nobody can pay are added: x1.0, x1.1, ...
    """
    rows: list[Row] = []
    for card in filter(None, map(str.strip, text.split(";"))):
        *head, digits = card.split()
        rows.append((*head, *digits))
    rows += [
        (f"x{level}.{number}", level, "white", 0, 9, 9, 9, 9, 9)
        for level in (1, 2, 3)
        for number in range(12)
    ]
    return cards_file(folder, rows)


def small_court(folder: Path, text: str) -> Path:
    """Write nobles "id points wishes", apart by semicolons; five that never come are added."""
    rows: list[Row] = []
    for noble in filter(None, map(str.strip, text.split(";"))):
        *head, digits = noble.split()
        rows.append((*head, *digits))
    return nobles_file(folder, [*rows, *((f"x{n}", 3, 9, 9, 9, 9, 9) for n in range(5))])
