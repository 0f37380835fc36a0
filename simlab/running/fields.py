"""Line-ups of a tournament: who of a field of k strategies sits together, on which deal.

The field is the spec's line-up, and what sits at a seat is a place in it. A line-up on a deal is
played in n games, the n rotations of one cyclic order, so that every strategy holds every seat
once. The order is drawn by the keys of those who sit there, and so is the same in any field.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from simlab.core.rng import GAMMA, S32, numbered, scramble
from simlab.errors import UserError, one_of, shown
from simlab.running.filling import CYCLE, Schedule, keyed, line_ups_of, schedule, tally

VERSION = 1  # of how documents become line-ups; a changed fill or mixing makes it another
MOST_LINE_UPS = 1_000_000
LEAST_DEALS = 200
MIN_MEET = 30
ALL_DISTINCT, ROUNDS = "all distinct", "rounds"
SEATING = np.uint64(0x6C62272E07BB0142)
COMPANIONS = np.uint64(0xB5297A4D3F84D5B5)
DRAWN_AT_ONCE = 1 << 16


def check_field(k: int, players: int) -> None:
    """Raise UserError where k strategies cannot fill the seats without one sitting twice."""
    if players < 2:
        raise UserError("a tournament needs at least 2 seats; compare scores with simlab run.")
    if k < 2:
        raise UserError(f"a tournament needs at least 2 strategies; {k} was given.")
    if k < players:
        raise UserError(
            f"{k} strategies cannot fill {players} seats with each at most once; name at least "
            f"{players} strategies, or play with fewer seats (--players)."
        )


def choose(k: int, players: int, games: int) -> str:
    """Return ALL_DISTINCT where so many games give each distinct line-up 200 deals, else ROUNDS."""
    check_field(k, players)
    enough = games >= LEAST_DEALS * players * math.comb(k, players)
    return ALL_DISTINCT if enough and math.comb(k, players) <= MOST_LINE_UPS else ROUNDS


@functools.lru_cache(maxsize=16)
def _marks(keys: tuple[int, ...]) -> Any:
    """Return the keys, mixed, u8 [k]."""
    return scramble(np.array(keys, "u8"))


@dataclass(frozen=True)
class FieldDesign:
    """What the designs of a field share; each says which line-ups are on a deal.

    players: seats n; seed: of the run; keys: a number below 2**64 for each strategy of the field,
    the same wherever that strategy plays. UserError where these make no tournament.
    """

    players: int
    seed: int
    keys: tuple[int, ...]

    def __post_init__(self) -> None:
        check_field(self.k, self.players)
        seen: dict[int, int] = {}
        for place, key in enumerate(self.keys):
            if seen.setdefault(key, place) != place:
                raise UserError(
                    f"strategies {seen[key] + 1} and {place + 1} of the field are the same; name "
                    "each once."
                )

    @property
    def k(self) -> int:
        """Strategies of the field."""
        return len(self.keys)

    @property
    def line_ups(self) -> int:
        """Line-ups on each deal."""
        raise NotImplementedError

    @property
    def block(self) -> int:
        """Games on each deal."""
        return self.line_ups * self.players

    def teams(self, deals: Any, places: Any) -> Any:
        """Return who plays line-up `places` of `deals` (both i8 [m]), i4 [m, n], in any order."""
        raise NotImplementedError

    def counts(self, deals: int) -> Any:
        """Return in how many line-ups of the first `deals` deals two met, i8 [k, k].

        On the diagonal: in how many each was.
        """
        raise NotImplementedError

    def entries(self, first: int, games: int) -> Any:
        """Return who sits at each seat of games `first`, `first + 1` ..., i4 [games, seats]."""
        n = self.players
        start = first // n
        blocks = -(-(first + games) // n) - start
        deal, place = divmod(start, self.line_ups)
        places = np.arange(place, place + blocks, dtype=np.int64)
        deals = places // self.line_ups
        places -= deals * self.line_ups
        deals += deal
        order = self._ordered(self.teams(deals, places), deals)
        seats = np.arange(n)
        games_of = np.ascontiguousarray(order[:, (seats - seats[:, None]) % n], np.int32)
        skipped = first - start * n
        return games_of.reshape(-1, n)[skipped : skipped + games]

    def _ordered(self, teams: Any, deals: Any) -> Any:
        """Return teams in the cyclic order drawn by (seed, line-up, deal)."""
        marks = _marks(self.keys)[teams]
        line_up = scramble(numbered(keyed(self.seed, SEATING), deals) + marks.sum(axis=1))
        drawn = scramble(line_up[:, None] + marks)
        return np.take_along_axis(teams, np.argsort(drawn, axis=1), axis=1)

    def document(self) -> Any:
        """Return all that decides the entries but the number of seats, in JSON types."""
        kind = next(name for name, found in KINDS.items() if type(self) is found)
        values = {field.name: _listed(getattr(self, field.name)) for field in fields(self)}
        del values["players"]
        keys = [f"{key:016x}" for key in self.keys]
        return {"kind": kind, "version": VERSION} | values | {"keys": keys}


@dataclass(frozen=True)
class AllDistinct(FieldDesign):
    """Every deal is played by all line-ups of n different strategies, in lexicographic order.

    holding: only line-ups that hold at least one of these strategies (places in the field), as
    a field needs that they were added to; () for all line-ups.
    """

    holding: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_places(self.holding, self.k, "holding")
        if self.line_ups > MOST_LINE_UPS:
            raise UserError(
                f"{self.k} strategies at {self.players} seats make {self.line_ups:,} line-ups, "
                f"more than the {MOST_LINE_UPS:,} that a deal can have; play balanced rounds."
            )

    @property
    def line_ups(self) -> int:
        """All line-ups, or all that hold one of those to be held."""
        return self._with(0, self.holding)

    def _with(self, members: int, holding: tuple[int, ...]) -> int:
        """Return how many line-ups hold `members` given ones and one of `holding`, if any."""
        left, seats = self.k - members, self.players - members
        without = math.comb(max(left - len(holding), 0), seats) if holding else 0
        return math.comb(left, seats) - without

    def teams(self, deals: Any, places: Any) -> Any:
        """Return the line-ups of these places."""
        return _distinct(self.k, self.players, self.holding)[places]

    def counts(self, deals: int) -> Any:
        """Count by binomial coefficients."""
        held = np.isin(np.arange(self.k), self.holding)
        values = [[self._with(m, h) for h in ((), self.holding)] for m in (1, 2)]
        found = np.where(held | held[:, None], *values[1])
        np.fill_diagonal(found, np.where(held, *values[0]))
        return found * deals


@functools.lru_cache(maxsize=4)
def _distinct(k: int, n: int, holding: tuple[int, ...]) -> Any:
    """Return the line-ups of n out of k in lexicographic order, i4 [line-ups, n]."""
    if not holding:
        return _combinations(range(k), n)
    parts = []
    for place, held in enumerate(holding):
        others = [each for each in range(k) if each not in holding[: place + 1]]
        part = _combinations(others, n - 1)
        parts.append(np.column_stack([part, np.full(len(part), held, "i4")]))
    found = np.sort(np.concatenate(parts), axis=1)
    return found[np.lexsort(found.T[::-1])]


def _combinations(members: Sequence[int], n: int) -> Any:
    count = math.comb(len(members), n)
    flat = itertools.chain.from_iterable(itertools.combinations(members, n))
    return np.fromiter(flat, "i4", count * n).reshape(count, n)


class _Scheduled(FieldDesign):
    """A design whose deal d plays round d mod cycle of a schedule."""

    cycle: int

    @property
    def schedule(self) -> Schedule:
        """The rounds, made as far as they are asked for."""
        raise NotImplementedError

    def teams(self, deals: Any, places: Any) -> Any:
        """Return the line-ups of the rounds of these deals."""
        rounds = deals % self.cycle
        found = self.schedule.first(int(rounds.max(initial=-1)) + 1)
        return found[rounds, places]

    def counts(self, deals: int) -> Any:
        """Count the rounds of a cycle, and those of the rest."""
        cycles, rest = divmod(deals, self.cycle)
        whole = self.schedule.first(self.cycle if cycles else rest)
        found = tally(whole[:rest].reshape(-1, self.players), self.k)
        if cycles:
            found += cycles * tally(whole[: self.cycle].reshape(-1, self.players), self.k)
        return found


@dataclass(frozen=True)
class Rounds(_Scheduled):
    """Balanced rounds: each deal is played by k/gcd(k, n) line-ups, each strategy in equally many.

    cycle: rounds before they begin again; odd, so that every bucket of deals meets all of them.
    """

    cycle: int = CYCLE

    @property
    def line_ups(self) -> int:
        """Line-ups of a round."""
        return line_ups_of(self.k, self.players)

    @property
    def schedule(self) -> Schedule:
        """The balanced rounds of this field."""
        return schedule(self.k, self.players, self.seed)


@dataclass(frozen=True)
class Led(_Scheduled):
    """Line-ups led by the last strategy of the field, which was added to rounds, on their deals.

    base: strategies of those rounds, which come first in the field; any between them and the last
    were added before, one after another. On each deal the leader is in as many line-ups as each
    of the base is in the rounds, with partners that it met equally often.
    """

    base: int
    cycle: int = CYCLE

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.players <= self.base < self.k:
            raise UserError(
                f"the rounds that strategy {self.k} of the field is added to must have "
                f"{self.players} to {self.k - 1} strategies, not {self.base}."
            )

    @classmethod
    def after(cls, earlier: Rounds | Led, key: int) -> Led:
        """Return the line-ups of one more strategy, whose key is given."""
        base = earlier.base if isinstance(earlier, Led) else earlier.k
        return cls(earlier.players, earlier.seed, (*earlier.keys, key), base, earlier.cycle)

    @property
    def line_ups(self) -> int:
        """As many as hold each of the base in the rounds."""
        return line_ups_of(self.base, self.players, self.k - self.base)

    @property
    def schedule(self) -> Schedule:
        """The rounds that the last strategy leads."""
        return schedule(self.base, self.players, self.seed, self.k - self.base)


@dataclass(frozen=True)
class PairBlocks(FieldDesign):
    """Each deal is played by one line-up for each of some pairs: both, and n - 2 others.

    pairs: places in the field. The others are drawn uniformly from the rest of the field, without
    repetition, by (seed, keys of the pair, deal).
    """

    pairs: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.pairs:
            raise UserError("pair blocks need at least one pair of strategies.")
        for pair in self.pairs:
            _check_places(pair, self.k, "a pair")
        if len({frozenset(pair) for pair in self.pairs}) < len(self.pairs):
            raise UserError("a pair of strategies is named twice for pair blocks; name it once.")

    @property
    def line_ups(self) -> int:
        """One for each pair."""
        return len(self.pairs)

    def teams(self, deals: Any, places: Any) -> Any:
        """Return the pairs of these places with companions drawn for these deals."""
        pairs = np.array(self.pairs, np.int32)[places]
        marks = _marks(self.keys)[pairs].sum(axis=1)
        state = scramble(numbered(keyed(self.seed, COMPANIONS), deals) + marks)
        taken = np.sort(pairs, axis=1)
        teams, steps = pairs, np.arange(self.players, dtype=np.uint64) * GAMMA
        for drawn in range(2, self.players):
            bits = scramble(state + steps[drawn]) >> S32
            chosen = ((bits * np.uint64(self.k - drawn)) >> S32).astype(np.int32)
            for column in taken.T:  # count on past those who are taken, in ascending order
                chosen += chosen >= column
            teams = np.column_stack([teams, chosen])
            taken = np.sort(teams, axis=1)
        return teams

    def counts(self, deals: int) -> Any:
        """Count what was drawn, deal by deal."""
        found = np.zeros((self.k, self.k), np.int64)
        for start in range(0, deals * self.line_ups, DRAWN_AT_ONCE):
            blocks = np.arange(start, min(start + DRAWN_AT_ONCE, deals * self.line_ups))
            found += tally(self.teams(*np.divmod(blocks, self.line_ups)), self.k)
        return found


def _check_places(places: tuple[int, ...], k: int, what: str) -> None:
    """Raise UserError for strategies that the field does not have, or that are named twice."""
    wrong = [place for place in places if not 0 <= place < k]
    if wrong:
        raise UserError(
            f"{what} names strategy {wrong[0]}, but the field has the strategies 0 to {k - 1}."
        )
    if len(set(places)) < len(places):
        raise UserError(f"{what} names a strategy twice; name each once.")


@dataclass(frozen=True)
class Coverage:
    """How evenly a field was played, counted in line-ups (each is n games).

    appearances, meetings: the least and the most of any strategy, of any pair; ideal: meetings of
    every pair if all were equal; few: pairs (places in the field) that met too seldom.
    """

    line_ups: int
    appearances: tuple[int, int]
    meetings: tuple[int, int]
    ideal: float
    few: tuple[tuple[int, int], ...]


def coverage(
    design: FieldDesign,
    deals: int,
    also: Sequence[tuple[FieldDesign, int]] = (),
    min_meet: int = MIN_MEET,
) -> Coverage:
    """Return how evenly the first `deals` deals of a design cover its field.

    also: further designs and their deals, of the same field or of one it was before strategies
    were added at its end. min_meet: line-ups that every pair should meet in.
    """
    parts = [(design, deals), *also]
    k = max(part.k for part, _ in parts)
    counts = np.zeros((k, k), np.int64)
    for part, many in parts:
        counts[: part.k, : part.k] += part.counts(many)
    total = sum(part.line_ups * many for part, many in parts)
    n = design.players
    first, second = np.triu_indices(k, 1)
    met, each = counts[first, second], counts.diagonal()
    short = np.flatnonzero(met < min_meet)
    return Coverage(
        line_ups=total,
        appearances=(int(each.min()), int(each.max())),
        meetings=(int(met.min()), int(met.max())),
        ideal=total * n * (n - 1) / (k * (k - 1)),
        few=tuple((int(first[i]), int(second[i])) for i in short),
    )


KINDS: Mapping[str, type[FieldDesign]] = {
    ALL_DISTINCT: AllDistinct,
    ROUNDS: Rounds,
    "led": Led,
    "pairs": PairBlocks,
}


def field_design_of(document: Mapping[str, Any], players: int) -> FieldDesign:
    """Return the design that a document speaks of; UserError for one of another simlab."""
    values = {name: _tupled(value) for name, value in document.items()}
    kind, version = str(values.pop("kind", None)), values.pop("version", None)
    if kind not in KINDS:
        raise one_of("design", kind, KINDS)
    if version != VERSION:
        raise UserError(
            f"the line-ups '{kind}' were drawn in way {shown(version)}; this simlab knows way "
            f"{VERSION}, so play the run again into another folder."
        )
    values["keys"] = tuple(int(key, 16) for key in values["keys"])
    return KINDS[kind](players, **values)


def _listed(value: Any) -> Any:
    return [_listed(each) for each in value] if isinstance(value, tuple) else value


def _tupled(value: Any) -> Any:
    return tuple(_tupled(each) for each in value) if isinstance(value, list) else value
