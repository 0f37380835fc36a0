"""From what happens to the sentences of a replay, and from a table to a picture in words."""

from __future__ import annotations

from typing import Any

from simlab.games.collier import actions as a
from simlab.games.collier.rules import records as r
from simlab.games.collier.rules.turn import FIRST_OF_PAIR, SECOND_OF_PAIR

ORDINALS = ("first", "second", "third")
ROLE_NAMES = {
    r.CONFESSOR: "Confessor", r.COURTESAN: "Courtesan", r.FAVORITE: "Favorite",
    r.FORGER: "Forger", r.THIEF: "Thief", r.QUEEN: "Queen", r.CARDINAL: "Cardinal",
    r.MUSKETEERS: "Musketeers", r.ALCHEMIST: "Alchemist", r.ASTROLOGER: "Astrologer",
    r.RING: "Ring", r.NECKLACE: "Queen's Necklace", r.KING: "King", r.BANKER: "Banker",
}  # fmt: skip
DECLINED = {
    a.STOP: "plays no more cards",
    a.ALLOW: "does not show Musketeers",
    a.ENOUGH: "buys no more",
    a.NO_DELAY: "plays no Cardinal",
    a.NO_KING: "lays no King",
    a.NO_NECKLACE: "keeps the Queen's Necklace",
    a.NO_ALCHEMY: "plays no Alchemist",
}


def plural(thing: str) -> str:
    """Return a word for several."""
    return "rubies" if thing == "ruby" else f"{thing}s"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing if number == 1 else plural(thing)}"


class Words:
    """Speaks about one game under one rule book."""

    def __init__(self, book: Any) -> None:
        self.rules = book.record[0]
        self.ids = a.kind_ids(book)
        self.any_card = book.values["forger_mode"] == "any_card"

    def card(self, kind: int) -> str:
        """Name a kind of card."""
        if self.rules.gems[kind] > 0:
            gem = a.TYPES[int(self.rules.type[kind])]
            return _count(int(self.rules.gems[kind]), gem)
        return ROLE_NAMES[int(self.rules.role[kind])]

    def hand(self, counts: Any) -> str:
        """List a hand."""
        held = [(int(n), self.card(kind)) for kind, n in enumerate(counts[: len(self.ids)]) if n]
        named = [card if n == 1 else f"{n} x {card}" for n, card in held]
        return ", ".join(named) or "nothing"

    def told(self, what: str, values: tuple[int, ...], table: Any) -> str:
        """Return the sentence for what the rules told."""
        if what == "setup":
            return f"Fashion: {self._fashion(table)}."
        if what in ("turn", "skipped", "sale", "merchant", "turned_up", "too_old"):
            return self._course(what, values)
        if what == "cancelled":
            return f"A King cancels the sale of {a.TYPES[values[0]]}."
        if what == "tied":
            gem, most = values
            return f"Nobody sells {a.TYPES[gem]}: several show {most}."
        seat, *rest = values
        return f"Seat {seat} {self._does(what, seat, rest, table)}."

    def _course(self, what: str, values: tuple[int, ...]) -> str:
        if what == "turn":
            return f"Turn {values[0]}, seat {values[1]}."
        if what == "skipped":
            return f"Seat {values[0]} has nothing to do: deck and market are empty."
        if what == "sale":
            return f"The {ORDINALS[values[0] - 1]} sale, in turn {values[1]}."
        if what == "merchant":
            return "A merchant appears."
        if what == "turned_up":
            return f"Turned up at place {values[0]}: {self._offer(values[1], 0)}."
        return f"Gone from the market: {self.card(values[0])}."

    def _does(self, what: str, seat: int, rest: list[int], table: Any) -> str:
        if what == "stolen":
            return f"takes a card of seat {rest[0]} at random"
        if what in ("dealt", "draws", "gets", "sees"):
            return self._whispered(what, rest)
        if what == "takes":
            kind, price, left = rest
            paid = f"for {_count(price, 'ducat')}, with {left} left" if price else "for nothing"
            return f"takes {self.card(kind)} {paid}"
        if what == "caught":
            return f"draws the Musketeers of seat {rest[0]}, which are discarded"
        if what == "has_none":
            return f"has no {a.TYPES[rest[0]]}"
        if what == "looks":
            return f"looks at the hand of seat {rest[0]}"
        if what == "fashion":
            return f"changes the fashion: {self._fashion(table)}"
        if what == "lost":
            return f"ends the purchase, {_count(rest[0], 'ducat')} unspent"
        if what == "revealed":
            return f"shows {self._display(seat, table)}"
        if what == "sold":
            gem, most, base, points = rest
            gems = _count(most, a.TYPES[gem])
            return f"sells {gems} for {points} (base value {base}) and has {table.points[seat]}"
        if what == "bounty":
            return f"has {rest[1]} points from the bank for a King under the Queen's Necklace"
        if what == "turned":
            return f"shows {self._display(seat, table)} now"
        number = rest[0] if rest else 0
        return {
            "replaced": "is dealt an Astrologer, which is replaced",
            "astrologer": f"discards an Astrologer and draws {_count(number, 'card')}",
            "delayed": "will hold the sale at the end of its next turn",
        }[what]

    def _whispered(self, what: str, rest: list[int]) -> str:
        card = self.card(rest[0])
        if what == "sees":
            return f"sees there {card}" + f", {rest[1]} such cards" * (rest[1] > 1)
        return f"{ {'dealt': 'is dealt', 'draws': 'draws', 'gets': 'has taken'}[what] } {card}"

    def _fashion(self, table: Any) -> str:
        pairs = zip((30, 20, 10, 0), table.fashion, strict=True)
        return ", ".join(f"{a.TYPES[int(gem)]} +{value}" for value, gem in pairs)

    def _offer(self, kind: int, step: int) -> str:
        return f"{self.card(kind)} for {_count(int(self.rules.price[kind, step]), 'ducat')}"

    def _display(self, seat: int, table: Any) -> str:
        parts = []
        for gem, name in enumerate(a.TYPES):
            laid = [
                _count(int(table.rings[seat, gem]), "Ring") * bool(table.rings[seat, gem]),
                _count(int(table.bankers[seat, gem]), "Banker") * bool(table.bankers[seat, gem]),
                _count(int(table.kings[seat, gem]), "King") * bool(table.kings[seat, gem]),
                "the Queen's Necklace" * self._protects(seat, gem, table),
            ]
            with_ = ", ".join(part for part in laid if part)
            if table.shown[seat, gem]:
                gems = _count(int(table.shown[seat, gem]), name)
                parts.append(gems + f" with {with_}" * bool(with_))
        return "; ".join(parts) or "nothing"

    def _protects(self, seat: int, gem: int, table: Any) -> bool:
        return bool(table.protected == gem and table.necklace == seat)

    def decision(self, table: Any, me: Any) -> str:
        """Say what is asked and of whom."""
        asked = self._asked(table, me)
        text = f"Seat {me.seat}: {asked} In hand: {self.hand(me.hand)}."
        for seat in range(int(table.players)):
            if seat != me.seat and table.hand_size[seat] > 0:
                text += f" Known of seat {seat}: {self._known(table, me, seat)}."
        if table.decision == a.PURCHASE:
            offers = [
                f"{place}: {self._offer(int(table.market[place]), int(table.steps[place]))}"
                for place in range(int(table.count))
            ]
            return f"{text} In the market: {'; '.join(offers) or 'nothing'}."
        return text

    def _known(self, table: Any, me: Any, seat: int) -> str:
        known, missing = me.known[seat], int(me.missing[seat])
        unseen = int(table.hand_size[seat]) - int(sum(known)) + missing
        text = self.hand(known) if sum(known) else ""
        if missing:
            text += f" ({_count(missing, 'card')} of these may be gone)"
        others = f"{_count(unseen, 'card')} unseen" * bool(unseen)
        return " and ".join(part for part in (text, others) if part)

    def _asked(self, table: Any, me: Any) -> str:
        ducats = _count(int(table.budget), "ducat")
        card, gem = self.card(int(me.kind)), a.TYPES[int(me.type)]
        return {
            a.INFLUENCE: "which card of influence?",
            a.MUSKETEERS: "show Musketeers against the attack?",
            a.FORGER_DISCARD: "which card goes?",
            a.PURCHASE: f"what to buy, with {ducats}?",
            a.CARDINAL: "delay the sale with a Cardinal?",
            a.SHOW: f"how many cards of {card} to show?",
            a.RING: f"how many rings on {gem}?",
            a.BANKER: f"how many Bankers on {gem}?",
            a.KING: "a King on which type?",
            a.NECKLACE: "the Queen's Necklace on which type?",
            a.ALCHEMIST: "turn a shown card into another type?",
        }[int(table.decision)]

    def chosen(self, me: Any, action: int) -> str:
        """Say what was chosen."""
        return f"Seat {me.seat} {DECLINED.get(action) or self._chosen(me, action)}."

    def _chosen(self, me: Any, action: int) -> str:
        decision = a.decision_of(action)
        code = action - a.FIRST[decision]
        if decision == a.INFLUENCE:
            return self._influences(action)
        if decision == a.FORGER_DISCARD:
            return f"discards {self.card(code)}"
        if decision == a.PURCHASE:
            if action >= a.TAKE:
                return f"plays the Queen and takes the card at place {action - a.TAKE}"
            return f"buys the card at place {action - a.BUY}"
        gem = a.TYPES[int(me.type)]
        if decision == a.SHOW:
            return f"will show {code} of {self.card(int(me.kind))}"
        if decision == a.RING:
            return f"lays {_count(code, 'ring')} on {gem}"
        if decision == a.BANKER:
            return f"lays {_count(code, 'Banker')} on {gem}"
        if decision == a.KING:
            return f"lays a King on {a.TYPES[code - 1]}"
        if decision == a.NECKLACE:
            return f"lays the Queen's Necklace on {a.TYPES[code - 1]}"
        if decision == a.ALCHEMIST:
            which, index = divmod(code - 1, 3)
            old, size = divmod(which, a.SIZES_OF_GEMS)
            new = [other for other in range(4) if other != old][index]
            gems = _count(size + 1, a.TYPES[old])
            return f"turns a card of {gems} into {a.TYPES[new]} with an Alchemist"
        return {a.PLAY_MUSKETEERS: "shows Musketeers: the attack has no effect"}.get(
            action, "plays a Cardinal"
        )

    def _influences(self, action: int) -> str:
        if action < a.PLAY_COURTESAN:
            return f"plays a Confessor on seat {action - a.PLAY_CONFESSOR}"
        if action == a.PLAY_COURTESAN:
            return f"plays a Courtesan: {int(self.rules.courtesan_bonus)} ducats more"
        if action < a.PLAY_SWAP:
            return f"plays a Favorite for {a.TYPES[action - a.PLAY_FAVORITE]}"
        if action < a.PLAY_FORGER:
            pair = action - a.PLAY_SWAP
            both = f"{a.TYPES[FIRST_OF_PAIR[pair]]} and {a.TYPES[SECOND_OF_PAIR[pair]]}"
            return f"plays a Favorite for {both}"
        if action < a.PLAY_FORGER_ANY:
            seat, gem = divmod(action - a.PLAY_FORGER, 4)
            return f"plays a Forger on seat {seat}, for {a.TYPES[gem]}"
        if action < a.PLAY_THIEF:
            return f"plays a Forger on seat {action - a.PLAY_FORGER_ANY}"
        return f"plays a Thief on seat {action - a.PLAY_THIEF}"

    def position(self, table: Any, scores: list[int]) -> str:
        """Draw the table in a few lines."""
        merchants = _count(int(table.merchants), "merchant")
        lines = [
            f"Turn {table.turn}, seat {table.seat}; sales held: {table.sales}; in the deck: "
            f"{_count(int(table.deck), 'card')} and {merchants}",
            f"  fashion: {self._fashion(table)}",
        ]
        if table.pending >= 0:
            lines.append(f"  a sale waits for the end of seat {table.pending}'s turn")
        for place in range(int(table.count)):
            offer = self._offer(int(table.market[place]), int(table.steps[place]))
            lines.append(f"  {place}: {offer}")
        for seat in range(int(table.players)):
            necklace = ", the Queen's Necklace among them" * bool(table.necklace == seat)
            cards = _count(int(table.hand_size[seat]), "card")
            lines.append(
                f"  seat {seat}: {_count(scores[seat], 'point')}; {cards} in hand{necklace}"
            )
        return "\n".join(lines)
