"""The rules of Dice 21 as transitions over records. Section numbers are those of RULES.md."""

import numpy as np

from simlab.core.functions import rule
from simlab.core.game import DONE
from simlab.core.records import RNG, record
from simlab.core.rng import below, stream
from simlab.core.trace import forced, tell
from simlab_dice21.actions import ROLL, STOP

SEATS, ROUNDS = 8, 20
NOTHING_ASKED, ROLL_OR_STOP = 0, 1

TABLE = record(
    ("players", "i4", ()),
    ("decision", "i4", ()),  # 0 nothing is asked, 1 roll or stop
    ("turn", "i4", ()),  # turns begun in the whole game: 1, 2, ...
    ("active", "i4", ()),  # the seat whose turn it is
    ("total", "i4", ()),  # its total
    ("totals", "i4", (SEATS,)),  # totals of this round, by seat: 0 before its turn and when bust
    ("points", "i4", (SEATS,)),  # sum of all rounds, by seat
)
SEAT = record(("seat", "i4", ()), ("barred", "i8", (1,)))
HIDDEN = record(
    ("dice", RNG, ()),
    ("busts", "i2", (SEATS,)),
    ("exact", "i2", (SEATS,)),
    ("rolls", "i4", (SEATS,)),
)
RULES = record(("target", "i4", ()), ("sides", "i4", ()), ("rounds", "i4", ()))


@rule
def begin(table, seats, hidden, rules, rng):
    """Set up the game (section 1)."""
    table.decision = ROLL_OR_STOP
    return go_on(table, seats, hidden, rules, rng)


@rule
def step(table, seats, hidden, rules, rng, seat, action):
    """Carry out one choice (section 2)."""
    carry_out(table, hidden, rules, action)
    return go_on(table, seats, hidden, rules, rng)


@rule
def legal(table, me, rules, action):
    """Both actions are always legal; a bar counts unless it bars both."""
    return 0 <= action <= 1 and (allowed(me) >> action) & 1 == 1


@rule
def score(table, seats, hidden, rules, result):
    """Score = sum of the totals of all rounds (section 3)."""
    for seat in range(table.players):
        row = result[seat]
        row.score = table.points[seat]
        row.busts = hidden.busts[seat]
        row.exact = hidden.exact[seat]
        row.rolls = hidden.rolls[seat]


@rule
def allowed(me):
    """Return the legal actions as a mask."""
    free = 3 & ~np.int64(me.barred[0])
    return free if free != 0 else np.int64(3)


@rule
def go_on(table, seats, hidden, rules, rng):
    """Go on until somebody must decide; a total of 0 means that no turn is going on."""
    while True:
        if table.total == 0:
            if table.turn == rules.rounds * table.players:
                table.decision = NOTHING_ASKED
                return np.int64(DONE)
            next_turn(table, hidden, rules, rng)
        else:
            seat = np.int64(table.active)
            mask = allowed(seats[seat])
            if mask == 3:
                return seat
            action = STOP if mask == 2 else ROLL
            forced(seat, action)
            carry_out(table, hidden, rules, action)


@rule
def next_turn(table, hidden, rules, rng):
    """Begin the next seat's turn with a roll; turn t rolls from stream t (section 5)."""
    table.active = table.turn % table.players
    if table.active == 0:
        for seat in range(table.players):
            table.totals[seat] = 0
        tell("round {}", 1 + table.turn // table.players)
    hidden.dice.state = stream(rng.key, table.turn)
    table.turn += 1
    roll(table, hidden, rules)


@rule
def carry_out(table, hidden, rules, action):
    """Roll once more, or stop with the total."""
    if action == ROLL:
        roll(table, hidden, rules)
    else:
        stop(table)


@rule
def roll(table, hidden, rules):
    """Add a roll; over the target is a bust, and the target itself needs no decision."""
    seat = np.int64(table.active)
    face = 1 + below(hidden.dice, rules.sides)
    table.total += face
    hidden.rolls[seat] += 1
    tell("seat {} rolls {}: {}", seat, face, table.total)
    if table.total > rules.target:
        hidden.busts[seat] += 1
        table.total = 0
        tell("seat {} is bust", seat)
    elif table.total == rules.target:
        hidden.exact[seat] += 1
        stop(table)


@rule
def stop(table):
    """Write down the total."""
    seat = np.int64(table.active)
    table.totals[seat] = table.total
    table.points[seat] += table.total
    tell("seat {} stops at {}", seat, table.total)
    table.total = 0
