"""Settings of all tests: the long ones are asked for, random ones are the same every day."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "simlab",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("simlab")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the mark of the long tests."""
    config.addinivalue_line("markers", "validate: the full counts, minutes long (-m validate)")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the long tests out unless a mark or a single test was asked for."""
    asked = config.getoption("markexpr") or any("::" in arg for arg in config.args)
    if asked:
        return
    long = [item for item in items if item.get_closest_marker("validate")]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]
