"""The numbered actions of Splendor and their words.

Cards and nobles have a number of their own among the actions, so an action means the same whatever
lies where: `buy L2-G3` is one action, from the market or from the hand.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from simlab.errors import one_of

COLOURS = ("white", "blue", "green", "red", "black")
GOLD = 5
TOKENS = (*COLOURS, "gold")
CARDS, TILES = 100, 20  # room for own card files

TRIPLES = list(combinations(range(5), 3))
PAIRS = list(combinations(range(5), 2))

TAKE3 = 0  # three different colours
TAKE2 = TAKE3 + len(TRIPLES)  # two different ones, where no more are there
TAKE1 = TAKE2 + len(PAIRS)  # one, where no other is there
DOUBLE = TAKE1 + 5  # two of one colour
BLIND = DOUBLE + 5  # reserve the top card of a level's deck
PASS = BLIND + 3
GIVE = PASS + 1  # return a token
PAY = GIVE + 6  # pay with a token (payment=free_choice)
VISIT = PAY + 6  # choose a noble
BUY = VISIT + TILES + 1  # a number unused before it, so that no card, -1, is no action
RESERVE = BUY + CARDS + 1
ACTIONS = RESERVE + CARDS

TAKEN = [*TRIPLES, *PAIRS, *((c,) for c in range(5)), *((c, c) for c in range(5))]
KINDS = ("take", "reserve", "buy")  # what can be barred, by bit of me.barred[0]
UNCHOSEN = ("pass", "return", "pay", "noble")  # a bar on them would leave nothing else
BAR_TAKE, BAR_RESERVE, BAR_BUY = 1, 2, 4


def action_words(book: Any) -> list[str]:
    """Return the word of every action by number; "" for cards and nobles that are not there."""
    cards, tiles = card_ids(book), noble_ids(book)
    words = ["take " + " ".join(COLOURS[c] for c in colours) for colours in TAKEN]
    words += [f"reserve blind {level}" for level in (1, 2, 3)]
    words += ["pass"]
    words += [f"return {token}" for token in TOKENS]
    words += [f"pay {token}" for token in TOKENS]
    words += _numbered("noble", tiles, TILES + 1)
    words += _numbered("buy", cards, CARDS + 1)
    words += _numbered("reserve", cards, CARDS)
    return words


def _numbered(verb: str, ids: list[str], room: int) -> list[str]:
    return [f"{verb} {thing}" for thing in ids] + [""] * (room - len(ids))


def card_ids(book: Any) -> list[str]:
    """Return the id of each card, by number: level 1 first, else as in the file."""
    return [row["card_id"] for row in sorted(book.rows["cards"], key=level_of)]


def level_of(row: dict[str, str]) -> int:
    """Return the level of a card's row."""
    return int(row["level"])


def noble_ids(book: Any) -> list[str]:
    """Return the id of each noble, by number."""
    return [row["noble_id"] for row in book.rows["nobles"]]


def event_names(book: Any) -> list[str]:
    """Return the ids that events speak of: card numbers, then CARDS + noble numbers."""
    cards, tiles = card_ids(book), noble_ids(book)
    return [*cards, *[""] * (CARDS - len(cards)), *tiles]


def bar_bits(text: str, book: Any) -> list[tuple[int, int]]:
    """Return (word, bit) of `me.barred` for `kind=reserve` or `card=L3-W2`."""
    what, _, value = text.partition("=")
    if what == "kind":
        if value in UNCHOSEN:
            return []
        if value not in KINDS:
            raise one_of("kind of action", value, [*KINDS, *UNCHOSEN], "in splendor")
        return [(0, KINDS.index(value))]
    if what == "card":
        cards = card_ids(book)
        if value not in cards:
            raise one_of("card", value, cards, "in splendor")
        number = cards.index(value)
        return [(1 + number // 63, number % 63)]
    raise one_of("bar", text, ["kind=reserve", "card=L3-W2"], "in splendor")
