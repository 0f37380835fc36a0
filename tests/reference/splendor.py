"""A slow, obvious referee of Splendor, written from RULES.md alone.

It is the plain twin of the fast game: it shuffles nothing, is told which cards came into play, and
checks for itself that they could. Read it next to RULES.md; every method names the section it
plays. Whatever has one legal action is carried out unasked.

Where RULES.md leaves room, this was decided:

1.  A turn is counted when it ends, after the noble and the score check; a pass is a turn, too.
    With `no_move=abort` the stuck player's turn never happens and is not counted.
2.  Every token paid or returned moves to the bank at once, one by one, also while the player is
    still being asked. A card bought leaves its place, gives its bonus and points, and is refilled
    only after the last token is paid (section 4.1 says "pay, place card, ..., refill").
3.  Units of one colour are asked one by one even where other answers reach the same payment
    (white then gold, or gold then white). After each answer the rest must still be payable.
4.  A game can end for several reasons at the end of one turn. The end flag comes first
    (`finished`), then the stalemate, then the cap on turns (`truncated`).
5.  A stalemate ends the game at once, at the end of the last of `players` passes in a row, even
    within a round, even if that pass brought a noble or the end flag waits for the round's end.
6.  After a pass the noble check and the score check still run (section 6, no_move).
7.  `no_move=abort` is scored and ranked like an ordinary end ("ends at once, scored"); the "no
    winner" of the table in section 6 is read as a matter of reporting.
8.  The cap asks each seat for `max_turns` turns and only looks when a round is complete.
9.  One colour left with 4 or more tokens allows both: one token (`up_to_available`) or two.
10. `exactly_three` forbids fewer than three different colours, not two of one colour.
11. Scores and ranks stand as of now also in mid-game; nothing but bought cards and nobles counts.
12. Own data files may hold fewer cards or nobles than places: those places are empty from the
    start, and fewer nobles are revealed.
13. A noble is worth the points of its row (3 each in the base game).
14. `reserved_memory` changes nothing but what `public()` says: with `hidden`, no identity of a
    reserved card is public; its level always is.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

COLOURS = ("white", "blue", "green", "red", "black")
GOLD = "gold"
TOKENS = (*COLOURS, GOLD)
LEVELS = (1, 2, 3)
PLACES = (1, 2, 3, 4)
TOKENS_PER_COLOUR = {2: 4, 3: 5, 4: 7}
GOLD_TOKENS = 5
MOST_TOKENS = 10
MOST_RESERVED = 3
DATA = Path(__file__).resolve().parents[2] / "simlab" / "games" / "splendor"
ALLOWED = {
    "tie_break": ("fewest_cards", "shared"),
    "take_different": ("up_to_available", "exactly_three", "one_to_three"),
    "payment": ("auto_min_gold", "free_choice"),
    "no_move": ("forced_pass", "abort"),
    "reserved_memory": ("perfect", "hidden"),
}


@dataclass(frozen=True)
class Card:
    """One row of the card file (section 1)."""

    id: str
    level: int
    bonus: str
    points: int
    cost: dict[str, int]


@dataclass(frozen=True)
class Noble:
    """One row of the noble file (section 1)."""

    id: str
    points: int
    asks: dict[str, int]


@dataclass(frozen=True)
class Reserved:
    """A card in a player's hand (section 3)."""

    card: Card
    blind: bool


@dataclass
class Seat:
    """What one player has (section 3)."""

    tokens: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TOKENS, 0))
    bonuses: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COLOURS, 0))
    bought: list[Card] = field(default_factory=list)
    reserved: list[Reserved] = field(default_factory=list)
    nobles: list[Noble] = field(default_factory=list)
    reserved_seen: int = 0
    reserved_blind: int = 0
    gold_used: int = 0
    returned: int = 0
    turns: int = 0

    def place(self, card: Card) -> None:
        """Lay down a bought card: only these give bonuses (section 8)."""
        self.bought.append(card)
        self.bonuses[card.bonus] += 1

    def held(self) -> int:
        """Count all tokens, gold too (section 4.2, step 1)."""
        return sum(self.tokens.values())

    def card_points(self) -> int:
        return sum([card.points for card in self.bought])

    def noble_points(self) -> int:
        return sum(noble.points for noble in self.nobles)

    def points(self) -> int:
        """Add up cards and nobles (section 3)."""
        return self.card_points() + self.noble_points()


class Referee:
    """One game of Splendor; `play` takes one decision after the other.

    Args:
        players: number of seats, 2 to 4.
        rules: a value for every key of section 6; "cards" and "nobles" are the rows of the files
            (read from the game's folder where they are absent).
        decks: under "level1", "level2", "level3" and "nobles" one list each of ids in the order in
            which they come into play: at least those drawn.

    Raises:
        ValueError: on an unknown rule value, on a card that cannot come up or comes up twice, when
            a list is too short for what happened, and on a word that is not legal.
    """

    def __init__(self, players: int, rules: dict[str, Any], decks: dict[str, Any]) -> None:
        _check_rules(players, rules)
        self._rules = rules
        self._players = players
        self._cards = _read_cards(rules)
        self._nobles = _read_nobles(rules)
        self._listed = {level: list(decks[f"level{level}"][0]) for level in LEVELS}
        self._drawn: dict[int, list[Card]] = {level: [] for level in LEVELS}
        self._printed = {level: self._count_cards(level) for level in LEVELS}
        self._bank = dict.fromkeys(COLOURS, TOKENS_PER_COLOUR[players]) | {GOLD: GOLD_TOKENS}
        self._market = {(level, place): self._refill(level) for level in LEVELS for place in PLACES}
        self._revealed = self._reveal_nobles(list(decks["nobles"][0]))
        self._seats = [Seat() for _ in range(players)]
        self._mover = 0
        self._step = "main"
        self._purchase: Card | None = None  # the card being paid for
        self._open: dict[str, int] = {}  # its needs not paid yet, by colour
        self._end_flag = False
        self._passes = 0  # passes in a row
        self._end_reason: str | None = None
        self._words: set[str] | None = None  # what is legal, once it was worked out
        self._run_to_next_decision()

    # ---- what the outside sees ----

    @property
    def finished(self) -> bool:
        """Whether the game is over (section 5)."""
        return self._end_reason is not None

    @property
    def end_reason(self) -> str | None:
        """One of "finished", "truncated", "stalemate", "aborted" (section 6); None before."""
        return self._end_reason

    @property
    def to_move(self) -> int | None:
        """The seat asked now."""
        return None if self.finished else self._mover

    @property
    def decision(self) -> str | None:
        """What is asked now: "main", "pay", "return" or "noble"."""
        return None if self.finished else self._step

    @property
    def turns(self) -> list[int]:
        """Turns ended so far, by seat."""
        return [seat.turns for seat in self._seats]

    @property
    def scores(self) -> list[int]:
        """Points of bought cards and nobles, by seat (section 3)."""
        return [seat.points() for seat in self._seats]

    @property
    def ranks(self) -> list[int]:
        """Places after the tie-break (section 5); equals share the smaller number."""
        keys = [self._rank_key(seat) for seat in self._seats]
        return [1 + sum(other > key for other in keys) for key in keys]

    def _rank_key(self, seat: Seat) -> tuple[int, int]:
        """More is better: points, then fewest bought cards if so ruled (section 6)."""
        fewest = self._rules["tie_break"] == "fewest_cards"
        return seat.points(), -len(seat.bought) if fewest else 0

    def columns(self) -> dict[str, list[int]]:
        """What each seat did so far, by kind."""
        rows = [_columns(seat) for seat in self._seats]
        return {name: [row[name] for row in rows] for name in rows[0]}

    def public(self) -> dict[str, Any]:
        """What everybody at the table knows (section 7)."""
        return {
            "bank": dict(self._bank),
            "market": {
                f"L{level}-{place}": card.id if card else None
                for (level, place), card in self._market.items()
            },
            "decks": {level: self._deck_size(level) for level in LEVELS},
            "nobles": [noble.id if noble else None for noble in self._revealed],
            "tokens": [dict(seat.tokens) for seat in self._seats],
            "bonuses": [dict(seat.bonuses) for seat in self._seats],
            "bought": [sorted(card.id for card in seat.bought) for seat in self._seats],
            "reserved": [[self._known(place) for place in seat.reserved] for seat in self._seats],
            "taken_nobles": [[noble.id for noble in seat.nobles] for seat in self._seats],
            "points": self.scores,
            "end_flag": self._end_flag,
        }

    def _known(self, place: Reserved) -> tuple[int, str | None]:
        """What everybody knows of a reserved card: its level, perhaps which it is (section 7)."""
        forgotten = self._rules["reserved_memory"] == "hidden"
        return place.card.level, None if place.blind or forgotten else place.card.id

    def hands(self) -> list[list[str]]:
        """The ids of all reserved cards, by seat, in the order reserved: not public (section 7)."""
        return [[place.card.id for place in seat.reserved] for seat in self._seats]

    def legal(self) -> set[str]:
        """All words that may be played now."""
        if self.finished:
            return set()
        if self._words is None:
            options = {
                "main": self._main_words,
                "pay": self._pay_words,
                "return": self._return_words,
                "noble": self._noble_words,
            }
            self._words = options[self._step]()
        return set(self._words)

    def play(self, word: str) -> None:
        """Carry out one decision, then all that follows from it unasked."""
        if word not in self.legal():
            raise ValueError(f"{word!r} is not legal now; legal: {sorted(self.legal())}")
        self._carry_out(word)
        self._run_to_next_decision()

    # ---- the course of a turn (section 4) ----

    def _run_to_next_decision(self) -> None:
        """Carry out what has a single legal action, skip what has none."""
        while not self.finished:
            words = self.legal()
            if len(words) > 1:
                return
            if len(words) == 1:
                self._carry_out(words.pop())
            else:
                self._leave_step()

    def _leave_step(self) -> None:
        """There is nothing (more) to do in this step (section 4.2)."""
        self._words = None
        if self._step == "main":
            self._end_reason = "aborted"  # section 6, no_move=abort
        elif self._step == "pay":
            self._complete_purchase()
            self._step = "return"
        elif self._step == "return":
            self._step = "noble"
        else:
            self._end_turn()

    def _carry_out(self, word: str) -> None:
        """Carry out one legal word."""
        self._words = None
        kind, *rest = word.split()
        if kind == "return":
            self._return(rest[0])
        elif kind == "pay":
            self._pay(rest[0])
        elif kind == "noble":
            self._take_noble(rest[0])
            self._end_turn()
        else:
            self._passes = self._passes + 1 if kind == "pass" else 0
            self._step = "return"
            if kind == "take":
                self._take(rest)
            elif kind == "reserve":
                self._reserve(rest)
            elif kind == "buy":
                self._start_purchase(self._cards[rest[0]])

    def _end_turn(self) -> None:
        """Check the score, then whether the game ends here (sections 4.2, 5 and 6)."""
        self._me().turns += 1
        if self._me().points() >= self._rules["target"]:
            self._end_flag = True
        round_complete = self._mover == self._players - 1
        if round_complete and self._end_flag:
            self._end_reason = "finished"
        elif self._passes >= self._players:
            self._end_reason = "stalemate"
        elif round_complete and min(self.turns) >= self._rules["max_turns"]:
            self._end_reason = "truncated"
        else:
            self._mover = (self._mover + 1) % self._players
            self._step = "main"

    def _me(self) -> Seat:
        """The player whose turn it is."""
        return self._seats[self._mover]

    # ---- main actions (section 4.1) ----

    def _main_words(self) -> set[str]:
        """All main actions; the pass only if there is no other (section 6, no_move)."""
        words = self._take_words() | self._reserve_words() | self._buy_words()
        if not words and self._rules["no_move"] == "forced_pass":
            return {"pass"}
        return words

    def _take_words(self) -> set[str]:
        """Some different colours, or two of one colour of which there are four."""
        available = [colour for colour in COLOURS if self._bank[colour] >= 1]
        sets = [
            chosen
            for size in self._take_sizes(available)
            for chosen in combinations(available, size)
        ]
        sets += [(colour, colour) for colour in COLOURS if self._bank[colour] >= 4]
        return {"take " + " ".join(chosen) for chosen in sets}

    def _take_sizes(self, available: list[str]) -> list[int]:
        """How many different colours may be taken (section 6, take_different)."""
        if self._rules["take_different"] == "exactly_three":
            return [3]
        if self._rules["take_different"] == "one_to_three":
            return [1, 2, 3]
        return [min(3, len(available))] if available else []

    def _take(self, colours: list[str]) -> None:
        for colour in colours:
            self._bank[colour] -= 1
            self._me().tokens[colour] += 1

    def _reserve_words(self) -> set[str]:
        """Any card of the market, or the top one of a deck; three in hand are the most."""
        if len(self._me().reserved) >= MOST_RESERVED:
            return set()
        open_cards = {f"reserve {self._lying_on(slot).id}" for slot in self._filled()}
        return open_cards | {f"reserve blind {n}" for n in LEVELS if self._deck_size(n) > 0}

    def _reserve(self, what: list[str]) -> None:
        """Take the card, then a gold token if there is one, then refill (section 4.1)."""
        me = self._me()
        if what[0] == "blind":
            me.reserved.append(Reserved(self._draw(int(what[1])), blind=True))
            me.reserved_blind += 1
            self._take_gold()
        else:
            slot = self._slot_of(self._cards[what[0]])
            me.reserved.append(Reserved(self._lying_on(slot), blind=False))
            me.reserved_seen += 1
            self._take_gold()
            self._market[slot] = self._refill(slot[0])

    def _take_gold(self) -> None:
        """Reserving gives a gold token only while the bank has one (section 6)."""
        if self._bank[GOLD] >= 1:
            self._take([GOLD])

    # ---- buying and paying (section 4.1) ----

    def _buy_words(self) -> set[str]:
        """All cards of the market and of the own hand that can be paid."""
        cards = [self._lying_on(slot) for slot in self._filled()]
        cards += [place.card for place in self._me().reserved]
        return {f"buy {card.id}" for card in cards if self._affordable(card)}

    def _needs(self, card: Card) -> dict[str, int]:
        """What is left of the cost after bonuses, never below 0."""
        bonuses = self._me().bonuses
        return {c: max(0, cost - bonuses[c]) for c, cost in card.cost.items()}

    def _affordable(self, card: Card) -> bool:
        return self._payable(self._needs(card), self._me().tokens)

    def _payable(self, needs: dict[str, int], tokens: dict[str, int]) -> bool:
        """Whether gold covers all that coloured tokens do not."""
        return sum([max(0, need - tokens[c]) for c, need in needs.items()]) <= tokens[GOLD]

    def _start_purchase(self, card: Card) -> None:
        self._open = self._needs(card)
        self._purchase = card
        self._step = "pay"

    def _next_need(self) -> str | None:
        """The first colour, in order, of which something is still to be paid."""
        return next((colour for colour in COLOURS if self._open[colour] > 0), None)

    def _pay_words(self) -> set[str]:
        """How the next unit may be paid (section 6, payment)."""
        colour = self._next_need()
        if colour is None:
            return set()
        able = [token for token in (colour, GOLD) if self._can_pay_with(token)]
        if self._rules["payment"] == "auto_min_gold":
            able = able[:1]  # the own coloured token first
        return {f"pay {token}" for token in able}

    def _can_pay_with(self, token: str) -> bool:
        """Whether the next unit can be paid with this token and the rest is payable after that."""
        tokens = dict(self._me().tokens)
        needs = dict(self._open)
        colour = self._next_need()
        assert colour is not None
        if tokens[token] == 0:
            return False
        tokens[token] -= 1
        needs[colour] -= 1
        return self._payable(needs, tokens)

    def _pay(self, token: str) -> None:
        """Pay one unit; the token returns to the bank."""
        colour = self._next_need()
        assert colour is not None
        self._open[colour] -= 1
        self._me().tokens[token] -= 1
        self._bank[token] += 1
        if token == GOLD:
            self._me().gold_used += 1

    def _complete_purchase(self) -> None:
        """Place the paid card; a place in the market is refilled at once (section 4.3)."""
        card, me = self._purchase, self._me()
        assert card is not None
        me.place(card)
        if any(place.card == card for place in me.reserved):
            me.reserved = [place for place in me.reserved if place.card != card]
        else:
            slot = self._slot_of(card)
            self._market[slot] = self._refill(slot[0])
        self._purchase = None

    # ---- the end of a turn (section 4.2) ----

    def _return_words(self) -> set[str]:
        """Above ten tokens one of any kind held must go back."""
        if self._me().held() <= MOST_TOKENS:
            return set()
        return {f"return {token}" for token in TOKENS if self._me().tokens[token] >= 1}

    def _return(self, token: str) -> None:
        self._me().tokens[token] -= 1
        self._bank[token] += 1
        self._me().returned += 1

    def _noble_words(self) -> set[str]:
        """All revealed nobles whose every requirement the bonuses meet; one must be taken."""
        return {
            f"noble {noble.id}"
            for noble in self._revealed
            if noble and all(self._me().bonuses[c] >= noble.asks[c] for c in COLOURS)
        }

    def _take_noble(self, noble_id: str) -> None:
        """The tile goes to the player; its place stays empty."""
        noble = self._nobles[noble_id]
        self._me().nobles.append(noble)
        self._revealed[self._revealed.index(noble)] = None

    # ---- market and decks (sections 2 and 4.3) ----

    def _filled(self) -> list[tuple[int, int]]:
        """All places of the market where a card lies."""
        return [slot for slot, card in self._market.items() if card is not None]

    def _lying_on(self, slot: tuple[int, int]) -> Card:
        card = self._market[slot]
        assert card is not None
        return card

    def _slot_of(self, card: Card) -> tuple[int, int]:
        """The place of the market where a card lies."""
        return next(slot for slot, lying in self._market.items() if lying == card)

    def _deck_size(self, level: int) -> int:
        """How many cards the deck of a level still holds."""
        return self._printed[level] - len(self._drawn[level])

    def _count_cards(self, level: int) -> int:
        """How many cards of a level the box holds."""
        return sum(card.level == level for card in self._cards.values())

    def _refill(self, level: int) -> Card | None:
        """The card for an empty place, if the deck has one."""
        return self._draw(level) if self._deck_size(level) > 0 else None

    def _draw(self, level: int) -> Card:
        """Take the next listed card out of the deck, if it can be there."""
        drawn = self._drawn[level]
        where = f"level {level}, card {len(drawn) + 1}"
        if len(drawn) >= len(self._listed[level]):
            raise ValueError(f"{where}: a card must be drawn, but none is listed")
        card_id = self._listed[level][len(drawn)]
        card = self._cards.get(card_id)
        if card is None or card.level != level or card in drawn:
            raise ValueError(f"{where}: {card_id!r} is not in the deck now")
        drawn.append(card)
        return card

    def _reveal_nobles(self, listed: list[str]) -> list[Noble | None]:
        """Lay out one noble more than there are players (section 2)."""
        count = min(self._players + 1, len(self._nobles))
        shown = listed[:count]
        if len(shown) < count or len(set(shown)) < count or not set(shown) <= set(self._nobles):
            raise ValueError(f"{count} different nobles must be revealed, but {shown} are listed")
        return [self._nobles[noble_id] for noble_id in shown]


def _columns(seat: Seat) -> dict[str, int]:
    """All figures of one seat."""
    levels = [card.level for card in seat.bought]
    return {
        "card_points": seat.card_points(),
        "noble_points": seat.noble_points(),
        "nobles": len(seat.nobles),
        "cards_1": levels.count(1),
        "cards_2": levels.count(2),
        "cards_3": levels.count(3),
        "reserved_seen": seat.reserved_seen,
        "reserved_blind": seat.reserved_blind,
        "gold_used": seat.gold_used,
        "returned": seat.returned,
        "turns": seat.turns,
    }


def _check_rules(players: int, rules: dict[str, Any]) -> None:
    """Refuse what sections 2 and 6 do not list."""
    if players not in TOKENS_PER_COLOUR:
        raise ValueError(f"players={players}; allowed: 2 to 4")
    for key, values in ALLOWED.items():
        if rules.get(key) not in values:
            raise ValueError(f"{key}={rules.get(key)!r}; allowed: {values}")
    for key in ("target", "max_turns"):
        if not isinstance(rules.get(key), int) or rules[key] < 1:
            raise ValueError(f"{key}={rules.get(key)!r}; allowed: 1 and more")


def _rows(rules: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The given rows of a data file, or those of the file in the game's folder."""
    if rules.get(name) is not None:
        return list(rules[name])
    with (DATA / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _read_cards(rules: dict[str, Any]) -> dict[str, Card]:
    """The cards by id (section 1)."""
    cards: dict[str, Card] = {}
    for row in _rows(rules, "cards"):
        card_id, level, bonus = row["card_id"], int(row["level"]), row["bonus"]
        if card_id in cards or level not in LEVELS or bonus not in COLOURS:
            raise ValueError(f"card {card_id!r}: listed twice, or its level or bonus is unknown")
        cost = {colour: int(row[f"cost_{colour}"]) for colour in COLOURS}
        cards[card_id] = Card(card_id, level, bonus, int(row["points"]), cost)
    return cards


def _read_nobles(rules: dict[str, Any]) -> dict[str, Noble]:
    """The nobles by id (section 1)."""
    nobles: dict[str, Noble] = {}
    for row in _rows(rules, "nobles"):
        if row["noble_id"] in nobles:
            raise ValueError(f"noble {row['noble_id']!r} is listed twice")
        asks = {colour: int(row[f"req_{colour}"]) for colour in COLOURS}
        nobles[row["noble_id"]] = Noble(row["noble_id"], int(row["points"]), asks)
    return nobles
