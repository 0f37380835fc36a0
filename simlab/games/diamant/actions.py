"""The numbered actions of Diamant and their words."""

from __future__ import annotations

STAY, LEAVE = 0, 1
WORDS = ("stay", "leave")
