"""Imports a person's own files: one Python file, or the folder of a game.

A file is read anew when it, or a file beside it, has changed; it may import what lies beside it.
Whatever goes wrong in it is told with its file and line.
"""

from __future__ import annotations

import importlib.util
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from simlab.core.patience import Endless, Patience, seconds_allowed
from simlab.core.twin import digest
from simlab.errors import UserError, shown, told

STAMP = "__simlab_stamp__"
FILE_MODULE = "simlab_file_"
PACKAGE = Path(__file__).resolve().parent.parent
MOST_FRAMES = 12
STDLIB = str(Path(traceback.__file__).parent)
_generation = 0


def stamp(folder: Path) -> tuple[object, ...]:
    """Return what changes when a Python or data file of a folder does."""
    files = [path for path in folder.iterdir() if path.suffix in (".py", ".csv")]
    files = [path for path in files if path.is_file()]  # and no dangling link of an editor
    return tuple(sorted((f.name, s.st_mtime_ns, s.st_size) for f in files if (s := f.stat())))


def module_name(path: Path) -> str:
    """Return the name that a file's module has in every process."""
    return f"{FILE_MODULE}{path.stem}_{digest(str(path))[:12]}"


def load_file(path: Path) -> ModuleType:
    """Import a Python file under a name that is the same in every process.

    Returns the module that was loaded before, unless a file of its folder changed since. UserError
    with file and line where the file cannot be read or fails.
    """
    path = path.resolve()
    name = module_name(path)
    now = (_generation, stamp(path.parent))
    known = sys.modules.get(name)
    if known is not None and getattr(known, STAMP, None) == now:
        return known
    module = ModuleType(name)
    module.__file__ = str(path)
    module.__package__ = _package_of(path.parent, now)
    setattr(module, STAMP, now)
    sys.modules[name] = module
    try:
        with telling(path), _beside(path.parent):
            exec(compile(path.read_bytes(), str(path), "exec"), vars(module))
    except BaseException:
        del sys.modules[name]
        raise
    return module


def load_again(path: Path) -> ModuleType:
    """Import a file a second time, beside the module that is there: to see what comes out anew."""
    name = module_name(path.resolve())
    known = sys.modules.pop(name, None)
    try:
        return load_file(path)
    finally:
        sys.modules.pop(name, None)
        if known is not None:
            sys.modules[name] = known


def _package_of(folder: Path, now: object) -> str:
    """Return a package that is the folder, so that its files can say `from .other import x`."""
    name = f"simlab_folder_{digest(str(folder))[:12]}"
    if getattr(sys.modules.get(name), STAMP, None) != now:
        _forget(name)
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        setattr(package, STAMP, now)
        sys.modules[name] = package
    return name


def _forget(name: str) -> None:
    for known in [n for n in sys.modules if n == name or n.startswith(f"{name}.")]:
        del sys.modules[known]


@contextmanager
def _beside(folder: Path) -> Iterator[None]:
    """Let a file import what lies beside it, without keeping that for files of other folders."""
    before = set(sys.modules)
    sys.path.append(str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            file = getattr(sys.modules[name], "__file__", None)
            if file and Path(file).parent == folder and not name.startswith("simlab"):
                del sys.modules[name]


def load_game_folder(folder: Path) -> ModuleType:
    """Import a game's folder as `simlab.games.<folder>`, anew where a file of it changed."""
    import simlab.games

    global _generation
    folder = folder.resolve()
    name = f"simlab.games.{folder.name}"
    known, now = sys.modules.get(name), stamp(folder)
    if known is not None and getattr(known, STAMP, None) == (folder, now):
        return known
    if known is not None:
        _generation += 1  # files that imported from it must be read again
        _forget(name)
    file = folder / "__init__.py"
    spec = importlib.util.spec_from_file_location(
        name, file, submodule_search_locations=[str(folder)]
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with telling(file):
            spec.loader.exec_module(module)
    except BaseException:
        _forget(name)
        raise
    setattr(module, STAMP, (folder, now))
    setattr(simlab.games, folder.name, module)
    return module


@contextmanager
def telling(path: Path, what: str = "") -> Iterator[None]:
    """Turn whatever goes wrong while a person's file is imported into a UserError about it.

    what: how the file is named in the sentence; default its path.
    """
    try:
        with Patience(seconds_allowed(python=True)) as limit:
            limit.tick(what or str(path))
            yield
    except UserError as error:
        if path.name in str(error) or path.parent.name in str(error):
            raise
        raise broken(path, error, what) from None
    except SyntaxError as error:
        place = f"{error.filename}:{error.lineno}" if error.lineno else what or str(path)
        line = f" in '{shown(error.text.strip())}'" if error.text and error.text.strip() else ""
        raise UserError(f"{place}: {error.msg}{line}; correct that line and try again.") from None
    except OSError as error:
        if isinstance(error.filename, str) and Path(error.filename) == path:
            raise UserError(f"cannot read {path}: {error.strerror}.") from None
        raise broken(path, error, what) from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise broken(path, error, what) from None


def broken(path: Path, error: BaseException, what: str = "") -> UserError:
    """Return the sentence about a file that failed when it was imported, and its traceback."""
    if isinstance(error, Endless):
        error = TimeoutError(
            f"it was still being imported after {seconds_allowed(python=True):g} s"
        ).with_traceback(error.__traceback__)
    own = own_frames(error)
    place = next(
        (f"{f.filename}:{f.lineno}" for f in reversed(own) if Path(f.filename) == path), what
    )
    said = str(error).rstrip(".") if isinstance(error, UserError) else told(error)
    trace = "".join(traceback.format_list(own)).rstrip()
    return UserError(
        f"{place or path}: {said}; the file cannot be imported until that is fixed."
        + (f"\n{trace}" if trace else "")
    )


def own_frames(error: BaseException) -> list[traceback.FrameSummary]:
    """Return the part of a traceback that lies in the person's files, not in simlab's own."""
    frames = traceback.extract_tb(error.__traceback__)
    shipped = PACKAGE / "_shipped"
    own = [frame for frame in frames if not _ours(frame.filename, shipped)]
    while len(own) > 1 and _is_library(own[-1].filename):
        own.pop()  # where a library failed is of no use to the person
    return own[-MOST_FRAMES:]


def _is_library(filename: str) -> bool:
    parts = Path(filename).parts
    return "site-packages" in parts or "dist-packages" in parts or filename.startswith(STDLIB)


def _ours(filename: str, shipped: Path) -> bool:
    if filename.startswith("<frozen"):
        return True
    path = Path(filename).resolve()
    return path.is_relative_to(PACKAGE) and not path.is_relative_to(shipped)
