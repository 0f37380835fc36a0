"""What a notebook imports: run, load, replay, Table, lists of games and strategies."""

from __future__ import annotations

from simlab.api.asking import duel
from simlab.api.extending import check, list_games, list_strategies, new, rules, warm
from simlab.api.folders import Run, answer, is_folder, load, table
from simlab.api.looking_after import doctor, runs
from simlab.api.orders import carry_out, order, order_of_file, plan, planned, run
from simlab.api.playing import play, replay
from simlab.api.showing import report
from simlab.core.table import Table

__all__ = [
    "Run",
    "Table",
    "answer",
    "carry_out",
    "check",
    "doctor",
    "duel",
    "is_folder",
    "list_games",
    "list_strategies",
    "load",
    "new",
    "order",
    "order_of_file",
    "plan",
    "planned",
    "play",
    "replay",
    "report",
    "rules",
    "run",
    "runs",
    "table",
    "warm",
]  # fmt: skip
