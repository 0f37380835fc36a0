"""Scripted games of Caylus: data files of one's own, turns in words, and who has what.

Seats are in the first turn order. The neutral tiles lie in the order of `NEUTRALS` on spaces 1 to
6 unless a test says otherwise, and are often given the effects of other tiles, so that a game is
short: `WORKSHOPS` on the first spaces are a carpenter, a mason, a lawyer and an architect.
"""

from __future__ import annotations

import csv
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from simlab import Table
from simlab.core.game import shipped
from simlab.errors import IllegalAction
from simlab.games.caylus import GAME
from simlab.games.caylus.actions import FIRST
from tests.harness import records

Changes = Mapping[str, Mapping[str, object]]

KINDS = ("food", "wood", "stone", "cloth", "gold")
STOCKS = ("deniers", *KINDS, "workers", "points")
NEUTRALS = (
    "neutral_carpenter", "neutral_quarry", "neutral_sawmill", "neutral_farm", "neutral_forest",
    "neutral_market",
)  # fmt: skip
MASON, LAWYER = "build(stone)", "pay(deniers=1,cloth=1)->transform(residence)"
ARCHITECT = "build(prestige)"
WORKSHOPS = {  # spaces 2, 3 and 4 beside the carpenter on space 1
    "neutral_quarry": {"worker_effect": MASON},
    "neutral_sawmill": {"worker_effect": LAWYER},
    "neutral_farm": {"worker_effect": ARCHITECT},
}
RICH = "60 4 12 12 12 8"  # deniers and cubes of the page's rich start
CELLS = [(rules, players) for rules in ("standard", "official") for players in (2, 3, 4, 5)]


# -- data files


def rows_of(name: str) -> list[dict[str, str]]:
    """Return the rows of a shipped file."""
    text = (shipped("simlab.games.caylus") / f"{name}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def write(folder: Path, name: str, rows: Sequence[Mapping[str, object]]) -> str:
    """Write a file of these rows and return its path."""
    path = folder / f"{name}.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return str(path)


def changed_rows(name: str, key: str, changes: Changes) -> list[dict[str, Any]]:
    """Return shipped rows with changes by the value of a column, columns by name."""
    rows = rows_of(name)
    assert set(changes) <= {row[key] for row in rows}
    return [row | dict(changes.get(row[key], {})) for row in rows]


def setup_rows(stocks: str | Sequence[str]) -> list[dict[str, Any]]:
    """Return the setup for these stocks, for all alike or by rank; ranks beyond have the last.

    A stock is "deniers food wood stone cloth gold workers points"; what is left out is 0, but for
    six workers.
    """
    ranks = [stocks] if isinstance(stocks, str) else list(stocks)
    rows = []
    for row in rows_of("setup"):
        numbers = ranks[min(int(row["rank"]), len(ranks)) - 1].split()
        rest = ["0"] * 6 + ["6", "0"]
        rows.append(row | dict(zip(STOCKS, [*numbers, *rest[len(numbers) :]], strict=True)))
    return rows


def road_rows(start: int, castle: Sequence[Mapping[str, Any]], length: int) -> list[dict[str, Any]]:
    """Return a road of this length: bailiff and provost at `start`, triggers as in the castle."""
    markers = {int(row["trigger_road_pos"]): f"{row['section']}_trigger" for row in castle}
    markers[start] = "bailiff_and_provost_start"
    rows = []
    for row in rows_of("road"):
        space = int(row["road_pos"] or 0)
        if space <= length:
            rows.append(row | {"marker": markers.get(space, "")})
    return rows


def board(
    folder: Path | None = None,
    stocks: str | Sequence[str] = "",
    *,
    players: int = 2,
    rules: str = "standard",
    start: int = 6,
    length: int = 28,
    tiles: Changes | None = None,
    castle: Changes | None = None,
    favors: Changes | None = None,
    order: Sequence[str] = NEUTRALS,
    bars: Mapping[int, Sequence[str]] | None = None,
    **changed: Any,
) -> Table:
    """Return a table; with a folder, its files are changed as said.

    tiles: columns by id; castle: columns by section; favors: columns by line and column ("d2").
    """
    if stocks:
        assert folder is not None
        rows = setup_rows(stocks)
        changed["setup"] = write(folder, "setup", rows)
        two = ";".join(row["deniers"] for row in rows if row["players"] == "2")
        changed.setdefault("two_player_start_deniers", two)
    if folder is not None:
        changed |= _files(folder, start, length, castle or {}, tiles or {}, favors or {})
    return Table(GAME, players, rules, changed, stack={"neutrals": order}, bars=bars)


def _files(
    folder: Path, start: int, length: int, castle: Changes, tiles: Changes, favors: Changes
) -> dict[str, str]:
    """Write castle, road, buildings and favors; return the paths by rule."""
    sections = changed_rows("castle", "section", castle)
    table: list[dict[str, Any]] = [
        row | dict(favors.get(row["line"] + row["column"], {})) for row in rows_of("favors")
    ]
    made = {
        "castle": sections,
        "road": road_rows(start, sections, length),
        "buildings": changed_rows("buildings", "id", tiles),
        "favors": table,
    }
    return {name: write(folder, name, rows) for name, rows in made.items()}


def triggers(*spaces: int, **more: Mapping[str, object]) -> Changes:
    """Return a castle whose sections are due on these spaces, with more changes by section."""
    found: dict[str, dict[str, object]] = {}
    for section, space in zip(("dungeon", "walls", "towers"), spaces, strict=True):
        found[section] = {"trigger_road_pos": space, **more.get(section, {})}
    return found


# -- turns


def go(table: Table, *words: str) -> Table:
    """Play words, several of them apart by semicolons, whoever is asked."""
    for text in words:
        for word in text.split(";"):
            table.play(word.strip())
    return table


QUIET = {
    "place": "pass", "gate": "gate return", "guild": "guild 0", "joust": "joust no",
    "inn": "inn keep", "provost": "provost 0", "produce": "produce first", "owner": "owner first",
    "castle": "castle stop", "exchange": "exchange nothing", "column": "column none",
}  # fmt: skip


def quiet(table: Table, *until: str) -> Table:
    """Let everybody do as little as they can, until one of these is asked or the game is over."""
    while not table.finished and table.decision not in until:
        quiet_word(table)
    return table


def over(table: Table, *words: str) -> Table:
    """Play words, then let everybody do little until the round is over."""
    now = int(table.public.rounds)
    go(table, *words)
    while not table.finished and int(table.public.rounds) == now:
        quiet_word(table)
    return table


def quiet_word(table: Table) -> None:
    """Do as little as the one who is asked can."""
    decision = str(table.decision)
    legal = [action.word for action in table.legal()]
    word = QUIET.get(decision, f"{decision} none")
    table.play(word if word in legal else legal[0])


def words(table: Table, kind: str = "") -> set[str]:
    """Return the legal words, or those that begin so."""
    return {action.word for action in table.legal() if action.word.startswith(kind)}


def roads(table: Table) -> set[int]:
    """Return the road spaces among the legal words."""
    return {int(w.split()[-1]) for w in words(table) if w.split()[-2:-1] == ["road"]}


def illegal(table: Table, word: str) -> bool:
    """Return whether a word is refused and the table left as it is."""
    before = records(table)
    with pytest.raises(IllegalAction):
        table.play(word)
    return records(table) == before


def asked(table: Table) -> tuple[int | None, str | None]:
    """Return who is asked what."""
    return table.to_move, table.decision


def codes(table: Table) -> list[int]:
    """Return the legal actions by number, from the mask in the record."""
    public = table.public
    options, first = int(public.options), FIRST[int(public.decision)]
    return [first + code for code in range(options.bit_length()) if options >> code & 1]


def stroll(table: Table, seed: object) -> Iterator[str]:
    """Play at random to the end; yield the last word before every choice and at the end."""
    rng = random.Random(f"stroll {seed}")
    word = ""
    while not table.finished:
        yield word
        number = rng.choice(codes(table))
        table.play(number)
        word = table.book.actions[number]
    yield word


# -- who has what


def deniers(table: Table) -> list[int]:
    """Return the deniers by seat."""
    found: list[int] = table.public.deniers[: table.players].tolist()
    return found


def points(table: Table) -> list[int]:
    """Return the points by seat, without the final bonus."""
    found: list[int] = table.public.points[: table.players].tolist()
    return found


def workers(table: Table) -> list[int]:
    """Return the workers in the pool by seat."""
    found: list[int] = table.public.workers[: table.players].tolist()
    return found


def held(table: Table, seat: int) -> dict[str, int]:
    """Return the cubes of a seat, by kinds it has."""
    public = table.public
    counts = [*public.cubes[seat].tolist(), int(public.gold[seat])]
    return {kind: count for kind, count in zip(KINDS, counts, strict=True) if count}


def markers(table: Table, seat: int) -> list[int]:
    """Return the columns of a seat on the four lines of favors."""
    found: list[int] = table.public.marker[seat].tolist()
    return found


def parts(table: Table, seat: int) -> list[int]:
    """Return the parts of Dungeon, Walls and Towers that a seat built."""
    found: list[int] = table.public.parts[seat, :3].tolist()
    return found


def tiles_by_number() -> dict[int, str]:
    """Return the ids of all tiles that can lie on the road."""
    return {int(row["tile_no"]): row["id"] for row in rows_of("buildings")}


IDS = tiles_by_number()


def road(table: Table) -> dict[int, str]:
    """Return the ids of the tiles on the road by space."""
    tiles = table.public.tile.tolist()
    return {space: IDS[tile] for space, tile in enumerate(tiles) if tile > 0}


def place_of(table: Table, tile: str) -> int:
    """Return the space of the one tile with this id."""
    (space,) = (space for space, name in road(table).items() if name == tile)
    return space


def owners(table: Table) -> dict[int, int]:
    """Return the owners of tiles on the road by space."""
    return {space: seat for space, seat in enumerate(table.public.owner.tolist()) if seat >= 0}


def supply(table: Table) -> set[str]:
    """Return the ids of the tiles that can be built."""
    return {IDS[tile] for tile in bits(table.public.supply)}


def bits(mask: Any) -> set[int]:
    """Return the numbers of the bits of a mask."""
    return {n for n in range(int(mask).bit_length()) if int(mask) >> n & 1}


def order_of(table: Table) -> list[int]:
    """Return the seats in turn order."""
    found: list[int] = table.public.order[: table.players].tolist()
    return found


def column(table: Table, name: str) -> list[Any]:
    """Return one of the columns of the results by seat."""
    found: list[Any] = table.columns[name]
    return found


# -- what always holds


def face(table: Table) -> SimpleNamespace:
    """Return what lies open as plain numbers by the names of the record, and the columns."""
    public = table.public
    shown = {name: public[name].tolist() for name in public.dtype.names}
    return SimpleNamespace(**shown, columns=table.columns, values=table.book.values)


def check_workers(now: SimpleNamespace) -> None:
    """Demand six workers a player in pool and on board (S8), one of each in castle and stables."""
    queue = now.queue[: now.queued]
    standing = Counter([*now.worker, *now.special, *now.inn, *now.stables, *queue])
    assert [now.workers[s] + standing[s] for s in range(now.players)] == [6] * now.players
    assert len({*queue}) == len(queue)
    circles = [seat for seat in now.stables if seat >= 0]
    assert len({*circles}) == len(circles)


def check_tiles(now: SimpleNamespace) -> None:
    """Demand that each tile is in one place, and as many empty spaces as there must be (S7)."""
    there = bits(now.supply)
    lying = [tile for tile in now.tile if tile in CRAFTS]
    box = CRAFTS - {JEWELLER} | ({JEWELLER} if now.values["jeweller"] else set())
    assert len({*lying}) == len(lying)
    assert there.isdisjoint(lying)
    assert there | {*lying} == box
    built = sum(now.columns["wood_built"]) + sum(now.columns["stone_built"])
    assert now.tile[1:29].count(0) == 19 - built
    neutral = [tile for tile in now.tile if tile in NEUTRAL_NUMBERS]
    assert len({*neutral}) == len(neutral)
    assert (now.tile[7], now.tile[8], now.tile[16]) == (1, 2, 3)


NEUTRAL_NUMBERS, JEWELLER, RESIDENCE = range(4, 10), 27, 28
CRAFTS = {*range(10, RESIDENCE), *range(RESIDENCE + 1, 38)}


# -- boards that several tests use


def shops(folder: Path, stocks: str | Sequence[str] = RICH, **more: Any) -> Table:
    """Return a board with carpenter, mason, lawyer and architect on spaces 1 to 4.

    Everybody is rich; bailiff and provost begin on space 10, so that all neutral tiles, printed
    peddler and carpenter and the first two tiles built are used in the first round. The Dungeon is
    due on space 15.
    """
    more.setdefault("start", 10)
    more.setdefault("castle", triggers(15, 18, 24))
    more["tiles"] = {**WORKSHOPS, **more.get("tiles", {})}
    return board(folder, stocks, **more)


def deliver(table: Table, count: int, batch: str = "castle wood stone") -> Table:
    """Deliver so many batches, and stop if that is asked."""
    seat = table.to_move
    go(table, *[batch] * count)
    if asked(table) == (seat, "castle"):
        go(table, "castle stop")
    return table
