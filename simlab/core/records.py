"""Records: the flat NumPy structures that hold all state of a game.

A record is copied, written down and set going again as its bytes. Played without numba, records
are `numpy.record` views, so that `table.carried[0]` reads the same in both worlds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simlab.core.functions import native
from simlab.errors import UserError

MEMO_WORDS = 32
PARAMETERS = 12
NODES = 8

Field = tuple[Any, ...]


ENGINE_WORDS = ("at",)  # what the cursors of `views.py` are moved by


def record(*fields: Field) -> np.dtype[np.void]:
    """Build an aligned dtype from fields (name, format, shape) or (name, format, shape, other).

    With `other`, the field lies over the bytes of that earlier field: a counter array for the
    reader and one integer word for arithmetic. The size is a multiple of eight bytes.
    """
    names: list[str] = []
    formats: list[np.dtype[Any]] = []
    offsets: list[int] = []
    end = 0
    for name, kind, shape, *over in fields:
        if hasattr(np.record, name):
            raise UserError(f"a record cannot have a field '{name}': NumPy uses that word itself.")
        if name in ENGINE_WORDS:
            raise UserError(f"a record cannot have a field '{name}': simlab uses that word itself.")
        base = np.dtype(kind)
        form = np.dtype((base, shape)) if shape else base
        if over:
            start = offsets[names.index(over[0])]
        else:
            start = -(-end // base.alignment) * base.alignment
            end = start + form.itemsize
        names.append(name)
        formats.append(form)
        offsets.append(start)
    size = -(-end // 8) * 8
    layout = {"names": names, "formats": formats, "offsets": offsets, "itemsize": size}
    return np.dtype(layout, align=True)  # type: ignore[call-overload, no-any-return]


RNG = record(("state", "u8", ()))
CHANCE = record(("key", "u8", ()))
MEMO = record(("word", "i8", (MEMO_WORDS,)))
# One node of a strategy: its parameters, the address of its compiled function, the place of its
# memo after its parent's (bytes). A strategy inside a strategy is a later node of the same row.
# A parameter is a float in `value` or an integer (number, word, truth, place of a node) in `whole`.
NODE = record(
    ("value", "f8", (PARAMETERS,)),
    ("whole", "i8", (PARAMETERS,), "value"),
    ("address", "i8", ()),
    ("memo_at", "i8", ()),
)
# What the kernel is about to do: read by whoever must tell where a game stopped.
PROGRESS = record(
    ("game", "i8", ()), ("seat", "i8", ()), ("action", "i8", ()), ("decision", "i8", ())
)
# Where emit() writes: the address of the caller's event records, how many are in, how many fit.
EVENTS = record(("address", "i8", ()), ("count", "i8", ()))
EVENT_VALUES = 5
EVENT = record(
    ("game", "i8", ()),
    ("turn", "i4", ()),
    ("seat", "i1", ()),
    ("kind", "i1", ()),
    ("what", "i4", ()),
    ("value", "i4", (EVENT_VALUES,)),
)


def plain_arithmetic() -> Any:
    """Return the context in which rules and strategies play without numba, as compiled code does.

    Random numbers overflow silently; a division by zero is an error.
    """
    return np.errstate(over="ignore", divide="raise", invalid="raise")


def make(dtype: np.dtype[Any], *shape: int) -> Any:
    """Return a zeroed array of records of the given shape, as attribute-reading records."""
    return np.zeros(shape or (1,), dtype).view(np.recarray)


@native("clear")
def clear(records: Any) -> None:
    """Set every byte of an array of records (or of the array behind cursors) to zero."""
    np.asarray(getattr(records, "array", records)).view(np.uint8)[...] = 0
