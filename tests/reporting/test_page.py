"""The page: whole, honest, offline, and written in one step."""

from __future__ import annotations

import base64
import dataclasses
import errno
import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest

import simlab
from simlab.api import Run
from simlab.errors import UserError
from simlab.reporting import origin
from simlab.reporting.answer import answer
from simlab.reporting.page import write_page
from simlab.reporting.parts import question
from simlab.reporting.rendering import MOST_BYTES
from simlab.reporting.tables import RunTable
from simlab.running.plan import Span

VOID = {"meta", "img", "source", "br", "link", "input", "hr"}
ADDRESSES = ("src", "srcset", "href", "action", "poster", "data", "background", "cite", "ping")
OWN = '''"""Says little."""

from simlab import report_section


@report_section("A word")
def word(run):
    """Said <b>quietly</b>."""
    return "Hello <i>there</i>.\\n\\nA second paragraph."


@report_section("Nothing")
def nothing(run):
    return None
'''
BRIEF = '''"""Who wins, what they score, and whether the seats are fair."""
from simlab import figures, report_section

@report_section("Who wins")
def shares(run):
    """Dots and tables."""
    return figures.win_share(run.summary()), run.table()

@report_section("What they score")
def scores(run):
    return figures.score(run.summary(), figures.spread(run.scan()))

@report_section("Whether the seats are fair")
def seats(run):
    table = run.table("seat")
    return figures.seats(table.frame()), table
'''


class Page(HTMLParser):
    """A parsed page: every element with its attributes, texts by element, errors of nesting."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[tuple[str, int]] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[list[str]] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs)
        self.elements.append((tag, dict(attrs)))
        self.texts.append([])
        if tag not in VOID:
            self.open.append((tag, len(self.elements) - 1))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        for _, place in self.open:
            self.texts[place].append(data)

    def all(self, tag: str, css: str | None = None) -> list[str]:
        """Return the text of each element of a kind (and class), spaces made single."""
        return [
            " ".join("".join(text).split())
            for (name, attrs), text in zip(self.elements, self.texts, strict=True)
            if name == tag and (css is None or css in (attrs.get("class") or "").split())
        ]

    def exact(self, tag: str) -> list[str]:
        """Return the text of each element of a kind, to the letter."""
        return [
            "".join(text)
            for (name, _), text in zip(self.elements, self.texts, strict=True)
            if name == tag
        ]

    def attributes(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.elements if name == tag]

    def headings(self) -> list[int]:
        return [int(name[1]) for name, _ in self.elements if re.fullmatch(r"h[1-6]", name)]

    def numbers(self) -> list[dict[str, float]]:
        """Return the full value of each table row's numbers, by column."""
        found: list[dict[str, float]] = []
        for tag, attrs in self.elements:
            if tag == "tr":
                found.append({})
            elif tag == "data":
                assert attrs["value"] == attrs["data-value"]
                found[-1][str(attrs["data-column"])] = float(str(attrs["data-value"]))
        return [row for row in found if row]


Show = Callable[..., Page]


@pytest.fixture
def show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Show:
    """Write a page, in an empty working directory that has a report script of one's own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "own_words.py").write_text(OWN)
    (tmp_path / "reports" / "brief.py").write_text(BRIEF)

    def shown(runs: object, kind: str = "brief") -> Page:
        path = write_page(runs, kind, "page.html")
        assert path.stat().st_size < MOST_BYTES
        return Page(path.read_text(encoding="utf-8"))

    return shown


def sha256(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def sound(page: Page) -> None:
    """Assert what holds of every page: offline, accessible, well nested."""
    names = {name for name, _ in page.elements}
    assert not names & {"link", "iframe", "object", "embed", "form", "base", "svg"}
    for tag, attrs in page.elements:
        for name, value in attrs.items():
            assert not name.startswith("on"), (tag, name)
            if name in ADDRESSES:
                assert str(value).startswith(("data:image/", "#")), (tag, name)
    assert not [attrs for _, attrs in page.elements if "style" in attrs]
    (style,), (script,) = page.exact("style"), page.exact("script")
    assert not re.search(r"url\(|@import|@font-face|https?:", style)
    policies = [a["content"] for a in page.attributes("meta") if "http-equiv" in a]
    assert policies == [
        f"default-src 'none'; img-src data:; style-src '{sha256(style)}'; "
        f"script-src '{sha256(script)}'; base-uri 'none'; form-action 'none'"
    ]
    assert page.attributes("html") == [{"lang": "en"}]
    levels = page.headings()
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert all(image["alt"] for image in page.attributes("img"))
    ids = [attrs["id"] for _, attrs in page.elements if "id" in attrs]
    assert len(set(ids)) == len(ids)
    assert {str(attrs["href"])[1:] for attrs in page.attributes("a")} <= {*ids}
    assert len(page.all("title")) == len(page.all("main")) == 1


def whole(page: Page, run: Run) -> None:
    """Assert that a page says what no page of a run may leave out."""
    assert question(run) in page.all("h1") + page.all("h2")
    assert answer(run) in page.all("p", "answer")
    for text in run.cautions():
        assert f"Caution: {text}" in page.all("p", "caution")
    assert "How this was made" in page.all("h2") + page.all("h3")
    assert origin.command(run) in page.all("code")
    words = page.all("dd")
    for _, lines in origin.facts(run):
        assert {" ".join(line.split()) for line in lines} <= {*words}


def test_the_overview_is_sound_and_whole(show: Show, run: Run) -> None:
    page = show(run, "overview")
    sound(page)
    whole(page, run)
    assert page.all("h2")[:3] == ["Who wins", "What they score", "Whether the seats are fair"]
    assert page.all("h2")[-1] == "How this was made"
    assert len(page.attributes("img")) >= 3
    assert page.all("h1") == ["Which of these 4 strategies wins most at Diamant with 4 players?"]


def test_the_numbers_of_the_tables_are_those_of_the_run_in_full(show: Show, run: Run) -> None:
    wanted = run.table().objects() + run.table("seat").objects()
    numbers = show(run).numbers()
    assert len(numbers) == len(wanted)
    for row, told in zip(wanted, numbers, strict=True):
        row.pop("strategy", None)
        assert told == row


def test_numbers_stand_at_the_right(show: Show, run: Run) -> None:
    page = show(run)
    cells = [(tag, attrs) for tag, attrs in page.elements if tag in ("td", "data")]
    held = [attrs for (_, attrs), (tag, _) in pairwise(cells) if tag == "data"]
    assert len(held) == len(page.attributes("data")) > 50
    assert all("gt_right" in str(attrs["class"]) for attrs in held if "class" in attrs)
    assert re.search(r"\.gt_right \{[^}]*text-align: right", "".join(page.all("style")))


def test_a_kind_of_ones_own_cannot_leave_out_what_belongs_to_a_page(show: Show, run: Run) -> None:
    page = show(run, "own-words")
    sound(page)
    whole(page, run)
    assert page.all("h2") == ["A word", "How this was made"]
    assert "Hello <i>there</i>." in page.all("p")
    assert "A second paragraph." in page.all("p")
    assert page.all("figcaption") == ["Said <b>quietly</b>."]
    assert not page.attributes("i")


def test_strategies_with_odd_names_are_shown_and_harmless(
    show: Show, run: Run, rename: Callable[..., Run]
) -> None:
    names = ["<script>alert(1)</script>", '"><img src=x onerror=y>', "$x_1$", "n" * 200]
    page = show(rename(run, names))
    sound(page)
    assert {*names} <= {*page.all("th")}
    assert any("<script>alert(1)</script>" in text for text in page.all("p", "answer"))
    pictures = [str(image["src"]) for image in page.attributes("img")]
    for picture in pictures:
        drawn = base64.b64decode(picture.partition(",")[2]).decode()
        assert "<script" not in drawn
        assert "onerror" not in drawn.replace("&quot;&gt;&lt;img src=x onerror=y&gt;", "").replace(
            '"&gt;&lt;img src=x onerror=y&gt;', ""
        )


def test_pictures_come_for_light_and_dark_wide_and_narrow_screens(show: Show, run: Run) -> None:
    page = show(run)
    media = [attrs["media"] for attrs in page.attributes("source")]
    assert len(media) == 9
    assert len({*media}) == 3
    drawn = {str(attrs["srcset"]) for attrs in page.attributes("source")}
    drawn |= {str(attrs["src"]) for attrs in page.attributes("img")}
    assert len(drawn) == 12
    for address in drawn:
        text = base64.b64decode(address.partition("base64,")[2]).decode()
        assert text.startswith("<?xml")
        assert not re.search(r'(href|src)="(?!#)', text)


def test_the_same_run_gives_the_same_bytes_in_any_process(
    show: Show, run: Run, tmp_path: Path
) -> None:
    show(run)
    here = (tmp_path / "page.html").read_text(encoding="utf-8").splitlines()
    program = (
        "import sys, simlab; from simlab.reporting.page import write_page;"
        "write_page(simlab.load(sys.argv[1]), 'brief', 'again.html')"
    )
    words = [sys.executable, "-W", "error", "-c", program, str(run.folder)]
    subprocess.run(words, check=True, env={**os.environ, "PYTHONHASHSEED": "7"})
    again = (tmp_path / "again.html").read_text(encoding="utf-8").splitlines()
    assert [(a[:200], b[:200]) for a, b in zip(here, again, strict=True) if a != b] == []


def test_several_runs_follow_one_another(show: Show, run: Run, alike: Run) -> None:
    page = show([run, alike])
    sound(page)
    for each in (run, alike):
        whole(page, each)
    assert page.all("h1") == ["2 runs"]
    assert page.all("h3").count("How this was made") == 2
    assert len(page.all("article")) == 2
    targets = [str(attrs["href"])[1:] for attrs in page.attributes("a")]
    articles = [attrs["id"] for attrs in page.attributes("article")]
    assert [target for target in targets if target in articles] == articles
    sections = [attrs["id"] for attrs in page.attributes("section")]
    assert [target for target in targets if target not in articles] == sections


def test_one_strategy_in_all_seats(show: Show, alike: Run) -> None:
    page = show(alike)
    sound(page)
    assert page.all("h1") == ["How does risk_limit do against itself at Diamant with 3 players?"]


def test_one_game(show: Show, tmp_path: Path) -> None:
    page = show(simlab.run("diamant", 3, 1, out=tmp_path / "single"))
    sound(page)
    assert page.all("p", "answer")[0].startswith("In the one game played ")
    assert "Diamant · 3 players · rules standard · 1 game" in page.all("p", "about")


def test_fixed_seats_changed_rules_and_no_caution(show: Show, tmp_path: Path) -> None:
    run = simlab.run(
        "diamant", 3, 200, ["random", "random", "risk_limit"], seats="fixed", rules="official",
        set={"expeditions": 2}, out=tmp_path / "fixed",
    )  # fmt: skip
    page = show(run)
    sound(page)
    assert run.cautions() == []
    fixed = "Seats were fixed: the share of a strategy also contains the advantage of its seat."
    assert fixed in page.all("p", "caution")
    assert page.all("h1")[0].endswith("with 3 players under official rules?")
    assert any("expeditions 2" in text for text in page.all("p", "about"))
    assert "expeditions = 2" in page.all("dd")
    row = next(row for row in page.numbers() if row.get("seat") == 2 and "score_sd" in row)
    assert row["win_share"] == run.table().objects()[1]["win_share"]


def test_a_question_of_its_own_comes_first(show: Show, run: Run) -> None:
    for own, shown in (("How many gems are <enough>?", "How many gems are <enough>?"), (" ", None)):
        file = SimpleNamespace(**{**vars(run.file), "question": own, "span": run.file.span})
        asked = Run(run.folder, file)  # type: ignore[arg-type]
        assert show(asked).all("h1") == [shown or question(run)]


def test_truncated_games_are_told(show: Show, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = run.table

    def table(by: str = "strategy") -> RunTable:
        told = usual(by)
        return dataclasses.replace(told, lines=[*told.lines, "3 of 600 games were truncated."])

    monkeypatch.setattr(run, "table", table)
    page = show(run)
    assert page.all("p", "caution").count("3 of 600 games were truncated.") == 1
    assert "3 of 600 games were truncated." not in page.all("p", "note")


FRAME = '''"""Frames."""
import polars as pl
from matplotlib.figure import Figure
from simlab import report_section

@report_section("Frame")
def frame(run):
    return pl.DataFrame({
        "name": ["<a>", None], "share": [0.123456789, None], "count": [1_234_567, 2],
        "odd": [float("nan"), 12345.678], "yes": [True, False], "list": [[1], []],
    })

@report_section("Long")
def long(run):
    return pl.DataFrame({"n": range(500)})

@report_section("None")
def none(run):
    return pl.DataFrame({"n": []})

@report_section("Figure")
def figure(run):
    figure = Figure()
    axes = figure.add_subplot(xlabel="gems", ylabel="share")
    axes.plot([1, 2], [2, 1])
    return axes

@report_section("Dense")
def dense(run):
    figure = Figure()
    figure.add_subplot().scatter(range(9_000), range(9_000))
    return figure
'''


def test_frames_and_figures_of_ones_own(show: Show, run: Run, tmp_path: Path) -> None:
    (tmp_path / "reports" / "frames.py").write_text(FRAME)
    page = show(run, "frames")
    sound(page)
    rows = page.numbers()
    assert rows[0]["share"] == 0.123456789
    assert rows[0]["count"] == 1_234_567
    assert rows[1] == {"count": 2, "odd": 12345.678}
    cells = page.all("td")
    assert cells[:5] == ["0.1235", "1,234,567", "nan", "True", "[1]"]
    assert cells[5:10] == ["-", "2", "12,346", "False", "[]"]
    assert page.all("th")[6:8] == ["<a>", "-"]
    assert page.all("p", "note")[0] == "300 more rows are not shown."
    plain, dense = page.attributes("img")
    assert plain["alt"] == "Figure: Figure, gems, share."
    assert str(plain["src"]).startswith("data:image/svg+xml;base64,")
    assert str(dense["src"]).startswith("data:image/png;base64,")
    assert len(page.attributes("source")) == 0
    assert [attrs.get("class") for attrs in page.attributes("picture")] == ["ground"] * 2


def test_figures_made_with_pyplot_are_closed(show: Show, run: Run, tmp_path: Path) -> None:
    from matplotlib import pyplot

    text = FRAME.replace("figure = Figure()", "from matplotlib import pyplot as plt\n    figure = "
                         "plt.figure()")  # fmt: skip
    (tmp_path / "reports" / "drawn.py").write_text(text)
    before = pyplot.get_fignums()
    show(run, "drawn")
    assert pyplot.get_fignums() == before


def test_a_page_that_grows_too_large_keeps_one_drawing_of_each_figure(
    show: Show, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simlab.reporting.rendering.MOST_BYTES", 100_000)
    page = show(run)
    sound(page)
    assert len(page.attributes("img")) == 3
    assert not page.attributes("source")


@pytest.mark.parametrize("kind", ["failing", "overveiw"])
def test_nothing_is_written_where_a_page_fails(
    show: Show, run: Run, tmp_path: Path, kind: str
) -> None:
    failing = OWN.replace("return None", "return 1 / 0")
    (tmp_path / "reports" / "failing.py").write_text(failing)
    before = sorted(tmp_path.rglob("*.html"))
    with pytest.raises(UserError):
        show(run, kind)
    assert sorted(tmp_path.rglob("*.html")) == before == []
    (tmp_path / "page.html").write_text("older")
    with pytest.raises(UserError):
        show(run, kind)
    assert (tmp_path / "page.html").read_text() == "older"


def test_a_full_disk_leaves_the_older_page(
    show: Show, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (tmp_path / "page.html").write_text("older")
    monkeypatch.setattr("simlab.running.dataset._sync", full)
    with pytest.raises(UserError, match=r"cannot write page\.html: No space left on device"):
        show(run, "own-words")
    names = sorted(p.name for p in tmp_path.iterdir() if p.name != "reports")
    assert names == ["page.html"]
    assert (tmp_path / "page.html").read_text() == "older"


PLACES = {
    "no/page.html": "cannot write no/page.html: there is no folder no; make it first",
    "file/page.html": "there is no folder file",
    "folder.html": "folder.html is a folder; name a file for a page in it",
    "page.svg": "cannot write a page to 'page.svg'; give a name that ends in .html or .htm",
    "page": "cannot write a page to 'page'; give",
    "": "cannot write a page to ''; give",
    f"{'x' * 300}.html": "cannot write xxx",
    "a\0b.html": "cannot write a page to 'a?b.html'; give",
}


@pytest.mark.parametrize("out", PLACES)
def test_a_place_that_cannot_be_written_is_one_sentence(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.html").mkdir()
    before = sorted(tmp_path.iterdir())
    with pytest.raises(UserError) as error:
        write_page(run, "overview", out)
    assert PLACES[out] in str(error.value)
    assert "\n" not in str(error.value)
    assert sorted(tmp_path.iterdir()) == before


def test_runs_that_no_page_can_show_are_one_sentence(show: Show, run: Run, tmp_path: Path) -> None:
    empty = Run(run.folder, dataclasses.replace(run.file, shards=[]), Span(0, 0))
    with pytest.raises(UserError, match="holds no finished games yet; play it first"):
        show(empty)
    spec = run.file.spec | {"game": "chess"}
    other = Run(run.folder, dataclasses.replace(run.file, spec=spec))
    with pytest.raises(UserError, match="holds games of 'chess', which is not installed here"):
        show([run, other])
    with pytest.raises(UserError, match="a page needs at least one run"):
        show([])
    assert not (tmp_path / "page.html").exists()
