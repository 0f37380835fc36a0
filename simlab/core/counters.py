"""Eight small numbers in one word: counters that are compared, added and taken away together.

A record shows the same bytes twice: `("bank", "i1", (8,))` for whoever reads, and
`("bank_word", "i8", (), "bank")` for arithmetic. Byte 0 to 5 hold numbers from 0 to 127; bytes 6
and 7 stay 0.
"""

from __future__ import annotations

from typing import Any

from simlab.core.functions import rule

HIGH = 0x808080808080
ONES = 0x010101010101


@rule
def minus(a: Any, b: Any) -> Any:
    """Return a - b in every byte, not below 0."""
    d = (int(a) | HIGH) - int(b)
    kept = (d & HIGH) >> 7
    return d & ((kept << 7) - kept)


@rule
def covers(a: Any, b: Any) -> Any:
    """Return whether a >= b in every byte."""
    return (((int(a) | HIGH) - int(b)) & HIGH) == HIGH


@rule
def total(a: Any) -> Any:
    """Return the sum of the bytes (below 256)."""
    return ((int(a) * ONES) >> 40) & 0xFF


@rule
def some(a: Any) -> Any:
    """Return a word with 1 in every byte that is not 0."""
    return ((int(a) + (HIGH - ONES)) & HIGH) >> 7


@rule
def at_least(a: Any, number: int) -> Any:
    """Return a word with 1 in every byte that is `number` or more (1 to 127)."""
    return (((int(a) | HIGH) - number * ONES) & HIGH) >> 7
