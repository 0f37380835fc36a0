"""Commands that show results to others: report."""

from __future__ import annotations

from typing import Annotated

import typer

from simlab.cli.app import app
from simlab.cli.options import Json, Places, Quiet, show
from simlab.stopping import leave_at_once


@app.command()
def report(
    run: Annotated[
        list[str], typer.Argument(metavar="RUN...", help="Folders of runs or of questions.")
    ],
    kind: Annotated[
        str | None,
        typer.Option(
            "--kind",
            metavar="KIND",
            help="Kind of page, such as overview, scores, seats; or a report script.",
        ),
    ] = None,
    figure: Annotated[
        str | None,
        typer.Option("--figure", metavar="NAME", help="Write one figure instead, as .svg or .png."),
    ] = None,
    game: Annotated[
        int | None,
        typer.Option("--game", metavar="N", help="Show this game of the run, replayed."),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", metavar="FILE", help="File to write. Default RUN-KIND.html."),
    ] = None,
    places: Places = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a page about runs, an answer or one game, to read or to send on."""
    from simlab import api

    leave_at_once()
    path = api.report(
        run, kind, out, figure=figure, game=game, strategies=places or None, quiet=quiet or json
    )
    if json:
        show({"page" if figure is None else "figure": str(path)})
    else:
        print(f"{'Page' if figure is None else 'Figure'}: {path}")
