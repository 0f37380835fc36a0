"""The rating: one number for each strategy, from whole rankings with ties (statistics section 5).

Davidson-Luce ratings (`luce.py`) with a sandwich covariance over buckets of deals, differences of
all pairs with Holm's correction, and a check of whether one number per strategy fits at all.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from simlab.analysis.corrections import each_level
from simlab.analysis.estimates import Estimate, check_level, is_rounding, t_quantile
from simlab.analysis.jackknife import beats
from simlab.analysis.luce import Model, curvature, expected_points, fit
from simlab.analysis.paired import Difference
from simlab.analysis.ranking import FEWEST_UNITS, Pair, letters, matrix, verdicts
from simlab.analysis.stages import Remaining, Stages
from simlab.analysis.sums import Floats, Ints
from simlab.errors import UserError

METHOD = "t, sandwich over buckets of deals"
DOES_NOT_FIT = "one number per strategy does not describe this field"


@dataclass(frozen=True)
class Rated:
    """One strategy of a rating."""

    name: str
    theta: Estimate
    """Its rating: the logarithm of its worth, centred so that all ratings sum to 0."""
    model_se: float
    """The standard error if all games were independent, for comparison."""
    letters: str
    """Strategies that share a letter are not told apart; empty if there are too many groups."""


@dataclass(frozen=True)
class FitCheck:
    """The pair that the ratings describe worst."""

    first: str
    second: str
    observed: float
    """P_AB, how often the first came before the second."""
    fitted: float
    """What the ratings expect of it, in the games as they were seated."""
    z: float
    """Observed minus fitted, in standard errors of the observed (those of the difference are
    smaller, so that the check is cautious)."""
    point: float
    """|z| above this is more than chance over all pairs (Bonferroni)."""

    @property
    def message(self) -> str | None:
        """What to tell the reader; None where the ratings fit."""
        if abs(self.z) <= self.point:
            return None
        return (
            f"{DOES_NOT_FIT}: {self.first} comes before {self.second} in"
            f" {100 * self.observed:.1f} % of their games, {100 * self.fitted:.1f} % expected"
        )


@dataclass(frozen=True)
class Rating:
    """Ratings, best first."""

    rows: list[Rated]
    pairs: list[Pair]
    """All differences of two ratings, in the order of the rows."""
    ties: dict[int, Estimate]
    """log delta_t of each size of tie that occurs, from 2; its `games` counts such ties."""
    covariance: Floats
    """Covariance of the ratings, float64 [k, k], in the order of the rows."""
    log_likelihood: float
    """Of the observed stages at the ratings, without the ghost."""
    pseudo: float
    """Wins, and as many losses, of each strategy against the ghost."""
    fit: FitCheck | None
    """The worst pair; None where no pair met often enough."""
    level: float
    """Level of each row's interval, and of all claims about pairs together."""
    note: str | None
    """What the reader should know."""

    def matrix(self) -> pl.DataFrame:
        """Return all differences in both directions, see `ranking.matrix`."""
        return matrix(self.pairs)


def rating(stages: Stages, pseudo: float = 0.5, level: float = 0.95) -> Rating:
    """Return the Davidson-Luce rating of all strategies that appear.

    stages: see `stages.stage_totals`. pseudo: wins, and as many losses, of each strategy against a
    ghost of worth 1, which keep a strategy that never loses finite; 0: none. level: in (0, 1).

    UserError for a level or pseudo out of range, fewer than two strategies, ratings that are
    infinite, or without a ghost strategies that never met, even through others.
    """
    check_level(level)
    there = np.flatnonzero(stages.totals.appearances.any(axis=0))
    apart = _islands(stages, there)
    _check(pseudo, len(there), apart)
    model = _model(stages, there, pseudo)
    at = fit(model)
    found = _found(stages, there, model, at)
    pairs = _pairs(found, level)
    return Rating(
        _rows(found, stages, pairs, level),
        pairs,
        {
            size: _estimate(value, spread, found.units, stages.ties[:, size].sum(), level)
            for size, value, spread in zip(
                model.sizes[1:], at[len(there) :], found.spread_of_ties, strict=True
            )
        },
        found.covariance,
        model.log_likelihood(at)[0] - model.of_ghost(at),
        pseudo,
        _fit_check(stages, there, model, at, level),
        level,
        _note(stages, apart),
    )


def _check(pseudo: float, strategies: int, apart: Sequence[str]) -> None:
    """Raise UserError for what cannot be rated; apart: as `_islands` gives them."""
    if not 0 <= pseudo < math.inf:
        raise UserError(f"pseudo must be at least 0, such as 0.5, but is {pseudo}.")
    if strategies < 2:
        raise UserError(f"a rating needs at least 2 strategies, but has {strategies}.")
    if len(apart) > 1 and not pseudo:
        raise UserError(
            f"{apart[0]} and {apart[1]} never met, even through others, so they cannot be rated"
            " together; play line-ups that join them."
        )


@dataclass(frozen=True)
class _Found:
    """Ratings of k strategies, best first."""

    names: list[str]
    groups: Ints
    theta: Floats
    covariance: Floats
    model_se: Floats
    spread_of_ties: Floats
    """Variances of the log deltas."""
    units: int
    """Buckets with games."""


def _found(stages: Stages, there: Ints, model: Model, at: Floats) -> _Found:
    """Return the ratings at these parameters, best first."""
    k, units = len(there), int(stages.ties.any(axis=1).sum())
    theta = at[:k] - at[:k].mean()
    order = np.argsort(-theta, kind="stable")
    covariance, by_model = _covariances(model, at, units)
    return _Found(
        [stages.totals.names[group] for group in there[order]],
        there[order],
        theta[order],
        covariance[np.ix_(order, order)],
        np.sqrt(np.maximum(by_model.diagonal()[order], 0)),
        covariance.diagonal()[k:],
        units,
    )


def _model(stages: Stages, there: Ints, pseudo: float) -> Model:
    """Return the likelihood of the strategies that appear."""
    number = np.full(len(stages.totals.names), -1)
    number[there] = np.arange(len(there))
    parts = [
        Remaining(number[part.sets], part.of, part.bucket, part.count, part.whole)
        for part in stages.remaining()
    ]
    return Model(parts, stages.chosen[:, there], stages.ties, pseudo)


def _covariances(model: Model, at: Floats, units: int) -> tuple[Floats, Floats]:
    """Return the sandwich and the model's covariance of theta, centred, and log delta, [P, P] each.

    H^-1 (sum_u g_u g_u') H^-1 U / (U - 1), projected on sum 0. NaN with a single unit.
    """
    centred = np.eye(model.parameters)
    centred[: model.strategies, : model.strategies] -= 1 / model.strategies
    inverse = centred @ np.linalg.inv(curvature(model, at))
    score = model.scores(at)
    score = score[score.any(axis=1)] @ inverse.T
    scale = units / (units - 1) if units > 1 else math.nan
    return scale * (score.T @ score), inverse @ centred


def _rows(found: _Found, stages: Stages, pairs: Sequence[Pair], level: float) -> list[Rated]:
    """Return the strategies with their intervals and letters."""
    places = itertools.combinations(range(len(found.names)), 2)
    apart = [place for place, pair in zip(places, pairs, strict=True) if pair.verdict]
    shown = letters(len(found.names), apart) or [""] * len(found.names)
    games = stages.totals.appearances.sum(axis=0)
    rows = []
    for i, name in enumerate(found.names):
        theta = _estimate(
            found.theta[i], found.covariance[i, i], found.units, games[found.groups[i]], level
        )
        rows.append(Rated(name, theta, float(found.model_se[i]), shown[i]))
    return rows


def _estimate(at: float, spread: float, units: int, seen: int, level: float) -> Estimate:
    """Return the record of a parameter, or of a difference of two, with variance `spread`."""
    value, variance, games = float(at), float(spread), int(seen)
    if units < 2:
        return Estimate(value, None, None, None, None, units, games, None, level, note="one unit")
    se, df = math.sqrt(max(0.0, variance)), float(units - 1)
    if is_rounding(variance, value):
        note = f"no variation in {units} units"
        return Estimate(value, None, None, 0.0, df, units, games, None, level, note=note)
    half = t_quantile(df, level) * se
    return Estimate(value, value - half, value + half, se, df, units, games, METHOD, level)


def _pairs(found: _Found, level: float) -> list[Pair]:
    """Return the differences of all pairs, tested by Holm."""
    places = list(itertools.combinations(range(len(found.names)), 2))
    each = each_level(level, len(places))
    differences = []
    for i, j in places:
        value = float(found.theta[i] - found.theta[j])
        c = found.covariance
        variance = float(c[i, i] + c[j, j] - 2 * c[i, j])
        one = _estimate(value, variance, found.units, 0, each)
        one = replace(one, correction=f"Bonferroni, {len(places)} pairs")
        differences.append(Difference(**vars(one) | {"p": _p_value(one)}))
    judged = verdicts([one.p for one in differences], [1.0] * len(places), level)
    return [
        Pair(found.names[i], found.names[j], one, *verdict)
        for (i, j), one, verdict in zip(places, differences, judged, strict=True)
    ]


def _p_value(found: Estimate) -> float:
    """Return the two-sided p value of a difference of 0; 1 where there is no standard error."""
    if not found.se or found.estimate is None or found.df is None:
        return 1.0
    from scipy.special import stdtr

    return float(2 * stdtr(found.df, -abs(found.estimate) / found.se))


def _fit_check(
    stages: Stages, there: Ints, model: Model, at: Floats, level: float
) -> FitCheck | None:
    """Return the pair whose P_AB is farthest from what the ratings expect."""
    points, pairs = expected_points(model, at)
    totals = stages.totals
    places = list(itertools.combinations(range(len(there)), 2))
    each = each_level(level, len(places))
    worst: FitCheck | None = None
    excess = -math.inf
    for i, j in places:
        observed = beats(totals, int(there[i]), int(there[j]), each)
        if observed.units < FEWEST_UNITS or not observed.se or not observed.df:
            continue
        assert observed.estimate is not None
        fitted = float(points[i, j] / pairs[i, j])
        z, point = (observed.estimate - fitted) / observed.se, t_quantile(observed.df, each)
        if abs(z) - point > excess:
            excess = abs(z) - point
            names = totals.names[there[i]], totals.names[there[j]]
            worst = FitCheck(*names, observed.estimate, fitted, z, point)
    return worst


def _islands(stages: Stages, there: Ints) -> list[str]:
    """Return one strategy of each part of the field that met no other, even through others."""
    met = stages.totals.beside.sum(axis=0)[np.ix_(there, there)] + np.eye(len(there))
    for _ in range(len(there).bit_length()):
        met = np.sign(met @ met)
    first = sorted({int(row.argmax()) for row in met})
    return [stages.totals.names[there[i]] for i in first]


def _note(stages: Stages, apart: Sequence[str]) -> str | None:
    """Return what is unusual about a rating."""
    notes = []
    if len(apart) > 1:
        notes.append(
            f"{' and '.join(apart)} never met, even through others: compare only within each part"
        )
    if stages.totals.pure:
        notes.append(f"{stages.totals.pure:,} games with one strategy in every seat are left out")
    return "; ".join(notes) or None
