"""What plays, looks, and plays again: one question a module, its answer in numbers."""

KINDS = {
    "duel": "duel",
    "tournament": "tournament",
    "sweep": "sweep",
    "compare-rules": "rule_change",
    "sample-size": "sample_size",
}
"""Kind of question -> the module of that name here."""
