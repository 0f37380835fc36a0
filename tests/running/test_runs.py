"""The same rows, byte for byte, however a run is cut, hurried, stopped or resumed."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
import pytest

import simlab
from simlab import api
from simlab.core.registry import find_game
from simlab.errors import DamagedRun, UserError
from simlab.running import dataset, runner

SHARD = 2**11
GAMES = 5_000


@pytest.fixture
def small_shards() -> Iterator[None]:
    """Let a shard be small, so that a short run has several."""
    game = find_game("diamant")
    usual = game.shard_games
    object.__setattr__(game, "shard_games", SHARD)
    yield
    object.__setattr__(game, "shard_games", usual)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.parquet"))}


Play = Callable[..., dict[str, bytes]]


@pytest.fixture
def play(tmp_path: Path, small_shards: None) -> Play:
    def played(name: str, n: int = GAMES, **how: object) -> dict[str, bytes]:
        batch = how.pop("batch", None)
        asked = api.order("diamant", 4, n, out=tmp_path / name, **how)  # type: ignore[arg-type]
        if batch is not None:
            object.__setattr__(asked, "batch", batch)
        runner.play(asked)
        return contents(tmp_path / name)

    return played


@pytest.fixture
def whole(play: Play) -> dict[str, bytes]:
    files = play("whole", jobs=1, events=True)
    assert len([name for name in files if name.startswith("games")]) == 3
    return files


@pytest.mark.parametrize(
    "how",
    [
        {"jobs": 2},
        {"jobs": 2, "backend": "processes"},
        {"jobs": 1, "batch": 1},
        {"jobs": 2, "batch": 7},
        {"jobs": 1, "batch": 10_000},
    ],
    ids=str,
)
def test_workers_and_batches_do_not_show(
    play: Play, whole: dict[str, bytes], how: dict[str, object]
) -> None:
    assert play("other", events=True, **how) == whole


def test_plain_python_plays_the_same_rows(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    fast = play("fast", 60, events=True)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert play("slow", 60, events=True) == fast


def test_a_run_in_three_steps_is_the_run_at_once(play: Play, whole: dict[str, bytes]) -> None:
    for n in (700, SHARD + 1, GAMES):
        files = play("steps", n, events=True)
    assert files == whole


def test_a_run_can_grow_downwards_too(play: Play, whole: dict[str, bytes]) -> None:
    play("down", 1_000, first_game=3_000, events=True)
    play("down", 2_000, first_game=1_000, events=True)
    play("down", GAMES - 4_000, first_game=4_000, events=True)
    assert play("down", 1_000, first_game=0, events=True) == whole


def test_a_gap_is_refused(play: Play) -> None:
    play("gap", 100)
    with pytest.raises(UserError, match="would leave a gap"):
        play("gap", 100, first_game=200)


def test_a_finished_run_is_not_played_again(tmp_path: Path, small_shards: None) -> None:
    first = simlab.run("diamant", 4, GAMES, out=tmp_path / "run")
    before = {p.name: p.stat().st_mtime_ns for p in (tmp_path / "run").glob("*.parquet")}
    again = simlab.run("diamant", 4, GAMES, out=tmp_path / "run")
    fewer = simlab.run("diamant", 4, 1_000, out=tmp_path / "run")
    assert (first.played, again.played, fewer.played) == (GAMES, 0, 0)
    assert before == {p.name: p.stat().st_mtime_ns for p in (tmp_path / "run").glob("*.parquet")}
    assert fewer.scan().select(pl.col("game").max()).collect().item() == 999
    assert fewer.summary()["games"].to_list() == [1_000] * 4
    assert simlab.load(tmp_path / "run").span.games == GAMES


def test_events_added_later_leave_the_rows_alone(play: Play, whole: dict[str, bytes]) -> None:
    rows = play("late")
    assert all(name.startswith("games") for name in rows)
    assert play("late", events=True) == whole


def test_events_are_one_per_seat_and_expedition(tmp_path: Path, small_shards: None) -> None:
    run = simlab.run("diamant", 4, 500, out=tmp_path / "run", events=True)
    events = run.events().collect()
    keys = events.select("game", "seat", "expedition")
    assert events.height == keys.n_unique() == 500 * 4 * 5
    per_seat = events.group_by("game", "seat").agg(
        pl.col("gems", "leftovers", "relics", "alone").sum(),
        (pl.col("event") == "accident").sum().alias("accidents"),
        (pl.col("cards") - (pl.col("event") == "accident").cast(pl.Int32)).sum().alias("cards"),
    )
    both = run.scan().collect().join(per_seat, on=["game", "seat"], suffix="_events")
    for name, events_name in [
        ("shares", "gems"),
        ("leftovers", "leftovers_events"),
        ("relics", "relics_events"),
        ("accidents", "accidents_events"),
        ("cards", "cards_events"),
        ("alone", "alone_events"),
    ]:
        assert (both[name].cast(pl.Int64) == both[events_name].cast(pl.Int64)).all(), name
    with pytest.raises(UserError, match="holds no events"):
        simlab.run("diamant", 4, 10, out=tmp_path / "without").events()


def test_rows_are_as_documented(tmp_path: Path, small_shards: None) -> None:
    run = simlab.run("diamant", 4, 3_000, out=tmp_path / "run")
    rows = run.scan().collect()
    assert rows.height == 12_000
    assert rows["game"].to_list() == [g for g in range(3_000) for _ in range(4)]
    assert (rows["score"] == rows["shares"] + rows["leftovers"] + rows["relic_gems"]).all()
    assert (
        rows.group_by("game")
        .agg(pl.col("win").sum())
        .select((pl.col("win") - 1).abs().max() < 1e-12)
        .item()
    )
    text = (tmp_path / "run" / "columns.md").read_text()
    assert all(f"| {name} |" in text for name in rows.columns)
    seats = rows.filter(pl.col("strategy") == "threshold(gems=10)")
    assert (seats["seat"].cast(pl.Int64) == seats["game"].cast(pl.Int64) % 4).all()
    fixed = simlab.run("diamant", 4, 100, out=tmp_path / "fixed", seats="fixed").scan().collect()
    assert (fixed.filter(pl.col("strategy") == "risk_limit")["seat"] == 2).all()
    pandas = run.to_pandas()
    assert list(pandas.columns) == rows.columns
    assert pandas["strategy"].tolist() == rows["strategy"].to_list()


def test_a_run_shows_its_table_in_a_notebook_and_at_the_prompt(tmp_path: Path) -> None:
    run = simlab.run("diamant", 3, 300, out=tmp_path / "run")
    page = run._repr_html_()
    for text in ("<table>", "threshold(gems=10)", "Caution: trap_removal", "300 games"):
        assert text in page
    assert str(run.table()) in repr(run)
    assert simlab.plan("diamant", 3, 300, out=tmp_path / "run")["to_play"] == 0
    assert simlab.plan("diamant", 3, 400, out=tmp_path / "run")["to_play"] == 100
    assert run.summary("seat")["seat"].to_list() == [0, 1, 2]
    assert run.summary("strategy", ties="share").columns == run.summary().columns


def test_another_run_in_the_folder_is_told_and_kept(tmp_path: Path) -> None:
    simlab.run("diamant", 4, 100, out=tmp_path / "run")
    before = contents(tmp_path / "run")
    with pytest.raises(UserError, match=r"holds another run .*seed 1 became 2"):
        simlab.run("diamant", 4, 100, seed=2, out=tmp_path / "run")
    assert contents(tmp_path / "run") == before
    simlab.run("diamant", 4, 100, seed=2, out=tmp_path / "run", force=True)
    assert contents(tmp_path / "run") != before


@pytest.mark.parametrize("damage", ["run.json", "flip", "cut", "gone"])
def test_damage_is_named_and_can_be_played_over(tmp_path: Path, damage: str) -> None:
    folder = tmp_path / "run"
    simlab.run("diamant", 4, 100, out=folder)
    good = contents(folder)
    path = folder / ("run.json" if damage == "run.json" else "games-00000.parquet")
    data = path.read_bytes()
    if damage == "gone":
        path.unlink()
    elif damage == "flip":
        path.write_bytes(data[:2000] + bytes([data[2000] ^ 1]) + data[2001:])
    else:
        path.write_bytes(data[: len(data) // 2])
    for ask in (
        lambda: simlab.run("diamant", 4, 100, out=folder),
        lambda: simlab.load(folder),
    ):
        with pytest.raises(DamagedRun, match=path.name) as caught:
            ask()
        assert "--force" in str(caught.value)
    simlab.run("diamant", 4, 100, out=folder, force=True)
    assert contents(folder) == good


def test_a_killed_run_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "simlab", "run", "diamant", "--players", "3", "--quiet"]
    words += ["--n", "800000", "-s", "random", "--out"]
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    subprocess.run([*words, str(whole)], check=True, stdout=subprocess.DEVNULL)
    process = subprocess.Popen([*words, str(killed)], stdout=subprocess.DEVNULL)
    wait_for_shards(killed, 1)
    process.send_signal(signal.SIGKILL)
    process.wait()
    held = json.loads((killed / "run.json").read_text())["shards"]
    assert 1 <= len(held) < 4
    subprocess.run([*words, str(killed)], check=True, stdout=subprocess.DEVNULL)
    assert contents(killed) == contents(whole)
    assert not list(killed.glob(".new-*"))


@pytest.mark.parametrize("events", [False, True])
@pytest.mark.parametrize("stop", ["events", "games", "run.json"])
def test_a_run_killed_while_a_shard_is_replaced_goes_on(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: str, events: bool
) -> None:
    play("killed", 900, events=events)
    usual = os.replace

    def killed(source: Path, target: Path) -> None:
        usual(source, target)
        if Path(target).name.startswith(stop) and armed.pop(stop, 0):
            raise KeyboardInterrupt

    armed = {"run.json": 1} if stop == "run.json" else {stop: 1}
    monkeypatch.setattr("simlab.running.dataset.os.replace", killed)
    with contextlib.suppress(KeyboardInterrupt):
        play("killed", GAMES, events=events)
    monkeypatch.setattr("simlab.running.dataset.os.replace", usual)
    simlab.load(tmp_path / "killed").table()
    assert play("killed", GAMES, events=events) == play("whole", GAMES, events=events)


def test_a_killed_extension_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "simlab", "run", "diamant", "--players", "3", "--quiet"]
    words += ["-s", "random", "--out"]
    whole, killed = str(tmp_path / "whole"), tmp_path / "killed"
    subprocess.run([*words, whole, "--n", "4000"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([*words, str(killed), "--n", "2000"], check=True, stdout=subprocess.DEVNULL)
    before = (killed / "games-00000.parquet").stat().st_ino
    process = subprocess.Popen([*words, str(killed), "--n", "4000"], stdout=subprocess.DEVNULL)
    while process.poll() is None and (killed / "games-00000.parquet").stat().st_ino == before:
        pass
    process.kill()
    process.wait()
    subprocess.run([*words, str(killed), "--n", "4000"], check=True, stdout=subprocess.DEVNULL)
    assert contents(killed) == contents(tmp_path / "whole")


def test_events_go_on_once_a_run_has_them(play: Play, whole: dict[str, bytes]) -> None:
    play("sticky", 1_500, events=True)
    assert play("sticky", GAMES) == whole


def test_force_waits_for_nobody_and_removes_nothing_of_others(tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    for name in ("games-00000.parquet", "columns.md", "notes.txt"):
        (folder / name).write_text("mine")
        with pytest.raises(UserError, match="holds other files, but no run"):
            simlab.run("diamant", 3, 10, out=folder, force=True)
        with pytest.raises(UserError, match="holds other files, but no run"):
            simlab.run("diamant", 3, 10, out=folder)
        assert (folder / name).read_text() == "mine"
        (folder / name).unlink()
    run = simlab.run("diamant", 3, 10, out=folder)
    with dataset.locked(folder):
        with pytest.raises(UserError, match="another process is playing"):
            simlab.run("diamant", 3, 10, seed=2, out=folder, force=True)
        with pytest.raises(UserError, match="another process is playing"):
            simlab.runs("remove", folder)
    assert simlab.load(folder).summary().equals(run.summary())


def test_a_card_file_travels_with_the_run(tmp_path: Path) -> None:
    cards = tmp_path / "mine.csv"
    text = (find_game("diamant").folder / "cards.csv").read_text()
    cards.write_text(text.replace("Treasure 17,17,1", "Treasure 17,27,1"))
    simlab.run("diamant", 3, 50, set={"cards": cards}, out=tmp_path / "run")
    told = simlab.replay(tmp_path / "run", 7).text
    cards.unlink()
    assert simlab.replay(tmp_path / "run", 7).text == told


def test_huge_numbers_of_games_are_planned_at_once() -> None:
    assert simlab.plan("diamant", 3, 1e15)["shards"] == -(-(10**15) // 2**18)


def wait_for_shards(folder: Path, count: int) -> None:
    for _ in range(1_000):
        try:
            if len(json.loads((folder / "run.json").read_text())["shards"]) >= count:
                return
        except (OSError, ValueError):
            pass
        time.sleep(0.02)
    raise AssertionError("no shard was written in 20 seconds")


def test_two_processes_do_not_play_into_one_folder(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "simlab", "run", "diamant", "--players", "3", "--quiet"]
    words += ["--n", "3000000", "-s", "random", "--out", str(tmp_path / "run")]
    first = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    wait_for_shards(tmp_path / "run", 1)
    second = subprocess.run(words, check=False, capture_output=True, text=True)
    first.kill()
    first.wait()
    assert second.returncode == 2
    assert "another process is playing into" in second.stderr


def test_ctrl_c_stops_at_once_and_says_how_to_go_on(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "simlab", "run", "diamant", "--players", "3"]
    words += ["--n", "20000000", "-s", "random", "--out", str(tmp_path / "run")]
    process = subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    wait_for_shards(tmp_path / "run", 1)
    start = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=20)
    assert time.monotonic() - start < 3  # one second on a quiet machine
    assert process.returncode == 130
    again = "simlab run diamant --players 3 --n 20000000 -s random -s random -s random --out "
    assert again + str(tmp_path / "run") in told
    assert "Traceback" not in told


@pytest.mark.parametrize("wait", [0.3, 1.0, 2.5])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_even_a_compilation_at_once(
    tmp_path: Path, wait: float, number: signal.Signals
) -> None:
    words = [sys.executable, "-m", "simlab", "run", "diamant", "--n", "2e7", "--out", "run"]
    process = subprocess.Popen(
        words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "SIMLAB_CACHE": str(tmp_path / "cache")},
    )  # fmt: skip
    time.sleep(wait)
    start = time.monotonic()
    process.send_signal(number)
    _, told = process.communicate(timeout=20)
    assert time.monotonic() - start < 3
    if wait > 0.5:
        assert process.returncode == 128 + number
        assert "Stopped" in told
    assert "Traceback" not in told


def test_a_full_disk_keeps_what_is_finished(
    tmp_path: Path, small_shards: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = pl.DataFrame.write_parquet

    def full(frame: pl.DataFrame, path: Path, **how: object) -> None:
        if "games-00001" in path.name:
            path.write_bytes(b"half")
            raise pl.exceptions.ComputeError("No space left on device (os error 28)")
        usual(frame, path, **how)  # type: ignore[call-overload]

    monkeypatch.setattr(pl.DataFrame, "write_parquet", full)
    with pytest.raises(UserError, match=r"the disk is full at .*the same command continues"):
        simlab.run("diamant", 4, GAMES, out=tmp_path / "run")
    assert [s.number for s in simlab.load(tmp_path / "run").file.shards] == [0]
    monkeypatch.setattr(pl.DataFrame, "write_parquet", usual)
    assert not list((tmp_path / "run").glob(".new-*"))
    assert simlab.run("diamant", 4, GAMES, out=tmp_path / "run").played == GAMES - SHARD
    simlab.run("diamant", 4, GAMES, out=tmp_path / "other")
    assert contents(tmp_path / "run") == contents(tmp_path / "other")
