"""What measures were before the program was made fast, and what was wanted of them: `goals.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from scripts.tools.bench.measure import Row

FILE = Path(__file__).with_name("goals.toml")
SAID = ("before", "wanted")


def with_goals(subject: str, row: Row) -> Row:
    """Add to a row what its figure was and what was wanted, as far as there is something to compare it with."""
    for goal in _goals().get(subject, []):
        if all(row.get(name) == value for name, value in goal.items() if name not in SAID):
            return row | {name: goal[name] for name in SAID if name in goal}
    return row


@cache
def _goals() -> dict[str, list[Row]]:
    return tomllib.loads(FILE.read_text("utf-8"))
