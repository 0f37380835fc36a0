"""Every file, piece of Python and command of the guides works, in the order of the page."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from simlab.core.places import looking_in
from simlab.core.registry import find_game, strategies
from tests.agreeing import all_agree, spec_of
from tests.inturn import in_turn

pytestmark = pytest.mark.guides

DOCS = Path(__file__).resolve().parent.parent / "docs"
GUIDES = ("add-a-game.md", "add-a-strategy.md", "ask.md", "pages.md")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(guide: str) -> list[tuple[str, str]]:
    return BLOCK.findall((DOCS / guide).read_text(encoding="utf-8"))


def files(guide: str) -> dict[str, str]:
    """The files that a guide shows: those whose first line is a comment with their path."""
    found = {}
    for _, text in blocks(guide):
        path = re.match(r"(?:# |<!-- )(\S+/\S+\.(?:py|md))(?: -->)?\n", text)
        if path:
            found[path.group(1)] = text.partition("\n")[2]
    return found


def write(guide: str, folder: Path) -> None:
    for path, text in files(guide).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def run(words: list[str], folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{shlex.join(words)}\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize("guide", GUIDES)
def test_a_guide_works_from_top_to_bottom(guide: str, tmp_path: Path) -> None:
    shown = files(guide)
    write(guide, tmp_path)
    for number, (kind, text) in enumerate(blocks(guide)):
        if kind == "python" and text.partition("\n")[2] not in shown.values():
            (tmp_path / f"piece_{number}.py").write_text(text, encoding="utf-8")
            run([f"piece_{number}.py"], tmp_path)
        if kind == "console":
            typed = [shlex.split(line.removeprefix("$ ")) for line in text.splitlines()]
            assert all(words[0] == "simlab" for words in typed)
            in_turn([words[1:] for words in typed], tmp_path)


def test_the_game_of_the_guide_is_the_same_compiled_and_plain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("add-a-game.md", tmp_path)
    monkeypatch.chdir(tmp_path)
    game = find_game("stones")
    line_up = ["leave_multiple", "random", "random"]
    for rules, changes in (("standard", {}), ("big", {"most": 2})):
        results = all_agree(spec_of(game, line_up, rules, **changes), 60, monkeypatch)
        assert (results["score"].sum(1) == 1).all()
        heap = results["stones"].sum(1)
        low = 20 if rules == "standard" else 100
        assert {*range(low, low + 6)} == {*heap.tolist()}


def test_the_second_player_of_the_guide_wins_from_a_multiple(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("add-a-game.md", tmp_path)
    monkeypatch.chdir(tmp_path)
    spec = spec_of(find_game("stones"), ["leave_multiple"] * 2)
    results = all_agree(spec, 60, monkeypatch)
    second = results["stones"].sum(1) % 4 == 0
    assert (results["score"][:, 1] == second).all()


@pytest.mark.parametrize("guide", GUIDES)
def test_strategies_of_a_guide_can_be_found_in_a_named_folder(guide: str, tmp_path: Path) -> None:
    write(guide, tmp_path)
    with looking_in(tmp_path):
        for path in files(guide):
            place = Path(path)
            if place.parts[0] == "strategies" and place.stem not in ("moody",):
                assert place.stem in strategies(place.parts[1])
