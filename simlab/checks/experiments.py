"""The checks of an experiment file: can what it asks be played? Nothing is played for them."""

from __future__ import annotations

import importlib
import inspect
import itertools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from simlab.checks.findings import FAIL, Line, Report
from simlab.core.game import Game, RuleBook, rule_book
from simlab.core.parameters import checked, number_text, read_spec, read_whole
from simlab.core.quantities import read_vary, share_text
from simlab.core.registry import bind_for, find_game, looking_in, strategies
from simlab.errors import UserError, one_of
from simlab.running.experiment import Experiment, read_experiment
from simlab.running.experimentkeys import DIFFERENCES, KINDS, SHARES, alternatives
from simlab.running.spec import MOST_SEED, SEATINGS, Spec, field_of, line_up_of, make_spec
from simlab.study import KINDS as QUESTIONS

T = TypeVar("T")
MOST_GAMES = 10**15
MOST_RULES = 1_000
COUNTS = {"n": 1, "first_game": 0, "max": 1, "comparisons": 1, "pilot": 2}


def check_experiment(path: Path, game: Game | None = None) -> list[Line]:
    """Return the lines of an experiment file; those that fail name the line of the file.

    game: the one that it must be about, if any. UserError where there is no such file.
    """
    report = Report(f"experiment {path}")
    try:
        stated = read_experiment(path)
    except UserError as error:
        if not path.is_file():
            raise
        return [report.fail("reads", str(error))]
    tries = _Tries(report, stated)
    tries.lines.append(report.ok("reads", f"{stated.ask}: {' '.join(stated.question.split())}"))
    places = stated.stated.get("strategies")
    if tries("strategies", lambda: _places(places)):
        with looking_in(places):
            _check(tries, stated, game)
    return tries.lines


class _Tries:
    """Makes the line of each check of one file."""

    def __init__(self, report: Report, experiment: Experiment) -> None:
        self.report, self.experiment = report, experiment
        self.lines: list[Line] = []

    def __call__(self, check: str, found: Callable[[], tuple[T, str]]) -> T | None:
        """Add the line of a check, and return what it found; None where something is wrong.

        found: returns that, and what is said of it ("": no line is needed); or raises UserError.
        """
        try:
            with self.experiment.placing():
                value, says = found()
        except UserError as error:
            wrong, _, trace = str(error).partition("\n")
            self.lines.append(self.report.fail(check, wrong, trace))
            return None
        if says:
            self.lines.append(self.report.ok(check, says))
        return value


def _check(tries: _Tries, experiment: Experiment, wanted: Game | None) -> None:
    """Add all lines; what hangs on something wrong is left out."""
    stated = experiment.stated
    game = tries("game", lambda: _game(experiment, wanted))
    if game is None:
        return
    books = tries("rules", lambda: _books(game, stated)) or []
    players = tries("players", lambda: _players(books, stated)) if books else None
    _strategies(tries, game, stated)
    for text in stated.get("vary", []):
        tries("vary", lambda text=text: _vary(game, text))  # type: ignore[misc]
    if players and "lineup" in KINDS[experiment.ask]:
        spec = tries("lineup", lambda: _spec(game, players, stated))
        if spec is not None and "until" in stated:
            tries("until", lambda: _until(spec, stated))
    for check in _OTHERS:
        tries(check, lambda check=check: _OTHERS[check](game, stated))  # type: ignore[misc]
    if experiment.ask in QUESTIONS and not any(line.status == FAIL for line in tries.lines):
        tries("question", lambda: _asked(experiment))


def _places(places: list[Path] | None) -> tuple[bool, str]:
    with looking_in(places):
        return True, ", ".join(map(str, places or []))


def _game(experiment: Experiment, wanted: Game | None) -> tuple[Game, str]:
    game = find_game(experiment.game)
    if wanted is not None and game is not wanted:
        raise UserError(f"game is {game.name}; it was to be checked for {wanted.name}.")
    return game, game.name


def _books(game: Game, stated: Mapping[str, Any]) -> tuple[list[RuleBook], str]:
    """Return every combination of rules that is played."""
    names = alternatives(stated.get("rules", "standard"))
    settings = {name: alternatives(value) for name, value in stated.get("set", {}).items()}
    ways = list(itertools.islice(itertools.product(*settings.values()), MOST_RULES))
    books = [
        rule_book(game, name, dict(zip(settings, way, strict=True)))
        for name in names
        for way in ways
    ]
    changed = [f"{name}={' or '.join(map(str, values))}" for name, values in settings.items()]
    return books, " or ".join(names) + (f" with {', '.join(changed)}" if changed else "")


def _players(books: list[RuleBook], stated: Mapping[str, Any]) -> tuple[list[int], str]:
    given = stated.get("players", books[0].player_count(None, "players"))
    counts = list(dict.fromkeys(alternatives(given)))
    for book in books:
        for count in counts:
            book.check_players(count)
    return counts, ", ".join(map(str, counts))


def _strategies(tries: _Tries, game: Game, stated: Mapping[str, Any]) -> None:
    """Add a line for each key that names strategies, and one for each that is wrong."""
    for key in ("a", "b", "against", "field", "lineup"):
        entries = alternatives(stated.get(key, []))
        if entries == ["all"]:
            entries = list(strategies(game.name))
        found = [
            tries(key, lambda entry=entry: (field_of(game, [entry]), ""))  # type: ignore[misc]
            for entry in dict.fromkeys(entries)
        ]
        if entries and None not in found and key != "lineup":
            tries(key, lambda key=key, entries=entries: _together(game, key, entries))  # type: ignore[misc]


def _together(game: Game, key: str, entries: list[str]) -> tuple[bool, str]:
    """Say which strategies there are, once each was found."""
    names = list(dict.fromkeys(bound.label for bound in field_of(game, entries)))
    if key == "field" and len(names) < 2:
        raise UserError(f"field has one strategy, '{names[0]}'; a tournament needs at least 2.")
    return True, ", ".join(names)


def _vary(game: Game, text: str) -> tuple[bool, str]:
    """Say which values a parameter is given, once it takes them all."""
    vary = read_vary(text, "vary")
    call = read_spec(vary.strategy)
    bound = bind_for(game, call)
    parameters = {parameter.name: parameter for parameter in bound.strategy.parameters}
    if vary.parameter not in parameters:
        signature = bound.strategy.signature()
        raise one_of("parameter", vary.parameter, parameters, f"in {signature}")
    if vary.parameter in dict(call.arguments):
        raise UserError(f"vary '{vary.name}' states {vary.parameter} twice; leave one of them out.")
    parameter = parameters[vary.parameter]
    for value in vary.values:
        given = value if isinstance(value, str) or parameter.kind != "word" else number_text(value)
        checked(parameter, given, bound.name, lambda spec: bind_for(game, spec))
    some = [str(value) for value in vary.values]
    listed = f"{len(some)} values from {some[0]} to {some[-1]}" if len(some) > 5 else None
    return True, f"{vary.name}: {listed or ', '.join(some)}"


def _spec(game: Game, players: list[int], stated: Mapping[str, Any]) -> tuple[Spec, str]:
    """Return the line-up of a plain run, or of the first rules of a comparison."""
    given = stated.get("lineup")
    for count in players:
        line_up_of(game, count, given)
    rules = alternatives(stated.get("rules", "standard"))[0]
    settings = {name: alternatives(value)[0] for name, value in stated.get("set", {}).items()}
    spec = make_spec(game.name, players[0], given, rules, settings)
    return spec, ", ".join(spec.labels) if given else ""


def _until(spec: Spec, stated: Mapping[str, Any]) -> tuple[bool, str]:
    from simlab.study.until import until

    until(spec, stated["until"], 0, 10_000)
    return True, str(stated["until"])


def _seats(game: Game, stated: Mapping[str, Any]) -> tuple[bool, str]:
    if "seats" in stated and stated["seats"] not in SEATINGS:
        raise one_of("seating", stated["seats"], SEATINGS)
    return True, stated.get("seats", "")


def _objective(game: Game, stated: Mapping[str, Any]) -> tuple[bool, str]:
    from simlab.study.outcomes import check_objective

    if "objective" not in stated:
        return True, ""
    return True, check_objective(stated["objective"])


def _events(game: Game, stated: Mapping[str, Any]) -> tuple[bool, str]:
    if stated.get("events") and game.events is None:
        raise UserError(f"{game.name} records no events.")
    return True, "recorded" if stated.get("events") else ""


def _numbers(game: Game, stated: Mapping[str, Any]) -> tuple[bool, str]:
    said = []
    for key, low in COUNTS.items():
        if key in stated:
            said.append(f"{key} {read_whole(stated[key], key, low, MOST_GAMES):,}")
    if "seed" in stated:
        said.append(f"seed {read_whole(stated['seed'], 'seed', 0, MOST_SEED)}")
    for key in (*DIFFERENCES, *SHARES):
        if key in stated:
            is_share = key in SHARES or stated.get("objective", "win") == "win"
            said.append(f"{key} {(share_text if is_share else number_text)(stated[key])}")
    return True, ", ".join(said)


_OTHERS = {"seats": _seats, "objective": _objective, "events": _events, "numbers": _numbers}


def _asked(experiment: Experiment) -> tuple[bool, str]:
    """Let the question itself look at what it is asked, as it does before it plays."""
    name = f"simlab.study.{QUESTIONS[experiment.ask]}"
    asking = importlib.import_module(name).asking
    takes = inspect.signature(asking).parameters
    asking(**{key: value for key, value in experiment.arguments().items() if key in takes})
    return True, "the question can be asked"
