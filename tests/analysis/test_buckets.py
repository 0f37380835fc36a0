"""Bucket totals against a slow twin, whatever the frames, and merged in every way."""

from __future__ import annotations

import time
import tracemalloc
from itertools import groupby

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from simlab.analysis import tables
from simlab.analysis.buckets import OUTCOMES, bucket_columns, bucket_totals
from simlab.analysis.sums import BUCKETS
from simlab.analysis.tables import run_table
from simlab.errors import UserError
from tests.analysis.test_tables import END, NAMES, game, games_frame, split, twin_wins

RULES = st.tuples(
    st.sampled_from(["ordinal", "share", "win"]), st.sampled_from(["score", "split", "none"])
)


def with_ranks(frame):
    """Return the rows with the column `rank`: by score, a winner before all who did not win."""
    place = pl.struct(pl.col("win") > 0, "score").rank("min", descending=True)
    return frame.with_columns(rank=place.over("game").cast(pl.UInt8))


@st.composite
def data_sets(draw, most_deals=8):
    """Return games of 1 to 4 seats, several to a deal, and the first games of the frames."""
    games, cuts = [], []
    for deal in range(draw(st.integers(1, most_deals))):
        if draw(st.booleans()):
            cuts.append(len(games))
        for _ in range(draw(st.integers(1, 3))):
            seats = draw(st.integers(1, 4))
            who = draw(st.lists(st.sampled_from(NAMES), min_size=seats, max_size=seats))
            scores = draw(st.lists(st.integers(-2, 3), min_size=seats, max_size=seats))
            winners = draw(st.sets(st.integers(0, seats - 1), min_size=1))
            won = [(seat in winners) / len(winners) for seat in range(seats)]
            end = draw(st.sampled_from(["finished", "finished", "truncated", "stalemate"]))
            games.append((deal * 700, who, scores, won, end, 0))
    return with_ranks(games_frame(games)), cuts


# --- a slow twin ---------------------------------------------------------------------------------


def empty():
    square = (BUCKETS, len(NAMES), len(NAMES))
    found = {name: np.zeros(square[:2]) for name in ("appearances", *OUTCOMES)}
    found |= {name: np.zeros(square) for name in ("beside", "beside_wins", "points")}
    return found | {"cut": np.zeros((2, len(NAMES))), "deals": [set() for _ in NAMES], "games": 0}


def twin(frame, ties, truncated):
    """Return the totals, one game and one pair of seats at a time."""
    found = empty()
    for _, game_rows in groupby(frame.iter_rows(named=True), key=lambda row: row["game"]):
        rows = list(game_rows)
        who = [NAMES.index(row["strategy"]) for row in rows]
        if len(set(who)) == 1:
            continue
        won = twin_wins(rows, ties, truncated)
        cut = rows[0]["end_reason"] == "truncated"
        if cut:
            for seat, strategy in enumerate(who):
                found["cut"][:, strategy] += [1, won[seat]]
        if cut and truncated == "none":
            continue
        found["games"] += 1
        places = [row["rank"] if ties == "ordinal" else -row["score"] for row in rows]
        if cut and truncated == "split":
            places = [0] * len(rows)
        midranks = stats.rankdata(places, method="average")
        bucket = rows[0]["deal"] % 1024
        for i, strategy in enumerate(who):
            found["appearances"][bucket, strategy] += 1
            found["deals"][strategy].add(rows[0]["deal"])
            for name, value in zip(OUTCOMES, (won[i], rows[i]["score"], midranks[i]), strict=True):
                found[name][bucket, strategy] += value
            for other in set(who) - {strategy}:
                found["beside"][bucket, strategy, other] += 1
                found["beside_wins"][bucket, strategy, other] += won[i]
            for j, other in enumerate(who):
                if strategy != other:
                    point = (places[i] < places[j]) + (places[i] == places[j]) / 2
                    found["points"][bucket, strategy, other] += point
    return found


def assert_same(totals, expected):
    found = {"appearances": totals.appearances, "cut": totals.cut, **totals.outcomes}
    found |= {name: getattr(totals, name) for name in ("beside", "beside_wins", "points")}
    for name, array in found.items():
        np.testing.assert_allclose(array, expected[name], rtol=0, atol=1e-12, err_msg=name)
    assert totals.deals.tolist() == [len(deals) for deals in expected["deals"]]
    assert totals.games == expected["games"]


@settings(max_examples=150, deadline=None)
@given(data_sets(), RULES, st.sampled_from([1, 5, 2**17]))
def test_totals_equal_their_slow_twin(data, rules, piece_rows):
    (frame, cuts), (ties, truncated) = data, rules
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "PIECE_ROWS", piece_rows)
        totals = bucket_totals(split(frame, cuts), ties=ties, truncated=truncated)
    assert totals.names == NAMES
    assert_same(totals, twin(frame, ties, truncated))
    alone = bucket_totals([frame], ties=ties, truncated=truncated, pairs=False)
    assert (alone.outcomes["rank"] == totals.outcomes["rank"]).all()
    assert not alone.has_pairs


@settings(max_examples=50, deadline=None)
@given(data_sets(), RULES)
def test_shards_merged_in_any_order_are_the_whole(data, rules):
    (frame, cuts), (ties, truncated) = data, rules
    rules = {"ties": ties, "truncated": truncated}
    whole = bucket_totals([frame], **rules)
    first, *others = reversed([bucket_totals([part], **rules) for part in split(frame, cuts)])
    for other in others:
        first.merge(other)
    assert first.pure == whole.pure
    assert first.truncated == whole.truncated
    assert_same(first, twin(frame, ties, truncated))


@settings(max_examples=50, deadline=None)
@given(data_sets(), RULES)
def test_every_game_shares_out_its_ranks_and_points(data, rules):
    (frame, _), (ties, truncated) = data, rules
    totals = bucket_totals([frame], ties=ties, truncated=truncated)
    both = totals.points + totals.points.swapaxes(1, 2)
    assert (both == np.rint(both)).all()
    assert (both >= totals.beside - 1e-9).all()
    assert not totals.points[:, range(3), range(3)].any()
    if totals.games:
        seats = totals.appearances.sum() / totals.games
        assert 1 < seats <= 4


def test_cells_added_later_are_matched_by_name_and_keep_the_deals():
    old = [game(deal, ["bold", "calm"], [deal, 3]) for deal in range(6)]
    new = [game(deal, ["wild", "calm"], [3, deal]) for deal in range(2, 5)]
    totals = bucket_totals([with_ranks(games_frame(old, ["calm", "bold"]))])
    totals.merge(bucket_totals([with_ranks(games_frame(new, ["wild", "calm"]))]), same_deals=True)
    assert totals.names == ["calm", "bold", "wild"]
    assert totals.deals.tolist() == [6, 6, 3]
    assert totals.appearances.sum(axis=0).tolist() == [9, 6, 3]
    assert totals.beside.sum(axis=0).tolist() == [[0, 6, 3], [6, 0, 0], [3, 0, 0]]
    assert totals.points.sum(axis=0).tolist() == [[0, 3, 1], [3, 0, 0], [2, 0, 0]]
    assert totals.outcomes["score"].sum(axis=0).tolist() == [18 + 9, 15, 9]


def test_a_bucket_is_the_deal_modulo_1024():
    games = [game(deal, ["bold", "calm"], [1, 0]) for deal in (3, 1027, 2051, 5000)]
    totals = bucket_totals([with_ranks(games_frame(games))])
    assert np.flatnonzero(totals.appearances[:, 1]).tolist() == [3, 5000 % 1024]
    assert totals.appearances[3, 1] == 3
    assert totals.deals.tolist() == [0, 4, 4]


def test_bounds_are_those_of_the_table():
    games = [
        game(0, ["greedy", "bold", "calm"], [5, 3, 3]),
        game(1, ["greedy", "bold", "calm"], [8, 2, 9], end="truncated"),
        game(2, ["calm", "bold", "greedy"], [1, 6, 2], end="stalemate"),
    ]
    frame = with_ranks(games_frame(games))
    for rule in ("score", "split", "none"):
        totals = bucket_totals([frame], truncated=rule)
        table = run_table([frame], "strategy", truncated=rule)
        assert totals.has_bounds
        bounds = [totals.win_bounds(group) for group in range(3)]
        assert bounds == [pytest.approx(row.win_bounds) for row in table.rows]
    assert not bucket_totals([frame.filter(pl.col("game") != 1)]).has_bounds


def test_a_pure_game_is_left_out_whole():
    games = [game(0, ["bold"] * 3, [1, 2, 3]), game(1, ["bold", "calm"], [1, 2])]
    totals = bucket_totals([with_ranks(games_frame(games))])
    assert (totals.games, totals.pure) == (1, 1)
    assert totals.deals.tolist() == [0, 1, 1]
    assert totals.appearances.sum() == 2


def test_only_the_needed_columns_are_read():
    frame = with_ranks(games_frame([game(0, ["bold", "calm"], [1, 2])]))
    for ties in ("ordinal", "share"):
        assert bucket_totals([frame[bucket_columns(ties)]], ties=ties).games == 1
    assert "rank" not in bucket_columns("share")


def test_no_frames_and_empty_frames():
    assert bucket_totals([]).names == []
    nothing = with_ranks(games_frame([]))
    totals = bucket_totals([nothing, with_ranks(games_frame([game(0, ["bold", "calm"], [1, 2])]))])
    assert (totals.games, totals.names) == (1, NAMES)
    assert bucket_totals([nothing]).names == NAMES


# --- slips ---------------------------------------------------------------------------------------


def test_slips_get_one_sentence():
    with pytest.raises(UserError, match="did you mean share"):
        bucket_totals([], ties="shared")
    with pytest.raises(UserError, match="did you mean split"):
        bucket_totals([], truncated="splitt")
    names = [f"s{i}" for i in range(201)]
    frame = with_ranks(games_frame([game(0, ["s3", "s9"], [1, 2])], names))
    with pytest.raises(UserError, match="all pairs of 201 strategies are too many, at most 200"):
        bucket_totals([frame])
    assert bucket_totals([frame], pairs=False).games == 1


def test_what_does_not_belong_together_is_a_defect():
    frame = with_ranks(games_frame([game(3, ["bold", "calm"], [i, 1]) for i in range(2)]))
    with pytest.raises(ValueError, match="deal 3 is split"):
        bucket_totals(split(frame, [1]))
    with pytest.raises(ValueError, match="same kind"):
        bucket_totals([frame]).merge(bucket_totals([frame], pairs=False))
    with pytest.raises(ValueError, match="same kind"):
        bucket_totals([frame]).merge(bucket_totals([frame], truncated="none"))


# --- size ----------------------------------------------------------------------------------------


def test_a_shard_of_twenty_strategies_is_quick_and_small():
    games, seats, k = 2**18, 4, 20
    rng = np.random.default_rng(1)
    who = (rng.integers(0, k, (games, 1)) + np.array([0, 3, 7, 12])) % k
    score = rng.integers(0, 50, (games, seats)).astype(np.int32)
    rank = 1 + (score[:, :, None] < score[:, None]).sum(axis=2)
    names = [f"s{i}" for i in range(k)]
    number = np.arange(games, dtype=np.uint64).repeat(seats)
    frame = pl.DataFrame(
        {
            "game": number,
            "deal": number // np.uint64(4),
            "strategy": pl.Series(np.array(names)[who.ravel()], dtype=pl.Enum(names)),
            "score": score.ravel(),
            "rank": rank.ravel().astype(np.uint8),
            "win": (rank == 1).ravel() / (rank == 1).sum(axis=1).repeat(seats),
            "end_reason": pl.repeat("finished", games * seats, dtype=END, eager=True),
        }
    )
    tracemalloc.start()
    totals = bucket_totals([frame])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6
    started = time.perf_counter()
    bucket_totals([frame])
    assert time.perf_counter() - started < 3
    assert totals.beside.sum() == games * seats * (seats - 1)
    assert totals.points.sum() == games * seats * (seats - 1) / 2
    assert totals.outcomes["win"].sum() == pytest.approx(games)
    assert totals.outcomes["rank"].sum() == games * seats * (seats + 1) / 2
