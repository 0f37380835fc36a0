"""What commands share: options, reading KEY=VALUE, printing rows and JSON."""

from __future__ import annotations

import json as jsonlib
import os
from typing import Annotated, Any

import typer

from simlab.errors import UserError

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
Force = Annotated[
    bool, typer.Option("--force", help="Play again and replace what the folder holds.")
]
Jobs = Annotated[
    str | None,
    typer.Option("--jobs", metavar="J", help="Number of workers. Default: one for each core."),
]
Backend = Annotated[
    str, typer.Option("--backend", metavar="threads|processes", help="Kind of workers.")
]
AsToml = Annotated[
    bool, typer.Option("--as-toml", help="Print the experiment file that asks this; play nothing.")
]
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


def hush(backend: str) -> None:
    """Keep joblib's tracker of processes from speaking after our last word."""
    if backend == "processes":
        os.environ.setdefault("PYTHONWARNINGS", "ignore:resource_tracker:UserWarning")


def show(value: Any) -> None:
    """Print a JSON object."""
    print(jsonlib.dumps(value, ensure_ascii=False))


def grid(rows: list[dict[str, Any]], columns: list[str]) -> None:
    """Print rows as a plain table."""
    from tabulate import tabulate

    cells = [[cell(row.get(column, "")) for column in columns] for row in rows]
    print(tabulate(cells, columns, tablefmt="simple", disable_numparse=True))


def cell(value: Any) -> str:
    """Return a value as a person reads it: lists with commas, whole numbers in groups."""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
