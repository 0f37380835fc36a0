"""The wheel, installed elsewhere with an outside package and no checkout near, does everything."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

pytestmark = pytest.mark.guides

ROOT = Path(__file__).resolve().parent.parent
PIP = ["-m", "pip", "--disable-pip-version-check", "--quiet"]


def execute(*words: str | Path, **how: object) -> str:
    done = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, check=False, **how
    )  # type: ignore[call-overload]
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return str(done.stdout)


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build both wheels and install them into a fresh environment; return its folder.

    Libraries are those of the environment the tests run in; its editable simlab is not seen.
    """
    wheels, home = tmp_path_factory.mktemp("wheels"), tmp_path_factory.mktemp("elsewhere") / "env"
    alone = ["--no-deps", "--no-index", "--no-build-isolation"]
    for package in (ROOT, ROOT / "tests" / "plugin_pkg"):
        execute(sys.executable, *PIP, "wheel", *alone, "-w", wheels, package, cwd=wheels)
    execute(sys.executable, "-m", "venv", "--without-pip", home)
    python = home / "bin" / "python"
    execute(
        sys.executable, *PIP, "--python", python, "install", "--no-deps", "--no-index",
        *wheels.glob("*.whl"),
    )  # fmt: skip
    libraries = Path(sysconfig.get_path("purelib"))
    inside = execute(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))")
    (Path(inside.strip()) / "libraries.pth").write_text(f"{libraries}\n", encoding="utf-8")
    return home


def simlab(elsewhere: Path, folder: Path, *words: str) -> str:
    """Run the installed command in a folder, with nothing of this checkout in its environment."""
    kept = ("PATH", "HOME", "SIMLAB_CACHE", "XDG_CACHE_HOME", "LANG")
    env = {name: os.environ[name] for name in kept if name in os.environ}
    return execute(elsewhere / "bin" / "simlab", *words, cwd=folder, env=env)


def test_only_simlab_lands_among_the_packages(elsewhere: Path) -> None:
    packages = next((elsewhere / "lib").glob("*/site-packages"))
    names = {path.name for path in packages.iterdir() if not path.name.endswith(".dist-info")}
    assert names - {"__pycache__"} == {"simlab", "simlab_dice21", "libraries.pth"}
    record = next(packages.glob("simlab-*.dist-info")) / "RECORD"
    tops = {line.split("/")[0] for line in record.read_text(encoding="utf-8").splitlines()}
    assert {t for t in tops if not t.endswith(".dist-info") and t != ".."} == {"simlab"}


def test_the_installed_command_plays_and_reports(elsewhere: Path, tmp_path: Path) -> None:
    doctor = json.loads(simlab(elsewhere, tmp_path, "doctor", "--json"))
    assert doctor["problems"] == []
    assert {entry["place"] for entry in doctor["plugged_in"]} == {"simlab", "simlab-dice21"}
    assert not any(str(ROOT) in entry["at"] for entry in doctor["plugged_in"])
    words = ["--players", "5", "--n", "1e4", "--out", "run"]
    told = simlab(elsewhere, tmp_path, "run", "diamant", *words)
    assert "10,000 games" in told
    simlab(elsewhere, tmp_path, "report", "run", "-o", "page.html")
    assert "risk_limit" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Expedition 5" in simlab(elsewhere, tmp_path, "replay", "run", "--game", "9999")
    assert "threshold" in simlab(
        elsewhere, tmp_path, "run", "--file", "exit-threshold", "--n", "500"
    )


def test_an_outside_game_takes_the_same_commands(elsewhere: Path, tmp_path: Path) -> None:
    assert "dice21" in simlab(elsewhere, tmp_path, "games")
    simlab(elsewhere, tmp_path, "run", "dice21", "--n", "2000", "--out", "run")
    assert "by_chance" in simlab(elsewhere, tmp_path, "table", "run", "--by", "strategy")
    simlab(elsewhere, tmp_path, "report", "run", "--kind", "dice21-busts", "-o", "busts.html")
    assert (tmp_path / "busts.html").stat().st_size > 10_000
    assert "all" in simlab(elsewhere, tmp_path, "check", "dice21")
    simlab(elsewhere, tmp_path, "new", "strategy", "mine", "--game", "dice21")
    table = simlab(
        elsewhere, tmp_path, "run", "dice21", "-s", "mine", "-s", "stop_at", "--n", "500"
    )
    assert "mine" in table


def test_a_strategy_of_a_package_plays_in_worker_processes(elsewhere: Path, tmp_path: Path) -> None:
    words = ["run", "dice21", "-s", "even_or_odd", "-s", "by_chance", "--n", "400", "--json"]
    threads = json.loads(simlab(elsewhere, tmp_path, *words, "--out", "a"))
    processes = json.loads(
        simlab(elsewhere, tmp_path, *words, "--out", "b", "--backend", "processes")
    )
    assert threads["strategies"] == processes["strategies"]
