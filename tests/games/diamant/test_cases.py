"""Tricky cases of Diamant as scripted games: d01 to d14, and RULES.md sections 7 and 10.3."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from simlab.core.game import rule_book
from simlab.errors import IllegalAction, UserError
from simlab.games.diamant import GAME
from tests.games.diamant.cave import carried, cave, everybody, go, in_deck, seen, small_box

TREASURES = [1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 11, 13, 14, 15, 17]
HARMLESS = (
    "treasure_01 treasure_02 treasure_03 treasure_04 treasure_05 treasure_05 treasure_07 "
    "treasure_07 treasure_09 treasure_11 treasure_11 treasure_13 treasure_14 treasure_15 "
    "treasure_17 relic relic relic relic relic trap_spider trap_snake trap_lava trap_boulder "
    "trap_ram"
)


# -- d01, d11, section 10.3: shares and leftovers


def test_d01_leavers_share_only_what_lay_there_when_they_left() -> None:
    table = go(cave("treasure_07 treasure_05"), "leave stay stay")
    assert table.scores == [3, 0, 0]
    assert carried(table) == [0, 4, 4]
    assert table.public.leftover == 1


def test_d01_two_leavers_share_and_the_rest_stays_for_later() -> None:
    table = go(cave("treasure_05 treasure_05", players=4), "leave leave stay stay")
    assert table.scores == [1, 1, 0, 0]
    assert carried(table) == [0, 0, 3, 3]
    assert table.public.leftover == 2
    assert go(table, "leave leave").scores == [1, 1, 4, 4]


@pytest.mark.parametrize(
    ("card", "players", "each", "left"),
    [("treasure_07", 3, 2, 1), ("treasure_17", 6, 2, 5), ("treasure_11", 4, 2, 3)],
)
def test_hand_checks_of_shares(card: str, players: int, each: int, left: int) -> None:
    table = cave(card, players=players)
    assert carried(table) == [each] * players
    assert table.public.leftover == left


@pytest.mark.parametrize(("split", "score", "left"), [("pooled", 4, 0), ("per_card", 3, 3)])
def test_leftovers_of_one_gem_on_three_cards_and_three_leavers(
    split: str, score: int, left: int
) -> None:
    path = "treasure_01 treasure_04 treasure_07"
    table = everybody(cave(path, leftover_split=split, expeditions=1), "stay", "stay")
    assert (carried(table), table.public.leftover) == ([3, 3, 3], 3)
    everybody(table, "leave")
    assert table.scores == [score] * 3
    assert table.public.leftover == left


@pytest.mark.parametrize(
    ("split", "scores", "left"), [("pooled", [4, 4, 3], 0), ("per_card", [3, 3, 5], 2)]
)
def test_leftovers_of_one_gem_on_two_cards_and_two_leavers(
    split: str, scores: list[int], left: int
) -> None:
    table = everybody(cave("treasure_04 treasure_07 trap_ram", leftover_split=split), "stay")
    go(table, "leave leave stay")
    assert (table.scores[:2], table.public.leftover) == (scores[:2], left)
    assert go(table, "leave").scores == scores


def test_d11_a_treasure_smaller_than_the_number_of_explorers_stays_whole() -> None:
    table = cave("treasure_05", players=8)
    assert carried(table) == [0] * 8
    assert table.public.leftover == 5
    assert go(table, "leave" + " stay" * 7).scores == [5] + [0] * 7


def test_one_explorer_left_inside_takes_treasures_whole_and_everything_on_leaving() -> None:
    table = go(cave("treasure_07 treasure_17 relic"), "leave leave stay", "stay", "leave")
    assert table.scores == [2, 2, 2 + 1 + 17 + 5]
    assert table.columns["leftovers"] == [0, 0, 1]
    assert table.columns["relics"] == [0, 0, 1]


# -- d02: which traps leave the game

REMOVALS = [
    ("standard", {}, (1, 2)),
    ("official", {}, (2, 3)),
    ("incan_gold", {}, (2, 3)),
    ("schmidt_2005", {}, (2, 3)),
    ("iello_pair", {}, (1, 3)),
    ("standard", {"trap_removal": "trigger"}, (2, 3)),
    ("standard", {"trap_removal": "pair"}, (1, 3)),
    ("standard", {"trap_removal": "none"}, (3, 3)),
    ("incan_gold", {"trap_removal": "all_revealed"}, (1, 2)),
]


def two_traps(rules: str) -> tuple[str, str]:
    rows = rule_book(GAME, rules).rows["cards"]
    traps = [row["id"] for row in rows if row["category"] == "trap"]
    return traps[0], traps[1]


@pytest.mark.parametrize(("rules", "changed", "left"), REMOVALS)
def test_d02_traps_after_an_accident(
    rules: str, changed: dict[str, str], left: tuple[int, int]
) -> None:
    first, other = two_traps(rules)
    table = cave(f"{first} {other} {first}", "treasure_01", rules=rules, **changed)
    everybody(table, "stay", "stay")
    assert table.public.expedition == 2
    deck = seen(table)["deck"]
    assert (deck[first], deck[other]) == left
    with pytest.raises(UserError):
        table.stack("expedition", [first] * (left[0] + 1))
    table.stack("expedition", [first] * left[0])


@pytest.mark.parametrize(("rules", "changed", "left"), REMOVALS)
def test_d02_traps_after_all_left_in_time(
    rules: str, changed: dict[str, str], left: tuple[int, int]
) -> None:
    first, other = two_traps(rules)
    table = cave(f"{first} {other}", "treasure_01", rules=rules, **changed)
    everybody(table, "stay", "leave")
    deck = seen(table)["deck"]
    every_one = table.book.values["trap_removal"] == "all_revealed"
    assert (deck[first], deck[other]) == ((2, 2) if every_one else (3, 3))


def test_a_trap_with_one_copy_left_is_no_danger() -> None:
    table = cave("trap_ram trap_ram", "trap_ram treasure_17")
    everybody(table, "stay")
    assert in_deck(table, "trap_ram") == 0
    assert (table.public.depth, table.public.traps != 0, table.public.danger) == (1, True, 0)


# -- d03, d04, d05, d13, d14: relics


@pytest.mark.parametrize(("unclaimed", "left"), [("removed", 4), ("returned", 5)])
@pytest.mark.parametrize("ending", ["together", "accident"])
def test_d03_a_relic_that_nobody_takes(unclaimed: str, left: int, ending: str) -> None:
    path = "relic trap_ram treasure_07" if ending == "together" else "relic trap_ram trap_ram"
    table = cave(path, "treasure_01", relic_unclaimed=unclaimed)
    everybody(table, "stay", "stay")
    if ending == "together":
        everybody(table, "leave")
    assert table.public.expedition == 2
    assert in_deck(table, "relic") == left
    assert table.public.recovered == 0


@pytest.mark.parametrize("rules", ["incan_gold", "incan_gold_2020", "bga"])
@pytest.mark.parametrize(("unclaimed", "left"), [("removed", 1), ("returned", 2)])
def test_d03_a_relic_enters_each_expedition_and_stays_until_it_is_turned_up(
    rules: str, unclaimed: str, left: int
) -> None:
    table = cave("treasure_07", "treasure_07", rules=rules, relic_unclaimed=unclaimed)
    assert in_deck(table, "artifact") == 1
    everybody(table, "leave")
    assert in_deck(table, "artifact") == 2
    first = "artifact_2020_1" if rules == "incan_gold_2020" else "artifact"
    table = cave(f"{first} treasure_07", "treasure_07", rules=rules, relic_unclaimed=unclaimed)
    everybody(table, "stay", "leave")
    assert in_deck(table, "artifact") == left


def test_d03_no_more_relics_enter_than_there_are() -> None:
    table = cave(*["treasure_01"] * 9, rules="incan_gold", expeditions=9)
    counts = []
    while not table.finished:
        counts.append(in_deck(table, "artifact"))
        everybody(table, "leave")
    assert counts == [1, 2, 3, 4, 5, 5, 5, 5, 5]


def test_d03_incan_gold_2020_adds_its_printed_relics_in_ascending_order() -> None:
    table = cave(*["treasure_01"] * 5, rules="incan_gold_2020")
    for number in range(1, 6):
        assert in_deck(table, "artifact") == number
        assert seen(table)["deck"][f"artifact_2020_{number}"] == 1
        everybody(table, "leave")


def test_d04_two_leave_together_and_a_later_lone_leaver_takes_all_relics() -> None:
    table = cave("relic treasure_04 relic trap_ram", players=4)
    go(table, "stay stay stay stay", "leave leave stay stay")
    assert table.scores == [1, 1, 0, 0]
    assert table.public.relics == 2
    go(table, "stay leave")
    assert table.scores == [1, 1, 0, 1 + 5 + 5]
    assert table.columns["relics"] == [0, 0, 0, 2]
    assert table.public.relics == 0


def test_d04_a_relic_turned_up_after_a_lone_leaver_is_not_his() -> None:
    table = go(cave("relic treasure_03 relic trap_ram"), "stay stay stay", "leave stay stay")
    assert table.scores == [6, 0, 0]
    assert table.public.relics == 1


@pytest.mark.parametrize("rules", sorted(GAME.rule_sets))
def test_d05_relics_are_paid_once_and_scores_are_the_sum_of_the_columns(rules: str) -> None:
    ids = [row["id"] for row in rule_book(GAME, rules).rows["cards"]]
    seven = next(card for card in ids if card.endswith("treasure_07"))
    relics = [card for card in ids if card.startswith(("relic", "artifact"))]
    table = cave(" ".join([*relics[:1], seven]), rules=rules, expeditions=1)
    everybody(table, *["stay"] * bool(relics))
    go(table, "leave stay stay", "leave leave")
    assert table.finished
    assert table.scores[0] == 3 + 5 * bool(relics)
    columns = [table.columns[name] for name in ("shares", "leftovers", "relic_gems")]
    assert table.scores == [sum(parts) for parts in zip(*columns, strict=True)]


def lone_exit(table: Any) -> int:
    """Let seat 0 leave alone and the others go home; return what relics paid it."""
    before = table.columns["relic_gems"][0]
    go(table, "leave stay stay")
    paid = table.columns["relic_gems"][0] - before
    everybody(table, "leave")
    return int(paid)


def test_relics_pay_by_the_order_of_recovery() -> None:
    table = cave("relic relic trap_ram", "relic relic trap_lava", "relic treasure_01")
    everybody(table, "stay")
    assert lone_exit(table) == 5 + 5
    everybody(table, "stay")
    assert lone_exit(table) == 5 + 10
    assert lone_exit(table) == 10


def test_five_relics_at_once_are_counted_one_after_the_other() -> None:
    table = everybody(cave("relic relic relic relic relic"), *["stay"] * 4)
    assert lone_exit(table) == 5 + 5 + 5 + 10 + 10


def test_lost_relics_do_not_advance_the_counter() -> None:
    table = cave("relic relic relic relic", "relic trap_ram")
    everybody(table, "stay", "stay", "stay", "leave")
    assert table.public.recovered == 0
    assert lone_exit(table) == 5


@pytest.mark.parametrize("number", range(1, 6))
def test_printed_relics_pay_what_is_printed(number: int) -> None:
    paths = ["treasure_01"] * (number - 1) + [f"artifact_2020_{number}"]
    table = cave(*paths, rules="incan_gold_2020")
    everybody(table, *["leave"] * (number - 1))
    assert lone_exit(table) == [5, 7, 8, 10, 12][number - 1]


def test_relics_without_a_printed_value_are_worth_5_7_8_10_12() -> None:
    table = everybody(cave("relic relic relic relic relic", relic_value="printed"), *["stay"] * 4)
    assert lone_exit(table) == 5 + 7 + 8 + 10 + 12
    table = cave("relic", relic_value="printed")
    relic = int(table.public.path[0]) - int(table.book.record[0].first_relic)
    assert lone_exit(table) == (5, 7, 8, 10, 12)[relic]


def test_more_than_five_relics_need_printed_values(tmp_path: Path) -> None:
    box = small_box(tmp_path, "t treasure - 5 1;r relic - - 6")
    with pytest.raises(UserError, match="6 relics"):
        rule_book(GAME, "standard", {"cards": box, "relic_value": "printed"})


def test_d13_accident() -> None:
    table = cave("relic treasure_07 trap_ram trap_ram", "treasure_01")
    go(table, "stay stay stay", "leave stay stay", "stay stay")
    assert table.public.expedition == 2
    assert table.scores == [2 + 1 + 5, 0, 0]
    assert carried(table) == [0, 0, 0]
    assert table.public.leftover == 1  # of the new expedition's treasure
    assert table.columns["accidents"] == [0, 1, 1]
    assert table.columns["cards"] == [2, 3, 3]


def test_d13_relics_on_the_path_of_an_accident_are_out_of_the_game() -> None:
    table = cave("relic trap_ram trap_ram", "treasure_01")
    everybody(table, "stay", "stay")
    assert in_deck(table, "relic") == 4
    assert in_deck(table, "treasure") == 14


@pytest.mark.parametrize("unclaimed", ["removed", "returned"])
def test_d14_a_relic_brought_home_never_comes_again(unclaimed: str) -> None:
    table = cave("relic", "treasure_01", relic_unclaimed=unclaimed)
    assert lone_exit(table) == 5
    assert in_deck(table, "relic") == 4
    with pytest.raises(UserError):
        table.stack("expedition", ["relic"] * 5)
    table.stack("expedition", ["relic"] * 4)


# -- d06: the cards


@pytest.mark.parametrize("rules", sorted(GAME.rule_sets))
def test_d06_treasures_traps_and_relics_of_each_rule_set(rules: str) -> None:
    book = rule_book(GAME, rules)
    cards = [row for row in book.rows["cards"] for _ in range(int(row["copies"]))]
    values = [int(row["value"]) for row in cards if row["category"] == "treasure"]
    wanted = {"bga": TREASURES[:-1], "tag": [1, 2, 3, 4, 5, 7, *range(9, 18)]}
    assert sorted(values) == wanted.get(rules, TREASURES)
    assert sum(values) == {"bga": 107, "tag": 139}.get(rules, 124)
    types = [row["subtype"] for row in cards if row["category"] == "trap"]
    assert sorted(types.count(kind) for kind in {*types}) == [3] * 5
    relics = [row for row in cards if row["category"] == "relic"]
    assert len(relics) == (0 if rules in ("schmidt_2005", "tag") else 5)


@pytest.mark.parametrize(("rules", "cards"), [("standard", 35), ("incan_gold", 31), ("bga", 30)])
def test_d06_size_of_the_first_deck(rules: str, cards: int) -> None:
    table = cave("treasure_01", rules=rules)
    assert table.public.deck == cards - 1
    assert sum(seen(table)["deck"].values()) == cards - 1


# -- d08, d09, d10, d12: the ends of expeditions and of the game


@pytest.mark.parametrize("expeditions", range(1, 10))
def test_d08_nothing_happens_after_the_last_expedition(expeditions: int) -> None:
    table = cave(expeditions=expeditions)
    while not table.finished:
        assert table.public.expedition <= expeditions
        table.play("leave")
    assert len(table.log.words) == 3 * expeditions
    assert [len(cards) for cards in table.log.decks["expedition"]] == [1] * expeditions
    assert (table.to_move, table.decision, table.legal()) == (None, None, [])
    assert table.end_reason == "finished"
    with pytest.raises(IllegalAction, match="over"):
        table.play("leave")


@pytest.mark.parametrize(
    ("choices", "scores", "leftovers", "alone"),
    [
        ("stay stay stay", [4, 4, 4], [1, 1, 1], [0, 0, 0]),
        ("leave leave leave", [4, 4, 4], [1, 1, 1], [0, 0, 0]),
        ("leave stay stay", [6, 3, 3], [3, 0, 0], [1, 0, 0]),
        ("stay leave leave", [4, 4, 4], [1, 1, 1], [1, 0, 0]),
    ],
)
def test_d09_who_stays_at_the_end_of_the_deck_comes_home_in_a_second_batch(
    tmp_path: Path, choices: str, scores: list[int], leftovers: list[int], alone: list[int]
) -> None:
    box = small_box(tmp_path, "t7 treasure - 7 1;t5 treasure - 5 1")
    table = go(cave("t7 t5", cards=box, expeditions=1), "stay stay stay", choices)
    assert table.finished
    assert table.scores == scores
    assert table.columns["leftovers"] == leftovers
    assert table.columns["alone"] == alone
    assert table.columns["cards"] == [2, 2, 2]
    assert table.log.decks == {"expedition": [["t7", "t5"]]}


@pytest.mark.parametrize(
    ("choices", "relics"),
    [
        ("stay stay stay", [0, 0, 0]),
        ("leave leave stay", [0, 0, 1]),
        ("leave stay stay", [1, 0, 0]),
        ("leave leave leave", [0, 0, 0]),
    ],
)
def test_d09_only_a_lone_one_brings_relics_home(
    tmp_path: Path, choices: str, relics: list[int]
) -> None:
    box = small_box(tmp_path, "t treasure - 6 1;r relic - - 1")
    table = go(cave("t r", cards=box, expeditions=1), "stay stay stay", choices)
    assert table.columns["relics"] == relics
    assert table.scores == [2 + 5 * took for took in relics]


def test_d09_a_last_card_that_is_an_accident_leaves_nothing_to_decide(tmp_path: Path) -> None:
    box = small_box(tmp_path, "t treasure - 6 1;a trap a - 2")
    table = go(cave("t a a", cards=box, expeditions=1), "stay stay stay", "leave stay stay")
    assert table.finished
    assert table.scores == [2, 0, 0]


def test_d09_the_next_expedition_has_its_cards_again(tmp_path: Path) -> None:
    box = small_box(tmp_path, "t7 treasure - 7 1;t5 treasure - 5 1")
    table = everybody(cave("t7 t5", "t5 t7", cards=box), "stay", "stay")
    assert (table.public.expedition, table.public.deck, table.public.leftover) == (2, 1, 2)
    assert (table.scores, carried(table)) == ([4, 4, 4], [1, 1, 1])


def test_d10_a_decision_after_every_card_the_first_included_and_none_before() -> None:
    table = cave("trap_ram treasure_01")
    assert table.log.words == []
    assert (table.public.depth, table.to_move, table.decision) == (1, 0, "leave_or_stay")
    assert [action.word for action in table.legal()] == ["stay", "leave"]
    everybody(table, "leave")
    assert (table.public.expedition, table.scores) == (2, [0, 0, 0])


def test_d12_all_leave_on_the_same_step() -> None:
    table = cave("relic treasure_05", "treasure_03")
    everybody(table, "stay", "leave")
    assert (table.public.expedition, table.public.depth) == (2, 1)
    assert table.scores == [1, 1, 1]
    assert (table.public.leftover, table.public.relics) == (0, 0)
    assert in_deck(table, "relic") == 4
    go(table, "leave stay stay")
    assert table.scores == [2, 1, 1]


def test_the_first_deck_cannot_run_out() -> None:
    table = everybody(cave(HARMLESS, players=8), *["stay"] * 24)
    assert table.public.depth == 25
    assert table.public.danger == table.public.deck == 10
    everybody(table, "stay")
    assert table.public.expedition == 2
    assert table.scores == [0] * 8


def test_hand_check_of_the_risk() -> None:
    path = "trap_ram treasure_01 trap_snake treasure_02 trap_lava treasure_03 treasure_04"
    table = everybody(cave(path), *["stay"] * 6)
    assert (table.public.danger, table.public.deck) == (6, 28)


# -- ties, two explorers, numbers of players


@pytest.mark.parametrize(
    ("tie_break", "ranks"), [("shared", [1, 1, 1]), ("most_relics", [1, 2, 2])]
)
def test_ties(tie_break: str, ranks: list[int]) -> None:
    table = cave("relic treasure_15 treasure_11", tie_break=tie_break, expeditions=1)
    go(table, "stay stay stay", "leave stay stay", "leave leave")
    assert table.scores == [10, 10, 10]
    assert table.ranks == ranks
    assert table.winners == [seat for seat, rank in enumerate(ranks) if rank == 1]


def test_most_relics_does_not_help_against_a_higher_chest() -> None:
    table = cave("relic treasure_15 treasure_14", tie_break="most_relics", expeditions=1)
    go(table, "leave stay stay", "leave stay", "leave")
    assert table.scores == [5, 7 + 1, 7 + 14]
    assert table.ranks == [3, 2, 1]


def test_two_explorers_count_apart_and_feed_one_score() -> None:
    table = cave("relic treasure_09 treasure_03 trap_ram", players=2, explorers=2)
    assert carried(table) == [0, 0, 0, 0]
    go(table, "stay stay stay stay")
    assert (carried(table), table.public.leftover) == ([2, 2, 2, 2], 1)
    go(table, "leave stay stay stay")
    assert table.scores == [2 + 1 + 5, 0]
    assert (seen(table)["inside"], carried(table)) == ([1, 2, 3], [0, 3, 3, 3])
    go(table, "leave stay leave")
    assert table.scores == [8 + 3, 3]
    assert (table.to_move, seen(table)["inside"]) == (1, [2])
    assert table.columns["alone"] == [1, 0]


def test_two_explorers_of_one_player_who_leave_together_are_two() -> None:
    table = cave("relic treasure_09 trap_ram", players=2, explorers=2)
    go(table, "stay stay stay stay", "leave leave stay stay")
    assert table.scores == [4, 0]
    assert (table.public.leftover, table.public.relics) == (1, 1)
    assert table.columns["alone"] == [0, 0]


def test_two_explorers_are_asked_one_after_the_other() -> None:
    table = cave("treasure_09", players=2, explorers=2)
    asked = []
    for _ in range(4):
        asked.append((table.to_move, int(table.private(table.to_move or 0).explorer)))
        table.play("stay")
    assert asked == [(0, 0), (0, 1), (1, 2), (1, 3)]


@pytest.mark.parametrize(
    ("rules", "changed", "low", "high"),
    [
        *((rules, {}, 2 if rules == "tag" else 3, 8) for rules in sorted(GAME.rule_sets)),
        ("standard", {"explorers": 2}, 2, 2),
    ],
)
def test_numbers_of_players(rules: str, changed: dict[str, int], low: int, high: int) -> None:
    assert cave(players=low, rules=rules, **changed).players == low
    assert cave(players=high, rules=rules, **changed).players == high
    for wrong in (low - 1, high + 1):
        with pytest.raises(UserError, match="players"):
            cave(players=wrong, rules=rules, **changed)
