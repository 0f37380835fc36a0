"""What always holds in Caylus, under random play over random rules, deals and choices."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simlab import Table
from simlab.core.table import Action
from simlab.errors import IllegalAction, UserError
from simlab.games.caylus import GAME
from simlab.games.caylus.actions import ACTIONS
from tests.games.caylus.board import (
    NEUTRALS,
    RICH,
    bits,
    board,
    check_tiles,
    check_workers,
    codes,
    face,
    points,
    road,
    setup_rows,
    write,
)
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
VALUES: dict[str, Any] = {
    key.name: st.sampled_from(key.values) if key.values else st.integers(key.low, key.high)
    for key in GAME.keys
}
POINTS = (
    "castle_points", "building_points", "residence_points", "prestige_points", "owner_points",
    "favor_points", "exchange_points", "penalty_points",
)  # fmt: skip


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the setup file of the rich start."""
    return write(tmp_path_factory.mktemp("rich"), "setup", setup_rows(RICH))


@st.composite
def specs(draw: st.DrawFn, setup: str = "") -> Spec:
    """Return any game of Caylus: any rule set, any values of any keys, any deal.

    setup: a file that half of the games start from.
    """
    rules = draw(st.sampled_from(sorted(GAME.rule_sets)))
    changed = draw(st.fixed_dictionaries({}, optional=VALUES))
    if setup and draw(st.booleans()):
        changed |= {"setup": setup, "two_player_start_deniers": "60;60"}
    players = draw(st.integers(2, 5))
    return Spec(GAME.name, players, rules, changed, seed=draw(SEEDS), deal=draw(SEEDS))


def steps(table: Table, seed: int) -> Iterator[Table]:
    """Play at random to the end; yield the table before each word and at the end."""
    rng = random.Random(seed)
    by_number = weights(GAME, seed)
    while not table.finished:
        yield table
        legal = codes(table)
        table.play(rng.choices(legal, [by_number[number] for number in legal])[0])
    yield table


# -- conservation, and the masks beside the arrays


@settings(max_examples=12)
@given(data=st.data(), seed=SEEDS)
def test_what_always_holds(rich: str, data: st.DataObject, seed: int) -> None:
    table = data.draw(specs(rich)).table()
    start = points(table)
    for place, _ in enumerate(steps(table, seed)):
        now = face(table)
        check_workers(now)
        check_tiles(now)
        check_masks(now)
        check_points(now, start, table.scores)
        check_stocks(now)
        if not table.finished:
            assert len(codes(table)) > 1
            assert place % 8 or [action.number for action in table.legal()] == codes(table)
    check_end(table)


def check_masks(now: SimpleNamespace) -> None:
    """Each mask of spaces says what the arrays say."""
    spaces, tiles = range(1, 29), now.tile
    assert bits(now.busy) == {s for s in spaces if now.worker[s] >= 0}
    assert bits(now.waiting) == {s for s in spaces if now.pending[s] >= 0}
    assert bits(now.empty) == {s for s in spaces if tiles[s] == 0}
    assert bits(now.neutral) == {s for s in spaces if 4 <= tiles[s] <= 9}
    assert bits(now.lawyers) == {s for s in spaces if tiles[s] == 16}
    assert bits(now.free) == free_places(now)
    income = {28: 1, 31: 1, 36: 2}
    for seat in range(now.players):
        own = [s for s in spaces if now.owner[s] == seat]
        assert bits(now.crafts[seat]) == {s for s in own if 10 <= tiles[s] < 28}
        assert bits(now.homes[seat]) == {s for s in own if tiles[s] == 28}
        assert now.income[seat] == sum(income.get(tiles[s], 0) for s in own)
    assert all((now.owner[s] >= 0) == (tiles[s] >= 10) for s in spaces)
    assert bits(now.away) == {*now.pass_order[: now.passed]}
    assert sorted(now.order[: now.players]) == [*range(now.players)]


def free_places(now: SimpleNamespace) -> set[int]:
    """Return the codes of the places that take one more worker."""
    found = {1, *(code for code in (2, 3, 4, 5) if now.special[code] < 0)}
    circles = sum(seat >= 0 for seat in now.stables[1:])
    closed = now.players == 2 and now.values["two_player_turn_order"] == "alternate"
    if circles < now.values["stables_capacity"] and not closed:
        found.add(6)
    if now.inn[0] < 0:
        found.add(7)
    return found | {7 + s for s in range(1, 29) if 0 < now.tile[s] < 28 and now.worker[s] < 0}


def check_points(now: SimpleNamespace, start: list[int], scores: list[int]) -> None:
    """Scores are the start, the columns of points and the bonus."""
    for seat in range(now.players):
        total = start[seat] + sum(now.columns[name][seat] for name in POINTS)
        assert now.points[seat] == total
        bonus = 3 * now.gold[seat] + sum(now.cubes[seat]) // 3 + now.deniers[seat] // 4
        assert now.columns["final_bonus"][seat] == bonus
        assert scores[seat] == total + bonus
        assert now.columns["penalty_points"][seat] <= 0
        assert total >= 0 or now.values["points_floor"] == "none"


def check_stocks(now: SimpleNamespace) -> None:
    """Nobody owes anything; markers and rounds agree with the columns."""
    assert min(now.deniers) >= 0
    assert min(map(min, now.cubes)) >= 0
    assert min(now.gold) >= 0
    for place, name in enumerate(("prestige", "deniers", "resources", "buildings")):
        for seat, used in enumerate(now.columns[f"favors_{name}"]):
            marker = now.marker[seat][place]
            assert marker <= used
            assert (marker > 0) == (used > 0)
    assert now.columns["rounds"] == [now.rounds] * now.players
    if now.values["favor_simplified"] or not now.values["favor_distinct_lines"]:
        assert not any(now.columns["favors_lost"])


def check_end(table: Table) -> None:
    """A game ends when the Towers have been scored, with nothing left to ask."""
    assert (table.end_reason, table.decision, table.legal()) == ("finished", None, [])
    assert (table.public.section, table.public.phase, table.public.worker.max()) == (3, 7, -1)
    for seat, rank in enumerate(table.ranks):
        better = sum(score > table.scores[seat] for score in table.scores)
        equal = table.scores.count(table.scores[seat])
        assert better < rank <= better + equal
        if table.book.values["tie_break"] == "shared":
            assert rank == better + 1


# -- Table: words, clones, bars, refusals


@settings(max_examples=3)
@given(specs(), SEEDS)
def test_words_repeat_a_game_of_strategies(spec: Spec, seed: int) -> None:
    table = spec.table().play_out(random_line_up(GAME, spec.players, seed))
    assert again(spec, table.log.words) == told(table)


@settings(max_examples=6)
@given(data=st.data(), seed=SEEDS, count=st.integers(0, 120))
def test_a_clone_is_independent_and_goes_on_alike(
    rich: str, data: st.DataObject, seed: int, count: int
) -> None:
    check_clone(data.draw(specs(rich)), seed, count)


@settings(max_examples=6)
@given(data=st.data(), seed=SEEDS)
def test_the_rest_of_a_game_does_not_depend_on_the_seed(
    rich: str, data: st.DataObject, seed: int
) -> None:
    """All lies open after the deal of the neutral tiles."""
    spec = data.draw(specs(rich))
    table = spec.table()
    tiles = [road(table)[space] for space in range(1, 7)]
    assert sorted(tiles) == sorted(NEUTRALS)
    twin = Spec(spec.game, spec.players, spec.rules, spec.set, seed + 1, 5, {"neutrals": tiles})
    other = twin.table()
    for _ in steps(table, seed):
        if table.log.words:
            other.play(table.log.words[-1])
    assert records(table)[0] == records(other)[0]
    assert (table.scores, table.ranks) == (other.scores, other.ranks)


@settings(max_examples=6)
@given(data=st.data(), seed=SEEDS)
def test_a_refused_action_changes_nothing(rich: str, data: st.DataObject, seed: int) -> None:
    table = data.draw(specs(rich)).table()
    rng = random.Random(seed)
    for _ in steps(table, seed):
        if table.finished or rng.random() > 0.05:
            continue
        before = records(table), list(table.log), table.to_move
        wrong = rng.sample(sorted({*range(ACTIONS)} - {*codes(table)}), 5)
        for action in (*wrong, -1, ACTIONS, "take", "place road 29", True):
            with pytest.raises(IllegalAction):
                table.play(action)
        assert (records(table), list(table.log), table.to_move) == before


BARS = [
    "kind=castle",
    "kind=wood",
    "kind=provost",
    "tile=wood_mason",
    "action=place inn",
    "action=pass",
]


def barred(legal: list[Action], bars: list[str]) -> set[str]:
    """Return the legal words that bars name; what declines is never barred by its kind."""
    found = set()
    for action in legal:
        kind, *rest = action.word.split()
        named = f"action={action.word}" in bars or f"tile={rest[-1] if rest else ''}" in bars
        whole = f"kind={kind}" in bars and rest not in (["none"], ["stop"])
        if named or whole:
            found.add(action.word)
    return found


@settings(max_examples=6)
@given(specs(), SEEDS, st.lists(st.sampled_from(BARS), min_size=1, max_size=4, unique=True))
def test_bars_are_honoured(spec: Spec, seed: int, bars: list[str]) -> None:
    """A barred word is legal only where nothing else is; other seats are free."""
    table = Spec(spec.game, spec.players, spec.rules, spec.set, spec.seed, bars={0: bars}).table()
    rng = random.Random(seed)
    while not table.finished:
        legal = table.legal()
        named = barred(legal, bars)
        if table.to_move == 0:
            assert not named or len(named) == len(legal)
        table.play(rng.choice(legal).number)


@pytest.mark.parametrize(
    "stack",
    [
        {"neutrals": ["wood_mason"]},
        {"neutrals": ["neutral_farm", "neutral_farm"]},
        {"tiles": ["neutral_farm"]},
        {"neutrals": [["neutral_farm"], ["neutral_forest"]]},
    ],
)
def test_a_stack_that_cannot_be_is_refused(stack: dict[str, Any]) -> None:
    with pytest.raises(UserError):
        Table(GAME, 3, stack=stack)


@settings(max_examples=8)
@given(st.permutations(NEUTRALS), st.integers(0, 6), SEEDS)
def test_a_stack_is_what_lies_on_the_road(order: list[str], count: int, seed: int) -> None:
    table = Table(GAME, 2, deal=seed, stack={"neutrals": order[:count]})
    tiles = [road(table)[space] for space in range(1, 7)]
    assert tiles[:count] == order[:count]
    assert sorted(tiles) == sorted(NEUTRALS)
    assert table.log.decks == {"neutrals": [tiles]}


def test_a_table_can_be_printed(tmp_path: Path) -> None:
    table = board(tmp_path, RICH, players=3)
    for place, _ in enumerate(steps(table, 5)):
        assert place % 10 or f"Round {table.public.rounds}, " in str(table)
    assert "won by" in str(table)


@pytest.mark.parametrize("bars", [["kind=place"], {0: 5}, {0: None}, {0: [None]}])
def test_what_cannot_be_bars_is_refused_in_a_sentence(bars: Any) -> None:
    with pytest.raises(UserError, match=r"bars (is|has) .* it takes what each seat may not do"):
        Table("caylus", 3, bars=bars)


def test_a_stack_of_numbers_is_refused_in_a_sentence() -> None:
    with pytest.raises(UserError, match="deck neutrals takes a list of cards"):
        Table("caylus", 3, stack={"neutrals": [5]})
