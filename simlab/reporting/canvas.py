"""How figures look, and how they become files and parts of a page.

Nothing here touches pyplot or matplotlib's settings outside a `with style():` block.
"""

from __future__ import annotations

import io
import re
import textwrap
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from matplotlib import rc_context, rcdefaults, rcParams
from matplotlib.figure import Figure

INK, MUTED, RULE = "#22272e", "#656d76", "#dfe3e8"
ACCENT, BAND, PALE, MARK = "#0b63a5", "#8fbfe6", "#d3e5f5", "#b4520a"
PAPER = "#fefefe"
DARK = {
    INK: "#e7eaee", MUTED: "#a0a9b4", RULE: "#333b45", ACCENT: "#6cb6f5", BAND: "#2f628f",
    PALE: "#20405c", MARK: "#f0a35e", PAPER: "#12161b", "#000000": "#e7eaee",
}  # fmt: skip
STYLE: dict[Any, Any] = {
    "font.family": ["DejaVu Sans"],
    "font.size": 9.5,
    "text.parse_math": False,
    "text.usetex": False,
    "text.color": INK,
    "axes.edgecolor": RULE,
    "axes.facecolor": "none",
    "axes.labelcolor": MUTED,
    "axes.labelsize": 9,
    "axes.axisbelow": True,
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.unicode_minus": True,
    "figure.facecolor": "none",
    "grid.color": RULE,
    "grid.linewidth": 0.8,
    "legend.fontsize": 8.5,
    "legend.frameon": False,
    "legend.labelcolor": MUTED,
    "xtick.color": MUTED,
    "xtick.labelsize": 8.5,
    "ytick.color": INK,
}
WIDE, NARROW = 7.0, 4.0
FONTS = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
DOTS = 200
DENSE = 300_000
NOTE_LETTERS = 96


class SimlabFigure(Figure):
    """A figure in the house style: it may be redrawn narrower, and in colours for a dark page."""

    def _repr_svg_(self) -> str:
        """Return the figure as a notebook shows it."""
        return svg(self, text=True)

    def __repr__(self) -> str:
        return str(self.get_label()) or super().__repr__()


@contextmanager
def style() -> Iterator[None]:
    """Draw in the house style inside the block; what was set before is set again afterwards."""
    with rc_context():
        rcdefaults()
        for name, value in STYLE.items():
            rcParams[name] = value
        yield


@contextmanager
def _saving(own: bool, text: bool = False) -> Iterator[None]:
    """Save the same bytes every time; say nothing of letters that our fonts lack."""
    with style() if own else rc_context(), warnings.catch_warnings():
        rcParams["svg.hashsalt"] = "simlab"
        rcParams["svg.fonttype"] = "none" if text else "path"
        warnings.filterwarnings("ignore", "Glyph .* missing")
        yield


def svg(figure: Figure, text: bool = False) -> str:
    """Return a figure as SVG, the same for the same figure.

    text: keep letters as text in the reader's own fonts, rather than as outlines.
    """
    own = isinstance(figure, SimlabFigure)
    held = io.StringIO()
    with _saving(own, text):
        figure.savefig(held, format="svg", metadata={"Date": None})
    drawn = held.getvalue()
    if text:
        drawn = drawn.replace("'DejaVu Sans'", FONTS)
    return drawn


def png(figure: Figure) -> bytes:
    """Return a figure as PNG at 200 dots an inch, on white."""
    held = io.BytesIO()
    with _saving(isinstance(figure, SimlabFigure)):
        ground = "white" if isinstance(figure, SimlabFigure) else "auto"
        figure.savefig(held, format="png", dpi=DOTS, facecolor=ground, metadata={"Software": None})
    return held.getvalue()


def darkened(drawn: str) -> str:
    """Return an SVG of ours in the colours for a dark page."""
    colours = re.compile("|".join(DARK))
    root = drawn.replace("<svg ", f'<svg fill="{DARK[INK]}" ', 1)
    return colours.sub(lambda found: DARK[found.group()], root)


def narrowed(figure: SimlabFigure) -> str:
    """Return a figure of ours as SVG, drawn for the width of a phone."""
    width = figure.get_figwidth()
    figure.set_figwidth(NARROW)
    try:
        return svg(figure, text=True)
    finally:
        figure.set_figwidth(width)


def footnote(figure: Figure, text: str) -> None:
    """Write a sentence below a figure, and after its words for those who cannot see it.

    text: without the full stop.
    """
    sentence = f"{text[0].upper()}{text[1:]}."
    add = getattr(figure, "add_note", None)  # charts wrap their notes to their width
    if add is not None:
        add(sentence)
    else:
        before = [line for line in (figure.get_supxlabel(),) if line]
        lines = [*before, *textwrap.wrap(sentence, NOTE_LETTERS)]
        with style():
            figure.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=8.5, color=MUTED)
    figure.set_label(f"{figure.get_label()} {sentence}".strip())
