from __future__ import annotations

import pytest

from tests.games.diamant.cave import cave, everybody, signature, wish

PATH = "trap_ram treasure_01 trap_snake relic trap_lava trap_spider"


def test_signature() -> None:
    assert signature("trap_count") == "trap_count(traps=3)"


@pytest.mark.parametrize(("depth", "types"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 4)])
def test_leaves_at_so_many_different_traps(depth: int, types: int) -> None:
    table = everybody(cave(PATH), *["stay"] * (depth - 1))
    assert wish(table, f"trap_count(traps={types})") == "leave"
    assert wish(table, f"trap_count(traps={types + 1})") == "stay"
    assert wish(table, "trap_count") == ("leave" if types >= 3 else "stay")


def test_traps_of_the_last_expedition_do_not_count() -> None:
    table = everybody(cave("trap_ram trap_snake", "trap_lava"), "stay", "leave")
    assert table.public.expedition == 2
    assert wish(table, "trap_count(traps=2)") == "stay"
