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
# # First steps: who leaves the cave at the right time?
#
# **Question.** Four explorers play Diamant by the printed rules. One leaves with 10 gems in hand,
# one at the second kind of trap, one when the next card has become too dangerous, one when more
# can be lost than won. Who wins most often, by how much, and how sure is that?
#
# The games here take a few seconds (before the first ones, simlab compiles for up to a minute,
# once). More games are one argument, `n=1e6`. Everything that is written lies below `results/` in
# the working directory.

# %%
import polars as pl
from IPython.display import Markdown

import simlab

# %% [markdown]
# ## Play

# %%
PLAYERS, RULES = 4, "official"
line_up = ["threshold(gems=10)", "trap_count(traps=2)", "risk_limit", "myopic_ev"]

run = simlab.run("diamant", players=PLAYERS, n=20_000, rules=RULES, lineup=line_up)
run

# %% [markdown]
# ## Read the table
#
# - **Seats held**: in how many games a strategy sat. The line-up moves one seat on from game to
#   game, so nobody keeps a good or a bad chair.
# - **Win share**: the part of its games that a strategy wins. A tie counts half, or a third, for
#   each winner, so the shares of all seats add up to 100 %, and with four seats 25 % is what
#   nobody gains or loses by.
# - **95 %**, the interval: it should hold the win share that endless games would show. Of all such
#   intervals 95 in 100 do; nobody knows which. The unit is the deal, the order of the cards that
#   chance has decided on.
# - **Score**: the mean number of gems, with an interval of its own. **sd** is how far single games
#   lie from that mean, not how far the mean may be wrong.


# %%
def percent(share: float) -> str:
    """Write a share for a sentence."""
    return f"{100 * share:.1f} %"


def interval(row: dict) -> str:
    """Write the interval of a win share for a sentence."""
    return f"[{100 * row['win_share_low']:.1f}, {100 * row['win_share_high']:.1f}]"


first, second, *others = run.summary().sort("win_share", descending=True).rows(named=True)
apart = first["win_share_low"] > second["win_share_high"]
Markdown(
    f"**{first['strategy']}** wins {percent(first['win_share'])} {interval(first)} of its games, "
    f"**{second['strategy']}** {percent(second['win_share'])} {interval(second)}; the equal share "
    f"is {percent(1 / PLAYERS)}. The two intervals {'do not overlap' if apart else 'overlap'}. "
    "That is a first look only: both shares come from the same games, where one wins what the "
    "other does not. The duel below compares them as it should be done."
)

# %% [markdown]
# ## What more games buy
#
# The same call with a smaller `n` reads what is there already; with a larger one it goes on where
# the run ended.

# %%
widths = []
for n in (200, 2_000, 20_000):
    fewer = simlab.run("diamant", players=PLAYERS, n=n, rules=RULES, lineup=line_up)
    row = fewer.summary().row(by_predicate=pl.col("strategy") == first["strategy"], named=True)
    widths.append(
        {
            "games": n,
            "win share, %": round(100 * row["win_share"], 1),
            "width of the interval, points": round(
                100 * (row["win_share_high"] - row["win_share_low"]), 1
            ),
            "played just now": fewer.played,
        }
    )
pl.DataFrame(widths)

# %%
few, many = widths[0], widths[-1]
narrower = few["width of the interval, points"] / many["width of the interval, points"]
Markdown(
    f"{many['games'] // few['games']} times as many games make the interval {narrower:.0f} times "
    "as narrow: it shrinks with the square root of the number of games. Half the width costs "
    "four times the games."
)

# %% [markdown]
# ## See it
#
# Who wins most often need not have the highest mean score: a win by one gem counts as much as a
# win by forty.

# %%
run.plot("win-share")

# %%
run.plot("score")

# %% [markdown]
# The bars show where the middle half and nine tenths of the scores lie, the dots the means. Two
# strategies with the same mean can still be unlike, so here are all scores. Look for a heap at 0
# with a gap beside it: who waits for so many gems in hand brings home that many, or nothing.

# %%
run.plot("score-distribution")

# %% [markdown]
# The win share asks who is first. Another question is which of two finishes ahead of the other,
# first or not.

# %%
run.plot("ahead")

# %%
pair = simlab.figures.ahead_data(run).row(
    by_predicate=(pl.col("first") == first["strategy"]) & (pl.col("second") == second["strategy"]),
    named=True,
)
often = f"{percent(pair['beats'])} [{100 * pair['beats_low']:.1f}, {100 * pair['beats_high']:.1f}]"
meaning = {
    1: "So it is in front in both senses.",
    0: "So of the two neither is shown to be in front: to be first more often is one thing, to be "
    "ahead more often another.",
    -1: "So of the two it is behind more often: to be first more often is one thing, to be ahead "
    "more often another.",
}
Markdown(
    f"{first['strategy']} wins most often, and finishes ahead of {second['strategy']} in {often} "
    f"of their games (equal ranks count half). {meaning[pair['verdict']]}"
)

# %% [markdown]
# Does it matter where one sits? In Diamant all decide at the same time, so it should not. The last
# line of the table tests that.

# %%
run.table("seat")

# %% [markdown]
# ## What they do in the cave
#
# Every run has figures, and its game adds some of its own. `run.plot(NAME)` draws one and
# `run.figures()` all of these:

# %%
print(", ".join(simlab.figures.names(run)))

# %% [markdown]
# Diamant's `departures` shows the way to those scores: above the line who left after so many
# cards, below it who stayed one card too long and lost all in hand. This run recorded no events
# (`events=True` would), so the figure plays its first games once more and says which.

# %%
run.plot("departures")

# %% [markdown]
# ## One game
#
# A table of averages is easily believed and little understood. Here is the game in which the
# strategy that wins most scored least (the first of them, if there are several): how the scores
# grew, and what happened in its last expedition. Unfold it to read all of it. Any game of a run can
# be told again like this, by its number.

# %%
own = pl.col("strategy") == first["strategy"]
worst = run.scan().filter(own).sort("score", "game").select("game").head(1).collect().item()
replay = simlab.replay(run.folder, worst)
replay

# %%
replay.plot()

# %%
told = [entry.text for entry in replay.table.log if entry.kind == "told"]  # without the choices
last = max(place for place, text in enumerate(told) if text.startswith("Expedition"))
print("\n".join(told[last:]))

# %% [markdown]
# ## Which of the two is better, and how sure is that?
#
# A duel plays both strategies on the same deals and asks for their difference alone. It looks
# again and again while it plays and stops as soon as the answer is clear; its interval holds
# however often one looks. `margin` is the difference that would matter. With `together` both sit
# at one table, as in the run above.

# %%
names = [first["strategy"], second["strategy"]]
rest = [other["strategy"] for other in others]

duel = simlab.duel(
    "diamant",
    *names,
    players=PLAYERS,
    rules=RULES,
    against=rest,
    together=True,
    margin="1%",
    max=2e5,
)
duel

# %% [markdown]
# Without `together` the question is another one: both sit in the same chair, one after the other,
# and the same three players around them. Which of the two should *you* play there?

# %%
chair = simlab.duel(
    "diamant", *names, players=PLAYERS, rules=RULES, against=[*rest, rest[0]], margin="1%", max=2e5
)
together, alone = duel.verdict.claim, chair.verdict.claim
same = (
    "Both questions have the same answer here. That need not be so"
    if together == alone
    else "The two questions have different answers here"
)
Markdown(
    f"- At one table: {duel.sentence}\n- In one chair: {chair.sentence}\n\n{same}: a strategy is "
    "good or bad against somebody, and who sits around it decides how much it can win."
)

# %% [markdown]
# ## A page to send on
#
# One file that needs no network: the question, the answer, figures, tables, and how it was made.
# A run has pages of several kinds (`overview` if none is named, `win-rates`, `scores`, `seats`), a
# replayed game and every answer have one of their own, and several may share a page.

# %%
pages = [
    run.report("results/first-steps.html"),
    run.report("results/first-steps-wins.html", kind="win-rates"),
    replay.report("results/first-steps-game.html"),
    simlab.report([duel, chair], out="results/first-steps-duels.html"),
]
print("\n".join(page.as_posix() for page in pages))

# %% [markdown]
# ## What this says, and what not
#
# - It holds for these rules, four players and these opponents. Against others another strategy may
#   be first.
# - The intervals say what chance can do. They do not say that the strategies are the best of their
#   kind: `risk_limit` has a parameter, and another value may win more often. [A
#   sweep](03_sweep_and_rules.ipynb) looks for it.
# - All chance comes from the seed, so whoever runs this notebook gets the same numbers.
#
# Next: [a strategy of your own, and where it fails](02_your_strategy.ipynb).
