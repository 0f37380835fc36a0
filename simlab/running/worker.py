"""Plays batches of games: compiled where numba is on, as plain Python otherwise.

A line-up with strategies that are not compiled is played in lock-step (`core/lockstep.py`).
"""

from __future__ import annotations

import re
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from simlab.core import cache
from simlab.core.blame import is_shipped
from simlab.core.game import Game
from simlab.core.kernel import Compiler, Onlooker, State, node_rows, plain_kernel
from simlab.core.loading import own_frames
from simlab.core.lockstep import GAMES_IN_FLIGHT, Failed, Flight
from simlab.core.patience import Endless
from simlab.core.records import EVENT, NODE, plain_arithmetic
from simlab.core.strategy import Bound, Player, Strategy
from simlab.core.trace import Listener, listening
from simlab.core.twin import names_read, reach
from simlab.core.views import Cursors
from simlab.errors import RulesError, StrategyError, UserError, one_of, told
from simlab.running.spec import Spec

ENDLESS = "endless"


@dataclass
class Fault:
    """Where a strategy stopped a batch.

    action: the illegal action, or None where the strategy raised `error` (ENDLESS: it did not
    answer); frames: where the person's code stood, if that is known; decision: its number.
    """

    game: int
    seat: int
    action: int | None = None
    error: str = ""
    frames: tuple[traceback.FrameSummary, ...] = ()
    decision: int = 0


@dataclass
class Batch:
    """What a worker played: result records [games, seats] from game `first` on, and events."""

    first: int
    results: Any
    events: Any
    seconds: float
    fault: Fault | None = None


class _EventLog(Listener):
    """Collects events while games are played without numba."""

    def __init__(self) -> None:
        self.events: list[tuple[Any, ...]] = []
        self.progress: Any = None

    def event(self, seat: int, turn: int, kind: int, what: int, values: tuple[int, ...]) -> None:
        """Keep an event of the game that is being played."""
        padded = (*values, *([0] * (5 - len(values))))
        game = int(self.progress["game"][0])
        self.events.append((game, turn, seat, kind, what, padded))


class Worker:
    """Plays any games of a spec; one for all threads of a process.

    plain: numba is switched off; lockstep: some strategy is not compiled. playing: thread -> what
    it is about to ask, for whoever watches.
    """

    def __init__(
        self, spec: Spec, events: bool, announce: Callable[[str], None] = lambda name: None
    ) -> None:
        self.spec = spec
        self.events = events
        self._local = threading.local()
        self.nodes: list[Bound] = [node for bound in spec.line_up for node in bound.nodes()]
        self._remember = int(any(node.strategy.memo is not None for node in self.nodes))
        self._bars = np.zeros((len(spec.line_up), spec.game.seat["barred"].shape[0]), np.int64)
        about = spec.game.events
        most = about.most(spec.players, spec.book.values) if about and events else 0
        self._room = most
        self.plain = cache.compilation_is_off()
        self.lockstep = not self.plain and not all(b.compiled for b in spec.line_up)
        self.playing: dict[int, Watched] = {}
        if self.plain:
            self._kernel: Any = plain_kernel(spec.game)
            return
        self.compiler = Compiler(spec.game, announce)
        compiled = [node for b in spec.line_up if b.compiled for node in b.nodes()]
        addresses = {id(n.strategy.function): self._address(n.strategy) for n in compiled}
        self._rows = node_rows(spec.line_up, addresses)
        self._foreign = np.array([not b.compiled for b in spec.line_up], np.uint8)
        self._engine = (self._loop(events), self._codes(addresses))

    def _loop(self, events: bool) -> Any:
        try:
            return self.compiler.lockstep(events) if self.lockstep else self.compiler.kernel(events)
        except UserError:
            raise
        except Exception as error:  # numba fails in many ways on what it does not know
            if is_shipped(self.spec.game):
                raise
            raise uncompilable_rules(self.spec.game, error) from None

    def _address(self, declared: Strategy) -> int:
        check_no_print(declared)
        try:
            return self.compiler.address(declared)
        except UserError:
            raise
        except Exception as error:  # numba fails in many ways on what it does not know
            raise uncompilable(self.spec.game, declared, error) from None

    def _codes(self, numbers: dict[int, int]) -> Any:
        codes = [numbers.get(id(bound.strategy.function), 0) for bound in self.spec.line_up]
        return np.array(codes, np.int64)

    def inlined_is_ready(self) -> bool:
        """Whether a kernel with this line-up compiled in lies on disk."""
        if self.plain or self.lockstep:
            return False
        return self.compiler.inlined_is_cached(self._own(), self.events)

    def _own(self) -> list[Any]:
        return [bound.strategy for bound in self.spec.line_up]

    def use_inlined(self) -> None:
        """Swap in a kernel with this line-up's strategies compiled in; batches are the same."""
        if not self.plain and not self.lockstep:
            kernel, numbers = self.compiler.inlined(self._own(), self.events)
            self._engine = (kernel, self._codes(numbers))

    def play(self, first: int, games: int, into: Any = None) -> Batch:
        """Play a batch of games; never raises for a strategy's fault.

        into: zeroed result records [games, seats] to fill; new ones by default.
        """
        start = time.perf_counter()
        if into is None:
            into = np.zeros((games, self.spec.players), self.spec.game.result)
        way = self._compiled
        if self.plain or self.lockstep:
            way = self._plain if self.plain else self._in_lockstep
        me = threading.get_ident()
        try:
            batch = way(first, into)
        except Endless as error:
            now = self.playing[me].progress[0]
            frames = tuple(own_frames(error))
            where = int(now["game"]), int(now["seat"]), None, ENDLESS, frames, int(now["decision"])
            batch = Batch(first, into, np.empty(0, EVENT), 0.0, Fault(*where))
        finally:
            self.playing.pop(me, None)
        batch.seconds = time.perf_counter() - start
        return batch

    def _watched(self, progress: Any) -> None:
        self.playing[threading.get_ident()] = Watched(progress, time.monotonic())

    def _state(self) -> State:
        if not hasattr(self._local, "state"):
            self._local.state = State(self.spec.game, self.spec.players)
        return self._local.state  # type: ignore[no-any-return]

    def _head(self, first: int, games: int) -> tuple[Any, ...]:
        spec = self.spec
        head = first, games, spec.seed, spec.game.decision_cap, self._remember
        return *head, spec.design.block, spec.design.entries(first, games), self._bars

    def _compiled(self, first: int, results: Any) -> Batch:
        spec, state, games = self.spec, self._state(), len(results)
        self._watched(state.progress)
        kernel, codes = self._engine
        book = spec.book.record.view(np.ndarray).view(spec.game.rules)
        events = np.empty(games * self._room, EVENT) if self._room else np.empty(1, EVENT)
        arrays = (codes, self._rows, book, *state.arrays(), results, events, self._room)
        fault = None
        played = games
        try:
            played = kernel(*self._head(first, games), *arrays)
        except (KeyboardInterrupt, Endless):
            raise
        except BaseException as error:  # whatever a strategy raises
            fault = _fault(state, None, told(error))
        if played < games and fault is None:
            fault = _fault(state, int(state.progress["action"][0]), "")
        count = int(state.hiddens["events"]["count"][0]) if self._room else 0
        return Batch(first, results, events[:count].copy(), 0.0, fault)

    def _plain(self, first: int, results: Any) -> Batch:
        spec, state, games = self.spec, self._state(), len(results)
        book = spec.book.record
        players = [Onlooker(Player(bound), state, book) for bound in spec.line_up]
        nodes = np.zeros((len(spec.line_up), 1), NODE)
        log = _EventLog()
        log.progress = state.progress
        self._watched(state.progress)
        arrays = (players, nodes, Cursors(book), *state.cursors)
        fault = None
        try:
            with listening(log if self.events else None), plain_arithmetic():
                tail = (*arrays, results.view(np.recarray), np.empty(0, EVENT), 0)
                played = self._kernel(*self._head(first, games), *tail)
            if played < games:
                fault = _fault(state, int(state.progress["action"][0]), "")
        except (KeyboardInterrupt, Endless):
            raise
        except BaseException as error:  # whatever a strategy raises
            fault = _fault(state, None, told(error))
        return Batch(first, results, np.array(log.events, EVENT), 0.0, fault)

    def _flight(self, games: int) -> Flight:
        if getattr(self._local, "slots", 0) < min(games, GAMES_IN_FLIGHT):
            self._local.slots = min(games, GAMES_IN_FLIGHT)
            spec = self.spec
            self._local.flight = Flight(
                spec.game, spec.players, spec.line_up, spec.book.record, self._local.slots
            )
        return self._local.flight  # type: ignore[no-any-return]

    def _in_lockstep(self, first: int, results: Any) -> Batch:
        spec, games = self.spec, len(results)
        flight = self._flight(games)
        self._watched(flight.progress)
        loop, codes = self._engine
        book = spec.book.record.view(np.ndarray).view(spec.game.rules)
        events = np.empty(max(games * self._room, 1), EVENT)
        counts = np.zeros(games, np.int64)
        head = (*self._head(first, games), codes, self._foreign, self._rows, book)
        fault = None
        try:
            if not flight.play(loop, head, (results, events, counts, self._room), plain=False):
                fault = _fault(flight, int(flight.progress["action"][0]), "")
        except Failed as error:
            fault = _fault(flight, None, told(error.cause))
        except (KeyboardInterrupt, Endless):
            raise
        except BaseException as error:  # whatever a compiled strategy raises
            fault = _fault(flight, None, told(error))
        held = np.arange(self._room) < counts[:, None] if self._room else np.zeros((1, 1), bool)
        kept = events.reshape(len(held), -1)[held]
        return Batch(first, results, kept, 0.0, fault)


@dataclass(frozen=True)
class Watched:
    """What a thread is playing: the record that says which game and seat, and since when."""

    progress: Any
    since: float


def _fault(state: State | Flight, action: int | None, error: str) -> Fault:
    now = state.progress[0]
    return Fault(int(now["game"]), int(now["seat"]), action, error)


def check_no_print(declared: Strategy) -> None:
    """Raise StrategyError for a strategy that prints: compiled code plays outside Python's lock."""
    for function in reach(declared.function):
        if "print" in names_read(function) and "print" not in function.__globals__:
            code = function.__code__
            raise StrategyError(
                f"strategy '{declared.name}' prints ({code.co_filename}:{code.co_firstlineno}), "
                "which compiled code cannot do; use note('name', value), shown by simlab replay, "
                "or declare it with @strategy(..., compiled=False)."
            )


def uncompilable(game: Game, declared: Strategy, error: Exception) -> StrategyError:
    """Return what to tell whoever's strategy numba cannot compile: where, what, two ways on."""
    text = str(error)
    found = re.findall(rf'File "[^"]*{re.escape(declared.file.name)}", line (\d+)', text)
    line = found[-1] if found else declared.function.__code__.co_firstlineno
    reason = _reason(game, error)
    if "it returns" in reason:
        todo = "return an action on every path"
    elif "no field" in reason:
        todo = "the game's RULES.md says what the fields are"
    else:
        todo = (
            "write it with numbers, arrays and loops, or declare it with @strategy(..., "
            "compiled=False) to play it as plain Python"
        )
    return StrategyError(
        f"numba cannot compile strategy '{declared.name}' ({declared.file}:{line}): "
        f"{reason}; {todo}."
    )


def uncompilable_rules(game: Game, error: Exception) -> RulesError:
    """Return what to tell whoever's rules numba cannot compile: where, and what."""
    text = str(error)
    names = {path.name: path for path in game.folder.glob("**/*.py")}
    found = [(n, line) for n, line in re.findall(r'File "([^"]*)", line (\d+)', text)]
    own = [(names[Path(n).name], line) for n, line in found if Path(n).name in names]
    place = f" ({own[-1][0]}:{own[-1][1]})" if own else ""
    return RulesError(
        f"numba cannot compile the rules of {game.name}{place}: {_reason(game, error)}; write them "
        "with numbers, arrays and loops, and return a value on every path. `simlab check "
        f"{game.folder.name}` plays them as plain Python and may say more."
    )


def _reason(game: Game, error: Exception) -> str:
    """Return the one line of a numba error that a person can use."""
    text = str(error)
    returned = re.search(r"it returns .*; an action is a whole number", text)
    if returned:
        return returned.group(0)
    if isinstance(error, KeyError):
        fields = {*(game.table.names or ()), *(game.seat.names or ()), *(game.rules.names or ())}
        said = str(one_of("field", error.args[0], sorted(fields), "in table, me or rules"))
        return said.rstrip(".")
    noise = ("Failed in nopython", "During:", "File ", "^", "<source", "[1]", "[2]")
    lines = [line.strip() for line in text.splitlines()]
    what = next((line for line in lines if line and not line.startswith(noise)), "")
    return (what or type(error).__name__).rstrip(".:")
