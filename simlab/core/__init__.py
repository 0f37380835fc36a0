"""The engine: the contract between game and strategy, and what plays them. Knows no game by name."""
