"""Which games are still to be played, shard by shard.

A shard is one file: a fixed range of game numbers, so that it holds the same games however a run
was cut, extended or resumed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from simlab.errors import UserError


@dataclass(frozen=True)
class Span:
    """Games first to end - 1."""

    first: int
    end: int

    @property
    def games(self) -> int:
        """How many games there are."""
        return max(self.end - self.first, 0)

    def joined(self, other: Span) -> Span:
        """Return the smallest span that holds both; an empty one does not count."""
        if not self.games or not other.games:
            return self if self.games else other
        return Span(min(self.first, other.first), max(self.end, other.end))


@dataclass(frozen=True)
class Piece:
    """A shard that must be written: number, the games it will hold, and those already on disk."""

    number: int
    target: Span
    present: Span

    def missing(self) -> list[Span]:
        """Return the games to be played, before and after those on disk."""
        if not self.present.games:
            return [self.target]
        before = Span(self.target.first, self.present.first)
        after = Span(self.present.end, self.target.end)
        return [span for span in (before, after) if span.games]


def pieces(asked: Span, present: Mapping[int, Span], shard_games: int) -> Iterator[Piece]:
    """Yield the shards to be written so that a folder holds the asked games too, in order.

    present: shard number -> games on disk. Raises UserError where a gap would be left.
    """
    for number in range(asked.first // shard_games, -(-asked.end // shard_games)):
        low = number * shard_games
        part = Span(max(asked.first, low), min(asked.end, low + shard_games))
        there = present.get(number, Span(0, 0))
        target = there.joined(part)
        if target.games > there.games:
            yield Piece(number, target, there)


def check_gapless(asked: Span, held: Span, folder: str) -> None:
    """Raise UserError if the asked games do not touch those that a folder holds."""
    if held.games and asked.games and (asked.first > held.end or asked.end < held.first):
        raise UserError(
            f"{folder} holds games {held.first:,} to {held.end - 1:,}; games {asked.first:,} to "
            f"{asked.end - 1:,} would leave a gap. Choose another --out or a nearer --first-game."
        )
