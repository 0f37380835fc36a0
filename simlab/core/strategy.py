"""Strategies: what a person writes, and the same with its parameters bound.

    @strategy("diamant")
    def threshold(table, me, gems: int = 15):
        \"\"\"Leave once carrying at least `gems`.\"\"\"
        return LEAVE if table.carried[me.explorer] >= gems else STAY

A strategy names what it wants of `table`, `me`, `rules`, `memo` and `rng`; every later argument is
a parameter. The decorated function stays a plain function.

`@batch_strategy` declares one that decides for many games at once: it takes the same arguments, as
views whose fields are arrays over the games (`views.py`), and answers with an array of actions.
"""

from __future__ import annotations

import difflib
import inspect
import types as pytypes
import typing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from simlab.core.functions import native
from simlab.core.parameters import Call, Parameter, checked, number_text, parameter_of, read_spec
from simlab.core.records import MEMO_WORDS, NODES, PARAMETERS, record
from simlab.core.views import One, Rows, SharedRules, Written, one_action
from simlab.errors import UserError, one_of, shown

GIVEN = ("table", "me", "rules", "memo", "rng")
STRATEGY_MARK = "__strategy__"


@dataclass(frozen=True, eq=False)
class Strategy:
    """A strategy as its file declares it.

    name: its name; game: the game it is for; function: the plain function; wants: which of
    `table, me, rules, memo, rng` it takes, in its own order; memo: dtype of its memo, or None;
    compiled: to machine code; batch: decides for many games at once.
    """

    name: str
    game: str
    function: Callable[..., Any]
    wants: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    memo: np.dtype[Any] | None = None
    compiled: bool = True
    batch: bool = False

    @property
    def line(self) -> int:
        """The line of its file on which it begins."""
        return self.function.__code__.co_firstlineno

    @property
    def file(self) -> Path:
        """The source file (may not exist for a function typed into a notebook)."""
        return Path(self.function.__code__.co_filename)

    @property
    def kind(self) -> str:
        """How it is played: "compiled", "plain" or "batch"."""
        return "batch" if self.batch else "compiled" if self.compiled else "plain"

    @property
    def summary(self) -> str:
        """First line of the docstring."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    def signature(self) -> str:
        """Write the name with all parameters and defaults."""
        shown = [f"{p.name}={_shown(p.default)}" for p in self.parameters]
        return f"{self.name}({', '.join(shown)})" if shown else self.name


@dataclass(frozen=True)
class Bound:
    """A strategy with a value for every parameter (a `Bound` where the parameter is a strategy).

    said: the name it was asked for by, where that tells apart two of one name (`mine:threshold`).
    """

    strategy: Strategy
    values: tuple[Any, ...] = ()
    said: str = ""

    @property
    def name(self) -> str:
        """The name it is shown by."""
        return self.said or self.strategy.name

    @property
    def label(self) -> str:
        """The name with the parameters that differ from their defaults."""
        return _write(self, full=False)

    @property
    def full(self) -> str:
        """The name with every parameter."""
        return _write(self, full=True)

    @property
    def compiled(self) -> bool:
        """Whether it and all strategies inside it are compiled."""
        return all(node.strategy.compiled for node in self.nodes())

    def nodes(self) -> Iterator[Bound]:
        """Yield this strategy and all strategies inside it, parents first."""
        yield self
        for value in self.values:
            if isinstance(value, Bound):
                yield from value.nodes()


def strategy(
    game: str,
    *,
    name: str | None = None,
    memo: Sequence[tuple[Any, ...]] | None = None,
    compiled: bool = True,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a strategy of a game.

    name: defaults to the function's; memo: fields (name, format) or (name, format, shape) of a
    small record that is zeroed at the start of each game; compiled: False for plain Python.
    Raises UserError where a parameter's annotation is not one that a strategy can have.
    """
    _check_game(game, "strategy")

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        setattr(function, STRATEGY_MARK, _read(function, game, name, memo, compiled))
        return function

    return declare


def batch_strategy(
    game: str, *, name: str | None = None, memo: Sequence[tuple[Any, ...]] | None = None
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a strategy that decides for many games at once, with NumPy.

    Its arguments are those of `strategy`; a field of `table`, `me` or `memo` is an array [games] or
    [games, n], one of `rules` is a single value; `uniform(rng)` and `below(rng, n)` draw one number
    for each game, in the stream that the game's seat has anyway. It returns an array of actions
    [games] of whole numbers, or one action for all.
    """
    _check_game(game, "batch_strategy")

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        declared = _read(function, game, name, memo, compiled=False, batch=True)
        setattr(function, STRATEGY_MARK, declared)
        return function

    return declare


def _check_game(game: object, word: str) -> None:
    """Raise UserError for a decorator that was not given the name of a game."""
    if not isinstance(game, str):
        code = getattr(game, "__code__", None)
        where = f"{code.co_filename}:{code.co_firstlineno}: " if code is not None else ""
        raise UserError(f'{where}@{word} takes the name of a game: @{word}("diamant").')


def _read(
    function: Callable[..., Any],
    game: str,
    name: str | None,
    memo: Sequence[tuple[Any, ...]] | None,
    compiled: bool,
    batch: bool = False,
) -> Strategy:
    if not isinstance(function, pytypes.FunctionType) or inspect.iscoroutinefunction(function):
        raise UserError(f"@strategy declares a plain function, not {shown(repr(function))}.")
    code = function.__code__
    called = function.__name__ if name is None else name
    if not isinstance(called, str) or not called.isidentifier():
        raise UserError(
            f"{code.co_filename}:{code.co_firstlineno}: '{shown(called)}' cannot be the name of "
            "a strategy; it takes letters, digits and _, as in @strategy(..., name='my_plan')."
        )
    owner = f"{code.co_filename}:{code.co_firstlineno}: strategy '{called}'"
    try:
        hints = typing.get_type_hints(function, include_extras=True)
    except NameError as error:
        raise UserError(f"{owner}: an annotation is unknown: {error}.") from None
    wants: list[str] = []
    parameters: list[Parameter] = []
    for argument in inspect.signature(function).parameters.values():
        if argument.name in GIVEN and not parameters:
            wants.append(argument.name)
            continue
        if argument.kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD:
            raise UserError(f"{owner}: '{argument.name}' must be an ordinary parameter (no *, **).")
        if argument.default is inspect.Parameter.empty:
            near = difflib.get_close_matches(argument.name, GIVEN, n=1)
            if near:
                raise UserError(f"{owner}: no argument '{argument.name}'; did you mean {near[0]}?")
            raise UserError(
                f"{owner}: '{argument.name}' needs a default (name what the strategy wants of "
                f"{', '.join(GIVEN)} first, then its parameters as name: type = default)."
            )
        annotation = hints.get(argument.name, type(argument.default))
        parameters.append(
            parameter_of(argument.name, annotation, argument.default, Strategy, owner)
        )
    if len(parameters) > PARAMETERS:
        raise UserError(
            f"{owner}: {len(parameters)} parameters; at most {PARAMETERS} are possible."
        )
    if not _is_memo(memo):
        raise UserError(f"{owner}: memo takes a list of (name, type) or (name, type, shape).")
    fields = [(entry[0], entry[1], entry[2] if len(entry) > 2 else ()) for entry in memo or ()]
    dtype = record(*fields) if fields else None
    if dtype is not None and dtype.itemsize > MEMO_WORDS * 8:
        raise UserError(
            f"{owner}: its memo takes {dtype.itemsize} bytes; at most {MEMO_WORDS * 8} are "
            "possible."
        )
    return Strategy(called, game, function, tuple(wants), tuple(parameters), dtype, compiled, batch)


def _is_memo(memo: Any) -> bool:
    try:
        for name, kind, *shape in memo or ():
            np.dtype((kind, shape[0] if shape else ()))
            if not isinstance(name, str) or len(shape) > 1:
                return False
    except (TypeError, ValueError):
        return False
    return True


Find = Callable[[str], Strategy]


def bind(
    given: str | Call | Callable[..., Any] | Bound,
    find: Find,
    beside: Callable[[Strategy], Find] | None = None,
) -> Bound:
    """Bind a spec, a parsed call, a decorated function or a bound strategy; check every value.

    find: returns the strategy of a name, or raises UserError; beside: returns what finds those that
    a strategy has for its own defaults.
    """
    try:
        return _bind(given, find, beside)
    except RecursionError:
        raise UserError(
            f"{shown(str(given))}: the default strategies of its parameters lead back to it; give "
            "one of them a default that asks nobody."
        ) from None


def _bind(
    given: str | Call | Callable[..., Any] | Bound,
    find: Find,
    beside: Callable[[Strategy], Find] | None,
) -> Bound:
    if isinstance(given, Bound):
        return given
    declared = getattr(given, STRATEGY_MARK, None)
    if declared is not None:
        return _bound(declared, Call(declared.name), find, beside)
    if isinstance(given, str):
        given = read_spec(given)
    if not isinstance(given, Call):
        raise UserError(
            f"{shown(repr(given))} is not a strategy; give its name in quotes or a "
            "@strategy function."
        )
    return _bound(find(given.name), given, find, beside)


def _bound(
    declared: Strategy, call: Call, find: Find, beside: Callable[[Strategy], Find] | None
) -> Bound:
    stated = dict(call.arguments)
    names = [p.name for p in declared.parameters]
    for key, _ in call.arguments:
        if key not in names:
            raise one_of("parameter", key, names, f"in {declared.signature()}")
    near = beside(declared) if beside is not None else find

    def value(parameter: Parameter) -> Any:
        at = find if parameter.name in stated else near
        given = stated.get(parameter.name, parameter.default)
        return checked(parameter, given, declared.name, lambda spec: _bind(spec, at, beside))

    said = call.name if ":" in call.name else ""
    found = Bound(declared, tuple(map(value, declared.parameters)), said)
    if len(list(found.nodes())) > NODES:
        raise UserError(f"{found.full} holds more than {NODES - 1} strategies inside one another.")
    if sum(_memo_bytes(node) for node in found.nodes()) > MEMO_WORDS * 8:
        raise UserError(f"{found.full} needs more than {MEMO_WORDS * 8} bytes of memo in all.")
    return found


def _memo_bytes(node: Bound) -> int:
    return node.strategy.memo.itemsize if node.strategy.memo is not None else 0


def memo_places(bound: Bound) -> list[int]:
    """Return the first memo byte of each node of a bound strategy, in the order of `nodes()`."""
    places, end = [], 0
    for node in bound.nodes():
        places.append(end)
        end += _memo_bytes(node)
    return places


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return number_text(value) if isinstance(value, (int, float)) else str(value)


def _write(bound: Bound, full: bool) -> str:
    shown = []
    for parameter, value in zip(bound.strategy.parameters, bound.values, strict=True):
        if isinstance(value, Bound):
            text = value.full if full else value.label
            same = text == parameter.default
        else:
            text, same = _shown(value), value == parameter.default
        if full or not same:
            shown.append(f"{parameter.name}={text}")
    return f"{bound.name}({', '.join(shown)})" if shown else bound.name


class Player:
    """A bound strategy that plays without numba, over the same memo bytes as a compiled one."""

    def __init__(self, bound: Bound) -> None:
        places = dict(zip(map(id, nodes := list(bound.nodes())), memo_places(bound), strict=True))
        self._fill(bound, places)
        assert nodes[0] is bound

    def _fill(self, bound: Bound, places: dict[int, int]) -> None:
        self.bound = bound
        declared = bound.strategy
        self.function, self.batch, self.wants = declared.function, declared.batch, declared.wants
        self.dtype = declared.memo
        self.at = places[id(bound)]
        self.values: list[Any] = []
        for value in bound.values:
            if isinstance(value, Bound):
                child = Player.__new__(Player)
                child._fill(value, places)
                value = child
            self.values.append(value)
        self.asks = any(isinstance(value, Player) for value in self.values)
        self.remembers = any(node.strategy.memo is not None for node in bound.nodes())

    def __call__(self, table: Any, me: Any, rules: Any, memo: Any, rng: Any) -> Any:
        """Return the action in one game; `memo` is the seat's memo as an array of bytes."""
        if self.batch:
            ways = (One(table), One(me), SharedRules(rules), memo[None], One(rng, writable=True))
            return one_action(self.many(*ways), 1)[0]
        given = {"table": table, "me": me, "rules": rules, "rng": rng}
        if self.dtype is not None:
            piece = memo[self.at : self.at + self.dtype.itemsize]
            given["memo"] = piece.view(self.dtype).view(np.recarray)[0]
        elif "memo" in self.wants:
            given["memo"] = None
        values = self.values
        if self.asks:
            values = [_Asked(v, memo) if isinstance(v, Player) else v for v in values]
        return self.function(*(given[name] for name in self.wants), *values)

    def many(self, table: Rows | One, me: Rows | One, rules: Any, memos: Any, rng: Any) -> Any:
        """Return the actions in many games: as the strategy gave them, or [games] i8.

        table, me, rng: views of the games; memos: the bytes of all memos, [seats, bytes], of which
        `me` says which are meant.
        """
        if not self.batch:
            return self._each(table, me, rules, memos, rng)
        given: dict[str, Any] = {"table": table, "me": me, "rules": rules, "rng": rng}
        if self.dtype is not None:
            pieces = memos[:, self.at : self.at + self.dtype.itemsize]
            given["memo"] = Written(pieces.view(self.dtype)[:, 0], me.places)
        elif "memo" in self.wants:
            given["memo"] = None
        values = [_AskedMany(v, memos) if isinstance(v, Player) else v for v in self.values]
        return self.function(*(given[name] for name in self.wants), *values)

    def _each(self, table: Rows | One, me: Rows | One, rules: Any, memos: Any, rng: Any) -> Any:
        """Ask a strategy that decides for one game, game by game."""
        actions = np.empty(len(me), np.int64)
        for i in range(len(me)):
            memo = memos[me.places[i]]
            record = rules.record if isinstance(rules, SharedRules) else rules
            actions[i] = self(table.row(i), me.row(i), record, memo, rng.row(i))
        return actions


class _Asked:
    """A strategy inside a strategy, with the seat's memo at hand."""

    def __init__(self, player: Player, memo: Any) -> None:
        self.player, self.memo = player, memo

    def __call__(self, table: Any, me: Any, rules: Any, rng: Any) -> Any:
        return self.player(table, me, rules, self.memo, rng)


class _AskedMany:
    """A strategy inside a batch strategy, with the memos of all seats at hand."""

    def __init__(self, player: Player, memos: Any) -> None:
        self.player, self.memos = player, memos

    def __call__(self, table: Any, me: Any, rules: Any, rng: Any) -> Any:
        return one_action(self.player.many(table, me, rules, self.memos, rng), len(me))


@native("ask")
def ask(base: Any, table: Any, me: Any, rules: Any, memo: Any, rng: Any) -> Any:
    """Return what the strategy `base`, a parameter of the asking one, would do here."""
    return base(table, me, rules, rng)


@native("copied")
def copied(record: Any) -> Any:
    """Return a copy of `me` that may be changed, to ask another strategy under other conditions.

        own = copied(me)
        own.barred[0] |= BAR_RESERVE
        return ask(base, table, own, rules, memo, rng)

    It lives as long as the strategy's function, so helper functions cannot make one. TypeError in
    a batch strategy.
    """
    if isinstance(record, (Rows, One)):
        raise TypeError("copied(me) is for one game; a batch strategy cannot change what it sees")
    kind = record.dtype
    made = np.zeros(1, kind)
    for name in kind.names:
        made[name][0] = record[name]
    return made.view(np.recarray)[0]
