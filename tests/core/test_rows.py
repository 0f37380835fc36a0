"""Cells of data files."""

from __future__ import annotations

import pytest

from simlab.core.rows import place_of, whole
from simlab.errors import UserError

ROW = {"points": " 7 ", "cost": "-3", "words": "seven", "empty": "", "file_line": "4"}


def test_a_whole_number_is_read() -> None:
    assert whole(ROW, "points", "x", 0, 9) == 7
    assert whole(ROW, "cost", "x", -5, 0) == -3


@pytest.mark.parametrize(
    ("column", "low", "high"), [("points", 8, 9), ("words", 0, 9), ("empty", 0, 9), ("cost", 0, 9)]
)
def test_anything_else_is_refused_with_its_place(column: str, low: int, high: int) -> None:
    where = place_of(ROW, "cards.csv")
    with pytest.raises(
        UserError, match=rf"cards\.csv, line 4: {column} is .* from {low} to {high}"
    ):
        whole(ROW, column, where, low, high)
