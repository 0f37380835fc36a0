"""What every idea must beat."""

from simlab import strategy
from simlab.games.caylus import view


@strategy("caylus")
def random(table, me, rules, rng):
    """Take any legal action, each with the same chance."""
    return view.pick_legal(table, me, rules, rng)
