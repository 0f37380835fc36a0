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
from simlab.core.trace import shuffled


def deck_record(capacity: int) -> np.dtype[np.void]:
    """Return the dtype of a deck of at most `capacity` cards (127 or fewer).

    state: its stream; next: cards drawn; fixed: places from the top that are already decided (a
    stacked deck); size: cards of the box; order: card numbers, drawn ones first.
    """
    return record(
        ("state", "u8", ()),
        ("next", "i4", ()),
        ("fixed", "i4", ()),
        ("size", "i4", ()),
        ("order", "i1", (capacity,)),
    )


@rule
def shuffle(deck: Any, chance: Any, number: Any, size: Any) -> None:
    """Start deck `number` of this deal: `size` cards, none drawn, its order open."""
    deck.state = stream(chance.key, number)
    deck.next = 0
    deck.fixed = 0
    deck.size = size
    for i in range(size):
        deck.order[i] = i
    shuffled(deck, number)


@rule
def draw(deck: Any) -> Any:
    """Return the next card of the box: one step of a Fisher-Yates shuffle."""
    place = np.int64(deck.next)
    i = np.uint64(place)  # an unsigned index needs no test for counting from the end
    card = np.int64(deck.order[i])
    if place >= deck.fixed:
        j = np.uint64(place + below(deck, np.int64(deck.size) - place))
        card = np.int64(deck.order[j])
        deck.order[j] = deck.order[i]
        deck.order[i] = card
    deck.next = place + 1
    return card
