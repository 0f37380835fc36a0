"""What a notebook imports: run, load, replay, Table, lists of games and strategies."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab.core import registry
from simlab.core.parameters import read_whole
from simlab.core.places import Named, looking_in
from simlab.core.registry import find_game, games
from simlab.core.table import Table
from simlab.errors import DamagedRun, UserError, one_of, shown
from simlab.running import dataset, runner
from simlab.running import replay as replaying
from simlab.running.backends import check_backend
from simlab.running.plan import Span
from simlab.running.spec import make_spec

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from simlab.checks.findings import Findings
    from simlab.reporting.tables import RunTable

MOST_GAMES = 10**15
MOST_JOBS = 256


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

    def _files(self, kind: str) -> list[Path]:
        name = "events_name" if kind == "events" else "name"
        inside = [
            s for s in self.file.shards if s.first < self.span.end and s.end > self.span.first
        ]
        if kind == "events" and any(s.events is None for s in inside):
            from simlab.reporting.origin import recording

            raise UserError(f"{self.folder} holds no events; record them with: {recording(self)}")
        return [self.folder / getattr(shard, name) for shard in inside]

    def _scan(self, kind: str) -> pl.LazyFrame:
        import polars as pl

        frame = pl.scan_parquet(self._files(kind))
        if self.span != self.file.span:
            frame = frame.filter(pl.col("game").is_between(self.span.first, self.span.end - 1))
        return frame

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
        import polars as pl

        for path in self._files(kind):
            frame = pl.scan_parquet(path)
            if self.span != self.file.span:
                frame = frame.filter(pl.col("game").is_between(self.span.first, self.span.end - 1))
            yield frame.select(list(columns)).collect()

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

        with self.places():
            return make_table(self, by, ties, truncated, level)

    def summary(self, by: str = "strategy", **how: Any) -> pl.DataFrame:
        """Return the table of the run as a polars frame (see `table`)."""
        return self.table(by, **how).frame()

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
            "strategies": table.objects(),
            "seats": self.table("seat").objects(),
        }

    def cautions(self) -> list[str]:
        """Return what a reader of these results must know."""
        with self.places():
            return find_game(self.game).cautions(self.file.spec["values"])

    def places(self) -> contextlib.AbstractContextManager[None]:
        """Look for its game and strategies where they were found when it was played."""
        return looking_in(self.file.spec.get("places") or None, missing_ok=True)

    def report(self, out: str | Path, kind: str = "overview") -> Path:
        """Write a page about this run (see `simlab.report`)."""
        return report(self, kind, out)

    def __repr__(self) -> str:
        return f"Run({str(self.folder)!r}, {self.span.games:,} games)\n\n{self.table()}"

    def _repr_html_(self) -> str:
        return self.table().html()


def run(
    game: str,
    players: int | None = None,
    n: float | str = 10_000,
    lineup: Sequence[Any] | None = None,
    *,
    rules: str = "standard",
    set: Mapping[str, Any] | None = None,
    seats: str = "rotate",
    seed: int = 1,
    first_game: int = 0,
    jobs: int | None = None,
    backend: str = "threads",
    events: bool = False,
    out: str | Path | None = None,
    force: bool = False,
    quiet: bool = True,
    strategies: Named | None = None,
    question: str = "",
) -> Run:
    """Play `n` games (or what is missing of them) and return the run.

    game: name; players: default the smallest number; lineup: strategy specs or @strategy functions,
    one a seat or one for all (default: the game's own); rules, set: rule set and changed rules;
    seats: rotate or fixed; first_game: number of the first game; jobs: workers (default all cores);
    backend: threads or processes; events: record the game's events too; out: run folder (default
    under results/); force: play anew; strategies: folder or file of own strategies, or several;
    question: what the games are to answer, in words, for the pages made of them.
    Raises UserError for anything that cannot be right.
    """
    asked = order(
        game, players, n, lineup, rules=rules, set=set, seats=seats, seed=seed,
        first_game=first_game, jobs=jobs, backend=backend, events=events, out=out, force=force,
        quiet=quiet, strategies=strategies, question=question,
    )  # fmt: skip
    return carry_out(asked)


def carry_out(asked: runner.Order) -> Run:
    """Play an order and return the run."""
    with looking_in(asked.spec.places or None):
        done = runner.play(asked)
    return Run(done.folder, done.run, done.span, done.games, done.seconds, done.cpu_seconds)


def order(
    game: str,
    players: int | None = None,
    n: float | str = 10_000,
    lineup: Sequence[Any] | None = None,
    *,
    rules: str = "standard",
    set: Mapping[str, Any] | None = None,
    seats: str = "rotate",
    seed: int = 1,
    first_game: int = 0,
    jobs: int | None = None,
    backend: str = "threads",
    events: bool = False,
    out: str | Path | None = None,
    force: bool = False,
    quiet: bool = True,
    strategies: Named | None = None,
    question: str = "",
) -> runner.Order:
    """Check everything about a run and say where it will lie, without playing (see `run`)."""
    with looking_in(strategies):
        spec = make_spec(game, players, lineup, rules, set, seats, seed)
    games = read_whole(n, "--n", 1, MOST_GAMES)
    first = read_whole(first_game, "--first-game", 0, MOST_GAMES)
    workers = None if jobs is None else read_whole(jobs, "--jobs", 1, MOST_JOBS)
    for name, value in (("events", events), ("force", force), ("quiet", quiet)):
        if not isinstance(value, bool):
            raise UserError(f"{name} is {shown(value)!r}; it takes True or False.")
    if events and spec.game.events is None:
        raise UserError(f"{spec.game.name} records no events.")
    return runner.order(
        spec, games, first, None if out is None else a_path(out), jobs=workers,
        backend=check_backend(backend), events=events, force=force, quiet=quiet,
        question=question,
    )  # fmt: skip


def order_of_file(
    file: str | Path, given: Mapping[str, Any] | None = None
) -> tuple[runner.Order, str]:
    """Return the order of an experiment file, and its question: `simlab run --file FILE`.

    file: a TOML file, or the name of one in ./experiments or among the shipped ones. given:
    arguments of `run` that take the place of what the file states. UserError with file and line.
    """
    from simlab.running.experiment import find_experiment, read_experiment

    stated = read_experiment(find_experiment(file))
    own = dict(given or {})
    with stated.placing(but=own):
        return order(**{"question": stated.question, **stated.arguments(), **own}), stated.question


def plan(game: str, *words: Any, **options: Any) -> dict[str, Any]:
    """Return what `run` would play with the same arguments, without writing: `run --dry-run`."""
    return planned(order(game, *words, **options))


def planned(asked: runner.Order) -> dict[str, Any]:
    """Return what an order would play, without writing anything."""
    work = runner.todo(asked, asked.force)
    shard = asked.spec.shard_games
    return {
        "results": str(asked.folder),
        "hash": asked.hash,
        "games": asked.span.games,
        "already_there": work.run.span.games if work.run else 0,
        "to_play": work.games,
        "shards": -(-asked.span.end // shard) - asked.span.first // shard,
        "line_up": [bound.label for bound in asked.spec.line_up],
        "jobs": asked.jobs,
        "backend": asked.backend,
    }


def load(folder: str | Path) -> Run:
    """Return the run of a folder; UserError if there is none, or a file of it is damaged."""
    path = a_path(folder)
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


def replay(
    run: str | Path,
    game: int = 0,
    *,
    players: int | None = None,
    seed: int = 1,
    lineup: Sequence[Any] | None = None,
    rules: str = "standard",
    set: Mapping[str, Any] | None = None,
    seats: str = "rotate",
    strategies: Named | None = None,
) -> replaying.Replay:
    """Play one game again, in sentences: of a run folder, or of a game's name with its options.

    Raises UserError where the files that made a run have changed since.
    """
    number = read_whole(game, "--game", 0, MOST_GAMES)
    with looking_in(strategies):
        if is_folder(run):
            return replaying.replay_run(a_path(run), number)
        spec = make_spec(str(run), players, lineup, rules, set, seats, seed)
        return replaying.replay_spec(spec, number)


def play(
    game: str,
    players: int | None = None,
    seat: int = 0,
    lineup: Sequence[Any] | None = None,
    *,
    rules: str = "standard",
    set: Mapping[str, Any] | None = None,
    seed: int | None = None,
    deal: int = 0,
    strategies: Named | None = None,
) -> Table:
    """Play one game at the keyboard in `seat`, against strategies; return its table.

    lineup: strategies of the other seats, one for each or one for all; seed: a fresh one by
    default, which is said. See `run` for the rest.
    """
    from simlab.running import keyboard

    with looking_in(strategies):
        return keyboard.play(game, players, seat, lineup, rules, set, seed, deal)


def new(kind: str, name: str, game: str | None = None) -> list[Path]:
    """Write a strategy (of a game), a game or a report to begin with; return the new files.

    They lie in ./strategies, ./games and ./reports. UserError, and nothing written, for a name
    that is taken or cannot be one.
    """
    from simlab import creating

    return creating.new(kind, name, game)


def check(target: str | Path, game: str | None = None, strategies: Named | None = None) -> Findings:
    """Check what plugs in: a file of strategies or reports, a game's folder, a data file.

    target: path or name; game: of a data file. Returns findings: `.passed`, `.document()`, text.
    """
    from simlab import checks

    with looking_in(strategies):
        return checks.check(target, game, play=run)  # type: ignore[no-any-return]


def report(
    runs: Run | str | Path | Sequence[Run | str | Path],
    kind: str = "overview",
    out: str | Path | None = None,
    *,
    figure: str | None = None,
    strategies: Named | None = None,
) -> Path:
    """Write one page about runs, or one figure of a run; return its path.

    runs: run folders or `Run`s; kind: of the page, or the path of a report script; out: the file
    (.html; .svg or .png for a figure), by default named after the first run, in the working
    directory; figure: name of a single figure; strategies: folder in which reports are looked for
    too.
    """
    from simlab.reporting.figures import write_figure
    from simlab.reporting.page import write_page

    given = [runs] if isinstance(runs, (Run, str, Path)) else list(runs)
    every = [run if isinstance(run, Run) else load(run) for run in given]
    if not every:
        raise UserError("say which runs: simlab report RUN...")
    first = every[0].folder.resolve().name
    first += f"-and-{len(every) - 1}-more" if len(every) > 1 else ""
    usual = f"{first}-{figure}.svg" if figure else f"{first}-{Path(kind).stem}.html"
    place = a_path(usual if out is None else out)
    with looking_in(strategies):
        if figure is None:
            return write_page(every, kind, place)
        if len(every) > 1:
            raise UserError(f"a figure shows one run; {len(every)} were given.")
        return write_figure(every[0], figure, place)


def is_folder(text: str | Path) -> bool:
    """Whether an argument means a run folder rather than a game: a slash in it or a run.json."""
    if not isinstance(text, str):
        return isinstance(text, Path)
    known = {name for game in games().values() for name in (game.name, *game.aliases)}
    if text.lower() in known:
        return False
    return "/" in text or "\\" in text or dataset.is_run(Path(text))


def list_games(strategies: Named | None = None) -> list[dict[str, Any]]:
    """Return name, title, numbers of players, rule sets and strategies of every game.

    strategies: folder or file in which games and strategies are looked for too.
    """
    with looking_in(strategies):
        return list(_games())


def _games() -> Iterator[dict[str, Any]]:
    for game in games().values():
        low, high = game.seats("standard", game.rule_set("standard"))
        yield {
            "game": game.name,
            "title": game.title,
            "players": f"{low}-{high}",
            "rules": list(game.rule_sets),
            "strategies": len(registry.strategies(game.name)),
            "aliases": list(game.aliases),
        }


def list_strategies(
    game: str | None = None, strategies: Named | None = None
) -> list[dict[str, Any]]:
    """Return name, parameters, first line and file of every strategy (of one game).

    strategies: folder or file in which strategies are looked for too.
    """
    with looking_in(strategies):
        names = [find_game(game).name] if game is not None else list(games())
        return [
            {
                "game": name,
                "strategy": said,
                "signature": said + declared.signature()[len(declared.name) :],
                "parameters": {p.name: p.wants() for p in declared.parameters},
                "summary": declared.summary,
                "kind": declared.kind,
                "file": str(declared.file),
            }
            for name in names
            for said, declared in registry.strategies(name).items()
        ]


def rules(game: str, strategies: Named | None = None) -> dict[str, Any]:
    """Return the rules that can be set, and the values of every rule set, of a game.

    strategies: folder in which games are looked for too.
    """
    with looking_in(strategies):
        found = find_game(game)
    keys = [
        {"key": k.name, "default": k.default, "values": k.allowed(), "meaning": k.meaning}
        for k in found.keys
    ]
    keys += [
        {
            "key": data.name,
            "default": f"{data.name}.csv",
            "values": "a CSV file",
            "meaning": f"the {data.name}: columns {', '.join(data.columns)}",
        }
        for data in found.data
    ]
    sets = {
        name: {"note": found.rule_set_notes[name], "values": found.rule_set(name)}
        for name in found.rule_sets
    }
    return {"game": found.name, "keys": keys, "rule_sets": sets}


def runs(action: str = "list", *folders: str | Path, root: str | Path = runner.RESULTS) -> Any:
    """List the runs under a folder, or remove runs.

    action: "list" returns one dict a run; "remove" removes the named run folders and returns them.
    """
    if action == "remove":
        return [_remove(a_path(folder)) for folder in folders]
    if action != "list":
        raise one_of("command", action, ("list", "remove"), "in simlab runs")
    return [_about(path.parent) for path in sorted(Path(root).glob(f"*/{dataset.RUN_FILE}"))]


def _remove(folder: Path) -> str:
    with contextlib.suppress(DamagedRun):  # a damaged run can be removed, another folder cannot
        dataset.read_run_file(folder)
    dataset.remove_folder(folder)
    return str(folder)


def _about(folder: Path) -> dict[str, Any]:
    size = sum(path.stat().st_size for path in folder.iterdir() if path.is_file())
    try:
        file = dataset.read_run_file(folder)
    except UserError as error:
        return {"run": str(folder), "error": str(error), "bytes": size}
    return {
        "run": str(folder),
        "game": file.spec["game"],
        "players": file.spec["players"],
        "rules": file.spec["rules"],
        "set": [f"{name}={value}" for name, value in file.spec["set"].items()],
        "seats": file.spec["seats"],
        "seed": file.spec["seed"],
        "games": file.span.games,
        "events": bool(file.shards) and all(s.events is not None for s in file.shards),
        "bytes": size,
        "line_up": file.spec["line_up"],
    }


def warm(*names: str, strategies: Named | None = None) -> list[str]:
    """Compile the kernels and strategies of games ahead; return what was compiled anew.

    strategies: folder or file of own strategies (and games) to compile too.
    """
    with looking_in(strategies):
        return _warm(names)


def _warm(names: Sequence[str]) -> list[str]:
    from simlab.core import cache
    from simlab.core.kernel import Compiler
    from simlab.running.rows import ranker

    if cache.compilation_is_off():
        raise UserError("numba is switched off (NUMBA_DISABLE_JIT); there is nothing to compile.")
    compiled: list[str] = []
    for name in names or tuple(games()):
        game = find_game(name)
        compiler = Compiler(game, compiled.append)
        compiler.kernel(events=False)
        if game.events is not None:
            compiler.kernel(events=True)
        for declared in registry.strategies(game.name).values():
            if declared.compiled:
                compiler.strategy(declared)
        ranker(game)
    return compiled


def doctor(strategies: Named | None = None) -> dict[str, Any]:
    """Return versions, cores, cache, what plugs in, a one-second test run, and what is wrong."""
    from simlab.running.doctor import examine

    with looking_in(strategies):
        return examine()


__all__ = [
    "Run", "Table", "carry_out", "check", "doctor", "is_folder", "list_games", "list_strategies",
    "load", "new", "order", "order_of_file", "plan", "play", "replay", "report", "rules", "run",
    "runs", "table", "warm",
]  # fmt: skip
