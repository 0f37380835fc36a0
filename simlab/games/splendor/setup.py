"""From rule values, card and noble rows to the RULES record: where the rules are declared."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from simlab.core.game import Key, Rows, RuleBook, Values
from simlab.core.records import make
from simlab.core.rows import place_of, whole
from simlab.errors import UserError, shown
from simlab.games.splendor import rules as r
from simlab.games.splendor.actions import CARDS, COLOURS, DOUBLE, TAKEN, TILES, level_of

KEYS = (
    Key(
        "tie_break",
        "fewest_cards",
        "who wins among equal points: fewest bought cards, or all of them",
        ("fewest_cards", "shared"),
    ),
    Key(
        "take_different",
        "up_to_available",
        "tokens of different colours: three, or one of each where fewer are left; three or "
        "nothing; one to three at will",
        ("up_to_available", "exactly_three", "one_to_three"),
    ),
    Key(
        "payment",
        "auto_min_gold",
        "own coloured tokens before gold, or the payer's choice token by token",
        ("auto_min_gold", "free_choice"),
    ),
    Key(
        "no_move",
        "forced_pass",
        "who has no main action passes, or the game ends there",
        ("forced_pass", "abort"),
    ),
    Key(
        "reserved_memory",
        "perfect",
        "whether strategies see which cards others reserved from the market",
        ("perfect", "hidden"),
    ),
    Key("target", 15, "points that begin the last round", low=1, high=100),
    Key("max_turns", 200, "turns of each player after which a game is truncated", low=1, high=500),
)
RULE_SETS: dict[str, dict[str, Any]] = {
    "standard": {},
    "official": {"payment": "free_choice"},
    "literal": {"tie_break": "shared", "take_different": "exactly_three"},
}
RULE_SET_NOTES = {
    "standard": "the specification, and the publisher's rule where it is silent",
    "official": "the publisher's rulebook: gold may replace a token that the payer owns",
    "literal": "the specification's words and nothing else: no tie-break, three different or none",
}
TOKENS = {2: 4, 3: 5, 4: 7}
GOLD_TOKENS = 5
COSTS = tuple(f"cost_{colour}" for colour in COLOURS)
REQUIRES = tuple(f"req_{colour}" for colour in COLOURS)
CARD_COLUMNS = ("card_id", "level", "bonus", "points", *COSTS)
NOBLE_COLUMNS = ("noble_id", "points", *REQUIRES)
MOST_CARDS = 60  # of one level


def seats(rule_set: str, values: Values) -> tuple[int, int]:
    """Return the smallest and largest number of players."""
    return 2, r.SEATS


def check_cards(rows: Rows, place: str) -> None:
    """Raise UserError for the first row that no deck of Splendor can hold."""
    ids: set[str] = set()
    levels = [0, 0, 0]
    for row in rows:
        where = place_of(row, place)
        _new_id(row, "card_id", where, ids)
        levels[whole(row, "level", where, 1, 3) - 1] += 1
        if row["bonus"] not in COLOURS:
            raise UserError(
                f"{where}: bonus is '{shown(row['bonus'])}'; it takes {', '.join(COLOURS)}."
            )
        whole(row, "points", where, 0, 20)
        for column in COSTS:
            whole(row, column, where, 0, 20)
    for level, count in enumerate(levels, start=1):
        if not 4 <= count <= MOST_CARDS:
            raise UserError(
                f"{place} has {count} cards of level {level}; a market needs 4 to {MOST_CARDS}."
            )
    if len(rows) > CARDS:
        raise UserError(f"{place} has {len(rows)} cards; at most {CARDS} are possible.")


def check_nobles(rows: Rows, place: str) -> None:
    """Raise UserError for the first row that is no noble."""
    ids: set[str] = set()
    for row in rows:
        where = place_of(row, place)
        _new_id(row, "noble_id", where, ids)
        whole(row, "points", where, 0, 20)
        if sum(whole(row, column, where, 0, 20) for column in REQUIRES) == 0:
            raise UserError(f"{where}: a noble wishes for at least one bonus.")
    if not 5 <= len(rows) <= TILES:
        raise UserError(f"{place} has {len(rows)} nobles; a game takes 5 to {TILES}.")


def _new_id(row: dict[str, str], column: str, where: str, ids: set[str]) -> None:
    if not re.fullmatch(r"[A-Za-z0-9][\w.-]{0,39}", row[column] or "", re.ASCII):
        raise UserError(
            f"{where}: {column} is '{shown(row[column])}'; it takes up to 40 letters (A to Z), "
            "digits, '.', '_' and '-'."
        )
    if row[column] in ("blind", *COLOURS, "gold"):
        raise UserError(f"{where}: {column} is '{row[column]}', which is a word of the actions.")
    if row[column] in ids:
        raise UserError(f"{where}: the {column} '{shown(row[column])}' is given twice.")
    ids.add(row[column])


def card_totals(rows: Rows) -> dict[str, int | float]:
    """Return counts and sums of a card file, for `simlab check` (section 12 of the rules page)."""
    found: dict[str, int | float] = {}
    for level in "123":
        own = [row for row in rows if int(row["level"]) == int(level)]
        found[f"cards of level {level}"] = len(own)
        for colour in COLOURS:
            found[f"{colour} bonuses of level {level}"] = sum(row["bonus"] == colour for row in own)
        found[f"points of level {level}"] = sum(int(row["points"]) for row in own)
        for colour, column in zip(COLOURS, COSTS, strict=True):
            found[f"{colour} cost of level {level}"] = sum(int(row[column]) for row in own)
    return found


def noble_totals(rows: Rows) -> dict[str, int | float]:
    """Return counts and sums of a noble file."""
    found: dict[str, int | float] = {"nobles": len(rows)}
    found["points of nobles"] = sum(int(row["points"]) for row in rows)
    for colour, column in zip(COLOURS, REQUIRES, strict=True):
        found[f"{colour} bonuses wished for"] = sum(int(row[column]) for row in rows)
    return found


def takes_from(colours: set[int], take_different: str) -> list[int]:
    """Return the actions that take different colours out of those that the bank has."""
    sizes = {
        "up_to_available": {min(3, len(colours))},
        "exactly_three": {3},
        "one_to_three": {1, 2, 3},
    }[take_different]
    return [
        action
        for action, taken in enumerate(TAKEN[:DOUBLE])
        if len(taken) in sizes and set(taken) <= colours
    ]


def make_rules(values: Values, data: Mapping[str, Rows]) -> Any:
    """Return an array of one RULES record for these values, cards and nobles."""
    made = make(r.RULES)
    book = made[0]
    cards, nobles = sorted(data["cards"], key=level_of), data["nobles"]
    book.cards, book.tiles = len(cards), len(nobles)
    for card, row in enumerate(cards):
        book.level[card] = int(row["level"]) - 1
        book.bonus[card] = COLOURS.index(row["bonus"])
        book.points[card] = int(row["points"])
        for colour, column in enumerate(COSTS):
            book.cost[card, colour] = int(row[column])
    for tile, row in enumerate(nobles):
        book.noble_points[tile] = int(row["points"])
        for colour, column in enumerate(REQUIRES):
            book.requires[tile, colour] = int(row[column])
    book.fewest_bonuses = min(sum(int(row[column]) for column in REQUIRES) for row in nobles)
    for level in range(r.LEVELS + 1):
        book.first[level] = sum(int(row["level"]) <= level for row in cards)
    for players, tokens in TOKENS.items():
        book.tokens[players] = tokens
    book.gold = GOLD_TOKENS
    for action, colours in enumerate(TAKEN):
        book.take_word[action] = sum(1 << (8 * colour) for colour in colours)
    for mask in range(32):
        takes = takes_from({c for c in range(5) if mask >> c & 1}, values["take_different"])
        book.take_count[mask] = len(takes)
        book.takes[mask, : len(takes)] = takes
    for key in KEYS:
        value = values[key.name]
        setattr(book, key.name, key.values.index(value) if key.values else value)
    return made


def score_range(book: RuleBook, players: int) -> tuple[float, float]:
    """Return the least and largest score: a point short, then the best card and the best noble."""
    card = max(int(row["points"]) for row in book.rows["cards"])
    noble = max(int(row["points"]) for row in book.rows["nobles"])
    return 0.0, float(book.values["target"] - 1 + card + noble)
