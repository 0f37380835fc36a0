"""What all questions have in common: who plays, what was asked in words, and playing it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from simlab.core.game import Game, RuleBook, rule_book
from simlab.core.parameters import number_text, read_whole
from simlab.core.places import looking_in, named
from simlab.core.quantities import share_text
from simlab.core.registry import bind_usual, find_game
from simlab.core.strategy import Bound
from simlab.errors import UserError, shown
from simlab.running import runner
from simlab.running.backends import cores
from simlab.running.plan import Span
from simlab.running.spec import MOST_SEED, Spec, document_hash, field_of
from simlab.study.folder import StudyFile, is_study, read_study, write_study

MOST_GAMES = 10**12
POSITIONAL = ("game", "a", "b")
REPEATED = {"against": "--against", "lineup": "-s", "vary": "--vary", "strategies": "--strategies"}
SHARES = ("confidence", "power", "unsettled")
DIFFERENCES = ("margin", "detect")


@dataclass(frozen=True)
class How:
    """How games are played; decides nothing of an answer. See `simlab.run`.

    tally: counts the games that are played.
    """

    jobs: int | None = None
    backend: str = "threads"
    out: Path | None = None
    force: bool = False
    quiet: bool = True
    tally: list[int] = field(default_factory=list, compare=False)


@dataclass(frozen=True)
class Setting:
    """A game under its rules, for so many players."""

    game: Game
    book: RuleBook
    players: int
    seed: int
    changes: Mapping[str, Any]
    places: tuple[Path, ...]

    @classmethod
    def of(
        cls, game: str, players: object, rules: str, set: Mapping[str, Any] | None, seed: int
    ) -> Setting:
        """Check game, rules and number of players; UserError for what cannot be."""
        found = find_game(game)
        book = rule_book(found, rules, set)
        count = book.player_count(players, "--players")
        number = read_whole(seed, "--seed", 0, MOST_SEED)
        return cls(found, book, count, number, dict(set or {}), named())

    def spec(self, field: Sequence[Bound], blocks: Any) -> Spec:
        """Return the spec of games in which a design seats this field."""
        return Spec(
            self.game,
            self.players,
            self.book,
            tuple(field),
            "rotate",
            self.seed,
            self.changes,
            self.places,
            blocks,
        )

    def strategy(self, given: object, what: str) -> Bound:
        """Return one bound strategy; UserError for what is none. what: the argument's name."""
        found = field_of(self.game, given)
        if len(found) != 1:
            raise UserError(f"{what} is one strategy, but '{shown(given)}' names {len(found)}.")
        return found[0]

    def others(self, given: Any, count: int, without: Sequence[Bound]) -> list[Bound]:
        """Return so many bound strategies for the other seats.

        given: one for each seat or one for all; None: those of the game's default line-up that are
        not in `without`, from the first again where they are too few.
        """
        if given is None:
            usual = [bind_usual(self.game, spec) for spec in self.game.line_up(self.players)]
            full = {bound.full for bound in without}
            free = [bound for bound in usual if bound.full not in full] or usual
            return [free[at % len(free)] for at in range(count)]
        found = field_of(self.game, given)
        if len(found) == 1:
            found *= max(count, 1)
        if len(found) != count:
            seats = f"{count} other seat{'s' if count != 1 else ''}"
            raise UserError(
                f"--against names {len(found)} strategies for {seats}; name one for all of them, "
                f"or {count}."
            )
        return found

    def words(self) -> dict[str, Any]:
        """Return what an experiment file says of it; defaults are left out."""
        said: dict[str, Any] = {"game": self.game.name, "players": self.players}
        if self.book.rule_set != "standard":
            said["rules"] = self.book.rule_set
        if self.changes:
            said["set"] = {name: str(value) for name, value in self.changes.items()}
        if self.seed != 1:
            said["seed"] = self.seed
        if self.places:
            said["strategies"] = [str(path) for path in self.places]
        return said


def stated(question: str, *said: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was asked as an experiment file says it: the question first, nothing unsaid."""
    merged = {"question": question or None}
    for part in said:
        merged |= part
    return {name: value for name, value in merged.items() if value is not None}


def command(ask: str, arguments: Mapping[str, Any]) -> str:
    """Return the command line of a question; arguments: as in an experiment file."""
    words = ["simlab", ask]
    words += [str(arguments[name]) for name in POSITIONAL if name in arguments]
    for name, value in arguments.items():
        if name in (*POSITIONAL, "ask", "question") or value is None or value is False:
            continue
        option = REPEATED.get(name, f"--{name.replace('_', '-')}")
        if name == "set":
            words += [word for k, v in value.items() for word in ("--set", f"{k}={_listed(v)}")]
        elif value is True:
            words.append(option)
        elif name in REPEATED and name != "field":
            each = [value] if isinstance(value, str) else value
            words += [word for one in each for word in (option, _near(name, one))]
        else:
            is_share = name in SHARES or arguments.get("objective", "win") == "win"
            words += [option, _word(name, value, is_share)]
    return shlex.join(words)


def _near(name: str, value: Any) -> str:
    path = Path(str(value))
    if name == "strategies" and path.is_relative_to(Path.cwd()):
        return str(path.relative_to(Path.cwd()))
    return str(value)


def _listed(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _word(name: str, value: Any, is_share: bool) -> str:
    if is_share and name in (*SHARES, *DIFFERENCES) and isinstance(value, float):
        return share_text(value)
    if name == "score_range":
        return ":".join(number_text(end) for end in value)
    if isinstance(value, float):
        return number_text(value)
    return _listed(value)


def order(
    spec: Spec,
    folder: Path | None,
    games: Span,
    how: How,
    ask: str,
    arguments: Mapping[str, Any],
    until: runner.Until | None = None,
) -> runner.Order:
    """Return the order of a run of a question; folder None: one under results/."""
    document = spec.document()
    name = document_hash(document)
    usual = runner.RESULTS / f"{ask}-{spec.game.name}-{spec.players}p-{name}"
    said = command(ask, arguments)
    if how.out is not None:
        said += f" --out {shlex.quote(str(how.out))}"
    return runner.Order(
        spec, games, folder or usual, document, name,
        jobs=how.jobs or cores(), backend=how.backend, force=how.force, quiet=how.quiet,
        question=str(arguments.get("question", "")), until=until, said=said,
    )  # fmt: skip


def play(asked: runner.Order, how: How) -> runner.Played:
    """Play what is missing of a run of a question."""
    with looking_in(asked.spec.places or None):
        done = runner.play(asked)
    how.tally.append(done.games)
    return done


def keep(folder: Path, file: StudyFile) -> None:
    """Write what was asked into the folder, where it does not say so already."""
    try:
        if is_study(folder) and read_study(folder) == file:
            return
    except UserError:
        pass
    write_study(folder, file)


def bound_labels(bound: Sequence[Bound]) -> list[str]:
    """Return the labels of strategies."""
    return [one.label for one in bound]
