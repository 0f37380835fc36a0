"""Le Collier de la Reine (Cathala and Faidutti, 2003; Queen's Necklace): jewels, 2 to 4 players."""

from __future__ import annotations

from typing import Any

from simlab.core.game import Column, DataFile, DeckInfo, Events, Game, RuleBook, Values, shipped
from simlab.games.collier import actions, rules, setup, view, words
from simlab.games.collier.actions import (
    ALCHEMIST,
    ALLOW,
    BANKER,
    BUY,
    CARDINAL,
    DISCARD,
    ENOUGH,
    FORGER_DISCARD,
    INFLUENCE,
    KING,
    LAY_BANKERS,
    LAY_KING,
    LAY_NECKLACE,
    LAY_RINGS,
    MUSKETEERS,
    NECKLACE,
    NO_ALCHEMY,
    NO_DELAY,
    NO_KING,
    NO_NECKLACE,
    PLAY_ALCHEMIST,
    PLAY_CARDINAL,
    PLAY_CONFESSOR,
    PLAY_COURTESAN,
    PLAY_FAVORITE,
    PLAY_FORGER,
    PLAY_FORGER_ANY,
    PLAY_MUSKETEERS,
    PLAY_SWAP,
    PLAY_THIEF,
    PURCHASE,
    RING,
    SHOW,
    SHOW_CARDS,
    STOP,
    TAKE,
    TYPES,
)
from simlab.games.collier.rules.records import (
    CARDS_DECK,
    FASHION_DECK,
    HANDS_DECK,
    MERCHANTS_DECK,
    STEALS,
    STEALS_DECK,
)

__all__ = [
    "ALCHEMIST",
    "ALLOW",
    "BANKER",
    "BUY",
    "CARDINAL",
    "DISCARD",
    "ENOUGH",
    "FORGER_DISCARD",
    "GAME",
    "INFLUENCE",
    "KING",
    "LAY_BANKERS",
    "LAY_KING",
    "LAY_NECKLACE",
    "LAY_RINGS",
    "MUSKETEERS",
    "NECKLACE",
    "NO_ALCHEMY",
    "NO_DELAY",
    "NO_KING",
    "NO_NECKLACE",
    "PLAY_ALCHEMIST",
    "PLAY_CARDINAL",
    "PLAY_CONFESSOR",
    "PLAY_COURTESAN",
    "PLAY_FAVORITE",
    "PLAY_FORGER",
    "PLAY_FORGER_ANY",
    "PLAY_MUSKETEERS",
    "PLAY_SWAP",
    "PLAY_THIEF",
    "PURCHASE",
    "RING",
    "SHOW",
    "SHOW_CARDS",
    "STOP",
    "TAKE",
    "view",
]

ACTION_NAMES = (
    "STOP", "PLAY_CONFESSOR", "PLAY_COURTESAN", "PLAY_FAVORITE", "PLAY_SWAP", "PLAY_FORGER",
    "PLAY_FORGER_ANY", "PLAY_THIEF", "ALLOW", "PLAY_MUSKETEERS", "DISCARD", "ENOUGH", "BUY", "TAKE",
    "NO_DELAY", "PLAY_CARDINAL", "SHOW_CARDS", "LAY_RINGS", "LAY_BANKERS", "NO_KING", "LAY_KING",
    "NO_NECKLACE", "LAY_NECKLACE", "NO_ALCHEMY", "PLAY_ALCHEMIST",
)  # fmt: skip
LINE_UP = ["hoarder", "king_denier", "fashion_follower", "peek_and_strike"]


def cautions(values: Values) -> list[str]:
    """Return what a reader of the results must know about these rules."""
    said = [
        "Much of the card mix is reconstructed (how many of each gem and character, most prices), "
        "and so are details of several characters: with the printed cards (--set cards=FILE.csv) "
        "the figures will move."
    ]
    if "cards" in values:
        said = [
            "The cards are those of a file, not the shipped ones; details of several characters "
            "are reconstructed."
        ]
    printed = {key.name: key.default for key in setup.KEYS} | setup.RULE_SETS["official"]
    unlike = [f"{name}={values[name]}" for name, value in printed.items() if values[name] != value]
    if unlike:
        rules_ = ", ".join(unlike)
        said.append(f"Not the best reading of the printed rules (--rules official): {rules_}.")
    return said


def by_type(what: str, dtype: str, meaning: str) -> tuple[Column, ...]:
    """Return a column for each type of gem; its name in the plural goes into the meaning."""
    return tuple(Column(f"{what}_{gem}", dtype, meaning.format(words.plural(gem))) for gem in TYPES)


def texts(numbers: int) -> Any:
    """Return the function that gives the ids of a deck of numbers: 0, 1, ..."""

    def ids(book: RuleBook) -> list[str]:
        return [str(number) for number in range(numbers)]

    return ids


def always(table: Any, hidden: Any, card: int) -> bool:
    """Whether a card can come: all of these can."""
    return True


def in_deck(table: Any, hidden: Any, card: int) -> bool:
    """Whether a card is not in a hand that was dealt."""
    return not rules.was_dealt(hidden, card)  # type: ignore[no-untyped-call]


def event_names(book: RuleBook) -> list[str]:
    """Return the words events speak of: kinds of card, then types of gem."""
    ids = actions.kind_ids(book)
    return [*ids, *[""] * (actions.KINDS - len(ids)), *TYPES]


GAME = Game(
    name="collier",
    title="Le Collier de la Reine",
    aliases=("queens-necklace", "queens_necklace"),
    folder=shipped("simlab.games.collier"),
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
    make_rules=setup.make_rules,
    columns=(
        Column("points_sale_1", "i4", "points of the first sale, bounty included"),
        Column("points_sale_2", "i4", "points of the second sale, bounty included"),
        Column("points_sale_3", "i4", "points of the third sale, bounty included"),
        *by_type("points", "i4", "points for {} sold"),
        Column("bounty_points", "i4", "points for others' Kings under the own Necklace"),
        *by_type("shown", "i2", "{} displayed, counted at the reveal"),
        *by_type("sold", "i2", "{} sold"),
        Column("rings", "i1", "rings laid in displays"),
        Column("bankers", "i1", "Bankers laid in displays"),
        Column("kings", "i1", "Kings laid in displays"),
        Column("necklaces", "i1", "times the Queen's Necklace was laid, 0 or 1"),
        Column("vetoes", "i1", "types shown that a King of another player cancelled"),
        Column("ducats_spent", "i2", "ducats paid"),
        Column("ducats_lost", "i2", "ducats left over when purchases ended"),
        Column("bought", "i2", "cards bought, those taken with the Queen included"),
        Column("characters", "i2", "blue and purple characters played, Astrologers apart"),
        Column("sale_1", "i2", "turn of the first sale"),
        Column("sale_2", "i2", "turn of the second sale"),
        Column("sale_3", "i2", "turn of the third sale"),
        Column("turns", "i2", "turns of all players together"),
    ),
    decks={
        "fashion": DeckInfo("fashion", (FASHION_DECK,), lambda book: list(TYPES), always),
        "hands": DeckInfo("hands", (HANDS_DECK,), actions.card_ids, always),
        "cards": DeckInfo("cards", (CARDS_DECK,), actions.card_ids, in_deck),
        "merchant_1": DeckInfo("place", (MERCHANTS_DECK,), texts(64), always),
        "merchant_2": DeckInfo("place", (MERCHANTS_DECK + 1,), texts(64), always),
        "merchant_3": DeckInfo("place", (MERCHANTS_DECK + 2,), texts(64), always),
        "steals": DeckInfo(
            "steal", tuple(range(STEALS_DECK, STEALS_DECK + STEALS)), texts(127), always
        ),
    },
    decisions=actions.DECISIONS,
    secret=actions.SECRET,
    actions=actions.action_words,
    action_names={name: getattr(actions, name) for name in ACTION_NAMES},
    bars=actions.bar_bits,
    words=words.Words,
    line_up=lambda players: LINE_UP[:players],
    cautions=cautions,
    events=Events(
        turn="turn",
        kinds=("bought", "played", "displayed", "king", "necklace", "sold"),
        what="what",
        values=("amount", "sale", "rings", "bankers", "points"),
        # Bought and played: each card once; a type shown and sold by each seat in each sale.
        most=lambda players, values: 240 + 24 * players,
        names=event_names,
        groups={"card": ("bought",), "character": ("played",), "gem": ("sold",)},
    ),
    score_range=setup.score_range,
    length="turns",
    shard_games=2**14,
    decision_cap=20_000,
)
