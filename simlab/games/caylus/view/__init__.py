"""What strategies of Caylus share: values, places, cubes, and an answer to every decision.

A *code* is the number of an answer within its kind of decision; `action(table, me, code)` makes it
the action. `options(table, me)` are the legal codes as a mask. `Weights` say what goods are worth,
`look` how a seat stands. Definitions as in RULES.md section 16.
"""

from __future__ import annotations

import numpy as np

from simlab.core.bits import lowest, popcount
from simlab.core.functions import rule
from simlab.core.rng import below
from simlab.games.caylus import rules as _rules
from simlab.games.caylus.actions import FIRST
from simlab.games.caylus.rules.stock import lane, plain
from simlab.games.caylus.view.choices import (
    answer,
    best_column,
    best_line,
    best_place,
    best_shift,
    best_target,
    best_tile,
    default,
    net,
    options,
)
from simlab.games.caylus.view.ideas import (
    action,
    any_batch,
    back_to_own,
    best_blue,
    best_for_blue,
    best_to_own,
    can_advance,
    can_outlast,
    can_settle,
    cheapest,
    favor_builds,
    first_listed,
    forward_to_mine,
    least_useful,
    next_price,
    own_places,
    payable_blue,
    placed,
    pull,
    rival_source,
    spare_cubes,
    squeezed,
    stop,
    useful,
)
from simlab.games.caylus.view.sets import (
    best_supply,
    bringing,
    doing,
    first_of,
    has,
    homes,
    keeping,
    makes,
    mining,
    on_road,
    own_batches,
    produces_like,
    selling,
    up_to,
)
from simlab.games.caylus.view.worth import (
    CLOSE,
    Sight,
    Weights,
    batches,
    line_value,
    look,
    place_value,
    price_of,
    projected,
    reach,
    reached,
    residence_value,
    rounds_left,
    tile_effect,
    usual,
    valuing,
    weights,
)

__all__ = [
    "CLOSE",
    "Sight",
    "Weights",
    "action",
    "answer",
    "any_batch",
    "back_to_own",
    "batches",
    "best_blue",
    "best_column",
    "best_for_blue",
    "best_line",
    "best_place",
    "best_shift",
    "best_supply",
    "best_target",
    "best_tile",
    "best_to_own",
    "bringing",
    "can_advance",
    "can_outlast",
    "can_settle",
    "cheapest",
    "default",
    "doing",
    "favor_builds",
    "first_listed",
    "first_of",
    "forward_to_mine",
    "has",
    "held",
    "homes",
    "keeping",
    "least_useful",
    "legal",
    "line_value",
    "look",
    "makes",
    "mining",
    "net",
    "next_price",
    "on_road",
    "options",
    "own_batches",
    "own_places",
    "payable_blue",
    "pick_legal",
    "place_value",
    "placed",
    "plain_held",
    "price_of",
    "produces_like",
    "projected",
    "pull",
    "reach",
    "reached",
    "residence_value",
    "rival_source",
    "rounds_left",
    "selling",
    "spare_cubes",
    "squeezed",
    "stop",
    "tile_effect",
    "up_to",
    "useful",
    "usual",
    "valuing",
    "weights",
]


@rule
def legal(table, me, rules, action):
    """Whether an action may be taken now; bars count unless they would leave nothing."""
    return _rules.legal(table, me, rules, action)


@rule
def held(table, seat, kind):
    """How many cubes of a kind a seat has: 0 food, 1 wood, 2 stone, 3 cloth, 4 gold."""
    if kind == 4:
        return np.int64(table.gold[seat])
    return lane(table.cubes_word[seat], kind)


@rule
def plain_held(table, seat):
    """How many plain cubes a seat has."""
    return plain(table.cubes_word[seat])


@rule
def pick_legal(table, me, rules, rng):
    """A legal action at random, each as likely (section 15.1)."""
    left = options(table, me)
    for _ in range(below(rng, popcount(left))):
        left &= left - 1
    return FIRST[table.decision] + lowest(left)
