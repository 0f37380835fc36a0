"""One game step by step, uncompiled, with everything looked at that the contract promises."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from simlab.checks.cells import SEED, Cell
from simlab.checks.findings import many
from simlab.core.game import DONE
from simlab.core.kernel import State, prepare
from simlab.core.patience import Patience, seconds_allowed
from simlab.core.ranks import rank_games
from simlab.core.records import plain_arithmetic
from simlab.core.rng import chance_key, strategy_key
from simlab.core.trace import Listener, listening
from simlab.core.views import cursor
from simlab.errors import UserError

STRANGE = (-1, -2, 2**31, 10**9)


MOST_DEAF = 3


class Broken(Exception):
    """A promise of the contract that a game does not keep.

    check: the name of the check it belongs to; says: what is wrong and what to do, without where.
    """

    def __init__(self, check: str, says: str) -> None:
        super().__init__(says)
        self.check, self.says = check, says


class Walk(Listener):
    """A game that is played at random and watched.

    decks: number of each deck that began -> its stream, how many cards it has (a hand of which one
    is drawn may be of any size) and its first card, for comparing deals.
    """

    def __init__(self, cell: Cell, number: int, taste: int, bars: Any = None) -> None:
        self.cell, self.game, self.number = cell, cell.book.game, number
        self.barred = bars is not None
        self.decisions, self.seat = 0, DONE
        self.decks: dict[int, tuple[int, int, int]] = {}
        self.actions = len(cell.book.actions)
        self._kinds = [(word.split() or [""])[0] for word in cell.book.actions]
        self._chose: set[int] = set()  # seats that have chosen in this secret round
        self._deaf: dict[str, int] = {}  # kind -> times that barring it was tried, in vain so far
        self._random = random.Random(f"{number} {taste}")
        self._weights = [
            1.0 if taste == 0 else self._random.random() ** 2 for _ in range(self.actions)
        ]
        self._rules_before = cell.book.record.tobytes()
        self._state = State(self.game, cell.players)
        tables, self.seats, hiddens, chances, owns, _, _ = self._state.cursors
        self.table, self._hidden, self._chance = tables[0], hiddens[0], chances[0]
        self._rules = cursor(cell.book.record, True)
        with plain_arithmetic():
            keys = chance_key(SEED), strategy_key(SEED)
            prepare(self.table, self.seats, self._chance, owns, *keys, number, number)
        if bars is not None:
            self._state.seats["barred"][...] = bars
        self._key = int(self._chance.key)

    def shuffled(self, deck: Any, number: int) -> None:
        """Take down where a deck's chance stands."""
        self.decks[number] = (int(deck.state), int(deck.cards), int(deck.order[0]))

    @property
    def place(self) -> str:
        """Where the game stands, in words."""
        seat = f", seat {self.seat}" if self.seat != DONE else ""
        bars = " with bars" if self.barred else ""
        return (
            f"game {self.number} of {self.cell.said}, seed {SEED}{bars}{seat}, "
            f"decision {self.decisions}"
        )

    def play(self) -> Any:
        """Play to the end; return the result records [1, seats]. Raises Broken, or what it meets.

        Nothing is listened to but decks.
        """
        with plain_arithmetic(), listening(self), Patience(seconds_allowed()) as limit:
            self._go(self.game.begin(*self._arguments()), "begin")
            while self.seat != DONE:
                if self.decisions >= self.game.decision_cap:
                    raise Broken(
                        "ends", f"it goes on after {self.decisions:,} decisions (decision_cap); "
                        "make sure that every game ends, or raise the cap.",
                    )  # fmt: skip
                self.decisions += 1
                limit.tick(self.place)
                legal = self._asked()
                self._step(self._choose(legal), legal)
            return _ranked(self._scored("at the end"))

    def _arguments(self) -> tuple[Any, ...]:
        return self.table, self.seats, self._hidden, self._rules, self._chance

    def _go(self, seat: Any, function: str) -> None:
        if not isinstance(seat, (int, np.integer)) or not DONE <= int(seat) < self.cell.players:
            raise Broken(
                "ends", f"{function} returned {_number(seat)}; it must return the seat that "
                f"decides next, 0 to {self.cell.players - 1}, or DONE ({DONE}).",
            )  # fmt: skip
        self.seat = int(seat)
        if self.cell.book.record.tobytes() != self._rules_before:
            raise Broken("rules stay", f"{function} changed the record `rules`; copy what changes.")
        if int(self._chance.key) != self._key:
            raise Broken(
                "deals", f"{function} changed `rng.key`; it names the deal. Draw from streams: "
                "shuffle(deck, rng, number), or state = stream(rng.key, number) in `hidden`.",
            )  # fmt: skip
        kept = int(self.table.players), [int(me.seat) for me in self.seats]
        if kept != (self.cell.players, list(range(self.cell.players))):
            raise Broken(
                "rules stay", f"{function} changed `table.players` or a `me.seat`, which are set "
                "before the game.",
            )  # fmt: skip

    # -- at a decision

    def _is_legal(self, action: int) -> bool:
        return bool(self.game.legal(self.table, self.seats[self.seat], self._rules, action))

    def _asked(self) -> list[int]:
        """Return the legal actions, after a look at all that holds at a decision."""
        asked = int(self.table.decision)
        if not 0 <= asked < len(self.game.decisions):
            raise Broken(
                "decisions", f"table.decision is {asked}; `decisions` has words for 0 to "
                f"{len(self.game.decisions) - 1} only.",
            )  # fmt: skip
        before = self._bytes()
        found = [action for action in range(self.actions) if self._is_legal(action)]
        for action in (*STRANGE, self.actions, self.actions + 1):
            if self._is_legal(action):
                raise Broken(
                    "decisions", f"legal says yes to action {action}; actions are 0 to "
                    f"{self.actions - 1}.",
                )  # fmt: skip
        least = 1 if self.barred else 2
        if len(found) < least:
            words = ", ".join(self.cell.book.actions[a] for a in found) or "none"
            raise Broken(
                "bars" if self.barred else "decisions",
                f"{self.game.decisions[asked]} is asked with {many(len(found), 'legal action')} "
                f"({words})"
                + (
                    "; where all would be barred, `legal` must ignore `me.barred`."
                    if self.barred
                    else "; carry out what leaves no choice without asking: forced(seat, action)."
                ),
            )
        self._scored("in mid-game")
        if not self.barred:
            self._bar_kinds(found)
        if self._bytes() != before:
            raise Broken(
                "rules stay", "legal or score changed the records; they may only look at them."
            )
        return found

    def _bar_kinds(self, found: list[int]) -> None:
        """Bar each kind of action of which some are legal and others not; `legal` must hear it."""
        for kind in {self._kinds[action] for action in found}:
            others = any(self._kinds[action] != kind for action in found)
            if not others or self._deaf.get(kind, 0) < 0:
                continue
            try:
                bits = self.cell.book.bars(f"kind={kind}")
            except UserError:  # the game's kinds are not first words
                continue
            for word, bit in bits:
                self.seats[self.seat].barred[word] |= 1 << bit
            heard = not all(self._is_legal(action) for action in found)
            self.seats[self.seat].barred[:] = 0
            self._deaf[kind] = -1 if heard else self._deaf.get(kind, 0) + 1
            if self._deaf[kind] > MOST_DEAF:
                raise Broken(
                    "bars", f"`legal` takes no notice of me.barred: kind={kind} was barred and "
                    "stayed legal; an action is legal only where `me.barred` does not bar it.",
                )  # fmt: skip

    def _choose(self, legal: Sequence[int]) -> int:
        return self._random.choices(legal, [self._weights[a] + 0.02 for a in legal])[0]

    def _step(self, action: int, legal: Sequence[int]) -> None:
        seat, word = self.seat, self._word()
        others = [other for other in legal if other != action]
        if word not in self.game.secret or self.barred or not others:
            self._go(self.game.step(*self._arguments(), seat, action), "step")
            return
        instead = self._instead(others[self.decisions % len(others)])
        self._go(self.game.step(*self._arguments(), seat, action), "step")
        if not self._still_secret(seat) or instead[:2] != (self.seat, self._word()):
            return
        changed = _changed(instead[2], self._state.tables)
        if changed:
            raise Broken(
                "secrets", f"{word} is secret, but the choice of seat {seat} shows in "
                f"table.{changed} before seat {self.seat} is asked; keep it in the seat's own "
                "`me` until all choices are in.",
            )  # fmt: skip

    def _word(self) -> str:
        number, words = int(self.table.decision), self.game.decisions
        return words[number] if 0 <= number < len(words) else ""

    def _instead(self, action: int) -> tuple[int, str, Any]:
        """Return who is asked what after another action, and all that is public; undo it."""
        seat, decks = self.seat, dict(self.decks)
        saved = [array.copy() for array in self._state.arrays()]
        self._go(self.game.step(*self._arguments(), seat, action), "step")
        found = self.seat, self._word(), self._state.tables.copy()
        for array, before in zip(self._state.arrays(), saved, strict=True):
            array[...] = before
        self.seat, self.decks = seat, decks
        return found

    def _still_secret(self, seat: int) -> bool:
        """Whether a later seat chooses in the same secret round after this one did.

        A round is over where something else is asked, an earlier seat, or one that has chosen in it
        before.
        """
        self._chose.add(seat)
        if self._word() not in self.game.secret or self.seat in self._chose - {seat}:
            self._chose.clear()
            return False
        return self.seat > seat

    def _bytes(self) -> list[bytes]:
        return [array.tobytes() for array in self._state.arrays()[:4]]

    def _scored(self, when: str) -> Any:
        made = np.zeros((1, self.cell.players), self.game.result).view(np.recarray)
        self.game.score(self.table, self.seats, self._hidden, self._rules, made[0])
        wrong = result_wrong(made, self.cell)
        if wrong:
            raise Broken("scores", f"{wrong} {when}.")
        return made


def _number(value: Any) -> Any:
    return int(value) if isinstance(value, np.integer) else value


def _ranked(results: Any) -> Any:
    """Return result records [1, seats] unless nobody wins by them."""
    rank, win = np.zeros(results.shape, np.uint8), np.zeros(results.shape)
    rank_games(results, rank, win)
    if rank.min() != 1 or not np.isclose(win.sum(), 1.0):
        raise Broken(
            "scores", f"no seat is ranked first by the scores {results['score'].tolist()}."
        )
    return results


def _changed(before: Any, after: Any) -> str | None:
    """Return the first field of `table` that is not as before."""
    for name in before.dtype.names or ():
        if not np.array_equal(before[name], after[name]):
            return str(name)
    return None


def result_wrong(results: Any, cell: Cell) -> str | None:
    """Say what is wrong with result records [games, seats], or None."""
    game = cell.book.game
    for name in game.result.names or ():
        if results[name].dtype.kind == "f" and not np.isfinite(results[name]).all():
            return f"score writes a value to {name} that is not a finite number"
    reasons = results["end_reason"]
    if (reasons >= len(game.end_reasons)).any():
        return (
            f"score writes end_reason {int(reasons.max())}; `end_reasons` has words for 0 to "
            f"{len(game.end_reasons) - 1} only"
        )
    return None
