"""Errors a person can act on: what was wrong, where, and what would be right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class SimlabError(Exception):
    """Base of all errors that simlab raises on purpose."""

    exit_code = 1


class UserError(SimlabError):
    """A slip of the person: one sentence, exit code 2, nothing written."""

    exit_code = 2


class IllegalAction(UserError):
    """An action that the rules do not allow; the table is as it was before."""


class StrategyError(UserError):
    """A strategy raised an exception or chose an illegal action."""


class RulesError(UserError):
    """The rules of an outside game raised an exception, or cannot be compiled."""


class DamagedRun(UserError):
    """A run folder whose `run.json` or shard cannot be trusted."""


MOST_LISTED = 24


def shown(value: object) -> str:
    """Return what a person typed, on one line and not too long, for a sentence about it."""
    text = "".join(c if c.isprintable() else "?" for c in str(value))
    return text if len(text) <= 60 else f"{text[:57]}..."


def told(error: BaseException) -> str:
    """Return kind and text of an exception on one line, for a sentence about it (no full stop)."""
    kind = type(error).__name__
    try:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    except Exception:  # its own __str__ fails
        lines = []
    text = " / ".join(lines).rstrip(".: ")
    text = text if len(text) <= 300 else f"{text[:297]}..."
    return f"{kind}: {text}" if text else kind


def one_of(kind: str, given: object, options: Iterable[object], where: str = "") -> UserError:
    """Return the error for an unknown name, with the nearest name that exists.

    kind: what is named ("strategy"); given: what was typed; options: the names that exist.
    """
    names = [str(option) for option in options]
    given = shown(given)
    near = difflib.get_close_matches(given, names, n=1, cutoff=0.5)
    place = f" {where}" if where else ""
    listed = ", ".join(names[:MOST_LISTED]) or "none"
    if len(names) > MOST_LISTED:
        listed += f" and {len(names) - MOST_LISTED} more"
    hint = f"did you mean {near[0]}?" if near else f"choose from {listed}."
    return UserError(f"no {kind} '{given}'{place}; {hint}")
