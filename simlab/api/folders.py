"""A run on disk: what `load` and `run` return, and the questions to its rows."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab.core.places import looking_in
from simlab.core.registry import find_game, games
from simlab.errors import UserError, one_of, shown
from simlab.running import dataset
from simlab.running.plan import Span
from simlab.study.folder import is_study, read_study

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    from matplotlib.figure import Figure

    from simlab.reporting.answers.answer import Answer
    from simlab.reporting.tables import RunTable

NAMED = 3


def a_path(given: object) -> Path:
    """Return a path that can be one; UserError otherwise."""
    try:
        path = Path(given).expanduser()  # type: ignore[arg-type]
        str(path).encode()
    except (TypeError, ValueError, RuntimeError):
        raise UserError(f"{shown(repr(given))} is not the path of a folder.") from None
    if not str(given) or "\0" in str(given):
        raise UserError(f"{shown(repr(given))} is not the path of a folder.")
    return path


class Run:
    """A run on disk: its spec, its games, and questions to its rows.

    span: the games looked at (a folder may hold more); played: how many were played by the call
    that returned this run; seconds, cpu_seconds: what that took.
    """

    def __init__(
        self,
        folder: Path,
        file: dataset.RunFile,
        span: Span | None = None,
        played: int = 0,
        seconds: float = 0.0,
        cpu_seconds: float = 0.0,
    ) -> None:
        self.folder = folder
        self.file = file
        self.span = span or file.span
        self.played = played
        self.seconds = seconds
        self.cpu_seconds = cpu_seconds
        self._tables: dict[tuple[Any, ...], RunTable] = {}  # these games give no other ones

    @property
    def game(self) -> str:
        """Name of the game."""
        return str(self.file.spec["game"])

    @property
    def players(self) -> int:
        """Number of seats."""
        return int(self.file.spec["players"])

    @property
    def line_up(self) -> list[str]:
        """The line-up, one label an entry."""
        return list(self.file.spec["line_up"])

    @property
    def until(self) -> dict[str, Any] | None:
        """What the stopping rule said that ended these games; None where none did.

        Its rule, verdict and level, and for each comparison an interval that is valid at any stop.
        """
        said = self.file.until
        return said if said is not None and said["games"] == self.span.games else None

    def _files(self, kind: str) -> list[Path]:
        name = "events_name" if kind == "events" else "name"
        inside = dataset.within(self.file.shards, self.span)
        if kind == "events" and any(s.events is None for s in inside):
            from simlab.reporting.origin import designed, recording

            if designed(self):
                raise UserError(
                    f"{self.folder} holds no events, as its games were played for a question; play "
                    "a run with --events to have some."
                )
            raise UserError(f"{self.folder} holds no events; record them with: {recording(self)}")
        return [self.folder / getattr(shard, name) for shard in inside]

    def _scan(self, kind: str) -> pl.LazyFrame:
        import polars as pl

        # Always: the folder may hold more games by now than when it was looked at.
        inside = pl.col("game").is_between(self.span.first, self.span.end - 1)
        return pl.scan_parquet(self._files(kind), glob=False).filter(inside)

    def scan(self) -> pl.LazyFrame:
        """Return all rows, one per game and seat, as a polars LazyFrame."""
        return self._scan("rows")

    def events(self) -> pl.LazyFrame:
        """Return all events as a polars LazyFrame; UserError if none were recorded."""
        return self._scan("events")

    def to_pandas(self) -> pd.DataFrame:
        """Return all rows as a pandas DataFrame (in memory, as a whole)."""
        frame = self.scan().collect()
        import pandas as pd

        columns = {}
        for name in frame.columns:
            series = frame[name]
            if series.dtype.to_python() is str:
                words = series.dtype.categories.to_list()  # type: ignore[attr-defined]
                codes = series.to_physical().to_numpy().astype("i4")
                columns[name] = pd.Categorical.from_codes(codes, words)
            else:
                columns[name] = series.to_numpy()
        return pd.DataFrame(columns)

    def pieces(self, columns: Sequence[str], kind: str = "rows") -> Iterator[pl.DataFrame]:
        """Yield these columns of the rows, or of the "events", shard by shard, in game order."""
        return dataset.read_games(self._files(kind), self.span, columns)

    def table(
        self,
        by: str = "strategy",
        ties: str = "ordinal",
        truncated: str = "score",
        level: float = 0.95,
    ) -> RunTable:
        """Return the table of the run: win shares and scores with intervals, and cautions.

        by: "strategy", "seat", a column, or what the game's events are grouped by, such as "card"
        (best win share first; of a run with events); ties: ordinal, share or win; truncated: score,
        split or none. The unit of every interval is the deal.
        """
        from simlab.reporting.tables import make_table

        asked = (by, ties, truncated, level)
        if asked not in self._tables:
            with self.places():
                self._tables[asked] = make_table(self, *asked)
        return self._tables[asked]

    def summary(self, by: str = "strategy", **how: Any) -> pl.DataFrame:
        """Return the table of the run as a polars frame (see `table`)."""
        return self.table(by, **how).frame()

    def quantiles(
        self,
        p: float | Sequence[float] = (0.1, 0.5, 0.9),
        by: str = "strategy",
        truncated: str = "score",
        level: float = 0.95,
        method: str = "woodruff",
    ) -> pl.DataFrame:
        """Return quantiles of the scores with intervals, as a polars frame.

        p: probabilities in (0, 1); the quantile of 0.9 is the smallest score that 90 % of the
        scores do not exceed. by: "strategy", "seat" or a column; truncated: "none" leaves truncated
        games out; method: "woodruff", or "bootstrap", which needs 50 deals. The unit of every
        interval is the deal. Columns: `by`, p, estimate, low, high, in points; null where there is
        no interval. UserError for an unknown column, rule or method, and a p out of range.
        """
        from simlab.analysis.quantiles import quantile_columns, quantile_frame

        held = self.scan().collect_schema().names()
        if by not in held:
            raise one_of("column", by, held, f"in {self.folder}")
        labels = list(dict.fromkeys(self.line_up)) if by == "strategy" else None
        how: dict[str, Any] = {"truncated": truncated, "level": level, "method": method}
        return quantile_frame(self.pieces(quantile_columns(by)), by, p, labels=labels, **how)

    def document(self) -> dict[str, Any]:
        """Return what `run --json` prints: the run, and its tables by strategy and by seat."""
        spec = self.file.spec
        table = self.table("strategy")
        return {
            "game": self.game,
            "players": self.players,
            "rules": spec["rules"],
            "set": spec["set"],
            "n": self.span.games,
            "seed": spec["seed"],
            "results": str(self.folder),
            "seconds": self.seconds,
            "cpu_seconds": self.cpu_seconds,
            "games_per_second": self.played / self.seconds if self.seconds else 0.0,
            "truncated": table.table.truncated,
            **({} if self.until is None else {"until": self.until}),
            "strategies": table.objects(),
            "seats": self.table("seat").objects(),
        }

    def cautions(self) -> list[str]:
        """Return what a reader of these results must know."""
        with self.places():
            spec = self.file.spec
            return find_game(self.game).cautions_of(spec["values"], spec.get("data", {}))

    def places(self) -> contextlib.AbstractContextManager[None]:
        """Look for its game and strategies where they were found when it was played."""
        return looking_in(self.file.spec.get("places") or None, missing_ok=True)

    def report(self, out: str | Path | None = None, kind: str | None = None) -> Path:
        """Write a page about this run and return its path (see `simlab.report`)."""
        from simlab.api.showing import report

        return report(self, kind, out)

    def plot(self, name: str = "win-share") -> Figure:
        """Return a figure of the run by its name, such as "win-share" or "score".

        `figures()` draws all that the run has. A figure that needs events of a run without them is
        drawn from some of its games, played again, and says so.
        """
        from simlab.reporting.figures import figure

        return figure(self, name)

    def figures(self) -> dict[str, Figure]:
        """Return all figures of the run by name: standard ones first, then its game's own."""
        from simlab.reporting import figures

        return {name: figures.figure(self, name) for name in figures.names(self)}

    def __repr__(self) -> str:
        return f"Run({str(self.folder)!r}, {self.span.games:,} games)\n\n{self.table()}"

    def _repr_html_(self) -> str:
        return self.table().html()


def check_run_folder(path: Path) -> None:
    """Raise UserError for the folder of a question that has its runs below it."""
    if is_study(path) and not dataset.is_run(path):
        parts = read_study(path).parts
        more = f" and {len(parts) - NAMED} more" if len(parts) > NAMED else ""
        named = ", ".join(str(path / name) for name in parts[:NAMED])
        raise UserError(
            f"{path} is the folder of a question: simlab report {path} makes its page; its runs "
            f"are {named}{more}."
        )


def load(folder: str | Path) -> Run:
    """Return the run of a folder; UserError if there is none, or a file of it is damaged."""
    path = a_path(folder)
    check_run_folder(path)
    file = dataset.read_run_file(path)
    dataset.verify(path, file.shards)
    if not file.shards:
        raise UserError(f"{path} holds no finished games yet; play it first.")
    return Run(path, file)


def table(
    run: str | Path, by: str = "strategy", ties: str = "ordinal", truncated: str = "score"
) -> RunTable:
    """Return the table of a run folder (see `Run.table`)."""
    return load(run).table(by, ties, truncated)


def answer(folder: str | Path) -> Answer:
    """Return the answer that a question's folder holds, worked out anew from its rows.

    UserError for a folder without one, or whose games are not all played.
    """
    from simlab.api.asking import answer_of

    return answer_of(a_path(folder))


def is_folder(text: str | Path) -> bool:
    """Whether an argument means a run folder rather than a game: a slash in it or a run.json."""
    if not isinstance(text, str):
        return isinstance(text, Path)
    known = {name for game in games().values() for name in (game.name, *game.aliases)}
    if text.lower() in known:
        return False
    return "/" in text or "\\" in text or dataset.is_run(Path(text)) or is_study(Path(text))
