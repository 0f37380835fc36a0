"""The sentences about strategies and rules that stop a run, and the command that plays it again."""

from __future__ import annotations

import shlex
import traceback
from collections.abc import Sequence
from typing import Any

from simlab import errors
from simlab.core import blame
from simlab.core.game import Game
from simlab.core.patience import seconds_allowed
from simlab.core.places import shipped_pack
from simlab.core.registry import bind_for
from simlab.core.strategy import Bound
from simlab.core.table import Table
from simlab.errors import IllegalAction, RulesError, StrategyError, UserError
from simlab.running.spec import Spec
from simlab.running.worker import Fault


def seating(spec: Spec, game: int) -> list[Bound]:
    """Return the bound strategy of each seat in a game of this run."""
    return [spec.line_up[entry] for entry in spec.design.entries(game, 1)[0].tolist()]


def is_found(game: Game, bound: Bound) -> bool:
    """Whether a bound strategy's label finds the same strategies again."""
    try:
        again = bind_for(game, bound.label)
    except UserError:
        return False
    pairs = zip(bound.nodes(), again.nodes(), strict=False)
    return all(node.strategy is other.strategy for node, other in pairs)


def replay_command(spec: Spec, game: int, deal: int | None = None) -> str:
    """Return what replays a game: a command line, or Python where strategies live there alone.

    deal: where it is not the one that the design says.
    """
    seated = spec.line_up if spec.blocks is None else seating(spec, game)
    seats = spec.seats if spec.blocks is None else "fixed"
    deal = game // spec.design.block if deal is None else deal
    if not all(is_found(spec.game, bound) for bound in seated):
        line_up = ", ".join(
            repr(bound.label) if is_found(spec.game, bound) else bound.strategy.name
            for bound in seated
        )
        changes = f", set={dict(spec.changes)!r}" if spec.changes else ""
        on = f", deal={deal}" if deal != game else ""
        return (
            f"simlab.replay('{spec.game.name}', {game}, players={spec.players}, seed={spec.seed}, "
            f"lineup=[{line_up}], rules='{spec.book.rule_set}'{changes}, seats='{seats}'{on})"
        )
    words = ["simlab", "replay", spec.game.name, "--players", str(spec.players)]
    words += ["--seed", str(spec.seed), "--game", str(game)]
    words += ["--deal", str(deal)] if deal != game else []
    if spec.blocks is None:
        words += spec.line_up_words()
    else:
        words += [word for bound in seated for word in ("-s", bound.label)]
    words += spec.rule_words() + spec.place_words()
    if seats != "rotate":
        words += ["--seats", seats]
    return shlex.join(words)


def is_shipped(game: Game, nodes: Sequence[Bound]) -> bool:
    """Whether a game and all strategies come with simlab."""
    ours = shipped_pack("strategies").resolve()
    return blame.is_shipped(game) and all(
        node.strategy.file.resolve().is_relative_to(ours) for node in nodes
    )


def failed(
    spec: Spec, game: int, table: Table, seat: int, error: BaseException, deal: int | None = None
) -> StrategyError:
    """Return the error of a strategy that raised one or chose what is not legal."""
    bound = seating(spec, game)[seat]
    where = f"game {game}, seat {seat}, decision {table.decisions} ({table.decision})"
    return told(spec.game, bound, where, error, f" Replay: {replay_command(spec, game, deal)}")


def told(game: Game, bound: Bound, where: str, error: BaseException, again: str) -> StrategyError:
    """Return the sentence about a strategy's error, with the person's own lines below it.

    where: game, seat and decision; again: how to see it once more.
    """
    if isinstance(error, IllegalAction):
        return StrategyError(f"{bound.full} in {where}: {error}{again}")
    files = [node.strategy.file for node in bound.nodes()]
    at = blame.place(error, files)
    said = errors.told(error) + blame.hint(error, game, bound.strategy)
    lines = blame.trace(error)
    return StrategyError(
        f"{bound.full} failed in {where}{f' at {at}' if at else ''}: {said}.{again}"
        + (f"\n{lines}" if lines else "")
    )


def in_rules(spec: Spec, game: int, error: RulesError, deal: int | None = None) -> RulesError:
    """Return an error of the rules with the game it came up in."""
    sentence, _, lines = str(error).partition("\n")
    again = f"{sentence} Game {game}; replay: {replay_command(spec, game, deal)}"
    return RulesError(f"{again}\n{lines}".rstrip())


def unlike(spec: Spec, game: int, plain: list[Any], compiled: list[Any]) -> StrategyError:
    """Return the error for a game that came out otherwise when it was played a second time."""
    own = [n for b in spec.line_up for n in b.nodes() if not is_shipped(spec.game, [n])]
    names = ", ".join(dict.fromkeys(node.name for node in own))
    files = ", ".join(dict.fromkeys(str(node.strategy.file) for node in own))
    if any(node.strategy.compiled for node in own):
        ways = f"as plain Python (scores {plain}) and compiled (scores {compiled})"
    else:
        ways = f"twice (scores {plain} and {compiled})"
    return StrategyError(
        f"game {game} comes out differently when it is played {ways}: {names} or the rules take "
        "chance from elsewhere than rng, memory from elsewhere than memo, or overflow a number; "
        f"`simlab check` finds the place ({files}). Replay: {replay_command(spec, game)}"
    )


def endless(spec: Spec, fault: Fault, deal: int | None = None) -> UserError:
    """Return what to tell of a strategy, or of rules, that did not answer: where they stood."""
    bound = seating(spec, fault.game)[fault.seat]
    files = {str(node.strategy.file) for node in bound.nodes()}
    parts = (spec.game.begin, spec.game.step, spec.game.legal, spec.game.score)
    rules = {part.__code__.co_filename for part in parts}
    if fault.frames and fault.frames[-1].filename in rules:
        files = set()
    stood = [f"{f.filename}:{f.lineno}" for f in fault.frames if f.filename in files]
    theirs = [f"{f.filename}:{f.lineno}" for f in fault.frames if f.filename in rules]
    by_rules = not stood and bool(theirs)
    stood = stood or theirs
    who = f"the rules of {spec.game.name} have" if by_rules else f"{bound.full} has"
    kind: type[UserError] = RulesError if by_rules else StrategyError
    place = f"an endless loop at {stood[-1]}" if stood else "a call that does not return"
    return kind(
        f"{who} not answered within {seconds_allowed(python=True):g} s in game {fault.game}, "
        f"seat {fault.seat}, decision {fault.decision}: {place}? Fix it, or allow more time: "
        f"SIMLAB_PATIENCE=600. Replay: {replay_command(spec, fault.game, deal)}\n"
        f"{''.join(traceback.format_list(fault.frames))}".rstrip()
    )
