"""Strategies that the checks play with: they ask another one and leave its path at random.

Plain functions that see a game's own `legal`; compiled like any strategy where that is wanted.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from simlab.core.functions import native
from simlab.core.game import Game, rule_book
from simlab.core.kernel import with_globals
from simlab.core.parameters import Parameter
from simlab.core.rng import below, scramble, uniform
from simlab.core.strategy import Bound, Strategy, ask

# Given to the functions below for each game; named here for the reader.
legal: Any = None
wander: Any = None
ACTIONS = 1

PRIME = np.uint64(0x9E3779B97F4A7C15)
EVERYTHING = ("table", "me", "rules", "memo", "rng")


@native("as_action")
def whole(value: Any) -> int:
    """Return what a strategy chose as a number; TypeError unless it is a whole one."""
    if isinstance(value, (bool, int, np.integer, np.bool_)):
        return int(value)
    raise TypeError(f"the strategy returned {value!r}; an action is a whole number")


def wandering(table: Any, me: Any, rules: Any, memo: Any, rng: Any, taste: Any) -> Any:
    """Choose a legal action at random: all alike for taste 0, else some more often than others.

    Tastes lead to places that even chances seldom reach.
    """
    tastes = np.uint64(taste) * PRIME
    for _ in range(8 * ACTIONS):
        action = below(rng, np.int64(ACTIONS))
        liked = np.int64(scramble(tastes + np.uint64(action)) >> np.uint64(56))
        chosen = taste == 0 or below(rng, np.int64(66000)) < liked * liked + 900
        if chosen and legal(table, me, rules, action):
            return action
    start = below(rng, np.int64(ACTIONS))
    for place in range(ACTIONS):
        if legal(table, me, rules, (start + place) % ACTIONS):
            return (start + place) % ACTIONS
    return np.int64(-1)


def mixed(
    table: Any, me: Any, rules: Any, memo: Any, rng: Any, base: Any, keep: Any, taste: Any
) -> Any:
    """Ask `base`, carry out its choice with probability `keep`, and wander otherwise.

    What `base` draws does not move what is drawn here: with keep 0 the game is the same whoever is
    asked. An illegal choice is returned as it is, so that it ends the game.
    """
    start = rng.state
    choice = whole(ask(base, table, me, rules, memo, rng))
    rng.state = scramble(start)
    if keep > 0.0:
        if not legal(table, me, rules, choice):
            return choice
        if uniform(rng) < keep:
            return choice
    return wander(table, me, rules, memo, rng, taste)


def mixed_many(
    table: Any, me: Any, rules: Any, memo: Any, rng: Any, base: Any, keep: Any, taste: Any
) -> Any:
    """Do the same in many games at once, for a `base` that answers for many."""
    start = np.array(rng.state)
    choices = ask(base, table, me, rules, memo, rng)
    rng.state = scramble(start)
    for i in range(len(choices) if keep < 1 else 0):
        place = table.row(i), me.row(i), rules.record
        if keep > 0.0 and (not legal(*place, choices[i]) or uniform(rng.row(i)) < keep):
            continue
        choices[i] = wander(*place, memo, rng.row(i), taste)
    return choices


def watched(table: Any, me: Any, rules: Any, memo: Any, rng: Any, base: Any) -> Any:
    """Ask `base`, but let it see records that refuse an index below zero. Plain Python alone."""
    return ask(base, Watched(table, "table"), Watched(me, "me"), Watched(rules, "rules"), memo, rng)


class BelowZero(IndexError):
    """An index that counts from the end of a field."""


class Watched:
    """A record that is looked at, whose arrays refuse an index below zero."""

    __slots__ = ("_name", "_record")

    def __init__(self, record: Any, name: str) -> None:
        self._record = record
        self._name = name

    @property
    def dtype(self) -> Any:
        """The dtype of the record."""
        return self._record.dtype

    def __getattr__(self, field: str) -> Any:
        return self._seen(getattr(self._record, field), field)

    def __getitem__(self, field: Any) -> Any:
        return self._seen(self._record[field], field)

    def _seen(self, value: Any, field: str) -> Any:
        if isinstance(value, np.ndarray):
            value = value.view(_Array)
            value.name = f"{self._name}.{field}"
        return value


class _Array(np.ndarray[Any, Any]):
    name = ""

    def __array_finalize__(self, other: Any) -> None:
        self.name = getattr(other, "name", "")

    def __getitem__(self, index: Any) -> Any:
        for number in index if isinstance(index, tuple) else (index,):
            if isinstance(number, (int, np.integer, np.ndarray)) and np.any(np.less(number, 0)):
                raise BelowZero(f"{self.name}[{index}] counts from the end of the field")
        return super().__getitem__(index)


def silent() -> int:
    """Say nothing: asked where only the wandering counts."""
    return 0


_TASTE = Parameter("taste", int, 0)
_MIXED = (Parameter("base", "strategy", ""), Parameter("keep", float, 0.5), _TASTE)


@functools.lru_cache(maxsize=64)
def _declared(game: Game, compiled: bool) -> dict[str, Strategy]:
    """Return the strategies of this file for a game; lock-step games take those not compiled."""
    given = {"legal": game.legal, "ACTIONS": len(rule_book(game).actions)}
    given["wander"] = with_globals(wandering, given)
    made: dict[str, tuple[Any, tuple[Parameter, ...], bool, bool]] = {
        "wander": (given["wander"], (_TASTE,), compiled, False),
        "mixed": (with_globals(mixed, given), _MIXED, compiled, False),
        "mixed_many": (with_globals(mixed_many, given), _MIXED, False, True),
        "watched": (watched, _MIXED[:1], False, False),
    }
    found = {
        name: Strategy(f"check_{name}", game.name, function, EVERYTHING, takes, None, fast, batch)
        for name, (function, takes, fast, batch) in made.items()
    }
    return found | {"silent": Strategy("check_silent", game.name, silent, (), (), None, compiled)}


def wanderer(game: Game, taste: int = 0) -> Bound:
    """Return a strategy that plays legal actions at random."""
    return Bound(_declared(game, True)["wander"], (taste,))


def mixture(game: Game, base: Bound, keep: float, taste: int = 0) -> Bound:
    """Return a strategy that asks `base` and carries out its choice with probability `keep`."""
    kind = "mixed_many" if base.strategy.batch else "mixed"
    return Bound(_declared(game, base.compiled)[kind], (base, keep, taste))


def watching(game: Game, base: Bound) -> Bound:
    """Return a strategy, plain Python, that asks `base` with records that guard their indices."""
    return Bound(_declared(game, False)["watched"], (base,))


def nobody(game: Game, compiled: bool = True) -> Bound:
    """Return a strategy that looks at nothing, to be asked in place of another one."""
    return Bound(_declared(game, compiled)["silent"])
