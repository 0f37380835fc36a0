"""The records of Caylus: everything lies open, so nearly all of it is in `table`.

Players are seats; seat 0 is first in the first turn order. Road spaces are numbered 1 to 28, and a
mask of spaces has bit s for space s. The four plain cubes of a player (food, wood, stone, cloth)
are four small numbers in one word, `cubes_word`; gold is counted apart, as it replaces nothing.
"""

from __future__ import annotations

from simlab.core.deck import deck_record
from simlab.core.records import EVENTS, record

SEATS, LENGTH, NEUTRALS, ROOM = 5, 28, 28, 32
PARTS = 32  # parts of a section that a table of favors has room for
MOST_FAVORS = 32  # of a player in a round, on average, in the oddest box
INCOME = 2  # deniers for everybody in phase 1
PAY_GOLD, PAY_DENIERS, PAY_POINTS = 4, 5, 6  # after the plain kinds 0 to 3

# Phases of a round (section 6).
INCOMES, PLACING, SPECIALS, BRIDGE, ROADS, CASTLE, ROUND_END = 1, 2, 3, 4, 5, 6, 7

# What a tile does for a worker (section 5).
(
    NO_EFFECT, PRODUCES, MARKET, PEDDLER, EXCHANGES, ALCHEMIST, BUILDS_WOOD, BUILDS_STONE,
    BUILDS_PRESTIGE, LAWYER,
) = range(10)  # fmt: skip
# What a column of the favor table does, beside BUILDS_... and LAWYER.
PRODUCES_FAVOR, SWAPS, POINTS_FAVOR, DENIERS_FAVOR = PRODUCES, MARKET, 10, 11

# Kinds of tile.
NOTHING, FIXED, NEUTRAL, WOODEN, STONY, RESIDENTIAL, BLUE = range(7)

# Values of rules that are words.
STABLES_ORDER, ALTERNATE = 0, 1
NO_FLOOR, FLOOR_ZERO = 0, 1
ON_PLACEMENT, ON_ACTIVATION = 0, 1
TIE_SHARED, TIE_TURN_ORDER, TIE_LEFTOVER = 0, 1, 2
IN_PHASE_3, AT_ROUND_END = 0, 1
LINES_SHARED, LINES_SEPARATE = 0, 1
AT_CHANGE, AT_PAYMENT = 0, 1

# What a cube is given or taken for.
FOR_MARKET, FOR_PRICE, FOR_SWAP, FOR_PEDDLER = 1, 2, 3, 4

BUILT, PART, FAVOR_USED, MOVED = 0, 1, 2, 3  # kinds of event

TABLE = record(
    ("players", "i4", ()),
    ("decision", "i4", ()),  # kind of decision that is asked, 1 to 19; 0 none
    ("seat", "i4", ()),  # who is asked
    ("options", "i8", ()),  # its legal codes, as a mask; bars are not looked at
    ("rounds", "i4", ()),
    ("phase", "i4", ()),  # 1 to 7
    ("step", "i4", ()),  # how far the phase is
    (
        "section",
        "i4",
        (),
    ),  # first section not yet scored: 0 Dungeon, 1 Walls, 2 Towers; 3 at the end
    ("bailiff", "i4", ()),
    ("provost", "i4", ()),
    ("passed", "i4", ()),  # players on the bridge
    ("away", "i4", ()),  # the same, as a mask of seats
    ("order", "i1", (8,)),  # turn order: seats
    ("next_order", "i1", (8,)),  # turn order from the next round on (stables_moment=round_end)
    ("pass_order", "i1", (8,)),  # seats on the bridge, first to pass first
    ("deniers", "i4", (SEATS,)),
    ("cubes_word", "i8", (SEATS,)),
    ("cubes", "i2", (SEATS, 4), "cubes_word"),  # food, wood, stone, cloth
    ("gold", "i4", (SEATS,)),
    ("points", "i4", (SEATS,)),  # without the final bonus
    ("workers", "i4", (SEATS,)),  # in the pool
    ("income", "i4", (SEATS,)),  # deniers of buildings in phase 1, beside the two of everybody
    ("marker", "i1", (SEATS, 4)),  # columns on the favor table, 0 to 5, by line
    ("used", "i1", (SEATS,)),  # lines used in this phase, as a mask
    ("parts", "i1", (SEATS, 4)),  # parts built of Dungeon, Walls, Towers
    ("batches", "i1", (SEATS,)),  # parts built in this round
    ("built", "i4", (4,)),  # parts built of each section by all
    ("tile", "i1", (ROOM,)),  # tile number by space; 0 none
    ("owner", "i1", (ROOM,)),  # seat, or -1
    ("worker", "i1", (ROOM,)),  # seat, or -1
    ("pending", "i1", (ROOM,)),  # seat whose residence will stand there, or -1
    ("special", "i1", (8,)),  # seat or -1 by code: 2 gate, 3 trading post, 4 guild, 5 joust
    ("inn", "i1", (2,)),  # left and right circle: seat or -1
    ("stables", "i1", (4,)),  # circles 1 to 3: seat or -1
    ("queue", "i1", (8,)),  # seats in the castle, first come first
    ("queued", "i4", ()),
    ("free", "i8", ()),  # codes of places that take a worker; castle and stables once a player
    ("busy", "i8", ()),  # road spaces with a worker
    ("empty", "i8", ()),  # road spaces that a tile can be built on
    ("neutral", "i8", ()),  # road spaces with a neutral tile
    ("lawyers", "i8", ()),  # road spaces with a lawyer
    ("waiting", "i8", ()),  # road spaces that become a residence
    ("crafts", "i8", (SEATS,)),  # road spaces with own wood and stone tiles
    ("homes", "i8", (SEATS,)),  # road spaces with own residences
    ("supply", "i8", ()),  # numbers of tiles that can be built
    ("sent", "i4", ()),  # code of the place where the gate's worker is resolved at once; 0 none
    ("acting", "i4", ()),  # stage of the tile that is being used; 0 none is
    ("space", "i4", ()),  # where that is
    ("column", "i4", ()),  # column of the favor that is being used; 0 a tile is
    ("line", "i4", ()),  # and its line
    ("context", "i4", ()),  # what cubes are given or taken for
    ("paying", "i4", ()),  # tile of which one cube is still to be paid
    ("rate", "i4", ()),  # rate of the alchemist
    ("favors", "i4", ()),  # favors waiting
    ("favored", "i4", ()),  # for this seat
    ("scored", "i4", ()),  # players for whom the section due has been scored
)
SEAT = record(
    ("seat", "i4", ()),
    ("barred", "i8", (20,)),  # by kind of decision: barred codes, as a mask
)
HIDDEN = record(
    ("neutrals", deck_record(NEUTRALS), ()),
    ("events", EVENTS, ()),
    ("castle_points", "i4", (SEATS,)),
    ("building_points", "i4", (SEATS,)),
    ("residence_points", "i4", (SEATS,)),
    ("prestige_points", "i4", (SEATS,)),
    ("owner_points", "i4", (SEATS,)),
    ("favor_points", "i4", (SEATS,)),
    ("exchange_points", "i4", (SEATS,)),
    ("penalty_points", "i4", (SEATS,)),
    ("favor_lines", "i4", (SEATS, 4)),
    ("favors_lost", "i4", (SEATS,)),
    ("tiles_built", "i4", (SEATS, 8)),  # by kind of tile
    ("workers", "i4", (SEATS,)),
    ("deniers_placing", "i4", (SEATS,)),
    ("deniers_provost", "i4", (SEATS,)),
)
RULES = record(
    # Rules that can be set.
    ("two_player_pass_cost", "i4", ()),
    ("two_player_turn_order", "i4", ()),
    ("points_floor", "i4", ()),
    ("no_delivery_exempt_if_towers_full", "i4", ()),
    ("owner_point_timing", "i4", ()),
    ("favor_distinct_lines", "i4", ()),
    ("stables_capacity", "i4", ()),
    ("tie_break", "i4", ()),
    ("favor_simplified", "i4", ()),
    ("gate_immediate", "i4", ()),
    ("stables_moment", "i4", ()),
    ("double_scoring_lines", "i4", ()),
    ("delayed_residence", "i4", ()),
    ("exempt_needs_batch", "i4", ()),
    # Tiles by number.
    ("kind", "i1", (40,)),
    ("effect", "i1", (40,)),
    ("choices", "i1", (40,)),  # ways to produce, or rates
    ("product", "i8", (40, 2)),  # plain cubes of each way, as a word
    ("product_gold", "i1", (40, 2)),
    ("pays", "i1", (40, 2)),  # kind that a rate takes: 0 to 3 plain, 4 gold, 5 deniers
    ("price", "i4", (40, 2)),  # and how many; deniers of a peddler for one and two cubes
    ("gets", "i1", (40, 2)),  # kind that a rate brings: the same, 6 points
    ("gain", "i4", (40, 2)),  # and how many; deniers of a market
    ("owner_choices", "i1", (40,)),
    ("owner_product", "i8", (40, 2)),
    ("owner_gold", "i1", (40, 2)),
    ("points", "i4", (40,)),
    ("tile_favors", "i4", (40,)),
    ("tile_income", "i4", (40,)),
    ("any_cubes", "i1", (40,)),  # cubes of any kind in the price
    # Prices of tiles, as words: 0 the normal one, 1 to 5 by favor with that column.
    ("cost", "i8", (6, 40)),
    ("cost_gold", "i4", (6, 40)),
    ("cost_cubes", "i4", (6, 40)),  # all cubes of the price, `any_cubes` too
    ("supply", "i8", ()),
    # Special buildings.
    ("trading_deniers", "i4", ()),
    ("joust_deniers", "i4", ()),
    ("joust_cloth", "i4", ()),
    ("joust_favors", "i4", ()),
    ("guild_reach", "i4", ()),
    # The road.
    ("length", "i4", ()),
    ("start", "i4", ()),  # of bailiff and provost
    ("content", "i1", (ROOM,)),  # tile number at the start; 0 none, -1 a neutral one
    ("neutrals", "i4", ()),  # neutral tiles of the box
    ("neutral_tile", "i1", (NEUTRALS,)),  # their numbers
    ("trigger", "i4", (4,)),
    # The castle.
    ("capacity", "i4", (4,)),
    ("part_points", "i4", (4,)),
    ("penalty", "i4", (4,)),  # points lost without a part, as a positive number
    ("section_favors", "i1", (4, PARTS)),  # by parts built
    # The favor table, by line and column 1 to 5.
    ("open_columns", "i4", (4,)),  # last column open, by sections scored
    ("favor_effect", "i1", (4, 8)),
    ("favor_value", "i4", (4, 8)),  # points, deniers, or cloth for a residence
    ("favor_choices", "i1", (4, 8)),
    ("favor_product", "i8", (4, 8, 2)),
    ("favor_gold", "i1", (4, 8, 2)),
    # Setup by number of players and rank.
    ("start_deniers", "i4", (6, 6)),
    ("start_cubes", "i8", (6, 6)),
    ("start_gold", "i4", (6, 6)),
    ("start_workers", "i4", (6, 6)),
    ("start_points", "i4", (6, 6)),
)
