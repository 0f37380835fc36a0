"""Quantiles of scores with intervals (statistics section 1, "Quantiles").

One pass counts the scores of each group in each bucket of deals (deal mod 1024, section 0, rule 3);
all quantiles and their intervals follow from these counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from simlab.analysis.estimates import Estimate, check_level, constant_interval, mean, t_quantile
from simlab.analysis.groups import Groups
from simlab.analysis.outcomes import check_rules
from simlab.analysis.sums import BUCKETS, Floats, Ints, UnitSums
from simlab.analysis.tables import check_column, columns_needed, last_deal, pieces
from simlab.errors import UserError, one_of, shown

METHODS = ("woodruff", "bootstrap")
MOST_CELLS = 2**24
"""Groups times buckets times bins of scores: 64 MB of counts."""
RESAMPLES = 2000
AT_ONCE = 250
"""Resamples made at a time."""
FEWEST_UNITS = 50
"""Units that a bootstrap needs."""
FEWEST_BEYOND = 5
"""Units beyond a quantile, on average, that a bootstrap needs."""


@dataclass(frozen=True)
class Quantile(Estimate):
    """A quantile of the scores: the smallest score that a share p of them does not exceed.

    With Woodruff's interval `se` and `df` are those of the share of scores up to the estimate, or
    below it where that is larger; with a bootstrap `se` is that of the estimate.
    """

    p: float = 0.5
    """The probability asked for."""
    reached: float | None = None
    """Share of scores that do not exceed the estimate."""
    width: int = 1
    """Width of the bins that the scores were counted in; 1: each score by itself."""


class ScoreCounts:
    """How often each group had each score, in each bucket of deals; memory is bounded.

    Where the scores reach over more values than `MOST_CELLS` allows, they are counted in bins of
    equal width, a power of 2 that grows as it must.
    """

    def __init__(self, groups: Groups) -> None:
        """Start empty, with groups that are numbered as their rows come."""
        self.groups = groups
        """The groups and their codes."""
        self.deals: Ints = np.zeros(0, np.int64)
        """Deals in which each group appears, int64 [groups]."""
        self.width = 1
        """Width of a bin."""
        self.first = 0
        """Number of the first bin: it begins at `first * width`."""
        self._counts: NDArray[np.uint32] = np.zeros((0, BUCKETS, 0), np.uint32)

    def add(
        self,
        code: NDArray[np.integer],
        deal: NDArray[np.integer],
        deal_start: Ints,
        score: NDArray[np.integer],
        counted: NDArray[np.bool_],
    ) -> None:
        """Add N rows of D whole deals.

        code, deal, score: group, deal and score of each row, integers [N]; deal_start: the first
        row of each deal [D]; counted: which rows count, bool [N].
        """
        of_deal = np.repeat(np.arange(len(deal_start)), np.diff(deal_start, append=len(deal)))
        if not counted.all():
            code, deal, score = code[counted], deal[counted], score[counted]
            of_deal = of_deal[counted]
        if not len(code):
            return
        self._reach(len(self.groups), int(score.min()), int(score.max()))
        groups, _, bins = self._counts.shape
        bucket = (deal % BUCKETS).astype(np.int64)
        place = score.astype(np.int64) // self.width - self.first
        cell = (code.astype(np.int64) * BUCKETS + bucket) * bins + place
        np.add.at(self._counts.reshape(-1), cell, np.uint32(1))
        there = np.zeros((len(deal_start), groups), np.bool_)
        there[of_deal, code] = True
        self.deals += there.sum(axis=0)

    def of(self, group: int) -> NDArray[np.uint32]:
        """Return the counts of a group in each bucket where it appears, uint32 [U, bins]."""
        if group >= len(self._counts):
            return np.zeros((0, 1), np.uint32)
        counts = self._counts[group]
        found: NDArray[np.uint32] = counts[counts.any(axis=1)]
        return found

    def _reach(self, groups: int, lowest: int, highest: int) -> None:
        """Make room for so many groups and for scores from `lowest` to `highest`."""
        low, high = lowest // self.width, highest // self.width
        if self._counts.size:
            low = min(low, self.first)
            high = max(high, self.first + self._counts.shape[2] - 1)
        most = max(2, MOST_CELLS // (BUCKETS * groups))
        while high - low >= most:
            self._halve()
            low, high = low // 2, high // 2
        if not self._counts.size:
            self.first = low
        old_groups, _, bins = self._counts.shape
        beside = self.first - low, high - self.first - bins + 1
        room = [(0, groups - old_groups), (0, 0), beside]
        if any(map(any, room)):
            self._counts = np.pad(self._counts, room)
            self.deals = np.pad(self.deals, room[0])
        self.first = low

    def _halve(self) -> None:
        """Make bins twice as wide."""
        bins = self._counts.shape[2]
        odd = self.first % 2
        counts = np.pad(self._counts, [(0, 0), (0, 0), (odd, (odd + bins) % 2)])
        self._counts = counts[:, :, ::2] + counts[:, :, 1::2]
        self.first //= 2
        self.width *= 2


def score_counts(
    frames: Iterable[pl.DataFrame],
    by: str = "strategy",
    *,
    labels: Sequence[str] | None = None,
    truncated: str = "score",
) -> ScoreCounts:
    """Return the counts of a data set's scores, from which `quantile` makes all quantiles.

    frames: consecutive pieces of the data set in game order, with at least `columns_needed(by,
    "share")`; the rows of a deal stand together and in one frame. by, labels: see
    `tables.run_table`. truncated: "none" leaves truncated games out; they count otherwise.

    UserError for an unknown column or rule, or a column of more than 200 different values.
    ValueError if a deal is split between frames.
    """
    check_rules("share", truncated)
    counts = ScoreCounts(Groups(by, labels))
    last = None
    for frame in frames:
        check_column(by, frame.columns)
        last = last_deal(frame, last)
        codes, deals = counts.groups.codes(frame[by]), frame["deal"].to_numpy()
        for at, deal_start, rows in pieces(frame, len(counts.groups)):
            counted = ~rows.cut if truncated == "none" else np.ones(len(rows.cut), np.bool_)
            counts.add(codes[at], deals[at], deal_start, rows.score, counted)
    return counts


def quantile_columns(by: str) -> list[str]:
    """Return the columns that `score_counts` reads."""
    return columns_needed(by, "share")


def quantile(
    counts: ScoreCounts,
    group: int,
    p: float,
    level: float = 0.95,
    method: str = "woodruff",
    seed: int = 1,
) -> Quantile:
    """Return a quantile of a group's scores with an interval (statistics section 1).

    group: its code in `counts.groups`. p: in (0, 1). level: in (0, 1). method: "woodruff" [Woodruff
    1952], or "bootstrap" of units, which `seed` makes repeatable. Both are conservative where many
    scores are equal. The units are deals, or buckets of deals where there are more than 1024.

    UserError for a p, level or method that does not exist, and for a bootstrap with fewer than 50
    units, or with fewer than 5 of them beyond the quantile on average.
    """
    _check(p, level, method)
    found = counts.of(group)
    if not len(found):
        note = "no appearance"
        return Quantile(None, None, None, None, None, 0, 0, None, level, None, note, p)
    deals = int(counts.deals[group])
    scores = _Scores(found, np.cumsum(found.sum(axis=0, dtype=np.int64)), counts)
    made = (
        _woodruff(scores, p, level)
        if method == "woodruff"
        else _bootstrap(scores, p, level, deals, seed)
    )
    how = made.method
    if how is not None and deals > len(found):
        how = how.replace("units", "buckets of deals")
    at, width = scores.place(p), counts.width
    notes = [made.note, _width_note(width)]
    return Quantile(
        estimate=float(scores.lower(at) + (width - 1) // 2),
        low=None if made.low is None else float(scores.lower(made.low)),
        high=None if made.high is None else float(scores.lower(made.high) + width - 1),
        se=made.se,
        df=made.df,
        units=deals,
        games=scores.rows,
        method=how,
        level=level,
        note="; ".join(filter(None, notes)) or None,
        p=p,
        reached=float(scores.cumulated[at]) / scores.rows,
        width=width,
    )


def _check(p: float, level: float, method: str) -> None:
    """Raise UserError for a p or level out of range, or an unknown method."""
    check_level(level)
    if not isinstance(p, (int, float)) or not 0 < p < 1:
        raise UserError(
            f"p must lie between 0 and 1, such as 0.5 for the median, but is {shown(p)}."
        )
    if method not in METHODS:
        raise one_of("method", method, METHODS)


def _width_note(width: int) -> str | None:
    """Return what wide bins do to an interval."""
    if width == 1:
        return None
    return f"scores in bins of {width}: each end may lie up to {width - 1} too far out"


@dataclass(frozen=True)
class _Scores:
    """The scores of one group."""

    units: NDArray[np.uint32]
    """How many scores each unit has in each bin, uint32 [U, bins]."""
    cumulated: Ints
    """Scores up to each bin, over all units, int64 [bins]."""
    counts: ScoreCounts

    @property
    def rows(self) -> int:
        """Number of scores."""
        return int(self.cumulated[-1])

    def place(self, p: float) -> int:
        """Return the first bin up to which there is a share p of the scores."""
        return int(np.searchsorted(self.cumulated, _target(p, self.rows)))

    def share(self, place: int) -> Estimate:
        """Return the share of scores up to a bin, which may be -1: up to none."""
        sums = UnitSums()
        up_to = self.units[:, : place + 1].sum(axis=1, dtype=np.int64)
        sums.add(self.units.sum(axis=1, dtype=np.int64), up_to.astype(np.float64))
        return mean(sums)

    def lower(self, place: int) -> int:
        """Return the smallest score of a bin."""
        return (self.counts.first + place) * self.counts.width


def _target(p: float, rows: int) -> float:
    """Return how many of so many scores the quantile of p must reach, rounding errors forgiven."""
    return max(1.0, p * rows * (1 - 1e-12))


class _Interval(NamedTuple):
    """The interval of a quantile, by the places of bins."""

    low: int | None
    high: int | None
    se: float | None
    df: float | None
    method: str | None
    note: str | None


def _woodruff(scores: _Scores, p: float, level: float) -> _Interval:
    """Return [Q(p - t se), Q(p + t se)] [Woodruff 1952].

    se is that of section 1 for the share of scores up to Q(p), or below Q(p) if that is larger: few
    scores may lie above Q(p), which is then no less uncertain. Where both are the same in all
    units, p may be off by the probability of section 1 that a unit differs.
    """
    at = scores.place(p)
    share = max((scores.share(at), scores.share(at - 1)), key=lambda found: found.se or 0.0)
    units = len(scores.units)
    if share.se is None or share.df is None:
        return _Interval(None, None, None, None, None, "one unit")
    if (scores.cumulated[scores.cumulated > 0] == scores.rows).all():
        note = f"no variation in {units} units"
        return _Interval(None, None, share.se, share.df, None, note)
    off = t_quantile(share.df, level) * share.se
    if share.se == 0:
        off = constant_interval(0.0, units, level)[1]
    if not math.isfinite(off):
        return _Interval(None, None, share.se, share.df, None, share.note)
    notes = ["the low end is the smallest score seen"] if p - off <= 0 else []
    notes += ["the high end is the largest score seen"] if p + off >= 1 else []
    low, high = scores.place(max(0.0, p - off)), scores.place(min(1.0, p + off))
    how = "Woodruff, jackknife over units"
    return _Interval(low, high, share.se, share.df, how, "; ".join(notes) or None)


def _bootstrap(scores: _Scores, p: float, level: float, deals: int, seed: int) -> _Interval:
    """Return the percentiles of the quantile over resampled units (statistics section 1).

    How often a unit is drawn is multinomial; ends are percentiles without interpolation.
    """
    units = len(scores.units)
    if units < FEWEST_UNITS:
        raise UserError(
            f"a bootstrap needs at least {FEWEST_UNITS} units, but there are {units}; choose "
            "method 'woodruff'."
        )
    if min(p, 1 - p) < FEWEST_BEYOND / deals:
        raise UserError(
            f"a bootstrap cannot tell how sure the quantile of {p:g} is with {deals} deals: fewer "
            f"than {FEWEST_BEYOND} are expected beyond it; choose a p nearer to 0.5."
        )
    filled = np.flatnonzero(np.diff(scores.cumulated, prepend=0))
    cumulated = scores.units[:, filled].cumsum(axis=1, dtype=np.float64)
    rng = np.random.default_rng(seed)
    places = np.concatenate(
        [
            filled[_resampled(rng, cumulated, p, min(AT_ONCE, RESAMPLES - done))]
            for done in range(0, RESAMPLES, AT_ONCE)
        ]
    )
    ends = np.quantile(places, [(1 - level) / 2, (1 + level) / 2], method="inverted_cdf")
    se = float(places.std(ddof=1)) * scores.counts.width
    how = f"bootstrap of units, percentile, {RESAMPLES:,} resamples"
    return _Interval(int(ends[0]), int(ends[1]), se, None, how, None)


def _resampled(rng: np.random.Generator, cumulated: Floats, p: float, times: int) -> Ints:
    """Return the column of the quantile in so many resamples of units, int64 [times].

    cumulated: scores of each unit up to each column, float64 [U, columns].
    """
    units = len(cumulated)
    drawn = rng.integers(units, size=(times, units)) + units * np.arange(times)[:, None]
    weights = np.bincount(drawn.ravel(), minlength=times * units).reshape(times, units)
    up_to = weights.astype(np.float64) @ cumulated
    target = np.maximum(1.0, p * up_to[:, -1:] * (1 - 1e-12))
    below: Ints = (up_to < target).sum(axis=1)
    return below


def quantile_frame(
    frames: Iterable[pl.DataFrame],
    by: str,
    p: float | Sequence[float],
    *,
    labels: Sequence[str] | None = None,
    truncated: str = "score",
    level: float = 0.95,
    method: str = "woodruff",
) -> pl.DataFrame:
    """Return the quantiles of all groups of a data set, one row for each group and p.

    Arguments and errors: see `score_counts` and `quantile`. Columns: `by`, p, estimate, low, high;
    null where a number is not defined.
    """
    asked = np.atleast_1d(p).tolist()
    for each in asked:
        _check(each, level, method)
    counts = score_counts(frames, by, labels=labels, truncated=truncated)
    found: list[tuple[Any, Quantile]] = [
        (value, quantile(counts, code, each, level, method))
        for code, value in counts.groups.in_order()
        for each in asked
    ]
    numbers = ("p", "estimate", "low", "high")
    return pl.DataFrame(
        [
            pl.Series(by, [value for value, _ in found]),
            *(pl.Series(n, [getattr(one, n) for _, one in found], pl.Float64) for n in numbers),
        ]
    )
