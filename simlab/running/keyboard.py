"""A person at the keyboard against strategies: `simlab play GAME`.

Shown is what the person's seat may know: what the rules tell everybody, the choices that are open,
the position; never what others choose in secret (`Game.secret`), and no strategy's notes.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from simlab.core.game import Game, rule_book
from simlab.core.parameters import read_spec, read_whole
from simlab.core.patience import Endless
from simlab.core.places import named
from simlab.core.registry import find_game
from simlab.core.strategy import Bound, Player
from simlab.core.table import MOST_KEY, Entry, Table
from simlab.errors import RulesError, UserError
from simlab.running.faults import is_found, told
from simlab.running.spec import Spec, line_up_of
from simlab.running.terminal import (
    COMMANDS,
    UNREADABLE,
    chosen,
    columns,
    command,
    fold,
    from_keyboard,
    misread,
)

FRESH = 10**9  # seeds that nobody chose are below this
Read = Callable[[str], str]
Write = Callable[[str], Any]


def play(
    game: str,
    players: int | None = None,
    seat: int = 0,
    lineup: Sequence[Any] | None = None,
    rules: str = "standard",
    set: Mapping[str, Any] | None = None,
    seed: int | None = None,
    deal: int = 0,
    read: Read = from_keyboard,
    write: Write = print,
) -> Table:
    """Play one game with a person in `seat` and return its table (unfinished if the person left).

    lineup: strategies of the other seats, in seat order: one for each, one for all, or None for the
    game's default line-up without this seat; seed: None for a fresh one; read, write: as `input`
    and `print`. The same arguments, seed and choices give the same game. Raises UserError for what
    cannot be right, StrategyError where a strategy fails.
    """
    found = find_game(game)
    book = rule_book(found, rules, set)
    count = book.player_count(players, "--players")
    own = read_whole(seat, "--seat", 0, count - 1)
    others = opponents(found, count, own, lineup)
    key = secrets.randbelow(FRESH) if seed is None else read_whole(seed, "--seed", 0, MOST_KEY)
    number = read_whole(deal, "--deal", 0, MOST_KEY)
    spec = Spec(found, count, book, (), "fixed", key, dict(set or {}), named())
    words = ["simlab", "play", found.name, "--players", str(count), "--seat", str(own)]
    words += [word for bound in others if lineup is not None for word in ("-s", bound.label)]
    words += spec.rule_words() + spec.place_words() + (["--deal", str(number)] if number else [])
    again = command([*words, "--seed", str(key)])
    another = command(words)
    if lineup is not None and not all(is_found(found, bound) for bound in others):
        again, another = f"  the same call with seed={key}", "  the same call with seed=None"
    changed = "".join(f", {name}={value}" for name, value in spec.changes.items())
    note = found.rule_set_notes.get(book.rule_set)
    rules_ = f"{book.rule_set}{f' ({note})' if note else ''}{changed}"
    write(fold(f"{found.title}, {count} players, rules {rules_}; seed {key}."))
    write(f"To play the same game again:\n{again}\n")
    table = Table(found, count, seed=key, deal=number, book=book)
    if sit_down(table, own, others, read, write, again=again):
        write(f"\nTo play another game:\n{another}")
    else:
        write(f"To play the same game again, from its start:\n{again}")
    return table


def opponents(game: Game, players: int, seat: int, lineup: Sequence[Any] | None) -> list[Bound]:
    """Return the strategies of all seats but one, in seat order (see `play`)."""
    if lineup is None:
        usual = line_up_of(game, players, None)
        return [bound for other, bound in enumerate(usual) if other != seat]
    given = list(lineup) if isinstance(lineup, (list, tuple)) else [lineup]
    count = sum(read_spec(entry).count if isinstance(entry, str) else 1 for entry in given)
    if count not in (1, players - 1):
        wanted = f"one for all of them, or {players - 1}" if players > 2 else "one"
        raise UserError(
            f"{count} strategies were given for the {players - 1} seats beside yours; give "
            f"{wanted} in seat order, without seat {seat}."
        )
    return list(line_up_of(game, players - 1, given))


def sit_down(
    table: Table,
    seat: int,
    opponents: Sequence[Bound],
    read: Read = from_keyboard,
    write: Write = print,
    *,
    again: str = "",
) -> bool:
    """Let a person play one seat of a table to the end; return False if the person left before.

    opponents: the strategies of the other seats, in seat order; again: the command of this game,
    for the sentence about a strategy that fails (StrategyError). One can sit down again at a table
    that one left.
    """
    table.private(seat)  # UserError if there is no such seat
    if len(opponents) != table.players - 1:
        raise UserError(
            f"{len(opponents)} strategies were given for the {table.players - 1} other seats."
        )
    return Sitting(table, seat, opponents, read, write, again).play()


class Sitting:
    """One person at one table: what was seen so far, and whom to ask next (see `sit_down`)."""

    def __init__(
        self,
        table: Table,
        seat: int,
        opponents: Sequence[Bound],
        read: Read,
        write: Write,
        again: str,
    ) -> None:
        self.table, self.seat, self.again = table, seat, again
        self.read, self.out = read, write
        others = [other for other in range(table.players) if other != seat]
        self.players = {s: Player(b) for s, b in zip(others, opponents, strict=True)}
        self.words = table.game.words(table.book)
        self.secret = table.game.secret
        self.forgotten = forgotten(table, seat)
        self.seen: list[str] = []
        self.heard = 0
        self.drawn = ""

    def write(self, text: str) -> None:
        """Write a text, its long lines folded."""
        self.out(fold(text))

    def name(self, seat: int) -> str:
        """Name a seat with who plays there."""
        return f"seat {seat} ({'you' if seat == self.seat else self.players[seat].bound.label})"

    def play(self) -> bool:
        """Play to the end; False if the person left."""
        self.write("At the table:")
        for other in range(self.table.players):
            self.write(f"  {self.name(other)}")
        self.write("Type the number or the word of an action (its beginning will do), or help.\n")
        self.tell(chosen=bool(self.secret), forced=bool(self.secret))
        try:
            while (seat := self.table.to_move) is not None:
                secret = self.table.decision in self.secret
                if seat == self.seat:
                    self.table.play(self.ask())
                else:
                    self.advance(seat)
                self.tell(chosen=secret, forced=secret or self.table.decision in self.secret)
        except EOFError:
            self.leave()
            return False
        self.close()
        return True

    def advance(self, seat: int) -> None:
        """Let a strategy play; StrategyError if it fails."""
        try:
            self.table.advance(self.players[seat])
        except (KeyboardInterrupt, Endless):
            raise
        except BaseException as error:  # whatever a strategy raises
            raise fault(self.players[seat].bound, seat, self.table, error, self.again) from None

    def tell(self, chosen: bool, forced: bool) -> None:
        """Write what happened since the last time, as far as this seat may see it.

        chosen, forced: whether what others chose, or did because it was all they could, is secret.
        """
        hidden = {"told": False, "note": True, "chosen": chosen, "forced": forced}
        for entry in self.table.log[self.heard :]:
            whispered = entry.kind == "told" and entry.seat is not None
            if self.is_own(entry) or not (whispered or hidden[entry.kind]):
                self.seen.append(entry.text)
                self.write(entry.text)
        self.heard = len(self.table.log)
        self.forgotten &= forgotten(self.table, self.seat)

    def is_own(self, entry: Entry) -> bool:
        """Whether an entry is a choice of this seat, or meant for it alone."""
        return entry.seat == self.seat and entry.kind in ("told", "chosen", "forced")

    # -- asking

    def ask(self) -> int:
        """Ask until the answer is a legal action; return its number. EOFError: the person left."""
        self.position(only_if_new=True)
        self.question()
        while True:
            try:
                said = self.read(f"seat {self.seat}> ").strip()
            except UnicodeError:
                said = UNREADABLE
            legal = self.table.legal()
            action = chosen(said, legal)
            if action is not None:
                return action.number
            if said.lower() in ("?", *COMMANDS):
                self.obey(said.lower())
            elif said:
                self.write(misread(said, legal, self.table.book.actions))
            else:
                self.question()

    def obey(self, word: str) -> None:
        """Carry out one of the COMMANDS."""
        if word == "quit":
            raise EOFError
        if word == "log":
            self.write("\n".join(self.seen))
        elif word == "table":
            self.position()
        else:
            self.write("Type the number or the word of an action, or the beginning of its word; or")
            self.write("\n".join(f"  {name:5}  {meaning}" for name, meaning in COMMANDS.items()))
            page = self.table.game.folder / "RULES.md"
            if page.is_file():
                self.out(f"The rules of the game: {page}")
        self.question()

    def position(self, only_if_new: bool = False) -> None:
        """Write the position, without the scores that this seat does not see."""
        scores = self.table.scores
        if self.forgotten:
            scores = [s if seat == self.seat else Unseen(s) for seat, s in enumerate(scores)]
        text = self.words.position(self.table.public, scores)
        if text != self.drawn or not only_if_new:
            self.write(f"\n{text}")
        self.drawn = text

    def question(self) -> None:
        """Write what is asked, and the legal actions with their numbers."""
        self.write(self.words.decision(self.table.public, self.table.private(self.seat)))
        self.write("\n".join(columns([f"{number} {word}" for number, word in self.table.legal()])))

    # -- the end

    def leave(self) -> None:
        """Say good-bye before the end, with what the person chose so far."""
        own = [e.word or "" for e in self.table.log if e.kind == "chosen" and self.is_own(e)]
        chose = f" You chose so far: {', '.join(own)}." if own else ""
        self.write(f"You have left the game before its end.{chose}")

    def close(self) -> None:
        """Write scores, ranks and who won."""
        table, winners = self.table, self.table.winners
        self.write(f"\nThe game is over ({table.end_reason}).")
        for seat, (score, rank) in enumerate(zip(table.scores, table.ranks, strict=True)):
            self.write(f"  {self.name(seat)}: score {score}, rank {rank}")
        names = ["you"] if self.seat in winners else []
        names += [self.name(seat) for seat in winners if seat != self.seat]
        text = " and ".join(names) + (" won." if len(winners) == 1 else " share the win.")
        self.write(text[:1].upper() + text[1:])


class Unseen(int):
    """A number that a seat does not see: written as ?."""

    def __str__(self) -> str:
        return "?"

    __repr__ = __str__

    def __format__(self, form: str) -> str:
        width = re.search(r"[1-9][0-9]*", form.partition(".")[0])
        return "?".rjust(int(width[0]) if width else 0)


def forgotten(table: Table, seat: int) -> set[str]:
    """Return the public fields that may stand for numbers which a rule lets people forget.

    Such a rule writes -1 for every seat to a field of `table`, all game long, and the value to the
    field of that name in `me`. Scores of others are not shown then.
    """
    public = table.public
    names = {*(public.dtype.names or ())} & {*(table.private(seat).dtype.names or ())}
    fields = {name: np.asarray(public[name]) for name in names}
    return {
        name
        for name, field in fields.items()
        if field.ndim and len(field) >= table.players and (field[: table.players] == -1).all()
    }


def fault(bound: Bound, seat: int, table: Table, error: BaseException, again: str) -> UserError:
    """Return the error of a strategy, or of rules, that failed at a table."""
    if isinstance(error, RulesError):
        return error
    where = f"seat {seat}, decision {table.decisions} ({table.decision})"
    once_more = f" The same game again:\n{again}" if again else ""
    return told(table.game, bound, where, error, once_more)
