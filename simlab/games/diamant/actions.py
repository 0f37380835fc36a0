"""The numbered actions of Diamant and their words."""

from __future__ import annotations

from simlab.errors import one_of

STAY, LEAVE = 0, 1
WORDS = ("stay", "leave")


def action_words() -> list[str]:
    """Return the word of every action, by number."""
    return list(WORDS)


def bar_bits(text: str) -> list[tuple[int, int]]:
    """Return (word, bit) of `me.barred` for `kind=stay` or `kind=leave`."""
    kind, _, value = text.partition("=")
    if kind != "kind":
        raise one_of("bar", text, [f"kind={word}" for word in WORDS], "in diamant")
    if value not in WORDS:
        raise one_of("kind of action", value, WORDS, "in diamant")
    return [(0, WORDS.index(value))]
