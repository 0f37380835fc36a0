"""Strategies around another one: without reserving, with an eye on nobles."""

from typing import Annotated

from simlab import Range, Strategy, ask, copied, strategy
from simlab.games.splendor import BAR_RESERVE


@strategy("splendor")
def never_reserve(table, me, rules, memo, rng, base: Strategy = "greedy_buy"):
    """Do what `base` would do if no card could be reserved."""
    own = copied(me)
    own.barred[0] |= BAR_RESERVE
    return ask(base, table, own, rules, memo, rng)


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
    """Do what `base` would do if cards that nobles ask for were worth `weight` more, shared out."""
    own = copied(me)
    own.noble_weight = weight
    return ask(base, table, own, rules, memo, rng)
