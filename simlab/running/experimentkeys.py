"""The keys of experiment files: which a question takes, what they take, and who reads them."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from simlab.core.parameters import read_spec, read_whole
from simlab.core.quantities import (
    read_difference,
    read_level,
    read_list,
    read_share,
    read_span,
    read_vary,
    read_wholes,
)
from simlab.errors import UserError, one_of, shown

Read = Callable[[object], Any]
Keys = Mapping[str, tuple[str, Read]]
USUAL = "run"
SEVERAL = "compare-rules"


def kind_of(value: object) -> str:
    """Return a value of TOML in words."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (str, int, float)):
        return f"'{shown(value)}'"
    return (
        "a table" if isinstance(value, dict) else "a list" if isinstance(value, list) else "a date"
    )


def alternatives(value: object) -> list[Any]:
    """Return what a rule is set to: one value, or several for compare-rules."""
    return list(value) if isinstance(value, list) else [value]


# -- readers: each takes what TOML says, and raises TypeError where it is of another type


def _words(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise TypeError
    return value.strip()


def _entries(value: object) -> list[str]:
    return list(map(_words, value if isinstance(value, list) else [value]))


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _scalar(value: object) -> str | int | float:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise TypeError
    return value


def _kind(value: object) -> str:
    ask = _words(value).replace("_", "-")
    if ask not in KINDS:
        raise one_of("kind of question", ask, KINDS)
    return ask


def _whole(key: str, low: int) -> Read:
    return lambda value: read_whole(_scalar(value), key, low)


def _share(key: str, low: float = 0.0, *, ends: bool = False) -> Read:
    return lambda value: read_share(_scalar(value), key, low, ends=ends)


def _level(key: str, low: float) -> Read:
    return lambda value: read_level(_scalar(value), key, low)


def _difference(key: str) -> Read:
    """Return the reader of a difference in whatever is compared; `together` knows what that is."""
    return lambda value: read_difference(_scalar(value), key, "")


def _players(value: object) -> int | list[int]:
    if isinstance(value, (bool, dict)) or not isinstance(value, (str, int, float, list)):
        raise TypeError
    found = read_wholes(value, "players", 1)
    return found[0] if len(found) == 1 else found


def _span(value: object) -> list[float]:
    if not isinstance(value, (str, list)):
        raise TypeError
    return [
        int(end) if end.is_integer() and abs(end) < 1e15 else end
        for end in read_span(value, "score_range")
    ]


def _field(value: object) -> str | list[str]:
    if isinstance(value, list):
        return _entries(value)
    return "all" if _words(value) == "all" else read_list(value, "field")


def _names(value: object) -> list[str]:
    return _entries(value) if isinstance(value, list) else read_list(_words(value), "rules")


def _vary(value: object) -> list[str]:
    entries = _entries(value)
    names = [read_vary(text, "vary").name for text in entries]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"vary names '{name}' twice; give all its values in one entry.")
    return entries


def _one(value: object) -> str:
    text = _words(value)
    if read_spec(text).count != 1:
        raise UserError(f"'{shown(text)}' must be one strategy; leave the '*' out.")
    return text


def _set(value: object) -> dict[str, str | int | float]:
    """Read rules and their values."""
    for name, given in _table(value).items():
        if not isinstance(given, (str, int, float)):
            raise _no_value(name, given)
    return {name: _setting(given) for name, given in _table(value).items()}


def _several_set(value: object) -> dict[str, Any]:
    """Read rules and their values, of which there may be several."""
    found: dict[str, Any] = {}
    for name, given in _table(value).items():
        listed = read_list(given, f"set.{name}") if isinstance(given, str) else alternatives(given)
        if not listed or not all(isinstance(each, (str, int, float)) for each in listed):
            raise _no_value(name, given)
        settings = list(map(_setting, listed))
        found[name] = settings if len(settings) > 1 else settings[0]
    return found


def _table(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError
    return value


def _no_value(name: str, given: object) -> UserError:
    several = f'; several are for ask = "{SEVERAL}"' if isinstance(given, list) and given else ""
    return UserError(
        f"set.{name} is {kind_of(given)}; it takes a word in quotes or a number{several}."
    )


def _setting(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


# -- the keys: what each takes, in words, and its reader

_LIST = 'strategies in quotes: ["risk_limit", "threshold(gems=12)*3"]'
_LINEUP = (_LIST, _entries)
_PLAYERS = ("a whole number", _whole("players", 1))
_GAMES = ("a whole number", _whole("n", 1))
_CONFIDENCE = (
    'a share, such as "95%" or 0.95',
    _level("confidence", 0.5),
)
_OBJECTIVE = ('"win", "score", "margin" or "rank"', _words)
_SCORES = ('the lowest and the highest score: [0, 300] or "0:300"', _span)
_STRATEGY = ('a strategy in quotes, such as "threshold(gems=12)"', _one)
_DIFFERENCE = 'a share such as "0.5%", or a number of points where scores are compared'

_FIRST: Keys = {
    "question": ("words in quotes", _words),
    "ask": ('a kind of question in quotes, such as "duel"', _kind),
    "game": ('the name of a game in quotes, such as "diamant"', _words),
}
_LAST: Keys = {
    "rules": ('the name of a rule set in quotes, such as "standard"', _words),
    "seed": ("a whole number", _whole("seed", 0)),
    "out": ("a folder in quotes", _words),
    "strategies": ("a folder or file in quotes, or a list of them", _entries),
    "set": ("rules and their values: set.KEY = VALUE, or lines under [set]", _set),
}
_OWN: dict[str, Keys] = {
    "run": {
        "players": _PLAYERS,
        "lineup": _LINEUP,
        "seats": ('"rotate" or "fixed"', _words),
        "n": _GAMES,
        "first_game": ("a whole number", _whole("first_game", 0)),
        "until": ('when to stop: "ci=0.2%" or "A>B@95%"', _words),
        "events": ("true or false, without quotes", _truth),
    },
    "duel": {
        "players": _PLAYERS,
        "a": _STRATEGY,
        "b": _STRATEGY,
        "against": _LINEUP,
        "together": ("true or false, without quotes", _truth),
        "objective": _OBJECTIVE,
        "score_range": _SCORES,
        "margin": (_DIFFERENCE, _difference("margin")),
        "confidence": _CONFIDENCE,
        "max": ("a whole number", _whole("max", 1)),
        "gate": ("true or false, without quotes", _truth),
    },
    "tournament": {
        "players": _PLAYERS,
        "field": (f'"all", or {_LIST}', _field),
        "n": _GAMES,
        "unsettled": ('a share of the games, such as "30%"', _share("unsettled", ends=True)),
        "confidence": _CONFIDENCE,
    },
    "sweep": {
        "players": ('a whole number, a list of them, or a range such as "3:8"', _players),
        "vary": ('what is varied: "threshold.gems=4:40:2", or a list of such', _vary),
        "against": _LINEUP,
        "n": _GAMES,
        "objective": _OBJECTIVE,
        "score_range": _SCORES,
        "confidence": _CONFIDENCE,
    },
    "compare-rules": {
        "players": _PLAYERS,
        "lineup": _LINEUP,
        "rules": ('rule sets: ["standard", "official"] or "standard,official"', _names),
        "set": (_LAST["set"][0] + "; several as KEY = [VALUE, VALUE]", _several_set),
        "n": _GAMES,
        "confidence": _CONFIDENCE,
    },
    "sample-size": {
        "players": _PLAYERS,
        "a": _STRATEGY,
        "b": _STRATEGY,
        "lineup": _LINEUP,
        "objective": _OBJECTIVE,
        "score_range": _SCORES,
        "detect": (_DIFFERENCE, _difference("detect")),
        "power": (
            'a share, such as "90%" or 0.9',
            _level("power", 0),
        ),
        "confidence": _CONFIDENCE,
        "comparisons": ("a whole number", _whole("comparisons", 1)),
        "pilot": ("a whole number", _whole("pilot", 2)),
    },
}
# Every kind of question: its keys in the order in which a file states them, `set` as the last.
KINDS: dict[str, Keys] = {
    ask: {**_FIRST, **{key: own[key] for key in own if key not in _LAST}, **_LAST, **own}
    for ask, own in _OWN.items()
}
SPECS = ("lineup", "a", "b", "against", "field", "vary")
DIFFERENCES = ("margin", "detect")
SHARES = ("confidence", "power", "unsettled")

_QUESTION = 'say what is to be answered: question = "How many gems are enough?".'
_NEEDED: dict[str, dict[str, str]] = {
    "duel": {
        "a": 'say who is compared: a = "risk_limit".',
        "b": 'say with whom a is compared: b = "threshold(gems=12)".',
    },
    "sweep": {"vary": 'say what is varied: vary = ["threshold.gems=4:40:2"].'},
    "sample-size": {"detect": 'say which difference is to be found: detect = "0.5%".'},
}


def unknown(key: str, ask: str) -> UserError:
    """Return the error for a key that a question of this kind does not take."""
    if takers := _takers(key):
        usual = ", as it is where none is stated" if ask == USUAL else ""
        return UserError(f"'{key}' is for {takers}; here it is \"{ask}\"{usual}.")
    every = dict.fromkeys(key for keys in KINDS.values() for key in keys)
    if not difflib.get_close_matches(key, KINDS[ask], n=1, cutoff=0.5):
        for near in difflib.get_close_matches(key, every, n=1, cutoff=0.5):
            return UserError(
                f"no key '{shown(key)}' in an experiment file; did you mean {near}, which is for "
                f"{_takers(near)}?"
            )
    return one_of("key", key, KINDS[ask], "in an experiment file")


def _takers(key: str) -> str:
    """Return the kinds of question that take a key, in words; "" for a key of none."""
    kinds = [f'"{kind}"' for kind, keys in KINDS.items() if key in keys]
    listed = " or ".join(filter(None, (", ".join(kinds[:-1]), *kinds[-1:])))
    return f"ask = {listed}" if listed else ""


def complete(ask: str, stated: Mapping[str, Any]) -> None:
    """Raise UserError for a key that such a file must have and has not."""
    game = 'say what is played: game = "diamant".'
    for key, wants in {"question": _QUESTION, "game": game, **_NEEDED.get(ask, {})}.items():
        if key not in stated:
            raise UserError(f"the key '{key}' is missing; {wants}")
    several = [value for value in stated.get("set", {}).values() if isinstance(value, list)]
    if ask == SEVERAL and len(stated.get("rules", [])) < 2 and not several:
        raise UserError(
            'nothing is compared; give two rule sets, rules = ["standard", "official"], or a rule '
            "several values, set.KEY = [VALUE, VALUE]."
        )


def together(stated: Mapping[str, Any]) -> Iterator[tuple[str, UserError]]:
    """Yield what is wrong with keys beside others: the key, and the error."""
    for key in DIFFERENCES:
        if key in stated and stated.get("objective", "win") == "win":
            try:
                read_share(stated[key], key)
            except UserError as error:
                yield key, error
    for key, other in (("a", "b"), ("b", "a")):
        if key in stated and other not in stated:
            says = f"'{key}' is given without '{other}'; two strategies are compared, a and b."
            yield key, UserError(says)
    if "a" in stated and "lineup" in stated:
        yield "lineup", UserError("lineup stands beside a and b; give one or the other.")
