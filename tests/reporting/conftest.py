"""Short runs to make pages of, and a run whose strategies bear other names."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl
import pytest

import simlab
from simlab.api import Run
from simlab.running import dataset

LINE_UP = ["risk_limit", "threshold(gems=12)", "random", "fixed_depth"]


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return 600 games of four strategies."""
    return simlab.run("diamant", 4, 600, LINE_UP, out=tmp_path_factory.mktemp("run") / "four")


@pytest.fixture(scope="session")
def alike(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return 200 games in which one strategy holds every seat."""
    return simlab.run("diamant", 3, 200, "risk_limit", out=tmp_path_factory.mktemp("run") / "one")


Rename = Callable[[Run, Sequence[str]], Run]


@pytest.fixture
def rename(tmp_path: Path) -> Rename:
    """Return what copies a run and gives its strategies other names."""

    def renamed(run: Run, names: Sequence[str]) -> Run:
        folder = tmp_path / "renamed"
        folder.mkdir()
        new = dict(zip(dict.fromkeys(run.line_up), names, strict=True))
        shards = []
        for shard in run.file.shards:
            frame = pl.read_parquet(run.folder / shard.name)
            code = frame["strategy"].to_physical().cast(pl.UInt8)
            frame = frame.with_columns(strategy=code.cat.to(pl.Enum(list(names))))
            frame.write_parquet(folder / shard.name)
            seal = dataset.checksum(folder / shard.name)
            shards.append(dataclasses.replace(shard, sha256=seal))
        line_up = [new[label] for label in run.line_up]
        spec = run.file.spec | {"line_up": line_up, "line_up_full": line_up}
        dataset.write_run_file(folder, dataclasses.replace(run.file, spec=spec, shards=shards))
        return simlab.load(folder)

    return renamed
