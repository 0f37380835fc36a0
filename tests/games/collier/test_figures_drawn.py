"""What the figures of Le Collier show is what was played, recounted from the rows."""

from __future__ import annotations

import statistics
from collections import Counter
from typing import Any

import polars as pl
import pytest
from matplotlib.figure import Figure
from scipy.stats import t

import simlab
from simlab.api import Run
from simlab.reporting.plots import drawn, own_plots

GAMES = 40
LINE_UP = ["dearest_single", "cheapest_many", "dearest_single"]
NASTY = ["<script>alert(1)</script>", "$x_1$", "n" * 200]
SALES = ("points_sale_1", "points_sale_2", "points_sale_3")
PLOTS = own_plots("collier")
points_by_sale, when_sales_come = PLOTS["points-by-sale"], PLOTS["when-sales-come"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return games in which one strategy holds two seats."""
    out = tmp_path_factory.mktemp("collier") / "run"
    found: Run = simlab.run("collier", 3, GAMES, LINE_UP, out=out, quiet=True)
    return found


def rows(run: Run) -> list[dict[str, Any]]:
    frame = run.scan().sort("game", "seat").collect()
    return frame.with_columns(pl.col("strategy").cast(pl.String)).to_dicts()


def interval(by_game: list[float]) -> tuple[float, float, float]:
    """Return mean and interval where every game is a deal of its own."""
    mean = statistics.mean(by_game)
    half = t.ppf(0.975, len(by_game) - 1) * statistics.stdev(by_game) / len(by_game) ** 0.5
    return mean, mean - half, mean + half


def marks(figure: Figure, gid: str) -> list[Any]:
    """Return the marks of a figure with this id."""
    return [one for axes in figure.axes for one in axes.get_children() if one.get_gid() == gid]


def outside(figure: Figure) -> list[str]:
    """Return the names and numbers of a figure that reach over its sides."""
    figure.draw_without_rendering()
    words = [text for axes in figure.axes for text in axes.texts if text.get_visible()]
    boxes = [(text.get_text(), text.get_window_extent()) for text in words]
    return [word for word, box in boxes if box.x0 < -1 or box.x1 > figure.bbox.x1 + 1]


def test_points_by_sale_are_those_of_the_rows(run: Run) -> None:
    frame = points_by_sale.data(run)
    assert frame.height == 2 * 4
    for row in frame.to_dicts():
        column = "score" if row["source"] == "all" else row["source"]
        by_game: dict[int, list[int]] = {}
        for one in rows(run):
            if one["strategy"] == row["strategy"]:
                by_game.setdefault(one["game"], []).append(one[column])
        right = interval([statistics.mean(points) for points in by_game.values()])
        assert (row["estimate"], row["low"], row["high"]) == pytest.approx(right)
        assert row["games"] == sum(map(len, by_game.values()))


def test_the_bars_are_those_of_the_frame(run: Run) -> None:
    frame, figure = points_by_sale.data(run), drawn(run, points_by_sale)
    best = frame.filter(source="all").sort("estimate", descending=True)["strategy"].to_list()
    for part, source in enumerate(SALES):
        widths = [bar.get_width() for bar in marks(figure, f"sale-{part}")]
        held = {row["strategy"]: row["estimate"] for row in frame.filter(source=source).to_dicts()}
        assert widths == pytest.approx([held[name] for name in best])
    label = str(figure.get_label())
    assert all(name in label for name in best)
    assert outside(figure) == []


def test_sales_come_in_the_turns_of_the_rows(run: Run) -> None:
    frame, means = when_sales_come.data(run)
    games = [row for row in rows(run) if row["seat"] == 0]
    assert len(games) == GAMES
    for sale in (1, 2, 3):
        turns = [row[f"sale_{sale}"] for row in games]
        held = frame.filter(sale=sale)
        assert held["turn"].to_list() == list(range(max(row["turns"] for row in games) + 1))
        found = {row["turn"]: row["games"] for row in held.to_dicts() if row["games"]}
        assert found == Counter(turns)
        (mean,) = means.filter(sale=sale).to_dicts()
        assert (mean["estimate"], mean["low"], mean["high"]) == pytest.approx(interval(turns))
        assert mean["games"] == GAMES


def test_the_shares_and_means_are_drawn(run: Run) -> None:
    frame, means = when_sales_come.data(run)
    figure = drawn(run, when_sales_come)
    for sale in (1, 2, 3):
        (stairs,) = marks(figure, f"held-{sale}")
        shares = frame.filter(sale=sale)["games"].to_numpy() / GAMES * 100
        assert stairs.get_data().values == pytest.approx(shares)
        (line,) = marks(figure, f"mean-{sale}")
        assert line.get_xdata()[0] == means.filter(sale=sale)["estimate"].item()
    assert "the third in turn" in str(figure.get_label())
    assert outside(figure) == []


@pytest.mark.parametrize("name", sorted(PLOTS))
@pytest.mark.parametrize("games", [1, 3])
def test_few_games_are_drawn(name: str, games: int, tmp_path: Any) -> None:
    few = simlab.run("collier", 2, games, "random", out=tmp_path / "few", quiet=True)
    assert drawn(few, PLOTS[name]).axes


@pytest.mark.parametrize("name", NASTY)
def test_odd_names_are_drawn(run: Run, name: str) -> None:
    frame = points_by_sale.data(run).with_columns(
        strategy=pl.when(pl.col("strategy") == "cheapest_many")
        .then(pl.lit(name))
        .otherwise(pl.col("strategy").cast(pl.String))
    )
    figure = points_by_sale.draw(frame)
    assert outside(figure) == []


def test_forty_strategies_and_more_are_drawn(run: Run) -> None:
    one = points_by_sale.data(run).with_columns(pl.col("strategy").cast(pl.String))
    many = pl.concat([one.with_columns(strategy=pl.col("strategy") + f" {n}") for n in range(30)])
    figure = points_by_sale.draw(many)
    assert len(figure.axes[0].get_yticklabels()) == 40
