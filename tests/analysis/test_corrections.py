"""Holm's adjusted p values, and the level of each of several intervals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simlab.analysis.corrections import each_level, holm
from simlab.errors import UserError

chances = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def step_down(p, alpha):
    """Return which are rejected, by Holm's procedure in its own words."""
    rejected = set()
    for done, at in enumerate(sorted(range(len(p)), key=lambda i: p[i])):
        if p[at] > alpha / (len(p) - done):
            break
        rejected.add(at)
    return rejected


def test_holm_v7():
    assert holm(np.array([0.01, 0.04, 0.03, 0.005])) == pytest.approx([0.03, 0.06, 0.06, 0.02])


@given(chances, st.sampled_from([0.01, 0.05, 0.3]))
def test_holm_rejects_what_the_step_down_procedure_rejects(p, alpha):
    adjusted = holm(np.array(p))
    near = np.isclose(adjusted, alpha, rtol=1e-9)
    for i, found in enumerate(adjusted <= alpha):
        assert near[i] or found == (i in step_down(p, alpha))


@given(chances, st.data())
def test_a_smaller_p_never_unmakes_a_claim(p, data):
    p = np.array(p)
    smaller = p.copy()
    smaller[data.draw(st.integers(0, len(p) - 1))] *= data.draw(st.floats(0, 1))
    assert (holm(smaller) <= holm(p)).all()


def test_an_estimate_that_was_not_to_be_had_counts_as_one():
    assert list(holm(np.array([np.nan, 0.01]))) == [1, 0.02]
    assert holm(np.zeros(0)).size == 0


def test_the_level_of_each_of_several():
    assert each_level(0.95, 10) == pytest.approx(0.995)
    assert each_level(0.95, 1) == pytest.approx(0.95)
    with pytest.raises(UserError, match="at least 1 comparison, but there are 0"):
        each_level(0.95, 0)
