"""`simlab table RUN --by` what the game's events are grouped by."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator

import pytest

from tests.cli.test_cli import Say, say
from tests.depths import grouped

__all__ = ["say"]


@pytest.fixture(autouse=True)
def groups() -> Iterator[None]:
    with grouped():
        yield


def test_a_run_without_events_names_the_command_that_records_them(say: Say) -> None:
    assert say("run", "diamant", "--n", "3000", "--players", "4", "--out", "my run")[0] == 0
    code, out, err = say("table", "my run", "--by", "depth")
    assert (code, out) == (2, "")
    start = "simlab: my run holds no events; record them with: simlab run diamant --players 4"
    assert err.startswith(start)
    assert err.count("\n") == 1
    code, out, err = say(*shlex.split(err.split(": ", 2)[2])[1:])
    assert code == 0, err
    code, out, err = say("table", "my run", "--by", "depth")
    assert code == 0, err
    assert "depth_5" in out
    assert "Caution: association, not cause" in out


def test_every_form_and_full_values(say: Say) -> None:
    say("run", "diamant", "--n", "3000", "--players", "4", "--out", "mine", "--events")
    for form in ("text", "csv", "json", "markdown", "html"):
        code, out, err = say("table", "mine", "--by", "depth", "--format", form)
        assert (code, err) == (0, "")
        assert "depth_5" in out
    found = json.loads(say("table", "mine", "--by", "depth", "--json")[1])
    assert found["by"] == "depth"
    assert any(note.startswith("Caution: association, not cause") for note in found["notes"])
    shares = [row["win_share"] for row in found["rows"]]
    assert shares == sorted(shares, reverse=True)
    assert any(share != round(share, 6) for share in shares)
    for row in found["rows"]:
        assert row["win_share_low"] <= row["win_share"] <= row["win_share_high"]


def test_slips(say: Say) -> None:
    say("run", "diamant", "--n", "100", "--players", "4", "--out", "mine", "--events")
    for words, part in [
        (["--by", "depht"], "no column 'depht' in mine; did you mean depth?"),
        (["--by", "relic"], "did you mean relics?"),
        (["--by", "depth", "--ties", "wins"], "did you mean win?"),
        (["--by", "depth", "--truncated", "drop"], "no rule for truncated games 'drop'"),
        (["--by", "depth", "--format", "xml"], "no format 'xml'"),
    ]:
        code, out, err = say("table", "mine", *words)
        assert (code, out) == (2, "")
        assert part in err
        assert err.count("\n") == 1
