"""Splendor (Marc André, Space Cowboys, 2014): tokens, cards and nobles, 2 to 4 players."""

from __future__ import annotations

from typing import Any

from simlab.core.game import Column, DataFile, DeckInfo, Events, Game, Values, shipped
from simlab.games.splendor import actions, rules, setup, view, words
from simlab.games.splendor.actions import (
    BAR_BUY,
    BAR_RESERVE,
    BAR_TAKE,
    BLIND,
    BUY,
    DOUBLE,
    GIVE,
    GOLD,
    PASS,
    PAY,
    RESERVE,
    TAKE1,
    TAKE2,
    TAKE3,
    VISIT,
)
from simlab.games.splendor.rules import CHOOSING, MAIN, PAYING, RETURNING

__all__ = [
    "BAR_BUY",
    "BAR_RESERVE",
    "BAR_TAKE",
    "BLIND",
    "BUY",
    "CHOOSING",
    "DOUBLE",
    "GAME",
    "GIVE",
    "GOLD",
    "MAIN",
    "PASS",
    "PAY",
    "PAYING",
    "RESERVE",
    "RETURNING",
    "TAKE1",
    "TAKE2",
    "TAKE3",
    "VISIT",
    "view",
]

ACTION_NAMES = (
    "TAKE3", "TAKE2", "TAKE1", "DOUBLE", "BLIND", "PASS", "GIVE", "PAY", "VISIT", "BUY", "RESERVE",
)  # fmt: skip
LINE_UP = ["greedy_buy", "straight_line", "phase_plan", "noble_aligned"]


def cautions(values: Values) -> list[str]:
    """Return what a reader of the results must know about these rules."""
    said = []
    if values["take_different"] == "one_to_three":
        said.append(
            "take_different=one_to_three lets players take fewer tokens at will; no rulebook does."
        )
    if values["no_move"] == "abort":
        said.append(
            "no_move=abort ends a game where a player cannot move and scores it as it stands then; "
            "weak strategies come there often."
        )
    if values["target"] != 15:
        said.append(f"The last round begins at {values['target']} points; the printed rule is 15.")
    return said


def deck(field: str, number: int, ids: Any) -> DeckInfo:
    """Return how a table speaks about one of the four decks, each used once."""
    return DeckInfo(field=field, decks=(number,), ids=ids, playable=words.in_play)


GAME = Game(
    name="splendor",
    title="Splendor",
    folder=shipped("simlab.games.splendor"),
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
    data=(
        DataFile("cards", setup.CARD_COLUMNS, setup.check_cards, setup.card_totals),
        DataFile("nobles", setup.NOBLE_COLUMNS, setup.check_nobles, setup.noble_totals),
    ),
    make_rules=setup.make_rules,
    columns=(
        Column("card_points", "i2", "points from bought cards"),
        Column("noble_points", "i2", "points from nobles"),
        Column("nobles", "i1", "nobles that came"),
        Column("cards_1", "i1", "cards of level 1 bought"),
        Column("cards_2", "i1", "cards of level 2 bought"),
        Column("cards_3", "i1", "cards of level 3 bought"),
        Column("reserved_seen", "i1", "cards reserved from the market"),
        Column("reserved_blind", "i1", "cards reserved from the top of a deck"),
        Column("gold_used", "i2", "gold tokens paid"),
        Column("returned", "i2", "tokens returned above the limit of 10"),
        Column("turns", "i2", "turns, passes among them"),
    ),
    decks={
        "level1": deck("level1", 0, words.level_ids(1)),
        "level2": deck("level2", 1, words.level_ids(2)),
        "level3": deck("level3", 2, words.level_ids(3)),
        "nobles": deck("tiles", 3, actions.noble_ids),
    },
    decisions=("none", "main", "pay", "return", "noble"),
    actions=actions.action_words,
    action_names={name: getattr(actions, name) for name in ACTION_NAMES},
    bars=actions.bar_bits,
    words=words.Words,
    line_up=lambda players: LINE_UP[:players],
    cautions=cautions,
    own_end_reasons=("stalemate", "aborted"),
    events=Events(
        turn="turn",
        kinds=("bought", "reserved", "reserved_blind", "noble"),
        what="card",
        values=("points", "level"),
        # Every card is reserved once and bought once at most.
        most=lambda players, values: 2 * actions.CARDS + players + 1,
        names=actions.event_names,
        groups={
            "card": ("bought",),
            "reserved": ("reserved", "reserved_blind"),
            "noble": ("noble",),
        },
    ),
    score_range=setup.score_range,
    length="turns",
    shard_games=2**16,
    decision_cap=20_000,
)
