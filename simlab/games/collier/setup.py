"""From rule values and card rows to the RULES record: where the rules are declared."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from simlab.core.game import Key, Rows, RuleBook, Values
from simlab.core.records import make
from simlab.core.rows import place_of, whole
from simlab.errors import UserError, shown
from simlab.games.collier.actions import (
    ABSENT,
    MOST_GEMS,
    MOST_OTHERS,
    SEATS,
    SIZES_OF_GEMS,
    TYPES,
    playable,
)
from simlab.games.collier.rules import records as r

TRUE_FALSE = ("false", "true")
BOUNTY_MOST = 1000


class Limit(Key):
    """A rule that is a whole number or "none"."""

    def read(self, given: object) -> Any:
        """Return the number, or "none"; UserError for anything else."""
        if given is None or str(given).strip() == "none":
            return "none"
        if not re.fullmatch(r"\s*[0-9]{1,6}\s*", str(given)) or int(str(given)) > self.high:
            raise UserError(
                f"{self.name} is '{shown(given)}'; it takes none, or a whole number from "
                f"{self.low} to {self.high}."
            )
        return int(str(given))

    def allowed(self) -> str:
        """Say which values there are."""
        return f"none, or {self.low} to {self.high}"


KEYS = (
    Key(
        "merchant_placement",
        "uniform_third",
        "where the merchants go: each somewhere in its third, the last among the last five cards; "
        "or exactly after the first and second third",
        ("uniform_third", "exact_third"),
    ),
    Key("courtesan_bonus", 3, "ducats of a Courtesan", high=10),
    Limit("courtesan_max", 3, "Courtesans a turn", high=20),
    Key("min_purchase", 1, "cards that must be bought in a turn, if they can be paid", high=5),
    Key(
        "majority_tie",
        "all_tied_score",
        "who sells a type of which several show most: all of them, or nobody",
        ("all_tied_score", "nobody"),
    ),
    Key(
        "ring_stack",
        "double_each",
        "what several rings do: each doubles the price, or each adds it once more",
        ("double_each", "additive"),
    ),
    Key(
        "banker_before_ring",
        "true",
        "true: bankers count before rings multiply; false: after",
        TRUE_FALSE,
    ),
    Key(
        "necklace_bounty",
        0,
        "points for the owner of the Necklace if another's King lies under it",
        high=BOUNTY_MOST,
    ),
    Key("king_limit", 1, "Kings of a player in a sale", high=10),
    Key(
        "favorite_mode",
        "to_top",
        "the Favorite: a type goes to +30, or one place up, or two types change places",
        ("to_top", "up_one", "swap_any"),
    ),
    Key(
        "forger_mode",
        "named_type",
        "the Forger: the victim discards a gem card of a named type, or any card, of own choice",
        ("named_type", "any_card"),
    ),
    Key(
        "musketeers_mode",
        "cancel",
        "the Musketeers: cancel a Thief or Forger; do it and take a card at random; or work when a "
        "Thief draws them",
        ("cancel", "riposte", "drawn"),
    ),
    Key(
        "queen_mode",
        "free_card",
        "the Queen: takes a card of the market for nothing, or is never played",
        ("free_card", "blank"),
    ),
    Key("astrologer_draw", 2, "cards that an Astrologer draws", high=10),
)
_OFFICIAL: dict[str, Any] = {
    "merchant_placement": "exact_third",
    "courtesan_max": "none",
    "ring_stack": "additive",
    "necklace_bounty": 50,
}
RULE_SETS: dict[str, dict[str, Any]] = {
    "standard": {},
    "official": _OFFICIAL,
    "cmon": dict(_OFFICIAL),
}
RULE_SET_NOTES = {
    "standard": "the specification, and the best reading of the printed rules where it is silent",
    "official": "the best reading of the printed rules of 2003",
    "cmon": "the reprint of 2016: as official, its own mix of cards not being known",
}
COLUMNS = (
    "id", "category", "gem_type", "gem_count", "copies", "price_1", "price_2", "price_3", "price_4",
)  # fmt: skip
PRICES = ("price_1", "price_2", "price_3", "price_4")
CATEGORIES = ("gem", "accessory", "character", "merchant", "non_play")
ROLES = {
    "confessor": r.CONFESSOR, "courtesan": r.COURTESAN, "favorite": r.FAVORITE,
    "forger": r.FORGER, "thief": r.THIEF, "queen": r.QUEEN, "cardinal": r.CARDINAL,
    "musketeers": r.MUSKETEERS, "alchemist": r.ALCHEMIST, "astrologer": r.ASTROLOGER,
    "ring": r.RING, "queens_necklace": r.NECKLACE, "king": r.KING, "banker": r.BANKER,
}  # fmt: skip
ACCESSORIES = ("ring", "queens_necklace")
CHARACTERS = tuple(name for name in ROLES if name not in ACCESSORIES)
MOST_GEM_ROWS = 16
FEWEST_CARDS = 60
DEAREST = 99


def seats(rule_set: str, values: Values) -> tuple[int, int]:
    """Return the smallest and largest number of players."""
    return 2, SEATS


def check_cards(rows: Rows, place: str) -> None:
    """Raise UserError for the first row that no deck of this game can hold."""
    ids: set[str] = set()
    for row in rows:
        where = place_of(row, place)
        if row["category"] not in CATEGORIES:
            raise UserError(
                f"{where}: category is '{shown(row['category'])}'; it takes "
                f"{', '.join(CATEGORIES)}."
            )
        if not re.fullmatch(r"[A-Za-z0-9][\w.-]{0,39}", row["id"] or "", re.ASCII):
            raise UserError(
                f"{where}: id is '{shown(row['id'])}'; it takes up to 40 letters (A to Z), "
                "digits, '.', '_' and '-'."
            )
        if row["id"] in ids:
            raise UserError(f"{where}: the id '{shown(row['id'])}' is given twice.")
        ids.add(row["id"])
        _check_row(row, where)
    _check_numbers(rows, place)


def _check_row(row: dict[str, str], where: str) -> None:
    category = row["category"]
    if category == "gem":
        if row["gem_type"] not in TYPES:
            raise UserError(
                f"{where}: gem_type is '{shown(row['gem_type'])}'; it takes {', '.join(TYPES)}."
            )
        whole(row, "gem_count", where, 1, SIZES_OF_GEMS)
        if row["id"] in ROLES or row["id"] == "merchant":
            raise UserError(f"{where}: '{row['id']}' is the name of another card; call it not so.")
    elif category in ("accessory", "character"):
        known = ACCESSORIES if category == "accessory" else CHARACTERS
        if row["id"] not in known:
            raise UserError(
                f"{where}: the {category} '{shown(row['id'])}' is not known; it takes "
                f"{', '.join(known)}."
            )
    most = MOST_GEMS if category in ("gem", "non_play") else MOST_OTHERS
    whole(row, "copies", where, 0, 1 if row["id"] == "queens_necklace" else most)
    if category in ("gem", "accessory", "character"):
        prices = [whole(row, column, where, 0, DEAREST) for column in PRICES]
        if any(b >= a for a, b in pairwise(prices)):
            raise UserError(
                f"{where}: the prices {', '.join(map(str, prices))} do not fall; each of the four "
                "must be lower than the one before."
            )


def _check_numbers(rows: Rows, place: str) -> None:
    gems = [row for row in rows if row["category"] == "gem"]
    if not 1 <= len(gems) <= MOST_GEM_ROWS:
        raise UserError(f"{place} has {len(gems)} rows of gems; it takes 1 to {MOST_GEM_ROWS}.")
    merchants = _copies(row for row in rows if row["category"] == "merchant")
    if merchants != r.SALES:
        raise UserError(f"{place} has {merchants} merchants; a game has {r.SALES}, one a sale.")
    cards = _copies(playable(rows))
    if not FEWEST_CARDS <= cards <= r.CARDS:
        raise UserError(
            f"{place} has {cards} cards to be shuffled, merchants apart; it takes {FEWEST_CARDS} "
            f"to {r.CARDS} (the printed game has 100)."
        )


def _copies(rows: Any) -> int:
    return sum(int(row["copies"]) for row in rows)


def card_totals(rows: Rows) -> dict[str, int | float]:
    """Return the counts that are known of the printed game, for `simlab check` (section 1).

    How gems and characters are split is reconstructed and therefore not compared.
    """
    by = {name: [row for row in rows if row["category"] == name] for name in CATEGORIES}
    named = {row["id"]: int(row["copies"]) for row in rows}
    ladders = {
        f"price {step} of {size} of a stone": 1
        for size, prices in STONES.items()
        for step, price in enumerate(prices, start=1)
        if any(_stone(row, size) and int(row[f"price_{step}"]) != price for row in by["gem"])
    }
    found: dict[str, int | float] = {
        "gem cards": _copies(by["gem"]),
        "rings": named.get("ring", 0),
        "Queen's Necklaces": named.get("queens_necklace", 0),
        "character cards": _copies(by["character"]),
        "Courtesans": named.get("courtesan", 0),
        "merchants": _copies(by["merchant"]),
        "shuffled cards": _copies(playable(rows)),
        "ambers of more than one gem": sum(
            row["gem_type"] == "amber" and int(row["gem_count"]) > 1 for row in by["gem"]
        ),
    }
    return found | {f"wrong {name}": count for name, count in ladders.items()}


STONES = {1: (6, 4, 2, 1), 2: (8, 6, 4, 2), 3: (10, 8, 6, 4)}


def _stone(row: dict[str, str], size: int) -> bool:
    return row["gem_type"] != "amber" and int(row["gem_count"]) == size


def make_rules(values: Values, data: Mapping[str, Rows]) -> Any:
    """Return an array of one RULES record for these values and cards."""
    made = make(r.RULES)
    book = made[0]
    for key in KEYS:
        value = values[key.name]
        if value == "none":
            value = r.NO_LIMIT
        setattr(book, key.name, key.values.index(value) if key.values else value)
    rows = playable(data["cards"])
    book.of_role[:] = ABSENT
    book.role[:] = r.GEM
    book.type[:] = -1
    book.kinds = len(rows)
    card = 0
    for kind, row in enumerate(rows):
        copies = int(row["copies"])
        book.copies[kind] = copies
        book.kind[card : card + copies] = kind
        card += copies
        book.price[kind] = [int(row[column]) for column in PRICES]
        if row["category"] == "gem":
            gem = TYPES.index(row["gem_type"])
            book.type[kind], book.gems[kind] = gem, int(row["gem_count"])
            book.of_type[gem] |= 1 << kind
            book.gem_kinds |= 1 << kind
        else:
            book.role[kind] = ROLES[row["id"]]
            book.of_role[ROLES[row["id"]]] = kind
    book.cards = card
    return made


def score_range(book: RuleBook, players: int) -> tuple[float, float]:
    """Return the least and largest score that rings, bankers and bounties allow in three sales."""
    rows = {row["id"]: int(row["copies"]) for row in book.rows["cards"]}
    rings, bankers = rows.get("ring", 0), rows.get("banker", 0)
    best = r.FASHION * 2 + r.BANKED * bankers
    times = 2**rings if book.values["ring_stack"] == "double_each" else 1 + rings
    # Base values are 60 at most and add up to 120 in a sale; rings and bankers are used once.
    return 0.0, float(best * times + 3 * 120 + 3 * int(book.values["necklace_bounty"]))
