"""Leave after a fixed number of cards."""

from typing import Annotated

from simlab import Range, strategy
from simlab.games.diamant import LEAVE, STAY


@strategy("diamant")
def fixed_depth(table, me, cards: Annotated[int, Range(0, 64)] = 7):
    """Leave after the `cards`-th card of the path.

    Strength: with four `random` wins 85.29 % [85.14, 85.44] of games under standard,
    78.39 % [78.21, 78.57] under official rules; the equal share is 20 %.
    """
    return LEAVE if table.depth >= cards else STAY
