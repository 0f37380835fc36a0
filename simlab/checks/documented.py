"""Whether a strategy says what it does, and what its parameters may be."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterator

from simlab.checks.explain import where
from simlab.checks.findings import Line, Report
from simlab.core.parameters import Parameter, number_text
from simlab.core.strategy import Strategy


def documented(report: Report, declared: Strategy) -> Iterator[Line]:
    """Yield the lines about docstring, parameters and ranges of a strategy."""
    at = where(declared)
    text = inspect.getdoc(declared.function) or ""
    wrong = []
    if not text.strip():
        wrong.append(f"{at}: no docstring; say in one sentence what the strategy does.")
    for parameter in declared.parameters:
        if f"`{parameter.name}`" not in text:
            wrong.append(
                f"{at}: the docstring does not name the parameter '{parameter.name}'; write what "
                f"it does, with its name in backticks: `{parameter.name}`."
            )
        wrong += [f"{at}: {says}" for says in _range(parameter)]
    count = len(declared.parameters)
    ranged = sum(parameter.range is not None for parameter in declared.parameters)
    right = "a docstring, no parameters"
    if count:
        right = f"a docstring that names all {count} parameters, {ranged} with a range"
    yield from report.either(
        "documented", wrong, right.replace("all 1 parameters", "its parameter")
    )


def _range(parameter: Parameter) -> Iterator[str]:
    if parameter.kind not in (int, float) or not isinstance(parameter.default, (int, float)):
        return
    kind = "int" if parameter.kind is int else "float"
    span, default = parameter.range, number_text(parameter.default)
    if span is None:
        yield (
            f"parameter '{parameter.name}' has no range; write "
            f"{parameter.name}: Annotated[{kind}, Range(low, high)] = {default}."
        )
    elif not (math.isfinite(span.low) and math.isfinite(span.high) and span.low <= span.high):
        yield f"the range of '{parameter.name}' is {span}; it takes two numbers, the smaller first."
    elif not span.low <= parameter.default <= span.high:
        yield f"the default {default} of '{parameter.name}' is outside its range, {span}."
