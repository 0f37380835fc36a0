"""Look, then strike."""

from typing import Annotated

import numpy as np

from simlab import Range, strategy
from simlab.games.collier import (
    CARDINAL,
    INFLUENCE,
    NO_DELAY,
    PLAY_CARDINAL,
    PLAY_CONFESSOR,
    PLAY_FORGER,
    PLAY_THIEF,
    PURCHASE,
    view,
)
from simlab.games.collier.rules.records import CONFESSOR, FORGER, THIEF


def wanted(table, me, rules, sight, place, more):
    """What the card of a place is worth: Confessor, Forger and Thief `more` than usual."""
    value = view.worth_at(table, me, rules, sight, place)
    if place < table.count and rules.role[table.market[place]] in (CONFESSOR, FORGER, THIEF):
        value += more
    return value


def smallest(table, seats):
    """The seat of a mask with the fewest cards; -1 if the mask is empty."""
    best = -1
    for seat in range(table.players):
        if (seats >> seat) & 1 == 1 and (best < 0 or table.hand_size[seat] < table.hand_size[best]):
            best = seat
    return best


@strategy("collier")
def peek_and_strike(
    table,
    me,
    rules,
    more: Annotated[float, Range(0, 100)] = 4.0,
    few: Annotated[int, Range(0, 50)] = 4,
):
    """Play a Confessor first, then a Forger on the best type it knows of, a Thief on few cards.

    A Thief takes from who has the fewest cards, once that is `few` or less, as right after a sale,
    or when a better card is known. These characters are worth `more` points more to it. A Cardinal
    is kept to follow a Confessor: it delays a sale while one can be played before. All else by
    value.

    Strength: wins 99.94 % [99.89, 99.96] of games against three `dearest_single`, 96.10 %
    [95.83, 96.36] against three `cheapest_many`, 91.88 % [91.50, 92.25] against three `random`
    (equal share 25 %); against one of them 100.00 % [99.98, 100.00], 99.88 % [99.82, 99.91],
    99.74 % [99.66, 99.80] (50 %).
    """
    sight = view.look(table, me, rules)
    if table.decision == INFLUENCE:
        allowed = view.options(table, me)
        seat = view.first_seat(table, me, (allowed >> PLAY_CONFESSOR) & 0b1111)
        if seat >= 0:
            return np.int64(PLAY_CONFESSOR + seat)
        forged = view.struck(table, me, rules, sight, allowed)
        if forged >= PLAY_FORGER:
            return forged
        prey = smallest(table, (allowed >> PLAY_THIEF) & 0b1111)
        if prey >= 0 and table.hand_size[prey] <= few:
            return np.int64(PLAY_THIEF + prey)
    elif table.decision == CARDINAL:
        peeks = me.hand[rules.of_role[CONFESSOR]] > 0
        waits = peeks or view.waits(sight, view.usual().delay)
        return view.fitting(table, me, PLAY_CARDINAL if waits else NO_DELAY)
    elif table.decision == PURCHASE:
        values = (
            wanted(table, me, rules, sight, 0, more),
            wanted(table, me, rules, sight, 1, more),
            wanted(table, me, rules, sight, 2, more),
            wanted(table, me, rules, sight, 3, more),
            wanted(table, me, rules, sight, 4, more),
        )
        return view.purchase(table, me, rules, values)
    return view.answer(table, me, rules, sight, view.usual())
