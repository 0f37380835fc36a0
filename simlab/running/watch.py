"""Notices a strategy that never answers, and stops waiting for it.

Workers always say which game and seat they are asking (`Worker.playing`); a thread looks whether
that still changes. Python code is interrupted where it stands, which gives its true traceback.
Machine code cannot be interrupted: its thread is left behind, and the game is played again as
Python to find the line.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from simlab.core import patience
from simlab.core.patience import ANSWER_SECONDS, LOOK_EVERY, interrupt
from simlab.running.worker import ENDLESS, Fault, Watched, Worker


class Watch:
    """Looks whether a worker's threads still move; `fault` says where one does not.

    A thread that stands still is interrupted first; if that helps, its batch tells the fault.
    found: called in the watching thread where it does not help.
    """

    def __init__(self, worker: Worker, seconds: float, found: Callable[[], None]) -> None:
        self.worker = worker
        self.seconds = seconds
        self.fault: Fault | None = None
        self.thread = 0
        self._found = found
        self._seen: dict[int, tuple[Any, float]] = {}
        self._stack: tuple[traceback.FrameSummary, ...] = ()
        self._over = threading.Event()
        self._looker = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Watch:
        self._looker.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()

    def _look(self) -> None:
        while not self._over.wait(min(LOOK_EVERY, self.seconds / 4)):
            for thread, watched in list(self.worker.playing.items()):
                now = watched.progress[0]
                at = (watched.since, int(now["game"]), int(now["seat"]), int(now["decision"]))
                before, since = self._seen.get(thread, (None, 0.0))
                if at != before:
                    self._seen[thread] = at, time.monotonic()
                elif time.monotonic() - since > self.seconds and not self._end(thread, watched):
                    fault = Fault(at[1], at[2], None, ENDLESS, self._stack, at[3])
                    self.fault, self.thread = fault, thread
                    self._found()
                    return

    def _end(self, thread: int, watched: Watched) -> bool:
        """Interrupt a thread that stands still; return whether that ended its batch."""
        self._stack = self._frames(thread)
        interrupt(thread)
        end = time.monotonic() + ANSWER_SECONDS
        while self.worker.playing.get(thread) is watched and time.monotonic() < end:
            time.sleep(0.02)
        return self.worker.playing.get(thread) is not watched

    def _frames(self, thread: int) -> tuple[traceback.FrameSummary, ...]:
        """Return where a thread stands, from the strategy's own file on; empty in machine code."""
        frame = sys._current_frames().get(thread)
        stack = list(traceback.extract_stack(frame)) if frame is not None else []
        files = {str(node.strategy.file) for node in self.worker.nodes}
        files |= {str(path) for path in self.worker.spec.game.folder.glob("**/*.py")}
        begin = [i for i, entry in enumerate(stack) if entry.filename in files]
        return tuple(stack[begin[0] :]) if begin else ()


def watching_here(worker: Worker, seconds: float) -> Watch:
    """Return a watch that raises Endless in this thread, and in the one that stands still."""
    waiting = threading.get_ident()

    def found() -> None:
        assert watch.fault is not None
        if watch.thread != waiting:
            interrupt(waiting)
        elif patience.last_resort is not None:  # this thread itself is in machine code
            where = f"game {watch.fault.game}, seat {watch.fault.seat}"
            names = ", ".join(worker.spec.labels)
            patience.last_resort(patience.no_answer(seconds, f"a strategy of {names} ({where})"))

    watch = Watch(worker, seconds, found)
    return watch


def _note_of(key: str) -> Path:
    return Path(tempfile.gettempdir()) / f"simlab-endless-{key}.json"


def watching_elsewhere(worker: Worker, seconds: float, key: str) -> Watch:
    """Return a watch for a worker process: leaves a note for the parent and ends the process."""

    def found() -> None:
        assert watch.fault is not None
        fault = watch.fault
        frames = [(f.filename, f.lineno, f.name) for f in fault.frames]
        note = {"at": [fault.game, fault.seat, fault.decision], "frames": frames}
        _note_of(key).write_text(json.dumps(note), encoding="utf-8")
        os._exit(70)

    watch = Watch(worker, seconds, found)
    return watch


def left_note(key: str) -> Fault | None:
    """Return the fault that a worker process noted before it ended, if one did."""
    path = _note_of(key)
    try:
        note = json.loads(path.read_text(encoding="utf-8"))
        path.unlink()
    except (OSError, ValueError):
        return None
    game, seat, decision = note["at"]
    frames = tuple(traceback.FrameSummary(*frame) for frame in note["frames"])
    return Fault(game, seat, None, ENDLESS, frames, decision)
