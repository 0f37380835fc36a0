"""The answer of a sweep in words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from simlab.analysis.estimates import Estimate
from simlab.analysis.sweeps import FRESH
from simlab.errors import shown
from simlab.reporting.answers.sheet import Sheet, truncated_note
from simlab.reporting.numbers import digits, plain
from simlab.study.varying import value_text

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

    from simlab.study.sweep import Curve, Sweep

MOST_NAMED = 8
"""Stretches or words that are named; of more, only their number is told."""
UNITS = {
    "win": ("{} % {} of the games", "win share, %", 2),
    "score": ("{} points {}", "score", 2),
    "margin": ("a lead of {} points {} over the best of the others", "lead, points", 2),
    "rank": ("a mean rank of {} {}", "mean rank", 3),
}
"""Objective -> how an estimate is said, the head of its column, and the decimals there."""


def sentence(result: Sweep) -> str:
    """Return the answer in one sentence: best region, best point and its interval."""
    what = " and ".join(map(shown, result.parameters))
    if len(result.curves) == 1:
        curve = result.curves[0]
        fair = result.objective == "win" and curve.players > 1
        equal = f"; the equal share is {100 / curve.players:.3g} %" if fair else ""
        return f"{what}: {_clause(result, curve)}{equal}."
    if len(result.parameters) > 1:
        told = [f"{c.players} players: {_clause(result, c)}" for c in result.curves]
        return f"{what}: {'; '.join(told)}."
    told = [f"{_briefly(result, curve)} with {curve.players}" for curve in result.curves]
    told[0] += " players"
    return f"Best {what}: {', '.join(told)} ({_percent(result.level)} sure of each)."


def _briefly(result: Sweep, curve: Curve) -> str:
    """Say in a few words which values may be the best."""
    kept = [point.kept for point in curve.found.points]
    if all(kept):
        return "any of them"
    found = _stretches([point[0] for point in result.points], kept)
    if len(found) > MOST_NAMED:
        return f"one of {sum(kept)} values"
    return " or ".join(" to ".join(ends) for ends in found)


def _clause(result: Sweep, curve: Curve) -> str:
    """Say what is best with one number of players."""
    points = curve.found.points
    best, estimate = _point(result, curve.found.best), points[curve.found.best].estimate
    kept = sum(point.kept for point in points)
    got, sure = _reached(result, estimate), f"({_percent(result.level)} sure)"
    if kept == len(points):
        return f"no point can be told from the best {sure}; {best} came out best with {got}"
    tried = f"of the {len(points)} values tried " if len(result.parameters) == 1 else ""
    if kept == 1:
        return f"{tried}{best} is best {sure}, with {got}"
    if len(result.parameters) > 1:
        return f"{best} is best with {got}; {_region(result, curve)} may be the best {sure}"
    region = _region(result, curve)
    return f"{tried}the best lies {region} {sure}; {best} came out best with {got}"


def _region(result: Sweep, curve: Curve) -> str:
    """Say which points may be the best."""
    kept = [point.kept for point in curve.found.points]
    if len(result.parameters) > 1:
        return f"{sum(kept)} of {len(kept)} points"
    found = _stretches([point[0] for point in result.points], kept)
    if len(found) > MOST_NAMED:
        return f"one of {sum(kept)} values"
    if len(found) == 1 and len(found[0]) > 1:
        return f"between {found[0][0]} and {found[0][1]}"
    told = [" to ".join(ends) for ends in found]
    return f"at {' or '.join(filter(None, (', '.join(told[:-1]), told[-1])))}"


def _stretches(values: Sequence[Any], kept: Sequence[bool]) -> list[tuple[str, ...]]:
    """Return the ends of each stretch of neighbours that are kept; words stay single."""
    together = all(not isinstance(value, str) for value in values)
    pairs = list(zip(values, kept, strict=True))
    if not together:
        return [(shown(value),) for value, held in pairs if held]
    found: list[tuple[str, ...]] = []
    for held, stretch in groupby(sorted(pairs), key=lambda pair: pair[1]):
        some = [value_text(value) for value, _ in stretch]
        if held:
            found.append((some[0], some[-1]) if len(some) > 1 else (some[0],))
    return found


def _point(result: Sweep, at: int) -> str:
    """Name a point: its value, or the values of all parameters."""
    values = [shown(value_text(value)) for value in result.points[at]]
    if len(values) == 1:
        return values[0]
    names = [name.rpartition(".")[2] for name in result.parameters]
    return ", ".join(f"{name} {value}" for name, value in zip(names, values, strict=True))


def _reached(result: Sweep, found: Estimate) -> str:
    """Say an estimate with its interval."""
    scale = _scale(result)
    said, _, _ = UNITS[result.objective]
    if found.estimate is None or found.low is None or found.high is None:
        value = "unknown" if found.estimate is None else plain(scale * found.estimate, 2)
        return said.format(value, "(no interval)")
    low, high = scale * found.low, scale * found.high
    number = digits([(low, high)]) + (result.objective == "rank")
    ends = f"[{plain(low, number)}, {plain(high, number)}]"
    return said.format(plain(scale * found.estimate, number), ends)


def _scale(result: Sweep) -> float:
    return 100.0 if result.objective == "win" else 1.0


def _percent(level: float) -> str:
    return f"{100 * level:g} %"


def tables(result: Sweep) -> list[Sheet]:
    """Return the best of each number of players, and all points of each."""
    import polars as pl

    frame, sheets = result.summary(), []
    several = len(result.curves) > 1
    if several:
        rows = [result.best(curve.players) for curve in result.curves]
        regions = [_region(result, curve) for curve in result.curves]
        best = pl.DataFrame(rows, schema=frame.schema)
        best = best.select(
            "players",
            *result.parameters,
            *_numbers(result, ("estimate", "low", "high")),
            pl.Series("may be the best", regions),
            "deals",
        )
        sheets.append(Sheet("The best with each number of players", best))
    for curve in result.curves:
        points = frame.filter(pl.col("players") == curve.players).select(
            *result.parameters,
            *_numbers(result, ("estimate", "low", "high")),
            pl.when("kept").then(pl.lit("yes")).otherwise(pl.lit("no")).alias("may be the best"),
            *_numbers(result, ("could_lose",)),
            "games",
        )
        title = f"All points with {curve.players} players" if several else "All points"
        sheets.append(Sheet(title, points, _caption(result, curve)))
    return sheets


def _numbers(result: Sweep, columns: Sequence[str]) -> list[pl.Expr]:
    """Return columns of the summary as they are shown: shares in percent, rounded."""
    import polars as pl

    _, head, decimals = UNITS[result.objective]
    level = _percent(result.level)
    heads = {
        "estimate": head,
        "low": f"{level} low",
        "high": f"{level} high",
        "could_lose": f"could lose{', %' if result.objective == 'win' else ''}",
    }
    scale = _scale(result)
    return [(scale * pl.col(name)).round(decimals).alias(heads[name]) for name in columns]


def _caption(result: Sweep, curve: Curve) -> str:
    """Say what stands in the table of one number of players."""
    others = ", ".join(map(shown, curve.others))
    with_others = f"in the other seats: {others}; " if others else ""
    return (
        f"{curve.games:,} games: {curve.deals:,} deals of {curve.games // curve.deals:,} games, "
        f"each point in every chair of every deal; {with_others}could lose: how much worse than "
        f"the best a point named beforehand could be ({_percent(result.level)} sure)."
    )


def figures(result: Sweep) -> dict[str, Figure]:
    """Return the curve of one parameter, or the map of two (the first two of more)."""
    from simlab.reporting.charts.sweep import sweep_curve, sweep_map

    frame, names = result.summary(), result.parameters
    if len(names) == 1:
        return {"curve": sweep_curve(frame, names[0], result.objective, level=result.level)}
    if len(names) > 2:
        frame = _through_the_best(result, frame)
    return {"map": sweep_map(frame, names[0], names[1], result.objective, level=result.level)}


def _through_the_best(result: Sweep, frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rows in which all parameters but two have the value of the best point."""
    rest = ["players", *result.parameters[2:]]
    best = {tuple(result.best(c.players)[name] for name in rest) for c in result.curves}
    return frame.filter([tuple(row[name] for name in rest) in best for row in frame.to_dicts()])


def notes(result: Sweep) -> list[str]:
    """Return how the numbers are to be read."""
    count, several = len(result.points), len(result.curves) > 1
    each = " for each number of players by itself" if several else ""
    bias = FRESH.replace("upward", "downward") if result.objective == "rank" else FRESH
    lines = [
        f"{bias[0].upper()}{bias[1:]} (another --seed).",
        f"The unit is the deal; the intervals hold at all {count} points together{each}, and so "
        "does the best region: it holds the best of these points as surely, not of values between.",
        "Who sits in the other seats is fixed: against others another value may be best.",
    ]
    if len(result.parameters) > 2:
        shown_ones = " and ".join(result.parameters[:2])
        lines.append(f"The map shows {shown_ones}, the rest being at the values of the best point.")
    if edge := _at_the_edge(result):
        lines.append(f"The best region reaches the end of the grid ({edge}); look beyond it.")
    wanted = result.arguments.get("n")
    raised = [c for c in result.curves if wanted and c.games >= wanted + c.games // c.deals]
    if raised:
        lines.append(
            f"--n {wanted:,} was raised to {raised[0].deals} deals, the fewest that will do."
        )
    return [*lines, *truncated_note(result.truncated, result.games)]


def _at_the_edge(result: Sweep) -> str:
    """Say where a kept point has the least or largest number of a parameter; "" if none has."""
    found: dict[str, None] = {}
    for at, name in enumerate(result.parameters):
        values = [point[at] for point in result.points]
        if any(isinstance(value, str) for value in values):
            continue
        for end in dict.fromkeys((min(values), max(values))):
            for curve in result.curves:
                points = zip(values, curve.found.points, strict=True)
                if min(values) != max(values) and any(v == end and p.kept for v, p in points):
                    found[f"{shown(name)} {value_text(end)}"] = None
    return ", ".join(found)
