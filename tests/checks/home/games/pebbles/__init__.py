"""Pebbles: a small game for the tests of the checks."""

from simlab.games.pebbles import rules as r

from simlab.core.game import Column, DeckInfo, Game, Key

GAME = Game(
    name="pebbles",
    table=r.TABLE,
    seat=r.SEAT,
    hidden=r.HIDDEN,
    rules=r.RULES,
    begin=r.begin,
    step=r.step,
    legal=r.legal,
    score=r.score,
    seats=(2, 3),
    keys=(Key("rounds", 4, "cards that are turned up", low=1, high=6),),
    rule_set_notes={"standard": "as it came to mind"},
    decisions=("none", "take_or_pass"),
    secret=("take_or_pass",),
    actions=("pass", "take"),
    columns=(Column("share", "f4", "pebbles for each card"),),
    decks={
        "cards": DeckInfo(
            "deck", (0,), lambda book: [f"card_{n}" for n in range(8)], lambda *given: True
        )
    },
    decision_cap=200,
)
