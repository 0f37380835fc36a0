"""Do whatever is worth most."""

from typing import Annotated

from simlab import Range, strategy
from simlab.games.collier import view


@strategy("collier")
def by_value(
    table,
    me,
    rules,
    safe: Annotated[float, Range(0, 1)] = 0.5,
    rings: Annotated[float, Range(0, 100)] = 30.0,
    bankers: Annotated[float, Range(0, 100)] = 20.0,
    turn: Annotated[float, Range(0, 100)] = 20.0,
    king: Annotated[float, Range(0, 100)] = 30.0,
    delay: Annotated[float, Range(0, 100)] = 20.0,
):
    """Answer every decision by value, with these habits."""
    habits = view.Habits(safe, rings, bankers, turn, king, delay)
    return view.answer(table, me, rules, view.look(table, me, rules), habits)
