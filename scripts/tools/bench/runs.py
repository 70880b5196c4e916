"""What a run costs beyond its games: two jobs against one, the log, its digests, bytes and memory."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median

from scripts.tools.bench.measure import Row, interleaved, median_ratio
from scripts.tools.bench.process import COMMAND, cost
from ttr_sim.edition import load_edition
from ttr_sim.engine.batch import new_control
from ttr_sim.run.backends import ThisMachine, Workers
from ttr_sim.run.control import Controls, Silence
from ttr_sim.run.digest import block_digests, cuts_between, first_games, log_cells
from ttr_sim.run.lineups import Part, parts_of
from ttr_sim.run.opened import Run, claimed_folder
from ttr_sim.run.plan import Request, make_plans
from ttr_sim.run.play import load_game, play, play_part, play_plan
from ttr_sim.run.tables import Words

THINKERS = ("planner", "path", "longroute", "racer")
GAMES, QUICK_GAMES = 16_000, 4_000


def measure(quick: bool) -> list[Row]:
    games = QUICK_GAMES if quick else GAMES
    request = Request(load_edition("usa"), (4,), THINKERS, games, seed=1)
    rounds = 3 if quick else 7
    with tempfile.TemporaryDirectory() as scratch:
        rows = [*_of_jobs(request, Path(scratch), rounds), *_of_log(request, Path(scratch), rounds)]
    return [*rows, *_of_memory(quick), row("process start to first part on disk, warm", "s", _first_part_seconds())]


def row(name: str, unit: str, value: float) -> Row:
    return {"measure": name, "unit": unit, "value": value}


def _of_jobs(request: Request, scratch: Path, rounds: int) -> list[Row]:
    """By the clock, for workers that wait for each other use none."""
    speeds: dict[int, list[float]] = {1: [], 2: []}
    for number in range(rounds):
        for jobs, of_jobs in speeds.items():
            speed, size = speed_and_size(request, scratch / f"{jobs}-{number}", ThisMachine(jobs))
            of_jobs.append(speed)
    return [
        row("games a second, one job", "games/s", median(speeds[1])),
        row("two jobs against one", "ratio", median_ratio(speeds[2], speeds[1])),
        row("log on disk", "bytes/game", size / request.games),
    ]


def speed_and_size(request: Request, folder: Path, workers: Workers) -> tuple[float, int]:
    """Play the request and return its games a second and its bytes."""
    silence = Silence()
    (plan,) = make_plans(request, silence)
    speed = play_plan(request, plan, folder, workers, silence, "scripts/bench").record.games_per_second
    return speed, sum(file.stat().st_size for file in folder.glob("*/*.parquet"))


def _of_log(request: Request, scratch: Path, rounds: int) -> list[Row]:
    """CPU time of one part with and without turns, and of its digests alone."""
    full, results = (begun(replace(request, log=log), scratch / log) for log in ("full", "results"))
    part = next(parts_of(full.plan))
    cases = {"full": player(full, part), "results": player(results, part), "digests": _digester(full, part)}
    seconds = interleaved(cases, rounds)
    return [
        row("CPU time with --log full against results", "ratio", median_ratio(seconds["full"], seconds["results"])),
        row("share of the digests in it", "ratio", median_ratio(seconds["digests"], seconds["full"])),
    ]


def begun(request: Request, folder: Path) -> Run:
    """Open a run of which no part is played."""
    (plan,) = make_plans(request, Silence())
    with claimed_folder(request, plan, folder, "scripts/bench") as run:
        return run


def player(run: Run, part: Part) -> Callable[[], object]:
    """Return a call that plays a part and writes it."""
    return lambda: play_part(run.plan, run.folder, part, Controls())


def _digester(run: Run, part: Part) -> Callable[[], object]:
    entries = play(run.plan, load_game(run.plan, run.folder, run.edition), part, new_control())
    assert entries is not None
    words = Words.of(THINKERS, run.edition)
    starts = first_games(entries["games"].host_ids("game"), entries["games"].host_ids("block"))

    def digest() -> None:
        for of_table in entries.values():
            block_digests(log_cells(of_table, words), cuts_between(of_table.host_ids("game"), starts))

    return digest


def _of_memory(quick: bool) -> list[Row]:
    """Of whole processes with two jobs."""
    few, many = (4_000, 20_000) if quick else (20_000, 1_000_000)
    peaks = {games: _peak_megabytes(games) for games in (few, many)}
    return [
        row(f"peak memory of {many:,} games", "MB", peaks[many]),
        row(f"the same against {few:,} games", "ratio", peaks[many] / peaks[few]),
    ]


def _words(games: int, folder: str) -> list[str]:
    words = ["run", "usa", "--players", "2", "--bots", "random,random", "--games", str(games), "--jobs", "2"]
    return [*words, "--out", folder, "-q"]


def _peak_megabytes(games: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        return cost(COMMAND, *_words(games, folder)).megabytes


def _first_part_seconds() -> float:
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        process = subprocess.Popen([sys.executable, "-m", "ttr_sim", *_words(2, folder)], stdout=subprocess.DEVNULL)
        while process.poll() is None and not (Path(folder) / "games" / "part-00000.parquet").exists():
            time.sleep(0.005)
        seconds = time.perf_counter() - began
        assert process.wait() == 0
    return seconds
