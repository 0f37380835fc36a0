"""Keep a King for what a rival would sell best."""

from typing import Annotated

import numpy as np

from simlab import Range, strategy
from simlab.games.collier import KING, LAY_KING, NO_KING, PURCHASE, SHOW, SHOW_CARDS, view
from simlab.games.collier.rules.records import KING as A_KING


def wanted(table, me, rules, sight, place, king):
    """What the card of a place is worth: a first King `king`, and any type it lacks 10 more."""
    if place >= table.count:
        return 0.0
    kind = np.int64(table.market[place])
    value = view.worth(table, me, rules, sight, kind)
    if rules.role[kind] == A_KING:
        return king if me.hand[kind] == 0 else value
    if rules.gems[kind] > 0 and sight.own[rules.type[kind]] == 0.0:
        return value + 10.0
    return value


def victim(table, sight):
    """The type that a rival would gain most with, if that is worth a King; -1 if none is."""
    best, most = -1, 0.0
    for gem in range(4):
        gain = sight.value[gem] * (1.0 - sight.chance[gem])
        dear = table.value[gem] >= 20 or sight.value[gem] >= 40.0
        if dear and sight.own[gem] > 0.0 and sight.rival[gem] >= 1.0 and gain > most:
            best, most = gem, gain
    return best


@strategy("collier")
def king_denier(
    table,
    me,
    rules,
    king: Annotated[float, Range(0, 200)] = 25.0,
):
    """Keep one King and a gem of every type; lay it on what a rival would gain most with.

    Only on a type with fashion +20 or more, or worth 40. A first King is worth `king` points to it.
    It shows a card of that type for the King's sake; all else by value.

    Strength: wins 99.82 % [99.76, 99.87] of games against three `dearest_single`, 92.29 %
    [91.92, 92.65] against three `cheapest_many`, 89.72 % [89.30, 90.12] against three `random`
    (equal share 25 %); against one of them 99.98 % [99.96, 99.99], 98.32 % [98.13, 98.48],
    99.18 % [99.05, 99.29] (50 %).
    """
    sight = view.look(table, me, rules)
    if table.decision == PURCHASE:
        values = (
            wanted(table, me, rules, sight, 0, king),
            wanted(table, me, rules, sight, 1, king),
            wanted(table, me, rules, sight, 2, king),
            wanted(table, me, rules, sight, 3, king),
            wanted(table, me, rules, sight, 4, king),
        )
        return view.purchase(table, me, rules, values)
    target = victim(table, sight)
    if table.decision == SHOW and me.hand[rules.of_role[A_KING]] > 0:
        gem = np.int64(rules.type[me.kind])
        if gem == target and me.shown[gem] == 0 and not view.is_last(table):
            return view.fitting(table, me, SHOW_CARDS + 1)
    if table.decision == KING:
        if target >= 0 and me.laid[2] == 0:
            return view.fitting(table, me, LAY_KING + target)
        return view.fitting(table, me, NO_KING)
    return view.answer(table, me, rules, sight, view.usual())
