"""Commands that ask a question: of a run, or of games played for it."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from simlab.cli.app import app
from simlab.cli.options import (
    AsToml,
    Backend,
    Force,
    Jobs,
    Json,
    Places,
    Players,
    Quiet,
    Rules,
    Seed,
    Set,
    Strategies,
    changes,
    hush,
    show,
)
from simlab.errors import UserError
from simlab.stopping import interrupts, leave_at_once

Against = Annotated[
    list[str] | None,
    typer.Option(
        "--against", metavar="SPEC", help="Who holds the other seats. Default: the usual line-up."
    ),
]
Objective = Annotated[
    str, typer.Option("--objective", metavar="WHAT", help="win, score, margin or rank.")
]
ScoreRange = Annotated[
    str | None,
    typer.Option(
        "--score-range", metavar="LOW:HIGH", help="Lowest and highest score, if the game has none."
    ),
]
Confidence = Annotated[
    str, typer.Option("--confidence", metavar="P", help="Level of the intervals, such as 95%.")
]
Out = Annotated[str | None, typer.Option("--out", "-o", metavar="DIR", help="Folder.")]


@app.command()
def table(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Run folder.")],
    by: Annotated[
        str,
        typer.Option(
            "--by",
            metavar="COLUMN",
            help="What the rows are: strategy, seat, a column, or what events are about (card).",
        ),
    ] = "strategy",
    ties: Annotated[
        str, typer.Option("--ties", metavar="RULE", help="How ties count: ordinal, share or win.")
    ] = "ordinal",
    truncated: Annotated[
        str,
        typer.Option(
            "--truncated", metavar="RULE", help="How truncated games count: score, split or none."
        ),
    ] = "score",
    form: Annotated[
        str, typer.Option("--format", metavar="FORM", help="text, csv, json, markdown or html.")
    ] = "text",
    json: Json = False,
) -> None:
    """Print the table of a run, with intervals."""
    from simlab import api

    print(api.table(run, by, ties, truncated).write("json" if json else form))


@app.command()
def duel(
    game: Annotated[str, typer.Argument(help="Name of the game.")],
    a: Annotated[str, typer.Argument(metavar="A", help="A strategy: name or name(gems=12).")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another one; with --gate the old one.")],
    players: Players = None,
    against: Against = None,
    together: Annotated[
        bool, typer.Option("--together", help="Seat A and B at one table.")
    ] = False,
    objective: Objective = "win",
    score_range: ScoreRange = None,
    margin: Annotated[
        str | None,
        typer.Option(
            "--margin", metavar="M", help="Difference that matters. Default 0.5% of win share."
        ),
    ] = None,
    confidence: Confidence = "95%",
    most: Annotated[str, typer.Option("--max", metavar="N", help="Games at most.")] = "1e7",
    gate: Annotated[
        bool,
        typer.Option("--gate", help="Whether A is not worse than B: exit code 0, 10 or 11 (open)."),
    ] = False,
    rules: Rules = "standard",
    set_: Set = None,
    seed: Seed = "1",
    jobs: Jobs = None,
    backend: Backend = "threads",
    places: Places = None,
    out: Out = None,
    force: Force = False,
    as_toml: AsToml = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say whether strategy A is better than B; play until that is settled."""
    arguments = {
        "game": game, "a": a, "b": b, "players": players, "against": against or None,
        "together": together, "objective": objective, "score_range": score_range,
        "margin": margin, "confidence": confidence, "max": most, "gate": gate, "rules": rules,
        "set": changes(set_), "seed": seed,
    }  # fmt: skip
    how = {"jobs": jobs, "backend": backend, "out": out, "force": force, "quiet": quiet}
    answer_question("duel", arguments, how, places, as_toml, json)


@app.command()
def tournament(
    game: Annotated[str, typer.Argument(help="Name of the game.")],
    players: Players = None,
    field: Annotated[
        str,
        typer.Option("--field", metavar="all|SPEC,SPEC...", help="Who takes part. Default: all."),
    ] = "all",
    n: Annotated[
        str,
        typer.Option("--n", metavar="N", help="Games at most; those already there are all used."),
    ] = "2e5",
    unsettled: Annotated[
        str,
        typer.Option("--unsettled", metavar="P", help="Share of them for pairs not yet settled."),
    ] = "30%",
    confidence: Confidence = "95%",
    rules: Rules = "standard",
    set_: Set = None,
    seed: Seed = "1",
    jobs: Jobs = None,
    backend: Backend = "threads",
    places: Places = None,
    out: Out = None,
    force: Force = False,
    as_toml: AsToml = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say which strategy of a field is best, and who beats whom."""
    arguments = {
        "game": game, "players": players, "field": field, "n": n, "unsettled": unsettled,
        "confidence": confidence, "rules": rules, "set": changes(set_), "seed": seed,
    }  # fmt: skip
    how = {"jobs": jobs, "backend": backend, "out": out, "force": force, "quiet": quiet}
    answer_question("tournament", arguments, how, places, as_toml, json)


@app.command()
def sweep(
    game: Annotated[str, typer.Argument(help="Name of the game.")],
    vary: Annotated[
        list[str] | None,
        typer.Option(
            "--vary", metavar="S.P=RANGE", help="Values to try: threshold.gems=4:40:2 or =4,8,12."
        ),
    ] = None,
    against: Against = None,
    players: Annotated[
        str | None,
        typer.Option("--players", metavar="P", help="Number of players, or several: 3:8."),
    ] = None,
    n: Annotated[
        str | None,
        typer.Option("--n", metavar="N", help="Games for each number of players."),
    ] = None,
    objective: Objective = "win",
    confidence: Confidence = "95%",
    rules: Rules = "standard",
    set_: Set = None,
    seed: Seed = "1",
    jobs: Jobs = None,
    backend: Backend = "threads",
    places: Places = None,
    out: Out = None,
    force: Force = False,
    as_toml: AsToml = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say which value of a strategy's parameters is best."""
    if not vary:
        raise UserError('say what to try: simlab sweep diamant --vary "threshold.gems=4:40:2".')
    arguments = {
        "game": game, "vary": vary, "against": against or None, "players": players, "n": n,
        "objective": objective, "confidence": confidence, "rules": rules, "set": changes(set_),
        "seed": seed,
    }  # fmt: skip
    how = {"jobs": jobs, "backend": backend, "out": out, "force": force, "quiet": quiet}
    answer_question("sweep", arguments, how, places, as_toml, json)


@app.command()
def compare_rules(
    game: Annotated[str, typer.Argument(help="Name of the game.")],
    players: Players = None,
    strategy: Strategies = None,
    rules: Annotated[
        str, typer.Option("--rules", metavar="NAME,NAME...", help="Rule sets to compare.")
    ] = "standard",
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE,...", help="A rule's values to compare, or one for all."
        ),
    ] = None,
    n: Annotated[str | None, typer.Option("--n", metavar="N", help="Games under each.")] = None,
    confidence: Confidence = "95%",
    seed: Seed = "1",
    jobs: Jobs = None,
    backend: Backend = "threads",
    places: Places = None,
    out: Out = None,
    force: Force = False,
    as_toml: AsToml = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say what a change of the rules does, on the same deals."""
    arguments = {
        "game": game, "players": players, "lineup": strategy or None, "rules": rules,
        "set": changes(set_), "n": n, "confidence": confidence, "seed": seed,
    }  # fmt: skip
    how = {"jobs": jobs, "backend": backend, "out": out, "force": force, "quiet": quiet}
    answer_question("compare-rules", arguments, how, places, as_toml, json)


@app.command()
def sample_size(
    game: Annotated[str, typer.Argument(help="Name of the game.")],
    a: Annotated[str | None, typer.Argument(metavar="[A]", help="Strategies of a duel.")] = None,
    b: Annotated[str | None, typer.Argument(metavar="[B]")] = None,
    detect: Annotated[
        str | None,
        typer.Option(
            "--detect", metavar="D", help="Difference to find. Default 0.5% of win share."
        ),
    ] = None,
    power: Annotated[
        str, typer.Option("--power", metavar="P", help="Probability to find it.")
    ] = "90%",
    strategy: Strategies = None,
    players: Players = None,
    confidence: Confidence = "95%",
    comparisons: Annotated[
        str | None,
        typer.Option("--comparisons", metavar="K", help="Comparisons. Default: all pairs."),
    ] = None,
    objective: Objective = "win",
    score_range: ScoreRange = None,
    pilot: Annotated[
        str, typer.Option("--pilot", metavar="D", help="Deals of the pilot, which are not kept.")
    ] = "1000",
    rules: Rules = "standard",
    set_: Set = None,
    seed: Seed = "1",
    places: Places = None,
    as_toml: AsToml = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say how many games find a difference, from a small pilot."""
    arguments = {
        "game": game, "a": a, "b": b, "lineup": strategy or None, "players": players,
        "detect": detect, "power": power, "confidence": confidence, "comparisons": comparisons,
        "objective": objective, "score_range": score_range, "pilot": pilot, "rules": rules,
        "set": changes(set_), "seed": seed,
    }  # fmt: skip
    answer_question("sample-size", arguments, {"quiet": quiet}, places, as_toml, json)


def answer_question(
    ask: str,
    arguments: dict[str, Any],
    how: dict[str, Any],
    places: list[str] | None,
    as_toml: bool,
    json: bool,
) -> None:
    """Check a question, play it and print its answer; or print its experiment file."""
    from simlab.api.asking import Question

    print_answer(Question(ask, arguments, places or None), how, as_toml, json)


def print_answer(question: Any, how: dict[str, Any], as_toml: bool, json: bool) -> None:
    """Play a question that was checked and print its answer."""
    if as_toml:
        print(question.as_toml(), end="")
        return
    hush(str(how.get("backend")))
    leave_at_once()
    again = question.command(how.get("out"))
    interrupts.say(f"Stopped; finished shards are kept. Go on with:\n  {again}")
    quiet = bool(how.get("quiet"))
    answer = question.answer(**{**how, "quiet": quiet or json})
    interrupts.say("Stopped.")
    if json:
        show(answer.document())
    else:
        print(answer)
        if not quiet and answer.folder is not None:
            told = (
                f"{answer.played:,} games were played now; all lie"
                if answer.played
                else ("No games were played: all were already there,")
            )
            print(f"\n{told} in {answer.folder}\nNext: simlab report {answer.folder}")
    if answer.exit_code:
        raise typer.Exit(answer.exit_code)
