"""How long a person's code may take to answer, and what happens when it does not."""

from __future__ import annotations

import ctypes
import os
import threading
import time
from collections.abc import Callable

from simlab.errors import UserError, shown

COMPILED_SECONDS = 20.0
PYTHON_SECONDS = 60.0
LEAST_SECONDS, MOST_SECONDS = 0.1, 1e6
LOOK_EVERY = 0.1
ANSWER_SECONDS = 1.0  # what Python code takes at most to notice that it is interrupted
# What ends the process where not even the waiting thread can be reached; set by the command line.
last_resort: Callable[[str], None] | None = None


def seconds_allowed(python: bool = False) -> float:
    """Return how many seconds one answer may take: SIMLAB_PATIENCE, or 20 (60 in Python).

    python: whether a strategy is played as Python. UserError for a wish that is no time.
    """
    wished = os.environ.get("SIMLAB_PATIENCE")
    if not wished:
        return PYTHON_SECONDS if python else COMPILED_SECONDS
    try:
        seconds = float(wished)
    except ValueError:
        seconds = 0.0
    if not LEAST_SECONDS <= seconds <= MOST_SECONDS:
        raise UserError(
            f"SIMLAB_PATIENCE is '{shown(wished)}'; it takes the number of seconds a strategy "
            f"may think, from {LEAST_SECONDS:g} to {MOST_SECONDS:g}."
        )
    return seconds


def interrupt(thread: int) -> None:
    """Raise Endless in a thread, as soon as it runs Python again."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(Endless))


class Patience:
    """Raises Endless in this thread when so many seconds pass without a `tick`."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._about = ""
        self._thread = threading.get_ident()
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._last = time.monotonic()

    def tick(self, about: str) -> None:
        """Begin to count anew; about: who is asked, for the last resort."""
        self._about, self._last = about, time.monotonic()

    def __enter__(self) -> Patience:
        threading.Thread(target=self._look, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._over.set()

    def _look(self) -> None:
        while not self._over.wait(min(LOOK_EVERY, self.seconds / 4)):
            with self._lock:
                if not self._over.is_set() and time.monotonic() - self._last > self.seconds:
                    interrupt(self._thread)
                    break
        if not self._over.wait(ANSWER_SECONDS) and last_resort is not None:
            last_resort(no_answer(self.seconds, self._about))


def no_answer(seconds: float, about: str) -> str:
    """Return the sentence about code that does not answer and cannot be interrupted."""
    return (
        f"{about} has not answered within {seconds:g} s, inside a call that cannot be interrupted; "
        "if that is intended, allow more time with SIMLAB_PATIENCE=600."
    )


class Endless(BaseException):
    """Raised from outside in a thread whose code does not answer."""
