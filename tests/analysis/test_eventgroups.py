"""The table by events against a slow twin that leaves out every deal in turn."""

from __future__ import annotations

import statistics
import tracemalloc
from collections import defaultdict

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simlab.analysis import tables
from simlab.analysis.eventgroups import event_columns, event_table, row_columns
from simlab.errors import UserError
from tests.analysis.by_hand import interval
from tests.analysis.test_tables import data_sets, game, games_frame, games_of, split, twin_wins

KINDS = ["bought", "reserved", "noble"]
CARDS = ["tin", "iron", "ruby", "never", "opal"]


WORDS = pl.Enum(CARDS)


def events_frame(events, cards=WORDS):
    """Return events given as (game, seat, kind, card)."""
    schema = {"game": pl.UInt64, "seat": pl.UInt8, "event": pl.Enum(KINDS), "card": cards}
    return pl.DataFrame(events, schema=schema, orient="row")


def pairs(rows, events, first_games=()):
    """Return rows and events in pieces that begin at these games."""
    return zip(split(rows, first_games), split(events, first_games), strict=True)


def table_of(rows, events, kinds=("bought",), cuts=(), **how):
    return event_table(pairs(rows, events, cuts), "card", "card", kinds, **how)


# --- a slow twin -------------------------------------------------------------------------------


def twin(rows, events, kinds, ties, truncated):
    """Return card -> (scores, deal -> [appearances, wins, score], bounds), one row at a time."""
    had = defaultdict(set)
    for event in events.iter_rows(named=True):
        if event["event"] in kinds:
            had[event["game"], event["seat"]].add(event["card"])
    found = defaultdict(lambda: ([], defaultdict(lambda: [0, 0.0, 0]), []))
    for game_rows in games_of(rows):
        won_by_seat = twin_wins(game_rows, ties, truncated)
        kept_wins = twin_wins(game_rows, ties, "score")
        for row, won, kept in zip(game_rows, won_by_seat, kept_wins, strict=True):
            stopped = row["end_reason"] == "truncated"
            for card in had[row["game"], row["seat"]]:
                scores, deals, bounds = found[card]
                bounds.append((0, 1) if stopped else (kept, kept))
                if stopped and truncated == "none":
                    continue
                scores.append(row["score"])
                deal = deals[row["deal"]]
                deal[0] += 1
                deal[1] += won
                deal[2] += row["score"]
    return found


def assert_equals_twin(table, rows, events, kinds, ties="ordinal", truncated="score"):
    expected = twin(rows, events, kinds, ties, truncated)
    if not table.bounds:
        expected = {card: found for card, found in expected.items() if found[0]}
    assert {row.value for row in table.rows} == set(expected)
    assert len({row.value for row in table.rows}) == len(table.rows)
    for row in table.rows:
        scores, deals, bounds = expected[row.value]
        assert row.games == row.win.games == len(scores)
        assert row.win.units == row.score.units == len(deals)
        if deals:
            a, won, score = zip(*deals.values(), strict=True)
            assert_close(row.win, interval(a, won, True))
            assert_close(row.score, interval(a, score, False))
        else:
            assert row.win.estimate is row.score.estimate is row.win.low is None
        sd = statistics.stdev(scores) if len(scores) > 1 else None
        assert row.score_sd == (sd if sd is None else pytest.approx(sd, rel=1e-9, abs=1e-9))
        ends = [sum(end) / len(bounds) for end in zip(*bounds, strict=True)]
        assert row.win_bounds == (pytest.approx(ends, abs=1e-12) if table.bounds else None)
    shares = [-1 if row.win.estimate is None else row.win.estimate for row in table.rows]
    assert shares == sorted(shares, reverse=True)


def assert_close(found, expected):
    for here, there in zip((found.estimate, found.low, found.high), expected, strict=True):
        assert (here is None) == (there is None)
        if here is not None:
            assert here == pytest.approx(there, rel=1e-9, abs=1e-9)


@st.composite
def with_events(draw):
    """Return rows and events of a few deals, and the first games of the frames."""
    rows, cuts = draw(data_sets())
    at = st.sampled_from(rows.select("game", "seat").rows())
    what = st.tuples(st.sampled_from(KINDS), st.sampled_from([c for c in CARDS if c != "never"]))
    found = draw(st.lists(st.tuples(at, what), max_size=60))
    if draw(st.booleans()):
        found.sort(key=lambda event: event[0][0])
    return rows, events_frame([(*seat, *event) for seat, event in found]), cuts


RULES = st.tuples(
    st.sampled_from([("bought",), ("reserved", "noble"), ("noble",)]),
    st.sampled_from(["ordinal", "share", "win"]),
    st.sampled_from(["score", "split", "none"]),
)


@settings(max_examples=150, deadline=None)
@given(with_events(), RULES, st.sampled_from([1, 5, 2**17]), st.sampled_from([1, 9, 2**18]))
def test_table_equals_its_slow_twin(data, rules, piece_rows, piece_cells):
    """Whatever the frames, the order of events, and however small the pieces of whole deals."""
    rows, events, cuts = data
    kinds, ties, truncated = rules
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "PIECE_ROWS", piece_rows)
        patch.setattr(tables, "PIECE_CELLS", piece_cells)
        table = table_of(rows, events, kinds, cuts, ties=ties, truncated=truncated)
    assert_equals_twin(table, rows, events, kinds, ties, truncated)
    ends = rows.group_by("game").agg(pl.col("end_reason").first())
    assert table.games == len(ends)
    assert table.truncated == (ends["end_reason"] == "truncated").sum()


# --- by hand -------------------------------------------------------------------------------------

GAMES = [
    game(0, ["bold", "calm", "greedy"], [5, 3, 1]),
    game(0, ["calm", "greedy", "bold"], [2, 9, 4]),
    game(1, ["bold", "calm", "greedy"], [7, 8, 0]),
    game(2, ["bold", "calm", "greedy"], [6, 2, 2]),
]
EVENTS = [
    (0, 0, "bought", "tin"),
    (0, 0, "bought", "tin"),  # again: the seat appears once
    (0, 0, "reserved", "ruby"),
    (0, 2, "bought", "tin"),
    (1, 1, "bought", "tin"),
    (1, 1, "noble", "tin"),
    (2, 0, "bought", "opal"),
    (2, 0, "bought", "tin"),
    (3, 1, "reserved", "opal"),
]


def test_a_seat_appears_once_in_each_game_and_a_deal_is_one_unit():
    table = table_of(games_frame(GAMES), events_frame(EVENTS))
    tin, opal = table.rows
    assert (tin.value, tin.games, tin.win.units) == ("tin", 4, 2)
    assert tin.win.estimate == 2 / 4  # won: games 0 and 1, seat 0 and 1; lost: 0 seat 2, 2 seat 0
    assert tin.score.estimate == (5 + 1 + 9 + 7) / 4
    assert_close(tin.win, interval([3, 1], [2, 0], True))
    assert_close(tin.score, interval([3, 1], [15, 7], False))
    assert (opal.value, opal.games, opal.win.estimate, opal.score.estimate) == ("opal", 1, 0, 7)
    assert (table.games, table.truncated, table.bounds) == (4, 0, False)


def test_other_kinds_count_only_where_they_are_asked_for():
    rows, events = games_frame(GAMES), events_frame(EVENTS)
    found = {
        kinds: {row.value: row.games for row in table_of(rows, events, kinds).rows}
        for kinds in [("reserved",), ("noble",), ("bought", "reserved"), ("bought", "noble")]
    }
    assert found == {
        ("reserved",): {"ruby": 1, "opal": 1},
        ("noble",): {"tin": 1},
        ("bought", "reserved"): {"tin": 4, "ruby": 1, "opal": 2},
        ("bought", "noble"): {"tin": 4, "opal": 1},
    }


def test_wins_are_those_of_the_whole_game():
    """A tie is shared with seats that had no event, and a split game is by all its seats."""
    games = [
        game(0, ["bold", "calm", "greedy"], [5, 5, 1]),
        game(1, ["bold"] * 4, [1, 2, 3, 4], end="truncated"),
    ]
    events = events_frame([(0, 1, "bought", "tin"), (1, 0, "bought", "ruby")])
    table = table_of(games_frame(games), events, ties="share", truncated="split")
    assert {row.value: row.win.estimate for row in table.rows} == {"tin": 0.5, "ruby": 0.25}
    assert {row.value: row.win_bounds for row in table.rows} == {"tin": (0.5, 0.5), "ruby": (0, 1)}


def test_equal_shares_stand_in_the_order_of_the_words():
    events = [(0, 0, "bought", card) for card in ("opal", "tin", "ruby")]
    table = table_of(games_frame(GAMES), events_frame(events))
    assert [row.value for row in table.rows] == ["tin", "ruby", "opal"]


def test_numbers_in_place_of_words():
    numbers = {"tin": 7, "ruby": -1, "opal": 300}
    events = [(*event[:3], numbers[event[3]]) for event in EVENTS]
    in_words = table_of(games_frame(GAMES), events_frame(EVENTS))
    in_numbers = table_of(games_frame(GAMES), events_frame(events, pl.Int32), cuts=[2])
    assert [row.value for row in in_numbers.rows] == [numbers[row.value] for row in in_words.rows]
    assert [row.win for row in in_numbers.rows] == [row.win for row in in_words.rows]


def test_many_words_are_fine_and_many_numbers_are_not():
    games = games_frame([game(i, ["bold", "calm"], [1, 2]) for i in range(300)])
    numbers = [(i, 0, "bought", i) for i in range(300)]
    with pytest.raises(UserError, match="'card' has at least 300 different values"):
        table_of(games, events_frame(numbers, pl.Int32))
    words = [f"card_{i}" for i in range(300)]
    events = [(i, 0, "bought", words[i]) for i in range(300)]
    assert len(table_of(games, events_frame(events, pl.Enum(words))).rows) == 300


def test_nothing_at_all():
    rows, none = games_frame(GAMES), events_frame([])
    for events in (none, events_frame([(0, 0, "noble", "tin")]), none.cast({"card": pl.Int32})):
        table = table_of(rows, events, cuts=[2])
        assert (table.rows, table.games) == ([], 4)
    assert event_table([], "card", "card", ["bought"]).rows == []
    assert table_of(games_frame([]), none).rows == []


def test_only_the_needed_columns_are_read():
    rows, events = games_frame(GAMES), events_frame(EVENTS).with_columns(turn=1)
    for ties in ("ordinal", "share"):
        few = table_of(rows[row_columns(ties)], events[event_columns("card")], ties=ties)
        assert few == table_of(rows, events, ties=ties)


# --- slips and defects ---------------------------------------------------------------------------


def test_unknown_rules_get_the_nearest_name():
    with pytest.raises(UserError, match="did you mean share"):
        event_table([], "card", "card", ["bought"], ties="shared")
    with pytest.raises(UserError, match="did you mean split"):
        event_table([], "card", "card", ["bought"], truncated="splitt")
    with pytest.raises(UserError, match=r"such as 0\.95"):
        event_table([], "card", "card", ["bought"], level=95)


def test_a_deal_split_between_frames_is_a_defect():
    rows, events = games_frame(GAMES), events_frame(EVENTS)
    with pytest.raises(ValueError, match="deal 0 is split"):
        table_of(rows, events, cuts=[1])


@pytest.mark.parametrize(
    "event", [(4, 0, "bought", "tin"), (1, 3, "bought", "tin"), (3, 3, "bought", "tin")], ids=str
)
def test_an_event_without_a_row_is_a_defect(event):
    with pytest.raises(ValueError, match="belongs to no row"):
        table_of(games_frame(GAMES), events_frame([*EVENTS, event]))
    with pytest.raises(ValueError, match="belongs to no row"):
        table_of(games_frame(GAMES)[3:], events_frame(EVENTS))


def test_frames_with_other_words_are_a_defect():
    rows = split(games_frame(GAMES), [2])
    events = [events_frame(EVENTS[:6]), events_frame(EVENTS[6:], pl.Enum(CARDS[::-1]))]
    with pytest.raises(ValueError, match="differ in the categories of 'card'"):
        event_table(zip(rows, events, strict=True), "card", "card", ["bought"])


# --- size ----------------------------------------------------------------------------------------


def shards(count, games=2**12, seats=4, each=40):
    """Yield rows and events of `count` shards, each made when it is asked for."""
    words = pl.Enum([f"card_{i}" for i in range(90)])
    for shard in range(count):
        number = np.arange(shard * games, (shard + 1) * games, dtype=np.uint64)
        score = (np.arange(games * seats) * 7 % 11).astype(np.int32)
        rows = pl.DataFrame(
            {
                "game": number.repeat(seats),
                "deal": number.repeat(seats),
                "seat": np.tile(np.arange(seats, dtype=np.uint8), games),
                "score": score,
                "win": (score > 8).astype(np.float64),
                "end_reason": pl.repeat("finished", games * seats, eager=True),
            }
        )
        card = (np.arange(games * each) * 31 % 90).astype(np.uint8)
        events = pl.DataFrame(
            {
                "game": number.repeat(each),
                "seat": np.tile(np.arange(each) % seats, games).astype(np.uint8),
                "event": pl.repeat("bought", games * each, dtype=pl.Enum(KINDS), eager=True),
                "card": pl.Series(card).cat.to(words),
            }
        )
        yield rows, events


def test_memory_does_not_grow_with_the_run():
    peaks = []
    for count in (1, 2, 8):  # the first warms up
        tracemalloc.start()
        table = event_table(shards(count), "card", "card", ["bought"])
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert (table.games, len(table.rows)) == (count * 2**12, 90)
    assert peaks[2] < 1.2 * peaks[1]
