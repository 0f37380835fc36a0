"""Quantities as people write them: shares, ranges, lists, and what is varied in a sweep.

0.5%    95%    0.95              a share
3:8     4:40:2    0.1,0.2,0.5    values: both ends of a range, in steps; alternatives
threshold.gems=4:40:2            values for a parameter of a strategy
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import NamedTuple

import numpy as np

from simlab.core.parameters import number_text, read_number, read_spec, read_whole
from simlab.errors import UserError, shown

MOST_VALUES = 10_000
LEAST, WIDEST = 1e-6, 1e9
"""Differences, and parts of a level, between which all arithmetic stands."""
LARGE = 0.1
"""A difference of shares from here on is rare enough that a missing % is more likely."""

Value = int | float | str


def read_amount(value: object, what: str) -> float:
    """Read a finite number: `0.5%`, `1e6`, 12; UserError otherwise."""
    number = _number(value)
    if number is None:
        raise UserError(f"{what} is '{shown(value)}'; it takes a number, such as 0.5 or 0.5%.")
    return number


def read_share(
    value: object, what: str, low: float = 0.0, high: float = 1.0, *, ends: bool = False
) -> float:
    """Read a share: `0.5%` and 0.005 are the same.

    what: its name, for the sentence about a wrong one. low, high: what it lies between; ends:
    whether it may be one of these itself. UserError for anything else.
    """
    share = _number(value)
    fits = share is not None and (low <= share <= high if ends else low < share < high)
    if share is not None and fits:
        return share
    least, most = share_text(low), share_text(high)
    span = f"from {least} to {most}" if ends else f"above {least} and below {most}"
    percent = share is not None and share > high and low < share / 100 < high
    way = f"; did you mean {number_text(share)}%?" if share is not None and percent else "."
    raise UserError(f"{what} is '{shown(value)}'; it takes a share {span}{way}")


def read_difference(value: object, what: str, objective: str = "win") -> float:
    """Read a difference that matters, above 0: a share of wins, else in the objective's units."""
    if objective == "win":
        share = read_share(value, what)
        if share < LEAST:
            raise UserError(
                f"{what} is '{shown(value)}', which no number of games can tell; it takes at least "
                f"{share_text(LEAST)}."
            )
        if isinstance(value, str) and "%" not in value and share >= LARGE:
            said = value.strip()
            raise UserError(
                f"{what} is {said}, which is {share_text(share)}; write {said}%, or "
                f"{share_text(share)} if you do mean so much."
            )
        return share
    amount = read_amount(value, what)
    if amount <= 0:
        raise UserError(f"{what} is '{shown(value)}'; it takes a number above 0.")
    if not LEAST <= amount <= WIDEST:
        raise _beyond(value, what)
    return amount


def read_level(value: object, what: str = "--confidence", low: float = 0.5) -> float:
    """Read a level of confidence, or a power: `95%`, above `low`, at most 99.9999 %."""
    level = read_share(value, what, low, 1)
    if 1 - level < LEAST / 2:
        raise UserError(f"{what} is '{shown(value)}'; it takes at most {share_text(1 - LEAST)}.")
    return level


def _beyond(value: object, what: str) -> UserError:
    return UserError(
        f"{what} is '{shown(value)}', which no number of games can tell; it takes a number from "
        f"{number_text(LEAST)} to {number_text(WIDEST)}."
    )


def share_text(share: float) -> str:
    """Write a share in percent so that it reads back the same: `0.5%`."""
    return f"{_plain(Decimal(repr(float(share))) * 100)}%"


def _plain(number: Decimal) -> str:
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _number(value: object) -> float | None:
    """Return a finite number, or None where it is not one."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float, np.number)):
        return None
    try:
        number = read_number(value) if isinstance(value, str) else float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def split(text: str, mark: str = ",") -> list[str]:
    """Return the parts of a text between commas (or another mark), but not those in brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == mark and depth <= 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def read_list(value: object, what: str) -> list[str]:
    """Read `a, b(x=1, y=2), c` or a list of texts; UserError where one is empty."""
    entries = split(value) if isinstance(value, str) else value
    if not isinstance(entries, (list, tuple)) or not entries:
        raise UserError(f"{what} is {shown(repr(value))}; it takes words with commas between.")
    for entry in entries:
        if not isinstance(entry, str) or not entry.strip():
            raise UserError(f"{what}: an entry is empty or no text in {shown(repr(value))}.")
    return [entry.strip() for entry in entries]


def read_range(value: object, what: str) -> list[Value]:
    """Return the values of `4:40:2` or `a,b,5:7`, or of a list or number, in order.

    LOW:HIGH and LOW:HIGH:STEP hold both ends (the upper one where the steps meet it); the step is 1
    if none is given, and may be a fraction. Numbers are all int or, where one is no whole number,
    all float; with a word among them all are texts as written. what: the name, for errors.
    UserError for what is empty, backward, without step, given twice, or above 10,000 values.
    """
    pieces = split(value) if isinstance(value, str) else value
    if not isinstance(pieces, (list, tuple)):
        pieces = [value]
    found: list[Value] = []
    for piece in pieces:
        found += _values(piece, what)
        if len(found) > MOST_VALUES:
            raise _too_many(what)
    if not found:
        raise UserError(f"{what} is empty; it takes values, such as 4:40:2 or 4,8,12.")
    made, seen = _alike(found), set[Value]()
    for one in made:
        if one in seen:
            raise UserError(f"{what}: the value '{shown(one)}' is given twice.")
        seen.add(one)
    return made


def _values(piece: object, what: str) -> list[Value]:
    """Return the values of one piece: a number, a range, or a word."""
    number = _number(piece)
    if number is not None:
        return [_short(Decimal(repr(number)))]
    if not isinstance(piece, str) or not piece.strip():
        said = "an empty value" if isinstance(piece, str) else shown(repr(piece))
        raise UserError(f"{what} has {said}; it takes values, such as 4:40:2 or 4,8,12.")
    text = piece.strip()
    parts = split(text, ":")
    ends = [Decimal(repr(end)) for end in map(_number, parts) if end is not None]
    if len(ends) == len(parts) and len(ends) in (2, 3):
        return _steps(ends, f"{what}: the range '{shown(text)}'", what)
    if len(parts) > 1 and re.match(r"[-+.:\d]", text):
        raise UserError(
            f"{what}: the range '{shown(text)}' cannot be read; write LOW:HIGH or LOW:HIGH:STEP."
        )
    return [text]


def _steps(ends: list[Decimal], said: str, what: str) -> list[Value]:
    """Return the numbers of a range, without the rounding of sums of floats."""
    low, high, step = (*ends, Decimal(1))[:3]
    if step <= 0:
        raise UserError(f"{said} has the step {_plain(step)}; a step must be above 0.")
    if high < low:
        turned = ":".join(map(_plain, (high, low, *ends[2:])))
        raise UserError(f"{said} runs backward; did you mean {turned}?")
    if (high - low) / step >= MOST_VALUES:
        raise _too_many(what)
    return [_short(low + step * count) for count in range(int((high - low) // step) + 1)]


def _short(number: Decimal) -> int | float:
    return int(number) if number == number.to_integral_value() else float(number)


def _too_many(what: str) -> UserError:
    return UserError(f"{what} has more than {MOST_VALUES:,} values; take larger steps.")


def _alike(found: list[Value]) -> list[Value]:
    """Return all whole numbers, all floats, or all texts."""
    if any(isinstance(value, str) for value in found):
        return [value if isinstance(value, str) else number_text(value) for value in found]
    if any(isinstance(value, float) for value in found):
        return [float(value) for value in found]
    return found


def read_wholes(value: object, what: str, low: int) -> list[int]:
    """Return whole numbers from a range in words, a list or a number: `3:8`, [3, 5], 4."""
    wrong = UserError(
        f"{what} is '{shown(value)}'; it takes whole numbers of at least {low:,}, such as 3, 3:8 "
        "or 3,5."
    )
    found = read_range(value, what)
    if any(isinstance(number, (str, float)) or number < low for number in found):
        raise wrong
    return [read_whole(number, what, low) for number in found]


def read_span(value: object, what: str) -> tuple[float, float]:
    """Return the two numbers of `LOW:HIGH` or of a pair, the smaller one first."""
    ends = value.split(":") if isinstance(value, str) else value
    wrong = UserError(f"{what} is '{shown(value)}'; it takes LOW:HIGH, such as 0:300.")
    if not isinstance(ends, (list, tuple)) or len(ends) != 2:
        raise wrong
    low, high = map(_number, ends)
    if low is None or high is None:
        raise wrong
    if low >= high:
        raise UserError(f"{what} is '{shown(value)}'; the lowest must lie below the highest.")
    if max(abs(low), abs(high)) > WIDEST or high - low < LEAST:
        raise _beyond(value, what)
    return low, high


class Vary(NamedTuple):
    """What is varied in a sweep: values of one parameter of a strategy.

    strategy: its spec in words, perhaps with other parameters; values: in order.
    """

    strategy: str
    parameter: str
    values: list[Value]

    @property
    def name(self) -> str:
        """Strategy and parameter: `threshold.gems`."""
        return f"{self.strategy}.{self.parameter}"


def read_vary(text: object, what: str = "--vary") -> Vary:
    """Read `threshold.gems=4:40:2`; UserError where it cannot be read.

    Whether there is such a strategy and parameter, and whether it takes the values, is asked where
    it is bound.
    """
    target, *rest = split(text, "=") if isinstance(text, str) else [""]
    match = re.fullmatch(r"(.+)\.([^\W\d]\w*)", target)
    if not match or not rest:
        raise UserError(
            f"{what} '{shown(text)}' cannot be read; write STRATEGY.PARAMETER=VALUES, such as "
            "threshold.gems=4:40:2 or risk_limit.risk=0.05,0.1."
        )
    called = read_spec(match[1])
    if called.count != 1:
        raise UserError(f"{what} '{shown(text)}' varies one strategy; leave the '*' out.")
    return Vary(match[1], match[2], read_range("=".join(rest), f"{what} {target}"))
