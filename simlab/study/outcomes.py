"""Outcomes of whole deals as arrays: what a seat got, and who held it.

The unit of every question is the deal, so rows are laid out by deal, game of its block, and seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from simlab.analysis.sequence import score_bounds
from simlab.errors import UserError, one_of

if TYPE_CHECKING:
    import polars as pl

Floats = NDArray[np.float64]

OBJECTIVES = {
    "win": "win share",
    "score": "score",
    "margin": "lead over the best of the others, in points",
    "rank": "rank",
}
"""What can be compared, in words; a smaller rank is better, of the others the larger."""


def check_objective(objective: object) -> str:
    """Return the objective; UserError, with the nearest name, if there is none of that name."""
    if not isinstance(objective, str) or objective not in OBJECTIVES:
        raise one_of("objective", objective, OBJECTIVES)
    return objective


def values(rows: pl.DataFrame, players: int, objective: str) -> Floats:
    """Return what each seat got, float64 [games, players].

    rows: whole games, in order. "margin" is the score less the best score of the other seats;
    "rank" gives seats of equal rank the mean of their places (statistics section 4, rule 5).
    """
    if objective == "rank":
        rank = rows["rank"].to_numpy().reshape(-1, players)
        equal = (rank[:, :, None] == rank[:, None, :]).sum(axis=2)
        return np.asarray(rank + (equal - 1) / 2, np.float64)
    found = rows["win" if objective == "win" else "score"].to_numpy().reshape(-1, players)
    found = found.astype(np.float64)
    if objective != "margin":
        return found
    if players == 1:
        raise UserError("a margin over the others needs at least 2 players.")
    order = np.sort(found, axis=1)
    best, second = order[:, -1:], order[:, -2:-1]
    return np.asarray(found - np.where(found == best, second, best))


def bounds(
    objective: str, players: int, score_range: tuple[float, float] | None
) -> tuple[float, float]:
    """Return the bounds of a difference of two means of the objective.

    score_range: least and largest score. UserError where it is needed and missing, or empty.
    """
    if objective == "win":
        return -1.0, 1.0
    if objective == "rank":
        return 1.0 - players, players - 1.0
    low, high = score_bounds(*(score_range or (None, None)))
    times = 2 if objective == "margin" else 1
    return times * low, times * high


def check_scores(rows: pl.DataFrame, score_range: Sequence[float] | None) -> None:
    """Raise UserError for a score outside the range that a stopping rule counts on."""
    if score_range is None or rows.is_empty():
        return
    scores = rows["score"].to_numpy()
    least, largest = float(scores.min()), float(scores.max())
    low, high = score_range
    if least < low or largest > high:
        worst = least if least < low else largest
        raise UserError(
            f"a score of {worst:g} lies outside --score-range {low:g}:{high:g}, so the stopping "
            "rule does not hold; declare a wider range."
        )


class Chairs:
    """The chairs of one strategy in the games of a block: where it sits, as an average.

    The mean outcome over those chairs is one number a deal.
    """

    def __init__(self, arrangements: Sequence[Sequence[int]], entry: int | set[int]) -> None:
        """Find the chairs that an entry of the line-up (or any of several) holds."""
        wanted = {entry} if isinstance(entry, int) else entry
        held = np.isin(np.array(arrangements), sorted(wanted))
        self.held = held
        """Whether it holds each chair, bool [block, seats]."""
        self.count = int(held.sum())
        """Chairs in a block."""
        self.games = np.flatnonzero(held.any(axis=1))
        """Games of the block in which it sits."""

    def totals(self, outcomes: Floats) -> Floats:
        """Return the sum over its chairs in each deal [U]; outcomes: [U * block, seats]."""
        block, seats = self.held.shape
        found = outcomes.reshape(-1, block * seats) @ self.held.reshape(-1).astype(np.float64)
        return np.asarray(found)

    def means(self, outcomes: Floats) -> Floats:
        """Return the mean over its chairs in each deal [U]."""
        return self.totals(outcomes) / self.count

    def by_game(self, outcomes: Floats) -> Floats:
        """Return the mean over its chairs in each of its games, [U, games]."""
        block, seats = self.held.shape
        some = self.held[self.games].astype(np.float64)
        cube = outcomes.reshape(-1, block, seats)[:, self.games]
        found: Any = (cube * some).sum(axis=2) / some.sum(axis=1)
        return np.asarray(found, np.float64)


def deal_numbers(rows: pl.DataFrame, block: int, players: int) -> NDArray[np.int64]:
    """Return the number of each deal [U] of rows that hold whole deals."""
    return rows["deal"].gather_every(block * players).to_numpy().astype(np.int64)
