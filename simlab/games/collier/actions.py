"""The numbered actions of Le Collier de la Reine and their words.

Each of the eleven kinds of decision has codes of its own, from 0 on (RULES.md section 13). An
action is a code after the codes of all kinds before it: `FIRST[decision] + code`. Opponents are
named by their seat, market cards by their place, cards by their kind: a row of the card file.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from simlab.errors import one_of

SEATS, PLACES = 4, 5
TYPES = ("diamond", "emerald", "ruby", "amber")
PAIRS = tuple(combinations(range(4), 2))
KINDS = 32  # room for kinds of card; the last one stands for a kind that a box does not have
ABSENT = KINDS - 1
MOST_GEMS, MOST_OTHERS = 40, 12  # copies of one kind of gem card, of any other
SIZES_OF_GEMS = 5  # gems on one card at most

# Kinds of decision.
(
    INFLUENCE, MUSKETEERS, FORGER_DISCARD, PURCHASE, CARDINAL, SHOW, RING, BANKER, KING, NECKLACE,
    ALCHEMIST,
) = range(1, 12)  # fmt: skip
DECISIONS = (
    "none", "influence", "musketeers", "forger_discard", "purchase", "cardinal", "show", "ring",
    "banker", "king", "necklace", "alchemist",
)  # fmt: skip
SECRET = ("show", "ring", "banker", "king", "necklace")
SIZES = (
    0, 40, 2, KINDS, 1 + 2 * PLACES, 2, MOST_GEMS + 1, MOST_OTHERS + 1, MOST_OTHERS + 1, 5, 5,
    1 + 4 * SIZES_OF_GEMS * 3,
)  # fmt: skip
FIRST = tuple(sum(SIZES[:decision]) for decision in range(len(SIZES) + 1))
ACTIONS = FIRST[-1]

# Influence: nothing more; a seat, a type, a pair of types or 4 x seat + type is added.
STOP = FIRST[INFLUENCE]
PLAY_CONFESSOR = STOP + 1
PLAY_COURTESAN = PLAY_CONFESSOR + SEATS
PLAY_FAVORITE = PLAY_COURTESAN + 1
PLAY_SWAP = PLAY_FAVORITE + len(TYPES)  # favorite_mode=swap_any
PLAY_FORGER = PLAY_SWAP + len(PAIRS)
PLAY_FORGER_ANY = PLAY_FORGER + 4 * SEATS  # forger_mode=any_card
PLAY_THIEF = PLAY_FORGER_ANY + SEATS
ALLOW = FIRST[MUSKETEERS]
PLAY_MUSKETEERS = ALLOW + 1
DISCARD = FIRST[FORGER_DISCARD]  # a kind of card is added
ENOUGH = FIRST[PURCHASE]
BUY = ENOUGH + 1  # a place of the market is added
TAKE = BUY + PLACES  # with the Queen
NO_DELAY = FIRST[CARDINAL]
PLAY_CARDINAL = NO_DELAY + 1
SHOW_CARDS = FIRST[SHOW]  # how many cards is added
LAY_RINGS = FIRST[RING]
LAY_BANKERS = FIRST[BANKER]
NO_KING = FIRST[KING]
LAY_KING = NO_KING + 1  # a type is added
NO_NECKLACE = FIRST[NECKLACE]
LAY_NECKLACE = NO_NECKLACE + 1
NO_ALCHEMY = FIRST[ALCHEMIST]
PLAY_ALCHEMIST = NO_ALCHEMY + 1  # see `alchemy`

BARRED_CARDS = 0  # word of me.barred: kinds that may not be bought or taken
DECLINES = {INFLUENCE, MUSKETEERS, PURCHASE, CARDINAL, SHOW, RING, BANKER, KING, NECKLACE}
DECLINES |= {ALCHEMIST}  # their code 0 stays free where the whole kind is barred


def alchemy(gem: int, size: int, other: int) -> int:
    """Return the action that turns a shown card of `size` gems of one type into another type."""
    index = [into for into in range(4) if into != gem].index(other)
    return PLAY_ALCHEMIST + (gem * SIZES_OF_GEMS + size - 1) * 3 + index


def playable(rows: Any) -> list[dict[str, str]]:
    """Return the rows of cards that players can hold: kinds, by number."""
    return [row for row in rows if row["category"] in ("gem", "accessory", "character")]


def kind_ids(book: Any) -> list[str]:
    """Return the id of each kind of card, by number."""
    return [row["id"] for row in playable(book.rows["cards"])]


def card_ids(book: Any) -> list[str]:
    """Return the id of each card of the deck, by its number: copies side by side."""
    rows = playable(book.rows["cards"])
    return [row["id"] for row in rows for _ in range(int(row["copies"]))]


def action_words(book: Any) -> list[str]:
    """Return the word of every action by number; "" for codes that mean nothing here."""
    ids = kind_ids(book)
    swap = book.values["favorite_mode"] == "swap_any"
    any_card = book.values["forger_mode"] == "any_card"
    seats = range(SEATS)
    turned = [
        f"{gem} {size} {other}"
        for gem in TYPES
        for size in range(1, SIZES_OF_GEMS + 1)
        for other in TYPES
        if other != gem
    ]
    codes: dict[int, list[str]] = {
        INFLUENCE: [
            "influence stop",
            *(f"confessor {seat}" for seat in seats),
            "courtesan",
            *("" if swap else f"favorite {gem}" for gem in TYPES),
            *(f"favorite {TYPES[a]} {TYPES[b]}" if swap else "" for a, b in PAIRS),
            *("" if any_card else f"forger {seat} {gem}" for seat in seats for gem in TYPES),
            *(f"forger {seat}" if any_card else "" for seat in seats),
            *(f"thief {seat}" for seat in seats),
        ],
        MUSKETEERS: ["musketeers no", "musketeers play"],
        FORGER_DISCARD: [f"discard {card}" for card in ids] + [""] * (KINDS - len(ids)),
        PURCHASE: [
            "purchase stop",
            *(f"buy {place}" for place in range(PLACES)),
            *(f"queen {place}" for place in range(PLACES)),
        ],
        CARDINAL: ["cardinal no", "cardinal play"],
        SHOW: [f"show {n}" for n in range(MOST_GEMS + 1)],
        RING: [f"ring {n}" for n in range(MOST_OTHERS + 1)],
        BANKER: [f"banker {n}" for n in range(MOST_OTHERS + 1)],
        KING: ["king none", *(f"king {gem}" for gem in TYPES)],
        NECKLACE: ["necklace none", *(f"necklace {gem}" for gem in TYPES)],
        ALCHEMIST: ["alchemist pass", *(f"alchemist {what}" for what in turned)],
    }
    return [word for decision in range(1, len(SIZES)) for word in codes[decision]]


def decision_of(action: int) -> int:
    """Return the kind of decision that an action answers."""
    return max(decision for decision in range(1, len(SIZES)) if FIRST[decision] <= action)


def bar_bits(text: str, book: Any) -> list[tuple[int, int]]:
    """Return (word, bit) of `me.barred` for `kind=king`, `card=ring` or `action=show 0`.

    A kind is a kind of decision, whose code 0 stays free where it declines, or a card of the
    influence phase (`kind=thief`); a card that is barred is neither bought nor taken.
    """
    what, _, value = text.partition("=")
    words = book.actions
    if what == "kind":
        played = ("confessor", "courtesan", "favorite", "forger", "thief")
        if value in played:
            return [(INFLUENCE, code) for code in _codes(words, INFLUENCE, value)]
        if value == "queen":
            return [(PURCHASE, code) for code in _codes(words, PURCHASE, value)]
        if value not in DECISIONS[1:]:
            raise one_of("kind of action", value, [*DECISIONS[1:], *played, "queen"], "in collier")
        decision = DECISIONS.index(value)
        return [(decision, code) for code in range(decision in DECLINES, SIZES[decision])]
    if what == "card":
        ids = kind_ids(book)
        if value not in ids:
            raise one_of("card", value, ids, "in collier")
        return [(BARRED_CARDS, ids.index(value))]
    if what == "action":
        if not value or value not in words:
            raise one_of("action", value, [word for word in words if word], "in collier")
        decision = decision_of(words.index(value))
        return [(decision, words.index(value) - FIRST[decision])]
    raise one_of("bar", text, ["kind=king", "card=ring", "action=show 0"], "in collier")


def _codes(words: list[str], decision: int, first: str) -> list[int]:
    own = words[FIRST[decision] : FIRST[decision] + SIZES[decision]]
    return [code for code, word in enumerate(own) if word.split(" ")[0] == first]
