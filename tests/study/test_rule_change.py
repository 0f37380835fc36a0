"""What a rule change does: paired by deal, repeatable, and nothing where nothing changes."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import polars as pl
import pytest
from scipy import stats

from simlab.errors import UserError
from simlab.reporting.answers.answer import Answer
from simlab.running import dataset
from simlab.running.experiment import read_experiment
from simlab.study.asking import How
from simlab.study.folder import read_study
from simlab.study.rule_change import RuleChange, asking, read, turned

LINE_UP = ["threshold(gems=12)*2", "risk_limit"]
TRAPS = {"trap_removal": ["all_revealed", "none"]}


def played(out: Path, jobs: int = 1, **question: object) -> RuleChange:
    folder = asking("diamant", **question).play(How(jobs=jobs, out=out))  # type: ignore[arg-type]
    return read(folder, read_study(folder))


@pytest.fixture(scope="module")
def traps(tmp_path_factory: pytest.TempPathFactory) -> RuleChange:
    out = tmp_path_factory.mktemp("rules") / "traps"
    return played(out, players=3, lineup=LINE_UP, set=TRAPS, n=902)


def test_equal_rules_change_nothing(tmp_path: Path) -> None:
    same = played(
        tmp_path / "q", players=3, rules="standard,official", set={"trap_removal": "trigger"}, n=300
    )
    frames = [pl.concat(part.frames(["game", "deal", "seat", "score", "win", "cards"]))
              for part in same.parts]  # fmt: skip
    assert frames[0].equals(frames[1])
    found = same.summary().filter(pl.col("rules") == "official")
    assert found["change"].to_list() == [0.0] * 7  # shares and scores of three, and the length
    assert found["p_holm"].to_list() == [1.0] * 7
    assert "Nothing changes" in str(Answer(same, tmp_path / "q"))


def by_deal(result: RuleChange, strategy: str | None, column: str) -> list[pl.Series]:
    """Return the mean of each deal under each rule book, the slow way."""
    found = []
    for part in result.parts:
        rows = pl.concat(part.frames(["deal", "strategy", column]))
        mine = rows if strategy is None else rows.filter(pl.col("strategy").cast(str) == strategy)
        found.append(mine.group_by("deal").agg(pl.col(column).mean()).sort("deal")[column])
    return found


@pytest.mark.parametrize(
    ("what", "column", "strategy", "changes"),
    [
        ("win_share", "win", "risk_limit", 2),
        ("score", "score", "threshold(gems=12)", 2),
        ("cards", "cards", None, 1),
    ],
)
def test_changes_are_paired_by_deal(
    traps: RuleChange, what: str, column: str, strategy: str | None, changes: int
) -> None:
    of = pl.col("strategy").eq_missing(pl.lit(strategy))
    first, second = traps.summary().filter(of, pl.col("what") == what).iter_rows(named=True)
    before, after = by_deal(traps, strategy, column)
    apart = (after - before).to_numpy()
    test = stats.ttest_1samp(apart, 0)
    ends = test.confidence_interval(1 - 0.05 / changes)
    assert (first["games"], first["deals"], len(apart)) == (900, 300, 300)
    assert first["estimate"] == pytest.approx(before.mean())
    assert second["estimate"] - first["estimate"] == pytest.approx(second["change"])
    assert (second["change_low"], second["change_high"]) == pytest.approx(tuple(ends))
    assert second["p"] == pytest.approx(test.pvalue)
    assert first["change"] is None


def test_traps_that_stay_cost_gems(traps: RuleChange) -> None:
    assert traps.rules == ("trap_removal=all_revealed", "trap_removal=none")
    assert traps.strategies == ("threshold(gems=12)", "risk_limit")
    for what in ("score", "cards"):
        changes = traps.changes(what)
        assert all(row.change.high < 0 and traps.settled(row) for row in changes)  # type: ignore
    assert traps.games == 1800
    answer = Answer(traps, traps.parts[0].folder.parent)
    assert "trap_removal=none instead of trap_removal=all_revealed" in answer.sentence
    assert [*answer.figures()] == ["win-share", "score", "length"]


def test_the_file_asks_the_same(traps: RuleChange, tmp_path: Path) -> None:
    file = tmp_path / "again.toml"
    file.write_text(Answer(traps, None).as_toml())
    again = asking(**read_experiment(file).arguments())
    assert again.arguments == traps.arguments
    assert "--set trap_removal=all_revealed,none" in Answer(traps, None).command()


def files(folder: Path) -> dict[str, bytes]:
    found = [folder / "study.json", *folder.glob("*/*.parquet")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def test_same_bytes_for_any_workers_and_after_a_stop(traps: RuleChange, tmp_path: Path) -> None:
    question = {"players": 3, "lineup": LINE_UP, "set": TRAPS}
    out = tmp_path / "q"
    played(out, n=90, **question)
    shutil.rmtree(out / "trap_removal=none")
    again = played(out, jobs=2, n=902, **question)
    assert again.summary().equals(traps.summary())
    assert files(out) == files(traps.parts[0].folder.parent)
    fewer = played(out, n=300, **question)
    assert fewer.deals == 100
    assert fewer.summary()["estimate"][0] != again.summary()["estimate"][0]


def test_one_strategy_in_all_seats_has_no_win_share(tmp_path: Path) -> None:
    alone = played(tmp_path / "q", players=3, lineup="risk_limit", rules="official,tag", n=50)
    assert alone.measures == ["score", "cards"]
    assert alone.deals == 50
    file = read_study(tmp_path / "q")
    file = dataclasses.replace(file, notes=file.notes | {"length": None})
    assert read(tmp_path / "q", file).measures == ["score"]
    assert "says nothing" in str(Answer(alone, None))


def test_truncated_games_have_bounds(tmp_path: Path) -> None:
    asked = asking("splendor", players=2, set={"max_turns": [200, 28]}, n=80)
    folder = asked.play(How(jobs=1, out=tmp_path / "q"))
    found = read(folder, read_study(folder))
    rows = pl.concat(found.parts[1].frames(["strategy", "win", "end_reason"]))
    cut = pl.col("end_reason").cast(str) == "truncated"
    assert found.truncated == (0, rows.filter(cut).height // 2)
    assert 8 < found.truncated[1] < 80
    row = next(row for row in found.rows if row.rules == "max_turns=28")
    mine = rows.filter(pl.col("strategy").cast(str) == row.strategy)
    won = (mine.select(pl.when(cut).then(end).otherwise("win")).to_series() for end in (0.0, 1.0))
    assert row.bounds == pytest.approx(tuple(each.mean() for each in won))
    assert "Truncated games" in str(Answer(found, folder))


def test_turns_that_repeat_are_played_once() -> None:
    assert turned("abc") == ((0, 1, 2), (2, 0, 1), (1, 2, 0))
    assert turned("aa") == ((0, 1),)
    assert turned("abab") == ((0, 1, 2, 3), (3, 0, 1, 2))


def test_rule_books_are_named_by_what_differs() -> None:
    asked = asking(
        "diamant", rules=["standard", "official"],
        set={"expeditions": "4:5", "tie_break": "most_relics"},
    )  # fmt: skip
    books = asked.books.books
    assert [book.label for book in books][:2] == [
        "standard + expeditions=4",
        "standard + expeditions=5",
    ]
    assert books[3].folder == "official-expeditions=5"
    assert asked.specs[3].book.values["expeditions"] == 5
    assert all(spec.book.values["tie_break"] == "most_relics" for spec in asked.specs)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ({}, "at least two rule books"),
        ({"rules": "official"}, "such as --rules official,standard or --set relic_entry=all,one"),
        ({"rules": "standard,standard"}, "the rule set 'standard' twice"),
        ({"rules": "standard,offical"}, "did you mean official?"),
        ({"rules": "standard,,official"}, "an entry is empty"),
        ({"set": {"trap_removal": "pair,triger"}}, "did you mean trigger?"),
        ({"set": {"trap_remova": "pair,none"}}, "did you mean trap_removal?"),
        ({"set": {"trap_removal": ["pair", "pair"]}}, "the value 'pair' twice"),
        ({"set": {"expeditions": "1:5", "explorers": 1, "relic_entry": "all,none",
                  "trap_removal": "pair,none,trigger"}}, "at most 24"),
        ({"set": {"explorers": "1,2"}}, "explorers=1 is for 3 to 8 and explorers=2 is for 2"),
        ({"set": ["pair"]}, "rules and values, as a dict"),
        ({"rules": "tag,official", "players": 2}, "under rules official is for 3 to 8 players"),
        ({"set": TRAPS, "n": 0}, "--n is '0'"),
        ({"set": TRAPS, "confidence": "5%"}, "--confidence"),
        ({"set": TRAPS, "lineup": ["risk_limit"] * 2}, "2 strategies were given for 3 seats"),
    ],
)  # fmt: skip
def test_wrong_questions(question: dict[str, object], told: str) -> None:
    with pytest.raises(UserError, match=r"^[^\n]*$") as caught:
        asking("diamant", **question)  # type: ignore[arg-type]
    assert told in str(caught.value)


def test_folders_that_hold_something_else(traps: RuleChange, tmp_path: Path) -> None:
    asked = asking("diamant", players=4, set=TRAPS, n=90)
    with pytest.raises(UserError, match=r"holds another question .*--force"):
        asked.play(How(out=traps.parts[0].folder.parent))
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UserError, match="holds other files, but no run"):
        asked.play(How(out=tmp_path))
    folder = traps.parts[0].folder.parent
    more = read_study(folder)
    more.arguments = more.arguments | {"n": 10_000}
    with pytest.raises(UserError, match="is not finished; go on with: simlab compare-rules"):
        read(folder, more)


def test_force_leaves_nothing_of_the_question_before(tmp_path: Path) -> None:
    out = tmp_path / "q"
    played(out, players=3, lineup="risk_limit", rules="standard,tag", n=9)
    asked = asking("diamant", players=4, lineup="risk_limit", rules="official,tag", n=9)
    folder = asked.play(How(jobs=1, out=out, force=True))
    held = sorted(path.name for path in folder.iterdir() if path.name != dataset.LOCK)
    assert held == ["official", "study.json", "tag"]
    assert [part.players for part in read(folder, read_study(folder)).parts] == [4, 4]
