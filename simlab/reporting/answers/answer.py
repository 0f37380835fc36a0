"""An answer to a question: its sentence, tables, figures and page, all from one result."""

from __future__ import annotations

import html
import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from simlab.core.places import looking_in
from simlab.core.registry import find_game
from simlab.errors import one_of
from simlab.reporting.answers.sheet import Sheet
from simlab.running.experimenttoml import question_of, to_toml
from simlab.study.asking import command

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

WORDS = {
    "duel": "duel",
    "tournament": "tournament",
    "sweep": "sweep",
    "compare-rules": "rule_change",
    "sample-size": "sample_size",
}
"""Kind of question -> the module here that puts its answer into words."""


class Words(Protocol):
    """What a module about one kind of question offers."""

    def sentence(self, result: Any) -> str:
        """Return the answer in one sentence, with its interval."""

    def tables(self, result: Any) -> list[Sheet]:
        """Return the tables of an answer, the most important first."""

    def figures(self, result: Any) -> dict[str, Figure]:
        """Return the figures by name, the most important first."""

    def notes(self, result: Any) -> list[str]:
        """Return what a reader must know."""


class Answer:
    """What a question found. Everything its result holds can be read from here, too.

    result: the numbers; folder: where the games lie, None where none are kept; played: games that
    were played for it just now.
    """

    def __init__(self, result: Any, folder: Path | None) -> None:
        self.result = result
        self.folder = folder
        self.played = 0

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "result":
            raise AttributeError(name)
        return getattr(self.result, name)

    @property
    def _words(self) -> Words:
        home = f"simlab.reporting.answers.{WORDS[self.result.ask]}"
        words: Any = importlib.import_module(home)
        return cast(Words, words)

    @property
    def question(self) -> str:
        """The question in words: as it was asked, or as its arguments say it."""
        return question_of({"ask": self.result.ask, **self.result.arguments})

    @property
    def sentence(self) -> str:
        """The answer in one sentence, with its interval."""
        return str(self._words.sentence(self.result))

    @property
    def exit_code(self) -> int:
        """What the command line ends with: 0, of a gate 10 (FAIL) or 11 (INCONCLUSIVE)."""
        return int(getattr(self.result, "exit_code", 0))

    def summary(self) -> pl.DataFrame:
        """Return the answer as a polars frame, one row for each thing compared."""
        return self.result.summary()  # type: ignore[no-any-return]

    def tables(self) -> list[Sheet]:
        """Return the tables that text, notebook and page show."""
        return self._words.tables(self.result)

    def cautions(self) -> list[str]:
        """Return what a reader of results under these rules must know."""
        found: list[str] = []
        for part in self.result.parts:
            with looking_in(part.spec.get("places") or None, missing_ok=True):
                spec = part.spec
                found += find_game(spec["game"]).cautions_of(spec["values"], spec.get("data", {}))
        return list(dict.fromkeys(found))

    def notes(self) -> list[str]:
        """Return how the numbers are to be read."""
        return self._words.notes(self.result)

    def figures(self) -> dict[str, Figure]:
        """Return all figures of the answer by name."""
        return self._words.figures(self.result)

    def plot(self, name: str | None = None) -> Figure:
        """Return a figure of the answer by name, the first by default (see `figures`)."""
        drawn = self.figures()
        if name is None:
            return next(iter(drawn.values()))
        if name not in drawn:
            raise one_of("figure", name, drawn)
        return drawn[name]

    def report(self, out: str | Path | None = None, kind: str | Path | None = None) -> Path:
        """Write a page about this answer and return its path; by default named after the folder.

        kind: of the page, or the path of a report script; by default the one of this question.
        """
        from simlab.reporting.page import write_page

        usual = f"{self.folder.resolve().name if self.folder else self.result.ask}.html"
        return write_page(self, kind, usual if out is None else out)

    def as_toml(self) -> str:
        """Return the experiment file that asks the same again."""
        return to_toml({"ask": self.result.ask, **self.result.arguments})

    def command(self) -> str:
        """Return the command line that asks the same again."""
        arguments = getattr(self.result, "repeated", self.result.arguments)
        return command(self.result.ask, arguments)

    def document(self) -> dict[str, Any]:
        """Return what `--json` prints."""
        return {
            "ask": self.result.ask,
            "question": self.question,
            "answer": self.sentence,
            "arguments": self.result.arguments,
            "results": None if self.folder is None else str(self.folder),
            "summary": self.summary().to_dicts(),
            **(self.result.details() if hasattr(self.result, "details") else {}),
            "cautions": self.cautions(),
            "notes": self.notes(),
        }

    def __str__(self) -> str:
        pieces = [self.sentence]
        for sheet in self.tables():
            pieces.append(repr(sheet))
        lines = [*(f"Caution: {text}" for text in self.cautions()), *self.notes()]
        return "\n\n".join([*pieces, "\n".join(lines)]).rstrip()

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from simlab.reporting import canvas

        drawn = canvas.svg(self.plot(), text=True)
        pieces = [f"<p><strong>{html.escape(self.sentence)}</strong></p>"]
        pieces.append(drawn[drawn.index("<svg") :])
        for sheet in self.tables():
            pieces.append(f"<p>{html.escape(sheet.title)}</p>{sheet.text('html')}")
            pieces += [f"<p>{html.escape(sheet.caption)}</p>"] if sheet.caption else []
        lines = [*(f"Caution: {text}" for text in self.cautions()), *self.notes()]
        pieces += [f"<p>{html.escape(line)}</p>" for line in lines]
        return f"<div>{''.join(pieces)}</div>"
