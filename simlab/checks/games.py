"""The checks of a game: what it says of itself, and what its rules do in many random games."""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from simlab.checks.cells import (
    Cell,
    Clock,
    can_compile,
    cells,
    draws,
)
from simlab.checks.compiled import compiled
from simlab.checks.data import check_data
from simlab.checks.findings import FAIL, Line, Report, many
from simlab.checks.walk import Broken, Walk
from simlab.core.game import Game
from simlab.core.patience import Endless, seconds_allowed
from simlab.core.registry import bind_usual, strategies
from simlab.core.table import Table
from simlab.errors import SimlabError, UserError

WALKED = ("ends", "decisions", "rules stay", "scores", "deals", "secrets", "bars")
SAYS = {
    "ends": "all of {games} random games",
    "decisions": "each with two legal actions or more, none outside the numbered ones",
    "rules stay": "begin, step, legal and score change only what they may",
    "scores": "finite, with a winner, at the end and in mid-game",
    "deals": "chance is the same whoever plays, and when played again",
    "secrets": "nothing of a secret choice shows before all are in",
    "bars": "an action is left under {barred} draws of random bars",
}
EVERY_BIT = 2**63 - 1
WALKS = 64


def check_game(game: Game, seconds: float = 12.0) -> Iterator[Line]:
    """Yield the lines of all checks of a game; seconds: about how long to play."""
    report = Report(f"game {game.name} ({game.folder})")
    yield from _told(report, game)
    try:
        every = cells(game)
    except Exception as error:  # whatever a game's make_rules raises
        yield report.fail("rule sets", *_raised(game, "make_rules", error))
        yield from _data(game)
        return
    yield report.ok("rule sets", f"{len(every)} combinations with numbers of players can be set up")
    yield from _line_ups(report, game)
    failed = False
    for step in (_walks, _sentences):
        for line in [] if failed else step(report, every, seconds / 4):
            failed = failed or line.status == FAIL
            yield line
    if failed:
        yield report.skip("compiled", "the rules must first work as plain Python")
    elif not can_compile():
        yield report.skip("compiled", "numba is switched off (NUMBA_DISABLE_JIT)")
    else:
        yield from compiled(report, game, every, seconds / 2)
    yield from _data(game)


# -- what it says of itself


def _told(report: Report, game: Game) -> Iterator[Line]:
    wrong = [f"key '{key.name}' has no meaning." for key in game.keys if not key.meaning.strip()]
    wrong += [
        f"rule set '{name}' has no note; say in `rule_set_notes` what it is."
        for name in game.rule_sets
        if not game.rule_set_notes.get(name, "").strip()
    ]
    wrong += [f"column '{c.name}' has no meaning." for c in game.columns if not c.meaning.strip()]
    wrong += [
        f"the decision number {number} has no word."
        for number, word in enumerate(game.decisions)
        if not word.strip()
    ]
    yield from report.either(
        "documented", [f"{game.folder}: {says}" for says in wrong],
        ", ".join(
            many(len(told), thing)
            for told, thing in (
                (game.keys, "rule"), (game.rule_sets, "rule set"), (game.columns, "column")
            )
        ),
    )  # fmt: skip
    page = game.folder / "RULES.md"
    there = page.is_file() and page.read_text(encoding="utf-8").strip()
    missing = f"{page} is missing or empty; write the rules as they are played, numbered."
    yield from report.either("rules page", [] if there else [missing], page.name)


def _data(game: Game) -> Iterator[Line]:
    for data in game.data:
        path = game.folder / f"{data.name}.csv"
        try:
            yield from check_data(path, game)
        except UserError as error:
            yield Report(f"{path}, {data.name} of {game.name}").fail("possible", str(error))


def _line_ups(report: Report, game: Game) -> Iterator[Line]:
    try:
        known = strategies(game.name)
        wrong = [] if known else [f"{game.name} has no strategy; add one: simlab new strategy."]
        yield from report.either("strategies", wrong, ", ".join(known))
        wrong = list(_unbound(game))
    except SimlabError as error:
        wrong = [str(error)]
    yield from report.either("line-ups", wrong, "the default line-up fits every number of players")


def _unbound(game: Game) -> Iterator[str]:
    spans = [game.seats(name, game.rule_set(name)) for name in game.rule_sets]
    for players in range(min(low for low, _ in spans), max(high for _, high in spans) + 1):
        given = game.line_up(players)
        if len(given) != players:
            yield f"line_up({players}) has {len(given)} strategies for {players} players."
        for spec in given:
            try:
                bind_usual(game, spec)
            except UserError as error:
                yield f"line_up({players}): {error}"


# -- games step by step


def _walks(report: Report, every: Sequence[Cell], seconds: float) -> Iterator[Line]:
    done = {"games": 0, "barred": 0}
    broken = None
    clock = Clock(seconds)
    for number in range(WALKS):
        for cell in every:
            if broken is None and not (number and clock.over):
                broken = _walk(cell, number, done)
    for check in WALKED:
        if broken is not None and broken[0] == check:
            yield report.fail(check, broken[1], broken[2])
        elif broken is None and (check != "secrets" or every[0].book.game.secret):
            yield report.ok(check, SAYS[check].format(**done))


def _walk(cell: Cell, number: int, done: dict[str, int]) -> tuple[str, str, str] | None:
    """Play a game in several ways; return (check, what is wrong, detail) or None."""
    game, walk = cell.book.game, None
    words = game.seat["barred"].shape[0]
    every = np.full((cell.players, words), EVERY_BIT, np.int64)
    drawn = draws(game, cell.players, 4)[(number + 2) % 4]
    kept = []
    try:
        for taste, bars in ((0, None), (0, None), (1, None), (0, every), (0, drawn)):
            walk = Walk(cell, number, taste, bars)
            result = walk.play()
            done["barred" if bars is not None else "games"] += 1
            kept.append((result, walk.decks))
    except Broken as error:
        assert walk is not None
        return error.check, f"{walk.place}: {error.says}", ""
    except (Exception, Endless) as error:  # whatever the rules raise
        at = walk.place if walk is not None else f"game {number} of {cell.said}"
        says, detail = _raised(game, at, error)
        return "ends", says, detail
    return _unequal(cell, number, kept)


def _unequal(cell: Cell, number: int, kept: list[Any]) -> tuple[str, str, str] | None:
    at = f"game {number} of {cell.said}"
    if not np.array_equal(kept[0][0], kept[1][0]):
        return (
            "deals",
            (
                f"{at}: the same choices gave different scores the second time; take chance only "
                "from streams of `rng`, and keep nothing outside the records."
            ),
            "",
        )
    for deck in kept[0][1].keys() & kept[2][1].keys():
        (stream, cards, first), (other, many, card) = kept[0][1][deck], kept[2][1][deck]
        if stream != other or (cards == many and first != card):
            return (
                "deals",
                (
                    f"{at}: deck {deck} begins differently when other actions were chosen before; "
                    "give each deck, and each use of it, a stream number of its own."
                ),
                "",
            )
    return None


def _raised(game: Game, at: str, error: BaseException) -> tuple[str, str]:
    frames = traceback.extract_tb(error.__traceback__)
    folder = game.folder.resolve()
    own = [f for f in frames if Path(f.filename).resolve().is_relative_to(folder)] or frames[-1:]
    what = f"{type(error).__name__}: {error}."
    if isinstance(error, Endless):
        what = f"no answer within {seconds_allowed():g} s; look for a loop that does not end."
    says = f"{at}: {own[-1].filename}:{own[-1].lineno}: {what}"
    return says, "".join(traceback.format_list(own))


def _sentences(report: Report, every: Sequence[Cell], seconds: float) -> Iterator[Line]:
    """Replay games in sentences."""
    clock, lines, games = Clock(seconds), 0, 0
    for number, cell in enumerate(every):
        if number and clock.over:
            break
        table: Table | None = None
        try:
            table = Table(cell.book.game, cell.players, deal=number, book=cell.book)
            while not table.finished:
                _spoken(str(table))
                legal = table.legal()
                table.play(legal[(table.decisions * 7 + number) % len(legal)].number)
            for sentence in [*table.log.sentences(), str(table)]:
                lines += 1
                _spoken(sentence)
        except Exception as error:  # whatever a game's words raise
            at = f"game {number} of {cell.said}, decision {table.decisions if table else 0}"
            yield report.fail("replays", *_raised(cell.book.game, at, error))
            return
        games += 1
    yield report.ok("replays", f"{lines:,} sentences in {games} games")


def _spoken(text: Any) -> None:
    if not isinstance(text, str) or not text.strip():
        raise TypeError(f"words must return a sentence, not {text!r}")
