"""Which of many strategies is best, and who beats whom."""

from simlab import report_section


@report_section("Ranking", of="tournament")
def ranking(answer):
    """Mean win share over balanced line-ups; strategies that share a letter are not told apart."""
    ranks, *_ = answer.tables()
    return answer.plot("ranking"), ranks


@report_section("Who beats whom", of="tournament")
def pairs(answer):
    """Part of the games with both at the table in which the row's strategy does better."""
    _, *unsettled = answer.tables()
    return answer.figures().get("pairs"), unsettled


@report_section("Ratings", of="tournament")
def ratings(answer):
    """One number for each strategy from who finished ahead of whom; 0 is the mean of the field."""
    return answer.figures().get("ratings")


@report_section("How to read this", of="tournament")
def notes(answer):
    return answer.notes()
