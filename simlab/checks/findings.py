"""What the checks found: one line a check, in sentences and as JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

OK, FAIL, SKIP = "ok", "FAIL", "skip"


@dataclass(frozen=True)
class Line:
    """The outcome of one check.

    status: "ok", "FAIL" or "skip"; subject: what was checked; check: the check's name; says: what
    was seen, or what is wrong, where, and what to do; detail: a traceback or a position.
    """

    status: str
    subject: str
    check: str
    says: str
    detail: str = ""


@dataclass
class Findings:
    """All lines of a check of one target."""

    target: str
    lines: list[Line] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether no check failed and at least one was made."""
        return bool(self.lines) and not self.failed

    @property
    def failed(self) -> list[Line]:
        """The lines of the checks that failed."""
        return [line for line in self.lines if line.status == FAIL]

    def add(self, lines: Iterable[Line]) -> None:
        """Add lines as they come."""
        self.lines.extend(lines)

    def text(self) -> str:
        """Return the findings in lines, by subject, and a last line that counts them."""
        parts: list[str] = []
        subject = None
        width = max((len(line.check) for line in self.lines), default=0)
        for line in self.lines:
            if line.subject != subject:
                subject = line.subject
                parts += ["", subject] if parts else [subject]
            parts.append(f"  {line.status:4}  {line.check:{width}}  {line.says}")
            if line.detail:
                parts.append(textwrap.indent(line.detail.rstrip(), " " * 8))
        return "\n".join([*parts, "", self.summary])

    @property
    def summary(self) -> str:
        """How many checks there were and how many failed, in one sentence."""
        counts = {s: sum(line.status == s for line in self.lines) for s in (OK, FAIL, SKIP)}
        left = f", {counts[SKIP]} skipped" if counts[SKIP] else ""
        made = counts[OK] + counts[FAIL]
        if counts[FAIL]:
            return f"{counts[FAIL]} of {many(made, 'check')} failed{left}: {self.target}"
        return f"{many(made, 'check')} passed{left}: {self.target}"

    def document(self) -> dict[str, Any]:
        """Return what `check --json` prints."""
        return {
            "target": self.target,
            "passed": self.passed,
            "lines": [vars(line) for line in self.lines],
        }

    def __str__(self) -> str:
        return self.text()


def many(count: int, thing: str) -> str:
    """Return a number of things in words: "1 check", "2 checks"."""
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"


class Report:
    """Makes the lines of one subject."""

    def __init__(self, subject: str) -> None:
        self.subject = subject

    def ok(self, check: str, says: str) -> Line:
        """Return the line of a check that passed."""
        return Line(OK, self.subject, check, says)

    def fail(self, check: str, says: str, detail: str = "") -> Line:
        """Return the line of a check that failed."""
        return Line(FAIL, self.subject, check, says, detail)

    def skip(self, check: str, says: str) -> Line:
        """Return the line of a check that could not be made."""
        return Line(SKIP, self.subject, check, says)

    def either(self, check: str, wrong: list[str], right: str) -> Iterator[Line]:
        """Yield a failing line for each wrong thing, or one line that all is right."""
        if wrong:
            yield from (self.fail(check, says) for says in wrong)
        else:
            yield self.ok(check, right)
