"""What a notebook imports: run, load, questions, Table, lists of games and strategies."""

from __future__ import annotations

from simlab.api.asking import (
    compare_rules,
    duel,
    question_of_file,
    sample_size,
    sweep,
    tournament,
)
from simlab.api.extending import check, list_games, list_strategies, new, rules, warm
from simlab.api.folders import Run, answer, is_folder, load, table
from simlab.api.looking_after import doctor, runs
from simlab.api.orders import (
    as_toml,
    carry_out,
    kind_of_file,
    order,
    order_of_file,
    plan,
    planned,
    run,
)
from simlab.api.playing import play, replay
from simlab.api.showing import report
from simlab.core.table import Table

__all__ = [
    "Run",
    "Table",
    "answer",
    "as_toml",
    "carry_out",
    "check",
    "compare_rules",
    "doctor",
    "duel",
    "is_folder",
    "kind_of_file",
    "list_games",
    "list_strategies",
    "load",
    "new",
    "order",
    "order_of_file",
    "plan",
    "planned",
    "play",
    "question_of_file",
    "replay",
    "report",
    "rules",
    "run",
    "runs",
    "sample_size",
    "sweep",
    "table",
    "tournament",
    "warm",
]  # fmt: skip
