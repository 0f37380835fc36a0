"""Checks for everything that plugs in: strategies, games, data files and report sections."""

from __future__ import annotations

from typing import Any

__all__ = ["Findings", "check"]


def __getattr__(name: str) -> Any:
    """Import a public name from its home when it is first asked for."""
    if name == "check":
        from simlab.checks.target import check

        return check
    if name == "Findings":
        from simlab.checks.findings import Findings

        return Findings
    raise AttributeError(f"module 'simlab.checks' has no attribute '{name}'")
