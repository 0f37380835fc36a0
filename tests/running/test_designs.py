"""Designs: blocks of games on one deal, the same however a run is cut."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from simlab.running.designs import Blocks, Plain, blocks_of, rotations
from simlab.running.rows import rows_frame
from simlab.running.spec import Spec, make_spec
from simlab.running.worker import Worker

LINE_UP = ["threshold(gems=9)", "random", "risk_limit"]
SEATED = Blocks((*rotations((0, 1, 2)), (1, 1, 1)))


def spec(design: Any = SEATED) -> Spec:
    return replace(make_spec("diamant", 3, LINE_UP), blocks=design)


def test_a_plain_run_turns_its_line_up_by_a_seat_from_game_to_game() -> None:
    design = Plain(3, rotate=True)
    assert design.block == 1
    assert design.entries(4, 4).tolist() == [[2, 0, 1], [1, 2, 0], [0, 1, 2], [2, 0, 1]]
    assert Plain(3, rotate=False).entries(4, 2).tolist() == [[0, 1, 2], [0, 1, 2]]


def test_rotations_give_every_entry_every_seat() -> None:
    found = rotations((5, 7, 2, 2))
    assert len(found) == 4
    assert all(sorted(column) == [2, 2, 5, 7] for column in zip(*found, strict=True))


def test_blocks_repeat_their_arrangements() -> None:
    assert SEATED.block == 4
    assert SEATED.entries(3, 3).tolist() == [[1, 1, 1], [0, 1, 2], [2, 0, 1]]
    assert blocks_of(SEATED.document(), 3) == SEATED
    assert blocks_of("plain", 3) is None


def test_the_games_of_a_block_are_on_one_deal_and_are_the_same_however_cut() -> None:
    whole = Worker(spec(), events=False).play(0, 40)
    frame = rows_frame(spec(), 0, whole.results)
    assert frame["deal"].to_list() == [game // 4 for game in range(40) for _ in range(3)]
    names = frame.filter(game=3)["strategy"].to_list()
    assert names == ["random"] * 3
    parts = [Worker(spec(), events=False).play(first, games) for first, games in ((0, 7), (7, 33))]
    assert np.array_equal(np.concatenate([part.results for part in parts]), whole.results)


def test_two_who_never_draw_play_the_same_game_in_every_block() -> None:
    same = spec(Blocks(((0, 0, 2), (0, 0, 2))))
    found = Worker(same, events=False).play(0, 60).results
    assert np.array_equal(found[0::2], found[1::2])
    assert not np.array_equal(found[0::2], np.roll(found[0::2], 1, 0))


def test_a_shard_holds_whole_deals() -> None:
    assert spec().shard_games == 2**18
    assert spec(Blocks(rotations((0, 1, 2)))).shard_games == 2**18 // 3 * 3


@pytest.mark.parametrize("plain", [False, True])
def test_lockstep_and_uncompiled_play_know_blocks(
    plain: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = Worker(spec(), events=True).play(3, 21)
    if plain:
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    found = Worker(spec(), events=True).play(3, 21)
    assert np.array_equal(found.results, wanted.results)
    assert np.array_equal(found.events, wanted.events)
