"""Diamant against its referee, word by word: every rule set, every number of players, every rule.

Most games are played in compiled code (`tests/tracer.py`); a few are played through `Table` as
well, which must show the same words, cards and faces.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simlab.core.game import Key
from simlab.games.diamant import GAME
from tests.harness import cells
from tests.tracer import compare_table, judge_deals, judge_table

CELLS = cells(GAME)
FULL = 1000  # deals for each rule set and number of players, each at random and by strategies
TENTH = FULL // 10
HEAD = "id,category,subtype,value,copies\n"
CARD_FILES = {
    "no traps": "t1,treasure,,8,1\nt2,treasure,,13,2\nr1,relic,,,2\n",
    "one treasure": "t1,treasure,,7,1\n",
    "worthless treasures": "t1,treasure,,0,3\nt2,treasure,,1,4\na,trap,a,,3\n",
    "pairs at most": "t1,treasure,,9,4\na,trap,a,,2\nb,trap,b,,2\nc,trap,c,,1\nr1,relic,,,1\n",
    "traps listed apart": "a1,trap,a,,1\nb1,trap,b,,2\na2,trap,a,,2\nt1,treasure,,5,3\n",
    "many types": "t1,treasure,,1000,9\n" + "".join(f"{t},trap,{t},,3\n" for t in "abcdefghij"),
    "printed relics": "r1,relic,,4,1\nt1,treasure,,6,5\nr2,relic,,9,2\na,trap,a,,3\nr3,relic,,1,1",
}


@pytest.mark.parametrize(("rules", "players"), CELLS)
def test_a_tenth_of_the_games_agrees(rules: str, players: int) -> None:
    assert judge_deals(GAME, players, range(TENTH), rules) == 2 * TENTH


@pytest.mark.validate
@pytest.mark.parametrize(("rules", "players"), CELLS)
def test_all_games_agree(rules: str, players: int) -> None:
    assert judge_deals(GAME, players, range(FULL), rules) == 2 * FULL


# -- through Table


@pytest.mark.parametrize(("rules", "players"), CELLS)
def test_table_agrees_and_its_words_repeat_the_game(rules: str, players: int) -> None:
    judge_table(GAME, players, rules)


@pytest.mark.parametrize(("rules", "players"), CELLS)
def test_table_and_compiled_play_are_the_same_game(rules: str, players: int) -> None:
    compare_table(GAME, players, rules)


# -- every value of every rule


def values_of(key: Key) -> list[Any]:
    return list(key.values) or list(range(key.low, key.high + 1))


def variants() -> Iterator[tuple[str, str, Any]]:
    """Yield (rule set, key, value): every value of every key, on three rule sets.

    Printed values need relics that have some; the others follow in test_cases.py.
    """
    for rules in ("standard", "official", "incan_gold_2020"):
        for key in GAME.keys:
            for value in values_of(key):
                if value != "printed" or rules == "incan_gold_2020":
                    yield rules, key.name, value


@pytest.mark.parametrize(("rules", "key", "value"), list(variants()))
def test_every_value_of_every_rule(rules: str, key: str, value: Any) -> None:
    for players in (2,) if (key, value) == ("explorers", 2) else (3, 6):
        judge_deals(GAME, players, range(10), rules, {key: value})


def judge_mixture(seed: int) -> None:
    """Compare games under values drawn for every key, with the cards of a drawn rule set."""
    rng = random.Random(f"mixture {seed}")
    rules = rng.choice(sorted(GAME.rule_sets))
    chosen = {key.name: rng.choice(values_of(key)) for key in GAME.keys}
    if rules != "incan_gold_2020":
        chosen["relic_value"] = "by_order"
    low, high = GAME.seats(rules, chosen)
    judge_deals(GAME, rng.randint(low, high), range(5), rules, chosen)


@pytest.mark.parametrize("seed", range(40))
def test_mixtures_of_rules(seed: int) -> None:
    judge_mixture(seed)


@pytest.mark.validate
@pytest.mark.parametrize("first", range(100, 2100, 100))
def test_many_mixtures_of_rules(first: int) -> None:
    for seed in range(first, first + 100):
        judge_mixture(seed)


@pytest.mark.parametrize("name", CARD_FILES)
def test_card_files(name: str, tmp_path: Path) -> None:
    path = tmp_path / "cards.csv"
    path.write_text(HEAD + CARD_FILES[name], encoding="utf-8")
    for rules in GAME.rule_sets:
        value = "printed" if name == "printed relics" else "by_order"
        judge_deals(GAME, 4, range(4), rules, {"cards": path, "relic_value": value})
        more = {"relic_entry": "all", "expeditions": 9, "leftover_split": "per_card"}
        judge_deals(GAME, 8, range(2), rules, {"cards": path, "relic_value": value} | more)


# -- the comparison itself can fail


@pytest.mark.parametrize(
    ("rules", "key", "value"),
    [
        ("standard", "relic_entry", "none"),
        ("incan_gold", "relic_entry", "all"),
        ("incan_gold_2020", "relic_value", "by_order"),
        ("standard", "relic_unclaimed", "returned"),
        ("standard", "trap_removal", "trigger"),
        ("standard", "leftover_split", "per_card"),
        ("standard", "tie_break", "most_relics"),
        ("standard", "expeditions", 4),
    ],
)
def test_a_referee_of_other_rules_disagrees(rules: str, key: str, value: Any) -> None:
    with pytest.raises(AssertionError):
        judge_deals(GAME, 4, range(200), rules, told={key: value})
