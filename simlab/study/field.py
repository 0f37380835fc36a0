"""The games of a tournament: which there are, and which are still to be played.

Games lie in parts, each a run of its own. Parts on the same deals make an era: the base, seated by
a design for its whole field, and line-ups added for each strategy that came later. Pairs that were
not settled have parts of their own. A strategy is known by its source, so that a changed one is a
new one. No cell is ever removed or numbered anew.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from simlab.core.game import Game
from simlab.core.strategy import Bound
from simlab.core.twin import digest
from simlab.running.fields import (
    ALL_DISTINCT,
    AllDistinct,
    FieldDesign,
    Led,
    PairBlocks,
    Rounds,
    choose,
    field_design_of,
)
from simlab.running.fingerprint import strategy_files

BASE, ADDED, PAIRS = "base", "added", "pairs"
FAR = 2**41
"""Deals of pairs begin here, where no balanced part comes to."""


def identity(game: Game, bound: Bound) -> str:
    """Return what a strategy is known by: 16 hex digits of its spec and sources."""
    files: dict[str, str] = {}
    for node in bound.nodes():
        files |= strategy_files(node.strategy, game.folder.resolve())
    return digest(bound.full, *(f"{name} {text}" for name, text in sorted(files.items())))[:16]


@dataclass
class Piece:
    """One part of a tournament, as `study.json` has it.

    folder: below the tournament's; era: which deals; field: identities in the order of the line-up;
    design: as its document; first, deals: the deals it is to hold.
    """

    folder: str
    role: str
    era: int
    field: list[str]
    design: dict[str, Any]
    first: int
    deals: int

    def seated(self, players: int) -> FieldDesign:
        """Return its design."""
        return field_design_of(self.design, players)


@dataclass
class Games:
    """All parts of a tournament for so many players, and what to play next."""

    players: int
    seed: int
    pieces: list[Piece] = field(default_factory=list)

    @classmethod
    def read(cls, notes: Mapping[str, Any]) -> Games:
        """Return what `study.json` says."""
        pieces = [Piece(**entry) for entry in notes["pieces"]]
        return cls(notes["players"], notes["seed"], pieces)

    def notes(self) -> dict[str, Any]:
        """Return what `study.json` is to say."""
        pieces = [asdict(piece) for piece in self.pieces]
        return {"players": self.players, "seed": self.seed, "pieces": pieces}

    def eras(self) -> dict[int, list[Piece]]:
        """Return the balanced parts of each era."""
        found: dict[int, list[Piece]] = {}
        for piece in self.pieces:
            if piece.role != PAIRS:
                found.setdefault(piece.era, []).append(piece)
        return found

    def counted(self, entrants: Sequence[str]) -> list[Piece]:
        """Return the balanced parts whose games count for a field: of eras that hold all of it.

        Line-ups that were added for strategies outside the field have no game of it alone.
        """
        wanted = set(entrants)
        return [
            piece
            for era in self.eras().values()
            if wanted <= set(era[-1].field)
            for piece in era
            if self._fitting(piece, entrants)
        ]

    def settling(self, entrants: Sequence[str]) -> list[Piece]:
        """Return the parts for single pairs of exactly this field."""
        wanted = set(entrants)
        return [p for p in self.pieces if p.role == PAIRS and set(p.field) == wanted]

    def unfinished(self, entrants: Sequence[str], held: Mapping[str, int]) -> list[Piece]:
        """Return the parts of these entrants that were begun; held: folder -> deals on disk."""
        wanted = set(entrants)
        return [
            piece
            for piece in self.pieces
            if set(piece.field) <= wanted
            and (piece.role != PAIRS or set(piece.field) == wanted)
            and held.get(piece.folder, 0) < piece.deals
        ]

    def cut_short(self, held: Mapping[str, int]) -> None:
        """Take every era to be as long as its base came to be; held: folder -> deals on disk.

        What was begun and not ended is then played as far as is asked for now.
        """
        for era in self.eras().values():
            there = max(held.get(era[0].folder, 0), 1)
            if there < era[0].deals:
                for piece in era:
                    piece.deals = there

    def enough(self, entrants: Sequence[str], games: int) -> list[Piece]:
        """Add or lengthen parts so that so many balanced games of a field will be there.

        Returns the parts that are to be played. Strategies that came new are added to the era that
        has the most deals; games of line-ups with others than the entrants do not count.
        """
        changed = self._added(entrants)
        counted = self.counted(entrants)
        there = int(sum(self._fitting(piece, entrants) * piece.deals for piece in counted))
        if there >= games and counted:
            return changed
        whole = [era for era in self.eras().values() if set(era[-1].field) == set(entrants)]
        if not whole:
            same = [piece.field for piece in counted if set(piece.field) == set(entrants)]
            order = same[0] if same else entrants  # so that places mean the same in all parts
            return [*changed, *self._begun(order, max(games - there, 1))]
        era = whole[-1]
        block = sum(piece.seated(self.players).block for piece in era)
        deals = era[0].deals + max((games - there) // block, 0)
        for piece in era:
            if piece.deals < deals:
                piece.deals = deals
                changed += [] if piece in changed else [piece]
        return changed

    def _fitting(self, piece: Piece, entrants: Sequence[str]) -> float:
        """Return how many games of a deal have entrants alone, on average."""
        design, n, k = piece.seated(self.players), self.players, len(piece.field)
        there = [name in set(entrants) for name in piece.field]
        if all(there):
            return design.block
        wanted = sum(there)
        if isinstance(design, AllDistinct):
            held = sum(there[place] for place in design.holding)
            without = math.comb(wanted - held, n) if design.holding else 0
            return n * (math.comb(wanted, n) - without)
        if isinstance(design, Led):  # the leader, and others of the field
            others = math.comb(wanted - 1, n - 1) / math.comb(k - 1, n - 1)
            return design.block * others if there[-1] else 0.0
        return design.block * math.comb(wanted, n) / math.comb(k, n)

    def _added(self, entrants: Sequence[str]) -> list[Piece]:
        """Add line-ups for strategies that the longest fitting era does not have."""
        if self.counted(entrants):
            return []
        wanted = set(entrants)
        fitting = [era for era in self.eras().values() if set(era[-1].field) <= wanted]
        if not fitting:
            return []
        era = max(fitting, key=lambda pieces: pieces[0].deals)
        last, new = era[-1], [name for name in entrants if name not in era[-1].field]
        design, first, made = last.seated(self.players), last.first, []
        if isinstance(design, AllDistinct):
            keys = (*design.keys, *(int(name, 16) for name in new))
            holding = tuple(range(len(design.keys), len(keys)))
            grown = AllDistinct(self.players, self.seed, keys, holding)
            made = [self._piece(ADDED, last.era, [*last.field, *new], grown, first, last.deals)]
        else:
            names = list(last.field)
            for name in new:
                assert isinstance(design, (Rounds, Led))
                design, names = Led.after(design, int(name, 16)), [*names, name]
                made.append(self._piece(ADDED, last.era, names, design, first, last.deals))
        return made

    def _begun(self, entrants: Sequence[str], games: int) -> list[Piece]:
        """Begin an era for a field, on deals that none has, where it is worth a deal."""
        keys = tuple(int(name, 16) for name in entrants)
        eras = self.eras()
        first = max((era[0].first + era[0].deals for era in eras.values()), default=0)
        kind = AllDistinct if choose(len(keys), self.players, games) == ALL_DISTINCT else Rounds
        design = kind(self.players, self.seed, keys)
        deals = games // design.block
        if not deals and self.counted(entrants):
            return []
        return [self._piece(BASE, len(eras), list(entrants), design, first, max(deals, 1))]

    def settle(
        self, entrants: Sequence[str], pairs: Sequence[tuple[int, int]], games: int
    ) -> Piece:
        """Add a part of so many games (at least one deal) for pairs of entrants, by place."""
        keys = tuple(int(name, 16) for name in entrants)
        design = PairBlocks(self.players, self.seed, keys, tuple(pairs))
        others = [piece for piece in self.pieces if piece.role == PAIRS]
        first = max((piece.first + piece.deals for piece in others), default=FAR)
        deals = max(games // design.block, 1)
        return self._piece(PAIRS, -1, list(entrants), design, first, deals)

    def _piece(
        self, role: str, era: int, names: list[str], design: FieldDesign, first: int, deals: int
    ) -> Piece:
        folder = f"part-{len(self.pieces):03d}"
        piece = Piece(folder, role, era, names, design.document(), first, deals)
        self.pieces.append(piece)
        return piece
