"""What always holds, under random play over random rules, cards, deals and choices."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simlab import Table
from simlab.core.game import rule_book
from simlab.games.collier import GAME
from tests.games.collier.board import rows, write
from tests.harness import Spec, again, check_clone, records, told, weights

SEEDS = st.integers(0, 10**6)
NUMBERS = {"necklace_bounty": st.sampled_from([0, 1, 50, 1000])}
VALUES: dict[str, Any] = {
    key.name: st.sampled_from(key.values)
    if key.values
    else NUMBERS.get(key.name, st.integers(key.low, min(key.high, 10)))
    for key in GAME.keys
}
VALUES["courtesan_max"] = st.sampled_from(["none", 0, 1, 2, 3])


@pytest.fixture(scope="module")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return card files: other copies, kinds left out, gems of five, rows in another order."""
    folder, rng = tmp_path_factory.mktemp("boxes"), random.Random(8)
    made = []
    for number in range(4):
        changed = rows()
        for row in changed:
            if row["category"] in ("gem", "character"):
                row["copies"] = str(max(0, int(row["copies"]) + rng.choice([-1, 0, 0, 1])))
            if row["category"] == "gem" and rng.random() < 0.2:
                row["gem_count"] = str(rng.randint(1, 5))
        if number % 2:
            rng.shuffle(changed)
            changed = [row for row in changed if row["id"] not in ("queen", "alchemist")]
        made.append(str(write(folder, changed, f"cards{number}")))
        rule_book(GAME, "standard", {"cards": made[-1]})
    return made


@st.composite
def specs(draw: st.DrawFn, boxes: list[str]) -> Spec:
    """Return any game: any rule set, any values of any keys, any cards, any deal."""
    rules = draw(st.sampled_from(sorted(GAME.rule_sets)))
    changed = draw(st.fixed_dictionaries({}, optional=VALUES))
    if draw(st.booleans()):
        changed["cards"] = draw(st.sampled_from(boxes))
    players = draw(st.integers(2, 4))
    return Spec(GAME.name, players, rules, changed, seed=draw(SEEDS), deal=draw(SEEDS))


@settings(max_examples=25)
@given(data=st.data(), seed=SEEDS)
def test_what_always_holds(boxes: list[str], data: st.DataObject, seed: int) -> None:
    table = data.draw(specs(boxes)).table()
    rng, by_number = random.Random(seed), weights(GAME, seed)
    sales = 0
    while not table.finished:
        check_cards(table)
        check_public(table)
        check_knowledge(table)
        legal = [action.number for action in table.legal()]
        assert len(legal) > 1
        assert sales <= int(table.public.sales) <= 3
        sales = int(table.public.sales)
        table.play(rng.choices(legal, [by_number[number] for number in legal])[0])
    check_cards(table)
    check_end(table)


def check_cards(table: Table) -> None:
    """Every card is in the deck, the market, a hand or out of the game."""
    public, record = table.public, table.book.record[0]
    hands = np.array([table.private(seat).hand for seat in range(table.players)], int)
    count = int(public.count)
    assert list(public.market[count:5]) == [-1] * (5 - count)
    in_market = np.bincount(np.asarray(public.market[:count], int), minlength=32)
    there = hands.sum(0) + in_market + np.asarray(public.gone, int)
    assert (there <= np.asarray(record.copies, int)).all()
    assert int(there.sum()) + int(public.deck) == int(record.cards)
    assert [int(n) for n in public.hand_size[: table.players]] == hands.sum(1).tolist()
    assert (hands >= 0).all()


def check_public(table: Table) -> None:
    """Fashion is an order of the types, prices are on the card, one sale waits at most."""
    public, record = table.public, table.book.record[0]
    assert sorted(public.fashion) == [0, 1, 2, 3]
    assert [int(public.value[gem]) for gem in public.fashion] == [30, 20, 10, 0]
    steps = [int(public.steps[place]) for place in range(int(public.count))]
    assert all(0 <= step < 4 for step in steps)
    assert steps == sorted(steps, reverse=True)  # the oldest card is never dearer by its steps
    assert int(public.budget) >= 0
    assert -1 <= int(public.pending) < table.players
    necklace = int(record.of_role[11])
    holders = [s for s in range(table.players) if table.private(s).hand[necklace] > 0]
    assert [int(public.necklace)] == (holders or [-1])
    if table.decision in ("show", "ring", "banker", "king", "necklace"):
        assert not public.shown.any()  # nothing shows before all displays are in
        assert not public.rings.any()
        assert int(public.protected) == -1


def check_knowledge(table: Table) -> None:
    """Of what was seen to come at most `missing` cards are gone; the rest was never seen."""
    sizes = table.public.hand_size
    for seat in range(table.players):
        me = table.private(seat)
        for other in range(table.players):
            if other == seat:
                continue
            known = np.asarray(me.known[other], int)
            held = np.asarray(table.private(other).hand, int)
            missing = int(me.missing[other])
            assert missing >= 0
            assert int(np.maximum(known - held, 0).sum()) <= missing
            assert int(sizes[other]) - int(known.sum()) + missing >= 0
            if sizes[other] == 0:
                assert not known.any()
                assert missing == 0


def check_end(table: Table) -> None:
    """Three sales were held, and all columns agree."""
    columns = table.columns
    assert int(table.public.sales) == 3
    assert int(table.public.merchants) == 0
    turns = [columns[f"sale_{sale}"][0] for sale in (1, 2, 3)]
    assert turns == sorted(turns)
    assert columns["turns"][0] == turns[2]
    for seat in range(table.players):
        sales = sum(columns[f"points_sale_{sale}"][seat] for sale in (1, 2, 3))
        gems = ("diamond", "emerald", "ruby", "amber")
        types = sum(columns[f"points_{gem}"][seat] for gem in gems)
        assert table.scores[seat] == sales == types + columns["bounty_points"][seat]
        for gem in gems:
            assert columns[f"sold_{gem}"][seat] >= 0
        assert columns["necklaces"][seat] in (0, 1)


@settings(max_examples=8)
@given(data=st.data(), seed=SEEDS, words=st.integers(0, 120))
def test_a_clone_is_independent(
    boxes: list[str], data: st.DataObject, seed: int, words: int
) -> None:
    check_clone(data.draw(specs(boxes)), seed, words)


@settings(max_examples=8)
@given(data=st.data(), seed=SEEDS)
def test_words_repeat_a_game(boxes: list[str], data: st.DataObject, seed: int) -> None:
    spec = data.draw(specs(boxes))
    table = spec.table()
    rng = random.Random(seed)
    while not table.finished:
        table.play(rng.choice(table.legal()).number)
    assert again(spec, table.log.words) == told(table)


def test_a_look_changes_nothing_and_a_position_shows_no_hand() -> None:
    table = Table(GAME, 3, seed=6)
    before = records(table)
    text = GAME.words(table.book).position(table.public, table.scores)
    assert records(table) == before
    assert "4 cards in hand" in text
    assert "Known" not in text
