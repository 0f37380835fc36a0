"""What is measured of each game. The next game is an entry here and a C program in `limit/`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from simlab.running.spec import Spec, make_spec

SCALAR_C = "scalar C"  # the row that all others are compared with


@dataclass(frozen=True)
class Case:
    """A line-up in fixed seats, rule set `standard`, whose kernels are timed.

    line_up: strategies by seat; games: played once in each round; programs: C programs that play
    the same games, row of the table -> name of the file in `limit/`; words: what they take after
    N FIRST SEED. asked, aim: games per CPU second on one core; to_c: asked ratio to scalar C.
    """

    game: str
    line_up: tuple[str, ...]
    games: int
    programs: Mapping[str, str] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    asked: int | None = None
    aim: int | None = None
    to_c: float | None = None

    def spec(self) -> Spec:
        """Return the spec that the workers play."""
        return make_spec(self.game, len(self.line_up), list(self.line_up), seats="fixed")

    def title(self) -> str:
        """Return how the tables name the case."""
        same = len(set(self.line_up)) == 1
        who = f"all {self.line_up[0]}" if same else ", ".join(self.line_up)
        return f"{len(self.line_up)} players, {self.games:,} games: {who}"


@dataclass(frozen=True)
class Benchmark:
    """All that is measured of a game.

    cases: the first one is played by whole commands; sizes: games of the shorter and the longer
    run; starts: numbers of players whose usual line-up is started, the last one with an empty cache
    too (none: the first case is). asked_cold, asked_start: CPU seconds of these starts. by_c: what
    is asked of the cases holds where C plays `decisions.C_RATE` games of Diamant, and is scaled.
    decision: most times that a decision of random play may take of one of `decisions.BASE`.
    """

    game: str
    cases: tuple[Case, ...]
    sizes: tuple[int, int]
    starts: tuple[int, ...] = ()
    asked_cold: float | None = None
    asked_start: float | None = None
    by_c: bool = False
    decision: float | None = None


def splendor(strategy: str, players: int, asked: int | None = None, aim: int | None = None) -> Case:
    """Return a case of Splendor with one strategy in every seat; `random` is there in C."""
    return Case(
        "splendor",
        (strategy,) * players,
        games=80_000 // players,
        programs={SCALAR_C: "splendor"} if strategy == "random" else {},
        words=(str(players),),
        asked=asked,
        aim=aim,
        to_c=0.8 if strategy == "random" else None,
    )


def four(game: str, strategy: str, asked: int) -> Case:
    """Return a case of a game with one strategy in all of four seats."""
    return Case(game, (strategy,) * 4, games=20_000, asked=asked)


BENCHMARKS = (
    Benchmark(
        "diamant",
        (
            Case(
                "diamant",
                (
                    "threshold(gems=10)",
                    "threshold(gems=15)",
                    "threshold(gems=20)",
                    "trap_count(traps=2)",
                    "trap_count(traps=3)",
                ),
                games=200_000,
                programs={"scalar C, tuned by hand": "diamant_tuned", SCALAR_C: "diamant"},
            ),
        ),
        sizes=(1_000_000, 10_000_000),
    ),
    Benchmark(
        "splendor",
        (
            splendor("random", 2, asked=60_000, aim=100_000),
            splendor("random", 4, asked=35_000, aim=50_000),
            splendor("greedy_buy", 4, asked=40_000),
        ),
        sizes=(100_000, 1_000_000),
        starts=(2, 3, 4),
        asked_cold=40.0,
        asked_start=1.5,
    ),
    Benchmark(
        "caylus",
        (four("caylus", "random", 4_000), four("caylus", "greedy_value", 2_000)),
        sizes=(20_000, 100_000),
        starts=(2, 3, 4, 5),
        asked_cold=60.0,
        asked_start=3.0,
        by_c=True,
        decision=2.0,
    ),
    Benchmark(
        "collier",
        (four("collier", "random", 8_000),),
        sizes=(50_000, 250_000),
        starts=(2, 3, 4),
        asked_cold=40.0,
        asked_start=2.5,
        by_c=True,
        decision=1.5,
    ),
)
