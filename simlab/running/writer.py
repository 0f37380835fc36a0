"""Writes shards in the background while the next one is played."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from simlab.errors import DamagedRun
from simlab.running import dataset
from simlab.running.dataset import RunFile, Shard
from simlab.running.plan import Piece
from simlab.running.rows import events_frame, rows_frame
from simlab.running.spec import Spec


@dataclass
class Stretch:
    """Games that follow one another: results [games, seats] from game `first` on, and events.

    frame: their rows, where they are made already.
    """

    first: int
    results: Any
    events: list[Any]
    frame: Any = None

    def cut(self, end: int) -> None:
        """Forget the games from `end` on."""
        games, players = min(end - self.first, len(self.results)), self.results.shape[1]
        self.results = self.results[:games]
        self.events = [events[events["game"] < end] for events in self.events]
        if self.frame is not None:
            self.frame = self.frame.head(games * players)


class ShardWriter:
    """Writes shards, at most one waiting, so that memory does not grow with the run."""

    def __init__(
        self, spec: Spec, folder: Path, events: bool, run: RunFile, start: tuple[float, float]
    ) -> None:
        self.spec, self.folder, self.events, self.run = spec, folder, events, run
        self._mark = start
        self._pool = ThreadPoolExecutor(1)
        self._last: Future[None] | None = None

    def __enter__(self) -> ShardWriter:
        return self

    def __exit__(self, *error: object) -> None:
        try:
            self._wait()
        finally:
            self._pool.shutdown(wait=True)

    def _wait(self) -> None:
        if self._last is not None:
            last, self._last = self._last, None
            last.result()

    def piece(self, piece: Piece, played: list[Stretch]) -> None:
        """Write a shard from what was played, joined with the rows that are on disk."""
        self._wait()
        self._last = self._pool.submit(self._write, piece, played)

    def _write(self, piece: Piece, played: list[Stretch]) -> None:
        shard = Shard(piece.number, piece.target.first, piece.target.end, 0, "")
        games = sum(len(stretch.results) for stretch in played)
        if self.events:
            self._stage_events(shard, played)
        frame = self._rows(shard, piece, played)
        played.clear()  # the records are copied; writing needs the room
        shard.rows = frame.height
        shard.sha256 = dataset.stage_frame(self.folder / shard.name, frame)
        others = [s for s in self.run.shards if s.number != shard.number]
        for before in self.run.shards:
            if before.number == shard.number:  # while names change, either must be found
                before.next = asdict(shard)
                dataset.write_run_file(self.folder, self.run)
        if self.events:
            dataset.commit(self.folder / shard.events_name)
        dataset.commit(self.folder / shard.name)
        self.run.shards = sorted([*others, shard], key=lambda s: s.number)
        self._note(games)

    def _rows(self, shard: Shard, piece: Piece, played: list[Stretch]) -> Any:
        import polars as pl

        frames = [
            rows_frame(self.spec, stretch.first, stretch.results)
            if stretch.frame is None
            else stretch.frame
            for stretch in played
        ]
        if sum(len(stretch.results) for stretch in played) < piece.target.games:
            frames.append(pl.read_parquet(self.folder / shard.name, glob=False))
        frames.sort(key=lambda frame: int(frame["game"][0]))
        return pl.concat(frames, rechunk=True) if len(frames) > 1 else frames[0]

    def events_only(self, shard: Shard, played: Stretch) -> None:
        """Write the events of a shard that has none; its rows must come out as they are."""
        import polars as pl

        self._wait()
        path = self.folder / shard.name
        if not rows_frame(self.spec, played.first, played.results).equals(
            pl.read_parquet(path, glob=False)
        ):
            raise DamagedRun(
                f"{path} does not hold the rows that these games give today; play the run again "
                "with --force or into another --out."
            )
        self._stage_events(shard, [played])
        dataset.commit(self.folder / shard.events_name)
        self._note(len(played.results))

    def _stage_events(self, shard: Shard, played: list[Stretch]) -> None:
        records = np.concatenate([events for stretch in played for events in stretch.events])
        frame = events_frame(self.spec.book, records, self.spec.design.block)
        shard.events = frame.height
        shard.events_sha256 = dataset.stage_frame(self.folder / shard.events_name, frame)

    def _note(self, games: int) -> None:
        """Write `run.json` with what it took so far."""
        now = time.perf_counter(), time.process_time()
        self.run.seconds += now[0] - self._mark[0]
        self.run.cpu_seconds += now[1] - self._mark[1]
        self.run.games_played += games
        self._mark = now
        dataset.write_run_file(self.folder, self.run)
