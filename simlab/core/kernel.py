"""The compiled loop that plays games, for every game, line-up and number of players.

`play` is a template: it reads as the plain Python it is, runs without numba, and is compiled once
for each game with that game's functions in place of `begin`, `step`, `legal` and `score`.
"""

from __future__ import annotations

import functools
import types as pytypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from simlab.core import cache, records
from simlab.core.functions import rule
from simlab.core.game import DONE, TRUNCATED, Game
from simlab.core.parameters import Parameter
from simlab.core.records import clear
from simlab.core.rng import chance_key, numbered, strategy_key, stream
from simlab.core.strategy import Bound, Strategy, copied, memo_places
from simlab.core.trace import emit
from simlab.core.twin import (
    INNER,
    RULE_OPTIONS,
    STRATEGY_OPTIONS,
    Twins,
    called,
    check_no_circle,
    digest,
    fingerprint,
    inner,
    reach,
)
from simlab.core.views import Cursors, cursor
from simlab.errors import StrategyError

# Given to the template where it is specialised for a game; named here for the reader.
begin: Any = None
step: Any = None
legal: Any = None
score: Any = None
decide: Any = None
address_of: Any = None
EVENTS = False

KERNEL_OPTIONS = {
    "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False
}  # fmt: skip


def play(
    first: Any,
    games: Any,
    seed: Any,
    cap: Any,
    remember: Any,
    block: Any,
    entries: Any,
    bars: Any,
    lineup: Any,
    nodes: Any,
    rulebook: Any,
    tables: Any,
    seats: Any,
    hiddens: Any,
    chances: Any,
    owns: Any,
    memos: Any,
    progress: Any,
    results: Any,
    events: Any,
    room: Any,
) -> Any:
    """Play games `first` to `first + games - 1`; return how many were played.

    block: games on one deal; entries: which entry of lineup, nodes and bars sits at each seat, i4
    [games, seats]; results is [games, seats]; fewer games than asked for means an illegal action
    (progress.action says which) or no room for another game's events.
    """
    table, hidden, rules = tables[0], hiddens[0], rulebook[0]
    chance, now = chances[0], progress[0]
    players = results.shape[1]
    chances_of, own_of = chance_key(seed), strategy_key(seed)
    if EVENTS:
        start = address_of(events)
        written = np.int64(0)
    for g in range(games):
        game = first + g
        clear(tables)
        clear(seats)
        clear(hiddens)
        if remember:
            clear(memos)
        if EVENTS:
            if written + room > len(events):
                return g
            hidden.events.address = start
            hidden.events.count = written
        prepare(table, seats, chance, owns, chances_of, own_of, game // block, game)
        bar(seats, entries[g], bars)
        now.game = game
        decisions = np.int64(0)
        seat = begin(table, seats, hidden, rules, chance)
        while seat != DONE:
            if decisions == cap:
                break
            decisions += 1
            now.seat = seat
            at = np.uint64(entries[g, seat])
            action = decide(
                lineup[at], table, seats[seat], rules, memos[seat], owns[seat], nodes[at, 0]
            )
            if not legal(table, seats[seat], rules, action):
                now.action = action
                now.decision = decisions
                return g
            seat = step(table, seats, hidden, rules, chance, seat, action)
        score(table, seats, hidden, rules, results[g])
        if seat != DONE:
            for place in range(players):
                results[g, place].end_reason = TRUNCATED
        if EVENTS:
            for place in range(written, hidden.events.count):
                events[place].game = game
            written = hidden.events.count
    if EVENTS:
        hidden.events.count = written
    return games


@rule
def prepare(
    table: Any,
    seats: Any,
    chance: Any,
    owns: Any,
    chances_of: Any,
    own_of: Any,
    deal: Any,
    game: Any,
) -> None:
    """Seat the players and key all streams of a game; state is zero before."""
    players = len(seats)
    table.players = players
    chance.key = numbered(chances_of, deal)
    own = numbered(own_of, game)
    for seat in range(players):
        owns[seat].state = stream(own, seat)
        seats[seat].seat = seat


@rule
def bar(seats: Any, entries: Any, bars: Any) -> None:
    """Bar for each seat what is barred for its entry, [entries, words]."""
    for seat in range(len(seats)):
        for word in range(bars.shape[1]):
            seats[seat].barred[word] = bars[entries[seat], word]


def choose(code: Any, table: Any, me: Any, rules: Any, memo: Any, rng: Any, node: Any) -> Any:
    """One link of a chain of strategies compiled into a kernel, told apart by number."""
    if code == NUMBER:
        return this(table, me, rules, memo, rng, node)
    return rest(code, table, me, rules, memo, rng, node)


def last(code: Any, table: Any, me: Any, rules: Any, memo: Any, rng: Any, node: Any) -> Any:
    """The last link of the chain."""
    return this(table, me, rules, memo, rng, node)


NUMBER = 0
this: Any = None
rest: Any = None


def parts(game: Game) -> dict[str, Callable[..., Any]]:
    """Return the four functions of a game by the names that templates know them by."""
    return {"begin": game.begin, "step": game.step, "legal": game.legal, "score": game.score}


class State:
    """The records of one worker: played on by the kernel, read by whoever must explain."""

    def __init__(self, game: Game, players: int) -> None:
        self.tables = np.zeros(1, game.table)
        self.seats = np.zeros(players, game.seat)
        self.hiddens = np.zeros(1, game.hidden)
        self.chances = np.zeros(1, records.CHANCE)
        self.owns = np.zeros(players, records.RNG)
        self.memos = np.zeros(players, records.MEMO)
        self.progress = np.zeros(1, records.PROGRESS)

    def arrays(self) -> tuple[Any, ...]:
        """Return the arrays in the order the kernel takes them."""
        return (
            self.tables, self.seats, self.hiddens, self.chances, self.owns, self.memos,
            self.progress,
        )  # fmt: skip

    @functools.cached_property
    def cursors(self) -> tuple[Any, ...]:
        """The same memory for uncompiled play: cursors over records, the memos as bytes."""
        found: list[Any] = [Cursors(array) for array in self.arrays()]
        found[5] = self.memos.view(np.uint8).reshape(len(self.memos), -1)
        return tuple(found)

    @functools.cached_property
    def shown(self) -> tuple[Any, list[Any]]:
        """What strategies see of it uncompiled, read-only: the table, and `me` for each seat."""
        seats = range(len(self.seats))
        return cursor(self.tables), [cursor(self.seats, at=seat) for seat in seats]


def with_globals(template: Callable[..., Any], given: dict[str, Any]) -> Callable[..., Any]:
    """Return a copy of a plain function that sees `given` as globals."""
    scope = {**template.__globals__, **given}
    return pytypes.FunctionType(template.__code__, scope, template.__name__)


def node_rows(line_up: Sequence[Bound], addresses: dict[int, int]) -> Any:
    """Return the parameters of a line-up as [entries, NODES] records.

    addresses: id of a strategy's function -> address of its compiled code.
    """
    rows = np.zeros((len(line_up), records.NODES), records.NODE)
    for row, bound in zip(rows, line_up, strict=True):
        places = memo_places(bound)
        flat = list(bound.nodes())
        numbers = {id(node): i for i, node in enumerate(flat)}
        for i, node in enumerate(flat):
            row[i]["address"] = addresses.get(id(node.strategy.function), 0)
            for k, (parameter, value) in enumerate(
                zip(node.strategy.parameters, node.values, strict=True)
            ):
                if isinstance(value, Bound):
                    child = numbers[id(value)]
                    row[i]["whole"][k] = child - i
                    row[child]["memo_at"] = places[child] - places[i]
                elif parameter.kind == "word":
                    row[i]["whole"][k] = parameter.words.index(value)
                else:
                    row[i][_field(parameter)][k] = value
    return rows


def _field(parameter: Parameter) -> str:
    return "value" if parameter.kind is float else "whole"


def adapter_source(declared: Strategy, name: str) -> str:
    """Write the function that unpacks (table, me, rules, memo, rng, node) for one strategy."""
    given = {name: name for name in ("table", "me", "rules", "memo", "rng")}
    if declared.memo is not None:
        given["memo"] = "as_record(memo, MEMO)"
    arguments = [given[name] for name in declared.wants]
    for k, parameter in enumerate(declared.parameters):
        if parameter.kind == "word":
            arguments.append(f"as_word(node.whole[{k}], {'|'.join(parameter.words)!r})")
        elif parameter.kind == "strategy":
            arguments.append(f"moved(node, node.whole[{k}] * NODE_BYTES, NODE)")
        elif parameter.kind is bool:
            arguments.append(f"node.whole[{k}] != 0")
        else:
            arguments.append(f"node.{_field(parameter)}[{k}]")
    return (
        f"def {name}(table, me, rules, memo, rng, node):\n"
        f"    return as_action(core({', '.join(arguments)}))\n"
    )


class Compiler:
    """Compiles the kernels and strategies of one game, or finds them on disk."""

    def __init__(self, game: Game, announce: Callable[[str], None] = lambda name: None) -> None:
        from numba import from_dtype, types

        self.game = game
        self.announce = announce
        self._twins = Twins()
        self._with_events: Twins | None = None
        self._done: dict[Any, Any] = {}
        kinds = [from_dtype(dtype) for dtype in (game.table, game.seat, game.hidden, game.rules)]
        self._table, self._seat, self._hidden, self._rules = kinds
        others = (records.CHANCE, records.RNG, records.MEMO, records.PROGRESS, records.NODE)
        chance, self._rng, self._memo, progress, self._node = map(from_dtype, others)
        result, event = from_dtype(game.result), from_dtype(records.EVENT)
        self.kinds = (*kinds, result)
        i8 = types.int64
        self.decide_type = i8(
            self._table, self._seat, self._rules, self._memo, self._rng, self._node
        )
        row = types.Array
        self.kernel_type = i8(
            *([i8] * 6), row(types.int32, 2, "C"), row(i8, 2, "C"),
            row(i8, 1, "C"), row(self._node, 2, "C"),
            *(row(kind, 1, "C") for kind in (
                self._rules, self._table, self._seat, self._hidden, chance, self._rng, self._memo,
                progress,
            )),
            row(result, 2, "C"), row(event, 1, "C"), i8,
        )  # fmt: skip

    def _family(self, events: bool) -> Twins:
        if not events:
            return self._twins
        if self._with_events is None:
            from simlab.core import lowering

            self._with_events = Twins({emit: lowering.emit})
        return self._with_events

    def kernel(self, events: bool) -> Any:
        """Return the compiled loop that reaches strategies by address."""
        from simlab.core import lowering

        return self._kernel(events, "kernel", lowering.call, "")

    def lockstep(self, events: bool) -> Any:
        """Return the compiled loop that stops where a Python strategy must decide."""
        from simlab.core import lowering
        from simlab.core.lockstep import pump, pump_type

        key = f"{self.game.name}-lockstep-{events}"
        if key not in self._done:
            kind = pump_type(self)
            self._done[key] = self._loop(pump, kind, events, "lockstep", lowering.call, "")
        return self._done[key]

    def _kernel(self, events: bool, name: str, decide_by: Any, key: str) -> Any:
        whole = f"{name}-{events}-{key}"
        if whole not in self._done:
            self._done[whole] = self._loop(play, self.kernel_type, events, name, decide_by, key)
        return self._done[whole]

    def _loop(
        self, template: Any, kind: Any, events: bool, name: str, decide_by: Any, key: str
    ) -> Any:
        """Compile a template of a loop for this game, or find it on disk."""
        from simlab.core import lowering

        name = f"{self.game.name}-{name}{'-events' if events else ''}"
        game, twins = self.game, self._family(events)
        functions = parts(game)
        given = {part: twins.of(function) for part, function in functions.items()}
        given |= {"decide": decide_by, "address_of": lowering.address_of, "EVENTS": events}
        loop = twins.specialised(template, name.replace("-", "_"), given, **KERNEL_OPTIONS)
        made_of = digest(fingerprint(template, *functions.values()), str(events), key)

        def first(name: str) -> None:
            for function in functions.values():
                check_no_circle(function, f"rules of {game.name}")
            self.announce(name)

        return cache.compile_cached(loop, kind, name, made_of, first)

    def _adapter(self, declared: Strategy, inline: bool) -> tuple[Any, str]:
        from numba import njit

        from simlab.core import lowering

        name = f"decide_{declared.name}"
        source = adapter_source(declared, name)
        names = {
            "core": self._twins.of(declared.function, **STRATEGY_OPTIONS),
            "as_action": lowering.as_action,
            "as_record": lowering.as_record,
            "as_word": lowering.as_word,
            "moved": lowering.moved,
            "MEMO": declared.memo,
            "NODE": records.NODE,
            "NODE_BYTES": records.NODE.itemsize,
            "__name__": __name__,
        }
        exec(compile(source, __file__, "exec"), names)
        options = INNER | {"error_model": "python", "forceinline": inline, "_nrt": True}
        key = digest(source, str(declared.memo), fingerprint(declared.function), str(inline))
        return njit(**(inner(options) if inline else options))(names[name]), key

    def strategy(self, declared: Strategy) -> Any:
        """Return the compiled function of a strategy, called as (table, me, ..., node)."""
        if declared not in self._done:
            adapter, key = self._adapter(declared, inline=False)
            name = f"{self.game.name}-{declared.name}"

            def first(name: str) -> None:
                check_no_circle(declared.function, f"strategy '{declared.name}'")
                check_copies(declared)
                self.announce(name)

            self._done[declared] = cache.compile_cached(adapter, self.decide_type, name, key, first)
        return self._done[declared]

    def address(self, declared: Strategy) -> int:
        """Return the address of a strategy's native code."""
        done = next(iter(self.strategy(declared).overloads.values()))
        return int(done.library.get_pointer_to_function(done.fndesc.llvm_func_name))

    def inlined(self, strategies: Sequence[Strategy], events: bool) -> tuple[Any, dict[int, int]]:
        """Return a kernel with the strategies compiled in, and the number of each function.

        Keyed by the set of strategies: rotation, order and parameters share one kernel.
        """
        chain, keys, numbers = self._chain(strategies)
        kernel = self._kernel(events, "inlined", chain, digest(*keys))
        return kernel, numbers

    def inlined_is_cached(self, strategies: Sequence[Strategy], events: bool) -> bool:
        """Whether that kernel is on disk."""
        _, keys, _ = self._chain(strategies)
        made_of = fingerprint(play, *parts(self.game).values())
        name = f"{self.game.name}-inlined{'-events' if events else ''}"
        key = digest(made_of, str(events), digest(*keys))
        return cache.is_cached(self.kernel_type, name, key)

    def _chain(self, strategies: Sequence[Strategy]) -> tuple[Any, list[str], dict[int, int]]:
        one_each = {id(s.function): s for s in strategies}
        adapted = [(s, *self._adapter(s, inline=True)) for s in one_each.values()]
        adapted.sort(key=lambda entry: entry[2])
        chain: Any = None
        for number in range(len(adapted) - 1, -1, -1):
            template = last if chain is None else choose
            given = {"NUMBER": number, "this": adapted[number][1], "rest": chain}
            name = f"choose_{number}_of_{len(adapted)}"
            chain = self._twins.specialised(template, name, given, **RULE_OPTIONS)
        numbers = {id(s.function): i for i, (s, _, _) in enumerate(adapted)}
        return chain, [key for _, _, key in adapted], numbers


def check_copies(declared: Strategy) -> None:
    """Raise StrategyError where a helper makes a copy, which would be gone when it returns."""
    for function in reach(declared.function):
        if function is not declared.function and any(each is copied for each in called(function)):
            code = function.__code__
            raise StrategyError(
                f"strategy '{declared.name}': {function.__name__} ({code.co_filename}:"
                f"{code.co_firstlineno}) calls copied(...), which only the strategy's own function "
                "can do; make the copy there and hand it over."
            )


def read_only(record: Any) -> Any:
    """Return a record with the same contents that cannot be written to."""
    view = np.frombuffer(record.tobytes(), record.dtype)
    return view.view(np.recarray)[0]


class Onlooker:
    """A strategy that plays without numba and cannot write to what it sees of a state."""

    def __init__(self, player: Any, state: State, rules: Any) -> None:
        self.player, self.rules = player, cursor(rules)
        self.table, self.seats = state.shown

    def __call__(self, table: Any, me: Any, rules: Any, memo: Any, rng: Any) -> Any:
        """Return the action of the seat that `me`, a cursor, stands at."""
        return self.player(self.table, self.seats[me.at], self.rules, memo, rng)


def seen_decide(looker: Any, table: Any, me: Any, rules: Any, memo: Any, rng: Any, _: Any) -> Any:
    """Ask an `Onlooker`; what it returns must be a whole number."""
    return whole_action(looker(table, me, rules, memo, rng))


def plain_decide(player: Any, table: Any, me: Any, rules: Any, memo: Any, rng: Any, _: Any) -> Any:
    """Ask a strategy without numba; what it returns must be a whole number."""
    return whole_action(player(read_only(table), read_only(me), read_only(rules), memo, rng))


def whole_action(action: Any) -> int:
    """Return what a strategy answered as a whole number; TypeError if it is none."""
    if isinstance(action, (bool, int, np.integer, np.bool_)):
        return int(action)
    raise TypeError(f"the strategy returned {action!r}; an action is a whole number")


def plain_kernel(game: Game) -> Callable[..., Any]:
    """Return the loop as plain Python, for `State.cursors` and onlookers."""
    return with_globals(play, {**parts(game), "decide": seen_decide})
