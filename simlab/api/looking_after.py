"""Looking after what lies on disk: runs, and the installation."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from simlab.api.folders import a_path
from simlab.core.places import Named, looking_in
from simlab.errors import DamagedRun, UserError, one_of
from simlab.running import dataset, runner
from simlab.study.folder import STUDY_FILE, claimed, is_study, read_study


def runs(action: str = "list", *folders: str | Path, root: str | Path = runner.RESULTS) -> Any:
    """List the runs under a folder, or remove runs.

    action: "list" returns one dict a run; "remove" removes the named run folders and returns them.
    """
    if action == "remove":
        paths = [a_path(folder) for folder in folders]
        for path in paths:  # all, before any is removed
            _check(path)
        return [_remove(path) for path in paths]
    if action != "list":
        raise one_of("command", action, ("list", "remove"), "in simlab runs")
    files = [*Path(root).glob(f"*/{dataset.RUN_FILE}"), *Path(root).glob(f"*/{STUDY_FILE}")]
    return [_about(folder) for folder in sorted({path.parent for path in files})]


def _check(folder: Path) -> None:
    """Raise UserError for a folder that holds no run, damaged or not, and no question."""
    if not is_study(folder):
        with contextlib.suppress(DamagedRun):
            dataset.read_run_file(folder)


def _remove(folder: Path) -> str:
    if is_study(folder) and not dataset.is_run(folder):
        with claimed(folder, True, lambda old: ""):
            pass
    dataset.remove_folder(folder)
    return str(folder)


def _about(folder: Path) -> dict[str, Any]:
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    try:
        return {"run": str(folder), **_told(folder), "bytes": size}
    except UserError as error:
        return {"run": str(folder), "error": str(error), "bytes": size}


def _told(folder: Path) -> dict[str, Any]:
    """Return what a run's folder, or that of a question, holds."""
    asked = read_study(folder) if is_study(folder) else None
    parts = [folder / name for name in asked.parts] if asked else [folder]
    files = [dataset.read_run_file(part) for part in parts if dataset.is_run(part)]
    specs = [file.spec for file in files]
    if not specs:
        raise UserError(f"{folder} holds no games yet.")
    return {
        "ask": asked.ask if asked else "run",
        "game": specs[0]["game"],
        "players": _one([spec["players"] for spec in specs]),
        "rules": _one([spec["rules"] for spec in specs]),
        "set": [
            f"{name}={value}"
            for name, value in specs[0]["set"].items()
            if all(spec["set"].get(name) == value for spec in specs)
        ],
        "seats": specs[0]["seats"] if asked is None else "balanced",
        "seed": specs[0]["seed"],
        "games": sum(file.span.games for file in files),
        "events": all(s.events is not None for file in files for s in file.shards),
        "line_up": list(dict.fromkeys(label for spec in specs for label in spec["line_up"])),
    }


def _one(values: list[Any]) -> Any:
    """Return what all have in common, or all of them in words."""
    found = list(dict.fromkeys(values))
    return found[0] if len(found) == 1 else ", ".join(map(str, found))


def doctor(strategies: Named | None = None) -> dict[str, Any]:
    """Return versions, cores, cache, what plugs in, a one-second test run, and what is wrong."""
    from simlab.running.doctor import examine

    with looking_in(strategies):
        return examine()
