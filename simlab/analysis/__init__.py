"""Estimates from finished games: what a data set says, and how sure that is."""
