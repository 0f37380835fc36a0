"""Fills the template of a page: one file, which asks nothing of a network.

The page may run the one script and the one style sheet that it carries, and nothing else: its
Content-Security-Policy names both by their SHA-256.
"""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab.reporting import htmltables

if TYPE_CHECKING:
    from collections.abc import Callable

    import jinja2
    from markupsafe import Markup

    from simlab.reporting.cells import Grid
    from simlab.reporting.parts import Part

HERE = Path(__file__).parent
MOST_BYTES = 3_000_000
INTERVAL = re.compile(r"\[[^\[\]]{,40}\]")
LONG, LONGER = 110, 230
"""Letters from which an answer is set smaller, and smaller still."""


def written(parts: list[Part], kind: str, summary: str, many: str = "runs") -> str:
    """Return a page as HTML, with one drawing of each figure alone where it would be too large.

    kind: of the page; summary: what such a page shows, in a line; may be empty. many: what several
    parts are called.
    """
    from markupsafe import Markup

    import simlab

    style, script = (
        (HERE / name).read_text(encoding="utf-8").strip() for name in ("page.css", "page.js")
    )
    values: dict[str, Any] = {
        "parts": parts,
        "kind": kind,
        "summary": summary,
        "many": f"{len(parts)} {many}",
        "version": simlab.__version__,
        "style": Markup(style),
        "script": Markup(script),
        "policy": Markup(_policy(style, script)),
        "table": _tables(),
        "more": htmltables.more,
        "size": _size,
        "whole": _whole,
    }
    template = _template()
    text = template.render(values, compact=False)
    if len(text.encode()) > MOST_BYTES:
        text = template.render(values, compact=True)
    return text


def _template() -> jinja2.Template:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html.j2")


def _tables() -> Callable[[Grid, str], Markup]:
    """Return what writes the tables of a page, each once, with a name of its own."""
    from markupsafe import Markup

    made: dict[int, tuple[Grid, Markup]] = {}

    def table(grid: Grid, label: str) -> Markup:
        if id(grid) not in made:
            text = htmltables.page_table(grid, f"t{len(made) + 1}", label)
            made[id(grid)] = (grid, Markup(text))
        return made[id(grid)][1]

    return table


def _policy(style: str, script: str) -> str:
    """Return what the page may load and run: itself."""
    return (
        f"default-src 'none'; img-src data:; style-src {_hash(style)}; script-src {_hash(script)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _whole(sentence: str) -> str:
    """Return a sentence in which no interval is parted."""
    return INTERVAL.sub(lambda found: found.group().replace(" ", "\u00a0"), sentence)


def _size(answer: str) -> str:
    """Return the class of an answer by its length; empty for a short one."""
    if len(answer) < LONG:
        return ""
    return " long" if len(answer) < LONGER else " longer"
