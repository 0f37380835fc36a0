"""Which of two strategies is better, by how much, and how sure that is."""

from simlab import report_section


@report_section("By how much", of="duel")
def difference(answer):
    """The difference, as it stood at each look where there were several, and where both stand.

    Its interval holds however often one looks.
    """
    return answer.plot("duel")


@report_section("In numbers", of="duel")
def numbers(answer):
    return answer.tables()


@report_section("How to read this", of="duel")
def notes(answer):
    return answer.notes()
