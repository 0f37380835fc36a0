"""What strategies of Caylus share."""

from __future__ import annotations

import numpy as np

from simlab.core.bits import lowest, popcount
from simlab.core.functions import rule
from simlab.core.rng import below
from simlab.games.caylus import rules as _rules
from simlab.games.caylus.actions import FIRST


@rule
def options(table, me):
    """The legal codes of the decision that is asked, as a mask; bars count unless they bar all."""
    free = np.int64(table.options) & ~np.int64(me.barred[table.decision])
    return free if free != 0 else np.int64(table.options)


@rule
def pick_legal(table, me, rules, rng):
    """A legal action at random, each as likely (section 15.1)."""
    left = options(table, me)
    for _ in range(below(rng, popcount(left))):
        left &= left - 1
    return FIRST[table.decision] + lowest(left)


@rule
def legal(table, me, rules, action):
    """Whether an action may be taken now; bars count unless they would leave nothing."""
    return _rules.legal(table, me, rules, action)


@rule
def default(table, me, rules):
    """What a strategy does that has no idea of its own."""
    return FIRST[table.decision] + lowest(options(table, me))
