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
from ttr_sim.engine.batch import new_control
from ttr_sim.run.carry_out import carry_out
from ttr_sim.run.digest import block_digests, cuts_between
from ttr_sim.run.draft import Wish, draft
from ttr_sim.run.folder import RunFolder
from ttr_sim.run.parts import Part, parts_of
from ttr_sim.run.start import taken
from ttr_sim.run.tables import Words, log_cells
from ttr_sim.run.watch import Silence
from ttr_sim.run.workers import first_games, play, play_part, set_table

THINKERS = ("planner", "path", "longroute", "racer")
WISH = Wish("usa", 4, THINKERS, games=16_000, seed=1)


def measure(quick: bool) -> list[Row]:
    wish = replace(WISH, games=4_000) if quick else WISH
    rounds = 3 if quick else 7
    with tempfile.TemporaryDirectory() as scratch:
        rows = [*_of_jobs(wish, Path(scratch), rounds), *_of_log(wish, Path(scratch), rounds)]
    return [*rows, *_of_memory(quick), _row("process start to first part on disk, warm", "s", _first_part_seconds())]


def _row(name: str, unit: str, value: float) -> Row:
    return {"measure": name, "unit": unit, "value": value}


def _of_jobs(wish: Wish, scratch: Path, rounds: int) -> list[Row]:
    """By the clock, for workers that wait for each other use none."""
    speeds: dict[int, list[float]] = {1: [], 2: []}
    for number in range(rounds):
        for jobs, of_jobs in speeds.items():
            speed, size = _play(wish, scratch / f"{jobs}-{number}", jobs)
            of_jobs.append(speed)
    return [
        _row("games a second, one job", "games/s", median(speeds[1])),
        _row("two jobs against one", "ratio", median_ratio(speeds[2], speeds[1])),
        _row("log on disk", "bytes/game", size / wish.games),
    ]


def _play(wish: Wish, folder: Path, jobs: int) -> tuple[float, int]:
    silence = Silence()
    with taken(draft(wish, silence.note), folder, "scripts/bench") as (run, record):
        speed = carry_out(run, record, jobs, silence).games_per_second
    return speed, sum(file.stat().st_size for file in folder.glob("*/*.parquet"))


def _of_log(wish: Wish, scratch: Path, rounds: int) -> list[Row]:
    """CPU time of one part with and without turns, and of its digests alone."""
    full, results = (_begun(replace(wish, log=log), scratch / log) for log in ("full", "results"))
    part = next(parts_of(full.read().plan))
    cases = {"full": _player(full, part), "results": _player(results, part), "digests": _digester(full, part)}
    seconds = interleaved(cases, rounds)
    return [
        _row("CPU time with --log full against results", "ratio", median_ratio(seconds["full"], seconds["results"])),
        _row("share of the digests in it", "ratio", median_ratio(seconds["digests"], seconds["full"])),
    ]


def _begun(wish: Wish, folder: Path) -> RunFolder:
    with taken(draft(wish, Silence().note), folder, "scripts/bench") as (run, _):
        return run


def _player(run: RunFolder, part: Part) -> Callable[[], object]:
    plan = run.read().plan
    return lambda: play_part(plan, run.path, part)


def _digester(run: RunFolder, part: Part) -> Callable[[], object]:
    plan = run.read().plan
    table = set_table(plan, run.path)
    entries = play(plan, table, part, new_control())
    assert entries is not None
    words = Words.of(THINKERS, table.edition)
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
        _row(f"peak memory of {many:,} games", "MB", peaks[many]),
        _row(f"the same against {few:,} games", "ratio", peaks[many] / peaks[few]),
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
