"""Hands batches to workers: joblib threads, or processes for strategies that hold the GIL."""

from __future__ import annotations

import functools
import itertools
import os
import threading
import time
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

from simlab.core.game import Game
from simlab.core.loading import FILE_MODULE, load_file
from simlab.core.patience import seconds_allowed
from simlab.core.pick import random_strategy
from simlab.core.places import looking_in
from simlab.core.registry import declared_in, find_game
from simlab.core.strategy import Bound
from simlab.errors import UserError, one_of
from simlab.running.spec import Spec
from simlab.running.watch import watching_elsewhere
from simlab.running.worker import Batch, Worker

PICKED = random_strategy.__module__
BACKENDS = {"threads": "threading", "processes": "loky"}
# First game, number of games, and where a worker of the same process puts the results.
Task = tuple[int, int, Any]
_pools = itertools.count()
_workers: dict[str, Worker] = {}


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_backend(name: str) -> str:
    """Return the name if it is a backend; UserError otherwise."""
    if not isinstance(name, str) or name not in BACKENDS:
        raise one_of("backend", name, BACKENDS)
    return name


def _packed(bound: Bound) -> tuple[Any, ...]:
    declared = bound.strategy
    values = tuple(_packed(v) if isinstance(v, Bound) else v for v in bound.values)
    if declared.function.__module__ == PICKED:
        return PICKED, declared.name, None, values, bound.said
    if declared.function.__module__.startswith(FILE_MODULE):
        return str(declared.file), declared.name, None, values, bound.said
    return "", declared.name, declared.function, values, bound.said


def _unpacked(packed: tuple[Any, ...], game: Game) -> Bound:
    file, name, function, values, said = packed
    inner = tuple(_unpacked(v, game) if isinstance(v, tuple) else v for v in values)
    if file == PICKED:
        return Bound(random_strategy(game), inner, said)
    if function is not None:
        return Bound(function.__strategy__, inner, said)
    for declared in declared_in(load_file(Path(file))):
        if declared.name == name:
            return Bound(declared, inner, said)
    raise UserError(f"{file} no longer declares a strategy '{name}'.")


def pack(spec: Spec) -> tuple[Any, ...]:
    """Return a spec as plain values that another process can rebuild."""
    changes = {name: str(value) for name, value in spec.changes.items()}
    line_up = tuple(_packed(bound) for bound in spec.line_up)
    about = spec.game.name, spec.players, spec.book.rule_set, changes
    return *about, line_up, spec.seats, spec.seed, spec.places, spec.blocks


def unpack(packed: tuple[Any, ...]) -> Spec:
    """Rebuild a spec in a worker process."""
    from simlab.core.game import rule_book

    name, players, rule_set, changes, line_up, seats, seed, places, blocks = packed
    with looking_in(places):
        game = find_game(name)
        bound = tuple(_unpacked(entry, game) for entry in line_up)
    book = rule_book(game, rule_set, changes)
    return Spec(game, players, book, bound, seats, seed, changes, places, blocks)


@functools.lru_cache(maxsize=1)
def _leave_with_parent() -> None:
    """Let this worker process end when the one that started it is gone."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def play_elsewhere(
    key: str, packed: tuple[Any, ...], events: bool, first: int, games: int
) -> Batch:
    """Play a batch in a worker process, which keeps its worker from batch to batch."""
    _leave_with_parent()
    if key not in _workers:
        _workers.clear()
        _workers[key] = Worker(unpack(packed), events)
        if _workers[key].inlined_is_ready():
            _workers[key].use_inlined()
    worker = _workers[key]
    with watching_elsewhere(worker, seconds_allowed(worker.lockstep or worker.plain), key):
        return worker.play(first, games)


class Pool:
    """Plays batches on `jobs` workers; hands them back as they are done, in any order."""

    def __init__(self, worker: Worker, backend: str, jobs: int) -> None:
        import joblib

        self.worker = worker
        self.backend = backend
        self._joblib = joblib
        self._packed = pack(worker.spec) if backend == "processes" else ()
        self.key = f"{os.getpid()}-{next(_pools)}"
        self._parallel = joblib.Parallel(
            n_jobs=jobs,
            backend=BACKENDS[backend],
            return_as="generator_unordered",
            pre_dispatch="2 * n_jobs",
            batch_size=1,
        )

    def __enter__(self) -> Pool:
        self._parallel.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._parallel.__exit__(*error)

    def play(self, tasks: Iterable[Task]) -> Generator[Batch, None, None]:
        """Play tasks, taken from the iterable as workers become free."""
        delayed = self._joblib.delayed
        if self.backend == "processes":
            events = self.worker.events
            calls = (
                delayed(play_elsewhere)(self.key, self._packed, events, first, games)
                for first, games, _ in tasks
            )
        else:
            calls = (delayed(self.worker.play)(*task) for task in tasks)
        return self._parallel(calls)  # type: ignore[no-any-return]
