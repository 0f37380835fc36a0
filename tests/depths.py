"""Diamant with its events in groups: by how deep an explorer had come, in words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from simlab.core.game import RuleBook
from simlab.core.registry import find_game

GROUPS = {"depth": ("left", "home"), "fall": ("accident",)}
MOST_CARDS = 40


def depth_words(book: RuleBook) -> list[str]:
    """Return the word of each number of cards; nobody leaves or falls before the first card."""
    return ["" if n == 0 else f"depth_{n}" for n in range(MOST_CARDS)]


@contextmanager
def grouped(names: Any = depth_words, shard_games: int = 2**11) -> Iterator[None]:
    """Let Diamant group its events, and a shard be small, so that a short run has several."""
    game = find_game("diamant")
    usual = {"events": game.events, "shard_games": game.shard_games}
    assert game.events is not None
    changed = {
        "events": replace(game.events, names=names, groups=GROUPS),
        "shard_games": shard_games,
    }
    try:
        for name, value in changed.items():
            object.__setattr__(game, name, value)
        yield
    finally:
        for name, value in usual.items():
            object.__setattr__(game, name, value)
