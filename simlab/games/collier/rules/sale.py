"""A sale: displays, reveal, Alchemists, rarity, veto, majority, price, bounty (section 4)."""

from __future__ import annotations

import numpy as np

from simlab.core.functions import rule, shared
from simlab.core.trace import emit, tell
from simlab.games.collier.actions import (
    ALCHEMIST as ASK_ALCHEMIST,
)
from simlab.games.collier.actions import (
    BANKER as ASK_BANKER,
)
from simlab.games.collier.actions import (
    KINDS,
    SHOW,
    SIZES_OF_GEMS,
)
from simlab.games.collier.actions import (
    KING as ASK_KING,
)
from simlab.games.collier.actions import (
    NECKLACE as ASK_NECKLACE,
)
from simlab.games.collier.actions import (
    RING as ASK_RING,
)
from simlab.games.collier.rules.hands import discard, use
from simlab.games.collier.rules.records import (
    ADDITIVE,
    ALCHEMIST,
    BANKED,
    BANKER,
    BANKERS,
    COUNTING,
    DISPLAYED,
    DISPLAYING,
    FASHION,
    GEM_CARDS,
    KING,
    KING_LAID,
    KINGS,
    MERCHANTS,
    NECKLACE,
    NECKLACE_LAID,
    NOBODY,
    ON_NECKLACE,
    RING,
    RINGS,
    SHOWN,
    SOLD,
    TURNING,
)
from simlab.games.collier.rules.turn import ask, place_of_type

LAID_RINGS, LAID_BANKERS, LAID_KINGS, LAID_NECKLACE = 0, 1, 2, 3  # of me.laid


@rule
def begin_sale(table, seats, hidden, rules):
    """Begin the next sale: nothing is displayed yet."""
    table.sales += 1
    table.phase = DISPLAYING
    table.step = 0
    hidden.stage = GEM_CARDS
    hidden.upto = 0
    hidden.held[table.sales - 1] = table.turn
    for seat in range(table.players):
        seats[seat].necklace = -1
    tell("sale", table.sales, table.turn)


# -- displays


@rule
def held_back(seats, rules, seat, role, laid):
    """Return how many cards of a role a seat has not laid in its display."""
    held = np.int64(seats[seat].hand[rules.of_role[role]])
    return held - np.int64(seats[seat].laid[laid])


@rule
def types_shown(me):
    """Return the types of which a display shows a card, as a mask."""
    found = np.int64(0)
    for gem in range(4):
        if me.shown[gem] > 0:
            found |= np.int64(1) << gem
    return found


@rule
def next_shown(hidden, me):
    """Return the next type of a display from hidden.upto on; -1 when there is none."""
    while hidden.upto < 4:
        gem = np.int64(hidden.upto)
        hidden.upto += 1
        if me.shown[gem] > 0:
            return gem
    return np.int64(-1)


@rule
def enter_stage(hidden, stage):
    """Go on to the next part of a display."""
    hidden.stage = stage
    hidden.upto = 0


@shared
def go_on_display(table, seats, hidden, rules):
    """Ask the next question of the displays; reveal them after the last (section 13)."""
    if table.step == table.players:
        reveal(table, seats, hidden, rules)
        return
    seat = (np.int64(table.seat) + table.step) % table.players
    me = seats[seat]
    if hidden.stage == GEM_CARDS:
        while hidden.upto < rules.kinds:
            kind = np.int64(hidden.upto)
            hidden.upto += 1
            if rules.gems[kind] > 0 and me.hand[kind] > 0:
                me.kind = kind
                ask(table, seat, SHOW, (np.int64(2) << np.int64(me.hand[kind])) - 1)
                return
        enter_stage(hidden, RINGS)
    if hidden.stage == RINGS:
        if ask_how_many(table, hidden, rules, seats, seat, ASK_RING, RING, LAID_RINGS):
            return
        enter_stage(hidden, BANKERS)
    if hidden.stage == BANKERS:
        if ask_how_many(table, hidden, rules, seats, seat, ASK_BANKER, BANKER, LAID_BANKERS):
            return
        enter_stage(hidden, KINGS)
    if hidden.stage == KINGS:
        shown = types_shown(me)
        more = me.laid[LAID_KINGS] < rules.king_limit
        if shown != 0 and more and held_back(seats, rules, seat, KING, LAID_KINGS) > 0:
            ask(table, seat, ASK_KING, shown << 1 | 1)
            return
        enter_stage(hidden, ON_NECKLACE)
    if hidden.stage == ON_NECKLACE:
        hidden.stage = SHOWN
        shown = types_shown(me)
        if shown != 0 and held_back(seats, rules, seat, NECKLACE, LAID_NECKLACE) > 0:
            ask(table, seat, ASK_NECKLACE, shown << 1 | 1)
            return
    table.step += 1
    enter_stage(hidden, GEM_CARDS)


@rule
def ask_how_many(table, hidden, rules, seats, seat, decision, role, laid):
    """Ask how many of a card go to the next type shown; False once none are left or no type is."""
    left = held_back(seats, rules, seat, role, laid)
    gem = next_shown(hidden, seats[seat]) if left > 0 else np.int64(-1)
    if gem < 0:
        return False
    seats[seat].type = gem
    ask(table, seat, decision, (np.int64(2) << left) - 1)
    return True


@shared
def display(table, seats, hidden, rules, decision, code):
    """Lay what was chosen into the display of the seat that was asked."""
    seat = np.int64(table.asked)
    me = seats[seat]
    gem = np.int64(me.type)
    if decision == SHOW:
        kind = np.int64(me.kind)
        me.cards[kind] = code
        me.shown[rules.type[kind]] += code * np.int64(rules.gems[kind])
    elif decision == ASK_RING:
        me.rings[gem] = code
        me.laid[LAID_RINGS] += code
    elif decision == ASK_BANKER:
        me.bankers[gem] = code
        me.laid[LAID_BANKERS] += code
    elif decision == ASK_KING:
        if code == 0:
            enter_stage(hidden, ON_NECKLACE)
        else:
            me.kings[code - 1] += 1
            me.laid[LAID_KINGS] += 1
    elif code > 0:
        me.necklace = code - 1
        me.laid[LAID_NECKLACE] = 1


@shared
def reveal(table, seats, hidden, rules):
    """Turn all displays up (step 3)."""
    table.protected = -1
    table.passes = 0
    table.step = 0
    table.phase = TURNING
    for seat in range(table.players):
        me = seats[seat]
        for kind in range(rules.kinds):
            if me.cards[kind] > 0:
                table.cards[seat, rules.type[kind], rules.gems[kind]] += me.cards[kind]
        for gem in range(4):
            table.shown[seat, gem] = me.shown[gem]
            table.rings[seat, gem] = me.rings[gem]
            table.bankers[seat, gem] = me.bankers[gem]
            table.kings[seat, gem] = me.kings[gem]
            hidden.shown[seat, gem] += me.shown[gem]
            if me.shown[gem] > 0:
                values = (me.shown[gem], table.sales, me.rings[gem], me.bankers[gem], 0)
                emit(hidden.events, seat, table.turn, DISPLAYED, KINDS + gem, values)
            for _ in range(me.kings[gem]):
                values = (0, table.sales, 0, 0, 0)
                emit(hidden.events, seat, table.turn, KING_LAID, KINDS + gem, values)
        if me.necklace >= 0:
            table.protected = me.necklace
            values = (0, table.sales, 0, 0, 0)
            emit(hidden.events, seat, table.turn, NECKLACE_LAID, KINDS + me.necklace, values)
        tell("revealed", seat)


# -- Alchemists


@shared
def go_on_alchemy(table, seats, rules):
    """Ask the next holder of an Alchemist; once all have passed, count (step 4)."""
    kind = np.int64(rules.of_role[ALCHEMIST])
    while table.passes < table.players:
        seat = (np.int64(table.seat) + table.step) % table.players
        table.step += 1
        if seats[seat].hand[kind] > 0:
            options = turnings(table, seat)
            if options != 1:
                ask(table, seat, ASK_ALCHEMIST, options)
                return
        table.passes += 1
    table.phase = COUNTING


@rule
def turnings(table, seat):
    """Return the codes of the Alchemist that are possible, as a mask."""
    options = np.int64(1)
    for gem in range(4):
        for size in range(1, SIZES_OF_GEMS + 1):
            if table.cards[seat, gem, size] > 0:
                options |= np.int64(0b111) << (1 + (gem * SIZES_OF_GEMS + size - 1) * 3)
    return options


@rule
def turn_gem(table, seats, hidden, rules, code):
    """Turn a shown card into another type, or pass."""
    seat = np.int64(table.asked)
    if code == 0:
        table.passes += 1
        return
    which, index = (code - 1) // 3, (code - 1) % 3
    gem, size = which // SIZES_OF_GEMS, which % SIZES_OF_GEMS + 1
    other = index if index < gem else index + 1
    use(table, seats, hidden, rules, seat, np.int64(ALCHEMIST))
    table.cards[seat, gem, size] -= 1
    table.cards[seat, other, size] += 1
    table.shown[seat, gem] -= size
    table.shown[seat, other] += size
    table.passes = 0
    tell("turned", seat, gem, size, other)


# -- counting


@rule
def in_all(table, gem):
    """Return how many gems of a type all displays show together."""
    found = np.int64(0)
    for seat in range(table.players):
        found += table.shown[seat, gem]
    return found


@rule
def rarity(table, gem):
    """Return the rarity value of a type: 30 for the least displayed (step 5)."""
    own, place = in_all(table, gem), place_of_type(table, gem)
    value = np.int64(FASHION)
    for other in range(4):
        shown = in_all(table, other)
        if shown < own or (shown == own and place_of_type(table, other) < place):
            value -= 10
    return value


@rule
def price_of(rules, base, rings, bankers):
    """Return what a seller is paid for a type (step 8)."""
    if rules.banker_before_ring:
        base += BANKED * bankers
    if rules.ring_stack == ADDITIVE:
        base *= 1 + rings
    else:
        base <<= rings
    if not rules.banker_before_ring:
        base += BANKED * bankers
    return base


@rule
def kings_on(table, gem, but):
    """Return how many Kings lie on a type, those of one seat apart (-1: of none)."""
    found = np.int64(0)
    for seat in range(table.players):
        if seat != but:
            found += np.int64(table.kings[seat, gem])
    return found


@shared
def count_sale(table, seats, hidden, rules):
    """Pay for what is sold, pay the bounty, and discard all displays (steps 5 to 10)."""
    for gem in range(4):
        if table.protected != gem and kings_on(table, gem, -1) > 0:
            tell("cancelled", gem)
            for seat in range(table.players):
                if table.shown[seat, gem] > 0 and kings_on(table, gem, seat) > 0:
                    hidden.vetoes[seat] += 1
        else:
            sell(table, hidden, rules, gem)
    pay_bounty(table, seats, hidden, rules)
    put_away(table, seats, hidden, rules)
    table.phase = MERCHANTS


@shared
def sell(table, hidden, rules, gem):
    """Pay the seat or seats with most gems of a type (steps 7 and 8)."""
    most, sellers = np.int64(0), np.int64(0)
    for seat in range(table.players):
        shown = np.int64(table.shown[seat, gem])
        if shown > most:
            most, sellers = shown, np.int64(0)
        if shown == most:
            sellers += 1
    if most == 0:
        return
    if sellers > 1 and rules.majority_tie == NOBODY:
        tell("tied", gem, most)
        return
    base = np.int64(table.value[gem]) + rarity(table, gem)
    for seat in range(table.players):
        if table.shown[seat, gem] == most:
            rings, bankers = np.int64(table.rings[seat, gem]), np.int64(table.bankers[seat, gem])
            paid = price_of(rules, base, rings, bankers)
            table.points[seat] += paid
            hidden.by_sale[seat, table.sales - 1] += paid
            hidden.by_type[seat, gem] += paid
            hidden.sold[seat, gem] += most
            tell("sold", seat, gem, most, base, paid)
            values = (most, table.sales, rings, bankers, paid)
            emit(hidden.events, seat, table.turn, SOLD, KINDS + gem, values)


@rule
def pay_bounty(table, seats, hidden, rules):
    """Pay the owner of the Necklace for another's King under it (step 9)."""
    gem = np.int64(table.protected)
    if gem < 0:
        return
    for seat in range(table.players):
        if seats[seat].necklace == gem and kings_on(table, gem, seat) > 0:
            table.points[seat] += rules.necklace_bounty
            hidden.by_sale[seat, table.sales - 1] += rules.necklace_bounty
            hidden.bounty[seat] += rules.necklace_bounty
            tell("bounty", seat, gem, rules.necklace_bounty)


@shared
def put_away(table, seats, hidden, rules):
    """Discard all that was displayed; what is held back stays (step 10)."""
    ring, banker = np.int64(rules.of_role[RING]), np.int64(rules.of_role[BANKER])
    king, necklace = np.int64(rules.of_role[KING]), np.int64(rules.of_role[NECKLACE])
    for seat in range(table.players):
        me = seats[seat]
        for kind in range(rules.kinds):
            discard_all(table, seats, rules, seat, kind, np.int64(me.cards[kind]))
            me.cards[kind] = 0
        discard_all(table, seats, rules, seat, ring, np.int64(me.laid[LAID_RINGS]))
        discard_all(table, seats, rules, seat, banker, np.int64(me.laid[LAID_BANKERS]))
        discard_all(table, seats, rules, seat, king, np.int64(me.laid[LAID_KINGS]))
        discard_all(table, seats, rules, seat, necklace, np.int64(me.laid[LAID_NECKLACE]))
        hidden.laid_rings[seat] += me.laid[LAID_RINGS]
        hidden.laid_bankers[seat] += me.laid[LAID_BANKERS]
        hidden.laid_kings[seat] += me.laid[LAID_KINGS]
        hidden.laid_necklaces[seat] += me.laid[LAID_NECKLACE]
        for gem in range(4):
            me.shown[gem] = 0
            me.rings[gem] = 0
            me.bankers[gem] = 0
            me.kings[gem] = 0
            me.laid[gem] = 0
            table.shown[seat, gem] = 0
            table.rings[seat, gem] = 0
            table.bankers[seat, gem] = 0
            table.kings[seat, gem] = 0
            for size in range(1, SIZES_OF_GEMS + 1):
                table.cards[seat, gem, size] = 0
        me.necklace = -1
    table.protected = -1


@rule
def discard_all(table, seats, rules, seat, kind, number):
    """Discard so many cards of one kind."""
    for _ in range(number):
        discard(table, seats, rules, seat, kind)
