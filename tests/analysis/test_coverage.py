"""How often the intervals cover the truth: statistics section 10, rows a to e.

The models are those of section 10; the true values come from integration, never from the estimator.
`pytest -m validate` plays the full numbers of replications; without it a tenth, one size a row.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import integrate, stats

from simlab.analysis.estimates import mean, share
from simlab.analysis.sums import GroupSums

CHUNK = 2**20
"""Latent values drawn at a time."""


# --- true shares ---------------------------------------------------------------------------------


def tied_share(means, sds, grid):
    """Return the expected share of the first of several independent normals on a grid, ties split.

    E[1 / (1 + T); nobody above], T the others equal, is the integral over z in [0, 1] of the
    product of P(below) + z P(equal).
    """
    cells = np.arange(math.floor(-30 / grid), math.ceil(30 / grid))
    below = stats.norm.cdf(cells[:, None] * grid, means, sds)
    equal = stats.norm.cdf((cells[:, None] + 1) * grid, means, sds) - below
    nodes, weights = np.polynomial.legendre.leggauss(8)
    z = (nodes[:, None, None] + 1) / 2
    others = (below[:, 1:] + z * equal[:, 1:]).prod(axis=2)
    return float(equal[:, 0] @ (weights / 2 @ others))


def rotation_share(hand, style):
    """Return the true share of strategy 0 over the four rotations of row c."""
    sd = math.sqrt(hand**2 + style**2 + NOISE**2)
    shares = []
    for turn in range(4):
        means = SKILL + np.roll(SEAT, -turn)
        shares.append(tied_share(means, [sd] * 4, 0.25))
    return float(np.mean(shares))


def multiset_share():
    """Return the true share per appearance of strategy 0 in row d."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    won = 0.0
    for seats in range(1, 5):
        for luck, weight in zip(nodes, weights / weights.sum(), strict=True):
            means = [0.5 + luck] * seats + [0] * (4 - seats)
            chance = stats.binom.pmf(seats, 4, 1 / 6) * weight
            won += chance * seats * tied_share(means, [1] * 4, 0.5)
    return won / (4 / 6)


def common_deal_share():
    """Return the true share of seat 0 in row e, whose variance is 1 above the others'."""
    other = math.sqrt(1.5**2 + 0.7**2)
    ratio = math.sqrt(other**2 + 1) / other

    def beats_all(z):
        return stats.norm.pdf(z) * stats.norm.cdf(z * ratio) ** 3

    return integrate.quad(beats_all, -9, 9)[0]


# --- the models: appearances and wins, [replications, units] each ---------------------------------


def split_wins(latent):
    """Return the shares of the highest along the last axis, ties shared."""
    top = latent == latent.max(axis=-1, keepdims=True)
    return top / top.sum(axis=-1, keepdims=True)


def one_seat(rng, size, chance):
    """Row a: a race of two Gumbel variables, ours and the best of the others'."""
    ours = math.log(chance) + rng.gumbel(size=size)
    won = ours > math.log(1 - chance) + rng.gumbel(size=size)
    return np.ones(size, dtype=np.int64), won.astype(float)


def three_of_five(rng, size):
    """Row b: a strategy in 3 of 5 equal seats."""
    won = split_wins(np.floor(rng.standard_normal((*size, 5)) / 0.5))
    return np.full(size, 3), won[..., :3].sum(axis=-1)


SKILL = np.array([0.3, 0, 0, -0.3])
SEAT = np.array([0.2, 0.1, 0, -0.1])
NOISE = 0.5


def rotation_games(rng, size, hand, style):
    """Row c: wins of strategy 0 in the four games of a rotation, [replications, units, 4].

    In game g strategy s sits in seat s + g.
    """
    hands = hand * rng.standard_normal((*size, 4))
    styles = style * rng.standard_normal((*size, 4)) + SKILL
    games = []
    for turn in range(4):
        luck = NOISE * rng.standard_normal((*size, 4))
        latent = styles + np.roll(hands + SEAT, -turn, axis=-1) + luck
        games.append(split_wins(np.floor(latent / 0.25))[..., 0])
    return np.stack(games, axis=-1)


def rotation(rng, size, hand, style):
    """Row c: a rotation of four games is one unit."""
    return np.full(size, 4), rotation_games(rng, size, hand, style).sum(axis=-1)


def multisets(rng, size):
    """Row d: strategy 0 of 6 in 0 to 4 seats, with a common luck of the game."""
    ours = rng.integers(0, 6, (*size, 4)) == 0
    latent = rng.standard_normal((*size, 4)) + ours * (0.5 + rng.standard_normal((*size, 1)))
    won = split_wins(np.floor(latent / 0.5))
    return ours.sum(axis=-1), (won * ours).sum(axis=-1)


def in_buckets(rng, size):
    """Row d: the same, summed over 64 buckets by number of the deal."""
    shape = size[0], size[1] // 64, 64
    return tuple(part.reshape(shape).sum(axis=1) for part in multisets(rng, size))


def common_deals(rng, size):
    """Row e: wins of seat 0 in 8 line-ups on each deal, [replications, units, 8]."""
    hands = 1.5 * rng.standard_normal((*size, 1, 4))
    hands[..., 0] += rng.standard_normal((*size, 1))
    latent = hands + 0.7 * rng.standard_normal((*size, 8, 4))
    return (latent.argmax(axis=-1) == 0).astype(float)


def by_deal(rng, size):
    """Row e: the unit is the deal."""
    return np.full(size, 8), common_deals(rng, size).sum(axis=-1)


def by_game(rng, size):
    """Row e, the mistake: the unit is the game."""
    won = common_deals(rng, size).reshape(size[0], -1)
    return np.ones(won.shape, dtype=np.int64), won


def rotation_by_row(rng, size, hand, style):
    """Row c, the mistake: every row counts as independent."""
    won = rotation_games(rng, size, hand, style).reshape(size[0], -1)
    return np.ones(won.shape, dtype=np.int64), won


def three_by_row(rng, size):
    """Row b, the mistake: every row counts as independent."""
    won = split_wins(np.floor(rng.standard_normal((*size, 5)) / 0.5))[..., :3]
    return np.ones((size[0], size[1] * 3), dtype=np.int64), won.reshape(size[0], -1)


# --- measuring -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """One figure of section 10."""

    row: str
    model: Callable
    truth: float
    units: int
    low: float
    high: float
    given: tuple = ()
    interval: Callable = share
    replications: int = 10_000
    values: int = 4
    """Latent values drawn for a unit."""

    def __str__(self):
        return f"{self.row}-{self.interval.__name__}-{self.units}".replace(" ", "_")


def coverage(case, replications, seed=2024):
    """Return the percentage of replications whose interval holds the true value."""
    rng = np.random.default_rng([seed, case.units])
    at_once = max(1, CHUNK // (case.units * case.values))
    covered = 0
    for first in range(0, replications, at_once):
        size = min(at_once, replications - first), case.units
        sums = GroupSums()
        sums.add(*case.model(rng, size, *case.given))
        for number in range(size[0]):
            found = case.interval(sums.group(number))
            covered += found.low is not None and found.low <= case.truth <= found.high
    return 100 * covered / replications


def cases():
    """Return the figures of rows a to e."""
    found = []

    def row(name, model, truth, sizes, low, high, **more):
        found.extend(Case(name, model, truth, size, low, high, **more) for size in sizes)

    sizes, blocks = (30, 200, 2000), (30, 200, 1000)
    for chance, low in ((0.25, 94), (0.05, 93.5), (0.01, 93.5)):
        row(f"a {chance}", one_seat, chance, sizes, low, 97.5, given=(chance,), values=2)
    row("a 0.25", one_seat, 0.25, sizes, 94, 97.5, given=(0.25,), interval=mean, values=2)
    row("b", three_of_five, 1 / 5, sizes, 93.5, 96.5, values=5)
    row("b by row", three_by_row, 1 / 5, (200,), 99, 100, values=5)
    for name, hand, style, rows in (("hand", 2, 0, (99.5, 100)), ("style", 0, 2, (65, 80))):
        truth, given = rotation_share(hand, style), (hand, style)
        row(f"c {name}", rotation, truth, blocks, 93.5, 96.5, given=given, values=16)
        row(f"c {name} by row", rotation_by_row, truth, (200,), *rows, given=given, values=16)
    truth = multiset_share()
    row("d", multisets, truth, (30,), 93.5, 98.5)
    row("d", multisets, truth, (200, 2000), 93.5, 96.5)
    row("d", multisets, truth, (30,), 93.5, 98.5, interval=mean)
    row("d", multisets, truth, (200, 2000), 93.5, 96.5, interval=mean)
    row("d 64 buckets", in_buckets, truth, (6400,), 93.5, 96.5, interval=mean, replications=4000)
    row("e", by_deal, common_deal_share(), blocks, 93.5, 96.5, values=32)
    row("e by game", by_game, common_deal_share(), (200,), 0, 75, values=32)
    return found


CASES = cases()
WIDER = 2.0
"""Percentage points on either side for a tenth of the replications (3 standard errors)."""


@pytest.mark.validate
@pytest.mark.parametrize("case", CASES, ids=str)
def test_coverage_at_full_numbers(case):
    measured = coverage(case, case.replications)
    print(f"{case}: {measured:.2f} % (band {case.low} to {case.high})")
    assert case.low <= measured <= case.high


@pytest.mark.parametrize("case", [case for case in CASES if case.units == 200], ids=str)
def test_coverage_in_short(case):
    measured = coverage(case, 1000)
    wider = 0 if case.row == "e by game" else WIDER
    assert case.low - wider <= measured <= case.high + wider


@pytest.mark.parametrize("chance", [0.25, 0.05, 0.01])
@pytest.mark.parametrize("units", [30, 200, 2000])
def test_coverage_of_one_seat_exactly(chance, units):
    """Row a without chance: the sum over all numbers of wins, weighted by their probability."""
    wins = np.flatnonzero(stats.binom.pmf(np.arange(units + 1), units, chance) > 1e-9)
    sums = GroupSums()
    outcomes = (np.arange(units) < wins[:, None]).astype(float)
    sums.add(np.ones(outcomes.shape, dtype=np.int64), outcomes)
    covered = 0.0
    for number, won in enumerate(wins):
        found = share(sums.group(number))
        inside = found.low <= chance <= found.high
        covered += stats.binom.pmf(won, units, chance) * inside
    assert 0.935 <= covered <= 0.975


def test_true_shares_are_those_of_the_models():
    """The integrals against plain simulation; a wrong truth would make coverage meaningless."""
    rng = np.random.default_rng(5)
    for case in CASES:
        if case.units == 200:
            a, y = case.model(rng, (100, 200), *case.given)
            error = (y.sum(axis=1) / a.sum(axis=1)).std() / 10
            assert y.sum() / a.sum() == pytest.approx(case.truth, abs=4 * error)
    assert multiset_share() == pytest.approx(0.367, abs=5e-4)
