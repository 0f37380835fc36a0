"""A small game needs only what is its own; one that is declared wrongly says so at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simlab import Table
from simlab.core.declare import ROW_COLUMNS
from simlab.core.functions import rule
from simlab.core.game import DONE, Column, DataFile, Events, Game, Key, rule_book
from simlab.core.pick import random_strategy
from simlab.core.plainwords import PlainWords
from simlab.core.records import EVENTS, RNG, record
from simlab.core.registry import find_game
from simlab.core.rng import below, stream
from simlab.core.strategy import Bound
from simlab.core.trace import tell
from simlab.errors import UserError
from simlab.running.rows import FIXED_COLUMNS
from tests.agreeing import all_agree, spec_of

TABLE = record(
    ("players", "i4", ()), ("decision", "i4", ()), ("left", "i4", ()), ("taken", "i4", (4,))
)
SEAT = record(("seat", "i4", ()), ("coins", "i4", ()), ("barred", "i8", (1,)))
RULES = record(("heap", "i4", ()), ("most", "i4", ()), ("last", "i4", ()))
HIDDEN = record(("chance", RNG, ()), ("turns", "i4", ()))
ACTIONS = ("take 1", "take 2", "take 3", "pass")
LOSES = 1


@rule
def begin(table, seats, hidden, rules, rng):
    """A heap of coins."""
    hidden.chance.state = stream(rng.key, 0)
    table.decision = 1
    table.left = rules.heap + below(hidden.chance, 5)
    tell("a_heap", table.left)
    return np.int64(0)


@rule
def step(table, seats, hidden, rules, rng, seat, action):
    """Take some."""
    count = 0 if action == 3 else action + 1
    table.left -= count
    table.taken[seat] += count
    seats[seat].coins += count
    hidden.turns += 1
    tell("seat {} takes {}", seat, count)
    if table.left == 0:
        if rules.last == LOSES:
            table.taken[seat] = 0
        table.decision = 0
        return np.int64(DONE)
    return np.int64((seat + 1) % table.players)


@rule
def legal(table, me, rules, action):
    """Up to `most` and no more than there are; or nothing."""
    if (np.int64(me.barred[0]) >> action) & 1:
        return False
    return 0 <= action <= 3 and (action == 3 or (action < rules.most and action < table.left))


@rule
def score(table, seats, hidden, rules, result):
    """Coins taken."""
    for seat in range(table.players):
        result[seat].score = table.taken[seat]


SMALLEST: dict[str, Any] = {
    "name": "coins",
    "table": TABLE,
    "seat": SEAT,
    "begin": begin,
    "step": step,
    "legal": legal,
    "score": score,
    "seats": (2, 4),
    "decisions": ("none", "how_many"),
    "actions": ACTIONS,
}
KEYS = (
    Key("heap", 10, "coins at first", low=1, high=50),
    Key("most", 3, "most that may be taken", low=1, high=3),
    Key("last", "wins", "what the last coin does", ("wins", "loses")),
)
FULL = SMALLEST | {"hidden": HIDDEN, "rules": RULES, "keys": KEYS}
COINS = Game(**FULL, rule_sets={"standard": {}, "misere": {"last": "loses", "heap": 20}})


def test_the_smallest_declaration_has_a_default_for_everything_else() -> None:
    game = Game(**SMALLEST)
    assert (game.title, game.folder) == ("Coins", Path(__file__).parent)
    assert (game.aliases, game.keys, game.data, game.columns, game.secret) == ((), (), (), (), ())
    assert game.rule_sets == {"standard": {}}
    assert [*game.rule_set_notes] == ["standard"]
    assert (game.decks, game.data_of) == ({}, {})
    assert game.seats("standard", {}) == (2, 4)
    assert rule_book(game).actions == list(ACTIONS)
    assert game.line_up(3) == ["random"] * 3
    assert game.cautions({}) == []
    assert (game.shard_games, game.decision_cap, game.events) == (2**16, 10_000, None)
    assert game.end_reasons == ("finished", "truncated")
    assert game.words is PlainWords
    assert rule_book(game).record.dtype.names == ("nothing",)
    assert game.result.names == ("score", "tie", "end_reason")


def test_rules_are_filled_from_the_keys_words_by_their_place() -> None:
    standard = rule_book(COINS).record[0]
    assert (standard.heap, standard.most, standard.last) == (10, 3, 0)
    misere = rule_book(COINS, "misere", {"most": "2"}).record[0]
    assert (misere.heap, misere.most, misere.last) == (20, 2, 1)


def test_a_line_up_in_words_is_used_again_where_players_are_more() -> None:
    game = Game(**FULL, line_up=("random", "greedy(coins=2)"))
    assert game.line_up(3) == ["random", "greedy(coins=2)", "random"]


def test_bars_are_read_from_the_first_words_of_actions() -> None:
    assert rule_book(COINS).bars("kind=take") == [(0, 0), (0, 1), (0, 2)]
    assert rule_book(COINS).bars("kind=pass") == [(0, 3)]
    with pytest.raises(UserError, match=r"^no kind of action 'tkae' in coins; did you mean take\?"):
        rule_book(COINS).bars("kind=tkae")
    with pytest.raises(UserError, match=r"^no bar 'card=x' in coins; choose from kind=take, kind="):
        rule_book(COINS).bars("card=x")
    table = Table(COINS, 2, bars={0: ["kind=take"]})
    assert [action.word for action in table.legal()] == ["pass"]


def test_bars_of_many_actions_go_on_in_the_next_word() -> None:
    words = [f"take {count}" for count in range(70)]
    with pytest.raises(UserError, match=r"^game 'coins': seat has a field 'barred' of 1 words"):
        Game(**(FULL | {"actions": words}))
    seat = record(("seat", "i4", ()), ("barred", "i8", (2,)))
    assert rule_book(Game(**(FULL | {"actions": words, "seat": seat}))).bars("kind=take")[
        62:64
    ] == [
        (0, 62),
        (1, 0),
    ]


def test_plain_words_tell_the_game_from_the_names_of_its_fields() -> None:
    table = Table(COINS, 2, deal=3)
    assert str(table).splitlines() == [
        f"Left {table.public.left}",
        "  taken: 0, 0",
        "  scores: 0, 0",
        "Seat 0 decides: how many (its own: coins 0).",
    ]
    table.play("take 2")
    assert table.log.sentences() == [
        f"A heap: {table.public.left + 2}.",
        "Seat 0: take 2.",
        "Seat 0 takes 2.",
    ]
    words = PlainWords(rule_book(COINS))
    assert words.told("it is over!", (), table.public) == "It is over!"
    with pytest.raises(
        UserError, match=r"^the rules of coins tell 'seat \{\}' with 2 numbers, but"
    ):
        words.told("seat {}", (1, 2), table.public)


@pytest.mark.parametrize("rules", ["standard", "misere"])
def test_a_game_of_defaults_is_the_same_compiled_and_plain(
    rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    line_up = [Bound(random_strategy(COINS))] * 3
    results = all_agree(spec_of(COINS, line_up, rules), 60, monkeypatch)
    assert results["score"].sum(1).max() > 0


def test_random_takes_every_legal_action_equally_often() -> None:
    declared = random_strategy(COINS)
    assert declared is random_strategy(COINS)
    assert (declared.name, declared.game) == ("random", "coins")
    table = Table(COINS, 2, set={"heap": 2, "most": 2}, seed=3)
    table.play("pass")
    rng = np.zeros(1, RNG).view(np.recarray)[0]
    chosen = [0, 0, 0, 0]
    with np.errstate(over="ignore"):
        for _ in range(3000):
            args = (table.public, table.private(1), table.book.record[0], rng)
            chosen[int(declared.function(*args))] += 1
    assert chosen[2] == 0
    assert all(abs(count - 1000) < 120 for count in (chosen[0], chosen[1], chosen[3]))


def test_diamant_says_what_it_said() -> None:
    game = find_game("diamant")
    assert rule_book(game).bars("kind=leave") == [(0, 1)]
    assert game.seats("tag", game.rule_set("tag")) == (2, 8)
    assert game.shard_games == 2**18
    assert game.data[0].totals is None or callable(game.data[0].totals)


def test_every_fixed_column_is_guarded() -> None:
    assert tuple(name for name, _, _ in FIXED_COLUMNS) == ROW_COLUMNS


def _no_such(a: int) -> int:
    return a


UNSIGNED = record(("players", "i4", ()), ("decision", "i4", ()), ("hand", "u2", (3,)))
NARROW = record(("seat", "i4", ()), ("barred", "i4", ()))
TOO_MANY = Key("heap", 99, "", low=1, high=9)
CARDS = DataFile("cards", (), lambda rows, place: None)
TOOK = Events("turn", ("took",), "coins", (), lambda players, values: 1)
BY_HAND = np.dtype([("players", "i4"), ("decision", "i1"), ("left", "i8")])
WRONG = [
    ("begin is missing; it takes a function begin(table, seats, hidden", {"begin": None}, "drop"),
    ("seats is missing; it takes a function (rule set, values)", {"seats": None}, "drop"),
    ("decisions is missing; it takes the words of the decisions", {"decisions": None}, "drop"),
    ("decisions is (); it takes the words", {"decisions": ()}, ""),
    ("decisions is 'none'; it takes the words", {"decisions": "none"}, ""),
    ("decisions names the decision 'a' twice", {"decisions": ("a", "a")}, ""),
    ("step is 5; it takes a function step(", {"step": 5}, ""),
    ("legal takes 1 arguments; it must take 4: (table,", {"legal": _no_such}, ""),
    ("seats is 5; it takes a function (rule set, values)", {"seats": 5}, ""),
    ("seats is (4, 2); it takes", {"seats": (4, 2)}, ""),
    ("seats returns 3 for the rules standard; it must return", {"seats": lambda r, v: 3}, ""),
    ("columns has 'score', which every", {"columns": (Column("score", "i4", "x"),)}, ""),
    ("columns has 'strategy', which", {"columns": (Column("strategy", "i4", "x"),)}, ""),
    ("columns: 'coins' has the type 'int'", {"columns": (Column("coins", "int", "x"),)}, ""),
    ("columns names the column 'a' twice", {"columns": (Column("a", "i4", ""),) * 2}, ""),
    ("table has no field 'players'; it takes a record", {"table": SEAT}, ""),
    ("seat has no field 'seat'", {"seat": TABLE}, ""),
    ("table has the field 'hand' of type uint16; numbers of a record", {"table": UNSIGNED}, ""),
    ("it takes what simlab.core.records.record(...) returns", {"table": BY_HAND}, ""),
    ("seat has a field 'barred' of type int32", {"seat": NARROW}, ""),
    ("rules has no field 'heap' for the key of that name", {"rules": SEAT}, ""),
    ("the default of key 'heap': heap is '99'; it takes", {"keys": (TOO_MANY,)}, ""),
    ("rule_sets has no 'standard'", {"rule_sets": {}}, ""),
    (
        "no rule 'haep' in rule_sets['standard'] of game 'coins'; did",
        {"rule_sets": {"standard": {"haep": 1}}},
        "",
    ),
    ("rule_sets['standard']['most']: most is '9'", {"rule_sets": {"standard": {"most": 9}}}, ""),
    (
        "no rule set 'standrad' in rule_set_notes of game 'coins';",
        {"rule_set_notes": {"standrad": ""}},
        "",
    ),
    ("no decision 'how_mny' in secret of game 'coins'; did", {"secret": ("how_mny",)}, ""),
    ("actions is 4; it takes the words", {"actions": 4}, ""),
    ("line_up is []; it takes a list of strategies", {"line_up": []}, ""),
    ("shard_games is 0; it takes a whole number of at least 1", {"shard_games": 0}, ""),
    ("make_rules is missing; a game with data files", {"data": (CARDS,)}, ""),
    ("events needs a field ('events', EVENTS, ()) in hidden", {"events": TOOK}, ""),
    ("own_end_reasons names the end of a game", {"own_end_reasons": ("finished",)}, ""),
    ("'my game' cannot be the name of a game; it takes letters", {"name": "my game"}, ""),
]
NAMES = [f"{place}-{next(iter(given))}" for place, (_, given, _) in enumerate(WRONG)]


@pytest.mark.parametrize(("says", "given", "how"), WRONG, ids=NAMES)
def test_a_wrong_declaration_is_one_sentence_with_game_and_field(
    says: str, given: dict[str, Any], how: str
) -> None:
    fields = FULL | given
    for name in given if how == "drop" else ():
        del fields[name]
    with pytest.raises(UserError) as raised:
        Game(**fields)
    said = str(raised.value)
    assert says in said
    assert "coins" in said or "name" in given
    assert "\n" not in said
    assert said.endswith((".", "?"))


def test_secret_events_and_end_reasons_are_kept() -> None:
    hidden = record(("chance", RNG, ()), ("turns", "i4", ()), ("events", EVENTS, ()))
    about = Events("turn", ("took",), "coins", ("left",), lambda players, values: 50)
    game = Game(
        **(FULL | {"hidden": hidden}),
        secret=("how_many",),
        events=about,
        own_end_reasons=("tired",),
    )
    assert game.secret == ("how_many",)
    assert game.end_reasons == ("finished", "truncated", "tired")
    with pytest.raises(AttributeError):
        game.name = "other"


@pytest.mark.parametrize("word", ["at", "dtype"])
def test_a_field_of_a_record_cannot_be_a_word_of_the_engine(word: str) -> None:
    with pytest.raises(UserError, match=f"cannot have a field '{word}': .* uses that word itself"):
        record(("players", "i4", ()), (word, "i4", ()))
