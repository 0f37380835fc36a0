"""A table of an answer, as terminals, notebooks and pages show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from simlab.reporting.cells import frame_grid
from simlab.reporting.htmltables import fragment

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, repr=False)
class Sheet:
    """A titled table; caption: what a reader must know of it."""

    title: str
    frame: pl.DataFrame
    caption: str = ""

    def text(self, style: str = "simple") -> str:
        """Return it for a terminal (style "simple"), as "html" or for Markdown ("github").

        As HTML, its title is said only to those who do not see the table.
        """
        grid = frame_grid(self.frame)
        if style == "html":
            return fragment(grid, self.title, seen=False)
        from tabulate import tabulate

        rows = [[cell.text for cell in row] for row in grid.rows]
        align = ["right" if column.number else "left" for column in grid.columns]
        body = tabulate(
            rows, [column.name for column in grid.columns], tablefmt=style, colalign=align,
            disable_numparse=True,
        )  # fmt: skip
        more = f"\n({grid.more:,} more rows)" if grid.more else ""
        return f"{body}{more}"

    def __repr__(self) -> str:
        return "\n".join(filter(None, [self.title, self.text(), self.caption]))

    def _repr_html_(self) -> str:
        return self.text("html")


def truncated_note(truncated: int, games: int, where: str = "") -> list[str]:
    """Return what to say of truncated games, if there are any; where: such as " under official"."""
    if not truncated:
        return []
    return [
        f"{truncated:,} of {games:,} games{where} were truncated (stopped by a cap) and counted by "
        "their scores."
    ]
