"""What a batch strategy sees: records of many games, read field by field as arrays.

A field is gathered when it is read, so a strategy pays for what it looks at alone.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

_SMALL = (np.dtype("i1"), np.dtype("i2"))


class Rows:
    """Records of many games, for looking at: `rows.field` is an array [games] or [games, n].

    `rows[mask]` or `rows[numbers]` are the same for some of the games; `len(rows)` is their number.
    """

    __slots__ = ("_records", "places")
    _records: Any
    places: Any

    def __init__(self, records: Any, places: Any) -> None:
        object.__setattr__(self, "_records", records)
        object.__setattr__(self, "places", places)

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, chosen: Any) -> Rows:
        return type(self)(self._records, self.places[chosen])

    def _field(self, name: str) -> Any:
        try:
            return self._records[name]
        except (KeyError, ValueError):
            raise _no_field(name) from None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = self._field(name)[self.places]
        # Small numbers would overflow where compiled code has room.
        return found.astype(np.int64) if found.dtype in _SMALL else found

    def __setattr__(self, name: str, value: Any) -> None:
        _refuse(name)

    def row(self, i: int) -> Any:
        """Return the record of game `i` of these, over the same memory."""
        return self._records.view(np.recarray)[self.places[i]]


class Written(Rows):
    """Records that may be written to: `memo.turns += 1`, `memo.last[:, 0] = x`."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        gathered = self._field(name)[self.places].view(_Linked)
        gathered.link = (gathered, self, name)
        return gathered

    def __setattr__(self, name: str, value: Any) -> None:
        self._field(name)[self.places] = value


class _Linked(np.ndarray[Any, Any]):
    """A gathered field of a memo: what is written into it is written back."""

    link: Any = None

    def __getitem__(self, chosen: Any) -> Any:
        found = super().__getitem__(chosen)
        if isinstance(found, _Linked) and found.base is not None:
            found.link = self.link
        return found

    def __setitem__(self, chosen: Any, value: Any) -> None:
        super().__setitem__(chosen, value)
        if self.link is not None:
            whole, owner, name = self.link
            owner._field(name)[owner.places] = np.asarray(whole)

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return array[()] if return_scalar else np.asarray(array)


class SharedRules:
    """The rules, the same in all games: `rules.field` is one value or one array."""

    __slots__ = ("record",)

    def __init__(self, record: Any) -> None:
        self.record = record

    def __len__(self) -> int:
        return 1

    def __getattr__(self, name: str) -> Any:
        return getattr(self.record, name)

    def __getitem__(self, chosen: Any) -> SharedRules:
        return self


def cursor(records: Any, writable: bool = False, at: int = 0) -> Any:
    """Return one object that reads as the record at its place `at`, for any place of an array.

    Several times faster than a record of NumPy's own: what rules and strategies look at when they
    are played without numba. Read-only, small numbers have as much room as in compiled code: single
    ones are Python's own, arrays of i1 and i2 are read as i8.
    """
    array = records.view(np.ndarray)
    if not writable and array.flags.writeable:
        array = array.view()
        array.flags.writeable = False
    made = _cursor_class(array.dtype, writable)(array)
    made.at = at
    return made


class Cursors(list[Any]):
    """A cursor for each record of an array, in place of the array: what rules write to.

    array: the array itself.
    """

    def __init__(self, array: Any) -> None:
        super().__init__(cursor(array, writable=True, at=at) for at in range(len(array)))
        self.array = array


@functools.lru_cache(maxsize=64)
def _cursor_class(dtype: Any, writable: bool) -> Any:
    names = dtype.names
    slots = ", ".join(repr(f"_{name}") for name in names)
    lines = ["class Cursor:", f"    __slots__ = ('at', {slots})", "    dtype = kind"]
    lines += ["    def __init__(self, array):", "        self.at = 0"]
    for n in names:
        whole = dtype[n].names is not None
        lines += [f"        self._{n} = " + (f"inner(array[{n!r}])" if whole else f"array[{n!r}]")]
    for name in names:
        write = f"self._{name}[self.at] = value" if writable else f"refuse({name!r})"
        read = f"self._{name}[self.at]"
        if not writable and dtype[name].shape:
            wide = dtype[name].base in _SMALL
            read = f"wide({read})" if wide else read
        elif not writable and dtype[name].kind in "if":
            read += ".item()"
        if dtype[name].names is not None:  # a record inside the record
            read = f"moved(self._{name}, self.at)"
        lines += [
            "    @property",
            f"    def {name}(self): return {read}",
            f"    @{name}.setter",
            f"    def {name}(self, value): {write}",
        ]
    lines += ["    def __getitem__(self, name): return getattr(self, name)"]
    lines += ["    def __getattr__(self, name): raise no_field(name)"]
    scope: dict[str, Any] = {
        "refuse": _refuse, "no_field": _no_field, "kind": dtype, "moved": _moved,
        "wide": _wide, "inner": lambda array: cursor(array, writable),
    }  # fmt: skip
    exec(compile("\n".join(lines), __file__, "exec"), scope)
    return scope["Cursor"]


def _wide(array: Any) -> Any:
    """Return numbers with the room that they have in compiled code, for looking at."""
    found = array.astype(np.int64)
    found.flags.writeable = False
    return found


def _moved(inner: Any, at: int) -> Any:
    inner.at = at
    return inner


def _no_field(name: str) -> AttributeError:
    return AttributeError(f"the record has no attribute '{name}'")


def _refuse(name: str) -> None:
    raise ValueError(f"field {name} is read-only")


class One:
    """A record as a view of one game, over the same memory."""

    __slots__ = ("places", "record", "writable")
    record: Any
    places: Any
    writable: bool

    def __init__(self, record: Any, writable: bool = False) -> None:
        object.__setattr__(self, "record", record)
        object.__setattr__(self, "writable", writable)
        object.__setattr__(self, "places", np.zeros(1, np.int64))

    def __len__(self) -> int:
        return 1

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return np.array(getattr(self.record, name))[None]
        except AttributeError:
            raise _no_field(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        if not self.writable:
            _refuse(name)
        setattr(self.record, name, np.asarray(value).reshape(-1)[0])

    def __getitem__(self, chosen: Any) -> Any:
        return self if len(np.zeros(1)[chosen]) else _NONE

    def row(self, i: int) -> Any:
        """Return the record itself."""
        return self.record


_NONE = Written(np.zeros(0, [("state", "u8")]), np.zeros(0, np.int64))


def one_action(given: Any, games: int) -> npt.NDArray[np.int64]:
    """Return what a batch strategy answered as [games] i8; TypeError for what is no action."""
    if isinstance(given, np.ma.MaskedArray):
        raise TypeError("the strategy returned a masked array; an action is a whole number")
    array = np.asarray(given)
    if array.dtype.kind not in "iub":
        what = repr(given) if array.ndim == 0 else f"an array of {array.dtype}"
        raise TypeError(f"the strategy returned {what}; an action is a whole number")
    if array.shape not in ((), (games,)):
        raise TypeError(
            f"the strategy returned an array of shape {array.shape} for {games} games; it returns "
            "one action for each, or one for all"
        )
    return np.broadcast_to(array, (games,)).astype(np.int64)


def take_each(values: Any, index: Any) -> Any:
    """Return `values[i, index[i]]` of each game i: `take_each(table.carried, me.explorer)`.

    values: [games, n]; index: [games] of whole numbers. Returns [games].
    """
    return values[np.arange(len(values)), index]
