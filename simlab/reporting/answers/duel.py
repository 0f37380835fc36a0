"""The answer of a duel in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simlab.analysis.sequence import LEANS
from simlab.analysis.stopping import (
    A_BETTER,
    B_BETTER,
    FAIL,
    INCONCLUSIVE,
    NO_DIFFERENCE,
    PASS,
)
from simlab.reporting.answers.sheet import Sheet, truncated_note
from simlab.reporting.numbers import digits, plain
from simlab.study.outcomes import OBJECTIVES

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

    from simlab.study.duel import Duel

GATES = {
    PASS: "PASS: {a} is not worse than {b} by more than {margin}",
    FAIL: "FAIL: {a} is worse than {b} by more than {margin}",
    INCONCLUSIVE: "INCONCLUSIVE: whether {a} is worse than {b} by more than {margin} is open",
}


def scaled(result: Duel) -> tuple[float, str]:
    """Return the factor and the unit that a difference is written in."""
    if result.objective == "win":
        return 100.0, " %"
    return 1.0, " places" if result.objective == "rank" else " points"


def _number(result: Duel, value: float, decimals: int) -> str:
    scale, unit = scaled(result)
    return f"{plain(scale * value, decimals)}{unit}"


def _interval(result: Duel, low: float, high: float, decimals: int) -> str:
    scale, _ = scaled(result)
    return f"[{plain(scale * low, decimals)}, {plain(scale * high, decimals)}]"


def _decimals(result: Duel) -> int:
    scale, _ = scaled(result)
    found = result.estimate
    if found.low is None or found.high is None:
        return 1
    return digits([(scale * found.low, scale * found.high)])


def sentence(result: Duel) -> str:
    """Return the answer in one sentence."""
    found, claim = result.estimate, result.verdict.claim
    value, low, high = found.estimate or 0.0, found.low or 0.0, found.high or 0.0
    decimals = _decimals(result)
    of = f" of {OBJECTIVES[result.objective]}" if result.objective in ("win", "rank") else ""
    margin = "" if result.margin is None else _margin(result)
    if claim in (A_BETTER, B_BETTER):
        name, other = (result.a, result.b) if claim == A_BETTER else (result.b, result.a)
        if claim == B_BETTER:
            value, low, high = -value, -high, -low
        said = f"{name} is better than {other}: by {_number(result, value, decimals)} "
        said += f"{_interval(result, low, high, decimals)}{of}"
        if result.verdict.addition:
            said += f", less than the margin of {margin}"
        return f"{said}{_both(result, claim)}."
    told = f"{_number(result, value, decimals)} {_interval(result, low, high, decimals)}{of}"
    apart = f"{result.a} minus {result.b} is {told}"
    if claim == NO_DIFFERENCE:
        return f"No difference over the margin of {margin}; {apart}."
    if claim in GATES:
        said = GATES[claim].format(a=result.a, b=result.b, margin=margin)
        also = f" ({result.verdict.addition})" if result.verdict.addition else ""
        return f"{said}{also}; {apart}."
    return f"Not settled after {result.games:,} games; {apart}."


def _both(result: Duel, claim: str) -> str:
    """Say what both win, the better one first, and what an equal share would be."""
    if result.objective != "win":
        return ""
    shares = [won.estimate or 0.0 for _, won, _ in result.shares]
    if claim == B_BETTER:
        shares.reverse()
    players = result.parts[0].players
    fair = f" (equal share {100 / players:.3g} %)" if players > 2 else ""
    return f", {100 * shares[0]:.1f} % against {100 * shares[1]:.1f} %{fair}"


def _margin(result: Duel) -> str:
    assert result.margin is not None
    scale, unit = scaled(result)
    return f"{scale * result.margin:g}{unit}"


def tables(result: Duel) -> list[Sheet]:
    """Return the difference, and where both stand."""
    import polars as pl

    scale, unit = scaled(result)
    level = f"{100 * result.estimate.level:g} %"
    fixed = result.fixed
    name = OBJECTIVES[result.objective]
    rows = {
        f"{result.a} minus {result.b}": [
            "valid at any stop: this one",
            "had the number of games been fixed",
        ],
        f"{name},{unit}": _times(scale, [result.estimate.estimate, fixed.estimate]),
        f"{level} low": _times(scale, [result.estimate.low, fixed.low]),
        f"{level} high": _times(scale, [result.estimate.high, fixed.high]),
        "p": [_p(result.p), _p(fixed.p)],
    }
    both = result.share_frame()
    shares = both.select(
        "strategy",
        pl.col("games").alias("seats held"),
        *_percent("win share, %", "win_share"),
        *_percent(f"{level} low", "win_share_low"),
        *_percent(f"{level} high", "win_share_high"),
        pl.col("score_mean").alias("score"),
        pl.col("score_low").alias("score low"),
        pl.col("score_high").alias("score high"),
    )
    return [
        Sheet("The difference", pl.DataFrame(rows)),
        Sheet("Each by itself", shares, "Intervals of each for itself, for this number of games."),
    ]


def _times(scale: float, found: list[float | None]) -> list[float | None]:
    return [None if value is None else scale * value for value in found]


def _p(value: float | None) -> str:
    return "-" if value is None else f"{value:.2g}"


def _percent(title: str, column: str) -> list[pl.Expr]:
    import polars as pl

    return [(100 * pl.col(column)).alias(title)]


def figures(result: Duel) -> dict[str, Figure]:
    """Return the figure of a duel."""
    from simlab.reporting.charts.duel import duel

    return {"duel": duel(result.summary(), result.path(), result.share_frame())}


def notes(result: Duel) -> list[str]:
    """Return how it was played, how to read it, and what pairing bought."""
    together = result.arguments.get("together") or result.parts[0].players == 2
    block = result.games // result.deals
    against = result.arguments.get("against", [])
    others = f" with {', '.join(against)} in the other seats" if against else ""
    how = "at one table" if together else "in the same chair of the same deal, one after the other"
    lines = [
        f"{result.games:,} games: {result.deals:,} deals of {block} games, A and B {how}, every "
        f"chair in turn{others}.",
        f"The first interval is valid at any stop; {LEANS}.",
        _bought(result),
    ]
    lines += truncated_note(result.truncated, result.games)
    if result.win_bounds is not None:
        low, high = (100 * end for end in result.win_bounds)
        lines.append(
            f"Had A lost and B won all of those, the difference of win shares would be {low:.2f} "
            f"%, the other way round {high:.2f} %."
        )
    return lines


def _bought(result: Duel) -> str:
    """Say what pairing bought."""
    factor, games = result.reduction.factor, result.reduction.equivalent_games
    if factor.estimate is None or games is None:
        return "What pairing bought cannot be told from these games."
    if factor.estimate == float("inf"):
        return f"Pairing: independent games would have taken more than {result.deals:,}."
    ends = ""
    if factor.low is not None and factor.high is not None:
        ends = f" [{factor.low:.2f}, {factor.high:.2f}]"
    said = (
        f"One game of these was worth {factor.estimate:.2f}{ends} independent ones: it would have "
        f"taken {_unpaired(result):,.0f} unpaired games."
    )
    if factor.estimate < 1:
        return f"Playing both on the same deals saved no games here. {said}"
    return said


def _unpaired(result: Duel) -> float:
    """Return how many unpaired games are as precise, of both together."""
    return result.games * (result.reduction.factor.estimate or 0.0)
