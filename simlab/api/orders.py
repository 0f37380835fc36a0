"""Games to play: checking what was asked, saying where it will lie, and playing it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from simlab.api.folders import Run, a_path
from simlab.core.parameters import read_whole
from simlab.core.places import Named, looking_in
from simlab.errors import UserError, shown
from simlab.running import runner
from simlab.running.backends import check_backend
from simlab.running.progress import in_jupyter
from simlab.running.spec import make_spec

MOST_GAMES = 10**15
MOST_JOBS = 256
GAMES = 10_000
GAMES_UNTIL = 10_000_000


def run(
    game: str,
    players: int | None = None,
    n: float | str | None = None,
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
    quiet: bool | None = None,
    strategies: Named | None = None,
    question: str = "",
    until: str | None = None,
) -> Run:
    """Play `n` games (or what is missing of them) and return the run.

    game: name; n: default 10,000, with `until` 10,000,000; players: default the smallest number;
    lineup: strategy specs or @strategy functions, one a seat or one for all (default: the game's
    own); rules, set: rule set and changed rules; seats: rotate or fixed; first_game: number of the
    first game; jobs: workers (default all cores); backend: threads or processes; events: record
    the game's events too; out: run folder (default under results/); force: play anew; quiet: show
    no progress (default: only in Jupyter, by a bar below the cell); strategies: folder or file of
    own strategies, or several; question: what the games are to answer, in words, for the pages made
    of them; until: play until "ci=0.2%" (half the width of the interval of every win share) or
    "A>B@95%" (one of two is ahead), but no more than n games.
    Raises UserError for anything that cannot be right.
    """
    asked = order(
        game, players, n, lineup, rules=rules, set=set, seats=seats, seed=seed,
        first_game=first_game, jobs=jobs, backend=backend, events=events, out=out, force=force,
        quiet=quiet, strategies=strategies, question=question, until=until,
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
    n: float | str | None = None,
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
    quiet: bool | None = None,
    strategies: Named | None = None,
    question: str = "",
    until: str | None = None,
) -> runner.Order:
    """Check everything about a run and say where it will lie, without playing (see `run`)."""
    with looking_in(strategies):
        spec = make_spec(game, players, lineup, rules, set, seats, seed)
    usual = GAMES if until is None else GAMES_UNTIL
    games = read_whole(usual if n is None else n, "--n", 1, MOST_GAMES)
    first = read_whole(first_game, "--first-game", 0, MOST_GAMES)
    workers = None if jobs is None else read_whole(jobs, "--jobs", 1, MOST_JOBS)
    quiet = not in_jupyter() if quiet is None else quiet
    for name, value in (("events", events), ("force", force), ("quiet", quiet)):
        if not isinstance(value, bool):
            raise UserError(f"{name} is {shown(value)!r}; it takes True or False.")
    if events and spec.game.events is None:
        raise UserError(f"{spec.game.name} records no events.")
    stop = None
    if until is not None:
        from simlab.study.until import until as rule

        stop = rule(spec, until, first, games)
    return runner.order(
        spec, games, first, None if out is None else a_path(out), jobs=workers,
        backend=check_backend(backend), events=events, force=force, quiet=quiet,
        question=question, until=stop,
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
    if stated.ask != "run":
        raise UserError(
            f"{stated.source} asks for a {stated.ask}, not for a run; simlab run --file plays it."
        )
    own = dict(given or {})
    with stated.placing(but=own):
        return order(**{"question": stated.question, **stated.arguments(), **own}), stated.question


def kind_of_file(file: str | Path) -> str:
    """Return what an experiment file asks for: "run", "duel" and so on."""
    from simlab.running.experiment import find_experiment, read_experiment

    return read_experiment(find_experiment(file)).ask


def as_toml(asked: runner.Order) -> str:
    """Return the experiment file that repeats a run."""
    from simlab.running.experiment import to_toml

    extra = {
        "n": asked.span.games,
        "first_game": asked.span.first or None,
        "events": asked.events or None,
        "question": asked.question or None,
        "until": None if asked.until is None else asked.until.rule,
    }
    return to_toml({**asked.document, **extra})


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
        **({} if asked.until is None else {"until": asked.until.rule}),
    }
