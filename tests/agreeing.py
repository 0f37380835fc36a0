"""A game is the same game by address, inlined, as plain Python and at a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from simlab import Table
from simlab.core.game import Game, rule_book
from simlab.core.ranks import rank_games
from simlab.core.registry import bind_for
from simlab.core.strategy import Bound, Player
from simlab.running.spec import Spec
from simlab.running.worker import Worker


def spec_of(game: Game, line_up: Sequence[Any], rules: str = "standard", **changes: Any) -> Spec:
    """Return the spec of a line-up, one entry a seat, for a game that need not be registered."""
    bound = tuple(b if isinstance(b, Bound) else bind_for(game, b) for b in line_up)
    return Spec(game, len(bound), rule_book(game, rules, changes), bound, "rotate", 7, changes)


def all_agree(spec: Spec, games: int, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Play games in every way, compare all rows, and return the result records [games, seats]."""
    compiled = Worker(spec, events=False)
    played = [compiled.play(3, games)]
    compiled.use_inlined()
    played.append(compiled.play(3, games))
    with monkeypatch.context() as patch:
        patch.setenv("NUMBA_DISABLE_JIT", "1")
        plain = Worker(spec, events=False)
        assert plain.plain
        played.append(plain.play(3, games))
    for batch in played:
        assert batch.fault is None
        assert np.array_equal(batch.results, played[0].results)
    for place in range(min(games, 20)):
        _agrees(at_table(spec, 3 + place), played[0].results[place])
    return played[0].results


def at_table(spec: Spec, game: int) -> Table:
    """Play one game of a spec at a table, decision by decision; whoever is asked may do it."""
    table = Table(
        spec.game, spec.players, seed=spec.seed, deal=game, game_number=game, book=spec.book
    )
    players = [Player(spec.line_up[(seat - game) % spec.players]) for seat in range(spec.players)]
    while not table.finished:
        assert len(table.legal()) > 1, "a choice with one legal action was asked"
        assert table.to_move is not None
        str(table)
        table.advance(players[table.to_move])
    return table


def _agrees(table: Table, row: Any) -> None:
    assert table.scores == row["score"].tolist()
    assert table.columns == {name: row[name].tolist() for name in table.columns}
    assert table.end_reason == table.game.end_reasons[int(row["end_reason"][0])]
    rank, win = np.zeros((1, len(row)), "u1"), np.zeros((1, len(row)))
    rank_games(row[None].view(np.recarray), rank, win)
    assert table.ranks == rank[0].tolist()
