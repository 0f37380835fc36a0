"""A headless Chromium, driven through selenium: it opens pages and says what went on in them.

`python -m tests.browser.chromium` says what is missing, if anything is.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MISSING = (
    "The pages are tried in Chromium, and {} is not installed: "
    "apt-get install chromium chromium-driver"
)
FLAGS = (
    "--headless=new",
    "--hide-scrollbars",  # they lie over the page, as on a phone
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND",  # what a page asks for is seen, and goes nowhere
)
WIDE, PHONE, SMALL, PAPER = 1100, 400, 320, 718
HEIGHT = 900
MOST_HEIGHT = 16_000
"""Of a picture; Chromium cannot draw much more at once."""
WATCH = """
  window.said = [];
  for (const name of ['alert', 'confirm', 'prompt'])
    window[name] = text => { window.said.push(name + ': ' + text); };
"""


def missing() -> str | None:
    """Return what to install, in one sentence; None where all is there."""
    for program in ("chromium", "chromedriver"):
        if shutil.which(program) is None:
            return MISSING.format(program)
    return None


class Chromium:
    """One browser. `open` comes first, and every question is about the page that is open."""

    def __init__(self) -> None:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        os.environ |= {"SE_OFFLINE": "true", "SE_AVOID_STATS": "true"}
        options = webdriver.ChromeOptions()
        options.binary_location = str(shutil.which("chromium"))
        for flag in FLAGS:
            options.add_argument(flag)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        service = Service(executable_path=shutil.which("chromedriver"))
        self.driver = webdriver.Chrome(options=options, service=service)
        self.do("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        may = ["clipboardReadWrite", "clipboardSanitizedWrite"]
        self.do("Browser.grantPermissions", permissions=may)

    def do(self, command: str, **arguments: Any) -> Any:
        """Carry out a command of the Chrome DevTools protocol."""
        return self.driver.execute_cdp_cmd(command, arguments)

    def open(
        self, path: Path, width: int = WIDE, *, dark: bool = False, printed: bool = False
    ) -> None:
        """Open a page anew, as wide as asked, and forget what went on before."""
        self.show(width, dark=dark, printed=printed)
        self.driver.get("about:blank")
        for log in ("browser", "performance"):
            self.driver.get_log(log)
        self.driver.get(path.resolve().as_uri())

    def show(self, width: int = WIDE, *, dark: bool = False, printed: bool = False) -> None:
        """Show the page with another width, other colours, or as it is printed."""
        self.do(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=HEIGHT, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        wishes = {"color-scheme": "dark" if dark else "light", "reduced-motion": "reduce"}
        features = [{"name": f"prefers-{wish}", "value": value} for wish, value in wishes.items()]
        media = "print" if printed else "screen"
        self.do("Emulation.setEmulatedMedia", media=media, features=features)

    def ask(self, script: str, *arguments: Any) -> Any:
        """Run a script in the page and return what it returns."""
        return self.driver.execute_script(script, *arguments)

    def wait_for(self, script: str, *arguments: Any) -> Any:
        """Run a script that calls its last argument when it is done; return what it is given."""
        return self.driver.execute_async_script(script, *arguments)

    def complaints(self) -> list[str]:
        """Return what the console holds, and every dialog that the page opened."""
        logged = [
            f"{entry['level']}: {entry['message']}" for entry in self.driver.get_log("browser")
        ]
        return logged + list(self.ask("return window.said"))

    def requests(self) -> list[str]:
        """Return the addresses that the page asked for, other than data inside it."""
        asked = (m["params"]["request"]["url"] for m in self._messages("Network.requestWillBeSent"))
        return [url for url in asked if not url.startswith(("data:", "blob:"))]

    def _messages(self, method: str) -> Iterator[Any]:
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == method:
                yield message

    def picture(self) -> bytes:
        """Return the page from top to bottom, as PNG."""
        size = self.do("Page.getLayoutMetrics")["cssContentSize"]
        height = min(size["height"], MOST_HEIGHT)
        whole = {"x": 0, "y": 0, "width": size["width"], "height": height, "scale": 1}
        shot = self.do("Page.captureScreenshot", captureBeyondViewport=True, clip=whole)
        return base64.b64decode(shot["data"])

    def close(self) -> None:
        """End the browser and its driver."""
        self.driver.quit()


if __name__ == "__main__":
    sys.exit(missing())
