"""An outside package, installed as anybody would: its game, strategies and report are found."""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from simlab.core import places
from simlab.core.game import Game
from simlab.core.registry import find_game, strategies
from tests.agreeing import all_agree, spec_of

PACKAGE = Path(__file__).resolve().parent / "plugin_pkg"


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the package into a folder of its own; return the folder."""
    target = tmp_path_factory.mktemp("installed")
    words = ["--no-build-isolation", "--no-deps", "--no-index", "--quiet", "--target", str(target)]
    subprocess.run([sys.executable, "-m", "pip", "install", *words, str(PACKAGE)], check=True)
    return target


@pytest.fixture
def dice21(installed: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """The game, found in this process by its entry point; forgotten afterwards."""
    monkeypatch.syspath_prepend(str(installed))
    importlib.invalidate_caches()
    places._installed.cache_clear()
    yield find_game("dice21")
    places._installed.cache_clear()
    for name in [n for n in sys.modules if n.partition(".")[0] == "simlab_dice21"]:
        del sys.modules[name]


def simlab(installed: Path, folder: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "simlab", *words],
        cwd=folder, capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONPATH": str(installed)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_command_line_knows_what_a_package_brings(installed: Path, tmp_path: Path) -> None:
    assert "dice21" in simlab(installed, tmp_path, "games")
    listed = simlab(installed, tmp_path, "strategies", "dice21")
    for name in ("stop_at", "by_chance", "even_or_odd", "random"):
        assert name in listed
    assert "slow_start" in simlab(installed, tmp_path, "strategies", "diamant")
    words = ["run", "dice21", "--players", "4", "--n", "500", "--out", "mine", "--json"]
    answer = json.loads(simlab(installed, tmp_path, *words))
    assert answer["strategies"][0]["strategy"] == "stop_at"
    text = simlab(installed, tmp_path, "replay", "mine", "--game", "3")
    assert "Round 5." in text
    simlab(installed, tmp_path, "report", "mine", "--kind", "dice21-busts", "-o", "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "How often strategies of Dice 21 go bust" in page
    assert "A bust more, a place less" in page


def test_an_outside_strategy_plays_a_shipped_game(
    dice21: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    line_up = ["slow_start", "slow_start(first=9, risk=0)", "threshold"]
    all_agree(spec_of(find_game("diamant"), line_up, "official"), 40, monkeypatch)


@pytest.mark.parametrize(
    ("rules", "changes"),
    [("standard", {}), ("long", {"sides": 4}), ("standard", {"target": 2, "sides": 100})],
)
def test_the_outside_game_is_the_same_compiled_and_plain(
    dice21: Game, rules: str, changes: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    line_up = ["stop_at", "stop_at(margin=8, behind=1)", "random"]
    spec = spec_of(dice21, line_up, rules, **changes)
    results = all_agree(spec, 60, monkeypatch)
    target, rounds = spec.book.values["target"], spec.book.values["rounds"]
    assert (results["score"] <= target * (rounds - results["busts"])).all()
    assert (results["score"] >= target * results["exact"]).all()


def test_all_three_kinds_of_strategy_play_the_same_games_everywhere(
    dice21: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = {(s.compiled, s.batch) for s in strategies("dice21").values()}
    assert len(kinds) == 3
    line_up = ["stop_at", "by_chance", "even_or_odd", "even_or_odd(likes=odd)", "by_chance(risk=0)"]
    all_agree(spec_of(dice21, line_up), 40, monkeypatch)


def test_never_risking_anything_never_goes_bust(dice21: Game) -> None:
    from simlab.running.worker import Worker

    spec = spec_of(dice21, ["by_chance(risk=0)", "stop_at(margin=99, behind=99)"])
    results = Worker(spec, events=False).play(0, 400).results
    seats = [[(entry + game) % 2 for game in range(400)] for entry in (0, 1)]
    careful = results[range(400), seats[0]]
    assert careful["busts"].sum() == 0
    assert careful["score"].mean() > 5 * 15
    once = results[range(400), seats[1]]
    assert (once["rolls"] == 5).all()
    assert abs(once["score"].mean() - 5 * 3.5) < 0.6


def test_entry_points_name_what_is_there(installed: Path) -> None:
    declared = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]["entry-points"]
    assert set(declared) == {"simlab.games", "simlab.strategies", "simlab.reports"}
    found = importlib.metadata.distributions(path=[str(installed)])
    groups = {entry.group for dist in found for entry in dist.entry_points}
    assert groups == set(declared)
