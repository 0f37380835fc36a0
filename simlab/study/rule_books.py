"""The rule books that are compared: combinations of rule sets and of values of single rules."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simlab.core.game import Game, rule_book
from simlab.core.parameters import number_text, read_whole
from simlab.core.quantities import read_list, read_range
from simlab.errors import UserError, shown

MOST_BOOKS = 24
LONGEST_NAME = 80


@dataclass(frozen=True)
class Book:
    """One rule book of a comparison.

    label: what tells it apart from the others; folder: the same as the name of a folder; rules: its
    rule set; changes: rule or data file -> value, as text.
    """

    label: str
    folder: str
    rules: str
    changes: Mapping[str, str]


@dataclass(frozen=True)
class Books:
    """What is compared, the first against all others, and how it was asked for.

    rules: rule sets; settings: rule or data file -> its values, one or several.
    """

    rules: list[str]
    settings: dict[str, list[str]]
    books: list[Book]

    def words(self) -> dict[str, Any]:
        """Return what an experiment file says of them; defaults are left out."""
        said: dict[str, Any] = {"rules": self.rules} if self.rules != ["standard"] else {}
        if self.settings:
            said["set"] = {k: v[0] if len(v) == 1 else v for k, v in self.settings.items()}
        return said


def read_books(game: Game, rules: Any, set: Mapping[str, Any] | None) -> Books:
    """Return the product of rule sets and of alternatives of each rule, in the order given.

    rules: `standard,official` or a list; set: rule -> value, or alternatives with commas between or
    as a list (a comma never stands inside a value; lists inside one are joined by "+").
    UserError for what is unknown, given twice, fewer than two rule books, or more than 24.
    """
    names = read_list(rules, "--rules")
    _once(names, "--rules", "rule set")
    for name in names:
        game.rule_set(name)
    if not isinstance(set or {}, Mapping):
        raise UserError(f"set is {shown(repr(set))}; it takes rules and values, as a dict.")
    settings = {name: _values(game, name, given) for name, given in (set or {}).items()}
    count = len(names)
    for values in settings.values():
        count *= len(values)
    if count < 2:
        raise _alone(game, names)
    if count > MOST_BOOKS:
        raise UserError(
            f"{count:,} combinations of rules were asked for; at most {MOST_BOOKS} are compared."
        )
    return Books(names, settings, _product(game, names, settings))


def _once(values: list[str], where: str, what: str) -> None:
    for value in values:
        if values.count(value) > 1:
            raise UserError(f"{where} names the {what} '{shown(value)}' twice; leave one out.")


def _values(game: Game, name: object, given: Any) -> list[str]:
    """Return the values of a rule or data file, one or several."""
    said = f"--set {shown(name)}"
    data = [file.name for file in game.data]
    key = None if name in data else game.key(name)  # type: ignore[arg-type]
    if isinstance(given, str) and key is not None and not key.values:
        found = [
            number_text(v) if isinstance(v, float) else str(v) for v in read_range(given, said)
        ]
    elif isinstance(given, str):
        found = read_list(given, said)
    else:
        found = read_list([_text(v) for v in _listed(given)], said)
    _once(found, said, "value")
    return found


def _listed(given: Any) -> list[Any]:
    return list(given) if isinstance(given, (list, tuple)) else [given]


def _text(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return number_text(value)
    return str(value) if isinstance(value, (int, Path)) else value


def _alone(game: Game, names: list[str]) -> UserError:
    """Return the error for a comparison of one rule book, with an example of the game's own."""
    others = [name for name in game.rule_sets if name not in names]
    words = next((key for key in game.keys if key.values), None)
    ways = [f"--rules {names[0]},{others[0]}"] if others else []
    ways += [f"--set {words.name}={','.join(words.values)}"] if words else []
    ways = ways or ["--set KEY=VALUE,VALUE"]
    return UserError(
        f"a rule change needs at least two rule books, but there is one; name two rule sets or two "
        f"values, such as {' or '.join(ways)}."
    )


def _product(game: Game, names: list[str], settings: dict[str, list[str]]) -> list[Book]:
    """Return the rule books, each named by what differs among them."""
    varied = [name for name, values in settings.items() if len(values) > 1]
    books: list[Book] = []
    taken: list[str] = []
    for rules, *values in itertools.product(names, *settings.values()):
        changes = dict(zip(settings, values, strict=True))
        words = [rules] if len(names) > 1 else []
        words += [f"{name}={_short(settings[name], changes[name])}" for name in varied]
        label = " + ".join(words)
        folder = re.sub(r"[^\w.=+-]+", "-", "-".join(words), flags=re.ASCII).strip(".-")[
            :LONGEST_NAME
        ]
        if not folder or folder.lower() in taken:  # some file systems do not tell A from a
            folder = f"{folder}-{len(books)}"
        taken.append(folder.lower())
        books.append(Book(label, folder, rules, changes))
    return books


def _short(values: list[str], value: str) -> str:
    """Return a value, a path of a data file by its name alone where that tells it apart."""
    names = [Path(each).name for each in values]
    is_path = value.endswith(".csv") and len({*names}) == len(names)
    return Path(value).name if is_path else value


def common_players(game: Game, books: list[Book], given: object) -> int:
    """Return the number of players: as given, or the smallest that is possible under all rules.

    UserError naming the rules under which it is not possible.
    """
    made = [rule_book(game, book.rules, book.changes) for book in books]
    if given is not None:
        count = read_whole(given, "--players", 1)
        for one in made:
            one.check_players(count)
        return count
    spans = [game.seats(one.rule_set, one.values) for one in made]
    most = max(range(len(spans)), key=lambda at: spans[at][0])
    least = min(range(len(spans)), key=lambda at: spans[at][1])
    if spans[most][0] > spans[least][1]:
        told = [f"{books[at].label} is for {_span(spans[at])}" for at in sorted((most, least))]
        raise UserError(
            f"no number of players is possible under all rules of the comparison: "
            f"{' and '.join(told)} players."
        )
    return spans[most][0]


def _span(span: tuple[int, int]) -> str:
    low, high = span
    return f"{low} to {high}" if high > low else str(low)


__all__ = ["MOST_BOOKS", "Book", "Books", "common_players", "read_books"]
