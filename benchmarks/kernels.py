"""CPU time of a game's kernels, without start-up, rows and files."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Any

from simlab.core.cache import compilation_is_off
from simlab.running.spec import Spec, make_spec
from simlab.running.worker import Worker

BATCH = 20_000
LINE_UPS = {
    "diamant": [
        "threshold(gems=10)",
        "threshold(gems=15)",
        "threshold(gems=20)",
        "trap_count(traps=2)",
        "trap_count(traps=3)",
    ]
}


def spec_of(game: str) -> Spec:
    """Return the benchmark's spec of a game: its line-up in fixed seats."""
    line_up = LINE_UPS[game]
    return make_spec(game, len(line_up), line_up, seats="fixed")


def workers(game: str) -> dict[str, Worker]:
    """Return a worker that reaches strategies by address and one with them compiled in."""
    assert not compilation_is_off(), "the benchmark measures compiled kernels"
    made = {"by address": Worker(spec_of(game), False), "compiled in": Worker(spec_of(game), False)}
    made["compiled in"].use_inlined()
    for worker in made.values():
        worker.play(0, 100)
    return made


@dataclass
class Timed:
    """CPU seconds of playing games, and totals to compare with another program."""

    seconds: float
    totals: dict[str, Any]


def play(worker: Worker, games: int, first: int = 0) -> Timed:
    """Play games in batches on this thread; the totals are taken outside the time."""
    seconds = 0.0
    scores = [0] * worker.spec.players
    own = {"cards": 0, "relics": 0, "accidents": 0}
    for at in range(first, first + games, BATCH):
        start = time.thread_time()
        batch = worker.play(at, min(BATCH, first + games - at))
        seconds += time.thread_time() - start
        assert batch.fault is None
        for seat, total in enumerate(batch.results["score"].sum(0)):
            scores[seat] += int(total)
        for name in own:
            own[name] += int(batch.results[name].sum())
    return Timed(seconds, {"scores": scores, **own})


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
