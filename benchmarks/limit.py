"""The practical limit: the same games in scalar C, built with the machine's own compiler."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent / "limit"
FLAGS = ["-O3", "-march=native", "-std=c11", "-Wall", "-Wextra"]


def build(game: str) -> Path | None:
    """Compile the C program of a game; None where the machine has no C compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None or not (HERE / f"{game}.c").exists():
        return None
    program = HERE / "build" / game
    program.parent.mkdir(exist_ok=True)
    subprocess.run([compiler, *FLAGS, "-o", program, HERE / f"{game}.c"], check=True)
    return program


def play(program: Path, games: int, first: int = 0, seed: int = 1) -> dict[str, Any]:
    """Play games and return what the program prints: CPU seconds and totals."""
    words = [str(program), str(games), str(first), str(seed)]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    return dict(json.loads(done.stdout))


def play_two(program: Path, games: int) -> float:
    """Play games in each of two processes at once; return the CPU seconds of both."""
    words = [[str(program), str(games), str(i * games), "1"] for i in range(2)]
    running = [subprocess.Popen(w, stdout=subprocess.PIPE, text=True) for w in words]
    return sum(float(json.loads(p.communicate()[0])["seconds"]) for p in running)
