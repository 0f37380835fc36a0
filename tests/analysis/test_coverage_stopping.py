"""False claims and lengths of runs with a stopping rule: the stopping table of section 10.

10,000 paths of 200 looks, every 100 blocks, with `pytest -m validate`; without it a few hundred.
All paths are judged side by side with a tabulated boundary; some also with the sequence itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import interpolate, stats

from simlab.analysis.sequence import (
    WIN_DIFFERENCE,
    ConfidenceSequence,
    boundary,
    log_mixture,
    tuned_rho,
)
from simlab.analysis.stopping import A_BETTER, B_BETTER, NO_DIFFERENCE, NOT_SETTLED, claims, compare

LOOKS, STEP = 200, 100
A, B, NONE, OPEN = 0, 1, 2, 3
CLAIMS = {A_BETTER: A, B_BETTER: B, NO_DIFFERENCE: NONE, NOT_SETTLED: OPEN}


@dataclass(frozen=True)
class Case:
    """A row of the table."""

    name: str
    values: tuple
    chances: tuple
    margin: float
    false: tuple
    """Claims that are false."""
    blocks: int
    """Mean number of blocks of the chosen rule, as published."""
    asymptotic_fails: bool = False

    def __str__(self):
        return self.name

    @property
    def sd(self):
        mean = np.dot(self.chances, self.values)
        return math.sqrt(np.dot(self.chances, np.square(self.values)) - mean**2)


FIVE = (-1, -0.5, 0, 0.5, 1)
CASES = [
    Case("nothing", FIVE, (0.1, 0.2, 0.4, 0.2, 0.1), 0.02, (A, B), 10_928),
    Case("better", FIVE, (0.09, 0.19, 0.4, 0.205, 0.115), 0.02, (B, NONE), 3198),
    Case("margin", FIVE, (0.09, 0.2, 0.4, 0.2, 0.11), 0.02, (B, NONE), 7273),
    Case("small", (-0.25, 0, 0.25), (0.1, 0.8, 0.1), 0.01, (A, B), 3356),
    Case("copies", (-1, 0, 1), (0.006, 0.993, 0.001), 0.005, (A, NONE), 5440, True),
    Case("losses", (-1, 0.01), (0.0099, 0.9901), 0.005, (A, B), 8588, True),
    Case("rare", (-1, 0.001), (0.001, 0.999), 0.002, (A, B), 11_684, True),
]


def paths(case, number, seed=11):
    """Return number, sum and sum of squares of the blocks in each batch, [paths, looks]."""
    rng = np.random.default_rng([seed, len(case.values), case.blocks])
    counts = rng.multinomial(STEP, case.chances, size=(number, LOOKS))
    return counts @ np.array(case.values), counts @ np.square(case.values)


def first_claims(mean, half, margin):
    """Return claim and look of the first verdict of each path, from means and half-widths."""
    low, high = mean - half, mean + half
    said = np.select(
        [low > 0, high < 0, (-margin < low) & (high < margin)], [A, B, NONE], default=OPEN
    )
    settled = said != OPEN
    look = np.where(settled.any(axis=1), settled.argmax(axis=1), LOOKS - 1)
    return said[np.arange(len(said)), look], look


def variance_sums(total, squares):
    """Return V at each look, [paths, looks], as the recursion of section 3 has it."""
    blocks = STEP * np.arange(1, LOOKS)
    before = np.hstack([np.zeros((len(total), 1)), total.cumsum(axis=1)[:, :-1] / blocks])
    return np.maximum(0, squares - 2 * before * total + STEP * before**2).cumsum(axis=1)


def tabulated(rho, largest):
    """Return u(V) as a function of arrays from 0 to `largest`, from 300 values of it."""
    grid = np.linspace(0, math.sqrt(largest), 300) ** 2
    table = [boundary(v, 2, rho, 0.95) for v in grid]
    spline = interpolate.CubicSpline(np.sqrt(grid), table)
    return lambda v: spline(np.sqrt(v))


def chosen(case, total, squares, times=1.0):
    """Return the claims of the confidence sequence, tuned for the true sd, and their looks."""
    v = variance_sums(total, squares)
    blocks = STEP * np.arange(1, LOOKS + 1)
    rho = tuned_rho(times * case.sd**2 * (3 * case.sd / case.margin) ** 2, 0.95)
    half = tabulated(rho, v.max())(v) / blocks
    return first_claims(total.cumsum(axis=1) / blocks, half, case.margin)


def sample_variance(total, squares):
    blocks = STEP * np.arange(1, LOOKS + 1)
    mean = total.cumsum(axis=1) / blocks
    return mean, squares.cumsum(axis=1) / blocks - mean**2, blocks


def asymptotic(case, total, squares):
    """Return the claims of the normal asymptotic sequence [Waudby-Smith et al. 2024]: the twin."""
    mean, variance, blocks = sample_variance(total, squares)
    evidence = -2 * math.log(0.05)
    rho2 = (evidence + math.log1p(evidence)) / (3 * case.sd / case.margin) ** 2
    grown = blocks * rho2 + 1
    factor = 2 * grown / (blocks**2 * rho2) * np.log(np.sqrt(grown) / 0.05)
    return first_claims(mean, np.sqrt(np.maximum(0, variance) * factor), case.margin)


def repeated_t(case, total, squares):
    """Return the claims of a 95 % interval looked at again and again: the mistake."""
    mean, variance, blocks = sample_variance(total, squares)
    half = stats.t.ppf(0.975, blocks - 1) * np.sqrt(np.maximum(0, variance) / (blocks - 1))
    return first_claims(mean, half, case.margin)


def false_claims(case, claimed):
    return 100 * np.isin(claimed, case.false).mean()


@pytest.mark.validate
@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_stopping_table_at_full_numbers(case):
    total, squares = paths(case, 10_000)
    claimed, look = chosen(case, total, squares)
    twin, twin_look = asymptotic(case, total, squares)
    mistake = false_claims(case, repeated_t(case, total, squares)[0])
    blocks, open_ = STEP * (look + 1), 100 * (claimed == OPEN).mean()
    print(
        f"stopping {case}: false {false_claims(case, claimed):.2f} % (t {mistake:.1f}, asymptotic"
        f" {false_claims(case, twin):.1f}); blocks {blocks.mean():.0f} (published {case.blocks},"
        f" asymptotic {STEP * (twin_look + 1).mean():.0f}), median {np.median(blocks):.0f},"
        f" not settled {open_:.1f} %"
    )
    assert false_claims(case, claimed) <= 5.5
    assert blocks.mean() == pytest.approx(case.blocks, rel=0.1)
    assert (false_claims(case, twin) > 5.5) == case.asymptotic_fails


@pytest.mark.validate
@pytest.mark.parametrize(
    ("times", "blocks"), [(0.01, 4218), (0.1, 3306), (10, 5315), (100, 13_482)]
)
def test_a_wrong_tuning_at_full_numbers(times, blocks):
    case = CASES[1]
    claimed, look = chosen(case, *paths(case, 10_000), times)
    measured = STEP * (look + 1).mean()
    print(f"stopping, v_opt times {times}: blocks {measured:.0f} (published {blocks})")
    assert measured == pytest.approx(blocks, rel=0.1)
    assert false_claims(case, claimed) <= 5.5


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_stopping_table_in_short(case):
    total, squares = paths(case, 400)
    claimed, look = chosen(case, total, squares)
    assert false_claims(case, claimed) <= 5.5
    assert STEP * (look + 1).mean() == pytest.approx(case.blocks, rel=0.2)
    if case.asymptotic_fails:
        assert false_claims(case, asymptotic(case, total, squares)[0]) > 20


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_sequence_itself_says_the_same(case):
    """A few paths batch by batch, through the state that a run keeps."""
    total, squares = paths(case, 6)
    claimed, look = chosen(case, total, squares)
    rho = tuned_rho(case.sd**2 * (3 * case.sd / case.margin) ** 2, 0.95)
    for path in range(len(total)):
        sequence, verdict, at = ConfidenceSequence(*WIN_DIFFERENCE, rho, 0.95), None, -1
        while verdict is None:
            at += 1
            sequence.add(STEP, total[path, at], squares[path, at])
            verdict = compare(*sequence.interval(), case.margin, at == LOOKS - 1)
        assert (CLAIMS[verdict.claim], at) == (claimed[path], look[path])


# --- several comparisons: sequential Holm ---------------------------------------------------------

STRATEGIES, HOLM_LOOKS = 10, 50


def runs_with_a_claim(runs, skill=0.0):
    """Return how many of `runs` claim anything among 45 pairs at some of 50 looks of 100 blocks.

    Ten strategies are ranked on common deals; the first is better by `skill` standard deviations.
    A block's value is the difference of two ranks, as a part of ten.
    """
    pairs = np.transpose(np.triu_indices(STRATEGIES, 1))
    rho = tuned_rho(0.1 * STEP * HOLM_LOOKS / 30, 1 - 0.05 / len(pairs))
    found = 0
    for run in range(runs):
        rng = np.random.default_rng([13, run])
        latent = rng.standard_normal((HOLM_LOOKS, STEP, STRATEGIES))
        latent[..., 0] += skill
        values = stats.rankdata(latent, axis=2) / STRATEGIES
        apart = values[..., pairs[:, 0]] - values[..., pairs[:, 1]]
        total, squares = apart.sum(axis=1), np.square(apart).sum(axis=1)
        found += bool(claimed_at_end(total, squares, rho).any())
    return found


def claimed_at_end(total, squares, rho):
    """Return Holm's claims after all looks, for [looks, pairs]; p values are the least so far."""
    blocks = STEP * np.arange(1, len(total))[:, None]
    running = total.cumsum(axis=0)
    before = np.vstack([np.zeros(total.shape[1]), running[:-1] / blocks])
    v = np.maximum(0, squares - 2 * before * total + STEP * before**2).cumsum(axis=0)
    log_m = log_mixture(np.abs(running), v, 2, rho)
    best = log_m.argmax(axis=0)
    several = []
    for pair, look in enumerate(best):
        sequence = ConfidenceSequence(*WIN_DIFFERENCE, rho, 0.95)
        sequence.log_p = min(0.0, math.log(2) - log_m[look, pair])
        sequence.sign = int(np.sign(running[look, pair])) if sequence.log_p < 0 else 0
        several.append(sequence)
    return claims(several, 0.95)


@pytest.mark.validate
def test_sequential_holm_at_full_numbers():
    found = runs_with_a_claim(1000)
    print(f"sequential Holm: {found} of 1000 runs with a false claim (band: at most 1)")
    assert found <= 1


def test_sequential_holm_in_short():
    assert runs_with_a_claim(20) == 0
    assert runs_with_a_claim(3, skill=1.0) == 3
