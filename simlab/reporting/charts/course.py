"""The figure of one game: how the scores grew, decision by decision."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from simlab.errors import UserError, one_of
from simlab.reporting import canvas, marks

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

COLUMNS = ("decision", "seat", "strategy", "score")
COLOURS = (canvas.ACCENT, canvas.MARK, canvas.INK, canvas.MUTED)
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)))


def course(frame: pl.DataFrame) -> Figure:
    """Return the scores of one game over its decisions, a line a seat, each named at its end.

    frame: as `Replayed.points()` gives it: decision, seat, strategy, score (in points, as if the
    game had ended after that decision). UserError for a frame that lacks a column or has no row.
    """
    for column in COLUMNS:
        if column not in frame.columns:
            raise one_of("column", column, frame.columns, "in the frame of the figure")
    if not frame.height:
        raise UserError("the frame of a figure has no rows: no decision was made in this game.")
    lines = frame.partition_by("seat", maintain_order=True)
    last = len(lines[0])
    ends = _apart([float(line["score"][-1]) for line in lines], frame["score"].to_list())
    with canvas.style():
        figure = canvas.SimlabFigure(figsize=(canvas.WIDE, 3.6), layout="constrained")
        axes = figure.add_subplot()
        for at, line in enumerate(lines):
            colour, dash = (
                COLOURS[at % len(COLOURS)],
                DASHES[(at + at // len(COLOURS)) % len(DASHES)],
            )
            axes.step(
                [0, *line["decision"]], [0, *line["score"]], where="post", color=colour,
                linestyle=dash, linewidth=1.8, gid=f"seat-{at}",
            )  # fmt: skip
            name = marks.short(str(line["strategy"][0]), marks.NARROW_LABEL)
            axes.annotate(
                f"{line['score'][-1]:,} {name} ({line['seat'][0]})", (1, ends[at]), (6, 0),
                ("axes fraction", "data"), "offset points", va="center", fontsize=8.5,
                color=colour, parse_math=False,
            )  # fmt: skip
        axes.grid(axis="y")
        axes.set_xlim(0, last)
        axes.tick_params(length=0)
        axes.set_xlabel("decisions made", loc="right")
        axes.set_ylabel("score in points, had the game ended there")
    told = ", ".join(f"seat {x['seat'][0]} {x['strategy'][0]} {x['score'][-1]:,}" for x in lines)
    figure.set_label(f"Scores over {last:,} decisions of one game; at the end {told}.")
    return figure


def _apart(ends: list[float], scores: list[int]) -> list[float]:
    """Return where the names of lines stand, so that none covers another."""
    least = 0.085 * max(max(scores) - min(*scores, 0), 1)
    order = sorted(range(len(ends)), key=lambda at: ends[at])
    placed = list(ends)
    for before, at in pairwise(order):
        placed[at] = max(placed[at], placed[before] + least)
    return placed
