"""Many games side by side: rules and compiled strategies run until a Python strategy must decide.

`pump` is a template like `kernel.play`, over the same rules: it carries out the answers that are
in, plays every game on to its next question for a strategy that is not compiled, and seats a new
game where one has ended. Between two calls each such strategy answers for all games that wait for
it: batch strategies with arrays, plain ones game by game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from simlab.core import records
from simlab.core.game import DONE, TRUNCATED, Game
from simlab.core.kernel import bar, parts, plain_decide, prepare, with_globals
from simlab.core.patience import Endless
from simlab.core.records import clear, plain_arithmetic, record
from simlab.core.rng import chance_key, strategy_key
from simlab.core.strategy import Bound, Player
from simlab.core.views import Rows, SharedRules, Written, cursor, one_action

GAMES_IN_FLIGHT = 8192
FREE = -2
SLOT = record(
    ("game", "i8", ()),  # counted from the first of the batch
    ("seat", "i8", ()),  # whose answer is awaited; FREE where no game lies
    ("decisions", "i8", ()),
    ("action", "i8", ()),
)
ASKED = record(("slot", "i8", ()), ("seat", "i8", ()), ("entry", "i8", ()))

# Given to the template where it is specialised for a game; named here for the reader.
begin: Any = None
step: Any = None
legal: Any = None
score: Any = None
decide: Any = None
address_of: Any = None
EVENTS = False


def pump(
    first: Any,
    games: Any,
    seed: Any,
    cap: Any,
    remember: Any,
    block: Any,
    entries: Any,
    bars: Any,
    lineup: Any,
    foreign: Any,
    nodes: Any,
    rulebook: Any,
    tables: Any,
    seats: Any,
    hiddens: Any,
    chances: Any,
    owns: Any,
    memos: Any,
    progress: Any,
    slots: Any,
    asked: Any,
    begun: Any,
    results: Any,
    events: Any,
    counts: Any,
    room: Any,
) -> Any:
    """Play on until every game in flight waits for an answer; return how many do.

    Which ones stand in `asked`; answers are expected in `slots.action`. 0 means that all `games`
    games are over, -1 that an action was illegal (progress says which). foreign: 1 for each entry
    of the line-up that this loop cannot ask; begun: how many games were seated, by
    reference; counts: events of each game, whose room begins at game * room.
    """
    rules, now = rulebook[0], progress[0]
    players = results.shape[1]
    chances_of, own_of = chance_key(seed), strategy_key(seed)
    waiting = np.int64(0)
    for place in range(len(slots)):
        slot = slots[place]
        table, hidden, chance = tables[place], hiddens[place], chances[place]
        while True:
            if slot.seat == FREE:
                if begun[0] == games:
                    break
                slot.game = begun[0]
                begun[0] += 1
                game = first + slot.game
                clear(tables[place : place + 1])
                clear(seats[place])
                clear(hiddens[place : place + 1])
                if remember:
                    clear(memos[place])
                if EVENTS:
                    hidden.events.address = address_of(events)
                    hidden.events.count = slot.game * room
                slot.decisions = 0
                deal = game // block
                prepare(table, seats[place], chance, owns[place], chances_of, own_of, deal, game)
                bar(seats[place], entries[slot.game], bars)
                now.game = game
                seat = begin(table, seats[place], hidden, rules, chance)
            else:
                seat = slot.seat
                now.game = first + slot.game
                now.seat = seat
                if not legal(table, seats[place, seat], rules, slot.action):
                    now.action = slot.action
                    now.decision = slot.decisions
                    return np.int64(-1)
                seat = step(table, seats[place], hidden, rules, chance, seat, slot.action)
            waits = False
            decisions = slot.decisions
            while seat != DONE:
                if decisions == cap:
                    break
                decisions += 1
                at = np.uint64(entries[slot.game, seat])
                if foreign[at]:
                    waits = True
                    break
                now.seat = seat
                action = decide(
                    lineup[at], table, seats[place, seat], rules, memos[place, seat],
                    owns[place, seat], nodes[at, 0],
                )  # fmt: skip
                if not legal(table, seats[place, seat], rules, action):
                    now.action = action
                    now.decision = decisions
                    return np.int64(-1)
                seat = step(table, seats[place], hidden, rules, chance, seat, action)
            if waits:
                slot.seat = seat
                slot.decisions = decisions
                question = asked[waiting]
                question.slot = place
                question.seat = seat
                question.entry = entries[slot.game, seat]
                waiting += 1
                break
            score(table, seats[place], hidden, rules, results[slot.game])
            if seat != DONE:
                for other in range(players):
                    results[slot.game, other].end_reason = TRUNCATED
            if EVENTS:
                counts[slot.game] = hidden.events.count - slot.game * room
                for number in range(slot.game * room, hidden.events.count):
                    events[number].game = first + slot.game
            slot.seat = FREE
    return waiting


def pump_type(compiler: Any) -> Any:
    """Return numba's signature of the template for a game (see `kernel.Compiler`)."""
    from numba import from_dtype, types

    i8, row = types.int64, types.Array
    chance, own, memo, progress, node, slot, asked, event = map(
        from_dtype,
        (
            records.CHANCE, records.RNG, records.MEMO, records.PROGRESS, records.NODE, SLOT, ASKED,
            records.EVENT,
        ),
    )  # fmt: skip
    table, seat, hidden, rules, result = compiler.kinds
    return i8(
        *([i8] * 6), row(types.int32, 2, "C"), row(i8, 2, "C"), row(i8, 1, "C"),
        row(types.uint8, 1, "C"), row(node, 2, "C"),
        row(rules, 1, "C"), row(table, 1, "C"), row(seat, 2, "C"), row(hidden, 1, "C"),
        row(chance, 1, "C"), row(own, 2, "C"), row(memo, 2, "C"), row(progress, 1, "C"),
        row(slot, 1, "C"), row(asked, 1, "C"), row(i8, 1, "C"), row(result, 2, "C"),
        row(event, 1, "C"), row(i8, 1, "C"), i8,
    )  # fmt: skip


def plain_pump(game: Game) -> Any:
    """Return the loop as plain Python, for the same arrays seen as records."""
    return with_globals(pump, {**parts(game), "decide": plain_decide})


class Failed(Exception):
    """A Python strategy failed; `progress` says in which game, `cause` how."""

    def __init__(self, cause: BaseException) -> None:
        self.cause = cause


class Flight:
    """The games in flight of one worker, and the strategies that answer for them.

    line_up: the bound strategies, one an entry; those that are not compiled answer here. progress:
    record that always says which game and seat is being asked.
    """

    def __init__(
        self, game: Game, players: int, line_up: Sequence[Bound], rules: Any, slots: int
    ) -> None:
        self.game, self.players = game, players
        self.tables = np.zeros(slots, game.table)
        self.seats = np.zeros((slots, players), game.seat)
        self.hiddens = np.zeros(slots, game.hidden)
        self.chances = np.zeros(slots, records.CHANCE)
        self.owns = np.zeros((slots, players), records.RNG)
        self.memos = np.zeros((slots, players), records.MEMO)
        self.progress = np.zeros(1, records.PROGRESS)
        self.slots = np.zeros(slots, SLOT)
        self.asked = np.zeros(slots, ASKED)
        self._first = 0
        self._seen = [_read_only(self.tables), _read_only(self.seats.reshape(-1))]
        self._rules = cursor(rules)
        self._cursors = [cursor(array) for array in self._seen]
        self._cursors += [self._rules, cursor(self.owns.reshape(-1), writable=True)]
        self._bytes = self.memos.view(np.uint8).reshape(slots * players, -1)
        distinct = list(dict.fromkeys(bound for bound in line_up if not bound.compiled))
        self._players = [Player(bound) for bound in distinct]
        self._answers = np.array(
            [distinct.index(b) if not b.compiled else -1 for b in line_up], np.int64
        )

    def arrays(self, plain: bool) -> tuple[Any, ...]:
        """Return the arrays in the order the loop takes them; plain: as attribute-reading ones."""
        arrays = (
            self.tables, self.seats, self.hiddens, self.chances, self.owns, self.memos,
            self.progress, self.slots, self.asked,
        )  # fmt: skip
        if not plain:
            return arrays
        views: list[Any] = [array.view(np.recarray) for array in arrays]
        views[5] = self._bytes.reshape(len(self.slots), self.players, -1)
        return tuple(views)

    def play(self, loop: Any, head: tuple[Any, ...], tail: tuple[Any, ...], plain: bool) -> bool:
        """Play a batch; False for an illegal action, Failed for a strategy that raised.

        head, tail: what the loop takes before (the first game first) and after this flight's
        arrays; plain: whether the loop is the uncompiled one.
        """
        self._first = int(head[0])
        self.slots["seat"] = FREE
        begun = np.zeros(1, np.int64)
        arguments = (*head, *self.arrays(plain), begun, *tail)
        with plain_arithmetic():
            waiting = loop(*arguments)
            while waiting > 0:
                self._answer(self.asked[:waiting])
                waiting = loop(*arguments)
        return bool(waiting == 0)

    def _answer(self, asked: Any) -> None:
        answers = self._answers[asked["entry"]]
        for number, player in enumerate(self._players):
            mine = asked if len(self._players) == 1 else asked[answers == number]
            if len(mine):
                places = np.ascontiguousarray(mine["slot"])
                seats = np.ascontiguousarray(mine["seat"])
                answer = self._many if player.batch else self._one_by_one
                self.slots["action"][places] = answer(player, places, seats)

    def _now(self, place: int, seat: int) -> None:
        now = self.progress[0]
        now["game"] = self._first + self.slots["game"][place]
        now["seat"], now["decision"] = seat, self.slots["decisions"][place]

    def _views(self, places: Any, flat: Any) -> tuple[Any, ...]:
        tables, seats = self._seen
        rng = Written(self.owns.reshape(-1), flat)
        return Rows(tables, places), Rows(seats, flat), SharedRules(self._rules), self._bytes, rng

    def _many(self, player: Player, places: Any, seats: Any) -> Any:
        flat = places * self.players + seats
        self._now(int(places[0]), int(seats[0]))
        bytes_before = self._bytes[flat].copy() if player.remembers else None
        before = self.owns.reshape(-1)[flat].copy(), bytes_before
        try:
            return one_action(player.many(*self._views(places, flat)), len(places))
        except (KeyboardInterrupt, Endless):
            raise
        except BaseException as error:
            self._blame(player, places, seats, before)
            raise Failed(error) from None

    def _blame(self, player: Player, places: Any, seats: Any, before: Any) -> None:
        """Let progress name the first game for which the strategy fails alone, if there is one."""
        flat = places * self.players + seats
        self.owns.reshape(-1)[flat] = before[0]
        if before[1] is not None:
            self._bytes[flat] = before[1]
        for place, seat in zip(places, seats, strict=True):
            one = np.array([place])
            try:
                own = one * self.players + seat
                one_action(player.many(*self._views(one, own)), 1)
            except (KeyboardInterrupt, Endless):
                raise
            except BaseException:
                self._now(int(place), int(seat))
                return

    def _one_by_one(self, player: Player, places: Any, seats: Any) -> Any:
        table, me, rules, rng = self._cursors
        actions = np.empty(len(places), np.int64)
        games = (self.slots["game"][places] + self._first).tolist()
        decisions = self.slots["decisions"][places].tolist()
        flat = (places * self.players + seats).tolist()
        now = self.progress[0]
        try:
            for i, (place, seat) in enumerate(zip(places.tolist(), seats.tolist(), strict=True)):
                now["game"], now["seat"], now["decision"] = games[i], seat, decisions[i]
                table.at = place
                me.at = rng.at = flat[i]
                action = player(table, me, rules, self._bytes[flat[i]], rng)
                actions[i] = action if type(action) is int else one_action(action, 1)[0]
        except (KeyboardInterrupt, Endless):
            raise
        except BaseException as error:
            raise Failed(error) from None
        return actions


def _read_only(array: Any) -> Any:
    seen = array.view(np.recarray)
    seen.flags.writeable = False
    return seen
