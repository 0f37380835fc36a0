"""Whatever fails in a person's files is told with file and line, and blamed on the right one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import simlab
from simlab.core.twin import circle
from simlab.errors import RulesError, StrategyError, UserError

HEAD = """import random
import threading
import time
from simlab import batch_strategy, strategy
from simlab.games.diamant import LEAVE, STAY, view


class Odd(Exception):
    def __str__(self):
        raise ValueError("no words")


"""
# body of a strategy, what is said; `at` stands for the line of its body
BODIES = {
    "typo": (
        "return LEAVE if table.depht > 2 else STAY",
        "at: AttributeError: .*did you mean depth",
    ),
    "record": (
        "return LEAVE if view.expected_gain(table, me) > 2 else STAY",
        "at: AttributeError: .*rules has a field treasures: is the right record meant here",
    ),
    "undefined": ("return LEAVE if table.depth > limit else STAY", "at: NameError: name 'limit'"),
    "memo": (
        "memo.left += 1; return LEAVE",
        r'at: .*@strategy\("diamant", memo=\[\("left", "i4"\)',
    ),
    "itself": ("return itself(table, me, rules, memo, rng)", "itself calls itself .*write a loop"),
}
PLAIN = {
    "base": ("raise BaseException('hm')", "at: BaseException: hm"),
    "gone": ("raise GeneratorExit", "at: GeneratorExit. Replay"),
    "wordless": ("raise Odd", "at: Odd. Replay"),
    "lines": ("raise ValueError('one\\ntwo')", "at: ValueError: one / two. Replay"),
    "lucky": ("return LEAVE if random.random() < 0.3 else STAY", "played twice .*simlab check"),
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "strategies").mkdir()
    return tmp_path


CASES = [(name, True) for name in BODIES]
CASES += [(name, False) for name in (BODIES | PLAIN) if name != "itself"]


@pytest.mark.parametrize(("name", "compiled"), CASES)
def test_a_strategys_mistake_is_told_with_its_line(here: Path, name: str, compiled: bool) -> None:
    body, says = (BODIES | PLAIN)[name]
    file = here / "strategies" / "own.py"
    file.write_text(
        f'{HEAD}@strategy("diamant", compiled={compiled})\n'
        f'def {name}(table, me, rules, memo, rng):\n    """Try."""\n    {body}\n',
        encoding="utf-8",
    )
    at = f"{file}:{HEAD.count(chr(10)) + 4}"
    with pytest.raises(UserError, match=says.replace("at", at, 1) if says[:3] == "at:" else says):
        simlab.run("diamant", 3, 40, [name, "random", "random"], out="run")


def pig(here: Path, function: str = "", first: str = "", before: str = "") -> Path:
    """Write the game Pig with a statement at the head of a function of its rules."""
    simlab.new("game", "pig")
    rules = here / "games" / "pig" / "rules.py"
    text = rules.read_text(encoding="utf-8")
    if function:
        place = text.index('"""\n', text.index(f"def {function}(")) + 4
        text = f"{text[:place]}    {first}\n{text[place:]}"
    text = text.replace("@rule\ndef begin(", f"{before}@rule\ndef begin(")
    rules.write_text(text, encoding="utf-8")
    return rules


RULES = {
    "a field that there is not": ("table.totall = 1", "AttributeError: .*did you mean"),
    "an exception": ("raise ValueError('no')", "ValueError: no"),
}


@pytest.mark.parametrize("kind", RULES)
def test_a_mistake_in_rules_is_blamed_on_the_rules(here: Path, kind: str) -> None:
    first, says = RULES[kind]
    rules = pig(here, "begin", first)
    for call in (lambda: simlab.run("pig", n=50), lambda: simlab.replay("pig"),
                 lambda: simlab.Table("pig")):  # fmt: skip
        with pytest.raises(RulesError, match=rf"the rules of pig failed at {rules}:\d+: {says}"):
            call()


def test_rules_that_forget_to_return_are_told(here: Path) -> None:
    pig(here, "step", "return")
    with pytest.raises(RulesError, match=r"rules of pig failed: TypeError: step returned None; it"):
        simlab.run("pig", n=50)


def test_rules_that_numba_cannot_compile_are_one_sentence(here: Path) -> None:
    pig(here, "begin", "table.pot = 0 * len(str({1: 'a', 'b': 2}))")
    simlab.replay("pig")
    with pytest.raises(RulesError, match="numba cannot compile the rules of pig") as caught:
        simlab.run("pig", n=50)
    assert "\n" not in str(caught.value)


def test_rules_that_call_each_other_in_a_circle(here: Path) -> None:
    circle = "".join(
        f"@rule\ndef {one}(n):\n    return {other}(n)\n\n\n"
        for one, other in (("ping", "pong"), ("pong", "ping"))
    )
    pig(here, "step", "if action < 0:\n        ping(1)", circle)
    with pytest.raises(UserError, match=r"rules of pig: ping, pong call each other in a circle"):
        simlab.run("pig", n=50)


def test_a_circle_is_found_and_an_attribute_of_that_name_is_none() -> None:
    def score(row: object) -> object:
        return row.score  # type: ignore[attr-defined]

    assert circle(score) == []
    assert [f.__name__ for f in circle(_even)] == ["_even", "_odd"]


def _even(n: int) -> bool:
    return n == 0 or _odd(n - 1)


def _odd(n: int) -> bool:
    return n != 0 and _even(n - 1)


@pytest.mark.parametrize("where", ["begin", "step", "legal", "score"])
def test_an_endless_loop_of_rules_is_blamed_on_the_rules(
    here: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    monkeypatch.setenv("SIMLAB_PATIENCE", "0.5")
    rules = pig(here, where, "i = 0\n    while table.players > 0:\n        i += 1")
    with pytest.raises(RulesError, match=rf"rules of pig have not answered .* loop at {rules}:"):
        simlab.run("pig", n=50)


def test_a_loop_at_import_is_told_with_its_file(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIMLAB_PATIENCE", "0.5")
    file = here / "strategies" / "slow.py"
    file.write_text(f"{HEAD}while True:\n    pass\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"slow.py:\d+: TimeoutError: it was still being imported"):
        simlab.run("diamant", 3, 10, ["slow"])


@pytest.mark.parametrize("text", ["raise BaseException('x')", "raise GeneratorExit"])
def test_a_file_that_fails_oddly_spoils_nothing_else(here: Path, text: str) -> None:
    (here / "strategies" / "odd.py").write_text(f"{HEAD}{text}\n", encoding="utf-8")
    assert simlab.run("diamant", 3, 10, ["threshold"]).span.games == 10
    assert any("odd.py" in problem for problem in simlab.doctor()["problems"])


def test_odd_things_in_the_folder_are_left_alone(here: Path) -> None:
    folder = here / "strategies"
    (folder / ".#own.py").symlink_to(folder / "nowhere")
    (folder / "loop.py").symlink_to(folder / "loop.py")
    (folder / "folder.py").mkdir()
    os.mkfifo(folder / "pipe.py")
    assert simlab.run("diamant", 3, 10, ["threshold"]).span.games == 10
    with pytest.raises(UserError, match="did you mean threshold"):
        simlab.run("diamant", 3, 10, ["treshold"])


def test_a_near_name_is_told_beside_a_broken_file(here: Path) -> None:
    (here / "strategies" / "odd.py").write_text(f"{HEAD}x = 1 / 0\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"did you mean threshold\? What cannot be read .*odd.py"):
        simlab.run("diamant", 3, 10, ["treshold"])


def test_decorators_say_what_they_need(here: Path) -> None:
    own = here / "strategies" / "own.py"
    bare = f'{HEAD}@strategy\ndef bare(table):\n    """Try."""\n    return LEAVE\n'
    own.write_text(bare, encoding="utf-8")
    with pytest.raises(UserError, match=r"own.py:\d+: @strategy takes the name of a game"):
        simlab.run("diamant", 3, 10, ["own"])
    own.write_text(bare.replace("@strategy\n", '@strategy("diamnt")\n'), encoding="utf-8")
    with pytest.raises(UserError, match=r"is for diamnt, not for diamant. .*did you mean diamant"):
        simlab.run("diamant", 3, 10, ["bare"])
    own.write_text(
        bare.replace("@strategy\n", '@strategy("diamant")\n').replace("(table)", "(tabel)"),
        encoding="utf-8",
    )
    with pytest.raises(UserError, match="no argument 'tabel'; did you mean table"):
        simlab.run("diamant", 3, 10, ["own"])


def test_a_strategy_that_changes_the_directory_does_not_move_the_run(here: Path) -> None:
    (here / "strategies" / "own.py").write_text(
        f'{HEAD}import os\n\n\n@strategy("diamant", compiled=False)\ndef moving(table):\n'
        '    """Try."""\n    os.chdir("/")\n    return LEAVE\n',
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-m", "simlab", "run", "diamant", "--players", "3", "--n", "20", "-s",
         "moving", "--out", "run"],
        cwd=here, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (here / "run" / "run.json").is_file(), done.stderr


def test_a_thread_that_is_left_behind_does_not_hold_the_command(here: Path) -> None:
    (here / "strategies" / "own.py").write_text(
        f'{HEAD}@strategy("diamant", compiled=False)\ndef threads(table):\n    """Try."""\n'
        "    if threading.active_count() < 9:\n"
        "        threading.Thread(target=time.sleep, args=(600,)).start()\n    return LEAVE\n",
        encoding="utf-8",
    )
    subprocess.run(
        [sys.executable, "-m", "simlab", "run", "diamant", "--players", "3", "--n", "20", "-s",
         "threads", "--out", "run"],
        cwd=here, capture_output=True, check=True, timeout=60,
    )  # fmt: skip


def test_strategy_errors_are_kinds_of_user_errors() -> None:
    assert issubclass(StrategyError, UserError)
    assert issubclass(RulesError, UserError)
