"""What `simlab check` says of experiment files: each slip with its line, and nothing is played."""

from __future__ import annotations

from pathlib import Path

import pytest

from simlab.checks import check
from simlab.core.registry import shipped_pack
from simlab.errors import UserError
from simlab.running import runner

HEAD = 'question = "Who wins?"\ngame = "diamant"\n'
GOOD = {
    "run": 'lineup = ["risk_limit", "threshold*2"]\nuntil = "risk_limit>threshold@95%"\n'
    'n = 1e5\nevents = true\nseats = "fixed"',
    "duel": 'players = 4\na = "risk_limit"\nb = "threshold(gems=9)"\nagainst = "random"\n'
    'margin = "1%"\ngate = true',
    "tournament": 'players = 3\nfield = "all"\nn = 2e5\nunsettled = "30%"',
    "sweep": 'players = "3:5"\nvary = "threshold.gems=4:40:2"\nagainst = "risk_limit"',
    "compare-rules": 'rules = "standard,official"\nset.expeditions = [3, 5]\nlineup = "random"',
    "sample-size": 'detect = "0.5%"\npower = "90%"\na = "risk_limit"\nb = "threshold"',
}


@pytest.fixture(autouse=True)
def nothing_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(*words: object, **more: object) -> None:
        raise AssertionError("a check played games")

    monkeypatch.setattr(runner, "play", play)


def put(tmp_path: Path, ask: str, text: str) -> Path:
    path = tmp_path / "x.toml"
    path.write_text(f'{HEAD}ask = "{ask}"\n{text}\n', "utf-8")
    return path


@pytest.mark.parametrize("ask", GOOD)
def test_what_can_be_asked_passes(tmp_path: Path, ask: str) -> None:
    found = check(put(tmp_path, ask, GOOD[ask]))
    assert found.passed, str(found)
    assert found.lines[0].says == f"{ask}: Who wins?"
    assert {"game", "rules", "players"} < {line.check for line in found.lines}


@pytest.mark.parametrize("path", sorted(shipped_pack("experiments").glob("*.toml")), ids=str)
def test_every_shipped_experiment_passes(path: Path) -> None:
    found = check(path)
    assert found.passed, str(found)


SLIPS: list[tuple[str, str, dict[str, str]]] = [
    (
        "duel",
        'players = 2\na = "risk_limt"\nb = "threshold(gem=4)"\nagainst = [\n"random",\n'
        '"threshold(gems=4000)"]\nobjective = "wins"',
        {
            "players": "4: diamant is for 3 to 8 players; 2 were asked for.",
            "a": "5: no strategy 'risk_limt' in diamant; did you mean risk_limit?",
            "b": "6: no parameter 'gem' in threshold(gems=15); did you mean gems?",
            "against": "9: threshold: gems is 4000; it takes a whole number from",
            "objective": "10: no objective 'wins'; did you mean win?",
        },
    ),
    (
        "sweep",
        'players = "7:9"\nvary = ["threshold.gems=4:40:2",\n"threshold.gem=1,2",\n'
        '"risk_limit.risk=0:1.5:0.5",\n"threshold(gems=4).gems=5"]',
        {
            "players": "4: diamant is for 3 to 8 players; 9 were asked for.",
            "vary": "6: no parameter 'gem' in threshold(gems=15); did you mean gems?",
            "vary ": "7: risk_limit: risk is 1.5; it takes a number from 0 to 1.",
            "vary  ": "8: vary 'threshold(gems=4).gems' states gems twice",
        },
    ),
    (
        "compare-rules",
        'rules = ["standard",\n"offical"]',
        {"rules": "5: no rule set 'offical' in diamant; did you mean official?"},
    ),
    (
        "compare-rules",
        'set.expeditions = 5\nset.trap_removal = "pair,all"',
        {"rules": "5: no value 'all' for trap_removal; "},
    ),
    (
        "tournament",
        'players = 3\nfield = ["threshold", "threshold(gems=15)"]',
        {"field": "5: field has one strategy, 'threshold'; a tournament needs at least 2."},
    ),
    (
        "run",
        'lineup = "threshold(gems=3)"\nuntil = "risk_limit>random@95%"\nseats = "rotat"\nn = 1e16',
        {
            "until": "5: no strategy 'risk_limit' in the line-up",
            "seats": "6: no seating 'rotat'; did you mean rotate?",
            "numbers": "7: n is '10000000000000000'; it takes a whole number from 1 to",
        },
    ),
    ("run", 'until = "ci=2"', {"until": "4: until ci=2: half the width"}),
    ("run", 'strategies = "mien"', {"strategies": "4: strategies "}),
    ("run", "playrs = 4", {"reads": "4: no key 'playrs' in an experiment file; did you mean"}),
]


@pytest.mark.parametrize(("ask", "text", "says"), SLIPS, ids=range(len(SLIPS)))
def test_every_slip_is_told_with_its_line(
    tmp_path: Path, ask: str, text: str, says: dict[str, str]
) -> None:
    path = put(tmp_path, ask, text)
    found = check(path)
    assert [line.check for line in found.failed] == [check.strip() for check in says]
    for line, wanted in zip(found.failed, says.values(), strict=True):
        assert line.says.startswith(f"{path}:{wanted}")
        assert "\n" not in line.says


def test_the_question_itself_looks_at_keys_that_do_not_fit_together(tmp_path: Path) -> None:
    found = check(put(tmp_path, "duel", GOOD["duel"].replace('"random"', '["random*2"]')))
    assert [line.check for line in found.failed] == ["question"]
    assert f"{tmp_path / 'x.toml'}:7: against names 2 strategies for 3 other seats" in str(found)


def test_the_file_must_be_about_the_game_that_was_named(tmp_path: Path) -> None:
    found = check(put(tmp_path, "run", ""), "splendor")
    assert "x.toml:2: game is diamant; it was to be checked for splendor." in found.failed[0].says


def test_own_strategies_are_found_beside_the_file(tmp_path: Path) -> None:
    script = (
        "from simlab import strategy\n\n\n@strategy('diamant')\ndef of_mine(table):\n    return 1\n"
    )
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "own.py").write_text(script)
    assert check(put(tmp_path, "run", 'lineup = "of_mine"\nstrategies = "mine"')).passed
    assert not check(put(tmp_path, "run", 'lineup = "of_mine"')).passed


def test_experiments_are_checked_by_name_and_in_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "experiments").mkdir()
    put(tmp_path / "experiments", "run", "").rename("experiments/of-mine.toml")
    Path("experiments/pyproject.toml").write_text('[project]\nname = "x"\n')
    for target in ("of-mine", "of-mine.toml", "experiments", "experiments/of-mine.toml"):
        found = check(target)
        assert found.passed
        assert {line.subject for line in found.lines} == {"experiment experiments/of-mine.toml"}
    Path("experiments/broken.toml").write_text('question = "\n')
    assert "broken.toml:1: " in check("experiments").failed[0].says
    for missing in ("nowhere.toml", "experiments/of-mien.toml"):
        with pytest.raises(UserError, match="no experiment"):
            check(missing)
