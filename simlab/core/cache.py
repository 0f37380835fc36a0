"""Machine code on disk that cannot be stale, half written or in the way.

One file an entry, named by a digest of everything that went into the code: bytecode, constants and
globals of all functions it can contain, the records' layout, the engine's own sources, Python,
numba, llvmlite, numpy, CPU. The file begins with a checksum of the rest, which is verified before
loading (flipped bytes in machine code abort the process). Entries are written to a temporary name
and renamed; a file lock keeps two processes from compiling the same thing twice.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from simlab.core.twin import digest

CHECKSUM_BYTES = 32
MAKESHIFT = "simlab-cache-"


def compilation_is_off() -> bool:
    """Whether the person switched numba off (NUMBA_DISABLE_JIT=1): everything plays as Python."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@functools.lru_cache(maxsize=1)
def home() -> Path:
    """Return the first writable folder of SIMLAB_CACHE, the user's cache, a temporary one."""
    import platformdirs

    wanted = os.environ.get("SIMLAB_CACHE")
    for folder in (wanted, platformdirs.user_cache_dir("simlab", appauthor=False)):
        if folder and _writable(Path(folder)):
            return Path(folder)
    return Path(tempfile.mkdtemp(prefix=MAKESHIFT))


def is_makeshift() -> bool:
    """Whether the cache is a temporary folder, because no other could be written."""
    return home().name.startswith(MAKESHIFT)


@functools.lru_cache(maxsize=1)
def machine() -> str:
    """Return a digest of all outside simlab's games and strategies that decides machine code."""
    import llvmlite
    import llvmlite.binding as cpu
    import numba
    import numpy as np

    engine = sorted(Path(__file__).parent.glob("*.py"))
    return digest(
        sys.version,
        platform.machine(),
        numba.__version__,
        llvmlite.__version__,
        np.__version__,
        cpu.get_host_cpu_name(),
        cpu.get_host_cpu_features().flatten(),
        *(path.read_bytes() for path in engine),
    )


class DiskEntry:
    """A numba function cache of one entry, as `Dispatcher.compile` wants it."""

    def __init__(self, path: Path, announce: Callable[[], None] | None = None) -> None:
        self.path = path
        self.cache_path = str(path.parent)
        self.loaded = False
        self._announce = announce

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return the compiled function from disk, or None where it must be compiled."""
        from numba.core.compiler import CompileResult

        payload = read_checked(self.path)
        if payload is None:
            if self._announce is not None:
                self._announce()
            return None
        try:
            needed, parts = pickle.loads(payload)
            if needed is None or not _all_known(needed):
                target.refresh()
            found = CompileResult._rebuild(target, *parts)
        except Exception:  # an entry that numba cannot read is compiled anew
            return None
        self.loaded = True
        return found

    def save_overload(self, signature: Any, result: Any) -> None:
        """Write what was compiled; a disk that is full or read-only costs only the time saved."""
        from numba.core.serialize import dumps

        if result.library.has_dynamic_globals or any(not x.can_cache for x in result.lifted):
            return
        with contextlib.suppress(OSError):
            write_checked(self.path, dumps((_outside(result.library), result._reduce())))

    def enable(self) -> None:
        """Do nothing: an entry is always used."""

    def disable(self) -> None:
        """Do nothing: an entry is always used."""

    def flush(self) -> None:
        """Forget the entry on disk."""
        self.path.unlink(missing_ok=True)


def _outside(library: Any) -> list[str] | None:
    """Return the names that compiled code takes from outside; None where numba does not tell."""
    module = getattr(library, "_final_module", None)
    if module is None:
        return None
    things = [*module.functions, *module.global_variables]
    names = {thing.name for thing in things if thing.is_declaration}
    return sorted(name for name in names if not name.startswith("llvm."))


def _all_known(names: list[str]) -> bool:
    """Whether LLVM knows all these names already, so that numba need not load all it has.

    That is a fifth of a warm start.
    """
    from llvmlite.binding import address_of_symbol

    return all(address_of_symbol(name) is not None for name in names)


def read_checked(path: Path) -> bytes | None:
    """Return a file's payload; None (and the file removed) where the checksum does not fit."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    if hashlib.sha256(data[CHECKSUM_BYTES:]).digest() == data[:CHECKSUM_BYTES]:
        return data[CHECKSUM_BYTES:]
    with contextlib.suppress(OSError):
        path.unlink()
    return None


def write_checked(path: Path, payload: bytes) -> None:
    """Write checksum and payload to a temporary name and rename; OSError where it cannot be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(hashlib.sha256(payload).digest())
            out.write(payload)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


@contextlib.contextmanager
def compiling(path: Path) -> Iterator[None]:
    """Hold while an entry may be compiled, so that a second process waits and then loads it."""
    import filelock

    lock = filelock.FileLock(f"{path}.lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except (OSError, NotImplementedError):
        yield
        return
    try:
        yield
    finally:
        lock.release()


_kept: dict[str, Any] | None = None


@contextlib.contextmanager
def keeping() -> Iterator[None]:
    """Keep machine code in memory while runs follow one another, instead of reading it again."""
    global _kept
    before, _kept = _kept, {} if _kept is None else _kept
    try:
        yield
    finally:
        _kept = before


def compile_cached(
    function: Any, signature: Any, name: str, key: str, announce: Callable[[str], None]
) -> Any:
    """Compile a numba dispatcher for one signature, from disk where the same was compiled before.

    key: digest of what goes into the code; announce: called with `name` before a real compilation.
    Returns the dispatcher; its `.from_disk` tells where the code came from.
    """
    path = home() / machine()[:16] / f"{name}-{digest(key, str(signature))[:24]}.bin"
    if _kept is not None and str(path) in _kept:
        return _kept[str(path)]
    entry = DiskEntry(path, announce=lambda: announce(name))
    function._cache = entry
    if path.exists():
        function.compile(signature)
    else:
        with compiling(path):
            function.compile(signature)
    function.from_disk = entry.loaded
    if _kept is not None:
        _kept[str(path)] = function
    return function


def is_cached(signature: Any, name: str, key: str) -> bool:
    """Whether `compile_cached` would find its entry on disk."""
    return (home() / machine()[:16] / f"{name}-{digest(key, str(signature))[:24]}.bin").exists()


def size() -> tuple[int, int]:
    """Return (files, bytes) of the cache folder."""
    entries = [path.stat().st_size for path in home().rglob("*.bin")]
    return len(entries), sum(entries)


def clean(older_than_days: float = 0.0) -> int:
    """Remove entries that were not touched for so many days; return how many went."""
    limit, gone = time.time() - older_than_days * 86400, 0
    for path in home().rglob("*.bin*"):
        if path.stat().st_mtime <= limit:
            path.unlink(missing_ok=True)
            gone += 1
    return gone
