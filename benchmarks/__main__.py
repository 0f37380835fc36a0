"""Prints what simlab can do here: `make bench`, or `python -m benchmarks --help`."""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

from benchmarks import command, decisions, kernels, limit, questions, ways
from benchmarks.games import BENCHMARKS, SCALAR_C, Benchmark, Case
from simlab.running.worker import Worker

ROUNDS = 9
TWO_C = f"{SCALAR_C}, two processes"


@dataclass
class Row:
    """One way to play a case: what is timed in each round, and the row it is compared with."""

    name: str
    once: Callable[[], float]
    against: str = SCALAR_C
    seconds: list[float] = field(default_factory=list)


def main() -> None:
    """Measure everything and print a table for each part."""
    names = [benchmark.game for benchmark in BENCHMARKS]
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(names)}; or all")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each row is timed")
    parser.add_argument("--kernels", action="store_true", help="leave out whole commands")
    given = parser.parse_args()
    if not set(given.games) <= set(names):
        parser.error(f"no such game; there are {', '.join(names)}")
    for benchmark in BENCHMARKS:
        if not given.games or benchmark.game in given.games:
            rate = kernel_table(benchmark, given.rounds)
            if not given.kernels:
                command.tables(benchmark, rate)
    if not given.games or set(given.games) - {BENCHMARKS[0].game}:
        decisions.table(given.rounds)
    if not given.games or ways.GAME in given.games:
        ways.table(given.rounds)
    if not given.kernels and (not given.games or questions.GAME in given.games):
        questions.table()


def kernel_table(benchmark: Benchmark, rounds: int) -> float:
    """Print the kernels against scalar C; return the first case's games a second by address."""
    measured = [(case, rows(case)) for case in benchmark.cases]
    for _ in range(rounds):  # interleaved, so that all meet the same machine
        for _, own in measured:
            for row in own:
                row.seconds.append(row.once())
    print(f"\n{benchmark.game}: {rounds} interleaved rounds, CPU time, medians (best)")
    print(f"{'':34}{'games/s per core':>22}{'to C':>8}")
    for case, own in measured:
        print(case.title())
        seconds = {row.name: row.seconds for row in own}
        for row in own:
            print(line(case, row, seconds.get(row.against, [])))
    first, own = measured[0]
    return first.games / statistics.median(own[0].seconds)


def rows(case: Case) -> list[Row]:
    """Return what is timed of a case, the kernel by address first; all play the same games."""
    games, programs, workers = case.games, limit.build(case), kernels.workers(case)
    same_games(case, programs, workers)
    made = [Row(n, lambda w=w: kernels.play(w, games).seconds) for n, w in workers.items()]  # type: ignore[misc]
    made += [
        Row(f"{n}, two threads", lambda w=w: kernels.play_two(w, games) / 2, TWO_C)  # type: ignore[misc]
        for n, w in workers.items()
    ]
    made += [Row(n, lambda p=p: p.seconds(games)) for n, p in programs.items()]  # type: ignore[misc]
    if SCALAR_C in programs:
        made.append(Row(TWO_C, lambda: programs[SCALAR_C].play_two(games) / 2, TWO_C))
    return made


def same_games(case: Case, programs: dict[str, limit.Program], workers: dict[str, Worker]) -> None:
    """Stop unless C and the kernels play the same games."""
    for name, worker in workers.items() if programs else ():
        totals = kernels.play(worker, case.games).totals
        for program in programs.values():
            wrong = program.differences(totals, case.games)
            if wrong:
                said = f"kernel {name} and {program.path.name}.c differ in {', '.join(wrong)}"
                sys.exit(f"{case.game}, {case.title()}: {said}")


def line(case: Case, row: Row, limits: list[float]) -> str:
    """Return a row of the table: rate, ratio to C in the same rounds, and what was asked."""
    ratios = [c / own for c, own in zip(limits, row.seconds, strict=False)]
    ratio = statistics.median(ratios) if ratios else None
    rate = case.games / statistics.median(row.seconds)
    shown = f"{rate:>12,.0f} ({case.games / min(row.seconds):,.0f})"
    to_c = "-" if ratio is None else f"{ratio:.2f}"
    on_one_core = row.name in ("by address", "compiled in")
    asked = met(case, rate, ratio) if on_one_core else ""
    return f"  {row.name:32}{shown:<22}{to_c:>8}  {asked}".rstrip()


def met(case: Case, rate: float, ratio: float | None) -> str:
    """Return what was asked of a kernel, and whether it is reached."""
    wanted = (
        (rate, case.asked, "{:,} asked"),
        (rate, case.aim, "{:,} aimed at"),
        (ratio, case.to_c, "{} of C asked"),
    )
    return "; ".join(
        f"{words.format(least)}: {'met' if value >= least else 'MISSED'}"
        for value, least, words in wanted
        if value is not None and least is not None
    )


if __name__ == "__main__":
    main()
