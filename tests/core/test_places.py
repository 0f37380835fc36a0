"""Where strategies and games are found, what a name means, and files that cannot be read."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import simlab
from simlab.core import registry
from simlab.core.places import looking_in, shipped_pack, sources
from simlab.core.strategy import Bound
from simlab.errors import UserError
from simlab.running.spec import make_spec

HEAD = "from simlab import strategy\nfrom simlab.games.diamant import LEAVE, STAY\n"


def declaring(name: str, gems: int = 3, head: str = HEAD) -> str:
    return (
        f'{head}@strategy("diamant")\ndef {name}(table, me, gems: int = {gems}):\n'
        f'    """Leave with {gems}."""\n'
        "    return LEAVE if table.carried[me.explorer] >= gems else STAY\n"
    )


def put(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def bound(text: str) -> Bound:
    return make_spec("diamant", 3, [text]).line_up[0]


# -- where


def test_the_working_directory_and_named_folders_are_looked_in(here: Path) -> None:
    put(here, {"strategies/first.py": declaring("first")})
    put(here, {"strategies/diamant/second.py": declaring("second")})
    put(
        here,
        {"mine/third.py": declaring("third"), "mine/strategies/fourth.py": declaring("fourth")},
    )
    for name in ("first", "second"):
        assert bound(name).strategy.name == name
    with pytest.raises(UserError, match="no strategy 'third' in diamant"):
        bound("third")
    with looking_in("mine"):
        assert bound("third").label == "third"
        assert bound("fourth").label == "fourth"
    with looking_in(here / "mine" / "third.py"), pytest.raises(UserError, match="'fourth'"):
        bound("fourth")
    with looking_in([here / "mine" / "third.py", "mine/strategies"]):
        assert [bound(n).label for n in ("third", "fourth")] == ["third", "fourth"]


@pytest.mark.parametrize("given", ["nothing", "notes.txt", ["mine", "nothing"]])
def test_what_is_no_folder_and_no_file_is_said(here: Path, given: object) -> None:
    put(here, {"mine/third.py": declaring("third"), "notes.txt": "x"})
    with pytest.raises(UserError, match=r"--strategies .* it takes a folder"), looking_in(given):  # type: ignore[arg-type]
        pass


def test_other_games_files_and_unrelated_scripts_are_left_alone(here: Path) -> None:
    put(here, {"strategies/script.py": "raise SystemExit('I was run')\n"})
    put(here, {"strategies/_private.py": declaring("private"), "strategies/pig/x.py": "oh no("})
    assert set(registry.strategies("diamant")) >= {"threshold"}
    assert not registry.claims("diamant").broken


def test_a_file_counts_once_by_its_resolved_path(here: Path) -> None:
    put(here, {"strategies/first.py": declaring("first")})
    (here / "linked").symlink_to(here / "strategies")
    (here / "strategies" / "again.py").symlink_to(here / "strategies" / "first.py")
    with looking_in(["linked", "strategies", "./strategies/../strategies", "strategies/first.py"]):
        assert bound("first").strategy.name == "first"
        assert len([s for s in sources("strategies", "diamant") if s.path.stem == "first"]) == 1
    with looking_in(shipped_pack("strategies")):
        assert bound("threshold").label == "threshold"


# -- one name, two files


def test_two_files_of_one_name_are_an_error_that_names_both(here: Path) -> None:
    put(here, {"mine/bold.py": declaring("threshold", 1)})
    with looking_in("mine"):
        with pytest.raises(UserError) as caught:
            bound("threshold(gems=4)")
        told = str(caught.value)
        assert str(here / "mine" / "bold.py") + ":3" in told
        assert str(shipped_pack("strategies") / "diamant" / "threshold.py") in told
        assert "write simlab:threshold or mine:threshold" in told
        assert bound("mine:threshold").values == (1,)
        assert bound("bold:threshold").values == (1,)
        assert bound("simlab:threshold").values == (15,)
        assert bound("mine:threshold(gems=2)").label == "mine:threshold(gems=2)"
        assert {"mine:threshold", "simlab:threshold"} <= set(registry.strategies("diamant"))
    assert bound("threshold").values == (15,)


def test_the_games_own_line_up_means_the_strategies_that_came_with_it(here: Path) -> None:
    put(here, {"strategies/bold.py": declaring("threshold", 1)})
    usual = make_spec("diamant", 3).line_up
    assert usual[0].strategy.file.is_relative_to(shipped_pack("strategies"))


def test_a_default_that_is_a_strategy_is_looked_for_beside_the_asking_one(here: Path) -> None:
    asks = (
        "from simlab import Strategy, ask\n"
        '@strategy("diamant")\n'
        'def asks(table, me, rules, memo, rng, base: Strategy = "threshold"):\n'
        '    """Asks."""\n    return ask(base, table, me, rules, memo, rng)\n'
    )
    put(here, {"mine/bold.py": declaring("threshold", 1) + asks})
    with looking_in("mine"):
        inner = bound("asks").values[0]
        assert inner.values == (1,)
        assert bound("asks(base=simlab:threshold)").values[0].values == (15,)


def test_told_apart_strategies_are_played_at_one_table(here: Path) -> None:
    put(here, {"mine/bold.py": declaring("threshold", 1)})
    run = simlab.run(
        "diamant", 3, 300, ["mine:threshold", "simlab:threshold", "random"],
        strategies="mine", out="run",
    )  # fmt: skip
    assert run.summary()["strategy"].to_list() == ["mine:threshold", "simlab:threshold", "random"]
    told = simlab.replay("run", 7)
    assert told.strategies == ["random", "mine:threshold", "simlab:threshold"]
    assert simlab.load("run").table().text().count("mine:threshold") == 1
    (here / "mine" / "bold.py").unlink()
    with pytest.raises(UserError, match="no strategy 'mine:threshold'"):
        simlab.replay("run", 7)


def test_one_name_twice_in_one_file(here: Path) -> None:
    twice = declaring("bold") + '@strategy("diamant", name="bold")\ndef other(table):\n'
    put(here, {"strategies/bold.py": twice + '    """Other."""\n    return LEAVE\n'})
    with pytest.raises(UserError, match=r"'bold' is declared twice: in .*:3 and .*:7; rename one"):
        bound("bold")


# -- files that cannot be read


BROKEN = {
    "syntax": ("def f(:\n    pass\n", r"bad.py:3: invalid syntax in 'def f\(:'; correct that line"),
    "import": ("import nowhere_to_be_found\n", r"bad.py:3: ModuleNotFoundError: No module named"),
    "raises": ("x = 1 / 0\n", r"bad.py:3: ZeroDivisionError: division by zero"),
    "exits": ("raise SystemExit(3)\n", r"bad.py:3: SystemExit: 3"),
    "wrong parameter": (
        '@strategy("diamant")\ndef bad(table, gems: str = "x"):\n    return 0\n',
        r"bad.py:3: strategy 'bad': parameter 'gems' must be annotated as int",
    ),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_file_that_fails_is_told_with_its_line_and_spoils_nothing_else(
    here: Path, kind: str
) -> None:
    text, says = BROKEN[kind]
    put(here, {"strategies/bad.py": HEAD + text, "strategies/good.py": declaring("good")})
    assert bound("good").label == "good"
    assert bound("threshold").label == "threshold"
    with pytest.raises(UserError, match=says) as caught:
        bound("bad")
    assert "simlab/core" not in str(caught.value)
    assert any("bad.py" in problem for problem in registry.examine())


def test_a_file_without_a_right_to_read(here: Path) -> None:
    put(here, {"strategies/bad.py": declaring("bad")})
    (here / "strategies" / "bad.py").unlink()
    (here / "strategies" / "bad.py").symlink_to(here / "gone.py")
    with pytest.raises(UserError, match=r"no strategy 'bad'|cannot read"):
        bound("bad")


# -- files that import others, and change


def test_files_may_import_what_lies_beside_them_and_folders_do_not_mix(here: Path) -> None:
    for name, gems in (("one", 4), ("two", 6)):
        head = HEAD + "from helpers import GEMS\n"
        put(here / name, {"helpers.py": f"GEMS = {gems}\n"})
        put(here / name, {f"{name}.py": head + declaring(name, head="").replace("= 3", "= GEMS")})
        relative = HEAD + "from .helpers import GEMS\n"
        text = declaring(f"{name}_too", head="").replace("= 3", "= GEMS")
        put(here / name, {f"{name}_too.py": relative + text})
    with looking_in(["one", "two"]):
        values = [bound(n).values[0] for n in ("one", "two", "one_too", "two_too")]
    assert values == [4, 6, 4, 6]
    assert "helpers" not in sys.modules
    assert str(here / "one") not in sys.path


def test_a_changed_file_is_read_anew_and_is_another_run(here: Path) -> None:
    path = put(here, {"strategies/bold.py": declaring("bold", 4)}) / "strategies" / "bold.py"
    first = simlab.plan("diamant", 3, 100, ["bold"])["hash"]
    assert simlab.plan("diamant", 3, 100, ["bold"])["hash"] == first
    path.write_text(declaring("bold", 6), encoding="utf-8")
    os.utime(path, ns=(1, 1))
    assert bound("bold").values == (6,)
    assert simlab.plan("diamant", 3, 100, ["bold(gems=4)"])["hash"] != first


def test_a_changed_helper_counts_too(here: Path) -> None:
    text = declaring("bold", head=HEAD + "from .helpers import GEMS\n").replace(
        "gems else", "GEMS else"
    )
    put(here, {"strategies/bold.py": text, "strategies/helpers.py": "GEMS = 5\n"})
    first = simlab.plan("diamant", 3, 100, ["bold"])["hash"]
    put(here, {"strategies/helpers.py": "GEMS = 10\n"})
    assert simlab.plan("diamant", 3, 100, ["bold"])["hash"] != first


# -- games


def test_a_games_folder_is_found_played_and_read_anew(here: Path) -> None:
    simlab.new("game", "pig")
    assert "pig" in registry.games()
    run = simlab.run("pig", n=200, out="run")
    assert simlab.load("run").table().text() == run.table().text()
    assert simlab.replay("run", 3).table.finished
    rules = here / "games" / "pig" / "rules.py"
    before = simlab.plan("pig", n=200)["hash"]
    rules.write_text(rules.read_text(encoding="utf-8") + "\n\nEXTRA = 3\n", encoding="utf-8")
    assert simlab.plan("pig", n=200)["hash"] != before


def test_the_processes_backend_finds_games_and_strategies_of_folders(here: Path) -> None:
    put(here / "elsewhere", {"strategies/bold.py": declaring("bold", 4)})
    os.chdir(put(here / "elsewhere", {}))
    simlab.new("game", "pig")
    os.chdir(here)
    rows = [
        simlab.run("pig", 2, 300, strategies="elsewhere", backend=backend, out=backend)
        .scan().collect()
        for backend in ("threads", "processes")
    ]  # fmt: skip
    assert rows[0].equals(rows[1])


def test_a_game_that_takes_a_shipped_games_name_is_an_error_that_names_both(here: Path) -> None:
    put(here, {"games/diamant/__init__.py": "GAME = None\n"})
    with pytest.raises(UserError, match=r"game 'diamant' is declared twice: in .* and .*; rename"):
        make_spec("diamant", 3)
    assert "threshold" in registry.strategies("diamant")


def test_a_games_folder_that_fails_is_told(here: Path) -> None:
    put(here, {"games/odd/__init__.py": "import nowhere_to_be_found\n"})
    put(here, {"games/empty/__init__.py": "x = 3\n"})
    assert "diamant" in registry.games()
    with pytest.raises(UserError, match=r"odd/__init__.py:1: ModuleNotFoundError|declares no game"):
        registry.find_game("odd")
    problems = "\n".join(registry.examine())
    assert "declares no game" in problems
    assert "ModuleNotFoundError" in problems
