"""The places where strategies, reports and games are looked for, in this order.

1. the shipped packs; 2. what the caller names (`--strategies DIR`); 3. `./strategies`, `./reports`
and `./games` of the working directory; 4. installed packages, by their entry points
(`simlab.strategies`, `simlab.reports`, `simlab.games`).

A named folder may hold files itself, or folders `strategies`, `reports` and `games`.
"""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import os
import pkgutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from simlab.core.loading import PACKAGE, load_file, telling
from simlab.errors import UserError, shown

SHIPPED = "simlab"
MOST_BYTES = 20_000_000  # of a file that is looked into
MARKS = {"strategies": b"strategy", "reports": b"report_section"}
Named = str | Path | Sequence[str | Path]
_named: ContextVar[tuple[Path, ...]] = ContextVar("simlab_places", default=())


@dataclass(frozen=True)
class Source:
    """One file (or installed module) that may declare something.

    place: the word that may stand before a name (`mine:threshold`); path: the file; entry: the
    entry point of an installed package, or None.
    """

    place: str
    path: Path
    entry: Any = None

    @property
    def name(self) -> str:
        """The name of the file without its ending, or of the entry point."""
        return str(self.entry.name) if self.entry is not None else self.path.stem

    def load(self) -> list[Any]:
        """Import it; return the modules or objects that it stands for. UserError if it fails.

        A package stands for all its modules where strategies are looked for.
        """
        if self.entry is None:
            return [load_file(self.path)]
        said = f"entry point '{self.entry.name}' of package {self.place}"
        with telling(self.path, said):
            if self.entry.pattern.match(self.entry.value) is None:
                raise UserError(
                    f"{said} is '{shown(self.entry.value)}'; it takes module or module:name."
                )
            found = self.entry.load()
            package = isinstance(found, ModuleType) and hasattr(found, "__path__")
            if package and self.entry.group == "simlab.strategies":
                inner = pkgutil.iter_modules(found.__path__, f"{found.__name__}.")
                return [found, *(importlib.import_module(module.name) for module in inner)]
            return [found]


def shipped_pack(kind: str) -> Path:
    """Return the folder of a shipped pack: inside the wheel, or at the top of a checkout."""
    inside = PACKAGE / "_shipped" / kind
    return inside if inside.is_dir() else PACKAGE.parent / kind


def named() -> tuple[Path, ...]:
    """Return the folders and files that the caller named."""
    return _named.get()


@contextmanager
def looking_in(places: Named | None, missing_ok: bool = False) -> Iterator[None]:
    """Look for strategies, reports and games in these folders or files too, inside the block.

    places: one path or several; None changes nothing. UserError for a path that does not exist,
    unless missing_ok.
    """
    if places is None:
        yield
        return
    given = [places] if isinstance(places, (str, Path)) else places
    found = [_existing(path, missing_ok) for path in given]
    token = _named.set(tuple(dict.fromkeys(path for path in found if path is not None)))
    try:
        yield
    finally:
        _named.reset(token)


def _existing(given: object, missing_ok: bool) -> Path | None:
    try:
        path = Path(given).expanduser().resolve()  # type: ignore[arg-type]
        if path.is_dir() or (path.is_file() and path.suffix == ".py"):
            return path
        there = path.exists()
    except (TypeError, ValueError, OSError, RuntimeError):
        there = False
    if missing_ok:
        return None
    why = "is neither a folder nor a .py file" if there else "does not exist"
    raise UserError(
        f"--strategies {shown(given)} {why}; it takes a folder of strategy files, or one .py file."
    )


def working_directory() -> Path:
    """Return the working directory; UserError where it is gone."""
    try:
        return Path.cwd()
    except OSError:
        raise UserError("the working directory is gone; change into one that exists.") from None


def folders(kind: str) -> Iterator[tuple[str, Path]]:
    """Yield (name of the place, folder) for strategies, reports or games; shipped ones first."""
    if kind != "games":
        yield SHIPPED, shipped_pack(kind)
    for path in named():
        if path.is_dir():
            yield path.name, path / kind
            if kind == "strategies":
                yield path.name, path
    yield kind, working_directory() / kind


def sources(kind: str, game: str = "") -> list[Source]:
    """Return the files and installed modules that may declare strategies (of a game) or reports.

    Each file counts once, by its resolved path, and only if it speaks of what is looked for.
    """
    found: dict[Path, Source] = {}
    for place, folder in folders(kind):
        for inner in (folder / game, folder) if game else (folder,):
            for path in sorted(inner.glob("*.py")) if inner.is_dir() else ():
                real = _regular(path)
                if real is not None and real not in found and _speaks(real, kind):
                    found[real] = Source(place, real)
    for path in named():
        if path.is_file() and _speaks(path, kind):
            found.setdefault(path, Source(path.stem, path))
    return [*found.values(), *_installed(kind)]


def signature(kind: str, inner: Iterable[str] = ("",)) -> tuple[Any, ...]:
    """Return what changes when a file of a kind's folders is added, removed or written to.

    inner: folders inside them that count too. Cheap, so that it can be asked at every look-up.
    """
    seen: list[Any] = [named(), _installed(kind)]
    for _, folder in folders(kind):
        for name in inner:
            seen.append(_scan(os.path.join(folder, name)))
    for path in named():
        if path.is_file():
            seen.append(_scan(str(path.parent)))
    return tuple(seen)


def _scan(folder: str) -> tuple[Any, ...]:
    found = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith((".py", ".csv")) and entry.is_file():
                    about = entry.stat()
                    found.append((entry.name, about.st_ino, about.st_mtime_ns, about.st_size))
    except OSError:
        return (folder,)
    return (folder, *sorted(found))


def game_folders() -> list[str]:
    """Return the names of the folders in which games of others may lie."""
    names: set[str] = set()
    for _, folder in folders("games"):
        with suppress(OSError), os.scandir(folder) as entries:
            names |= {entry.name for entry in entries if entry.is_dir()}
    return sorted(names)


def _regular(path: Path) -> Path | None:
    """Return a file's resolved path; None for what is hidden, private, or no regular file."""
    try:
        if path.name.startswith(("_", ".")) or not path.is_file():
            return None
        return path.resolve() if path.stat().st_size <= MOST_BYTES else None
    except (OSError, RuntimeError):  # a link in a circle
        return None


def _speaks(path: Path, kind: str) -> bool:
    """Whether a file mentions what it would have to import; other scripts are left alone."""
    try:
        text = path.read_bytes()
    except OSError:
        return True  # and reading it says why
    return b"simlab" in text and MARKS[kind] in text


@functools.cache
def _installed(kind: str) -> tuple[Source, ...]:
    entries = importlib.metadata.entry_points(group=f"simlab.{kind}")
    return tuple(_source(entry) for entry in entries)


def _source(entry: Any) -> Source:
    package = entry.dist.name if entry.dist else ""
    try:
        return Source(package or entry.module, Path(entry.module), entry)
    except AttributeError:  # a value that is no module:attribute
        return Source(package or entry.name, Path(entry.value), entry)


def _regular_folder(path: Path) -> Path | None:
    try:
        return path.parent.resolve() if path.is_file() else None
    except (OSError, RuntimeError):
        return None


def game_sources() -> list[Source]:
    """Return the folders and installed modules that hold games of others, each once."""
    found: dict[Path, Source] = {}
    for place, folder in folders("games"):
        for path in sorted(folder.glob("*/__init__.py")) if folder.is_dir() else ():
            if _regular_folder(path) is None:
                continue
            real = path.parent.resolve()
            if path.parent.name.isidentifier() and not path.parent.name.startswith("_"):
                found.setdefault(real, Source(place, real))
    return [*found.values(), *_installed("games")]
