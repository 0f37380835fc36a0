"""What a page may be about: runs, answers and replayed games, one or several, of a fitting kind."""

from __future__ import annotations

import html
import json
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl
import pytest

import simlab
from simlab import api
from simlab.api import Run
from simlab.cli import main
from simlab.errors import UserError
from simlab.reporting import figures, files, plots, sampling
from simlab.reporting.sections import SUBJECTS, kinds, usual_kind
from simlab.running.dataset import read_run_file, write_run_file, write_sealed

SCRIPT = '''"""Of everything."""

from simlab import figures, report_answer, report_section


@report_answer("How many games?")
def answer(run):
    return f"{run.span.games} games <b>exactly</b>." if run.players > 3 else None


@report_section("Of a run")
def of_run(run):
    return f"run of {run.span.games} games"


@report_section("Of a duel", of="duel")
def of_duel(answer):
    return [figures.Heading("Heard"), answer.sentence, *answer.tables()]


@report_section("Of a game", of="replay")
def of_game(replay):
    return figures.Lines([f"game {replay.game}"])
'''
FIGURES = '''"""Own."""

from matplotlib.figure import Figure

from simlab import report_figure


def winners(run):
    return run.events().select("game").unique().collect()


@report_figure("Games with events", data=winners, events=True)
def happenings(frame):
    """So many games.

    Not said on the page.
    """
    figure = Figure()
    figure.subplots().set_title(f"{frame.height} games")
    return figure
'''


@pytest.fixture(scope="session")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a short duel."""
    out = tmp_path_factory.mktemp("duel") / "duel"
    asked = {"players": 3, "against": ["random"], "max": 900}
    simlab.duel("diamant", "risk_limit", "threshold(gems=12)", **asked, out=out)  # type: ignore[arg-type]
    return out


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a report script about three subjects, in an empty working directory."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "all_of_it.py"
    path.write_text(SCRIPT)
    return path


def headings(page: Path) -> list[str]:
    return re.findall(r"<h[1-6][^>]*>\s*(.*?)\s*</h[1-6]>", page.read_text(encoding="utf-8"))


def test_every_subject_has_a_usual_kind_that_is_shipped() -> None:
    shipped = kinds()
    for subject in SUBJECTS:
        assert shipped[usual_kind(subject)].of(subject), subject
    assert all(report.summary for report in shipped.values())


def test_a_script_shows_of_each_subject_the_sections_about_it(
    run: Run, duel: Path, script: Path
) -> None:
    game = simlab.replay(run.folder, 7)
    page = simlab.report([run, duel, game], str(script), "page.html")
    told = headings(page)
    assert told[0] == "3 parts"
    assert list(dict.fromkeys(t for t in told if t.startswith("Of a"))) == [
        "Of a run",
        "Of a duel",
        "Of a game",
    ]
    text = page.read_text(encoding="utf-8")
    assert "run of 600 games" in text
    assert "How many games?" in told
    assert "600 games &lt;b&gt;exactly&lt;/b&gt;." in text
    assert "<li>game 7</li>" in text
    assert "Heard" in told
    assert simlab.answer(duel).sentence.split(":")[0] in text


def test_each_subject_has_its_usual_page(run: Run, duel: Path, script: Path) -> None:
    assert simlab.report(duel) == Path("duel.html")
    assert "By how much" in headings(Path("duel.html"))
    assert simlab.report(run.folder, game=7) == Path("four-game-7.html")
    told = headings(Path("four-game-7.html"))
    assert "How did game 7 go?" in told
    assert "Move by move" in told
    first = simlab.report(run.folder, "game", "first.html")
    assert "How did game 0 go?" in headings(first)
    (part,) = api.answer(duel).parts
    assert simlab.report(duel, "seats", "seats.html")
    assert "Who wins by seat" in headings(Path("seats.html"))
    text = Path("seats.html").read_text(encoding="utf-8")
    assert f"{part.span.games:,} games" in text
    assert "These games were played for a duel" in text
    assert api.answer(duel).command() in html.unescape(text)  # not a run, which has other deals


def test_all_runs_of_a_question_are_shown_by_a_kind_of_runs(tmp_path: Path) -> None:
    asked = {"players": 2, "field": ["greedy_buy", "random"], "n": 24, "out": tmp_path / "tour"}
    found = simlab.tournament("splendor", **asked)  # type: ignore[arg-type]
    page = simlab.report(tmp_path / "tour", "seats", tmp_path / "seats.html")
    assert headings(page).count("Who wins by seat") == len(found.parts)


def test_seats_that_were_fixed_cannot_be_told_from_strategies(tmp_path: Path) -> None:
    line_up = ["risk_limit", "random", "random"]
    run = simlab.run("diamant", 3, 300, line_up, seats="fixed", out=tmp_path / "fixed")
    text = run.report(tmp_path / "x.html", "seats").read_text(encoding="utf-8")
    assert "These games cannot tell" in text


def test_a_kind_that_does_not_fit_is_told_with_those_that_do(run: Run, duel: Path) -> None:
    with pytest.raises(
        UserError, match=r"kind 'duel' shows the answer of a duel, not runs; .*seats"
    ):
        simlab.report(run, "duel")
    with pytest.raises(UserError, match="shows the answer of a sweep, not the answer of a duel"):
        simlab.report(duel, "sweep")
    with pytest.raises(UserError, match="no kind of page 'scoers'; did you mean scores"):
        simlab.report(run, "scoers")
    with pytest.raises(UserError, match=r"at most 20 runs; these are 21"):
        simlab.report([run] * 21)


def test_a_replay_tells_the_game_and_how_the_scores_grew(run: Run) -> None:
    game = simlab.replay(run.folder, 7)
    ends = run.scan().filter(pl.col("game") == 7).sort("seat").collect()
    points = game.points()
    last = points.filter(pl.col("decision") == points["decision"].max()).sort("seat")
    assert last["score"].to_list() == ends["score"].to_list()
    assert points.height == len(game.course) * 4
    assert game.summary().sort("seat")["rank"].to_list() == ends["rank"].to_list()
    (axes,) = game.plot().axes
    for seat, line in enumerate(axes.get_lines()):
        own = points.filter(pl.col("seat") == seat)
        assert list(line.get_ydata())[1:] == own["score"].to_list()
    with pytest.raises(UserError, match="no figure 'point'; did you mean points"):
        game.plot("point")


def test_a_figure_of_events_has_them_or_a_stated_sample(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampling, "MOST", 250)
    (tmp_path / "figures.py").write_text(FIGURES)
    monkeypatch.setattr(
        plots, "find_game", lambda name: type("G", (), {"folder": tmp_path, "events": 1})
    )
    run = simlab.load(run.folder)  # one whose sample is not there yet
    assert "happenings" in figures.names(run)
    drawn = figures.figure(run, "happenings")
    assert drawn.axes[0].get_title() == "250 games"
    note = "From games 0 to 249 of 600, played again with events, which the run did not record."
    assert drawn.get_supxlabel() == note
    assert str(drawn.get_label()) == note
    own = figures.own(run)
    assert [type(thing).__name__ for thing in own] == ["Heading", "str", "Figure"]
    assert own[1] == "So many games."
    sample, _ = sampling.with_events(run)
    rows = run.scan().filter(pl.col("game") < 250).collect()
    assert sample.scan().collect().equals(rows)
    held = simlab.run("diamant", 3, 40, out=tmp_path / "held", events=True)
    drawn = figures.figure(held, "happenings")
    assert drawn.axes[0].get_title() == "40 games"
    assert not drawn.get_supxlabel()


def test_two_who_write_one_page_do_not_write_into_each_other(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    wanted = ["a" * 300_000, "b" * 200_000]
    with ThreadPoolExecutor(2) as pool:
        for _ in range(20):
            assert list(pool.map(lambda text: files.write(path, text), wanted)) == [path, path]
            assert path.read_text() in wanted
    assert [each.name for each in tmp_path.iterdir()] == ["page.html"]


def test_a_sample_is_gone_when_nobody_has_it(run: Run) -> None:
    again = simlab.load(run.folder)
    folder = sampling.with_events(again)[0].folder
    assert folder.is_dir()
    assert sampling.with_events(again)[0].folder == folder
    del again
    assert not folder.exists()


def test_the_sample_is_small_where_games_are_slow(run: Run) -> None:
    for pace, games in ((1, 200), (150, 300), (10**6, 600)):
        slow = simlab.load(run.folder)
        slow.file.games_played, slow.file.seconds = pace * 100, 100.0  # type: ignore[misc]
        assert sampling.games_of_sample(slow) == games
        assert sampling.games_of_sample(slow, 7) % 7 == 0


@pytest.mark.parametrize(
    ("title", "data", "says"), [("", len, "takes a heading"), ("A", 3, "data is a function")]
)
def test_a_figure_that_cannot_be_is_refused(title: str, data: object, says: str) -> None:
    with pytest.raises(UserError, match=says):
        simlab.report_figure(title, data=data)  # type: ignore[arg-type]


def test_a_folder_of_an_older_layout_is_shown(run: Run, tmp_path: Path) -> None:
    folder = shutil.copytree(run.folder, tmp_path / "old")
    held = json.loads((folder / "run.json").read_text())
    for name in ("question", "cores", "until", "versions", "games_played"):
        held.pop(name, None)
    held.pop("checksum")
    write_sealed(folder / "run.json", held)
    page = simlab.report(folder, out=tmp_path / "old.html").read_text(encoding="utf-8")
    assert "not recorded" in page
    write_sealed(folder / "run.json", held | {"format": 0})
    with pytest.raises(UserError, match="format"):
        simlab.report(folder, out=tmp_path / "older.html")


def test_the_command_line_makes_pages_of_games_and_says_how_far_it_is(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def report(*words: str) -> int:
        monkeypatch.setattr("sys.argv", ["simlab", "report", str(run.folder), *words])
        with pytest.raises(SystemExit) as ended:
            main()
        return int(ended.value.code or 0)

    out = tmp_path / "game.html"
    assert report("--game", "3", "-o", str(out)) == 0
    assert capsys.readouterr().out.strip() == f"Page: {out}"
    assert "How did game 3 go?" in headings(out)
    assert report("--game", "600") == 2
    assert "600 is not among them" in capsys.readouterr().err


def test_an_empty_run_is_refused_in_a_sentence(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    file = read_run_file(run.folder)
    file.shards.clear()
    write_run_file(folder, file)
    with pytest.raises(UserError, match="holds no finished games yet"):
        simlab.report(folder)


BAD_FIGURES = {
    "return None": "was drawn as a NoneType; its function returns a matplotlib Figure",
    "raise KeyError('jewels')": "figures.py:18: figure 'happenings' failed: KeyError: 'jewels'",
    "raise SystemExit(5)": "figures.py:18: figure 'happenings' failed: SystemExit",
}


@pytest.mark.parametrize("body", BAD_FIGURES)
def test_a_games_figure_that_fails_is_one_sentence_and_leaves_the_page(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    source = FIGURES.replace("figure = Figure()", body)
    (tmp_path / "figures.py").write_text(source)
    monkeypatch.setattr(
        plots, "find_game", lambda name: type("G", (), {"folder": tmp_path, "events": 1})
    )
    with pytest.raises(UserError, match=re.escape(BAD_FIGURES[body])):
        figures.figure(run, "happenings")
    assert str(figures.own(run)[1]).startswith("Not shown: ")


BAD_THINGS = ('figures.Heading("")', "figures.Lines([1, 2])", "figures.Lines(None)", "bad_math()")


@pytest.mark.parametrize("thing", BAD_THINGS)
def test_what_cannot_be_drawn_is_told_with_its_section(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, thing: str
) -> None:
    (tmp_path / "odd.py").write_text(
        '"""Odd."""\nfrom matplotlib.figure import Figure\n'
        "from simlab import figures, report_section\n\n\n"
        "def bad_math():\n    figure = Figure()\n    figure.suptitle(r'$\\frac{$')\n"
        "    return figure\n\n\n"
        f'@report_section("Odd thing")\ndef odd(run):\n    return {thing}\n'
    )
    with pytest.raises(UserError, match=r"odd.py:\d+: section 'Odd thing'"):
        simlab.report(run, str(tmp_path / "odd.py"), tmp_path / "page.html")
    assert not list(tmp_path.glob("*.html"))
    assert not list(tmp_path.glob(".new-*"))


def test_games_that_come_out_otherwise_are_not_shown_as_a_sample(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = simlab.load(run.folder)
    scan = again.scan().with_columns(pl.col("score") + 1)
    monkeypatch.setattr(again, "scan", lambda: scan)
    with pytest.raises(UserError, match="no longer come out as they did"):
        sampling.with_events(again)
