"""The confidence sequence: published vectors, its boundary by quadrature, state and edges."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special

from simlab.analysis.corrections import each_level
from simlab.analysis.sequence import (
    WIN_DIFFERENCE,
    WIN_SHARE,
    ConfidenceSequence,
    best_variance,
    boundary,
    check_values,
    log_mixture,
    score_bounds,
    tuned_rho,
)
from simlab.errors import UserError

SIX_DIGITS = {"abs": 5.1e-7, "rel": 0}
V6 = [(100, 8, 30), (100, 12, 34), (200, 21, 63)]


def sequence(v_opt=100, bounds=WIN_DIFFERENCE, level=0.95, null=0.0):
    return ConfidenceSequence(*bounds, tuned_rho(v_opt, level), level, null)


def fed(batches, **given):
    found = sequence(**given)
    for batch in batches:
        found.add(*batch)
    return found


def panels(edges):
    """Return nodes and weights of Gauss and Legendre between all edges."""
    x, w = np.polynomial.legendre.leggauss(40)
    edges = np.unique(edges)
    half = np.diff(edges)[:, None] / 2
    return (edges[:-1, None] + half * (x + 1)).ravel(), (half * w).ravel()


def by_quadrature(s, v, width, rho):
    """Return log M as the mixture that it is, over lambda = (1 - x) / c, x in (0, 1).

    exp(lambda s - psi V), psi = (-log(1 - c lambda) - c lambda) / c^2, by a truncated gamma density
    gives x^(k - 1) exp(-b x) and constants; for small k by w = x^k, which takes the pole away.
    """
    r = rho / width**2
    k, b = r + v / width**2, r + (s + v / width) / width
    if k < 2:
        w, weight = panels([*np.linspace(0, 1, 60), *(1 - np.logspace(-9, -1, 40))])
        values = -b * w ** (1 / k) - math.log(k)
    else:
        peak, sd = (k - 1) / b, math.sqrt(k) / b
        x, weight = panels(np.clip(peak + sd * np.linspace(-40, 40, 81), 0, 1))
        values = (k - 1) * np.log(x) - b * x
    norm = special.gammaln(r) + math.log(special.gammainc(r, r)) - r * math.log(r)
    return special.logsumexp(values, b=weight) + b - r - norm


# --- published vectors ---------------------------------------------------------------------------


def test_three_batches_v6():
    found = sequence()
    assert found.rho == pytest.approx(12.600561, **SIX_DIGITS)
    expected = [
        (30.0, -0.152462, 0.312462, 1),
        (62.72, -0.051923, 0.251923, 0.405069),
        (123.52, 0.001389, 0.203611, 0.0450558),
    ]
    for batch, (variance, low, high, p) in zip(V6, expected, strict=True):
        found.add(*batch)
        assert found.variance == pytest.approx(variance, **SIX_DIGITS)
        assert found.interval() == pytest.approx((low, high), **SIX_DIGITS)
        assert found.p == pytest.approx(p, **SIX_DIGITS)
    assert found.half_width == pytest.approx((found.interval()[1] - found.interval()[0]) / 2)


def test_the_mixture_v6():
    rho = tuned_rho(100, 0.95)
    assert float(log_mixture(10, 100, 2, rho)) == pytest.approx(-0.353860, **SIX_DIGITS)
    assert float(log_mixture(41, 123.52, 2, rho)) == pytest.approx(3.793002, **SIX_DIGITS)


def test_the_authors_own_figures_v6():
    rho = tuned_rho(100, 0.9)
    assert float(log_mixture(10, 100, 2, rho)) == pytest.approx(-0.2490165, abs=5.1e-8)
    assert boundary(100, 2, rho, 0.9) == pytest.approx(33.02017, abs=5.1e-6)


def test_a_thousand_zeros_v6b():
    found = fed([(1000, 0, 0)])
    assert found.interval() == pytest.approx((-0.013489, 0.013489), **SIX_DIGITS)
    assert (found.p, found.sign) == (1, 0)


def test_one_batch_v6c():
    found = fed([(1000, 150, 320)])
    assert found.interval() == pytest.approx((0.086933, 0.213067), **SIX_DIGITS)
    assert found.p == pytest.approx(2.669512e-09, rel=2e-7)
    assert found.sign == 1


@pytest.mark.parametrize(
    ("at", "expected"), [(1, 3.04), (0.1, 3.86), (0.01, 9.1), (10, 3.25), (100, 3.57)]
)
def test_the_width_about_the_tuned_variance(at, expected):
    """Section 3, in units of sqrt(V), for c small against sqrt(V)."""
    rho = tuned_rho(1e8, 0.95)
    width = boundary(at * 1e8, 2, rho, 0.95) / math.sqrt(at * 1e8)
    assert width == pytest.approx(expected, abs=0.06)


@pytest.mark.parametrize(
    ("comparisons", "expected"), [(1, 3.04), (10, 3.79), (45, 4.19), (190, 4.54)]
)
def test_what_several_comparisons_cost(comparisons, expected):
    level = each_level(0.95, comparisons)
    width = boundary(1e6, 2, tuned_rho(1e6, level), level) / 1e3
    assert width == pytest.approx(expected, abs=0.006)


# --- the boundary --------------------------------------------------------------------------------

positive = st.floats(-2, 6).map(lambda x: 10**x)


@pytest.mark.parametrize("rho", [0.02, 1.0, 12.6, 3000.0])
@pytest.mark.parametrize("v", [0.0, 0.5, 30.0, 5000.0, 2e6])
@pytest.mark.parametrize("width", [1.0, 2.0, 150.0])
def test_the_mixture_by_quadrature(rho, v, width):
    for away in (0.0, 0.3, 3.0, 6.0):
        s = away * (math.sqrt(v) + width)
        found = float(log_mixture(s, v, width, rho))
        assert found == pytest.approx(by_quadrature(s, v, width, rho), abs=2e-6, rel=1e-7)


@given(st.floats(0, 6), positive, positive)
def test_the_mixture_is_the_formula_of_section_3(away, v, rho):
    s = away * (1 + math.sqrt(v))
    r, k1, k2 = rho / 4, (2 * s + v) / 4, (v + rho) / 4
    lines = [
        r * math.log(r) - special.gammaln(r) - np.log(special.gammainc(r, r)),
        special.gammaln(k2) + np.log(special.gammainc(k2, k1 + r)),
        -k2 * math.log(k1 + r) + k1,
    ]
    size = max(map(abs, [*lines, k2 * math.log(k1 + r), k1]))
    found = float(log_mixture(s, v, 2, rho))
    assert found == pytest.approx(sum(lines), abs=1e-12 + 1e-14 * size)


@settings(deadline=None)
@given(st.floats(-3, 9).map(lambda x: 10**x), positive, st.sampled_from([0.5, 0.95, 1 - 1e-7]))
def test_the_boundary_solves_its_equation(v, rho, level):
    u = boundary(v, 2, rho, level)
    assert float(log_mixture(u, v, 2, rho)) == pytest.approx(math.log(2 / (1 - level)), abs=1e-9)
    assert boundary(1.01 * v, 2, rho, level) > u
    assert boundary(v, 2, rho, 1 - (1 - level) / 2) > u


@settings(deadline=None)
@given(positive, positive, st.floats(-6, 6).map(lambda x: 10**x))
def test_the_boundary_goes_with_the_unit_of_measure(v, rho, unit):
    u = boundary(v, 2, rho, 0.95)
    scaled = boundary(v * unit**2, 2 * unit, rho * unit**2, 0.95)
    assert scaled == pytest.approx(unit * u, rel=1e-10)


@pytest.mark.parametrize("v", [1e6, 1e9, 1e12])
def test_huge_runs_follow_their_limit(v):
    """As c / sqrt(V) -> 0 the mixture becomes one over a half-normal [Howard et al. 2021].

    M = 2 / (1 + V / rho)^(1/2) exp(s^2 / 2 (V + rho)) Phi(s / (V + rho)^(1/2)).
    """
    rho = tuned_rho(v, 0.95)
    s = boundary(v, 2, rho, 0.95)
    limit = math.log(2) - math.log1p(v / rho) / 2 + s**2 / 2 / (v + rho)
    limit += special.log_ndtr(s / math.sqrt(v + rho))
    assert math.log(40) == pytest.approx(limit, abs=20 / math.sqrt(v))
    assert math.isfinite(float(log_mixture(v / 10, v, 2, rho)))


def test_the_mixture_takes_arrays_and_no_negative_sum():
    s, v = np.array([1.0, 5.0, 30.0]), np.array([4.0, 40.0, 90.0])
    each = [float(log_mixture(a, b, 2, 3)) for a, b in zip(s, v, strict=True)]
    assert log_mixture(s, v, 2, 3) == pytest.approx(each, rel=1e-14)
    with pytest.raises(ValueError, match="at least 0"):
        log_mixture(-1.0, 4, 2, 3)


# --- the state -----------------------------------------------------------------------------------


def test_before_the_first_batch_nothing_is_known():
    found = sequence()
    assert found.interval() == (-1, 1)
    assert (found.half_width, found.p, found.mean) == (math.inf, 1, 0)
    found.add(0, 0.0, 0.0)
    assert (found.batches, found.interval()) == (0, (-1, 1))
    record = found.estimate(0)
    assert (record.estimate, record.low, record.note) == (None, -1, "no block yet")


def test_the_interval_stays_in_the_range():
    found = fed([(4, 4.0, 4.0)])
    assert found.interval()[1] == 1
    assert found.half_width > 1
    assert fed([(5, 5.0, 5.0)], bounds=WIN_SHARE, null=0.25).interval()[1] == 1


def test_a_run_taken_up_again_goes_on_the_same():
    whole = fed(V6)
    for done in range(4):
        state = json.loads(json.dumps(fed(V6[:done]).to_dict()))
        again = ConfidenceSequence.from_dict(state)
        for batch in V6[done:]:
            again.add(*batch)
        assert again == whole
    with pytest.raises(ValueError, match="not the state"):
        ConfidenceSequence.from_dict({"low": 0})


def test_the_p_value_never_rises_and_keeps_its_side():
    found = sequence(v_opt=400)
    down = []
    for _ in range(5):
        found.add(400, 80.0, 200.0)
        down.append(found.p)
    low = found.p
    for _ in range(5):
        found.add(400, -80.0, 200.0)
        down.append(found.p)
    assert down == sorted(down, reverse=True)
    assert (found.p, found.sign) == (low, 1)


def test_the_other_side_is_the_mirror():
    one, other = fed(V6), fed([(n, -s, ss) for n, s, ss in V6])
    low, high = one.interval()
    assert other.interval() == pytest.approx((-high, -low))
    assert (other.log_p, other.sign) == (one.log_p, -1)


def test_shares_are_tested_against_an_equal_share():
    """V is taken about 1 / 4 before the first batch, and so is the sum that p comes from."""
    found = fed([(1000, 250.0, 150.0)], bounds=WIN_SHARE, null=0.25)
    assert found.variance == pytest.approx(150 - 0.5 * 250 + 1000 / 16)
    assert found.p == 1
    assert found.interval()[0] < 0.25 < found.interval()[1]


def test_scores_in_other_units_say_the_same():
    shares = fed(V6)
    scaled = [(n, 50 * s, 2500 * ss) for n, s, ss in V6]
    points = fed(scaled, bounds=score_bounds(-10, 40), v_opt=100 * 2500)
    assert points.interval() == pytest.approx([50 * end for end in shares.interval()])
    assert points.p == pytest.approx(shares.p)


def test_p_and_interval_agree():
    """0 is outside the interval of a look exactly when its own p is below 1 - level."""
    for total in np.linspace(30, 60, 61):
        found = fed([(400, total, 127.0)])
        assert (found.interval()[0] > 0) == (found.p < 0.05)


def test_the_record():
    record = fed(V6).estimate(3200, "Bonferroni")
    assert (record.estimate, record.units, record.games) == (41 / 400, 400, 3200)
    assert (record.se, record.df, record.correction) == (None, None, "Bonferroni")
    assert "any stop" in record.method
    assert "outward" in record.note


def test_tiny_p_values():
    found = fed([(10**8, 5e7, 6e7)])
    assert found.p == 0
    assert -math.inf < found.log_p < -1e5


# --- tuning --------------------------------------------------------------------------------------


def test_the_variance_to_tune_for():
    assert best_variance(2, 0.3, 0.01) == pytest.approx(0.09 * (0.9 / 0.01) ** 2)
    assert best_variance(2, 0.3, 0.01, most=20_000) == pytest.approx(0.09 * 2000)
    assert best_variance(2, 0.3, most=3e6) == pytest.approx(0.09 * 1e5)
    assert best_variance(2, margin=0.01, most=1e9) == pytest.approx(0.25 * 150**2)
    assert best_variance(2, 0.0, 0.01) == 0.004
    with pytest.raises(ValueError, match="a margin or a largest number"):
        best_variance(2, 0.3)


def test_a_tuning_for_no_variance_is_usable():
    found = fed([(1000, 0.0, 0.0)], v_opt=best_variance(2, 0.0, 0.01))
    assert 0 < found.half_width < 0.0135
    found.add(1000, 400.0, 500.0)
    assert 0 < found.interval()[0] < 0.2 < found.interval()[1]


# --- slips ---------------------------------------------------------------------------------------


def test_the_range_of_scores():
    assert score_bounds(-5, 30) == (-35, 35)
    with pytest.raises(UserError, match="name them with --score-range LOW:HIGH"):
        score_bounds(None, 30)
    with pytest.raises(UserError, match="the range is 30 to 5"):
        score_bounds(30, 5)
    with pytest.raises(UserError, match="the range is 0 to inf"):
        score_bounds(0, math.inf)


def test_values_outside_the_range():
    check_values(np.array([-1.0, 1.0]), WIN_DIFFERENCE)
    check_values(np.zeros(0), WIN_DIFFERENCE)
    with pytest.raises(UserError, match=r"value of -1\.5 lies outside its range -1 to 1"):
        check_values(np.array([0.2, -1.5, 1.1]), WIN_DIFFERENCE)
    with pytest.raises(UserError, match="declare a wider range"):
        check_values(np.array([np.nan, 0.0]), WIN_DIFFERENCE)


@pytest.mark.parametrize(
    "batch", [(10, 11, 12), (10, 5, 11), (10, 5, -1), (-1, 0, 0), (9, math.nan, 1)]
)
def test_sums_that_no_values_have(batch):
    with pytest.raises(ValueError, match="have no sums"):
        sequence().add(*batch)


def test_settings_that_make_no_sequence():
    with pytest.raises(UserError, match=r"such as 0\.95, but is 95"):
        ConfidenceSequence(-1, 1, 1.0, 95)
    with pytest.raises(ValueError, match="no range: 1 to -1"):
        ConfidenceSequence(1, -1, 1.0, 0.95)
    with pytest.raises(ValueError, match="no range: 0 to 1 about 2"):
        ConfidenceSequence(0, 1, 1.0, 0.95, null=2)
    with pytest.raises(ValueError, match="rho must be above 0"):
        ConfidenceSequence(-1, 1, 0.0, 0.95)
