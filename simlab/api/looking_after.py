"""Looking after what lies on disk: runs, and the installation."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from simlab.api.folders import a_path
from simlab.core.places import Named, looking_in
from simlab.errors import DamagedRun, UserError, one_of
from simlab.running import dataset, runner


def runs(action: str = "list", *folders: str | Path, root: str | Path = runner.RESULTS) -> Any:
    """List the runs under a folder, or remove runs.

    action: "list" returns one dict a run; "remove" removes the named run folders and returns them.
    """
    if action == "remove":
        return [_remove(a_path(folder)) for folder in folders]
    if action != "list":
        raise one_of("command", action, ("list", "remove"), "in simlab runs")
    return [_about(path.parent) for path in sorted(Path(root).glob(f"*/{dataset.RUN_FILE}"))]


def _remove(folder: Path) -> str:
    with contextlib.suppress(DamagedRun):  # a damaged run can be removed, another folder cannot
        dataset.read_run_file(folder)
    dataset.remove_folder(folder)
    return str(folder)


def _about(folder: Path) -> dict[str, Any]:
    size = sum(path.stat().st_size for path in folder.iterdir() if path.is_file())
    try:
        file = dataset.read_run_file(folder)
    except UserError as error:
        return {"run": str(folder), "error": str(error), "bytes": size}
    return {
        "run": str(folder),
        "game": file.spec["game"],
        "players": file.spec["players"],
        "rules": file.spec["rules"],
        "set": [f"{name}={value}" for name, value in file.spec["set"].items()],
        "seats": file.spec["seats"],
        "seed": file.spec["seed"],
        "games": file.span.games,
        "events": bool(file.shards) and all(s.events is not None for s in file.shards),
        "bytes": size,
        "line_up": file.spec["line_up"],
    }


def doctor(strategies: Named | None = None) -> dict[str, Any]:
    """Return versions, cores, cache, what plugs in, a one-second test run, and what is wrong."""
    from simlab.running.doctor import examine

    with looking_in(strategies):
        return examine()
