from __future__ import annotations

from typing import Any

import pytest

from simlab import Table
from tests.games.diamant.cave import cave, everybody, go, signature, wish

TRAPS = "trap_ram trap_snake trap_lava"
LEADER, BEHIND = -5, 5  # gems by which the best other chest is ahead
EDGE = 1e-9


def test_signature() -> None:
    assert signature("score_aware") == "score_aware(risk=0.15, slope=0.05)"


def position(gap: int, expedition: int, path: str = TRAPS, **changed: Any) -> Table:
    """Return a table at the end of `path`; chests are 8, 3, 3 for the leader, else 3, 8, 3."""
    quiet = ["treasure_01"] * (expedition - 2)
    table = cave("treasure_09 relic trap_spider", *quiet, path, **changed)
    first = "leave stay stay" if gap == LEADER else "stay leave stay"
    go(table, "stay stay stay", first, "leave leave")
    everybody(table, *["leave"] * (expedition - 2), *["stay"] * path.count(" "))
    assert table.scores == ([8, 3, 3] if gap == LEADER else [3, 8, 3])
    assert (table.public.expedition, table.to_move) == (expedition, 0)
    return table


@pytest.mark.parametrize("gap", [LEADER, BEHIND])
@pytest.mark.parametrize("expedition", [2, 3, 5])
@pytest.mark.parametrize("slope", [0.05, 0.3, -0.3])
def test_the_limit_moves_with_the_chests_and_the_expedition(
    gap: int, expedition: int, slope: float
) -> None:
    table = position(gap, expedition, trap_removal="none")
    risk = 6 / (35 - 1 - 3)  # one relic is gone, three cards are on the path
    base = risk - slope * gap / 10 * (expedition / 5)
    assert wish(table, f"score_aware(risk={base - EDGE!r}, slope={slope})") == "leave"
    assert wish(table, f"score_aware(risk={base + EDGE!r}, slope={slope})") == "stay"


def test_leads_cautiously_and_follows_boldly() -> None:
    """The risk is 4 / 32 = 0.125 in the fifth expedition; the limits are 0.125 -+ 0.025."""
    words = [
        wish(
            position(gap, 5, "trap_ram trap_snake", trap_removal="none"), "score_aware(risk=0.125)"
        )
        for gap in (LEADER, BEHIND)
    ]
    assert words == ["leave", "stay"]


def test_the_limit_is_never_below_0() -> None:
    table = position(BEHIND, 2, "treasure_01")
    assert table.public.danger == 0
    assert wish(table, "score_aware(slope=-10)") == "stay"
    assert wish(position(BEHIND, 2, "trap_ram"), "score_aware(slope=-10)") == "leave"


def test_the_limit_is_never_above_1() -> None:
    table = position(BEHIND, 2).play_out(["score_aware(slope=10)", "leave_first", "leave_first"])
    notes = [entry.text for entry in table.log if entry.kind == "note"]
    assert notes[0] == "  (seat 0: limit = 1)"


@pytest.mark.parametrize("slope", [-10, 0, 10])
@pytest.mark.parametrize("gap", [LEADER, BEHIND])
def test_without_memory_of_chests_it_is_risk_limit(slope: float, gap: int) -> None:
    table = position(gap, 2, observation="no_chest_memory")
    risk = int(table.public.danger) / int(table.public.deck)
    for limit in (risk - EDGE, risk + EDGE):
        own = wish(table, f"score_aware(risk={limit!r}, slope={slope})")
        assert own == wish(table, f"risk_limit(risk={limit!r})")
