"""Characters, displays and answers by value: the default of every decision (RULES.md 16.3)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simlab.core.bits import lowest
from simlab.core.functions import rule, shared
from simlab.games.collier.actions import (
    ALCHEMIST,
    BANKER,
    BUY,
    CARDINAL,
    ENOUGH,
    FIRST,
    FORGER_DISCARD,
    INFLUENCE,
    KINDS,
    KING,
    LAY_BANKERS,
    LAY_KING,
    LAY_NECKLACE,
    LAY_RINGS,
    MUSKETEERS,
    NECKLACE,
    NO_ALCHEMY,
    NO_DELAY,
    NO_KING,
    NO_NECKLACE,
    PLAY_ALCHEMIST,
    PLAY_CARDINAL,
    PLAY_CONFESSOR,
    PLAY_COURTESAN,
    PLAY_FAVORITE,
    PLAY_FORGER,
    PLAY_FORGER_ANY,
    PLAY_MUSKETEERS,
    PLAY_SWAP,
    PLAY_THIEF,
    PURCHASE,
    RING,
    SHOW,
    SHOW_CARDS,
    SIZES_OF_GEMS,
    STOP,
)
from simlab.games.collier.rules import open_codes
from simlab.games.collier.rules import records as _r
from simlab.games.collier.rules.sale import kings_on, price_of
from simlab.games.collier.rules.turn import FIRST_OF_PAIR, SECOND_OF_PAIR
from simlab.games.collier.view.buying import (
    WORTH_OF_ROLE,
    affordable,
    best_set,
    buy,
    cheapest,
    worth,
    worths,
)
from simlab.games.collier.view.knowing import (
    best_type,
    known_gems,
    look,
    seen,
    stays,
    unseen,
)

EVEN = 0.5  # chance of a majority that is as good as not


class Habits(NamedTuple):
    """How a player sells: what is held back before the last sale, and when cards are played.

    safe: chance of a majority with which a type is shown; rings, bankers: value times chance for
    which they are laid; turn: points that an Alchemist must bring; king: value of a type for which
    a King is laid against a rival, in every sale; delay: value times chance of the best type below
    which a Cardinal waits.
    """

    safe: float
    rings: float
    bankers: float
    turn: float
    king: float
    delay: float


@rule
def usual():
    """The habits of who has no others."""
    return Habits(0.5, 30.0, 20.0, 20.0, 30.0, 20.0)


@rule
def options(table, me):
    """The legal codes of the decision that is asked, as a mask."""
    return np.int64(open_codes(table, me))


@rule
def has(mask, code):
    """Whether a mask holds a code."""
    return (mask >> code) & 1 == 1


@rule
def is_last(table):
    """Whether the sale that goes on is the last one."""
    return table.sales == _r.SALES


# -- influence


@shared
def influence(table, me, rules, sight, allowed):
    """A card of the influence phase, or none: see RULES.md 16.3."""
    confessor = first_seat(table, me, allowed >> PLAY_CONFESSOR)
    if confessor >= 0:
        return PLAY_CONFESSOR + confessor
    favorite = favored(table, sight, allowed)
    if favorite >= 0:
        return favorite
    forged = struck(table, me, rules, sight, allowed)
    if forged >= 0:
        return forged
    thief = richest(table, me, rules, sight, (allowed >> PLAY_THIEF) & 0b1111)
    if thief >= 0:
        return PLAY_THIEF + thief
    if has(allowed, PLAY_COURTESAN) and worth_more(table, me, rules, sight):
        return np.int64(PLAY_COURTESAN)
    return np.int64(STOP)


@rule
def first_seat(table, me, seats):
    """The seat of a mask of whose hand most was not seen, where it is at least two cards; else -1.

    The mask is made of its lowest four bits.
    """
    best, most = np.int64(-1), np.int64(1)
    for seat in range(table.players):
        if (seats >> seat) & 1 == 1:
            hidden = unseen(table, me, seat) + np.int64(me.missing[seat])
            if hidden > most:
                best, most = np.int64(seat), hidden
    return best


@rule
def favored(table, sight, allowed):
    """The Favorite's action that helps the own best type most; -1 if it is on top or none helps."""
    gem = best_type(sight, 0b1111)
    if gem < 0 or sight.chance[gem] < EVEN:
        return np.int64(-1)
    if has(allowed, PLAY_FAVORITE + gem):
        return PLAY_FAVORITE + gem
    top = np.int64(table.fashion[0])
    for pair in range(6):
        a, b = FIRST_OF_PAIR[pair], SECOND_OF_PAIR[pair]
        with_top = (a == gem and b == top) or (b == gem and a == top)
        if with_top and has(allowed, PLAY_SWAP + pair):
            return np.int64(PLAY_SWAP + pair)
    return np.int64(-1)


@rule
def struck(table, me, rules, sight, allowed):
    """The Forger's action that takes most from a rival; -1 if nothing is known to be there."""
    best, most = np.int64(-1), 0.0
    for seat in range(table.players):
        if seat != me.seat:
            for gem in range(4):
                if has(allowed, PLAY_FORGER + 4 * seat + gem):
                    gems = known_gems(me, rules, seat, gem)
                    harm = min(gems, 1.0) * sight.value[gem]
                    if harm > most:
                        best, most = np.int64(PLAY_FORGER + 4 * seat + gem), harm
            if has(allowed, PLAY_FORGER_ANY + seat) and best < 0:
                best = np.int64(PLAY_FORGER_ANY + seat)
    return best


@rule
def richest(table, me, rules, sight, seats):
    """The seat of a mask whose cards are worth most on average, as far as one knows; else -1."""
    best, most = np.int64(-1), 0.0
    for seat in range(table.players):
        if (seats >> seat) & 1 == 1:
            mean = mean_worth(table, me, rules, sight, seat)
            if mean > most:
                best, most = np.int64(seat), mean
    return best


@shared
def mean_worth(table, me, rules, sight, seat):
    """What a card of another hand is worth to the own seat on average; unseen ones count 6."""
    total, cards = 6.0 * unseen(table, me, seat), np.int64(table.hand_size[seat])
    if seen(me, seat) > 0:
        here = stays(me, seat)
        for kind in range(rules.kinds):
            if me.known[seat, kind] > 0:
                total += here * me.known[seat, kind] * worth(table, me, rules, sight, kind)
    return total / cards


@shared
def worth_more(table, me, rules, sight):
    """Whether a Courtesan's ducats buy cards worth more than itself."""
    found = worths(table, me, rules, sight)
    places = (np.int64(1) << np.int64(table.count)) - 1
    now = total_of(found, best_set(table, rules, found, places, np.int64(table.budget)))
    more = np.int64(table.budget) + np.int64(rules.courtesan_bonus)
    then = total_of(found, best_set(table, rules, found, places, more))
    return then - now > WORTH_OF_ROLE[_r.COURTESAN]


@rule
def total_of(values, places):
    """The sum of the values of the places of a mask."""
    total = 0.0
    for place in range(5):
        if (places >> place) & 1 == 1:
            total += values[place]
    return total


# -- displays


@rule
def show_all(me):
    """Show all cards of the kind that is asked."""
    return SHOW_CARDS + np.int64(me.hand[me.kind])


@rule
def display(table, me, rules, sight, safe):
    """Show the kind that is asked if its type is sold with chance `safe`, or in the last sale."""
    gem = np.int64(rules.type[me.kind])
    if is_last(table) or sight.chance[gem] >= safe:
        return show_all(me)
    return np.int64(SHOW_CARDS)


@rule
def types_shown(me):
    """The types of which the own display shows something, as a mask."""
    found = np.int64(0)
    for gem in range(4):
        if me.shown[gem] > 0:
            found |= np.int64(1) << gem
    return found


@rule
def best_shown(me, sight):
    """The type of the own display with the best value times chance; -1 if nothing is shown."""
    return best_type(sight, types_shown(me))


@rule
def lay(table, me, sight, allowed, least):
    """How many rings or Bankers go to the type that is asked: all, if it is the best one shown.

    In the last sale always, before it if value times chance is at least `least`.
    """
    gem = best_shown(me, sight)
    worth_it = is_last(table) or sight.value[gem] * sight.chance[gem] >= least
    if gem != me.type or not worth_it:
        return np.int64(0)
    return most_of(allowed)


@rule
def most_of(allowed):
    """The highest code of a mask that is not empty."""
    found = np.int64(0)
    while allowed > 1:
        allowed >>= 1
        found += 1
    return found


@rule
def crown(me, sight, types, least):
    """The type of a mask to cancel: of those one will hardly sell, the most valuable; -1 if none.

    Only a type worth at least `least` of which a rival has more.
    """
    best, most = np.int64(-1), least
    for gem in range(4):
        hopeless = (types >> gem) & 1 == 1 and sight.chance[gem] < EVEN
        if hopeless and sight.value[gem] >= most:
            best, most = np.int64(gem), sight.value[gem] + 1e-9
    return best


@rule
def protect(table, me, sight):
    """The type for the Queen's Necklace: the best one shown, if rings lie there or at last."""
    gem = best_shown(me, sight)
    if gem >= 0 and (is_last(table) or me.rings[gem] > 0):
        return gem
    return np.int64(-1)


# -- answers


@shared
def payoff(table, rules, seat, gem, size, other):
    """What a seat is paid if one card of `size` gems turned from a type into another.

    After the reveal, when all is open: bounty apart. With size 0, as things are.
    """
    points = 0.0
    for paid_for in range(4):
        if table.protected != paid_for and kings_on(table, paid_for, -1) > 0:
            continue
        own = turned(table, seat, seat, gem, size, other, paid_for)
        if own == 0:
            continue
        total, most, level = np.int64(0), np.int64(0), np.int64(0)
        for rival in range(table.players):
            shown = turned(table, rival, seat, gem, size, other, paid_for)
            total += shown
            if rival != seat:
                most = max(most, shown)
                if shown == own:
                    level += 1
        if most > own or (level > 0 and rules.majority_tie == _r.NOBODY):
            continue
        value = np.int64(table.value[paid_for]) + _r.FASHION
        for than in range(4):
            count = np.int64(0)
            for rival in range(table.players):
                count += turned(table, rival, seat, gem, size, other, than)
            fewer = count < total
            if fewer or (count == total and table.value[than] > table.value[paid_for]):
                value -= 10
        rings = np.int64(table.rings[seat, paid_for])
        points += price_of(rules, value, rings, np.int64(table.bankers[seat, paid_for]))
    return points


@rule
def turned(table, seat, who, gem, size, other, of):
    """How many gems of a type a seat would show after `who` turned a card."""
    shown = np.int64(table.shown[seat, of])
    if seat == who and size > 0:
        if of == gem:
            shown -= size
        elif of == other:
            shown += size
    return shown


@shared
def best_turn(table, me, rules, allowed, least):
    """The Alchemist's code that brings most, if it is at least `least` points; 0: pass."""
    seat = np.int64(me.seat)
    none = np.int64(0)
    now = payoff(table, rules, seat, none, none, none)
    best, most = none, max(least, 1e-9)
    rest = allowed & ~np.int64(1)
    while rest != 0:
        code = lowest(rest)
        rest &= rest - 1
        which, index = (code - 1) // 3, (code - 1) % 3
        gem, size = which // SIZES_OF_GEMS, which % SIZES_OF_GEMS + 1
        other = index if index < gem else index + 1
        gain = payoff(table, rules, seat, gem, size, other) - now
        if gain >= most:
            best, most = code, gain + 1e-9
    return best


@rule
def least_worth(table, me, rules, sight, allowed):
    """The kind of a mask that is worth least to the own seat."""
    best, least = np.int64(-1), 0.0
    for kind in range(KINDS):
        if (allowed >> kind) & 1 == 1:
            value = worth(table, me, rules, sight, kind)
            if best < 0 or value < least:
                best, least = np.int64(kind), value
    return best


@rule
def waits(sight, below):
    """Whether a sale should wait: no type is worth much to the own seat."""
    gem = best_type(sight, 0b1111)
    return sight.value[gem] * sight.chance[gem] < below


# -- whole decisions


@rule
def fitting(table, me, action):
    """An action if it is legal, else the lowest legal one."""
    allowed = options(table, me)
    code = np.int64(action) - FIRST[table.decision]
    if code >= 0 and has(allowed, code):
        return np.int64(action)
    return FIRST[table.decision] + lowest(allowed)


@shared
def answer(table, me, rules, sight, habits):
    """What a strategy with these habits does that has no idea of its own, for every decision."""
    decision = np.int64(table.decision)
    allowed = options(table, me)
    if decision == PURCHASE:
        action = buy(table, me, rules, worths(table, me, rules, sight), allowed)
    elif decision == INFLUENCE:
        action = influence(table, me, rules, sight, allowed)
    elif decision == SHOW:
        action = display(table, me, rules, sight, habits.safe)
    elif decision == RING:
        action = LAY_RINGS + lay(table, me, sight, allowed, habits.rings)
    elif decision == BANKER:
        action = LAY_BANKERS + lay(table, me, sight, allowed, habits.bankers)
    elif decision == KING:
        gem = crown(me, sight, types_shown(me), habits.king)
        action = LAY_KING + gem if gem >= 0 else np.int64(NO_KING)
    elif decision == NECKLACE:
        gem = protect(table, me, sight)
        action = LAY_NECKLACE + gem if gem >= 0 else np.int64(NO_NECKLACE)
    elif decision == ALCHEMIST:
        code = best_turn(table, me, rules, allowed, 0.0 if is_last(table) else habits.turn)
        action = PLAY_ALCHEMIST - 1 + code if code > 0 else np.int64(NO_ALCHEMY)
    elif decision == CARDINAL:
        action = np.int64(PLAY_CARDINAL if waits(sight, habits.delay) else NO_DELAY)
    elif decision == MUSKETEERS:
        action = np.int64(PLAY_MUSKETEERS)
    else:
        kind = least_worth(table, me, rules, sight, allowed)
        action = FIRST[FORGER_DISCARD] + kind
    return fitting(table, me, action)


@shared
def default(table, me, rules):
    """What a strategy does that has no idea of its own (RULES.md section 16)."""
    return answer(table, me, rules, look(table, me, rules), usual())


@shared
def plain(table, me, rules):
    """What the baselines do beside buying: no card is played, all gems are shown, no grey card."""
    decision = np.int64(table.decision)
    if decision == SHOW:
        return fitting(table, me, show_all(me))
    if decision == FORGER_DISCARD:
        return FIRST[FORGER_DISCARD] + lowest(options(table, me))
    return fitting(table, me, FIRST[decision])


@rule
def stop_or_cheapest(table, me, rules):
    """End the purchase; buy the cheapest card where something must be bought."""
    allowed = options(table, me)
    places = affordable(allowed)
    if has(allowed, 0) or places == 0:
        return fitting(table, me, np.int64(ENOUGH))
    return BUY + cheapest(table, rules, places)


@shared
def purchase(table, me, rules, values):
    """Buy the next card of the best set by the values of the five places, as `buy` does."""
    return fitting(table, me, buy(table, me, rules, values, options(table, me)))
