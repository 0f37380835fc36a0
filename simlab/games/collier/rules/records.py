"""The records of Le Collier de la Reine: what all see, what one seat sees, what nobody sees.

A kind of card is a row of the card file, by number; hands are counts by kind. Types of gem are 0 to
3: diamond, emerald, ruby, amber.
"""

from __future__ import annotations

from simlab.core.deck import deck_record
from simlab.core.records import EVENTS, record
from simlab.games.collier.actions import KINDS, PLACES, SEATS, SIZES_OF_GEMS

CARDS = 120  # room for cards of the deck
STEPS = 4  # prices of a card
SALES = 3
DUCATS = 10
HAND = 4  # cards dealt
FASHION = 30  # of the most fashionable type, and rarity of the rarest; 10 less for each behind it
BANKED = 10  # a banker's
NO_LIMIT = 127

# Numbers of the decks of a deal.
FASHION_DECK, HANDS_DECK, CARDS_DECK, MERCHANTS_DECK, STEALS_DECK = 0, 1, 2, 3, 6
STEALS = 2 * 12  # Thieves and Musketeers of the fullest box

# Phases of a turn (section 13).
(
    TURN_BEGINS, INFLUENCING, ATTACKED, BUYING, SETTLING, MERCHANTS, WINDOW, DISPLAYING, TURNING,
    COUNTING,
) = range(10)  # fmt: skip
# How far a seat's display is.
GEM_CARDS, RINGS, BANKERS, KINGS, ON_NECKLACE, SHOWN = range(6)

# What a card is, beside gems: `rules.role` by kind.
(
    CONFESSOR, COURTESAN, FAVORITE, FORGER, THIEF, QUEEN, CARDINAL, MUSKETEERS, ALCHEMIST,
    ASTROLOGER, RING, NECKLACE, KING, BANKER, GEM,
) = range(15)  # fmt: skip
HELD_BACK = 6  # roles below wait for the next turn when they are obtained

# Values of rules that are words.
UNIFORM_THIRD, EXACT_THIRD = 0, 1
ALL_TIED, NOBODY = 0, 1
DOUBLE_EACH, ADDITIVE = 0, 1
TO_TOP, UP_ONE, SWAP_ANY = 0, 1, 2
NAMED_TYPE, ANY_CARD = 0, 1
CANCEL, RIPOSTE, DRAWN = 0, 1, 2
FREE_CARD, BLANK = 0, 1

BOUGHT, PLAYED, DISPLAYED, KING_LAID, NECKLACE_LAID, SOLD = range(6)  # kinds of event

TABLE = record(
    ("players", "i4", ()),
    ("decision", "i4", ()),  # kind of decision that is asked, 1 to 11; 0 none
    ("asked", "i4", ()),  # who is asked
    ("options", "i8", ()),  # its legal codes, as a mask; bars are not looked at
    ("phase", "i4", ()),
    ("turn", "i4", ()),  # of all players, from 1 on; skipped ones count
    ("seat", "i4", ()),  # the active player
    ("step", "i4", ()),  # how far a round of the seats is: 0 is the active player
    ("passes", "i4", ()),  # seats that passed in a row in the Alchemist window
    ("fashion", "i1", (4,)),  # types on +30, +20, +10, +0
    ("value", "i1", (4,)),  # fashion value by type
    ("count", "i4", ()),  # cards in the market
    ("market", "i1", (8,)),  # kinds by place, oldest first; -1 where none lies
    ("steps", "i1", (8,)),  # price step by place, 0 to 3
    ("deck", "i4", ()),  # cards left, merchants apart
    ("merchants", "i4", ()),  # left in the deck
    ("due", "i4", ()),  # merchants drawn in this turn whose sale has not been settled
    ("pending", "i4", ()),  # seat whose Cardinal delays a sale; -1 none
    ("sales", "i4", ()),  # held, the one that goes on included
    ("hand_size", "i4", (SEATS,)),
    ("necklace", "i4", ()),  # seat that holds the Queen's Necklace; -1 nobody
    ("points", "i4", (SEATS,)),
    ("budget", "i4", ()),  # ducats left to the active player
    ("taken", "i4", ()),  # cards bought in this turn
    ("courtesans", "i4", ()),  # played in this turn
    ("attack", "i4", ()),  # role of the card that attacks: FORGER, THIEF
    ("target", "i4", ()),
    ("named", "i4", ()),  # type that a Forger names; -1 any card
    ("gone", "i1", (KINDS,)),  # cards out of the game by kind
    # Displays, once they are revealed; by seat and type.
    ("shown", "i4", (SEATS, 4)),  # gems, as Alchemists have turned them
    ("cards", "i1", (SEATS, 4, SIZES_OF_GEMS + 3)),  # gem cards by the number of their gems
    ("rings", "i1", (SEATS, 4)),
    ("bankers", "i1", (SEATS, 4)),
    ("kings", "i1", (SEATS, 4)),
    ("protected", "i4", ()),  # type under the Queen's Necklace; -1 none
    ("steals", "i4", ()),  # cards taken at random so far
)
SEAT = record(
    ("seat", "i4", ()),
    ("barred", "i8", (12,)),  # kinds of card; then by kind of decision: barred codes, as masks
    ("hand", "i1", (KINDS,)),
    ("ready", "i1", (8,)),  # cards held since the start of the turn, by role CONFESSOR to QUEEN
    ("kind", "i4", ()),  # kind of gem card, or
    ("type", "i4", ()),  # type of gem, that a display decision is about
    # What this seat knows of the others' hands (section 8), by seat:
    ("known", "i1", (SEATS, KINDS)),  # cards seen to come and not seen to leave
    ("missing", "i4", (SEATS,)),  # cards that left since without being seen
    # The display that is being made.
    ("cards", "i1", (KINDS,)),
    ("shown", "i4", (4,)),
    ("rings", "i1", (4,)),
    ("bankers", "i1", (4,)),
    ("kings", "i1", (4,)),
    ("laid", "i1", (4,)),  # rings, bankers, kings laid in all
    ("necklace", "i4", ()),  # type; -1 none
)
HIDDEN = record(
    ("fashion", deck_record(8), ()),
    ("hands", deck_record(CARDS + 7), ()),
    ("cards", deck_record(CARDS + 7), ()),
    ("place", deck_record(64), ()),
    ("steal", deck_record(CARDS + 7), ()),
    ("events", EVENTS, ()),
    ("dealt", "i8", (2,)),  # cards that were dealt into hands, as masks
    ("above", "i4", (4,)),  # cards of the deck above each merchant
    ("laid", "i4", ()),  # cards drawn since the merchants were placed
    ("stage", "i4", ()),  # how far the display of a seat is
    ("upto", "i4", ()),  # the next kind or type of that stage
    ("by_sale", "i4", (SEATS, 4)),
    ("by_type", "i4", (SEATS, 4)),
    ("bounty", "i4", (SEATS,)),
    ("shown", "i2", (SEATS, 4)),
    ("sold", "i2", (SEATS, 4)),
    ("laid_rings", "i2", (SEATS,)),
    ("laid_bankers", "i2", (SEATS,)),
    ("laid_kings", "i2", (SEATS,)),
    ("laid_necklaces", "i2", (SEATS,)),
    ("vetoes", "i2", (SEATS,)),
    ("spent", "i4", (SEATS,)),
    ("lost", "i4", (SEATS,)),
    ("bought", "i2", (SEATS,)),
    ("characters", "i2", (SEATS,)),
    ("held", "i4", (4,)),  # turn of each sale
)
RULES = record(
    ("cards", "i4", ()),  # of the deck, merchants apart
    ("kinds", "i4", ()),
    ("kind", "i1", (CARDS + 8,)),  # by card
    ("role", "i1", (KINDS,)),
    ("type", "i1", (KINDS,)),  # of a gem card; -1 of others
    ("gems", "i1", (KINDS,)),  # on a gem card; 0 on others
    ("copies", "i1", (KINDS,)),
    ("price", "i2", (KINDS, STEPS)),
    ("of_role", "i1", (16,)),  # kind by role; ABSENT where the box has none
    ("of_type", "i8", (4,)),  # kinds of gem card of a type, as a mask
    ("gem_kinds", "i8", ()),  # kinds of gem card, as a mask
    ("merchant_placement", "i4", ()),
    ("courtesan_bonus", "i4", ()),
    ("courtesan_max", "i4", ()),
    ("min_purchase", "i4", ()),
    ("majority_tie", "i4", ()),
    ("ring_stack", "i4", ()),
    ("banker_before_ring", "i4", ()),
    ("necklace_bounty", "i4", ()),
    ("king_limit", "i4", ()),
    ("favorite_mode", "i4", ()),
    ("forger_mode", "i4", ()),
    ("musketeers_mode", "i4", ()),
    ("queen_mode", "i4", ()),
    ("astrologer_draw", "i4", ()),
)
assert PLACES <= 8
