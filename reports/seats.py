"""Whether it matters where one sits."""

from simlab import figures, report_answer, report_section


@report_answer("Does it matter where one sits?")
def answer(run):
    table = run.table("seat")
    if run.file.spec["seats"] == "fixed" and len(set(run.line_up)) > 1:
        return (
            "These games cannot tell: each strategy kept its seat, so what a seat and what its "
            "strategy brings cannot be told apart."
        )
    test, rows = table.table.alike, run.summary("seat")
    if test is None or test.p is None or rows.height < 2:
        return None
    best = rows.sort("win_share", descending=True).row(0, named=True)
    ends = (100 * best[name] for name in ("win_share", "win_share_low", "win_share_high"))
    most = f"seat {best['seat']} wins most, {figures.with_interval(*ends, '%', 'of its games')}"
    equal = f"where {100 / rows.height:.4g} % would be equal"
    p = f"all seats alike: p {'< 0.0001' if test.p < 1e-4 else f'= {test.p:.2g}'}"
    return f"{'Yes' if test.differ else 'Not that these games show it'}: {most}, {equal} ({p})."


@report_section("Who wins by seat")
def seats(run):
    """Win share of each seat, whoever sat there; seats are counted from 0.

    What is said of all seats together, at the top of this page, is a test of them all at once.
    """
    return figures.figure(run, "seats"), run.table("seat")


@report_section("Score by seat")
def by_seat(run):
    """Bars show how far single games lie apart; the interval shows how sure the mean is."""
    return figures.figure(run, "score-by-seat")


@report_section("Who sat there")
def strategies(run):
    """Win share by strategy, over all seats it held."""
    return run.table()
