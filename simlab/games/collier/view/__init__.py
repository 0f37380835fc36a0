"""What strategies of Le Collier de la Reine share (RULES.md section 16).

knowing: hands of others as far as they are known, values and chances; buying: what cards are worth
and which to buy; playing: an answer to every decision. An action is `FIRST[decision]` + code;
`options(table, me)` are the legal codes as a mask.
"""

from __future__ import annotations

import numpy as np

from simlab.core.bits import lowest, popcount
from simlab.core.functions import rule
from simlab.core.rng import below
from simlab.games.collier.actions import FIRST
from simlab.games.collier.rules import legal as _legal
from simlab.games.collier.view.buying import (
    affordable,
    among,
    best_set,
    buy,
    cheapest,
    dearest,
    first_place,
    gem_worth,
    price,
    takeable,
    worth,
    worth_at,
    worths,
)
from simlab.games.collier.view.knowing import (
    Sight,
    best_type,
    expected,
    held_gems,
    known,
    known_gems,
    known_rival,
    look,
    majority,
    paid,
    seen,
    somewhere,
    stays,
    unseen,
)
from simlab.games.collier.view.playing import (
    Habits,
    answer,
    best_shown,
    best_turn,
    crown,
    default,
    display,
    favored,
    first_seat,
    fitting,
    has,
    influence,
    is_last,
    lay,
    least_worth,
    mean_worth,
    most_of,
    options,
    payoff,
    plain,
    protect,
    purchase,
    richest,
    show_all,
    stop_or_cheapest,
    struck,
    types_shown,
    usual,
    waits,
    worth_more,
)

__all__ = [
    "Habits",
    "Sight",
    "affordable",
    "among",
    "answer",
    "best_set",
    "best_shown",
    "best_turn",
    "best_type",
    "buy",
    "cheapest",
    "crown",
    "dearest",
    "default",
    "display",
    "expected",
    "favored",
    "first_place",
    "first_seat",
    "fitting",
    "gem_worth",
    "has",
    "held_gems",
    "influence",
    "is_last",
    "known",
    "known_gems",
    "known_rival",
    "lay",
    "least_worth",
    "legal",
    "look",
    "majority",
    "mean_worth",
    "most_of",
    "options",
    "paid",
    "payoff",
    "pick_legal",
    "plain",
    "price",
    "protect",
    "purchase",
    "richest",
    "seen",
    "show_all",
    "somewhere",
    "stays",
    "stop_or_cheapest",
    "struck",
    "takeable",
    "types_shown",
    "unseen",
    "usual",
    "waits",
    "worth",
    "worth_at",
    "worth_more",
    "worths",
]


@rule
def legal(table, me, rules, action):
    """Whether an action may be taken now; bars count unless they would leave nothing."""
    return _legal(table, me, rules, action)


@rule
def pick_legal(table, me, rules, rng):
    """A legal action at random, each code with the same chance."""
    allowed = options(table, me)
    for _ in range(below(rng, popcount(allowed))):
        allowed &= allowed - 1
    return FIRST[np.int64(table.decision)] + lowest(allowed)
