"""The three ways to write a strategy, side by side: compiled, plain Python, NumPy over games."""

from __future__ import annotations

import statistics
import time
from typing import Any

import numpy as np

from simlab import batch_strategy, strategy, take_each
from simlab.games.diamant import LEAVE, STAY
from simlab.running.spec import make_spec
from simlab.running.worker import Worker

GAME, PLAYERS = "diamant", 5
GAMES = {"compiled": 100_000, "NumPy": 20_000, "plain Python": 400}


@strategy(GAME)
def compiled(table, me, gems: int = 10):
    """Leave once carrying at least `gems`."""
    return LEAVE if table.carried[me.explorer] >= gems else STAY


@strategy(GAME, compiled=False)
def plain(table, me, gems: int = 10):
    """Leave once carrying at least `gems`."""
    return LEAVE if table.carried[me.explorer] >= gems else STAY


@batch_strategy(GAME)
def batch(table, me, gems: int = 10):
    """Leave once carrying at least `gems`."""
    return np.where(take_each(table.carried, me.explorer) >= gems, LEAVE, STAY)


WAYS = {"compiled": compiled, "NumPy": batch, "plain Python": plain}


def table(rounds: int) -> None:
    """Print games per CPU second with one seat and with all seats written each way."""
    workers: dict[tuple[str, int], Worker] = {}
    for name, function in WAYS.items():
        for seats in (1, PLAYERS):
            line_up = [function] * seats + [compiled] * (PLAYERS - seats)
            workers[name, seats] = Worker(make_spec(GAME, PLAYERS, line_up), events=False)
    same = [worker.play(0, 200).results for worker in workers.values()]
    assert all(np.array_equal(same[0], other) for other in same), "the ways play different games"
    rates: dict[tuple[str, int], list[float]] = {key: [] for key in workers}
    for _ in range(max(rounds // 2, 1)):  # interleaved, so that all meet the same machine
        for key, worker in workers.items():
            rates[key].append(_rate(worker, GAMES[key[0]]))
    print(f"\n{GAME}, {PLAYERS} players, a strategy written three ways, games/s on one core")
    print(f"{'':16}{'one seat':>14}{'all seats':>14}")
    for name in WAYS:
        cells = (statistics.median(rates[name, seats]) for seats in (1, PLAYERS))
        print(f"{name:16}" + "".join(f"{cell:>14,.0f}" for cell in cells))


def _rate(worker: Any, games: int) -> float:
    start = time.process_time()
    worker.play(0, games)
    return games / (time.process_time() - start)
