"""Single games: told again in sentences, or played at the keyboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab.api.folders import a_path, check_run_folder, is_folder
from simlab.api.orders import MOST_GAMES
from simlab.core.parameters import read_whole
from simlab.core.places import Named, looking_in
from simlab.core.table import Table
from simlab.running import replay as replaying
from simlab.running.spec import make_spec

if TYPE_CHECKING:
    from simlab.reporting.replayed import Replayed


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
    deal: int | None = None,
    strategies: Named | None = None,
) -> Replayed:
    """Play one game again, in sentences: of a run folder, or of a game's name with its options.

    The result has .text, .table, .summary(), .plot() and .report().

    deal: the deal it is played on, where that is not the number of the game.
    Raises UserError where the files that made a run have changed since.
    """
    number = read_whole(game, "--game", 0, MOST_GAMES)
    with looking_in(strategies):
        if is_folder(run):
            check_run_folder(a_path(run))
            return _told(replaying.replay_run(a_path(run), number))
        spec = make_spec(str(run), players, lineup, rules, set, seats, seed)
        on = None if deal is None else read_whole(deal, "--deal", 0, MOST_GAMES)
        return _told(replaying.replay_spec(spec, number, on))


def _told(replay: replaying.Replay) -> Replayed:
    from simlab.reporting.replayed import Replayed

    return Replayed.of(replay)


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
