"""Caylus against its referee, word by word: every rule set, number of players, rule and box.

From the normal start random play sees little of the castle and nothing of prestige tiles; so games
are also played from a rich start, where every kind of decision is asked.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simlab.core.game import Key, rule_book
from simlab.games.caylus import GAME
from simlab.games.caylus.actions import DECISIONS
from tests.games.caylus.board import RICH, rows_of, setup_rows, write
from tests.harness import cells
from tests.tracer import Tracer, compare_table, judge_deals, judge_table

CELLS = cells(GAME)
FULL = 500  # deals for each rule set and number of players, each at random and by strategies
TENTH = FULL // 10
PAIRS = ["5;5", "5;6", "0;200", "60;60"]


@pytest.fixture(scope="session")
def rich(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the rules of a rich start."""
    folder = tmp_path_factory.mktemp("rich")
    return {
        "setup": write(folder, "setup", setup_rows(RICH)),
        "two_player_start_deniers": "60;60",
    }


@pytest.mark.parametrize(("rules", "players"), CELLS)
def test_a_tenth_of_the_games_agrees(rules: str, players: int) -> None:
    assert judge_deals(GAME, players, range(TENTH), rules) == 2 * TENTH


@pytest.mark.parametrize(("rules", "players"), CELLS)
def test_some_rich_games_agree(rules: str, players: int, rich: dict[str, Any]) -> None:
    assert judge_deals(GAME, players, range(15), rules, rich) == 30


@pytest.mark.validate
@pytest.mark.parametrize(("rules", "players"), CELLS)
def test_all_games_agree(rules: str, players: int, rich: dict[str, Any]) -> None:
    assert judge_deals(GAME, players, range(FULL), rules) == 2 * FULL
    assert judge_deals(GAME, players, range(FULL), rules, rich) == 2 * FULL


def test_rich_games_ask_every_decision(rich: dict[str, Any]) -> None:
    tracer = Tracer(GAME, rule_book(GAME, "standard", rich), 4)
    asked = {ask.decision for deal in range(20) for ask, _ in tracer.play(deal).moments}
    assert asked - {None} == {*DECISIONS[1:]}


# -- through Table


@pytest.mark.parametrize(("rules", "players"), CELLS[::3])
def test_table_agrees_and_its_words_repeat_the_game(rules: str, players: int) -> None:
    judge_table(GAME, players, rules)


@pytest.mark.parametrize(("rules", "players"), CELLS[::3])
def test_table_and_compiled_play_are_the_same_game(rules: str, players: int) -> None:
    compare_table(GAME, players, rules)


# -- every value of every rule


def values_of(key: Key) -> list[Any]:
    """Return all values of a key, of two numbers some."""
    if key.name == "two_player_start_deniers":
        return PAIRS
    return list(key.values) or list(range(key.low, key.high + 1))


def variants() -> Iterator[tuple[str, Any]]:
    """Yield (key, value): every value of every key."""
    for key in GAME.keys:
        for value in values_of(key):
            yield key.name, value


@pytest.mark.parametrize(("key", "value"), list(variants()))
def test_every_value_of_every_rule(key: str, value: Any, rich: dict[str, Any]) -> None:
    for rules, players in (("standard", 2), ("official", 2), ("official", 5), ("standard", 3)):
        judge_deals(GAME, players, [players], rules, {key: value})
        judge_deals(GAME, players, [players], rules, rich | {key: value})


def mixture(rng: random.Random) -> dict[str, Any]:
    """Return a value drawn for every key."""
    return {key.name: rng.choice(values_of(key)) for key in GAME.keys}


# -- boxes of one's own


CUBES = ("food", "wood", "stone", "cloth", "gold")


def an_effect(rng: random.Random) -> str:
    """Return some effect that a tile can have."""
    cube, other, number = rng.choice(CUBES), rng.choice(CUBES), rng.randint(1, 9)
    good = rng.choice((*CUBES, "deniers"))
    gets = rng.choice([kind for kind in ("points", "gold", "deniers") if kind != good])
    return rng.choice(
        [
            "none",
            f"gain({cube}={rng.randint(1, 3)})",
            f"gain({cube}={rng.randint(1, 3)})|gain({other}=1)",
            f"pay(any5=1)->gain(deniers={number})",
            "pay(deniers=2)->gain(any4=1)",
            "pay(deniers=2)->gain(any4=2)",
            "pay(deniers=1)->gain(any4=1)|pay(deniers=3)->gain(any4=2)",
            f"pay({good}={rng.randint(1, 3)})->gain({gets}={number})",
            f"pay(gold=1)->gain(points=3)|pay(wood=2)->gain(deniers={number})",
            "pay(any4=2)->gain(gold=1)|pay(any4=4)->gain(gold=3)",
            "build(wood)",
            "build(stone)",
            "build(prestige)",
            "pay(deniers=2,cloth=1)->transform(residence)",
        ]
    )


def drawn_buildings(rng: random.Random) -> list[dict[str, Any]]:
    """Return tiles with drawn prices, points and effects; a tenth of the crafts is missing."""
    rows: list[dict[str, Any]] = []
    for row in rows_of("buildings"):
        craft = row["kind"] in ("wood", "stone", "prestige")
        if craft and rng.random() < 0.1:
            continue
        changes: dict[str, Any] = {}
        if craft:
            changes = {f"cost_{kind}": rng.choice([0, 0, 1, 1, 2]) for kind in CUBES}
            changes |= {"cost_any": rng.randint(0, 1), "points": rng.randint(0, 9)}
            changes["favors"] = rng.choice([0, 0, 1, 2, 4])
        if row["kind"] == "prestige":
            changes["income"] = rng.randint(0, 2)
        if row["kind"] in ("fixed", "neutral", "wood", "stone") and rng.random() < 0.7:
            changes["worker_effect"] = an_effect(rng)
        if row["kind"] == "stone" and rng.random() < 0.5:
            cubes = "gain(wood=1)" + rng.choice(["", "|gain(gold=1)"])
            owner = "point=1 on placement; on activation by another player "
            changes["owner_effect"] = owner + cubes
        reach, favors = rng.randint(1, 3), rng.randint(1, 3)
        specials = {
            "merchants_guild": f"provost(-{reach}..{reach},free)",
            "joust_field": f"pay(deniers=2,cloth=1)->gain(favor={favors})",
            "trading_post": f"gain(deniers={reach})",
        }
        if row["id"] in specials:
            changes["worker_effect"] = specials[row["id"]]
        rows.append(row | changes)
    return rows


def drawn_favors(rng: random.Random) -> list[dict[str, Any]]:
    """Return a favor table with drawn effects."""
    cubes = ["gain(wood=2)", "gain(food=1)|gain(gold=1)", "pay(any5=1)->gain(any4=2)"]
    builds = [
        "none", "build(wood,discount_wood=1)", "build(stone,discount_stone=2)", "build(prestige)",
        "pay(cloth=2)->transform(residence)",
    ]  # fmt: skip
    drawn = {"c": cubes, "d": builds}
    return [
        row | ({"effect": rng.choice(drawn[row["line"]])} if row["line"] in drawn else {})
        for row in rows_of("favors")
    ]


def drawn_castle(rng: random.Random) -> list[dict[str, Any]]:
    """Return a castle with drawn sizes, points, penalties and favors."""
    return [
        row
        | {
            "capacity": rng.randint(1, 12),
            "points_per_part": rng.randint(0, 9),
            "penalty_if_none": -rng.randint(0, 5),
            "favors_by_min_parts": rng.choice(["", "1:1", "2:1;4:3", "3:5"]),
        }
        for row in rows_of("castle")
    ]


def judge_mixture(seed: int, folder: Path) -> None:
    """Compare games under drawn rules, most of them with a drawn box and a rich start."""
    rng = random.Random(f"mixture {seed}")
    changes = mixture(rng)
    files = {"buildings": drawn_buildings, "favors": drawn_favors, "castle": drawn_castle}
    for name, draw in files.items():
        if rng.random() < 0.6:
            changes[name] = write(folder, name, draw(rng))
    if rng.random() < 0.7:
        changes["setup"] = write(folder, "setup", setup_rows(RICH))
        changes["two_player_start_deniers"] = "60;60"
    judge_deals(GAME, rng.choice([2, 3, 4, 5]), range(seed, seed + 2), "standard", changes)


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_mixtures_of_rules_and_boxes(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + 20):
        judge_mixture(seed, tmp_path)


@pytest.mark.validate
@pytest.mark.parametrize("first", range(100, 2100, 100))
def test_many_mixtures_of_rules_and_boxes(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + 100):
        judge_mixture(seed, tmp_path)


# -- the comparison itself can fail

WRONG = [
    ("standard", 2, "two_player_pass_cost", 3),
    ("standard", 2, "two_player_turn_order", "alternate"),
    ("standard", 2, "two_player_start_deniers", "60;61"),
    ("standard", 3, "points_floor", "0"),
    ("standard", 4, "no_delivery_exempt_if_towers_full", 1),
    ("standard", 3, "owner_point_timing", "activation"),
    ("standard", 3, "favor_distinct_lines", 0),
    ("standard", 4, "stables_capacity", 1),
    ("standard", 3, "tie_break", "turn_order"),
    ("standard", 3, "jeweller", 1),
    ("standard", 3, "church_points", 4),
    ("standard", 3, "tailor_rates", "1:2;3:6"),
    ("standard", 3, "lawyer_points", 3),
    ("standard", 3, "favor_simplified", 1),
    ("standard", 4, "gate_immediate", 1),
    ("standard", 4, "stables_moment", "round_end"),
    ("standard", 4, "delayed_residence", "payment"),
]


@pytest.mark.parametrize(("rules", "players", "key", "value"), WRONG)
def test_a_referee_of_other_rules_disagrees(
    rules: str, players: int, key: str, value: Any, rich: dict[str, Any]
) -> None:
    with pytest.raises(AssertionError):
        judge_deals(GAME, players, range(100), rules, rich, told={key: value})


@pytest.mark.parametrize(
    ("name", "column", "value"),
    [
        ("buildings", "points", "2"),
        ("buildings", "cost_stone", "1"),
        ("favors", "effect", "none"),
        ("castle", "points_per_part", "4"),
    ],
)
def test_a_referee_of_another_box_disagrees(
    name: str, column: str, value: str, rich: dict[str, Any]
) -> None:
    rows = rule_book(GAME, "standard", rich).rows[name]
    line = {"favors": lambda row: row["line"] == "d"}.get(name, lambda row: True)
    told = [row | ({column: value} if line(row) else {}) for row in rows]
    with pytest.raises(AssertionError):
        judge_deals(GAME, 3, range(50), "standard", rich, told={name: told})
