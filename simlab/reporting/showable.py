"""What a section of a page may show, and how it is told from what cannot be shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

DEEPEST = 3  # lists inside lists
ALLOWED = (
    "text, a polars DataFrame, run.table(), a matplotlib Figure, figures.Heading, figures.Lines, a "
    "list of those, or None"
)


@dataclass(frozen=True)
class Heading:
    """A heading inside a section, above what comes next."""

    text: str


@dataclass(frozen=True)
class Lines:
    """A list of lines, such as the sentences of a game."""

    lines: Sequence[str]


class NotShowable(TypeError):
    """What a page cannot show; its text says what it is."""


def flat(given: Any, depth: int = 0) -> Iterator[Any]:
    """Yield what is shown, one by one; NotShowable for what cannot be."""
    if given is None:
        return
    if isinstance(given, (list, tuple)) and depth < DEEPEST:
        for one in given:
            yield from flat(one, depth + 1)
    else:
        yield _showable(given)


def _showable(given: Any) -> Any:
    import polars as pl
    from matplotlib.figure import Figure

    from simlab.reporting.answers.sheet import Sheet
    from simlab.reporting.tables import RunTable

    if isinstance(given, str):
        return given.encode(errors="replace").decode()
    if isinstance(given, Heading) and not (isinstance(given.text, str) and given.text.strip()):
        raise NotShowable("a figures.Heading without text")
    if isinstance(given, Lines) and not _are_lines(given.lines):
        raise NotShowable("figures.Lines of something else than a list of text")
    if isinstance(given, (pl.DataFrame, RunTable, Sheet, Figure, Heading, Lines)):
        return given
    drawn = getattr(given, "figure", None)  # Axes, and the grids of seaborn
    if isinstance(drawn, Figure):
        return drawn
    hint = "; call .collect() first" if isinstance(given, pl.LazyFrame) else ""
    raise NotShowable(f"a {type(given).__name__}, which a page cannot show{hint}")


def _are_lines(lines: Any) -> bool:
    return isinstance(lines, Sequence) and all(isinstance(line, str) for line in lines)
