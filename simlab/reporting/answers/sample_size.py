"""The answer to how many games are enough, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simlab.reporting.answers.sheet import Sheet
from simlab.study.outcomes import OBJECTIVES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from simlab.study.sample_size import PairPlan, SampleSize


def _amount(result: SampleSize, value: float) -> str:
    """Write a difference in its unit."""
    if result.objective == "win":
        return f"{100 * value:.4g} %"
    word = "place" if result.objective == "rank" else "point"
    return f"{value:.4g} {word}{'' if value == 1 else 's'}"


def _size(one: PairPlan) -> str:
    each = one.plan.games // one.plan.units
    return f"{one.plan.games:,} games" + (f" ({one.plan.units:,} deals of {each})" * (each > 1))


def sentence(result: SampleSize) -> str:
    """Return the answer in one sentence."""
    most, least = result.pairs[0], result.pairs[-1]
    of = f" of {OBJECTIVES[result.objective]}" if result.objective in ("win", "rank") else ""
    found = (
        f"find a true difference of {_amount(result, result.detect)}{of} with a power of "
        f"{100 * result.power:g} % at a level of {100 * result.level:g} %"
    )
    if len(result.pairs) == 1:
        many = f", as one of {result.comparisons:,} comparisons" * (result.comparisons > 1)
        return f"{_size(most)} {found} between {most.a} and {most.b}{many}."
    return (
        f"{_size(most)} {found} in each of {result.comparisons:,} comparisons; {most.a} and "
        f"{most.b} take most, {least.a} and {least.b} least, {_size(least)}."
    )


def tables(result: SampleSize) -> list[Sheet]:
    """Return the plan of each comparison."""
    import polars as pl

    scale, unit = (100, ", %") if result.objective == "win" else (1, "")
    until = pl.Series([one.until and one.until.to_no_difference for one in result.pairs])
    frame = result.summary().select(
        pl.col("a").alias("A"),
        pl.col("b").alias("B"),
        (scale * pl.col("sd")).round(2).alias(f"sd of a deal{unit}"),
        pl.col("factor").round(3).alias("factor"),
        "deals",
        "games",
        pl.col("until_deals").alias("until settled, deals"),
        pl.col("until_games").alias("until settled, games"),
    )
    if until.is_null().all():
        frame = frame.drop("until settled, deals", "until settled, games")
    caption = (
        f"To find a difference of {_amount(result, result.detect)} with a power of "
        f"{100 * result.power:g} %."
    )
    return [Sheet("Deals and games", frame, caption)]


def figures(result: SampleSize) -> dict[str, Figure]:
    """Return the figure of the games that find each difference."""
    from simlab.reporting.charts.sample_size import sample_size_curve

    return {"sample-size": sample_size_curve(result.summary(), objective=result.objective)}


def notes(result: SampleSize) -> list[str]:
    """Return where the numbers come from, and how to read them."""
    block = result.block
    played = f"a deal is {block} games, in which the seats are balanced" if block > 1 else ""
    lines = [f"The deal is the unit; {played or 'a deal is one game'}."]
    if result.pilot:
        lines.append(
            f"From a pilot of {result.pilot:,} deals that nobody keeps; its variance is a guess, "
            "so it counts times the factor, with which 8 of 10 pilots lead to the power asked for."
        )
    if result.comparisons > 1:
        lines.append(
            f"All {result.comparisons:,} comparisons together are at a level of "
            f"{100 * result.level:g} %, each at its part of it (Bonferroni)."
        )
    if any(one.until is not None for one in result.pairs):
        lines.append(
            "Until settled: about how many a stopping rule takes, such as that of a duel with "
            f'a margin of {_amount(result, result.detect)}, to say "no difference over the '
            'margin" where there is none; a larger true difference ends it sooner.'
        )
    else:
        lines.append(
            "The range of scores is not known, so nothing is said of a stopping rule; name it "
            "with --score-range LOW:HIGH."
        )
    warnings = dict.fromkeys(one.plan.note for one in result.pairs if one.plan.note)
    return lines + [f"Caution: {note}." for note in warnings]
