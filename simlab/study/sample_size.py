"""How many games? From how much deals differ in a pilot (statistics section 8).

For two strategies a deal is played as in their duel; for a line-up every pair of its strategies is
planned from the same deals, each at its part of the level. The pilot's games are far from those of
any run, and nobody keeps them.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from simlab.analysis.planning import (
    Plan,
    SequentialPlan,
    Spread,
    block_spread,
    plan_difference,
    plan_sequence,
)
from simlab.core.parameters import read_whole
from simlab.core.places import looking_in
from simlab.core.quantities import read_difference, read_level
from simlab.errors import UserError
from simlab.running.designs import Blocks
from simlab.running.progress import Progress
from simlab.running.runner import announcer
from simlab.running.sample import sample
from simlab.running.spec import Spec, line_up_of
from simlab.study import duel
from simlab.study.asking import How, Setting, bound_labels, stated
from simlab.study.folder import Part
from simlab.study.outcomes import Chairs, Floats, bounds, check_objective, values
from simlab.study.rule_change import turned

if TYPE_CHECKING:
    import polars as pl

ASK = "sample-size"
DETECT = "0.5%"
POWER = 0.9
PILOT_DEALS = 1000
MOST_PILOT = 100_000
MOST_COMPARISONS = 10**9
FEW_DEALS = 100
"""Planned deals below which the t distribution differs from the normal one."""


@dataclass(frozen=True)
class PairPlan:
    """How many deals one comparison takes.

    a, b: the two strategies; spread: of a deal's difference, A less B; plan: a fixed number of
    deals; until: about how many until a stopping rule says "no difference over the margin" of what
    is to be found, where there is none; None where the range of scores is not known.
    """

    a: str
    b: str
    spread: Spread
    plan: Plan
    until: SequentialPlan | None


@dataclass(frozen=True)
class SampleSize:
    """The answer: how many deals find a difference, for each comparison.

    pairs: the one that takes most first; block: games of a deal; pilot: its deals, 0 where the
    spread was known; parts: none, as no game is kept.
    """

    arguments: dict[str, Any]
    pairs: list[PairPlan]
    objective: str
    detect: float
    power: float
    level: float
    comparisons: int
    players: int
    block: int
    pilot: int
    parts: list[Part] = field(default_factory=list)
    ask: str = field(default=ASK, init=False)

    def summary(self) -> pl.DataFrame:
        """Return one row for each comparison, the one that takes most first."""
        import polars as pl

        whole = dict.fromkeys(("until_deals", "until_games"), pl.Int64)
        return pl.DataFrame([self._row(one) for one in self.pairs], schema_overrides=whole)

    def _row(self, one: PairPlan) -> dict[str, Any]:
        return {
            "a": one.a,
            "b": one.b,
            "detect": self.detect,
            "power": self.power,
            "level": self.level,
            "comparisons": self.comparisons,
            "sd": one.spread.sd,
            "factor": one.plan.factor,
            "deals": one.plan.units,
            "games": one.plan.games,
            "until_deals": None if one.until is None else one.until.to_no_difference,
            "until_games": None if one.until is None else one.until.games,
        }


@dataclass(frozen=True)
class Asking:
    """A plan that was checked and can be made.

    pairs: names and chairs of A and of B; width: of the range of a deal's difference, None where
    the range of scores is not known.
    """

    spec: Spec
    arguments: dict[str, Any]
    pairs: list[tuple[str, str, Chairs, Chairs]]
    objective: str
    detect: float
    power: float
    level: float
    comparisons: int
    width: float | None
    deals: int

    def play(self, how: How) -> SampleSize:
        """Play the pilot and return the plan; no folder is written.

        Raises StrategyError or RulesError where something fails in the pilot's games.
        """
        progress = Progress(self.deals * self.spec.design.block, how.quiet)
        try:
            with looking_in(self.spec.places or None):
                rows = sample(self.spec, self.deals, announcer(progress))
        finally:
            progress.close()
        found = values(rows, self.spec.players, self.objective)
        return self.plan([self._spread(found, a, b) for _, _, a, b in self.pairs], self.deals)

    def _spread(self, found: Floats, a: Chairs, b: Chairs) -> Spread:
        """Return how much the deals of the pilot differ; outcomes as `values` gives them."""
        return block_spread(a.means(found) - b.means(found), self.width)

    def plan(self, spreads: Sequence[Spread], pilot: int = 0) -> SampleSize:
        """Return the plan for the spread of each pair; pilot: deals that it comes from."""
        made = [
            PairPlan(a, b, spread, self._fixed(spread), self._until(spread))
            for (a, b, _, _), spread in zip(self.pairs, spreads, strict=True)
        ]
        made.sort(key=lambda one: -one.plan.units)
        return SampleSize(
            self.arguments, made, self.objective, self.detect, self.power, self.level,
            self.comparisons, self.spec.players, self.spec.design.block, pilot,
        )  # fmt: skip

    def _fixed(self, spread: Spread) -> Plan:
        """Return the plan for a fixed number of deals, by the t test itself where they are few."""

        def plan(exact: bool) -> Plan:
            return plan_difference(
                spread, self.detect, level=self.level, power=self.power,
                comparisons=self.comparisons, block_games=self.spec.design.block, exact=exact,
            )  # fmt: skip

        usual = plan(exact=False)
        return plan(exact=True) if usual.units < FEW_DEALS else usual

    def _until(self, spread: Spread) -> SequentialPlan | None:
        if self.width is None:
            return None
        return plan_sequence(
            spread, self.detect, self.width, level=self.level, comparisons=self.comparisons,
            block_games=self.spec.design.block,
        )  # fmt: skip


def asking(
    game: str,
    *,
    detect: object = None,
    a: object = None,
    b: object = None,
    lineup: Any = None,
    players: object = None,
    power: object = POWER,
    confidence: object = 0.95,
    comparisons: object = None,
    objective: str = "win",
    score_range: Any = None,
    pilot: object = PILOT_DEALS,
    rules: str = "standard",
    set: Mapping[str, Any] | None = None,
    seed: int = 1,
    question: str = "",
) -> Asking:
    """Check a plan and return it; UserError for anything that cannot be right.

    detect: the true difference to be found, a share of wins ("0.5%") or in the objective's units;
    a, b: two strategies, else all pairs of the line-up (default: the game's own); power: with
    which it is found; confidence: level of all comparisons together; comparisons: how many, by
    default as many as pairs; score_range: least and largest score, where the game declares none;
    pilot: deals.
    """
    setting = Setting.of(game, players, rules, set, seed)
    check_objective(objective)
    if detect is None and objective != "win":
        raise UserError(f"say which difference in {objective} is to be found: --detect 1.")
    wanted = read_difference(DETECT if detect is None else detect, "--detect", objective)
    level = read_level(confidence)
    sure = read_level(power, "--power", 0)
    deals = read_whole(pilot, "--pilot", 2, MOST_PILOT)
    if (a is None) != (b is None):
        raise UserError("a sample size for two strategies needs both, A and B; one is missing.")
    spec, said, pairs = _line_up(setting, lineup) if a is None else _duel(setting, a, b, lineup)
    count = len(pairs)
    if comparisons is not None:
        count = read_whole(comparisons, "--comparisons", 1, MOST_COMPARISONS)
    by_score = objective in ("score", "margin")
    wide = duel.read_score_range(score_range, setting) if by_score else None
    arguments = {
        "detect": wanted,
        "power": sure if sure != POWER else None,
        "confidence": level if level != 0.95 else None,
        "comparisons": count if comparisons is not None else None,
        "objective": objective if objective != "win" else None,
        "score_range": list(wide) if wide and score_range is not None else None,
        "pilot": deals if deals != PILOT_DEALS else None,
    }
    asked_for = stated(question, setting.words(), said, arguments)
    width = _width(objective, setting.players, wide)
    if width is not None and wanted >= width / 2:
        raise UserError(
            f"--detect is {wanted:g}; a difference this large is not possible, the largest is "
            f"{width / 2:g}."
        )
    asked = Asking(spec, asked_for, pairs, objective, wanted, sure, level, count, width, deals)
    asked.plan([Spread(1.0)] * len(pairs))  # what no plan can be made for is said before the pilot
    return asked


def _duel(
    setting: Setting, a: object, b: object, lineup: Any
) -> tuple[Spec, dict[str, Any], list[tuple[str, str, Chairs, Chairs]]]:
    """Return the design of the duel of A and B, and their one comparison."""
    if lineup is not None:
        raise UserError("--lineup stands beside A and B; give one or the other.")
    asked = duel.asking(
        setting.game.name, a, b, players=setting.players, rules=setting.book.rule_set,
        set=setting.changes, seed=setting.seed,
    )  # fmt: skip
    first, second = asked.arguments["a"], asked.arguments["b"]
    if first == second:
        raise UserError(f"A and B are both {first}; name two strategies that differ.")
    chairs = duel.pair_of(asked.spec.design.document())
    return asked.spec, {"a": first, "b": second}, [(first, second, *chairs)]


def _line_up(
    setting: Setting, lineup: Any
) -> tuple[Spec, dict[str, Any], list[tuple[str, str, Chairs, Chairs]]]:
    """Return the design in which a line-up is turned through the seats, and all its pairs."""
    line_up = line_up_of(setting.game, setting.players, lineup)
    labels = bound_labels(line_up)
    names = list(dict.fromkeys(labels))
    if len(names) < 2:
        raise UserError(f"the line-up has one strategy, {names[0]}; a comparison needs at least 2.")
    blocks = turned(labels)
    spec = setting.spec(line_up, Blocks(blocks))
    chairs = {
        name: Chairs(blocks, {at for at, label in enumerate(labels) if label == name})
        for name in names
    }
    pairs = [(a, b, chairs[a], chairs[b]) for a, b in itertools.combinations(names, 2)]
    return spec, {"lineup": labels} if spec.line_up_words() else {}, pairs


def _width(objective: str, players: int, wide: tuple[float, float] | None) -> float | None:
    """Return the width of the range of a deal's difference; None where it is not known."""
    if objective in ("score", "margin") and wide is None:
        return None
    low, high = bounds(objective, players, wide)
    return high - low


__all__ = ["ASK", "Asking", "PairPlan", "SampleSize", "asking"]
