"""One game again, in sentences; and the true traceback of a strategy that stopped a run."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from simlab.core.loading import own_frames
from simlab.core.patience import Endless, Patience, seconds_allowed
from simlab.core.places import looking_in
from simlab.core.registry import find_game
from simlab.core.strategy import Player
from simlab.core.table import Table
from simlab.errors import RulesError, StrategyError, UserError
from simlab.running import dataset
from simlab.running.designs import blocks_of
from simlab.running.faults import (
    endless,
    failed,
    in_rules,
    is_shipped,
    replay_command,
    seating,
    unlike,
)
from simlab.running.spec import Spec, differences, make_spec
from simlab.running.watch import watching_here
from simlab.running.worker import ENDLESS, Fault, Worker


@dataclass(frozen=True)
class Replay:
    """A game that was played again.

    table: the finished `Table`; strategies: label by seat; text: the game in sentences; spec: what
    it was played from; deal: the number of its deal; course: after each decision, how many entries
    the log had by then and the scores as if the game had ended there; folder: of its run, if any.
    """

    game: int
    table: Table = field(repr=False)
    strategies: list[str]
    spec: Spec = field(repr=False)
    deal: int
    course: list[tuple[int, list[int]]] = field(repr=False)
    folder: Path | None = None

    @property
    def text(self) -> str:
        """The whole game in sentences, ending in the row of each seat."""
        lines = [f"Game {self.game:,}", ""]
        lines += [f"Seat {s}: {label}" for s, label in enumerate(self.strategies)]
        lines += ["", *self.table.log.sentences(), ""]
        ranks = self.table.ranks
        columns = self.table.columns
        for seat, score in enumerate(self.table.scores):
            own = ", ".join(f"{name} {values[seat]}" for name, values in columns.items())
            label = self.strategies[seat]
            lines.append(f"Seat {seat} ({label}): score {score}, rank {ranks[seat]}; {own}")
        lines.append(f"End: {self.table.end_reason}.")
        return "\n".join(lines)

    def document(self) -> dict[str, Any]:
        """Return what `replay --json` prints."""
        return {
            "game": self.game,
            "strategies": self.strategies,
            "sentences": self.table.log.sentences(),
            "decks": self.table.log.decks,
            "scores": self.table.scores,
            "ranks": self.table.ranks,
            "columns": self.table.columns,
            "end_reason": self.table.end_reason,
        }

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        """Return the rows of the game, and its sentences folded up, as a notebook shows them."""
        table = self.table
        head = ["seat", "strategy", "score", "rank", *table.columns]
        cells = [range(table.players), self.strategies, table.scores, table.ranks]
        rows = zip(*cells, *table.columns.values(), strict=True)
        body = [_html_row("th", head), *(_html_row("td", row) for row in rows)]
        told = table.log.sentences()
        heading = f"Game {self.game:,} of {table.game.name}, {table.players} players"
        return (
            f"<div><p>{html.escape(heading)}; end: {table.end_reason}.</p>"
            f"<table>{''.join(body)}</table>"
            f"<details><summary>The game in {len(told):,} sentences</summary>"
            f"<pre>{html.escape(chr(10).join(told))}</pre></details></div>"
        )


def _html_row(tag: str, cells: Iterable[object]) -> str:
    """Return a row of a table in HTML."""
    return f"<tr>{''.join(f'<{tag}>{html.escape(str(cell))}</{tag}>' for cell in cells)}</tr>"


def table_of(spec: Spec, game: int, deal: int | None = None) -> Table:
    """Return the table of a game of this run before its first decision; deal: another one."""
    deal = game // spec.design.block if deal is None else deal
    return Table(
        spec.game, spec.players, seed=spec.seed, deal=deal, game_number=game, book=spec.book
    )


def replay_spec(spec: Spec, game: int, deal: int | None = None) -> Replay:
    """Play a game of a spec again; StrategyError or RulesError where something fails in it.

    deal: the deal it is played on, by default the one that the spec's design says.
    """
    seats = seating(spec, game)
    players = [Player(bound) for bound in seats]
    table, seat = None, 0
    course: list[tuple[int, list[int]]] = []
    with Patience(seconds_allowed(python=True)) as limit:
        try:
            limit.tick(f"the rules of {spec.game.name} (game {game})")
            table = table_of(spec, game, deal)
            while not table.finished:
                seat = int(table.to_move or 0)
                limit.tick(f"{seats[seat].full} (game {game}, seat {seat})")
                table.advance(players[seat])
                course.append((len(table.log), list(table.scores)))
        except Endless as error:
            decision = 0 if table is None else table.decisions
            fault = Fault(game, seat, None, ENDLESS, tuple(own_frames(error)), decision)
            raise endless(spec, fault, deal) from None
        except RulesError as error:
            raise in_rules(spec, game, error, deal) from None
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever a strategy raises
            if table is None:
                raise
            raise failed(spec, game, table, seat, error, deal) from None
    on = game // spec.design.block if deal is None else deal
    return Replay(game, table, [bound.label for bound in seats], spec, on, course)


def explain(spec: Spec, fault: Fault) -> UserError:
    """Play a faulty game again uncompiled and return the error with the true traceback."""
    bound = seating(spec, fault.game)[fault.seat]
    if fault.error == ENDLESS and (fault.frames or not bound.compiled):
        return endless(spec, fault)
    try:
        replay_spec(spec, fault.game)
    except UserError as error:
        return error
    where = f"{bound.full} in game {fault.game}, seat {fault.seat}"
    again = f"Replay: {replay_command(spec, fault.game)}"
    if fault.error == ENDLESS:
        return StrategyError(
            f"{where}: no answer within {seconds_allowed():g} s when compiled, but it answers when "
            "played uncompiled, so the compiled code has an endless loop; its thread runs on until "
            f"Python ends. {again}"
        )
    if bound.strategy.batch:
        return StrategyError(
            f"{where}: {fault.error} when asked about many games together, but not about this one "
            f"alone; its answer for a game must not depend on the others. {again}"
        )
    what = fault.error or f"chose action {fault.action}, which is not legal"
    return StrategyError(f"{where}: {what} when compiled, but not when played uncompiled. {again}")


def rehearse(worker: Worker, first: int, games: int = 2) -> None:
    """Play the first games of a run uncompiled too, where a strategy is not one of ours.

    Uncompiled, a strategy cannot write to what it is shown, and plays what its author reads.
    Raises StrategyError where it fails or the compiled games come out otherwise.
    """
    spec = worker.spec
    if worker.plain or is_shipped(spec.game, worker.nodes):
        return
    for game in range(first, first + games):
        scores = replay_spec(spec, game).table.scores
        with watching_here(worker, seconds_allowed(worker.lockstep)):
            batch = worker.play(game, 1)
        if batch.fault is not None:
            raise explain(spec, batch.fault)
        if batch.results["score"][0].tolist() != scores:
            raise unlike(spec, game, scores, batch.results["score"][0].tolist())


def prepared(spec: Spec, events: bool, announce: Callable[[str], None], first: int) -> Worker:
    """Return the worker of a run; where something cannot be compiled, the best reason there is.

    A typing error of numba seldom names the line, so the first games are played uncompiled: what
    fails there as well is told from there.
    """
    try:
        return Worker(spec, events, announce)
    except (StrategyError, RulesError):
        for game in range(first, first + 3):
            replay_spec(spec, game)
        raise


def spec_of_run(folder: Path) -> tuple[Spec, dataset.RunFile]:
    """Rebuild the spec of a run folder; UserError with the reason where its files changed."""
    run = dataset.read_run_file(folder)
    told: dict[str, Any] = run.spec
    rules = {name: str(_data_file(folder, name, entry)) for name, entry in told["data"].items()}
    with looking_in(told.get("places") or None, missing_ok=True):
        usual = find_game(told["game"]).rule_set(told["rules"])
        changed = {name: v for name, v in told["values"].items() if usual.get(name) != v}
        spec = make_spec(
            told["game"], told["players"], told["line_up"], told["rules"],
            changed | rules, told["seats"], told["seed"],
            blocks_of(told["design"], told["players"]),
        )  # fmt: skip
    changes = differences(told, spec.document())
    if changes:
        raise UserError(
            f"{folder} was played with other files: {'; '.join(changes)}. Its games cannot be "
            "replayed; play the run again with the present files."
        )
    return spec, run


def _data_file(folder: Path, name: str, entry: dict[str, str]) -> Path:
    """Return the data file that a run was played with: its copy in the run folder."""
    copy = folder / f"data-{name}.csv"
    return copy if copy.is_file() else Path(entry["file"])


def replay_run(folder: Path, game: int) -> Replay:
    """Play a game of a run folder again and check it against the stored rows."""
    import polars as pl

    spec, run = spec_of_run(folder)
    if not run.shards:
        raise UserError(f"{folder} holds no finished games yet; play it first.")
    if not run.span.first <= game < run.span.end:
        raise UserError(
            f"{folder} holds games {run.span.first:,} to {run.span.end - 1:,}; {game:,} is not "
            "among them."
        )
    shard = next(s for s in run.shards if s.first <= game < s.end)
    dataset.verify(folder, [shard])
    rows = pl.scan_parquet(folder / shard.name, glob=False).filter(pl.col("game") == game).collect()
    replay = replay_spec(spec, game)
    if rows["score"].to_list() != replay.table.scores:
        raise AssertionError(
            f"game {game} of {folder} gave scores {rows['score'].to_list()}, its replay "
            f"{replay.table.scores}: this is a defect of simlab"
        )
    return replace(replay, folder=folder)
