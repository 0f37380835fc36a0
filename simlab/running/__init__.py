"""Runs: from a spec and a number of games to a data set on disk, whatever the workers."""
