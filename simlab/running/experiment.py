"""Experiment files: a question in words, and in TOML the run that answers it.

    question = "How many gems are enough?"
    game = "diamant"
    players = 5
    lineup = ["threshold(gems=4)", "threshold(gems=8)*4"]
    n = 200_000

Folders of `strategies` and CSV files of `set` are looked for beside the file, `out` in the working
directory. What a file does not state keeps the default of the command line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from simlab.core.parameters import read_whole
from simlab.core.registry import shipped_pack
from simlab.errors import UserError, one_of, shown
from simlab.running.tomltext import Place, at, key_text, line_of, parse, value_text

FOLDER = "experiments"
_ARGUMENTS = (
    "game", "players", "n", "lineup", "rules", "set", "seats", "seed", "first_game", "events",
    "out",
)  # fmt: skip


@dataclass(frozen=True)
class Experiment:
    """What an experiment file states; None where it is silent.

    source: the file; question: what the run is to answer, in words; set: changed rules; lineup:
    strategies in words; strategies: folders and files of own strategies; the rest as in
    `simlab.run`.
    """

    source: Path
    question: str
    game: str
    players: int | None = None
    rules: str | None = None
    set: Mapping[str, str | int | float] = field(default_factory=dict)
    lineup: tuple[str, ...] | None = None
    seats: str | None = None
    seed: int | None = None
    n: int | None = None
    first_game: int | None = None
    events: bool | None = None
    out: str | None = None
    strategies: tuple[Path, ...] = ()
    text: str = field(default="", repr=False, compare=False)

    def arguments(self) -> dict[str, Any]:
        """Return what the file states as arguments of `simlab.run`."""
        stated = {name: getattr(self, name) for name in _ARGUMENTS}
        if self.lineup is not None:
            stated["lineup"] = list(self.lineup)
        stated["set"] = dict(self.set) or None
        stated["strategies"] = list(self.strategies) or None
        return {name: value for name, value in stated.items() if value is not None}

    def document(self) -> dict[str, Any]:
        """Return what the file states, as `to_toml` takes it."""
        return {"question": self.question, **self.arguments()}

    @contextmanager
    def placing(self, but: Collection[str] = ()) -> Iterator[None]:
        """Put the file, and the line where it can be told, before a UserError of the block.

        The block checks what `arguments` gave: `with e.placing(): order(**e.arguments())`. but:
        keys whose values came from elsewhere; errors about those, about what no file can state
        (`--jobs`), and errors of another kind (a strategy that fails) pass as they are.
        """
        try:
            yield
        except UserError as error:
            place = self._place(str(error))
            elsewhere = bool(place) and (place[0] in but or place[0] not in KEYS)
            if type(error) is not UserError or elsewhere:
                raise
            told = re.sub(r"^--([a-z-]+)", lambda m: m[1].replace("-", "_"), str(error))
            if place[:1] == ("set",) and place[1] in KEYS and told.startswith("no rule"):
                told += f" ('{place[1]} = ...' belongs above the line [set].)"
            words = re.findall(r"'([^']+)'|^(\w+): | is ([\d.]+);", told)
            line = line_of(self.text, place, [word for found in words for word in found if word])
            raise UserError(f"{at(self.source, line)}: {told}") from None

    def _place(self, text: str) -> Place:
        """Return the key that an error speaks about; () where that cannot be told."""
        if option := re.match(r"--([a-z-]+) ", text):
            return (option[1].replace("-", "_"),)
        for pattern, key in _SPEAKS_OF:
            if re.search(pattern, text):
                return (key,)
        if unknown := re.match(r"no rule '([^']*)'", text):
            return ("set", unknown[1])
        called = {name for entry in self.lineup or () for name in re.findall(r"[^\W\d]\w*", entry)}
        if text.partition(":")[0] in called:
            return ("lineup",)
        for name, value in self.set.items():
            in_file = str(value).endswith(".csv") and str(value) in text
            if in_file or re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
                return ("set", name)
        for key, paths in (("strategies", self.strategies), ("out", (self.out,))):
            if any(path and str(path) in text for path in paths):
                return (key,)
        return ()


_SPEAKS_OF = (
    (r"^no game '", "game"),
    (r"^no rule set '", "rules"),
    (r"^no seating '", "seats"),
    (r"^no backend '", "backend"),
    (r" were asked for\.$", "players"),
    (r"^no (strategy|parameter|word) '|^strategy '|^cannot read strategy ", "lineup"),
    (r"strategies were given for |^two strategies are named ", "lineup"),
    (r" records no events\.$", "events"),
)


def _words(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise TypeError
    return value.strip()


def _several(value: object) -> tuple[str, ...]:
    return tuple(map(_words, value if isinstance(value, list) else [value]))


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _table(value: object) -> dict[str, str | int | float]:
    if not isinstance(value, dict):
        raise TypeError
    for name, given in value.items():
        if not isinstance(given, (str, int, float)):
            raise UserError(f"set.{name} is {_kind(given)}; it takes a word in quotes or a number.")
    return {k: str(v).lower() if isinstance(v, bool) else v for k, v in value.items()}


def _whole(key: str, low: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, (str, int, float)):
            raise TypeError
        return read_whole(value, key, low)

    return read


_LIST = 'strategies in quotes: ["risk_limit", "threshold(gems=12)*3"]'
# Every key of an experiment file: what it takes, in words, and who reads it (TypeError: not that).
KEYS: dict[str, tuple[str, Callable[[object], Any]]] = {
    "question": ("words in quotes", _words),
    "game": ('the name of a game in quotes, such as "diamant"', _words),
    "players": ("a whole number", _whole("players", 1)),
    "rules": ('the name of a rule set in quotes, such as "standard"', _words),
    "set": ("rules and their values: set.KEY = VALUE, or lines under [set]", _table),
    "lineup": (_LIST, _several),
    "seats": ('"rotate" or "fixed"', _words),
    "seed": ("a whole number", _whole("seed", 0)),
    "n": ("a whole number", _whole("n", 1)),
    "first_game": ("a whole number", _whole("first_game", 0)),
    "events": ("true or false, without quotes", _truth),
    "out": ("a folder in quotes", _words),
    "strategies": ("a folder or file in quotes, or a list of them", _several),
}
_NEEDED = {
    "question": 'say what the run is to answer: question = "How many gems are enough?".',
    "game": 'say what is played: game = "diamant".',
}


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (str, int, float)):
        return f"'{shown(value)}'"
    return (
        "a table" if isinstance(value, dict) else "a list" if isinstance(value, list) else "a date"
    )


def read_experiment(path: str | Path) -> Experiment:
    """Read an experiment file.

    Raises UserError with file and line for a file that is not there, is no UTF-8 or no TOML, and
    for a key that is unknown, missing, given twice or not of its kind. Whether there is such a
    game, rule or strategy is asked where the run is made (see `Experiment.placing`).
    """
    path = Path(path)
    text = _text(path)
    stated: dict[str, Any] = {}
    for key, value in parse(text, path).items():
        try:
            if key not in KEYS:
                raise one_of("key", key, KEYS, "in an experiment file")
            wants, reader = KEYS[key]
            try:
                stated[key] = reader(value)
            except TypeError:
                said = "empty" if value in ("", []) else _kind(value)
                raise UserError(f"{key} is {said}; it takes {wants}.") from None
        except UserError as error:
            inner = re.match(r"set\.(\S+) is ", str(error)) if key == "set" else None
            line = line_of(text, (key, inner[1]) if inner else (key,))
            raise UserError(f"{at(path, line)}: {error}") from None
    for key, wants in _NEEDED.items():
        if key not in stated:
            raise UserError(f"{path}: the key '{key}' is missing; {wants}")
    beside = path.parent
    stated["set"] = {
        name: str(beside / value) if str(value).endswith(".csv") else value
        for name, value in stated.get("set", {}).items()
    }
    stated["strategies"] = tuple(
        beside / Path(given).expanduser() for given in stated.get("strategies", ())
    )
    return Experiment(source=path, text=text, **stated)


def _text(path: Path) -> str:
    try:
        if path.is_dir():
            raise UserError(
                f"{path} is a folder; name an experiment file, such as {path}/NAME.toml."
            )
        data = path.read_bytes()
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except FileNotFoundError:
        there = sorted(p.name for p in path.parent.glob("*.toml"))
        if not there:
            where = f"{shown(path.name)} in {path.parent}"
            raise UserError(f"there is no experiment file {where}.") from None
        raise one_of("experiment file", path.name, there, f"in {path.parent}") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UserError(f"{at(path, line)}: this is not UTF-8 text; save it as UTF-8.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UserError(f"cannot read {shown(path)}: {reason}.") from None


def find_experiment(text: str | Path) -> Path:
    """Return the experiment file that is meant.

    text: a path, or the name (`.toml` may be left out) of a file in `./experiments` or among those
    that simlab brings. Raises UserError with the nearest name, or with both files where two have
    the name.
    """
    given = str(text)
    name = given if given.endswith(".toml") else f"{given}.toml"
    try:
        paths = [Path(given).expanduser(), Path(name).expanduser()]
        if isinstance(text, Path) or "/" in given or "\\" in given:
            return next((path for path in paths if path.is_file()), paths[0])
        if given and (own := next((path for path in paths if path.is_file()), None)):
            return own
        folders = (Path(FOLDER), shipped_pack(FOLDER))
        found = {p.resolve(): p for f in reversed(folders) if (p := f / name).is_file()}
    except (OSError, ValueError, RuntimeError):
        raise UserError(f"'{shown(given)}' cannot be the name of an experiment file.") from None
    if len(found) > 1:
        both = " and ".join(map(str, reversed(found.values())))
        raise UserError(f"two experiments are named {given}: {both}; give the path of one of them.")
    if not found:
        if given and paths[0].is_dir():
            return paths[0]  # and reading it says what is wrong
        there = sorted({path.stem for folder in folders for path in folder.glob("*.toml")})
        raise one_of("experiment", given, there, f"in {FOLDER}/")
    return next(iter(found.values()))


def to_toml(document: Mapping[str, Any]) -> str:
    """Write the experiment file that repeats a run.

    document: the keys of an experiment file (those that are None are left out), or those of
    `Spec.document()`, to which n, first_game, events, out and question may be added. Folders of
    strategies must be given so that they are found from anywhere.
    """
    said = dict(document)
    said["lineup"] = said.get("lineup") or said.get("line_up")
    said["strategies"] = said.get("strategies") or said.get("places") or None
    data = {name: entry["file"] for name, entry in said.get("data", {}).items()}
    said["set"] = {**(said.get("set") or {}), **data}
    said["question"] = said.get("question") or _question(said)
    lines = [
        f"{key} = {value_text(said[key])}"
        for key in KEYS
        if key != "set" and said.get(key) is not None
    ]
    if said["set"]:
        lines += ["", "[set]"]
        lines += [
            f"{key_text(key)} = {value_text(_plain(value))}" for key, value in said["set"].items()
        ]
    return "\n".join(lines) + "\n"


def _question(said: Mapping[str, Any]) -> str:
    names = list(dict.fromkeys(said["lineup"] or ["the usual strategies"]))
    players = f" with {said['players']} players" if said.get("players") else ""
    return f"How good are {', '.join(names)} in {said['game']}{players}?"


def _plain(value: Any) -> Any:
    """A whole number that came as a word, as a number."""
    whole = isinstance(value, str) and re.fullmatch(r"0|-?[1-9][0-9]{0,17}", value)
    return int(value) if whole else value
