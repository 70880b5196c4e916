"""What a run would take, from a short probe of it: for `--dry-run`."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from ttr_sim.errors import UserError
from ttr_sim.run.draft import Draft
from ttr_sim.run.edition_copy import copy_edition
from ttr_sim.run.folder import RunFolder
from ttr_sim.run.lineups import seat_blocks
from ttr_sim.run.parts import Part, Size, parts_of, size_of
from ttr_sim.run.plan import Plan
from ttr_sim.run.start import copy_bots
from ttr_sim.run.workers import Played, play_part, set_table, warm_up

PROBE_SECONDS = 1.0
FIRST_BLOCKS = 4


@dataclass(frozen=True, slots=True)
class Expected:
    size: Size
    bytes: int
    seconds: float


def expected(draft: Draft, jobs: int) -> Expected:
    """Plays the first blocks for about a second, in a folder that is thrown away."""
    size = size_of(draft.plan)
    with tempfile.TemporaryDirectory() as scratch:
        folder = RunFolder(Path(scratch))
        copy_edition(draft.edition.folder, folder.edition, draft.settings)
        copy_bots(draft, folder)
        for table in draft.plan.tables:
            (folder.path / table).mkdir()
        warm_up(set_table(draft.plan, folder.path), draft.plan)
        probe = _longest_probe(draft.plan, folder)
    share = size.games / probe.games
    return Expected(size, round(probe.bytes * share), (probe.ended - probe.started) * share / min(jobs, size.parts))


def _longest_probe(plan: Plan, folder: RunFolder) -> Played:
    """More and more blocks of the first part, until it took long enough to tell."""
    part = next(parts_of(plan))
    blocks, began = FIRST_BLOCKS, time.monotonic()
    while True:
        played = play_part(plan, folder.path, _beginning(plan, part, min(blocks, part.blocks)))
        if not isinstance(played, Played):
            raise UserError(played.reason or "the probe was stopped")
        if blocks >= part.blocks or time.monotonic() - began > PROBE_SECONDS / 2:
            return played
        blocks *= 4


def _beginning(plan: Plan, part: Part, blocks: int) -> Part:
    return Part(part.number, part.first_block, blocks, part.first_game, len(seat_blocks(plan, 0, blocks).deals))
