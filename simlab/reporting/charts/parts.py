"""What the figures of answers share: a sheet that fits its width, frames, names and measures."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.layout_engine import ConstrainedLayoutEngine
from numpy.typing import NDArray

from simlab.errors import UserError, one_of
from simlab.reporting import canvas, marks
from simlab.reporting.numbers import digits

if TYPE_CHECKING:
    import polars as pl

Row = dict[str, Any]
Fit = Callable[[bool], float | None]
"""What adapts a figure: called with whether it is drawn for a narrow screen, it returns the inches
of height that it takes beyond the body, if any."""
NOTE_SIZE, NOTE_LINE, NOTE_LETTER = 8.5, 0.165, 4.8
HEAD_SIZE, HEAD_LINE, HEAD_LETTER = 10.0, 0.2, 7.2
CONTEXT = 5
"""Letters before the first that tells long names apart."""
KEPT = "\N{NO-BREAK SPACE}"
PAD = 0.06
MOST_STRATEGIES = 200


@dataclass(frozen=True)
class Measure:
    """What is compared: its words on an axis, those of a difference, and how it is scaled."""

    words: str
    difference: str
    scale: float = 1.0
    larger: bool = True
    suffix: str = ""

    def unit(self, value: float) -> str:
        """Return the unit of a difference of so much."""
        unit = self.difference.rpartition(", in ")[2]
        return unit.removesuffix("s") if value == 1 else unit


MEASURES = {
    "win": Measure("win share in %", "win share, in percentage points", 100.0, suffix=" %"),
    "score": Measure("score in points", "score, in points"),
    "margin": Measure("winning margin in points", "winning margin, in points"),
    "rank": Measure("mean rank (1 is the best)", "rank, in places", larger=False),
}


def measure(objective: str) -> Measure:
    """Return the measure of an objective; UserError for another word."""
    if objective not in MEASURES:
        raise one_of("objective", objective, MEASURES)
    return MEASURES[objective]


class Chart(canvas.SimlabFigure):
    """A figure with a heading above and notes below, laid out anew when its width changes."""

    def __init__(self, body: float) -> None:
        """Begin with a sheet of so many inches in height, without heading and notes."""
        super().__init__(figsize=(canvas.WIDE, body), layout=ConstrainedLayoutEngine(h_pad=PAD))
        self._body = body
        self._note = self._head = ""
        self._fits: list[Fit] = []

    @property
    def narrow(self) -> bool:
        """Whether it is drawn for the width of a phone."""
        return bool(self.get_figwidth() < canvas.WIDE)

    def set_size_inches(self, *args: Any, **kwargs: Any) -> None:
        """Change the size, and fit what is drawn to it; the height follows from the width."""
        super().set_size_inches(*args, **kwargs)
        self._lay_out()

    def draw(self, renderer: Any) -> None:
        """Draw it, laid out from the start: the same each time, to the last digit."""
        anew = isinstance(self.get_layout_engine(), ConstrainedLayoutEngine)
        for axes in self.axes if anew else ():
            spec = axes.get_subplotspec()
            if spec is not None:
                axes.set_subplotspec(spec)
        super().draw(renderer)

    def fit(self, action: Fit) -> None:
        """Carry out the action now, and again whenever the width has changed."""
        self._fits.append(action)
        self._lay_out()

    def tell(self, notes: Iterable[str], head: str = "") -> None:
        """Write sentences below the figure, and a heading above it."""
        said = " ".join(f"{note}." for note in notes if note)
        self._note, self._head = re.sub(r"(?<=\d) %", f"{KEPT}%", said), head
        self._lay_out()

    def add_note(self, sentence: str) -> None:
        """Write one more sentence below the figure."""
        self._note = f"{self._note} {sentence}".strip()
        self._lay_out()

    def _lay_out(self) -> None:
        """Wrap the texts to the width, make room for them, and carry out the actions."""
        width = 72 * self.get_figwidth() - 8
        notes = textwrap.wrap(self._note, int(width / NOTE_LETTER))
        notes = [line.replace(KEPT, " ") for line in notes]
        head = textwrap.wrap(self._head, int(width / HEAD_LETTER))
        with canvas.style():
            if notes:
                self.supxlabel(
                    "\n".join(notes), x=0.01, ha="left", color=canvas.MUTED, fontsize=NOTE_SIZE,
                    linespacing=1.35,
                )  # fmt: skip
            if head:
                self.suptitle("\n".join(head), x=0.01, ha="left", fontsize=HEAD_SIZE, weight="bold")
        extra = NOTE_LINE * len(notes) + HEAD_LINE * len(head)
        extra += sum(action(self.narrow) or 0.0 for action in self._fits)
        super().set_size_inches(self.get_figwidth(), self._body + extra)


def rows_of(frame: pl.DataFrame, columns: Sequence[str], most: int, what: str) -> list[Row]:
    """Return the rows of a frame as dicts, NaN as None; UserError where it cannot be drawn.

    columns: those it must have. most: rows at most. what: one row of the frame ("strategy").
    """
    import polars as pl

    if not isinstance(frame, pl.DataFrame):
        raise UserError(
            f"a figure is drawn from a polars DataFrame, such as the summary() of an answer, not "
            f"from a {type(frame).__name__}."
        )
    for column in columns:
        if column not in frame.columns:
            raise one_of("column", column, frame.columns, "in the frame of the figure")
    if not 0 < frame.height <= most:
        raise UserError(
            f"the frame of a figure has {frame.height:,} rows; this figure shows 1 to {most:,}, "
            f"one for each {what}."
        )
    return frame.fill_nan(None).to_dicts()


def ends(row: Row, names: Sequence[str], scale: float = 1.0) -> marks.Ends:
    """Return estimate, low and high of a row, scaled; None where there is none."""
    value, low, high = (None if row[name] is None else scale * row[name] for name in names)
    return value, low, high


def lines(
    chart: Chart,
    axes: Axes,
    names: Sequence[str],
    by: str = "strategy",
    most: tuple[int, int] = (marks.LABEL, marks.NARROW_LABEL),
    places: bool = False,
) -> None:
    """Give each name a line at the left of the axes, the first on top.

    most: letters of a name, for wide and narrow figures; longer ones are cut so that they differ.
    places: write the place before the name.
    """
    labels = [marks.label(name, by) for name in names]

    cut = [short_all(labels, letters) for letters in most]

    def name_at(place: float, _: object) -> str:
        before = f"{round(place) + 1}  " if places else ""
        return before + cut[chart.narrow][round(place)]

    axes.yaxis.set_major_formatter(name_at)
    for tick in axes.set_yticks(range(len(labels))):
        tick.label1.set_parse_math(False)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.tick_params(length=0, pad=6)
    axes.grid(axis="x")
    axes.xaxis.set_major_formatter("{x:,g}")


def short_all(labels: Sequence[str], most: int) -> list[str]:
    """Return the labels in at most so many letters each, those that differ still different.

    Usually the middle of a long label is left out; where that makes two the same, what they have
    in common at the beginning.
    """
    groups: dict[str, list[str]] = {}
    for label in dict.fromkeys(labels):
        groups.setdefault(marks.short(label, most), []).append(label)
    found = {}
    for cut, alike in groups.items():
        columns = zip(*alike, strict=False)
        same = next((at for at, letters in enumerate(columns) if len(set(letters)) > 1), 0)
        for label in alike:
            found[label] = cut if len(alike) == 1 else _late(label, same, most)
    return [found[label] for label in labels]


def _late(label: str, same: int, most: int) -> str:
    """Return a label with its beginning and what follows the letters that others share, too."""
    head = most // 3
    rest = label[max(head + 1, same - CONTEXT) :]
    room = most - head - 1
    fits = marks.letters(rest) <= room
    return f"{marks.begin(label, head)}…{rest if fits else marks.begin(rest, room - 1) + '…'}"


def floats(values: Iterable[float | None]) -> NDArray[np.float64]:
    """Return the values as an array, NaN where there is none."""
    return np.array([math.nan if value is None else value for value in values], dtype=np.float64)


def room(values: Iterable[float | None], share: float = 0.06) -> tuple[float, float]:
    """Return the ends of an axis that shows the values, with a share of their range as room."""
    known = [value for value in values if value is not None] or [0.0, 1.0]
    low, high = min(known), max(known)
    spare = share * (high - low) or 0.05 * abs(high) or 0.5
    return low - spare, high + spare


def signed(value: float | None, decimals: int) -> str:
    """Write a difference with its sign; none for what rounds to 0."""
    if value is not None and round(value, decimals) > 0:
        return f"+{value:,.{decimals}f}"
    return number(value, decimals)


def number(value: float | None, decimals: int) -> str:
    """Write a number with its thousands marked and a true minus."""
    if value is None:
        return "-"
    return f"{round(value, decimals) + 0.0:,.{decimals}f}".replace("-", "\N{MINUS SIGN}")


def between(low: float | None, high: float | None, decimals: int) -> str:
    """Write the two ends of an interval."""
    if low is None or high is None:
        return "no interval"
    return f"{number(low, decimals)} to {number(high, decimals)}"


def decimals_of(rows: Iterable[marks.Ends]) -> int:
    """Return how many decimals the intervals deserve."""
    return digits((low, high) for _, low, high in rows)


def count(rows: Sequence[Row], what: str) -> str:
    """Say how many games and deals stand behind each row: "n = 1,200 games (300 deals) each"."""
    said = [f"n{KEPT}={KEPT}{_range(rows, 'games')} {what}"]
    if rows and rows[0].get("deals") is not None:
        said.append(f"({_range(rows, 'deals')} deals, the units of the intervals)")
    return " ".join(said)


def _range(rows: Sequence[Row], column: str) -> str:
    known = sorted({row[column] for row in rows if row[column] is not None})
    if not known:
        return "an unknown number of"
    if len(known) > 1:
        return f"{known[0]:,} to {known[-1]:,}"
    return f"{known[0]:,}"


def value(given: Any) -> str:
    """Write the value of a parameter."""
    if isinstance(given, bool):
        return str(given).lower()
    if isinstance(given, int | float):
        return f"{given:,g}" if abs(given) < 1e6 else f"{given:,.0f}"
    return marks.label(given, "")


def is_number(given: Any) -> bool:
    """Return whether the value of a parameter lies on an axis."""
    return isinstance(given, int | float) and not isinstance(given, bool) and math.isfinite(given)


def listed(told: Sequence[str], most: int = 12) -> str:
    """Join what is told, the first ones only where it is much."""
    more = f" and {len(told) - most} more" if len(told) > most else ""
    return f"{', '.join(told[:most])}{more}"


def name(given: Any, most: int = 60) -> str:
    """Return a name for a sentence: on one line, and not too long."""
    return marks.short(marks.label(given, ""), most)


def covered(axes: Axes, shown: Iterable[marks.Ends]) -> str:
    """Say what hides the intervals that are too narrow to be seen; empty where none is."""
    left, right = axes.get_xlim()
    least = marks.HIDDEN * abs(right - left)
    hidden = any(
        low is not None and high is not None and high - low < least for _, low, high in shown
    )
    return "Where no interval shows, the dot covers it" if hidden else ""


def interval(level: float) -> str:
    """Return "95 % interval"."""
    return f"{100 * level:g} % interval"
