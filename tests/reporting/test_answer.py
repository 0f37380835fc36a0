"""The answer is as sure as the games allow, and says so when they do not."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from simlab.analysis.tables import run_table
from simlab.api import Run
from simlab.reporting.answer import answer
from simlab.reporting.tables import RunTable

Wins = list[dict[str, float]]


def told(games: Wins, cut: int = 0, truncated: str = "score") -> str:
    """Return the answer to games given as strategy -> win; the first `cut` were truncated."""
    names = list(dict.fromkeys(name for game in games for name in game))
    rows = [
        (g, g, seat, name, round(10 * won), won, "truncated" if g < cut else "finished")
        for g, game in enumerate(games)
        for seat, (name, won) in enumerate(game.items())
    ]
    schema: dict[str, Any] = {
        "game": pl.UInt64, "deal": pl.UInt64, "seat": pl.UInt8, "strategy": pl.Enum(names),
        "score": pl.Int32, "win": pl.Float64, "end_reason": pl.Enum(["finished", "truncated"]),
    }  # fmt: skip
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    table = run_table([frame], "strategy", truncated=truncated)
    run = SimpleNamespace(players=len(games[0]))
    return answer(run, RunTable(table, "strategy", "", [], 0.95, {}))


A, B, C = ({"a": x, "b": y, "c": z} for x, y, z in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0, 0, 1.0)))


def test_a_clear_lead_names_the_best_and_the_next_with_their_intervals() -> None:
    said = told([A] * 70 + [B] * 20 + [C] * 10)
    assert said.startswith("a wins most: 70.0 % of its games [")
    assert "; ahead of the next, b, 20.0 % [" in said
    assert said.endswith("].")


def test_overlapping_intervals_are_too_close_to_call() -> None:
    said = told([A] * 36 + [B] * 34 + [C] * 5)
    assert said.startswith("Too close to call: a won most, 48.0 % of its games [")
    assert "but b, 45.3 % [" in said
    assert "c," not in said
    assert said.endswith("the intervals overlap. More games would tell.")


def test_many_rivals_are_counted() -> None:
    names = [f"s{i}" for i in range(8)]
    games = [{n: float(n == f"s{max(0, g % 9 - 1)}") for n in names} for g in range(90)]
    said = told(games)
    assert said.startswith("Too close to call: s0 won most")
    assert "; 4 more may be as good" in said


def test_two_strategies() -> None:
    assert "; ahead of the other, b, 10.0 % [" in told([{"a": 1.0, "b": 0.0}] * 90
                                                      + [{"a": 0.0, "b": 1.0}] * 10)  # fmt: skip


def test_one_game_says_nothing() -> None:
    assert told([A]) == (
        "In the one game played a won; one game cannot say which strategy is better."
    )
    assert "played a and b shared the win;" in told([{"a": 0.5, "b": 0.5, "c": 0.0}])


def test_two_games_with_one_winner_are_not_enough() -> None:
    assert told([A] * 2).startswith("Too close to call: a won most, 100.0 % of its games [")


def test_all_tied() -> None:
    third = 1 / 3
    assert told([{"a": third, "b": third, "c": third}] * 30).startswith(
        "None is ahead: all 3 win 33.3 % of their games ["
    )
    assert told([{"a": 0.5, "b": 0.5}] * 30).startswith("None is ahead: both win 50.0 %")


def test_one_strategy_alone(alike: Run) -> None:
    said = answer(alike)
    assert said.startswith("risk_limit held all 3 seats, so its win share is the equal one, 33.3 %")
    row = alike.table().objects()[0]
    assert f"it scores {row['score_mean']:.1f} on average [{row['score_low']:.1f}, " in said


def test_truncated_games_that_could_turn_the_answer_round() -> None:
    games = [A] * 55 + [B] * 25 + [C] * 20
    doubt = "If the truncated games had ended differently, this could change."
    assert told(games, cut=40).endswith(doubt)
    assert doubt not in told(games, cut=5)
    assert told([A] * 5, cut=5, truncated="none").startswith("Nothing can be said")


@pytest.mark.parametrize("name", ["<b>", "line\nbreak", "n" * 200])
def test_any_name_stays_on_one_line_and_not_too_long(name: str) -> None:
    said = told([{name: 1.0, "b": 0.0}] * 50)
    assert "\n" not in said
    assert len(said) < 200


def test_more_digits_where_the_intervals_are_narrow() -> None:
    said = told([A] * 7_000 + [B] * 2_000 + [C] * 1_000)
    assert said.startswith("a wins most: 70.0 % of its games [69.1, 70.9]")


def test_of_a_run(run: Run) -> None:
    best = max(run.table().objects(), key=lambda row: row["win_share"])
    assert answer(run).startswith(f"{best['strategy']} wins most: {100 * best['win_share']:.1f} %")
