"""TOML as text: which line a key stands in, what is wrong with a broken file, values written.

`tomllib` tells values without their places; a person who slipped wants the line.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from simlab.errors import UserError, shown

Place = tuple[str, ...]
ONE_LINE = 60

_TOKEN = re.compile(
    r"(?P<comment>\#[^\n]*)"
    r'|(?P<text>"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\')'
    r"|(?P<newline>\n)|(?P<word>[A-Za-z0-9_-]+)|(?P<mark>[][{}=,])|(?P<other>.)",
    re.DOTALL,
)


def keys(text: str) -> list[tuple[Place, int]]:
    """Return every key with its tables, and the line (from 1) where it stands, in order.

    Dotted keys, `[tables]` and `{ inline = "tables" }` alike; a broken text gives what can be told.
    """
    found: list[tuple[Place, int]] = []
    table: Place = ()
    key: Place = ()
    path: list[str] = []
    around: list[tuple[str, Place]] = []  # open brackets, and the key each is the value of
    asked, header, line = True, False, 1
    for token in _TOKEN.finditer(text):
        kind, said, at = token.lastgroup, token.group(), line
        line += said.count("\n")
        bracket, inside = around[-1] if around else ("", table)
        if kind == "newline" and not around:
            if header:
                table = tuple(path)
                found.append((table, at))
            asked, header, path = True, False, []
        elif kind in ("word", "text") and asked:
            path.append(_bare(said) if kind == "text" else said)
        elif said == "=" and asked:
            key = (*inside, *path)
            found.append((key, at))
            asked = False
        elif said == "[" and asked and bracket != "{":
            header = True
        elif said in ("[", "{"):
            around.append((said, key))
            asked, path = said == "{", []
        elif said in ("]", "}") and around:
            key = around.pop()[1]
            asked = False
        elif said == "," and bracket == "{":
            asked, path = True, []
    return found + ([(tuple(path), line)] if header else [])


def _bare(text: str) -> str:
    try:
        return str(tomllib.loads(f"x = {text}")["x"])
    except ValueError:
        return text


def line_of(text: str, place: Place, words: Sequence[str] = ()) -> int | None:
    """Return the line of a key, or the line of its value that holds most of `words`.

    A key that does not stand there itself: the line of its table, or None.
    """
    found = keys(text)
    lines = [at for known, at in found if known == place]
    if not lines:
        inner = [at for known, at in found if place and known[: len(place)] == place]
        return inner[0] if inner else line_of(text, place[:-1]) if len(place) > 1 else None
    written = text.split("\n")
    end = min((at for _, at in found if at > lines[0]), default=len(written) + 1)

    def fits(number: int) -> int:
        return sum(bool(re.search(_alone(word), written[number - 1])) for word in words)

    return max(range(lines[0], end), key=fits, default=lines[0])


def _alone(word: str) -> str:
    return rf"(?<!\w)(?<!\d\.){re.escape(word)}(?!\w|\.\d)"


def at(file: Path, line: int | None) -> str:
    """Write a file and a line of it, as editors read it: `FILE:LINE`."""
    return f"{file}:{line}" if line else str(file)


def parse(text: str, file: Path) -> dict[str, Any]:
    """Return what a TOML text says; UserError with the line of `file` where it is broken."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise UserError(f"{file}: lists or tables are nested too deeply.") from None
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$", str(error))
        if found is None:
            raise UserError(f"{file}: this is not TOML: {error}.") from None
        last = text.rstrip().count("\n") + 1
        line, column = (int(found[1]), int(found[2])) if found[1] else (last, 0)
        reason = str(error)[: found.start()]
        if reason.startswith("Unterminated") and (begun := _last_quotes(text)) is not None:
            line = text.count("\n", 0, begun) + 1
        raise UserError(f"{at(file, line)}: {_broken(text, line, column, reason)}") from None
    except ValueError:
        raise UserError(f"{file}: a number has too many digits.") from None


def _last_quotes(text: str) -> int | None:
    place = max(text.rfind('"""'), text.rfind("'''"))
    return place if place >= 0 else None


def _broken(text: str, line: int, column: int, reason: str) -> str:
    whole = text.split("\n")[line - 1]
    written = shown(whole.strip())
    key, equals, value = (shown(part.strip()) for part in whole.partition("="))
    if reason.startswith("Cannot "):
        return _twice(text, line, written)
    invalid = reason == "Invalid value"
    in_value = bool(equals) and column > whole.index("=")
    if reason.startswith("Unclosed array") or (invalid and (not in_value or value.startswith("["))):
        place, begun = next(
            ((p, at) for p, at in reversed(keys(text)) if at <= line), ((key,), line)
        )
        return (
            f"the list of '{shown('.'.join(place))}' that begins in line {begun} cannot be read; "
            "write its entries in quotes, with commas between them and a ] at the end."
        )
    if reason.startswith(("Illegal character '\\n'", "Unterminated")):
        return f"'{written}' cannot be read; a text must end with the quotes it begins with."
    if invalid and re.fullmatch(r"true|false", value, re.IGNORECASE):
        return f"{key} is {value}; write {value.lower()}, in small letters."
    if invalid and value:
        return f"'{value}' cannot be read; write words in straight quotes: {key} = \"...\"."
    if invalid:
        return f"'{key}' has no value; write {key} = VALUE."
    if reason.startswith(("Expected '='", "Invalid statement")):
        return f"'{written}' cannot be read; a line says KEY = VALUE."
    if reason.startswith("Expected newline"):
        rest = shown(whole[column - 1 :].strip())
        return f"'{written}' cannot be read; nothing may follow the value, as '{rest}' does."
    return f"'{written}' cannot be read ({reason[:1].lower()}{reason[1:]})."


def _twice(text: str, line: int, written: str) -> str:
    known = keys(text)
    last = next((place for place, at in reversed(known) if at == line), ())
    name = shown(".".join(last) or written)
    for place, at in known:
        if place == last and at < line:
            return f"'{name}' is given twice; it is already in line {at}."
    for place, at in known:
        if at < line and place and place == last[: len(place)]:
            return f"'{name}' cannot stand beside '{shown('.'.join(place))}' in line {at}."
        if at < line and last and last == place[: len(last)]:
            return f"'{name}' cannot stand beside '{shown('.'.join(place))}' in line {at}."
    return f"'{name}' is given twice."


def value_text(value: Any) -> str:
    """Write a truth, number, text or list of such as TOML; UserError for what no file can hold."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return f"{value:_}" if abs(value) >= 10_000 else str(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, (list, tuple)):
        items = [value_text(item) for item in value]
        short = f"[{', '.join(items)}]"
        rows = [f"    {item},\n" for item in items]
        return short if len(short) <= ONE_LINE else f"[\n{''.join(rows)}]"
    text = str(value)
    if re.search("[\ud800-\udfff]", text):
        raise UserError(f"'{shown(text)}' cannot be written in a TOML file.")
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def key_text(key: str) -> str:
    """Write a key, in quotes where it needs them."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else value_text(key)
