"""The page of a balance: what to change and why, the map with the edits marked, before and after, the path."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ttr_sim.balance.outcome import Outcome


def write_balance(outcome: Outcome, command: str) -> Path:
    return Path("reports") / f"{outcome.order.out.name}" / "index.html"
