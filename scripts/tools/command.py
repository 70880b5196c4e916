"""The checkout, and ttr-sim called as a user calls it, with its JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FINE, FINDINGS = 0, 1


def plain_environment() -> dict[str, str]:
    """The environment without the size of a terminal, which pytest sets and by which output is wrapped."""
    return {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}


def ttr_sim(*words: object) -> Any:
    """Run a command and parse its JSON. Findings are no failure here."""
    command = [sys.executable, "-m", "ttr_sim", *map(str, words), "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in {FINE, FINDINGS}:
        sys.exit(done.returncode)
    return json.loads(done.stdout)
