"""Looks at the machine and the installation, and says what is wrong and what to do."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import time
from pathlib import Path
from typing import Any

from simlab.core import cache, registry
from simlab.running.backends import cores

LIBRARIES = ("numba", "llvmlite", "numpy", "polars", "joblib", "scipy", "typer", "pandas")


def examine() -> dict[str, Any]:
    """Return versions, cores, cache, test run and problems."""
    import simlab

    files, size = cache.size()
    found: dict[str, Any] = {
        "simlab": simlab.__version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "libraries": {name: _version(name) for name in LIBRARIES},
        "cores": cores(),
        "compiled": not cache.compilation_is_off(),
        "cache": str(cache.home()),
        "cache_files": files,
        "cache_bytes": size,
    }
    problems = [*_problems(), *registry.examine()]
    found["plugged_in"] = list(registry.plugged_in())
    try:
        found |= _test_run()
    except Exception as error:  # whatever goes wrong is what the person wants to know
        problems.append(f"the test run failed: {type(error).__name__}: {error}")
    return found | {"problems": problems}


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "missing"


def _problems() -> Any:
    for name in LIBRARIES:
        if importlib.util.find_spec(name) is None:
            yield f"{name} is not installed; install simlab again with pip."
    wanted = os.environ.get("SIMLAB_CACHE")
    if wanted and Path(wanted) != cache.home():
        yield f"SIMLAB_CACHE={wanted} cannot be written; {cache.home()} is used instead."
    if cache.is_makeshift() and not wanted:
        yield (
            "no cache folder can be written, so everything is compiled again each time; set "
            "SIMLAB_CACHE to a folder."
        )
    if cache.compilation_is_off():
        yield (
            "NUMBA_DISABLE_JIT is set: games are played as plain Python, a thousand times slower; "
            "unset it."
        )


def _test_run() -> dict[str, Any]:
    """Play games of the first game for about a second on one core, without writing anything."""
    from simlab.core.registry import games
    from simlab.running.spec import make_spec
    from simlab.running.worker import Worker

    game = next(iter(games().values()))
    worker = Worker(make_spec(game.name), events=False)
    start, played, batch = time.perf_counter(), 0, 64
    while time.perf_counter() - start < 1.0:
        begun = time.perf_counter()
        fault = worker.play(played, batch).fault
        if fault is not None:
            raise RuntimeError(f"a strategy failed in game {fault.game}: {fault.error}")
        played += batch
        spent = time.perf_counter() - begun
        batch = max(8, min(int(batch * 0.1 / max(spent, 1e-6)), 4 * batch))
    seconds = time.perf_counter() - start
    return {"test_game": game.name, "test_games": played, "test_games_per_second": played / seconds}
