"""Report scripts: plain functions of a run, each a section of one kind of page.

    \"\"\"How the win shares differ.\"\"\"

    from simlab import figures, report_section

    @report_section("Who wins")
    def shares(run):
        \"\"\"Each dot is a strategy.\"\"\"
        return figures.win_share(run.summary())

The file's name is the kind of the page (`win_rates.py` is `win-rates`), the first line of its
docstring says what the page shows, and its sections come in the order of the file.
"""

from __future__ import annotations

import inspect
import io
import sys
import traceback
import types
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from simlab.core.loading import load_file, own_frames
from simlab.core.patience import Endless, Patience, seconds_allowed
from simlab.core.places import Source, sources
from simlab.errors import UserError, one_of, shown, told

MARK = "__simlab_report_sections__"
DEEPEST = 3  # lists inside lists
SECTION_PATIENCE = 15  # a section may take so many times as long as a compiled strategy
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Section:
    """A section of a page: its title, its name within the script, and the function it is."""

    title: str
    name: str
    function: Callable[[Any], Any]

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
    """A report script: the kind of page it makes, its file, what it shows, and its sections."""

    kind: str
    file: Path
    summary: str
    sections: tuple[Section, ...]


def report_section(title: str, *, name: str | None = None) -> Callable[[F], F]:
    """Declare a plain function of a report script, `(run)`, as a section of its page.

    title: the heading. name: defaults to the function's; must differ from that of every other
    section of the script. The function takes a `Run` and returns what is shown: text (str), a
    polars DataFrame, a table (`run.table()`), a matplotlib Figure, a list or tuple of those, or
    None, which leaves the section out. Its docstring becomes the caption.
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

    def declare(function: F) -> F:
        _check(function, title)
        section = Section(title, name or function.__name__, function)
        held: list[Section] = function.__globals__.setdefault(MARK, [])
        _add(held, section)
        return function

    return declare


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
    return Report(kind, Path(str(module.__file__)), doc, tuple(getattr(module, MARK, ())))


def _kind(name: str) -> str:
    return name.lower().replace("_", "-")


def shown_by(section: Section, run: Any) -> list[Any]:
    """Return what a section shows of a run: str, polars DataFrame, RunTable and Figure.

    UserError with file, line, title and traceback of the script where the section fails, and with
    what is allowed where it returns something that a page cannot show.
    """
    spoken = io.StringIO()
    try:
        with Patience(SECTION_PATIENCE * seconds_allowed()) as limit, redirect_stdout(spoken):
            limit.tick(f"section '{section.title}'")
            given = section.function(run)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever a person's function raises
        raise _failed(section, error) from None
    if not spoken.closed and spoken.getvalue():
        print(spoken.getvalue(), file=sys.stderr, end="")
    return list(_flat(section, given))


def _failed(section: Section, error: BaseException) -> UserError:
    file = section.function.__code__.co_filename
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


def _flat(section: Section, given: Any, depth: int = 0) -> Iterator[Any]:
    """Yield what is shown, one by one; UserError for what cannot be."""
    if given is None:
        return
    if isinstance(given, (list, tuple)) and depth < DEEPEST:
        for one in given:
            yield from _flat(section, one, depth + 1)
    elif given is not None:
        yield _showable(section, given)


def _showable(section: Section, given: Any) -> Any:
    import polars as pl
    from matplotlib.figure import Figure

    from simlab.reporting.tables import RunTable

    if isinstance(given, str):
        return given.encode(errors="replace").decode()
    if isinstance(given, (pl.DataFrame, RunTable, Figure)):
        return given
    drawn = getattr(given, "figure", None)  # Axes, and the grids of seaborn
    if isinstance(drawn, Figure):
        return drawn
    hint = "; call .collect() first" if isinstance(given, pl.LazyFrame) else ""
    raise UserError(
        f"{section.function.__code__.co_filename}:{section.line}: section "
        f"'{shown(section.title)}' returned a {type(given).__name__}, which a page cannot show"
        f"{hint}; return text, a polars DataFrame, run.table(), a matplotlib Figure, a list of "
        "those, or None."
    )
