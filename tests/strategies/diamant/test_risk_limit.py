from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.diamant.cave import cave, everybody, signature, small_box, wish

SEVEN = "trap_ram treasure_01 trap_snake treasure_02 trap_lava treasure_03 treasure_04"


def test_signature() -> None:
    assert signature("risk_limit") == "risk_limit(risk=0.15)"


@pytest.mark.parametrize(
    ("limit", "word"), [(0.214, "leave"), (6 / 28, "stay"), (0.215, "stay"), (0, "leave")]
)
def test_leaves_above_the_limit_and_not_at_it(limit: float, word: str) -> None:
    table = everybody(cave(SEVEN), *["stay"] * 6)  # risk 6 / 28
    assert wish(table, f"risk_limit(risk={limit!r})") == word


def test_stays_without_any_risk() -> None:
    assert wish(cave("treasure_17"), "risk_limit(risk=0)") == "stay"


def test_the_default_is_15_in_100() -> None:
    path = "trap_ram relic trap_snake relic relic relic relic trap_lava"
    table = everybody(cave(path), *["stay"] * 6)
    assert wish(table, "risk_limit") == "stay"  # 4 / 28
    assert wish(everybody(table, "stay"), "risk_limit") == "leave"  # 6 / 27


def test_counts_the_traps_that_left_the_game() -> None:
    """Two rams went with an accident: the last one is no risk, a snake's two sisters are."""
    table = everybody(cave("trap_ram trap_ram", "trap_ram trap_snake"), "stay", "stay")
    assert wish(table, f"risk_limit(risk={2 / 31!r})") == "stay"
    assert wish(table, "risk_limit(risk=0.064)") == "leave"


def test_stays_at_the_end_of_the_deck(tmp_path: Path) -> None:
    box = small_box(tmp_path, "t treasure - 5 1;a trap a - 1")
    table = everybody(cave("t a", cards=box), "stay")
    assert wish(table, "risk_limit(risk=0)") == "stay"
