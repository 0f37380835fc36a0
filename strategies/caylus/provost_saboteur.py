"""Pass last, and move the provost away from the others."""

from typing import Annotated, Literal

from simlab import Range, strategy
from simlab.games.caylus import (
    AT_GATE,
    AT_GUILD,
    AT_TRADING_POST,
    GUILD,
    PLACE,
    PROVOST,
    view,
)


@strategy("caylus")
def provost_saboteur(
    table,
    me,
    rules,
    reserve: Annotated[int, Range(0, 20)] = 3,
    spite: Annotated[float, Range(0, 10)] = 0.5,
    pace: Literal["none", "jet", "brake"] = "none",
    lead: Annotated[int, Range(0, 100)] = 8,
    haste: Annotated[float, Range(0, 20)] = 1.0,
    cube: Annotated[float, Range(0, 10)] = 1.5,
):
    """Keep `reserve` deniers for the provost, and outlast the others; `spite` (twice it for two).

    With `pace` jet it hurries the bailiff from the Walls on when `lead` points ahead, with brake it
    slows him when behind; a step of his is worth `haste`. A plain cube is worth `cube`.

    Strength: wins 96.40 % [96.14, 96.65] of games against one `greedy_value`, 51.92 % [51.23,
    52.60] against three (equal shares 50 and 25 %), 100.00 % [99.96, 100.00] against three
    `random`. A plain cube is 1.5 points, not 1.2 as on the rules page: with that 42.54 % and
    12.42 %. Jet wins 51.4 %, brake 52.2 % against three.
    """
    seat = int(me.seat)
    w = view.valuing(table, rules, cube, 2 * spite if table.players == 2 else spite)
    allowed = view.options(table, me)
    if table.decision == PLACE:
        near = view.up_to(allowed, table.bailiff) | view.own_places(table, seat, allowed)
        near = view.keeping(table, rules, seat, near, reserve)
        sight = view.look(table, rules, seat, w)
        code = view.best_place(table, rules, w, sight, near, 0.0, 0, 0.0)
        if code == 0 and view.can_outlast(table, seat) and view.next_price(table, rules, seat) <= 2:
            code = view.first_of(allowed, (AT_TRADING_POST, AT_GUILD, AT_GATE))
        return view.action(table, me, code) if code > 0 else view.stop(table, me, rules, w)
    if table.decision == PROVOST or table.decision == GUILD:
        pull = view.pull(table, seat, lead) if table.section > 0 else 0
        if pace == "none" or (pace == "jet") != (pull > 0):
            pull = 0
        paid = table.decision == PROVOST
        code = view.best_shift(table, rules, w, seat, allowed, paid, haste * pull)
        return view.action(table, me, code)
    return view.answer(table, me, rules, w, 0.0)
