"""What plugs in: writing it, checking it, listing it, compiling it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab.api.orders import run
from simlab.core import registry
from simlab.core.places import Named, looking_in
from simlab.core.registry import find_game, games
from simlab.errors import UserError

if TYPE_CHECKING:
    from simlab.checks.findings import Findings
    from simlab.core.game import Game

GAMES = 200
"""Games of a run that the sections of a report are tried on."""


def new(kind: str, name: str, game: str | None = None) -> list[Path]:
    """Write a strategy (of a game), a game or a report to begin with; return the new files.

    They lie in ./strategies, ./games and ./reports. UserError, and nothing written, for a name
    that is taken or cannot be one.
    """
    from simlab import creating

    return creating.new(kind, name, game)


def check(target: str | Path, game: str | None = None, strategies: Named | None = None) -> Findings:
    """Check what plugs in: a file of strategies or reports, a game's folder, a data file.

    target: path or name; game: of a data file. Returns findings: `.passed`, `.document()`, text.
    """
    from simlab import checks

    with looking_in(strategies):
        return checks.check(target, game, example=_example)  # type: ignore[no-any-return]


def _example(subject: str, game: Game, out: Path) -> Any:
    """Return something small that a page may be about; None for what is not made here."""
    from simlab.api.asking import duel, tournament
    from simlab.api.playing import replay

    name = next(iter(game.rule_sets))
    players = min(max(game.seats(name, game.rule_set(name))[0], 2), 4)
    field = list(dict.fromkeys(game.line_up(players)))[:3]
    if subject in ("run", "replay"):
        played = run(game.name, players, GAMES, out=out, events=game.events is not None)
        return played if subject == "run" else replay(out)
    if subject == "duel" and len(field) > 1 and players > 2:
        return duel(game.name, *field[:2], players=players, max=10 * GAMES, out=out)
    if subject == "tournament" and len(field) > 1:
        return tournament(game.name, players=players, field=field, n=2 * GAMES, out=out)
    return None


def list_games(strategies: Named | None = None) -> list[dict[str, Any]]:
    """Return name, title, numbers of players, rule sets and strategies of every game.

    strategies: folder or file in which games and strategies are looked for too.
    """
    with looking_in(strategies):
        return list(_games())


def _games() -> Iterator[dict[str, Any]]:
    for game in games().values():
        low, high = game.seats("standard", game.rule_set("standard"))
        yield {
            "game": game.name,
            "title": game.title,
            "players": f"{low}-{high}",
            "rules": list(game.rule_sets),
            "strategies": len(registry.strategies(game.name)),
            "aliases": list(game.aliases),
        }


def list_strategies(
    game: str | None = None, strategies: Named | None = None
) -> list[dict[str, Any]]:
    """Return name, parameters, first line and file of every strategy (of one game).

    strategies: folder or file in which strategies are looked for too.
    """
    with looking_in(strategies):
        names = [find_game(game).name] if game is not None else list(games())
        return [
            {
                "game": name,
                "strategy": said,
                "signature": said + declared.signature()[len(declared.name) :],
                "parameters": {p.name: p.wants() for p in declared.parameters},
                "summary": declared.summary,
                "kind": declared.kind,
                "file": str(declared.file),
            }
            for name in names
            for said, declared in registry.strategies(name).items()
        ]


def rules(game: str, strategies: Named | None = None) -> dict[str, Any]:
    """Return the rules that can be set, and the values of every rule set, of a game.

    With each rule set come its `cautions`, what a reader of its results must know; `page` is the
    file of the rules in full, or None. strategies: folder in which games are looked for too.
    """
    with looking_in(strategies):
        found = find_game(game)
    keys = [
        {"key": k.name, "default": k.default, "values": k.allowed(), "meaning": k.meaning}
        for k in found.keys
    ]
    keys += [
        {
            "key": data.name,
            "default": f"{data.name}.csv",
            "values": "a CSV file",
            "meaning": f"the {data.name}: columns {', '.join(data.columns)}",
        }
        for data in found.data
    ]
    sets = {
        name: {
            "note": found.rule_set_notes[name],
            "values": found.rule_set(name),
            "cautions": found.cautions_of(found.rule_set(name), {}),
        }
        for name in found.rule_sets
    }
    page = found.folder / "RULES.md"
    there = str(page) if page.is_file() else None
    return {"game": found.name, "keys": keys, "rule_sets": sets, "page": there}


def warm(*names: str, strategies: Named | None = None) -> list[str]:
    """Compile the kernels and strategies of games ahead; return what was compiled anew.

    strategies: folder or file of own strategies (and games) to compile too.
    """
    with looking_in(strategies):
        return _warm(names)


def _warm(names: Sequence[str]) -> list[str]:
    from simlab.core import cache
    from simlab.core.kernel import Compiler
    from simlab.running.rows import ranker

    if cache.compilation_is_off():
        raise UserError("numba is switched off (NUMBA_DISABLE_JIT); there is nothing to compile.")
    compiled: list[str] = []
    for name in names or tuple(games()):
        game = find_game(name)
        compiler = Compiler(game, compiled.append)
        compiler.kernel(events=False)
        if game.events is not None:
            compiler.kernel(events=True)
        for declared in registry.strategies(game.name).values():
            if declared.compiled:
                compiler.strategy(declared)
        ranker(game)
    return compiled
