"""A batch strategy: decides for many games at once, in NumPy."""

from typing import Annotated

import numpy as np

from simlab import Range, batch_strategy
from simlab_dice21 import ROLL, STOP


@batch_strategy("dice21")
def by_chance(table, rules, risk: Annotated[float, Range(0, 1)] = 0.4):
    """Stop when the chance of a bust on the next roll is above `risk`.

    `table.total` is an array with the total of each game; so is what is returned. `rules` are the
    same in all of them.
    """
    fatal = np.maximum(0, rules.sides - (rules.target - table.total))
    return np.where(fatal > risk * rules.sides, STOP, ROLL)
