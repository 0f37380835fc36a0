"""The ranking of k strategies: means, every pair with a corrected test, and who is not told apart.

Statistics section 5. Three measures compare a pair, and they can disagree in sign: the difference
of means over all games, that of win shares in the games with both, and how often one comes out
before the other.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from simlab.analysis.buckets import Buckets
from simlab.analysis.corrections import each_level, holm
from simlab.analysis.estimates import Estimate, check_level
from simlab.analysis.jackknife import beats, check_outcome, head_to_head, overall, strategy_mean
from simlab.analysis.paired import Difference
from simlab.errors import UserError, one_of

MEASURES = ("overall", "head_to_head", "beats")
FEWEST_UNITS = 5
"""Pairs that met in fewer units are not judged."""
MOST_LETTERS = 200
"""More overlapping groups than this help nobody."""
TOO_FEW = "too few"
DISAGREE = "Holm tells them apart although the interval, at the level for all pairs, does not"


@dataclass(frozen=True)
class Ranked:
    """One strategy of a ranking."""

    name: str
    estimate: Estimate
    """Its mean outcome per appearance, with an interval at the level for this one alone."""
    letters: str
    """Strategies that share a letter are not told apart; empty if there are too many groups."""
    win_bounds: tuple[float, float] | None
    """Win share if all truncated games were lost, and if all were won; None where few are."""


@dataclass(frozen=True)
class Pair:
    """One comparison: `first` stands above `second` in the ranking."""

    first: str
    second: str
    difference: Difference
    """First minus second, or P_AB; the interval is at the level for all pairs (Bonferroni), `p`
    is not corrected. Too few units: p = 1."""
    p_holm: float
    """The p value adjusted for all pairs."""
    verdict: int
    """1: the first is better; -1: the second is better; 0: not told apart."""


@dataclass(frozen=True)
class Ranking:
    """A ranking, best first."""

    rows: list[Ranked]
    pairs: list[Pair]
    """All pairs, in the order of the rows."""
    outcome: str
    """What the rows are ranked by: "win", "score" or "rank"."""
    measure: str
    """What the pairs are compared by: "overall", "head_to_head" or "beats"."""
    level: float
    """Level of each row's interval, and of all claims about pairs together."""
    note: str | None
    """What the reader should know."""

    def matrix(self) -> pl.DataFrame:
        """Return all pairs in both directions, see `matrix`; for "beats" P_AB and P_BA."""
        return matrix(self.pairs, _null(self.measure))


def matrix(pairs: Iterable[Pair], null: float = 0.0) -> pl.DataFrame:
    """Return all pairs in both directions, one row each.

    Columns: strategy, against, difference, low, high, p, p_holm (Float64, null where not defined)
    and verdict (Int8). null: the value of equals; turned round, x becomes 2 null - x.
    """
    rows = [_line(pair, null, turned) for pair in pairs for turned in (False, True)]
    schema = {"strategy": pl.String, "against": pl.String, "difference": pl.Float64}
    schema |= dict.fromkeys(("low", "high", "p", "p_holm"), pl.Float64)
    return pl.DataFrame(rows, schema | {"verdict": pl.Int8}, orient="row")


def ranking(
    totals: Buckets, outcome: str = "win", measure: str = "overall", level: float = 0.95
) -> Ranking:
    """Return the ranking of all strategies that appear.

    outcome: what to rank by: "win" (share), "score" (points) or "rank" (mean place, the smaller the
    better). measure: what to compare pairs by: "overall" (difference of these means),
    "head_to_head" (difference of win shares in the games with both) or "beats" (P_AB). level: in
    (0, 1). Pairs are tested by Holm, K = k(k - 1)/2, so that any false claim has probability at
    most 1 - level; a pair that met in fewer than 5 units ("overall": of which one appears in fewer)
    is not judged (statistics section 5).

    UserError for an unknown outcome or measure, fewer than two strategies, totals without pairs
    where the measure needs them, or a level out of range.
    """
    check_outcome(outcome)
    check_level(level)
    if measure not in MEASURES:
        raise one_of("measure", measure, MEASURES)
    if measure != "overall" and not totals.has_pairs:
        raise UserError(
            f"'{measure}' needs the pairs, but only 'overall' can be had of these totals."
        )
    there = np.flatnonzero(totals.appearances.any(axis=0))
    if len(there) < 2:
        raise UserError(f"a ranking needs at least 2 strategies, but has {len(there)}.")
    means = {int(group): strategy_mean(totals, int(group), outcome, level) for group in there}
    order = sorted(means, key=lambda group: _place(means[group], outcome))
    pairs = _pairs(totals, order, outcome, measure, level)
    apart = [(i, j) for (i, j), pair in pairs.items() if pair.verdict]
    shown = letters(len(order), apart)
    rows = [
        Ranked(
            totals.names[group],
            means[group],
            shown[at] if shown else "",
            totals.win_bounds(group) if totals.has_bounds and outcome == "win" else None,
        )
        for at, group in enumerate(order)
    ]
    return Ranking(rows, list(pairs.values()), outcome, measure, level, _note(totals, shown))


def letters(count: int, different: Iterable[tuple[int, int]]) -> list[str] | None:
    """Return the compact letter display: items that share a letter are not told apart.

    count: the items, numbered from 0, the best first. different: the pairs that are told apart.
    Letters come in the order of their best member. None if there are more than 200 letters.
    Insert and absorb [Piepho 2004]: a column that holds both of a different pair is replaced by
    itself without the one and itself without the other, columns within others are dropped.
    """
    columns = [(1 << count) - 1]
    for i, j in different:
        pair = 1 << i | 1 << j
        split = [column for column in columns if column & pair == pair]
        columns = [column for column in columns if column & pair != pair]
        for new in [column & ~(1 << out) for column in split for out in (i, j)]:
            if not any(new & column == new for column in columns):
                columns = [column for column in columns if new & column != column] + [new]
        if len(columns) > MOST_LETTERS:
            return None
    members = sorted([at for at in range(count) if column >> at & 1] for column in columns)
    return [
        "".join(_letter(number) for number, column in enumerate(members) if at in column)
        for at in range(count)
    ]


def verdicts(
    p: Sequence[float | None], signs: Sequence[float], level: float
) -> list[tuple[float, int]]:
    """Return the Holm-adjusted p value of each comparison, and what may be claimed of it.

    p: None or NaN count as 1. signs: of the differences. The claim is the sign where the adjusted
    value is at most 1 - level, else 0.
    """
    given = np.array([np.nan if value is None else value for value in p], dtype=np.float64)
    adjusted = holm(given)
    claimed = adjusted <= 1 - level + 1e-12
    return [
        (float(value), int(np.sign(sign)) if claim else 0)
        for value, sign, claim in zip(adjusted, signs, claimed, strict=True)
    ]


def _place(found: Estimate, outcome: str) -> float:
    """Return the number to sort by, the smallest first."""
    assert found.estimate is not None
    return found.estimate if outcome == "rank" else -found.estimate


def _pairs(
    totals: Buckets, order: Sequence[int], outcome: str, measure: str, level: float
) -> dict[tuple[int, int], Pair]:
    """Return the comparison of each two places of the ranking."""
    places = list(itertools.combinations(range(len(order)), 2))
    each = each_level(level, len(places))
    found = []
    for i, j in places:
        first, second = order[i], order[j]
        if measure == "overall":
            this = overall(totals, first, second, outcome, each)
        else:
            this = (beats if measure == "beats" else head_to_head)(totals, first, second, each)
        if _units(totals, first, second, measure) < FEWEST_UNITS:
            this = replace(this, p=1.0, note=TOO_FEW)
        found.append(replace(this, correction=f"Bonferroni, {len(places)} pairs"))
    null = _null(measure)
    turn = -1 if outcome == "rank" and measure == "overall" else 1
    signs = [0.0 if one.estimate is None else turn * (one.estimate - null) for one in found]
    judged = verdicts([one.p for one in found], signs, level)
    return {
        (i, j): _pair(totals.names[order[i]], totals.names[order[j]], one, *verdict, null)
        for (i, j), one, verdict in zip(places, found, judged, strict=True)
    }


def _pair(
    first: str, second: str, found: Difference, p_holm: float, verdict: int, null: float
) -> Pair:
    """Return a finished comparison, noting where test and interval disagree."""
    inside = found.low is not None and found.high is not None and found.low <= null <= found.high
    if verdict and inside and found.note is None:
        found = replace(found, note=DISAGREE)
    return Pair(first, second, found, p_holm, verdict)


def _units(totals: Buckets, first: int, second: int, measure: str) -> int:
    """Return in how many units two strategies met; overall: in how many the rarer one appears."""
    if measure == "overall":
        return int((totals.appearances[:, [first, second]] > 0).sum(axis=0).min())
    return int((totals.beside[:, first, second] > 0).sum())


def _null(measure: str) -> float:
    """Return the value of two strategies that are equally good."""
    return 0.5 if measure == "beats" else 0.0


def _letter(number: int) -> str:
    """Return a letter; past z with a number, as in a1."""
    turn, at = divmod(number, 26)
    return chr(ord("a") + at) + (str(turn) if turn else "")


def _note(totals: Buckets, shown: list[str] | None) -> str | None:
    """Return what is unusual about a ranking."""
    notes = []
    if totals.pure:
        notes.append(f"{totals.pure:,} games with one strategy in every seat are left out")
    if shown is None:
        notes.append(f"more than {MOST_LETTERS} overlapping groups: no letters")
    return "; ".join(notes) or None


def _line(pair: Pair, null: float, turned: bool) -> tuple[object, ...]:
    """Return a row of the matrix, turned round if `turned`."""
    found = pair.difference
    ends = [found.estimate, found.low, found.high]
    names = [pair.first, pair.second]
    if turned:
        ends = [None if end is None else 2 * null - end for end in (ends[0], ends[2], ends[1])]
        names.reverse()
    return (*names, *ends, found.p, pair.p_holm, -pair.verdict if turned else pair.verdict)
