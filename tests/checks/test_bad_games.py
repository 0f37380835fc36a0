"""Every kind of fault of a game is caught."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from simlab.checks import Findings, check
from tests.checks.conftest import HERE

GAME, RULES = "__init__.py", "rules.py"
# name -> (file, what stands there, what stands there instead, check that fails, what it says)
BAD = {
    "a key without meaning": (
        GAME, '"cards that are turned up"', '""', "documented", "key 'rounds' has no meaning",
    ),
    "a rule set without note": (
        GAME, "decision_cap=200", 'decision_cap=200, rule_sets={"standard": {}, "short": {}}',
        "documented", "rule set 'short' has no note",
    ),
    "a column without meaning": (
        GAME, '"pebbles for each card"', '" "', "documented", "column 'share' has no meaning",
    ),
    "a line-up of nobody": (
        GAME, "decision_cap=200", 'decision_cap=200, line_up=("randm",)',
        "line-ups", "no strategy 'randm' in pebbles; did you mean random?",
    ),
    "a line-up too short": (
        GAME, "decision_cap=200", 'decision_cap=200, line_up=lambda players: ["random"] * 2',
        "line-ups", "line_up(3) has 2 strategies for 3 players",
    ),
    "rules that cannot be made": (
        GAME, "decision_cap=200", "decision_cap=200, make_rules=lambda values, rows: 1 // 0",
        "rule sets", "ZeroDivisionError",
    ),
    "a single legal action": (
        RULES, "<= 1 and (free", "<= table.turn % 2 and (free",
        "decisions", "is asked with 1 legal action ",
    ),
    "a legal action that there is not": (
        RULES, "return 0 <= action <= 1 and", "return action == 2 or 0 <= action <= 1 and",
        "decisions", "legal says yes to action 2",
    ),
    "bars that are not heard": (
        RULES, "return 0 <= action <= 1 and (free == 0 or (free >> action) & 1 == 1)",
        "return 0 <= action <= 1", "bars", "`legal` takes no notice of me.barred",
    ),
    "a decision without word": (
        RULES, "table.decision = 1", "table.decision = 2", "decisions", "table.decision is 2",
    ),
    "no end": (
        RULES, "table.card = draw(hidden.deck)", "table.turn = 1\n    table.card = 3",
        "ends", "goes on after 200 decisions",
    ),
    "nobody's turn": (
        RULES, "return np.int64(DONE)", "return np.int64(7)", "ends", "step returned 7",
    ),
    "an exception": (
        RULES, "table.card // takers", "table.card // (takers - 1)", "ends", "rules.py:",
    ),
    "rules that change": (
        RULES, "table.card = draw", "rules.rounds = 2\n    table.card = draw",
        "rules stay", "changed the record `rules`",
    ),
    "players that change": (
        RULES, "table.turn += 1\n", "table.turn += 1\n    table.players = 2\n",
        "rules stay", "changed `table.players`",
    ),
    "a look that changes": (
        RULES, '    """Pebbles."""\n', '    """Pebbles."""\n    table.gems[0] += 1\n',
        "rules stay", "legal or score changed the records",
    ),
    "no number": (
        RULES, "table.gems[seat] / rules.rounds", "np.nan",
        "scores", "writes a value to share that is not a finite number",
    ),
    "an end without word": (
        RULES, "result[seat].score =", "result[seat].end_reason = 2\n        result[seat].score =",
        "scores", "end_reason 2",
    ),
    "a secret that shows": (
        RULES, "seats[seat].choice = action",
        "seats[seat].choice = action\n    table.gems[3] = action",
        "secrets", "shows in table.gems before seat",
    ),
    "deaf to bars": (
        RULES, "(free == 0 or (free >> action) & 1 == 1)", "(free >> action) & 1 == 1",
        "bars", "is asked with 0 legal actions (none)",
    ),
    "a deal that is used up": (
        RULES, "shuffle(hidden.deck", "rng.key += np.uint64(1)\n    shuffle(hidden.deck",
        "deals", "changed `rng.key`",
    ),
    "a deck that depends on choices": (
        RULES, "    share_out(table, seats)\n        if",
        "    share_out(table, seats)\n        hidden.deck.number += table.gems[0]\n"
        "        hidden.deck.state += np.uint64(table.gems[0])\n"
        "        shuffled(hidden.deck, table.turn)\n        if",
        "deals", "begins differently when other actions were chosen",
    ),
    "memory outside the records": (
        RULES, "table.card = draw(hidden.deck)",
        "KEPT.append(1)\n    table.card = draw(hidden.deck) + len(KEPT)",
        "deals", "gave different scores the second time",
    ),
    "a sentence that cannot be said": (
        RULES, 'tell("card {}", table.card)', 'tell("card {} of {}", table.card)',
        "replays", "but it has 2 places",
    ),
    "otherwise when compiled": (
        RULES, "table.card = draw(hidden.deck)",
        "table.card = draw(hidden.deck)\n    big = int(table.turn) * 4611686018427387904 * 2\n"
        "    table.card = table.card if big > 0 else 0",
        "alike", "compiled",
    ),
    "what numba does not know": (
        RULES, "table.card = draw(hidden.deck)",
        "table.card = draw(hidden.deck) + 0 * int(format(3))",
        "compiled", "numba cannot compile the rules of pebbles",
    ),
    "an import that fails": (
        GAME, "GAME =", "OTHER = 1 / 0\nGAME =", "loads", "__init__.py:7: ZeroDivisionError",
    ),
    "no game": (GAME, "GAME =", "OTHER =", "declares", "has no GAME = Game(...)"),
    "a slip in the declaration": (
        GAME, "seats=(2, 3)", "seats=(3, 2)", "loads", "game 'pebbles': seats is (3, 2)",
    ),
}  # fmt: skip


def broken(folder: Path, file: str, there: str, instead: str) -> Path:
    game = folder / "games" / "pebbles"
    shutil.copytree(HERE / "games" / "pebbles", game)
    shutil.copytree(HERE / "strategies", folder / "strategies")
    text = (game / file).read_text(encoding="utf-8")
    assert there in text
    text = text.replace(there, instead)
    if file == RULES:
        text = text.replace("import forced, tell", "import forced, shuffled, tell\n\nKEPT = []")
        text = text.replace("def turn_up(table, hidden)", "def turn_up(table, hidden, rules)")
        text = text.replace("turn_up(table, hidden)", "turn_up(table, hidden, rules)")
    (game / file).write_text(text, encoding="utf-8")
    return game


def checked(game: Path) -> Findings:
    from simlab.core.registry import looking_in

    with looking_in(game.parent.parent):
        return check(game, seconds=0.3)


@pytest.mark.parametrize("name", BAD)
def test_a_fault_is_caught(name: str, tmp_path: Path) -> None:
    file, there, instead, kind, says = BAD[name]
    found = checked(broken(tmp_path, file, there, instead))
    assert not found.passed
    assert any(line.check == kind and says in line.says for line in found.failed), str(found)


def test_rules_without_end_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIMLAB_PATIENCE", "0.4")
    there = "table.card = draw(hidden.deck)"
    instead = f"{there}\n    while table.turn == 2:\n        table.card = 1"
    (line,) = checked(broken(tmp_path, RULES, there, instead)).failed
    assert line.check == "ends"
    assert "rules.py:" in line.says
    assert "no answer within 0.4 s" in line.says


def test_a_missing_rules_page_is_told(tmp_path: Path) -> None:
    game = broken(tmp_path, GAME, "GAME =", "GAME =")
    (game / "RULES.md").unlink()
    assert any("RULES.md is missing" in line.says for line in checked(game).failed)


def test_a_good_game_passes_whole(tmp_path: Path) -> None:
    found = checked(broken(tmp_path, GAME, "GAME =", "GAME ="))
    assert found.passed, str(found)
    checks = {line.check for line in found.lines if line.status == "ok"}
    assert {"documented", "rules page", "rule sets", "strategies", "line-ups", "ends", "decisions",
            "rules stay", "scores", "deals", "secrets", "bars", "replays", "alike", "many",
            "many, barred"} <= checks  # fmt: skip
