"""What strategies of Dice 21 share."""

from simlab.core.functions import rule
from simlab.core.rng import below
from simlab_dice21.actions import ROLL, STOP, WORDS
from simlab_dice21.rules import legal

ACTIONS = len(WORDS)


@rule
def risk(table, rules):
    """Chance that the next roll is a bust: 0 to 1."""
    safe = rules.target - table.total
    return max(0, rules.sides - safe) / rules.sides


@rule
def pick_legal(table, me, rules, rng):
    """Any legal action, each with the same chance."""
    action = below(rng, ACTIONS)
    while not legal(table, me, rules, action):
        action = below(rng, ACTIONS)
    return action


@rule
def default(table, me, rules):
    """What a strategy does that has no idea of its own: stop above a risk of one half."""
    return STOP if risk(table, rules) > 0.5 else ROLL
