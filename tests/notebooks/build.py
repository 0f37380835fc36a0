"""Builds the notebooks: every script of `notebooks/` is executed in a clean kernel.

    python -m tests.notebooks.build                  # all of them
    python -m tests.notebooks.build 03_sweep_and_rules

The notebook is written beside its script, with its outputs, and without what changes from one build
to the next: execution times, random ids, the version of Python.
"""

from __future__ import annotations

import copy
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPTS = sorted((ROOT / "notebooks").glob("*.py"))
SECONDS = 600
OFFLINE = (
    "import socket; "
    "socket.getaddrinfo = socket.create_connection = socket.socket.connect = None; "
    "del socket"
)
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"},
    "jupytext": {"formats": "ipynb,py:percent"},
}


def read(script: Path) -> Any:
    """Return a script as a notebook without outputs, its cells numbered."""
    import jupytext

    notebook = jupytext.read(script)
    notebook.metadata = copy.deepcopy(METADATA)
    for number, cell in enumerate(notebook.cells, start=1):
        cell.id = f"cell-{number}"
        cell.metadata = {}
    return notebook


def run(notebook: Any, folder: Path, clean: bool = True) -> Any:
    """Execute a notebook in a clean kernel of this Python, without network; return it.

    folder: where it is executed; clean: without what changes from one build to the next.
    CellExecutionError where a cell fails.
    """
    from jupyter_client.kernelspec import KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager
    from nbclient import NotebookClient

    starts = [f"--IPKernelApp.exec_lines={OFFLINE}", "--HistoryManager.enabled=False"]
    where = {"metadata": {"path": str(folder)}}
    with tempfile.TemporaryDirectory() as settings:  # nobody's own start-up files and kernels
        client = NotebookClient(notebook, timeout=SECONDS, resources=where, extra_arguments=starts)
        client.km = AsyncKernelManager(
            kernel_spec_manager=KernelSpecManager(kernel_dirs=[]),
            transport="ipc",
            connection_file=os.path.join(settings, "kernel.json"),
        )
        client.execute(env={**os.environ, "IPYTHONDIR": settings})
    return cleaned(notebook) if clean else notebook


def cleaned(notebook: Any) -> Any:
    """Take out of an executed notebook what changes from one build to the next."""
    notebook.metadata.pop("widgets", None)
    for cell in notebook.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if not _is_empty(output)]
    return notebook


def _is_empty(output: Any) -> bool:
    """Whether an output is the place where a progress bar was."""
    return output.output_type == "display_data" and not any(output.data.values())


def execute(script: Path, folder: Path) -> Any:
    """Return the executed notebook of a script; folder: where it is executed, best an empty one."""
    return run(read(script), folder)


def main(names: list[str]) -> None:
    """Build the notebooks of these names, or all."""
    import nbformat

    for script in SCRIPTS:
        if names and script.stem not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            notebook = execute(script, Path(folder))
        out = script.with_suffix(".ipynb")
        nbformat.write(notebook, out)
        print(f"{out.relative_to(ROOT)}: {out.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
