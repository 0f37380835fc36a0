"""What a sweep varies: parameters of one strategy, and the grid of their values.

threshold.gems=4:40:2                       a parameter
score_aware(slope=0.1).risk=0.05,0.1,0.2    with another one set
denier.base.targets=1:4                     a parameter of a strategy inside it
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from simlab.core.game import Game
from simlab.core.parameters import Call, number_text, read_spec
from simlab.core.quantities import Value, read_vary, split
from simlab.core.registry import find_strategy
from simlab.core.strategy import Bound, Strategy
from simlab.errors import UserError, one_of, shown
from simlab.running.spec import field_of

MOST_POINTS = 400
Point = tuple[Value, ...]


@dataclass(frozen=True)
class Varied:
    """A parameter of a strategy with its values.

    name: as said, `threshold.gems`; strategy: its spec, perhaps with other parameters; path: the
    parameter, after those that are strategies and lead to it; values: numbers or words, in order.
    """

    name: str
    strategy: Call
    path: tuple[str, ...]
    values: tuple[Value, ...]


@dataclass(frozen=True)
class Grid:
    """All combinations of the values of one or several parameters of one strategy."""

    varied: tuple[Varied, ...]

    @property
    def names(self) -> list[str]:
        """The parameters as said, in order."""
        return [each.name for each in self.varied]

    @property
    def points(self) -> list[Point]:
        """The values of each point, one for each parameter; those of the last change fastest."""
        return list(itertools.product(*(each.values for each in self.varied)))

    def bound(self, game: Game) -> list[Bound]:
        """Return the strategy of each point; UserError for a name or value that cannot be."""
        spec = self.varied[0].strategy
        declared = find_strategy(game.name, spec.name)
        calls = []
        for point in self.points:
            call = spec
            for each, value in zip(self.varied, point, strict=True):
                call = _with(call, declared, game, each.path, value)
            calls.append(call)
        found = field_of(game, calls)
        known: dict[str, Point] = {}
        for one, point in zip(found, self.points, strict=True):
            other = known.setdefault(one.full, point)
            if other is not point:
                raise UserError(
                    f"--vary: {_said(other)} and {_said(point)} are the same strategy, {one.label}."
                )
        return found


def read_grid(vary: object) -> Grid:
    """Read what is varied: one text `STRATEGY.PARAMETER=VALUES` or several of one strategy.

    UserError for what cannot be read, for two strategies, a parameter that comes twice, and for
    fewer than 2 or more than 400 points. Names and values are looked at by `Grid.bound`.
    """
    texts = [vary] if isinstance(vary, str) else vary
    if not isinstance(texts, Sequence) or not texts:
        raise UserError(
            "a sweep needs --vary STRATEGY.PARAMETER=VALUES, such as threshold.gems=4:40:2."
        )
    varied = [_read(text) for text in texts]
    first = varied[0]
    for at, each in enumerate(varied):
        if each.strategy != first.strategy:
            raise UserError(
                f"--vary {shown(first.name)} and --vary {shown(each.name)} are of two strategies; "
                "a sweep varies parameters of one, written alike each time."
            )
        if each.path in [other.path for other in varied[:at]]:
            raise UserError(
                f"--vary {shown(each.name)} is given twice; give all its values in one."
            )
    count = 1
    for each in varied:
        count *= len(each.values)
    if count < 2:
        raise UserError(
            f"--vary {shown(first.name)} has a single value, {_said(first.values)}; a sweep needs "
            "at least 2 points."
        )
    if count > MOST_POINTS:
        raise UserError(
            f"--vary makes {count:,} points; a sweep takes at most {MOST_POINTS}, so take larger "
            "steps."
        )
    return Grid(tuple(varied))


def _read(text: object) -> Varied:
    """Read one --vary; a way through strategies inside the strategy is taken out of it first."""
    target, *values = split(text, "=") if isinstance(text, str) else [""]
    head, *path = _steps(target)
    if values and len(path) > 1 and all(step.isidentifier() for step in path):
        text = f"{head}.{path[-1]}={'='.join(values)}"
    else:
        path = path[-1:]
    found = read_vary(text)
    name = f"{found.strategy}.{'.'.join(path)}"
    return Varied(name, read_spec(found.strategy), tuple(path), tuple(found.values))


def _steps(target: str) -> list[str]:
    """Cut `strategy.parameter.parameter` at its dots; those of a place, `a.b:name`, stay."""
    parts = split(target, ".")
    colon = max((at for at, part in enumerate(parts) if ":" in part.partition("(")[0]), default=0)
    return [".".join(parts[: colon + 1]), *parts[colon + 1 :]]


def _with(call: Call, declared: Strategy, game: Game, path: Sequence[str], value: Value) -> Call:
    """Return the call with a parameter, its own or of a strategy inside it, set to a value."""
    head, *rest = path
    by_name = {parameter.name: parameter for parameter in declared.parameters}
    if head not in by_name:
        raise one_of("parameter", head, by_name, f"in {declared.signature()}")
    parameter = by_name[head]
    stated = dict(call.arguments)
    if not rest:
        is_word = parameter.kind == "word" and not isinstance(value, str)
        stated[head] = number_text(float(value)) if is_word else value
    elif parameter.kind != "strategy":
        raise UserError(
            f"{declared.name}: {head} is no strategy and has no parameter '{shown(rest[0])}'; it "
            f"takes {parameter.wants()}."
        )
    else:
        given = stated.get(head, parameter.default)
        inner = given if isinstance(given, Call) else read_spec(str(given))
        stated[head] = _with(inner, find_strategy(game.name, inner.name), game, rest, value)
    return replace(call, arguments=tuple(stated.items()))


def _said(point: Sequence[Value]) -> str:
    return ", ".join(value_text(value) for value in point)


def value_text(value: Value) -> str:
    """Write a value of a grid."""
    return value if isinstance(value, str) else number_text(value)
