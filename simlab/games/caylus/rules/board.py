"""Workers and places: who may stand where, at what price, and who comes home (section 6)."""

from __future__ import annotations

import numpy as np

from simlab.core.functions import rule
from simlab.core.trace import emit, tell
from simlab.games.caylus.actions import (
    AT_CASTLE,
    AT_INN,
    AT_STABLES,
    GUILD_NAME,
    RESIDENCE,
    ROAD,
)
from simlab.games.caylus.rules.records import (
    AT_PAYMENT,
    BUILT,
    FLOOR_ZERO,
    MOVED,
    ON_PLACEMENT,
)
from simlab.games.caylus.rules.stock import bit


@rule
def price(table, rules, seat):
    """Return the deniers of the next worker of a seat, own wood and stone tiles apart (phase 2)."""
    if table.inn[1] == seat:
        return np.int64(1)
    if table.players == 2 and table.passed == 1:
        return np.int64(rules.two_player_pass_cost)
    return np.int64(1) + table.passed


@rule
def in_queue(table, seat):
    """Whether a seat has a worker in the castle."""
    place = np.int64(0)
    while place < table.queued and table.queue[place] != seat:
        place += 1
    return place < table.queued


@rule
def in_stables(table, seat):
    """Whether a seat has a worker in the stables."""
    return table.stables[1] == seat or table.stables[2] == seat or table.stables[3] == seat


@rule
def places(table, seat):
    """Return the codes of all places that a worker of a seat may go to, price apart."""
    found = np.int64(table.free)
    if found & (1 << AT_STABLES) and in_stables(table, seat):
        found &= ~(np.int64(1) << AT_STABLES)
    if in_queue(table, seat):
        found &= ~(np.int64(1) << AT_CASTLE)
    return found


@rule
def placements(table, rules, seat):
    """Return the codes of D1 that are legal for a seat, to pass among them."""
    if table.workers[seat] == 0 or table.deniers[seat] == 0:
        return np.int64(1)
    found = places(table, seat)
    if table.deniers[seat] < price(table, rules, seat):
        found &= np.int64(table.crafts[seat]) << ROAD
    return found | 1


@rule
def cost_of(table, rules, seat, code):
    """Return the deniers that a seat pays for a worker at a place."""
    if code > ROAD and (np.int64(table.crafts[seat]) >> (code - ROAD)) & 1:
        return np.int64(1)
    return price(table, rules, seat)


@rule
def put(table, hidden, rules, seat, code):
    """Put a worker on a place; the owner of a tile scores (phase 2)."""
    gone = np.int64(1) << np.int64(code)
    if code > ROAD:
        space = np.int64(code) - ROAD
        table.worker[space] = seat
        table.busy |= bit(space)
        if rules.owner_point_timing == ON_PLACEMENT:
            owner_point(table, hidden, seat, space)
    elif code == AT_CASTLE:
        table.queue[table.queued] = seat
        table.queued += 1
        return
    elif code == AT_STABLES:
        circle = np.int64(1)
        while table.stables[circle] >= 0:
            circle += 1
        table.stables[circle] = seat
        if circle < rules.stables_capacity:
            return
    elif code == AT_INN:
        table.inn[0] = seat
    else:
        table.special[code] = seat
    table.free &= ~gone


@rule
def owner_point(table, hidden, seat, space):
    """Give the owner of a tile a point for the worker of a rival."""
    owner = np.int64(table.owner[space])
    if owner >= 0 and owner != seat:
        table.points[owner] += 1
        hidden.owner_points[owner] += 1
        tell("owner_point", owner, space)


@rule
def leave_special(table, code):
    """Send the worker of a special building home."""
    table.workers[table.special[code]] += 1
    table.special[code] = -1
    table.free |= bit(code)


@rule
def leave_road(table, hidden, rules, space):
    """Send the worker of a road space home; a residence that waited for it is built (7.4)."""
    table.workers[table.worker[space]] += 1
    table.worker[space] = -1
    table.busy &= ~bit(space)
    table.free |= bit(space + ROAD)
    if table.pending[space] >= 0:
        settle(table, hidden, rules, np.int64(table.pending[space]), space)


@rule
def settle(table, hidden, rules, seat, space):
    """Turn the tile of a space into a residence of a seat (section 7.4)."""
    tile = np.int64(table.tile[space])
    if (np.int64(table.neutral) >> space) & 1:
        table.neutral &= ~bit(space)
    else:
        table.crafts[seat] &= ~bit(space)
        table.supply |= bit(tile)
    table.waiting &= ~bit(space)
    table.free &= ~bit(space + ROAD)
    table.homes[seat] |= bit(space)
    if table.pending[space] < 0 or rules.delayed_residence != AT_PAYMENT:
        residence_points(table, hidden, rules, seat)
    table.pending[space] = -1
    table.tile[space] = RESIDENCE
    table.owner[space] = seat
    table.income[seat] += rules.tile_income[RESIDENCE]
    hidden.tiles_built[seat, rules.kind[RESIDENCE]] += 1
    emit_tile(table, hidden, rules, seat, np.int64(RESIDENCE), space)
    tell("settled", seat, space, tile)


@rule
def residence_points(table, hidden, rules, seat):
    """Score the points of a residence."""
    table.points[seat] += rules.points[RESIDENCE]
    hidden.residence_points[seat] += rules.points[RESIDENCE]


@rule
def emit_tile(table, hidden, rules, seat, tile, space):
    """Record that a tile was built."""
    emit(hidden.events, seat, table.rounds, BUILT, tile, (rules.points[tile], space, 0))


@rule
def lose_points(table, hidden, rules, seat, number):
    """Take points from a seat, not below the floor (section 2, points_floor)."""
    taken = np.int64(number)
    if rules.points_floor == FLOOR_ZERO:
        taken = min(taken, max(np.int64(table.points[seat]), np.int64(0)))
    table.points[seat] -= taken
    hidden.penalty_points[seat] -= taken
    tell("lost", seat, taken)


@rule
def shifts(table, rules, reach):
    """Return the codes of moves of the provost (3 + shift) by at most `reach` spaces."""
    found = np.int64(0)
    for shift in range(-reach, reach + 1):
        if 1 <= table.provost + shift <= rules.length:
            found |= bit(3 + shift)
    return found


@rule
def move_provost(table, hidden, seat, shift, way):
    """Move the provost; way: 0 by the guild, 1 from the bridge."""
    table.provost += shift
    if shift != 0:
        emit(hidden.events, seat, table.rounds, MOVED, GUILD_NAME + way, (0, table.provost, shift))
