"""The tables of a page as the browser holds them, and what they ought to hold."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from typing import Any

from tests.browser.chromium import Chromium

READ = """
  const cell_of = cell => {
    const number = cell.querySelector('[data-value]');
    return {
      text: cell.firstElementChild.textContent, missing: !!cell.querySelector('.missing'),
      value: number && number.dataset.value, column: number && number.dataset.column,
    };
  };
  const heads_of = table => [...table.querySelectorAll('thead [data-column]')]
    .sort((a, b) => a.dataset.place - b.dataset.place);
  const rows_of = table => [...table.tBodies[0].rows].map(row => [...row.cells].map(cell_of));
  const tables = [...document.querySelectorAll('main table')];
  const articles = [...document.querySelectorAll('article')];
"""
ALL = """
  return tables.map(table => ({
    part: Math.max(0, articles.indexOf(table.closest('article'))),
    columns: heads_of(table).map(head => head.dataset.column), rows: rows_of(table),
  }));
"""
SORTED = """
  const found = [], clicked = (table, head) => {
    head.closest('button').click();
    const orders = heads_of(table).map(head => head.closest('th').getAttribute('aria-sort'));
    found.push({
      table: tables.indexOf(table), place: Number(head.dataset.place), orders: orders,
      rows: rows_of(table),
    });
  };
  for (const table of tables)
    if (table.tBodies[0].rows.length > 1)
      for (const head of heads_of(table)) { clicked(table, head); clicked(table, head); }
  return found;
"""
EMPTIED = "navigator.clipboard.writeText('').then(arguments[arguments.length - 1])"
COPIED = """
  const done = arguments[arguments.length - 1], wait = tries => {
    const said = document.activeElement.parentElement.querySelector('[role=status]').textContent;
    delete navigator.clipboard;  // which opens a closed one
    if (said === 'Copied') navigator.clipboard.readText().then(done, error => done(String(error)));
    else if (said || !tries) done('not copied: ' + said);
    else setTimeout(wait, 10, tries - 1);
  };
  wait(300);
"""
NUMBER = re.compile(r"(?P<number>[-+\u2212]?[\d,]+(?:\.(?P<decimals>\d+))?)(?P<percent>\s?%)?")


@dataclass(frozen=True)
class Cell:
    """One cell: its text, its full value where it is a number, and the column that it names."""

    text: str
    missing: bool
    value: str | None
    column: str | None

    @property
    def full(self) -> str:
        """What the cell is as CSV."""
        return "" if self.missing else self.text if self.value is None else self.value

    @property
    def known(self) -> float | str | None:
        """What the cell is sorted by."""
        if self.missing or self.value == "nan":
            return None
        return self.text if self.value is None else float(self.value)


@dataclass(frozen=True)
class Table:
    """A table. part: number of the run on the page that it is of; columns: their names."""

    part: int
    columns: list[str]
    rows: list[list[Cell]]

    def objects(self) -> list[dict[str, float | str | None]]:
        """Return each row as column -> number, text or None."""
        return [
            {c: cell.known for c, cell in zip(self.columns, row, strict=True)} for row in self.rows
        ]


def tables(browser: Chromium) -> list[Table]:
    """Return the tables of the page that is open."""
    return [Table(t["part"], t["columns"], _cells(t["rows"])) for t in browser.ask(READ + ALL)]


def _cells(rows: Any) -> list[list[Cell]]:
    return [[Cell(**cell) for cell in row] for row in rows]


@dataclass(frozen=True)
class Click:
    """What a click on a heading did. orders: aria-sort of every column; rows: as they stand."""

    table: int
    place: int
    orders: list[str | None]
    rows: list[list[Cell]]

    @property
    def order(self) -> str | None:
        """How the column is now sorted, as it tells screen readers."""
        return self.orders[self.place]

    @property
    def values(self) -> list[float | str | None]:
        """What the cells of the column are sorted by."""
        return [row[self.place].known for row in self.rows]

    @property
    def known(self) -> list[float | str]:
        """The values of the column, without those that are missing."""
        return [value for value in self.values if value is not None]


def clicks(browser: Chromium) -> list[Click]:
    """Click every heading twice, and return what each click did."""
    return [Click(**{**one, "rows": _cells(one["rows"])}) for one in browser.ask(READ + SORTED)]


def copies(browser: Chromium, closed: bool = False) -> list[list[list[str]]]:
    """Press every button that copies a table, and return what the clipboard held, parsed.

    closed: the browser has no clipboard that a page may write to, as some have for files.
    """
    found = []
    for press in browser.driver.find_elements("css selector", "button.copy"):
        if press.text == "Copy as CSV":
            browser.wait_for(EMPTIED)
            if closed:
                browser.ask("Object.defineProperty(navigator, 'clipboard', {configurable: true})")
            press.click()
            held = browser.wait_for(COPIED)
            found.append([*csv.reader(io.StringIO(held, newline=""), strict=True)])
    return found


def falsely_rounded(table: Table) -> list[str]:
    """Return the cells whose text is not their value, rounded to the digits that are shown."""
    return [
        f"{name}: {cell.text!r} for {cell.value}"
        for row in table.rows
        for name, cell in zip(table.columns, row, strict=True)
        if cell.value is not None and not (cell.column == name and _rounded(cell, name))
    ]


def _rounded(cell: Cell, name: str) -> bool:
    if cell.value in ("inf", "-inf", "nan"):
        return cell.text == cell.value
    read = NUMBER.fullmatch(cell.text)
    if read is None:
        return False
    scale = 100 if read["percent"] or name.startswith("win_share") else 1
    shown = float(read["number"].replace(",", "").replace("\u2212", "-"))
    last = 10.0 ** -len(read["decimals"] or "")
    return abs(shown - scale * float(str(cell.value))) <= last * 0.5000001
