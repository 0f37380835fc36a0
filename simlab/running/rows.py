"""From result and event records to the frames of a data set."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from simlab.core import cache
from simlab.core.game import Events, Game, RuleBook
from simlab.core.ranks import rank_games
from simlab.errors import RulesError
from simlab.running.spec import Spec

FIXED_COLUMNS = (
    ("game", "u64", "number of the game"),
    ("deal", "u64", "number of the deal: everything chance decides, given the seed"),
    ("seat", "u8", "seat, counted from 0"),
    (
        "strategy",
        "enum",
        "strategy in that seat, with the parameters that differ from its defaults",
    ),
    ("score", "i32", "final score"),
    ("rank", "u8", "rank after tie-breaks; equal ranks share the smaller number"),
    ("win", "f64", "1/k for each of k winners, else 0"),
    ("end_reason", "enum", "how the game ended"),
)
_ranker: dict[str, Callable[..., None]] = {}


def ranker(game: Game) -> Callable[..., None]:
    """Return `rank_games`, compiled for the game's result records where numba is on."""
    if game.name not in _ranker:
        if cache.compilation_is_off():
            _ranker[game.name] = lambda r, rank, win: rank_games(r.view(np.recarray), rank, win)
        else:
            _ranker[game.name] = _compiled(game)
    return _ranker[game.name]


def _compiled(game: Game) -> Callable[..., None]:
    from numba import from_dtype, types

    from simlab.core.twin import Twins, fingerprint

    kinds = (from_dtype(game.result), types.uint8, types.float64)
    signature = types.void(*(types.Array(kind, 2, "C") for kind in kinds))
    options = {"nogil": True, "error_model": "numpy", "_nrt": False}
    twin = Twins().of(rank_games, **options)
    key = fingerprint(rank_games)
    return cache.compile_cached(  # type: ignore[no-any-return]
        twin, signature, f"{game.name}-ranks", key, lambda name: None
    )


def strategy_codes(spec: Spec, first: int, games: int) -> Any:
    """Return the label number of each game and seat, [games, seats]: u1, above 255 labels u2."""
    labels = spec.labels
    kind = "u1" if len(labels) <= 255 else "u2"
    numbers = np.array([labels.index(bound.label) for bound in spec.line_up], kind)
    return numbers[spec.design.entries(first, games)]


def rows_frame(spec: Spec, first: int, results: Any) -> Any:
    """Return the rows of games `first`, `first + 1` ... as a polars frame.

    results: result records [games, seats]. One row per game and seat, in that order.
    """
    import polars as pl

    game = spec.game
    games, players = results.shape
    rank, win = np.empty(results.shape, "u1"), np.empty(results.shape)
    ranker(game)(results, rank, win)
    numbers = np.repeat(np.arange(first, first + games, dtype="u8"), players)
    codes = strategy_codes(spec, first, games).reshape(-1)
    reasons = np.ascontiguousarray(results["end_reason"]).reshape(-1)
    columns: dict[str, Any] = {
        "game": numbers,
        "deal": numbers // spec.design.block,
        "seat": np.tile(np.arange(players, dtype="u1"), games),
        "strategy": _enum(pl, codes, spec.labels),
        "score": np.ascontiguousarray(results["score"]).reshape(-1),
        "rank": rank.reshape(-1),
        "win": win.reshape(-1),
        "end_reason": _enum(pl, reasons, list(game.end_reasons)),
    }
    for column in game.columns:
        columns[column.name] = np.ascontiguousarray(results[column.name]).reshape(-1)
    return pl.DataFrame(columns)


def _enum(pl: Any, codes: Any, words: list[str]) -> Any:
    return pl.Series(codes).cat.to(pl.Enum(words))


def event_words(book: RuleBook) -> list[str] | None:
    """Return the word of each number of `what` in events, "" where unused; None: it is a number.

    Raises RulesError where the game names two numbers alike, or none at all.
    """
    about = book.game.events
    if about is None or about.names is None:
        return None
    words = list(about.names(book))
    used = [word for word in words if word]
    if not used or len({*used}) < len(used):
        raise RulesError(
            f"game '{book.game.name}': events.names names two numbers of {about.what} alike, or "
            "none."
        )
    return words


def events_frame(book: RuleBook, events: Any, block: int = 1) -> Any:
    """Return event records as a polars frame with the game's own names; block: games on one deal.

    What an event is about is an enum of all words that these rules have, in the order of their
    numbers, where the game has words for it. RulesError for a number without a word.
    """
    import polars as pl

    about = book.game.events
    assert about is not None
    numbers = np.ascontiguousarray(events["game"]).astype("u8")
    columns: dict[str, Any] = {
        "game": numbers,
        "deal": numbers // block,
        "seat": np.ascontiguousarray(events["seat"]).astype("u1"),
        about.turn: np.ascontiguousarray(events["turn"]),
        "event": _enum(pl, np.ascontiguousarray(events["kind"]).astype("u1"), list(about.kinds)),
        about.what: _what(pl, book, about, events),
    }
    for place, name in enumerate(about.values):
        columns[name] = np.ascontiguousarray(events["value"][:, place])
    return pl.DataFrame(columns)


def _what(pl: Any, book: RuleBook, about: Events, events: Any) -> Any:
    """Return what each event is about: a word, or its number where the game has no words."""
    numbers = np.ascontiguousarray(events["what"])
    words = event_words(book)
    if words is None:
        return numbers
    used = np.array([bool(word) for word in words])
    known = (numbers >= 0) & (numbers < len(words))
    known &= used[np.where(known, numbers, 0)]
    if not known.all():
        wrong = int(np.argmin(known))
        raise RulesError(
            f"game '{book.game.name}': an event '{about.kinds[int(events['kind'][wrong])]}' of "
            f"game {events['game'][wrong]} has {about.what} {numbers[wrong]}, for which "
            "events.names has no word."
        )
    codes = np.cumsum(used, dtype="u4") - np.uint32(1)
    return _enum(pl, codes[numbers], [word for word in words if word])


def columns_text(spec: Spec, events: bool) -> str:
    """Return `columns.md`: what every column of the data set means."""
    lines = [f"# Columns of this run of {spec.game.title}", "", "One row per game and seat.", ""]
    lines += ["| column | type | meaning |", "| --- | --- | --- |"]
    lines += [f"| {name} | {kind} | {meaning} |" for name, kind, meaning in FIXED_COLUMNS]
    for column in spec.game.columns:
        kind = {"i": "i", "u": "u", "f": "f"}[column.dtype[0]] + str(8 * int(column.dtype[1:]))
        lines.append(f"| {column.name} | {kind} | {column.meaning} |")
    if events and spec.game.events is not None:
        lines += _event_lines(spec.book, spec.game.events)
    return "\n".join(lines) + "\n"


def _event_lines(book: RuleBook, about: Events) -> list[str]:
    """Return what `columns.md` says about the events."""
    words = event_words(book)
    what = about.what
    if words is not None:
        what += f" (enum: its name, such as {next(word for word in words if word)})"
    names = [about.turn, f"event ({', '.join(about.kinds)})", what, *about.values]
    lines = ["", f"Events: game, deal, seat, {', '.join(names)}."]
    for group, kinds in about.groups.items():
        by = f"seats by `{about.what}` of their events ({' or '.join(kinds)})"
        lines += ["", f"`simlab table RUN --by {group}`: {by}."]
    return lines
