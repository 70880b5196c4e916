"""Estimate the time and disk space of a run from short probes of it, for `--dry-run`."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ttr_sim.engine.play import new_control
from ttr_sim.run.compiling import compile_engine, compiling
from ttr_sim.run.folder import RunFolder
from ttr_sim.run.lineups import Part, RunSize, distinct_bots, parts_of, seat_blocks, size_of
from ttr_sim.run.plan import Plan, Request
from ttr_sim.run.play import PlayedPart, compile_on_worker, load_game, play_part
from ttr_sim.run.workers import ProgressListener, in_a_process

PROBE_SECONDS = 1.0
# A bot that searches may think for minutes, so only a game that never ends takes so long.
MOST_PROBING = 1_800.0
GROWTH = 4


@dataclass(frozen=True, slots=True)
class RunCost:
    size: RunSize
    bytes: int
    seconds: float


def estimate_cost(request: Request, plan: Plan, jobs: int, watch: ProgressListener) -> RunCost:
    with tempfile.TemporaryDirectory() as scratch:
        folder = RunFolder(Path(scratch))
        folder.copy_edition(request.edition, request.settings)
        folder.copy_bots(plan)
        for table in plan.tables:
            (folder.path / table).mkdir()
        with compiling(watch):
            loaded = load_game(plan, folder, request.edition)
            compile_engine(request.edition)
        with watch.wait("playing a few games to measure"):
            if loaded.is_safe_in_threads:
                loading, small, large = _probe(plan, folder)
            else:
                # As in a run, a user's bot must not end or block this process.
                names = " or ".join(distinct_bots(plan))
                prepare = partial(compile_on_worker, plan, folder)
                loading, small, large = in_a_process(partial(_probe, plan, folder), MOST_PROBING, names, prepare)
    parts = [part.games for part in parts_of(plan)]
    # Parts are whole, and only the last one is short. Workers take turns, so the first worker is the busiest.
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


def _probe(plan: Plan, folder: RunFolder) -> tuple[float, PlayedPart, PlayedPart]:
    """Seconds that only a process's first part takes, and the last two of ever larger probes."""
    whole = next(parts_of(plan))

    def play_blocks(blocks: int) -> PlayedPart:
        blocks = min(blocks, whole.blocks)
        games = len(seat_blocks(plan, 0, blocks).deals)
        played = play_part(plan, folder, Part(0, 0, blocks, 0, games), new_control())
        assert played is not None, "nobody stops it"
        return played

    # One block at first: bots that search may take seconds for a game.
    first = play_blocks(1)
    blocks, began = 1, time.monotonic()
    small = large = play_blocks(blocks)
    loading = max(0.0, first.seconds - small.seconds)
    while blocks < whole.blocks and time.monotonic() - began < PROBE_SECONDS / 2:
        blocks *= GROWTH
        small, large = large, play_blocks(blocks)
    return loading, small, large
