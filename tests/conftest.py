"""Settings of all tests: what hypothesis tries is the same every day and leaves nothing behind."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "simlab",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("simlab")
