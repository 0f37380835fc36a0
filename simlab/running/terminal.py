"""What is typed at a terminal and what is written there: answers, folded lines, commands."""

from __future__ import annotations

import shlex
import sys
import textwrap
from collections.abc import Iterator, Sequence

from simlab.core.table import Action
from simlab.errors import shown

WIDTH = 98
UNREADABLE = "\N{REPLACEMENT CHARACTER}"
MOST_NAMED = 6
COMMANDS = {
    "table": "the position again",
    "log": "everything that has happened so far",
    "help": "this; ? does the same",
    "quit": "leave the game",
}


def from_keyboard(prompt: str) -> str:
    """Read a line from the terminal or a pipe; what came through a pipe is shown like typed text.

    Raises EOFError at the end of the input.
    """
    if sys.stdin is None:
        raise EOFError
    if sys.stdin.isatty():
        try:
            return input(prompt)
        except EOFError:
            print()
            raise
    print(prompt, end="", flush=True)
    try:
        line = sys.stdin.readline()
    except UnicodeDecodeError:
        line = UNREADABLE
    print(line.rstrip("\r\n"), flush=True)
    if not line:
        raise EOFError
    return line


def chosen(word: str, legal: Sequence[Action]) -> Action | None:
    """Return the legal action that a number, a word or the beginning of one word means."""
    word = word.lower()
    for action in legal:
        if word in (str(action.number), action.word.lower()):
            return action
    if not word or word in COMMANDS:
        return None
    begun = [action for action in legal if action.word.lower().startswith(word)]
    return begun[0] if len(begun) == 1 else None


def misread(said: str, legal: Sequence[Action], words: Sequence[str]) -> str:
    """Say in one sentence why an answer is no legal action.

    words: the words of all actions of the game, by number.
    """
    word = said.lower()
    begun = [action.word for action in legal if action.word.lower().startswith(word)]
    if begun:
        return f"'{shown(said)}' may mean {_few(begun)}; type more of it."
    known = word in {*map(str, range(len(words))), *(each.lower() for each in words)}
    wrong = "is not allowed now" if known else "is not an action"
    right = _few([action.word for action in legal])
    return f"'{shown(said)}' {wrong}; type {right}, or help."


def _few(words: Sequence[str]) -> str:
    return ", ".join([*words[:MOST_NAMED], *["..."][: len(words) > MOST_NAMED]])


def fold(text: str) -> str:
    """Fold lines longer than WIDTH, the rest of each indented by two more."""
    return "\n".join(_folded(line) if len(line) > WIDTH else line for line in text.split("\n"))


def _folded(line: str) -> str:
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return "\n".join(textwrap.wrap(line, WIDTH, subsequent_indent=indent, break_on_hyphens=False))


def columns(cells: Sequence[str]) -> Iterator[str]:
    """Yield cells in lines of aligned columns, as many in a line as fit."""
    wide = max(map(len, cells), default=0) + 3
    many = max((WIDTH - 2) // wide, 1)
    for start in range(0, len(cells), many):
        yield "  " + "".join(cell.ljust(wide) for cell in cells[start : start + many]).rstrip()


def command(words: Sequence[str]) -> str:
    """Write a command line to be copied: indented, and where it is long on several lines."""
    parts: list[str] = []
    for word in map(shlex.quote, words):
        if parts and parts[-1].startswith("-") and " " not in parts[-1]:
            parts[-1] += f" {word}"  # an option and its value stay together
        else:
            parts.append(word)
    lines = [" "]
    for part in parts:
        if len(lines[-1]) + len(part) + 3 > WIDTH and lines[-1].strip():
            lines[-1] += " \\"
            lines.append("   ")
        lines[-1] += f" {part}"
    return "\n".join(lines)
