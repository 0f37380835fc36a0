"""The figures of RULES.md section 12 that were simulated, reproduced by the kernel.

The scratch table there rests on 4,000 games a row: its own error and its rounding count too.
"""

from __future__ import annotations

import functools
import random
from typing import Any

import numpy as np
import pytest

from simlab.core.game import rule_book
from simlab.core.registry import bind_for
from simlab.games.splendor import GAME
from simlab.running.rows import ranker
from simlab.running.spec import Spec
from simlab.running.worker import Worker
from tests.harness import referee_for

GAMES, SCRATCH_GAMES, REFEREE_GAMES = 40_000, 4_000, 60
STALEMATE, ABORTED = GAME.end_reasons.index("stalemate"), GAME.end_reasons.index("aborted")

# Per number of players: turns of each player and their sd, seat shares in %, the winner's points,
# cards and nobles, shared wins in %.
SCRATCH = {
    ("random", 2): (37.3, 3.1, (48.7, 51.3), (16.3, 17.8, 1.15), 0.2),
    ("random", 3): (35.3, 2.4, (33.3, 33.0, 33.8), (16.3, 17.2, 1.44), 0.6),
    ("random", 4): (35.3, 2.3, (24.6, 25.6, 24.5, 25.2), (16.5, 15.7, 1.20), 0.4),
    ("greedy_buy", 2): (28.3, 1.8, (52.1, 47.9), (16.1, 20.3, 1.73), 0.6),
    ("greedy_buy", 3): (26.9, 1.4, (35.4, 33.6, 31.0), (16.3, 18.0, 1.73), 1.1),
    ("greedy_buy", 4): (25.7, 1.2, (28.3, 22.4, 25.2, 24.1), (16.4, 15.6, 1.33), 1.4),
}
FORCED_PASS = {2: 0.01, 3: 0.11, 4: 0.08}  # share of games with one, under random play
each_row = pytest.mark.parametrize(("strategy", "players"), SCRATCH)


@functools.lru_cache(maxsize=16)
def played(line_up: tuple[str, ...], change: str = "", games: int = GAMES) -> Any:
    """Return the results and win credits of games with these strategies, [games, seats] each."""
    book = rule_book(GAME, "standard", dict([change.split("=")]) if change else {})
    bound = tuple(bind_for(GAME, text) for text in line_up)
    batch = Worker(Spec(GAME, len(line_up), book, bound, "fixed", 7, {}), events=False).play(
        0, games
    )
    assert batch.fault is None
    ranks, wins = np.zeros(batch.results.shape, "u1"), np.zeros(batch.results.shape)
    ranker(GAME)(batch.results, ranks, wins)
    return batch.results, wins


def close(values: Any, wanted: float, rounding: float, games: int = SCRATCH_GAMES) -> None:
    """Demand that the mean is within four standard errors of what so many games gave."""
    mean, sd = float(np.mean(values)), float(np.std(values))
    error = sd * np.sqrt(1 / len(values) + 1 / games)
    assert abs(mean - wanted) <= 4 * error + rounding, (mean, wanted, error)


def turns_of(results: Any) -> Any:
    """Return the mean turns of a player, one number a game."""
    return results["turns"].mean(axis=1)


@each_row
def test_turns_of_each_player(strategy: str, players: int) -> None:
    wanted, sd, *_ = SCRATCH[strategy, players]
    turns = turns_of(played((strategy,) * players)[0])
    close(turns, wanted, 0.05)
    assert abs(turns.mean() - wanted) < 1
    assert abs(turns.std() - sd) <= 4 * sd / np.sqrt(2 * SCRATCH_GAMES) + 0.05


@each_row
def test_seat_shares(strategy: str, players: int) -> None:
    wins = played((strategy,) * players)[1]
    for seat, wanted in enumerate(SCRATCH[strategy, players][2]):
        close(100 * wins[:, seat], wanted, 0.05)


@each_row
def test_points_cards_and_nobles_of_the_winner(strategy: str, players: int) -> None:
    results, wins = played((strategy,) * players)
    points, cards, nobles = SCRATCH[strategy, players][3]
    bought = sum(results[name].astype(int) for name in ("cards_1", "cards_2", "cards_3"))
    won = wins > 0
    close(results["score"][won], points, 0.05)
    close(bought[won], cards, 0.05)
    close(results["nobles"][won], nobles, 0.005)


@each_row
def test_shared_wins(strategy: str, players: int) -> None:
    wins = played((strategy,) * players)[1]
    assert np.allclose(wins.sum(axis=1), 1)  # s02: the credit of a game adds up to 1
    close(100 * ((wins > 0).sum(axis=1) > 1), SCRATCH[strategy, players][4], 0.05)


@each_row
def test_no_game_is_too_short_and_none_is_cut(strategy: str, players: int) -> None:
    results, _ = played((strategy,) * players)
    ended = results["end_reason"][:, 0]
    assert {*ended.tolist()} <= {0, STALEMATE}
    assert (ended == STALEMATE).mean() <= 0.002
    winners = results["score"].max(axis=1)
    assert (winners[ended == 0] >= 15).all()
    assert (
        turns_of(results)[ended == 0].min() >= 15
    )  # a solo player who may choose the cards needs so many


@pytest.mark.parametrize("players", FORCED_PASS)
def test_games_with_a_forced_pass_under_random_play(players: int) -> None:
    """With no_move=abort the same deals end where the first pass would be."""
    results, _ = played(("random",) * players, "no_move=abort")
    aborted = results["end_reason"][:, 0] == ABORTED
    close(aborted, FORCED_PASS[players], 0.005)
    free, _ = played(("random",) * players)
    assert (results[~aborted] == free[~aborted]).all()
    assert (turns_of(results)[aborted] < turns_of(free)[aborted]).all()


@pytest.mark.parametrize("seat", [0, 1])
def test_greedy_buy_against_random(seat: int) -> None:
    line_up = ["random", "random"]
    line_up[seat] = "greedy_buy"
    share = played(tuple(line_up))[1][:, seat].mean()
    assert share > 0.99
    assert abs(share - 0.998) <= 0.001 + 4 * np.sqrt(0.002 / 2_000)


# -- the referee's own games


def referee_game(players: int, seed: int) -> float:
    """Play a game through the referee alone, as `random` does; return the turns of a player."""
    rng = random.Random(f"{players} {seed}")
    book = rule_book(GAME)
    ids: dict[str, list[str]] = {"level1": [], "level2": [], "level3": [], "nobles": []}
    for row in book.rows["cards"]:
        ids[f"level{row['level']}"].append(row["card_id"])
    ids["nobles"] = [row["noble_id"] for row in book.rows["nobles"]]
    for cards in ids.values():
        rng.shuffle(cards)
    referee = referee_for(GAME, book, players, {name: [cards] for name, cards in ids.items()})
    while not referee.finished:
        words = sorted(referee.legal())
        tokens = referee.public()["tokens"][referee.to_move] if "return" in words[0] else {}
        weights = [tokens.get(word.split()[-1], 1) for word in words]
        referee.play(rng.choices(words, weights)[0])
    return float(np.mean(referee.turns))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_turns_of_random_play_are_those_of_the_referee(players: int) -> None:
    turns = [referee_game(players, seed) for seed in range(REFEREE_GAMES)]
    close(turns_of(played(("random",) * players)[0]), float(np.mean(turns)), 0, REFEREE_GAMES)
