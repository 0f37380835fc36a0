"""The checks of a data file: can it be played with, and does it add up as the printed game does."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from simlab.checks.findings import Line, Report
from simlab.core.game import DataFile, Game, Rows, rule_book
from simlab.core.parameters import number_text
from simlab.core.registry import games
from simlab.errors import UserError, one_of


def check_data(path: Path, game: Game | None = None) -> Iterator[Line]:
    """Yield the lines of a data file, for each rule set that it holds rows for.

    game: the game it is for; default the one whose data file it looks like. Raises UserError for a
    file that cannot be read or is of no game.
    """
    header, wanted = _head(path)
    found, data = _whose(path, header, game)
    report = Report(f"{path}, {data.name} of {found.name}")
    names = [name for name in found.rule_sets if _holds(found, name, wanted)]
    unknown = sorted(wanted - {found.data_of.get(name, name) for name in found.rule_sets})
    if unknown:
        error = one_of("rule set", unknown[0], found.rule_sets, "in the column 'rulesets'")
        yield report.fail("rule sets", f"{path}: {error}")
    if not names:
        yield report.fail(
            "possible",
            f"{path} has no row for any rule set of {found.name}; name them in its column "
            "'rulesets'.",
        )
    done: dict[str, str] = {}
    for name in names:
        rows_of = found.data_of.get(name, name) if wanted else ""
        if rows_of in done:
            continue
        done[rows_of] = name
        yield from _rule_set(report, path, found, data, name, bool(wanted))


def _head(path: Path) -> tuple[list[str], set[str]]:
    """Return a file's columns and the rule sets that its rows name."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as lines:
            reader = csv.DictReader(lines)
            header = list(reader.fieldnames or [])
            cells = [(row.get("rulesets") or "").split(";") for row in reader]
    except (OSError, ValueError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise UserError(f"cannot read {path}: {reason}.") from None
    return header, {name for names in cells for name in names if name}


def _whose(path: Path, header: list[str], game: Game | None) -> tuple[Game, DataFile]:
    """Return the game and data file that a file is meant for."""
    known = [(g, data) for g in ([game] if game else games().values()) for data in g.data]
    if not known:
        who = f"{game.name} has" if game else "no game has"
        raise UserError(f"{who} no data files; {path} cannot be checked against one.")
    by_name = [entry for entry in known if path.stem == entry[1].name]
    fitting = [entry for entry in known if set(entry[1].columns) <= set(header)]
    both = [entry for entry in by_name if entry in fitting]
    for entries in (both, fitting, by_name if game is None else known):
        if len(entries) == 1:
            return entries[0]
        if len({g.name for g, _ in entries}) > 1:
            names = ", ".join(sorted({g.name for g, _ in entries}))
            raise UserError(f"{path} could be a file of {names}; say which with --game.")
        if entries:
            return max(entries, key=lambda entry: len(set(entry[1].columns) & set(header)))
    needs = "; ".join(f"{g.name} {d.name}: {', '.join(d.columns)}" for g, d in known)
    raise UserError(f"{path} does not have the columns of any data file ({needs}).")


def _holds(game: Game, name: str, wanted: set[str]) -> bool:
    return not wanted or game.data_of.get(name, name) in wanted


def _rule_set(
    report: Report, path: Path, game: Game, data: DataFile, name: str, named: bool
) -> Iterator[Line]:
    said = f"rules {name}" if named else "all rules"
    try:
        own = rule_book(game, name, {data.name: path}).rows[data.name]
    except UserError as error:
        yield report.fail("possible", str(error))
        return
    yield report.ok("possible", f"{len(own)} rows for {said}")
    if data.totals is None:
        yield report.skip("adds up", f"{game.name} states no totals for its {data.name}")
        return
    printed = rule_book(game, name).rows[data.name]
    wrong = list(_unequal(data, own, printed))
    if wrong:
        yield report.fail(
            "adds up", f"{path} differs from the printed {data.name} of {name}: {'; '.join(wrong)}."
            f" It can still be played, with --set {data.name}={path}.",
        )  # fmt: skip
    else:
        totals = data.totals(own)
        told = ", ".join(f"{what} {number_text(n)}" for what, n in totals.items())
        yield report.ok("adds up", f"{said}: {told}")


def _unequal(data: DataFile, own: Rows, printed: Rows) -> Iterator[str]:
    assert data.totals is not None
    mine, right = data.totals(own), data.totals(printed)
    for what in dict.fromkeys([*right, *mine]):
        here, there = mine.get(what, 0), right.get(what, 0)
        if here != there:
            yield f"{what} {number_text(here)}, printed {number_text(there)}"
