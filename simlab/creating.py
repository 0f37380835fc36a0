"""`simlab new`: writes a strategy, a game or a report that runs at once, for its owner to change.

What is written are the text files of `simlab/templates`, filled in with names. Nothing that exists
is overwritten, and where one file cannot be written none is left behind.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import keyword
import re
import sys
import textwrap
from collections.abc import Callable, Iterable
from pathlib import Path
from string import Template
from types import ModuleType
from typing import Any

import numpy as np

from simlab.core.game import Game, rule_book
from simlab.core.places import sources
from simlab.core.registry import claims, find_game, games
from simlab.errors import UserError, one_of, shown

KINDS = ("strategy", "game", "report")
TEMPLATES = Path(__file__).parent / "templates"
USUAL_GAME = "diamant"
MOST_ACTIONS = 12
HEURISTICS = ("hold_at", "random")
GIVEN = ("table", "me", "rules", "rng")

Texts = dict[Path, str]


def new(
    kind: str, name: str, game: str | None = None, folder: str | Path | None = None
) -> list[Path]:
    """Write a new strategy, game or report and return the files that were written.

    kind: "strategy", "game" or "report"; name: letters, digits and _; game: of a strategy, by
    default diamant; folder: where `strategies/`, `games/` or `reports/` lie or will lie, by default
    the working directory. Raises UserError for a name that cannot be or is taken, with nothing
    written.
    """
    if kind not in KINDS:
        raise one_of("kind", kind, KINDS, "for simlab new")
    if game is not None and kind != "strategy":
        raise UserError(f"simlab new {kind} takes no game; only a strategy belongs to one.")
    _check_name(kind, name)
    makers: dict[str, Callable[[], Texts]] = {
        "strategy": lambda: _strategy(name, find_game(game or USUAL_GAME)),
        "game": lambda: _game(name),
        "report": lambda: _report(name),
    }
    texts = {Path(folder or ".") / path: text for path, text in makers[kind]().items()}
    if kind == "strategy":
        _check_own(name, next(iter(texts.values())))
    _write(texts)
    return list(texts)


def _check_name(kind: str, name: object) -> None:
    given = f"'{shown(name)}' cannot be the name of a {kind}"
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z]\w{0,59}", name, re.ASCII):
        raise UserError(
            f"{given}; it takes letters, digits and _, a letter first, such as my_{kind}."
        )
    if keyword.iskeyword(name) or hasattr(builtins, name):
        raise UserError(
            f"{given}: Python uses that word itself; choose another, such as my_{name}."
        )
    if kind == "game" and name != name.lower():
        raise UserError(f"{given}; write a game's name in small letters: {name.lower()}.")


def _check_own(name: str, text: str) -> None:
    """Raise UserError where a strategy's name is something else inside its own file."""
    defined = 0
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and name in {alias.name for alias in node.names}:
            raise UserError(
                f"'{name}' cannot be the name of a strategy: its file imports {name} from "
                f"{node.module}; choose another, such as my_{name}."
            )
        defined += isinstance(node, ast.FunctionDef) and node.name == name
    if defined > 1:
        raise UserError(
            f"'{name}' cannot be the name of a strategy: its file has a helper of that name."
        )


def _filled(template: str, **words: object) -> str:
    text = (TEMPLATES / f"{template}.txt").read_text(encoding="utf-8")
    return Template(text).substitute({key: str(value) for key, value in words.items()})


# -- a strategy


def _strategy(name: str, game: Game) -> Texts:
    for claim in claims(game.name).by_name.get(name, []):
        raise UserError(
            f"{game.name} already has a strategy '{name}' ({claim.file}); choose another name."
        )
    package = _package(game)
    view = _view(package)
    arguments = _arguments(getattr(view, "default", None))
    picks = _arguments(getattr(view, "pick_legal", None)) == list(GIVEN)
    words = {
        "name": name,
        "title": game.title,
        "game": game.name,
        "offers": _offers(game, package),
        "imports": _imports(game, package, arguments is not None, picks),
        "pick": "" if picks else _filled("pick_legal.py", count=len(rule_book(game).actions)),
        "pick_legal": "view.pick_legal" if picks else "pick_legal",
        "arguments": ", ".join(arguments or ()),
    }
    template = "strategy.py" if arguments is not None else "strategy_without_default.py"
    return {Path("strategies") / game.name / f"{name}.py": _filled(template, **words)}


def _package(game: Game) -> ModuleType:
    """Return the package that a strategy of this game imports from."""
    module = sys.modules[game.begin.__module__]
    whole = hasattr(module, "__path__") and any(each is game for each in vars(module).values())
    name = module.__name__ if whole else module.__name__.rpartition(".")[0]
    return importlib.import_module(name) if name else module


def _view(package: ModuleType) -> ModuleType | None:
    try:
        return importlib.import_module(f"{package.__name__}.view")
    except ModuleNotFoundError:
        return None


def _arguments(function: Any) -> list[str] | None:
    """Return the names of a view function's arguments; None where a strategy has no such things."""
    if not inspect.isfunction(function):
        return None
    names = list(inspect.signature(function).parameters)
    return names if set(names) <= set(GIVEN) else None


def _imports(game: Game, package: ModuleType, default: bool, picks: bool) -> str:
    names = ["Range", "strategy", *(["uniform"] if default else []), *([] if picks else ["below"])]
    lines = [f"from simlab import {', '.join(sorted(names, key=lambda n: (n.islower(), n)))}"]
    if default or picks:
        lines.append(f"from {package.__name__} import view")
    if not picks:
        renamed = "" if game.legal.__name__ == "legal" else " as legal"
        lines.append(f"from {game.legal.__module__} import {game.legal.__name__}{renamed}")
    return "\n".join(lines)


def _offers(game: Game, package: ModuleType) -> str:
    """Return comments that say what a strategy of this game may return and look at."""
    words = rule_book(game).actions
    few = len(words) <= MOST_ACTIONS
    constants = {number: name for name, number in game.action_names.items()}
    if few and not constants:
        constants = {
            value: name
            for name, value in vars(package).items()
            if name.isupper() and type(value) is int and 0 <= value < len(words)
        }
    numbers = range(len(words)) if few else sorted(constants) or range(MOST_ACTIONS)
    actions = [
        f"{number} {words[number]}" + (f" ({constants[number]})" if number in constants else "")
        for number in numbers
    ]
    if not few:
        actions.append(f"... {sum(map(bool, words))} in all")
    source = f"; names from {package.__name__}" if constants else ""
    source += ", where a group begins" if constants and not few else ""
    lines = [f"Actions{source}: {', '.join(actions)}."]
    if len(game.decisions) > 1:
        asked = ", ".join(f"{number} {word}" for number, word in enumerate(game.decisions))
        lines.append(f"table.decision: {asked}.")
    for record, dtype in (("table", game.table), ("me", game.seat), ("rules", game.rules)):
        lines.append(f"{record}: {', '.join(_fields(dtype))}.")
    view = _view(package)
    if view is not None:
        lines.append(f"view: {', '.join(_signatures(view))}.")
    return "\n".join(part for line in lines for part in _comment(line))


def _signatures(view: ModuleType) -> Iterable[str]:
    """Yield what a game's view offers, each with the arguments it takes."""
    offered = getattr(view, "__all__", None)  # of a view in several files
    for name, value in vars(view).items():
        own = inspect.isfunction(value) and value.__module__.startswith(view.__name__)
        own = own and (offered is None or name in offered)
        if own and not name.startswith("_"):
            yield f"{name}({', '.join(inspect.signature(value).parameters)})"


def _fields(dtype: np.dtype[Any]) -> Iterable[str]:
    for name in dtype.names or ():
        sizes = ", ".join(map(str, dtype[name].shape))
        yield f"{name}[{sizes}]" if sizes else name


def _comment(line: str) -> list[str]:
    return textwrap.wrap(
        line, 96, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False
    )


# -- a game, a report


def _game(name: str) -> Texts:
    taken = {title for game in games().values() for title in (game.name, *game.aliases)}
    if name in taken | {alias.replace("-", "_") for alias in taken}:
        raise UserError(f"there is already a game '{name}'; choose another name.")
    for place in (Path("games") / name, Path("strategies") / name):
        if (TEMPLATES.parent / place).exists():
            raise UserError(f"there is already a game '{name}'; choose another name.")
    words = {"name": name, "title": name.replace("_", " ").capitalize()}
    texts = {
        Path("games") / name / path.stem: _filled(f"game/{path.stem}", **words)
        for path in sorted((TEMPLATES / "game").glob("*.txt"))
    }
    texts |= {
        Path("strategies") / name / f"{own}.py": _filled(f"strategies/{own}.py", **words)
        for own in HEURISTICS
    }
    return texts


def _report(name: str) -> Texts:
    kind = name.lower().replace("_", "-")
    for source in sources("reports"):
        stem = source.path.stem if source.entry is None else source.entry.name
        if stem.lower().replace("_", "-") == kind:
            raise UserError(
                f"there is already a report '{kind}' ({source.path}); choose another name."
            )
    return {Path("reports") / f"{name}.py": _filled("report.py", kind=kind)}


# -- writing


def _write(texts: Texts) -> None:
    """Write all files, or none where one exists or cannot be written."""
    taken = [path for path in texts if path.exists() or path.is_symlink()]
    if taken:
        raise UserError(f"{taken[0]} already exists; choose another name or move it away.")
    written: list[Path] = []
    folders: list[Path] = []
    try:
        for path, text in texts.items():
            missing = [p for p in path.parents if not p.exists()]
            path.parent.mkdir(parents=True, exist_ok=True)
            folders += reversed(missing)
            with open(path, "x", encoding="utf-8", newline="\n") as file:
                written.append(path)
                file.write(text)
    except OSError as error:
        for path in written:
            path.unlink(missing_ok=True)
        for folder in reversed(folders):
            folder.rmdir()
        raise UserError(f"cannot write {error.filename}: {error.strerror}.") from None
