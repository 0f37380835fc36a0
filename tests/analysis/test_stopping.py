"""Verdicts, the gate, several comparisons, and batches that are the same whatever the shards."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simlab.analysis.sequence import WIN_DIFFERENCE, ConfidenceSequence, tuned_rho
from simlab.analysis.stopping import (
    A_BETTER,
    B_BETTER,
    BATCH_DEALS,
    FAIL,
    INCONCLUSIVE,
    LESS_THAN_MARGIN,
    NO_DIFFERENCE,
    NOT_SETTLED,
    PASS,
    PRECISE,
    WORSE_WITHIN,
    FinishedBatches,
    Verdict,
    claims,
    compare,
    cut,
    gate,
    precise,
)
from simlab.errors import UserError

ends = st.tuples(st.floats(-1, 1), st.floats(-1, 1)).map(sorted)


@pytest.mark.parametrize(
    ("low", "high", "claim", "addition"),
    [
        (0.01, 0.2, A_BETTER, None),
        (0.01, 0.04, A_BETTER, LESS_THAN_MARGIN),
        (-0.2, -0.01, B_BETTER, None),
        (-0.04, -0.01, B_BETTER, LESS_THAN_MARGIN),
        (-0.04, 0.03, NO_DIFFERENCE, None),
        (0.0, 0.03, NO_DIFFERENCE, None),
    ],
)
def test_verdicts(low, high, claim, addition):
    for last in (False, True):
        assert compare(low, high, 0.05, last) == Verdict(claim, addition)


@pytest.mark.parametrize(("low", "high"), [(-0.05, 0.01), (-0.01, 0.05), (-0.2, 0.2), (0.0, 0.06)])
def test_not_settled(low, high):
    assert compare(low, high, 0.05, last=False) is None
    assert compare(low, high, 0.05, last=True) == Verdict(NOT_SETTLED)


def test_without_a_margin_only_better_or_worse_is_asked():
    assert compare(0.001, 0.002, None, last=False) == Verdict(A_BETTER)
    assert compare(-0.001, 0.001, None, last=False) is None
    assert compare(-0.001, 0.001, None, last=True) == Verdict(NOT_SETTLED)


def test_one_batch_v6c_is_a_better():
    sequence = ConfidenceSequence(*WIN_DIFFERENCE, tuned_rho(100, 0.95), 0.95)
    sequence.add(1000, 150, 320)
    assert compare(*sequence.interval(), 0.02, last=False) == Verdict("A better")


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (-0.04, 0.2, Verdict(PASS)),
        (0.01, 0.2, Verdict(PASS)),
        (-0.04, -0.01, Verdict(PASS, WORSE_WITHIN)),
        (-0.2, -0.06, Verdict(FAIL)),
        (-0.2, -0.01, None),
        (-0.05, -0.05, None),
        (-0.2, 0.3, None),
    ],
)
def test_the_gate(low, high, expected):
    assert gate(low, high, 0.05, last=False) == expected
    assert gate(low, high, 0.05, last=True) == (expected or Verdict(INCONCLUSIVE))


@given(ends, st.floats(0.001, 1))
def test_the_gate_and_the_comparison_never_contradict_each_other(interval, margin):
    passed, verdict = gate(*interval, margin, True), compare(*interval, margin, True)
    if passed.claim == FAIL:
        assert verdict == Verdict(B_BETTER)
    if verdict.claim in (A_BETTER, NO_DIFFERENCE) or verdict.addition:
        assert passed.claim == PASS


def test_precise_enough():
    assert precise(0.005, 0.005, last=False) == Verdict(PRECISE)
    assert precise(0.006, 0.005, last=False) is None
    assert precise(0.006, 0.005, last=True) == Verdict(NOT_SETTLED)
    assert precise(np.inf, 0.005, last=False) is None


def test_slips():
    for margin in (0, -0.01, float("nan"), float("inf")):
        with pytest.raises(UserError, match="the margin must be above 0, such as"):
            gate(-1, 1, margin, False)
        with pytest.raises(UserError, match="the margin must be above 0, such as"):
            compare(-1, 1, margin, False)
    for wanted in (0, -1, float("nan")):
        with pytest.raises(UserError, match=r"such as ci=0\.005"):
            precise(0.1, wanted, False)


# --- several comparisons -------------------------------------------------------------------------


def of_p(p, sign=1):
    """Return a sequence whose p value is `p`."""
    sequence = ConfidenceSequence(*WIN_DIFFERENCE, 1.0, 0.95)
    sequence.log_p, sequence.sign = float(np.log(p)), sign
    return sequence


def test_claims_are_holms():
    several = [of_p(p, sign) for p, sign in ((0.01, 1), (0.04, 1), (0.03, -1), (0.005, -1))]
    assert list(claims(several, 0.95)) == [1, 0, 0, -1]
    assert list(claims(several, 0.939)) == [1, 1, -1, -1]
    assert list(claims(several[:1], 0.95)) == [1]
    assert list(claims([], 0.95)) == []


def test_a_claim_once_made_stays():
    rng = np.random.default_rng(6)
    means = [0.15, 0.08, 0.0, -0.1]
    several = [ConfidenceSequence(*WIN_DIFFERENCE, tuned_rho(100, 0.95), 0.95) for _ in means]
    before = np.zeros(4, dtype=np.int64)
    for look in range(60):
        for sequence, mean in zip(several, means, strict=True):
            drift = mean if look < 30 else -mean
            x = np.clip(rng.normal(drift, 0.4, 100), -1, 1)
            sequence.add(100, x.sum(), (x * x).sum())
        now = claims(several, 0.95)
        assert (now[before != 0] == before[before != 0]).all()
        before = now
    assert list(before) == [1, 1, 0, -1]


def test_comparisons_not_yet_fed_count():
    fed = of_p(0.02)
    unfed = ConfidenceSequence(*WIN_DIFFERENCE, 1.0, 0.95)
    assert list(claims([fed], 0.95)) == [1]
    assert list(claims([fed, unfed, unfed], 0.95)) == [0, 0, 0]
    with pytest.raises(UserError, match="the level must lie between 0 and 1"):
        claims([fed], 5)


# --- batches -------------------------------------------------------------------------------------


def direct(deals, values, total):
    """Return what each batch of a run holds, one deal at a time."""
    found = []
    for start in range(0, total, BATCH_DEALS):
        inside = [v for d, v in zip(deals, values, strict=True) if start <= d < start + BATCH_DEALS]
        found.append((len(inside), sum(inside), sum(v * v for v in inside)))
    return found


def taken(finished):
    """Return all batches that are finished."""
    found = []
    while (batch := finished.take()) is not None:
        found.append(batch)
    return found


@settings(deadline=None, max_examples=40)
@given(
    st.integers(1, 5 * BATCH_DEALS),
    st.lists(st.integers(0, 5 * BATCH_DEALS), max_size=8),
    st.randoms(),
)
def test_shards_and_their_order_do_not_matter(total, edges, random):
    rng = np.random.default_rng(total)
    deals = np.flatnonzero(rng.random(total) < 0.9)
    values = rng.integers(-4, 5, len(deals)) / 4
    edges = sorted({0, total, *(edge for edge in edges if edge < total)})
    shards = list(pairwise(edges))
    random.shuffle(shards)
    finished, found = FinishedBatches(total), []
    for first, after in shards:
        mine = (deals >= first) & (deals < after)
        finished.add(cut(deals[mine], values[mine], first, after))
        found += taken(finished)
    assert found == direct(deals, values, total)
    assert finished.last


def test_only_the_longest_finished_prefix_is_looked_at():
    ones = np.ones(2 * BATCH_DEALS)
    finished = FinishedBatches(5 * BATCH_DEALS)
    late = np.arange(BATCH_DEALS, 3 * BATCH_DEALS)
    finished.add(cut(late, ones, BATCH_DEALS, 3 * BATCH_DEALS))
    assert taken(finished) == []
    early = np.arange(BATCH_DEALS - 1)
    finished.add(cut(early, ones[1:BATCH_DEALS], 0, BATCH_DEALS - 1))
    assert taken(finished) == []
    finished.add(cut(early[:0], ones[:0], BATCH_DEALS - 1, BATCH_DEALS))
    assert [batch[0] for batch in taken(finished)] == [BATCH_DEALS - 1, BATCH_DEALS, BATCH_DEALS]
    assert not finished.last


def test_batches_edges_and_slips():
    none, zero = np.zeros(0), np.zeros(0, dtype=np.int64)
    assert cut(zero, none, 7, 7) == []
    assert FinishedBatches(0).last
    assert FinishedBatches(0).take() is None
    finished = FinishedBatches(10)
    part = cut(np.arange(10), np.ones(10), 0, 10)
    finished.add(part)
    with pytest.raises(ValueError, match="deals from 0 on are already there"):
        finished.add(part)
    assert taken(finished) == [(10, 10.0, 10.0)]
    with pytest.raises(ValueError, match="already there"):
        finished.add(part)
    with pytest.raises(ValueError, match="one value a deal"):
        cut(np.arange(3), np.ones(2), 0, 3)
    with pytest.raises(ValueError, match="outside 0 to 2"):
        cut(np.arange(3), np.ones(3), 0, 2)
