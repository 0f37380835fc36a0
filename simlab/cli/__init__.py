"""The command line: each command parses, calls one function of the same name, and prints."""

from __future__ import annotations

from simlab.cli import ask, extend, long, play, show
from simlab.cli.app import app, main

__all__ = ["app", "ask", "extend", "long", "main", "play", "show"]
