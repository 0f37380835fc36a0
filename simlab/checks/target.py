"""What is to be checked: a file, a folder, or the name of a game or strategy."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from simlab.checks.data import check_data
from simlab.checks.experiments import check_experiment
from simlab.checks.findings import FAIL, Findings, Line, Report
from simlab.checks.games import check_game
from simlab.checks.reports import Example, check_figures, check_report
from simlab.checks.strategies import check_strategy
from simlab.checks.together import check_together
from simlab.core import places
from simlab.core.game import Game
from simlab.core.loading import load_file, load_game_folder
from simlab.core.registry import (
    bind_for,
    declared_in,
    find_game,
    game_claims,
    games,
    looking_in,
    strategies,
)
from simlab.core.strategy import STRATEGY_MARK, Strategy
from simlab.errors import UserError, one_of, shown
from simlab.running.experiment import find_experiment, is_experiment

SECTIONS_MARK = "__simlab_report_sections__"


def check(
    target: object,
    game: str | Game | None = None,
    *,
    example: Example | None = None,
    seconds: float | None = None,
) -> Findings:
    """Check whatever plugs in and return what was found, one line a check.

    target: a .py file with strategies or report sections, a .csv data file, a .toml experiment
    file (or its name), a game's folder, a folder of strategies or experiments, the name of a
    strategy or game, a decorated function or a `Game`. game: what it is for, where that is not
    clear. example: makes what report sections are about, (subject, game, folder) -> run, replay or
    answer. seconds: about how long to play for each strategy (half as much again for a game),
    default SIMLAB_CHECK_SECONDS or 6.
    UserError for a target that there is not.
    """
    games()  # so that files can import those of the person
    chosen = find_game(game) if isinstance(game, str) else game
    findings = Findings(_name(target))
    findings.add(_lines(target, chosen, _Checks(chosen, example, seconds or _seconds())))
    return findings


def _seconds() -> float:
    wished = os.environ.get("SIMLAB_CHECK_SECONDS", "6")
    try:
        seconds = float(wished)
    except ValueError:
        seconds = 0.0
    if not 0.1 <= seconds <= 1e6:
        raise UserError(f"SIMLAB_CHECK_SECONDS is '{shown(wished)}'; it takes seconds, such as 6.")
    return seconds


def _name(target: object) -> str:
    declared = getattr(target, STRATEGY_MARK, None)
    named = declared if declared is not None else target
    return str(getattr(named, "name", target) if not isinstance(target, Path) else target)


def _lines(target: object, game: Game | None, checks: _Checks) -> Iterator[Line]:
    if isinstance(target, Game):
        return check_game(target, checks.seconds * 1.5)
    declared = getattr(target, STRATEGY_MARK, None)
    if declared is not None:
        return checks.strategies([declared])
    if not isinstance(target, (str, Path)):
        raise UserError(f"there is nothing to check in {shown(repr(target))}.")
    path = Path(target).expanduser()
    if isinstance(target, str) and path.name == target and not path.suffix:
        named = _named(target, game, checks)
        if named is not None:
            return named
    try:
        is_folder, is_file = path.is_dir(), path.is_file()
    except (OSError, ValueError):
        is_folder = is_file = False
    if is_folder:
        return checks.folder(path)
    if is_file and path.suffix in (".py", ".csv"):
        return checks.script(path) if path.suffix == ".py" else check_data(path, game)
    if path.suffix == ".toml":
        return iter(check_experiment(find_experiment(target), game))
    if is_file:
        raise UserError(
            f"{path} is neither a .py nor a .csv nor a .toml file; only those can be checked."
        )
    with contextlib.suppress(UserError):
        return iter(check_experiment(find_experiment(target), game))
    raise _unknown(str(target))


def _named(name: str, game: Game | None, checks: _Checks) -> Iterator[Line] | None:
    """Return the checks of a game or strategy that is known by this name, if there is one."""
    try:
        return check_game(find_game(name), checks.seconds * 1.5)
    except UserError:
        pass
    found = [strategies(g.name).get(name) for g in ([game] if game else games().values())]
    declared = [strategy for strategy in found if strategy is not None]
    return checks.strategies(declared) if declared else None


def _unknown(target: str) -> UserError:
    if Path(target).name != target or Path(target).suffix:
        return UserError(f"there is no file or folder {shown(target)} to check.")
    known = list(games())
    names = dict.fromkeys([*known, *(name for game in known for name in strategies(game))])
    broken = game_claims().broken
    also = f" {broken[0]}" if broken else ""
    return UserError(f"{one_of('file, game or strategy', target, names)}{also}")


class _Checks:
    """The checks of files and folders, with what they are for."""

    def __init__(self, game: Game | None, example: Example | None, seconds: float) -> None:
        self.game, self.example, self.seconds = game, example, seconds

    def strategies(self, declared: list[Strategy]) -> Iterator[Line]:
        """Yield the lines of strategies, and of all of a game compiled in together."""
        good: dict[str, list[Any]] = {}
        for each in declared:
            report = Report(f"{each.name} ({each.file}:{each.line})")
            try:
                game = find_game(each.game)
            except UserError as error:
                yield report.fail("game", f"{each.file}:{each.line}: {error}")
                continue
            bind = _binder(game)
            failed = False
            for line in check_strategy(game, each, bind, self.seconds):
                failed = failed or (line.status == FAIL and line.check != "documented")
                yield line
            if not failed:
                good.setdefault(game.name, []).append(bind(each.function))
        for name, bound in good.items():
            yield from check_together(find_game(name), bound)

    def script(self, path: Path, alone: bool = True) -> Iterator[Line]:
        """Yield the lines of a .py file; alone: it must declare something."""
        with looking_in([*places.named(), path]):
            module = _loaded(load_file, path)
            if isinstance(module, Line):
                yield module
                return
            declared = declared_in(module)
            sections = getattr(module, SECTIONS_MARK, None)
            twice = [s for s in declared if [o.name for o in declared].count(s.name) > 1]
            if twice:
                lines = " and ".join(str(s.line) for s in twice if s.name == twice[0].name)
                yield Report(str(path)).fail(
                    "names", f"{path}: strategy '{twice[0].name}' is declared in lines {lines}; "
                    "tell them apart with @strategy(..., name=...).",
                )  # fmt: skip
            wanted = [s for s in declared if self.game is None or s.game == self.game.name]
            yield from self.strategies(wanted)
            if sections:
                fitting = [self.game] if self.game else list(games().values())
                yield from check_report(path, fitting, self.example)
            if not wanted and not sections:
                yield self._nothing(path, alone)

    def _nothing(self, path: Path, alone: bool) -> Line:
        of = f" of {self.game.name}" if self.game else ""
        says = f"{path} declares no strategy{of} and no report section"
        if not alone:
            return Report(str(path)).skip("declares", says)
        way = "mark a function with @strategy(...) or @report_section(...)."
        return Report(str(path)).fail("declares", f"{says}; {way}")

    def folder(self, path: Path) -> Iterator[Line]:
        """Yield the lines of a game's folder, or of all files in one of strategies, experiments."""
        if (path / "__init__.py").is_file():
            with looking_in([*places.named(), path.resolve().parent.parent]):
                yield from self._game_folder(path)
            return
        files = [p for p in sorted(path.rglob("*.py")) if not p.name.startswith("_")]
        asked = [p for p in sorted(path.rglob("*.toml")) if is_experiment(p)]
        if not files and not asked:
            raise UserError(
                f"{path} holds no Python file and no experiment file to check; a game's folder has "
                "an __init__.py with GAME = Game(...), a folder of strategies has .py files."
            )
        for file in files:
            yield from self.script(file, alone=False)
        for file in asked:
            yield from check_experiment(file, self.game)

    def _game_folder(self, path: Path) -> Iterator[Line]:
        real = path.resolve()
        game = next((g for g in games().values() if g.folder.resolve() == real), None)
        if game is None:
            module = _loaded(load_game_folder, path)
            if isinstance(module, Line):
                yield module
                return
            game = getattr(module, "GAME", None)
        if isinstance(game, Game):
            yield from check_game(game, self.seconds * 1.5)
            yield from check_figures(game, self.example)
        else:
            yield Report(str(path)).fail(
                "declares", f"{path / '__init__.py'} has no GAME = Game(...)."
            )


def _binder(game: Game) -> Callable[[Any], Any]:
    return lambda given: bind_for(game, given)


def _loaded(load: Callable[[Path], ModuleType], path: Path) -> ModuleType | Line:
    """Import a file or folder; the line that says why it cannot be imported otherwise."""
    try:
        return load(path)
    except UserError as error:
        says, _, trace = str(error).partition("\n")
        return Report(str(path)).fail("loads", says, trace)
