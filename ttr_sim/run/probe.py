"""Estimate the time and disk space of a run from two short probes of it, for `--dry-run`.

A part costs something by itself and something for each game; probes of two sizes tell the one from the other.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from ttr_sim.run.compiling import compile_engine, compiling
from ttr_sim.run.control import Controls, Watch
from ttr_sim.run.folder import RunFolder
from ttr_sim.run.lineups import Part, RunSize, parts_of, seat_blocks, size_of
from ttr_sim.run.opened import copy_bots, copy_edition
from ttr_sim.run.plan import FULL, Plan, Request
from ttr_sim.run.play import PlayedPart, load_game, play_part

PROBE_SECONDS = 1.0
FIRST_BLOCKS = 1  # bots that search may take seconds for a game
GROWTH = 4


@dataclass(frozen=True, slots=True)
class RunCost:
    size: RunSize
    bytes: int
    seconds: float


def estimate_cost(request: Request, plan: Plan, jobs: int, watch: Watch) -> RunCost:
    """Play the first blocks for about a second, and a quarter of them, in a folder that is thrown away."""
    size = size_of(plan)
    with tempfile.TemporaryDirectory() as scratch:
        folder = RunFolder(Path(scratch))
        copy_edition(request, folder)
        copy_bots(plan, folder)
        for table in plan.tables:
            (folder.path / table).mkdir()
        with compiling(watch):
            load_game(plan, folder, request.edition)
            compile_engine(request.edition, plan.players, plan.log == FULL)
        with watch.wait("playing a few games to measure"):
            probes = _probes(plan, folder)
    taken, written = (_extrapolated(probes, size, name) for name in ("seconds", "bytes"))
    return RunCost(size, round(written), taken / min(jobs, size.parts))


def _extrapolated(probes: tuple[PlayedPart, PlayedPart], size: RunSize, name: str) -> float:
    """Return the cost of the whole run by the line through both probes; through the large one and nothing, where the
    small one cost no less."""
    small, large = probes
    costs = [float(getattr(probe, name)) for probe in probes]
    each = (costs[1] - costs[0]) / max(large.games - small.games, 1)
    alone = costs[1] - each * large.games
    if large.games == small.games or each <= 0 or alone < 0:
        return costs[1] * size.games / large.games
    return each * size.games + alone * size.parts


def _probes(plan: Plan, folder: RunFolder) -> tuple[PlayedPart, PlayedPart]:
    """Play more and more blocks of the first part, until it takes long enough to measure; return the last two."""
    part = next(parts_of(plan))
    _play_beginning(plan, folder, part, FIRST_BLOCKS)  # the first part of a process also loads code, which takes longer
    blocks, began = FIRST_BLOCKS, time.monotonic()
    small = large = _play_beginning(plan, folder, part, blocks)
    while blocks < part.blocks and time.monotonic() - began < PROBE_SECONDS / 2:
        blocks *= GROWTH
        small, large = large, _play_beginning(plan, folder, part, blocks)
    return small, large


def _play_beginning(plan: Plan, folder: RunFolder, part: Part, blocks: int) -> PlayedPart:
    blocks = min(blocks, part.blocks)
    games = len(seat_blocks(plan, 0, blocks).deals)
    played = play_part(plan, folder, Part(part.number, part.first_block, blocks, part.first_game, games), Controls())
    assert played is not None, "nobody stops it"
    return played
