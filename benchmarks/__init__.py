"""Measured speed: `make bench`. Ratios are taken side by side in one run, in CPU time."""
