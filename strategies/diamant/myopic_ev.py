"""Weigh what may be lost on the next card against what may be won."""

from typing import Annotated

from simlab import Range, note, strategy
from simlab.games.diamant import LEAVE, STAY, view


@strategy("diamant")
def myopic_ev(table, me, rules, weight: Annotated[float, Range(0, 100)] = 1.0):
    """Leave when risk x (carried + leftovers) >= `weight` x the expected gain of one more card.

    Strength: with four `random` wins 95.19 % [95.10, 95.28] of games under standard,
    78.80 % [78.63, 78.98] under official rules; the equal share is 20 %.
    """
    loss = view.risk(table) * (view.carried(table, me) + table.leftover)
    gain = view.expected_gain(table, rules)
    note("loss", loss)
    note("gain", gain)
    return LEAVE if loss >= weight * gain else STAY
