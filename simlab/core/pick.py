"""The uniform baseline of a game that declares none: any legal action, each equally likely."""

from __future__ import annotations

import functools
from typing import Any

from simlab.core.game import Game, rule_book
from simlab.core.rng import below
from simlab.core.strategy import STRATEGY_MARK, Strategy, strategy


@functools.lru_cache(maxsize=32)
def random_strategy(game: Game) -> Strategy:
    """Return the strategy `random` of any game: draws actions until one is legal.

    Compiled it is as good as one written for the game; the same object each time.
    """
    legal, actions = game.legal, len(rule_book(game).actions)

    def random(table: Any, me: Any, rules: Any, rng: Any) -> Any:
        """Take any legal action, each with the same chance."""
        action = below(rng, actions)
        while not legal(table, me, rules, action):
            action = below(rng, actions)
        return action

    declared: Strategy = getattr(strategy(game.name)(random), STRATEGY_MARK)
    return declared
