"""A fault that a check met, told with strategy, cell, game, seat, decision and file."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any

from simlab.checks.cells import SEED, Case, Cell
from simlab.core import blame
from simlab.core.loading import own_frames
from simlab.core.patience import Endless, Patience, seconds_allowed
from simlab.core.strategy import Bound, Player, Strategy
from simlab.core.table import Table
from simlab.errors import IllegalAction, told
from simlab.running.worker import ENDLESS, Fault


class BarredTable(Table):
    """A table that takes bars as words of bits."""

    def bar(self, seat: int, text: Any) -> None:
        """Bar by bits: `text` is the array that becomes `me.barred`."""
        self._seats[seat].barred[:] = text


def table_of(case: Case, game: int) -> Table:
    """Return the table of a game of a case before its first decision."""
    cell, bars = case.cell, {}
    if case.bars is not None:
        bars = {seat: [case.bars[case.entry(game, seat)]] for seat in range(cell.players)}
    return BarredTable(
        cell.book.game, cell.players, seed=SEED, deal=game, game_number=game, book=cell.book,
        bars=bars,
    )  # fmt: skip


def asked(bound: Bound) -> Bound:
    """Return the person's own strategy inside those of the checks."""
    while bound.strategy.function.__module__.startswith("simlab.checks"):
        inner = [value for value in bound.values if isinstance(value, Bound)]
        if not inner:
            break
        bound = inner[0]
    return bound


def where(declared: Strategy) -> str:
    """Return file and line of a strategy."""
    return f"{declared.file}:{declared.function.__code__.co_firstlineno}"


def place(cell: Cell, game: int, seat: int) -> str:
    """Say which game of the checks it was."""
    return f"game {game} of {cell.said}, seed {SEED}, seat {seat}"


def explain(case: Case, fault: Fault) -> tuple[str, str]:
    """Play the faulty game again uncompiled; return what is wrong, and the position it is in."""
    table = table_of(case, fault.game)
    seats = range(case.cell.players)
    players = [Player(case.line_up[case.entry(fault.game, seat)]) for seat in seats]
    with Patience(seconds_allowed()) as limit:
        while not table.finished:
            seat = int(table.to_move or 0)
            limit.tick(f"a strategy in {place(case.cell, fault.game, seat)}")
            try:
                table.advance(players[seat])
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # whatever a strategy raises
                return _told(case, fault.game, seat, table, error)
    bound = asked(case.line_up[case.entry(fault.game, fault.seat)])
    what = f"no answer within {seconds_allowed():g} s" if fault.error == ENDLESS else fault.error
    what = what or f"chose action {fault.action}, which is not legal,"
    return (
        f"{bound.full} ({where(bound.strategy)}): {what} in "
        f"{place(case.cell, fault.game, fault.seat)} when compiled, but not as plain Python; "
        "look for an index outside its array or a number that overflows."
    ), ""


def _told(case: Case, game: int, seat: int, table: Table, error: BaseException) -> tuple[str, str]:
    bound = asked(case.line_up[case.entry(game, seat)])
    at = f"{place(case.cell, game, seat)}, decision {table.decisions} ({table.decision})"
    if isinstance(error, IllegalAction):
        return f"{bound.full} ({where(bound.strategy)}) in {at}: {_illegal(table, seat, error)}", (
            str(table)
        )
    frames = own_frames(error)
    own = [frame for frame in frames if Path(frame.filename) == bound.strategy.file] or frames
    line = f"{own[-1].filename}:{own[-1].lineno}" if own else where(bound.strategy)
    hint = blame.hint(error, case.cell.book.game, bound.strategy)
    detail = "".join(traceback.format_list(frames)) + str(table)
    what = f"{told(error)}{hint}."
    if isinstance(error, Endless):
        what = f"no answer within {seconds_allowed():g} s; look for a loop that does not end."
    return f"{bound.full} in {at}: {line}: {what}", detail


def _illegal(table: Table, seat: int, error: IllegalAction) -> str:
    """Say what is wrong with an action: barred alone, or against the rules."""
    barred = table.private(seat)["barred"].any()
    way = "choose only what `legal` allows, or fall back on `view.default(table, me, rules)`"
    if barred:
        way = f"some actions are barred for this seat (me.barred); {way}"
    return f"{str(error).rstrip('.')}; {way}."
