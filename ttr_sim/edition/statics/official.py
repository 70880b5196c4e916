"""The measures of a board beside the range that the official boards span."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ttr_sim.edition.folder import load_edition, official_names
from ttr_sim.edition.statics.board import Statics, statics
from ttr_sim.edition.statics.measures import MEASURES, Measure


@dataclass(frozen=True, slots=True)
class ComparedMeasure:
    """A measure of one board, and the lowest and highest of the official ones."""

    measure: Measure
    value: float | None
    low: float | None
    high: float | None

    def beyond(self, share: float) -> bool:
        """Return whether the value lies outside the range by more than a share of its width."""
        if self.value is None or self.low is None or self.high is None:
            return False
        room = share * (self.high - self.low)
        return not self.low - room <= self.value <= self.high + room


def measured(board: Statics, *, among_others: bool = True) -> list[ComparedMeasure]:
    """Return every measure of a board; `among_others`: an official board is not set beside itself."""
    own = board.edition.fingerprint if among_others else ""
    others = [values for fingerprint, values in official_values() if fingerprint != own]
    rows = []
    for number, measure in enumerate(MEASURES):
        known = [value for values in others if (value := values[number]) is not None]
        rows.append(ComparedMeasure(measure, measure.of(board), min(known, default=None), max(known, default=None)))
    return rows


@cache
def official_values() -> tuple[tuple[str, tuple[float | None, ...]], ...]:
    """Return fingerprint and measures of each official board."""
    boards = [statics(load_edition(name)) for name in official_names()]
    return tuple((board.edition.fingerprint, tuple(measure.of(board) for measure in MEASURES)) for board in boards)
