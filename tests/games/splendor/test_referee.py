"""Splendor against its referee, word by word: every rule set, number of players, rule and file.

Most games are played in compiled code (`tests/tracer.py`); a few are played through `Table` as
well, which must show the same words, cards and faces.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from simlab.core.game import Key, rule_book
from simlab.games.splendor import GAME
from simlab.games.splendor.actions import COLOURS
from tests.games.splendor.boxes import Row, cards_file, drawn_cards, drawn_nobles, nobles_file
from tests.harness import cells
from tests.tracer import compare_table, judge_deals, judge_table

CELLS = cells(GAME)
SOME_CELLS = CELLS[::2]  # still every rule set and every number of players
FULL = 1000  # deals for each rule set and number of players, each at random and by strategies
TENTH = FULL // 10
NUMBERS = {"target": [1, 2, 9, 14, 16, 30, 100], "max_turns": [1, 2, 3, 20, 35, 500]}


@pytest.mark.parametrize(("rules", "players"), CELLS)
def test_a_tenth_of_the_games_agrees(rules: str, players: int) -> None:
    assert judge_deals(GAME, players, range(TENTH), rules) == 2 * TENTH


@pytest.mark.validate
@pytest.mark.parametrize(("rules", "players"), CELLS)
def test_all_games_agree(rules: str, players: int) -> None:
    assert judge_deals(GAME, players, range(FULL), rules) == 2 * FULL


# -- through Table


@pytest.mark.parametrize(("rules", "players"), SOME_CELLS)
def test_table_agrees_and_its_words_repeat_the_game(rules: str, players: int) -> None:
    judge_table(GAME, players, rules)


@pytest.mark.parametrize(("rules", "players"), SOME_CELLS)
def test_table_and_compiled_play_are_the_same_game(rules: str, players: int) -> None:
    compare_table(GAME, players, rules)


# -- every value of every rule


def values_of(key: Key) -> list[Any]:
    """Return all words, or some numbers: the least, the most and others."""
    assert not key.values or key.name not in NUMBERS
    return list(key.values) or NUMBERS[key.name]


def variants() -> Iterator[tuple[str, str, Any]]:
    """Yield (rule set, key, value): every value of every key, on two rule sets."""
    for rules in ("literal", "official"):
        for key in GAME.keys:
            for value in values_of(key):
                yield rules, key.name, value


@pytest.mark.parametrize(("rules", "key", "value"), list(variants()))
def test_every_value_of_every_rule(rules: str, key: str, value: Any) -> None:
    for players in (2, 3, 4):
        judge_deals(GAME, players, [players], rules, {key: value})


def mixture(rng: random.Random) -> dict[str, Any]:
    """Return a value drawn for every key; games that never end are cut at 60 turns."""
    chosen = {key.name: rng.choice(values_of(key)) for key in GAME.keys}
    return chosen | {"max_turns": min(chosen["max_turns"], 60)}


def judge_mixture(seed: int, folder: Path) -> None:
    """Compare games under drawn rules, half of them with drawn cards and nobles."""
    rng = random.Random(f"mixture {seed}")
    chosen = mixture(rng)
    if rng.random() < 0.5:
        chosen["cards"] = cards_file(folder, drawn_cards(rng))
    if rng.random() < 0.5:
        chosen["nobles"] = nobles_file(folder, drawn_nobles(rng))
    judge_deals(GAME, rng.choice([2, 3, 4]), range(seed, seed + 2), "standard", chosen)


@pytest.mark.parametrize("seed", range(0, 40, 10))
def test_mixtures_of_rules_and_files(seed: int, tmp_path: Path) -> None:
    for one in range(seed, seed + 10):
        judge_mixture(one, tmp_path)


@pytest.mark.validate
@pytest.mark.parametrize("first", range(100, 2100, 100))
def test_many_mixtures_of_rules_and_files(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + 100):
        judge_mixture(seed, tmp_path)


# -- odd boxes


def alike(counts: tuple[int, int, int], points: int, *cost: int) -> list[Row]:
    """Return so many cards of each level, all of the same points and cost, bonuses in turn."""
    return [
        (f"c{level}.{number}", level, COLOURS[number % 5], points, *cost)
        for level, count in enumerate(counts, start=1)
        for number in range(count)
    ]


BOXES: dict[str, Callable[[], list[Row]]] = {
    "four of each level, no deck": lambda: alike((4, 4, 4), 2, 1, 1, 0, 0, 0),
    "one deck of one card": lambda: alike((4, 5, 4), 2, 1, 0, 1, 0, 0),
    "all cards free": lambda: alike((9, 9, 9), 1, 0, 0, 0, 0, 0),
    "no card can be paid": lambda: alike((9, 9, 9), 1, 20, 0, 0, 0, 0),
    "cards of all five colours": lambda: alike((20, 9, 9), 3, 1, 1, 1, 1, 1),
    "no points at all": lambda: alike((5, 5, 5), 0, 1, 0, 0, 0, 1),
    "one card is enough": lambda: alike((9, 9, 9), 20, 2, 2, 2, 0, 0),
    "a full box": lambda: alike((60, 20, 20), 1, 0, 2, 0, 1, 0),
    "highest level first": lambda: alike((15, 12, 9), 2, 0, 0, 2, 1, 1)[::-1],
}
COURTS: dict[str, list[Row]] = {
    "nobles for one bonus": [(f"n{i}", 3, *(int(c == i % 5) for c in range(5))) for i in range(20)],
    "nobles for all bonuses": [(f"n{i}", i, 1, 1, 1, 1, 1) for i in range(5)],
    "nobles that never come": [(f"n{i}", 20, 20, 0, 0, 0, 0) for i in range(5)],
    "worthless nobles": [(f"n{i}", 0, 1, 1, 0, 0, 0) for i in range(7)],
}


@pytest.mark.parametrize("name", BOXES)
def test_card_files(name: str, tmp_path: Path) -> None:
    path = cards_file(tmp_path, BOXES[name]())
    for rules, players in SOME_CELLS:
        judge_deals(GAME, players, range(1), rules, {"cards": path, "max_turns": 40})
    judge_deals(GAME, 3, range(5, 7), "standard", {"cards": path, "no_move": "abort"})


@pytest.mark.parametrize("name", COURTS)
def test_noble_files(name: str, tmp_path: Path) -> None:
    path = nobles_file(tmp_path, COURTS[name])
    for rules, players in SOME_CELLS:
        judge_deals(GAME, players, range(1), rules, {"nobles": path, "target": 25})


def test_a_file_with_the_shipped_cards_in_another_order_and_other_names(tmp_path: Path) -> None:
    shipped = rule_book(GAME).rows["cards"]
    costs = [[row[f"cost_{colour}"] for colour in COLOURS] for row in shipped]
    rows = [
        (f"x{place}", row["level"], row["bonus"], row["points"], *cost)
        for place, (row, cost) in enumerate(zip(shipped, costs, strict=True))
    ]
    random.Random(1).shuffle(rows)
    judge_deals(GAME, 4, range(10), "official", {"cards": cards_file(tmp_path, rows)})


# -- the comparison itself can fail


@pytest.mark.parametrize(
    ("rules", "key", "value"),
    [
        ("standard", "tie_break", "shared"),
        ("standard", "take_different", "exactly_three"),
        ("standard", "take_different", "one_to_three"),
        ("literal", "take_different", "up_to_available"),
        ("standard", "payment", "free_choice"),
        ("official", "payment", "auto_min_gold"),
        ("standard", "no_move", "abort"),
        ("standard", "reserved_memory", "hidden"),
        ("standard", "target", 16),
        ("standard", "max_turns", 30),
    ],
)
def test_a_referee_of_other_rules_disagrees(rules: str, key: str, value: Any) -> None:
    with pytest.raises(AssertionError):
        judge_deals(GAME, 3, range(200), rules, told={key: value})


@pytest.mark.parametrize(
    ("name", "column", "value"),
    [("cards", "points", "2"), ("cards", "cost_green", "5"), ("nobles", "req_white", "5")],
)
def test_a_referee_of_other_cards_disagrees(name: str, column: str, value: str) -> None:
    rows = [{**row, column: value} for row in rule_book(GAME).rows[name]]
    with pytest.raises(AssertionError):
        judge_deals(GAME, 3, range(50), told={name: rows})
