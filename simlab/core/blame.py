"""What to say of a person's code that failed: in which file and line, and what may be meant."""

from __future__ import annotations

import difflib
import re
import traceback
from collections.abc import Iterable
from pathlib import Path

from simlab.core.game import Game
from simlab.core.loading import PACKAGE, own_frames
from simlab.core.strategy import Strategy
from simlab.errors import RulesError, told

LOOK_ONLY = " (a strategy may look at table, me and rules, not change them)"


def hint(error: BaseException, game: Game, declared: Strategy | None = None) -> str:
    """Return what may help with an error in rules or a strategy, in brackets; "" for nothing.

    declared: the strategy, or None for an error of the rules.
    """
    text = told(error)
    if "read-only" in text and declared is not None:
        return LOOK_ONLY
    found = re.search(r"has no attribute '(\w+)'", text)
    if found is None or not isinstance(error, AttributeError):
        return ""
    name = found.group(1)
    if declared is not None and "NoneType" in text and declared.memo is None:
        field = f'memo=[("{name}", "i4")]'
        return f' (a memo is declared with its fields: @strategy("{game.name}", {field}))'
    records = {"table": game.table, "me": game.seat, "rules": game.rules}
    if declared is None:
        records["hidden"] = game.hidden
    holding = [which for which, dtype in records.items() if name in (dtype.names or ())]
    if holding:
        return f" ({' and '.join(holding)} has a field {name}: is the right record meant here?)"
    names: Iterable[str] = {n for dtype in records.values() for n in dtype.names or ()}
    near = difflib.get_close_matches(name, sorted(names), n=1, cutoff=0.5)
    return f" (did you mean {near[0]}?)" if near else ""


def trace(error: BaseException) -> str:
    """Return the lines of a traceback that lie in the person's files."""
    return "".join(traceback.format_list(own_frames(error))).rstrip()


def place(error: BaseException, files: Iterable[Path | str]) -> str:
    """Return file:line of the last frame in one of some files; "" if there is none."""
    wanted = {str(file) for file in files}
    frames = [f for f in own_frames(error) if f.filename in wanted]
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""


def is_shipped(game: Game) -> bool:
    """Whether a game comes with simlab; what fails there is a defect of simlab."""
    return game.folder.resolve().is_relative_to(PACKAGE)


def rules_error(game: Game, error: BaseException) -> RulesError:
    """Return the error of the rules of an outside game, with its place and the lines to it."""
    at = place(error, game.folder.glob("**/*.py"))
    where = f" at {at}" if at else ""
    lines = trace(error)
    return RulesError(
        f"the rules of {game.name} failed{where}: {told(error)}{hint(error, game)}."
        + (f"\n{lines}" if lines else "")
    )
