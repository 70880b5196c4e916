"""Call ttr-sim as a user does, and read what it prints as JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

FINE, FINDINGS = 0, 1


def ttr_sim(*words: str) -> Any:
    """Return what a command prints; findings are no failure here."""
    command = [sys.executable, "-m", "ttr_sim", *words, "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in {FINE, FINDINGS}:
        sys.exit(done.returncode)
    return json.loads(done.stdout)
