from __future__ import annotations

import pytest

from tests.games.diamant.cave import cave, everybody, signature, wish

CALM = "treasure_01 treasure_02 treasure_03 treasure_04 treasure_05 treasure_07 relic relic"


def test_signature() -> None:
    assert signature("fixed_depth") == "fixed_depth(cards=7)"


@pytest.mark.parametrize("cards", [1, 2, 5, 7])
def test_leaves_after_the_card_of_that_number(cards: int) -> None:
    table = everybody(cave(CALM), *["stay"] * (cards - 1))
    assert table.public.depth == cards
    assert wish(table, f"fixed_depth(cards={cards})") == "leave"
    assert wish(table, f"fixed_depth(cards={cards + 1})") == "stay"


def test_leaves_after_any_later_card_too() -> None:
    table = everybody(cave(CALM), *["stay"] * 7)
    assert wish(table, "fixed_depth") == "leave"


def test_seven_by_default() -> None:
    table = everybody(cave(CALM), *["stay"] * 5)
    assert wish(table, "fixed_depth") == "stay"
    assert wish(everybody(table, "stay"), "fixed_depth") == "leave"
