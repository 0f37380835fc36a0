"""What the figures of answers show is what their frames hold."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import matplotlib
import numpy as np
import polars as pl
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, PathPatch

from simlab.analysis.planning import Spread, plan_difference
from simlab.errors import UserError
from simlab.reporting import canvas, images
from simlab.reporting.charts import duel, heat, parts, rules, sample_size, sweep, tournament

NASTY = ["<script>alert(1)</script>", "$x_1$", r"\$ 5 & {y}^2", "n" * 200, "n" * 99 + "m" * 101]
GEMS, RISK = "threshold.gems", "threshold.risk"


def names(count: int) -> list[str]:
    return [*NASTY, *(f"threshold(gems={at}, late=true)" for at in range(count))][:count]


def duel_frames(a: str = "x", b: str = "y") -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    looks = [(4000 * at, 0.03, 0.03 - 0.04 / at, 0.03 + 0.04 / at) for at in (1, 2, 3, 4)]
    path = pl.DataFrame(looks, ("games", "estimate", "low", "high"), orient="row")
    one = {"a": a, "b": b, "objective": "win", "estimate": 0.03, "low": 0.02, "high": 0.04}
    rest = {"p": 0.001, "verdict": "A better", "margin": 0.005, "deals": 4000, "games": 16_000}
    shares = pl.DataFrame(
        {
            "strategy": [a, b], "games": 16_000,
            "win_share": [0.28, 0.25], "win_share_low": [0.27, 0.24],
            "win_share_high": [0.29, 0.26], "score_mean": 61.0, "score_low": 60.0,
            "score_high": 62.0,
        }
    )  # fmt: skip
    return pl.DataFrame([one | rest | {"level": 0.95, "method": "sequence"}]), path, shares


def sweep_frame(players: tuple[int, ...] = (3, 5), risks: int = 1) -> pl.DataFrame:
    rows = [
        {
            GEMS: gems, RISK: 0.1 * risk, "players": count,
            "estimate": 1 / count + 0.05 - abs(gems - 12) / 200 - 0.02 * risk,
            "kept": abs(gems - 12) <= 4 and not risk, "games": 6000, "deals": 2000,
        }
        for count in players for risk in range(risks) for gems in (4, 8, 12, 16, 20)
    ]  # fmt: skip
    return pl.DataFrame(rows).with_columns(
        low=pl.col("estimate") - 0.01, high=pl.col("estimate") + 0.012
    )


def field(given: list[str]) -> tuple[pl.DataFrame, pl.DataFrame]:
    theta = np.linspace(1, -1, len(given))
    share = np.exp(theta) / np.exp(theta).sum()
    summary = pl.DataFrame(
        {
            "place": range(1, len(given) + 1), "strategy": given,
            "letters": ["abc" if at % 2 else "a" for at in range(len(given))],
            "win_share": share, "win_share_low": 0.9 * share, "win_share_high": 1.1 * share,
            "rating": theta, "rating_low": theta - 0.1, "rating_high": theta + 0.1,
            "games": 300, "deals": 100,
        }
    )  # fmt: skip
    pairs = [
        (given[i], given[j], beats, int(np.sign(beats - 0.5)) * (abs(beats - 0.5) > 0.1))
        for i in range(len(given)) for j in range(len(given)) if i != j
        for beats in [1 / (1 + math.exp(theta[j] - theta[i]))]
    ]  # fmt: skip
    return summary, pl.DataFrame(pairs, ("first", "second", "beats", "verdict"), orient="row")


def rule_frame(given: list[str]) -> pl.DataFrame:
    rows = []
    for what, of in [("win_share", name) for name in given] + [("turns", None)]:
        for rule, add, p in (("official", 0.0, None), ("pair", 0.02, 0.05), ("mine", -0.01, 0.06)):
            at = 0.3 + 0.01 * len(rows) + add
            row = {"what": what, "strategy": of, "rules": rule, "estimate": at, "low": at - 0.01}
            change = None if p is None else add
            row |= {"high": at + 0.01, "change": change, "change_low": None, "change_high": None}
            rows.append(row | {"p_holm": p, "games": 900, "deals": 300})
    return pl.DataFrame(rows, infer_schema_length=None)


def size_frame(sds: tuple[float, ...] = (0.4,)) -> pl.DataFrame:
    rows = []
    for sd in sds:
        plan = plan_difference(Spread(sd * math.sqrt(1.2)), 0.01, comparisons=2, block_games=4)
        row = {"detect": 0.01, "power": 0.9, "level": 0.95, "comparisons": 2, "sd": sd}
        row |= {"factor": 1.2, "deals": plan.units, "games": plan.games}
        rows.append(row | {"until_deals": 2 * plan.units, "until_games": 2 * plan.games})
    return pl.DataFrame(rows)


EVERY: dict[str, Callable[[list[str]], Figure]] = {
    "duel": lambda given: duel.duel(*duel_frames(given[0], given[-1])),
    "curve": lambda given: sweep.sweep_curve(sweep_frame(), GEMS, "win"),
    "words": lambda given: sweep.sweep_curve(
        sweep_frame((4,)).head(1).join(pl.DataFrame({"word": given}), how="cross"), "word", "win"
    ),
    "map": lambda given: sweep.sweep_map(sweep_frame((3, 5), 3), GEMS, RISK, "rank"),
    "ranking": lambda given: tournament.ranking(field(given)[0], 4),
    "pairs": lambda given: tournament.pair_map(field(given)[1]),
    "ratings": lambda given: tournament.ratings(field(given)[0]),
    "rules": lambda given: rules.rule_slopes(rule_frame(given), "win_share"),
    "length": lambda given: rules.rule_slopes(rule_frame(given), "turns"),
    "size": lambda given: sample_size.sample_size_curve(size_frame((0.4, 0.3))),
}


def lines(axes: Axes, name: str) -> list[tuple[list[float], list[float]]]:
    """Return x and y of the lines whose mark has this name, in the order they were drawn."""
    found = [line for line in axes.lines if str(line.get_gid()).startswith(name)]
    return [(list(map(float, line.get_xdata())), list(map(float, line.get_ydata())))
            for line in found]  # fmt: skip


def squares(axes: Axes) -> dict[tuple[int, int], tuple[float, float, str]]:
    """Return width, strength and colour of the square in each cell (column, row) of a map."""
    found = {}
    for patch in axes.patches:
        if isinstance(patch, PathPatch) and str(patch.get_gid()).startswith("cells"):
            for corners in np.split(patch.get_path().vertices, len(patch.get_path()) // 5):
                low, high = corners.min(axis=0), corners.max(axis=0)
                x, y = (low + high) / 2
                colour = matplotlib.colors.to_hex(patch.get_facecolor())
                found[round(x), round(y)] = (round(high[0] - low[0], 6), patch.get_alpha(), colour)
    return found


def across(axes: Axes, patch: Patch) -> list[float]:
    """Return where a stretch of the axes begins and ends along x."""
    box = patch.get_window_extent().transformed(axes.transData.inverted())
    return [box.x0, box.x1]


def texts(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def test_a_duel_shows_the_difference_both_shares_and_every_look() -> None:
    summary, path, shares = duel_frames()
    figure = duel.duel(summary, path, shares)
    first, both, looks = figure.axes
    assert lines(first, "dot") == [([3.0], [0.0])]
    assert lines(first, "interval") == [([2.0, 4.0], [0.0, 0.0])]
    assert lines(first, "zero")[0][0] == [0, 0]
    (margin,) = [patch for patch in first.patches if patch.get_gid() == "margin"]
    assert across(first, margin) == pytest.approx([-0.5, 0.5])
    assert [x for x, _ in lines(both, "dot")] == [[100 * share] for share in (0.28, 0.25)]
    assert lines(looks, "path-low") == [
        (path["games"].to_list(), pytest.approx([100 * low for low in path["low"]]))
    ]
    assert "risk" not in figure.get_label()
    assert "x minus y" in figure.get_label()
    assert (
        "+3.00, 95 % interval 2.00 to 4.00; margin 0.5; verdict: A better; 16,0"
        in figure.get_label()
    )
    assert "n = 16,000 games (4,000 deals" in figure._supxlabel.get_text().replace("\n", " ")


def test_a_duel_without_looks_margin_or_interval_is_drawn() -> None:
    summary, path, _ = duel_frames()
    bare = summary.with_columns(
        pl.lit(None, pl.Float64).alias(name) for name in ("estimate", "low", "high", "margin")
    ).with_columns(objective=pl.lit("rank"))
    figure = duel.duel(bare, path.head(1))
    assert len(duel.duel(bare, pl.DataFrame()).axes) == 1
    assert len(figure.axes) == 1
    assert not lines(figure.axes[0], "dot")
    assert "no interval" in figure.get_label()
    canvas.svg(figure)
    with pytest.raises(UserError, match=r"no objective 'wins'.*did you mean win"):
        duel.duel(summary.with_columns(objective=pl.lit("wins")))
    with pytest.raises(UserError, match="has 2 rows; this figure shows 1 to 1, one for each duel"):
        duel.duel(pl.concat([summary, summary]))


def test_a_curve_shows_its_band_the_region_and_the_best() -> None:
    frame = sweep_frame()
    figure = sweep.sweep_curve(frame.sample(fraction=1, shuffle=True, seed=1), GEMS, "win")
    for axes, players in zip(figure.axes, (3, 5), strict=True):
        held = frame.filter(players=players)
        shares = [100 * share for share in held["estimate"]]
        assert lines(axes, "curve") == [([4, 8, 12, 16, 20], shares)]
        assert lines(axes, "best") == [([12], [shares[2]])]
        assert sorted(x for (x,), _ in lines(axes, "kept")) == [8, 16]
        assert sorted(x for (x,), _ in lines(axes, "left")) == [4, 20]
        assert lines(axes, "fair")[0][1] == [100 / players] * 2
        (band,) = [part for part in axes.collections if part.get_gid() == "band"]
        ends = band.get_paths()[0].vertices
        assert {4.0, 20.0} < set(ends[:, 0])
        assert ends[:, 1].max() == pytest.approx(100 * held["high"].max())
        assert ends[:, 1].min() == pytest.approx(100 * held["low"].min())
        assert [patch.get_gid() for patch in axes.patches] == ["region"]
        assert across(axes, axes.patches[0]) == pytest.approx([6, 18])
    heights = [np.ptp(axes.get_ylim()) for axes in figure.axes]
    assert heights[0] == pytest.approx(heights[1])
    assert "3 players: best 12 (38.3 %), may be the best: 8, 12, 16;" in figure.get_label()


def test_of_ranks_the_least_is_the_best_and_lies_on_top() -> None:
    (axes,) = sweep.sweep_curve(sweep_frame((4,)), GEMS, "rank").axes
    assert lines(axes, "best")[0][0] == [4]
    assert axes.yaxis_inverted()
    assert not lines(axes, "fair")


def test_words_as_values_are_lines_of_dots() -> None:
    frame = sweep_frame((4,)).with_columns(word=pl.Series(["bold", "shy", "mad", "sly", "old"]))
    (axes,) = sweep.sweep_curve(frame, "word", "win").axes
    assert [label.get_text() for label in axes.get_yticklabels()] == frame["word"].to_list()
    assert lines(axes, "best") == [([100 * frame["estimate"][2]], [2])]
    assert lines(axes, "interval-4")[0][0] == [100 * frame[end][4] for end in ("low", "high")]


def test_a_map_is_the_stronger_the_better_with_what_may_be_the_best_outlined() -> None:
    frame = sweep_frame((4,), 3)
    _, axes = sweep.sweep_map(frame, GEMS, RISK, "win").axes
    found = squares(axes)
    assert len(found) == frame.height
    assert max(found, key=lambda cell: found[cell][1]) == (2, 0)
    strengths = [found[x, 0][1] for x in range(3)]
    assert strengths == sorted(strengths)
    assert found[2, 2][1] < found[2, 1][1] < found[2, 0][1]
    outlines = {patch.get_gid(): patch.get_path() for patch in axes.patches if patch.get_gid()}
    assert outlines["kept"].get_extents().extents.tolist() == [0.5, -0.5, 3.5, 0.5]
    assert len(outlines["kept"]) == 2 * 8  # the outer sides of three cells, none between them
    assert outlines["best"].get_extents().contains(2, 0)
    assert len(texts(axes)) == frame.height
    assert "30.0" in texts(axes)


def test_what_varied_besides_is_not_drawn_over() -> None:
    with pytest.raises(UserError, match=r"several rows for one value of threshold.gems"):
        sweep.sweep_curve(sweep_frame((4,), 2), GEMS, "win")


def test_a_ranking_shows_shares_letters_and_the_equal_share() -> None:
    summary, _ = field(["a", "b", "c"])
    (axes,) = tournament.ranking(summary, 4).axes
    assert [x for x, _ in lines(axes, "dot")] == [[100 * share] for share in summary["win_share"]]
    assert lines(axes, "fair")[0][0] == [25, 25]
    assert {"equal share 25 %", "a", "a\N{EN DASH}c"} <= set(texts(axes))
    (axes,) = tournament.ratings(summary.reverse()).axes
    assert [x for x, _ in lines(axes, "dot")] == [[1], [0], [-1]]
    assert lines(axes, "interval-2")[0][0] == pytest.approx([-1.1, -0.9])


@pytest.mark.parametrize(
    ("letters", "short"), [("", ""), ("ab", "ab"), ("abcf", "a-c f"), ("xyza1b1d1", "x-b1 d1")]
)
def test_letters_in_a_row_are_written_as_one(letters: str, short: str) -> None:
    assert tournament.compact(letters) == short.replace("-", "\N{EN DASH}")


def test_pairs_fill_their_cell_where_settled_and_one_order_is_enough() -> None:
    summary, pairs = field(["a", "b", "c", "d"])
    _, axes = tournament.pair_map(pairs, summary["strategy"].to_list()).axes
    found = squares(axes)
    place = dict(summary.select("strategy", "place").rows())
    assert len(found) == pairs.height
    for first, second, beats, verdict in pairs.rows():
        width, _, colour = found[place[second] - 1, place[first] - 1]
        assert width == (1 if verdict else tournament.SMALL)
        assert colour == (canvas.ACCENT if beats > 0.5 else canvas.MARK)
    assert found[3, 0][1] > found[2, 0][1] >= found[1, 0][1]
    _, half = tournament.pair_map(pairs.filter(pl.col("first") < pl.col("second"))).axes
    assert squares(half) == found
    assert sorted(texts(half)) == sorted(texts(axes))
    _, turned = tournament.pair_map(pairs, ["d", "c", "b", "a"]).axes
    assert squares(turned)[0, 3] == found[3, 0]


def test_rule_sets_show_values_and_which_changes_are_settled() -> None:
    frame = rule_frame(["a", "b"])
    (axes,) = rules.rule_slopes(frame, "win_share").axes
    order = ["b", "a"]  # the highest under the first rule set on top
    assert [label.get_text() for label in axes.get_yticklabels()] == order
    for at, name in enumerate(order):
        held = [100 * value for value in frame.filter(strategy=name)["estimate"]]
        (slope,) = lines(axes, f"slope-{at}")
        assert slope[0] == held
        assert [round(y) for y in slope[1]] == [at] * 3
        full = [axes.lines[i].get_markerfacecolor() != canvas.PAPER for i in range(len(axes.lines))
                if str(axes.lines[i].get_gid()).startswith(f"dot-{at}")]  # fmt: skip
        assert full == [True, True, False]
    bold = {text.get_text() for text in axes.texts if text.get_weight() == "bold"}
    assert bold == {"+2.0"}
    (axes,) = rules.rule_slopes(frame, "turns").axes
    assert lines(axes, "slope")[0] == (frame.filter(what="turns")["estimate"].to_list(), [0, 1, 2])
    with pytest.raises(UserError, match="no measure 'turn'; did you mean turns"):
        rules.rule_slopes(frame, "turn")


def test_the_asked_sample_size_lies_on_its_curve() -> None:
    frame = size_frame((0.3, 0.4))
    (axes,) = sample_size.sample_size_curve(frame).axes
    asked, until, curve = (lines(axes, name)[0] for name in ("asked", "until", "curve"))
    assert asked == ([1.0], [frame["games"][1]])
    assert until == ([1.0], [frame["until_games"][1]])
    found = np.exp(np.interp(0, np.log(curve[0]), np.log(curve[1])))
    assert found == pytest.approx(asked[1][0], rel=0.001)
    assert curve[0][0] == pytest.approx(0.2)
    assert curve[1][0] == pytest.approx(25 * asked[1][0], rel=0.001)
    wide = sample_size.sample_size_curve(frame, 0.8).axes[0]
    assert lines(wide, "curve")[0][1][0] == pytest.approx(4 * curve[1][0], rel=0.001)


@pytest.mark.parametrize("kind", EVERY)
def test_every_figure_holds_forty_strategies_of_any_name(kind: str) -> None:
    before = dict(matplotlib.rcParams)
    figure = EVERY[kind](names(40))
    assert isinstance(figure, parts.Chart)
    assert len(figure.get_label()) > 40
    for drawn in (canvas.svg(figure, text=True), canvas.narrowed(figure)):
        assert "<script" not in drawn
        assert len(drawn) < canvas.DENSE
        assert not [light for light in canvas.DARK if light in canvas.darkened(drawn)]
        for axes in figure.axes:
            boxes = [label.get_window_extent() for label in axes.get_yticklabels()]
            assert all(box.x0 >= 0 for box in boxes)
            if axes.yaxis_inverted():  # a line for each name
                assert all(above.y0 > below.y1 for above, below in pairwise(boxes))
    assert 'width="288pt"' in drawn
    assert dict(matplotlib.rcParams) == before


@pytest.mark.parametrize("kind", ["words", "ranking", "ratings", "pairs", "rules"])
def test_every_figure_holds_two_strategies(kind: str) -> None:
    drawn = canvas.svg(EVERY[kind](names(2)), text=True)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in drawn
    assert ">$x_1$<" in drawn or ">2 $x_1$<" in drawn or ">2  $x_1$<" in drawn


def test_the_narrow_drawing_leaves_the_figure_as_it_was() -> None:
    figure = EVERY["duel"](names(5))
    usual = canvas.svg(figure)
    image = images.image(figure, "x")
    assert image.alt == figure.get_label()
    assert image.narrow_dark
    assert canvas.svg(figure) == usual


def test_where_nothing_can_be_said_nothing_is_drawn() -> None:
    summary, pairs = field(["a", "b"])
    number = pl.lit(None, pl.Float64)
    none = summary.with_columns(
        number.alias(name) for name in (*tournament.WIN, *tournament.RATING)
    )
    grid = sweep_frame((4,), 2).with_columns(
        number.alias(name) for name in ("estimate", "low", "high")
    )
    flat = rule_frame(["a"]).with_columns(number.alias(name) for name in ("low", "high", "change"))
    for figure in (
        tournament.ranking(none), tournament.ratings(none),
        tournament.pair_map(pairs.with_columns(beats=number)),
        sweep.sweep_map(grid, GEMS, RISK, "win"), sweep.sweep_curve(grid.head(5), GEMS, "win"),
        rules.rule_slopes(flat, "win_share"),
    ):  # fmt: skip
        canvas.svg(figure)
        assert not [line for axes in figure.axes for line in lines(axes, "interval")]
        assert not squares(figure.axes[-1])


def test_long_names_that_differ_still_differ_when_cut() -> None:
    cut = parts.short_all(names(40), 22)
    assert len(set(cut)) == 40
    assert max(map(len, cut)) <= 22
    assert "gems=7" in cut[12]


def test_numbers_in_cells_can_be_read_on_every_strength_light_and_dark() -> None:
    """WCAG 2 contrast: 4.5 for text."""

    def rgb(colour: str) -> np.ndarray:
        return np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])

    def light(parts: np.ndarray) -> float:
        line = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return float(line @ [0.2126, 0.7152, 0.0722])

    for colour in (canvas.ACCENT, canvas.MARK):
        for shade in ({}, canvas.DARK):
            paper, full, ink = (
                rgb(shade.get(one, one)) for one in (canvas.PAPER, colour, canvas.INK)
            )
            for strength in heat.strengths(8, numbers=True):
                low, high = sorted((light(strength * full + (1 - strength) * paper), light(ink)))
                assert (high + 0.05) / (low + 0.05) >= 4.5
