"""What a file of cards may hold, and what `simlab check` says of one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from simlab import Table
from simlab.checks.data import check_data
from simlab.core.game import rule_book
from simlab.errors import UserError
from simlab.games.collier import GAME
from tests.games.collier.board import rows, with_copies, write


def book(path: Path) -> Any:
    return rule_book(GAME, "standard", {"cards": path})


def changed(card: str, **cells: object) -> list[dict[str, Any]]:
    """Return the shipped rows with other cells of one row."""
    return [row | (cells if row["id"] == card else {}) for row in rows()]


@pytest.mark.parametrize(
    ("card", "cells", "said"),
    [
        ("ruby_1", {"category": "stone"}, "category is 'stone'; it takes gem, accessory"),
        ("ruby_1", {"id": "ruby one"}, "id is 'ruby one'; it takes up to 40 letters"),
        ("ruby_1", {"id": "ruby_2"}, "the id 'ruby_2' is given twice"),
        ("ruby_1", {"id": "queen"}, "is the name of another card"),
        ("ruby_1", {"gem_type": "opal"}, "gem_type is 'opal'; it takes diamond, emerald"),
        ("ruby_1", {"gem_count": "6"}, "gem_count is '6'; it takes a whole number from 1 to 5"),
        ("ruby_1", {"gem_count": "0"}, "gem_count is '0'"),
        ("ruby_1", {"copies": "41"}, "copies is '41'; it takes a whole number from 0 to 40"),
        ("ruby_1", {"price_2": "6"}, "the prices 6, 6, 2, 1 do not fall"),
        ("ruby_1", {"price_1": "100"}, "price_1 is '100'; it takes a whole number from 0 to 99"),
        ("ruby_1", {"price_4": ""}, "price_4 is ''"),
        ("thief", {"id": "robber"}, "the character 'robber' is not known; it takes confessor"),
        ("thief", {"copies": "13"}, "copies is '13'; it takes a whole number from 0 to 12"),
        ("queens_necklace", {"copies": "2"}, "copies is '2'; it takes a whole number from 0 to 1"),
        ("ring", {"id": "banker_2"}, "the accessory 'banker_2' is not known"),
    ],
)
def test_a_wrong_cell_is_refused_with_its_line(
    card: str, cells: dict[str, Any], said: str, tmp_path: Path
) -> None:
    path = write(tmp_path, changed(card, **cells))
    line = [row["id"] for row in rows()].index(card) + 2
    at = line + 1 if "given twice" in said else line
    with pytest.raises(UserError) as refused:
        book(path)
    assert said in str(refused.value)
    assert f"{path}, line {at}:" in str(refused.value)


@pytest.mark.parametrize(
    ("copies", "said"),
    [
        ({"merchant": 2}, "has 2 merchants; a game has 3, one a sale"),
        ({"amber_1": 0, "diamond_1": 0, "ruby_1": 0, "emerald_1": 0, "ring": 0},
         "has 55 cards to be shuffled, merchants apart; it takes 60 to 120"),
        ({"amber_1": 40, "diamond_1": 10}, "cards to be shuffled"),
    ],
)  # fmt: skip
def test_wrong_numbers_are_refused(copies: dict[str, int], said: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=said):
        book(write(tmp_path, with_copies(**copies)))


def test_seventeen_rows_of_gems_are_too_many(tmp_path: Path) -> None:
    more = [rows()[0] | {"id": f"diamond_x{n}", "copies": "0"} for n in range(7)]
    with pytest.raises(UserError, match="has 17 rows of gems; it takes 1 to 16"):
        book(write(tmp_path, [*rows(), *more]))


def said(path: Path) -> dict[str, str]:
    """Return what is said of a file, by check, with whether it passed."""
    return {line.check: f"{line.status} {line.says}" for line in check_data(path, GAME)}


def test_check_compares_what_is_known_and_not_what_is_guessed(tmp_path: Path) -> None:
    known = said(write(tmp_path, rows()))
    assert "shuffled cards 100" in known["adds up"]
    # Another split of gems and characters is as good as the shipped one.
    split = said(write(tmp_path, with_copies(diamond_1=7, ruby_1=5, thief=2, alchemist=3)))
    assert split["adds up"].startswith("ok")
    few = said(write(tmp_path, with_copies(ring=6, amber_1=21)))
    assert few["adds up"].startswith("FAIL")
    assert "rings 6, printed 7" in few["adds up"]
    assert "gem cards 60, printed 59" in few["adds up"]
    ladder = said(write(tmp_path, changed("ruby_2", price_1="9")))
    assert "price 1 of 2 of a stone" in ladder["adds up"]


@pytest.mark.parametrize(
    "left_out", [("queen", "alchemist", "astrologer"), ("ring", "banker", "king"),
                 ("queens_necklace", "cardinal", "musketeers", "thief", "forger")],
)  # fmt: skip
def test_boxes_without_some_cards_are_played(left_out: tuple[str, ...], tmp_path: Path) -> None:
    kept = [row for row in rows() if row["id"] not in left_out]
    path = write(tmp_path, kept)
    for deal in range(5):
        table = Table(GAME, 3, "standard", {"cards": path}, deal=deal).play_out(["random"])
        assert table.finished
        assert not any(word in str(table.log.sentences()) for word in left_out)


def test_a_box_of_large_gems_in_another_order(tmp_path: Path) -> None:
    turned = list(reversed(rows()))
    large = [row | ({"gem_count": "5"} if row["id"] == "ruby_3" else {}) for row in turned]
    path = write(tmp_path, large)
    for deal in range(5):
        for strategy in ("random", "by_value", "king_denier"):
            table = Table(GAME, 4, "official", {"cards": path}, deal=deal).play_out([strategy])
            assert table.finished
