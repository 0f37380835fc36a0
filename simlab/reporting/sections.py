"""Report scripts: plain functions of a run, each a section of one kind of page.

    \"\"\"How the win shares differ.\"\"\"

    from simlab import figures, report_section

    @report_section("Who wins")
    def shares(run):
        \"\"\"Each dot is a strategy.\"\"\"
        return figures.win_share(run.summary())

The file's name is the kind of the page (`win_rates.py` is `win-rates`), the first line of its
docstring says what the page shows, and its sections come in the order of the file. A section with
`of="duel"` is given the answer of a duel instead of a run, and so on (`SUBJECTS`).
"""

from __future__ import annotations

import inspect
import io
import sys
import traceback
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from simlab.core.loading import load_file, own_frames
from simlab.core.patience import Endless, Patience, seconds_allowed
from simlab.core.places import Source, shipped_pack, sources
from simlab.errors import UserError, one_of, shown, told
from simlab.reporting.showable import ALLOWED, NotShowable, flat
from simlab.study import KINDS

MARK = "__simlab_report_sections__"
ANSWER_MARK = "__simlab_report_answers__"
RUN, REPLAY = "run", "replay"
SUBJECTS = (RUN, REPLAY, *KINDS)
"""What a page may be about: a `Run`, one replayed game, or the answer to a question."""
USUAL = {RUN: "overview", REPLAY: "game", "compare-rules": "rules"}
"""Subject -> the kind of page it usually has, where that is not its own name."""
SECTION_PATIENCE = 15  # a section may take so many times as long as a compiled strategy
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Section:
    """A section of a page: title, name within the script, function, and what it is given."""

    title: str
    name: str
    function: Callable[[Any], Any]
    of: str = RUN

    @property
    def caption(self) -> str:
        """The function's docstring; empty where it has none."""
        return inspect.getdoc(self.function) or ""

    @property
    def line(self) -> int:
        """Where the function begins in its file."""
        return self.function.__code__.co_firstlineno


@dataclass(frozen=True)
class Report:
    """A report script: the kind of page it makes, its file, what it shows, and its sections.

    answers: what its pages ask and answer, by subject, where that is not the usual question.
    """

    kind: str
    file: Path
    summary: str
    sections: tuple[Section, ...]
    answers: Mapping[str, Section] = field(default_factory=dict)

    @property
    def subjects(self) -> tuple[str, ...]:
        """What its sections are about, in their order."""
        return tuple(dict.fromkeys(section.of for section in self.sections))

    def of(self, subject: str) -> tuple[Section, ...]:
        """Return the sections about a subject, such as "run"."""
        return tuple(section for section in self.sections if section.of == subject)


def usual_kind(subject: str) -> str:
    """Return the kind of page that a subject usually has."""
    return USUAL.get(subject, subject)


def report_section(title: str, *, name: str | None = None, of: str = RUN) -> Callable[[F], F]:
    """Declare a plain function of a report script, `(run)`, as a section of its page.

    title: the heading. name: defaults to the function's; must differ from that of every other
    section of the script. of: what the function is given: "run" (a `Run`), "replay" (one replayed
    game), or "duel", "tournament", "sweep", "compare-rules", "sample-size" (the answer of one). It
    returns what is shown: text (str), a polars DataFrame, a table (`run.table()`,
    `answer.tables()`), a matplotlib Figure, a heading (`figures.Heading`), a list or tuple of
    those, or None, which leaves the section out. Its docstring becomes the caption.
    UserError with file and line where the title or the function cannot be one.
    """
    if not isinstance(title, str) or not title.strip():
        raise UserError(
            '@report_section takes the heading of the section: @report_section("Who wins").'
        )
    if name is not None and (not isinstance(name, str) or not name.isidentifier()):
        raise UserError(
            f"'{shown(name)}' cannot be the name of a section; it takes letters, digits and _, "
            "as in @report_section(..., name='shares')."
        )

    if not isinstance(of, str) or of not in SUBJECTS:
        raise one_of("subject of a section", of, SUBJECTS)

    def declare(function: F) -> F:
        _check(function, title)
        section = Section(title, name or function.__name__, function, of)
        held: list[Section] = function.__globals__.setdefault(MARK, [])
        _add(held, section)
        return function

    return declare


def report_answer(question: str, *, of: str = RUN) -> Callable[[F], F]:
    """Declare a plain function of a report script as what answers the question of its page.

    question: what the page asks, such as "Does the seat decide who wins?"; without one, a page of
    runs asks who wins. The function takes what a section takes and returns the answer in one
    sentence with its interval (`figures.with_interval` writes it), or None, which keeps the usual
    question.
    """
    if not isinstance(question, str) or not question.strip():
        raise UserError('@report_answer takes the question: @report_answer("Are seats fair?").')
    if not isinstance(of, str) or of not in SUBJECTS:
        raise one_of("subject of a page", of, SUBJECTS)

    def declare(function: F) -> F:
        _check(function, question)
        held = function.__globals__.setdefault(ANSWER_MARK, {})
        held[of] = Section(question, function.__name__, function, of)
        return function

    return declare


def answered(report: Report, subject: str, thing: Any) -> tuple[str, str] | None:
    """Return question and answer of a page where its script has one; UserError where it fails."""
    section = report.answers.get(subject)
    if section is None:
        return None
    given = shown_by(section, thing)
    if not given:
        return None
    if len(given) != 1 or not isinstance(given[0], str):
        raise UserError(
            f"{section.function.__code__.co_filename}:{section.line}: the answer to "
            f"'{shown(section.title)}' must be one sentence (str), or None."
        )
    return section.title, " ".join(given[0].split())


def _check(function: Any, title: str) -> None:
    """Raise UserError unless the function can be called with a run alone."""
    if not isinstance(function, types.FunctionType) or inspect.iscoroutinefunction(function):
        raise UserError(
            f'@report_section("{shown(title)}") marks a plain function, not '
            f"{shown(repr(function))}."
        )
    try:
        inspect.signature(function).bind(None)
    except TypeError:
        code = function.__code__
        raise UserError(
            f"{code.co_filename}:{code.co_firstlineno}: section '{shown(title)}' takes "
            f"{inspect.signature(function)}; a section takes one argument: def "
            f"{function.__name__}(run)."
        ) from None


def _add(held: list[Section], section: Section) -> None:
    """Add a section; one written anew (in a notebook) takes the place of the older."""
    for place, other in enumerate(held):
        if other.name != section.name:
            continue
        code = section.function.__code__
        if other.line != section.line and section.function.__module__ != "__main__":
            raise UserError(
                f"{code.co_filename}:{section.line}: section '{section.name}' is already declared "
                f"in line {other.line}; give one of them another name."
            )
        held[place] = section
        return
    held.append(section)


def kinds() -> dict[str, Report]:
    """Return the kinds of page that can be found, by name.

    Scripts that cannot be read and kinds that two scripts claim are left out; `find_report` says
    why.
    """
    found: dict[str, list[Report]] = {}
    for source in sources("reports"):
        try:
            for report in _reports(source):
                found.setdefault(report.kind, []).append(report)
        except UserError:
            continue
    return {kind: many[0] for kind, many in sorted(found.items()) if len(many) == 1}


def find_report(kind: str | Path) -> Report:
    """Return the report of a kind, or that of a script given by its path.

    kind: a name such as "overview", or a path that ends in .py. UserError for an unknown kind
    (with the nearest), one that two scripts claim (with both), or a script that cannot be read.
    """
    text = str(kind)
    if isinstance(kind, Path) or text.endswith(".py"):
        return _of_file(Path(text).expanduser())
    wanted = text.strip().lower().replace("_", "-")
    many: list[Report] = []
    broken: list[UserError] = []
    for source in sources("reports"):
        if source.entry is None and _kind(source.path.stem) != wanted:
            continue
        try:
            many += [report for report in _reports(source) if report.kind == wanted]
        except UserError as error:
            broken.append(error)
    if len({report.file for report in many}) > 1:
        files = " and ".join(str(report.file) for report in many)
        raise UserError(
            f"the kind of page '{wanted}' is claimed twice: by {files}; rename one of them, or "
            "name the file you mean instead of the kind."
        )
    if many:
        return _with_sections(many[0])
    if broken:
        raise broken[0]
    raise one_of("kind of page", kind, kinds())


def _of_file(path: Path) -> Report:
    """Return the report of a script that was given by its path."""
    try:
        there = path.is_file()
    except (OSError, ValueError):
        there = False
    if not there:
        raise UserError(f"there is no report script {shown(path)}.")
    return _with_sections(_report(_kind(path.stem), load_file(path)))


def _with_sections(report: Report) -> Report:
    if not report.sections:
        raise UserError(
            f"{report.file} shows nothing: mark its functions with "
            '@report_section("Heading"), from simlab import report_section.'
        )
    return report


def _reports(source: Source) -> Iterator[Report]:
    """Yield the reports of a file or of an installed module; a package has one for each module."""
    loaded = [thing for thing in source.load() if isinstance(thing, types.ModuleType)]
    for place, module in enumerate(loaded):
        name = source.path.stem
        if source.entry is not None:
            name = source.entry.name if place == 0 else module.__name__.rpartition(".")[2]
        report = _report(_kind(name), module)
        if report.sections or source.entry is None:
            yield report


def _report(kind: str, module: types.ModuleType) -> Report:
    doc = (inspect.getdoc(module) or "").strip().partition("\n")[0]
    sections = tuple(getattr(module, MARK, ()))
    answers = dict(getattr(module, ANSWER_MARK, {}))
    return Report(kind, Path(str(module.__file__)), doc, sections, answers)


def _kind(name: str) -> str:
    return name.lower().replace("_", "-")


def shown_by(section: Section, subject: Any) -> list[Any]:
    """Return what a section shows: str, polars DataFrame, tables, Figure and Heading.

    subject: what it is given. UserError with file, line, title and traceback of the script where
    the section fails, and with what is allowed where it returns something that a page cannot show.
    """
    spoken = io.StringIO()
    try:
        with Patience(SECTION_PATIENCE * seconds_allowed()) as limit, redirect_stdout(spoken):
            limit.tick(f"section '{section.title}'")
            given = section.function(subject)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever a person's function raises
        raise failed(section, error) from None
    if not spoken.closed and spoken.getvalue():
        print(spoken.getvalue(), file=sys.stderr, end="")
    try:
        return list(flat(given))
    except NotShowable as error:
        raise UserError(
            f"{section.function.__code__.co_filename}:{section.line}: section "
            f"'{shown(section.title)}' returned {error}; return {ALLOWED}."
        ) from None


def failed(section: Section, error: BaseException) -> UserError:
    """Return what to tell of a section that failed: file, line and the person's own traceback."""
    file = section.function.__code__.co_filename
    if isinstance(error, UserError) and Path(file).is_relative_to(
        shipped_pack("reports").resolve()
    ):
        return error  # a person's slip, not a mistake of the script
    own = own_frames(error)
    line = next((f.lineno for f in reversed(own) if f.filename == file), section.line)
    said = str(error) if isinstance(error, UserError) else told(error)
    if isinstance(error, Endless):
        said = f"no end after {SECTION_PATIENCE * seconds_allowed():g} s"
    trace = "".join(traceback.format_list(own)).rstrip()
    return UserError(
        f"{file}:{line}: section '{shown(section.title)}' failed: {said.rstrip('.: ')}."
        + (f"\n{trace}" if trace else "")
    )
