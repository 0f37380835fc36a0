"""The strength that every docstring states is what the kernel measures."""

from __future__ import annotations

import inspect
import re

import numpy as np
import pytest

from simlab.core.registry import strategies
from simlab.running.rows import rows_frame
from simlab.running.spec import make_spec
from simlab.running.worker import Worker

STATED = re.compile(
    r"wins ([\d.]+) % \[([\d.]+), ([\d.]+)\] of games under standard,\s+"
    r"([\d.]+) % \[([\d.]+), ([\d.]+)\] under official rules"
)
GAMES = 20_000


@pytest.mark.parametrize("name", sorted(set(strategies("diamant")) - {"random"}))
def test_strength_with_four_random(name: str) -> None:
    text = inspect.getdoc(strategies("diamant")[name].function) or ""
    found = STATED.search(text)
    assert found, f"{name} states no strength"
    numbers = [float(number) / 100 for number in found.groups()]
    for rules, (share, low, high) in (("standard", numbers[:3]), ("official", numbers[3:])):
        assert low <= share <= high
        spec = make_spec("diamant", 5, [name, "random*4"], rules)
        frame = rows_frame(spec, 0, Worker(spec, events=False).play(0, GAMES).results)
        wins = frame.filter(strategy=name)["win"].to_numpy()
        error = np.hypot(wins.std() / np.sqrt(GAMES), (high - low) / 3.92)
        assert abs(wins.mean() - share) <= 4 * error + 0.0001, (rules, wins.mean(), share)
