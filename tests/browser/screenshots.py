"""Pictures of every page, to look at: `python -m tests.browser.screenshots [PAGE...]`."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.browser.chromium import PAPER, PHONE, WIDE, Chromium, missing
from tests.browser.pages import Workshop, names

FOLDER = Path("results/screenshots")
SHOTS: dict[str, dict[str, Any]] = {
    "light": {"width": WIDE},
    "dark": {"width": WIDE, "dark": True},
    "phone": {"width": PHONE},
    "phone-dark": {"width": PHONE, "dark": True},
    "print": {"width": PAPER, "printed": True},
}


def take(wanted: Sequence[str]) -> None:
    """Write the pictures of pages, and a line for each."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, closing(Chromium()) as browser:
        shop = Workshop(Path(folder))
        for name in wanted:
            page = shop.page(name)
            for shot, how in SHOTS.items():
                browser.open(page.path, **how)
                path = FOLDER / f"{name}-{shot}.png"
                path.write_bytes(browser.picture())
                print(f"{path}: {path.stat().st_size // 1000:,} kB", flush=True)


def main(asked: Sequence[str]) -> None:
    """Take the pictures of the pages asked for, or of all."""
    if lacking := missing():
        sys.exit(lacking)
    if unknown := [name for name in asked if name not in names()]:
        sys.exit(f"There is no page {unknown[0]}; there are: {', '.join(names())}.")
    take(asked or names())


if __name__ == "__main__":
    main(sys.argv[1:])
