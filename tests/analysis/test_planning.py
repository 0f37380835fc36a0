"""How many deals: published vectors, exact power, and plans that cannot be made."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from simlab.analysis.estimates import mean
from simlab.analysis.paired import PairSums, difference
from simlab.analysis.planning import (
    Spread,
    block_spread,
    pilot_spread,
    plan_difference,
    plan_precision,
    plan_sequence,
)
from simlab.analysis.sequence import ConfidenceSequence, best_variance, tuned_rho
from simlab.analysis.sums import UnitSums
from simlab.errors import UserError


def test_plans_v11():
    known = Spread(0.3)
    assert plan_difference(known, 0.005).units == 37_827
    assert plan_difference(known, 0.005, exact=True).units == 37_829
    assert plan_difference(known, 0.005, comparisons=10).units == 60_180
    assert Spread(0.3, 100).factor == pytest.approx(1.137863, abs=5.1e-7)


def test_the_factor_is_brownes():
    for blocks in (2, 30, 1000):
        quantile = stats.chi2.ppf(0.2, blocks - 1)
        assert Spread(1, blocks).factor == pytest.approx((blocks - 1) / quantile, rel=1e-9)
    plain, careful = (plan_difference(Spread(0.3, b), 0.005) for b in (None, 100))
    assert careful.units == pytest.approx(plain.units * 1.137863, abs=2)
    assert (plain.factor, careful.factor) == (1, Spread(0.3, 100).factor)


def test_games_are_deals_times_the_games_of_a_block():
    plan = plan_difference(Spread(0.3), 0.005, block_games=4)
    assert plan.games == 4 * plan.units == 4 * 37_827


def power(units, effect, level):
    bound = stats.t.ppf((1 + level) / 2, units - 1)
    shift = effect * math.sqrt(units)
    t = stats.nct(units - 1, shift)
    return t.sf(bound) + t.cdf(-bound)


@settings(deadline=None, max_examples=60)
@given(st.floats(0.1, 2), st.floats(0.5, 0.99), st.sampled_from([0.9, 0.95, 0.995]))
def test_exact_plans_are_the_least_that_have_the_power(effect, wanted, level):
    units = plan_difference(Spread(1), effect, level=level, power=wanted, exact=True).units
    assert power(units, effect, level) >= wanted - 1e-9
    assert units == 2 or power(units - 1, effect, level) < wanted + 1e-9


def test_exact_plans_for_huge_differences():
    for wanted in (0.5, 0.9, 0.9999):
        assert plan_difference(Spread(1e-6), 0.5, power=wanted, exact=True).units <= 3


def test_precision():
    plan = plan_precision(Spread(0.3), 0.005)
    assert plan.units == math.ceil((stats.norm.ppf(0.975) * 60) ** 2) == 13_830
    several = plan_precision(Spread(0.3), 0.005, comparisons=10, block_games=3)
    assert several.units == math.ceil((stats.norm.ppf(0.9975) * 60) ** 2)
    assert several.games == 3 * several.units
    assert plan_precision(Spread(0.3, 100), 0.005).units == pytest.approx(13_830 * 1.137863, abs=2)


@pytest.mark.parametrize("sd", [0.05, 0.3, 0.55])
@pytest.mark.parametrize("margin", [0.002, 0.01, 0.05])
def test_the_sequence_needs_about_what_section_8_says(sd, margin):
    plan = plan_sequence(Spread(sd), margin, 2, block_games=4)
    most = (3.2 * sd / margin) ** 2 + 10 * 2 / margin
    assert 0.6 * most < plan.to_margin <= most
    assert plan.to_no_difference == math.ceil(1.45 * plan.to_margin)
    assert plan.games == 4 * plan.to_no_difference


def test_a_sequence_with_that_variance_is_as_narrow_then():
    plan = plan_sequence(Spread(0.3), 0.01, 2, comparisons=10)
    rho = tuned_rho(best_variance(2, 0.3, 0.01), 0.995)
    sequence = ConfidenceSequence(-1, 1, rho, 0.995)
    sequence.add(plan.to_margin, 0.0, 0.09 * plan.to_margin)
    assert sequence.half_width == pytest.approx(0.01, rel=1e-3)
    assert plan.to_margin > plan_sequence(Spread(0.3), 0.01, 2).to_margin


# --- pilots --------------------------------------------------------------------------------------


def test_the_spread_of_a_pilot():
    values = np.random.default_rng(1).normal(0, 0.3, 50)
    ones = np.ones(50, dtype=np.int64)
    pairs, alone = PairSums(), UnitSums()
    pairs.add(ones, values, ones, np.zeros(50))
    alone.add(ones, values)
    for pilot in (difference(pairs), mean(alone)):
        found = pilot_spread(pilot)
        assert found.sd == pytest.approx(values.std(ddof=1))
        assert (found.pilot, found.warning) == (50, None)


def test_the_kurtosis_of_a_pilot():
    values = np.random.default_rng(1).laplace(0, 0.3, 200)
    found = block_spread(values)
    assert found.sd == pytest.approx(values.std(ddof=1))
    assert found.kurtosis == pytest.approx(stats.kurtosis(values, fisher=False))
    df = 400 / (found.kurtosis - 197 / 199)
    assert found.factor == pytest.approx(df / stats.chi2.ppf(0.2, df))
    assert found.factor > Spread(found.sd, 200).factor
    assert Spread(1, 200, kurtosis=1.5).factor == Spread(1, 200).factor


def test_blocks_without_variation():
    assert block_spread(np.full(100, 1 / 3), limit=1.0) == pilot_spread(
        pilot_of([1 / 3] * 100), limit=1.0
    )
    with pytest.raises(UserError, match="no variation in 9 pilot blocks"):
        block_spread(np.zeros(9))
    for blocks in (0, 1):
        with pytest.raises(UserError, match=f"better 30, but has {blocks}"):
            block_spread(np.zeros(blocks), limit=1.0)


def pilot_of(values):
    sums = UnitSums()
    sums.add(np.ones(len(values), dtype=np.int64), np.array(values, dtype=float))
    return mean(sums)


def test_a_small_pilot_comes_with_a_warning():
    plan = plan_difference(pilot_spread(pilot_of([0, 1] * 10)), 0.01)
    assert plan.note == "the pilot has fewer than 30 blocks"
    assert plan_difference(pilot_spread(pilot_of([0, 1] * 15)), 0.01).note is None


def test_a_pilot_without_variation():
    flat = pilot_of([0.0] * 100)
    found = pilot_spread(flat, limit=1.0)
    assert found.sd == pytest.approx(0.1)
    assert found.warning == "no variation in 100 pilot blocks: one is taken to differ"
    small = pilot_spread(pilot_of([0.0] * 4), limit=1.0)
    assert plan_sequence(small, 0.1, 2).note.endswith("; the pilot has fewer than 30 blocks")
    with pytest.raises(UserError, match="no variation in 100 pilot blocks: give the standard"):
        pilot_spread(flat)


# --- slips ---------------------------------------------------------------------------------------


def test_slips():
    known = Spread(0.3)
    with pytest.raises(UserError, match="at least 2 blocks, better 30, but has 1"):
        pilot_spread(pilot_of([1.0]))
    with pytest.raises(UserError, match="at least 2 blocks, better 30, but has 0"):
        pilot_spread(mean(UnitSums()))
    with pytest.raises(UserError, match="at least 2 blocks, better 30, but has 1"):
        Spread(0.3, 1)
    for sd in (0, -1, math.nan, math.inf):
        with pytest.raises(UserError, match="standard deviation of a block must be above 0"):
            Spread(sd)
    for wrong in (0, -0.1, math.nan, math.inf):
        with pytest.raises(UserError, match="the difference must be above 0"):
            plan_difference(known, wrong)
        with pytest.raises(UserError, match="the half-width must be above 0"):
            plan_precision(known, wrong)
        with pytest.raises(UserError, match="the margin must be above 0"):
            plan_sequence(known, wrong, 2)
    for wrong in (0, 1, 90):
        with pytest.raises(UserError, match=r"power must lie between 0 and 1, such as 0\.9"):
            plan_difference(known, 0.01, power=wrong)
    with pytest.raises(UserError, match=r"a power of 0\.02 takes no games at level 0\.95"):
        plan_difference(known, 0.01, power=0.02)
    for call in (plan_difference, plan_precision):
        with pytest.raises(UserError, match="the level must lie between 0 and 1"):
            call(known, 0.01, level=95)
        with pytest.raises(UserError, match="at least 1 comparison"):
            call(known, 0.01, comparisons=0)
