"""Tables in HTML: every number in full, every text harmless, every id its own."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import polars as pl
import pytest

from simlab.api import Run
from simlab.reporting.answers.sheet import Sheet
from simlab.reporting.cells import Grid, frame_grid, run_grid
from simlab.reporting.htmltables import fragment, page_table

ODD = ["<script>alert(1)</script>", "\"'&{{x}}", "n" * 200, "\N{GRINNING FACE} {a}", None]
FRAME = pl.DataFrame(
    {
        "name {{of}} it": ODD,
        "win_share": [0.123456789, None, 1e-9, float("nan"), float("-inf")],
        "win_share_low": [0.1, None, 0.2, 0.3, 0.4],
        "win_share_high": [0.2, 0.3, 0.4, 0.5, None],
        "low": [1, 2, 3, 4, 5],
        "high": [1_000_000, 2, 3, 4, 5],
        "list": [[1], [], [2, 3], None, [4]],
    }
)


class Parsed(HTMLParser):
    """Elements in their order: tag, attributes, text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str], list[str]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}, []))

    def handle_data(self, data: str) -> None:
        if self.found:
            self.found[-1][2].append(data)

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attrs for name, attrs, _ in self.found if name == tag]

    def texts(self, *tags: str) -> list[str]:
        return ["".join(text).strip() for name, _, text in self.found if name in tags]

    def values(self) -> dict[str, list[float]]:
        told: dict[str, list[float]] = {}
        for attrs in self.all("data"):
            told.setdefault(attrs["data-column"], []).append(float(attrs["data-value"]))
        return told


def test_each_number_has_its_full_value_and_the_name_of_its_column() -> None:
    values = Parsed(page_table(frame_grid(FRAME), "t1", "Odd")).values()
    for name in ("win_share", "win_share_low", "win_share_high", "low", "high"):
        known = FRAME[name].drop_nulls().to_list()
        assert [repr(x) for x in values[name]] == [repr(float(x)) for x in known]
    assert "list" not in values


def test_texts_of_any_kind_are_shown_as_they_are_and_do_no_harm() -> None:
    for made in (
        page_table(frame_grid(FRAME), "t1", ODD[0] or ""),
        fragment(frame_grid(FRAME), '"'),
    ):
        assert "<script" not in made
        page = Parsed(made)
        assert [text for text in ODD if text] == [t for t in page.texts("span") if t in ODD]
        heads = [attrs["data-column"] for attrs in page.all("span") if "data-column" in attrs]
        assert sorted(heads) == sorted(FRAME.columns)
        assert "name {{of}} it" in page.texts("span")
        missing = [attrs for attrs in page.all("span") if attrs.get("class") == "missing"]
        assert len(missing) == sum(FRAME.null_count().row(0))


def test_ids_are_unique_on_a_page_and_each_cell_names_its_headings() -> None:
    made = "".join(page_table(frame_grid(FRAME), name, "Twice") for name in ("t1", "t2"))
    page = Parsed(made)
    ids = [attrs["id"] for _, attrs, _ in page.found if "id" in attrs]
    assert len(ids) == len({*ids}) > 20
    cells = page.all("td")
    assert len(cells) == 2 * 5 * 6
    assert {word for attrs in cells for word in attrs["headers"].split()} <= {*ids}
    assert all(attrs["scope"] for attrs in page.all("th"))
    assert [attrs["aria-label"] for attrs in page.all("table")] == ["Twice"] * 2


def test_low_and_high_stand_below_one_heading() -> None:
    page = Parsed(page_table(frame_grid(FRAME), "t1", "Intervals"))
    spanners = [a for a in page.all("th") if a["scope"] == "colgroup"]
    assert [attrs["colspan"] for attrs in spanners] == ["2", "2"]
    assert page.texts("span").count("low") == page.texts("span").count("high") == 2
    assert {"win_share interval", "interval"} <= {*page.texts("span")}


@pytest.mark.parametrize("rows", [0, 1, 500])
def test_a_table_of_any_length(rows: int) -> None:
    grid = frame_grid(pl.DataFrame({"n": range(rows)}))
    made = fragment(grid, "Numbers")
    assert len(Parsed(made).all("data")) == min(rows, 200)
    assert ("No rows." in made) == (rows == 0)
    assert ("300 more rows are not shown." in made) == (rows == 500)


def test_a_frame_without_columns_is_no_table() -> None:
    assert "<tr" not in page_table(Grid([], []), "t1", "Nothing")
    assert "<p>" not in fragment(frame_grid(pl.DataFrame()), "Nothing")


def test_a_notebook_shows_the_numbers_of_a_run_in_full(run: Run) -> None:
    table = run.table("seat")
    made = table._repr_html_()
    assert made == table.write("html")
    told = Parsed(made).values()
    for name in told:
        assert told[name] == [row[name] for row in table.objects()]
    assert {"seat", "win_share", "score_high"} <= {*told}
    assert table.about in made
    assert all(line in made for line in table.lines if "<" not in line)


def test_a_fragment_brings_a_style_of_its_own_and_no_ids(run: Run) -> None:
    made = [fragment(run_grid(run.table(), []), "A run"), Sheet("Title", FRAME).text("html")]
    for text in made:
        page = Parsed(text)
        (style,) = page.texts("style")
        for rule in re.findall(r"([^{}]+)\{", style):
            assert rule.startswith(".simlab-table")
        assert not re.search(r"#[0-9a-f]{3}|url\(|@", style)
        assert not [attrs for _, attrs, _ in page.found if {"id", "headers", "style"} & {*attrs}]
    assert Parsed(made[1]).texts("caption") == ["Title"]
