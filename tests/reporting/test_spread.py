"""Quantiles from counts equal those of all rows."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from simlab.api import Run
from simlab.errors import UserError
from simlab.reporting.spread import MOST_VALUES, QUANTILES, spread


def test_quantiles_are_those_of_the_rows(run: Run) -> None:
    rows = run.scan().collect()
    found = spread(run.scan())
    assert found.columns == ["strategy", "games", "q05", "q25", "q50", "q75", "q95"]
    for row in found.to_dicts():
        scores = rows.filter(pl.col("strategy").cast(pl.String) == row["strategy"])["score"]
        wanted = np.quantile(scores.to_numpy(), QUANTILES, method="inverted_cdf")
        assert [row[name] for name in found.columns[2:]] == wanted.tolist()
        assert row["games"] == len(scores)


def test_other_columns_and_probabilities(run: Run) -> None:
    found = spread(run.scan(), by="seat", at=(0.125, 1.0), value="relics")
    assert found.columns == ["seat", "games", "q12.5", "q100"]
    assert found["seat"].to_list() == [0, 1, 2, 3]
    most = run.scan().group_by("seat").agg(pl.col("relics").max()).sort("seat").collect()
    assert found["q100"].to_list() == most["relics"].to_list()


def test_a_wide_range_is_binned_closely() -> None:
    values = np.random.default_rng(1).integers(-(10**9), 10**9, 30_000)
    frame = pl.DataFrame({"strategy": ["a"] * len(values), "score": values})
    row = spread(frame).to_dicts()[0]
    width = float(np.ptp(values)) / MOST_VALUES
    wanted = np.quantile(values, QUANTILES, method="inverted_cdf")
    for name, exact in zip(("q05", "q25", "q50", "q75", "q95"), wanted, strict=True):
        assert 0 <= exact - row[name] <= width


def test_one_row_and_none() -> None:
    frame = pl.DataFrame({"strategy": ["a"], "score": [7]})
    assert spread(frame).row(0) == ("a", 1, 7.0, 7.0, 7.0, 7.0, 7.0)
    assert spread(frame.head(0)).is_empty()


def test_slips() -> None:
    frame = pl.DataFrame({"strategy": ["a"], "score": [7]})
    with pytest.raises(UserError, match="no column 'seat'"):
        spread(frame, by="seat")
    with pytest.raises(UserError, match="quantiles must be above 0"):
        spread(frame, at=(0.5, 50))
