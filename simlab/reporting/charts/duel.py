"""The figure of a duel: the difference, where both stand, and how the interval narrowed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.axes import Axes

from simlab.reporting import canvas, marks
from simlab.reporting.charts import parts
from simlab.reporting.charts.parts import Chart, Row

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

DIFFERENCE = ("estimate", "low", "high")
WIN = ("win_share", "win_share_low", "win_share_high")
SCORE = ("score_mean", "score_low", "score_high")
EARLY = 0.1
"""Looks before this part of the games do not set the height of the axis."""
MOST_LOOKS = 100_000
DOTTED = 30
"""Looks that bear dots, at most."""
LABELS = (24, 14)
"""Letters of a name, for wide and narrow figures."""


def duel(
    summary: pl.DataFrame, path: pl.DataFrame | None = None, shares: pl.DataFrame | None = None
) -> Figure:
    """Return the difference of A and B against 0 and the margin, and what led to it.

    summary: one row, as `duel.summary()` gives it: a, b, objective, estimate, low, high (A minus
    B, positive: A is better), margin (null: none), deals, games, level, verdict. path: one row a
    look, in order: games, estimate, low, high; None or a single look leaves its panel out. shares:
    one row for each of the two: strategy, win_share, score_mean and their intervals; None leaves
    that panel out. UserError for a frame that lacks a column or has no row.
    """
    (row,) = parts.rows_of(
        summary, ("a", "b", "objective", *DIFFERENCE, "margin", "games", "level"), 1, "duel"
    )
    kind = parts.measure(row["objective"])
    looks: list[Row] = []
    if path is not None and path.height:
        looks = parts.rows_of(path, ("games", *DIFFERENCE), MOST_LOOKS, "look")
    looks = [look for look in looks if None not in (look["low"], look["high"])]
    both: list[Row] = []
    names = SCORE if row["objective"] in ("score", "margin") else WIN
    if shares is not None:
        both = parts.rows_of(shares, ("strategy", *names), 2, "strategy")
    heights = [1.05, *[1.2] * bool(both), *[2.2] * (len(looks) > 1)]
    with canvas.style():
        chart = Chart(sum(heights))
        panels = list(chart.subplots(len(heights), squeeze=False, height_ratios=heights)[:, 0])
        _difference(chart, panels.pop(0), row, kind)
        if both:
            _shares(chart, panels.pop(0), both, names)
        if panels:
            _path(panels.pop(), looks, row, kind)
        chart.tell(_notes(row, kind, looks), _names(row, " minus "))
    chart.set_label(_alt(row, kind, looks))
    return chart


def _difference(chart: Chart, axes: Axes, row: Row, kind: parts.Measure) -> None:
    """Draw the estimate with its interval against 0 and the margin."""
    shown = parts.ends(row, DIFFERENCE, kind.scale)
    margin = None if row["margin"] is None else kind.scale * row["margin"]
    parts.lines(chart, axes, ["difference"], most=LABELS)
    axes.set_ylim(0.6, -0.6)
    if margin is not None:
        axes.axvspan(-margin, margin, color=canvas.RULE, linewidth=0, gid="margin")
    axes.axvline(0, color=canvas.INK, linewidth=1.1, gid="zero")
    marks.intervals(axes, [shown])
    low, high = parts.room([0, *shown, *([] if margin is None else [-margin, margin])], 0.12)
    axes.set_xlim(low, high)
    marks.beside(axes, [parts.signed(shown[0], _decimals(shown))])
    axes.set_xlabel(f"difference in {kind.difference}", loc="right")
    _direction(chart, axes, row["b"], 0)
    _direction(chart, axes, row["a"], 1)


def _direction(chart: Chart, axes: Axes, name: str, x: int) -> None:
    """Say above an end of the axis who is better there; of the first named where it is narrow."""
    written = axes.annotate(
        "", (x, 1), (0, 3), ("axes fraction", "axes fraction"), "offset points",
        ha="right" if x else "left", va="bottom", color=canvas.MUTED, fontsize=8.5,
    )  # fmt: skip
    short = ("better" if x else "worse", f"{parts.name(name, 16)} better")

    def write(narrow: bool) -> None:
        text = short[not narrow]
        written.set_text(f"{text} →" if x else f"← {text}")

    chart.fit(write)


def _shares(chart: Chart, axes: Axes, both: list[Row], names: tuple[str, ...]) -> None:
    """Draw what each of the two reached by itself."""
    kind = parts.MEASURES["win" if names is WIN else "score"]
    shown = [parts.ends(row, names, kind.scale) for row in both]
    parts.lines(chart, axes, [row["strategy"] for row in both], most=LABELS)
    marks.intervals(axes, shown)
    decimals = parts.decimals_of(shown)
    marks.beside(axes, [parts.number(value, decimals) + kind.suffix for value, _, _ in shown])
    axes.set_xlim(*parts.room([end for one in shown for end in one], 0.12))
    axes.set_xlabel(f"{kind.words}, each by itself", loc="right")


def _path(axes: Axes, looks: list[Row], row: Row, kind: parts.Measure) -> None:
    """Draw estimate and interval at each look over the games played by then."""
    games = [look["games"] for look in looks]
    values, lows, highs = (
        kind.scale * parts.floats(look[name] for look in looks) for name in DIFFERENCE
    )
    margin = None if row["margin"] is None else kind.scale * row["margin"]
    if margin is not None:
        axes.axhspan(-margin, margin, color=canvas.RULE, linewidth=0, gid="margin-path")
    axes.fill_between(
        games, lows, highs, color=canvas.BAND, alpha=0.6, linewidth=0, gid="path-band"
    )
    for edge, name in ((lows, "low"), (highs, "high")):
        axes.plot(games, edge, color=canvas.ACCENT, linewidth=0.9, gid=f"path-{name}")
    axes.plot(
        games, values, color=canvas.ACCENT, linewidth=1.8, gid="path", markersize=4,
        marker="o" if len(looks) <= DOTTED else "", markeredgecolor=canvas.PAPER,
    )  # fmt: skip
    axes.axhline(0, color=canvas.INK, linewidth=1.1)
    late = [look for look in looks if look["games"] >= EARLY * games[-1]]
    tall = [kind.scale * look[end] for look in late for end in ("low", "high")]
    axes.set_ylim(*parts.room([0, *tall, *([] if margin is None else [-margin, margin])]))
    axes.set_xlim(0, 1.02 * games[-1])
    axes.grid(axis="y")
    axes.tick_params(length=0, pad=6)
    axes.locator_params(axis="x", nbins=3)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.yaxis.set_major_formatter("{x:,g}")
    axes.tick_params(axis="y", labelcolor=canvas.MUTED, labelsize=8.5)
    axes.set_title("difference at each look", loc="left", fontsize=8.5, color=canvas.MUTED)
    axes.set_xlabel("games played", loc="right")


def _names(row: Row, between: str, most: int = 26) -> str:
    return between.join(parts.name(row[side], most) for side in ("a", "b"))


def _decimals(shown: marks.Ends) -> int:
    """Return the decimals of a difference: one more than the interval needs."""
    return min(4, parts.decimals_of([shown]) + 1)


def _found(row: Row, kind: parts.Measure) -> str:
    """Say the estimate with its interval in words."""
    shown = parts.ends(row, DIFFERENCE, kind.scale)
    decimals = _decimals(shown)
    return (
        f"{parts.signed(shown[0], decimals)}, {parts.interval(row['level'])} "
        f"{parts.between(*shown[1:], decimals)}"
    )


def _notes(row: Row, kind: parts.Measure, looks: list[Row]) -> list[str]:
    """Say below the figure what is drawn."""
    notes = [f"Difference in {kind.difference}: {_found(row, kind)}; above 0 the first is better"]
    if row["margin"] is not None:
        notes.append(f"Grey: no more than the margin of {kind.scale * row['margin']:,.3g} from 0")
    if len(looks) > 1:
        notes.append(f"The interval holds at all {len(looks):,} looks together")
        early = any(look["games"] < EARLY * looks[-1]["games"] for look in looks)
        notes += ["Early intervals reach beyond the panel"] * early
    return [*notes, parts.count([row], "games")]


def _alt(row: Row, kind: parts.Measure, looks: list[Row]) -> str:
    """Return the figure in words."""
    told = f"{_names(row, ' minus ', 60)}, difference in {kind.difference}: {_found(row, kind)}"
    if row["margin"] is not None:
        told += f"; margin {kind.scale * row['margin']:,.3g}"
    if row.get("verdict"):
        told += f"; verdict: {parts.name(row['verdict'], 160)}"
    told += f"; {row['games']:,} games." if row["games"] is not None else "."
    if len(looks) > 1:
        ends = (looks[0], looks[-1])
        first, last = (kind.scale * (look["high"] - look["low"]) / 2 for look in ends)
        told += (
            f" The interval narrowed from ±{first:,.3g} after {looks[0]['games']:,} games to "
            f"±{last:,.3g} after {looks[-1]['games']:,}."
        )
    return told
