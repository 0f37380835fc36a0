"""Prints what simlab can do here: `make bench`, or `python -m benchmarks GAMES ROUNDS`."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable

from benchmarks import command, kernels, limit, ways

GAMES, ROUNDS = 200_000, 9


def main() -> None:
    """Measure everything and print a table for each part."""
    games = int(float(sys.argv[1])) if len(sys.argv) > 1 else GAMES
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS
    only = sys.argv[3] if len(sys.argv) > 3 else "all"
    for game in kernels.LINE_UPS:
        kernel = kernel_table(game, games, rounds)
        if only != "kernels":
            command.tables(game, kernel)
    ways.table(rounds)


def kernel_table(game: str, games: int, rounds: int) -> float:
    """Print the kernels against scalar C; return the games per CPU second by address."""
    program, tuned = limit.build(game), limit.build(f"{game}_tuned")
    workers = kernels.workers(game)
    for built in (program, tuned):
        if built is not None:
            same_games(game, built, workers, games)
    measured: dict[str, Callable[[], float]] = {
        name: lambda worker=worker: kernels.play(worker, games).seconds  # type: ignore[misc]
        for name, worker in workers.items()
    }
    measured |= {
        f"{name}, two threads": lambda worker=worker: kernels.play_two(worker, games) / 2  # type: ignore[misc]
        for name, worker in workers.items()
    }
    if program is not None and tuned is not None:
        measured["scalar C, tuned by hand"] = lambda: float(limit.play(tuned, games)["seconds"])
        measured["scalar C"] = lambda: float(limit.play(program, games)["seconds"])
        measured["scalar C, two processes"] = lambda: limit.play_two(program, games) / 2
    seconds: dict[str, list[float]] = {name: [] for name in measured}
    for _ in range(rounds):  # interleaved, so that all meet the same machine
        for name, once in measured.items():
            seconds[name].append(once())
    print(f"\n{game}: {games:,} games, {rounds} interleaved rounds, CPU time, medians (best)")
    print(f"{'':32}{'games/s per core':>24}{'to C':>8}")
    for name, times in seconds.items():
        against = "scalar C, two processes" if "two" in name else "scalar C"
        ratios = [c / own for c, own in zip(seconds.get(against, []), times, strict=False)]
        rate = games / statistics.median(times)
        ratio = f"{statistics.median(ratios):.2f}" if ratios else "-"
        print(f"{name:32}{rate:>12,.0f} ({games / min(times):,.0f}){ratio:>8}")
    return games / statistics.median(seconds["by address"])


def same_games(game: str, program: object, workers: dict[str, object], games: int) -> None:
    """Stop unless C and the kernels played the same games."""
    wanted = limit.play(program, games)  # type: ignore[arg-type]
    for name, worker in workers.items():
        totals = kernels.play(worker, games).totals  # type: ignore[arg-type]
        if any(wanted[key] != value for key, value in totals.items()):
            sys.exit(f"{game}: the kernel {name} and the C program play different games")


if __name__ == "__main__":
    main()
