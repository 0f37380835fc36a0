"""What the figures of Splendor show is what was played, recounted from the sentences of replays."""

from __future__ import annotations

import re
import statistics
from collections import defaultdict
from itertools import pairwise
from typing import Any

import polars as pl
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text
from scipy.stats import t

import simlab
from simlab.api import Run
from simlab.reporting import canvas
from simlab.reporting.plots import drawn, own_plots

GAMES = 16
LINE_UP = ["greedy_buy", "straight_line", "greedy_buy"]
NASTY = ["<script>alert(1)</script>", "$x_1$", "n" * 200, "n" * 100 + "m" * 100]
WHAT = ("level 1", "level 2", "level 3", "nobles")
PLOTS = own_plots("splendor")
points_over_turns, what_they_buy = PLOTS["points-over-turns"], PLOTS["what-they-buy"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return 16 games with their events, in which one strategy holds two seats."""
    out = tmp_path_factory.mktemp("splendor") / "run"
    return simlab.run("splendor", 3, GAMES, LINE_UP, events=True, out=out)


class Told:
    """What the replay of a game tells: its rounds, the points by round, and what each seat got."""

    def __init__(self, replay: Any) -> None:
        self.strategies = replay.strategies
        self.rounds = 0
        self.points: dict[int, dict[int, int]] = {seat: {0: 0} for seat in range(3)}
        self.got: list[tuple[int, str, int]] = []
        for line in str(replay).splitlines():
            if begun := re.match(r"Round (\d+), seat", line):
                self.rounds = int(begun[1])
            elif card := re.match(r"Seat (\d) buys L(\d)-\w+ \(\w+(?:, (\d+) points?)?;", line):
                self.got.append((int(card[1]), f"level {card[2]}", int(card[3] or 0)))
            elif noble := re.match(r"The noble .* visits seat (\d)", line):
                self.got.append((int(noble[1]), "nobles", 3))
            if now := re.search(r"[Ss]eat (\d)(?:, which)? has (\d+) points? now", line):
                self.points[int(now[1])][self.rounds] = int(now[2])

    def after(self, seat: int, turn: int) -> int:
        """Return the points of a seat after a turn."""
        return max(points for at, points in self.points[seat].items() if at <= turn)

    def seats(self, name: str) -> list[int]:
        """Return the seats of a strategy."""
        return [seat for seat, label in enumerate(self.strategies) if label == name]


@pytest.fixture(scope="module")
def told(run: Run) -> list[Told]:
    return [Told(simlab.replay(run.folder, game=game)) for game in range(GAMES)]


def ends(by_game: list[float]) -> tuple[float, float, float]:
    """Return mean and interval where every game is a deal of its own."""
    mean = statistics.mean(by_game)
    half = t.ppf(0.975, len(by_game) - 1) * statistics.stdev(by_game) / len(by_game) ** 0.5
    return mean, mean - half, mean + half


def shape(figure: Figure, gid: str) -> Any:
    """Return the one mark of a figure with this id."""
    (found,) = [one for axes in figure.axes for one in axes.get_children() if one.get_gid() == gid]
    return found


def outside(figure: Figure) -> list[str]:
    """Return the names and numbers of a figure that reach over its sides."""
    figure.draw_without_rendering()
    words = [text for axes in figure.axes for text in axes.texts if text.get_visible()]
    words += [*figure.legends[0].get_texts()] if figure.legends else []
    boxes = [(text.get_text(), text.get_window_extent()) for text in words]
    return [word for word, box in boxes if box.x0 < -1 or box.x1 > figure.bbox.x1 + 1]


def test_points_after_each_turn_are_those_that_the_replays_tell(run: Run, told: list[Told]) -> None:
    frame, lengths = points_over_turns.data(run)
    rounds = sorted(game.rounds for game in told)
    assert lengths.row(0) == (GAMES, rounds[3], rounds[7], rounds[11], rounds[-1])
    assert frame["turn"].max() == rounds[-1]
    assert frame.height == 2 * (rounds[-1] + 1)
    for row in frame.iter_rows(named=True):
        by_game = [
            statistics.mean(game.after(seat, row["turn"]) for seat in game.seats(row["strategy"]))
            for game in told
        ]
        assert row["points"] == pytest.approx(statistics.mean(by_game))
        if len({*by_game}) > 1:
            assert (row["points"], row["low"], row["high"]) == pytest.approx(ends(by_game))
    last = frame.filter(turn=rounds[-1])
    score = run.scan().group_by("strategy").agg(pl.col("score").mean()).collect()
    assert dict(last.select("strategy", "points").rows()) == pytest.approx(dict(score.rows()))


def test_lines_and_bands_are_those_of_the_frame_and_half_of_the_games_is_marked(run: Run) -> None:
    frame, lengths = points_over_turns.data(run)
    figure = drawn(run, points_over_turns)
    final = frame.filter(turn=frame["turn"].max()).sort("points", descending=True)
    for at, row in enumerate(final.iter_rows(named=True)):
        mine = frame.filter(strategy=row["strategy"])
        line = shape(figure, f"line-{at}")
        assert list(line.get_ydata()) == mine["points"].to_list()
        (band,) = shape(figure, f"band-{at}").get_paths()
        assert {*mine["low"].drop_nulls(), *mine["high"].drop_nulls()} <= {*band.vertices[:, 1]}
        name = f"{row['points']:.1f} {row['strategy']}"
        assert shape(figure, f"end-{at}").get_text() == name
    assert set(shape(figure, "half").get_xdata()) == {lengths["q50"][0]}
    assert "keep their points" in figure.get_supxlabel()
    assert "32 seats held" in figure.get_supxlabel()


def test_what_they_buy_counts_cards_nobles_and_points(run: Run, told: list[Told]) -> None:
    number: dict[Any, int] = defaultdict(int)
    points: dict[Any, int] = defaultdict(int)
    for game in told:
        for seat, what, won in game.got:
            name = game.strategies[seat]
            number[name, what] += 1
            number[name, "all"] += what != "nobles"
            for of in (what, "all"):
                points[name, of] += won
    frame = what_they_buy.data(run)
    assert frame.height == 2 * 5
    for row in frame.iter_rows(named=True):
        key, seats = (row["strategy"], row["what"]), row["games"]
        assert seats == GAMES * LINE_UP.count(row["strategy"])
        assert row["number"] == pytest.approx(number[key] / seats)
        assert row["points"] == pytest.approx(points[key] / seats)
    assert number["greedy_buy", "nobles"] > 0
    score = {row["strategy"]: row for row in run.summary().to_dicts()}
    for row in frame.filter(what="all").iter_rows(named=True):
        mine = score[row["strategy"]]
        wanted = mine["score_mean"], mine["score_low"], mine["score_high"]
        assert (row["points"], row["points_low"], row["points_high"]) == pytest.approx(wanted)


def test_bars_are_the_means_of_the_frame_one_after_another(run: Run) -> None:
    frame = what_they_buy.data(run)
    figure = drawn(run, what_they_buy)
    best = frame.filter(what="all").sort("points", descending=True)["strategy"].to_list()
    for axes, of, what in zip(figure.axes, ("number", "points"), (WHAT[:3], WHAT), strict=True):
        assert [label.get_text() for label in axes.get_yticklabels()] == best
        for at, name in enumerate(best):
            start = 0.0
            for part, one in enumerate(what):
                mean = frame.filter(strategy=name, what=one)[of][0]
                bar = [bar for bar in axes.patches if bar.get_gid() == f"{of}-{part}"][at]
                assert (bar.get_x(), bar.get_width()) == pytest.approx((start, mean))
                start += mean
            row = frame.filter(strategy=name, what="all").row(0, named=True)
            lines = [line for line in axes.lines if line.get_gid() == f"interval-{of}-{at}"]
            assert all(list(x.get_xdata()) == [row[f"{of}_low"], row[f"{of}_high"]] for x in lines)
            assert lines
    assert f"{row['points']:.1f}" in figure.get_label()


def frames_of(names: list[str]) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Return the frames of both figures for strategies of two kinds, nearly alike."""
    lines = [
        {"strategy": name, "turn": turn, "points": points, "low": points - 0.1,
         "high": points + 0.1, "games": 500}
        for at, name in enumerate(names) for turn in range(31)
        for points in [turn / 2 * (at % 2 == 0) + 0.01 * at]
    ]  # fmt: skip
    parts = [
        {"strategy": name, "what": what, "games": 500}
        | {f"{of}{end}": 3.0 + one for of in ("number", "points")
           for end, one in (("", 0.0), ("_low", -0.1), ("_high", 0.1))}
        for name in names for what in (*WHAT, "all")
    ]  # fmt: skip
    lengths = {"games": 500, "q25": 24, "q50": 25, "q75": 27, "longest": 40}
    return pl.DataFrame(lines), pl.DataFrame([lengths]), pl.DataFrame(parts)


@pytest.mark.parametrize(("many", "width"), [(1, canvas.WIDE), (8, canvas.NARROW)])
def test_figures_of_any_number_of_strategies_fit(many: int, width: float) -> None:
    names = [*NASTY, *(f"tempo_value(points={at})" for at in range(8))][:many]
    lines, lengths, parts = frames_of(names)
    for figure in (points_over_turns.draw(lines, lengths), what_they_buy.draw(parts)):
        assert isinstance(figure, canvas.SimlabFigure)
        figure.set_figwidth(width)
        assert not outside(figure)
        ends = [text for text in figure.axes[0].texts if str(text.get_gid())[:4] == "end-"]
        boxes = sorted((Text.get_window_extent(text) for text in ends), key=lambda box: box.y0)
        assert all(above.y0 >= below.y1 - 3 for below, above in pairwise(boxes))
        assert "<script>alert(1)</script>" in figure.get_label()


def test_no_points_and_one_game_are_drawn(tmp_path: Any) -> None:
    short = simlab.run(
        "splendor", 2, 1, "greedy_buy", set={"max_turns": 1}, events=True, out=tmp_path / "short"
    )
    assert "greedy_buy 0.0" in drawn(short, points_over_turns).get_label()
    assert "0.0 cards and 0.0 points" in drawn(short, what_they_buy).get_label()
