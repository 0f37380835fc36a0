"""Whether strategies play the same compiled into the loop, which long runs are played with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from simlab.checks import same
from simlab.checks.cells import Case, Player, can_compile, cells
from simlab.checks.findings import Line, Report
from simlab.core.game import Game
from simlab.core.strategy import Bound


def check_together(game: Game, every: Sequence[Bound]) -> Iterator[Line]:
    """Yield the lines of a game's strategies that passed, compiled in; those in Python left out."""
    every = [bound for bound in every if bound.compiled]
    if not every or not can_compile():
        return
    names = ", ".join(bound.strategy.name for bound in every)
    report = Report(f"{names}, compiled into the loop of {game.name}")
    cell = cells(game, variants=False)[-1]
    groups = [every[at : at + cell.players] for at in range(0, len(every), cell.players)]
    for group in groups:
        line_up = tuple(group[seat % len(group)] for seat in range(cell.players))
        player = Player(Case(cell, line_up))
        before = player.play(0, 500)
        player.worker.use_inlined()
        ways = ("called by address", "compiled in")
        said = same.difference(player.case, before, player.play(0, 500), ways)
        if said is not None:
            yield report.fail("compiled in", said)
            return
    yield report.ok("compiled in", "500 games came out as before")
