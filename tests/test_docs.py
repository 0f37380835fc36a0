"""Every command and every piece of Python in the README runs, and its table is a real one."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.inturn import in_turn

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text(encoding="utf-8")


SECTIONS = [part for part in re.split(r"^(?=## )", README, flags=re.MULTILINE) if "```" in part]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(text: str, kind: str) -> list[str]:
    return [block for found, block in BLOCK.findall(text) if found == kind]


def execute(words: list[str], folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, capture_output=True, text=True, check=False, input=""
    )
    assert done.returncode == 0, f"{words}: {done.stderr}"
    return done.stdout


def simlab(words: list[str], folder: Path) -> str:
    return execute(["-m", "simlab", *words], folder)


@pytest.mark.parametrize("place", range(1, len(SECTIONS)))
def test_a_section_works_from_top_to_bottom_in_an_empty_folder(tmp_path: Path, place: int) -> None:
    for number, (kind, text) in enumerate(BLOCK.findall(SECTIONS[place])):
        path = re.match(r"# (\S+\.py)\n", text)
        if path:
            (tmp_path / path.group(1)).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path.group(1)).write_text(text, encoding="utf-8")
        elif kind == "python":
            (tmp_path / f"piece_{number}.py").write_text(text, encoding="utf-8")
            execute([f"piece_{number}.py"], tmp_path)
        else:
            assert kind == "console"
            assert all(line.startswith("$ simlab ") for line in text.splitlines())
            assert all(in_turn([shlex.split(line)[2:] for line in text.splitlines()], tmp_path))


def test_nothing_that_looks_like_a_command_is_left_out() -> None:
    shown = "".join(blocks(README, "console"))
    assert len(shown.splitlines()) >= 20
    outside = BLOCK.sub("", README)
    assert not re.findall(r"^    simlab ", outside, re.MULTILINE)
    commands = set(re.findall(r"^\$ simlab (\w+)", shown, re.MULTILINE))
    named = set(re.findall(r"`simlab (\w+)", outside))
    assert named - commands <= {"warm", "doctor", "check"}
    assert {"run", "table", "replay", "report", "play", "check", "new", "strategies"} <= commands


@pytest.mark.parametrize(
    "name", ["README.md", "CONTRIBUTING.md", *sorted(f"docs/{p.name}" for p in DOCS.glob("*.md"))]
)
def test_every_link_leads_somewhere(name: str) -> None:
    page = ROOT / name
    links = re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8"))
    for link in links:
        assert (page.parent / link).exists(), link


def test_the_table_is_what_demo_prints(tmp_path: Path) -> None:
    shown = next(block for block in blocks(README, "") if block.startswith("diamant, 5 players"))
    command = "run diamant --players 5 --n 1e6"
    assert f"simlab {command}" in (ROOT / "Makefile").read_text(encoding="utf-8")
    assert simlab(command.split(), tmp_path).startswith(shown)


def test_every_make_target_that_is_named_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    texts = README + (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"(?:^    |`)make ([a-z-]+)", texts, re.MULTILINE))
    assert {"demo", "test", "validate", "bench", "check"} <= named
    for target in named:
        assert re.search(rf"^{target}:.*## ", makefile, re.MULTILINE), target
        subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, check=True)
    listed = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert all(f"make {target}" in listed for target in named)
