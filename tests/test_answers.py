"""What docs/answers.md says of the shipped experiments is what their commands print."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import matplotlib
import polars as pl
import pytest

import simlab
from simlab import cli
from simlab.core.registry import shipped_pack
from simlab.running.experiment import find_experiment, read_experiment

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "answers.md").read_text(encoding="utf-8")
SECTIONS = re.split(r"^(?=## )", PAGE, flags=re.MULTILINE)[1:]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NOT_A_QUESTION = "exit-threshold"  # this one shows what can stand in a file
EQUAL = "33.3"  # the equal share of three, which no command prints


def commands(section: str) -> list[list[str]]:
    """The words of each command of a section, without `simlab`."""
    shown = "".join(text for kind, text in BLOCK.findall(section) if kind == "console")
    assert all(line.startswith("$ simlab ") for line in shown.splitlines())
    return [shlex.split(line)[2:] for line in shown.splitlines()]


def printed(section: str) -> str:
    return "".join(text for kind, text in BLOCK.findall(section) if kind == "text")


def prose(section: str) -> str:
    """A section without its blocks, code, figures and links."""
    text = re.sub(r"!?\[([^]]*)\]\([^)]*\)", "", BLOCK.sub("", section))
    return re.sub(r"`[^`]*`", "", text)


def option(words: list[str], name: str) -> str | None:
    return words[words.index(name) + 1] if name in words else None


def test_each_shipped_question_has_a_section_that_plays_it() -> None:
    shipped = {path.stem for path in shipped_pack("experiments").glob("*.toml")}
    assert len(SECTIONS) == len(shipped - {NOT_A_QUESTION}) == 10
    played = [{option(words, "--file") for words in commands(s)} - {None} for s in SECTIONS]
    assert all(len(names) == 1 for names in played)
    assert {*map(str, set().union(*played))} == shipped - {NOT_A_QUESTION}
    for section, (name,) in zip(SECTIONS, played, strict=True):
        assert f"(../experiments/{name}.toml)" in section
        assert f"(answers/{name}.svg)" in section
        assert (ROOT / "docs" / "answers" / f"{name}.svg").stat().st_size < 200_000
        assert "*How it was decided.*" in section
        assert "*What it does not say.*" in section


def test_every_command_can_be_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    for section in SECTIONS:
        known: set[str | None] = set()
        for words in commands(section):
            if words[0] in ("table", "report"):
                assert words[1] in known, words
                continue
            known.add(option(words, "--out"))
            monkeypatch.setattr(sys, "argv", ["simlab", *words, "--as-toml"])
            with pytest.raises(SystemExit) as end:
                cli.main()
            assert not end.value.code, words
            assert 'game = "' in capsys.readouterr().out


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.split("\n")[0])
def test_every_number_of_the_text_was_printed(section: str) -> None:
    """Those with a point; rounded as the text has them."""
    found = [float(number) for number in re.findall(r"\d+\.\d+", printed(section))]
    found += [100 * number for number in found if number < 1]
    said = {*re.findall(r"(?<![\d.])\d+\.\d+", prose(section))} - {EQUAL}
    assert len(said) >= 2
    for number in said:
        half = 0.5001 / 10 ** len(number.partition(".")[2])
        assert any(abs(float(number) - each) <= half for each in found), number


def test_a_duel_of_the_page_is_played_again(tmp_path: Path) -> None:
    asked = read_experiment(find_experiment("reserving")).arguments()
    found = simlab.duel(**asked | {"players": 2, "out": tmp_path / "duel"})
    assert found.sentence in PAGE


def test_more_players_need_fewer_gems_in_a_small_sweep_too(tmp_path: Path) -> None:
    asked = read_experiment(find_experiment("threshold-by-players")).arguments()
    asked |= {"players": [3, 8], "n": 6e4, "vary": "threshold.gems=4:16:4", "out": tmp_path / "s"}
    rows = simlab.sweep(**asked).summary().filter(pl.col("kept"))
    few, many = (rows.filter(players=n)["threshold.gems"].to_list() for n in (3, 8))
    assert min(few) > max(many)


def named_in_order(svg: str) -> str:
    """A figure with its clipping paths numbered: their names hash the last digits of floats."""
    names = list(dict.fromkeys(re.findall(r"\bp[0-9a-f]{10}\b", svg)))
    return re.sub(r"\bp[0-9a-f]{10}\b", lambda found: f"p{names.index(found[0])}", svg)


def test_paths_of_a_figure_are_compared_by_their_order() -> None:
    one = '<path clip-path="url(#p00aa5e60af)"/><clipPath id="p00aa5e60af"/>'
    assert named_in_order(one) == named_in_order(one.replace("p00aa5e60af", "p0a43e62157"))
    assert named_in_order(one) != named_in_order(one.replace('"p00aa5e60af"', '"p0a43e62157"'))


@pytest.mark.validate
@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.split("\n")[0])
def test_the_page_says_what_its_commands_print(section: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs" / "answers", tmp_path / "docs" / "answers")
    output: set[str] = set()
    for number, (kind, text) in enumerate(BLOCK.findall(section)):
        if kind == "text":
            lines = {*filter(None, text.splitlines())}
            assert lines <= output, "\n".join(sorted(lines - output))
            continue
        if kind == "python":
            (tmp_path / f"piece_{number}.py").write_text(text, encoding="utf-8")
            told = [[f"piece_{number}.py"]]
        else:
            told = [["-m", "simlab", *shlex.split(line)[2:]] for line in text.splitlines()]
        for words in told:
            done = subprocess.run(
                [sys.executable, *words], cwd=tmp_path, capture_output=True, text=True, check=True
            )
            output.update(done.stdout.splitlines())
    for path in (tmp_path / "docs" / "answers").glob("*.svg"):
        there = (ROOT / "docs" / "answers" / path.name).read_text(encoding="utf-8")
        if f"Matplotlib v{matplotlib.__version__}," in there:
            assert named_in_order(path.read_text(encoding="utf-8")) == named_in_order(there), (
                path.name
            )
