"""What decides the rows of a run, and the hash that names it."""

from __future__ import annotations

import functools
import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simlab.core.game import Game, RuleBook, rule_book
from simlab.core.parameters import Call, read_spec, read_whole
from simlab.core.places import named
from simlab.core.registry import bind_for, bind_usual, find_game
from simlab.core.strategy import Bound
from simlab.core.twin import digest
from simlab.errors import UserError, one_of, shown
from simlab.running.designs import Design, Plain
from simlab.running.fingerprint import fingerprints

LAYOUT = 1
SEATINGS = ("rotate", "fixed")
MOST_SEED = 2**63 - 1


@dataclass(frozen=True)
class Spec:
    """A run without its number of games: what `make_spec` checked.

    line_up: one bound strategy per entry; with seats="rotate" entry i sits at seat
    (i + game) mod players, with "fixed" at seat i. places: what `--strategies` named. blocks: the
    design of a question; without it every game has a deal of its own.
    """

    game: Game
    players: int
    book: RuleBook
    line_up: tuple[Bound, ...]
    seats: str
    seed: int
    changes: Mapping[str, Any]
    places: tuple[Path, ...] = ()
    blocks: Design | None = None

    @functools.cached_property
    def design(self) -> Design:
        """On which deal each game is played, and who sits where."""
        return self.blocks or Plain(self.players, self.seats == "rotate")

    @property
    def shard_games(self) -> int:
        """Games of a file: whole deals, about as many as the game says."""
        block = self.design.block
        return max(self.game.shard_games // block, 1) * block

    @property
    def labels(self) -> list[str]:
        """The distinct strategies of the line-up, in order of their first seat."""
        return list(dict.fromkeys(bound.label for bound in self.line_up))

    def document(self) -> dict[str, Any]:
        """Return the spec as it is written to `run.json`: JSON types only."""
        data = {
            name: {"file": str(path.resolve()), "sha256": digest(_read(path))}
            for name, path in self.book.files.items()
            if path is not None
        }
        return {
            "game": self.game.name,
            "players": self.players,
            "rules": self.book.rule_set,
            "set": {name: str(value) for name, value in self.changes.items()},
            "values": dict(self.book.values),
            "data": data,
            "line_up": [bound.label for bound in self.line_up],
            "line_up_full": [bound.full for bound in self.line_up],
            "seats": self.seats,
            "design": self.design.document(),
            "seed": self.seed,
            "layout": LAYOUT,
            "places": [str(path) for path in self.places],
            "fingerprints": fingerprints(self.game, list(self.line_up)),
        }

    def command(self, n: int, first: int = 0, more: Sequence[str] = ()) -> str:
        """Return the command line that plays this run; more: further words."""
        words = ["simlab", "run", self.game.name, "--players", str(self.players), "--n", str(n)]
        words += self.line_up_words() + self.rule_words() + self.place_words()
        if self.seats != "rotate":
            words += ["--seats", self.seats]
        if self.seed != 1:
            words += ["--seed", str(self.seed)]
        if first:
            words += ["--first-game", str(first)]
        return shlex.join([*words, *more])

    def line_up_words(self) -> list[str]:
        """Return the options that choose this line-up; none where it is the game's own."""
        labels = [bound.label for bound in self.line_up]
        usual = self.game.line_up(self.players)
        if len(usual) == len(labels) and [bind_usual(self.game, u).label for u in usual] == labels:
            return []
        return [word for label in labels for word in ("-s", label)]

    def place_words(self) -> list[str]:
        """Return the options that name the places of strategies."""
        here = Path.cwd()
        near = [p.relative_to(here) if p.is_relative_to(here) else p for p in self.places]
        return [word for path in near for word in ("--strategies", str(path))]

    def rule_words(self) -> list[str]:
        """Return the options that choose these rules."""
        words = [] if self.book.rule_set == "standard" else ["--rules", self.book.rule_set]
        for name, value in self.changes.items():
            words += ["--set", f"{name}={value}"]
        return words


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}.") from None


def document_hash(document: Mapping[str, Any]) -> str:
    """Return the ten hex digits that name a run; where a data file lies does not count."""
    counted = dict(document)
    counted["data"] = {name: entry["sha256"] for name, entry in document["data"].items()}
    counted.pop("set")  # what it changes is in the values and the data
    counted.pop("places", None)  # what is read there is in the fingerprints
    counted["fingerprints"] = sorted(document["fingerprints"].items())
    return digest(json.dumps(counted, sort_keys=True))[:10]


def without_files(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document without what a change of a source file alters."""
    apart = ("fingerprints", "places")
    return {key: value for key, value in document.items() if key not in apart}


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Say in words how two spec documents differ."""
    found = []
    for key in ("game", "players", "seats", "seed", "layout"):
        if old.get(key) != new.get(key):
            found.append(f"{key} {old.get(key)} became {new.get(key)}")
    if old.get("line_up_full") != new.get("line_up_full"):
        before, after = ", ".join(old.get("line_up", [])), ", ".join(new["line_up"])
        found.append(f"line-up {before} became {after}")
    for key, value in new["values"].items():
        if old.get("values", {}).get(key) != value:
            found.append(f"rule {key} {old.get('values', {}).get(key)} became {value}")
    for name in sorted({*old.get("data", {}), *new["data"]}):
        before, after = (d.get("data", {}).get(name, {}) for d in (old, new))
        if before.get("sha256") != after.get("sha256"):
            found.append(f"{name} file {after.get('file') or before.get('file')} is different")
    marks = old.get("fingerprints", {})
    same_line_up = old.get("line_up_full") == new.get("line_up_full")
    named = set(marks) | set(new["fingerprints"])
    for name in sorted(named if same_line_up else set(marks) & set(new["fingerprints"])):
        if marks.get(name) != new["fingerprints"].get(name):
            found.append(f"{name} changed")
    return found


def line_up_of(game: Game, players: int, given: Sequence[Any] | None) -> tuple[Bound, ...]:
    """Return one bound strategy per seat from specs in words or decorated functions.

    One spec fills all seats; none means the game's default line-up; UserError for another number.
    """
    usual = given is None
    bound = field_of(game, game.line_up(players) if given is None else given, usual)
    if len(bound) == 1:
        bound *= players
    if len(bound) != players:
        raise UserError(
            f"{len(bound)} strategies were given for {players} seats; give one for all seats, or "
            f"{players}."
        )
    return tuple(bound)


def field_of(game: Game, given: Any, usual: bool = False) -> list[Bound]:
    """Return bound strategies from specs in words or decorated functions, one or several.

    usual: whether they are the game's own, which mean the strategies that came with it.
    """
    if isinstance(given, (str, Bound)) or callable(given):
        given = [given]
    if not isinstance(given, Sequence):
        raise UserError(f"a line-up is a list of strategies, not {shown(repr(given))}.")
    find = bind_usual if usual else bind_for
    bound: list[Bound] = []
    for entry in given:
        call = read_spec(entry) if isinstance(entry, str) else None
        count = call.count if isinstance(call, Call) else 1
        bound += [find(game, call if call is not None else entry)] * count
    check_names(bound)
    return bound


def check_names(line_up: Sequence[Bound]) -> None:
    """Raise UserError where two different strategies bear one name."""
    known: dict[str, Any] = {}
    for node in (node for bound in line_up for node in bound.nodes()):
        declared = node.strategy
        other = known.setdefault(node.name, declared)
        if other.function is not declared.function:
            places = " and ".join(f"{s.file}:{s.line}" for s in (other, declared))
            raise UserError(
                f"two strategies are named '{declared.name}': {places}; tell them apart with "
                "@strategy(..., name=...)."
            )


def make_spec(
    game: str,
    players: int | None = None,
    lineup: Sequence[Any] | None = None,
    rules: str = "standard",
    set: Mapping[str, Any] | None = None,
    seats: str = "rotate",
    seed: int = 1,
    blocks: Design | None = None,
) -> Spec:
    """Check everything that decides rows and return it; UserError says what is not right.

    blocks: the design of a question; the line-up is then the field that it seats.
    """
    found = find_game(game)
    book = rule_book(found, rules, set)
    count = book.player_count(players, "--players")
    if not isinstance(seats, str) or seats not in SEATINGS:
        raise one_of("seating", seats, SEATINGS)
    number = read_whole(seed, "--seed", 0, MOST_SEED)
    fill = line_up_of(found, count, lineup) if blocks is None else field_of(found, lineup)
    line_up = tuple(fill)
    return Spec(found, count, book, line_up, seats, number, dict(set or {}), named(), blocks)
