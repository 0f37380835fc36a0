"""Answers of duels and tournaments as people meet them: in words, pages, files, and exit codes."""

from __future__ import annotations

import html
import json
import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

import simlab
from simlab import api, cli
from simlab.analysis.stopping import Verdict
from simlab.errors import UserError
from simlab.reporting.answers import duel as words
from simlab.reporting.answers.answer import Answer

ASKED: dict[str, dict[str, Any]] = {
    "duel": {
        "game": "diamant", "a": "risk_limit", "b": "threshold(gems=12)", "players": 4,
        "against": ["random", "trap_count(traps=2)", "threshold"], "objective": "score",
        "margin": 2.5, "confidence": "99%", "max": "6e3", "rules": "official",
        "set": {"expeditions": 4}, "seed": 7, "question": 'Is "risk" worth it?',
    },
    "tournament": {
        "game": "diamant", "players": 3, "field": "risk_limit,threshold(gems=12),random,trap_count",
        "n": 1_000, "unsettled": "20%", "confidence": 0.9, "seed": 3,
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Answer]:
    root = tmp_path_factory.mktemp("answers")
    return {
        ask: getattr(simlab, ask)(**given, jobs=1, out=root / ask) for ask, given in ASKED.items()
    }


@pytest.fixture(params=["duel", "tournament"])
def answer(request: pytest.FixtureRequest, answers: dict[str, Answer]) -> Answer:
    return answers[request.param]


# --- in words and pages --------------------------------------------------------------------------


def test_a_notebook_shows_sentence_tables_and_notes(answer: Answer) -> None:
    page, text = answer._repr_html_(), str(answer)
    assert repr(answer) == text
    assert text.startswith(answer.sentence)
    for told in (*answer.notes(), *(sheet.title for sheet in answer.tables())):
        assert told in text
        assert told in page
    assert page.count("<table>") == len(answer.tables())
    assert f"<strong>{answer.sentence}</strong>" in page


def test_figures_by_name(answer: Answer) -> None:
    assert isinstance(answer.plot(), Figure)
    names = {"duel": ["duel"], "tournament": ["ranking", "pairs", "ratings"]}[answer.ask]
    assert list(answer.figures()) == names
    with pytest.raises(UserError, match=f"no figure 'rankings'.*{names[0]}"):
        answer.plot("rankings")


def test_a_page_has_question_answer_and_how_to_ask_again(answer: Answer, tmp_path: Path) -> None:
    page = answer.report(tmp_path / "page.html").read_text()
    if answer.ask == "duel":
        assert answer.question == 'Is "risk" worth it?'
    assert answer.question in html.unescape(page)
    assert answer.sentence.replace(" %", "\u00a0%") in html.unescape(page)
    for title in (sheet.title for sheet in answer.tables()):
        assert title in page
    assert page.count("<img") == len(answer.figures())


def test_from_its_folder_it_is_the_same(answer: Answer) -> None:
    assert answer.folder is not None
    again = api.answer(answer.folder)
    assert str(again) == str(answer)
    assert again.summary().equals(answer.summary())
    assert again.document() == answer.document()


def test_what_there_is_not_is_told_in_the_usual_way(answer: Answer) -> None:
    with pytest.raises(AttributeError, match="estimates"):
        _ = answer.estimates


# --- in files and commands -----------------------------------------------------------------------


@pytest.fixture
def say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Run a command in an empty folder; return exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def said(*given: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["simlab", *given])
        with pytest.raises(SystemExit) as end:
            cli.main()
        out, err = capfd.readouterr()
        return int(end.value.code or 0), out, err

    return said


Say = Callable[..., tuple[int, str, str]]


def test_file_and_command_ask_the_same_again(answer: Answer, say: Say, tmp_path: Path) -> None:
    text = answer.as_toml()
    (tmp_path / "again.toml").write_text(text)
    question, _ = api.question_of_file(tmp_path / "again.toml")
    assert question.as_toml() == text
    assert question.asked.arguments == {"question": answer.question} | answer.arguments
    code, out, _ = say(*shlex.split(answer.command())[1:], "--as-toml")
    usual = out.splitlines()[0]  # the question: no command has it
    assert (code, out) == (0, text.replace(text.splitlines()[0], usual))
    assert say("run", "--file", "again.toml", "--as-toml")[1] == answer.as_toml()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again.toml"]


def test_what_it_found_as_one_json_object(answer: Answer, say: Say) -> None:
    assert answer.folder is not None
    words_ = [*shlex.split(answer.command())[1:], "--out", str(answer.folder), "--jobs", "1"]
    code, out, err = say(*words_, "--json")
    assert (code, err) == (0, "")
    found = json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert found["summary"] == answer.summary().to_dicts()
    assert (found["ask"], found["answer"]) == (answer.ask, answer.sentence)
    if answer.ask == "tournament":
        assert found["pairs"] == answer.pairs().to_dicts()
        assert found["balanced_games"] + found["games_for_pairs"] == answer.games


@pytest.mark.parametrize(
    ("pair", "more", "code", "told"),
    [
        (("risk_limit", "threshold"), [], 0, "PASS: risk_limit is not worse than threshold by"),
        (("threshold", "risk_limit"), [], 10, "FAIL: threshold is worse than risk_limit by more"),
        (("threshold", "risk_limit"), ["--max", "60"], 11, "INCONCLUSIVE: whether threshold is w"),
    ],
)
def test_a_gate_ends_with_its_exit_code(
    say: Say, tmp_path: Path, pair: tuple[str, str], more: list[str], code: int, told: str
) -> None:
    given = ["duel", "diamant", *pair, "--players", "3", "--gate", *more]
    found, out, _ = say(*given, "--jobs", "1", "--quiet")
    assert (found, out.startswith(told)) == (code, True)
    assert say(*given, "--json")[0] == code
    (tmp_path / "gate.toml").write_text(say(*given, "--as-toml")[1])
    assert say("run", "--file", "gate.toml", "--quiet")[0] == code


def test_without_a_gate_it_ends_with_0_whoever_is_better(say: Say) -> None:
    code, out, _ = say("duel", "diamant", "threshold", "risk_limit", "--players", "3", "--quiet")
    assert (code, out.startswith("risk_limit is better than threshold: by ")) == (0, True)
    assert "Games in" not in out


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["duel", "diamant", "threshold"], "B"),
        (["duel", "diamant", "threshold", "random", "--margin", "-1%"], "--margin is '-1%'"),
        (["duel", "diamant", "threshold", "random", "--objective", "fun"], "no objective 'fun'"),
        (["tournament", "diamant", "--field", "threshold"], "at least 2 strategies; 1 was given"),
        (["tournament", "diamant", "--jobs", "0"], "--jobs is '0'"),
        (["tournament", "diamant", "--backend", "thread"], "no backend 'thread'; did you mean"),
    ],
)
def test_a_slip_ends_with_2_and_one_sentence(
    say: Say, tmp_path: Path, given: list[str], told: str
) -> None:
    code, out, err = say(*given)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert told in err
    assert not list(tmp_path.iterdir())


# --- sentences -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "verdict", "told"),
    [
        (1.1, 2.5, Verdict("A better"), "a is better than b: by 1.8 % [1.1, 2.5] of win share{}."),
        (
            -2.5, -1.1, Verdict("B better"),
            "b is better than a: by 1.8 % [1.1, 2.5] of win share{}.",
        ),
        (
            0.1, 0.3, Verdict("A better", "by less than the margin"),
            "a is better than b: by 0.2 % [0.1, 0.3] of win share, less than the margin of "
            "0.5 %{}.",
        ),
        (
            -0.3, 0.5, Verdict("no difference over the margin"),
            "No difference over the margin of 0.5 %; a minus b is 0.1 % [-0.3, 0.5] of win share.",
        ),
        (
            -3.0, 4.0, Verdict("not settled at max"),
            "Not settled after 6,000 games; a minus b is 0.5 % [-3.0, 4.0] of win share.",
        ),
        (
            -0.3, -0.1, Verdict("PASS", "worse, within the margin"),
            "PASS: a is not worse than b by more than 0.5 % (worse, within the margin); a minus b "
            "is -0.2 % [-0.3, -0.1] of win share.",
        ),
    ],
)  # fmt: skip
def test_the_sentence_of_each_verdict(
    answers: dict[str, Answer], low: float, high: float, verdict: Verdict, told: str
) -> None:
    result = answers["duel"].result
    estimate = replace(result.estimate, estimate=(low + high) / 200, low=low / 100, high=high / 100)
    changed = replace(
        result, a="a", b="b", objective="win", estimate=estimate, verdict=verdict, margin=0.005
    )
    first, second = (f"{100 * (won.estimate or 0):.1f} %" for _, won, _ in result.shares)
    players = result.parts[0].players
    fair = f" (equal share {100 / players:.3g} %)" if players > 2 else ""
    better = (first, second) if low > 0 else (second, first)
    assert words.sentence(changed) == told.format(f", {better[0]} against {better[1]}{fair}")


def test_points_and_places_have_their_units(answers: dict[str, Answer]) -> None:
    result = answers["duel"].result
    estimate = replace(result.estimate, estimate=0.3, low=0.27, high=0.33)
    for objective, unit in (("score", " points"), ("margin", " points"), ("rank", " places")):
        changed = replace(result, objective=objective, estimate=estimate)
        assert f" 0.30{unit} [0.27, 0.33]" in words.sentence(changed)


def test_numbers_of_the_tables_are_those_of_the_frames(answers: dict[str, Answer]) -> None:
    found = answers["duel"]
    first = found.tables()[0].frame
    assert first.row(0)[1:4] == (found.estimate.estimate, found.estimate.low, found.estimate.high)
    assert first.row(1)[1:4] == (found.fixed.estimate, found.fixed.low, found.fixed.high)
    ranking = answers["tournament"].tables()[0].frame
    summary = answers["tournament"].summary()
    assert ranking["strategy"].to_list() == summary["strategy"].to_list()
    assert ranking["win share, %"].to_list() == [100 * x for x in summary["win_share"]]
