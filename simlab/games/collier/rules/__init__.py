"""The rules of Le Collier de la Reine as transitions over records.

Section numbers are those of RULES.md. A turn is a chain of decisions; `table.decision` says which
of the eleven kinds is asked, `table.options` which codes answer it. records: the fields; hands:
cards coming and going, and who knows of it; turn: influence, purchase, refill; sale: the sale.
"""

from __future__ import annotations

import numpy as np

from simlab.core.bits import lowest
from simlab.core.deck import draw, shuffle
from simlab.core.functions import rule
from simlab.core.game import DONE
from simlab.core.trace import forced, tell, whisper
from simlab.games.collier.actions import (
    ALCHEMIST,
    BARRED_CARDS,
    CARDINAL,
    FIRST,
    FORGER_DISCARD,
    INFLUENCE,
    MUSKETEERS,
    PURCHASE,
    SIZES,
)
from simlab.games.collier.rules.hands import (
    deal_out,
    place_of_merchant,
    put_in,
    was_dealt,
)
from simlab.games.collier.rules.records import (
    ASTROLOGER,
    ATTACKED,
    BUYING,
    CARDS_DECK,
    DISPLAYING,
    EXACT_THIRD,
    FASHION_DECK,
    HAND,
    HANDS_DECK,
    HIDDEN,
    INFLUENCING,
    MERCHANTS,
    RULES,
    SALES,
    SEAT,
    SETTLING,
    TABLE,
    TURN_BEGINS,
    TURNING,
    WINDOW,
)
from simlab.games.collier.rules.sale import (
    begin_sale,
    count_sale,
    display,
    go_on_alchemy,
    go_on_display,
    turn_gem,
)
from simlab.games.collier.rules.turn import (
    answer_attack,
    answer_window,
    begin_turn,
    begin_window,
    drop,
    go_on_influence,
    go_on_purchase,
    go_on_window,
    influence,
    lay_fashion,
    purchase,
    refill,
    resolve_attack,
    settle,
)

__all__ = [
    "HIDDEN",
    "RULES",
    "SEAT",
    "TABLE",
    "begin",
    "legal",
    "open_codes",
    "score",
    "step",
    "was_dealt",
]


@rule
def begin(table, seats, hidden, rules, rng):
    """Set up the game (section 2); seat 0 begins."""
    shuffle(hidden.fashion, rng, np.int64(FASHION_DECK), np.int64(4))
    for place in range(4):
        lay_fashion(table, np.int64(place), np.int64(draw(hidden.fashion)))
    table.necklace = -1
    table.pending = -1
    table.protected = -1
    table.merchants = SALES
    for place in range(8):
        table.market[place] = -1
    tell("setup")
    deal(table, seats, hidden, rules, rng)
    shuffle(hidden.cards, rng, np.int64(CARDS_DECK), np.int64(rules.cards))
    if rules.merchant_placement == EXACT_THIRD:
        place_merchants(table, hidden, rules, rng)
        refill(table, hidden, rules)
    else:
        table.merchants = 0
        refill(table, hidden, rules)
        hidden.laid = 0
        table.merchants = SALES
        place_merchants(table, hidden, rules, rng)
    table.phase = TURN_BEGINS
    return go_on(table, seats, hidden, rules, rng)


@rule
def deal(table, seats, hidden, rules, rng):
    """Deal four cards to each player; an Astrologer is replaced (section 2, step 3)."""
    shuffle(hidden.hands, rng, np.int64(HANDS_DECK), np.int64(rules.cards))
    table.deck = rules.cards
    for seat in range(table.players):
        while table.hand_size[seat] < HAND:
            card = np.int64(draw(hidden.hands))
            kind = np.int64(rules.kind[card])
            if rules.role[kind] == ASTROLOGER:
                tell("replaced", seat)
            else:
                deal_out(hidden, card)
                table.deck -= 1
                whisper(seat, "dealt", kind)
                put_in(table, seats, rules, seat, kind)


@rule
def place_merchants(table, hidden, rules, rng):
    """Choose how many cards lie above each merchant (section 2)."""
    cards = np.int64(table.deck)
    third, thirds = cards // 3, 2 * cards // 3
    hidden.above[0] = third
    hidden.above[1] = thirds
    if rules.merchant_placement != EXACT_THIRD:
        hidden.above[0] = place_of_merchant(hidden, rng, np.int64(0), third)
        spread = thirds - third
        hidden.above[1] = third + place_of_merchant(hidden, rng, np.int64(1), spread)
    hidden.above[2] = cards - 5 + place_of_merchant(hidden, rng, np.int64(2), np.int64(5))


@rule
def step(table, seats, hidden, rules, rng, seat, action):
    """Carry out one decision (section 13) and go on to the next."""
    decision = np.int64(table.decision)
    code = np.int64(action) - FIRST[decision]
    carry_out(table, seats, hidden, rules, rng, decision, code)
    return go_on(table, seats, hidden, rules, rng)


@rule
def carry_out(table, seats, hidden, rules, rng, decision, code):
    """Do what was chosen."""
    table.decision = 0
    if decision == PURCHASE:
        purchase(table, seats, hidden, rules, code)
    elif decision == INFLUENCE:
        influence(table, seats, hidden, rules, code)
    elif decision == MUSKETEERS:
        answer_attack(table, seats, hidden, rules, rng, code)
    elif decision == FORGER_DISCARD:
        drop(table, seats, rules, code)
    elif decision == CARDINAL:
        answer_window(table, seats, hidden, rules, code)
    elif decision == ALCHEMIST:
        turn_gem(table, seats, hidden, rules, code)
    else:
        display(table, seats, hidden, rules, decision, code)


@rule
def go_on(table, seats, hidden, rules, rng):
    """Go on until somebody must choose, or the game is over; return the seat, or -1."""
    while True:
        if table.decision == 0:
            if advance(table, seats, hidden, rules, rng):
                return np.int64(DONE)
            continue
        seat, decision = np.int64(table.asked), np.int64(table.decision)
        options = open_codes(table, seats[seat])
        if options & (options - 1) != 0:
            return seat
        code = lowest(options)
        forced(seat, FIRST[decision] + code)
        carry_out(table, seats, hidden, rules, rng, decision, code)


@rule
def advance(table, seats, hidden, rules, rng):
    """Take the next step of the turn; return whether the game is over."""
    phase = np.int64(table.phase)
    if phase == BUYING:
        go_on_purchase(table, seats, hidden, rules)
    elif phase == DISPLAYING:
        go_on_display(table, seats, hidden, rules)
    elif phase == INFLUENCING:
        go_on_influence(table, seats, rules)
    elif phase == SETTLING:
        settle(table, hidden, rules)
        table.phase = MERCHANTS
        if table.pending == table.seat:
            table.pending = -1
            begin_sale(table, seats, hidden, rules)
    elif phase == MERCHANTS:
        return go_on_merchants(table, seats, hidden, rules)
    elif phase == WINDOW:
        if not go_on_window(table, seats, rules):
            begin_sale(table, seats, hidden, rules)
    elif phase == TURNING:
        go_on_alchemy(table, seats, rules)
    elif phase == ATTACKED:
        resolve_attack(table, seats, hidden, rules, rng)
    elif phase == TURN_BEGINS:
        begin_turn(table, seats, rules)
    else:
        count_sale(table, seats, hidden, rules)
    return False


@rule
def go_on_merchants(table, seats, hidden, rules):
    """Hold what sales are due, then let the next seat's turn begin (steps 7 and 8)."""
    if table.sales == SALES:
        return True
    if table.due == 0:
        table.seat = (np.int64(table.seat) + 1) % table.players
        table.phase = TURN_BEGINS
    elif table.pending >= 0:
        table.pending = -1
        begin_sale(table, seats, hidden, rules)
    else:
        begin_window(table)
    return False


@rule
def open_codes(table, me):
    """Return the codes that may answer, bars taken off unless they would leave nothing."""
    decision, options = np.int64(table.decision), np.int64(table.options)
    free = options & ~np.int64(me.barred[decision])
    if decision == PURCHASE and me.barred[BARRED_CARDS] != 0:
        for place in range(table.count):
            if (me.barred[BARRED_CARDS] >> np.int64(table.market[place])) & 1 == 1:
                free &= ~(np.int64(0b1000010) << place)
    return free if free != 0 else options


@rule
def legal(table, me, rules, action):
    """Whether an action may be taken now (section 13); bars count unless they bar everything."""
    decision = np.int64(table.decision)
    code = np.int64(action) - FIRST[decision]
    if code < 0 or code >= SIZES[decision]:
        return False
    return (open_codes(table, me) >> code) & 1 == 1


@rule
def score(table, seats, hidden, rules, result):
    """Points, and where they came from; works at any moment (section 6)."""
    for seat in range(table.players):
        row = result[seat]
        row.score = table.points[seat]
        row.tie = 0
        row.end_reason = 0
        row.points_sale_1 = hidden.by_sale[seat, 0]
        row.points_sale_2 = hidden.by_sale[seat, 1]
        row.points_sale_3 = hidden.by_sale[seat, 2]
        row.points_diamond = hidden.by_type[seat, 0]
        row.points_emerald = hidden.by_type[seat, 1]
        row.points_ruby = hidden.by_type[seat, 2]
        row.points_amber = hidden.by_type[seat, 3]
        row.bounty_points = hidden.bounty[seat]
        row.shown_diamond = hidden.shown[seat, 0]
        row.shown_emerald = hidden.shown[seat, 1]
        row.shown_ruby = hidden.shown[seat, 2]
        row.shown_amber = hidden.shown[seat, 3]
        row.sold_diamond = hidden.sold[seat, 0]
        row.sold_emerald = hidden.sold[seat, 1]
        row.sold_ruby = hidden.sold[seat, 2]
        row.sold_amber = hidden.sold[seat, 3]
        row.rings = hidden.laid_rings[seat]
        row.bankers = hidden.laid_bankers[seat]
        row.kings = hidden.laid_kings[seat]
        row.necklaces = hidden.laid_necklaces[seat]
        row.vetoes = hidden.vetoes[seat]
        row.ducats_spent = hidden.spent[seat]
        row.ducats_lost = hidden.lost[seat]
        row.bought = hidden.bought[seat]
        row.characters = hidden.characters[seat]
        row.sale_1 = hidden.held[0]
        row.sale_2 = hidden.held[1]
        row.sale_3 = hidden.held[2]
        row.turns = table.turn
