"""What a seat knows of the hands of others, and what gems will be worth (RULES.md section 16.1)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simlab.core.functions import rule, shared
from simlab.games.collier.rules import records as _r

SOLE = 0.2  # chance of a majority that one gem more than the best rival brings
LEAST, MOST = 0.05, 0.95  # chance of who shows a gem at all


class Sight(NamedTuple):
    """How a seat stands: four numbers each, by type of gem.

    own: gems in the own hand; rival: gems of the rival who has most, as far as one can tell; value:
    fashion and expected rarity, in points; chance: of selling the type if all are shown.
    """

    own: tuple[float, float, float, float]
    rival: tuple[float, float, float, float]
    value: tuple[float, float, float, float]
    chance: tuple[float, float, float, float]


# -- hands


@rule
def known(table, me, seat, kind):
    """How many cards of a kind a seat surely holds; for the own seat, how many it holds."""
    if seat == me.seat:
        return np.int64(me.hand[kind])
    return max(np.int64(me.known[seat, kind]) - np.int64(me.missing[seat]), np.int64(0))


@rule
def seen(me, seat):
    """How many cards were seen to come to another seat's hand and not to leave it."""
    found = np.int64(0)
    for kind in range(len(me.hand)):
        found += np.int64(me.known[seat, kind])
    return found


@rule
def unseen(table, me, seat):
    """How many cards of another seat's hand were never seen."""
    return np.int64(table.hand_size[seat]) - seen(me, seat) + np.int64(me.missing[seat])


@rule
def stays(me, seat):
    """The chance that a card seen to come to another seat is still there."""
    cards = seen(me, seat)
    if cards == 0:
        return 0.0
    return 1.0 - min(np.int64(me.missing[seat]), cards) / cards


@rule
def held_gems(me, rules, gem):
    """How many gems of a type the own hand has."""
    found = np.int64(0)
    for kind in range(rules.kinds):
        if rules.type[kind] == gem:
            found += np.int64(me.hand[kind]) * np.int64(rules.gems[kind])
    return found


@rule
def known_gems(me, rules, seat, gem):
    """How many gems of a type another seat was seen to get, less those that may be gone."""
    found = np.int64(0)
    for kind in range(rules.kinds):
        if rules.type[kind] == gem:
            found += np.int64(me.known[seat, kind]) * np.int64(rules.gems[kind])
    return found * stays(me, seat) if found > 0 else 0.0


@rule
def somewhere(table, me, rules, kind):
    """How many cards of a kind lie where this seat cannot see: in the deck or in hands."""
    found = np.int64(rules.copies[kind]) - np.int64(table.gone[kind]) - np.int64(me.hand[kind])
    for place in range(table.count):
        if table.market[place] == kind:
            found -= 1
    for seat in range(table.players):
        if seat != me.seat:
            found -= np.int64(me.known[seat, kind])
    return max(found, np.int64(0))


# -- what gems are worth


@shared
def look(table, me, rules):
    """How the own seat stands: `Sight`."""
    cards = np.int64(0)
    loose = (np.int64(0), np.int64(0), np.int64(0), np.int64(0))
    for kind in range(rules.kinds):
        there = somewhere(table, me, rules, kind)
        cards += there
        if rules.gems[kind] > 0:
            loose = added(loose, np.int64(rules.type[kind]), there * np.int64(rules.gems[kind]))
    share = 1.0 / cards if cards > 0 else 0.0
    own = (
        float(held_gems(me, rules, 0)),
        float(held_gems(me, rules, 1)),
        float(held_gems(me, rules, 2)),
        float(held_gems(me, rules, 3)),
    )
    rival = (0.0, 0.0, 0.0, 0.0)
    total = own
    for seat in range(table.players):
        if seat != me.seat:
            hidden = unseen(table, me, seat) * share
            sure = (
                known_gems(me, rules, seat, 0),
                known_gems(me, rules, seat, 1),
                known_gems(me, rules, seat, 2),
                known_gems(me, rules, seat, 3),
            )
            total = both(total, sure)
            rival = (
                max(rival[0], sure[0] + hidden * loose[0]),
                max(rival[1], sure[1] + hidden * loose[1]),
                max(rival[2], sure[2] + hidden * loose[2]),
                max(rival[3], sure[3] + hidden * loose[3]),
            )
    value = (
        expected(table, total, 0),
        expected(table, total, 1),
        expected(table, total, 2),
        expected(table, total, 3),
    )
    chance = (
        majority(own[0], rival[0]),
        majority(own[1], rival[1]),
        majority(own[2], rival[2]),
        majority(own[3], rival[3]),
    )
    return Sight(own, rival, value, chance)


@rule
def both(a, b):
    """Two times four numbers, added one by one."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3])


@rule
def added(numbers, at, more):
    """Four whole numbers, one of them with more."""
    a, b, c, d = numbers
    if at == 0:
        a += more
    elif at == 1:
        b += more
    elif at == 2:
        c += more
    else:
        d += more
    return (a, b, c, d)


@rule
def expected(table, total, gem):
    """Fashion and expected rarity of a type: the rarer, the fewer gems of it are known."""
    rarity = 1.0 * _r.FASHION
    for other in range(4):
        fewer = total[other] < total[gem]
        level = total[other] == total[gem] and table.value[other] > table.value[gem]
        if fewer or level:
            rarity -= 10.0
    return rarity + table.value[gem]


@rule
def majority(own, rival):
    """The chance of showing most gems of a type, with so many against the best rival's."""
    if own <= 0.0:
        return 0.0
    return min(max(0.5 + SOLE * (own - rival), LEAST), MOST)


@rule
def paid(rules, value, rings, bankers):
    """What a seller is paid for a type of this value."""
    if rules.banker_before_ring:
        value += 1.0 * _r.BANKED * bankers
    for _ in range(rings if rules.ring_stack != _r.ADDITIVE else 0):
        value *= 2.0
    if rules.ring_stack == _r.ADDITIVE:
        value *= 1.0 + rings
    if not rules.banker_before_ring:
        value += 1.0 * _r.BANKED * bankers
    return value


@rule
def best_type(sight, types):
    """The type of a mask whose value times chance is highest; the first of equals, -1 if none."""
    best, most = np.int64(-1), -1.0
    for gem in range(4):
        if (types >> gem) & 1 == 1:
            worth = sight.value[gem] * sight.chance[gem]
            if worth > most:
                best, most = np.int64(gem), worth
    return best


@shared
def known_rival(table, me, rules, gem):
    """Gems of a type of the rival who is known to have most."""
    most = 0.0
    for seat in range(table.players):
        if seat != me.seat:
            most = max(most, known_gems(me, rules, seat, gem))
    return most
