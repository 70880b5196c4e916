"""Measure speed as a user feels it, and as ratios to another checkout when one is named.

Every figure comes from whole commands. With --against, both checkouts run in turn, round after round, so that a busy
moment of the machine falls on both alike.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from scripts.tools.command import ROOT

ROUNDS, QUICK_ROUNDS = 5, 2
QUICK_SHARE = 10  # --quick plays one game for so many
LINEUPS = {"planner": 20_000, "random": 40_000}
STYLES = ("random", "onestep", "hungry", "path", "longroute", "racer", "blocker")
# A child's peak memory is its own only if it reports it itself.
PEAK = """
import resource, sys
from ttr_sim.cli.main import main
try:
    main(sys.argv[1:])
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr)
"""


class Measurement(NamedTuple):
    """A measured value. `larger_is_better` decides how a ratio to another checkout is formed."""

    name: str
    value: float
    unit: str
    larger_is_better: bool = False


def run_command(root: Path, *words: object, **variables: str) -> tuple[float, str, str]:
    """Run the ttr-sim of a checkout in an empty folder, giving seconds, stdout and stderr."""
    call = [str(root / ".venv" / "bin" / "python"), "-P", "-c", PEAK, *map(str, words)]
    environment = {**os.environ, **variables}
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        done = subprocess.run(call, cwd=folder, capture_output=True, text=True, check=False, env=environment)
        seconds = time.perf_counter() - began
    if done.returncode not in (0, 1):
        raise SystemExit(f"Error: ttr-sim {' '.join(map(str, words))} failed: {done.stderr}")
    return seconds, done.stdout, done.stderr


def play(root: Path, players: int, bots: str, games: int, *words: object) -> dict[str, Any]:
    options = ("--players", players, "--bots", bots, "--games", games, *words)
    _, printed, _ = run_command(root, "run", "usa", *options, "--out", "run", "--json", "-q")
    return dict(json.loads(printed))


def engine(root: Path, share: int) -> Iterator[Measurement]:
    """Games a second on one core, without and with the log of turns."""
    for bot, games in LINEUPS.items():
        for players in (2, 4):
            for log in ("results", "full"):
                found = play(root, players, bot, games // share, "--jobs", 1, "--log", log)
                name = f"{bot}, {players} players, --log {log}"
                yield Measurement(name, found["games_per_second"], "games/s", larger_is_better=True)


def start(root: Path, share: int) -> Iterator[Measurement]:
    """Seconds to an answer: help, the first game with a cold and a warm cache."""
    yield Measurement("ttr-sim --help", run_command(root, "--help")[0], "s")
    few = ("run", "usa", "--players", 2, "--games", 2, "--out", "run", "-q")
    with tempfile.TemporaryDirectory() as cache:
        yield Measurement("first game, compiling", run_command(root, *few, TTR_SIM_CACHE=cache)[0], "s")
        yield Measurement("first game, compiled", run_command(root, *few, TTR_SIM_CACHE=cache)[0], "s")


def study(root: Path, share: int) -> Iterator[Measurement]:
    """Seconds of whole studies of USA, games and page."""
    yield Measurement("study usa --quick", run_command(root, "study", "usa", "--quick", "-q")[0], "s")
    games = 20_000 // share
    yield Measurement(f"study usa --games {games}", run_command(root, "study", "usa", "--games", games, "-q")[0], "s")


def memory(root: Path, share: int) -> Iterator[Measurement]:
    """Peak memory of a run and of five times as many games."""
    for games in (20_000 // share, 100_000 // share):
        words = ("run", "usa", "--players", 2, "--bots", "random", "--games", games, "--out", "run", "-q")
        peak = int(run_command(root, *words)[2].split()[-1])
        yield Measurement(f"run of {games:,} games", peak, "MB")


def bots(root: Path, share: int) -> Iterator[Measurement]:
    """Wins in 100 of one planner among others of one style. Fair is 50 and 25."""
    for players in (2, 4):
        for style in STYLES:
            lineup = ",".join(("planner", *(style,) * (players - 1)))
            found = play(root, players, lineup, 4_000 // share, "--log", "results")
            entry = next(bot for bot in found["bots"] if bot["bot"] == "planner")
            yield Measurement(f"planner among {style}, {players} players", 100 * entry["win_share"], "wins", True)


SUBJECTS = {subject.__name__: subject for subject in (engine, start, study, memory, bots)}


def measured(subject: str, checkouts: list[Path], rounds: int, share: int) -> Iterator[dict[str, object]]:
    """Medians over rounds and, of two checkouts, the median of the ratios round by round."""
    figures = [[list(SUBJECTS[subject](checkout, share)) for checkout in checkouts] for _ in range(rounds)]
    for place, figure in enumerate(figures[0][0]):
        ours = [both[0][place].value for both in figures]
        row: dict[str, object] = {"measure": figure.name, "unit": figure.unit, "value": median(ours)}
        if len(checkouts) > 1:
            theirs = [both[1][place].value for both in figures]
            row["against"] = median(theirs)
            ratios = [mine / other for mine, other in zip(ours, theirs, strict=True)]
            row["ratio"] = median(ratios) if figure.larger_is_better else 1 / median(ratios)
        yield row


def run_bench() -> int:
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument("subjects", nargs="*", choices=[[], *SUBJECTS], metavar="SUBJECT", help=", ".join(SUBJECTS))
    parser.add_argument("--quick", action="store_true", help="fewer games and rounds: rougher figures")
    parser.add_argument(
        "--against", type=Path, metavar="CHECKOUT", help="another checkout, set up; ratio > 1: ours is better"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    options = parser.parse_args()
    checkouts = [root.resolve() for root in (ROOT, options.against) if root]
    rounds, share = (QUICK_ROUNDS, QUICK_SHARE) if options.quick else (ROUNDS, 1)
    results = {}
    for subject in options.subjects or SUBJECTS:
        sys.stderr.write(f"{subject}: {SUBJECTS[subject].__doc__}\n")
        results[subject] = list(measured(subject, checkouts, rounds, share))
        for row in [] if options.json else results[subject]:
            value = "  ".join(f"{row[name]:>10,.3g}" for name in ("value", "against", "ratio") if name in row)
            print(f"{row['measure']:45}{value}  {row['unit']}")
    if options.json:
        print(json.dumps(results, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(run_bench())
