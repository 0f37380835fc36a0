"""What does a rule change do? The same deals under each of several rule books.

The line-up is turned through the seats on every deal. Each rule book is one run over the same deals
with the same chance, and its changes against the first one are paired by deal (statistics sections
2 and 7).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab.core.parameters import read_whole
from simlab.core.quantities import read_level
from simlab.core.registry import find_game
from simlab.core.twin import digest
from simlab.running import dataset, runner
from simlab.running.designs import Blocks, rotations
from simlab.running.plan import Span
from simlab.running.spec import Spec, document_hash, line_up_of
from simlab.study.asking import MOST_GAMES, How, Setting, bound_labels, keep, order, play, stated
from simlab.study.folder import Part, StudyFile, claimed, other_question, part_of, unfinished
from simlab.study.rule_books import Books, common_players, read_books
from simlab.study.rule_sums import Change, RuleSums

if TYPE_CHECKING:
    import polars as pl

ASK = "compare-rules"
GAMES = 100_000
MAY_DIFFER = ("rules", "set", "n", "confidence", "question")
"""Arguments in which another question may differ whose folder is used again."""


@dataclass(frozen=True)
class RuleChange:
    """The answer: every outcome under every rule book.

    rules: labels, the first is what others are compared with; strategies: labels; length: the
    column of a game's length, None without one; length_meaning: what it says; rows: by what,
    strategy and rule book; score_ranges: least and largest score under each rule book, empty where
    the game does not say; deals, each_games: under each rule book; games: of all together;
    truncated: games under each.
    """

    arguments: dict[str, Any]
    parts: list[Part]
    rules: tuple[str, ...]
    strategies: tuple[str, ...]
    length: str | None
    length_meaning: str
    rows: list[Change]
    score_ranges: list[tuple[float, float]]
    level: float
    deals: int
    each_games: int
    games: int
    truncated: tuple[int, ...]
    ask: str = field(default=ASK, init=False)

    @property
    def measures(self) -> list[str]:
        """What is compared, in order: win_share (of several strategies), score, the length."""
        return list(dict.fromkeys(row.what for row in self.rows))

    def changes(self, what: str) -> list[Change]:
        """Return the changes of one outcome against the first rule book."""
        return [row for row in self.rows if row.what == what and row.change is not None]

    def settled(self, row: Change) -> bool:
        """Whether a change can be claimed, together with all others of its kind (Holm)."""
        return row.p_holm is not None and row.p_holm <= 1 - self.level + 1e-12

    def summary(self) -> pl.DataFrame:
        """Return one row for each outcome, strategy and rule book."""
        import polars as pl

        floats = ("estimate", "low", "high", "change", "change_low", "change_high", "p", "p_holm")
        schema: dict[str, Any] = dict.fromkeys(("what", "strategy", "rules"), pl.String)
        schema |= dict.fromkeys(floats, pl.Float64)
        schema |= dict.fromkeys(("games", "deals"), pl.Int64)
        return pl.DataFrame([self._row(row) for row in self.rows], schema)

    def _row(self, row: Change) -> dict[str, Any]:
        change = row.change
        return {
            "what": row.what,
            "strategy": row.strategy,
            "rules": row.rules,
            "estimate": row.value.estimate,
            "low": row.value.low,
            "high": row.value.high,
            "change": None if change is None else change.estimate,
            "change_low": None if change is None else change.low,
            "change_high": None if change is None else change.high,
            "p": None if change is None else change.p,
            "p_holm": row.p_holm,
            "games": self.each_games,
            "deals": self.deals,
        }


@dataclass(frozen=True)
class Asking:
    """A comparison of rules that was checked and can be played: one run for each rule book."""

    specs: list[Spec]
    books: Books
    arguments: dict[str, Any]
    deals: int

    def play(self, how: How) -> Path:
        """Play what is missing under each rule book; return the folder of the question."""
        names = [document_hash(spec.document()) for spec in self.specs]
        first = self.specs[0]
        own = f"{ASK}-{first.game.name}-{first.players}p-{digest(json.dumps(names))[:10]}"
        folder = how.out or runner.RESULTS / own
        parts = [book.folder for book in self.books.books]
        file = StudyFile(ASK, self.arguments, parts, self._notes())
        games = Span(0, self.deals * first.design.block)
        with claimed(folder, how.force, lambda old: other_question(old, file, MAY_DIFFER)):
            keep(folder, file)
            for spec, part in zip(self.specs, parts, strict=True):
                play(order(spec, folder / part, games, how, ASK, self.arguments), how)
        return folder

    def _notes(self) -> dict[str, Any]:
        """Return what the game says of these rule books, so that the answer needs no game."""
        game, players = self.specs[0].game, self.specs[0].players
        meanings = {column.name: column.meaning for column in game.columns}
        ranges: list[Any] = []
        if game.score_range is not None:
            ranges = [list(map(float, game.score_range(s.book, players))) for s in self.specs]
        return {
            "labels": [book.label for book in self.books.books],
            "length": game.length,
            "length_meaning": meanings.get(game.length or "", ""),
            "score_ranges": ranges,
        }


def asking(
    game: str,
    *,
    players: object = None,
    lineup: Any = None,
    rules: Any = "standard",
    set: Mapping[str, Any] | None = None,
    n: object = GAMES,
    confidence: object = 0.95,
    seed: int = 1,
    question: str = "",
) -> Asking:
    """Check a comparison of rules and return it; UserError for anything that cannot be right.

    players: default the smallest number possible under all of them; lineup: as in `simlab.run`;
    rules: rule sets, the first is what the others are compared with; set: rule -> value, or several
    alternatives (see `read_books`); n: games under each, in whole deals; confidence: of intervals
    and claims.
    """
    found = find_game(game)
    books = read_books(found, rules, set)
    count = common_players(found, books.books, players)
    settings = [Setting.of(game, count, b.rules, b.changes, seed) for b in books.books]
    line_up = line_up_of(found, count, lineup)
    design = Blocks(turned(bound_labels(line_up)))
    specs = [setting.spec(line_up, design) for setting in settings]
    games = read_whole(n, "--n", 1, MOST_GAMES)
    level = read_level(confidence)
    said = {k: v for k, v in settings[0].words().items() if k not in ("rules", "set")}
    arguments = {
        "game": said.pop("game"),
        "players": said.pop("players"),
        "lineup": bound_labels(line_up) if specs[0].line_up_words() else None,
        **books.words(),
        "n": games,
        "confidence": level if level != 0.95 else None,
    }
    asked = stated(question, arguments, said)
    return Asking(specs, books, asked, max(games // design.block, 1))


def turned(labels: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """Return the games of a deal: the line-up is turned until it sits as in the first game.

    Every strategy then holds every seat equally often. With distinct strategies these are as many
    games as seats; turns that repeat who sits where are played once.
    """
    seats = len(labels)
    period = next(
        turn for turn in range(1, seats + 1)
        if all(labels[(seat + turn) % seats] == labels[seat] for seat in range(seats))
    )  # fmt: skip
    return rotations(range(seats))[:period]


def read(folder: Path, file: StudyFile) -> RuleChange:
    """Return the answer of a comparison, worked out from the rows of all its runs."""
    level, length = file.arguments.get("confidence", 0.95), file.notes["length"]
    parts = _parts(folder, file)
    spec, labels = parts[0].spec, tuple(file.notes["labels"])
    sums = RuleSums(spec["design"]["blocks"], spec["line_up"], length, len(parts))
    for shards in zip(*(sums.shards(part) for part in parts), strict=True):
        sums.add(shards)
    block, games = len(spec["design"]["blocks"]), parts[0].span.games
    return RuleChange(
        file.arguments,
        parts,
        labels,
        tuple(dict.fromkeys(spec["line_up"])),
        length,
        file.notes["length_meaning"],
        sums.rows(labels, level, games),
        [(low, high) for low, high in file.notes["score_ranges"]],
        level,
        games // block,
        games,
        games * len(parts),
        tuple(sums.truncated),
    )


def _parts(folder: Path, file: StudyFile) -> list[Part]:
    """Return the run of each rule book, all over the same games; UserError if one is missing."""
    found: list[Part] = []
    for name in file.parts:
        place = folder / name
        part = part_of(place) if dataset.is_run(place) else None
        block = 1 if part is None else len(part.spec["design"]["blocks"])
        games = max(file.arguments["n"] // block, 1) * block
        if part is None or part.span.first > 0 or part.span.end < games:
            raise unfinished(folder)
        found.append(replace(part, span=Span(0, games)))
    return found


__all__ = ["ASK", "Asking", "Change", "RuleChange", "asking", "read", "turned"]
