"""The table of a run against a slow twin, hand-made games, and the unit that must be the deal."""

from __future__ import annotations

import math
import statistics
import tracemalloc
from collections import defaultdict
from fractions import Fraction
from itertools import groupby, pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from simlab.analysis import tables
from simlab.analysis.estimates import mean, share
from simlab.analysis.sums import UnitSums
from simlab.analysis.tables import columns_needed, run_table, table_frame
from simlab.errors import UserError

NAMES = ["greedy", "bold", "calm"]
END = pl.Enum(["finished", "truncated", "stalemate"])


def games_frame(games, names=NAMES):
    """Return the rows of games given as (deal, strategies, scores, wins, end_reason, more)."""
    rows = [
        (number, deal, seat, who[seat], scores[seat], won[seat], end, more)
        for number, (deal, who, scores, won, end, more) in enumerate(games)
        for seat in range(len(who))
    ]
    schema = {
        "game": pl.UInt64,
        "deal": pl.UInt64,
        "seat": pl.UInt8,
        "strategy": pl.Enum(names),
        "score": pl.Int32,
        "win": pl.Float64,
        "end_reason": END,
        "rounds": pl.Int16,
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def game(deal, who, scores, won=None, end="finished", more=1):
    """Return one game; by default the first of the top scores has won."""
    first = scores.index(max(scores))
    return deal, who, scores, won or [float(i == first) for i in range(len(who))], end, more


# --- a slow twin -------------------------------------------------------------------------------


def twin_wins(rows, ties, truncated):
    """Return what each row of one game counts as a win, from the words of the rules."""
    if truncated == "split" and rows[0]["end_reason"] == "truncated":
        return [1 / len(rows)] * len(rows)
    if ties == "ordinal":
        return [row["win"] for row in rows]
    best = max(row["score"] for row in rows)
    tied = sum(row["score"] == best for row in rows)
    each = 1 if ties == "win" else 1 / tied
    return [each if row["score"] == best else 0 for row in rows]


def twin(frame, by, ties, truncated):
    """Return value -> (rows counted, unit totals of win and score), one game at a time."""
    found = defaultdict(lambda: ([], defaultdict(lambda: [0, 0.0, 0])))
    for _, game_rows in groupby(frame.iter_rows(named=True), key=lambda row: row["game"]):
        rows = list(game_rows)
        if truncated == "none" and rows[0]["end_reason"] == "truncated":
            continue
        for row, won in zip(rows, twin_wins(rows, ties, truncated), strict=True):
            scores, units = found[row[by]]
            scores.append(row["score"])
            unit = units[row["deal"]]
            unit[0] += 1
            unit[1] += won
            unit[2] += row["score"]
    return found


def assert_equals_twin(table, frame, by, ties, truncated):
    expected = twin(frame, by, ties, truncated)
    assert {row.value for row in table.rows if row.games} == set(expected)
    for row in table.rows:
        scores, units = expected.get(row.value, ([], {}))
        a, won, score = (np.array([unit[i] for unit in units.values()]) for i in range(3))
        assert row.games == row.win.games == len(scores)
        sd = statistics.stdev(scores) if len(scores) > 1 else None
        assert row.score_sd == (sd if sd is None else pytest.approx(sd, rel=1e-12, abs=1e-12))
        for found, estimator, outcome in ((row.win, share, won), (row.score, mean, score)):
            sums = UnitSums()
            if len(a):
                sums.add(a, outcome.astype(float))
            assert_same_estimate(found, estimator(sums))


def assert_same_estimate(found, expected):
    assert (found.units, found.games) == (expected.units, expected.games)
    assert (found.note, found.method) == (expected.note, expected.method)
    for name in ("estimate", "low", "high", "se", "df"):
        here, there = getattr(found, name), getattr(expected, name)
        assert (here is None) == (there is None)
        if here is not None:
            assert here == pytest.approx(there, rel=1e-12, abs=1e-12)


@st.composite
def data_sets(draw, most_deals=12):
    """Return games of 2 to 4 seats, several to a deal, and the first games of the frames."""
    games, cuts = [], []
    for deal in range(draw(st.integers(1, most_deals))):
        if draw(st.booleans()):
            cuts.append(len(games))
        for _ in range(draw(st.integers(1, 3))):
            seats = draw(st.integers(2, 4))
            who = draw(st.lists(st.sampled_from(NAMES), min_size=seats, max_size=seats))
            scores = draw(st.lists(st.integers(-2, 3), min_size=seats, max_size=seats))
            winners = draw(st.sets(st.integers(0, seats - 1), min_size=1))
            won = [(seat in winners) / len(winners) for seat in range(seats)]
            end = draw(st.sampled_from(["finished", "finished", "truncated", "stalemate"]))
            games.append((deal * 7, who, scores, won, end, draw(st.integers(3, 5))))
    return games_frame(games), cuts


def split(frame, first_games):
    """Return the frame in pieces that begin at these games."""
    edges = [0, *first_games, 10**9]
    return [
        frame.filter(pl.col("game").is_between(low, high, closed="left"))
        for low, high in pairwise(edges)
    ]


RULES = st.tuples(
    st.sampled_from(["strategy", "seat", "rounds", "end_reason"]),
    st.sampled_from(["ordinal", "share", "win"]),
    st.sampled_from(["score", "split", "none"]),
)


@settings(max_examples=100, deadline=None)
@given(data_sets(), RULES, st.sampled_from([1, 5, 2**17]), st.sampled_from([1, 9, 2**18]))
def test_table_equals_its_slow_twin(data, rules, piece_rows, piece_cells):
    """Whatever the frames, and however small the pieces they are reduced in."""
    frame, cuts = data
    by, ties, truncated = rules
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "PIECE_ROWS", piece_rows)
        patch.setattr(tables, "PIECE_CELLS", piece_cells)
        table = run_table(split(frame, cuts), by, ties=ties, truncated=truncated)
    assert_equals_twin(table, frame, by, ties, truncated)
    ends = frame.group_by("game").agg(pl.col("end_reason").first())
    assert table.games == len(ends)
    assert table.truncated == (ends["end_reason"] == "truncated").sum()


@settings(max_examples=50, deadline=None)
@given(data_sets(), RULES)
def test_bounds_are_the_shares_with_every_truncated_outcome_replaced(data, rules):
    frame, cuts = data
    by, ties, truncated = rules
    table = run_table(split(frame, cuts), by, ties=ties, truncated=truncated)
    stopped = pl.col("end_reason") == "truncated"
    assert table.bounds == bool(frame.select(stopped.any()).item())
    for row in table.rows:
        if not table.bounds:
            assert row.win_bounds is None
            continue
        ends = []
        for outcome in (0, 1):
            won = [
                outcome if game_rows[0]["end_reason"] == "truncated" else value
                for game_rows in games_of(frame)
                for seat, value in zip(game_rows, twin_wins(game_rows, ties, "score"), strict=True)
                if seat[by] == row.value
            ]
            ends.append(sum(won) / len(won) if won else None)
        assert row.win_bounds == (None if ends[0] is None else pytest.approx(ends, abs=1e-12))


def games_of(frame):
    rows = groupby(frame.iter_rows(named=True), key=lambda row: row["game"])
    return [list(game_rows) for _, game_rows in rows]


# --- ties and truncated games by hand ------------------------------------------------------------

TIED = [game(0, ["greedy", "bold", "calm", "bold"], [5, 7, 7, 1], [0.0, 1.0, 0.0, 0.0])]


@pytest.mark.parametrize(
    ("ties", "expected"),
    [("ordinal", [0, 1, 0, 0]), ("share", [0, 0.5, 0.5, 0]), ("win", [0, 1, 1, 0])],
)
def test_rules_for_ties_v4(ties, expected):
    table = run_table([games_frame(TIED)], "seat", ties=ties)
    assert [row.win.estimate for row in table.rows] == expected
    assert [row.score.estimate for row in table.rows] == [5, 7, 7, 1]
    assert all(
        (row.win.low, row.win.high, row.win.note) == (0, 1, "one unit") for row in table.rows
    )


STOPPED = [
    game(0, ["greedy", "bold", "calm"], [5, 3, 3]),
    game(1, ["greedy", "bold", "calm"], [8, 2, 9], end="truncated"),
    game(2, ["greedy", "bold", "calm"], [1, 6, 2], end="stalemate"),
    game(3, ["greedy", "bold", "calm"], [4, 3, 1]),
]


@pytest.mark.parametrize(
    ("rule", "shares", "scores", "games"),
    [
        ("score", [2 / 4, 1 / 4, 1 / 4], [18 / 4, 14 / 4, 15 / 4], 4),
        ("split", [(2 + 1 / 3) / 4, (1 + 1 / 3) / 4, 1 / 12], [18 / 4, 14 / 4, 15 / 4], 4),
        ("none", [2 / 3, 1 / 3, 0], [10 / 3, 12 / 3, 6 / 3], 3),
    ],
)
def test_rules_for_truncated_games(rule, shares, scores, games):
    table = run_table([games_frame(STOPPED)], "strategy", truncated=rule)
    assert [row.win.estimate for row in table.rows] == pytest.approx(shares)
    assert [row.score.estimate for row in table.rows] == pytest.approx(scores)
    assert [row.games for row in table.rows] == [games] * 3
    assert (table.games, table.truncated, table.bounds) == (4, 1, True)
    assert [row.win_bounds for row in table.rows] == [
        pytest.approx((2 / 4, 3 / 4)),
        pytest.approx((1 / 4, 2 / 4)),
        pytest.approx((0, 1 / 4)),
    ]


def test_a_tie_break_is_ignored_by_share_even_in_a_split_game():
    games = [*TIED, game(1, ["calm"] * 5, [3, 3, 1, 0, 3], end="truncated")]
    table = run_table([games_frame(games)], "seat", ties="win", truncated="split")
    assert [row.win.estimate for row in table.rows] == pytest.approx([0.1, 0.6, 0.6, 0.1, 0.2])


@pytest.mark.parametrize(("stopped", "bounds"), [(1, False), (2, True)])
def test_bounds_appear_above_one_truncated_game_in_a_thousand(stopped, bounds):
    ends = ["truncated"] * stopped + ["finished"] * (1000 - stopped)
    games = [game(i, ["bold", "calm"], [i % 3, 1], end=end) for i, end in enumerate(ends)]
    table = run_table([games_frame(games)], "strategy")
    assert table.bounds is bounds
    assert all((row.win_bounds is not None) is bounds for row in table.rows if row.games)
    assert ("win_share_if_lost" in table_frame(table, "strategy").columns) is bounds


def test_a_strategy_left_with_no_game_is_null_and_never_zero():
    games = [game(0, ["bold", "calm"], [1, 2], end="truncated")]
    table = run_table([games_frame(games)], "strategy", truncated="none")
    for row in table.rows:
        assert row.games == 0
        assert row.win.estimate is row.score.estimate is row.score_sd is row.win.low is None
    assert [row.win_bounds for row in table.rows] == [None, (0, 1), (0, 1)]
    assert table_frame(table, "strategy")["win_share"].null_count() == 3


# --- groups --------------------------------------------------------------------------------------


def test_groups_stand_in_order():
    frame = games_frame(STOPPED).with_columns(
        odd=pl.when(pl.col("seat") == 1).then(None).otherwise(pl.col("score") % 3),
        real=pl.when(pl.col("seat") == 1).then(math.nan).otherwise(pl.col("score") / 2),
        word=pl.col("score").replace_strict({5: "z", 8: "b"}, default="m", return_dtype=pl.String),
    )
    values = {
        by: [row.value for row in run_table([frame], by).rows]
        for by in ("strategy", "seat", "odd", "word", "end_reason", "real")
    }
    assert values["strategy"] == NAMES
    assert values["seat"] == [0, 1, 2]
    assert values["odd"] == [0, 1, 2, None]
    assert values["word"] == ["b", "m", "z"]
    assert values["end_reason"] == ["finished", "truncated", "stalemate"]
    assert values["real"][:-1] == [0.5, 1, 1.5, 2, 2.5, 4, 4.5]
    assert math.isnan(values["real"][-1])


def test_values_that_turn_up_late_keep_their_rows_apart():
    games = [game(i, ["bold", "calm"], [1, 2], more=more) for i, more in enumerate([9, 4, 9, 1, 4])]
    frame = games_frame(games)
    table = run_table(split(frame, [1, 2, 3, 4]), "rounds")
    assert [(row.value, row.games) for row in table.rows] == [(1, 2), (4, 4), (9, 4)]


def test_labels_name_the_strategies():
    table = run_table([games_frame(STOPPED)], "strategy", labels=["a", "b", "b(x=1)"])
    assert [row.value for row in table.rows] == ["a", "b", "b(x=1)"]
    with pytest.raises(ValueError, match="2 labels for 3 strategies"):
        run_table([games_frame(STOPPED)], "strategy", labels=["a", "b"])


def test_a_game_with_one_strategy_in_all_seats_counts():
    games = [game(0, ["bold", "bold"], [1, 3]), game(1, ["bold", "calm"], [4, 3])]
    rows = run_table([games_frame(games)], "strategy").rows
    assert (rows[1].games, rows[1].win.units) == (3, 2)
    assert rows[1].win.estimate == pytest.approx(2 / 3)


def test_no_frames_and_empty_frames():
    assert run_table([], "strategy").rows == []
    empty = games_frame([])
    table = run_table([empty, games_frame(STOPPED), empty], "strategy")
    assert table == run_table([games_frame(STOPPED)], "strategy")
    assert [row.games for row in run_table([empty], "strategy").rows] == [0, 0, 0]
    assert run_table([empty], "rounds").rows == []


def test_only_the_needed_columns_are_read():
    frame = games_frame(STOPPED)
    for by in ("strategy", "seat", "score", "game"):
        for ties in ("ordinal", "share"):
            needed = columns_needed(by, ties)
            assert len(set(needed)) == len(needed)
            assert run_table([frame[needed]], by, ties=ties) == run_table([frame], by, ties=ties)
    assert "win" not in columns_needed("seat", "share")


# --- slips ---------------------------------------------------------------------------------------


def test_an_unknown_column_gets_the_nearest_name():
    with pytest.raises(UserError, match="no column 'stratgy'; did you mean strategy"):
        run_table([games_frame(STOPPED)], "stratgy")


def test_unknown_rules_get_the_nearest_name():
    with pytest.raises(UserError, match="did you mean share"):
        run_table([], "seat", ties="shared")
    with pytest.raises(UserError, match="did you mean split"):
        run_table([], "seat", truncated="splitt")
    with pytest.raises(UserError, match=r"such as 0\.95"):
        run_table([], "seat", level=95)


def many_values(count):
    return [game(i, ["bold", "calm"], [1, 2], more=i % count) for i in range(2 * count)]


def test_a_column_of_many_values_is_refused_also_across_frames():
    frame = games_frame(many_values(201))
    for frames in ([frame], split(frame, [150])):
        with pytest.raises(UserError, match=r"'rounds' has at least 201 .* choose another column"):
            run_table(frames, "rounds")
    assert len(run_table([games_frame(many_values(200))], "rounds").rows) == 200


def test_more_strategies_than_that_are_fine():
    names = [f"s{i}" for i in range(300)]
    games = [game(i, [names[i], names[(i + 7) % 300]], [i % 4, 1]) for i in range(300)]
    frame = games_frame(games, names)
    table = run_table([frame], "strategy")
    assert len(table.rows) == 300
    assert_equals_twin(table, frame, "strategy", "ordinal", "score")


def test_frames_that_do_not_belong_together_are_a_defect():
    frame = games_frame([game(3, ["bold", "calm"], [1, 2]), game(3, ["calm", "bold"], [1, 2])])
    with pytest.raises(ValueError, match="deal 3 is split"):
        run_table(split(frame, [1]), "strategy")
    other = games_frame([game(4, ["bold", "calm"], [1, 2])], ["calm", "bold"])
    with pytest.raises(ValueError, match="differ in the categories"):
        run_table([frame, other], "strategy")


# --- numbers -------------------------------------------------------------------------------------


def test_scores_far_from_zero_keep_their_digits():
    scores = [20_000_000 + i % 3 for i in range(600)]
    games = [game(i, ["bold", "calm"], [s, 5]) for i, s in enumerate(scores)]
    bold, calm = run_table(split(games_frame(games), [100, 250]), "strategy").rows[1:]
    exact = Fraction(sum(scores), 600)
    assert bold.score.estimate == pytest.approx(float(exact), rel=1e-15)
    assert bold.score_sd == pytest.approx(statistics.stdev(scores), rel=1e-9)
    assert bold.score.se == pytest.approx(statistics.stdev(scores) / math.sqrt(600), rel=1e-9)
    assert calm.score_sd == 0
    assert calm.score.note == "no variation in 600 units"


def test_the_frame_of_a_table():
    table = run_table([games_frame(STOPPED)], "strategy")
    frame = table_frame(table, "strategy")
    assert frame.columns == [
        *("strategy", "games", "win_share", "win_share_low", "win_share_high"),
        *("score_mean", "score_low", "score_high", "score_sd"),
        *("win_share_if_lost", "win_share_if_won"),
    ]
    for row, line in zip(table.rows, frame.iter_rows(named=True), strict=True):
        assert (line["strategy"], line["games"]) == (row.value, row.games)
        assert (line["win_share"], line["win_share_low"]) == (row.win.estimate, row.win.low)
        assert (line["win_share_high"], line["score_mean"]) == (row.win.high, row.score.estimate)
        assert (line["score_low"], line["score_high"]) == (row.score.low, row.score.high)
        assert line["score_sd"] == row.score_sd
        assert (line["win_share_if_lost"], line["win_share_if_won"]) == row.win_bounds


def test_memory_stays_small_for_a_whole_shard():
    games, seats = 2**18, 5
    who = np.arange(games * seats) % seats
    frame = pl.DataFrame(
        {
            "game": np.arange(games, dtype=np.uint64).repeat(seats),
            "deal": np.arange(games, dtype=np.uint64).repeat(seats),
            "strategy": pl.Series(np.array(list("abcde"))[who], dtype=pl.Enum(list("abcde"))),
            "score": who.astype(np.int32),
            "win": (who == 4).astype(np.float64),
            "end_reason": pl.repeat("finished", games * seats, dtype=END, eager=True),
        }
    )
    tracemalloc.start()
    table = run_table([frame], "strategy")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60e6
    assert [row.win.estimate for row in table.rows] == [0, 0, 0, 0, 1]


# --- the unit is the deal ------------------------------------------------------------------------

LINE_UPS, SEATS, DEALS = 8, 4, 40


def common_deals(rng):
    """Return a run of 8 line-ups on common deals: the hero in seat 0 likes or hates a deal."""
    hand = 1.5 * rng.standard_normal((DEALS, 1, SEATS))
    latent = hand + 0.7 * rng.standard_normal((DEALS, LINE_UPS, SEATS))
    latent[:, :, 0] += rng.standard_normal((DEALS, 1))
    won = latent == latent.max(axis=2, keepdims=True)
    rows = DEALS * LINE_UPS * SEATS
    number = np.arange(rows, dtype=np.uint64)
    return pl.DataFrame(
        {
            "game": number // SEATS,
            "deal": number // (SEATS * LINE_UPS),
            "strategy": pl.Series(
                np.where(number % SEATS == 0, "hero", "others"), dtype=pl.Enum(["hero", "others"])
            ),
            "score": (10 * latent).astype(np.int32).ravel(),
            "win": won.ravel().astype(np.float64),
            "end_reason": pl.repeat("finished", rows, dtype=END, eager=True),
        }
    )


def hero_share():
    """Return the hero's true share: its latent value has variance 1 more than the others'."""
    own, other = math.sqrt(1.5**2 + 0.7**2 + 1), math.sqrt(1.5**2 + 0.7**2)

    def beats_all(z):
        return stats.norm.pdf(z) * stats.norm.cdf(z * own / other) ** (SEATS - 1)

    return integrate.quad(beats_all, -9, 9)[0]


def test_the_unit_is_the_deal_and_not_the_game():
    """Statistics section 10, row e: by game, far less than 95 % are covered; by deal, 95 %."""
    rng, truth = np.random.default_rng(20), hero_share()
    by_deal = by_game = 0
    for _ in range(300):
        frame = common_deals(rng)
        right = run_table([frame], "strategy").rows[0].win
        wrong = run_table([frame.with_columns(deal=pl.col("game"))], "strategy").rows[0].win
        assert right.units == DEALS
        assert wrong.units == DEALS * LINE_UPS
        by_deal += right.low <= truth <= right.high
        by_game += wrong.low <= truth <= wrong.high
    assert by_game / 300 < 0.75
    assert 0.91 <= by_deal / 300 <= 0.99
