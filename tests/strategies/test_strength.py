"""The strength that every docstring states is what the kernel measures."""

from __future__ import annotations

import inspect
import re
from typing import Any

import numpy as np
import pytest

from simlab.core.registry import games, strategies
from simlab.running.rows import rows_frame
from simlab.running.spec import make_spec
from simlab.running.worker import Worker

FIGURE = r"([\d.]+) % \[([\d.]+), ([\d.]+)\]"
# By game, each way to state a strength: the words, and for each figure the others and the rules.
STATED = {
    "diamant": {
        rf"with four `random` wins {FIGURE} of games under standard, {FIGURE} under official "
        r"rules; the equal share is 20 %": [("random*4", "standard"), ("random*4", "official")],
    },
    "splendor": {
        rf"wins {FIGURE} of games against one `greedy_buy`, {FIGURE} against three \(equal shares "
        rf"50 and 25 %\), {FIGURE} against three `random`": [
            ("greedy_buy", "standard"),
            ("greedy_buy*3", "standard"),
            ("random*3", "standard"),
        ],
        rf"wins {FIGURE} of games against three `random`, {FIGURE} against one": [
            ("random*3", "standard"),
            ("random", "standard"),
        ],
    },
    "caylus": {
        rf"wins {FIGURE} of games against one `greedy_value`, {FIGURE} against three \(equal "
        rf"shares 50 and 25 %\), {FIGURE} against three `random`": [
            ("greedy_value", "standard"),
            ("greedy_value*3", "standard"),
            ("random*3", "standard"),
        ],
        rf"wins {FIGURE} of games against one `random`, {FIGURE} against three": [
            ("random", "standard"),
            ("random*3", "standard"),
        ],
    },
    "collier": {
        rf"wins {FIGURE} of games against three `dearest_single`, {FIGURE} against three "
        rf"`cheapest_many`, {FIGURE} against three `random` \(equal share 25 %\); against one of "
        rf"them {FIGURE}, {FIGURE}, {FIGURE} \(50 %\)": [
            (others + many, "standard")
            for many in ("*3", "")
            for others in ("dearest_single", "cheapest_many", "random")
        ],
        rf"wins {FIGURE} of games against three `cheapest_many`, {FIGURE} against three `random` "
        rf"\(equal share 25 %\); against one of them {FIGURE}, {FIGURE} \(50 %\)": [
            (others + many, "standard")
            for many in ("*3", "")
            for others in ("cheapest_many", "random")
        ],
        rf"wins {FIGURE} of games against three `dearest_single`, {FIGURE} against three `random` "
        rf"\(equal share 25 %\); against one of them {FIGURE}, {FIGURE} \(50 %\)": [
            (others + many, "standard")
            for many in ("*3", "")
            for others in ("dearest_single", "random")
        ],
    },
}
GAMES = {"diamant": 20_000, "splendor": 10_000, "caylus": 5_000, "collier": 2_000}


@pytest.mark.parametrize(
    ("game", "name"),
    [(game, name) for game in games() for name in sorted(set(strategies(game)) - {"random"})],
)
def test_strength_is_what_the_docstring_states(game: str, name: str) -> None:
    text = " ".join((inspect.getdoc(strategies(game)[name].function) or "").split())
    found = [
        (figure, *how)
        for words, ways in STATED[game].items()
        for match in re.finditer(f"Strength: {words}", text)
        for figure, how in zip(np.reshape(match.groups(), (-1, 3)).astype(float), ways, strict=True)
    ]
    assert found, f"{name} states no strength"
    for (share, low, high), others, rules in found:
        assert low <= share <= high
        wins = measured(game, name, others, rules)
        error = np.hypot(wins.std() / np.sqrt(len(wins)), (high - low) / 100 / 3.92)
        assert abs(wins.mean() - share / 100) <= 4 * error + 0.0001, (others, rules, wins.mean())


def measured(game: str, name: str, others: str, rules: str) -> Any:
    """Return what a strategy wins of each game, its seat rotating."""
    players = 1 + int(others.partition("*")[2] or 1)
    spec = make_spec(game, players, [name, others], rules)
    frame = rows_frame(spec, 0, Worker(spec, events=False).play(0, GAMES[game]).results)
    return frame.filter(strategy=name)["win"].to_numpy()
