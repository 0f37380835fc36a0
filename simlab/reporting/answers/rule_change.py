"""The answer of a comparison of rules in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simlab.reporting.answers.sheet import Sheet, truncated_note
from simlab.reporting.numbers import digits, p_text, percent, plain
from simlab.study.rule_sums import SCORE, WIN, Change

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from simlab.study.rule_change import RuleChange

NAMES = {WIN: "win share", SCORE: "score"}
FIGURES = {WIN: "win-share", SCORE: "score"}


def sentence(result: RuleChange) -> str:
    """Return the answer in one sentence: the largest change that is settled, if there is one."""
    what = result.measures[0]
    every = result.changes(what)
    if not any(_differs(row) for row in result.rows):
        return (
            f"Nothing changes: in each of {result.deals:,} deals all outcomes are the same under "
            f"{_joined(result.rules)}."
        )
    settled = [row for row in every if result.settled(row)]
    largest = max(settled or every, key=lambda row: abs(_change(row) or 0.0))
    told = f"{_signed(result, largest)} {_ends(result, largest)}"
    instead = f"{largest.rules} instead of {result.rules[0]}"
    if not settled:
        said = (
            f"No change of the {NAMES[what]} is settled; the largest is that of "
            f"{largest.strategy} with {instead}: {told}"
        )
    else:
        said = f"With {instead} the {NAMES[what]} of {largest.strategy} changes "
        said += f"{'most: ' if len(every) > 1 else ''}by {told}, {_from_to(result, largest)}"
        if len(every) > 1:
            said += f"; {len(settled)} of {len(every)} changes are settled"
    return f"{said}{_length(result, largest.rules)}."


def _differs(row: Change) -> bool:
    """Whether any deal came out otherwise than under the first rule book."""
    return row.change is not None and bool(row.change.estimate or row.change.se)


def _change(row: Change) -> float | None:
    return None if row.change is None else row.change.estimate


def _scale(what: str) -> float:
    return 100.0 if what == WIN else 1.0


def _unit(what: str) -> str:
    return {WIN: " percentage points", SCORE: " points"}.get(what, f" {what}")


def _decimals(row: Change) -> int:
    scale, change = _scale(row.what), row.change
    if change is None or change.low is None or change.high is None:
        return 2
    return digits([(scale * change.low, scale * change.high)])


def _signed(result: RuleChange, row: Change) -> str:
    value = _scale(row.what) * (_change(row) or 0.0)
    return f"{value:+,.{_decimals(row)}f}{_unit(row.what)}"


def _ends(result: RuleChange, row: Change) -> str:
    """Return the interval of a change."""
    change, scale, decimals = row.change, _scale(row.what), _decimals(row)
    if change is None or change.low is None or change.high is None:
        return "(without an interval)"
    return f"[{plain(scale * change.low, decimals)}, {plain(scale * change.high, decimals)}]"


def _from_to(result: RuleChange, row: Change) -> str:
    """Say between which values it changes."""
    base = next(
        one for one in result.rows
        if (one.what, one.strategy, one.rules) == (row.what, row.strategy, result.rules[0])
    )  # fmt: skip
    decimals = _decimals(row)
    before, after = base.value.estimate, row.value.estimate
    if row.what == WIN:
        return f"from {percent(before, decimals)} to {percent(after, decimals)}"
    return f"from {plain(before, decimals)} to {plain(after, decimals)}"


def _length(result: RuleChange, rules: str) -> str:
    """Say how the length of a game changes."""
    if result.length is None:
        return ""
    row = next(one for one in result.changes(result.length) if one.rules == rules)
    if not _differs(row):
        return "; games last as long as before"
    return f"; the length of a game changes by {_signed(result, row)} {_ends(result, row)}"


def tables(result: RuleChange) -> list[Sheet]:
    """Return every outcome under every rule book, a table for each kind of outcome."""
    sheets = [_sheet(result, what) for what in result.measures]
    bounds = [row for row in result.rows if row.bounds is not None]
    if bounds:
        sheets.append(_bounds(bounds))
    return sheets


def _sheet(result: RuleChange, what: str) -> Sheet:
    import polars as pl

    rows = [row for row in result.rows if row.what == what]
    level = f"{100 * result.level:g} %"
    scale = _scale(what)
    name = {WIN: "win share, %", SCORE: "score"}.get(what, f"length, {what}")

    def column(found: list[float | None]) -> list[float | None]:
        return [None if value is None else round(scale * value, 2) for value in found]

    columns: dict[str, Any] = {"rules": [row.rules for row in rows]}
    if what != result.length:
        columns = {"strategy": [row.strategy for row in rows], **columns}
    columns |= {
        name: column([row.value.estimate for row in rows]),
        f"{level} low": column([row.value.low for row in rows]),
        f"{level} high": column([row.value.high for row in rows]),
        "change": column([_change(row) for row in rows]),
        "change low": column([None if row.change is None else row.change.low for row in rows]),
        "change high": column([None if row.change is None else row.change.high for row in rows]),
        "p (Holm)": [p_text(row.p_holm) for row in rows],
    }
    title = {WIN: "Win shares", SCORE: "Scores"}.get(what, f"Length of a game, {what}")
    return Sheet(title, pl.DataFrame(columns, _schema(columns)), _caption(result, what))


def _schema(columns: dict[str, Any]) -> dict[str, Any]:
    """Return the types of columns, those of nulls alone as numbers."""
    import polars as pl

    words = ("strategy", "rules", "p (Holm)")
    return {name: pl.String if name in words else pl.Float64 for name in columns}


def _caption(result: RuleChange, what: str) -> str:
    count = len(result.changes(what))
    said = f"Changes are against {result.rules[0]}, paired by deal"
    if what == WIN:
        said += ", in percentage points"
    if count > 1:
        said += f"; all {count} change intervals hold together at {100 * result.level:g} %"
    return f"{said}."


def _bounds(rows: list[Change]) -> Sheet:
    import polars as pl

    columns = {
        "strategy": [row.strategy for row in rows],
        "rules": [row.rules for row in rows],
        "win share if lost, %": [round(100 * row.bounds[0], 2) for row in rows if row.bounds],
        "win share if won, %": [round(100 * row.bounds[1], 2) for row in rows if row.bounds],
    }
    caption = "What its win share would be if it had lost, or won, every truncated game."
    return Sheet("Truncated games", pl.DataFrame(columns), caption)


def figures(result: RuleChange) -> dict[str, Figure]:
    """Return a figure for each kind of outcome."""
    from simlab.reporting.charts.rules import rule_slopes

    summary = result.summary()
    return {
        FIGURES.get(what, "length"): rule_slopes(summary, what, level=result.level)
        for what in result.measures
    }


def notes(result: RuleChange) -> list[str]:
    """Return how it was played, and how to read it."""
    block = result.each_games // result.deals
    seats = f"of {block} games, every strategy in every seat alike" if block > 1 else "of one game"
    lines = [
        f"{result.each_games:,} games under each of {len(result.rules)} rule books: the same "
        f"{result.deals:,} deals {seats}.",
        f"Changes are against {result.rules[0]}, paired by deal. Settled: p (Holm over all changes "
        f"of one kind) is at most {1 - result.level:.2g}; their intervals are Bonferroni's, a "
        "little wider, so that one may overlap 0 where Holm settles.",
        "Strategies play under every rule book as they are; one made for other rules could do "
        "better there.",
        _scores(result),
    ]
    if WIN not in result.measures:
        lines.append("One strategy holds every seat, so its win share says nothing.")
    if result.length is not None:
        lines.append(
            f"Length of a game: mean of the column {result.length} over all seats "
            f"({result.length_meaning})."
        )
    for rules, count in zip(result.rules, result.truncated, strict=True):
        lines += truncated_note(count, result.each_games, f" under {rules}")
    return lines


def _scores(result: RuleChange) -> str:
    """Say how far scores can be compared."""
    said = (
        "Scores are in points under every rule book; where rules change what scores, or how long "
        "is played, their change says nothing of how well a strategy plays."
    )
    if len({*result.score_ranges}) > 1:
        pairs = zip(result.rules, result.score_ranges, strict=True)
        tops = [f"{top:,g} under {rules}" for rules, (_, top) in pairs]
        said += f" Here the largest possible score differs: {_joined(tops)}."
    return said


def _joined(words: Any) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else str(last)
