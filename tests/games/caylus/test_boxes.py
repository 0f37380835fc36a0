"""The five data files of Caylus: what they add up to, and what is refused with which sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from simlab import Table
from simlab.core.game import rule_book
from simlab.errors import UserError
from simlab.games.caylus import GAME, boxes
from tests.games.caylus.board import rows_of, write

Rows = list[dict[str, Any]]


def test_the_shipped_tiles_add_up_as_the_rules_page_says() -> None:
    totals = boxes.building_totals(rule_book(GAME).rows["buildings"])
    assert [totals[f"points of {kind} tiles"] for kind in ("wood", "stone", "prestige")] == [
        24,
        42,
        122,
    ]
    costs = [totals[f"{kind} cost of prestige tiles"] for kind in ("food", "wood", "stone")]
    assert costs == [3, 6, 17]
    assert totals["gold cost of prestige tiles"] == 15
    assert totals["favors of prestige tiles"] == 5


def test_the_other_files_add_up() -> None:
    rows = rule_book(GAME).rows
    castle = boxes.castle_totals(rows["castle"])
    assert (castle["parts"], castle["points of all parts"]) == (30, 112)
    assert castle["favors of a player at most"] == 7
    assert boxes.road_totals(rows["road"])["spaces with empty"] == 19
    assert [boxes.setup_totals(rows["setup"])[f"deniers of {n} players"] for n in (2, 3, 4, 5)] == [
        10,
        17,
        24,
        31,
    ]
    favors = boxes.favor_totals(rows["favors"])
    assert (favors["points of all columns"], favors["deniers of all columns"]) == (15, 25)
    assert favors["columns that build"] == 4


def change(key: str, value: str, column: str, new: str) -> Callable[[Rows], Rows]:
    """Return what gives a column of the row whose `key` is `value` another content."""
    return lambda rows: [row | ({column: new} if row[key] == value else {}) for row in rows]


def without(key: str, value: str) -> Callable[[Rows], Rows]:
    """Return what leaves out the row whose `key` is `value`."""
    return lambda rows: [row for row in rows if row[key] != value]


WRONG = [
    ("buildings", change("tile_no", "23", "cost_wood", "many"), "cost_wood is 'many'"),
    ("buildings", change("tile_no", "23", "cost_wood", "21"), "from 0 to 20"),
    ("buildings", change("tile_no", "23", "tile_no", "12"), "tile_no is '12'"),
    ("buildings", change("tile_no", "23", "tile_no", "22"), "is given twice"),
    ("buildings", change("tile_no", "23", "kind", "brick"), "no kind 'brick'"),
    ("buildings", change("tile_no", "23", "id", "A bank"), "id is 'A bank'"),
    ("buildings", change("tile_no", "23", "income", "1"), "income is '1'"),
    ("buildings", change("tile_no", "23", "worker_effect", "gain(points=3)"), "none that a tile"),
    ("buildings", change("tile_no", "23", "worker_effect", "gain(gems=3)"), "is no amount"),
    ("buildings", change("tile_no", "23", "worker_effect", "dance"), "cannot be read"),
    ("buildings", change("tile_no", "23", "worker_effect", "gain(wood=6)"), "too much"),
    ("buildings", change("tile_no", "23", "owner_effect", ""), "point=1 on placement"),
    ("buildings", without("id", "inn"), "has no inn"),
    ("buildings", without("id", "residence"), "has no the residence"),
    ("buildings", without("id", "neutral_farm"), "6 spaces for neutral tiles"),
    ("buildings", without("id", "gold_mine"), "'gold_mine' on space 16"),
    (
        "buildings",
        change("id", "merchants_guild", "worker_effect", "provost(-4..4,free)"),
        "the effect of merchants_guild",
    ),
    ("buildings", change("tile_no", "23", "cost_wood", "01"), "cost_wood is '01'"),
    ("buildings", change("tile_no", "23", "id", "walls"), "a word of the game"),
    ("buildings", change("id", "gate", "id", "door"), "kind is 'special'"),
    ("buildings", change("tile_no", "23", "worker_effect", "nonegain(wood=1)"), "none that a tile"),
    (
        "buildings",
        change("tile_no", "23", "worker_effect", "build(wood,discount_wood=1)"),
        "none that a tile",
    ),
    ("buildings", change("tile_no", "4", "in_default_game", "0"), "from 1 to 1"),
    ("road", change("road_pos", "28", "zone", "raod"), "no zone 'raod'"),
    ("road", change("road_pos", "9", "marker", "stop"), "no marker 'stop'"),
    ("castle", change("section", "walls", "favors_by_min_parts", "2:1;2:3"), "more and more"),
    ("road", without("road_pos", "7"), "number 7"),
    ("road", change("road_pos", "9", "buildable", "0"), "buildable is 0"),
    ("road", change("road_pos", "12", "marker", ""), "castle file"),
    ("road", change("road_pos", "6", "marker", ""), "has 0 spaces"),
    ("favors", change("effect", "none", "effect", "gain(points=1)"), "the effect of buildings"),
    ("favors", change("line", "a", "effect", "gain(deniers=1)"), "the effect of prestige"),
    ("favors", without("line", "c"), "no row for c1"),
    ("favors", change("column", "1", "unlocked_after", "walls_scored"), "from left to right"),
    ("castle", without("section", "walls"), "has the sections"),
    ("castle", change("section", "walls", "capacity", "31"), "capacity is '31'"),
    ("castle", change("section", "walls", "trigger_road_pos", "12"), "must grow"),
    ("castle", change("section", "walls", "trigger_road_pos", "17"), "change both files"),
    ("castle", change("section", "walls", "favors_by_min_parts", "two"), "favors_by_min_parts"),
    ("setup", without("rank", "5"), "rank 5 of 5 players"),
    ("setup", change("rank", "5", "workers", "0"), "workers is '0'"),
]


@pytest.mark.parametrize(("name", "spoil", "says"), WRONG, ids=range(len(WRONG)))
def test_a_wrong_file_is_refused_in_a_sentence(
    name: str, spoil: Callable[[Rows], Rows], says: str, tmp_path: Path
) -> None:
    path = write(tmp_path, name, spoil(rows_of(name)))
    with pytest.raises(UserError) as told:
        rule_book(GAME, "standard", {name: path})
    assert says in str(told.value)
    assert str(told.value).count("\n") == 0


def test_an_own_file_may_open_columns_at_other_times(tmp_path: Path) -> None:
    rows = [row | {"unlocked_after": "start"} for row in rows_of("favors")]
    book = rule_book(GAME, "standard", {"favors": write(tmp_path, "favors", rows)})
    assert book.record[0].open_columns.tolist() == [5, 5, 5, 5]


@pytest.mark.parametrize("given", ["5", "5;6;7", "5,6", "a;b", "5;201", "-1;5", ""])
def test_start_deniers_are_two_numbers(given: str) -> None:
    with pytest.raises(UserError, match="two numbers from 0 to 200"):
        rule_book(GAME, "standard", {"two_player_start_deniers": given})


def test_a_short_road_is_played_to_its_end(tmp_path: Path) -> None:
    last = [row for row in rows_of("road") if not row["road_pos"] or int(row["road_pos"]) <= 25]
    table = Table("caylus", 3, set={"road": write(tmp_path, "road", last)})
    table.play_out("random*3")
    assert table.finished
    assert int(table.public.provost) <= 25
