"""A strategy that fails or plays illegally stops the run and is explained."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import simlab
from simlab import strategy
from simlab.errors import StrategyError, UserError
from simlab.games.diamant import LEAVE, STAY


@strategy("diamant")
def raising(table, me, at: int = 3):
    """Has no plan for a card."""
    if table.depth == at and table.expedition == 2:
        raise ValueError("no plan for this card")
    return STAY


@strategy("diamant")
def illegal(table, me, at: int = 3):
    """Plays an action that there is not."""
    return 7 if table.depth == at else STAY


@strategy("diamant")
def outside(table, me, at: int = 3):
    """Reads beyond the end of an array."""
    return LEAVE if table.carried[me.explorer + 4 * table.depth] > 100 else STAY


@strategy("diamant")
def dividing(table, me):
    """Divides by zero after the third card."""
    return LEAVE if 10 // (3 - table.depth) > 100 else STAY


FAULTY = {
    "raising": (raising, "ValueError: no plan for this card"),
    "illegal": (illegal, "'7' is not legal for seat 1 .leave_or_stay.; legal: stay, leave"),
    "outside": (outside, "IndexError"),
}


def play(tmp_path: Path, function: Any, **how: Any) -> str:
    with pytest.raises(StrategyError) as caught:
        simlab.run("diamant", 3, 50, ["never_leave", function, "random"], seats="fixed",
                   out=tmp_path / "run", **how)  # fmt: skip
    return str(caught.value)


@pytest.mark.parametrize("plain", [False, True], ids=["compiled", "plain"])
@pytest.mark.parametrize("kind", FAULTY)
def test_a_fault_names_strategy_game_seat_decision_and_replay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, plain: bool
) -> None:
    if plain:
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    function, says = FAULTY[kind]
    told = play(tmp_path, function, jobs=1)
    assert re.search(says, told), told
    assert re.match(rf"{kind}\(at=3\) (failed )?in game \d+, seat 1, decision \d+", told)
    again = rf"Replay: (simlab\.replay\(.*lineup=\['never_leave', {kind}, 'random'\].*\))"
    command = re.search(again, told)
    assert command, told
    with pytest.raises(StrategyError, match=kind):
        eval(command.group(1), {"simlab": simlab, kind: function})


def test_the_traceback_shows_the_persons_code_alone(tmp_path: Path) -> None:
    told = play(tmp_path, raising)
    assert 'raise ValueError("no plan for this card")' in told
    assert "test_faults.py" in told
    assert "simlab/core" not in told


def test_what_only_compiled_code_sees_is_told_too(tmp_path: Path) -> None:
    told = play(tmp_path, dividing)
    assert "ZeroDivisionError: " in told
    assert "seat 1" in told


def test_finished_shards_are_kept(tmp_path: Path) -> None:
    @strategy("diamant")
    def late(table, me, rng):
        """Fails once in a hundred thousand games."""
        if simlab.below(rng, 3_000_000) == 0:
            raise RuntimeError("bad luck")
        return LEAVE

    with pytest.raises(StrategyError, match="bad luck"):
        simlab.run("diamant", 3, 2_000_000, [late], out=tmp_path / "run")
    shards = simlab.running.dataset.read_run_file(tmp_path / "run").shards  # type: ignore[attr-defined]
    assert [s.number for s in shards] == list(range(len(shards)))


def test_a_strategy_that_numba_cannot_type_is_one_sentence(tmp_path: Path) -> None:
    @strategy("diamant")
    def untyped(table, me):
        """Uses what numba does not know."""
        return len(str({1: "a", "b": 2})) % 2

    with pytest.raises(StrategyError) as caught:
        simlab.run("diamant", 3, 50, [untyped], out=tmp_path / "run")
    told = str(caught.value)
    assert "untyped" in told
    assert "test_faults.py" in told
    assert "compiled=False" in told
    assert "\n" not in told


def test_a_plain_strategy_plays_uncompiled(tmp_path: Path) -> None:
    @strategy("diamant", compiled=False)
    def plain(table, me, gems: int = 10):
        """Plain Python with a dictionary."""
        return {True: LEAVE, False: STAY}[bool(table.carried[me.explorer] >= gems)]

    ours = simlab.run("diamant", 3, 60, [plain, "random", "random"], out=tmp_path / "a")
    theirs = simlab.run(
        "diamant", 3, 60, ["threshold(gems=10)", "random", "random"], out=tmp_path / "b"
    )
    scores = [run.scan().collect()["score"].to_list() for run in (ours, theirs)]
    assert scores[0] == scores[1]


@strategy("diamant")
def cheating(table, me):
    """Helps itself."""
    table.carried[me.explorer] = 100
    return LEAVE


@strategy("diamant")
def rewriting(table, me, rules):
    """Changes the cards."""
    rules.value[:] = 100
    return LEAVE if table.depth > 4 else STAY


@strategy("diamant")
def enriching(me):
    """Fills its chest."""
    me.chest = 1000
    return LEAVE


@pytest.mark.parametrize("function", [cheating, rewriting, enriching])
@pytest.mark.parametrize("plain", [False, True], ids=["compiled", "plain"])
def test_a_strategy_cannot_change_what_it_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, function: Any, plain: bool
) -> None:
    if plain:
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert "may look at table, me and rules, not change them" in play(tmp_path, function)
    assert not (tmp_path / "run").exists() or plain


@strategy("diamant")
def fractional(table):
    """Cannot make up its mind."""
    return 0.5 if table.depth > 3 else 1.9


@strategy("diamant")
def silent(table):
    """Forgets to answer."""
    if table.depth > 3:
        return LEAVE
    return None


@strategy("diamant")
def talking(table):
    """Answers in words."""
    return "leave"


@strategy("diamant")
def printing(table):
    """Talks to the terminal."""
    print(table.depth)
    return LEAVE


@strategy("diamant")
def misreading(table):
    """Reads a field that there is not."""
    return LEAVE if table.depht > 3 else STAY


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (fractional, "the strategy returned 1.9; an action is a whole number"),
        (silent, "the strategy returned None; an action is a whole number"),
        (talking, "the strategy returned 'leave'; an action is a whole number"),
        (printing, "use note"),
        (misreading, "'depht' (did you mean depth?)"),
    ],
)
def test_what_no_strategy_can_be_is_one_sentence(tmp_path: Path, function: Any, says: str) -> None:
    told = play(tmp_path, function)
    assert says in told.partition("\n")[0]
    assert not (tmp_path / "run").exists()


@strategy("diamant")
def rarely_silent(table):
    """Forgets to answer where its first games do not lead."""
    if table.depth < 30:
        return LEAVE if table.depth > 2 else STAY
    return None


def test_what_only_numba_sees_is_one_sentence_too(tmp_path: Path) -> None:
    told = play(tmp_path, rarely_silent)
    assert "it returns nothing on some path" in told
    assert "return an action on every path" in told
    assert "\n" not in told


def test_two_strategies_of_one_name_are_refused(tmp_path: Path) -> None:
    @strategy("diamant", name="threshold")
    def mine(table):
        """Another one of that name."""
        return LEAVE

    with pytest.raises(UserError, match=r"two strategies are named 'threshold': .*test_faults"):
        simlab.run("diamant", 3, 50, [mine, "threshold", "random"], out=tmp_path / "run")


@pytest.mark.parametrize("compiled", [True, False])
def test_what_a_strategy_closes_over_is_part_of_the_run(tmp_path: Path, compiled: bool) -> None:
    def make(gems: int) -> Any:
        @strategy("diamant", compiled=compiled)
        def made(table, me):
            """Leave with so many."""
            return LEAVE if table.carried[me.explorer] >= gems else STAY

        return made

    first = simlab.plan("diamant", 3, 60, [make(5)])["hash"]
    assert simlab.plan("diamant", 3, 60, [make(5)])["hash"] == first
    assert simlab.plan("diamant", 3, 60, [make(20)])["hash"] != first


def test_a_worker_that_dies_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    monkeypatch.setenv("SIMLAB_TEST", str(os.getpid()))

    @strategy("diamant", compiled=False)
    def dying(table):
        """Takes its process with it."""
        if table.expedition == 3 and os.getpid() != int(os.environ.get("SIMLAB_TEST", "0")):
            os._exit(9)
        return LEAVE

    with pytest.raises(UserError, match=r"a worker process died .* the same command continues"):
        simlab.run("diamant", 3, 40, [dying], out=tmp_path / "run", backend="processes", jobs=2)
