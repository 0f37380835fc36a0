"""The figures of RULES.md section 10, reproduced by the kernel within four standard errors."""

from __future__ import annotations

import functools
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest

from simlab.core.game import rule_book
from simlab.core.registry import bind_for, find_game
from simlab.running.spec import Spec, make_spec
from simlab.running.worker import Worker

GAMES = 1_000_000
DIAMANT = find_game("diamant")
TREASURE_VALUES = [1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 11, 13, 14, 15, 17]


@functools.lru_cache(maxsize=64)
def played(
    line_up: tuple[str, ...], rules: str, changes: tuple[str, ...] = (), games: int = GAMES
) -> Any:
    """Return the result records of games with these strategies in these seats, [games, seats]."""
    book = rule_book(DIAMANT, rules, dict(change.split("=") for change in changes))
    bound = tuple(bind_for(DIAMANT, text) for text in line_up)
    spec = Spec(DIAMANT, len(line_up), book, bound, "fixed", 7, {})
    batch = Worker(spec, events=False).play(0, games)
    assert batch.fault is None
    return batch.results


def close(values: Any, wanted: float, also: float = 0.0) -> None:
    """Demand that the mean of independent values is within four standard errors of a figure.

    also: standard error of the figure itself.
    """
    mean = float(np.mean(values))
    error = float(np.hypot(np.std(values) / np.sqrt(len(values)), also))
    rounding = 0.00006 if also == 0 else 0.0006
    assert abs(mean - wanted) <= 4 * error + rounding, (mean, wanted, error)


def survival(k: int, harmless: int) -> float:
    """S(k) of section 10.1: no accident in the first k cards of a deck with so many others."""
    ways = sum(comb(5, j) * 3**j * comb(harmless, k - j) for j in range(min(5, k) + 1))
    return float(Fraction(ways, comb(harmless + 15, k)))


SURVIVAL = {
    2: (0.9748, 0.9677, 0.9655), 5: (0.7714, 0.7133, 0.6954), 8: (0.4760, 0.3749, 0.3464),
    10: (0.2965, 0.1969, 0.1715), 15: (0.0476, 0.0142, 0.0091),
}  # fmt: skip
DECKS = {"official": 20, "incan_gold": 16, "schmidt_2005": 15}
MEANS = {"official": 8622 / 1001, "incan_gold": 7664 / 1001, "schmidt_2005": 14849 / 2002}
VARIANCES = {"official": 14.296, "incan_gold": 10.704, "schmidt_2005": 9.884}
LAST = {"official": 26, "incan_gold": 22, "schmidt_2005": 21}


def test_the_printed_survivals_are_the_formula() -> None:
    for k, printed in SURVIVAL.items():
        for harmless, wanted in zip(DECKS.values(), printed, strict=True):
            assert abs(survival(k, harmless) - wanted) < 0.00006


@pytest.mark.parametrize("rules", DECKS)
def test_accidents_come_at_the_card_they_should(rules: str) -> None:
    results = played(("never_leave",) * 3, rules, ("expeditions=1",))
    assert (results["accidents"] == 1).all()
    at = results["cards"][:, 0].astype(int) + 1
    close(at, MEANS[rules])
    close((at - MEANS[rules]) ** 2, VARIANCES[rules], also=0.0005)
    assert at.max() <= LAST[rules]
    for k in range(1, 16):
        close(at > k, survival(k, DECKS[rules]))


@functools.lru_cache(maxsize=1)
def paths(games: int = 60_000) -> Any:
    """Return (treasures, gems, traps, relics) of the path at the accident, one row a game."""
    spec = make_spec("diamant", 3, ["never_leave"], "official", {"expeditions": 1})
    worker = Worker(spec, events=False)
    masks = np.empty(games, np.int64)
    for game in range(games):
        worker.play(game, 1)
        masks[game] = worker._state().tables["on_path"][0]
    cards = (masks[:, None] >> np.arange(35)) & 1
    gems = cards[:, :15] @ np.array(TREASURE_VALUES)
    return np.column_stack(
        [cards[:, :15].sum(1), gems, cards[:, 15:30].sum(1), cards[:, 30:].sum(1)]
    )


def test_what_lies_on_the_path_at_the_accident() -> None:
    treasures, gems, traps, relics = paths().T
    close(treasures, 7185 / 2002)
    close(gems, 29698 / 1001)
    close(traps - 1, 2.8282)
    close(relics, 1.1963)


ONE_EXPEDITION = {
    "fixed_depth(cards=1)": (3.5429, 1.0000, 0.6857, 0.5429, 0.3714, 0.2286),
    "fixed_depth(cards=3)": (10.3444, 3.1555, 2.2677, 1.7571, 1.3690, 0.9300),
    "fixed_depth(cards=5)": (15.0252, 4.7511, 3.4724, 2.7051, 2.1869, 1.5463),
    "fixed_depth": (16.3359, 5.2534, 3.8689, 3.0376, 2.4833, 1.7908),
    "fixed_depth(cards=9)": (14.4325, 4.6835, 3.4651, 2.7338, 2.2463, 1.6371),
    "trap_count(traps=2)": (13.2857, 4.1955, 3.0643, 2.3997, 1.9283, 1.3663),
    "trap_count": (13.7967, 4.4156, 3.2460, 2.5499, 2.0732, 1.4897),
    "risk_limit": (15.0630, 4.8250, 3.5483, 2.7879, 2.2684, 1.6313),
}
BEST_THRESHOLD = {1: (25, 15.9932), 3: (8, 5.1075), 4: (5, 3.7575), 5: (4, 2.9299),
                  6: (3, 2.3808), 8: (2, 1.6759)}  # fmt: skip


def one_expedition(text: str, explorers: int) -> Any:
    games = GAMES if explorers < 6 else GAMES // 2
    return played((text,) * explorers, "official", ("expeditions=1",), games)


@pytest.mark.parametrize("place", range(6), ids=lambda place: f"n={(1, 3, 4, 5, 6, 8)[place]}")
@pytest.mark.parametrize("text", ONE_EXPEDITION)
def test_one_expedition_together(text: str, place: int) -> None:
    explorers = (1, 3, 4, 5, 6, 8)[place]
    results = one_expedition(text, explorers)
    close((results["shares"] + results["leftovers"])[:, 0], ONE_EXPEDITION[text][place])
    if explorers > 1:
        assert (results["relics"] == 0).all()
        assert (results["score"] == results["score"][:, :1]).all()


@pytest.mark.parametrize("explorers", BEST_THRESHOLD)
def test_the_best_thresholds(explorers: int) -> None:
    gems, wanted = BEST_THRESHOLD[explorers]
    results = one_expedition(f"threshold(gems={gems})", explorers)
    close((results["shares"] + results["leftovers"])[:, 0], wanted)


@pytest.mark.parametrize(("traps", "wanted"), [(2, 1 / 7), (3, 0.4066), (4, 0.7033), (5, 0.9191)])
def test_accidents_of_trap_count(traps: int, wanted: float) -> None:
    close(one_expedition(f"trap_count(traps={traps})", 3)["accidents"][:, 0], wanted)


def test_looking_one_card_ahead_is_the_best_of_one_explorer() -> None:
    results = one_expedition("myopic_ev", 1)
    close((results["shares"] + results["leftovers"])[:, 0], 17.3399)
    close(results["accidents"][:, 0], 0.403, also=0.0005 / 4)
    seen = results["cards"][:, 0].astype(int) + results["accidents"][:, 0]
    close(seen, 6.08, also=0.005 / 4)


def test_one_explorer_with_relics_and_the_smaller_deck() -> None:
    close(one_expedition("fixed_depth", 1)["score"][:, 0], 19.6436)
    results = played(("fixed_depth(cards=6)",) * 4, "incan_gold", ("expeditions=1",))
    close(results["score"][:, 0], 3.9483)


PER_CARD = ("leftover_split=per_card",)
FOUR = [
    (("fixed_depth(cards=5)",) * 4, [21.9079], [18.2090], [15.188], [18.762]),
    (("fixed_depth",) * 4, [29.3371], [20.6327], [16.791], [20.775]),
    (("risk_limit",) * 4, [41.616], [18.813], [15.466], [18.918]),
    (("never_leave",) * 4, [43.123], [0], [0], [0]),
    (
        tuple(f"fixed_depth(cards={k})" for k in (3, 5, 7, 9)),
        [38.9141, 37.6349, 48.4368, 69.7595],
        [32.2349, 28.9821, 32.7013, 38.2895],
        [32.2349, 28.9821, 32.7013, 38.2895],
        [30.095, 27.752, 31.414, 36.582],
    ),
    (
        ("never_leave", *("fixed_depth(cards=5)",) * 3),
        [135.47, 32.429],
        [0, 21.937],
        [0, 20.866],
        [0, 22.202],
    ),
    (
        tuple(f"threshold(gems={k})" for k in (5, 10, 15, 20)),
        [57.454, 46.840, 47.912, 57.119],
        [43.785, 25.119, 17.564, 15.150],
        [43.785, 25.119, 17.518, 15.105],
        [41.562, 24.493, 17.371, 15.060],
    ),
]
EXACT = {("fixed_depth(cards=5)",) * 4, ("fixed_depth",) * 4, FOUR[4][0]}


@pytest.mark.parametrize("column", range(4), ids=["standard", "official", "per_card", "incan_gold"])
@pytest.mark.parametrize("row", range(len(FOUR)), ids=lambda row: FOUR[row][0][0])
def test_full_games_of_four(row: int, column: int) -> None:
    line_up, *figures = FOUR[row]
    rules = ("standard", "official", "official", "incan_gold")[column]
    results = played(line_up, rules, PER_CARD if column == 2 else (), GAMES // 2)
    exact = column < 2 and line_up in EXACT
    for seat, wanted in enumerate(figures[column]):
        error = 0.0 if exact or wanted == 0 else 0.028 if wanted == 135.47 else 0.01
        scores = results["score"].astype(float)
        last = len(figures[column]) - 1
        mine = scores[:, seat:].mean(1) if seat == last < 3 else scores[:, seat]
        close(mine, wanted, also=error)


def test_expeditions_of_four_who_never_leave() -> None:
    spec = make_spec("diamant", 4, ["never_leave"])
    batch = Worker(spec, events=True).play(0, 200_000)
    first = batch.events[batch.events["seat"] == 0]
    for place, (accident, home) in enumerate(
        [(1, 0), (1, 0), (0.965, 0.035), (0.554, 0.446), (0.091, 0.910)]
    ):
        kinds = first["kind"][first["turn"] == place + 1]
        close(kinds == 1, accident, also=0.0005)
        close(kinds == 2, home, also=0.0006)


@pytest.mark.parametrize(
    ("rules", "wanted"),
    [("standard", [15, 11.17, 7.34, 3.57, 0.84]), ("official", [15, 14, 13, 12, 11])],
)
def test_traps_left_at_the_start_of_each_expedition(rules: str, wanted: list[float]) -> None:
    for played_before, left in enumerate(wanted[1:], start=1):
        spec = make_spec("diamant", 4, ["never_leave"], rules, {"expeditions": played_before})
        worker = Worker(spec, events=False)
        traps = np.empty(20_000)
        for game in range(len(traps)):
            worker.play(game, 1)
            table = worker._state().tables
            on_path = bin(int(table["on_path"][0]) >> 15 & 0x7FFF).count("1")
            going_back = on_path - 1 if rules == "official" else 0  # one trap leaves, or all do
            traps[game] = table["copies"][0].sum() + going_back
        close(traps, left, also=0.0013)
