"""Events on disk: in words where the game has them, and the table of a run by them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import simlab
from simlab import api
from simlab.core.game import rule_book
from simlab.core.records import EVENT
from simlab.core.registry import find_game
from simlab.errors import RulesError, UserError
from simlab.running import runner
from simlab.running.rows import columns_text, event_words, events_frame
from tests.analysis.by_hand import interval
from tests.depths import GROUPS, grouped

GAMES = 5_000
HOW: dict[str, Any] = {"lineup": ["random", "threshold(gems=8)*3"], "events": True}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[simlab.api.Run]:
    """A run over three shards, from a game in the middle of one, played in three steps."""
    folder = tmp_path_factory.mktemp("depths") / "run"
    with grouped():
        for first, n in ((1_500, 1_000), (700, 800), (700, GAMES)):
            run = simlab.run("diamant", 4, n, first_game=first, out=folder, **HOW)
        assert len([*folder.glob("events-*.parquet")]) == 3
        yield run


# --- the events --------------------------------------------------------------------------------


def test_what_is_written_in_words_and_all_shards_have_the_same(
    run: api.Run, tmp_path: Path
) -> None:
    files = sorted(run.folder.glob("events-*.parquet"))
    kinds = {pl.read_parquet_schema(file)["cards"] for file in files}
    assert kinds == {pl.Enum([f"depth_{n}" for n in range(1, 40)])}
    with grouped(names=None):
        plain = simlab.run("diamant", 4, GAMES, first_game=700, out=tmp_path / "plain", **HOW)
    numbers, words = plain.events().collect(), run.events().collect()
    assert numbers["cards"].dtype == pl.Int32
    assert [f"depth_{n}" for n in numbers["cards"]] == words["cards"].to_list()
    assert numbers.drop("cards").equals(words.drop("cards"))
    assert plain.scan().collect().equals(run.scan().collect())


def test_columns_say_what_the_words_are(run: api.Run) -> None:
    said = (run.folder / "columns.md").read_text()
    assert "event (left, accident, home), cards (enum: its name, such as depth_1), gems" in said
    assert "`simlab table RUN --by depth`: seats by `cards` of their events (left or home)." in said
    plain = columns_text(api.order("diamant", 4, 10, events=True).spec, events=False)
    assert "Events" not in plain


def records(*events: tuple[int, int, int]) -> Any:
    """Return event records of (game, kind, what)."""
    made = np.zeros(len(events), EVENT)
    for place, (game, kind, what) in enumerate(events):
        made[place]["game"], made[place]["kind"], made[place]["what"] = game, kind, what
    return made


def test_unused_numbers_are_no_words() -> None:
    words = ["tin", "", "", "ruby", "opal", ""]
    with grouped(names=lambda book: words):
        book = rule_book(find_game("diamant"))
        frame = events_frame(book, records((0, 0, 4), (0, 1, 0), (1, 2, 3)))
        none = events_frame(book, records())
    assert frame["cards"].to_list() == ["opal", "tin", "ruby"]
    assert frame["cards"].dtype == none["cards"].dtype == pl.Enum(["tin", "ruby", "opal"])
    assert frame["event"].to_list() == ["left", "accident", "home"]


def test_more_words_than_a_byte_counts() -> None:
    with grouped(names=lambda book: [f"card_{n}" for n in range(1000)]):
        frame = events_frame(rule_book(find_game("diamant")), records((0, 0, 999), (0, 0, 256)))
    assert frame["cards"].to_list() == ["card_999", "card_256"]


@pytest.mark.parametrize("what", [-1, 1, 3, 100])
def test_a_number_without_a_word_is_the_fault_of_the_rules(what: int) -> None:
    with (
        grouped(names=lambda book: ["tin", "", "ruby"]),
        pytest.raises(RulesError, match=rf"an event 'home' of game 7 has cards {what}, for which"),
    ):
        events_frame(rule_book(find_game("diamant")), records((0, 0, 2), (7, 2, what)))


@pytest.mark.parametrize("words", [["tin", "tin"], [], ["", ""]], ids=str)
def test_words_must_be_told_apart(tmp_path: Path, words: list[str]) -> None:
    said = r"^game 'diamant': events\.names names two numbers of cards alike, or none\.$"
    with grouped(names=lambda book: words):
        with pytest.raises(RulesError, match=said):
            event_words(rule_book(find_game("diamant")))
        with pytest.raises(RulesError, match=said):
            simlab.run("diamant", 4, 10, out=tmp_path / "run", events=True)
        assert not [*tmp_path.rglob("*.parquet")]


# --- the table ---------------------------------------------------------------------------------


def by_brute_force(run: api.Run, by: str) -> pd.DataFrame:
    """Return the table as pandas makes it of what is on disk."""
    columns = ["game", "deal", "seat", "win", "score"]
    rows = pd.DataFrame(run.scan().select(columns).collect().to_dicts())
    events = pd.DataFrame(run.events().collect().to_dicts())
    had = events[events["event"].isin(GROUPS[by])]
    assert had.duplicated(["game", "seat", "cards"]).any()
    had = had[["game", "seat", "cards"]].drop_duplicates()
    both = had.merge(rows, on=["game", "seat"], how="left", validate="many_to_one")
    found = []
    for word, seats in both.groupby("cards"):
        units = seats.groupby("deal").agg(a=("win", "size"), win=("win", "sum"), s=("score", "sum"))
        win, score = interval(units.a, units.win, True), interval(units.a, units.s, False)
        found.append([word, len(seats), *win, *score, seats["score"].std()])
    columns = ["games", "win_share", "win_share_low", "win_share_high"]
    columns += ["score_mean", "score_low", "score_high", "score_sd"]
    return pd.DataFrame(found, columns=[by, *columns])


@pytest.mark.parametrize("by", GROUPS)
def test_the_table_is_that_of_brute_force(run: api.Run, by: str) -> None:
    table = run.table(by)
    expected = by_brute_force(run, by).set_index(by)
    assert {row.value for row in table.table.rows} == set(expected.index)
    for entry in json.loads(table.write("json"))["rows"]:
        for name, value in expected.loc[entry[by]].items():
            if pd.isna(value):
                assert entry[str(name)] is None, (entry, name)
            else:
                assert entry[str(name)] == pytest.approx(value, rel=1e-9, abs=1e-9), (entry, name)
    shares = [row.win.estimate for row in table.table.rows]
    assert shares == sorted(shares, reverse=True)
    assert table.frame().to_dicts() == table.objects()
    assert (table.table.games, table.table.truncated) == (GAMES, 0)


def test_a_part_of_the_folder_is_its_own_table(run: api.Run, tmp_path: Path) -> None:
    part = simlab.run("diamant", 4, 1_000, first_game=1_900, out=run.folder, **HOW)
    alone = simlab.run("diamant", 4, 1_000, first_game=1_900, out=tmp_path / "alone", **HOW)
    assert part.played == 0
    assert part.table("depth").objects() == alone.table("depth").objects()
    assert part.table("depth").objects() != run.table("depth").objects()


def test_by_numbers_where_the_game_has_no_words(run: api.Run, tmp_path: Path) -> None:
    with grouped(names=None):
        plain = simlab.run("diamant", 4, GAMES, first_game=700, out=tmp_path / "plain", **HOW)
        numbers = plain.table("depth").table.rows
    words = run.table("depth").table.rows
    assert {(f"depth_{row.value}", row.win) for row in numbers} == {(r.value, r.win) for r in words}


def test_ties_and_level_are_those_of_every_table(run: api.Run) -> None:
    usual, shared = run.table("depth"), run.table("depth", ties="share", level=0.8)
    assert "Ties (share)" in str(shared)
    assert "80 %" in str(shared)
    widths = [
        {row.value: row.score.high - row.score.low for row in table.table.rows if row.score.high}
        for table in (usual, shared)
    ]
    assert all(widths[1][word] < widths[0][word] for word in widths[0])


def test_a_caution_stands_by_the_table_in_every_form(run: api.Run) -> None:
    table = run.table("depth")
    said = "Caution: association, not cause: who has such an event (left or home) differs"
    held = "Seats held: those with at least one such event in a game; several with the same cards"
    cautions = [line for line in table.lines if line.startswith("Caution: ")]
    assert len(cautions) == 1 + len(run.cautions()) == 2
    for form in ("text", "json", "markdown", "html"):
        assert said in table.write(form)
        assert held in table.write(form)
    assert said in str(table)
    assert said in table._repr_html_()
    assert not [line for line in run.table("cards").lines if "association" in line]


def test_nothing_is_said_about_the_strategy_of_all_seats(tmp_path: Path) -> None:
    with grouped():
        run = simlab.run("diamant", 3, 50, ["random"], out=tmp_path / "run", events=True)
        assert "says nothing about it" in str(run.table())
        assert "says nothing about it" not in str(run.table("depth"))


def test_a_page_shows_the_caution(run: api.Run, tmp_path: Path) -> None:
    script = tmp_path / "depths.py"
    script.write_text(
        '"""Depths."""\n\nfrom simlab import report_section\n\n\n'
        '@report_section("Depths")\ndef depths(run):\n'
        '    return run.table("depth")\n'
    )
    page = simlab.report(run, str(script), tmp_path / "page.html").read_text()
    assert "association, not cause: who has such an event (left or home) differs" in page
    assert "depth_3" in page


def test_nobody_had_such_an_event(tmp_path: Path) -> None:
    with grouped():
        game = find_game("diamant")
        assert game.events is not None
        object.__setattr__(game, "events", replace(game.events, groups={"nothing": ()}))
        run = simlab.run("diamant", 4, 100, out=tmp_path / "run", events=True)
        table = run.table("nothing")
    assert table.objects() == []
    assert "No seat had such an event" in str(table)
    for form in ("text", "csv", "json", "markdown", "html"):
        assert "nothing" in table.write(form)


# --- slips -------------------------------------------------------------------------------------


def test_an_unknown_name_gets_the_nearest_of_columns_and_groups(run: api.Run) -> None:
    for by, near in (("dept", "depth"), ("fal", "fall"), ("stratgy", "strategy")):
        with pytest.raises(UserError, match=rf"no column '{by}' in .*; did you mean {near}\?$"):
            run.table(by)
    with pytest.raises(UserError, match=r"choose from game, .*, alone, depth, fall\.$"):
        run.table("xyzzy")


def test_a_game_without_events_says_so(run: api.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game("diamant")
    usual = game.events
    object.__setattr__(game, "events", None)
    try:
        with pytest.raises(
            UserError, match=r"^no column 'xyz' in .* \(diamant records no events\);"
        ):
            run.table("xyz")
    finally:
        object.__setattr__(game, "events", usual)


def test_shards_without_events_are_found_before_anything_is_read(
    run: api.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = simlab.run("diamant", 4, GAMES, out=tmp_path / "bare", lineup=HOW["lineup"])
    read: list[object] = []
    monkeypatch.setattr(api.Run, "pieces", lambda *words: read.append(words) or iter([]))
    with pytest.raises(UserError, match=r"bare holds no events; record them with: simlab run "):
        bare.table("depth")
    assert read == []


def test_the_order_of_a_run_is_the_command_that_records_its_events(tmp_path: Path) -> None:
    with grouped():
        bare = simlab.run("diamant", 4, 3_000, out=tmp_path / "my run", seed=5)
        with pytest.raises(UserError) as raised:
            bare.table("depth")
        command = str(raised.value).split(": ", 1)[1]
        assert command.startswith("simlab run diamant --players 4 --n 3000 --seed 5 --events --out")
        again = api.order("diamant", 4, 3_000, out=tmp_path / "my run", seed=5, events=True)
        assert f"'{tmp_path / 'my run'}'" in command
        runner.play(again)
        assert simlab.load(tmp_path / "my run").table("depth").objects()
