"""Cubes and deniers: four plain kinds in one word, gold beside them (section 5).

A word holds 16 bits for each of food, wood, stone, cloth; a number stays below 16,384.
"""

from __future__ import annotations

import numpy as np

from simlab.core.functions import rule
from simlab.games.caylus.actions import PAIRS, QUADRUPLES
from simlab.games.caylus.rules.records import PAY_DENIERS, PAY_GOLD, PAY_POINTS

GUARD = 0x4000400040004000
LANE = 0xFFFF


@rule
def bit(number):
    """Return the set of one number."""
    return np.int64(1) << np.int64(number)


@rule
def one(kind):
    """Return one plain cube (0 food, 1 wood, 2 stone, 3 cloth) as a word."""
    return np.int64(1) << (np.int64(16) * np.int64(kind))


@rule
def lane(word, kind):
    """Return the number of a plain kind in a word."""
    return (np.int64(word) >> (np.int64(16) * np.int64(kind))) & LANE


@rule
def covers(have, need):
    """Whether a word has at least as many of every plain kind as another."""
    return (((np.int64(have) | GUARD) - np.int64(need)) & GUARD) == GUARD


@rule
def plain(word):
    """Return how many plain cubes a word holds."""
    half = np.int64(word) + (np.int64(word) >> 32)
    return ((half & LANE) + ((half >> 16) & LANE)) & LANE


@rule
def kinds_held(table, seat):
    """Return the kinds of cube that a seat has, gold (4) too, as a mask."""
    word = np.int64(table.cubes_word[seat])
    found = np.int64(0)
    if word & 0xFFFF:
        found |= 1
    if word & 0xFFFF0000:
        found |= 2
    if word & 0xFFFF00000000:
        found |= 4
    if word >> 48:
        found |= 8
    if table.gold[seat] > 0:
        found |= 16
    return found


@rule
def stock(table, seat, kind):
    """Return how many a seat has of a kind: 0 to 3 plain cubes, 4 gold, 5 deniers."""
    if kind < PAY_GOLD:
        return lane(table.cubes_word[seat], kind)
    return np.int64(table.gold[seat] if kind == PAY_GOLD else table.deniers[seat])


@rule
def add_kind(table, hidden, seat, kind, number):
    """Give a seat something of a kind, or take it (negative): cubes, gold, deniers, points."""
    if kind < PAY_GOLD:
        table.cubes_word[seat] += number * one(kind)
    elif kind == PAY_GOLD:
        table.gold[seat] += number
    elif kind == PAY_DENIERS:
        table.deniers[seat] += number
    elif kind == PAY_POINTS:
        table.points[seat] += number
        hidden.exchange_points[seat] += number


def _word(kinds):
    return sum(1 << (16 * kind) for kind in kinds)


# Words of the codes of D10 (from 1 on) and of D16.
TAKEN = (0, *(_word((kind,)) for kind in range(4)), *(_word(pair) for pair in PAIRS))
GIVEN = (*(_word(pair) for pair in PAIRS), *(_word(four) for four in QUADRUPLES))
PAIR_COUNT = len(PAIRS)
