"""What strategies of Caylus share: values, places, cubes, and an answer to every decision.

A *code* is the number of an answer within its kind of decision; `action(table, code)` makes it the
action. `options(table, me)` are the legal codes as a mask. `Weights` say what goods are worth,
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
from simlab.games.caylus.view.worth import (
    CLOSE,
    Sight,
    Weights,
    batches,
    look,
    place_value,
    price_of,
    projected,
    reach,
    rounds_left,
    weights,
)

__all__ = [
    "CLOSE",
    "Sight",
    "Weights",
    "action",
    "answer",
    "batches",
    "best_column",
    "best_line",
    "best_place",
    "best_shift",
    "best_target",
    "best_tile",
    "default",
    "held",
    "legal",
    "look",
    "net",
    "options",
    "pick_legal",
    "place_value",
    "plain_held",
    "price_of",
    "projected",
    "reach",
    "rounds_left",
    "weights",
]


@rule
def legal(table, me, rules, action):
    """Whether an action may be taken now; bars count unless they would leave nothing."""
    return _rules.legal(table, me, rules, action)


@rule
def action(table, code):
    """The action of a code of the decision that is asked."""
    return FIRST[table.decision] + np.int64(code)


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
