"""How many digits a number deserves, and how it is written."""

from __future__ import annotations

import math
from collections.abc import Iterable

MOST_DIGITS = 4


def digits(intervals: Iterable[tuple[float | None, float | None]]) -> int:
    """Return the decimals (1 to 4) at which the narrowest interval still shows two ends apart.

    intervals: low and high, in the unit that is written; None and empty ones do not count.
    """
    widths = [high - low for low, high in intervals if low is not None and high is not None]
    narrowest = min((width for width in widths if width > 0), default=1.0)
    return min(MOST_DIGITS, max(1, math.ceil(-math.log10(narrowest))))


def with_interval(
    value: float | None, low: float | None, high: float | None, unit: str = "", of: str = ""
) -> str:
    """Write an estimate with its interval: `51.6 % of its games [50.9, 52.3]`.

    value, low, high: as they are shown, so per cents for the unit "%"; None where there is none. It
    has as many decimals as the width of the interval asks for. of: words before the interval.
    """
    if value is None:
        return "-"
    number, ends = 1, ""
    if low is not None and high is not None:
        number = digits([(low, high)])
        ends = f"[{low:,.{number}f}, {high:,.{number}f}]"
    return " ".join(word for word in (f"{value:,.{number}f}", unit, of, ends) if word)


def percent(share: float | None, decimals: int = 1) -> str:
    """Write a share in [0, 1] in percent."""
    return "-" if share is None else f"{100 * share:.{decimals}f} %"


def plain(value: float | None, decimals: int = 1) -> str:
    """Write a number with its thousands marked."""
    return "-" if value is None else f"{value:,.{decimals}f}"


def p_text(value: float | None) -> str:
    """Write a p value."""
    if value is None:
        return "-"
    return "<0.0001" if value < 0.0001 else f"{value:.4f}"
