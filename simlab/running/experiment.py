"""Experiment files: a question in words, and in TOML what answers it.

    question = "How many gems are enough?"
    game = "diamant"
    players = 5
    lineup = ["threshold(gems=4)", "threshold(gems=8)*4"]
    n = 200_000

`ask` says what is asked: "run" (the default), "duel", "tournament", "sweep", "compare-rules" or
"sample-size", each with keys of its own. Folders of `strategies` and CSV files of `set` are looked
for beside the file, `out` in the working directory. What a file does not state keeps the default
of the command line.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from simlab.core.registry import shipped_pack
from simlab.errors import UserError, one_of, shown
from simlab.running.experimentkeys import (
    KINDS,
    SPECS,
    USUAL,
    alternatives,
    complete,
    kind_of,
    together,
    unknown,
)
from simlab.running.experimenttoml import to_toml
from simlab.running.tomltext import Place, at, keys, line_of, parse

__all__ = ["FOLDER", "Experiment", "find_experiment", "is_experiment", "read_experiment", "to_toml"]

FOLDER = "experiments"


@dataclass(frozen=True)
class Experiment:
    """What an experiment file states.

    source: the file; ask: the kind of question; question: what is to be answered, in words;
    stated: the other keys of the file with their values as the Python function of that name takes
    them (shares as fractions, files and folders beside the file as paths).
    """

    source: Path
    ask: str
    question: str
    stated: Mapping[str, Any]
    text: str = field(default="", repr=False, compare=False)

    @property
    def game(self) -> str:
        """Name of the game, as the file has it."""
        return str(self.stated["game"])

    def arguments(self) -> dict[str, Any]:
        """Return what the file states as arguments of the function that answers it.

        That is `simlab.run` for ask = "run", and so on: duel, tournament, sweep, compare_rules,
        sample_size.
        """
        return copy.deepcopy(dict(self.stated))

    def document(self) -> dict[str, Any]:
        """Return what the file states, as `to_toml` takes it."""
        return {"ask": self.ask, "question": self.question, **self.arguments()}

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
            elsewhere = bool(place) and (place[0] in but or place[0] not in KINDS[self.ask])
            if type(error) is not UserError or elsewhere:
                raise
            told = re.sub(r"^--([a-z-]+)", lambda m: m[1].replace("-", "_"), str(error))
            is_rule = place[:1] == ("set",) and told.startswith("no rule '")
            if is_rule and place[1] in KINDS[self.ask]:
                told += f" ('{place[1]} = ...' belongs above the line [set].)"
            line = line_of(self.text, place, _words(told))
            raise UserError(f"{at(self.source, line)}: {told}") from None

    def _place(self, text: str) -> Place:
        """Return the key that an error speaks about; () where that cannot be told."""
        if option := re.search(r"^--([a-z-]+)|\(--([a-z-]+)\)", text):
            return ((option[1] or option[2]).replace("-", "_"),)
        for pattern, key in _SPEAKS_OF:
            if re.search(pattern, text):
                return (key,)
        if re.search(_OF_STRATEGIES, text):
            return self._holding(text, SPECS)
        if unknown_rule := re.match(r"no rule '([^']*)'", text):
            return ("set", unknown_rule[1])
        if begins := re.match(rf"(?:the )?(\w+(?: \w+)?) {_VERBS}\b", text):
            key = begins[1].replace(" ", "_")
            if key in self.stated:
                return (key,)
        called = {name for entry in self._specs() for name in re.findall(r"[^\W\d]\w*", entry)}
        if text.partition(":")[0] in called:
            return self._holding(text, SPECS)
        return self._set_place(text) or self._path_place(text) or self._holding(text, self.stated)

    def _specs(self) -> list[str]:
        """Return everything that names strategies."""
        return [entry for key in SPECS for entry in alternatives(self.stated.get(key, []))]

    def _holding(self, text: str, keys: Collection[str]) -> Place:
        """Return the key, of these, whose value holds most of the words that an error quotes."""
        words = _words(text)

        def held(key: str) -> int:
            value = str(self.stated[key])
            return sum(bool(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", value)) for word in words)

        stated = [key for key in keys if key in self.stated]
        best = max(stated, key=held, default="")
        return (best,) if best and (held(best) or (len(stated) == 1 and keys is SPECS)) else ()

    def _set_place(self, text: str) -> Place:
        for name, value in self.stated.get("set", {}).items():
            files = [str(each) for each in alternatives(value) if str(each).endswith(".csv")]
            named = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)
            if named or any(file in text for file in files):
                return ("set", name)
        return ()

    def _path_place(self, text: str) -> Place:
        for key in ("strategies", "out"):
            for path in alternatives(self.stated.get(key, [])):
                if str(path) in text:
                    return (key,)
        return ()


_SPEAKS_OF = (
    (r"^no game '", "game"),
    (r"^no rule set '", "rules"),
    (r"^no seating '", "seats"),
    (r"^no backend '", "backend"),
    (r"^no objective '", "objective"),
    (r" were asked for\.$", "players"),
    (r" records no events\.$", "events"),
    (r"^the level ", "confidence"),
    (r"^a pilot ", "pilot"),
    (r"^a sweep ", "vary"),
    (r"^a tournament ", "field"),
)
_OF_STRATEGIES = (
    r"^no (strategy|parameter|word) '|^strategy '|^cannot read strategy "
    r"|strategies were given for |^two strategies are named "
)
_VERBS = "(?:is|are|must|of|takes|needs|has|have|names|holds)"


def _words(text: str) -> list[str]:
    """Return the words that an error quotes from a value."""
    found = re.findall(r"'([^']+)'|^(\w+): | is ([\d.]+);", text)
    return [word for groups in found for word in groups if word]


def read_experiment(path: str | Path) -> Experiment:
    """Read an experiment file.

    Raises UserError with file and line for a file that is not there, is no UTF-8 or no TOML, and
    for a key that is unknown, missing, given twice, of another kind of question or not of its type.
    Whether there is such a game, rule or strategy is asked where it is played (see
    `Experiment.placing`) or checked (`simlab check FILE.toml`).
    """
    path = Path(path)
    text = _text(path)
    told = parse(text, path)
    stated: dict[str, Any] = {}
    with _placing(path, text, "ask"):
        ask = _read(USUAL, "ask", told["ask"]) if "ask" in told else USUAL
    for key, value in told.items():
        with _placing(path, text, key):
            stated[key] = _read(ask, key, value)
    try:
        complete(ask, stated)
    except UserError as error:
        raise UserError(f"{path}: {error}") from None
    for key, wrong in together(stated):
        raise UserError(f"{at(path, line_of(text, (key,)))}: {wrong}")
    if "strategies" in stated:
        stated["strategies"] = [path.parent / Path(p).expanduser() for p in stated["strategies"]]
    if "set" in stated:
        stated["set"] = {name: _beside(path, value) for name, value in stated["set"].items()}
    stated.pop("ask", None)
    return Experiment(path, ask, stated.pop("question"), stated, text)


def _read(ask: str, key: str, value: Any) -> Any:
    if key not in KINDS[ask]:
        raise unknown(key, ask)
    wants, reader = KINDS[ask][key]
    try:
        return reader(value)
    except TypeError:
        said = "empty" if value in ("", []) else kind_of(value)
        raise UserError(f"{key} is {said}; it takes {wants}.") from None


@contextmanager
def _placing(path: Path, text: str, key: str) -> Iterator[None]:
    """Put file and line before an error about a key."""
    try:
        yield
    except UserError as error:
        inner = re.match(r"set\.(\S+?):? ", str(error)) if key == "set" else None
        place = (key, inner[1]) if inner else (key,)
        line = line_of(text, place, _words(str(error)))
        raise UserError(f"{at(path, line)}: {error}") from None


def _beside(path: Path, value: Any) -> Any:
    """Return a rule's value, or values, with data files beside the experiment file."""
    made = [
        str(path.parent / each) if str(each).endswith(".csv") else each
        for each in alternatives(value)
    ]
    return made if isinstance(value, list) else made[0]


def is_experiment(path: Path) -> bool:
    """Whether a TOML file means to be an experiment: it names a game, a question or what to ask."""
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, ValueError):
        return False
    return any(place in (("game",), ("question",), ("ask",)) for place, _ in keys(text))


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
