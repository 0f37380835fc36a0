"""The answer of a tournament in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simlab.analysis.rating import DOES_NOT_FIT
from simlab.reporting.answers.sheet import Sheet, truncated_note
from simlab.reporting.numbers import digits, p_text, percent, plain

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

    from simlab.analysis.ranking import Ranked
    from simlab.study.tournament import Tournament

NAMED = 3
MOST_OPEN = 10


def sentence(result: Tournament) -> str:
    """Return the answer in one sentence."""
    rows = result.ranking.rows
    if not rows:
        return "Nothing can be said: no game counts."
    best, share = rows[0], _share(rows[0])
    group = [row for row in rows[1:] if set(row.letters) & set(best.letters)]
    if not best.letters:
        return f"{best.name} won most, {share}; which are told apart, the table of pairs says."
    if group:
        names = [f"{row.name}, {_share(row)}" for row in group[:NAMED]]
        more = f" and {len(group) - NAMED} more" if len(group) > NAMED else ""
        return (
            f"{best.name} won most, {share}, but is not told apart from {'; '.join(names)}{more}."
        )
    if len(rows) == 1:
        return f"{best.name} won {share}."
    beaten_by = [row["second"] for row in _against(result, best.name) if row["verdict"] < 0]
    next_ = f"ahead of {rows[1].name}, {_share(rows[1])}"
    if beaten_by:
        named = " and ".join(filter(None, (", ".join(beaten_by[:-1]), beaten_by[-1])))
        return (
            f"{best.name} won most over this field of {len(rows)}, {share}, {next_}, but head to "
            f"head it loses to {named}: what wins most depends on who takes part."
        )
    open_ = [row["second"] for row in _against(result, best.name) if not row["verdict"]]
    beats = "beats every other head to head"
    if open_:
        beats = f"head to head {len(open_)} of {len(rows) - 1} pairs with it are not settled"
    return f"{best.name} is the best of {len(rows)}: {share}, {next_}; {beats}."


def _against(result: Tournament, name: str) -> list[dict[str, Any]]:
    """Return the pairs of a strategy with each other one."""
    return [row for row in result.pairs().iter_rows(named=True) if row["first"] == name]


def _share(row: Ranked) -> str:
    found = row.estimate
    if found.low is None or found.high is None:
        return percent(found.estimate)
    number = digits([(100 * found.low, 100 * found.high)])
    ends = f"[{100 * found.low:.{number}f}, {100 * found.high:.{number}f}]"
    return f"{percent(found.estimate, number)} {ends}"


def tables(result: Tournament) -> list[Sheet]:
    """Return the ranking, and the pairs that are not settled."""
    import polars as pl

    level = f"{100 * result.level:g} %"
    found = result.summary()
    rating = [] if result.rating is None else ["rating", "rating_low", "rating_high"]
    frame = found.select(
        pl.col("place"),
        pl.col("strategy"),
        pl.col("letters").alias("group"),
        pl.col("games").alias("seats held"),
        *_shares(["win share, %", f"{level} low", f"{level} high"], "win_share"),
        pl.col("score_mean").alias("score"),
        *(pl.col(name).alias(name.replace("_", " ")) for name in rating),
    )
    bounds = [row.win_bounds for row in result.ranking.rows]
    if any(bounds):
        for title, at in (("if truncated lost, %", 0), ("won, %", 1)):
            ends = [None if both is None else 100 * both[at] for both in bounds]
            frame = frame.with_columns(pl.Series(title, ends, pl.Float64))
    caption = (
        "Strategies that share a letter are not told apart by their win shares. The intervals are "
        "each strategy's own."
    )
    if rating:
        caption += " Rating: the logarithm of the worth in a Plackett-Luce model with ties."
    sheets = [Sheet("Ranking", frame, caption)]
    best = result.ranking.rows[0].name
    sheets.append(Sheet(f"{best} head to head", _table(_against(result, best)), _how_pairs(result)))
    open_ = _open(result)
    if open_:
        title = f"Pairs not settled head to head ({len(open_)} of {len(result.meetings)})"
        more = f"{len(open_) - MOST_OPEN} more. " if len(open_) > MOST_OPEN else ""
        hope = "A larger --n settles more"
        if all(not row["difference"] for row in open_):
            hope = "Where they play alike no games will settle them"
        caption = f"{more}{hope}. All pairs: the map of the page, or .pairs()."
        sheets.append(Sheet(title, _table(open_[:MOST_OPEN]), caption))
    return sheets


def _shares(titles: list[str], name: str) -> list[pl.Expr]:
    import polars as pl

    columns = [name, f"{name}_low", f"{name}_high"]
    return [
        (100 * pl.col(column)).alias(title) for column, title in zip(columns, titles, strict=True)
    ]


def _open(result: Tournament) -> list[dict[str, Any]]:
    """Return each pair that is not settled once, the better one of it first."""
    order = {row.name: at for at, row in enumerate(result.ranking.rows)}
    rows = result.pairs().iter_rows(named=True)
    return [r for r in rows if not r["verdict"] and order[r["first"]] < order[r["second"]]]


def _table(rows: list[dict[str, Any]]) -> pl.DataFrame:
    """Return pairs as a table shows them."""
    import polars as pl

    said = {1: "wins", -1: "loses", 0: "not settled"}
    return pl.DataFrame(
        [
            {
                "strategy": row["first"],
                "against": row["second"],
                "head to head": said[row["verdict"]],
                "comes before, %": _times(row["beats"]),
                "difference in win share, %": _times(row["difference"]),
                "low": _times(row["low"]),
                "high": _times(row["high"]),
                "p (Holm)": p_text(row["p_holm"]),
                "games for it": row["extra"],
            }
            for row in rows
        ]
    )


def _times(value: float | None) -> float | None:
    return None if value is None else 100 * value


def _how_pairs(result: Tournament) -> str:
    """Say how pairs are judged."""
    pairs = len(result.meetings)
    said = (
        f"By win shares in the games with both; all claims about the {pairs} pairs hold together "
        f"with {100 * result.level:g} % (Holm)."
    )
    if result.extra:
        said += (
            " Half of the error goes to the balanced games, half to those played for open pairs, "
            "which hold at any stop."
        )
    return said


def figures(result: Tournament) -> dict[str, Figure]:
    """Return ranking, pairs and ratings."""
    from simlab.reporting.charts import tournament as charts

    found, players = result.summary(), result.parts[0].players
    drawn = {"ranking": charts.ranking(found, players, level=result.level)}
    if found.height <= charts.MOST_IN_MAP:
        drawn["pairs"] = charts.pair_map(result.pairs(), level=result.level)
    if result.rating is not None:
        drawn["ratings"] = charts.ratings(found, level=result.level)
    return drawn


def notes(result: Tournament) -> list[str]:
    """Return how it was played and what the numbers do not say."""
    settled = sum(1 for meeting in result.meetings if meeting.verdict)
    said = [
        f"{result.games:,} games: {result.balanced:,} balanced, every strategy in every seat "
        f"equally, and {result.extra:,} for pairs not yet settled; {settled} of "
        f"{len(result.meetings)} pairs are settled head to head.",
    ]
    if result.coverage is not None:
        found = result.coverage
        said.append(
            f"Line-ups of each strategy: {_span(found.appearances)}; of each pair: "
            f"{_span(found.meetings)} (ideal {plain(found.ideal)})."
        )
        if found.few:
            said.append(
                f"{len(found.few)} pairs met in fewer than 30 line-ups; more games (--n) tell more "
                "of them."
            )
    else:
        said.append("Games with strategies outside this field are left out.")
    said += _misfit(result)
    said += truncated_note(result.truncated, result.balanced)
    return [*said, *(f"{note}." if not note.endswith(".") else note for note in result.notes)]


def _misfit(result: Tournament) -> list[str]:
    """Say where one number for each strategy does not describe the field."""
    if result.rating is None:
        return []
    place = {row.name: at for at, row in enumerate(result.rating.rows)}
    upsets = [
        row for row in result.pairs().iter_rows(named=True)
        if row["verdict"] == 1 and place[row["first"]] > place[row["second"]]
    ]  # fmt: skip
    if upsets:
        row = max(upsets, key=lambda row: row["beats"])
        return [
            f"Ratings: {DOES_NOT_FIT}; {row['first']} beats {row['second']}, "
            f"{100 * row['beats']:.1f} % of their games, although it is rated below it."
        ]
    message = result.rating.fit.message if result.rating.fit else None
    return [f"Ratings: {message}."] if message else []


def _span(ends: tuple[int, int]) -> str:
    low, high = ends
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
