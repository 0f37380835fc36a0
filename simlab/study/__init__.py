"""What plays, looks, and plays again: one question a module, its answer in numbers."""
