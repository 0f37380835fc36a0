"""Who wins, against whom, and with which score."""

from simlab import figures, report_section


@report_section("Who wins")
def win_shares(run):
    """Win share: the part of its games that a strategy wins; a win shared by two counts half.

    Where the whole interval lies right of the dashed line, a strategy wins more than its equal
    share; left of it, less.
    """
    return figures.figure(run, "win-share"), run.table()


@report_section("Who finishes ahead of whom")
def ahead(run):
    """Of the games with both at the table, the part in which the row's strategy finished ahead.

    A shared rank counts half.
    """
    return figures.figure(run, "ahead") if "ahead" in figures.names(run) else None


@report_section("If ties counted otherwise")
def ties(run):
    """The table above goes by the game's own tie-break. Here equal best scores share the win."""
    return run.table(ties="share")
