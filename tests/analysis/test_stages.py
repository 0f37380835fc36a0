"""Stages against a slow twin, and merged in every way."""

from __future__ import annotations

from collections import Counter
from itertools import groupby

import numpy as np
import pytest
from hypothesis import given, settings

from simlab.analysis import stages as module
from simlab.analysis.stages import stage_totals
from simlab.errors import UserError
from tests.analysis.test_buckets import RULES, assert_same, data_sets, with_ranks
from tests.analysis.test_buckets import twin as totals_twin
from tests.analysis.test_tables import NAMES, game, games_frame, split


def twin(frame, ties, truncated):
    """Return how often each set remained in each bucket, and what was chosen."""
    remained, whole, chosen, tied = Counter(), Counter(), Counter(), Counter()
    for _, game_rows in groupby(frame.iter_rows(named=True), key=lambda row: row["game"]):
        rows = list(game_rows)
        cut = rows[0]["end_reason"] == "truncated"
        if len({row["strategy"] for row in rows}) == 1 or (cut and truncated == "none"):
            continue
        places = [row["rank"] if ties == "ordinal" else -row["score"] for row in rows]
        if cut and truncated == "split":
            places = [0] * len(rows)
        left = sorted(zip(places, (row["strategy"] for row in rows), strict=True))
        bucket = rows[0]["deal"] % 1024
        whole[bucket, names_of(left)] += 1
        while len(left) > 1:
            best = [name for place, name in left if place == left[0][0]]
            remained[bucket, names_of(left)] += 1
            tied[bucket, len(best)] += 1
            for name in best:
                chosen[bucket, name] += 1 / len(best)
            left = left[len(best) :]
    return remained, whole, chosen, tied


def names_of(left):
    return tuple(sorted(name for _, name in left))


def counted(stages):
    """Return the same of stages."""
    remained, whole = Counter(), Counter()
    names = stages.totals.names
    for part in stages.remaining():
        for of, bucket, count, games in zip(
            part.of, part.bucket, part.count, part.whole, strict=True
        ):
            key = bucket, tuple(sorted(names[code] for code in part.sets[of]))
            remained[key] += count
            if games:
                whole[key] += games
    chosen = {
        (bucket, names[code]): stages.chosen[bucket, code]
        for bucket, code in zip(*np.nonzero(stages.chosen), strict=True)
    }
    tied = {
        (bucket, size): stages.ties[bucket, size]
        for bucket, size in zip(*np.nonzero(stages.ties), strict=True)
    }
    return remained, whole, pytest.approx(chosen), tied


@settings(max_examples=150, deadline=None)
@given(data_sets(), RULES)
def test_stages_equal_their_slow_twin(data, rules):
    (frame, cuts), (ties, truncated) = data, rules
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST_WAITING", 3)
        stages = stage_totals(split(frame, cuts), ties=ties, truncated=truncated)
    assert counted(stages) == twin(frame, ties, truncated)
    assert_same(stages.totals, totals_twin(frame, ties, truncated))


@settings(max_examples=60, deadline=None)
@given(data_sets(), RULES)
def test_shards_merged_in_any_order_are_the_whole(data, rules):
    (frame, cuts), (ties, truncated) = data, rules
    parts = [
        stage_totals([part], ties=ties, truncated=truncated)
        for part in reversed(split(frame, cuts))
    ]
    first, *others = parts
    for other in others:
        first.merge(other)
    assert counted(first) == twin(frame, ties, truncated)


def test_strategies_added_later_are_matched_by_name():
    old = with_ranks(games_frame([game(0, ["bold", "calm"], [1, 2])], ["calm", "bold"]))
    new = with_ranks(
        games_frame([game(0, ["wild", "calm", "bold"], [3, 3, 4])], ["wild", "bold", "calm"])
    )
    stages = stage_totals([old])
    stages.merge(stage_totals([new], ties="share"), same_deals=True)
    assert stages.totals.names == ["calm", "bold", "wild"]
    remained, whole, chosen, tied = counted(stages)
    assert remained == {
        (0, ("bold", "calm")): 1,
        (0, ("bold", "calm", "wild")): 1,
        (0, ("calm", "wild")): 1,
    }
    assert whole == {(0, ("bold", "calm")): 1, (0, ("bold", "calm", "wild")): 1}
    assert chosen == {(0, "calm"): 1.5, (0, "bold"): 1, (0, "wild"): 0.5}
    assert tied == {(0, 1): 2, (0, 2): 1}
    assert [part.sets.tolist() for part in stages.remaining()] == [[[0, 1], [0, 2]], [[0, 1, 2]]]


def test_the_order_is_fixed():
    games = [game(i, [NAMES[i % 3], NAMES[(i + 1) % 3], "bold"], [i % 4, 1, 2]) for i in range(50)]
    frame = with_ranks(games_frame(games))
    one, two = (stage_totals([frame]).remaining() for _ in range(2))
    for left, right in zip(one, two, strict=True):
        for mine, theirs in zip(vars(left).values(), vars(right).values(), strict=True):
            assert (mine == theirs).all()


def test_no_games():
    assert stage_totals([]).remaining() == []
    assert stage_totals([with_ranks(games_frame([]))]).remaining() == []


def test_too_many_strategies_at_too_many_seats_get_one_sentence():
    names = [f"s{i}" for i in range(190)]
    frame = with_ranks(games_frame([game(0, names[:9], list(range(9)))], names))
    with pytest.raises(UserError, match="190 strategies at 9 seats is too large; at most 126"):
        stage_totals([frame])
    with pytest.raises(UserError, match="did you mean share"):
        stage_totals([], ties="shared")
