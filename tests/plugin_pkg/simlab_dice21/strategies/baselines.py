"""What every idea must beat."""

from simlab import strategy
from simlab_dice21 import view


@strategy("dice21")
def random(table, me, rules, rng):
    """Take any legal action, each with the same chance."""
    return view.pick_legal(table, me, rules, rng)
