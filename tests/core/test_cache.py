"""The cache of machine code: never stale, never half written, never in the way."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import simlab
from simlab.core import cache

ROOT = Path(__file__).resolve().parent.parent.parent
RUN = [sys.executable, "-m", "simlab", "run", "diamant", "--players", "3"]
Run = Callable[..., dict[str, Any]]

HELPER = "STEP = 3\n\n\ndef bonus(x):\n    return deep(x) + STEP\n"
DEEP = "def deep(x):\n    return x * 1\n"
OWN = '''"""A strategy with helpers."""

from pathlib import Path

from helping import bonus

from simlab import strategy
from simlab.games.diamant import LEAVE, STAY

EXTRA = int((Path(__file__).parent / "extra.txt").read_text())


@strategy("diamant")
def helped(table, me, gems: int = 5):
    """Leave with enough, by two helpers and a number from a file."""
    return LEAVE if table.carried[me.explorer] + bonus(0) + EXTRA >= gems + 8 else STAY
'''


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that holds what an unedited simlab compiles."""
    folder = tmp_path_factory.mktemp("filled")
    for spec in ("threshold", "random", "myopic_ev"):
        subprocess.run(
            [*RUN, "-s", spec, "--n", "1", "--quiet"],
            cwd=folder, env=environment(ROOT, folder / "cache"), check=True, capture_output=True,
        )  # fmt: skip
    return folder / "cache"


def environment(tree: Path, folder: Path) -> dict[str, str]:
    own = {"PYTHONPATH": str(tree), "SIMLAB_CACHE": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    return {**os.environ, **own}


@pytest.fixture
def tree(tmp_path: Path, filled: Path) -> Path:
    """A copy of simlab and its strategies that a test can edit."""
    shutil.copytree(filled, tmp_path / "cache")
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "simlab", tmp_path / "simlab", ignore=ignore)
    shutil.copytree(ROOT / "strategies", tmp_path / "strategies", ignore=ignore)
    folder = tmp_path / "strategies" / "diamant"
    (folder / "helped.py").write_text(OWN)
    (folder / "extra.txt").write_text("0")
    (tmp_path / "helping.py").write_text("from deeper import deep\n\n" + HELPER)
    (tmp_path / "deeper.py").write_text(DEEP)
    return tmp_path


@pytest.fixture
def run(tree: Path) -> Run:
    def once(*more: str, spec: str = "helped(gems=3)") -> dict[str, Any]:
        words = [*RUN, "--n", "400", "-s", spec, "-s", "threshold(gems=9)", "-s", "random", *more]
        done = subprocess.run(
            [*words, "--json"],
            cwd=tree, env=environment(tree, tree / "cache"), capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return dict(json.loads(done.stdout))

    return once


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


RULES, VIEW = "simlab/games/diamant/rules.py", "simlab/games/diamant/view.py"
CARRIED = "return np.int64(table.carried[me.explorer])"
EDITS = {
    "rules": (RULES, "EARLY_PAY, LATE_PAY = 3, 5, 10", "EARLY_PAY, LATE_PAY = 3, 6, 11"),
    "view": (VIEW, CARRIED, f"{CARRIED} + 9"),
    "cards": ("simlab/games/diamant/cards.csv", "Treasure 17,17,1", "Treasure 17,27,1"),
    "strategy": ("strategies/diamant/helped.py", "gems + 8", "gems + 11"),
    "helper": ("helping.py", "STEP = 3", "STEP = 9"),
    "helper's helper": ("deeper.py", "x * 1", "x * 1 + 7"),
    "data read at import": ("strategies/diamant/extra.txt", "0", "5"),
}


DAILY = ("rules", "strategy", "helper", "cards")


@pytest.mark.parametrize(
    "what", [e if e in DAILY else pytest.param(e, marks=pytest.mark.validate) for e in EDITS]
)
def test_an_edit_changes_the_result_and_the_run_folder(tree: Path, run: Run, what: str) -> None:
    spec = "myopic_ev" if what == "view" else "helped(gems=3)"
    before = run(spec=spec)
    file, old, new = EDITS[what]
    edit(tree / file, old, new)
    after = run(spec=spec)
    assert after["results"] != before["results"]
    assert after["strategies"][0]["score_mean"] != before["strategies"][0]["score_mean"]
    edit(tree / file, new, old)
    back = run(spec=spec)
    assert back["results"] == before["results"]
    assert back["strategies"] == before["strategies"]


def test_a_run_has_the_same_name_wherever_simlab_lies(run: Run) -> None:
    line_up = ["myopic_ev", "threshold(gems=9)", "random"]
    here = simlab.plan("diamant", 3, 400, line_up)
    assert run(spec="myopic_ev")["results"] == here["results"]


def test_the_message_says_which_file_changed(tree: Path, run: Run) -> None:
    run()
    edit(tree / "helping.py", "STEP = 3", "STEP = 4")
    words = [*RUN, "--n", "400", "-s", "helped(gems=3)", "-s", "threshold(gems=9)", "-s", "random"]
    done = subprocess.run(
        words, cwd=tree, env=environment(tree, tree / "cache"), capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert "helping.py changed" in done.stderr
    assert "this is another run" in done.stderr


def test_a_damaged_entry_is_compiled_anew(tree: Path, run: Run) -> None:
    shutil.rmtree(tree / "cache")
    before = run()
    entries = sorted((tree / "cache").rglob("*.bin"))
    assert len(entries) >= 3
    for number, entry in enumerate(entries):
        data = entry.read_bytes()
        bad = [data[:100], b"", data[:-40] + bytes(40), data[:500] + b"xx" + data[502:]]
        entry.write_bytes(bad[number % len(bad)])
    assert run("--force")["strategies"] == before["strategies"]
    for entry in entries:
        assert cache.read_checked(entry) is not None


def test_processes_that_compile_at_once_do_no_harm(tree: Path) -> None:
    shutil.rmtree(tree / "cache")
    both = [
        subprocess.Popen(
            [*RUN, "--n", "300", "-s", "helped", "--json", "--out", f"run{i}"],
            cwd=tree, env=environment(tree, tree / "cache"), stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True,
        )
        for i in range(3)
    ]  # fmt: skip
    told = [process.communicate() for process in both]
    assert [process.returncode for process in both] == [0, 0, 0], told
    shares = [json.loads(out)["strategies"] for out, _ in told]
    assert shares[0] == shares[1] == shares[2]
    for entry in (tree / "cache").rglob("*.bin"):
        assert cache.read_checked(entry) is not None


def test_a_cache_that_cannot_be_written_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("SIMLAB_CACHE", str(tmp_path / "file"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    cache.home.cache_clear()
    try:
        assert cache.home().is_dir()
        assert tmp_path / "file" not in cache.home().parents
    finally:
        cache.home.cache_clear()


def test_the_key_holds_the_engine_and_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    before = cache.machine()
    cache.machine.cache_clear()
    monkeypatch.setattr("numba.__version__", "0.0.0")
    try:
        assert cache.machine() != before
    finally:
        cache.machine.cache_clear()


def test_entries_are_counted_and_cleaned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIMLAB_CACHE", str(tmp_path))
    cache.home.cache_clear()
    try:
        cache.write_checked(tmp_path / "a" / "x.bin", b"12345")
        assert cache.size() == (1, 5 + cache.CHECKSUM_BYTES)
        assert cache.read_checked(tmp_path / "a" / "x.bin") == b"12345"
        assert cache.clean(older_than_days=1) == 0
        assert cache.clean() == 1
    finally:
        cache.home.cache_clear()


SOLVES = '''"""Needs a library of linear algebra that numba loads on demand."""

import numpy as np

from simlab import strategy
from simlab.games.diamant import LEAVE, STAY


@strategy("diamant")
def solves(table):
    """Leave after the third card, by way of two equations."""
    found = np.linalg.solve(np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([table.depth, 2.0]))
    return LEAVE if np.dot(found, np.array([2.0, 1.0])) > 2.5 else STAY
'''


def test_code_from_disk_finds_what_numba_brings(tmp_path: Path, filled: Path) -> None:
    (tmp_path / "solves.py").write_text(SOLVES)
    shutil.copytree(filled, tmp_path / "cache")
    said, rows = [], []
    for out in ("first", "second"):
        words = ["--strategies", "solves.py", "-s", "solves", "--n", "50", "--out", out]
        done = subprocess.run(
            [*RUN, *words], cwd=tmp_path, env=environment(ROOT, tmp_path / "cache"),
            check=True, capture_output=True, text=True,
        )  # fmt: skip
        said.append("compiling" in done.stderr)
        rows.append((tmp_path / out / "games-00000.parquet").read_bytes())
    assert said == [True, False]
    assert rows[0] == rows[1]
