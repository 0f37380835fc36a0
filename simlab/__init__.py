"""simlab: plays millions of games of a board game with chosen strategies and says who is better."""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "run": "simlab.api",
    "duel": "simlab.api",
    "tournament": "simlab.api",
    "sweep": "simlab.api",
    "compare_rules": "simlab.api",
    "sample_size": "simlab.api",
    "answer": "simlab.api",
    "load": "simlab.api",
    "plan": "simlab.api",
    "table": "simlab.api",
    "replay": "simlab.api",
    "play": "simlab.api",
    "new": "simlab.api",
    "check": "simlab.api",
    "report": "simlab.api",
    "list_games": "simlab.api",
    "list_strategies": "simlab.api",
    "rules": "simlab.api",
    "runs": "simlab.api",
    "warm": "simlab.api",
    "doctor": "simlab.api",
    "Run": "simlab.api",
    "Table": "simlab.core.table",
    "Range": "simlab.core.parameters",
    "Strategy": "simlab.core.strategy",
    "strategy": "simlab.core.strategy",
    "batch_strategy": "simlab.core.strategy",
    "take_each": "simlab.core.views",
    "ask": "simlab.core.strategy",
    "copied": "simlab.core.strategy",
    "below": "simlab.core.rng",
    "uniform": "simlab.core.rng",
    "note": "simlab.core.trace",
    "report_section": "simlab.reporting.sections",
    "report_answer": "simlab.reporting.sections",
    "report_figure": "simlab.reporting.plots",
    "figures": "simlab.reporting.figures",
}
_MODULES = {"figures"}

__all__ = sorted([*_HOMES, "__version__"])


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    """Import a public name from its home when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'simlab' has no attribute '{name}'")
    home = importlib.import_module(_HOMES[name])
    value = home if name in _MODULES else getattr(home, name)
    globals()[name] = value
    return value
