"""The folder of a question: `study.json` beside the runs that answer it.

It says what was asked; the answer is worked out from the rows, never stored. A question that needs
one run lies in the run's own folder; one that needs several has them in folders below its own.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab.errors import UserError, shown
from simlab.running import dataset
from simlab.running.dataset import RunFile
from simlab.running.plan import Span

if TYPE_CHECKING:
    import polars as pl

FORMAT = 1
STUDY_FILE = "study.json"


@dataclass
class StudyFile:
    """The contents of `study.json`.

    ask: the kind of question, such as "duel"; arguments: what was asked, as an experiment file says
    it; parts: folders of the runs, from the question's own ("." where it is a run's); notes: what
    was found out before the first look (JSON types).
    """

    ask: str
    arguments: dict[str, Any]
    parts: list[str] = field(default_factory=lambda: ["."])
    notes: dict[str, Any] = field(default_factory=dict)
    format: int = FORMAT


def is_study(folder: Path) -> bool:
    """Whether a folder holds a question; no for a path that cannot be."""
    try:
        return (folder / STUDY_FILE).is_file()
    except (OSError, ValueError):
        return False


def read_study(folder: Path) -> StudyFile:
    """Read `study.json`; UserError if there is none, DamagedRun if it cannot be trusted."""
    path = folder / STUDY_FILE
    if not is_study(folder):
        raise UserError(
            f"{shown(folder)} holds no answer: there is no {STUDY_FILE} in it; `simlab runs` lists "
            "what lies under results/."
        )
    with dataset.damage_told(path):
        return StudyFile(**dataset.read_sealed(path, FORMAT))


def write_study(folder: Path, file: StudyFile) -> None:
    """Write `study.json` in one step."""
    dataset.write_sealed(folder / STUDY_FILE, asdict(file))


def other_question(old: StudyFile, new: StudyFile, may_change: Collection[str]) -> str:
    """Say how the question of a folder is another one; "" where it is the same.

    may_change: arguments that need not be the same, such as the number of games.
    """

    def fixed(file: StudyFile) -> dict[str, Any]:
        return {name: v for name, v in file.arguments.items() if name not in may_change}

    if old.ask == new.ask and fixed(old) == fixed(new):
        return ""
    from simlab.study.asking import command

    return command(old.ask, old.arguments)


@contextlib.contextmanager
def claimed(
    folder: Path, force: bool, differs: Callable[[StudyFile], str]
) -> Iterator[StudyFile | None]:
    """Hold the folder of a question that needs several runs; gives what it held before.

    force: remove what it held; differs: what is different about a question that it holds, "" where
    it is the same. UserError for a folder that cannot be written, is being played into, or holds
    something else.
    """
    dataset.check_folder(folder, (STUDY_FILE,))
    if dataset.is_run(folder):
        raise UserError(f"{folder} holds a run; choose another --out.")

    def held() -> StudyFile | None:
        if not is_study(folder) or force:
            return None
        old = read_study(folder)
        if other := differs(old):
            raise UserError(
                f"{folder} holds another question ({other}); choose another --out, or --force to "
                "replace it."
            )
        return old

    held()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(
            f"cannot write to {folder}: {error.strerror}; choose another --out."
        ) from None
    with dataset.locked(folder):
        if force and is_study(folder):
            remove_parts(folder)
        yield held()  # another process may have played meanwhile


def remove_parts(folder: Path) -> None:
    """Remove the runs of a question and its `study.json`; other files are kept."""
    named: list[str] = []
    with contextlib.suppress(UserError):  # what is damaged can be removed, too
        named = read_study(folder).parts
    for path in sorted(folder.iterdir()):
        if path.is_dir() and (path.name in named or dataset.is_run(path)):
            dataset.remove_folder(path)
    (folder / STUDY_FILE).unlink(missing_ok=True)


def unfinished(folder: Path) -> UserError:
    """Return the error for a question whose games are not all there."""
    from simlab.study.asking import command

    file = read_study(folder)
    return UserError(
        f"{folder} is not finished; go on with: {command(file.ask, file.arguments)} --out {folder}"
    )


@dataclass(frozen=True)
class Part:
    """One run of a question, as its answer reads it."""

    folder: Path
    file: RunFile
    span: Span

    @property
    def spec(self) -> dict[str, Any]:
        """What `run.json` says of the run."""
        return self.file.spec

    @property
    def game(self) -> str:
        """Name of the game."""
        return str(self.file.spec["game"])

    @property
    def players(self) -> int:
        """Number of seats."""
        return int(self.file.spec["players"])

    def frames(self, columns: list[str]) -> Iterator[pl.DataFrame]:
        """Yield these columns of its rows, shard by shard, in game order."""
        paths = [self.folder / shard.name for shard in dataset.within(self.file.shards, self.span)]
        return dataset.read_games(paths, self.span, columns)


def part_of(folder: Path, first: int = 0, end: int | None = None, verify: bool = True) -> Part:
    """Return a run of a question; the games before `first` and from `end` on do not count."""
    file = dataset.read_run_file(folder)
    if not file.shards:
        raise UserError(f"{folder} holds no finished games yet; play it first.")
    if verify:
        dataset.verify(folder, file.shards)
    held = file.span
    span = Span(max(held.first, first), held.end if end is None else min(held.end, end))
    return Part(folder, file, span)
