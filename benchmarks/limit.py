"""The practical limit: the same games in scalar C, built with the machine's own compiler."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.games import Case

HERE = Path(__file__).parent / "limit"
FLAGS = ["-O3", "-march=native", "-std=c11", "-Wall", "-Wextra"]
MEASURED = ("games", "seconds", "games_per_second")  # what a program prints beside totals


def compiler() -> str | None:
    """Return the path of the machine's C compiler, or None."""
    return shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


@dataclass(frozen=True)
class Program:
    """A C program that was built, and what it takes after N FIRST SEED."""

    path: Path
    words: tuple[str, ...] = ()

    def command(self, games: int, first: int, seed: int = 1) -> list[str]:
        """Return the command that plays games."""
        return [str(self.path), str(games), str(first), str(seed), *self.words]

    def play(self, games: int, first: int = 0, seed: int = 1) -> dict[str, Any]:
        """Play games and return what the program prints: CPU seconds and totals."""
        done = subprocess.run(self.command(games, first, seed), check=True, capture_output=True)
        return dict(json.loads(done.stdout))

    def seconds(self, games: int) -> float:
        """Play games and return the CPU seconds."""
        return float(self.play(games)["seconds"])

    def play_two(self, games: int) -> float:
        """Play games in each of two processes at once; return the CPU seconds of both."""
        commands = [self.command(games, i * games) for i in range(2)]
        running = [subprocess.Popen(c, stdout=subprocess.PIPE, text=True) for c in commands]
        return sum(float(json.loads(p.communicate()[0])["seconds"]) for p in running)

    def differences(self, totals: dict[str, Any], games: int) -> list[str]:
        """Return the totals that the program counts and that another one has otherwise."""
        printed = self.play(games)
        own = {name: total for name, total in printed.items() if name not in MEASURED}
        return [name for name, total in own.items() if totals.get(name) != total]


def build(case: Case, folder: Path = HERE / "build") -> dict[str, Program]:
    """Compile the C programs of a case, by row; none where the machine has no C compiler."""
    made: dict[str, Program] = {}
    found = compiler()
    if found is None:
        return made
    folder.mkdir(exist_ok=True)
    for row, name in case.programs.items():
        subprocess.run([found, *FLAGS, "-o", folder / name, HERE / f"{name}.c"], check=True)
        made[row] = Program(folder / name, case.words)
    return made
