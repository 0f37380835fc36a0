"""Lines of keys are those that a person counts; what is written as TOML reads back the same."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simlab.errors import UserError
from simlab.running import tomltext

TEXT = '''\
# a = 1 in a comment
question = """
players = 3 is no key here, nor "quotes" = 4
[set]"""
lineup = [  # a = 1
    "threshold(gems = 4)", 'x = "2"',
    { inner = 1 },
]
"quoted key" = 'it # is'
set.trap_removal = "pair"
set."odd name".deep = 1.5
inline = { a = 1, "b c" = { d = [1, 2] }, e = 2020-01-01 }
[table]  # z = 1
key = 1
[table.below]
key = """a\\"""b
key = 7
"""
[[many]]
x = 1
'''
LINES = {
    ("question",): 2,
    ("lineup",): 5,
    ("lineup", "inner"): 7,
    ("quoted key",): 9,
    ("set", "trap_removal"): 10,
    ("set", "odd name", "deep"): 11,
    ("inline",): 12,
    ("inline", "a"): 12,
    ("inline", "b c"): 12,
    ("inline", "b c", "d"): 12,
    ("inline", "e"): 12,
    ("table",): 13,
    ("table", "key"): 14,
    ("table", "below"): 15,
    ("table", "below", "key"): 16,
    ("many",): 19,
    ("many", "x"): 20,
}


def test_every_key_has_its_line_and_nothing_else_is_a_key() -> None:
    tomllib.loads(TEXT)
    assert dict(tomltext.keys(TEXT)) == LINES
    for place, line in LINES.items():
        assert tomltext.line_of(TEXT, place) == line


def test_a_key_that_is_not_there_has_the_line_of_its_table_or_none() -> None:
    assert tomltext.line_of(TEXT, ("set",)) == 10
    assert tomltext.line_of(TEXT, ("table", "nothing")) == 13
    assert tomltext.line_of(TEXT, ("nothing",)) is None
    assert tomltext.line_of(TEXT, ()) is None


def test_words_choose_a_line_inside_a_value() -> None:
    assert tomltext.line_of(TEXT, ("lineup",), ["threshold"]) == 6
    assert tomltext.line_of(TEXT, ("lineup",), ["gems", "inner"]) == 6
    assert tomltext.line_of(TEXT, ("lineup",), ["thresh", "key"]) == 5


VALUES = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"])),
    st.integers(-(2**63), 2**63 - 1),
    st.booleans(),
    st.floats(allow_nan=False),
)


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), VALUES))
def test_what_is_written_reads_back(told: dict[str, object]) -> None:
    lines = [f"{tomltext.key_text(k)} = {tomltext.value_text(v)}" for k, v in told.items()]
    text = "\n".join(lines)
    assert tomllib.loads(text) == told
    assert [place for place, _ in tomltext.keys(text)] == [(key,) for key in told]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_lists_read_back(told: list[str]) -> None:
    assert tomllib.loads(f"x = {tomltext.value_text(told)}") == {"x": told}


def test_half_a_character_cannot_be_written() -> None:
    with pytest.raises(UserError, match="cannot be written in a TOML file"):
        tomltext.value_text("\ud800")


@given(st.text("ab=\"[]{},.'#\n\\ 1_-é", max_size=60))
def test_any_text_is_read_or_refused_in_one_sentence(text: str) -> None:
    tomltext.keys(text)
    try:
        wanted = tomllib.loads(text)
    except ValueError:
        with pytest.raises(UserError, match=r"^x\.toml:[^\n]*$"):
            tomltext.parse(text, Path("x.toml"))
    else:
        assert tomltext.parse(text, Path("x.toml")) == wanted
