"""What tiles do for workers and owners, and how the answers are carried out (sections 5 to 8)."""

from __future__ import annotations

import numpy as np

from simlab.core.functions import rule, shared
from simlab.core.trace import tell
from simlab.games.caylus.actions import (
    ALCHEMY,
    AT_GATE,
    AT_JOUST,
    AT_TRADING_POST,
    BUILD_PRESTIGE,
    BUILD_STONE,
    BUILD_WOOD,
    COLUMN,
    DELIVER,
    EXCHANGE,
    FAVOR,
    GATE,
    GIVE,
    GUILD,
    INN,
    JOUST,
    OWNER,
    PASS,
    PLACE,
    PRESTIGE,
    PRODUCE,
    PROVOST,
    ROAD,
    STONE,
    TAKE,
    TRANSFORM,
    WOOD,
)
from simlab.games.caylus.rules.board import (
    cost_of,
    leave_road,
    leave_special,
    move_provost,
    owner_point,
    put,
)
from simlab.games.caylus.rules.builds import (
    ask,
    ask_to_take,
    begin_build,
    build,
    emit_favor,
    gain,
    give_cube,
    prestige_tiles,
    residences,
    stone_tiles,
    transform,
    use_column,
    use_favor,
    wood_tiles,
)
from simlab.games.caylus.rules.castle import deliver, end_delivery
from simlab.games.caylus.rules.records import (
    ALCHEMIST,
    BUILDS_PRESTIGE,
    BUILDS_STONE,
    BUILDS_WOOD,
    EXCHANGES,
    FOR_MARKET,
    FOR_PRICE,
    FOR_SWAP,
    LAWYER,
    MARKET,
    ON_ACTIVATION,
    PEDDLER,
    PRODUCES,
)
from simlab.games.caylus.rules.stock import (
    GIVEN,
    PAIR_COUNT,
    TAKEN,
    add_kind,
    covers,
    kinds_held,
    plain,
    stock,
)

EFFECT_DONE, OWNER_DONE = 1, 2  # stages of table.acting


# -- a worker's tile


@rule
def activate(table, hidden, rules, space):
    """Begin the effect of a tile for its worker (phase 5)."""
    seat = np.int64(table.worker[space])
    table.acting = EFFECT_DONE
    table.space = space
    table.column = 0
    tell("activate", seat, space)
    if rules.owner_point_timing == ON_ACTIVATION:
        owner_point(table, hidden, seat, space)
    begin_effect(table, rules, seat, np.int64(table.tile[space]))


@rule
def begin_effect(table, rules, seat, tile):
    """Ask what a tile's effect asks, or carry it out where there is nothing to ask."""
    effect = rules.effect[tile]
    if effect == PRODUCES and rules.choices[tile] == 1:
        gain(table, seat, rules.product[tile, 0], rules.product_gold[tile, 0])
    elif effect == PRODUCES:
        ask(table, seat, PRODUCE, np.int64(0b11))
    elif effect == MARKET:
        table.context = FOR_MARKET
        ask(table, seat, GIVE, (kinds_held(table, seat) << 1) | 1)
    elif effect == PEDDLER:
        ask_to_take(table, seat, np.int64(rules.price[tile, 0]), np.int64(rules.price[tile, 1]))
    elif effect in (EXCHANGES, ALCHEMIST):
        ask(table, seat, EXCHANGE, rates(table, rules, seat, tile) | 1)
    elif effect == BUILDS_WOOD:
        ask(table, seat, BUILD_WOOD, wood_tiles(table, rules, seat, np.int64(0)) | 1)
    elif effect == BUILDS_STONE:
        ask(table, seat, BUILD_STONE, stone_tiles(table, rules, seat, np.int64(0)) | 1)
    elif effect == BUILDS_PRESTIGE:
        ask(table, seat, BUILD_PRESTIGE, prestige_tiles(table, rules, seat, np.int64(0)) | 1)
    elif effect == LAWYER:
        codes = residences(
            table, seat, np.int64(rules.price[tile, 0]), np.int64(rules.price[tile, 1])
        )
        ask(table, seat, TRANSFORM, codes | 1)


@rule
def rates(table, rules, seat, tile):
    """Return the codes of the rates that a seat can pay (D15)."""
    found = np.int64(0)
    for rate in range(rules.choices[tile]):
        if rules.effect[tile] == ALCHEMIST:
            have = plain(table.cubes_word[seat])
        else:
            have = stock(table, seat, np.int64(rules.pays[tile, rate]))
        if have >= rules.price[tile, rate]:
            found |= np.int64(2) << rate
    return found


@rule
def finish_activation(table, hidden, rules):
    """After effect and favors: the owner's cube, then the worker goes home (section 7.3)."""
    space = np.int64(table.space)
    tile = np.int64(table.tile[space])
    owner = np.int64(table.owner[space])
    if table.acting == EFFECT_DONE:
        table.acting = OWNER_DONE
        if owner >= 0 and owner != table.worker[space] and rules.owner_choices[tile] > 0:
            if rules.owner_choices[tile] == 2:
                ask(table, owner, OWNER, np.int64(0b11))
                return
            gain(table, owner, rules.owner_product[tile, 0], rules.owner_gold[tile, 0])
    if table.acting == OWNER_DONE:
        table.acting = 0
        leave_road(table, hidden, rules, space)


# -- answers


@rule
def carry_out(table, hidden, rules, seat, decision, code):
    """Carry out the code that answers a decision."""
    if decision == PLACE:
        place(table, hidden, rules, seat, code)
    elif decision == PROVOST:
        table.deniers[seat] -= abs(code - 3)
        hidden.deniers_provost[seat] += abs(code - 3)
        move_provost(table, hidden, seat, code - 3, np.int64(1))
        if code != 3:
            tell("bribed", seat, abs(code - 3))
    elif decision == DELIVER:
        if code == 0:
            end_delivery(table, hidden, rules, seat)
        else:
            deliver(table, hidden, rules, seat, code)
    elif decision == FAVOR:
        use_favor(table, hidden, rules, seat, code)
    elif decision == COLUMN:
        points = np.int64(0)
        emit_favor(table, hidden, seat, np.int64(table.line), points, code)
        if code > 0:
            use_column(table, rules, seat, code)
    elif decision == GATE:
        move_from_gate(table, hidden, rules, seat, code)
    elif decision == GUILD:
        move_provost(table, hidden, seat, code - 3, np.int64(0))
    elif decision == INN:
        if code == 0:
            table.inn[1] = -1
            table.workers[seat] += 1
    elif decision == JOUST:
        if code == 1:
            joust(table, rules, seat)
    else:
        carry_out_effect(table, hidden, rules, seat, decision, code)


@shared
def carry_out_effect(table, hidden, rules, seat, decision, code):
    """Carry out an answer about cubes, tiles or rates."""
    tile = np.int64(table.tile[table.space])
    if decision == PRODUCE:
        produce(table, rules, seat, tile, code)
    elif decision == OWNER:
        gain(table, seat, rules.owner_product[tile, code], rules.owner_gold[tile, code])
    elif decision == GIVE:
        give(table, hidden, rules, seat, tile, code)
    elif decision == TAKE:
        take(table, rules, seat, tile, code)
    elif decision == EXCHANGE:
        exchange(table, hidden, rules, seat, tile, code - 1)
    elif decision == ALCHEMY:
        table.cubes_word[seat] -= np.int64(GIVEN[code])
        gain(table, seat, np.int64(0), rules.gain[tile, table.rate])
    elif decision == TRANSFORM:
        if code > 0:
            pay_residence(table, rules, seat, tile)
            transform(table, hidden, rules, seat, code)
    elif code > 0:
        first = PRESTIGE
        if decision == BUILD_WOOD:
            first = WOOD
        elif decision == BUILD_STONE:
            first = STONE
        begin_build(table, hidden, rules, seat, first + code, np.int64(table.column))


@rule
def place(table, hidden, rules, seat, code):
    """Pass, or pay for a worker and put it on a place (phase 2)."""
    if code == PASS:
        if table.passed == 0:
            table.deniers[seat] += 1
            tell("first_pass", seat)
        table.pass_order[table.passed] = seat
        table.passed += 1
        table.away |= np.int64(1) << seat
        return
    paid = cost_of(table, rules, seat, code)
    table.deniers[seat] -= paid
    hidden.deniers_placing[seat] += paid
    hidden.workers[seat] += 1
    table.workers[seat] -= 1
    tell("paid", seat, paid, code)
    put(table, hidden, rules, seat, code)


@rule
def move_from_gate(table, hidden, rules, seat, code):
    """Move the worker of the gate, or send it home (phase 3, 1)."""
    leave_special(table, np.int64(AT_GATE))
    if code == 0:
        return
    table.workers[seat] -= 1
    put(table, hidden, rules, seat, code)
    if rules.gate_immediate and code > ROAD:
        activate(table, hidden, rules, code - ROAD)
    elif rules.gate_immediate and AT_TRADING_POST <= code <= AT_JOUST:
        table.sent = code


@rule
def joust(table, rules, seat):
    """Pay for a favor at the joust field (phase 3, 4)."""
    table.deniers[seat] -= rules.joust_deniers
    table.cubes_word[seat] -= np.int64(rules.joust_cloth) << 48
    table.favors = rules.joust_favors
    table.favored = seat
    tell("jousted", seat)


@rule
def produce(table, rules, seat, tile, code):
    """Take what one way of producing brings, of a tile or of a favor."""
    if table.column > 0:
        line, column = np.int64(table.line), np.int64(table.column)
        cubes, gold = rules.favor_product[line, column, code], rules.favor_gold[line, column, code]
        gain(table, seat, cubes, gold)
    else:
        gain(table, seat, rules.product[tile, code], rules.product_gold[tile, code])


@rule
def give(table, hidden, rules, seat, tile, code):
    """Give a cube: sold, as the last of a price, or to swap it for two others."""
    if code == 0:
        return
    give_cube(table, seat, code - 1)
    if table.context == FOR_PRICE:
        build(table, hidden, rules, seat, np.int64(table.paying))
    elif table.context == FOR_SWAP:
        ask(table, seat, TAKE, np.int64(0b111111111100000))
    else:
        table.deniers[seat] += rules.gain[tile, 0]
        tell("sold", seat, rules.gain[tile, 0])


@rule
def take(table, rules, seat, tile, code):
    """Take plain cubes: bought from a peddler, or for the one that was swapped."""
    if code == 0:
        return
    if table.context != FOR_SWAP:
        asked = np.int64(rules.price[tile, 1 if code > 4 else 0])
        table.deniers[seat] -= asked
        tell("bought", seat, asked)
    gain(table, seat, np.int64(TAKEN[code]), np.int64(0))


@rule
def exchange(table, hidden, rules, seat, tile, rate):
    """Exchange at a rate, or ask the alchemist's customer for the cubes."""
    if rate < 0:
        return
    if rules.effect[tile] == ALCHEMIST:
        table.rate = rate
        word = np.int64(table.cubes_word[seat])
        ask(table, seat, ALCHEMY, cubes_to_give(word, rules.price[tile, rate]))
        return
    number = np.int64(rules.price[tile, rate])
    add_kind(table, hidden, seat, np.int64(rules.pays[tile, rate]), -number)
    number = np.int64(rules.gain[tile, rate])
    add_kind(table, hidden, seat, np.int64(rules.gets[tile, rate]), number)
    tell("exchanged", seat, tile, rate)


@shared
def cubes_to_give(word, number):
    """Return the codes of D16 that give two or four cubes out of a word."""
    found = np.int64(0)
    first = 0 if number == 2 else PAIR_COUNT
    last = PAIR_COUNT if number == 2 else len(GIVEN)
    for code in range(first, last):
        if covers(word, np.int64(GIVEN[code])):
            found |= np.int64(1) << code
    return found


@rule
def pay_residence(table, rules, seat, tile):
    """Pay what the lawyer asks, or the favor (section 7.4)."""
    if table.column > 0:
        cloth = np.int64(rules.favor_value[table.line, table.column])
    else:
        table.deniers[seat] -= rules.price[tile, 0]
        cloth = np.int64(rules.price[tile, 1])
    table.cubes_word[seat] -= cloth << 48
    tell("paid_residence", seat, 0 if table.column > 0 else rules.price[tile, 0], cloth)
