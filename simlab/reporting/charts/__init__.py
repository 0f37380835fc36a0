"""The figures: each is drawn from tidy frames; those of runs have functions that make these."""
