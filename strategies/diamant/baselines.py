"""What every idea must beat: never leave, leave at once, leave at random."""

from typing import Annotated

from simlab import Range, strategy, uniform
from simlab.games.diamant import LEAVE, STAY


@strategy("diamant")
def never_leave(table, me):
    """Stay until an accident or the end of the deck."""
    return STAY


@strategy("diamant")
def leave_first(table, me):
    """Leave after the first card."""
    return LEAVE


@strategy("diamant")
def random(rng, leave: Annotated[float, Range(0, 1)] = 0.3):
    """Leave with probability `leave` at every decision."""
    return LEAVE if uniform(rng) < leave else STAY
