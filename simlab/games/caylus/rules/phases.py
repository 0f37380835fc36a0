"""The round: seven phases, each a chain of decisions (section 6)."""

from __future__ import annotations

import numpy as np

from simlab.core.bits import lowest
from simlab.core.functions import rule, shared
from simlab.core.trace import forced, tell
from simlab.games.caylus.actions import (
    AT_GATE,
    AT_GUILD,
    AT_INN,
    AT_STABLES,
    AT_TRADING_POST,
    FIRST,
    GATE,
    GUILD,
    INN,
    JOUST,
    PLACE,
    PROVOST,
)
from simlab.games.caylus.rules.board import (
    leave_road,
    leave_special,
    placements,
    places,
    shifts,
)
from simlab.games.caylus.rules.builds import ask, next_favor
from simlab.games.caylus.rules.castle import (
    ask_for_batch,
    best_builder,
    clear_lines,
    close_section,
    count_section,
    empty_castle,
    is_due,
)
from simlab.games.caylus.rules.effects import activate, carry_out, finish_activation
from simlab.games.caylus.rules.records import (
    ALTERNATE,
    AT_ROUND_END,
    BRIDGE,
    CASTLE,
    INCOME,
    PLACING,
    ROADS,
    ROUND_END,
    SPECIALS,
)
from simlab.games.caylus.rules.stock import bit, lane

DEAREST = 3  # spaces that the provost is moved from the bridge


@rule
def go_on(table, seats, hidden, rules):
    """Go on until somebody must choose, or the game is over; return the seat, or -1."""
    while True:
        if table.decision == 0:
            if table.favors > 0:
                next_favor(table, hidden, rules)
            elif table.acting > 0:
                finish_activation(table, hidden, rules)
            elif table.phase == PLACING:
                go_on_placing(table, rules)
            elif advance(table, hidden, rules):
                return np.int64(-1)
            continue
        seat = np.int64(table.seat)
        decision = np.int64(table.decision)
        options = np.int64(table.options) & ~np.int64(seats[seat].barred[decision])
        if options == 0:
            options = np.int64(table.options)
        if options & (options - 1) != 0:
            return seat
        code = lowest(options)
        forced(seat, FIRST[decision] + code)
        table.decision = 0
        carry_out(table, hidden, rules, seat, decision, code)


@shared
def advance(table, hidden, rules):
    """Take the next step of a phase after phase 2; return whether the game is over."""
    if table.phase == SPECIALS:
        go_on_specials(table, rules)
    elif table.phase == BRIDGE:
        go_on_bridge(table, rules)
    elif table.phase == ROADS:
        go_on_road(table, hidden, rules)
    elif table.phase == CASTLE:
        go_on_castle(table, rules)
    else:
        return go_on_end(table, hidden, rules)
    return False


@rule
def enter(table, phase):
    """Begin a phase: favor lines are free again."""
    table.phase = phase
    table.step = 0
    clear_lines(table)
    tell("phase", phase)


@rule
def start_round(table, rules):
    """Begin a round: income (phase 1), then the placing of workers."""
    players = np.int64(table.players)
    table.phase = 1
    tell("round", table.rounds)
    for seat in range(players):
        table.deniers[seat] += INCOME + table.income[seat]
        table.batches[seat] = 0
        table.pass_order[seat] = -1
    table.passed = 0
    table.away = 0
    enter(table, PLACING)
    table.step = players - 1


@rule
def go_on_placing(table, rules):
    """Ask the next player who has not passed (phase 2)."""
    players = np.int64(table.players)
    if table.passed == players:
        enter(table, SPECIALS)
        return
    at = np.int64(table.step)
    while True:
        at = at + 1 if at + 1 < players else np.int64(0)
        seat = np.int64(table.order[at])
        if (table.away >> seat) & 1 == 0:
            table.step = at
            ask(table, seat, PLACE, placements(table, rules, seat))
            return


@rule
def go_on_specials(table, rules):
    """Resolve the next special building; each worker goes home when its place is done (phase 3)."""
    step = np.int64(table.step)
    table.step = step + 1
    if step == 0:
        seat = np.int64(table.special[AT_GATE])
        if seat >= 0:
            ask(table, seat, GATE, places(table, seat) & ~(np.int64(1) << AT_GATE) | 1)
    elif step <= 2:  # where the gate's worker is resolved at once
        if table.sent > 0 and step == 1:
            begin_special(table, rules, np.int64(table.sent))
        elif table.sent > 0:
            end_special(table, np.int64(table.sent))
            table.sent = 0
    elif step <= 8:
        code = AT_TRADING_POST + (step - 3) // 2
        if (step - 3) % 2 == 0:
            begin_special(table, rules, code)
        else:
            end_special(table, code)
    elif step == 9:
        new_order(table, rules)
    elif step == 10:
        move_in_inn(table)
    else:
        enter(table, BRIDGE)


@rule
def begin_special(table, rules, code):
    """Resolve trading post, merchants' guild or joust field, if somebody is there."""
    seat = np.int64(table.special[code])
    if seat < 0:
        return
    if code == AT_TRADING_POST:
        table.deniers[seat] += rules.trading_deniers
        tell("traded", seat)
    elif code == AT_GUILD:
        ask(table, seat, GUILD, shifts(table, rules, np.int64(rules.guild_reach)))
    else:
        can = table.deniers[seat] >= rules.joust_deniers
        can = can and lane(table.cubes_word[seat], 3) >= rules.joust_cloth
        ask(table, seat, JOUST, np.int64(0b11 if can else 0b1))


@rule
def end_special(table, code):
    """Send the worker of such a place home, if one is there."""
    if table.special[code] >= 0:
        leave_special(table, code)


@rule
def new_order(table, rules):
    """Put the players of the stables first, by circle (phase 3, 5); their workers go home."""
    if table.stables[1] < 0:
        return
    place = np.int64(0)
    taken = np.int64(0)
    for circle in range(1, 4):
        seat = np.int64(table.stables[circle])
        if seat >= 0:
            table.next_order[place] = seat
            place += 1
            taken |= bit(seat)
            table.workers[seat] += 1
            table.stables[circle] = -1
    for rank in range(table.players):
        seat = np.int64(table.order[rank])
        if (taken >> seat) & 1 == 0:
            table.next_order[place] = seat
            place += 1
    table.free |= bit(AT_STABLES)
    if rules.stables_moment != AT_ROUND_END:
        take_order(table)


@rule
def take_order(table):
    """Make the order that the stables brought the turn order."""
    for rank in range(table.players):
        table.order[rank] = table.next_order[rank]
    tell("order")


@rule
def move_in_inn(table):
    """Move the guest of the left circle to the right one, or ask the guest there (phase 3, 6)."""
    new, old = np.int64(table.inn[0]), np.int64(table.inn[1])
    if new >= 0:
        if old >= 0:
            table.workers[old] += 1
        table.inn[1] = new
        table.inn[0] = -1
        table.free |= bit(AT_INN)
        tell("inn", new)
    elif old >= 0:
        ask(table, old, INN, np.int64(0b11))


@rule
def go_on_bridge(table, rules):
    """Ask the next player on the bridge to move the provost (phase 4)."""
    step = np.int64(table.step)
    if step == table.players:
        enter(table, ROADS)
        return
    table.step = step + 1
    seat = np.int64(table.pass_order[step])
    reach = min(np.int64(DEAREST), np.int64(table.deniers[seat]))
    ask(table, seat, PROVOST, shifts(table, rules, reach))


@rule
def go_on_road(table, hidden, rules):
    """Use the next tile with a worker up to the provost; then the others go home (phase 5)."""
    busy = np.int64(table.busy)
    within = busy & (bit(table.provost + 1) - 1)
    if within != 0:
        activate(table, hidden, rules, lowest(within))
        return
    while busy != 0:
        leave_road(table, hidden, rules, lowest(busy))
        busy &= busy - 1
    enter(table, CASTLE)


@rule
def go_on_castle(table, rules):
    """Let the next player of the queue deliver; then the best builder's favor (phase 6)."""
    step = np.int64(table.step)
    if step < table.queued:
        ask_for_batch(table, rules, np.int64(table.queue[step]))
    elif step == table.queued:
        table.step = step + 1
        best_builder(table)
    else:
        empty_castle(table)
        enter(table, ROUND_END)


@rule
def go_on_end(table, hidden, rules):
    """Move bailiff and provost, score what is due, begin the next round (phase 7)."""
    if table.step == 0:
        table.step = 1
        table.bailiff += 2 if table.provost > table.bailiff else 1
        table.provost = table.bailiff
        tell("bailiff", table.bailiff)
        return False
    if table.section < 3 and is_due(table, rules):
        if table.scored < table.players:
            seat = np.int64(table.order[table.scored])
            table.scored += 1
            count_section(table, hidden, rules, seat)
        else:
            close_section(table, rules)
        return False
    if table.section == 3:
        tell("end")
        return True
    if table.players == 2 and rules.two_player_turn_order == ALTERNATE:
        first = np.int64(table.order[0])
        table.order[0] = table.order[1]
        table.order[1] = first
    elif rules.stables_moment == AT_ROUND_END and table.next_order[0] >= 0:
        take_order(table)
        table.next_order[0] = -1
    table.rounds += 1
    start_round(table, rules)
    return False
