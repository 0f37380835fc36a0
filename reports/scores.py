"""What each strategy scores, and how far single games lie apart."""

from simlab import figures, report_answer, report_section


def ends(row):
    """Return the mean score of a row with its interval, in words."""
    return figures.with_interval(row["score_mean"], row["score_low"], row["score_high"])


@report_answer("What does each strategy score?")
def answer(run):
    rows = run.summary().drop_nulls("score_mean").sort("score_mean", descending=True)
    if rows.height < 2 or run.span.games < 2:
        return None
    best, *_, last = rows.to_dicts()
    return (
        f"{best['strategy']} scores most, {ends(best)} points on average, and {last['strategy']} "
        f"least, {ends(last)}."
    )


@report_section("Mean scores")
def means(run):
    """Bars show how far single games lie apart; the interval shows how sure the mean is."""
    return figures.figure(run, "score"), run.table()


@report_section("How scores are spread")
def distribution(run):
    """Each panel holds the final scores of one strategy, in per cent of the seats it held."""
    return figures.figure(run, "score-distribution")


@report_section("Quantiles")
def quantiles(run):
    """The quantile p is the smallest score that the part p of the scores does not exceed.

    From low to high is its 95 % interval (Woodruff's); the unit is the deal.
    """
    return run.quantiles((0.05, 0.25, 0.5, 0.75, 0.95))


@report_section("Score by seat")
def by_seat(run):
    """Scores of each seat, whoever sat there; seats are counted from 0."""
    return figures.figure(run, "score-by-seat"), run.table("seat")
