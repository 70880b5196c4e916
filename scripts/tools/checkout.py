"""Where the checkout is: tools read and write it from whatever folder they are called in."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def plain_environment() -> dict[str, str]:
    """The environment without the size of a terminal, which pytest sets and by which output is wrapped."""
    return {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
