"""The table of a run as text, CSV, JSON, Markdown or HTML, with its caution lines."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simlab.analysis.estimates import Estimate
from simlab.analysis.eventgroups import event_columns, event_table, row_columns
from simlab.analysis.stopping import A_BETTER, B_BETTER
from simlab.analysis.tables import Row, Table, columns_needed, run_table, table_frame
from simlab.errors import one_of

if TYPE_CHECKING:
    import polars as pl

    from simlab.core.game import Events

FORMATS = ("text", "csv", "json", "markdown", "html")
TRUNCATED_RULES = {
    "score": "counted by their scores",
    "split": "counted as won by all alike",
    "none": "left out",
}
TIES = {
    "ordinal": "the game's own tie-break; what is still tied shares the win",
    "share": "equal best scores share the win, without tie-break",
    "win": "each best score counts as a win, so the shares may add up to more than 1",
}


@dataclass(frozen=True, repr=False)
class RunTable:
    """A run's table by strategy, seat, column or events, with everything that is said about it.

    about: the heading; lines: cautions and notes; seats: strategy label -> its fixed seats.
    """

    table: Table
    by: str
    about: str
    lines: list[str]
    level: float
    seats: dict[str, list[int]]

    def frame(self) -> pl.DataFrame:
        """Return the table as a polars frame."""
        return table_frame(self.table, self.by)

    def objects(self) -> list[dict[str, Any]]:
        """Return one JSON object for each row; where seats are fixed, seat and strategy both."""
        return [self._object(row) for row in self.table.rows]

    def _object(self, row: Row) -> dict[str, Any]:
        found: dict[str, Any] = {self.by: row.value}
        if self.seats and self.by == "strategy":
            held = self.seats.get(str(row.value), [])
            found["seat"] = held[0] if len(held) == 1 else held
        if self.seats and self.by == "seat":
            found["strategy"] = next(k for k, held in self.seats.items() if int(row.value) in held)
        found |= {
            "games": row.games,
            "win_share": row.win.estimate,
            "win_share_low": row.win.low,
            "win_share_high": row.win.high,
            "score_mean": row.score.estimate,
            "score_low": row.score.low,
            "score_high": row.score.high,
            "score_sd": row.score_sd,
        }
        if row.win_bounds is not None:
            found["win_share_if_truncated_lost"], found["win_share_if_truncated_won"] = (
                row.win_bounds
            )
        return found

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        percent = f"{self.level * 100:g} %"
        head = [self.by, "seats held", "win share", percent, "score", percent, "sd"]
        if any(row.win_bounds for row in self.table.rows):
            head.append("if truncated lost, won")
        rows = []
        for row in self.table.rows:
            cells = [
                "-" if row.value is None else str(row.value),
                f"{row.games:,}",
                _percent(row.win.estimate),
                _span(row.win, 100, 2),
                _number(row.score.estimate, 2),
                _span(row.score, 1, 2),
                _number(row.score_sd, 2),
            ]
            if len(head) > len(cells):
                cells.append(_bounds(row))
            rows.append(cells)
        return head, rows

    def text(self, style: str = "simple") -> str:
        """Return the table for a terminal (style "simple") or as Markdown ("github")."""
        from tabulate import tabulate

        head, rows = self._cells()
        align = ["left"] + ["right"] * (len(head) - 1)
        body = tabulate(rows, head, tablefmt=style, colalign=align, disable_numparse=True)
        between = "\n\n" if style == "github" else "\n"
        return between.join([self.about, body, *self.lines])

    def html(self) -> str:
        """Return the table as an HTML fragment, each number with its full value."""
        from simlab.reporting.cells import run_grid
        from simlab.reporting.htmltables import fragment

        return fragment(run_grid(self, self.lines), self.about)

    def write(self, form: str) -> str:
        """Return the table in a format: text, csv, json, markdown or html."""
        if form not in FORMATS:
            raise one_of("format", form, FORMATS)
        if form == "csv":
            return self.frame().write_csv().rstrip("\n")
        if form == "json":
            rows = {"by": self.by, "rows": self.objects(), "notes": self.lines}
            return json.dumps(rows, ensure_ascii=False)
        if form == "html":
            return self.html()
        return self.text("github" if form == "markdown" else "simple")

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return self.html()


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:,.{digits}f}"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.2f} %"


def _span(estimate: Estimate, scale: float, digits: int) -> str:
    if estimate.low is None or estimate.high is None:
        return "-"
    return f"[{scale * estimate.low:,.{digits}f}, {scale * estimate.high:,.{digits}f}]"


def _bounds(row: Row) -> str:
    if row.win_bounds is None:
        return "-"
    return f"{_percent(row.win_bounds[0])}, {_percent(row.win_bounds[1])}"


def make_table(run: Any, by: str, ties: str, truncated: str, level: float) -> RunTable:
    """Return the table of an `api.Run`, by a column of its rows or a grouping of its events."""
    spec = run.file.spec
    if ties not in TIES:
        raise one_of("rule for ties", ties, TIES)
    if truncated not in TRUNCATED_RULES:
        raise one_of("rule for truncated games", truncated, TRUNCATED_RULES)
    how: dict[str, Any] = {"ties": ties, "truncated": truncated, "level": level}
    about = _grouping(run, by)
    if about is None:
        labels = list(dict.fromkeys(spec["line_up"])) if by == "strategy" else None
        table = run_table(run.pieces(columns_needed(by, ties)), by, labels=labels, **how)
        said = []
    else:
        rows = run.pieces(row_columns(ties))
        events = run.pieces(event_columns(about.what), "events")
        frames = zip(rows, events, strict=True)
        table = event_table(frames, by, about.what, about.groups[by], **how)
        said = _event_lines(by, about, table)
    seats: dict[str, list[int]] = {}
    if spec["seats"] == "fixed":
        for seat, label in enumerate(spec["line_up"]):
            seats.setdefault(label, []).append(seat)
    lines = _lines(run, table, ties, truncated, said)
    return RunTable(table, by, _heading(run), lines, level, seats)


def _grouping(run: Any, by: str) -> Events | None:
    """Return what the game's events are where they make the groups, None where a column does.

    UserError for a name that is neither, and where the run holds no events.
    """
    from simlab.core.registry import find_game

    held = run.scan().collect_schema().names()
    if by in held:
        return None
    about = find_game(run.game).events
    groups = about.groups if about is not None else {}
    if about is None or by not in [*groups]:
        none = f" ({run.game} records no events)" if about is None else ""
        raise one_of("column", by, [*held, *groups], f"in {run.folder}{none}")
    run.events()  # says so where there are none
    return about


def _heading(run: Any) -> str:
    spec = run.file.spec
    return (
        f"{spec['game']}, {spec['players']} players, rules {spec['rules']}"
        f"{_changes(spec)}, seats {spec['seats']}, seed {spec['seed']}: {run.span.games:,} games"
    )


def _changes(spec: dict[str, Any]) -> str:
    from simlab.core.registry import find_game

    usual = find_game(spec["game"]).rule_set(spec["rules"])
    changed = [f"{k}={v}" for k, v in spec["values"].items() if usual.get(k) != v]
    changed += [f"{name}={entry['file']}" for name, entry in spec["data"].items()]
    return f" with {', '.join(changed)}" if changed else ""


def _event_lines(by: str, about: Events, table: Table) -> list[str]:
    """Return what a reader of a table by events must know."""
    kinds = " or ".join(about.groups[by])
    if not table.rows:
        return [f"No seat had such an event ({kinds})."]
    return [
        f"Caution: association, not cause: who has such an event ({kinds}) differs from others in "
        "more than that, so a high win share does not say that the event made anyone win.",
        "Seats held: those with at least one such event in a game; several with the same "
        f"{about.what} in one game count once.",
    ]


VERDICTS = (A_BETTER, B_BETTER)


def _stopped(run: Any) -> list[str]:
    """Return what the stopping rule said, where one ended these games."""
    said = run.until
    if said is None:
        return []
    parts = [
        f"{one['name']} {_percent(one['estimate'])} [{100 * one['low']:.2f}, "
        f"{100 * one['high']:.2f}]"
        for one in said["comparisons"]
    ]
    rule = f"--until {said['rule']}" if said["rule"] else "The rule of the duel"
    verdict = said["verdict"]
    if said["verdict"] in VERDICTS:
        first, second = said["comparisons"][0]["name"].split(" - ", 1)
        verdict = f"{first if said['verdict'] == A_BETTER else second} is better"
    return [
        f"{rule}: {verdict}, after {said['games']:,} games. Valid at any "
        f"stop (level {100 * said['level']:.4g} % each): {'; '.join(parts)}. The intervals of the "
        "table are those of a fixed number of games."
    ]


def _seats_alike(run: Any, table: Table) -> list[str]:
    """Return whether all seats win alike; nothing where each has a strategy of its own.

    The seat that is named is the one most surely apart, with its interval of the table.
    """
    test, spec = table.alike, run.file.spec
    if test is None or (spec["seats"] == "fixed" and len(set(spec["line_up"])) > 1):
        return []
    if test.p is None:
        return ["All seats alike? One deal cannot say."]
    how = f"p {_p_value(test.p)} ({test.method}, {test.correction})"
    if test.df is not None:
        first, second = test.df
        how = f"F({first}, {second:,}) = {_number(test.statistic, 1)}, p {_p_value(test.p)}"
    if not test.differ:
        return [f"All seats alike? {how}: no difference shown."]
    equal = 1 / len(table.rows)
    seats = zip(table.rows, test.p_seats, strict=True)
    row, p = min(seats, key=lambda at: (at[1], -abs((at[0].win.estimate or 0) - equal)))
    most = (
        f"seat {row.value} wins {_percent(row.win.estimate)} {_span(row.win, 100, 2)} against "
        f"{100 * equal:.4g} %"
    )
    if p > 1 - test.level:
        return [f"All seats alike? {how}: no, though no seat by itself stands out; {most}."]
    return [f"All seats alike? {how}: no; {most}."]


def _p_value(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else f"= {p:.2g}"


def _lines(run: Any, table: Table, ties: str, truncated: str, said: list[str]) -> list[str]:
    """Return cautions and notes below a table; said: those that its groups need."""
    lines = [*(f"Caution: {text}" for text in run.cautions()), *said]
    if not said and run.players > 1 and len(set(run.file.spec["line_up"])) == 1:
        lines.append("All seats play the same strategy, so its win share says nothing about it.")
    lines += _seats_alike(run, table) + _stopped(run)
    if ties != "ordinal":
        lines.append(f"Ties ({ties}): {TIES[ties]}.")
    if table.truncated:
        lines.append(
            f"{table.truncated:,} of {table.games:,} games were truncated (stopped by a cap) "
            f"and {TRUNCATED_RULES[truncated]}."
        )
    for reason, games in table.ends.items():
        if reason not in ("finished", "truncated"):
            lines.append(f"{games:,} of {table.games:,} games ended as {reason}.")
    return lines
