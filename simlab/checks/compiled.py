"""Whether a game's rules play alike compiled and plain, and hold in many random games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from simlab.checks import same
from simlab.checks.cells import Case, Cell, Player, Round, draws, in_turn, uncompiled
from simlab.checks.explain import place
from simlab.checks.findings import FAIL, Line, Report
from simlab.checks.mixing import wanderer
from simlab.checks.walk import result_wrong
from simlab.core.game import TRUNCATED, Game
from simlab.core.patience import seconds_allowed
from simlab.running.replay import replay_spec
from simlab.running.worker import ENDLESS

ROUNDS = (50, 500, 2000)
PLAIN_ROUNDS = (1, 2, 4, 8)


def compiled(report: Report, game: Game, every: Sequence[Cell], seconds: float) -> Iterator[Line]:
    """Yield the lines about a game's rules as machine code, in all cells."""

    def case(number: int, cell: Cell) -> Case:
        tastes = [0 if seat == 0 else number + seat for seat in range(cell.players)]
        return Case(cell, tuple(wanderer(game, taste) for taste in tastes))

    cases = [case(number, cell) for number, cell in enumerate(every)]
    try:
        players = [Player(each, events=game.events is not None) for each in cases]
        with uncompiled():
            plain = [Player(each, events=game.events is not None) for each in cases]
    except Exception as error:  # numba fails in many ways on what it does not know
        text = " ".join(str(error).split())
        yield report.fail(
            "compiled", f"numba cannot compile the rules of {game.name}: {type(error).__name__}: "
            f"{text[:400]}",
        )  # fmt: skip
        return
    for line in _alike(report, players, plain, seconds):
        yield line
        if line.status == FAIL:
            return
    yield from _many(report, game, players, seconds)


def _met(met: Round) -> str:
    """Say where and how random play stopped."""
    assert met.case is not None
    assert met.fault is not None
    what = met.fault.error or "no legal action was found"
    if what == ENDLESS:
        what = f"no answer within {seconds_allowed():g} s"
    return f"{place(met.case.cell, met.fault.game, met.fault.seat)}: {what}"


def _alike(
    report: Report, players: list[Player], plain: list[Player], seconds: float
) -> Iterator[Line]:
    other = {id(p): compiled for p, compiled in zip(plain, players, strict=True)}
    found: list[str] = []

    def look(player: Player, batch: Any) -> bool:
        fast = other[id(player)].play(batch.first, len(batch.results))
        said = same.difference(player.case, fast, batch, ("compiled", "as plain Python"))
        if said is None and not np.array_equal(fast.events, batch.events):
            said = (
                f"from game {batch.first} on, {player.case.cell.said}: other events when compiled."
            )
        found.extend([said] if said else [])
        return said is not None

    with uncompiled():
        met = in_turn(plain, PLAIN_ROUNDS, seconds / 2, look=look)
    if met.fault is not None and met.case is not None:
        found.append(f"{_met(met)}, as plain Python.")
    advice = "look for whole numbers that overflow and for indices outside their arrays."
    wrong = [f"{said.rstrip('.')}; {advice}" for said in found]
    yield from report.either("alike", wrong, f"{met.said} came out alike compiled and plain")


def _is_capped(case: Case, number: int) -> bool:
    """Whether a game was stopped by the cap on decisions, not by a cap that its rules have."""
    return replay_spec(case.spec, number).table.decisions > case.spec.game.decision_cap


def _many(report: Report, game: Game, players: list[Player], seconds: float) -> Iterator[Line]:
    found: list[str] = []
    rules = {id(p): p.case.cell.book.record.tobytes() for p in players}
    kept: dict[int, list[Any]] = {}

    def look(player: Player, batch: Any) -> bool:
        cell = player.case.cell
        reasons = batch.results["end_reason"]
        cut = np.argwhere(reasons == TRUNCATED)
        if len(cut) and _is_capped(player.case, batch.first + int(cut[0][0])):
            found.append(
                f"game {batch.first + cut[0][0]} of {cell.said} was truncated after "
                f"{game.decision_cap:,} decisions (decision_cap)."
            )
        elif wrong := result_wrong(batch.results, cell):
            found.append(f"from game {batch.first} on, {cell.said}: {wrong}.")
        elif cell.book.record.tobytes() != rules[id(player)]:
            found.append(
                f"from game {batch.first} on, {cell.said}: the record `rules` was changed."
            )
        return bool(found)

    def draw(player: Player, number: int) -> Any:
        seats = player.case.cell.players
        return kept.setdefault(seats, draws(game, seats, 4))[number % 4]

    free = in_turn(players, ROUNDS, seconds / 3, look=look)
    if free.fault is not None:
        found.append(f"{_met(free)}.")
    yield from report.either("many", found, f"{free.said} compiled, all ended, all scored")
    if found:
        return
    barred = in_turn(players, (50,) * 4, seconds / 6, draw, look)
    if barred.fault is not None:
        found.append(f"{_met(barred)}, with bars.")
    yield from report.either("many, barred", found, f"{barred.said} compiled with random bars")
