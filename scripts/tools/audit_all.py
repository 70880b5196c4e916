"""Play and audit every edition at every player count.

The games of each combination come in rounds with a seed of their own. A folder keeps the figures of each finished
round, so that the same command continues after an interruption.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.tools.command import FINDINGS, FINE, ttr_sim

INTERRUPTED = 130
BIG, SMALL = 55_600, 500  # games of each combination; the big number makes a million of eighteen
GAMES_A_ROUND = 10_000
FOLDER = Path("runs", "audit-all")
SEARCHING, SEARCHED = "search:budget=8,planner", 10  # it thinks hundreds of times longer than the others


@dataclass(frozen=True)
class Round:
    """Some games of an edition and a player count, with lineups drawn from these bots."""

    edition: str
    players: int
    bots: str
    games: int
    seed: int

    @property
    def name(self) -> str:
        return f"{self.edition}-{self.players}p-{self.seed}{'-search' if self.bots == SEARCHING else ''}"

    def audit(self, folder: Path, jobs: list[str]) -> dict[str, Any]:
        """Play and audit the round. A run with findings is kept."""
        run = folder / self.name
        how = ("--players", self.players, "--bots", self.bots, "--games", self.games, "--seed", self.seed)
        ttr_sim("run", self.edition, *how, *jobs, "--out", run, "-q")
        found = ttr_sim("audit", run, *jobs, "-q")
        findings = len(found["violations"]) + (not found["digest_ok"])
        if not findings:
            shutil.rmtree(run)
        return {"games": found["games"], "turns": found["turns"], "findings": findings}


def rounds_of(games: int, seed: int) -> Iterator[Round]:
    """Yield a round of every combination, then the next of each. The searching bot plays in the first."""
    bots = ",".join(style["bot"] for style in ttr_sim("bots") if not style["searches"])
    editions = [entry for entry in ttr_sim("editions") if "variant_of" not in entry]
    for number, before in enumerate(range(0, games, GAMES_A_ROUND)):
        for entry in editions:
            fewest, most = entry["players"]
            for players in range(fewest, most + 1):
                yield Round(entry["name"], players, bots, min(GAMES_A_ROUND, games - before), seed + number)
                if number == 0:
                    yield Round(entry["name"], players, SEARCHING, SEARCHED, seed)


def audit_all(rounds: list[Round], folder: Path, jobs: list[str]) -> int:
    """Carry out the rounds that are not done yet and add up all of them."""
    total = {"games": 0, "turns": 0, "findings": 0}
    began, played = time.monotonic(), 0
    for number, one in enumerate(rounds, start=1):
        figures = folder / f"{one.name}-{one.games}.json"
        if not figures.is_file():
            found = one.audit(folder, jobs)
            figures.write_text(json.dumps(found), encoding="utf-8")
            played += found["games"]
            speed = played / (time.monotonic() - began)
            sys.stderr.write(f"{number} of {len(rounds)}: {one.name}, {speed:,.0f} games a second\n")
        audited = json.loads(figures.read_text(encoding="utf-8"))
        if audited["findings"]:
            print(f"{one.name}: {audited['findings']} findings, kept in {folder / one.name}")
        total = {name: total[name] + audited[name] for name in total}
    verdict = f"{total['findings']} findings" if total["findings"] else "nothing found"
    print(f"{total['games']:,} games with {total['turns']:,} turns: {verdict}")
    return FINDINGS if total["findings"] else FINE


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="scripts/audit-all", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, help=f"games of each edition and player count, {BIG:,} by default")
    parser.add_argument("--small", action="store_true", help=f"{SMALL} games of each, always from the beginning")
    parser.add_argument("--seed", type=int, default=1, help="of the first round; the next ones count on")
    parser.add_argument("--jobs", type=int, help="cores to use; by default all")
    parser.add_argument("--folder", type=Path, default=FOLDER, help=f"for finished rounds, of one version: {FOLDER}")
    options = parser.parse_args(words)
    rounds = list(rounds_of(options.games or (SMALL if options.small else BIG), options.seed))
    jobs = ["--jobs", str(options.jobs)] if options.jobs else []
    if not options.small:
        options.folder.mkdir(parents=True, exist_ok=True)
        return audit_all(rounds, options.folder, jobs)
    folder = Path(tempfile.mkdtemp(prefix="audit-all-"))
    status = audit_all(rounds, folder, jobs)
    if status == FINE:
        shutil.rmtree(folder)
    return status


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
