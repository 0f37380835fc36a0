"""Chance."""

from typing import Annotated

from simlab import Range, strategy, uniform


@strategy("pebbles")
def random(rng, take: Annotated[float, Range(0, 1)] = 0.5):
    """Take with probability `take`."""
    return 1 if uniform(rng) < take else 0
