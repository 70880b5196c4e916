"""A cluster of two processes on this machine against two threads: what handing parts out over a scheduler costs."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from statistics import median

from scripts.tools.bench.measure import Row, median_ratio
from scripts.tools.bench.runs import THINKERS, row, speed_and_size
from ttr_sim.edition import load_edition
from ttr_sim.run.backends import Cluster, ThisMachine, Workers
from ttr_sim.run.plan import Request

GAMES, QUICK_GAMES, FIRST_GAMES = 200_000, 16_000, 4_000


def measure(quick: bool) -> list[Row]:
    """By the clock, round by round; the first games of each process are played before the first round."""
    request = Request(load_edition("usa"), (4,), THINKERS, QUICK_GAMES if quick else GAMES, seed=1)
    speeds: dict[str, list[float]] = {"threads": [], "cluster": []}
    with tempfile.TemporaryDirectory() as scratch, Cluster("local:2") as cluster:
        workers: dict[str, Workers] = {"threads": ThisMachine(2), "cluster": cluster}
        for name, these in workers.items():
            speed_and_size(replace(request, games=FIRST_GAMES), Path(scratch) / name, these)
        for number in range(3):
            for name, these in workers.items():
                speeds[name].append(speed_and_size(request, Path(scratch) / f"{name}-{number}", these)[0])
    return [
        row("games a second, two threads", "games/s", median(speeds["threads"])),
        row("two local workers against two threads", "ratio", median_ratio(speeds["cluster"], speeds["threads"])),
    ]
