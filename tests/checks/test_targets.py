"""What can be checked: files, folders, names, functions; and what is said of anything else."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import simlab
from simlab.checks import check
from simlab.core.registry import find_game, find_strategy
from simlab.errors import UserError
from tests.checks.conftest import HERE


def subjects(target: Any, **how: Any) -> set[str]:
    found = check(target, seconds=0.2, **how)
    assert found.passed, str(found)
    return {line.subject.split()[0] for line in found.lines}


def test_a_strategy_by_name_file_folder_and_function() -> None:
    folder = HERE / "strategies" / "pebbles"
    function = find_strategy("pebbles", "random").function
    for target in (folder / "random.py", str(folder), function):
        assert subjects(target) == {"random", "random,"}
    assert subjects("random", game="pebbles") == {"random", "random,"}


def test_a_game_by_name_folder_and_itself() -> None:
    for target in ("pebbles", HERE / "games" / "pebbles", find_game("pebbles")):
        assert subjects(target) == {"game"}


def test_a_game_elsewhere_brings_its_strategies(tmp_path: Path) -> None:
    place = tmp_path / "mine"
    shutil.copytree(HERE / "games", place / "games")
    shutil.copytree(HERE / "strategies", place / "strategies")
    game = place / "games" / "pebbles"
    game.rename(game.parent / "stones")
    game = game.parent / "stones"
    for file in game.glob("*.py"):
        file.write_text(file.read_text().replace("pebbles", "stones"))
    (place / "strategies" / "pebbles").rename(place / "strategies" / "stones")
    script = place / "strategies" / "stones" / "random.py"
    script.write_text(script.read_text().replace("pebbles", "stones"))
    assert subjects(game) == {"game"}


def test_findings_are_a_document() -> None:
    found = check(HERE / "strategies" / "pebbles" / "random.py", seconds=0.2)
    told = json.loads(json.dumps(found.document()))
    assert told["passed"] is True
    assert {"status", "subject", "check", "says", "detail"} == set(told["lines"][0])
    assert found.summary.startswith("11 checks passed")


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("pebles", "no file, game or strategy 'pebles'; did you mean pebbles?"),
        ("thresold", "did you mean threshold?"),
        ("nowhere/mine.py", "there is no file or folder nowhere/mine.py"),
        ("mine.py", "there is no file or folder mine.py"),
        (7, "nothing to check in 7"),
    ],
)
def test_an_unknown_target_is_one_sentence(target: Any, says: str) -> None:
    with pytest.raises(UserError) as caught:
        check(target)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_other_files_and_empty_folders_are_told(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(UserError, match=r"neither a \.py nor a \.csv"):
        check(tmp_path / "notes.txt")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UserError, match="holds no Python file"):
        check(tmp_path / "empty")


REPORT = '''"""Who wins."""

import polars as pl

from simlab import report_section


@report_section("Shares")
def shares(run):
    """The table."""
    return run.summary()


@report_section("Nothing")
def nothing(run):
    """Is left out."""
'''


def test_a_report_is_built_on_a_small_run(tmp_path: Path) -> None:
    script = tmp_path / "wins.py"
    script.write_text(REPORT)
    found = simlab.check(script, "diamant")
    assert found.passed, str(found)
    assert {line.check: line.status for line in found.lines} == {
        "documented": "ok", "shares": "ok", "nothing": "skip", "page": "ok",
    }  # fmt: skip


def test_a_section_that_fails_is_named(tmp_path: Path) -> None:
    script = tmp_path / "wins.py"
    script.write_text(REPORT.replace("run.summary()", 'run.scan().select("jewels").collect()'))
    found = simlab.check(script, "diamant")
    (line,) = found.failed
    assert line.check == "shares"
    assert f"{script}:11: section 'Shares' failed" in line.says
    assert "jewels" in line.says
    script.write_text(REPORT.replace('"""Who wins."""', "").replace("run.summary()", "7"))
    found = simlab.check(script, "diamant")
    assert [line.check for line in found.failed] == ["documented", "shares"]
    assert "returned a int, which a page cannot show" in found.failed[1].says
