"""Tables (and later pages and figures) that people read."""
