"""Tricky cases of Caylus as scripted games: c01 to c24.

Words are played by whoever is asked: seat 0, seat 1 ... while workers are placed. `shops` is a
board with a carpenter on space 1, a mason on 2, a lawyer on 3 and an architect on 4; the first
tiles built go to spaces 9 and 10. Bailiff and provost begin on space 10 there.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from simlab import Table
from simlab.errors import IllegalAction
from tests.games.caylus.board import (
    LAWYER,
    NEUTRALS,
    asked,
    column,
    deliver,
    deniers,
    go,
    held,
    illegal,
    markers,
    over,
    owners,
    parts,
    points,
    quiet,
    road,
    roads,
    shops,
    supply,
    triggers,
    words,
    workers,
)

LINES = {"favor prestige", "favor deniers", "favor resources", "favor buildings"}
PLENTY = "60 20 20 20 20 20"
FARM = {"worker_effect": "gain(food=1)|gain(cloth=1)"}
each_set = pytest.mark.parametrize("rules", ["standard", "official"])


def favors_of(table: Table, seat: int) -> int:
    """Return how many favors a seat has had, lost ones too."""
    names = ("prestige", "deniers", "resources", "buildings", "lost")
    return sum(column(table, f"favors_{name}")[seat] for name in names)


# -- c01, c02, c20: favors


def test_c01_favors_of_one_phase_go_to_different_lines_and_the_next_phase_is_free(
    tmp_path: Path,
) -> None:
    tiles = {"wood_mason": {"favors": 3}, "wood_farm_food": {"favors": 1}}
    table = shops(tmp_path, tiles=tiles)
    quiet(go(table, "place road 1; place road 8; place castle; pass; pass"), "wood")
    go(table, "wood wood_mason")
    assert words(table) == LINES
    assert words(go(table, "favor prestige")) == LINES - {"favor prestige"}
    assert words(go(table, "favor deniers")) == {"favor resources", "favor buildings"}
    go(table, "favor buildings")
    assert markers(table, 0) == [1, 1, 0, 1]
    assert asked(go(table, "wood wood_farm_food")) == (1, "favor")
    assert words(table) == LINES  # another player has a memory of his own
    deliver(quiet(go(table, "favor deniers"), "castle"), 1)
    assert (asked(table), words(table)) == ((0, "favor"), LINES)
    assert markers(go(table, "favor prestige"), 0) == [2, 1, 0, 1]


def test_c01_a_fifth_favor_of_a_phase_is_lost(tmp_path: Path) -> None:
    tiles = {"wood_mason": {"favors": 4}, "wood_farm_food": {"favors": 1}}
    table = shops(tmp_path, tiles=tiles)
    go(table, "place joust; pass; place road 1; pass; joust pay; favor buildings")
    go(quiet(table, "wood"), "wood wood_mason")
    assert words(table) == LINES  # the joust belongs to phase 3
    go(table, "favor buildings; column 2; wood wood_farm_food; favor prestige; favor deniers")
    assert asked(table) == (0, "column")  # the line left was not asked for
    go(table, "column 1")
    assert asked(table) == (0, "place")
    assert markers(table, 0) == [1, 1, 1, 2]
    assert column(table, "favors_lost") == [1, 0]
    assert favors_of(table, 0) == 6


def test_c02_the_marker_goes_to_column_2_then_4_then_5(tmp_path: Path) -> None:
    table = shops(tmp_path, castle=triggers(13, 16, 24))
    reached = []
    for _ in range(8):
        over(table, "place joust; pass; pass; joust pay; favor prestige")
        reached.append((int(table.public.section), markers(table, 0)[0]))
    assert reached == [(0, 1), (0, 2), (1, 2), (1, 3), (1, 4), (2, 4), (2, 5), (2, 5)]
    assert column(table, "favor_points")[0] == 1 + 2 + 2 + 3 + 4 + 4 + 5 + 5


@pytest.mark.parametrize("line", ["deniers", "resources", "buildings"])
def test_c02_the_other_lines_are_closed_alike(line: str, tmp_path: Path) -> None:
    table = shops(tmp_path)
    place = ("prestige", "deniers", "resources", "buildings").index(line)
    for reached in (1, 2, 2):
        over(table, f"place joust; pass; pass; joust pay; favor {line}")
        assert markers(table, 0)[place] == reached
    assert table.public.section == 0


def test_c20_two_favors_of_the_monument_one_by_one(tmp_path: Path) -> None:
    table = shops(tmp_path)
    go(quiet(go(table, "place road 3; pass; pass"), "residence"), "residence road 5")
    go(quiet(go(table, "place road 4; pass; pass"), "prestige"), "prestige monument")
    assert words(table) == LINES
    assert words(go(table, "favor deniers")) == LINES - {"favor deniers"}
    assert asked(go(table, "favor prestige")) == (0, "place")
    assert points(table)[0] == 2 + 14 + 1
    assert column(table, "favors_lost") == [0, 0]


def test_c20_four_favors_of_one_building_use_all_lines(tmp_path: Path) -> None:
    table = shops(tmp_path, tiles={"wood_mason": {"favors": 4}})
    go(quiet(go(table, "place road 1; pass; pass"), "wood"), "wood wood_mason")
    go(table, "favor resources; column 1; favor prestige; favor buildings")
    assert asked(table) == (0, "place")  # the last line was taken unasked
    assert markers(table, 0) == [1, 1, 1, 1]
    assert column(table, "favors_lost") == [0, 0]


# -- c03, c05, c16, c17: residences


@pytest.mark.parametrize(
    ("stocks", "shift", "can"),
    [
        ("0 0 0 0 2 5", "provost 0", True),
        ("0 0 0 0 2 5", "provost -1", False),  # the last denier is gone
        ("9 0 0 0 0 5", "provost 0", False),  # no cloth
        ("9 0 0 0 1 0", "provost 0", True),
    ],
)
def test_c03_gold_is_neither_denier_nor_cloth(
    stocks: str, shift: str, can: bool, tmp_path: Path
) -> None:
    table = quiet(go(shops(tmp_path, stocks), "place road 3; pass"), "provost")
    go(table, "provost 0", shift)
    assert (table.decision == "residence") == can
    if can:
        before, gold = deniers(table)[0], held(table, 0).get("gold", 0)
        go(table, "residence road 5")
        assert (road(table)[5], points(table)[0]) == ("residence", 2)
        assert held(table, 0).get("gold", 0) == gold
        assert deniers(table)[0] == before - 1 + 2 + 1  # price, then income


def test_c03_gold_replaces_no_cube_of_a_price(tmp_path: Path) -> None:
    table = go(shops(tmp_path, "9 1 0 0 0 5"), "place road 1; place road 2; pass; pass")
    assert asked(quiet(table, "wood", "stone", "place")) == (0, "place")
    assert table.public.rounds == 2  # neither carpenter nor mason asked for anything


@pytest.mark.parametrize("value", [4, 3])
def test_c05_points_of_the_lawyer_are_a_setting(value: int, tmp_path: Path) -> None:
    table = shops(tmp_path, lawyer_points=value)
    go(quiet(go(table, "place road 1; pass; pass"), "wood"), "wood wood_lawyer")
    assert points(table) == [value, 0]
    assert column(table, "building_points") == [value, 0]


def test_c16_no_worker_on_a_residence_or_a_blue_building(tmp_path: Path) -> None:
    table = shops(tmp_path)
    go(quiet(go(table, "place road 3; pass; place road 4; pass"), "residence"), "residence road 5")
    assert road(table)[5] == "residence"
    blue = go(table.clone(), "prestige hotel")
    go(table, "prestige none")
    assert road(blue)[5] == "hotel"
    for standing in (table, blue):
        assert standing.decision == "place"
        assert roads(standing) == {1, 2, 3, 4, 6, 7, 8, 16}
        assert illegal(standing, "place road 5")
        go(standing, "place gate; pass; pass")
        assert roads(standing) == {1, 2, 3, 4, 6, 7, 8, 16}


def settled(folder: Path) -> Table:
    """Return a game in which seat 0 has a sawmill on 9 and a statue on 6, seat 1 a lawyer on 10."""
    table = shops(folder)
    go(table, "place road 1; place road 8; place road 3; pass; place road 4; pass")
    go(quiet(table, "wood"), "wood wood_sawmill; residence road 6; prestige statue; favor deniers")
    return go(table, "wood wood_lawyer")


def test_c17_a_lawyer_turns_neutral_or_own_brown_and_grey_tiles(tmp_path: Path) -> None:
    table = settled(tmp_path)
    assert road(table) | {9: "wood_sawmill", 10: "wood_lawyer", 6: "statue"} == road(table)
    assert owners(table) == {6: 0, 9: 0, 10: 1}
    go(quiet(go(table, "place road 3; place road 2; pass; pass"), "stone"), "stone none")
    assert words(table) == {"residence none", *(f"residence road {s}" for s in (1, 2, 4, 5, 9))}
    for space in (3, 6, 7, 8, 10, 16, 11):  # lawyer, blue, printed, rival's, printed, empty
        assert illegal(table, f"residence road {space}")
    go(table, "residence road 5")
    go(quiet(go(table, "place road 3; place road 10; pass; pass"), "residence"), "residence none")
    assert asked(table) == (1, "residence")  # at the built lawyer: all neutral tiles but lawyers
    assert words(table) == {"residence none", *(f"residence road {s}" for s in (1, 2, 4))}


def test_c17_an_own_lawyer_is_no_target_either(tmp_path: Path) -> None:
    table = shops(tmp_path)
    over(quiet(go(table, "place road 1; pass; pass"), "wood"), "wood wood_lawyer")
    go(quiet(go(table, "place road 1; pass; pass"), "wood"), "wood wood_sawmill")
    quiet(go(table, "place road 9; pass; pass"), "residence")
    assert words(table) == {"residence none", *(f"residence road {s}" for s in (1, 2, 4, 5, 6, 10))}


def test_c17_a_tile_is_chosen_once(tmp_path: Path) -> None:
    """A tile that waits for its worker to go is taken; it changes right after its use."""
    order = ("neutral_sawmill", "neutral_market", *NEUTRALS[:2], "neutral_farm", "neutral_forest")
    tiles = {"neutral_market": {"worker_effect": LAWYER}, "neutral_farm": FARM}
    table = shops(tmp_path, order=order, tiles=tiles)
    go(table, "place road 1; place road 2; pass; place road 5; place road 6; pass")
    go(quiet(table, "residence"), "residence road 5")
    assert (road(table)[5], points(table)) == ("neutral_farm", [0, 0])
    assert asked(table) == (1, "residence")
    assert words(table) == {"residence none", *(f"residence road {s}" for s in (3, 4, 6))}
    go(table, "residence road 6")
    assert asked(table) == (1, "produce")  # the farm works once more
    go(table, "produce second")
    assert (road(table)[5], owners(table)[5]) == ("residence", 0)
    assert (road(table)[6], points(table)) == ("neutral_forest", [2, 0])
    go(table, "produce first")
    assert (road(table)[6], owners(table)[6], points(table)) == ("residence", 1, [2, 2])


def test_c18_a_blue_building_is_built_once(tmp_path: Path) -> None:
    table = shops(tmp_path, tiles={"neutral_market": {"worker_effect": LAWYER}})
    go(quiet(go(table, "place road 3; pass; place road 6; pass"), "residence"), "residence road 5")
    go(table, "residence road 1")
    go(quiet(go(table, "place road 4; pass; pass"), "prestige"), "prestige hotel")
    assert "hotel" not in supply(table)
    quiet(go(table, "place road 4; pass; pass"), "prestige")
    assert words(table) == {"prestige none", *(f"prestige {name}" for name in LEFT)}
    assert illegal(table, "prestige hotel")
    go(table, "prestige cathedral")
    assert {5: "cathedral", 1: "hotel"}.items() <= road(table).items()


LEFT = ("statue", "granary", "library", "weaver", "theater", "college", "monument", "cathedral")


# -- c04, c09 to c11, c19, c22: the castle

SIX = ("wood stone", "wood cloth", "wood gold", "stone cloth", "stone gold", "cloth gold")


@pytest.mark.parametrize(
    ("cubes", "batches"),
    [
        ("3 0 3 0 0", ()),  # food, stone, stone
        ("3 6 0 0 0", ()),
        ("0 2 2 2 2", ()),  # no food
        ("9 0 0 0 9", ()),  # gold is one kind
        ("1 1 1 0 0", ("wood stone",)),
        ("1 0 2 0 1", ("stone gold",)),
        ("2 1 0 1 1", ("wood cloth", "wood gold", "cloth gold")),
        ("2 1 1 1 1", SIX),
    ],
)
def test_c04_a_batch_is_a_food_and_two_different_cubes(
    cubes: str, batches: tuple[str, ...], tmp_path: Path
) -> None:
    table = quiet(go(shops(tmp_path, f"9 {cubes}"), "place castle; pass; pass"), "castle", "place")
    if not batches:
        assert (table.public.rounds, points(table), parts(table, 0)) == (2, [-2, 0], [0, 0, 0])
        return
    assert words(table) == {"castle stop", *(f"castle {batch}" for batch in batches)}
    assert all(illegal(table, f"castle {batch}") for batch in SIX if batch not in batches)
    before, kinds = held(table, 0), ("food", *batches[-1].split())
    go(table, f"castle {batches[-1]}")
    left = {kind: count - (kind in kinds) for kind, count in before.items()}
    assert held(table, 0) == {kind: count for kind, count in left.items() if count}
    assert (points(table), parts(table, 0)) == ([5, 0], [1, 0, 0])


def test_c04_two_cubes_of_a_kind_are_no_batch(tmp_path: Path) -> None:
    table = quiet(go(shops(tmp_path), "place castle; pass; pass"), "castle")
    for word in ("castle stone stone", "castle food wood", "castle gold gold"):
        with pytest.raises(IllegalAction):
            go(table, word)


def test_c09_one_worker_of_a_player_in_the_castle(tmp_path: Path) -> None:
    table = go(shops(tmp_path, players=3), "place castle; place castle; place road 5")
    assert illegal(table, "place castle")
    go(table, "place gate")
    assert illegal(table, "place castle")
    go(table, "pass; place castle; pass; pass")
    assert table.public.queue[:3].tolist() == [0, 1, 2]
    assert (asked(table), "gate castle" in words(table)) == ((0, "gate"), False)


@pytest.mark.parametrize(("rules", "lost"), [("standard", -2), ("official", 0)])
def test_c10_cubes_but_no_room_in_the_towers(rules: str, lost: int, tmp_path: Path) -> None:
    one = {"capacity": 1}
    castle = triggers(12, 18, 24, dungeon=one, walls=one, towers=one)
    table = shops(tmp_path, PLENTY + " 6 20", rules=rules, castle=castle)
    quiet(go(table, "place castle; place castle; pass; pass"), "castle")
    go(table, *["castle wood stone"] * 3)
    assert asked(table) == (0, "favor")  # neither another batch nor the second player
    assert column(table, "penalty_points") == [0, lost]
    assert points(table) == [20 + 5 + 4 + 3, 20 + lost]


@each_set
def test_c10_room_left_is_no_excuse(rules: str, tmp_path: Path) -> None:
    table = shops(tmp_path, PLENTY + " 6 20", rules=rules)
    over(quiet(go(table, "place castle; pass; pass"), "castle"), "castle stop")
    assert points(table) == [18, 20]


def test_c11_among_equal_builders_the_first_in_the_castle_has_the_favor(tmp_path: Path) -> None:
    table = shops(tmp_path, players=3)
    go(table, "place road 5; place castle; pass; place castle; pass; pass")
    quiet(table, "castle")
    nothing, more = table.clone(), table.clone()
    assert asked(deliver(table, 1)) == (0, "castle")
    assert asked(deliver(table, 1)) == (1, "favor")
    assert asked(deliver(deliver(more, 1), 2)) == (0, "favor")
    assert asked(deliver(deliver(nothing, 0), 0)) == (0, "place")
    assert [favors_of(nothing, seat) for seat in range(3)] == [0, 0, 0]
    assert points(nothing) == [-2, -2, 0]


SECTIONS = {
    "dungeon": {1: 0, 2: 1, 3: 1, 4: 1, 6: 1},
    "walls": {1: 0, 2: 1, 3: 2, 4: 2, 5: 3, 6: 3, 10: 3},
    "towers": {1: 0, 2: 1, 3: 1, 4: 2, 5: 2, 6: 3, 7: 3, 14: 3},
}


@pytest.mark.parametrize("section", SECTIONS)
def test_c19_thresholds_of_a_section_are_at_least(section: str, tmp_path: Path) -> None:
    """Seat 1 fills the sections before with one part each; those are counted in the same phase."""
    before = list(SECTIONS).index(section)
    due = [3, 5, 7]
    due[before:] = [11, 15, 24][: 3 - before]
    small = {name: {"capacity": 1} for name in list(SECTIONS)[:before]}
    table = shops(tmp_path, PLENTY, castle=triggers(*due, **small))
    quiet(go(table, "place road 5; place castle; place castle; pass; pass"), "castle")
    deliver(table, before)
    found = {}
    for count in SECTIONS[section]:
        twin = quiet(deliver(table.clone(), count), "place")
        best = count > before  # the best builder of the round has a favor too
        assert parts(twin, 0)[before] == count
        found[count] = favors_of(twin, 0) - best
    assert found == SECTIONS[section]


def test_c19_penalties_of_a_section_without_a_part(tmp_path: Path) -> None:
    lost = []
    for due in ((11, 15, 24), (3, 11, 24), (3, 5, 11)):
        table = quiet(go(shops(tmp_path, castle=triggers(*due)), "pass; pass; provost 0"), "place")
        lost.append(points(table)[0])
    assert lost == [-2, -2 - 3, -2 - 3 - 4]


def test_c22_a_section_filled_in_a_turn_spills_over_and_is_counted_at_the_end(
    tmp_path: Path,
) -> None:
    late = {f"{line}2": {"unlocked_after": "dungeon_scored"} for line in "abcd"}
    table = shops(tmp_path, PLENTY, favors=late)
    quiet(go(table, "place castle; pass; pass"), "castle")
    go(table, *["castle wood stone"] * 7)
    assert (points(table), parts(table, 0)) == ([6 * 5 + 4, 0], [6, 1, 0])
    assert (table.public.section, asked(table)) == (0, (0, "castle"))
    go(table, "castle stop; favor prestige")  # of the best builder
    assert (markers(table, 0)[0], asked(table)) == (1, (0, "favor"))
    go(table, "favor prestige")  # of the count, still with the old limit
    assert (markers(table, 0)[0], column(table, "favor_points")[0]) == (1, 2)
    assert (table.public.section, table.public.bailiff, points(table)) == (1, 11, [36, -2])
    go(table, "place joust; pass; pass; joust pay; favor prestige")
    assert markers(table, 0)[0] == 2


# -- c06: the inn


def test_c06_who_comes_to_the_inn_drives_out_who_was_there(tmp_path: Path) -> None:
    table = go(shops(tmp_path, players=3), "place inn; pass; pass")
    had = deniers(table)[0]
    go(table, "place road 5")
    assert deniers(table)[0] == had - 3  # the left circle makes nothing cheaper
    quiet(go(table, "pass"), "place")
    assert (table.public.inn.tolist(), workers(table)) == ([-1, 0], [5, 6, 6])
    had = deniers(table)[0]
    go(table, "place road 5; place inn; pass; place road 6; pass; place road 7")
    assert deniers(table)[0] == had - 3  # 1 each, whoever passed
    quiet(go(table, "pass"), "inn", "produce")
    assert table.decision != "inn"  # nothing is asked when somebody comes
    assert table.public.inn.tolist() == [-1, 1]
    quiet(table, "place")
    assert workers(table) == [6, 5, 6]
    had = deniers(table)[1]
    go(table, "pass; place road 5; pass; place road 6")
    assert deniers(table)[1] == had - 2
    quiet(go(table, "pass"), "inn")
    assert (asked(table), words(table)) == ((1, "inn"), {"inn leave", "inn keep"})
    stays = quiet(table.clone(), "place")
    assert (stays.public.inn.tolist(), workers(stays)) == ([-1, 1], [6, 5, 6])
    quiet(go(table, "inn leave"), "place")
    assert (table.public.inn.tolist(), workers(table)) == ([-1, -1], [6, 6, 6])
    had = deniers(table)[1]
    go(table, "pass; place road 5")
    assert deniers(table)[1] == had - 2


# -- c07, c08: the gate


def test_c07_the_gate_leads_to_free_places_that_one_may_take_free_of_charge(
    tmp_path: Path,
) -> None:
    table = shops(tmp_path)
    go(table, "place gate; place trading_post; place castle; place guild; place stables")
    go(table, "place inn; place road 2; pass; pass")
    free = {f"gate road {space}" for space in (1, 3, 4, 5, 6, 7, 8, 16)}
    assert asked(table) == (0, "gate")
    assert words(table) == {"gate return", "gate joust", *free}
    for word in ("gate castle", "gate stables", "gate inn", "gate guild", "gate road 2"):
        assert illegal(table, word)
    with pytest.raises(IllegalAction):
        go(table, "gate gate")
    before = deniers(table)
    go(table, "gate joust")
    assert (deniers(table)[0], asked(table)) == (before[0], (1, "guild"))
    assert asked(go(table, "guild 0")) == (0, "joust")


def test_c07_others_in_castle_and_stables_do_not_bar_the_way(tmp_path: Path) -> None:
    table = go(shops(tmp_path), "place gate; place castle; pass; place stables; pass")
    assert {"gate castle", "gate stables", "gate inn"} <= words(table)
    go(table, "gate stables")
    assert table.public.order[:2].tolist() == [1, 0]


def test_c07_full_stables_and_a_stay_at_home(tmp_path: Path) -> None:
    table = shops(tmp_path, players=4)
    go(table, "place gate; place stables; place stables; place stables; pass; pass; pass; pass")
    assert (asked(table), "gate stables" in words(table)) == ((0, "gate"), False)
    quiet(go(table, "gate return"), "provost")
    assert (workers(table), table.public.special[2]) == ([6] * 4, -1)


def owned(folder: Path, how: str, tile: str, **changed: Any) -> Table:
    """Return a game in which seat 1 has a tile on space 9, in the second round."""
    space = {"wood": 1, "stone": 2}[how]
    table = shops(folder, **changed)
    go(quiet(go(table, "pass", f"place road {space}", "pass"), how), f"{how} {tile}")
    assert (asked(table), owners(table)) == ((0, "place"), {9: 1})
    return table


def test_c08_the_gate_leads_to_a_rivals_building_and_its_owner_scores(tmp_path: Path) -> None:
    table = go(owned(tmp_path, "stone", "stone_farm"), "place gate; pass; pass")
    before, cubes = deniers(table)[0], held(table, 0)
    go(table, "gate road 9")
    assert (points(table), deniers(table)[0]) == ([0, 3 + 1], before)
    assert column(table, "owner_points") == [0, 1]
    assert asked(quiet(table, "owner")) == (1, "owner")
    more = {kind: held(table, 0)[kind] - cubes[kind] for kind in cubes}
    assert {kind: count for kind, count in more.items() if count} == {"food": 2, "cloth": 1}
    owner = held(table, 1)
    assert held(go(table, "owner second"), 1)["cloth"] == owner["cloth"] + 1


# -- c12 to c14, c21, c23: bailiff and provost


@pytest.mark.parametrize(
    ("shift", "bailiff"), [("-3", 11), ("-1", 11), ("0", 11), ("+1", 12), ("+3", 12)]
)
def test_c12_the_bailiff_goes_two_steps_after_a_provost_ahead(
    shift: str, bailiff: int, tmp_path: Path
) -> None:
    table = over(shops(tmp_path, castle=triggers(13, 18, 24)), f"pass; pass; provost {shift}")
    assert (table.public.bailiff, table.public.provost) == (bailiff, bailiff)


@pytest.mark.parametrize(
    ("start", "last", "shifts"),
    [
        (1, 24, ["0", "+1", "+2", "+3"]),
        (3, 24, ["-2", "-1", "0", "+1", "+2", "+3"]),
        (10, 24, ["-3", "-2", "-1", "0", "+1", "+2", "+3"]),
        (26, 27, ["-3", "-2", "-1", "0", "+1", "+2"]),
    ],
)
def test_c13_the_provost_stays_on_the_road_and_goes_three_spaces_at_most(
    start: int, last: int, shifts: list[str], tmp_path: Path
) -> None:
    table = shops(tmp_path, start=start, castle=triggers(12, 18, last))
    go(table, "place guild; pass; pass")
    assert words(table) == {f"guild {shift}" for shift in shifts}
    go(table, "guild 0")
    assert words(table) == {f"provost {shift}" for shift in shifts}
    for shift in (shifts[0], shifts[-1]):
        twin = go(table.clone(), f"provost {shift}")
        assert twin.public.provost == start + int(shift)


@pytest.mark.parametrize(("held_by_seat", "most"), [(0, 0), (1, 1), (2, 2), (5, 3)])
def test_c13_nobody_moves_the_provost_further_than_he_can_pay(
    held_by_seat: int, most: int, tmp_path: Path
) -> None:
    table = go(shops(tmp_path, ["60", f"{held_by_seat}"]), "pass; place road 5")
    if table.decision == "place":
        go(table, "pass")
    assert deniers(table)[1] == held_by_seat
    go(table, "provost 0")
    if most == 0:
        assert asked(table) == (1, "produce")
        return
    assert words(table) == {"provost 0", *(f"provost {s:+d}" for s in range(-most, most + 1) if s)}


def test_c14_guild_first_and_free_then_the_bridge_in_passing_order(tmp_path: Path) -> None:
    table = go(shops(tmp_path, players=3), "place road 2; place guild; pass; pass; pass")
    assert table.public.pass_order[:3].tolist() == [2, 0, 1]
    before = deniers(table)
    assert asked(table) == (1, "guild")
    assert (asked(go(table, "guild +2")), table.public.provost) == ((2, "provost"), 12)
    assert deniers(table) == before
    assert (asked(go(table, "provost -3")), table.public.provost) == ((0, "provost"), 9)
    assert (asked(go(table, "provost +1")), table.public.provost) == ((1, "provost"), 10)
    assert asked(go(table, "provost 0")) == (0, "stone")  # nobody is asked twice
    assert deniers(table) == [before[0] - 1, before[1], before[2] - 3]
    assert column(table, "deniers_provost") == [1, 0, 3]


def test_c21_a_worker_beyond_the_provost_comes_home_with_nothing(tmp_path: Path) -> None:
    table = go(shops(tmp_path), "place road 16; pass; pass")
    assert (workers(table)[0], held(table, 0)["gold"]) == (5, 8)
    quiet(table, "place")
    assert (workers(table)[0], held(table, 0)["gold"]) == (6, 8)
    assert table.public.worker.max() == -1
    go(table, "place road 16; place guild; pass; pass; guild +3; provost +3")
    assert held(quiet(table, "place"), 0)["gold"] == 9


@pytest.mark.parametrize("by", ["placement", "gate"])
@pytest.mark.parametrize(("timing", "scored"), [("placement", [1, 1]), ("activation", [0, 0])])
def test_c23_the_owner_scores_when_the_worker_is_placed(
    by: str, timing: str, scored: list[int], tmp_path: Path
) -> None:
    """Then the provost leaves the tile out."""
    table = owned(tmp_path, "wood", "wood_sawmill", owner_point_timing=timing)
    if by == "placement":
        go(table, "place road 9; pass; pass")
    else:
        go(table, "place gate; pass; pass; gate road 9")
    assert column(table, "owner_points")[1] == scored[0]
    wood = held(table, 0)["wood"]
    used = quiet(table.clone(), "place")
    assert (column(used, "owner_points")[1], held(used, 0)["wood"]) == (1, wood + 2)
    quiet(go(table, "provost -3"), "place")
    assert (column(table, "owner_points")[1], held(table, 0)["wood"]) == (scored[1], wood)


# -- c15, c24: settings


@pytest.mark.parametrize(("rules", "cost"), [("standard", 2), ("official", 3)])
def test_c15_two_players_one_has_passed(rules: str, cost: int, tmp_path: Path) -> None:
    table = shops(tmp_path, rules=rules)
    before = deniers(table)
    go(table, "pass")
    assert deniers(table) == [before[0] + 1, before[1]]
    go(table, "place road 1; place inn")
    assert deniers(table)[1] == before[1] - 2 * cost
    go(table, "pass")
    assert deniers(table)[1] == before[1] - 2 * cost  # only the first to pass has a denier
    go(quiet(table, "wood"), "wood wood_sawmill")
    if table.to_move == 1:  # official: the turn order alternates
        go(table, "place trading_post")
    go(table, "pass")
    before = deniers(table)
    go(table, "place road 9")
    assert deniers(table)[1] == before[1] - 1
    go(table, "place road 5")  # with the worker in the inn
    assert deniers(table)[1] == before[1] - 2


@pytest.mark.parametrize(("rules", "cost"), [("standard", 2), ("official", 3)])
def test_c15_own_buildings_cost_one_denier_for_who_cannot_pay_more(
    rules: str, cost: int, tmp_path: Path
) -> None:
    table = shops(tmp_path, ["60 4 4", "0 4 4"], rules=rules)
    over(quiet(go(table, "place road 5; place road 1"), "wood"), "wood wood_sawmill")
    go(table, "place road 6; pass" if table.to_move == 1 else "pass; place road 6")
    assert deniers(table)[1] == cost - 1
    assert (words(table, "place"), roads(table)) == ({"place road 9"}, {9})
    go(table, "place road 9")
    assert deniers(table)[1] == cost - 2


@pytest.mark.parametrize("start", [0, 1, 5])
@pytest.mark.parametrize(("rules", "floor"), [("standard", None), ("official", 0)])
def test_c24_points_below_zero(rules: str, floor: int | None, start: int, tmp_path: Path) -> None:
    table = shops(tmp_path, f"9 0 0 0 0 0 6 {start}", rules=rules)
    over(table, "place castle; pass; pass")
    left = start - 2 if floor is None else max(start - 2, floor)
    assert points(table) == [left, start]
    assert column(table, "penalty_points") == [left - start, 0]


@each_set
def test_c24_penalties_of_a_section(rules: str, tmp_path: Path) -> None:
    table = shops(tmp_path, "9 0 0 0 0 0 6 1", rules=rules, castle=triggers(11, 18, 24))
    over(table, "pass; pass")
    assert points(table) == ([-1, -1] if rules == "standard" else [0, 0])
