# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # The same folder in DuckDB, pandas and polars
#
# **Question.** A run is a folder of Parquet files. Does every tool read the same numbers from it,
# and which one for what?
#
# The question to the data: how does the win share in Splendor depend on the first card of level 2
# or 3, when it is bought early? It needs rows and events together.
#
# Everything that is written lies below `results/` in the working directory. More games are one
# argument, `n`.

# %%
import duckdb
import pandas as pd
import polars as pl
from IPython.display import Markdown

import simlab

run = simlab.run("splendor", players=3, n=20_000, events=True)
rows = str(run.folder / "games-*.parquet")
events = str(run.folder / "events-*.parquet")
sorted(path.name for path in run.folder.glob("[!.]*"))

# %% [markdown]
# `columns.md` says what each column means; `run.json` how the games were made. The folder may hold
# more games than one asked for, because a run goes on where it ended: `run.scan()` reads the games
# of *this* run, the bare files hold all.

# %%
print((run.folder / "columns.md").read_text(encoding="utf-8"))

# %% [markdown]
# ## SQL on the files
#
# DuckDB reads the files where they lie; nothing is imported. Values go in by name (`$rows`), not
# by gluing text together.

# %%
db = duckdb.connect()


def sql(query: str) -> pd.DataFrame:
    """Ask DuckDB; $rows and $events are the files of the run."""
    wanted = {
        name: path for name, path in (("rows", rows), ("events", events)) if f"${name}" in query
    }
    return db.execute(query, wanted).df()


sql("""
    SELECT strategy, count(*) AS seats_held, avg(win) AS win_share, avg(score) AS score
    FROM read_parquet($rows)
    GROUP BY strategy
    ORDER BY win_share DESC
""")

# %% [markdown]
# ## The same number three ways

# %%
run.scan().group_by("strategy").agg(
    pl.len().alias("seats_held"), pl.col("win").mean().alias("win_share"), pl.col("score").mean()
).sort("win_share", descending=True).collect()

# %%
frame = run.to_pandas()
frame.groupby("strategy", observed=True).agg(
    seats_held=("game", "size"), win_share=("win", "mean"), score=("score", "mean")
).sort_values("win_share", ascending=False)

# %%
in_sql = sql("SELECT strategy, avg(win) AS win FROM read_parquet($rows) GROUP BY strategy")
in_pandas = frame.groupby("strategy", observed=True)["win"].mean()
in_simlab = dict(run.summary().select("strategy", "win_share").iter_rows())
apart = max(
    abs(value - in_simlab[name])
    for shares in (dict(in_sql.itertuples(index=False)), in_pandas.to_dict())
    for name, value in shares.items()
)
same = apart < 1e-12
Markdown(
    "DuckDB, pandas and the table of simlab "
    + ("agree to the twelfth digit." if same else f"differ by {apart:.1g}: they were asked unlike.")
)

# %% [markdown]
# The means are the easy part. The *interval* of simlab knows that the three seats of a deal belong
# together, which no `avg` does: the rows are not independent, and a standard error over rows is
# wrong.

# %%
run

# %% [markdown]
# ## Rows and events together
#
# An event carries `game` and `seat`, and so does a row. Whose first card above level 1 came early?
# In SQL:

# %%
early = sql("""
    WITH first AS (
        SELECT game, seat, min(turn) AS turn
        FROM read_parquet($events)
        WHERE event = 'bought' AND level > 1
        GROUP BY game, seat
    )
    SELECT
        CASE WHEN turn IS NULL THEN 'never' WHEN turn <= 8 THEN 'turn 1-8'
             WHEN turn <= 12 THEN 'turn 9-12' ELSE 'later' END AS first_one,
        count(*) AS seats,
        avg(win) AS win_share,
        avg(score) AS score
    FROM read_parquet($rows)
    LEFT JOIN first USING (game, seat)
    GROUP BY first_one
    ORDER BY win_share DESC
""")
early

# %% [markdown]
# The left join matters: who never bought such a card has no event, and would be missing without
# it. The same in polars:

# %%
first = (
    run.events()
    .filter(pl.col("event") == "bought", pl.col("level") > 1)
    .group_by("game", "seat")
    .agg(pl.col("turn").min())
)
when = (
    pl.when(pl.col("turn").is_null())
    .then(pl.lit("never"))
    .when(pl.col("turn") <= 8)
    .then(pl.lit("turn 1-8"))
    .when(pl.col("turn") <= 12)
    .then(pl.lit("turn 9-12"))
    .otherwise(pl.lit("later"))
)
joined = run.scan().join(first, on=["game", "seat"], how="left").with_columns(first_one=when)
in_polars = (
    joined.group_by("first_one")
    .agg(pl.len().alias("seats"), pl.col("win").mean().alias("win_share"), pl.col("score").mean())
    .sort("win_share", descending=True)
    .collect()
)
in_polars

# %% [markdown]
# And in pandas, with the events that DuckDB hands over as a frame. The keys need the same type on
# both sides.

# %%
bought = sql(
    "SELECT game, seat, turn FROM read_parquet($events) WHERE event = 'bought' AND level > 1"
)
first_turn = bought.groupby(["game", "seat"])["turn"].min().reset_index()
both = frame.merge(first_turn, on=["game", "seat"], how="left")
bins = pd.cut(both["turn"], [0, 8, 12, float("inf")], labels=["turn 1-8", "turn 9-12", "later"])
both["first_one"] = bins.cat.add_categories("never").fillna("never")
both.groupby("first_one", observed=True).agg(
    seats=("game", "size"), win_share=("win", "mean"), score=("score", "mean")
).sort_values("win_share", ascending=False)

# %%
counts = [
    dict(zip(early["first_one"], early["seats"], strict=True)),
    dict(in_polars.select("first_one", "seats").iter_rows()),
    both["first_one"].value_counts().to_dict(),
]
counts = [{name: count for name, count in some.items() if count} for some in counts]
assert counts[0] == counts[1] == counts[2]
Markdown(
    f"All three put the same {sum(counts[0].values()):,} seats into the same groups. What they "
    "say is an association. Who buys early may play a strategy that wins anyway, so here is each "
    "by itself, in %:"
)

# %%
joined.group_by("strategy", "first_one").agg((pl.col("win").mean() * 100).round(1)).collect().pivot(
    "first_one", index="strategy", values="win"
).sort("strategy").select("strategy", *in_polars["first_one"])

# %% [markdown]
# ## What it costs
#
# The files are compressed and keep words as numbers. In memory a frame is larger; a lazy query
# never holds all of it.

# %%
MB = 1e6
on_disk = sum(path.stat().st_size for path in run.folder.glob("*.parquet"))
memory = pl.DataFrame(
    {
        "what": ["all files on disk", "rows in polars", "events in polars", "rows in pandas"],
        "MB": [
            on_disk / MB,
            run.scan().collect().estimated_size() / MB,
            run.events().collect().estimated_size() / MB,
            frame.memory_usage(deep=True).sum() / MB,
        ],
    }
).with_columns(pl.col("MB").round(1))
memory

# %%
per_game = frame.memory_usage(deep=True).sum() / run.span.games
Markdown(
    f"In pandas a game of three seats takes {per_game:.0f} bytes, so ten million games would take "
    f"{per_game * 1e7 / 1e9:.1f} GB. DuckDB and polars go through such a folder piece by piece."
)

# %% [markdown]
# ## Which one for what
#
# - `run.summary()`, `run.table()`: everything with an interval. The unit is the deal, and that is
#   done right.
# - polars (`run.scan()`, `run.events()`): new columns and joins in Python; only the games of the
#   run.
# - DuckDB: SQL, several folders at once (`results/*/games-*.parquet`), folders larger than memory.
# - pandas (`run.to_pandas()`): for libraries that want it, as long as the rows fit into memory.
#   `pandas.read_parquet` works on the files, too, where `pyarrow` is installed.
#
# Whatever reads them: an average of these files without an interval is half an answer.
