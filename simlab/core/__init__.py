"""The engine: the contract of game and strategy, and what plays them. Knows no game by name."""
