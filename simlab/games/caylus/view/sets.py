"""Sets of codes and tiles for strategies: what is legal and also cheap, near, or of some use."""

from __future__ import annotations

import numpy as np

from simlab.core.bits import lowest
from simlab.core.functions import rule, shared
from simlab.games.caylus.actions import ROAD
from simlab.games.caylus.rules import records as _r
from simlab.games.caylus.rules.board import price
from simlab.games.caylus.rules.stock import bit
from simlab.games.caylus.view.worth import batches, price_of, projected

BEFORE_BRIDGE = 0b11111111  # codes of passing and of the places before the bridge


@rule
def has(codes, code):
    """Whether a set has a code."""
    return (np.int64(codes) >> np.int64(code)) & 1 == 1


@rule
def keeping(table, rules, seat, codes, floor):
    """Those places of a set after which a seat still has `floor` deniers; passing is not one."""
    places = np.int64(codes) & ~np.int64(1)
    if table.deniers[seat] - price(table, rules, seat) >= floor:
        return places
    if table.deniers[seat] - 1 >= floor:
        return places & (np.int64(table.crafts[seat]) << ROAD)
    return np.int64(0)


@rule
def up_to(codes, space):
    """Those places of a set that are not beyond a road space."""
    return np.int64(codes) & (bit(np.int64(space) + ROAD + 1) - 1)


@rule
def on_road(codes):
    """Those places of a set that are on the road."""
    return np.int64(codes) & ~np.int64(BEFORE_BRIDGE)


@shared
def where(table, rules, codes, effect, pays, gets):
    """Those road places of a set whose tile has an effect, takes `pays` and brings `gets`.

    The kinds (4 gold, 5 deniers, 6 points) are those of the first rate; -1 is any.
    """
    found = np.int64(0)
    rest = on_road(codes)
    while rest != 0:
        code = lowest(rest)
        rest &= rest - 1
        tile = np.int64(table.tile[code - ROAD])
        if rules.effect[tile] != effect:
            continue
        fits = pays < 0 or rules.pays[tile, 0] == pays
        if fits and (gets < 0 or rules.gets[tile, 0] == gets):
            found |= bit(code)
    return found


@rule
def doing(table, rules, codes, effect):
    """Those road places of a set whose tile has an effect (`MARKET`, `BUILDS_WOOD` ...)."""
    return where(table, rules, codes, effect, -1, -1)


@rule
def bringing(table, rules, codes, kind):
    """Those road places of a set whose tile exchanges something for a kind (4 gold, 6 points)."""
    return where(table, rules, codes, _r.EXCHANGES, -1, kind)


@rule
def selling(table, rules, codes, kind):
    """Those road places of a set whose tile takes a kind (4 gold) for points."""
    return where(table, rules, codes, _r.EXCHANGES, kind, _r.PAY_POINTS)


@shared
def mining(table, rules, codes):
    """Those road places of a set whose tile produces gold."""
    found = np.int64(0)
    rest = doing(table, rules, codes, _r.PRODUCES)
    while rest != 0:
        code = lowest(rest)
        rest &= rest - 1
        if rules.product_gold[table.tile[code - ROAD], 0] > 0:
            found |= bit(code)
    return found


@shared
def best_supply(table, rules, w, seat, codes):
    """The place up to the provost that adds most batches for a denier; food first; 0 for none.

    The cubes are those held and those that own workers up to the provost will produce.
    """
    cubes = projected(table, rules, w, seat, np.int64(table.provost))
    before = batches(cubes)
    best, most = np.int64(0), 0.0
    rest = on_road(up_to(codes, table.provost))
    while rest != 0:
        code = lowest(rest)
        rest &= rest - 1
        tile = np.int64(table.tile[code - ROAD])
        if rules.effect[tile] != _r.PRODUCES:
            continue
        for way in range(rules.choices[tile]):
            product = np.int64(rules.product[tile, way])
            gain = 1.0 * (batches(cubes + product) - before) / price_of(table, rules, seat, code)
            if product & 0xFFFF:
                gain *= 1.0 + 1e-6
            if gain > most:
                best, most = code, gain
    return best


@rule
def own_batches(table, rules, w, seat):
    """The plain batches that a seat will have, with what its workers up to the provost produce."""
    return batches(projected(table, rules, w, seat, np.int64(table.provost)))


@rule
def first_of(codes, order):
    """The first number of a list that is in a set; 0 if none is."""
    for number in order:
        if (np.int64(codes) >> number) & 1:
            return np.int64(number)
    return np.int64(0)


@rule
def produces_like(table, rules, seat, tile):
    """Whether a seat owns a tile on the road that produces a cube that this tile produces."""
    rest = np.int64(table.crafts[seat])
    while rest != 0:
        own = np.int64(table.tile[lowest(rest)])
        rest &= rest - 1
        if rules.effect[own] == _r.PRODUCES and rules.effect[tile] == _r.PRODUCES:
            for kind in range(4):
                if makes(rules, own, kind) and makes(rules, tile, kind):
                    return True
    return False


@rule
def makes(rules, tile, kind):
    """Whether a tile can produce a plain cube of a kind."""
    for way in range(rules.choices[tile]):
        if (np.int64(rules.product[tile, way]) >> (16 * kind)) & 0xFFFF:
            return True
    return False


@rule
def homes(table, seat):
    """How many residences a seat has."""
    count = np.int64(0)
    rest = np.int64(table.homes[seat])
    while rest != 0:
        rest &= rest - 1
        count += 1
    return count
