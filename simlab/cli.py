"""The command line: each command parses, calls one function of the same name, and prints."""

from __future__ import annotations

import contextlib
import json as jsonlib
import os
import signal
import sys
import threading
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from simlab.errors import UserError, shown

GROUPS = {
    "Play": ("run", "replay"),
    "Ask": ("table",),
    "Look": ("games", "strategies", "rules"),
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
    help="Plays millions of games of a board game and says which strategy is better, by how much.",
)


def _version(asked: bool) -> None:
    if asked:
        import simlab

        print(f"simlab {simlab.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    """Plays millions of games of a board game and says which strategy is better, by how much."""


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
    typer.Option("--set", metavar="KEY=VALUE", help="Change one rule, or a data file."),
]
Seats = Annotated[
    str, typer.Option("--seats", metavar="rotate|fixed", help="Whether the line-up changes seats.")
]
Seed = Annotated[str, typer.Option("--seed", metavar="S", help="Key of all chance.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Say nothing on the way.")]


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
    game: Annotated[str, typer.Argument(help="Name of the game; `simlab games` lists them.")],
    players: Players = None,
    n: Annotated[str, typer.Option("--n", metavar="N", help="Number of games: 1e6 will do.")] = (
        "10000"
    ),
    strategy: Strategies = None,
    rules: Rules = "standard",
    set_: Set = None,
    seats: Seats = "rotate",
    seed: Seed = "1",
    first_game: Annotated[
        str, typer.Option("--first-game", metavar="G", help="Number of the first game.")
    ] = "0",
    jobs: Annotated[
        str | None, typer.Option("--jobs", metavar="J", help="Workers; default all cores.")
    ] = None,
    backend: Annotated[
        str, typer.Option("--backend", metavar="threads|processes", help="Kind of workers.")
    ] = "threads",
    keep: Annotated[str, typer.Option("--keep", metavar="rows", help="What to keep.")] = "rows",
    events: Annotated[bool, typer.Option("--events", help="Record events too.")] = False,
    out: Annotated[
        str | None, typer.Option("--out", "-o", metavar="DIR", help="Run folder.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Play anew what the folder holds.")
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
        raise UserError(f"--keep {keep}; it takes rows.")
    asked = api.order(
        game, players, n, strategy or None, rules=rules, set=changes(set_), seats=seats, seed=seed,  # type: ignore[arg-type]
        first_game=first_game, jobs=jobs, backend=backend, events=events, out=out, force=force,  # type: ignore[arg-type]
        quiet=quiet or json,
    )  # fmt: skip
    if dry_run:
        _print_plan(api.planned(asked), json)
        return
    if backend == "processes":  # joblib's tracker would speak after our last word on Ctrl-C
        os.environ.setdefault("PYTHONWARNINGS", "ignore:resource_tracker:UserWarning")
    interrupts.say(f"Stopped; finished shards are kept. Go on with:\n  {asked.command}")
    done = api.play(asked)
    interrupts.say("Stopped.")
    if json:
        show(done.document())
        return
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
        what = "no game was played: all were there"
    return (
        f"\n{what}; rows in {done.folder}\n"
        f"Next: simlab table {done.folder} --by seat   or   simlab replay {done.folder} "
        f"--game {done.span.first}"
    )


@app.command()
def table(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Run folder.")],
    by: Annotated[
        str, typer.Option("--by", metavar="COLUMN", help="strategy, seat or any column.")
    ] = "strategy",
    ties: Annotated[
        str, typer.Option("--ties", metavar="RULE", help="ordinal, share or win.")
    ] = "ordinal",
    truncated: Annotated[
        str, typer.Option("--truncated", metavar="RULE", help="score, split or none.")
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
    json: Json = False,
) -> None:
    """Tell one game in sentences, of a run or of any line-up."""
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
    told = api.replay(run, game, **given)  # type: ignore[arg-type]
    if json:
        show(told.document())
    else:
        print(told)


@app.command()
def games(json: Json = False) -> None:
    """List the games."""
    from simlab import api

    found = api.list_games()
    if json:
        show({"games": found})
    else:
        grid(found, ["game", "title", "players", "rules", "strategies"])


@app.command()
def strategies(
    game: Annotated[str | None, typer.Argument(help="Name of the game.")] = None,
    json: Json = False,
) -> None:
    """List the strategies of a game, with their parameters."""
    from simlab import api

    found = api.list_strategies(game)
    if json:
        show({"strategies": found})
    else:
        grid(found, (["game"] if game is None else []) + ["signature", "summary"])


@app.command()
def rules(
    game: Annotated[str, typer.Argument(help="Name of the game.")],
    json: Json = False,
) -> None:
    """List rule sets and every rule that can be set."""
    from simlab import api

    found = api.rules(game)
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
        raise UserError("simlab runs list takes no folders; it lists what lies under results/.")
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
    game: Annotated[list[str] | None, typer.Argument(help="Games; default all.")] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compile games and strategies ahead."""
    from simlab import api

    compiled = api.warm(*(game or []))
    if json:
        show({"compiled": compiled})
    elif not quiet:
        print(f"compiled {', '.join(compiled)}" if compiled else "everything was compiled already")


@app.command()
def doctor(json: Json = False) -> None:
    """Look at the installation and say what is wrong."""
    from simlab import api

    found = api.doctor()
    if json:
        show(found)
        return
    libraries = ", ".join(f"{name} {number}" for name, number in found["libraries"].items())
    size = f"{found['cache_files']} files, {found['cache_bytes'] / 1e6:.1f} MB"
    print(f"simlab {found['simlab']} on Python {found['python']}, {found['platform']}")
    print(f"libraries: {libraries}")
    print(f"cores: {found['cores']}")
    print(f"cache: {found['cache']} ({size})")
    if "test_games" in found:
        rate = found["test_games_per_second"]
        print(f"test run: {rate:,.0f} games of {found['test_game']} a second on one core")
    for problem in found["problems"]:
        print(f"problem: {problem}")
    if not found["problems"]:
        print("nothing is wrong")


class Interrupts:
    """Ends the program at once on Ctrl-C or SIGTERM and says how to go on.

    A thread of its own waits for the signals, so that no compilation and no library delays them.
    Nothing is lost: every file is complete under its name, or has another name.
    """

    def __init__(self) -> None:
        self.text = "Stopped."
        self.watching = False

    def say(self, text: str) -> None:
        """Set what is said."""
        self.text = text

    def watch(self) -> None:
        """Begin to wait; KeyboardInterrupt is all there is where the system has no such signals."""
        if self.watching or not hasattr(signal, "pthread_sigmask"):
            return
        self.watching = True
        caught = {signal.SIGINT, signal.SIGTERM}
        for number in caught:  # where a library lets them through to the main thread again
            signal.signal(number, lambda number, _: self._end(number))
        signal.pthread_sigmask(signal.SIG_BLOCK, caught)
        threading.Thread(target=self._wait, args=(caught,), daemon=True).start()

    def _wait(self, caught: set[signal.Signals]) -> None:
        self._end(signal.sigwait(caught))

    def _end(self, number: int) -> None:
        with contextlib.suppress(OSError):
            os.write(2, f"\n{self.text}\n".encode())
        os._exit(128 + number)


interrupts = Interrupts()


def main() -> None:
    """Run the command line; a person's slip is one sentence and exit code 2."""
    interrupts.watch()
    try:
        code = app(sys.argv[1:] or ["--help"], standalone_mode=False)
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
    raise SystemExit(code if isinstance(code, int) else 0)


def _sentence(text: str) -> str:
    first = " ".join(text.split())
    return first[:1].lower() + first[1:]


def _fail(text: str, code: int) -> None:
    if sys.stderr is not None:
        print(f"simlab: {text}".encode(errors="replace").decode(), file=sys.stderr)
    raise SystemExit(code)


if __name__ == "__main__":
    main()
