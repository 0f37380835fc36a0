"""How scores spread: quantiles of each group, from counts alone, so that memory stays small."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from simlab.errors import UserError, one_of

if TYPE_CHECKING:
    import polars as pl

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
MOST_VALUES = 2**14
"""Scores over a wider range are counted in bins of equal width, at most this many."""


def spread(
    rows: pl.LazyFrame | pl.DataFrame,
    by: str = "strategy",
    at: Sequence[float] = QUANTILES,
    value: str = "score",
) -> pl.DataFrame:
    """Return quantiles of a column of the rows for each group, in one or two streamed passes.

    rows: one row per game and seat, such as `run.scan()`; by: the column to group by; at: the
    probabilities, each in (0, 1]; value: the column whose spread is asked for. The quantile of p
    is the smallest value that at least a share p of the rows does not exceed; where the values
    reach over more than 16,384, it is low by less than 1/16,384 of that range.

    Columns: `by`, games (rows counted), and for each p one such as q05 or q50, float64.
    UserError for an unknown column or a p out of range.
    """
    import polars as pl

    lazy = rows.lazy()
    names = lazy.collect_schema().names()
    for name in (by, value):
        if name not in names:
            raise one_of("column", name, names)
    if not all(0 < p <= 1 for p in at):
        raise UserError(f"quantiles must be above 0 and at most 1, such as 0.5, not {list(at)}.")
    counts = _counts(lazy, by, value)
    total, so_far = pl.col("rows").sum().over(by), pl.col("rows").cum_sum().over(by)
    ranked = counts.sort(by, "value").with_columns(share=so_far / total)
    reached = [
        pl.col("value").filter(pl.col("share") >= p * (1 - 1e-12)).min().alias(_name(p)) for p in at
    ]
    return ranked.group_by(by, maintain_order=True).agg(
        pl.col("rows").sum().cast(pl.Int64).alias("games"), *reached
    )


def _counts(rows: pl.LazyFrame, by: str, value: str) -> pl.DataFrame:
    """Return by, value (the lower edge of its bin) and rows: how many there are."""
    import polars as pl

    number = pl.col(value).cast(pl.Float64)
    ends = rows.select(low=number.min(), high=number.max()).collect(engine="streaming")
    low, high = ends.row(0)
    width = 1.0
    if low is not None and (high - low > MOST_VALUES or rows.collect_schema()[value].is_float()):
        width = (high - low) / MOST_VALUES or 1.0
    edge = (((number - low) / width).floor() * width + low) if low is not None else number
    return (
        rows.group_by(by, edge.alias("value"))
        .agg(pl.len().alias("rows"))
        .collect(engine="streaming")
    )


def _name(p: float) -> str:
    return f"q{p * 100:02.0f}" if float(p * 100).is_integer() else f"q{p * 100:g}"
