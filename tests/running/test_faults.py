"""A strategy that fails or plays illegally stops the run and is explained."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import simlab
from simlab import strategy
from simlab.errors import StrategyError
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
    import re

    assert re.search(says, told), told
    assert re.match(rf"{kind}\(at=3\) (failed )?in game \d+, seat 1, decision \d+", told)
    assert "Replay: simlab replay diamant --players 3 --seed 1 --game" in told
    assert f"-s never_leave -s {kind} -s random --seats fixed" in told


def test_the_traceback_shows_the_persons_code_alone(tmp_path: Path) -> None:
    told = play(tmp_path, raising)
    assert 'raise ValueError("no plan for this card")' in told
    assert "test_faults.py" in told
    assert "simlab/core" not in told


def test_what_only_compiled_code_sees_is_told_too(tmp_path: Path) -> None:
    told = play(tmp_path, dividing)
    assert "FloatingPointError: divide by zero" in told
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
        return {"a": [1, "x"]}["a"][0] + len(open("x").read())

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
