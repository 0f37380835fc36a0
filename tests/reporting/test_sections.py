"""Report scripts: found by their names, shown in order, and told about when they fail."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from matplotlib.figure import Figure

from simlab.api import Run
from simlab.core.places import looking_in, shipped_pack
from simlab.errors import UserError
from simlab.reporting.sections import (
    Report,
    find_report,
    kinds,
    report_section,
    shown_by,
)
from simlab.reporting.tables import RunTable

HEAD = (
    '"""How win shares differ.\n\nMore words.\n"""\n\nfrom simlab import figures, report_section\n'
)
TWO = (
    HEAD
    + '''

@report_section("Second by name")
def z(run):
    """A caption."""
    return "text"


@report_section("First by name")
def a(run):
    return None
'''
)
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a script into `reports` of an empty working directory."""
    monkeypatch.chdir(tmp_path)

    def written(name: str, text: str, folder: str = "reports") -> Path:
        path = tmp_path / folder / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text)
        return path

    return written


def one(report: Report, run: object = None, at: int = 0) -> list[object]:
    return shown_by(report.sections[at], run)


def test_the_shipped_kinds_are_found_and_documented() -> None:
    found = kinds()
    assert {path.stem.replace("_", "-") for path in shipped_pack("reports").glob("[!_]*.py")} <= {
        *found
    }
    assert "overview" in found
    for report in found.values():
        assert report.summary.endswith(".")
        assert report.sections


def test_a_script_is_a_kind_and_its_sections_come_in_the_order_of_the_file(write: Write) -> None:
    path = write("my_wins.py", TWO)
    report = kinds()["my-wins"]
    assert report == find_report("my-wins") == find_report("My_Wins")
    assert (report.file, report.summary) == (path, "How win shares differ.")
    assert [section.title for section in report.sections] == ["Second by name", "First by name"]
    assert [section.name for section in report.sections] == ["z", "a"]
    assert [section.caption for section in report.sections] == ["A caption.", ""]
    assert one(report) == ["text"]
    assert one(report, at=1) == []


def test_a_kind_may_be_the_path_of_a_script(write: Write) -> None:
    path = write("my_page.py", TWO, folder="elsewhere")
    assert "my-page" not in kinds()
    assert find_report(path).kind == find_report("elsewhere/my_page.py").kind == "my-page"


def test_scripts_of_named_places_are_found(write: Write) -> None:
    path = write("mine.py", TWO, folder="pack/reports")
    with looking_in(path.parent.parent):
        assert find_report("mine").file == path


def test_a_script_written_anew_is_read_anew(write: Write) -> None:
    write("page.py", TWO)
    assert one(find_report("page")) == ["text"]
    write("page.py", TWO.replace('"text"', '"another text"'))
    assert one(find_report("page")) == ["another text"]


def test_an_unknown_kind_names_the_nearest(write: Write) -> None:
    with pytest.raises(UserError, match="no kind of page 'overveiw'; did you mean overview"):
        find_report("overveiw")
    with pytest.raises(UserError, match=r"there is no report script none\.py"):
        find_report("none.py")


def test_two_scripts_of_one_kind_are_named_both(write: Write) -> None:
    mine = write("overview.py", TWO)
    with pytest.raises(UserError, match="'overview' is claimed twice") as error:
        find_report("overview")
    assert str(mine) in str(error.value)
    assert str(shipped_pack("reports") / "overview.py") in str(error.value)
    assert "overview" not in kinds()
    assert find_report(mine).file == mine


def test_my_wins_and_win_dash_rates_are_one_kind(write: Write) -> None:
    write("my_wins.py", TWO)
    write("my-wins.py", TWO)
    with pytest.raises(UserError, match="claimed twice"):
        find_report("my-wins")


def test_a_broken_script_is_told_only_where_it_is_asked_for(write: Write) -> None:
    write("broken.py", TWO + "\nx = 1 / 0  # simlab\n")
    assert "broken" not in kinds()
    assert find_report("overview").kind == "overview"
    with pytest.raises(UserError, match=r"broken\.py:19: ZeroDivisionError"):
        find_report("broken")


def test_a_script_without_sections_says_what_to_add(write: Write) -> None:
    write("bare.py", HEAD)
    with pytest.raises(UserError, match=r"bare\.py shows nothing: mark its functions with"):
        find_report("bare")


def test_sections_imported_from_another_script_are_not_shown_again(write: Write) -> None:
    write("first.py", TWO)
    write("second.py", HEAD + "from first import z\n\n@report_section('Own')\ndef own(run):\n    z")
    assert [section.title for section in find_report("second").sections] == ["Own"]


DECLARED = {
    "@report_section\ndef x(run): pass": "takes the heading of the section",
    "@report_section('')\ndef x(run): pass": "takes the heading of the section",
    "@report_section(7)\ndef x(run): pass": "takes the heading of the section",
    "@report_section('A', name='a b')\ndef x(run): pass": "'a b' cannot be the name of a section",
    "@report_section('A')\ndef x(): pass": "script.py:8: section 'A' takes (); a section takes one "
    "argument: def x(run)",
    "@report_section('A')\ndef x(run, n): pass": "section 'A' takes (run, n)",
    "@report_section('A')\nclass X: pass": "marks a plain function, not <class",
    "@report_section('A')\nasync def x(run): pass": "marks a plain function",
    "@report_section('A')\ndef x(run): pass\n@report_section('B')\ndef x(run): pass": (
        "script.py:10: section 'x' is already declared in line 8; give one of them another name"
    ),
}


@pytest.mark.parametrize("text", DECLARED)
def test_a_declaration_that_cannot_be_is_one_sentence(write: Write, text: str) -> None:
    write("script.py", HEAD + "\n" + text)
    with pytest.raises(UserError, match=re.escape(DECLARED[text])):
        find_report("script")


def test_an_extra_argument_with_a_default_is_fine_and_the_function_stays_plain() -> None:
    @report_section("A", name="first")
    def shown(run: object, decimals: int = 2) -> str:
        return f"{decimals}"

    assert shown(None) == "2"


def test_a_function_typed_anew_in_a_notebook_takes_the_place_of_the_older() -> None:
    cell = "from simlab.reporting.sections import report_section, MARK\n" + "\n" * 5
    cell += "@report_section('{0}')\ndef x(run): return '{0}'\n"
    notebook: dict[str, object] = {"__name__": "__main__"}
    exec(cell.format("old"), notebook)
    exec("\n" + cell.format("new"), notebook)
    held = notebook["__simlab_report_sections__"]
    assert [section.title for section in held] == ["new"]  # type: ignore[attr-defined]


def test_everything_that_can_be_shown_is_shown(write: Write, run: Run) -> None:
    write("all.py", HEAD + '''
import polars as pl
from matplotlib.figure import Figure

@report_section("All")
def all_kinds(run):
    figure = Figure()
    return ["text", run.summary(), [run.table("seat"), None], (figure, figure.add_subplot())]
''')  # fmt: skip
    shown = one(find_report("all"), run)
    assert [type(thing) for thing in shown] == [str, pl.DataFrame, RunTable, Figure, Figure]
    assert shown[3] is shown[4]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("7", "returned a int, which a page cannot show; return text, a polars DataFrame"),
        ("run.scan()", "returned a LazyFrame, which a page cannot show; call .collect() first;"),
        ("['a', {}]", "returned a dict"),
        ("run.to_pandas()", "returned a DataFrame"),
    ],
)
def test_what_cannot_be_shown_is_one_sentence(
    write: Write, run: Run, value: str, said: str
) -> None:
    path = write("odd.py", HEAD + f"\n@report_section('Odd')\ndef odd(run):\n    return {value}\n")
    with pytest.raises(UserError) as error:
        one(find_report("odd"), run)
    assert str(error.value).startswith(f"{path}:8: section 'Odd' {said}")
    assert "\n" not in str(error.value)


def test_a_failing_section_shows_where_and_the_traceback_of_its_own_code(
    write: Write, run: Run
) -> None:
    path = write("bad.py", HEAD + '''
def half(x):
    return x / 0

@report_section("Halves")
def halves(run):
    return half(run.players)
''')  # fmt: skip
    with pytest.raises(UserError) as error:
        one(find_report("bad"), run)
    first, _, trace = str(error.value).partition("\n")
    assert first == (f"{path}:9: section 'Halves' failed: ZeroDivisionError: division by zero.")
    assert "return half(run.players)" in trace
    assert "return x / 0" in trace
    assert "sections.py" not in trace


def test_a_slip_inside_a_section_is_told_in_its_own_words(write: Write, run: Run) -> None:
    text = HEAD + "\n@report_section('Slip')\ndef slip(run):\n    return run.table('seet')\n"
    path = write("slip.py", text)
    with pytest.raises(UserError) as error:
        one(find_report("slip"), run)
    assert str(error.value).startswith(f"{path}:10: section 'Slip' failed: no column 'seet'")
    assert "folders.py" not in str(error.value)


def test_a_section_that_leaves_the_program_does_not(write: Write, run: Run) -> None:
    write("exit.py", HEAD + "\n@report_section('Out')\ndef out(run):\n    raise SystemExit(3)\n")
    with pytest.raises(UserError, match="section 'Out' failed: SystemExit: 3"):
        one(find_report("exit"), run)
