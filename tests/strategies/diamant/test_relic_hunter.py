from __future__ import annotations

import pytest

from simlab import Table
from tests.games.diamant.cave import cave, everybody, go, signature, wish


def test_signature() -> None:
    assert signature("relic_hunter") == "relic_hunter(value=5, alone=0.5, risk=0.2)"


def one_other() -> Table:
    """Return a table with two inside and one relic on the path, in the first expedition."""
    return go(cave("treasure_01 relic"), "leave stay stay")


@pytest.mark.parametrize(
    ("value", "alone", "word"),
    [(5, 0.5, "leave"), (5, 0.51, "stay"), (6, 0.5, "stay"), (0, 0.5, "leave")],
)
def test_needs_a_valuable_relic_and_enough_hope(value: int, alone: float, word: str) -> None:
    assert wish(one_other(), f"relic_hunter(value={value}, alone={alone})") == word


def test_the_defaults() -> None:
    assert wish(one_other(), "relic_hunter") == "leave"
    assert wish(cave("relic"), "relic_hunter") == "stay"  # two others: alone 1 / 4
    assert wish(cave("relic"), "relic_hunter(alone=0.25)") == "leave"
    assert wish(go(cave("treasure_09 treasure_11"), "leave stay stay"), "relic_hunter") == "stay"


def test_relics_are_worth_what_they_would_pay_now() -> None:
    table = cave("relic relic relic", "relic", expeditions=2)
    go(everybody(table, "stay", "stay"), "leave stay stay", "leave leave")
    assert table.public.recovered == 3
    assert wish(table, "relic_hunter(value=10, alone=0)") == "leave"
    assert wish(table, "relic_hunter(value=11, alone=0)") == "stay"


def test_printed_values_count_where_they_are_paid() -> None:
    table = cave("treasure_01", "artifact_2020_2", rules="incan_gold_2020")
    everybody(table, "leave")
    assert wish(table, "relic_hunter(value=7, alone=0)") == "leave"
    assert wish(table, "relic_hunter(value=8, alone=0)") == "stay"


@pytest.mark.parametrize(("risk", "word"), [(6 / 28, "stay"), (0.214, "leave")])
def test_leaves_above_the_risk_without_any_relic(risk: float, word: str) -> None:
    path = "trap_ram treasure_03 trap_snake trap_lava treasure_01 treasure_02 treasure_04"
    table = everybody(cave(path), *["stay"] * 6)
    assert wish(table, f"relic_hunter(risk={risk!r})") == word
