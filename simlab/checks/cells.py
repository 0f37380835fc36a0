"""Which games the checks play: rule sets by numbers of players, and how they are played."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from simlab.core import cache
from simlab.core.game import Game, RuleBook, rule_book
from simlab.core.patience import Endless, seconds_allowed
from simlab.core.strategy import Bound
from simlab.running.spec import Spec
from simlab.running.watch import watching_here
from simlab.running.worker import Batch, Fault, Worker

SEED = 1
BITS = 63
DENSITIES = (0.05, 0.2, 0.5, 0.8)


@dataclass(frozen=True, eq=False)
class Cell:
    """A rule book with a number of players."""

    book: RuleBook
    players: int
    changes: dict[str, Any] = field(default_factory=dict)

    @property
    def said(self) -> str:
        """The cell in words."""
        changed = "".join(f" with {k}={v}" for k, v in self.changes.items())
        return f"{self.players} players, rules {self.book.rule_set}{changed}"


def cells(game: Game, variants: bool = True) -> list[Cell]:
    """Return each rule set with its smallest, a middle and its largest number of players.

    variants: also each value of a rule that no rule set has, with the smallest number of players.
    Raises UserError where a rule set cannot be filled.
    """
    found = []
    for name in game.rule_sets:
        book = rule_book(game, name)
        low, high = game.seats(name, book.values)
        found += [Cell(book, p) for p in sorted({low, (low + high) // 2, high})]
    return found + (list(_variants(game)) if variants else [])


def _variants(game: Game) -> Iterator[Cell]:
    used = {k.name: {game.rule_set(name)[k.name] for name in game.rule_sets} for k in game.keys}
    base = next(iter(game.rule_sets))
    for key in game.keys:
        for value in key.values or sorted({key.low, key.high}):
            if value not in used[key.name]:
                book = rule_book(game, base, {key.name: value})
                yield Cell(book, game.seats(base, book.values)[0], {key.name: value})


@dataclass(frozen=True, eq=False)
class Case:
    """A line-up in a cell, with the bars of each entry: [players, words] of i8, or None."""

    cell: Cell
    line_up: tuple[Bound, ...]
    bars: Any = None

    @property
    def spec(self) -> Spec:
        """The spec of these games."""
        cell = self.cell
        return Spec(
            cell.book.game, cell.players, cell.book, self.line_up, "rotate", SEED, cell.changes
        )

    def entry(self, game: int, seat: int) -> int:
        """Return which entry of the line-up sits at a seat in a game."""
        return (seat - game) % self.cell.players


class Player:
    """Plays the games of one case, as often as asked."""

    def __init__(self, case: Case, events: bool = False) -> None:
        self.case = case
        self.worker = Worker(case.spec, events)

    def play(self, first: int, games: int, bars: Any = None) -> Batch:
        """Play games `first` to `first + games - 1`; bars: of each entry, default none."""
        self.worker._bars[...] = 0 if bars is None else bars
        if self.worker.plain or self.worker.lockstep:
            with watching_here(self.worker, seconds_allowed(python=True)):
                return self.worker.play(first, games)
        return self._apart(first, games)

    def _apart(self, first: int, games: int) -> Batch:
        """Play in a thread that can be left behind: machine code cannot be interrupted."""
        done: list[Batch] = []
        thread = threading.Thread(
            target=lambda: done.append(self.worker.play(first, games)), daemon=True
        )
        with watching_here(self.worker, seconds_allowed()) as watch:
            try:
                thread.start()
                while thread.is_alive():
                    thread.join(0.2)
            except Endless:
                return Batch(first, np.zeros((0, 0)), None, 0.0, watch.fault)
        return done[0]


def draws(game: Game, players: int, number: int) -> list[Any]:
    """Return `number` draws of bars, [players, words] of i8 each, from few bits to many."""
    words = game.seat["barred"].shape[0]
    chance = np.random.default_rng(players)
    weights = np.int64(1) << np.arange(BITS, dtype=np.int64)
    found = []
    for place in range(number):
        bits = chance.random((players, words, BITS)) < DENSITIES[place % len(DENSITIES)]
        found.append((bits * weights).sum(-1))
    return found


@contextlib.contextmanager
def uncompiled() -> Iterator[None]:
    """Play everything as plain Python inside the block."""
    import numba  # noqa: F401 -- it must not be imported while it is switched off

    from simlab.core import lowering  # noqa: F401

    before = os.environ.get("NUMBA_DISABLE_JIT")
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["NUMBA_DISABLE_JIT"]
        else:
            os.environ["NUMBA_DISABLE_JIT"] = before


def can_compile() -> bool:
    """Whether numba is on."""
    return not cache.compilation_is_off()


class Clock:
    """A limit of seconds; at least one round is always played."""

    def __init__(self, seconds: float) -> None:
        self._end = time.perf_counter() + seconds

    @property
    def over(self) -> bool:
        """Whether the time is up."""
        return time.perf_counter() > self._end


@dataclass
class Round:
    """What came of playing in turn: games in all, and who met which fault."""

    games: int = 0
    case: Case | None = None
    fault: Fault | None = None

    @property
    def said(self) -> str:
        """How many games, in words."""
        return f"{self.games:,} games"


def in_turn(
    players: Sequence[Player],
    rounds: Sequence[int],
    seconds: float,
    draw: Callable[[Player, int], Any] | None = None,
    look: Callable[[Player, Batch], bool] | None = None,
) -> Round:
    """Let all play rounds of so many games each, until one meets a fault or the time is up.

    draw: the bars of a player in a round; look: called with each batch, True ends it. Everybody
    plays the first round.
    """
    clock, done, first = Clock(seconds), Round(), 0
    for number, games in enumerate(rounds):
        for player in players:
            if number and clock.over:
                return done
            bars = draw(player, number) if draw is not None else None
            batch = player.play(first, games, bars)
            done.games += games
            if batch.fault is not None or (look is not None and look(player, batch)):
                done.case = player.case if bars is None else replace(player.case, bars=bars)
                done.fault = batch.fault
                return done
        first += games
    return done
