"""The rules of Caylus as transitions over records. Section numbers are those of RULES.md.

A round is a chain of decisions; `table.decision` says which of the nineteen kinds is asked, and
`table.options` which codes answer it. records: the fields; board: places and workers; builds:
tiles and favors; effects: what tiles do, and all answers; castle: parts and sections; phases: what
comes after what.
"""

from __future__ import annotations

import numpy as np

from simlab.core.deck import draw, shuffle
from simlab.core.functions import rule
from simlab.core.trace import tell
from simlab.games.caylus.actions import (
    AT_CASTLE,
    AT_GATE,
    AT_GUILD,
    AT_INN,
    AT_JOUST,
    AT_STABLES,
    AT_TRADING_POST,
    FIRST,
    ROAD,
    SIZES,
)
from simlab.games.caylus.rules.effects import carry_out
from simlab.games.caylus.rules.phases import go_on, start_round
from simlab.games.caylus.rules.records import (
    ALTERNATE,
    BLUE,
    HIDDEN,
    LAWYER,
    NEUTRAL,
    RESIDENTIAL,
    ROOM,
    RULES,
    SEAT,
    SEATS,
    STONY,
    TABLE,
    TIE_LEFTOVER,
    TIE_TURN_ORDER,
    WOODEN,
)
from simlab.games.caylus.rules.stock import bit, plain

__all__ = [
    "HIDDEN",
    "RULES",
    "SEAT",
    "SEATS",
    "TABLE",
    "begin",
    "bonus",
    "legal",
    "score",
    "step",
]


@rule
def begin(table, seats, hidden, rules, rng):
    """Set up the game (section 3): neutral tiles, road, stocks; then the first round's income."""
    players = np.int64(table.players)
    shuffle(hidden.neutrals, rng, np.int64(0), np.int64(rules.neutrals))
    lay_road(table, hidden, rules)
    table.free = bit(AT_CASTLE) | bit(AT_GATE) | bit(AT_TRADING_POST) | bit(AT_GUILD)
    table.free |= bit(AT_JOUST) | bit(AT_INN)
    if not (players == 2 and rules.two_player_turn_order == ALTERNATE):
        table.free |= bit(AT_STABLES)
    for space in range(1, rules.length + 1):
        if table.tile[space] > 0:
            table.free |= bit(space + ROAD)
    for code in range(8):
        table.special[code] = -1
    for place in range(4):
        table.stables[place] = -1
    table.inn[0] = -1
    table.inn[1] = -1
    table.next_order[0] = -1
    table.bailiff = rules.start
    table.provost = rules.start
    table.supply = rules.supply
    for seat in range(players):
        table.order[seat] = seat
        table.deniers[seat] = rules.start_deniers[players, seat + 1]
        table.cubes_word[seat] = rules.start_cubes[players, seat + 1]
        table.gold[seat] = rules.start_gold[players, seat + 1]
        table.workers[seat] = rules.start_workers[players, seat + 1]
        table.points[seat] = rules.start_points[players, seat + 1]
    table.rounds = 1
    tell("setup")
    start_round(table, rules)
    return go_on(table, seats, hidden, rules)


@rule
def lay_road(table, hidden, rules):
    """Lay the road: printed tiles, and the neutral ones as they come from the stock."""
    for space in range(ROOM):
        table.owner[space] = -1
        table.worker[space] = -1
        table.pending[space] = -1
    for space in range(1, rules.length + 1):
        tile = np.int64(rules.content[space])
        if tile < 0:
            tile = np.int64(rules.neutral_tile[draw(hidden.neutrals)])
            table.neutral |= bit(space)
        elif tile == 0:
            table.empty |= bit(space)
        table.tile[space] = tile
        if tile > 0 and rules.kind[tile] == NEUTRAL and rules.effect[tile] == LAWYER:
            table.lawyers |= bit(space)


@rule
def step(table, seats, hidden, rules, rng, seat, action):
    """Carry out one decision and go on to the next (section 6)."""
    decision = np.int64(table.decision)
    table.decision = 0
    carry_out(table, hidden, rules, np.int64(seat), decision, np.int64(action) - FIRST[decision])
    return go_on(table, seats, hidden, rules)


@rule
def legal(table, me, rules, action):
    """Whether an action may be taken now (section 15.3); bars count unless they bar everything."""
    decision = np.int64(table.decision)
    code = np.int64(action) - FIRST[decision]
    if code < 0 or code >= SIZES[decision] or (table.options >> code) & 1 == 0:
        return False
    free = np.int64(table.options) & ~np.int64(me.barred[decision])
    return free == 0 or (free >> code) & 1 == 1


@rule
def bonus(table, seat):
    """Return the final bonus of a seat (section 10)."""
    cubes = plain(table.cubes_word[seat])
    return 3 * np.int64(table.gold[seat]) + cubes // 3 + np.int64(table.deniers[seat]) // 4


@rule
def tie_break(table, rules, rank, seat):
    """Return the number by which equal scores are told apart; the larger one wins (section 2)."""
    if rules.tie_break == TIE_TURN_ORDER:
        return np.int64(-rank)
    if rules.tie_break == TIE_LEFTOVER:
        cubes = plain(table.cubes_word[seat]) % 3
        return 100 * (np.int64(table.deniers[seat]) % 4 + cubes) + 10 * cubes - rank
    return np.int64(0)


@rule
def score(table, seats, hidden, rules, result):
    """Points, with the final bonus, and where they came from; works at any moment (section 10)."""
    for rank in range(table.players):
        seat = np.int64(table.order[rank])
        row = result[seat]
        row.final_bonus = bonus(table, seat)
        row.score = table.points[seat] + row.final_bonus
        row.tie = tie_break(table, rules, rank, seat)
        row.end_reason = 0
        row.castle_points = hidden.castle_points[seat]
        row.building_points = hidden.building_points[seat]
        row.residence_points = hidden.residence_points[seat]
        row.prestige_points = hidden.prestige_points[seat]
        row.owner_points = hidden.owner_points[seat]
        row.favor_points = hidden.favor_points[seat]
        row.exchange_points = hidden.exchange_points[seat]
        row.penalty_points = hidden.penalty_points[seat]
        row.favors_prestige = hidden.favor_lines[seat, 0]
        row.favors_deniers = hidden.favor_lines[seat, 1]
        row.favors_resources = hidden.favor_lines[seat, 2]
        row.favors_buildings = hidden.favor_lines[seat, 3]
        row.favors_lost = hidden.favors_lost[seat]
        row.parts_dungeon = table.parts[seat, 0]
        row.parts_walls = table.parts[seat, 1]
        row.parts_towers = table.parts[seat, 2]
        row.wood_built = hidden.tiles_built[seat, WOODEN]
        row.stone_built = hidden.tiles_built[seat, STONY]
        row.residences_built = hidden.tiles_built[seat, RESIDENTIAL]
        row.prestige_built = hidden.tiles_built[seat, BLUE]
        row.workers = hidden.workers[seat]
        row.deniers_placing = hidden.deniers_placing[seat]
        row.deniers_provost = hidden.deniers_provost[seat]
        row.rounds = table.rounds
