"""Ratings: published vectors, the likelihood by hand, choix, and the coverage of section 10."""

from __future__ import annotations

import itertools
import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from simlab.analysis.luce import Model, expected_points, fit
from simlab.analysis.ranking import verdicts
from simlab.analysis.rating import rating
from simlab.analysis.stages import stage_totals
from simlab.errors import UserError
from tests.analysis.test_tables import END

SIX_DIGITS = {"abs": 5.1e-7, "rel": 0}
XYZ = ("x", "y", "z")


def ranked_frame(games, names=XYZ, deals=None):
    """Return the rows of games given as (items, ranks), each its own deal by default."""
    rows = [
        (number, number if deals is None else deals[number], names[item], -rank, rank, rank == 1)
        for number, (items, ranks) in enumerate(games)
        for item, rank in zip(items, ranks, strict=True)
    ]
    schema = {"game": pl.UInt64, "deal": pl.UInt64, "strategy": pl.Enum(names)}
    schema |= {"score": pl.Int32, "rank": pl.UInt8, "win": pl.Float64}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    return frame.with_columns(end_reason=pl.lit("finished", dtype=END))


def stages_of(games, names=XYZ, deals=None):
    return stage_totals([ranked_frame(games, names, deals)])


STRICT = [
    *[((0, 1, 2), (1, 2, 3))] * 3,
    *[((1, 0, 2), (1, 2, 3))] * 2,
    ((2, 1, 0), (1, 2, 3)),
    *[((2, 0, 1), (1, 2, 3))] * 2,
]
OF_THREE = [(1, 2, 3), (1, 1, 3), (2, 1, 2), (3, 1, 2), (1, 2, 2), (1, 3, 2), (2, 3, 1)]
TIED = [
    *[((0, 1, 2), ranks) for ranks in OF_THREE],
    ((0, 1), (1, 2)),
    ((0, 2), (1, 1)),
    ((1, 2), (2, 1)),
]


def by_name(found):
    return {row.name: row for row in found.rows}


# --- vectors -------------------------------------------------------------------------------------


def test_strict_rankings_v9():
    found = by_name(rating(stages_of(STRICT), pseudo=0))
    theta = [found[name].theta.estimate for name in XYZ]
    assert theta == pytest.approx([0.433336, 0.112383, -0.545719], **SIX_DIGITS)
    sandwich = [found[name].theta.se for name in XYZ]
    assert sandwich == pytest.approx([0.371212, 0.360967, 0.571560], **SIX_DIGITS)
    by_model = [found[name].model_se for name in XYZ]
    assert by_model == pytest.approx([0.384693, 0.377942, 0.444924], **SIX_DIGITS)


def test_rankings_with_ties_v9():
    whole = rating(stages_of(TIED), pseudo=0)
    found = by_name(whole)
    theta = [found[name].theta.estimate for name in XYZ]
    assert theta == pytest.approx([0.513779, -0.426442, -0.087337], **SIX_DIGITS)
    sandwich = [found[name].theta.se for name in XYZ]
    assert sandwich == pytest.approx([0.525576, 0.540320, 0.393056], **SIX_DIGITS)
    assert whole.ties[2].estimate == pytest.approx(-0.686171, **SIX_DIGITS)
    assert whole.ties[2].se == pytest.approx(0.600622, **SIX_DIGITS)
    assert whole.ties[2].games == 4
    assert whole.log_likelihood == pytest.approx(-20.825155, **SIX_DIGITS)
    assert [row.name for row in whole.rows] == ["x", "z", "y"]


def test_the_ghost_v9():
    whole = rating(stages_of(TIED))
    found = by_name(whole)
    theta = [found[name].theta.estimate for name in XYZ]
    assert theta == pytest.approx([0.476376, -0.393072, -0.083304], **SIX_DIGITS)
    assert whole.ties[2].estimate == pytest.approx(-0.693533, **SIX_DIGITS)
    assert whole.pseudo == 0.5
    assert whole.log_likelihood < -20.825155


# --- the likelihood by hand ----------------------------------------------------------------------


@st.composite
def rankings(draw):
    """Return games of 2 to 4 seats of 4 strategies, some held twice, with ties."""
    games = []
    for _ in range(draw(st.integers(1, 6))):
        seats = draw(st.integers(2, 4))
        items = draw(st.lists(st.integers(0, 3), min_size=seats, max_size=seats))
        if len(set(items)) == 1:
            items[0] = (items[0] + 1) % 4
        places = draw(st.lists(st.integers(1, 3), min_size=seats, max_size=seats))
        ranks = [1 + sum(other < place for other in places) for place in places]
        games.append((tuple(items), tuple(ranks)))
    return games


def model_of(games, pseudo=0.0, names=("w", "x", "y", "z")):
    stages = stages_of(games, names)
    return Model(stages.remaining(), stages.chosen, stages.ties, pseudo)


def stage_log(theta, delta, remaining, chosen):
    """Return the log probability that these seats are next among those that remain."""

    def log_weight(seats):
        return delta[len(seats)] + sum(theta[item] for item in seats) / len(seats)

    options = [
        math.exp(log_weight(seats))
        for size in delta
        for seats in itertools.combinations(remaining, size)
    ]
    return log_weight(chosen) - math.log(math.fsum(options))


def by_hand(games, theta, delta, pseudo):
    """Return the log likelihood, one stage at a time."""
    found = 0.0
    for items, ranks in games:
        left = sorted(zip(ranks, items, strict=True))
        while len(left) > 1:
            chosen = [item for rank, item in left if rank == left[0][0]]
            found += stage_log(theta, delta, [item for _, item in left], chosen)
            left = left[len(chosen) :]
    return found + sum(
        pseudo * (stage_log([t, 0], {1: 0}, [0, 1], [0]) + stage_log([t, 0], {1: 0}, [0, 1], [1]))
        for t in theta
    )


@settings(max_examples=60, deadline=None)
@given(rankings(), st.sampled_from([0, 0.5]), st.integers(0, 99))
def test_likelihood_and_its_derivatives_by_hand(games, pseudo, seed):
    model = model_of(games, pseudo)
    at = np.random.default_rng(seed).normal(size=model.parameters)
    delta = dict(zip(model.sizes, [0, *at[4:]], strict=True))
    value, gradient = model.log_likelihood(at)
    assert value == pytest.approx(by_hand(games, at[:4], delta, pseudo))
    numeric = optimize.approx_fprime(at, lambda x: model.log_likelihood(x)[0], 1e-6)
    assert gradient == pytest.approx(numeric, abs=1e-4)
    second = optimize.approx_fprime(at, lambda x: model.log_likelihood(x)[1], 1e-6)
    np.testing.assert_allclose(model.information(at), -second, atol=1e-4)
    ghost = pseudo * np.tanh(at[:4] / 2)
    scores = model.scores(at)
    np.testing.assert_allclose(scores.sum(axis=0)[:4] - ghost, gradient[:4], atol=1e-9)
    np.testing.assert_allclose(scores.sum(axis=0)[4:], gradient[4:], atol=1e-9)
    assert (np.flatnonzero(scores.any(axis=1)) < len(games)).all()


def all_rankings(items, theta, delta):
    """Yield the places of all rankings of these seats with their probabilities."""

    def go(left, place):
        if len(left) < 2:
            yield [(seat, place) for seat in left], 1.0
            return
        for size in delta:
            for chosen in itertools.combinations(left, size):
                chance = math.exp(
                    stage_log(theta, delta, [items[s] for s in left], [items[s] for s in chosen])
                )
                rest = [seat for seat in left if seat not in chosen]
                for places, later in go(rest, place + 1):
                    yield [*((seat, place) for seat in chosen), *places], chance * later

    for places, chance in go(list(range(len(items))), 0):
        yield dict(places), chance


@settings(max_examples=30, deadline=None)
@given(rankings(), st.integers(0, 99))
def test_expected_points_by_going_through_all_rankings(games, seed):
    model = model_of(games)
    at = np.random.default_rng(seed).normal(size=model.parameters)
    delta = dict(zip(model.sizes, [0, *at[4:]], strict=True))
    points, pairs = np.zeros((2, 4, 4))
    for items, _ in games:
        total = 0.0
        for places, chance in all_rankings(items, at[:4], delta):
            total += chance
            for a, b in itertools.permutations(range(len(items)), 2):
                better = (places[a] < places[b]) + (places[a] == places[b]) / 2
                points[items[a], items[b]] += chance * better
        assert total == pytest.approx(1)
        for a, b in itertools.permutations(items, 2):
            pairs[a, b] += 1
    off = ~np.eye(4, dtype=bool)
    found_points, found_pairs = expected_points(model, at)
    np.testing.assert_allclose(found_points, points * off, atol=1e-9)
    np.testing.assert_allclose(found_pairs, pairs * off, atol=1e-9)


# --- choix ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_strict_rankings_agree_with_choix(seed):
    choix = pytest.importorskip("choix")
    rng = np.random.default_rng(seed)
    names = tuple(f"s{i}" for i in range(6))
    skill = rng.normal(size=6)
    orders = []
    for _ in range(300):
        items = rng.permutation(6)[: rng.integers(2, 6)]
        latent = skill[items] + rng.gumbel(size=len(items))
        orders.append(tuple(int(item) for item in items[np.argsort(-latent)]))
    games = [(order, tuple(range(1, len(order) + 1))) for order in orders]
    found = by_name(rating(stages_of(games, names), pseudo=0))
    theirs = choix.ilsr_rankings(6, orders, alpha=0.0, tol=1e-12)
    theta = [found[name].theta.estimate for name in names]
    assert theta == pytest.approx(theirs - theirs.mean(), abs=1e-6)


# --- ratings -------------------------------------------------------------------------------------


def gumbel_games(rng, blocks, skill, style=0.8, grid=0.5, games=3):
    """Return items and ranks [games, 3] of blocks of games that share line-up and styles."""
    k = len(skill)
    items = rng.random((blocks, 1, k)).argsort(axis=2)[:, :, :3]
    styles = style * rng.standard_normal((blocks, k)) + skill
    latent = np.take_along_axis(styles[:, None], items, axis=2)
    latent = latent + rng.gumbel(size=(blocks, games, 3))
    score = np.floor(latent / grid).reshape(-1, 3).astype(np.int32)
    ranks = 1 + (score[:, :, None] < score[:, None]).sum(axis=2)
    return np.broadcast_to(items, latent.shape).reshape(-1, 3), score, ranks


FIELD = tuple("abcde")
SKILL = np.array([0.6, 0.3, 0, -0.3, -0.6])


def block_frame(items, score, ranks, names=FIELD, games=3):
    """Return the rows of such games, a block being one deal."""
    rows = items.size
    number = np.arange(rows, dtype=np.uint64)
    best = ranks == 1
    return pl.DataFrame(
        {
            "game": number // np.uint64(3),
            "deal": number // np.uint64(3 * games),
            "strategy": pl.Series(items.ravel().astype(np.uint8)).cat.to(pl.Enum(names)),
            "score": score.ravel(),
            "rank": ranks.ravel().astype(np.uint8),
            "win": (best / best.sum(axis=1, keepdims=True)).ravel(),
            "end_reason": pl.repeat("finished", rows, dtype=END, eager=True),
        }
    )


def test_a_clear_rating():
    found = rating(stage_totals([block_frame(*gumbel_games(np.random.default_rng(1), 900, SKILL))]))
    assert [row.name for row in found.rows] == list(FIELD)
    thetas = [row.theta.estimate for row in found.rows]
    assert sum(thetas) == pytest.approx(0, abs=1e-9)
    assert thetas == sorted(thetas, reverse=True)
    assert found.rows[0].letters == "a"
    assert len(found.pairs) == 10
    assert np.allclose(found.covariance.sum(axis=0), 0)
    for pair in found.pairs:
        i, j = FIELD.index(pair.first), FIELD.index(pair.second)
        difference, c = pair.difference, found.covariance
        assert difference.estimate == pytest.approx(thetas[i] - thetas[j])
        assert difference.se == pytest.approx(math.sqrt(c[i, i] + c[j, j] - 2 * c[i, j]))
        assert difference.correction == "Bonferroni, 10 pairs"
        shared = set(found.rows[i].letters) & set(found.rows[j].letters)
        assert bool(shared) == (pair.verdict == 0)
    matrix = found.matrix()
    assert matrix.height == 20
    assert matrix["difference"].sum() == pytest.approx(0)
    adjusted = verdicts([p.difference.p for p in found.pairs], [1.0] * 10, 0.95)
    assert [pair.p_holm for pair in found.pairs] == [p for p, _ in adjusted]
    assert found.fit.message is None
    assert found.note is None


def test_the_rating_does_not_depend_on_the_order_of_strategies():
    items, score, ranks = gumbel_games(np.random.default_rng(2), 60, SKILL)
    one = rating(stage_totals([block_frame(items, score, ranks)]))
    turned = rating(stage_totals([block_frame(4 - items, score, ranks, FIELD[::-1])]))
    for row, other in zip(one.rows, turned.rows, strict=True):
        assert row.name == other.name
        assert row.theta.estimate == pytest.approx(other.theta.estimate, abs=1e-10)
        assert row.theta.se == pytest.approx(other.theta.se)


def test_common_deals_make_the_sandwich_wider():
    frame = block_frame(*gumbel_games(np.random.default_rng(3), 300, SKILL, style=3))
    for row in rating(stage_totals([frame])).rows:
        assert row.theta.se > 1.2 * row.model_se


def cycle(rng, games):
    """Return games in which x beats y, y beats z and z beats x, three times in four."""
    found = []
    for number in range(games):
        first, second = number % 3, (number + 1) % 3
        ranks = (1, 2) if rng.random() < 0.75 else (2, 1)
        found.append(((first, second), ranks))
    return found


def test_a_cycle_is_not_one_number_per_strategy():
    found = rating(stages_of(cycle(np.random.default_rng(1), 600)))
    assert abs(found.fit.z) > found.fit.point
    assert abs(found.fit.observed - 0.75) < 0.1 or abs(found.fit.observed - 0.25) < 0.1
    assert found.fit.fitted == pytest.approx(0.5, abs=0.05)
    assert found.fit.message.startswith("one number per strategy does not describe this field: ")
    assert "%" in found.fit.message


def test_a_field_of_one_number_seldom_fails_the_check():
    rng = np.random.default_rng(8)
    failed = 0
    for _ in range(40):
        frame = block_frame(*gumbel_games(rng, 100, SKILL, style=0, grid=0.01, games=1), games=1)
        failed += rating(stage_totals([frame])).fit.message is not None
    assert failed <= 5


def test_a_strategy_that_never_loses_is_finite_with_the_ghost_alone():
    games = [((0, 1), (1, 2)), ((0, 2), (1, 2))] * 5 + [((1, 2), (1, 2)), ((2, 1), (1, 2))] * 4
    found = rating(stages_of(games))
    assert found.rows[0].name == "x"
    assert 1 < found.rows[0].theta.estimate < 5
    with pytest.raises(UserError, match=r"some strategies always come before .* pseudo=0\.5"):
        rating(stages_of(games), pseudo=0)


def test_those_that_never_met_are_named():
    names = ("v", "w", "x", "y")
    games = [((0, 1), (1, 2)), ((1, 0), (1, 2)), ((2, 3), (1, 2)), ((3, 2), (1, 2))] * 3
    found = rating(stages_of(games, names))
    assert found.note == "v and x never met, even through others: compare only within each part"
    with pytest.raises(UserError, match="v and x never met, even through others"):
        rating(stages_of(games, names), pseudo=0)


def test_only_ties_have_no_rating():
    with pytest.raises(UserError, match="ties of 2 seats occur wherever they can"):
        rating(stages_of([((0, 1), (1, 1))] * 9))


def test_strategies_that_do_not_play_are_left_out():
    found = rating(stages_of([((0, 2), (1, 2)), ((2, 0), (1, 2))] * 4))
    assert [row.name for row in found.rows] == ["x", "z"]
    assert [row.theta.estimate for row in found.rows] == pytest.approx([0, 0], abs=1e-12)
    assert found.pairs[0].verdict == 0
    assert [row.theta.games for row in found.rows] == [8, 8]


def test_one_unit_has_no_interval():
    games = [((0, 1), (1, 2)), ((1, 0), (1, 2)), ((0, 1), (1, 2))]
    found = rating(stages_of(games, deals=[7, 7, 7]))
    assert found.rows[0].theta.low is None
    assert found.rows[0].theta.note == "one unit"
    assert found.pairs[0].p_holm == 1
    assert found.fit is None


def test_newton_ends_at_the_top():
    model = model_of([((0, 1, 2, 3), (1, 2, 2, 4)), ((3, 2, 1, 0), (1, 2, 3, 4))] * 3, 0.5)
    at = fit(model)
    assert np.abs(model.log_likelihood(at)[1]).max() < 1e-11


def test_slips_get_one_sentence():
    with pytest.raises(UserError, match=r"pseudo must be at least 0, such as 0\.5, but is -1"):
        rating(stages_of(STRICT), pseudo=-1)
    with pytest.raises(UserError, match=r"such as 0\.95"):
        rating(stages_of(STRICT), level=95)
    with pytest.raises(UserError, match="needs at least 2 strategies, but has 0"):
        rating(stages_of([]))


# --- coverage (section 10) -----------------------------------------------------------------------


def true_thetas():
    """Return what very many blocks of the model are rated."""
    stages = stage_totals([block_frame(*gumbel_games(np.random.default_rng(99), 150_000, SKILL))])
    return np.array([by_name(rating(stages))[name].theta.estimate for name in FIELD])


def coverage(replications, seed=2024):
    """Return the percentages covered: sandwich, differences of pairs, model-based."""
    truth, rng = true_thetas(), np.random.default_rng(seed)
    hits = np.zeros(3)
    for _ in range(replications):
        frame = block_frame(*gumbel_games(rng, 200, SKILL))
        found = rating(stage_totals([frame]))
        t = (found.rows[0].theta.high - found.rows[0].theta.estimate) / found.rows[0].theta.se
        for row in found.rows:
            away = abs(row.theta.estimate - truth[FIELD.index(row.name)])
            hits += np.array([away <= t * row.theta.se, 0, away <= t * row.model_se]) / 5
        for pair in found.pairs:
            expected = truth[FIELD.index(pair.first)] - truth[FIELD.index(pair.second)]
            away = abs(pair.difference.estimate - expected)
            hits[1] += (away <= t * pair.difference.se) / 10
    return 100 * hits / replications


@pytest.mark.validate
def test_ratings_cover_at_full_numbers():
    sandwich, pairs, by_model = coverage(400)
    print(f"rating: sandwich {sandwich:.1f}, pairs {pairs:.1f}, model-based {by_model:.1f} %")
    assert 92.5 <= sandwich <= 96.5
    assert 92.5 <= pairs <= 96.5
    assert by_model < 91


def test_ratings_cover_in_short():
    sandwich, pairs, by_model = coverage(60)
    assert 89 <= sandwich <= 99
    assert 89 <= pairs <= 99
    assert by_model < sandwich
