"""What questions cost beside plain runs of as many games, and how fast rows are analysed."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from benchmarks.command import measured, show

GAME = "diamant"
PLAYERS = 4
GAMES = 1_000_000
ROUNDS = 3
ROWS = 5_000_000


def line_ups() -> list[list[str]]:
    """Return line-ups in which every strategy of the game plays, some of them twice."""
    from simlab.core.registry import strategies

    names = list(strategies(GAME))
    names += names[: -len(names) % PLAYERS]
    return [names[at : at + PLAYERS] for at in range(0, len(names), PLAYERS)]


def table() -> None:
    """Print CPU seconds and memory of a tournament beside plain runs, and of reading its rows."""
    print(f"\nquestions: {GAMES:,} games of {GAME}, {PLAYERS} players, CPU seconds of the commands")
    words = ["--players", str(PLAYERS), "--n", str(GAMES), "--force"]
    plain: list[list[float]] = [[] for _ in line_ups()]
    asked: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        measured(["warm", GAME], folder)
        measured(["tournament", GAME, "--players", str(PLAYERS), "--n", "1e3"], folder)
        for _ in range(ROUNDS):  # interleaved, so that all meet the same machine
            for line_up, seconds in zip(line_ups(), plain, strict=True):
                own = [word for spec in line_up for word in ("-s", spec)]
                seconds.append(measured(["run", GAME, *words, *own, "--out", "run"], folder)[0])
            asked.append(measured(["tournament", GAME, *words, "--out", "tournament"], folder))
        medians = [statistics.median(seconds) for seconds in plain]
        tournament = statistics.median(seconds for seconds, _ in asked)
        for line_up, seconds in zip(line_ups(), medians, strict=True):
            show(f"run of {', '.join(line_up)}"[:40], seconds)
        show("tournament of all strategies", tournament)
        show("tournament to the mean of the runs", tournament / statistics.mean(medians), 1.5)
        show("tournament, peak memory in MB", max(memory for _, memory in asked), digits=0)
        reading(folder)


def reading(folder: Path) -> None:
    """Print how long it takes to answer from rows that are there, imports and checksums aside."""
    import simlab
    from simlab.study import tournament
    from simlab.study.folder import read_study

    simlab.tournament(
        GAME, players=PLAYERS, n=ROWS // PLAYERS, unsettled=0, out=folder / "rows", force=True
    )
    file = read_study(folder / "rows")
    best = min(timed(lambda: tournament.read(folder / "rows", file)) for _ in range(ROUNDS))
    show(f"ranking, pairs, ratings of {ROWS:,} rows", best, 3.0)
    run = simlab.load(folder / "rows" / "part-000")
    show(f"table of {ROWS:,} rows", min(timed(run.table) for _ in range(ROUNDS)), 3.0)


def timed(call: object) -> float:
    """Return the wall seconds of a call."""
    start = time.perf_counter()
    call()  # type: ignore[operator]
    return time.perf_counter() - start
