"""Plays a run: batches on all workers, whole shards onto disk, in game order, one by one."""

from __future__ import annotations

import errno
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from simlab.core.patience import Endless, seconds_allowed
from simlab.errors import SimlabError, UserError
from simlab.running import dataset
from simlab.running.backends import Pool, Task, cores
from simlab.running.dataset import RunFile, Shard
from simlab.running.plan import Piece, Span, check_gapless, pieces
from simlab.running.progress import Progress
from simlab.running.replay import explain, prepared, rehearse
from simlab.running.rows import columns_text, rows_frame
from simlab.running.spec import Spec, differences, document_hash, without_files
from simlab.running.watch import Watch, left_note, watching_here
from simlab.running.worker import Fault, Worker
from simlab.running.writer import ShardWriter, Stretch

BATCH_SECONDS = 0.1
LOCKSTEP_SECONDS = 0.4  # long enough for thousands of games in flight
FIRST_BATCH = 2_000
FIRST_PLAIN = 8
FIRST_LOCKSTEP = 256
INLINE_FROM = 5_000_000
CHUNK = 4  # batches a worker plays before a stopping rule looks
RESULTS = Path("results")


@dataclass
class Played:
    """A run on disk after it was played.

    span: the games that were asked for; seconds, cpu_seconds, games: of this call alone.
    """

    folder: Path
    run: RunFile
    span: Span
    games: int
    seconds: float
    cpu_seconds: float


class Until(Protocol):
    """A stopping rule: looks at the rows of games in order and says where to stop.

    It looks at fixed numbers of deals, so that it stops at the same game however a run is cut.
    """

    rule: str
    """The rule in words."""

    @property
    def look(self) -> int:
        """Games from one look to the next."""

    def take(self, rows: Any) -> int | None:
        """Take in the next games, as a frame of whole deals; the game to end before, or None."""

    def text(self) -> str:
        """Return how far it is, for whoever waits."""

    def document(self) -> dict[str, Any]:
        """Return what `run.json` says of it, in JSON types."""


@dataclass(frozen=True)
class Order:
    """A run that is asked for: the spec, the games, and how to play them.

    until: ends it before all games are played; said: the command of a question, in place of that
    of the run itself.
    """

    spec: Spec
    span: Span
    folder: Path
    document: dict[str, Any]
    hash: str
    jobs: int = 1
    backend: str = "threads"
    events: bool = False
    force: bool = False
    quiet: bool = False
    batch: int | None = None
    question: str = ""
    until: Until | None = None
    said: str = ""

    @property
    def command(self) -> str:
        """The command line that plays this, or goes on with it."""
        if self.said:
            return self.said
        more = ["--events"] if self.events else []
        if self.until is not None:
            more += ["--until", self.until.rule]
        if self.backend != "threads":
            more += ["--backend", self.backend]
        if self.folder != RESULTS / f"{self.spec.game.name}-{self.spec.players}p-{self.hash}":
            more += ["--out", str(self.folder)]
        return self.spec.command(self.span.games, self.span.first, more)


@dataclass(frozen=True)
class Todo:
    """What is still to be done for an order, given what the folder holds.

    run: what the folder holds of this run; events: whether events are written, because they were
    asked for or the folder has them already; without_events: whole shards that lack them; games:
    how many are to be played.
    """

    run: RunFile | None
    events: bool
    without_events: list[Shard]
    games: int


def order(spec: Spec, n: int, first: int = 0, out: Path | None = None, **how: Any) -> Order:
    """Name the run: its hash and folder (`out`, or one under `results/` named by the hash)."""
    document = spec.document()
    name = document_hash(document)
    folder = out or RESULTS / f"{spec.game.name}-{spec.players}p-{name}"
    jobs = how.pop("jobs", None) or cores()
    return Order(spec, Span(first, first + n), folder, document, name, jobs=jobs, **how)


def changed_since(asked: Order) -> str | None:
    """Say which file changed since a run of the same words in the same place, if there is one."""
    for path in sorted(asked.folder.parent.glob(f"{asked.spec.game.name}-*/{dataset.RUN_FILE}")):
        if path.parent == asked.folder:
            continue
        try:
            other = dataset.read_run_file(path.parent)
        except UserError:
            continue
        if without_files(other.spec) == without_files(asked.document):
            changes = differences(other.spec, asked.document)
            return f"{', '.join(changes)} since {path.parent.name}: this is another run."
    return None


def held(asked: Order) -> RunFile | None:
    """Return what the folder holds of this run; UserError if it holds another."""
    if asked.force or not dataset.is_run(asked.folder):
        return None
    found = dataset.read_run_file(asked.folder)
    if found.hash != asked.hash:
        changes = "; ".join(differences(found.spec, asked.document)) or "another run"
        raise UserError(
            f"{asked.folder} holds another run ({changes}); choose another --out, or --force to "
            "replace it."
        )
    dataset.verify(asked.folder, found.shards)
    check_gapless(asked.span, found.span, str(asked.folder))
    return found


def todo(asked: Order, force: bool, checked: bool = False) -> Todo:
    """Return what is to be done; UserError if the folder holds something else (unless forced).

    checked: whether the folder was found to be one that a run can lie in.
    """
    if not checked:
        dataset.check_folder(asked.folder)
    run = None if force else held(asked)
    shards = run.shards if run else []
    events = asked.events or bool(shards and all(s.events is not None for s in shards))
    rewritten = [s for s in shards if _target(asked, s).games > s.span.games]
    without = [s for s in shards if s.events is None and s not in rewritten] if events else []
    there = run.span if run else Span(0, 0)
    games = asked.span.joined(there).games - there.games
    games += sum(s.span.games for s in without)
    games += sum(s.span.games for s in rewritten) if events else 0
    return Todo(run, events, without, games)


def _target(asked: Order, shard: Shard) -> Span:
    low = shard.number * asked.spec.shard_games
    high = low + asked.spec.shard_games
    part = Span(max(asked.span.first, low), min(asked.span.end, high))
    return shard.span.joined(part)


def missing(asked: Order, run: RunFile | None) -> Iterator[Piece]:
    """Yield the shards that are still to be written, in order."""
    present = {shard.number: shard.span for shard in run.shards} if run else {}
    return pieces(asked.span, present, asked.spec.shard_games)


def play(asked: Order) -> Played:
    """Play what is missing of a run and return it.

    Raises UserError for a folder that cannot be used, StrategyError for a strategy's fault. Shards
    that are written stay; a later call goes on from there. Nothing is written or removed before
    everything is compiled and the folder is ours.
    """
    start = time.perf_counter(), time.process_time()
    work = todo(asked, asked.force)
    run, games = work.run, 0
    end = None if run is None else _look_back(asked, run)
    if run is None or (work.games and end is None):
        run, games, end = _play(asked, work, start)
    else:
        if end is not None and work.events and any(s.events is None for s in run.shards):
            span, said = Span(asked.span.first, end), asked.command
            rest = replace(asked, span=span, until=None, said=said)
            run, games, _ = _play(rest, todo(rest, force=False), start)
        if asked.until is not None and run.until != asked.until.document():
            _note_stop(asked, run)
    spent = time.perf_counter() - start[0], time.process_time() - start[1]
    span = asked.span if end is None else Span(asked.span.first, end)
    return Played(asked.folder, run, span, games, *spent)


def _note_stop(asked: Order, run: RunFile) -> None:
    """Write into `run.json` what a stopping rule said of games that were there."""
    assert asked.until is not None
    try:
        with dataset.locked(asked.folder):
            run.until = asked.until.document()
            dataset.write_run_file(asked.folder, run)
    except OSError as error:
        raise disk_error(error, asked) from None


def _look_back(asked: Order, run: RunFile) -> int | None:
    """Show a stopping rule the games that are there, from the first on; where it stops, if so."""
    if asked.until is None or not run.span.games:
        return None
    if asked.span.first < run.span.first:
        raise UserError(
            f"a stopping rule looks at games in order, but {asked.folder} begins with game "
            f"{run.span.first:,}; choose another --out or --first-game {run.span.first}."
        )
    paths = [asked.folder / shard.name for shard in dataset.within(run.shards, asked.span)]
    for rows in dataset.read_games(paths, asked.span):
        end = asked.until.take(rows)
        if end is not None:
            return end
    return None


def _play(asked: Order, work: Todo, start: tuple[float, float]) -> tuple[RunFile, int, int | None]:
    asked = replace(asked, folder=asked.folder.absolute())  # a strategy may change the directory
    progress = Progress(work.games, asked.quiet, asked.until.text if asked.until else None)
    try:
        note = changed_since(asked) if work.run is None else None
        if note:
            progress.say(note)
        worker = prepared(asked.spec, work.events, announcer(progress), asked.span.first)
        rehearse(worker, asked.span.first)
        dataset.prepare_folder(asked.folder)
        with dataset.locked(asked.folder):
            if asked.force:
                dataset.remove_run(asked.folder)
            seen = work  # another process may have played meanwhile
            work = todo(asked, force=False, checked=True)
            if asked.until is not None and seen.games != work.games:
                raise UserError(
                    f"another process has played into {asked.folder} meanwhile; give the command "
                    "again."
                )
            if work.events != worker.events:
                worker = Worker(asked.spec, work.events, announcer(progress))
            return _play_into(asked, work, worker, progress, start)
    except OSError as error:
        raise disk_error(error, asked) from None
    finally:
        progress.close()


def _play_into(
    asked: Order, work: Todo, worker: Worker, progress: Progress, start: tuple[float, float]
) -> tuple[RunFile, int, int | None]:
    spec, folder = asked.spec, asked.folder
    run = work.run or RunFile(asked.hash, asked.document, shard_games=spec.shard_games)
    run.versions = dataset.versions()
    run.question = asked.question or run.question
    run.cores = cores()
    run.until = None
    dataset.write_text(folder / "columns.md", columns_text(spec, work.events))
    for name, path in spec.book.files.items():
        if path is not None:
            dataset.write_text(folder / f"data-{name}.csv", path.read_bytes())
    dataset.write_run_file(folder, run)
    writer = ShardWriter(spec, folder, work.events, run, start)
    swap = _Swap(worker, 0 if asked.until else work.games)
    end = None
    seconds = seconds_allowed(worker.plain or worker.lockstep)
    watch = watching_here(worker, seconds)
    with Pool(worker, asked.backend, asked.jobs) as pool, writer, watch:
        progress.begin()
        pace = _Pace(worker, asked.batch)

        def play(span: Span) -> Stretch:
            return _play_span(asked, span, pool, pace, progress, watch)

        for piece in missing(asked, work.run):
            spans = [piece.target] if work.events else piece.missing()
            if asked.until is None:
                writer.piece(piece, [play(s) for s in spans])
                continue
            played, end = _until(asked, spans, work, lambda: pace.games, play)
            target = piece.target if end is None else Span(piece.target.first, end)
            writer.piece(replace(piece, target=target), played)
            if end is not None:
                break
        for shard in work.without_events:
            writer.events_only(shard, play(shard.span))
    swap.join()
    if asked.until is not None:
        run.until = asked.until.document()
        dataset.write_run_file(folder, run)
    return run, progress.done, end


def _until(
    asked: Order,
    spans: list[Span],
    work: Todo,
    batch: Callable[[], int],
    play: Callable[[Span], Stretch],
) -> tuple[list[Stretch], int | None]:
    """Play spans of one shard a few looks at a time; return what counts, and where it ends."""
    assert asked.until is not None
    seen = work.run.span.end if work.run and work.run.span.games else asked.span.first
    look, played = asked.until.look, []
    for span in spans:
        at = span.first
        while at < span.end:
            looks = max(1, CHUNK * asked.jobs * batch() // look)
            to = asked.span.first + ((at - asked.span.first) // look + looks) * look
            to = min(to, span.end, seen if at < seen else span.end)
            stretch = play(Span(at, to))
            stretch.frame = rows_frame(asked.spec, at, stretch.results)
            played.append(stretch)
            end = asked.until.take(stretch.frame) if at >= seen else None
            if end is not None:
                stretch.cut(end)
                return played, end
            at = to
    return played, None


def announcer(progress: Progress) -> Callable[[str], None]:
    """Return what tells a person that something compiles, once for each thing."""

    def announce(name: str) -> None:
        progress.say(f"compiling {name} (once; kept for later runs) ...")

    return announce


def disk_error(error: OSError, asked: Order) -> SimlabError:
    """Return what to tell a person whose disk did not take a shard."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    what = "the disk is full" if full else f"writing failed ({error.strerror or error})"
    return UserError(
        f"{what} at {asked.folder}; finished shards are kept, and the same command continues "
        "the run."
    )


def _play_span(
    asked: Order, span: Span, pool: Pool, pace: _Pace, progress: Progress, watch: Watch
) -> Stretch:
    """Play games that follow one another; StrategyError at the first fault."""
    results = np.zeros((span.games, asked.spec.players), asked.spec.game.result)
    events: dict[int, Any] = {}
    fault: Fault | None = None
    tasks = pace.tasks(span, asked.jobs, results, stop=lambda: fault is not None)
    batches = pool.play(tasks)
    try:
        for batch in batches:
            if batch.fault and (fault is None or batch.fault.game < fault.game):
                fault = batch.fault
            pace.learn(len(batch.results), batch.seconds)
            progress.add(len(batch.results))
            place = slice(batch.first - span.first, batch.first - span.first + len(batch.results))
            if not np.shares_memory(batch.results, results[place]):  # from another process
                results[place] = batch.results
            events[batch.first] = batch.events
    except BaseException as error:
        with warnings.catch_warnings():  # joblib speaks of the batches that nobody waits for
            warnings.simplefilter("ignore", UserWarning)
            batches.close()
        if isinstance(error, Endless) and watch.fault is not None:
            raise explain(asked.spec, watch.fault) from None
        if type(error).__name__ in ("TerminatedWorkerError", "BrokenProcessPool"):
            noted = left_note(pool.key)
            if noted is not None:
                raise explain(asked.spec, noted) from None
            raise UserError(
                "a worker process died (killed, or out of memory); finished shards are kept, and "
                f"the same command continues the run: {asked.command}"
            ) from None
        raise
    if fault is not None:
        raise explain(asked.spec, fault)
    return Stretch(span.first, results, [events[first] for first in sorted(events)])


def play_apart(worker: Worker, span: Span) -> Any:
    """Play games that nobody keeps on all cores; return their results [games, seats]."""
    asked = Order(worker.spec, span, Path(), {}, "", jobs=max(cores(), 2), quiet=True)
    watch = watching_here(worker, seconds_allowed(worker.plain or worker.lockstep))
    with Pool(worker, asked.backend, asked.jobs) as pool, watch:
        pace, progress = _Pace(worker, None), Progress(span.games, quiet=True)
        return _play_span(asked, span, pool, pace, progress, watch).results


class _Pace:
    """Cuts games into batches of about a tenth of a second by the measured speed."""

    def __init__(self, worker: Worker, batch: int | None) -> None:
        usual = FIRST_PLAIN if worker.plain else FIRST_BATCH
        self.games = batch or (FIRST_LOCKSTEP if worker.lockstep else usual)
        self._seconds = LOCKSTEP_SECONDS if worker.lockstep else BATCH_SECONDS
        self._fixed = batch is not None

    def learn(self, games: int, seconds: float) -> None:
        """Take in how long a batch took."""
        if not self._fixed and seconds > 0:
            wanted = int(games / seconds * self._seconds)
            self.games = max(1, min(wanted, 4 * self.games))

    def tasks(
        self, span: Span, jobs: int, results: Any, stop: Callable[[], bool]
    ) -> Iterator[Task]:
        """Yield tasks until told to stop, smaller towards the end so that no worker idles."""
        at = span.first
        while at < span.end and not stop():
            fair = self.games if self._fixed else -(-(span.end - at) // (2 * jobs))
            count = max(1, min(self.games, max(fair, self.games // 8), span.end - at))
            yield at, count, results[at - span.first : at - span.first + count]
            at += count


class _Swap:
    """Compiles the line-up into a kernel beside the run, where the run is long enough to pay."""

    def __init__(self, worker: Worker, games: int) -> None:
        self._thread: threading.Thread | None = None
        if worker.plain or worker.lockstep:
            return
        if worker.inlined_is_ready():
            worker.use_inlined()
        elif games >= INLINE_FROM:
            self._thread = threading.Thread(target=worker.use_inlined, daemon=True)
            self._thread.start()

    def join(self) -> None:
        """Wait for a compilation that is under way, so that it is on disk for the next run."""
        if self._thread is not None:
            self._thread.join()
