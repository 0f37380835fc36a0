"""Ranks and shares of a win from scores and tie-breaks."""

from __future__ import annotations

from typing import Any


def rank_games(results: Any, rank: Any, win: Any) -> None:
    """Fill rank (u1) and win (f8), both [games, seats], from result records of that shape.

    Rank 1 is best; equal (score, tie) share the smaller number. Win is 1/k for k winners.
    """
    games, seats = results.shape
    for g in range(games):
        row = results[g]
        winners = 0
        for s in range(seats):
            better = 0
            for other in range(seats):
                if row[other].score > row[s].score or (
                    row[other].score == row[s].score and row[other].tie > row[s].tie
                ):
                    better += 1
            rank[g, s] = better + 1
            if better == 0:
                winners += 1
        for s in range(seats):
            win[g, s] = 1.0 / winners if rank[g, s] == 1 else 0.0
