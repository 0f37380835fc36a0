"""Commands about what plugs in: new, check, games, strategies, rules."""

from __future__ import annotations

from typing import Annotated

import typer

from simlab.cli.app import app
from simlab.cli.options import Json, Places, grid, show
from simlab.stopping import leave_at_once


@app.command()
def new(
    kind: Annotated[str, typer.Argument(metavar="strategy|game|report")],
    name: Annotated[str, typer.Argument(metavar="NAME")],
    game: Annotated[
        str | None,
        typer.Option("--game", metavar="GAME", help="Game of the strategy. Default diamant."),
    ] = None,
    json: Json = False,
) -> None:
    """Write a new strategy, game or report to start from."""
    from simlab import api

    files = [str(path) for path in api.new(kind, name, game)]
    if json:
        show({"files": files})
        return
    for file in files:
        print(f"wrote {file}")
    print(f"Next: {_next_of_new(kind, name, game or 'diamant', files)}")


def _next_of_new(kind: str, name: str, game: str, files: list[str]) -> str:
    if kind == "strategy":
        from simlab.core.registry import find_game

        found = find_game(game)
        low = found.seats("standard", found.rule_set("standard"))[0]
        rest = found.line_up(low)[1:]
        others = " ".join(f'-s "{spec}"' if "(" in spec else f"-s {spec}" for spec in rest)
        return f"simlab check {files[0]}   and   simlab run {game} -s {name} {others}"
    if kind == "game":
        return f"simlab check games/{name}   and   simlab run {name} --n 1e5"
    return f"simlab check {files[0]}   and   simlab report RUN --kind {name.replace('_', '-')}"


@app.command()
def check(
    target: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="File of strategies, report, card file or game folder."
        ),
    ],
    game: Annotated[
        str | None, typer.Option("--game", metavar="GAME", help="Game that the file is for.")
    ] = None,
    places: Places = None,
    json: Json = False,
) -> None:
    """Check strategies, games, reports, card files and experiments."""
    from simlab import api

    leave_at_once()
    findings = api.check(target, game, places or None)
    if json:
        show(findings.document())
    else:
        print(findings)
    if not findings.passed:
        raise typer.Exit(2)


@app.command()
def games(places: Places = None, json: Json = False) -> None:
    """List the games."""
    from simlab import api

    found = api.list_games(places or None)
    if json:
        show({"games": found})
    else:
        grid(found, ["game", "title", "players", "rules", "strategies"])


@app.command()
def strategies(
    game: Annotated[str | None, typer.Argument(help="Name of the game.")] = None,
    places: Places = None,
    json: Json = False,
) -> None:
    """List the strategies of a game, with their parameters."""
    from simlab import api

    found = api.list_strategies(game, places or None)
    if json:
        show({"strategies": found})
    else:
        grid(found, (["game"] if game is None else []) + ["signature", "summary"])


@app.command()
def rules(
    game: Annotated[str, typer.Argument(help="Name of the game.")],
    places: Places = None,
    json: Json = False,
) -> None:
    """List rule sets and every rule that can be set."""
    from simlab import api

    found = api.rules(game, places or None)
    if json:
        show(found)
        return
    grid(found["keys"], ["key", "default", "values", "meaning"])
    print()
    usual = found["rule_sets"]["standard"]["values"]
    rows = []
    for name, entry in found["rule_sets"].items():
        changed = [f"{k}={v}" for k, v in entry["values"].items() if usual[k] != v]
        rows.append({"rules": name, "differs by": ", ".join(changed), "what it is": entry["note"]})
    grid(rows, ["rules", "differs by", "what it is"])
    said: dict[str, list[str]] = {}
    for name, entry in found["rule_sets"].items():
        for text in entry["cautions"]:
            said.setdefault(text, []).append(name)
    for text, names in said.items():
        of = "" if len(names) == len(rows) else f" ({', '.join(names)})"
        print(f"Caution{of}: {text}")
    if found["page"]:
        print(f"The rules in full: {found['page']}")
