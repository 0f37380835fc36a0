"""A replayed game to look at: its page, its figure, and how the scores grew."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab.reporting import origin
from simlab.reporting.parts import Part, Tick, shown_sections
from simlab.reporting.sections import Section
from simlab.running.dataset import versions
from simlab.running.faults import replay_command
from simlab.running.replay import Replay

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Replayed(Replay):
    """A replayed game, with tables, figure and page; see `Replay` for what it holds."""

    @classmethod
    def of(cls, replay: Replay) -> Replayed:
        """Return a replay as one that can be looked at."""
        return cls(**{field.name: getattr(replay, field.name) for field in fields(replay)})

    def names(self) -> list[str]:
        """Return what each seat is called: its number and its strategy."""
        return [f"seat {seat}, {label}" for seat, label in enumerate(self.strategies)]

    def summary(self) -> pl.DataFrame:
        """Return one row a seat: seat, strategy, score, rank, and the game's own columns."""
        import polars as pl

        table = self.table
        return pl.DataFrame(
            {
                "seat": range(len(self.strategies)),
                "strategy": self.strategies,
                "score": list(table.scores),
                "rank": list(table.ranks),
                **table.columns,
            }
        ).sort("rank", "seat")

    def points(self) -> pl.DataFrame:
        """Return the scores after each decision, as if the game had ended there.

        Columns: decision (from 1), seat, strategy, score; one row for each decision and seat.
        """
        import polars as pl

        rows = [
            (at, seat, self.strategies[seat], score)
            for at, (_, scores) in enumerate(self.course, start=1)
            for seat, score in enumerate(scores)
        ]
        schema = {"decision": pl.Int64, "seat": pl.Int64, "strategy": pl.String, "score": pl.Int64}
        return pl.DataFrame(rows, schema, orient="row")

    def figures(self) -> dict[str, Figure]:
        """Return the figures of the game, by name."""
        from simlab.reporting.charts.course import course

        return {"points": course(self.points())}

    def plot(self, name: str = "points") -> Figure:
        """Return a figure of the game by its name; UserError for another."""
        from simlab.errors import one_of

        drawn = self.figures()
        if name not in drawn:
            raise one_of("figure", name, drawn)
        return drawn[name]

    def report(self, out: str | Path | None = None, kind: str | Path | None = None) -> Path:
        """Write a page about this game and return its path; kind: by default "game"."""
        from simlab.reporting.page import write_page

        usual = f"{self.spec.game.name}-game-{self.game}.html"
        return write_page(self, kind, usual if out is None else out)


def sentence(replay: Replay) -> str:
    """Return how a game ended in one sentence; it is exact, for it is one game."""
    table = replay.table
    best = [replay.strategies[seat] for seat in table.winners]
    seats = " and ".join(f"seat {seat}" for seat in table.winners)
    points = table.scores[table.winners[0]] if table.winners else 0
    if not best:
        return f"Nobody won; the game ended as {table.end_reason}."
    who = " and ".join(dict.fromkeys(best))
    if len(best) == len(replay.strategies) > 1:
        return f"All shared the win with {points:,} points."
    won = "shared the win" if len(best) > 1 else "won"
    return f"{who} ({seats}) {won} with {points:,} points."


def replay_part(replay: Any, sections: Iterable[Section], anchor: str, tick: Tick) -> Part:
    """Return what a page says of a replayed game; see `run_part`."""
    replay = replay if isinstance(replay, Replayed) else Replayed.of(replay)
    spec = replay.spec
    game, rules = spec.game, spec.book.rule_set
    changed = [f"{name} {value}" for name, value in spec.changes.items()]
    about = [game.title, f"{spec.players} players", f"rules {rules}", *changed]
    return Part(
        anchor=anchor,
        about=" · ".join([*about, f"game {replay.game:,}"]),
        question=f"How did game {replay.game:,} go?",
        answer=sentence(replay),
        cautions=game.cautions_of(spec.book.values, spec.book.files),
        notes=["One game is a story, not evidence: it cannot say which strategy is better."],
        sections=shown_sections(sections, replay, anchor, tick, set()),
        facts=_facts(replay),
        rules=[(name, str(value)) for name, value in spec.book.values.items()],
        command=replay_command(spec, replay.game, replay.deal),
        strangers=[],
        again="This command plays the same game again, and tells it in sentences:",
        method="",
    )


def _facts(replay: Replayed) -> list[tuple[str, list[str]]]:
    spec = replay.spec
    changed = [f"{name} = {value}" for name, value in spec.changes.items()]
    notes = spec.game.rule_set_notes.get(spec.book.rule_set, "")
    found = [
        ("Game", [f"{spec.game.title}, {spec.players} players"]),
        ("Rules", [f"{spec.book.rule_set}: {notes}".rstrip(": ")]),
        ("Changed rules", changed or ["none"]),
        ("Seats", replay.names()),
        ("Game number", [f"{replay.game:,}, on deal {replay.deal:,}"]),
        ("Seed", [str(spec.seed)]),
        ("Decisions", [f"{len(replay.course):,}"]),
        ("Versions", [origin.versions_told(versions())]),
    ]
    if replay.folder is not None:
        found.insert(5, ("Run", [replay.folder.name]))
    return found
