"""What strategies of Diamant share: the risk, what a card is worth, who else may leave.

Every function takes the public records and returns a number; definitions as in RULES.md section 9.
"""

from __future__ import annotations

import numpy as np

from simlab.core.bits import lowest, popcount
from simlab.core.functions import rule, shared
from simlab.core.rng import below
from simlab.games.diamant import rules as _rules
from simlab.games.diamant.actions import LEAVE, STAY


@rule
def carried(table, me):
    """Gems the deciding explorer won in this expedition and has not yet secured."""
    return np.int64(table.carried[me.explorer])


@rule
def trap_types(table):
    """How many different trap types lie on the path."""
    return popcount(table.traps)


@rule
def risk(table):
    """Chance that the next card is an accident: 0 to 1; 0 when the deck is empty."""
    return table.danger / table.deck if table.deck > 0 else 0.0


@shared
def expected_gain(table, rules):
    """Mean of floor(v / explorers inside) over the cards left in the deck, in gems."""
    if table.deck == 0:
        return 0.0
    total = 0
    away = table.on_path | table.gone
    for card in range(rules.treasures):
        if (away >> card) & 1 == 0:
            total += np.int64(rules.share[table.inside_count, card])
    return total / table.deck


@rule
def relic_pay(table, rules):
    """Gems that the relics on the path would pay a lone leaver now."""
    return _rules.relic_pay(table, rules)


@shared
def alone(table, me):
    """Estimate the chance that no other explorer inside leaves now.

    The product over them of 1 - (1 + exits at this depth) / (2 + decisions at this depth), counted
    over the earlier expeditions of this game.
    """
    chance = 1.0
    others = np.int64(table.inside) & ~(np.int64(1) << np.int64(me.explorer))
    while others != 0:
        explorer = lowest(others)
        others &= others - 1
        exits, decided = 0, 0
        for earlier in range(table.expedition - 1):
            at = np.int64(table.left_at[earlier, explorer])
            if at == table.depth:
                exits += 1
            if abs(at) >= table.depth:
                decided += 1
        chance *= 1.0 - (1 + exits) / (2 + decided)
    return chance


@rule
def chest_gap(table, me):
    """Gems by which the best other chest is ahead of one's own (negative when leading)."""
    best = np.int64(-1)
    for seat in range(table.players):
        if seat != me.seat:
            best = max(best, np.int64(table.chest[seat]))
    return best - np.int64(me.chest)


@rule
def chests_known(table, me):
    """Whether the chests of the others are public (observation=perfect_recall)."""
    return table.chest[me.seat] >= 0


@rule
def pick_legal(table, me, rules, rng):
    """Return a legal action, each with the same chance: draws until one is legal (section 8)."""
    action = below(rng, np.int64(2))
    while not _rules.legal(table, me, rules, action):
        action = below(rng, np.int64(2))
    return action


@rule
def default(table, me, rules):
    """What a strategy does that has no idea of its own: leave above a risk of 0.15."""
    return LEAVE if risk(table) > 0.15 else STAY
