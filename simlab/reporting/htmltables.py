"""Tables in HTML, for pages and notebooks, by great-tables.

Each number is a <data> element with its full value and the name of its column; every other text is
escaped. What great-tables says of colours is left out: page.css, or the few rules here, say that.
"""

from __future__ import annotations

import html
import re
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simlab.reporting.cells import Cell, Column, Grid

OPENING = re.compile("<table[^>]*>")
ADDRESSES = re.compile(r'(<t[hd][^>]*?) (?:id|headers)="[^"]*"')
STYLE = (
    ".simlab-table{overflow-x:auto;margin:0 0 1em}"
    ".simlab-table table{border-collapse:collapse;font-size:inherit;color:inherit;"
    "font-variant-numeric:tabular-nums;margin:0}"
    ".simlab-table caption{text-align:left;padding:0 0 .5em;caption-side:top;color:inherit}"
    ".simlab-table .unseen{position:absolute;width:1px;height:1px;overflow:hidden;"
    "clip-path:inset(50%)}"
    ".simlab-table :is(th,td){padding:.3em .8em;text-align:left;vertical-align:bottom;"
    "border:0;border-bottom:1px solid rgba(128,128,128,.3);background:none;color:inherit;"
    "white-space:nowrap;max-width:none}"
    ".simlab-table tbody span{display:block;width:max-content;max-width:20em;white-space:normal;"
    "overflow-wrap:anywhere}"
    ".simlab-table thead :is(th,td){font-weight:600;border-bottom-color:rgba(128,128,128,.8)}"
    ".simlab-table tbody th{font-weight:500}"
    ".simlab-table .gt_right{text-align:right}"
    ".simlab-table .gt_center{text-align:center;border-bottom-color:rgba(128,128,128,.3)}"
    ".simlab-table p{margin:.5em 0 0;max-width:50em}"
)
"""How a table looks outside a page of ours, in light and in dark notebooks."""


def page_table(grid: Grid, name: str, label: str) -> str:
    """Return a table of a page.

    name: what the ids of the table begin with, its own on the page; label: what it is of, for
    those who do not see it.
    """
    opening = f'<table class="gt_table" id="{name}" aria-label="{html.escape(label)}">'
    return OPENING.sub(lambda _: opening, _made(grid, name), count=1)


def fragment(grid: Grid, caption: str, seen: bool = True) -> str:
    """Return a table with its notes, to stand anywhere: it brings a style of its own.

    caption: what the table is of; seen: whether it is shown, or only read aloud.
    """
    hidden = "" if seen else ' class="unseen"'
    opening = f"<table><caption{hidden}>{html.escape(caption)}</caption>"
    table = ADDRESSES.sub(r"\1", ADDRESSES.sub(r"\1", _made(grid, "t")))
    table = OPENING.sub(lambda _: opening, table, count=1)
    notes = "".join(f"<p>{html.escape(line)}</p>" for line in [*more(grid), *grid.notes])
    return f'<div class="simlab-table"><style>{STYLE}</style>{table}{notes}</div>'


def more(grid: Grid) -> list[str]:
    """Return what to say of the rows that are not shown, or that there are none."""
    if grid.columns and not grid.rows:
        return ["No rows."]
    return [f"{grid.more:,} more rows are not shown."] if grid.more else []


def _made(grid: Grid, name: str) -> str:
    """Return a grid as great-tables writes it, without its style."""
    import polars as pl
    from great_tables import GT
    from great_tables import html as markup

    if not grid.columns:
        return "<table></table>"
    keys = [f"c{place}" for place in range(len(grid.columns))]
    cells = {
        key: [_content(row[place], grid.columns[place]) for row in grid.rows]
        for place, key in enumerate(keys)
    }
    heads = [_heading(column, place) for place, column in enumerate(grid.columns)]
    numbers = [key for key, column in zip(keys, grid.columns, strict=True) if column.number]
    frame = pl.DataFrame(cells, schema=dict.fromkeys(keys, pl.String))
    table = GT(frame, rowname_col=keys[0], auto_align=False, id=name)
    table = table.fmt(str, columns=keys).tab_stubhead(markup(heads[0]))
    table = table.cols_align("left").cols_align("right", numbers)
    table = table.cols_label({k: markup(h) for k, h in zip(keys[1:], heads[1:], strict=True)})
    for over, places in groupby(range(len(keys)), lambda place: grid.columns[place].over):
        spanned = [keys[place] for place in places]
        if over:
            table = table.tab_spanner(markup(_text(over)), spanned, id=f"over-{spanned[0]}")
    made = table.as_raw_html()
    return made[made.index("<table") : made.rindex("</table>") + len("</table>")]


def _text(text: str) -> str:
    """Return a text as HTML; great-tables would take doubled braces in a heading for units."""
    return html.escape(text).replace("{", "&#123;")


def _heading(column: Column, place: int) -> str:
    kind = "number" if column.number else "text"
    return (
        f'<span class="{kind}" data-column="{_text(column.name)}" data-place="{place}">'
        f"{_text(column.text)}</span>"
    )


def _content(cell: Cell, column: Column) -> str:
    if cell.value is not None:
        value, name = html.escape(cell.value), _text(column.name)
        return (
            f'<data value="{value}" data-value="{value}" data-column="{name}">'
            f"{_text(cell.text)}</data>"
        )
    return f'<span class="{"missing" if cell.missing else "text"}">{_text(cell.text)}</span>'
