"""Every command and every piece of Python in the README runs, and its table is a real one."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def simlab(words: list[str], folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "simlab", *words],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_command_runs_in_an_empty_folder(tmp_path: Path) -> None:
    commands = [line[2:] for block in blocks("console") for line in block.splitlines()]
    assert len(commands) >= 9
    for command in commands:
        program, *words = shlex.split(command)
        assert program == "simlab"
        assert simlab(words, tmp_path)


@pytest.mark.parametrize("place", range(len(blocks("python"))))
def test_every_piece_of_python_runs(tmp_path: Path, place: int) -> None:
    (tmp_path / "piece.py").write_text(blocks("python")[place], encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "piece.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_table_is_what_demo_prints(tmp_path: Path) -> None:
    shown = next(block for block in blocks("") if block.startswith("diamant, 5 players"))
    command = "run diamant --players 5 --n 1e6"
    assert f"simlab {command}" in (ROOT / "Makefile").read_text(encoding="utf-8")
    assert simlab(command.split(), tmp_path).startswith(shown)


def test_every_make_target_that_is_named_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    texts = README + (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"(?:^    |`)make ([a-z]+)", texts, re.MULTILINE))
    assert {"demo", "test", "validate", "bench", "check"} <= named
    for target in named:
        assert re.search(rf"^{target}:.*## ", makefile, re.MULTILINE), target
    listed = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert all(f"make {target}" in listed for target in named)
