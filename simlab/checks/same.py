"""Whether games come out the same: again, alone, in other batches, played another way."""

from __future__ import annotations

from typing import Any

import numpy as np

from simlab.checks.cells import Case, Player
from simlab.checks.explain import asked, place, table_of
from simlab.core import strategy
from simlab.running.worker import Batch

BATCHES = (7, 50)
AGAIN = "the second time"


def difference(case: Case, one: Batch, other: Batch, ways: tuple[str, str]) -> str | None:
    """Say where two plays of the same games differ first, or None.

    ways: how each was played, in words.
    """
    for batch, way in ((one, ways[0]), (other, ways[1])):
        if batch.fault is not None:
            fault = batch.fault
            what = fault.error or f"action {fault.action} is not legal"
            return f"{place(case.cell, fault.game, fault.seat)}: {what}, {way} only."
    if np.array_equal(one.results, other.results):
        return None
    unequal = np.argwhere(one.results != other.results)
    game, seat = (int(number) for number in unequal[0])
    names = case.cell.book.game.result.names or ()
    rows = one.results[game, seat], other.results[game, seat]
    name = next(n for n in names if rows[0][n] != rows[1][n])
    label = asked(case.line_up[case.entry(one.first + game, seat)]).full
    return (
        f"{place(case.cell, one.first + game, seat)} ({label}): {name} {rows[0][name]} {ways[0]}, "
        f"{rows[1][name]} {ways[1]}; {len(np.unique(unequal[:, 0]))} of {len(one.results)} games "
        "differ."
    )


def again(case: Case, games: int) -> str | None:
    """Play games again, backwards one by one and in other batches; say what differs, or None."""
    player = Player(case)
    first = player.play(0, games)
    ways = [(AGAIN, player.play(0, games))]
    ways.append(("by another worker", Player(case).play(0, games)))
    ways.append(("alone, in another order", joined(player, list(range(games))[::-1], 1)))
    for size in BATCHES:
        starts = list(range(0, games, size))
        ways.append((f"in batches of {size}", joined(player, starts, size, games)))
    for way, batch in ways:
        said = difference(case, first, batch, ("at first", way))
        if said is not None:
            return said
    return None


def wide(case: Case, games: int) -> str | None:
    """Play very many games at once and in parts; say what differs, or None (batch strategies)."""
    player = Player(case)
    whole = player.play(0, games)
    parts = joined(player, list(range(0, games, 250)), 250, games)
    return difference(case, whole, parts, (f"{games:,} games at once", "in batches of 250"))


def joined(player: Player, starts: list[int], size: int, end: int | None = None) -> Batch:
    """Play batches of `size` games from these starts, in this order; return them as one batch."""
    parts: dict[int, Batch] = {}
    for start in starts:
        parts[start] = player.play(start, size if end is None else min(size, end - start))
    ordered = [parts[start] for start in sorted(parts)]
    fault = next((part.fault for part in ordered if part.fault is not None), None)
    results: Any = np.concatenate([part.results for part in ordered])
    return Batch(ordered[0].first, results, None, 0.0, fault)


def decisions(case: Case, games: int) -> float:
    """Return the mean number of decisions of the first games of a case."""
    total = 0
    for game in range(games):
        table = table_of(case, game)
        seats = range(case.cell.players)
        players = [strategy.Player(case.line_up[case.entry(game, seat)]) for seat in seats]
        while not table.finished:
            table.advance(players[int(table.to_move or 0)])
        total += table.decisions
    return total / games
