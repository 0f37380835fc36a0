"""Is A better than B? Paired on shared deals, until it is settled (statistics sections 2 and 3).

With two seats both seatings of each deal are played. With more, A and B sit in the same chair of
the same deal, every chair in turn, the others staying; or both at one table.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.analysis.estimates import Estimate, mean, share
from simlab.analysis.paired import Difference, PairSums, difference
from simlab.analysis.planning import block_spread
from simlab.analysis.reduction import BlockSums, Reduction
from simlab.analysis.sequence import ConfidenceSequence, best_variance, tuned_rho
from simlab.analysis.stopping import Verdict, compare, gate
from simlab.analysis.sums import UnitSums
from simlab.analysis.tables import BOUNDS_FROM
from simlab.core.parameters import read_whole
from simlab.core.quantities import read_difference, read_level, read_span
from simlab.core.strategy import Bound
from simlab.errors import UserError
from simlab.running.designs import Blocks, rotations
from simlab.running.plan import Span
from simlab.running.sample import sample
from simlab.running.spec import Spec
from simlab.study.asking import MOST_GAMES, How, Setting, bound_labels, keep, order, play, stated
from simlab.study.folder import Part, StudyFile, part_of, unfinished
from simlab.study.outcomes import (
    Chairs,
    Floats,
    bounds,
    check_objective,
    check_scores,
    deal_numbers,
    values,
)
from simlab.study.stops import Asked, Look, Stop

if TYPE_CHECKING:
    import polars as pl

ASK = "duel"
MARGIN = 0.005
MOST = 10_000_000
PILOT_DEALS = 512
A, B = 0, 1


@dataclass(frozen=True)
class Duel:
    """The answer of a duel: A minus B, so that above 0 A is better (of ranks, too).

    estimate: valid at any stop; fixed: what a fixed number of deals would say; shares: win share
    and score of A and of B; reduction: what pairing bought; looks: what was said at each look;
    win_bounds: the difference of win shares if A had lost and B won all truncated games, and the
    other way round; None where few are truncated.
    """

    arguments: dict[str, Any]
    parts: list[Part]
    a: str
    b: str
    objective: str
    estimate: Estimate
    p: float
    verdict: Verdict
    margin: float | None
    fixed: Difference
    shares: list[tuple[str, Estimate, Estimate]]
    reduction: Reduction
    looks: list[Look]
    deals: int
    games: int
    truncated: int
    win_bounds: tuple[float, float] | None
    ask: str = field(default=ASK, init=False)

    def summary(self) -> pl.DataFrame:
        """Return the answer as a frame of one row."""
        import polars as pl

        return pl.DataFrame(
            [
                {
                    "estimate": self.estimate.estimate,
                    "low": self.estimate.low,
                    "high": self.estimate.high,
                    "verdict": self.verdict.claim,
                    "a": self.a,
                    "b": self.b,
                    "objective": self.objective,
                    "p": self.p,
                    "margin": self.margin,
                    "deals": self.deals,
                    "games": self.games,
                    "level": self.estimate.level,
                    "method": self.estimate.method,
                }
            ],
            schema_overrides={"margin": pl.Float64},
        )

    def path(self) -> pl.DataFrame:
        """Return one row for each look: deals, games, and what was said then."""
        import polars as pl

        block = self.games // self.deals
        rows = [{"deals": n, "games": n * block, "estimate": m, "low": low, "high": high}
                for n, m, low, high in self.looks]  # fmt: skip
        return pl.DataFrame(rows)

    def share_frame(self) -> pl.DataFrame:
        """Return win shares and scores of A and of B, each with its own interval."""
        import polars as pl

        rows = [
            {
                "strategy": name,
                "games": won.games,
                "win_share": won.estimate,
                "win_share_low": won.low,
                "win_share_high": won.high,
                "score_mean": scored.estimate,
                "score_low": scored.low,
                "score_high": scored.high,
            }
            for name, won, scored in self.shares
        ]
        return pl.DataFrame(rows)

    def details(self) -> dict[str, Any]:
        """Return what `--json` has beyond the summary: shares, and what pairing bought."""
        factor, games = self.reduction.factor, self.reduction.equivalent_games
        return {
            "shares": self.share_frame().to_dicts(),
            "variance_reduction": {
                "estimate": _finite(factor.estimate),
                "low": _finite(factor.low),
                "high": _finite(factor.high),
                "equivalent_games": _finite(games),
            },
        }

    @property
    def exit_code(self) -> int:
        """What a gate ends with: 0, 10 or 11."""
        return {"FAIL": 10, "INCONCLUSIVE": 11}.get(self.verdict.claim, 0)


def _finite(value: float | None) -> float | None:
    """Return a number that JSON can hold; an infinite one, where nothing varied, is none."""
    return value if value is not None and math.isfinite(value) else None


@dataclass(frozen=True)
class Asking:
    """A duel that was checked and can be played."""

    spec: Spec
    arguments: dict[str, Any]
    deals: int

    def play(self, how: How) -> Path:
        """Play until it is settled; return the folder."""
        block = self.spec.design.block
        sd = pilot(self.spec, self.arguments)
        stop = rule(self.arguments, self.spec.design.document(), self.spec.players, sd, self.deals)
        asked = order(
            self.spec, how.out, Span(0, self.deals * block), how, ASK, self.arguments, stop
        )
        done = play(asked, how)
        keep(done.folder, StudyFile(ASK, self.arguments, notes={"pilot_sd": sd}))
        return done.folder


def asking(
    game: str,
    a: object,
    b: object,
    *,
    players: object = None,
    against: Any = None,
    together: bool = False,
    objective: str = "win",
    score_range: Any = None,
    margin: object = None,
    confidence: object = 0.95,
    max: object = MOST,
    gate: bool = False,
    rules: str = "standard",
    set: Mapping[str, Any] | None = None,
    seed: int = 1,
    question: str = "",
) -> Asking:
    """Check a duel and return it; UserError for anything that cannot be right (see `simlab.duel`).

    margin: default 0.5 % of win share, none for other objectives.
    """
    setting = Setting.of(game, players, rules, set, seed)
    check_objective(objective)
    first, second = setting.strategy(a, "A"), setting.strategy(b, "B")
    shared = setting.players == 2 or bool(together)
    if setting.players == 1:
        raise UserError("a duel needs at least 2 seats; compare scores with simlab run instead.")
    others = _others(setting, against, shared, (first, second))
    design = Blocks(_arrangements(setting.players, shared))
    spec = setting.spec([first, second, *others], design)
    wide = read_score_range(score_range, setting) if objective in ("score", "margin") else None
    bounds(objective, setting.players, wide)
    level = read_level(confidence)
    said = _margin(margin, objective, gate)
    games = read_whole(max, "--max", 1, MOST_GAMES)
    if games < design.block:
        raise UserError(
            f"--max is {games}, but one deal of this duel takes {design.block} games; allow at "
            "least as many."
        )
    arguments = {
        "a": first.label,
        "b": second.label,
        "against": bound_labels(others) or None,
        "together": (bool(together) and setting.players > 2) or None,
        "objective": objective if objective != "win" else None,
        "score_range": list(wide) if wide else None,
        "margin": said,
        "confidence": level if level != 0.95 else None,
        "max": games if games != MOST else None,
        "gate": gate or None,
    }
    return Asking(spec, stated(question, setting.words(), arguments), games // design.block)


def _others(setting: Setting, against: Any, shared: bool, pair: tuple[Bound, Bound]) -> list[Bound]:
    """Return who holds the other seats."""
    count = setting.players - (2 if shared else 1)
    if count == 0:
        if against is not None:
            raise UserError("--against names others, but A and B hold both seats.")
        return []
    return setting.others(against, count, pair)


def _arrangements(players: int, shared: bool) -> tuple[tuple[int, ...], ...]:
    """Return the games of a deal: entry 0 is A, entry 1 is B, the others follow."""
    others = tuple(range(2, players + 1))
    if not shared:
        return rotations((A, *others)) + rotations((B, *others))
    rest = others[: players - 2]
    if players == 2:
        return rotations((A, B))
    return rotations((A, B, *rest)) + rotations((B, A, *rest))


def _margin(given: object, objective: str, gated: bool) -> float | None:
    if given is None:
        if gated and objective != "win":
            raise UserError(
                f"--gate needs a margin: the largest loss in {objective} that would do, such as "
                "--margin 0.5."
            )
        return MARGIN if objective == "win" else None
    return read_difference(given, "--margin", objective)


def read_score_range(given: Any, setting: Setting) -> tuple[float, float] | None:
    """Return the range of scores: as given, or what the game declares; None if it does not."""
    if given is None:
        declared = setting.game.score_range
        return None if declared is None else declared(setting.book, setting.players)
    return read_span(given, "--score-range")


def pilot(spec: Spec, arguments: Mapping[str, Any]) -> float:
    """Return the standard deviation of a deal's difference, from deals outside the run."""
    objective = arguments.get("objective", "win")
    rows = sample(spec, PILOT_DEALS)
    check_scores(rows, arguments.get("score_range"))
    chairs = pair_of(spec.design.document())
    low, high = bounds(objective, spec.players, arguments.get("score_range"))
    return block_spread(_apart(rows, spec.players, objective, chairs), high - low).sd


def pair_of(design: Any) -> tuple[Chairs, Chairs]:
    """Return the chairs of A and of B in the games of a deal."""
    return Chairs(design["blocks"], A), Chairs(design["blocks"], B)


def _apart(
    rows: pl.DataFrame, players: int, objective: str, chairs: tuple[Chairs, Chairs]
) -> Floats:
    """Return A's mean less B's in each deal, the other way round for ranks, float64 [U]."""
    found = values(rows, players, objective)
    apart = chairs[A].means(found) - chairs[B].means(found)
    return np.asarray(-apart if objective == "rank" else apart)


def rule(arguments: Mapping[str, Any], design: Any, players: int, sd: float, deals: int) -> Stop:
    """Return the stopping rule of a duel before its first look."""
    objective = arguments.get("objective", "win")
    margin, level = arguments.get("margin"), arguments.get("confidence", 0.95)
    low, high = bounds(objective, players, arguments.get("score_range"))
    chairs = pair_of(design)
    rho = tuned_rho(best_variance(high - low, sd, margin, deals), level)
    sequence = ConfidenceSequence(low, high, rho, level)

    def judge(found: Sequence[ConfidenceSequence], last: bool) -> Verdict | None:
        ends = found[0].interval()
        if arguments.get("gate"):
            assert margin is not None
            return gate(*ends, margin, last)
        return compare(*ends, margin, last)

    def apart(rows: pl.DataFrame) -> Floats:
        check_scores(rows, arguments.get("score_range"))
        return _apart(rows, players, objective, chairs).reshape(-1, 1)

    asked = Asked(
        apart,
        (f"{arguments['a']} - {arguments['b']}",),
        judge,
        percent=objective == "win",
    )
    return Stop(asked, [sequence], len(design["blocks"]), 0, deals)


def _names(spec: Mapping[str, Any]) -> tuple[str, str]:
    """Return what A and B are called: in full where they are one strategy set differently."""
    short, full = spec["line_up"], spec["line_up_full"]
    same = short[A].partition("(")[0] == short[B].partition("(")[0] and full[A] != full[B]
    return (full[A], full[B]) if same else (short[A], short[B])


def read(folder: Path, file: StudyFile) -> Duel:
    """Return the answer of a duel, worked out from its rows."""
    whole = part_of(folder)
    arguments, design, players = file.arguments, whole.spec["design"], whole.players
    block = len(design["blocks"])
    deals = arguments.get("max", MOST) // block
    part = part_of(folder, end=deals * block, verify=False)
    objective = arguments.get("objective", "win")
    stop = rule(arguments, design, players, file.notes["pilot_sd"], deals)
    sums = _Sums(design, objective, players, bool(arguments.get("together")) or players == 2)
    for rows in part.frames(["game", "deal", "win", "score", "rank", "end_reason"]):
        end = stop.take(rows)
        sums.add(rows if end is None else rows.filter(rows["game"] < end))
        if end is not None:
            break
    if stop.verdict is None:
        raise unfinished(folder)
    level = stop.sequences[0].level
    names = _names(part.spec)
    return Duel(
        arguments,
        [part_of(folder, end=stop.games, verify=False)],
        *names,
        objective,
        stop.sequences[0].estimate(stop.games),
        stop.sequences[0].p,
        stop.verdict,
        arguments.get("margin"),
        sums.difference(level),
        sums.shares(names, level),
        sums.blocks.reduction(level),
        stop.looks[0],
        stop.end_deal,
        stop.games,
        sums.truncated,
        sums.win_bounds(),
    )


class _Sums:
    """What is said of a duel besides its verdict, added up deal by deal."""

    def __init__(self, design: Any, objective: str, players: int, together: bool) -> None:
        self.block, self.players, self.objective = len(design["blocks"]), players, objective
        self.chairs = pair_of(design)
        self.blocks = BlockSums(len(self.chairs[A].games), together)
        self._pair = PairSums()
        self._sums = {(who, what): UnitSums() for who in (A, B) for what in ("win", "score")}
        self.games = self.truncated = 0
        self._seats = np.zeros((2, 3))  # of A and B: held, in truncated games, wins in those

    def add(self, rows: pl.DataFrame) -> None:
        """Add rows of whole deals."""
        if rows.is_empty():
            return
        found = values(rows, self.players, self.objective)
        if self.objective == "rank":
            found = -found  # the smaller the better
        counts = [np.full(len(found) // self.block, chairs.count) for chairs in self.chairs]
        totals = [chairs.totals(found) for chairs in self.chairs]
        self._pair.add(counts[A], totals[A], counts[B], totals[B])
        numbers = deal_numbers(rows, self.block, self.players)
        self.blocks.add(numbers, self.chairs[A].by_game(found), self.chairs[B].by_game(found))
        for (who, what), sums in self._sums.items():
            sums.add(counts[who], self.chairs[who].totals(values(rows, self.players, what)))
        cut = (rows["end_reason"] == "truncated").to_numpy().reshape(-1, self.players)
        self.games += len(cut)
        self.truncated += int(cut[:, 0].sum())
        won = np.where(cut, values(rows, self.players, "win"), 0.0)
        for who, chairs in enumerate(self.chairs):
            there = chairs.totals(cut.astype(np.float64)).sum()
            self._seats[who] += counts[who].sum(), there, chairs.totals(won).sum()

    def win_bounds(self) -> tuple[float, float] | None:
        """Return A minus B with all truncated games lost to A and won by B, and turned round."""
        held, cut, cut_wins = self._seats.T
        if not self.truncated > BOUNDS_FROM * self.games:
            return None
        won = np.array([self._sums[who, "win"].by_appearances().total.sum() for who in (A, B)])
        lost, gained = (won - cut_wins) / held, (won - cut_wins + cut) / held
        return float(lost[A] - gained[B]), float(gained[A] - lost[B])

    def difference(self, level: float) -> Difference:
        """Return A minus B as a fixed number of deals would have it."""
        limit = 1.0 if self.objective == "win" else None
        return difference(self._pair, level, limit)

    def shares(self, names: tuple[str, str], level: float) -> list[tuple[str, Estimate, Estimate]]:
        """Return win share and score of A and of B."""
        return [
            (
                names[who],
                share(self._sums[who, "win"], level),
                mean(self._sums[who, "score"], level),
            )
            for who in (A, B)
        ]


__all__ = ["ASK", "Asking", "Duel", "asking", "pilot", "read", "read_score_range"]
