"""What a replayed game and a table look like at the end of a cell."""

from __future__ import annotations

import re
from dataclasses import replace

import simlab


def test_a_replay_shows_its_rows_and_its_sentences_and_runs_no_script() -> None:
    played = simlab.replay("diamant", 7, players=3, lineup=["leave_first"])
    named = replace(played, strategies=["<script>alert(1)</script>", "a & b", "c"])
    shown = named._repr_html_()
    assert "<script" not in shown
    assert "<td>&lt;script&gt;alert(1)&lt;/script&gt;</td>" in shown
    assert "<td>a &amp; b</td>" in shown
    rows = re.findall(r"<tr>(.*?)</tr>", shown)
    assert [re.findall(r"<td>(.*?)</td>", row)[2:4] for row in rows[1:]] == [
        [str(score), str(rank)]
        for score, rank in zip(played.table.scores, played.table.ranks, strict=True)
    ]
    assert all(text in shown for text in played.table.log.sentences())
    assert len(repr(named)) < 200  # and not the whole game, its rules and its course


def test_a_table_shows_its_position_and_what_is_asked() -> None:
    table = simlab.Table("diamant", players=3).play("stay")
    assert str(table) in repr(table)
    assert repr(table).endswith("leave or stay?")
