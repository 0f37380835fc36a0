"""Duels: whose games they are, what is said of them by a slow second route, and where they stop."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from math import fsum
from pathlib import Path
from statistics import fmean
from typing import Any

import polars as pl
import pytest
from scipy.stats import ttest_1samp

from simlab.analysis.sequence import ConfidenceSequence, best_variance, tuned_rho
from simlab.core.registry import find_game
from simlab.errors import UserError
from simlab.reporting.answers.answer import Answer
from simlab.running import dataset
from simlab.running.sample import sample
from simlab.study import duel
from simlab.study.asking import How
from simlab.study.folder import Part, read_study
from simlab.study.outcomes import bounds
from simlab.study.stops import Stop
from tests.study.killing import failing

A, B = "risk_limit", "threshold"
OTHERS = ["trap_count(traps=2)", "fixed_depth"]
CLOSE: dict[str, Any] = {"b": "risk_limit(risk=0.2)", "against": "threshold", "max": 300_000}
LOOK = 4096


def ask(out: Path, how: How | None = None, **given: Any) -> duel.Duel:
    said: dict[str, Any] = {"game": "diamant", "a": A, "b": B, "players": 3} | given
    folder = duel.asking(**said).play(replace(how or How(jobs=1), out=out))
    return duel.read(folder, read_study(folder))


def shards(folder: Path) -> dict[str, bytes]:
    found = {path.name: path.read_bytes() for path in folder.glob("*.parquet")}
    assert found
    return found


# --- whose games they are ------------------------------------------------------------------------


def seatings(folder: Path) -> list[list[tuple[str, ...]]]:
    """Return who sat where in each game of each deal."""
    rows = pl.read_parquet(folder / "games-*.parquet").with_columns(pl.col("strategy").cast(str))
    games = rows.group_by("deal", "game", maintain_order=True).agg("strategy")
    return [
        [tuple(line_up) for line_up in deal["strategy"]]
        for _, deal in games.group_by("deal", maintain_order=True)
    ]


def test_a_and_b_take_each_chair_of_each_deal_beside_the_same_others(tmp_path: Path) -> None:
    ask(tmp_path / "x", against=OTHERS, max=65)
    deals = seatings(tmp_path / "x")
    assert len(deals) == 10
    for games in deals:
        with_a, with_b = games[:3], games[3:]
        assert [[B if who == A else who for who in seats] for seats in with_a] == [
            list(seats) for seats in with_b
        ]
        for who in (A, *OTHERS):
            assert sorted(seats.index(who) for seats in with_a) == [0, 1, 2]


def test_two_players_change_seats(tmp_path: Path) -> None:
    found = ask(tmp_path / "x", players=2, set={"explorers": 2}, max=7)
    assert seatings(tmp_path / "x") == [[(A, B), (B, A)]] * 3
    assert (found.deals, found.games) == (3, 6)


def test_together_both_sit_at_one_table_in_all_pairs_of_seats(tmp_path: Path) -> None:
    ask(tmp_path / "x", players=4, together=True, against="random", max=24)
    for games in seatings(tmp_path / "x"):
        seats = sorted((game.index(A), game.index(B)) for game in games)
        assert seats == sorted((i, j) for i in range(4) for j in range(4) if (i - j) % 4 in (1, 3))


# --- what is said of them ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def apart(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("duel") / "apart"


@pytest.fixture(scope="module")
def together(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("duel") / "together"


def variance(values: Iterable[float]) -> float:
    found = list(values)
    middle = fmean(found)
    return fsum((value - middle) ** 2 for value in found) / (len(found) - 1)


def outcomes(folder: Path, objective: str, end: int) -> list[list[dict[str, float]]]:
    """Return what A and B got in each game of each deal, by plain Python from the rows."""
    deals: dict[int, dict[int, list[dict[str, Any]]]] = {}
    rows = pl.read_parquet(folder / "games-*.parquet").filter(pl.col("game") < end)
    for row in rows.select("deal", "game", "strategy", "win", "score", "rank").to_dicts():
        deals.setdefault(row["deal"], {}).setdefault(row["game"], []).append(row)

    def value(row: dict[str, Any], game: list[dict[str, Any]]) -> float:
        if objective == "margin":
            return float(row["score"] - max(o["score"] for o in game if o is not row))
        if objective == "rank":
            better = sum(other["rank"] < row["rank"] for other in game)
            return -(better + (1 + sum(other["rank"] == row["rank"] for other in game)) / 2)
        return float(row[objective])

    return [
        [{r["strategy"]: value(r, g) for r in g if r["strategy"] in (A, B)} for g in d.values()]
        for d in deals.values()
    ]


@pytest.mark.parametrize(
    ("way", "objective"),
    [
        ("apart", "win"),
        ("apart", "score"),
        ("apart", "margin"),
        ("apart", "rank"),
        ("together", "win"),
        ("together", "margin"),
    ],
)
def test_all_numbers_follow_from_the_rows(
    way: str, objective: str, apart: Path, together: Path
) -> None:
    folder = together if way == "together" else apart
    there = shards(folder) if folder.exists() else None
    found = ask(folder, against=OTHERS[: 2 - (way == "together")], objective=objective,
                together=way == "together")  # fmt: skip
    assert there in (None, shards(folder))  # another objective looks at the same games
    deals = outcomes(folder, objective, found.games)
    by_game = [[[g[who] for g in deal if who in g] for who in (A, B)] for deal in deals]
    differences = [fmean(of_a) - fmean(of_b) for of_a, of_b in by_game]

    expected = ttest_1samp(differences, 0)
    ends = expected.confidence_interval(0.95)
    assert found.fixed.estimate == pytest.approx(fmean(differences), abs=1e-12)
    assert (found.fixed.low, found.fixed.high) == pytest.approx(tuple(ends), rel=1e-9)
    assert found.fixed.p == pytest.approx(expected.pvalue, rel=1e-6)

    width = {"win": 2, "rank": 4}.get(objective)
    low, high = (-width / 2, width / 2) if width else bounds(
        objective, 3, found.arguments["score_range"]
    )  # fmt: skip
    sd = read_study(folder).notes["pilot_sd"]
    v_opt = best_variance(high - low, sd, found.margin, 10_000_000 // 6)
    own = ConfidenceSequence(low, high, tuned_rho(v_opt, 0.95), 0.95)
    own.add(len(deals), sum(differences), sum(d * d for d in differences))
    assert len(deals) == found.deals == LOOK
    assert found.estimate.estimate == pytest.approx(own.mean, abs=1e-12)
    assert (found.estimate.low, found.estimate.high) == pytest.approx(own.interval(), rel=1e-9)
    assert found.p == pytest.approx(own.p, rel=1e-6)
    assert found.verdict.claim == "A better"
    assert found.estimate.low > 0

    games = list(zip(*by_game, strict=True))
    if way == "together":
        columns = zip(*[[x - y for x, y in zip(*pair, strict=True)] for pair in by_game],
                      strict=True)  # fmt: skip
        single = fmean(variance(column) for column in columns)
    else:
        single = sum(fmean(variance(c) for c in zip(*who, strict=True)) for who in games)
    per_block = len(by_game[0][0])
    factor = single / (per_block * variance(differences))
    assert found.reduction.factor.estimate == pytest.approx(factor, rel=1e-9)
    assert found.reduction.equivalent_games == pytest.approx(factor * per_block * len(deals))


def test_shares_and_path(apart: Path) -> None:
    found = ask(apart, against=OTHERS)
    rows = pl.read_parquet(apart / "games-*.parquet").filter(pl.col("game") < found.games)
    frame = found.share_frame()
    for name, games, share, score in frame.select(
        "strategy", "games", "win_share", "score_mean"
    ).iter_rows():
        mine = rows.filter(pl.col("strategy") == name)
        assert (games, share) == (mine.height, pytest.approx(mine["win"].mean()))
        assert score == pytest.approx(mine["score"].mean())
    (last,) = found.path().tail(1).to_dicts()
    summary = found.summary().row(0, named=True)
    assert last == {name: summary[name] for name in last}


def test_reading_holds_one_shard_at_a_time(
    tmp_path: Path, small: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    small(600)
    ask(tmp_path / "x", max=6_000)
    seen: list[weakref.ref[pl.DataFrame]] = []
    alive: list[int] = []
    usual = Part.frames

    def watched(part: Part, columns: list[str]) -> Iterator[pl.DataFrame]:
        for frame in usual(part, columns):
            seen.append(weakref.ref(frame))
            alive.append(sum(one() is not None for one in seen))
            yield frame

    monkeypatch.setattr(Part, "frames", watched)
    duel.read(tmp_path / "x", read_study(tmp_path / "x"))
    assert len(alive) == 10
    assert max(alive) <= 2


# --- verdicts ------------------------------------------------------------------------------------


def test_strategies_that_play_alike_do_not_differ(tmp_path: Path) -> None:
    same = ask(tmp_path / "x", a="threshold", b="threshold(gems=15)", against=A)
    assert (same.verdict.claim, same.deals) == ("no difference over the margin", LOOK)
    assert same.fixed.p == 1
    assert same.estimate.low < 0 < same.estimate.high
    assert (same.a, same.b) == ("threshold", "threshold")


@pytest.mark.parametrize("objective", ["score", "margin", "rank"])
def test_without_a_margin_equal_strategies_are_not_settled(tmp_path: Path, objective: str) -> None:
    found = ask(tmp_path / "x", a="random", b="random(leave=0.3)", objective=objective, max=3_000)
    assert (found.verdict.claim, found.deals, found.margin) == ("not settled at max", 500, None)
    assert found.estimate.low < 0 < found.estimate.high
    assert found.fixed.estimate != 0


@pytest.mark.parametrize(
    ("given", "claim", "code"),
    [
        ({}, "PASS", 0),
        ({"a": B, "b": A}, "FAIL", 10),
        ({"a": B, "b": A, "max": 60}, "INCONCLUSIVE", 11),
        ({"b": A, "max": 60_000}, "PASS", 0),
        ({"objective": "rank", "margin": 0.1}, "PASS", 0),
    ],
)
def test_a_gate_passes_what_is_not_worse_by_the_margin(
    tmp_path: Path, given: dict[str, Any], claim: str, code: int
) -> None:
    found = ask(tmp_path / "x", gate=True, **given)
    assert (found.verdict.claim, found.exit_code) == (claim, code)


# --- where it stops ------------------------------------------------------------------------------


@pytest.fixture
def small() -> Iterator[Callable[[int], None]]:
    """Let shards be small, so that a short run has several."""
    game = find_game("diamant")
    usual = game.shard_games
    yield lambda games: object.__setattr__(game, "shard_games", games)
    object.__setattr__(game, "shard_games", usual)


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[Stop]:
    """Return the rules that duels make: first the one that is fed live, then that of the reader."""
    found: list[Stop] = []
    usual = duel.rule

    def rule(*given: Any) -> Stop:
        found.append(usual(*given))
        return found[-1]

    monkeypatch.setattr(duel, "rule", rule)
    return found


def state(stop: Stop) -> Any:
    return stop.sequences[0].to_dict(), stop.looks, stop.verdict, stop.document()


@pytest.fixture
def batches(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    usual = duel.order

    def of(games: int) -> None:
        monkeypatch.setattr(duel, "order", lambda *given: replace(usual(*given), batch=games))

    return of


def test_it_stops_at_the_same_game_however_it_is_played(
    tmp_path: Path,
    small: Callable[[int], None],
    heard: list[Stop],
    batches: Callable[[int], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    small(2**15)
    whole = ask(tmp_path / "whole", **CLOSE)
    files = shards(tmp_path / "whole")
    assert (whole.verdict.claim, whole.deals % LOOK) == ("A better", 0)
    assert (whole.deals > 2 * LOOK, len(files) > 2) == (True, True)
    live = state(heard[0])
    assert state(heard[1]) == live

    said = dataset.read_run_file(tmp_path / "whole").until
    assert said is not None
    assert (said["games"], said["verdict"]) == (whole.games, "A better")

    batches(5_000)
    for name, how in {"two": How(jobs=2), "processes": How(jobs=2, backend="processes")}.items():
        assert ask(tmp_path / name, how, **CLOSE).summary().equals(whole.summary())
        assert shards(tmp_path / name) == files
    batches(777)  # one look at a time
    ask(tmp_path / "batches", How(jobs=2), **CLOSE)
    assert shards(tmp_path / "batches") == files

    with monkeypatch.context() as killed:
        failing(killed, at=3)  # in the middle of the second shard
        with pytest.raises(MemoryError):
            ask(tmp_path / "killed", **CLOSE)
    first = tmp_path / "killed" / "games-00000.parquet"
    assert [path.name for path in first.parent.glob("games-*")] == [first.name]
    before = first.stat().st_mtime_ns
    heard.clear()
    again = ask(tmp_path / "killed", **CLOSE)
    assert shards(tmp_path / "killed") == files
    assert first.stat().st_mtime_ns == before
    assert [state(stop) for stop in heard] == [live, live]
    assert again.summary().equals(whole.summary())


def test_more_games_at_most_lengthen_it_and_fewer_answer_as_they_did(
    tmp_path: Path, heard: list[Stop], batches: Callable[[int], None]
) -> None:
    batches(2_000)  # one look at a time
    few = CLOSE | {"max": 30_000}  # 4,096 deals and 904
    short = ask(tmp_path / "x", **few)
    assert (short.verdict.claim, short.deals) == ("not settled at max", 5_000)
    long = ask(tmp_path / "x", **CLOSE)
    assert long.deals > 2 * LOOK
    ask(tmp_path / "y", **CLOSE)
    assert shards(tmp_path / "x") == shards(tmp_path / "y")

    heard.clear()
    again = ask(tmp_path / "x", **few)
    assert shards(tmp_path / "x") == shards(tmp_path / "y")
    assert state(heard[1]) == state(heard[0])
    assert again.summary().equals(short.summary())
    assert again.path().equals(short.path())
    assert again.share_frame().equals(short.share_frame())
    assert (again.fixed, again.reduction) == (short.fixed, short.reduction)
    assert again.parts[0].span.end == 30_000


def test_the_pilot_is_played_far_from_the_run() -> None:
    asked = duel.asking("diamant", A, B)
    rows = sample(asked.spec, 2)
    assert rows["deal"].unique().to_list() == [2**40, 2**40 + 1]
    assert rows["game"][0] == 2**40 * 6


# --- wrong input ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"a": "treshold"}, "no strategy 'treshold' in diamant; did you mean threshold"),
        ({"a": "threshold(gem=3)"}, "no parameter 'gem' in threshold"),
        ({"a": "threshold(gems=x)"}, "gems is 'x'; it takes a whole number"),
        ({"b": "threshold*2"}, r"B is one strategy, but 'threshold\*2' names 2"),
        ({"objective": "wins"}, "no objective 'wins'; did you mean win?"),
        ({"margin": 0}, "--margin is '0'; it takes a share above 0%"),
        ({"margin": "-1%"}, "--margin is '-1%'; it takes a share above 0%"),
        ({"margin": 5}, "--margin is '5'; .*; did you mean 5%?"),
        ({"margin": 0, "objective": "score"}, "--margin is '0'; it takes a number above 0"),
        ({"margin": -2, "objective": "rank"}, "--margin is '-2'; it takes a number above 0"),
        ({"margin": "few", "objective": "score"}, "--margin is 'few'; it takes a number"),
        ({"gate": True, "objective": "score"}, "--gate needs a margin: the largest loss in score"),
        ({"against": OTHERS + OTHERS}, "--against names 4 strategies for 2 other seats"),
        ({"against": OTHERS, "together": True}, "--against names 2 strategies for 1 other seat;"),
        ({"against": "nobody"}, "no strategy 'nobody'"),
        ({"players": 2, "set": {"explorers": 2}, "against": A}, "A and B hold both seats"),
        ({"players": 9}, "diamant is for 3 to 8 players"),
        ({"max": 0}, "--max is '0'; it takes a whole number from 1"),
        ({"max": 5}, "--max is 5, but one deal of this duel takes 6 games"),
        ({"confidence": "5%"}, "--confidence is '5%'"),
        ({"objective": "score", "score_range": "9:1"}, "--score-range is '9:1'; the lowest must"),
        ({"objective": "score", "score_range": "0:many"}, "'0:many'; it takes LOW:HIGH"),
        ({"objective": "margin", "score_range": "0:1e999"}, "'0:1e999'; it takes LOW:HIGH"),
        ({"objective": "margin", "score_range": [1]}, "it takes LOW:HIGH"),
    ],
)
def test_a_slip_is_told_in_one_sentence(given: dict[str, Any], told: str) -> None:
    with pytest.raises(UserError, match=told) as caught:
        duel.asking(**{"game": "diamant", "a": A, "b": B} | given)
    assert "\n" not in str(caught.value)


def test_a_score_outside_the_range_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"a score of [0-9]+ lies outside --score-range 0:5"):
        ask(tmp_path / "x", objective="score", score_range="0:5", max=600)


def test_without_a_range_of_scores_there_is_no_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game("diamant")
    usual = game.score_range
    object.__setattr__(game, "score_range", None)
    try:
        with pytest.raises(UserError, match=r"declares no lowest and highest score.*--score-range"):
            duel.asking("diamant", A, B, objective="score")
        assert duel.asking("diamant", A, B, objective="rank").arguments["objective"] == "rank"
    finally:
        object.__setattr__(game, "score_range", usual)


def test_a_folder_of_another_duel_is_left_alone(tmp_path: Path) -> None:
    ask(tmp_path / "x", max=60)
    before = shards(tmp_path / "x")
    with pytest.raises(UserError, match=r"holds another run .line-up .*choose another --out"):
        ask(tmp_path / "x", b="random", max=60)
    assert shards(tmp_path / "x") == before
    found = ask(tmp_path / "x", How(jobs=1, force=True), b="random", max=60)
    assert found.b == "random"
    assert shards(tmp_path / "x") != before


def test_truncated_games_bound_the_difference(tmp_path: Path) -> None:
    asked = duel.asking("splendor", "random", "greedy_buy", set={"max_turns": 26}, max=120)
    folder = asked.play(How(jobs=1, out=tmp_path / "x"))
    found = duel.read(folder, read_study(folder))
    rows = pl.read_parquet(folder / "games-*.parquet")
    cut = pl.col("end_reason") == "truncated"
    assert found.truncated == rows.filter(cut)["game"].n_unique() > 5

    def share(who: str, if_cut: float) -> float:
        won = pl.when(cut).then(if_cut).otherwise("win")
        return float(rows.filter(strategy=who).select(won.mean()).item())

    assert found.win_bounds == pytest.approx(
        (share("random", 0) - share("greedy_buy", 1), share("random", 1) - share("greedy_buy", 0))
    )
    assert any("Had A lost" in note for note in Answer(found, folder).notes())
