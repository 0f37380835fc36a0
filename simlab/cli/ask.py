"""Commands that ask runs a question: table."""

from __future__ import annotations

from typing import Annotated

import typer

from simlab.cli.app import app
from simlab.cli.options import Json


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
