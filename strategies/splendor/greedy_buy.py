"""Buy whenever possible; otherwise collect for the nearest cards."""

from typing import Annotated

from simlab import Range, strategy
from simlab.games.splendor import BUY, MAIN, view


@strategy("splendor", memo=[("key", "i8", (view.PLACES,))])
def greedy_buy(
    table,
    me,
    rules,
    memo,
    rng,
    targets: Annotated[int, Range(1, 15)] = 4,
    decay: Annotated[float, Range(0, 1)] = 0.25,
):
    """Buy the best card, else take for the nearest `targets`, each weighing `decay` of the last.

    Strength: wins 99.84 % [99.77, 99.89] of games against three `random`, 99.86 % [99.82, 99.89]
    against one; the measure of the others.
    """
    salt = view.salt(rng)
    if table.decision != MAIN:
        return view.aside(table, me, rules, view.nearest(table, me, rules, salt), salt)
    card = view.best_buy(table, me, rules, salt)
    if card >= 0:
        return BUY + card
    # The keys of the nearest cards, in order; the place of the card is in the lowest bits.
    known = 0
    for place in range(view.PLACES):
        card = view.card_at(table, me, place)
        if card < 0:
            continue
        key = (view.aim_key(table, me, rules, card, salt) << 8) + place
        at = known if known < targets else targets - 1
        if known < targets:
            known += 1
        elif key > memo.key[at]:
            continue
        while at > 0 and memo.key[at - 1] > key:
            memo.key[at] = memo.key[at - 1]
            at -= 1
        memo.key[at] = key
    white = blue = green = red = black = 0.0
    share, first = 1.0, 0
    for n in range(known):
        card = view.card_at(table, me, memo.key[n] & 255)
        word = view.missing(table, rules, me.seat, card)
        white += share * view.amount(word, 0)
        blue += share * view.amount(word, 1)
        green += share * view.amount(word, 2)
        red += share * view.amount(word, 3)
        black += share * view.amount(word, 4)
        share *= decay
        first = first if n > 0 else word
    action = view.best_take(table, me, rules, (white, blue, green, red, black), first, salt)
    return action if action >= 0 else view.anything(table, me, rules, salt)
