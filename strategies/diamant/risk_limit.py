"""Leave when the next card is too likely to be an accident."""

from typing import Annotated

from simlab import Range, note, strategy
from simlab.games.diamant import LEAVE, STAY, view


@strategy("diamant")
def risk_limit(table, me, risk: Annotated[float, Range(0, 1)] = 0.15):
    """Leave when the chance of an accident on the next card is above `risk`.

    Strength: with four `random` wins 89.68 % [89.55, 89.81] of games under standard,
    64.41 % [64.20, 64.62] under official rules; the equal share is 20 %.
    """
    note("risk", view.risk(table))
    return LEAVE if view.risk(table) > risk else STAY
