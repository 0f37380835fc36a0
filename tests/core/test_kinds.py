"""Every kind of strategy plays the same games compiled and as plain Python."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
import pytest

from simlab import Range, Strategy, ask, below, copied, note, strategy, uniform
from simlab.core.registry import find_game
from simlab.core.strategy import Bound, bind
from simlab.errors import StrategyError
from simlab.games.diamant import LEAVE, STAY, view
from simlab.running.spec import Spec, make_spec
from simlab.running.worker import Worker


@strategy("diamant")
def worded(table, me, mood: Literal["calm", "wild", "odd"] = "calm", gems: int = 8):
    """A word of a list decides."""
    if mood == "wild":
        return STAY
    if mood != "calm":
        return LEAVE if table.depth % 2 == 1 else STAY
    return LEAVE if table.carried[me.explorer] >= gems else STAY


@strategy("diamant", memo=[("asked", "i4"), ("last", "f8", (2,))])
def counting(table, memo, rng, every: int = 4):
    """Leaves every so many decisions of the game: only a memo can know."""
    memo.asked += 1
    memo.last[0] = memo.last[1]
    memo.last[1] = uniform(rng)
    note("asked", memo.asked)
    return LEAVE if memo.asked % every == 0 or memo.last[0] > 0.9 else STAY


@strategy("diamant")
def doubting(table, me, rules, memo, rng, base: Strategy = "threshold", doubt: float = 0.25):
    """Asks another strategy and sometimes does the other thing."""
    action = ask(base, table, me, rules, memo, rng)
    return 1 - action if uniform(rng) < doubt else action


@strategy("diamant")
def thrifty(table, me, gems: int = 30):
    """Stays inside until its chest is full enough."""
    return LEAVE if me.chest + table.carried[me.explorer] >= gems else STAY


@strategy("diamant")
def boastful(
    table, me, rules, memo, rng, base: Strategy = "thrifty", gems: Annotated[int, Range(0, 99)] = 12
):
    """Asks another strategy as if its chest held more, twice, and looks at its own afterwards."""
    own = copied(me)
    first = LEAVE
    for _ in range(2):
        own.chest += gems
        first = ask(base, table, own, rules, memo, rng)
    return first if own.chest == me.chest + 2 * gems else -1


@strategy("diamant", memo=[("turns", "i4")])
def two_minds(
    table, me, rules, memo, rng, first: Strategy = "counting", second: Strategy = "threshold"
):
    """Has a memo of its own and asks two others by turns."""
    memo.turns += 1
    if memo.turns % 2 == 0:
        return ask(first, table, me, rules, memo, rng)
    return ask(second, table, me, rules, memo, rng)


@strategy("diamant")
def flagged(
    table, me, rules, brave: bool = False, limit: Annotated[float, Range(0, 1)] = 0.2, base: int = 2
):
    """A truth and a number in a range."""
    if brave:
        return view.default(table, me, rules)
    return LEAVE if view.risk(table) > limit or table.depth > base * 4 else STAY


@strategy("diamant")
def drawing(rng, sides: int = 6):
    """Throws a die."""
    return LEAVE if below(rng, sides) == 0 else STAY


OWN = {
    f.__strategy__.name: f.__strategy__
    for f in (worded, counting, doubting, thrifty, boastful, two_minds, flagged, drawing)
}
LINE_UPS = [
    ["worded", "worded(mood=wild)", "worded(mood=odd)", "worded(gems=3)"],
    ["counting", "counting(every=2)", "drawing", "drawing(sides=2)"],
    ["doubting", "doubting(base=counting(every=3), doubt=0.5)", "flagged", "flagged(brave=true)"],
    [
        "two_minds",
        "two_minds(first=counting(every=2), second=two_minds(first=counting, second=drawing))",
        "doubting(base=doubting(base=two_minds))",
        "random",
    ],
    ["boastful", "boastful(base=counting)", "boastful(base=boastful(gems=3))", "thrifty(gems=9)"],
]


def find(name: str) -> Strategy:
    from simlab.core.registry import find_strategy

    return OWN.get(name) or find_strategy("diamant", name)


def spec_of(texts: list[str], rules: str = "standard") -> Spec:
    line_up = [bind(text, find) for text in texts]
    return make_spec("diamant", len(line_up), line_up, rules)


def compiled_and_plain(spec: Spec, games: int, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    compiled = Worker(spec, events=True)
    by_address = compiled.play(3, games)
    compiled.use_inlined()
    inlined = compiled.play(3, games)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    worker = Worker(spec, events=True)
    assert worker.plain
    return [by_address, inlined, worker.play(3, games)]


@pytest.mark.parametrize("texts", LINE_UPS, ids=lambda texts: texts[0])
def test_compiled_inlined_and_plain_play_the_same_games(
    texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    played = compiled_and_plain(spec_of(texts), 40, monkeypatch)
    assert [batch.fault for batch in played] == [None] * 3
    for batch in played[1:]:
        assert np.array_equal(batch.results, played[0].results)
        assert np.array_equal(batch.events, played[0].events)
    assert len(played[0].events) == 40 * 4 * 5


def test_a_memo_starts_at_zero_in_every_game_and_is_seen_by_nobody_else() -> None:
    worker = Worker(spec_of(["counting(every=7)"] * 3), events=False)
    whole = worker.play(0, 30)
    alone = np.concatenate([worker.play(game, 1).results for game in reversed(range(30))][::-1])
    assert np.array_equal(whole.results, alone)


def test_parameters_do_not_recompile_a_strategy() -> None:
    worker = Worker(spec_of(["flagged(limit=0.1)", "flagged(limit=0.3)", "flagged(base=1)"]), False)
    scores = worker.play(0, 200).results["score"].mean(0)
    assert len({*worker._engine[1].tolist()}) == 1
    assert len({*scores.tolist()}) == 3


def test_labels_tell_parameters_that_differ_and_full_tells_all() -> None:
    bound = bind("doubting(base=counting(every=4), doubt=0.5)", find)
    assert bound.label == "doubting(base=counting, doubt=0.5)"
    assert bound.full == "doubting(base=counting(every=4), doubt=0.5)"
    assert bind("doubting(base=threshold, doubt=25%)", find).label == "doubting"
    assert bind(bound.full, find) == bound


def test_a_strategy_stays_a_plain_function() -> None:
    assert worded.__name__ == "worded"
    assert isinstance(bind(worded, find), Bound)
    assert find_game("incan-gold").name == "diamant"


ODD = np.arange(3)


def made_elsewhere(me):
    own = copied(me)
    own.chest += ODD[1]
    return own


@strategy("diamant")
def borrowing(table, me, rules, memo, rng, base: Strategy = "threshold"):
    """Lets a helper make the copy, which is gone when the helper returns."""
    return ask(base, table, made_elsewhere(me), rules, memo, rng)


def test_a_helper_cannot_make_a_copy() -> None:
    with pytest.raises(StrategyError, match=r"made_elsewhere \(.*\) calls copied"):
        Worker(make_spec("diamant", 3, [borrowing] * 3), events=False)
