"""Call ttr-sim as a user does, and read what it prints as JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

FINE, FINDINGS = 0, 1


def ttr_sim(*words: str) -> Any:
    """Return what a command prints; findings are no failure here."""
    command = [sys.executable, "-m", "ttr_sim", *words, "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in {FINE, FINDINGS}:
        sys.exit(done.returncode)
    return json.loads(done.stdout)


def play_on(folder: Path, edition: str, bot: str, players: int, games: int, seed: int, *options: str) -> Path:
    """Play one bot in every seat, or what a run that was kept lacks, and return the run's folder."""
    if (folder / "run.json").is_file():
        ttr_sim("run", "--resume", str(folder), "--games", str(games), "-q")
        return folder
    words = ["--players", str(players), "--bots", bot, "--games", str(games), "--seed", str(seed)]
    ttr_sim("run", edition, *words, *options, "--out", str(folder), "-q")
    return folder
