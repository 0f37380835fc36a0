"""What every idea must beat."""

from simlab import strategy
from simlab.games.collier import BUY, PURCHASE, view


@strategy("collier")
def random(table, me, rules, rng):
    """Take any legal action, each with the same chance."""
    return view.pick_legal(table, me, rules, rng)


@strategy("collier")
def dearest_single(table, me, rules):
    """Buy the dearest card that can be paid, then stop; play nothing else, show all gems."""
    if table.decision == PURCHASE and table.taken == 0:
        place = view.dearest(table, rules, view.affordable(view.options(table, me)))
        if place >= 0:
            return BUY + place
    return view.plain(table, me, rules)


@strategy("collier")
def cheapest_many(table, me, rules):
    """Buy the cheapest card until none can be paid; play nothing else, show all gems."""
    if table.decision == PURCHASE:
        place = view.cheapest(table, rules, view.affordable(view.options(table, me)))
        if place >= 0:
            return BUY + place
    return view.plain(table, me, rules)
