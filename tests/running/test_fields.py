"""Line-ups of a tournament: balanced, keyed, and the same however a run is cut."""

from __future__ import annotations

import itertools
import json
import math
import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from simlab.errors import UserError
from simlab.running import filling
from simlab.running.fields import (
    AllDistinct,
    FieldDesign,
    Led,
    PairBlocks,
    Rounds,
    choose,
    coverage,
    field_design_of,
)
from simlab.running.filling import Schedule, tally


def keys(k: int) -> tuple[int, ...]:
    return tuple(int(key) for key in np.random.default_rng(7).integers(0, 2**64, k, np.uint64))


ADDED = Led.after(Rounds(4, 5, keys(10), cycle=67), 99)
DESIGNS = [
    AllDistinct(3, 1, keys(6)),
    AllDistinct(3, 1, keys(6), (5, 1)),
    Rounds(4, 1, keys(10), cycle=67),
    Rounds(5, 2**63 - 1, keys(7), cycle=67),
    Rounds(2, 1, keys(7), cycle=67),
    ADDED,
    Led.after(ADDED, 100),
    PairBlocks(4, 1, keys(9), ((0, 1), (8, 3), (1, 3))),
]
every_design = pytest.mark.parametrize("design", DESIGNS, ids=lambda design: repr(design)[:14])


def teams_of(design: FieldDesign, first: int, deals: int) -> list[list[frozenset[int]]]:
    """Return the line-ups of some deals, taken from the games."""
    seats = design.entries(first * design.block, deals * design.block)[:: design.players]
    return [[frozenset(t) for t in d] for d in seats.reshape(deals, -1, design.players).tolist()]


@every_design
def test_every_line_up_turns_through_all_seats(design: FieldDesign) -> None:
    games = design.entries(0, 5 * design.block)
    assert games.dtype == np.int32
    assert games.flags.c_contiguous
    n = design.players
    for block in games.reshape(-1, n, n):
        assert len(set(block[0])) == n
        assert all(np.array_equal(block[turn], np.roll(block[0], turn)) for turn in range(n))


@pytest.mark.parametrize("design", DESIGNS[:5], ids=lambda design: repr(design)[:14])
def test_all_appear_equally_often_on_every_deal(design: FieldDesign) -> None:
    for deal in range(30):
        seats = design.entries(deal * design.block, design.block)
        counts = np.stack([np.bincount(column, minlength=design.k) for column in seats.T])
        kept = counts[:, [0, 2, 3, 4]] if design is DESIGNS[1] else counts
        assert (kept == kept[0, 0]).all()


@every_design
@pytest.mark.parametrize("start", [0, 65, 10**15])
def test_any_range_gives_the_same_as_the_whole(design: FieldDesign, start: int) -> None:
    first = start * design.block
    whole = design.entries(first, 3 * design.block)
    cuts = [0, 1, design.players + 2, design.block + 3, design.block + 3, len(whole)]
    parts = [design.entries(first + a, b - a) for a, b in itertools.pairwise(cuts)]
    assert np.array_equal(np.concatenate(parts), whole)


@every_design
def test_a_design_comes_back_from_its_document_and_travels_light(design: FieldDesign) -> None:
    design.entries(10**6, 10)
    document = design.document()
    told = json.loads(json.dumps(document))
    assert told == document
    assert field_design_of(told, design.players) == design
    packed = pickle.dumps(design)
    assert len(packed) < 1000
    assert pickle.loads(packed) == design


@every_design
def test_counts_are_those_of_the_games(design: FieldDesign) -> None:
    seats = design.entries(0, 9 * design.block)[:: design.players]
    assert np.array_equal(design.counts(9), tally(seats, design.k))


def test_the_documents_of_another_simlab_are_refused() -> None:
    document = DESIGNS[0].document()
    with pytest.raises(UserError, match="did you mean rounds"):
        field_design_of(document | {"kind": "round"}, 3)
    with pytest.raises(UserError, match="drawn in way 2; this simlab knows way 1"):
        field_design_of(document | {"version": 2}, 3)


def test_all_distinct_is_lexicographic() -> None:
    every = [frozenset(team) for team in itertools.combinations(range(6), 3)]
    assert teams_of(DESIGNS[0], 3, 2) == [every, every]
    held = [team for team in every if team & {1, 5}]
    assert teams_of(DESIGNS[1], 3, 1) == [held]


def test_a_line_up_is_seated_alike_in_any_field() -> None:
    def seated(design: FieldDesign) -> dict[tuple[int, frozenset[int]], list[int]]:
        named = np.array(design.keys, np.uint64)[design.entries(0, 6 * design.block)]
        blocks = named[:: design.players].tolist()
        return {(place // design.line_ups, frozenset(t)): t for place, t in enumerate(blocks)}

    few = seated(AllDistinct(4, 1, keys(7)))
    many = seated(AllDistinct(4, 1, (*keys(9)[::-1], 5)))
    assert all(many[cell] == order for cell, order in few.items())
    assert all(many[cell] == order for cell, order in seated(Rounds(4, 1, keys(9))).items())
    held = seated(AllDistinct(4, 1, (5, *keys(9)), (0,)))
    assert len(held) == 6 * math.comb(9, 3)
    assert all(many[cell] == order for cell, order in held.items())
    other = seated(AllDistinct(4, 2, keys(7)))
    assert 0 < sum(other[cell] == order for cell, order in few.items()) < 30


def test_left_neighbours_balance() -> None:
    games = AllDistinct(5, 1, keys(5)).entries(0, 5000)
    pairs = np.bincount((games * 5 + np.roll(games, 1, axis=1)).reshape(-1), minlength=25)
    counts = pairs.reshape(5, 5)[~np.eye(5, dtype=bool)]
    assert counts.mean() == 1250
    assert np.abs(counts - 1250).max() < 4 * 5 * np.sqrt(1000 * 0.25 * 0.75)
    orders = {tuple(order) for order in games[::5].tolist()}
    assert len(orders) == 120


@pytest.mark.parametrize(
    ("k", "n", "line_ups", "ideal", "least", "most"),
    [(20, 4, 475, 15, 14, 16), (19, 5, 171, 10, 9, 11), (20, 5, 380, 20, 19, 22),
     (30, 8, 435, 28, 26, 30), (9, 3, 12, 1, 1, 1)],
)  # fmt: skip
@pytest.mark.parametrize("seed", [1, 2])
def test_rounds_are_as_even_as_was_measured(
    k: int, n: int, line_ups: int, ideal: int, least: int, most: int, seed: int
) -> None:
    design = Rounds(n, seed, keys(k))
    found = coverage(design, line_ups // design.line_ups)
    assert (found.line_ups, found.ideal) == (line_ups, pytest.approx(ideal))
    assert least - 1 <= found.meetings[0] <= found.meetings[1] <= most + 1
    assert found.appearances == (line_ups * n // k,) * 2


def test_coverage_goes_round_the_cycle_and_names_who_met_too_seldom() -> None:
    design = Rounds(4, 1, keys(10), cycle=3)
    assert teams_of(design, 3, 3) == teams_of(design, 0, 3)
    assert np.array_equal(design.counts(3001), 1000 * design.counts(3) + design.counts(1))
    met = design.counts(3)
    few = coverage(design, 3, min_meet=3).few
    assert few == tuple(p for p in itertools.combinations(range(10), 2) if met[p] < 3)
    assert few
    assert coverage(design, 0).meetings == (0, 0)


@pytest.mark.parametrize("k", [2, 3, 8, 9])
def test_two_players_meet_round_robin(k: int) -> None:
    design = Rounds(2, 3, keys(k))
    lap = k - 1 if k % 2 == 0 else (k - 1) // 2
    for laps in (1, 2, 7):
        assert coverage(design, laps * lap).meetings == (laps, laps)


def test_a_strategy_added_to_rounds_catches_up_on_their_deals() -> None:
    earlier = Rounds(4, 1, keys(20))
    led = Led.after(earlier, 11)
    found = led.counts(95)
    assert led.line_ups == 1
    assert found[20, 20] == 95
    assert set(found[20, :20]) == {14, 15}
    found[:20, :20] += earlier.counts(95)
    assert set(found.diagonal()[:20]) == {109, 110}
    both = coverage(earlier, 95, [(led, 95)])
    assert both.appearances == (95, 110)
    assert both.meetings[0] >= 14
    assert both.meetings[1] <= 19
    second = Led.after(led, 12)
    assert set(second.counts(95)[21, :21]) == {13, 14}


def test_a_schedule_is_the_same_however_far_it_is_made() -> None:
    whole = Schedule(6, 4, 1, 1).first(300)
    bit_by_bit = Schedule(6, 4, 1, 1)
    for rounds in (1, 65, 66, 200):
        assert np.array_equal(bit_by_bit.first(rounds), whole[: len(bit_by_bit.first(rounds))])
    shared = Schedule(6, 4, 1, 1)
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(shared.first, [300, 7, 150, 299, 20, 300]))
    assert all(np.array_equal(part[:300], whole[: len(part)]) for part in found)
    assert not np.array_equal(Schedule(6, 4, 2, 1).first(9)[:9], whole[:9])


def test_compiled_and_plain_fill_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = [Schedule(6, 4, 1, added).first(64) for added in (0, 1, 2)]
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    plain = [Schedule(6, 4, 1, added).first(64) for added in (0, 1, 2)]
    assert all(np.array_equal(a, b) for a, b in zip(compiled, plain, strict=True))
    assert filling.filler() is filling.fill_rounds


def test_line_ups_are_those_of_this_version() -> None:
    field = (11, 22, 33, 44, 55, 66)
    assert Rounds(4, 1, field).entries(0, 24)[::4].tolist() == PINNED_ROUNDS
    assert PairBlocks(4, 1, field, ((0, 1),)).entries(0, 12)[::4].tolist() == PINNED_PAIRS


# Where these must change, runs that were begun before cannot go on: raise fields.VERSION.
PINNED_ROUNDS = [[3, 0, 2, 4], [5, 1, 4, 0], [5, 2, 1, 3], [3, 5, 0, 2], [5, 4, 2, 1], [1, 4, 0, 3]]
PINNED_PAIRS = [[0, 2, 1, 3], [1, 4, 0, 3], [1, 2, 0, 5]]


def test_pair_blocks_seat_both_with_companions_drawn_alike() -> None:
    design = DESIGNS[-1]
    alone = PairBlocks(4, 1, keys(9), ((3, 8),))
    found = teams_of(design, 0, 2000)
    assert all({0, 1} <= a and {3, 8} <= b and {1, 3} <= c for a, b, c in found)
    assert [[deal[1]] for deal in found] == teams_of(alone, 0, 2000)
    companions = alone.counts(2000)
    others = [each for each in range(9) if each not in (3, 8)]
    once = companions[3, others]
    assert once.sum() == 4000
    assert np.abs(once - 4000 / 7).max() < 4 * np.sqrt(2000 * 2 / 7 * 5 / 7)
    together = companions[np.ix_(others, others)][np.triu_indices(7, 1)]
    assert np.abs(together - 2000 / 21).max() < 4 * np.sqrt(2000 / 21)


def test_the_number_of_games_chooses_the_line_ups() -> None:
    enough = 200 * 4 * math.comb(20, 4)
    assert choose(20, 4, enough) == "all distinct"
    assert choose(20, 4, enough - 1) == "rounds"
    assert choose(200, 5, 10**18) == "rounds"


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: choose(1, 2, 100), "at least 2 strategies; 1 was given"),
        (lambda: Rounds(3, 1, keys(2)), "name at least 3 strategies, or play with fewer seats"),
        (lambda: Rounds(2, 1, (5, 6, 5)), "strategies 1 and 3 of the field are the same"),
        (lambda: AllDistinct(3, 1, keys(5), (5,)), "holding names strategy 5, but .* 0 to 4"),
        (lambda: AllDistinct(5, 1, keys(200)), "2,535,650,040 line-ups, .* play balanced rounds"),
        (lambda: Led(3, 1, keys(5), 5), "must have 3 to 4 strategies, not 5"),
        (lambda: PairBlocks(3, 1, keys(5), ()), "at least one pair"),
        (lambda: PairBlocks(3, 1, keys(5), ((1, 1),)), "a pair names a strategy twice"),
        (lambda: PairBlocks(3, 1, keys(5), ((0, 1), (1, 0))), "named twice"),
    ],
)
def test_what_makes_no_tournament_is_refused(make: Any, said: str) -> None:
    with pytest.raises(UserError, match=said):
        make()
