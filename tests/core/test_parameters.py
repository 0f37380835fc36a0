"""What people write a line-up with, and what they are told when it cannot be read."""

from __future__ import annotations

import contextlib
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as some

from simlab import Strategy, strategy
from simlab.core.parameters import Call, read_number, read_spec, read_whole
from simlab.core.registry import bind_for, find_game, find_strategy
from simlab.errors import UserError

DIAMANT = find_game("diamant")


def test_specs_are_read() -> None:
    assert read_spec("threshold") == Call("threshold")
    assert read_spec(" threshold ( gems = 12 ) * 3 ") == Call("threshold", (("gems", 12.0),), 3)
    assert read_spec("a(b=c(d=1), e=word, f='two words', g=-0.5%)").arguments == (
        ("b", Call("c", (("d", 1.0),))),
        ("e", "word"),
        ("f", "two words"),
        ("g", -0.005),
    )
    assert read_spec("mine:threshold(x=1e3)") == Call("mine:threshold", (("x", 1000.0),))


@pytest.mark.parametrize(
    "text", ["", "(", "a(", "a(b)", "a(b=)", "a(b=1", "a(b=1,,c=2)", "a b", "a*", "a*0", "a*x", "1"]
)
def test_what_cannot_be_read_is_one_sentence(text: str) -> None:
    with pytest.raises(UserError) as caught:
        read_spec(text)
    assert "\n" not in str(caught.value)


@given(some.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(UserError):
        assert read_spec(text).name in text


def test_numbers_are_read_as_people_write_them() -> None:
    assert [read_number(t) for t in ("1e6", "1_000_000", "0.5%")] == [1e6, 1e6, 0.005]
    assert read_whole("1e6", "n", 1) == 1_000_000
    assert read_whole(str(2**63 - 1), "n", 1) in (2**63 - 1, 2**63)
    assert read_whole(2**63 - 1, "n", 1) == 2**63 - 1


@pytest.mark.parametrize("text", ["1.5", "0", "-3", "abc", "", "nan", "inf", True, None, 1.5])
def test_a_wrong_whole_number_says_what_is_right(text: object) -> None:
    with pytest.raises(UserError, match="takes a whole number of at least 1"):
        read_whole(text, "--n", 1)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("treshold", "did you mean threshold"),
        ("threshold(gem=3)", "did you mean gems"),
        ("threshold(gems=x)", "takes a whole number"),
        ("threshold(gems=1.5)", "takes a whole number"),
        ("risk_limit(risk=2)", "a number from 0 to 1"),
        ("risk_limit(risk=true)", "a number from 0 to 1"),
        ("threshold(gems=threshold(gems=2))", "takes a whole number"),
    ],
)
def test_wrong_strategies_and_parameters_name_the_right_ones(spec: str, says: str) -> None:
    with pytest.raises(UserError, match=says):
        bind_for(DIAMANT, spec)


def test_a_declaration_that_cannot_be_says_where() -> None:
    def bare(table, gems):
        return 0

    def plain(table):
        return 0

    def starred(table, *, gems: int = 3):
        return 0

    async def waiting(table):
        return 0

    def listed(table, gems: list = ()):  # type: ignore[type-arg,assignment]
        return 0

    with pytest.raises(UserError, match=r"test_parameters\.py:\d+: strategy 'bare': 'gems' needs"):
        strategy("diamant")(bare)
    with pytest.raises(UserError, match="must be annotated as int, float, bool"):
        strategy("diamant")(listed)
    with pytest.raises(UserError, match="must be an ordinary parameter"):
        strategy("diamant")(starred)
    with pytest.raises(UserError, match="declares a plain function"):
        strategy("diamant")(waiting)
    with pytest.raises(UserError, match="its memo takes"):
        strategy("diamant", memo=[("x", "f8", (100,))])(plain)
    with pytest.raises(UserError, match="memo takes a list of"):
        strategy("diamant", memo=[("x",)])(plain)
    for wrong in (lambda table: 0, print, 3, Literal):
        with pytest.raises(UserError):
            strategy("diamant")(wrong)  # type: ignore[arg-type]


def test_words_and_strategies_are_checked() -> None:
    @strategy("diamant")
    def fussy(table, me, rules, memo, rng, a: Literal["x", "y"] = "x", b: Strategy = "random"):
        return 0

    declared = fussy.__strategy__

    def find(name: str) -> Strategy:
        return declared if name == "fussy" else find_strategy("diamant", name)

    from simlab.core.strategy import bind

    assert bind("fussy(a=y, b=threshold(gems=3))", find).values[0] == "y"
    for spec, says in [
        ("fussy(a=z)", "for fussy: a; choose from x, y|did you mean"),
        ("fussy(b=3)", "a strategy"),
        ("fussy(b=thresold)", "did you mean threshold"),
        ("fussy(a=1)", "one of x, y"),
    ]:
        with pytest.raises(UserError, match=says):
            bind(spec, find)


def test_a_strategy_of_another_game_is_refused() -> None:
    @strategy("chess")
    def foreign(table):
        return 0

    with pytest.raises(UserError, match="is for chess, not for diamant"):
        bind_for(DIAMANT, foreign)
