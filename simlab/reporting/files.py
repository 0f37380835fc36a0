"""Where pages and figures are written: in one step, or not at all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from simlab.core.places import looking_in
from simlab.core.registry import find_game
from simlab.errors import UserError, shown
from simlab.running import dataset


def place(out: str | Path, endings: Sequence[str], what: str) -> Path:
    """Return the path of a file to be written; UserError where it cannot be.

    endings: the endings it may have; what: "a page" or "a figure", for the sentence.
    """
    try:
        path = Path(out).expanduser()
        str(path).encode()
        wrong = not path.name or "\0" in str(path) or path.suffix.lower() not in endings
    except (TypeError, ValueError, RuntimeError):
        wrong = True
    if wrong:
        raise UserError(
            f"cannot write {what} to '{shown(out)}'; give a name that ends in "
            f"{' or '.join(endings)}."
        )
    try:
        if path.is_dir():
            raise UserError(f"{shown(path)} is a folder; name a file for {what} in it.")
        if not path.parent.is_dir():
            raise UserError(
                f"cannot write {shown(path)}: there is no folder {shown(path.parent)}; make it "
                "first or choose another -o."
            )
    except OSError as error:
        raise _cannot(path, error) from None
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise UserError(
            f"cannot write {shown(path)}: no permission to write there; choose another -o."
        )
    return path


def write(path: Path, contents: str | bytes) -> Path:
    """Write a file under a temporary name and rename it; UserError where that fails."""
    try:
        dataset.write_text(path, contents, shared=True)
    except OSError as error:
        raise _cannot(path, error) from None
    return path


def _cannot(path: Path, error: OSError) -> UserError:
    return UserError(f"cannot write {shown(path)}: {error.strerror or error}; choose another -o.")


def check_run(run: Any) -> None:
    """Raise UserError for a run that holds no games, or whose game is not installed here."""
    if not run.span.games:
        raise UserError(f"{shown(run.folder)} holds no finished games yet; play it first.")
    try:
        with at_home(run):
            find_game(run.game)
    except UserError:
        raise UserError(
            f"{shown(run.folder)} holds games of '{shown(run.game)}', which is not installed here; "
            "install that game, or name the folder that holds it, and ask again."
        ) from None


def at_home(run: Any) -> AbstractContextManager[None]:
    """Look for a run's game and strategies where they were found when it was played."""
    return looking_in(run.file.spec.get("places") or None, missing_ok=True)
