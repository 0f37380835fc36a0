"""Plain Python: played without compiling, so anything goes that Python can do."""

from typing import Literal

from simlab import strategy
from simlab_dice21 import ROLL, STOP, view


@strategy("dice21", compiled=False, memo=[("stops", "i4")])
def even_or_odd(table, me, rules, memo, likes: Literal["even", "odd"] = "even"):
    """Stop at the first total of the kind it `likes` that is risky; the kind changes at each stop.

    The memo counts its stops: it is zero when a game begins, and nobody else sees it.
    """
    wanted = {"even": 0, "odd": 1}[likes]
    if view.risk(table, rules) > 0 and (int(table.total) + memo.stops) % 2 == wanted:
        memo.stops += 1
        return STOP
    return ROLL
