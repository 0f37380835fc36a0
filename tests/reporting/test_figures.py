"""What figures show is what their frames hold."""

from __future__ import annotations

import re
import sys
from itertools import pairwise
from pathlib import Path

import matplotlib
import numpy as np
import polars as pl
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simlab.api import Run
from simlab.errors import UserError
from simlab.reporting import canvas, figures

NASTY = ["<script>alert(1)</script>", "$x_1$", r"\$ 5 & {y}^2", "n" * 200]


def frame(names: list[str], by: str = "strategy") -> pl.DataFrame:
    """Return a table of groups whose shares add up to 1."""
    share = np.arange(1, len(names) + 1) / sum(range(1, len(names) + 1))
    return pl.DataFrame(
        {
            by: names,
            "games": [300] * len(names),
            "win_share": share,
            "win_share_low": 0.9 * share,
            "win_share_high": 1.1 * share,
            "score_mean": 100 * share,
            "score_low": 95 * share,
            "score_high": 105 * share,
        }
    )


def marks(axes: Axes, name: str) -> list[list[float]]:
    """Return where the marks of a kind lie along x, the first line of the figure first."""
    found = {
        str(line.get_gid()): [float(x) for x in line.get_xdata()]
        for line in axes.lines
        if str(line.get_gid()).startswith(name)
    }
    return [found[gid] for gid in sorted(found, key=lambda gid: int(gid.rpartition("-")[2]))]


def names(axes: Axes) -> list[str]:
    return [label.get_text() for label in axes.get_yticklabels()]


def test_win_share_draws_the_estimates_and_intervals_of_the_frame_best_first(run: Run) -> None:
    table = run.summary().sort("win_share", descending=True)
    axes = figures.win_share(run.summary()).axes[0]
    assert names(axes) == table["strategy"].to_list()
    assert marks(axes, "dot") == [[100 * x] for x in table["win_share"]]
    ends = table.select(pl.col("win_share_low", "win_share_high") * 100).rows()
    assert marks(axes, "interval") == [list(pair) for pair in ends]
    assert "n = 600 seats held each" in axes.get_xlabel()
    assert "win share in %" in axes.get_xlabel()


def test_the_equal_share_is_marked(run: Run) -> None:
    for figure in (figures.win_share(run.summary()), figures.seats(run.summary("seat"))):
        axes = figure.axes[0]
        (fair,) = [line for line in axes.lines if line.get_gid() == "fair"]
        assert fair.get_xdata() == pytest.approx([25, 25])
        assert any(text.get_text() == "equal share 25 %" for text in axes.texts)


def test_an_equal_share_can_be_given_and_the_order_kept() -> None:
    axes = figures.win_share(frame(["a", "b"]), fair=0.5, order=False).axes[0]
    assert names(axes) == ["a", "b"]
    assert [line.get_xdata()[0] for line in axes.lines if line.get_gid() == "fair"] == [50]


def test_where_ties_count_in_full_no_share_is_called_equal() -> None:
    full = frame(["a", "b"]).with_columns(win_share=pl.Series([0.5, 0.6]))
    texts = [text.get_text() for text in figures.win_share(full).axes[0].texts]
    assert "mean 55 %" in texts


def test_score_draws_means_over_the_spread_of_the_rows(run: Run) -> None:
    table = run.summary().sort("score_mean", descending=True)
    spread = figures.spread(run.scan())
    axes = figures.score(run.summary(), spread).axes[0]
    assert marks(axes, "dot") == [[x] for x in table["score_mean"]]
    assert marks(axes, "interval") == [
        list(pair) for pair in table.select("score_low", "score_high").rows()
    ]
    middle = dict(spread.select("strategy", "q50").rows())
    assert marks(axes, "median") == [[middle[name]] * 2 for name in table["strategy"]]
    assert len(axes.patches) == 2 * table.height


def test_seats_come_in_their_order_and_the_axis_reaches_as_far_as_the_intervals(run: Run) -> None:
    table = run.summary("seat")
    axes = figures.seats(table).axes[0]
    assert names(axes) == ["seat 0", "seat 1", "seat 2", "seat 3"]
    low, high = axes.get_xlim()
    assert 0 < low < 100 * min(table["win_share_low"])
    assert 100 * max(table["win_share_high"]) < high < 60


@pytest.mark.parametrize("many", [1, 2, 40])
def test_any_number_of_strategies_fits(many: int) -> None:
    given = [f"threshold(gems={i})" for i in range(many)]
    for figure in (figures.win_share(frame(given)), figures.score(frame(given))):
        figure.draw_without_rendering()
        boxes = [label.get_window_extent() for label in figure.axes[0].get_yticklabels()]
        assert len(boxes) == many
        assert all(above.y0 > below.y1 for above, below in pairwise(boxes))
        assert all(box.x0 >= 0 for box in boxes)


def test_names_are_shown_as_they_are_and_long_ones_are_cut_in_the_middle() -> None:
    figure = figures.win_share(frame(NASTY))
    drawn = canvas.svg(figure, text=True)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in drawn
    assert "<script" not in drawn
    assert ">$x_1$<" in drawn
    assert r">\$ 5 &amp; {y}^2<" in drawn
    assert max(map(len, names(figure.axes[0]))) == 36
    assert re.search(r">n+…n+<", drawn)
    assert min(label.get_window_extent().x0 for label in figure.axes[0].get_yticklabels()) >= 0


def test_names_stay_literal_where_another_person_saves_the_figure(tmp_path: Path) -> None:
    with matplotlib.rc_context({"svg.fonttype": "none"}):
        figures.win_share(frame(NASTY)).savefig(tmp_path / "x.svg")
    assert ">$x_1$<" in (tmp_path / "x.svg").read_text()


def test_groups_without_games_or_intervals_are_lines_without_marks() -> None:
    one = frame(["a", "b"]).with_columns(
        pl.when(pl.col("strategy") == "a").then(pl.col(name)).alias(name)
        for name in ("win_share", "win_share_low", "win_share_high", "score_mean", "score_low")
    )
    for figure in (figures.win_share(one), figures.score(one), figures.seats(one, "strategy")):
        canvas.svg(figure)
        assert len(marks(figure.axes[0], "dot")) == 1
    assert len(marks(figures.score(one).axes[0], "interval")) == 1


def test_nothing_global_is_touched(run: Run) -> None:
    before = dict(matplotlib.rcParams)
    for name in figures.names(run):
        canvas.svg(figures.figure(run, name))
    canvas.png(figures.figure(run, "score"))
    assert dict(matplotlib.rcParams) == before
    assert (
        "matplotlib.pyplot" not in sys.modules or not sys.modules["matplotlib.pyplot"].get_fignums()
    )


def test_a_persons_settings_do_not_change_our_figures(run: Run) -> None:
    usual = canvas.svg(figures.figure(run, "win-share"))
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red", "savefig.dpi": 10}):
        assert canvas.svg(figures.figure(run, "win-share")) == usual


def test_a_figure_says_in_words_what_it_shows(run: Run) -> None:
    figure = figures.win_share(run.summary())
    assert str(figure.get_label()).startswith("Win share by strategy: risk_limit ")


def test_a_frame_that_cannot_be_drawn_is_one_sentence(run: Run) -> None:
    with pytest.raises(UserError, match=r"no column 'strateg' in the frame.*did you mean strategy"):
        figures.win_share(run.summary(), by="strateg")
    with pytest.raises(UserError, match="no column 'win_share_low'"):
        figures.win_share(run.summary().drop("win_share_low"))
    with pytest.raises(UserError, match="has 0 rows"):
        figures.win_share(run.summary().head(0))
    with pytest.raises(UserError, match="has 2,400 rows; a figure shows 1 to 200"):
        figures.score(run.scan().collect().rename({"score": "score_mean"}).with_columns(
            games=1, score_low=0, score_high=0
        ))  # fmt: skip
    with pytest.raises(UserError, match="not from a LazyFrame"):
        figures.win_share(run.scan())  # type: ignore[arg-type]


def test_a_named_figure_is_written_in_one_step(run: Run, tmp_path: Path) -> None:
    svg = figures.write_figure(run, "win-share", tmp_path / "x.svg")
    assert svg.read_text().startswith("<?xml")
    assert figures.write_figure(run, "score", tmp_path / "x.png").read_bytes()[:4] == b"\x89PNG"
    again = figures.write_figure(run, "win-share", tmp_path / "y.svg")
    assert again.read_bytes() == svg.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.png", "x.svg", "y.svg"]


@pytest.mark.parametrize(
    ("name", "out", "said"),
    [
        ("win-shares", "x.svg", "no figure 'win-shares'; did you mean win-share"),
        ("seats", "x.pdf", "to 'x.pdf'; give a name that ends in .svg or .png"),
        ("seats", "no/x.svg", "there is no folder"),
        ("seats", "", "cannot write a figure to ''; give"),
    ],
)
def test_a_figure_that_cannot_be_written_is_one_sentence(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, out: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match=re.escape(said)):
        figures.write_figure(run, name, out)
    assert not list(tmp_path.iterdir())


def test_the_dark_drawing_has_no_colour_of_the_light_one(run: Run) -> None:
    for name in figures.names(run):
        dark = canvas.darkened(canvas.svg(figures.figure(run, name), text=True))
        assert not [colour for colour in canvas.DARK if colour in dark]


def test_the_narrow_drawing_leaves_the_figure_as_it_was(run: Run) -> None:
    figure = figures.figure(run, "score")
    assert isinstance(figure, canvas.SimlabFigure)
    usual = canvas.svg(figure)
    assert 'width="288pt"' in canvas.narrowed(figure)
    assert canvas.svg(figure) == usual


def test_every_colour_stands_out_from_its_ground() -> None:
    """WCAG 2 contrast: 4.5 for text, 3 for marks."""

    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        line = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * line[0] + 0.7152 * line[1] + 0.0722 * line[2]

    def contrast(one: str, other: str) -> float:
        low, high = sorted((light(one), light(other)))
        return (high + 0.05) / (low + 0.05)

    for colour in (canvas.INK, canvas.MUTED, canvas.ACCENT, canvas.MARK):
        assert contrast(colour, canvas.PAPER) >= 4.5
        assert contrast(canvas.DARK[colour], canvas.DARK[canvas.PAPER]) >= 4.5


def test_a_figure_is_a_matplotlib_figure_that_notebooks_can_show(run: Run) -> None:
    figure = figures.win_share(run.summary())
    assert isinstance(figure, Figure)
    assert figure._repr_svg_().startswith("<?xml")
