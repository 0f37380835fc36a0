"""How many games it takes to tell a difference."""

from simlab import report_section


@report_section("How many games", of="sample-size")
def curve(answer):
    return list(answer.figures().values())


@report_section("In numbers", of="sample-size")
def numbers(answer):
    return answer.tables()


@report_section("How to read this", of="sample-size")
def notes(answer):
    return answer.notes()
