"""Compiled twins: what they can contain, and that nothing of it can go stale."""

from __future__ import annotations

import math
import subprocess
import sys
import types
from enum import IntEnum
from typing import Any

import numpy as np
import pytest
from numba import njit

from simlab.core import twin
from simlab.core.functions import rule
from simlab.core.twin import Twins, digest, fingerprint, reach

LIMIT = 10
WEIGHTS = np.array([1.0, 2.0, 4.0])


class Kind(IntEnum):
    CALM = 1
    WILD = 7


def deep(x: Any) -> Any:
    return x + 1


@njit
def decorated(x: Any) -> Any:
    return 2 * deep_compiled(x)


@njit
def deep_compiled(x: Any) -> Any:
    return x + 1


@rule
def middle(x: Any) -> Any:
    return deep(x) * LIMIT


def outer(x: Any) -> Any:
    return middle(x) + Kind.WILD + WEIGHTS[2] + math.floor(0.5) + twin_module_like(x)


def twin_module_like(x: Any) -> Any:
    return helper_module.thrice(x)


helper_module = types.ModuleType("helper_module")


def thrice(x: Any) -> Any:
    return 3 * x


helper_module.thrice = thrice  # type: ignore[attr-defined]


def factorial(n: Any) -> Any:
    return 1 if n <= 1 else n * factorial(n - 1)


def make_adder(step: int) -> Any:
    def adder(x: Any) -> Any:
        return x + step

    return adder


def compiled(function: Any) -> Any:
    """Return a function callable from Python that runs the twin."""
    return Twins().of(function, nogil=True)


def test_a_twin_follows_globals_modules_enums_and_arrays() -> None:
    assert compiled(outer)(5) == outer(5) == 60 + 4 + 7 + 0 + 15


def test_a_twin_of_a_dispatcher_is_made_from_its_python_function() -> None:
    def caller(x: Any) -> Any:
        return decorated(x)

    assert compiled(caller)(3) == 8


def test_a_twin_may_call_itself() -> None:
    assert compiled(factorial)(5) == 120


def test_a_twin_keeps_its_closure() -> None:
    assert compiled(make_adder(4))(3) == 7
    assert compiled(make_adder(5))(3) == 8


def test_importing_games_and_strategies_compiles_nothing_and_needs_no_numba() -> None:
    code = (
        "import sys, simlab; from simlab.core.registry import strategies; strategies('diamant');"
        "simlab.Table('diamant', players=3).play_out(['random']*3);"
        "sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_reach_finds_everything_with_its_constants() -> None:
    found = {f.__name__: frozen for f, frozen in reach(outer).items()}
    assert set(found) == {"outer", "middle", "deep", "twin_module_like", "thrice"}
    assert found["middle"] == {"LIMIT": "int 10"}
    assert "WEIGHTS" in found["outer"]
    assert "CALM" in found["outer"]["Kind"]


@pytest.mark.parametrize(
    ("name", "value"),
    [("LIMIT", 11), ("WEIGHTS", np.array([1.0, 2.0, 5.0])), ("deep", lambda x: x + 2)],
)
def test_a_fingerprint_changes_with_whatever_is_frozen(
    monkeypatch: pytest.MonkeyPatch, name: str, value: Any
) -> None:
    before = fingerprint(outer)
    assert fingerprint(outer) == before
    monkeypatch.setitem(outer.__globals__, name, value)
    assert fingerprint(outer) != before


def test_a_digest_keeps_its_parts_apart() -> None:
    assert digest("ab", "c") != digest("a", "bc")


def test_twins_without_the_inner_pipeline_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def entry(x: Any) -> Any:
        return middle(x)

    with_it = Twins().specialised(entry, "with_it", {}, nogil=True)(4)
    monkeypatch.setattr("simlab.core.inner.pipeline", lambda: None)
    without = Twins().specialised(entry, "without", {}, nogil=True)(4)
    assert with_it == without == 50
    assert "pipeline_class" not in twin.inner({"no_cpython_wrapper": True})
