"""What the figures of games share: counts by strategy and deal, means, and lines over time."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from simlab import figures
from simlab.api import Run
from simlab.reporting import canvas
from simlab.reporting.charts import own

OF = ("turn", "points")


def test_the_door_hands_out_all_of_it() -> None:
    assert sorted(figures.OF_GAMES) == sorted(own.__all__)
    assert all(getattr(figures, name) is getattr(own, name) for name in own.__all__)


def test_the_means_of_sources_are_those_of_the_rows_and_all_is_the_score(run: Run) -> None:
    frame = own.source_means(run, ("leftovers", "relic_gems"))
    scores = {row["strategy"]: row for row in run.summary().to_dicts()}
    assert frame["source"].to_list() == ["leftovers", "relic_gems", "all"] * len(scores)
    for row in frame.to_dicts():
        mine = run.scan().collect().filter(strategy=row["strategy"])
        of = "score" if row["source"] == "all" else row["source"]
        assert (row["estimate"], row["games"]) == (pytest.approx(mine[of].mean()), mine.height)
        if of == "score":
            wanted = [scores[row["strategy"]][f"score_{end}"] for end in ("mean", "low", "high")]
            assert [row[end] for end in own.ESTIMATE] == pytest.approx(wanted)
    names, ends = own.by_source(frame)
    assert [ends[name, "all"][0] for name in names] == sorted(
        (row["score_mean"] for row in scores.values()), reverse=True
    )


def test_cells_count_and_sum_and_are_added_however_long() -> None:
    words = pl.Enum(["never", "b", "a"])
    held = pl.DataFrame(
        {"strategy": ["a", "a", "b"], "deal": [3, 1027, 0], "turn": [2, 2, 0], "points": [5, 2, 4]},
        schema_overrides={"strategy": words},
    )
    number, points = own.cells(held, "turn"), own.cells(held, "turn", "points")
    assert number.shape == points.shape == (3, own.BUCKETS, 3)
    assert number[2, 3].tolist() == [0, 0, 2]
    assert points[2, 3].tolist() == [0, 0, 7]
    assert (number.sum(), points.sum(), points[1, 0, 0]) == (3, 11, 4)
    shorter = own.cells(held.filter(turn=0), "turn", "points")
    assert own.added([shorter, points, shorter])[:, 0].tolist() == [[0] * 3, [12, 0, 0], [0] * 3]
    assert own.cells(held.clear(), "turn").shape == (3, own.BUCKETS, 1)


def test_a_share_is_reached_when_exactly_so_many_have_come() -> None:
    assert [own.reached(np.array([0.0, 1, 2, 1]), at) for at in (0.25, 0.5, 0.75, 1)] == [
        1,
        2,
        2,
        3,
    ]
    for games in range(100, 2001, 100):
        assert own.reached(np.array([99.0 * games // 100, games // 100]), 0.99) == 0
        assert own.reached(np.array([99.0 * games // 100 - 1, games // 100 + 1]), 0.99) == 1


def test_lengths_and_gains_are_those_of_the_rows(run: Run) -> None:
    rows = run.scan().collect()
    lengths, last = own.ended(run, "cards")
    first = rows.filter(seat=0)["cards"].to_numpy()
    wanted = np.quantile(first, (0.25, 0.5, 0.75, 1), method="inverted_cdf").tolist()
    assert lengths.row(0) == (600, *wanted)
    assert last == np.quantile(first, 0.99, method="inverted_cdf")
    longest = int(rows["cards"].to_numpy().max())
    frame = own.so_far(run, own.cells(rows, "cards", "shares"), longest + 1, ("time", "gems"))
    assert frame.columns == ["strategy", "time", "gems", "low", "high", "games"]
    assert frame.height == 4 * (longest + 2)
    for time in (last, longest, longest + 1):
        for row in frame.filter(time=time).to_dicts():
            mine = rows.filter(pl.col("strategy") == row["strategy"], pl.col("cards") <= time)
            assert row["gems"] == pytest.approx(mine["shares"].to_numpy().sum() / row["games"])


def test_at_most_eight_lines_are_drawn_and_told_the_highest_first() -> None:
    frame = pl.DataFrame(
        {"strategy": f"s{at}", "turn": turn, "points": 1.0 * at * turn}
        | {"low": at * turn - 0.5, "high": at * turn + 0.5, "games": 9}
        for at in range(10)
        for turn in range(4)
    )
    lengths = pl.DataFrame({"games": [9], "q25": [1], "q50": [2], "q75": [3], "longest": [7]})
    with canvas.style():
        chart = own.parts.Chart(4.0)
        panels = chart.subplots(2, sharex=True)
        ends = own.growth(chart, panels, frame, lengths, OF, 1.5)
    assert ends["strategy"].to_list() == [f"s{at}" for at in range(9, 1, -1)]
    assert own.line_words(ends[:2], "points") == "s9 27.0 [26.5, 27.5], s8 24.0 [23.5, 24.5]"
    assert own.over_words(lengths, "turn", 3) == (
        "By turn 3, 99 % of the 9 games were over; the longest took 7"
    )
    marks: list[Any] = [mark for axes in panels for mark in axes.get_children()]
    found = [mark.get_gid() for mark in marks if mark.get_gid()]
    assert found.count("half") == found.count("middle-half") == 2
    assert [gid for gid in found if gid.startswith("line-")] == [f"line-{at}" for at in range(8)]
    texts = [mark.get_text() for mark in marks if str(mark.get_gid()).startswith("end-")]
    assert (texts[0], len(texts)) == ("27.0 s9", 8)
    assert panels[0].texts[0].get_text() == "half of the games over: turn 2"
