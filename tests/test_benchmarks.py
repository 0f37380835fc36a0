"""The benchmarks' C programs play the same games as the kernels they are compared with."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from benchmarks import command, kernels, limit
from benchmarks.__main__ import Row, line, met
from benchmarks.games import BENCHMARKS, SCALAR_C, Case, splendor
from simlab.core.cache import compilation_is_off
from simlab.running.worker import Worker

CASES = [case for benchmark in BENCHMARKS for case in benchmark.cases]
IN_C = [*(case for case in CASES if case.programs), splendor("random", 3)]

compiled_c = pytest.mark.skipif(limit.compiler() is None, reason="no C compiler here")
compiled_kernels = pytest.mark.skipif(compilation_is_off(), reason="plain kernels are too slow")


@compiled_c
@compiled_kernels
@pytest.mark.parametrize("case", IN_C, ids=Case.title)
def test_c_plays_the_same_games(case: Case, tmp_path: Any) -> None:
    worker, games = Worker(case.spec(), False), kernels.BATCH + 5_000
    totals = kernels.play(worker, games).totals
    programs = limit.build(case, tmp_path / "build")
    assert programs.keys() == case.programs.keys()
    for program in programs.values():
        assert program.differences(totals, games) == []
        assert program.differences({**totals, "scores": []}, games) == ["scores"]


@compiled_c
@compiled_kernels
def test_c_plays_any_games(tmp_path: Any) -> None:
    case = splendor("random", 4)
    program = limit.build(case, tmp_path / "build")[SCALAR_C]
    spec = dataclasses.replace(case.spec(), seed=7)
    totals = kernels.play(Worker(spec, False), 300, first=90_000).totals
    printed = program.play(300, first=90_000, seed=7)
    assert printed["scores"] == totals["scores"]
    assert printed["returned"] == totals["returned"]


@pytest.mark.parametrize("case", CASES, ids=Case.title)
def test_cases_can_be_played(case: Case) -> None:
    assert [bound.strategy.name for bound in case.spec().line_up] == [
        name.partition("(")[0] for name in case.line_up
    ]


@pytest.mark.parametrize("benchmark", BENCHMARKS, ids=lambda benchmark: benchmark.game)
def test_commands_name_what_they_play(benchmark: Any) -> None:
    words = command.run_words(benchmark, 10)
    assert words.count("-s") == len(benchmark.cases[0].line_up)
    assert "-s" not in command.run_words(benchmark, 10, 3)


def test_a_row_shows_rate_ratio_and_what_was_asked() -> None:
    case = dataclasses.replace(splendor("random", 2, asked=20_000, aim=50_000), games=40_000)
    row = Row("by address", lambda: 1.0, seconds=[1.0, 2.0, 1.0])
    shown = line(case, row, [0.9, 1.8, 0.7])
    assert "40,000 (40,000)     0.90  20,000 asked: met; 50,000 aimed at: MISSED" in shown
    assert shown.endswith("0.8 of C asked: met")
    assert met(case, 10_000.0, None) == "20,000 asked: MISSED; 50,000 aimed at: MISSED"
