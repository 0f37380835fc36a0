"""Whether all seats win alike: against statsmodels, the test vector, and equal seats."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import simlab
from simlab.analysis.estimates import share
from simlab.analysis.seats import SeatSums, hotelling, p_of_share, seats_alike
from simlab.analysis.sums import UnitSums
from simlab.analysis.tables import run_table
from simlab.errors import UserError
from simlab.reporting.tables import _seats_alike
from tests.analysis.test_tables import game, games_frame, split

V19 = [
    (0.5, 0.25, 0.25, 0), (0.25, 0.25, 0.5, 0), (0.5, 0, 0.25, 0.25),
    (0.25, 0.5, 0, 0.25), (0.75, 0.25, 0, 0), (0.25, 0.25, 0.25, 0.25),
]  # fmt: skip


def sums_of(shares, games=4, parts=1):
    """Return the sums of the seats' shares, [U, n], in deals of so many games."""
    sums = SeatSums()
    for part in np.array_split(np.asarray(shares, float).T, parts, axis=1):
        sums.add(np.full(part.shape, games), part * games)
    return sums


def shares_of(shares, games=4):
    """Return the win share of each seat."""
    found = []
    for seat in np.asarray(shares, float).T:
        sums = UnitSums()
        sums.add(np.full(len(seat), games), seat * games)
        found.append(share(sums))
    return found


def alike(shares, games=4, **how):
    return seats_alike(sums_of(shares, games), shares_of(shares, games), **how)


def races(rng, chances, units):
    """Return single games with one winner each, as shares [U, n]."""
    return np.eye(len(chances))[rng.choice(len(chances), units, p=chances)]


# --- equal to what they should be ----------------------------------------------------------------


@pytest.mark.parametrize("parts", [1, 2, 6])
def test_hotelling_v19(parts):
    found = hotelling(sums_of(V19, parts=parts))
    assert found.t2 == pytest.approx(6.538462, abs=5e-7)
    assert found.statistic == pytest.approx(1.307692, abs=5e-7)
    assert found.df == (3, 3)
    assert found.p == pytest.approx(0.415370, abs=5e-7)


@pytest.mark.parametrize(("seats", "units"), [(3, 40), (4, 300), (5, 2000)])
def test_hotelling_is_that_of_statsmodels(seats, units):
    from statsmodels.stats.multivariate import test_mvmean as reference

    rng = np.random.default_rng(seats)
    shares = rng.dirichlet(np.arange(1, seats + 1), units)
    found = hotelling(sums_of(shares, parts=7))
    for left in ([*range(seats - 1)], [*range(1, seats)]):  # whichever seat is left out
        expected = reference(shares[:, left], np.full(seats - 1, 1 / seats))
        assert found.t2 == pytest.approx(expected.t2, rel=1e-9)
        assert found.statistic == pytest.approx(expected.statistic, rel=1e-9)
        assert found.df == expected.df
        assert found.p == pytest.approx(expected.pvalue, rel=1e-7, abs=1e-300)


def test_two_seats_are_a_t_test():
    shares = np.random.default_rng(2).dirichlet([2, 3], 60)
    found, expected = hotelling(sums_of(shares)), stats.ttest_1samp(shares[:, 0], 0.5)
    assert found.statistic == pytest.approx(expected.statistic**2, rel=1e-9)
    assert found.p == pytest.approx(expected.pvalue, rel=1e-9)


def test_merged_sums_are_those_of_all_deals():
    shares = np.random.default_rng(1).dirichlet([1, 2, 3], 50)
    sums, rest = sums_of(shares[:20]), sums_of(shares[20:])
    sums.merge(rest)
    sums.merge(SeatSums())
    empty = SeatSums()
    empty.merge(sums)
    for found in (sums, empty):
        assert (found.units, found.games) == (50, 200)
        assert hotelling(found).t2 == pytest.approx(hotelling(sums_of(shares)).t2, rel=1e-12)
    sums.merge(sums_of(V19))
    assert not sums.complete


@settings(max_examples=70, deadline=None)
@given(
    st.lists(st.sampled_from([0, 0, 0.25, 0.5, 1]), min_size=2, max_size=30),
    st.sampled_from([0.25, 0.5, 1 / 3]),
    st.sampled_from([0.5, 0.8, 0.95, 0.999]),
)
def test_a_p_value_says_what_the_interval_says(wins, value, level):
    sums = UnitSums()
    sums.add(np.ones(len(wins), np.int64), np.array(wins, float))
    found = share(sums, level)
    p = p_of_share(found, value)
    if abs(p - (1 - level)) > 1e-9:
        assert (p > 1 - level) == (found.low <= value <= found.high)


# --- edges ---------------------------------------------------------------------------------------


def test_a_seat_that_always_or_never_wins():
    always = alike([[1, 0, 0]] * 200, games=1)
    assert (always.statistic, always.df, always.note) == (None, None, "shares that do not vary")
    assert always.p == min(always.p_seats) == pytest.approx(3 * 2 * 3.0**-200)
    assert always.differ
    never = np.random.default_rng(1).permutation([[1, 0, 0]] * 100 + [[0, 1, 0]] * 100)
    found = alike(never, games=1)
    assert found.statistic is None
    assert found.p == found.p_seats[2] == pytest.approx(6 * (2 / 3) ** 200)
    assert found.correction == "Holm, 3 seats"


def test_shares_without_variation_at_the_equal_share():
    found = alike([[1 / 3] * 3] * 500, games=1)
    assert (found.p, found.differ) == (1, False)


def test_few_deals():
    one = alike([[1, 0, 0]], games=1)
    assert (one.p, one.differ, one.note) == (None, False, "one unit")
    few = alike(V19)
    assert (few.p, few.statistic) == (min(few.p_seats), None)
    assert few.note == "fewer than 30 deals for each seat"
    assert seats_alike(SeatSums(), []) is None


def test_one_winner_in_many_games_is_no_rounding():
    shares = np.zeros((10**5, 3))
    shares[:, 0], shares[::2, 0], shares[::2, 1] = 1, 0, 1
    shares[7] = 0, 0, 1
    assert hotelling(sums_of(shares, games=1, parts=9)) is not None
    shares[7] = 1, 0, 0
    assert hotelling(sums_of(shares, games=1, parts=9)) is None
    assert hotelling(sums_of(np.tile([0.7, 0.1, 0.2], (10**5, 1)), games=3, parts=9)) is None


def test_the_level_is_checked_and_decides():
    shares = races(np.random.default_rng(3), [0.29, 0.25, 0.23, 0.23], 1000)
    found = alike(shares, games=1)
    assert 0.001 < found.p < 0.05
    assert found.differ
    assert not alike(shares, games=1, level=0.999).differ
    with pytest.raises(UserError, match=r"such as 0\.95"):
        alike(V19, level=95)


# --- in the table --------------------------------------------------------------------------------


def table_of(shares, who=("bold", "calm", "greedy"), **how):
    scores = [[int(6 * x) for x in won] for won in shares]
    frame = games_frame([game(i, who[: len(s)], s) for i, s in enumerate(scores)])
    return run_table(split(frame, [len(shares) // 3]), how.pop("by", "seat"), **how)


def test_the_table_by_seat_holds_the_test():
    shares = races(np.random.default_rng(4), [0.5, 0.3, 0.2], 300)
    table, expected = table_of(shares), alike(shares, games=1)
    assert table.alike.statistic == pytest.approx(expected.statistic, rel=1e-12)
    assert table.alike.p_seats == pytest.approx(expected.p_seats, rel=1e-9)
    assert (table.alike.units, table.alike.games) == (300, 300)
    assert table_of(shares, by="strategy").alike is None
    assert table_of(shares, ties="win").alike is None
    assert table_of([[1, 0], [1, 0, 0]]).alike is None


def test_games_left_out_are_left_out_of_the_test():
    shares = races(np.random.default_rng(5), [0.5, 0.3, 0.2], 400)
    ends = ["truncated" if i % 4 == 0 else "finished" for i in range(400)]
    games = [
        game(i // 2, ["bold"] * 3, [int(x) for x in won], end=end)
        for i, (won, end) in enumerate(zip(shares, ends, strict=True))
    ]
    found = run_table([games_frame(games)], "seat", truncated="none").alike
    left = np.array(ends) == "finished"
    whole = np.add.reduceat(shares * left[:, None], range(0, 400, 2))
    counted = np.add.reduceat(left, range(0, 400, 2))
    of_all = hotelling(sums_of(whole / counted[:, None], games=1))
    assert found.statistic == pytest.approx(of_all.statistic, rel=1e-12)
    assert (found.units, found.games) == (200, 300)


def line(table, line_up=("bold", "calm", "greedy"), seats="rotate"):
    spec = {"seats": seats, "line_up": list(line_up)}
    return _seats_alike(SimpleNamespace(file=SimpleNamespace(spec=spec)), table)


def test_the_line_below_the_table():
    rng = np.random.default_rng(6)
    uneven, even = races(rng, [0.4, 0.35, 0.25], 1000), races(rng, [1 / 3] * 3, 1000)
    table = table_of(uneven)
    win, f = table.rows[2].win, table.alike.statistic
    assert line(table) == [
        f"All seats alike? F(2, 998) = {f:.1f}, p < 0.0001: no; seat 2 wins "
        f"{100 * win.estimate:.2f} % [{100 * win.low:.2f}, {100 * win.high:.2f}] against 33.33 %."
    ]
    table = table_of(even)
    f, p = table.alike.statistic, table.alike.p
    assert line(table) == [
        f"All seats alike? F(2, 998) = {f:.1f}, p = {p:.2g}: no difference shown."
    ]
    assert line(table, seats="fixed") == []
    assert line(table, ["bold"] * 3, "fixed") == line(table)


def test_the_line_where_no_seat_stands_out_and_where_there_are_few_deals():
    shares = [[1, 0, 0]] * 367 + [[0, 1, 0]] * 333 + [[0, 0, 1]] * 300
    assert line(table_of(shares))[0].startswith(
        "All seats alike? F(2, 998) = 3.4, p = 0.034: no, though no seat by itself stands out; "
        "seat 0 wins 36.70 % ["
    )
    assert line(table_of([[1, 0, 0]] * 20)) == [
        "All seats alike? p < 0.0001 (each seat by itself, Holm, 3 seats): no; seat 0 wins "
        "100.00 % [83.16, 100.00] against 33.33 %."
    ]
    assert line(table_of([[1, 0, 0]])) == ["All seats alike? One deal cannot say."]


def test_the_line_of_a_run(tmp_path):
    line_up = ["risk_limit", "threshold(gems=12)", "random"]
    for seats, said in (("rotate", 1), ("fixed", 0)):
        run = simlab.run("diamant", 3, 300, line_up, seats=seats, out=tmp_path / seats)
        by = {name: run.table(name).lines for name in ("seat", "strategy")}
        lines = {name: [x for x in lines if "All seats alike?" in x] for name, lines in by.items()}
        assert (len(lines["seat"]), len(lines["strategy"])) == (said, 0)
    rows = simlab.load(tmp_path / "rotate").scan().select("win").collect()
    from statsmodels.stats.multivariate import test_mvmean as reference

    expected = reference(rows["win"].to_numpy().reshape(-1, 3)[:, :2], [1 / 3, 1 / 3])
    found = simlab.load(tmp_path / "rotate").table("seat").table.alike
    assert found.p == pytest.approx(expected.pvalue)


# --- how often equal seats are said to differ ----------------------------------------------------


def false_claims(seats, units, replications):
    rng = np.random.default_rng([19, seats, units])
    equal = [1 / seats] * seats
    claims = [alike(races(rng, equal, units), games=1).differ for _ in range(replications)]
    return 100 * np.mean(claims)


@pytest.mark.validate
@pytest.mark.parametrize("seats", [2, 4, 8])
@pytest.mark.parametrize("per_seat", [5, 29, 30, 100])
def test_equal_seats_are_seldom_said_to_differ_at_full_numbers(seats, per_seat):
    measured = false_claims(seats, per_seat * seats, 4000)
    print(f"{seats} seats alike, {per_seat} deals a seat: {measured:.2f} % claimed to differ")
    assert measured <= 7.5


def test_equal_seats_are_seldom_said_to_differ_in_short():
    assert false_claims(4, 400, 200) <= 9
    assert false_claims(8, 40, 200) <= 9


def test_unequal_seats_are_found_as_often_as_they_should_be():
    """Against the power of a chi-square test, which Hotelling's is for many deals."""
    rng, chances = np.random.default_rng(20), np.array([0.29, 0.25, 0.25, 0.21])
    found = np.mean([alike(races(rng, chances, 800), games=1).differ for _ in range(150)])
    effect = 800 * ((chances - 0.25) ** 2 / 0.25).sum()
    power = stats.ncx2.sf(stats.chi2.ppf(0.95, 3), 3, effect)
    assert found == pytest.approx(power, abs=0.1)
