"""Commands that play: run, replay, play."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from simlab.cli.app import app
from simlab.cli.options import (
    AsToml,
    Backend,
    Force,
    Jobs,
    Json,
    Places,
    Players,
    Quiet,
    Rules,
    Seats,
    Seed,
    Set,
    Strategies,
    cell,
    changes,
    hush,
    show,
)
from simlab.errors import UserError, shown
from simlab.stopping import interrupts, leave_at_once


@app.command()
def run(
    game: Annotated[
        str | None, typer.Argument(help="Name of the game; `simlab games` lists them.")
    ] = None,
    file: Annotated[
        str | None,
        typer.Option(
            "--file", metavar="X.toml", help="Play an experiment file; options take precedence."
        ),
    ] = None,
    players: Players = None,
    n: Annotated[
        str | None,
        typer.Option("--n", metavar="N", help="Number of games: 1e6 will do. Default 10000."),
    ] = None,
    strategy: Strategies = None,
    rules: Annotated[
        str | None, typer.Option("--rules", metavar="NAME", help="Rule set. Default standard.")
    ] = None,
    set_: Set = None,
    seats: Annotated[
        str | None,
        typer.Option(
            "--seats",
            metavar="rotate|fixed",
            help="Rotate the line-up, or keep it fixed. Default rotate.",
        ),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option("--seed", metavar="S", help="Number that decides all chance. Default 1."),
    ] = None,
    first_game: Annotated[
        str | None,
        typer.Option("--first-game", metavar="G", help="Number of the first game. Default 0."),
    ] = None,
    jobs: Jobs = None,
    backend: Backend = "threads",
    until: Annotated[
        str | None,
        typer.Option(
            "--until",
            metavar="RULE",
            help='"ci=0.2%": until every win share is known to so much either way; '
            '"A>B@95%": until one is ahead. At most --n games, default 1e7.',
        ),
    ] = None,
    keep: Annotated[
        str, typer.Option("--keep", metavar="rows", help="What to keep: rows.")
    ] = "rows",
    events: Annotated[bool, typer.Option("--events", help="Record events too.")] = False,
    places: Places = None,
    out: Annotated[
        str | None, typer.Option("--out", "-o", metavar="DIR", help="Run folder.")
    ] = None,
    force: Force = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be played; write nothing.")
    ] = False,
    as_toml: AsToml = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Play games, write the data set and print its table."""
    from simlab import api

    if keep != "rows":
        raise UserError(f"--keep is '{shown(keep)}'; it takes rows.")
    given = {
        "game": game, "players": players, "n": n, "lineup": strategy or None, "rules": rules,
        "set": changes(set_) or None, "seats": seats, "seed": seed, "first_game": first_game,
        "jobs": jobs, "events": events or None, "strategies": places or None, "out": out,
        "until": until,
    }  # fmt: skip
    typed: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if file is not None and api.kind_of_file(file) != "run":
        _question(file, typed, backend, force, quiet, (as_toml, json, dry_run))
        return
    typed |= {"backend": backend, "force": force, "quiet": quiet or json}
    question = ""
    if file is not None:
        asked, question = api.order_of_file(file, typed)
    elif game is not None:
        asked = api.order(**typed)
    else:
        raise UserError("say which game: simlab run diamant, or simlab run --file X.toml.")
    if as_toml:
        print(api.as_toml(asked), end="")
        return
    if dry_run:
        _print_plan(api.planned(asked), json)
        return
    hush(backend)
    leave_at_once()
    interrupts.say(f"Stopped; finished shards are kept. Go on with:\n  {asked.command}")
    done = api.carry_out(asked)
    interrupts.say("Stopped.")
    if json:
        show(done.document())
        return
    if question:
        print(f"{' '.join(question.split())}\n")
    print(done.table())
    if not quiet:
        print(_closing(done))


def _question(
    file: str,
    typed: dict[str, Any],
    backend: str,
    force: bool,
    quiet: bool,
    ways: tuple[bool, bool, bool],
) -> None:
    """Play an experiment file that asks a question, and print its answer."""
    from simlab import api
    from simlab.cli.ask import print_answer

    as_toml, json, dry_run = ways
    if dry_run:
        raise UserError("--dry-run is for runs; a question can be printed with --as-toml.")
    asked, how = api.question_of_file(file, typed)
    how |= {"backend": backend, "force": force, "quiet": quiet}
    print_answer(asked, how, as_toml, json)


def _print_plan(plan: dict[str, Any], json: bool) -> None:
    if json:
        show(plan)
        return
    for key, value in plan.items():
        print(f"{key.replace('_', ' ') + ':':15} {cell(value)}")


def _closing(done: Any) -> str:
    if done.played:
        rate = done.played / max(done.seconds, 1e-9)
        what = f"{done.played:,} games played in {done.seconds:.1f} s ({rate:,.0f} games/s)"
    else:
        what = "no games were played: all were already there"
    return (
        f"\n{what}; rows in {done.folder}\n"
        f"Next: simlab table {done.folder} --by seat   or   simlab replay {done.folder} "
        f"--game {done.span.first}"
    )


@app.command()
def replay(
    run: Annotated[str, typer.Argument(metavar="RUN|GAME", help="Run folder or game.")],
    game: Annotated[str, typer.Option("--game", metavar="N", help="Number of the game.")] = "0",
    players: Players = None,
    strategy: Strategies = None,
    rules: Rules = "standard",
    set_: Set = None,
    seats: Seats = "rotate",
    seed: Seed = "1",
    deal: Annotated[
        str | None,
        typer.Option("--deal", metavar="D", help="Number of the deal. Default: that of the game."),
    ] = None,
    places: Places = None,
    json: Json = False,
) -> None:
    """Tell one game of a run, or of any line-up, in sentences."""
    from simlab import api

    given: dict[str, Any] = {
        "players": players, "seed": seed, "lineup": strategy or None, "rules": rules,
        "set": changes(set_), "seats": seats, "deal": deal,
    }  # fmt: skip
    if api.is_folder(run):
        usual: dict[str, Any] = {
            "players": None,
            "seed": "1",
            "lineup": None,
            "rules": "standard",
            "set": {},
            "deal": None,
        }
        for name, value in given.items():
            if value != usual.get(name, "rotate"):
                raise UserError(
                    f"a run folder has its own {name}; leave the option out, or name a game."
                )
    leave_at_once()
    told = api.replay(run, game, strategies=places or None, **given)  # type: ignore[arg-type]
    if json:
        show(told.document())
    else:
        print(told)


@app.command()
def play(
    game: Annotated[str, typer.Argument(help="Name of the game.")],
    players: Players = None,
    seat: Annotated[
        str, typer.Option("--seat", metavar="S", help="Your seat, counted from 0.")
    ] = "0",
    strategy: Strategies = None,
    rules: Rules = "standard",
    set_: Set = None,
    seed: Annotated[
        str | None,
        typer.Option(
            "--seed", metavar="S", help="Number that decides all chance. Default: a new one."
        ),
    ] = None,
    deal: Annotated[str, typer.Option("--deal", metavar="D", help="Number of the deal.")] = "0",
    places: Places = None,
) -> None:
    """Play one game yourself, against strategies."""
    from simlab import api

    leave_at_once()
    api.play(
        game, players, seat, strategy or None, rules=rules, set=changes(set_),  # type: ignore[arg-type]
        seed=seed, deal=deal, strategies=places or None,  # type: ignore[arg-type]
    )  # fmt: skip
