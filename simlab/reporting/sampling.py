"""Games of a run played again with their events, for figures that need what it did not record."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Any

from simlab.errors import SimlabError, UserError, shown
from simlab.running import dataset
from simlab.running.plan import Span
from simlab.running.replay import spec_of_run
from simlab.running.runner import order, play

MOST, FEWEST, USUAL = 10_000, 200, 1_000
SECONDS = 2.0
_samples: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()


def with_events(run: Any) -> tuple[Any, str]:
    """Return a run that holds events, and what a reader must know of it.

    run: a `Run`; where its folder holds the events of all its games, it is returned as it is, with
    an empty note. Otherwise its first games are played again beside it, as many as take about two
    seconds (200 to 10,000), and the note says which. UserError where they cannot be played.
    """
    inside = dataset.within(run.file.shards, run.span)
    if all(shard.events is not None for shard in inside):
        return run, ""
    if run not in _samples:
        _samples[run] = _played_again(run)
    sample = _samples[run]
    span = sample.span
    which = f"from games {span.first:,} to {span.end - 1:,} of {run.span.games:,}"
    if span.games == 1:
        which = f"from game {span.first:,}"
    return sample, f"{which}, played again with events, which the run did not record"


def _played_again(run: Any) -> Any:
    """Return the first games of a run, played with events into a folder that goes with them."""
    try:
        with run.places():
            spec, _ = spec_of_run(run.folder)
    except SimlabError as error:
        raise UserError(
            f"{shown(run.folder.name)} holds no events, and its games cannot be played again: "
            f"{error}"
        ) from None
    folder = Path(tempfile.mkdtemp(prefix="simlab-sample-"))
    try:
        span = Span(run.span.first, run.span.first + games_of_sample(run, spec.design.block))
        with run.places():
            asked = order(spec, span.games, span.first, folder / "run", events=True, quiet=True)
            done = play(asked)
        sample = type(run)(done.folder, done.run, done.span)
        _compare(run, sample)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    weakref.finalize(sample, shutil.rmtree, folder, ignore_errors=True)
    return sample


def _compare(run: Any, sample: Any) -> None:
    """Raise UserError where games that were played again did not come out as they did."""
    import polars as pl

    last = sample.span.end - 1
    rows = run.scan().filter(pl.col("game") <= last).select("game", "seat", "score").collect()
    if not rows.equals(sample.scan().select("game", "seat", "score").collect()):
        raise UserError(
            f"the games of {shown(run.folder.name)} no longer come out as they did: a strategy "
            "reads something that has changed since; play the run again."
        )


def games_of_sample(run: Any, block: int = 1) -> int:
    """Return how many games of a run are played again: whole deals, the same each time.

    As many as took the run about two seconds, so that slow strategies do not hold up a page.
    """
    file = run.file
    pace = file.games_played / file.seconds if file.games_played and file.seconds else None
    wished = USUAL if pace is None else round(SECONDS * pace)
    there = int(run.span.games)
    games = min(max(wished, FEWEST), MOST, there)
    return games - games % block or min(block, there)
