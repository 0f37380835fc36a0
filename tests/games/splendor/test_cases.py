"""Tricky cases of Splendor as scripted games: s01 to s23 and RULES.md section 8.

Turns are those of seat 0, seat 1 ... in turn. A card of one's own is "id level bonus points cost",
its cost in digits for white, blue, green, red, black. s07 and s08 are about data: test_cards.py.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest

from simlab import Table
from simlab.core.game import rule_book
from simlab.errors import IllegalAction
from simlab.games.splendor import GAME
from simlab.games.splendor.actions import COLOURS
from tests.games.splendor.boxes import cards_file
from tests.games.splendor.shop import TAKE, bank, forced, go, held, own_shop, seen, shop, words
from tests.harness import records

PILES = {2: 4, 3: 5, 4: 7}
FREE = "; ".join(f"f{number} 1 red 0 00000" for number in range(1, 13))
TRIPLES = {"take " + " ".join(colours) for colours in combinations(COLOURS, 3)}
PAIRS = {"take " + " ".join(colours) for colours in combinations(COLOURS, 2)}
SINGLES = {f"take {colour}" for colour in COLOURS}
DOUBLES = {f"take {colour} {colour}" for colour in COLOURS}


def illegal(table: Table, word: str) -> bool:
    """Return whether a word is refused and the table left as it is."""
    before = records(table)
    with pytest.raises(IllegalAction):
        table.play(word)
    return records(table) == before


def nine(folder: Path, **more: Any) -> Table:
    """Return a game of two in which seat 0 has 9 tokens and moves; seat 1 has free cards alone."""
    table = own_shop(folder, FREE, **more)
    go(table, TAKE, "buy f1", TAKE, "buy f2", "take white red black", "buy f3")
    assert held(table, 0) == {"white": 3, "blue": 2, "green": 2, "red": 1, "black": 1}
    return table


def ten(folder: Path) -> Table:
    """Return the same with a gold token, which makes 10."""
    table = go(nine(folder), "reserve blind 2", "buy f4")
    assert sum(held(table, 0).values()) == 10
    return table


# -- s01, s02: ties


def tie(folder: Path, **changed: Any) -> Table:
    """Return a game that ended 15 to 15: two cards and a noble, one card and a reserved one."""
    cards = "a 1 white 6 00000; b 1 white 6 00000; c 3 blue 15 00000"
    table = own_shop(folder, cards, "n 3 20000", **changed)
    return go(table, "buy a", "reserve blind 2", "buy b", "buy c")


@pytest.mark.parametrize(("rule", "ranks"), [("fewest_cards", [2, 1]), ("shared", [1, 1])])
def test_s01_among_equal_points_fewest_bought_cards_win_and_not_most_nobles(
    rule: str, ranks: list[int], tmp_path: Path
) -> None:
    table = tie(tmp_path, tie_break=rule)
    assert (table.finished, table.end_reason, table.scores) == (True, "finished", [15, 15])
    assert table.columns["nobles"] == [1, 0]
    assert table.ranks == ranks


@pytest.mark.parametrize("rules", GAME.rule_sets)
def test_s01_rule_sets_have_their_tie_break(rules: str, tmp_path: Path) -> None:
    assert tie(tmp_path, rules=rules).winners == ([0, 1] if rules == "literal" else [1])


def test_s02_who_is_still_tied_shares(tmp_path: Path) -> None:
    table = own_shop(tmp_path, "a 1 white 15 00000; b 1 blue 15 00000", players=3)
    go(table, "buy a", "buy b", TAKE)
    assert (table.scores, table.ranks, table.winners) == ([15, 15, 0], [1, 1, 3], [0, 1])


# -- s03 to s06: nobles

TO_13 = "p 1 white 13 00000; q 1 white 15 00000; r 1 white 0 00000"


def test_s03_a_noble_counts_at_once_and_begins_the_last_round(tmp_path: Path) -> None:
    table = go(own_shop(tmp_path, TO_13, "n 3 20000"), "buy p", TAKE)
    assert (table.scores, seen(table)["end_flag"]) == ([13, 0], False)
    go(table, "buy r")
    assert (table.scores, seen(table)["end_flag"]) == ([16, 0], True)
    assert forced(table) == [(0, "noble n")]
    assert (table.to_move, table.finished) == (1, False)
    assert go(table, TAKE).finished


def test_s03_a_noble_comes_in_the_last_round_too(tmp_path: Path) -> None:
    table = go(own_shop(tmp_path, TO_13, "n 3 20000"), TAKE, "buy p", "buy q", "buy r")
    assert (table.finished, table.scores, table.winners) == (True, [15, 16], [1])


def test_s04_tokens_and_reserved_cards_bring_no_noble(tmp_path: Path) -> None:
    cards = "a 1 white 0 00000; b 1 white 0 00000; c 1 white 0 00000"
    table = own_shop(tmp_path, cards, "n 3 20000")
    go(table, "take white white", TAKE, "reserve a", TAKE, "reserve b", "take green red black")
    go(table, "buy c", "reserve blind 1")
    assert (held(table, 0), seen(table)["nobles"][0]) == ({"white": 2, "gold": 2}, "n")
    assert table.scores == [0, 0]
    go(table, "buy b")
    assert (table.scores, seen(table)["nobles"][0]) == ([3, 0], None)


def test_s05_a_noble_leaves_the_table_once_and_a_copy_keeps_it(tmp_path: Path) -> None:
    table = go(own_shop(tmp_path, "a 1 white 0 00000", "n 3 10000; m 4 10000"), "buy a")
    assert (table.decision, words(table)) == ("noble", {"noble n", "noble m"})
    kept = table.clone()
    go(table, "noble m")
    assert seen(table)["nobles"][:2] == ["n", None]
    assert (table.scores, table.columns["nobles"], table.to_move) == ([4, 0], [1, 0], 1)
    assert seen(kept)["nobles"][:2] == ["n", "m"]
    assert (kept.scores, kept.columns["nobles"], kept.to_move) == ([0, 0], [0, 0], 0)
    go(kept, "noble n")
    assert seen(kept)["nobles"][:2] == [None, "m"]


def test_s06_all_nobles_may_come_to_one_player(tmp_path: Path) -> None:
    court = "; ".join(f"n{number} 3 10000" for number in range(5))
    table = own_shop(tmp_path, "a 1 white 0 00000", court, players=4, target=100)
    go(table, "buy a", "noble n3", TAKE, TAKE, TAKE)
    for number in (0, 4, 1):
        others = [f"reserve blind {level}" for level in (1, 2, 3)]
        go(table, "reserve blind 1", f"noble n{number}", *others)
    go(table, "take white red black")
    assert forced(table) == [(0, "noble n2")]
    assert (table.columns["nobles"], table.scores) == ([5, 0, 0, 0], [15, 0, 0, 0])
    assert seen(table)["nobles"] == [None] * 5


def test_two_nobles_at_once_and_the_other_one_comes_next_turn(tmp_path: Path) -> None:
    table = own_shop(tmp_path, "a 1 white 0 00000", "n 3 10000; m 3 10000")
    go(table, "buy a", "noble n", TAKE)
    assert table.scores == [3, 0]
    go(table, "take white red black")
    assert (table.scores, forced(table)) == ([6, 0], [(0, "noble m")])


def test_two_nobles_at_once_and_the_other_one_goes_to_who_is_next(tmp_path: Path) -> None:
    cards = "a 1 white 0 00000; b 1 white 0 00000"
    table = go(own_shop(tmp_path, cards, "n 3 10000; m 3 10000"), "buy a", "noble n", "buy b", TAKE)
    assert (table.scores, forced(table)) == ([3, 3], [(1, "noble m")])
    assert (table.to_move, table.decision) == (1, "main")


# -- s09 to s11, s21: ten tokens


def test_s09_the_limit_is_ten_and_counts_gold_but_no_bonuses(tmp_path: Path) -> None:
    table = nine(tmp_path)
    go(table, "reserve blind 2")
    assert (held(table, 0)["gold"], sum(held(table, 0).values()), table.to_move) == (1, 10, 1)
    go(table, "buy f4", "buy f5", "buy f6", "buy f7", "buy f8")
    assert (sum(seen(table)["bonuses"][0].values()), table.to_move) == (2, 0)
    go(table, "take blue red black")
    assert (table.decision, sum(held(table, 0).values())) == ("return", 13)


def test_s09_the_limit_holds_at_the_end_of_the_turn_not_during_it(tmp_path: Path) -> None:
    table = nine(tmp_path)
    assert "take blue red black" in words(table)
    go(table, "take blue red black")
    for left in (12, 11):
        assert (table.to_move, table.decision) == (0, "return")
        assert sum(held(table, 0).values()) == left
        go(table, "return white")
    assert (table.to_move, sum(held(table, 0).values())) == (1, 10)
    assert table.columns["returned"] == [2, 0]


def test_s10_nothing_can_be_given_back_at_ten_or_below(tmp_path: Path) -> None:
    table = shop()
    for word in ("return white", "return gold"):
        assert illegal(table, word)
    table = ten(tmp_path)
    assert not words(table, "return")
    assert illegal(table, "return gold")
    go(table, "reserve blind 2", "return white")
    assert (table.to_move, sum(held(table, 0).values())) == (1, 10)


def test_s11_exactly_the_excess_goes_back_in_any_mix(tmp_path: Path) -> None:
    table = go(ten(tmp_path), "take blue red black")
    mine = held(table, 0)
    assert words(table) == {f"return {token}" for token in mine}
    before = bank(table)
    mixes = 0
    for mix in combinations_with_replacement(mine, 3):
        given = Counter(mix)
        if any(count > mine[token] for token, count in given.items()):
            continue
        twin = go(table.clone(), *(f"return {token}" for token in mix))
        assert (twin.to_move, twin.decision) == (1, "main")
        assert Counter(held(twin, 0)) == Counter(mine) - given
        assert sum(bank(twin)) == sum(before) + 3
        mixes += 1
    assert mixes > 40


def test_s11_all_tokens_just_taken_may_go_back(tmp_path: Path) -> None:
    table = ten(tmp_path)
    before, tokens = bank(table), held(table, 0)
    go(table, "take blue red black", "return blue", "return black", "return red")
    assert (bank(table), held(table, 0), table.to_move) == (before, tokens, 1)


def test_s21_taking_over_ten_is_offered(tmp_path: Path) -> None:
    table = nine(tmp_path)
    assert {"take blue red black", "take red black"} & words(table) == {"take blue red black"}
    go(table, "take blue red black", "return blue", "return red")
    assert (held(table, 0)["black"], sum(held(table, 0).values())) == (2, 10)


def test_reserving_at_ten_tokens_the_new_gold_may_go_back(tmp_path: Path) -> None:
    table = ten(tmp_path)
    go(table, "reserve blind 2")
    assert (table.decision, held(table, 0)["gold"]) == ("return", 2)
    go(table, "return gold")
    assert (table.to_move, held(table, 0)["gold"], len(seen(table)["reserved"][0])) == (1, 1, 2)


# -- s12 to s15: what may be taken


def test_s12_without_gold_in_the_bank_reserving_gives_none() -> None:
    table = go(shop(), *["reserve blind 1"] * 5)
    assert bank(table)[-1] == 0
    assert "reserve blind 1" in words(table)
    market = next(iter(words(table, "reserve") - {f"reserve blind {n}" for n in (1, 2, 3)}))
    for word in ("reserve blind 1", market):
        twin = go(table.clone(), word)
        assert (held(twin, 1), len(seen(twin)["reserved"][1])) == ({"gold": 2}, 3)


@pytest.mark.parametrize(("players", "takes"), [(2, 1), (3, 1), (4, 2)])
def test_s13_two_of_a_colour_need_four_in_the_bank(players: int, takes: int) -> None:
    table = shop(players=players)
    assert words(table, "take") >= DOUBLES
    go(table, *["take white white"] * takes)
    assert bank(table)[0] == PILES[players] - 2 * takes < 4
    assert illegal(table, "take white white")
    assert words(table, "take") >= DOUBLES - {"take white white"}


@pytest.mark.parametrize(("players", "legal"), [(2, False), (3, True), (4, True)])
def test_s13_with_two_players_only_full_piles_allow_it(players: int, legal: bool) -> None:
    table = go(shop(players=players), TAKE)
    assert ("take white white" in words(table)) == legal


SOME_LEFT = [
    ("up_to_available", {"take red black"}, {"take black"}),
    ("exactly_three", set(), set()),
    ("one_to_three", {"take red black", "take red", "take black"}, {"take black"}),
]


@pytest.mark.parametrize(("rule", "two", "one"), SOME_LEFT)
def test_s14_fewer_than_three_colours_left(rule: str, two: set[str], one: set[str]) -> None:
    table = go(shop(take_different=rule), TAKE, TAKE, TAKE, TAKE)
    assert bank(table) == [0, 0, 0, 4, 4, 5]
    assert words(table, "take") == two | {"take red red", "take black black"}
    go(table, "take red red", "take black black")
    assert bank(table) == [0, 0, 0, 2, 2, 5]
    assert words(table, "take") == two
    if two:
        go(table, "take red black")
        go(table, *(["take red black"] if rule == "up_to_available" else ["take red"]))
        colours = [colour for colour, left in zip(COLOURS, bank(table), strict=False) if left]
        assert words(table, "take") == (one if colours else set())
    assert words(table, "reserve")


@pytest.mark.parametrize(
    ("rule", "wanted"),
    [
        ("up_to_available", TRIPLES | DOUBLES),
        ("exactly_three", TRIPLES | DOUBLES),
        ("one_to_three", TRIPLES | PAIRS | SINGLES | DOUBLES),
    ],
)
@pytest.mark.parametrize("players", PILES)
def test_s14_fewer_than_three_at_will_is_a_setting(
    rule: str, wanted: set[str], players: int
) -> None:
    assert words(shop(players=players, take_different=rule), "take") == wanted


def test_s14_one_colour_left_of_which_there_are_four() -> None:
    table = shop(take_different="one_to_three")
    go(table, TAKE, TAKE, TAKE, TAKE, "take red red", "take red", "take red")
    assert bank(table) == [0, 0, 0, 0, 4, 5]
    assert words(table, "take") == {"take black", "take black black"}


@pytest.mark.parametrize("word", ["take white white blue", "take white white white", "take gold"])
def test_s15_three_different_colours_are_different(word: str) -> None:
    assert illegal(shop(players=4, take_different="one_to_three"), word)
    takes = [word.split()[1:] for word in rule_book(GAME).actions if word.startswith("take")]
    assert all(len(set(colours)) == len(colours) for colours in takes if len(colours) == 3)
    assert len({*map(tuple, map(sorted, takes))}) == len(takes) == 10 + 10 + 5 + 5


@pytest.mark.parametrize("players", PILES)
def test_number_of_actions_from_full_piles(players: int) -> None:
    table = shop(players=players)
    assert len(words(table, "take")) == 10 + 5
    assert len(words(table, "reserve")) == 12 + 3
    assert not words(table, "buy")


# -- s16: decks that run out


def five_of_level_3(folder: Path) -> Table:
    """Return a game whose level 3 has five cards, c0 to c4 in this order."""
    rows = [(f"c{n}", 3, "white", 0, 9, 9, 9, 9, 9) for n in range(5)]
    rows += [(f"x{n}", 1 + n % 2, "white", 0, 9, 9, 9, 9, 9) for n in range(12)]
    return shop(level3="c0 c1 c2 c3 c4", cards=cards_file(folder, rows))


def level_3(table: Table) -> list[str | None]:
    return [card for slot, card in seen(table)["market"].items() if slot.startswith("L3")]


def test_s16_an_empty_place_stays_empty(tmp_path: Path) -> None:
    table = five_of_level_3(tmp_path)
    assert (level_3(table), seen(table)["decks"][3]) == (["c0", "c1", "c2", "c3"], 1)
    go(table, "reserve c1")
    assert (level_3(table), seen(table)["decks"][3]) == (["c0", "c4", "c2", "c3"], 0)
    assert illegal(table, "reserve blind 3")
    go(table, "reserve c0")
    assert level_3(table) == [None, "c4", "c2", "c3"]
    assert words(table, "reserve") >= {"reserve c2", "reserve c3", "reserve c4"}
    assert illegal(table, "reserve c0")
    go(table, TAKE, TAKE, "reserve c4")
    assert level_3(table) == [None, None, "c2", "c3"]


def test_s16_the_last_card_of_a_deck_may_be_reserved_blind(tmp_path: Path) -> None:
    table = go(five_of_level_3(tmp_path), "reserve blind 3")
    assert (level_3(table), seen(table)["decks"][3]) == (["c0", "c1", "c2", "c3"], 0)
    assert illegal(table, "reserve blind 3")


# -- s17, s23: reserved cards

RESERVED = "a 1 white 5 00000; b 1 white 5 00000"


def test_s17_a_reserved_card_is_nothing_until_it_is_bought(tmp_path: Path) -> None:
    table = go(own_shop(tmp_path, RESERVED, "n 3 10000"), "reserve a", TAKE)
    assert (table.scores, table.columns["nobles"]) == ([0, 0], [0, 0])
    assert sum(seen(table)["bonuses"][0].values()) == 0
    assert seen(table)["reserved"] == [[(1, "a")], []]
    decks = seen(table)["decks"]
    go(table, "buy a")
    assert (table.scores, table.columns["nobles"]) == ([5 + 3, 0], [1, 0])
    assert seen(table)["bonuses"][0]["white"] == 1
    assert (seen(table)["reserved"], seen(table)["decks"]) == ([[], []], decks)


@pytest.mark.parametrize(("memory", "shown"), [("perfect", "a"), ("hidden", None)])
def test_s17_a_card_reserved_from_the_market_is_seen_by_who_remembers(
    memory: str, shown: str | None, tmp_path: Path
) -> None:
    table = go(own_shop(tmp_path, RESERVED, reserved_memory=memory), "reserve a")
    assert seen(table)["reserved"] == [[(1, shown)], []]
    assert "buy a" not in words(table)
    go(table, TAKE)
    assert {"buy a", "buy b"} <= words(table)


@pytest.mark.parametrize("memory", ["perfect", "hidden"])
def test_s17_a_card_reserved_blind_is_hidden_from_others(memory: str, tmp_path: Path) -> None:
    tops = "x1.0 x1.1 x1.2 x1.3 a"
    games = [
        go(own_shop(tmp_path, RESERVED, tops=tops, reserved_memory=memory), "reserve blind 1"),
        go(own_shop(tmp_path, RESERVED, tops=tops.replace("a", "b"), reserved_memory=memory),
           "reserve blind 1"),
    ]  # fmt: skip
    assert games[0].public == games[1].public
    assert games[0].private(1) == games[1].private(1)
    assert games[0].private(0) != games[1].private(0)
    assert seen(games[0])["reserved"] == [[(1, None)], []]
    assert "buy a" in words(go(games[0], TAKE))


def test_s17_the_hand_closes_up_when_a_card_is_bought(tmp_path: Path) -> None:
    cards = "a 1 white 0 00000; b 2 white 0 00000; c 3 white 0 00000; d 3 white 0 00000"
    table = own_shop(tmp_path, cards)
    go(table, "reserve a", TAKE, "reserve b", TAKE, "reserve c", "reserve blind 1", "buy b")
    assert seen(table)["reserved"][0] == [(1, "a"), (3, "c")]
    go(table, "take green red black", "reserve d")
    assert seen(table)["reserved"][0] == [(1, "a"), (3, "c"), (3, "d")]


def test_s23_neither_a_fourth_reserved_card_nor_a_discard() -> None:
    table = go(shop(), *["reserve blind 2", TAKE] * 2, "reserve blind 2", "take green red black")
    assert table.to_move == 0
    assert not words(table, "reserve")
    assert illegal(table, "reserve blind 1")
    assert {word.split()[0] for word in words(table)} <= {"take", "buy"}
    kinds = {word.split()[0] for word in rule_book(GAME).actions if word}
    assert kinds == {"take", "reserve", "buy", "return", "pay", "noble", "pass"}


# -- s18, s19, s22: paying


def test_s18_bonuses_never_pay_back(tmp_path: Path) -> None:
    cards = "a 1 blue 0 00000; b 1 blue 0 00000; c 1 red 1 11000"
    table = go(own_shop(tmp_path, cards), "buy a", TAKE, "buy b", TAKE, TAKE)
    go(table, "take green red black")
    before = bank(table)
    go(table, "buy c")
    assert held(table, 0) == {"blue": 1, "green": 1}
    assert bank(table) == [before[0] + 1, *before[1:]]


def test_s18_a_card_at_total_discount_is_free(tmp_path: Path) -> None:
    cards = "a 1 blue 0 00000; b 1 blue 0 00000; c 1 red 1 02000"
    table = own_shop(tmp_path, cards)
    assert "buy c" not in words(table)
    go(table, "buy a", TAKE, "buy b", TAKE, "buy c")
    assert (held(table, 0), table.scores) == ({}, [1, 0])


def test_s18_a_shipped_card_is_paid_and_gives_its_bonus() -> None:
    table = shop("L1-W1")
    go(table, "take blue blue", "take white red black", "take blue green red")
    go(table, "take white red black", "buy L1-W1")
    assert held(table, 0) == {"green": 1, "red": 1}
    assert bank(table) == [2, 4, 3, 1, 2, 5]
    assert seen(table)["bonuses"][0] == {**dict.fromkeys(COLOURS, 0), "white": 1}
    assert seen(table)["bought"] == [["L1-W1"], []]


def test_s19_a_turn_is_one_action(tmp_path: Path) -> None:
    table = own_shop(tmp_path, "a 1 white 1 10000")
    go(table, TAKE)
    assert (table.to_move, held(table, 0)) == (1, {"white": 1, "blue": 1, "green": 1})
    assert illegal(table, "buy a")
    go(table, "take white red black", "buy a")
    assert (table.to_move, held(table, 0)) == (1, {"blue": 1, "green": 1})
    assert [sum(pile) for pile in zip(bank(table), *tokens(table), strict=True)] == [4] * 5 + [5]


def test_a_reserved_card_keeps_its_cost(tmp_path: Path) -> None:
    table = own_shop(tmp_path, "a 1 white 5 21000; b 1 white 5 00002")
    go(table, "take white white", "take red red", "reserve a", TAKE, "reserve b")
    go(table, "take green red black")
    assert words(table, "buy") == {"buy a", "buy b"}
    go(table, "buy a")
    assert (held(table, 0), table.columns["gold_used"]) == ({"gold": 1}, [1, 0])
    go(table, "reserve blind 1")
    assert not words(table, "buy")


def tokens(table: Table) -> list[list[int]]:
    return [list(seat.values()) for seat in seen(table)["tokens"]]


def with_gold(folder: Path, cost: str, **more: Any) -> Table:
    """Return a game in which seat 0 has 1 white, 1 blue, 1 green and 1 gold, and card a to buy."""
    table = own_shop(folder, f"a 1 red 0 {cost}", **more)
    return go(table, TAKE, TAKE, "reserve blind 3", "take green red black")


def test_s22_colours_pay_before_gold_by_default(tmp_path: Path) -> None:
    table = go(with_gold(tmp_path, "10000", rules="standard"), "buy a")
    assert held(table, 0) == {"blue": 1, "green": 1, "gold": 1}
    assert (table.columns["gold_used"], table.to_move) == ([0, 0], 1)


@pytest.mark.parametrize("token", ["white", "gold"])
def test_s22_the_payer_may_choose(token: str, tmp_path: Path) -> None:
    table = go(with_gold(tmp_path, "10000", rules="official"), "buy a")
    assert (table.to_move, table.decision) == (0, "pay")
    assert words(table) == {"pay white", "pay gold"}
    public = table.public
    assert (public.paying, public.owed.tolist()[:5]) == (0, [1, 0, 0, 0, 0])
    assert seen(table)["market"]["L1-1"] == "a"
    go(table, f"pay {token}")
    left = {"white": 1, "blue": 1, "green": 1, "gold": 1}
    del left[token]
    assert (held(table, 0), table.to_move) == (left, 1)
    assert table.columns["gold_used"] == [int(token == "gold"), 0]
    assert (table.public.paying, table.public.owed_word) == (-1, 0)


def test_s22_gold_that_is_needed_elsewhere_is_not_offered(tmp_path: Path) -> None:
    table = go(with_gold(tmp_path, "12000", rules="official"), "buy a")
    assert forced(table) == [(0, "pay white")]
    assert words(table) == {"pay blue", "pay gold"}
    go(table, "pay gold")
    assert forced(table) == [(0, "pay white"), (0, "pay blue")]
    assert held(table, 0) == {"green": 1}


def test_s22_what_only_gold_can_pay_is_paid_unasked(tmp_path: Path) -> None:
    table = go(with_gold(tmp_path, "10010", rules="official"), "buy a")
    assert forced(table) == [(0, "pay white"), (0, "pay gold")]
    assert (held(table, 0), table.to_move) == ({"blue": 1, "green": 1}, 1)


# -- s20: tokens and nobles by number of players


@pytest.mark.parametrize("players", PILES)
@pytest.mark.parametrize("rules", GAME.rule_sets)
def test_s20_tokens_and_nobles_by_number_of_players(players: int, rules: str) -> None:
    table = shop(players=players, rules=rules)
    assert bank(table) == [PILES[players]] * 5 + [5]
    nobles = seen(table)["nobles"]
    assert len({*nobles} - {None}) == len(nobles) == players + 1
    assert table.public.nobles.tolist()[players + 1 :] == [-1] * (7 - players)
    assert seen(table)["decks"] == {1: 36, 2: 26, 3: 16}
    assert table.to_move == 0


# -- refilling, and the ends of a game


def test_a_place_is_refilled_at_once(tmp_path: Path) -> None:
    cards = "a 1 white 0 00000; b 1 white 0 00000"
    table = own_shop(tmp_path, cards, tops="x1.0 a x1.1 x1.2 b x1.3 x1.4")
    go(table, "buy a")
    assert [seen(table)["market"][f"L1-{n}"] for n in (1, 2, 3, 4)] == ["x1.0", "b", "x1.1", "x1.2"]
    go(table, "reserve b")
    assert seen(table)["market"]["L1-2"] == "x1.3"


@pytest.mark.parametrize(("players", "first"), [(p, s) for p in PILES for s in range(p)])
def test_the_round_is_played_to_its_end(players: int, first: int, tmp_path: Path) -> None:
    table = own_shop(tmp_path, "p 1 white 15 00000; q 1 white 20 00000", players=players)
    for seat in range(first):
        go(table, f"reserve blind {1 + seat % 3}")
    go(table, "buy p")
    assert table.finished == (first == players - 1)
    assert bool(table.public.last_round)
    for seat in range(first + 1, players):
        assert table.to_move == seat
        go(table, "buy q" if seat == players - 1 else "reserve blind 3")
    assert (table.finished, table.end_reason, table.legal()) == (True, "finished", [])
    assert table.winners == [players - 1]
    assert table.columns["turns"] == [1] * players


@pytest.mark.parametrize("limit", [1, 3])
def test_a_game_over_the_cap_is_scored_all_the_same(limit: int, tmp_path: Path) -> None:
    table = own_shop(tmp_path, FREE.replace("red 0", "red 1"), max_turns=limit)
    for turn in range(limit):
        assert not table.finished
        go(table, f"buy f{turn + 1}", TAKE)
    assert (table.finished, table.end_reason) == (True, "truncated")
    assert (table.scores, table.winners) == ([limit, 0], [0])
    assert table.columns["turns"] == [limit, limit]


TWO_FREE = "f 1 red 1 00000; g 1 red 1 00000"
RESERVE_FREE = ["reserve f", "reserve g", "reserve blind 2"]


def stuck(folder: Path, cards: str, reserved: list[str], **changed: Any) -> Table:
    """Play on until seat 0 has no main action: three cards reserved, none to pay, none to take."""
    table = own_shop(folder, cards, take_different="exactly_three", **changed)
    for word in reserved:
        go(table, "reserve blind 3", word)
    go(table, TAKE, TAKE, TAKE, TAKE, "take red red", "return gold")
    if not table.finished:  # else seat 1 had nothing else to do
        go(table, "take black black")
    assert bank(table)[:5] == [0, 0, 0, 2, 2]
    return table


def test_when_nobody_can_move_it_is_a_stalemate(tmp_path: Path) -> None:
    table = stuck(tmp_path, "", ["reserve blind 2"] * 3)
    assert (table.finished, table.end_reason) == (True, "stalemate")
    assert forced(table) == [(1, "take black black"), (0, "pass"), (1, "pass")]
    assert (table.columns["turns"], table.ranks) == ([7, 7], [1, 1])


def test_a_pass_may_bring_a_noble_and_the_end_goes_before_the_stalemate(tmp_path: Path) -> None:
    cards, court = "a 1 white 0 00000; b 1 red 0 00000", "n 3 10000; m 3 10000"
    more: dict[str, Any] = {"take_different": "exactly_three", "target": 6}
    table = own_shop(tmp_path, cards, court, **more)
    go(table, *["reserve blind 3", "reserve blind 2"] * 3, TAKE, TAKE, TAKE, TAKE)
    go(table, "take red red", "return gold", "buy b", "buy a", "noble n")
    assert forced(table) == [(1, "take black black"), (0, "pass"), (0, "noble m"), (1, "pass")]
    assert (table.end_reason, table.scores, table.public.passes) == ("finished", [6, 0], 2)


def test_a_stalemate_does_not_wait_for_the_end_of_the_round(tmp_path: Path) -> None:
    cards, court = "a 1 white 0 00000", "n 3 10000; m 3 10000"
    more: dict[str, Any] = {"take_different": "exactly_three", "target": 6}
    table = own_shop(tmp_path, cards, court, **more)
    go(table, *["reserve blind 3", "reserve blind 2"] * 3, TAKE, TAKE, TAKE, TAKE)
    go(table, "take red red", "return gold", "take black black", "noble n")
    assert forced(table) == [(0, "buy a"), (1, "pass"), (0, "pass"), (0, "noble m")]
    assert (table.end_reason, table.scores) == ("stalemate", [6, 0])
    assert table.columns["turns"] == [8, 7]


def test_a_pass_is_forced_only_on_who_cannot_move(tmp_path: Path) -> None:
    table = stuck(tmp_path, TWO_FREE, RESERVE_FREE)
    assert forced(table) == [(0, "pass")]
    assert (table.to_move, words(table), table.public.passes) == (1, {"buy f", "buy g"}, 1)
    go(table, "buy g")
    assert (table.to_move, forced(table)) == (1, [(0, "pass"), (0, "pass")])
    assert table.public.passes == 1
    assert table.columns["turns"] == [8, 7]


def test_who_cannot_move_may_end_the_game(tmp_path: Path) -> None:
    table = stuck(tmp_path, TWO_FREE, RESERVE_FREE, no_move="abort")
    assert (table.finished, table.end_reason, forced(table)) == (True, "aborted", [])
    assert (table.columns["turns"], table.ranks) == ([6, 6], [1, 1])


def test_the_order_of_colours_and_the_size_of_letters_do_not_matter() -> None:
    table = Table(GAME, 2)
    table.play("Take  red white BLUE")
    assert table.log.words == ["take white blue red"]
    with pytest.raises(IllegalAction, match="'take red red white' is not legal"):
        table.play("take red red white")
