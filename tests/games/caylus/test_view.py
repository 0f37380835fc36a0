"""What strategies of Caylus see and answer, against plain sums over lists (RULES.md section 16).

`Plain` works everything out anew from the shipped files and what lies open on the table.
"""

from __future__ import annotations

import math
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from simlab import Table
from simlab.core.records import plain_arithmetic
from simlab.core.registry import bind_for
from simlab.core.strategy import Player
from simlab.games.caylus import GAME, view
from simlab.games.caylus.actions import BATCHES, DECISIONS, FIRST, PAIRS, QUADRUPLES
from tests.games.caylus.board import (
    KINDS,
    RICH,
    board,
    codes,
    go,
    over,
    place_of,
    quiet,
    rows_of,
    setup_rows,
    shops,
    words,
    write,
)

Cubes = Counter[str]
PLAIN, SPACES = KINDS[:4], range(1, 29)
OPEN = (2, 4, 5)  # last column of a line that is open, by sections scored
CASTLE, GATE, POST, GUILD, JOUST, STABLES, INN = range(1, 8)
PLACE, PROVOST = 1, 6  # decisions
CLOSE = 1e-9
WALKS = (0, 3, 5, 6, 10, 11, 12, 14, 18, 25, 30, 33, 38, 40, 41, 43, 48, 57, 60)


# -- the shipped files


@dataclass(frozen=True)
class Tile:
    """A tile: its kind, price, what it brings its builder, and the options of its worker."""

    number: int
    kind: str
    cost: dict[str, int]
    any: int
    points: int
    favors: int
    income: int
    does: str
    options: list[tuple[dict[str, int], dict[str, int]]] = field(default_factory=list)
    owner: list[dict[str, int]] = field(default_factory=list)


def amounts(text: str, verb: str) -> dict[str, int]:
    """Return what a verb of the notation names: kinds and numbers."""
    inside = re.search(rf"{verb}\(([^)]*)\)", text)
    return {k: int(n) for k, n in re.findall(r"(\w+)=(\d+)", inside[1] if inside else "")}


def tile_of(row: dict[str, str]) -> Tile:
    """Return the tile of a row."""
    effect = row["worker_effect"]
    builds = re.search(r"build\((\w+)", effect)
    does = builds[1] if builds else "lawyer" if "transform" in effect else "gain"
    options = [(amounts(way, "pay"), amounts(way, "gain")) for way in effect.split("|")]
    return Tile(
        int(row["tile_no"]),
        row["kind"],
        {kind: int(row[f"cost_{kind}"]) for kind in KINDS if int(row[f"cost_{kind}"])},
        int(row["cost_any"]),
        int(row["points"]),
        int(row["favors"]),
        int(row["income"]),
        does,
        options if does == "gain" else [],
        [amounts(way, "gain") for way in row["owner_effect"].split("|") if "gain" in way],
    )


TILES = {int(row["tile_no"]): tile_of(row) for row in rows_of("buildings")}
CASTLES = rows_of("castle")
BUILDABLE = {"wood": (11, 9), "stone": (12, 17), "prestige": (14, 28)}  # decision, code 0


def due(text: str, parts: int) -> int:
    """Return the favors for so many parts."""
    steps = [[int(n) for n in step.split(":")] for step in text.split(";")]
    return max((favors for least, favors in steps if parts >= least), default=0)


# -- the plain view


class Values(NamedTuple):
    """The parameters of section 16.1."""

    denier: float = 0.5
    cube: float = 1.2
    guild: float = 1.0
    first: float = 1.5
    push: int = 3
    spite: float = 0.2


def best(ways: Iterable[tuple[float, int]]) -> tuple[float, int]:
    """Return the largest value and the lowest code that has it."""
    listed = sorted(ways, key=lambda way: way[1])
    most = max(value for value, _ in listed)
    return next(way for way in listed if way[0] >= most - CLOSE)


class Plain:
    """How a seat sees the table."""

    def __init__(self, table: Table, seat: int, values: Values | None = None) -> None:
        public = table.public
        self.now = {name: public[name].tolist() for name in public.dtype.names}
        self.players, self.seat, self.given = table.players, seat, values or Values()
        self.provost = int(self.now["provost"])
        self.section = int(self.now["section"])
        self.money = int(self.now["deniers"][seat])
        self.rules = table.book.values
        self.cubes = self.of(seat)
        last = self.rounds_left() == 1
        self.denier = 1 / 4 if last else self.given.denier
        self.cube = 1 / 3 if last else self.given.cube

    def of(self, seat: int) -> Cubes:
        """Return the cubes of a seat."""
        held = [*self.now["cubes"][seat], self.now["gold"][seat]]
        return Counter(dict(zip(KINDS, held, strict=True)))

    def like(self, seat: int) -> Plain:
        """Return how another seat sees it."""
        other = Plain.__new__(Plain)
        other.__dict__.update(self.__dict__)
        other.seat, other.money = seat, int(self.now["deniers"][seat])
        other.cubes = self.of(seat)
        return other

    def after(self, price: int) -> Plain:
        """Return how the seat sees it with a price taken off its deniers."""
        other = self.like(self.seat)
        other.money = self.money - price
        return other

    def worth(self, what: dict[str, int]) -> float:
        """Return what goods are worth."""
        one = {"points": 1.0, "gold": 3.0, "deniers": self.denier}
        return sum(one.get(kind, self.cube) * n for kind, n in what.items())

    # -- rounds and favors

    def rounds_left(self) -> int:
        """Return L."""
        bailiff, over = int(self.now["bailiff"]), int(self.now["rounds"]) - 1
        left = math.ceil((24 - bailiff) / 1.5)
        built = sum(int(parts) for parts in self.now["built"][:3])
        if over > 0 and built > 0:
            room = sum(self.room(section) for section in range(self.section, 3))
            left = min(left, math.ceil(room * over / built))
        return max(1, left)

    def room(self, section: int) -> int:
        """Return the empty parts of a section."""
        return int(CASTLES[section]["capacity"]) - int(self.now["built"][section])

    def reached(self, line: int) -> int:
        """Return r(line)."""
        marker = int(self.now["marker"][self.seat][line])
        return marker + 1 if marker < OPEN[self.section] else marker

    def plain_line(self, line: int) -> float:
        """Return the value of the lines a, b and c."""
        column = self.reached(line)
        if line == 2:
            return 3.0 if column == 5 else self.cube
        return float(column) if line == 0 else self.denier * (column + 2)

    def plain_favor(self) -> float:
        """Return f0."""
        return max(self.plain_line(line) for line in range(3))

    def column_value(self, column: int) -> float:
        """Return what a column of line d is worth."""
        if column == 4:
            return self.residence(0)
        kind = {2: "wood", 3: "stone", 5: "prestige"}.get(column)
        return self.best_tile(kind, column < 5) if kind else 0.0

    def line_value(self, line: int) -> float:
        """Return the value of a line."""
        if line < 3:
            return self.plain_line(line)
        return max(0.0, *(self.column_value(n) for n in range(1, self.reached(3) + 1)))

    def favor(self) -> float:
        """Return vf."""
        return max(self.line_value(line) for line in range(4))

    # -- tiles

    def price(self, tile: Tile, discount: bool) -> Cubes:
        """Return the named cubes of a price."""
        cost = Counter(tile.cost)
        if discount and cost[tile.kind]:
            cost[tile.kind] -= 1
        return cost

    def offered(self, kind: str, discount: bool) -> list[Tile]:
        """Return the tiles that D11, D12 or D14 would offer."""
        spaces = range(1, 29)
        if kind == "prestige":
            site = any(self.now["tile"][s] == 28 and self.mine(s) for s in spaces)
        else:
            site = any(self.now["tile"][s] == 0 for s in spaces)
        listed = [tile for tile in TILES.values() if tile.kind == kind and self.stocked(tile)]
        return [tile for tile in listed if site and self.payable(tile, discount)]

    def mine(self, space: int) -> bool:
        """Return whether the seat owns what lies there."""
        return bool(self.now["owner"][space] == self.seat)

    def stocked(self, tile: Tile) -> bool:
        """Return whether a tile is on offer; of the two architects only one is."""
        there = self.now["supply"] >> tile.number & 1
        return bool(there) and not (tile.number == 26 and self.now["supply"] >> 25 & 1)

    def payable(self, tile: Tile, discount: bool) -> bool:
        """Return whether the price can be paid now."""
        cost = self.price(tile, discount)
        enough = all(self.cubes[kind] >= n for kind, n in cost.items())
        return enough and self.cubes.total() - cost.total() >= tile.any

    def tile_value(self, tile: Tile, discount: bool) -> float:
        """Return T."""
        income = tile.income * self.denier * self.rounds_left()
        cost = self.worth(self.price(tile, discount)) + tile.any * self.cube
        return tile.points + tile.favors * self.plain_favor() + income - cost

    def best_tile(self, kind: str, discount: bool = False) -> float:
        """Return B."""
        return max([0.0, *(self.tile_value(t, discount) for t in self.offered(kind, discount))])

    def neutral_sites(self) -> list[int]:
        """Return the neutral tiles that can become a residence."""
        now = self.now
        return [s for s in SPACES if 4 <= now["tile"][s] <= 9 and now["pending"][s] < 0]

    def residence(self, deniers: int) -> float:
        """Return Rz for a cloth and so many deniers."""
        if self.cubes["cloth"] < 1 or self.money < deniers or not self.neutral_sites():
            return 0.0
        cost = self.worth({"deniers": deniers, "cloth": 1})
        return max(0.0, 2 + self.denier * self.rounds_left() - cost)

    def produces(self, tile: Tile) -> bool:
        """Return whether a tile gives cubes for nothing."""
        return bool(tile.options) and not any(pay for pay, _ in tile.options)

    def can_pay(self, pay: dict[str, int]) -> bool:
        """Return whether what an option takes is there."""
        plain = sum(self.cubes[kind] for kind in PLAIN)
        have = {**self.cubes, "deniers": self.money, "any4": plain, "any5": plain}
        return all(have[kind] >= n for kind, n in pay.items())

    def effect(self, tile: Tile) -> float:
        """Return W."""
        if tile.does in BUILDABLE:
            return self.best_tile(tile.does)
        if tile.does == "lawyer":
            return self.residence(1)
        gains = [
            self.worth(gain) - self.worth(pay) for pay, gain in tile.options if self.can_pay(pay)
        ]
        return max(gains) if self.produces(tile) else max([0.0, *gains])

    # -- the castle

    def chosen(self, options: list[dict[str, int]], cubes: Cubes) -> int:
        """Return the option that D7 would choose with these cubes."""
        order = [
            (-round(self.worth(way), 9), min(cubes[kind] for kind in way), n)
            for n, way in enumerate(options)
        ]
        return min(order)[2]

    def projected(self) -> Cubes:
        """Return the cubes held and to come by own workers up to the provost."""
        cubes = Counter(self.cubes)
        for space in range(1, self.provost + 1):
            tile = TILES.get(self.now["tile"][space])
            if tile and self.now["worker"][space] == self.seat and self.produces(tile):
                gains = [gain for _, gain in tile.options]
                cubes.update(gains[self.chosen(gains, cubes)])
        return cubes

    def batches(self) -> int:
        """Return how many batches the projected plain cubes make."""
        cubes = self.projected()
        others = [cubes[kind] for kind in PLAIN[1:]]
        return min(cubes["food"], sum(others) // 2, sum(others) - max(others))

    def castle(self) -> float:
        """Return what a worker in the castle is worth."""
        mine = left = self.batches()
        if mine == 0:
            return -2.0
        value = 0.0
        for section in range(self.section, 3):
            row, had = CASTLES[section], self.now["parts"][self.seat][section]
            parts = min(left, self.room(section))
            left -= parts
            value += parts * (int(row["points_per_part"]) - 3 * self.cube)
            if parts > 0:
                value -= int(row["penalty_if_none"]) if had == 0 else 0
                text = row["favors_by_min_parts"]
                value += self.favor() * (due(text, had + parts) - due(text, had))
        queue = self.now["queue"][: self.now["queued"]]
        rivals = [self.like(seat).batches() for seat in queue if seat != self.seat]
        return value + self.favor() * all(mine > other for other in rivals)

    # -- places

    def reach(self, space: int) -> float:
        """Return how surely a space will be used."""
        if space <= self.provost:
            return 1.0
        return 0.5 if space <= self.provost + min(self.given.push, self.money) else 0.0

    def road(self, space: int) -> float:
        """Return what a worker on the road is worth."""
        tile, owner = TILES[self.now["tile"][space]], self.now["owner"][space]
        rival = owner >= 0 and owner != self.seat
        toll = (2 if tile.kind == "stone" and self.produces(tile) else 1) if rival else 0
        return self.reach(space) * self.effect(tile) - toll

    def stables(self) -> float:
        """Return what the next circle of the stables is worth."""
        circle = self.now["stables"].index(-1, 1)
        place = self.now["order"].index(self.seat) + 1
        return 0.0 if place <= circle else self.given.first / (1 if circle == 1 else 2)

    def joust(self) -> float:
        """Return what the joust is worth."""
        if self.money < 1 or self.cubes["cloth"] < 1:
            return 0.0
        return max(0.0, self.favor() - self.denier - self.cube)

    def gate(self) -> float:
        """Return half of the best other place for nothing."""
        return max([0.0, *(self.place(code) / 2 for code in self.gate_places())])

    def place(self, code: int) -> float:
        """Return what a worker at a place is worth, its price apart."""
        if code > INN:
            return self.road(code - INN)
        guest = self.now["inn"][1] == self.seat
        values: dict[int, Callable[[], float]] = {
            CASTLE: self.castle,
            GATE: self.gate,
            POST: lambda: 3 * self.denier,
            GUILD: lambda: self.given.guild,
            JOUST: self.joust,
            STABLES: self.stables,
            INN: lambda: 0.0 if guest else 0.5 * (self.players - 1),
        }
        return values[code]()

    def gate_places(self) -> list[int]:
        """Return the places that section 6 allows to the worker at the gate."""
        now, seat = self.now, self.seat
        queue = now["queue"][: now["queued"]]
        found = [] if seat in queue else [CASTLE]
        found += [code for code in (POST, GUILD, JOUST) if now["special"][code] < 0]
        circles = now["stables"][1 : 1 + int(self.rules["stables_capacity"])]
        closed = self.players == 2 and self.rules["two_player_turn_order"] == "alternate"
        if -1 in circles and seat not in circles and not closed:
            found.append(STABLES)
        found += [INN] if now["inn"][0] < 0 else []
        taken = [s for s in SPACES if now["worker"][s] < 0 and self.usable(now["tile"][s])]
        return found + [INN + space for space in taken]

    def usable(self, number: int) -> bool:
        """Return whether a worker may stand on a tile."""
        return number in TILES and TILES[number].kind in ("fixed", "neutral", "wood", "stone")

    def price_of(self, code: int) -> int:
        """Return the price of a place."""
        crafts = code > INN and TILES[self.now["tile"][code - INN]].kind in ("wood", "stone")
        if self.now["inn"][1] == self.seat or (crafts and self.mine(code - INN)):
            return 1
        passed = int(self.now["passed"])
        dear = self.players == 2 and passed == 1
        return int(self.rules["two_player_pass_cost"]) if dear else 1 + passed

    def net(self, code: int) -> float:
        """Return the net of a place."""
        price = self.price_of(code)
        return self.after(price).place(code) - self.denier * price


class Answers:
    """What `greedy_value` answers, by decision."""

    def __init__(self, plain: Plain, decision: int, legal: list[int], theta: float = 0.0) -> None:
        self.plain, self.decision, self.legal, self.theta = plain, decision, legal, theta
        self.now, self.cubes = plain.now, plain.cubes
        self.free = 0 not in legal  # a favor's builder may not decline

    def code(self) -> int:
        """Return the code."""
        name = DECISIONS[self.decision]
        return int(getattr(self, name)())

    def tile(self) -> Tile:
        """Return the tile that is being used."""
        return TILES[self.now["tile"][self.now["space"]]]

    def place(self) -> int:
        value, code = best((self.plain.net(code), code) for code in self.legal if code)
        return code if value > self.theta + CLOSE else 0

    def gate(self) -> int:
        return best([(0.0, 0), *((self.plain.place(c), c) for c in self.legal if c)])[1]

    def sum_of_effects(self, seat: int, provost: int) -> float:
        """Return A."""
        own = self.plain.like(seat)
        spaces = (s for s in range(1, provost + 1) if self.now["worker"][s] == seat)
        return sum(own.effect(TILES[self.now["tile"][space]]) for space in spaces)

    def shift(self, paid: bool) -> int:
        """Return the move of the provost."""
        plain = self.plain
        rivals = [seat for seat in range(plain.players) if seat != plain.seat]
        ways = []
        for code in self.legal:
            to = plain.provost + code - 3
            mean = sum(self.sum_of_effects(seat, to) for seat in rivals) / len(rivals)
            value = self.sum_of_effects(plain.seat, to) - plain.given.spite * mean
            ways.append((value - paid * plain.denier * abs(code - 3), code))
        most = max(value for value, _ in ways)
        equal = [code for value, code in ways if value >= most - CLOSE]
        return min(equal, key=lambda code: (abs(code - 3), -code))

    def guild(self) -> int:
        return self.shift(paid=False)

    def provost(self) -> int:
        return self.shift(paid=True)

    def joust(self) -> bool:
        return self.plain.favor() > self.plain.denier + self.plain.cube + CLOSE

    def inn(self) -> int:
        return 1

    def produce(self) -> int:
        if self.now["column"]:
            return self.plain.chosen([{"wood": 1}, {"stone": 1}], self.cubes)
        return self.plain.chosen([gain for _, gain in self.tile().options], self.cubes)

    def owner(self) -> int:
        return self.plain.chosen(self.tile().owner, self.cubes)

    def most(self, cubes: Cubes) -> str:
        """Return the plain kind held most."""
        return max(PLAIN, key=lambda kind: (cubes[kind], -PLAIN.index(kind)))

    def give(self) -> int:
        kind = self.most(self.cubes)
        if self.cubes[kind]:
            return 1 + PLAIN.index(kind)
        return 5 if self.free else 0

    def take(self) -> int:
        def least(cubes: Cubes) -> str:
            return min(PLAIN, key=lambda kind: (cubes[kind], PLAIN.index(kind)))

        plain, one = self.plain, least(self.cubes)
        two = least(self.cubes + Counter([one]))
        if max(self.legal) > 4 and (self.free or plain.cube > plain.denier + CLOSE):
            pair = sorted(PLAIN.index(kind) for kind in (one, two))
            return 5 + PAIRS.index((pair[0], pair[1]))
        prices = [pay["deniers"] for pay, gain in self.tile().options if gain == {"any4": 1}]
        good = plain.cube > plain.denier * prices[0] + CLOSE
        return 1 + PLAIN.index(one) if good else 0

    def build(self, kind: str) -> int:
        """Return the tile with the largest T."""
        discount, first = self.free and kind != "prestige", BUILDABLE[kind][1]
        listed = [(self.plain.tile_value(TILES[first + c], discount), c) for c in self.legal if c]
        value, code = best(listed)
        return code if self.free or value > CLOSE else 0

    def wood(self) -> int:
        return self.build("wood")

    def stone(self) -> int:
        return self.build("stone")

    def prestige(self) -> int:
        return self.build("prestige")

    def residence(self) -> int:
        neutral = self.plain.neutral_sites()
        worth = self.free or self.plain.residence(1) > CLOSE
        return neutral[0] if neutral and worth else self.legal[0]

    def exchange(self) -> int:
        ways = [(0.0, 0)]
        for code in self.legal[1:]:
            pay, gain = self.tile().options[code - 1]
            ways.append((self.plain.worth(gain) - self.plain.worth(pay), code))
        return best(ways)[1]

    def alchemy(self) -> int:
        count, cubes, given = (4 if self.legal[0] >= 10 else 2), Counter(self.cubes), []
        for _ in range(count):
            given.append(self.most(cubes))
            cubes[given[-1]] -= 1
        held = tuple(sorted(PLAIN.index(kind) for kind in given))
        return (*PAIRS, *QUADRUPLES).index(held)

    def castle(self) -> int:
        def sums(gold: bool) -> list[tuple[float, int]]:
            named = [(code, BATCHES[code - 1]) for code in self.legal if code]
            return [
                (sum(self.cubes[KINDS[kind]] for kind in kinds), code)
                for code, kinds in named
                if (4 in kinds) == gold
            ]

        if sums(gold=False):
            return best(sums(gold=False))[1]
        fresh = self.now["batches"][self.plain.seat] == 0
        return best(sums(gold=True))[1] if fresh and sums(gold=True) else 0

    def favor(self) -> int:
        return best((self.plain.line_value(line), line) for line in self.legal)[1]

    def column(self) -> int:
        if self.now["line"] == 3:
            value, code = best((self.plain.column_value(c), c) for c in self.legal)
            return code if value > CLOSE else 0
        if 5 in self.legal:
            return 5
        cubes = self.cubes
        held = {1: cubes["food"], 2: min(cubes["wood"], cubes["stone"]), 3: cubes["cloth"]}
        return min((code for code in held if code in self.legal), key=lambda c: (held[c], c))


# -- positions


class Position(NamedTuple):
    """A table where somebody must decide, and what the kernel's view is given."""

    game: Table
    seat: int
    said: str

    @property
    def seen(self) -> tuple[Any, Any, Any]:
        """The records `table`, `me` and `rules`."""
        state = self.game._state.shown
        return state[0], state[1][self.seat], self.game._rules

    @property
    def decision(self) -> int:
        """The kind of decision that is asked."""
        return int(self.game.public.decision)

    @property
    def legal(self) -> list[int]:
        """The legal codes."""
        return [number - FIRST[self.decision] for number in codes(self.game)]

    def plain(self, values: Values | None = None) -> Plain:
        """Return how the seat that is asked sees it."""
        return Plain(self.game, self.seat, values)

    def default(self) -> int:
        """Return the code of `view.default`."""
        with plain_arithmetic():
            return int(view.default(*self.seen)) - FIRST[self.decision]


def at(game: Table, said: str = "scripted") -> Position:
    """Return the position of a table."""
    assert game.to_move is not None
    return Position(game, game.to_move, f"{said}, decision {game.decisions}")


def walk(number: int, folder: Path) -> Iterator[Position]:
    """Play a game, more or less of it as `greedy_value`; yield every position."""
    players, rules = 2 + number % 4, ("standard", "official")[number // 4 % 2]
    rich = number // 8 % 2 == 1
    setup = {"setup": write(folder, "setup", setup_rows(RICH)), "two_player_start_deniers": "60;60"}
    game = Table("caylus", players, rules, setup if rich else {}, deal=number)
    rng, greedy = random.Random(number), (0.0, 0.5, 0.9, 1.0)[number // 16 % 4]
    said = f"walk {number}: {players} players, {rules}, rich {rich}, greedy {greedy}"
    while not game.finished:
        position = at(game, said)
        yield position
        code = position.default() if rng.random() < greedy else rng.choice(position.legal)
        game.play(FIRST[position.decision] + code)


OFTEN = {PLACE: 0.1, PROVOST: 0.2, **dict.fromkeys((2, 8, 12, 13, 14, 16, 19), 1.0)}


@lru_cache(maxsize=1)
def positions() -> tuple[Position, ...]:
    """Return positions of many games of all kinds."""
    rng, found = random.Random(1), []
    with tempfile.TemporaryDirectory() as folder:
        for number in WALKS:
            for position in walk(number, Path(folder)):
                if rng.random() < OFTEN.get(position.decision, 0.3):
                    found.append(position._replace(game=position.game.clone()))
    return tuple(found)


def test_the_positions_are_of_all_kinds() -> None:
    kinds = Counter(position.decision for position in positions())
    assert {*kinds} == {*range(1, 20)}
    plains = [position.plain() for position in positions()]
    assert {plain.section for plain in plains} == {0, 1, 2}
    assert sum(plain.rounds_left() == 1 for plain in plains) > 100
    assert sum(plain.batches() > 0 for plain in plains) > 100
    assert sum(plain.favor() > plain.plain_favor() + CLOSE for plain in plains) > 100
    assert sum(plain.reached(line) > 4 for plain in plains for line in range(4)) > 10
    assert sum(plain.residence(1) > 0 for plain in plains) > 100
    assert sum(plain.best_tile("prestige") > 0 for plain in plains) > 20


# -- answers


def test_every_answer_is_that_of_the_page() -> None:
    for position in positions():
        wanted = Answers(position.plain(), position.decision, position.legal).code()
        assert position.default() == wanted, position.said


def test_answers_with_other_values() -> None:
    rng = random.Random(2)
    for position in positions()[::3]:
        values = Values(
            denier=rng.choice((0.2, 1.0)),
            cube=rng.choice((0.7, 1.5, 4.0)),
            guild=rng.choice((0.0, 3.0)),
            first=rng.choice((0.5, 4.0)),
            push=rng.randrange(3),
            spite=rng.choice((0.0, 1.5)),
        )
        theta = rng.choice((-1.0, 0.5, 3.0))
        given = ", ".join(
            f"{name}={value}" for name, value in {**values._asdict(), "theta": theta}.items()
        )
        player = Player(bind_for(GAME, f"greedy_value({given})"))
        with plain_arithmetic():
            found = int(player(*position.seen, None, None)) - FIRST[position.decision]
        plain = position.plain(values)
        wanted = Answers(plain, position.decision, position.legal, theta).code()
        assert found == wanted, (position.said, given)


@pytest.mark.validate
@pytest.mark.parametrize("number", range(64))
def test_every_answer_of_whole_games(number: int, tmp_path: Path) -> None:
    for position in walk(number, tmp_path):
        plain = position.plain()
        wanted = Answers(plain, position.decision, position.legal).code()
        assert position.default() == wanted, position.said
        if position.decision == PLACE:
            check_nets(position, plain)


def test_barred_answers_are_not_given() -> None:
    for position in positions()[::4]:
        game, code = position.game.clone(), position.default()
        game.bar(position.seat, f"action={game.book.actions[FIRST[position.decision] + code]}")
        barred = position._replace(game=game)
        other = barred.default()
        assert other != code, position.said
        assert other in position.legal


def test_an_answer_changes_nothing() -> None:
    for position in positions()[::20]:
        before = [record.tobytes() for record in position.game._state.arrays()]
        assert position.default() == position.default()
        assert [record.tobytes() for record in position.game._state.arrays()] == before


# -- values


def sight(position: Position, seat: int) -> tuple[Any, Any]:
    """Return weights and how a seat stands."""
    table, _, rules = position.seen
    weights = view.usual(table, rules)
    return weights, view.look(table, rules, seat, weights)


def check_nets(position: Position, plain: Plain) -> None:
    """Demand that every legal place has its value and its price."""
    table, _, rules = position.seen
    weights, look = sight(position, position.seat)
    for code in position.legal[1:]:
        found = view.net(table, rules, weights, look, code)
        assert found == pytest.approx(plain.net(code)), (position.said, code)
        assert view.price_of(table, rules, position.seat, code) == plain.price_of(code)


def test_the_net_of_every_place() -> None:
    for position in positions():
        if position.decision == PLACE:
            check_nets(position, position.plain())


def test_how_every_seat_stands() -> None:
    for position in positions()[::3]:
        table, _, rules = position.seen
        for seat in range(position.game.players):
            plain = position.plain().like(seat)
            weights, look = sight(position, seat)
            assert (weights.denier, weights.cube) == (plain.denier, plain.cube)
            assert (look.money, look.left) == (plain.money, plain.rounds_left()), position.said
            found = [look.favor, look.plain_favor, look.wood, look.stone, look.prestige]
            kinds = [plain.best_tile(kind) for kind in ("wood", "stone", "prestige")]
            assert found == pytest.approx([plain.favor(), plain.plain_favor(), *kinds])
            assert view.rounds_left(table, rules) == plain.rounds_left()


def test_lines_for_every_seat() -> None:
    for position in positions()[::4]:
        table, _, rules = position.seen
        for seat in range(position.game.players):
            plain = position.plain().like(seat)
            weights, look = sight(position, seat)
            for line in range(4):
                assert view.reached(table, rules, seat, line) == plain.reached(line)
                found = view.line_value(table, rules, weights, look, line)
                assert found == pytest.approx(plain.line_value(line)), (position.said, line)


def test_cubes_to_come_for_every_seat() -> None:
    for position in positions()[::2]:
        table, _, rules = position.seen
        for seat in range(position.game.players):
            plain = position.plain().like(seat)
            weights, _ = sight(position, seat)
            word = view.projected(table, rules, weights, seat, table.provost)
            found = [int(word) >> 16 * kind & 0xFFFF for kind in range(4)]
            assert found == [plain.projected()[kind] for kind in PLAIN], position.said
            assert view.batches(word) == plain.batches()
            assert view.own_batches(table, rules, weights, seat) == plain.batches()
            assert [view.held(table, seat, kind) for kind in range(5)] == [
                plain.cubes[kind] for kind in KINDS
            ]


def test_what_tiles_do_for_every_seat() -> None:
    for position in positions()[::4]:
        table, _, rules = position.seen
        for seat in range(position.game.players):
            plain = position.plain().like(seat)
            weights, look = sight(position, seat)
            for space in SPACES:
                assert view.reach(table, weights, look, space) == plain.reach(space)
                number = plain.now["tile"][space]
                if plain.usable(number):
                    found = view.tile_effect(table, rules, weights, look, number)
                    assert found == pytest.approx(plain.effect(TILES[number])), position.said


@pytest.mark.parametrize("seed", range(3))
def test_batches_are_as_many_as_can_be_delivered(seed: int) -> None:
    """Count them one by one: each takes food and one each of the two kinds held most."""
    rng = random.Random(seed)
    for _ in range(300):
        cubes = [rng.randrange(6) for _ in range(4)]
        word = sum(count << 16 * kind for kind, count in enumerate(cubes))
        food, others, made = cubes[0], sorted(cubes[1:]), 0
        while food > made and others[1] > 0:
            others = sorted([others[0], others[1] - 1, others[2] - 1])
            made += 1
        assert view.batches(word) == made, cubes


# -- by hand


def test_the_first_worker_by_hand() -> None:
    """Two players; 7 deniers, 2 food and 1 wood; 12 rounds left, a favor brings 3 deniers: 1.5."""
    position = at(board())
    table, _, rules = position.seen
    weights, look = sight(position, 0)
    assert (look.left, look.favor, look.wood) == (12, 1.5, pytest.approx(1.6))  # 4 points - 2 cubes
    nets = {code: view.net(table, rules, weights, look, code) for code in position.legal[1:]}
    road = {"carpenter": 1.1, "quarry": 0.7, "sawmill": 0.7, "farm": 0.7, "forest": 0.7}
    road |= {"market": 0.3, "peddler": -0.4, "printed carpenter": 0.3, "gold mine": -0.5}
    special = {"castle": -2.5, "gate": 0.3, "trading post": 1.0, "guild": 0.5, "joust": -0.5}
    special |= {"stables": -0.5, "inn": 0.0}
    assert list(nets.values()) == pytest.approx([*special.values(), *road.values()])
    assert position.default() == 8  # road 1


def test_gold_is_not_sold_at_a_market(tmp_path: Path) -> None:
    game = quiet(go(board(tmp_path, "5 0 0 0 0 2"), "place road 6"), "give")
    assert at(game).default() == 0
    game = quiet(go(board(tmp_path, "5 0 0 1 1 2"), "place road 6"), "give")
    assert at(game).default() == 3  # stone: as many, and the first


def test_gold_is_delivered_only_if_nothing_else_was(tmp_path: Path) -> None:
    game = quiet(go(board(tmp_path, "5 2 1 1 0 2"), "place castle"), "castle")
    assert at(game).default() == 1  # wood and stone
    go(game, "castle wood gold")
    assert (words(game), at(game).default()) == ({"castle stop", "castle stone gold"}, 0)
    game = quiet(go(board(tmp_path, "5 2 1 2 0 2", players=3), "place castle"), "castle")
    go(game, "castle stone gold")
    assert at(game).default() == 1  # a plain batch again
    game = quiet(go(board(tmp_path, "5 1 1 0 0 1"), "place castle"), "castle")
    assert at(game).default() == 3


def test_the_provost_moves_forward_if_back_is_as_good(tmp_path: Path) -> None:
    """The guild's moves are free: the smallest one that helps, and none where none does."""
    game = quiet(go(board(tmp_path, "9", start=14), "place guild; pass; place road 16"), "guild")
    assert at(game).default() == 3 + 2
    assert at(quiet(go(board(), "place guild"), "guild")).default() == 3


@pytest.mark.parametrize(("owner", "toll"), [(0, 0.0), (1, 2.0)])
def test_who_uses_a_rivals_source_gives_a_cube_away(
    owner: int, toll: float, tmp_path: Path
) -> None:
    game = shops(tmp_path)
    go(game, *["pass"] * (owner == 1), "place road 2", *["pass"] * (owner == 0), "pass")
    over(quiet(game, "stone"), "stone stone_farm")
    position = at(game)._replace(seat=0)
    table, _, rules = position.seen
    weights, look = sight(position, 0)
    space = place_of(game, "stone_farm")
    found = view.place_value(table, rules, weights, look, 7 + space)
    assert found == pytest.approx(3 * weights.cube - toll)
