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
# # Which Splendor cards win?
#
# **Question.** Who bought which card won how often, and does the card make the difference?
#
# The first half is a table. The second half is harder: strong players buy other cards than weak
# ones, and perhaps who is ahead can afford what others cannot. So the same table is looked at by
# level and by strategy, the buyers are asked whether they were ahead, and in the end the best and
# the worst card are put to the test: what happens to a player who may not have it?
#
# Everything that is written lies below `results/` in the working directory. More games are one
# argument, `n`.

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import polars as pl
from IPython.display import Markdown

import simlab

PLAYERS = 4
FAIR = 1 / PLAYERS

# %% [markdown]
# ## Play, and record what happens
#
# With `events=True` the run keeps a second table: who bought, reserved or was visited by what, and
# when.

# %%
run = simlab.run("splendor", players=PLAYERS, n=20_000, events=True)
run

# %%
run.events().head(5).collect()

# %% [markdown]
# ## The table by card
#
# The card's id says its level and the colour of its bonus: white W, blue U, green G, red R, black
# K. Shown are both ends of the table; `run.table("card")` is all of it.

# %%
run.plot("card-value")

# %%
cards = run.summary("card")
best, worst = cards.row(0, named=True), cards.row(-1, named=True)


def told(row: dict) -> str:
    """Write a card with its win share for a sentence."""
    low, high = 100 * row["win_share_low"], 100 * row["win_share_high"]
    return f"**{row['card']}**: {100 * row['win_share']:.1f} % [{low:.1f}, {high:.1f}]"


Markdown(
    f"Of those who bought the card that comes first, this part won: {told(best)}; of those who "
    f"bought the one that comes last: {told(worst)}. The equal share is {100 * FAIR:g} %. Two "
    f"cautions. The extremes of {cards.height} cards are extreme by luck too. And none of this "
    "says that the card is the cause."
)

# %% [markdown]
# ## By level
#
# What do the cards at both ends have in common? Cards of level 3 are worth points and are bought
# late, in games that last. How much of the table by card is a table by level?

# %%
cards = cards.with_columns(level=pl.col("card").str.slice(1, 1).cast(pl.Int64))
in_percent = 100 * pl.col("win_share")
by_level = (
    cards.group_by("level")
    .agg(
        pl.len().alias("cards"),
        in_percent.min().round(1).alias("lowest win share, %"),
        in_percent.mean().round(1).alias("mean, %"),
        in_percent.max().round(1).alias("highest, %"),
    )
    .sort("level")
)
by_level

# %%
mean_of_level = cards.select(pl.col("win_share").mean().over("level"))["win_share"]
part = mean_of_level.var() / cards["win_share"].var()
much = "most" if part > 0.5 else "part"
Markdown(
    f"The level alone accounts for {100 * part:.0f} % of the variance between the cards. So "
    f"{much} of what looks like 'this card wins' is 'cards of this level are bought by those who "
    "win'."
)

# %% [markdown]
# ## By strategy
#
# Who buys a card is not chance either. Some strategies buy many cheap cards, others few dear ones:

# %%
run.plot("what-they-buy")

# %% [markdown]
# In this line-up every strategy sits in each game once, so it can be compared with itself: how
# often does it win with the card, how often without?
#
# The interval comes from leaving out one of 50 blocks of games after another (a jackknife); the
# unit is the game.

# %%
BLOCKS = 50
rows = run.scan().select("game", "seat", "strategy", "win")
bought = run.events().filter(pl.col("event") == "bought").select("game", "seat", "card").unique()
block = (pl.col("game") % BLOCKS).alias("block")

played = rows.group_by(block, "strategy").agg(pl.len().alias("n"), pl.col("win").sum()).collect()
with_card = (
    bought.join(rows, on=["game", "seat"])
    .group_by(block, "strategy", "card")
    .agg(pl.len().alias("n_with"), pl.col("win").sum().alias("win_with"))
    .collect()
)
every = (
    played.join(with_card.select("card").unique(), how="cross")
    .join(with_card, on=["block", "strategy", "card"], how="left")
    .fill_null(0)
    .sort("block", "strategy", "card")
)
strategies = every["strategy"].unique(maintain_order=True).cast(str).to_list()
names = every["card"].unique(maintain_order=True).cast(str).to_list()
shape = (BLOCKS, len(strategies), len(names))
sums = {
    name: every[name].to_numpy().reshape(shape).astype(float)
    for name in ("n", "win", "n_with", "win_with")
}


def by_strategy(n, win, n_with, win_with) -> np.ndarray:
    """Return win share with the card minus without, of each strategy by itself, then averaged.

    A strategy counts as often as it bought the card. Arrays [strategy, card].
    """
    difference = win_with / n_with - (win - win_with) / (n - n_with)
    return (difference * n_with).sum(0) / n_with.sum(0)


def all_alike(n, win, n_with, win_with) -> np.ndarray:
    """Return win share with the card minus without, over all strategies together."""
    return by_strategy(*(array.sum(0, keepdims=True) for array in (n, win, n_with, win_with)))


def jackknifed(what) -> tuple[np.ndarray, np.ndarray]:
    """Return the difference of each card and half the width of its 95 % interval."""
    whole = {name: array.sum(0) for name, array in sums.items()}
    left_out = np.array(
        [what(**{name: whole[name] - sums[name][at] for name in sums}) for at in range(BLOCKS)]
    )
    variance = ((left_out - left_out.mean(0)) ** 2).sum(0) * (BLOCKS - 1) / BLOCKS
    return what(**whole), 1.96 * np.sqrt(variance)


raw, raw_half = jackknifed(all_alike)
own, own_half = jackknifed(by_strategy)

# %%
figure, axes = plt.subplots(figsize=(7, 4.5), dpi=110)
axes.spines[["top", "right"]].set_visible(False)
for level, (colour, marker) in enumerate((("#0b63a5", "o"), ("#b4520a", "s"), ("#4d4d4d", "^")), 1):
    at = np.array([int(name[1]) == level for name in names])
    bars = {"xerr": 100 * raw_half[at], "yerr": 100 * own_half[at]}
    axes.errorbar(
        100 * raw[at], 100 * own[at], **bars, fmt=marker, color=colour, markersize=4, linewidth=0.8,
        label=f"level {level}",
    )  # fmt: skip
axes.axline((0, 0), slope=1, color="#656d76", linewidth=0.8, linestyle="--")
axes.axhline(0, color="#656d76", linewidth=0.8)
axes.set_xlabel("won with the card minus without, all strategies together, points")
axes.set_ylabel("the same, each strategy by itself, points")
axes.set_title(f"{len(names)} cards, with 95 % intervals; {run.span.games:,} games", fontsize=10)
axes.legend(frameon=False)
plt.show()

# %%
high = names.index(best["card"])
nearer = np.mean(np.abs(own) < np.abs(raw))


def with_ends(shares: np.ndarray, halves: np.ndarray) -> str:
    """Write the difference of the best card with its interval, in points."""
    mean, half = 100 * shares[high], 100 * halves[high]
    return f"{mean:.1f} [{mean - half:.1f}, {mean + half:.1f}]"


Markdown(
    f"On the dashed line both would be the same. {100 * nearer:.0f} % of the cards lie nearer to "
    f"0 than that: part of what the table by card shows is *who* buys. For {names[high]} "
    f"{with_ends(raw, raw_half)} points become {with_ends(own, own_half)}."
)

# %% [markdown]
# ## Were they ahead?
#
# Is the rest the card's doing? Perhaps its buyers were ahead already. The events tell the points
# after every turn, here on average:

# %%
run.plot("points-over-turns")

# %% [markdown]
# Take the best card. Before the turn of the purchase, how many points was its buyer ahead of the
# best of the others? And how many is the same strategy ahead at that turn over all games? (Less
# than 0 is behind.)

# %%
seats = run.scan().sort("game", "seat").select("strategy", "turns").collect()
events = run.events().collect()
shape = (run.span.games, PLAYERS, seats["turns"].max() + 1)


def places(some: pl.DataFrame) -> tuple[np.ndarray, ...]:
    """Return where events stand in arrays [game, seat, turn]."""
    return tuple(some[name].to_numpy() for name in ("game", "seat", "turn"))


gained = np.zeros(shape)
np.add.at(gained, places(events), events["points"].to_numpy())
before = gained.cumsum(axis=2) - gained
best_other = [np.delete(before, seat, axis=1).max(axis=1) for seat in range(PLAYERS)]
lead = before - np.stack(best_other, axis=1)

lasts = np.arange(shape[2]) <= seats["turns"].to_numpy().reshape(*shape[:2], 1)
plays = seats["strategy"].cast(str).to_numpy().reshape(*shape[:2], 1)
usual = np.zeros(shape)
for name in strategies:
    own_turns = (plays == name) & lasts
    usual += np.where(own_turns, lead.mean(axis=(0, 1), where=own_turns), 0)

# %%
at = places(events.filter(pl.col("event") == "bought", pl.col("card") == best["card"]))
more = lead[at] - usual[at]  # a card is bought once in a game, so the games are the units
mean, half = more.mean(), 1.96 * more.std(ddof=1) / np.sqrt(len(more))
if mean - half > 0:
    found = "They were further ahead than usual, so part of the gap need not be the card's."
elif mean + half < 0:
    found = "So they were not ahead but further behind than usual."
else:
    found = "So many games show no difference."
Markdown(
    f"The {len(more):,} buyers of {best['card']} were {lead[at].mean():+.1f} points ahead, and the "
    f"same strategies at these turns usually are {usual[at].mean():+.1f}: a difference of "
    f"{mean:+.1f} [{mean - half:+.1f}, {mean + half:+.1f}] points. {found}"
)

# %% [markdown]
# Points are not everything: who saves up has tokens and bonuses instead, and of tokens the events
# say nothing. There will always be one more thing to compare; a test ends that.

# %% [markdown]
# ## Put to the test
#
# What a card does shows when it is taken away. The strategy below plays like another one, which
# may not buy or reserve a given card. In a file, because a strategy with parameters needs a name.

# %%
code = '''"""Do without a card."""

from typing import Annotated

from simlab import Range, Strategy, ask, copied, strategy
from simlab.games.splendor import view


@strategy("splendor")
def without(
    table,
    me,
    rules,
    memo,
    rng,
    base: Strategy = "greedy_buy",
    card: Annotated[int, Range(0, 89)] = 0,
):
    """Do what `base` would do if `card`, by its number, could be neither bought nor reserved."""
    own = copied(me)
    own.barred[1 + card // 63] |= 1 << (card % 63)
    action = ask(base, table, own, rules, memo, rng)
    if view.legal(table, me, rules, action):
        return action
    return ask(base, table, me, rules, memo, rng)
'''
folder = Path("results/strategies")
folder.mkdir(parents=True, exist_ok=True)
(folder / "without.py").write_text(code, encoding="utf-8")

base = run.summary().sort("win_share", descending=True)["strategy"][0]
others = [name for name in run.line_up if name != base]
in_order = run.events().collect_schema()["card"].categories.to_list()  # by their numbers


def test_of(card: str):
    """Return the duel of the base strategy against itself without the card."""
    deprived = f"without(base={base}, card={in_order.index(card)})"
    return simlab.duel(
        "splendor",
        base,
        deprived,
        players=PLAYERS,
        against=others,
        margin="1%",
        max=4e4,
        strategies=folder,
    )


# %%
checked = simlab.run(
    "splendor",
    players=PLAYERS,
    n=1_000,
    lineup=[f"without(base={base}, card={in_order.index(best['card'])})", *others],
    strategies=folder,
    events=True,
)
deprived = pl.col("strategy").cast(pl.String).str.starts_with("without")
its_buys = checked.events().join(checked.scan().filter(deprived), on=["game", "seat"])
times = its_buys.filter(pl.col("card") == best["card"]).collect().height
Markdown(
    f"Does it obey? In {checked.span.games:,} games it bought or reserved {best['card']} {times} "
    "times."
)

# %%
lines = []
for card in (best["card"], worst["card"]):
    at = (strategies.index(base), names.index(card))
    n, win, n_with, win_with = (
        sums[name].sum(0)[at] for name in ("n", "win", "n_with", "win_with")
    )
    had, gap = n_with / n, win_with / n_with - (win - win_with) / (n - n_with)
    duel = test_of(card).summary().row(0, named=True)
    inside = duel["low"] <= had * gap <= duel["high"]
    lines.append(
        f"- **{card}**: {base} bought it in {100 * had:.0f} % of its games, and its win share "
        f"with it less that without is {100 * gap:+.1f} points. Were the card the whole cause, a "
        f"ban would change its win share by {-100 * had * gap:+.1f} points. It changes it by "
        f"{-100 * duel['estimate']:+.1f} [{-100 * duel['high']:+.1f}, {-100 * duel['low']:+.1f}] "
        f"({duel['games']:,} games; the interval is valid at any stop). "
        + ("The association may be right here." if inside else "The association misleads here.")
    )
Markdown("\n".join(lines))

# %% [markdown]
# A ban is not the mirror of a purchase: it also leaves the card to the others, and it changes the
# plans that would have led to it. It answers a question that a player has, though: is it worth
# looking at this card?
#
# ## What this says, and what not
#
# - The table by card describes who wins. It does not advise. The comparison of each strategy with
#   itself describes more fairly, and does not advise either.
# - The test advises, for these strategies: how they choose cards decides what a card is worth to
#   them.
# - Two of the cards were tested because they stood at the ends of the table. To test all of them,
#   correct for asking so many questions.
#
# Next: [the same folder in DuckDB and pandas](05_duckdb_and_pandas.ipynb).
