"""What both figures of a sweep share: panels of grid points, the best of them, and words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes

from simlab.errors import UserError
from simlab.reporting import canvas, marks
from simlab.reporting.charts import parts
from simlab.reporting.charts.parts import Measure, Row

POINT = ("estimate", "low", "high")
MOST_POINTS, MOST_PANELS = 4_000, 24
MEANING = {
    "region": "Band: simultaneous {level} over all points; grey stretch and full dots: may be the "
    "best; diamond: the best estimate",
    "dots": "Lines: simultaneous {level} over all points; full dots: may be the best; diamond: "
    "the best estimate",
    "outline": "Outlined cells may be the best; the frame within a cell: the best estimate; "
    "simultaneous {level} over all cells, ",
}


def panels(rows: list[Row], parameters: Sequence[str]) -> dict[Any, list[Row]]:
    """Return the rows of each number of players; UserError where a point comes twice."""
    found: dict[Any, list[Row]] = {}
    for row in rows:
        found.setdefault(row["players"], []).append(row)
    for held in found.values():
        if len({tuple(row[name] for name in parameters) for row in held}) < len(held):
            raise UserError(
                f"the frame of the figure has several rows for one value of "
                f"{' and '.join(map(parts.name, parameters))}: more was varied than the figure "
                "shows; keep the rows of one value of the rest."
            )
    if len(found) > MOST_PANELS:
        raise UserError(
            f"the frame of the figure has {len(found)} numbers of players; a figure shows at most "
            f"{MOST_PANELS}."
        )
    return dict(sorted(found.items(), key=lambda item: item[0] or 0))


def best(rows: list[Row], kind: Measure) -> Row | None:
    """Return the row with the best estimate; None where there is none."""
    known = [row for row in rows if row["estimate"] is not None]
    sign = 1 if kind.larger else -1
    return max(known, key=lambda row: sign * row["estimate"], default=None)


def in_order(rows: list[Row], parameters: Sequence[str]) -> list[Row]:
    """Return the rows in the order of the parameters; as they are where one has words."""
    if not all(parts.is_number(row[name]) for row in rows for name in parameters):
        return rows
    return sorted(rows, key=lambda row: [row[name] for name in parameters])


def diamond(axes: Axes, x: float, y: float) -> None:
    """Mark the best estimate."""
    axes.plot(
        [x], [y], "D", color=canvas.MARK, markersize=8, markeredgecolor=canvas.PAPER,
        markeredgewidth=1, zorder=5, gid="best",
    )  # fmt: skip


def tell(axes: Axes, rows: list[Row], parameters: Sequence[str], kind: Measure) -> None:
    """Write above a panel which number of players it is for, and what is best."""
    axes.set_title(f"{rows[0]['players']} players", loc="left", fontsize=9, weight="bold", pad=6)
    found = best(rows, kind)
    if found is not None:
        axes.set_title(
            f"best: {_point(found, parameters, 14)}, {_estimate(found, rows, kind)}", loc="right",
            fontsize=8.5, color=canvas.MARK, pad=6,
        )  # fmt: skip


def notes(rows: list[Row], kind: Measure, level: float, how: str, fair: bool = False) -> list[str]:
    """Say below the figure what is drawn; how: a key of `MEANING`."""
    meaning = MEANING[how].format(level=parts.interval(level))
    if how == "outline":
        meaning += _half_widths(rows, kind)
    equal = "Dashed: the equal share, 1 / players" if fair else ""
    return [meaning, equal, parts.count(rows, "games") + " a point"]


def words(found: dict[Any, list[Row]], parameters: Sequence[str], kind: Measure) -> str:
    """Return the figure in words."""
    told = []
    for players, rows in found.items():
        top = best(rows, kind)
        kept = [_point(row, parameters) for row in in_order(rows, parameters) if row["kept"]]
        if top is not None:
            told.append(
                f"{players} players: best {_point(top, parameters)} "
                f"({_estimate(top, rows, kind)}), may be the best: {parts.listed(kept) or 'none'}"
            )
    what = " and ".join(map(parts.name, parameters))
    return f"{kind.words.capitalize()} by {what}. {'; '.join(told) or 'No estimates'}."


def _point(row: Row, parameters: Sequence[str], most: int = 40) -> str:
    return " and ".join(marks.short(parts.value(row[name]), most) for name in parameters)


def _estimate(row: Row, rows: list[Row], kind: Measure) -> str:
    decimals = parts.decimals_of([parts.ends(one, POINT, kind.scale) for one in rows])
    return parts.number(kind.scale * row["estimate"], decimals) + kind.suffix


def _half_widths(rows: list[Row], kind: Measure) -> str:
    """Say how far the band reaches from the estimates."""
    known = [row for row in rows if row["low"] is not None and row["high"] is not None]
    halves = sorted(kind.scale * (row["high"] - row["low"]) / 2 for row in known)
    if not halves:
        return "of unknown half-width"
    ends = dict.fromkeys(f"{half:.2g}" for half in (halves[0], halves[-1]))
    return f"half-width {' to '.join(ends)} {kind.unit(0)}"
