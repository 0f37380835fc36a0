"""Progress in a real Jupyter kernel: a widget's bar, text without widgets, a clean cell after."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.notebooks import build

pytestmark = pytest.mark.notebooks
WIDGET = "application/vnd.jupyter.widget-view+json"
WITHOUT = "import sys; sys.modules['ipywidgets'] = None"


def outputs(folder: Path, *sources: str) -> tuple[list[Any], dict[str, Any]]:
    """Execute cells; return the outputs of each, and the state of all widgets."""
    import nbformat

    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    notebook = nbformat.v4.new_notebook(cells=cells)
    executed = build.run(notebook, folder, clean=False)
    widgets = executed.metadata.get("widgets", {})
    state = widgets.get("application/vnd.jupyter.widget-state+json", {}).get("state", {})
    return [cell.outputs for cell in executed.cells], state


STARTED = """
from simlab.running.progress import Progress
bar = Progress(8, unit="sections")
bar.doing("Who wins")
bar.add(3)
"""


def test_a_widget_shows_the_bar_and_leaves_an_empty_place(tmp_path: Path) -> None:
    (shown,), state = outputs(tmp_path, STARTED)
    assert [WIDGET in output.data for output in shown] == [True]
    values = [model["state"].get("value") for model in state.values()]
    assert 3.0 in values
    assert any("3 of 8 sections" in str(value).replace("\u2007", " ") for value in values)
    assert any("Who wins" in str(value).replace("\u2007", " ") for value in values)

    (shown,), _ = outputs(tmp_path, STARTED + "bar.close()")
    assert [output.data for output in shown] == [{"text/plain": ""}]


def test_without_widgets_the_bar_is_a_line_of_text_and_nothing_warns(tmp_path: Path) -> None:
    (_, shown, after), _ = outputs(
        tmp_path, f"import warnings; warnings.simplefilter('error'); {WITHOUT}", STARTED, "1"
    )
    (output,) = shown
    assert output.output_type == "display_data"
    assert "3 of 8 sections" in output.data["text/plain"]
    assert "█" in output.data["text/plain"]
    assert after[0].data == {"text/plain": "1"}


RUN = "import simlab; r = simlab.run('diamant', n={n}, players=3, jobs=2{how}); r.span.games"
SLOW = "from simlab.running import progress; progress.CELL_SECONDS = 0.0"


@pytest.mark.parametrize("first", ["import warnings; warnings.simplefilter('error')", WITHOUT])
def test_a_run_on_threads_leaves_a_clean_cell_and_quiet_is_silent(
    tmp_path: Path, first: str
) -> None:
    cells, _ = outputs(
        tmp_path,
        f"{first}\n{SLOW}",
        RUN.format(n=60_000, how=""),
        RUN.format(n=90_000, how=", quiet=True"),
        "a = simlab.sweep('diamant', 'threshold.gems=4:8:2', players=3, n=9_000); a.games",
    )
    _, bar, quiet, several = cells
    assert [output.data for output in bar] == [{"text/plain": ""}, {"text/plain": "60000"}]
    assert [output.data for output in quiet] == [{"text/plain": "90000"}]
    assert [output.data for output in several] == [{"text/plain": ""}, {"text/plain": "9000"}]
