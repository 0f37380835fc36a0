from __future__ import annotations

import pytest

from simlab import Table
from tests.games.diamant.cave import cave, everybody, go, signature, wish


def test_signature() -> None:
    assert signature("sweeper") == "sweeper(gems=4, alone=0.5, risk=0.2)"


def known_stayers() -> Table:
    """Return a table of three where 2 + 2 gems are left and nobody ever left after card 2."""
    quiet = "treasure_01 treasure_02 treasure_03"
    table = everybody(cave(quiet, "treasure_05 treasure_11"), "stay", "stay", "leave", "stay")
    assert (table.public.expedition, table.public.depth, table.public.leftover) == (2, 2, 4)
    return table


ALONE = (1 - 1 / 3) ** 2  # two others, each one decision and no exit after card 2


@pytest.mark.parametrize(
    ("gems", "alone", "word"),
    [
        (4, ALONE - 1e-9, "leave"),
        (4, ALONE + 1e-9, "stay"),
        (5, ALONE - 1e-9, "stay"),
        (1, 0, "leave"),
        (5, 0, "stay"),
    ],
)
def test_needs_enough_leftovers_and_enough_hope(gems: int, alone: float, word: str) -> None:
    assert wish(known_stayers(), f"sweeper(gems={gems}, alone={alone!r})") == word


def test_the_defaults() -> None:
    assert wish(known_stayers(), "sweeper") == "stay"  # alone 4 / 9
    table = go(known_stayers(), "stay stay leave")  # seat 2 takes the 4 gems
    assert table.public.leftover < 4
    assert wish(table, "sweeper(alone=0)") == "stay"


@pytest.mark.parametrize(("risk", "word"), [(6 / 28, "stay"), (0.214, "leave")])
def test_leaves_above_the_risk_whatever_lies_there(risk: float, word: str) -> None:
    path = "trap_ram treasure_03 trap_snake trap_lava relic relic relic"
    table = everybody(cave(path), *["stay"] * 6)
    assert table.public.leftover == 0
    assert wish(table, f"sweeper(risk={risk!r})") == word


def test_takes_the_sum_of_leftovers_for_itself() -> None:
    """Three leftovers of one gem are three gems for a lone leaver (m = 1)."""
    table = everybody(cave("treasure_01 treasure_04 treasure_07"), "stay", "stay")
    assert wish(table, "sweeper(gems=3, alone=0)") == "leave"
    assert wish(table, "sweeper(gems=4, alone=0)") == "stay"
