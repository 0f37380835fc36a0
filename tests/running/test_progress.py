"""What a person is told while a run goes on."""

from __future__ import annotations

import io

import pytest

from simlab.running import progress
from simlab.running.progress import Progress, duration


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_plain_lines_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PLAIN_SECONDS", 0.0)
    stream = io.StringIO()
    told = Progress(1_000, stream=stream)
    told.say("compiling something")
    told.begin()
    told.add(250)
    told.close()
    first, second = stream.getvalue().splitlines()
    assert first == "compiling something"
    assert second.startswith("250 of 1,000 games, ")
    assert "games/s, " in second
    assert second.endswith(" left")


def test_a_bar_on_a_terminal() -> None:
    stream = Terminal()
    told = Progress(1_000, stream=stream)
    told.begin()
    told.add(1_000)
    told.close()
    assert "\r" in stream.getvalue()
    assert "games/s" in stream.getvalue()


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()])
def test_nothing_when_quiet(stream: io.StringIO) -> None:
    told = Progress(10, quiet=True, stream=stream)
    told.say("x")
    told.begin()
    told.add(10)
    told.close()
    assert stream.getvalue() == ""


def test_times_are_written_for_people() -> None:
    assert [duration(s) for s in (0.24, 12.4, 200, 7_530)] == ["0.2 s", "12 s", "3 min 20 s",
                                                            "2 h 5 min"]  # fmt: skip
