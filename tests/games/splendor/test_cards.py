"""The shipped cards and nobles against RULES.md section 12, and files that cannot be played."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from simlab.checks import check
from simlab.core.game import rule_book
from simlab.errors import UserError
from simlab.games.splendor import GAME
from simlab.games.splendor.actions import COLOURS
from simlab.games.splendor.setup import CARD_COLUMNS, NOBLE_COLUMNS
from tests.games.splendor.boxes import Row, cards_file, nobles_file

BOOK = rule_book(GAME)
RING = ("white", "blue", "green", "red", "black")


def card(row: dict[str, str]) -> tuple[int, int, int, tuple[int, ...]]:
    """Return level, bonus, points and cost of a row."""
    costs = tuple(int(row[f"cost_{colour}"]) for colour in COLOURS)
    return int(row["level"]), COLOURS.index(row["bonus"]), int(row["points"]), costs


CARDS = [card(row) for row in BOOK.rows["cards"]]
NOBLES = [tuple(int(row[f"req_{colour}"]) for colour in COLOURS) for row in BOOK.rows["nobles"]]


def of_level(level: int) -> list[tuple[int, int, int, tuple[int, ...]]]:
    return [card for card in CARDS if card[0] == level]


def turned(values: tuple[int, ...], by: int = 1) -> tuple[int, ...]:
    """Return counts by colour with every colour moved on along the ring."""
    return tuple(values[(place - by) % 5] for place in range(5))


# -- section 12: the exact figures

LEVELS = [
    (1, 40, 5, 165, {0: 35, 1: 5}, {3: 10, 4: 15, 5: 15}, 6),
    (2, 30, 55, 205, {1: 10, 2: 15, 3: 5}, {5: 5, 6: 5, 7: 10, 8: 10}, 16),
    (3, 20, 80, 215, {3: 5, 4: 10, 5: 5}, {7: 5, 10: 5, 12: 5, 14: 5}, 10),
]


@pytest.mark.parametrize(("level", "cards", "points", "cost", "worth", "totals", "own"), LEVELS)
def test_s08_figures_of_a_level(
    level: int,
    cards: int,
    points: int,
    cost: int,
    worth: dict[int, int],
    totals: dict[int, int],
    own: int,
) -> None:
    rows = of_level(level)
    assert len(rows) == cards
    assert Counter(bonus for _, bonus, _, _ in rows) == dict.fromkeys(range(5), cards // 5)
    assert sum(points for _, _, points, _ in rows) == points
    assert [sum(costs[colour] for *_, costs in rows) for colour in range(5)] == [cost // 5] * 5
    assert cost == 5 * {1: 33, 2: 41, 3: 43}[level]
    assert Counter(points for _, _, points, _ in rows) == worth
    assert Counter(sum(costs) for *_, costs in rows) == totals
    assert sum(costs[bonus] > 0 for _, bonus, _, costs in rows) == own


def test_s08_figures_of_all_cards() -> None:
    assert len(CARDS) == 90
    assert Counter(bonus for _, bonus, _, _ in CARDS) == dict.fromkeys(range(5), 18)
    assert sum(points for _, _, points, _ in CARDS) == 140
    assert sum(sum(costs) for *_, costs in CARDS) == 585
    assert [sum(costs[colour] for *_, costs in CARDS) for colour in range(5)] == [117] * 5
    assert sum(costs[bonus] > 0 for _, bonus, _, costs in CARDS) == 32
    assert len({*CARDS}) == 90


SHAPES = {
    (1, 0): ["3", "21", "1111", "22", "311", "221", "2111"],
    (1, 1): ["4"],
    (2, 1): ["322", "332"],
    (2, 2): ["5", "53", "421"],
    (2, 3): ["6"],
    (3, 3): ["5333"],
    (3, 4): ["7", "633"],
    (3, 5): ["73"],
}


@pytest.mark.parametrize("colour", range(5), ids=COLOURS)
def test_every_colour_has_the_same_shapes_of_costs(colour: int) -> None:
    found: dict[tuple[int, int], list[str]] = {}
    for level, bonus, points, costs in CARDS:
        if bonus == colour:
            shape = "".join(map(str, sorted(filter(None, costs), reverse=True)))
            found.setdefault((level, points), []).append(shape)
    assert {key: sorted(shapes) for key, shapes in found.items()} == {
        key: sorted(shapes) for key, shapes in SHAPES.items()
    }
    assert sum(map(len, SHAPES.values())) == 18


def test_only_level_3_is_the_same_when_colours_move_on_along_the_ring() -> None:
    assert COLOURS == RING
    for level, same in ((1, False), (2, False), (3, True)):
        rows = {*of_level(level)}
        moved = {
            (lvl, (bonus + 1) % 5, points, turned(costs)) for lvl, bonus, points, costs in rows
        }
        assert (moved == rows) == same, level


def test_best_points_per_gem() -> None:
    rates = Counter((points / sum(costs), level, sum(costs)) for level, _, points, costs in CARDS)
    first, second, third = sorted(rates, reverse=True)[:3]
    assert (first, rates[first]) == ((4 / 7, 3, 7), 5)
    assert (second, third) == ((0.5, 3, 10), (0.5, 2, 6))
    assert rates[second] == rates[third] == 5


def test_no_card_costs_all_five_colours_or_nothing() -> None:
    assert {sum(map(bool, costs)) for *_, costs in CARDS} == {1, 2, 3, 4}


def test_at_least_three_cards_make_fifteen_points() -> None:
    assert sorted(points for _, _, points, _ in CARDS)[-3:] == [5, 5, 5]


def test_the_card_that_two_lists_print_otherwise() -> None:
    found = [costs for level, bonus, _, costs in CARDS if (level, bonus) == (1, 0)]
    assert (0, 2, 0, 0, 2) in found
    assert (0, 2, 2, 0, 0) not in found


def test_s07_ten_nobles_of_neighbouring_colours() -> None:
    pairs = [turned((4, 4, 0, 0, 0), by) for by in range(5)]
    triples = [turned((3, 3, 3, 0, 0), by) for by in range(5)]
    assert sorted(NOBLES) == sorted(pairs + triples)
    assert {row["points"] for row in BOOK.rows["nobles"]} == {"3"}
    assert [sum(wishes[colour] for wishes in NOBLES) for colour in range(5)] == [17] * 5


def test_ids_tell_level_and_bonus() -> None:
    letters = dict(zip("WUGRK", COLOURS, strict=True))
    ids = [row["card_id"] for row in BOOK.rows["cards"]]
    assert len({*ids}) == 90
    for row in BOOK.rows["cards"]:
        assert (row["level"], row["bonus"]) == (row["card_id"][1], letters[row["card_id"][3]])


# Over all cards in order of level, bonus, points and cost: place x (number + 10 x points).
WEIGHTED = [101617, 101450, 101672, 101454, 101264]


def test_every_number_is_in_its_place() -> None:
    """A slip in any cell changes these sums; they were taken from the lists of section 10."""
    found = [0] * 5
    for place, (_, _, points, costs) in enumerate(sorted(CARDS)):
        for colour in range(5):
            found[colour] += place * (costs[colour] + 10 * points)
    assert found == WEIGHTED


# -- the kernel's numbers are the file's


@pytest.mark.parametrize("rules", GAME.rule_sets)
def test_rules_hold_the_numbers_of_the_files(rules: str) -> None:
    record = rule_book(GAME, rules).record[0]
    found = [
        (
            int(record.level[n]) + 1,
            int(record.bonus[n]),
            int(record.points[n]),
            tuple(record.cost[n, :5].tolist()),
        )
        for n in range(int(record.cards))
    ]
    assert found == CARDS
    assert [tuple(row[:5]) for row in record.requires[: record.tiles].tolist()] == NOBLES
    assert record.noble_points[:10].tolist() == [3] * 10
    assert record.first.tolist() == [0, 40, 70, 90]


# -- a file of one's own


def test_the_shipped_files_pass_simlab_check() -> None:
    for name in ("cards", "nobles"):
        found = check(GAME.folder / f"{name}.csv", "splendor")
        assert found.passed, str(found)


@pytest.mark.parametrize(
    ("name", "there", "instead", "says"),
    [
        ("cards", "L1-W1,1,white,0,0,3,", "L1-W1,1,white,0,0,4,", "level 1 34, printed 33"),
        ("cards", "L1-W1,1,white,", "L1-W1,1,blue,", "white bonuses of level 1 7, printed 8"),
        ("nobles", "N1,3,4,", "N1,3,3,", "white bonuses wished for 16, printed 17"),
        ("nobles", "N1,3,", "N1,4,", "points of nobles 31, printed 30"),
    ],
)  # fmt: skip
def test_s08_a_slip_in_a_cell_is_told_with_both_numbers(
    name: str, there: str, instead: str, says: str, tmp_path: Path
) -> None:
    shipped = (GAME.folder / f"{name}.csv").read_text(encoding="utf-8")
    assert there in shipped
    path = tmp_path / f"{name}.csv"
    path.write_text(shipped.replace(there, instead, 1), encoding="utf-8")
    found = check(path)
    assert not found.passed
    assert says in str(found)


CARD = ("a", 1, "white", 0, 1, 1, 0, 0, 0)
NOBLE = ("n", 3, 4, 4, 0, 0, 0)
FILLING: list[Row] = [(f"c{n}", 1 + n % 3, "blue", 0, 1, 0, 0, 0, 0) for n in range(12)]
COURT: list[Row] = [(f"m{n}", 3, 3, 3, 3, 0, 0) for n in range(5)]


def changed(row: Row, place: int, value: object) -> Row:
    return (*row[:place], value, *row[place + 1 :])


WRONG_CARDS: dict[str, tuple[Row, str]] = {
    "no id": (changed(CARD, 0, ""), "line 14: card_id is ''"),
    "an id of two words": (changed(CARD, 0, "a b"), "line 14: card_id is 'a b'"),
    "an id given twice": (changed(CARD, 0, "c3"), "line 14: the card_id 'c3' is given twice"),
    "level 0": (changed(CARD, 1, 0), "line 14: level is '0'; it takes a whole number from 1 to 3"),
    "level 4": (changed(CARD, 1, 4), "line 14: level is '4'"),
    "a bonus unknown": (changed(CARD, 2, "pink"), "line 14: bonus is 'pink'; it takes white, blue"),
    "a bonus of gold": (changed(CARD, 2, "gold"), "line 14: bonus is 'gold'"),
    "points below 0": (changed(CARD, 3, -1), "line 14: points is '-1'"),
    "too many points": (changed(CARD, 3, 21), "line 14: points is '21'"),
    "half a point": (changed(CARD, 3, "1.5"), "line 14: points is '1.5'"),
    "no cost": (changed(CARD, 4, ""), "line 14: cost_white is ''"),
    "a cost of a word": (changed(CARD, 8, "two"), "line 14: cost_black is 'two'"),
    "a cost too high": (changed(CARD, 8, 21), "line 14: cost_black is '21'"),
    "a row cut short": (CARD[:6], "line 14: it has fewer cells"),
}
WRONG_NOBLES: dict[str, tuple[Row, str]] = {
    "no id": (changed(NOBLE, 0, ""), "line 7: noble_id is ''"),
    "an id given twice": (changed(NOBLE, 0, "m0"), "line 7: the noble_id 'm0' is given twice"),
    "points below 0": (changed(NOBLE, 1, -3), "line 7: points is '-3'"),
    "a wish of a word": (changed(NOBLE, 2, "all"), "line 7: req_white is 'all'"),
    "a wish too high": (changed(NOBLE, 6, 21), "line 7: req_black is '21'"),
    "no wish": (("n", 3, 0, 0, 0, 0, 0), "line 7: a noble wishes for at least one bonus"),
    "a row cut short": (NOBLE[:4], "line 7: it has fewer cells"),
}


def refused(**files: Path) -> str:
    """Return the one sentence that refuses a file."""
    with pytest.raises(UserError) as caught:
        rule_book(GAME, "standard", files)
    said = str(caught.value)
    assert said.endswith(".")
    assert "\n" not in said
    assert next(iter(files.values())).name in said
    return said


@pytest.mark.parametrize("name", WRONG_CARDS)
def test_a_wrong_card_is_said_with_its_place(name: str, tmp_path: Path) -> None:
    row, sentence = WRONG_CARDS[name]
    assert sentence in refused(cards=cards_file(tmp_path, [*FILLING, row]))


@pytest.mark.parametrize("name", WRONG_NOBLES)
def test_a_wrong_noble_is_said_with_its_place(name: str, tmp_path: Path) -> None:
    row, sentence = WRONG_NOBLES[name]
    assert sentence in refused(nobles=nobles_file(tmp_path, [*COURT, row]))


@pytest.mark.parametrize(
    ("counts", "says"),
    [
        ((0, 0, 0), "0 cards of level 1; a market needs 4 to 60"),
        ((4, 3, 4), "3 cards of level 2; a market needs 4 to 60"),
        ((4, 4, 61), "61 cards of level 3; a market needs 4 to 60"),
        ((50, 47, 4), "101 cards; at most 100 are possible"),
    ],
)
def test_too_few_or_too_many_cards(counts: tuple[int, ...], says: str, tmp_path: Path) -> None:
    rows: list[Row] = [
        changed(changed(CARD, 0, f"c{level}.{n}"), 1, level)
        for level, count in enumerate(counts, start=1)
        for n in range(count)
    ]
    assert says in refused(cards=cards_file(tmp_path, rows))


@pytest.mark.parametrize("count", [0, 4, 21])
def test_too_few_or_too_many_nobles(count: int, tmp_path: Path) -> None:
    rows: list[Row] = [changed(NOBLE, 0, f"n{n}") for n in range(count)]
    assert f"{count} nobles; a game takes 5 to 20" in refused(nobles=nobles_file(tmp_path, rows))


@pytest.mark.parametrize("counts", [(4, 4, 4), (60, 20, 20), (36, 4, 60)])
def test_the_smallest_and_largest_boxes_are_read(counts: tuple[int, ...], tmp_path: Path) -> None:
    rows: list[Row] = [
        changed(changed(CARD, 0, f"c{level}.{n}"), 1, level)
        for level, count in enumerate(counts, start=1)
        for n in range(count)
    ]
    path = cards_file(tmp_path, rows)
    assert rule_book(GAME, "standard", {"cards": path}).record[0].cards == sum(counts)


@pytest.mark.parametrize(
    ("name", "column"),
    [*(("cards", c) for c in CARD_COLUMNS), *(("nobles", c) for c in NOBLE_COLUMNS)],
)
def test_a_missing_column_is_named(name: str, column: str, tmp_path: Path) -> None:
    columns: Any = {"cards": CARD_COLUMNS, "nobles": NOBLE_COLUMNS}[name]
    path = tmp_path / f"{name}.csv"
    path.write_text(",".join(c for c in columns if c != column) + "\n", encoding="utf-8")
    assert f"no column '{column}'" in refused(**{name: path})
