"""The page about the log says what the log holds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "data-dictionary"


def run(*words: str) -> int:
    return subprocess.run([sys.executable, str(SCRIPT), *words], capture_output=True, check=False).returncode


def test_page_is_up_to_date() -> None:
    assert run("--check") == 0, "run scripts/data-dictionary"


def test_wrong_use() -> None:
    assert run("--chek") == 2
