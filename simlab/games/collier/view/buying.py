"""What cards are worth to a seat, and which to buy together (RULES.md section 16.2)."""

from __future__ import annotations

import numpy as np

from simlab.core.functions import rule, shared
from simlab.games.collier.actions import BUY, ENOUGH, PLACES, TAKE
from simlab.games.collier.rules import records as _r
from simlab.games.collier.rules.turn import price_at
from simlab.games.collier.view.knowing import best_type, majority, paid

# What characters are worth, in points, by role: Confessor to Astrologer, and the King, Necklace.
WORTH_OF_ROLE = (2.0, 6.0, 8.0, 8.0, 10.0, 8.0, 6.0, 4.0, 10.0, 12.0, 0.0, 10.0, 10.0, 0.0, 0.0)
LATER = 1.0  # a gem that brings no chance now, in points
ALL_TYPES = 0b1111


@rule
def price(table, rules, place):
    """The marked price of a place of the market, in ducats."""
    return price_at(table, rules, place)


@rule
def gem_worth(sight, gem, gems):
    """What so many gems of a type add to the points that it may bring, and a little for later."""
    gain = majority(sight.own[gem] + gems, sight.rival[gem]) - sight.chance[gem]
    return sight.value[gem] * gain + LATER * gems


@shared
def worth(table, me, rules, sight, kind):
    """What a card of this kind is worth to the own seat, in points."""
    if rules.gems[kind] > 0:
        return gem_worth(sight, np.int64(rules.type[kind]), 1.0 * rules.gems[kind])
    role = np.int64(rules.role[kind])
    if role == _r.RING or role == _r.BANKER:
        gem = best_type(sight, ALL_TYPES)
        rings = np.int64(me.hand[rules.of_role[_r.RING]])
        bankers = np.int64(me.hand[rules.of_role[_r.BANKER]])
        now = paid(rules, sight.value[gem], rings, bankers)
        if role == _r.RING:
            more = paid(rules, sight.value[gem], rings + 1, bankers)
        else:
            more = paid(rules, sight.value[gem], rings, bankers + 1)
        return max(sight.chance[gem], 0.3) * (more - now)
    return WORTH_OF_ROLE[role]


@rule
def affordable(allowed):
    """The places that may be bought, as a mask: of legal codes of the purchase."""
    return (allowed >> (BUY - ENOUGH)) & ((1 << PLACES) - 1)


@rule
def takeable(allowed):
    """The places that the Queen may take, as a mask: of legal codes of the purchase."""
    return (allowed >> (TAKE - ENOUGH)) & ((1 << PLACES) - 1)


@rule
def best_set(table, rules, worths, places, budget):
    """The places to buy together, as a mask: most worth within the budget, 0 if none is worth it.

    worths: of the five places; the cheaper set of equals.
    """
    best, most, least = np.int64(0), 0.0, np.int64(0)
    for chosen in range(1, 1 << PLACES):
        if chosen & ~places == 0:
            total, cost = 0.0, np.int64(0)
            for place in range(PLACES):
                if (chosen >> place) & 1 == 1:
                    total += worths[place]
                    cost += price_at(table, rules, place)
            better = total > most or (total == most and cost < least)
            if cost <= budget and better:
                best, most, least = np.int64(chosen), total, cost
    return best


@rule
def worths(table, me, rules, sight):
    """What the cards of the five places are worth; nothing where none lies."""
    return (
        worth_at(table, me, rules, sight, 0),
        worth_at(table, me, rules, sight, 1),
        worth_at(table, me, rules, sight, 2),
        worth_at(table, me, rules, sight, 3),
        worth_at(table, me, rules, sight, 4),
    )


@rule
def worth_at(table, me, rules, sight, place):
    """What the card of a place is worth."""
    if place >= table.count:
        return 0.0
    return worth(table, me, rules, sight, np.int64(table.market[place]))


@rule
def among(table, rules, values, types, others):
    """The worths of the five places, those of gems only for types of a mask.

    others: of what is no gem, 2 all, 1 rings and Bankers only, 0 none.
    """
    return (
        values[0] if is_among(table, rules, 0, types, others) else 0.0,
        values[1] if is_among(table, rules, 1, types, others) else 0.0,
        values[2] if is_among(table, rules, 2, types, others) else 0.0,
        values[3] if is_among(table, rules, 3, types, others) else 0.0,
        values[4] if is_among(table, rules, 4, types, others) else 0.0,
    )


@rule
def is_among(table, rules, place, types, others):
    """Whether the card of a place is a gem of a mask of types, or one of the others."""
    if place >= table.count:
        return False
    kind = np.int64(table.market[place])
    if rules.gems[kind] > 0:
        return (types >> np.int64(rules.type[kind])) & 1 == 1
    role = np.int64(rules.role[kind])
    return others == 2 or (others == 1 and role in (_r.RING, _r.BANKER))


@rule
def first_place(places):
    """The lowest place of a mask; -1 if there is none."""
    for place in range(PLACES):
        if (places >> place) & 1 == 1:
            return np.int64(place)
    return np.int64(-1)


@shared
def cheapest(table, rules, places):
    """The place of a mask with the lowest price, the oldest of equals; -1 if there is none."""
    best = np.int64(-1)
    for place in range(PLACES):
        if (places >> place) & 1 == 0:
            continue
        if best < 0 or price_at(table, rules, place) < price_at(table, rules, best):
            best = np.int64(place)
    return best


@shared
def dearest(table, rules, places):
    """The place of a mask with the highest price, the oldest of equals; -1 if there is none."""
    best = np.int64(-1)
    for place in range(PLACES):
        if (places >> place) & 1 == 0:
            continue
        if best < 0 or price_at(table, rules, place) > price_at(table, rules, best):
            best = np.int64(place)
    return best


@shared
def buy(table, me, rules, values, allowed):
    """Buy the next card of the best set; take the best that is left over with the Queen; stop.

    values: what the five places are worth. Where nothing is worth it but something must be bought,
    the cheapest card.
    """
    places = affordable(allowed)
    chosen = best_set(table, rules, values, places, np.int64(table.budget))
    taken = queen_takes(table, rules, values, takeable(allowed), chosen)
    if taken >= 0:
        return TAKE + taken
    if chosen != 0:
        return BUY + first_place(chosen)
    if allowed & 1 == 1 or places == 0:
        return np.int64(ENOUGH)
    return BUY + cheapest(table, rules, places)


@rule
def queen_takes(table, rules, values, places, chosen):
    """The place that the Queen takes: worth most of those not bought, if it is dear; else -1."""
    best = np.int64(-1)
    for place in range(PLACES):
        open_ = (places & ~chosen) >> place & 1 == 1
        if open_ and (best < 0 or values[place] > values[best]):
            best = np.int64(place)
    if best >= 0 and values[best] >= WORTH_OF_ROLE[_r.QUEEN]:
        return best
    return np.int64(-1)
