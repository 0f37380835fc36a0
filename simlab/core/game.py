"""The contract between a game and the engine.

A game is plain functions over records:

    begin(table, seats, hidden, rules, rng)               -> seat that decides first, or DONE
    step(table, seats, hidden, rules, rng, seat, action)  -> seat that decides next, or DONE
    legal(table, me, rules, action)                       -> bool
    score(table, seats, hidden, rules, result)            fills one result record per seat

`table` is read by everybody, `me` by one seat, `hidden` by the rules alone, `rules` by everybody.
`rng` is the deal's chance: its `key` names the streams that decks own. The engine zeroes table,
seats and hidden before `begin` and sets `table.players`, `me.seat` and `me.barred`.
"""

from __future__ import annotations

import csv
import functools
import importlib.resources
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from simlab.core import declare
from simlab.core.declare import MISSING, NOTHING
from simlab.core.parameters import read_whole
from simlab.core.plainwords import PlainWords
from simlab.core.records import record
from simlab.errors import UserError, one_of, shown

DONE = -1
FINISHED, TRUNCATED = 0, 1

Rows = list[dict[str, str]]
Values = dict[str, Any]


@dataclass(frozen=True)
class Key:
    """One rule that can be set: its values (words) or its range (whole numbers), and meaning."""

    name: str
    default: Any
    meaning: str
    values: tuple[str, ...] = ()
    low: int = 0
    high: int = 0

    def read(self, given: object) -> Any:
        """Return the value in its own type; UserError where it is not one."""
        if not self.values:
            return read_whole(given, self.name, self.low, self.high)
        if str(given) not in self.values:
            raise one_of("value", given, self.values, f"for {self.name}")
        return str(given)

    def allowed(self) -> str:
        """Say which values there are."""
        return ", ".join(self.values) if self.values else f"{self.low} to {self.high}"


@dataclass(frozen=True)
class DataFile:
    """A data file of the game (card list ...), replaceable by `--set NAME=FILE.csv`.

    check: raises UserError naming line and column for impossible contents, given (rows, place);
    totals: counts and sums of the rows, by what they count.
    """

    name: str
    columns: tuple[str, ...]
    check: Callable[[Rows, str], None]
    totals: Callable[[Rows], dict[str, int | float]] | None = None


@dataclass(frozen=True)
class DeckInfo:
    """How a `Table` speaks about a deck.

    field: the deck's record in `hidden`; decks: deck numbers that share the name, in order of use;
    ids: (rules) -> id of each card number; playable: (table, hidden, card) -> not out of play.
    """

    field: str
    decks: tuple[int, ...]
    ids: Callable[[Any], list[str]]
    playable: Callable[[Any, Any, int], bool]


@dataclass(frozen=True)
class Column:
    """A result column of the game's own: name, dtype as stored, meaning with unit."""

    name: str
    dtype: str
    meaning: str


@dataclass(frozen=True)
class Events:
    """What `--events` records: kinds by number, names of `what` and of the values, and a bound.

    most: (players, rule values) -> most events one game can have; names: (rule book) -> the word of
    each number of `what`, written in its place; groups: what tables can be made by (`--by card`)
    -> the kinds of event that count for it: who had such an event with the same `what`.
    """

    turn: str
    kinds: tuple[str, ...]
    what: str
    values: tuple[str, ...]
    most: Callable[[int, Values], int]
    names: Callable[[RuleBook], list[str]] | None = None
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def result_record(columns: Sequence[Column]) -> np.dtype[np.void]:
    """Return the dtype of one seat's result: score, tie-break, end of the game, own columns.

    score: higher is better; tie: among equal scores higher is better; end_reason: number of the
    word in `Game.end_reasons`.
    """
    own = [(column.name, column.dtype, ()) for column in columns]
    return record(("score", "i4", ()), ("tie", "i4", ()), ("end_reason", "u1", ()), *own)


@dataclass(frozen=True, eq=False, init=False)
class Game:
    """Everything the engine knows about a game; one per folder in `simlab/games`.

    Needed: name; table and seat (dtypes made by `record`; table has `players` and `decision`, seat
    has `seat` and `barred`); begin, step, legal, score; seats, as a function (rule set, values) ->
    (fewest, most) or as that pair; decisions, their words by number; actions, their words by number
    or a function (rule book) -> such words, always as many, "" for what these rules do not have.
    The rest has a default:

    title: the name; folder: where `begin` lies; hidden, rules: records with nothing in them;
    rule_sets: "standard" alone; make_rules: fills the fields of `rules` that are named like keys;
    bars: (text, rule book) -> [(word, bit), ...] of `me.barred`; by default `kind=WORD` bars the
    actions whose first word it is, bit n % 63 of word n // 63 for action n; words: generic
    sentences (`PlainWords`); line_up: `random` in all seats, or specs in words, used again from the
    first where players are more; secret: decisions whose choices the other seats must not see when
    they are made; data_of: rule set -> rule set whose rows of a data file it uses;
    own_end_reasons: words of `end_reason` from 2 on; action_names: the constants that strategies
    import for actions, where a group of actions begins (`BUY + card`), for `simlab new strategy`;
    cautions: rule values, and data files that replace shipped ones by name -> sentences that every
    table and page of such games carries; score_range: least and largest score possible, or a
    function (rule book, players) -> that pair, for stopping rules that compare scores; length: the
    column that says how long a game was.

    Raises UserError naming the game and the field for what is missing or cannot be.
    """

    name: str
    title: str
    folder: Path
    table: np.dtype[Any]
    seat: np.dtype[Any]
    hidden: np.dtype[Any]
    rules: np.dtype[Any]
    begin: Callable[..., Any]
    step: Callable[..., Any]
    legal: Callable[..., Any]
    score: Callable[..., Any]
    keys: tuple[Key, ...]
    rule_sets: Mapping[str, Mapping[str, Any]]
    rule_set_notes: Mapping[str, str]
    seats: Callable[[str, Values], tuple[int, int]]
    data: tuple[DataFile, ...]
    make_rules: Callable[[Values, Mapping[str, Rows]], Any]
    columns: tuple[Column, ...]
    decks: Mapping[str, DeckInfo]
    decisions: tuple[str, ...]
    actions: Callable[[RuleBook], list[str]]
    bars: Callable[[str, RuleBook], list[tuple[int, int]]]
    words: Any
    line_up: Callable[[int], list[str]]
    cautions: Callable[[Values], list[str]]
    shard_games: int
    decision_cap: int
    aliases: tuple[str, ...]
    events: Events | None
    own_end_reasons: tuple[str, ...]
    data_of: Mapping[str, str]
    secret: tuple[str, ...]
    action_names: Mapping[str, int]
    score_range: Callable[[RuleBook, int], tuple[float, float]] | None
    length: str | None
    result: np.dtype[Any]

    def __init__(
        self,
        *,
        name: str,
        table: np.dtype[Any] = MISSING,
        seat: np.dtype[Any] = MISSING,
        begin: Callable[..., Any] = MISSING,
        step: Callable[..., Any] = MISSING,
        legal: Callable[..., Any] = MISSING,
        score: Callable[..., Any] = MISSING,
        seats: Callable[[str, Values], tuple[int, int]] | tuple[int, int] = MISSING,
        decisions: Sequence[str] = MISSING,
        actions: Callable[[RuleBook], list[str]] | Sequence[str] = MISSING,
        title: str | None = None,
        aliases: Sequence[str] = (),
        folder: Path | str | None = None,
        hidden: np.dtype[Any] = NOTHING,
        rules: np.dtype[Any] = NOTHING,
        keys: Sequence[Key] = (),
        rule_sets: Mapping[str, Mapping[str, Any]] | None = None,
        rule_set_notes: Mapping[str, str] | None = None,
        data: Sequence[DataFile] = (),
        data_of: Mapping[str, str] | None = None,
        make_rules: Callable[[Values, Mapping[str, Rows]], Any] | None = None,
        columns: Sequence[Column] = (),
        decks: Mapping[str, DeckInfo] | None = None,
        action_names: Mapping[str, int] | None = None,
        secret: Sequence[str] = (),
        bars: Callable[[str, RuleBook], list[tuple[int, int]]] | None = None,
        words: Any = PlainWords,
        line_up: Callable[[int], list[str]] | Sequence[str] = ("random",),
        cautions: Callable[[Values], list[str]] | None = None,
        events: Events | None = None,
        own_end_reasons: Sequence[str] = (),
        score_range: Callable[[RuleBook, int], tuple[float, float]]
        | tuple[float, float]
        | None = None,
        length: str | None = None,
        shard_games: int = 2**16,
        decision_cap: int = 10_000,
    ) -> None:
        given = {name: value for name, value in locals().items() if name != "self"}
        for of, value in declare.completed(given).items():
            object.__setattr__(self, of, value)
        object.__setattr__(self, "result", result_record(self.columns))

    @property
    def end_reasons(self) -> tuple[str, ...]:
        """Words of `end_reason`, by number."""
        return ("finished", "truncated", *self.own_end_reasons)

    def cautions_of(self, values: Values, files: Mapping[str, Any]) -> list[str]:
        """Return what a reader of results must know about rules and data files.

        files: of data files by name; those that replace the shipped ones count, with any path.
        """
        return self.cautions({**values, **{name: file for name, file in files.items() if file}})

    def key(self, name: str) -> Key:
        """Return a rule's key by name; UserError with the nearest name otherwise."""
        for key in self.keys:
            if key.name == name:
                return key
        names = [key.name for key in self.keys] + [data.name for data in self.data]
        raise one_of("rule", name, names, f"in {self.name}")

    def rule_set(self, name: str) -> dict[str, Any]:
        """Return all values of a named rule set."""
        if not isinstance(name, str) or name not in self.rule_sets:
            raise one_of("rule set", name, self.rule_sets, f"in {self.name}")
        return {key.name: key.default for key in self.keys} | dict(self.rule_sets[name])


@dataclass(frozen=True)
class RuleBook:
    """A game with a value for every rule and its data: what `rules` is filled from.

    values: rule name -> value; files: data name -> (file or None for the shipped one, rows);
    record: array of one RULES record.
    """

    game: Game
    rule_set: str
    values: Values
    files: Mapping[str, Path | None]
    rows: Mapping[str, Rows]
    record: Any

    @functools.cached_property
    def actions(self) -> list[str]:
        """The word of every action by number; "" for a number that these rules do not use."""
        words = list(self.game.actions(self))
        used = [word for word in words if word]
        if not used or len({*used}) < len(used):
            raise UserError(f"game '{self.game.name}': actions names two actions alike, or none.")
        return words

    def bars(self, text: str) -> list[tuple[int, int]]:
        """Return (word, bit) of `me.barred` for a bar in words, such as `kind=leave`."""
        return self.game.bars(text, self)

    def player_count(self, given: object, what: str) -> int:
        """Return the number of players: as given, or the smallest; UserError if it cannot be.

        what: the name of the argument, for the sentence about a wrong one.
        """
        if given is None:
            return self.game.seats(self.rule_set, self.values)[0]
        count = read_whole(given, what, 1)
        self.check_players(count)
        return count

    def check_players(self, players: int) -> None:
        """UserError unless the game can be played by so many under these rules."""
        low, high = self.game.seats(self.rule_set, self.values)
        if not low <= players <= high:
            changed = [
                f"{k}={v}"
                for k, v in self.values.items()
                if v != self.game.rule_set(self.rule_set)[k]
            ]
            span = f"{low} to {high} players" if high > low else f"{low} players"
            set_ = "" if self.rule_set == "standard" else f" under rules {self.rule_set}"
            set_ += f" with {', '.join(changed)}" if changed else ""
            raise UserError(f"{self.game.name}{set_} is for {span}; {players} were asked for.")


def rule_book(
    game: Game, rule_set: str = "standard", changes: Mapping[str, Any] | None = None
) -> RuleBook:
    """Return a rule set of a game with single rules or data files changed.

    changes: rule name -> value, data name -> path of a CSV file. Raises UserError for an unknown
    rule set, rule or value and for a file that cannot be what it should.
    """
    values = game.rule_set(rule_set)
    if not isinstance(changes or {}, Mapping):
        raise UserError(f"set is {shown(repr(changes))}; it takes rules and values, as a dict.")
    files: dict[str, Path | None] = {data.name: None for data in game.data}
    for name, given in (changes or {}).items():
        if name in files:
            files[name] = Path(str(given))
        else:
            values[name] = game.key(name).read(given)
    rows = {
        data.name: _read_data(game, data, files[data.name], values, rule_set) for data in game.data
    }
    return RuleBook(game, rule_set, values, files, rows, game.make_rules(values, rows))


def _read_data(
    game: Game, data: DataFile, given: Path | None, values: Values, rule_set: str
) -> Rows:
    path = given if given is not None else game.folder / f"{data.name}.csv"
    try:
        with open(path, encoding="utf-8-sig", newline="") as lines:
            reader = csv.DictReader(lines)
            columns = reader.fieldnames or []
            rows = [_row(row, path, reader.line_num) for row in reader]
    except (OSError, ValueError, csv.Error) as error:  # ValueError: not UTF-8, or no path at all
        reason = getattr(error, "strerror", None) or shown(error)
        raise UserError(f"cannot read {data.name} file {shown(path)}: {reason}.") from None
    twice = [column for column in columns if columns.count(column) > 1]
    if twice:
        raise UserError(f"{path} has two columns '{shown(twice[0])}'.")
    missing = [column for column in data.columns if column not in columns]
    if missing:
        raise UserError(
            f"{path} has no column '{missing[0]}'; a {data.name} file needs "
            f"{', '.join(data.columns)}, separated by commas."
        )
    if "rulesets" in columns:
        wanted = game.data_of.get(rule_set, rule_set)
        rows = [row for row in rows if wanted in (row["rulesets"] or "").split(";")]
        if not rows:
            raise UserError(
                f"{path} has no row for the rules {wanted}; name them in its column 'rulesets', or "
                "leave that column out."
            )
    data.check(rows, str(path))
    return rows


def _row(cells: dict[Any, Any], path: Path, line: int) -> dict[str, str]:
    """Return the cells of a line without blanks around them; UserError for too few or too many."""
    if None in cells or None in cells.values():
        many = "more" if None in cells else "fewer"
        raise UserError(f"{path}, line {line}: it has {many} cells than the file has columns.")
    return {**{name: text.strip() for name, text in cells.items()}, "file_line": str(line)}


def shipped(package: str) -> Path:
    """Return the folder of an installed package's data."""
    return Path(str(importlib.resources.files(package)))
