"""A turn: influence, purchase, devaluation and refill (section 3), and what its cards do."""

from __future__ import annotations

import numpy as np

from simlab.core.functions import rule, shared
from simlab.core.trace import emit, tell
from simlab.games.collier.actions import (
    BUY,
    ENOUGH,
    FORGER_DISCARD,
    INFLUENCE,
    PLACES,
    PLAY_CONFESSOR,
    PLAY_COURTESAN,
    PLAY_FAVORITE,
    PLAY_FORGER,
    PLAY_FORGER_ANY,
    PLAY_SWAP,
    PLAY_THIEF,
    PURCHASE,
    TAKE,
)
from simlab.games.collier.actions import (
    CARDINAL as ASK_CARDINAL,
)
from simlab.games.collier.actions import (
    MUSKETEERS as ASK_MUSKETEERS,
)
from simlab.games.collier.rules.hands import (
    discard,
    draw_card,
    draw_for_astrologer,
    has_none_of,
    look_at,
    random_card,
    receive,
    steal,
    use,
)
from simlab.games.collier.rules.records import (
    ANY_CARD,
    ASTROLOGER,
    ATTACKED,
    BOUGHT,
    BUYING,
    CARDINAL,
    CONFESSOR,
    COURTESAN,
    DRAWN,
    DUCATS,
    FASHION,
    FAVORITE,
    FORGER,
    FREE_CARD,
    INFLUENCING,
    MERCHANTS,
    MUSKETEERS,
    QUEEN,
    RIPOSTE,
    SETTLING,
    STEPS,
    SWAP_ANY,
    THIEF,
    TO_TOP,
    WINDOW,
)

FIRST_OF_PAIR = (0, 0, 0, 1, 1, 2)
SECOND_OF_PAIR = (1, 2, 3, 2, 3, 3)
_SEATS_BIT = PLAY_CONFESSOR  # codes of the influence phase are its actions: it comes first
_TYPE_MASK = 0b1111


@rule
def ask(table, seat, decision, options):
    """Put a decision to a seat."""
    table.asked = seat
    table.decision = decision
    table.options = options


@rule
def begin_turn(table, seats, rules):
    """Let the active player's turn begin (step 1)."""
    seat = np.int64(table.seat)
    table.turn += 1
    table.budget = DUCATS
    table.taken = 0
    table.courtesans = 0
    tell("turn", table.turn, seat)
    if table.deck == 0 and table.count == 0:
        tell("skipped", seat)
        table.phase = SETTLING
        return
    for role in range(QUEEN + 1):
        seats[seat].ready[role] = seats[seat].hand[rules.of_role[role]]
    table.phase = INFLUENCING


# -- influence


@rule
def opponents(table):
    """Return the seats with cards, the active one apart, as a mask."""
    found = np.int64(0)
    for seat in range(table.players):
        if seat != table.seat and table.hand_size[seat] > 0:
            found |= np.int64(1) << seat
    return found


@shared
def influences(table, seats, rules):
    """Return the codes of the influence phase that are possible, as a mask."""
    ready = seats[table.seat].ready
    options = np.int64(1)
    others = opponents(table)
    if ready[CONFESSOR] > 0:
        options |= others << PLAY_CONFESSOR
    if ready[COURTESAN] > 0 and table.courtesans < rules.courtesan_max:
        options |= np.int64(1) << PLAY_COURTESAN
    if ready[FAVORITE] > 0:
        if rules.favorite_mode == SWAP_ANY:
            options |= np.int64(0b111111) << PLAY_SWAP
        else:
            top = np.int64(1) << np.int64(table.fashion[0])
            options |= (_TYPE_MASK & ~top) << PLAY_FAVORITE
    if ready[FORGER] > 0:
        if rules.forger_mode == ANY_CARD:
            options |= others << PLAY_FORGER_ANY
        else:
            for seat in range(table.players):
                if (others >> seat) & 1 == 1:
                    options |= np.int64(_TYPE_MASK) << (PLAY_FORGER + 4 * seat)
    if ready[THIEF] > 0:
        options |= others << PLAY_THIEF
    return options


@rule
def go_on_influence(table, seats, rules):
    """Ask for a card of the influence phase, if one can be played."""
    ready = seats[table.seat].ready
    blue = ready[CONFESSOR] | ready[COURTESAN] | ready[FAVORITE] | ready[FORGER] | ready[THIEF]
    options = influences(table, seats, rules) if blue != 0 else np.int64(1)
    if options == 1:
        table.phase = BUYING
    else:
        ask(table, np.int64(table.seat), INFLUENCE, options)


@shared
def influence(table, seats, hidden, rules, code):
    """Play a card of the influence phase (section 5), or stop."""
    seat = np.int64(table.seat)
    if code == 0:
        table.phase = BUYING
        return
    if code < PLAY_COURTESAN:
        use(table, seats, hidden, rules, seat, np.int64(CONFESSOR))
        look_at(seats, seat, code - PLAY_CONFESSOR)
    elif code == PLAY_COURTESAN:
        use(table, seats, hidden, rules, seat, np.int64(COURTESAN))
        table.courtesans += 1
        table.budget += rules.courtesan_bonus
    elif code < PLAY_FORGER:
        use(table, seats, hidden, rules, seat, np.int64(FAVORITE))
        if code < PLAY_SWAP:
            improve(table, rules, code - PLAY_FAVORITE)
        else:
            pair = code - PLAY_SWAP
            exchange(table, FIRST_OF_PAIR[pair], SECOND_OF_PAIR[pair])
        tell("fashion", seat)
    elif code < PLAY_THIEF:
        use(table, seats, hidden, rules, seat, np.int64(FORGER))
        table.attack = FORGER
        if code < PLAY_FORGER_ANY:
            table.target = (code - PLAY_FORGER) // 4
            table.named = (code - PLAY_FORGER) % 4
        else:
            table.target = code - PLAY_FORGER_ANY
            table.named = -1
        begin_attack(table, seats, rules)
    else:
        use(table, seats, hidden, rules, seat, np.int64(THIEF))
        table.attack = THIEF
        table.target = code - PLAY_THIEF
        begin_attack(table, seats, rules)


@rule
def place_of_type(table, gem):
    """Return where a type lies: 0 under +30 to 3 under +0."""
    place = np.int64(0)
    while table.fashion[place] != gem:
        place += 1
    return place


@rule
def lay_fashion(table, place, gem):
    """Lay the tile of a type under a fashion value."""
    table.fashion[place] = gem
    table.value[gem] = FASHION - 10 * place


@rule
def improve(table, rules, gem):
    """Move a type to the top, or one place up, by `favorite_mode`."""
    place = place_of_type(table, gem)
    last = np.int64(0) if rules.favorite_mode == TO_TOP else place - 1
    while place > last:
        lay_fashion(table, place, np.int64(table.fashion[place - 1]))
        place -= 1
    lay_fashion(table, place, gem)


@rule
def exchange(table, gem, other):
    """Let two types change places."""
    place, to = place_of_type(table, gem), place_of_type(table, other)
    lay_fashion(table, place, np.int64(other))
    lay_fashion(table, to, np.int64(gem))


# -- attacks


@rule
def begin_attack(table, seats, rules):
    """Announce an attack; its target may have Musketeers."""
    target = np.int64(table.target)
    table.phase = ATTACKED
    guards = np.int64(rules.of_role[MUSKETEERS])
    if rules.musketeers_mode != DRAWN and seats[target].hand[guards] > 0:
        ask(table, target, ASK_MUSKETEERS, np.int64(0b11))


@shared
def answer_attack(table, seats, hidden, rules, rng, code):
    """Cancel an attack with Musketeers, or let it go on."""
    if code == 0:
        return
    seat, target = np.int64(table.seat), np.int64(table.target)
    use(table, seats, hidden, rules, target, np.int64(MUSKETEERS))
    table.phase = INFLUENCING
    if rules.musketeers_mode == RIPOSTE and table.hand_size[seat] > 0:
        taken = random_card(table, seats, hidden, rules, rng, seat)
        steal(table, seats, rules, target, seat, taken)


@shared
def resolve_attack(table, seats, hidden, rules, rng):
    """Let an attack have its effect."""
    seat, target = np.int64(table.seat), np.int64(table.target)
    if table.attack == THIEF:
        table.phase = INFLUENCING
        kind = random_card(table, seats, hidden, rules, rng, target)
        if rules.musketeers_mode == DRAWN and rules.role[kind] == MUSKETEERS:
            use(table, seats, hidden, rules, target, np.int64(MUSKETEERS))
            tell("caught", seat, target)
            if table.hand_size[seat] > 0:
                taken = random_card(table, seats, hidden, rules, rng, seat)
                steal(table, seats, rules, target, seat, taken)
        else:
            steal(table, seats, rules, seat, target, kind)
        return
    fitting = np.int64(0)
    for kind in range(rules.kinds):
        if seats[target].hand[kind] > 0 and (table.named < 0 or rules.type[kind] == table.named):
            fitting |= np.int64(1) << kind
    table.phase = INFLUENCING
    if fitting == 0:
        has_none_of(table, seats, rules, target, np.int64(table.named))
        tell("has_none", target, table.named)
    else:
        ask(table, target, FORGER_DISCARD, fitting)


@rule
def drop(table, seats, rules, kind):
    """Discard the card that a Forger asks for."""
    discard(table, seats, rules, np.int64(table.target), kind)


# -- purchase


@rule
def price_at(table, rules, place):
    """Return the marked price of a place of the market, in ducats."""
    return np.int64(rules.price[table.market[place], table.steps[place]])


@rule
def go_on_purchase(table, seats, hidden, rules):
    """Ask what to buy, if there is a choice (phase 2)."""
    seat = np.int64(table.seat)
    found = np.int64(0)
    for place in range(table.count):
        if price_at(table, rules, place) <= table.budget:
            found |= np.int64(2) << place
    options = found
    if found == 0 or table.taken >= rules.min_purchase:
        options |= 1
    if rules.queen_mode == FREE_CARD and seats[seat].ready[QUEEN] > 0:
        options |= ((np.int64(1) << table.count) - 1) << (TAKE - ENOUGH)
    if options == 1:
        stop_buying(table, hidden)
    else:
        ask(table, seat, PURCHASE, options)


@rule
def stop_buying(table, hidden):
    """End the purchase: what is left of the budget is lost."""
    hidden.lost[table.seat] += table.budget
    table.phase = SETTLING
    tell("lost", table.seat, table.budget)


@shared
def purchase(table, seats, hidden, rules, code):
    """Buy a card, take one with the Queen, or stop (phase 2)."""
    seat = np.int64(table.seat)
    if code == 0:
        stop_buying(table, hidden)
        return
    place, price = code - (BUY - ENOUGH), np.int64(0)
    if place < PLACES:
        price = price_at(table, rules, place)
        table.budget -= price
        hidden.spent[seat] += price
    else:
        place -= PLACES
        use(table, seats, hidden, rules, seat, np.int64(QUEEN))
    kind = np.int64(table.market[place])
    close_gap(table, place)
    table.taken += 1
    hidden.bought[seat] += 1
    tell("takes", seat, kind, price, table.budget)
    emit(hidden.events, seat, table.turn, BOUGHT, kind, (price, table.sales, 0, 0, 0))
    if rules.role[kind] == ASTROLOGER:
        draw_for_astrologer(table, seats, hidden, rules, seat)
    else:
        receive(table, seats, rules, seat, kind)


@rule
def close_gap(table, place):
    """Take a card out of the row; the newer ones move up."""
    table.count -= 1
    while place < table.count:
        table.market[place] = table.market[place + 1]
        table.steps[place] = table.steps[place + 1]
        place += 1
    table.market[place] = -1
    table.steps[place] = 0


# -- devaluation, refill and what comes after


@shared
def settle(table, hidden, rules):
    """Devalue what was not bought and fill the row again (phase 3)."""
    place = np.int64(0)
    for _ in range(table.count):
        table.steps[place] += 1
        if table.steps[place] == STEPS:
            kind = np.int64(table.market[place])
            table.gone[kind] += 1
            close_gap(table, place)
            tell("too_old", kind)
        else:
            place += 1
    refill(table, hidden, rules)


@shared
def refill(table, hidden, rules):
    """Lay cards from the deck at the end of the row until there are five."""
    while table.count < PLACES:
        kind = draw_card(table, hidden, rules)
        if kind < 0:
            return
        table.market[table.count] = kind
        table.steps[table.count] = 0
        tell("turned_up", table.count, kind)
        table.count += 1


@rule
def go_on_window(table, seats, rules):
    """Ask the next holder of a Cardinal; False once all were asked (step 7)."""
    kind = np.int64(rules.of_role[CARDINAL])
    while table.step < table.players:
        seat = (np.int64(table.seat) + table.step) % table.players
        table.step += 1
        if seats[seat].hand[kind] > 0:
            ask(table, seat, ASK_CARDINAL, np.int64(0b11))
            return True
    return False


@shared
def answer_window(table, seats, hidden, rules, code):
    """Delay the sale of a merchant with a Cardinal, or let it be."""
    if code == 0:
        return
    seat = np.int64(table.asked)
    use(table, seats, hidden, rules, seat, np.int64(CARDINAL))
    table.pending = seat
    table.phase = MERCHANTS
    tell("delayed", seat)


@rule
def begin_window(table):
    """Turn to the next merchant drawn in this turn."""
    table.due -= 1
    table.step = 0
    table.phase = WINDOW
