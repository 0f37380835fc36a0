"""The rules of Splendor as transitions over records. Section numbers are those of RULES.md.

A turn is a chain of decisions: the main action, with payment=free_choice one for each token that
could be gold, tokens to return, a noble among several. `table.decision` says where in it we are.
Colours are 0 to 4 (white, blue, green, red, black); gold is 5. A field that ends in `_word` is the
same six counters in one number (see core/counters.py).
"""

from __future__ import annotations

import numpy as np

from simlab.core.bits import lowest, popcount
from simlab.core.counters import at_least, covers, minus, some, total
from simlab.core.deck import deck_record, draw, shuffle
from simlab.core.functions import rule, shared
from simlab.core.game import DONE
from simlab.core.records import EVENTS, record
from simlab.core.trace import emit, forced, tell
from simlab.games.splendor.actions import (
    BAR_BUY,
    BAR_RESERVE,
    BAR_TAKE,
    BLIND,
    BUY,
    CARDS,
    DOUBLE,
    GIVE,
    GOLD,
    PASS,
    PAY,
    RESERVE,
    TAKE1,
    TAKE2,
    TILES,
    VISIT,
)

SEATS, LEVELS, PLACES, HAND, LIMIT, NOBLES = 4, 3, 12, 3, 10, 8
CANDIDATES = BLIND + LEVELS + 2 * PLACES + HAND
SEVERAL = -1
NOTHING_ASKED, MAIN, PAYING, RETURNING, CHOOSING, TURN_OVER = 0, 1, 2, 3, 4, 5
FEWEST_CARDS, SHARED = 0, 1
UP_TO_AVAILABLE, EXACTLY_THREE, ONE_TO_THREE = 0, 1, 2
AUTO, FREE_CHOICE = 0, 1
FORCED_PASS, ABORT = 0, 1
PERFECT, FORGETFUL = 0, 1
FINISHED, TRUNCATED, STALEMATE, ABORTED = 0, 1, 2, 3
BOUGHT_EVENT, RESERVED_EVENT, BLIND_EVENT, NOBLE_EVENT = 0, 1, 2, 3
GOLD_ONE = 1 << (8 * GOLD)
NOWHERE, IN_HAND, BOUGHT = 0, 20, 30  # of table.place: 1 to 12 is a place of the market

# What everybody sees. Arrays of 8 are tokens or bonuses by colour, over the bytes of a word.
TABLE = record(
    ("players", "i4", ()),
    ("decision", "i4", ()),  # 0 nothing, 1 main action, 2 pay, 3 return, 4 noble
    ("seat", "i4", ()),  # whose turn it is
    ("turn", "i4", ()),  # of each player, from 1 on
    ("last_round", "i4", ()),  # 1 once somebody has reached the target
    ("passes", "i4", ()),  # turns passed in a row
    ("paying", "i4", ()),  # card that is being paid for; -1 if none
    ("bank_word", "i8", ()),
    ("bank", "i1", (8,), "bank_word"),
    ("owed_word", "i8", ()),
    ("owed", "i1", (8,), "owed_word"),  # tokens of each colour still to be paid for that card
    ("tokens_word", "i8", (SEATS,)),
    ("tokens", "i1", (SEATS, 8), "tokens_word"),
    ("bonus_word", "i8", (SEATS,)),
    ("bonuses", "i1", (SEATS, 8), "bonus_word"),
    ("points", "i4", (SEATS,)),
    ("bought", "i4", (SEATS,)),  # cards bought
    ("visited", "i4", (SEATS,)),  # nobles
    ("hand", "i4", (SEATS,)),  # cards reserved now
    ("deck", "i4", (LEVELS + 1,)),  # cards left in the decks of level 1, 2, 3
    ("market", "i2", (PLACES,)),  # card numbers: four of level 1, of 2, of 3; -1 for an empty place
    ("nobles", "i2", (NOBLES,)),  # noble numbers, as laid out; -1 where none lies (any more)
    # Reserved cards by seat, oldest first: -1 where nothing lies, or where the card is not known.
    ("reserved", "i2", (SEATS, HAND + 1)),
    ("reserved_level", "i1", (SEATS, HAND + 1)),  # 1 to 3; 0 where nothing lies
    # Where a card is: 0 unknown, 1 to 12 in the market, 20 + seat reserved, 30 + seat bought.
    ("place", "i1", (CARDS + 4,)),
)
SEAT = record(
    ("seat", "i4", ()),
    ("barred", "i8", (3,)),  # kinds of action, then cards 0 to 62 and 63 on, as masks
    ("noble_weight", "f8", ()),  # 0 in play; what a strategy asks another one to give nobles
    ("hand", "i2", (HAND + 1,)),  # own reserved cards, oldest first; -1 where none lies
)
HIDDEN = record(
    ("level1", deck_record(64), ()),
    ("level2", deck_record(64), ()),
    ("level3", deck_record(64), ()),
    ("tiles", deck_record(TILES + 4), ()),
    ("events", EVENTS, ()),
    ("ended", "i4", ()),  # number of the end reason
    ("card_points", "i4", (SEATS,)),
    ("turns", "i2", (SEATS,)),
    ("gold_used", "i2", (SEATS,)),
    ("returned", "i2", (SEATS,)),
    ("seen", "i2", (SEATS,)),  # cards reserved from the market
    ("blind", "i2", (SEATS,)),  # cards reserved from a deck
    ("by_level", "i2", (SEATS, LEVELS + 1)),  # cards bought
)
RULES = record(
    ("cards", "i4", ()),
    ("first", "i4", (LEVELS + 1,)),  # first card number of each level, and their number
    ("tiles", "i4", ()),
    ("tokens", "i4", (SEATS + 1,)),  # tokens of each colour, by number of players
    ("gold", "i4", ()),
    ("target", "i4", ()),
    ("max_turns", "i4", ()),
    ("tie_break", "i4", ()),
    ("take_different", "i4", ()),
    ("payment", "i4", ()),
    ("no_move", "i4", ()),
    ("reserved_memory", "i4", ()),
    ("take_word", "i8", (BLIND + 2,)),  # tokens that a take action takes
    # By the mask of colours in the bank: how many actions take different colours, and which.
    ("take_count", "i4", (32,)),
    ("takes", "i1", (32, 32)),
    ("level", "i2", (CARDS,)),  # 0 to 2
    ("bonus", "i2", (CARDS,)),
    ("points", "i2", (CARDS,)),
    ("cost_word", "i8", (CARDS,)),
    ("cost", "i1", (CARDS, 8), "cost_word"),
    ("require_word", "i8", (TILES,)),
    ("requires", "i1", (TILES, 8), "require_word"),
    ("fewest_bonuses", "i4", ()),  # that any noble asks for
    ("noble_points", "i2", (TILES,)),
)


@rule
def begin(table, seats, hidden, rules, rng):
    """Set up the game (section 2); seat 0 begins."""
    players = np.int64(table.players)
    table.bank_word = (
        np.int64(rules.tokens[players]) * 0x0101010101 + np.int64(rules.gold) * GOLD_ONE
    )
    table.paying = -1
    for seat in range(players):
        for place in range(HAND + 1):
            table.reserved[seat, place] = -1
            seats[seat].hand[place] = -1
    shuffle(hidden.level1, rng, np.int64(0), np.int64(rules.first[1]))
    shuffle(hidden.level2, rng, np.int64(1), np.int64(rules.first[2] - rules.first[1]))
    shuffle(hidden.level3, rng, np.int64(2), np.int64(rules.first[3] - rules.first[2]))
    shuffle(hidden.tiles, rng, np.int64(3), np.int64(rules.tiles))
    for level in range(LEVELS):
        table.deck[level] = rules.first[level + 1] - rules.first[level]
        for place in range(4):
            refill(table, hidden, rules, np.int64(4 * level + place))
    for place in range(NOBLES):
        shown = place <= players and place < rules.tiles
        table.nobles[place] = draw(hidden.tiles) if shown else np.int64(-1)
    table.turn = 1
    table.decision = MAIN
    tell("setup")
    tell("turn", 1, 0)
    return go_on(table, seats, hidden, rules)


@rule
def step(table, seats, hidden, rules, rng, seat, action):
    """Carry out one decision (section 4) and go on to the next."""
    carry_out(table, seats, hidden, rules, np.int64(seat), action)
    return go_on(table, seats, hidden, rules)


@rule
def legal(table, me, rules, action):
    """Whether an action may be taken now (section 4); bars count unless they bar everything."""
    if not open_to(table, me, rules, action):
        return False
    if (me.barred[0] | me.barred[1] | me.barred[2]) == 0:
        return True
    if table.decision != MAIN or not is_barred(me, action):
        return True
    return next_open(table, me, rules, np.int64(0), True) < 0


@rule
def score(table, seats, hidden, rules, result):
    """Points of cards and nobles (section 5); works at any moment, as if the game ended now."""
    for seat in range(table.players):
        row = result[seat]
        row.score = table.points[seat]
        row.tie = -table.bought[seat] if rules.tie_break == FEWEST_CARDS else 0
        row.end_reason = hidden.ended
        row.card_points = hidden.card_points[seat]
        row.noble_points = table.points[seat] - hidden.card_points[seat]
        row.nobles = table.visited[seat]
        row.cards_1 = hidden.by_level[seat, 0]
        row.cards_2 = hidden.by_level[seat, 1]
        row.cards_3 = hidden.by_level[seat, 2]
        row.reserved_seen = hidden.seen[seat]
        row.reserved_blind = hidden.blind[seat]
        row.gold_used = hidden.gold_used[seat]
        row.returned = hidden.returned[seat]
        row.turns = hidden.turns[seat]


# -- what is legal


@rule
def open_to(table, me, rules, action):
    """Whether the rules allow an action, bars apart."""
    if table.decision == MAIN:
        return open_main(table, me, rules, action)
    seat = np.int64(me.seat)
    if table.decision == RETURNING:
        return GIVE <= action < PAY and table.tokens[seat, action - GIVE] > 0
    if table.decision == CHOOSING:
        return VISIT <= action < BUY and (visitors(table, rules, seat) >> (action - VISIT)) & 1 == 1
    return PAY <= action < VISIT and may_pay(table, seat, action - PAY)


@rule
def open_main(table, me, rules, action):
    """Whether a main action is allowed (section 4.1)."""
    seat = np.int64(me.seat)
    if action >= RESERVE:
        card = action - RESERVE
        here = card < rules.cards and 0 < table.place[card] <= PLACES
        return here and table.hand[seat] < HAND
    if action >= BUY:
        card = action - BUY
        if card >= rules.cards or not (0 < table.place[card] <= PLACES or holds(me, card)):
            return False
        return affordable(table, rules, seat, card)
    if action >= PASS or action < 0:
        return False  # passing is never a choice
    if action >= BLIND:
        return table.hand[seat] < HAND and table.deck[action - BLIND] > 0
    if action >= DOUBLE:
        return table.bank[action - DOUBLE] >= 4
    if not covers(table.bank_word, rules.take_word[action]):
        return False
    if action < TAKE2:
        return True
    if rules.take_different == UP_TO_AVAILABLE:
        return popcount(in_bank(table)) == (2 if action < TAKE1 else 1)
    return rules.take_different == ONE_TO_THREE


@rule
def in_bank(table):
    """Return the colours, gold apart, of which the bank has a token, as a mask."""
    return bits_of(some(table.bank_word))


@rule
def in_fours(table):
    """Return the colours, gold apart, of which the bank has four tokens or more, as a mask."""
    return bits_of(at_least(table.bank_word, 4))


@rule
def bits_of(word):
    """Return the colours of a word of ones and zeros, gold apart, as a mask."""
    return (word | word >> 7 | word >> 14 | word >> 21 | word >> 28) & 31


@rule
def holds(me, card):
    """Whether a card is one's own reserved one."""
    return me.hand[0] == card or me.hand[1] == card or me.hand[2] == card


@rule
def needs(table, rules, seat, card):
    """Return the tokens of each colour that a card costs a seat, bonuses taken off, as a word."""
    return minus(rules.cost_word[card], table.bonus_word[seat])


@rule
def missing(table, rules, seat, card):
    """Return the tokens of each colour that a seat lacks for a card, gold apart, as a word."""
    return minus(needs(table, rules, seat, card), table.tokens_word[seat])


@rule
def affordable(table, rules, seat, card):
    """Whether a seat can pay for a card, gold as a joker (section 4.1)."""
    return total(missing(table, rules, seat, card)) <= table.tokens[seat, GOLD]


@rule
def may_pay(table, seat, token):
    """Whether a unit of the first colour still owed may be paid with a token (payment=free_choice).

    Gold only where what is owed afterwards can still be paid.
    """
    colour = first_owed(table)
    if token != GOLD:
        return token == colour and table.tokens[seat, colour] > 0
    gold = np.int64(table.tokens[seat, GOLD]) - 1
    left = table.owed_word - (np.int64(1) << (8 * colour))
    return gold >= 0 and total(minus(left, table.tokens_word[seat])) <= gold


@rule
def first_owed(table):
    """Return the first colour of which something is owed."""
    colour = np.int64(0)
    while table.owed[colour] == 0:
        colour += 1
    return colour


@rule
def visitors(table, rules, seat):
    """Return the nobles that would visit a seat, as a mask (section 4.2); tokens never count."""
    found = np.int64(0)
    if table.bought[seat] >= rules.fewest_bonuses:
        for place in range(table.players + 1):
            tile = np.int64(table.nobles[place])
            if tile >= 0 and covers(table.bonus_word[seat], rules.require_word[tile]):
                found |= np.int64(1) << tile
    return found


@rule
def candidate(table, me, n):
    """Return the n-th thing that might be a main action, 0 to CANDIDATES - 1; -1 for none.

    They are the take actions, then `card_candidate`: each possible main action once.
    """
    return np.int64(n) if n < BLIND else card_candidate(table, me, n - BLIND)


@rule
def card_candidate(table, me, n):
    """Return the n-th thing that might be done with a card; -1 for none.

    0 to 2: reserve the top of a deck; 3 to 14: reserve from the market; 15 to 26: buy from the
    market; 27 to 29: buy from the hand.
    """
    if n < LEVELS:
        return np.int64(BLIND + n)
    if n < LEVELS + PLACES:
        card = np.int64(table.market[n - LEVELS])
        return RESERVE + card if card >= 0 else np.int64(-1)
    card = buyable(table, me, n - LEVELS - PLACES)
    return BUY + card if card >= 0 else np.int64(-1)


@rule
def open_card(table, me, rules, n):
    """Return the same, or -1 where the rules forbid it: full hands and bars are not looked at."""
    if n < LEVELS:
        return np.int64(BLIND + n if table.deck[n] > 0 else -1)
    action = card_candidate(table, me, n)
    if n < LEVELS + PLACES or action < 0:
        return action
    return action if affordable(table, rules, np.int64(me.seat), action - BUY) else np.int64(-1)


@rule
def buyable(table, me, place):
    """Return the card at a place one may buy from: 0 to 11 market, 12 to 14 hand; -1 for none."""
    if place < PLACES:
        return np.int64(table.market[place])
    return np.int64(me.hand[place - PLACES])


@rule
def is_barred(me, action):
    """Whether `me.barred` bars a main action, by its kind or its card."""
    if action < BLIND:
        return me.barred[0] & BAR_TAKE != 0
    if action < BUY:
        return me.barred[0] & BAR_RESERVE != 0
    card = action - RESERVE if action >= RESERVE else action - BUY
    if (me.barred[1 + card // 63] >> (card % 63)) & 1:
        return True
    return me.barred[0] & (BAR_RESERVE if action >= RESERVE else BAR_BUY) != 0


@shared
def next_open(table, me, rules, start, bars):
    """Return the first candidate from number `start` on that is a legal main action; -1 for none.

    bars: whether barred actions are passed over.
    """
    for n in range(start, CANDIDATES):
        action = candidate(table, me, n)
        free = action >= 0 and not (bars and is_barred(me, action))
        if free and open_main(table, me, rules, action):
            return np.int64(n)
    return np.int64(-1)


@rule
def only_main(table, me, rules):
    """Return the single legal main action, SEVERAL, or PASS where there is none."""
    if (me.barred[0] | me.barred[1] | me.barred[2]) != 0:
        return single_main(table, me, rules, True)
    # A deck that has cards has four more of its level in the market.
    if table.hand[me.seat] < HAND and (table.deck[0] | table.deck[1] | table.deck[2]) != 0:
        return np.int64(SEVERAL)
    colours = in_bank(table)
    if rules.take_count[colours] + popcount(in_fours(table)) > 1:
        return np.int64(SEVERAL)
    if table.hand[me.seat] < HAND or rules.take_count[colours] != 1:
        return single_main(table, me, rules, False)
    if any_buy(table, me, rules):
        return np.int64(SEVERAL)
    return np.int64(rules.takes[colours, 0])


@shared
def any_buy(table, me, rules):
    """Whether a seat can buy any card."""
    for place in range(PLACES + HAND):
        card = buyable(table, me, place)
        if card >= 0 and affordable(table, rules, np.int64(me.seat), card):
            return True
    return False


@shared
def single_main(table, me, rules, bars):
    """Return the same as `only_main`, by looking at every candidate."""
    first = next_open(table, me, rules, np.int64(0), bars)
    if first < 0 and bars:
        bars = False
        first = next_open(table, me, rules, np.int64(0), bars)
    if first < 0:
        return np.int64(PASS)
    if next_open(table, me, rules, first + 1, bars) >= 0:
        return np.int64(SEVERAL)
    return candidate(table, me, first)


@rule
def only_token(table, seat):
    """Return the single token that can be returned, or SEVERAL."""
    kinds = some(table.tokens_word[seat])
    if total(kinds) > 1:
        return np.int64(SEVERAL)
    return GIVE + (lowest(kinds) >> 3)


@rule
def only_payment(table, seat):
    """Return the single token that can pay what is owed first, or SEVERAL."""
    colour = first_owed(table)
    if not may_pay(table, seat, np.int64(GOLD)):
        return PAY + colour
    return np.int64(SEVERAL) if may_pay(table, seat, colour) else np.int64(PAY + GOLD)


# -- what happens


@rule
def go_on(table, seats, hidden, rules):
    """Go on until somebody must decide, or the game is over; return the seat or DONE."""
    while True:
        seat = np.int64(table.seat)
        if table.decision == PAYING and table.owed_word == 0:
            take_card(table, seats, hidden, rules, seat, np.int64(table.paying))
            table.paying = -1
            table.decision = RETURNING
        if table.decision == RETURNING and total(table.tokens_word[seat]) <= LIMIT:
            table.decision = CHOOSING
        if table.decision == CHOOSING:
            guests = visitors(table, rules, seat)
            if popcount(guests) > 1:
                return seat
            if guests != 0:
                forced(seat, VISIT + lowest(guests))
                visit(table, hidden, rules, seat, lowest(guests))
            table.decision = TURN_OVER
        if table.decision == TURN_OVER:
            if end_turn(table, hidden, rules, seat):
                table.decision = NOTHING_ASKED
                return np.int64(DONE)
            seat = np.int64(table.seat)
            table.decision = MAIN
        if table.decision == MAIN:
            action = only_main(table, seats[seat], rules)
            if action == PASS and rules.no_move == ABORT:
                hidden.ended = ABORTED
                table.decision = NOTHING_ASKED
                return np.int64(DONE)
        elif table.decision == PAYING:
            action = only_payment(table, seat)
        else:
            action = only_token(table, seat)
        if action == SEVERAL:
            return seat
        forced(seat, action)
        carry_out(table, seats, hidden, rules, seat, action)


@rule
def end_turn(table, hidden, rules, seat):
    """Check the score and hand over (sections 4.2 and 5); return whether the game is over."""
    hidden.turns[seat] += 1
    if table.points[seat] >= rules.target and table.last_round == 0:
        table.last_round = 1
        tell("target", seat)
    last = seat == table.players - 1
    if last and table.last_round:
        return True
    if table.passes == table.players:
        hidden.ended = STALEMATE
        return True
    if last and table.turn == rules.max_turns:
        hidden.ended = TRUNCATED
        return True
    if last:
        table.turn += 1
        table.seat = 0
    else:
        table.seat += 1
    tell("turn", table.turn, table.seat)
    return False


@rule
def carry_out(table, seats, hidden, rules, seat, action):
    """Carry out an action of the seat to move and set what is next in its turn."""
    if table.decision == MAIN:
        table.passes = table.passes + 1 if action == PASS else 0
        table.decision = RETURNING
        if action < BLIND:
            table.bank_word -= rules.take_word[action]
            table.tokens_word[seat] += rules.take_word[action]
        elif action >= RESERVE:
            reserve(table, seats, hidden, rules, seat, action - RESERVE)
        elif action >= BUY:
            buy(table, seats, hidden, rules, seat, action - BUY)
        elif action < PASS:
            reserve_blind(table, seats, hidden, rules, seat, action - BLIND)
    elif table.decision == RETURNING:
        give_back(table, hidden, seat, np.int64(1) << (8 * (action - GIVE)))
    elif table.decision == CHOOSING:
        visit(table, hidden, rules, seat, action - VISIT)
        table.decision = TURN_OVER
    else:
        pay(table, hidden, seat, action - PAY)


@rule
def give_back(table, hidden, seat, tokens):
    """Return tokens above the limit to the bank (section 4.2, 1)."""
    table.tokens_word[seat] -= tokens
    table.bank_word += tokens
    hidden.returned[seat] += 1


@rule
def pay(table, hidden, seat, token):
    """Pay one unit of what is owed with a token of its colour or with gold."""
    colour = first_owed(table)
    paid = np.int64(1) << (8 * token)
    table.owed_word -= np.int64(1) << (8 * colour)
    table.tokens_word[seat] -= paid
    table.bank_word += paid
    hidden.gold_used[seat] += token == GOLD


@rule
def buy(table, seats, hidden, rules, seat, card):
    """Buy a card (section 4.1): own coloured tokens first, gold for what is missing."""
    need = needs(table, rules, seat, card)
    if rules.payment == FREE_CHOICE:
        table.paying = card
        table.owed_word = need
        table.decision = PAYING
        return
    lacking = minus(need, table.tokens_word[seat])
    gold = total(lacking)
    paid = need - lacking + gold * GOLD_ONE
    table.tokens_word[seat] -= paid
    table.bank_word += paid
    hidden.gold_used[seat] += gold
    tell("paid", seat, paid)
    take_card(table, seats, hidden, rules, seat, card)


@rule
def take_card(table, seats, hidden, rules, seat, card):
    """Lay a card that is paid before its buyer, with its bonus and points; refill its place."""
    place = np.int64(table.place[card])
    table.place[card] = BOUGHT + seat
    level = np.int64(rules.level[card])
    table.bonuses[seat, rules.bonus[card]] += 1
    table.points[seat] += rules.points[card]
    table.bought[seat] += 1
    hidden.card_points[seat] += rules.points[card]
    hidden.by_level[seat, level] += 1
    emit(hidden.events, seat, table.turn, BOUGHT_EVENT, card, (rules.points[card], level + 1))
    if rules.points[card] > 0:
        tell("points", seat, card)
    if 0 < place <= PLACES:
        refill(table, hidden, rules, place - 1)
    else:
        from_hand(table, seats, seat, card)


@rule
def from_hand(table, seats, seat, card):
    """Take a card out of a hand; later ones move up."""
    me = seats[seat]
    at = np.int64(0)
    while me.hand[at] != card:
        at += 1
    for i in range(at, HAND - 1):
        me.hand[i] = me.hand[i + 1]
        table.reserved[seat, i] = table.reserved[seat, i + 1]
        table.reserved_level[seat, i] = table.reserved_level[seat, i + 1]
    me.hand[HAND - 1] = -1
    table.reserved[seat, HAND - 1] = -1
    table.reserved_level[seat, HAND - 1] = 0
    table.hand[seat] -= 1


@rule
def reserve(table, seats, hidden, rules, seat, card):
    """Reserve a card of the market (section 4.1): everybody has seen it."""
    place = np.int64(table.place[card])
    hidden.seen[seat] += 1
    emit(hidden.events, seat, table.turn, RESERVED_EVENT, card, (0, rules.level[card] + 1))
    known = rules.reserved_memory == PERFECT
    table.place[card] = IN_HAND + seat if known else NOWHERE
    into_hand(table, seats, rules, seat, card, card if known else np.int64(-1))
    refill(table, hidden, rules, place - 1)


@rule
def reserve_blind(table, seats, hidden, rules, seat, level):
    """Reserve the top card of a deck: only its owner sees it."""
    card = top_of(hidden, rules, level)
    table.deck[level] -= 1
    hidden.blind[seat] += 1
    emit(hidden.events, seat, table.turn, BLIND_EVENT, card, (0, level + 1))
    into_hand(table, seats, rules, seat, card, np.int64(-1))


@rule
def into_hand(table, seats, rules, seat, card, shown):
    """Take a card into a hand, and a gold token if the bank has one."""
    at = np.int64(table.hand[seat])
    seats[seat].hand[at] = card
    table.reserved[seat, at] = shown
    table.reserved_level[seat, at] = rules.level[card] + 1
    table.hand[seat] += 1
    if table.bank[GOLD] > 0:
        table.bank_word -= GOLD_ONE
        table.tokens_word[seat] += GOLD_ONE
        tell("gold", seat)


@rule
def refill(table, hidden, rules, place):
    """Turn up the next card of a level at a place (0 to 11) of the market, if one is left."""
    level = place >> 2
    if table.deck[level] == 0:
        table.market[place] = -1
        return
    card = top_of(hidden, rules, level)
    table.deck[level] -= 1
    table.market[place] = card
    table.place[card] = place + 1
    tell("turned_up", card)


@rule
def top_of(hidden, rules, level):
    """Draw the next card of a level's deck; return its number among all cards."""
    if level == 0:
        return draw(hidden.level1)
    if level == 1:
        return draw(hidden.level2) + rules.first[1]
    return draw(hidden.level3) + rules.first[2]


@rule
def visit(table, hidden, rules, seat, tile):
    """A noble visits: its points count at once (section 4.2, 2)."""
    for place in range(table.players + 1):
        if table.nobles[place] == tile:
            table.nobles[place] = -1
    table.points[seat] += rules.noble_points[tile]
    table.visited[seat] += 1
    emit(hidden.events, seat, table.turn, NOBLE_EVENT, CARDS + tile, (rules.noble_points[tile], 0))
    tell("visit", seat, tile)
