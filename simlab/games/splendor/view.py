"""What strategies of Splendor share: prices, nobles, aims, and what to do about anything else.

A *place* is where a card can be bought from: 0 to 11 in the market, 12 to 14 in one's own hand. A
*word* holds a number for each colour in one integer; `amount(word, colour)` reads it. A *salt* is a
random number that breaks ties (`salt(rng)`); 0 breaks them by the lowest place. Definitions as in
RULES.md section 9.
"""

from __future__ import annotations

import numpy as np

from simlab.core.bits import lowest, popcount
from simlab.core.counters import covers, minus, some, total
from simlab.core.functions import rule, shared
from simlab.core.rng import below, next_u64
from simlab.games.splendor import rules as _rules
from simlab.games.splendor.actions import (
    BLIND,
    BUY,
    DOUBLE,
    GIVE,
    GOLD,
    PASS,
    PAY,
    RESERVE,
    TAKEN,
    VISIT,
)

PLACES = _rules.PLACES + _rules.HAND
SPREAD = 0.02  # what a token that serves another card weighs against one that serves the aim
_RESERVING = _rules.LEVELS + _rules.PLACES  # first so many card candidates reserve
_TAKES = {sum(1 << c for c in taken): n for n, taken in enumerate(TAKEN[:DOUBLE])}
_TAKE_OF = tuple(_TAKES.get(mask, -1) for mask in range(32))


# -- cards and prices


@rule
def card_at(table, me, place):
    """The number of the card at a place, 0 to PLACES - 1; -1 where none lies."""
    return _rules.buyable(table, me, place)


@rule
def amount(word, colour):
    """The number that a word holds for a colour (0 white, 1 blue, 2 green, 3 red, 4 black)."""
    return (int(word) >> (8 * int(colour))) & 255


@rule
def price(rules, card):
    """The tokens that a card costs without any bonus."""
    return total(rules.cost_word[card])


@rule
def main_colour(rules, card):
    """The colour of which a card costs most; the first of equals."""
    best = 0
    for colour in range(1, 5):
        if rules.cost[card, colour] > rules.cost[card, best]:
            best = colour
    return best


@rule
def net(table, rules, seat, card):
    """The tokens that a card costs a seat, bonuses taken off."""
    return total(_rules.needs(table, rules, seat, card))


@rule
def missing(table, rules, seat, card):
    """The tokens of each colour that a seat lacks for a card, as a word; gold does not count."""
    return _rules.missing(table, rules, seat, card)


@rule
def miss(table, rules, seat, card):
    """How many tokens a seat lacks for a card, its gold put in; 0 if it can buy it."""
    return max(total(missing(table, rules, seat, card)) - int(table.tokens[seat, GOLD]), 0)


@rule
def affordable(table, rules, seat, card):
    """Whether a seat has the bonuses and tokens to buy a card that it can reach."""
    return _rules.affordable(table, rules, seat, card)


@rule
def out_of_reach(table, rules, seat, card):
    """How many of the missing tokens cannot be had now: not in the bank, or above the limit of 10.

    A seat's own gold counts as what the bank lacks.
    """
    word = missing(table, rules, seat, card)
    short = total(minus(word, table.bank_word)) - int(table.tokens[seat, GOLD])
    return max(short, net(table, rules, seat, card) - _rules.LIMIT, 0)


@rule
def turns_to(table, rules, seat, card):
    """Estimate the turns until a seat has bought a card: 1 if it can now.

    1 + miss / 3, rounded up; or 1 + the largest shortage of one colour, but no more than miss, and
    halved, rounded up, where the bank has four of it, if that is more; and three turns for each
    token that is out of reach.
    """
    lack = miss(table, rules, seat, card)
    word = missing(table, rules, seat, card)
    longest = 0
    for colour in range(5):
        short = amount(word, colour)
        longest = max(longest, (short + 1) // 2 if table.bank[colour] >= 4 else short)
    away = out_of_reach(table, rules, seat, card)
    return 1 + max((lack + 2) // 3, min(longest, lack)) + 3 * away


# -- nobles


@rule
def noble_gap(table, rules, seat, tile):
    """The bonuses that a seat still lacks for a noble."""
    return total(minus(rules.require_word[tile], table.bonus_word[seat]))


@rule
def asks_for(table, rules, seat, tile, colour):
    """Whether a noble asks a seat for one more bonus of a colour."""
    return rules.requires[tile, colour] > table.bonuses[seat, colour]


@shared
def noble_term(table, rules, seat, card):
    """The sum over the nobles that want a card's bonus of 1 / (1 + bonuses lacking for it)."""
    found = 0.0
    for place in range(table.players + 1):
        tile = int(table.nobles[place])
        if tile >= 0 and asks_for(table, rules, seat, tile, rules.bonus[card]):
            found += 1.0 / (1 + noble_gap(table, rules, seat, tile))
    return found


@shared
def nobles_wanting(table, rules, seat, card):
    """How many nobles on the table ask a seat for a card's bonus."""
    count = 0
    for place in range(table.players + 1):
        tile = int(table.nobles[place])
        if tile >= 0 and asks_for(table, rules, seat, tile, rules.bonus[card]):
            count += 1
    return count


@shared
def noble_points(table, rules, seat, card):
    """The points of the noble that would come if a seat bought a card now; 0 without one."""
    bonuses = int(table.bonus_word[seat]) + (1 << (8 * int(rules.bonus[card])))
    best = 0
    for place in range(table.players + 1):
        tile = int(table.nobles[place])
        if tile >= 0 and covers(bonuses, rules.require_word[tile]):
            best = max(best, int(rules.noble_points[tile]))
    return best


@rule
def worth(table, me, rules, card, value):
    """A card's value with what `noble_aligned` adds to it; strategies value cards through this."""
    if me.noble_weight == 0.0:
        return value
    return value + me.noble_weight * noble_term(table, rules, me.seat, card)


# -- choosing among cards


@rule
def salt(rng):
    """A random number of 31 bits for breaking ties; draw it once in a decision."""
    return np.int64(next_u64(rng) >> np.uint64(33))


@rule
def luck(salt, number):
    """A random number from 0 to 255 for each number, by a salt; 0 by the salt 0."""
    if salt == 0:
        return 0
    mixed = (int(salt) ^ (int(number) + 1) * 0x9E3779B1) & 0xFFFFFFFF
    for _ in range(2):
        mixed = ((mixed >> 16) ^ mixed) * 0x45D9F3B & 0xFFFFFFFF
    return mixed >> 24


@rule
def tie(table, me, rules, card, salt):
    """A number from 0 to 65535 by which equal cards are told apart; the larger one is taken.

    At random, after what `noble_aligned` thinks of the card.
    """
    chance = luck(salt, card)
    if me.noble_weight == 0.0:
        return chance
    return (min(int(50 * noble_term(table, rules, me.seat, card) + 1e-6), 255) << 8) + chance


@shared
def best_buy(table, me, rules, salt):
    """The card to buy now: most points, then fewest tokens; -1 if none can be bought."""
    best, best_key = -1, -1
    for place in range(PLACES):
        card = card_at(table, me, place)
        if card >= 0 and _rules.legal(table, me, rules, BUY + card):
            paid = net(table, rules, me.seat, card)
            key = (int(rules.points[card]) << 24) + ((255 - paid) << 16)
            key += tie(table, me, rules, card, salt)
            if key > best_key:
                best, best_key = card, key
    return best


@rule
def aim_key(table, me, rules, card, salt):
    """A number that is smallest for what misses least; then for most points, then lowest cost."""
    lack = miss(table, rules, me.seat, card)
    order = (lack << 16) + ((127 - int(rules.points[card])) << 8) + price(rules, card)
    return (order << 16) + 65535 - tie(table, me, rules, card, salt)


@shared
def nearest(table, me, rules, salt):
    """The first aim: the card that misses the fewest tokens (see `aim_key`); -1 if none lies."""
    return _nearest(table, me, rules, salt, False)


@shared
def _nearest(table, me, rules, salt, to_reserve):
    best, best_key = -1, 0
    for place in range(PLACES):
        card = card_at(table, me, place)
        if card >= 0 and (not to_reserve or _rules.legal(table, me, rules, RESERVE + card)):
            key = aim_key(table, me, rules, card, salt)
            if best < 0 or key < best_key:
                best, best_key = card, key
    return best


# -- choosing tokens


@rule
def held(table, seat):
    """How many tokens a seat holds, gold among them."""
    return total(table.tokens_word[seat])


@rule
def reserves(action):
    """Whether an action reserves a card, seen or blind."""
    return action >= RESERVE or BLIND <= action < PASS


@rule
def taken(rules, action):
    """How many tokens a take action takes."""
    return total(rules.take_word[action])


@shared
def demand(table, me, rules):
    """How many cards within reach lack each colour, as a word."""
    found = 0
    for place in range(PLACES):
        card = card_at(table, me, place)
        if card >= 0:
            found += some(missing(table, rules, me.seat, card))
    return found


@shared
def best_take(table, me, rules, weights, first, salt):
    """The legal take action whose tokens weigh most; -1 if none is legal.

    weights: five numbers, what a token of each colour is worth; first: a word; two of a colour
    count one and a half times the weight where it holds two or more, else once.
    """
    mask, value = 0, 0.0
    for _ in range(3):
        best = -1
        for colour in range(5):
            free = table.bank[colour] > 0 and (mask >> colour) & 1 == 0
            if free and (best < 0 or _ahead(weights[colour], weights[best], colour, best, salt)):
                best = colour
        if best >= 0:
            mask |= 1 << best
            value += weights[best]
    action = _TAKE_OF[mask]
    if action < 0 or not _rules.legal(table, me, rules, action):
        action, value = -1, -1.0
    for colour in range(5):
        both = weights[colour] * (1.5 if amount(first, colour) >= 2 else 1.0)
        second = action >= DOUBLE and _ahead(both, value, colour, action - DOUBLE, salt)
        if (both > value or second) and _rules.legal(table, me, rules, DOUBLE + colour):
            action, value = DOUBLE + colour, both
    return action


@rule
def _ahead(value, other, colour, than, salt):
    return value > other or (value == other and luck(salt, colour) > luck(salt, than))


@shared
def take_for(table, me, rules, card, salt, spread):
    """The legal take action that serves a card best, then others within reach; -1 if none is.

    A token weighs as many as the card lacks of its colour, and `spread` for each card within reach
    that lacks it.
    """
    word = missing(table, rules, me.seat, card) if card >= 0 else 0
    others = demand(table, me, rules)
    weights = (
        amount(word, 0) + spread * amount(others, 0),
        amount(word, 1) + spread * amount(others, 1),
        amount(word, 2) + spread * amount(others, 2),
        amount(word, 3) + spread * amount(others, 3),
        amount(word, 4) + spread * amount(others, 4),
    )
    return best_take(table, me, rules, weights, word, salt)


# -- whole decisions


@shared
def toward(table, me, rules, card, salt):
    """The main action that leads to a card: buy it, take for it, reserve it; else `anything`."""
    if card >= 0 and _rules.legal(table, me, rules, BUY + card):
        return BUY + card
    action = take_for(table, me, rules, card, salt, SPREAD)
    if action >= 0:
        return action
    if card >= 0 and _rules.legal(table, me, rules, RESERVE + card):
        return RESERVE + card
    return anything(table, me, rules, salt)


@shared
def anything(table, me, rules, salt):
    """A legal main action where no token can be taken: reserve the nearest card, buy, or any."""
    best = _nearest(table, me, rules, salt, True)
    if best >= 0:
        return RESERVE + best
    best = best_buy(table, me, rules, salt)
    if best >= 0:
        return BUY + best
    n = _rules.next_open(table, me, rules, 0, True)
    if n < 0:
        n = _rules.next_open(table, me, rules, 0, False)
    return _rules.candidate(table, me, n)


@shared
def aside(table, me, rules, card, salt):
    """What to do where no main action is asked, on the way to a card (or -1).

    Pay with coloured tokens before gold; return the colour of which most is left over after the
    card, gold last; choose the noble with the most points.
    """
    seat = int(me.seat)
    if table.decision == _rules.PAYING:
        colour = _rules.first_owed(table)
        return PAY + (colour if _rules.may_pay(table, seat, colour) else GOLD)
    if table.decision == _rules.CHOOSING:
        return VISIT + _best_guest(table, rules, seat)
    need = _rules.needs(table, rules, seat, card) if card >= 0 else 0
    best, most = GOLD, -128
    for colour in range(5):
        left = int(table.tokens[seat, colour]) - amount(need, colour)
        if table.tokens[seat, colour] > 0 and _ahead(left, most, colour, best, salt):
            best, most = colour, left
    return GIVE + best


@rule
def _best_guest(table, rules, seat):
    guests = _rules.visitors(table, rules, seat)
    best = lowest(guests)
    while guests != 0:
        tile = lowest(guests)
        guests &= guests - 1
        if rules.noble_points[tile] > rules.noble_points[best]:
            best = tile
    return best


@shared
def default(table, me, rules):
    """What a strategy does that has no idea of its own, for every kind of decision (section 8)."""
    aim = nearest(table, me, rules, 0)
    if table.decision != _rules.MAIN:
        return aside(table, me, rules, aim, 0)
    card = best_buy(table, me, rules, 0)
    return toward(table, me, rules, card if card >= 0 else aim, 0)


@rule
def legal(table, me, rules, action):
    """Whether an action may be taken now; bars count unless they would leave nothing."""
    return _rules.legal(table, me, rules, action)


# -- the uniform baseline


@rule
def pick_legal(table, me, rules, rng):
    """A legal action at random: main actions, tokens held and nobles alike (section 8)."""
    if table.decision == _rules.MAIN:
        return _pick_main(table, me, rules, rng)
    seat = np.int64(me.seat)
    if table.decision == _rules.RETURNING:
        return GIVE + _pick_token(table, seat, rng)
    if table.decision == _rules.CHOOSING:
        guests = _rules.visitors(table, rules, seat)
        return VISIT + _nth(guests, below(rng, popcount(guests)))
    return PAY + (GOLD if below(rng, np.int64(2)) else _rules.first_owed(table))


@rule
def _pick_main(table, me, rules, rng):
    # Takes are counted, what is done with cards is tried: a card is often out of reach.
    colours, fours = _rules.in_bank(table), _rules.in_fours(table)
    different = np.int64(rules.take_count[colours])
    takes = different + popcount(fours)
    free = (me.barred[0] | me.barred[1] | me.barred[2]) == 0
    skipped = np.int64(0 if table.hand[me.seat] < _rules.HAND else _RESERVING)
    while True:
        n = below(rng, takes + _rules.CANDIDATES - BLIND - skipped)
        if n < different:
            action = np.int64(rules.takes[colours, n])
        elif n < takes:
            action = DOUBLE + _nth(fours, n - different)
        else:
            action = _rules.open_card(table, me, rules, n - takes + skipped)
        if action >= 0 and (free or _rules.legal(table, me, rules, action)):
            return action


@rule
def _nth(mask, n):
    for _ in range(n):
        mask &= mask - 1
    return lowest(mask)


@rule
def _pick_token(table, seat, rng):
    left = below(rng, total(table.tokens_word[seat]))
    token = np.int64(0)
    while left >= table.tokens[seat, token]:
        left -= np.int64(table.tokens[seat, token])
        token += 1
    return token
