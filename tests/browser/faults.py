"""What can be wrong with a page in a browser: each function returns what it finds, in words."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from tests.browser.chromium import Chromium

LEAST = 11.0
"""The smallest letters that are legible on a phone, in CSS pixels."""
LEAST_ON_PAPER = 8.0
"""The smallest on paper (6 points), of a page that is shrunk to its width."""
WRONG_RULES = {
    "dlitem": "axe before 3.2 takes a dt in a div of a dl for a fault; HTML allows it since 5.2",
}
MORE_ROWS = "tbody tr:nth-child(n+8)"
"""Rows that axe does not look at, for they are like the first, and it takes long."""
SERIOUS = ("serious", "critical")

SEEN = """
  const seen = element => element.checkVisibility({visibilityProperty: true})
    && element.getClientRects().length > 0;
  const told = element => element.tagName.toLowerCase()
    + (element.id ? '#' + element.id : '')
    + (element.className ? '.' + String(element.className).split(' ').join('.') : '')
    + ' "' + element.textContent.trim().slice(0, 40) + '"';
"""
OVER_THE_EDGE = """
  const found = [];
  const held = element => {
    for (let up = element.parentElement; up; up = up.parentElement)
      if (['auto', 'scroll'].includes(getComputedStyle(up).overflowX)) return true;
    return false;
  };
  for (const element of document.body.querySelectorAll('*')) {
    const edge = element.getBoundingClientRect().right;
    if (edge > innerWidth + 1 && seen(element) && !held(element))
      found.push(told(element) + ' ends at ' + Math.round(edge));
  }
  const wide = document.documentElement.scrollWidth;
  return wide > innerWidth ? ['the document is ' + wide + ' wide', ...found] : found;
"""
LETTERS = """
  const found = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !seen(element)) continue;
    const box = element.getBoundingClientRect();
    if (box.width <= 1 || box.height <= 1) continue;  // said to screen readers alone
    found.push([told(element), parseFloat(getComputedStyle(element).fontSize)]);
  }
  return found;
"""
PICTURES = """
  return [...document.images].filter(seen).map(image => {
    const picture = image.closest('picture') || image;
    const sources = [...picture.querySelectorAll('source')];
    const grounds = [image, picture].map(one => getComputedStyle(one).backgroundColor);
    return {
      alt: image.alt, source: image.currentSrc, width: image.getBoundingClientRect().width,
      loaded: image.complete && image.naturalWidth > 0, grounds: grounds,
      dark: sources.filter(one => one.media.includes('dark')).map(one => one.srcset),
      media: sources.filter(one => one.srcset === image.currentSrc).map(one => one.media),
    };
  });
"""
CUT_OFF = """
  document.body.innerHTML = arguments[0];
  const edge = document.querySelector('svg').getBoundingClientRect();
  return [...document.querySelectorAll('svg text')].filter(text => {
    const box = text.getBoundingClientRect();
    return box.left < edge.left - 1 || box.right > edge.right + 1
      || box.top < edge.top - 1 || box.bottom > edge.bottom + 1;
  }).map(text => text.textContent.trim());
"""
COLOURS = """
  const body = getComputedStyle(document.body);
  return [body.backgroundColor, body.color];
"""
CONTROLS = """
  const controls = 'button, input, select, textarea, summary, [role=button]';
  const heading = one => one.closest('thead');  // what sorts a column is its heading, too
  return [...document.querySelectorAll(controls)].filter(seen)
    .filter(one => !heading(one)).map(told);
"""


def letters_too_small(browser: Chromium, least: float = LEAST) -> list[str]:
    """Return texts and figures whose letters are too small, in a page shrunk to fit the width."""
    shrunk = browser.ask("return Math.min(1, innerWidth / document.documentElement.scrollWidth)")
    least /= shrunk
    texts = browser.ask(SEEN + LETTERS)
    found = [f"{what}: {size:g} px" for what, size in texts if size < least]
    for picture in pictures(browser):
        size = drawn_letters(picture["source"], picture["width"])
        if size is not None and size < least:
            found.append(f"figure {picture['alt'][:60]!r}: {size:.2f} px")
    return found


def pictures(browser: Chromium) -> list[Any]:
    """Return the pictures that are seen: alt, source, width, loaded, grounds, dark and media."""
    return list(browser.ask(SEEN + PICTURES))


def drawn_letters(source: str, width: float) -> float | None:
    """Return the size of the smallest letters of an SVG that is `width` wide, in CSS pixels."""
    drawn = svg_of(source)
    box = re.search(r'viewBox="[\d.-]+ [\d.-]+ ([\d.]+) ', drawn)
    sizes = re.findall(r"font(?:-size)?:[^;\"]*?([\d.]+)px", drawn)
    return min(map(float, sizes)) * width / float(box[1]) if box and sizes else None


def letters_cut_off(browser: Chromium) -> list[str]:
    """Return what is written over the edge of a figure; leaves the page."""
    shown = [(picture["alt"][:60], svg_of(picture["source"])) for picture in pictures(browser)]
    browser.driver.get("about:blank")
    return [
        f"figure {alt!r}: {text!r}"
        for alt, drawn in shown
        if drawn
        for text in browser.ask(CUT_OFF, drawn[drawn.index("<svg") :])
    ]


def svg_of(source: str) -> str:
    """Return the text of an SVG in a data address; empty for anything else."""
    head, _, held = source.partition(",")
    if not head.startswith("data:image/svg+xml"):
        return ""
    return base64.b64decode(held).decode() if head.endswith("base64") else unquote(held)


def over_the_edge(browser: Chromium) -> list[str]:
    """Return what makes the page wider than the screen; what scrolls in a box of its own may."""
    return list(browser.ask(SEEN + OVER_THE_EDGE))


def pictures_not_loaded(browser: Chromium) -> list[str]:
    """Return the pictures that the browser cannot draw."""
    return [picture["alt"] for picture in pictures(browser) if not picture["loaded"]]


def not_dark(browser: Chromium) -> list[str]:
    """Return what stays light where the reader wishes the page dark."""
    ground, ink = map(brightness, browser.ask(COLOURS))
    found = [f"the page's ground is {ground:.2f} bright"] if ground > 0.05 else []
    found += [f"the page's letters are {ink:.2f} bright"] if ink < 0.6 else []
    for picture in pictures(browser):
        if picture["dark"] and picture["source"] not in picture["dark"]:
            found.append(f"{picture['alt'][:60]!r} shows its light drawing")
        if not picture["dark"] and max(map(brightness, picture["grounds"])) < 0.9:
            found.append(
                f"{picture['alt'][:60]!r} is drawn for light pages and has no white ground"
            )
    return found


def not_printable(browser: Chromium) -> list[str]:
    """Return what does not belong on paper: controls, and what is drawn for the dark."""
    ground, ink = map(brightness, browser.ask(COLOURS))
    found = [f"control {control}" for control in browser.ask(SEEN + CONTROLS)]
    found += [f"the paper is {ground:.2f} bright"] if ground < 0.9 else []
    found += [f"the letters are {ink:.2f} bright"] if ink > 0.2 else []
    for picture in pictures(browser):
        if any("dark" in media for media in picture["media"]):
            found.append(f"{picture['alt'][:60]!r} shows its dark drawing")
    return found


def brightness(colour: str) -> float:
    """Return the relative luminance, 0 to 1, of a colour as browsers compute it; clear is 0."""
    red, green, blue, *clear = (float(part) for part in re.findall(r"[\d.]+", colour))
    if clear == [0.0]:
        return 0.0
    parts = (part / 255 for part in (red, green, blue))
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def hard_to_access(browser: Chromium) -> list[str]:
    """Return what axe-core calls serious or critical."""
    from axe_selenium_python import Axe

    axe = Axe(browser.driver)
    axe.inject()
    rules = ", ".join(f"{name}: {{enabled: false}}" for name in WRONG_RULES)
    options = f"{{rules: {{{rules}}}, resultTypes: ['violations']}}"
    found = axe.run({"include": [["html"]], "exclude": [[MORE_ROWS]]}, options)
    return [
        f"{fault['id']} ({fault['impact']}): {', '.join(map(str, node['target']))}"
        for fault in found["violations"]
        if fault["impact"] in SERIOUS
        for node in fault["nodes"][:3]
    ]


def misbehaving(browser: Chromium, path: Path) -> list[str]:
    """Return what the page did that it must not: errors, dialogs, requests to anywhere."""
    own = path.resolve().as_uri()
    return browser.complaints() + [f"asked for {url}" for url in browser.requests() if url != own]
