"""The answer of a tournament in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simlab.reporting.answers.sheet import Sheet, truncated_note
from simlab.reporting.numbers import digits, percent, plain

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

    from simlab.analysis.ranking import Ranked
    from simlab.study.tournament import Tournament

NAMED = 3
MOST_OPEN = 40


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
    return f"{best.name} is the best of {len(rows)}: {share}, ahead of {rows[1].name}, " + (
        f"{_share(rows[1])}."
    )


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
    open_ = _open(result)
    if open_.height:
        title = f"Pairs not settled head to head ({open_.height} of {len(result.meetings)})"
        sheets.append(Sheet(title, open_.head(MOST_OPEN), _how_pairs(result)))
    return sheets


def _shares(titles: list[str], name: str) -> list[pl.Expr]:
    import polars as pl

    columns = [name, f"{name}_low", f"{name}_high"]
    return [
        (100 * pl.col(column)).alias(title) for column, title in zip(columns, titles, strict=True)
    ]


def _open(result: Tournament) -> pl.DataFrame:
    """Return each pair that is not settled once, the better one of it first."""
    import polars as pl

    order = {row.name: at for at, row in enumerate(result.ranking.rows)}
    rows = [
        {
            "first": row["first"],
            "second": row["second"],
            "comes before, %": _times(row["beats"]),
            "win share less, %": _times(row["difference"]),
            "low": _times(row["low"]),
            "high": _times(row["high"]),
            "p (Holm)": row["p_holm"],
            "games for it": row["extra"],
        }
        for row in result.pairs().iter_rows(named=True)
        if not row["verdict"] and order[row["first"]] < order[row["second"]]
    ]
    return pl.DataFrame(rows)


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
    drawn = {
        "ranking": charts.ranking(found, players, level=result.level),
        "pairs": charts.pair_map(result.pairs(), level=result.level),
    }
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
    if result.rating is not None and result.rating.fit is not None:
        message = result.rating.fit.message
        said += [f"Ratings: {message}."] if message else []
    said += truncated_note(result.truncated, result.balanced)
    return [*said, *(f"{note}." if not note.endswith(".") else note for note in result.notes)]


def _span(ends: tuple[int, int]) -> str:
    low, high = ends
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
