"""Questions: each is checked, played as far as it takes, and answered from its rows."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab.api.folders import a_path
from simlab.api.orders import MOST_JOBS
from simlab.core.cache import keeping
from simlab.core.parameters import read_whole
from simlab.core.places import Named, looking_in
from simlab.errors import UserError, one_of
from simlab.running.backends import check_backend
from simlab.running.progress import in_jupyter
from simlab.study import KINDS

if TYPE_CHECKING:
    from simlab.reporting.answers.answer import Answer

HOW = ("jobs", "backend", "out", "force", "quiet")
Specs = Sequence[Any] | Any


def duel(
    game: str,
    a: Any,
    b: Any,
    *,
    players: int | None = None,
    against: Specs | None = None,
    together: bool = False,
    objective: str = "win",
    score_range: Any = None,
    margin: float | str | None = None,
    confidence: float | str = 0.95,
    max: float | str = 10_000_000,
    gate: bool = False,
    rules: str = "standard",
    set: Mapping[str, Any] | None = None,
    seed: int = 1,
    question: str = "",
    strategies: Named | None = None,
    **how: Any,
) -> Answer:
    """Ask whether strategy A is better than B; play until that is settled.

    With two seats both seatings of each deal are played; with more, A and B sit in the same chair
    of the same deal, every chair in turn, and `against` holds the other seats (default: those of
    the game's own line-up), or both sit at one table (`together`). objective: win, score, margin
    (over the best of the others) or rank; score_range: least and largest score, where the game
    declares none; margin: the difference that matters (default 0.5 % of win share); max: games at
    most; gate: ask instead whether A, the new one, is not worse than B, the old one, by the
    margin. The interval is valid at any stop. how: jobs, backend, out, force, quiet as in `run`.
    """
    return _asked(
        "duel", strategies, how, game=game, a=a, b=b, players=players, against=against,
        together=together, objective=objective, score_range=score_range, margin=margin,
        confidence=confidence, max=max, gate=gate, rules=rules, set=set, seed=seed,
        question=question,
    )  # fmt: skip


def tournament(
    game: str,
    *,
    players: int | None = None,
    field: Specs | str = "all",
    n: float | str = 200_000,
    unsettled: float | str = 0.3,
    confidence: float | str = 0.95,
    rules: str = "standard",
    set: Mapping[str, Any] | None = None,
    seed: int = 1,
    question: str = "",
    strategies: Named | None = None,
    **how: Any,
) -> Answer:
    """Ask which strategy of a field is best, and who beats whom.

    field: strategies, or "all" of the game; n: games at most; unsettled: the share of them that
    goes to pairs that the balanced games do not settle. With the same folder (by default one for
    the game, players, rules and seed) only what is missing is played: more games, or the line-ups
    of strategies that came new. how: jobs, backend, out, force, quiet as in `run`.
    """
    return _asked(
        "tournament", strategies, how, game=game, players=players, field=field, n=n,
        unsettled=unsettled, confidence=confidence, rules=rules, set=set, seed=seed,
        question=question,
    )  # fmt: skip


def sweep(
    game: str,
    vary: str | Sequence[str],
    *,
    against: Specs | None = None,
    players: int | str | Sequence[int] | None = None,
    n: float | str | None = None,
    objective: str = "win",
    confidence: float | str = 0.95,
    rules: str = "standard",
    set: Mapping[str, Any] | None = None,
    seed: int = 1,
    question: str = "",
    strategies: Named | None = None,
    **how: Any,
) -> Answer:
    """Ask which value of a strategy's parameters is best.

    vary: "threshold.gems=4:40:2", or several of one strategy for a map; against: who holds the
    other seats (default: those of the game's own line-up); players: a number, or several ("3:8"),
    each with games of its own; n: games for each number of players; objective: win, score, margin
    or rank. All points are played on the same deals. how: jobs, backend, out, force, quiet as in
    `run`.
    """
    return _asked(
        "sweep", strategies, how, game=game, vary=vary, against=against, players=players, n=n,
        objective=objective, confidence=confidence, rules=rules, set=set, seed=seed,
        question=question,
    )  # fmt: skip


def compare_rules(
    game: str,
    *,
    players: int | None = None,
    lineup: Specs | None = None,
    rules: str | Sequence[str] = "standard",
    set: Mapping[str, Any] | None = None,
    n: float | str | None = None,
    confidence: float | str = 0.95,
    seed: int = 1,
    question: str = "",
    strategies: Named | None = None,
    **how: Any,
) -> Answer:
    """Ask what a change of the rules does, on the same deals under each.

    rules: rule sets ("standard,official"); set: rule -> value, or several values to compare; the
    first is what the others are compared with; lineup: as in `run`, rotated through all seats; n:
    games under each. how: jobs, backend, out, force, quiet as in `run`.
    """
    return _asked(
        "compare-rules", strategies, how, game=game, players=players, lineup=lineup, rules=rules,
        set=set, n=n, confidence=confidence, seed=seed, question=question,
    )  # fmt: skip


def sample_size(
    game: str,
    *,
    detect: float | str | None = None,
    a: Any = None,
    b: Any = None,
    lineup: Specs | None = None,
    players: int | None = None,
    power: float | str = 0.9,
    confidence: float | str = 0.95,
    comparisons: int | None = None,
    objective: str = "win",
    score_range: Any = None,
    pilot: int | str = 1000,
    rules: str = "standard",
    set: Mapping[str, Any] | None = None,
    seed: int = 1,
    question: str = "",
    strategies: Named | None = None,
    **how: Any,
) -> Answer:
    """Ask how many games find a difference, from a pilot whose games are not kept.

    detect: the difference (default 0.5 % of win share); a, b: the strategies of a duel; without
    them all pairs of the line-up; power: probability to find it; comparisons: how many share the
    error (default: the pairs); pilot: deals of the pilot. how: jobs, backend, quiet as in `run`.
    """
    return _asked(
        "sample-size", strategies, how, game=game, detect=detect, a=a, b=b, lineup=lineup,
        players=players, power=power, confidence=confidence, comparisons=comparisons,
        objective=objective, score_range=score_range, pilot=pilot, rules=rules, set=set, seed=seed,
        question=question,
    )  # fmt: skip


def _asked(ask: str, strategies: Named | None, how: Mapping[str, Any], **arguments: Any) -> Answer:
    """Check a question, play it and return its answer."""
    return Question(ask, arguments, strategies).answer(**how)


class Question:
    """A question that was checked: its experiment file, its command, and the way to its answer.

    arguments: as the function of this name takes them, without how games are played; those that are
    None take their defaults. UserError for anything that cannot be right.
    """

    def __init__(
        self, ask: str, arguments: Mapping[str, Any], strategies: Named | None = None
    ) -> None:
        self.ask = ask
        asking = study(ask).asking
        given = {name: value for name, value in arguments.items() if value is not None}
        for name, one in inspect.signature(asking).parameters.items():
            if one.default is one.empty and name not in given:
                raise UserError(f"{ask}: {name} is missing; see `simlab {ask} --help`.")
        with looking_in(strategies):
            self.asked = asking(**given)

    def as_toml(self) -> str:
        """Return the experiment file that asks it."""
        from simlab.running.experiment import to_toml

        return to_toml({"ask": self.ask, **self.asked.arguments})

    def command(self, out: str | Path | None = None) -> str:
        """Return the command line that asks it."""
        from simlab.study.asking import command

        said = {**self.asked.arguments, "out": None if out is None else str(out)}
        return command(self.ask, said)

    def answer(self, **how: Any) -> Answer:
        """Play it and return the answer; how: jobs, backend, out, force, quiet as in `run`."""
        return carry_out(self.ask, self.asked, how)


def question_of_file(
    file: str | Path, given: Mapping[str, Any] | None = None
) -> tuple[Question, dict[str, Any]]:
    """Return the question of an experiment file, and how it is played.

    given: arguments that take the place of what the file states. UserError with file and line.
    """
    from simlab.running.experiment import find_experiment, read_experiment
    from simlab.running.experimentkeys import KINDS as KEYS

    stated = read_experiment(find_experiment(file))
    own = dict(given or {})
    for name in own:
        if name not in (*KEYS[stated.ask], *HOW):
            raise UserError(
                f"--{name.replace('_', '-')} is not for {stated.source}, which asks for a "
                f"{stated.ask}; change the file, or leave the option out."
            )
    with stated.placing(but=own):
        arguments = {**stated.arguments(), "question": stated.question, **own}
        how = {name: arguments.pop(name) for name in HOW if name in arguments}
        return Question(stated.ask, arguments, arguments.pop("strategies", None)), how


def study(ask: str) -> Any:
    """Return the module of a kind of question; UserError, with the nearest, for another."""
    if ask not in KINDS:
        raise one_of("kind of question", ask, KINDS)
    return importlib.import_module(f"simlab.study.{KINDS[ask]}")


def carry_out(ask: str, asked: Any, how: Mapping[str, Any]) -> Answer:
    """Play a question that was checked, and return its answer."""
    from simlab.reporting.answers.answer import Answer
    from simlab.study.asking import How

    for name in how:
        if name not in HOW:
            function = ask.replace("-", "_")
            known = [n for n in inspect.signature(globals()[function]).parameters if n != "how"]
            raise one_of("argument", name, [*known, *HOW], f"in simlab.{function}")
    options = {"quiet": not in_jupyter(), **how}
    options["out"] = None if how.get("out") is None else a_path(how["out"])
    if how.get("jobs") is not None:
        options["jobs"] = read_whole(how["jobs"], "--jobs", 1, MOST_JOBS)
    options["backend"] = check_backend(how.get("backend", "threads"))
    with keeping():
        given = How(**options)
        done = asked.play(given)
    found = answer_of(done) if isinstance(done, Path) else Answer(done, None)
    found.played = sum(given.tally)
    return found


def answer_of(folder: Path) -> Answer:
    """Return the answer that a question's folder holds."""
    from simlab.reporting.answers.answer import Answer
    from simlab.study.folder import read_study

    file = read_study(folder)
    if file.ask not in KINDS:
        raise UserError(
            f"{folder} asks a question of the kind '{file.ask}', which this simlab does not know."
        )
    return Answer(study(file.ask).read(folder, file), folder)
