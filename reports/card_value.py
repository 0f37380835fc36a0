"""Which cards go with winning: the win share of those who had each."""

from simlab import figures, report_answer, report_section


def share(row):
    """Return the win share of a row with its interval, in words."""
    ends = (row[name] for name in ("win_share", "win_share_low", "win_share_high"))
    return figures.with_interval(*(None if end is None else 100 * end for end in ends), "%")


@report_answer("Which cards go with winning?")
def answer(run):
    held, _ = figures.with_events(run)
    for by in figures.groupings(run)[:1]:
        rows = held.summary(by).to_dicts()
        if len(rows) > 1:
            best, last = rows[0], rows[-1]
            near = sum((row["win_share_high"] or 1) >= (best["win_share_low"] or 0) for row in rows)
            also = f" ({near - 1} more may be as good)" if near > 1 else ""
            return (
                f"Those who had {best[by]} won most, {share(best)}{also}, and those who had "
                f"{last[by]} least, {share(last)}, where {100 / run.players:.4g} % is the equal "
                "share. That is association, not cause."
            )
    return None


@report_section("The best and the worst")
def extremes(run):
    """Win share of the seats that had the card in a game; the dashed line is the equal share.

    This is association, not cause: who can pay for a card differs in more than that.
    """
    return figures.figure(run, "card-value")


@report_section("All of them")
def every(run):
    """Seats held: those that had it at least once in a game; where they are few, chance rules."""
    held, note = figures.with_events(run)
    shown = [f"These are {note}."] if note else []
    for by in figures.groupings(run):
        shown += [figures.Heading(f"By {by}"), held.table(by)]
    return shown
