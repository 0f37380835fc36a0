"""A person at the keyboard: sees what the seat may see, plays the same game as a table does."""

from __future__ import annotations

import copy
import io
import itertools
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from simlab import note, strategy
from simlab.core.game import Game
from simlab.core.places import looking_in
from simlab.core.registry import bind_for, find_game
from simlab.core.strategy import Bound, Player
from simlab.core.table import Action, Table
from simlab.errors import StrategyError, UserError
from simlab.games.diamant import LEAVE, STAY
from simlab.running import terminal
from simlab.running.keyboard import Unseen, play, sit_down

CHOICES = ("stay", "stay", "leave", "stay", "stay", "stay", "leave")


class Person:
    """Types the given answers, then nothing more; keeps what is shown, and when it was asked."""

    def __init__(self, answers: Iterable[str]) -> None:
        self.answers: Iterator[str] = iter(answers)
        self.lines: list[str] = []
        self.asked: list[int] = []

    def read(self, prompt: str) -> str:
        assert re.fullmatch(r"seat \d> ", prompt)
        self.asked.append(len(self.lines))
        try:
            return next(self.answers)
        except StopIteration:
            raise EOFError from None

    def write(self, text: str) -> None:
        self.lines += text.split("\n")

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def after(self, number: int) -> str:
        """What is shown between an answer and the next question."""
        return "\n".join(self.lines[self.asked[number] : [*self.asked, None][number + 1]])

    def play(self, game: str = "diamant", players: int | None = 3, **how: Any) -> Table:
        return play(game, players, read=self.read, write=self.write, **{"seed": 5} | how)


def bound(*specs: str) -> list[Bound]:
    return [bind_for(find_game("diamant"), spec) for spec in specs]


def steady() -> Iterator[str]:
    return itertools.cycle(CHOICES)


# -- the game


@pytest.mark.parametrize(
    ("players", "seat"), [(3, 0), (3, 1), (3, 2), *((8, seat) for seat in range(8))]
)
def test_the_same_words_at_a_table_give_the_same_game(players: int, seat: int) -> None:
    person = Person(steady())
    table = person.play(players=players, seat=seat, deal=3)
    assert table.finished
    usual = find_game("diamant").line_up(players)
    lineup = [Player(b) for b in bound(*usual)]
    twin, answers = Table("diamant", players, seed=5, deal=3), steady()
    while (to_move := twin.to_move) is not None:
        if to_move == seat:
            twin.play(next(answers))
        else:
            twin.advance(lineup[to_move])
    assert twin.scores == table.scores
    assert twin.log.words == table.log.words
    assert len(person.asked) == [entry.seat for entry in twin.log if entry.action in (0, 1)].count(
        seat
    )
    for place, score in enumerate(twin.scores):
        name = "you" if place == seat else usual[place].split("(")[0]
        assert re.search(rf"  seat {place} \({name}.*\): score {score}, rank {twin.ranks[place]}",
                         person.text)  # fmt: skip


def test_two_explorers_are_asked_one_after_the_other() -> None:
    person = Person(["stay", "leave", *["stay"] * 999])
    table = person.play(players=2, seat=1, lineup=["risk_limit"], set={"explorers": 2})
    assert table.finished
    assert "Seat 1 (explorer 1), after card 1: leave or stay?" in person.text
    assert "Seat 1 (explorer 2) wants to leave." in person.text
    assert "Expedition" in person.text.partition("Seat 1 (explorer 1)")[0]
    assert "Expedition" not in person.after(0)  # nothing public has changed
    assert "Seat 0 (explorer 1) stays" not in person.text


@pytest.mark.parametrize("form", [str.upper, lambda w: w[:2], lambda w: str(int(w == "leave"))])
def test_numbers_beginnings_and_capitals_are_the_same_words(form: Any) -> None:
    person = Person(f" {form(word)} \n" for word in steady())
    assert person.play().log.words == Person(steady()).play().log.words


def test_a_fresh_seed_is_said_and_its_command_gives_the_game_again() -> None:
    first, second = Person(steady()), Person(steady())
    one = first.play(players=4, seat=2, seed=None, rules="official", set={"expeditions": 3},
                     lineup=["threshold(gems=12)*2", "random"], deal=7)  # fmt: skip
    told = re.search(r"To play the same game again:\n((?:.*\\\n)*.*)\n", first.text)
    assert told
    words = shlex.split(told[1].replace("\\\n", ""))
    assert words[:3] == ["simlab", "play", "diamant"]
    options = list(zip(words[3::2], words[4::2], strict=True))
    stated = dict(options)
    two = second.play(
        players=int(stated["--players"]), seat=int(stated["--seat"]), seed=int(stated["--seed"]),
        deal=int(stated["--deal"]), rules=stated["--rules"],
        set=dict([stated["--set"].split("=")]), lineup=[v for k, v in options if k == "-s"],
    )  # fmt: skip
    assert one.log.sentences() == two.log.sentences()
    assert f"seed {stated['--seed']}." in first.text
    assert Person(steady()).play(seed=None).log != Person(steady()).play(seed=None).log


def test_places_of_strategies_belong_to_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text(
        'from simlab import strategy\n\n\n@strategy("diamant")\ndef of_mine(table):\n    return 1\n'
    )
    monkeypatch.chdir(tmp_path)
    person = Person([])
    with looking_in(tmp_path / "mine.py"):
        person.play(lineup=["of_mine"])
    assert person.lines[-1] == (
        "  simlab play diamant --players 3 --seat 0 -s of_mine -s of_mine --strategies mine.py "
        "--seed 5"
    )


def test_another_game_has_another_seed() -> None:
    person = Person(steady())
    person.play(players=4, seat=3)
    assert person.lines[-2:] == [
        "To play another game:",
        "  simlab play diamant --players 4 --seat 3",
    ]


# -- what is seen


def test_secret_choices_of_others_are_not_seen_but_what_they_lead_to() -> None:
    person = Person(["leave", *["stay"] * 99])
    person.play(seat=1, lineup=["leave_first", "never_leave"])
    assert re.search(r"Seat 0 leaves with \d+ gems?", person.text)
    assert not re.search(r"[Ss]eat [02] (stays|wants to leave)", person.text)
    assert "Seat 1 wants to leave." in person.text


def open_game() -> Game:
    game = copy.copy(find_game("diamant"))
    object.__setattr__(game, "secret", ())
    return game


def test_open_choices_of_others_are_seen_as_they_happen() -> None:
    person = Person(["stay"])
    sit_down(Table(open_game(), 3, seed=5), 1, bound("leave_first", "never_leave"), person.read,
             person.write)  # fmt: skip
    assert "Seat 0 wants to leave." in "\n".join(person.lines[: person.asked[0]])
    assert "Seat 2 stays." in person.after(0)


def test_forced_choices_are_seen_like_others() -> None:
    for seat, seen in ((0, True), (1, False)):
        person = Person(["stay", "leave"])
        table = Table("diamant", 3, seed=5, bars={0: ["kind=leave"]})
        sit_down(table, seat, bound("never_leave", "never_leave"), person.read, person.write)
        assert ("Seat 0 stays. (Forced.)" in person.text) is seen
        assert any(entry.kind == "forced" for entry in table.log)
    person = Person(["stay"])
    table = Table(open_game(), 3, seed=5, bars={0: ["kind=leave"]})
    sit_down(table, 1, bound("never_leave", "never_leave"), person.read, person.write)
    assert "Seat 0 stays. (Forced.)" in person.text


@strategy("diamant")
def musing(table):
    """Notes what it thinks."""
    note("doubt", 0.25)
    return STAY


def test_notes_of_strategies_are_not_seen() -> None:
    person = Person(["stay", "leave"])
    table = person.play(lineup=[musing])
    assert any("doubt" in entry.text for entry in table.log)
    assert "doubt" not in person.text
    assert "the same call with seed=5" in person.text  # no command line finds this strategy


def test_scores_that_are_to_be_forgotten_are_not_shown() -> None:
    person = Person(["leave"] * 9)
    person.play(seat=1, lineup=["leave_first"], set={"observation": "no_chest_memory"})
    chests = re.findall(r"chests: (.*)", person.text)
    assert len(chests) == 5
    assert all(re.fullmatch(r"\?, \d+, \?", shown) for shown in chests)
    assert "Chests:" not in person.text
    person = Person(["leave"] * 9)
    person.play(seat=1, lineup=["leave_first"])
    assert re.search(r"chests: \d+, \d+, \d+", person.text)


def test_an_unseen_number_is_a_question_mark_in_every_form() -> None:
    number = Unseen(17)
    assert [str(number), f"{number}", f"{number!r}", f"{number:>4d}", f"{number:,}"] == [
        "?", "?", "?", "   ?", "?",
    ]  # fmt: skip


def test_no_line_is_too_long() -> None:
    person = Person(itertools.chain(["help", "table"], itertools.repeat("stay")))
    person.play(players=8, seat=7, set={"expeditions": 9, "leftover_split": "per_card"},
                lineup=["score_aware(risk=0.125, slope=0.0625)"])  # fmt: skip
    assert max(map(len, person.lines)) < 100
    assert any(len(line) > 80 for line in person.lines)


# -- asking


def test_what_is_no_action_gets_one_sentence_and_is_asked_again() -> None:
    person = Person(["fly", "2", "-1", "st ay", "\x1b[A" * 40, "stay", "leave"])
    table = person.play()
    assert table.log.words[0] == "stay"
    for number, said in enumerate(["fly", "2", "-1", "st ay"]):
        assert person.after(number) == f"'{said}' is not an action; type stay, leave, or help."
    right = r"type stay, leave,\s+or\s+help\."
    assert re.fullmatch(rf"'[?\[A.]+' is not an action; {right}", person.after(4))


def test_a_barred_action_is_not_allowed() -> None:
    table = Table("diamant", 3, seed=5)
    table.bar(0, "kind=leave")
    person = Person(["leave", "1", "le", "0"])
    sit_down(table, 0, bound("random", "random"), person.read, person.write)
    assert person.after(0) == "'leave' is not allowed now; type stay, or help."
    assert person.after(1) == "'1' is not allowed now; type stay, or help."
    assert person.after(2) == "'le' is not an action; type stay, or help."
    assert person.after(3).startswith("Seat 0 stays.")


def test_help_position_and_log_can_be_asked_for() -> None:
    person = Person(["stay", "?", "HELP", "table", "log", "", "leave"])
    person.play()
    for number in (1, 2):
        assert all(word in person.after(number) for word in ("table", "log", "help", "quit"))
        assert "RULES.md" in person.after(number)
    position = person.lines[person.lines.index("") :]
    assert person.after(3).strip() in "\n".join(position)
    assert person.after(3).startswith("\nExpedition 1 of 5")
    so_far = person.after(4).split("\n")
    assert so_far[0] == "Expedition 1: everybody enters the cave."
    assert "Seat 0 stays." in so_far
    assert so_far[-2:] == person.after(5).split("\n")
    assert so_far[-1] == "  0 stay    1 leave"


MANY = [Action(n, word) for n, word in enumerate(["buy-1", "buy-2", "bid", "quit", "tables"])]


@pytest.mark.parametrize(
    ("said", "number"),
    [("buy-1", 0), ("BUY-2", 1), ("bi", 2), ("b", None), ("quit", 3), ("q", 3), ("table", None),
     ("t", 4), ("tables", 4), ("2", 2), ("", None), ("log", None)],
)  # fmt: skip
def test_a_beginning_is_enough_where_it_means_one_action(said: str, number: int | None) -> None:
    found = terminal.chosen(said, MANY)
    assert (None if found is None else found.number) == number


def test_a_beginning_of_several_words_says_which() -> None:
    words = [action.word for action in MANY]
    assert terminal.misread("bu", MANY, words) == "'bu' may mean buy-1, buy-2; type more of it."
    few = terminal.misread("x", [Action(n, f"a{n}") for n in range(9)], [])
    assert few == "'x' is not an action; type a0, a1, a2, a3, a4, a5, ..., or help."


def test_many_actions_stand_in_columns() -> None:
    cells = [f"{n} {'word' * (n % 4 + 1)}" for n in range(50)]
    lines = list(terminal.columns(cells))
    assert max(map(len, lines)) < 100
    assert len(lines) == 13
    assert re.split(r"\s{2,}", " ".join(lines).strip()) == cells
    assert list(terminal.columns(["x" * 200])) == [f"  {'x' * 200}"]


# -- the end


def test_the_winner_is_named() -> None:
    person = Person(["stay"] * 99)
    table = person.play(lineup=["leave_first"])
    assert table.winners == [0]
    assert person.lines[-4] == "You won."
    person = Person(["leave"] * 99)
    table = person.play(lineup=["never_leave", "leave_first"], seat=1)
    assert table.winners == [0]
    assert person.lines[-4] == "Seat 0 (never_leave) won."
    person = Person(["leave"] * 99)
    person.play(lineup=["leave_first"], seat=2)
    assert person.lines[-4] == (
        "You and seat 0 (leave_first) and seat 1 (leave_first) share the win."
    )


@pytest.mark.parametrize("last", [["quit"], ["QUIT"], []], ids=["quit", "QUIT", "end of input"])
def test_leaving_says_how_to_play_it_again(last: list[str]) -> None:
    person = Person(["stay", "leave", *last])
    table = person.play(seat=1)
    assert not table.finished
    assert person.lines[-3:] == [
        "You have left the game before its end. You chose so far: stay, leave.",
        "To play the same game again, from its start:",
        "  simlab play diamant --players 3 --seat 1 --seed 5",
    ]
    at_once = Person([])
    at_once.play()
    assert "You have left the game before its end." in at_once.lines


def test_one_can_sit_down_again_where_one_left() -> None:
    table = Table("diamant", 3, seed=5)
    opponents = bound("threshold", "random")
    words = list(itertools.islice(steady(), 99))
    assert not sit_down(table, 0, opponents, Person(words[:3]).read, lambda text: None)
    again = Person(words[3:])
    assert sit_down(table, 0, opponents, again.read, again.write)
    whole = Table("diamant", 3, seed=5)
    assert sit_down(whole, 0, opponents, Person(words).read, lambda text: None)
    assert whole.log == table.log
    assert not re.search(r"Seat [12] (stays|wants to leave)", again.text)


# -- what cannot be


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"seat": 3}, r"^--seat is '3'; it takes a whole number from 0 to 2\.$"),
        ({"seat": "x"}, "^--seat is 'x'; it takes a whole number from 0 to 2"),
        ({"seat": -1}, "^--seat is '-1'"),
        ({"players": 9}, "^diamant is for 3 to 8 players; 9 were asked for"),
        ({"seed": -1}, "^--seed is '-1'"),
        ({"deal": "x"}, "^--deal is 'x'"),
        ({"lineup": ["random"] * 3}, "^3 strategies were given for the 2 seats beside yours; give"),
        ({"lineup": ["random*5"]}, "^5 strategies .* one for all of them, or 2 in seat order, wi"),
        ({"lineup": []}, "^0 strategies were given"),
        ({"lineup": ["randm"]}, r"no strategy 'randm' in diamant; did you mean random\?"),
        ({"game": "diamand"}, r"no game 'diamand'; did you mean diamant\?"),
        ({"rules": "x"}, "no rule set 'x'"),
        ({"set": {"x": 1}}, "no rule 'x'"),
    ],
)
def test_what_cannot_be_is_one_sentence(how: dict[str, Any], says: str) -> None:
    person = Person([])
    with pytest.raises(UserError, match=says):
        person.play(**how)
    assert not person.lines


def test_a_table_needs_the_seat_and_a_strategy_for_each_other() -> None:
    table = Table("diamant", 3)
    with pytest.raises(UserError, match="there is no seat 3; seats are 0 to 2"):
        sit_down(table, 3, bound("random", "random"))
    with pytest.raises(UserError, match="1 strategies were given for the 2 other seats"):
        sit_down(table, 0, bound("random"))


@strategy("diamant")
def failing(table, how: int = 0):
    """Fails in the second expedition, in several ways."""
    if table.expedition < 2:
        return LEAVE
    if how == 0:
        raise ValueError("no plan")
    if how == 1:
        return 7
    if how == 2:
        table.depth = 3
    sys.exit("gone")


def fault(how: int) -> str:
    person = Person(["leave"] * 9)
    declared = failing.__strategy__
    with pytest.raises(StrategyError) as caught:
        person.play(seat=0, lineup=["random", Bound(declared, (how,))])
    assert person.text.count("everybody enters the cave") == 2
    return str(caught.value)


def test_a_strategy_that_fails_is_named_with_its_own_lines() -> None:
    told = fault(0)
    assert re.match(
        r"failing\(how=0\) failed in seat 2, decision \d+ \(leave_or_stay\) at \S+test_keyboard.py:"
        r"\d+: ValueError: no plan\. The same game again:\n  the same call with seed=5\n",
        told,
    )
    assert 'raise ValueError("no plan")' in told
    assert "test_keyboard.py" in told
    assert "simlab/core" not in told
    illegal = r"failing\(how=1\) in seat 2, decision \d+ \(leave_or_stay\): '7' is not legal"
    assert re.match(illegal, fault(1))
    assert "may look at table, me and rules, not change them" in fault(2)
    assert "SystemExit: gone" in fault(3)


# -- keyboard and pipe


def test_a_pipe_is_shown_like_what_is_typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = io.BytesIO("stay\r\n\n léave".encode())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(raw, "utf-8"))
    assert [terminal.from_keyboard("> ").strip() for _ in range(3)] == ["stay", "", "léave"]
    assert capsys.readouterr().out == "> stay\n> \n>  léave\n"
    with pytest.raises(EOFError):
        terminal.from_keyboard("> ")
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(EOFError):
        terminal.from_keyboard("> ")


def test_what_is_no_text_is_no_action(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe\n"), "utf-8"))
    lines: list[str] = []
    assert not play("diamant", seed=5, write=lines.append).finished
    assert "'\N{REPLACEMENT CHARACTER}' is not an action; type stay, leave, or help." in lines


def test_a_game_through_a_pipe() -> None:
    asks = "from simlab.running.keyboard import play; play('diamant', 3, seed=5)"
    done = subprocess.run(
        [sys.executable, "-c", asks],
        input="leave\n" * 5,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert done.stdout.count("seat 0> leave\nSeat 0 wants to leave.\n") == 5
    assert "The game is over (finished)." in done.stdout


def test_a_command_can_be_copied() -> None:
    words = [
        "simlab",
        "play",
        *itertools.chain(*[["-s", f"threshold(gems={n})"] for n in range(9)]),
    ]
    told = terminal.command(words)
    assert max(map(len, told.split("\n"))) < 100
    assert shlex.split(told.replace("\\\n", "")) == words
    assert all(line.strip().startswith(("simlab", "-s")) for line in told.split("\n"))


# -- what one seat alone may know


def test_what_is_whispered_is_for_one_seat_alone() -> None:
    """Cards are dealt face down: each person sees their own, the others' never."""
    seen = {}
    for seat in range(3):
        person = Person([])
        table = person.play("collier", 3, seat=seat, lineup=["random"])
        dealt = [entry for entry in table.log if entry.kind == "told" and "is dealt" in entry.text]
        assert {entry.seat for entry in dealt} == {0, 1, 2}
        seen[seat] = [line for line in person.lines if "is dealt" in line]
        assert seen[seat] == [entry.text for entry in dealt if entry.seat == seat]
        assert len(seen[seat]) == 4
    assert len({str(lines) for lines in seen.values()}) == 3
