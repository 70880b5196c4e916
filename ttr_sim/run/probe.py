"""Estimate the time and disk space of a run from short probes of it, for `--dry-run`.

A part costs something by itself and something for each game; probes of two sizes tell the one from the other. The very
first part of a process takes longer, since it loads code. And parts are whole: three of them take two workers as long
as two take one.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ttr_sim.engine.batch import new_control
from ttr_sim.run.compiling import compile_engine, compiling
from ttr_sim.run.folder import RunFolder, copy_bots, copy_edition
from ttr_sim.run.lineups import Part, RunSize, distinct_bots, parts_of, seat_blocks, size_of
from ttr_sim.run.plan import Plan, Request
from ttr_sim.run.play import PlayedPart, compile_on_worker, load_game, play_part
from ttr_sim.run.processes import in_a_process
from ttr_sim.run.workers import ProgressListener

PROBE_SECONDS = 1.0
# A bot that searches may think for minutes, so only a game that never ends takes so long.
MOST_PROBING = 1_800.0
# Bots that search may take seconds for a game.
FIRST_BLOCKS = 1
GROWTH = 4


@dataclass(frozen=True, slots=True)
class RunCost:
    size: RunSize
    bytes: int
    seconds: float


def estimate_cost(request: Request, plan: Plan, jobs: int, watch: ProgressListener) -> RunCost:
    """Estimate cost from short probes in a temporary folder."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = RunFolder(Path(scratch))
        copy_edition(request.edition, request.settings, folder)
        copy_bots(plan, folder)
        for table in plan.tables:
            (folder.path / table).mkdir()
        with compiling(watch):
            loaded = load_game(plan, folder, request.edition)
            compile_engine(request.edition)
        with watch.wait("playing a few games to measure"):
            if loaded.is_safe_in_threads:
                loading, small, large = _probes(plan, folder)
            else:
                # As in a run, a user's bot must not end or block this process.
                names = " or ".join(distinct_bots(plan))
                prepare = partial(compile_on_worker, plan, folder)
                loading, small, large = in_a_process(partial(_probes, plan, folder), MOST_PROBING, names, prepare)
    parts = [part.games for part in parts_of(plan)]
    # Workers take turns, and only the last part is short: the first worker is the busiest.
    busiest = parts[:: min(jobs, len(parts))]
    games = small.part.games, large.part.games
    of_a_part, of_a_game = _fit(games, (small.seconds, large.seconds))
    seconds = loading + of_a_part * len(busiest) + of_a_game * sum(busiest)
    of_a_part, of_a_game = _fit(games, (small.bytes, large.bytes))
    return RunCost(size_of(plan), round(of_a_part * len(parts) + of_a_game * sum(parts)), seconds)


def _fit(games: tuple[int, int], costs: tuple[float, float]) -> tuple[float, float]:
    """Fit the cost of a part by itself and of each game to two probes."""
    (few, many), (less, more) = games, costs
    each = (more - less) / max(many - few, 1)
    alone = more - each * many
    # Noise can make the small probe the dearer one: then the line goes through zero.
    return (alone, each) if each > 0 and alone >= 0 else (0.0, more / many)


def _probes(plan: Plan, folder: RunFolder) -> tuple[float, PlayedPart, PlayedPart]:
    """Probe with growing block counts and keep the last two.

    The first number is the seconds that only the first part of a process takes.
    """
    part = next(parts_of(plan))
    first = _play_beginning(plan, folder, part, FIRST_BLOCKS)
    blocks, began = FIRST_BLOCKS, time.monotonic()
    small = large = _play_beginning(plan, folder, part, blocks)
    loading = max(0.0, first.seconds - small.seconds)
    while blocks < part.blocks and time.monotonic() - began < PROBE_SECONDS / 2:
        blocks *= GROWTH
        small, large = large, _play_beginning(plan, folder, part, blocks)
    return loading, small, large


def _play_beginning(plan: Plan, folder: RunFolder, part: Part, blocks: int) -> PlayedPart:
    blocks = min(blocks, part.blocks)
    games = len(seat_blocks(plan, 0, blocks).deals)
    played = play_part(plan, folder, Part(part.number, part.first_block, blocks, part.first_game, games), new_control())
    assert played is not None, "nobody stops it"
    return played
