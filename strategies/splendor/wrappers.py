"""Strategies around another one: without reserving, with an eye on nobles."""

from typing import Annotated

from simlab import Range, Strategy, ask, copied, strategy
from simlab.games.splendor import BAR_RESERVE, view


@strategy("splendor")
def never_reserve(table, me, rules, memo, rng, base: Strategy = "greedy_buy"):
    """Do what `base` would do if no card could be reserved.

    Strength: wins 50.25 % [49.76, 50.74] of games against one `greedy_buy`, 25.10 % [24.68, 25.53]
    against three (equal shares 50 and 25 %), 99.84 % [99.77, 99.89] against three `random`.
    `greedy_buy` reserves only when it cannot take, so without reserving it is the same player.
    """
    own = copied(me)
    own.barred[0] |= BAR_RESERVE
    action = ask(base, table, own, rules, memo, rng)
    possible = view.legal(table, me, rules, action)
    free = me.barred[0] == 0 and me.barred[1] == 0 and me.barred[2] == 0
    if possible and (free or not view.reserves(action)):
        return action
    # With this bar everything would be barred, and so nothing is; or there is nothing else to do.
    own.barred[0], own.barred[1], own.barred[2] = BAR_RESERVE, 0, 0
    other = ask(base, table, own, rules, memo, rng)
    if view.legal(table, me, rules, other):
        return other
    return action if possible else ask(base, table, me, rules, memo, rng)


@strategy("splendor")
def noble_aligned(
    table,
    me,
    rules,
    memo,
    rng,
    base: Strategy = "tempo_value",
    weight: Annotated[float, Range(0, 100)] = 0.3,
):
    """Do what `base` would do if cards that nobles ask for were worth `weight` more, shared out.

    Strength: wins 55.83 % [55.35, 56.32] of games against one `greedy_buy`, 35.52 % [35.05, 35.99]
    against three (equal shares 50 and 25 %), 98.08 % [97.88, 98.26] against three `random`.
    """
    own = copied(me)
    own.noble_weight = weight
    return ask(base, table, own, rules, memo, rng)
