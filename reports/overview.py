"""Who wins, what they score, whether the seats are fair, and what is special about the game."""

from simlab import figures, report_section


@report_section("Who wins")
def win_shares(run):
    """Win share: the part of its games that a strategy wins; a win shared by two counts half.

    Where the whole interval lies right of the dashed line, a strategy wins more than its equal
    share; left of it, less.
    """
    return figures.figure(run, "win-share"), run.table()


@report_section("What they score")
def scores(run):
    """Bars show how far single games lie apart; the interval shows how sure the mean is."""
    return figures.figure(run, "score")


@report_section("Whether the seats are fair")
def seats(run):
    """Win share of each seat, whoever sat there; seats are counted from 0."""
    return figures.figure(run, "seats"), run.table("seat")


@report_section("How long a game takes")
def length(run):
    """The bars show how far single games lie apart; the interval, how sure their mean is."""
    return figures.figure(run, "length") if "length" in figures.names(run) else None


@report_section("What happened in the games")
def own(run):
    return figures.own(run)
