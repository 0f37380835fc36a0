"""Commands that show results to others: report."""

from __future__ import annotations

from typing import Annotated

import typer

from simlab.cli.app import app
from simlab.cli.options import Json, Places, show


@app.command()
def report(
    run: Annotated[list[str], typer.Argument(metavar="RUN...", help="Run folders.")],
    kind: Annotated[
        str | None,
        typer.Option(
            "--kind", metavar="KIND", help="Kind of page, or a report script. Default overview."
        ),
    ] = None,
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
