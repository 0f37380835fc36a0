"""Few cards: reserve expensive ones early and build straight towards them."""

from typing import Annotated

from simlab import Range, strategy
from simlab.games.splendor import BUY, MAIN, RESERVE, view


def main_colour(rules, card):
    """Return the colour of which a card costs most."""
    best = 0
    for colour in range(5):
        if rules.cost[card, colour] > rules.cost[card, best]:
            best = colour
    return best


def plan_to_reserve(table, me, rules, ratio, salt):
    """Return the market card to reserve: most points for its price, sharing a colour; or -1."""
    best, most = -1, 0.0
    for place in range(12):
        card = view.card_at(table, me, place)
        if card < 0 or not view.legal(table, me, rules, RESERVE + card):
            continue
        rate = rules.points[card] / max(view.price(rules, card), 1)
        if rate < ratio:
            continue
        value = rate + view.tie(table, me, rules, card, salt) * 1e-8
        for n in range(table.hand[me.seat]):
            held = me.hand[n]
            if main_colour(rules, held) == main_colour(rules, card):
                value += 1.0
        if value > most:
            best, most = card, value
    return best


def helps(table, me, rules, card):
    """Return by how much a card lowers what the reserved cards cost."""
    lowered = 0
    for n in range(table.hand[me.seat]):
        need = rules.cost[me.hand[n], rules.bonus[card]] - table.bonuses[me.seat, rules.bonus[card]]
        lowered += 1 if need > 0 and me.hand[n] != card else 0
    return lowered


@strategy("splendor")
def straight_line(
    table,
    me,
    rules,
    rng,
    ratio: Annotated[float, Range(0, 10)] = 0.5,
    reserves: Annotated[int, Range(0, 3)] = 2,
    turns: Annotated[int, Range(0, 500)] = 8,
):
    """In the first `turns` reserve `reserves` cards with `ratio` points a token; serve them."""
    salt = view.salt(rng)
    seat = me.seat
    held = table.hand[seat]
    aim, lack = -1, 0
    for n in range(held):
        missing = view.miss(table, rules, seat, me.hand[n])
        if aim < 0 or missing < lack:
            aim, lack = me.hand[n], missing
    if aim < 0:
        aim = view.nearest(table, me, rules, salt)
    if table.decision != MAIN:
        return view.aside(table, me, rules, aim, salt)
    if view.legal(table, me, rules, BUY + aim):
        return BUY + aim
    if table.turn <= turns and held < reserves:
        card = plan_to_reserve(table, me, rules, ratio, salt)
        if card >= 0:
            return RESERVE + card
    best, most = -1, 0.0
    for place in range(view.PLACES):
        card = view.card_at(table, me, place)
        if card >= 0 and view.legal(table, me, rules, BUY + card):
            value = helps(table, me, rules, card) + 0.5 * rules.points[card]
            value -= 0.1 * view.net(table, rules, seat, card)
            if value > most and (held == 0 or helps(table, me, rules, card) > 0):
                best, most = card, value
    if best >= 0:
        return BUY + best
    return view.toward(table, me, rules, aim, salt)
