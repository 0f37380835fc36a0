"""What every idea must beat."""

from simlab import strategy
from simlab.games.splendor import view


@strategy("splendor")
def random(table, me, rules, rng):
    """Take any legal main action, each with the same chance; return any token, visit any noble."""
    return view.pick_legal(table, me, rules, rng)
