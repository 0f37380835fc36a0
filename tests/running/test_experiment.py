"""Experiment files: read with the line of every slip, found by name, written to repeat a run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import simlab
from simlab import api
from simlab.core.registry import shipped_pack
from simlab.errors import StrategyError, UserError
from simlab.running.experiment import (
    Experiment,
    find_experiment,
    read_experiment,
    to_toml,
)
from simlab.running.experimentkeys import KINDS
from simlab.running.spec import document_hash, make_spec

HEAD = 'question = "Who wins?"\ngame = "diamant"\n'
FULL = """\
question = "How many gems are enough?"
game = "diamant"
players = 4
rules = "official"
lineup = ["risk_limit", "threshold(gems=12)*3"]
seats = "fixed"
seed = 7
n = "1e3"
first_game = 2_000
events = true
out = "rows"
strategies = ["mine", "one.py"]
[set]
trap_removal = "pair"
expeditions = 3
cards = "cards.csv"
"""


def put(tmp_path: Path, text: str, name: str = "x.toml") -> Path:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return path


def fails(tmp_path: Path, text: str) -> str:
    path = put(tmp_path, text)
    with pytest.raises(UserError) as caught:
        read_experiment(path)
    told = str(caught.value)
    assert told.startswith(f"{path}")
    assert "\n" not in told
    assert told.endswith((".", "?"))
    return told.removeprefix(f"{path}:").strip()


def test_every_key_is_read(tmp_path: Path) -> None:
    found = read_experiment(put(tmp_path, FULL))
    assert found.question == "How many gems are enough?"
    assert found.source == tmp_path / "x.toml"
    assert found.arguments() == {
        "game": "diamant",
        "players": 4,
        "n": 1000,
        "lineup": ["risk_limit", "threshold(gems=12)*3"],
        "rules": "official",
        "set": {"trap_removal": "pair", "expeditions": 3, "cards": str(tmp_path / "cards.csv")},
        "seats": "fixed",
        "seed": 7,
        "first_game": 2000,
        "events": True,
        "out": "rows",
        "strategies": [tmp_path / "mine", tmp_path / "one.py"],
    }
    assert {*found.arguments(), "question", "ask", "until"} == set(KINDS["run"])


def test_what_a_file_does_not_state_is_left_to_the_run(tmp_path: Path) -> None:
    assert read_experiment(put(tmp_path, HEAD)).arguments() == {"game": "diamant"}


@pytest.mark.parametrize("n", ["1000000", "1_000_000", "1e6", '"1e6"', '"1_000_000"', "10.0e5"])
def test_numbers_are_the_same_however_they_are_written(tmp_path: Path, n: str) -> None:
    assert read_experiment(put(tmp_path, f"{HEAD}n = {n}\n")).stated["n"] == 1_000_000


def test_one_word_is_a_list_of_one_and_a_truth_is_a_word(tmp_path: Path) -> None:
    text = f'{HEAD}lineup = "random"\nstrategies = "mine"\nset.x = true\n'
    found = read_experiment(put(tmp_path, text))
    assert found.arguments() == {
        "game": "diamant",
        "lineup": ["random"],
        "strategies": [tmp_path / "mine"],
        "set": {"x": "true"},
    }


def test_lines_may_end_as_on_windows_and_begin_with_a_mark(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(b"\xef\xbb\xbf" + HEAD.replace("\n", "\r\n").encode() + b"playrs = 3\r\n")
    with pytest.raises(UserError, match=r"x\.toml:3: no key 'playrs'.*did you mean players\?"):
        read_experiment(path)


SLIPS = {
    "plaers = 5": "3: no key 'plaers' in an experiment file; did you mean players?",
    "players = [5]": "3: players is a list; it takes a whole number.",
    "\nplayers = true": "4: players is true; it takes a whole number.",
    'players = "five"': "3: players is 'five'; it takes a whole number of at least 1.",
    "n = 0": "3: n is '0'; it takes a whole number of at least 1.",
    "n = 1.5": "3: n is '1.5'; it takes a whole number of at least 1.",
    "seed = nan": "3: seed is 'nan'; it takes a whole number of at least 0.",
    "first_game = -1": "3: first_game is '-1'; it takes a whole number of at least 0.",
    'events = "true"': "3: events is 'true'; it takes true or false, without quotes.",
    "events = True": "3: events is True; write true, in small letters.",
    "rules = 3": "3: rules is '3'; it takes the name of a rule set in quotes, such as \"standard\"",
    'out = ""': "3: out is empty; it takes a folder in quotes.",
    "lineup = [1]": "3: lineup is a list; it takes strategies in quotes",
    "set = 5": "3: set is '5'; it takes rules and their values",
    "[set]\nexpeditions = [1]": "4: set.expeditions is a list; it takes a word in quotes or a",
    "set = { a = 1, b = { c = 1 } }": "3: set.b is a table; it takes a word",
    "set.a = 1\nset.b = 2020-01-01": "4: set.b is a date; it takes a word",
    "rules = official": "3: 'official' cannot be read; write words in straight quotes: rules =",
    "rules = “official”": "3: '“official”' cannot be read; write words in straight quotes",
    'rules = "official\nn = 1': "3: 'rules = \"official' cannot be read; a text must end with the",
    'out = """a\nn = 5\n': '3: \'out = """a\' cannot be read; a text must end with the quotes',
    "rules =": "3: 'rules' has no value; write rules = VALUE.",
    "hello world": "3: 'hello world' cannot be read; a line says KEY = VALUE.",
    "= 5": "3: '= 5' cannot be read; a line says KEY = VALUE.",
    "n = 007": "3: 'n = 007' cannot be read; nothing may follow the value, as '07' does.",
    "lineup = [random]": "3: the list of 'lineup' that begins in line 3 cannot be read",
    'lineup = [\n"a",\n"b"\nn = 5': "6: the list of 'lineup' that begins in line 3 cannot be read",
    'lineup = [\n"a",\nn = 5': "5: the list of 'lineup' that begins in line 3 cannot be read",
    'lineup = [\n"a",\n  threshold(gems=4)\n]': "5: the list of 'lineup' that begins in line 3",
    "seed = 1\n\nseed = 2": "5: 'seed' is given twice; it is already in line 3.",
    "[set]\na = 1\n[set]\nb = 1": "5: 'set' is given twice; it is already in line 3.",
    "set.a = 1\nset.a = 2": "4: 'set.a' is given twice; it is already in line 3.",
    "set = { a = 1 }\nset.b = 2": "4: 'set.b' cannot stand beside 'set' in line 3.",
    "game.x = 1": "3: 'game.x' cannot stand beside 'game' in line 2.",
    "n = " + "9" * 5000: "a number has too many digits.",
    'against = "random"': '3: \'against\' is for ask = "duel" or "sweep"; here it is "run", as it',
    'ask = "tournament"\nmargin = 0.1': "4: 'margin' is for ask = \"duel\"; here it is",
    'agianst = "random"': "3: no key 'agianst' in an experiment file; did you mean against, which",
    'n = 5\nask = "dual"': "4: no kind of question 'dual'; did you mean duel?",
    "ask = 3": "3: ask is '3'; it takes a kind of question in quotes",
    'ask = "duel"\na = "random*2"\nb = "random"': "4: 'random*2' must be one strategy; leave",
    'ask = "duel"\na = "x"\nb = "y"\nmargin = 5': "6: margin is '5.0'; it takes a share above 0%",
    'ask = "duel"\na = "x"\nb = "y"\nmargin = -1': "6: margin is '-1'; it takes a number above 0.",
    'ask = "duel"\na = "x"\nb = "y"\nconfidence = 95': "6: confidence is '95'; it takes a share",
    'ask = "duel"\nscore_range = [5, 1]': "4: score_range is '[5, 1]'; the lowest must lie below",
    'ask = "duel"\ntogether = "yes"': "4: together is 'yes'; it takes true or false",
    'ask = "tournament"\nfield = "a,,b"': "4: field: an entry is empty",
    'ask = "tournament"\nunsettled = "x"': "4: unsettled is 'x'; it takes a share from 0% to 100%.",
    'ask = "sweep"\nvary = [\n"a.b=1:2",\n"a.c=2:1"\n]': "6: vary a.c: the range '2:1' runs back",
    'ask = "sweep"\nvary = ["a.b=1:2",\n"a.b=3"]': "4: vary names 'a.b' twice; give all its values",
    'ask = "sweep"\nplayers = "8:3"': "4: players: the range '8:3' runs backward; did you mean",
    'ask = "sweep"\nplayers = [3, 4.5]': "4: players is '[3, 4.5]'; it takes whole numbers of at",
    'ask = "sweep"\nset.x = ["a", "b"]': "4: set.x is a list; it takes a word in quotes or a",
    'ask = "compare-rules"\n[set]\nx = 1\ny = "a,,b"': "6: set.y: an entry is empty",
    'ask = "compare-rules"\nset.x = []': "4: set.x is a list; it takes a word in quotes or a",
    'ask = "sample-size"\ndetect = "1%"\na = "x"': "5: 'a' is given without 'b'; two strategies",
    'ask = "sample-size"\ndetect = "1%"\na = "x"\nb = "y"\nlineup = "z"': "7: lineup stands beside",
    'ask = "sample-size"\npilot = 1': "4: pilot is '1'; it takes a whole number of at least 2.",
    "n = " + "[" * 5000: "lists or tables are nested too deeply.",
}


@pytest.mark.parametrize("text", SLIPS, ids=range(len(SLIPS)))
def test_a_slip_is_one_sentence_with_its_line(tmp_path: Path, text: str) -> None:
    assert fails(tmp_path, f"{HEAD}{text}\n").startswith(SLIPS[text])


MISSING = {
    "duel": "the key 'a' is missing; say who is compared",
    "sweep": "the key 'vary' is missing; say what is varied",
    "sample-size": "the key 'detect' is missing; say which difference",
    "compare-rules": "nothing is compared; give two rule sets",
}


@pytest.mark.parametrize("ask", MISSING)
def test_what_a_question_cannot_do_without(tmp_path: Path, ask: str) -> None:
    assert fails(tmp_path, f'{HEAD}ask = "{ask}"\n').startswith(MISSING[ask])


def test_game_and_question_have_to_be_there(tmp_path: Path) -> None:
    assert "'question' is missing" in fails(tmp_path, 'game = "diamant"\n')
    assert "'game' is missing" in fails(tmp_path, 'question = "Who?"\n')
    assert fails(tmp_path, 'game = "diamant"\nquestion = " "').startswith("2: question is ' '")


def test_a_file_that_is_no_text_or_none_at_all(tmp_path: Path) -> None:
    path = put(tmp_path, HEAD)
    path.write_bytes(HEAD.encode() + b"# ok\n# caf\xe9\n")
    with pytest.raises(UserError, match=r"x\.toml:4: this is not UTF-8 text"):
        read_experiment(path)
    with pytest.raises(UserError, match="is a folder; name an experiment file"):
        read_experiment(tmp_path)
    with pytest.raises(UserError, match=r"no experiment file 'y\.toml' in .*mean x\.toml\?"):
        read_experiment(tmp_path / "y.toml")
    with pytest.raises(UserError, match=r"there is no experiment file z\.toml in .*none\."):
        read_experiment(tmp_path / "none" / "z.toml")


VALUES = {
    "players = 12": "3: diamant is for 3 to 8 players; 12 were asked for.",
    'rules = "offical"': "3: no rule set 'offical' in diamant; did you mean official?",
    'seats = "rotating"': "3: no seating 'rotating'; did you mean rotate?",
    'lineup = [\n"random",\n"treshold",\n]': "5: no strategy 'treshold' in diamant",
    'lineup = [\n"threshold",\n"threshold(gem=1)",\n]': "5: no parameter 'gem' in threshold",
    'lineup = [\n"threshold(gems=10)",\n"risk_limit(risk=10)"]': "5: risk_limit: risk is 10; it",
    'lineup = ["random",\n"a b"]': "4: cannot read strategy 'a b'",
    'lineup = ["random*2"]': "3: 2 strategies were given for 3 seats",
    'set.trap_removal = "x"': "3: no value 'x' for trap_removal; choose from",
    '[set]\nexpeditions = 3\ntrap_remval = "x"': "5: no rule 'trap_remval' in diamant; did you",
    "[set]\n\nexpeditions = 77": "5: expeditions is '77'; it takes a whole number from 1 to 9.",
    "[set]\nn = 100": r"4: no rule 'n' in diamant; .*\('n = ...' belongs above the line \[set\].\)",
    'seed = 1\nset.cards = "no.csv"': "4: cannot read cards file .*: No such file",
    "seed = 9223372036854775808": "3: seed is '9223372036854775808'; it takes a whole number",
    "n = 1e20": "3: n is '100000000000000000000'; it takes a whole number from 1 to",
    "first_game = 1e20": "3: first_game is '100000000000000000000'; it takes",
}


@pytest.mark.parametrize("text", VALUES, ids=range(len(VALUES)))
def test_a_wrong_value_is_told_with_its_line(tmp_path: Path, text: str) -> None:
    found = read_experiment(put(tmp_path, f"{HEAD}{text}\n"))
    with pytest.raises(UserError, match=f"^{found.source}:{VALUES[text]}"), found.placing():
        api.order(**found.arguments())


def test_a_card_file_beside_it_is_checked_under_its_own_name(tmp_path: Path) -> None:
    put(tmp_path, "id,category,subtype,value,copies\nx,trap,snake,,3\n", "cards.csv")
    found = read_experiment(put(tmp_path, f'{HEAD}set.cards = "cards.csv"\n'))
    wrong = r"x\.toml:3: .*cards\.csv holds no treasure"
    with pytest.raises(UserError, match=wrong), found.placing():
        make_spec(**found.arguments())


def test_errors_that_are_not_about_the_file_pass_as_they_are(tmp_path: Path) -> None:
    found = read_experiment(put(tmp_path, f"{HEAD}n = 5\n"))
    with pytest.raises(StrategyError, match=r"^it failed$"), found.placing():
        raise StrategyError("it failed")
    with pytest.raises(UserError, match=r"^--n is 'x'"), found.placing(but=["n"]):
        api.order(**found.arguments() | {"n": "x"})
    for words in ({"jobs": 0}, {"backend": "thread"}):
        with pytest.raises(UserError, match=r"^(--jobs is|no backend) '"), found.placing():
            api.order(**found.arguments(), **words)
    with pytest.raises(UserError, match=r"x\.toml: nothing is known of this\."), found.placing():
        raise UserError("nothing is known of this.")
    with pytest.raises(ZeroDivisionError), found.placing():
        raise ZeroDivisionError


# -- by name


def test_an_experiment_is_found_by_path_or_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "experiments").mkdir()
    own = put(tmp_path / "experiments", HEAD, "my-own.toml")
    here = put(tmp_path, HEAD, "here.toml")
    for text in ("my-own", "my-own.toml", "experiments/my-own", "experiments/my-own.toml", own):
        assert find_experiment(text).resolve() == own
    assert find_experiment("here").resolve() == find_experiment("./here").resolve() == here
    assert find_experiment("exit-threshold") == shipped_pack("experiments") / "exit-threshold.toml"
    with pytest.raises(UserError, match=r"no experiment 'my-onw' .*did you mean my-own\?"):
        find_experiment("my-onw")
    with pytest.raises(UserError, match=r"did you mean exit-threshold\?"):
        find_experiment("exit-treshold")
    with pytest.raises(UserError, match=r"choose from caylus-seats, .*exit-threshold, .*my-own"):
        find_experiment("")
    assert find_experiment("experiments") == Path("experiments")


def test_two_files_of_one_name_are_both_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "experiments").mkdir()
    own = put(tmp_path / "experiments", HEAD, "exit-threshold.toml")
    with pytest.raises(UserError, match="two experiments are named exit-threshold") as caught:
        find_experiment("exit-threshold")
    assert "experiments/exit-threshold.toml and" in str(caught.value)
    own.unlink()
    own.symlink_to(shipped_pack("experiments") / "exit-threshold.toml")
    assert find_experiment("exit-threshold").resolve() == own.resolve()


@pytest.mark.parametrize("path", sorted(shipped_pack("experiments").glob("*.toml")), ids=str)
def test_every_shipped_experiment_is_written_back_and_every_run_played(
    path: Path, tmp_path: Path
) -> None:
    found = read_experiment(path)
    assert found.question.endswith("?")
    assert again(tmp_path, found.document()).document() == found.document()
    if found.ask == "run":
        asks = found.arguments() | {"n": 300, "out": tmp_path / "run"}
        games = sum(entry["games"] for entry in simlab.run(**asks).document()["strategies"])
        assert games == 300 * found.stated["players"]


# -- written anew


def again(tmp_path: Path, document: dict[str, Any]) -> Experiment:
    return read_experiment(put(tmp_path, to_toml(document), "again.toml"))


def test_a_file_written_from_what_was_read_says_the_same(tmp_path: Path) -> None:
    found = read_experiment(put(tmp_path, FULL))
    twin = again(tmp_path, found.document())
    assert twin.document() == found.document()
    least = read_experiment(put(tmp_path, HEAD))
    assert again(tmp_path, least.document()).document() == least.document()


ASKED: list[dict[str, Any]] = [
    {"lineup": ["a", "b(x=1)*2"], "until": "ci=0.2%", "first_game": 7, "events": False},
    {
        "ask": "duel",
        "a": "risk_limit",
        "b": "threshold(gems=12)",
        "against": ["random", "threshold(gems=7)"],
        "together": True,
        "margin": "0.5%",
        "confidence": 0.99,
        "max": "1e7",
        "gate": True,
    },
    {"ask": "duel", "a": "x", "b": "y", "objective": "score", "margin": 2, "score_range": "0:9.5"},
    {"ask": "tournament", "field": "all", "n": 2e5, "unsettled": "30%", "confidence": "95%"},
    {"ask": "tournament", "field": "a, b(x=1, y=2)", "rules": "official", "out": "there"},
    {
        "ask": "sweep",
        "vary": ["threshold.gems=4:40:2", "risk_limit.risk=0.05,0.1"],
        "against": "random",
        "players": "3:8",
        "objective": "rank",
    },
    {"ask": "compare-rules", "rules": "standard,official", "set": {"expeditions": 3}},
    {"ask": "compare_rules", "set": {"trap_removal": "pair,trigger", "x": [1, 2], "y": "5"}},
    {"ask": "sample-size", "a": "x", "b": "y", "detect": 1 / 3, "power": 0.9, "comparisons": 3},
    {"ask": "sample-size", "detect": 3.25, "objective": "score", "pilot": "200"},
]


@pytest.mark.parametrize("asked", ASKED, ids=[each.get("ask", "run") for each in ASKED])
def test_every_kind_of_question_is_written_and_read_back(
    tmp_path: Path, asked: dict[str, Any]
) -> None:
    found = again(tmp_path, {"game": "diamant", "players": 4, "seed": 7, "set": {"z": "w"}} | asked)
    assert found.ask == asked.get("ask", "run").replace("_", "-")
    assert found.question.endswith("?")
    assert found.arguments().keys() == {"game", "players", "seed", "set", *asked} - {"ask"}
    twin = again(tmp_path, found.document())
    assert twin.document() == found.document()
    assert twin.text == found.text


def test_values_are_read_as_python_takes_them(tmp_path: Path) -> None:
    duel = again(tmp_path, {"game": "diamant"} | ASKED[1]).arguments()
    assert [duel[key] for key in ("margin", "confidence", "max")] == [0.005, 0.99, 10_000_000]
    score = again(tmp_path, {"game": "diamant"} | ASKED[2]).arguments()
    assert [score[key] for key in ("margin", "score_range")] == [2.0, [0, 9.5]]
    assert again(tmp_path, {"game": "x"} | ASKED[3]).stated["unsettled"] == 0.3
    assert again(tmp_path, {"game": "x"} | ASKED[4]).stated["field"] == ["a", "b(x=1, y=2)"]
    assert again(tmp_path, {"game": "x"} | ASKED[5]).stated["players"] == [3, 4, 5, 6, 7, 8]
    assert again(tmp_path, {"game": "x"} | ASKED[6]).stated["rules"] == ["standard", "official"]
    rules = again(tmp_path, {"game": "x"} | ASKED[7]).stated["set"]
    assert rules == {"trap_removal": ["pair", "trigger"], "x": [1, 2], "y": 5}
    assert again(tmp_path, {"game": "x"} | ASKED[8]).stated["detect"] == 1 / 3


def test_card_files_lie_beside_the_file_and_are_written_with_their_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f'{HEAD}ask = "compare-rules"\nset.cards = "a.csv,b.csv"\n'
    beside = [str(tmp_path / name) for name in ("a.csv", "b.csv")]
    assert read_experiment(put(tmp_path, text)).stated["set"] == {"cards": beside}
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path)
    asked = {
        "ask": "compare-rules",
        "game": "x",
        "strategies": "s",
        "set": {"cards": "a.csv,b.csv"},
    }
    found = again(tmp_path / "other", asked)
    assert found.stated["set"] == {"cards": beside}
    assert found.stated["strategies"] == [tmp_path / "s"]


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ({"ask": "duel", "a": "x"}, "the key 'b' is missing"),
        ({"ask": "duel", "a": "x", "b": "y", "margin": 3}, "margin is '3.0'; it takes a share"),
        ({"ask": "sweep", "vary": "threshold=3"}, "vary 'threshold=3' cannot be read"),
        ({"lineup": [lambda table: 1]}, "lineup is a list; it takes strategies in quotes"),
    ],
)
def test_no_file_is_written_that_cannot_be_read(document: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError, match=says):
        to_toml({"game": "diamant"} | document)


SPOKEN = [
    ("duel", 'a = "x"\nb = "y"\nmargin = "1%"', "the margin must be above 0; it is 0.", 6),
    ("duel", 'a = "x"\nb = "y"\ngate = true', "--gate needs a margin.", 6),
    ("duel", 'a = "x"\nb = "why"\nagainst = "z"', "no strategy 'why' in diamant.", 5),
    ("duel", 'a = "x"\nb = "y"\nscore_range = "0:9"', "--score-range is 0:9; no.", 6),
    ("sweep", 'vary = ["x.a=1",\n"y.b=2"]\nagainst = "z"', "no parameter 'b' in y; choose.", 5),
    ("sweep", 'against = "z"\nvary = "x.a=1"', "a sweep needs at least 2 points, but has 1.", 5),
    ("tournament", 'n = 5\nfield = ["a",\n"b"]', "strategy 'b' is for splendor.", 6),
    ("run", 'n = 5\nuntil = "ci=2"', "--until ci=2: between 0 and 50 %.", 5),
]


@pytest.mark.parametrize(("ask", "text", "says", "line"), SPOKEN, ids=range(len(SPOKEN)))
def test_errors_of_any_question_find_their_line(
    tmp_path: Path, ask: str, text: str, says: str, line: int
) -> None:
    found = read_experiment(put(tmp_path, f'{HEAD}ask = "{ask}"\n{text}\n'))
    told = says.replace("--", "").replace("score-range", "score_range")
    wanted = re.escape(f"{found.source}:{line}: {told}")
    with pytest.raises(UserError, match=f"^{wanted}$"), found.placing():
        raise UserError(says)


SPECS: list[dict[str, Any]] = [
    {"game": "diamant"},
    {"game": "incan-gold", "players": 8, "rules": "bga", "seats": "fixed", "seed": 2**63 - 1},
    {"game": "diamant", "lineup": ["risk_limit", "threshold(gems=12)*2"], "players": 3},
    {"game": "diamant", "players": 2, "set": {"explorers": "2", "trap_removal": "pair"}},
]


@pytest.mark.parametrize("asked", SPECS, ids=range(len(SPECS)))
def test_a_file_written_from_a_spec_repeats_the_run(tmp_path: Path, asked: dict[str, Any]) -> None:
    document = make_spec(**asked).document()
    twin = again(tmp_path, document | {"n": 1_000_000, "first_game": None})
    arguments = twin.arguments()
    assert arguments.pop("n") == 1_000_000
    assert "first_game" not in arguments
    assert document_hash(make_spec(**arguments).document()) == document_hash(document)


def test_a_card_file_is_written_so_that_it_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = Path(simlab.__file__).parent / "games" / "diamant" / "cards.csv"
    put(tmp_path, shipped.read_text("utf-8"), "my cards.csv")
    monkeypatch.chdir(tmp_path)
    document = make_spec("diamant", set={"cards": "my cards.csv"}).document()
    (tmp_path / "other").mkdir()
    twin = again(tmp_path / "other", document)
    assert document_hash(make_spec(**twin.arguments()).document()) == document_hash(document)


MINE = """\
from simlab import strategy


@strategy("diamant")
def of_mine(table):
    return 1
"""


def test_strategies_beside_the_file_are_played_and_written_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "own.py").write_text(MINE, "utf-8")
    text = f'{HEAD}lineup = ["of_mine", "random*2"]\nstrategies = "mine"\n'
    found = read_experiment(put(tmp_path, text))
    document = api.order(**found.arguments()).spec.document()
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    twin = again(tmp_path / "other", document)
    assert twin.stated["strategies"] == [tmp_path / "mine"]
    document_again = api.order(**twin.arguments()).spec.document()
    assert document_hash(document_again) == document_hash(document)
    missing = read_experiment(put(tmp_path, text.replace('"mine"', '"mien"')))
    wrong = r"x\.toml:4: strategies .* does not exist"
    with pytest.raises(UserError, match=wrong), missing.placing():
        api.order(**missing.arguments())


def test_odd_words_survive(tmp_path: Path) -> None:
    odd = 'a "quoted" \\ word\twith\nlines, \x7f, \x01 and é, 😀'
    twin = again(tmp_path, {"question": odd, "game": "diamant", "set": {"odd key.x": odd}})
    assert twin.question == odd
    assert twin.stated["set"] == {"odd key.x": odd}


def test_a_file_without_a_question_gets_one(tmp_path: Path) -> None:
    document = make_spec("diamant", 3, ["random", "threshold", "random"]).document()
    asks = again(tmp_path, document).question
    assert asks == "How good are random, threshold in diamant with 3 players?"
