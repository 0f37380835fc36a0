"""The numbered actions of Caylus and their words.

Each of the nineteen kinds of decision has codes of its own, from 0 on (RULES.md section 15.3). An
action is a code after the codes of all kinds before it: `FIRST[decision] + code`.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

from simlab.errors import one_of

KINDS = ("food", "wood", "stone", "cloth", "gold")
PLAIN = KINDS[:4]
SECTIONS = ("dungeon", "walls", "towers")
LINES = ("prestige", "deniers", "resources", "buildings")
SPACES = 28  # of the road
PLACES = (
    "castle", "gate", "trading_post", "guild", "joust", "stables", "inn",
    *(f"road {space}" for space in range(1, SPACES + 1)),
)  # fmt: skip
BATCHES = ((1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4))  # two kinds beside food
PAIRS = tuple(combinations_with_replacement(range(4), 2))
QUADRUPLES = tuple(combinations_with_replacement(range(4), 4))
TILES = 38  # numbers of tiles are below
WOOD, STONE, PRESTIGE = 9, 17, 28  # code 1 of a decision to build is the tile after these numbers
RESIDENCE = 28  # number of the tile
# What events speak of: tiles by number, then sections, favor lines, the ways to move the provost.
SECTION_NAMES, LINE_NAMES, GUILD_NAME, BRIDGE_NAME = TILES, TILES + 3, TILES + 7, TILES + 8

# Kinds of decision, D1 to D19.
(
    PLACE, GATE, GUILD, JOUST, INN, PROVOST, PRODUCE, OWNER, GIVE, TAKE,
    BUILD_WOOD, BUILD_STONE, TRANSFORM, BUILD_PRESTIGE, EXCHANGE, ALCHEMY, DELIVER, FAVOR, COLUMN,
) = range(1, 20)  # fmt: skip
DECISIONS = (
    "none", "place", "gate", "guild", "joust", "inn", "provost", "produce", "owner", "give", "take",
    "wood", "stone", "residence", "prestige", "exchange", "alchemy", "castle", "favor", "column",
)  # fmt: skip
SIZES = (0, 36, 36, 7, 2, 2, 7, 2, 2, 6, 15, 9, 11, 29, 10, 3, 45, 7, 4, 6)
FIRST = tuple(sum(SIZES[:decision]) for decision in range(len(SIZES) + 1))
ACTIONS = FIRST[-1]

# Codes of D1 and D2.
PASS, AT_CASTLE, AT_GATE, AT_TRADING_POST, AT_GUILD, AT_JOUST, AT_STABLES, AT_INN = range(8)
ROAD = AT_INN  # code of road space s: ROAD + s
# The first action of each kind of decision; a code is added to it.
(
    TO_PLACE, TO_GATE, TO_GUILD, TO_JOUST, TO_INN, TO_PROVOST, TO_PRODUCE, TO_OWNER, TO_GIVE,
    TO_TAKE, TO_WOOD, TO_STONE, TO_RESIDENCE, TO_PRESTIGE, TO_EXCHANGE, TO_ALCHEMY, TO_CASTLE,
    TO_FAVOR, TO_COLUMN,
) = FIRST[1:-1]  # fmt: skip
# Codes that decline, by decision: what a bar on a whole kind leaves.
DECLINES = {PLACE, GATE, JOUST, INN, GIVE, TAKE, BUILD_WOOD, BUILD_STONE, TRANSFORM, BUILD_PRESTIGE}
DECLINES |= {EXCHANGE, DELIVER, COLUMN}


def action_words(book: Any) -> list[str]:
    """Return the word of every action by number; "" for codes that mean nothing here."""
    ids = tile_ids(book)
    shifts = [f"{shift:+d}" if shift else "0" for shift in range(-3, 4)]
    takes = [PLAIN[kind] for kind in range(4)] + [_kinds(pair) for pair in PAIRS]
    codes: dict[int, list[str]] = {
        PLACE: ["pass", *(f"place {place}" for place in PLACES)],
        GATE: ["gate return", *("" if p == "gate" else f"gate {p}" for p in PLACES)],
        GUILD: [f"guild {shift}" for shift in shifts],
        JOUST: ["joust no", "joust pay"],
        INN: ["inn leave", "inn keep"],
        PROVOST: [f"provost {shift}" for shift in shifts],
        PRODUCE: ["produce first", "produce second"],
        OWNER: ["owner first", "owner second"],
        GIVE: ["give nothing", *(f"give {kind}" for kind in KINDS)],
        TAKE: ["take nothing", *(f"take {kinds}" for kinds in takes)],
        BUILD_WOOD: ["wood none", *_building("wood", ids[WOOD + 1 : STONE + 1])],
        BUILD_STONE: ["stone none", *_building("stone", ids[STONE + 1 : RESIDENCE])],
        TRANSFORM: ["residence none", *(f"residence road {s}" for s in range(1, SPACES + 1))],
        BUILD_PRESTIGE: ["prestige none", *_building("prestige", ids[PRESTIGE + 1 : TILES])],
        EXCHANGE: ["exchange nothing", "exchange first", "exchange second"],
        ALCHEMY: [f"alchemy {_kinds(cubes)}" for cubes in (*PAIRS, *QUADRUPLES)],
        DELIVER: ["castle stop", *(f"castle {_kinds(batch)}" for batch in BATCHES)],
        FAVOR: [f"favor {line}" for line in LINES],
        COLUMN: ["column none", *(f"column {column}" for column in range(1, 6))],
    }
    return [word for decision in range(1, len(SIZES)) for word in codes[decision]]


def _kinds(numbers: tuple[int, ...]) -> str:
    return " ".join(KINDS[number] for number in numbers)


def _building(kind: str, ids: list[str]) -> list[str]:
    return [f"{kind} {tile}" if tile else "" for tile in ids]


def tile_ids(book: Any) -> list[str]:
    """Return the id of each tile by its number, 0 to TILES - 1; "" where there is none."""
    ids = [""] * TILES
    for row in book.rows["buildings"]:
        if int(row["tile_no"]) < TILES:
            ids[int(row["tile_no"])] = row["id"]
    return ids


def event_names(book: Any) -> list[str]:
    """Return the words events speak of: tiles, then sections, favor lines, ways of the provost."""
    return [*tile_ids(book), *SECTIONS, *LINES, "guild", "bridge"]


def decision_of(action: int) -> int:
    """Return the kind of decision that an action answers."""
    return max(decision for decision in range(1, len(SIZES)) if FIRST[decision] <= action)


def bar_bits(text: str, book: Any) -> list[tuple[int, int]]:
    """Return (word, bit) of `me.barred` for `kind=stone`, `tile=statue` or `action=place inn`.

    A kind is a kind of decision; its code to decline, where it has one, stays free.
    """
    what, _, value = text.partition("=")
    if what == "kind":
        if value not in DECISIONS[1:]:
            raise one_of("kind of action", value, DECISIONS[1:], "in caylus")
        decision = DECISIONS.index(value)
        return [(decision, code) for code in range(decision in DECLINES, SIZES[decision])]
    words = book.actions
    if what == "tile":
        made = {w.split()[1]: n for n, w in enumerate(words) if _builds(w, n)}
        if value not in made:
            raise one_of("tile", value, made, "to be built in caylus")
        return [_bit(made[value])]
    if what == "action":
        if not value or value not in words:
            raise one_of("action", value, [word for word in words if word], "in caylus")
        return [_bit(words.index(value))]
    raise one_of("bar", text, ["kind=stone", "tile=statue", "action=place inn"], "in caylus")


def _bit(action: int) -> tuple[int, int]:
    decision = decision_of(action)
    return decision, action - FIRST[decision]


def _builds(word: str, action: int) -> bool:
    building = decision_of(action) in (BUILD_WOOD, BUILD_STONE, BUILD_PRESTIGE)
    return building and word != "" and not word.endswith(" none")
