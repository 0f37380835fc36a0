"""Parameters of strategies, and the words people write a line-up with.

threshold    threshold(gems=12)    threshold*3    denier(base=greedy_buy(targets=3), points=4)
"""

from __future__ import annotations

import re
import typing
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from simlab.errors import UserError, one_of, shown


@dataclass(frozen=True)
class Range:
    """The values a number may take, both ends included: `Annotated[float, Range(0, 1)]`."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"{number_text(self.low)} to {number_text(self.high)}"


@dataclass(frozen=True)
class Parameter:
    """One parameter of a strategy.

    kind: int, float, bool, "word" or "strategy"; words: the list a word is from; range: of numbers.
    """

    name: str
    kind: type | str
    default: Any
    range: Range | None = None
    words: tuple[str, ...] = ()

    def wants(self) -> str:
        """Say what is right for this parameter."""
        if self.kind == "word":
            return f"one of {', '.join(self.words)}"
        names = {int: "a whole number", float: "a number", bool: "true or false"}
        base = names.get(self.kind, "a strategy") if isinstance(self.kind, type) else "a strategy"
        return f"{base} from {self.range}" if self.range else base


def number_text(value: float) -> str:
    """Write a number the shortest way that reads back the same."""
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(value)


def read_number(text: str) -> float:
    """Read `12`, `1e6`, `1_000_000` or `0.5%`; ValueError otherwise."""
    return float(_decimal(text))


def _decimal(text: str) -> Decimal:
    body = text.strip()
    if not re.fullmatch(r"[-+]?(\d+(_\d+)*\.?\d*|\.\d+)([eE][-+]?\d{1,4})?%?", body, re.ASCII):
        raise ValueError(f"{shown(text)} is not a number")
    if body.endswith("%"):
        return Decimal(body[:-1]) / 100
    return Decimal(body)


def read_whole(text: object, what: str, low: int, high: int | None = None) -> int:
    """Read a whole number in a range, or raise a UserError that says what would be right."""
    bounds = f"from {low:,} to {high:,}" if high is not None else f"of at least {low:,}"
    wrong = UserError(f"{what} is '{shown(text)}'; it takes a whole number {bounds}.")
    if not isinstance(text, (str, int, float, np.integer, np.floating)) or isinstance(text, bool):
        raise wrong
    try:
        value = _decimal(text) if isinstance(text, str) else Decimal(str(text))
        if value != value.to_integral_value() or abs(value) > Decimal(10) ** 30:
            raise wrong
    except (ValueError, ArithmeticError):
        raise wrong from None
    whole = int(value)
    if whole < low or (high is not None and whole > high):
        raise wrong
    return whole


def parameter_of(name: str, annotation: Any, default: Any, marker: type, owner: str) -> Parameter:
    """Read one parameter from its annotation; `marker` is the class that means "a strategy"."""
    span: Range | None = None
    if typing.get_origin(annotation) is typing.Annotated:
        annotation, *extras = typing.get_args(annotation)
        span = next((extra for extra in extras if isinstance(extra, Range)), None)
    if typing.get_origin(annotation) is typing.Literal:
        words = tuple(map(str, typing.get_args(annotation)))
        return Parameter(name, "word", default, None, words)
    if annotation is marker:
        return Parameter(name, "strategy", default)
    if annotation not in (int, float, bool):
        raise UserError(
            f"{owner}: parameter '{name}' must be annotated as int, float, bool, Literal of words "
            f"or Strategy, not {annotation!r}."
        )
    return Parameter(name, annotation, default, span)


_TOKEN = re.compile(
    r"\s*(?:(?P<number>[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?%?)"
    r"|(?P<name>[A-Za-z_][\w.:-]*)|(?P<text>'[^']*'|\"[^\"]*\")|(?P<mark>[(),=*])|(?P<bad>\S))"
)


DEEPEST = 12


@dataclass(frozen=True)
class Call:
    """A parsed strategy spec: its name and its stated arguments, not yet checked."""

    name: str
    arguments: tuple[tuple[str, str | float | Call], ...] = ()
    count: int = 1


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [(str(m.lastgroup), m.group(str(m.lastgroup))) for m in _TOKEN.finditer(text)]
        self.place = 0
        self.depth = 0

    def fail(self, wanted: str) -> UserError:
        ended = self.place == len(self.tokens)
        seen = "the end" if ended else f"'{self.tokens[self.place][1]}'"
        return UserError(
            f"cannot read strategy '{shown(self.text)}': expected {wanted}, found {seen}; "
            "write name, name(parameter=value) or name*3."
        )

    def peek(self) -> tuple[str, str]:
        return self.tokens[self.place] if self.place < len(self.tokens) else ("end", "")

    def take(self, kind: str, value: str | None = None, wanted: str = "") -> str:
        found = self.peek()
        if found[0] != kind or (value is not None and found[1] != value):
            raise self.fail(wanted or f"'{value or kind}'")
        self.place += 1
        return found[1]

    def call(self) -> Call:
        self.depth += 1
        if self.depth > DEEPEST:
            raise UserError(f"cannot read strategy '{shown(self.text)}': it is nested too deeply.")
        name = self.take("name", wanted="a strategy's name")
        arguments: list[tuple[str, str | float | Call]] = []
        if self.peek() == ("mark", "("):
            self.place += 1
            while self.peek() != ("mark", ")"):
                key = self.take("name", wanted="a parameter's name")
                if key in dict(arguments):
                    raise UserError(
                        f"cannot read strategy '{shown(self.text)}': {key} is given twice."
                    )
                self.take("mark", "=")
                arguments.append((key, self.value()))
                if self.peek() != ("mark", ")"):
                    self.take("mark", ",", wanted="',' or ')'")
            self.place += 1
        self.depth -= 1
        return Call(name, tuple(arguments))

    def value(self) -> str | float | Call:
        kind, text = self.peek()
        if kind == "number":
            self.place += 1
            try:
                return read_number(text)
            except ValueError:
                self.place -= 1
                raise self.fail("a number") from None
        if kind == "text":
            self.place += 1
            return text[1:-1]
        found = self.call()
        return (
            found if found.arguments or self.tokens[self.place - 1] == ("mark", ")") else found.name
        )

    def spec(self) -> Call:
        found = self.call()
        count = 1
        if self.peek() == ("mark", "*"):
            self.place += 1
            count = read_whole(
                self.take("number", wanted="a number"), "the number after '*'", 1, 99
            )
        if self.peek()[0] != "end":
            raise self.fail("the end")
        return Call(found.name, found.arguments, count)


def read_spec(text: str) -> Call:
    """Parse a strategy spec; UserError says where it cannot be read."""
    return _Reader(text).spec()


def checked(parameter: Parameter, value: Any, owner: str, bind: Callable[[str | Call], Any]) -> Any:
    """Return the value of a parameter in its own type; UserError if it is not one.

    bind: turns the name or call of a strategy into a bound strategy.
    """
    wrong = UserError(
        f"{owner}: {parameter.name} is {_shown(value)}; it takes {parameter.wants()}."
    )
    if parameter.kind == "strategy":
        if isinstance(value, (str, Call)):
            return bind(value)
        raise wrong
    if parameter.kind == "word":
        if not isinstance(value, str):
            raise wrong
        if value not in parameter.words:
            raise one_of("word", value, parameter.words, f"for {owner}: {parameter.name}")
        return value
    if parameter.kind is bool:
        if isinstance(value, bool):
            return value
        if value in ("true", "false", "True", "False"):
            return str(value).lower() == "true"
        raise wrong
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise wrong
    if value != value or (parameter.kind is int and not float(value).is_integer()):
        raise wrong
    if parameter.range and not parameter.range.low <= value <= parameter.range.high:
        raise wrong
    if abs(value) > 2**53:
        raise wrong
    return int(value) if parameter.kind is int else float(value)


def _shown(value: Any) -> str:
    if isinstance(value, Call):
        return f"'{value.name}(...)'"
    return number_text(value) if isinstance(value, float) else f"'{value}'"
