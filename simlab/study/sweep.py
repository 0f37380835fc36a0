"""Which parameter? One strategy tried at many points on the same deals (statistics section 8).

The points of the grid play the same deals, each from every chair in turn, the other seats held by
the same others; each number of players has games, a band and a best region of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from simlab.analysis import sweeps
from simlab.analysis.corrections import each_level
from simlab.analysis.estimates import CONSTANT, constant_interval
from simlab.analysis.sums import BUCKETS
from simlab.core.parameters import read_whole
from simlab.core.quantities import read_level, read_wholes
from simlab.core.registry import bind_usual
from simlab.core.strategy import Bound
from simlab.core.twin import digest
from simlab.errors import UserError
from simlab.running import runner
from simlab.running.designs import Blocks, rotations
from simlab.running.plan import Span
from simlab.running.spec import Spec, check_names, document_hash, field_of
from simlab.study.asking import MOST_GAMES, How, Setting, bound_labels, keep, order, play, stated
from simlab.study.folder import Part, StudyFile, claimed, other_question, part_of, unfinished
from simlab.study.outcomes import check_objective, deal_numbers, values
from simlab.study.varying import Grid, Point, read_grid

if TYPE_CHECKING:
    import polars as pl

ASK = "sweep"
LEAST_DEALS = 30
USUAL_DEALS = 200
USUAL_GAMES = 100_000
MAY_CHANGE = ("players", "n", "objective", "confidence", "question")
"""Arguments that may change while the rows of a folder stay of use."""


@dataclass(frozen=True)
class Curve:
    """The sweep with one number of players.

    found: its points in the order of the grid, with band and best region; others: who held the
    other seats; games: in all, of all points; truncated: of these, stopped by a cap.
    """

    players: int
    found: sweeps.Sweep
    others: list[str]
    deals: int
    games: int
    truncated: int


@dataclass(frozen=True)
class Sweep:
    """The answer of a sweep; estimates in the units of the objective, shares in [0, 1].

    parameters: what was varied, as said; points: their values at each point of the grid;
    strategies: the strategy of each point; curves: one for each number of players, ascending.
    """

    arguments: dict[str, Any]
    parts: list[Part]
    parameters: list[str]
    points: list[Point]
    strategies: list[str]
    objective: str
    level: float
    curves: list[Curve]
    ask: str = field(default=ASK, init=False)

    @property
    def deals(self) -> int:
        """Deals in all, summed over the numbers of players."""
        return sum(curve.deals for curve in self.curves)

    @property
    def games(self) -> int:
        """Games in all."""
        return sum(curve.games for curve in self.curves)

    @property
    def truncated(self) -> int:
        """Games that a cap stopped."""
        return sum(curve.truncated for curve in self.curves)

    def curve(self, players: int | None = None) -> Curve:
        """Return the sweep with so many players; None: the fewest. UserError if there is none."""
        by_players = {curve.players: curve for curve in self.curves}
        found = by_players.get(self.curves[0].players if players is None else players)
        if found is None:
            known = ", ".join(map(str, by_players))
            raise UserError(f"players is {players}; this sweep was played with {known}.")
        return found

    def best(self, players: int | None = None) -> dict[str, Any]:
        """Return the row of `summary` with the best estimate; players: None is the fewest."""
        return self._row(found := self.curve(players), found.found.best)

    def _row(self, curve: Curve, at: int) -> dict[str, Any]:
        point = curve.found.points[at]
        return {
            **dict(zip(self.parameters, self.points[at], strict=True)),
            "players": curve.players,
            "estimate": point.estimate.estimate,
            "low": point.estimate.low,
            "high": point.estimate.high,
            "kept": point.kept,
            "could_lose": point.could_lose,
            "games": curve.deals * curve.players,
            "deals": curve.deals,
        }

    def summary(self) -> pl.DataFrame:
        """Return one row for each number of players and point, in the order of the grid."""
        import polars as pl

        rows = [self._row(c, at) for c in self.curves for at in range(len(self.points))]
        numbers = dict.fromkeys(("estimate", "low", "high", "could_lose"), pl.Float64)
        return pl.DataFrame(rows, schema_overrides=numbers, infer_schema_length=None)

    def details(self) -> dict[str, Any]:
        """Return what `--json` says besides the summary."""
        return {
            "objective": self.objective,
            "level": self.level,
            "best": [self.best(curve.players) for curve in self.curves],
            "others": {str(curve.players): curve.others for curve in self.curves},
            "games": self.games,
            "truncated": self.truncated,
        }


@dataclass(frozen=True)
class Asking:
    """A sweep that was checked and can be played; specs: one for each number of players."""

    specs: list[Spec]
    arguments: dict[str, Any]

    def play(self, how: How) -> Path:
        """Play the games of all numbers of players; return the folder."""
        if len(self.specs) == 1:
            folder = self._play(self.specs[0], how.out, how)
            keep(folder, StudyFile(ASK, self.arguments))
            return folder
        names = [f"players-{spec.players}" for spec in self.specs]
        folder = how.out or self._usual_folder()
        file = StudyFile(ASK, self.arguments, names)
        same = _by_values(file)
        with claimed(
            folder, how.force, lambda old: other_question(_by_values(old), same, MAY_CHANGE)
        ):
            keep(folder, file)
            for spec, name in zip(self.specs, names, strict=True):
                self._play(spec, folder / name, how)
        return folder

    def _play(self, spec: Spec, folder: Path | None, how: How) -> Path:
        block = spec.design.block
        games = Span(0, block * deals_of(self.arguments.get("n"), block))
        return play(order(spec, folder, games, how, ASK, self.arguments), how).folder

    def _usual_folder(self) -> Path:
        """Return the folder of several numbers of players, named by all that decides the rows."""
        name = digest(*(document_hash(spec.document()) for spec in self.specs))[:10]
        counts = f"{self.specs[0].players}-{self.specs[-1].players}p"
        return runner.RESULTS / f"{ASK}-{self.specs[0].game.name}-{counts}-{name}"


def _by_values(file: StudyFile) -> StudyFile:
    """Return a question with the values that it varies in place of how they were written."""
    if file.ask != ASK:
        return file
    grid = read_grid(file.arguments["vary"])
    values = [(one.name, list(one.values)) for one in grid.varied]
    return replace(file, arguments={**file.arguments, "vary": values})


def asking(
    game: str,
    *,
    vary: Any,
    against: Any = None,
    players: object = None,
    n: object = None,
    objective: str = "win",
    confidence: object = 0.95,
    score_range: object = None,
    rules: str = "standard",
    set: Mapping[str, Any] | None = None,
    seed: int = 1,
    question: str = "",
) -> Asking:
    """Check a sweep and return it; UserError for what cannot be right (see `simlab.sweep`).

    vary: see `read_grid`. against: who holds the other seats; None: the game's default line-up
    without the strategy that is varied, whatever its values. players: one number or several, such
    as "3:8". n: games for each number of players, made up to whole deals and at least 30 of them;
    None: 100,000, or 200 deals where these are more. score_range: of no use, nothing stops early.
    """
    grid = read_grid(vary)
    counts: Sequence[int | None] = [None]
    if players is not None:
        counts = sorted(read_wholes(players, "--players", 1))
    settings = [Setting.of(game, count, rules, set, seed) for count in counts]
    check_objective(objective)
    level = read_level(confidence)
    games = None if n is None else read_whole(n, "--n", 1, MOST_GAMES)
    points = grid.bound(settings[0].game)
    specs = [_spec(setting, points, against, objective) for setting in settings]
    texts = [vary] if isinstance(vary, str) else vary
    others = None if against is None else bound_labels(field_of(settings[0].game, against))
    counts = [setting.players for setting in settings]
    arguments = {
        "players": counts if len(counts) > 1 else counts[0],
        "vary": [text.strip() for text in texts],
        "against": others,
        "n": games,
        "objective": objective if objective != "win" else None,
        "confidence": level if level != 0.95 else None,
    }
    return Asking(specs, stated(question, settings[0].words(), arguments))


def _spec(setting: Setting, points: list[Bound], against: Any, objective: str) -> Spec:
    """Return the games with one number of players: each point from every chair of a deal."""
    if setting.players == 1 and (objective != "score" or against is not None):
        raise UserError(
            "with 1 player there is nobody else to be compared with; leave --against out and ask "
            "for --objective score."
        )
    usual = [bind_usual(setting.game, spec) for spec in setting.game.line_up(setting.players)]
    own = [bound for bound in usual if bound.strategy.function is points[0].strategy.function]
    others = setting.others(against, setting.players - 1, own)
    check_names([*points, *others])
    seats = range(len(points), len(points) + len(others))
    seated = [turn for at in range(len(points)) for turn in rotations((at, *seats))]
    return setting.spec([*points, *others], Blocks(tuple(seated)))


def deals_of(n: int | None, block: int) -> int:
    """Return the deals of n games, `block` of them on each; None: as many as is usual."""
    if n is None:
        n = max(USUAL_GAMES, USUAL_DEALS * block)
    return max(LEAST_DEALS, -(-n // block))


def read(folder: Path, file: StudyFile) -> Sweep:
    """Return the answer of a sweep, worked out from its rows."""
    arguments = file.arguments
    grid = read_grid(arguments["vary"])
    objective, level = arguments.get("objective", "win"), arguments.get("confidence", 0.95)
    parts, curves = [], []
    for name in file.parts:
        part = part_of(folder / name)
        block = len(part.spec["design"]["blocks"])
        wanted = Span(0, block * deals_of(arguments.get("n"), block))
        if part.span.first > wanted.first or part.span.end < wanted.end:
            raise unfinished(folder)
        parts.append(replace(part, span=wanted))
        curves.append(_curve(parts[-1], grid, objective, level))
    strategies = parts[0].spec["line_up"][: len(grid.points)]
    return Sweep(arguments, parts, grid.names, grid.points, strategies, objective, level, curves)


def _curve(part: Part, grid: Grid, objective: str, level: float) -> Curve:
    """Return what the rows of one number of players say."""
    points = grid.points
    sums = _Sums(part.spec["design"]["blocks"], len(points), objective)
    column = {"win": "win", "rank": "rank"}.get(objective, "score")
    for rows in part.frames(["deal", column, "end_reason"]):
        sums.add(rows)
    found = sweeps.sweep(
        [point[0] if len(point) == 1 else point for point in points],
        *sums.units(),
        is_share=objective == "win",
        larger=objective != "rank",
        level=level,
    )
    deals = int(sums.deals.sum())
    return Curve(
        part.players,
        replace(found, points=[_by_deals(point, deals, len(points)) for point in found.points]),
        part.spec["line_up"][len(points) :],
        deals,
        part.span.games,
        sums.truncated,
    )


def _by_deals(point: sweeps.Point, deals: int, points: int) -> sweeps.Point:
    """Return a point that always won or never did with the interval of its deals, not buckets."""
    found = point.estimate
    if found.method != CONSTANT or found.estimate not in (0.0, 1.0):
        return point
    low, high = constant_interval(found.estimate, deals, each_level(found.level, points))
    note = f"no variation in {deals} units"
    return replace(point, estimate=replace(found, low=low, high=high, units=deals, note=note))


class _Sums:
    """Outcomes of all points by bucket of deals; what is kept does not grow with the games."""

    def __init__(self, blocks: Sequence[Sequence[int]], points: int, objective: str) -> None:
        seated = np.array(blocks)
        self.block, self.players = seated.shape
        self.objective = objective
        self._chairs = np.array([np.flatnonzero(seated == point) for point in range(points)])
        self._totals = np.zeros((BUCKETS, points))
        self.deals = np.zeros(BUCKETS, np.int64)
        self.truncated = 0

    def add(self, rows: pl.DataFrame) -> None:
        """Add rows of whole deals."""
        found = values(rows, self.players, self.objective).reshape(-1, self.block * self.players)
        totals = sum(found[:, chairs] for chairs in self._chairs.T)
        buckets = deal_numbers(rows, self.block, self.players) % BUCKETS
        np.add.at(self._totals, buckets, totals)
        self.deals += np.bincount(buckets, minlength=BUCKETS)
        self.truncated += int((rows["end_reason"] == "truncated").sum()) // self.players

    def units(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return appearances and outcomes of the units, each [U, points]."""
        there = self.deals > 0
        seats = self._chairs.shape[1] * self.deals[there]
        return np.repeat(seats[:, None], len(self._chairs), axis=1), self._totals[there]


__all__ = ["ASK", "Asking", "Curve", "Sweep", "asking", "deals_of", "read"]
