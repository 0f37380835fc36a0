"""The command line: every command, its words, and one clear sentence for every slip."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from simlab import cli
from simlab.running import dataset

CARDS = "id,category,subtype,value,copies\n"
Said = tuple[int, str, str]
Say = Callable[..., Said]


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Say:
    """Run a command in an empty folder; return exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def said(*words: str) -> Said:
        monkeypatch.setattr(sys, "argv", ["simlab", *words])
        with pytest.raises(SystemExit) as end:
            cli.main()
        out, err = capfd.readouterr()
        return int(end.value.code or 0), out, err

    return said


SLIPS = {
    "--players 9": ["diamant is for 3 to 8 players; 9 were asked for"],
    "--players 2": ["diamant is for 3 to 8 players"],
    "--players x": ["--players is 'x'; it takes a whole number"],
    "--players 2 --set explorers=2 -s random*3": ["3 strategies were given for 2 seats"],
    "--players 3 --set explorers=2": ["is for 2 players; 3 were asked for"],
    "--n 1.5": ["--n is '1.5'; it takes a whole number from 1"],
    "--n 0": ["--n is '0'"],
    "--n -3": ["--n is '-3'"],
    "--n many": ["--n is 'many'"],
    "--seed -1": ["--seed is '-1'"],
    "--seed x": ["--seed is 'x'"],
    "--jobs 0": ["--jobs is '0'"],
    "--first-game -1": ["--first-game is '-1'"],
    "-s treshold": ["no strategy 'treshold' in diamant; did you mean threshold"],
    "-s threshold(gem=3)": ["no parameter 'gem' in threshold(gems=15); did you mean gems"],
    "-s threshold(gems=x)": ["threshold: gems is 'x'; it takes a whole number"],
    "-s risk_limit(risk=7)": ["risk is 7; it takes a number from 0 to 1"],
    "-s threshold(": ["cannot read strategy 'threshold('"],
    "--players 5 -s random -s random -s threshold": ["3 strategies were given for 5 seats"],
    "--rules offical": ["no rule set 'offical' in diamant; did you mean official"],
    "--set trap_removals=pair": ["no rule 'trap_removals' in diamant; did you mean trap_removal"],
    "--set trap_removal=pairs": ["no value 'pairs' for trap_removal; did you mean pair"],
    "--set expeditions=0": ["expeditions is '0'; it takes a whole number from 1 to 9"],
    "--set expeditions": ["--set expeditions cannot be read; write --set KEY=VALUE"],
    "--set expeditions=1 --set expeditions=2": ["--set expeditions is given twice"],
    "--seats rotated": ["no seating 'rotated'; did you mean rotate"],
    "--backend thread": ["no backend 'thread'; did you mean threads"],
    "--keep summary": ["--keep is 'summary'; it takes rows"],
    "--playres 5": ["no such option: --playres", "--players"],
    "--out file": ["file is not a folder; choose another --out"],
    "--out full": ["full holds other files, but no run; choose another --out"],
    "--out /proc/nowhere": ["cannot write to /proc/nowhere"],
    "--out file/inside": ["file is not a folder; choose another --out"],
    f"--out {'x' * 300}": ["cannot use xxx"],
    "-s threshold(gems=1__0)": ["cannot read strategy"],
    "-s threshold(gems=1,gems=2)": ["gems is given twice"],
    f"-s {'a(b=' * 30}": ["cannot read strategy"],
    "--n 1e400": ["--n is '1e400'"],
    "--n nan": ["--n is 'nan'"],
    "--n 1e16": ["--n is '1e16'"],
    "--jobs 4096": ["--jobs is '4096'; it takes a whole number from 1 to 256"],
    "--seed 9223372036854775808": ["--seed is '9223372036854775808'"],
    f"--rules {'y' * 5000}": ["no rule set 'yyy"],
    "--set cards=none.csv": ["cannot read cards file none.csv: No such file"],
    "--set cards=full": ["cannot read cards file full"],
}


@pytest.mark.parametrize("words", SLIPS)
def test_a_slip_is_one_sentence_and_nothing_is_written(
    say: Say, tmp_path: Path, words: str
) -> None:
    (tmp_path / "file").write_text("text")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    code, out, err = say("run", "diamant", "--n", "10", *words.split())
    assert code == 2
    assert out == ""
    said = [line for line in err.splitlines() if not line.startswith("compiling ")]
    assert len(said) == 1
    assert said[0].startswith("simlab: ")
    assert all(part in err for part in SLIPS[words]), err
    assert sorted(tmp_path.rglob("*")) == before


CARD_SLIPS = {
    "id,category,subtype,copies\nt,treasure,,1\n": "has no column 'value'; a cards file needs id",
    CARDS: "holds no card",
    CARDS + "t,treasure,,x,1\n": "line 2: value is 'x'; it takes a whole number from 0",
    CARDS + "t,treasure,,5,1\nu,treasure,,-4,1\n": "line 3: value is '-4'",
    CARDS + "t,treasure,,5,0\n": "line 2: copies is '0'",
    CARDS + "t,trap,,,3\n": "line 2: a trap needs its type",
    CARDS + "t,gold,,5,1\n": "line 2: category 'gold'; it takes treasure, trap, relic",
    CARDS + ",treasure,,5,1\n": "line 2: the card has no id",
    CARDS + "t,trap,snake,,3\n": "holds no treasure",
    CARDS + "t,treasure,,5,60\n": "the box takes 63",
}


@pytest.mark.parametrize("text", CARD_SLIPS)
def test_a_card_file_that_cannot_be_says_where(say: Say, tmp_path: Path, text: str) -> None:
    (tmp_path / "cards.csv").write_text(text)
    code, _, err = say("run", "diamant", "--n", "10", "--set", "cards=cards.csv")
    assert code == 2
    assert CARD_SLIPS[text] in err
    assert "cards.csv" in err
    assert not (tmp_path / "results").exists()


def test_other_commands_slip_as_clearly(say: Say, tmp_path: Path) -> None:
    for words, part in [
        ("run chess", "no game 'chess'"),
        ("run diamand", "did you mean diamant"),
        ("runn diamant", "no such command 'runn'"),
        ("run", "say which game: simlab run diamant"),
        ("table nowhere", "nowhere is not a run folder: it does not exist"),
        ("replay nowhere/ --game 1", "is not a run folder"),
        ("replay diamond", "no game 'diamond'; did you mean diamant"),
        ("replay diamant --game x", "--game is 'x'"),
        ("strategies chess", "no game 'chess'"),
        ("rules diamnt", "did you mean diamant"),
        ("runs remove", "say which runs to remove"),
        ("runs delete x", "no command 'delete' in simlab runs"),
        (f"runs remove {tmp_path}", "is not a run folder"),
        ("runs list x", "takes no folders"),
        (f"table {'z' * 400}", "is not a run folder"),
    ]:
        code, _, err = say(*words.split())
        assert code == 2, words
        assert part in err, err
        assert err.count("\n") == 1


@pytest.fixture
def run(say: Say) -> Path:
    code, _, err = say("run", "diamant", "--players", "4", "--n", "500", "--out", "run", "--events")
    assert code == 0, err
    return Path("run")


def test_run_prints_table_caution_and_next_command(say: Say) -> None:
    code, out, _ = say("run", "diamant", "--players", "5", "--n", "1e3")
    assert code == 0
    assert out.startswith("diamant, 5 players, rules standard, seats rotate, seed 1: 1,000 games")
    assert "threshold(gems=10)" in out
    assert "Caution: trap_removal=all_revealed" in out
    assert "1,000 games played" in out
    folder = next(Path("results").iterdir())
    assert folder.name.startswith("diamant-5p-")
    assert f"simlab table {folder} --by seat" in out
    code, out, _ = say("run", "diamant", "--players", "5", "--n", "1e3", "--rules", "official")
    assert "Caution" not in out


def test_run_json_is_one_object_and_nothing_else(say: Say) -> None:
    words = ["run", "diamant", "--n", "200", "--json", "--seats", "fixed", "-s", "random*2"]
    code, out, err = say(*words, "-s", "threshold")
    assert code == 0
    assert err == ""
    found = json.loads(out)
    assert {"game", "players", "rules", "set", "n", "seed", "results", "seconds", "cpu_seconds",
            "games_per_second", "truncated", "strategies", "seats"} == set(found)  # fmt: skip
    assert [s["strategy"] for s in found["strategies"]] == ["random", "threshold"]
    assert [s["seat"] for s in found["strategies"]] == [[0, 1], 2]
    assert [s["strategy"] for s in found["seats"]] == ["random", "random", "threshold"]
    for entry in found["strategies"] + found["seats"]:
        assert entry["win_share_low"] <= entry["win_share"] <= entry["win_share_high"]
        assert entry["score_low"] <= entry["score_mean"] <= entry["score_high"]
        assert entry["score_sd"] > 0
    assert abs(sum(entry["win_share"] for entry in found["seats"]) - 1) < 1e-9


def test_dry_run_writes_nothing(say: Say, tmp_path: Path) -> None:
    code, out, _ = say("run", "diamant", "--n", "1e6", "--dry-run", "--json")
    assert code == 0
    assert json.loads(out)["to_play"] == 1_000_000
    assert list(tmp_path.iterdir()) == []
    code, out, _ = say("run", "diamant", "--n", "1e6", "--dry-run")
    assert "1,000,000" in out


@pytest.mark.parametrize("form", ["text", "csv", "json", "markdown", "html"])
@pytest.mark.parametrize("by", ["strategy", "seat", "rank", "end_reason"])
def test_table_in_every_form(say: Say, run: Path, by: str, form: str) -> None:
    code, out, err = say("table", str(run), "--by", by, "--format", form)
    assert code == 0, err
    if form == "json":
        assert json.loads(out)["rows"][0]["games"] > 0
        assert say("table", str(run), "--by", by, "--json")[1] == out
    assert by in out


def test_table_options_and_their_slips(say: Say, run: Path) -> None:
    usual = say("table", str(run))[1]
    for words in (["--ties", "win"], ["--ties", "share"]):
        code, out, _ = say("table", str(run), *words)
        assert code == 0
        assert "Ties" in out
        assert out != usual
    for words, part in [
        (["--ties", "wins"], "did you mean win"),
        (["--by", "stratgy"], "did you mean strategy"),
        (["--by", "game"], "200"),
        (["--format", "xml"], "no format 'xml'"),
        (["--truncated", "drop"], "no rule for truncated games 'drop'"),
    ]:
        code, _, err = say("table", str(run), *words)
        assert code == 2
        assert part in err
        assert err.count("\n") == 1


def test_replay_of_a_run_ends_in_its_rows(say: Say, run: Path) -> None:
    code, out, err = say("replay", str(run), "--game", "77")
    assert code == 0, err
    code, told, _ = say("replay", str(run), "--game", "77", "--json")
    import simlab

    rows = simlab.load(run).scan().collect().filter(game=77)
    found = json.loads(told)
    assert found["scores"] == rows["score"].to_list()
    assert found["ranks"] == rows["rank"].to_list()
    assert found["strategies"] == rows["strategy"].to_list()
    assert f"Seat 3 ({found['strategies'][3]}): score {found['scores'][3]}, rank" in out
    code, _, err = say("replay", str(run), "--game", "500")
    assert code == 2
    assert "holds games 0 to 499" in err


def test_replay_of_a_line_up_is_the_same_game(say: Say, run: Path) -> None:
    of_run = say("replay", str(run), "--game", "9")[1]
    of_words = say("replay", "diamant", "--players", "4", "--game", "9")[1]
    assert of_run == of_words
    assert say("replay", "diamant", "--players", "4", "--game", "9", "--seed", "2")[1] != of_run


def test_replay_of_a_run_takes_no_options_of_its_own(say: Say, run: Path) -> None:
    for words in (["--players", "5"], ["--rules", "official"], ["-s", "random"], ["--seed", "2"]):
        code, _, err = say("replay", str(run), "--game", "1", *words)
        assert code == 2
        assert "a run folder has its own" in err


def test_large_seeds_are_kept_as_they_are(say: Say) -> None:
    for seed in (2**53 + 1, 2**63 - 1):
        out = say("run", "diamant", "--n", "5", "--seed", str(seed), "--json")[1]
        assert json.loads(out)["seed"] == seed


def test_version(say: Say) -> None:
    import simlab

    assert say("--version") == (0, f"simlab {simlab.__version__}\n", "")


def test_replay_is_refused_where_a_file_changed(say: Say, run: Path) -> None:
    file = dataset.read_run_file(run)
    file.spec["fingerprints"]["simlab/games/diamant/rules.py"] = "other"
    dataset.write_run_file(run, file)
    code, _, err = say("replay", str(run), "--game", "1")
    assert code == 2
    assert "simlab/games/diamant/rules.py changed" in err


def test_lists(say: Say, run: Path) -> None:
    listed = [entry["game"] for entry in json.loads(say("games", "--json")[1])["games"]]
    assert listed == ["caylus", "collier", "diamant", "splendor"]
    assert "diamant" in say("games")[1]
    assert "threshold(gems=15)" in say("strategies", "diamant")[1]
    every = json.loads(say("strategies", "--json")[1])["strategies"]
    assert {entry["game"] for entry in every} == {*listed}
    out = say("rules", "diamant")[1]
    assert "trap_removal" in out
    assert "iello_pair" in out
    assert "Caution (standard): trap_removal=all_revealed" in out
    assert "RULES.md" in out
    assert "\nCaution: Much of the card mix is reconstructed" in say("rules", "collier")[1]
    assert len(json.loads(say("rules", "diamant", "--json")[1])["rule_sets"]) == 8


def test_runs_are_listed_and_removed(say: Say, tmp_path: Path) -> None:
    assert "no runs under results/" in say("runs")[1]
    say("run", "diamant", "--n", "50")
    folder = next((tmp_path / "results").iterdir())
    assert folder.name in say("runs")[1]
    assert json.loads(say("runs", "--json")[1])["runs"][0]["games"] == 50
    (folder / "run.json").write_text("{")
    assert "is damaged" in say("runs")[1]
    assert say("runs", "remove", f"results/{folder.name}")[0] == 0
    assert not folder.exists()


def test_removing_a_run_keeps_other_files(say: Say, run: Path) -> None:
    (run / "mine.txt").write_text("mine")
    assert say("runs", "remove", str(run))[0] == 0
    assert [path.name for path in run.iterdir()] == ["mine.txt"]


def test_warm_and_doctor(say: Say) -> None:
    assert say("warm", "diamant")[0] == 0
    assert json.loads(say("warm", "diamant", "--json")[1]) == {"compiled": []}
    found = json.loads(say("doctor", "--json")[1])
    assert found["problems"] == []
    assert found["test_games"] > 0
    assert "nothing is wrong" in say("doctor")[1]


def test_help_is_quick_and_grouped() -> None:
    start = time.process_time()
    code = "import sys; sys.argv = ['simlab', '--help']; from simlab.cli import main\n"
    code += "try: main()\nexcept SystemExit: pass\n"
    code += "heavy = {'numba', 'numpy', 'polars', 'simlab.games'} & set(sys.modules)\n"
    code += "sys.exit(f'imports {heavy}' if heavy else 0)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert time.process_time() - start < 5
    for word in ("Play:", "Ask:", "Show:", "Extend:", "run", "replay", "table", "doctor"):
        assert word in done.stdout
