"""The figure of a comparison of rule sets: what each strategy reaches under each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from simlab.errors import one_of
from simlab.reporting import canvas, marks
from simlab.reporting.charts import parts
from simlab.reporting.charts.parts import MOST_STRATEGIES, Chart, Row

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

DIFFERENCE = ("estimate", "low", "high")
CHANGE = ("change", "change_low", "change_high")
WORDS = {"win_share": "win share in %", "score": "score in points"}
MARKERS = "osD^vPX"
COLOURS = (canvas.MUTED, canvas.ACCENT, canvas.MARK, canvas.INK)
LINE, GAP = 0.19, 0.2
"""Inches of a rule set, and between strategies."""


def rule_slopes(summary: pl.DataFrame, what: str, *, level: float = 0.95) -> Figure:
    """Return what each strategy reaches under each rule set, changes that are settled marked.

    summary: one row for each measure, strategy and rule set, as `compare_rules.summary()` gives
    it: what, strategy (null: length), rules, estimate, low, high, change, change_low, change_high,
    p_holm (against the first rule set), games, deals. what: win_share, score, or the word for the
    length of a game. level: of intervals and claims: settled is p_holm <= 1 - level.
    Strategies come in the order of their value under the first rule set, the highest first.
    UserError for a frame that lacks a column or has no row of `what`.
    """
    columns = ("what", "strategy", "rules", *DIFFERENCE, *CHANGE, "p_holm", "games")
    most = 20 * MOST_STRATEGIES
    every = parts.rows_of(summary, columns, most, "strategy and rule set")
    rows = [row for row in every if row["what"] == what]
    if not rows:
        raise one_of("measure", what, dict.fromkeys(row["what"] for row in every))
    rules = list(dict.fromkeys(row["rules"] for row in rows))
    held: dict[Any, dict[str, Row]] = {}
    for row in rows:
        held.setdefault(row["strategy"], {})[row["rules"]] = row
    order = sorted(held, key=lambda name: -_first(held[name], rules[0]))
    with canvas.style():
        if order == [None]:
            chart = _one_line(held[None], rules, what, level)
        else:
            chart = _many(held, order, rules, what, level)
        words = WORDS.get(what, f"length in {parts.name(what)}")
        chart.axes[0].set_xlabel(words, loc="right")
        chart.tell(_notes(rows, rules, level))
    chart.set_label(_alt(held, order, rules, what, level))
    return chart


def settled(row: Row, level: float) -> bool:
    """Return whether a change against the first rule set is settled."""
    return row["p_holm"] is not None and row["p_holm"] <= 1 - level + 1e-12


Held = dict[Any, dict[str, Row]]
"""Strategy -> rule set -> row."""


class _Lines:
    """Marks with their intervals, and the numbers beside them."""

    def __init__(self, axes: Axes, held: Held, what: str, level: float) -> None:
        self._axes, self._level, self._scale = axes, level, _scale(what)
        self._decimals = _decimals(held, what)
        self._texts: list[tuple[float, str, int, bool]] = []
        axes.set_xlim(*parts.room([end for one in _ends(held, what) for end in one]))

    def join(self, places: list[tuple[Row | None, float, int]], of: int) -> None:
        """Draw the marks of a strategy, joined: the row, its height and the number of the rules.

        of: the number of the strategy.
        """
        there = [(row, y, rule) for row, y, rule in places if row and row["estimate"] is not None]
        for row, y, rule in there:
            self._mark(row, y, rule, f"{of}-{rule}")
        self._axes.plot(
            [self._scale * row["estimate"] for row, _, _ in there], [y for _, y, _ in there],
            color=canvas.MUTED, linewidth=0.8, zorder=2, gid=f"slope-{of}",
        )  # fmt: skip

    def _mark(self, row: Row, y: float, rule: int, gid: str) -> None:
        """Draw interval and mark, full where it is the first or the change is settled."""
        value, low, high = parts.ends(row, DIFFERENCE, self._scale)
        assert value is not None
        colour, bold = _colour(rule), settled(row, self._level)
        if low is not None and high is not None:
            self._axes.plot(
                [low, high], [y, y], color=colour, linewidth=2, solid_capstyle="butt", zorder=3,
                gid=f"interval-{gid}",
            )  # fmt: skip
        self._axes.plot(
            [value], [y], MARKERS[rule % len(MARKERS)], color=colour, markersize=6, zorder=4,
            markerfacecolor=colour if bold or not rule else canvas.PAPER, markeredgewidth=1.3,
            gid=f"dot-{gid}",
        )  # fmt: skip
        if not rule:
            text = parts.number(value, self._decimals)
        else:
            change = row["change"]
            text = parts.signed(None if change is None else self._scale * change, self._decimals)
        self._texts.append((y, text, rule, bold))

    def write(self) -> None:
        """Write the value under the first rule set, and the changes, at the right."""
        right = 10 + 6.4 * max([len(text) for _, text, _, _ in self._texts], default=0)
        for y, text, rule, bold in self._texts:
            self._axes.annotate(
                text, (1, y), (right, 0), ("axes fraction", "data"), "offset points", ha="right",
                va="center_baseline", fontsize=8.5, color=_colour(rule),
                weight="bold" if bold else "normal",
            )  # fmt: skip


def _many(held: Held, order: list[Any], rules: list[str], what: str, level: float) -> Chart:
    """Draw a group of lines for each strategy, one for each rule set, joined by a thin line."""
    group = LINE * len(rules) + GAP
    chart = Chart(0.85 + 0.2 * len(rules) + group * len(order))
    axes = chart.subplots()
    parts.lines(chart, axes, order)
    axes.set_ylim(len(order) - 0.5, -0.5)
    drawn = _Lines(axes, held, what, level)
    step = LINE / group
    for at, name in enumerate(order):
        heights = [at + step * (rule - (len(rules) - 1) / 2) for rule in range(len(rules))]
        places = [(held[name].get(rules[rule]), y, rule) for rule, y in enumerate(heights)]
        drawn.join(places, at)
    drawn.write()
    for at in range(1, len(order)):
        axes.axhline(at - 0.5, color=canvas.RULE, linewidth=0.8, zorder=0.5)
    _key(chart, rules)
    return chart


def _one_line(held: dict[str, Row], rules: list[str], what: str, level: float) -> Chart:
    """Draw a line for each rule set, all joined: what is not of one strategy."""
    chart = Chart(0.6 + marks.ROW * len(rules))
    axes = chart.subplots()
    parts.lines(chart, axes, rules)
    drawn = _Lines(axes, {None: held}, what, level)
    drawn.join([(held[rule], float(at), at) for at, rule in enumerate(rules)], 0)
    drawn.write()
    return chart


def _key(chart: Chart, rules: list[str]) -> None:
    """Name the mark of each rule set above the axes."""
    drawn = [
        Line2D(
            [], [], color=_colour(at), marker=MARKERS[at % len(MARKERS)], markersize=5.5,
            linewidth=1.8,
        )
        for at in range(len(rules))
    ]  # fmt: skip
    chart.legend(
        drawn, [parts.name(rule, 44) for rule in rules], loc="outside upper left", ncols=1,
        handlelength=1.6, borderpad=0.2, labelspacing=0.25,
    )  # fmt: skip


def _colour(number: int) -> str:
    return COLOURS[0] if number == 0 else COLOURS[1 + (number - 1) % (len(COLOURS) - 1)]


def _scale(what: str) -> float:
    return 100.0 if what == "win_share" else 1.0


def _first(held: dict[str, Row], rule: str) -> float:
    """Return the value under the first rule set, to sort by."""
    value = held[rule]["estimate"] if rule in held else None
    return float("-inf") if value is None else float(value)


def _ends(held: Held, what: str) -> list[marks.Ends]:
    scale = _scale(what)
    return [parts.ends(row, DIFFERENCE, scale) for of in held.values() for row in of.values()]


def _decimals(held: Held, what: str) -> int:
    return parts.decimals_of(_ends(held, what))


def _notes(rows: list[Row], rules: list[str], level: float) -> list[str]:
    """Say below the figure what is drawn."""
    return [
        f"Lines: {parts.interval(level)} of each value",
        f"At the right: the value under {parts.name(rules[0], 44)}, below it the changes",
        f"Full marks and bold: the change is settled (Holm over all changes at {100 * level:g} %); "
        "hollow: not settled",
        parts.count(rows, "games"),
    ]


def _alt(held: Held, order: list[Any], rules: list[str], what: str, level: float) -> str:
    """Return the figure in words."""
    decimals = _decimals(held, what)
    scale = _scale(what)
    told = []
    for name in order:
        said = []
        for number, rule in enumerate(rules):
            row = held[name].get(rule)
            if row is None or row["estimate"] is None:
                continue
            text = f"{parts.name(rule, 40)} {parts.number(scale * row['estimate'], decimals)}"
            if number and row["change"] is not None:
                change = parts.signed(scale * row["change"], decimals)
                text += f" ({change}{', settled' if settled(row, level) else ''})"
            said.append(text)
        told.append("; ".join(said) if name is None else f"{parts.name(name)}: {'; '.join(said)}")
    words = WORDS.get(what, f"length in {parts.name(what)}")
    return f"{words.capitalize()} by rule set. {'. '.join(told[:12])}."
