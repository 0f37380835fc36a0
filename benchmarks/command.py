"""CPU time and memory of whole commands, each in a process of its own."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.kernels import LINE_UPS, spec_of

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


def run_words(game: str, games: int, *more: str) -> list[str]:
    """Return the words that play the benchmark's line-up."""
    line_up = LINE_UPS[game]
    words = ["run", game, "--players", str(len(line_up)), "--n", str(games), "--seats", "fixed"]
    for spec in line_up:
        words += ["-s", spec]
    return [*words, "--force", "--out", "run", *more]


def tables(game: str, rate: float) -> None:
    """Print whole commands of a game; `rate` is the kernel's games per CPU second in this run."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        measured(["warm", game], folder)
        start = [measured(run_words(game, 1), folder) for _ in range(3)]
        million = [measured(run_words(game, 1_000_000), folder) for _ in range(3)]
        ten, ten_memory = measured(run_words(game, 10_000_000), folder)
        cold, _ = measured(run_words(game, 1), folder, SIMLAB_CACHE=str(folder / "empty"))
        shown, _ = min(measured(["--help"], folder) for _ in range(3))
        started = min(cpu for cpu, _ in start)
        whole, memory = min(million)
        print(f"\n{game}: whole command, CPU seconds")
        print(f"  --help                                 {shown:8.2f}")
        print(f"  run --n 1, warm (start-up and table)   {started:8.2f}")
        print(f"  run --n 1, cold cache                  {cold:8.2f}")
        print(f"  run --n 1e6                            {whole:8.2f}")
        print(f"    start-up apart, to the kernel alone  {(whole - started) * rate / 1e6:8.2f}")
        print(f"  run --n 1e7                            {ten:8.2f}")
        print(f"  peak memory, 1e6 and 1e7 games, MB     {memory:8.0f} {ten_memory:8.0f}")
    print(f"  referee, games/s                       {referee(game):8.0f}")


def referee(game: str, seconds: float = 2.0) -> float:
    """Return how many games a second the slow referee of the tests plays, at random."""
    from simlab.core.table import Table
    from tests.harness import referee_for

    spec = spec_of(game)
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
