"""Shares, ranges and lists as people write them, and what is said of those that cannot be."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from simlab.core.quantities import (
    read_difference,
    read_list,
    read_range,
    read_share,
    read_span,
    read_vary,
    read_wholes,
    share_text,
    split,
)
from simlab.errors import UserError

RANGES: dict[Any, list[Any]] = {
    "3:8": [3, 4, 5, 6, 7, 8],
    "4:10:2": [4, 6, 8, 10],
    "4:9:2": [4, 6, 8],
    "7:7": [7],
    "-2:1": [-2, -1, 0, 1],
    "0.05:0.3:0.05": [0.05, 0.1, 0.15, 0.2, 0.25, 0.3],
    "0:1:0.5": [0.0, 0.5, 1.0],
    "5%:15%:5%": [0.05, 0.1, 0.15],
    "1e3, 5:6": [1000, 5, 6],
    "a, b(x=1, y=2) ,mine:c": ["a", "b(x=1, y=2)", "mine:c"],
    "none,2,0.5": ["none", "2", "0.5"],
    4: [4],
    (1, 2.5, "3:4"): [1.0, 2.5, 3.0, 4.0],
}


@pytest.mark.parametrize("text", RANGES, ids=str)
def test_ranges_hold_both_ends_and_no_rounding(text: Any) -> None:
    found = read_range(text, "x")
    assert found == RANGES[text]
    assert list(map(type, found)) == list(map(type, RANGES[text]))


@given(some.integers(-50, 50), some.integers(1, 60), some.integers(1, 400), some.integers(0, 3))
def test_steps_are_exact_decimals(low: int, step: int, count: int, digits: int) -> None:
    unit = Decimal(1).scaleb(-digits)
    ends = [low * unit, (low + step * count) * unit, step * unit]
    found = read_range(":".join(f"{end:f}" for end in ends), "x")
    assert found == [float((low + step * n) * unit) for n in range(count + 1)]


SLIPS = {
    "": "x has an empty value; it takes values, such as 4:40:2",
    "4,,5": "x has an empty value",
    "8:3": "the range '8:3' runs backward; did you mean 3:8?",
    "40:4:2": "did you mean 4:40:2?",
    "4:40:0": "the range '4:40:0' has the step 0; a step must be above 0.",
    "4:40:-2": "has the step -2",
    "4:x": "the range '4:x' cannot be read; write LOW:HIGH or LOW:HIGH:STEP.",
    "1:2:3:4": "cannot be read",
    ":": "cannot be read",
    "4,8,4.0": "x: the value '4' is given twice.",
    "1:10001": "x has more than 10,000 values; take larger steps.",
    "0:1:1e-9": "more than 10,000 values",
    "1:9000,10001:19000": "more than 10,000 values",
}


@pytest.mark.parametrize("text", SLIPS)
def test_a_range_that_cannot_be_is_one_sentence(text: str) -> None:
    with pytest.raises(UserError) as caught:
        read_range(text, "x")
    assert SLIPS[text] in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_ten_thousand_values_are_not_too_many() -> None:
    assert len(read_range("1:10000", "x")) == 10_000


@given(some.text("0123456789.:,-%ea(b) ", max_size=20))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = read_range(text, "x")
    except UserError:
        return
    assert read_range(list(found), "x") == found


@pytest.mark.parametrize("value", ["95%", "0.95", 0.95, " 95 % ".replace(" %", "%")])
def test_shares_are_the_same_however_they_are_written(value: object) -> None:
    assert read_share(value, "confidence") == 0.95


@pytest.mark.parametrize("value", ["x", "", None, True, "0%", "100%", 0, -0.1, "nan", "1e999"])
def test_a_wrong_share_says_what_is_right(value: object) -> None:
    with pytest.raises(UserError, match=r"takes a share above 0% and below 100%\.$"):
        read_share(value, "power")


def test_a_percentage_without_its_sign_is_recognised() -> None:
    with pytest.raises(UserError, match=r"confidence is '95'; .*; did you mean 95%\?$"):
        read_share(95, "confidence", 0.5)
    assert [read_share(value, "x", ends=True) for value in (0, "100%")] == [0, 1]
    with pytest.raises(UserError, match="from 0% to 100%"):
        read_share("101%", "x", ends=True)


@given(some.floats(1e-12, 1, exclude_max=True))
def test_a_share_in_percent_reads_back_the_same(share: float) -> None:
    assert read_share(share_text(share), "x") == share


def test_shares_are_written_shortly() -> None:
    assert list(map(share_text, (0.005, 0.95, 0.3, 1e-7))) == ["0.5%", "95%", "30%", "0.00001%"]


def test_a_difference_is_a_share_of_wins_or_a_number_of_points() -> None:
    assert read_difference("0.5%", "margin") == 0.005
    assert read_difference("2.5", "margin", "score") == 2.5
    for value, objective in ((2, "win"), (0, "score"), (-1, "rank"), ("x", "score")):
        with pytest.raises(UserError, match=r"^margin is "):
            read_difference(value, "margin", objective)


def test_commas_inside_brackets_do_not_separate() -> None:
    assert split("a(b=c(d=1, e=2), f=3), [x, y],z") == ["a(b=c(d=1, e=2), f=3)", "[x, y]", "z"]
    assert read_list("risk_limit, denier(a=1, b=2)", "field") == ["risk_limit", "denier(a=1, b=2)"]


WRONG: list[tuple[Callable[..., Any], Any, str]] = [
    (read_list, "a,,b", "an entry is empty"),
    (read_list, [], "takes words with commas between"),
    (read_list, [1], "an entry is empty or no text"),
    (read_wholes, "0:3", "takes whole numbers of at least 1, such as 3, 3:8 or 3,5"),
    (read_wholes, "3,3.5", "takes whole numbers"),
    (read_wholes, "three", "takes whole numbers"),
    (read_span, "9", "takes LOW:HIGH, such as 0:300"),
    (read_span, [1, 2, 3], "takes LOW:HIGH"),
    (read_span, "0:x", "takes LOW:HIGH"),
    (read_span, "5:5", "the lowest must lie below the highest"),
    (read_vary, "threshold.gems", "write STRATEGY.PARAMETER=VALUES"),
    (read_vary, "threshold=4", "write STRATEGY.PARAMETER=VALUES"),
    (read_vary, "threshold*2.gems=4", "varies one strategy; leave the '[*]' out"),
    (read_vary, "thres hold.gems=4", "cannot read strategy 'thres hold'"),
    (read_vary, "threshold.gems=", "threshold.gems has an empty value"),
    (read_vary, 5, "cannot be read"),
]


@pytest.mark.parametrize(("read", "value", "says"), WRONG, ids=range(len(WRONG)))
def test_what_cannot_be_read_says_what_is_right(
    read: Callable[..., Any], value: Any, says: str
) -> None:
    more = (1,) if read is read_wholes else ()
    with pytest.raises(UserError, match=says):
        read(value, "x", *more)


def test_what_is_varied_is_a_parameter_of_a_strategy() -> None:
    assert read_vary("threshold.gems=4:8:2") == ("threshold", "gems", [4, 6, 8])
    assert read_vary("mine:denier(base=greedy(x=1.5)).points=1,2").name == (
        "mine:denier(base=greedy(x=1.5)).points"
    )
    assert read_vary("denier.base=greedy(x=1),random").values == ["greedy(x=1)", "random"]
    assert read_wholes("3:5", "players", 1) == read_wholes([3, "4:5"], "players", 1) == [3, 4, 5]
    assert read_span("-5:1e2", "x") == read_span((-5, 100), "x") == (-5.0, 100.0)
