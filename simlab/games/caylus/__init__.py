"""Caylus (William Attia, Ystari, 2005): workers, a road and a castle, 2 to 5 players."""

from __future__ import annotations

from simlab.core.game import Column, DataFile, DeckInfo, Events, Game, RuleBook, Values, shipped
from simlab.games.caylus import actions, boxes, rules, setup, view, words
from simlab.games.caylus.actions import (
    ALCHEMY,
    AT_CASTLE,
    AT_GATE,
    AT_GUILD,
    AT_INN,
    AT_JOUST,
    AT_STABLES,
    AT_TRADING_POST,
    BUILD_PRESTIGE,
    BUILD_STONE,
    BUILD_WOOD,
    COLUMN,
    DELIVER,
    EXCHANGE,
    FAVOR,
    GATE,
    GIVE,
    GUILD,
    INN,
    JOUST,
    OWNER,
    PASS,
    PLACE,
    PRESTIGE,
    PRODUCE,
    PROVOST,
    ROAD,
    STONE,
    TAKE,
    TO_ALCHEMY,
    TO_CASTLE,
    TO_COLUMN,
    TO_EXCHANGE,
    TO_FAVOR,
    TO_GATE,
    TO_GIVE,
    TO_GUILD,
    TO_INN,
    TO_JOUST,
    TO_OWNER,
    TO_PLACE,
    TO_PRESTIGE,
    TO_PRODUCE,
    TO_PROVOST,
    TO_RESIDENCE,
    TO_STONE,
    TO_TAKE,
    TO_WOOD,
    TRANSFORM,
    WOOD,
)

__all__ = [
    "ALCHEMY",
    "AT_CASTLE",
    "AT_GATE",
    "AT_GUILD",
    "AT_INN",
    "AT_JOUST",
    "AT_STABLES",
    "AT_TRADING_POST",
    "BUILD_PRESTIGE",
    "BUILD_STONE",
    "BUILD_WOOD",
    "COLUMN",
    "DELIVER",
    "EXCHANGE",
    "FAVOR",
    "GAME",
    "GATE",
    "GIVE",
    "GUILD",
    "INN",
    "JOUST",
    "OWNER",
    "PASS",
    "PLACE",
    "PRESTIGE",
    "PRODUCE",
    "PROVOST",
    "ROAD",
    "STONE",
    "TAKE",
    "TO_ALCHEMY",
    "TO_CASTLE",
    "TO_COLUMN",
    "TO_EXCHANGE",
    "TO_FAVOR",
    "TO_GATE",
    "TO_GIVE",
    "TO_GUILD",
    "TO_INN",
    "TO_JOUST",
    "TO_OWNER",
    "TO_PLACE",
    "TO_PRESTIGE",
    "TO_PRODUCE",
    "TO_PROVOST",
    "TO_RESIDENCE",
    "TO_STONE",
    "TO_TAKE",
    "TO_WOOD",
    "TRANSFORM",
    "WOOD",
    "view",
]

LINE_UP = ["castle_rusher", "money_engine", "residence_prestige", "landlord", "greedy_value"]

ACTION_NAMES = (
    "TO_PLACE", "TO_GATE", "TO_GUILD", "TO_JOUST", "TO_INN", "TO_PROVOST", "TO_PRODUCE", "TO_OWNER",
    "TO_GIVE", "TO_TAKE", "TO_WOOD", "TO_STONE", "TO_RESIDENCE", "TO_PRESTIGE", "TO_EXCHANGE",
    "TO_ALCHEMY", "TO_CASTLE", "TO_FAVOR", "TO_COLUMN",
)  # fmt: skip


def cautions(values: Values) -> list[str]:
    """Return what a reader of the results must know about these rules."""
    said = [
        "The only chance is the order of the neutral tiles (the printed six: 720 deals); strategies"
        " without chance of their own repeat their games on them."
    ]
    printed = {key.name: key.default for key in setup.KEYS} | setup.OFFICIAL
    unlike = [f"{name}={values[name]}" for name, value in printed.items() if values[name] != value]
    two = [rule for rule in unlike if rule.startswith("two_player_")]
    all_ = [rule for rule in unlike if rule not in two]
    if unlike:
        said.append(
            f"Not the printed rules (--rules official): {', '.join(all_)}"
            + "; " * bool(all_ and two)
            + f"with two players {', '.join(two)}" * bool(two)
            + "."
        )
    return said


def neutral_ids(book: RuleBook) -> list[str]:
    """Return the ids of the neutral tiles, by their numbers in the stock."""
    return [row["id"] for row in book.rows["buildings"] if row["kind"] == "neutral"]


GAME = Game(
    name="caylus",
    title="Caylus",
    folder=shipped("simlab.games.caylus"),
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
        DataFile("buildings", boxes.TILE_COLUMNS, boxes.check_buildings, boxes.building_totals),
        DataFile("road", boxes.ROAD_COLUMNS, boxes.check_road, boxes.road_totals),
        DataFile("favors", boxes.FAVOR_COLUMNS, boxes.check_favors, boxes.favor_totals),
        DataFile("castle", boxes.CASTLE_COLUMNS, boxes.check_castle, boxes.castle_totals),
        DataFile("setup", boxes.SETUP_COLUMNS, boxes.check_setup, boxes.setup_totals),
    ),
    make_rules=setup.make_rules,
    columns=(
        Column("castle_points", "i2", "points from parts of the castle"),
        Column("building_points", "i2", "points from wood and stone tiles built"),
        Column("residence_points", "i2", "points from residences built"),
        Column("prestige_points", "i2", "points from prestige tiles built"),
        Column("owner_points", "i2", "points as the owner of tiles that rivals used"),
        Column("favor_points", "i2", "points from favors of the prestige line"),
        Column("exchange_points", "i2", "points bought: church, tailor, jeweller"),
        Column("penalty_points", "i2", "points lost, 0 or negative"),
        Column("final_bonus", "i4", "points for gold, cubes and deniers left at the end"),
        Column("favors_prestige", "i2", "favors on the line of points"),
        Column("favors_deniers", "i2", "favors on the line of deniers"),
        Column("favors_resources", "i2", "favors on the line of cubes"),
        Column("favors_buildings", "i2", "favors on the line of buildings"),
        Column("favors_lost", "i2", "favors lost, every line being used in the phase"),
        Column("parts_dungeon", "i1", "parts built of the Dungeon"),
        Column("parts_walls", "i1", "parts built of the Walls"),
        Column("parts_towers", "i1", "parts built of the Towers"),
        Column("wood_built", "i1", "wood tiles built"),
        Column("stone_built", "i1", "stone tiles built"),
        Column("residences_built", "i1", "residences built"),
        Column("prestige_built", "i1", "prestige tiles built"),
        Column("workers", "i2", "workers placed; moves by the gate do not count"),
        Column("deniers_placing", "i2", "deniers paid for workers"),
        Column("deniers_provost", "i2", "deniers paid to move the provost"),
        Column("rounds", "i2", "rounds played"),
    ),
    decks={
        "neutrals": DeckInfo("neutrals", (0,), neutral_ids, lambda table, hidden, card: True),
    },
    decisions=actions.DECISIONS,
    actions=actions.action_words,
    action_names={name: getattr(actions, name) for name in ACTION_NAMES},
    bars=actions.bar_bits,
    words=words.Words,
    line_up=lambda players: LINE_UP[:players],
    cautions=cautions,
    events=Events(
        turn="round",
        kinds=("built", "part", "favor", "provost"),
        what="what",
        values=("points", "at", "amount"),
        # Tiles 65, parts 90, favors 850, moves of the provost 162, in the oddest box.
        most=lambda players, values: 1200,
        names=actions.event_names,
        groups={"tile": ("built",)},
    ),
    score_range=setup.score_range,
    length="rounds",
    shard_games=2**13,
    decision_cap=20_000,
)
