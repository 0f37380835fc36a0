"""The command of a page is the one that repeats its run."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from simlab import api
from simlab.api import Run
from simlab.reporting import origin
from simlab.running.dataset import RunFile, Shard

RUNS: list[dict[str, Any]] = [
    {},
    {"players": 5, "n": 12_345, "seed": 7, "first_game": 100},
    {"players": 3, "lineup": ["risk_limit(risk=0.25)", "threshold(gems=12)*2"], "seats": "fixed"},
    {"players": 4, "lineup": "random", "rules": "official", "set": {"expeditions": 3}},
    {"players": 3, "events": True},
]


@pytest.mark.parametrize("how", RUNS)
def test_the_command_is_that_of_the_order_without_its_folder(how: dict[str, Any]) -> None:
    asked = api.order("diamant", **how)
    shard = Shard(0, asked.span.first, asked.span.end, 0, "", events=1 if asked.events else None)
    file = RunFile(asked.hash, asked.document, shards=[shard])
    assert origin.command(Run(Path("nowhere"), file)) == asked.command


def test_the_facts_name_everything_that_decides_rows(run: Run) -> None:
    facts = dict(origin.facts(run))
    told = [line.partition(": ") for line in facts["Line-up"]]
    assert [full for full, _, _ in told] == run.file.spec["line_up_full"]
    assert all(summary.endswith(".") for _, _, summary in told)
    assert facts["Game"] == ["Diamant, 4 players"]
    assert facts["Changed rules"] == ["none"]
    assert facts["Games"] == ["600, numbers 0 to 599"]
    assert facts["Seed"] == ["1"]
    assert facts["Hash of the run"] == [run.file.hash]
    assert f"polars {run.file.versions['polars']}" in facts["Versions"][0]
    assert " cores for 600 games (processor time " in facts["Time"][0]
    assert dict(origin.every_rule(run)) == {k: str(v) for k, v in run.file.spec["values"].items()}


def test_changed_rules_and_files_are_told(run: Run) -> None:
    data = {"cards": {"file": "/home/somebody/mine.csv", "sha256": "abc"}}
    values = run.file.spec["values"] | {"expeditions": 3}
    file = SimpleNamespace(**vars(run.file))
    file.spec = run.file.spec | {"values": values, "data": data}
    changed = Run(run.folder, file, run.file.span)  # type: ignore[arg-type]
    facts = dict(origin.facts(changed))
    assert facts["Changed rules"] == ["expeditions = 3", "cards = mine.csv"]
    assert facts["File cards"] == ["mine.csv, SHA-256 abc"]
    assert "/home/somebody" not in str(facts)


def test_cores_are_told_where_they_are_known(run: Run) -> None:
    file = SimpleNamespace(**{**vars(run.file), "cores": 2})
    facts = dict(origin.facts(Run(run.folder, file, run.file.span)))  # type: ignore[arg-type]
    assert " s on 2 cores for 600 games" in facts["Time"][0]


def test_strategies_that_are_not_here_are_named(run: Run) -> None:
    assert origin.strangers(run) == []
    file = SimpleNamespace(**vars(run.file))
    file.spec = run.file.spec | {"line_up": ["risk_limit", "my_own(gems=3)", "<odd>", "random"]}
    strange = Run(run.folder, file, run.file.span)  # type: ignore[arg-type]
    assert origin.strangers(strange) == ["my_own(gems=3)", "<odd>"]
