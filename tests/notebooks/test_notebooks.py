"""Every notebook runs from a clean kernel, and what is handed on is what its script makes."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.notebooks import build

MOST_BYTES = 400_000
OWN_PLACES = [str(build.ROOT), sys.prefix, str(Path.home()), "/tmp"]
NAMES = [script.stem for script in build.SCRIPTS]


def committed(name: str) -> Any:
    import nbformat

    return nbformat.read(build.ROOT / "notebooks" / f"{name}.ipynb", as_version=4)


def cells(notebook: Any) -> list[tuple[str, str]]:
    return [(cell.cell_type, cell.source) for cell in notebook.cells]


def outputs(notebook: Any) -> Iterator[Any]:
    for cell in notebook.cells:
        yield from cell.get("outputs", [])


def prose(notebook: Any) -> list[str]:
    """What a notebook says in words that it worked out."""
    found = [output.get("data", {}).get("text/markdown") for output in outputs(notebook)]
    return [text for text in found if text]


@pytest.mark.notebooks
@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_runs_from_a_clean_kernel_and_says_the_same(name: str, tmp_path: Path) -> None:
    made = build.execute(build.ROOT / "notebooks" / f"{name}.py", tmp_path)
    spoken = [output for output in outputs(made) if output.get("name") == "stderr"]
    assert not spoken
    assert [path.name for path in tmp_path.iterdir()] == ["results"]
    assert prose(made) == prose(committed(name)), "run `make notebooks` and read the diff"


@pytest.mark.notebooks
def test_an_error_in_a_cell_is_an_error_and_there_is_no_network(tmp_path: Path) -> None:
    import nbformat
    from nbclient.exceptions import CellExecutionError

    code = "import urllib.request; urllib.request.urlopen('http://localhost:9')"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    with pytest.raises(CellExecutionError, match="NoneType"):
        build.run(notebook, tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_a_built_notebook_has_the_cells_of_its_script_and_its_outputs(name: str) -> None:
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("jupytext")
    path = build.ROOT / "notebooks" / f"{name}.ipynb"
    found = committed(name)
    nbformat.validate(found)
    assert cells(found) == cells(build.read(path.with_suffix(".py")))
    assert path.stat().st_size < MOST_BYTES
    code = [cell for cell in found.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == [*range(1, len(code) + 1)]
    assert not [o for o in outputs(found) if o.output_type == "error" or o.get("name") == "stderr"]
    text = path.read_text(encoding="utf-8")
    assert not [place for place in OWN_PLACES if place in text]
    assert not re.search(r"0x[0-9a-f]{6,}", text)


def test_every_link_of_a_notebook_leads_to_another() -> None:
    for script in build.SCRIPTS:
        for link in re.findall(r"\]\(([^)#]+)\)", script.read_text(encoding="utf-8")):
            assert (script.parent / link).with_suffix(".py") in build.SCRIPTS, (script.name, link)
