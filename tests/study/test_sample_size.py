"""How many games: the published vector, the pilot by hand, and plans that cannot be made."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import polars as pl
import pytest

from simlab.analysis.planning import Spread
from simlab.errors import UserError
from simlab.reporting.answers.answer import Answer
from simlab.running.experiment import read_experiment
from simlab.running.sample import sample
from simlab.study.asking import How
from simlab.study.sample_size import SampleSize, asking

PAIR = {"a": "risk_limit", "b": "threshold(gems=12)"}


def test_plans_v11() -> None:
    known = [Spread(0.3)]
    plain = asking("diamant", players=4, detect="0.5%", **PAIR).plan(known)
    many = asking("diamant", players=4, detect=0.005, comparisons=10, **PAIR).plan(known)
    assert (plain.pairs[0].plan.units, plain.pairs[0].plan.games) == (37_827, 8 * 37_827)
    assert many.summary()["deals"][0] == 60_180
    said = Answer(plain, None).sentence
    assert said.startswith(
        "302,616 games (37,827 deals of 8) find a true difference of 0.5 % of win"
    )
    assert "with a power of 90 %" in said


def test_few_deals_are_planned_by_the_t_test() -> None:
    asked = asking("diamant", players=4, detect="20%", **PAIR)
    assert asked.plan([Spread(0.3)]).pairs[0].plan.units == 26  # 24 by the normal distribution


@pytest.fixture(scope="module")
def usual() -> SampleSize:
    lineup = ["risk_limit", "threshold(gems=12)*2", "fixed_depth"]
    return asking("diamant", players=4, lineup=lineup, detect="1%", pilot=60).play(How())


def test_every_pair_of_the_line_up_from_the_same_pilot(usual: SampleSize) -> None:
    lineup = ["risk_limit", "threshold(gems=12)*2", "fixed_depth"]
    asked = asking("diamant", players=4, lineup=lineup, detect="1%", pilot=60)
    rows = sample(asked.spec, 60).with_columns(pl.col("strategy").cast(str))
    means = rows.group_by("deal", "strategy").agg(pl.col("win").mean())
    deals = means.pivot("strategy", index="deal", values="win")
    assert usual.comparisons == len(usual.pairs) == 3
    for row in usual.summary().iter_rows(named=True):
        assert row["sd"] == pytest.approx((deals[row["a"]] - deals[row["b"]]).std())
        assert row["games"] == 4 * row["deals"] < row["until_games"]
    assert usual.summary()["deals"].is_sorted(descending=True)
    assert asked.play(How()).summary().equals(usual.summary())


def test_words_table_and_figure(usual: SampleSize, tmp_path: Path) -> None:
    answer = Answer(usual, None)
    assert "in each of 3 comparisons" in answer.sentence
    assert answer.tables()[0].frame.height == 3
    assert [*answer.figures()] == ["sample-size"]
    assert answer.report(tmp_path / "page.html").is_file()
    (tmp_path / "again.toml").write_text(answer.as_toml())
    again = asking(**read_experiment(tmp_path / "again.toml").arguments())
    assert again.arguments == usual.arguments


def test_a_pair_is_played_as_in_its_duel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    asked = asking("diamant", players=3, detect=2, objective="score", pilot=40, **PAIR)
    rows = sample(asked.spec, 40).with_columns(pl.col("strategy").cast(str))
    names = [PAIR["a"], PAIR["b"]]
    mine = rows.filter(pl.col("strategy").is_in(names)).group_by("deal", "strategy")
    deals = mine.agg(pl.col("score").mean(), pl.len()).pivot("strategy", index="deal")
    assert set(deals[f"len_{names[0]}"]) == {3}
    found = asked.play(How()).summary()
    sd = (deals[f"score_{names[0]}"] - deals[f"score_{names[1]}"]).std()
    assert found["sd"][0] == pytest.approx(sd)
    assert found["games"][0] == 6 * found["deals"][0]
    unknown = dataclasses.replace(asked, width=None).play(How())
    assert unknown.summary()["until_games"].to_list() == [None]
    assert "--score-range" in str(Answer(unknown, None))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ({"detect": 0}, "--detect is '0'"),
        ({"detect": "-1%"}, "--detect is '-1%'"),
        ({"detect": -2, "objective": "score"}, "a number above 0"),
        ({"detect": 3, "objective": "rank"}, "the largest is 2"),
        ({"power": 90}, "did you mean 90%?"),
        ({"power": "0.5%"}, "a power of 0.005 takes no games"),
        ({"confidence": 1}, "--confidence is '1'"),
        ({"comparisons": 0}, "--comparisons is '0'"),
        ({"pilot": 1}, "--pilot is '1'"),
        ({"lineup": "risk_limit"}, "the line-up has one strategy, risk_limit"),
        ({"a": "risk_limit"}, "needs both, A and B"),
        ({**PAIR, "b": "risk_limit"}, "A and B are both risk_limit"),
        ({**PAIR, "lineup": ["random"]}, "give one or the other"),
        ({"objective": "wins"}, "did you mean win?"),
        ({"objective": "score", "detect": 1, "score_range": "300:0"}, "must lie below"),
        ({"a": "risk_limt", "b": "random"}, "did you mean risk_limit?"),
    ],
)
def test_wrong_questions(question: dict[str, object], told: str) -> None:
    with pytest.raises(UserError, match=r"^[^\n]*$") as caught:
        asking("diamant", **{"detect": "1%", **question})  # type: ignore[arg-type]
    assert told in str(caught.value)
