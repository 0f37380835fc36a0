"""The answer of a run in one sentence, with its interval, and no surer than its games allow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from simlab.errors import shown
from simlab.reporting.numbers import percent, with_interval

if TYPE_CHECKING:
    from simlab.analysis.tables import Row
    from simlab.reporting.tables import RunTable

NAMED = 3


def answer(run: Any, table: RunTable | None = None) -> str:
    """Return what a run says about who wins.

    table: the run's table by strategy, if it is at hand. A strategy is said to win most only where
    its interval lies above that of every other one: the half widths of two intervals add up to no
    less than that of their difference in the same games, so this claims no more than a paired
    comparison at the same level would.
    """
    table = table or run.table()
    rows = sorted(
        (row for row in table.table.rows if row.win.estimate is not None),
        key=lambda row: -(row.win.estimate or 0.0),
    )
    if not rows:
        return f"Nothing can be said: every one of {table.table.games:,} games was left out."
    if table.table.games == 1:
        return _one_game(rows)
    if len(rows) == 1:
        return _alone(rows[0], run.players)
    return _compared(rows)


def _one_game(rows: Sequence[Row]) -> str:
    """Tell who won a single game."""
    won = [row for row in rows if row.win.estimate]
    names = _joined([_name(row) for row in won])
    told = f"{names} shared the win" if len(won) > 1 else f"{names} won"
    if len(rows) == 1:
        told = f"{_name(rows[0])} played against itself"
    return f"In the one game played {told}; one game cannot say which strategy is better."


def _alone(row: Row, players: int) -> str:
    """Tell of a strategy that held every seat."""
    score = row.score
    said = (
        f"{_name(row)} held all {players} seats, so its win share is the equal one, "
        f"{percent(row.win.estimate)}, however strong it is"
    )
    if score.low is None or score.high is None:
        return f"{said}."
    scores = with_interval(score.estimate, score.low, score.high, of="on average")
    return f"{said}; it scores {scores}."


def _compared(rows: Sequence[Row]) -> str:
    """Tell whether the best strategy is ahead of all others; rows: the best first."""
    best, others = rows[0], rows[1:]
    if others[-1].win.estimate == best.win.estimate:
        many = "both" if len(rows) == 2 else f"all {len(rows)}"
        return f"None is ahead: {many} win {_share(best, 'of their games')}."
    rivals = [row for row in others if (row.win.high or 0.0) >= (best.win.low or 0.0)]
    if rivals:
        return _close(best, rivals)
    said = f"{_name(best)} wins most: {_share(best, 'of its games')}; "
    if len(others) == 1:
        said += f"ahead of the other, {_name(others[0])}, {_share(others[0])}."
    else:
        said += f"ahead of the next, {_name(others[0])}, {_share(others[0])}."
    return said + _doubt(best, others)


def _close(best: Row, rivals: Sequence[Row]) -> str:
    """Tell that the best strategy cannot be told from others."""
    told = [f"{_name(row)}, {_share(row)}" for row in rivals[:NAMED]]
    if len(rivals) > NAMED:
        told.append(f"{len(rivals) - NAMED} more")
    return (
        f"Too close to call: {_name(best)} won most, {_share(best, 'of its games')}, but "
        f"{'; '.join(told)} may be as good: the intervals overlap. More games would tell."
    )


def _doubt(best: Row, others: Sequence[Row]) -> str:
    """Say where the truncated games, had they gone otherwise, could turn the answer round."""
    if best.win_bounds is None:
        return ""
    most = max((row.win_bounds[1] for row in others if row.win_bounds), default=0.0)
    if best.win_bounds[0] > most:
        return ""
    return " If the truncated games had ended differently, this could change."


def _share(row: Row, of: str = "") -> str:
    value, low, high = (
        None if end is None else 100 * end for end in (row.win.estimate, row.win.low, row.win.high)
    )
    return with_interval(value, low, high, "%", of)


def _joined(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _name(row: Row) -> str:
    text = "".join(c if c.isprintable() else "?" for c in str(row.value))
    return text if len(text) <= 80 else shown(text)
