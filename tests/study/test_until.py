"""`run --until`: when it stops, that nothing but the rule decides where, and what is kept of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from simlab import api
from simlab.core.registry import find_game
from simlab.errors import UserError
from simlab.running import dataset, runner
from simlab.study.until import until
from tests.study.killing import failing

LOOK = 4096
CI = "ci=1.2%"
CLOSE = "risk_limit>risk_limit(risk=0.2)"
LINE_UP = ["risk_limit", "risk_limit(risk=0.2)", "threshold"]


def order(out: Path, rule: str | None = CI, batch: int | None = 2_000, **how: Any) -> runner.Order:
    given: dict[str, Any] = {"players": 3, "n": 200_000, "lineup": LINE_UP, "jobs": 1} | how
    asked = api.order("diamant", out=out, until=rule, **given)
    object.__setattr__(asked, "batch", batch)
    return asked


def play(out: Path, rule: str | None = CI, **how: Any) -> api.Run:
    return api.carry_out(order(out, rule, **how))


def files(folder: Path) -> dict[str, bytes]:
    found = {path.name: path.read_bytes() for path in folder.glob("*.parquet")}
    assert found
    return found


def said(folder: Path) -> dict[str, Any]:
    """Return what `run.json` says of the rule."""
    found = json.loads((folder / "run.json").read_text())["until"]
    assert isinstance(found, dict)
    return found


@pytest.fixture(scope="module", autouse=True)
def small_shards() -> Iterator[None]:
    """Let shards be small, so that a run has several, none of which ends where a look is."""
    game = find_game("diamant")
    usual = game.shard_games
    object.__setattr__(game, "shard_games", 10_000)
    yield
    object.__setattr__(game, "shard_games", usual)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("until") / "whole"
    play(folder, events=True)
    return folder


def only_rows(found: dict[str, bytes]) -> dict[str, bytes]:
    return {name: text for name, text in found.items() if name.startswith("games")}


# --- when it stops -------------------------------------------------------------------------------


def test_it_stops_at_the_first_look_at_which_every_win_share_is_known(whole: Path) -> None:
    rows = pl.read_parquet(whole / "games-*.parquet")
    games = rows["game"].n_unique()
    stop = until(order(whole).spec, CI, 0, 200_000)
    assert stop.take(rows) == games
    widths = [[(look.high - look.low) / 2 for look in looks] for looks in stop.looks]
    at_each = [max(column) for column in zip(*widths, strict=True)]
    assert (len(at_each) > 2, games) == (True, len(at_each) * LOOK)
    assert min(at_each[:-1]) > 0.012 >= at_each[-1]

    told = said(whole)
    assert (told["rule"], told["verdict"]) == (CI, "precise enough")
    assert (told["games"], told["deals"]) == (games, games)
    shares = dict(rows.group_by(pl.col("strategy").cast(str)).agg(pl.col("win").mean()).iter_rows())
    found = {one["name"]: one["estimate"] for one in told["comparisons"]}
    assert found == pytest.approx(shares, abs=1e-12)
    assert sum(found.values()) == pytest.approx(1)
    assert told["level"] == pytest.approx(1 - 0.05 / 3)  # all three together


def test_a_strategy_with_several_seats_counts_by_the_game(tmp_path: Path) -> None:
    done = play(tmp_path / "x", "ci=2%", lineup=["threshold*2", "risk_limit"])
    rows = done.scan().collect().with_columns(pl.col("strategy").cast(str))
    shares = dict(rows.group_by("strategy").agg(pl.col("win").mean()).iter_rows())
    found = {one["name"]: one["estimate"] for one in said(tmp_path / "x")["comparisons"]}
    assert found == pytest.approx(shares, abs=1e-12)


@pytest.mark.parametrize(
    "names", [("threshold", "risk_limit"), ("risk_limit", "threshold(gems=15)")]
)
def test_it_stops_once_one_is_ahead(tmp_path: Path, names: tuple[str, str]) -> None:
    done = play(tmp_path / "x", f"{names[0]} > {names[1]} @ 99%")
    (found,) = said(tmp_path / "x")["comparisons"]
    means = dict(done.scan().group_by("strategy").agg(pl.col("win").mean()).collect().iter_rows())
    first, second = (name.removesuffix("(gems=15)") for name in names)
    assert found["estimate"] == pytest.approx(means[first] - means[second], abs=1e-12)
    assert found["name"] == f"{first} - {second}"
    ahead = first == "risk_limit"
    assert said(tmp_path / "x")["verdict"] == ("A better" if ahead else "B better")
    assert (found["low"] > 0) == ahead != (found["high"] < 0)
    assert said(tmp_path / "x")["level"] == 0.99
    assert done.span.games == LOOK


def test_games_may_be_used_up(tmp_path: Path) -> None:
    alike = ["threshold", "threshold(gems=16)", "risk_limit"]
    done = play(tmp_path / "x", "threshold>threshold(gems=16)", n=300, lineup=alike)
    assert (done.span.games, said(tmp_path / "x")["verdict"]) == (300, "not settled at max")


# --- that nothing else decides where -------------------------------------------------------------


@pytest.mark.parametrize(
    "how",
    [
        {"jobs": 2, "batch": None},
        {"jobs": 2, "batch": 97},
    ],
    ids=str,
)
def test_workers_and_batches_do_not_show(whole: Path, tmp_path: Path, how: dict[str, Any]) -> None:
    play(tmp_path / "x", events=True, **how)
    assert files(tmp_path / "x") == files(whole)
    assert said(tmp_path / "x") == said(whole)


@pytest.mark.parametrize("events", [False, True])
def test_a_killed_run_goes_on_to_the_same_end(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, events: bool
) -> None:
    with monkeypatch.context() as killed:
        failing(killed, at=4)
        with pytest.raises(MemoryError):
            play(tmp_path / "x", events=events)
    run = dataset.read_run_file(tmp_path / "x")
    assert (run.until, [shard.number for shard in run.shards]) == (None, [0])
    play(tmp_path / "x", events=events)
    assert files(tmp_path / "x") == (files(whole) if events else only_rows(files(whole)))
    assert said(tmp_path / "x") == said(whole)


@pytest.mark.parametrize("events", [(False, False), (True, True), (False, True)])
def test_a_finer_rule_lengthens_a_run(
    whole: Path, tmp_path: Path, events: tuple[bool, bool]
) -> None:
    coarse = play(tmp_path / "x", "ci=1.8%", events=events[0])
    assert (
        coarse.span.games < pl.scan_parquet(whole / "games-*.parquet").collect()["game"].n_unique()
    )
    play(tmp_path / "x", events=events[1])
    assert files(tmp_path / "x") == (files(whole) if events[1] else only_rows(files(whole)))
    assert said(tmp_path / "x") == said(whole)


def test_events_are_added_to_a_run_that_stopped_without(whole: Path, tmp_path: Path) -> None:
    play(tmp_path / "x")
    assert files(tmp_path / "x") == only_rows(files(whole))
    play(tmp_path / "x", events=True)
    assert files(tmp_path / "x") == files(whole)
    assert said(tmp_path / "x") == said(whole)
    assert "Event" in (tmp_path / "x" / "columns.md").read_text()


def test_events_end_where_the_games_do(whole: Path) -> None:
    events = pl.read_parquet(whole / "events-*.parquet")
    assert events["game"].max() == said(whole)["games"] - 1
    assert events["game"].is_sorted()


# --- what is kept of it --------------------------------------------------------------------------


def test_the_table_says_what_stopped_it_as_long_as_that_is_true(tmp_path: Path) -> None:
    done = play(tmp_path / "x", "ci=2%")
    line = f"--until ci=2%: precise enough, after {done.span.games:,} games. Valid at any stop"
    assert line in str(done.table())
    assert line in str(api.load(tmp_path / "x").table())

    summary = done.summary()
    longer = play(tmp_path / "x", None, n=done.span.games + 100)
    assert longer.file.until is None
    assert "--until" not in str(longer.table())
    again = play(tmp_path / "x", "ci=2%")
    assert (again.span.games, again.played) == (done.span.games, 0)
    assert line in str(again.table())
    assert again.summary().equals(summary)
    assert "--until" not in str(api.load(tmp_path / "x").table())  # of all games there


def test_any_first_game_will_do_but_not_one_before_those_that_are_there(tmp_path: Path) -> None:
    done = play(tmp_path / "x", "ci=3%", first_game=7)
    rows = done.scan().collect()
    assert (rows["game"].min(), said(tmp_path / "x")["games"]) == (7, done.span.games)
    assert done.span.games % LOOK == 0
    with pytest.raises(UserError, match=r"begins with game 7; choose .* or --first-game 7"):
        play(tmp_path / "x", "ci=3%", first_game=0)
    later = play(tmp_path / "x", "ci=3%", first_game=1_000)
    assert later.scan().collect()["game"].min() == 1_000


def test_the_command_and_the_experiment_file_have_the_rule(tmp_path: Path) -> None:
    asked = order(tmp_path / "x", CLOSE + "@90%", question="Which risk?")
    assert "--until 'risk_limit>risk_limit(risk=0.2)@90%'" in asked.command
    (tmp_path / "a.toml").write_text(api.as_toml(asked))
    again, _ = api.order_of_file(tmp_path / "a.toml")
    assert again.until is not None
    assert (again.until.rule, again.hash, again.span) == (CLOSE + "@90%", asked.hash, asked.span)


# --- wrong input ---------------------------------------------------------------------------------

SLIPS = {
    "": "--until '' cannot be read; write --until",
    "soon": "--until 'soon' cannot be read; write --until \"ci=0.2%\"",
    "ci=": "--until 'ci=' cannot be read",
    "ci=0": "--until ci=0: half the width of an interval lies between 0 and 50 %",
    "ci=-1%": "--until ci=-1%: half the width",
    "ci=60%": "--until ci=60%: half the width",
    "ci=few": "--until ci=few: half the width",
    "ci=1%@5%": "--until ...@5%: the level lies between 50 and 100 %, such as @95%",
    "ci=1%@often": "--until ...@often: the level lies",
    "risk_limit>threshold@100%": "--until ...@100%: the level lies",
    "risk_limit>treshold": "no strategy 'treshold' in the line-up (--until); did you mean thresh",
    "random>threshold": "no strategy 'random' in the line-up (--until)",
    "risk_limit>": "--until 'risk_limit>' cannot be read",
    "threshold>threshold(gems=15)": "--until compares two strategies; both are threshold",
}


@pytest.mark.parametrize("rule", SLIPS)
def test_a_slip_is_told_in_one_sentence(tmp_path: Path, rule: str) -> None:
    with pytest.raises(UserError, match=re.escape(SLIPS[rule])) as caught:
        order(tmp_path / "x", rule)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "x").exists()


def test_a_rule_is_a_text() -> None:
    with pytest.raises(UserError, match=r"--until is 0\.5; write --until"):
        api.order("diamant", until=0.5)  # type: ignore[arg-type]
