"""The rules page sentence by sentence, by scripted games: sections 2 to 6 and 13 of RULES.md."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from simlab import Table
from simlab.errors import IllegalAction
from simlab.games.collier.actions import TYPES
from tests.games.collier.board import (
    display,
    go,
    gone,
    hand,
    known,
    market,
    one_card,
    pass_sale,
    points,
    table,
    with_copies,
    words,
    write,
)

POOR = "amber_1 amber_1 amber_1 amber_1"


def prices(game: Table) -> list[int]:
    """Return the marked prices of the market."""
    record, public = game.book.record[0], game.public
    return [
        int(record.price[int(public.market[place])][int(public.steps[place])])
        for place in range(int(public.count))
    ]


def fashion(game: Table) -> list[str]:
    """Return the types on +30, +20, +10, +0."""
    return [TYPES[int(gem)] for gem in game.public.fashion]


# -- setup and turn (sections 2, 3)


def test_the_setup() -> None:
    game = table("ring king banker amber_1", cards="ring thief king queen confessor",
                 fashion=["ruby", "amber", "diamond", "emerald"])  # fmt: skip
    assert fashion(game) == ["ruby", "amber", "diamond", "emerald"]
    assert [int(game.public.value[gem]) for gem in range(4)] == [10, 0, 30, 20]
    assert market(game) == ["ring", "thief", "king", "queen", "confessor"]
    assert prices(game) == [8, 8, 10, 10, 6]
    assert (points(game), game.to_move, int(game.public.turn)) == ([0, 0], 0, 1)


def test_prices_fall_and_cards_leave_after_the_fourth() -> None:
    game = table(cards="amber_1 ring king banker queen ruby_1 ruby_1 ruby_1 ruby_1")
    seen = [prices(game)]
    for _ in range(4):
        one_card(game, int(game.public.count) - 1 if game.public.turn > 1 else 0)
        seen.append(prices(game))
    assert seen[1][:4] == [6, 8, 6, 8]  # ring, king, banker, queen one step down
    assert seen[2][:3] == [4, 6, 4]
    assert seen[3][:3] == [2, 4, 2]
    assert gone(game) == {"ring": 1, "king": 1, "banker": 1, "queen": 1}
    assert market(game)[0] == "ruby_1"


def test_the_row_is_ordered_by_age() -> None:
    game = one_card(table(cards="ring thief king queen confessor banker"), 1)
    assert market(game) == ["ring", "king", "queen", "confessor", "banker"]
    assert prices(game) == [6, 8, 8, 4, 8]


def test_one_card_must_be_bought_where_one_can_be_paid() -> None:
    game = table(cards="queens_necklace ring ring ring ring")
    assert words(game) == {f"buy {place}" for place in range(1, 5)}  # 13 ducats are too many
    free = table(cards="queens_necklace ring ring ring ring", min_purchase=0)
    assert "purchase stop" in words(free)
    two = go(table(cards="amber_1 amber_1 amber_1 ring ring", min_purchase=2), "buy 0")
    assert "purchase stop" not in words(two)
    go(two, "buy 0")  # 2 ducats are left: nothing can be paid
    assert two.to_move == 1


def test_cards_that_nobody_can_pay_are_devalued_and_the_game_ends(tmp_path: Path) -> None:
    dear = [
        row | {"price_1": 40, "price_2": 30, "price_3": 20, "price_4": 11} for row in with_copies()
    ]
    bars = {seat: ["kind=confessor", "kind=courtesan", "kind=thief"] for seat in (0, 1)}
    cards = {"cards": write(tmp_path, dear)}
    game = Table("collier", 2, "official", cards, seed=3, bars=bars)
    while not game.finished:
        assert game.decision != "purchase"
        game.play(game.legal()[0].word)
    assert game.columns["bought"] == [0, 0]
    assert game.columns["sale_1"] == [24, 24]  # the market is renewed every four turns


def test_ducats_are_ten_and_three_for_each_courtesan() -> None:
    game = table("courtesan courtesan courtesan amber_1", cards="queens_necklace")
    go(game, "courtesan; courtesan; courtesan")
    assert int(game.public.budget) == 19
    go(game, "buy 0")
    assert int(game.public.budget) == 6


@pytest.mark.parametrize(("limit", "more"), [(1, False), (2, True), ("none", True), (0, False)])
def test_the_limit_of_courtesans(limit: Any, more: bool) -> None:
    game = table("courtesan courtesan amber_1 amber_1", courtesan_max=limit)
    if limit == 0:
        assert game.decision == "purchase"
        return
    go(game, "courtesan")
    assert (game.decision == "influence") == more


def test_blue_cards_of_this_turn_wait_for_the_next() -> None:
    game = table("thief amber_1 amber_1 amber_1", "thief ruby_1 ruby_1 ruby_1", steals=[3])
    go(game, "thief 1")
    assert hand(game, 0)["thief"] == 1  # taken from seat 1
    assert game.decision == "purchase"
    bought = one_card(table(cards="thief amber_1 amber_1 amber_1 amber_1"))
    one_card(bought)
    assert words(bought) == {"influence stop", "thief 1"}


def test_a_queen_waits_and_a_cardinal_does_not() -> None:
    game = go(table("courtesan courtesan amber_1 amber_1", cards="queen amber_1 amber_1"),
              "courtesan; courtesan; buy 0")  # fmt: skip
    assert not {word for word in words(game) if word.startswith("queen")}
    held = table("queen amber_1 amber_1 amber_1", cards="queens_necklace ring ring ring ring")
    assert {f"queen {place}" for place in range(5)} <= words(held)
    go(held, "queen 0")
    assert (hand(held, 0)["queens_necklace"], int(held.public.budget)) == (1, 10)
    assert "purchase stop" in words(held)  # it counts as bought


def test_a_blank_queen_is_never_played() -> None:
    game = table("queen amber_1 amber_1 amber_1", queen_mode="blank")
    assert not {word for word in words(game) if word.startswith("queen")}


@pytest.mark.parametrize(("draw", "cards"), [(0, 0), (2, 2), (3, 3)])
def test_an_astrologer_draws(draw: int, cards: int) -> None:
    deck = "astrologer ruby_1 ruby_1 ruby_1 ruby_1 diamond_1 diamond_2 diamond_3 amber_1"
    game = go(table(cards=deck, astrologer_draw=draw), "buy 0")
    own = hand(game, 0)
    assert "astrologer" not in own
    assert sum(own.values()) == 4 + cards
    assert gone(game) == {"astrologer": 1}
    assert known(game, 1, 0) == {}  # nobody saw what came


def test_an_astrologer_drawn_by_an_astrologer_draws_too() -> None:
    deck = "astrologer ruby_1 ruby_1 ruby_1 ruby_1 astrologer diamond_2 diamond_3 emerald_3"
    game = go(table(cards=deck), "buy 0")
    assert gone(game) == {"astrologer": 2}
    assert sum(hand(game, 0).values()) == 4 + 3


def test_an_astrologer_meets_a_merchant() -> None:
    deck = "astrologer ruby_1 ruby_1 ruby_1 amber_1 diamond_2 diamond_3 amber_1"
    game = table("courtesan amber_1 amber_1 amber_1", cards=deck, first=1)
    go(game, "courtesan; buy 0")
    assert (int(game.public.due), game.decision) == (1, "purchase")  # the player goes on buying
    assert sum(hand(game, 0).values()) == 3 + 2
    one_card_more = go(game, "buy 3")
    assert (one_card_more.decision, int(one_card_more.public.turn)) == ("show", 1)
    assert int(game.public.count) == 5


# -- characters (section 5)


def test_a_confessor_shows_a_hand_to_one_seat() -> None:
    game = go(table("confessor amber_1 amber_1 amber_1", "ring king amber_1 thief", players=3),
              "confessor 1")  # fmt: skip
    assert known(game, 0, 1) == {"ring": 1, "king": 1, "amber_1": 1, "thief": 1}
    assert known(game, 2, 1) == {}


@pytest.mark.parametrize(
    ("mode", "word", "order"),
    [
        ("to_top", "favorite ruby", ["ruby", "diamond", "emerald", "amber"]),
        ("to_top", "favorite amber", ["amber", "diamond", "emerald", "ruby"]),
        ("up_one", "favorite ruby", ["diamond", "ruby", "emerald", "amber"]),
        ("up_one", "favorite amber", ["diamond", "emerald", "amber", "ruby"]),
        ("swap_any", "favorite diamond amber", ["amber", "emerald", "ruby", "diamond"]),
        ("swap_any", "favorite emerald ruby", ["diamond", "ruby", "emerald", "amber"]),
    ],
)
def test_a_favorite_changes_the_fashion(mode: str, word: str, order: list[str]) -> None:
    game = table("favorite amber_1 amber_1 amber_1", favorite_mode=mode)
    offered = {w for w in words(game) if w.startswith("favorite")}
    assert len(offered) == (6 if mode == "swap_any" else 3)
    go(game, word)
    assert fashion(game) == order
    assert [int(game.public.value[TYPES.index(gem)]) for gem in order] == [30, 20, 10, 0]


def test_a_forger_takes_a_gem_card_of_the_victims_choice() -> None:
    game = table("forger amber_1 amber_1 amber_1", "ruby_1 ruby_3 diamond_1 ring")
    assert {w for w in words(game) if w.startswith("forger")} == {f"forger 1 {g}" for g in TYPES}
    go(game, "forger 1 ruby")
    assert (game.to_move, words(game)) == (1, {"discard ruby_1", "discard ruby_3"})
    go(game, "discard ruby_1")
    assert hand(game, 1) == {"ruby_3": 1, "diamond_1": 1, "ring": 1}
    assert game.decision == "purchase"


def test_a_forger_that_finds_nothing_tells_so() -> None:
    game = go(table("forger amber_1 amber_1 amber_1", "ruby_1 ruby_1 diamond_1 ring"),
              "forger 1 emerald")  # fmt: skip
    assert sum(hand(game, 1).values()) == 4
    assert game.decision == "purchase"


def test_a_forger_for_any_card() -> None:
    game = go(table("forger amber_1 amber_1 amber_1", "ruby_1 ruby_1 diamond_1 ring",
                    forger_mode="any_card"), "forger 1")  # fmt: skip
    assert words(game) == {"discard ruby_1", "discard diamond_1", "discard ring"}


@pytest.mark.parametrize(("index", "card"), [(0, "diamond_1"), (1, "ruby_1"), (3, "ring")])
def test_a_thief_takes_a_card_of_the_sorted_hand(index: int, card: str) -> None:
    game = table("thief amber_1 amber_1 amber_1", "ring ruby_1 ruby_1 diamond_1",
                 steals=[index], players=3)  # fmt: skip
    go(game, "thief 1")
    assert hand(game, 0) == {"amber_1": 3, card: 1}
    assert game.log.decks["steals"] == [[str(index)]]
    assert int(game.private(2).missing[1]) == 1  # seat 2 saw only that a card went
    assert known(game, 1, 0) == {card: 1}  # the victim knows which


GUARDED = "musketeers ruby_1 ruby_1 diamond_1"


@pytest.mark.parametrize("attack", ["thief", "forger"])
@pytest.mark.parametrize("mode", ["cancel", "riposte"])
def test_musketeers_cancel_an_attack(attack: str, mode: str) -> None:
    game = table(f"{attack} amber_1 amber_1 amber_1", GUARDED, steals=[0], musketeers_mode=mode)
    word = "thief 1" if attack == "thief" else "forger 1 ruby"
    go(game, word)
    assert (game.to_move, words(game)) == (1, {"musketeers no", "musketeers play"})
    go(game, "musketeers play")
    assert gone(game) == {attack: 1, "musketeers": 1}
    rich = {"ruby_1": 2, "diamond_1": 1} | ({"amber_1": 1} if mode == "riposte" else {})
    assert hand(game, 1) == rich


def test_musketeers_need_not_be_shown() -> None:
    game = go(table("thief amber_1 amber_1 amber_1", GUARDED, steals=[0]),
              "thief 1; musketeers no")  # fmt: skip
    assert hand(game, 0) == {"amber_1": 3, "diamond_1": 1}


def test_musketeers_that_are_drawn() -> None:
    held: dict[str, Any] = {"musketeers_mode": "drawn"}
    game = table("thief amber_1 amber_1 amber_1", GUARDED, steals=[3, 0], **held)
    go(game, "thief 1")  # index 3 is the Musketeers
    assert hand(game, 0) == {"amber_1": 2}
    assert hand(game, 1) == {"ruby_1": 2, "diamond_1": 1, "amber_1": 1}
    other = go(table("thief amber_1 amber_1 amber_1", GUARDED, steals=[1], **held), "thief 1")
    assert hand(other, 0) == {"amber_1": 3, "ruby_1": 1}
    forged = go(table("forger amber_1 amber_1 amber_1", GUARDED, **held), "forger 1 ruby")
    assert hand(forged, 1) == {"ruby_1": 1, "diamond_1": 1, "musketeers": 1}


def test_a_thief_takes_a_ready_thief_of_the_riposte_first() -> None:
    """Copies that leave by a riposte are the oldest: one Thief is left, and it is not ready."""
    game = table("thief thief amber_1 amber_1", "musketeers ruby_1 ruby_1 diamond_1",
                 steals=[2], musketeers_mode="riposte")  # fmt: skip
    go(game, "thief 1; musketeers play")
    assert hand(game, 1) == {"ruby_1": 2, "diamond_1": 1, "thief": 1}
    assert game.decision == "purchase"


# -- sales (section 4)


def worked(**changed: Any) -> Table:
    """Return the sale of section 4: 5 diamonds, 3 emeralds, 3 rubies, no amber."""
    order = ["diamond", "emerald", "amber", "ruby"]
    game = table("diamond_3 diamond_2 amber_1 amber_1", "emerald_3 ruby_3 amber_1 amber_1",
                 fashion=order, first=0, **changed)  # fmt: skip
    return one_card(game)


def test_the_worked_sale() -> None:
    game = display(worked(), "diamond_3 1, diamond_2 1", "emerald_3 1, ruby_3 1")
    assert points(game) == [30, 40 + 10]
    assert game.columns["points_sale_1"] == [30, 50]
    assert game.columns["sale_1"] == [1, 1]


def test_what_is_shown_leaves_and_what_is_held_back_stays() -> None:
    game = worked()
    display(game, "diamond_3 1", "")
    assert hand(game, 0) == {"diamond_2": 1, "amber_1": 3}
    assert gone(game) == {"diamond_3": 1}


def test_displays_stay_hidden_until_the_last_one_is_in() -> None:
    game = worked()
    before = game.public.tobytes()
    go(game, "show 1; show 1")
    assert game.to_move == 0
    table_now = game.public
    assert int(table_now.shown.sum()) == 0
    assert before != b""
    display(game, "diamond_3 1, diamond_2 1, amber_1 3", "")


def test_a_king_cancels_a_type_but_not_its_place_in_the_count() -> None:
    game = table("diamond_3 king amber_1 amber_1", "diamond_1 emerald_1 amber_1 ruby_1", first=0)
    display(one_card(game), "diamond_3 1, king diamond", "diamond_1 1, emerald_1 1")
    # Diamonds 4, emerald 1, others 0: emerald keeps +10 and its fashion of 20.
    assert points(game) == [0, 30]
    assert game.columns["vetoes"] == [0, 1]
    assert game.columns["kings"] == [1, 0]


@pytest.mark.parametrize(("limit", "laid"), [(0, 0), (1, 1), (2, 2)])
def test_the_limit_of_kings(limit: int, laid: int) -> None:
    game = one_card(table("king king diamond_1 ruby_1", first=0, king_limit=limit))
    display(game, "diamond_1 1, ruby_1 1, king diamond, king ruby", "diamond_1 1, ruby_1 1")
    assert game.columns["kings"] == [laid, 0]
    assert game.columns["vetoes"] == [0, laid]


def test_nobody_is_paid_for_what_nobody_shows() -> None:
    game = display(worked(), "", "")
    assert points(game) == [0, 0]


def test_without_any_gem_the_values_go_by_fashion() -> None:
    """All counts zero: an Alchemist-free look at the rarity of four equal types."""
    game = one_card(table("diamond_1 emerald_1 ruby_1 amber_1", POOR, first=0))
    display(game, "diamond_1 1, emerald_1 1, ruby_1 1, amber_1 1")
    assert points(game) == [60 + 40 + 20 + 0, 0]  # one of each: ties all by fashion


def test_an_alchemist_turns_a_card_and_leaves_what_lies_there() -> None:
    first = "alchemist diamond_1 king ring"
    game = one_card(table(first, "diamond_2 ruby_1 ruby_1 amber_1", first=0))
    display(game, "diamond_1 1, king diamond, ring diamond 1", "diamond_2 1")
    offered = {"alchemist pass", *(f"alchemist diamond 1 {g}" for g in TYPES[1:])}
    assert (game.to_move, words(game)) == (0, offered)
    go(game, "alchemist diamond 1 ruby")
    assert game.columns["points_diamond"] == [0, 0]  # the King still cancels
    assert game.columns["points_ruby"] == [10 + 10, 0]  # without the ring
    assert game.columns["characters"] == [1, 0]
    assert game.columns["shown_diamond"] == [1, 2]
    assert game.columns["sold_ruby"] == [1, 0]


def test_alchemists_go_round_until_all_have_passed() -> None:
    hand_ = "alchemist diamond_1 amber_1 amber_1"
    game = one_card(table(hand_, hand_, first=0))
    display(game, "diamond_1 1", "diamond_1 1")
    go(game, "alchemist pass; alchemist diamond 1 ruby")
    assert (game.to_move, game.decision) == (0, "alchemist")  # asked again after a play
    go(game, "alchemist diamond 1 emerald")
    assert game.to_move == 1
    assert game.decision == "purchase"  # seat 1 has no other Alchemist, and it is its turn


def test_a_card_can_be_turned_twice() -> None:
    game = one_card(table("alchemist alchemist diamond_1 amber_1", POOR, first=0))
    display(game, "diamond_1 1", "")
    go(game, "alchemist diamond 1 ruby")
    assert "alchemist ruby 1 diamond" in words(game)
    go(game, "alchemist ruby 1 diamond")
    assert game.columns["points_diamond"] == [30, 0]


def test_the_necklace_guards_its_type_for_all() -> None:
    game = table("queens_necklace diamond_1 amber_1 amber_1", "king diamond_3 ruby_1 ruby_1",
                 first=0)  # fmt: skip
    display(one_card(game), "diamond_1 1, necklace diamond", "diamond_3 1, king diamond")
    assert game.columns["points_diamond"] == [0, 30]
    assert int(game.public.necklace) == -1


def test_the_own_king_under_the_own_necklace_earns_nothing() -> None:
    game = table("queens_necklace king diamond_1 amber_1", POOR, first=0, necklace_bounty=50)
    display(one_card(game), "diamond_1 1, king diamond, necklace diamond", "")
    assert game.columns["bounty_points"] == [0, 0]
    assert game.columns["points_diamond"] == [30, 0]


def test_the_bounty_comes_once_a_sale() -> None:
    third = "king diamond_1 amber_1 amber_1"
    game = table("queens_necklace diamond_2 amber_1 amber_1", third, third, players=3,
                 first=0, necklace_bounty=50)  # fmt: skip
    shows = "diamond_1 1, king diamond"
    display(one_card(game), "diamond_2 1, necklace diamond", shows, shows)
    assert game.columns["bounty_points"] == [50, 0, 0]
    assert game.columns["points_sale_1"] == [80, 0, 0]


# -- Cardinals, merchants, the end (sections 3, 6, 13)


def merchants(first: int, second: int, third: int, *hands: str, **more: Any) -> Table:
    """Return a game whose merchants lie under so many cards; N is 87 with two players."""
    stack_hands = [card for held in hands for card in held.split()]
    stack_hands += ["diamond_1", "emerald_1", "ruby_1", "amber_1"] * (2 - len(hands))
    stack = {
        "hands": stack_hands,
        "merchant_1": [str(first)],
        "merchant_2": [str(second - 29)],
        "merchant_3": [str(third - 82)],
    }
    return Table("collier", 2, "standard", more, stack=stack)


def drained(game: Table, sale: int) -> Table:
    """Play on, buying one card a turn, until a sale begins or its window opens."""
    while not game.finished and int(game.public.sales) < sale and game.decision != "cardinal":
        if game.decision == "influence":
            game.play("influence stop")
        elif game.decision in ("purchase", "musketeers", "forger_discard"):
            game.play(game.legal()[0].word)
        else:
            pass_sale(game)
    return game


def test_two_merchants_in_one_turn_are_two_sales() -> None:
    game = drained(merchants(29, 29, 82), 1)
    turn = int(game.public.turn)
    while int(game.public.turn) == turn:
        game.play(game.legal()[0].word)
    assert game.columns["sale_1"] == game.columns["sale_2"] == [turn, turn]
    assert game.columns["sale_3"] == [0, 0]


def test_a_pending_sale_is_held_before_the_next_merchants_window() -> None:
    game = merchants(29, 29, 82, "cardinal cardinal amber_1 amber_1")
    drained(game, 1)
    assert game.decision == "cardinal"
    go(game, "cardinal play")  # the first merchant's sale waits ...
    assert int(game.public.sales) == 1  # ... and is held before the second one's window
    assert game.decision in ("show", "cardinal")
    pass_sale(game)
    assert game.decision == "cardinal"


def test_a_delayed_sale_is_not_delayed_again() -> None:
    game = drained(merchants(0, 40, 82, "cardinal cardinal amber_1 amber_1"), 1)
    go(game, "cardinal play")
    assert (int(game.public.turn), int(game.public.pending)) == (2, 0)
    while int(game.public.sales) == 0:
        assert game.decision != "cardinal"
        game.play(game.legal()[0].word)
    assert int(game.public.turn) == 3  # the end of its own next turn


def test_the_third_sale_ends_the_game() -> None:
    game = merchants(29, 40, 87)
    while not game.finished:
        game.play(game.legal()[0].word)
    assert int(game.public.sales) == 3
    assert int(game.public.merchants) == 0
    assert game.to_move is None
    sales = [game.columns[f"sale_{number}"][0] for number in (1, 2, 3)]
    assert sales == sorted(sales)
    assert game.columns["turns"][0] == sales[2]


def test_the_last_merchant_under_all_cards_is_still_met() -> None:
    game = merchants(0, 29, 87)
    while not game.finished and int(game.public.merchants) > 0:
        game.play(game.legal()[0].word)
    assert int(game.public.deck) == 0


def test_turns_without_cards_are_skipped_until_the_delayed_sale(tmp_path: Path) -> None:
    """A Cardinal delays the third sale while deck and market run out."""
    rows = with_copies(amber_1=40, ring=0, thief=0)
    path = write(tmp_path, rows)
    found = False
    for deal in range(150):
        game = Table("collier", 4, "standard", {"cards": path}, deal=deal)
        while not game.finished:
            legal = [action.word for action in game.legal()]
            buys = [word for word in legal if word.startswith("buy")]
            plays = "cardinal play" in legal and int(game.public.sales) == 2
            game.play("cardinal play" if plays else (buys[0] if buys else legal[0]))
        skipped = [text for text in game.log.sentences() if "has nothing to do" in text]
        if skipped:
            found = True
            assert int(game.public.sales) == 3
            break
    assert found


# -- decisions (section 13)


def test_bars_count_unless_they_leave_nothing() -> None:
    game = table("thief courtesan amber_1 amber_1", bars={0: ["kind=thief"]})
    assert words(game) == {"influence stop", "courtesan"}
    rings = table(cards="ring ring ring ring amber_1", bars={0: ["card=ring"]})
    assert hand(rings, 0)["amber_1"] == 2  # the only card that is not barred was bought
    all_barred = table(cards="ring ring ring ring ring", bars={0: ["card=ring"]})
    assert words(all_barred) == {f"buy {place}" for place in range(5)}


def test_words_of_other_modes_are_refused() -> None:
    game = table("favorite forger amber_1 amber_1")
    for word in ("favorite diamond ruby", "forger 1", "favorite diamond", "forger 0 ruby"):
        with pytest.raises(IllegalAction):
            game.play(word)


def test_a_seat_without_choice_is_not_asked() -> None:
    game = one_card(table("ring banker king queens_necklace", POOR, first=0))
    assert game.to_move == 0  # of its bought amber alone
    go(game, "show 0")
    assert game.to_move == 1  # without a card shown nothing can be laid
