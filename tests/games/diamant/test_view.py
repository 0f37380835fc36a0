"""What strategies of Diamant see, against the definitions of RULES.md section 9."""

from __future__ import annotations

import copy
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simlab import Table
from simlab.core.game import rule_book
from simlab.games.diamant import GAME, LEAVE, STAY, view
from tests.games.diamant.cave import cave, everybody, go, small_box
from tests.harness import Spec, at_random

ACTIONS = {"stay": STAY, "leave": LEAVE}


def rules_of(table: Table) -> object:
    return table.book.record[0]


def alone(table: Table, seat: int) -> float:
    return float(view.alone(table.public, table.private(seat)))


def test_the_actions() -> None:
    assert [rule_book(GAME).actions[action] for action in (STAY, LEAVE)] == ["stay", "leave"]


# -- risk and traps


@pytest.mark.parametrize(
    ("path", "risk", "types"),
    [
        ("treasure_01", 0 / 34, 0),
        ("trap_ram", 2 / 34, 1),
        ("trap_ram relic", 2 / 33, 1),
        ("trap_ram trap_snake", 4 / 33, 2),
        ("trap_ram treasure_01 trap_snake treasure_02 trap_lava treasure_03 relic", 6 / 28, 3),
    ],
)
def test_risk_and_trap_types(path: str, risk: float, types: int) -> None:
    cards = path.split()
    table = everybody(cave(path), *["stay"] * (len(cards) - 1))
    assert table.public.depth == len(cards)
    assert view.risk(table.public) == pytest.approx(risk)
    assert view.trap_types(table.public) == types


def test_risk_counts_the_copies_that_are_left() -> None:
    table = everybody(cave("trap_ram trap_ram", "trap_snake trap_ram"), "stay", "stay")
    assert table.public.depth == 2
    copies_left, cards = 2 + 0, 35 - 2 - 2
    assert view.risk(table.public) == pytest.approx(copies_left / cards)


def test_risk_is_0_at_the_end_of_the_deck(tmp_path: Path) -> None:
    box = small_box(tmp_path, "t treasure - 5 1;a trap a - 1")
    table = everybody(cave("t a", cards=box), "stay")
    assert table.public.deck == 0
    assert view.risk(table.public) == 0
    assert view.expected_gain(table.public, rules_of(table)) == 0


# -- gains


@pytest.mark.parametrize("players", [3, 4, 5, 8])
def test_expected_gain_takes_the_floor_of_every_share(players: int) -> None:
    table = everybody(cave("treasure_17 treasure_05", players=players), "stay")
    left = [1, 2, 3, 4, 5, 7, 7, 9, 11, 11, 13, 14, 15]
    mean = sum(value // players for value in left) / 33
    assert view.expected_gain(table.public, rules_of(table)) == pytest.approx(mean)


def test_expected_gain_is_shared_among_who_is_inside_now() -> None:
    table = go(cave("treasure_17 relic"), "leave stay stay")
    left = [1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 11, 13, 14, 15]
    mean = sum(value // 2 for value in left) / 33
    assert view.expected_gain(table.public, rules_of(table)) == pytest.approx(mean)


def test_carried_is_the_deciding_explorers() -> None:
    table = go(cave("treasure_09 treasure_05", players=2, explorers=2), "leave stay stay stay")
    assert table.to_move == 0
    assert view.carried(table.public, table.private(0)) == 2 + 1
    table.play("stay")
    assert view.carried(table.public, table.private(1)) == 2 + 1
    go(table, "leave stay")
    assert table.scores == [2 + 1, 3 + 2]


@pytest.mark.parametrize(
    ("path", "pay"), [("treasure_01", 0), ("relic", 5), ("relic relic relic relic", 5 * 3 + 10)]
)
def test_relic_pay(path: str, pay: int) -> None:
    table = everybody(cave(path), *["stay"] * path.count(" "))
    assert view.relic_pay(table.public, rules_of(table)) == pay


def test_relic_pay_after_two_were_recovered() -> None:
    table = cave("relic relic", "relic relic")
    go(table, "stay stay stay", "leave stay stay", "leave leave", "stay stay stay")
    assert table.public.recovered == 2
    assert view.relic_pay(table.public, rules_of(table)) == 5 + 10


def test_relic_pay_of_printed_values() -> None:
    table = cave("treasure_01", "artifact_2020_2 artifact_2020_1", rules="incan_gold_2020")
    everybody(table, "leave", "stay")
    assert view.relic_pay(table.public, rules_of(table)) == 7 + 5


# -- alone


def test_alone_knows_nothing_in_the_first_expedition() -> None:
    table = cave("treasure_01", players=5)
    assert alone(table, 0) == pytest.approx((1 / 2) ** 4)
    assert alone(go(table, "stay stay stay stay leave"), 0) == pytest.approx((1 / 2) ** 3)


def test_alone_is_1_for_the_last_one_inside() -> None:
    assert alone(go(cave("treasure_01 treasure_02"), "stay leave leave"), 0) == 1


def test_alone_counts_exits_and_decisions_at_this_depth() -> None:
    """Seat 0 left after card 1, seat 1 after card 2, seat 2 after card 3."""
    calm = "treasure_01 treasure_02 treasure_03"
    table = go(cave(calm, calm), "leave stay stay", "leave stay", "leave")
    exits_1 = [1 - 2 / 3, 1 - 1 / 3, 1 - 1 / 3]
    assert alone(table, 0) == pytest.approx(exits_1[1] * exits_1[2])
    assert alone(table, 1) == pytest.approx(exits_1[0] * exits_1[2])
    everybody(table, "stay")
    exits_2 = [1 - 1 / 2, 1 - 2 / 3, 1 - 1 / 3]
    assert alone(table, 0) == pytest.approx(exits_2[1] * exits_2[2])
    assert alone(table, 2) == pytest.approx(exits_2[0] * exits_2[1])
    everybody(table, "stay")
    exits_3 = [1 - 1 / 2, 1 - 1 / 2, 1 - 2 / 3]
    assert alone(table, 0) == pytest.approx(exits_3[1] * exits_3[2])


def test_alone_counts_a_decision_before_an_accident_but_none_at_it() -> None:
    calm = "treasure_01 treasure_02 treasure_03"
    table = everybody(cave("trap_ram trap_ram", calm), "stay")
    assert alone(table, 0) == pytest.approx((1 - 1 / 3) ** 2)
    everybody(table, "stay")
    assert alone(table, 0) == pytest.approx((1 / 2) ** 2)


def test_alone_counts_the_last_decision_at_the_end_of_the_deck(tmp_path: Path) -> None:
    box = small_box(tmp_path, "t treasure - 5 2")
    table = everybody(cave("t t", cards=box), "stay", "stay")
    assert (table.public.expedition, table.public.depth) == (2, 1)
    assert alone(table, 0) == pytest.approx((1 - 1 / 3) ** 2)
    everybody(table, "stay")
    assert alone(table, 0) == pytest.approx((1 - 1 / 3) ** 2)


def test_alone_does_not_count_the_present_expedition() -> None:
    table = go(cave("treasure_01 treasure_02 treasure_03", players=4), "stay stay stay leave")
    assert alone(table, 0) == pytest.approx((1 / 2) ** 2)


def test_alone_counts_each_explorer_but_the_one_who_decides() -> None:
    """Explorer 0 left after card 1, the three others stayed; two belong to each player."""
    table = cave("treasure_01 treasure_02", "treasure_01", players=2, explorers=2)
    go(table, "leave stay stay stay", "leave leave leave")
    assert alone(table, 0) == pytest.approx((1 - 1 / 3) ** 3)
    table.play("stay")
    assert table.private(0).explorer == 1
    assert alone(table, 0) == pytest.approx((1 - 2 / 3) * (1 - 1 / 3) ** 2)


def test_alone_adds_up_expeditions() -> None:
    table = cave("treasure_01", "treasure_01", "treasure_01 relic", "treasure_01")
    go(table, "leave leave leave", "leave leave leave", "leave stay stay", "leave leave")
    seats = [1 - (1 + 3) / (2 + 3), 1 - (1 + 2) / (2 + 3), 1 - (1 + 2) / (2 + 3)]
    assert table.public.expedition == 4
    assert alone(table, 0) == pytest.approx(seats[1] * seats[2])
    assert alone(table, 1) == pytest.approx(seats[0] * seats[2])


class History:
    """The counts of section 9, written down as a game goes on."""

    def __init__(self) -> None:
        self.decided: Counter[tuple[int, int]] = Counter()
        self.exits: Counter[tuple[int, int]] = Counter()

    def note(self, explorer: int, depth: int, word: str) -> None:
        """Take down a choice."""
        self.decided[explorer, depth] += 1
        self.exits[explorer, depth] += word == "leave"

    def alone(self, table: Table, own: int) -> float:
        """Return the chance by the formula."""
        depth, chance = int(table.public.depth), 1.0
        for other in range(int(table.public.explorers)):
            if other != own and int(table.public.inside) >> other & 1:
                exits, decided = self.exits[other, depth], self.decided[other, depth]
                chance *= 1 - (1 + exits) / (2 + decided)
        return chance


@settings(max_examples=40)
@given(st.integers(3, 8), st.integers(0, 10**6))
def test_alone_is_the_formula_under_random_play(players: int, seed: int) -> None:
    table = Spec(GAME.name, players, deal=seed, set={"expeditions": 9}).table()
    choose, earlier, now = at_random(GAME, seed), History(), History()
    while table.to_move is not None:
        seat, before = table.to_move, table.public
        assert alone(table, seat) == pytest.approx(earlier.alone(table, seat))
        choose(table)
        now.note(seat, int(before.depth), table.log.words[-1])
        if table.public.expedition != before.expedition:
            earlier = copy.deepcopy(now)


# -- chests and the default


def test_chest_gap() -> None:
    table = go(cave("treasure_09 treasure_03 relic"), "leave stay stay", "leave stay", "leave")
    assert table.scores == [3, 3 + 1 + 1, 3 + 1 + 5]
    gaps = [int(view.chest_gap(table.public, table.private(seat))) for seat in range(3)]
    assert gaps == [9 - 3, 9 - 5, 5 - 9]


@pytest.mark.parametrize(
    ("observation", "known"), [("perfect_recall", True), ("no_chest_memory", False)]
)
def test_chests_known(observation: str, known: bool) -> None:
    table = go(cave("treasure_09", observation=observation), "leave leave leave")
    assert view.chests_known(table.public, table.private(0)) == known


def test_the_default_leaves_above_a_risk_of_15_in_100() -> None:
    path = "trap_ram relic trap_snake relic relic relic relic trap_lava"
    table = cave(path)
    wanted = []
    for _ in path.split():
        choice = view.default(table.public, table.private(0), rules_of(table))
        wanted.append((rule_book(GAME).actions[choice], view.risk(table.public) > 0.15))
        everybody(table, "stay")
    assert [word for word, _ in wanted] == ["stay"] * 7 + ["leave"]
    assert [ACTIONS[word] == LEAVE for word, _ in wanted] == [risky for _, risky in wanted]
