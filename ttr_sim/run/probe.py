"""Estimate the time and disk space of a run from short probes of it, for `--dry-run`.

A part costs something by itself and something for each game; probes of two sizes tell the one from the other. The very
first part of a process takes longer, since it loads code. And parts are whole: three of them take two workers as long
as two take one.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from ttr_sim.engine.batch import new_control
from ttr_sim.run.compiling import compile_engine, compiling
from ttr_sim.run.folder import RunFolder, copy_bots, copy_edition
from ttr_sim.run.lineups import Part, RunSize, parts_of, seat_blocks, size_of
from ttr_sim.run.plan import FULL, Plan, Request
from ttr_sim.run.play import PlayedPart, load_game, play_part
from ttr_sim.run.workers import ProgressListener

PROBE_SECONDS = 1.0
FIRST_BLOCKS = 1  # bots that search may take seconds for a game
GROWTH = 4


@dataclass(frozen=True, slots=True)
class RunCost:
    size: RunSize
    bytes: int
    seconds: float


def estimate_cost(request: Request, plan: Plan, jobs: int, watch: ProgressListener) -> RunCost:
    """Play the first blocks for about a second, and a quarter of them, in a folder that is thrown away."""
    size = size_of(plan)
    with tempfile.TemporaryDirectory() as scratch:
        folder = RunFolder(Path(scratch))
        copy_edition(request.edition, request.settings, folder)
        copy_bots(plan, folder)
        for table in plan.tables:
            (folder.path / table).mkdir()
        with compiling(watch):
            load_game(plan, folder, request.edition)
            compile_engine(request.edition, plan.players, plan.log == FULL)
        with watch.wait("playing a few games to measure"):
            probes = _probes(plan, folder)
    parts = [part.games for part in parts_of(plan)]
    seconds, disk = (_line(probes.small, probes.large, name) for name in ("seconds", "bytes"))
    return RunCost(size, round(disk.of(parts)), probes.loading + seconds.of(_of_the_busiest(parts, jobs)))


def _of_the_busiest(parts: list[int], jobs: int) -> list[int]:
    """Games of the parts of one worker when workers take turns; only the last part is short."""
    return parts[:: min(jobs, len(parts))]


@dataclass(frozen=True, slots=True)
class _Line:
    """What a part costs by itself, and for each of its games."""

    alone: float
    each: float

    def of(self, parts: list[int]) -> float:
        return self.alone * len(parts) + self.each * sum(parts)


def _line(small: PlayedPart, large: PlayedPart, name: str) -> _Line:
    """Line through both probes, or through the large one and zero if the small one cost no less."""
    cost, more = float(getattr(small, name)), float(getattr(large, name))
    each = (more - cost) / max(large.part.games - small.part.games, 1)
    alone = more - each * large.part.games
    return _Line(alone, each) if each > 0 and alone >= 0 else _Line(0.0, more / large.part.games)


@dataclass(frozen=True, slots=True)
class _Probes:
    loading: float  # seconds that only the first part of a process takes
    small: PlayedPart
    large: PlayedPart


def _probes(plan: Plan, folder: RunFolder) -> _Probes:
    """Play more and more blocks of the first part, until it takes long enough to measure, and keep the last two."""
    part = next(parts_of(plan))
    first = _play_beginning(plan, folder, part, FIRST_BLOCKS)
    blocks, began = FIRST_BLOCKS, time.monotonic()
    small = large = _play_beginning(plan, folder, part, blocks)
    loading = max(0.0, first.seconds - small.seconds)
    while blocks < part.blocks and time.monotonic() - began < PROBE_SECONDS / 2:
        blocks *= GROWTH
        small, large = large, _play_beginning(plan, folder, part, blocks)
    return _Probes(loading, small, large)


def _play_beginning(plan: Plan, folder: RunFolder, part: Part, blocks: int) -> PlayedPart:
    blocks = min(blocks, part.blocks)
    games = len(seat_blocks(plan, 0, blocks).deals)
    played = play_part(plan, folder, Part(part.number, part.first_block, blocks, part.first_game, games), new_control())
    assert played is not None, "nobody stops it"
    return played
