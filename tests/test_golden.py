"""Golden transcripts: one game per game and number of players, to be read and reviewed as a diff.

Written anew with `make golden`, which runs `python -m tests.test_golden`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from simlab import Table
from simlab.core.registry import games

FOLDER = Path(__file__).parent / "golden"


def wanted() -> list[tuple[str, int]]:
    """Return every registered game with every number of players of its standard rules."""
    spans = {
        name: game.seats("standard", game.rule_set("standard")) for name, game in games().items()
    }
    return [
        (name, players) for name, (low, high) in spans.items() for players in range(low, high + 1)
    ]


def place(game: str, players: int) -> Path:
    return FOLDER / f"{game}-{players}p.txt"


def transcript(game: str, players: int) -> str:
    """Play the default line-up on deal 0 of seed 1 and write down the game."""
    line_up = games()[game].line_up(players)
    table = Table(game, players, seed=1, deal=0).play_out(line_up)
    head = [f"{game}, {players} players, standard rules, seed 1, deal 0"]
    seats = [f"  seat {seat}: {spec}" for seat, spec in enumerate(line_up)]
    return "\n".join([*head, *seats, "", *table.log.sentences(), "", str(table), ""])


@pytest.mark.parametrize(("game", "players"), wanted())
def test_a_game_reads_as_it_did(game: str, players: int) -> None:
    path = place(game, players)
    assert path.exists(), "no transcript yet: run make golden and read what it wrote"
    assert path.read_text(encoding="utf-8") == transcript(game, players)


def test_no_transcript_is_left_over() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {place(*each).name for each in wanted()}


def write_all() -> None:
    """Write all transcripts and remove those of games that are no more."""
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.iterdir():
        path.unlink()
    for game, players in wanted():
        place(game, players).write_text(transcript(game, players), encoding="utf-8")
        print(place(game, players))


if __name__ == "__main__":
    write_all()
