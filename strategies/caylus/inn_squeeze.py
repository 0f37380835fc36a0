"""Cheap workers from the inn, and an early pass that makes the rivals' dear."""

from typing import Annotated

from simlab import Range, strategy
from simlab.games.caylus import AT_INN, INN, PLACE, view


@strategy("caylus")
def inn_squeeze(
    table,
    me,
    rules,
    drop: Annotated[int, Range(0, 30)] = 6,
    most: Annotated[int, Range(0, 6)] = 5,
    cube: Annotated[float, Range(0, 10)] = 1.5,
):
    """Live in the inn; pass when that takes `drop` workers from the rivals, or after `most` own.

    In the inn it stays on spaces up to the provost, who is not moved by those who come later. A
    plain cube is worth `cube`.

    Strength: wins 90.76 % [90.35, 91.15] of games against one `greedy_value`, 31.91 % [31.28,
    32.54] against three (equal shares 50 and 25 %), 100.00 % [99.96, 100.00] against three
    `random`. The rules page passes at a drop of 2 or after 3 workers and leaves a plain cube at
    1.2 points: that wins 1.74 % and 0.56 %. Early passing does not pay here; the cheap workers
    do.
    """
    seat, w = int(me.seat), view.valuing(table, rules, cube, 0.2)
    allowed = view.options(table, me)
    if table.decision == INN:
        return view.action(table, me, 1)
    if table.decision == PLACE:
        if table.inn[1] != seat:
            if view.has(allowed, AT_INN):
                return view.action(table, me, AT_INN)
        else:
            placed = view.placed(table, rules, seat)
            if placed >= most or view.squeezed(table, rules, seat) >= drop:
                return view.stop(table, me, rules, w)
            near = view.up_to(allowed, table.provost)
            sight = view.look(table, rules, seat, w)
            code = view.best_place(table, rules, w, sight, near, 0.0, 0, 0.0)
            return view.action(table, me, code) if code > 0 else view.stop(table, me, rules, w)
    return view.answer(table, me, rules, w, 0.0)
