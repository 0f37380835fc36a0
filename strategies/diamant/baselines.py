"""What every idea must beat: never leave, leave at once, leave at random."""

from typing import Annotated

from simlab import Range, strategy, uniform
from simlab.games.diamant import LEAVE, STAY


@strategy("diamant")
def never_leave(table, me):
    """Stay until an accident or the end of the deck.

    Strength: with four `random` wins 88.12 % [87.98, 88.26] of games under standard,
    0.00 % [0.00, 0.00] under official rules; the equal share is 20 %.
    """
    return STAY


@strategy("diamant")
def leave_first(table, me):
    """Leave after the first card.

    Strength: with four `random` wins 0.05 % [0.05, 0.07] of games under standard,
    0.19 % [0.17, 0.21] under official rules; the equal share is 20 %.
    """
    return LEAVE


@strategy("diamant")
def random(rng, leave: Annotated[float, Range(0, 1)] = 0.3):
    """Leave with probability `leave` at every decision.

    Strength: the measure of the others; all alike have the equal share.
    """
    return LEAVE if uniform(rng) < leave else STAY
