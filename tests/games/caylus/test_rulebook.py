"""The rules page of Caylus as scripted games: worked examples, edge cases, settings, doubts.

Words are played by whoever is asked. `shops` is a board with a carpenter on space 1, a mason on 2,
a lawyer on 3 and an architect on 4; the first tiles built go to spaces 9 and 10.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from simlab import Table
from tests.games.caylus.board import (
    KINDS,
    NEUTRALS,
    RICH,
    asked,
    board,
    column,
    deliver,
    deniers,
    go,
    held,
    illegal,
    markers,
    order_of,
    over,
    owners,
    parts,
    points,
    quiet,
    road,
    roads,
    shops,
    stroll,
    supply,
    triggers,
    words,
    workers,
)
from tests.harness import Spec, again, told

LINES = {"favor prestige", "favor deniers", "favor resources", "favor buildings"}
PLENTY = "60 20 20 20 20 20"
TWO = {"capacity": 2}
SWAP = {"effect": "pay(any5=1)->gain(any4=2)"}
CHEAP_CARPENTER = {"effect": "build(wood,discount_wood=1)"}
CHEAP_LAWYER = {"effect": "pay(cloth=1)->transform(residence)"}


def build(table: Table, seat: int, *tiles: str) -> Table:
    """Let a seat build wood and stone tiles, one a round, and begin the next round."""
    for tile in tiles:
        how = tile.split("_")[0]
        while table.to_move != seat:
            go(table, "pass")
        go(table, f"place road {1 if how == 'wood' else 2}")
        over(quiet(table, how), f"{how} {tile}")
    return table


def changes(table: Table, seat: int, *given: str) -> dict[str, int]:
    """Play words; return by how much cubes, deniers and points of a seat changed."""
    before = _stock(table, seat)
    now = _stock(go(table, *given), seat)
    return {kind: now[kind] - before[kind] for kind in now if now[kind] != before[kind]}


def _stock(table: Table, seat: int) -> dict[str, int]:
    cubes = dict.fromkeys(KINDS, 0) | held(table, seat)
    return {**cubes, "deniers": deniers(table)[seat], "points": points(table)[seat]}


# -- worked examples of section 17


def test_example_1_prices_while_others_pass(tmp_path: Path) -> None:
    """Seats: Blue, Green, Orange, Red."""
    table = shops(tmp_path, players=4)
    go(table, "pass; place road 1; pass; place road 8; pass; pass")
    go(quiet(table, "wood"), "wood wood_mason; wood wood_farm_food")
    assert owners(table) == {9: 1, 10: 3}
    assert changes(table, 0, "pass") == {"deniers": 1}
    assert changes(table, 1, "place road 7") == {"deniers": -2}
    assert changes(table, 2, "pass") == {}
    green = points(table)[1]
    assert changes(table, 3, "place road 9") == {"deniers": -3}
    assert points(table)[1] == green + 1
    assert changes(table, 1, "pass") == {}
    assert changes(table, 3, "place road 10") == {"deniers": -1}
    assert changes(table, 3, "place castle") == {"deniers": -4}
    assert points(table)[3] == 2


def test_example_2_the_stables(tmp_path: Path) -> None:
    """Seats: Red, Green, Orange, Blue."""
    table = shops(tmp_path, players=4)
    go(table, "place road 5; pass; pass; place stables; place stables; pass; pass")
    assert order_of(table) == [3, 0, 1, 2]
    assert table.public.stables.tolist() == [-1] * 4
    assert asked(quiet(table, "place")) == (3, "place")


def test_example_3_the_bridge(tmp_path: Path) -> None:
    """Seats: Red, Green, Orange, Blue."""
    table = shops(tmp_path, players=4)
    go(table, "place castle; place road 5; place road 6; pass; place guild; place road 7")
    go(table, "pass; pass; pass; guild 0")
    assert table.public.pass_order[:4].tolist() == [3, 2, 0, 1]
    assert changes(table, 3, "provost 0") == {}
    assert changes(table, 2, "provost -2") == {"deniers": -2}
    assert changes(table, 0, "provost +2") == {"deniers": -2}
    assert changes(table, 1, "provost -1") == {"deniers": -1}
    assert table.public.provost == 9
    assert column(table, "deniers_provost") == [2, 1, 2, 0]


def test_example_4_a_part_of_the_dungeon_is_left(tmp_path: Path) -> None:
    """Seats: Red, Green. Of two parts left Red builds one."""
    table = shops(tmp_path, castle=triggers(15, 18, 24, dungeon=TWO))
    quiet(go(table, "place castle; place castle; pass; pass"), "castle")
    deliver(table, 1)
    one = deliver(table.clone(), 1)
    deliver(table, 2)
    assert (parts(table, 0), parts(table, 1)) == ([1, 0, 0], [1, 1, 0])
    assert points(table) == [5, 5 + 4]
    assert asked(table) == (1, "favor")
    assert asked(one) == (0, "favor")


def test_example_5_the_dungeon_is_scored(tmp_path: Path) -> None:
    table = shops(tmp_path, players=4)
    go(table, "place castle; place castle; pass; place castle; pass; pass; pass")
    quiet(table, "castle")
    for count in (2, 3, 2):
        deliver(table, count)
    assert [parts(table, seat) for seat in range(4)] == [[2, 0, 0], [3, 0, 0], [0] * 3, [1, 1, 0]]
    assert asked(go(table, "favor deniers")) == (0, "favor")  # after the best builder
    assert asked(go(table, "favor deniers")) == (1, "favor")
    assert asked(go(table, "favor deniers")) == (0, "place")
    assert points(table) == [10, 15, -2, 9]
    assert column(table, "penalty_points") == [0, 0, -2, 0]
    assert column(table, "favors_deniers") == [1, 2, 0, 0]


def test_example_6_a_marker_that_is_blocked_brings_its_column(tmp_path: Path) -> None:
    table = shops(tmp_path, castle=triggers(15, 18, 24, dungeon=TWO))
    over(table, "place joust; pass; pass; joust pay; favor prestige")
    deliver(quiet(go(table, "place castle; pass; pass"), "castle"), 2)
    assert changes(table, 0, "favor prestige")["points"] == 2  # of the best builder
    assert (markers(table, 0)[0], asked(table)) == (2, (0, "favor"))
    assert changes(table, 0, "favor prestige")["points"] == 2  # of the Dungeon
    assert markers(table, 0)[0] == 2


def test_example_7_the_park_by_favor(tmp_path: Path) -> None:
    table = shops(tmp_path, "60 9 9 0 9 0", castle=triggers(15, 18, 24, dungeon=TWO))
    quiet(go(table, "place joust; pass; place castle; pass; joust pay; favor buildings"), "castle")
    deliver(table, 2, "castle wood cloth")
    go(table, "favor buildings; column none; favor prestige")
    assert (markers(table, 0)[3], table.public.section) == (2, 1)
    go(table, "place joust; pass; pass; joust pay; favor buildings")
    assert words(table) == {"column none", "column 2", "column 3"}
    go(table, "column 3")
    assert changes(table, 0, "stone stone_park") == {"food": -1, "points": 3}
    assert road(table)[9] == "stone_park"


# -- edge cases of section 12


def test_edge_1_markers_stand_beside_the_road(tmp_path: Path) -> None:
    table = shops(tmp_path, start=5)
    go(quiet(go(table, "place road 3; pass; pass"), "residence"), "residence road 5")
    assert road(table)[5] == "residence"
    for shift in ("-1", "-3", "+3"):  # on the residence, below it, above it
        before = deniers(table)
        go(table, "pass; pass", f"provost {shift}")
        quiet(table, "place")
        spent = 1 - abs(int(shift))  # the first to pass has a denier
        assert deniers(table) == [before[0] + spent + 3, before[1] + 2]
        assert road(table)[5] == "residence"


def test_edge_2_space_1_is_always_used(tmp_path: Path) -> None:
    order = (*NEUTRALS[1:], NEUTRALS[0])
    assert order[:2] == ("neutral_quarry", "neutral_sawmill")
    table = board(tmp_path, RICH, start=3, order=order)
    go(table, "place road 1; place road 2; pass; pass; provost -2")
    assert words(table) == {f"provost {shift}" for shift in ("0", "+1", "+2", "+3")}
    quiet(table, "place")
    assert (held(table, 0)["stone"], held(table, 1)["wood"]) == (12 + 1, 12)


def test_edge_3_deniers_of_the_trading_post_are_used_at_once(tmp_path: Path) -> None:
    table = shops(tmp_path, "0 0 0 0 1 0")
    go(table, "place trading_post; place road 5; place joust; pass")
    assert (asked(table), deniers(table)) == ((0, "joust"), [3, 2])
    go(table, "joust pay; favor prestige; provost 0")
    assert words(table) == {f"provost {shift}" for shift in ("-2", "-1", "0", "+1", "+2")}


def test_edge_3_cloth_of_the_road_is_too_late_for_the_joust(tmp_path: Path) -> None:
    table = board(tmp_path, "9", start=10)
    go(table, "place joust; pass; place road 4; pass")
    assert asked(table) == (1, "provost")
    quiet(go(quiet(table, "produce"), "produce second"), "place")
    assert (held(table, 0), markers(table, 0)) == ({"cloth": 1}, [0] * 4)


def test_edge_4_what_was_made_on_the_road_pays_for_what_comes_later(tmp_path: Path) -> None:
    first = ("neutral_sawmill", "neutral_carpenter")
    rest = tuple(name for name in NEUTRALS if name not in first)
    table = board(tmp_path, "9 1", start=10, order=(*first, *rest))
    go(table, "place road 1; pass; place road 2; pass")
    assert asked(quiet(table, "wood", "place")) == (0, "wood")
    table = board(tmp_path, "9 1", start=10, order=(*first[::-1], *rest))
    go(table, "place road 1; pass; place road 2; pass")
    assert asked(quiet(table, "wood", "place")) == (0, "place")
    table = board(tmp_path, "9 1 0 0 1", start=10)
    quiet(go(table, "place castle; pass; place road 3; pass"), "castle")
    assert words(table) == {"castle stop", "castle wood cloth"}


def test_edge_5_the_gate_reaches_what_comes_later_in_the_phase(tmp_path: Path) -> None:
    table = go(shops(tmp_path, players=3), "place gate; place road 5; place road 6")
    go(table, "pass; pass; pass")
    assert changes(table.clone(), 0, "gate trading_post") == {"deniers": 3}
    assert asked(go(table.clone(), "gate guild")) == (0, "guild")
    assert asked(go(table.clone(), "gate joust")) == (0, "joust")
    inn = go(table.clone(), "gate inn")
    assert (inn.public.inn.tolist(), workers(inn)[0]) == ([-1, 0], 5)
    stables = go(table.clone(), "gate stables")
    assert (order_of(stables), workers(stables)[0]) == ([0, 1, 2], 6)
    assert go(table, "gate castle").public.queue[0] == 0


def test_edge_5_with_every_place_taken_the_gates_worker_comes_home(tmp_path: Path) -> None:
    table = shops(tmp_path, "200 4 12 12 12 8 20")
    go(table, "place gate; place trading_post; place castle; place guild; place stables")
    go(table, "place joust; place inn", *[f"place road {s}" for s in (1, 2, 3, 4, 5, 6, 7, 8, 16)])
    assert words(go(table, "pass"), "place") == set()  # the other had no place left
    assert asked(table) == (1, "guild")
    assert (table.public.special[2], workers(table)[0]) == (-1, 20 - 7)


def test_edge_6_both_circles_of_the_inn_use_two_workers(tmp_path: Path) -> None:
    table = over(shops(tmp_path), "place inn; pass; pass")
    go(table, "place inn")
    assert (table.public.inn.tolist(), workers(table)[0]) == ([0, 0], 4)
    assert asked(go(table, "pass; pass")) == (1, "provost")  # nobody is asked to leave
    assert (table.public.inn.tolist(), workers(table)[0]) == ([-1, 0], 5)


def test_edge_7_owners_score_for_workers_at_every_price(tmp_path: Path) -> None:
    table = shops(tmp_path)
    go(table, "place inn; place road 1; pass; pass")
    over(quiet(table, "wood"), "wood wood_sawmill")
    own = go(table.clone(), "pass")
    assert changes(own, 1, "place road 9") == {"deniers": -1}  # a tile of one's own: no point
    assert points(own) == [0, 2]
    cheap = changes(table, 0, "place road 9")
    assert (cheap, points(table)) == ({"deniers": -1}, [0, 2 + 1])


def test_edge_8_a_tile_built_by_a_favor_of_phase_7_is_used_from_the_next_round_on(
    tmp_path: Path,
) -> None:
    table = shops(tmp_path, castle=triggers(15, 18, 24, dungeon=TWO))
    deliver(quiet(go(table, "place castle; pass; pass"), "castle"), 2)
    assert asked(go(table, "favor buildings")) == (0, "favor")  # column 1 has nothing to ask
    assert words(go(table, "favor buildings")) == {"column none", "column 2"}
    go(table, "column 2")
    assert words(table) == {f"wood {tile}" for tile in supply(table) if tile.startswith("wood")}
    got = changes(table, 0, "wood wood_mason")
    assert got == {"food": -1, "points": 4, "deniers": 2}  # and the next income
    assert (road(table)[9], 9 in roads(table), table.public.rounds) == ("wood_mason", True, 2)


def test_edge_9_a_tile_with_a_worker_changes_after_its_use(tmp_path: Path) -> None:
    table = build(shops(tmp_path), 0, "wood_sawmill")
    quiet(go(table, "place road 3; place castle; place road 9; pass; pass"), "provost")
    used = quiet(table.clone(), "residence")
    assert changes(used, 0, "residence road 9") == {
        "deniers": -1, "cloth": -1, "wood": 2, "points": 2,
    }  # fmt: skip
    assert (road(used)[9], asked(used)) == ("residence", (1, "castle"))
    assert "wood_sawmill" in supply(used)
    quiet(go(table, "provost -3; provost 0"), "residence")  # now the tile is not used
    got = changes(table, 0, "residence road 9")
    assert got == {"deniers": -1, "cloth": -1, "points": 2}
    assert (road(table)[9], asked(table), workers(table)[0]) == ("residence", (1, "castle"), 6)


def test_edge_10_a_tile_is_built_again_in_the_same_round(tmp_path: Path) -> None:
    table = build(shops(tmp_path), 0, "wood_sawmill")
    quiet(go(table, "place road 3; pass; place road 8; pass"), "residence")
    go(table, "residence road 9")
    assert road(table)[9] == "residence"
    go(table, "wood wood_sawmill")
    assert {9: "residence", 10: "wood_sawmill"}.items() <= road(table).items()
    assert points(table) == [2 + 2 + 2, 0]
    assert (column(table, "wood_built")[0], column(table, "building_points")[0]) == (2, 4)
    assert column(table, "residence_points") == [2, 0]


def test_edge_11_residences_have_no_limit(tmp_path: Path) -> None:
    table = shops(tmp_path, "200 20 20 20 20 20", residence_tiles=7)
    for space in (9, 10, 11, 12, 13, 14, 15, 17, 18):
        quiet(go(table, "place road 1; pass; place road 3; pass"), "wood")
        go(table, "wood wood_sawmill", f"residence road {space}")
    assert column(table, "residences_built") == [9, 0]
    assert column(table, "wood_built") == [9, 0]
    before = deniers(table)[0]
    assert deniers(over(table, "pass; pass"))[0] == before + 1 + 2 + 9


def test_edge_11_cubes_have_no_limit(tmp_path: Path) -> None:
    table = board(tmp_path, "60 0 0 0 0 200", start=15, castle=triggers(16, 18, 24))
    over(table, "place road 16; pass; pass; provost +1")
    assert held(table, 0)["gold"] == 201


def test_edge_12_and_r12_the_loss_falls_at_the_turn_in_the_queue(tmp_path: Path) -> None:
    for floor, left in (("none", -2), ("0", 0)):
        table = shops(tmp_path, points_floor=floor)
        quiet(go(table, "place castle; place castle; pass; pass"), "castle")
        assert (asked(go(table, "castle stop")), points(table)) == ((1, "castle"), [left, 0])


def test_edge_13_and_14_a_full_section_is_scored_early_and_once(tmp_path: Path) -> None:
    table = shops(tmp_path, castle=triggers(14, 16, 24, dungeon={"capacity": 1}))
    deliver(quiet(go(table, "place castle; pass; pass"), "castle"), 1)
    quiet(go(table, "favor deniers"), "place")
    passed = []
    while table.public.section < 2:
        passed.append((int(table.public.bailiff), points(table)))
        over(table, "pass; pass")
    assert passed == [(space, [5, -2]) for space in (11, 12, 13, 14, 15)]
    assert (table.public.bailiff, points(table)) == (16, [5 - 3, -2 - 3])


def test_edge_15_two_cubes_of_the_wood_peddler_cost_two_deniers(tmp_path: Path) -> None:
    table = shops(tmp_path)
    go(quiet(go(table, "place road 1; pass; pass"), "wood"), "wood wood_peddler; give gold")
    quiet(go(table, "place road 9; place castle; place road 7; pass; pass"), "take")
    singles = {f"take {kind}" for kind in KINDS[:4]}
    assert words(table) == {"take nothing"} | singles
    assert changes(table.clone(), 0, "take stone") == {"deniers": -2, "stone": 1}
    go(table, "take nothing")
    assert len(words(table)) == 15
    assert singles | {"take food food", "take wood cloth", "take cloth cloth"} <= words(table)
    assert illegal(table, "give gold")
    assert changes(table.clone(), 0, "take cloth cloth") == {"deniers": -2, "cloth": 2}
    assert changes(table, 0, "take food") == {"deniers": -1, "food": 1}


def test_edge_15_who_has_one_denier_buys_one_cube(tmp_path: Path) -> None:
    table = shops(tmp_path, ["60 4 4", "0 4 4"])
    go(quiet(go(table, "place road 1; pass"), "wood"), "wood wood_peddler; give wood")
    before = deniers(table)[1]
    go(table, "place road 7; place road 9; pass")
    while table.decision == "place":
        go(table, "pass")
    assert deniers(table)[1] == before - 1
    assert before == 0 + 2 + 1 + 2
    go(quiet(go(table, "provost 0; provost +3"), "take"), "take nothing")
    assert (asked(table), deniers(table)[1]) == ((1, "take"), 1)
    assert words(table) == {"take nothing", *(f"take {kind}" for kind in KINDS[:4])}


@pytest.mark.parametrize(
    ("tile", "given", "got"),
    [
        ("wood_market", "give nothing", {}),
        ("wood_market", "give gold", {"gold": -1, "deniers": 6}),
        ("wood_market", "give food", {"food": -1, "deniers": 6}),
        ("stone_church", "exchange first", {"deniers": -2, "points": 3}),
        ("stone_church", "exchange second", {"deniers": -4, "points": 5}),
        ("stone_tailor", "exchange first", {"cloth": -2, "points": 4}),
        ("stone_tailor", "exchange second", {"cloth": -3, "points": 6}),
        ("stone_bank", "exchange first", {"deniers": -2, "gold": 1}),
        ("stone_bank", "exchange second", {"deniers": -5, "gold": 2}),
        ("stone_bank", "exchange nothing", {}),
        (
            "stone_alchemist", "exchange first; alchemy food wood",
            {"food": -1, "wood": -1, "gold": 1},
        ),
        (
            "stone_alchemist", "exchange second; alchemy wood wood stone cloth",
            {"wood": -2, "stone": -1, "cloth": -1, "gold": 2},
        ),
        ("stone_jeweller", "exchange first", {"gold": -1, "points": 5}),
        ("stone_jeweller", "exchange second", {"gold": -2, "points": 9}),
    ],
)  # fmt: skip
def test_edge_16_an_exchange_is_made_once(
    tile: str, given: str, got: dict[str, int], tmp_path: Path
) -> None:
    table = shops(tmp_path, jeweller=1)
    how = tile.split("_")[0]
    go(
        quiet(go(table, f"place road {1 if how == 'wood' else 2}; pass; pass"), how),
        f"{how} {tile}",
    )
    quiet(table, "place")
    go(table, "place road 9; place castle; pass; pass")
    quiet(table, "give", "exchange")
    assert changes(table, 0, given) == got
    assert asked(table) == (1, "castle")


def test_edge_16_the_neutral_market(tmp_path: Path) -> None:
    table = go(shops(tmp_path), "place road 6; place castle; pass; pass")
    assert words(quiet(table, "give")) == {"give nothing", *(f"give {kind}" for kind in KINDS)}
    assert changes(table, 0, "give gold") == {"gold": -1, "deniers": 4}
    assert asked(table) == (1, "castle")


# -- settings of section 2


@pytest.mark.parametrize("cost", [2, 3])
def test_two_player_pass_cost(cost: int, tmp_path: Path) -> None:
    table = go(shops(tmp_path, two_player_pass_cost=cost), "pass")
    assert changes(table, 1, "place road 5") == {"deniers": -cost}
    table = go(shops(tmp_path, players=3, two_player_pass_cost=cost), "pass")
    assert changes(table, 1, "place road 5") == {"deniers": -2}
    assert changes(go(table, "pass"), 1, "place road 6") == {"deniers": -3}


@pytest.mark.parametrize("rule", ["stables", "alternate"])
def test_two_player_turn_order(rule: str, tmp_path: Path) -> None:
    table = shops(tmp_path, two_player_turn_order=rule)
    assert ("place stables" in words(table)) == (rule == "stables")
    go(table, "place gate; pass; pass")
    assert ("gate stables" in words(table)) == (rule == "stables")
    orders = [order_of(table)]
    for _ in range(3):
        orders.append(order_of(quiet(over(table), "place")))
    swapped = [[0, 1], [1, 0]] * 2
    assert orders == (swapped if rule == "alternate" else [[0, 1]] * 4)
    table = shops(tmp_path, players=3, two_player_turn_order=rule)
    assert "place stables" in words(table)
    assert order_of(over(table, "pass; pass; pass")) == [0, 1, 2]


@pytest.mark.parametrize("given", ["5;5", "5;6", "0;200"])
def test_two_player_start_deniers(given: str, tmp_path: Path) -> None:
    table = shops(tmp_path, two_player_start_deniers=given)
    assert ";".join(str(n - 2) for n in deniers(table)) == given
    assert deniers(shops(tmp_path, players=3, two_player_start_deniers=given)) == [62] * 3


@pytest.mark.parametrize(("floor", "left"), [("none", [-4, 1]), ("0", [0, 1])])
def test_points_floor(floor: str, left: list[int], tmp_path: Path) -> None:
    """One loses 2 in the castle and 2 for the Dungeon, the other 2 of 3."""
    table = shops(tmp_path, ["9", "9 0 0 0 0 0 6 3"], points_floor=floor,
                  castle=triggers(11, 18, 24))  # fmt: skip
    over(table, "place castle; pass; pass")
    assert points(table) == left
    assert column(table, "penalty_points") == [left[0], -2]


FULL = triggers(15, 18, 24, **{name: {"capacity": 1} for name in ("dungeon", "walls", "towers")})


@pytest.mark.parametrize("batch", [True, False])
@pytest.mark.parametrize(
    ("exempt", "needs", "lost"), [(0, 0, (2, 2)), (1, 0, (0, 0)), (0, 1, (2, 2)), (1, 1, (0, 2))]
)
def test_no_delivery_exempt_if_towers_full_and_exempt_needs_batch(
    exempt: int, needs: int, lost: tuple[int, int], batch: bool, tmp_path: Path
) -> None:
    """What is lost with a batch at hand, and without one."""
    rules = {"no_delivery_exempt_if_towers_full": exempt, "exempt_needs_batch": needs}
    table = shops(tmp_path, [PLENTY, "60 9 9 9" if batch else "60 9 9"], castle=FULL, **rules)
    quiet(go(table, "place castle; place castle; pass; pass"), "castle")
    assert asked(go(table, *["castle wood stone"] * 3)) == (0, "favor")
    assert points(table) == [5 + 4 + 3, -lost[0] if batch else -lost[1]]


def test_r1_parts_spill_over_two_full_sections(tmp_path: Path) -> None:
    table = quiet(go(shops(tmp_path, castle=FULL), "place castle; pass; pass"), "castle")
    assert parts(deliver(table, 3), 0) == [1, 1, 1]


@pytest.mark.parametrize("timing", ["placement", "activation"])
def test_owner_point_timing(timing: str, tmp_path: Path) -> None:
    table = shops(tmp_path, owner_point_timing=timing)
    go(quiet(go(table, "pass; place road 1; pass"), "wood"), "wood wood_market; give wood")
    assert points(table) == [0, 4]
    own = quiet(go(table.clone(), "pass; place road 9; pass"), "give")
    assert points(quiet(own, "place")) == [0, 4]  # nobody scores on a tile of his own
    go(table, "place road 9; pass; pass")
    assert points(table)[1] == (5 if timing == "placement" else 4)
    assert points(quiet(table, "give"))[1] == 5  # just before the effect
    assert points(go(table, "give nothing"))[1] == 5


@pytest.mark.parametrize("capacity", [1, 2, 3])
def test_stables_capacity(capacity: int, tmp_path: Path) -> None:
    table = shops(tmp_path, players=5, stables_capacity=capacity)
    for circle in range(1, 4):
        assert ("place stables" in words(table)) == (circle <= capacity)
        go(table, "place stables" if circle <= capacity else "pass")
        assert (table.public.stables[circle] >= 0) == (circle <= capacity)
    assert "place stables" not in words(table)


def test_tie_break(tmp_path: Path) -> None:
    """Ranks of two with equal scores; seat 0 has 3 deniers and no cube left."""
    ranks = {
        "0 1 1": {"shared": [1, 1], "turn_order": [1, 2], "leftover": [2, 1]},  # 3 : 2 + 2
        "0 1": {"shared": [1, 1], "turn_order": [1, 2], "leftover": [2, 1]},  # 3 : 2 + 1, cubes
        "1": {"shared": [1, 1], "turn_order": [1, 2], "leftover": [1, 2]},  # all alike
    }
    for stock, wanted in ranks.items():
        for rule, found in wanted.items():
            table = _last(tmp_path, stock, rule)
            assert quiet(go(table, "pass; pass")).scores == [-9, -9]
            assert (table.ranks, rule, stock) == (found, rule, stock)
    for rule in ("turn_order", "leftover"):  # the turn order of the last phase 7
        table = quiet(go(_last(tmp_path, "3", rule), "pass; place stables; pass"))
        assert (table.scores, table.ranks) == ([-9, -9], [2, 1])
        assert table.winners == [1]


def _last(folder: Path, stock: str, rule: str) -> Table:
    """Return a game that is over after one round, in which both lose 9 points."""
    return shops(folder, ["0", stock], tie_break=rule, castle=triggers(3, 5, 11))


@pytest.mark.parametrize("jeweller", [0, 1])
def test_jeweller(jeweller: int, tmp_path: Path) -> None:
    table = shops(tmp_path, jeweller=jeweller)
    assert ("stone_jeweller" in supply(table)) == bool(jeweller)
    assert sum(tile.startswith("stone") for tile in supply(table)) == 9 + jeweller
    quiet(go(table, "place road 2; pass; pass"), "stone")
    assert ("stone stone_jeweller" in words(table)) == bool(jeweller)


@pytest.mark.parametrize("value", [3, 4])
def test_church_points(value: int, tmp_path: Path) -> None:
    table = quiet(go(shops(tmp_path, church_points=value), "place road 2; pass; pass"), "stone")
    assert changes(table, 0, "stone stone_church")["points"] == value
    assert asked(table) == (0, "favor")


@pytest.mark.parametrize(("rates", "cloth"), [("2:4;3:6", 2), ("1:2;3:6", 1)])
def test_tailor_rates(rates: str, cloth: int, tmp_path: Path) -> None:
    table = shops(tmp_path, "60 4 9 9 2", tailor_rates=rates)
    go(quiet(go(table, "place road 2; pass; pass"), "stone"), "stone stone_tailor")
    quiet(go(table, "place road 9; place castle; pass; pass"), "exchange")
    assert words(table) == {"exchange nothing", "exchange first"}  # 3 cloth are not there
    assert changes(table, 0, "exchange first") == {"cloth": -cloth, "points": 2 * cloth}


@pytest.mark.parametrize("size", [7, 8])
def test_residence_tiles_never_matter(size: int, tmp_path: Path) -> None:
    def play(tiles: int) -> list[Any]:
        table = shops(tmp_path, "200 20 20 20 20 20", residence_tiles=tiles)
        list(stroll(table, "residences"))
        return [*told(table), table.scores]

    assert play(size) == play(8)


@pytest.mark.parametrize("simple", [0, 1])
def test_favor_simplified(simple: int, tmp_path: Path) -> None:
    tiles = {"wood_mason": {"favors": 4}}
    table = shops(tmp_path, favor_simplified=simple, tiles=tiles)
    go(table, "place joust; place castle; place road 1; pass; place castle; pass; joust pay")
    if not simple:
        assert (asked(table), points(table)) == ((0, "favor"), [0, 0])
        return
    assert points(table) == [3, 0]
    go(quiet(table, "wood"), "wood wood_mason")
    assert (asked(table), points(table)) == ((1, "castle"), [3 + 4 + 12, 0])
    deliver(deliver(table, 1), 1)
    assert (asked(table), points(table)) == ((0, "place"), [19 + 5, 5 + 3])
    assert column(table, "favor_points") == [15, 3]
    assert column(table, "favors_lost") == [0, 0]
    assert [markers(table, seat) for seat in (0, 1)] == [[0] * 4] * 2


@pytest.mark.parametrize("distinct", [0, 1])
def test_favor_distinct_lines(distinct: int, tmp_path: Path) -> None:
    table = shops(tmp_path, favor_distinct_lines=distinct, tiles={"wood_mason": {"favors": 4}})
    go(quiet(go(table, "place road 1; pass; pass"), "wood"), "wood wood_mason")
    if distinct:
        assert words(go(table, "favor prestige")) == LINES - {"favor prestige"}
        return
    for marker in (1, 2, 2, 2):
        assert words(table) == LINES
        assert markers(go(table, "favor prestige"), 0) == [marker, 0, 0, 0]
    assert asked(table) == (0, "place")
    assert (points(table)[0], column(table, "favors_prestige")[0]) == (4 + 1 + 2 + 2 + 2, 4)


@pytest.mark.parametrize("distinct", [0, 1])
def test_favor_distinct_lines_and_a_fifth_favor(distinct: int, tmp_path: Path) -> None:
    tiles = {"wood_mason": {"favors": 4}, "wood_farm_food": {"favors": 1}}
    table = shops(
        tmp_path, favor_distinct_lines=distinct, tiles=tiles, favors={"d1": CHEAP_CARPENTER}
    )
    go(quiet(go(table, "place road 1; pass; pass"), "wood"), "wood wood_mason; favor buildings")
    go(table, "column 1; wood wood_farm_food; favor prestige; favor deniers")
    if distinct:
        go(table, "column 1")
    else:
        go(table, "favor deniers; favor deniers")
    assert (asked(table), column(table, "favors_lost")[0]) == ((0, "place"), distinct)


@pytest.mark.parametrize("immediate", [0, 1])
def test_gate_immediate(immediate: int, tmp_path: Path) -> None:
    """A farm beyond the provost."""
    table = board(tmp_path, "9", start=2, gate_immediate=immediate)
    go(table, "place gate; place road 5; place joust; pass; pass; gate road 4")
    if not immediate:
        assert (asked(table), workers(table)[0]) == ((1, "provost"), 5)
        quiet(table, "place")
        assert (held(table, 0), workers(table)[0]) == ({}, 6)
        return
    assert asked(table) == (0, "produce")
    assert asked(go(table, "produce second")) == (0, "joust")
    assert (held(table, 0), workers(table)[0]) == ({"cloth": 1}, 5)
    assert table.public.worker[4] == -1
    quiet(table, "place")
    assert held(table, 0) == {"cloth": 1}  # and not once more on the road


@pytest.mark.parametrize("immediate", [0, 1])
def test_gate_immediate_on_a_rivals_tile(immediate: int, tmp_path: Path) -> None:
    table = build(shops(tmp_path, gate_immediate=immediate), 1, "stone_park")
    go(table, "place gate; place guild; pass; pass")
    assert changes(table, 1, "gate road 9") == {"points": 1}
    if not immediate:
        assert asked(table) == (1, "guild")
        go(quiet(table, "owner"), "owner first")
        return
    assert (asked(table), held(table, 0)["wood"]) == ((1, "owner"), 12 + 2)
    assert changes(table, 1, "owner second") == {"food": 1}
    assert (asked(table), workers(table)[0]) == ((1, "guild"), 6)
    assert (asked(quiet(table, "owner", "place")), points(table)) == ((0, "place"), [0, 4])


@pytest.mark.parametrize("immediate", [0, 1])
def test_gate_immediate_before_the_bridge(immediate: int, tmp_path: Path) -> None:
    """Trading post, guild and joust are used once; castle, stables and inn as usual."""
    table = go(shops(tmp_path, gate_immediate=immediate), "place gate; place road 5; pass; pass")
    assert changes(table.clone(), 0, "gate trading_post") == {"deniers": 3}
    guild = go(table.clone(), "gate guild; guild +1")
    assert (asked(guild), guild.public.provost, workers(guild)[0]) == ((0, "provost"), 11, 6)
    joust = go(table.clone(), "gate joust; joust pay; favor prestige")
    assert (asked(joust), points(joust), workers(joust)[0]) == ((0, "provost"), [1, 0], 6)
    inn = go(table.clone(), "gate inn")
    assert (inn.public.inn.tolist(), workers(inn)[0]) == ([-1, 0], 5)
    assert order_of(go(table.clone(), "gate stables")) == [0, 1]
    castle = quiet(go(table, "gate castle"), "castle")
    assert (asked(castle), castle.public.queue[0]) == ((0, "castle"), 0)


@pytest.mark.parametrize(("moment", "first"), [("phase3", 1), ("round_end", 0)])
def test_r8_stables_moment(moment: str, first: int, tmp_path: Path) -> None:
    castle = triggers(15, 18, 24, dungeon={"capacity": 4})
    table = shops(tmp_path, stables_moment=moment, castle=castle)
    go(table, "place castle; place castle; pass; place stables; pass")
    assert (order_of(table), workers(table)) == ([first, 1 - first], [5, 5])
    deliver(deliver(quiet(table, "castle"), 2), 2)
    assert asked(table) == (0, "favor")  # the best builder
    assert asked(go(table, "favor deniers")) == (first, "favor")  # the Dungeon, in turn order
    assert asked(go(table, "favor deniers")) == (1 - first, "favor")
    assert asked(go(table, "favor deniers")) == (1, "place")
    assert order_of(table) == [1, 0]


LATE = {f"{line}2": {"unlocked_after": "dungeon_scored"} for line in "abcd"}


def doubly(folder: Path, lines: str, favors: str) -> Table:
    """Return a game in which Dungeon and Walls are scored in the same phase; seat 0 has all."""
    castle = triggers(15, 18, 24, dungeon=TWO, walls={"capacity": 2, "favors_by_min_parts": favors})
    table = shops(folder, double_scoring_lines=lines, castle=castle, favors=LATE)
    return deliver(quiet(go(table, "place castle; pass; pass"), "castle"), 4)


@pytest.mark.parametrize("lines", ["shared", "separate"])
def test_r2_double_scoring_lines(lines: str, tmp_path: Path) -> None:
    table = doubly(tmp_path, lines, "2:1")
    assert points(table)[0] == 2 * 5 + 2 * 4
    go(table, "favor prestige; favor prestige")  # of the best builder, of the Dungeon
    assert (markers(table, 0)[0], asked(table)) == (1, (0, "favor"))
    if lines == "separate":
        assert words(table) == LINES
        go(table, "favor prestige")
        assert markers(table, 0)[0] == 2  # columns have opened between the two
    else:
        assert words(table) == LINES - {"favor prestige"}
        go(table, "favor deniers")
    assert (asked(table), table.public.section) == ((0, "place"), 2)
    assert points(table)[1] == -2 - 3


def test_r2_columns_open_between_two_sections(tmp_path: Path) -> None:
    table = go(doubly(tmp_path, "shared", "2:1"), "favor deniers; favor prestige; favor deniers")
    assert (markers(table, 0), table.public.section) == ([1, 2, 0, 0], 2)


@pytest.mark.parametrize(("lines", "lost"), [("shared", 1), ("separate", 0)])
def test_r2_a_fifth_favor_in_two_sections(lines: str, lost: int, tmp_path: Path) -> None:
    table = quiet(doubly(tmp_path, lines, "2:4"), "place")
    assert column(table, "favors_lost") == [lost, 0]


@pytest.mark.parametrize(("when", "early"), [("change", 0), ("payment", 2)])
def test_r4_delayed_residence(when: str, early: int, tmp_path: Path) -> None:
    table = shops(tmp_path, delayed_residence=when)
    quiet(go(table, "place road 3; pass; place road 5; pass"), "residence")
    go(table, "residence road 5")
    assert (asked(table), points(table)) == ((0, "produce"), [early, 0])
    assert (road(table)[5], owners(table), table.public.pending[5]) == ("neutral_forest", {}, 0)
    go(table, "produce first")
    assert (points(table), column(table, "residence_points")) == ([2, 0], [2, 0])
    assert (road(table)[5], owners(table), table.public.pending[5]) == ("residence", {5: 0}, -1)
    assert column(table, "residences_built") == [1, 0]


# -- other doubts of section 13


def test_r3_without_an_empty_space_nothing_is_built(tmp_path: Path) -> None:
    table = shops(tmp_path, start=2, length=10, castle=triggers(7, 8, 9))
    for space, tile in ((9, "wood_sawmill"), (10, "wood_mason")):
        go(quiet(go(table, "place road 1; pass; pass"), "wood"), f"wood {tile}")
        assert road(table)[space] == tile
    go(table, "place road 1; place road 2; pass; pass")
    assert asked(quiet(table, "wood", "stone", "place")) == (0, "place")
    assert table.public.rounds == 4


def test_r5_favors_of_a_tile_built_by_a_favor_belong_to_the_same_phase(tmp_path: Path) -> None:
    tiles = {"wood_mason": {"favors": 2}, "wood_quarry": {"favors": 1}}
    table = shops(tmp_path, tiles=tiles, favors={"d1": CHEAP_CARPENTER})
    go(quiet(go(table, "place road 1; pass; pass"), "wood"), "wood wood_mason; favor buildings")
    assert asked(go(table, "column 1; wood wood_quarry")) == (0, "favor")
    assert words(table) == LINES - {"favor buildings"}
    assert words(go(table, "favor prestige")) == LINES - {"favor buildings", "favor prestige"}
    assert asked(go(table, "favor deniers")) == (0, "place")


def test_r6_columns_of_cubes_and_buildings_may_be_left_unused(tmp_path: Path) -> None:
    table = shops(tmp_path)
    over(table, "place joust; pass; pass; joust pay; favor resources; column 1")
    go(table, "place joust; pass; pass; joust pay; favor resources")
    assert words(table) == {"column none", "column 1", "column 2"}
    assert changes(table.clone(), 0, "column none") == {}
    assert changes(table.clone(), 0, "column 1") == {"food": 1}  # a lower column
    assert changes(table.clone(), 0, "column 2; produce second") == {"stone": 1}
    for line in ("prestige", "deniers"):
        table = go(shops(tmp_path), "place joust; pass; pass; joust pay", f"favor {line}")
        assert asked(table) == (1, "provost")  # nothing to choose


def test_r7_the_owners_cube_is_compulsory_and_comes_after_the_gain(tmp_path: Path) -> None:
    table = build(shops(tmp_path), 1, "stone_workshop")
    own = go(table.clone(), "pass; place road 9; pass")
    assert asked(quiet(own, "owner", "place")) == (0, "place")  # nothing more for the owner
    assert held(own, 1)["stone"] == held(table, 1)["stone"] + 2
    stone = held(table, 0)["stone"]
    quiet(go(table, "place road 9; pass; pass"), "owner")
    assert (asked(table), held(table, 0)["stone"]) == ((1, "owner"), stone + 2)
    assert words(table) == {"owner first", "owner second"}
    assert changes(table.clone(), 1, "owner first") == {"stone": 1, "deniers": 2}
    assert changes(table, 1, "owner second") == {"cloth": 1, "deniers": 2}


def test_r7_beyond_the_provost_there_is_no_owners_cube(tmp_path: Path) -> None:
    table = build(shops(tmp_path), 1, "stone_workshop")
    go(table, "place road 9; pass; pass; provost -3")
    before = held(table, 1)
    assert asked(quiet(table, "owner", "place")) == (0, "place")
    assert (held(table, 1), points(table)[1]) == (before, 3 + 1)


def test_r9_the_lowest_residence_gives_way(tmp_path: Path) -> None:
    table = shops(tmp_path)
    for space in (6, 5):
        quiet(go(table, "place road 3; pass; pass"), "residence")
        go(table, f"residence road {space}")
    income = deniers(over(table.clone(), "pass; pass"))[0]
    over(quiet(go(table, "place road 4; pass; pass"), "prestige"), "prestige granary")
    assert {5: "granary", 6: "residence"}.items() <= road(table).items()
    assert points(table)[0] == 2 + 2 + 10  # the points of the residence stay
    assert deniers(table)[0] == income - 3  # a house less, a worker, not first to pass


def test_r10_the_wood_of_a_market_is_waived_by_favor(tmp_path: Path) -> None:
    table = shops(tmp_path, "60 0 0 0 1 1", favors={"d1": CHEAP_CARPENTER})
    go(table, "place joust; pass; pass; joust pay; favor buildings; column 1")
    assert words(table) == {"wood wood_market", "wood wood_peddler"}  # for one gold cube
    assert changes(table, 0, "wood wood_market") == {"gold": -1, "points": 4}
    assert held(table, 0) == {}


def test_r10_without_a_cube_nothing_can_be_built_by_favor(tmp_path: Path) -> None:
    table = shops(tmp_path, "60 0 0 0 1 0", favors={"d1": CHEAP_CARPENTER})
    go(table, "place joust; pass; pass; joust pay; favor buildings")
    assert asked(table) == (1, "provost")


def test_the_free_cube_of_a_price_is_left_after_the_fixed_ones(tmp_path: Path) -> None:
    table = go(shops(tmp_path, "60 0 1 0 0 0"), "place road 1; pass; pass")
    assert asked(quiet(table, "wood", "place")) == (0, "place")  # one wood is not two cubes
    table = quiet(go(shops(tmp_path, "60 0 2 0 0 1"), "place road 1; pass; pass"), "wood")
    assert words(table) == {"wood none", "wood wood_market", "wood wood_peddler"}
    assert changes(table, 0, "wood wood_market") == {"wood": -1}
    assert (words(table), 9 in road(table)) == ({"give wood", "give gold"}, False)
    go(table, "give gold")
    assert (held(table, 0), road(table)[9]) == ({"wood": 1}, "wood_market")


def test_r15_gold_may_be_swapped_for_plain_cubes(tmp_path: Path) -> None:
    table = shops(tmp_path, "60 1 0 0 1 1", favors={"c1": SWAP})
    go(table, "place joust; pass; pass; joust pay; favor resources; column 1")
    assert words(table) == {"give food", "give gold"}
    go(table, "give gold")
    assert len(words(table)) == 10
    assert not words(table) & {"take nothing", "take food"}
    assert changes(table, 0, "take stone cloth") == {"stone": 1, "cloth": 1}


def test_r18_a_line_that_brings_nothing_may_be_chosen(tmp_path: Path) -> None:
    table = shops(tmp_path, "60 0 0 0 1 0", favors={"c1": SWAP})
    go(table, "place joust; pass; pass; joust pay")
    assert words(table) == LINES
    assert markers(go(table.clone(), "favor resources"), 0) == [0, 0, 1, 0]  # without a cube
    assert markers(go(table, "favor buildings"), 0) == [0, 0, 0, 1]
    assert asked(table) == (1, "provost")


def test_the_lawyer_by_favor_costs_cloth_alone(tmp_path: Path) -> None:
    table = shops(tmp_path, "60 0 0 0 2 0", favors={"d1": CHEAP_LAWYER})
    go(table, "place joust; pass; place road 5; pass; joust pay; favor buildings; column 1")
    assert words(table) == {f"residence road {space}" for space in (1, 2, 4, 5, 6)}
    waiting = go(table.clone(), "residence road 5")  # a worker stands there
    assert (road(waiting)[5], points(waiting)) == ("neutral_forest", [0, 0])
    assert changes(table, 0, "residence road 6") == {"cloth": -1, "points": 2}


def test_of_two_architects_the_lower_is_taken(tmp_path: Path) -> None:
    table = quiet(go(shops(tmp_path), "place road 2; pass; pass"), "stone")
    assert "stone stone_architect_a" in words(table)
    assert "stone stone_architect_b" not in words(table)
    quiet(go(go(table, "stone stone_architect_a"), "place road 2; pass; pass"), "stone")
    assert "stone stone_architect_b" in words(table)


def test_words_repeat_a_scripted_game() -> None:
    """The log of a game is all it takes to play it again."""
    table = board(players=3)
    list(stroll(table, 1))
    spec = Spec("caylus", 3, stack={"neutrals": NEUTRALS})
    assert again(spec, table.log.words) == told(table)
