"""CPU time of a game's kernels, without start-up, rows and files."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Any

from benchmarks.games import Case
from simlab.core.cache import compilation_is_off
from simlab.running.worker import Worker

BATCH = 20_000


def workers(case: Case) -> dict[str, Worker]:
    """Return a worker that reaches strategies by address and one with them compiled in."""
    assert not compilation_is_off(), "the benchmark measures compiled kernels"
    made = {"by address": Worker(case.spec(), False), "compiled in": Worker(case.spec(), False)}
    made["compiled in"].use_inlined()
    for worker in made.values():
        worker.play(0, 100)
    return made


@dataclass
class Timed:
    """CPU seconds of playing games, and totals to compare with another program.

    totals: the sum of each result column; `scores` are sums by seat.
    """

    seconds: float
    totals: dict[str, Any]


def play(worker: Worker, games: int, first: int = 0) -> Timed:
    """Play games in batches on this thread; the totals are taken outside the time."""
    seconds = 0.0
    columns = [name for name in worker.spec.game.result.names or () if name != "score"]
    sums, scores = dict.fromkeys(columns, 0), [0] * worker.spec.players
    for at in range(first, first + games, BATCH):
        start = time.thread_time()
        batch = worker.play(at, min(BATCH, first + games - at))
        seconds += time.thread_time() - start
        assert batch.fault is None
        for seat, total in enumerate(batch.results["score"].sum(0)):
            scores[seat] += int(total)
        for name in columns:
            sums[name] += int(batch.results[name].sum())
    return Timed(seconds, {"scores": scores, **sums})


def play_two(worker: Worker, games: int) -> float:
    """Play games in each of two threads at once; return the CPU seconds of both."""
    spent = [0.0, 0.0]

    def one(number: int) -> None:
        spent[number] = play(worker, games, number * games).seconds

    threads = [threading.Thread(target=one, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(spent)
