"""What a person is told while a run goes on."""

from __future__ import annotations

import io
import sys
import time
from typing import Any

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


def test_steps_are_counted_in_lines_that_say_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    with Progress(7, stream=stream, unit="sections") as told:
        told.doing("Who wins")
        told.add()
        assert stream.getvalue() == ""  # nothing for what is over within ten seconds
        monkeypatch.setattr(progress, "PLAIN_SECONDS", 0.0)
        told.doing("Scores")
    assert stream.getvalue() == "1 of 7 sections after 0.0 s: Scores\n"


def test_steps_have_a_bar_on_a_terminal() -> None:
    stream = Terminal()
    with Progress(7, stream=stream, unit="sections") as told:
        told.doing("Who wins")
        told.add(3)
        assert "3 of 7 sections" in stream.getvalue()
        assert "Who wins" in stream.getvalue()
    assert stream.getvalue().endswith("\r")


class ZMQInteractiveShell:
    """Looks like the shell of a Jupyter kernel."""

    execution_count = 1


class Place:
    """Looks like a display handle."""

    def __init__(self) -> None:
        self.shown: list[Any] = []

    def update(self, what: Any, raw: bool = False) -> None:
        self.shown.append(what["text/plain"] if raw else what)


@pytest.fixture
def places(monkeypatch: pytest.MonkeyPatch) -> list[Place]:
    """A cell without ipywidgets; the places below it, as they are taken."""
    import IPython.display

    taken: list[Place] = []

    def display(*what: Any, **how: Any) -> Place:
        taken.append(Place())
        return taken[-1]

    monkeypatch.setattr(progress, "_shell", ZMQInteractiveShell)
    monkeypatch.setattr(progress, "_places", progress._Places())
    monkeypatch.setattr(IPython.display, "display", display)
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    return taken


def test_a_line_of_text_below_a_cell_that_has_no_widgets(
    places: list[Place], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "CELL_SECONDS", 0.0)
    for _ in range(2):
        told = Progress(40_000)
        told.say("compiling something (once) ...")
        told.say("This is another run.")
        told.begin()
        time.sleep(0.11)  # tqdm draws ten times a second at most
        told.add(10_000)
        told.close()
    (place,) = places  # both bars stood in the same place
    assert place.shown[-1] == ""
    assert any("compiling something (once) ..." in line for line in place.shown)
    assert any("10.0k/40.0k" in line and "games/s" in line for line in place.shown)
    said = capsys.readouterr()
    assert said.out == 2 * "This is another run.\n"
    assert said.err == ""


def test_what_is_over_at_once_needs_no_bar_below_a_cell(places: list[Place]) -> None:
    with Progress(40) as told:
        told.begin()
        told.add(40)
    with Progress(40, quiet=True) as told:
        told.doing("x")
    assert places == []


def test_a_python_without_ipython_is_no_jupyter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    assert not progress.in_jupyter()
    assert "IPython" not in sys.modules


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
