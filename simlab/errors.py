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


class DamagedRun(UserError):
    """A run folder whose `run.json` or shard cannot be trusted."""


def shown(value: object) -> str:
    """Return what a person typed, on one line and not too long, for a sentence about it."""
    text = "".join(c if c.isprintable() else "?" for c in str(value))
    return text if len(text) <= 60 else f"{text[:57]}..."


def one_of(kind: str, given: object, options: Iterable[object], where: str = "") -> UserError:
    """Return the error for an unknown name, with the nearest name that exists.

    kind: what is named ("strategy"); given: what was typed; options: the names that exist.
    """
    names = [str(option) for option in options]
    given = shown(given)
    near = difflib.get_close_matches(given, names, n=1, cutoff=0.5)
    place = f" {where}" if where else ""
    hint = f"did you mean {near[0]}?" if near else f"choose from {', '.join(names) or 'none'}."
    return UserError(f"no {kind} '{given}'{place}; {hint}")
