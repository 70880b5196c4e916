"""Play and audit every edition at every player count; called by scripts/audit-all.

The games of each combination come in rounds, every round with a seed of its own. A line for each finished round is kept
in the folder, so the same command goes on where it was interrupted; sources that have changed begin anew.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from scripts.tools.checkout import ROOT
from scripts.tools.command import FINDINGS, FINE, ttr_sim

INTERRUPTED = 130
BIG, SMALL = 55_600, 500  # games of each combination; the big number makes a million of the eighteen
GAMES_A_ROUND = 10_000
FOLDER = Path("runs", "audit-all")
SEARCHING, SEARCHED = "search:budget=8,planner", 10  # lineup and games: it thinks hundreds of times longer
SOURCES = ("ttr_sim/**/*.py", "data/**/*.toml", "data/**/*.csv")


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


@dataclass(frozen=True)
class Audited:
    """What came of a round; `kept` is where its run was left when something was found."""

    games: int
    turns: int
    replayed: int
    findings: int
    seconds: float
    kept: str | None

    def sentence(self, of: Round) -> str:
        verdict = f"{self.findings} findings, kept in {self.kept}" if self.kept else "nothing found"
        who = f"{of.edition} with {of.players} players, seed {of.seed}"
        return f"{who}: {self.games:,} games, {self.turns:,} turns: {verdict} ({self.seconds:.0f} s)"


class Ledger:
    """The finished rounds of these sources, a line for each."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / f"rounds-{_hash_of_sources()}.jsonl"
        lines = self.file.read_text(encoding="utf-8").splitlines() if self.file.exists() else []
        whole = [line for line in lines if line.endswith("}}")]  # a killed process leaves half a line
        self.file.write_text("".join(f"{line}\n" for line in whole), encoding="utf-8")
        entries = [json.loads(line) for line in whole]
        self.done = {Round(**entry["round"]): Audited(**entry["audited"]) for entry in entries}

    def add(self, one: Round, audited: Audited) -> None:
        self.done[one] = audited
        with self.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"round": asdict(one), "audited": asdict(audited)}) + "\n")


def main(words: list[str]) -> int:
    wish = read_arguments(words)
    if not wish.small:
        return audit_all(wish, wish.folder)
    folder = Path(tempfile.mkdtemp(prefix="audit-all-"))
    status = audit_all(wish, folder)
    if status == FINE:
        shutil.rmtree(folder)
    return status


def read_arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/audit-all", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, help=f"games of each edition and player count, {BIG:,} by default")
    parser.add_argument("--small", action="store_true", help=f"{SMALL} games of each, always from the beginning")
    parser.add_argument("--seed", type=int, default=1, help="of the first round; the next ones count on")
    parser.add_argument("--jobs", type=int, help="cores to use; by default all")
    parser.add_argument("--folder", type=Path, default=FOLDER, help=f"where finished rounds are kept: {FOLDER}")
    wish = parser.parse_args(words)
    wish.games = wish.games or (SMALL if wish.small else BIG)
    return wish


def audit_all(wish: argparse.Namespace, folder: Path) -> int:
    """Carry out the rounds that are not done yet, and tell what came of all of them."""
    ledger, rounds = Ledger(folder), list(rounds_of(wish.games, wish.seed))
    jobs = [] if wish.jobs is None else ["--jobs", str(wish.jobs)]
    missing = [one for one in rounds if one not in ledger.done]
    if len(missing) < len(rounds):
        print(f"{len(rounds) - len(missing)} of {len(rounds)} rounds were done before", file=sys.stderr)
    began, played = time.monotonic(), 0
    for one in missing:
        audited = check(one, folder, jobs)
        ledger.add(one, audited)
        print(audited.sentence(one), flush=True)
        played += audited.games
        speed = played / (time.monotonic() - began)
        left = sum(entry.games for entry in rounds if entry not in ledger.done)
        print(f"{left:,} games left, {speed:,.0f} per second, {left / speed / 60:,.0f} minutes", file=sys.stderr)
    return tell_all([ledger.done[one] for one in rounds])


def rounds_of(games: int, seed: int) -> Iterator[Round]:
    """Yield a round of every combination, then the next of every one; the searching bot plays in the first."""
    bots = ",".join(style["bot"] for style in ttr_sim("bots") if not style["searches"])
    editions = [entry for entry in ttr_sim("editions") if "variant_of" not in entry]
    tables = [(entry["name"], players) for entry in editions for players in _counts(*entry["players"])]
    for number, before in enumerate(range(0, games, GAMES_A_ROUND)):
        for edition, players in tables:
            yield Round(edition, players, bots, min(GAMES_A_ROUND, games - before), seed + number)
            if number == 0:
                yield Round(edition, players, SEARCHING, SEARCHED, seed)


def _counts(fewest: int, most: int) -> range:
    return range(fewest, most + 1)


def check(one: Round, folder: Path, jobs: list[str]) -> Audited:
    """Play and audit a round; a run with findings is kept to look into."""
    began = time.monotonic()
    run = folder / one.name
    words = ["--players", str(one.players), "--bots", one.bots, "--games", str(one.games), "--seed", str(one.seed)]
    ttr_sim("run", one.edition, *words, *jobs, "--out", str(run), "-q")
    found = ttr_sim("audit", str(run), *jobs, "-q")
    findings = len(found["violations"]) + (not found["digest_ok"])
    if not findings:
        shutil.rmtree(run)
    seconds = round(time.monotonic() - began, 1)
    kept = str(run) if findings else None
    return Audited(found["games"], found["turns"], found["replayed"], findings, seconds, kept)


def tell_all(audited: list[Audited]) -> int:
    games, turns, replayed, findings, seconds = (
        sum(getattr(entry, name) for entry in audited) for name in ("games", "turns", "replayed", "findings", "seconds")
    )
    verdict = f"{findings} findings" if findings else "nothing found"
    blocks = f"{replayed:,} blocks played again"
    print(f"{games:,} games with {turns:,} turns, {blocks}, in {seconds / 60:,.0f} minutes: {verdict}")
    return FINDINGS if findings else FINE


def _hash_of_sources() -> str:
    digest = hashlib.sha256()
    for file in sorted(file for pattern in SOURCES for file in ROOT.glob(pattern)):
        digest.update(file.relative_to(ROOT).as_posix().encode() + file.read_bytes())
    return digest.hexdigest()[:16]


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
