"""Marks on plain functions that say how the engine compiles them.

Everything in simlab is written and imported as plain Python. When a run needs speed, `twin.py`
makes compiled twins of the functions it can reach; until then nothing compiles and numba is not
even imported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

RULE_MARK = "__simlab_rule__"
NATIVE_MARK = "__simlab_native__"
INLINE_MARK = "__simlab_inline__"


def rule(function: F) -> F:
    """Mark a function of the rules: its twin is inlined, without bounds checks."""
    setattr(function, RULE_MARK, True)
    return function


def shared(function: F) -> F:
    """Mark a rule-like function that is too long to inline everywhere it is called."""
    setattr(function, RULE_MARK, True)
    setattr(function, INLINE_MARK, False)
    return function


def native(name: str) -> Callable[[F], F]:
    """Mark a plain function whose twin is `name` of `simlab.core.lowering`, written for numba."""

    def mark(function: F) -> F:
        setattr(function, NATIVE_MARK, name)
        return function

    return mark
