"""What always holds in Diamant, under random play over random rules, players, deals and choices."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simlab import Table, strategy
from simlab.core.registry import bind_for
from simlab.core.strategy import Player
from simlab.errors import IllegalAction, UserError
from simlab.games.diamant import GAME, LEAVE, STAY
from simlab.games.diamant.rules import TRAP
from tests.games.diamant.cave import cave, everybody, go
from tests.harness import (
    Spec,
    again,
    at_random,
    check_clone,
    chosen_words,
    random_line_up,
    records,
    referee_for,
    told,
)

WORDS = {key.name: st.sampled_from(key.values) for key in GAME.keys if key.values}
NUMBERS = {"expeditions": st.integers(1, 9), "explorers": st.integers(1, 2)}
SEEDS = st.integers(0, 10**6)


@st.composite
def specs(draw: st.DrawFn, without: tuple[str, ...] = ()) -> Spec:
    """Return any game of Diamant: any rule set, any values of any keys, any deal."""
    rules = draw(st.sampled_from(sorted(GAME.rule_sets)))
    keys = {name: value for name, value in (WORDS | NUMBERS).items() if name not in without}
    changed = draw(st.fixed_dictionaries({}, optional=keys))
    low, high = GAME.seats(rules, GAME.rule_set(rules) | changed)
    players = draw(st.integers(low, high))
    return Spec(GAME.name, players, rules, changed, seed=draw(SEEDS), deal=draw(SEEDS))


class Step(NamedTuple):
    """How things stood before a word: public record, private ones, and which explorer was asked."""

    public: Any
    private: list[Any]
    asked: int

    def pending(self) -> list[int]:
        """Return who must still choose after this word before anything happens."""
        return [explorer for explorer in numbers_in(self.public.inside) if explorer > self.asked]


def steps(table: Table, seed: int) -> Iterator[Step]:
    """Play at random to the end; yield how things stood, with the next word already played."""
    choose = at_random(GAME, seed)
    while table.to_move is not None:
        private = [table.private(seat) for seat in range(table.players)]
        step = Step(table.public, private, int(private[table.to_move].explorer))
        choose(table)
        yield step


def numbers_in(mask: int) -> list[int]:
    return [number for number in range(64) if int(mask) >> number & 1]


def left_in_deck(table: Table) -> list[int]:
    """Return the card numbers that are neither on the path nor out of the game."""
    public, cards = table.public, int(table.book.record[0].cards)
    return numbers_in((1 << cards) - 1 & ~(int(public.on_path) | int(public.gone)))


# -- conservation


@settings(max_examples=60)
@given(specs(), SEEDS)
def test_cards_are_conserved(spec: Spec, seed: int) -> None:
    """Deck + path + gone = box; the deck's counters count it; a taken relic is gone for good."""
    table = spec.table()
    rules = table.book.record[0]
    for step in steps(table, seed):
        before, public = step.public, table.public
        entered = int(rules.relic_mask) if rules.relic_entry == 1 else 0
        assert not int(before.gone) & ~int(public.gone) & ~entered
        path = public.path[: public.depth].tolist()
        assert sorted(path) == numbers_in(public.on_path)
        if table.finished:
            break
        deck = left_in_deck(table)
        assert len(deck) == public.deck
        kinds = [int(rules.type[card]) for card in deck if rules.kind[card] == TRAP]
        copies = [kinds.count(kind) for kind in range(int(rules.types))]
        assert copies == public.copies[: int(rules.types)].tolist()
        assert public.danger == sum(copies[kind] for kind in numbers_in(public.traps))


def test_cards_are_conserved_at_the_end() -> None:
    table = Table(GAME, 3, set={"expeditions": 1}).play_out(["never_leave"] * 3)
    assert table.public.deck == len(left_in_deck(table))


def test_leftovers_keep_their_places_at_the_end() -> None:
    table = cave("treasure_01 treasure_04 treasure_07", leftover_split="per_card", expeditions=1)
    everybody(table, "stay", "stay", "leave")
    assert table.public.on_card.sum() == table.public.leftover == 3


class Ledger:
    """The gems of the present expedition, from its path and from what was secured in it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.expedition = 0
        self.secured_before = 0
        self.turned_up = 0

    def check(self) -> None:
        """Check that every gem turned up is carried, left over or secured."""
        columns, public = self.table.columns, self.table.public
        secured = sum(columns["shares"]) + sum(columns["leftovers"])
        if public.expedition != self.expedition:
            assert secured - self.secured_before <= self.turned_up
            self.expedition, self.secured_before = int(public.expedition), secured
        path = public.path[: public.depth].tolist()
        values = self.table.book.record[0]
        self.turned_up = sum(int(values.value[c]) for c in path if values.kind[c] == 0)
        held = int(public.carried.sum()) + int(public.leftover)
        if not self.table.finished:
            assert held + secured - self.secured_before == self.turned_up
        assert held >= 0


@settings(max_examples=60)
@given(specs(), SEEDS)
def test_gems_are_conserved(spec: Spec, seed: int) -> None:
    table = spec.table()
    ledger = Ledger(table)
    ledger.check()
    for _ in steps(table, seed):
        ledger.check()
        columns = table.columns
        own = zip(*(columns[n] for n in ("shares", "leftovers", "relic_gems")), strict=True)
        assert table.scores == [sum(parts) for parts in own]
        assert table.scores == [int(table.private(seat).chest) for seat in range(spec.players)]


@settings(max_examples=60)
@given(specs(), SEEDS)
def test_a_relic_is_brought_home_once(spec: Spec, seed: int) -> None:
    table = spec.table()
    rules, scores = table.book.record[0], table.scores
    for step in steps(table, seed):
        before, public, columns = step.public, table.public, table.columns
        assert all(now >= then for now, then in zip(table.scores, scores, strict=True))
        scores = table.scores
        assert sum(columns["relics"]) == public.recovered <= rules.relics
        assert public.recovered >= before.recovered
        waiting = int(public.on_path & rules.relic_mask & ~public.gone)
        assert table.finished or len(numbers_in(waiting)) == public.relics
        if table.book.values["relic_value"] == "by_order":
            early = min(int(public.recovered), 3)
            assert sum(columns["relic_gems"]) == 5 * early + 10 * (int(public.recovered) - early)


# -- choices


@settings(max_examples=60)
@given(specs(), SEEDS)
def test_only_who_is_inside_decides_and_in_ascending_order(spec: Spec, seed: int) -> None:
    table = spec.table()
    for step in steps(table, seed):
        public = table.public
        inside = numbers_in(public.inside)
        assert public.inside_count == len(inside)
        assert not public.carried[[e for e in range(8) if e not in inside]].any()
        if table.to_move is not None:
            asked = int(table.private(table.to_move).explorer)
            assert asked == (step.pending() or inside)[0]
            assert asked >> int(table.book.record[0].shift) == table.to_move


def without(record: Any, *fields: str) -> list[bytes]:
    """Return the bytes of all other fields of a record."""
    return [record[name].tobytes() for name in record.dtype.names if name not in fields]


@settings(max_examples=60)
@given(specs(), SEEDS)
def test_nothing_is_seen_of_a_choice_until_all_are_in(spec: Spec, seed: int) -> None:
    """Meanwhile the public record changes in `decision` alone, and no other seat's record at all.

    The next to be asked learns which of its explorers is meant.
    """
    table = spec.table()
    for step in steps(table, seed):
        if not step.pending():
            continue
        assert without(table.public, "decision") == without(step.public, "decision")
        seat = step.asked >> int(table.book.record[0].shift)
        for other in range(spec.players):
            if other != seat:
                now, then = table.private(other), step.private[other]
                assert without(now, "explorer") == without(then, "explorer")


@settings(max_examples=30)
@given(specs(), SEEDS)
def test_a_seat_sees_which_of_its_own_explorers_leave(spec: Spec, seed: int) -> None:
    table = spec.table()
    leaving = [0] * spec.players
    for step in steps(table, seed):
        seat = step.asked >> int(table.book.record[0].shift)
        leaving[seat] |= (table.log.words[-1] == "leave") << step.asked
        if not step.pending():
            leaving = [0] * spec.players
        assert [int(table.private(seat).leaving) for seat in range(spec.players)] == leaving


@settings(max_examples=40)
@given(specs(), SEEDS)
def test_both_choices_look_alike_to_the_others(spec: Spec, seed: int) -> None:
    table, rng = spec.table(), random.Random(seed)
    while table.to_move is not None:
        seat, asked = table.to_move, int(table.private(table.to_move).explorer)
        stays, leaves = table.clone().play("stay"), table.clone().play("leave")
        if any(explorer > asked for explorer in numbers_in(table.public.inside)):
            assert stays.public == leaves.public
            assert stays.to_move == leaves.to_move
            others = [other for other in range(spec.players) if other != seat]
            assert all(stays.private(o) == leaves.private(o) for o in others)
        table.play(rng.choice(["stay", "stay", "leave"]))


# -- what is known of chests


@settings(max_examples=30)
@given(specs(without=("observation",)), SEEDS)
def test_chests_are_public_unless_they_are_not_remembered(spec: Spec, seed: int) -> None:
    secret = replace(spec, set={**spec.set, "observation": "no_chest_memory"})
    table, twin = secret.table(), spec.table()
    for _ in steps(table, seed):
        twin.play(table.log.words[-1])
        own = [int(table.private(seat).chest) for seat in range(spec.players)]
        assert own == table.scores == twin.scores
        assert twin.public.chest[: spec.players].tolist() == own
        assert table.public.chest[: spec.players].tolist() == [-1] * spec.players
        assert without(table.public, "chest") == without(twin.public, "chest")


# -- bars


def referee_agrees_at_the_end(table: Table) -> bool:
    """Play all choices, those carried out unasked too, through the referee."""
    referee = referee_for(GAME, table.book, table.players, table.log.decks)
    for word in chosen_words(table):
        referee.play(word)
    return bool(referee.finished and referee.scores == table.scores)


@settings(max_examples=30)
@given(specs(without=("relic_value",)), SEEDS, st.sampled_from(["stay", "leave"]))
def test_a_barred_seat_is_never_asked(spec: Spec, seed: int, barred: str) -> None:
    table = replace(spec, bars={0: [f"kind={barred}"]}).table()
    for step in steps(table, seed):
        assert step.asked >> int(table.book.record[0].shift) != 0
    forced = [entry for entry in table.log if entry.kind == "forced"]
    other = {"stay": "leave", "leave": "stay"}[barred]
    assert {(entry.seat, entry.word) for entry in forced} == {(0, other)}
    assert {entry.seat for entry in table.log if entry.kind == "chosen"} <= {*range(1, 8)}
    assert referee_agrees_at_the_end(table)


@settings(max_examples=20)
@given(specs(), SEEDS)
def test_barring_both_kinds_bars_nothing(spec: Spec, seed: int) -> None:
    table = replace(spec, bars={0: ["kind=leave", "kind=stay"]}).table()
    free = spec.table()
    for _ in steps(table, seed):
        free.play(table.log.words[-1])
        assert table.legal() == free.legal()
    assert told(table) == told(free)


@pytest.mark.parametrize(("barred", "cards"), [("stay", 1), ("leave", 35)])
def test_a_game_in_which_all_are_barred_plays_itself(barred: str, cards: int) -> None:
    bars = {seat: [f"kind={barred}"] for seat in range(3)}
    table = Spec(GAME.name, 3, bars=bars).table()
    assert table.finished
    assert table.log.words == []
    assert all(1 <= len(deck) <= cards for deck in table.log.decks["expedition"])
    assert referee_agrees_at_the_end(table)


# -- Table: clones, refusals, replays


@settings(max_examples=30)
@given(specs(), SEEDS, st.integers(0, 60))
def test_a_clone_is_independent_and_goes_on_alike(spec: Spec, seed: int, words: int) -> None:
    check_clone(spec, seed, words)


@strategy("diamant", memo=[("asked", "i4")])
def leaves_every_third_time(memo: Any) -> int:
    """Count how often it was asked in this game."""
    memo.asked += 1
    return LEAVE if memo.asked % 3 == 0 else STAY


def test_a_clone_takes_memos_and_streams_along() -> None:
    line_up = [leaves_every_third_time, "random", "random(leave=0.5)"]
    seats = [Player(bind_for(GAME, given)) for given in line_up]
    table = cave()
    while [entry.seat for entry in table.log if entry.kind == "chosen"].count(0) < 2:
        table.advance(seats[table.to_move or 0])
    games = []
    for one in (table.clone(), table):
        while not one.finished:
            one.advance(seats[one.to_move or 0])
        games.append(one.log.words)
    assert games[0] == games[1]


def test_a_clone_takes_wishes_along_and_has_its_own() -> None:
    table = cave("treasure_01", "trap_ram", "trap_lava")
    twin = table.clone()
    twin.stack("expedition", ["relic"], at=1)
    everybody(twin, "leave", "leave", "leave")
    assert [deck[0] for deck in twin.log.decks["expedition"][1:3]] == ["relic", "trap_lava"]
    table.stack("expedition", ["treasure_17"], at=2)
    everybody(table, "leave", "leave", "leave")
    assert [deck[0] for deck in table.log.decks["expedition"][1:3]] == ["trap_ram", "treasure_17"]


REFUSED = ["", "leaves", "leave now", "take", -1, 2, 99, True, False]


@settings(max_examples=20)
@given(specs(), SEEDS)
def test_a_refused_action_changes_nothing(spec: Spec, seed: int) -> None:
    table = spec.table()
    for _ in steps(table, seed):
        before = records(table), list(table.log), table.to_move
        for action in REFUSED:
            with pytest.raises(IllegalAction):
                table.play(action)
        assert (records(table), list(table.log), table.to_move) == before


@pytest.mark.parametrize(("barred", "other"), [("leave", "stay"), ("stay", "leave")])
def test_a_barred_action_is_refused_where_the_seat_was_already_asked(
    barred: str, other: str
) -> None:
    table = cave("treasure_07")
    table.bar(0, f"kind={barred}")
    assert [action.word for action in table.legal()] == [other]
    before = records(table)
    with pytest.raises(IllegalAction, match=f"'{barred}' is not legal for seat 0"):
        table.play(barred)
    assert records(table) == before
    table.play(other)


@pytest.mark.parametrize(("seat", "text"), [(3, "kind=leave"), (0, "kind=run"), (0, "card=relic")])
def test_a_bar_that_cannot_be_is_said(seat: int, text: str) -> None:
    with pytest.raises(UserError):
        cave("treasure_07").bar(seat, text)


IMPOSSIBLE = [
    {"expedition": ["relik"]},
    {"expedition": [""]},
    {"expedition": ["relic"] * 6},
    {"expedition": ["treasure_01", "treasure_01"]},
    {"expedition": [["relic"]] * 10},
    {"expeditions": ["relic"]},
]


@pytest.mark.parametrize("stack", IMPOSSIBLE)
def test_a_stack_that_cannot_be_is_refused(stack: dict[str, Any]) -> None:
    with pytest.raises(UserError):
        Table(GAME, 3, stack=stack)


def test_a_relic_cannot_lie_where_none_is_in_the_deck() -> None:
    with pytest.raises(UserError, match="'relic' cannot lie in deck expedition"):
        cave("relic", relic_entry="none")


@pytest.mark.parametrize(
    ("cards", "at"),
    [
        (["trap_ram"] * 2, None),  # one left: two went with the accident
        (["treasure_01"], None),  # on the path already
        (["treasure_07"] * 2 + ["relic"] * 5, None),  # a relic of the first expedition is gone
        (["relic"], 0),
        (["relic"], 5 + 4),
        (["relic"], -1),
        (["rellic"], 3),
    ],
)
def test_a_later_stack_that_cannot_be_changes_nothing(cards: list[str], at: int | None) -> None:
    table = everybody(cave("relic trap_ram trap_ram", "treasure_01"), "stay", "stay")
    before = records(table), list(table.log), str(table.log.decks)
    with pytest.raises(UserError):
        table.stack("expedition", cards, at)
    assert (records(table), list(table.log), str(table.log.decks)) == before


def test_a_wish_that_turns_out_impossible_changes_nothing_when_it_comes() -> None:
    table = cave("trap_ram trap_ram", "trap_ram trap_ram")
    go(table, "stay stay")
    before = records(table), list(table.log), str(table.log.decks)
    for _ in range(2):
        with pytest.raises(UserError, match="'trap_ram' cannot lie in deck expedition 1"):
            table.play("stay")
        assert (records(table), list(table.log), str(table.log.decks)) == before
        assert table.to_move == 2
    table.stack("expedition", ["trap_ram", "relic"], at=1)
    table.play("stay")
    assert table.public.expedition == 2
    assert everybody(table, "stay").log.decks["expedition"][1] == ["trap_ram", "relic"]


@settings(max_examples=30)
@given(specs(without=("explorers",)), SEEDS)
def test_words_repeat_a_game_of_strategies(spec: Spec, seed: int) -> None:
    table = spec.table().play_out(random_line_up(GAME, spec.players, seed))
    assert again(spec, table.log.words) == told(table)


def test_a_stacked_game_repeats_and_gives_the_cards_that_were_asked_for() -> None:
    wished = [["relic", "trap_ram", "treasure_17"], ["trap_lava"], ["relic", "relic"]]
    spec = Spec(GAME.name, 4, stack={"expedition": wished})
    table = spec.table().play_out(["fixed_depth(cards=3)"] * 4)
    decks = table.log.decks["expedition"]
    assert [deck[: len(wish)] for deck, wish in zip(decks, wished, strict=False)] == wished
    assert again(spec, table.log.words) == told(table)
