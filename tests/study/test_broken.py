"""What was found by trying to break questions: each a case of its kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import simlab
from simlab import cli
from simlab.core.quantities import read_difference, read_level, read_span
from simlab.errors import UserError
from simlab.study import duel, tournament
from simlab.study.asking import How
from simlab.study.folder import read_study

QUICK: dict[str, Any] = {"players": 3, "max": 600, "jobs": 1}
FAILS = """
from simlab import strategy
from simlab.games.diamant import LEAVE, STAY


@strategy("diamant")
def faulty(table, me, at: int = 20):
    \"\"\"Fail once `at` gems are carried.\"\"\"
    if table.carried[me.seat] >= at:
        return 77
    return STAY
"""


def test_a_folder_may_have_any_name(tmp_path: Path) -> None:
    neighbour = simlab.duel("diamant", "risk_limit", "random", seed=5, out=tmp_path / "ab", **QUICK)
    odd = simlab.duel("diamant", "risk_limit", "random", out=tmp_path / "a[b]*?", **QUICK)
    again = simlab.answer(odd.folder or "")
    assert again.summary().equals(odd.summary())
    assert not again.summary().equals(neighbour.summary())
    run = simlab.run("diamant", n=100, out=tmp_path / "*")
    assert run.table().table.games == 100
    simlab.replay(run.folder, 3)


def test_forcing_keeps_what_is_not_ours_and_loses_nothing_to_a_slip(tmp_path: Path) -> None:
    out = tmp_path / "x"
    first = simlab.duel("diamant", "risk_limit", "random", out=out, **QUICK)
    (out / "page.html").write_text("mine")
    score = {"objective": "score", "score_range": "0:1", "force": True}
    with pytest.raises(UserError, match=r"a score of .* lies outside --score-range"):
        simlab.duel("diamant", "risk_limit", "random", out=out, **score, **QUICK)
    assert simlab.answer(out).summary().equals(first.summary())
    forced = simlab.duel("diamant", "risk_limit", "random", seed=2, out=out, force=True, **QUICK)
    assert (out / "page.html").read_text() == "mine"
    assert not forced.summary().equals(first.summary())


def test_forcing_replaces_a_question_with_a_damaged_part(tmp_path: Path) -> None:
    given: dict[str, Any] = {"rules": "standard,tag", "players": 3, "n": 60, "out": tmp_path / "x"}
    first = simlab.compare_rules("diamant", **given)
    (tmp_path / "x" / "standard" / "run.json").unlink()
    with pytest.raises(UserError, match="holds other files"):
        simlab.compare_rules("diamant", **given)
    assert simlab.compare_rules("diamant", force=True, **given).summary().equals(first.summary())


def test_nothing_is_removed_where_one_folder_is_none(tmp_path: Path) -> None:
    simlab.duel("diamant", "risk_limit", "random", out=tmp_path / "x", **QUICK)
    with pytest.raises(UserError, match="not a run folder"):
        simlab.runs("remove", tmp_path / "x", tmp_path / "y")
    assert (tmp_path / "x" / "run.json").is_file()
    simlab.tournament("diamant", field="risk_limit,random,threshold", n=60, out=tmp_path / "t")
    assert simlab.runs("remove", tmp_path / "x", tmp_path / "t")
    assert not list(tmp_path.iterdir())


@pytest.mark.validate
def test_more_strategies_than_a_map_can_show_have_a_page_all_the_same(tmp_path: Path) -> None:
    field = [f"threshold(gems={gems})" for gems in range(1, 62)]
    found = simlab.tournament("diamant", field=field, n=800, unsettled=0, out=tmp_path / "x")
    assert set(found.figures()) == {"ranking", "ratings"}
    assert found.report(tmp_path / "page.html").stat().st_size < 3_000_000


@pytest.mark.parametrize(
    "slip",
    [
        lambda: read_difference("1e-300", "margin"),
        lambda: read_difference("1e300", "margin", "score"),
        lambda: read_difference("0.5", "margin"),
        lambda: read_span("0:1e300", "--score-range"),
        lambda: read_level("99.99999999999999%"),
        lambda: simlab.sample_size("diamant", objective="score"),
        lambda: simlab.sweep("diamant", None),  # type: ignore[arg-type]
        lambda: simlab.duel("diamant", "random", "threshold", player=4),
        lambda: tournament.asking("diamant", players=1, field="random,threshold"),
        lambda: simlab.run("diamant", until="ci=0.3"),
    ],
)
def test_what_no_arithmetic_stands_is_told_in_a_sentence(slip: Any) -> None:
    with pytest.raises(UserError, match=r"^[^\n]+[.?]$"):
        slip()


def test_a_missing_percent_sign_is_asked_about() -> None:
    with pytest.raises(UserError, match=r"margin is 0\.5, which is 50%; write 0\.5%, or 50%"):
        read_difference("0.5", "margin")
    assert read_difference("50%", "margin") == 0.5
    assert read_difference(0.5, "margin") == 0.5


def test_a_part_that_never_began_is_not_kept(tmp_path: Path) -> None:
    file = tmp_path / "faulty.py"
    file.write_text(FAILS)
    given: dict[str, Any] = {"players": 3, "n": 300, "unsettled": 0, "strategies": file}
    field = "random,threshold,faulty,risk_limit"
    with pytest.raises(UserError, match=r"faulty.*Replay: simlab replay diamant "):
        simlab.tournament("diamant", field=field, out=tmp_path / "x", **given)
    assert read_study(tmp_path / "x").parts == []
    file.write_text(FAILS.replace("return 77", "return LEAVE"))
    found = simlab.tournament("diamant", field=field, out=tmp_path / "x", **given)
    assert [part.folder.name for part in found.parts] == ["part-000"]
    assert found.parts[0].span.first == 0


def test_the_replay_that_fails_names_the_same_deal(tmp_path: Path) -> None:
    file = tmp_path / "faulty.py"
    file.write_text(FAILS)
    seated = ["faulty", "threshold(gems=90)", "never_leave"]
    with pytest.raises(UserError, match=r"Replay: .*--deal 37"):
        simlab.replay("diamant", 148, players=3, lineup=seated, seats="fixed", deal=37,
                      strategies=file)  # fmt: skip


def test_what_stopped_a_run_is_in_its_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rule = "risk_limit>random@95%"
    words = ["run", "diamant", "--players", "3", "-s", "risk_limit", "-s", "random*2"]
    monkeypatch.setattr("sys.argv", ["simlab", *words, "--until", rule, "--json"])
    with pytest.raises(SystemExit):
        cli.main()
    found = json.loads(capsys.readouterr().out)
    assert found["until"]["verdict"] == "A better"
    assert found["until"]["comparisons"][0]["low"] > 0


def test_a_change_of_shares_is_a_possible_one(tmp_path: Path) -> None:
    found = simlab.compare_rules("diamant", rules="standard,bga", n=9, out=tmp_path / "x")
    ends = found.summary().filter(what="win_share").drop_nulls("change_low")
    assert (ends["change_low"] >= -1).all()
    assert (ends["change_high"] <= 1).all()


def test_a_duel_says_how_to_go_on(tmp_path: Path) -> None:
    asked = duel.asking("diamant", "risk_limit", "risk_limit(risk=0.16)", players=3, max=60)
    folder = asked.play(How(jobs=1, out=tmp_path / "x"))
    file = read_study(folder)
    file.arguments["max"] = 6000
    with pytest.raises(UserError, match=r"is not finished; go on with: simlab duel diamant"):
        duel.read(folder, file)


def test_a_run_that_a_rule_ended_is_an_answer_like_others(tmp_path: Path) -> None:
    run = simlab.run("diamant", 3, 9_000, until="ci=5%", out=tmp_path / "x")
    assert run.until is not None
    assert run.until["verdict"] == "precise enough"
    assert "--until ci=5%: precise enough" in run.table().text()
    assert run.plot().axes
    page = run.report(tmp_path / "page.html").read_text()
    assert "precise enough" in page
