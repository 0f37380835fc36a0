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
# # A sweep and a change of the rules
#
# **Two questions.** With how many gems should one leave the cave, against given others? And what
# does the rule do that says which traps leave the game after an expedition?
#
# Both are one call each. What takes care is to say no more than the answers do.
#
# Everything that is written lies below `results/` in the working directory. More games are one
# argument, `n`.

# %%
import polars as pl
from IPython.display import Markdown

import simlab

pl.Config.set_tbl_rows(12)
PLAYERS, RULES = 4, "official"
OTHERS = ["trap_count(traps=2)", "risk_limit", "myopic_ev"]

# %% [markdown]
# ## With how many gems should one leave?
#
# Every value plays on the same deals, in every chair, with the same three others around it.

# %%
sweep = simlab.sweep(
    "diamant", "threshold.gems=2:24:2", players=PLAYERS, rules=RULES, against=OTHERS, n=2e5
)
sweep.plot()

# %%
Markdown(f"**Answer.** {sweep.sentence}")

# %%
sweep.tables()[0]

# %% [markdown]
# How to read it:
#
# - The **band** holds at all points together: of such sweeps 95 in 100 have the whole true curve
#   inside it. An interval for one point alone would be narrower, and wrong more often than one
#   thinks when one picks the point by looking.
# - **May be the best**: the set of these values holds the best one with 95 %. A set of one is an
#   answer; a set of five says "somewhere there, and it hardly matters".
# - **Could lose**: how much worse than the best a value could be, in percentage points. That is the
#   number to look at for who has a favourite anyway.
# - Values in between were not played. A curve through points is a picture, not a result.
#
# `sweep.summary()` is the same table as a polars frame, to go on with.

# %%
points = sweep.summary()
near = points.filter(points["could_lose"] <= 0.05)["threshold.gems"].to_list()
if near:
    gems = ", ".join(map(str, near))
    said = f"With {gems} gems one loses at most 5 percentage points against the best of these"
else:
    said = "So few games cannot exclude that each value loses over 5 percentage points"
Markdown(f"{said} (95 % sure).")

# %% [markdown]
# ## The winner's curse
#
# The best point is the one that is good *and* was lucky, so its value is too high on average.
# Fresh deals have no reason to be kind to it: another `seed`.

# %%
top = points.sort("estimate", descending=True).row(0, named=True)
gems = top["threshold.gems"]
fresh = simlab.sweep(
    "diamant",
    f"threshold.gems={gems},{gems + 2}",
    players=PLAYERS,
    rules=RULES,
    against=OTHERS,
    n=1e5,
    seed=2,
)
again = fresh.summary().row(0, named=True)
Markdown(
    f"{gems} gems won {100 * top['estimate']:.1f} % where they were found best, and "
    f"{100 * again['estimate']:.1f} % [{100 * again['low']:.1f}, {100 * again['high']:.1f}] on "
    f"fresh deals: {100 * (again['estimate'] - top['estimate']):+.1f} points. With many games the "
    "curse is small; it grows with the number of values tried and shrinks with the number of "
    "games."
)

# %% [markdown]
# ## What does the rule about traps do?
#
# After an accident the printed rule takes one card of the trap out of the game (`trigger`). Some
# play that the pair leaves (`pair`), others that every trap that was turned up does, accident or
# not (`all_revealed`). The same line-up plays the same deals under each; chance does not depend on
# what players do, so what differs is due to the rule, and to what follows from it.

# %%
line_up = ["threshold(gems=10)", *OTHERS]
rules = simlab.compare_rules(
    "diamant",
    players=PLAYERS,
    rules=RULES,
    set={"trap_removal": ["trigger", "pair", "all_revealed"]},
    lineup=line_up,
    n=4e4,
)
Markdown(f"**Answer.** {rules.sentence}")

# %%
rules.plot()

# %% [markdown]
# Each line is a strategy, from rule to rule. One that leans says that a strategy *gains* or *loses*
# under a rule, always against the others, which live under that rule as well: shares add up to
# 100 %, so who gains takes from somebody. A line straight down does not say that the rule leaves a
# strategy alone; it may score twice as much and win as often. Here are the scores:

# %%
ends = (pl.col(name).round(1).cast(pl.String) for name in ("estimate", "low", "high"))
(
    rules.summary()
    .filter(pl.col("what") == "score")
    .with_columns(
        score=pl.format("{} [{}, {}]", *ends),
        rules=pl.col("rules").str.strip_prefix("trap_removal="),
    )
    .pivot("rules", index="strategy", values="score")
)

# %% [markdown]
# ## Why?
#
# The games of an answer are runs in its folder, one for each rule here, and each has all figures of
# a run. How the expeditions end under the rule that changes most:

# %%
changed = simlab.load(rules.folder / "trap_removal=all_revealed")
changed.plot("departures")

# %% [markdown]
# Every expedition takes the traps that it met out of the game, so late ones are safe, and who stays
# to their end carries home what nobody could before. Who leaves with a fixed number in hand is not
# there for it. ([First steps](01_first_steps.ipynb) has the same figure of the same four under the
# printed rule.)

# %% [markdown]
# ## Would one play the same under the other rule?
#
# The comparison cannot say that: the strategies play under every rule as they are, and a parameter
# that was right for one rule may be wrong for the other. So the sweep is asked again under the
# other rule.

# %%
other = simlab.sweep(
    "diamant",
    "threshold.gems=2:24:2",
    players=PLAYERS,
    rules=RULES,
    set={"trap_removal": "all_revealed"},
    against=OTHERS,
    n=2e5,
)
other.plot()


# %%
def kept(answer) -> list[int]:
    """Return the values that may be the best."""
    frame = answer.summary()
    return frame.filter(frame["kept"])["threshold.gems"].to_list()


before, after = kept(sweep), kept(other)
shared = sorted({*before} & {*after})
listed = [", ".join(map(str, some)) for some in (before, after)]
told = (
    f"{', '.join(map(str, shared))} may be best under both, so the sweeps do not show that the "
    "rule moves it."
    if shared
    else "No value may be best under both: the rule changes how one should play, and the lines "
    "above are those of players who do not know it yet."
)
Markdown(
    f"**Answer.** May be best under `trigger`: {listed[0]} gems; under `all_revealed`: "
    f"{listed[1]} (each set 95 % sure). {told}"
)

# %% [markdown]
# ## What this says, and what not
#
# - The best value is the best *against these three*. If they change, so may it; a tournament asks
#   that.
# - One parameter at a time: two that depend on each other need a map,
#   `vary=["score_aware.risk=...", "score_aware.slope=..."]`.
# - A value at the end of the range that may be the best is a reason to look further, not an
#   answer.
# - The intervals cover chance. They cover neither opponents that nobody plays nor rules that were
#   understood wrongly.
#
# Next: [which Splendor cards win](04_splendor_cards.ipynb).
