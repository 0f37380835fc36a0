"""A strategy that never answers is noticed, named and located, and finished shards are kept."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

import simlab
from simlab import below, strategy
from simlab.core.patience import Endless, Patience, seconds_allowed
from simlab.errors import StrategyError, UserError
from simlab.games.diamant import LEAVE, STAY
from simlab.running import dataset

LOOPS = """
import time
from simlab import batch_strategy, below, strategy
from simlab.games.diamant import LEAVE, STAY


@strategy("diamant")
def early(table):
    \"\"\"Loops in the first game.\"\"\"
    n = 0
    while table.depth > 3:
        n += 1
    return STAY


@strategy("diamant")
def rare(table, rng):
    \"\"\"Loops now and then.\"\"\"
    n = 0
    if below(rng, 4_000_000) == 0:
        while table.depth > 0:
            n += 1
    return LEAVE if n == 0 else STAY


@strategy("diamant", compiled=False)
def plain(rng):
    \"\"\"Loops now and then.\"\"\"
    while below(rng, 1000) == 0:
        while True:
            pass
    return LEAVE


@strategy("diamant", compiled=False)
def stubborn(rng):
    \"\"\"Catches whatever it can.\"\"\"
    while below(rng, 1000) == 0:
        while True:
            try:
                time.sleep(0.01)
            except Exception:
                pass
    return LEAVE


@batch_strategy("diamant")
def batch(rng):
    \"\"\"Loops now and then.\"\"\"
    while (below(rng, 1000) == 0).any():
        while True:
            pass
    return LEAVE


@strategy("diamant", compiled=False)
def sleeping(rng):
    \"\"\"Waits inside a call that cannot be interrupted, now and then.\"\"\"
    if below(rng, 1000) == 0:
        time.sleep(1000)
    return LEAVE


@strategy("diamant", compiled=False)
def dozing(rng):
    \"\"\"Waits inside a call that cannot be interrupted, at once.\"\"\"
    time.sleep(1000)
    return LEAVE
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "loops.py").write_text(LOOPS, encoding="utf-8")
    return tmp_path


def lines(name: str) -> range:
    """Return the lines of the file on which a strategy may stand."""
    text = LOOPS.splitlines()
    first = next(i for i, line in enumerate(text, start=1) if line.startswith(f"def {name}("))
    return range(first, first + 12)


def play(folder: Path, name: str, n: str, *more: str) -> tuple[int, str, float]:
    words = ["run", "diamant", "--players", "3", "--n", n, "-s", name, "-s", "random", "-s",
             "random", "--strategies", "loops.py", "--out", "run", "--quiet", *more]  # fmt: skip
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "simlab", *words], cwd=folder, capture_output=True, text=True,
        env=os.environ | {"SIMLAB_PATIENCE": "0.6"}, timeout=60, check=False,
    )  # fmt: skip
    return done.returncode, done.stderr, time.monotonic() - start


@pytest.mark.parametrize("name", ["early", "plain", "stubborn", "batch", "sleeping"])
def test_an_endless_loop_is_named_with_game_seat_and_line(folder: Path, name: str) -> None:
    code, told, _ = play(folder, name, "20000")
    assert code == 2, told
    found = re.search(
        rf"simlab: {name} has not answered within 0.6 s in game (\d+), seat \d, decision \d+: an "
        r"endless loop at \S*loops\.py:(\d+)\? Fix it",
        told,
    )
    assert found, told
    assert int(found.group(2)) in lines(name)
    replay = f"Replay: simlab replay diamant --players 3 --seed 1 --game {found.group(1)}"
    assert f"{replay} -s {name} -s random -s random --strategies loops.py" in told
    assert "Traceback" not in told


def test_finished_shards_are_kept_where_machine_code_loops(folder: Path) -> None:
    code, told, _ = play(folder, "rare", "3e6")
    assert code == 2, told
    assert re.search(r"rare has not answered .* an endless loop at \S*loops\.py:", told), told
    game = int(re.search(r"in game (\d+)", told).group(1))  # type: ignore[union-attr]
    run = dataset.read_run_file(folder / "run")
    dataset.verify(folder / "run", run.shards)
    assert [s.number for s in run.shards] == list(range(len(run.shards)))
    assert game // run.shard_games >= len(run.shards) > 0


@pytest.mark.parametrize("name", ["batch", "sleeping"])
def test_worker_processes_are_watched_too(folder: Path, name: str) -> None:
    code, told, _ = play(folder, name, "20000", "--backend", "processes")
    assert code == 2, told
    assert re.search(rf"{name} has not answered .* loop at \S*loops\.py:\d+\?", told), told


def test_what_cannot_be_interrupted_ends_the_command_all_the_same(folder: Path) -> None:
    code, told, seconds = play(folder, "dozing", "200")
    assert code == 2, told
    assert "dozing (game 0, seat 0) has not answered within 0.6 s" in told
    assert seconds < 20


def test_python_gets_an_error_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIMLAB_PATIENCE", "0.5")

    @strategy("diamant", compiled=False)
    def looping(rng):
        """Loops now and then."""
        while below(rng, 300) == 0:
            while True:
                pass
        return LEAVE

    for _ in range(2):
        with pytest.raises(StrategyError, match=r"looping has not answered .*test_watch.py:"):
            simlab.run("diamant", 3, 2000, [looping, "random", "random"], out=tmp_path / "run")


def test_a_slow_strategy_is_not_a_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIMLAB_PATIENCE", "0.5")

    @strategy("diamant", compiled=False)
    def slow(table):
        """Thinks a little."""
        time.sleep(0.02)
        return LEAVE if table.depth > 1 else STAY

    run = simlab.run("diamant", 3, 3, [slow], out=tmp_path / "run", jobs=1)
    assert run.span.games == 3


def test_patience_interrupts_python_where_it_stands() -> None:
    def patiently() -> None:
        with Patience(0.2) as limit:
            for _ in range(3):
                limit.tick("it")
                time.sleep(0.1)
            while True:
                pass

    with pytest.raises(Endless):
        patiently()


@pytest.mark.parametrize(("wish", "seconds"), [("3", 3), ("0.5", 0.5), ("", 20)])
def test_patience_is_as_wished(monkeypatch: pytest.MonkeyPatch, wish: str, seconds: float) -> None:
    monkeypatch.setenv("SIMLAB_PATIENCE", wish)
    assert seconds_allowed() == seconds


@pytest.mark.parametrize("wish", ["soon", "0", "-3"])
def test_a_wish_that_is_no_time_is_said(monkeypatch: pytest.MonkeyPatch, wish: str) -> None:
    monkeypatch.setenv("SIMLAB_PATIENCE", wish)
    with pytest.raises(UserError, match="it takes the number of seconds"):
        seconds_allowed()
