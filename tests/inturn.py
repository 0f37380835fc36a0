"""Commands of simlab one after another in one fresh process, as a person types them.

Starting Python and importing simlab takes longer than most of these commands.

    python -m tests.inturn '[["games"], ["strategies", "diamant"]]'
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def in_turn(commands: Sequence[Sequence[str]], folder: Path) -> list[str]:
    """Run commands (the words after `simlab`) in a folder; return what each printed.

    AssertionError with the command and what it said for the first that does not end with 0.
    """
    if not commands:
        return []
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    done = subprocess.run(
        [sys.executable, "-m", "tests.inturn", json.dumps([list(words) for words in commands])],
        cwd=folder, capture_output=True, text=True, check=False, input="",
        env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    found: list[str] = json.loads(done.stdout)
    return found


def _one(words: list[str]) -> str:
    from simlab.cli import main

    sys.argv = ["simlab", *words]
    said, code = io.StringIO(), 0
    with contextlib.redirect_stdout(said):
        try:
            main()
        except SystemExit as ended:
            code = int(ended.code or 0)
    if code:
        print(f"simlab {shlex.join(words)} ended with {code}\n{said.getvalue()}", file=sys.stderr)
        raise SystemExit(1)
    return said.getvalue()


if __name__ == "__main__":
    print(json.dumps([_one(words) for words in json.loads(sys.argv[1])]))
