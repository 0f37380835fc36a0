"""Which value of a parameter is best, and which may be as good."""

from simlab import report_section


@report_section("What each value brings", of="sweep")
def values(answer):
    """Every point on the same deals; the best of those tried is a marked one, as sure as stated.

    Of values between the points this says nothing.
    """
    return list(answer.figures().values())


@report_section("In numbers", of="sweep")
def numbers(answer):
    return answer.tables()


@report_section("How to read this", of="sweep")
def notes(answer):
    return answer.notes()
