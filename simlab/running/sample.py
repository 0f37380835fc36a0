"""A few games that nobody keeps: to learn how much outcomes vary before a question is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simlab.core.patience import seconds_allowed
from simlab.running.replay import explain, prepared
from simlab.running.rows import rows_frame
from simlab.running.spec import Spec
from simlab.running.watch import watching_here

FAR = 2**40
"""Deals of samples begin here, where no run comes to."""


def sample(spec: Spec, deals: int, announce: Callable[[str], None] = lambda name: None) -> Any:
    """Play so many deals far from those of any run; return their rows as a polars frame.

    Raises StrategyError or RulesError where something fails in them.
    """
    block = spec.design.block
    first = FAR * block
    worker = prepared(spec, False, announce, first)
    with watching_here(worker, seconds_allowed(worker.plain or worker.lockstep)):
        batch = worker.play(first, deals * block)
    if batch.fault is not None:
        raise explain(spec, batch.fault)
    return rows_frame(spec, first, batch.results)
