"""Tells a person how far a run is: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, TextIO

PLAIN_SECONDS = 10.0


class Progress:
    """Counts games that are played and says games per second and time left, on stderr.

    until: says how far a stopping rule is, where one ends the run.
    """

    def __init__(
        self,
        total: int,
        quiet: bool = False,
        until: Callable[[], str] | None = None,
        stream: TextIO | None = None,
    ) -> None:
        self.total = total
        self.until = until
        self.done = 0
        found = stream if stream is not None else sys.stderr
        self.quiet = quiet or found is None
        self.stream: Any = found
        self.start = self.last = time.monotonic()
        self._bar = self._open() if not self.quiet and self.stream.isatty() else None

    def _open(self) -> Any:
        import tqdm

        total = None if self.until else self.total
        return tqdm.tqdm(total=total, unit=" games", unit_scale=True, file=self.stream, leave=False)

    def begin(self) -> None:
        """Start the clock: everything is compiled and games are played from now on."""
        self.start = self.last = time.monotonic()
        if self._bar is not None:
            self._bar.reset()

    def say(self, text: str) -> None:
        """Say a sentence of its own, such as what is compiled."""
        if self._bar is not None:
            self._bar.write(text, file=self.stream)
        elif not self.quiet:
            self.stream.write(text + "\n")
            self.stream.flush()

    def add(self, games: int) -> None:
        """Count games; speak when it is time to."""
        self.done += games
        now = time.monotonic()
        if self._bar is not None:
            if self.until is not None:
                self._bar.set_postfix_str(self.until(), refresh=False)
            self._bar.update(games)
        elif not self.quiet and now - self.last >= PLAIN_SECONDS:
            self.last = now
            self.stream.write(self.text(now) + "\n")
            self.stream.flush()

    def text(self, now: float) -> str:
        """Return how far the run is, how fast, and how long it will take."""
        rate = self.done / max(now - self.start, 1e-9)
        if self.until is not None:
            told = self.until()
            return f"{self.done:,} games, {rate:,.0f} games/s{f', {told}' if told else ''}"
        left = (self.total - self.done) / rate if rate else 0.0
        return f"{self.done:,} of {self.total:,} games, {rate:,.0f} games/s, {duration(left)} left"

    def close(self) -> None:
        """Leave a clean line behind."""
        if self._bar is not None:
            self._bar.close()


def duration(seconds: float) -> str:
    """Write a time for a person: `4 s`, `3 min 20 s`, `2 h 5 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{seconds:.1f} s" if seconds < 10 else f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
