"""Paying for tiles, building them, and royal favors (sections 7.4 to 8)."""

from __future__ import annotations

import numpy as np

from simlab.core.bits import lowest
from simlab.core.functions import rule, shared
from simlab.core.trace import emit, tell
from simlab.games.caylus.actions import (
    BUILD_PRESTIGE,
    BUILD_STONE,
    BUILD_WOOD,
    COLUMN,
    FAVOR,
    GIVE,
    LINE_NAMES,
    PRESTIGE,
    PRODUCE,
    ROAD,
    STONE,
    TAKE,
    TRANSFORM,
    WOOD,
)
from simlab.games.caylus.rules.board import emit_tile, residence_points, settle
from simlab.games.caylus.rules.records import (
    AT_PAYMENT,
    BLUE,
    BUILDS_PRESTIGE,
    BUILDS_STONE,
    BUILDS_WOOD,
    FAVOR_USED,
    FOR_PEDDLER,
    FOR_PRICE,
    FOR_SWAP,
    LAWYER,
    NO_EFFECT,
    PRODUCES_FAVOR,
    SWAPS,
)
from simlab.games.caylus.rules.stock import bit, covers, kinds_held, lane, one, plain

# Numbers of wood, stone and prestige tiles, as masks, and the architect that is printed twice.
WOODEN_TILES = (1 << (STONE + 1)) - (1 << (WOOD + 1))
STONE_TILES = (1 << (PRESTIGE)) - (1 << (STONE + 1))
PRESTIGE_TILES = (1 << 38) - (1 << (PRESTIGE + 1))
TWIN, SECOND = 25, 26
SINGLES, DOUBLES = 0b11110, 0b111111111100000  # codes of D10


@rule
def ask(table, seat, decision, options):
    """Ask a seat for one of these codes; a single one will be carried out unasked."""
    table.decision = decision
    table.seat = seat
    table.options = options


# -- tiles


@rule
def payable(table, rules, seat, tile, prices):
    """Whether a seat can pay a tile; prices: 0, or the column of the favor that lowers it."""
    if not covers(table.cubes_word[seat], rules.cost[prices, tile]):
        return False
    if table.gold[seat] < rules.cost_gold[prices, tile]:
        return False
    if rules.any_cubes[tile] == 0:
        return True
    return plain(table.cubes_word[seat]) + table.gold[seat] >= rules.cost_cubes[prices, tile]


@shared
def payable_of(table, rules, seat, tiles, prices):
    """Return those of a set of tiles that a seat can pay."""
    found = np.int64(0)
    left = np.int64(tiles)
    while left != 0:
        tile = lowest(left)
        left &= left - 1
        if payable(table, rules, seat, tile, prices):
            found |= bit(tile)
    return found


@rule
def wood_tiles(table, rules, seat, prices):
    """Return the codes of D11 that build (section 7.6)."""
    if table.empty == 0:
        return np.int64(0)
    return payable_of(table, rules, seat, table.supply & WOODEN_TILES, prices) >> WOOD


@rule
def stone_tiles(table, rules, seat, prices):
    """Return the codes of D12 that build; of the two architects the first one there (7.6)."""
    if table.empty == 0:
        return np.int64(0)
    tiles = np.int64(table.supply) & STONE_TILES
    if (tiles >> TWIN) & 1:
        tiles &= ~(np.int64(1) << SECOND)
    return payable_of(table, rules, seat, tiles, prices) >> STONE


@rule
def prestige_tiles(table, rules, seat, prices):
    """Return the codes of D14 that build, where there is a residence to build on (7.5)."""
    if table.homes[seat] == 0:
        return np.int64(0)
    return payable_of(table, rules, seat, table.supply & PRESTIGE_TILES, prices) >> PRESTIGE


@rule
def homesteads(table, seat):
    """Return the road spaces whose tile a seat may turn into a residence (7.4), as a mask."""
    found = np.int64(table.neutral) | np.int64(table.crafts[seat])
    return found & ~np.int64(table.lawyers) & ~np.int64(table.waiting)


@rule
def residences(table, seat, deniers, cloth):
    """Return the codes of D13 that build a residence at this price."""
    if table.deniers[seat] < deniers or lane(table.cubes_word[seat], 3) < cloth:
        return np.int64(0)
    return homesteads(table, seat)


@rule
def begin_build(table, hidden, rules, seat, tile, prices):
    """Pay the fixed cubes of a tile; then the one of any kind is asked, or the tile is placed."""
    table.cubes_word[seat] -= rules.cost[prices, tile]
    table.gold[seat] -= rules.cost_gold[prices, tile]
    if rules.any_cubes[tile] > 0:
        table.paying = tile
        table.context = FOR_PRICE
        ask(table, seat, GIVE, kinds_held(table, seat) << 1)
    else:
        build(table, hidden, rules, seat, tile)


@shared
def build(table, hidden, rules, seat, tile):
    """Place a tile that is paid: points, then its favors wait (sections 7.5 and 7.6)."""
    table.supply &= ~bit(tile)
    if rules.kind[tile] == BLUE:
        space = lowest(table.homes[seat])
        table.homes[seat] &= ~bit(space)
        table.income[seat] += rules.tile_income[tile] - rules.tile_income[table.tile[space]]
        hidden.prestige_points[seat] += rules.points[tile]
    else:
        space = lowest(table.empty)
        table.empty &= ~bit(space)
        table.crafts[seat] |= bit(space)
        table.free |= bit(space + ROAD)
        if rules.effect[tile] == LAWYER:
            table.lawyers |= bit(space)
        hidden.building_points[seat] += rules.points[tile]
    table.tile[space] = tile
    table.owner[space] = seat
    table.points[seat] += rules.points[tile]
    hidden.tiles_built[seat, rules.kind[tile]] += 1
    table.favors += rules.tile_favors[tile]
    table.favored = seat
    emit_tile(table, hidden, rules, seat, np.int64(tile), space)
    tell("built", seat, tile, space)


@rule
def transform(table, hidden, rules, seat, space):
    """Choose the tile that becomes a residence; with a worker on it that waits (section 7.4)."""
    if (np.int64(table.busy) >> space) & 1 == 0:
        settle(table, hidden, rules, seat, space)
        return
    table.pending[space] = seat
    table.waiting |= bit(space)
    if rules.delayed_residence == AT_PAYMENT:
        residence_points(table, hidden, rules, seat)
    tell("delayed", seat, space)


# -- favors


@rule
def next_favor(table, hidden, rules):
    """Resolve one of the favors that wait (section 8)."""
    seat = np.int64(table.favored)
    if rules.favor_simplified:
        table.points[seat] += 3 * table.favors
        hidden.favor_points[seat] += 3 * table.favors
        tell("favors_as_points", seat, table.favors)
        table.favors = 0
        return
    lines = np.int64(15)
    if rules.favor_distinct_lines:
        lines &= ~np.int64(table.used[seat])
    if lines == 0:
        hidden.favors_lost[seat] += table.favors
        tell("favors_lost", seat, table.favors)
        table.favors = 0
        return
    ask(table, seat, FAVOR, lines)


@rule
def use_favor(table, hidden, rules, seat, line):
    """Put a favor on a line: advance the marker; lines a and b pay, c and d ask for a column."""
    table.favors -= 1
    table.used[seat] |= bit(line)
    column = np.int64(table.marker[seat, line])
    if column < rules.open_columns[table.section]:
        column += 1
        table.marker[seat, line] = column
    hidden.favor_lines[seat, line] += 1
    value = np.int64(rules.favor_value[line, column])
    if line == 0:
        table.points[seat] += value
        hidden.favor_points[seat] += value
        emit_favor(table, hidden, seat, line, value, column)
    elif line == 1:
        table.deniers[seat] += value
        emit_favor(table, hidden, seat, line, np.int64(0), column)
    tell("favor", seat, line, column)
    if line > 1:
        table.line = line
        ask(table, seat, COLUMN, columns(table, rules, seat, line) | 1)


@rule
def emit_favor(table, hidden, seat, line, points, column):
    """Record a favor: points at once, marker, and the column that was used (0 none)."""
    marker = table.marker[seat, line]
    emit(hidden.events, seat, table.rounds, FAVOR_USED, LINE_NAMES + line, (points, marker, column))


@rule
def columns(table, rules, seat, line):
    """Return the columns of a line, up to the marker, that can be used now (D19)."""
    found = np.int64(0)
    for column in range(1, table.marker[seat, line] + 1):
        effect = rules.favor_effect[line, column]
        if effect == PRODUCES_FAVOR:
            usable = True
        elif effect == NO_EFFECT:
            usable = False
        elif effect == SWAPS:
            usable = kinds_held(table, seat) != 0
        else:
            usable = favor_codes(table, rules, seat, line, column) != 0
        if usable:
            found |= bit(column)
    return found


@shared
def favor_codes(table, rules, seat, line, column):
    """Return the codes that build by favor: those of D11, D12, D14 or D13."""
    effect = rules.favor_effect[line, column]
    if effect == BUILDS_WOOD:
        return wood_tiles(table, rules, seat, column)
    if effect == BUILDS_STONE:
        return stone_tiles(table, rules, seat, column)
    if effect == BUILDS_PRESTIGE:
        return prestige_tiles(table, rules, seat, column)
    return residences(table, seat, np.int64(0), np.int64(rules.favor_value[line, column]))


@rule
def use_column(table, rules, seat, column):
    """Begin the effect of a column of the line that was chosen (section 8, 3)."""
    line = np.int64(table.line)
    table.column = column
    effect = rules.favor_effect[line, column]
    if effect == PRODUCES_FAVOR and rules.favor_choices[line, column] == 1:
        gain(table, seat, rules.favor_product[line, column, 0], rules.favor_gold[line, column, 0])
    elif effect == PRODUCES_FAVOR:
        ask(table, seat, PRODUCE, np.int64(0b11))
    elif effect == SWAPS:
        table.context = FOR_SWAP
        ask(table, seat, GIVE, kinds_held(table, seat) << 1)
    else:
        codes = favor_codes(table, rules, seat, line, column)
        if effect == BUILDS_WOOD:
            ask(table, seat, BUILD_WOOD, codes)
        elif effect == BUILDS_STONE:
            ask(table, seat, BUILD_STONE, codes)
        elif effect == BUILDS_PRESTIGE:
            ask(table, seat, BUILD_PRESTIGE, codes)
        else:
            ask(table, seat, TRANSFORM, codes)


@rule
def gain(table, seat, cubes, gold):
    """Give a seat plain cubes, as a word, and gold."""
    table.cubes_word[seat] += cubes
    table.gold[seat] += gold
    tell("gain", seat, cubes, gold)


@rule
def ask_to_take(table, seat, one_price, two_price):
    """Ask a peddler's customer what to buy; a price below 0 is not offered."""
    options = np.int64(1)
    if one_price >= 0 and table.deniers[seat] >= one_price:
        options |= SINGLES
    if two_price >= 0 and table.deniers[seat] >= two_price:
        options |= DOUBLES
    table.context = FOR_PEDDLER
    ask(table, seat, TAKE, options)


@rule
def give_cube(table, seat, kind):
    """Take a cube of a kind, 0 to 4, from a seat."""
    if kind == 4:
        table.gold[seat] -= 1
    else:
        table.cubes_word[seat] -= one(kind)
