"""From what happens to the sentences of a replay, and from a table to a picture in words."""

from __future__ import annotations

from typing import Any

from simlab.games.diamant import rules as r
from simlab.games.diamant.actions import LEAVE
from simlab.games.diamant.setup import box

ENDS = {r.LEFT: "leaves", r.HOME: "comes home at the end of the deck"}


def _count(number: Any, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


class Words:
    """Speaks about one game under one rule book."""

    def __init__(self, book: Any) -> None:
        self.rules = book.record[0]
        places = box(book.rows["cards"])
        names = {row["id"]: row["name_en"] for row in book.rows["cards"] if row.get("name_en")}
        self.ids = [place[1] for place in places]
        self.types = list(dict.fromkeys(p[2] for p in places if p[0] == "trap"))
        self.names = [names.get(card, card) for card in self.ids]

    def explorer(self, number: int) -> str:
        """Name an explorer: its seat, and which of the seat's two where there are two."""
        shift = int(self.rules.shift)
        if shift == 0:
            return f"seat {number}"
        return f"seat {number >> shift} (explorer {number % 2 + 1})"

    def card(self, number: int) -> str:
        """Name a card with what is printed on it."""
        kind, value = self.rules.kind[number], int(self.rules.value[number])
        if kind == r.TREASURE:
            return f"a treasure of {value}"
        if kind == r.TRAP:
            return f"a trap: {self.names[number]}"
        printed = f" of {value}" if self.rules.relic_value == r.PRINTED else ""
        return f"a relic{printed}"

    def told(self, what: str, values: tuple[int, ...], table: Any) -> str:
        """Return the sentence for what the rules told."""
        if what == "enter":
            return f"Expedition {values[0]}: everybody enters the cave.{self._chests(table)}"
        if what == "card":
            return f"Card {table.depth}: {self.card(values[0])}{self._shared(values[0], table)}."
        if what == "accident":
            return f"Accident: {self._losses(table)}."
        kind, explorer, shares, bonus, relics, pay = values
        parts = [f"{shares} carried"] if bonus or relics else []
        parts += [f"{bonus} from the path"] if bonus else []
        parts += [f"{_count(relics, 'relic')} for {pay}"] if relics else []
        of = f": {', '.join(parts)}" if parts else ""
        who = _capital(self.explorer(explorer))
        return f"{who} {ENDS[kind]} with {_count(shares + bonus + pay, 'gem')}{of}."

    def _chests(self, table: Any) -> str:
        chests = [int(table.chest[seat]) for seat in range(int(table.players))]
        known = int(table.expedition) > 1 and min(chests) >= 0
        return f" Chests: {', '.join(map(str, chests))}." if known else ""

    def _shared(self, card: int, table: Any) -> str:
        inside = int(table.inside_count)
        if self.rules.kind[card] != r.TREASURE or not inside:
            return ""
        each, rest = divmod(int(self.rules.value[card]), inside)
        if inside == 1:
            alone = int(table.inside).bit_length() - 1
            return f"; {self.explorer(alone)} takes all of it"
        left = f", {rest} left over" if rest else ""
        return f"; {each} for each of {inside}{left}"

    def _losses(self, table: Any) -> str:
        inside = [e for e in range(int(table.explorers)) if (int(table.inside) >> e) & 1]
        lost = _count(int(table.carried[inside[0]]), "gem")  # all inside carry the same
        names = " and ".join(self.explorer(e) for e in inside)
        return f"{names} {'loses' if len(inside) == 1 else 'lose'} {lost}" + (
            " each" if len(inside) > 1 else ""
        )

    def decision(self, table: Any, me: Any) -> str:
        """Say what is asked and of whom."""
        who = _capital(self.explorer(int(me.explorer)))
        return f"{who}, after card {table.depth}: leave or stay?"

    def chosen(self, me: Any, action: int) -> str:
        """Say what was chosen; it takes effect when all choices are in."""
        choice = "wants to leave" if action == LEAVE else "stays"
        return f"{_capital(self.explorer(int(me.explorer)))} {choice}."

    def position(self, table: Any, scores: list[int]) -> str:
        """Draw the table in a few lines."""
        path = [self.ids[int(card)] for card in table.path[: int(table.depth)]]
        inside = [e for e in range(int(table.explorers)) if (int(table.inside) >> e) & 1]
        lines = [
            f"Expedition {table.expedition} of {self.rules.expeditions}, "
            f"{_count(table.deck, 'card')} in the deck, {table.danger} of them fatal",
            f"  path: {' '.join(path) or '-'}",
            f"  left on it: {_count(table.leftover, 'gem')}, {_count(table.relics, 'relic')}",
        ]
        for explorer in inside:
            lines.append(f"  {self.explorer(explorer)} inside, carries {table.carried[explorer]}")
        lines.append("  chests: " + ", ".join(map(str, scores)))
        return "\n".join(lines)


def card_ids(book: Any) -> list[str]:
    """Return the id of each card number; "" for an empty place of the box."""
    return [place[1] for place in box(book.rows["cards"])]


def in_play(table: Any, hidden: Any, card: int) -> bool:
    """Whether a card number can still come in this expedition's deck."""
    return not (int(table.gone) >> card) & 1
