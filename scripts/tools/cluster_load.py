"""Measure what a part costs its worker, the scheduler and the client, and simulate large clusters with it."""

from __future__ import annotations

import argparse
import heapq
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.tools.checkout import ROOT
from ttr_sim.edition import load_edition
from ttr_sim.run.backends import Cluster, ThisMachine, Work
from ttr_sim.run.control import Controls, Silence
from ttr_sim.run.digest import run_digests
from ttr_sim.run.folder import finished_parts
from ttr_sim.run.plan import PART_SIZE, Request, make_plans
from ttr_sim.run.play import play_plan

PAGE = ROOT / "docs" / "cluster.md"
BEGIN, END = "<!-- made by: scripts/cluster-load -->\n", "<!-- end -->"
BOTS, PLAYERS, PARTS = ("planner",), 4, 4
MESSAGES = 1_000  # empty items that client and scheduler are measured with
WORKERS = (10, 100, 300, 1_000, 3_000)
PARTS_A_WORKER = 40
SPREAD = 0.15  # of part times, to each side
BILLION = 1_000_000_000


@dataclass(frozen=True)
class Costs:
    """What one part costs, in seconds of one core, and in bytes."""

    play: float
    client: float
    scheduler: float
    check: float  # its files at the end of the run, by the client
    bytes: float


def measured() -> Costs:
    client, scheduler = _of_messages()
    with tempfile.TemporaryDirectory() as scratch:
        request = Request(load_edition("usa"), (PLAYERS,), BOTS, PARTS * PART_SIZE, seed=1)
        (plan,) = make_plans(request, Silence())
        play_plan(request, plan, Path(scratch) / "first", ThisMachine(1), Silence(), "")  # loads, and may compile
        began = time.process_time()
        run = play_plan(request, plan, Path(scratch) / "run", ThisMachine(1), Silence(), "")
        play = time.process_time() - began
        began = time.process_time()
        finished_parts(run.folder, plan, PARTS, Silence().note)
        run_digests(run.folder, plan, PARTS)
        check = time.process_time() - began
        size = sum(file.stat().st_size for file in run.path.rglob("*.parquet"))
    return Costs((play - check) / PARTS, client, scheduler, check / PARTS, size / PARTS)


def nothing(item: int, controls: Controls) -> int:
    return item


def _of_messages() -> tuple[float, float]:
    """Return what the client and the scheduler do for one item that costs its worker nothing."""
    import psutil

    work: Work[int, int] = Work(
        nothing, MESSAGES, True, prepare=int, folder=None, describe=str, how_to_go_on="", note=Silence().note
    )
    with _scheduler() as (process, address), Cluster(address) as workers, workers.backend(work) as backend:
        list(backend.results(range(10)))
        before, began = sum(psutil.Process(process.pid).cpu_times()[:2]), time.process_time()
        list(backend.results(range(MESSAGES)))
        client = time.process_time() - began
        scheduler = sum(psutil.Process(process.pid).cpu_times()[:2]) - before
    return client / MESSAGES, scheduler / MESSAGES


@contextmanager
def _scheduler() -> Iterator[tuple[subprocess.Popen[Any], str]]:
    """Start a scheduler and two workers as a user would: each is a process, which can be measured."""
    import json

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scheduler.json"
        words = ["--no-dashboard", "--scheduler-file", str(file)]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        of_scheduler = ["-m", "distributed.cli.dask_scheduler", "--port", "0", "--host", "127.0.0.1", *words]
        of_worker = ["-m", "distributed.cli.dask_worker", "--nthreads", "1", "--no-nanny", "--local-directory", folder]
        scheduler: subprocess.Popen[Any] = subprocess.Popen([sys.executable, *of_scheduler], **quiet)  # type: ignore[call-overload]
        while not file.exists() or not file.read_text():
            time.sleep(0.1)
        workers = [subprocess.Popen([sys.executable, *of_worker, *words], **quiet) for _ in range(2)]  # type: ignore[call-overload]
        try:
            yield scheduler, json.loads(file.read_text())["address"]
        finally:
            for process in (*workers, scheduler):
                process.terminate()
                process.wait()


@dataclass(frozen=True)
class Simulated:
    workers: int
    games_per_second: float
    of_ideal: float
    client_busy: float
    scheduler_busy: float


def simulate(costs: Costs, workers: int, games_a_part: int = PART_SIZE, seed: int = 1) -> Simulated:
    """Play a run: a worker that is free visits the client, then the scheduler, then plays; each of the two serves one
    visit after the other."""
    chance = random.Random(seed)
    play = costs.play * games_a_part / PART_SIZE
    parts, handed_out, client, scheduler, end = workers * PARTS_A_WORKER, 0, 0.0, 0.0, 0.0
    asking = [(0.0, worker) for worker in range(workers)]
    while asking and handed_out < parts:
        at, worker = heapq.heappop(asking)
        client = max(client, at) + costs.client
        scheduler = max(scheduler, client) + costs.scheduler
        end = max(end, done := scheduler + play * chance.uniform(1 - SPREAD, 1 + SPREAD))
        heapq.heappush(asking, (done, worker))
        handed_out += 1
    games = parts * games_a_part
    ideal = workers / play * games_a_part
    return Simulated(
        workers, games / end, games / end / ideal, parts * costs.client / end, parts * costs.scheduler / end
    )


def page_with(page: str, made: str) -> str:
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{made}{END}{after}"


def written(costs: Costs) -> str:
    return "\n".join([*_of_a_part(costs), "", *_of_clusters(costs), "", *_of_a_billion(costs), ""])


def _of_a_part(costs: Costs) -> Iterator[str]:
    yield f"Measured on one core: a part of {PART_SIZE:,} games (USA, {PLAYERS} players, `planner` alone, full log)."
    yield ""
    yield "| what | cost |"
    yield "|---|---|"
    yield f"| playing and writing it | {costs.play:.2f} s |"
    yield f"| its files (four) | {costs.bytes / 1e6:.2f} MB |"
    yield f"| the client: hand it out and take it back | {1e3 * costs.client:.2f} ms |"
    yield f"| the scheduler | {1e3 * costs.scheduler:.2f} ms |"
    yield f"| the client, at the end: read, check and digest its files | {1e3 * costs.check:.1f} ms |"


def _of_clusters(costs: Costs) -> Iterator[str]:
    yield "Simulated, with these costs:"
    yield ""
    yield "| workers | games in a part | games a second | of the ideal | client busy | scheduler busy |"
    yield "|---|---|---|---|---|---|"
    for games in (PART_SIZE, 10 * PART_SIZE):
        for workers in WORKERS:
            found = simulate(costs, workers, games)
            shares = (f"{share:.0%}" for share in (found.of_ideal, found.client_busy, found.scheduler_busy))
            yield f"| {workers:,} | {games:,} | {found.games_per_second:,.0f} | {' | '.join(shares)} |"


def _of_a_billion(costs: Costs) -> Iterator[str]:
    parts = BILLION // PART_SIZE
    yield f"A billion such games are {parts:,} parts:"
    yield ""
    hours = {name: parts * getattr(costs, name) / 3600 for name in ("play", "check", "client", "scheduler")}
    yield f"- {hours['play']:,.0f} core-hours of play, {parts * costs.bytes / 1e12:.2f} TB in {4 * parts:,} files;"
    yield f"- {4 * parts:,} PUT requests with a file a table, {parts:,} with all tables of a part in one object;"
    yield f"- {hours['check']:.1f} hours for one core to read and check every byte at the end;"
    yield f"- {hours['client']:.1f} hours of the client's time and {hours['scheduler']:.1f} hours of the scheduler's."


def main() -> int:
    argparse.ArgumentParser(prog="scripts/cluster-load", description=__doc__).parse_args()
    page = PAGE.read_text(encoding="utf-8")
    if BEGIN not in page or END not in page:
        sys.stderr.write(f"Error: {PAGE.name} has no lines {BEGIN.strip()} and {END}, between which the figures go.\n")
        return 2
    PAGE.write_text(page_with(page, written(measured())), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
