"""Designs: on which deal each game of a run is played, and who sits where.

A design is a function of the game number alone, so a run can be cut, extended and resumed anywhere.
Each deal has a block of games that follow one another: game g is on deal g // block.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np


class Design(Protocol):
    """What a run needs to know of a design."""

    @property
    def block(self) -> int:
        """Games on each deal."""

    def entries(self, first: int, games: int) -> Any:
        """Return which entry of the line-up sits at each seat, i4 [games, seats]."""

    def document(self) -> Any:
        """Return what `run.json` says of it, in JSON types."""


@dataclass(frozen=True)
class Plain:
    """Each game on a deal of its own; entry i at seat (i + game) mod players, or at seat i."""

    players: int
    rotate: bool

    @property
    def block(self) -> int:
        """One game on each deal."""
        return 1

    def entries(self, first: int, games: int) -> Any:
        """Return the line-up, turned on by one seat from game to game."""
        seats = np.arange(self.players, dtype=np.int32)
        if not self.rotate:
            return np.tile(seats, (games, 1))
        turns = (np.arange(games, dtype=np.int64) + first % self.players) % self.players
        return ((seats - turns[:, None]) % self.players).astype(np.int32)

    def document(self) -> Any:
        """Return its name; how it rotates stands under `seats`."""
        return "plain"


@dataclass(frozen=True)
class Blocks:
    """Every deal is played by the same arrangements, one after another.

    arrangements: for each game of a block the entry of the line-up at each seat.
    """

    arrangements: tuple[tuple[int, ...], ...]

    @property
    def block(self) -> int:
        """As many games on each deal as there are arrangements."""
        return len(self.arrangements)

    def entries(self, first: int, games: int) -> Any:
        """Return the arrangement of each game."""
        places = (np.arange(games, dtype=np.int64) + first % self.block) % self.block
        return np.array(self.arrangements, np.int32)[places]

    def document(self) -> Any:
        """Return the arrangements."""
        return {"blocks": [list(seats) for seats in self.arrangements]}


def rotations(seats: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return the arrangements in which every entry holds every seat once, neighbours kept."""
    count = len(seats)
    return tuple(tuple(seats[(s - turn) % count] for s in range(count)) for turn in range(count))


def blocks_of(document: Any, players: int) -> Design | None:
    """Return the design of a question that a `run.json` speaks of; None for a plain run."""
    if not isinstance(document, dict):
        return None
    if "blocks" in document:
        return Blocks(tuple(tuple(int(e) for e in each) for each in document["blocks"]))
    from simlab.running.fields import field_design_of

    return field_design_of(document, players)
