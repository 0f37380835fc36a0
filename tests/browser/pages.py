"""One page of each kind that is registered, and pages with hard content, from small runs."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import simlab
from simlab.api import Run
from simlab.reporting.sections import RUN, Report, kinds

LINE_UP = ["risk_limit", "threshold(gems=12)", "random", "fixed_depth"]
SCRIPT = "<script>alert(1)</script>"
ODD = [SCRIPT, '"><img src=x onerror=alert(2)>', "$x_1$ & </td></table>", "{{ 7 * 7 }}\u202e"]
LONG = ["n" * 200, "long " * 40, f"threshold(gems={'1' * 184})", "\u6f22" * 200]
FORTY = [f"threshold(gems={gems})" for gems in range(2, 43) if gems != 15]  # which is usual
GAME = 7
OWN = '''"""A script of one's own."""

import polars as pl
from matplotlib.figure import Figure
from simlab import report_section


@report_section("Values of all sorts")
def values(run):
    """<script>alert(3)</script>"""
    return pl.DataFrame({
        "name": ["<b>bold</b>", 'a "quoted", word', "two\\nlines", "", None, "last", "least"],
        "share, %": [1.5, None, float("nan"), float("inf"), -float("inf"), 1.25, -1e-9],
        "count": [10, 9, None, 1_000_000, -1, 0, -2],
        "more": ["x10", "x9", None, "", "{1}", "a word that goes on " * 9, "x"],
    })


@report_section("A figure of one's own, small and dense")
def drawn(run):
    """Neither is in the house style."""
    figures = [Figure(), Figure()]
    for figure, points in zip(figures, (10, 20_000)):
        figure.subplots().plot(range(points), [at % 7 for at in range(points)], "o")
    return figures
'''

EXAMPLES = {
    "run": "diamant",
    "replay": "diamant",
    "duel": "duel",
    "tournament": "tournament",
    "sweep": "sweep",
    "compare-rules": "rule_change",
    "sample-size": "sample_size",
}
"""What a page can be about -> the example here that it is made of."""
OF_KIND = {"card-value": "splendor"}
"""Kind of page -> its example, where that of its subject has nothing for it."""


@dataclasses.dataclass(frozen=True)
class Page:
    """A page to look at. runs: those that it shows, one after another; none for an answer."""

    path: Path
    runs: tuple[Run, ...] = dataclasses.field(default=(), repr=False)


def wanted() -> dict[str, tuple[Report, str]]:
    """Return the pages that show every kind and subject: name -> its report and its subject."""
    found = {}
    for kind, report in kinds().items():
        for subject in report.subjects:
            name = kind if len(report.subjects) == 1 else f"{kind}-of-{subject}"
            found[name] = report, subject
    return found


def without_example() -> list[str]:
    """Return the kinds, and what they are of, that have no example here."""
    return [name for name, (_, subject) in wanted().items() if subject not in EXAMPLES]


def names() -> list[str]:
    """Return the names of all pages."""
    bare = without_example()
    return [*(name for name in wanted() if name not in bare), *HARD]


class Workshop:
    """Makes runs, answers and pages below a folder, each when it is first wanted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.made: dict[str, Page] = {}

    def page(self, name: str) -> Page:
        """Return a page by its name."""
        if name not in self.made:
            out = self.folder / f"{name}.html"
            self.made[name] = HARD[name](self, out) if name in HARD else self._usual(name, out)
        return self.made[name]

    def _usual(self, name: str, out: Path) -> Page:
        report, subject = wanted()[name]
        thing = getattr(self, OF_KIND.get(report.kind, EXAMPLES[subject]))
        if subject == RUN:
            return self.of_runs([thing], out, report.kind)
        if subject == "replay":
            return Page(simlab.report(thing.folder, report.kind, out, game=GAME))
        return Page(thing.report(out, report.kind))

    def of_runs(self, runs: Sequence[Run], out: Path, kind: str = "overview") -> Page:
        """Return the page of a kind about runs."""
        return Page(simlab.report(runs, kind, out), tuple(runs))

    @cached_property
    def diamant(self) -> Run:
        """600 games of four strategies."""
        return simlab.run("diamant", 4, 600, LINE_UP, out=self.folder / "diamant")

    @cached_property
    def splendor(self) -> Run:
        """200 games of Splendor, with events."""
        return simlab.run("splendor", 3, 200, events=True, out=self.folder / "splendor")

    @cached_property
    def alike(self) -> Run:
        """One game, in which one strategy holds every seat."""
        return simlab.run("diamant", 3, 1, "risk_limit", out=self.folder / "alike")

    @cached_property
    def fixed(self) -> Run:
        """300 games with fixed seats under changed rules."""
        return simlab.run(
            "diamant", 3, 300, LINE_UP[:3], seats="fixed", rules="official",
            set={"expeditions": 2}, out=self.folder / "fixed",
        )  # fmt: skip

    @cached_property
    def duel(self) -> Any:
        """A duel that ends at its most games."""
        a, b = "risk_limit(risk=0.1)", "risk_limit"
        return simlab.duel("diamant", a, b, players=4, max=2000, out=self.folder / "duel")

    @cached_property
    def tournament(self) -> Any:
        """A tournament of five."""
        field = [*LINE_UP, "trap_count"]
        out = self.folder / "tournament"
        return simlab.tournament("diamant", players=4, n=2000, field=field, out=out)

    @cached_property
    def forty(self) -> Any:
        """A tournament of forty."""
        out = self.folder / "forty"
        return simlab.tournament("diamant", players=4, n=2000, field=FORTY, out=out)

    @cached_property
    def sweep(self) -> Any:
        """A sweep of one parameter."""
        vary, out = "threshold.gems=4:40:6", self.folder / "sweep"
        return simlab.sweep("diamant", vary, players=4, n=1000, out=out)

    @cached_property
    def plane(self) -> Any:
        """A sweep of two parameters."""
        vary = ["score_aware.risk=0.05:0.25:0.1", "score_aware.slope=0:0.1:0.05"]
        return simlab.sweep("diamant", vary, players=4, n=500, out=self.folder / "plane")

    @cached_property
    def rule_change(self) -> Any:
        """Two rule sets compared."""
        rules, out = "standard,official", self.folder / "rules"
        return simlab.compare_rules("diamant", rules=rules, n=1000, players=4, out=out)

    @cached_property
    def sample_size(self) -> Any:
        """A plan from a small pilot."""
        return simlab.sample_size("diamant", detect=0.01, players=4, pilot=200)


def renamed(run: Run, labels: Sequence[str], folder: Path) -> Run:
    """Copy a run of distinct strategies to a folder, and give them other names there."""
    import polars as pl

    from simlab.running import dataset

    folder.mkdir(exist_ok=True)
    shards = []
    for shard in run.file.shards:
        frame = pl.read_parquet(run.folder / shard.name)
        code = frame["strategy"].to_physical().cast(pl.UInt8)
        frame.with_columns(strategy=code.cat.to(pl.Enum(labels))).write_parquet(folder / shard.name)
        seal = dataset.checksum(folder / shard.name)
        shards.append(dataclasses.replace(shard, sha256=seal))
    spec = run.file.spec | {"line_up": [*labels], "line_up_full": [*labels]}
    dataset.write_run_file(folder, dataclasses.replace(run.file, spec=spec, shards=shards))
    return simlab.load(folder)


def _named(labels: Sequence[str]) -> Callable[[Workshop, Path], Page]:
    def make(shop: Workshop, out: Path) -> Page:
        run = renamed(shop.diamant, labels, out.with_suffix(""))
        return shop.of_runs([run], out)

    return make


def _own(shop: Workshop, out: Path) -> Page:
    script = out.with_suffix(".py")
    script.write_text(OWN)
    return shop.of_runs([shop.diamant], out, str(script))


HARD: dict[str, Callable[[Workshop, Path], Page]] = {
    "odd-names": _named(ODD),
    "long-names": _named(LONG),
    "several-runs": lambda shop, out: shop.of_runs([shop.diamant, shop.splendor, shop.alike], out),
    "own-script": _own,
    "fixed-seats": lambda shop, out: shop.of_runs([shop.fixed], out),
    "forty-strategies": lambda shop, out: Page(shop.forty.report(out)),
    "two-parameters": lambda shop, out: Page(shop.plane.report(out)),
}
"""Pages with content that is hard to show."""
