"""From what happens to the sentences of a replay, and from a table to a picture in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simlab.games.caylus import actions as a
from simlab.games.caylus.rules import bonus
from simlab.games.caylus.rules import records as r
from simlab.games.caylus.rules.board import price

PHASES = (
    "", "income", "placing workers", "special buildings", "the provost", "buildings on the road",
    "the castle", "end of the round",
)  # fmt: skip
TITLES = {
    "castle": "the castle",
    "gate": "the gate",
    "trading_post": "the trading post",
    "guild": "the merchants' guild",
    "joust": "the joust field",
    "stables": "the stables",
    "inn": "the inn",
}
ASKED = {
    a.PLACE: "which place, or pass?",
    a.GATE: "where does the worker at the gate go?",
    a.GUILD: "where does the guild move the provost?",
    a.JOUST: "pay for a favor at the joust field?",
    a.INN: "stay in the inn?",
    a.PROVOST: "pay to move the provost?",
    a.PRODUCE: "what is produced?",
    a.OWNER: "which cube does the owner take?",
    a.GIVE: "which cube is given?",
    a.TAKE: "which cubes are taken?",
    a.BUILD_WOOD: "which wood tile is built?",
    a.BUILD_STONE: "which stone tile is built?",
    a.TRANSFORM: "which tile becomes a residence?",
    a.BUILD_PRESTIGE: "which prestige tile is built?",
    a.EXCHANGE: "exchange at which rate?",
    a.ALCHEMY: "which cubes become gold?",
    a.DELIVER: "deliver a batch to the castle?",
    a.FAVOR: "which line of favors?",
    a.COLUMN: "which column of the line?",
}

CHOSEN = {
    a.JOUST: ("does not joust", "jousts"),
    a.INN: ("leaves the inn", "stays in the inn"),
    a.PRODUCE: ("produces the first", "produces the second"),
    a.OWNER: ("takes the owner's first cube", "takes the owner's second cube"),
    a.EXCHANGE: ("exchanges nothing", "takes the first rate", "takes the second rate"),
}
DECLINED = {
    a.GIVE: "sells nothing",
    a.TAKE: "buys nothing",
    a.BUILD_WOOD: "builds no wood tile",
    a.BUILD_STONE: "builds no stone tile",
    a.BUILD_PRESTIGE: "builds no prestige tile",
    a.TRANSFORM: "builds no residence",
    a.DELIVER: "delivers nothing more",
    a.COLUMN: "uses no column",
}


def tile_names(book: Any) -> list[str]:
    """Return the name of each tile by its number, as the file has it; without one, its id."""
    names = [tile.replace("_", " ") for tile in a.tile_ids(book)]
    for row in book.rows["buildings"]:
        if int(row["tile_no"]) < a.TILES and row.get("name_en"):
            names[int(row["tile_no"])] = row["name_en"].lower()
    return names


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if abs(number) == 1 else f"{number} {what}s"


def _good(number: int, kind: int) -> str:
    """Say how many of a kind: 0 to 4 cubes, 5 deniers, 6 points."""
    return (
        f"{number} {a.KINDS[kind]}" if kind < 5 else _count(number, ("denier", "point")[kind - 5])
    )


def _few(amounts: list[tuple[int, str]]) -> str:
    return ", ".join(f"{number} {what}" for number, what in amounts if number) or "nothing"


def _plain(word: int) -> list[tuple[int, str]]:
    return [((word >> (16 * place)) & 0xFFFF, kind) for place, kind in enumerate(a.PLAIN)]


class Words:
    """Speaks about one game under one rule book."""

    def __init__(self, book: Any) -> None:
        self.rules = book.record[0]
        self.names = tile_names(book)
        self.actions = book.actions

    def tile(self, number: int) -> str:
        """Name a tile."""
        return self.names[number]

    def space(self, table: Any, space: int) -> str:
        """Name a road space with what stands there."""
        return f"the {self.tile(int(table.tile[space]))}, space {space}"

    def stock(self, table: Any, seat: int) -> str:
        """Say what a seat has."""
        cubes = [(int(table.cubes[seat, place]), kind) for place, kind in enumerate(a.PLAIN)]
        held = _few([*cubes, (int(table.gold[seat]), "gold")])
        return (
            f"{_count(int(table.deniers[seat]), 'denier')}; {held}; "
            f"{_count(int(table.points[seat]), 'point')}"
        )

    def told(self, what: str, values: tuple[int, ...], table: Any) -> str:
        """Return the sentence for what the rules told."""
        special: dict[str, Callable[..., str]] = {
            "setup": self._setup,
            "round": self._round,
            "phase": self._phase,
            "order": self._order,
            "end": self._end,
        }
        if what in special:
            return special[what](table, *values)
        return self._of_seat(what, values, table)

    def _setup(self, table: Any) -> str:
        spaces = [s for s in range(1, int(self.rules.length) + 1) if self.rules.content[s] < 0]
        tiles = ", ".join(f"{self.tile(int(table.tile[s]))} on {s}" for s in spaces)
        return f"Neutral tiles: {tiles}. Bailiff and provost are on space {table.bailiff}."

    def _round(self, table: Any, number: int) -> str:
        return f"Round {number}. Bailiff and provost: space {table.bailiff}."

    def _phase(self, table: Any, number: int) -> str:
        text = f"Phase {number}: {PHASES[number]}."
        if number == r.PLACING:
            stocks = [f"seat {s}: {self.stock(table, s)}" for s in self._in_order(table)]
            return f"{text} After income, in turn order: {' | '.join(stocks)}."
        return text

    def _in_order(self, table: Any) -> list[int]:
        return [int(table.order[rank]) for rank in range(int(table.players))]

    def _order(self, table: Any) -> str:
        return f"Turn order: seats {', '.join(map(str, self._in_order(table)))}."

    def _end(self, table: Any) -> str:
        scores = []
        for seat in range(int(table.players)):
            extra = int(bonus(table, seat))  # type: ignore[no-untyped-call]
            total = int(table.points[seat]) + extra
            scores.append(f"seat {seat}: {table.points[seat]} + {extra} = {total}")
        return f"The end. Points and final bonus: {'; '.join(scores)}."

    def _of_seat(self, what: str, values: tuple[int, ...], table: Any) -> str:
        if what == "bailiff":
            return f"The bailiff goes to space {values[0]}, and the provost with him."
        if what == "section_closed":
            verb = "is" if values[0] == 1 else "are"
            return f"The {a.SECTIONS[values[0] - 1].title()} {verb} scored."
        seat, rest = values[0], values[1:]
        return f"Seat {seat} {self._verb(what, rest, table)}. It has {self.stock(table, seat)}."

    def _verb(self, what: str, rest: tuple[int, ...], table: Any) -> str:
        if what in ("owner_point", "activate", "delayed"):
            place = self.space(table, rest[0])
            return {
                "owner_point": f"scores 1 point: a rival's worker is on {place}",
                "activate": f"uses {place}",
                "delayed": f"will have a residence on {place} when the worker there has gone",
            }[what]
        if what in ("built", "settled"):
            tile, space = rest if what == "built" else (rest[1], rest[0])
            if what == "settled":
                return f"has a residence on space {space} in place of the {self.tile(tile)}"
            points = _count(int(self.rules.points[tile]), "point")
            return f"builds the {self.tile(tile)} on space {space} for {points}"
        if what == "paid":
            at = f" on {self.space(table, rest[1] - a.ROAD)}" if rest[1] > a.ROAD else ""
            return f"pays {_count(rest[0], 'denier')} for the worker{at}"
        if what == "section":
            section = a.SECTIONS[int(table.section)].title()
            return f"has {_count(rest[1], 'part')} in the {section}"
        if what == "part":
            section = a.SECTIONS[rest[0]]
            return f"builds part {rest[1]} of {int(self.rules.capacity[rest[0]])} of the {section}"
        if what == "favor":
            return self._favor(*rest)
        if what in ("jousted", "paid_residence"):
            rules = self.rules
            joust = (int(rules.joust_deniers), int(rules.joust_cloth))
            deniers, cloth = joust if what == "jousted" else rest
            paid = _few([(deniers, "denier" if deniers == 1 else "deniers"), (cloth, "cloth")])
            return f"pays {paid}"
        if what == "exchanged":
            return f"exchanges {self._rate(*rest)}"
        if what == "gain":
            return f"takes {_few([*_plain(rest[0]), (rest[1], 'gold')])}"
        number = rest[0] if rest else 0
        return {
            "lost": f"loses {_count(number, 'point')}",
            "traded": f"takes {_count(int(self.rules.trading_deniers), 'denier')}",
            "first_pass": "is the first to pass and takes 1 denier",
            "bribed": f"pays {_count(number, 'denier')} for that",
            "bought": f"pays {_count(number, 'denier')} for the cubes",
            "sold": f"sells a cube for {_count(number, 'denier')}",
            "inn": "moves to the right circle of the inn",
            "best_builder": "built most in the castle and has a favor",
            "favors_as_points": f"scores 3 points for each of {_count(number, 'favor')}",
            "favors_lost": f"loses {_count(number, 'favor')}: every line was used in this phase",
        }[what]

    def _rate(self, tile: int, rate: int) -> str:
        rules = self.rules
        sides = ((rules.price, rules.pays), (rules.gain, rules.gets))
        paid, got = (_good(int(n[tile, rate]), int(kind[tile, rate])) for n, kind in sides)
        return f"{paid} for {got}"

    def _favor(self, line: int, column: int) -> str:
        value = int(self.rules.favor_value[line, column])
        got = _good(value, (6, 5)[line]) if line < 2 else ""
        brings = f", which brings {got}" if got else ""
        return f"is on column {column} of the line of {a.LINES[line]} now{brings}"

    def decision(self, table: Any, me: Any) -> str:
        """Say what is asked and of whom."""
        asked = ASKED[int(table.decision)]
        if table.decision == a.PLACE:
            each = price(table, self.rules, int(me.seat))  # type: ignore[no-untyped-call]
            cost = _count(int(each), "denier")
            asked += f" A worker costs {cost}."
        return f"Seat {me.seat}: {asked} It has {self.stock(table, int(me.seat))}."

    def chosen(self, me: Any, action: int) -> str:
        """Say what was chosen."""
        decision = a.decision_of(action)
        code = action - a.FIRST[decision]
        who = f"Seat {me.seat}"
        word = self.actions[action]
        if decision in (a.PLACE, a.GATE):
            return f"{who} {self._going(decision, code, word)}."
        if decision in (a.GUILD, a.PROVOST):
            moved = {0: "leaves the provost where he is"}.get(
                code - 3, f"moves the provost {code - 3:+d}"
            )
            return f"{who} {moved}."
        if decision in CHOSEN:
            return f"{who} {CHOSEN[decision][code]}."
        if code == 0 and decision in DECLINED:
            return f"{who} {DECLINED[decision]}."
        return f"{who} {self._doing(decision, code, word.split(' ', 1)[1])}."

    def _doing(self, decision: int, code: int, what: str) -> str:
        if decision in (a.BUILD_WOOD, a.BUILD_STONE, a.BUILD_PRESTIGE):
            first = {a.BUILD_WOOD: a.WOOD, a.BUILD_STONE: a.STONE}.get(decision, a.PRESTIGE)
            return f"chooses the {self.tile(first + code)}"
        if decision == a.TRANSFORM:
            return f"chooses the tile on space {code} for a residence"
        if decision == a.FAVOR:
            return f"takes a favor on the line of {what}"
        if decision == a.COLUMN:
            return f"uses column {what}"
        cubes = ", ".join(what.split())
        verbs = {
            a.DELIVER: "delivers food,",
            a.TAKE: "chooses",
            a.ALCHEMY: "gives",
            a.GIVE: "gives",
        }
        return f"{verbs.get(decision, 'gives')} {cubes}"

    def _going(self, decision: int, code: int, word: str) -> str:
        if code == 0:
            return "passes" if decision == a.PLACE else "takes the worker at the gate back"
        place = word.split(" ", 1)[1]
        verb = "places a worker on" if decision == a.PLACE else "moves the worker at the gate to"
        return f"{verb} {TITLES.get(place, place)}"

    def position(self, table: Any, scores: list[int]) -> str:
        """Draw the table in a few lines."""
        rules = self.rules
        lines = [
            f"Round {table.rounds}, {PHASES[int(table.phase)]}; bailiff on space {table.bailiff}, "
            f"provost on {table.provost}; turn order {', '.join(map(str, self._in_order(table)))}"
        ]
        built = [
            f"{name} {table.built[n]} of {rules.capacity[n]}" + " (scored)" * int(table.section > n)
            for n, name in enumerate(a.SECTIONS)
        ]
        lines.append(f"  castle: {', '.join(built)}; queue: {self._queue(table)}")
        lines.append(f"  before the bridge: {self._specials(table)}")
        for space in range(1, int(rules.length) + 1):
            if table.tile[space] > 0:
                lines.append(f"  {space}: {self._on(table, space)}")
        for seat in range(int(table.players)):
            columns = ", ".join(
                f"{name} {table.marker[seat, line]}" for line, name in enumerate(a.LINES)
            )
            lines.append(
                f"  seat {seat}: score {scores[seat]} with the final bonus; "
                f"{self.stock(table, seat)}; {_count(int(table.workers[seat]), 'worker')} left; "
                f"favors: {columns}"
            )
        return "\n".join(lines)

    def _queue(self, table: Any) -> str:
        seats = [f"seat {table.queue[place]}" for place in range(int(table.queued))]
        return ", ".join(seats) or "nobody"

    def _specials(self, table: Any) -> str:
        names = {a.AT_GATE: "gate", a.AT_TRADING_POST: "trading post", a.AT_GUILD: "guild"}
        names[a.AT_JOUST] = "joust"
        there = [f"{n}: seat {table.special[c]}" for c, n in names.items() if table.special[c] >= 0]
        there += [
            f"stables {c}: seat {table.stables[c]}" for c in (1, 2, 3) if table.stables[c] >= 0
        ]
        sides = (("inn left", table.inn[0]), ("inn right", table.inn[1]))
        there += [f"{side}: seat {seat}" for side, seat in sides if seat >= 0]
        return ", ".join(there) or "nobody"

    def _on(self, table: Any, space: int) -> str:
        text = self.tile(int(table.tile[space]))
        if table.owner[space] >= 0:
            text += f" of seat {table.owner[space]}"
        if table.worker[space] >= 0:
            text += f", worker of seat {table.worker[space]}"
        if table.pending[space] >= 0:
            text += f", to become a residence of seat {table.pending[space]}"
        return text
