"""The table of RULES.md section 17.1: what the usual line-up reaches, beside what people report."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from simlab.games.caylus import GAME
from simlab.running.spec import make_spec
from simlab.running.worker import Worker

RULES = (GAME.folder / "RULES.md").read_text(encoding="utf-8").partition("### 17.1")[2]
ROWS = re.findall(
    r"^\| (\d) \| ([\d.]+) \| (\d+) to (\d+) \| ([\d.]+) \| ([\d.]+) \|", RULES, re.MULTILINE
)
STATED = 20_000


def played(players: int, games: int, first: int) -> Any:
    """Return results of the usual line-up under the printed rules."""
    spec = make_spec("caylus", players, GAME.line_up(players), "official")
    return Worker(spec, False).play(first, games).results


def test_every_number_of_players_has_a_row() -> None:
    assert [int(row[0]) for row in ROWS] == [2, 3, 4, 5]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_other_deals_agree_with_the_table(row: tuple[str, ...]) -> None:
    games = 3_000
    results = played(int(row[0]), games, STATED)
    spent = (results["deniers_placing"] + results["deniers_provost"]).mean(axis=1)
    means = [results["score"].max(axis=1), results["rounds"][:, 0], spent]
    for sample, stated in zip(means, (row[1], row[4], row[5]), strict=True):
        error = sample.std() * np.sqrt(1 / games + 1 / STATED)
        assert abs(sample.mean() - float(stated)) <= 4 * error + 0.05


@pytest.mark.validate
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_table_is_what_was_played(row: tuple[str, ...]) -> None:
    results = played(int(row[0]), STATED, 0)
    best = results["score"].max(axis=1)
    spent = (results["deniers_placing"] + results["deniers_provost"]).mean()
    assert [f"{best.mean():.1f}", *(f"{q:.0f}" for q in np.percentile(best, [5, 95]))] == [
        *row[1:4]
    ]
    assert [f"{results['rounds'].mean():.1f}", f"{spent:.1f}"] == [*row[4:6]]
