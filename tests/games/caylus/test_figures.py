"""The figures of section 17 that can be worked out by hand, S1 to S14."""

from __future__ import annotations

import functools
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from simlab import Table
from simlab.games.caylus.actions import DECISIONS
from tests.games.caylus.board import (
    CELLS,
    KINDS,
    RICH,
    asked,
    board,
    check_tiles,
    check_workers,
    column,
    deliver,
    deniers,
    face,
    go,
    held,
    over,
    parts,
    quiet,
    road,
    rows_of,
    shops,
    stroll,
    supply,
    triggers,
    words,
)

GAMES = 3
each_cell = pytest.mark.parametrize(("rules", "players"), CELLS)
each_stock = pytest.mark.parametrize("rich", [False, True])


# -- S1, S2: the bailiff


@pytest.mark.parametrize(("shift", "rounds"), [("0", [6, 12, 18]), ("+1", [3, 6, 9])])
def test_s1_the_bailiff_alone(shift: str, rounds: list[int]) -> None:
    table = board()
    found = []
    while not table.finished:
        section, number = int(table.public.section), int(table.public.rounds)
        quiet(go(table, "pass; pass", f"provost {shift}"), "place")
        found += [number] * (int(table.public.section) - section)
    assert found == rounds
    assert table.end_reason == "finished"
    assert column(table, "rounds") == [rounds[-1]] * 2


def test_s2_expected_rounds_to_each_section() -> None:
    """A round is a double step with probability q; the steps are those of the game itself."""
    after: dict[int, tuple[int, int]] = {}
    table = board()
    while not table.finished:
        space = int(table.public.bailiff)
        twins = [over(table.clone(), f"pass; pass; provost {shift}") for shift in ("0", "+1")]
        after[space] = (int(twins[0].public.bailiff), int(twins[1].public.bailiff))
        table = twins[0]
    assert after == {space: (space + 1, space + 2) for space in range(6, 24)}

    def expected(section: int, q: float) -> float:
        @functools.cache
        def left(space: int) -> float:
            if space >= section:
                return 0.0
            single, double = after[space]
            return 1 + (1 - q) * left(single) + q * left(double)

        return round(left(6), 2)

    shares = (0, 0.25, 0.5, 0.75, 1)
    assert [expected(24, q) for q in shares] == [18, 14.56, 12.22, 10.53, 9]
    assert [expected(12, q) for q in shares] == [6, 4.96, 4.22, 3.63, 3]


# -- S1, S3 to S5, S7, S8, S11 to S13 under random play


@each_stock
@each_cell
def test_what_holds_in_every_game(rules: str, players: int, rich: bool, tmp_path: Path) -> None:
    for number in range(GAMES):
        folder, stock = (tmp_path, RICH) if rich else (None, "")
        table = board(folder, stock, players=players, rules=rules)
        watch = Watch(table)
        for word in stroll(table, (rules, players, number)):
            watch.look(word)
        assert watch.rounds_of == [*range(1, len(watch.rounds_of) + 1)]


class Watch:
    """Looks at a game before every choice, and at the end."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.before: SimpleNamespace | None = None
        self.empty = 19
        self.neutral = 6
        self.rounds_of: list[int] = []
        self.lines: set[tuple[int, int, int, str]] = set()

    def look(self, word: str) -> None:
        """Check all that holds now, and what the last word did."""
        now = face(self.table)
        self._bailiff(now)
        self._road(now)
        check_castle(now)
        check_tiles(now)
        check_workers(now)
        if self.before is not None:
            self._word(word, self.before, now)
        now.seat = self.table.to_move
        self.before = now

    def _bailiff(self, now: SimpleNamespace) -> None:
        """S1 and S3: sections are never late; bailiff up to 25, provost on the road."""
        if now.rounds not in self.rounds_of:
            self.rounds_of.append(now.rounds)
            assert now.section >= sum(now.rounds > late for late in (6, 12, 18))
        assert 6 <= now.bailiff <= 25
        assert 1 <= now.provost <= 28
        assert now.rounds <= 18

    def _road(self, now: SimpleNamespace) -> None:
        """S7: neither empty spaces nor neutral tiles ever become more."""
        empty, neutral = now.tile[1:29].count(0), sum(4 <= tile <= 9 for tile in now.tile)
        assert empty <= self.empty
        assert neutral <= self.neutral
        self.empty, self.neutral = empty, neutral

    def _word(self, word: str, before: SimpleNamespace, now: SimpleNamespace) -> None:
        seat = before.seat
        kind, *rest = word.split()
        if kind == "castle" and rest != ["stop"]:  # S4, S11: three cubes, one of them food
            left = before.cubes, before.gold
            for cube in ("food", *rest):
                if cube == "gold":
                    left[1][seat] -= 1
                else:
                    left[0][seat][KINDS.index(cube)] -= 1
            assert (now.cubes, now.gold) == left
            assert len({"food", *rest}) == 3
        if kind == "pass" and now.passed and now.phase == 2:  # S12
            gained = [a - b for a, b in zip(now.deniers, before.deniers, strict=True)]
            assert gained == [int(before.passed == 0 and other == seat) for other in range(5)]
        if kind == "favor":  # S13: every line once a phase
            key = (before.rounds, before.phase, seat, word)
            assert key not in self.lines
            self.lines.add(key)


def check_castle(now: SimpleNamespace) -> None:
    """S4, S5 and S13: parts within the capacity, markers within the open columns."""
    built = [sum(counts) for counts in zip(*now.parts, strict=True)][:3]
    assert built == now.built[:3]
    assert all(count <= room for count, room in zip(built, (6, 10, 14), strict=True))
    for place, name in enumerate(("dungeon", "walls", "towers")):
        parts_of = now.columns[f"parts_{name}"]
        assert parts_of == [now.parts[seat][place] for seat in range(now.players)]
    points = sum(now.columns["castle_points"])
    assert points == sum(n * value for n, value in zip(built, (5, 4, 3), strict=True))
    assert points <= 112
    assert max(map(max, now.marker)) <= (2, 4, 5, 5)[now.section]


def _cubes(table: Table, seat: int) -> Counter[str]:
    found = Counter(dict.fromkeys(("food", "wood", "stone", "cloth", "gold"), 0))
    found.update(held(table, seat))
    return found


def test_random_games_from_the_rich_start_ask_everything(tmp_path: Path) -> None:
    found: Counter[str | None] = Counter()
    built: Counter[str] = Counter()
    for number in range(24):
        table = board(tmp_path, RICH, players=2 + number % 4)
        found.update(table.decision for _ in stroll(table, number))
        for name in ("residences_built", "prestige_built", "parts_towers"):
            built[name] += sum(column(table, name))
    assert {*found} == {None, *DECISIONS[1:]}
    assert all(built.values())


def test_s12_a_denier_a_round_enters_by_passing() -> None:
    for players in (2, 3, 4, 5):
        table = board(players=players)
        for _ in range(4):
            before = sum(deniers(table))
            over(table)
            assert sum(deniers(table)) == before + 1 + 2 * players


# -- S4, S5: the castle built by one


def test_s4_and_s5_all_the_castle_in_one_hand(tmp_path: Path) -> None:
    table = shops(tmp_path, "60 30 30 30")
    quiet(go(table, "place castle; pass; pass"), "castle")
    cubes = _cubes(table, 0).total()
    go(table, *["castle wood stone"] * 30)
    assert asked(table) == (0, "favor")  # no room is left
    assert (parts(table, 0), column(table, "castle_points")[0]) == ([6, 10, 14], 112)
    assert (cubes - _cubes(table, 0).total(), held(table, 0)) == (90, {})
    quiet(table)
    assert table.finished
    assert (table.public.bailiff, column(table, "rounds")) == (11, [1, 1])


def test_s5_seven_favors_of_sections_at_most(tmp_path: Path) -> None:
    table = shops(tmp_path, "60 30 30 30", castle=triggers(11, 12, 13))
    for batches in (2, 5, 6):
        quiet(go(table, "place castle; pass; pass"), "castle")
        quiet(deliver(table, batches), "place")
    names = ("prestige", "deniers", "resources", "buildings")
    assert table.finished
    assert sum(column(table, f"favors_{name}")[0] for name in names) == 3 + 7  # three as the best
    assert column(table, "favors_lost") == [0, 0]
    assert column(table, "penalty_points") == [0, -2 - 3 - 4]


# -- S6, S7, S9, S10, S14


def test_s6_points_and_prices_of_tiles() -> None:
    rows = rows_of("buildings")

    def total(kind: str, name: str, *more: str) -> int:
        own = [row for row in rows if row["kind"] == kind]
        return sum(int(r[name]) for r in own if r["in_default_game"] == "1" or r["id"] in more)

    assert [total(kind, "points") for kind in ("wood", "stone", "prestige")] == [24, 42, 122]
    assert total("stone", "points", "stone_jeweller") == 48
    prices = [total("prestige", f"cost_{k}") for k in ("gold", "stone", "wood", "food", "cloth")]
    assert prices == [15, 17, 6, 3, 3]
    assert total("prestige", "favors") == 5


@pytest.mark.parametrize(("jeweller", "tiles"), [(0, 8 + 9 + 9), (1, 8 + 10 + 9)])
def test_s7_tiles_at_the_start(jeweller: int, tiles: int) -> None:
    table = board(jeweller=jeweller)
    assert len(supply(table)) == tiles
    assert len(road(table)) == 28 - 19
    check_tiles(face(table))


@each_cell
def test_s9_stocks_before_the_first_worker(rules: str, players: int) -> None:
    table = board(players=players, rules=rules)
    assert sum(deniers(table)) == {2: 14, 3: 23, 4: 32, 5: 41}[players]
    assert deniers(table) == [7, 8, 8, 9, 9][:players] if players > 2 else [7, 7]
    assert [held(table, seat) for seat in range(players)] == [{"food": 2, "wood": 1}] * players
    assert (table.public.bailiff, table.public.provost, table.public.rounds) == (6, 6, 1)
    assert table.scores == [n // 4 + 1 for n in deniers(table)]


@each_cell
def test_s10_room_for_workers_in_round_1(rules: str, players: int, tmp_path: Path) -> None:
    table = board(tmp_path, "200 0 0 0 0 0 20", players=players, rules=rules)
    stables = "place stables" in words(table)
    assert stables == ((rules, players) != ("official", 2))
    assert len(words(table)) == 16 + stables
    room = len(words(table, "place")) + 2 * stables + (players - 1)  # circles 2, 3; the queue
    assert room == {2: 19 if stables else 16, 3: 20, 4: 21, 5: 22}[players]
    placed = 0
    while table.decision == "place":
        word = next(w for w in sorted(words(table)) if w != "pass")
        placed += 1
        go(table, word)
    assert placed == room - (stables and players == 2)  # two players fill two circles


def test_s14_the_final_bonus(tmp_path: Path) -> None:
    table = shops(tmp_path, ["0", "7 1 2 3 1 2"], castle=triggers(3, 5, 11))
    quiet(go(table, "pass; pass"))
    assert table.finished
    assert (deniers(table)[1], held(table, 1)) == (
        9, {"food": 1, "wood": 2, "stone": 3, "cloth": 1, "gold": 2},
    )  # fmt: skip
    assert column(table, "final_bonus") == [0, 6 + 2 + 2]
    assert table.scores == [-9, 10 - 9]
