"""Estimate the time and disk space of a run from a short probe of it, for `--dry-run`."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from ttr_sim.run.compiling import compile_engine
from ttr_sim.run.control import Controls
from ttr_sim.run.folder import RunFolder
from ttr_sim.run.lineups import seat_blocks
from ttr_sim.run.parts import Part, RunSize, parts_of, size_of
from ttr_sim.run.plan import FULL, Plan, Request
from ttr_sim.run.play import PlayedPart, load_game, play_part
from ttr_sim.run.start import copy_bots, copy_edition

PROBE_SECONDS = 1.0
FIRST_BLOCKS = 4


@dataclass(frozen=True, slots=True)
class RunCost:
    size: RunSize
    bytes: int
    seconds: float


def estimate_cost(request: Request, plan: Plan, jobs: int) -> RunCost:
    """Play the first blocks for about a second, in a folder that is thrown away."""
    size = size_of(plan)
    with tempfile.TemporaryDirectory() as scratch:
        folder = RunFolder(Path(scratch))
        copy_edition(request, folder)
        copy_bots(plan, folder)
        for table in plan.tables:
            (folder.path / table).mkdir()
        load_game(plan, folder, request.edition)
        compile_engine(request.edition, plan.players, plan.log == FULL)
        probe = _longest_probe(plan, folder)
    share = size.games / probe.games
    return RunCost(size, round(probe.bytes * share), probe.seconds * share / min(jobs, size.parts))


def _longest_probe(plan: Plan, folder: RunFolder) -> PlayedPart:
    """Play more and more blocks of the first part, until it takes long enough to measure."""
    part = next(parts_of(plan))
    _play_beginning(plan, folder, part, FIRST_BLOCKS)  # the first part of a process also loads code, which takes longer
    blocks, began = FIRST_BLOCKS, time.monotonic()
    while True:
        played = _play_beginning(plan, folder, part, blocks)
        if blocks >= part.blocks or time.monotonic() - began > PROBE_SECONDS / 2:
            return played
        blocks *= 4


def _play_beginning(plan: Plan, folder: RunFolder, part: Part, blocks: int) -> PlayedPart:
    blocks = min(blocks, part.blocks)
    games = len(seat_blocks(plan, 0, blocks).deals)
    played = play_part(plan, folder, Part(part.number, part.first_block, blocks, part.first_game, games), Controls())
    assert played is not None, "nobody stops it"
    return played
