"""A small game beside the shipped ones, for everything that is checked here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from simlab.core.registry import looking_in

HERE = Path(__file__).resolve().parent / "home"


@pytest.fixture(autouse=True)
def pebbles() -> Iterator[None]:
    """Let the small game and its strategy be found."""
    with looking_in(HERE):
        yield
