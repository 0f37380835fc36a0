"""Wait for the last sale."""

from typing import Annotated

from simlab import Range, strategy
from simlab.games.collier import view


@strategy("collier")
def hoarder(
    table,
    me,
    rules,
    sale: Annotated[int, Range(1, 4)] = 3,
    safe: Annotated[float, Range(0, 1)] = 0.9,
):
    """Before sale number `sale` show only types it will sell with chance `safe`, and lay nothing.

    Rings, Bankers, Kings and the Necklace wait for that sale. All else by value.
    """
    never = 1000.0
    habits = view.usual()
    if table.sales < sale:
        habits = view.Habits(safe, never, never, never, never, habits.delay)
    return view.answer(table, me, rules, view.look(table, me, rules), habits)
