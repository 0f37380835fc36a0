"""What a card file of Diamant may hold, and the sentence where it may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from simlab.core.game import rule_book
from simlab.errors import UserError
from simlab.games.diamant import GAME

HEAD = "id,category,subtype,value,copies\n"
TREASURE = "t1,treasure,,5,2\n"
WRONG = {
    "no row": ("", "no card"),
    "no treasure": ("a,trap,a,,3\n", "no treasure"),
    "a category unknown": (TREASURE + "x,monster,,1,1\n", "line 3: category 'monster'"),
    "no id": (",treasure,,5,2\n", "line 2: the card has no id"),
    "a treasure without value": ("t1,treasure,,,2\n", "line 2: value is ''"),
    "a treasure of a word": ("t1,treasure,,five,2\n", "line 2: value is 'five'"),
    "a treasure below 0": ("t1,treasure,,-5,2\n", "line 2: value is '-5'"),
    "a treasure too high": ("t1,treasure,,1001,2\n", "line 2: value is '1001'"),
    "half a gem": ("t1,treasure,,2.5,2\n", "line 2: value is '2.5'"),
    "no copies": ("t1,treasure,,5,0\n", "line 2: copies is '0'"),
    "copies missing": ("t1,treasure,,5,\n", "line 2: copies is ''"),
    "a row cut short": ("t1,treasure,,5\n", "line 2: it has fewer cells than the file has columns"),
    "a row too long": (
        "t1,treasure,,5,1,1\n",
        "line 2: it has more cells than the file has columns",
    ),
    "a trap without type": (TREASURE + "a,trap,,,3\n", "line 3: a trap needs its type"),
    "a relic of a word": (TREASURE + "r,relic,,much,1\n", "line 3: value is 'much'"),
    "too many types": (
        TREASURE + "".join(f"{t},trap,{t},,1\n" for t in "abcdefghijk"),
        "11 trap types",
    ),
    "too many cards": (TREASURE + "t2,treasure,,1,42\n", "the box takes 63"),
}


def read(folder: Path, text: str, **more: str) -> None:
    path = folder / "cards.csv"
    path.write_text(text, encoding="utf-8")
    rule_book(GAME, "standard", {"cards": path, **more})


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_is_said_with_its_place(name: str, tmp_path: Path) -> None:
    rows, sentence = WRONG[name]
    with pytest.raises(UserError) as caught:
        read(tmp_path, HEAD + rows)
    assert sentence in str(caught.value)
    assert "cards.csv" in str(caught.value)


@pytest.mark.parametrize("column", ["id", "category", "subtype", "value", "copies"])
def test_a_missing_column_is_named(column: str, tmp_path: Path) -> None:
    names = [name for name in HEAD.strip().split(",") if name != column]
    with pytest.raises(UserError, match=f"no column '{column}'"):
        read(tmp_path, ",".join(names) + "\n")


def test_a_missing_file_is_named() -> None:
    with pytest.raises(UserError, match=r"nowhere\.csv"):
        rule_book(GAME, "standard", {"cards": "nowhere.csv"})


@pytest.mark.parametrize("copies", [1, 43])
def test_a_full_box_is_read(copies: int, tmp_path: Path) -> None:
    read(tmp_path, HEAD + f"t1,treasure,,0,{copies}\n")


def test_rows_for_other_rule_sets_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "cards.csv"
    head = HEAD.strip() + ",rulesets\n"
    path.write_text(
        f"{head}t1,treasure,,5,2,standard;bga\nt2,treasure,,9,3,tag\n", encoding="utf-8"
    )
    cards = {rules: rule_book(GAME, rules, {"cards": path}) for rules in ("standard", "bga", "tag")}
    ids = {rules: [row["id"] for row in book.rows["cards"]] for rules, book in cards.items()}
    assert ids == {"standard": ["t1"], "bga": ["t1"], "tag": ["t2"]}


@pytest.mark.parametrize(
    "rows",
    [
        "t1,treasure,,--5,2\n",
        "t1,treasure,,\N{SUPERSCRIPT TWO},2\n",
        TREASURE + "a,trap,a,high,2\n",
    ],
)
def test_a_number_that_only_looks_like_one_is_said(rows: str, tmp_path: Path) -> None:
    with pytest.raises(UserError):
        read(tmp_path, HEAD + rows)
