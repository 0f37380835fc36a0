"""Dice 21: roll as often as you like, and do not go over 21. 2 to 8 players."""

from simlab.core.game import Column, Game, Key
from simlab_dice21 import rules, view
from simlab_dice21.actions import ROLL, STOP, WORDS

__all__ = ["GAME", "ROLL", "STOP", "view"]

GAME = Game(
    name="dice21",
    title="Dice 21",
    table=rules.TABLE,
    seat=rules.SEAT,
    hidden=rules.HIDDEN,
    rules=rules.RULES,
    begin=rules.begin,
    step=rules.step,
    legal=rules.legal,
    score=rules.score,
    seats=(2, rules.SEATS),
    keys=(
        Key("target", 21, "the most a total may be", low=2, high=100),
        Key("sides", 6, "sides of the die", low=2, high=100),
        Key("rounds", 5, "rounds in a game", low=1, high=rules.ROUNDS),
    ),
    rule_sets={"standard": {}, "long": {"rounds": 20}},
    rule_set_notes={"standard": "five rounds", "long": "twenty rounds"},
    columns=(
        Column("busts", "i2", "rounds in which the total went over the target"),
        Column("exact", "i2", "rounds in which the total was the target"),
        Column("rolls", "i4", "rolls of the die"),
    ),
    decisions=("none", "roll_or_stop"),
    actions=WORDS,
    line_up=("stop_at", "by_chance", "even_or_odd", "random"),
)
