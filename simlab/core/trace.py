"""What a game and its strategies tell about themselves.

`emit` writes the events of a data set; it is compiled only into kernels that are asked for events.
`tell`, `whisper`, `forced` and `note` speak to a replay, which is played without numba; their
compiled twins do nothing at all.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from simlab.core.functions import native


class Listener:
    """Hears what happens while rules and strategies are played without numba; override at will."""

    def event(self, seat: int, turn: int, kind: int, what: int, values: tuple[int, ...]) -> None:
        """Hear an event for the data set."""

    def told(self, what: str, values: tuple[int, ...]) -> None:
        """Hear something that a replay tells."""

    def whispered(self, seat: int, what: str, values: tuple[int, ...]) -> None:
        """Hear something that a replay tells, and in play one seat alone may know."""

    def forced(self, seat: int, action: int) -> None:
        """Hear that a choice with one legal action was carried out."""

    def noted(self, name: str, value: Any) -> None:
        """Hear a number of a strategy's reasoning."""

    def shuffled(self, deck: Any, number: int) -> None:
        """Hear that a deck begins."""

    def drawn(self, number: int, card: int) -> None:
        """Hear that a card came into play."""


class _Ears(threading.local):
    listener: Listener | None = None


_ears = _Ears()


@contextmanager
def listening(listener: Listener | None) -> Iterator[None]:
    """Let `listener` hear everything that this thread plays inside the block."""
    before, _ears.listener = _ears.listener, listener
    try:
        yield
    finally:
        _ears.listener = before


@native("nothing")
def emit(events: Any, seat: int, turn: int, kind: int, what: int, value: tuple[int, ...]) -> None:
    """Record an event of `seat` in `turn`; `value` is a tuple of up to five integers."""
    if _ears.listener is not None:
        _ears.listener.event(int(seat), int(turn), int(kind), int(what), tuple(map(int, value)))


@native("nothing")
def tell(what: str, *values: int) -> None:
    """Tell a replay that something happened; the game's `words.py` turns it into a sentence."""
    if _ears.listener is not None:
        _ears.listener.told(what, tuple(map(int, values)))


@native("nothing")
def whisper(seat: int, what: str, *values: int) -> None:
    """Tell a replay, and in play one seat alone, that something happened: a card it drew unseen.

    The sentence is that of `tell(what, seat, *values)`.
    """
    if _ears.listener is not None:
        _ears.listener.whispered(int(seat), what, (int(seat), *map(int, values)))


@native("nothing")
def forced(seat: int, action: int) -> None:
    """Tell a replay that a decision had one legal action, which was carried out unasked."""
    if _ears.listener is not None:
        _ears.listener.forced(int(seat), int(action))


@native("nothing")
def note(name: str, value: float) -> None:
    """Show a number of a strategy's reasoning in a replay: `note("risk", x)`."""
    if _ears.listener is not None:
        _ears.listener.noted(name, value)


@native("nothing")
def shuffled(deck: Any, number: int) -> None:
    """Tell whoever stacks decks that deck `number` is freshly shuffled."""
    if _ears.listener is not None:
        _ears.listener.shuffled(deck, int(number))


@native("nothing")
def drawn(number: int, card: int) -> None:
    """Tell that a card of deck `number` was drawn into play."""
    if _ears.listener is not None:
        _ears.listener.drawn(int(number), int(card))
