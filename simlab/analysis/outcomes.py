"""What a row counts as a win, under each rule for ties and for truncated games.

Statistics section 0, rule 4 (truncated games) and rule 5 (ties).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simlab.analysis.sums import Floats, Ints
from simlab.errors import one_of

TIES = ("ordinal", "share", "win")
TRUNCATED = ("score", "split", "none")


@dataclass(frozen=True)
class Rows:
    """Rows of whole deals in the order played; N rows, G games."""

    score: NDArray[np.integer]
    """Final score, integers [N]."""
    win: Floats | None
    """The win by the game's own tie-break, float64 [N]; None if it was not read."""
    cut: NDArray[np.bool_]
    """Whether the game was truncated, bool [N]."""
    game_start: Ints
    """First row of each game, int64 [G]."""

    def game_sizes(self) -> Ints:
        """Return the number of seats of each game, int64 [G]."""
        return np.diff(self.game_start, append=len(self.cut))


def check_rules(ties: str, truncated: str) -> None:
    """Raise UserError if the rule for ties or for truncated games is unknown."""
    if ties not in TIES:
        raise one_of("rule for ties", ties, TIES)
    if truncated not in TRUNCATED:
        raise one_of("rule for truncated games", truncated, TRUNCATED)


def wins(rows: Rows, ties: str, truncated: str) -> Floats:
    """Return what each row counts as a win, float64 [N] in [0, 1].

    ties: "ordinal" takes the column `win`; "share" gives each of t equal top scores 1/t, whatever
    the tie-break said; "win" gives each of them 1. truncated: "split" gives each of the n seats of
    a truncated game 1/n; "score" and "none" leave its wins as they are (for "none" the caller
    drops the rows).
    """
    won = _by_ties(rows, ties)
    if truncated != "split" or not rows.cut.any():
        return won
    sizes = rows.game_sizes()
    return np.where(rows.cut, np.repeat(1 / sizes, sizes), won)


def _by_ties(rows: Rows, ties: str) -> Floats:
    """Return the wins under a rule for ties alone, float64 [N]."""
    if ties == "ordinal":
        assert rows.win is not None
        return rows.win
    sizes = rows.game_sizes()
    best = np.repeat(np.maximum.reduceat(rows.score, rows.game_start), sizes)
    top: Floats = (rows.score == best).astype(np.float64)
    if ties == "share":
        top *= np.repeat(1 / np.add.reduceat(top, rows.game_start), sizes)
    return top
