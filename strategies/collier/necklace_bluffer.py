"""Wear the Necklace where a King may fall, or guard the best type with it."""

from typing import Annotated

import numpy as np

from simlab import Range, strategy
from simlab.core.rng import uniform
from simlab.games.collier import LAY_NECKLACE, NECKLACE, PURCHASE, view
from simlab.games.collier.rules.records import NECKLACE as THE_NECKLACE


def wanted(table, me, rules, sight, place, worth):
    """What the card of a place is worth: the Necklace `worth`."""
    if place < table.count and rules.role[table.market[place]] == THE_NECKLACE:
        return worth
    return view.worth_at(table, me, rules, sight, place)


def bait(me, sight, best):
    """The shown type, the own best one apart, that draws a King most likely: the dearest."""
    found, most = -1, -1.0
    for gem in range(4):
        if gem != best and me.shown[gem] > 0 and sight.value[gem] > most:
            found, most = gem, sight.value[gem]
    return found


@strategy("collier")
def necklace_bluffer(
    table,
    me,
    rules,
    rng,
    p: Annotated[float, Range(0, 1)] = 0.2,
    worth: Annotated[float, Range(0, 200)] = 30.0,
):
    """Lay the Necklace on its best type, with chance `p` on the dearest other one it shows.

    Kings fall on what is dear: there the bounty waits. The Necklace is worth `worth` points to it.
    It is laid in the first sale with a card shown of a type worth 30; all else by value.

    Strength: wins 99.93 % [99.88, 99.96] of games against three `dearest_single`, 96.21 %
    [95.94, 96.47] against three `cheapest_many`, 92.32 % [91.95, 92.68] against three `random`
    (equal share 25 %); against one of them 100.00 % [99.98, 100.00], 99.85 % [99.79, 99.90],
    99.76 % [99.68, 99.82] (50 %).
    """
    sight = view.look(table, me, rules)
    if table.decision == PURCHASE:
        values = (
            wanted(table, me, rules, sight, 0, worth),
            wanted(table, me, rules, sight, 1, worth),
            wanted(table, me, rules, sight, 2, worth),
            wanted(table, me, rules, sight, 3, worth),
            wanted(table, me, rules, sight, 4, worth),
        )
        return view.purchase(table, me, rules, values)
    if table.decision == NECKLACE:
        best = view.best_shown(me, sight)
        other = bait(me, sight, best)
        bluffs = uniform(rng) < p
        if bluffs and other >= 0:
            return view.fitting(table, me, LAY_NECKLACE + other)
        if view.is_last(table) or (best >= 0 and me.rings[best] > 0):
            return view.fitting(table, me, LAY_NECKLACE + best)
        return view.fitting(table, me, np.int64(LAY_NECKLACE - 1))
    return view.answer(table, me, rules, sight, view.usual())
