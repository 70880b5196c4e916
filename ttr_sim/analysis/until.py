"""Play until enough is known: looks at fixed numbers of games, never at a clock, so that the same plan gives the same
games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from math import inf
from typing import TypeVar

from ttr_sim.analysis.headlines import Precision, precision
from ttr_sim.errors import UserError
from ttr_sim.run.opened import Run

FIRST_LOOK = 2_000  # games; a confidence sequence asks for hundreds of blocks
MOST_GAMES = 1_000_000
QUICK_LOOKS = (1_000, 2_000, 4_000, 8_000)
QUICK_WIDTH = 0.04  # of wins: less than what a board's tickets may give or take by default

Played = TypeVar("Played")


def looks(most: int) -> Iterator[int]:
    """Yield 2,000 games, 3,000, 4,000, 6,000, 8,000, 12,000 and so on, at last the most allowed."""
    for doubling in count():
        for games in (FIRST_LOOK << doubling, (FIRST_LOOK << doubling) * 3 // 2):
            if games >= most:
                yield most
                return
            yield games


def quick_looks(most: int) -> Iterator[int]:
    yield from (games for games in QUICK_LOOKS if games < most)
    yield most


def play_until(play: Callable[[int], Played], numbers: Iterator[int], enough: Callable[[Played], bool]) -> Played:
    """Play on from look to look until enough is known or the last look is taken; return what was played."""
    played = play(next(numbers))
    while not enough(played):
        games = next(numbers, None)
        if games is None:
            break
        played = play(games)
    return played


class Within:
    """Whether the headlines of runs are known within a half width; `note` hears how far it has come at every look."""

    def __init__(self, half_width: float, note: Callable[[str], None]) -> None:
        if not half_width > 0:
            raise UserError("--until must be more than 0 wins in 100")
        self.half_width, self.note = half_width, note

    def __call__(self, runs: Sequence[Run]) -> bool:
        known = precision(runs)
        self.note(self._sentence(runs, known))
        return known.half_width <= self.half_width

    def _sentence(self, runs: Sequence[Run], known: Precision) -> str:
        games = f"{sum(run.finished_games for run in runs):,} games"
        if known.half_width == inf:
            return f"{games}: too few to know anything of {known.headline}"
        return (
            f"{games}: every headline is known to ±{known.half_width * 100:.1f} wins in 100 (least: {known.headline})"
        )
