"""CPU time and memory of whole commands, each in a process of its own."""

from __future__ import annotations

import importlib.util
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.games import Benchmark, Case

ROOT = Path(__file__).resolve().parent.parent


def measured(words: list[str], folder: Path, **environment: str) -> tuple[float, float]:
    """Run a command; return its CPU seconds (children included) and peak memory in MB."""
    command = [sys.executable, "-m", "simlab", *words]
    with subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def run_words(benchmark: Benchmark, games: int, players: int | None = None) -> list[str]:
    """Return the words that play games: the first case's, or the usual line-up of `players`."""
    case = benchmark.cases[0]
    seats = len(case.line_up) if players is None else players
    words = ["run", benchmark.game, "--players", str(seats), "--n", str(games), "--seats", "fixed"]
    for spec in case.line_up if players is None else ():
        words += ["-s", spec]
    return [*words, "--force", "--out", "run"]


def tables(benchmark: Benchmark, rate: float) -> None:
    """Print whole commands of a game; `rate` is the kernel's games per CPU second in this run."""
    print(f"\n{benchmark.game}: whole command, CPU seconds")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        measured(["warm", benchmark.game], folder)
        show("--help", min(measured(["--help"], folder)[0] for _ in range(3)))
        starts(benchmark, folder)
        sizes(benchmark, folder, rate)
    if importlib.util.find_spec(f"tests.reference.{benchmark.game}") is not None:
        show("referee, games/s", referee(benchmark.cases[0]), digits=0)


def show(what: str, number: float, asked: float | None = None, digits: int = 2) -> None:
    """Print a row, and whether it is as fast as asked (in seconds)."""
    said = "" if asked is None else f"  {asked} asked: {'met' if number <= asked else 'MISSED'}"
    print(f"  {what:40}{number:8.{digits}f}{said}")


def starts(benchmark: Benchmark, folder: Path) -> None:
    """Print the start of a run with machine code on disk, and with none."""
    players: tuple[int | None, ...] = benchmark.starts or (None,)
    for number in players:
        words = run_words(benchmark, 1, number)
        warm = min(measured(words, folder)[0] for _ in range(3))
        show(f"run --n 1, warm{usual(number)}", warm, benchmark.asked_start)
    cold, _ = measured(
        run_words(benchmark, 1, players[-1]), folder, SIMLAB_CACHE=str(folder / "empty")
    )
    show(f"run --n 1, cold cache{usual(players[-1])}", cold, benchmark.asked_cold)


def usual(players: int | None) -> str:
    """Return how a row names a usual line-up."""
    return "" if players is None else f", usual {players} players"


def sizes(benchmark: Benchmark, folder: Path, rate: float) -> None:
    """Print runs of the first case: all CPU time and, start-up apart, that to the kernel alone."""
    small, large = benchmark.sizes
    started = min(measured(run_words(benchmark, 1), folder)[0] for _ in range(3))
    whole, memory = min(measured(run_words(benchmark, small), folder) for _ in range(3))
    longer, longer_memory = measured(run_words(benchmark, large), folder)
    show(f"run --n {small:,}", whole)
    show("  start-up apart, to the kernel alone", (whole - started) * rate / small)
    show(f"run --n {large:,}", longer)
    show(f"peak memory in MB, {small:,} games", memory, digits=0)
    show(f"peak memory in MB, {large:,} games", longer_memory, digits=0)


def referee(case: Case, seconds: float = 2.0) -> float:
    """Return how many games a second the slow referee of the tests plays, at random."""
    from simlab.core.table import Table
    from tests.harness import referee_for

    spec = case.spec()
    choose = random.Random(1)
    recorded = []
    for deal in range(50):
        table = Table(spec.game, spec.players, deal=deal, book=spec.book)
        while not table.finished:
            table.play(choose.choice(table.legal()).word)
        recorded.append((table.log.words, table.log.decks))
    start, played = time.process_time(), 0
    while time.process_time() - start < seconds:
        words, decks = recorded[played % len(recorded)]
        judge = referee_for(spec.game, spec.book, spec.players, decks)
        for word in words:
            judge.play(word)
        played += 1
    return played / (time.process_time() - start)
