"""Value for time: points and bonuses a card brings, for each turn until it is bought."""

from typing import Annotated

from simlab import Range, note, strategy
from simlab.games.splendor import MAIN, view


def best_for_time(table, me, rules, salt, points, bonus, decay):
    """Return the card with the highest value for each turn that it takes; -1 if none lies."""
    seat = me.seat
    late = decay ** table.bought[seat]
    aim, most, luck = -1, 0.0, 0
    for place in range(view.PLACES):
        card = view.card_at(table, me, place)
        if card < 0:
            continue
        gain = points * rules.points[card] + bonus * late
        value = view.worth(table, me, rules, card, gain) / view.turns_to(table, rules, seat, card)
        tie = view.tie(table, me, rules, card, salt)
        if aim < 0 or value > most or (value == most and tie > luck):
            aim, most, luck = card, value, tie
    note("value", most)
    return aim


@strategy("splendor")
def tempo_value(
    table,
    me,
    rules,
    rng,
    points: Annotated[float, Range(0, 100)] = 1.0,
    bonus: Annotated[float, Range(0, 100)] = 1.5,
    decay: Annotated[float, Range(0, 1)] = 0.9,
):
    """Go for the card with the most `points` + `bonus` x `decay`^bonuses for each turn it takes.

    Strength: wins 51.90 % [51.41, 52.38] of games against one `greedy_buy`, 34.45 % [33.98, 34.91]
    against three (equal shares 50 and 25 %), 96.90 % [96.65, 97.13] against three `random`.
    `turns_to` adds three turns for each token that cannot be had, or held, now. Without: 11.5 %
    and 19.9 %.
    """
    salt = view.salt(rng)
    aim = best_for_time(table, me, rules, salt, points, bonus, decay)
    if table.decision != MAIN:
        return view.aside(table, me, rules, aim, salt)
    return view.toward(table, me, rules, aim, salt)
