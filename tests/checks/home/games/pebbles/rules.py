"""Each round a card is turned up; who takes shares its pebbles; chosen in secret."""

import numpy as np

from simlab.core.deck import deck_record, draw, shuffle
from simlab.core.functions import rule
from simlab.core.game import DONE
from simlab.core.records import record
from simlab.core.trace import forced, tell

TABLE = record(
    ("players", "i4", ()),
    ("decision", "i4", ()),
    ("turn", "i4", ()),
    ("card", "i4", ()),
    ("gems", "i4", (4,)),
)
SEAT = record(("seat", "i4", ()), ("barred", "i8", (1,)), ("choice", "i4", ()))
HIDDEN = record(("deck", deck_record(8), ()))
RULES = record(("rounds", "i4", ()))


@rule
def begin(table, seats, hidden, rules, rng):
    """Shuffle and turn up the first card."""
    shuffle(hidden.deck, rng, np.int64(0), np.int64(8))
    table.decision = 1
    turn_up(table, hidden)
    return go_on(table, seats, hidden, rules, np.int64(0))


@rule
def step(table, seats, hidden, rules, rng, seat, action):
    """Take in a choice."""
    seats[seat].choice = action
    return go_on(table, seats, hidden, rules, seat + 1)


@rule
def legal(table, me, rules, action):
    """Both actions are legal; bars count unless both are barred."""
    free = 3 & ~np.int64(me.barred[0])
    return 0 <= action <= 1 and (free == 0 or (free >> action) & 1 == 1)


@rule
def score(table, seats, hidden, rules, result):
    """Pebbles."""
    for seat in range(table.players):
        result[seat].score = table.gems[seat]
        result[seat].share = table.gems[seat] / rules.rounds


@rule
def turn_up(table, hidden):
    """Turn up a card."""
    table.turn += 1
    table.card = draw(hidden.deck)
    tell("card {}", table.card)


@rule
def ask(seats, first):
    """Return the next seat with a choice; -1 when all choices are in."""
    for seat in range(first, len(seats)):
        free = 3 & ~np.int64(seats[seat].barred[0])
        if free == 3 or free == 0:
            return np.int64(seat)
        seats[seat].choice = free >> 1
        forced(seat, free >> 1)
    return np.int64(-1)


@rule
def go_on(table, seats, hidden, rules, first):
    """Ask on; when all choices are in, share out and turn up the next card."""
    asked = ask(seats, first)
    while asked < 0:
        share_out(table, seats)
        if table.turn == rules.rounds:
            table.decision = 0
            return np.int64(DONE)
        turn_up(table, hidden)
        asked = ask(seats, np.int64(0))
    return asked


@rule
def share_out(table, seats):
    """Share the card among those who take."""
    takers = 0
    for seat in range(table.players):
        takers += seats[seat].choice
    for seat in range(table.players):
        if seats[seat].choice == 1:
            table.gems[seat] += table.card // takers
