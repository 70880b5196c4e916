"""Player counts: those played, the one shown first, and `all`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis

ALL = 0  # in tables: all player counts together; in the page: all of them one below the other


def played_counts(analysis: Analysis) -> list[int]:
    return sorted({run.players for run in analysis.runs})


def main_count(counts: list[int]) -> int:
    """The middle one, rather the larger."""
    return counts[len(counts) // 2]


def choices(counts: list[int]) -> list[int]:
    """What a reader of the page can choose from."""
    return counts if len(counts) == 1 else [*counts, ALL]


def players_words(players: int) -> str:
    return "all player counts" if players == ALL else f"{players} players"
