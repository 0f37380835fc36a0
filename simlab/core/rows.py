"""Rows of a game's data files: reading what a person wrote in a cell."""

from __future__ import annotations

import re

from simlab.errors import UserError, shown


def place_of(row: dict[str, str], place: str) -> str:
    """Return where a row stands, for sentences: the file and the line."""
    return f"{place}, line {row['file_line']}"


def whole(row: dict[str, str], column: str, where: str, low: int, high: int) -> int:
    """Return the whole number of a cell; UserError saying `where` unless it is low to high."""
    text = (row[column] or "").strip()
    plain = re.fullmatch(r"0|-?[1-9][0-9]{0,8}", text, re.ASCII)  # 07 is no number but a word
    if plain is None or not low <= int(text) <= high:
        raise UserError(
            f"{where}: {column} is '{shown(text)}'; it takes a whole number from {low} to {high:,}."
        )
    return int(text)
