"""How often strategies of Dice 21 go bust, and what it costs them."""

import polars as pl

from simlab import report_section


@report_section("Busts")
def busts(run):
    """Busts and totals of exactly the target, per game, with the mean score beside them."""
    if run.scan().collect_schema().get("busts") is None:
        return "This page is about runs of dice21."
    return (
        run.scan()
        .group_by("strategy")
        .agg(pl.col("busts", "exact", "rolls", "score").mean().round(2))
        .sort("busts")
        .collect()
    )


@report_section("A bust more, a place less")
def cost(run):
    """Mean rank of all seats by the number of rounds they lost to a bust."""
    from matplotlib.figure import Figure

    if run.scan().collect_schema().get("busts") is None:
        return None
    ranks = run.scan().group_by("busts").agg(pl.col("rank").mean()).sort("busts").collect()
    figure = Figure(figsize=(6, 3), layout="constrained")
    axes = figure.subplots()
    axes.plot(ranks["busts"].to_list(), ranks["rank"].to_list(), marker="o")
    axes.set_xlabel("busts in a game")
    axes.set_ylabel("mean rank (1 is best)")
    axes.invert_yaxis()
    return figure
