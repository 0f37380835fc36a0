"""What strategies of Splendor look at, worked out over plain lists: the twin of `view.py`.

Colours are 0 to 4, gold is 5; cards and nobles have their numbers. Where a tie may be broken either
way, the answer is a set. Everything follows sections 8 and 9 of RULES.md and reads the card files.
"""

from __future__ import annotations

import functools
import itertools
import random
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from simlab import Table
from simlab.core.records import MEMO_WORDS, plain_arithmetic
from simlab.core.registry import bind_for
from simlab.core.strategy import Player
from simlab.games.splendor import BUY, GAME, GIVE, GOLD, PAY, RESERVE, VISIT
from simlab.games.splendor.actions import COLOURS, TAKEN
from tests.games.splendor.boxes import cards_file, drawn_cards, drawn_nobles, nobles_file
from tests.harness import Spec

Word = Sequence[float]
WALKS = 18
OFTEN = {"main": 0.2, "return": 0.1, "pay": 1, "noble": 1}
PLAYERS = ["random", "greedy_buy", "straight_line", "linear_eval", "phase_plan"]


class Cards:
    """The cards and nobles of a rule book, read from the rows of its files."""

    def __init__(self, book: Any) -> None:
        rows = sorted(book.rows["cards"], key=lambda row: int(row["level"]))
        self.level = [int(row["level"]) for row in rows]
        self.bonus = [COLOURS.index(row["bonus"]) for row in rows]
        self.points = [int(row["points"]) for row in rows]
        self.cost = [[int(row[f"cost_{colour}"]) for colour in COLOURS] for row in rows]
        nobles = book.rows["nobles"]
        self.noble_points = [int(row["points"]) for row in nobles]
        self.wishes = [[int(row[f"req_{colour}"]) for colour in COLOURS] for row in nobles]


def best(found: Iterable[int], value: Callable[[int], Any], close: float = 0.0) -> set[int]:
    """Return those with the largest value; values that are no farther than `close` apart tie."""
    values = {one: value(one) for one in found}
    if not values:
        return set()
    most = max(values.values())
    return {
        one for one, worth in values.items() if worth == most or (close and worth > most - close)
    }


class Plain:
    """A position as a seat sees it. Methods are about that seat where no other is named."""

    def __init__(self, table: Table, seat: int, cards: Cards) -> None:
        public, me = table.public, table.private(seat)
        self.seat, self.players, self.cards = seat, table.players, cards
        self.decision, self.target = table.decision, int(table.book.values["target"])
        self.turn = int(public.turn)
        self.bank: list[int] = public.bank.tolist()[:6]
        self.tokens: list[list[int]] = [row[:6] for row in public.tokens.tolist()]
        self.bonuses: list[list[int]] = [row[:5] for row in public.bonuses.tolist()]
        self.points, self.bought = public.points.tolist(), public.bought.tolist()
        self.places = [*public.market.tolist(), *me.hand.tolist()[:3]]
        self.market = [card for card in self.places[:12] if card >= 0]
        self.hand = [card for card in self.places[12:] if card >= 0]
        self.aims = [*self.market, *self.hand]
        self.nobles = [tile for tile in public.nobles.tolist()[: table.players + 1] if tile >= 0]
        self.owed = public.owed.tolist()[:5]
        self.legal = {action.number for action in table.legal()}
        self.takes = {action for action in self.legal if action < len(TAKEN)}
        self.buys = {card for card in self.aims if BUY + card in self.legal}
        self.reserves = {card for card in self.market if RESERVE + card in self.legal}

    # -- prices

    def net(self, card: int, seat: int | None = None) -> list[int]:
        """Return what a card costs in each colour, bonuses taken off."""
        have = self.bonuses[self.seat if seat is None else seat]
        return [max(cost - own, 0) for cost, own in zip(self.cards.cost[card], have, strict=True)]

    def missing(self, card: int, seat: int | None = None) -> list[int]:
        """Return the tokens of each colour that are lacking, gold apart."""
        have = self.tokens[self.seat if seat is None else seat][:5]
        return [max(n - own, 0) for n, own in zip(self.net(card, seat), have, strict=True)]

    def miss(self, card: int, seat: int | None = None) -> int:
        """Return how many tokens are lacking, gold put in."""
        gold = self.tokens[self.seat if seat is None else seat][GOLD]
        return max(sum(self.missing(card, seat)) - gold, 0)

    def out_of_reach(self, card: int, seat: int | None = None) -> int:
        """Return the tokens that the bank and own gold do not have, or those above ten."""
        gold = self.tokens[self.seat if seat is None else seat][GOLD]
        lack = zip(self.missing(card, seat), self.bank[:5], strict=True)
        short = sum(max(wanted - there, 0) for wanted, there in lack) - gold
        return max(short, sum(self.net(card, seat)) - 10, 0)

    def turns_to(self, card: int, seat: int | None = None) -> int:
        """Return 1 + miss / 3 or 1 + the largest shortage (no more than miss), and 3 for each."""
        miss, missing = self.miss(card, seat), self.missing(card, seat)
        shortages = [-(-n // 2) if there >= 4 else n for n, there in zip(missing, self.bank)]  # noqa: B905
        turns = max(-(-miss // 3), min(max(shortages), miss))
        return 1 + turns + 3 * self.out_of_reach(card, seat)

    # -- nobles

    def gap(self, tile: int, seat: int | None = None) -> int:
        """Return the bonuses that are lacking for a noble."""
        have = self.bonuses[self.seat if seat is None else seat]
        return sum(max(n - own, 0) for n, own in zip(self.cards.wishes[tile], have, strict=True))

    def asking(self, card: int, seat: int | None = None) -> list[int]:
        """Return the nobles on the table that want one more of a card's bonus."""
        colour, have = self.cards.bonus[card], self.bonuses[self.seat if seat is None else seat]
        return [tile for tile in self.nobles if self.cards.wishes[tile][colour] > have[colour]]

    def noble_term(self, card: int, seat: int | None = None) -> float:
        """Return the sum of 1 / (1 + bonuses lacking) over the nobles that want a card's bonus."""
        return sum(1 / (1 + self.gap(tile, seat)) for tile in self.asking(card, seat))

    def noble_points(self, card: int, seat: int | None = None) -> int:
        """Return the points of the best noble that comes to who buys a card."""
        have = list(self.bonuses[self.seat if seat is None else seat])
        have[self.cards.bonus[card]] += 1
        come = [
            self.cards.noble_points[tile]
            for tile in self.nobles
            if all(n <= own for n, own in zip(self.cards.wishes[tile], have, strict=True))
        ]
        return max(come, default=0)

    # -- cards

    def best_buys(self) -> set[int]:
        """Return the cards to buy: most points, then fewest tokens."""
        return best(self.buys, lambda card: (self.cards.points[card], -sum(self.net(card))))

    def order(self, card: int) -> tuple[int, int, int]:
        """Return what sorts aims: miss, points, cost."""
        return self.miss(card), -self.cards.points[card], sum(self.cards.cost[card])

    def nearest(self, among: Iterable[int] | None = None) -> set[int]:
        """Return the aims that come first."""
        among = self.aims if among is None else among
        return best(among, lambda card: tuple(-part for part in self.order(card)))

    # -- tokens

    def demand(self) -> list[int]:
        """Return how many aims lack each colour."""
        lacking = [self.missing(card) for card in self.aims]
        return [sum(missing[colour] > 0 for missing in lacking) for colour in range(5)]

    def best_takes(self, weights: Word, first: Word) -> set[int]:
        """Return the legal takes whose tokens weigh most; two that `first` lacks half more."""

        def value(action: int) -> float:
            one, *more = TAKEN[action]
            if more == [one]:
                return weights[one] * (1.5 if first[one] >= 2 else 1)
            return sum(weights[colour] for colour in TAKEN[action])

        return best(self.takes, value, 1e-9)

    def takes_for(self, card: int, spread: float) -> set[int]:
        """Return the legal takes that serve a card, then the others within reach."""
        missing = self.missing(card) if card >= 0 else [0] * 5
        pairs = zip(missing, self.demand(), strict=True)
        return self.best_takes([own + spread * others for own, others in pairs], missing)

    # -- decisions

    def toward(self, card: int, spread: float) -> set[int]:
        """Return what leads to a card: buy it, take for it, reserve it, anything."""
        if card in self.buys:
            return {BUY + card}
        if self.takes:
            return self.takes_for(card, spread)
        return {RESERVE + card} if card in self.reserves else self.anything()

    def anything(self) -> set[int]:
        """Return what is done where nothing can be taken: reserve the nearest, buy, or any."""
        if self.reserves:
            return {RESERVE + card for card in self.nearest(self.reserves)}
        return {BUY + card for card in self.best_buys()} or self.legal

    def aside(self, card: int) -> set[int]:
        """Return what is paid, returned or chosen on the way to a card; -1 is no card."""
        held = self.tokens[self.seat]
        if self.decision == "pay":
            colour = next(colour for colour in range(5) if self.owed[colour])
            return {PAY + (colour if held[colour] else GOLD)}
        if self.decision == "noble":
            guests = [action - VISIT for action in self.legal]
            return {VISIT + tile for tile in best(guests, self.cards.noble_points.__getitem__)}
        need = self.net(card) if card >= 0 else [0] * 5
        coloured = [colour for colour in range(5) if held[colour]]
        return {GIVE + colour for colour in best(coloured, lambda c: held[c] - need[c])}


# -- positions


class Stream:
    """A stream of a strategy's own."""

    def __init__(self, state: int) -> None:
        self.state = np.uint64(state)


class Position:
    """A table where somebody must decide, and what that seat sees: `table`, `me`, `rules`."""

    def __init__(self, table: Table, cards: Cards, said: str = "") -> None:
        assert table.to_move is not None
        self.game, self.said = table, f"{said}, {table.log.words}"
        self.seat = table.to_move
        self.seen = (table._state.shown[0], table._state.shown[1][self.seat], table._rules)
        self.plain = Plain(table, self.seat, cards)

    def __repr__(self) -> str:
        """Say how to come here again."""
        return self.said

    def answers(self, spec: Any, times: int = 1, seed: int = 0) -> list[int]:
        """Return what a strategy answers here, asked so often with streams of its own."""
        player, rng = Player(bind_for(GAME, spec)), random.Random(seed)
        memo = np.zeros(8 * MEMO_WORDS, np.uint8)
        with plain_arithmetic():
            return [
                int(player(*self.seen, memo, Stream(rng.getrandbits(64)))) for _ in range(times)
            ]


def at(table: Table) -> Position:
    """Return the position of a scripted game."""
    return Position(table, Cards(table.book), "scripted")


def wishes(table: Table, spec: Any, times: int = 12) -> set[str]:
    """Return the words that a strategy would play here, by its stream."""
    return {table.book.actions[action] for action in at(table).answers(spec, times)}


@functools.lru_cache(maxsize=1)
def positions() -> tuple[Position, ...]:
    """Return positions out of games under any rules, with any cards and any bars.

    They are played by strategies and at random in turn. One game in four has cards of its own, one
    in two nobles of its own, one in three bars.
    """
    with tempfile.TemporaryDirectory() as folder:
        walks = [_walk(number, Path(folder)) for number in range(WALKS)]
    return tuple(itertools.chain.from_iterable(walks))


def _spec(number: int, rng: random.Random, folder: Path) -> Spec:
    changed: dict[str, Any] = {
        key.name: rng.choice(key.values) for key in GAME.keys if key.values and rng.random() < 0.4
    }
    if number % 4 == 3:
        changed["cards"] = cards_file(folder, drawn_cards(rng))
        changed["target"] = rng.choice([15, 60])
    if number % 2:
        changed["nobles"] = nobles_file(folder, drawn_nobles(rng))
    bars = {}
    if number % 3 == 1:
        kinds = [["kind=take"], ["kind=reserve"], ["kind=buy"], ["kind=take", "kind=reserve"], []]
        bars = {seat: rng.choice(kinds) for seat in range(2)}
    rules = rng.choice(sorted(GAME.rule_sets))
    return Spec(GAME.name, 2 + number % 3, rules, changed, deal=number, bars=bars)


def _walk(number: int, folder: Path) -> list[Position]:
    rng = random.Random(number)
    spec = _spec(number, rng, folder)
    table = spec.table()
    cards, found = Cards(table.book), []
    names = [*rng.choices(PLAYERS, k=table.players), "random"]
    players = [Player(bind_for(GAME, name)) for name in names]
    while table.to_move is not None and table.decisions < 200:
        assert table.decision is not None
        if rng.random() < OFTEN[table.decision]:
            found.append(Position(table.clone(), cards, str(spec)))
        table.advance(players[table.to_move if rng.random() < 0.6 else -1])
    return found
