"""The run folder: `run.json`, shards of rows and events, and what is said about its columns.

Every file is written to a temporary name, synced and renamed; `run.json` names a shard only when
the shard is safe on disk. So a run that is killed at any moment goes on from its last shard.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import hashlib
import json
import os
import platform
import re
import secrets
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from simlab.errors import DamagedRun, UserError, shown
from simlab.running.plan import Span

FORMAT = 1
RUN_FILE = "run.json"
_OURS = re.compile(
    r"(run|study)\.json|columns\.md|data-\w+\.csv|(games|events)-\d{5,}\.parquet|\.new-.*"
)
LOCK = ".lock"


@dataclass
class Shard:
    """One file of rows (and one of events, where they were asked for) with their checksums."""

    number: int
    first: int
    end: int
    rows: int
    sha256: str
    events: int | None = None
    events_sha256: str | None = None
    next: dict[str, Any] | None = None  # what is about to take its place, while files are renamed

    @property
    def span(self) -> Span:
        """The games it holds."""
        return Span(self.first, self.end)

    @property
    def name(self) -> str:
        """The file of its rows."""
        return f"games-{self.number:05d}.parquet"

    @property
    def events_name(self) -> str:
        """The file of its events."""
        return f"events-{self.number:05d}.parquet"


@dataclass
class RunFile:
    """The contents of `run.json`."""

    hash: str
    spec: dict[str, Any]
    shards: list[Shard] = field(default_factory=list)
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    games_played: int = 0
    versions: dict[str, str] = field(default_factory=dict)
    shard_games: int = 0
    format: int = FORMAT
    question: str = ""
    cores: int = 0
    until: dict[str, Any] | None = None  # what the stopping rule said that ended it

    @property
    def span(self) -> Span:
        """All games of the folder."""
        if not self.shards:
            return Span(0, 0)
        return Span(min(s.first for s in self.shards), max(s.end for s in self.shards))


def within(shards: Sequence[Shard], span: Span) -> list[Shard]:
    """Return the shards that hold games of a span, in order."""
    return [s for s in shards if s.first < span.end and s.end > span.first]


def read_games(
    paths: Sequence[Path], span: Span, columns: Sequence[str] | None = None
) -> Iterator[Any]:
    """Yield what files hold of the games of a span, file by file, as polars frames.

    paths: of rows or events; they may hold more games. columns: default all.
    """
    import polars as pl

    inside = pl.col("game").is_between(span.first, span.end - 1)
    for path in paths:
        rows = pl.scan_parquet(path, glob=False).filter(inside)
        yield (rows if columns is None else rows.select(list(columns))).collect()


def versions() -> dict[str, str]:
    """Return the versions that a result was made with."""
    import numpy
    import polars

    import simlab

    found = {
        "simlab": simlab.__version__,
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "polars": polars.__version__,
        "platform": f"{sys.platform} {platform.machine()}",
    }
    if name := processor():
        found["processor"] = name
    numba = sys.modules.get("numba")
    if numba is not None:
        found["numba"] = str(numba.__version__)
    return found


@functools.cache
def processor() -> str:
    """Return what the processor calls itself, empty where the system does not say."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor()
    named = (line.partition(":")[2] for line in lines if line.startswith("model name"))
    return " ".join(next(named, "").split())


def is_run(folder: Path) -> bool:
    """Whether a folder holds a run; no for a path that cannot be."""
    try:
        return (folder / RUN_FILE).is_file()
    except (OSError, ValueError):
        return False


def read_run_file(folder: Path) -> RunFile:
    """Read `run.json`; UserError if there is none, DamagedRun if it cannot be trusted."""
    path = folder / RUN_FILE
    if not is_run(folder):
        why = f"it holds no {RUN_FILE}" if os.path.isdir(folder) else "it does not exist"
        raise UserError(
            f"{shown(folder)} is not a run folder: {why}; `simlab runs` lists those under results/."
        )
    with damage_told(path):
        text = read_sealed(path, FORMAT)
        shards = [Shard(**entry) for entry in text.pop("shards")]
        found = RunFile(shards=shards, **text)
    for shard in found.shards:
        _settle(folder, shard)
    return found


@contextlib.contextmanager
def damage_told(path: Path) -> Iterator[None]:
    """Raise DamagedRun for a file of ours that does not hold what it should."""
    try:
        yield
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise DamagedRun(
            f"{path} is damaged ({shown(error)}); play the run again with --force or into "
            "another --out."
        ) from None


def read_sealed(path: Path, layout: int) -> dict[str, Any]:
    """Read a JSON file with a checksum; ValueError where it does not match, UserError if newer."""
    text: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    written = text.pop("checksum")
    if written != _seal(text):
        raise ValueError("its checksum does not match")
    if text["format"] != layout:
        raise UserError(f"{path} has format {text['format']}; this simlab reads format {layout}.")
    return text


def write_sealed(path: Path, contents: dict[str, Any]) -> None:
    """Write a JSON file with a checksum in one step."""
    sealed = {**contents, "checksum": _seal(json.loads(json.dumps(contents)))}
    text = json.dumps(sealed, indent=1, ensure_ascii=False) + "\n"
    with new_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def _seal(text: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(text, sort_keys=True).encode()).hexdigest()


def _settle(folder: Path, shard: Shard) -> None:
    """Find out which files lie there where a run was stopped while a shard was replaced."""
    if shard.next is None:
        return
    new, shard.next = Shard(**shard.next), None
    rows = _checksum_or_none(folder / shard.name)
    if rows == new.sha256:
        shard.first, shard.end, shard.rows, shard.sha256 = new.first, new.end, new.rows, rows
        shard.events, shard.events_sha256 = new.events, new.events_sha256
    if shard.events_sha256 != _checksum_or_none(folder / shard.events_name):
        shard.events = shard.events_sha256 = None


def _checksum_or_none(path: Path) -> str | None:
    return checksum(path) if path.is_file() else None


def write_run_file(folder: Path, run: RunFile) -> None:
    """Write `run.json` in one step."""
    write_sealed(folder / RUN_FILE, asdict(run))


@contextlib.contextmanager
def new_file(path: Path, shared: bool = False) -> Iterator[Path]:
    """Give a temporary name to write to; afterwards sync it and rename it to `path`.

    shared: others may write the same file at once, so the name is one that nobody else has.
    """
    temporary = path.parent / f".new-{secrets.token_hex(8) if shared else path.name}"
    try:
        yield temporary
        _sync(temporary)
        os.replace(temporary, path)
        _sync(path.parent)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (
            errno.EINVAL,
            errno.ENOTSUP,
        ):  # some file systems cannot sync folders
            raise
    finally:
        os.close(handle)


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with open(path, "rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()


def verify(folder: Path, shards: Sequence[Shard]) -> None:
    """Raise DamagedRun for the first shard that is missing or not what was written."""
    for shard in shards:
        files = [(shard.name, shard.sha256)]
        if shard.events_sha256 is not None:
            files.append((shard.events_name, shard.events_sha256))
        for name, wanted in files:
            path = folder / name
            state = "missing" if not path.is_file() else "damaged"
            if state == "missing" or checksum(path) != wanted:
                raise DamagedRun(
                    f"{path} is {state}; play the run again with --force or into another --out."
                )


def stage_frame(path: Path, frame: Any) -> str:
    """Write a frame as Parquet to the temporary name of `path`, synced; return its checksum."""
    temporary = path.absolute().parent / f".new-{path.name}"
    try:
        frame.write_parquet(
            temporary,
            compression="zstd",
            compression_level=3,
            statistics=False,
            row_group_size=2**18,
        )
        _sync(temporary)
        return checksum(temporary)
    except BaseException as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise _as_os_error(error) from None


def commit(path: Path) -> None:
    """Give a staged file its name."""
    os.replace(path.parent / f".new-{path.name}", path)
    _sync(path.parent)


def _as_os_error(error: BaseException) -> BaseException:
    """Return polars' own error for a failed write as the OSError that it was."""
    found = re.search(r"os error (\d+)", str(error))
    if isinstance(error, OSError) or found is None:
        return error
    number = int(found.group(1))
    return OSError(number, os.strerror(number))


def write_text(path: Path, text: str | bytes, shared: bool = False) -> None:
    """Write a small file in one step; shared: see `new_file`."""
    data = text.encode() if isinstance(text, str) else text
    with new_file(path, shared) as temporary:
        temporary.write_bytes(data)


def check_folder(folder: Path, signs: tuple[str, ...] = (RUN_FILE,)) -> None:
    """Raise UserError, writing nothing, for a folder that can never take a run.

    signs: files of which one shows that the folder is ours.
    """
    try:
        above = (folder, *folder.parents, *folder.absolute().parents)
        there = next(path for path in above if path.exists())
        if not there.is_dir():
            raise UserError(f"{shown(there)} is not a folder; choose another --out.")
        if not os.access(there, os.W_OK | os.X_OK):
            raise UserError(f"cannot write to {shown(folder)}; choose another --out.")
        others = folder.exists() and any(
            not path.name.startswith((LOCK, ".new-")) for path in folder.iterdir()
        )
    except OSError as error:
        raise UserError(f"cannot use {shown(folder)}: {error.strerror}.") from None
    if others and not any((folder / sign).is_file() for sign in signs):
        raise UserError(f"{folder} holds other files, but no run; choose another --out.")


def prepare_folder(folder: Path) -> None:
    """Make the run folder; UserError where it cannot be written or holds something else."""
    check_folder(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".new-probe"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        raise UserError(
            f"cannot write to {folder}: {error.strerror}; choose another --out."
        ) from None


def remove_run(folder: Path) -> None:
    """Remove a run's own files from a folder."""
    ours = [p for p in folder.iterdir() if _OURS.fullmatch(p.name) and p.is_file()]
    for path in sorted(ours, key=lambda path: path.name == RUN_FILE):  # what names the others: last
        path.unlink(missing_ok=True)


def remove_folder(folder: Path) -> None:
    """Remove a run and its folder; other files in it are kept; UserError while it is played."""
    try:
        with locked(folder):
            remove_run(folder)
            (folder / LOCK).unlink(missing_ok=True)
        if not any(folder.iterdir()):
            folder.rmdir()
    except OSError as error:
        raise UserError(f"cannot remove {folder}: {error.strerror}.") from None


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a run folder for oneself; UserError if another process plays into it."""
    import filelock

    lock = filelock.FileLock(folder / LOCK)
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        raise UserError(
            f"another process is playing into {folder}; wait for it or choose another --out."
        ) from None
    try:
        yield
    finally:
        lock.release()
