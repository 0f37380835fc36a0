"""The settings of a strategy's parameters that are played, and what can be put around it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from simlab.core.parameters import Parameter
from simlab.core.records import MEMO_WORDS, NODES
from simlab.core.strategy import Bound, Strategy, memo_places

MOST_SETTINGS = 24


def kind_of(declared: Strategy) -> str:
    """Return the kind of a strategy in words."""
    if declared.batch:
        return "many games at once"
    return "compiled" if declared.compiled else "plain Python"


def settings(bound: Bound) -> list[Bound]:
    """Return a strategy with its defaults, and with its parameters at the ends of their ranges."""
    parameters, defaults = bound.strategy.parameters, bound.values
    ends = [_ends(parameter) for parameter in parameters]
    found = [defaults]
    for end in (0, -1):
        chosen = [e[end] if e else d for e, d in zip(ends, defaults, strict=True)]
        found.append(tuple(chosen))
    for place, values in enumerate(ends):
        found += [(*defaults[:place], value, *defaults[place + 1 :]) for value in values]
    made = {replace(bound, values=values).full: values for values in found}
    return [replace(bound, values=values) for values in list(made.values())[:MOST_SETTINGS]]


def _ends(parameter: Parameter) -> list[Any]:
    if parameter.kind == "word":
        return list(parameter.words)
    if parameter.kind is bool:
        return [False, True]
    if parameter.range is None or not isinstance(parameter.kind, type):
        return []
    return [parameter.kind(parameter.range.low), parameter.kind(parameter.range.high)]


def has_room(bound: Bound) -> bool:
    """Whether another strategy can be put around this one."""
    last = list(bound.nodes())[-1].strategy.memo
    memo = memo_places(bound)[-1] + (last.itemsize if last is not None else 0)
    return len(list(bound.nodes())) + 2 <= NODES and memo <= MEMO_WORDS * 8
