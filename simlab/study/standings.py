"""The games of a tournament added up for one field: balanced totals, and the pairs' own games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from simlab.analysis.buckets import Buckets, bucket_columns, bucket_totals
from simlab.analysis.stages import Stages, stage_totals
from simlab.running import dataset
from simlab.running.fields import Coverage, PairBlocks, coverage
from simlab.running.plan import Span
from simlab.study.field import Games, Piece
from simlab.study.folder import Part, part_of, unfinished
from simlab.study.settling import Meeting, Sequences, meetings

if TYPE_CHECKING:
    import polars as pl

PAIRED = ["game", "deal", "strategy", "win"]


class Standings:
    """Adds up the rows of a tournament for one field.

    rated: whether for ratings, too, which takes twice as long.
    """

    def __init__(
        self,
        folder: Path,
        games: Games,
        entrants: list[str],
        labels: list[str],
        level: float,
        rated: bool,
    ) -> None:
        self.folder, self.games, self.entrants = folder, games, entrants
        self.labels, self.level, self._rated = labels, level, rated
        self.parts: list[Part] = []
        self.stages: Stages | None = None
        self.totals = Buckets(labels)
        self._sequences: Sequences | None = None
        self._waiting = games.settling(entrants)
        self._extra: dict[tuple[int, int], int] = {}
        self._balanced()

    def _balanced(self) -> None:
        seen: list[Piece] = []
        for piece in self.games.counted(self.entrants):
            frames = self._frames(self._part(piece), piece)
            again = any(_overlap(piece, other) for other in seen)
            if self._rated:
                found = stage_totals(frames, labels=self.labels)
                if self.stages is None:
                    self.stages = found
                else:
                    self.stages.merge(found, same_deals=again)
                self.totals = self.stages.totals
            else:
                self.totals.merge(bucket_totals(frames, labels=self.labels), same_deals=again)
            seen.append(piece)

    def _part(self, piece: Piece) -> Part:
        """Return the rows of a part; UserError where it is not all there."""
        block = piece.seated(self.games.players).block
        path = self.folder / piece.folder
        wanted = Span(piece.first * block, (piece.first + piece.deals) * block)
        held = dataset.read_run_file(path).span if dataset.is_run(path) else Span(0, 0)
        if held.first > wanted.first or held.end < wanted.end:
            raise unfinished(self.folder)
        part = part_of(path, wanted.first, wanted.end)
        self.parts.append(part)
        return part

    def _frames(self, part: Part, piece: Piece) -> Iterator[pl.DataFrame]:
        """Yield rows of games of the field alone, strategies numbered as in the field."""
        import numpy as np
        import polars as pl

        place = {name: at for at, name in enumerate(self.entrants)}
        to = np.array([place.get(name, -1) for name in piece.field], np.int16)
        names = part.spec["line_up"]
        kind = pl.Enum(self.labels)
        plain = names == self.labels and (to >= 0).all()
        for rows in part.frames(bucket_columns()):
            if plain:
                yield rows
                continue
            codes = to[[names.index(word) for word in rows["strategy"].dtype.categories]]  # type: ignore[attr-defined]
            found = codes[rows["strategy"].to_physical().to_numpy()]
            inside = (found.reshape(-1, part.players) >= 0).all(axis=1)
            rows = rows.filter(pl.Series(np.repeat(inside, part.players)))
            kept = found[np.repeat(inside, part.players)].astype(np.uint8)
            yield rows.with_columns(pl.Series("strategy", kept).cat.to(kind))

    def take(self, piece: Piece) -> None:
        """Take in a part that was played for open pairs."""
        part, design = self._part(piece), piece.seated(self.games.players)
        assert isinstance(design, PairBlocks)
        assert self._sequences is not None
        places = [self.entrants.index(name) for name in piece.field]
        for rows in part.frames(PAIRED):
            self._sequences.add(rows, design, places)
        for first, second in design.pairs:
            both = places[first], places[second]
            pair = (min(both), max(both))
            self._extra[pair] = self._extra.get(pair, 0) + piece.deals * design.players

    def meetings(self, extra: int) -> list[Meeting]:
        """Return all pairs; extra: games that single pairs may get, 0 where they get none."""
        if extra and self._sequences is None:
            pairs = len(self.labels) * (len(self.labels) - 1) // 2
            each = 1 - (1 - self.level) / (2 * pairs)
            self._sequences = Sequences(self.totals, each, extra // self.games.players)
            for piece in self._waiting:
                self.take(piece)
            self._waiting = []
        return meetings(self.totals, self._sequences, self.level, self._extra)

    def extra_games(self) -> int:
        """Return how many games were played for single pairs."""
        return sum(
            piece.deals * piece.seated(self.games.players).block
            for piece in self.games.settling(self.entrants)
        )


def _overlap(one: Piece, other: Piece) -> bool:
    """Whether two parts are played on some of the same deals."""
    ends = one.first + one.deals, other.first + other.deals
    return max(one.first, other.first) < min(ends)


def labels_of(folder: Path, games: Games, entrants: Sequence[str]) -> list[str]:
    """Return the labels of a field, as its parts have them."""
    known: dict[str, str] = {}
    for piece in games.pieces:
        there = dataset.is_run(folder / piece.folder)
        if there and set(piece.field) & {*entrants} - {*known}:
            line_up = dataset.read_run_file(folder / piece.folder).spec["line_up"]
            known |= dict(zip(piece.field, line_up, strict=True))
    if len(known.keys() & {*entrants}) < len(entrants):
        raise unfinished(folder)
    return [known[name] for name in entrants]


def coverage_of(games: Games, entrants: Sequence[str]) -> Coverage | None:
    """Return how evenly the field was played; None where only some games of a part count."""
    pieces = games.counted(entrants)
    if any(set(piece.field) - {*entrants} for piece in pieces):
        return None
    designs = [(piece.seated(games.players), piece.deals) for piece in pieces]
    return coverage(*designs[0], also=designs[1:])
