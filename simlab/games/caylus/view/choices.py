"""What `greedy_value` answers to every kind of decision (RULES.md section 16)."""

from __future__ import annotations

import numpy as np

from simlab.core.bits import lowest
from simlab.core.functions import rule, shared
from simlab.games.caylus import actions as _a
from simlab.games.caylus.rules import records as _r
from simlab.games.caylus.rules.board import places
from simlab.games.caylus.rules.stock import GIVEN, PAIR_COUNT, bit, lane, one
from simlab.games.caylus.view.worth import (
    CLOSE,
    better_way,
    column_value,
    line_value,
    look,
    place_value,
    price_of,
    rate_value,
    residence_value,
    rounds_left,
    scarcest,
    simple_favor,
    tile_effect,
    tile_value,
    usual,
    way_of,
    with_money,
)

NOT_ALLOWED = -1e9


@rule
def options(table, me):
    """The legal codes of the decision that is asked, as a mask; bars count unless they bar all."""
    free = np.int64(table.options) & ~np.int64(me.barred[table.decision])
    return free if free != 0 else np.int64(table.options)


# -- placing


@rule
def gate_value(table, rules, w, sight):
    """Half of the best value among the places that a worker at the gate could go to, at least 0."""
    best = 0.0
    rest = places(table, sight.seat) & ~bit(_a.AT_GATE)
    while rest != 0:
        code = lowest(rest)
        rest &= rest - 1
        best = max(best, place_value(table, rules, w, sight, code))
    return best / 2


@shared
def net(table, rules, w, sight, code):
    """What a worker on a place is worth, its price subtracted; `sight` as before it is paid."""
    paid = price_of(table, rules, sight.seat, code)
    after = with_money(sight, sight.money - paid)
    if code == _a.AT_GATE:
        return gate_value(table, rules, w, after) - w.denier * paid
    return place_value(table, rules, w, after, code) - w.denier * paid


@shared
def best_place(table, rules, w, sight, allowed, theta, liked, extra):
    """The place with the best `net` above `theta` among allowed codes; 0 (pass) if there is none.

    liked: codes that are worth `extra` more.
    """
    rest = np.int64(allowed) & ~np.int64(1)
    best, most = np.int64(0), theta
    gated = False
    while rest != 0:
        code = lowest(rest)
        rest &= rest - 1
        if code == _a.AT_GATE:
            gated = True
            continue
        value = net(table, rules, w, sight, code)
        if (np.int64(liked) >> code) & 1:
            value += extra
        if value > most + CLOSE:
            best, most = code, value
    if gated:
        value = net(table, rules, w, sight, np.int64(_a.AT_GATE))
        if value > most + CLOSE or (value > most - CLOSE and best > _a.AT_GATE):
            return np.int64(_a.AT_GATE)
    return best


@shared
def best_target(table, rules, w, sight, allowed):
    """The place where a worker at the gate is worth most, if anything; else 0, to return."""
    rest = np.int64(allowed) & ~np.int64(1)
    best, most = np.int64(0), 0.0
    while rest != 0:
        code = lowest(rest)
        rest &= rest - 1
        value = place_value(table, rules, w, sight, code)
        if value > most + CLOSE:
            best, most = code, value
    return best


# -- the provost


@rule
def worker_value(table, rules, w, seat, space):
    """What it is worth to a seat that the worker of a space comes into action (D3, D6)."""
    if (np.int64(table.busy) >> space) & 1 == 0:
        return 0.0
    user = np.int64(table.worker[space])
    sight = look(table, rules, user, w)
    value = tile_effect(table, rules, w, sight, np.int64(table.tile[space]))
    return value if user == seat else -w.spite * value / (table.players - 1)


@shared
def best_shift(table, rules, w, seat, allowed, paid, haste):
    """The code (3 + shift) that helps a seat most and its rivals least.

    paid: whether spaces cost a denier; haste: what it is worth that the bailiff takes two steps.
    """
    base = np.int64(table.provost) - 3
    best, most = np.int64(3), NOT_ALLOWED
    total = 0.0  # what happens on the spaces up to the provost, those below `base` left out
    for code in range(7):
        if code > 0 and base + code > 0:
            total += worker_value(table, rules, w, seat, base + code)
        if (np.int64(allowed) >> code) & 1 == 0:
            continue
        distance = abs(code - 3)
        value = total - (w.denier * distance if paid else 0.0)
        if base + code > table.bailiff:
            value += haste
        near = abs(best - 3)
        tie = abs(value - most) <= CLOSE and (distance < near or (distance == near and code > 3))
        if value > most + CLOSE or tie:
            best, most = np.int64(code), value
    return best


# -- cubes


@rule
def most_held(cubes, kinds):
    """The plain kind of a set (bits 0 to 3) that is held most; -1 if the set is empty."""
    best = np.int64(-1)
    for kind in range(4):
        if (kinds >> kind) & 1 and (best < 0 or lane(cubes, kind) > lane(cubes, best)):
            best = np.int64(kind)
    return best


@rule
def least_held(cubes):
    """The plain kind that is held least."""
    best = np.int64(0)
    for kind in range(1, 4):
        if lane(cubes, kind) < lane(cubes, best):
            best = np.int64(kind)
    return best


@rule
def cube_to_give(table, seat, allowed):
    """D9: the plain kind held most; gold only where it must be, which is never at a market."""
    kind = most_held(np.int64(table.cubes_word[seat]), (np.int64(allowed) >> 1) & 15)
    return kind + 1 if kind >= 0 else lowest(allowed)


@rule
def pair_code(first, second):
    """The code of D10 that takes two cubes."""
    low, high = min(first, second), max(first, second)
    return np.int64(5) + low * 4 - low * (low - 1) // 2 + (high - low)


@rule
def cubes_to_take(table, rules, w, seat, allowed):
    """D10: the kind held least, twice where that pays."""
    cubes = np.int64(table.cubes_word[seat])
    first = least_held(cubes)
    second = least_held(cubes + one(first))
    swapping = allowed & 1 == 0
    pair = bit(pair_code(first, second))
    if allowed & pair and (swapping or w.cube > w.denier + CLOSE):
        return lowest(pair)
    tile = np.int64(table.tile[table.space])
    if (allowed >> (first + 1)) & 1 and w.cube > w.denier * rules.price[tile, 0] + CLOSE:
        return first + 1
    return lowest(allowed)


@rule
def cubes_for_gold(table, seat, allowed):
    """D16: cubes one by one of the kind held most."""
    cubes = np.int64(table.cubes_word[seat])
    number = 2 if lowest(allowed) < PAIR_COUNT else 4
    word = np.int64(0)
    for _ in range(number):
        kind = most_held(cubes - word, np.int64(15))
        word += one(kind)
    for code in range(len(GIVEN)):
        if (allowed >> code) & 1 and GIVEN[code] == word:
            return np.int64(code)
    return lowest(allowed)


@rule
def batch(table, seat, allowed):
    """D17: the plain batch with the largest stocks; one with gold only as the first; else stop."""
    cubes, best, most = np.int64(table.cubes_word[seat]), np.int64(0), np.int64(-1)
    for code in range(1, 7):
        if (allowed >> code) & 1 == 0:
            continue
        first, second = np.int64(_a.BATCHES[code - 1][0]), np.int64(_a.BATCHES[code - 1][1])
        golden = second == 4
        if golden and (most >= 0 or table.batches[seat] > 0):
            continue
        held = lane(cubes, first) + (table.gold[seat] if golden else lane(cubes, second))
        if held > most:
            best, most = np.int64(code), np.int64(held)
    return best


# -- tiles and favors


@shared
def best_tile(table, rules, w, seat, allowed, first, prices):
    """The code of the tile worth most; 0, where that is legal, unless it is worth something."""
    left, favor = rounds_left(table, rules), simple_favor(table, rules, seat, w)
    best, most = np.int64(0), 0.0 if allowed & 1 else NOT_ALLOWED
    rest = np.int64(allowed) & ~np.int64(1)
    while rest != 0:
        code = lowest(rest)
        rest &= rest - 1
        value = tile_value(rules, w, left, favor, first + code, prices)
        if value > most + CLOSE:
            best, most = code, value
    return best


@rule
def best_site(table, rules, w, seat, allowed):
    """D13: the lowest neutral tile, if a residence is worth its price."""
    neutral = np.int64(allowed) & np.int64(table.neutral)
    if neutral == 0:
        return lowest(allowed)
    if allowed & 1:
        tile = np.int64(table.tile[table.space])
        deniers, cloth = np.int64(rules.price[tile, 0]), np.int64(rules.price[tile, 1])
        left, money = rounds_left(table, rules), np.int64(table.deniers[seat])
        if residence_value(table, rules, w, seat, left, deniers, cloth, money) <= CLOSE:
            return np.int64(0)
    return lowest(neutral)


@rule
def best_rate(table, rules, w, allowed):
    """D15: the rate that brings most, if anything."""
    tile = np.int64(table.tile[table.space])
    best, most = np.int64(0), 0.0
    for rate in range(2):
        value = rate_value(rules, w, tile, rate)
        if (allowed >> (rate + 1)) & 1 and value > most + CLOSE:
            best, most = np.int64(rate + 1), value
    return best


@shared
def best_line(table, rules, w, sight, allowed):
    """D18: the line of largest value among allowed ones."""
    best, most = np.int64(0), NOT_ALLOWED
    for line in range(4):
        if (np.int64(allowed) >> line) & 1:
            value = line_value(table, rules, w, sight, line)
            if value > most + CLOSE:
                best, most = np.int64(line), value
    return best


@rule
def cubes_column(table, rules, seat, allowed):
    """D19 on the line of cubes: gold if it is there, else the kind held least."""
    cubes = np.int64(table.cubes_word[seat])
    best, least = np.int64(0), np.int64(16384)
    for column in range(1, 6):
        if (allowed >> column) & 1 == 0 or rules.favor_effect[2, column] != _r.PRODUCES_FAVOR:
            continue
        for way in range(rules.favor_choices[2, column]):
            held = np.int64(-1)
            if rules.favor_gold[2, column, way] == 0:
                held = scarcest(cubes, rules.favor_product[2, column, way])
            if held < least:
                best, least = np.int64(column), held
    return best


@shared
def best_column(table, rules, w, sight, allowed):
    """D19: the column to use, 0 for none."""
    if table.line == 2:
        return cubes_column(table, rules, np.int64(sight.seat), np.int64(allowed))
    best, most = np.int64(0), 0.0
    for column in range(1, 6):
        if (np.int64(allowed) >> column) & 1:
            value = column_value(table, rules, w, sight, column)
            if value > most + CLOSE:
                best, most = np.int64(column), value
    return best


@rule
def favor_way(table, rules, w, seat):
    """D7 of a favor: as that of a tile."""
    line, column = np.int64(table.line), np.int64(table.column)
    return way_of(
        w,
        np.int64(table.cubes_word[seat]),
        np.int64(rules.favor_product[line, column, 0]),
        np.int64(rules.favor_product[line, column, 1]),
        np.int64(rules.favor_gold[line, column, 0]),
        np.int64(rules.favor_gold[line, column, 1]),
    )


@rule
def owner_way(table, rules, w, seat):
    """D8: the cube of higher value, then the one held least."""
    tile = np.int64(table.tile[table.space])
    return way_of(
        w,
        np.int64(table.cubes_word[seat]),
        np.int64(rules.owner_product[tile, 0]),
        np.int64(rules.owner_product[tile, 1]),
        np.int64(rules.owner_gold[tile, 0]),
        np.int64(rules.owner_gold[tile, 1]),
    )


@shared
def answer(table, me, rules, w, theta):
    """The action of `greedy_value` for whatever is asked, under these weights."""
    decision, seat = np.int64(table.decision), np.int64(me.seat)
    return _a.FIRST[decision] + code_of(table, rules, w, seat, decision, options(table, me), theta)


@shared
def code_of(table, rules, w, seat, decision, allowed, theta):
    """The code that answers a decision out of the allowed ones."""
    if decision == _a.PLACE:
        if allowed == 1:
            return np.int64(0)
        sight = look(table, rules, seat, w)
        code = best_place(table, rules, w, sight, allowed, theta, np.int64(0), 0.0)
        return code if (allowed >> code) & 1 else lowest(allowed)
    if decision == _a.GATE:
        sight = look(table, rules, seat, w)
        code = best_target(table, rules, w, sight, allowed)
    elif decision == _a.PROVOST:
        code = best_shift(table, rules, w, seat, allowed, True, 0.0)
    elif decision == _a.GUILD:
        code = best_shift(table, rules, w, seat, allowed, False, 0.0)
    elif decision == _a.JOUST:
        sight = look(table, rules, seat, w)
        price = w.denier * rules.joust_deniers + w.cube * rules.joust_cloth
        code = np.int64(sight.favor * rules.joust_favors > price + CLOSE)
    elif decision == _a.DELIVER:
        code = batch(table, seat, allowed)
    elif decision == _a.FAVOR:
        code = best_line(table, rules, w, look(table, rules, seat, w), allowed)
    elif decision == _a.COLUMN:
        code = best_column(table, rules, w, look(table, rules, seat, w), allowed)
    else:
        code = code_of_effect(table, rules, w, seat, decision, allowed)
    return code if (allowed >> code) & 1 else lowest(allowed)


@shared
def code_of_effect(table, rules, w, seat, decision, allowed):
    """The code that answers a decision about cubes and tiles."""
    column = np.int64(table.column)
    tile = np.int64(table.tile[table.space])
    if decision == _a.PRODUCE:
        if column > 0:
            return favor_way(table, rules, w, seat)
        return better_way(table, rules, w, np.int64(table.cubes_word[seat]), tile)
    if decision == _a.OWNER:
        return owner_way(table, rules, w, seat)
    if decision == _a.GIVE:
        return cube_to_give(table, seat, allowed)
    if decision == _a.TAKE:
        return cubes_to_take(table, rules, w, seat, allowed)
    if decision == _a.BUILD_WOOD:
        return best_tile(table, rules, w, seat, allowed, np.int64(_a.WOOD), column)
    if decision == _a.BUILD_STONE:
        return best_tile(table, rules, w, seat, allowed, np.int64(_a.STONE), column)
    if decision == _a.BUILD_PRESTIGE:
        return best_tile(table, rules, w, seat, allowed, np.int64(_a.PRESTIGE), column)
    if decision == _a.TRANSFORM:
        return best_site(table, rules, w, seat, allowed)
    if decision == _a.EXCHANGE:
        return best_rate(table, rules, w, allowed)
    if decision == _a.ALCHEMY:
        return cubes_for_gold(table, seat, allowed)
    return np.int64(1)  # stay in the inn


@shared
def default(table, me, rules):
    """What a strategy does that has no idea of its own: as `greedy_value` with its defaults."""
    return answer(table, me, rules, usual(table, rules), 0.0)
