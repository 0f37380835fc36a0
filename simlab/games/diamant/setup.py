"""From rule values and card rows to the RULES record: the one place where rules are declared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from simlab.core.game import Key, Rows, RuleBook, Values
from simlab.core.records import make
from simlab.core.rows import place_of, whole
from simlab.errors import UserError, shown
from simlab.games.diamant import rules as r

KEYS = (
    Key(
        "relic_entry", "all", "which relics are in the deck", ("all", "one_per_expedition", "none")
    ),
    Key(
        "relic_value",
        "by_order",
        "what a relic pays: 5, 5, 5, 10, 10 by order of recovery, or the value printed on it",
        ("by_order", "printed"),
    ),
    Key(
        "relic_unclaimed",
        "removed",
        "what becomes of a relic that was turned up and not taken when the expedition ends",
        ("removed", "returned"),
    ),
    Key(
        "trap_removal",
        "all_revealed",
        "traps that leave the game: every one turned up, the second of an accident, both, or none",
        ("all_revealed", "trigger", "pair", "none"),
    ),
    Key(
        "leftover_split",
        "pooled",
        "how leavers share leftovers: all of the path together, or card by card",
        ("pooled", "per_card"),
    ),
    Key("tie_break", "shared", "who wins among equal chests", ("shared", "most_relics")),
    Key(
        "observation",
        "perfect_recall",
        "whether strategies see the chests of the others",
        ("perfect_recall", "no_chest_memory"),
    ),
    Key("expeditions", 5, "expeditions in a game", low=1, high=r.EXPEDITIONS),
    Key("explorers", 1, "explorers of each player; 2 for two players only", low=1, high=2),
)

_INCAN: dict[str, Any] = {
    "relic_entry": "one_per_expedition",
    "trap_removal": "trigger",
    "tie_break": "most_relics",
}
_WITHOUT_RELICS: dict[str, Any] = {"relic_entry": "none", "trap_removal": "trigger"}
RULE_SETS: dict[str, dict[str, Any]] = {
    "standard": {},
    "official": {"trap_removal": "trigger"},
    "incan_gold": _INCAN,
    "incan_gold_2020": _INCAN | {"relic_value": "printed"},
    "schmidt_2005": _WITHOUT_RELICS,
    "tag": _WITHOUT_RELICS,
    "bga": _INCAN,
    "iello_pair": {"trap_removal": "pair"},
}
RULE_SET_NOTES = {
    "standard": "the specification: every trap turned up leaves the game",
    "official": "Iello 2016 rulebook: only the second trap of an accident leaves the game",
    "incan_gold": "Incan Gold 2006: a relic enters each expedition",
    "incan_gold_2020": "Incan Gold 2020: printed relic values 5, 7, 8, 10, 12",
    "schmidt_2005": "Schmidt 2005: no relics",
    "tag": "the deck of the TAG framework: treasures 1-5, 7, 9-17, no relics, 2 to 8 players",
    "bga": "Incan Gold as on Board Game Arena: without the treasure 17",
    "iello_pair": "Iello as one review reads it: both traps of an accident leave the game",
}
CARDS_OF = {"iello_pair": "official"}
# Places of the printed box. A rule set without some cards leaves their places empty, so that the
# cards it shares with another rule set come in the same order on the same deal (section 2).
RELIC_VALUES = (5, 7, 8, 10, 12)
MOST_RELIC = 12
BOX = {"treasure": 15, "trap": 15, "relic": 5}
COLUMNS = ("id", "category", "subtype", "value", "copies")
PLAYED = tuple(BOX)


def seats(rule_set: str, values: Values) -> tuple[int, int]:
    """Return the smallest and largest number of players under these rules."""
    if values["explorers"] == 2:
        return 2, 2
    return (2 if rule_set == "tag" else 3), 8


def check_cards(rows: Rows, place: str) -> None:
    """Raise UserError for the first row that no deck of Diamant can hold."""
    if not rows:
        raise UserError(f"{place} holds no card of this rule set.")
    counts = dict.fromkeys(PLAYED, 0)
    types: set[str] = set()
    ids: set[str] = set()
    for row in rows:
        kind = row["category"]
        if kind == "token":
            continue
        where = place_of(row, place)
        if kind not in PLAYED:
            raise UserError(f"{where}: category '{shown(kind)}'; it takes {', '.join(PLAYED)}.")
        if not row["id"]:
            raise UserError(f"{where}: the card has no id.")
        if row["id"] in ids:
            raise UserError(f"{where}: the id '{shown(row['id'])}' is given twice.")
        ids.add(row["id"])
        counts[kind] += whole(row, "copies", where, 1, r.CARDS)
        if kind == "treasure":
            whole(row, "value", where, 0, 1000)
        elif kind == "trap":
            if not row["subtype"]:
                raise UserError(f"{where}: a trap needs its type in the column 'subtype'.")
            types.add(row["subtype"])
        if kind != "treasure" and row["value"]:
            whole(row, "value", where, 0, 1000)
    if counts["treasure"] == 0:
        raise UserError(f"{place} holds no treasure; a deck needs at least one.")
    if len(types) > r.TYPES:
        raise UserError(f"{place} has {len(types)} trap types; at most {r.TYPES} are possible.")
    box = sum(max(counts[kind], BOX[kind]) for kind in PLAYED)
    if box > r.CARDS:
        raise UserError(
            f"{place} holds {sum(counts.values())} cards; the box takes {r.CARDS} (at least "
            "15 places for treasures, 15 for traps, 5 for relics)."
        )


def card_totals(rows: Rows) -> dict[str, int | float]:
    """Return what the cards of one rule set add up to: cards of each kind, and gems on them."""
    found: Counter[str] = Counter()
    for row in rows:
        kind, copies, value = row["category"], int(row["copies"]), int(row["value"] or 0)
        if kind == "treasure":
            found.update({"treasures": copies, "gems on treasures": copies * value})
        elif kind == "trap":
            found.update({"traps": copies, f"traps of type {row['subtype']}": copies})
        elif kind == "relic":
            found.update({"relics": copies, "gems printed on relics": copies * value})
    return dict(found)


def box(rows: Rows) -> list[tuple[str, str, str, int]]:
    """Return (category, id, trap type, value) of each place of the box; "" for an empty place."""
    places: list[tuple[str, str, str, int]] = []
    for kind in PLAYED:
        cards = [row for row in rows if row["category"] == kind]
        if kind == "trap":
            types = [row["subtype"] for row in cards]
            cards = sorted(cards, key=lambda row: types.index(row["subtype"]))
        held = [
            (kind, row["id"], row["subtype"], int((row["value"] or "0").strip() or 0))
            for row in cards
            for _ in range(int(row["copies"]))
        ]
        places += held + [("", "", "", 0)] * (BOX[kind] - len(held))
    return places


def _printed(places: list[tuple[str, str, str, int]]) -> dict[int, int]:
    """Return the printed value of each relic's place; those without one follow 5, 7, 8, 10, 12."""
    relics = [card for card, place in enumerate(places) if place[0] == "relic"]
    if len(relics) > len(RELIC_VALUES) and any(places[card][3] == 0 for card in relics):
        raise UserError(
            f"relic_value=printed with {len(relics)} relics needs a value for each of them in the "
            "card file."
        )
    return {card: places[card][3] or RELIC_VALUES[i] for i, card in enumerate(relics)}


def make_rules(values: Values, data: Mapping[str, Rows]) -> Any:
    """Return an array of one RULES record for these values and cards."""
    rows = data["cards"]
    made = make(r.RULES)
    book = made[0]
    places = box(rows)
    types = list(dict.fromkeys(place[2] for place in places if place[0] == "trap"))
    numbers = {"treasure": r.TREASURE, "trap": r.TRAP, "relic": r.RELIC, "": r.ABSENT}
    for card, (kind, _, subtype, value) in enumerate(places):
        book.kind[card] = numbers[kind]
        book.value[card] = value
        if kind == "trap":
            book.type[card] = types.index(subtype)
            book.copies[types.index(subtype)] += 1
            book.type_mask[types.index(subtype)] |= 1 << card
            book.trap_mask |= 1 << card
        if kind == "":
            book.absent |= 1 << card
        if kind == "relic":
            book.relic_mask |= 1 << card
    if values["relic_value"] == "printed":
        for card, value in _printed(places).items():
            book.value[card] = value
    for inside in range(1, r.EXPLORERS + 1):
        book.share[inside] = book.value // inside
    kinds = [place[0] for place in places]
    book.cards, book.types = len(places), len(types)
    book.treasures = max(i for i, kind in enumerate(kinds) if kind == "treasure") + 1
    book.relics = kinds.count("relic")
    book.first_relic = kinds.index("relic") if book.relics else 0
    book.in_deck = kinds.count("treasure") + kinds.count("trap")
    book.expeditions = values["expeditions"]
    book.shift = values["explorers"] - 1
    for key in KEYS:
        if key.values:
            setattr(book, key.name, key.values.index(values[key.name]))
    return made


def score_range(book: RuleBook, players: int) -> tuple[float, float]:
    """Return the least and largest score: no gem, and every gem and relic of all expeditions."""
    totals = card_totals(book.rows["cards"])
    relics = [row for row in book.rows["cards"] if row["category"] == "relic"]
    most = sum(int(row["copies"]) * max(int(row["value"] or 0), MOST_RELIC) for row in relics)
    return 0.0, float(book.values["expeditions"] * totals["gems on treasures"] + most)
