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
# # A strategy of your own, and where it fails
#
# **Question.** "Go home with a dozen gems" is an obvious way to play Diamant. Where does it lose,
# why, and is a changed version better?
#
# The way there is the same for every strategy: play it, find the games that it lost badly, read
# one, put its decisive position on a table, change one thing, and let a duel say whether that was
# right.
#
# Everything that is written lies below `results/` in the working directory. More games are one
# argument, `n=1e6`.

# %%
from pathlib import Path
from typing import Annotated

import numpy as np
import polars as pl
from IPython.display import Markdown

import simlab
from simlab import Range, strategy
from simlab.games.diamant import LEAVE, STAY, view

PLAYERS, RULES = 4, "official"
OTHERS = ["trap_count(traps=3)", "risk_limit", "threshold(gems=20)"]

# %% [markdown]
# ## First version
#
# A strategy is a function that looks at the table and answers. What follows the records is a
# parameter. `events=True` records how each expedition ended, for a figure below.


# %%
@strategy("diamant")
def in_hand(table, me, gems: Annotated[int, Range(1, 100)] = 12):
    """Leave with at least `gems` in hand."""
    return LEAVE if view.carried(table, me) >= gems else STAY


line_up = [in_hand, *OTHERS]
run = simlab.run("diamant", players=PLAYERS, n=20_000, rules=RULES, lineup=line_up, events=True)
run

# %% [markdown]
# ## Where does it fail?
#
# The rows of the run have one line for each game and seat. How far was it behind the best of the
# others, and what was different in those games? (`accidents`: expeditions that it did not come
# home from, of five; `leftovers`: gems picked up from the path on the way home.)

# %%
mine = pl.col("strategy") == "in_hand"
games = (
    run.scan()
    .with_columns(best_other=pl.col("score").filter(~mine).max().over("game"))
    .filter(mine)
    .with_columns(behind=pl.col("best_other") - pl.col("score"))
    .with_columns(
        outcome=pl.when(pl.col("win") > 0)
        .then(pl.lit("won"))
        .when(pl.col("behind") < 25)
        .then(pl.lit("lost"))
        .otherwise(pl.lit("lost by 25 or more"))
    )
    .collect()
)
columns = ["score", "accidents", "cards", "shares", "leftovers"]
games.group_by("outcome").agg(
    pl.len().alias("games"), *(pl.col(name).mean().round(2) for name in columns)
).sort("score", descending=True)

# %%
by_outcome = dict(games.group_by("outcome").agg(pl.col("accidents").mean()).iter_rows())
Markdown(
    f"In the games that it won it had {by_outcome['won']:.1f} accidents, in those that it lost "
    f"badly {by_outcome['lost by 25 or more']:.1f}. So it should be more careful? That is a guess "
    "from an association: games with many accidents are lost whoever plays. Two ways to be "
    "careful are tried below."
)

# %% [markdown]
# The game's own figure looks at all games, the good ones too: above the line the expeditions that a
# strategy left, below it the accidents, by the number of cards turned up until then.

# %%
run.plot("departures")

# %% [markdown]
# `in_hand` asks for a dozen, but where it comes home it brings more (the numbers on its bars). Part
# of that came with the last card. Part was picked up on the way home: it lay on the path before,
# and the strategy did not count it.
#
# ## One of these games
#
# The worst one. The strategy lives in this notebook and not in a file, so the replay is given the
# line-up again.

# %%
worst = games.sort("behind", "game", descending=[True, False]).row(0, named=True)
replay = simlab.replay("diamant", worst["game"], players=PLAYERS, rules=RULES, lineup=line_up)
seat = worst["seat"]
replay

# %% [markdown]
# ## The position on the table
#
# A `Table` is one game in hand. Laid with the same cards (`stack`) and played with the same words
# it comes to every position of that game. Which one is worth a look? Where it went on although the
# gems in hand and those left over on the path, which who leaves alone takes home as well, were a
# dozen together.

# %%
table = simlab.Table(
    "diamant",
    players=PLAYERS,
    rules=RULES,
    stack={"expedition": replay.table.log.decks["expedition"]},
)
words = iter(replay.table.log.words)
while table.to_move != seat or table.public.carried[seat] + table.public.leftover < 12:
    table.play(next(words))
print(table)
[action.word for action in table.legal()]

# %% [markdown]
# A clone can be played on without touching the original. With the cards as they lay in that game:


# %%
def lineup_of(strategies: list, number: int) -> list:
    """Return who sits in each seat of a game: the line-up moves on by one seat a game."""
    turn = number % len(strategies)
    return strategies[-turn:] + strategies[:-turn]


def gems_home(at: simlab.Table, word: str) -> int:
    """Return the final score of our seat if it does this now, and all go on as they do."""
    return at.clone().play(word).play_out(seated).scores[seat]


seated = lineup_of(line_up, worst["game"])
assert seated[seat] is in_hand
{word: gems_home(table, word) for word in ("leave", "stay")}

# %% [markdown]
# One future is no evidence. Here are others: the same cards until now, other ones from here on,
# both choices on each of them.

# %%
FUTURES = 100
seen = {"expedition": table.log.decks["expedition"]}
choices = []
for deal in range(FUTURES):
    at = simlab.Table("diamant", players=PLAYERS, rules=RULES, deal=deal, stack=seen)
    for word in table.log.words:
        at.play(word)
    choices.append((gems_home(at, "leave"), gems_home(at, "stay")))
gain = np.diff(choices, axis=1)[:, 0] * -1.0
mean, wide = gain.mean(), 1.96 * gain.std(ddof=1) / np.sqrt(FUTURES)
if mean - wide > 0:
    verdict = "Leaving was better here."
elif mean + wide < 0:
    verdict = "Staying was better here."
else:
    verdict = "So many futures do not tell which was better here."
Markdown(
    f"Leaving instead of staying brings {mean:+.1f} [{mean - wide:.1f}, {mean + wide:.1f}] gems "
    f"by the end of the game, over {FUTURES} futures. {verdict}"
)

# %% [markdown]
# ## Two changes
#
# 1. `careful`: leave with the gems in hand, *or* when the next card is an accident with more than
#    20 %.
# 2. `in_reach`: leave as soon as a dozen gems can be had: those in hand, and those on the path.


# %%
@strategy("diamant")
def careful(
    table,
    me,
    gems: Annotated[int, Range(1, 100)] = 12,
    risk: Annotated[float, Range(0, 1)] = 0.2,
):
    """Leave with at least `gems` in hand, or above a `risk` of an accident."""
    return LEAVE if view.carried(table, me) >= gems or view.risk(table) > risk else STAY


@strategy("diamant")
def in_reach(table, me, gems: Annotated[int, Range(1, 100)] = 12):
    """Leave with at least `gems` in hand and on the path together."""
    return LEAVE if view.carried(table, me) + table.leftover >= gems else STAY


# %% [markdown]
# ## Is the new one better?


# %%
def against_the_old(new) -> object:
    """Return the duel of a new version against the first one, with the same others."""
    return simlab.duel(
        "diamant", new, in_hand, players=PLAYERS, rules=RULES, against=OTHERS, margin="1%", max=1e5
    )


duel_careful, duel_in_reach = against_the_old(careful), against_the_old(in_reach)
Markdown(f"1. {duel_careful.sentence}\n2. {duel_in_reach.sentence}")

# %%
duel_in_reach.plot()

# %% [markdown]
# ## Is it the idea, or just the number?
#
# With the same parameter `in_reach` leaves sooner than `in_hand`. Perhaps `in_hand` with fewer
# gems would do as well? simlab ships the same strategy in a file, as `threshold`, so a sweep can
# look for its best value against the same others.

# %%
sweep = simlab.sweep(
    "diamant", "threshold.gems=4:16:2", players=PLAYERS, rules=RULES, against=OTHERS, n=1e5
)
best = sweep.summary().sort("estimate", descending=True)["threshold.gems"][0]
fair = simlab.duel(
    "diamant",
    in_reach,
    f"threshold(gems={best})",
    players=PLAYERS,
    rules=RULES,
    against=OTHERS,
    margin="1%",
    max=2e5,
)
sweep.plot()

# %%
Markdown(
    f"{sweep.sentence}\n\nThe new idea, as it is, against the best of the old one: {fair.sentence}"
)

# %%
if fair.verdict.claim == "A better":
    conclusion = "The idea beats the old one at its best, so it is more than leaving sooner."
elif fair.verdict.claim == "B better":
    conclusion = (
        "A better number would have done more than the new idea: leaving sooner was the point."
    )
else:
    conclusion = "The old idea at its best does as well; the duel shows no gain from the new one."
Markdown(f"**Answer.** {conclusion}")

# %% [markdown]
# ## Keep it
#
# In a file the strategy has a name that every command and every notebook knows, with parameters in
# words (`in_reach(gems=10)`), and it can be swept and checked. In `./strategies/` it is found by
# itself; elsewhere one says where.

# %%
code = '''"""Leave when enough can be had."""

from typing import Annotated

from simlab import Range, strategy
from simlab.games.diamant import LEAVE, STAY, view


@strategy("diamant")
def within_reach(table, me, gems: Annotated[int, Range(1, 100)] = 12):
    """Leave with at least `gems` in hand and on the path together."""
    return LEAVE if view.carried(table, me) + table.leftover >= gems else STAY
'''
folder = Path("results/strategies")
folder.mkdir(parents=True, exist_ok=True)
(folder / "within_reach.py").write_text(code, encoding="utf-8")

company = simlab.run(
    "diamant",
    players=PLAYERS,
    n=20_000,
    rules=RULES,
    lineup=["within_reach", "within_reach(gems=8)", "threshold(gems=8)", "threshold(gems=12)"],
    strategies=folder,
)
company

# %%
share = dict(company.summary().select("strategy", "win_share").iter_rows())
Markdown(
    f"Here, beside others with the same idea, it wins {100 * share['within_reach']:.0f} % of its "
    f"games with 12 gems and {100 * share['within_reach(gems=8)']:.0f} % with 8. What is a good "
    "number depends on the company."
)

# %% [markdown]
# ## What this says, and what not
#
# - Games that were lost suggest a cause; only games with the change show whether it is one. Of the
#   two changes that looked plausible here, one should not have been made without a duel.
# - One position is an anecdote. It gave the idea and decides nothing.
# - All of it holds against these three others, by these rules.
#
# Next: [a sweep and a change of the rules](03_sweep_and_rules.ipynb).
