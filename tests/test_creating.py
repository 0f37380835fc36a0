"""What `simlab new` writes runs at once, is a good example, and overwrites nothing."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

import simlab
from simlab.core.game import Game, rule_book
from simlab.core.loading import load_file
from simlab.core.registry import find_game, find_strategy, strategies
from simlab.core.strategy import Strategy
from simlab.creating import KINDS, TEMPLATES, new
from simlab.errors import UserError
from tests.agreeing import all_agree, at_table, spec_of


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def assert_documented(declared: Strategy) -> None:
    assert declared.summary.endswith(".")
    for parameter in declared.parameters:
        assert f"`{parameter.name}`" in str(declared.function.__doc__)
        assert parameter.range is not None


# -- a strategy


def test_a_strategy_is_written_and_plays_at_once(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert new("strategy", "mine") == [Path("strategies/diamant/mine.py")]
    assert [*written(here)] == ["strategies/diamant/mine.py"]
    assert_documented(find_strategy("diamant", "mine"))
    run = simlab.run("diamant", players=3, n=300, lineup=["mine", "threshold", "random"], out="run")
    assert run.summary().height == 3
    spec = spec_of(find_game("diamant"), ["mine", "mine(chance=0.5)", "mine(chance=1)"], "official")
    all_agree(spec, 60, monkeypatch)


def test_a_strategy_says_what_its_game_offers(here: Path) -> None:
    text = new("strategy", "mine", "incan-gold")[0].read_text()
    assert "# Actions; names from simlab.games.diamant: 0 stay (STAY), 1 leave (LEAVE)." in text
    assert "# table.decision: 0 none, 1 leave_or_stay." in text
    assert "carried[8]" in text
    assert "$" not in text
    assert max(map(len, text.splitlines())) <= 100


def test_a_strategy_can_be_written_elsewhere(here: Path) -> None:
    assert new("strategy", "mine", folder=here / "a" / "b") == [
        here / "a" / "b" / "strategies" / "diamant" / "mine.py"
    ]
    assert "mine" not in strategies("diamant")


def test_a_strategy_of_a_game_without_a_view_chooses_what_is_legal(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = here / "games" / "bare"
    new("game", "bare")
    (folder / "view.py").unlink()
    (here / "strategies" / "bare" / "random.py").unlink()
    declaration = (folder / "__init__.py").read_text()
    (folder / "__init__.py").write_text(declaration.replace(", rules, view", ", rules"))
    text = (folder / "__init__.py").read_text().replace('"ROLL", "view"]', '"ROLL"]')
    (folder / "__init__.py").write_text(text)
    path = new("strategy", "mine", "bare")[0]
    assert "from simlab.games.bare.rules import legal" in path.read_text()
    with pytest.raises(UserError, match=r"^'pick_legal' cannot be .* a helper of that name\.$"):
        new("strategy", "pick_legal", "bare")
    assert_documented(find_strategy("bare", "mine"))
    line_up = ["mine", "mine(draws=1)", "hold_at"]
    all_agree(spec_of(find_game("bare"), line_up), 40, monkeypatch)


def test_a_strategy_honours_bars(here: Path) -> None:
    new("strategy", "mine")
    game = find_game("diamant")
    bars = {0: ["kind=leave"], 2: ["kind=stay", "kind=leave"]}
    table = simlab.Table(game, 3, bars=bars, seed=5)
    table.play_out(["mine(chance=1)"] * 3)
    chosen = {(entry.seat, entry.word) for entry in table.log if entry.kind == "chosen"}
    assert {word for seat, word in chosen if seat == 0} == set()
    assert {word for seat, word in chosen if seat == 2} == {"stay", "leave"}


# -- a game


@pytest.fixture
def pig(here: Path) -> Game:
    new("game", "pig")
    return find_game("pig")


def test_a_game_is_a_folder_and_two_strategies(here: Path) -> None:
    paths = new("game", "my_pig")
    assert sorted(written(here)) == sorted(str(path) for path in paths)
    assert sorted(path.name for path in paths if path.parent.name == "my_pig") == [
        "RULES.md", "__init__.py", "actions.py", "hold_at.py", "random.py", "rules.py", "view.py",
    ]  # fmt: skip
    for path in paths:
        text = path.read_text()
        assert "$" not in text
        assert "My pig" in text or "my_pig" in text
        if path.suffix == ".py":
            assert max(map(len, text.splitlines())) <= 100
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, (ast.FunctionDef, ast.Module)):
                    assert ast.get_docstring(node), f"{path}: {node}"


def test_a_game_plays_at_once(pig: Game) -> None:
    run = simlab.run("pig", players=2, n=500, out="run")
    shares = dict(run.summary().select("strategy", "win_share").iter_rows())
    assert shares["hold_at"] > shares["random"]
    assert "busts" in run.scan().collect_schema()
    for declared in strategies("pig").values():
        assert_documented(declared)
    assert "Seat 0 rolls" in str(simlab.replay("pig", 4, players=2))


@pytest.mark.parametrize(
    ("rules", "changes", "players"),
    [
        ("standard", {}, 2),
        ("fair", {}, 3),
        ("short", {"sides": 2}, 8),
        ("fair", {"turns": 3, "sides": 100}, 4),
        ("standard", {"target": 1}, 2),
    ],
)
def test_a_game_is_the_same_compiled_and_plain(
    pig: Game, rules: str, changes: dict[str, Any], players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = spec_of(pig, pig.line_up(players), rules, **changes)
    results = all_agree(spec, 40, monkeypatch)
    target = spec.book.values["target"]
    won = (results["score"] >= target).sum(1)
    if rules == "fair":
        assert won.max() > 1 or changes
    elif not changes:
        assert (won == 1).all()
    assert (results["best"] <= results["score"]).all()
    assert (results["rolls"] >= results["busts"]).all()
    assert (results["end_reason"] == 0).all()


def test_the_rolls_of_a_turn_do_not_depend_on_what_was_played_before(pig: Game) -> None:
    def first_faces(line_up: list[str]) -> list[str]:
        log = at_table(spec_of(pig, line_up), 11).log.sentences()
        turns = [i for i, text in enumerate(log) if i == 0 or re.search(r"holds|loses", log[i - 1])]
        return [re.sub(r"Seat \d rolls ", "", log[i]) for i in turns if "rolls" in log[i]]

    one, other = first_faces(["hold_at(points=5)"] * 2), first_faces(["hold_at(points=40)"] * 2)
    count = min(len(one), len(other), 10)
    assert count >= 5
    assert one[:count] == other[:count]


@pytest.mark.parametrize("bar", ["kind=roll", "kind=hold"])
def test_a_game_carries_out_unasked_what_bars_leave(pig: Game, bar: str) -> None:
    table = simlab.Table(pig, 2, bars={0: [bar], 1: [bar]}, set={"turns": 5})
    assert table.finished
    forced = {entry.word for entry in table.log if entry.kind == "forced"}
    assert forced == {"roll", "hold"} - {bar.removeprefix("kind=")}
    both = simlab.Table(pig, 2, bars={0: ["kind=roll", "kind=hold"]})
    assert [action.word for action in both.legal()] == ["roll", "hold"]


def test_rules_page_names_every_key_rule_set_action_and_strategy(pig: Game) -> None:
    page = (pig.folder / "RULES.md").read_text()
    names = [key.name for key in pig.keys] + [
        *pig.rule_sets,
        *rule_book(pig).actions,
        *pig.decisions[1:],
    ]
    names += [str(name) for name in (*(pig.table.names or ()), *(pig.seat.names or ()))]
    for name in (*names, *strategies("pig")):
        assert re.search(rf"`{name}\b", page), name
    for key in pig.keys:
        assert f"**{key.default}**" in page


def test_a_strategy_of_an_own_game_uses_its_view(
    pig: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = new("strategy", "bold", "pig")[0].read_text()
    assert "view.pick_legal(table, me, rules, rng)" in text
    assert "from simlab.games.pig import view" in text
    all_agree(spec_of(pig, ["bold", "bold(chance=0.9)"]), 40, monkeypatch)


# -- a report


def test_a_report_shows_a_run(here: Path) -> None:
    from matplotlib.figure import Figure

    from simlab.reporting.sections import find_report, shown_by

    assert new("report", "my_page") == [Path("reports/my_page.py")]
    run = simlab.run("diamant", players=3, n=200, out="run")
    report = find_report("my-page")
    assert report.summary
    (chart, _), (text,), (bars,) = [[*shown_by(section, run)] for section in report.sections]
    assert isinstance(chart, Figure)
    assert isinstance(bars, Figure)
    assert re.fullmatch(r"The best score is \d+\.\d points ahead .* equally best\.", text)
    assert all(section.caption for section in report.sections)


# -- names


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_overwritten(here: Path, kind: str) -> None:
    new(kind, "mine")
    before = written(here)
    with pytest.raises(UserError, match="already") as raised:
        new(kind, "mine")
    assert str(raised.value).count(". ") == 0
    assert written(here) == before


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("strategy", "strategies/diamant/mine.py"),
        ("game", "games/mine/view.py"),
        ("game", "strategies/mine/random.py"),
        ("report", "reports/mine.py"),
    ],
)
def test_one_file_in_the_way_keeps_all_from_being_written(here: Path, kind: str, path: str) -> None:
    (here / path).parent.mkdir(parents=True)
    (here / path).write_text("x = 1\n")
    with pytest.raises(UserError, match=f"^{re.escape(path)} already exists; choose another name"):
        new(kind, "mine")
    assert written(here) == {path: b"x = 1\n"}


def test_where_nothing_can_be_written_nothing_is_left(here: Path) -> None:
    (here / "strategies").write_text("a file, not a folder")
    with pytest.raises(UserError, match=r"^cannot write .*strategies.*\.$"):
        new("game", "mine")
    assert [path.name for path in here.iterdir()] == ["strategies"]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (
            ("strategie", "x"),
            "no kind 'strategie' for simlab new; did you mean s",
        ),
        (("strategy", "1x"), "'1x' cannot be the name of a strategy; it takes letters"),
        (("strategy", "../x"), "'../x' cannot be the name of a strategy; it takes letters"),
        (("strategy", "größer"), "cannot be the name of a strategy; it takes letters"),
        (("strategy", ""), "'' cannot be the name of a strategy; it takes letters"),
        (("strategy", None), "'None' cannot be the name of a strategy; it takes letters"),
        (("strategy", "class"), "Python uses that word itself; choose another, such as my_class."),
        (("strategy", "max"), "Python uses that word itself"),
        (("strategy", "view"), "its file imports view from simlab.games.diamant"),
        (("strategy", "threshold"), "diamant already has a strategy 'threshold' ("),
        (("strategy", "x", "dimant"), "no game 'dimant'; did you mean diamant?"),
        (("game", "diamant"), "there is already a game 'diamant'; choose another name."),
        (("game", "incan_gold"), "there is already a game 'incan_gold'"),
        (("game", "Pig"), "a game; write a game's name in small letters: pig."),
        (("game", "pig", "diamant"), "simlab new game takes no game; only a strategy belongs"),
        (("report", "overview"), "there is already a report 'overview' ("),
        (("report", "my-page"), "'my-page' cannot be the name of a report; it takes letters"),
    ],
)
def test_a_wrong_name_is_one_sentence_and_writes_nothing(
    here: Path, given: tuple[Any, ...], says: str
) -> None:
    with pytest.raises(UserError) as raised:
        new(*given)
    assert says in str(raised.value)
    assert "\n" not in str(raised.value)
    assert not written(here)


def test_a_broken_file_of_somebody_does_not_keep_from_writing(here: Path) -> None:
    (here / "strategies").mkdir()
    (here / "strategies" / "broken.py").write_text("from simlab import strategy\nstrategy(\n")
    assert new("strategy", "mine")
    assert load_file(here / "strategies" / "diamant" / "mine.py").mine.__name__ == "mine"


def test_templates_lie_in_the_package_and_are_no_python_files() -> None:
    found = [path for path in TEMPLATES.rglob("*") if path.is_file()]
    assert len(found) >= 10
    assert {path.suffix for path in found} == {".txt"}
