"""What always holds in Splendor, under random play over random rules, deals and choices."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simlab import Table
from simlab.core.table import Action
from simlab.errors import IllegalAction, UserError
from simlab.games.splendor import GAME
from simlab.games.splendor.actions import ACTIONS, BUY, CARDS, RESERVE
from simlab.games.splendor.rules import BOUGHT, HAND, IN_HAND, LIMIT, PLACES
from tests.games.splendor.shop import TAKE, forced, go, own_shop, seen, shop, words
from tests.harness import (
    Spec,
    again,
    check_clone,
    random_line_up,
    records,
    told,
    weights,
)

SEEDS = st.integers(0, 10**6)
VALUES = {key.name: st.sampled_from(key.values) for key in GAME.keys if key.values}
NUMBERS = {"target": st.integers(1, 20), "max_turns": st.integers(1, 40)}


@st.composite
def specs(draw: st.DrawFn, without: tuple[str, ...] = ()) -> Spec:
    """Return any game of Splendor: any rule set, any values of any keys, any deal."""
    rules = draw(st.sampled_from(sorted(GAME.rule_sets)))
    keys = {name: value for name, value in (VALUES | NUMBERS).items() if name not in without}
    changed = draw(st.fixed_dictionaries({}, optional=keys))
    players = draw(st.integers(2, 4))
    return Spec(GAME.name, players, rules, changed, seed=draw(SEEDS), deal=draw(SEEDS))


def steps(table: Table, seed: int) -> Iterator[list[Action]]:
    """Play at random to the end; yield what is legal before each word, and [] at the end.

    Half of the time a card is bought where one can be, so that games get somewhere.
    """
    rng = random.Random(seed)
    by_number = weights(GAME, seed)
    while not table.finished:
        legal = table.legal()
        yield legal
        numbers = [action.number for action in legal]
        if rng.random() < 0.5:
            numbers = [number for number in numbers if BUY <= number < RESERVE] or numbers
        table.play(rng.choices(numbers, [by_number[number] for number in numbers])[0])
    yield []


def all_hands(table: Table) -> list[list[int]]:
    """Return the reserved cards of every seat, as each of them sees its own."""
    hands = [table.private(seat).hand.tolist() for seat in range(table.players)]
    return [[card for card in hand[:HAND] if card >= 0] for hand in hands]


def by_words(legal: list[Action]) -> set[str]:
    return {action.word for action in legal}


# -- conservation


@settings(max_examples=8)
@given(specs(), SEEDS)
def test_what_always_holds(spec: Spec, seed: int) -> None:
    table = spec.table()
    blind = Blind(table)
    for legal in steps(table, seed):
        assert len(legal) > 1 or table.finished
        check_tokens(table)
        check_cards(table)
        check_points(table)
        check_turns(table)
        blind.check()
    check_end(table)


def check_tokens(table: Table) -> None:
    """Each colour is as often in bank and hands together as at the start; ten are the most."""
    public = table.public
    mine = public.tokens[: table.players]
    pile = {2: 4, 3: 5, 4: 7}[table.players]
    assert (public.bank[:6] + mine[:, :6].sum(0)).tolist() == [pile] * 5 + [5]
    assert (public.bank >= 0).all()
    assert (mine >= 0).all()
    assert not public.bank[6:].any()
    assert not mine[:, 6:].any()
    totals = mine.sum(1).tolist()
    asked = table.to_move if table.decision == "return" else None
    assert all(total <= LIMIT for seat, total in enumerate(totals) if seat != asked)
    assert asked is None or LIMIT < totals[asked] <= LIMIT + 3


def check_cards(table: Table) -> None:
    """90 cards = decks + market + reserved + bought; places are refilled while a deck has cards."""
    public = table.public
    market = [card for card in public.market.tolist() if card >= 0]
    held = [card for hand in all_hands(table) for card in hand]
    gone = [card for card in range(CARDS) if public.place[card] >= BOUGHT]
    assert len({*market, *held, *gone}) == len(market) + len(held) + len(gone)
    assert len(market) + len(held) + len(gone) + public.deck.sum() == 90
    for level in range(3):
        row = public.market[4 * level : 4 * level + 4]
        assert all(card < 0 or table.book.record[0].level[card] == level for card in row)
        assert (row >= 0).all() or public.deck[level] == 0
    assert len(gone) == public.bought.sum()


def check_points(table: Table) -> None:
    """Points, bonuses and counts are those of the cards and nobles that came."""
    public, columns, rules = table.public, table.columns, table.book.record[0]
    for seat in range(table.players):
        cards = [card for card in range(90) if public.place[card] == BOUGHT + seat]
        levels = [int(rules.level[card]) + 1 for card in cards]
        bonuses = [int(rules.bonus[card]) for card in cards]
        points = sum(int(rules.points[card]) for card in cards)
        assert [columns[f"cards_{n}"][seat] for n in (1, 2, 3)] == [*map(levels.count, (1, 2, 3))]
        assert public.bonuses[seat].tolist()[:5] == [*map(bonuses.count, range(5))]
        assert columns["card_points"][seat] == points
        assert columns["noble_points"][seat] == 3 * columns["nobles"][seat]
        assert table.scores[seat] == public.points[seat] == points + 3 * columns["nobles"][seat]
        assert public.bought[seat] == len(cards)
        assert public.visited[seat] == columns["nobles"][seat]
    left = [tile for tile in public.nobles.tolist() if tile >= 0]
    assert len(left) + sum(columns["nobles"]) == table.players + 1


def check_turns(table: Table) -> None:
    """Turns go round; nobody decides anything after the last one."""
    turns = table.columns["turns"]
    assert sorted(turns, reverse=True) == turns
    assert turns[0] - turns[-1] <= 1
    if table.to_move is not None:
        assert table.public.turn == turns[table.to_move] + 1
        assert table.public.last_round == (max(table.scores) >= table.book.values["target"])


def check_end(table: Table) -> None:
    """The game ended for the reason it gives."""
    values, turns, reason = table.book.values, table.columns["turns"], table.end_reason
    over = max(table.scores) >= values["target"]
    if reason == "finished":
        assert over
    elif reason == "truncated":
        assert not over
        assert turns[0] == values["max_turns"]
    else:
        assert reason == {"forced_pass": "stalemate", "abort": "aborted"}[values["no_move"]]
    if reason in ("finished", "truncated"):
        assert len({*turns}) == 1


class Blind:
    """Follows which reserved cards were taken from the top of a deck, by what was played."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.cards: set[int] = set()
        self.hands = all_hands(table)

    def check(self) -> None:
        """Check that the public record shows the other cards alone, in the places they have."""
        table, public, hands = self.table, self.table.public, all_hands(self.table)
        for seat, (now, then) in enumerate(zip(hands, self.hands, strict=True)):
            for card in {*now} - {*then}:
                if str(last_main(table, seat)).startswith("reserve blind"):
                    self.cards.add(card)
        self.hands = hands
        perfect = table.book.values["reserved_memory"] == "perfect"
        places = public.place.tolist()
        for seat, hand in enumerate(hands):
            known = [card if perfect and card not in self.cards else -1 for card in hand]
            assert public.reserved[seat].tolist()[:HAND] == known + [-1] * (HAND - len(hand))
            levels = [int(table.book.record[0].level[card]) + 1 for card in hand]
            assert public.reserved_level[seat].tolist()[:HAND] == levels + [0] * (HAND - len(hand))
            assert len(hand) == public.hand[seat] <= HAND
            for card, shown in zip(hand, known, strict=True):
                assert places[card] == (IN_HAND + seat if shown >= 0 else 0)
        for place, card in enumerate(public.market.tolist(), start=1):
            assert card < 0 or places[card] == place
        assert sum(0 < place <= PLACES for place in places) == (public.market >= 0).sum()


def last_main(table: Table, seat: int) -> str | None:
    """Return the last main action of a seat, asked or not."""
    for entry in reversed(table.log):
        if entry.seat == seat and str(entry.word).split()[0] in ("take", "reserve", "buy", "pass"):
            return entry.word
    return None


@settings(max_examples=4)
@given(specs(), SEEDS)
def test_words_repeat_a_game_of_strategies(spec: Spec, seed: int) -> None:
    table = spec.table().play_out(random_line_up(GAME, spec.players, seed))
    assert again(spec, table.log.words) == told(table)


# -- what is hidden


def swapped(table: Table, rng: random.Random) -> Table | None:
    """Return a copy in which a hidden card lies elsewhere, to be told apart by one seat at most."""
    twin = table.clone()
    level = rng.randrange(3)
    deck = getattr(twin._hidden, f"level{level + 1}")
    top, cards = int(deck.next), int(deck.cards)
    if cards - top < 2:
        return None
    one, other = rng.sample(range(top, cards), 2)
    order = deck.order
    order[one], order[other] = int(order[other]), int(order[one])
    deck.fixed = cards
    return twin


@settings(max_examples=12)
@given(specs(), SEEDS)
def test_a_card_reserved_blind_is_seen_by_its_owner_alone(spec: Spec, seed: int) -> None:
    """Whichever card it is, all others see the same bytes."""
    table = spec.table()
    rng = random.Random(seed)
    looked = 0
    for legal in steps(table, seed):
        blind = sorted(by_words(legal) & {f"reserve blind {n}" for n in (1, 2, 3)})
        twin = swapped(table, rng) if blind and rng.random() < 0.2 else None
        if looked == 5:
            break
        if twin is None:
            continue
        seat, looked = table.to_move, looked + 1
        for word in blind:
            one, other = table.clone().play(word), twin.clone().play(word)
            assert one.public == other.public
            assert one.decision == other.decision
            for watching in range(spec.players):
                if watching != seat:
                    assert one.private(watching) == other.private(watching)


def test_the_order_of_decks_is_nowhere_to_be_seen() -> None:
    table = shop("L1-W1 L1-W2 L1-W3 L1-W4 L1-W5", players=3)
    other = shop("L1-W1 L1-W2 L1-W3 L1-W4 L1-K8", players=3)
    assert table.public == other.public
    assert all(table.private(seat) == other.private(seat) for seat in range(3))


@settings(max_examples=4)
@given(specs(without=("reserved_memory",)), SEEDS)
def test_memory_changes_what_is_shown_and_nothing_else(spec: Spec, seed: int) -> None:
    table = replace(spec, set={**spec.set, "reserved_memory": "hidden"}).table()
    twin = spec.table()
    for place, legal in enumerate(steps(table, seed)):
        if place:
            twin.play(table.log.words[-1])
        assert (table.public.reserved[: spec.players, :HAND] == -1).all()
        for name in table.public.dtype.names:
            if name not in ("reserved", "place"):
                assert table.public[name].tobytes() == twin.public[name].tobytes(), name
        assert place % 5 or twin.legal() == legal
    assert table.scores == twin.scores


# -- bars

BARS = ["kind=reserve", "kind=take", "kind=buy", "card=L3-W2", "card=L1-K3", "card=L2-G3"]


def barred(word: str, bars: list[str]) -> bool:
    """Return whether a main action is barred by its kind or its card."""
    kind, *what = word.split()
    return f"kind={kind}" in bars or (kind in ("buy", "reserve") and f"card={what[-1]}" in bars)


@settings(max_examples=8)
@given(specs(), SEEDS, st.lists(st.sampled_from(BARS), min_size=1, max_size=3, unique=True))
def test_bars_are_honoured(spec: Spec, seed: int, bars: list[str]) -> None:
    """A barred word is legal only where nothing else is; other seats are free."""
    table = replace(spec, bars={0: bars}).table()
    free: Table | None = spec.table()
    for place, legal in enumerate(steps(table, seed)):
        left = by_words(legal)
        if table.to_move == 0 and table.decision == "main":
            assert len({barred(word, bars) for word in left}) == 1
        if place and free is not None:
            free.play(table.log.words[-1])
        if forced(table):  # perhaps only because of the bars
            free = None
        if free is not None:
            wanted = words(free)
            if table.to_move == 0 and table.decision == "main":
                wanted = {word for word in wanted if not barred(word, bars)} or wanted
            assert left == wanted


@settings(max_examples=3)
@given(specs(), SEEDS)
def test_barring_every_kind_bars_nothing(spec: Spec, seed: int) -> None:
    bars = {0: ["kind=buy", "kind=take", "kind=reserve", "kind=pass", "kind=return"]}
    table, free = replace(spec, bars=bars).table(), spec.table()
    for place, legal in enumerate(steps(table, seed)):
        if place:
            free.play(table.log.words[-1])
        assert table.to_move != 0 or free.legal() == legal
    assert told(table) == told(free)


def test_a_bar_may_leave_one_action_which_is_then_carried_out(tmp_path: Path) -> None:
    table = own_shop(tmp_path, "a 1 white 0 00000", bars={0: ["kind=take", "kind=reserve"]})
    assert forced(table) == [(0, "buy a")]
    assert table.to_move == 1
    go(table, TAKE)
    assert barred(next(iter(words(table))), ["kind=take", "kind=reserve"])  # nothing else is left


def test_bars_speak_of_kinds_and_cards() -> None:
    table = shop(bars={0: ["kind=reserve", "card=L1-W1"]})
    assert {word.split()[0] for word in words(table)} == {"take"}
    with pytest.raises(IllegalAction):
        table.play("reserve blind 1")
    assert {word.split()[0] for word in words(go(table, TAKE))} == {"take", "reserve"}


@pytest.mark.parametrize("text", ["kind=steal", "card=L9-W1", "card=", "noble=N1", "reserve"])
def test_a_bar_that_cannot_be_is_said(text: str) -> None:
    with pytest.raises(UserError):
        shop().bar(0, text)


# -- Table: clones and refusals


@settings(max_examples=6)
@given(specs(), SEEDS, st.integers(0, 60))
def test_a_clone_is_independent_and_goes_on_alike(spec: Spec, seed: int, count: int) -> None:
    check_clone(spec, seed, count)


@settings(max_examples=4)
@given(specs(), SEEDS)
def test_a_refused_action_changes_nothing(spec: Spec, seed: int) -> None:
    table = spec.table()
    rng = random.Random(seed)
    for legal in steps(table, seed):
        if rng.random() > 0.05:
            continue
        before = records(table), list(table.log), table.to_move
        numbers = {action.number for action in legal}
        wrong = rng.sample(sorted({*range(ACTIONS)} - numbers), 5)
        for action in (*wrong, -1, ACTIONS, "take", "buy L9", True):
            with pytest.raises(IllegalAction):
                table.play(action)
        assert (records(table), list(table.log), table.to_move) == before


IMPOSSIBLE: list[dict[str, Any]] = [
    {"level1": ["L2-W1"]},
    {"level1": ["L1-W1", "L1-W1"]},
    {"level4": ["L1-W1"]},
    {"nobles": ["N11"]},
    {"nobles": [["N1"], ["N2"]]},
]


@pytest.mark.parametrize("stack", IMPOSSIBLE)
def test_a_stack_that_cannot_be_is_refused(stack: dict[str, Any]) -> None:
    with pytest.raises(UserError):
        Table(GAME, 3, stack=stack)


def test_a_stack_is_what_comes_up() -> None:
    table = shop("L1-K8 L1-W1", "L2-G3", "L3-W2 L3-K4", "N4 N1")
    market = seen(table)["market"]
    assert [market[slot] for slot in ("L1-1", "L1-2", "L2-1", "L3-1", "L3-2")] == [
        "L1-K8", "L1-W1", "L2-G3", "L3-W2", "L3-K4",
    ]  # fmt: skip
    assert seen(table)["nobles"][:2] == ["N4", "N1"]
    table.stack("level1", ["L1-U7"])
    assert seen(go(table, "reserve L1-W1"))["market"]["L1-2"] == "L1-U7"
