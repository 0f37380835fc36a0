"""One harness for all games: what a game shows after every word, and what its referee says.

A game is played through `Table` (or in compiled code: `tracer.py`) and its face is taken down after
every word. Its words and its cards then go to the game's slow referee, `tests/reference/<game>.py`,
which must show the same face; `<game>_view.py` beside it reads records in the referee's words.
"""

from __future__ import annotations

import functools
import importlib
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from simlab import Table
from simlab.core.game import Game, RuleBook, rule_book
from simlab.core.registry import bind_for, strategies
from simlab.core.strategy import Player
from simlab.core.table import Entry

Choose = Callable[[Table], None]


@dataclass(frozen=True)
class Spec:
    """All that makes a game: printed where a test fails, so that it can be set up again."""

    game: str
    players: int
    rules: str = "standard"
    set: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 1
    deal: int = 0
    stack: Mapping[str, Any] = field(default_factory=dict)
    bars: Mapping[int, Sequence[str]] = field(default_factory=dict)

    def table(self) -> Table:
        """Return a fresh table."""
        given = {"seed": self.seed, "deal": self.deal, "stack": self.stack, "bars": self.bars}
        return Table(self.game, self.players, self.rules, self.set, **given)


@dataclass(frozen=True)
class Asked:
    """Who must decide what."""

    to_move: int | None
    decision: str | None
    legal: frozenset[str]
    finished: bool
    end_reason: str | None


@dataclass(frozen=True)
class Standing:
    """How the game stands."""

    scores: list[int]
    ranks: list[int]
    columns: dict[str, list[int]]
    public: dict[str, Any]


Moment = tuple[Asked, Standing]


# -- what a table shows


class Watch:
    """Takes down the face of a table.

    What stands in the public record or in the results is read again only when its bytes changed.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._view = view_for(table.game, table.book)
        self._seen = (b"", b"")
        self._standing: Standing

    def take(self) -> Moment:
        """Return the face of the table now."""
        table = self._table
        legal = frozenset(action.word for action in table.legal())
        asked = Asked(table.to_move, table.decision, legal, table.finished, table.end_reason)
        public = table.public
        before, self._seen = self._seen, (public.tobytes(), self._seen[1])
        if self._seen != before:
            self._seen = (self._seen[0], table._results().tobytes())
            shown = self._view.publics(np.array([public], table.game.table))[0]
            if self._seen[1] != before[1]:
                self._standing = Standing(table.scores, table.ranks, table.columns, shown)
            else:
                self._standing = replace(self._standing, public=shown)
        return asked, self._standing


def play(table: Table, choose: Choose) -> list[Moment]:
    """Play to the end; return the face at the start and after every word."""
    watch = Watch(table)
    moments = [watch.take()]
    while not table.finished:
        choose(table)
        moments.append(watch.take())
    return moments


def records(table: Table) -> list[bytes]:
    """Return the bytes of all records of a table, the hidden ones too."""
    return [array.tobytes() for array in table._state.arrays()]


def chosen_words(table: Table) -> list[str]:
    """Return the words of all choices, those carried out unasked too."""
    return [str(entry.word) for entry in table.log if entry.kind in ("chosen", "forced")]


# -- what the referee shows


def view_for(game: Game, book: RuleBook) -> Any:
    """Return what reads a game's records in the words of its referee."""
    return importlib.import_module(f"tests.reference.{game.name}_view").View(book)


def referee_for(
    game: Game, book: RuleBook, players: int, decks: Mapping[str, Any], **changed: Any
) -> Any:
    """Return the referee of a game, with the cards that were drawn.

    changed: rule values that the referee is told instead of the right ones.
    """
    module = importlib.import_module(f"tests.reference.{game.name}")
    rules = view_for(game, book).referee_rules() | changed
    return module.Referee(players, rules, decks)


def moment_of(referee: Any) -> Moment:
    """Return the face of a referee."""
    legal = frozenset(referee.legal())
    reason = "finished" if referee.finished else None  # of games that end in one way
    reason = getattr(referee, "end_reason", reason)
    asked = Asked(referee.to_move, referee.decision, legal, referee.finished, reason)
    columns = referee.columns()
    return asked, Standing(referee.scores, referee.ranks, columns, referee.public())


def differences(shown: Moment, said: Moment) -> list[str]:
    """Return what differs; of the public things only those that the table knows count."""
    if shown[0] == said[0] and _same(shown[1], said[1]):
        return []
    (asked, standing), (rightly, rightful) = shown, said
    pairs = [(name, vars(asked)[name], vars(rightly)[name]) for name in vars(asked)]
    pairs += [(n, vars(standing)[n], vars(rightful)[n]) for n in ("scores", "ranks", "columns")]
    known = standing.public
    pairs += [(f"public {n}", known[n], rightful.public.get(n, "unknown")) for n in known]
    return [f"{name}: table {a!r}, referee {b!r}" for name, a, b in pairs if a != b]


def _same(shown: Standing, said: Standing) -> bool:
    return (
        shown.scores == said.scores
        and shown.ranks == said.ranks
        and shown.columns == said.columns
        and shown.public.items() <= said.public.items()
    )


def judge(make: Callable[[], Any], words: Sequence[str], moments: Sequence[Moment]) -> None:
    """Play words through a referee; AssertionError where it does not show the same moments.

    make: returns a fresh referee; moments: the face at the start and after every word.
    """
    played = 0
    try:
        referee = make()
        _agree(moments[0], referee)
        for word, moment in zip(words, moments[1:], strict=True):
            referee.play(word)
            played += 1
            _agree(moment, referee)
    except ValueError as error:  # the referee knows of no such card, word or face
        raise AssertionError(f"after {list(words[:played])}:\n{error}") from error


def _agree(moment: Moment, referee: Any) -> None:
    wrong = differences(moment, moment_of(referee))
    if wrong:
        raise ValueError("\n".join(wrong))


def check(spec: Spec, choose: Choose) -> Table:
    """Play a game and compare it with the referee after every word; return the finished table."""
    table = spec.table()
    moments = play(table, choose)
    cards = table.log.decks
    make = functools.partial(referee_for, table.game, table.book, table.players, cards)
    try:
        judge(make, table.log.words, moments)
    except AssertionError as error:
        raise AssertionError(f"{spec}, cards {cards}, {error}") from error
    return table


def again(spec: Spec, words: Sequence[str]) -> list[Entry]:
    """Play words through a fresh table; return its log without what strategies noted."""
    table = spec.table()
    for word in words:
        table.play(word)
    return told(table)


def told(table: Table) -> list[Entry]:
    """Return a log without what strategies noted."""
    return [entry for entry in table.log if entry.kind != "note"]


# -- who chooses


def weights(game: Game, seed: object) -> list[float]:
    """Return a weight for each action: for half of the seeds all alike, else drawn.

    Uniform choices alone seldom lead deep into a game.
    """
    rng = random.Random(f"weights {seed}")
    picky = rng.random() < 0.5
    return [rng.random() if picky else 1.0 for _ in range(_action_count(game))]


@functools.lru_cache(maxsize=8)
def _action_count(game: Game) -> int:
    return len(rule_book(game).actions)


def at_random(game: Game, seed: object) -> Choose:
    """Choose among the legal actions at random, by the weights of the seed."""
    rng = random.Random(f"choices {seed}")
    by_number = weights(game, seed)

    def choose(table: Table) -> None:
        legal = [action.number for action in table.legal()]
        table.play(rng.choices(legal, [by_number[number] for number in legal])[0])

    return choose


def by_strategies(game: Game, names: Sequence[str]) -> Choose:
    """Let strategies choose, one a seat."""
    players = [Player(bind_for(game, name)) for name in names]

    def choose(table: Table) -> None:
        assert table.to_move is not None
        table.advance(players[table.to_move])

    return choose


def random_line_up(game: Game, players: int, seed: object) -> list[str]:
    """Return a line-up of shipped strategies, drawn with repetition."""
    return random.Random(f"line-up {seed}").choices(sorted(strategies(game.name)), k=players)


def cells(game: Game) -> list[tuple[str, int]]:
    """Return every rule set of a game with every number of players it allows."""
    spans = {name: game.seats(name, game.rule_set(name)) for name in game.rule_sets}
    return [(n, players) for n, (low, high) in spans.items() for players in range(low, high + 1)]


def check_clone(spec: Spec, seed: int, words: int) -> None:
    """Clone a table after so many words at random: it is independent and goes on alike."""
    table = spec.table()
    choose = at_random(table.game, seed)
    for _ in range(words):
        if not table.finished:
            choose(table)
    twin = table.clone()
    before, log, cards = records(table), list(table.log), str(table.log.decks)
    line_up = random_line_up(table.game, spec.players, seed)
    twin.play_out(line_up)
    assert (records(table), list(table.log), str(table.log.decks)) == (before, log, cards)
    table.play_out(line_up)
    assert records(table) == records(twin)
    assert list(table.log) == list(twin.log)
    assert table.log.decks == twin.log.decks
