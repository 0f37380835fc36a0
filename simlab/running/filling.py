"""Balanced rounds: who sits together, filled greedily so that all strategies meet equally often.

A round is some line-ups on one deal. In the rounds of a field of `base` strategies each is in
equally many of them; strategies that are added later lead line-ups of their own on the same deals.
The greedy fill is ours; see Cochran and Cox 1957, chapters 9 and 11, for what it stands in for.
"""

from __future__ import annotations

import functools
import math
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from simlab.core import cache
from simlab.core.functions import rule, shared
from simlab.core.records import RNG, make, plain_arithmetic
from simlab.core.rng import GAMMA, below, numbered, scramble, stream

TRIES = 8
TAKEN = -1
CYCLE = 4095  # odd, so that every bucket (deal mod 1024) meets every round
AT_ONCE = 64
TALLIED = 1 << 16
FILLING = np.uint64(0x8CB92BA72F3D8DD7)
_lock = threading.RLock()


def keyed(seed: int, purpose: Any) -> Any:
    """Return the key (u8) of everything that is drawn under a seed for one purpose (u8)."""
    with plain_arithmetic():
        return scramble((np.uint64(seed) ^ purpose) + GAMMA)


@rule
def count_meetings(team: Any, meets: Any) -> None:
    """Add a team to the counts of who met whom, i8 [k, k]."""
    for i in range(team.shape[0]):
        for j in range(i):
            meets[team[i], team[j]] += 1
            meets[team[j], team[i]] += 1


@rule
def next_member(sums: Any, most: Any, tied: Any, played: Any, rng: Any) -> Any:
    """Return who joins a team: the least-played, of these the least met by it, of these anyone.

    sums, most: sum and maximum of how often each met the members (sums is TAKEN for members).
    """
    count = 0
    for each in range(played.shape[0]):
        if sums[each] == TAKEN:
            continue
        if count > 0:
            best = tied[0]
            ahead = played[each] - played[best]
            if ahead == 0:
                ahead = sums[each] - sums[best]
            if ahead == 0:
                ahead = most[each] - most[best]
            if ahead > 0:
                continue
            if ahead < 0:
                count = 0
        tied[count] = each
        count += 1
    return tied[below(rng, count)]


@shared
def try_team(team: Any, marks: Any, meets: Any, played: Any, rng: Any, leader: Any) -> Any:
    """Fill `team` (i8 [n]) and return the sum of its pairs' squared meetings.

    leader: who starts it; -1: the least-played. marks: room for i8 [3, k].
    """
    sums, most, tied = marks[0], marks[1], marks[2]
    for each in range(played.shape[0]):
        sums[each] = 0
        most[each] = 0
    squares = 0
    for place in range(team.shape[0]):
        if place == 0 and leader >= 0:
            chosen = leader
        else:
            chosen = next_member(sums, most, tied, played, rng)
        for other in range(place):
            squares += meets[chosen, team[other]] * meets[chosen, team[other]]
        team[place] = chosen
        sums[chosen] = TAKEN
        for each in range(played.shape[0]):
            if sums[each] != TAKEN:
                sums[each] += meets[chosen, each]
                most[each] = max(most[each], meets[chosen, each])
    return squares


def fill_rounds(
    teams: Any,
    given: Any,
    meets: Any,
    played: Any,
    marks: Any,
    rngs: Any,
    key: Any,
    first: Any,
    leader: Any,
) -> None:
    """Fill teams i4 [rounds, line-ups, n], rounds `first`, `first + 1` ..., and go on counting.

    given: line-ups that are on these deals already, i4 [rounds, any, n]; meets: counts so far, i8
    [k, k], those of `given` included; played: line-ups filled here that hold each, i8 [k]; marks:
    room for i8 [4, k]; rngs: one RNG record; key: of the seed; leader: who leads every line-up, or
    -1. Of TRIES teams the one with the least sum of squared meetings is kept.
    """
    rng = rngs[0]
    number = max(leader, 0)
    team = marks[3][: teams.shape[2]]
    for turn in range(teams.shape[0]):
        rng.state = stream(numbered(key, first + turn), number)
        for other in range(given.shape[1]):
            count_meetings(given[turn, other], meets)
        for line_up in range(teams.shape[1]):
            least = -1
            for _attempt in range(TRIES):
                squares = try_team(team, marks, meets, played, rng, leader)
                if least < 0 or squares < least:
                    least = squares
                    for place in range(teams.shape[2]):
                        teams[turn, line_up, place] = team[place]
            for place in range(teams.shape[2]):
                played[teams[turn, line_up, place]] += 1
            count_meetings(teams[turn, line_up], meets)


def filler() -> Callable[..., None]:
    """Return `fill_rounds`, compiled where numba is on."""
    if cache.compilation_is_off():
        return fill_rounds
    with _lock:
        return _compiled()


@functools.lru_cache(maxsize=1)
def _compiled() -> Callable[..., None]:
    from numba import from_dtype, types

    from simlab.core.twin import Twins, fingerprint

    def array(kind: Any, axes: int) -> Any:
        return types.Array(kind, axes, "C")

    whole = types.int64
    arrays = [array(types.int32, 3), array(types.int32, 3), array(whole, 2), array(whole, 1)]
    arrays += [array(whole, 2), array(from_dtype(RNG), 1)]
    signature = types.void(*arrays, types.uint64, whole, whole)
    twin = Twins().of(fill_rounds, nogil=True, error_model="numpy", _nrt=False)
    key = fingerprint(fill_rounds)
    return cache.compile_cached(  # type: ignore[no-any-return]
        twin, signature, "rounds", key, lambda name: None
    )


def round_robin(k: int) -> Any:
    """Return rounds of pairs, i4 [rounds, pairs, 2], in which every pair meets once.

    The circle method: each strategy plays once a round (k even) or twice (k odd).
    """
    half = np.arange(1, (k + 1) // 2)
    if k % 2:
        one = np.arange(k)
        return np.stack([np.stack([one, (one + step) % k], 1) for step in half]).astype("i4")
    rounds = [
        [(k - 1, turn), *zip((turn + half) % (k - 1), (turn - half) % (k - 1), strict=True)]
        for turn in range(k - 1)
    ]
    return np.array(rounds, "i4")


def line_ups_of(base: int, players: int, added: int = 0) -> int:
    """Return the line-ups of a round; added: 0 for balanced rounds, else for one led by another."""
    return (players if added else base) // math.gcd(base, players)


def tally(teams: Any, k: int) -> Any:
    """Return how many teams of i4 [m, n] hold each two strategies (and each one), i8 [k, k]."""
    found = np.zeros(k * k, np.int64)
    for start in range(0, len(teams), TALLIED):
        part = teams[start : start + TALLIED].astype(np.int64)
        both = part[:, :, None] * k + part[:, None, :]
        found += np.bincount(both.reshape(-1), minlength=k * k)
    return found.reshape(k, k)


class Schedule:
    """The rounds of one field, made as far as they are asked for; safe in several threads.

    base: strategies of the balanced rounds. added: 0 for these rounds; i for the line-ups that
    the i-th strategy added later leads on the same deals, in as many as each of the base is in.
    """

    def __init__(self, base: int, players: int, seed: int, added: int) -> None:
        self.base, self.players, self.added = base, players, added
        self.line_ups = line_ups_of(base, players, added)
        self._earlier = tuple(schedule(base, players, seed, each) for each in range(added))
        self._key = keyed(seed, FILLING)
        self._leader = base + added - 1 if added else -1
        field = base + added
        self._meets, self._played = np.zeros((field, field), "i8"), np.zeros(field, "i8")
        self._teams = np.empty((0, self.line_ups, players), "i4")
        self._lock = threading.Lock()

    def first(self, rounds: int) -> Any:
        """Return at least so many rounds from the first on, i4 [rounds, line-ups, n]; read only."""
        if rounds > len(self._teams):
            with self._lock:
                made = len(self._teams)
                end = max(rounds, min(max(2 * made, AT_ONCE), CYCLE))
                if rounds > made:
                    teams = np.concatenate([self._teams, self._made(made, end)])
                    teams.setflags(write=False)
                    self._teams = teams
        return self._teams

    def _made(self, start: int, end: int) -> Any:
        teams = np.empty((end - start, self.line_ups, self.players), "i4")
        if self.players == 2 and not self.added:
            teams[:] = self._pairs(start, end)
        else:
            self._fill(teams, start, end)
        self._check(teams)
        return teams

    def _fill(self, teams: Any, start: int, end: int) -> None:
        none = np.empty((end - start, 0, self.players), "i4")
        given = [none, *(each.first(end)[start:end] for each in self._earlier)]
        field = self.base + self.added
        marks, rngs = np.zeros((4, field), "i8"), make(RNG)
        if not cache.compilation_is_off():
            rngs = rngs.view(np.ndarray).view(RNG)
        counts = self._meets, self._played, marks, rngs
        with plain_arithmetic():
            filler()(teams, np.concatenate(given, 1), *counts, self._key, start, self._leader)

    def _pairs(self, start: int, end: int) -> Any:
        """Return rounds of the round robin, played over and over, each time in another order."""
        rounds = round_robin(self.base)
        laps, places = np.divmod(np.arange(start, end), len(rounds))
        turns = np.arange(len(rounds), dtype="u8") * GAMMA
        drawn = scramble(numbered(self._key, laps)[:, None] + turns)
        return rounds[np.argsort(drawn, axis=1)[np.arange(end - start), places]]

    def _check(self, teams: Any) -> None:
        """Hold the fill to what it guarantees: equal appearances in every round, nobody twice."""
        twice = (np.diff(np.sort(teams, axis=2), axis=2) == 0).any()
        each = self.players // math.gcd(self.base, self.players)
        if self.added:
            uneven = (teams[:, :, 0] != self._leader).any()
        else:
            everyone = np.repeat(np.arange(self.base), each)
            uneven = (np.sort(teams.reshape(len(teams), -1), axis=1) != everyone).any()
        if twice or uneven:
            raise AssertionError("the fill of rounds broke its guarantee")


@functools.lru_cache(maxsize=16)
def _kept(base: int, players: int, seed: int, added: int) -> Schedule:
    return Schedule(base, players, seed, added)


def schedule(base: int, players: int, seed: int, added: int = 0) -> Schedule:
    """Return the schedule of these numbers, the same object while it is in use."""
    with _lock:
        return _kept(base, players, seed, added)
