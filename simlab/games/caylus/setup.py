"""From rule values and the rows of five files to the RULES record: where the rules are declared."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from simlab.core.game import Key, Rows, RuleBook, Values
from simlab.core.records import make
from simlab.errors import UserError, shown
from simlab.games.caylus import boxes, notation
from simlab.games.caylus.actions import KINDS, RESIDENCE
from simlab.games.caylus.notation import Step
from simlab.games.caylus.rules import records as r

LAWYER_TILE, CHURCH, TAILOR, JEWELLER = 16, 21, 22, 27
TAILOR_RATES = ("2:4;3:6", "1:2;3:6")


class Deniers(Key):
    """A rule that is two numbers: deniers of the first and of the second player."""

    def read(self, given: object) -> Any:
        """Return the two numbers in words, such as "5;6"; UserError where they are none."""
        found = re.fullmatch(r"\s*([0-9]{1,3})\s*;\s*([0-9]{1,3})\s*", str(given))
        if found is None or not all(int(n) <= 200 for n in found.groups()):
            raise UserError(
                f"{self.name} is '{shown(given)}'; it takes two numbers from 0 to 200, such as 5;6."
            )
        return f"{int(found[1])};{int(found[2])}"

    def allowed(self) -> str:
        """Say which values there are."""
        return "two numbers from 0 to 200, such as 5;6"


KEYS = (
    Key(
        "two_player_pass_cost",
        2,
        "two players: deniers of a worker once the rival has passed",
        low=2,
        high=3,
    ),
    Key(
        "two_player_turn_order",
        "stables",
        "two players: the stables change the turn order, or it alternates and they are closed",
        ("stables", "alternate"),
    ),
    Deniers(
        "two_player_start_deniers",
        "5;5",
        "two players: deniers at the start by rank, whatever the setup file says; any two numbers",
        ("5;5", "5;6"),
    ),
    Key(
        "points_floor",
        "none",
        "lowest score that a penalty can lead to",
        ("none", "0"),
    ),
    Key(
        "no_delivery_exempt_if_towers_full",
        0,
        "1: nothing is lost in the castle by who finds no section with room",
        high=1,
    ),
    Key(
        "owner_point_timing",
        "placement",
        "when the owner of a tile scores for a rival's worker",
        ("placement", "activation"),
    ),
    Key("favor_distinct_lines", 1, "1: favors of one phase go to different lines", high=1),
    Key("stables_capacity", 3, "workers in the stables, one a player", low=1, high=3),
    Key(
        "tie_break",
        "shared",
        "who wins among equal scores: all, the earlier in the last turn order, or who has more "
        "left over",
        ("shared", "turn_order", "leftover"),
    ),
    Key("jeweller", 0, "1: the jeweller, tile 27, is in the supply", high=1),
    Key("church_points", 3, "points of the church", low=3, high=4),
    Key("tailor_rates", TAILOR_RATES[0], "cloth and points of the tailor", TAILOR_RATES),
    Key("lawyer_points", 4, "points of the lawyer", low=3, high=4),
    Key("residence_tiles", 8, "residence tiles in the box, which are no limit", low=7, high=8),
    Key("favor_simplified", 0, "1: every favor is 3 points; the table is not used", high=1),
    Key(
        "gate_immediate",
        0,
        "1: a worker moved by the gate to trading post, guild, joust or road is resolved at once",
        high=1,
    ),
    Key(
        "stables_moment",
        "phase3",
        "when the new turn order counts",
        ("phase3", "round_end"),
    ),
    Key(
        "double_scoring_lines",
        "shared",
        "whether two sections scored in one phase share the memory of used lines",
        ("shared", "separate"),
    ),
    Key(
        "delayed_residence",
        "change",
        "when the points of a residence that waits are scored",
        ("change", "payment"),
    ),
    Key(
        "exempt_needs_batch",
        0,
        "1: full towers excuse only who could have paid a batch",
        high=1,
    ),
)
OFFICIAL: dict[str, Any] = {
    "two_player_pass_cost": 3,
    "two_player_turn_order": "alternate",
    "points_floor": "0",
    "no_delivery_exempt_if_towers_full": 1,
}
RULE_SETS: dict[str, dict[str, Any]] = {"standard": {}, "official": OFFICIAL}
RULE_SET_NOTES = {
    "standard": "the specification, and the publisher's rule where it is silent",
    "official": "the publisher's rulebook, second edition",
}
# Numbers that a rule sets only where it differs from the printed one; else the file's count.
PRINTED = {"church_points": 3, "lawyer_points": 4, "tailor_rates": TAILOR_RATES[0]}
EFFECTS = {
    "none": r.NO_EFFECT,
    "produces": r.PRODUCES,
    "market": r.MARKET,
    "peddler": r.PEDDLER,
    "exchanges": r.EXCHANGES,
    "alchemist": r.ALCHEMIST,
    "builds_wood": r.BUILDS_WOOD,
    "builds_stone": r.BUILDS_STONE,
    "builds_prestige": r.BUILDS_PRESTIGE,
    "lawyer": r.LAWYER,
    "swaps": r.SWAPS,
    "points": r.POINTS_FAVOR,
    "deniers": r.DENIERS_FAVOR,
}
TILE_KINDS = {
    "fixed": r.FIXED,
    "neutral": r.NEUTRAL,
    "wood": r.WOODEN,
    "stone": r.STONY,
    "residential": r.RESIDENTIAL,
    "prestige": r.BLUE,
}
PAID_IN = (*KINDS, "deniers", "points")


def seats(rule_set: str, values: Values) -> tuple[int, int]:
    """Return the smallest and largest number of players."""
    return 2, r.SEATS


def make_rules(values: Values, data: Mapping[str, Rows]) -> Any:
    """Return an array of one RULES record for these values and the rows of five files."""
    made = make(r.RULES)
    book = made[0]
    for key in KEYS:
        if key.name in list(r.RULES.names or ()):
            value = values[key.name]
            setattr(book, key.name, key.values.index(value) if key.values else value)
    for row in data["buildings"]:
        _tile(book, row, values)
    _favors(book, data["favors"])
    _prices(book, data)
    _road(book, data)
    _castle(book, data["castle"])
    _setup(book, data["setup"], values)
    return made


def _tile(book: Any, row: dict[str, str], values: Values) -> None:
    tile, where = int(row["tile_no"]), f"tile {row['tile_no']}"
    steps = boxes.effect_of(row, where)
    if row["kind"] == "special":
        _special(book, row["id"], steps)
        return
    book.kind[tile] = TILE_KINDS[row["kind"]]
    book.points[tile] = _points(tile, int(row["points"]), values)
    book.tile_favors[tile], book.tile_income[tile] = int(row["favors"]), int(row["income"])
    book.any_cubes[tile] = int(row["cost_any"])
    there = values["jeweller"] == 1 if tile == JEWELLER else row["in_default_game"] == "1"
    if row["kind"] in ("wood", "stone", "prestige") and there:
        book.supply |= 1 << tile
    kind = boxes.kind_of(steps) or "none"
    book.effect[tile] = EFFECTS[kind]
    _effect(book, tile, kind, steps)
    changed = values["tailor_rates"] != PRINTED["tailor_rates"]
    if tile == TAILOR and changed and kind == "exchanges":
        book.pays[tile, 0], book.price[tile, 0] = PAID_IN.index("cloth"), 1
        book.gets[tile, 0], book.gain[tile, 0] = PAID_IN.index("points"), 2
    owner = boxes.owner_of(row, where)
    book.owner_choices[tile] = len(owner)
    for way, amounts in enumerate(owner):
        book.owner_product[tile, way] = notation.word_of(amounts)
        book.owner_gold[tile, way] = amounts.get("gold", 0)


def _points(tile: int, points: int, values: Values) -> int:
    name = {LAWYER_TILE: "lawyer_points", CHURCH: "church_points"}.get(tile)
    if name is None or values[name] == PRINTED[name]:
        return points
    return int(values[name])


def _effect(book: Any, tile: int, kind: str, steps: list[Step]) -> None:
    book.choices[tile] = len(steps)
    if kind == "produces":
        for way, step in enumerate(steps):
            book.product[tile, way] = notation.word_of(step.gives)
            book.product_gold[tile, way] = step.gives.get("gold", 0)
    elif kind == "lawyer":
        book.price[tile, 0] = steps[0].pays.get("deniers", 0)
        book.price[tile, 1] = steps[0].pays.get("cloth", 0)
    elif kind == "peddler":
        book.price[tile] = -1
        for step in steps:
            book.price[tile, step.gives["any4"] - 1] = step.pays["deniers"]
    elif kind in ("market", "exchanges", "alchemist"):
        for rate, (pays, price, gets, gain) in enumerate(notation.rates(steps) or []):
            book.price[tile, rate], book.gain[tile, rate] = price, gain
            if kind == "exchanges":
                book.pays[tile, rate] = PAID_IN.index(pays)
                book.gets[tile, rate] = PAID_IN.index(gets)


def _special(book: Any, name: str, steps: list[Step]) -> None:
    if name == "trading_post":
        book.trading_deniers = steps[0].gives["deniers"]
    elif name == "merchants_guild":
        book.guild_reach = boxes.reach_of(steps[0])
    elif name == "joust_field":
        book.joust_deniers = steps[0].pays.get("deniers", 0)
        book.joust_cloth = steps[0].pays.get("cloth", 0)
        book.joust_favors = steps[0].gives["favor"]


def _prices(book: Any, data: Mapping[str, Rows]) -> None:
    """Fill the prices of tiles: the printed ones, and by column of the buildings line."""
    discounts: list[dict[str, int]] = [{} for _ in range(6)]
    for row in data["favors"]:
        if row["line"] == "d":
            steps = notation.read(row["effect"] or "", "")
            discounts[int(row["column"])] = steps[0].gives if steps else {}
    for row in data["buildings"]:
        if row["kind"] == "special":
            continue
        tile = int(row["tile_no"])
        for column, discount in enumerate(discounts):
            left = {k: max(int(row[f"cost_{k}"]) - discount.get(k, 0), 0) for k in KINDS}
            book.cost[column, tile] = notation.word_of(left)
            book.cost_gold[column, tile] = left["gold"]
            book.cost_cubes[column, tile] = sum(left.values()) + int(row["cost_any"])


def _favors(book: Any, rows: Rows) -> None:
    for row in rows:
        line, column = "abcd".index(row["line"]), int(row["column"])
        kind, steps = boxes.favor_of(row, "")
        book.favor_effect[line, column] = EFFECTS[kind]
        for sections in range(boxes.OPENING[row["unlocked_after"]], 4):
            book.open_columns[sections] = max(int(book.open_columns[sections]), column)
        if kind in ("points", "deniers"):
            book.favor_value[line, column] = steps[0].gives[kind]
        elif kind == "lawyer":
            book.favor_value[line, column] = steps[0].pays.get("cloth", 0)
        elif kind == "produces":
            book.favor_choices[line, column] = len(steps)
            for way, step in enumerate(steps):
                book.favor_product[line, column, way] = notation.word_of(step.gives)
                book.favor_gold[line, column, way] = step.gives.get("gold", 0)


def _road(book: Any, data: Mapping[str, Rows]) -> None:
    tiles = {row["id"]: row for row in data["buildings"]}
    spaces = [row for row in data["road"] if row["zone"] == "road"]
    neutrals = [int(row["tile_no"]) for row in data["buildings"] if row["kind"] == "neutral"]
    triggers = {row["trigger_road_pos"]: f"{row['section']}_trigger" for row in data["castle"]}
    book.length = len(spaces)
    for space, row in enumerate(spaces, start=1):
        content, marker = row["start_content"], row["marker"] or ""
        if content == "neutral_tile":
            book.content[space] = -1
        elif content != "empty":
            if content not in tiles or tiles[content]["kind"] != "fixed":
                raise UserError(
                    f"the road has '{shown(content)}' on space {space}; it takes empty, "
                    "neutral_tile or a printed tile of the buildings file."
                )
            book.content[space] = int(tiles[content]["tile_no"])
        if marker == "bailiff_and_provost_start":
            book.start = space
        wrong = triggers.get(str(space)) != marker if marker.endswith("_trigger") else False
        if wrong or (str(space) in triggers and triggers[str(space)] != marker):
            raise UserError(
                f"space {space} of the road has the marker '{shown(marker)}', the castle file says "
                f"'{triggers.get(str(space), 'none')}'; change both files alike."
            )
    places = int((book.content == -1).sum())
    if places != len(neutrals):
        raise UserError(
            f"the road has {places} spaces for neutral tiles, the buildings file {len(neutrals)} "
            "such tiles; there must be as many."
        )
    last = max(int(row["trigger_road_pos"]) for row in data["castle"])
    if last >= len(spaces) or int(book.start) >= last:
        raise UserError(
            f"the road has {len(spaces)} spaces and starts at {int(book.start)}; the last section "
            f"is due at {last}, which must lie between."
        )
    book.neutrals = len(neutrals)
    for place, tile in enumerate(neutrals):
        book.neutral_tile[place] = tile


def _castle(book: Any, rows: Rows) -> None:
    for section, row in enumerate(rows):
        book.capacity[section] = int(row["capacity"])
        book.part_points[section] = int(row["points_per_part"])
        book.trigger[section] = int(row["trigger_road_pos"])
        book.penalty[section] = -int(row["penalty_if_none"])
        by_parts = boxes.section_favors(row, "")
        for parts in range(r.PARTS):
            reached = [least for least in by_parts if least <= parts]
            book.section_favors[section, parts] = by_parts[max(reached)] if reached else 0


def _setup(book: Any, rows: Rows, values: Values) -> None:
    two = values["two_player_start_deniers"].split(";")
    for row in rows:
        players, rank = int(row["players"]), int(row["rank"])
        cubes = {kind: int(row[kind]) for kind in KINDS}
        deniers = int(two[rank - 1]) if players == 2 else int(row["deniers"])
        book.start_deniers[players, rank] = deniers
        book.start_cubes[players, rank] = notation.word_of(cubes)
        book.start_gold[players, rank] = cubes["gold"]
        book.start_workers[players, rank] = int(row["workers"])
        book.start_points[players, rank] = int(row["points"])


def score_range(book: RuleBook, players: int) -> tuple[float, float]:
    """Return bounds of the score: of the printed box, or of whatever an own one might bring."""
    rows, rules = book.rows, book.record[0]
    rounds = int(rules.trigger[2] - rules.start)
    lost = sum(-int(row["penalty_if_none"]) for row in rows["castle"]) + 2 * rounds
    castle = sum(int(row["capacity"]) * int(row["points_per_part"]) for row in rows["castle"])
    most = (
        castle
        + sum(int(p) for p in rules.points)
        + int(rules.length) * int(rules.points[RESIDENCE])
    )
    if any(path is not None for path in book.files.values()):
        each = 3 * (notation.MOST + 2 * notation.MOST_CUBES)  # of one tile or favor, all as gold
        uses = 2 * int(rules.length) + r.MOST_FAVORS  # as worker and as owner
        start = max(3 * sum(int(row[kind]) for kind in KINDS) for row in rows["setup"])
        most += int(rules.length) * int(rules.points.max())
        most += each * (uses + notation.MOST) * rounds + start + 400
    return -float(lost), 2.0 * most + 40.0 * rounds
