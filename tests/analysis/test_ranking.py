"""Rankings: published vectors, letters against cliques, and the family-wise error of section 10."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simlab.analysis.buckets import Buckets, bucket_totals
from simlab.analysis.jackknife import beats, head_to_head, overall
from simlab.analysis.ranking import MEASURES, letters, ranking, verdicts
from simlab.errors import UserError
from tests.analysis.many import pair_tests
from tests.analysis.test_buckets import RULES, data_sets, with_ranks
from tests.analysis.test_tables import END, NAMES, game, games_frame

# --- Holm ----------------------------------------------------------------------------------------


def test_holm_v7():
    found = verdicts([0.01, 0.04, 0.03, 0.005], [1, -1, 1, -1], 0.95)
    assert [p for p, _ in found] == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert [verdict for _, verdict in found] == [1, 0, 0, -1]


def test_what_cannot_be_tested_counts_as_one_and_still_counts():
    found = verdicts([None, 0.001, float("nan")], [0, 1, 0], 0.95)
    assert found == [(1, 0), (pytest.approx(0.003), 1), (1, 0)]


@settings(deadline=None, max_examples=10)  # each of its calls collects garbage
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_that_of_statsmodels(p):
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    claimed, adjusted, *_ = multitest.multipletests(p, 0.05, method="holm")
    found = verdicts(p, [1.0] * len(p), 0.95)
    assert [value for value, _ in found] == pytest.approx(list(adjusted))
    assert [bool(verdict) for _, verdict in found] == list(claimed)


# --- letters -------------------------------------------------------------------------------------


def test_letters_v8():
    assert letters(4, [(0, 3), (0, 2), (1, 3)]) == ["a", "ab", "bc", "c"]
    assert letters(5, []) == ["a"] * 5
    assert letters(3, [(0, 1), (0, 2), (1, 2)]) == ["a", "b", "c"]


@st.composite
def graphs(draw):
    count = draw(st.integers(1, 7))
    places = list(itertools.combinations(range(count), 2))
    pairs = draw(st.lists(st.sampled_from(places), unique=True)) if places else []
    return count, pairs


@given(graphs())
def test_letters_are_the_largest_groups_without_a_different_pair(graph):
    count, different = graph
    found = letters(count, different)
    groups = [
        frozenset(at for at in range(count) if letter in found[at])
        for letter in sorted(set("".join(found)))
    ]
    alike = [
        frozenset(members)
        for size in range(1, count + 1)
        for members in itertools.combinations(range(count), size)
        if not any(set(pair) <= set(members) for pair in different)
    ]
    largest = {group for group in alike if not any(group < other for other in alike)}
    assert set(groups) == largest
    assert len(groups) == len(largest)
    assert [min(group) for group in groups] == sorted(min(group) for group in groups)


def test_letters_past_z_have_numbers_and_hundreds_are_refused():
    apart = list(itertools.combinations(range(28), 2))
    assert letters(28, apart)[25:] == ["z", "a1", "b1"]
    # Pairs that differ within, all else alike: 2^k groups.
    assert letters(20, [(i, i + 1) for i in range(0, 20, 2)]) is None


# --- rankings ------------------------------------------------------------------------------------


def three(rounds, rng, skills=(0.0, 0.5, 1.0)):
    """Return games of three strategies, one a deal."""
    latent = rng.normal(size=(rounds, 3)) + np.array(skills)
    scores = np.floor(2 * latent).astype(int).tolist()
    games = [game(i, ["greedy", "bold", "calm"], row) for i, row in enumerate(scores)]
    return with_ranks(games_frame(games, NAMES))


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("outcome", ["win", "score", "rank"])
def test_a_clear_ranking(outcome, measure):
    totals = bucket_totals([three(600, np.random.default_rng(1))])
    found = ranking(totals, outcome, measure)
    assert [row.name for row in found.rows] == ["calm", "bold", "greedy"]
    assert [row.letters for row in found.rows] == ["a", "b", "c"]
    assert [(pair.first, pair.second) for pair in found.pairs] == [
        ("calm", "bold"),
        ("calm", "greedy"),
        ("bold", "greedy"),
    ]
    assert all(pair.verdict == 1 for pair in found.pairs)
    assert all(pair.difference.correction == "Bonferroni, 3 pairs" for pair in found.pairs)
    assert all(pair.difference.level == pytest.approx(1 - 0.05 / 3) for pair in found.pairs)
    assert found.note is None


def test_pairs_are_the_estimates_of_each_pair():
    totals = bucket_totals([three(80, np.random.default_rng(2))])
    one = {"overall": overall, "head_to_head": head_to_head, "beats": beats}
    for measure in MEASURES:
        for pair in ranking(totals, measure=measure, level=0.9).pairs:
            i, j = NAMES.index(pair.first), NAMES.index(pair.second)
            expected = one[measure](totals, i, j, level=1 - 0.1 / 3)
            for name in ("estimate", "low", "high", "se", "df", "p", "units"):
                assert getattr(pair.difference, name) == getattr(expected, name)
            assert pair.p_holm >= pair.difference.p


@settings(max_examples=60, deadline=None)
@given(data_sets(), RULES, st.sampled_from(MEASURES), st.sampled_from(["win", "score", "rank"]))
def test_every_ranking_is_consistent(data, rules, measure, outcome):
    (frame, _), (ties, truncated) = data, rules
    totals = bucket_totals([frame], ties=ties, truncated=truncated)
    if totals.appearances.any(axis=0).sum() < 2:
        with pytest.raises(UserError, match="needs at least 2 strategies, but has 0"):
            ranking(totals, outcome, measure)
        return
    found = ranking(totals, outcome, measure)
    means = [row.estimate.estimate for row in found.rows]
    assert means == sorted(means, reverse=outcome != "rank")
    at = {row.name: row.letters for row in found.rows}
    for pair in found.pairs:
        shared = set(at[pair.first]) & set(at[pair.second])
        assert bool(shared) == (pair.verdict == 0)
        assert pair.verdict == 0 or pair.p_holm <= 0.05 + 1e-9
    matrix = found.matrix()
    assert matrix.height == 2 * len(found.pairs)
    both = matrix.join(matrix, left_on=["strategy", "against"], right_on=["against", "strategy"])
    assert (both["verdict"] == -both["verdict_right"]).all()
    sums = (both["difference"] + both["difference_right"]).drop_nulls()
    assert (sums - (1 if measure == "beats" else 0)).abs().max() in (None, pytest.approx(0))


def test_pairs_that_hardly_met_are_not_judged():
    games = [game(i, ["bold", "calm"], [9, 1]) for i in range(40)]
    games += [game(40 + i, ["bold", "greedy"], [9, 1]) for i in range(4)]
    totals = bucket_totals([with_ranks(games_frame(games, NAMES))])
    for measure in MEASURES:
        pairs = ranking(totals, measure=measure).pairs
        found = {frozenset((pair.first, pair.second)): pair for pair in pairs}
        assert found[frozenset(("bold", "calm"))].verdict == 1
        for other in ("bold", "calm"):
            pair = found[frozenset((other, "greedy"))]
            assert (pair.difference.note, pair.difference.p, pair.p_holm) == ("too few", 1, 1)
            assert pair.verdict == 0


def test_a_measure_may_turn_a_pair_round():
    """Bold wins most, but loses to calm whenever they meet."""
    games = [game(i, ["bold", "calm"], [1, 9]) for i in range(10)]
    games += [game(10 + i, ["bold", "greedy"], [9, 1]) for i in range(60)]
    games += [game(70 + i, ["calm", "greedy"], [1, 9]) for i in range(30)]
    totals = bucket_totals([with_ranks(games_frame(games, NAMES))])
    wide, close = ranking(totals), ranking(totals, measure="beats")
    assert (wide.pairs[0].first, wide.pairs[0].verdict) == ("bold", 1)
    row = close.matrix().filter(strategy="bold", against="calm")
    assert row["difference"].item() == 0
    assert row["verdict"].item() == -1
    assert close.pairs[0].p_holm == pytest.approx(2**-9, rel=0.5) or close.pairs[0].p_holm < 0.01


def test_identical_strategies_are_not_told_apart():
    games = [game(i, ["bold", "calm"], [3, 3], [0.5, 0.5]) for i in range(50)]
    found = ranking(bucket_totals([with_ranks(games_frame(games, NAMES))]))
    assert [row.letters for row in found.rows] == ["a", "a"]
    pair = found.pairs[0]
    assert (pair.difference.estimate, pair.p_holm, pair.verdict) == (0, 1, 0)
    assert pair.difference.low == pytest.approx(-pair.difference.high)


def test_notes_and_bounds():
    games = [game(i, ["bold", "calm"], [i % 3, 1]) for i in range(30)]
    games += [
        game(30, ["bold", "bold"], [1, 2]),
        game(31, ["bold", "calm"], [1, 2], None, "truncated"),
    ]
    found = ranking(bucket_totals([with_ranks(games_frame(games, NAMES))]))
    assert found.note == "1 games with one strategy in every seat are left out"
    assert all(low < high for low, high in (row.win_bounds for row in found.rows))
    by_score = ranking(bucket_totals([with_ranks(games_frame(games, NAMES))]), "score")
    assert all(row.win_bounds is None for row in by_score.rows)


def test_slips_get_one_sentence():
    totals = bucket_totals([three(20, np.random.default_rng(1))], pairs=False)
    assert len(ranking(totals).rows) == 3
    with pytest.raises(UserError, match="no measure 'beat'; did you mean beats"):
        ranking(totals, measure="beat")
    with pytest.raises(UserError, match="no outcome 'wins'; did you mean win"):
        ranking(totals, "wins")
    with pytest.raises(UserError, match=r"'beats' needs the pairs"):
        ranking(totals, measure="beats")
    with pytest.raises(UserError, match=r"such as 0\.95"):
        ranking(totals, level=95)
    with pytest.raises(UserError, match="needs at least 2 strategies, but has 0"):
        ranking(Buckets([]))


# --- family-wise error (section 10) --------------------------------------------------------------

STRATEGIES, SEATS = 20, 4
HAND, STYLE, NOISE = 1.0, 0.6, 0.7
FAMILY = [f"s{i:02}" for i in range(STRATEGIES)]
TURNS = (np.arange(SEATS)[:, None] + np.arange(SEATS)) % SEATS


def equal_rounds(rng, rounds):
    """Return rounds of 20 equal strategies: 5 line-ups on one deal, each in 4 rotations."""
    teams = STRATEGIES // SEATS
    order = rng.random((rounds, STRATEGIES)).argsort(axis=1).reshape(rounds, teams, SEATS)
    hand = HAND * rng.standard_normal((rounds, 1, 1, SEATS))
    style = STYLE * rng.standard_normal((rounds, STRATEGIES))
    who = order[:, :, TURNS]
    latent = hand + style[np.arange(rounds)[:, None, None, None], who]
    latent += NOISE * rng.standard_normal(latent.shape)
    score = np.floor(latent / 0.25).astype(np.int32).reshape(-1, SEATS)
    rank = 1 + (score[:, :, None] < score[:, None]).sum(axis=2)
    best = rank == 1
    games = len(score)
    number = np.arange(games, dtype=np.uint64).repeat(SEATS)
    strategy = pl.Series(who.ravel().astype(np.uint8)).cat.to(pl.Enum(FAMILY))
    return pl.DataFrame(
        {
            "game": number,
            "deal": number // np.uint64(teams * SEATS),
            "strategy": strategy,
            "score": score.ravel(),
            "rank": rank.ravel().astype(np.uint8),
            "win": (best / best.sum(axis=1, keepdims=True)).ravel(),
            "end_reason": pl.repeat("finished", games * SEATS, dtype=END, eager=True),
        }
    )


def judged(totals):
    """Return, for each measure, the p values of all pairs and what may be claimed of them."""
    tests = pair_tests(totals)
    if tests is None:
        return judged_by_the_rankings(totals)
    found = {}
    for measure, (away, p) in tests.items():
        found[measure] = p, [verdict for _, verdict in verdicts(p, away, 0.95)]
    return found


def judged_by_the_rankings(totals):
    """Return the same, pair by pair."""
    found = {}
    for measure in MEASURES:
        pairs = {}
        for pair in ranking(totals, measure=measure).pairs:
            if pair.first < pair.second:
                pairs[pair.first, pair.second] = pair.difference.p, pair.verdict
            else:
                pairs[pair.second, pair.first] = pair.difference.p, -pair.verdict
        p, claims = zip(*(pairs[names] for names in sorted(pairs)), strict=True)
        found[measure] = np.array(p), list(claims)
    return found


def false_claims(rounds, replications, seed=2024):
    """Return the percentage of replications with a false claim, and with one uncorrected."""
    rng = np.random.default_rng([seed, rounds])
    found = dict.fromkeys(MEASURES, 0)
    uncorrected = 0
    for _ in range(replications):
        said = judged(bucket_totals([equal_rounds(rng, rounds)]))
        for measure, (_, claims) in said.items():
            found[measure] += any(claims)
        uncorrected += bool((said["beats"][0] <= 0.05).any())
    return [100 * count / replications for count in (*found.values(), uncorrected)]


@pytest.mark.parametrize(
    ("rounds", "replications"),
    [(100, 8), *(pytest.param(r, 50, marks=pytest.mark.validate) for r in (100, 400, 2000))],
)
def test_all_pairs_at_once_are_the_rankings(rounds, replications):
    """What the figures below rest on; with more deals than buckets some buckets hold two deals."""
    rng = np.random.default_rng([2024, rounds])
    at_once = 0
    for _ in range(replications):
        totals = bucket_totals([equal_rounds(rng, rounds)])
        at_once += pair_tests(totals) is not None
        expected = judged_by_the_rankings(totals)
        for measure, (p, claims) in judged(totals).items():
            np.testing.assert_allclose(p, expected[measure][0], rtol=1e-12)
            assert claims == expected[measure][1]
    assert at_once > replications / 2


@pytest.mark.validate
@pytest.mark.parametrize(("rounds", "replications"), [(100, 4000), (400, 4000), (2000, 1000)])
def test_holm_makes_few_false_claims_at_full_numbers(rounds, replications):
    *found, uncorrected = false_claims(rounds, replications)
    print(f"Holm, {rounds} rounds: {dict(zip(MEASURES, found, strict=True))}, {uncorrected}")
    assert max(found) <= 6.0
    assert uncorrected > 99


def test_holm_makes_few_false_claims_in_short():
    *found, uncorrected = false_claims(100, 100)
    assert max(found) <= 13
    assert uncorrected > 90
