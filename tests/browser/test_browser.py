"""Every kind of page in a real browser: sound, offline, legible, and true to its data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from simlab.api import Run
from simlab.cli import app
from tests.browser import faults
from tests.browser.chromium import PAPER, PHONE, SMALL, WIDE, Chromium
from tests.browser.pages import FORTY, Page, without_example
from tests.browser.tables import clicks, copies, falsely_rounded, tables

pytestmark = pytest.mark.browser

BAD = """<!DOCTYPE html><html lang="en"><head><title>Bad</title></head>
<body style="background: #fff; color: #bbb">
<p style="font-size: 10px">small</p><div style="width: 430px">wide</div><button>press</button>
<img alt="drawn small" width="200" src='data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"
viewBox="0 0 400 10"><text x="-2" y="9" style="font: 9px sans-serif">a</text></svg>'>
<img src="data:image/png;base64,AAAA">
<script>alert(1); console.error("oh"); fetch("https://nowhere.invalid/y").catch(e => e)</script>
</body></html>"""


def test_every_kind_has_an_example_here() -> None:
    assert without_example() == [], "say in EXAMPLES or OF_KIND of tests/browser/pages.py of what"


def test_every_check_finds_its_fault(browser: Chromium, tmp_path: Path) -> None:
    path = tmp_path / "bad.html"
    path.write_text(BAD)
    browser.open(path, PHONE, dark=True)
    assert len(faults.letters_too_small(browser)) == 2
    assert len(faults.over_the_edge(browser)) == 2
    assert len(faults.not_dark(browser)) == 4
    assert len(faults.pictures_not_loaded(browser)) == 1
    said = "\n".join(faults.hard_to_access(browser))
    assert "color-contrast" in said
    assert "image-alt" in said
    said = "\n".join(faults.misbehaving(browser, path))
    for words in ("alert: 1", '"oh"', "asked for https://nowhere.invalid/y"):
        assert words in said
    browser.show(PAPER, printed=True)
    assert len(faults.not_printable(browser)) == 2
    assert len(faults.letters_cut_off(browser)) == 1


def test_nothing_goes_wrong_and_nothing_leaves(browser: Chromium, page: Page) -> None:
    browser.open(page.path)
    browser.ask("for (const one of document.querySelectorAll('summary, button')) one.click()")
    for width, dark in ((PHONE, True), (WIDE, True), (SMALL, False)):
        browser.show(width, dark=dark)
        assert faults.pictures_not_loaded(browser) == []
    assert faults.misbehaving(browser, page.path) == []


@pytest.mark.parametrize("width", [PHONE, SMALL])
def test_a_phone_shows_the_whole_width(browser: Chromium, page: Page, width: int) -> None:
    browser.open(page.path, width)
    browser.ask("for (const one of document.querySelectorAll('details')) one.open = true")
    assert faults.over_the_edge(browser) == []


def test_letters_are_legible_on_a_phone(browser: Chromium, page: Page) -> None:
    browser.open(page.path, PHONE)
    assert faults.letters_too_small(browser) == []


@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_no_letters_of_a_figure_are_cut_off(browser: Chromium, page: Page, width: int) -> None:
    browser.open(page.path, width)
    assert faults.letters_cut_off(browser) == []


def test_a_dark_page_is_dark(browser: Chromium, page: Page) -> None:
    browser.open(page.path, dark=True)
    assert faults.not_dark(browser) == []


def test_paper_has_no_controls_and_legible_letters(browser: Chromium, page: Page) -> None:
    browser.open(page.path, PAPER, dark=True, printed=True)
    assert faults.not_printable(browser) == []
    assert faults.letters_too_small(browser, least=faults.LEAST_ON_PAPER) == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_page_is_accessible(browser: Chromium, page: Page, dark: bool) -> None:
    browser.open(page.path, dark=dark)
    assert faults.hard_to_access(browser) == []


def test_a_click_on_a_heading_sorts(browser: Chromium, page: Page) -> None:
    browser.open(page.path)
    before = tables(browser)
    done = clicks(browser)
    assert len(done) == sum(2 * len(t.columns) for t in before if len(t.rows) > 1)
    for first, second in zip(done[::2], done[1::2], strict=True):
        column = f"column {before[first.table].columns[first.place]}"
        for click in (first, second):
            assert sorted(map(repr, click.rows)) == sorted(map(repr, before[click.table].rows))
            assert [place for place, how in enumerate(click.orders) if how] == [click.place], column
            assert click.values == click.known + [None] * (len(click.values) - len(click.known))
            if all(isinstance(value, float) for value in click.known):
                assert click.known == sorted(click.known, reverse=click.order == "descending"), (
                    column
                )
        assert {first.order, second.order} == {"ascending", "descending"}, column
        assert first.known == second.known[::-1], column


@pytest.mark.parametrize("page", ["forty-strategies"], indirect=True)
def test_names_are_sorted_as_people_count(browser: Chromium, page: Page) -> None:
    browser.open(page.path)
    found = tables(browser)
    first = next(i for i, table in enumerate(found) if "strategy" in table.columns)
    place = found[first].columns.index("strategy")
    done = [c for c in clicks(browser) if (c.table, c.place) == (first, place)]
    (up,) = (c for c in done if c.order == "ascending")
    assert up.known == FORTY


def test_a_table_is_copied_in_full(browser: Chromium, page: Page) -> None:
    browser.open(page.path)
    wanted = [
        [table.columns, *([cell.full for cell in row] for row in table.rows)]
        for table in tables(browser)
    ]
    assert copies(browser) == wanted


@pytest.mark.parametrize("page", ["odd-names"], indirect=True)
def test_copying_works_where_pages_have_no_clipboard(browser: Chromium, page: Page) -> None:
    browser.open(page.path)
    assert copies(browser, closed=True) == copies(browser)


def test_every_number_is_its_full_value_rounded(browser: Chromium, page: Page) -> None:
    browser.open(page.path)
    found = tables(browser)
    assert found
    assert [wrong for table in found for wrong in falsely_rounded(table)] == []


def told(run: Run, by: str, ties: str) -> list[dict[str, Any]]:
    """Return the rows of a run's table as the command line tells them."""
    words = ["table", str(run.folder), "--by", by, "--ties", ties, "--format", "json"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    rows = json.loads(done.output)["rows"]
    for row in rows:  # of fixed seats, which a page shows as a name
        if by == "strategy" and "seat" in row:
            row["seat"] = str(row["seat"]).strip("[]")
    return rows


def test_the_numbers_of_a_run_are_those_of_the_command_line(browser: Chromium, page: Page) -> None:
    browser.open(page.path)
    found = tables(browser)
    for part, run in enumerate(page.runs):
        mine = [table for table in found if table.part == part and "win_share" in table.columns]
        for by in {table.columns[0] for table in mine} & {"strategy", "seat"}:
            shown = [table.objects() for table in mine if table.columns[0] == by]
            usual = told(run, by, "ordinal")
            assert usual in shown
            assert all(rows in (usual, told(run, by, "share")) for rows in shown), by


@pytest.mark.parametrize("page", ["overview", "several-runs"], indirect=True)
def test_an_overview_shows_the_strategies_and_the_seats(browser: Chromium, page: Page) -> None:
    browser.open(page.path)
    shown = {(table.part, table.columns[0]) for table in tables(browser)}
    assert shown >= {(n, by) for n in range(len(page.runs)) for by in ("strategy", "seat")}
