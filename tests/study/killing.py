"""Ends playing in the middle, as if it was killed."""

from __future__ import annotations

from typing import Any

import pytest

from simlab.running import runner


def failing(patch: pytest.MonkeyPatch, at: int) -> None:
    """Let playing end at a stretch of games: the first `at` are played, then MemoryError."""
    usual, count = runner._play_span, iter(range(at))

    def play_span(*given: Any) -> Any:
        if next(count, None) is None:
            raise MemoryError
        return usual(*given)

    patch.setattr(runner, "_play_span", play_span)
