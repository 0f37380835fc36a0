from __future__ import annotations

from simlab import Table
from simlab.games.diamant import GAME
from tests.games.diamant.cave import cave, everybody, signature, wish


def test_signatures() -> None:
    names = ["never_leave", "leave_first", "random"]
    assert [*map(signature, names)] == ["never_leave", "leave_first", "random(leave=0.3)"]


def test_never_leave_stays_at_any_risk() -> None:
    path = "trap_ram trap_snake trap_lava trap_spider trap_boulder treasure_17"
    table = everybody(cave(path), *["stay"] * 5)
    assert wish(table, "never_leave") == "stay"


def test_leave_first_leaves_after_the_first_card() -> None:
    assert wish(cave("treasure_01"), "leave_first") == "leave"
    table = Table(GAME, 3).play_out(["leave_first"] * 3)
    assert set(table.log.words) == {"leave"}
    assert [len(cards) for cards in table.log.decks["expedition"]] == [1] * 5


def words_of(spec: str, games: int) -> list[str]:
    """Return the choices of seat 0 after the first card of `games` games."""
    tables = [Table(GAME, 3, deal=deal) for deal in range(games)]
    return [wish(table, spec) for table in tables]


def test_random_leaves_as_often_as_it_says() -> None:
    leaves = words_of("random", 1000).count("leave")
    assert abs(leaves - 300) < 4.5 * (1000 * 0.3 * 0.7) ** 0.5
    assert words_of("random(leave=0)", 50) == ["stay"] * 50
    assert words_of("random(leave=1)", 50) == ["leave"] * 50


def test_random_seats_do_not_choose_alike() -> None:
    games = [Table(GAME, 3, deal=deal).play_out(["random(leave=0.5)"] * 3) for deal in range(60)]
    alike = sum(table.log.words[0] == table.log.words[1] for table in games)
    assert 15 <= alike <= 45


def test_random_plays_the_same_game_again_and_another_in_the_next() -> None:
    line_up = ["random"] * 3
    words = [Table(GAME, 3, deal=4, game_number=n).play_out(line_up).log.words for n in (7, 7, 8)]
    assert words[0] == words[1] != words[2]
