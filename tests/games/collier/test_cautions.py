"""What every table of the game says about its cards and rules."""

from __future__ import annotations

from pathlib import Path

import simlab
from simlab.core.game import shipped
from simlab.games.collier import GAME

RECONSTRUCTED = "Much of the card mix is reconstructed"
CARDS = shipped("simlab.games.collier") / "cards.csv"


def test_the_printed_rules_still_have_reconstructed_cards() -> None:
    (only,) = GAME.cautions_of(GAME.rule_set("official"), {})
    assert only.startswith(RECONSTRUCTED)


def test_rules_that_are_not_printed_are_named() -> None:
    cards, rules = GAME.cautions_of(GAME.rule_set("standard"), {"cards": None})
    assert cards.startswith(RECONSTRUCTED)
    assert "ring_stack=double_each" in rules
    assert "majority_tie" not in rules


def test_every_table_carries_them_and_owned_cards_are_not_called_reconstructed(
    tmp_path: Path,
) -> None:
    own = tmp_path / "own.csv"
    own.write_text(CARDS.read_text(encoding="utf-8"), encoding="utf-8")
    shipped_run = simlab.run("collier", 2, 20, "random", quiet=True, out=tmp_path / "a")
    own_run = simlab.run(
        "collier", 2, 20, "random", set={"cards": own}, quiet=True, out=tmp_path / "b"
    )
    assert RECONSTRUCTED in str(shipped_run.table())
    assert RECONSTRUCTED not in str(own_run.table())
    assert "The cards are those of a file" in str(own_run.table())
    assert shipped_run.summary().equals(own_run.summary())  # the same cards, the same games
    said = simlab.rules("collier")["rule_sets"]["standard"]["cautions"]
    assert said == shipped_run.cautions()
