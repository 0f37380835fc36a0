"""Plays whole games in compiled code and takes down every word, face and card on the way.

The compiled twins of a game's rules are what millions of games are played with; here they are put
under the eyes of the referee, a thousand times as fast as `Table` could show them.
"""

from __future__ import annotations

import functools
import gc
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from simlab.core import records
from simlab.core.game import DONE, Game, RuleBook, rule_book
from simlab.core.kernel import KERNEL_OPTIONS, Compiler, State, node_rows, prepare
from simlab.core.records import clear, record
from simlab.core.registry import bind_for, strategies
from simlab.core.rng import chance_key, strategy_key, uniform
from simlab.core.strategy import Bound
from simlab.core.trace import drawn
from simlab.core.twin import Twins
from simlab.running.rows import ranker
from tests.harness import (
    Asked,
    Moment,
    Spec,
    Standing,
    again,
    at_random,
    by_strategies,
    check,
    judge,
    play,
    random_line_up,
    referee_for,
    told,
    view_for,
    weights,
)

ROOM = 4096
RANDOM = 0  # in the place of a strategy's address
DRAWS = record(("count", "i8", ()), ("number", "i4", (ROOM,)), ("card", "i4", (ROOM,)))
draws = np.zeros(1, DRAWS)
DRAWS_AT = draws.ctypes.data

# Given to the template where it is compiled for a game.
begin: Any = None
step: Any = None
legal: Any = None
score: Any = None
decide: Any = None
at_address: Any = None


def trace(
    seed: Any,
    deal: Any,
    addresses: Any,
    nodes: Any,
    tastes: Any,
    dice: Any,
    rulebook: Any,
    tables: Any,
    seats: Any,
    hiddens: Any,
    chances: Any,
    owns: Any,
    memos: Any,
    faces: Any,
    results: Any,
    movers: Any,
    may: Any,
    taken: Any,
) -> Any:
    """Play one game; return how many words it had, or -1 where it had no room.

    faces, results, movers: public record, results and seat to move before each word and at the end;
    may: which actions are legal before each word; taken: the words; tastes: weights of the actions.
    """
    table, hidden, rules = tables[0], hiddens[0], rulebook[0]
    chance, luck = chances[0], dice[0]
    clear(tables)
    clear(seats)
    clear(hiddens)
    clear(memos)
    clear(results)
    prepare(table, seats, chance, owns, chance_key(seed), strategy_key(seed), deal, deal)
    seat = begin(table, seats, hidden, rules, chance)
    for word in range(len(taken)):
        faces[word] = table
        movers[word] = seat
        score(table, seats, hidden, rules, results[word])
        if seat == DONE:
            return word
        total = 0.0
        for action in range(len(tastes)):
            may[word, action] = legal(table, seats[seat], rules, action)
            if may[word, action]:
                total += tastes[action]
        if addresses[seat] != RANDOM:
            choice = decide(
                addresses[seat], table, seats[seat], rules, memos[seat], owns[seat], nodes[seat, 0]
            )
        else:
            choice = -1
            left = uniform(luck) * total
            for action in range(len(tastes)):
                if may[word, action] and left >= 0.0:
                    choice = action
                    left -= tastes[action]
        taken[word] = choice
        seat = step(table, seats, hidden, rules, chance, seat, choice)
    return -1


def note_drawn(number: Any, card: Any) -> None:
    """Take down a drawn card, in place of the twin that does nothing."""
    tape = at_address(DRAWS_AT, DRAWS)
    tape.number[tape.count] = number
    tape.card[tape.count] = card
    tape.count += 1


@functools.lru_cache(maxsize=8)
def compiled(game: Game) -> Any:
    """Return `trace` compiled with the twins of a game's rules."""
    from numba import njit

    from simlab.core import lowering

    names = {"at_address": lowering.at_address, "DRAWS_AT": DRAWS_AT, "DRAWS": DRAWS}
    listener = njit(**lowering.NOTHING)(_with(note_drawn, names))
    twins = Twins({drawn: listener})
    parts = {"begin": game.begin, "step": game.step, "legal": game.legal, "score": game.score}
    given = {name: twins.of(part) for name, part in parts.items()}
    given["decide"] = lowering.call
    return twins.specialised(trace, f"trace_{game.name}", given, **KERNEL_OPTIONS)


def _with(function: Any, names: dict[str, Any]) -> Any:
    return type(function)(function.__code__, names, function.__name__)


@functools.lru_cache(maxsize=8)
def compiler(game: Game) -> Compiler:
    """Return the compiler of a game's strategies."""
    return Compiler(game)


@dataclass(frozen=True)
class Traced:
    """A game played in compiled code: its words, its cards and its face after every word."""

    words: list[str]
    decks: dict[str, list[list[str]]]
    moments: list[Moment]


class Tracer:
    """Plays games of one game, rule book and number of players."""

    def __init__(self, game: Game, book: RuleBook, players: int) -> None:
        self.game, self.book, self.players = game, book, players
        self.view = view_for(game, book)
        self._words = book.actions
        self._ids = {name: info.ids(book) for name, info in game.decks.items()}
        self._rules = book.record.view(np.ndarray).view(game.rules)
        self._state = State(game, players)
        self._dice = np.zeros(1, records.RNG)
        self._faces = np.zeros(ROOM, game.table)
        self._results = np.zeros((ROOM, players), game.result)
        self._movers, self._taken = np.zeros(ROOM, np.int64), np.zeros(ROOM, np.int64)
        self._may = np.zeros((ROOM, len(self._words)), np.bool_)

    def play(self, deal: int, line_up: Sequence[str] = ()) -> Traced:
        """Play a deal of seed 1 by a line-up of strategies, or else at random."""
        bounds = [bind_for(self.game, name) for name in line_up]
        addresses, nodes = self._nodes(bounds)
        self._dice["state"] = np.uint64(deal)
        draws["count"] = 0
        state = self._state.arrays()[:6]
        tapes = (self._faces, self._results, self._movers, self._may, self._taken)
        tastes = np.array(weights(self.game, deal))
        head = (1, deal, addresses, nodes, tastes, self._dice, self._rules)
        words = compiled(self.game)(*head, *state, *tapes)
        assert words >= 0, f"deal {deal} has more than {ROOM} words"
        taken = [self._words[action] for action in self._taken[:words].tolist()]
        return Traced(taken, self._decks(), self._moments(words + 1))

    def _nodes(self, bounds: list[Bound]) -> tuple[Any, Any]:
        if not bounds:
            nodes = np.zeros((self.players, records.NODES), records.NODE)
            return np.full(self.players, RANDOM, np.int64), nodes
        inner = [node.strategy for bound in bounds for node in bound.nodes()]
        at = {id(s.function): compiler(self.game).address(s) for s in inner}
        addresses = [at[id(bound.strategy.function)] for bound in bounds]
        return np.array(addresses, np.int64), node_rows(bounds, at)

    def _decks(self) -> dict[str, list[list[str]]]:
        count = int(draws["count"][0])
        drawn_cards = zip(
            draws["number"][0, :count].tolist(), draws["card"][0, :count].tolist(), strict=True
        )
        decks: dict[str, list[list[str]]] = {name: [] for name in self.game.decks}
        for number, card in drawn_cards:
            for name, info in self.game.decks.items():
                if number in info.decks:
                    place = info.decks.index(number)
                    decks[name] += [[] for _ in range(place + 1 - len(decks[name]))]
                    decks[name][place].append(self._ids[name][card])
        return decks

    def _moments(self, count: int) -> list[Moment]:
        """Return the faces; where neither public record nor results changed, the same standing."""
        faces, results = self._faces[:count], self._results[:count]
        places = np.cumsum(_changed(faces) | _changed(results)) - 1
        fresh = np.flatnonzero(np.diff(places, prepend=-1))
        standings = self._standings(faces[fresh], results[fresh])
        asked = self._asked(count)
        return [(ask, standings[at]) for ask, at in zip(asked, places.tolist(), strict=True)]

    def _standings(self, faces: Any, results: Any) -> list[Standing]:
        ranks, wins = np.zeros(results.shape, "u1"), np.zeros(results.shape)
        ranker(self.game)(results, ranks, wins)
        names = [column.name for column in self.game.columns]
        columns = zip(*(results[name].tolist() for name in names), strict=True)
        return [
            Standing(scores, rank, dict(zip(names, values, strict=True)), public)
            for scores, rank, values, public in zip(
                results["score"].tolist(),
                ranks.tolist(),
                columns,
                self.view.publics(faces),
                strict=True,
            )
        ]

    def _asked(self, count: int) -> list[Asked]:
        """Return what was asked; nothing is at the end."""
        movers = self._movers[: count - 1].tolist()
        decisions = self._faces["decision"][: count - 1].tolist()
        sets: dict[bytes, frozenset[str]] = {}
        asked = []
        for place, (mover, decision) in enumerate(zip(movers, decisions, strict=True)):
            key = self._may[place].tobytes()
            if key not in sets:
                numbers = np.flatnonzero(self._may[place])
                sets[key] = frozenset(self._words[number] for number in numbers)
            asked.append(Asked(mover, self.game.decisions[decision], sets[key], False, None))
        reason = self.game.end_reasons[int(self._results["end_reason"][count - 1, 0])]
        return [*asked, Asked(None, None, frozenset(), True, reason)]


def _changed(rows: Any) -> Any:
    """Return for each row of records whether it differs from the one before; the first does."""
    raw = np.ascontiguousarray(rows).view(np.uint8).reshape(len(rows), -1)
    return np.append(True, (raw[1:] != raw[:-1]).any(axis=1))


@contextmanager
def no_search_for_garbage() -> Iterator[None]:
    """Spare Python the search for cycles, of which a comparison makes none, in all that numba made.

    It takes a quarter of the time.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@no_search_for_garbage()
def judge_deals(
    game: Game,
    players: int,
    deals: Iterable[int],
    rules: str = "standard",
    set: Mapping[str, Any] | None = None,
    told: Mapping[str, Any] | None = None,
) -> int:
    """Play each deal at random and by a random line-up, and compare all with the referee.

    told: rule values that the referee is told instead of the right ones. Returns how many games
    were played.
    """
    book = rule_book(game, rules, set)
    tracer = Tracer(game, book, players)
    games = 0
    for deal in deals:
        for line_up in ([], random_line_up(game, players, deal)):
            traced = tracer.play(deal, line_up)
            make = functools.partial(referee_for, game, book, players, traced.decks, **(told or {}))
            try:
                judge(make, traced.words, traced.moments)
            except AssertionError as error:
                text = f"{players} players, rules {rules}, {set}, deal {deal}, {line_up}"
                raise AssertionError(f"{text}, cards {traced.decks}, {error}") from error
            games += 1
    return games


def judge_table(game: Game, players: int, rules: str) -> None:
    """Play a game at a table at random and compare it with the referee; its words repeat it."""
    spec = Spec(game.name, players, rules, seed=2)
    table = check(spec, at_random(game, f"{rules} {players}"))
    assert again(spec, table.log.words) == told(table)


def compare_table(game: Game, players: int, rules: str) -> None:
    """Play a game by strategies at a table and compiled: the same words, cards and faces."""
    names = random.Random(f"{rules} {players}").choices(sorted(strategies(game.name)), k=players)
    table = Spec(game.name, players, rules, deal=players).table()
    moments = play(table, by_strategies(game, names))
    traced = Tracer(game, rule_book(game, rules), players).play(players, names)
    assert traced.words == table.log.words
    assert traced.decks == table.log.decks
    assert traced.moments == moments
