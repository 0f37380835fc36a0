"""Scripted games of Le Collier de la Reine: stacked decks, turns in words, and who has what.

By default each seat is dealt one card of each type, the market holds five ambers and ambers follow,
so that what a test is about is all that differs. A merchant that lies under no card (`first=0`
with the standard rules) makes a sale at the end of the first turn.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from simlab import Table
from simlab.core.game import shipped
from simlab.games.collier import GAME
from simlab.games.collier.actions import TYPES, kind_ids

PLAIN_HAND = ("diamond_1", "emerald_1", "ruby_1", "amber_1")
AMBERS = ("amber_1",) * 5
FASHION = TYPES  # diamond +30, emerald +20, ruby +10, amber +0
CARDS = shipped("simlab.games.collier") / "cards.csv"


def table(
    *hands: str,
    players: int = 2,
    rules: str = "standard",
    cards: str = "",
    fashion: Sequence[str] = FASHION,
    first: int | None = None,
    steals: Sequence[int] = (),
    bars: Mapping[int, Sequence[str]] | None = None,
    **changed: Any,
) -> Table:
    """Return a table; hands: four ids each, for the first seats; cards: the deck, market first.

    first: cards above the first merchant once the market lies there (standard rules).
    """
    dealt = [card for hand in hands for card in hand.split()]
    dealt += [card for _ in range(players - len(hands)) for card in PLAIN_HAND]
    stack: dict[str, Any] = {"hands": dealt, "fashion": list(fashion)}
    stack["cards"] = cards.split() or list(AMBERS)
    if first is not None:
        stack["merchant_1"] = [str(first)]
    if steals:
        stack["steals"] = [[str(index)] for index in steals]
    return Table(GAME, players, rules, changed, stack=stack, bars=bars)


def go(game: Table, words: str) -> Table:
    """Play words, parted by semicolons, and return the table."""
    for word in words.split(";"):
        if word.strip():
            game.play(word.strip())
    return game


def one_card(game: Table, place: int = 0) -> Table:
    """Buy one card and no more; nothing of the influence phase."""
    if game.decision == "influence":
        game.play("influence stop")
    game.play(f"buy {place}")
    if game.decision == "purchase" and game.public.taken == 1:
        game.play("purchase stop")
    return game


def until(game: Table, decision: str) -> Table:
    """Decline until a kind of decision is asked: play nothing, buy the least, show nothing."""
    while not game.finished and game.decision != decision:
        legal = [action.word for action in game.legal()]
        game.play(legal[0])
    return game


def pass_sale(game: Table) -> Table:
    """Decline everything of the displays and of the Alchemists."""
    while not game.finished and game.decision in SALE:
        game.play(game.legal()[0].word)
    return game


SALE = ("show", "ring", "banker", "king", "necklace", "alchemist")


def words(game: Table) -> set[str]:
    """Return the legal words."""
    return {action.word for action in game.legal()}


def hand(game: Table, seat: int) -> dict[str, int]:
    """Return a hand by id."""
    ids = kind_ids(game.book)
    held = game.private(seat).hand
    return {card: int(held[kind]) for kind, card in enumerate(ids) if held[kind]}


def known(game: Table, seat: int, of: int) -> dict[str, int]:
    """Return what a seat has seen come to another's hand."""
    ids = kind_ids(game.book)
    held = game.private(seat).known[of]
    return {card: int(held[kind]) for kind, card in enumerate(ids) if held[kind]}


def market(game: Table) -> list[str]:
    """Return the ids of the market, oldest first."""
    ids = kind_ids(game.book)
    public = game.public
    return [ids[int(public.market[place])] for place in range(int(public.count))]


def gone(game: Table) -> dict[str, int]:
    """Return the cards out of the game by id."""
    ids = kind_ids(game.book)
    return {card: int(game.public.gone[k]) for k, card in enumerate(ids) if game.public.gone[k]}


def points(game: Table) -> list[int]:
    """Return the points by seat."""
    return [int(points) for points in np.asarray(game.public.points)[: game.players]]


def rows() -> list[dict[str, str]]:
    """Return the rows of the shipped cards."""
    return list(csv.DictReader(CARDS.read_text(encoding="utf-8").splitlines()))


def write(folder: Path, changed: Sequence[Mapping[str, object]], name: str = "cards") -> Path:
    """Write a card file of these rows and return its path."""
    path = folder / f"{name}.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(changed[0]))
        writer.writeheader()
        writer.writerows(changed)
    return path


def with_copies(**copies: int) -> list[dict[str, Any]]:
    """Return the shipped rows with other numbers of copies by id."""
    return [row | ({"copies": copies[row["id"]]} if row["id"] in copies else {}) for row in rows()]


def display(game: Table, *plans: str) -> Table:
    """Make the displays of a sale; what a plan does not name is not shown or laid.

    A plan, by seat, is words such as "diamond_1 2, ring diamond 2, banker ruby 1, king emerald,
    necklace diamond".
    """
    assert game.decision in SALE, "no sale goes on"
    asked = [[part.split() for part in plan.split(",") if part.strip()] for plan in plans]
    while game.decision in SALE[:-1]:
        seat, decision = int(game.to_move or 0), str(game.decision)
        plan = asked[seat] if seat < len(asked) else []
        game.play(_answer(game, seat, decision, plan))
    return game


def _answer(game: Table, seat: int, decision: str, plan: list[list[str]]) -> str:
    me = game.private(seat)
    if decision == "show":
        kind = kind_ids(game.book)[int(me.kind)]
        number = next((part[1] for part in plan if part[0] == kind), "0")
        return f"show {number}"
    if decision in ("ring", "banker"):
        laid = [part[2] for part in plan if part[:2] == [decision, TYPES[int(me.type)]]]
        return f"{decision} {laid[0] if laid else 0}"
    wanted = [part[1] for part in plan if part[0] == decision]
    before = int(sum(me.kings)) if decision == "king" else 0
    return f"{decision} {wanted[before] if before < len(wanted) else 'none'}"
