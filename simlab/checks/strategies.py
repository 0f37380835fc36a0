"""The checks of one strategy: what its source says, and what it does in many games.

It is asked at every decision of every seat, but its choice is carried out only at some of them and
a random legal action at the others, so that it meets states it would never walk into.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from simlab.checks import code, same
from simlab.checks.cells import (
    Case,
    Player,
    Round,
    can_compile,
    cells,
    draws,
    in_turn,
    uncompiled,
)
from simlab.checks.documented import documented
from simlab.checks.explain import explain, where
from simlab.checks.findings import FAIL, Line, Report
from simlab.checks.mixing import mixture, nobody, watching
from simlab.checks.settings import has_room, kind_of, settings
from simlab.core.game import Game
from simlab.core.strategy import Bound, Strategy
from simlab.errors import SimlabError, UserError

KEEPS = (0.5, 0.05, 0.5, 0.15, 0.85)
ROUNDS = {
    "compiled": (32, 200, 1000, 3000),
    "batch": (4, 8, 32, 100, 300),
    "plain": (1, 2, 3, 4, 8, 16, 32, 64, 128),
}
BAR_ROUNDS = {"compiled": (40,) * 8, "batch": (4,) * 8, "plain": (1,) * 8}
ALONE = {"compiled": 120, "batch": 60, "plain": 12}
TRACED = {"compiled": 2000, "batch": 40, "plain": 4}
WIDE = 5000  # games in flight, as many as in a run
TIMED = {"compiled": 2000, "batch": 2000, "plain": 30}
PLAIN_ROUNDS = (1, 2, 2, 4, 8, 16)
WAYS = {
    "compiled": ("compiled", "as plain Python"),
    "batch": ("side by side", "one by one"),
    "plain": ("side by side", "one by one"),
}
NAMES = ("plays", "legal", "bars", "same seed", "alike", "looks only", "indices", "speed")


def check_strategy(
    game: Game, declared: Strategy, bind: Callable[[Any], Bound], seconds: float = 6.0
) -> Iterator[Line]:
    """Yield the lines of all checks of a strategy.

    bind: binds a decorated function or words to a strategy of the game; seconds: about how long to
    play. Whatever is wrong with the strategy is a line.
    """
    report = Report(f"{declared.name} ({where(declared)}), {kind_of(declared)}, for {game.name}")
    yield from documented(report, declared)
    found = [*code.spots(declared), *code.made_anew(declared)]
    keeps = list(code.sentences(found, code.KEEPS))
    yield from report.either(
        "no state", [f"{says}." for says in keeps], "no state but `memo`, no chance but `rng`"
    )
    writes = [f"{says}." for says in code.sentences(found, code.WRITES)]
    yield from (report.fail("looks only", says) for says in writes)
    try:
        bound = bind(declared.function)
        every = settings(bound)
    except UserError as error:
        yield report.fail("plays", str(error))
        yield from (report.skip(name, "it cannot be played yet") for name in NAMES[1:])
        return
    yield from _Playing(game, report, bound, every, keeps, bool(writes), seconds).lines()


class _Playing:
    """The checks that play."""

    def __init__(
        self, game: Game, report: Report, bound: Bound, every: Sequence[Bound],
        keeps: Sequence[str], told_writes: bool, seconds: float,
    ) -> None:  # fmt: skip
        self.game, self.report, self.bound = game, report, bound
        self.every, self.keeps, self.told_writes = list(every), keeps, told_writes
        self.seconds = seconds
        self.kind = "batch" if bound.strategy.batch else "plain"
        if bound.compiled and can_compile():
            self.kind = "compiled"
        self.cells = cells(game)
        self.mixes = has_room(bound)
        self.cases = self._cases()

    def lines(self) -> Iterator[Line]:
        """Yield all lines; what cannot be played is left out from there on."""
        try:
            players = [Player(case) for case in self.cases]
        except SimlabError as error:  # numba cannot compile it
            yield self.report.fail("plays", str(error))
            yield from self._left_out(NAMES[1:], "it cannot be played yet")
            return
        settings = "one setting" if len(self.every) == 1 else f"{len(self.every)} settings"
        yield self.report.ok(
            "plays", f"in {settings} of parameters, {kind_of(self.bound.strategy)}"
        )
        line = self._legal(players)
        yield line
        if line.status == FAIL:
            yield from self._left_out(NAMES[2:], "it fails in its games")
            return
        failed = self.told_writes
        for line in self._further(players):
            failed = failed or line.status == FAIL
            yield line
        yield self.report.skip("speed", "not measured") if failed else self._speed()

    def _further(self, players: Sequence[Player]) -> Iterator[Line]:
        yield self._bars(players)
        same_seed = self._same()
        yield same_seed
        if same_seed.status == FAIL:
            yield self.report.skip("alike", "it does not play the same game twice")
        else:
            yield from self._alike(players)
        yield from self._looks()
        yield self._indices()

    def _left_out(self, names: Sequence[str], why: str) -> Iterator[Line]:
        told = ["looks only"] if self.told_writes else []
        yield from (self.report.skip(name, why) for name in names if name not in told)

    # -- who sits where

    def _mix(self, bound: Bound, keep: float, taste: int) -> Bound:
        return mixture(self.game, bound, keep, taste) if self.mixes else bound

    def _cases(self) -> list[Case]:
        """Return a line-up for each cell; more where not every setting has had its seat.

        The defaults sit in each, the other settings by turns, each with its own mixture.
        """
        others = self.every[1:] or self.every
        found: list[Case] = []
        turn = 0
        while len(found) < len(self.cells) or turn < len(others):
            number = len(found)
            cell, line_up = self.cells[number % len(self.cells)], []
            for seat in range(cell.players):
                alone = cell.players == 1 and number % 2
                bound = self.every[0] if seat == 0 and not alone else others[turn % len(others)]
                turn += seat > 0 or alone
                keep, taste = KEEPS[(seat + number) % len(KEEPS)], number * 8 + seat
                line_up.append(self._mix(bound, keep, taste if (seat + number) % 2 else 0))
            found.append(Case(cell, tuple(line_up)))
        return found

    def _some(self, count: int = 3) -> list[Case]:
        """Return a few cases, of few and many players: the strategy itself and mixtures of it."""
        found = []
        for place in range(count):
            mixed = self.cases[place * (len(self.cells) - 1) // max(count - 1, 1)]
            own = [b if seat % 2 else self.bound for seat, b in enumerate(mixed.line_up)]
            found.append(replace(mixed, line_up=tuple(own)))
        return found

    def _fault(self, check: str, met: Round) -> Line:
        assert met.case is not None
        assert met.fault is not None
        says, detail = explain(met.case, met.fault)
        return self.report.fail("looks only" if "read-only" in says else check, says, detail)

    # -- what is checked

    def _legal(self, players: Sequence[Player]) -> Line:
        met = in_turn(players, ROUNDS[self.kind], self.seconds * 0.25)
        if met.fault is not None:
            return self._fault("legal", met)
        return self.report.ok(
            "legal", f"{met.said} under {len(self.cells)} rule sets and numbers of players, "
            "and in positions that it would not reach itself",
        )  # fmt: skip

    def _bars(self, players: Sequence[Player]) -> Line:
        rounds = BAR_ROUNDS[self.kind]
        kept: dict[int, list[Any]] = {}

        def draw(player: Player, number: int) -> Any:
            seats = player.case.cell.players
            return kept.setdefault(seats, draws(self.game, seats, len(rounds)))[number]

        met = in_turn(players, rounds, self.seconds * 0.15, draw)
        if met.fault is not None:
            return self._fault("bars", met)
        return self.report.ok("bars", f"{met.said} with random bars honoured")

    def _same(self) -> Line:
        games = ALONE[self.kind]
        for case in self._some():
            said = same.again(case, games)
            if said is None and self.kind == "batch":
                said = same.wide(case, WIDE)
            if said is not None:
                return self.report.fail("same seed", f"{said} {self._cause(said)}")
        return self.report.ok(
            "same seed",
            f"{games} games of 3 line-ups, again, alone, backwards and in other batches",
        )

    def _cause(self, said: str) -> str:
        if self.keeps:
            return f"Likely cause: {self.keeps[0]}."
        if self.kind == "batch" and same.AGAIN not in said:
            return (
                "Its answer for a game may not depend on the other games that are asked about with "
                "it: no mean, maximum, order or count over the games."
            )
        return (
            "A strategy may take chance only from `rng` (uniform(rng), below(rng, n)) and remember "
            "only in `memo`: look for random, np.random, time, sets and what the file keeps."
        )

    def _alike(self, players: Sequence[Player]) -> Iterator[Line]:
        if not can_compile():
            yield self.report.skip("alike", "numba is switched off (NUMBA_DISABLE_JIT)")
            return
        with uncompiled():
            plain = [Player(case) for case in self.cases]
        compiled = {id(p): other for p, other in zip(plain, players, strict=True)}
        found: list[str] = []

        def look(player: Player, batch: Any) -> bool:
            other = compiled[id(player)].play(batch.first, len(batch.results))
            said = same.difference(player.case, other, batch, WAYS[self.kind])
            found.extend([said] if said else [])
            return said is not None

        with uncompiled():
            met = in_turn(plain, PLAIN_ROUNDS, self.seconds * 0.3, look=look)
        if met.fault is not None:
            line = self._fault("alike", met)
            told = line.check == "looks only" and self.told_writes
            yield self.report.skip("alike", "it changes what it may only look at") if told else line
        elif found:
            advice = (
                "Look for whole numbers that overflow, an index outside its array or a division "
                "by zero."
            )
            if self.kind != "compiled":
                advice = "Look for what it keeps from game to game or takes from other games."
            yield self.report.fail("alike", f"{where(self.bound.strategy)}: {found[0]} {advice}")
        else:
            ways = " and ".join(WAYS[self.kind])
            yield self.report.ok("alike", f"{met.said} came out alike {ways}")

    def _looks(self) -> Iterator[Line]:
        """Asked without being followed, a strategy leaves no trace in the games."""
        wrong = None
        for case in self._some() if self.mixes else []:
            rules = case.cell.book.record.tobytes()
            wrong = wrong or self._trace(case)
            if case.cell.book.record.tobytes() != rules:
                wrong = f"it changed `rules` in games of {case.cell.said}"
            if wrong:
                break
        if wrong and not self.told_writes:
            yield self.report.fail(
                "looks only", f"{where(self.bound.strategy)}: {wrong}; a strategy may look at "
                "table, me and rules, not change them.",
            )  # fmt: skip
        elif not wrong and not self.told_writes:
            yield self.report.ok("looks only", "table, me and rules stay as they are")

    def _trace(self, case: Case) -> str | None:
        asked = [self._mix(b, 0.0, 0) for b in (self.every * 8)[: case.cell.players]]
        empty = [mixture(self.game, nobody(self.game, b.compiled), 0.0, 0) for b in asked]
        games = TRACED[self.kind]
        a, b = (Player(Case(case.cell, tuple(entries))) for entries in (asked, empty))
        return same.difference(a.case, a.play(0, games), b.play(0, games), ("asked", "not asked"))

    def _indices(self) -> Line:
        if self.bound.strategy.batch or not self.mixes:
            return self.report.skip("indices", "not watched for this kind of strategy")
        games = 0
        with uncompiled():
            for case in self._some():
                line_up = tuple(
                    self._mix(watching(self.game, self.every[i % len(self.every)]), 0.5, i)
                    for i in range(case.cell.players)
                )
                watched = replace(case, line_up=line_up)
                fault = Player(watched).play(0, 4).fault
                games += 4
                if fault is not None and fault.error.startswith("BelowZero"):
                    says, detail = explain(watched, fault)
                    return self.report.fail(
                        "indices", f"{says} Do not look where there is nothing yet.", detail
                    )
        return self.report.ok("indices", f"no index below zero in {games} games")

    def _speed(self) -> Line:
        case = self._some(1)[0]
        player = Player(replace(case, line_up=(self.bound,) * case.cell.players))
        games = TIMED[self.kind]
        player.play(0, 10)
        batch = player.play(0, games)
        asked = same.decisions(player.case, 5)
        rate = games * asked / max(batch.seconds, 1e-9)
        return self.report.ok("speed", f"about {_rounded(rate):,} decisions a second on one core")


def _rounded(rate: float) -> int:
    """Round to two digits."""
    digits = max(len(str(int(rate))) - 2, 0)
    return int(np.round(rate, -digits))
