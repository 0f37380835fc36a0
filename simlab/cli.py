"""The command line: each command parses, calls one function of the same name, and prints."""

from __future__ import annotations

import json as jsonlib
import os
import sys
import threading
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from simlab.errors import UserError, shown
from simlab.stopping import interrupts, leave_at_once

PACKS = ("games", "strategies", "reports")
GROUPS = {
    "Play": ("run", "replay", "play"),
    "Ask": ("table",),
    "Show": ("report",),
    "Extend": ("games", "strategies", "rules", "new", "check"),
    "Look after": ("runs", "warm", "doctor"),
}


class Grouped(TyperGroup):
    """Lists the commands in groups, in the order a person meets them."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write one section for each group of commands."""
        for title, names in GROUPS.items():
            commands = [(name, self.get_command(ctx, name)) for name in names]
            limit = formatter.width - 20
            rows = [(name, c.get_short_help_str(limit)) for name, c in commands if c is not None]
            with formatter.section(title):
                formatter.write_dl(rows)


app = typer.Typer(
    cls=Grouped,
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Play millions of games of a board game; learn which strategy is better, and by how much.",
)


def _version(asked: bool) -> None:
    if asked:
        import simlab

        print(f"simlab {simlab.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Play millions of games of a board game; learn which strategy is better, and by how much."""


Strategies = Annotated[
    list[str] | None,
    typer.Option(
        "-s", "--strategy", metavar="SPEC", help="name, name(gems=12) or name*3, in seat order."
    ),
]
Players = Annotated[str | None, typer.Option("--players", metavar="P", help="Number of players.")]
Rules = Annotated[str, typer.Option("--rules", metavar="NAME", help="Rule set.")]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change a rule, or use another data file."),
]
Seats = Annotated[
    str,
    typer.Option("--seats", metavar="rotate|fixed", help="Rotate the line-up, or keep it fixed."),
]
Seed = Annotated[str, typer.Option("--seed", metavar="S", help="Number that decides all chance.")]
Places = Annotated[
    list[str] | None,
    typer.Option("--strategies", metavar="DIR", help="Folder or file of your own strategies."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print no progress and no hints.")]


def changes(given: list[str] | None) -> dict[str, str]:
    """Read KEY=VALUE words."""
    found: dict[str, str] = {}
    for text in given or []:
        key, equals, value = text.partition("=")
        if not equals or not key or not value:
            raise UserError(f"--set {text} cannot be read; write --set KEY=VALUE.")
        if key in found:
            raise UserError(f"--set {key} is given twice, as {found[key]} and {value}.")
        found[key] = value
    return found


def show(value: Any) -> None:
    """Print a JSON object."""
    print(jsonlib.dumps(value, ensure_ascii=False))


def grid(rows: list[dict[str, Any]], columns: list[str]) -> None:
    """Print rows as a plain table."""
    from tabulate import tabulate

    cells = [[_cell(row.get(column, "")) for column in columns] for row in rows]
    print(tabulate(cells, columns, tablefmt="simple", disable_numparse=True))


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


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
    jobs: Annotated[
        str | None,
        typer.Option("--jobs", metavar="J", help="Number of workers. Default: one for each core."),
    ] = None,
    backend: Annotated[
        str, typer.Option("--backend", metavar="threads|processes", help="Kind of workers.")
    ] = "threads",
    keep: Annotated[
        str, typer.Option("--keep", metavar="rows", help="What to keep: rows.")
    ] = "rows",
    events: Annotated[bool, typer.Option("--events", help="Record events too.")] = False,
    places: Places = None,
    out: Annotated[
        str | None, typer.Option("--out", "-o", metavar="DIR", help="Run folder.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Play again and replace what the folder holds.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be played; write nothing.")
    ] = False,
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
    }  # fmt: skip
    typed: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    typed |= {"backend": backend, "force": force, "quiet": quiet or json}
    question = ""
    if file is not None:
        asked, question = api.order_of_file(file, typed)
    elif game is not None:
        asked = api.order(**typed)
    else:
        raise UserError("say which game: simlab run diamant, or simlab run --file X.toml.")
    if dry_run:
        _print_plan(api.planned(asked), json)
        return
    if backend == "processes":  # joblib's tracker would speak after our last word on Ctrl-C
        os.environ.setdefault("PYTHONWARNINGS", "ignore:resource_tracker:UserWarning")
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


def _print_plan(plan: dict[str, Any], json: bool) -> None:
    if json:
        show(plan)
        return
    for key, value in plan.items():
        print(f"{key.replace('_', ' ') + ':':15} {_cell(value)}")


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
def table(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Run folder.")],
    by: Annotated[
        str,
        typer.Option(
            "--by",
            metavar="COLUMN",
            help="What the rows are: strategy, seat, a column, or what events are about (card).",
        ),
    ] = "strategy",
    ties: Annotated[
        str, typer.Option("--ties", metavar="RULE", help="How ties count: ordinal, share or win.")
    ] = "ordinal",
    truncated: Annotated[
        str,
        typer.Option(
            "--truncated", metavar="RULE", help="How truncated games count: score, split or none."
        ),
    ] = "score",
    form: Annotated[
        str, typer.Option("--format", metavar="FORM", help="text, csv, json, markdown or html.")
    ] = "text",
    json: Json = False,
) -> None:
    """Print the table of a run, with intervals."""
    from simlab import api

    print(api.table(run, by, ties, truncated).write("json" if json else form))


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
    places: Places = None,
    json: Json = False,
) -> None:
    """Tell one game of a run, or of any line-up, in sentences."""
    from simlab import api

    given: dict[str, Any] = {
        "players": players, "seed": seed, "lineup": strategy or None, "rules": rules,
        "set": changes(set_), "seats": seats,
    }  # fmt: skip
    if api.is_folder(run):
        usual: dict[str, Any] = {
            "players": None,
            "seed": "1",
            "lineup": None,
            "rules": "standard",
            "set": {},
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


@app.command()
def report(
    run: Annotated[list[str], typer.Argument(metavar="RUN...", help="Run folders.")],
    kind: Annotated[
        str, typer.Option("--kind", metavar="KIND", help="Kind of page, or a report script.")
    ] = "overview",
    figure: Annotated[
        str | None,
        typer.Option("--figure", metavar="NAME", help="Write one figure instead, as .svg or .png."),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", metavar="FILE", help="File to write. Default RUN-KIND.html."),
    ] = None,
    places: Places = None,
    json: Json = False,
) -> None:
    """Make a page about a run, to read or to send on."""
    from simlab import api

    path = api.report(run, kind, out, figure=figure, strategies=places or None)
    if json:
        show({"page" if figure is None else "figure": str(path)})
    else:
        print(f"{'Page' if figure is None else 'Figure'}: {path}")


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
    """Check strategies, games, reports and card files."""
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
        grid(found, ["run", "players", "rules", "set", "seats", "seed", "games", "line_up"])
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


def main() -> None:
    """Run the command line; a person's slip is one sentence and exit code 2."""
    interrupts.watch()
    try:
        code = app(sys.argv[1:] or ["--help"], standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except UserError as error:
        _fail(str(error), error.exit_code)
    except typer.TyperException as error:
        written = error.format_message() if hasattr(error, "format_message") else str(error)
        _fail(_sentence(written), getattr(error, "exit_code", 2))
    except (typer.Abort, KeyboardInterrupt):
        print("\nStopped.", file=sys.stderr)
        os._exit(130)
    except BrokenPipeError:
        os._exit(0)
    except UnicodeError as error:
        _fail(f"a name or text cannot be written here: {error.reason}.", 2)  # type: ignore[attr-defined]
    except OSError as error:
        _fail(f"{error.strerror or error}: {shown(error.filename or 'output')}.", 2)
    _leave(code if isinstance(code, int) else 0)


def _leave(code: int) -> NoReturn:
    """End the program, also where a strategy left a thread behind."""
    left = [t for t in threading.enumerate() if t is not threading.main_thread() and not t.daemon]
    if left and "pytest" not in sys.modules:
        os._exit(code)
    raise SystemExit(code)


def _sentence(text: str) -> str:
    first = " ".join(text.split())
    if first.startswith("Got unexpected extra argument"):
        first = first.rstrip(".") + "; strategies are named with -s, everything else with --options"
    return first[:1].lower() + first[1:] + ("" if first.endswith((".", "?", "!")) else ".")


def _fail(text: str, code: int) -> None:
    if sys.stderr is not None:
        print(f"simlab: {text}".encode(errors="replace").decode(), file=sys.stderr, flush=True)
    _leave(code)


if __name__ == "__main__":
    main()
