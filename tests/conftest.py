"""Settings of all tests: what hypothesis tries is the same every day and leaves nothing behind."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

os.environ.setdefault("SIMLAB_CHECK_SECONDS", "1")  # of every command that the tests run

settings.register_profile(
    "simlab",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("simlab")
