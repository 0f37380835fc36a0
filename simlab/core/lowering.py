"""What numba compiles in place of plain functions: calls by address, casts, bits, events.

The only module that imports numba's internals. Everything here has a plain counterpart marked with
`native(name)`; imported only when something is about to compile.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import literal_unroll, njit, types
from numba.core import cgutils
from numba.core.callconv import excinfo_t
from numba.core.errors import TypingError
from numba.extending import intrinsic, models, overload, register_model

from simlab.core.records import EVENT, EVENT_VALUES, MEMO

NOTHING = {
    "cache": False,
    "nogil": True,
    "error_model": "numpy",
    "forceinline": True,
    "_nrt": False,
}
BYTES = ir.IntType(8).as_pointer()


class Word(types.Type):  # type: ignore[misc]
    """A parameter that is one word of a stated list: an integer that compares with literals."""

    def __init__(self, words: tuple[str, ...]) -> None:
        self.words = words
        super().__init__(name=f"Word({'|'.join(words)})")


@register_model(Word)
class WordModel(models.PrimitiveModel):  # type: ignore[misc]
    """A word is carried as its place in the list."""

    def __init__(self, manager: Any, word: Word) -> None:
        super().__init__(manager, word, ir.IntType(64))


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def as_word(typing: Any, index: Any, words: Any) -> Any:
    """Read an integer as a word of the literal list "a|b|c"."""
    kind = Word(tuple(words.literal_value.split("|")))

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return args[0]

    return kind(types.int64, words), code


@intrinsic  # type: ignore[untyped-decorator]
def _place(typing: Any, word: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return args[0]

    return types.int64(word), code


def _compare(word: Any, other: Any, equal: bool) -> Any:
    if not isinstance(word, Word):
        return None
    text = getattr(other, "literal_value", None)
    if not isinstance(text, str):
        return None
    place = word.words.index(text) if text in word.words else -1
    if equal:
        return lambda word, other: _place(word) == place
    return lambda word, other: _place(word) != place


@overload(operator.eq, prefer_literal=True)
def _word_equal(word, other):  # type: ignore[no-untyped-def]
    return _compare(word, other, equal=True)


@overload(operator.ne, prefer_literal=True)
def _word_unequal(word, other):  # type: ignore[no-untyped-def]
    return _compare(word, other, equal=False)


def _cast(builder: Any, context: Any, pointer: Any, kind: Any) -> Any:
    return builder.bitcast(pointer, context.get_value_type(kind))


@intrinsic  # type: ignore[untyped-decorator]
def as_record(typing: Any, source: Any, dtype: Any) -> Any:
    """Read the bytes of a record as a record of another dtype."""
    kind = dtype.dtype

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _cast(builder, context, args[0], kind)

    return kind(source, dtype), code


@intrinsic  # type: ignore[untyped-decorator]
def moved(typing: Any, source: Any, distance: Any, dtype: Any) -> Any:
    """Return the record of `dtype` that lies `distance` bytes after the start of `source`."""
    kind = dtype.dtype

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        start = builder.bitcast(args[0], BYTES)
        return _cast(builder, context, builder.gep(start, [args[1]]), kind)

    return kind(source, types.int64, dtype), code


@intrinsic  # type: ignore[untyped-decorator]
def at_address(typing: Any, address: Any, dtype: Any) -> Any:
    """Return the record of `dtype` that lies at an address of memory."""
    kind = dtype.dtype

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(kind))

    return kind(types.int64, dtype), code


@intrinsic  # type: ignore[untyped-decorator]
def call(
    typing: Any, address: Any, table: Any, me: Any, rules: Any, memo: Any, rng: Any, node: Any
) -> Any:
    """Call a compiled strategy by address in numba's own convention; exceptions pass through."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        convention = context.call_conv
        kind = convention.get_function_type(types.int64, signature.args[1:])
        result = cgutils.alloca_once(builder, ir.IntType(64))
        exception = cgutils.alloca_once(builder, ir.PointerType(excinfo_t))
        function = builder.inttoptr(args[0], kind.as_pointer())
        status_code = builder.call(function, [result, exception, *args[1:]])
        status = convention._get_return_status(builder, status_code, builder.load(exception))
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return builder.load(result)

    return types.int64(types.int64, table, me, rules, memo, rng, node), code


@njit(**NOTHING)  # type: ignore[untyped-decorator]
def ask(base: Any, table: Any, me: Any, rules: Any, memo: Any, rng: Any) -> Any:
    """Ask a strategy that is a parameter: its node lies in the same row of parameters."""
    own = moved(memo, base.memo_at, MEMO)
    return call(base.address, table, me, rules, own, rng, base)


@intrinsic  # type: ignore[untyped-decorator]
def copied(typing: Any, source: Any) -> Any:
    """Return a new copy of a record on the stack of the function that asks for it."""
    size = source.size

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = builder.alloca(ir.ArrayType(ir.IntType(8), size))
        place.align = 16
        to, start = (builder.bitcast(pointer, BYTES) for pointer in (place, args[0]))
        cgutils.raw_memcpy(builder, to, start, ir.Constant(ir.IntType(64), size), 1)
        return _cast(builder, context, place, signature.return_type)

    return source(source), code


def _action(value):  # type: ignore[no-untyped-def]
    raise NotImplementedError


@overload(_action)
def _action_of(value):  # type: ignore[no-untyped-def]
    if isinstance(value, (types.Integer, types.Boolean, types.IntEnumMember)):
        return lambda value: np.int64(value)
    found = "nothing on some path" if isinstance(value, (types.NoneType, types.Optional)) else value
    found = {"unicode_type": "a text", "float64": "a fraction"}.get(str(found), found)
    raise TypingError(f"it returns {found}; an action is a whole number")


@njit(**NOTHING)  # type: ignore[untyped-decorator]
def as_action(value: Any) -> Any:
    """Return what a strategy chose as an `i8`; a typing error unless it is a whole number."""
    return _action(value)  # type: ignore[no-untyped-call]


@intrinsic  # type: ignore[untyped-decorator]
def popcount(typing: Any, mask: Any) -> Any:
    """Count the bits of an `i8`."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), code


@intrinsic  # type: ignore[untyped-decorator]
def lowest(typing: Any, mask: Any) -> Any:
    """Return the place of the lowest bit of an `i8` that is not zero."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), code


@intrinsic  # type: ignore[untyped-decorator]
def clear(typing: Any, records: Any) -> Any:
    """Set all bytes of a contiguous array of records to zero."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        size = builder.mul(array.nitems, array.itemsize)
        cgutils.memset(builder, builder.bitcast(array.data, BYTES), size, 0)
        return context.get_dummy_value()

    return types.none(records), code


@intrinsic  # type: ignore[untyped-decorator]
def address_of(typing: Any, records: Any) -> Any:
    """Return the address of the first record of an array."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        return builder.ptrtoint(array.data, ir.IntType(64))

    return types.int64(records), code


@njit(**NOTHING)  # type: ignore[untyped-decorator]
def nothing(*values: Any) -> None:
    """The twin of what only a replay listens to."""


EVENT_BYTES = np.int64(EVENT.itemsize)


@njit(**NOTHING)  # type: ignore[untyped-decorator]
def emit(events: Any, seat: Any, turn: Any, kind: Any, what: Any, value: Any) -> None:
    """Write an event into the caller's records (their number per game is bounded by the game)."""
    event = at_address(events.address + events.count * EVENT_BYTES, EVENT)
    event.seat = seat
    event.turn = turn
    event.kind = kind
    event.what = what
    place = 0
    for number in literal_unroll(value):  # of mixed types, so there is no enumerate
        event.value[place] = number
        place += 1
    for rest in range(place, EVENT_VALUES):
        event.value[rest] = 0
    events.count += 1
