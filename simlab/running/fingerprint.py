"""Which files decide the rows of a run, and a digest of each.

Import statements are followed, without running anything, up to installed libraries. Of simlab's own
engine only the files that decide rows count; the layout version covers the rest.
"""

from __future__ import annotations

import ast
import functools
import importlib.util
import inspect
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from simlab.core.game import Game
from simlab.core.strategy import Bound, Strategy
from simlab.core.twin import digest, frozen_values

PACKAGE = Path(__file__).resolve().parent.parent
ENGINE = tuple(PACKAGE / "core" / name for name in ("bits.py", "deck.py", "ranks.py", "rng.py"))
_LIBRARIES = tuple(
    Path(sysconfig.get_path(name)).resolve()
    for name in ("stdlib", "platstdlib", "purelib", "platlib")
)
_NAMES = {"site-packages", "dist-packages"}  # of the user, of the system, of another environment


@functools.lru_cache(maxsize=256)
def _imported(file: Path, content: bytes) -> tuple[Path, ...]:
    """Return the source files that a file imports, beside it or as modules."""
    return tuple(_found(file, content))


def _found(file: Path, content: bytes) -> Iterator[Path]:
    for node in ast.walk(ast.parse(content)):
        if isinstance(node, ast.Import):
            yield from (path for alias in node.names for path in _module(file, alias.name))
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            names = [base, *(f"{base.rstrip('.') or base}.{alias.name}" for alias in node.names)]
            if node.level:
                yield from _relative(file, node)
            else:
                yield from (path for name in names for path in _module(file, name))


def _relative(file: Path, node: ast.ImportFrom) -> Iterator[Path]:
    base = file.parents[node.level - 1].joinpath(*(node.module or "").split("."))
    candidates = [base.with_suffix(".py"), base / "__init__.py"]
    candidates += [base / f"{alias.name}.py" for alias in node.names]
    yield from (path for path in candidates if path.is_file())


def _module(file: Path, name: str) -> Iterator[Path]:
    beside = file.parent.joinpath(*name.split("."))
    for path in (beside.with_suffix(".py"), beside / "__init__.py"):
        if path.is_file():
            yield path
            return
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, AttributeError, ValueError):
        return
    if spec is not None and spec.origin and spec.origin.endswith(".py"):
        yield Path(spec.origin)


def _is_library(path: Path, root: Path) -> bool:
    if path.is_relative_to(_home(root)):
        return False
    return any(path.is_relative_to(library) for library in _LIBRARIES) or not _NAMES.isdisjoint(
        path.parts
    )


def _home(root: Path) -> Path:
    """Return the folder whose files belong to a file: its own, or all of its package."""
    home = root.parent
    if home.name in _NAMES:
        return root
    while (home / "__init__.py").is_file() and (home.parent / "__init__.py").is_file():
        home = home.parent
    return home


SHIPPED, GAMES = PACKAGE / "_shipped", PACKAGE / "games"


def _is_engine(path: Path) -> bool:
    """Whether a file is part of simlab, but no game, strategy or report."""
    ours = path.is_relative_to(PACKAGE)
    return ours and not path.is_relative_to(GAMES) and not path.is_relative_to(SHIPPED)


def sources(file: Path, own: bool = True) -> dict[Path, bytes]:
    """Return the contents of a file and of all it imports, the engine apart.

    own: simlab's own games too.
    """
    root = file.resolve()
    todo, seen = [root], {}
    while todo:
        path = todo.pop().resolve()
        apart = _is_engine(path) or (not own and path.is_relative_to(GAMES))
        if path in seen or (path != root and (apart or _is_library(path, root))):
            continue
        seen[path] = path.read_bytes()
        todo.extend(_imported(path, seen[path]))
    return seen


def _named(files: dict[Path, bytes], base: Path) -> dict[str, str]:
    named = {}
    for path, content in sorted(files.items()):
        near = path.is_relative_to(base)
        named[path.relative_to(base).as_posix() if near else path.name] = digest(content)[:16]
    return named


@functools.lru_cache(maxsize=16)
def game_files(game: Game) -> dict[str, str]:
    """Return name -> digest of every file that decides the rows of a game."""
    folder = game.folder.resolve()
    roots = [Path(inspect.getfile(f)) for f in (game.begin, game.make_rules)]
    roots += [path for path in (folder / "view.py", folder / "actions.py") if path.is_file()]
    files: dict[Path, bytes] = {path: path.read_bytes() for path in ENGINE}
    for root in (path.resolve() for path in roots):
        for path, content in sources(root).items() if not _is_engine(root) else ():
            if path == root or path.name not in ("__init__.py", "words.py"):
                files[path] = content
    files |= {path: path.read_bytes() for path in folder.glob("*.csv")}
    inside = folder.is_relative_to(PACKAGE)
    return _named(files, PACKAGE.parent if inside else folder.parent)


def strategy_files(declared: Strategy, apart: Path | None = None) -> dict[str, str]:
    """Return name -> digest of a strategy's file, all it imports, and the values it freezes.

    apart: folder of the game, whose files are counted anyway.
    """
    values = frozen_values(declared.function)
    frozen = digest(*(f"{name} {text}" for name, text in sorted(values.items())))[:16]
    if declared.file.is_file():
        root = declared.file.resolve()
        read = sources(root, own=False)
        if apart is not None:
            read = {p: text for p, text in read.items() if p == root or not p.is_relative_to(apart)}
        files = _named(read, root.parent.parent)
    else:
        files = {declared.file.name: digest(_source_text(declared.function))[:16]}
    return files | {f"values read by {declared.name}": frozen}


def _source_text(function: Any) -> str:
    try:
        return inspect.getsource(function)
    except OSError:
        code = function.__code__
        return repr((code.co_code, code.co_consts, code.co_names))


def fingerprints(game: Game, line_up: list[Bound]) -> dict[str, str]:
    """Return name -> digest of all files that decide the rows of a run."""
    found = dict(game_files(game))
    for bound in line_up:
        for node in bound.nodes():
            found |= strategy_files(node.strategy, game.folder.resolve())
    return found
