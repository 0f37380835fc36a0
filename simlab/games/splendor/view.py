"""What strategies of Splendor share."""

from __future__ import annotations

import numpy as np

from simlab.core.bits import lowest, popcount
from simlab.core.counters import total
from simlab.core.functions import rule
from simlab.core.rng import below
from simlab.games.splendor import rules as _rules
from simlab.games.splendor.actions import BLIND, DOUBLE, GIVE, PAY, VISIT

_RESERVING = _rules.LEVELS + _rules.PLACES  # first so many card candidates reserve


@rule
def pick_legal(table, me, rules, rng):
    """Return a legal action at random: main actions, tokens held and nobles alike (section 8)."""
    if table.decision == _rules.MAIN:
        return _pick_main(table, me, rules, rng)
    seat = np.int64(me.seat)
    if table.decision == _rules.RETURNING:
        return GIVE + _pick_token(table, seat, rng)
    if table.decision == _rules.CHOOSING:
        guests = _rules.visitors(table, rules, seat)
        return VISIT + _nth(guests, below(rng, popcount(guests)))
    return PAY + (_rules.GOLD if below(rng, np.int64(2)) else _rules.first_owed(table))


@rule
def _pick_main(table, me, rules, rng):
    # Takes are counted, what is done with cards is tried: a card is often out of reach.
    colours, fours = _rules.in_bank(table), _rules.in_fours(table)
    different = np.int64(rules.take_count[colours])
    takes = different + popcount(fours)
    skipped = np.int64(0 if table.hand[me.seat] < _rules.HAND else _RESERVING)
    while True:
        n = below(rng, takes + _rules.CANDIDATES - BLIND - skipped)
        if n < different:
            action = np.int64(rules.takes[colours, n])
        elif n < takes:
            action = DOUBLE + _nth(fours, n - different)
        else:
            action = _rules.card_candidate(table, me, n - takes + skipped)
        if action >= 0 and _rules.legal(table, me, rules, action):
            return action


@rule
def _nth(mask, n):
    for _ in range(n):
        mask &= mask - 1
    return lowest(mask)


@rule
def _pick_token(table, seat, rng):
    left = below(rng, total(table.tokens_word[seat]))
    token = np.int64(0)
    while left >= table.tokens[seat, token]:
        left -= np.int64(table.tokens[seat, token])
        token += 1
    return token
