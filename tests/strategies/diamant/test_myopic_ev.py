from __future__ import annotations

from pathlib import Path

import pytest

from simlab import Table
from tests.games.diamant.cave import cave, everybody, go, signature, small_box, wish


def test_signature() -> None:
    assert signature("myopic_ev") == "myopic_ev(weight=1)"


def four_inside() -> Table:
    """Return a table where each of four carries 17 // 4 + 11 // 4 = 6 and 1 + 3 gems are left."""
    path = "treasure_17 trap_ram treasure_11 trap_snake"
    return everybody(cave(path, players=4), "stay", "stay", "stay")


LEFT = [1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 13, 14, 15]
LOSS = 4 / 31 * (6 + 1 + 3)
GAIN = sum(value // 4 for value in LEFT) / 31


def test_weighs_carried_and_all_leftovers_against_the_floor_of_every_share() -> None:
    ratio = LOSS / GAIN
    assert wish(four_inside(), f"myopic_ev(weight={ratio - 1e-6!r})") == "leave"
    assert wish(four_inside(), f"myopic_ev(weight={ratio + 1e-6!r})") == "stay"


def test_the_default_weight_is_1() -> None:
    assert LOSS > GAIN
    assert wish(four_inside(), "myopic_ev") == "leave"


def test_a_lone_explorer_takes_the_exact_one_step_decision() -> None:
    """Alone with 20 gems: the risk times 20 against the mean of the treasures left."""
    path = "treasure_03 trap_ram treasure_17 trap_snake"
    table = go(cave(path), "leave leave stay", "stay", "stay")
    loss = 4 / 31 * (1 + 17)
    gain = (124 - 3 - 17) / 31
    assert loss < gain
    assert wish(table, "myopic_ev") == "stay"
    assert wish(table, f"myopic_ev(weight={loss / gain - 1e-6!r})") == "leave"


def test_stays_while_there_is_no_risk() -> None:
    assert wish(cave("treasure_17"), "myopic_ev(weight=0.01)") == "stay"


@pytest.mark.parametrize("weight", [0, 1, 100])
def test_leaves_where_nothing_can_be_lost_or_won(tmp_path: Path, weight: int) -> None:
    """At the end of the deck both sides are 0, and 0 >= 0."""
    box = small_box(tmp_path, "t treasure - 5 1;a trap a - 1")
    table = everybody(cave("t a", cards=box), "stay")
    assert wish(table, f"myopic_ev(weight={weight})") == "leave"
