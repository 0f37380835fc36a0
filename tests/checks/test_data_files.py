"""Data files: whose they are, whether they can be played, whether they add up."""

from __future__ import annotations

from pathlib import Path

import pytest

from simlab.checks import Findings, check
from simlab.core.game import rule_book
from simlab.core.registry import find_game
from simlab.errors import UserError

GAME = find_game("diamant")
SHIPPED = (GAME.folder / "cards.csv").read_text(encoding="utf-8")
HEAD = "id,category,subtype,value,copies\n"


def said(folder: Path, text: str, name: str = "cards.csv", game: str | None = None) -> Findings:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return check(path, game)


def test_the_shipped_file_adds_up(tmp_path: Path) -> None:
    found = said(tmp_path, SHIPPED)
    assert found.passed, str(found)
    assert "treasures 15, gems on treasures 124" in str(found)
    # iello_pair has the rows of official, so it is not told twice
    assert sum(line.check == "adds up" for line in found.lines) == len(GAME.rule_sets) - 1


@pytest.mark.parametrize(
    ("rules", "gems", "traps", "relics"),
    [("standard", 124, 15, 5), ("tag", 139, 15, 0), ("bga", 107, 15, 5)],
)
def test_totals_are_those_of_the_rules_page(rules: str, gems: int, traps: int, relics: int) -> None:
    totals = GAME.data[0].totals
    assert totals is not None
    found = totals(rule_book(GAME, rules).rows["cards"])
    assert found["gems on treasures"] == gems
    assert found["traps"] == traps
    assert found.get("relics", 0) == relics


@pytest.mark.parametrize(
    ("there", "instead", "says"),
    [
        ("Treasure 17,17,1", "Treasure 17,16,1", "gems on treasures 123, printed 124"),
        ("Treasure 5,5,2", "Treasure 5,5,1", "treasures 14, printed 15"),
        ("Snake,,3", "Snake,,2", "traps of type snake 2, printed 3"),
        ("Relic,,5", "Relic,,6", "relics 6, printed 5"),
    ],
)
def test_a_difference_gives_both_numbers(
    there: str, instead: str, says: str, tmp_path: Path
) -> None:
    assert there in SHIPPED
    found = said(tmp_path, SHIPPED.replace(there, instead, 1))
    assert not found.passed
    assert all(line.check == "adds up" for line in found.failed)
    assert says in found.failed[0].says
    assert f"--set cards={tmp_path / 'cards.csv'}" in found.failed[0].says


def test_what_cannot_be_played_names_the_line(tmp_path: Path) -> None:
    found = said(tmp_path, HEAD + "t,treasure,,5,2\nm,monster,,1,1\n", "mine.csv")
    (line,) = found.failed
    assert line.check == "possible"
    assert "line 3: category 'monster'" in line.says


def test_a_file_without_rule_sets_is_held_against_each_players_game(tmp_path: Path) -> None:
    found = said(tmp_path, HEAD + "t,treasure,,5,2\n", "mine.csv")
    assert [line.check for line in found.lines] == ["possible", "adds up"]
    assert "gems on treasures 10, printed 124" in found.failed[0].says


def test_an_unknown_rule_set_is_told(tmp_path: Path) -> None:
    found = said(tmp_path, SHIPPED.replace("standard;official", "standrd;official"))
    assert any("no rule set 'standrd'" in line.says for line in found.failed)


def test_a_missing_column_is_told(tmp_path: Path) -> None:
    found = said(tmp_path, "id,category,value,copies\nt,treasure,5,2\n", game="diamant")
    assert "no column 'subtype'" in found.failed[0].says


def test_a_file_of_no_game_says_what_there_is(tmp_path: Path) -> None:
    with pytest.raises(
        UserError, match=r"the columns of any data file .*diamant cards: id, category"
    ):
        said(tmp_path, "a,b\n1,2\n", "mine.csv")
    with pytest.raises(UserError, match="pebbles has no data files"):
        said(tmp_path, SHIPPED, game="pebbles")
    (tmp_path / "raw.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserError, match=r"cannot read .*raw\.csv"):
        check(tmp_path / "raw.csv")
