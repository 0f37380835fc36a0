"""`run --until`: play until win shares are known well enough, or one strategy is ahead.

"ci=0.2%": until the interval of every win share is at most so wide to either side. "A>B@95%": until
A or B is the better one, at this level.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from simlab.analysis.corrections import each_level
from simlab.analysis.sequence import (
    WIN_DIFFERENCE,
    WIN_SHARE,
    ConfidenceSequence,
    best_variance,
    tuned_rho,
)
from simlab.analysis.stopping import compare, precise
from simlab.core.parameters import read_number
from simlab.core.quantities import read_difference
from simlab.core.registry import bind_for
from simlab.errors import UserError, one_of, shown
from simlab.running.spec import Spec
from simlab.study.outcomes import Floats
from simlab.study.stops import Asked, Stop

if TYPE_CHECKING:
    import polars as pl

LEVEL = 0.95
WAYS = '--until "ci=0.2%" (half the width of every win share\'s interval) or --until "A>B@95%"'


def until(spec: Spec, text: object, first: int, games: int) -> Stop:
    """Return the stopping rule of a plain run, by win shares.

    text: the rule in words; first, games: which games are played at most. UserError for a rule
    that cannot be read, or names a strategy that does not play.
    """
    if not isinstance(text, str):
        raise UserError(f"--until is {shown(repr(text))}; write {WAYS}.")
    if wide := re.fullmatch(r"\s*ci\s*=\s*(\S+?)\s*(?:@\s*(\S+)\s*)?", text):
        return _precise(spec, _half_width(wide[1]), _level(wide[2]), first, games, text.strip())
    if pair := re.fullmatch(r"(.+?)>(.+?)(?:@\s*([^@>]+))?", text):
        names = [_label(spec, pair[1]), _label(spec, pair[2])]
        return _ahead(spec, (names[0], names[1]), _level(pair[3]), first, games, text.strip())
    raise UserError(f"--until '{shown(text)}' cannot be read; write {WAYS}.")


def _half_width(text: str) -> float:
    try:
        wanted = read_number(text)
    except ValueError:
        wanted = 0.0
    if not 0 < wanted < 0.5:
        raise UserError(
            f"--until ci={shown(text)}: half the width of an interval lies between 0 and 50 %, "
            "such as ci=0.2%."
        )
    return read_difference(text, "--until ci")


def _level(text: str | None) -> float:
    try:
        level = LEVEL if text is None else read_number(text)
    except ValueError:
        level = 0.0
    if not 0.5 <= level < 1:
        raise UserError(
            f"--until ...@{shown(text)}: the level lies between 50 and 100 %, such as @95%."
        )
    return level


def _label(spec: Spec, text: str) -> str:
    """Return the label of a strategy of the line-up; UserError with the nearest otherwise."""
    said = text.strip()
    if said in spec.labels:
        return said
    try:
        full = bind_for(spec.game, said).full
    except UserError:
        full = ""
    for bound in spec.line_up:
        if bound.full == full:
            return bound.label
    raise one_of("strategy", said, spec.labels, "in the line-up (--until)")


def means(rows: pl.DataFrame, players: int, label: str) -> Floats:
    """Return the mean win share of a strategy's seats in each game, NaN without a seat [games]."""
    words = rows["strategy"].dtype.categories.to_list()  # type: ignore[attr-defined]
    mine = (rows["strategy"].to_physical().to_numpy() == words.index(label)).reshape(-1, players)
    won = (rows["win"].to_numpy().reshape(-1, players) * mine).sum(axis=1)
    with np.errstate(invalid="ignore"):
        return np.asarray(won / mine.sum(axis=1), np.float64)


def _precise(spec: Spec, wanted: float, level: float, first: int, games: int, rule: str) -> Stop:
    labels, players = tuple(spec.labels), spec.players
    each = each_level(level, len(labels))
    sequences = []
    for label in labels:
        seats = sum(bound.label == label for bound in spec.line_up)
        sd = max(np.sqrt((1 - 1 / players) / players / seats), 0.01)
        rho = tuned_rho(best_variance(1.0, float(sd), wanted, games), each)
        sequences.append(ConfidenceSequence(*WIN_SHARE, rho, each, 1 / players))

    def values(rows: pl.DataFrame) -> Floats:
        return np.stack([means(rows, players, label) for label in labels], axis=1)

    asked = Asked(
        values,
        labels,
        lambda found, last: precise(max(one.half_width for one in found), wanted, last),
    )
    return Stop(asked, sequences, 1, first, games, rule)


def _ahead(
    spec: Spec, pair: tuple[str, str], level: float, first: int, games: int, rule: str
) -> Stop:
    if pair[0] == pair[1]:
        raise UserError(f"--until compares two strategies; both are {pair[0]}.")
    sd = float(np.sqrt(2 / spec.players))
    rho = tuned_rho(best_variance(2.0, sd, None, games), level)
    sequence = ConfidenceSequence(*WIN_DIFFERENCE, rho, level)

    def values(rows: pl.DataFrame) -> Floats:
        first, second = (means(rows, spec.players, label) for label in pair)
        return np.asarray(first - second).reshape(-1, 1)

    asked = Asked(
        values,
        (f"{pair[0]} - {pair[1]}",),
        lambda found, last: compare(*found[0].interval(), None, last),
    )
    return Stop(asked, [sequence], 1, first, games, rule)
