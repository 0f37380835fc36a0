"""The Davidson-Luce model of rankings with ties: likelihood, fit, and what it expects of pairs.

Statistics section 5 [Firth, Kosmidis, Turner 2019]. With worth w_i = exp(theta_i) and delta_1 = 1,
a set S of t seats is next among the remaining R with probability proportional to
delta_t (product of w over S)^(1/t), over all S within R of a size that ties have. The log
likelihood is linear in what was observed, minus log Z(R) for each R, and concave.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from simlab.analysis.stages import Remaining
from simlab.analysis.sums import Floats, Ints
from simlab.errors import UserError

FARTHEST = 30.0
"""Parameters beyond this are taken to be infinite."""
CELLS = 2**21
"""Numbers in the largest temporary arrays."""


class _Chunk(NamedTuple):
    """Some of the sets that remained, and what the model says of them."""

    places: Ints
    """The parameters of each feature, int64 [sets, features]."""
    times: Floats
    """How often each set remained, float64 [sets]."""
    log_z: Floats
    """log Z of each set, float64 [sets]."""
    chance: Floats
    """The probability of each option, float64 [sets, options]."""
    expected: Floats
    """The expected features, float64 [sets, features]."""


class Model:
    """The likelihood of observed stages; parameters are theta [k], then log delta [sizes - 1]."""

    def __init__(self, parts: list[Remaining], chosen: Floats, ties: Ints, pseudo: float) -> None:
        """Take the sets that remained, and what was observed in each bucket.

        chosen: how often each strategy was next, float64 [B, k]; ties: how often t seats were next
        together, int64 [B, most seats + 1]; pseudo: wins, and as many losses, of each strategy
        against a ghost of worth 1 that never ties.
        """
        sizes = np.union1d([1], np.flatnonzero(ties.any(axis=0)))
        self.sizes = tuple(int(size) for size in sizes)
        """The sizes of ties that occur, from 1; others have delta 0."""
        self.strategies = chosen.shape[1]
        """The number of strategies, k."""
        self.parameters = self.strategies + len(sizes) - 1
        """The number of parameters, P."""
        self.pseudo = pseudo
        self.parts = parts
        self._times = [
            np.bincount(part.of, part.count, len(part.sets)).astype(np.float64) for part in parts
        ]
        self._observed = np.concatenate([chosen, ties[:, sizes[1:]]], axis=1)
        self._total: Floats = self._observed.sum(axis=0)
        self.stages = int(ties.sum())
        """How many stages were observed."""

    def log_likelihood(self, at: Floats) -> tuple[float, Floats]:
        """Return the log likelihood, ghost included, and its gradient, float64 [P]."""
        value, gradient = float(self._total @ at), self._total.copy()
        for chunk in self._chunks(at):
            value -= float(chunk.times @ chunk.log_z)
            weighed = (chunk.times[:, None] * chunk.expected).ravel()
            gradient -= np.bincount(chunk.places.ravel(), weighed, self.parameters)
        gradient[: self.strategies] -= self.pseudo * np.tanh(at[: self.strategies] / 2)
        return value + self.of_ghost(at), gradient

    def of_ghost(self, at: Floats) -> float:
        """Return the ghost's part of the log likelihood."""
        theta = at[: self.strategies]
        return self.pseudo * float((theta - 2 * np.logaddexp(0, theta)).sum())

    def information(self, at: Floats) -> Floats:
        """Return minus the second derivatives of the log likelihood, float64 [P, P]."""
        found = np.zeros((self.parameters, self.parameters))
        for chunk in self._chunks(at):
            seats = chunk.places.shape[1] - len(self.sizes) + 1
            features = _features(seats, self.sizes)
            width = features.shape[1]
            squares = (features[:, :, None] * features[:, None]).reshape(-1, width * width)
            second = (chunk.chance @ squares).reshape(-1, width, width)
            second -= chunk.expected[:, :, None] * chunk.expected[:, None]
            second *= chunk.times[:, None, None]
            cell = chunk.places[:, :, None] * self.parameters + chunk.places[:, None]
            weighed = np.bincount(cell.ravel(), second.ravel(), found.size)
            found += weighed.reshape(found.shape)
        ghost = np.arange(self.strategies)
        found[ghost, ghost] += self.pseudo / 2 / np.cosh(at[ghost] / 2) ** 2
        return found

    def scores(self, at: Floats) -> Floats:
        """Return the gradient of each bucket without the ghost, float64 [B, P]."""
        found = self._observed.copy()
        for part, times in zip(self.parts, self._times, strict=True):
            chunks = list(self._chunks_of(part, times, at))
            expected = np.concatenate([chunk.expected for chunk in chunks])
            places = np.concatenate([chunk.places for chunk in chunks])
            step = max(1, CELLS // expected.shape[1])
            for first in range(0, len(part.of), step):
                some = slice(first, first + step)
                of, bucket = part.of[some], part.bucket[some, None]
                np.add.at(found, (bucket, places[of]), -part.count[some, None] * expected[of])
        return found

    def _chunks(self, at: Floats) -> Iterator[_Chunk]:
        """Go through all sets that remained."""
        for part, times in zip(self.parts, self._times, strict=True):
            yield from self._chunks_of(part, times, at)

    def _chunks_of(self, part: Remaining, times: Floats, at: Floats) -> Iterator[_Chunk]:
        """Go through the sets of one size, so many at a time that memory stays small."""
        features = _features(part.sets.shape[1], self.sizes)
        ties = np.arange(self.strategies, self.parameters)
        step = max(1, CELLS // max(len(features), features.shape[1] ** 2))
        for first in range(0, len(part.sets), step):
            sets = part.sets[first : first + step]
            places = np.concatenate([sets, np.tile(ties, (len(sets), 1))], axis=1)
            chance = at[places] @ features.T
            top = chance.max(axis=1, keepdims=True)
            chance = np.exp(chance - top)
            z = chance.sum(axis=1, keepdims=True)
            chance /= z
            log_z = (top + np.log(z))[:, 0]
            yield _Chunk(places, times[first : first + step], log_z, chance, chance @ features)


@lru_cache(maxsize=64)
def _features(seats: int, sizes: tuple[int, ...]) -> Floats:
    """Return what each set S that can be next adds to the parameters, float64 [options, features].

    Of `seats` features 1/t for each seat in S, then 1 for its size, if that is one of sizes[1:].
    """
    member = (np.arange(1, 2**seats)[:, None] >> np.arange(seats) & 1).astype(np.float64)
    size = member.sum(axis=1, keepdims=True)
    features = np.concatenate([member / size, size == sizes[1:]], axis=1)
    return features[np.isin(size[:, 0], sizes)]


def fit(model: Model) -> Floats:
    """Return the parameters of the largest likelihood, float64 [P].

    L-BFGS-B, then Newton until a step is below 1e-12; without a ghost the thetas sum to 0.
    UserError where they are infinite: some strategies always come before the others, or all ties.
    """
    from scipy.optimize import minimize

    scale = max(1, model.stages)

    def loss(at: Floats) -> tuple[float, Floats]:
        value, gradient = model.log_likelihood(at)
        return -value / scale, -gradient / scale

    found = minimize(
        loss,
        np.zeros(model.parameters),
        jac=True,
        method="L-BFGS-B",
        bounds=[(-FARTHEST, FARTHEST)] * model.parameters,
        options={"maxiter": 500, "gtol": 1e-4, "ftol": 1e-9},
    )
    at, length = found.x, np.inf
    for _ in range(50):
        if not np.abs(at).max() < FARTHEST / 2:
            break
        step = np.linalg.solve(curvature(model, at), model.log_likelihood(at)[1])
        before, length = length, float(np.abs(step).max())
        at = at + step / max(1.0, length)
        if length < 1e-12 or before <= length < 1e-9:  # the latter: all that is left is rounding
            break
    if not length < 1e-9:
        raise _infinite(model, at)
    return np.asarray(at, dtype=np.float64)


def curvature(model: Model, at: Floats) -> Floats:
    """Return the information, float64 [P, P], made regular where all thetas can move together."""
    found = model.information(at)
    if not model.pseudo:
        k = model.strategies
        found[:k, :k] += np.trace(found) / k**2
    return found


def expected_points(model: Model, at: Floats) -> tuple[Floats, Floats]:
    """Return what the model expects of each pair of strategies in the games as they were seated.

    Float64 [k, k]: points of the first (1 if its rank is the better, 0.5 if equal, over all pairs
    of their seats), and how many such pairs there were. The diagonal is 0.
    """
    points, pairs = np.zeros((2, model.strategies, model.strategies))
    for part in model.parts:
        games = np.bincount(part.of, part.whole, len(part.sets))
        played = np.flatnonzero(games)
        seats = part.sets.shape[1]
        step = max(1, CELLS // 2**seats)
        for first in range(0, len(played), step):
            some = played[first : first + step]
            sets, times = part.sets[some], games[some, None, None]
            where = (sets[:, :, None], sets[:, None])
            np.add.at(points, where, times * _points(model, at, sets))
            np.add.at(pairs, where, np.broadcast_to(times, (len(some), seats, seats)))
    np.fill_diagonal(points, 0)
    np.fill_diagonal(pairs, 0)
    return points, pairs


def _points(model: Model, at: Floats, sets: Ints) -> Floats:
    """Return the expected points of each seat against each other one, float64 [games, m, m].

    Goes through all sets that can remain, the larger before the smaller, with the probability that
    a game comes to each of them.
    """
    seats = sets.shape[1]
    features = _features(seats, tuple(range(1, seats + 1)))
    ties = np.full(max(seats, *model.sizes) + 1, -np.inf)
    ties[list(model.sizes)] = [0.0, *at[model.strategies :]]
    size = (features[:, :seats] > 0).sum(axis=1)
    log = at[sets] @ features[:, :seats].T + ties[size]
    weight = np.exp(log - log.max(axis=1, keepdims=True))
    reached = np.zeros((2**seats, len(sets)))
    reached[-1] = 1
    found = np.zeros((len(sets), seats * seats))
    for left in range(2**seats - 1, 2, -1):
        if left & left - 1 == 0 or not reached[left].any():
            continue
        next_ = np.array(
            [s for s in range(1, left + 1) if s & left == s and size[s - 1] in model.sizes]
        )
        chance = weight[:, next_ - 1]
        chance = chance * (reached[left][:, None] / chance.sum(axis=1, keepdims=True))
        found += chance @ _pattern(left, next_, seats)
        for column, s in enumerate(next_):
            reached[left ^ s] += chance[:, column]
    return found.reshape(-1, seats, seats)


def _pattern(left: int, next_: Ints, seats: int) -> Floats:
    """Return the points of each pair of seats if these sets come next, float64 [sets, m * m]."""
    chosen = (next_[:, None] >> np.arange(seats) & 1).astype(np.float64)
    behind = ((left & ~next_)[:, None] >> np.arange(seats) & 1).astype(np.float64)
    ahead = chosen[:, :, None] * (behind[:, None] + chosen[:, None] / 2)
    return ahead.reshape(len(next_), -1)


def _infinite(model: Model, at: Floats) -> UserError:
    """Return the error for parameters that grow without end."""
    if len(at) > model.strategies and np.abs(at).argmax() >= model.strategies:
        size = model.sizes[int(np.abs(at).argmax()) - model.strategies + 1]
        why = f"ties of {size} seats occur wherever they can"
        return UserError(
            f"the rating is infinite, because {why}; rank by score or win share instead."
        )
    return UserError(
        "the rating is infinite, because some strategies always come before the others;"
        " play more games, or rate with pseudo=0.5."
    )
