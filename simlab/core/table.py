"""One game in hand: for notebooks, replays and tests. Plays without numba, from any position."""

from __future__ import annotations

import collections
import copy
import difflib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from simlab.core.blame import is_shipped, rules_error
from simlab.core.game import DONE, TRUNCATED, DeckInfo, Game, RuleBook, rule_book
from simlab.core.kernel import State, prepare, whole_action
from simlab.core.parameters import read_whole
from simlab.core.ranks import rank_games
from simlab.core.records import plain_arithmetic
from simlab.core.registry import bind_for, find_game
from simlab.core.rng import chance_key, strategy_key
from simlab.core.strategy import Player
from simlab.core.trace import Listener, listening
from simlab.core.views import cursor
from simlab.errors import IllegalAction, UserError, one_of, shown

MOST_KEY = 2**63 - 1
Stack = Mapping[str, Sequence[str] | Sequence[Sequence[str]]]


BARS = 'it takes what each seat may not do, such as {0: ["kind=leave"]}'


class Action(NamedTuple):
    """A legal action: its number and its word."""

    number: int
    word: str


@dataclass(frozen=True)
class Entry:
    """One line of a log.

    kind: "told" (something happened), "chosen", "forced" (one legal action, not asked) or "note";
    text: the sentence; seat, action, word: of a choice; seat of what was told: who alone may know.
    """

    kind: str
    text: str
    seat: int | None = None
    action: int | None = None
    word: str | None = None


MOST_NAMED = 6


def _readings(words: Sequence[str]) -> dict[tuple[str, ...], int]:
    """Return the action of each word by its parts; by parts in any order where that is one action.

    The first part stays the first: `take red blue` is `take blue red`, but `turn red blue` and
    `turn blue red` may be two actions.
    """
    parts = {i: tuple(word.lower().split()) for i, word in enumerate(words) if word}
    loose = collections.Counter(_in_any_order(part) for part in parts.values())
    found = {_in_any_order(part): i for i, part in parts.items() if loose[_in_any_order(part)] == 1}
    return found | {part: i for i, part in parts.items()}


def _in_any_order(parts: tuple[str, ...]) -> tuple[str, ...]:
    return parts[:1] + tuple(sorted(parts[1:]))


class Log(list[Entry]):
    """All entries of a game so far, and the cards each deck gave, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.decks: dict[str, list[list[str]]] = {}

    @property
    def words(self) -> list[str]:
        """The words of all choices that were asked for, in order."""
        return [str(entry.word) for entry in self if entry.kind == "chosen"]

    def sentences(self) -> list[str]:
        """The log as sentences, choices and notes included."""
        return [entry.text for entry in self]


def _bars(given: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each seat with each thing barred for it; UserError for what cannot be bars."""
    for seat, texts in given.items() if isinstance(given, Mapping) else [(None, None)]:
        if not isinstance(texts, (str, list, tuple)):
            raise UserError(f"bars is {shown(repr(given))}; {BARS}.")
        yield from ((seat, text) for text in ([texts] if isinstance(texts, str) else texts))


class Table(Listener):
    """A game that is played by hand, by word or by strategies.

    game: name or `Game`; players: default the smallest number; rules: rule set; set: changed rules;
    seed, deal: key of all chance; game_number: key of the strategies' own chance (default: deal);
    stack: tops of decks by card id, a list, or a list of lists for a deck that is used again.
    Raises UserError for what the rules do not know and for cards that cannot lie there.
    """

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        rules: str = "standard",
        set: Mapping[str, Any] | None = None,
        seed: int = 1,
        deal: int = 0,
        stack: Stack | None = None,
        *,
        game_number: int | None = None,
        book: RuleBook | None = None,
        bars: Mapping[int, Sequence[str]] | None = None,
    ) -> None:
        self.game = game if isinstance(game, Game) else find_game(game)
        self.book = book or rule_book(self.game, rules, set)
        self.players = self.book.player_count(players, "players")
        self.log = Log()
        self.end_reason: str | None = None
        self.decisions = 0
        self._words = self.game.words(self.book)
        self._actions = self.book.actions
        self._readings = _readings(self._actions)
        self._rules = cursor(self.book.record)
        self._ids = {n: info.ids(self.book) for n, info in self.game.decks.items()}
        self._wishes: dict[int, list[str]] = {}
        self._begun: list[int] = []
        self._seat = DONE
        self._take(State(self.game, self.players))
        if not isinstance(stack or {}, Mapping):
            raise UserError("stack takes decks and their cards: {'deck': ['card', ...]}.")
        for name, wish in (stack or {}).items():
            self._wish(name, wish)
        keys = [
            read_whole(value, name, 0, MOST_KEY)
            for name, value in (("seed", seed), ("deal", deal), ("game_number", game_number or 0))
        ]
        self._deal(keys[0], keys[1], keys[1] if game_number is None else keys[2], bars or {})

    def _take(self, state: State) -> None:
        self._state = state
        tables, self._seats, hiddens, chances, self._owns, self._memos, _ = state.cursors
        self._table, self._hidden, self._chance = tables[0], hiddens[0], chances[0]

    def _deal(self, seed: int, deal: int, game: int, bars: Mapping[int, Sequence[str]]) -> None:
        with plain_arithmetic():
            keys = chance_key(seed), strategy_key(seed)
            prepare(self._table, self._seats, self._chance, self._owns, *keys, deal, game)
            for seat, text in _bars(bars):
                self.bar(seat, text)
            args = (self._table, self._seats, self._hidden, self._rules, self._chance)
            with listening(self), self._rules_at_work():
                self._go(self._next("begin", self.game.begin(*args)))

    @contextmanager
    def _rules_at_work(self) -> Iterator[None]:
        """Tell an error of an outside game's rules with its file and line."""
        try:
            yield
        except UserError:
            raise
        except Exception as error:
            if is_shipped(self.game):
                raise
            raise rules_error(self.game, error) from None

    def _next(self, function: str, seat: Any) -> int:
        if isinstance(seat, (int, np.integer)) and DONE <= int(seat) < self.players:
            return int(seat)
        raise TypeError(
            f"{function} returned {seat}; it must return the seat that decides next, 0 to "
            f"{self.players - 1}, or DONE ({DONE})"
        )

    def bar(self, seat: int, text: str) -> None:
        """Bar a kind of action or a card (`kind=leave`) for a seat from now on."""
        self._check_seat(seat)
        if not isinstance(text, str):
            raise UserError(f"bars has {shown(repr(text))} for seat {seat}; {BARS}.")
        for word, bit in self.book.bars(text):
            self._seats[seat].barred[word] |= 1 << bit

    def _check_seat(self, seat: int) -> None:
        if not isinstance(seat, (int, np.integer)) or not 0 <= seat < self.players:
            raise UserError(f"there is no seat {seat}; seats are 0 to {self.players - 1}.")

    # -- what is asked

    @property
    def to_move(self) -> int | None:
        """The seat that decides now; None when the game is over."""
        return None if self._seat == DONE else self._seat

    @property
    def decision(self) -> str | None:
        """What is asked, by the game's word for it; None when the game is over."""
        if self._seat == DONE:
            return None
        return self.game.decisions[int(self._table.decision)]

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self._seat == DONE

    def _is_legal(self, number: int) -> bool:
        me = self._seats[self._seat]
        with self._rules_at_work():
            return bool(self.game.legal(self._table, me, self._rules, number))

    def legal(self) -> list[Action]:
        """Return the legal actions of the seat to move, with their words; empty at the end."""
        if self.finished:
            return []
        me, legal = self._seats[self._seat], self.game.legal
        with self._rules_at_work():
            return [
                Action(i, word)
                for i, word in enumerate(self._actions)
                if word and legal(self._table, me, self._rules, i)
            ]

    # -- playing

    def play(self, action: int | str) -> Table:
        """Carry out an action by number or word; IllegalAction and an unchanged table otherwise."""
        number = self._number(action)
        if not self._is_legal(number):
            raise self._illegal(self._actions[number] or f"action {number}")
        before = self._copy()
        seat = self._seat
        text = self._words.chosen(self._seats[seat], number)
        self.log.append(Entry("chosen", text, seat, number, self._actions[number]))
        args = (self._table, self._seats, self._hidden, self._rules, self._chance, seat, number)
        try:
            with listening(self), plain_arithmetic(), self._rules_at_work():
                self._go(self._next("step", self.game.step(*args)))
        except UserError:
            self._restore(before)
            raise
        return self

    def _number(self, action: int | str) -> int:
        if self.finished:
            raise IllegalAction("the game is over; nothing can be played.")
        if isinstance(action, str):
            parts = tuple(action.lower().split())
            number = self._readings.get(parts, self._readings.get(_in_any_order(parts)))
            if number is None:
                raise self._illegal(action)
            return number
        whole = isinstance(action, (int, np.integer)) and not isinstance(action, bool)
        if not whole or not 0 <= int(action) < len(self._actions):
            raise self._illegal(str(action))
        return int(action)

    def _illegal(self, word: str) -> IllegalAction:
        legal = [action.word for action in self.legal()]
        near = difflib.get_close_matches(word, legal, n=MOST_NAMED) or legal
        few = near[:MOST_NAMED] if len(legal) > 2 * MOST_NAMED else legal
        more = f" and {len(legal) - len(few)} more" if len(few) < len(legal) else ""
        return IllegalAction(
            f"'{word}' is not legal for seat {self._seat} ({self.decision}); legal: "
            f"{', '.join(few)}{more}."
        )

    def _go(self, seat: int) -> None:
        self._seat = seat
        if seat == DONE:
            self.end_reason = self.game.end_reasons[int(self._results()[0, 0].end_reason)]
            return
        self.decisions += 1
        if self.decisions > self.game.decision_cap:
            self._seat, self.end_reason = DONE, self.game.end_reasons[TRUNCATED]

    def advance(self, player: Player) -> int:
        """Ask a strategy for the seat to move and carry out its action; return the action."""
        seat = self._seat
        with listening(self), plain_arithmetic():
            table, seats = self._state.shown
            action = whole_action(
                player(table, seats[seat], self._rules, self._memos[seat], self._owns[seat])
            )
        self.play(action)
        return int(action)

    def play_out(self, lineup: Sequence[Any]) -> Table:
        """Play to the end with one strategy a seat (specs in words or decorated functions)."""
        lineup = [lineup] if isinstance(lineup, str) else lineup
        lineup = list(lineup) * self.players if len(lineup) == 1 else lineup
        if len(lineup) != self.players:
            raise UserError(
                f"{len(lineup)} strategies were given for {self.players} seats; give one for all "
                f"seats, or {self.players}."
            )
        players = [Player(bind_for(self.game, given)) for given in lineup]
        while not self.finished:
            self.advance(players[self._seat])
        return self

    # -- what can be seen

    @property
    def public(self) -> Any:
        """A read-only copy of the record that everybody sees."""
        return _frozen(self._state.tables, 0)

    def private(self, seat: int) -> Any:
        """A read-only copy of the record that one seat sees."""
        self._check_seat(seat)
        return _frozen(self._state.seats, seat)

    def _results(self) -> Any:
        made = np.zeros((1, self.players), self.game.result).view(np.recarray)
        args = (self._table, self._seats, self._hidden, self._rules, made[0])
        with plain_arithmetic(), self._rules_at_work():
            self.game.score(*args)
        return made

    @property
    def scores(self) -> list[int]:
        """The scores by seat, as if the game ended now."""
        return [int(score) for score in self._results()["score"][0]]

    @property
    def ranks(self) -> list[int]:
        """The ranks by seat after tie-breaks, as if the game ended now."""
        results = self._results()
        rank, win = np.zeros(results.shape, "u1"), np.zeros(results.shape)
        rank_games(results, rank, win)
        return [int(value) for value in rank[0]]

    @property
    def winners(self) -> list[int]:
        """The seats that won; empty until the game is over."""
        return [seat for seat, rank in enumerate(self.ranks) if rank == 1] if self.finished else []

    @property
    def columns(self) -> dict[str, list[Any]]:
        """The game's own result columns by name, one value a seat, as if the game ended now."""
        results = self._results()
        names = [column.name for column in self.game.columns]
        return {name: results[name][0].tolist() for name in names}

    def __repr__(self) -> str:
        """Say which game this is, and draw it."""
        return f"Table of {self.game.name}, {self.players} players\n{self}"

    def __str__(self) -> str:
        """Draw the table in words."""
        lines = [self._words.position(self._table, self.scores)]
        if self.finished:
            winners = " and ".join(f"seat {seat}" for seat in self.winners)
            lines.append(f"The game is over ({self.end_reason}); won by {winners}.")
        else:
            lines.append(self._words.decision(self._table, self._seats[self._seat]))
        return "\n".join(lines)

    # -- copies

    def _copy(self) -> tuple[Any, ...]:
        arrays = [array.copy() for array in self._state.arrays()]
        decks = {name: [list(d) for d in decks] for name, decks in self.log.decks.items()}
        return arrays, len(self.log), decks, self._seat, list(self._begun), dict(self._wishes)

    def _restore(self, saved: tuple[Any, ...]) -> None:
        arrays, length, self.log.decks, self._seat, self._begun, self._wishes = saved
        for array, before in zip(self._state.arrays(), arrays, strict=True):
            array[...] = before
        del self.log[length:]

    def clone(self) -> Table:
        """Return an independent copy: position, decks, memos, streams and log."""
        twin = copy.copy(self)
        state = State(self.game, self.players)
        for new, old in zip(state.arrays(), self._state.arrays(), strict=True):
            new[...] = old
        twin._take(state)
        twin.log = Log()
        twin.log.extend(self.log)
        twin.log.decks = {n: [list(d) for d in decks] for n, decks in self.log.decks.items()}
        twin._begun, twin._wishes = list(self._begun), copy.deepcopy(self._wishes)
        return twin

    # -- decks

    def stack(self, deck: str, cards: Sequence[str], at: int | None = None) -> Table:
        """Lay cards on top of a deck, first card first.

        at: which use of the deck, counted from 0 (default: the present one). Raises UserError for a
        deck that is over, and for cards that cannot lie there; a later deck is checked when it
        comes, because what is in play then is not known now.
        """
        info = self._deck(deck)
        used = [number for number in self._begun if number in info.decks]
        place = max(len(used) - 1, 0)
        if at is not None:
            place = read_whole(at, "at", 0, len(info.decks) - 1)
        number = info.decks[place]
        cards = [cards] if isinstance(cards, str) else list(cards)
        self._known(deck, cards)
        if used and number == used[-1]:
            before = self._copy()
            try:
                self._lay(deck, getattr(self._hidden, info.field), cards)
            except UserError:
                self._restore(before)
                raise
        elif number in used:
            raise UserError(f"deck {deck} number {place} is over; the present one is {used[-1]}.")
        else:
            self._wishes[number] = list(cards)
        return self

    def _deck(self, name: str) -> Any:
        if name not in self.game.decks:
            raise one_of("deck", name, self.game.decks, f"in {self.game.name}")
        return self.game.decks[name]

    def _wish(self, name: str, wish: Sequence[Any]) -> None:
        numbers = self._deck(name).decks
        fits = isinstance(wish, Sequence) and not isinstance(wish, str)
        if not fits or not all(isinstance(each, (str, list, tuple)) for each in wish):
            raise UserError(f"deck {name} takes a list of cards, or a list of such lists.")
        several = bool(wish) and not isinstance(wish[0], str)
        lists = [list(cards) for cards in wish] if several else [list(wish)]
        if len(lists) > len(numbers):
            raise UserError(
                f"deck {name} is used {len(numbers)} times; {len(lists)} lists were given."
            )
        for number, cards in zip(numbers, lists, strict=False):
            self._known(name, cards)
            self._wishes[number] = cards

    def _known(self, name: str, cards: Sequence[str]) -> None:
        ids = self._ids[name]
        for card in cards:
            if card not in ids or not card:
                raise one_of("card", card, sorted(filter(None, {*ids})), f"in deck {name}")
            if list(cards).count(card) > ids.count(card):
                raise UserError(
                    f"deck {name} holds '{card}' {ids.count(card)} times, "
                    f"not {list(cards).count(card)}."
                )

    def _lay(self, name: str, deck: Any, cards: Sequence[str]) -> None:
        info, ids = self.game.decks[name], self._ids[name]
        top = int(deck.next)
        for place, wanted in enumerate(cards, start=top):
            for other in range(place, int(deck.cards)):
                card = int(deck.order[other])
                if ids[card] == wanted and info.playable(self._table, self._hidden, card):
                    deck.order[other], deck.order[place] = deck.order[place], card
                    break
            else:
                raise UserError(self._impossible(name, info, deck, wanted))
        deck.fixed = max(int(deck.fixed), top + len(cards))

    def _impossible(self, name: str, info: DeckInfo, deck: Any, wanted: str) -> str:
        if len(info.decks) == 1:
            return f"'{wanted}' cannot lie in deck {name} now; stack other cards there."
        number = info.decks.index(int(deck.number))
        return (
            f"'{wanted}' cannot lie in deck {name} {number} (from 0) now; stack other cards "
            f"there, or none: stack('{name}', [], at={number})."
        )

    # -- what the rules tell (simlab.core.trace.Listener)

    def told(self, what: str, values: tuple[int, ...]) -> None:
        """Write the sentence of something that happened."""
        self.log.append(Entry("told", self._words.told(what, values, self._table)))

    def whispered(self, seat: int, what: str, values: tuple[int, ...]) -> None:
        """Write down what one seat alone may know."""
        self.log.append(Entry("told", self._words.told(what, values, self._table), seat))

    def forced(self, seat: int, action: int) -> None:
        """Write down a choice that was carried out unasked."""
        text = f"{self._words.chosen(self._seats[seat], action)} (Forced.)"
        self.log.append(Entry("forced", text, seat, action, self._actions[action]))

    def noted(self, name: str, value: Any) -> None:
        """Write a strategy's note."""
        text = f"  (seat {self._seat}: {name} = {float(value):.4g})"
        self.log.append(Entry("note", text, self._seat))

    def shuffled(self, deck: Any, number: int) -> None:
        """Lay what was wished for on a deck that begins."""
        self._begun.append(number)
        for name, info in self.game.decks.items():
            if number in info.decks:
                self.log.decks.setdefault(name, []).append([])
                if number in self._wishes:
                    self._lay(name, deck, self._wishes.pop(number))

    def drawn(self, number: int, card: int) -> None:
        """Write down a card that came into play."""
        for name, info in self.game.decks.items():
            if number in info.decks:
                self.log.decks[name][info.decks.index(number)].append(self._ids[name][card])


def _frozen(records: Any, place: int) -> Any:
    taken = records[place : place + 1].copy().view(np.recarray)
    taken.flags.writeable = False
    return taken[0]
