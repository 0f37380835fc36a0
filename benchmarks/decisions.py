"""Time per decision of games played at random, side by side, and games to those of scalar C.

Games differ in how long they last, so the fair measure between them is the time of one decision. A
figure asked as games a second "where C plays so many of Diamant" is scaled by what C plays here.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from benchmarks import kernels, limit
from benchmarks.games import BENCHMARKS, SCALAR_C, Case
from simlab import Table
from simlab.running.worker import Worker

BASE = "splendor"  # the game whose decisions the others are compared with
SAMPLE = 30  # games of which the decisions are counted
Seconds = dict[tuple[str, str], list[float]]  # by game and title of a case, each time of a game
C_RATE = 650_000  # games a second of Diamant in C, where the figures asked hold


def random_cases() -> list[Case]:
    """Return the case of each game with `random` in all of four seats."""
    cases = [case for benchmark in BENCHMARKS for case in benchmark.cases]
    return [case for case in cases if case.line_up == ("random",) * 4]


def decisions(case: Case) -> float:
    """Return the mean number of decisions that a game asks."""
    counts = []
    for deal in range(SAMPLE):
        table = Table(case.game, len(case.line_up), deal=deal)
        counts.append(table.play_out(list(case.line_up)).decisions)
    return statistics.mean(counts)


def table(rounds: int) -> None:
    """Print nanoseconds a decision, and what was asked of games without a C program."""
    cases = random_cases()
    asked = [case for b in BENCHMARKS for case in b.cases if b.by_c and case.asked]
    diamant = BENCHMARKS[0].cases[0]
    program = limit.build(diamant).get(SCALAR_C)
    played = {(case.game, case.title()): case for case in [*cases, *asked]}
    workers = {key: Worker(case.spec(), False) for key, case in played.items()}
    for worker in workers.values():
        worker.play(0, 100)
    seconds: Seconds = {key: [] for key in workers}
    in_c: list[float] = []
    for _ in range(rounds):
        for key, worker in workers.items():
            games = played[key].games
            seconds[key].append(kernels.play(worker, games).seconds / games)
        if program is not None:
            in_c.append(program.seconds(diamant.games) / diamant.games)
    _per_decision(cases, seconds)
    if in_c:
        _to_c(asked, seconds, in_c)


def _per_decision(cases: Sequence[Case], seconds: Seconds) -> None:
    counts = {case.game: decisions(case) for case in cases}
    each = {
        case.game: [one / counts[case.game] for one in seconds[case.game, case.title()]]
        for case in cases
    }
    limits = {benchmark.game: benchmark.decision for benchmark in BENCHMARKS}
    print(f"\ndecisions of games at random, four players: CPU time, medians, to {BASE}'s")
    for game, times in each.items():
        ratio = statistics.median(a / b for a, b in zip(times, each[BASE], strict=True))
        most = limits[game]
        met = f"  at most {most}: {'met' if ratio <= most else 'MISSED'}" if most else ""
        shown = f"{counts[game]:>8.1f} a game{statistics.median(times) * 1e9:>9.0f} ns each"
        print(f"  {game:32}{shown}{ratio:>8.2f}{met}")


def _to_c(cases: Sequence[Case], seconds: Seconds, in_c: list[float]) -> None:
    here = 1 / statistics.median(in_c)
    print(
        f"games a second per core; scalar C plays {here:,.0f} of Diamant here, {C_RATE:,} assumed"
    )
    for case in cases:
        rate = 1 / statistics.median(seconds[case.game, case.title()])
        least = (case.asked or 0) * here / C_RATE
        met = "met" if rate >= least else "MISSED"
        title = f"{case.game}, {len(case.line_up)} players: {case.line_up[0]}"
        print(f"  {title:32}{rate:>12,.0f}  {least:,.0f} asked here: {met}")
