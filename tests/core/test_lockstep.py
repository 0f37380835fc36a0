"""The same strategy compiled, plain and over many games at once plays the same games."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any, Literal

import numpy as np
import pytest

from simlab import Strategy, ask, batch_strategy, below, strategy, take_each, uniform
from simlab.core import lockstep
from simlab.core.lockstep import Flight, plain_pump
from simlab.core.strategy import Bound, Player, bind
from simlab.core.views import Rows, Written, cursor, one_action
from simlab.errors import StrategyError
from simlab.games.diamant import LEAVE, STAY
from simlab.running.replay import explain, replay_spec
from simlab.running.spec import Spec, make_spec
from simlab.running.worker import Worker

MEMO = [("asked", "i4"), ("last", "f8", (2,))]
Mood = Literal["calm", "wild"]


def one_at_a_time(table, me, rules, memo, rng, gems=10, mood="calm"):
    """Counts, remembers, throws dice and looks at the rules."""
    memo.asked += 1
    memo.last[0] = memo.last[1]
    memo.last[1] = uniform(rng)
    if mood == "wild" and below(rng, 4) == 0:
        return STAY
    if memo.asked % 5 == 0 and memo.last[0] > 0.5:
        return LEAVE
    wanted = gems * rules.expeditions
    return LEAVE if table.carried[me.explorer] * 5 >= wanted or table.depth > 11 else STAY


def many_at_once(table, me, rules, memo, rng, gems=10, mood="calm"):
    """The same with arrays."""
    memo.asked += 1
    memo.last[:, 0] = memo.last[:, 1]
    memo.last[:, 1] = uniform(rng)
    stays = below(rng, 4) == 0 if mood == "wild" else np.zeros(len(me), bool)
    tired = (memo.asked % 5 == 0) & (memo.last[:, 0] > 0.5)
    rich = take_each(table.carried, me.explorer) * 5 >= gems * rules.expeditions
    return np.where(~stays & (tired | rich | (table.depth > 11)), LEAVE, STAY)


def typed(function: Any, name: str) -> Any:
    """Return a copy with annotations, as a person would write them."""
    copy = type(function)(
        function.__code__, function.__globals__, name, function.__defaults__, function.__closure__
    )
    copy.__annotations__ = {"gems": int, "mood": Mood}
    copy.__doc__, copy.__module__ = function.__doc__, function.__module__
    return copy


compiled = strategy("diamant", memo=MEMO)(typed(one_at_a_time, "compiled"))
plain = strategy("diamant", memo=MEMO, compiled=False)(typed(one_at_a_time, "plain"))
batch = batch_strategy("diamant", memo=MEMO)(typed(many_at_once, "batch"))


@strategy("diamant")
def asks(table, me, rules, memo, rng, base: Strategy = "compiled", doubt: float = 0.2):
    """Asks another strategy and sometimes does the other thing."""
    action = ask(base, table, me, rules, memo, rng)
    return 1 - action if uniform(rng) < doubt else action


@batch_strategy("diamant", memo=[("turns", "i8")])
def asks_many(table, me, rules, memo, rng, base: Strategy = "compiled", doubt: float = 0.2):
    """The same with arrays, and a memo of its own."""
    memo.turns += 1
    action = ask(base, table, me, rules, memo, rng)
    return np.where(uniform(rng) < doubt, 1 - action, action)


OWN = {f.__strategy__.name: f.__strategy__ for f in (compiled, plain, batch, asks, asks_many)}


def find(name: str) -> Strategy:
    from simlab.core.registry import find_strategy

    return OWN.get(name) or find_strategy("diamant", name)


def spec_of(*texts: str) -> Spec:
    return make_spec("diamant", len(texts), [bind(text, find) for text in texts])


def play(spec: Spec, games: int = 60, first: int = 5) -> tuple[Any, Any]:
    worker = Worker(spec, events=True)
    done = worker.play(first, games)
    assert done.fault is None
    return done.results, done.events


WAYS = ("compiled", "plain", "batch")


@pytest.mark.parametrize("way", WAYS[1:])
@pytest.mark.parametrize(
    "line_up",
    [
        ["{}", "{}(gems=3)", "{}(mood=wild)"],
        ["{}(mood=wild)", "random", "threshold", "risk_limit", "{}"],
        ["{}"] * 8,
    ],
    ids=["parameters", "mixed", "eight"],
)
def test_three_ways_give_the_same_games(line_up: list[str], way: str) -> None:
    results, events = play(spec_of(*(text.format("compiled") for text in line_up)))
    others, their_events = play(spec_of(*(text.format(way) for text in line_up)))
    assert np.array_equal(results, others)
    assert np.array_equal(events, their_events)
    assert len(events) > 60


def test_all_ways_sit_at_one_table() -> None:
    results, _ = play(spec_of("compiled", "compiled", "compiled", "random"))
    mixed, _ = play(spec_of("compiled", "plain", "batch", "random"))
    assert np.array_equal(results, mixed)


@pytest.mark.parametrize("outer", ["asks", "asks_many"])
@pytest.mark.parametrize("inner", WAYS)
def test_strategies_inside_strategies(outer: str, inner: str) -> None:
    wanted, _ = play(spec_of("asks(base=compiled(gems=4), doubt=0.5)", "random", "compiled"))
    text = f"{outer}(base={inner}(gems=4), doubt=0.5)"
    found, _ = play(spec_of(text, "random", "compiled"))
    assert np.array_equal(wanted, found)


def test_batch_size_number_in_flight_and_replay_do_not_matter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spec = spec_of("batch(mood=wild)", "plain", "asks_many(base=batch)")
    whole, events = play(spec, 50, 0)
    worker = Worker(spec, events=True)
    parts = [worker.play(first, games) for first, games in ((0, 1), (1, 19), (20, 30))]
    assert np.array_equal(whole, np.concatenate([part.results for part in parts]))
    assert np.array_equal(events, np.concatenate([part.events for part in parts]))
    monkeypatch.setattr("simlab.running.worker.GAMES_IN_FLIGHT", 3)
    assert np.array_equal(whole, play(spec, 50, 0)[0])
    for game in (0, 17, 49):
        assert replay_spec(spec, game).table.scores == whole["score"][game].tolist()


def test_switched_off_numba_gives_the_same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = spec_of("batch(mood=wild)", "plain", "compiled")
    results, events = play(spec, 20)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert Worker(spec, events=True).plain
    others, their_events = play(spec, 20)
    assert np.array_equal(results, others)
    assert np.array_equal(events, their_events)


def test_the_uncompiled_loop_gives_the_same_games() -> None:
    spec = spec_of("batch(mood=wild)", "threshold", "plain")
    wanted, _ = play(spec, 20, 0)
    game = spec.game
    flight = Flight(game, 3, spec.line_up, spec.book.record, 7)
    results = np.zeros((20, 3), game.result).view(np.recarray)
    bars = np.zeros((3, 1), np.int64)
    entries = spec.design.entries(0, 20)
    head = (0, 20, spec.seed, game.decision_cap, 1, spec.design.block, entries, bars)
    players = [Player(bound) for bound in spec.line_up]
    foreign = [not bound.compiled for bound in spec.line_up]
    nodes = np.zeros((3, 1), lockstep.records.NODE)
    tail = (results, np.empty(0), np.zeros(20, np.int64), 0)
    head = (*head, players, foreign, nodes, spec.book.record)
    assert flight.play(plain_pump(game), head, tail, plain=True)
    assert np.array_equal(wanted, results)


def test_the_cap_of_decisions_truncates_as_in_the_kernel() -> None:
    short = copy.copy(spec_of("random", "random", "random").game)
    object.__setattr__(short, "decision_cap", 9)
    specs = [
        dataclasses.replace(spec_of(way, "random", "random"), game=short)
        for way in ("compiled", "batch", "plain")
    ]
    results = [play(spec)[0] for spec in specs]
    assert (results[0]["end_reason"] == 1).any()
    assert np.array_equal(results[0], results[1])
    assert np.array_equal(results[0], results[2])


# -- what goes wrong


@batch_strategy("diamant")
def raising(table, me):
    """Has no plan for a deep cave."""
    if (table.depth > 8).any():
        raise ValueError("no plan")
    return np.full(len(me), STAY)


@batch_strategy("diamant")
def together(table, me):
    """Fails only where many games are asked at once."""
    if len(me) > 1:
        raise ValueError("too many")
    return STAY


@batch_strategy("diamant")
def short(table, me):
    """Answers for some games only."""
    return np.zeros(max(len(me) - 1, 0), np.int64) if len(me) > 1 else [0, 0]


@batch_strategy("diamant")
def fractional(table, me):
    """Answers in fractions."""
    return table.depth / 2


@batch_strategy("diamant")
def illegal(table, me):
    """Plays an action that there is not, in the deep."""
    return np.where(table.depth > 8, 7, STAY)


@batch_strategy("diamant")
def writing(table, me):
    """Changes what it is shown."""
    table.leftover = 100
    return STAY


@batch_strategy("diamant")
def misreading(table, me):
    """Reads a field that there is not."""
    return table.depht > 3


def fault_of(function: Any) -> StrategyError:
    spec = make_spec("diamant", 3, ["random", function, "random"])
    fault = Worker(spec, events=False).play(0, 300).fault
    assert fault is not None
    assert spec.line_up[(fault.seat - fault.game) % 3].strategy.name == function.__name__
    return explain(spec, fault)


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (raising, "ValueError: no plan"),
        (illegal, "'7' is not legal"),
        (short, "one action for each, or one for all"),
        (fractional, "an action is a whole number"),
        (writing, "may look at table, me and rules, not change them"),
        (misreading, "did you mean depth"),
    ],
)
def test_a_fault_names_a_game_in_which_it_happens_alone(function: Any, says: str) -> None:
    told = str(fault_of(function))
    assert says in told
    assert "seat" in told
    assert "Replay: simlab.replay(" in told


def test_a_fault_of_many_games_together_is_said_to_be_one() -> None:
    told = str(fault_of(together))
    assert "ValueError: too many" in told
    assert "together" in told


def test_a_fault_of_a_plain_strategy_leaves_the_others_their_games() -> None:
    @strategy("diamant", compiled=False)
    def rarely(table, me, rng):
        """Fails once in a while."""
        if below(rng, 500) == 0:
            raise RuntimeError("bad luck")
        return LEAVE

    told = str(fault_of(rarely))
    assert "RuntimeError: bad luck" in told
    assert 'raise RuntimeError("bad luck")' in told


# -- views


def records() -> Any:
    made = np.zeros(6, [("x", "i4"), ("y", "f8", (3,))])
    made["x"] = np.arange(6)
    return made


def test_rows_gather_and_cannot_be_written() -> None:
    rows = Rows(records(), np.array([1, 3, 5]))
    assert rows.x.tolist() == [1, 3, 5]
    assert rows[rows.x > 1].x.tolist() == [3, 5]
    assert len(rows[[0]]) == 1
    with pytest.raises(ValueError, match="read-only"):
        rows.x = 3
    with pytest.raises(AttributeError, match="no attribute 'z'"):
        _ = rows.z


def test_what_is_written_into_a_gathered_field_is_written_back() -> None:
    made = records()
    rows = Written(made, np.array([1, 3]))
    rows.x += 10
    rows.y[:, 1] = [7, 8]
    rows.y[0] += 1
    last = rows.y[:, 2]
    last[1] = 9
    rows.x[rows.x > 12] = 0
    assert made["x"].tolist() == [0, 11, 2, 0, 4, 5]
    assert made["y"].tolist()[1] == [1, 8, 1]
    assert made["y"].tolist()[3] == [0, 8, 9]
    assert type(rows.x + 1) is np.ndarray


def test_a_cursor_reads_any_place_and_keeps_others_from_writing() -> None:
    made = records()
    seen = cursor(made)
    seen.at = 4
    assert seen.x == 4
    assert seen["x"] == 4
    with pytest.raises(ValueError, match="read-only"):
        seen.x = 3
    with pytest.raises(ValueError, match="read-only"):
        seen.y[0] = 3
    with pytest.raises(AttributeError, match="no attribute 'z'"):
        _ = seen.z
    own = cursor(made, writable=True)
    own.at = 2
    own.x = 40
    assert made["x"][2] == 40


def test_one_answer_for_all_is_enough() -> None:
    assert one_action(True, 3).tolist() == [1, 1, 1]
    assert one_action([0, 1], 2).tolist() == [0, 1]
    for wrong in ([0.5], "stay", None, [[0, 1]]):
        with pytest.raises(TypeError):
            one_action(wrong, 2)


def test_kinds_are_told() -> None:
    assert [OWN[name].kind for name in WAYS] == ["compiled", "plain", "batch"]
    inner = bind("asks(base=batch)", find)
    assert isinstance(inner, Bound)
    assert not inner.compiled
