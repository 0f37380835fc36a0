"""From what happens to the sentences of a replay, and from a table to a picture in words."""

from __future__ import annotations

from typing import Any

from simlab.games.splendor import rules as r
from simlab.games.splendor.actions import (
    BLIND,
    BUY,
    COLOURS,
    GIVE,
    PASS,
    PAY,
    RESERVE,
    TAKEN,
    TOKENS,
    VISIT,
    card_ids,
    level_of,
    noble_ids,
)


def _few(counts: Any, names: tuple[str, ...] = TOKENS) -> str:
    parts = [f"{int(n)} {name}" for n, name in zip(counts, names, strict=False) if n]
    return ", ".join(parts) or "nothing"


def _points(count: Any) -> str:
    return f"{count} point" if count == 1 else f"{count} points"


class Words:
    """Speaks about one game under one rule book."""

    def __init__(self, book: Any) -> None:
        self.rules = book.record[0]
        self.cards, self.nobles = card_ids(book), noble_ids(book)

    def card(self, number: int) -> str:
        """Name a card with its bonus, its points and its cost."""
        rules = self.rules
        points = f", {_points(rules.points[number])}" if rules.points[number] else ""
        return (
            f"{self.cards[number]} ({COLOURS[rules.bonus[number]]}{points}; "
            f"costs {_few(rules.cost[number])})"
        )

    def noble(self, number: int) -> str:
        """Name a noble with what it wishes for."""
        return f"{self.nobles[number]} ({_few(self.rules.requires[number])})"

    def told(self, what: str, values: tuple[int, ...], table: Any) -> str:
        """Return the sentence for what the rules told."""
        if what == "setup":
            nobles = ", ".join(self.noble(int(t)) for t in table.nobles if t >= 0)
            return f"Nobles: {nobles}. In the bank: {_few(table.bank)}."
        if what == "turned_up":
            return f"Turned up: {self.card(values[0])}."
        if what == "turn":
            return f"Round {values[0]}, seat {values[1]}."
        if what == "paid":
            counts = [(values[1] >> (8 * token)) & 255 for token in range(len(TOKENS))]
            return f"Seat {values[0]} pays {_few(counts)}."
        if what == "gold":
            return f"Seat {values[0]} takes 1 gold with it."
        if what == "target":
            seat = values[0]
            return f"Seat {seat} has {_points(table.points[seat])}: this round is the last."
        seat, number = values
        points = _points(table.points[seat])
        if what == "visit":
            return f"The noble {self.noble(number)} visits seat {seat}, which has {points} now."
        return f"Seat {seat} has {points} now."

    def decision(self, table: Any, me: Any) -> str:
        """Say what is asked and of whom."""
        asked = {
            r.MAIN: "take, reserve or buy?",
            r.PAYING: self._owed(table),
            r.RETURNING: "which token goes back?",
            r.CHOOSING: "which noble?",
        }[int(table.decision)]
        hand = ", ".join(self.card(int(card)) for card in me.hand if card >= 0)
        return f"Seat {me.seat}: {asked}" + (f" In hand: {hand}." if hand else "")

    def _owed(self, table: Any) -> str:
        if table.paying < 0:
            return "which token pays?"
        return f"which token pays for {self.cards[table.paying]} ({_few(table.owed)} still owed)?"

    def chosen(self, me: Any, action: int) -> str:
        """Say what was chosen."""
        who = f"Seat {me.seat}"
        if action < BLIND:
            counts = [TAKEN[action].count(c) for c in range(5)]
            return f"{who} takes {_few(counts)}."
        if action < PASS:
            return f"{who} reserves the top card of level {action - BLIND + 1}."
        if action == PASS:
            return f"{who} passes."
        if action < PAY:
            return f"{who} returns 1 {TOKENS[action - GIVE]}."
        if action < VISIT:
            return f"{who} pays 1 {TOKENS[action - PAY]}."
        if action < BUY:
            return f"{who} chooses the noble {self.nobles[action - VISIT]}."
        if action < RESERVE:
            return f"{who} buys {self.card(action - BUY)}."
        return f"{who} reserves {self.card(action - RESERVE)}."

    def position(self, table: Any, scores: list[int]) -> str:
        """Draw the table in a few lines."""
        last = ", the last one" if table.last_round else ""
        lines = [f"Round {table.turn}{last}; in the bank: {_few(table.bank)}"]
        nobles = ", ".join(self.noble(int(tile)) for tile in table.nobles if tile >= 0)
        lines.append(f"  nobles: {nobles or 'none left'}")
        for level in (2, 1, 0):
            lines.append(f"  level {level + 1}, {table.deck[level]} in the deck:")
            shown = [int(c) for c in table.market[4 * level : 4 * level + 4] if c >= 0]
            lines += [f"    {self.card(card)}" for card in shown]
        for seat in range(int(table.players)):
            known = [self.cards[int(c)] if c >= 0 else "?" for c in table.reserved[seat]]
            held = ", ".join(known[: int(table.hand[seat])]) or "nothing"
            lines.append(
                f"  seat {seat}: {_points(scores[seat])}, {table.bought[seat]} cards, "
                f"{table.visited[seat]} nobles; tokens {_few(table.tokens[seat])}; "
                f"bonuses {_few(table.bonuses[seat], COLOURS)}; reserved {held}"
            )
        return "\n".join(lines)


def level_ids(level: int) -> Any:
    """Return the function that gives the ids of a level's deck, by their numbers in it."""

    def ids(book: Any) -> list[str]:
        return [row["card_id"] for row in book.rows["cards"] if level_of(row) == level]

    return ids


def in_play(table: Any, hidden: Any, card: int) -> bool:
    """Whether a card can come: all cards of a deck can."""
    return True
