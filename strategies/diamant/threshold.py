"""Leave with enough in hand."""

from simlab import strategy
from simlab.games.diamant import LEAVE, STAY


@strategy("diamant")
def threshold(table, me, gems: int = 15):
    """Leave once carrying at least `gems`."""
    return LEAVE if table.carried[me.explorer] >= gems else STAY
