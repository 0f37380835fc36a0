"""Tournaments: who sits where, what is said of it, and that only missing games are ever played."""

from __future__ import annotations

import itertools
import shutil
import weakref
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import ttest_1samp

from simlab.analysis.buckets import Buckets
from simlab.analysis.corrections import holm
from simlab.analysis.jackknife import head_to_head
from simlab.core.places import looking_in
from simlab.core.registry import find_game
from simlab.errors import UserError
from simlab.running import runner
from simlab.study import settling, tournament
from simlab.study.asking import How
from simlab.study.field import FAR, Games
from simlab.study.folder import Part, read_study
from tests.study.killing import failing

FIELD = ["risk_limit", "threshold", "threshold(gems=16)", "random"]
DISTINCT: dict[str, Any] = {"field": FIELD, "n": 4_000}  # 233 deals of 12 games, 1,200 for pairs
ROUNDS: dict[str, Any] = {"field": FIELD, "n": 1_000}  # 58 rounds of 12 games
NEW = "trap_count"


def ask(out: Path, how: How | None = None, **given: Any) -> tournament.Tournament:
    said: dict[str, Any] = {"game": "diamant", "players": 3} | given
    folder = tournament.asking(**said).play(replace(how or How(jobs=1), out=out))
    return tournament.read(folder, read_study(folder))


def rows(folder: Path) -> pl.DataFrame:
    found = pl.read_parquet(folder / "games-*.parquet")
    return found.with_columns(pl.col("strategy").cast(str))


def files(folder: Path) -> dict[str, bytes]:
    found = {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*.parquet")}
    assert found
    return found


def line_ups(found: pl.DataFrame) -> dict[int, Counter[tuple[str, ...]]]:
    """Return how often each line-up, in any order, played each deal."""
    games = found.group_by("deal", "game", maintain_order=True).agg(pl.col("strategy").sort())
    per_deal: dict[int, Counter[tuple[str, ...]]] = {}
    for deal, names in games.select("deal", "strategy").iter_rows():
        per_deal.setdefault(deal, Counter())[tuple(names)] += 1
    return per_deal


def pieces(folder: Path) -> list[dict[str, Any]]:
    found = read_study(folder).notes["pieces"]
    assert isinstance(found, list)
    return found


@pytest.fixture(scope="module", autouse=True)
def small() -> Iterator[None]:
    """Let a shard be small, so that parts have several, and play for pairs in few steps."""
    game = find_game("diamant")
    usual = game.shard_games, tournament.CHAPTERS
    object.__setattr__(game, "shard_games", 600)
    tournament.CHAPTERS = 2
    yield
    object.__setattr__(game, "shard_games", usual[0])
    tournament.CHAPTERS = usual[1]


@pytest.fixture(scope="module")
def distinct(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tournament") / "distinct"
    ask(folder, **DISTINCT)
    return folder


@pytest.fixture(scope="module")
def rounds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tournament") / "rounds"
    ask(folder, **ROUNDS)
    return folder


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Let nothing be played."""

    def play(*given: Any) -> Any:
        raise AssertionError("something is played")

    monkeypatch.setattr(runner, "_play", play)
    return monkeypatch


def held(found: tournament.Tournament) -> Any:
    """Return all numbers of an answer."""
    return found.summary().rows(), found.pairs().rows(), found.games, found.coverage, found.deals


# --- who sits where ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["distinct", "rounds"])
def test_everybody_holds_every_seat_equally_often(
    kind: str, request: pytest.FixtureRequest
) -> None:
    folder: Path = request.getfixturevalue(kind)
    found = rows(folder / "part-000")
    assert pieces(folder)[0]["design"]["kind"] == ("all distinct" if kind == "distinct" else kind)
    counts = found.group_by("strategy", "seat").len()
    assert counts.height == 4 * 3
    assert counts["len"].n_unique() == 1
    for played in line_ups(found).values():
        assert set(played.values()) == {3}  # the three rotations
        if kind == "distinct":
            assert sorted(played) == sorted(
                tuple(sorted(each)) for each in itertools.combinations(FIELD, 3)
            )
        assert set(Counter(name for line_up in played for name in line_up).values()) == {3}


def test_pairs_that_are_not_settled_get_games_of_their_own(distinct: Path) -> None:
    answer = tournament.read(distinct, read_study(distinct))
    own = [piece for piece in pieces(distinct) if piece["role"] == "pairs"]
    assert own
    extra: Counter[frozenset[str]] = Counter()
    deals: list[int] = []
    for piece in own:
        found = rows(distinct / piece["folder"])
        pairs = [frozenset(FIELD[at] for at in pair) for pair in piece["design"]["pairs"]]
        for deal, played in line_ups(found).items():
            deals.append(deal)
            assert sum(played.values()) == 3 * len(pairs)
            for pair in pairs:
                assert any(pair <= set(line_up) for line_up in played)
                extra[pair] += 3
    assert deals == list(range(FAR, FAR + len(deals)))
    close, settled = frozenset(FIELD[1:3]), frozenset(FIELD[::3])
    assert (extra[close] > 0, extra[settled]) == (True, 0)
    told = {frozenset([row["first"], row["second"]]): row for row in answer.pairs().to_dicts()}
    assert {pair: row["extra"] for pair, row in told.items() if row["extra"]} == dict(extra)
    assert told[settled]["verdict"] != 0
    assert answer.extra == sum(extra.values()) <= 1_200
    assert answer.balanced == 233 * 12
    assert answer.games <= 4_000


def test_no_more_games_than_were_allowed(tmp_path: Path) -> None:
    found = ask(tmp_path / "x", field=FIELD, n=131)
    assert (found.balanced, found.extra % 3) == (7 * 12, 0)
    assert 36 <= found.extra <= 39
    many = [piece for piece in pieces(tmp_path / "x") if len(piece["design"].get("pairs", [])) > 1]
    assert many


# --- what is said --------------------------------------------------------------------------------


def test_shares_scores_and_pairs_follow_from_the_rows(distinct: Path) -> None:
    answer = tournament.read(distinct, read_study(distinct))
    found = rows(distinct / "part-000")
    by_hand = found.group_by("strategy").agg(pl.col("win", "score").mean(), pl.len())
    means = {name: values for name, *values in by_hand.iter_rows()}
    frame = answer.summary()
    assert frame["win_share"].is_sorted(descending=True)
    assert frame["place"].to_list() == [1, 2, 3, 4]
    for name, share, score, games, deals in frame.select(
        "strategy", "win_share", "score_mean", "games", "deals"
    ).iter_rows():
        assert (share, score, games, deals) == pytest.approx((*means[name], 233))

    both = found.join(found, on=["game", "deal"], suffix="_other")
    both = both.filter(pl.col("strategy") != pl.col("strategy_other"))
    ahead = (pl.col("rank_other").cast(int) - pl.col("rank").cast(int)).sign()
    both = both.with_columns(beats=0.5 + ahead / 2, apart=pl.col("win") - pl.col("win_other"))
    extra = dict(answer.pairs().select(pl.concat_str("first", "second"), "extra").iter_rows())
    for row in answer.pairs().iter_rows(named=True):
        mine = both.filter(strategy=row["first"], strategy_other=row["second"])
        assert row["beats"] == pytest.approx(mine["beats"].mean())
        assert row["beats_low"] < row["beats"] < row["beats_high"]
        if not extra[row["first"] + row["second"]]:
            assert row["difference"] == pytest.approx(mine["apart"].mean())
            units = mine.group_by("deal").agg(pl.col("apart").mean())["apart"]
            p = ttest_1samp(units.to_numpy(), 0).pvalue
            assert row["p"] == pytest.approx(min(1, 2 * p), rel=1e-6)
        assert row["low"] <= row["difference"] <= row["high"]


def test_ordered_pairs_mirror_each_other(distinct: Path) -> None:
    frame = tournament.read(distinct, read_study(distinct)).pairs()
    assert frame.height == 4 * 3
    there = {(row["first"], row["second"]): row for row in frame.iter_rows(named=True)}
    for (first, second), row in there.items():
        back = there[second, first]
        assert row["beats"] + back["beats"] == pytest.approx(1)
        assert row["beats_low"] + back["beats_high"] == pytest.approx(1)
        assert (row["difference"], row["low"]) == (-back["difference"], -back["high"])
        assert (row["p_holm"], row["verdict"]) == (back["p_holm"], -back["verdict"])


def test_coverage_is_what_was_played(rounds: Path) -> None:
    answer = tournament.read(rounds, read_study(rounds))
    played = [line_up for d in line_ups(rows(rounds / "part-000")).values() for line_up in d]
    each = Counter(name for line_up in played for name in line_up)
    met = Counter(pair for line_up in played for pair in itertools.combinations(line_up, 2))
    assert answer.coverage is not None
    assert answer.coverage.line_ups == len(played)
    assert answer.coverage.appearances == (min(each.values()), max(each.values()))
    assert answer.coverage.meetings == (min(met.values()), max(met.values()))


def buckets(apart: list[float], deals: int) -> Buckets:
    """Return totals of three strategies, two of which meet in every deal, this much apart."""
    totals = Buckets(["a", "b", "c"])
    rng = np.random.default_rng(5)
    for first, second in itertools.combinations(range(3), 2):
        value = rng.normal(apart[first] - apart[second], 0.3, deals)
        totals.beside[:deals, [first, second], [second, first]] = 1
        totals.beside_wins[:deals, first, second] = (1 + value) / 2
        totals.beside_wins[:deals, second, first] = (1 - value) / 2
        totals.points[:deals, [first, second], [second, first]] = 0.5
    totals.deals[:] = deals
    return totals


def test_half_of_the_error_goes_to_each_kind_of_games() -> None:
    totals, level = buckets([0.03, 0.08, 0.0], 300), 0.95
    alone = settling.meetings(totals, None, level, {})
    assert ((alone[1].difference or 0) > 0, alone[1].verdict) == (True, 0)
    fixed = [head_to_head(totals, m.first, m.second, 1 - 0.05 / 3) for m in alone]
    assert [m.p for m in alone] == [f.p for f in fixed]
    assert [(m.low, m.high) for m in alone] == [(f.low, f.high) for f in fixed]

    sequences = settling.Sequences(totals, 1 - 0.05 / 6, 4_000)
    none = settling.meetings(totals, sequences, level, {})
    assert [m.p for m in none] == [min(1, 2 * m.p) for m in alone]
    assert all(m.low < a.low < a.high < m.high for m, a in zip(none, alone, strict=True))  # type: ignore[operator]

    own = sequences.of[0, 2]
    own.add(2_000, -200.0, 500.0)  # the second is better after all, far beyond doubt
    found = settling.meetings(totals, sequences, level, {(0, 2): 2_000})
    p = [2 * min(f.p or 0, s.p) for f, s in zip(fixed, sequences.of.values(), strict=True)]
    assert [m.p for m in found] == [min(1, each) for each in p]
    assert [m.p_holm for m in found] == pytest.approx(holm(np.array([m.p for m in found])))
    assert (found[1].verdict, found[1].extra) == (-1, 2_000)
    assert (found[1].low, found[1].high, found[1].difference) == (*own.interval(), own.mean)
    assert [found[at].verdict for at in (0, 2)] == [m.verdict for m in (none[0], none[2])]


@pytest.mark.parametrize("total", [-100.0, -40.0, -10.0, 0.0, 40.0, 100.0, 200.0])
def test_what_is_shown_of_a_pair_agrees_with_itself(total: float) -> None:
    totals = buckets([0.03, 0.0, 0.0], 300)
    sequences = settling.Sequences(totals, 1 - 0.05 / 6, 4_000)
    own = sequences.of[0, 1]
    own.add(1_000, total, 90.0)
    fixed = head_to_head(totals, 0, 1, 1 - 0.05 / 6)
    pair = settling.meetings(totals, sequences, 0.95, {})[0]
    assert (fixed.low or 0) < 0 < (fixed.high or 0)
    assert None not in (pair.low, pair.high, pair.difference)
    low, high, value = pair.low or 0.0, pair.high or 0.0, pair.difference or 0.0
    assert low <= value <= high
    assert (low, high) == (
        max(own.interval()[0], fixed.low),
        min(own.interval()[1], fixed.high),
    ) or ((low, high) == own.interval() and abs(own.mean - value) < 1e-12)
    if pair.verdict:
        assert np.sign(value) == pair.verdict == own.sign


def test_where_both_kinds_disagree_the_surer_one_has_the_word() -> None:
    found = head_to_head(buckets([0.01, 0.0, 0.0], 3_000 // 3), 0, 1, 0.99)
    own = settling.Sequences(buckets([0.0] * 3, 300), 0.99, 4_000).of[0, 1]
    own.add(300, -3.0, 90.0)
    low, high = own.interval()
    assert low < (found.low or 0) < own.mean < 0 < (found.estimate or 0) < (found.high or 0) < high
    assert settling._both(found, own, by_own=True) == (found.low, found.high, own.mean)
    assert settling._both(found, own, by_own=False) == (found.low, found.high, found.estimate)


def test_pairs_that_hardly_met_are_not_judged() -> None:
    few = settling.meetings(buckets([0.9, 0.0, 0.0], 4), None, 0.95, {})
    assert [(m.p, m.verdict, m.note) for m in few] == [(1, 0, few[0].note)] * 3
    assert few[0].note is not None


def test_reading_holds_one_shard_at_a_time(distinct: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[weakref.ref[pl.DataFrame]] = []
    alive: list[int] = []
    usual = Part.frames

    def watched(part: Part, columns: list[str]) -> Iterator[pl.DataFrame]:
        for frame in usual(part, columns):
            seen.append(weakref.ref(frame))
            alive.append(sum(one() is not None for one in seen))
            yield frame

    monkeypatch.setattr(Part, "frames", watched)
    tournament.read(distinct, read_study(distinct))
    assert len(alive) > 5
    assert max(alive) <= 3  # the one before, and the last of another part


# --- that only missing games are played ----------------------------------------------------------


def test_the_same_again_plays_nothing(
    distinct: Path, rounds: Path, idle: pytest.MonkeyPatch
) -> None:
    for folder, asked in ((distinct, DISTINCT), (rounds, ROUNDS)):
        before, answer = files(folder), tournament.read(folder, read_study(folder))
        assert held(ask(folder, **asked)) == held(answer)
        assert files(folder) == before


def test_the_order_of_the_field_does_not_matter(
    rounds: Path, tmp_path: Path, idle: pytest.MonkeyPatch
) -> None:
    shutil.copytree(rounds, tmp_path / "x")
    turned = ask(tmp_path / "x", **ROUNDS | {"field": ",".join(FIELD[::-1])})
    usual = tournament.read(rounds, read_study(rounds))
    for one, two in ((turned.summary(), usual.summary()), (turned.pairs(), usual.pairs())):
        assert one.select(pl.col(pl.String)).equals(two.select(pl.col(pl.String)))
        for name in one.select(pl.selectors.numeric()).columns:
            assert one[name].to_list() == pytest.approx(two[name].to_list(), abs=1e-6)


def test_workers_do_not_show(rounds: Path, tmp_path: Path) -> None:
    ask(tmp_path / "x", How(jobs=2), **ROUNDS)
    assert files(tmp_path / "x") == files(rounds)
    assert pieces(tmp_path / "x") == pieces(rounds)


@pytest.mark.parametrize("at", [1, 2, 3], ids=["in the base", "between parts", "in the pairs"])
def test_a_killed_one_goes_on_to_the_same_games_and_pairs(
    rounds: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    with monkeypatch.context() as killed:
        failing(killed, at)
        with pytest.raises(MemoryError):
            ask(tmp_path / "x", **ROUNDS)
    with pytest.raises(UserError, match="is not finished; go on with: simlab tournament"):
        tournament.read(tmp_path / "x", read_study(tmp_path / "x"))
    done = files(tmp_path / "x")
    assert len(done) == at
    again = ask(tmp_path / "x", **ROUNDS)
    assert {name: files(tmp_path / "x")[name] for name in done} == done
    assert files(tmp_path / "x") == files(rounds)
    assert pieces(tmp_path / "x") == pieces(rounds)
    assert held(again) == held(tournament.read(rounds, read_study(rounds)))


def test_what_was_killed_can_be_ended_with_fewer_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as killed:
        failing(killed, 1)
        with pytest.raises(MemoryError):
            ask(tmp_path / "x", field=FIELD, n=20_000)
    assert ask(tmp_path / "x", field=FIELD, n=1_000, unsettled=0).games == 83 * 12
    ask(tmp_path / "x", field=FIELD, n=3_000, unsettled=0)
    ask(tmp_path / "y", field=FIELD, n=3_000, unsettled=0)
    assert files(tmp_path / "x") == files(tmp_path / "y")


def test_open_pairs_of_another_field_are_left_as_they_are(
    rounds: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(rounds, tmp_path / "x")
    with monkeypatch.context() as killed:
        failing(killed, 0)
        with pytest.raises(MemoryError):
            ask(tmp_path / "x", **ROUNDS, unsettled=0.5)
    begun = pieces(tmp_path / "x")[-1]
    assert begun["role"] == "pairs"
    found = ask(tmp_path / "x", field=[*FIELD, NEW], n=600, unsettled=0)
    assert not list((tmp_path / "x" / begun["folder"]).glob("*.parquet"))
    assert found.extra == 0


def test_more_games_only_lengthen(rounds: Path, tmp_path: Path) -> None:
    shutil.copytree(rounds, tmp_path / "x")
    more = ask(tmp_path / "x", **ROUNDS | {"n": 2_000})
    before, after = rows(rounds / "part-000"), rows(tmp_path / "x" / "part-000")
    assert after.head(before.height).equals(before)
    assert (more.balanced, after["deal"].n_unique()) == (116 * 12, 116)
    kept = [name for name in files(rounds) if not name.startswith("part-000")]
    assert {name: files(tmp_path / "x")[name] for name in kept} == {
        name: files(rounds)[name] for name in kept
    }
    assert pieces(tmp_path / "x")[1 : len(pieces(rounds))] == pieces(rounds)[1:]


@pytest.mark.parametrize("kind", ["distinct", "rounds"])
def test_a_new_strategy_plays_only_its_own_line_ups(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(request.getfixturevalue(kind), tmp_path / "x")
    given: dict[str, Any] = {
        **(DISTINCT if kind == "distinct" else ROUNDS),
        "n": 600,
        "unsettled": 0,
    }
    small = ask(tmp_path / "x", **given)
    before = files(tmp_path / "x")
    grown: dict[str, Any] = {**given, "field": [NEW, *FIELD]}
    with monkeypatch.context() as killed:
        failing(killed, 1 if kind == "distinct" else 0)
        with pytest.raises(MemoryError):
            ask(tmp_path / "x", **grown)
    assert held(ask(tmp_path / "x", **given)) == held(small)  # meanwhile the old field is there
    answer = ask(tmp_path / "x", **grown)
    assert {name: files(tmp_path / "x")[name] for name in before} == before
    *earlier, last = pieces(tmp_path / "x")
    assert [{piece["role"] for piece in earlier}, last["role"]] == [{"base", "pairs"}, "added"]
    base, added = (rows(tmp_path / "x" / name) for name in ("part-000", last["folder"]))
    assert added["deal"].unique().to_list() == base["deal"].unique().to_list()
    for played in line_ups(added).values():
        assert all(NEW in line_up for line_up in played)
        assert set(played.values()) == {3}
        assert len(played) == (6 if kind == "distinct" else 3)
    seats = added.filter(strategy=NEW)["seat"].value_counts()["count"]
    assert seats.n_unique() == 1
    both = pl.concat([base, added]).group_by("strategy").agg(pl.col("win").mean(), pl.len())
    means = {name: values for name, *values in both.iter_rows()}
    for name, *values in answer.summary()["strategy", "win_share", "games"].iter_rows():
        assert values == pytest.approx(means[name])
    assert answer.deals == dict.fromkeys([NEW, *FIELD], base["deal"].n_unique())
    with monkeypatch.context() as patch:
        patch.setattr(runner, "_play", None)  # nothing is missing any more
        assert held(ask(tmp_path / "x", **grown)) == held(answer)
        assert held(ask(tmp_path / "x", **given)) == held(small)


def test_without_a_strategy_the_games_of_the_others_count(
    distinct: Path, tmp_path: Path, idle: pytest.MonkeyPatch
) -> None:
    shutil.copytree(distinct, tmp_path / "x")
    three = FIELD[:3]
    answer = ask(tmp_path / "x", field=three, n=699, unsettled=0)
    found = rows(tmp_path / "x" / "part-000")
    among = found.filter(pl.col("strategy").is_in(three).all().over("game"))
    means = dict(among.group_by("strategy").agg(pl.col("win").mean()).iter_rows())
    shares = dict(answer.summary().select("strategy", "win_share").iter_rows())
    assert shares == pytest.approx(means)
    assert (answer.games, answer.coverage) == (233 * 3, None)


def test_a_changed_strategy_is_a_new_one(tmp_path: Path) -> None:
    own = tmp_path / "steady.py"
    text = (
        "from simlab import strategy\n"
        "from simlab.games.diamant import LEAVE, STAY\n\n\n"
        "@strategy('diamant', compiled=False)\n"
        "def steady(table, me):\n"
        "    return LEAVE if table.carried[me.explorer] >= 12 else STAY\n"
    )
    given: dict[str, Any] = {"field": ["steady", "threshold", "random"], "n": 60, "unsettled": 0}
    own.write_text(text)
    with looking_in(own):
        ask(tmp_path / "x", **given)
    before = files(tmp_path / "x")
    own.write_text(text.replace("12", "1"))
    with looking_in(own):
        changed = ask(tmp_path / "x", **given)
    first, second = pieces(tmp_path / "x")
    assert [one == two for one, two in zip(first["field"], second["field"], strict=True)] == [
        False, True, True
    ]  # fmt: skip
    assert (first["first"], second["first"], second["role"]) == (0, 20, "base")
    assert {name: files(tmp_path / "x")[name] for name in before} == before
    assert changed.games == 60
    alone = rows(tmp_path / "x" / "part-001").group_by("strategy").agg(pl.col("win").mean())
    shares = changed.summary().select("strategy", "win_share")
    assert dict(shares.iter_rows()) == pytest.approx(dict(alone.iter_rows()))
    own.write_text(text)
    with looking_in(own):
        ask(tmp_path / "x", **given)
    assert len(pieces(tmp_path / "x")) == 2  # the old one has its games still


def test_games_for_pairs_do_not_count_where_none_were_asked_for(
    rounds: Path, tmp_path: Path
) -> None:
    shutil.copytree(rounds, tmp_path / "x")
    plain = ask(tmp_path / "x", **ROUNDS | {"n": 700}, unsettled=0)
    assert (plain.games, plain.extra, len(plain.parts)) == (58 * 12, 0, 1)
    assert plain.pairs()["extra"].sum() == 0


def test_games_of_a_smaller_field_are_counted_as_they_are() -> None:
    games = Games(3, 1)
    names = [f"{at:016x}" for at in range(5)]
    games.enough(names[:4], 2_400)
    games.enough(names, 2_400)
    base, added = games.pieces
    assert (base.deals, added.deals) == (200, 200)
    assert games.counted(names[:4]) == [base]
    assert [games._fitting(piece, names[:4]) for piece in games.pieces] == [12, 0]
    assert [games._fitting(piece, names[1:]) for piece in games.pieces] == [3, 9]
    assert games.enough(names[:4], 2_400) == []
    (more,) = games.enough(names[:4], 2_412)
    assert (more.role, more.first, more.deals) == ("base", 200, 1)


# --- wrong input ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"field": "threshold"}, "a tournament needs at least 2 strategies; 1 was given"),
        ({"field": []}, "--field|at least 2 strategies"),
        ({"field": FIELD[:2]}, "2 strategies cannot fill 3 seats"),
        ({"field": [*FIELD, "threshold(gems=15)"]}, "--field names threshold twice"),
        ({"field": "threshold*3"}, "--field names threshold twice"),
        ({"field": "threshold,treshold,random"}, "no strategy 'treshold' in diamant; did you mean"),
        ({"field": "threshold,,random"}, "--field: an entry is empty"),
        ({"field": [f"threshold(gems={g})" for g in range(201)]}, "at most 200"),
        ({"n": -1}, "--n is '-1'; it takes a whole number from 1"),
        ({"n": "many"}, "--n is 'many'"),
        ({"unsettled": "95%"}, "--unsettled is '95%'"),
        ({"confidence": 95}, "--confidence is '95'; .*; did you mean 95%?"),
        ({"players": 9}, "diamant is for 3 to 8 players"),
        ({"rules": "offical"}, "no rule set 'offical' in diamant; did you mean official"),
    ],
)
def test_a_slip_is_told_in_one_sentence(given: dict[str, Any], told: str) -> None:
    with pytest.raises(UserError, match=told) as caught:
        tournament.asking(**{"game": "diamant", "players": 3, "field": FIELD} | given)
    assert "\n" not in str(caught.value)


def test_a_folder_of_something_else_is_left_alone(rounds: Path, tmp_path: Path) -> None:
    before = files(rounds)
    for given, told in (
        ({"seed": 2}, "seed 1 became 2"),
        ({"players": 4}, "players 3 became 4"),
        ({"rules": "official"}, "rule trap_removal all_revealed became"),
    ):
        with pytest.raises(UserError, match=f"holds another question .*{told}.*another --out"):
            ask(rounds, **ROUNDS | given)
    assert files(rounds) == before
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(UserError, match="holds other files, but no run; choose another --out"):
        ask(tmp_path, **ROUNDS)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_by_force_it_begins_anew(rounds: Path, distinct: Path, tmp_path: Path) -> None:
    shutil.copytree(distinct, tmp_path / "x")
    (tmp_path / "x" / "letter.txt").write_text("mine")
    ask(tmp_path / "x", How(jobs=1, force=True), **ROUNDS)
    assert files(tmp_path / "x") == files(rounds)
    assert (tmp_path / "x" / "letter.txt").is_file()
