"""What the figures of Caylus show is what was played, recounted from rows and replays."""

from __future__ import annotations

import re
import statistics
from collections.abc import Sequence
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

GAMES = 12
LINE_UP = ["greedy_value", "random", "greedy_value"]
NASTY = ["<script>alert(1)</script>", "$x_1$", "n" * 200, "n" * 100 + "m" * 100]
SOURCES = (
    "castle_points", "building_points", "residence_points", "prestige_points", "owner_points",
    "favor_points", "exchange_points", "final_bonus", "penalty_points",
)  # fmt: skip
PLOTS = own_plots("caylus")
points_come_from, castle_race = PLOTS["where-points-come-from"], PLOTS["castle-race"]
Part = tuple[str, int, int, str]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return 12 games with their events, in which one strategy holds two seats."""
    out = tmp_path_factory.mktemp("caylus") / "run"
    return simlab.run("caylus", 3, GAMES, LINE_UP, events=True, out=out)


@pytest.fixture(scope="module")
def told(run: Run) -> tuple[list[int], list[Part]]:
    """Return the rounds of each game, and strategy, game, round and section of each part."""
    rounds, parts = [], []
    for game in range(GAMES):
        replay = simlab.replay(run.folder, game=game)
        now = 0
        for line in str(replay).splitlines():
            if begun := re.match(r"Round (\d+)\.", line):
                now = int(begun[1])
            elif part := re.match(r"Seat (\d) builds part \d+ of \d+ of the (\w+)", line):
                parts.append((replay.strategies[int(part[1])], game, now, part[2]))
        rounds.append(now)
    return rounds, parts


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
    words += [text for legend in figure.legends for text in legend.get_texts()]
    boxes = [(text.get_text(), text.get_window_extent()) for text in words]
    return [word for word, box in boxes if box.x0 < -1 or box.x1 > figure.bbox.x1 + 1]


def overlapping(texts: Sequence[Any], along: str, spare: float = 0) -> bool:
    """Whether any of the texts stand over one another, along x or y."""
    boxes = [Text.get_window_extent(text) for text in texts if text.get_visible()]
    boxes.sort(key=lambda box: getattr(box, f"{along}0"))
    return any(
        getattr(one, f"{along}1") > getattr(other, f"{along}0") + spare
        for one, other in pairwise(boxes)
    )


def source_frame(names: list[str], points: dict[str, float]) -> pl.DataFrame:
    """Return the frame of strategies of which each has these points."""
    points |= {"all": sum(points.values())}
    return pl.DataFrame(
        {"strategy": name, "source": source, "estimate": of, "low": of - 1, "high": of + 1}
        for name in names
        for source, of in points.items()
    ).with_columns(games=500)


def test_sources_are_the_means_of_the_rows_and_all_is_the_score(run: Run) -> None:
    frame, rows = points_come_from.data(run), run.scan().collect()
    score = {row["strategy"]: row for row in run.summary().to_dicts()}
    assert frame.height == 2 * 10
    for name in score:
        mine = rows.filter(strategy=name)
        of = {row["source"]: row for row in frame.filter(strategy=name).to_dicts()}
        for source in SOURCES:
            assert of[source]["estimate"] == pytest.approx(mine[source].mean())
            assert of[source]["games"] == mine.height
        assert sum(of[source]["estimate"] for source in SOURCES) == pytest.approx(
            of["all"]["estimate"]
        )
        ends = [of["all"][end] for end in ("estimate", "low", "high")]
        assert ends == pytest.approx([score[name][f"score_{e}"] for e in ("mean", "low", "high")])


def test_bars_reach_right_for_what_is_won_and_left_for_what_is_lost(run: Run) -> None:
    frame, figure = points_come_from.data(run), drawn(run, points_come_from)
    scores = frame.filter(source="all").sort("estimate", descending=True)
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == [*scores["strategy"]]
    for at, row in enumerate(scores.to_dicts()):
        of = dict(frame.filter(strategy=row["strategy"]).select("source", "estimate").rows())
        start = 0.0
        for part, source in enumerate(SOURCES):
            bar = marks(figure, f"points-{part}")[at]
            wanted = (0 if source == "penalty_points" else start, of[source])
            assert (bar.get_x(), bar.get_width()) == pytest.approx(wanted)
            start += of[source]
        assert start == pytest.approx(row["estimate"])
        for line in marks(figure, f"interval-points-{at}"):
            assert list(line.get_xdata()) == [row["low"], row["high"]]
        assert set(marks(figure, f"score-{at}")[0].get_xdata()) == {row["estimate"]}
    assert of["penalty_points"] < 0
    assert "penalties \N{MINUS SIGN}" in figure.get_label()
    assert f"{row['estimate']:.1f}" in figure.get_label()


def test_a_number_stands_beside_the_mark_of_the_score() -> None:
    points = dict.fromkeys(SOURCES, 0.0) | {"castle_points": 60.0, "penalty_points": -20.0}
    figure = points_come_from.draw(source_frame(["one"], points))
    numbers = {text.get_text(): text.get_position()[0] for text in marks(figure, "size-0")}
    assert numbers == {"60.0": 39 / 2, "\N{MINUS SIGN}20.0": -10}
    words = [text.get_text() for text in figure.legends[0].get_texts()]
    assert words == ["castle", "penalties"]


def test_the_race_counts_the_parts_that_the_replays_tell(run: Run, told: Any) -> None:
    frame, sections, lengths = castle_race.data(run)
    (rounds, parts), longest = told, max(told[0])
    ordered = sorted(rounds)
    assert lengths.row(0) == (GAMES, ordered[2], ordered[5], ordered[8], longest)
    assert frame.height == 2 * (longest + 1)
    assert parts
    for row in frame.to_dicts():
        name, seats = row["strategy"], LINE_UP.count(row["strategy"])
        by_game = [
            sum(who == name and of == game and at <= row["round"] for who, of, at, _ in parts)
            / seats
            for game in range(GAMES)
        ]
        assert row["parts"] == pytest.approx(statistics.mean(by_game))
        assert row["games"] == GAMES * seats
        if len({*by_game}) > 1:
            assert (row["parts"], row["low"], row["high"]) == pytest.approx(interval(by_game))
    final = frame.filter(round=longest)["parts"] * frame.filter(round=longest)["games"]
    built = run.scan().select(pl.col("^parts_.*$").sum()).collect().row(0)
    assert final.sum() == pytest.approx(sum(built))
    for row in sections.to_dicts():
        when = sorted(at for *_, at, section in parts if section == row["section"])
        assert row["parts"] == len(when) == built[("dungeon", "walls", "towers").index(
            row["section"])]  # fmt: skip
        quarters = [when[-(-len(when) * quarter // 4) - 1] for quarter in (1, 2, 3)]
        assert [row["q25"], row["q50"], row["q75"]] == quarters


def test_lines_bands_and_bars_of_sections_are_those_of_the_frames(run: Run) -> None:
    frame, sections, lengths = castle_race.data(run)
    figure = drawn(run, castle_race)
    final = frame.filter(round=frame["round"].max()).sort("parts", descending=True)
    for at, row in enumerate(final.to_dicts()):
        mine = frame.filter(strategy=row["strategy"])
        assert list(marks(figure, f"line-{at}")[0].get_ydata()) == mine["parts"].to_list()
        (band,) = marks(figure, f"band-{at}")[0].get_paths()
        assert {*mine["low"].drop_nulls(), *mine["high"].drop_nulls()} <= {*band.vertices[:, 1]}
        name = f"{row['parts']:.1f} {row['strategy']}"
        assert marks(figure, f"end-{at}")[0].get_text() == name
    for row in sections.to_dicts():
        (bar,) = marks(figure, f"section-{row['section']}")
        reach = bar.get_x(), bar.get_x() + bar.get_width()
        assert reach == (row["q25"] - 0.5, row["q75"] + 0.5)
        (notch,) = marks(figure, f"half-{row['section']}")
        assert set(notch.get_xdata()) == {row["q50"]}
        assert f"the {row['section']} by round {row['q50']}" in figure.get_label()
    assert all(set(line.get_xdata()) == {lengths["q50"][0]} for line in marks(figure, "half"))


def race_frames(names: list[str], built: bool = True) -> tuple[pl.DataFrame, ...]:
    """Return the frames of strategies of two kinds, nearly alike, or that all build nothing."""
    lines = [
        {"strategy": name, "round": turn, "parts": parts, "low": parts - 0.1, "high": parts + 0.1}
        for at, name in enumerate(names)
        for turn in range(19)
        for parts in [(turn / 3 * (at % 2 == 0) + 0.01 * at) * built]
    ]
    sections = [
        {"section": section, "parts": 9, "q25": 3 * at + 1, "q50": 3 * at + 2, "q75": 3 * at + 6}
        for at, section in enumerate(("dungeon", "walls", "towers"))
    ]
    lengths = {"games": 500, "q25": 14, "q50": 15, "q75": 16, "longest": 21}
    held = pl.DataFrame(sections)[: 3 * built]
    return pl.DataFrame(lines).with_columns(games=500), held, pl.DataFrame([lengths])


@pytest.mark.parametrize(
    ("many", "width"), [(1, canvas.WIDE), (2, canvas.NARROW), (12, canvas.WIDE), (12, 4.0)]
)
def test_figures_of_any_number_of_strategies_fit(many: int, width: float) -> None:
    names = [*NASTY, *(f"greedy_value(cube={at})" for at in range(8))][:many]
    points = dict.fromkeys(SOURCES, 4.0) | {"penalty_points": -9.0}
    bars = points_come_from.draw(source_frame(names, points))
    lines = castle_race.draw(*race_frames(names))
    for figure in (bars, lines):
        figure.set_figwidth(width)
        assert not outside(figure)
        assert "<script>alert(1)</script>" in figure.get_label()
        texts: list[Any] = [text for text in figure.findobj(Text) if text.get_text()]
        assert min(text.get_fontsize() for text in texts) >= 8.5
    for at in range(many):
        assert not overlapping(marks(bars, f"size-{at}"), "x")
    assert not overlapping([m for at in range(many) for m in marks(lines, f"end-{at}")], "y", 3)


def test_where_nobody_builds_and_one_game_is_played_it_is_drawn_too(tmp_path: Any) -> None:
    nothing = castle_race.draw(*race_frames(["one"], built=False))
    assert "stood" not in nothing.get_label()
    one = simlab.run("caylus", 2, 1, ["random", "greedy_value"], events=True, out=tmp_path / "one")
    for plot in (points_come_from, castle_race):
        assert "[" not in drawn(one, plot).get_label()
