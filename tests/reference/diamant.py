"""A slow, obvious referee of Diamant, written from RULES.md alone.

It is the plain twin of the fast game: it shuffles nothing, is told which cards came up, and checks
for itself that they could. Read it next to RULES.md; every method names the section it plays.
"""

from collections import Counter
from dataclasses import dataclass

LEAVE = "leave"
STAY = "stay"
COLUMNS = ("shares", "leftovers", "relic_gems", "relics", "accidents", "cards", "alone")
ALLOWED = {
    "relic_entry": ("all", "one_per_expedition", "none"),
    "relic_value": ("by_order", "printed"),
    "relic_unclaimed": ("removed", "returned"),
    "trap_removal": ("all_revealed", "trigger", "pair", "none"),
    "leftover_split": ("pooled", "per_card"),
    "tie_break": ("shared", "most_relics"),
    "explorers": (1, 2),
}


@dataclass(frozen=True)
class Card:
    """One row of the card file (RULES.md section 1)."""

    id: str
    category: str  # "treasure", "trap" or "relic"
    subtype: str  # the trap type of a trap
    value: int  # gems of a treasure, or the printed value of a relic; 0 where the rules need none
    copies: int


@dataclass
class Place:
    """One card lying on the path (RULES.md section 3)."""

    card: Card
    gems: int = 0  # leftover gems on the card
    relic: bool = False  # an untaken relic lies here
    trigger: bool = False  # this trap caused the accident


class Referee:
    """One game of Diamant; `play` takes one explorer's secret choice after the other.

    Args:
        players: number of seats.
        rules: a value for every key of RULES.md section 6, and "cards", the rows of the card file.
        decks: under "expedition" one list of card ids per expedition, in order: those turned up,
            no more.

    Raises:
        ValueError: on an unknown rule value, on a card that cannot be in the deck when it comes up,
            and when a list is too short or too long for what happened.
    """

    def __init__(self, players: int, rules: dict, decks: dict[str, list[list[str]]]) -> None:
        _check_rules(players, rules)
        self._rules = rules
        self._players = players
        self._drawn = [list(ids) for ids in decks["expedition"]]
        if any(self._drawn[rules["expeditions"] :]):
            raise ValueError(f"cards are recorded after expedition {rules['expeditions']}")
        self._cards = _read_cards(rules)
        self._relics_to_enter = self._relic_ids()
        self._columns = {name: [0] * players for name in COLUMNS}
        self._chest = [0] * players
        self._recovered = 0
        self._finished = False
        self._deck = self._first_deck()
        self._expedition = 0
        self._path: list[Place] = []
        self._inside: list[int] = []
        self._carried: list[int] = []
        self._choices: dict[int, str] = {}
        self._start_expedition()
        self._run_to_next_decision()

    # ---- what the outside sees ----

    @property
    def finished(self) -> bool:
        """Whether the last expedition is over (RULES.md section 5)."""
        return self._finished

    @property
    def to_move(self) -> int | None:
        """The seat asked now: the lowest explorer inside who has not chosen yet."""
        return None if self._finished else self._seat(self._asked())

    @property
    def decision(self) -> str | None:
        """The one kind of decision there is (RULES.md section 3, step 2)."""
        return None if self._finished else "leave_or_stay"

    @property
    def scores(self) -> list[int]:
        """Gems in the chest, by seat (RULES.md section 5)."""
        return list(self._chest)

    @property
    def ranks(self) -> list[int]:
        """Places after the tie-break of RULES.md section 6; equals share the smaller number."""
        keys = [self._rank_key(seat) for seat in range(self._players)]
        return [1 + sum(other > key for other in keys) for key in keys]

    def legal(self) -> set[str]:
        """Whoever is inside may always do either (RULES.md section 3, step 2)."""
        return set() if self._finished else {LEAVE, STAY}

    def columns(self) -> dict[str, list[int]]:
        """What each seat's explorers brought out so far, counted when they come out, by kind."""
        return {name: list(values) for name, values in self._columns.items()}

    def public(self) -> dict:
        """What everybody at the table knows (RULES.md section 8)."""
        leftovers = [place.gems for place in self._path]
        return {
            "expedition": self._expedition,
            "path": [place.card.id for place in self._path],
            "inside": sorted(self._inside),
            "carried": list(self._carried),
            "leftover": sum(leftovers),
            "leftovers": leftovers,
            "relics_on_path": sum(place.relic for place in self._path),
            "relics_recovered": self._recovered,
            "deck": {card_id: count for card_id, count in self._deck.items() if count},
        }

    def play(self, word: str) -> None:
        """Note one secret choice; when all have chosen, resolve (RULES.md section 3)."""
        if word not in self.legal():
            raise ValueError(f"{word!r} is not legal now; legal: {sorted(self.legal())}")
        self._choices[self._asked()] = word
        if len(self._choices) < len(self._inside):
            return
        leavers = [explorer for explorer in self._inside if self._choices[explorer] == LEAVE]
        self._choices = {}
        if leavers:
            self._go_home(leavers)
        self._run_to_next_decision()

    # ---- seats and explorers ----

    def _seat(self, explorer: int) -> int:
        """The seat an explorer belongs to (RULES.md section 6, two-player variant)."""
        return explorer // self._rules["explorers"]

    def _asked(self) -> int:
        """The lowest explorer inside whose choice is still missing."""
        return min(explorer for explorer in self._inside if explorer not in self._choices)

    def _count(self, column: str, explorer: int, amount: int = 1) -> None:
        """Add to a column of the explorer's seat."""
        self._columns[column][self._seat(explorer)] += amount

    def _bank(self, column: str, explorer: int, gems: int) -> None:
        """Put gems into the chest, once, and note where they came from (RULES.md section 3)."""
        self._chest[self._seat(explorer)] += gems
        self._count(column, explorer, gems)

    def _rank_key(self, seat: int) -> tuple[int, int]:
        """More is better: chest, then relics if so ruled (RULES.md section 6, tie_break)."""
        most_relics = self._rules["tie_break"] == "most_relics"
        return self._chest[seat], self._columns["relics"][seat] if most_relics else 0

    # ---- the deck ----

    def _relic_ids(self) -> list[str]:
        """All relics, copies written out, in the order of the card file."""
        relics = [card for card in self._cards.values() if card.category == "relic"]
        return [card.id for card in relics for _ in range(card.copies)]

    def _first_deck(self) -> Counter[str]:
        """The draw deck before any relic enters one by one (RULES.md section 2)."""
        deck: Counter[str] = Counter()
        for card in self._cards.values():
            if card.category != "relic" or self._rules["relic_entry"] == "all":
                deck[card.id] = card.copies
        return deck

    def _deck_is_empty(self) -> bool:
        """Whether no card is left to turn up (RULES.md section 7)."""
        return sum(self._deck.values()) == 0

    def _draw(self) -> Card:
        """Take the next recorded card out of the deck, if it can be there."""
        step = len(self._path)
        where = f"expedition {self._expedition}, card {step + 1}"
        drawn = self._recorded()
        if step >= len(drawn):
            raise ValueError(f"{where}: a card must be turned up, but none is recorded")
        card_id = drawn[step]
        if self._deck[card_id] == 0:
            raise ValueError(f"{where}: {card_id!r} is not in the deck now")
        self._deck[card_id] -= 1
        return self._cards[card_id]

    def _recorded(self) -> list[str]:
        """The recorded cards of the present expedition; none if it was never recorded."""
        here = self._expedition - 1
        return self._drawn[here] if here < len(self._drawn) else []

    # ---- one expedition ----

    def _start_expedition(self) -> None:
        """Everybody enters with nothing (RULES.md section 3); perhaps a relic joins the deck."""
        self._expedition += 1
        if self._rules["relic_entry"] == "one_per_expedition":
            newcomers = self._relics_to_enter[self._expedition - 1 : self._expedition]
            self._deck.update(newcomers)
        explorers = self._players * self._rules["explorers"]
        self._path = []
        self._inside = list(range(explorers))
        self._carried = [0] * explorers
        self._choices = {}

    def _run_to_next_decision(self) -> None:
        """Turn up cards until somebody must choose or the game is over (RULES.md section 3).

        Whoever stayed when the deck is exhausted comes home as one more batch (section 7).
        """
        while not self._finished:
            if not self._inside:
                self._end_expedition()
            elif self._deck_is_empty():
                self._go_home(list(self._inside))
            else:
                self._reveal()
                if self._inside:
                    return

    def _reveal(self) -> None:
        """Turn up one card and carry it out (RULES.md section 3, step 1)."""
        place = Place(self._draw())
        self._path.append(place)
        if place.card.category == "trap" and self._seen(place.card.subtype) == 2:
            self._accident(place)
            return
        if place.card.category == "treasure":
            self._share_treasure(place)
        elif place.card.category == "relic":
            place.relic = True

    def _seen(self, trap_type: str) -> int:
        """Traps of one type on the path."""
        cards = [place.card for place in self._path]
        return sum(card.category == "trap" and card.subtype == trap_type for card in cards)

    def _share_treasure(self, place: Place) -> None:
        """Share equally; the remainder stays on the card (RULES.md section 3, step 1)."""
        each, place.gems = divmod(place.card.value, len(self._inside))
        for explorer in self._inside:
            self._carried[explorer] += each

    def _accident(self, place: Place) -> None:
        """Everybody inside loses what they carry and is out (RULES.md section 3, step 1)."""
        place.trigger = True
        for explorer in self._inside:
            self._count("accidents", explorer)
            self._count("cards", explorer, len(self._path) - 1)
            self._carried[explorer] = 0
        self._inside = []

    # ---- going home ----

    def _go_home(self, leavers: list[int]) -> None:
        """One batch of leavers secures its gems (RULES.md section 3, step 3, and section 7)."""
        share = self._take_leftovers(len(leavers))
        for explorer in leavers:
            self._bank("shares", explorer, self._carried[explorer])
            self._bank("leftovers", explorer, share)
            self._count("cards", explorer, len(self._path))
            self._carried[explorer] = 0
        if len(leavers) == 1:
            self._count("alone", leavers[0])
            self._take_relics(leavers[0])
        self._inside = [explorer for explorer in self._inside if explorer not in leavers]

    def _take_leftovers(self, leavers: int) -> int:
        """Take the leavers' equal shares off the path; return one share (RULES.md section 6)."""
        if self._rules["leftover_split"] == "pooled":
            return self._take_pooled(leavers)
        share = 0
        for place in self._path:
            each, place.gems = divmod(place.gems, leavers)
            share += each
        return share

    def _take_pooled(self, leavers: int) -> int:
        """Share the sum; gems go off the first cards first, so the rest lies on the last ones."""
        share = sum(place.gems for place in self._path) // leavers
        to_take = share * leavers
        for place in self._path:
            taken = min(place.gems, to_take)
            place.gems -= taken
            to_take -= taken
        return share

    def _take_relics(self, explorer: int) -> None:
        """A lone leaver takes every relic on the path, one after the other (RULES.md section 3)."""
        for place in self._path:
            if place.relic:
                place.relic = False
                self._recovered += 1
                self._count("relics", explorer)
                self._bank("relic_gems", explorer, self._relic_value(place.card))

    def _relic_value(self, card: Card) -> int:
        """Gems for the relic just counted as recovered (RULES.md sections 3 and 6)."""
        if self._rules["relic_value"] == "printed":
            return card.value
        return 5 if self._recovered <= 3 else 10

    # ---- between expeditions ----

    def _end_expedition(self) -> None:
        """Clean up and enter the next cave, or finish (RULES.md sections 4 and 5)."""
        unused = self._recorded()[len(self._path) :]
        if unused:
            raise ValueError(f"expedition {self._expedition} is over, but {unused} still recorded")
        if self._expedition == self._rules["expeditions"]:
            self._finished = True
            return
        for place in self._path:
            if self._goes_back(place):
                self._deck[place.card.id] += 1
        self._start_expedition()

    def _goes_back(self, place: Place) -> bool:
        """Whether a path card is shuffled into the deck again (RULES.md sections 4 and 6)."""
        if place.card.category == "trap":
            return not self._trap_is_removed(place)
        if place.card.category == "relic":
            return place.relic and self._rules["relic_unclaimed"] == "returned"
        return True

    def _trap_is_removed(self, place: Place) -> bool:
        """Whether a trap turned up leaves the game (RULES.md section 6, trap_removal)."""
        removal = self._rules["trap_removal"]
        if removal == "all_revealed":
            return True
        if removal == "trigger":
            return place.trigger
        if removal == "pair":
            fatal = [other.card.subtype for other in self._path if other.trigger]
            return place.card.subtype in fatal
        return False


def _check_rules(players: int, rules: dict) -> None:
    """Refuse what RULES.md section 6 does not list."""
    for key, values in ALLOWED.items():
        if rules.get(key) not in values:
            raise ValueError(f"{key}={rules.get(key)!r}; allowed: {values}")
    if not 1 <= rules["expeditions"] <= 9:
        raise ValueError(f"expeditions={rules['expeditions']!r}; allowed: 1 to 9")
    if players < 1:
        raise ValueError(f"players={players}; at least one is needed")
    if rules["explorers"] == 2 and players != 2:
        raise ValueError("explorers=2 is a variant for two players only")


def _read_cards(rules: dict) -> dict[str, Card]:
    """The card rows by id, in the order of the card file (RULES.md section 1)."""
    cards: dict[str, Card] = {}
    for row in rules["cards"]:
        card_id, category, value = row["id"], row["category"], row["value"]
        if card_id in cards:
            raise ValueError(f"card {card_id!r} is listed twice")
        if category not in ("treasure", "trap", "relic"):
            raise ValueError(f"card {card_id!r}: unknown category {category!r}")
        if value is None and _needs_value(category, rules):
            raise ValueError(f"card {card_id!r} needs a value")
        cards[card_id] = Card(card_id, category, row["subtype"], value or 0, row["copies"])
    return cards


def _needs_value(category: str, rules: dict) -> bool:
    """Treasures always have a value, relics where the printed one is paid (RULES.md section 6)."""
    printed = rules["relic_value"] == "printed" and rules["relic_entry"] != "none"
    return category == "treasure" or (category == "relic" and printed)
