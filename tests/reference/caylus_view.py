"""Reads the records of Caylus in the words of its referee."""

from __future__ import annotations

from typing import Any

import numpy as np

from simlab.core.game import RuleBook
from simlab.games.caylus.actions import KINDS, PLAIN, SPACES, tile_ids

ONE_BY_ONE = {
    "round": "rounds",
    "phase": "phase",
    "bailiff": "bailiff",
    "provost": "provost",
    "section": "section",
}
SPECIALS = {"gate": 2, "trading_post": 3, "guild": 4, "joust": 5}


class View:
    """Reads records of games that are played under one rule book."""

    def __init__(self, book: RuleBook) -> None:
        self._book = book
        ids = tile_ids(book)
        self._tiles = [None, *(tile or None for tile in ids[1:])]
        self._supply: dict[int, list[str]] = {}
        self._ids = ids

    def referee_rules(self) -> dict[str, Any]:
        """Return the rule values and the rows of all files."""
        return {**self._book.values, **self._book.rows}

    def publics(self, tables: Any) -> list[dict[str, Any]]:
        """Return for each of many public records what the referee's `public()` says too."""
        players = int(tables["players"][0])
        columns = {name: tables[field].tolist() for name, field in ONE_BY_ONE.items()}
        columns |= {
            "turn_order": tables["order"][:, :players].tolist(),
            "pass_order": _listed(tables["pass_order"], tables["passed"]),
            "deniers": tables["deniers"][:, :players].tolist(),
            "points": tables["points"][:, :players].tolist(),
            "cubes": _cubes(tables, players),
            "favors": tables["marker"][:, :players].tolist(),
            "workers": tables["workers"][:, :players].tolist(),
            "parts": tables["parts"][:, :players, :3].tolist(),
            "road": [[self._tiles[n] for n in row] for row in _spaces(tables["tile"])],
            "owners": _seats(_spaces(tables["owner"])),
            "workers_on": _seats(_spaces(tables["worker"])),
            "pending": _seats(_spaces(tables["pending"])),
            "inn": _seats(tables["inn"].tolist()),
            "stables": _seats(tables["stables"][:, 1:].tolist()),
            "castle": _listed(tables["queue"], tables["queued"]),
            "supply": [self._in_supply(mask) for mask in tables["supply"].tolist()],
        }
        for name, code in SPECIALS.items():
            columns[name] = _seats([tables["special"][:, code].tolist()])[0]
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def _in_supply(self, mask: int) -> list[str]:
        if mask not in self._supply:
            self._supply[mask] = sorted(t for n, t in enumerate(self._ids) if mask >> n & 1)
        return self._supply[mask]


def _spaces(rows: Any) -> list[list[int]]:
    return list(np.asarray(rows)[:, 1 : SPACES + 1].tolist())


def _seats(rows: list[list[int]]) -> list[list[int | None]]:
    return [[seat if seat >= 0 else None for seat in row] for row in rows]


def _listed(rows: Any, counts: Any) -> list[list[int]]:
    pairs = zip(rows.tolist(), counts.tolist(), strict=True)
    return [row[:count] for row, count in pairs]


def _cubes(tables: Any, players: int) -> list[list[dict[str, int]]]:
    plain = tables["cubes"][:, :players].tolist()
    gold = tables["gold"][:, :players].tolist()
    return [
        [
            {**dict(zip(PLAIN, cubes, strict=True)), KINDS[4]: more}
            for cubes, more in zip(row, golds, strict=True)
        ]
        for row, golds in zip(plain, gold, strict=True)
    ]
