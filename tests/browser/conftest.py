"""One browser and one workshop for all tests; each page is made when it is first opened."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.chromium import Chromium, missing
from tests.browser.pages import Page, Workshop, names


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give all tests of a page to one worker, which alone makes the page."""
    from xdist.scheduler import LoadScopeScheduling

    known = names()

    class ByPage(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            told = nodeid.partition("[")[2]
            return max((n for n in known if told.startswith((f"{n}]", f"{n}-"))), default=nodeid)

    return ByPage(config, log)


@pytest.fixture(scope="session")
def browser() -> Iterator[Chromium]:
    if lacking := missing():
        pytest.fail(lacking, pytrace=False)
    driven = Chromium()
    yield driven
    driven.close()


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return Workshop(tmp_path_factory.mktemp("pages"))


@pytest.fixture(scope="module", params=names())
def page(request: pytest.FixtureRequest, shop: Workshop) -> Page:
    return shop.page(request.param)
