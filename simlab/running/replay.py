"""One game again, in sentences; and the true traceback of a strategy that stopped a run."""

from __future__ import annotations

import shlex
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simlab.core.game import Game
from simlab.core.loading import PACKAGE, own_frames
from simlab.core.places import looking_in, shipped_pack
from simlab.core.registry import bind_for
from simlab.core.strategy import Bound, Player
from simlab.core.table import Table
from simlab.errors import IllegalAction, StrategyError, UserError
from simlab.running import dataset
from simlab.running.spec import Spec, differences, make_spec
from simlab.running.watch import Patience, patience, watching_here
from simlab.running.worker import ENDLESS, Endless, Fault, Worker


@dataclass(frozen=True)
class Replay:
    """A game that was played again.

    table: the finished `Table`; strategies: label by seat; text: the game in sentences.
    """

    game: int
    table: Table
    strategies: list[str]

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


def seating(spec: Spec, game: int) -> list[Bound]:
    """Return the bound strategy of each seat in a game of this run."""
    turn = game % spec.players if spec.seats == "rotate" else 0
    return [spec.line_up[(seat - turn) % spec.players] for seat in range(spec.players)]


def table_of(spec: Spec, game: int) -> Table:
    """Return the table of a game of this run before its first decision."""
    return Table(
        spec.game, spec.players, seed=spec.seed, deal=game, game_number=game, book=spec.book
    )


def replay_spec(spec: Spec, game: int) -> Replay:
    """Play a game of a spec again; StrategyError where a strategy fails in it."""
    seats = seating(spec, game)
    table = table_of(spec, game)
    players = [Player(bound) for bound in seats]
    with Patience(patience(python=True)) as limit:
        while not table.finished:
            seat = int(table.to_move or 0)
            limit.tick(f"{seats[seat].full} (game {game}, seat {seat})")
            try:
                table.advance(players[seat])
            except Endless as error:
                frames = tuple(own_frames(error))
                fault = Fault(game, seat, None, ENDLESS, frames, table.decisions)
                raise endless(spec, fault) from None
            except (Exception, SystemExit) as error:  # whatever a strategy raises
                raise _error(spec, game, table, seat, error) from None
    return Replay(game, table, [bound.label for bound in seats])


def explain(spec: Spec, fault: Fault) -> StrategyError:
    """Play a faulty game again uncompiled and return the error with the true traceback."""
    bound = seating(spec, fault.game)[fault.seat]
    if fault.error == ENDLESS and (fault.frames or not bound.compiled):
        return endless(spec, fault)
    try:
        replay_spec(spec, fault.game)
    except StrategyError as error:
        return error
    if fault.error == ENDLESS:
        return StrategyError(
            f"{bound.full} in game {fault.game}, seat {fault.seat}: no answer within "
            f"{patience():g} s when compiled, but it answers when played "
            "uncompiled, so the compiled code has an endless loop; its thread runs on until Python "
            "ends. Replay: "
            f"{replay_command(spec, fault.game)}"
        )
    if bound.strategy.batch:
        return StrategyError(
            f"{bound.full} in game {fault.game}, seat {fault.seat}: {fault.error} when asked about "
            "many games together, but not about this one alone; its answer for a game must not "
            f"depend on the others. Replay: {replay_command(spec, fault.game)}"
        )
    what = fault.error or f"chose action {fault.action}, which is not legal"
    return StrategyError(
        f"{bound.full} in game {fault.game}, seat {fault.seat}: {what} when compiled, but not when "
        f"played uncompiled; replay: {replay_command(spec, fault.game)}"
    )


def is_shipped(game: Game, nodes: Sequence[Bound]) -> bool:
    """Whether a game and all strategies come with simlab."""
    ours = shipped_pack("strategies").resolve()
    return game.folder.resolve().is_relative_to(PACKAGE) and all(
        node.strategy.file.resolve().is_relative_to(ours) for node in nodes
    )


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
        with watching_here(worker, patience(worker.lockstep)):
            batch = worker.play(game, 1)
        if batch.fault is not None:
            raise explain(spec, batch.fault)
        if batch.results["score"][0].tolist() != scores:
            raise StrategyError(
                f"a strategy of {', '.join(spec.labels)} plays game {game} differently when "
                f"compiled (scores {batch.results['score'][0].tolist()}) than as plain Python "
                f"(scores {scores}); declare it with @strategy(..., compiled=False), or find the "
                f"difference with: {replay_command(spec, game)}"
            )


def is_found(game: Game, bound: Bound) -> bool:
    """Whether a bound strategy's label finds the same strategies again."""
    try:
        again = bind_for(game, bound.label)
    except UserError:
        return False
    pairs = zip(bound.nodes(), again.nodes(), strict=False)
    return all(node.strategy is other.strategy for node, other in pairs)


def replay_command(spec: Spec, game: int) -> str:
    """Return what replays a game: a command line, or Python where strategies live there alone."""
    if not all(is_found(spec.game, bound) for bound in spec.line_up):
        line_up = ", ".join(
            repr(bound.label) if is_found(spec.game, bound) else bound.strategy.name
            for bound in spec.line_up
        )
        changes = f", set={dict(spec.changes)!r}" if spec.changes else ""
        return (
            f"simlab.replay('{spec.game.name}', {game}, players={spec.players}, seed={spec.seed}, "
            f"lineup=[{line_up}], rules='{spec.book.rule_set}'{changes}, seats='{spec.seats}')"
        )
    words = ["simlab", "replay", spec.game.name, "--players", str(spec.players)]
    words += ["--seed", str(spec.seed), "--game", str(game)]
    words += spec.line_up_words() + spec.rule_words() + spec.place_words()
    if spec.seats != "rotate":
        words += ["--seats", spec.seats]
    return shlex.join(words)


def _error(spec: Spec, game: int, table: Table, seat: int, error: BaseException) -> StrategyError:
    bound = seating(spec, game)[seat]
    where = f"game {game}, seat {seat}, decision {table.decisions} ({table.decision})"
    command = replay_command(spec, game)
    if isinstance(error, IllegalAction):
        return StrategyError(f"{bound.full} in {where}: {error} Replay: {command}")
    trace = "".join(traceback.format_list(own_frames(error)))
    hint = ""
    if "read-only" in str(error):
        hint = " (a strategy may look at table, me and rules, not change them)"
    return StrategyError(
        f"{bound.full} failed in {where}: {type(error).__name__}: {error}{hint}. "
        f"Replay: {command}\n{trace}".rstrip()
    )


def endless(spec: Spec, fault: Fault) -> StrategyError:
    """Return what to tell of a strategy that did not answer, with the place where it stood."""
    bound = seating(spec, fault.game)[fault.seat]
    files = {str(node.strategy.file) for node in bound.nodes()}
    stood = [f"{f.filename}:{f.lineno}" for f in fault.frames if f.filename in files]
    place = f"an endless loop at {stood[-1]}" if stood else "a call that does not return"
    return StrategyError(
        f"{bound.full} has not answered within {patience(python=True):g} s in game {fault.game}, "
        f"seat {fault.seat}, decision {fault.decision}: {place}? Fix it, or allow more time: "
        f"SIMLAB_PATIENCE=600. Replay: {replay_command(spec, fault.game)}\n"
        f"{''.join(traceback.format_list(fault.frames))}".rstrip()
    )


def spec_of_run(folder: Path) -> tuple[Spec, dataset.RunFile]:
    """Rebuild the spec of a run folder; UserError with the reason where its files changed."""
    run = dataset.read_run_file(folder)
    told: dict[str, Any] = run.spec
    rules = {name: str(_data_file(folder, name, entry)) for name, entry in told["data"].items()}
    with looking_in(told.get("places") or None, missing_ok=True):
        spec = make_spec(
            told["game"], told["players"], told["line_up"], told["rules"],
            told["values"] | rules, told["seats"], told["seed"],
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
    if not run.span.first <= game < run.span.end:
        raise UserError(
            f"{folder} holds games {run.span.first:,} to {run.span.end - 1:,}; {game:,} is not "
            "among them."
        )
    shard = next(s for s in run.shards if s.first <= game < s.end)
    dataset.verify(folder, [shard])
    rows = pl.scan_parquet(folder / shard.name).filter(pl.col("game") == game).collect()
    replay = replay_spec(spec, game)
    if rows["score"].to_list() != replay.table.scores:
        raise AssertionError(
            f"game {game} of {folder} gave scores {rows['score'].to_list()}, its replay "
            f"{replay.table.scores}: this is a defect of simlab"
        )
    return replay
