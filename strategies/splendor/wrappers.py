"""Strategies around another one: without reserving, with an eye on nobles."""

from typing import Annotated

from simlab import Range, Strategy, ask, copied, strategy
from simlab.games.splendor import BAR_RESERVE, view


@strategy("splendor")
def never_reserve(table, me, rules, memo, rng, base: Strategy = "greedy_buy"):
    """Do what `base` would do if no card could be reserved.

    Strength: wins 50.22 % [49.73, 50.71] of games against one `greedy_buy`, 25.07 % [24.65, 25.49]
    against three (equal shares 50 and 25 %), 99.86 % [99.80, 99.90] against three `random`.
    `greedy_buy` reserves only when it cannot take, so without reserving it is the same player.
    """
    own = copied(me)
    own.barred[0] |= BAR_RESERVE
    action = ask(base, table, own, rules, memo, rng)
    if view.legal(table, me, rules, action):
        return action
    return ask(base, table, me, rules, memo, rng)  # nothing but reserving is left


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

    Strength: wins 55.73 % [55.24, 56.21] of games against one `greedy_buy`, 35.27 % [34.80, 35.74]
    against three (equal shares 50 and 25 %), 98.15 % [97.95, 98.32] against three `random`.
    """
    own = copied(me)
    own.noble_weight = weight
    return ask(base, table, own, rules, memo, rng)
