"""Strategies of Dice 21, one idea a file; the entry point names this package."""
