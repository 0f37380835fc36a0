"""How the command line ends early: on Ctrl-C, SIGTERM, or a strategy that cannot be interrupted."""

from __future__ import annotations

import contextlib
import os
import signal
import threading


def leave_at_once() -> None:
    """Let a strategy that cannot be interrupted end the program with one sentence."""
    from simlab.core import patience

    def end(text: str) -> None:
        with contextlib.suppress(OSError):
            os.write(2, f"simlab: {text}\n".encode())
        os._exit(2)

    patience.last_resort = end


class Interrupts:
    """Ends the program at once on Ctrl-C or SIGTERM and says how to go on.

    A thread of its own waits for the signals, so that no compilation and no library delays them.
    Nothing is lost: every file is complete under its name, or has another name.
    """

    def __init__(self) -> None:
        self.text = "Stopped."
        self.watching = False

    def say(self, text: str) -> None:
        """Set what is said."""
        self.text = text

    def watch(self) -> None:
        """Begin to wait; KeyboardInterrupt is all there is where the system has no such signals."""
        if self.watching or not hasattr(signal, "pthread_sigmask"):
            return
        self.watching = True
        caught = {signal.SIGINT, signal.SIGTERM}
        for number in caught:  # where a library lets them through to the main thread again
            signal.signal(number, lambda number, _: self._end(number))
        signal.pthread_sigmask(signal.SIG_BLOCK, caught)
        threading.Thread(target=self._wait, args=(caught,), daemon=True).start()

    def _wait(self, caught: set[signal.Signals]) -> None:
        self._end(signal.sigwait(caught))

    def _end(self, number: int) -> None:
        with contextlib.suppress(OSError):
            os.write(2, f"\n{self.text}\n".encode())
        os._exit(128 + number)


interrupts = Interrupts()
