"""Diamant (Moon and Faidutti, 2005; also sold as Incan Gold): push your luck, 3 to 8 players."""

from __future__ import annotations

from simlab.core.game import Column, DataFile, DeckInfo, Events, Game, Values, shipped
from simlab.games.diamant import rules, setup, view, words
from simlab.games.diamant.actions import LEAVE, STAY, WORDS

__all__ = ["GAME", "LEAVE", "STAY", "view"]

LINE_UP = [
    "threshold(gems=10)",
    "trap_count(traps=2)",
    "risk_limit",
    "threshold(gems=20)",
    "fixed_depth",
    "myopic_ev",
    "trap_count(traps=3)",
    "score_aware",
]


def cautions(values: Values) -> list[str]:
    """Return what a reader of the results must know about these rules."""
    if values["trap_removal"] != "all_revealed":
        return []
    return [
        "trap_removal=all_revealed takes every trap turned up out of the game, so late expeditions "
        "are safe and staying is strong; the printed Iello rule is --rules official."
    ]


GAME = Game(
    name="diamant",
    title="Diamant",
    aliases=("incan-gold", "incan_gold"),
    folder=shipped("simlab.games.diamant"),
    table=rules.TABLE,
    seat=rules.SEAT,
    hidden=rules.HIDDEN,
    rules=rules.RULES,
    begin=rules.begin,
    step=rules.step,
    legal=rules.legal,
    score=rules.score,
    keys=setup.KEYS,
    rule_sets=setup.RULE_SETS,
    rule_set_notes=setup.RULE_SET_NOTES,
    seats=setup.seats,
    data=(DataFile("cards", setup.COLUMNS, setup.check_cards, setup.card_totals),),
    data_of=setup.CARDS_OF,
    make_rules=setup.make_rules,
    columns=(
        Column("shares", "i4", "gems from shares of treasures, secured"),
        Column("leftovers", "i4", "gems from leftovers on the path, secured"),
        Column("relic_gems", "i4", "gems paid for relics"),
        Column("relics", "i1", "relics brought home"),
        Column("accidents", "i1", "expeditions that ended in an accident while inside"),
        Column("cards", "i2", "cards survived: turned up while inside, the accident's not counted"),
        Column("alone", "i1", "times it left as the only one"),
    ),
    decks={
        "expedition": DeckInfo(
            field="deck",
            decks=tuple(range(rules.EXPEDITIONS)),
            ids=words.card_ids,
            playable=words.in_play,
        )
    },
    decisions=("none", "leave_or_stay"),
    secret=("leave_or_stay",),
    actions=WORDS,
    words=words.Words,
    line_up=lambda players: LINE_UP[:players],
    cautions=cautions,
    events=Events(
        turn="expedition",
        kinds=("left", "accident", "home"),
        what="cards",
        values=("gems", "leftovers", "relics", "alone", "explorer"),
        most=lambda players, values: players * values["explorers"] * values["expeditions"],
    ),
    score_range=setup.score_range,
    length="cards",
    shard_games=2**18,
    decision_cap=10_000,
)
