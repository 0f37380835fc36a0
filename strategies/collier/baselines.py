"""What every idea must beat."""

from simlab import strategy
from simlab.games.collier import BUY, PURCHASE, view


@strategy("collier")
def random(table, me, rules, rng):
    """Take any legal action, each with the same chance."""
    return view.pick_legal(table, me, rules, rng)


@strategy("collier")
def dearest_single(table, me, rules):
    """Buy the dearest card that can be paid, then stop; play nothing else, show all gems.

    Strength: wins 7.67 % [7.32, 8.04] of games against three `cheapest_many`, 17.25 % [16.75,
    17.77] against three `random` (equal share 25 %); against one of them 6.46 % [6.14, 6.80],
    26.23 % [25.64, 26.84] (50 %).
    """
    if table.decision == PURCHASE and table.taken == 0:
        place = view.dearest(table, rules, view.affordable(view.options(table, me)))
        if place >= 0:
            return BUY + place
    return view.plain(table, me, rules)


@strategy("collier")
def cheapest_many(table, me, rules):
    """Buy the cheapest card until none can be paid; play nothing else, show all gems.

    Strength: wins 74.72 % [74.13, 75.31] of games against three `dearest_single`, 54.27 %
    [53.59, 54.94] against three `random` (equal share 25 %); against one of them 93.28 %
    [92.93, 93.61], 84.82 % [84.33, 85.31] (50 %).
    """
    if table.decision == PURCHASE:
        place = view.cheapest(table, rules, view.affordable(view.options(table, me)))
        if place >= 0:
            return BUY + place
    return view.plain(table, me, rules)
