"""What reading a log costs: all tables, the page, a comparison, of a study's games and of many."""

from __future__ import annotations

import tempfile
from pathlib import Path

from scripts.tools.bench.measure import Row
from scripts.tools.bench.process import COMMAND, Cost, cost

FEW, MANY, QUICK_FEW, QUICK_MANY = 160_000, 1_000_000, 20_000, 100_000
LINEUP = ("path", "longroute", "racer", "random")
ANALYZE = "from ttr_sim.analysis import analyze; analyze(sys.argv[1:])"


def measure(quick: bool) -> list[Row]:
    with tempfile.TemporaryDirectory() as scratch:
        costs = {games: _costs(games, Path(scratch)) for games in ((QUICK_FEW, QUICK_MANY) if quick else (FEW, MANY))}
    few = min(costs)
    return [
        _row(subject, games, spent[subject], (spent[subject].seconds / games) / (costs[few][subject].seconds / few))
        for subject in costs[few]
        for games, spent in costs.items()
    ]


def _costs(games: int, scratch: Path) -> dict[str, Cost]:
    """Four players; the second run is the first with other deals, so that they are compared as independent."""
    runs = [_play(games, seed, scratch / f"{games}-{seed}") for seed in (1, 2)]
    return {
        "all tables": cost(ANALYZE, runs[0]),
        "report": cost(COMMAND, "report", runs[0], "--out", str(scratch / "page"), "-q"),
        "compare": cost(COMMAND, "compare", *runs, "--out", str(scratch / "comparison"), "-q"),
    }


def _play(games: int, seed: int, folder: Path) -> str:
    words = ["--players", "4", "--bots", ",".join(LINEUP), "--games", str(games), "--seed", str(seed)]
    cost(COMMAND, "run", "usa", *words, "--out", str(folder), "-q")
    return str(folder)


def _row(subject: str, games: int, spent: Cost, times_as_long: float) -> Row:
    return {
        "measure": subject,
        "games": games,
        "seconds": spent.seconds,
        "processor_seconds": spent.processor_seconds,
        "megabytes": spent.megabytes,
        "times_as_long_a_game": times_as_long,
    }
