"""Caylus (William Attia, Ystari, 2005): workers, a road and a castle, 2 to 5 players."""

from __future__ import annotations

from simlab.core.game import Column, DataFile, DeckInfo, Events, Game, Values, shipped
from simlab.games.caylus import actions, boxes, rules, setup, view, words
from simlab.games.caylus.rules.records import BLUE, NEUTRAL

LINE_UP = ["greedy_value"]

_ACTION_NAMES = tuple(name for name in vars(actions) if name.startswith("TO_"))
_DECISION_NAMES = (
    "PLACE", "GATE", "GUILD", "JOUST", "INN", "PROVOST", "PRODUCE", "OWNER", "GIVE", "TAKE",
    "BUILD_WOOD", "BUILD_STONE", "TRANSFORM", "BUILD_PRESTIGE", "EXCHANGE", "ALCHEMY", "DELIVER",
    "FAVOR", "COLUMN",
)  # fmt: skip


def cautions(values: Values) -> list[str]:
    """Return what a reader of the results must know about these rules."""
    return []


def neutral_ids(book):
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
        DataFile("favors", boxes.FAVOR_COLUMNS, boxes.check_favors),
        DataFile("castle", boxes.CASTLE_COLUMNS, boxes.check_castle),
        DataFile("setup", boxes.SETUP_COLUMNS, boxes.check_setup),
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
        Column("final_bonus", "i2", "points for gold, cubes and deniers left at the end"),
        Column("favors_prestige", "i1", "favors on the line of points"),
        Column("favors_deniers", "i1", "favors on the line of deniers"),
        Column("favors_resources", "i1", "favors on the line of cubes"),
        Column("favors_buildings", "i1", "favors on the line of buildings"),
        Column("favors_lost", "i1", "favors lost, every line being used in the phase"),
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
    action_names={name: getattr(actions, name) for name in _ACTION_NAMES},
    bars=actions.bar_bits,
    words=words.Words,
    line_up=lambda players: LINE_UP * players,
    cautions=cautions,
    events=Events(
        turn="round",
        kinds=("built", "part", "favor", "provost"),
        what="what",
        values=("points", "at", "amount"),
        most=lambda players, values: 4096,
        names=actions.event_names,
        groups={"tile": ("built",)},
    ),
    score_range=setup.score_range,
    length="rounds",
    shard_games=2**13,
    decision_cap=20_000,
)
