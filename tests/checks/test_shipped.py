"""Everything that is registered passes the checks: games, and strategies one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from simlab.checks import check
from simlab.checks.strategies import check_strategy
from simlab.checks.together import check_together
from simlab.core.game import Game
from simlab.core.registry import bind_for, find_game, find_strategy, games, strategies

DAILY: dict[str, tuple[str, ...]] = {
    "diamant": ("random", "risk_limit", "score_aware", "threshold"),
    "splendor": (),
    "caylus": (),
    "collier": (),
}  # the others: validate
SHORT = ("diamant",)  # games that are checked daily


def every_strategy() -> Iterator[Any]:
    """Yield each game and strategy; only some of those that come along belong to a short run."""
    for game in games():
        for name in strategies(game):
            daily = name in DAILY.get(game, (name,))
            yield pytest.param(game, name, marks=() if daily else pytest.mark.validate)


@pytest.mark.parametrize(("game", "name"), list(every_strategy()))
def test_a_strategy_passes(game: str, name: str) -> None:
    known: Game = find_game(game)
    declared = find_strategy(game, name)
    lines = list(check_strategy(known, declared, lambda f: bind_for(known, f), seconds=1.0))
    assert [line for line in lines if line.status == "FAIL"] == []
    assert {"documented", "legal", "same seed"} <= {x.check for x in lines if x.status == "ok"}


LONG = [
    pytest.param(g, marks=() if g in SHORT or g not in DAILY else pytest.mark.validate)
    for g in games()
]


@pytest.mark.validate
@pytest.mark.parametrize("game", list(games()))
def test_strategies_play_alike_compiled_together(game: str) -> None:
    known = find_game(game)
    every = [bind_for(known, declared.function) for declared in strategies(game).values()]
    assert [line.says for line in check_together(known, every) if line.status != "ok"] == []


@pytest.mark.parametrize("game", LONG)
def test_a_game_passes(game: str) -> None:
    found = check(game, seconds=2.0)
    assert found.passed, str(found)
