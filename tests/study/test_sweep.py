"""Sweeps: the grid, whose games they are, what is said of them, and every wrong input."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from simlab.core.game import Game
from simlab.core.places import looking_in
from simlab.core.registry import find_game
from simlab.errors import UserError
from simlab.reporting.answers import sweep as words
from simlab.study import sweep
from simlab.study.asking import How
from simlab.study.folder import read_study, write_study
from simlab.study.varying import read_grid

GEMS = "threshold.gems=4,16,24,400,500"  # nobody ever carries 400
OTHERS = ["risk_limit", "trap_count(traps=2)"]


def ask(out: Path, how: How | None = None, **given: Any) -> sweep.Sweep:
    said: dict[str, Any] = {"vary": GEMS, "against": OTHERS, "n": 15_000} | given
    asked = sweep.asking("diamant", **said)
    folder = asked.play(replace(how or How(jobs=1), out=out))
    return sweep.read(folder, read_study(folder))


def rows(folder: Path) -> pl.DataFrame:
    return pl.read_parquet(folder / "games-*.parquet")


def shards(folder: Path) -> dict[str, bytes]:
    found = {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*.parquet")}
    assert found
    return found


# --- what is played and what is said of it -------------------------------------------------------


@pytest.fixture(scope="module")
def gems(tmp_path_factory: pytest.TempPathFactory) -> sweep.Sweep:
    return ask(tmp_path_factory.mktemp("sweep") / "gems")


def test_each_point_plays_every_chair_of_every_deal_beside_the_same_others(
    gems: sweep.Sweep,
) -> None:
    found = rows(gems.parts[0].folder)
    assert (
        (gems.games, gems.deals) == (15_000, 1_000) == (found.height // 3, found["deal"].n_unique())
    )
    names = [f"threshold(gems={value})" for (value,) in gems.points]
    assert gems.strategies == names
    seats = found.filter(pl.col("strategy").is_in(names)).group_by("strategy", "seat").len()
    assert seats.height == 15
    assert seats["len"].unique().to_list() == [1_000]
    beside = found.filter(~pl.col("strategy").is_in(names))["strategy"].value_counts()
    assert dict(beside.iter_rows()) == dict.fromkeys(OTHERS, 15_000)


@pytest.mark.parametrize("objective", ["win", "score", "rank"])
def test_estimates_are_the_means_of_the_rows(gems: sweep.Sweep, objective: str) -> None:
    folder = gems.parts[0].folder
    file = read_study(folder)
    file.arguments["objective"] = objective
    found = sweep.read(folder, file).summary()
    outcome = pl.col(objective)
    if objective == "rank":
        outcome = outcome.rank("average").over("game")
    by_hand = rows(folder).with_columns(outcome=outcome).group_by("strategy")
    means = dict(by_hand.agg(pl.col("outcome").mean()).iter_rows())
    expected = [means[f"threshold(gems={value})"] for (value,) in gems.points]
    assert found["estimate"].to_list() == pytest.approx(expected, abs=1e-12)


def test_the_best_is_found_and_points_that_play_alike_are_tied(gems: sweep.Sweep) -> None:
    frame = gems.summary()
    assert frame.columns == [
        "threshold.gems", "players", "estimate", "low", "high", "kept", "could_lose", "games",
        "deals",
    ]  # fmt: skip
    assert frame["threshold.gems"].to_list() == [4, 16, 24, 400, 500]
    assert frame["kept"].to_list() == [False, False, True, False, False]
    assert gems.best()["threshold.gems"] == 24
    assert gems.best()["could_lose"] == 0
    same = frame.drop("threshold.gems").rows()
    assert same[3] == pytest.approx(same[4])  # sums of equal columns differ in their last digits
    assert same[3] != pytest.approx(same[2])
    assert (frame["low"] <= frame["estimate"]).all()
    assert (frame["games"] == 3_000).all()


def test_points_that_all_play_alike_are_all_the_best(tmp_path: Path) -> None:
    tied = ask(tmp_path / "x", vary="threshold.gems=400,500,600", n=1)
    assert tied.deals == sweep.LEAST_DEALS
    assert tied.summary()["kept"].all()
    assert tied.summary()["could_lose"].to_list() == [0, 0, 0]
    assert "no point can be told from the best" in words.sentence(tied)
    assert any("raised to 30 deals" in note for note in words.notes(tied))


def test_workers_cuts_and_resuming_change_nothing(gems: sweep.Sweep, tmp_path: Path) -> None:
    ask(tmp_path / "x", How(jobs=2), n=1_000)
    again = ask(tmp_path / "x", How(jobs=2))
    assert shards(tmp_path / "x") == shards(gems.parts[0].folder)
    assert again.summary().equals(gems.summary())
    fewer = ask(tmp_path / "x", n=1_000)  # the rows of 15,000 games are there
    assert (fewer.deals, fewer.games) == (67, 1_005)
    assert fewer.parts[0].span.end == 1_005


def test_each_number_of_players_is_a_run_of_its_own(gems: sweep.Sweep, tmp_path: Path) -> None:
    both: dict[str, Any] = {"players": "3:4", "against": "random", "vary": "threshold.gems=4,24"}
    found = ask(tmp_path / "x", **both)
    assert read_study(tmp_path / "x").parts == ["players-3", "players-4"]
    assert found.arguments["players"] == [3, 4]
    assert [curve.players for curve in found.curves] == [3, 4]
    assert [(c.games, c.deals) for c in found.curves] == [(15_000, 2_500), (15_000, 1_875)]
    alone = ask(tmp_path / "y", **both | {"players": 4})
    assert shards(tmp_path / "x" / "players-4") == shards(tmp_path / "y")
    assert found.summary().filter(players=4).equals(alone.summary())
    said = words.sentence(found)
    assert said == "Best threshold.gems: 24 with 3 players, 24 with 4 (95 % sure of each)."
    assert len(words.tables(found)) == 3
    with pytest.raises(UserError, match="holds another question"):
        ask(tmp_path / "x", **both | {"vary": "threshold.gems=4,25", "players": "5:6"})
    with pytest.raises(UserError, match="holds a run"):
        ask(tmp_path / "y", **both)
    with pytest.raises(UserError, match="players is 5; this sweep was played with 3, 4"):
        found.best(5)


def test_a_map_of_two_parameters_in_ranks(tmp_path: Path) -> None:
    vary = ["score_aware.risk=0.05:0.25:0.1", "score_aware.slope=0,2"]
    found = ask(tmp_path / "x", vary=vary, objective="rank", n=1_800)
    frame = found.summary()
    assert frame.select("score_aware.risk", "score_aware.slope").rows() == [
        (0.05, 0), (0.05, 2), (0.15, 0), (0.15, 2), (0.25, 0), (0.25, 2)
    ]  # fmt: skip
    assert found.best()["estimate"] == frame["estimate"].min()
    assert frame.filter(pl.col("estimate") == frame["estimate"].min())["kept"].all()
    assert words.sentence(found).startswith("score_aware.risk and score_aware.slope: risk 0.")
    assert list(words.figures(found)) == ["map"]


def test_words_and_truths_are_varied_by_a_list(tmp_path: Path) -> None:
    (tmp_path / "moody.py").write_text(
        "from typing import Literal\n"
        "from simlab import strategy\n"
        "from simlab.games.diamant import LEAVE, STAY\n\n\n"
        "@strategy('diamant', compiled=False)\n"
        "def moody(table, me, mood: Literal['bold', 'shy', '3'] = 'shy', late: bool = False):\n"
        "    if late and table.expedition < 3:\n"
        "        return LEAVE\n"
        "    return STAY if mood == 'bold' and table.carried[me.explorer] < 20 else LEAVE\n"
    )
    with looking_in(tmp_path / "moody.py"):
        found = ask(tmp_path / "x", vary=["moody.mood=bold,shy", "moody.late=false,true"], n=1)
        asked = sweep.asking("diamant", vary="moody.mood=3,shy").specs[0]
        with pytest.raises(UserError, match="no word 'bald' for moody: mood; did you mean bold"):
            sweep.asking("diamant", vary="moody.mood=bald,shy")
    assert asked.labels[:2] == ["moody(mood=3)", "moody"]
    frame = found.summary()
    assert frame["moody.mood"].to_list() == ["bold", "bold", "shy", "shy"]
    assert frame["moody.late"].to_list() == ["false", "true"] * 2
    shy = frame.filter(pl.col("moody.mood") == "shy")["estimate"]
    assert shy[0] == shy[1] < frame["estimate"].max()


def test_more_strategies_than_a_byte_counts(tmp_path: Path) -> None:
    asked = sweep.asking("diamant", vary="threshold.gems=1:300", n=1)
    folder = asked.play(How(jobs=1, out=tmp_path / "x"))
    found = rows(folder).filter(deal=0)["strategy"].cast(pl.String).value_counts()
    assert found.filter(strategy="threshold(gems=300)")["count"].item() == 3


# --- what is said --------------------------------------------------------------------------------


def test_sentence_table_and_notes(gems: sweep.Sweep) -> None:
    best = gems.best()
    assert words.sentence(gems) == (
        f"threshold.gems: of the {len(gems.points)} values tried 24 is best (95 % sure), "
        f"with {100 * best['estimate']:.1f} % "
        f"[{100 * best['low']:.1f}, {100 * best['high']:.1f}] of the games; "
        f"the equal share is {100 / best['players']:.3g} %."
    )
    (sheet,) = words.tables(gems)
    assert sheet.frame["win share, %"].to_list() == [
        round(100 * value, 2) for value in gems.summary()["estimate"]
    ]
    assert sheet.frame["may be the best"].to_list() == ["no", "no", "yes", "no", "no"]
    assert "risk_limit, trap_count(traps=2)" in sheet.caption
    assert "biased upward" in words.notes(gems)[0]
    assert not any("end of the grid" in note for note in words.notes(gems))
    assert list(words.figures(gems)) == ["curve"]


@pytest.mark.parametrize(
    ("values", "kept", "told"),
    [
        ([1, 2, 3, 4], [0, 1, 1, 0], [("2", "3")]),
        ([4, 1, 3, 2], [1, 1, 0, 1], [("1", "2"), ("4",)]),
        ([0.5, 1.0, 1.5], [1, 0, 1], [("0.5",), ("1.5",)]),
        (["a", "b", "c"], [1, 1, 0], [("a",), ("b",)]),
    ],
)
def test_stretches_of_what_may_be_best(values: Any, kept: Any, told: Any) -> None:
    assert words._stretches(values, [bool(one) for one in kept]) == told


# --- the grid ------------------------------------------------------------------------------------


def labels(game: Game, *vary: str) -> list[str]:
    return [bound.label for bound in read_grid(list(vary)).bound(game)]


def test_parameters_set_and_parameters_inside() -> None:
    game = find_game("splendor")
    assert labels(game, "denier(base=greedy_buy(decay=0.5)).points=4,5") == [
        "denier(base=greedy_buy(decay=0.5), points=4)",
        "denier(base=greedy_buy(decay=0.5), points=5)",
    ]
    inside = "denier(base=greedy_buy(decay=0.5), points=2).base.targets=3,5"
    assert labels(game, inside)[0] == "denier(base=greedy_buy(targets=3, decay=0.5), points=2)"
    assert read_grid(inside).names == [inside.partition("=3,5")[0]]
    assert labels(game, "denier.base.targets=3,5", "denier.points=4,5")[1:] == [
        "denier(base=greedy_buy(targets=3), points=5)",
        "denier(base=greedy_buy(targets=5), points=4)",
        "denier(base=greedy_buy(targets=5), points=5)",
    ]
    assert labels(game, "denier.base=greedy_buy(targets=3),random") == [
        "denier(base=greedy_buy(targets=3))", "denier(base=random)",
    ]  # fmt: skip


def test_the_usual_others_do_not_depend_on_the_values() -> None:
    specs = [
        sweep.asking("diamant", vary=f"threshold.gems={some}", players=5).specs[0]
        for some in ("10,20", "11,21")
    ]
    one, two = (spec.labels[2:] for spec in specs)
    assert one == two == ["trap_count(traps=2)", "risk_limit", "fixed_depth"]


def test_games_are_whole_deals() -> None:
    assert [sweep.deals_of(n, 40) for n in (1, 1_200, 1_201, 4_000)] == [30, 30, 31, 100]
    assert (sweep.deals_of(None, 40), sweep.deals_of(None, 2_000)) == (2_500, 200)


# --- wrong input ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"vary": "thresold.gems=4:8"}, "no strategy 'thresold' in diamant; did you mean thresh"),
        ({"vary": "threshold.gem=4:8"}, "no parameter 'gem' in threshold.*; did you mean gems?"),
        ({"vary": "threshold.gems.x=4:8"}, "threshold: gems is no strategy and has no para"),
        ({"vary": "threshold.gems=4"}, "a single value, 4; a sweep needs at least 2 points"),
        ({"vary": "threshold.gems="}, "--vary threshold.gems has an empty value"),
        ({"vary": "threshold.gems=8:4"}, "runs backward; did you mean 4:8?"),
        ({"vary": "threshold.gems=4,5,4"}, "the value '4' is given twice"),
        ({"vary": "threshold.gems=0:400"}, "--vary makes 401 points; a sweep takes at most 400"),
        ({"vary": "threshold.gems=900:1100:200"}, "gems is 1100.*from 0 to 1000|gems is '1100'"),
        ({"vary": "threshold.gems=4,4.5"}, "gems is 4.5; it takes a whole number"),
        ({"vary": "threshold.gems=few,many"}, "gems is 'few'; it takes a whole number"),
        ({"vary": "threshold"}, "--vary 'threshold' cannot be read"),
        ({"vary": "threshold*2.gems=4,5"}, "varies one strategy"),
        ({"vary": []}, "a sweep needs --vary"),
        ({"vary": 4}, "a sweep needs --vary"),
        ({"vary": [GEMS, "threshold.gems=5,6"]}, "--vary threshold.gems is given twice"),
        ({"vary": [GEMS, "risk_limit.risk=0.1,0.2"]}, "threshold.gems and .*are of two strateg"),
        ({"players": "2:4"}, "diamant is for 3 to 8 players; 2 were asked for"),
        ({"players": "4,4"}, "--players: the value '4' is given twice"),
        ({"against": OTHERS, "players": 4}, "--against names 2 strategies for 3 other seats"),
        ({"against": "nobody"}, "no strategy 'nobody'"),
        ({"n": 0}, "--n is '0'"),
        ({"objective": "wins"}, "no objective 'wins'; did you mean win?"),
        ({"confidence": "5%"}, "--confidence is '5%'"),
    ],
)
def test_a_slip_is_told_in_one_sentence(given: dict[str, Any], told: str) -> None:
    with pytest.raises(UserError, match=told) as caught:
        sweep.asking("diamant", **{"vary": GEMS} | given)
    assert "\n" not in str(caught.value)


def test_games_that_are_missing_are_told(gems: sweep.Sweep, tmp_path: Path) -> None:
    ask(tmp_path / "x", n=1_000)
    file = read_study(tmp_path / "x")
    file.arguments["n"] = 2_000
    write_study(tmp_path / "x", file)
    with pytest.raises(UserError, match="is not finished"):
        sweep.read(tmp_path / "x", file)
