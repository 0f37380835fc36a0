"""What a box of Caylus may hold: the checks of the five data files, and their totals."""

from __future__ import annotations

import re

from simlab.core.game import Rows
from simlab.core.rows import place_of, whole
from simlab.errors import UserError, one_of, shown
from simlab.games.caylus import notation
from simlab.games.caylus.actions import (
    KINDS,
    LINES,
    PRESTIGE,
    RESIDENCE,
    SECTIONS,
    SPACES,
    STONE,
    TILES,
    WOOD,
)
from simlab.games.caylus.notation import Amounts, Step
from simlab.games.caylus.rules.records import SEATS

SPECIALS = ("gate", "trading_post", "merchants_guild", "joust_field", "stables", "inn")
TILE_KINDS = ("special", "fixed", "neutral", "wood", "stone", "residential", "prestige")
COSTS = tuple(f"cost_{kind}" for kind in KINDS)
TILE_COLUMNS = (
    "tile_no", "id", "kind", *COSTS, "cost_any", "cost_deniers", "points", "favors", "income",
    "worker_effect",
    "owner_effect", "in_default_game",
)  # fmt: skip
ROAD_COLUMNS = ("road_pos", "zone", "start_content", "buildable", "marker")
FAVOR_COLUMNS = ("line", "column", "unlocked_after", "effect")
CASTLE_COLUMNS = (
    "section", "order", "capacity", "points_per_part", "trigger_road_pos", "penalty_if_none",
    "favors_by_min_parts",
)  # fmt: skip
SETUP_COLUMNS = ("players", "rank", "deniers", *KINDS, "workers", "points")
OPENING = {"start": 0, "dungeon_scored": 1, "walls_scored": 2}
MARKERS = ("", "bailiff_and_provost_start", *(f"{section}_trigger" for section in SECTIONS))
SPANS = {  # tile numbers of each kind
    "fixed": (1, 9),
    "neutral": (1, 9),
    "wood": (WOOD + 1, STONE),
    "stone": (STONE + 1, RESIDENCE - 1),
    "residential": (RESIDENCE, RESIDENCE),
    "prestige": (PRESTIGE + 1, TILES - 1),
    "special": (101, 106),
}


def _one_of(row: dict[str, str], column: str, place: str, words: tuple[str, ...]) -> str:
    if row[column] not in words:
        raise one_of(column, row[column], words, f"in {place_of(row, place)}")
    return row[column]


# -- tiles


def check_buildings(rows: Rows, place: str) -> None:
    """Raise UserError for the first row that is no tile of Caylus."""
    ids: set[str] = set()
    numbers: set[int] = set()
    for row in rows:
        where = place_of(row, place)
        low, high = SPANS[_one_of(row, "kind", place, TILE_KINDS)]
        tile = whole(row, "tile_no", where, low, high)
        if tile in numbers or row["id"] in ids:
            raise UserError(f"{where}: the tile {shown(row['id'])} ({tile}) is given twice.")
        _check_id(row, where)
        numbers.add(tile)
        ids.add(row["id"])
        for column in (*COSTS, "points"):
            whole(row, column, where, 0, notation.MOST * (5 if column == "points" else 1))
        whole(row, "cost_any", where, 0, 1)
        whole(row, "favors", where, 0, 0 if row["kind"] == "residential" else 4)
        whole(row, "cost_deniers", where, 0, 1 if row["kind"] == "residential" else 0)
        optional = row["kind"] in ("wood", "stone", "prestige")
        whole(row, "in_default_game", where, 0 if optional else 1, 1)
        earns = row["kind"] in ("residential", "prestige")
        whole(row, "income", where, 0, notation.MOST if earns else 0)
        effect_of(row, where)
        owner_of(row, where)
    missing = [name for name in SPECIALS if name not in ids]
    if missing or RESIDENCE not in numbers:
        what = missing[0] if missing else f"the residence, tile {RESIDENCE}"
        raise UserError(f"{place} has no {what}; every box needs the specials and a residence.")


def _check_id(row: dict[str, str], where: str) -> None:
    """Raise UserError unless a tile's id can be one: a word of its own, of its kind."""
    name = row["id"]
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", name or ""):
        raise UserError(
            f"{where}: id is '{shown(name)}'; it takes up to 40 small letters, digits and '_'."
        )
    if name in ("none", *SECTIONS, *LINES, "guild", "bridge"):
        raise UserError(f"{where}: id is '{name}', which is a word of the game for something else.")
    if (name in SPECIALS) != (row["kind"] == "special"):
        raise UserError(
            f"{where}: id is '{name}' and kind is '{row['kind']}'; the special buildings, and they "
            f"alone, are {', '.join(SPECIALS)}."
        )


def effect_of(row: dict[str, str], where: str) -> list[Step]:
    """Return the ways of a tile's effect; UserError if no tile can do that for a worker."""
    if row["kind"] in ("residential", "prestige"):
        return []
    steps = notation.read(_special_words(row), where)
    text = shown(row["worker_effect"])
    if row["kind"] == "special":
        _special(row, steps, where)
    elif kind_of(steps) is None:
        raise UserError(
            f"{where}: the effect '{text}' is none that a tile can have; RULES.md section 5 lists "
            "production, market, peddler, exchange, alchemist, build and transform."
        )
    return steps


def _special_words(row: dict[str, str]) -> str:
    return "none" if row["id"] in ("gate", "stables", "inn") else row["worker_effect"] or ""


def kind_of(steps: list[Step]) -> str | None:
    """Return what kind of effect these ways are, or None if no tile has such a one."""
    if not steps:
        return "none"
    if notation.products(steps):
        return "produces"
    first = steps[0]
    if first.verb in ("build", "transform") and first.gives:
        return None  # no tile makes others cheaper
    if first.verb == "build" and len(steps) == 1 and not first.pays:
        return f"builds_{first.first}" if first.first in ("wood", "stone", "prestige") else None
    if first.verb == "transform" and len(steps) == 1 and first.first == "residence":
        return "lawyer" if set(first.pays) <= {"deniers", "cloth"} else None
    rates = notation.rates(steps)
    if rates is None:
        return None
    pays = [(kind, count) for kind, count, _, _ in rates]
    gets = [(kind, count) for _, _, kind, count in rates]
    if pays == [("any5", 1)] and gets[0][0] == "deniers":
        return "market"
    if all(kind == "any4" for kind, _ in gets):
        counts = [count for _, count in gets]
        bought = {kind for kind, _ in pays} == {"deniers"} and counts in ([1], [2], [1, 2])
        return "peddler" if bought else None
    if all(kind == "any4" for kind, _ in pays):
        counts = [count for _, count in pays]
        golden = all(kind == "gold" for kind, _ in gets) and counts in ([2], [2, 4])
        return "alchemist" if golden else None
    plain = all(kind in (*KINDS, "deniers") for kind, _ in pays)
    return (
        "exchanges" if plain and all(k in ("points", "gold", "deniers") for k, _ in gets) else None
    )


def _special(row: dict[str, str], steps: list[Step], where: str) -> None:
    name, text = row["id"], shown(row["worker_effect"])
    right = {
        "trading_post": "gain(deniers=3)",
        "merchants_guild": "provost(-3..3,free)",
        "joust_field": "pay(deniers=1,cloth=1)->gain(favor=1)",
    }.get(name)
    if right is None:
        return
    step = steps[0] if len(steps) == 1 else Step({}, "", {})
    fits = {
        "trading_post": step.verb == "gain" and set(step.gives) == {"deniers"} and not step.pays,
        "merchants_guild": step.verb == "provost" and reach_of(step) > 0,
        "joust_field": step.verb == "gain"
        and set(step.gives) == {"favor"}
        and set(step.pays) <= {"deniers", "cloth"},
    }[name]
    if not fits:
        raise UserError(f"{where}: the effect of {name} is '{text}'; it takes such as {right}.")


def reach_of(step: Step) -> int:
    """Return how far the guild moves the provost, 1 to 3; 0 if that cannot be read."""
    found = re.fullmatch(r"-([1-3])\.\.([1-3])", step.first)
    return int(found[1]) if found and found[1] == found[2] else 0


def owner_of(row: dict[str, str], where: str) -> list[Amounts]:
    """Return the owner's cubes of a stone tile, one amount for each choice; [] without any."""
    if row["kind"] not in ("wood", "stone"):
        return []
    point, sign, text = (row["owner_effect"] or "").partition("on activation by another player")
    if point.strip(" ;") != "point=1 on placement":
        raise UserError(
            f"{where}: the owner's effect is '{shown(row['owner_effect'])}'; it begins with "
            "'point=1 on placement', which every wood and stone tile has."
        )
    if not sign:
        return []
    found = notation.products(notation.read(text, where))
    if found is None:
        raise UserError(
            f"{where}: the owner's effect is '{shown(text.strip())}'; it takes cubes, such as "
            "gain(food=1)|gain(cloth=1)."
        )
    return found


def building_totals(rows: Rows) -> dict[str, int | float]:
    """Return counts and sums of a file of tiles (section 17, S6)."""
    found: dict[str, int | float] = {}
    for kind in TILE_KINDS:
        found[f"{kind} tiles"] = sum(row["kind"] == kind for row in rows)
    for kind in ("wood", "stone", "prestige"):
        own = [row for row in rows if row["kind"] == kind and row["in_default_game"] == "1"]
        found[f"points of {kind} tiles"] = sum(int(row["points"]) for row in own)
        found[f"favors of {kind} tiles"] = sum(int(row["favors"]) for row in own)
        for column in COSTS:
            cost = f"{column.removeprefix('cost_')} cost of {kind} tiles"
            found[cost] = sum(int(row[column]) for row in own)
    return found


# -- road, favors, castle, setup


def check_road(rows: Rows, place: str) -> None:
    """Raise UserError unless the rows are a road: spaces 1 on, and one start of the bailiff."""
    for row in rows:
        _one_of(row, "zone", place, ("road", "special"))
        _one_of(row, "marker", place, MARKERS)
    spaces = [row for row in rows if row["zone"] == "road"]
    for expected, row in enumerate(spaces, start=1):
        where = place_of(row, place)
        if whole(row, "road_pos", where, 1, SPACES) != expected:
            raise UserError(
                f"{where}: road_pos is {row['road_pos']}; the spaces of the road go from 1 on, and "
                f"this is number {expected}."
            )
        if whole(row, "buildable", where, 0, 1) != (row["start_content"] == "empty"):
            raise UserError(
                f"{where}: buildable is {row['buildable']} and start_content is "
                f"'{shown(row['start_content'])}'; tiles are built on empty spaces, and only there."
            )
        if not re.fullmatch(r"[a-z][a-z0-9_]*", row["start_content"] or ""):
            raise UserError(
                f"{where}: start_content is '{shown(row['start_content'])}'; it takes empty, "
                "neutral_tile or the id of a printed tile."
            )
    starts = [row for row in spaces if row["marker"] == "bailiff_and_provost_start"]
    if len(starts) != 1:
        raise UserError(
            f"{place} has {len(starts)} spaces with the marker bailiff_and_provost_start; it takes "
            "exactly one."
        )


def road_totals(rows: Rows) -> dict[str, int | float]:
    """Return counts of a road file."""
    spaces = [row for row in rows if row["zone"] == "road"]
    found: dict[str, int | float] = {"spaces": len(spaces)}
    for content in ("neutral_tile", "empty"):
        found[f"spaces with {content}"] = sum(row["start_content"] == content for row in spaces)
    return found


def check_favors(rows: Rows, place: str) -> None:
    """Raise UserError unless the rows are the four lines of the favor table, five columns each."""
    opened: dict[int, str] = {}
    found: set[tuple[str, int]] = set()
    for row in rows:
        where = place_of(row, place)
        line = _one_of(row, "line", place, tuple("abcd"))
        column = whole(row, "column", where, 1, 5)
        when = _one_of(row, "unlocked_after", place, tuple(OPENING))
        if (line, column) in found:
            raise UserError(f"{where}: column {column} of line {line} is given twice.")
        if opened.setdefault(column, when) != when:
            raise UserError(
                f"{where}: column {column} opens after '{when}', in another line after "
                f"'{opened[column]}'; a column opens for all lines at once."
            )
        found.add((line, column))
        favor_of(row, where)
    missing = [f"{x}{c}" for x in "abcd" for c in range(1, 6) if (x, c) not in found]
    if missing:
        raise UserError(
            f"{place} has no row for {missing[0]}; it takes lines a to d, columns 1 to 5."
        )
    moments = [OPENING[opened[column]] for column in range(1, 6)]
    if moments != sorted(moments) or moments[0] != 0:
        raise UserError(f"{place}: columns open from left to right, column 1 at the start.")


def favor_of(row: dict[str, str], where: str) -> tuple[str, list[Step]]:
    """Return the kind of effect of a column and its ways; UserError if the line has no such."""
    steps = notation.read(row["effect"] or "", where)
    line = row["line"]
    kind = _favor_kind(line, steps)
    if kind is None:
        right = {
            "a": "gain(points=3)",
            "b": "gain(deniers=3)",
            "c": "gain(wood=1)|gain(stone=1) or pay(any5=1)->gain(any4=2)",
            "d": "none, build(wood,discount_wood=1) or pay(cloth=1)->transform(residence)",
        }[line]
        raise UserError(
            f"{where}: the effect of {LINES['abcd'.index(line)]} is '{shown(row['effect'])}'; it "
            f"takes such as {right}."
        )
    return kind, steps


def _favor_kind(line: str, steps: list[Step]) -> str | None:
    step = steps[0] if len(steps) == 1 else None
    if line in "ab":
        what = "points" if line == "a" else "deniers"
        fits = step and step.verb == "gain" and set(step.gives) == {what} and not step.pays
        return what if fits else None
    if line == "c":
        if notation.products(steps):
            return "produces"
        swap = (
            step and step.verb == "gain" and (step.pays, step.gives) == ({"any5": 1}, {"any4": 2})
        )
        return "swaps" if swap else None
    if any(s.verb == "transform" and s.gives for s in steps):
        return None
    kind = kind_of([Step(s.pays, s.verb, {}, s.first) for s in steps])
    if kind == "lawyer" and step is not None and "deniers" in step.pays:
        return None
    return kind if kind in ("none", "lawyer") or (kind or "").startswith("builds_") else None


def check_castle(rows: Rows, place: str) -> None:
    """Raise UserError unless the rows are Dungeon, Walls and Towers, further and further away."""
    names = [row["section"] for row in rows]
    if names != list(SECTIONS):
        raise UserError(
            f"{place} has the sections {shown(', '.join(map(str, names)))}; it takes "
            f"{', '.join(SECTIONS)}, in this order."
        )
    triggers = []
    for row in rows:
        where = place_of(row, place)
        whole(row, "capacity", where, 1, 30)
        whole(row, "points_per_part", where, 0, notation.MOST)
        whole(row, "penalty_if_none", where, -notation.MOST, 0)
        triggers.append(whole(row, "trigger_road_pos", where, 1, SPACES))
        section_favors(row, where)
    if triggers != sorted(set(triggers)):
        raise UserError(f"{place}: trigger_road_pos must grow from section to section.")


def section_favors(row: dict[str, str], where: str) -> dict[int, int]:
    """Return favors by the least number of parts they need."""
    found: dict[int, int] = {}
    for part in filter(None, (row["favors_by_min_parts"] or "").split(";")):
        parts, _, favors = part.partition(":")
        read = re.fullmatch(r"[1-9][0-9]?:[0-9]", part) and int(parts) > max(found, default=0)
        if not read:
            raise UserError(
                f"{where}: favors_by_min_parts is '{shown(row['favors_by_min_parts'])}'; it takes "
                "such as 2:1;3:2;5:3 (parts: favors), more and more parts."
            )
        found[int(parts)] = int(favors)
    return found


def check_setup(rows: Rows, place: str) -> None:
    """Raise UserError unless the rows have every rank of 2 to 5 players once."""
    found: set[tuple[int, int]] = set()
    for row in rows:
        where = place_of(row, place)
        players = whole(row, "players", where, 2, SEATS)
        rank = whole(row, "rank", where, 1, players)
        if (players, rank) in found:
            raise UserError(f"{where}: rank {rank} of {players} players is given twice.")
        found.add((players, rank))
        for column in ("deniers", *KINDS):
            whole(row, column, where, 0, 200)
        whole(row, "workers", where, 1, 20)
        whole(row, "points", where, 0, 200)
    wanted = {(players, rank) for players in range(2, SEATS + 1) for rank in range(1, players + 1)}
    if found != wanted:
        players, rank = min(wanted - found)
        raise UserError(f"{place} has no row for rank {rank} of {players} players.")


def favor_totals(rows: Rows) -> dict[str, int | float]:
    """Return points and deniers of the favor table, and how many columns build."""
    steps = [(row["line"], step) for row in rows for step in notation.read(row["effect"] or "", "")]
    found: dict[str, int | float] = {}
    for what in ("points", "deniers"):
        found[f"{what} of all columns"] = sum(step.gives.get(what, 0) for _, step in steps)
    cubes = [sum(step.gives.get(k, 0) for k in KINDS) for line, step in steps if line == "c"]
    found["cubes named on the line of resources"] = sum(cubes)
    found["columns that build"] = sum(step.verb in ("build", "transform") for _, step in steps)
    return found


def castle_totals(rows: Rows) -> dict[str, int | float]:
    """Return parts and points of the castle (section 17, S4)."""
    found: dict[str, int | float] = {"parts": sum(int(row["capacity"]) for row in rows)}
    found["points of all parts"] = sum(
        int(row["capacity"]) * int(row["points_per_part"]) for row in rows
    )
    found["favors of a player at most"] = sum(
        max(section_favors(row, "").values(), default=0) for row in rows
    )
    found["points lost without a part"] = -sum(int(row["penalty_if_none"]) for row in rows)
    return found


def setup_totals(rows: Rows) -> dict[str, int | float]:
    """Return deniers and cubes at the start, by number of players (section 17, S9)."""
    found: dict[str, int | float] = {}
    for players in range(2, SEATS + 1):
        own = [row for row in rows if int(row["players"]) == players]
        found[f"deniers of {players} players"] = sum(int(row["deniers"]) for row in own)
        found[f"cubes of {players} players"] = sum(int(row[k]) for row in own for k in KINDS)
    return found
