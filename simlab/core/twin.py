"""Compiled twins of plain functions, and the digest of all that went into them.

A twin is a copy of a function whose globals are the twins of the functions it calls; numba compiles
it as it stands. No closures, no generated source: one template serves every game, specialised by
the globals it is given. What can reach machine code (bytecode, constants, values of globals) is
collected on the way, so that a cached twin can never be stale.
"""

from __future__ import annotations

import dis
import enum
import hashlib
import sys
import types as pytypes
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from simlab.core.functions import INLINE_MARK, NATIVE_MARK, RULE_MARK
from simlab.errors import UserError

Function = Callable[..., Any]

# Twins are called by compiled code alone, so numba need not wrap them for Python (half the time).
INNER = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
# Rules own no memory, so their arrays are not reference counted (a sixth of the time).
RULE_OPTIONS = INNER | {"error_model": "numpy", "forceinline": True, "_nrt": False}
SHARED_OPTIONS = INNER | {"error_model": "numpy", "forceinline": False, "_nrt": False}
STRATEGY_OPTIONS = INNER | {"error_model": "python", "boundscheck": True, "_nrt": True}
_KNOWN_TO_NUMBA = {"numpy", "numba", "llvmlite"} | set(sys.stdlib_module_names)


def plain(function: Any) -> Any:
    """Return the Python function inside a numba dispatcher, or the function itself."""
    return getattr(function, "py_func", function)


def _own(function: Any) -> bool:
    if not isinstance(plain(function), pytypes.FunctionType):
        return False
    module = (function.__module__ or "").split(".")[0]
    return hasattr(function, "py_func") or module not in _KNOWN_TO_NUMBA or module == "__main__"


def _codes(code: pytypes.CodeType) -> Iterator[pytypes.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, pytypes.CodeType):
            yield from _codes(constant)


def names_read(function: Any) -> set[str]:
    """Return the names of globals and attributes that a function's code mentions."""
    return {name for code in _codes(function.__code__) for name in code.co_names}


def globals_read(function: Any) -> dict[str, Any]:
    """Return the globals and closure cells that a function reads, by name."""
    names = names_read(function)
    found = {n: function.__globals__[n] for n in sorted(names) if n in function.__globals__}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        found[name] = cell.cell_contents
    return found


def members_read(module: pytypes.ModuleType, names: set[str]) -> dict[str, Any]:
    """Return what a function reads of a module, by name, lazily exported names included."""
    lazy = set(getattr(module, "__all__", ()))
    return {n: getattr(module, n) for n in names if n in vars(module) or n in lazy}


def options_of(function: Any) -> dict[str, Any]:
    """Return the options a function is compiled with, by its marks."""
    if getattr(function, RULE_MARK, False):
        return RULE_OPTIONS if getattr(function, INLINE_MARK, True) else SHARED_OPTIONS
    return STRATEGY_OPTIONS


def inner(options: dict[str, Any]) -> dict[str, Any]:
    """Add the pipeline for functions that only compiled code calls, where the options say so."""
    from simlab.core.inner import pipeline

    if options.get("no_cpython_wrapper") and pipeline() is not None:
        return options | {"pipeline_class": pipeline()}
    return options


class Twins:
    """A family of twins that see the same substitutes: one twin for each function, made once."""

    def __init__(self, substitutes: dict[Function, Any] | None = None) -> None:
        self._substitutes = dict(substitutes or {})
        self._made: dict[Any, Any] = {}
        self._twins: set[int] = set()

    def of(self, function: Any, **options: Any) -> Any:
        """Return the twin of a function: a numba dispatcher that compiles when it is called."""
        from numba import njit

        from simlab.core import lowering

        if function in self._substitutes:
            return self._substitutes[function]
        name = getattr(function, NATIVE_MARK, None)
        if name is not None:
            return getattr(lowering, name)
        source = plain(function)
        if source not in self._made:
            copy = self._copy(source)
            self._made[source] = twin = njit(**inner(options or options_of(source)))(copy)
            self._twins.add(id(twin))
            self._fill(source, copy, {})
        return self._made[source]

    def specialised(self, template: Any, name: str, given: dict[str, Any], **options: Any) -> Any:
        """Return a twin of `template` that sees `given` as globals, under a name of its own."""
        from numba import njit

        copy = self._copy(template)
        copy.__name__ = copy.__qualname__ = name
        twin = njit(**inner(options))(copy)
        self._fill(template, copy, given)
        return twin

    def _copy(self, source: Any) -> Any:
        cells = tuple(pytypes.CellType() for _ in source.__closure__ or ())
        names = {"__name__": source.__module__, "__builtins__": source.__globals__["__builtins__"]}
        copy = pytypes.FunctionType(
            source.__code__, names, source.__name__, source.__defaults__, cells or None
        )
        copy.__kwdefaults__ = source.__kwdefaults__
        copy.__module__, copy.__qualname__ = source.__module__, source.__qualname__
        return copy

    def _fill(self, source: Any, copy: Any, given: dict[str, Any]) -> None:
        names = names_read(source)
        values = globals_read(source)
        for name, cell in zip(source.__code__.co_freevars, copy.__closure__ or (), strict=True):
            cell.cell_contents = self._seen(values.pop(name), names)
        for name, value in values.items():
            copy.__globals__[name] = given[name] if name in given else self._seen(value, names)
        copy.__globals__.update({name: given[name] for name in names & set(given)})

    def _seen(self, value: Any, names: set[str]) -> Any:
        """Return what compiled code sees in place of a global's value."""
        if isinstance(value, pytypes.ModuleType):
            return self._module(value, names)
        if id(value) not in self._twins and _own(value):
            return self.of(value)
        return value

    def _module(self, module: pytypes.ModuleType, names: set[str]) -> Any:
        if module.__name__.split(".")[0] in _KNOWN_TO_NUMBA:
            return module
        used = members_read(module, names)
        stand_in = pytypes.ModuleType(module.__name__)
        for name, value in used.items():
            setattr(stand_in, name, self._seen(value, names))
        return stand_in


def _frozen(value: Any) -> str | None:
    """Return a text that changes when a constant of machine code would."""
    if isinstance(value, np.ndarray):
        data = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
        return f"{value.dtype} {value.shape} {data}"
    if isinstance(value, type) and issubclass(value, enum.Enum):
        return repr([(member.name, member.value) for member in value])
    if isinstance(value, (tuple, list)):
        return f"{type(value).__name__} {[_frozen(item) for item in value]}"
    if isinstance(value, (set, frozenset)):
        return f"set {sorted(str(_frozen(item)) for item in value)}"
    if isinstance(value, dict):
        return f"dict {[(_frozen(k), _frozen(v)) for k, v in value.items()]}"
    if isinstance(value, np.generic):
        return f"{value.dtype} {value.item()!r}"
    if isinstance(value, (bool, int, float, complex, str, bytes, np.dtype, type(None))):
        return f"{type(value).__name__} {value!r}"
    return None


def reach(function: Any) -> dict[Any, dict[str, str]]:
    """Return every plain function that compiled `function` can contain, with its frozen globals."""
    found: dict[Any, dict[str, str]] = {}
    _reach(plain(function), found)
    return found


def _reach(function: Any, found: dict[Any, dict[str, str]]) -> None:
    if function in found:
        return
    found[function] = frozen = {}
    names = names_read(function)

    def look(name: str, value: Any) -> None:
        if isinstance(value, pytypes.ModuleType):
            if value.__name__.split(".")[0] not in _KNOWN_TO_NUMBA:
                for inner, member in sorted(members_read(value, names).items()):
                    look(f"{name}.{inner}", member)
        elif _own(value):
            _reach(plain(value), found)
        elif (text := _frozen(value)) is not None:
            frozen[name] = text

    for name, value in globals_read(function).items():
        look(name, value)


def called(function: Any) -> Iterator[Any]:
    """Yield simlab's and other own functions that a function calls by name."""
    names = names_read(function)
    called = {
        step.argval
        for code in _codes(function.__code__)
        for step in dis.get_instructions(code)
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    }
    for name, value in globals_read(function).items():
        values: list[Any] = [value] if name in called | {*function.__code__.co_freevars} else []
        if isinstance(value, pytypes.ModuleType):
            known = value.__name__.split(".")[0] in _KNOWN_TO_NUMBA
            values = [] if known else list(members_read(value, names).values())
        for each in values:
            if _own(each):
                yield plain(each)


def _callees(function: Any) -> Iterator[Any]:
    """Yield those of them that are compiled from their own code."""
    return (each for each in called(function) if getattr(each, NATIVE_MARK, None) is None)


def circle(function: Any) -> list[Any]:
    """Return functions that call each other in a circle, reached from one; empty if none do."""
    finished: set[Any] = set()

    def look(at: Any, path: list[Any]) -> list[Any]:
        if at in path:
            return path[path.index(at) :]
        if at in finished:
            return []
        for callee in _callees(at):
            found = look(callee, [*path, at])
            if found:
                return found
        finished.add(at)
        return []

    return look(plain(function), [])


def check_no_circle(function: Any, owner: str) -> None:
    """Raise UserError where functions call each other in a circle, which compiled code cannot."""
    found = circle(function)
    if found:
        code = found[0].__code__
        names = ", ".join(f.__name__ for f in found)
        how = "calls itself" if len(found) == 1 else "call each other in a circle"
        raise UserError(
            f"{owner}: {names} {how} ({code.co_filename}:{code.co_firstlineno}); compiled code "
            "cannot do that: write a loop instead."
        )


def _code_text(code: pytypes.CodeType) -> str:
    constants = [
        _code_text(c) if isinstance(c, pytypes.CodeType) else repr(c) for c in code.co_consts
    ]
    return repr((code.co_code.hex(), code.co_names, code.co_varnames, constants))


def fingerprint(*functions: Any) -> str:
    """Return a hex digest of all code and constants that the compiled functions would contain."""
    lines = []
    for function in functions:
        for plain_function, frozen in reach(function).items():
            name = f"{plain_function.__module__}.{plain_function.__qualname__}"
            marks = (options_of(plain_function), getattr(plain_function, NATIVE_MARK, None))
            defaults = (plain_function.__defaults__, plain_function.__kwdefaults__)
            code = _code_text(plain_function.__code__)
            lines.append(repr((name, marks, defaults, code, sorted(frozen.items()))))
    return digest(*sorted(lines))


def frozen_values(function: Any) -> dict[str, str]:
    """Return the frozen globals of all reachable functions, by file, function and name."""
    return {
        f"{Path(f.__code__.co_filename).stem}.{f.__qualname__}.{name}": text
        for f, frozen in reach(function).items()
        for name, text in frozen.items()
    }


def digest(*parts: str | bytes) -> str:
    """Return the SHA-256 of the parts, in hex, with the parts kept apart."""
    total = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode()
        total.update(len(data).to_bytes(8, "little"))
        total.update(data)
    return total.hexdigest()
