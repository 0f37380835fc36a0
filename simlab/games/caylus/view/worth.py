"""What things are worth to a player: the values of `greedy_value` (RULES.md section 16).

`Weights` says what goods are worth; `look` sums up how a seat stands, once in a decision; the
others answer from both. All values are points.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simlab.core.bits import lowest
from simlab.core.functions import rule, shared
from simlab.games.caylus.actions import PRESTIGE, ROAD, STONE, WOOD
from simlab.games.caylus.rules import records as _r
from simlab.games.caylus.rules.board import price
from simlab.games.caylus.rules.builds import (
    homesteads,
    prestige_tiles,
    stone_tiles,
    wood_tiles,
)
from simlab.games.caylus.rules.stock import bit, lane, plain, stock

CLOSE = 1e-9  # values nearer than this are equal
CASTLE_MISS = 2  # points lost in the castle by who delivers nothing


class Weights(NamedTuple):
    """What goods and places are worth, in points.

    denier, cube, gold: one of each (a plain cube); guild: a worker at the merchants' guild; first:
    the first circle of the stables, half of it the others; push: spaces that the provost may still
    come forward; spite: share of the rivals' mean loss that counts as a gain.
    """

    denier: float
    cube: float
    gold: float
    guild: float
    first: float
    push: int
    spite: float


class Sight(NamedTuple):
    """How a seat stands now.

    money: deniers that count; left: rounds left; favor: value of a favor; wood, stone, prestige:
    best value of a tile that could be built; plain_favor: value of a favor that builds nothing.
    """

    seat: int
    money: int
    left: int
    favor: float
    plain_favor: float
    wood: float
    stone: float
    prestige: float


@rule
def weights(table, rules, denier, cube, guild, first, push, spite):
    """The weights of these parameters; in the last stage goods have their final value."""
    if rounds_left(table, rules) == 1:
        return Weights(0.25, 1.0 / 3.0, 3.0, guild, first, push, spite)
    return Weights(denier, cube, 3.0, guild, first, push, spite)


@rule
def usual(table, rules):
    """The weights of `greedy_value` without parameters."""
    return weights(table, rules, 0.5, 1.2, 1.0, 1.5, 3, 0.2)


@rule
def valuing(table, rules, cube, spite):
    """The same with another `cube` and `spite`."""
    return weights(table, rules, 0.5, cube, 1.0, 1.5, 3, spite)


@rule
def rounds_left(table, rules):
    """Estimate the rounds that are left, 1 or more: by the bailiff, and by the parts still free."""
    spaces = max(np.int64(rules.trigger[2]) - table.bailiff, np.int64(0))
    left = (2 * spaces + 2) // 3  # steps of one and a half, rounded up
    built = np.int64(table.built[0]) + table.built[1] + table.built[2]
    if table.rounds > 1 and built > 0:
        free = np.int64(0)
        for section in range(table.section, 3):
            free += rules.capacity[section] - table.built[section]
        left = min(left, (free * (table.rounds - 1) + built - 1) // built)
    return max(left, np.int64(1))


# -- favors and tiles


@rule
def reached(table, rules, seat, line):
    """The column that a favor on a line would reach."""
    marker = np.int64(table.marker[seat, line])
    return marker + 1 if marker < rules.open_columns[table.section] else marker


@rule
def cubes_favor(table, rules, seat, w):
    """The value of a favor on the line of cubes: the best production up to the column reached."""
    best = 0.0
    for column in range(1, reached(table, rules, seat, 2) + 1):
        if rules.favor_effect[2, column] == _r.PRODUCES_FAVOR:
            for way in range(rules.favor_choices[2, column]):
                cubes = plain(rules.favor_product[2, column, way])
                value = w.cube * cubes + w.gold * rules.favor_gold[2, column, way]
                best = max(best, value)
    return best


@rule
def simple_favor(table, rules, seat, w):
    """The value of a favor that builds nothing: the best of points, deniers and cubes."""
    points = 1.0 * rules.favor_value[0, reached(table, rules, seat, 0)]
    deniers = w.denier * rules.favor_value[1, reached(table, rules, seat, 1)]
    return max(points, deniers, cubes_favor(table, rules, seat, w))


@rule
def tile_value(rules, w, left, favor, tile, prices):
    """What building a tile is worth, its cubes paid; prices: 0, or the column of a favor."""
    value = 1.0 * rules.points[tile] + rules.tile_favors[tile] * favor
    value += rules.tile_income[tile] * w.denier * left
    cubes = rules.cost_cubes[prices, tile] - rules.cost_gold[prices, tile]
    return value - w.cube * cubes - w.gold * rules.cost_gold[prices, tile]


@shared
def best_of(rules, w, left, favor, codes, first, prices):
    """The largest value among the tiles `first` + code of a set of codes, at least 0."""
    best = 0.0
    rest = np.int64(codes)
    while rest != 0:
        code = lowest(rest)
        rest &= rest - 1
        best = max(best, tile_value(rules, w, left, favor, first + code, prices))
    return best


@rule
def residence_value(table, rules, w, seat, left, deniers, cloth, money):
    """What turning a neutral tile into a residence is worth at this price, at least 0."""
    neutral = homesteads(table, seat) & np.int64(table.neutral)
    if neutral == 0 or money < deniers or lane(table.cubes_word[seat], 3) < cloth:
        return 0.0
    value = 1.0 * rules.points[28] + rules.tile_income[28] * w.denier * left
    return max(0.0, value - w.denier * deniers - w.cube * cloth)


@rule
def column_value(table, rules, w, sight, column):
    """What a column of the line of buildings is worth now, at least 0."""
    seat, left, favor = sight.seat, sight.left, sight.plain_favor
    effect = rules.favor_effect[3, column]
    if effect == _r.BUILDS_WOOD:
        codes = wood_tiles(table, rules, seat, np.int64(column))
        return best_of(rules, w, left, favor, codes, np.int64(WOOD), np.int64(column))
    if effect == _r.BUILDS_STONE:
        codes = stone_tiles(table, rules, seat, np.int64(column))
        return best_of(rules, w, left, favor, codes, np.int64(STONE), np.int64(column))
    if effect == _r.BUILDS_PRESTIGE:
        codes = prestige_tiles(table, rules, seat, np.int64(column))
        return best_of(rules, w, left, favor, codes, np.int64(PRESTIGE), np.int64(column))
    if effect == _r.LAWYER:
        cloth = np.int64(rules.favor_value[3, column])
        money = np.int64(table.deniers[seat])
        return residence_value(table, rules, w, seat, left, np.int64(0), cloth, money)
    return 0.0


@rule
def building_favor(table, rules, w, sight):
    """The value of a favor on the line of buildings: the best column up to the one reached."""
    best = 0.0
    for column in range(1, reached(table, rules, sight.seat, 3) + 1):
        best = max(best, column_value(table, rules, w, sight, column))
    return best


@rule
def line_value(table, rules, w, sight, line):
    """The value of a favor on a line, 0 to 3."""
    if line == 0:
        return 1.0 * rules.favor_value[0, reached(table, rules, sight.seat, 0)]
    if line == 1:
        return w.denier * rules.favor_value[1, reached(table, rules, sight.seat, 1)]
    if line == 2:
        return cubes_favor(table, rules, sight.seat, w)
    return building_favor(table, rules, w, sight)


@shared
def look(table, rules, seat, w):
    """How a seat stands: `Sight`, with all its deniers."""
    seat = np.int64(seat)
    left = rounds_left(table, rules)
    simple = simple_favor(table, rules, seat, w)
    zero = np.int64(0)
    codes = wood_tiles(table, rules, seat, zero)
    wood = best_of(rules, w, left, simple, codes, np.int64(WOOD), zero)
    codes = stone_tiles(table, rules, seat, zero)
    stone = best_of(rules, w, left, simple, codes, np.int64(STONE), zero)
    codes = prestige_tiles(table, rules, seat, zero)
    prestige = best_of(rules, w, left, simple, codes, np.int64(PRESTIGE), zero)
    money = np.int64(table.deniers[seat])
    sight = Sight(seat, money, left, simple, simple, wood, stone, prestige)
    favor = max(simple, building_favor(table, rules, w, sight))
    return Sight(seat, money, left, favor, simple, wood, stone, prestige)


@rule
def with_money(sight, money):
    """The same sight with other deniers."""
    return Sight(
        sight.seat,
        np.int64(money),
        sight.left,
        sight.favor,
        sight.plain_favor,
        sight.wood,
        sight.stone,
        sight.prestige,
    )


# -- what tiles do


@rule
def way_value(rules, w, tile, way):
    """The value of one way in which a tile produces."""
    return w.cube * plain(rules.product[tile, way]) + w.gold * rules.product_gold[tile, way]


@rule
def kind_value(w, kind):
    """The value of one of a kind: 0 to 3 plain cubes, 4 gold, 5 deniers, 6 points."""
    if kind < _r.PAY_GOLD:
        return w.cube
    if kind == _r.PAY_GOLD:
        return w.gold
    return w.denier if kind == _r.PAY_DENIERS else 1.0


@rule
def rate_value(rules, w, tile, rate):
    """What a rate of an exchange brings, what it takes subtracted."""
    if rules.effect[tile] == _r.ALCHEMIST:
        return w.gold * rules.gain[tile, rate] - w.cube * rules.price[tile, rate]
    paid = kind_value(w, rules.pays[tile, rate]) * rules.price[tile, rate]
    return kind_value(w, rules.gets[tile, rate]) * rules.gain[tile, rate] - paid


@shared
def exchange_value(table, rules, w, sight, tile):
    """The value of an exchange, a peddler or a market: the best option that can be paid."""
    best = 0.0
    effect = rules.effect[tile]
    cubes = plain(table.cubes_word[sight.seat])
    if effect == _r.MARKET:
        return max(0.0, w.denier * rules.gain[tile, 0] - w.cube) if cubes > 0 else 0.0
    if effect == _r.PEDDLER:
        for number in range(2):
            asked = np.int64(rules.price[tile, number])
            if 0 <= asked <= sight.money:
                best = max(best, w.cube * (number + 1) - w.denier * asked)
        return best
    for rate in range(rules.choices[tile]):
        have = cubes
        if effect != _r.ALCHEMIST:
            kind = np.int64(rules.pays[tile, rate])
            have = stock(table, sight.seat, kind) if kind != _r.PAY_DENIERS else sight.money
        if have >= rules.price[tile, rate]:
            best = max(best, rate_value(rules, w, tile, rate))
    return best


@rule
def tile_effect(table, rules, w, sight, tile):
    """What using a tile is worth now: what it brings, what it takes subtracted; at least 0."""
    effect = rules.effect[tile]
    if effect == _r.PRODUCES:
        value = way_value(rules, w, tile, 0)
        return max(value, way_value(rules, w, tile, 1)) if rules.choices[tile] > 1 else value
    if effect == _r.BUILDS_WOOD:
        return sight.wood
    if effect == _r.BUILDS_STONE:
        return sight.stone
    if effect == _r.BUILDS_PRESTIGE:
        return sight.prestige
    if effect == _r.LAWYER:
        deniers, cloth = np.int64(rules.price[tile, 0]), np.int64(rules.price[tile, 1])
        return residence_value(table, rules, w, sight.seat, sight.left, deniers, cloth, sight.money)
    if effect == _r.NO_EFFECT:
        return 0.0
    return exchange_value(table, rules, w, sight, tile)


@rule
def reach(table, w, sight, space):
    """The chance that a space is used: 1 up to the provost, a half if he may still come there."""
    if space <= table.provost:
        return 1.0
    return 0.5 if space <= table.provost + min(w.push, sight.money) else 0.0


# -- cubes and batches


@rule
def batches(cubes):
    """The plain batches that so many cubes make: food and two different others each."""
    wood, stone, cloth = lane(cubes, 1), lane(cubes, 2), lane(cubes, 3)
    others = wood + stone + cloth
    return min(lane(cubes, 0), others // 2, others - max(wood, stone, cloth))


@rule
def scarcest(cubes, word):
    """The smallest stock among the kinds that a word of cubes holds."""
    least = np.int64(16384)
    for kind in range(4):
        if lane(word, kind) > 0:
            least = min(least, lane(cubes, kind))
    return least


@rule
def way_of(w, cubes, first, second, first_gold, second_gold):
    """The way, 0 or 1, of higher value; then whose scarcest kind is held least; then the first.

    cubes: those held; first, second: plain cubes that the ways bring.
    """
    value = w.cube * plain(first) + w.gold * first_gold
    other = w.cube * plain(second) + w.gold * second_gold
    if abs(value - other) > CLOSE:
        return np.int64(other > value)
    return np.int64(scarcest(cubes, second) < scarcest(cubes, first))


@rule
def better_way(table, rules, w, cubes, tile):
    """The way to produce that `greedy_value` chooses (D7)."""
    if rules.choices[tile] < 2:
        return np.int64(0)
    return way_of(
        w,
        cubes,
        np.int64(rules.product[tile, 0]),
        np.int64(rules.product[tile, 1]),
        np.int64(rules.product_gold[tile, 0]),
        np.int64(rules.product_gold[tile, 1]),
    )


@shared
def projected(table, rules, w, seat, last):
    """The plain cubes of a seat, with what its workers up to space `last` will produce."""
    cubes = np.int64(table.cubes_word[seat])
    within = np.int64(table.busy) & (bit(last + 1) - 1)
    while within != 0:
        space = lowest(within)
        within &= within - 1
        tile = np.int64(table.tile[space])
        if table.worker[space] == seat and rules.effect[tile] == _r.PRODUCES:
            cubes += rules.product[tile, better_way(table, rules, w, cubes, tile)]
    return cubes


@shared
def castle_value(table, rules, w, sight):
    """What a worker in the castle is worth: parts, favors, penalties saved (section 16)."""
    seat = np.int64(sight.seat)
    mine = batches(projected(table, rules, w, seat, np.int64(table.provost)))
    value, left = 0.0, mine
    for section in range(table.section, 3):
        room = np.int64(rules.capacity[section]) - table.built[section]
        parts = min(left, room)
        if parts > 0:
            before = np.int64(table.parts[seat, section])
            value += parts * (rules.part_points[section] - 3 * w.cube)
            if before == 0:
                value += rules.penalty[section]
            after = min(before + parts, np.int64(_r.PARTS - 1))
            won = rules.section_favors[section, after] - rules.section_favors[section, before]
            value += sight.favor * won
            left -= parts
    if left == mine:
        return -1.0 * CASTLE_MISS
    for place in range(table.queued):
        rival = np.int64(table.queue[place])
        if batches(projected(table, rules, w, rival, np.int64(table.provost))) >= mine:
            return value
    return value + sight.favor


# -- places


@rule
def stables_value(table, w, seat):
    """What the next circle of the stables is worth: nothing to who is as early already."""
    circle = np.int64(1)
    while circle < 3 and table.stables[circle] >= 0:
        circle += 1
    for rank in range(circle):
        if table.order[rank] == seat:
            return 0.0
    return w.first if circle == 1 else w.first / 2


@rule
def special_value(table, rules, w, sight, code):
    """What a worker on a place before the bridge is worth, the gate apart."""
    if code == 1:
        return castle_value(table, rules, w, sight)
    if code == 3:
        return w.denier * rules.trading_deniers
    if code == 4:
        return w.guild
    if code == 5:
        cloth = lane(table.cubes_word[sight.seat], 3)
        if sight.money < rules.joust_deniers or cloth < rules.joust_cloth:
            return 0.0
        gained = sight.favor * rules.joust_favors
        return max(0.0, gained - w.denier * rules.joust_deniers - w.cube * rules.joust_cloth)
    if code == 6:
        return stables_value(table, w, sight.seat)
    return 0.0 if table.inn[1] == sight.seat else 0.5 * (table.players - 1)


@rule
def road_value(table, rules, w, sight, space):
    """What a worker on a road space is worth: what it does there, less what its owner gains."""
    tile = np.int64(table.tile[space])
    value = reach(table, w, sight, space) * tile_effect(table, rules, w, sight, tile)
    owner = np.int64(table.owner[space])
    if owner >= 0 and owner != sight.seat:
        value -= 2.0 if rules.owner_choices[tile] > 0 else 1.0
    return value


@rule
def place_value(table, rules, w, sight, code):
    """What a worker on a place (a code of D1, not the gate) is worth, its price apart."""
    if code > ROAD:
        return road_value(table, rules, w, sight, code - ROAD)
    return special_value(table, rules, w, sight, code)


@rule
def price_of(table, rules, seat, code):
    """The deniers that a worker of a seat costs on a place."""
    if code > ROAD and (np.int64(table.crafts[seat]) >> (code - ROAD)) & 1:
        return np.int64(1)
    return price(table, rules, seat)
