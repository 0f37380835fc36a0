"""What the figures of Diamant show is what was played, recounted from the sentences of replays."""

from __future__ import annotations

import re
import statistics
from collections import defaultdict
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import StepPatch
from matplotlib.text import Text
from scipy.stats import t

import simlab
from simlab.api import Run
from simlab.reporting import canvas
from simlab.reporting.plots import drawn, own_plots

GAMES = 24
LINE_UP = ["risk_limit", "threshold(gems=12)*2", "never_leave"]
NASTY = ["<script>alert(1)</script>", "$x_1$", "n" * 200, "n" * 100 + "m" * 100]
OUT = {"leaves": "left", "comes home at the end of the deck": "home"}
PLOTS = own_plots("diamant")
departures, gem_sources = PLOTS["departures"], PLOTS["gem-sources"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return 24 games with their events, in which one strategy holds two seats."""
    out = tmp_path_factory.mktemp("diamant") / "run"
    return simlab.run("diamant", 4, GAMES, LINE_UP, events=True, out=out)


@pytest.fixture(scope="module")
def told(run: Run) -> list[tuple[int, str, int, str, int]]:
    """Return game, strategy, cards, end and gems of each expedition, read from the replays."""
    found = []
    for game in range(GAMES):
        replay = simlab.replay(run.folder, game=game)
        cards = 0
        for line in str(replay).splitlines():
            if card := re.match(r"Card (\d+):", line):
                cards = int(card[1])
            elif line.startswith("Accident:"):
                for seat in re.findall(r"seat (\d)", line):
                    found.append((game, replay.strategies[int(seat)], cards, "accident", 0))
            elif out := re.match(
                r"Seat (\d) (leaves|comes home[a-z ]*) with (\d+) gems?(.*)", line
            ):
                paid = re.search(r"relics? for (\d+)", out[4])
                gems = int(out[3]) - (int(paid[1]) if paid else 0)
                name = replay.strategies[int(out[1])]
                found.append((game, name, cards, OUT[out[2]], gems))
    return found


def share_frame(names: list[str], bars: dict[tuple[int, str], float]) -> tuple[Any, ...]:
    """Return the frames of strategies of which each ends its expeditions like this."""
    rows = [
        {
            "strategy": name, "cards": cards, "event": event, "expeditions": round(1000 * share),
            "share": share, "share_low": 0.9 * share, "share_high": min(1, 1.1 * share),
            "gems": None if event == "accident" else 40.0 * cards,
        }
        for name in names for (cards, event), share in bars.items()
    ]  # fmt: skip
    totals = [
        {"strategy": name, "what": what, "estimate": of, "low": 0.9 * of, "high": 1.1 * of}
        for at, name in enumerate(names)
        for what, of in (
            *((e, sum(s for (_, x), s in bars.items() if x == e)) for e in
              ("left", "home", "accident")),
            ("gems", 20.0 - at),
        )
    ]  # fmt: skip
    return pl.DataFrame(rows), pl.DataFrame(totals).with_columns(expeditions=1000)


def heights(figure: Figure, gid: str) -> dict[int, float]:
    """Return the tops of the bars of a shape, by cards."""
    (shape,) = [one for axes in figure.axes for one in axes.patches if one.get_gid() == gid]
    assert isinstance(shape, StepPatch)
    tops = shape.get_data().values[::2]
    return {at: float(top) for at, top in enumerate(tops) if not np.isnan(top)}


def outside(figure: Figure) -> list[str]:
    """Return the words of a figure that reach over its sides."""
    figure.draw_without_rendering()
    away = {
        id(tick.label1)
        for axes in figure.axes
        for axis, ends in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim()))
        for tick in axis.get_major_ticks()
        if not min(ends) <= tick.get_loc() <= max(ends)
    }
    words = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text()]
    boxes = [(text.get_text(), text.get_window_extent()) for text in words if id(text) not in away]
    return [word for word, box in boxes if box.x0 < -1 or box.x1 > figure.bbox.x1 + 1]


def overlapping(axes: Axes) -> bool:
    """Whether numbers on bars stand over one another."""
    numbers = [text for text in axes.texts if text.get_visible() and text.get_text().isdigit()]
    boxes = [text.get_window_extent() for text in numbers]
    return any(left.overlaps(right) for left, right in pairwise(boxes))


def test_departures_counts_what_the_replays_tell(run: Run, told: list[Any]) -> None:
    ends: dict[Any, int] = defaultdict(int)
    gems: dict[Any, list[int]] = defaultdict(list)
    of: dict[str, list[int]] = defaultdict(list)
    for _, name, cards, event, won in told:
        ends[name, cards, event] += 1
        gems[name, cards, event].append(won)
        of[name].append(won)
    frame, totals = departures.data(run)
    assert len(told) == 5 * 4 * GAMES == frame["expeditions"].sum()
    assert {event for _, _, _, event, _ in told} == {"left", "home", "accident"}
    rows = {(row["strategy"], row["cards"], row["event"]): row for row in frame.to_dicts()}
    assert {key: row["expeditions"] for key, row in rows.items()} == ends
    for (name, cards, event), row in rows.items():
        mean = statistics.mean(gems[name, cards, event])
        assert row["gems"] == (None if event == "accident" else pytest.approx(mean))
        assert row["share"] == pytest.approx(row["expeditions"] / len(of[name]))
        assert row["share_low"] < row["share"] < row["share_high"]
    means = {row["strategy"]: row for row in totals.to_dicts() if row["what"] == "gems"}
    for name, won in of.items():
        assert means[name]["estimate"] == pytest.approx(statistics.mean(won))
        assert means[name]["expeditions"] == len(won)


def test_the_unit_of_the_intervals_is_the_deal(run: Run, told: list[Any]) -> None:
    by_game = [0.0] * GAMES
    for game, name, _, _, gems in told:
        by_game[game] += gems / 10 if name == "threshold(gems=12)" else 0
    half = t.ppf(0.975, GAMES - 1) * statistics.stdev(by_game) / GAMES**0.5
    _, totals = departures.data(run)
    (row,) = totals.filter(strategy="threshold(gems=12)", what="gems").to_dicts()
    wanted = statistics.mean(by_game) - half, statistics.mean(by_game) + half
    assert (row["low"], row["high"]) == pytest.approx(wanted)


def test_departures_draws_the_frame_above_and_below_the_line(run: Run) -> None:
    frame, totals = departures.data(run)
    figure = drawn(run, departures)
    gems = totals.filter(what="gems").sort("estimate", descending=True)
    assert [axes.get_title("left") for axes in figure.axes] == gems["strategy"].to_list()
    for at, name in enumerate(gems["strategy"]):
        share = {(row["cards"], row["event"]): 100 * row["share"]
                 for row in frame.filter(strategy=name).to_dicts()}  # fmt: skip
        lost = {cards: -of for (cards, event), of in share.items() if event == "accident"}
        left = {cards: of for (cards, event), of in share.items() if event == "left"}
        home = {cards: of + left.get(cards, 0) for (cards, event), of in share.items()
                if event == "home"}  # fmt: skip
        assert heights(figure, f"accident-{at}") == pytest.approx(lost)
        assert heights(figure, f"left-{at}") == pytest.approx(left)
        assert heights(figure, f"home-{at}") == pytest.approx(home)
        for row in frame.filter(strategy=name).to_dicts():
            lines = [line for axes in figure.axes for line in axes.lines
                     if line.get_gid() == f"interval-{row['event']}-{at}"]  # fmt: skip
            drawn_at = lines[0].get_ydata()[3 * row["cards"] : 3 * row["cards"] + 2]
            base = left.get(row["cards"], 0) if row["event"] == "home" else 0
            sign = -1 if row["event"] == "accident" else 1
            wanted = [sign * (base + 100 * row[f"share_{end}"]) for end in ("low", "high")]
            assert list(drawn_at) == pytest.approx(wanted)
    words = figure.get_label()
    assert f"{gems['estimate'][0]:.1f} gems an expedition" in words
    assert "240 expeditions" in figure.get_supxlabel()
    assert "the deal" in figure.get_supxlabel()


def test_a_bar_that_stands_alone_is_cut_and_bears_its_share() -> None:
    spread = {(cards, "left"): 0.05 for cards in range(2, 20)} | {(3, "accident"): 0.1}
    alone = {(7, "left"): 0.9, (3, "accident"): 0.1}
    frames = zip(share_frame(["spread"], spread), share_frame(["alone"], alone), strict=True)
    figure = departures.draw(*(pl.concat(both) for both in frames))
    (cut,) = [text for axes in figure.axes for text in axes.texts if text.get_gid() == "cut-1"]
    assert cut.get_text() == "90 %"
    assert 5 < heights(figure, "left-1")[7] < 10
    assert "Bars that are cut" in figure.get_supxlabel()
    figure = departures.draw(*share_frame(["alone"], alone))
    assert heights(figure, "left-0") == {7: pytest.approx(90)}
    assert "Bars that are cut" not in figure.get_supxlabel()


def test_gem_sources_add_up_to_the_score_with_its_interval(run: Run) -> None:
    frame = gem_sources.data(run)
    rows = run.scan().collect()
    score = {row["strategy"]: row for row in run.summary().to_dicts()}
    figure = drawn(run, gem_sources)
    best = sorted(score, key=lambda name: -score[name]["score_mean"])
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == best
    for at, name in enumerate(best):
        of = {row["source"]: row for row in frame.filter(strategy=name).to_dicts()}
        mine = rows.filter(strategy=name)
        start = 0.0
        for part, source in enumerate(("shares", "leftovers", "relic_gems")):
            mean = sum(mine[source].to_list()) / mine.height
            assert of[source]["estimate"] == pytest.approx(mean)
            bars = [bar for bar in figure.axes[0].patches if bar.get_gid() == f"gems-{part}"]
            assert (bars[at].get_x(), bars[at].get_width()) == pytest.approx((start, mean))
            start += mean
        ends = [of["all"][end] for end in ("estimate", "low", "high")]
        wanted = [score[name][f"score_{end}"] for end in ("mean", "low", "high")]
        assert ends == pytest.approx(wanted)
        (line,) = {tuple(line.get_xdata()) for line in figure.axes[0].lines
                   if line.get_gid() == f"interval-gems-{at}"}  # fmt: skip
        assert line == pytest.approx(wanted[1:])


@pytest.mark.parametrize(("many", "width"), [(1, canvas.WIDE), (8, canvas.NARROW)])
def test_figures_of_any_number_of_strategies_fit(many: int, width: float) -> None:
    names = [*NASTY, *(f"threshold(gems={at})" for at in range(8))][:many]
    bars = {(cards, event): 0.02 for cards in range(1, 23) for event in ("left", "accident")}
    sources = [
        {"strategy": name, "source": source, "estimate": of, "low": of - 1, "high": of + 1}
        for name in names
        for source, of in (("shares", 30.0), ("leftovers", 5.0), ("relic_gems", 9.0), ("all", 44.0))
    ]
    for figure in (
        departures.draw(*share_frame(names, bars | {(24, "home"): 0.12})),
        gem_sources.draw(pl.DataFrame(sources).with_columns(games=500)),
    ):
        figure.set_figwidth(width)
        assert not outside(figure)
        assert not overlapping(figure.axes[0])
        assert "<script>alert(1)</script>" in figure.get_label()


def test_one_game_is_drawn_without_intervals(tmp_path: Any) -> None:
    one = simlab.run("diamant", 3, 1, "risk_limit", events=True, out=tmp_path / "one")
    assert drawn(one, departures).get_label().endswith("gems an expedition.")
    assert "[" not in drawn(one, gem_sources).get_label()
