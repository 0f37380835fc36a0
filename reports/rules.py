"""What a change of the rules does to who wins, to the scores and to the length of the game."""

from simlab import report_section


@report_section("What changes", of="compare-rules")
def slopes(answer):
    """The same deals under each rule book; a line joins what one strategy does under them."""
    return list(answer.figures().values())


@report_section("In numbers", of="compare-rules")
def numbers(answer):
    return answer.tables()


@report_section("How to read this", of="compare-rules")
def notes(answer):
    return answer.notes()
