"""One game, told from its first decision to its last."""

from simlab import figures, report_section


@report_section("How it ended", of="replay")
def end(replay):
    """One row a seat, the winner first; rank 1 is the best."""
    meanings = [f"{column.name}: {column.meaning}" for column in replay.table.game.columns]
    return replay.summary(), "; ".join(meanings) + "."


@report_section("How the scores grew", of="replay")
def scores(replay):
    """Scores as if the game had ended after each decision; in brackets the seat."""
    return replay.plot("points")


@report_section("Move by move", of="replay")
def moves(replay):
    return figures.Lines(replay.table.log.sentences())
