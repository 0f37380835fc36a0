"""Cards that come to a hand and leave it, and what the other seats know of it (section 8)."""

from __future__ import annotations

import numpy as np

from simlab.core.deck import draw, next_of_box, shuffle
from simlab.core.functions import rule, shared
from simlab.core.trace import drawn, emit, tell, whisper
from simlab.games.collier.actions import KINDS
from simlab.games.collier.rules.records import (
    ASTROLOGER,
    CARDS_DECK,
    HELD_BACK,
    MERCHANTS_DECK,
    NECKLACE,
    PLAYED,
    STEALS_DECK,
)

_WORD = 60  # cards in a word of hidden.dealt


# -- the deck


@rule
def was_dealt(hidden, card):
    """Whether a card was dealt into a hand at the start."""
    return (hidden.dealt[card // _WORD] >> (card % _WORD)) & 1 == 1


@rule
def deal_out(hidden, card):
    """Note that a card was dealt."""
    hidden.dealt[card // _WORD] |= np.int64(1) << (card % _WORD)


@shared
def draw_card(table, hidden, rules):
    """Return the kind of the next card of the deck, -1 if there is none; set merchants aside.

    A merchant is met when a card is wanted and it lies on top; then the next card comes.
    """
    while table.merchants > 0 and hidden.above[3 - np.int64(table.merchants)] == hidden.laid:
        table.merchants -= 1
        table.due += 1
        tell("merchant", table.due)
    if table.deck == 0:
        return np.int64(-1)
    table.deck -= 1
    hidden.laid += 1
    card = np.int64(next_of_box(hidden.cards))
    while was_dealt(hidden, card):
        card = np.int64(next_of_box(hidden.cards))
    drawn(CARDS_DECK, card)
    return np.int64(rules.kind[card])


@rule
def place_of_merchant(hidden, rng, number, spread):
    """Draw one of the places 0 to `spread` for a merchant."""
    shuffle(hidden.place, rng, MERCHANTS_DECK + number, spread + 1)
    return np.int64(draw(hidden.place))


# -- what is known


@rule
def seen_coming(table, seats, seat, kind):
    """Let all others know that a card came to a hand."""
    for other in range(table.players):
        if other != seat:
            seats[other].known[seat, kind] += 1


@rule
def seen_leaving(table, seats, seat, kind):
    """Let all others know that a card left a hand."""
    for other in range(table.players):
        if other != seat and seats[other].known[seat, kind] > 0:
            seats[other].known[seat, kind] -= 1


@shared
def forget_empty(table, seats, seat):
    """Let all others know that a hand is empty."""
    for other in range(table.players):
        if other != seat:
            seats[other].missing[seat] = 0
            for kind in range(KINDS):
                seats[other].known[seat, kind] = 0


@rule
def look_at(seats, seat, other):
    """Let a seat know another one's whole hand (Confessor)."""
    seats[seat].missing[other] = 0
    tell("looks", seat, other)
    for kind in range(KINDS):
        seats[seat].known[other, kind] = seats[other].hand[kind]
        if seats[other].hand[kind] > 0:
            whisper(seat, "sees", kind, seats[other].hand[kind])


@rule
def has_none_of(table, seats, rules, seat, gem):
    """Let all others know that a hand has no gem card of a type (Forger)."""
    for other in range(table.players):
        if other != seat:
            taken = np.int64(0)
            for kind in range(rules.kinds):
                if rules.type[kind] == gem:
                    taken += np.int64(seats[other].known[seat, kind])
                    seats[other].known[seat, kind] = 0
            seats[other].missing[seat] -= min(taken, np.int64(seats[other].missing[seat]))


# -- hands


@rule
def put_in(table, seats, rules, seat, kind):
    """Add a card to a hand; all see who has the Queen's Necklace."""
    seats[seat].hand[kind] += 1
    table.hand_size[seat] += 1
    if rules.role[kind] == NECKLACE:
        table.necklace = seat
        seen_coming(table, seats, seat, kind)


@rule
def receive(table, seats, rules, seat, kind):
    """Add a card to a hand before the eyes of all."""
    put_in(table, seats, rules, seat, kind)
    if rules.role[kind] != NECKLACE:
        seen_coming(table, seats, seat, kind)


@rule
def take_out(table, seats, rules, seat, kind):
    """Take a card out of a hand; of those held since the start of the turn the oldest go first."""
    seats[seat].hand[kind] -= 1
    table.hand_size[seat] -= 1
    role = np.int64(rules.role[kind])
    if role < HELD_BACK and seats[seat].ready[role] > 0:
        seats[seat].ready[role] -= 1
    if role == NECKLACE:
        table.necklace = -1


@rule
def discard(table, seats, rules, seat, kind):
    """Discard a card of a hand before the eyes of all."""
    take_out(table, seats, rules, seat, kind)
    table.gone[kind] += 1
    seen_leaving(table, seats, seat, kind)
    if table.hand_size[seat] == 0:
        forget_empty(table, seats, seat)


@rule
def use(table, seats, hidden, rules, seat, role):
    """Play a character: discard the card of this role and count it."""
    kind = np.int64(rules.of_role[role])
    discard(table, seats, rules, seat, kind)
    hidden.characters[seat] += 1
    emit(hidden.events, seat, table.turn, PLAYED, kind, (0, table.sales, 0, 0, 0))


# -- cards taken at random


@shared
def random_card(table, seats, hidden, rules, rng, victim):
    """Return the kind of a card at random in a hand sorted in file order (section 13)."""
    held = np.int64(table.hand_size[victim])
    shuffle(hidden.steal, rng, STEALS_DECK + np.int64(table.steals), held)
    table.steals += 1
    index = np.int64(draw(hidden.steal))
    kind = np.int64(0)
    while index >= seats[victim].hand[kind]:
        index -= np.int64(seats[victim].hand[kind])
        kind += 1
    return kind


@shared
def steal(table, seats, rules, thief, victim, kind):
    """Let a card change hands; only the two know it, but all see where the Necklace goes."""
    open_card = rules.role[kind] == NECKLACE
    tell("stolen", thief, victim)
    take_out(table, seats, rules, victim, kind)
    put_in(table, seats, rules, thief, kind)
    if open_card:
        seen_leaving(table, seats, victim, kind)
    else:
        for other in range(table.players):
            if other == thief:
                if seats[thief].known[victim, kind] > 0:
                    seats[thief].known[victim, kind] -= 1
            elif other == victim:
                seats[victim].known[thief, kind] += 1
            else:
                seats[other].missing[victim] += 1
    if table.hand_size[victim] == 0:
        forget_empty(table, seats, victim)
    whisper(thief, "gets", kind)


@shared
def draw_for_astrologer(table, seats, hidden, rules, seat):
    """Resolve an Astrologer: its cards come to the hand, another one among them draws on."""
    kind = np.int64(rules.of_role[ASTROLOGER])
    table.gone[kind] += 1
    left = np.int64(rules.astrologer_draw)
    tell("astrologer", seat, left)
    while left > 0:
        left -= 1
        card = draw_card(table, hidden, rules)
        if card < 0:
            return
        if card == kind:
            table.gone[kind] += 1
            left += np.int64(rules.astrologer_draw)
            tell("astrologer", seat, rules.astrologer_draw)
        else:
            put_in(table, seats, rules, seat, card)
            whisper(seat, "draws", card)
