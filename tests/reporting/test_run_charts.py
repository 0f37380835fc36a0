"""What the figures of runs show is what the rows of the run hold."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import matplotlib
import numpy as np
import polars as pl
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simlab.analysis.estimates import t_quantile
from simlab.api import Run
from simlab.errors import UserError
from simlab.reporting import canvas
from simlab.reporting.charts import ahead, cards, distribution, histogram, length, seatscores

NASTY = ["<script>alert(1)</script>", "$x_1$", r"\$ 5 & {y}^2", "n" * 200, "n" * 99 + "m" * 101]
NONE = pl.lit(None, pl.Float64)


def names(count: int) -> list[str]:
    return [*NASTY, *(f"threshold(gems={at}, late=true)" for at in range(count))][:count]


def scores(given: dict[str, list[int]]) -> pl.DataFrame:
    """Return what `score_distribution_data` gives for these scores of each strategy."""
    frames = []
    for name, held in given.items():
        values, games = np.unique(held, return_counts=True)
        own = {
            "mean": float(np.mean(held)),
            "median": float(np.quantile(held, 0.5, method="lower")),
        }
        own |= {"mean_low": own["mean"] - 1, "mean_high": own["mean"] + 1}
        counted = {"strategy": name, "score": values, "width": 1, "games": games}
        frames.append(pl.DataFrame(counted | own))
    return pl.concat(frames)


def lengths() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "length": [20, 21, 22, 24], "width": 1, "games": [1, 3, 5, 1],
            "truncated": [0, 0, 0, 1], "mean": 21.7, "mean_low": 21.0, "mean_high": 22.4,
            "median": 22.0, "column": "turns", "meaning": "turns, passes among them",
        }
    )  # fmt: skip


def seat_scores(count: int, who: list[str] | None = None) -> pl.DataFrame:
    at = np.arange(count)
    means = {"score_mean": 50.0 + at, "score_low": 49.0 + at, "score_high": 51.0 + at}
    bars = {name: 10.0 * k + at for k, name in enumerate(seatscores.QUANTILES, 2)}
    return pl.DataFrame({"seat": at, "strategy": who, "games": 300} | means | bars)


def pairs(given: list[str], width: float = 0.05) -> pl.DataFrame:
    rows = [
        {"first": a, "second": b, "beats": 0.5 + (j - i) / 100, "pairs": 600,
         "verdict": int(np.sign(j - i)) if abs(j - i) > 1 else 0}
        for i, a in enumerate(given) for j, b in enumerate(given) if i != j
    ]  # fmt: skip
    beats = pl.col("beats")
    return pl.DataFrame(rows).with_columns(beats_low=beats - width, beats_high=beats + width)


def values(given: list[str]) -> pl.DataFrame:
    share = np.linspace(0.6, 0.1, len(given))
    return pl.DataFrame(
        {
            "card": given, "games": 400, "win_share": share, "win_share_low": share - 0.05,
            "win_share_high": share + 0.05, "equal_share": 0.25, "event": "bought or reserved",
        }
    )  # fmt: skip


EVERY: dict[str, Callable[[list[str]], Figure]] = {
    "score-distribution": lambda given: distribution.score_distribution(
        scores({name: [at, at + 5, 60] for at, name in enumerate(given[:5])})
    ),
    "score-by-seat": lambda given: seatscores.score_by_seat(seat_scores(len(given), given)),
    "length": lambda given: length.length(lengths().with_columns(meaning=pl.lit(given[0]))),
    "ahead": lambda given: ahead.ahead(pairs(given if len(given) > 1 else [*given, "other"])),
    "card-value": lambda given: cards.card_value(values(given)),
}


def found(axes: Axes, gid: str) -> list[Any]:
    return [one for one in axes.get_children() if str(one.get_gid()).startswith(gid)]


def across(axes: Axes, gid: str) -> list[list[float]]:
    return [[float(x) for x in line.get_xdata()] for line in found(axes, gid)]


def bars(axes: Axes, gid: str) -> dict[float, float]:
    """Return the height of the steps of a histogram over the middle of each whole number."""
    (steps,) = found(axes, gid)
    corners = steps.get_paths()[0].vertices
    top = corners[corners[:, 1] > 0]
    low, high = math.ceil(top[:, 0].min()), math.floor(top[:, 0].max())
    heights = {}
    for x in range(low, high + 1):
        level = [a[1] for a, b in pairwise([*corners, corners[0]])
                 if a[1] == b[1] and min(a[0], b[0]) < x < max(a[0], b[0])]  # fmt: skip
        heights[x] = max(level)
    return {x: height for x, height in heights.items() if height}


def test_scores_are_counted_as_the_rows_have_them(run: Run) -> None:
    frame = distribution.score_distribution_data(run)
    rows = run.scan().collect()
    for (name,), held in frame.group_by("strategy"):
        own = rows.filter(pl.col("strategy") == name)["score"]
        assert dict(held.select("score", "games").rows()) == dict(own.value_counts().rows())
        assert held["share"].sum() == pytest.approx(1)
        assert set(held["median"]) == {own.quantile(0.5, "lower")}
        (summary,) = run.summary().filter(strategy=name).to_dicts()
        assert held.select("mean", "mean_low", "mean_high").row(0) == pytest.approx(
            [summary[end] for end in ("score_mean", "score_low", "score_high")]
        )
    assert set(frame["width"]) == {1}
    by_seat = distribution.score_distribution_data(run, "seat")
    assert by_seat["games"].sum() == 2400
    assert by_seat["mean"].null_count() == 0
    with pytest.raises(UserError, match=r"no column 'seats' in .*; did you mean seat\?"):
        distribution.score_distribution_data(run, "seats")


def test_scores_over_a_wide_range_are_counted_in_bins() -> None:
    rows = pl.LazyFrame({"seat": [0, 0, 1, 1], "score": [-5, 99_999, 7, 7]})
    frame = histogram.counted(rows, "seat", "score")
    assert set(frame["width"]) == {7}
    assert frame.select("seat", "score", "games").rows() == [(0, -5, 1), (0, 99_997, 1), (1, 2, 2)]


def test_a_distribution_shows_shares_mean_and_median_highest_mean_first() -> None:
    given = {"low": [3, 3, 3, 5, 6, 6, 7, 9], "high": [8, 8, 12, 12]}
    figure = distribution.score_distribution(scores(given))
    high, low = figure.axes
    assert [axes.get_title(loc="left") for axes in (high, low)] == ["high", "low"]
    assert bars(high, "panel-0-all") == {8: 50, 12: 50}
    assert bars(low, "panel-1-all") == {3: 37.5, 5: 12.5, 6: 25, 7: 12.5, 9: 12.5}
    assert across(low, "panel-1-mean") == [[5.25]]
    assert across(low, "panel-1-interval") == [[4.25, 6.25]]
    assert across(low, "panel-1-median") == [[5, 5]]
    (middle,) = found(low, "panel-1-middle")
    ends = middle.get_clip_box().transformed(low.transData.inverted())
    assert [ends.x0, ends.x1] == pytest.approx([2.5, 6.5])  # the numbers 3 to 6
    assert high.get_xlim() == low.get_xlim()
    assert high.get_ylim() == low.get_ylim()
    assert "n = 4 to 8 seats held" in str(figure._supxlabel.get_text()).replace("\n", " ")
    assert "low mean 5.2 [4.2, 6.2], median 5, middle half 3 to 6" in figure.get_label()


def test_bars_that_dwarf_the_others_are_cut_and_say_so_and_far_games_are_told() -> None:
    spread = list(range(40))
    frame = scores({"a": spread * 60, "b": spread * 60, "spike": [7] * 5000})
    far = frame.filter(strategy="spike").with_columns(score=pl.lit(9000), games=pl.lit(1))
    figure = distribution.score_distribution(pl.concat([frame, far.cast(dict(frame.schema))]))
    panel = figure.axes[-1]
    assert [text.get_text() for text in found(panel, "panel-2-cut")] == ["100 %"]
    assert panel.get_xlim()[1] < 50
    said = figure._supxlabel.get_text().replace("\n", " ")
    assert "Bars that are cut bear their share. Beyond the axis: 1 seats held" in said


def test_bars_are_round_and_wider_where_games_are_few() -> None:
    for games, width in ((1000, 10), (1, 20)):
        counts = histogram.Counts(np.arange(3, 900), np.full(897, games), 1)
        bins = histogram.bins_over([counts])
        assert (bins.first, bins.width) == (0, width)
        assert bins.shares(counts).sum() == pytest.approx(100)


def test_scores_by_seat_are_those_of_the_table_and_the_spread(run: Run) -> None:
    frame = seatscores.score_by_seat_data(run)
    table = run.summary("seat")
    assert frame.select("seat", "games", *seatscores.MEAN).equals(
        table.select("seat", "games", *seatscores.MEAN)
    )
    own = run.scan().filter(seat=2).collect()["score"]
    assert frame["q75"][2] == own.quantile(0.75, "lower")
    assert frame["strategy"].null_count() == 4
    figure = seatscores.score_by_seat(frame)
    wide, near = figure.axes
    for axes in (wide, near):
        assert across(axes, "dot") == [[mean] for mean in table["score_mean"]]
        assert across(axes, "fair")[0] == pytest.approx([table["score_mean"].mean()] * 2)
    assert across(wide, "median") == [[q, q] for q in frame["q50"]]
    assert near.get_xlim()[0] < min(table["score_low"])
    assert "All strategies together. n = 600 games a seat" in figure._supxlabel.get_text()


def test_a_seat_that_one_strategy_kept_bears_its_name(run: Run) -> None:
    def kept() -> pl.LazyFrame:
        return run.scan().filter(pl.col("seat").cast(int) == pl.col("game") % 4)

    first = SimpleNamespace(
        scan=kept, summary=run.summary
    )  # game g: the first entry, at seat g % 4
    frame = seatscores.score_by_seat_data(first)
    assert frame["strategy"].to_list() == ["risk_limit"] * 4
    figure = seatscores.score_by_seat(seat_scores(2, ["a", "b"]))
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels == ["seat 0, a", "seat 1, b"]
    assert "Each strategy kept its seat" in figure._supxlabel.get_text()


def fake(pieces: list[pl.DataFrame] | None = None, **more: Any) -> Any:
    """Return what a figure's data asks of a run, without a folder."""
    return SimpleNamespace(
        game="ludo", folder=Path("mine"), players=2, places=contextlib.nullcontext,
        pieces=lambda columns: (piece.select(columns) for piece in pieces or []), **more,
    )  # fmt: skip


def test_a_game_is_as_long_as_its_longest_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = SimpleNamespace(name="turns", meaning="turns, passes among them")
    monkeypatch.setattr(
        length, "find_game", lambda _: SimpleNamespace(length="turns", columns=[turns])
    )
    rows = pl.DataFrame(
        {
            "game": [0, 0, 1, 1, 2, 2, 3, 3], "deal": [0, 0, 0, 0, 1, 1, 2, 2],
            "turns": [5, 6, 6, 6, 9, 8, 6, 5],
            "end_reason": ["finished"] * 4 + ["truncated"] * 2 + ["finished"] * 2,
        }
    )  # fmt: skip
    frame = length.length_data(fake([rows[:4], rows[4:]]))
    counts = frame.select("length", "width", "games", "share", "truncated").rows()
    assert counts == [(6, 1, 3, 0.75, 0), (9, 1, 1, 0.25, 1)]
    assert frame.select("mean", "median", "column").row(0) == (6.75, 6, "turns")
    one_each = length.length_data(fake([rows[2:]]))  # a deal a game: the usual t interval
    held = np.array([6, 9, 6])
    half = t_quantile(2, 0.95) * held.std(ddof=1) / math.sqrt(3)
    assert one_each.select("mean_low", "mean_high").row(0) == pytest.approx((7 - half, 7 + half))


def test_a_length_shows_shares_and_says_what_a_length_is() -> None:
    figure = length.length(lengths())
    (axes,) = figure.axes
    assert bars(axes, "length-all") == {20: 10, 21: 30, 22: 50, 24: 10}
    assert across(axes, "length-interval") == [[21.0, 22.4]]
    said = figure._supxlabel.get_text().replace("\n", " ")
    assert "the largest 'turns' among its seats ('turns': turns, passes among them)" in said
    assert "1 of the games stopped at a cap" in said
    assert "n = 10 games" in said
    assert "mean 21.7 [21.0, 22.4], median 22, middle half 21 to 22" in figure.get_label()


def test_what_a_run_cannot_show_is_one_sentence(
    alike: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (length, cards):
        monkeypatch.setattr(
            module, "find_game", lambda _: SimpleNamespace(length=None, columns=(), events=None)
        )
    for run, data, said in (
        (fake(), length.length_data, "figure 'length': ludo does not say how long its games last"),
        (fake(), cards.card_value_data, "'card-value': the events of ludo are not grouped"),
        (alike, ahead.ahead_data, "'ahead': risk_limit holds every seat"),
    ):  # fmt: skip
        with pytest.raises(UserError, match=said):
            data(run)


def test_who_finishes_ahead_is_counted_over_all_pairs_of_seats(run: Run) -> None:
    frame = ahead.ahead_data(run)
    rows = run.scan().select("game", "strategy", "rank").collect()
    both = rows.join(rows, on="game").filter(pl.col("strategy") != pl.col("strategy_right"))
    rank, other = pl.col("rank").cast(int), pl.col("rank_right").cast(int)
    points = pl.when(rank < other).then(1.0).when(rank == other).then(0.5).otherwise(0.0)
    wanted = {
        (a, b): share
        for a, b, share in both.group_by("strategy", "strategy_right").agg(points.mean()).rows()
    }
    assert dict(zip(frame.select("first", "second").rows(), frame["beats"], strict=True)) == (
        pytest.approx(wanted)
    )
    assert set(frame["pairs"]) == {600}
    assert (frame["beats_low"] < frame["beats"]).all()
    order = list(dict.fromkeys(frame["first"]))
    means = dict(rows.group_by("strategy").agg(pl.col("rank").mean()).rows())
    assert order == sorted(order, key=lambda name: means[name])


def test_pairs_show_shares_with_intervals_and_what_is_settled() -> None:
    figure = ahead.ahead(pairs(["a", "b", "c"]))
    axes = figure.axes[-1]
    texts = {
        (round(text.get_position()[0]), round(text.get_position()[1]), text.get_weight()):
        text.get_text() for text in axes.texts if text.get_fontsize() == 8.5
    }  # fmt: skip
    assert texts[1, 0, "normal"] == "51.0"
    assert texts[2, 0, "bold"] == "52.0"
    assert texts[0, 2, "bold"] == "48.0"
    ends = [text for text in axes.texts if text.get_fontsize() == 8]
    assert "46.0\N{EN DASH}56.0" in [text.get_text() for text in ends]
    assert all(text.get_visible() for text in ends)
    figure.set_figwidth(canvas.NARROW)
    assert not any(text.get_visible() for text in ends)
    said = figure._supxlabel.get_text().replace("\n", " ")
    assert "about ±5 percentage points" in said
    assert "n = 600 pairs of seats each" in said
    assert "a ahead of b 51.0 % (46.0 to 56.0), not settled" in figure.get_label()


def test_of_many_cards_the_best_and_worst_are_shown_and_few_games_are_hollow() -> None:
    frame = values([f"c{at}" for at in range(50)]).sample(fraction=1, shuffle=True, seed=1)
    frame = frame.with_columns(games=pl.when(card="c49").then(8).otherwise("games"))
    figure = cards.card_value(frame)
    (axes,) = figure.axes
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels == [*(f"c{at}" for at in range(15)), "20 more between",
                      *(f"c{at}" for at in range(35, 50))]  # fmt: skip
    shares = dict(frame.select("card", "win_share").rows())
    dots = [100 * shares[name] for name in labels if name in shares]
    assert [x for (x,) in across(axes, "dot")] == pytest.approx(dots)
    assert len(across(axes, "interval")) == 30
    (gap,) = axes.patches
    ends = [gap.get_x(), gap.get_x() + gap.get_width()]
    assert ends == pytest.approx([100 * shares["c34"], 100 * shares["c15"]])
    hollow = [line.get_markerfacecolor() == canvas.PAPER for line in found(axes, "dot")]
    assert hollow == [False] * 29 + [True]
    assert across(axes, "fair") == [[25, 25]]
    texts = [text.get_text() for text in axes.texts]
    assert {"8", "400", "equal share 25 %"} <= set(texts)
    said = figure._supxlabel.get_text().replace("\n", " ")
    for part in ("Association, not cause", "best and worst 15 of 50", "fewer than 100 games"):
        assert part in said


def test_cards_are_grouped_as_the_game_says(monkeypatch: pytest.MonkeyPatch) -> None:
    groups = {"card": ("bought",), "any": ("bought", "reserved")}
    events = SimpleNamespace(groups=groups)
    monkeypatch.setattr(cards, "find_game", lambda _: SimpleNamespace(events=events))
    run = fake(summary=lambda by, level: values(["x"]).select(pl.first().alias(by), "games"))
    assert cards.card_value_data(run).to_dicts() == [
        {"card": "x", "games": 400, "equal_share": 0.5, "event": "bought"}
    ]
    assert cards.card_value_data(run, "any")["event"].to_list() == ["bought or reserved"]
    with pytest.raises(UserError, match=r"no grouping 'cards' of the events of ludo; did you mean"):
        cards.card_value_data(run, "cards")


@pytest.mark.parametrize("kind", EVERY)
def test_every_figure_holds_one_strategy_and_forty_of_any_name(kind: str) -> None:
    before = dict(matplotlib.rcParams)
    EVERY[kind](names(1)).draw_without_rendering()
    figure = EVERY[kind](names(40))
    assert len(figure.get_label()) > 40
    assert isinstance(figure, canvas.SimlabFigure)
    drawn = canvas.narrowed(figure)
    assert "<script" not in drawn
    assert 'width="288pt"' in drawn
    assert len(drawn) < canvas.DENSE
    assert not [light for light in canvas.DARK if light in canvas.darkened(drawn)]
    for axes in figure.axes:
        boxes = [label.get_window_extent() for label in axes.get_yticklabels()]
        assert all(box.x0 >= 0 for box in boxes)
    assert dict(matplotlib.rcParams) == before


def test_where_nothing_is_sure_no_interval_is_drawn() -> None:
    ends = ("mean_low", "mean_high", "score_low", "score_high", "beats_low", "beats_high",
            "win_share_low", "win_share_high")  # fmt: skip
    for frame, draw in (
        (scores({"a": [7], "b": [7]}), distribution.score_distribution),
        (lengths().head(1), length.length), (seat_scores(1), seatscores.score_by_seat),
        (pairs(["a", "b"]), ahead.ahead), (values(["x"]), cards.card_value),
    ):  # fmt: skip
        none = frame.with_columns(NONE.alias(name) for name in ends if name in frame.columns)
        figure = draw(none)
        figure.draw_without_rendering()
        gids = [str(line.get_gid()) for axes in figure.axes for line in axes.lines]
        assert not [gid for gid in gids if "interval" in gid]
        assert [gid for gid in gids if "dot" in gid or "mean" in gid] or draw is ahead.ahead
        assert "[" not in figure.get_label()


@pytest.mark.parametrize(
    ("frame", "draw", "column"),
    [
        (scores({"a": [7]}), distribution.score_distribution, "median"),
        (lengths(), length.length, "truncated"),
        (seat_scores(2), seatscores.score_by_seat, "q05"),
        (pairs(["a", "b"]), ahead.ahead, "beats_low"),
        (values(["x"]), cards.card_value, "equal_share"),
    ],
)
def test_a_frame_that_cannot_be_drawn_is_one_sentence(
    frame: pl.DataFrame, draw: Callable[[Any], Figure], column: str
) -> None:
    with pytest.raises(UserError, match=f"no column '{column}' in the frame of the figure"):
        draw(frame.drop(column))
    with pytest.raises(UserError, match="has 0 rows"):
        draw(frame.head(0))
    with pytest.raises(UserError, match="not from a LazyFrame"):
        draw(frame.lazy())
