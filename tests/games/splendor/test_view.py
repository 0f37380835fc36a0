"""What strategies of Splendor see, against plain sums over lists (RULES.md sections 8 and 9)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simlab import Table, copied, strategy
from simlab.checks.cells import Case, Cell, Player, draws
from simlab.checks.mixing import mixture
from simlab.checks.settings import settings
from simlab.core.game import rule_book
from simlab.core.records import plain_arithmetic
from simlab.core.registry import bind_for, strategies
from simlab.core.strategy import Bound
from simlab.games.splendor import BUY, GAME, GIVE, GOLD, view
from simlab.games.splendor.actions import TAKEN
from tests.games.splendor.boxes import cards_file, drawn_cards, drawn_nobles, nobles_file
from tests.games.splendor.plain import Plain, Position, Stream, at, positions
from tests.games.splendor.shop import TAKE, go, held, own_shop, shop

AROUND = ("denier", "never_reserve", "noble_aligned")
SALTS = [0, *(random.Random(1).getrandbits(64) for _ in range(2))]


def main_positions() -> list[Position]:
    return [position for position in positions() if position.plain.decision == "main"]


def card(table: Table, name: str) -> int:
    return table.book.actions.index(f"buy {name}") - BUY


def salted(function: Callable[..., Any], *given: Any) -> list[int]:
    """Return what a function answers with each salt; the first one is 0."""
    with plain_arithmetic():
        return [int(function(*given, salt)) for salt in SALTS]


def aware(me: Any, weight: float) -> Any:
    """Return what a seat sees when `noble_aligned` asks."""
    own = copied(me)
    own.noble_weight = weight
    return own


def test_the_positions_are_of_all_kinds() -> None:
    kinds = Counter(position.plain.decision for position in positions())
    assert min(kinds["main"], kinds["pay"], kinds["return"]) > 30
    assert kinds["noble"] > 0
    plains = [position.plain for position in main_positions()]
    assert sum(len(plain.best_buys()) > 1 for plain in plains) > 20
    assert sum(len(plain.nearest()) > 1 for plain in plains) > 20
    assert sum(not plain.takes for plain in plains) > 5
    assert sum(len(plain.market) < 12 for plain in plains) > 20
    assert sum(bool(plain.hand) for plain in plains) > 50
    assert sum(position.seen[1].barred.any() for position in positions()) > 50
    assert {plain.players for plain in plains} == {2, 3, 4}


# -- cards and prices


def test_what_lies_at_each_place() -> None:
    for position in positions():
        found = [view.card_at(*position.seen[:2], place) for place in range(view.PLACES)]
        assert found == position.plain.places, position


def test_costs() -> None:
    for position in positions()[::8]:
        rules, cards = position.seen[2], position.plain.cards
        for number, cost in enumerate(cards.cost):
            word = rules.cost_word[number]
            assert [view.amount(word, colour) for colour in range(5)] == cost
            assert view.price(rules, number) == sum(cost)
            assert view.main_colour(rules, number) == cost.index(max(cost))


BY_SEAT: dict[str, Callable[[Plain, int, int], Any]] = {
    "net": lambda plain, number, seat: sum(plain.net(number, seat)),
    "miss": Plain.miss,
    "affordable": lambda plain, number, seat: plain.miss(number, seat) == 0,
    "out_of_reach": Plain.out_of_reach,
    "turns_to": Plain.turns_to,
    "noble_term": Plain.noble_term,
    "nobles_wanting": lambda plain, number, seat: len(plain.asking(number, seat)),
    "noble_points": Plain.noble_points,
}


@pytest.mark.parametrize("name", BY_SEAT)
def test_of_a_card_for_a_seat(name: str) -> None:
    rng = random.Random(name)
    for position in positions():
        table, _, rules = position.seen
        plain = position.plain
        every = range(len(plain.cards.cost))
        for number in [*rng.sample(plain.aims, min(5, len(plain.aims))), *rng.sample(every, 3)]:
            seat = rng.randrange(plain.players)
            found = getattr(view, name)(table, rules, seat, number)
            assert found == pytest.approx(BY_SEAT[name](plain, number, seat)), (position, number)


def test_missing_tokens_by_colour() -> None:
    for position in positions():
        table, _, rules = position.seen
        for seat in range(position.plain.players):
            for number in position.plain.aims[:6]:
                word = view.missing(table, rules, seat, number)
                found = [view.amount(word, colour) for colour in range(5)]
                assert found == position.plain.missing(number, seat), position
                assert word >> 40 == 0


def test_who_can_buy_is_who_may() -> None:
    for position in positions():
        table, me, rules = position.seen
        if position.plain.decision == "main" and not me.barred.any():
            for number in position.plain.aims:
                can = bool(view.affordable(table, rules, me.seat, number))
                assert can == (number in position.plain.buys), position


@pytest.mark.parametrize(
    ("cost", "turns"),
    [
        ("00000", 1),
        ("11100", 2),
        ("11110", 3),
        ("20000", 2),  # the bank has four: two of a colour in one turn
        ("30000", 3),
        ("40000", 3),
        ("22200", 3),
        ("32000", 3),
        ("50000", 1 + 3 + 3),  # one of them does not exist in a game of two
        ("33300", 4),
        ("44300", 1 + 4 + 3),  # eleven can be had, but not held
    ],
)
def test_turns_at_the_start_of_a_game_of_two(cost: str, turns: int, tmp_path: Path) -> None:
    position = at(own_shop(tmp_path, f"a 1 white 0 {cost}"))
    table, me, rules = position.seen
    assert view.turns_to(table, rules, me.seat, card(position.game, "a")) == turns


def test_turns_count_gold_and_the_bank(tmp_path: Path) -> None:
    table = own_shop(tmp_path, "a 1 white 0 30000; b 1 white 0 00500")
    go(table, "reserve blind 2", "take white red black", "take white blue red", TAKE)
    assert held(table, 0) == {"white": 1, "blue": 1, "red": 1, "gold": 1}
    seen, me, rules = at(table).seen
    a, b = card(table, "a"), card(table, "b")
    # Two white are lacking, gold is one of them; the bank has one left.
    assert [view.miss(seen, rules, 0, a), view.turns_to(seen, rules, 0, a)] == [1, 2]
    # Five green are lacking; three are in the bank, gold is another one: one cannot be had.
    assert [view.miss(seen, rules, 0, b), view.out_of_reach(seen, rules, 0, b)] == [4, 1]
    assert view.turns_to(seen, rules, 0, b) == 1 + 4 + 3
    # For the other seat, without gold, two cannot be had.
    assert view.out_of_reach(seen, rules, 1, b) == 1
    assert me.seat == 0


def test_out_of_reach_counts_what_ten_tokens_cannot_hold(tmp_path: Path) -> None:
    table = own_shop(tmp_path, "a 1 white 0 33330", players=4)
    seen, me, rules = at(table).seen
    assert view.out_of_reach(seen, rules, me.seat, card(table, "a")) == 2


# -- nobles


def test_gaps_and_wishes_of_nobles() -> None:
    for position in positions():
        table, _, rules = position.seen
        plain = position.plain
        for tile in plain.nobles:
            for seat in range(plain.players):
                assert view.noble_gap(table, rules, seat, tile) == plain.gap(tile, seat), position
                asked = [view.asks_for(table, rules, seat, tile, colour) for colour in range(5)]
                wish, have = plain.cards.wishes[tile], plain.bonuses[seat]
                assert asked == [n > own for n, own in zip(wish, have, strict=True)], position


def test_a_noble_by_hand(tmp_path: Path) -> None:
    cards = "w 1 white 0 00000; v 1 white 0 00000; b 1 blue 0 00000"
    table = own_shop(tmp_path, cards, "n 3 21000; m 4 20000; o 5 00300")
    seen, me, rules = at(table).seen
    w, b = card(table, "w"), card(table, "b")
    assert view.noble_term(seen, rules, 0, w) == pytest.approx(1 / 4 + 1 / 3)
    assert view.noble_term(seen, rules, 0, b) == pytest.approx(1 / 4)
    assert [view.nobles_wanting(seen, rules, 0, number) for number in (w, b)] == [2, 1]
    assert view.worth(seen, me, rules, w, 2.5) == 2.5
    assert view.worth(seen, aware(me, 2.0), rules, w, 2.5) == pytest.approx(2.5 + 2 * 7 / 12)
    go(table, "buy w", TAKE)
    seen, me, rules = at(table).seen
    v = card(table, "v")
    assert view.noble_term(seen, rules, 0, v) == pytest.approx(1 / 3 + 1 / 2)
    assert [view.noble_points(seen, rules, 0, number) for number in (v, b)] == [4, 0]
    assert view.noble_points(seen, rules, 1, v) == 0
    go(table, "buy v", "buy b")
    seen, me, rules = at(table).seen
    assert table.scores == [4, 0]
    assert view.noble_term(seen, rules, 0, v) == 0  # no noble left asks seat 0 for white


def test_worth_adds_the_weight_of_nobles() -> None:
    for position in positions()[::3]:
        table, me, rules = position.seen
        for number in position.plain.aims:
            term = position.plain.noble_term(number)
            assert view.worth(table, me, rules, number, 1.5) == 1.5
            found = view.worth(table, aware(me, 0.3), rules, number, 1.5)
            assert found == pytest.approx(1.5 + 0.3 * term)


# -- ties


def test_ties_are_told_apart_by_nobles_then_by_chance() -> None:
    """Among cards that nobles want unequally none comes to lie before a better one."""
    for position in positions()[::5]:
        table, me, rules = position.seen
        own, plain = aware(me, 0.001), position.plain
        for number in plain.aims:
            chance = salted(view.tie, table, me, rules, number)
            wanted = int(50 * plain.noble_term(number) + 1e-9)
            assert chance[0] == 0
            assert all(0 <= luck < 256 for luck in chance)
            with_nobles = salted(view.tie, table, own, rules, number)
            assert with_nobles == [256 * min(wanted, 255) + luck for luck in chance]


def luck(numbers: list[int]) -> Any:
    """Return which of these cards wins a tie, for many salts."""
    table, me, rules = at(shop()).seen
    rng = random.Random(str(numbers))
    with plain_arithmetic():
        return Counter(
            max(numbers, key=lambda number: view.tie(table, me, rules, number, salt))
            for salt in (rng.getrandbits(64) for _ in range(4000))
        )


@pytest.mark.parametrize("pair", [(0, 1), (0, 2), (3, 4), (40, 41), (5, 88), (54, 64)])
def test_of_two_equal_cards_each_has_half_a_chance(pair: tuple[int, int]) -> None:
    assert luck([*pair])[pair[0]] == pytest.approx(2000, abs=4 * np.sqrt(1000) + 16)


def test_of_many_equal_cards_each_has_a_chance() -> None:
    found = luck([*range(12)])
    assert min(found[number] for number in range(12)) > 4000 / 12 / 3


# -- choosing a card


def test_best_buy() -> None:
    for position in main_positions():
        wanted = position.plain.best_buys()
        found = salted(view.best_buy, *position.seen)
        assert set(found) <= (wanted or {-1}), position
        first = [number for number in position.plain.places if number in wanted]
        assert found[0] == (first or [-1])[0], position


def test_the_order_of_aims() -> None:
    for position in positions():
        plain = position.plain
        for salt in SALTS:
            with plain_arithmetic():
                keys = {n: view.aim_key(*position.seen, n, salt) for n in plain.aims}
            by_key = sorted(plain.aims, key=lambda number: keys[number])
            assert [*map(plain.order, by_key)] == sorted(map(plain.order, plain.aims)), position
            assert len({keys[number] >> 16 for number in keys}) == len({*map(plain.order, keys)})


def test_nearest() -> None:
    for position in positions():
        wanted = position.plain.nearest()
        found = salted(view.nearest, *position.seen)
        assert set(found) <= (wanted or {-1}), position
        first = [number for number in position.plain.places if number in wanted]
        assert found[0] == (first or [-1])[0], position


def test_all_equal_cards_are_bought_and_aimed_at(tmp_path: Path) -> None:
    table = own_shop(
        tmp_path, "; ".join(f"{name} 1 white {name in 'abc':d} 00000" for name in "abcd")
    )
    position, rng = at(table), random.Random(1)
    abc = {card(table, name) for name in "abc"}
    salts = [rng.getrandbits(64) for _ in range(60)]
    with plain_arithmetic():
        assert {view.best_buy(*position.seen, salt) for salt in salts} == abc
        assert {view.nearest(*position.seen, salt) for salt in salts} == abc


# -- choosing tokens


def test_how_many_tokens_a_take_takes() -> None:
    rules = rule_book(GAME).record[0]
    assert [view.taken(rules, n) for n in range(len(TAKEN))] == [*map(len, TAKEN)]


def test_demand() -> None:
    for position in positions():
        word = view.demand(*position.seen)
        found = [view.amount(word, colour) for colour in range(5)]
        assert found == position.plain.demand(), position


def test_best_take() -> None:
    rng = random.Random(2)
    for position in main_positions():
        for top in (0, 1, 3, 2.5):
            scores = tuple(rng.choice([0.0, rng.randint(0, 3), top]) for _ in range(5))
            first = [rng.choice([0, 1, 2, 3]) for _ in range(5)]
            word = sum(number << 8 * colour for colour, number in enumerate(first))
            wanted = position.plain.best_takes(scores, first) or {-1}
            found = salted(view.best_take, *position.seen, scores, word)
            assert set(found) <= wanted, (position, scores, first)


def test_three_are_taken_where_one_to_three_may_be() -> None:
    position = at(shop(take_different="one_to_three"))
    assert len(position.plain.takes) == 10 + 10 + 5 + 5
    found = salted(view.best_take, *position.seen, (1.0, 0.0, 0.0, 0.0, 0.0), 0)
    assert all(len({*TAKEN[action]}) == 3 and 0 in TAKEN[action] for action in found)


@pytest.mark.parametrize("spread", [0.0, 0.02, 0.25, 2.0])
def test_take_for(spread: float) -> None:
    for position in main_positions()[::2]:
        for number in [*position.plain.aims[:4], -1]:
            with plain_arithmetic():
                found = {view.take_for(*position.seen, number, salt, spread) for salt in SALTS}
            assert found <= (position.plain.takes_for(number, spread) or {-1}), (position, number)


# -- whole decisions


def test_toward() -> None:
    for position in main_positions():
        for number in [*position.plain.aims[::3], -1]:
            found = salted(view.toward, *position.seen, number)
            assert set(found) <= position.plain.toward(number, view.SPREAD), (position, number)


def test_anything() -> None:
    for position in main_positions():
        assert set(salted(view.anything, *position.seen)) <= position.plain.anything(), position


def test_aside() -> None:
    for position in positions():
        if position.plain.decision != "main":
            for number in [*position.plain.aims[::3], -1]:
                found = salted(view.aside, *position.seen, number)
                assert set(found) <= position.plain.aside(number), (position, number)
                assert set(found) <= position.plain.legal, (position, number)


def test_gold_is_never_returned_while_a_colour_is_left() -> None:
    found = [position for position in positions() if GIVE + GOLD in position.plain.legal]
    assert len(found) > 10
    for position in found:
        assert GIVE + GOLD not in salted(view.aside, *position.seen, -1)


@pytest.mark.parametrize(
    ("cost", "colours"), [("00000", "wbg"), ("30000", "bg"), ("03300", "w"), ("33220", "gk")]
)
def test_what_is_left_over_is_returned(cost: str, colours: str, tmp_path: Path) -> None:
    free = "; ".join(f"f{number} 1 red 0 00000" for number in range(3))
    table = own_shop(tmp_path, f"{free}; a 2 red 0 {cost}")
    go(table, TAKE, "buy f0", TAKE, "buy f1", "take white red black", "buy f2")
    go(table, "take blue green red")
    assert held(table, 0) == {"white": 3, "blue": 3, "green": 3, "red": 2, "black": 1}
    position, rng = at(table), random.Random(cost)
    with plain_arithmetic():
        found = {
            view.aside(*position.seen, card(table, "a"), rng.getrandbits(64)) for _ in range(60)
        }
    assert found == {GIVE + "wbgrk".index(letter) for letter in colours}


@pytest.mark.parametrize("salt", SALTS)
def test_the_best_noble_is_chosen(salt: int, tmp_path: Path) -> None:
    court = "n 3 10000; m 5 10000; o 4 10000; p 9 90000"
    table = go(own_shop(tmp_path, "a 1 white 0 00000", court, players=3), "buy a")
    assert table.decision == "noble"
    with plain_arithmetic():
        found = view.aside(*at(table).seen, -1, salt)
    assert table.book.actions[found] == "noble m"


def test_default() -> None:
    """It buys the best card, goes for the nearest one, and leaves nothing to chance."""
    for position in positions():
        plain = position.plain
        found = int(view.default(*position.seen))
        assert found in plain.legal, position
        lowest = next((n for n in plain.places if n in plain.nearest()), -1)
        buy = next((n for n in plain.places if n in plain.best_buys()), -1)
        if plain.decision == "main":
            wanted = {BUY + buy} if buy >= 0 else plain.toward(lowest, view.SPREAD)
        else:
            wanted = plain.aside(lowest)
        assert found in wanted, position


def test_legal_is_what_the_table_says() -> None:
    for position in positions()[::4]:
        found = {n for n in range(len(position.game.book.actions)) if view.legal(*position.seen, n)}
        assert found == position.plain.legal, position


# -- the uniform baseline


def even(counts: Counter[int], wanted: dict[int, int]) -> bool:
    """Return whether what was drawn is in proportion to these weights, within five errors."""
    drawn, whole = counts.total(), sum(wanted.values())
    return all(
        abs(counts[one] - drawn * n / whole) < 5 * np.sqrt(drawn * n / whole) + 1
        for one, n in wanted.items()
    )


def picked(position: Position, times: int) -> Counter[int]:
    rng = Stream(position.plain.turn)
    with plain_arithmetic():
        return Counter(int(view.pick_legal(*position.seen, rng)) for _ in range(times))


def test_pick_legal_picks_each_main_action_alike() -> None:
    for position in main_positions()[::12]:
        legal = position.plain.legal
        found = picked(position, 40 * len(legal))
        assert set(found) == legal, position
        assert even(found, dict.fromkeys(legal, 1)), position


def test_pick_legal_returns_each_token_alike() -> None:
    for position in [p for p in positions() if p.plain.decision == "return"][::8]:
        held = position.plain.tokens[position.seat]
        found = picked(position, 600)
        assert set(found) == position.plain.legal, position
        assert even(found, {GIVE + token: n for token, n in enumerate(held) if n}), position


@pytest.mark.parametrize("kind", ["pay", "noble"])
def test_pick_legal_pays_and_chooses_evenly(kind: str) -> None:
    for position in [p for p in positions() if p.plain.decision == kind][:6]:
        found = picked(position, 400)
        assert set(found) == position.plain.legal, position
        assert even(found, dict.fromkeys(position.plain.legal, 1)), position


# -- legal everywhere


@strategy("splendor", name="by_default")
def by_default(table, me, rules):  # type: ignore[no-untyped-def]
    """Do what a strategy without ideas does."""
    return view.default(table, me, rules)


def every_setting() -> list[Bound]:
    """Return all strategies with their parameters at the ends of their ranges, and the default."""
    bound = [bind_for(GAME, name) for name in sorted(strategies("splendor"))]
    bases = ("straight_line", "linear_eval", "random", "noble_aligned(base=phase_plan, weight=9)")
    around = [f"{name}(base={base})" for name in AROUND for base in bases]
    return [
        *(setting for one in bound for setting in settings(one)),
        *(bind_for(GAME, spec) for spec in [*around, by_default]),
    ]


def test_every_strategy_is_legal_with_any_cards_under_any_rules_and_bars(tmp_path: Path) -> None:
    """They are asked everywhere; half of what happens is left to chance."""
    rng, asked = random.Random(3), every_setting()
    every = [mixture(GAME, bound, rng.choice([0.3, 0.9]), rng.choice([0, 7])) for bound in asked]
    while every:
        changed: dict[str, Any] = {
            key.name: rng.choice(key.values) for key in GAME.keys if key.values
        }
        changed["cards"] = cards_file(tmp_path, drawn_cards(rng))
        changed["nobles"] = nobles_file(tmp_path, drawn_nobles(rng))
        players = rng.randint(2, 4)
        line_up = tuple(
            every.pop() if every else mixture(GAME, asked[0], 0.5) for _ in range(players)
        )
        cell = Cell(rule_book(GAME, "standard", changed), players, changed)
        player = Player(Case(cell, line_up))
        for bars in (None, *draws(GAME, players, 4)):
            fault = player.play(0, 50, bars).fault
            assert fault is None, (changed, [bound.full for bound in line_up], bars, fault)
