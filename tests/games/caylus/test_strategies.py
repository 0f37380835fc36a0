"""Each strategy of Caylus against its rule (RULES.md section 16.3), by scripted positions.

A tile of space 1 to 6 often does something else than printed, so that one round shows the idea;
what another strategy does in the same position shows that it is the idea, and not the default.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import simlab
from simlab import Table
from simlab.core.game import shipped
from simlab.core.loading import load_file
from simlab.core.records import plain_arithmetic
from simlab.core.registry import bind_for, find_strategy, strategies
from simlab.core.strategy import Player
from simlab.games.caylus import GAME
from tests.games.caylus.board import (
    LAWYER,
    MASON,
    RICH,
    WORKSHOPS,
    asked,
    board,
    go,
    over,
    place_of,
    quiet,
    shops,
    triggers,
    words,
)

SIGNATURES = {
    "random": "random",
    "greedy_value": "greedy_value(denier=0.5, cube=1.2, theta=0, guild=1, first=1.5, push=3, "
    "spite=0.2)",
    "castle_rusher": "castle_rusher(dungeon=2, walls=2, towers=3, queue=2, cube=1.5)",
    "build_line": "build_line(joust=12, second=prestige, residences=2, invest=3, parts=2, "
    "cube=1.5)",
    "money_engine": "money_engine(favors=4, low=6, bonus=1, floor=2, cube=1.5)",
    "landlord": "landlord(rounds=4, visits=0.6, cube=1.5)",
    "residence_prestige": "residence_prestige(start=3, residences=2, spaces=1, cube=1.5)",
    "gold_hoarder": "gold_hoarder(spaces=2, cube=1.5)",
    "inn_squeeze": "inn_squeeze(drop=6, most=5, cube=1.5)",
    "provost_saboteur": "provost_saboteur(reserve=3, spite=0.5, pace=none, lead=8, haste=1, "
    "cube=1.5)",
}
GREEDY = "greedy_value(cube=1.5)"
BUILDS_AT_ONCE = {"d1": {"effect": "build(wood,discount_wood=1)"}}
# Prestige tiles that are worth no price: only who wants them builds them; best of all the hotel.
POOR_BLUE = {
    **{name: {"points": 0} for name in ("statue", "granary", "library", "weaver", "theater")},
    **{name: {"points": 0} for name in ("college", "monument", "cathedral")},
    "hotel": {"points": 0, "cost_gold": 8},
}
ALL_OPEN = {f"{line}{column}": {"unlocked_after": "start"} for line in "abcd" for column in "345"}


def favors_at_joust(number: int) -> dict[str, dict[str, str]]:
    """Return a joust that brings so many favors."""
    effect = f"pay(deniers=1,cloth=1)->gain(favor={number})"
    return {"joust_field": {"worker_effect": effect}}


def tile(name: str, effect: str) -> dict[str, dict[str, str]]:
    """Return a neutral tile with this effect."""
    return {f"neutral_{name}": {"worker_effect": effect}}


def wish(table: Table, spec: str) -> str:
    """Return the word that a strategy would play here, with the memo that its seat has."""
    number = table.clone().advance(Player(bind_for(GAME, spec)))
    return str(table.book.actions[number])


def let(table: Table, spec: str) -> str:
    """Let a strategy play, and return its word."""
    return str(table.book.actions[table.advance(Player(bind_for(GAME, spec)))])


def at_joust(folder: Path, number: int, **more: Any) -> Table:
    """Return a board where seat 0 has so many favors to put on lines."""
    more["tiles"] = {**favors_at_joust(number), **more.get("tiles", {})}
    stocks = more.pop("stocks", "20 4 4 4 4 2")
    return go(quiet(go(board(folder, stocks, **more), "place joust"), "joust"), "joust pay")


def test_the_names_and_parameters() -> None:
    found = {name: find_strategy("caylus", name).signature() for name in strategies("caylus")}
    assert found == SIGNATURES


# -- the baselines


def test_random_does_everything_alike() -> None:
    table, rng = board(), random.Random(1)
    player, memo = Player(bind_for(GAME, "random")), np.zeros(8, np.uint8)
    state, me = table._state.shown[0], table._state.shown[1][0]
    found: Counter[str] = Counter()
    with plain_arithmetic():
        for _ in range(1800):
            stream = type("Stream", (), {"state": np.uint64(rng.getrandbits(64))})()
            number = int(player(state, me, table._rules, memo, stream))
            found[table.book.actions[number]] += 1
    legal = words(table)
    assert {*found} == legal
    expected = 1800 / len(legal)
    chi = sum((count - expected) ** 2 / expected for count in found.values())
    assert chi < 45  # 16 degrees of freedom: once in 7000


def test_greedy_value_beats_random(tmp_path: Path) -> None:
    run = simlab.run(
        "caylus", 2, 2000, ["greedy_value", "random"], jobs=1, quiet=True, out=tmp_path / "run"
    )
    best = run.summary().filter(strategy="greedy_value")
    assert best["win_share_low"].item() > 0.95


@pytest.mark.parametrize(
    ("spec", "word"),
    [
        ("greedy_value", "place road 1"),  # the carpenter: 1.1
        ("greedy_value(theta=1.05)", "place road 1"),
        ("greedy_value(theta=1.15)", "pass"),
        ("greedy_value(cube=2)", "place road 2"),  # a quarry; no tile is worth its price
        ("greedy_value(denier=1)", "place trading_post"),
        ("greedy_value(guild=3)", "place guild"),
    ],
)
def test_greedy_value_weighs(spec: str, word: str) -> None:
    assert wish(board(), spec) == word


def test_greedy_value_wants_to_be_first() -> None:
    table = go(board(), "pass")
    assert wish(table, "greedy_value(first=4)") == "place stables"
    assert wish(table, "greedy_value(first=0)") != "place stables"


def test_greedy_value_may_count_on_the_provost(tmp_path: Path) -> None:
    table = board(tmp_path, "9", start=14)  # the mine is two spaces ahead
    assert wish(table, "greedy_value(cube=0.5, denier=0.1)") == "place road 16"
    assert wish(table, "greedy_value(cube=0.5, denier=0.1, push=1)") != "place road 16"


@pytest.mark.parametrize(
    "spec",
    [
        "greedy_value({})",
        "castle_rusher({})",
        "build_line({})",
        "money_engine({})",
        "landlord(rounds=0, {})",
        "residence_prestige({})",
        "gold_hoarder({})",
        "inn_squeeze({})",
        "provost_saboteur({})",
    ],
)
def test_a_cube_is_worth_what_is_said(spec: str, tmp_path: Path) -> None:
    """The carpenter builds for two cubes, 4 points; the trading post brings three deniers."""
    table = go(board(tmp_path, "5 0 2"), "place inn")
    assert wish(table, spec.format("cube=1.2")) == "place road 1"
    assert wish(table, spec.format("cube=1.5")) == "place trading_post"
    assert wish(table, spec.format("cube=3")) == "place road 2"  # the quarry


# -- the castle


@pytest.mark.parametrize(
    ("stocks", "spec", "goes"),
    [
        ("9 1 2 2", "castle_rusher", True),
        ("9 1 1 0", "castle_rusher", False),
        ("9 1 2 2", "castle_rusher(queue=0)", False),  # with a food there would be two batches
        ("9 1 2 2", "castle_rusher(queue=0, dungeon=1)", True),
        ("9 2 3 3", "castle_rusher(queue=0)", True),
        ("9 2 3 3", "castle_rusher(queue=0, dungeon=3)", False),
        ("9 2 3 3", "castle_rusher(queue=0, walls=6, towers=6)", True),
    ],
)
def test_castle_rusher_goes_with_batches(
    stocks: str, spec: str, goes: bool, tmp_path: Path
) -> None:
    assert (wish(board(tmp_path, stocks), spec) == "place castle") == goes


def test_castle_rusher_aims_by_section(tmp_path: Path) -> None:
    walls = over(board(tmp_path, "9 1 2 2", castle=triggers(7, 18, 24)))
    towers = over(board(tmp_path, "9 1 2 2", start=8, castle=triggers(7, 9, 24)))
    for table, name in ((walls, "walls"), (towers, "towers")):
        assert wish(table, "castle_rusher(queue=0, dungeon=1)") == "place road 4"
        assert wish(table, f"castle_rusher(queue=0, {name}=1)") == "place castle"


def test_castle_rusher_minds_who_is_there(tmp_path: Path) -> None:
    table = go(board(tmp_path, "9 1 2 2", players=3), "place castle; place castle")
    assert wish(table, "castle_rusher") == "place road 4"
    assert wish(table, "castle_rusher(queue=3)") == "place castle"
    assert wish(table, "castle_rusher(dungeon=1)") == "place castle"


@pytest.mark.parametrize(
    ("stocks", "word"),
    [
        ("9 1 1 0", "place road 2"),  # quarry: the stone for a batch
        ("9 1 0 1", "place road 3"),  # sawmill: the wood
        ("9 0 1 1", "place road 4"),  # farm: the food
    ],
)
def test_castle_rusher_gets_what_a_batch_lacks(stocks: str, word: str, tmp_path: Path) -> None:
    assert wish(board(tmp_path, stocks), "castle_rusher") == word
    table = go(board(tmp_path, stocks), word, "pass")
    assert wish(table, "castle_rusher") == "place castle"  # the worker's cube counts


def test_castle_rusher_likes_food_where_tiles_are_alike(tmp_path: Path) -> None:
    tiles = tile("market", "gain(food=1,stone=1)")
    assert wish(board(tmp_path, "9 1 1", tiles=tiles), "castle_rusher") == "place road 6"


def test_castle_rusher_looks_at_prices(tmp_path: Path) -> None:
    table = quiet(go(board(tmp_path, "9 2 2", start=10), "place road 1"), "wood")
    over(table, "wood wood_quarry")
    if table.to_move == 0:
        go(table, "place trading_post")
    go(table, "pass")
    assert asked(table)[0] == 0
    assert wish(table, "castle_rusher") == "place road 9"  # its own for 1, the neutral one for 2


def test_castle_rusher_delivers_everything(tmp_path: Path) -> None:
    table = quiet(go(board(tmp_path, "9 3 2 1 0 1"), "place castle"), "castle")
    assert let(table, "castle_rusher") == "castle wood stone"
    assert wish(table, GREEDY) == "castle stop"
    assert wish(table, "castle_rusher") == "castle wood gold"


def test_castle_rusher_takes_points_then_deniers(tmp_path: Path) -> None:
    table = at_joust(tmp_path, 3)
    assert wish(table, GREEDY) == "favor deniers"
    assert let(table, "castle_rusher") == "favor prestige"
    assert let(table, "castle_rusher") == "favor deniers"


def before_the_mine(folder: Path) -> Table:
    """Return a board where a rival's worker is in the mine at the provost, and seat 0 may move."""
    table = go(board(folder, "9", start=16), "pass; place road 16; pass")
    assert asked(table) == (0, "provost")
    return table


def test_castle_rusher_does_not_spite(tmp_path: Path) -> None:
    table = before_the_mine(tmp_path)
    assert wish(table, GREEDY) == "provost -1"
    assert wish(table, "castle_rusher") == "provost 0"


# -- the line of buildings


def test_build_line_jousts_where_a_favor_builds(tmp_path: Path) -> None:
    table = board(tmp_path, "9 1 1 0 1", favors=BUILDS_AT_ONCE)
    assert wish(table, "build_line(joust=11)") == "place joust"  # 9 deniers and 2 of income
    assert wish(table, "build_line(joust=12)") != "place joust"
    spec = "build_line(joust=3)"
    assert wish(table, spec) == "place joust"
    assert wish(board(tmp_path, "9 1 1 0 1"), spec) != "place joust"  # column 1 is nothing
    poor = board(tmp_path, "9 1 1 0 0", favors=BUILDS_AT_ONCE)
    assert wish(poor, spec) != "place joust"


def test_build_line_wants_parts_of_each_section(tmp_path: Path) -> None:
    table = go(board(tmp_path, ["9 2 2 2", "9 1 1 1"], start=16), "place castle")
    assert wish(table, GREEDY) == "place road 16"  # the mine is worth more than a lone batch
    assert wish(table, "build_line") == "place castle"
    assert wish(table, "build_line(parts=0)") == "place road 16"


@pytest.mark.parametrize("second", ["prestige", "deniers", "resources"])
def test_build_line_takes_its_line_where_it_builds(second: str, tmp_path: Path) -> None:
    spec = f"build_line(invest=0, second={second})"
    assert wish(at_joust(tmp_path, 1, favors=BUILDS_AT_ONCE), spec) == "favor buildings"
    assert wish(at_joust(tmp_path, 1), spec) == f"favor {second}"
    with_nothing = at_joust(tmp_path, 1, favors=BUILDS_AT_ONCE, stocks="9 0 0 0 1")
    assert wish(with_nothing, spec) == f"favor {second}"


def test_build_line_invests_in_its_line_up_to_a_round(tmp_path: Path) -> None:
    table = at_joust(tmp_path, 1)
    assert table.public.rounds == 1
    assert wish(table, "build_line(invest=1)") == "favor buildings"
    assert wish(table, "build_line(invest=0)") == "favor prestige"
    table = over(board(tmp_path, "20 4 4 4 4 2", tiles=favors_at_joust(2)))
    while asked(table)[0] != 0:
        go(table, "pass")
    quiet(go(table, "place joust"), "joust")
    go(table, "joust pay")
    assert table.public.rounds == 2
    assert wish(table, "build_line(invest=2)") == "favor buildings"
    assert wish(table, "build_line(invest=1)") == "favor prestige"


def test_build_line_invests_only_where_the_marker_can_advance(tmp_path: Path) -> None:
    table = at_joust(tmp_path, 3, favor_distinct_lines=0)
    for _ in range(2):
        assert let(table, "build_line") == "favor buildings"
        if asked(table)[1] == "column":
            go(table, "column none")
    with_nothing = at_joust(tmp_path, 3, favor_distinct_lines=0, stocks="20 0 0 0 1")
    for _ in range(2):
        go(with_nothing, "favor buildings")
        if asked(with_nothing)[1] == "column":
            go(with_nothing, "column none")
    assert wish(with_nothing, "build_line") == "favor prestige"  # column 3 is closed


def with_four_columns(folder: Path, **favors: dict[str, str]) -> Table:
    """Return a board where seat 0 has come to column 4 of the buildings and may use one."""
    changed = {key: {**ALL_OPEN.get(key, {}), **favors.get(key, {})} for key in [*ALL_OPEN, "d2"]}
    table = at_joust(folder, 4, favors=changed, favor_distinct_lines=0)
    while "column 4" not in words(table):
        go(table, "favor buildings" if asked(table)[1] == "favor" else "column none")
    return table


@pytest.mark.parametrize(
    ("spec", "favors", "word"),
    [
        ("build_line", {}, "column 3"),
        ("build_line", {"d3": {"effect": "none"}}, "column 4"),
        ("build_line(residences=0)", {"d3": {"effect": "none"}}, "column 2"),
        ("build_line(residences=0)", {}, "column 3"),
    ],
)
def test_build_line_uses_the_best_column(
    spec: str, favors: dict[str, dict[str, str]], word: str, tmp_path: Path
) -> None:
    assert wish(with_four_columns(tmp_path, **favors), spec) == word


def test_build_line_gives_up_what_it_needs_least(tmp_path: Path) -> None:
    table = quiet(go(shops(tmp_path), "place road 3"), "residence")
    assert wish(table, GREEDY) == "residence road 1"
    assert wish(table, "build_line") == "residence road 4"  # an architect without a residence


# -- deniers


def test_money_engine_goes_to_the_trading_post_when_low(tmp_path: Path) -> None:
    table = board(tmp_path, "3", start=16)
    assert wish(table, "money_engine") == "place trading_post"
    assert wish(table, "money_engine(low=5)") == "place road 16"  # the mine
    assert wish(go(table, "place trading_post"), "money_engine") == "place road 16"
    assert wish(board(tmp_path, "4", start=16), "money_engine") == "place road 16"


@pytest.mark.parametrize(("floor", "passes"), [(0, False), (1, False), (2, True), (3, True)])
def test_money_engine_keeps_its_floor(floor: int, passes: bool, tmp_path: Path) -> None:
    table = board(tmp_path, "0")
    assert (wish(table, f"money_engine(floor={floor})") == "pass") == passes


def test_money_engine_needs_no_floor_before_the_towers(tmp_path: Path) -> None:
    table = board(tmp_path, "9", start=8, castle=triggers(7, 9, 24))
    assert wish(table, "money_engine(floor=20)") == "pass"
    over(table)
    assert table.public.section == 2
    assert wish(table, "money_engine(floor=20)") != "pass"
    other = over(board(tmp_path, "9", start=8, castle=triggers(7, 12, 24)))
    assert other.public.section == 1
    assert wish(other, "money_engine(floor=20)") == "pass"


def test_money_engine_takes_deniers_first(tmp_path: Path) -> None:
    table = at_joust(tmp_path, 2, favor_distinct_lines=0)
    assert wish(table, "money_engine(favors=0)") == "favor prestige"
    assert let(table, "money_engine(favors=1)") == "favor deniers"
    assert wish(table, "money_engine(favors=1)") == "favor prestige"
    assert wish(table, "money_engine(favors=2)") == "favor deniers"


@pytest.mark.parametrize(
    "effect", ["pay(deniers=2)->gain(gold=1)", "pay(deniers=2)->gain(points=3)"]
)
def test_money_engine_likes_gold_and_points(effect: str, tmp_path: Path) -> None:
    table = board(tmp_path, "9", start=16, tiles=tile("quarry", effect))  # 2 points; the mine 3
    assert wish(table, "money_engine(bonus=0.9)") == "place road 16"
    assert wish(table, "money_engine(bonus=1.1)") == "place road 2"
    dear = board(tmp_path, "9", start=16, tiles=tile("quarry", effect.replace("=2", "=20")))
    assert wish(dear, "money_engine(bonus=5)") == "place road 16"  # it cannot be paid


# -- tiles to own


def test_landlord_builds_what_others_need(tmp_path: Path) -> None:
    table = board(tmp_path, "9 1 1", start=16)
    assert wish(table, GREEDY) == "place road 16"
    assert wish(table, "landlord") == "place road 1"  # the carpenter
    assert wish(table, "landlord(rounds=0)") == "place road 16"
    assert wish(board(tmp_path, "9 2 0", start=16), "landlord") == "place road 16"
    assert wish(table, "landlord(rounds=1)") == "place road 1"
    over(table)
    assert wish(table, "landlord(rounds=1)") != "place road 1"
    assert wish(table, "landlord(rounds=2)") == "place road 1"


def test_landlord_builds_in_stone(tmp_path: Path) -> None:
    tiles = {**tile("quarry", MASON), **tile("forest", "gain(gold=2)")}
    table = board(tmp_path, "9 1 0 1", tiles=tiles)
    assert wish(table, "landlord") == "place road 2"
    assert wish(table, "landlord(rounds=0)") == "place road 5"


@pytest.mark.parametrize(
    ("spec", "word"),
    [("landlord", "stone stone_farm"), ("landlord(visits=0)", "stone stone_tailor")],
)
def test_landlord_counts_visits(spec: str, word: str, tmp_path: Path) -> None:
    table = quiet(go(shops(tmp_path), "place road 2"), "stone")
    assert wish(table, spec) == word


def test_landlord_builds_the_mason(tmp_path: Path) -> None:
    dear = {f"wood_{name}": {"cost_gold": 9} for name in ("market", "peddler", "lawyer")}
    table = quiet(go(board(tmp_path, "9 3 3 0 3", tiles=dear), "place road 1"), "wood")
    assert len(words(table)) == 1 + 5
    assert wish(table, "landlord") == "wood wood_mason"  # 4 points, the others 2


def test_landlord_settles_where_a_rival_of_its_own_tile_is(tmp_path: Path) -> None:
    table = go(shops(tmp_path), "place road 1; pass; place road 3; pass")
    quiet(table, "wood")
    go(table, "wood wood_sawmill")
    assert quiet(table, "residence").decision == "residence"
    assert wish(table, GREEDY) == "residence road 1"
    assert wish(table, "landlord") == "residence road 5"  # the forest gives wood, too
    other = quiet(go(shops(tmp_path), "place road 3"), "residence")
    assert wish(other, "landlord") == "residence road 1"


def test_landlord_builds_with_its_favors(tmp_path: Path) -> None:
    assert wish(with_four_columns(tmp_path), "landlord") == "column 3"
    table = with_four_columns(tmp_path, d3={"effect": "none"})
    assert wish(table, "landlord") == "column 2"


def test_landlord_takes_the_line_that_builds(tmp_path: Path) -> None:
    table = at_joust(tmp_path, 2, favor_distinct_lines=0)
    assert wish(table, "landlord(rounds=0)") == "favor prestige"  # column 1 builds nothing
    assert let(table, "landlord(rounds=1)") == "favor buildings"  # a first favor all the same
    assert let(table, "landlord") == "favor buildings"
    assert wish(table, "landlord") == "column 2"
    poor = at_joust(tmp_path, 2, favor_distinct_lines=0, stocks="9 0 0 0 1")
    assert wish(go(poor, "favor buildings"), "landlord") == "favor prestige"


# -- residences and prestige tiles


def test_residence_prestige_builds_a_lawyer(tmp_path: Path) -> None:
    table = board(tmp_path, "9 0 2 0 2", start=16)
    assert wish(table, "residence_prestige") == "place road 16"  # before round 3
    assert wish(table, "residence_prestige(start=1, residences=0)") == "place road 16"
    assert let(table, "residence_prestige(start=1)") == "place road 1"
    assert wish(quiet(table, "wood"), "residence_prestige") == "wood wood_lawyer"
    assert wish(table, GREEDY) != "wood wood_lawyer"


def with_residences(folder: Path, stocks: str = RICH) -> Table:
    """Return a board of workshops where seat 0 has a residence on space 1, in round 2."""
    table = quiet(go(shops(folder, stocks), "place road 3"), "residence")
    return over(table, "residence road 1")


def test_residence_prestige_goes_to_the_lawyer(tmp_path: Path) -> None:
    table = shops(tmp_path)
    assert wish(table, "residence_prestige(start=1)") == "place road 3"
    assert wish(table, "residence_prestige(start=1, residences=0)") != "place road 3"
    assert wish(shops(tmp_path, "9 1 1 1 0"), "residence_prestige(start=1)") != "place road 3"
    table = with_residences(tmp_path)
    assert wish(table, "residence_prestige(start=2)") == "place road 3"
    assert wish(table, "residence_prestige(start=2, residences=1)") == "place road 4"


def test_residence_prestige_builds_the_best_blue_tile(tmp_path: Path) -> None:
    table = quiet(go(with_residences(tmp_path), "place road 4"), "prestige")
    assert wish(table, "residence_prestige") == "prestige hotel"  # 16, and 2 deniers for 9 rounds
    cheap = "60 4 12 12 12 1"
    table = quiet(go(with_residences(tmp_path, cheap), "place road 4"), "prestige")
    assert wish(table, "residence_prestige") == "prestige library"


def test_residence_prestige_builds_with_its_favors(tmp_path: Path) -> None:
    tiles = {**WORKSHOPS, **favors_at_joust(5), **POOR_BLUE}
    nothing = {f"d{column}": {"effect": "none"} for column in (2, 3, 4)}
    favors = {key: {**ALL_OPEN.get(key, {}), **nothing.get(key, {})} for key in ["d2", *ALL_OPEN]}
    table = shops(tmp_path, tiles=tiles, favors=favors, favor_distinct_lines=0)
    over(quiet(go(table, "place road 3"), "residence"), "residence road 1")
    go(quiet(go(table, "place joust"), "joust"), "joust pay")
    for _ in range(4):
        assert wish(table, "residence_prestige") == "favor deniers"
        go(table, "favor buildings")
        if asked(table)[1] == "column":
            go(table, "column none")
    assert wish(table, GREEDY) == "favor deniers"
    assert let(table, "residence_prestige") == "favor buildings"
    assert let(table, "residence_prestige") == "column 5"
    assert let(table, "residence_prestige") == "prestige hotel"


def test_residence_prestige_gets_what_its_aim_lacks(tmp_path: Path) -> None:
    tiles = {**tile("market", "gain(stone=1)"), **tile("forest", "gain(cloth=2)")}
    table = shops(tmp_path, "60 0 0 2 1 2", tiles=tiles)
    over(quiet(go(table, "place road 3"), "residence"), "residence road 1")
    spec = "residence_prestige(start=2, residences=1)"
    assert wish(table, spec) == "place road 4"  # a statue can be paid
    go(table, "place road 4; pass")
    assert wish(table, GREEDY) == "place road 5"
    assert wish(table, spec) == "place road 6"  # for the hotel, a stone


def test_residence_prestige_gives_up_what_it_needs_least(tmp_path: Path) -> None:
    table = quiet(go(shops(tmp_path), "place road 3"), "residence")
    assert wish(table, "residence_prestige") == "residence road 4"
    lawyer = tile("sawmill", LAWYER)
    table = go(board(tmp_path, "0 1 2 0 1", start=3, tiles=lawyer), "place road 3")
    quiet(table, "residence")
    assert wish(table, "residence_prestige") == "residence road 5"  # too far to be used


def before_the_bailiff(folder: Path, space: int) -> Table:
    """Return a board where seat 1 has moved the provost up by 3, and seat 0 is to move him.

    Seat 0 has a worker on this space.
    """
    table = go(board(folder, "9"), f"place road {space}; pass; pass", "provost +3")
    assert asked(table) == (0, "provost")
    return table


@pytest.mark.parametrize(
    ("space", "spaces", "word"),
    [(2, 1, "-1"), (2, 3, "-3"), (7, 3, "-2"), (8, 3, "-1"), (2, 0, "0")],
)
def test_residence_prestige_moves_the_provost_back(
    space: int, spaces: int, word: str, tmp_path: Path
) -> None:
    table = before_the_bailiff(tmp_path, space)
    assert wish(table, f"residence_prestige(spaces={spaces})") == f"provost {word}"
    assert wish(table, GREEDY) == "provost 0"


def test_residence_prestige_leaves_the_provost_with_the_bailiff(tmp_path: Path) -> None:
    table = go(board(tmp_path, "9"), "place road 2; pass; pass", "provost 0")
    assert wish(table, "residence_prestige(spaces=3)") == "provost 0"


# -- gold


def test_gold_hoarder_goes_to_the_mine(tmp_path: Path) -> None:
    table = board(tmp_path, "9 2 2 0 2", start=13)
    assert wish(table, GREEDY) != "place road 16"
    assert wish(table, "gold_hoarder") == "place road 16"  # three spaces ahead
    assert wish(board(tmp_path, "9 2 2 0 2", start=11), "gold_hoarder") != "place road 16"
    assert wish(board(tmp_path, "1 2 2 0 2", start=13), "gold_hoarder") != "place road 16"


@pytest.mark.parametrize(
    ("stocks", "effect", "goes"),
    [
        ("3", "pay(deniers=2)->gain(gold=1)", True),
        ("0", "pay(deniers=2)->gain(gold=1)", False),
        ("3 2 2 1", "pay(any4=2)->gain(gold=1)|pay(any4=4)->gain(gold=2)", True),
        ("3 2 1 1", "pay(any4=2)->gain(gold=1)|pay(any4=4)->gain(gold=2)", False),
        ("3 0 0 0 0 1", "pay(gold=1)->gain(points=3)|pay(gold=2)->gain(points=5)", True),
        ("3 0 0 0 0 0", "pay(gold=1)->gain(points=3)|pay(gold=2)->gain(points=5)", False),
    ],
)
def test_gold_hoarder_trades(stocks: str, effect: str, goes: bool, tmp_path: Path) -> None:
    table = board(tmp_path, stocks, tiles=tile("quarry", effect))
    assert (wish(table, "gold_hoarder") == "place road 2") == goes


def test_gold_hoarder_builds_on_its_residence(tmp_path: Path) -> None:
    table = shops(tmp_path, tiles=POOR_BLUE)
    over(quiet(go(table, "place road 3"), "residence"), "residence road 1")
    assert wish(table, GREEDY) != "place road 4"
    assert let(table, "gold_hoarder") == "place road 4"
    quiet(table, "prestige")
    assert wish(table, "gold_hoarder") == "prestige hotel"
    assert wish(table, GREEDY) == "prestige none"


@pytest.mark.parametrize(
    ("spaces", "word"), [(0, "provost 0"), (1, "provost 0"), (2, "provost +2"), (3, "provost +2")]
)
def test_gold_hoarder_brings_the_provost_to_its_mine(
    spaces: int, word: str, tmp_path: Path
) -> None:
    """A rival would gain much on the way, so that others leave the provost where he is."""
    tiles = {**tile("market", "gain(gold=1)"), **tile("forest", "pay(deniers=1)->gain(points=19)")}
    table = go(board(tmp_path, "9", start=4, tiles=tiles), "place road 6; place road 5; pass; pass")
    assert asked(table) == (0, "provost")
    assert wish(table, GREEDY) == "provost 0"
    assert wish(table, f"gold_hoarder(spaces={spaces})") == word


def test_gold_hoarder_takes_cubes_then_deniers(tmp_path: Path) -> None:
    table = at_joust(tmp_path, 3, favor_distinct_lines=0)
    assert let(table, "gold_hoarder") == "favor resources"
    go(table, "column none")
    assert let(table, "gold_hoarder") == "favor resources"
    go(table, "column none")
    assert let(table, "gold_hoarder") == "favor deniers"  # column 3 is closed


def test_gold_hoarder_exchanges_all_it_can(tmp_path: Path) -> None:
    effect = "pay(deniers=2)->gain(gold=1)|pay(deniers=9)->gain(gold=2)"
    table = board(tmp_path, "20", tiles=tile("quarry", effect))
    quiet(go(table, "place road 2"), "exchange")
    assert wish(table, GREEDY) == "exchange first"
    assert wish(table, "gold_hoarder") == "exchange second"


# -- the inn


def in_the_inn(folder: Path, stocks: str = "9", **more: Any) -> Table:
    """Return a board in round 2, seat 0 on the right circle of the inn and first to move."""
    table = over(board(folder, stocks, **more), "place inn")
    if table.to_move != 0:
        go(table, "place trading_post")
    assert (table.public.inn[1], table.to_move) == (0, 0)
    return table


def test_inn_squeeze_goes_to_the_inn_and_stays(tmp_path: Path) -> None:
    table = board(tmp_path, "9")
    assert wish(table, "inn_squeeze") == "place inn"
    assert wish(go(table, "place inn"), "inn_squeeze") != "place inn"  # seat 1: it is taken
    table = in_the_inn(tmp_path)
    assert wish(table, "inn_squeeze") not in {"place inn", "pass"}
    assert wish(quiet(table, "inn"), "inn_squeeze") == "inn keep"


@pytest.mark.parametrize(("most", "passes"), [(0, True), (1, True), (2, False)])
def test_inn_squeeze_passes_after_its_workers(most: int, passes: bool, tmp_path: Path) -> None:
    table = go(in_the_inn(tmp_path), "place trading_post; place road 1")
    assert asked(table)[0] == 0
    assert (wish(table, f"inn_squeeze(most={most})") == "pass") == passes


@pytest.mark.parametrize(
    ("rules", "drop", "passes"),
    [
        ("standard", 2, True),  # 9 deniers pay for all 6 workers, or for 4
        ("standard", 3, False),
        ("official", 3, True),  # seat 1 came first: 8 for the other 5 workers, or for 2
        ("official", 4, False),
    ],
)
def test_inn_squeeze_passes_when_that_is_dear_for_rivals(
    rules: str, drop: int, passes: bool, tmp_path: Path
) -> None:
    table = in_the_inn(tmp_path, "4", rules=rules)
    assert int(table.public.deniers[1]) == (9 if rules == "standard" else 8)
    assert (wish(table, f"inn_squeeze(drop={drop})") == "pass") == passes


def test_inn_squeeze_stays_before_the_provost_once_it_is_in(tmp_path: Path) -> None:
    table = in_the_inn(tmp_path, start=3, tiles=tile("forest", "gain(gold=3)"))
    assert table.public.provost == 4
    assert wish(table, GREEDY) == "place road 5"
    assert wish(table, "inn_squeeze") not in {"place road 5", "pass"}


# -- the provost


@pytest.mark.parametrize(("reserve", "passes"), [(2, False), (3, True), (4, True)])
def test_provost_saboteur_keeps_its_reserve(reserve: int, passes: bool, tmp_path: Path) -> None:
    table = board(tmp_path, "1 2 1")
    assert (wish(table, f"provost_saboteur(reserve={reserve})") == "pass") == passes


def test_provost_saboteur_outlasts_who_is_poorer(tmp_path: Path) -> None:
    table = board(tmp_path, ["1", "0"])
    assert wish(table, "provost_saboteur") == "place trading_post"
    go(table, "place trading_post; place guild")
    assert wish(table, "provost_saboteur") == "place gate"
    table = go(board(tmp_path, ["0", "0", "1"], players=3), "pass; place trading_post")
    assert wish(table, "provost_saboteur") == "place guild"  # for two deniers
    table = go(board(tmp_path, ["1", "0"]), "place gate; pass")
    assert wish(table, "provost_saboteur") == "pass"  # there is nobody to outlast


def test_provost_saboteur_stays_before_the_bailiff(tmp_path: Path) -> None:
    table = board(tmp_path, "9", start=3, tiles=tile("forest", "gain(gold=3)"))
    assert wish(table, GREEDY) == "place road 5"
    assert wish(table, "provost_saboteur") != "place road 5"


def test_provost_saboteur_goes_to_its_own_tiles_anywhere(tmp_path: Path) -> None:
    tiles = {"wood_quarry": {"worker_effect": "gain(gold=3)"}}
    table = board(tmp_path, "30 1 1", tiles=tiles)
    quiet(go(table, "place road 1"), "wood")
    over(table, "wood wood_quarry")
    space = place_of(table, "wood_quarry")
    assert space > table.public.bailiff
    if table.to_move != 0:
        go(table, "pass")
    assert wish(table, "provost_saboteur") == f"place road {space}"


@pytest.mark.parametrize(("spite", "word"), [(0, "0"), (0.05, "0"), (0.1, "-1"), (0.5, "-1")])
def test_provost_saboteur_spites_twice_as_much_with_two(
    spite: float, word: str, tmp_path: Path
) -> None:
    """A gold, 3 points, twice the spite, against a denier."""
    spec = f"provost_saboteur(spite={spite})"
    assert wish(before_the_mine(tmp_path), spec) == f"provost {word}"


def test_provost_saboteur_spites_with_three(tmp_path: Path) -> None:
    table = board(tmp_path, "9", start=16, players=3)
    go(table, "pass; place road 16; pass; pass")
    assert wish(table, "provost_saboteur(spite=0.3)") == "provost 0"  # 0.3 x 3 / 2 rivals
    assert wish(table, "provost_saboteur(spite=0.4)") == "provost -1"


def ahead(folder: Path) -> Table:
    """Return a board at the bridge of round 2, the Dungeon scored; seat 0 leads by 20 points."""
    stocks = ["9 0 0 0 0 0 6 20", "9"]
    table = over(board(folder, stocks, castle=triggers(7, 18, 24), start=6))
    assert table.public.section == 1
    quiet(table, "provost")
    assert asked(table) == (0, "provost")
    return table


@pytest.mark.parametrize(
    ("more", "word"),
    [
        ("pace=none", "0"),
        ("pace=jet", "+1"),
        ("pace=brake", "0"),
        ("pace=jet, haste=0.4", "0"),
        ("pace=jet, lead=20", "+1"),
        ("pace=jet, lead=21", "0"),
    ],
)
def test_provost_saboteur_hurries_when_it_leads(more: str, word: str, tmp_path: Path) -> None:
    assert wish(ahead(tmp_path), f"provost_saboteur({more})") == f"provost {word}"


@pytest.mark.parametrize(
    ("more", "word"),
    [
        ("pace=none", "0"),
        ("pace=jet", "0"),
        ("pace=brake", "-1"),
        ("pace=brake, lead=20", "-1"),
        ("pace=brake, lead=21", "0"),
    ],
)
def test_provost_saboteur_brakes_when_it_trails(more: str, word: str, tmp_path: Path) -> None:
    table = go(ahead(tmp_path), "provost +1")
    assert wish(table, f"provost_saboteur({more})") == f"provost {word}"


def test_provost_saboteur_does_not_mind_the_pace_of_the_dungeon(tmp_path: Path) -> None:
    table = quiet(board(tmp_path, ["9 0 0 0 0 0 6 20", "9"]), "provost")
    assert wish(table, "provost_saboteur(pace=jet)") == "provost 0"


def test_the_strategy_of_the_page_plays_as_it_says(tmp_path: Path) -> None:
    page = (shipped("simlab.games.caylus") / "RULES.md").read_text(encoding="utf-8")
    file = tmp_path / "mason_of_the_king.py"
    file.write_text(page.split("```python\n")[1].split("```")[0], encoding="utf-8")
    own = load_file(file).mason_of_the_king
    run = simlab.run("caylus", 2, 300, [own, "random"], jobs=1, quiet=True, out=tmp_path / "run")
    assert run.summary()["win_share_low"].max() > 0.9
    table = board(tmp_path, "9 1 2 2")
    number = table.clone().advance(Player(bind_for(GAME, own)))
    assert str(table.book.actions[number]) == "place castle"
