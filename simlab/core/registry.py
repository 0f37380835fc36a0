"""Games, strategies and reports by name: found in the places, never listed by hand."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from simlab.core.game import Game
from simlab.core.loading import load_file, load_game_folder
from simlab.core.pick import random_strategy
from simlab.core.places import (
    SHIPPED,
    Source,
    game_folders,
    game_sources,
    looking_in,
    shipped_pack,
    signature,
    sources,
    working_directory,
)
from simlab.core.strategy import STRATEGY_MARK, Bound, Strategy, bind
from simlab.errors import UserError, one_of

__all__ = [
    "Claims", "bind_for", "bind_usual", "claims", "declared_in", "find_game", "find_strategy",
    "games", "load_file", "looking_in", "shipped_pack", "strategies",
]  # fmt: skip

T = TypeVar("T")


@dataclass(frozen=True)
class Claim:
    """Something that claims a name: what it is, the place it is from, its file and line."""

    thing: Any
    place: str
    file: Path
    where: str

    def said(self, name: str) -> str:
        """Return the name that tells it apart."""
        return f"{self.place}:{name}"


@dataclass
class Claims:
    """Everything found: claims by name, and the errors of files that could not be read.

    others: strategies of other games that the same files declare.
    """

    by_name: dict[str, list[Claim]] = field(default_factory=dict)
    others: list[Strategy] = field(default_factory=list)
    broken: list[UserError] = field(default_factory=list)

    def add(self, name: str, claim: Claim) -> None:
        """Add a claim, unless the same thing claimed the name before."""
        known = self.by_name.setdefault(name, [])
        if all(other.thing is not claim.thing for other in known):
            known.append(claim)

    def clashes(self, kind: str) -> list[UserError]:
        """Return the error for each name that two files claim."""
        return [clash(kind, n, many) for n, many in self.by_name.items() if len(many) > 1]


def clash(kind: str, name: str, many: list[Claim]) -> UserError:
    """Return the error for a name that several files claim, with what tells them apart."""
    places = " and ".join(claim.where for claim in many)
    ways = _told_apart(name, many)
    told = f"write {' or '.join(ways)}" if kind == "strategy" and ways else "rename one of them"
    return UserError(f"{kind} '{name}' is declared twice: in {places}; {told}.")


def _told_apart(name: str, many: list[Claim]) -> list[str]:
    for words in ([c.place for c in many], [c.file.stem for c in many]):
        if len({*words}) == len(many) and all(re.fullmatch(r"[^\W\d][\w.:-]*", w) for w in words):
            return [f"{word}:{name}" for word in words]
    return []


# -- games


def game_claims() -> Claims:
    """Return every game that is shipped, in `games` of a place, or installed."""
    seen = signature("games", game_folders())
    known = _kept.get("")
    if known is None or known[0] != seen:
        known = _kept[""] = seen, _look_for_games()
    return known[1]


# game ("" for the games themselves) -> signature of the files, what was found in them
_kept: dict[str, tuple[Any, Claims]] = {}


def _look_for_games() -> Claims:
    import simlab.games

    found = Claims()
    for module in pkgutil.iter_modules(simlab.games.__path__):
        game = getattr(importlib.import_module(f"simlab.games.{module.name}"), "GAME", None)
        if isinstance(game, Game):
            found.add(game.name, Claim(game, SHIPPED, game.folder, str(game.folder)))
    for source in game_sources():
        _claim_game(source, found)
    return found


def _claim_game(source: Source, found: Claims) -> None:
    if source.path.name in found.by_name and source.entry is None:
        shipped = [c for c in found.by_name[source.path.name] if c.place == SHIPPED]
        if shipped:  # its folder would take the shipped game's place among the modules
            if source.path != shipped[0].file.resolve():
                found.by_name[source.path.name].append(
                    Claim(None, source.place, source.path, str(source.path))
                )
            return
    try:
        loaded = [load_game_folder(source.path)] if source.entry is None else source.load()
    except UserError as error:
        found.broken.append(error)
        return
    for thing in loaded:
        game = thing if isinstance(thing, Game) else getattr(thing, "GAME", None)
        if isinstance(game, Game):
            found.add(game.name, Claim(game, source.place, game.folder, str(game.folder)))
            return
    found.broken.append(UserError(f"{source.path} declares no game: it has no GAME = Game(...)."))


def games() -> dict[str, Game]:
    """Return the games by name, those whose name is clear."""
    found = game_claims().by_name
    return {name: many[0].thing for name, many in found.items() if len(many) == 1}


def find_game(name: str) -> Game:
    """Return a game by its name or one of its other titles; UserError with the nearest name."""
    wanted = name.strip().lower() if isinstance(name, str) else ""
    found = game_claims()
    for claims_of_name in (_by_title(found, wanted), found.by_name.get(wanted, [])):
        if len(claims_of_name) > 1:
            raise clash("game", wanted, claims_of_name)
        if claims_of_name:
            return claims_of_name[0].thing  # type: ignore[no-any-return]
    error = one_of("game", name, found.by_name)
    if not found.broken and not (working_directory() / "games").is_dir():
        raise UserError(f"{error} (There is no folder ./games here with games of your own.)")
    raise _unknown(error, wanted, found)


def _unknown(error: UserError, name: str, found: Claims) -> UserError:
    """Return the error for an unknown name: that of a broken file, if one may declare it."""
    for broken in found.broken:
        if name and name in str(broken).partition("\n")[0]:
            return broken
    if not found.broken:
        return error
    first = str(found.broken[0]).partition("\n")[0]
    return UserError(f"{error} What cannot be read is left out: {first}")


def _by_title(found: Claims, wanted: str) -> list[Claim]:
    if wanted in found.by_name:
        return found.by_name[wanted]
    every = [claim for many in found.by_name.values() for claim in many if claim.thing is not None]
    return [claim for claim in every if wanted in claim.thing.aliases]


# -- strategies


def declared_in(module: ModuleType) -> list[Strategy]:
    """Return the strategies that a module itself declares, in the order of its lines."""
    found = (getattr(value, STRATEGY_MARK, None) for value in vars(module).values())
    own = {s for s in found if s is not None and s.function.__module__ == module.__name__}
    return sorted(own, key=lambda s: s.line)


def _declared(thing: Any) -> Iterable[Strategy]:
    if isinstance(thing, ModuleType):
        return declared_in(thing)
    declared = getattr(thing, STRATEGY_MARK, None)
    return [declared] if declared is not None else []


def claims(game: str) -> Claims:
    """Return every strategy of a game that can be found, and the files that cannot be read.

    Every game has a `random`: its own, or one that picks any legal action.
    """
    seen = signature("strategies", ("", game)), id(game_claims())
    known = _kept.get(game)
    if known is None or known[0] != seen:
        known = _kept[game] = seen, _look_for_strategies(game)
    return known[1]


def _look_for_strategies(game: str) -> Claims:
    found = Claims()
    for source in sources("strategies", game):
        try:
            things = source.load()
        except UserError as error:
            found.broken.append(error)
            continue
        for declared in (s for thing in things for s in _declared(thing)):
            if declared.game == game:
                where = f"{declared.file}:{declared.line}"
                found.add(declared.name, Claim(declared, source.place, declared.file, where))
            else:
                found.others.append(declared)
    if "random" not in found.by_name:
        for claim in game_claims().by_name.get(game, []):
            if claim.thing is not None:
                own = random_strategy(claim.thing)
                found.add("random", Claim(own, claim.place, own.file, f"{own.file}:{own.line}"))
    return found


def strategies(game: str) -> dict[str, Strategy]:
    """Return the strategies of a game by the name that finds them: `threshold`, `mine:threshold`.

    Files that cannot be read are left out; `simlab doctor` tells of them.
    """
    listed: dict[str, Strategy] = {}
    for name, many in claims(game).by_name.items():
        clear = [name] if len(many) == 1 else _told_apart(name, many)
        listed |= {said: claim.thing for said, claim in zip(clear, many, strict=False)}
    return listed


def find_strategy(game: str, name: str, home: str = "", found: Claims | None = None) -> Strategy:
    """Return a strategy of a game by its name, or place and name; UserError otherwise.

    home: the place that is looked at first; found: what there is, if that was looked up before.
    """
    found = found or claims(game)
    place, colon, bare = name.rpartition(":")
    many = found.by_name.get(bare, [])
    if colon:
        many = [c for c in many if place in (c.place, c.file.stem)]
    elif any(c.place == home for c in many):
        many = [c for c in many if c.place == home]
    if len(many) == 1:
        return many[0].thing  # type: ignore[no-any-return]
    if many:
        raise clash("strategy", bare, many)
    for other in found.others:
        if other.name == bare:
            known = games()
            wrong = "" if other.game in known else f" {one_of('game', other.game, known)}"
            raise UserError(
                f"strategy '{bare}' ({other.file}:{other.line}) is for {other.game}, not for "
                f"{game}.{wrong}"
            )
    raise _unknown(one_of("strategy", name, strategies(game), f"in {game}"), bare, found)


def bind_for(game: Game, given: object, home: str = "") -> Bound:
    """Bind a spec in words or a decorated function to a strategy of this game.

    A strategy that is the default of a parameter is looked for first where the asking one is from.
    """
    if isinstance(given, Bound):
        return given
    found = claims(game.name)

    def beside(declared: Strategy) -> Callable[[str], Strategy]:
        every = (c for many in found.by_name.values() for c in many)
        place = next((c.place for c in every if c.thing is declared), home)
        return lambda name: find_strategy(game.name, name, place, found)

    bound = bind(given, lambda name: find_strategy(game.name, name, home, found), beside)  # type: ignore[arg-type]
    for node in bound.nodes():
        if node.strategy.game != game.name:
            raise UserError(
                f"strategy '{node.strategy.name}' is for {node.strategy.game}, not for {game.name}."
            )
    return bound


def bind_usual(game: Game, given: object) -> Bound:
    """Bind a spec of the game's own line-up: its names mean the strategies that came with it."""
    every = (c for many in game_claims().by_name.values() for c in many)
    return bind_for(game, given, next((c.place for c in every if c.thing is game), ""))


# -- everything else that plugs in


def plugged_in() -> Iterator[dict[str, Any]]:
    """Yield each place that holds something: its name, where it lies, and what it declares."""
    held: dict[tuple[str, str], dict[str, Any]] = {}

    def entry(place: str, file: Path) -> dict[str, Any]:
        key = place, str(file)
        empty = {"place": place, "at": str(file), "games": [], "strategies": [], "reports": []}
        return held.setdefault(key, empty)

    for name, many in game_claims().by_name.items():
        for claim in many:
            entry(claim.place, claim.file.parent)["games"].append(name)
    for game in games():
        for name, many in claims(game).by_name.items():
            for claim in many:
                entry(claim.place, claim.file.parent)["strategies"].append(f"{game}/{name}")
    for source in sources("reports"):
        entry(source.place, source.path.parent)["reports"].append(source.name)
    yield from held.values()


def examine() -> Iterator[str]:
    """Yield what is wrong with what plugs in: files that cannot be read, and name clashes."""
    found, known = game_claims(), games()
    problems = [*found.broken, *found.clashes("game")]
    for game in known:
        held = claims(game)
        problems += [*held.broken, *held.clashes("strategy")]
        problems += [
            UserError(f"{other.file}:{other.line}: {one_of('game', other.game, known)}")
            for other in held.others
            if other.game not in known
        ]
    for source in sources("reports"):
        try:
            source.load()
        except UserError as error:
            problems.append(error)
    yield from dict.fromkeys(str(problem) for problem in problems)
