"""Sets of small numbers in one signed 64-bit word (numbers 0 to 62)."""

from __future__ import annotations

from typing import Any

from simlab.core.functions import native


@native("popcount")
def popcount(mask: Any) -> int:
    """Return how many numbers are in the set."""
    return int(mask).bit_count()


@native("lowest")
def lowest(mask: Any) -> int:
    """Return the smallest number in a set that is not empty."""
    word = int(mask)
    return (word & -word).bit_length() - 1
