"""A few games that nobody keeps: to learn how much outcomes vary before a question is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simlab.running.plan import Span
from simlab.running.replay import prepared
from simlab.running.rows import rows_frame
from simlab.running.runner import play_apart
from simlab.running.spec import Spec

FAR = 2**40
"""Deals of samples begin here, where no run comes to."""


def sample(spec: Spec, deals: int, announce: Callable[[str], None] = lambda name: None) -> Any:
    """Play so many deals far from those of any run; return their rows as a polars frame.

    Raises StrategyError or RulesError where something fails in them.
    """
    block = spec.design.block
    first = FAR * block
    worker = prepared(spec, False, announce, first)
    results = play_apart(worker, Span(first, first + deals * block))
    return rows_frame(spec, first, results)
