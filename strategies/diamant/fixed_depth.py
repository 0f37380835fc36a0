"""Leave after a fixed number of cards."""

from simlab import strategy
from simlab.games.diamant import LEAVE, STAY


@strategy("diamant")
def fixed_depth(table, me, cards: int = 7):
    """Leave after the `cards`-th card of the path."""
    return LEAVE if table.depth >= cards else STAY
