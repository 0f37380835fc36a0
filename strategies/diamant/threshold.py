"""Leave with enough in hand."""

from simlab import strategy
from simlab.games.diamant import LEAVE, STAY


@strategy("diamant")
def threshold(table, me, gems: int = 15):
    """Leave once carrying at least `gems`.

    Strength: with four `random` wins 88.45 % [88.31, 88.59] of games under standard,
    79.05 % [78.87, 79.22] under official rules; the equal share is 20 %.
    """
    return LEAVE if table.carried[me.explorer] >= gems else STAY
