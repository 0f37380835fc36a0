"""A look at a strategy's source: what it may not read, keep or write, with file and line.

Nothing is run. Playing finds most of it too; reading it also says where it is.
"""

from __future__ import annotations

import ast
import builtins
import linecache
import random
from collections.abc import Iterator
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from simlab.core.loading import FILE_MODULE, load_again
from simlab.core.registry import declared_in
from simlab.core.strategy import Strategy
from simlab.core.twin import frozen_values, reach

KEEPS, WRITES = "keeps", "writes"
CHANCE = ("random", "secrets", "uuid", "numpy.random", "time")
CLOCKS = ("now", "today", "utcnow", "urandom", "getrandbits")
TALK = {
    "open": "opens a file",
    "print": "prints",
    "input": "asks at the keyboard",
    "id": "uses the address of an object",
    "hash": "uses a hash, which differs from process to process",
    "exec": "runs text as code",
    "eval": "runs text as code",
    "globals": "reaches for the module's globals",
    "vars": "reaches for what an object keeps",
    "setattr": "changes an object that outlives the game",
    "delattr": "changes an object that outlives the game",
    "__import__": "imports while it plays",
}
ADVICE = {
    "open": "load what it needs when the file is imported",
    "print": "show numbers with note('name', value)",
}
CHANGING = {
    "append", "extend", "insert", "remove", "pop", "popitem", "clear", "update", "setdefault",
    "add", "discard", "appendleft", "popleft", "sort", "reverse", "fill", "put", "partition",
    "resize", "setfield", "setflags", "itemset", "send", "write",
}  # fmt: skip
FIXED = (ModuleType, str, bytes, int, float, tuple, frozenset)
RECORDS = ("table", "me", "rules")


@dataclass(frozen=True)
class Spot:
    """A line of a person's file and what is wrong in it.

    kind: "keeps" (state, chance or a way out of the game) or "writes" (to what it is shown).
    """

    kind: str
    file: str
    line: int
    says: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.says}"


def spots(declared: Strategy) -> list[Spot]:
    """Return everything in a strategy's code, and in the functions it calls, that may not be."""
    found: dict[Spot, None] = {}
    for function in reach(declared.function):
        if not (function.__module__ or "").startswith("simlab."):
            found |= dict.fromkeys(_kept_defaults(function))
            node = _source(function)
            if node is not None:
                found |= dict.fromkeys(_Look(function, node).spots)
    return list(found)


def _kept_defaults(function: FunctionType) -> Iterator[Spot]:
    """Yield the defaults of a function that can be changed, and so remember."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount][::-1]
    given = dict(zip(names, (function.__defaults__ or ())[::-1], strict=False))
    for name, value in {**given, **(function.__kwdefaults__ or {})}.items():
        if isinstance(value, (list, dict, set, bytearray, np.ndarray)):
            yield Spot(
                KEEPS, code.co_filename, code.co_firstlineno,
                f"the default of {name} is kept from call to call; remember only in `memo`",
            )  # fmt: skip


def made_anew(declared: Strategy) -> Iterator[Spot]:
    """Yield the values a strategy reads that are others each time its file is imported."""
    if not declared.function.__module__.startswith(FILE_MODULE):
        return
    again = [s for s in declared_in(load_again(declared.file)) if s.name == declared.name]
    if not again:
        return
    first, second = frozen_values(declared.function), frozen_values(again[0].function)
    for name in sorted(n for n in first if first[n] != second.get(n)):
        yield Spot(
            KEEPS, str(declared.file), declared.line,
            f"{name.rpartition('.')[2]} is another value each time the file is imported; give it a "
            "fixed one, or take chance from `rng`",
        )  # fmt: skip


def _source(function: FunctionType) -> ast.FunctionDef | None:
    """Return the syntax tree of a function, with the line numbers of its file; None without one."""
    code = function.__code__
    linecache.checkcache(code.co_filename)
    try:
        tree = ast.parse("".join(linecache.getlines(code.co_filename)))
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if code.co_firstlineno in (first, node.lineno):
                return node
    return None


class _Look(ast.NodeVisitor):
    """Walks through one function."""

    def __init__(self, function: FunctionType, node: ast.FunctionDef) -> None:
        self.spots: list[Spot] = []
        self._file = function.__code__.co_filename
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        self._known = {**vars(builtins), **function.__globals__}
        self._known |= {name: cell.cell_contents for name, cell in cells if _filled(cell)}
        self._set = _assigned(node)
        arguments = [
            a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        ]
        self._set |= {name: [] for name in arguments if name not in self._set}
        self._shown = {a for a in arguments if a in RECORDS and not self._set[a]}
        for statement in node.body:
            self.visit(statement)

    def _say(self, kind: str, node: Any, says: str) -> None:
        spot = Spot(kind, self._file, node.lineno, says)
        if spot not in self.spots:
            self.spots.append(spot)

    # -- what a name stands for

    def _value(self, node: ast.expr) -> Any:
        """Return the module-level value of an expression; None where it is not one."""
        if isinstance(node, ast.Name):
            given = self._set.get(node.id)
            if given is None:
                return self._known.get(node.id)
            one = given[0] if len(given) == 1 else None
            return self._value(one) if isinstance(one, (ast.Name, ast.Attribute)) else None
        if isinstance(node, ast.Attribute):
            owner = self._value(node.value)
            if isinstance(owner, (ModuleType, type)) or _is_chance(owner):
                return getattr(owner, node.attr, None)
        return None

    def _root(self, node: ast.expr) -> tuple[str, str]:
        """Return ("shown", "kept" or "", its text) for what an expression is a part of."""
        text = ast.unparse(node)
        while isinstance(node, (ast.Attribute, ast.Subscript)):
            node = node.value
        if not isinstance(node, ast.Name):
            return "", text
        if node.id in self._shown:
            return "shown", text
        given = self._set.get(node.id)
        if given is None:
            value = self._known.get(node.id)
            return ("" if value is None or isinstance(value, FIXED) else "kept"), text
        one = given[0] if len(given) == 1 else None
        if isinstance(one, (ast.Name, ast.Attribute, ast.Subscript)):
            return self._root(one)[0], text
        return "", text

    # -- what may not be

    def _change(self, node: ast.expr, target: ast.expr) -> None:
        root, text = self._root(target)
        if root == "shown":
            self._say(
                WRITES, node, f"writes to {text}; a strategy may look at table, me and rules, not "
                "change them (np.copy makes a copy)",
            )  # fmt: skip
        elif root == "kept":
            self._say(
                KEEPS, node, f"changes {text}, which outlives the game; keep what must be "
                "remembered in `memo`",
            )  # fmt: skip

    def _targets(self, node: Any, targets: list[ast.expr]) -> None:
        for target in targets:
            if isinstance(target, (ast.Tuple, ast.List)):
                self._targets(node, target.elts)
            elif isinstance(target, ast.Starred):
                self._targets(node, [target.value])
            elif isinstance(target, (ast.Attribute, ast.Subscript)):
                self._change(node, target)

    def visit_Assign(self, node: ast.Assign) -> None:
        self._targets(node, node.targets)
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._targets(node, [node.target])
        if node.value is not None:
            self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._targets(node, [node.target])
        self.generic_visit(node)

    def visit_Delete(self, node: ast.Delete) -> None:
        self._targets(node, node.targets)

    def visit_For(self, node: ast.For) -> None:
        self._targets(node, [node.target])
        self.generic_visit(node)

    def visit_Global(self, node: ast.Global) -> None:
        self._outer(node, "global", node.names)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        self._outer(node, "nonlocal", node.names)

    def _outer(self, node: ast.stmt, word: str, names: list[str]) -> None:
        self._say(
            KEEPS, node, f"keeps {', '.join(names)} between decisions ({word}); declare what must "
            "be remembered: @strategy(..., memo=[('name', 'i4')])",
        )  # fmt: skip

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._imported(node, alias.name)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self._imported(node, node.module or "")

    def _imported(self, node: ast.stmt, name: str) -> None:
        if name in CHANCE:
            self._say(KEEPS, node, f"takes chance from {name}; take it from `rng`: uniform(rng)")

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
            self._change(node, node.func.value)
        if self._value(node.func) is next and node.args:
            self._change(node, node.args[0])
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if not self._chance(node):
            self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if not self._chance(node) and node.id not in self._set:
            value = self._known.get(node.id)
            if node.id in TALK and value is getattr(builtins, node.id):
                advice = ADVICE.get(node.id, "decide from what the game shows alone")
                self._say(KEEPS, node, f"{TALK[node.id]}; {advice}")

    def _chance(self, node: ast.Name | ast.Attribute) -> bool:
        if _is_chance(self._value(node)):
            text = ast.unparse(node)
            clock = "time" if text.split(".")[0] in ("time", "datetime") else "chance"
            self._say(
                KEEPS, node, f"takes {clock} from {text}; take chance from `rng`: uniform(rng) "
                "or below(rng, n)",
            )  # fmt: skip
            return True
        return False


def _filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def _assigned(node: ast.FunctionDef) -> dict[str, list[ast.expr | None]]:
    """Return the names that a function sets itself, with what each is set to (None: unknown)."""
    found: dict[str, list[ast.expr | None]] = {}
    outer = {n for part in ast.walk(node) if isinstance(part, ast.Global) for n in part.names}
    plain: dict[int, ast.expr] = {}
    for part in ast.walk(node):
        if isinstance(part, ast.Assign):
            plain |= {id(t): part.value for t in part.targets if isinstance(t, ast.Name)}
        elif isinstance(part, ast.NamedExpr):
            plain[id(part.target)] = part.value
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
            if part.id not in outer:
                found.setdefault(part.id, []).append(plain.get(id(part)))
        elif isinstance(part, (ast.Import, ast.ImportFrom)):
            for alias in part.names:
                found.setdefault((alias.asname or alias.name).split(".")[0], []).append(None)
    return found


def _is_chance(value: Any) -> bool:
    """Whether a module-level value is a source of chance or of time."""
    if value is None:
        return False
    if isinstance(value, ModuleType):
        return value.__name__ in CHANCE
    if isinstance(value, (random.Random, np.random.Generator, np.random.RandomState)):
        return True
    if isinstance(value, (type, FunctionType)):
        return getattr(value, "__module__", "") in CHANCE
    owner = getattr(value, "__self__", None)
    if isinstance(owner, (random.Random, np.random.Generator, np.random.RandomState)):
        return True
    if isinstance(owner, ModuleType) and owner.__name__ in CHANCE:
        return True
    if not callable(value):
        return False
    named = getattr(value, "__name__", "") in CLOCKS
    return named or getattr(value, "__module__", "") in CHANCE


def sentences(found: list[Spot], kind: str) -> Iterator[str]:
    """Yield the sentences of one kind."""
    yield from (str(spot) for spot in found if spot.kind == kind)
