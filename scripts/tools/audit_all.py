"""Play and audit every edition at every player count; called by scripts/audit-all."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

from scripts.tools.command import FINDINGS, FINE, ttr_sim

INTERRUPTED = 130
BIG, SMALL = 20_000, 500
SEARCHING, SEARCHED = "search:budget=8,planner", 10  # lineup and games: it thinks hundreds of times longer


def main() -> int:
    arguments = read_arguments()
    bots = ",".join(style["bot"] for style in ttr_sim("bots") if not style["searches"])
    clean = True
    for edition in (entry for entry in ttr_sim("editions") if "variant_of" not in entry):
        fewest, most = edition["players"]
        for players in range(fewest, most + 1):
            clean &= check(edition["name"], players, bots, arguments.games, arguments.seed)
            clean &= check(edition["name"], players, SEARCHING, SEARCHED, arguments.seed)
    return FINE if clean else FINDINGS


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/audit-all", description=__doc__)
    parser.add_argument("--games", type=int, help=f"games of each edition and player count, {BIG:,} by default")
    parser.add_argument("--small", action="store_true", help=f"{SMALL} games of each")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    arguments.games = arguments.games or (SMALL if arguments.small else BIG)
    return arguments


def check(edition: str, players: int, bots: str, games: int, seed: int) -> bool:
    """Play, audit and tell; a run with findings is kept to look into."""
    began = time.monotonic()
    run = Path(tempfile.mkdtemp(prefix="audit-")) / f"{edition}-{players}p"
    words = ["--players", str(players), "--bots", bots, "--games", str(games), "--seed", str(seed), "--out", str(run)]
    ttr_sim("run", edition, *words, "-q")
    found = ttr_sim("audit", str(run), "-q")
    clean = not found["violations"] and found["digest_ok"]
    counts = f"{found['games']:,} games, {found['turns']:,} turns"
    verdict = "nothing found" if clean else f"{len(found['violations'])} findings, kept in {run}"
    print(f"{edition} with {players} players: {counts}: {verdict} ({time.monotonic() - began:.0f} s)", flush=True)
    if clean:
        shutil.rmtree(run.parent)
    return bool(clean)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
