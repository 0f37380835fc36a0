"""A strategy for a game that simlab ships: it imports from the game's folder like a shipped one."""

from typing import Annotated

from simlab import Range, strategy
from simlab.games.diamant import LEAVE, STAY, view


@strategy("diamant")
def slow_start(
    table,
    me,
    first: Annotated[int, Range(1, 63)] = 4,
    risk: Annotated[float, Range(0, 1)] = 0.15,
):
    """Stay for the `first` cards whatever comes; after that leave above a `risk`."""
    if table.depth < first:
        return STAY
    return LEAVE if view.risk(table) > risk else STAY
