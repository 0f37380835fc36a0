"""From what happens to the sentences of a replay, and from a table to a picture in words."""

from __future__ import annotations

from typing import Any

from simlab.games.diamant import rules as r
from simlab.games.diamant.actions import LEAVE
from simlab.games.diamant.setup import box

ENDS = {r.LEFT: "leaves", r.HOME: "comes home at the end of the deck"}


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
            return f"Expedition {values[0]}: everybody enters the cave."
        if what == "card":
            return f"Card {table.depth}: {self.card(values[0])}{self._result(values[0], table)}."
        if what == "accident":
            return "Accident: everybody inside loses what they carried."
        kind, explorer, shares, bonus, relics, pay = values
        total = shares + bonus + pay
        parts = [f"{shares} carried"]
        if bonus:
            parts.append(f"{bonus} from the path")
        if relics:
            parts.append(f"{relics} relic{'s' if relics > 1 else ''} for {pay}")
        end = ENDS[kind]
        return f"{self.explorer(explorer).capitalize()} {end} with {total}: {', '.join(parts)}."

    def _result(self, card: int, table: Any) -> str:
        kind = self.rules.kind[card]
        if kind == r.TREASURE and table.inside_count:
            each, rest = divmod(int(self.rules.value[card]), int(table.inside_count))
            return f"; {each} each for {table.inside_count}, {rest} left over"
        return ""

    def decision(self, table: Any, me: Any) -> str:
        """Say what is asked and of whom."""
        return f"{self.explorer(int(me.explorer))}, after card {table.depth}: leave or stay?"

    def chosen(self, me: Any, action: int) -> str:
        """Say what was chosen."""
        return f"{self.explorer(int(me.explorer))} {'leaves' if action == LEAVE else 'stays'}"

    def position(self, table: Any, scores: list[int]) -> str:
        """Draw the table in a few lines."""
        path = [self.ids[int(card)] for card in table.path[: int(table.depth)]]
        inside = [e for e in range(int(table.explorers)) if (int(table.inside) >> e) & 1]
        lines = [
            f"Expedition {table.expedition} of {self.rules.expeditions}, "
            f"{table.deck} cards in the deck, {table.danger} of them an accident",
            f"  path: {' '.join(path) or '-'}",
            f"  on the path: {table.leftover} gems, {table.relics} relics",
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
