"""The castle: batches, the best builder, the scoring of sections (section 9)."""

from __future__ import annotations

import numpy as np

from simlab.core.functions import rule
from simlab.core.trace import emit, tell
from simlab.games.caylus.actions import DELIVER, SECTION_NAMES
from simlab.games.caylus.rules.board import lose_points
from simlab.games.caylus.rules.builds import ask
from simlab.games.caylus.rules.records import LINES_SEPARATE, PART, PARTS
from simlab.games.caylus.rules.stock import kinds_held

NO_DELIVERY = 2  # points lost by who delivers nothing
# By the mask of kinds held (wood, stone, cloth, gold): the codes of D17 that deliver.
_PAIRS = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
DELIVERIES = tuple(
    sum(
        1 << (1 + code) for code, (a, b) in enumerate(_PAIRS) if (held >> a) & 1 and (held >> b) & 1
    )
    for held in range(16)
)
# What a batch takes: food and two others, as a word of plain cubes, and gold.
BATCH_WORD = (0, *(1 + sum(1 << (16 * (k + 1)) for k in pair if k < 3) for pair in _PAIRS))
BATCH_GOLD = (0, *(int(3 in pair) for pair in _PAIRS))


@rule
def open_section(table, rules):
    """Return the first section that is not scored and has room; 3 if there is none."""
    section = np.int64(table.section)
    while section < 3 and table.built[section] >= rules.capacity[section]:
        section += 1
    return section


@rule
def batches_held(table, seat):
    """Return the codes of D17 that a seat could deliver by its cubes alone."""
    held = kinds_held(table, seat)
    return np.int64(DELIVERIES[held >> 1]) if held & 1 else np.int64(0)


@rule
def ask_for_batch(table, rules, seat):
    """Ask a player of the queue for the next batch; unasked to stop where there is none (D17)."""
    options = np.int64(1)
    if open_section(table, rules) < 3:
        options |= batches_held(table, seat)
    ask(table, seat, DELIVER, options)


@rule
def deliver(table, hidden, rules, seat, code):
    """Deliver a batch: a part of the first section with room, and its points."""
    section = open_section(table, rules)
    table.cubes_word[seat] -= np.int64(BATCH_WORD[code])
    table.gold[seat] -= np.int64(BATCH_GOLD[code])
    table.built[section] += 1
    table.parts[seat, section] += 1
    table.batches[seat] += 1
    points = np.int64(rules.part_points[section])
    table.points[seat] += points
    hidden.castle_points[seat] += points
    part = np.int64(table.built[section])
    emit(hidden.events, seat, table.rounds, PART, SECTION_NAMES + section, (points, part, 0))
    tell("part", seat, section, part)
    ask_for_batch(table, rules, seat)


@rule
def end_delivery(table, hidden, rules, seat):
    """Two points are lost by who delivered nothing, unless that is excused."""
    table.step += 1
    if table.batches[seat] > 0:
        return
    excused = rules.no_delivery_exempt_if_towers_full == 1 and open_section(table, rules) == 3
    if excused and rules.exempt_needs_batch:
        excused = batches_held(table, seat) != 0
    if not excused:
        lose_points(table, hidden, rules, seat, np.int64(NO_DELIVERY))


@rule
def best_builder(table):
    """Give the favor to who built most this round, among equals to the earlier (phase 6)."""
    best = np.int64(-1)
    most = np.int64(0)
    for place in range(table.queued):
        seat = np.int64(table.queue[place])
        if table.batches[seat] > most:
            best, most = seat, np.int64(table.batches[seat])
    if best >= 0:
        table.favors = 1
        table.favored = best
        tell("best_builder", best)


@rule
def empty_castle(table):
    """Send the workers of the castle home."""
    for place in range(table.queued):
        table.workers[table.queue[place]] += 1
    table.queued = 0


@rule
def is_due(table, rules):
    """Whether the first section not yet scored is due: the bailiff is there, or it is full."""
    section = np.int64(table.section)
    if table.bailiff >= rules.trigger[section]:
        return True
    return table.built[section] >= rules.capacity[section]


@rule
def count_section(table, hidden, rules, seat):
    """Score the section that is due for one player: favors, nothing, or a penalty."""
    section = np.int64(table.section)
    parts = np.int64(table.parts[seat, section])
    tell("section", seat, section, parts)
    if parts == 0:
        lose_points(table, hidden, rules, seat, np.int64(rules.penalty[section]))
        return
    table.favors = rules.section_favors[section, min(parts, PARTS - 1)]
    table.favored = seat


@rule
def close_section(table, rules):
    """Close a section that was scored for all: further columns of favors open."""
    table.section += 1
    table.scored = 0
    tell("section_closed", table.section)
    if rules.double_scoring_lines == LINES_SEPARATE:
        clear_lines(table)


@rule
def clear_lines(table):
    """Forget which favor lines were used: a new phase has begun (section 8)."""
    for seat in range(table.players):
        table.used[seat] = 0
