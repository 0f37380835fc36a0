"""Figures as images of a page: for wide and narrow, light and dark screens, and in words."""

from __future__ import annotations

import base64
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

POINTS = 4 / 3


@dataclass(frozen=True)
class Image:
    """A figure on a page: addresses that hold the picture itself, and what it shows in words.

    dark, narrow, narrow_dark: other drawings of a figure of ours; empty for any other figure,
    which keeps its own ground.
    """

    alt: str
    light: str
    width: int
    height: int
    dark: str = ""
    narrow: str = ""
    narrow_dark: str = ""


def image(figure: Figure, title: str) -> Image:
    """Return a figure as an image; title: of its section, for figures without words of their own.

    A figure with very many marks becomes a PNG.
    """
    from simlab.reporting import canvas

    own = isinstance(figure, canvas.SimlabFigure)
    alt = str(figure.get_label()) or _described(figure, title)
    width, height = (round(72 * POINTS * inches) for inches in figure.get_size_inches())
    drawn = canvas.svg(figure, text=own)
    if len(drawn) > canvas.DENSE:
        found = Image(alt, _address("png", canvas.png(figure)), width, height)
    elif isinstance(figure, canvas.SimlabFigure):
        narrow = canvas.narrowed(figure)
        pictures = (drawn, canvas.darkened(drawn), narrow, canvas.darkened(narrow))
        light, *others = (_address("svg+xml", picture.encode()) for picture in pictures)
        found = Image(alt, light, width, height, *others)
    else:
        found = Image(alt, _address("svg+xml", drawn.encode()), width, height)
    _close(figure)
    return found


def _address(kind: str, contents: bytes) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(contents).decode()}"


def _described(figure: Figure, title: str) -> str:
    """Return what can be said of a figure from its titles and labels."""
    told = [title]
    for axes in figure.axes:
        told += [axes.get_title(), axes.get_xlabel(), axes.get_ylabel()]
    words = dict.fromkeys(" ".join(text.split()) for text in told if text.strip())
    return f"Figure: {', '.join(words)}."


def _close(figure: Figure) -> None:
    """Let pyplot forget a figure that a script made with it."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close(figure)
