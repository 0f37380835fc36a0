"""The rules of Diamant as transitions over records. Section numbers are those of RULES.md.

An *explorer* is what walks in the cave: one per seat, or two (rule `explorers=2`, section 6).
Explorer e belongs to seat e >> rules.shift.
"""

from __future__ import annotations

import numpy as np

from simlab.core.bits import lowest, popcount
from simlab.core.deck import deck_record, draw_in_play, shuffle
from simlab.core.functions import rule
from simlab.core.game import DONE
from simlab.core.records import EVENTS, record
from simlab.core.trace import emit, forced, tell
from simlab.games.diamant.actions import LEAVE, STAY

CARDS, TYPES, EXPLORERS, EXPEDITIONS = 63, 10, 8, 9
TREASURE, TRAP, RELIC, ABSENT = 0, 1, 2, 3
NOTHING_ASKED, LEAVE_OR_STAY = 0, 1
ALL, ONE_PER_EXPEDITION, NONE = 0, 1, 2
BY_ORDER, PRINTED = 0, 1
REMOVED, RETURNED = 0, 1
ALL_REVEALED, TRIGGER, PAIR, NO_REMOVAL = 0, 1, 2, 3
POOLED, PER_CARD = 0, 1
SHARED, MOST_RELICS = 0, 1
PERFECT_RECALL, NO_CHEST_MEMORY = 0, 1
LEFT, ACCIDENT, HOME = 0, 1, 2
EARLY_RELICS, EARLY_PAY, LATE_PAY = 3, 5, 10

# What everybody sees. Masks are bit sets over card numbers, explorers or trap types.
TABLE = record(
    ("players", "i4", ()),
    ("decision", "i4", ()),  # 0 nothing is asked, 1 leave or stay
    ("explorers", "i4", ()),  # explorers in the game
    ("expedition", "i4", ()),  # 1, 2, ...
    ("depth", "i4", ()),  # cards on the path
    ("deck", "i4", ()),  # cards left in the draw deck
    ("leftover", "i4", ()),  # gems that stayed on the path
    ("relics", "i4", ()),  # relics on the path
    ("printed", "i4", ()),  # sum of the printed values of the relics on the path
    ("recovered", "i4", ()),  # relics brought home in the whole game
    ("danger", "i4", ()),  # cards in the deck that would be an accident now
    ("traps", "i4", ()),  # trap types on the path, as a mask
    ("inside", "i4", ()),  # explorers in the cave, as a mask
    ("inside_count", "i4", ()),
    ("on_path", "i8", ()),  # card numbers on the path, as a mask
    ("gone", "i8", ()),  # card numbers out of the game or not yet in it, as a mask
    ("carried", "i4", (EXPLORERS,)),  # gems of the present expedition, by explorer
    ("chest", "i4", (EXPLORERS,)),  # secured gems by seat; -1 with observation=no_chest_memory
    ("copies", "i1", (TYPES,)),  # copies of each trap type left in the deck
    ("path", "i1", (CARDS + 1,)),  # card numbers, in order
    # By expedition (from 0) and explorer: card after which it left; minus the last card it decided
    # to stay after, where an accident or the end of the deck ended the expedition for it.
    ("left_at", "i1", (EXPEDITIONS, EXPLORERS)),
    ("on_card", "i2", (CARDS + 1,)),  # leftover by place on the path, with leftover_split=per_card
)
SEAT = record(
    ("seat", "i4", ()),
    ("explorer", "i4", ()),  # who is asked; the seat itself with one explorer a player
    ("leaving", "i4", ()),  # own explorers that leave now, not yet revealed, as a mask
    ("chest", "i4", ()),  # own secured gems
    ("barred", "i8", (1,)),  # actions not to be taken, as a mask
)
HIDDEN = record(
    ("deck", deck_record(CARDS + 1), ()),
    ("leaving", "i8", ()),  # explorers that leave now, as a mask
    ("events", EVENTS, ()),
    ("leftovers", "i4", (EXPLORERS,)),  # by seat, over the whole game: gems from leftovers
    ("relic_gems", "i4", (EXPLORERS,)),
    ("cards", "i2", (EXPLORERS,)),
    ("relics", "i1", (EXPLORERS,)),
    ("accidents", "i1", (EXPLORERS,)),
    ("alone", "i1", (EXPLORERS,)),
)
RULES = record(
    ("cards", "i4", ()),  # cards of the box: treasures, then traps by type, then relics
    ("treasures", "i4", ()),  # first so many card numbers are treasures
    ("first_relic", "i4", ()),  # card number of the first relic
    ("relics", "i4", ()),  # relics in the box
    ("types", "i4", ()),
    ("expeditions", "i4", ()),
    ("shift", "i4", ()),  # 0 for one explorer a player, 1 for two
    ("relic_entry", "i4", ()),
    ("relic_value", "i4", ()),
    ("relic_unclaimed", "i4", ()),
    ("trap_removal", "i4", ()),
    ("leftover_split", "i4", ()),
    ("tie_break", "i4", ()),
    ("observation", "i4", ()),
    ("absent", "i8", ()),  # places of the box that hold no card, as a mask
    ("relic_mask", "i8", ()),
    ("trap_mask", "i8", ()),
    ("type_mask", "i8", (TYPES,)),
    ("in_deck", "i4", ()),  # treasures and traps
    ("kind", "i1", (CARDS + 1,)),
    ("type", "i1", (CARDS + 1,)),  # trap type of a trap
    ("copies", "i1", (TYPES,)),
    ("value", "i2", (CARDS + 1,)),  # gems of a treasure, printed value of a relic
    ("share", "i2", (EXPLORERS + 1, CARDS + 1)),  # floor(value / explorers inside), by both
)


@rule
def begin(table, seats, hidden, rules, rng):
    """Set up the game (section 2) and enter the cave for the first time."""
    table.explorers = table.players << rules.shift
    table.decision = LEAVE_OR_STAY
    table.gone = rules.absent
    table.deck = rules.in_deck
    if rules.relic_entry == ALL:
        table.deck += rules.relics
    else:
        table.gone |= rules.relic_mask
    for t in range(rules.types):
        table.copies[t] = rules.copies[t]
    for seat in range(table.players):
        seats[seat].explorer = seat << rules.shift
        if rules.observation == NO_CHEST_MEMORY:
            table.chest[seat] = -1
    enter(table, hidden, rules, rng)
    return explore(table, seats, hidden, rules, rng)


@rule
def step(table, seats, hidden, rules, rng, seat, action):
    """Take in one choice (section 3, step 2); when all are in, resolve them and go on."""
    explorer = np.int64(seats[seat].explorer) if rules.shift else seat
    choose(seats[seat], hidden, rules, explorer, action)
    asked = ask(table, seats, hidden, rules, np.int64(-2) << explorer)
    if asked >= 0:
        return asked
    return explore(table, seats, hidden, rules, rng)


@rule
def legal(table, me, rules, action):
    """Both actions are always legal; a bar counts unless it bars both."""
    if me.barred[0] == 0:
        return 0 <= action <= 1
    return 0 <= action <= 1 and (allowed(me) >> action) & 1 == 1


@rule
def score(table, seats, hidden, rules, result):
    """Score = chest (section 5); works at any moment, as if the game ended now."""
    for seat in range(table.players):
        row = result[seat]
        row.score = seats[seat].chest
        row.tie = hidden.relics[seat] if rules.tie_break == MOST_RELICS else 0
        row.shares = seats[seat].chest - hidden.leftovers[seat] - hidden.relic_gems[seat]
        row.leftovers = hidden.leftovers[seat]
        row.relic_gems = hidden.relic_gems[seat]
        row.relics = hidden.relics[seat]
        row.accidents = hidden.accidents[seat]
        row.cards = hidden.cards[seat]
        row.alone = hidden.alone[seat]


@rule
def allowed(me):
    """Return the legal actions as a mask."""
    free = 3 & ~np.int64(me.barred[0])
    return free if free != 0 else np.int64(3)


@rule
def choose(me, hidden, rules, explorer, action):
    """Note a choice where only its own seat sees it."""
    bit = np.int64(action) << explorer  # LEAVE is 1
    hidden.leaving |= bit
    me.leaving = me.leaving | bit if rules.shift else bit


@rule
def ask(table, seats, hidden, rules, among):
    """Return the seat that decides next, in ascending order; -1 when all choices are in.

    among: mask of the explorers that have not been asked yet.
    """
    waiting = table.inside & among
    while waiting != 0:
        explorer = lowest(waiting)
        waiting &= waiting - 1
        seat = explorer >> np.int64(rules.shift)
        seats[seat].explorer = explorer
        if seats[seat].barred[0] == 0:
            return seat
        mask = allowed(seats[seat])
        if mask == 3:
            return seat
        action = LEAVE if mask == 2 else STAY
        forced(seat, action)
        choose(seats[seat], hidden, rules, explorer, action)
    return np.int64(-1)


@rule
def explore(table, seats, hidden, rules, rng):
    """Go on until somebody must decide: resolve exits, turn up cards, change expeditions."""
    while True:
        home = table.depth > 0 and leave(table, seats, hidden, rules)
        fatal = not home and turn_up(table, hidden, rules)
        if home or fatal:
            if table.expedition == rules.expeditions:
                table.decision = NOTHING_ASKED
                return np.int64(DONE)
            close(table, rules, fatal)
            enter(table, hidden, rules, rng)
        else:
            asked = ask(table, seats, hidden, rules, np.int64(-1))
            if asked >= 0:
                return asked


@rule
def enter(table, hidden, rules, rng):
    """Begin an expedition (section 3): everybody in the cave, the whole deck shuffled."""
    if rules.relic_entry == ONE_PER_EXPEDITION and table.expedition < rules.relics:
        table.gone &= ~(np.int64(1) << np.int64(rules.first_relic + table.expedition))
        table.deck += 1
    shuffle(hidden.deck, rng, np.int64(table.expedition), np.int64(rules.cards))
    table.expedition += 1
    table.depth = 0
    table.leftover = table.relics = table.printed = table.danger = table.traps = 0
    table.on_path = 0
    table.inside = (1 << np.int64(table.explorers)) - 1
    table.inside_count = table.explorers
    tell("enter", table.expedition)


@rule
def turn_up(table, hidden, rules):
    """Reveal the next card (section 3, step 1); return whether it was an accident."""
    card = draw_in_play(hidden.deck, table.gone)
    table.path[table.depth] = card
    table.depth += 1
    table.deck -= 1
    table.on_path |= np.int64(1) << card
    tell("card", card)
    kind = rules.kind[card]
    if kind == TREASURE:
        share_out(table, rules, card)
    elif kind == TRAP:
        trap = np.int64(rules.type[card])
        table.copies[trap] -= 1
        if (table.traps >> trap) & 1:
            accident(table, hidden, rules, trap)
            return True
        table.traps |= 1 << trap
        table.danger += table.copies[trap]
    else:
        table.relics += 1
        table.printed += rules.value[card]
    return False


@rule
def share_out(table, rules, card):
    """Share a treasure among the explorers inside; what cannot be shared stays on the card."""
    share = np.int64(rules.share[table.inside_count, card])
    rest = np.int64(rules.value[card]) - share * np.int64(table.inside_count)
    table.leftover += rest
    if rules.leftover_split == PER_CARD:
        table.on_card[table.depth - 1] = rest
    inside = np.int64(table.inside)
    while inside != 0:
        table.carried[lowest(inside)] += share
        inside &= inside - 1


@rule
def accident(table, hidden, rules, trap):
    """Second trap of a type: everybody inside loses all and is out."""
    tell("accident", trap)
    inside = np.int64(table.inside)
    while inside != 0:
        explorer = lowest(inside)
        inside &= inside - 1
        seat = explorer >> np.int64(rules.shift)
        hidden.accidents[seat] += 1
        hidden.cards[seat] += table.depth - 1
        table.carried[explorer] = 0
        table.left_at[table.expedition - 1, explorer] = 1 - table.depth
        emit(hidden.events, seat, table.expedition, ACCIDENT, table.depth, (0, 0, 0, 0, explorer))
    table.inside = table.inside_count = 0


@rule
def leave(table, seats, hidden, rules):
    """Resolve the choices (section 3, step 3); return whether the expedition is over."""
    if hidden.leaving != 0:
        out(table, seats, hidden, rules, np.int64(hidden.leaving), LEFT)
        hidden.leaving = 0
    if table.inside != 0 and table.deck == 0:  # section 7: those who stayed come home as one batch
        out(table, seats, hidden, rules, np.int64(table.inside), HOME)
    return table.inside == 0


@rule
def out(table, seats, hidden, rules, leavers, kind):
    """One batch of explorers leaves: shares leftovers, a lone one takes the relics."""
    count = popcount(leavers)
    bonus = take_leftover(table, rules, count)
    relics = table.relics if count == 1 else 0
    pay = take_relics(table, hidden, rules) if count == 1 else 0
    rest = leavers
    while rest != 0:
        explorer = lowest(rest)
        rest &= rest - 1
        seat = explorer >> np.int64(rules.shift)
        shares = table.carried[explorer]
        table.carried[explorer] = 0
        seats[seat].leaving = 0
        seats[seat].chest += shares + bonus + pay
        if rules.observation == PERFECT_RECALL:
            table.chest[seat] = seats[seat].chest
        hidden.leftovers[seat] += bonus
        hidden.relic_gems[seat] += pay
        hidden.relics[seat] += relics
        hidden.cards[seat] += table.depth
        hidden.alone[seat] += count == 1
        left_at = table.depth if kind == LEFT else -table.depth
        table.left_at[table.expedition - 1, explorer] = left_at
        gained = (shares, bonus, relics, 1 if count == 1 else 0, explorer)
        emit(hidden.events, seat, table.expedition, kind, table.depth, gained)
        tell("out", kind, explorer, shares, bonus, relics, pay)
    table.inside &= ~leavers
    table.inside_count -= count


@rule
def take_leftover(table, rules, count):
    """Return what each of `count` leavers gets of the leftovers; the rest stays on the path."""
    if count == 1:
        each = np.int64(table.leftover)
        table.leftover = 0
        if rules.leftover_split == PER_CARD:
            for place in range(table.depth):
                table.on_card[place] = 0
        return each
    if rules.leftover_split == POOLED:
        each = np.int64(table.leftover) // count
        table.leftover -= each * count
        return each
    each = np.int64(0)
    for place in range(table.depth):
        share = np.int64(table.on_card[place]) // count
        table.on_card[place] -= share * count
        table.leftover -= share * count
        each += share
    return each


@rule
def take_relics(table, hidden, rules):
    """A lone leaver takes every relic on the path; return what they pay."""
    if table.relics == 0:
        return np.int64(0)
    pay = relic_pay(table, rules)
    table.recovered += table.relics
    table.gone |= table.on_path & rules.relic_mask
    table.relics = table.printed = 0
    return pay


@rule
def relic_pay(table, rules):
    """What the relics on the path would pay a lone leaver (section 3, relic value)."""
    if rules.relic_value == PRINTED:
        return np.int64(table.printed)
    count = np.int64(table.relics)
    early = min(max(EARLY_RELICS - np.int64(table.recovered), 0), count)
    return EARLY_PAY * early + LATE_PAY * (count - early)


@rule
def close(table, rules, fatal):
    """Clean up between expeditions (section 4): what goes back, what leaves the game."""
    traps = table.on_path & rules.trap_mask
    away = removed(table, rules, fatal, traps)
    back = traps & ~away
    while back != 0:
        table.copies[rules.type[lowest(back)]] += 1
        back &= back - 1
    if rules.relic_unclaimed == REMOVED:
        away |= table.on_path & rules.relic_mask
    table.gone |= away
    table.deck += popcount(table.on_path & ~np.int64(table.gone))
    if rules.leftover_split == PER_CARD:
        for place in range(table.depth):
            table.on_card[place] = 0


@rule
def removed(table, rules, fatal, traps):
    """Return which of the traps on the path leave the game, as a mask (rule trap_removal)."""
    if rules.trap_removal == ALL_REVEALED:
        return traps
    if not fatal or rules.trap_removal == NO_REMOVAL:
        return np.int64(0)
    last = np.int64(table.path[table.depth - 1])
    if rules.trap_removal == TRIGGER:
        return np.int64(1) << last
    return traps & rules.type_mask[rules.type[last]]
