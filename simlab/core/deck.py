"""Decks: permutations of all cards of the box, drawn lazily from a stream of their own.

A card that is out of play is drawn and passed over by the game, so the cards that remain keep their
relative order whatever happened before: deals stay as common as they can be between line-ups.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simlab.core.functions import rule
from simlab.core.records import record
from simlab.core.rng import below, stream
from simlab.core.trace import drawn, shuffled


def deck_record(capacity: int) -> np.dtype[np.void]:
    """Return the dtype of a deck of at most `capacity` cards (127 or fewer).

    state: its stream; next: cards drawn; fixed: places from the top that are already decided (the
    drawn ones, the next one, and more in a stacked deck); cards: cards of the box; number: which
    deck of the deal; order: card numbers, drawn ones first.
    """
    return record(
        ("next", "i4", ()),
        ("fixed", "i4", ()),
        ("state", "u8", ()),  # not first: numba takes a record for any record it begins with
        ("cards", "i4", ()),
        ("number", "i4", ()),
        ("order", "i1", (capacity,)),
    )


@rule
def shuffle(deck: Any, chance: Any, number: Any, cards: Any) -> None:
    """Start deck `number` of this deal: `cards` cards, none drawn, its order open."""
    deck.state = stream(chance.key, number)
    deck.next = 0
    deck.fixed = 0
    deck.cards = cards
    deck.number = number
    for i in range(cards):
        deck.order[i] = i
    decide(deck, np.int64(0))
    shuffled(deck, number)


@rule
def draw(deck: Any) -> Any:
    """Return the next card of a deck whose cards are all in play."""
    card = next_of_box(deck)
    drawn(deck.number, card)
    return card


@rule
def draw_in_play(deck: Any, away: Any) -> Any:
    """Return the next card that is not in the set `away` (a mask of card numbers)."""
    card = next_of_box(deck)
    while (away >> card) & 1:
        card = next_of_box(deck)
    drawn(deck.number, card)
    return card


@rule
def next_of_box(deck: Any) -> Any:
    """Return the next card of the box, and decide the one after it.

    Deciding a place ahead takes the random number out of the way of what waits for the card.
    """
    place = np.int64(deck.next)
    card = np.int64(deck.order[np.uint64(place)])
    deck.next = place + 1
    decide(deck, place + 1)
    return card


@rule
def decide(deck: Any, place: Any) -> None:
    """Choose the card of a place: one step of a Fisher-Yates shuffle."""
    if deck.fixed <= place < deck.cards:
        other = np.uint64(place + below(deck, np.int64(deck.cards) - place))
        i = np.uint64(place)  # an unsigned index needs no test for counting from the end
        card = deck.order[other]
        deck.order[other] = deck.order[i]
        deck.order[i] = card
        deck.fixed = place + 1
