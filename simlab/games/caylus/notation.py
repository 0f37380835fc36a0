"""The notation of effects in the data files (RULES.md section 5), read into plain parts."""

from __future__ import annotations

import re
from dataclasses import dataclass

from simlab.errors import UserError, shown
from simlab.games.caylus.actions import KINDS, PLAIN

MOST = 20  # of anything that an effect gives or takes
MOST_CUBES = 5  # of a kind that is produced, so that no stock outgrows its 16 bits
Amounts = dict[str, int]
_STEP = re.compile(r"(?:pay\((?P<pays>[^()]*)\)->)?(?P<verb>[a-z_]+)\((?P<gives>[^()]*)\)")
WORDS = (*KINDS, "deniers", "points", "favor", "any4", "any5")


@dataclass(frozen=True)
class Step:
    """One way of an effect: what is paid, the verb (`gain`, `build` ...), and its amounts."""

    pays: Amounts
    verb: str
    gives: Amounts
    first: str = ""  # the word a build or transform begins with


def read(text: str, where: str) -> list[Step]:
    """Return the ways of an effect, none for "none"; UserError naming `where` for other words."""
    text = text.strip().replace(" ", "")
    if text in ("", "none"):
        return []
    return [_step(part, text, where) for part in _ways(text)]


def _ways(text: str) -> list[str]:
    """Split at the bars that stand outside of brackets: `build(wood|stone)` has none."""
    ways, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "|" and depth == 0:
            ways.append("")
        else:
            ways[-1] += letter
    return ways


def _step(part: str, text: str, where: str) -> Step:
    found = _STEP.fullmatch(part)
    if found is None:
        raise UserError(
            f"{where}: the effect '{shown(text)}' cannot be read; it takes such words as "
            "gain(wood=2), pay(deniers=2)->gain(gold=1), build(stone) or none."
        )
    first, gives = "", found["gives"]
    if found["verb"] in ("build", "transform", "provost", "relocate", "turn_order"):
        first, _, gives = gives.partition(",")
    amounts = {} if found["verb"] in ("provost", "relocate") else _amounts(gives, text, where)
    produces = found["verb"] == "gain" and not found["pays"]
    if produces and any(amounts.get(kind, 0) > MOST_CUBES for kind in KINDS):
        raise UserError(
            f"{where}: the effect '{shown(text)}' produces too much; at most {MOST_CUBES} cubes of "
            "a kind are possible."
        )
    return Step(_amounts(found["pays"] or "", text, where), found["verb"], amounts, first)


def _amounts(text: str, whole: str, where: str) -> Amounts:
    amounts: Amounts = {}
    for part in filter(None, text.split(",")):
        kind, _, number = part.partition("=")
        if kind.removeprefix("discount_") in KINDS:
            kind = kind.removeprefix("discount_")
        if kind not in WORDS or not re.fullmatch(r"[0-9]{1,3}", number):
            raise UserError(
                f"{where}: '{shown(part)}' in the effect '{shown(whole)}' is no amount; it takes "
                f"one of {', '.join(WORDS)}, with a number, such as wood=2."
            )
        if not 0 <= int(number) <= MOST or kind in amounts:
            raise UserError(
                f"{where}: '{shown(part)}' in the effect '{shown(whole)}' is out of range; each "
                f"kind may stand there once, with a number from 0 to {MOST}."
            )
        amounts[kind] = int(number)
    return amounts


def products(steps: list[Step], most: int = 2) -> list[Amounts] | None:
    """Return what each way of producing brings, or None if these ways are no production."""
    simple = all(s.verb == "gain" and not s.pays and s.gives for s in steps)
    cubes = all(kind in KINDS for s in steps for kind in s.gives)
    return [s.gives for s in steps] if simple and cubes and 1 <= len(steps) <= most else None


def rates(steps: list[Step]) -> list[tuple[str, int, str, int]] | None:
    """Return the rates (pays, how many, gets, how many) of an exchange, or None if it is none."""
    found = []
    for s in steps:
        if s.verb != "gain" or len(s.pays) != 1 or len(s.gives) != 1:
            return None
        (pays, number), (gets, gain) = next(iter(s.pays.items())), next(iter(s.gives.items()))
        found.append((pays, number, gets, gain))
    return found if 1 <= len(found) <= 2 else None


def word_of(amounts: Amounts) -> int:
    """Return the plain cubes of an amount as one word: 16 bits a kind."""
    return sum(amounts.get(kind, 0) << (16 * place) for place, kind in enumerate(PLAIN))
