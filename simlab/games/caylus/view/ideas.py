"""What single ideas look for: tiles to own, prestige tiles, gold, cheap workers, the provost."""

from __future__ import annotations

import numpy as np

from simlab.core.bits import lowest
from simlab.core.functions import rule, shared
from simlab.games.caylus import actions as _a
from simlab.games.caylus.rules import records as _r
from simlab.games.caylus.rules.board import price
from simlab.games.caylus.rules.builds import PRESTIGE_TILES, payable, prestige_tiles
from simlab.games.caylus.rules.stock import bit, lane, plain
from simlab.games.caylus.view.choices import answer, batch, options
from simlab.games.caylus.view.sets import has, on_road, produces_like, up_to
from simlab.games.caylus.view.worth import (
    look,
    place_value,
    price_of,
    reach,
    reached,
    rounds_left,
    tile_effect,
)


@rule
def action(table, me, code):
    """The action of a code of the decision asked; the lowest legal one if it is not legal."""
    allowed = options(table, me)
    if code < 0 or not has(allowed, code):
        code = lowest(allowed)
    return _a.FIRST[table.decision] + np.int64(code)


@rule
def stop(table, me, rules, w):
    """Pass (D1); where that is barred, as `greedy_value`."""
    if has(options(table, me), 0):
        return np.int64(_a.TO_PLACE)
    return answer(table, me, rules, w, 0.0)


@rule
def any_batch(table, seat, allowed):
    """A batch (D17), plain ones first; 0 where there is none."""
    code = batch(table, seat, allowed)
    rest = np.int64(allowed) & ~np.int64(1)
    return lowest(rest) if code == 0 and rest != 0 else code


# -- places


@rule
def next_price(table, rules, seat):
    """The deniers of the next worker of a seat, own tiles apart."""
    return price(table, rules, seat)


@shared
def cheapest(table, rules, seat, codes):
    """The place of a set whose worker costs least, then the first; 0 if there is none."""
    best, least = np.int64(0), np.int64(1000)
    rest = np.int64(codes) & ~np.int64(1)
    while rest != 0:
        code = lowest(rest)
        rest &= rest - 1
        paid = price_of(table, rules, seat, code)
        if paid < least:
            best, least = code, paid
    return best


@rule
def own_places(table, seat, codes):
    """Those places of a set that are the seat's own wood and stone tiles."""
    return np.int64(codes) & (np.int64(table.crafts[seat]) << _a.ROAD)


@shared
def useful(table, rules, w, sight, codes):
    """Those road places of a set whose tile brings more than it takes."""
    found = np.int64(0)
    rest = on_road(codes)
    while rest != 0:
        code = lowest(rest)
        rest &= rest - 1
        if place_value(table, rules, w, sight, code) > 0.0:
            found |= bit(code)
    return found


@rule
def placed(table, rules, seat):
    """How many workers a seat has on the board, the guest of the inn's right circle apart."""
    at_work = np.int64(rules.start_workers[table.players, seat + 1]) - table.workers[seat]
    return at_work - 1 if table.inn[1] == seat else at_work


@shared
def squeezed(table, rules, seat):
    """How many workers fewer the rivals can pay if a seat passes now."""
    lost = np.int64(0)
    after = np.int64(2) + table.passed
    if table.players == 2:
        after = np.int64(rules.two_player_pass_cost)
    for rival in range(table.players):
        if rival == seat or (table.away >> rival) & 1 or table.inn[1] == rival:
            continue
        now = np.int64(table.deniers[rival]) // price(table, rules, rival)
        then = np.int64(table.deniers[rival]) // after
        lost += min(now, np.int64(table.workers[rival])) - min(then, np.int64(table.workers[rival]))
    return lost


@rule
def can_outlast(table, seat):
    """Whether a rival who has not passed has fewer deniers than a seat."""
    for rival in range(table.players):
        playing = rival != seat and (table.away >> rival) & 1 == 0
        if playing and table.deniers[rival] < table.deniers[seat]:
            return True
    return False


# -- tiles to own


@rule
def first_listed(table, rules, seat, tiles):
    """The first tile of a list that a seat can build at its normal price; 0 if none."""
    if table.empty != 0:
        for tile in tiles:
            if has(table.supply, tile) and payable(table, rules, seat, tile, np.int64(0)):
                return np.int64(tile)
    return np.int64(0)


@shared
def best_to_own(table, rules, w, allowed, first, visits):
    """The code (tile `first` + code) best to own: points, and visits of rivals; 0 if none is."""
    left = rounds_left(table, rules)
    best, most = np.int64(0), 0.0
    rest = np.int64(allowed) & ~np.int64(1)
    while rest != 0:
        code = lowest(rest)
        rest &= rest - 1
        tile = first + code
        comes = 2.0 if rules.owner_choices[tile] > 0 else 1.0
        value = rules.points[tile] + visits * left * comes
        value -= w.cube * rules.cost_cubes[0, tile]
        if value > most or (best == 0 and not has(allowed, 0)):
            best, most = code, value
    return best


@shared
def rival_source(table, rules, seat, allowed):
    """The first neutral tile (D13) that produces a cube which an own tile produces; 0 if none."""
    rest = np.int64(allowed) & np.int64(table.neutral)
    while rest != 0:
        space = lowest(rest)
        rest &= rest - 1
        if produces_like(table, rules, seat, np.int64(table.tile[space])):
            return space
    return np.int64(0)


@rule
def favor_builds(table, rules, seat, wooden, stony):
    """Whether a favor on the line of buildings could build a listed tile."""
    column = reached(table, rules, seat, 3)
    if table.empty == 0 or column < 2:
        return False
    for tile in wooden:
        if has(table.supply, tile) and payable(table, rules, seat, tile, np.int64(2)):
            return True
    for tile in stony:
        payable_now = has(table.supply, tile) and payable(table, rules, seat, tile, np.int64(3))
        if column >= 3 and payable_now:
            return True
    return False


# -- residences and prestige


@rule
def can_settle(table, rules, seat):
    """Whether a seat can pay a lawyer on the road for a residence, and the worker before."""
    if table.lawyers == 0:
        return False
    tile = np.int64(table.tile[lowest(table.lawyers)])
    deniers = np.int64(rules.price[tile, 0]) + price(table, rules, seat)
    cloth = lane(table.cubes_word[seat], 3)
    return table.deniers[seat] >= deniers and cloth >= rules.price[tile, 1]


@shared
def least_useful(table, rules, w, seat, allowed):
    """The neutral tile (D13) that is of least use to a seat; else the lowest code."""
    rest = np.int64(allowed) & np.int64(table.neutral)
    if rest == 0:
        return lowest(allowed)
    sight = look(table, rules, seat, w)
    best, least = np.int64(0), 1e9
    while rest != 0:
        space = lowest(rest)
        rest &= rest - 1
        value = reach(table, w, sight, space)
        value *= tile_effect(table, rules, w, sight, np.int64(table.tile[space]))
        if value < least:
            best, least = space, value
    return best


@rule
def blue_value(table, rules, tile):
    """Points of a prestige tile, three for a favor, and its income for the rounds left."""
    left = rounds_left(table, rules)
    return rules.points[tile] + 3 * rules.tile_favors[tile] + rules.tile_income[tile] * left


@shared
def best_blue(table, rules, seat, allowed):
    """The code of the best prestige tile (D14) of a set; 0 if there is none."""
    best, most = np.int64(0), np.int64(-1)
    rest = np.int64(allowed) & ~np.int64(1)
    while rest != 0:
        code = lowest(rest)
        rest &= rest - 1
        value = np.int64(blue_value(table, rules, _a.PRESTIGE + code))
        if value > most:
            best, most = code, value
    return best


@rule
def payable_blue(table, rules, seat):
    """The codes of D14 that a seat could build now, on a residence of its own."""
    return prestige_tiles(table, rules, seat, np.int64(0))


@rule
def lacking(table, rules, seat, tile, kind):
    """How many cubes of a plain kind a seat lacks for a tile."""
    have = lane(table.cubes_word[seat], kind)
    return max(lane(rules.cost[0, tile], kind) - have, np.int64(0))


@shared
def target_blue(table, rules, seat):
    """The prestige tile to save for: its value, 3 less for each gold lacking, 1 for each cube."""
    best, most = np.int64(0), np.int64(-1000)
    rest = np.int64(table.supply) & PRESTIGE_TILES
    while rest != 0:
        tile = lowest(rest)
        rest &= rest - 1
        value = np.int64(blue_value(table, rules, tile))
        value -= 3 * max(np.int64(rules.cost_gold[0, tile]) - table.gold[seat], np.int64(0))
        for kind in range(4):
            value -= lacking(table, rules, seat, tile, kind)
        if value > most:
            best, most = tile, value
    return best


@shared
def brings_for(table, rules, seat, tile, target):
    """How much of what a seat lacks for a prestige tile one use of a tile brings; gold counts 3."""
    gold = np.int64(rules.cost_gold[0, target]) - table.gold[seat]
    if rules.effect[tile] == _r.EXCHANGES:
        buys = rules.pays[tile, 0] == _r.PAY_DENIERS and rules.gets[tile, 0] == _r.PAY_GOLD
        left = np.int64(table.deniers[seat]) - price(table, rules, seat)
        return np.int64(3 if buys and gold > 0 and left >= rules.price[tile, 0] else 0)
    most = np.int64(0)
    if rules.effect[tile] == _r.PRODUCES:
        for way in range(rules.choices[tile]):
            gain = np.int64(3 if gold > 0 and rules.product_gold[tile, way] > 0 else 0)
            for kind in range(4):
                lack = lacking(table, rules, seat, target, kind)
                gain += min(lane(rules.product[tile, way], kind), lack)
            most = max(most, gain)
    return most


@shared
def best_for_blue(table, rules, seat, allowed):
    """The place up to the provost that brings most of what the target lacks a denier; or 0."""
    target = target_blue(table, rules, seat)
    best, most = np.int64(0), 0.0
    rest = on_road(up_to(allowed, table.provost))
    while rest != 0 and target > 0:
        code = lowest(rest)
        rest &= rest - 1
        tile = np.int64(table.tile[code - _a.ROAD])
        gain = 1.0 * brings_for(table, rules, seat, tile, target)
        gain /= price_of(table, rules, seat, code)
        if gain > most:
            best, most = code, gain
    return best


# -- gold


@shared
def forward_to_mine(table, rules, seat, allowed, most):
    """The least shift, up to `most`, that brings the provost to an own worker on gold; 0: none."""
    busy = np.int64(table.busy) >> (np.int64(table.provost) + 1)
    for shift in range(1, most + 1):
        space = table.provost + shift
        if busy & 1 and table.worker[space] == seat:
            tile = np.int64(table.tile[space])
            gold = rules.effect[tile] == _r.PRODUCES and rules.product_gold[tile, 0] > 0
            if gold and has(allowed, 3 + shift):
                return np.int64(shift)
        busy >>= 1
    return np.int64(0)


@rule
def can_advance(table, rules, seat, line):
    """Whether a favor would advance the marker of a line."""
    return reached(table, rules, seat, line) > table.marker[seat, line]


@rule
def spare_cubes(table, seat):
    """How many plain cubes a seat has beyond one batch."""
    return plain(table.cubes_word[seat]) - 3


# -- the provost


@shared
def back_to_own(table, seat, allowed, most):
    """The code (3 + shift) that moves the provost back, up to `most`; -1 if there is no reason.

    Not below the bailiff or a worker of one's own; not if one's own worker waits beyond.
    """
    if table.busy >> (np.int64(table.provost) + 1) != 0:
        for space in range(table.provost + 1, min(table.provost + 4, _r.ROOM)):
            if has(table.busy, space) and table.worker[space] == seat:
                return np.int64(-1)
    low = np.int64(table.bailiff)
    for space in range(low, table.provost + 1):
        if has(table.busy, space) and table.worker[space] == seat:
            low = np.int64(space)
    shift = min(np.int64(most), table.provost - low)
    while shift > 0 and not has(allowed, 3 - shift):
        shift -= 1
    return 3 - shift if shift > 0 else np.int64(-1)


@rule
def pull(table, seat, lead):
    """1 if a seat leads by so many points, -1 if it trails by them, else 0."""
    best = np.int64(-1000)
    for rival in range(table.players):
        if rival != seat:
            best = max(best, np.int64(table.points[rival]))
    if table.points[seat] >= best + lead:
        return 1
    return -1 if table.points[seat] <= best - lead else 0
