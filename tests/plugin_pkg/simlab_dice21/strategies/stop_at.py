"""Compiled: stop near the target, nearer when behind."""

from typing import Annotated

from simlab import Range, note, strategy
from simlab_dice21 import ROLL, STOP


@strategy("dice21")
def stop_at(
    table,
    me,
    rules,
    margin: Annotated[int, Range(0, 99)] = 4,
    behind: Annotated[int, Range(0, 99)] = 3,
):
    """Stop within `margin` of the target, or within `behind` when others have more points."""
    best = 0
    for seat in range(table.players):
        best = max(best, table.points[seat])
    mine = table.points[me.seat] + table.total
    note("points to the best", best - mine)
    limit = behind if mine < best else margin
    return STOP if rules.target - table.total <= limit else ROLL
