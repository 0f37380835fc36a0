"""Each strategy of Splendor against its rule (RULES.md section 9), by position and by case.

The plain rules below give every action that the rule allows where ties may fall either way. Cards
of one's own are "id level bonus points cost"; `own_shop` adds cards that nobody can pay.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simlab import Strategy, Table, ask, strategy
from simlab.checks.cells import Case, Cell, draws
from simlab.checks.cells import Player as Playing
from simlab.core.game import rule_book
from simlab.core.registry import bind_for, find_strategy, strategies
from simlab.games.splendor import BLIND, BUY, GAME, PASS, RESERVE, view
from simlab.games.splendor.actions import TAKEN
from simlab.games.splendor.rules import CANDIDATES, candidate
from simlab.running.spec import Spec
from simlab.running.worker import Worker
from tests.games.splendor.plain import Plain, Position, best, positions, wishes
from tests.games.splendor.shop import TAKE, go, held, own_shop

SIGNATURES = {
    "random": "random",
    "greedy_buy": "greedy_buy(targets=4, decay=0.25)",
    "phase_plan": "phase_plan(early=5, middle=8, noble=0.5)",
    "straight_line": "straight_line(ratio=0.5, reserves=2, turns=8)",
    "tempo_value": "tempo_value(points=1, bonus=1.5, decay=0.9)",
    "linear_eval": "linear_eval(win=100, points=2, nobles=2, cards=1, tokens=0.1)",
    "denier": "denier(base=greedy_buy, points=3)",
    "never_reserve": "never_reserve(base=greedy_buy)",
    "noble_aligned": "noble_aligned(base=tempo_value, weight=0.3)",
}
BASES = sorted(set(SIGNATURES) - {"denier", "never_reserve", "noble_aligned"})


def test_the_names_and_parameters() -> None:
    found = {name: find_strategy("splendor", name).signature() for name in strategies("splendor")}
    assert found == SIGNATURES


# -- plain rules


def greedy(plain: Plain, targets: int = 4, decay: float = 0.25) -> set[int]:
    """Return what buys the best card, or takes what the nearest targets miss."""
    if plain.decision != "main":
        return either(plain, plain.nearest(), plain.aside)
    if plain.buys:
        return {BUY + card for card in plain.best_buys()}
    if not plain.takes:
        return plain.anything()
    return {
        action
        for aims in orders(plain, targets)
        for action in plain.best_takes(
            [sum(decay**n * plain.missing(aim)[c] for n, aim in enumerate(aims)) for c in range(5)],
            plain.missing(aims[0]) if aims else [0] * 5,
        )
    }


def orders(plain: Plain, targets: int) -> Iterable[tuple[int, ...]]:
    """Return every way to sort the aims, the first ones of each."""
    by_key = itertools.groupby(sorted(plain.aims, key=plain.order), plain.order)
    ways = [itertools.permutations(group) for _, group in by_key]
    every = (tuple(itertools.chain(*parts))[:targets] for parts in itertools.product(*ways))
    return {*itertools.islice(every, 1000)}


def either(plain: Plain, aims: set[int], what: Callable[[int], set[int]]) -> set[int]:
    """Return what is done for any of these aims."""
    return {action for aim in aims or {-1} for action in what(aim)}


def phase(plain: Plain, early: int = 5, middle: int = 8, noble: float = 0.5) -> set[int]:
    """Return what the phase's best card asks for: level 1, level 2 and nobles, points."""
    cards, seat, bonuses = plain.cards, plain.seat, plain.bought[plain.seat]

    def value(card: int) -> float:
        net, points = sum(plain.net(card)), cards.points[card]
        if bonuses <= early:
            owned = plain.bonuses[seat][cards.bonus[card]]
            return 20 - net - 0.1 * owned if cards.level[card] == 1 else -1
        if bonuses <= middle:
            wanted = noble * len(plain.asking(card))
            return (points + 1) / max(net, 1) + wanted + (cards.level[card] == 2)
        return (points + plain.noble_points(card) + 1) / (1 + net) + 0.001 * cards.level[card]

    aims = best(plain.aims, value, 1e-9)
    if plain.decision != "main":
        return either(plain, aims, plain.aside)
    buys = best((card for card in plain.buys if value(card) > 0), value, 1e-9)
    if buys:
        return {BUY + card for card in buys}
    return either(plain, aims, lambda aim: plain.toward(aim, view.SPREAD))


def tempo(plain: Plain, points: float = 1, bonus: float = 1.5, decay: float = 0.9) -> set[int]:
    """Return what leads to the card that is worth most for each turn."""

    def value(card: int) -> float:
        late: float = decay ** plain.bought[plain.seat]
        return (points * plain.cards.points[card] + bonus * late) / plain.turns_to(card)

    aims = best(plain.aims, value, 1e-9)
    if plain.decision != "main":
        return either(plain, aims, plain.aside)
    return either(plain, aims, lambda aim: plain.toward(aim, view.SPREAD))


def straight(plain: Plain, ratio: float = 0.5, reserves: int = 2, turns: int = 8) -> set[int]:
    """Return what serves the reserved cards, or reserves in the first turns."""
    cards, seat = plain.cards, plain.seat

    def use(card: int) -> float:
        bonus = cards.bonus[card]
        helped = [
            other
            for other in plain.hand
            if other != card and cards.cost[other][bonus] > plain.bonuses[seat][bonus]
        ]
        made = len(helped) if plain.hand else 0.5
        return made + 0.5 * cards.points[card] + (card in plain.hand)

    def rate(card: int) -> float:
        return cards.points[card] / max(sum(cards.cost[card]), 1)

    def main_colour(card: int) -> int:
        return cards.cost[card].index(max(cards.cost[card]))

    close = 66000e-8  # what ties may count
    useful = [card for card in plain.aims if use(card) > 0]
    aims = best(useful, lambda card: use(card) / plain.turns_to(card), close)
    if plain.decision != "main":
        return either(plain, aims, plain.aside)
    found = {BUY + aim for aim in aims & plain.buys}
    aims -= plain.buys
    if not aims and found:
        return found
    fit = [card for card in plain.reserves if rate(card) >= ratio > 0]
    if plain.turn <= turns and len(plain.hand) < reserves and fit:
        alike = [*map(main_colour, plain.hand)]
        chosen = best(fit, lambda card: rate(card) + alike.count(main_colour(card)), close)
        return found | {RESERVE + card for card in chosen}
    return found | either(plain, aims, lambda aim: plain.toward(aim, view.SPREAD))


def linear(
    plain: Plain, win: float = 100, points: float = 2, nobles: float = 2, cards: float = 1,
    tokens: float = 0.1,
) -> set[int]:  # fmt: skip
    """Return the main actions that gain most."""
    if plain.decision != "main":
        return either(plain, plain.nearest(), plain.aside)

    def value(action: int) -> float:
        if BUY <= action < RESERVE:
            card = action - BUY
            noble = plain.noble_points(card)
            gained = plain.cards.points[card] + noble
            reaches = plain.points[plain.seat] + gained >= plain.target
            paid = sum(plain.net(card))
            return win * reaches + points * gained + nobles * (noble > 0) + cards - tokens * paid
        more = len(TAKEN[action]) if action < BLIND else min(plain.bank[5], 1)
        return tokens * min(more, 10 - sum(plain.tokens[plain.seat]))

    found = best(plain.legal, value, 1e-9)
    if found & plain.takes:
        most = max(map(value, found))
        near = either(plain, plain.nearest(), lambda aim: plain.takes_for(aim, 0.25))
        near = {action for action in near if value(action) >= most - 1e-9}
        found = (found - plain.takes) | (near or found & plain.takes)
    return found


def threats(plain: Plain, points: int = 3) -> set[int]:
    """Return the market cards with most points that a leading opponent can buy and that hurt."""
    others = [seat for seat in range(plain.players) if seat != plain.seat]
    most = max(plain.points[seat] for seat in others)

    def hurts(card: int, seat: int) -> bool:
        worth = plain.cards.points[card]
        reached = plain.points[seat] + worth + plain.noble_points(card, seat)
        can = plain.points[seat] == most and plain.miss(card, seat) == 0
        return can and (worth >= points or reached >= plain.target)

    found = [card for card in plain.market if any(hurts(card, seat) for seat in others)]
    return best(found, plain.cards.points.__getitem__)


PLAIN: dict[str, tuple[Callable[..., set[int]], list[dict[str, float]]]] = {
    "greedy_buy": (
        greedy,
        [
            {},
            {"targets": 1},
            {"targets": 15, "decay": 1},
            {"decay": 0.6},
            {"targets": 2, "decay": 1},
        ],
    ),
    "phase_plan": (
        phase,
        [{}, {"early": 0, "middle": 0}, {"early": 0, "middle": 100}, {"early": 100}, {"noble": 5}],
    ),
    "tempo_value": (
        tempo,
        [{}, {"points": 0}, {"bonus": 0, "points": 100}, {"decay": 0}, {"decay": 1, "bonus": 100}],
    ),
    "straight_line": (
        straight,
        [{}, {"ratio": 0.1, "reserves": 3, "turns": 500}, {"reserves": 0}, {"turns": 0}],
    ),
    "linear_eval": (
        linear,
        [{}, {"win": 0}, {"tokens": 0}, {"cards": 0, "nobles": 50}, {"tokens": 50}, {"points": 0}],
    ),
}
CASES = [(name, changed) for name, (_, many) in PLAIN.items() for changed in many]


@pytest.mark.parametrize(("name", "changed"), CASES)
def test_every_answer_is_one_of_the_rule(name: str, changed: dict[str, float]) -> None:
    spec = f"{name}({', '.join(f'{key}={value}' for key, value in changed.items())})"
    spec = spec.removesuffix("()")
    for position in positions()[len(changed) :: 3]:
        allowed = PLAIN[name][0](position.plain, **changed)
        assert set(position.answers(spec, 2)) <= allowed, position


def test_random_does_anything_that_is_legal() -> None:
    for position in positions()[::40]:
        assert set(position.answers("random", 40 * len(position.plain.legal))) == (
            position.plain.legal
        ), position


# -- buying and taking


def test_greedy_buy_buys_most_points_then_fewest_tokens(tmp_path: Path) -> None:
    cards = "a 1 white 2 11000; b 1 blue 2 10000; c 1 red 1 00000; d 1 green 5 90000"
    table = own_shop(tmp_path, cards)
    assert wishes(table, "greedy_buy") == {"buy c"}
    assert wishes(go(table, TAKE, TAKE), "greedy_buy") == {"buy b"}


def test_greedy_buy_breaks_ties_at_random(tmp_path: Path) -> None:
    table = own_shop(tmp_path, "a 1 white 1 00000; b 1 blue 1 00000; c 1 red 1 00000")
    assert wishes(table, "greedy_buy", 60) == {"buy a", "buy b", "buy c"}


@pytest.mark.parametrize(
    ("spec", "cards", "taken"),
    [
        ("greedy_buy(targets=1)", "a 1 red 0 03000", {"blue blue"}),
        ("greedy_buy(targets=1)", "a 1 red 0 01101", {"blue green black"}),
        ("greedy_buy(targets=1)", "a 1 red 0 01011; b 1 red 1 30000", {"white white"}),
        ("greedy_buy(targets=1)", "a 1 red 0 01012; b 2 red 1 30010", {"white white"}),
        ("greedy_buy(targets=1)", "a 1 red 1 11011; b 2 red 2 04000", {"blue blue"}),
        ("greedy_buy(targets=2)", "a 1 red 0 20000; b 2 red 0 01110", {"white white"}),
        (
            "greedy_buy(targets=2, decay=0.6)",
            "a 1 red 0 20000; b 2 red 0 01100",
            {"white blue green"},
        ),
        # Three are missing for the first card, four for the second one.
        ("greedy_buy(targets=2, decay=0)", "a 1 red 0 30000; b 2 red 0 00202", {"white white"}),
        (
            "greedy_buy(targets=2, decay=1)",
            "a 1 red 0 30000; b 2 red 0 00202",
            {"white green black"},
        ),
    ],
)
def test_greedy_buy_takes_what_its_targets_miss(
    spec: str, cards: str, taken: set[str], tmp_path: Path
) -> None:
    assert wishes(own_shop(tmp_path, cards), spec) == {f"take {word}" for word in taken}


def test_greedy_buy_reserves_only_where_it_cannot_take(tmp_path: Path) -> None:
    cards = "a 1 white 1 40000; b 1 white 2 40000; c 1 white 3 50000"
    assert not wishes(own_shop(tmp_path, cards), "greedy_buy") & {"reserve a", "reserve b"}
    table = own_shop(tmp_path, cards, bars={0: ["kind=take"]})
    assert wishes(table, "greedy_buy") == {"reserve b"}


def test_greedy_buy_returns_what_its_nearest_card_does_not_need(tmp_path: Path) -> None:
    free = "; ".join(f"f{number} 1 red 0 00000" for number in range(3))
    table = own_shop(tmp_path, f"{free}; a 2 red 0 33000; b 3 red 0 44444")
    go(table, TAKE, "buy f0", TAKE, "buy f1", "take white red black", "buy f2")
    assert held(table, 0) == {"white": 3, "blue": 2, "green": 2, "red": 1, "black": 1}
    table.play("take green red black")
    assert wishes(table, "greedy_buy") == {"return green"}
    table.play("return green")
    assert wishes(table, "greedy_buy", 40) == {"return green", "return red", "return black"}


# -- phases


def after_one(folder: Path, cards: str, nobles: str = "") -> Table:
    """Return a game in which seat 0 has bought a white bonus and moves."""
    return go(own_shop(folder, f"p 1 white 0 00000; {cards}", nobles), "buy p", TAKE)


def test_phase_plan_begins_with_cheap_cards_of_level_1(tmp_path: Path) -> None:
    cards = "a 1 red 0 00000; b 1 red 1 10000; c 2 red 5 00000; d 3 red 9 00000"
    table = own_shop(tmp_path, cards)
    assert wishes(table, "phase_plan") == {"buy a"}
    assert wishes(go(table, TAKE, "reserve a"), "phase_plan") == {"buy b"}


def test_phase_plan_prefers_colours_that_it_owns_least(tmp_path: Path) -> None:
    table = after_one(tmp_path, "a 1 white 0 00000; b 1 red 0 00000; c 1 blue 0 10000")
    assert wishes(table, "phase_plan(early=1)") == {"buy b", "buy c"}


@pytest.mark.parametrize(
    ("spec", "cards", "bought"),
    [
        # (points + 1) / net, 1 for level 2, 0.5 for each noble that asks for it
        ("phase_plan(early=0)", "b 2 blue 1 00000; c 3 red 1 00000", "b"),
        ("phase_plan(early=0)", "b 2 blue 1 00000; c 3 red 3 00000", "c"),
        ("phase_plan(early=0)", "b 1 red 0 00000; c 1 blue 0 00000", "c"),
        ("phase_plan(early=0)", "b 1 blue 0 00000; c 1 red 1 00000", "c"),
        ("phase_plan(early=0, noble=1.5)", "b 1 red 1 00000; c 1 blue 0 00000", "c"),
        # (points + 3 with the noble + 1) / (1 + net)
        ("phase_plan(early=0, middle=0)", "b 3 red 2 00000; c 1 white 0 00000", "c"),
        ("phase_plan(early=0, middle=0)", "b 1 white 0 00000; c 3 red 4 00000", "c"),
        ("phase_plan(early=0, middle=0)", "b 2 red 2 00000; c 3 red 2 00000", "c"),
    ],
)
def test_phase_plan_in_later_phases(spec: str, cards: str, bought: str, tmp_path: Path) -> None:
    table = after_one(tmp_path, cards, "n 3 20000; m 3 03000")
    assert wishes(table, spec) == {f"buy {bought}"}


def test_phase_plan_breaks_ties_at_random(tmp_path: Path) -> None:
    table = own_shop(tmp_path, "a 1 white 0 00000; b 1 blue 0 00000")
    assert wishes(table, "phase_plan", 60) == {"buy a", "buy b"}


def test_phase_plan_takes_for_the_card_that_it_would_buy(tmp_path: Path) -> None:
    table = own_shop(tmp_path, "a 1 red 0 40000; b 2 red 5 01000", bars={0: ["kind=buy"]})
    assert wishes(table, "phase_plan") == {"take white white"}


# -- few cards

DEAR = "a 3 white 4 07000; b 3 blue 3 00400; c 2 red 1 11100; d 3 red 4 00702"


def reserved(table: Table, spec: str) -> set[str]:
    """Return what a strategy would reserve here."""
    return {word for word in wishes(table, spec) if word.startswith("reserve")}


def test_straight_line_reserves_what_gives_most_for_a_token(tmp_path: Path) -> None:
    table = own_shop(tmp_path, DEAR)
    assert wishes(table, "straight_line") == {"reserve b"}
    assert not reserved(table, "straight_line(turns=0)")
    assert not reserved(table, "straight_line(ratio=1)")
    go(table, "reserve b", TAKE)
    assert wishes(table, "straight_line") == {"reserve a"}  # d gives 0.44 points for a token
    assert wishes(table, "straight_line(ratio=0.4)") == {"reserve d"}  # green, as b
    assert not reserved(table, "straight_line(reserves=1)")


def test_straight_line_stops_reserving_after_its_turns(tmp_path: Path) -> None:
    table = go(own_shop(tmp_path, DEAR), "take white red black", TAKE)
    assert not reserved(table, "straight_line(turns=1)")
    assert wishes(table, "straight_line(turns=2)") == {"reserve b"}


def test_straight_line_buys_only_what_serves_its_reserved_cards(tmp_path: Path) -> None:
    cards = "b 3 blue 3 00400; e 1 green 0 00000; f 1 white 0 00000"
    table = go(own_shop(tmp_path, cards), "reserve b", TAKE)
    assert wishes(table, "straight_line") == {"buy e"}
    found = wishes(go(table, "buy e", TAKE), "straight_line")
    assert all(word.startswith("take") and "green" in word for word in found)


# -- value for time


@pytest.mark.parametrize(
    ("spec", "cards", "word"),
    [
        ("tempo_value", "a 1 red 0 00000; b 3 red 2 00000", "buy b"),
        ("tempo_value", "a 1 red 0 00000; b 3 red 2 40000", "buy a"),  # 1.5, and 3.5 / 3
        ("tempo_value(bonus=1)", "a 1 red 0 00000; b 3 red 3 40000", "take white white"),  # 4 / 3
        ("tempo_value(points=9)", "a 1 red 0 00000; b 3 red 2 40000", "take white white"),
        ("tempo_value", "a 1 red 0 00000; b 3 red 8 50000", "buy a"),  # 9.5 / 7: one is not there
        ("tempo_value(points=2)", "a 1 red 0 00000; b 3 red 8 50000", "take white white"),
    ],
)
def test_tempo_value_weighs_by_turns(spec: str, cards: str, word: str, tmp_path: Path) -> None:
    assert wishes(own_shop(tmp_path, cards), spec) == {word}


@pytest.mark.parametrize(("decay", "word"), [(0, "take red red"), (1, "buy a")])
def test_tempo_value_counts_a_bonus_less_the_more_it_has(
    decay: int, word: str, tmp_path: Path
) -> None:
    table = after_one(tmp_path, "a 1 red 0 00000; b 3 red 1 00030")
    assert wishes(table, f"tempo_value(decay={decay})") == {word}


# -- what gains most

BUYS = {"buy a", "buy b", "buy c"}


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("linear_eval(points=0, nobles=0)", {"buy a"}),  # with the noble it reaches the target
        ("linear_eval(points=0, nobles=0, win=0)", BUYS),
        ("linear_eval(points=0, win=0)", {"buy a"}),
        ("linear_eval(nobles=0, win=0)", {"buy a"}),  # 3 points
    ],
)
def test_linear_eval_adds_up_what_a_card_brings(spec: str, words: set[str], tmp_path: Path) -> None:
    cards = "a 1 white 0 00000; b 1 blue 2 00000; c 1 red 1 00000"
    table = own_shop(tmp_path, cards, "n 3 10000", target=3)
    assert wishes(table, spec, 60) == words


def test_linear_eval_counts_a_noble_once_beside_its_points(tmp_path: Path) -> None:
    table = own_shop(tmp_path, "a 1 white 0 00000; b 1 blue 6 00000", "n 3 10000")
    assert wishes(table, "linear_eval(points=0.5, nobles=1)") == {"buy b"}  # 1.5 + 1, and 3
    assert wishes(table, "linear_eval(points=0.5, nobles=2)") == {"buy a"}


def test_linear_eval_without_weights_does_anything(tmp_path: Path) -> None:
    table = own_shop(tmp_path, "a 1 white 0 00000; b 1 blue 2 00000; c 1 red 1 00000")
    spec = "linear_eval(win=0, points=0, nobles=0, cards=0, tokens=0)"
    assert {*BUYS, "reserve a", "reserve blind 3"} <= wishes(table, spec, 200)


def test_linear_eval_takes_for_the_nearest_card_and_pays_little(tmp_path: Path) -> None:
    table = own_shop(tmp_path, "a 1 white 0 01001; b 1 blue 0 10000; c 1 red 0 00110")
    found = wishes(table, "linear_eval")
    assert all(word.startswith("take white ") and word.count(" ") == 3 for word in found)
    go(table, TAKE, "take white red black")
    assert wishes(table, "linear_eval") == {"buy b"}
    assert "buy b" not in wishes(table, "linear_eval(tokens=1)")


# -- taking away


def rich(folder: Path, cards: str, nobles: str = "", **more: Any) -> Table:
    """Return a game of two in which seat 1 has three green tokens, seat 0 none."""
    table = own_shop(folder, cards, nobles, **more)
    go(table, "take white red black", "take green green", "take white red black", TAKE)
    assert held(table, 1)["green"] == 3
    return table


@pytest.mark.parametrize("base", ["greedy_buy", "tempo_value", "never_reserve"])
def test_denier_reserves_what_an_opponent_can_buy(base: str, tmp_path: Path) -> None:
    table = rich(tmp_path, "a 1 white 3 00300; b 1 white 2 00100; c 1 red 9 00500")
    assert wishes(table, f"denier(base={base})") == {"reserve a"}
    assert wishes(table, f"denier(base={base}, points=4)") == wishes(table, base)
    assert not reserved(table, base)


def test_denier_looks_at_the_target(tmp_path: Path) -> None:
    cards = "a 1 white 2 00300; b 1 white 1 00100"
    assert wishes(rich(tmp_path, cards, target=2), "denier") == {"reserve a"}
    assert not reserved(rich(tmp_path, cards, target=3), "denier")
    assert wishes(rich(tmp_path, cards, "n 1 10000", target=3), "denier") == {"reserve a"}


def test_denier_buys_what_it_denies_first_with_two_players_only(tmp_path: Path) -> None:
    cards = "a 1 white 3 00000; b 1 blue 4 20000"
    for players, word in ((2, "buy a"), (3, "buy b"), (4, "buy b")):
        table = own_shop(tmp_path, cards, players=players)
        go(table, "take white white", *["take blue green red"] * (players - 1))
        assert wishes(table, "greedy_buy") == {"buy b"}
        assert wishes(table, "denier") == {word}


def test_denier_watches_who_leads(tmp_path: Path) -> None:
    cards = "a 1 white 3 00300; f 1 red 1 00000"
    table = own_shop(tmp_path, cards, players=3)
    go(table, "take white red black", "take green green", "buy f")
    go(table, "take white red black", TAKE, "take white red black")
    assert table.scores == [0, 0, 1]
    assert not reserved(table, "denier")  # seat 1 could buy it, but seat 2 leads


@pytest.mark.parametrize("base", ["greedy_buy", "straight_line"])
@pytest.mark.parametrize("points", [0, 3, 20])
def test_denier_does_as_its_base_where_nobody_threatens(base: str, points: int) -> None:
    denied = 0
    for number, position in enumerate(positions()[points % 2 :: 2]):
        plain = position.plain
        [alone] = position.answers(base, 1, number)
        [found] = position.answers(f"denier(base={base}, points={points})", 1, number)
        busy = plain.players > 2 and BUY <= alone < RESERVE
        cards = threats(plain, points) if plain.decision == "main" and not busy else set()
        ways = [*({BUY + card, RESERVE + card} & plain.legal for card in cards)]
        away = {min(way, default=alone) for way in ways}  # it rather buys than reserves
        assert found in (away or {alone}), position
        denied += found != alone
    assert denied > 0 or points > 0


# -- strategies around another one


@pytest.mark.parametrize("base", [*BASES, "denier", "noble_aligned"])
def test_never_reserve_plays_as_its_base_with_reserving_barred(base: str) -> None:
    for number, position in enumerate(positions()[::4]):
        assert position.game.to_move is not None
        barred = position.game.clone()
        barred.bar(position.seat, "kind=reserve")
        [wanted] = Position(barred, position.plain.cards).answers(base, 1, number)
        [found] = position.answers(f"never_reserve(base={base})", 1, number)
        assert found == wanted or wanted not in position.plain.legal or wanted >= RESERVE
        assert found in position.plain.legal, position


def reserves(action: int) -> bool:
    """Return whether an action reserves a card."""
    return BLIND <= action < PASS or action >= RESERVE


def test_never_reserve_is_its_base_where_that_does_not_think_of_reserving() -> None:
    for number, position in enumerate(positions()[::4]):
        for base in ("greedy_buy", "tempo_value", "phase_plan", "straight_line"):
            alone = position.answers(base, 1, number)
            if not reserves(alone[0]):
                assert position.answers(f"never_reserve(base={base})", 1, number) == alone


@strategy("splendor", name="held_to_it")
def held_to_it(  # type: ignore[no-untyped-def]
    table, me, rules, memo, rng, base: Strategy = "never_reserve"
):
    """Do as `base`, but something illegal where it reserves and could do something else."""
    action = ask(base, table, me, rules, memo, rng)
    if (action >= BLIND and action < PASS) or action >= RESERVE:
        for n in range(CANDIDATES):
            other = candidate(table, me, n)
            reserving = (other >= BLIND and other < PASS) or other >= RESERVE
            if other >= 0 and not reserving and view.legal(table, me, rules, other):
                return -1
    return action


def test_never_reserve_never_reserves_in_many_games() -> None:
    player = bind_for(GAME, held_to_it)
    line_ups = [
        [replace(player, values=(bind_for(GAME, f"never_reserve(base={base})"),)) for base in bases]
        for bases in (BASES[:3], BASES[3:6], ["random", "denier", "noble_aligned", "random"])
    ]
    for line_up in line_ups:
        cell = Cell(rule_book(GAME, "literal"), len(line_up))
        playing = Playing(Case(cell, tuple(line_up)))
        for bars in (None, *(drawn * [0, 1, 1] for drawn in draws(GAME, len(line_up), 3))):
            assert playing.play(0, 400, bars).fault is None  # bars on cards
    [greedy] = [replace(player, values=(bind_for(GAME, "straight_line"),))]
    cell = Cell(rule_book(GAME), 2)
    assert Playing(Case(cell, (greedy, greedy))).play(0, 50).fault is not None  # it is held to it


def test_never_reserve_does_not_reserve_where_all_is_barred(tmp_path: Path) -> None:
    table = own_shop(tmp_path, DEAR, bars={0: ["kind=buy", "kind=take", "kind=reserve"]})
    assert not reserved(table, "never_reserve(base=straight_line)")


def games(*line_up: str, number: int = 300, seats: str = "fixed") -> Any:
    """Return the results of games with these strategies, [games, seats]."""
    bound = tuple(bind_for(GAME, spec) for spec in line_up)
    spec = Spec(GAME, len(bound), rule_book(GAME), bound, seats, 5, {})
    batch = Worker(spec, events=False).play(0, number)
    assert batch.fault is None
    return batch.results


def test_never_reserve_reserves_no_card_in_its_games() -> None:
    found = games("never_reserve(base=straight_line)", "straight_line", number=1000)
    own = found["reserved_seen"] + found["reserved_blind"]
    assert own[:, 0].mean() < 0.02  # where nothing else was left
    assert own[:, 1].mean() > 2


@pytest.mark.parametrize("base", [*BASES, "denier", "never_reserve"])
def test_noble_aligned_without_weight_plays_the_games_of_its_base(base: str) -> None:
    aligned = f"noble_aligned(base={base}, weight=0)"
    assert np.array_equal(games(aligned, aligned, "random"), games(base, base, "random"))


def more_nobles(found: Any) -> float:
    """Return how many nobles more seat 0 got, in standard errors."""
    more = found["nobles"][:, 0].astype(float) - found["nobles"][:, 1]
    return float(more.mean() / more.std() * np.sqrt(len(more)))


def test_noble_aligned_only_breaks_the_ties_of_what_orders_cards() -> None:
    """However large the weight, and then towards nobles."""
    base = "greedy_buy"
    found = games(f"noble_aligned(base={base})", base, number=4000)
    other = games(f"noble_aligned(base={base}, weight=100)", base, number=4000)
    assert np.array_equal(found, other)
    assert more_nobles(found) > 3


@pytest.mark.parametrize("base", ["tempo_value", "phase_plan", "linear_eval", "straight_line"])
def test_noble_aligned_adds_to_what_cards_are_worth(base: str) -> None:
    assert more_nobles(games(f"noble_aligned(base={base}, weight=1)", base, number=3000)) > 3


@pytest.mark.parametrize("base", ["greedy_buy", "tempo_value", "linear_eval"])
def test_noble_aligned_chooses_what_nobles_ask_for(base: str, tmp_path: Path) -> None:
    cards = "a 1 white 1 00000; b 1 blue 1 00000; c 1 red 1 00000"
    table = own_shop(tmp_path, cards, "n 3 03000; m 3 02010")
    assert wishes(table, base, 60) == BUYS
    assert wishes(table, f"noble_aligned(base={base})", 60) == {"buy b"}
    assert wishes(table, f"noble_aligned(base={base}, weight=0.001)", 60) == {"buy b"}


def test_noble_aligned_weighs_points_against_nobles(tmp_path: Path) -> None:
    cards = "a 1 white 1 00000; b 1 blue 0 00000"
    table = own_shop(tmp_path, cards, "n 3 03000; m 3 02010")  # the term of blue is 1/4 + 1/4
    assert wishes(table, "noble_aligned(weight=1.9)") == {"buy a"}
    assert wishes(table, "noble_aligned(weight=2.1)") == {"buy b"}
    assert wishes(table, "noble_aligned(base=greedy_buy, weight=99)") == {"buy a"}
