"""Who wins, what they score, and whether the seats are fair."""

from simlab import figures, report_section


@report_section("Who wins")
def win_shares(run):
    """Win share: the part of its games that a strategy wins; a win shared by two counts half.

    Where the whole interval lies right of the dashed line, a strategy wins more than its equal
    share; left of it, less.
    """
    table = run.table()
    return figures.win_share(table.frame()), table


@report_section("What they score")
def scores(run):
    """Bars show how far single games lie apart; the interval shows how sure the mean is."""
    return figures.score(run.summary(), figures.spread(run.scan()))


@report_section("Whether the seats are fair")
def seats(run):
    """Win share of each seat, whoever sat there; seats are counted from 0."""
    table = run.table("seat")
    return figures.seats(table.frame()), table
