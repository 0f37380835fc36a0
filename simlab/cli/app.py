"""The program itself: its groups of commands, and how it ends."""

from __future__ import annotations

import os
import sys
import threading
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from simlab.errors import UserError, shown
from simlab.stopping import interrupts

GROUPS = {
    "Play": ("run", "replay", "play"),
    "Ask": ("table", "duel", "tournament", "sweep", "compare-rules", "sample-size"),
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
