"""Every kind of fault of a strategy is caught, with the right line."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from simlab.checks import Findings, check
from tests.checks.conftest import HERE

HEAD = """
import datetime
import math
import random as luck
import time
from typing import Annotated, Literal

import numpy as np

from simlab import Range, Strategy, ask, batch_strategy, note, strategy, uniform

SEEN = []
NAMES = "low high"
TABLE = {"asked": 0}
DICE = np.random.default_rng(1)
COUNT = 0


def helper(table):
    SEEN.append(table.turn)
    return len(SEEN)

"""
FIRST = HEAD.count("\n") + 1
# name -> (source, check that fails, what its line says, line of the source that it names)
BAD = {
    "a default that remembers": ('''
        def helper2(table, seen=[]):
            seen.append(1)
            return len(seen)


        @strategy("pebbles", compiled=False)
        def plan(table):
            """Take now and then."""
            return 1 if helper2(table) % 50_000 == 0 else 0
        ''', "no state", "the default of seen is kept from call to call", 1),
    "an attribute that is set": ('''
        class Kept:
            asked = 0


        @strategy("pebbles", compiled=False)
        def plan(table):
            """Take now and then."""
            setattr(Kept, "asked", Kept.asked + 1)
            return 1 if Kept.asked % 50_000 == 0 else 0
        ''', "no state", "changes an object that outlives the game", 8),
    "chance at import": ('''
        SEED = int(np.random.SeedSequence().entropy % 2**60)


        @strategy("pebbles")
        def plan(table):
            """Take by chance."""
            return 1 if table.card > SEED % 5 else 0
        ''', "no state", "SEED is another value each time the file is imported", 4),
    "a batch that counts": ('''
        @batch_strategy("pebbles")
        def plan(table):
            """Take in large batches alone."""
            return np.full(len(table), len(table) > 400)
        ''', "same seed", "5,000 games at once", None),
    "no docstring": ("""
        @strategy("pebbles", compiled=False)
        def plan(table):
            return 1
        """, "documented", "no docstring", 1),
    "a parameter that is not told": ('''
        @strategy("pebbles", compiled=False)
        def plan(table, much: Annotated[int, Range(0, 9)] = 3):
            """Take."""
            return 1 if table.card > much else 0
        ''', "documented", "does not name the parameter 'much'", 1),
    "no range": ('''
        @strategy("pebbles", compiled=False)
        def plan(table, much: int = 3):
            """Take more than `much`."""
            return 1 if table.card > much else 0
        ''', "documented", "much: Annotated[int, Range(low, high)] = 3", 1),
    "a default outside its range": ('''
        @strategy("pebbles")
        def plan(table, much: Annotated[float, Range(4, 9)] = 3):
            """Take more than `much`."""
            return 1 if table.card > much else 0
        ''', "documented", "default 3 of 'much' is outside its range, 4 to 9", 1),
    "illegal on its path": ('''
        @strategy("pebbles")
        def plan(table):
            """Two and a bit."""
            return 2
        ''', "legal", "'2' is not legal for seat 0 (take_or_pass); legal: pass, take", 1),
    "illegal off its path": ('''
        @strategy("pebbles")
        def plan(table, me):
            """Never takes, and has no idea of having done so."""
            return 5 if table.gems[me.seat] > 9 else 0
        ''', "legal", "'5' is not legal", 1),
    "illegal at the end of a range": ('''
        @strategy("pebbles")
        def plan(table, much: Annotated[int, Range(0, 9)] = 3):
            """Take `much`."""
            return 1 if much < 9 else much
        ''', "legal", "plan(much=9)", 1),
    "illegal for a word": ('''
        @strategy("pebbles")
        def plan(table, mood: Literal["calm", "wild"] = "calm"):
            """In this `mood`."""
            return 1 if mood == "calm" else 3
        ''', "legal", "plan(mood=wild)", 1),
    "an exception": ('''
        @strategy("pebbles")
        def plan(table):
            """No plan."""
            if table.turn == 3:
                raise ValueError("no plan for the third card")
            return 1
        ''', "legal", "ValueError: no plan for the third card", 5),
    "an index outside its array": ('''
        @strategy("pebbles")
        def plan(table):
            """Looks too far."""
            return 1 if table.gems[table.turn] > 0 else 0
        ''', "legal", "IndexError", 4),
    "division by zero": ('''
        @strategy("pebbles")
        def plan(table):
            """Divides."""
            return 1 if 7 // table.card > 2 else 0
        ''', "legal", "by zero", 4),
    "an index below zero": ('''
        @strategy("pebbles")
        def plan(table):
            """Looks back."""
            return 1 if table.gems[table.turn - 3] > 0 else 0
        ''', "indices", "table.gems[-2] counts from the end", 4),
    "deaf to bars": ('''
        @strategy("pebbles")
        def plan(me):
            """Acts up when barred."""
            return 3 if me.barred[0] & 3 == 3 else 1
        ''', "bars", "some actions are barred for this seat (me.barred)", 1),
    "what numba does not know": ('''
        @strategy("pebbles")
        def plan(table):
            """Evaluates."""
            return int(format(table.turn))
        ''', "plays", "compiled=False", 4),
    "no action": ('''
        @strategy("pebbles", compiled=False)
        def plan(table):
            """Says nothing."""
            return None
        ''', "legal", "the strategy returned None; an action is a whole number", 1),
    "a counter in a list": ('''
        @strategy("pebbles", compiled=False)
        def plan(table):
            """Counts."""
            SEEN.append(1)
            return len(SEEN) % 3 == 0
        ''', "same seed", "changes SEEN, which outlives the game", 4),
    "a counter in a dictionary": ('''
        @strategy("pebbles", compiled=False)
        def plan(table):
            """Counts."""
            TABLE["asked"] += 1
            return 1
        ''', "no state", "changes TABLE['asked']", 4),
    "a counter under another name": ('''
        @strategy("pebbles", compiled=False)
        def plan(table):
            """Counts."""
            mine = SEEN
            mine.append(1)
            return 1
        ''', "no state", "changes mine", 5),
    "a counter in a function": ('''
        @strategy("pebbles", compiled=False)
        def plan(table):
            """Counts."""
            plan.asked = 1
            return 1
        ''', "no state", "changes plan.asked", 4),
    "a counter in a helper": ('''
        @strategy("pebbles", compiled=False)
        def plan(table):
            """Counts elsewhere."""
            return helper(table) % 2
        ''', "no state", "changes SEEN", -2),
    "global": ('''
        @strategy("pebbles", compiled=False)
        def plan(table):
            """Counts."""
            global COUNT
            COUNT += 1
            return COUNT % 2
        ''', "no state", "keeps COUNT between decisions (global)", 4),
    "nonlocal": ('''
        def make():
            asked = 0

            @strategy("pebbles", compiled=False)
            def plan(table):
                """Counts."""
                nonlocal asked
                asked += 1
                return asked % 2

            return plan


        plan = make()
        ''', "no state", "keeps asked between decisions (nonlocal)", 7),
    "random": ('''
        @strategy("pebbles", compiled=False)
        def plan(table):
            """Chance."""
            return luck.random() < 0.5
        ''', "same seed", "takes chance from luck.random", 4),
    "np.random, compiled": ('''
        @strategy("pebbles")
        def plan(table):
            """Chance."""
            return 1 if np.random.rand() < 0.5 else 0
        ''', "same seed", "takes chance from np.random.rand", 4),
    "a generator of its own": ('''
        @strategy("pebbles", compiled=False)
        def plan(table):
            """Chance."""
            return int(DICE.integers(2))
        ''', "no state", "takes chance from DICE.integers", 4),
    "random, imported inside": ('''
        @strategy("pebbles", compiled=False)
        def plan(table):
            """Chance."""
            import random

            return random.randint(0, 1)
        ''', "no state", "takes chance from random", 4),
    "the clock": ('''
        @strategy("pebbles", compiled=False)
        def plan(table):
            """Late."""
            return int(time.time() * 1e6) % 2
        ''', "same seed", "takes time from time.time", 4),
    "the date": ('''
        @strategy("pebbles", compiled=False)
        def plan(table):
            """Mondays."""
            return datetime.datetime.now().weekday() == 0
        ''', "no state", "takes time from datetime.datetime.now", 4),
    "a hash": ('''
        @strategy("pebbles", compiled=False)
        def plan(table):
            """Hashes."""
            return hash("pebbles") % 2
        ''', "no state", "uses a hash", 4),
    "a file": ('''
        @strategy("pebbles", compiled=False)
        def plan(table):
            """Reads."""
            with open(__file__) as lines:
                return len(lines.read()) % 2
        ''', "no state", "opens a file", 4),
    "print": ('''
        @strategy("pebbles", compiled=False)
        def plan(table):
            """Talks."""
            if table.turn > 99:
                print(table.turn)
            return 1
        ''', "no state", "prints; show numbers with note", 5),
    "print, compiled": ('''
        @strategy("pebbles")
        def plan(table):
            """Talks."""
            print(table.turn)
            return 1
        ''', "plays", "use note('name', value)", 1),
    "writes to table": ('''
        @strategy("pebbles")
        def plan(table, me):
            """Helps itself."""
            table.gems[me.seat] += 100
            return 1
        ''', "looks only", "writes to table.gems[me.seat]", 4),
    "writes to rules through an alias, in later games": ('''
        @strategy("pebbles", compiled=False)
        def plan(table, me, rules):
            """Ends it."""
            book = rules
            if table.gems[me.seat] > 99:
                book.rounds = 1
            return 1
        ''', "looks only", "writes to book.rounds", 6),
    "writes to an array by a method": ('''
        @strategy("pebbles")
        def plan(table):
            """Empties."""
            gems = table.gems
            gems.fill(0)
            return 1
        ''', "looks only", "writes to gems", 5),
    "writes in a way that cannot be read": ('''
        def take(record, seat):
            record.gems[seat] += 1


        @strategy("pebbles")
        def plan(table, me):
            """Helps itself elsewhere."""
            if table.turn == 4:
                take(table, me.seat)
            return 1
        ''', "looks only", "may look at table, me and rules, not change them", 2),
    "compiled otherwise": ('''
        @strategy("pebbles")
        def plan(table):
            """Overflows."""
            big = int(table.turn) * 4611686018427387904 * 2
            return 1 if big > 0 else 0
        ''', "alike", "as plain Python", 1),
    "a batch that looks at the other games": ('''
        @batch_strategy("pebbles")
        def plan(table):
            """Takes above the mean."""
            return table.card > table.card.mean()
        ''', "same seed", "may not depend on the other games", None),
    "a batch that is illegal": ('''
        @batch_strategy("pebbles")
        def plan(table, me):
            """No idea of having taken."""
            return np.where(table.gems[:, 0] > 9, 4, 0)
        ''', "legal", "'4' is not legal", 1),
    "a batch of another shape": ('''
        @batch_strategy("pebbles")
        def plan(table):
            """Answers for one too many."""
            return np.zeros(len(table) + 1, int)
        ''', "legal", "one action for each", 1),
    "a batch that writes": ('''
        @batch_strategy("pebbles")
        def plan(table):
            """Writes."""
            if (table.turn > 3).any():
                setattr(table, "turn", 0)
            return 1
        ''', "looks only", "read-only", 5),
    "an unknown strategy inside": ('''
        @strategy("pebbles")
        def plan(table, me, rules, memo, rng, base: Strategy = "randm"):
            """Asks `base`."""
            return ask(base, table, me, rules, memo, rng)
        ''', "plays", "no strategy 'randm' in pebbles; did you mean random?", None),
    "an unknown game": ('''
        @strategy("pebbels")
        def plan(table):
            """For what?"""
            return 1
        ''', "game", "no game 'pebbels'; did you mean pebbles?", 1),
    "one name twice": ('''
        @strategy("pebbles", name="plan", compiled=False)
        def one(table):
            """One."""
            return 1


        @strategy("pebbles", name="plan", compiled=False)
        def two(table):
            """Two."""
            return 0
        ''', "names", "declared in lines", None),
}  # fmt: skip


def checked(folder: Path, source: str, head: str = HEAD, seconds: float = 0.3) -> Findings:
    path = folder / "mine.py"
    path.write_text(head + textwrap.dedent(source).lstrip(), encoding="utf-8")
    return check(path, seconds=seconds)


@pytest.mark.parametrize("name", BAD)
def test_a_fault_is_caught_with_its_line(name: str, tmp_path: Path) -> None:
    source, kind, says, line = BAD[name]
    for seconds in (0.3, 5.0):  # on a busy machine few games are played in a short time
        found = checked(tmp_path, source, seconds=seconds)
        lines = [f for f in found.failed if f.check == kind and says in f.says]
        if lines:
            break
    assert not found.passed
    assert lines, str(found)
    if line is not None:
        assert f"mine.py:{FIRST + line - 1}" in lines[0].says, str(found)
    assert "FAIL" in str(found)


def test_a_position_and_the_persons_own_traceback_go_with_a_fault(tmp_path: Path) -> None:
    found = checked(tmp_path, BAD["an exception"][0])
    detail = next(line.detail for line in found.failed if line.check == "legal")
    assert 'raise ValueError("no plan for the third card")' in detail
    assert "simlab/" not in detail
    assert "turn 3" in detail.lower()


GOOD = '''
@strategy("pebbles", memo=[("asked", "i4")])
def counting(table, me, memo, every: Annotated[int, Range(1, 5)] = 2):
    """Take at each decision whose number `every` divides."""
    memo.asked += 1
    here = np.zeros(3)
    here[0] = table.card
    gems = table.gems.copy()
    gems[0] = 1
    seen = []
    seen.append(1)
    low, _, high = NAMES.partition(" ")
    seen[0] = len(low) + len(high)
    note("asked", memo.asked)
    return 1 if memo.asked % every == 0 or here[0] > math.pi + 3 else 0


@strategy("pebbles", compiled=False)
def plain(table, me, rng, brave: bool = True):
    """Take if `brave` and lucky."""
    return {True: 1, False: 0}[bool(brave and uniform(rng) < 0.5)]


@batch_strategy("pebbles", memo=[("asked", "i4")])
def many(table, me, memo, rng, much: Annotated[int, Range(0, 7)] = 3):
    """Take more than `much`, or by chance."""
    memo.asked += 1
    return (table.card > much) | (uniform(rng) < 0.1) | (memo.asked == 3)


@strategy("pebbles")
def asking(table, me, rules, memo, rng, base: Strategy = "counting"):
    """Do what `base` would not do."""
    return 1 - ask(base, table, me, rules, memo, rng)
'''


def test_good_strategies_of_every_kind_pass(tmp_path: Path) -> None:
    found = checked(tmp_path, GOOD)
    assert found.passed, str(found)
    subjects = {line.subject.partition(" ")[0] for line in found.lines}
    assert {"counting", "plain", "many", "asking"} <= subjects
    checks = {line.check for line in found.lines if line.status == "ok"}
    assert {"documented", "no state", "plays", "legal", "bars", "same seed", "alike",
            "looks only", "indices", "speed", "compiled in"} <= checks  # fmt: skip


ENDLESS = """
@strategy("pebbles"{how})
def plan(table):
    \"\"\"Waits for the fifth card.\"\"\"
    found = table.turn
    while found == 3:
        found = table.turn
    return 1
"""


def test_a_loop_without_end_is_told_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIMLAB_PATIENCE", "0.4")
    found = checked(tmp_path, ENDLESS.format(how=", compiled=False"))
    (line,) = found.failed
    assert line.check == "legal"
    assert re.search(rf"mine\.py:({FIRST + 4}|{FIRST + 5}): no answer within 0.4 s", line.says)


def test_a_loop_without_end_in_machine_code_is_told_too(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(HEAD + ENDLESS.format(how="").lstrip(), encoding="utf-8")
    program = (
        "import os\nfrom simlab.core.registry import looking_in\nfrom simlab.checks import check\n"
        f"with looking_in({str(HERE)!r}):\n    print(check({str(path)!r}), flush=True)\nos._exit(0)"
    )
    told = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60,
        env={**os.environ, "SIMLAB_PATIENCE": "0.4"},
    ).stdout  # fmt: skip
    assert re.search(rf"FAIL  legal .*mine\.py:({FIRST + 4}|{FIRST + 5}): no answer within", told)


def test_a_file_that_cannot_be_imported_is_one_sentence_with_its_traceback(tmp_path: Path) -> None:
    found = checked(tmp_path, "import math\n\nHALF = math.sqrt(-1)\n", head="")
    (line,) = found.failed
    assert line.check == "loads"
    assert "mine.py:3: ValueError" in line.says
    assert "HALF = math.sqrt(-1)" in line.detail
    found = checked(tmp_path, "def (:\n", head="")
    assert "mine.py:1: invalid syntax" in found.failed[0].says


def test_a_file_that_declares_nothing_says_what_to_do(tmp_path: Path) -> None:
    found = checked(tmp_path, "X = 1\n", head="")
    assert "declares no strategy and no report section" in found.failed[0].says
