"""Where games and strategies come from: found by name, loaded from files, never listed by hand."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import pkgutil
import sys
from pathlib import Path
from types import ModuleType

from simlab.core.game import Game
from simlab.core.strategy import STRATEGY_MARK, Bound, Strategy, bind
from simlab.core.twin import digest
from simlab.errors import UserError, one_of


def shipped_pack(kind: str) -> Path:
    """Return the folder of a shipped pack: inside the wheel, or at the top of a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "_shipped" / kind
    return inside if inside.is_dir() else package.parent / kind


@functools.lru_cache(maxsize=1)
def games() -> dict[str, Game]:
    """Return all games by name."""
    import simlab.games

    found = {}
    for module in pkgutil.iter_modules(simlab.games.__path__):
        game = getattr(importlib.import_module(f"simlab.games.{module.name}"), "GAME", None)
        if isinstance(game, Game):
            found[game.name] = game
    return found


def find_game(name: str) -> Game:
    """Return a game by its name or one of its other titles; UserError with the nearest name."""
    wanted = name.strip().lower() if isinstance(name, str) else ""
    for game in games().values():
        if wanted == game.name or wanted in game.aliases:
            return game
    raise one_of("game", name, games())


def load_file(path: Path) -> ModuleType:
    """Import a Python file by its path, once, under a name that is the same in every process."""
    path = path.resolve()
    name = f"simlab_file_{path.stem}_{digest(str(path))[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UserError(f"{path} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        del sys.modules[name]
        raise UserError(f"{error.filename}:{error.lineno}: {error.msg}.") from None
    except BaseException:
        del sys.modules[name]
        raise
    return module


def declared_in(module: ModuleType) -> list[Strategy]:
    """Return the strategies that a module itself declares."""
    found = (getattr(value, STRATEGY_MARK, None) for value in vars(module).values())
    return [s for s in found if s is not None and s.function.__module__ == module.__name__]


@functools.lru_cache(maxsize=32)
def strategies(game: str) -> dict[str, Strategy]:
    """Return the shipped strategies of a game by name."""
    found: dict[str, Strategy] = {}
    for path in sorted((shipped_pack("strategies") / game).glob("*.py")):
        if path.name.startswith("_"):
            continue
        for declared in declared_in(load_file(path)):
            if declared.game != game:
                continue
            if declared.name in found:
                raise UserError(
                    f"strategy '{declared.name}' of {game} is declared twice: in "
                    f"{found[declared.name].file} and {declared.file}."
                )
            found[declared.name] = declared
    return found


def find_strategy(game: str, name: str) -> Strategy:
    """Return a strategy of a game by name; UserError with the nearest name otherwise."""
    known = strategies(game)
    if name not in known:
        raise one_of("strategy", name, known, f"in {game}")
    return known[name]


def bind_for(game: Game, given: object) -> Bound:
    """Bind a spec in words or a decorated function to a strategy of this game."""
    bound = bind(given, lambda name: find_strategy(game.name, name))  # type: ignore[arg-type]
    for node in bound.nodes():
        if node.strategy.game != game.name:
            raise UserError(
                f"strategy '{node.strategy.name}' is for {node.strategy.game}, not for {game.name}."
            )
    return bound
