"""Tells a person how far it is: a bar on a terminal and in Jupyter, plain lines elsewhere."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable
from typing import Any, TextIO

PLAIN_SECONDS = 10.0
CELL_SECONDS = 0.5
FEW = 10_000


class Progress:
    """Counts games that are played, or other steps, and says how far that is.

    total: how many there will be; quiet: say nothing; until: says how far a stopping rule is, where
    one ends the run; stream: where to (default: below the cell in Jupyter, else stderr); unit: what
    is counted, in the plural. On a terminal and in Jupyter there is a bar, which is gone at the
    end; elsewhere a line every ten seconds.
    """

    def __init__(
        self,
        total: int,
        quiet: bool = False,
        until: Callable[[], str] | None = None,
        stream: TextIO | None = None,
        unit: str = "games",
    ) -> None:
        self.total = total
        self.until = until
        self.unit = unit
        self.done = 0
        self.now = ""
        cell = stream is None and in_jupyter()
        found = stream if stream is not None else sys.stdout if cell else sys.stderr
        self.quiet = quiet or found is None
        self.stream: Any = found
        self.start = self.last = time.monotonic()
        self._bar = None if self.quiet else self._open(cell)

    def _open(self, cell: bool) -> Any:
        if not cell and not self.stream.isatty():
            return None
        options: dict[str, Any] = {
            "total": None if self.until else self.total,
            "unit": f" {self.unit}",
            "unit_scale": self.until is not None or self.total >= FEW,
            "leave": False,
        }
        if self.unit != "games":  # steps are few and take unequal times, so none is foretold
            counted = f"{{n_fmt}} of {{total_fmt}} {self.unit}"
            options["bar_format"] = f"{{l_bar}}{{bar}}| {counted} [{{elapsed}}{{postfix}}]"
            options["mininterval"] = 0
        if cell:
            return _CellBar(options)
        import tqdm

        return tqdm.tqdm(**options, file=self.stream)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def begin(self) -> None:
        """Start the clock: everything is compiled and games are played from now on."""
        self.start = self.last = time.monotonic()
        self.now = ""
        if self._bar is not None:
            self._bar.set_postfix_str("", refresh=False)
            self._bar.reset()

    def say(self, text: str) -> None:
        """Say a sentence of its own; in Jupyter one that ends in "..." goes with the bar."""
        if isinstance(self._bar, _CellBar) and text.endswith("..."):
            self.doing(text)
        elif isinstance(self._bar, _CellBar) or self._bar is None:
            self._write(text)
        else:
            self._bar.write(text, file=self.stream)

    def doing(self, text: str) -> None:
        """Say what is worked on now: beside the bar, or in the next line."""
        self.now = text
        if self._bar is not None:
            self._bar.set_postfix_str(text)
        else:
            self._line()

    def add(self, steps: int = 1) -> None:
        """Count games or steps; speak when it is time to."""
        self.done += steps
        if self._bar is None:
            self._line()
            return
        if self.until is not None:
            self._bar.set_postfix_str(self.until(), refresh=False)
        self._bar.update(steps)

    def _line(self) -> None:
        now = time.monotonic()
        if now - self.last >= PLAIN_SECONDS:
            self.last = now
            self._write(self.text(now))

    def _write(self, text: str) -> None:
        if not self.quiet:
            self.stream.write(text + "\n")
            self.stream.flush()

    def text(self, now: float) -> str:
        """Return how far it is; of games how fast, too, and how long it will take."""
        if self.unit != "games":
            doing = f": {self.now}" if self.now else ""
            spent = duration(now - self.start)
            return f"{self.done:,} of {self.total:,} {self.unit} after {spent}{doing}"
        rate = self.done / max(now - self.start, 1e-9)
        if self.until is not None:
            told = self.until()
            return f"{self.done:,} games, {rate:,.0f} games/s{f', {told}' if told else ''}"
        left = (self.total - self.done) / rate if rate else 0.0
        return f"{self.done:,} of {self.total:,} games, {rate:,.0f} games/s, {duration(left)} left"

    def close(self) -> None:
        """Leave a clean line, or a clean cell, behind."""
        if self._bar is not None:
            self._bar.close()


def in_jupyter() -> bool:
    """Whether this runs in a Jupyter kernel; IPython is not imported to find out."""
    shell = _shell()
    return any(kind.__name__ == "ZMQInteractiveShell" for kind in type(shell).__mro__)


def _shell() -> Any:
    return getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()


class _CellBar:
    """A bar below a cell of Jupyter: a widget, or a line of text where ipywidgets is missing.

    options: of tqdm. It appears when it has something to say or half a second has passed.
    """

    def __init__(self, options: dict[str, Any]) -> None:
        self._opened = time.monotonic()
        self._place: Any = None
        self._text = ""
        self._widget: Any = None
        try:
            importlib.import_module("ipywidgets")
            from tqdm.notebook import tqdm
        except ImportError:
            from tqdm import tqdm

            self._bar = tqdm(**options, file=self, ncols=100, position=0, ascii=False)
        else:
            self._bar = tqdm(**options, display=False)
            self._widget = self._bar.container

    def update(self, steps: int) -> None:
        """Count steps."""
        self._bar.update(steps)
        if time.monotonic() - self._opened >= CELL_SECONDS:
            self._show()

    def set_postfix_str(self, text: str, refresh: bool = True) -> None:
        """Say something beside the bar, at once with `refresh`."""
        self._bar.set_postfix_str(text, refresh=refresh)
        if refresh:
            self._show()

    def reset(self) -> None:
        """Begin at 0 again."""
        self._bar.reset()

    def close(self) -> None:
        """Take the bar away, finished or not."""
        self._bar.close()
        if self._widget is not None:
            for part in (*self._widget.children, self._widget):
                part.close()
        if self._place is not None:
            _places.leave(self._place)
        self._place = self._widget = None

    def _show(self) -> None:
        if self._place is None:
            self._place = _places.take()
            self._draw()

    def _draw(self) -> None:
        if self._widget is not None:
            self._place.update(self._widget)
        else:
            self._place.update({"text/plain": self._text}, raw=True)

    def write(self, text: str) -> None:
        """Take a line from tqdm, which writes to a file, and draw it."""
        line = text.strip("\r\n ")
        if line and line != self._text:
            self._text = line
            if self._place is not None:
                self._draw()

    def flush(self) -> None:
        """Do nothing: what is written is shown."""


class _Places:
    """Where bars stand below a cell: one after another in one place, so that it stays clean."""

    def __init__(self) -> None:
        self._cell = -1
        self._free: list[Any] = []

    def take(self) -> Any:
        """Return a display handle whose place is empty."""
        from IPython.display import display

        cell = _shell().execution_count
        if cell != self._cell:
            self._cell, self._free = cell, []
        if self._free:
            return self._free.pop()
        return display({"text/plain": ""}, raw=True, display_id=True)  # type: ignore[no-untyped-call]

    def leave(self, place: Any) -> None:
        """Empty a place for the next bar of the cell."""
        place.update({"text/plain": ""}, raw=True)
        self._free.append(place)


_places = _Places()


def duration(seconds: float) -> str:
    """Write a time for a person: `4 s`, `3 min 20 s`, `2 h 5 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{seconds:.1f} s" if seconds < 10 else f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
