"""What a game's declaration leaves out, and what is wrong with it: said when it is declared.

Every sentence names the game and the field of `Game` that is not right.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from simlab.core.records import EVENT_VALUES, EVENTS, make, record
from simlab.core.twin import plain
from simlab.errors import UserError, one_of, shown

MISSING: Any = object()
NOTHING = record(("nothing", "i8", ()))
ROW_COLUMNS = ("game", "deal", "seat", "strategy", "score", "rank", "win", "end_reason")
BAR_BITS = 63

ARGUMENTS = {
    "begin": ("table", "seats", "hidden", "rules", "rng"),
    "step": ("table", "seats", "hidden", "rules", "rng", "seat", "action"),
    "legal": ("table", "me", "rules", "action"),
    "score": ("table", "seats", "hidden", "rules", "result"),
}
FIELDS = {"table": ("players", "decision"), "seat": ("seat", "barred"), "hidden": (), "rules": ()}
TAKES = {
    "table": "a record with what everybody sees, players and decision among it",
    "seat": "a record with what one seat sees, seat and barred among it",
    "seats": "a function (rule set, values) -> (fewest, most players), or a pair such as (2, 6)",
    "decisions": "the words of the decisions by number, such as ('none', 'roll_or_hold')",
    "actions": "the words of the actions by number, such as ('roll', 'hold')",
    **{name: f"a function {name}({', '.join(names)})" for name, names in ARGUMENTS.items()},
}


def completed(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return every field of a `Game` from what was given for it; UserError where it cannot be."""
    name = given["name"]
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", name):
        raise UserError(
            f"'{shown(name)}' cannot be the name of a game; it takes letters, digits, - and _, a "
            "letter first."
        )
    place = f"game '{name}'"
    for field, takes in TAKES.items():
        if given[field] is MISSING:
            raise UserError(f"{place}: {field} is missing; it takes {takes}.")
    made = dict(given)
    _functions(place, made)
    _records(place, made)
    _rules(place, made)
    _play(place, made)
    _results(place, made)
    return made


def _wrong(place: str, field: str, value: Any, takes: str = "") -> UserError:
    return UserError(f"{place}: {field} is {shown(repr(value))}; it takes {takes or TAKES[field]}.")


def _functions(place: str, made: dict[str, Any]) -> None:
    for field, names in ARGUMENTS.items():
        if not inspect.isfunction(plain(made[field])):
            raise _wrong(place, field, made[field])
        count = len(inspect.signature(plain(made[field])).parameters)
        if count != len(names):
            raise UserError(
                f"{place}: {field} takes {count} arguments; it must take {len(names)}: "
                f"({', '.join(names)})."
            )
    if made["folder"] is None:
        made["folder"] = Path(inspect.getfile(plain(made["begin"]))).parent
    made["folder"] = Path(made["folder"])
    made["title"] = made["title"] or made["name"].replace("_", " ").capitalize()
    made["cautions"] = made["cautions"] or (lambda values: [])
    for field in ("cautions", "words"):
        if not callable(made[field]):
            raise _wrong(place, field, made[field], "a function or a class")


def _records(place: str, made: dict[str, Any]) -> None:
    for field, needed in FIELDS.items():
        dtype = made[field]
        if not isinstance(dtype, np.dtype) or not dtype.names or not dtype.isalignedstruct:
            raise _wrong(place, field, dtype, "what simlab.core.records.record(...) returns")
        for name in needed:
            if name not in dtype.names:
                raise UserError(f"{place}: {field} has no field '{name}'; it takes {TAKES[field]}.")
        for name, base in _numbers(dtype):
            if base.kind not in "if" and name not in ("state", "key"):
                raise UserError(
                    f"{place}: {field} has the field '{name}' of type {base}; numbers of a record "
                    "are signed, such as i4 or i8 (or f8), so that sums and masks stay "
                    "whole numbers."
                )
    barred = made["seat"]["barred"]
    if barred.base != np.int64 or len(barred.shape) != 1:
        raise UserError(
            f"{place}: seat has a field 'barred' of type {barred}; it takes ('barred', 'i8', (1,))."
        )


def _numbers(dtype: np.dtype[Any]) -> Iterable[tuple[str, np.dtype[Any]]]:
    for name in dtype.names or ():
        base = dtype[name].base
        if base.names:
            yield from _numbers(base)
        else:
            yield name, base


def _rules(place: str, made: dict[str, Any]) -> None:
    for field in ("keys", "data"):
        made[field] = tuple(made[field])
    names = [entry.name for field in ("keys", "data") for entry in made[field]]
    _once(place, "keys", names, "rule or data file")
    for key in made["keys"]:
        _value(place, f"the default of key '{key.name}'", key, key.default)
    by_name = {key.name: key for key in made["keys"]}
    sets = made["rule_sets"] = dict(
        {"standard": {}} if made["rule_sets"] is None else made["rule_sets"]
    )
    if "standard" not in sets:
        raise UserError(f"{place}: rule_sets has no 'standard'; it is what is played by default.")
    for set_name, values in sets.items():
        for key_name, value in values.items():
            if key_name not in by_name:
                raise one_of("rule", key_name, by_name, f"in rule_sets['{set_name}'] of {place}")
            _value(place, f"rule_sets['{set_name}']['{key_name}']", by_name[key_name], value)
    for field in ("rule_set_notes", "data_of"):
        made[field] = dict(made[field] or {})
        for set_name in made[field]:
            if set_name not in sets:
                raise one_of("rule set", set_name, sets, f"in {field} of {place}")
    usual = dict.fromkeys(sets, "") | {"standard": "the rules as RULES.md has them"}
    made["rule_set_notes"] = usual | made["rule_set_notes"]
    if made["make_rules"] is None:
        made["make_rules"] = _rules_maker(place, made["rules"], made["keys"], made["data"])
    elif not callable(made["make_rules"]):
        raise _wrong(place, "make_rules", made["make_rules"], "a function (values, rows)")
    _seats(place, made)


def _value(place: str, where: str, key: Any, value: Any) -> None:
    try:
        key.read(value)
    except UserError as error:
        raise UserError(f"{place}: {where}: {error}") from None


def _rules_maker(place: str, dtype: np.dtype[Any], keys: Sequence[Any], data: Any) -> Any:
    """Return the function that fills the fields of `rules` that are named like keys."""
    if data:
        raise UserError(
            f"{place}: make_rules is missing; a game with data files needs a function "
            "make_rules(values, rows) that returns an array of one rules record."
        )
    for key in keys:
        if key.name not in (dtype.names or ()):
            raise UserError(
                f"{place}: rules has no field '{key.name}' for the key of that name; add it, or "
                "give make_rules, a function (values, rows) that returns a rules record."
            )

    def make_rules(values: Mapping[str, Any], rows: Mapping[str, Any]) -> Any:
        made = make(dtype)
        for key in keys:
            value = values[key.name]
            setattr(made[0], key.name, key.values.index(value) if key.values else value)
        return made

    return make_rules


def _seats(place: str, made: dict[str, Any]) -> None:
    seats = made["seats"]
    if isinstance(seats, tuple) and _is_span(seats):
        made["seats"] = lambda rule_set, values: seats
        return
    if not callable(seats):
        raise _wrong(place, "seats", seats)
    for name, changed in made["rule_sets"].items():
        span = seats(name, {key.name: key.default for key in made["keys"]} | dict(changed))
        if not isinstance(span, tuple) or not _is_span(span):
            raise UserError(
                f"{place}: seats returns {shown(repr(span))} for the rules {name}; it must return "
                "the fewest and the most players, such as (2, 6)."
            )


def _is_span(pair: tuple[Any, ...]) -> bool:
    whole = len(pair) == 2 and all(type(n) is int for n in pair)
    return whole and 1 <= pair[0] <= pair[1]


def _once(place: str, field: str, words: Sequence[Any], what: str) -> None:
    for word in words:
        if not isinstance(word, str) or not word:
            raise UserError(f"{place}: {field} holds {shown(repr(word))}; a {what} must be a word.")
        if words.count(word) > 1:
            raise UserError(f"{place}: {field} names the {what} '{shown(word)}' twice.")


def _word_list(
    place: str, field: str, value: Any, what: str, empty: bool = True
) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise _wrong(place, field, value, TAKES.get(field, f"a list of words, one for each {what}"))
    words = tuple(value)
    if not words and not empty:
        raise _wrong(place, field, value)
    _once(place, field, words, what)
    return words


def _play(place: str, made: dict[str, Any]) -> None:
    made["decisions"] = _word_list(place, "decisions", made["decisions"], "decision", empty=False)
    made["secret"] = _word_list(place, "secret", made["secret"], "decision")
    for word in made["secret"]:
        if word not in made["decisions"]:
            raise one_of("decision", word, made["decisions"], f"in secret of {place}")
    made["aliases"] = _word_list(place, "aliases", made["aliases"], "other name")
    room = made["seat"]["barred"].shape[0]
    if not callable(made["actions"]):
        words = _word_list(place, "actions", made["actions"], "action", empty=False)
        made["actions"] = lambda book: list(words)
        if made["bars"] is None:
            _bits_by_kind(place, words, room)
    if made["bars"] is None:
        made["bars"] = _word_bars(place, made["name"], room)
    elif not callable(made["bars"]):
        raise _wrong(
            place, "bars", made["bars"], "a function (text, rule book) -> [(word, bit), ...]"
        )
    line_up = made["line_up"]
    if not callable(line_up):
        specs = _line_up(place, line_up)
        made["line_up"] = lambda players: [specs[seat % len(specs)] for seat in range(players)]
    made["action_names"] = dict(made["action_names"] or {})
    made["decks"] = dict(made["decks"] or {})
    for name, deck in made["decks"].items():
        if deck.field not in made["hidden"].names:
            raise one_of(
                "field", deck.field, made["hidden"].names, f"in hidden, deck '{name}' of {place}"
            )
    for field in ("shard_games", "decision_cap"):
        if type(made[field]) is not int or made[field] < 1:
            raise _wrong(place, field, made[field], "a whole number of at least 1")


def _line_up(place: str, given: Any) -> list[str]:
    specs = list(given) if isinstance(given, (tuple, list)) else []
    if not specs or not all(isinstance(spec, str) for spec in specs):
        takes = "a list of strategies in words, or a function (players) -> such a list"
        raise _wrong(place, "line_up", given, takes)
    return specs


Bits = list[tuple[int, int]]


def _bits_by_kind(place: str, actions: Sequence[str], room: int) -> dict[str, Bits]:
    """Return the bits of all actions by their first word; UserError where there is no room."""
    needed = -(-len(actions) // BAR_BITS)
    if room < needed:
        raise UserError(
            f"{place}: seat has a field 'barred' of {room} words of {BAR_BITS} actions each; "
            f"{len(actions)} actions need ('barred', 'i8', ({needed},)), or a function bars."
        )
    if not all(word == "" or word.split() for word in actions):
        raise UserError(f"{place}: an action has no word; every action needs one.")
    found: dict[str, Bits] = {}
    for number, word in enumerate(actions):
        if word:
            found.setdefault(word.split()[0], []).append(divmod(number, BAR_BITS))
    return found


def _word_bars(place: str, name: str, room: int) -> Callable[[str, Any], Bits]:
    """Return the reader of `kind=WORD`: the bits of all actions whose first word that is."""

    def bars(text: str, book: Any) -> Bits:
        kinds = _bits_by_kind(place, book.actions, room)
        sign, _, kind = text.partition("=")
        if sign != "kind":
            raise one_of("bar", text, [f"kind={word}" for word in kinds], f"in {name}")
        if kind not in kinds:
            raise one_of("kind of action", kind, kinds, f"in {name}")
        return kinds[kind]

    return bars


def _score_range(place: str, given: Any) -> Any:
    """Return the function of the range of scores; UserError for a pair that is none."""
    if given is None or callable(given):
        return given
    try:
        low, high = (float(end) for end in given)
        if low < high:
            return lambda book, players: (low, high)
    except (TypeError, ValueError):
        pass
    raise UserError(
        f"{place}: score_range is {shown(repr(given))}; it takes the least and the largest score, "
        "such as (0, 100), or a function (rule book, players) -> such a pair."
    )


def _results(place: str, made: dict[str, Any]) -> None:
    made["columns"] = tuple(made["columns"])
    names = [column.name for column in made["columns"]]
    _once(place, "columns", names, "column")
    for column in made["columns"]:
        if column.name in (*ROW_COLUMNS, "tie"):
            raise UserError(
                f"{place}: columns has '{column.name}', which every game's rows already have; give "
                "it another name."
            )
        if not re.fullmatch(r"[iu][1248]|f[48]", column.dtype):
            raise UserError(
                f"{place}: columns: '{column.name}' has the type {shown(column.dtype)!r}; it takes "
                "i1, i2, i4, i8, u1, u2, u4, u8, f4 or f8."
            )
    reasons = _word_list(place, "own_end_reasons", made["own_end_reasons"], "end of a game")
    _once(place, "own_end_reasons", ["finished", "truncated", *reasons], "end of a game")
    made["own_end_reasons"] = reasons
    if made["length"] is not None and made["length"] not in names:
        raise one_of("column", made["length"], names, f"for length in {place}")
    made["score_range"] = _score_range(place, made["score_range"])
    events = made["events"]
    if events is None:
        return
    if "events" not in made["hidden"].names or made["hidden"]["events"] != EVENTS:
        raise UserError(f"{place}: events needs a field ('events', EVENTS, ()) in hidden.")
    if len(events.values) > EVENT_VALUES:
        raise UserError(
            f"{place}: events has {len(events.values)} values; at most {EVENT_VALUES} are possible."
        )
    own = ["game", "deal", "seat", "event", events.turn, events.what, *events.values]
    _once(place, "events", own, "column")
    for group, kinds in events.groups.items():
        _once(place, "events", [*ROW_COLUMNS, *names, group], "column or group")
        for kind in kinds:
            if kind not in events.kinds:
                raise one_of("kind", kind, events.kinds, f"in events.groups['{group}'] of {place}")
