"""A slow, obvious referee of Caylus, written from RULES.md alone.

It is the plain twin of the fast game: it is told the order of the neutral tiles and checks for
itself that they could come up so. Read it next to RULES.md; every method names the section it
plays. Whatever has one legal action is carried out unasked (section 15.1).

Where RULES.md leaves room, this was decided:

1.  Points of the setup file start the points of a seat but stand in none of the columns.
2.  A residence counts as built at its change; with `delayed_residence=payment` its points alone
    come before.
3.  "Never a lawyer" (section 7.4) means no tile whose own effect turns tiles into residences,
    neutral ones of other boxes included; it does not go by the name of the tile.
4.  The owner's point is the "point=n on placement" of the tile's row; a row without it gives none.
5.  `owner_point_timing=activation` with `gate_immediate`: the point falls at that activation, just
    before the effect. An owner's cube is due there as well.
6.  `gate_immediate`: the worker is on its new place while it is resolved; the favors won there and
    those of the joust share the memory of phase 3. A tile chosen for a residence by a favor of its
    own activation changes right after that activation, as in phase 5.
7.  Production is compulsory and everything else optional whatever the column `mandatory` says.
8.  Tile 26 is not offered while tile 25 is in the supply, whatever the two rows say.
9.  A wood, stone or prestige tile is in the supply if its row is there and says
    `in_default_game` 1; tile 27 goes by the flag `jeweller` alone. The column `count` is ignored.
10. Income comes from the rows of residences and prestige tiles only (and 2 for everybody); a
    residence brings no favors.
11. Prices in deniers count for every tile, and the `*` of a stone or prestige tile is asked for
    (D9) as that of a wood tile.
12. `tailor_rates` other than the default replaces the whole first rate of tile 22 by cloth for
    points, if that tile is an exchange of named kinds; any other effect stays as it is.
13. A craft tile goes to the lowest empty space that the road file calls buildable.
14. All castle workers stay in the queue until the best builder's favor is finished.
15. A section waits for those before it: with triggers out of order none is skipped.
16. A player without a part in a section gets the penalty only, whatever the thresholds say.
17. With `stables_moment=round_end` the new order comes when the next round begins; after the last
    round it never comes, so that `tie_break=turn_order` goes by the order of the last phase 7.
18. The bailiff is not stopped by the road's end (only a Towers trigger on 28 would lead there).
19. With `favor_simplified` no favor counts as put on a line or as lost.
20. `points_floor=0`: the column `penalty_points` holds what was really taken.
21. Scores, ranks and columns stand as of now in mid-game, final bonus included; a tie then goes by
    the present turn order.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import Any, TypeVar

PLAIN = ("food", "wood", "stone", "cloth")
CUBES = (*PLAIN, "gold")
GOODS = (*CUBES, "deniers")
LINES = ("prestige", "deniers", "resources", "buildings")
SINGLES = ("gate", "trading_post", "guild", "joust")
WORKED = ("neutral", "fixed", "wood", "stone")
CRAFT = ("wood", "stone")
SPACES = 28
SHIFTS = range(-3, 4)
OPEN_COLUMNS = (2, 4, 5, 5)  # by sections scored
ARCHITECTS = (25, 26)
CHURCH, LAWYER, TAILOR, JEWELLER = 21, 16, 22, 27
COUNTED = (
    *("castle_points", "building_points", "residence_points", "prestige_points", "owner_points"),
    *("favor_points", "exchange_points", "penalty_points", "favors_prestige", "favors_deniers"),
    *("favors_resources", "favors_buildings", "favors_lost", "wood_built", "stone_built"),
    *("residences_built", "prestige_built", "workers", "deniers_placing", "deniers_provost"),
)
DATA = Path(__file__).resolve().parents[2] / "simlab" / "games" / "caylus"
ALLOWED: dict[str, Sequence[Any]] = {
    "two_player_pass_cost": (2, 3),
    "two_player_turn_order": ("stables", "alternate"),
    "points_floor": ("none", "0"),
    "no_delivery_exempt_if_towers_full": (0, 1),
    "owner_point_timing": ("placement", "activation"),
    "favor_distinct_lines": (0, 1),
    "stables_capacity": (1, 2, 3),
    "tie_break": ("shared", "turn_order", "leftover"),
    "jeweller": (0, 1),
    "church_points": (3, 4),
    "tailor_rates": ("2:4;3:6", "1:2;3:6"),
    "lawyer_points": (3, 4),
    "residence_tiles": (7, 8),
    "favor_simplified": (0, 1),
    "gate_immediate": (0, 1),
    "stables_moment": ("phase3", "round_end"),
    "double_scoring_lines": ("shared", "separate"),
    "delayed_residence": ("change", "payment"),
    "exempt_needs_batch": (0, 1),
}


@dataclass(frozen=True)
class Asked:
    """The open decision (section 15)."""

    seat: int
    decision: str
    words: frozenset[str]


Answer = TypeVar("Answer")
Steps = Generator[Asked, str, Answer]  # asks its way through and returns an answer


@dataclass(frozen=True)
class Option:
    """One option of an effect: pay(...)->verb(what,...) (section 5)."""

    pays: dict[str, int]
    verb: str  # gain, build or transform
    what: str  # wood, stone or prestige if it builds
    gains: dict[str, int]  # what comes in, or the discount of a building


@dataclass(frozen=True)
class Tile:
    """One row of the buildings file (section 7)."""

    no: int
    id: str
    kind: str
    cost: dict[str, int]
    cost_any: int
    points: int
    favors: int
    income: int
    effect: list[Option]
    owner_point: int
    owner_cube: list[Option]

    @property
    def is_lawyer(self) -> bool:
        """Whether it makes residences (section 7.4)."""
        return any(option.verb == "transform" for option in self.effect)


@dataclass(frozen=True)
class Section:
    """One row of the castle file (section 9)."""

    capacity: int
    points: int
    trigger: int
    penalty: int
    thresholds: list[tuple[int, int]]

    def favors(self, parts: int) -> int:
        """Favors for so many own parts."""
        return max([favors for least, favors in self.thresholds if parts >= least], default=0)


@dataclass
class Space:
    """One space of the road (section 3)."""

    tile: Tile | None
    buildable: bool
    owner: int | None = None
    worker: int | None = None
    pending: int | None = None  # whose delayed residence waits (section 7.4)


@dataclass
class Seat:
    """What one player has (section 14)."""

    goods: dict[str, int]
    pool: int
    points: int
    marker: dict[str, int] = field(default_factory=lambda: dict.fromkeys(LINES, 0))
    used: set[str] = field(default_factory=set)  # lines used in this phase
    parts: list[int] = field(default_factory=lambda: [0, 0, 0])
    batches: int = 0  # in this round
    tally: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTED, 0))

    def holds(self, cost: Mapping[str, int]) -> bool:
        return all(self.goods[kind] >= count for kind, count in cost.items())

    def pay(self, cost: Mapping[str, int]) -> None:
        for kind, count in cost.items():
            self.goods[kind] -= count

    def gain(self, income: Mapping[str, int]) -> None:
        for kind, count in income.items():
            self.goods[kind] += count

    def score(self, points: int, column: str) -> None:
        self.points += points
        self.tally[column] += points

    def held(self) -> list[str]:
        """The kinds of cubes at hand."""
        return [kind for kind in CUBES if self.goods[kind] > 0]

    def plain(self) -> int:
        """How many cubes are at hand, gold apart."""
        return sum([self.goods[kind] for kind in PLAIN])

    def final_bonus(self) -> int:
        """What gold, cubes and deniers bring in the end (section 10)."""
        return 3 * self.goods["gold"] + self.plain() // 3 + self.goods["deniers"] // 4


class Referee:
    """One game of Caylus; `play` takes one decision after the other.

    Args:
        players: number of seats, 2 to 5; seat 0 is first in the first turn order.
        rules: a value for every flag of section 2; "buildings", "road", "favors", "castle" and
            "setup" are the rows of the files (read from the game's folder where they are absent).
        decks: under "neutrals" one list of tile ids, in the order of the spaces they lie on.

    Raises:
        ValueError: on an unknown rule value, on neutral tiles that cannot lie so, and on a word
            that is not legal.
    """

    def __init__(self, players: int, rules: dict[str, Any], decks: dict[str, Any]) -> None:
        _check_rules(players, rules)
        self._rules = rules
        self._players = players
        self._tiles = _read_tiles(rules)
        self._favor_effects = _read_favors(rules)
        self._castle = _read_castle(rules)
        self._seats = _read_setup(rules, players)
        self._road, self._bailiff = self._lay_road(list(decks["neutrals"][0]))
        self._provost = self._bailiff
        self._supply = {tile.id for tile in self._tiles.values() if self._in_supply(tile)}
        self._order = list(range(players))
        self._next_order: list[int] | None = None
        self._passed: list[int] = []
        self._single: dict[str, int | None] = dict.fromkeys(SINGLES)
        self._inn: list[int | None] = [None, None]
        self._stables: list[int] = []
        self._queue: list[int] = []
        self._scored = 0
        self._round_no = 0
        self._phase = 1
        self._steps = self._game()
        self._asked: Asked | None = next(self._steps, None)

    def _lay_road(self, listed: list[str]) -> tuple[dict[int, Space], int]:
        """Lay out neutral and printed tiles; return the bailiff's space, too (section 3)."""
        rows = sorted(
            (row for row in _rows(self._rules, "road") if row["zone"] == "road"),
            key=lambda row: int(row["road_pos"]),
        )
        contents = [row["start_content"] for row in rows]
        wanted = contents.count("neutral_tile")
        neutral = {tile.id for tile in self._tiles.values() if tile.kind == "neutral"}
        if len(listed) != wanted or len(set(listed)) != wanted or not set(listed) <= neutral:
            raise ValueError(f"{wanted} different neutral tiles are needed, not {listed}")
        left = iter(listed)
        ids = [next(left) if content == "neutral_tile" else content for content in contents]
        road = {
            space: Space(None if id == "empty" else self._tiles[id], row["buildable"] == "1")
            for space, (id, row) in enumerate(zip(ids, rows, strict=True), start=1)
        }
        markers = [row["marker"] for row in rows]
        return road, markers.index("bailiff_and_provost_start") + 1

    def _in_supply(self, tile: Tile) -> bool:
        """Whether a tile lies in the supply at the start (sections 2 and 3)."""
        if tile.kind not in (*CRAFT, "prestige"):
            return False
        if tile.no == JEWELLER:
            return bool(self._rules["jeweller"])
        return True

    # ---- what the outside sees ----

    @property
    def finished(self) -> bool:
        """Whether the game is over (section 10)."""
        return self._asked is None

    @property
    def end_reason(self) -> str | None:
        """Return "finished" when the game is over: it ends in one way only."""
        return "finished" if self.finished else None

    @property
    def to_move(self) -> int | None:
        """The seat asked now."""
        return self._asked.seat if self._asked else None

    @property
    def decision(self) -> str | None:
        """What is asked now (section 15.3)."""
        return self._asked.decision if self._asked else None

    def legal(self) -> set[str]:
        """All words that may be played now."""
        return set(self._asked.words) if self._asked else set()

    def play(self, word: str) -> None:
        """Carry out one decision, then all that follows from it unasked."""
        if word not in self.legal():
            raise ValueError(f"{word!r} is not legal now; legal: {sorted(self.legal())}")
        try:
            self._asked = self._steps.send(word)
        except StopIteration:
            self._asked = None

    @property
    def scores(self) -> list[int]:
        """Points and final bonus, by seat (section 10)."""
        return [seat.points + seat.final_bonus() for seat in self._seats]

    @property
    def ranks(self) -> list[int]:
        """Places, equal ones shared (section 10)."""
        keys = [self._rank_key(number) for number in range(self._players)]
        return [1 + sum(other > key for other in keys) for key in keys]

    def _rank_key(self, number: int) -> tuple[int, ...]:
        """The larger is the better (section 2, tie_break)."""
        seat = self._seats[number]
        score = seat.points + seat.final_bonus()
        place = -self._order.index(number)
        cubes = seat.plain() % 3
        return {
            "shared": (score,),
            "turn_order": (score, place),
            "leftover": (score, seat.goods["deniers"] % 4 + cubes, cubes, place),
        }[self._rules["tie_break"]]

    def columns(self) -> dict[str, list[int]]:
        """What each seat did so far, by kind."""
        columns = {name: [seat.tally[name] for seat in self._seats] for name in COUNTED}
        columns["final_bonus"] = [seat.final_bonus() for seat in self._seats]
        for number, name in enumerate(("dungeon", "walls", "towers")):
            columns[f"parts_{name}"] = [seat.parts[number] for seat in self._seats]
        columns["rounds"] = [self._round_no] * self._players
        return columns

    def public(self) -> dict[str, Any]:
        """Everything: nothing is hidden (section 4)."""
        seats, road = self._seats, self._road.values()
        return {
            "round": self._round_no,
            "phase": self._phase,
            "bailiff": self._bailiff,
            "provost": self._provost,
            "section": self._scored,
            "turn_order": list(self._order),
            "pass_order": list(self._passed),
            "deniers": [seat.goods["deniers"] for seat in seats],
            "points": [seat.points for seat in seats],
            "cubes": [{kind: seat.goods[kind] for kind in CUBES} for seat in seats],
            "favors": [list(seat.marker.values()) for seat in seats],
            "workers": [seat.pool for seat in seats],
            "parts": [list(seat.parts) for seat in seats],
            "road": [space.tile.id if space.tile else None for space in road],
            "owners": [space.owner for space in road],
            "workers_on": [space.worker for space in road],
            "pending": [space.pending for space in road],
            **self._single,
            "inn": list(self._inn),
            "stables": [*self._stables, *[None] * (3 - len(self._stables))],
            "castle": list(self._queue),
            "supply": sorted(self._supply),
        }

    # ---- the course of the game (section 6) ----

    def _game(self) -> Steps[None]:
        """Play rounds until the Towers are scored."""
        while self._scored < len(self._castle):
            self._begin_round()
            yield from self._place_workers()
            yield from self._special_buildings()
            yield from self._bribe_provost()
            yield from self._activate_road()
            yield from self._build_castle()
            yield from self._end_round()

    def _ask(self, seat: int, decision: str, words: Sequence[str]) -> Steps[str]:
        """Let a seat choose; a single word is carried out unasked (section 15.1)."""
        if len(words) == 1:
            return words[0]
        return (yield Asked(seat, decision, frozenset(words)))

    def _enter(self, phase: int) -> None:
        """Begin a phase: every line may be used again (section 8)."""
        self._phase = phase
        for seat in self._seats:
            seat.used.clear()

    def _home(self, seat: int) -> None:
        """A worker returns to its pool."""
        self._seats[seat].pool += 1

    # ---- phase 1 (section 6) ----

    def _begin_round(self) -> None:
        """Clear the bridge, change the order where that is due, take the income."""
        if self._round_no > 0 and self._alternating():
            self._order.reverse()
        if self._next_order is not None:
            self._order, self._next_order = self._next_order, None
        self._round_no += 1
        self._passed = []
        self._enter(1)
        for seat in self._seats:
            seat.gain({"deniers": 2})
        for space in self._road.values():
            if space.tile and space.owner is not None and space.tile.kind not in CRAFT:
                self._seats[space.owner].gain({"deniers": space.tile.income})

    def _alternating(self) -> bool:
        """Two players take turns at being first and have no stables (section 11)."""
        return self._players == 2 and self._rules["two_player_turn_order"] == "alternate"

    # ---- phase 2 (section 6) ----

    def _place_workers(self) -> Steps[None]:
        """D1: go round until all have passed."""
        self._enter(2)
        while len(self._passed) < self._players:
            for seat in self._order:
                if seat not in self._passed:
                    yield from self._place_or_pass(seat)

    def _place_or_pass(self, seat: int) -> Steps[None]:
        me = self._seats[seat]
        payable = [
            place
            for place in (self._open_places(seat) if me.pool > 0 else [])
            if self._price(seat, place) <= me.goods["deniers"]
        ]
        word = yield from self._ask(seat, "place", ["pass", *[f"place {p}" for p in payable]])
        if word == "pass":
            if not self._passed:
                me.gain({"deniers": 1})
            self._passed.append(seat)
            return
        place = word.removeprefix("place ")
        price = self._price(seat, place)
        me.pay({"deniers": price})
        me.pool -= 1
        me.tally["deniers_placing"] += price
        me.tally["workers"] += 1
        self._put_worker(seat, place)

    def _price(self, seat: int, place: str) -> int:
        """What a worker costs there; 1 on an own tile or from the inn's right circle."""
        if self._inn[1] == seat:
            return 1
        if place.startswith("road") and self._space(place).owner == seat:
            return 1
        if self._players == 2 and len(self._passed) == 1:
            return int(self._rules["two_player_pass_cost"])
        return 1 + len(self._passed)

    def _open_places(self, seat: int) -> list[str]:
        """All spaces legal for a worker, price apart."""
        places = [name for name in SINGLES if self._single[name] is None]
        if seat not in self._queue:
            places.append("castle")
        if (
            not self._alternating()
            and seat not in self._stables
            and len(self._stables) < self._rules["stables_capacity"]
        ):
            places.append("stables")
        if self._inn[0] is None:
            places.append("inn")
        places += [
            f"road {number}"
            for number, space in self._road.items()
            if space.tile and space.tile.kind in WORKED and space.worker is None
        ]
        return places

    def _put_worker(self, seat: int, place: str) -> None:
        """The worker stands there now; a rival who owns the tile scores."""
        if place in SINGLES:
            self._single[place] = seat
        elif place == "castle":
            self._queue.append(seat)
        elif place == "stables":
            self._stables.append(seat)
        elif place == "inn":
            self._inn[0] = seat
        else:
            space = self._space(place)
            space.worker = seat
            if self._rules["owner_point_timing"] == "placement":
                self._owner_point(space)

    def _space(self, place: str) -> Space:
        """The space of a word like "road 7"."""
        return self._road[int(place.split()[-1])]

    def _rival_owner(self, space: Space) -> int | None:
        """Who owns a tile on which somebody else's worker stands."""
        return space.owner if space.owner != space.worker else None

    def _owner_point(self, space: Space) -> None:
        owner = self._rival_owner(space)
        if owner is not None and space.tile:
            self._seats[owner].score(space.tile.owner_point, "owner_points")

    # ---- phase 3 (section 6) ----

    def _special_buildings(self) -> Steps[None]:
        """The six special buildings in their order."""
        self._enter(3)
        yield from self._gate()
        self._trading_post()
        yield from self._guild()
        yield from self._joust()
        self._change_order()
        yield from self._visit_inn()

    def _gate(self) -> Steps[None]:
        """D2: the worker may move on to any space where it could be placed."""
        seat = self._single["gate"]
        if seat is None:
            return
        places = ["return", *self._open_places(seat)]  # the gate is not among them: it is taken
        word = yield from self._ask(seat, "gate", [f"gate {place}" for place in places])
        place = word.removeprefix("gate ")
        self._single["gate"] = None
        if place == "return":
            self._home(seat)
            return
        self._put_worker(seat, place)
        if self._rules["gate_immediate"]:
            yield from self._resolve_at_once(place)

    def _resolve_at_once(self, place: str) -> Steps[None]:
        """Resolve the gate's worker where it went (section 2, gate_immediate)."""
        if place == "trading_post":
            self._trading_post()
        elif place == "guild":
            yield from self._guild()
        elif place == "joust":
            yield from self._joust()
        elif place.startswith("road"):
            yield from self._activate(self._space(place))

    def _trading_post(self) -> None:
        seat = self._single["trading_post"]
        if seat is not None:
            self._seats[seat].gain(self._tiles["trading_post"].effect[0].gains)
            self._leave("trading_post", seat)

    def _leave(self, name: str, seat: int) -> None:
        """The worker of a special building returns."""
        self._single[name] = None
        self._home(seat)

    def _guild(self) -> Steps[None]:
        """D3: move the provost free of charge."""
        seat = self._single["guild"]
        if seat is None:
            return
        reach = int(self._tiles["merchants_guild"].effect[0].what.split("..")[1])
        shifts = [shift for shift in self._shifts() if abs(shift) <= reach]
        word = yield from self._ask(seat, "guild", [_shift_word("guild", s) for s in shifts])
        self._provost += int(word.split()[1])
        self._leave("guild", seat)

    def _shifts(self) -> list[int]:
        """Steps that leave the provost on the road, at most three."""
        return [shift for shift in SHIFTS if 1 <= self._provost + shift <= SPACES]

    def _joust(self) -> Steps[None]:
        """D4: pay for a favor; the worker returns after it."""
        seat = self._single["joust"]
        if seat is None:
            return
        option = self._tiles["joust_field"].effect[0]
        payable = self._seats[seat].holds(option.pays)
        word = yield from self._ask(seat, "joust", ["joust no", *["joust pay"] * payable])
        if word == "joust pay":
            self._seats[seat].pay(option.pays)
            yield from self._favors(seat, option.gains["favor"])
        self._leave("joust", seat)

    def _change_order(self) -> None:
        """The stables: who stands on circle k takes rank k."""
        if not self._stables:
            return
        others = [seat for seat in self._order if seat not in self._stables]
        order = self._stables + others
        if self._rules["stables_moment"] == "phase3":
            self._order = order
        else:
            self._next_order = order
        for seat in self._stables:
            self._home(seat)
        self._stables = []

    def _visit_inn(self) -> Steps[None]:
        """D5: the left worker drives out the right one; else the right one may stay."""
        left, right = self._inn
        if left is not None:
            if right is not None:
                self._home(right)
            self._inn = [None, left]
        elif right is not None:
            word = yield from self._ask(right, "inn", ["inn leave", "inn keep"])
            if word == "inn leave":
                self._inn = [None, None]
                self._home(right)

    # ---- phase 4 (section 6) ----

    def _bribe_provost(self) -> Steps[None]:
        """D6: each player once, in passing order, for a denier a space."""
        self._enter(4)
        for seat in self._passed:
            me = self._seats[seat]
            shifts = [shift for shift in self._shifts() if abs(shift) <= me.goods["deniers"]]
            words = [_shift_word("provost", shift) for shift in shifts]
            word = yield from self._ask(seat, "provost", words)
            shift = int(word.split()[1])
            self._provost += shift
            me.pay({"deniers": abs(shift)})
            me.tally["deniers_provost"] += abs(shift)

    # ---- phase 5 (section 6) ----

    def _activate_road(self) -> Steps[None]:
        """Up to the provost tiles are activated, beyond him workers just return."""
        self._enter(5)
        for number, space in self._road.items():
            if number <= self._provost and space.worker is not None:
                yield from self._activate(space)
        for space in self._road.values():
            if space.worker is not None:
                self._leave_road(space)

    def _activate(self, space: Space) -> Steps[None]:
        """The tile's effect, its favors, the owner's cube, the way home, a delayed change."""
        seat, tile = space.worker, space.tile
        assert seat is not None
        assert tile is not None
        if self._rules["owner_point_timing"] == "activation":
            self._owner_point(space)
        won = yield from self._use(seat, tile)
        yield from self._favors(seat, won)
        owner = self._rival_owner(space)
        if owner is not None and tile.owner_cube:
            gains = yield from self._choose_gain(owner, "owner", tile.owner_cube)  # D8
            self._seats[owner].gain(gains)
        self._leave_road(space)

    def _leave_road(self, space: Space) -> None:
        """The worker returns, then a residence that waited for it appears (section 7.4)."""
        assert space.worker is not None
        self._home(space.worker)
        space.worker = None
        if space.pending is not None:
            self._change(space, space.pending)

    # ---- what tiles do (section 7) ----

    def _use(self, seat: int, tile: Tile) -> Steps[int]:
        """Apply the effect of a tile; return the favors that it wins."""
        if not tile.effect:
            return 0
        first = tile.effect[0]
        if first.verb == "build":
            return (yield from self._build(seat, first, optional=True))
        if first.verb == "transform":
            yield from self._transform(seat, first, optional=True)
        elif not first.pays:
            gains = yield from self._choose_gain(seat, "produce", tile.effect)  # D7
            self._seats[seat].gain(gains)
        elif "any5" in first.pays:
            yield from self._sell(seat, first)
        elif "any4" in first.gains:
            yield from self._buy(seat, tile.effect)
        else:
            yield from self._exchange(seat, tile.effect)
        return 0

    def _choose_gain(
        self, seat: int, decision: str, options: list[Option]
    ) -> Steps[dict[str, int]]:
        """D7 and D8: one of the options, in the order of the file; not to be refused."""
        words = [f"{decision} first", f"{decision} second"][: len(options)]
        word = yield from self._ask(seat, decision, words)
        return options[words.index(word)].gains

    def _sell(self, seat: int, option: Option) -> Steps[None]:
        """A market: D9, one cube of any kind for deniers."""
        kind = yield from self._give(seat, optional=True)
        if kind is not None:
            self._seats[seat].gain(option.gains)

    def _give(self, seat: int, optional: bool) -> Steps[str | None]:
        """D9: return one cube, gold allowed; its kind, or None if declined."""
        kinds = ["nothing"] * optional + self._seats[seat].held()
        word = yield from self._ask(seat, "give", [f"give {kind}" for kind in kinds])
        kind = word.removeprefix("give ")
        if kind == "nothing":
            return None
        self._seats[seat].pay({kind: 1})
        return kind

    def _buy(self, seat: int, options: list[Option]) -> Steps[None]:
        """A peddler: D10, one cube or two, each number at its price."""
        price = {option.gains["any4"]: option.pays for option in options}
        payable = [count for count, cost in price.items() if self._seats[seat].holds(cost)]
        words = ["take nothing"]
        words += [f"take {' '.join(cubes)}" for count in payable for cubes in _plain_sets(count)]
        word = yield from self._ask(seat, "take", words)
        cubes = word.split()[1:]
        if cubes != ["nothing"]:
            self._seats[seat].pay(price[len(cubes)])
            self._seats[seat].gain(Counter(cubes))

    def _exchange(self, seat: int, rates: list[Option]) -> Steps[None]:
        """D15, for the alchemist then D16: one of the payable rates."""
        me = self._seats[seat]
        names = ["first", "second"][: len(rates)]
        payable = [
            f"exchange {name}"
            for name, rate in zip(names, rates, strict=True)
            if (me.plain() >= rate.pays["any4"] if "any4" in rate.pays else me.holds(rate.pays))
        ]
        word = yield from self._ask(seat, "exchange", ["exchange nothing", *payable])
        if word == "exchange nothing":
            return
        rate = rates[names.index(word.split()[1])]
        if "any4" in rate.pays:
            sets = [cubes for cubes in _plain_sets(rate.pays["any4"]) if me.holds(Counter(cubes))]
            words = [f"alchemy {' '.join(cubes)}" for cubes in sets]
            word = yield from self._ask(seat, "alchemy", words)
            me.pay(Counter(word.split()[1:]))
        else:
            me.pay(rate.pays)
        me.gain({kind: count for kind, count in rate.gains.items() if kind != "points"})
        me.score(rate.gains.get("points", 0), "exchange_points")

    # ---- building (sections 7.5 and 7.6) ----

    def _build(self, seat: int, option: Option, optional: bool) -> Steps[int]:
        """D11, D12 or D14: build a tile of a kind; return its favors."""
        kind, me = option.what, self._seats[seat]
        ids = ["none"] * optional + [tile.id for tile in self._buildable(seat, option)]
        word = yield from self._ask(seat, kind, [f"{kind} {id}" for id in ids])
        if word == f"{kind} none":
            return 0
        tile = self._tiles[word.removeprefix(f"{kind} ")]
        me.pay(_discounted(tile, option))
        if tile.cost_any:
            yield from self._give(seat, optional=False)
        self._supply.remove(tile.id)
        space = self._site(seat, kind)
        assert space is not None
        space.tile, space.owner = tile, seat
        me.score(tile.points, "prestige_points" if kind == "prestige" else "building_points")
        me.tally[f"{kind}_built"] += 1
        return tile.favors

    def _buildable(self, seat: int, option: Option) -> list[Tile]:
        """Tiles of a kind that could be built now, the discount used."""
        if self._site(seat, option.what) is None:
            return []
        return [
            tile
            for tile in self._tiles.values()
            if tile.kind == option.what
            and tile.id in self._supply
            and self._payable(seat, tile, option)
            and not self._is_second_architect(tile)
        ]

    def _payable(self, seat: int, tile: Tile, option: Option) -> bool:
        """Whether the price is at hand, the `*` beside the fixed cubes."""
        me, fixed = self._seats[seat], _discounted(tile, option)
        left = sum([me.goods[kind] - fixed[kind] for kind in CUBES])
        return me.holds(fixed) and left >= tile.cost_any

    def _is_second_architect(self, tile: Tile) -> bool:
        """Of two architects in the supply the one with the lower number is taken."""
        if tile.no != ARCHITECTS[1]:
            return False
        return any(self._tiles[id].no == ARCHITECTS[0] for id in self._supply)

    def _site(self, seat: int, kind: str) -> Space | None:
        """The lowest own residence for a prestige tile, else the lowest empty space (R9)."""
        for space in self._road.values():
            if kind == "prestige":
                if space.tile and space.tile.kind == "residential" and space.owner == seat:
                    return space
            elif space.tile is None and space.buildable:
                return space
        return None

    # ---- residences (section 7.4) ----

    def _transform(self, seat: int, option: Option, optional: bool) -> Steps[None]:
        """D13: turn a tile into a residence, at once or after the worker on it has left."""
        numbers = self._transformable(seat, option)
        words = ["residence none"] * optional + [f"residence road {n}" for n in numbers]
        word = yield from self._ask(seat, "residence", words)
        if word == "residence none":
            return
        self._seats[seat].pay(option.pays)
        space = self._space(word)
        if space.worker is None:
            self._change(space, seat)
            return
        space.pending = seat
        if self._rules["delayed_residence"] == "payment":
            self._residence_points(seat)

    def _transformable(self, seat: int, option: Option) -> list[int]:
        """Spaces with a neutral or an own craft tile, no lawyer, none that already waits."""
        if not self._seats[seat].holds(option.pays):
            return []
        return [
            number
            for number, space in self._road.items()
            if space.tile
            and (space.tile.kind == "neutral" or (space.tile.kind in CRAFT and space.owner == seat))
            and not space.tile.is_lawyer
            and space.pending is None
        ]

    def _change(self, space: Space, seat: int) -> None:
        """The residence appears; an own tile returns to the supply, a neutral one is gone."""
        assert space.tile is not None
        if space.tile.kind in CRAFT:
            self._supply.add(space.tile.id)
        if space.pending is None or self._rules["delayed_residence"] == "change":
            self._residence_points(seat)
        self._seats[seat].tally["residences_built"] += 1
        space.tile, space.owner, space.pending = self._tiles["residence"], seat, None

    def _residence_points(self, seat: int) -> None:
        self._seats[seat].score(self._tiles["residence"].points, "residence_points")

    # ---- royal favors (section 8) ----

    def _favors(self, seat: int, waiting: int) -> Steps[None]:
        """Resolve favors one by one; a tile built by one adds its own."""
        while waiting > 0:
            waiting -= 1
            if self._rules["favor_simplified"]:
                self._seats[seat].score(3, "favor_points")
            else:
                waiting += yield from self._favor(seat)

    def _favor(self, seat: int) -> Steps[int]:
        """D18: choose a line, advance, take; return the favors of a tile built by it."""
        me = self._seats[seat]
        distinct = self._rules["favor_distinct_lines"]
        lines = [line for line in LINES if not (distinct and line in me.used)]
        if not lines:
            me.tally["favors_lost"] += 1
            return 0
        word = yield from self._ask(seat, "favor", [f"favor {line}" for line in lines])
        line = word.removeprefix("favor ")
        me.used.add(line)
        me.tally[f"favors_{line}"] += 1
        if me.marker[line] < OPEN_COLUMNS[self._scored]:
            me.marker[line] += 1
        if line in ("prestige", "deniers"):
            gains = self._favor_effects[line, me.marker[line]][0].gains
            me.gain({"deniers": gains.get("deniers", 0)})
            me.score(gains.get("points", 0), "favor_points")
            return 0
        return (yield from self._use_column(seat, line))

    def _use_column(self, seat: int, line: str) -> Steps[int]:
        """D19: use one column up to the marker; return the favors of a tile built by it."""
        columns = [
            column
            for column in range(1, self._seats[seat].marker[line] + 1)
            if self._can_use(seat, self._favor_effects[line, column])
        ]
        words = ["column none", *[f"column {column}" for column in columns]]
        word = yield from self._ask(seat, "column", words)
        if word == "column none":
            return 0
        effect = self._favor_effects[line, int(word.split()[1])]
        first = effect[0]
        if first.verb == "build":
            return (yield from self._build(seat, first, optional=False))
        if first.verb == "transform":
            yield from self._transform(seat, first, optional=False)
        elif first.pays:
            yield from self._swap(seat, first.gains["any4"])
        else:
            gains = yield from self._choose_gain(seat, "produce", effect)  # D7
            self._seats[seat].gain(gains)
        return 0

    def _can_use(self, seat: int, effect: list[Option]) -> bool:
        """Whether the effect of a column can be carried out now (section 15.3, D19)."""
        if not effect:
            return False
        first = effect[0]
        if first.verb == "build":
            return bool(self._buildable(seat, first))
        if first.verb == "transform":
            return bool(self._transformable(seat, first))
        return not first.pays or bool(self._seats[seat].held())

    def _swap(self, seat: int, count: int) -> Steps[None]:
        """D9, then D10: return one cube of any kind and take plain ones."""
        yield from self._give(seat, optional=False)
        words = [f"take {' '.join(cubes)}" for cubes in _plain_sets(count)]
        word = yield from self._ask(seat, "take", words)
        self._seats[seat].gain(Counter(word.split()[1:]))

    # ---- phase 6 (section 9) ----

    def _build_castle(self) -> Steps[None]:
        """All of the queue deliver, the best builder gets a favor, all workers return."""
        self._enter(6)
        for player in self._seats:
            player.batches = 0
        for seat in self._queue:
            yield from self._deliver(seat)
        most = max([self._seats[seat].batches for seat in self._queue], default=0)
        if most > 0:
            best = [seat for seat in self._queue if self._seats[seat].batches == most]
            yield from self._favors(best[0], 1)
        for seat in self._queue:
            self._home(seat)
        self._queue = []

    def _deliver(self, seat: int) -> Steps[None]:
        """D17 until the player stops; nothing delivered costs 2 points (R12)."""
        me = self._seats[seat]
        while True:
            section = self._first_with_room()
            held = self._batches_held(seat)
            words = ["castle stop", *(held if section is not None else [])]
            word = yield from self._ask(seat, "castle", words)
            if word == "castle stop" or section is None:
                break
            me.pay({"food": 1, **Counter(word.split()[1:])})
            me.parts[section] += 1
            me.batches += 1
            me.score(self._castle[section].points, "castle_points")
        if me.batches == 0 and not self._is_exempt(seat):
            self._lose(seat, 2)

    def _batches_held(self, seat: int) -> list[str]:
        """Batches at hand: a food and two different other cubes."""
        me = self._seats[seat]
        if me.goods["food"] == 0:
            return []
        pairs = combinations([kind for kind in me.held() if kind != "food"], 2)
        return [f"castle {' '.join(pair)}" for pair in pairs]

    def _built(self, section: int) -> int:
        """Parts of a section built by all."""
        return sum([seat.parts[section] for seat in self._seats])

    def _first_with_room(self) -> int | None:
        """The first unscored section that is not full."""
        for section in range(self._scored, len(self._castle)):
            if self._built(section) < self._castle[section].capacity:
                return section
        return None

    def _is_exempt(self, seat: int) -> bool:
        """Whether the lack of room excuses who delivered nothing (section 2 and R16)."""
        if not self._rules["no_delivery_exempt_if_towers_full"]:
            return False
        if self._rules["exempt_needs_batch"] and not self._batches_held(seat):
            return False
        return self._first_with_room() is None

    def _lose(self, seat: int, points: int) -> None:
        """Take a penalty; under `points_floor` 0 only what is there."""
        me = self._seats[seat]
        if self._rules["points_floor"] == "0":
            points = min(points, max(0, me.points))
        me.score(-points, "penalty_points")

    # ---- phase 7 (sections 6 and 9) ----

    def _end_round(self) -> Steps[None]:
        """Bailiff, provost, then every section that is due."""
        self._enter(7)
        self._bailiff += 2 if self._provost > self._bailiff else 1
        self._provost = self._bailiff
        while self._scored < len(self._castle) and self._is_due(self._scored):
            if self._rules["double_scoring_lines"] == "separate":
                self._enter(7)
            yield from self._score_section(self._scored)
            self._scored += 1

    def _is_due(self, section: int) -> bool:
        row = self._castle[section]
        return self._bailiff >= row.trigger or self._built(section) >= row.capacity

    def _score_section(self, section: int) -> Steps[None]:
        """Every player in turn order: penalty or favors."""
        row = self._castle[section]
        for seat in self._order:
            parts = self._seats[seat].parts[section]
            if parts == 0:
                self._lose(seat, -row.penalty)
            else:
                yield from self._favors(seat, row.favors(parts))


# ---- words and prices ----


def _shift_word(decision: str, shift: int) -> str:
    """The word of a provost's move: guild -1, guild 0, guild +1."""
    return f"{decision} {shift:+d}" if shift else f"{decision} 0"


def _plain_sets(count: int) -> list[tuple[str, ...]]:
    """All ways to take so many plain cubes."""
    return list(combinations_with_replacement(PLAIN, count))


def _discounted(tile: Tile, option: Option) -> dict[str, int]:
    """The fixed price of a tile, each discounted kind lower but not below 0 (section 7.6)."""
    discount = option.gains
    return {
        kind: max(0, count - discount.get(f"discount_{kind}", 0))
        for kind, count in tile.cost.items()
    }


# ---- rules and files ----


def _check_rules(players: int, rules: dict[str, Any]) -> None:
    """Refuse what section 2 does not list."""
    if not 2 <= players <= 5:
        raise ValueError(f"players={players}; allowed: 2 to 5")
    for key, values in ALLOWED.items():
        if rules.get(key) not in values:
            raise ValueError(f"{key}={rules.get(key)!r}; allowed: {values}")
    if not re.fullmatch(r"\d+;\d+", str(rules.get("two_player_start_deniers"))):
        raise ValueError("two_player_start_deniers; allowed: two numbers as in 5;6")


def _rows(rules: dict[str, Any], name: str) -> list[dict[str, str]]:
    """The given rows of a data file, or those of the file in the game's folder."""
    if rules.get(name) is not None:
        return list(rules[name])
    with (DATA / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _read_effect(text: str) -> list[Option]:
    """The options of an effect; none for those that are rules of their own (section 5)."""
    found = re.findall(r"(?:pay\(([^)]*)\)->)?(gain|build|transform|provost)\(([^)]*)\)", text)
    return [
        Option(_amounts(pays), verb, inner.split(",")[0], _amounts(inner))
        for pays, verb, inner in found
    ]


def _names_kinds(options: list[Option]) -> bool:
    """Whether an effect is an exchange of named kinds, like the tailor's or the bank's."""
    kinds = [kind for option in options for kind in (*option.pays, *option.gains)]
    pays = bool(options) and all(option.verb == "gain" and option.pays for option in options)
    return pays and not any(kind.startswith("any") for kind in kinds)


def _amounts(text: str) -> dict[str, int]:
    """Read "food=2,cloth=1"; parts without a number are left out."""
    pairs = [part.split("=") for part in text.split(",") if "=" in part]
    return {kind.strip(): int(count) for kind, count in pairs}


def _read_tiles(rules: dict[str, Any]) -> dict[str, Tile]:
    """The tiles by id, as the flags of section 2 leave them."""
    tiles = {}
    for row in _rows(rules, "buildings"):
        number, points, effect = int(row["tile_no"]), int(row["points"]), row["worker_effect"]
        if number != JEWELLER and row["in_default_game"] == "0":
            continue
        if number == CHURCH and rules["church_points"] != 3:
            points = rules["church_points"]
        if number == LAWYER and rules["lawyer_points"] != 4:
            points = rules["lawyer_points"]
        options = _read_effect(effect)
        if number == TAILOR and rules["tailor_rates"] != "2:4;3:6" and _names_kinds(options):
            options = [*_read_effect("pay(cloth=1)->gain(points=2)"), *options[1:]]
        owner_point = re.search(r"point=(\d+)", row["owner_effect"])
        tiles[row["id"]] = Tile(
            no=number,
            id=row["id"],
            kind=row["kind"],
            cost={kind: int(row[f"cost_{kind}"]) for kind in GOODS},
            cost_any=int(row["cost_any"]),
            points=points,
            favors=int(row["favors"]),
            income=int(row["income"]),
            effect=options,
            owner_point=int(owner_point[1]) if owner_point else 0,
            owner_cube=_read_effect(row["owner_effect"]),
        )
    return tiles


def _read_favors(rules: dict[str, Any]) -> dict[tuple[str, int], list[Option]]:
    """The effects of the favor table by line and column (section 8)."""
    rows = _rows(rules, "favors")
    names = dict(zip("abcd", LINES, strict=True))
    return {(names[row["line"]], int(row["column"])): _read_effect(row["effect"]) for row in rows}


def _read_castle(rules: dict[str, Any]) -> list[Section]:
    """The sections in their order (section 9)."""
    rows = sorted(_rows(rules, "castle"), key=lambda row: int(row["order"]))
    return [
        Section(
            capacity=int(row["capacity"]),
            points=int(row["points_per_part"]),
            trigger=int(row["trigger_road_pos"]),
            penalty=int(row["penalty_if_none"]),
            thresholds=[_pair(text) for text in row["favors_by_min_parts"].split(";") if text],
        )
        for row in rows
    ]


def _pair(text: str) -> tuple[int, int]:
    """Read "3:2"."""
    left, right = text.split(":")
    return int(left), int(right)


def _read_setup(rules: dict[str, Any], players: int) -> list[Seat]:
    """What every rank starts with (section 3); two_player_start_deniers overrides (section 2)."""
    rows = [row for row in _rows(rules, "setup") if int(row["players"]) == players]
    rows.sort(key=lambda row: int(row["rank"]))
    seats = [
        Seat({kind: int(row[kind]) for kind in GOODS}, int(row["workers"]), int(row["points"]))
        for row in rows
    ]
    if players == 2:
        for seat, deniers in zip(seats, rules["two_player_start_deniers"].split(";"), strict=True):
            seat.goods["deniers"] = int(deniers)
    return seats
