"""Which strategy of a field is best? Balanced line-ups, then games for pairs not yet settled.

Statistics sections 4 and 5: every strategy in every seat equally, all line-ups of a deal one unit;
a ranking with intervals, who beats whom after Holm, groups that are not told apart, ratings.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab.analysis.buckets import MOST_PAIRED
from simlab.analysis.estimates import Estimate
from simlab.analysis.jackknife import strategy_mean
from simlab.analysis.ranking import Ranking, ranking
from simlab.analysis.rating import Rating, rating
from simlab.core.parameters import read_whole
from simlab.core.quantities import read_level, read_list, read_share
from simlab.core.registry import strategies
from simlab.core.strategy import Bound
from simlab.core.twin import digest
from simlab.errors import UserError
from simlab.running import dataset, runner
from simlab.running.fields import Coverage, check_field
from simlab.running.plan import Span
from simlab.running.spec import differences, field_of
from simlab.study.asking import MOST_GAMES, How, Setting, bound_labels, command, order, play, stated
from simlab.study.field import FAR, Games, Piece, identity
from simlab.study.folder import Part, StudyFile, claimed, write_study
from simlab.study.settling import Meeting
from simlab.study.standings import Standings, coverage_of, labels_of

if TYPE_CHECKING:
    import polars as pl

ASK = "tournament"
GAMES = 200_000
UNSETTLED = 0.3
CHAPTERS = 6
"""In about so many steps the games for open pairs are spent."""
MOST_PAIRS = 16
"""Pairs that get games in one step."""


@dataclass(frozen=True)
class Tournament:
    """The answer of a tournament.

    ranking: by win share over the balanced games; scores: in its order; rating: None where there
    are too many strategies for one; meetings: all pairs of the ranking; balanced, extra: games
    that count for the field, and for single pairs; coverage: of the balanced games, None where
    games with others are left out.
    """

    arguments: dict[str, Any]
    parts: list[Part]
    ranking: Ranking
    scores: list[Estimate]
    rating: Rating | None
    meetings: list[Meeting]
    labels: list[str]
    deals: dict[str, int]
    coverage: Coverage | None
    balanced: int
    extra: int
    truncated: int
    level: float
    notes: list[str]
    ask: str = field(default=ASK, init=False)

    @property
    def repeated(self) -> dict[str, Any]:
        """What asks the same again anywhere: the field by name."""
        return {**self.arguments, "field": self.labels}

    @property
    def grown(self) -> int:
        """In how many steps the balanced games were played: 1 where they were at once."""
        return len({part.spec["line_up"][-1] for part in self.parts if part.span.first < FAR})

    @property
    def games(self) -> int:
        """All games that count."""
        return self.balanced + self.extra

    def summary(self) -> pl.DataFrame:
        """Return one row a strategy, the best first."""
        import polars as pl

        rated = {row.name: row.theta for row in self.rating.rows} if self.rating else {}
        rows = []
        for place, (row, score) in enumerate(zip(self.ranking.rows, self.scores, strict=True), 1):
            theta = rated.get(row.name)
            rows.append(
                {
                    "place": place,
                    "strategy": row.name,
                    "letters": row.letters,
                    "win_share": row.estimate.estimate,
                    "win_share_low": row.estimate.low,
                    "win_share_high": row.estimate.high,
                    "score_mean": score.estimate,
                    "score_low": score.low,
                    "score_high": score.high,
                    "rating": None if theta is None else theta.estimate,
                    "rating_low": None if theta is None else theta.low,
                    "rating_high": None if theta is None else theta.high,
                    "games": row.estimate.games,
                    "deals": row.estimate.units,
                }
            )
        floats = dict.fromkeys(("rating", "rating_low", "rating_high"), pl.Float64)
        return pl.DataFrame(rows, schema_overrides=floats)

    def pairs(self) -> pl.DataFrame:
        """Return one row for each ordered pair, in the order of the ranking."""
        import polars as pl

        order = {row.name: at for at, row in enumerate(self.ranking.rows)}
        both = [
            (turned, meeting)
            for meeting in self.meetings
            for turned in (False, True)
            if {self.labels[meeting.first], self.labels[meeting.second]} <= set(order)
        ]
        rows = [_pair_row(meeting, self.labels, turned) for turned, meeting in both]
        rows.sort(key=lambda row: (order[row["first"]], order[row["second"]]))
        names = ("beats", "beats_low", "beats_high", "difference", "low", "high", "p", "p_holm")
        return pl.DataFrame(rows, schema_overrides=dict.fromkeys(names, pl.Float64))

    def details(self) -> dict[str, Any]:
        """Return what `--json` has beyond the summary."""
        return {
            "pairs": self.pairs().to_dicts(),
            "balanced_games": self.balanced,
            "games_for_pairs": self.extra,
        }


def _pair_row(meeting: Meeting, labels: Sequence[str], turned: bool) -> dict[str, Any]:
    """Return a pair as it is seen by its first, or by its second strategy."""
    names = [labels[meeting.first], labels[meeting.second]]
    share = meeting.beats
    beats = [share.estimate, share.low, share.high]
    apart = [meeting.difference, meeting.low, meeting.high]
    if turned:
        names.reverse()
        beats = [None if x is None else 1 - x for x in (beats[0], beats[2], beats[1])]
        apart = [None if x is None else -x for x in (apart[0], apart[2], apart[1])]
    return {
        "first": names[0],
        "second": names[1],
        "beats": beats[0],
        "beats_low": beats[1],
        "beats_high": beats[2],
        "difference": apart[0],
        "low": apart[1],
        "high": apart[2],
        "p": meeting.p,
        "p_holm": meeting.p_holm,
        "verdict": -meeting.verdict if turned else meeting.verdict,
        "extra": meeting.extra,
    }


@dataclass(frozen=True)
class Asking:
    """A tournament that was checked and can be played."""

    setting: Setting
    field: list[Bound]
    arguments: dict[str, Any]
    games: int
    unsettled: float
    level: float

    def play(self, how: How) -> Path:
        """Play what is missing; return the folder."""
        base = self._base()
        name = digest(json.dumps(base, sort_keys=True))[:10]
        setting = self.setting
        usual = runner.RESULTS / f"{ASK}-{setting.game.name}-{setting.players}p-{name}"
        folder = how.out or usual
        with claimed(folder, how.force, lambda old: _differs(old, base)) as old:
            _Playing(self, how, folder, base, old).play()
        return folder

    def _base(self) -> dict[str, Any]:
        """Return what all parts have in common, as a spec's document."""
        document = self.setting.spec([], None).document()
        return {name: document[name] for name in document if name not in ("places", "set")}


def _differs(old: StudyFile, base: Mapping[str, Any]) -> str:
    """Say how a folder's tournament is another one; "" where games of it count."""
    if old.ask != ASK:
        return command(old.ask, old.arguments)
    return "; ".join(differences(old.notes["base"], base))


class _Playing:
    """Plays a tournament's parts in turn, writing down each before it is begun."""

    def __init__(
        self, asked: Asking, how: How, folder: Path, base: dict[str, Any], old: StudyFile | None
    ) -> None:
        self.asked, self.how, self.folder, self.base = asked, how, folder, base
        game = asked.setting.game
        self.entrants = [identity(game, bound) for bound in asked.field]
        self.bound = dict(zip(self.entrants, asked.field, strict=True))
        self.games = Games(asked.setting.players, asked.setting.seed)
        if old is not None:
            self.games = Games.read(old.notes)

    def play(self) -> None:
        """Play the balanced games, then those for open pairs while there is budget."""
        held = self._held()
        self.games.cut_short(held)
        for piece in self.games.unfinished(self.entrants, held):
            self._play(piece)
        budget = self.asked.games
        extra = int(budget * self.asked.unsettled)
        for piece in self.games.enough(self.entrants, budget - extra):
            self._play(piece)
        self._write()
        if extra and len(self.entrants) > 1:
            self._settle(extra)

    def _held(self) -> dict[str, int]:
        """Return how many deals each part has on disk."""
        found = {}
        for piece in self.games.pieces:
            path = self.folder / piece.folder
            if dataset.is_run(path):
                span = dataset.read_run_file(path).span
                found[piece.folder] = span.games // piece.seated(self.games.players).block
        return found

    def _write(self) -> None:
        notes = {
            **self.games.notes(),
            "base": self.base,
            "field": self.entrants,
        }
        parts = [piece.folder for piece in self.games.pieces]
        write_study(self.folder, StudyFile(ASK, self.asked.arguments, parts, notes))

    def _play(self, piece: Piece) -> None:
        """Play a part as far as it is to go."""
        self._write()
        design = piece.seated(self.games.players)
        spec = self.asked.setting.spec([self.bound[name] for name in piece.field], design)
        span = Span(piece.first * design.block, (piece.first + piece.deals) * design.block)
        how = replace(self.how, force=False)
        asked = order(spec, self.folder / piece.folder, span, how, ASK, self.asked.arguments)
        try:
            play(asked, how)
        except UserError:
            if piece is self.games.pieces[-1] and not dataset.is_run(asked.folder):
                self.games.pieces.pop()  # nothing of it was played, and nothing need be
                self._write()
            raise

    def _settle(self, extra: int) -> None:
        """Spend the rest of the budget on pairs that are not settled."""
        labels = bound_labels(self.asked.field)
        reader = Standings(
            self.folder, self.games, self.entrants, labels, self.asked.level, rated=False
        )
        spent = reader.extra_games()
        step = max(extra // CHAPTERS, 1)
        while most := min(MOST_PAIRS, max(extra - spent, 0) // self.games.players):
            found = reader.meetings(extra)
            open_ = [m for m in found if not m.verdict and m.doubt < float("inf")]
            moving = [m for m in open_ if m.difference]
            if not moving:
                return
            moving.sort(key=lambda m: m.doubt)
            chosen = [(m.first, m.second) for m in moving[:most]]
            piece = self.games.settle(self.entrants, chosen, min(step, extra - spent))
            self._play(piece)
            reader.take(piece)
            spent = reader.extra_games()


def asking(
    game: str,
    *,
    players: object = None,
    field: Any = "all",
    n: object = GAMES,
    unsettled: object = UNSETTLED,
    confidence: object = 0.95,
    rules: str = "standard",
    set: Mapping[str, Any] | None = None,
    seed: int = 1,
    question: str = "",
) -> Asking:
    """Check a tournament and return it; UserError for anything that cannot be right.

    See `simlab.tournament`.
    """
    setting = Setting.of(game, players, rules, set, seed)
    entrants = _field(setting, field)
    check_field(len(entrants), setting.players)
    if len(entrants) > MOST_PAIRED:
        raise UserError(
            f"--field has {len(entrants)} strategies; a tournament compares at most {MOST_PAIRED}."
        )
    games = read_whole(n, "--n", 1, MOST_GAMES)
    share = read_share(unsettled, "--unsettled", 0, 0.9, ends=True)
    level = read_level(confidence)
    arguments = {
        "field": "all" if field == "all" else bound_labels(entrants),
        "n": games,
        "unsettled": share if share != UNSETTLED else None,
        "confidence": level if level != 0.95 else None,
    }
    asked = stated(question, setting.words(), arguments)
    return Asking(setting, entrants, asked, games, share, level)


def _field(setting: Setting, given: Any) -> list[Bound]:
    """Return the strategies of a field; UserError where one is named twice."""
    if isinstance(given, str):
        every = list(strategies(setting.game.name))
        given = every if given == "all" else read_list(given, "--field")
    found = field_of(setting.game, given)
    seen: dict[str, str] = {}
    for bound in found:
        if bound.full in seen:
            raise UserError(
                f"--field names {bound.label} twice; every strategy takes part once, in every "
                "seat equally often."
            )
        seen[bound.full] = bound.label
    return found


def read(folder: Path, file: StudyFile) -> Tournament:
    """Return the answer of a tournament, worked out from its rows."""
    arguments, notes = file.arguments, file.notes
    games, entrants = Games.read(notes), list(notes["field"])
    level = arguments.get("confidence", 0.95)
    labels = labels_of(folder, games, entrants)
    reader = Standings(folder, games, entrants, labels, level, rated=True)
    budget = int(arguments["n"] * arguments.get("unsettled", UNSETTLED))
    found = reader.meetings(budget)
    totals = reader.totals
    ranked = ranking(totals, "win", "overall", level)
    places = [totals.names.index(row.name) for row in ranked.rows]
    scores = [strategy_mean(totals, at, "score", level) for at in places]
    assert reader.stages is not None
    said: list[str] = [ranked.note] if ranked.note else []
    rated = None
    try:
        rated = rating(reader.stages, level=level)
    except UserError as error:
        said.append(f"No ratings: {error}")
    return Tournament(
        arguments, reader.parts, ranked, scores, rated, found, labels,
        dict(zip(totals.names, map(int, totals.deals), strict=True)),
        coverage_of(games, entrants), totals.games, reader.extra_games() if budget else 0,
        totals.truncated, level, said,
    )  # fmt: skip


__all__ = ["ASK", "Asking", "Tournament", "asking", "read"]
