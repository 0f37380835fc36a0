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

    Rings, Bankers, Kings and the Necklace wait for that sale. All else by value. Against `by_value`
    the second sale is better than the third, which the rules page has (docs/answers.md, 10).

    Strength: wins 99.78 % [99.71, 99.83] of games against three `dearest_single`, 96.34 %
    [96.07, 96.59] against three `cheapest_many`, 87.50 % [87.04, 87.95] against three `random`
    (equal share 25 %); against one of them 100.00 % [99.99, 100.00], 99.47 % [99.35, 99.56],
    97.97 % [97.77, 98.16] (50 %).
    """
    never = 1000.0
    habits = view.usual()
    if table.sales < sale:
        habits = view.Habits(safe, never, never, never, never, habits.delay)
    return view.answer(table, me, rules, view.look(table, me, rules), habits)
