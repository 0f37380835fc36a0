from __future__ import annotations

import pytest

from tests.games.diamant.cave import cave, everybody, go, signature, wish


def test_signature() -> None:
    assert signature("threshold") == "threshold(gems=15)"


@pytest.mark.parametrize(("gems", "word"), [(9, "leave"), (10, "leave"), (11, "stay")])
def test_leaves_once_carrying_so_many_gems(gems: int, word: str) -> None:
    table = everybody(cave("treasure_17 treasure_15"), "stay")
    assert wish(table, f"threshold(gems={gems})") == word


def test_the_default_is_15() -> None:
    table = everybody(cave("treasure_17 treasure_15 treasure_13"), "stay")
    assert wish(table, "threshold") == "stay"  # 5 + 5
    assert wish(everybody(table, "stay"), "threshold") == "stay"  # 14
    table = everybody(cave("treasure_17 treasure_15 treasure_14 treasure_03"), *["stay"] * 3)
    assert wish(table, "threshold") == "leave"  # 5 + 5 + 4 + 1


def test_leftovers_and_the_chest_do_not_count() -> None:
    table = go(cave("treasure_11 relic", "treasure_05", players=4), "leave leave leave leave")
    assert table.scores[0] == 2
    assert wish(table, "threshold(gems=2)") == "stay"  # carries 1, leftover 1, chest 2
    assert wish(table, "threshold(gems=1)") == "leave"


def test_each_of_two_explorers_counts_its_own_gems() -> None:
    table = go(cave("treasure_09 treasure_13", players=2, explorers=2), "leave stay stay stay")
    assert table.to_move == 0  # its second explorer carries 2 + 4, its first brought 3 home
    assert wish(table, "threshold(gems=6)") == "leave"
    assert wish(table, "threshold(gems=7)") == "stay"
