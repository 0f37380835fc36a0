"""What pairing bought: the variance reduction factor of blocks (statistics section 2).

A block is one deal of m games. The factor says how many independent games one game of a block is
worth, for the difference of A and B.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simlab.analysis.estimates import Estimate, check_level, t_quantile
from simlab.analysis.sums import BUCKETS, Floats, combine, keyed_moments

LOG_INTERVAL = "t on the logarithm, jackknife over buckets of deals"


@dataclass(frozen=True)
class Reduction:
    """What pairing bought at equal numbers of games."""

    factor: Estimate
    """The variance reduction factor: below 1 pairing cost games; infinite where no two units
    differ in the difference but games do. `se` is that of its logarithm."""
    equivalent_games: float | None
    """Games (of each, where A and B replace each other) that would be as precise if independent."""


class BlockSums:
    """Streaming sums of the single games of blocks, a block being one deal of m games.

    Deals are added up in buckets (deal mod 1024), each a unit of the jackknife; with up to 1024
    consecutive deals it leaves out one deal at a time.
    """

    def __init__(self, games: int, together: bool) -> None:
        """Start empty, with blocks of `games` games.

        together: A and B sit in the same games; else they replace each other, in `games` games of
        A and as many of B.
        """
        self._games = games
        self._together = together
        columns = games if together else 2 * games
        self._moments = np.zeros((3, BUCKETS, columns + 1))

    def add(self, deals: NDArray[np.integer], of_a: Floats, of_b: Floats) -> None:
        """Add blocks: the number of each deal, integers [U], and outcomes, float64 [U, games].

        of_a, of_b: A's and B's mean outcome in each game of a block; a column is one arrangement of
        the seats, the same in all blocks. ValueError if the shapes are others.
        """
        if of_a.shape != (len(deals), self._games) or of_b.shape != of_a.shape:
            raise ValueError(f"A and B must each have {self._games} games a deal")
        apart = of_a - of_b
        games = apart if self._together else np.concatenate([of_a, of_b], axis=1)
        values = np.concatenate([games, apart.mean(axis=1, keepdims=True)], axis=1)
        columns = values.shape[1]
        bucket = deals.astype(np.int64) % BUCKETS
        key = (bucket[:, None] * columns + np.arange(columns)).ravel()
        new = keyed_moments(key, values.ravel(), BUCKETS * columns)
        self._moments = combine(self._moments, new.reshape(self._moments.shape))

    def merge(self, other: BlockSums) -> None:
        """Add the blocks of `other`, which must be others and of the same kind."""
        if (self._games, self._together) != (other._games, other._together):
            raise ValueError("blocks of different kinds cannot be merged")
        self._moments = combine(self._moments, other._moments)

    def reduction(self, level: float = 0.95) -> Reduction:
        """Return the variance reduction factor and what the games were worth (section 2).

        VRF = s_g^2 / (m s_D^2), s_g^2 the variance over deals of the difference in a game, averaged
        over arrangements, s_D^2 that of a block's mean difference; where A and B replace each other
        s_g^2 is A's plus B's. UserError if the level is out of range.
        """
        check_level(level)
        buckets = self._moments[:, self._moments[0, :, 0] > 0]
        blocks = int(buckets[0, :, 0].sum())
        factor = _factor(buckets, blocks, self._games, level)
        vrf = factor.estimate
        return Reduction(factor, None if vrf is None else self._games * blocks * vrf)


def _factor(buckets: Floats, blocks: int, games: int, level: float) -> Estimate:
    """Return the variance reduction factor from moments [3, buckets, columns], none of them empty.

    The jackknife is that of the logarithm (statistics section 2; by groups: Kott 2001).
    """

    def found(
        estimate: float | None,
        note: str | None,
        bounds: tuple[float, float] | None = None,
        se: float | None = None,
    ) -> Estimate:
        low, high = bounds or (None, None)
        df = None if se is None else groups - 1.0
        how = None if bounds is None else LOG_INTERVAL
        return Estimate(estimate, low, high, se, df, blocks, blocks * games, how, level, note=note)

    groups = buckets.shape[1]
    if blocks < 2:
        return found(None, "one unit" if blocks else "no unit")
    log = float(_log_factor(_whole(buckets), games))
    if math.isnan(log):
        return found(None, f"no variation in {blocks} units")
    if math.isinf(log):
        return found(_exp(log), f"> {blocks}: the difference is the same in all units")
    logs = _log_factor(_without_each(buckets), games)
    if groups < 3 or not np.isfinite(logs).all():
        return found(_exp(log), "too few units differ for an interval")
    se = math.sqrt((groups - 1) / groups * float(np.square(logs - logs.mean()).sum()))
    half = t_quantile(groups - 1, level) * se
    return found(_exp(log), None, (_exp(log - half), _exp(log + half)), se)


def _exp(x: float) -> float:
    """Return e^x; infinite where it is larger than a float can be."""
    return math.exp(x) if x < 709 else math.inf


def _log_factor(moments: Floats, games: int) -> Floats:
    """Return log VRF from moments [3, ..., columns], the last column the blocks' difference.

    Infinite where the difference does not vary, NaN where the games do not either.
    """
    count, total, spread = moments
    mean = total / np.maximum(count, 1)
    spread = np.where(spread <= 1e-24 * count * np.maximum(1, mean * mean), 0.0, spread)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.log(spread[..., :-1].sum(axis=-1)) - np.log(spread[..., -1])
    return np.asarray(ratio - 2 * math.log(games), dtype=np.float64)


def _whole(buckets: Floats) -> Floats:
    """Return the moments of all buckets together, [3, columns] from [3, buckets, columns]."""
    return _running(buckets)[:, -1]


def _without_each(buckets: Floats) -> Floats:
    """Return the moments of all buckets but one, for each, [3, buckets, columns].

    Added up from both sides, as taking one away from the whole would lose the digits where it
    holds nearly all of the variation.
    """
    nothing = np.zeros_like(buckets[:, :1])
    before = np.concatenate([nothing, _running(buckets)[:, :-1]], axis=1)
    after = _running(buckets[:, ::-1])[:, ::-1]
    return combine(before, np.concatenate([after[:, 1:], nothing], axis=1))


def _running(buckets: Floats) -> Floats:
    """Return the moments of the first 1, 2, ... buckets, [3, buckets, columns]."""
    sums, step = buckets.copy(), 1
    while step < sums.shape[1]:
        sums[:, step:] = combine(sums[:, :-step], sums[:, step:])
        step *= 2
    return sums
