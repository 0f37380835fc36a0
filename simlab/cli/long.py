"""Commands of the long run: runs, warm, doctor."""

from __future__ import annotations

from typing import Annotated

import typer

from simlab.cli.app import app
from simlab.cli.options import Json, Places, Quiet, grid, show
from simlab.errors import UserError

MOST_NAMED = 4
PACKS = ("games", "strategies", "reports")


@app.command()
def runs(
    action: Annotated[str, typer.Argument(metavar="[list|remove]")] = "list",
    folders: Annotated[list[str] | None, typer.Argument(metavar="[RUN]...")] = None,
    json: Json = False,
) -> None:
    """List the runs under results/, or remove some."""
    from simlab import api

    if action == "list" and folders:
        raise UserError("simlab runs list takes no folders; it lists the runs under results/.")
    if action == "remove" and not folders:
        raise UserError("say which runs to remove: simlab runs remove RUN...")
    found = api.runs(action, *(folders or []))
    if json:
        show({"removed" if action == "remove" else "runs": found})
    elif action == "remove":
        for folder in found:
            print(f"removed {folder}")
    elif not found:
        print("no runs under results/ yet; `simlab run diamant` plays the first.")
    else:
        for entry in found:
            if len(entry.get("line_up", ())) > MOST_NAMED:
                more = len(entry["line_up"]) - MOST_NAMED
                entry["line_up"] = [*entry["line_up"][:MOST_NAMED], f"{more} more"]
        grid(found, ["run", "ask", "players", "rules", "set", "seats", "seed", "games", "line_up"])
        for entry in found:
            if "error" in entry:
                print(entry["error"])


@app.command()
def warm(
    game: Annotated[list[str] | None, typer.Argument(help="Names of games. Default: all.")] = None,
    places: Places = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compile games and strategies ahead of time."""
    from simlab import api

    compiled = api.warm(*(game or []), strategies=places or None)
    if json:
        show({"compiled": compiled})
    elif not quiet:
        print(f"compiled {', '.join(compiled)}" if compiled else "everything was compiled already")


@app.command()
def doctor(places: Places = None, json: Json = False) -> None:
    """Look at the installation and say what is wrong."""
    from simlab import api

    found = api.doctor(places or None)
    if json:
        show(found)
        return
    libraries = ", ".join(f"{name} {number}" for name, number in found["libraries"].items())
    size = f"{found['cache_files']} files, {found['cache_bytes'] / 1e6:.1f} MB"
    print(f"simlab {found['simlab']} on Python {found['python']}, {found['platform']}")
    print(f"libraries: {libraries}")
    print(f"cores: {found['cores']}")
    print(f"cache: {found['cache']} ({size})")
    for entry in found["plugged_in"]:
        what = [f"{kind} {', '.join(entry[kind])}" for kind in PACKS if entry[kind]]
        print(f"{entry['place']} ({entry['at']}): {'; '.join(what)}")
    if "test_games" in found:
        rate = found["test_games_per_second"]
        print(f"test run: {rate:,.0f} games of {found['test_game']} a second on one core")
    for problem in found["problems"]:
        print(f"problem: {problem}")
    if found["problems"]:
        raise typer.Exit(2)
    print("nothing is wrong")
